// Other runtimes with Node-API. MCP_RUNTIMES is a JSON list of commands, such as [["bun"], ["deno", "run", "-A"]]; without it
// nothing is tried.
'use strict';

const assert = require('node:assert/strict');
const { execFile, spawn } = require('node:child_process');
const { once } = require('node:events');
const path = require('node:path');
const test = require('node:test');
const { promisify } = require('node:util');

const { Client, textOf } = require('..');
const { EXAMPLE } = require('./servers.js');

/** @type {[string, ...string[]][]} */
const RUNTIMES = JSON.parse(process.env.MCP_RUNTIMES ?? '[]');
const example = (/** @type {string} */ name) => path.join(__dirname, '..', 'examples', `${name}.mjs`);

for (const [command, ...args] of RUNTIMES) {
  const name = path.basename(command);

  test(`${name}: a client`, async () => {
    const { stdout } = await promisify(execFile)(command, [...args, example('tools'), EXAMPLE], { timeout: 60_000 });
    assert.match(stdout, /^add\(2, 3\) says 5$[^]*^slow was given up: TimeoutError$/m);
  });

  test(`${name}: a server over the standard streams`, async (t) => {
    const client = new Client({ command, args: [...args, example('server')] }, { elicitation: (_form, { accept }) => accept({ size: 'large' }) });
    t.after(() => client.close());
    assert.equal(textOf(await client.callTool('order', { tea: 'assam' })), 'A large assam.');
    assert.deepEqual((await client.callTool('price', { tea: 'assam', cups: 2 })).structuredContent, { price: 5 });
  });

  test(`${name}: a server inside its HTTP server`, async (t) => {
    const child = spawn(command, [...args, example('http-server'), '0'], { stdio: ['ignore', 'pipe', 'inherit'] });
    t.after(() => child.kill('SIGKILL'));
    const [line] = await once(child.stdout, 'data');
    const url = /http\S+/.exec(String(line))?.[0] ?? '';
    for (const protocol of /** @type {const} */ (['legacy', 'modern'])) {
      const client = new Client({ url, protocol });
      t.after(() => client.close());
      let reports = 0;
      assert.equal(textOf(await client.callTool('count', { to: 3 }, { onProgress: () => { reports++; } })), 'counted to 3');
      assert.equal(reports, 3);
    }
    child.kill('SIGTERM');
    assert.deepEqual(await once(child, 'exit'), [0, null]);
  });
}

test('what is not tried is said', { skip: RUNTIMES.length === 0 && 'MCP_RUNTIMES names no runtime' }, () => {});
