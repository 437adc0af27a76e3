// What handlers return, as the results of the specification.
'use strict';

const { nameOf } = require('../texts.js');

/** @param {unknown} value @returns {value is Record<string, any>} */
function isObject(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** @param {any} value what a tool without a schema for its results returned */
function toolResult(value) {
  if (typeof value === 'string') return { content: [{ type: 'text', text: value }] };
  if (value === undefined || value === null) return { content: [] };
  if (Array.isArray(value)) return { content: value.map(block) };
  if (isObject(value) && (Array.isArray(value.content) || value.structuredContent !== undefined)) return { content: [], ...value };
  if (isObject(value) && BLOCKS.has(value.type)) return { content: [value] };
  throw unfit(value);
}

/** @param {unknown} value */
function unfit(value) {
  return new TypeError('a tool without an outputSchema returns a text, a content block, a list of these, or a result with "content", not '
    + `${named(value)}; with an outputSchema it returns the structured content`);
}

/** What a value is, for an error. @param {any} value @returns {string} */
function named(value) {
  return Array.isArray(value) ? `a list with ${named(value[0])}` : nameOf(value);
}

/** The types of content blocks. */
const BLOCKS = new Set(['text', 'image', 'audio', 'resource', 'resource_link']);

/** @param {unknown} value */
function block(value) {
  if (isObject(value)) return value;
  if (typeof value === 'string') return { type: 'text', text: value };
  throw unfit([value]);
}

/**
 * What a tool with a schema for its results returned: the structured content, or a whole result.
 * @param {any} value @returns {{ result: any, structured: unknown }}
 */
function structuredResult(value) {
  const isWhole = isObject(value) && (value.structuredContent !== undefined || (value.isError === true && Array.isArray(value.content)));
  const result = isWhole ? { content: [], ...value } : { content: [], structuredContent: value };
  return { result, structured: result.structuredContent };
}

/** @param {any} value @param {string} uri @param {string | undefined} mimeType */
function resourceResult(value, uri, mimeType) {
  if (isObject(value) && Array.isArray(value.contents)) return value;
  const all = Array.isArray(value) ? value : [value];
  return { contents: all.map((it) => contentsOf(it, uri, mimeType)) };
}

/** @param {any} value @param {string} uri @param {string | undefined} mimeType */
function contentsOf(value, uri, mimeType) {
  const about = mimeType === undefined ? { uri } : { uri, mimeType };
  if (typeof value === 'string') return { ...about, text: value };
  if (value instanceof Uint8Array) return { ...about, blob: base64(value) };
  if (isObject(value) && (value.text !== undefined || value.blob !== undefined)) {
    return { ...about, ...value, ...(value.blob instanceof Uint8Array ? { blob: base64(value.blob) } : {}) };
  }
  throw new TypeError(`a resource is a text, bytes, {"text": ...} or {"blob": ...}, or a list of these, not ${named(value)}`);
}

/** @param {Uint8Array} bytes */
function base64(bytes) {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
}

/** @param {any} value */
function promptResult(value) {
  if (isObject(value) && Array.isArray(value.messages)) return value;
  const all = Array.isArray(value) ? value : [value];
  if (all.some((it) => typeof it !== 'string' && !isObject(it))) {
    throw new TypeError(`a prompt gives a text of the user, a message, a list of these, or a result with "messages", not ${named(value)}`);
  }
  return { messages: all.map((it) => (typeof it === 'string' ? { role: 'user', content: { type: 'text', text: it } } : it)) };
}

/** @param {any} value */
function completionResult(value) {
  if (!isObject(value) && !Array.isArray(value)) throw new TypeError(`a completion gives a list of texts, or { values, total, hasMore }, not ${named(value)}`);
  return { completion: Array.isArray(value) ? { values: value } : value };
}

module.exports = { completionResult, isObject, promptResult, resourceResult, structuredResult, toolResult };
