// Needs --expose-gc.
'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const test = require('node:test');

const { Client } = require('..');
const { SCRIPTED, example, until, isAlive } = require('./servers.js');

const gc = /** @type {() => void} */ (globalThis.gc);

const MIB = 1 << 20;

/** What is in use after everything that can be collected was. */
async function settled() {
  for (let i = 0; i < 3; i++) {
    gc();
    await new Promise((resolve) => setImmediate(resolve));
  }
  return { rss: process.memoryUsage.rss(), heap: process.memoryUsage().heapUsed };
}

/** @param {Client} client @param {number} count */
async function calls(client, count) {
  let left = count;
  const worker = async () => {
    while (left-- > 0) await client.callTool('echo', { text: 'x'.repeat(64) }, { signal });
  };
  const { signal } = new AbortController();
  await Promise.all(Array.from({ length: 64 }, worker));
}

test('memory is flat over 100,000 calls', async (t) => {
  const client = example(t);
  // V8 grows its own spaces once more after the first full collection.
  await calls(client, 20_000);
  await settled();
  await calls(client, 40_000);
  const before = await settled();
  await calls(client, 100_000);
  const after = await settled();
  const grown = { rss: (after.rss - before.rss) / MIB, heap: (after.heap - before.heap) / MIB };
  t.diagnostic(`after 100,000 calls: resident ${(before.rss / MIB).toFixed(1)} MiB and ${grown.rss.toFixed(1)} more, `
    + `heap ${(before.heap / MIB).toFixed(1)} MiB and ${grown.heap.toFixed(2)} more`);
  assert.ok(grown.heap < 1, `the heap grew by ${grown.heap} MiB`);
  assert.ok(grown.rss < 8, `the process grew by ${grown.rss} MiB`);
});

test('a thousand clients that came and went leave nothing', async () => {
  const round = async () => {
    for (let i = 0; i < 500; i++) {
      const client = new Client({ command: SCRIPTED });
      const stream = client.notifications();
      client.onRequest('x', () => ({}));
      await client.close();
      await stream.return();
    }
  };
  await round();
  const before = await settled();
  await round();
  const after = await settled();
  const grown = after.heap - before.heap;
  assert.ok(grown < MIB / 2, `the heap grew by ${grown} bytes`);
  const threads = fs.readdirSync('/proc/self/task').length;
  assert.ok(threads < 30, `${threads} threads`);
});

test('a client that is forgotten is closed when it is collected, with a warning', async () => {
  /** @type {Error[]} */
  const warnings = [];
  const listen = (/** @type {Error} */ warning) => warnings.push(warning);
  process.on('warning', listen);
  const forget = async () => {
    const client = new Client({ command: SCRIPTED, protocol: 'legacy', name: 'forgotten one' });
    await client.connect();
    client.notifications();
    return Number(client.info().pid);
  };
  const pid = await forget();
  assert.equal(isAlive(pid), true);
  await until(() => {
    gc();
    return !isAlive(pid);
  }, 'its server ends');
  await until(() => warnings.length > 0, 'the warning');
  process.off('warning', listen);
  assert.match(warnings[0].message, /forgotten one.*close/);
});

test('a client is not collected while a call is under way', async () => {
  const call = new Client({ command: SCRIPTED, protocol: 'legacy' }).callTool('late', { ms: 300 });
  let isPending = true;
  const result = call.finally(() => {
    isPending = false;
  });
  await until(() => {
    gc();
    return !isPending;
  }, 'the answer');
  assert.ok((await result).content.length > 0);
});
