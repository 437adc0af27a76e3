// The servers that the tests talk to; `cargo xtask test --only node` sets the variables.
'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');

const { Client } = require('..');

const EXAMPLE = needed('MCP_EXAMPLE_SERVER');
const SCRIPTED = needed('MCP_SCRIPTED_SERVER');
/** A JSON list: the command of server-everything. Not everywhere installed. */
const EVERYTHING = process.env.MCP_EVERYTHING_SERVER && JSON.parse(process.env.MCP_EVERYTHING_SERVER);

/** @param {string} name */
function needed(name) {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} must name the server; run: cargo xtask test --only node`);
  return value;
}

/** @param {import('node:test').TestContext} t @param {import('..').Config} [config] */
function example(t, config) {
  return closedAfter(t, new Client({ command: EXAMPLE, ...config }));
}

/** @param {import('node:test').TestContext} t @param {string[]} args @param {import('..').Config} [config] */
function scripted(t, args, config) {
  return closedAfter(t, new Client({ command: SCRIPTED, args, protocol: 'legacy', ...config }));
}

/** @param {import('node:test').TestContext} t @param {Client} client */
function closedAfter(t, client) {
  t.after(() => client.close());
  return client;
}

/**
 * The McpError that something rejects with.
 * @param {Promise<unknown>} promise @param {string} status
 */
async function failure(promise, status) {
  const error = await promise.then(() => assert.fail(`did not fail as ${status}`), (it) => it);
  assert.equal(error?.status, status, error?.stack);
  return error;
}

/**
 * Waits until something is true, for at most 20 seconds.
 * @param {() => unknown} isTrue @param {string} what
 */
async function until(isTrue, what) {
  const deadline = performance.now() + 20_000;
  while (!isTrue()) {
    assert.ok(performance.now() < deadline, `waited in vain: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/**
 * Whether a process still runs. One that has ended but was not reaped by its new parent does not.
 * @param {number} pid
 */
function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return process.platform !== 'linux' || !/^State:\s+Z/m.test(fs.readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

module.exports = { EXAMPLE, SCRIPTED, EVERYTHING, example, scripted, failure, until, isAlive };
