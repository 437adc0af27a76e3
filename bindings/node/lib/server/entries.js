// What a server offers: how a request for each runs its handler, and what its result is.
'use strict';

const { InvalidValue, schemaOf } = require('./schema.js');
const { completionResult, promptResult, resourceResult, structuredResult, toolResult } = require('./results.js');

/** @typedef {import('./request.js').ServerRequest} ServerRequest */

const INVALID_PARAMS = -32602;

/** Runs with what a check gave, which may be a promise. @param {any} value @param {(value: any) => any} run */
function having(value, run) {
  return typeof value?.then === 'function' ? value.then(run) : run(value);
}

/** @param {string} name @param {any} given @param {Function} handler */
function toolEntry(name, given, handler) {
  if (given !== undefined && given !== null && (typeof given !== 'object' || Array.isArray(given))) {
    throw new TypeError(`the definition of the tool ${name} must be an object, as { description, inputSchema }; it is a ${typeof given}`);
  }
  const { inputSchema = { type: 'object' }, outputSchema, ...rest } = given ?? {};
  const input = schemaOf(inputSchema, 'input', `inputSchema of ${name}`);
  const output = outputSchema === undefined ? undefined : schemaOf(outputSchema, 'output', `outputSchema of ${name}`);
  const definition = { name, ...rest, inputSchema: input.json, ...(output === undefined ? {} : { outputSchema: output.json }) };
  const check = input.check ?? ((/** @type {unknown} */ it) => it);
  const call = (/** @type {ServerRequest} */ request) => (
    having(check(request.params.arguments ?? {}), (args) => handler(args, request)));
  if (output === undefined) return { isTool: true, operation: `tools/call ${name}`, definition, run: call, resultOf: toolResult };
  const { check: checkResult } = output;
  return {
    isTool: true,
    isStructured: true,
    operation: `tools/call ${name}`,
    definition,
    // What the handler gives is checked here where the library cannot: a schema may change what it checks.
    run: (/** @type {ServerRequest} */ request) => having(call(request), (value) => {
      const { result, structured } = structuredResult(value);
      if (checkResult === null || structured === undefined) return result;
      return having(checked(checkResult, structured, name), (structuredContent) => ({ ...result, structuredContent }));
    }),
    resultOf: (/** @type {unknown} */ result) => result,
  };
}

/** A result that does not fit is a fault of the handler, which the client need not know. @param {(value: unknown) => any} check @param {unknown} value @param {string} name */
async function checked(check, value, name) {
  try {
    return await check(value);
  } catch (error) {
    if (!(error instanceof InvalidValue)) throw error;
    throw new TypeError(`the result of ${name} does not fit its outputSchema: ${error.message}`, { cause: error });
  }
}

/** @param {any} definition @param {Function} handler */
function resourceEntry({ uri, mimeType }, handler) {
  return {
    operation: `resources/read ${uri}`,
    run: (/** @type {ServerRequest} */ request) => handler(request.params.uri, request),
    resultOf: (/** @type {any} */ value, /** @type {ServerRequest} */ request) => resourceResult(value, request.params.uri, mimeType),
  };
}

/** @param {any} definition @param {Function} handler */
function templateEntry({ uriTemplate, mimeType }, handler) {
  return {
    operation: `resources/read ${uriTemplate}`,
    run: (/** @type {ServerRequest} */ request) => handler(request.context.variables, request),
    resultOf: (/** @type {any} */ value, /** @type {ServerRequest} */ request) => resourceResult(value, request.params.uri, mimeType),
  };
}

/** @param {string} name @param {any} given @param {Function} handler */
function promptEntry(name, { argsSchema, ...rest }, handler) {
  const schema = argsSchema === undefined ? undefined : schemaOf(argsSchema, 'input', `argsSchema of ${name}`);
  const check = schema?.check ?? ((/** @type {unknown} */ it) => it);
  const definition = { name, ...rest, ...(schema === undefined ? {} : { arguments: argumentsOf(schema.json) }) };
  return {
    operation: `prompts/get ${name}`,
    code: INVALID_PARAMS,
    definition,
    run: (/** @type {ServerRequest} */ request) => (
      having(check(request.params.arguments ?? {}), (args) => handler(args, request))),
    resultOf: promptResult,
  };
}

/** The arguments of a prompt, from the schema of an object. @param {any} json */
function argumentsOf(json) {
  const needed = new Set(json.required ?? []);
  return Object.entries(json.properties ?? {}).map(([name, property]) => {
    const { title, description } = /** @type {any} */ (property);
    return { name, ...(title === undefined ? {} : { title }), ...(description === undefined ? {} : { description }), required: needed.has(name) };
  });
}

/** @param {string} reference @param {Function} handler */
function completionEntry(reference, handler) {
  return {
    operation: `completion/complete ${reference}`,
    run: (/** @type {ServerRequest} */ request) => handler(request.params.argument.value, request.params.context?.arguments ?? {}, request),
    resultOf: completionResult,
  };
}

/** @param {string} method @param {any} params @param {Function} handler */
function methodEntry(method, params, handler) {
  const schema = params === undefined ? undefined : schemaOf(params, 'input', `params of ${method}`);
  const check = schema?.check ?? ((/** @type {unknown} */ it) => it);
  return {
    operation: method,
    code: INVALID_PARAMS,
    run: (/** @type {ServerRequest} */ request) => having(check(request.params), (checkedParams) => handler(checkedParams, request)),
    resultOf: (/** @type {any} */ value) => value ?? {},
  };
}

module.exports = { completionEntry, methodEntry, promptEntry, resourceEntry, templateEntry, toolEntry };
