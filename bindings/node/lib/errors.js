// The library's errors as JavaScript's. Every failure of libmcp becomes an McpError; wrong types of arguments stay
// TypeErrors.
'use strict';

const { STATUS_NAMES } = require('./generated/constants.js');

class McpError extends Error {
  /** @param {Partial<import('./index.js').ErrorObject> & { status: import('./index.js').Status | 'unknown' }} object */
  constructor(object) {
    super(object.message ?? object.status);
    this.status = object.status;
    this.operation = object.operation;
    this.details = object.details;
    this.retryable = object.retryable ?? false;
    this.code = object.code;
    this.data = object.data;
  }
}
Object.defineProperty(McpError.prototype, 'name', { value: 'McpError', configurable: true, writable: true });

/** What a handler throws to refuse a request of the server with a code of its own. */
class RequestError extends Error {
  /** @param {number} code @param {string} message @param {unknown} [data] */
  constructor(code, message, data) {
    super(message);
    if (!Number.isInteger(code) || code !== (code | 0)) throw new TypeError('code must be a whole number of 32 bits');
    this.code = code;
    this.data = data;
  }
}
Object.defineProperty(RequestError.prototype, 'name', { value: 'RequestError', configurable: true, writable: true });

/**
 * An error from a status and its error object; later libraries may have statuses that we do not know.
 * @param {number} status @param {string | null} json
 */
function errorOf(status, json) {
  if (json !== null) return new McpError(JSON.parse(json));
  return new McpError({ status: STATUS_NAMES[status] ?? 'unknown' });
}

/**
 * Runs a function of the addon; its failures carry the library's error object, which `named` may change.
 * @template T @param {() => T} work @param {(json: string | null) => string | null} [named] @returns {T}
 */
function native(work, named = (json) => json) {
  try {
    return work();
  } catch (/** @type {any} */ error) {
    throw error?.mcpStatus === undefined ? error : errorOf(error.mcpStatus, named(error.mcpJson));
  }
}

module.exports = { McpError, RequestError, errorOf, native };
