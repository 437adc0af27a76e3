// Schemas as programs give them: those of a library that follows the Standard Schema, or JSON Schema as it is.
'use strict';

const { ToolError } = require('./errors.js');

/** The dialect that the specification of MCP takes when a schema does not name one. */
const TARGET = 'draft-2020-12';

/**
 * @typedef {{ json: any, check: ((value: unknown) => unknown) | null }} Schema
 * `json` is what clients see; `check` gives what the handler gets, or a promise of it, and is null where the library checks.
 */

/** @param {any} schema @param {'input' | 'output'} side what a client sends, or what it gets @param {string} what @returns {Schema} */
function schemaOf(schema, side, what) {
  if (schema === null || (typeof schema !== 'object' && typeof schema !== 'function')) {
    throw new TypeError(`${what} must be a schema: JSON Schema, or one of a library that follows the Standard Schema`);
  }
  const standard = schema['~standard'];
  if (standard === undefined) return { json: schema, check: null };
  return { json: withoutDialect(jsonOf(schema, standard, side, what)), check: (value) => validate(standard, value) };
}

/** What checks a value with a schema of a library. @param {any} schema @param {string} what @returns {(value: unknown) => unknown} */
function checkOf(schema, what) {
  const standard = schema?.['~standard'];
  if (standard === undefined) throw new TypeError(`${what} must be a schema of a library that follows the Standard Schema`);
  return (value) => validate(standard, value);
}

/** @param {any} schema @param {any} standard @param {'input' | 'output'} side @param {string} what */
function jsonOf(schema, standard, side, what) {
  if (standard.jsonSchema !== undefined) return standard.jsonSchema[side]({ target: TARGET });
  // What libraries had before the Standard Schema knew of JSON Schema.
  if (typeof schema.toJSONSchema === 'function') return schema.toJSONSchema({ io: side });
  if (typeof schema.toJsonSchema === 'function') return schema.toJsonSchema();
  throw new TypeError(`${what}: this schema of ${standard.vendor} does not say what it is in JSON Schema. Give both with `
    + 'withJsonSchema(schema, jsonSchema), or take a version of the library that implements "~standard".jsonSchema (zod from 4.2 on)');
}

/** The dialect is the default one, and lists of tools are read by models. @param {any} json */
function withoutDialect(json) {
  const { $schema, ...rest } = json;
  return typeof $schema === 'string' && $schema.includes('2020-12') ? rest : json;
}

/** @param {any} standard @param {unknown} value */
function validate(standard, value) {
  const result = standard.validate(value);
  return typeof result?.then === 'function' ? result.then(valueOf) : valueOf(result);
}

/** @param {any} result */
function valueOf(result) {
  if (result.issues === undefined) return result.value;
  const texts = result.issues.map((/** @type {any} */ issue) => {
    const path = (issue.path ?? []).map((/** @type {any} */ part) => String(part?.key ?? part)).join('.');
    return path === '' ? issue.message : `${path}: ${issue.message}`;
  });
  throw new InvalidValue(texts.join('; '));
}

/** What a client sent, or a handler gave, does not fit its schema. */
class InvalidValue extends ToolError {}

/** @param {any} schema @param {object} jsonSchema */
function withJsonSchema(schema, jsonSchema) {
  const standard = schema?.['~standard'];
  if (standard === undefined) throw new TypeError('schema must follow the Standard Schema');
  return { '~standard': { ...standard, validate: (/** @type {unknown} */ value) => standard.validate(value),
    jsonSchema: { input: () => jsonSchema, output: () => jsonSchema } } };
}

module.exports = { InvalidValue, checkOf, schemaOf, withJsonSchema };
