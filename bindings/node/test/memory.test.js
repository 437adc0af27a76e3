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

// V8 and the allocator take more pages now and then without keeping anything in them, so one round that grew says
// nothing. What is lost with every call grows in every round: no window of 100,000 calls is flat then.
test('memory is flat over 100,000 calls', async (t) => {
  const client = example(t);
  const round = 25_000;
  const rounds = [];
  let grown = { rss: Infinity, heap: Infinity };
  do {
    await calls(client, round);
    rounds.push(await settled());
    const before = rounds.at(-1 - 100_000 / round);
    if (before === undefined) continue;
    const after = rounds[rounds.length - 1];
    grown = { rss: (after.rss - before.rss) / MIB, heap: (after.heap - before.heap) / MIB };
  } while ((grown.rss >= 3 || grown.heap >= 0.5) && rounds.length < 32);
  const told = rounds.map((one) => `${(one.rss / MIB).toFixed(1)}/${(one.heap / MIB).toFixed(2)}`).join(' ');
  t.diagnostic(`resident and heap in MiB after each ${round} calls: ${told}`);
  assert.ok(grown.heap < 0.5, `the heap grew by ${grown.heap} MiB in the last 100,000 calls: ${told}`);
  assert.ok(grown.rss < 3, `the process grew by ${grown.rss} MiB in the last 100,000 calls: ${told}`);
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
