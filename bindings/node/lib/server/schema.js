// Schemas as programs give them: those of a library that follows the Standard Schema, or JSON Schema as it is.
'use strict';

const { createRequire } = require('node:module');
const path = require('node:path');

const { ToolError } = require('./errors.js');
const { isObject } = require('./results.js');

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
  if (standard === undefined) return { json: written(schema, what), check: null };
  return { json: objectOf(withoutDialect(jsonOf(schema, standard, side, what))), check: (value) => validate(standard, value) };
}

/** JSON Schema that the program wrote. @param {any} schema @param {string} what */
function written(schema, what) {
  const member = typeof schema.type === 'string' ? undefined : Object.keys(schema).find((name) => schema[name]?.['~standard'] !== undefined);
  if (member === undefined) return objectOf(schema);
  throw new TypeError(`${what}: '${member}' is a schema of ${schema[member]['~standard'].vendor}, and the object around it is not: `
    + 'make one of it, as z.object({ … }) of zod does');
}

/** The specification wants the type "object", which schemas of alternatives, and empty ones, do not say. @param {any} json */
function objectOf(json) {
  return isObject(json) && json.type === undefined && json.$ref === undefined ? { type: 'object', ...json } : json;
}

/** What checks a value with a schema of a library. @param {any} schema @param {string} what @returns {(value: unknown) => unknown} */
function checkOf(schema, what) {
  const standard = schema?.['~standard'];
  if (standard === undefined) throw new TypeError(`${what} must be a schema of a library that follows the Standard Schema`);
  return (value) => validate(standard, value);
}

/** @param {any} schema @param {any} standard @param {'input' | 'output'} side @param {string} what */
function jsonOf(schema, standard, side, what) {
  try {
    if (standard.jsonSchema !== undefined) return standard.jsonSchema[side]({ target: TARGET });
    // What libraries had before the Standard Schema knew of JSON Schema.
    if (typeof schema.toJSONSchema === 'function') return schema.toJSONSchema({ io: side });
    if (typeof schema.toJsonSchema === 'function') return schema.toJsonSchema();
    const { name, convert } = converterOf(schema, standard.vendor) ?? {};
    const converter = name === undefined ? undefined : load(name);
    if (converter !== undefined) return convert?.(converter, schema, side);
    throw new TypeError(`this schema of ${standard.vendor} does not say what it is in JSON Schema. `
      + `${name === undefined ? 'Give' : `Install ${name}, give`} both with withJsonSchema(schema, jsonSchema), or take a version of the `
      + 'library that implements "~standard".jsonSchema (zod from 4.2 on)');
  } catch (error) {
    throw new TypeError(`${what}: ${error instanceof Error ? error.message : error}`, { cause: error });
  }
}

/**
 * The package of others that writes JSON Schema for a library whose schemas do not.
 * @param {any} schema @param {string} vendor
 * @returns {{ name: string, convert: (converter: any, schema: any, side: 'input' | 'output') => any } | undefined}
 */
function converterOf(schema, vendor) {
  if (vendor === 'valibot') {
    return { name: '@valibot/to-json-schema', convert: (converter, it, side) => converter.toJsonSchema(it, { typeMode: side, target: TARGET }) };
  }
  if (vendor !== 'zod') return undefined;
  // zod 4.0 and 4.1 have it beside their schemas, zod 3 has it not.
  if (schema._zod !== undefined) return { name: 'zod/v4/core', convert: (converter, it, side) => converter.toJSONSchema(it, { io: side }) };
  return { name: 'zod-to-json-schema', convert: (converter, it, side) => converter.zodToJsonSchema(it, { pipeStrategy: side, strictUnions: true, removeAdditionalStrategy: 'strict' }) };
}

/**
 * A package that the program may have installed, for itself or beside this one; undefined if it has not. The folder in which it was started
 * is not asked: it may be of a project that is only looked at, whose packages are not to run.
 * @param {string} name
 */
function load(name) {
  for (const from of [__filename, process.argv[1] ?? '']) {
    if (!path.isAbsolute(from)) continue;
    try {
      return createRequire(from)(name);
    } catch (error) {
      if (!['MODULE_NOT_FOUND', 'ERR_PACKAGE_PATH_NOT_EXPORTED'].includes(/** @type {any} */ (error).code)) throw error;
    }
  }
  return undefined;
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
