'use strict';

const addon = require('./native.js');
const { Client } = require('./client.js');
const { LOG_LEVELS } = require('./generated/constants.js');
const { ERROR_CODES, METHODS } = require('./generated/methods.js');
const { McpError, RequestError, native } = require('./errors.js');
const { guard, warn } = require('./failures.js');
const { Server } = require('./server/index.js');
const { NotFoundError, ToolError } = require('./server/errors.js');
const { withJsonSchema } = require('./server/schema.js');
const { keySigner } = require('./sign.js');
const { only } = require('./texts.js');
const { ClientTransport } = require('./transport.js');
const { View, viewPolicy } = require('./view.js');

/** @param {string} path @param {string} [server] */
function loadConfig(path, server) {
  return JSON.parse(native(() => addon.loadConfig(path, server)));
}

/**
 * A client for each enabled server of an `mcpServers` file, in the order of the file, or the error of its entry.
 * @param {string} path @param {{ defaults?: object }} [options]
 */
function openConfig(path, options) {
  const { defaults = {} } = only('openConfig', options, 'defaults');
  const servers = JSON.parse(native(() => addon.configServers(path)));
  return servers.filter((/** @type {any} */ it) => !it.disabled).map(({ name }) => {
    try {
      return { name, client: new Client({ ...defaults, ...loadConfig(path, name) }) };
    } catch (error) {
      if (!(error instanceof McpError)) throw error;
      return { name, error };
    }
  });
}

/** @param {string} template @param {object} [variables] */
function expandTemplate(template, variables = {}) {
  return native(() => addon.expandTemplate(template, JSON.stringify(variables)));
}

/** @param {((record: any) => void) | null} log @param {keyof typeof LOG_LEVELS} [level] */
function setLogger(log, level = 'info') {
  if (LOG_LEVELS[level] === undefined) throw new TypeError(`level must be one of ${Object.keys(LOG_LEVELS).join(', ')}`);
  const guarded = log && ((/** @type {string} */ json) => guard(() => log(JSON.parse(json)), (error) => warn(error, 'the logger')));
  native(() => addon.setLogger(guarded, LOG_LEVELS[level]));
}

/** @param {any} result */
function textOf(result) {
  const blocks = result.content ?? result.contents ?? result.messages?.map((/** @type {any} */ it) => it.content) ?? [];
  return blocks.map((/** @type {any} */ it) => it.text).filter((/** @type {unknown} */ it) => typeof it === 'string').join('\n');
}

/** The version of the library that is loaded. */
const version = addon.version;

module.exports = {
  Client, ClientTransport, ERROR_CODES, METHODS, McpError, NotFoundError, RequestError, Server, ToolError, View, expandTemplate,
  keySigner, loadConfig, openConfig, setLogger, textOf, version, viewPolicy, withJsonSchema,
};
