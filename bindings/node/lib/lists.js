// Lists that come in pages.
'use strict';

const { McpError } = require('./errors.js');

/**
 * All entries of a list, over all its pages. A server whose cursors go in circles, or never end, is an error instead of an
 * endless loop.
 * @param {import('./index.js').Client} client @param {string} method @param {string} member @param {any} options
 */
async function collect(client, method, member, { maxPages = 1000, ...options }) {
  /** @type {any[]} */
  const entries = [];
  const seen = new Set();
  /** @type {{ cursor: string } | undefined} */
  let params;
  for (let page = 1; page <= maxPages; page++) {
    const result = /** @type {any} */ (await client.call(method, params, options));
    if (!Array.isArray(result[member])) throw wrong('protocol', method, `the result has no list "${member}"`);
    for (const entry of result[member]) entries.push(entry);
    const cursor = result.nextCursor;
    if (cursor === undefined || cursor === null) return entries;
    if (seen.has(cursor)) throw wrong('protocol', method, `page ${page} ends with the cursor "${cursor}" of an earlier one: the list would never end`);
    seen.add(cursor);
    params = { cursor };
  }
  throw wrong('too_large', method, `the list has more than ${maxPages} pages; "maxPages" allows more`);
}

/** @param {import('./index.js').Status} status @param {string} operation @param {string} message */
function wrong(status, operation, message) {
  return new McpError({ status, operation, message, retryable: false });
}

module.exports = { collect };
