// What a server may ask for, and how that is refused.
'use strict';

const { RequestError } = require('./errors.js');
const { functionGiven, messageOf, textOf } = require('./texts.js');

/** The capability that permits each. */
const CAPABILITIES = new Map([
  ['elicitation/create', 'elicitation'],
  ['roots/list', 'roots'],
  ['sampling/createMessage', 'sampling'],
]);

/** The handlers that are given with the configuration, and the methods that they are for. */
const NAMED = new Map([
  ['elicitation', 'elicitation/create'],
  ['roots', 'roots/list'],
  ['sampling', 'sampling/createMessage'],
]);

/**
 * The configuration with the capabilities of the handlers that are there.
 * @param {any} config @param {Record<string, unknown>} handlers
 */
function withCapabilities(config, handlers) {
  const given = Object.entries(handlers).filter(([, handler]) => handler !== undefined);
  for (const [name, handler] of given) {
    if (!NAMED.has(name)) throw new TypeError(`there is no handler ${name}; there are ${[...NAMED.keys(), 'onSign'].join(', ')}`);
    functionGiven(name, handler);
  }
  if (given.length === 0) return config;
  const capabilities = { ...Object.fromEntries(given.map(([name]) => [name, {}])), ...config.capabilities };
  return { ...config, capabilities };
}

/** @param {Record<string, any>} handlers @returns {[string, Function][]} */
function methodsOf(handlers) {
  return [...NAMED].filter(([name]) => handlers[name] !== undefined).map(([name, method]) => {
    const handler = handlers[name];
    if (name !== 'roots') return [method, handler];
    return [method, async (/** @type {any[]} */ ...args) => {
      const roots = await handler(...args);
      return Array.isArray(roots) ? { roots: roots.map((it) => (typeof it === 'string' ? { uri: it } : it)) } : roots;
    }];
  });
}

/**
 * A capability that nothing answers would have the server ask in vain.
 * @param {{ [name: string]: unknown }} capabilities @param {Map<string, Function>} handlers @param {boolean} answersRoots
 */
function checkAnswered(capabilities, handlers, answersRoots) {
  for (const [method, capability] of CAPABILITIES) {
    if (capabilities[capability] === undefined || handlers.has(method) || (capability === 'roots' && answersRoots)) continue;
    throw new TypeError(`"capabilities" of the configuration has ${capability}, but nothing answers ${method}: give the client a `
      + `handler with new Client(config, { ${capability}: ... }) or onRequest(), or leave the capability out`);
  }
}

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
  // What a program failed at is not the server's to know: texts of errors have paths, queries and secrets.
  if (!(error instanceof RequestError)) return { code: INTERNAL_ERROR, message: 'the handler failed', data: undefined };
  const message = messageOf(error);
  try {
    return { code: error.code, message, data: textOf(/** @type {any} */ (error.data)) };
  } catch {
    // JSON has no place for it; code and text say the most.
    return { code: error.code, message, data: undefined };
  }
}

/**
 * What a handler returned as the server takes it: a server that gave no tools, such as one of a revision before 2025-11-25, expects one block
 * and no list.
 * @param {string} method @param {any} params @param {any} result
 */
function sendable(method, params, result) {
  if (method !== 'sampling/createMessage' || params?.tools !== undefined || !Array.isArray(result?.content) || result.content.length !== 1) return result;
  return { ...result, content: result.content[0] };
}

module.exports = { CAPABILITIES, checkAnswered, checkPermitted, methodsOf, refusal, sendable, unhandled, withCapabilities };
