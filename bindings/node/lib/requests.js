// What a server may ask for, and how that is refused.
'use strict';

const { RequestError } = require('./errors.js');
const { messageOf, textOf } = require('./texts.js');

/** The capability that permits each. */
const CAPABILITIES = new Map([
  ['elicitation/create', 'elicitation'],
  ['roots/list', 'roots'],
  ['sampling/createMessage', 'sampling'],
]);

const METHOD_NOT_FOUND = -32601;
const INTERNAL_ERROR = -32603;

/** @param {string} method @param {{ [name: string]: unknown }} capabilities */
function checkPermitted(method, capabilities) {
  const capability = CAPABILITIES.get(method);
  if (capability === undefined || capabilities[capability] !== undefined) return;
  throw new TypeError(`the server may not send ${method}: add "${capability}": {} to "capabilities" in the configuration`);
}

/** @param {string} method */
function unhandled(method) {
  return new RequestError(METHOD_NOT_FOUND, `this client has no handler for ${method}`);
}

/** What the server is told of what a handler threw. @param {unknown} error */
function refusal(error) {
  const message = messageOf(error);
  if (!(error instanceof RequestError)) return { code: INTERNAL_ERROR, message, data: undefined };
  try {
    return { code: error.code, message, data: textOf(/** @type {any} */ (error.data)) };
  } catch {
    // JSON has no place for it; code and text say the most.
    return { code: error.code, message, data: undefined };
  }
}

module.exports = { checkPermitted, refusal, unhandled };
