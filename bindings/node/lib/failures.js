// Functions of the program that fail: what they throw ends neither the process nor what called them, and the program is told.
'use strict';

const { inspect } = require('node:util');

const { messageOf } = require('./texts.js');

/** Tells the program as Node.js does of what is odd. @param {unknown} error @param {string} operation */
function warn(error, operation) {
  const warning = new Error(`a handler failed (${operation}): ${messageOf(error)}`, { cause: error });
  warning.name = 'LibmcpWarning';
  // Node.js prints it below the message: where the error was thrown, and its causes.
  const detail = detailOf(error);
  if (detail !== undefined) Object.assign(warning, { detail });
  process.emitWarning(warning);
}

/** @param {unknown} error */
function detailOf(error) {
  try {
    return error instanceof Error ? inspect(error) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Runs a function of the program, which may return a promise.
 * @param {() => unknown} work @param {(error: unknown) => void} failed
 */
function guard(work, failed) {
  try {
    const result = work();
    if (result instanceof Promise) result.catch(failed);
  } catch (error) {
    failed(error);
  }
}

module.exports = { guard, warn };
