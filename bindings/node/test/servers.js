// The servers that the tests talk to; `cargo xtask test --only node` sets the variables.
'use strict';

const assert = require('node:assert/strict');
const { spawn } = require('node:child_process');
const { once } = require('node:events');
const fs = require('node:fs');

const { Client } = require('..');

/** How long something that must happen may take on a busy machine, in milliseconds. */
const PATIENCE = 60_000;
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
 * Waits until something is true, for at most a minute or the given time.
 * @param {() => unknown} isTrue @param {string} what @param {number} [milliseconds]
 */
async function until(isTrue, what, milliseconds = PATIENCE) {
  const deadline = performance.now() + milliseconds;
  while (!await isTrue()) {
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

/** The server over HTTP that misbehaves by script, and the port on which it is asked and told. */
class Web {
  /** @type {import('node:child_process').ChildProcess} */
  #process;
  port = 0;
  control = 0;

  /** @param {string[]} behaviours @param {number} port */
  constructor(behaviours, port) {
    const words = ['--life', '300', '--port', `${port}`, ...behaviours];
    this.#process = spawn(needed('MCP_SCRIPTED_HTTP'), words, { stdio: ['ignore', 'pipe', 'inherit'] });
  }

  /** @param {import('node:test').TestContext} t @param {string[]} [behaviours] @param {number} [port] */
  static async start(t, behaviours = [], port = 0) {
    const server = new Web(behaviours, port);
    t.after(() => server.kill());
    let said = '';
    for await (const chunk of /** @type {any} */ (server.#process.stdout)) {
      said += chunk;
      if (said.split('\n').length > 2) break;
    }
    [server.port, server.control] = said.split('\n').map(Number);
    assert.ok(server.control > 0, said);
    return server;
  }

  get url() {
    return `http://127.0.0.1:${this.port}/mcp`;
  }

  async kill() {
    const ended = this.#process.exitCode !== null || this.#process.signalCode !== null;
    if (ended) return;
    this.#process.kill('SIGKILL');
    await once(this.#process, 'exit');
  }

  /** What the server counted. @returns {Promise<any>} */
  async stats() {
    return (await fetch(`http://127.0.0.1:${this.control}/stats`)).json();
  }

  /** By a notification in the legacy era, by the end of the exchange in the modern one. */
  async heardOfCancelling() {
    const stats = await this.stats();
    return (stats.rpc['notifications/cancelled'] ?? 0) + stats.abandoned;
  }

  async checkNoViolations() {
    assert.deepEqual((await this.stats()).violations, []);
  }
}

/** A person with a browser, who does what the page says. @param {string} url */
async function browse(url) {
  const answer = await fetch(url);
  await answer.text();
  assert.equal(answer.status, 200);
}

/** Where a page sends the browser, which does not go there. @param {string} url @returns {Promise<string>} */
async function redirected(url) {
  const answer = await fetch(url, { redirect: 'manual' });
  await answer.arrayBuffer();
  return answer.headers.get('location') ?? assert.fail(`${url} does not redirect`);
}

module.exports = { EXAMPLE, SCRIPTED, EVERYTHING, Web, browse, redirected, closedAfter, example, scripted, failure, until, isAlive };
