// Functions of the program that fail: what they throw ends neither the process nor what called them, and the program is told.
'use strict';

const { messageOf } = require('./texts.js');

/** How many errors and causes of one are shown. */
const CAUSES = 8;

/** Tells the program as Node.js does of what is odd. @param {unknown} error @param {string} operation */
function warn(error, operation) {
  const warning = new Error(`a handler failed (${operation}): ${messageOf(error)}`, { cause: error });
  warning.name = 'LibmcpWarning';
  // Node.js prints it below the message: where the error was thrown, and its causes.
  const detail = detailOf(error);
  if (detail !== undefined) Object.assign(warning, { detail });
  process.emitWarning(warning);
}

/**
 * The stacks of an error and its causes, without other properties: errors of HTTP clients hold requests, and these hold tokens.
 * @param {unknown} error
 */
function detailOf(error) {
  if (!(error instanceof Error)) return undefined;
  /** @type {Set<unknown>} */
  const chain = new Set([error]);
  // What is added meanwhile is visited, too.
  for (const at of chain) {
    for (const cause of causesOf(at)) {
      if (chain.size < CAUSES) chain.add(cause);
    }
  }
  return [...chain].map(stackOf).join('\ncaused by: ');
}

/** What has led to an error: of one that stands for several, as of a connection that failed at each address, these. @param {unknown} error */
function causesOf(error) {
  try {
    if (!(error instanceof Error)) return [];
    const { cause, errors } = /** @type {any} */ (error);
    return [...(cause === undefined ? [] : [cause]), ...(Array.isArray(errors) ? errors : [])];
  } catch {
    // A property that throws ends the chain.
    return [];
  }
}

/** @param {unknown} thrown */
function stackOf(thrown) {
  try {
    if (thrown instanceof Error && typeof thrown.stack === 'string') return thrown.stack;
  } catch {
    // Its message may be read.
  }
  return messageOf(thrown);
}

/**
 * Runs a function of the program, which may return a promise.
 * @param {() => unknown} work @param {(error: unknown) => void} failed
 */
function guard(work, failed) {
  try {
    const result = work();
    // A thenable of another library, too.
    if (typeof /** @type {any} */ (result)?.then === 'function') Promise.resolve(result).catch(failed);
  } catch (error) {
    failed(error);
  }
}

module.exports = { guard, warn };
