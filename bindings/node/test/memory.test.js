// Needs --expose-gc.
'use strict';

const assert = require('node:assert/strict');
const { spawn } = require('node:child_process');
const fs = require('node:fs');
const test = require('node:test');

const { Client, Server, textOf } = require('..');
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

test('a thousand clients that came and went leave nothing', async (t) => {
  const server = new Server({ name: 'stays' });
  t.after(() => server.close());
  server.tool('echo', { inputSchema: { type: 'object' } }, async ({ text }) => String(text));
  const { socket } = await server.serve({ socket: 'tcp:127.0.0.1:0' });
  const { url } = await server.serve({ url: 'http://127.0.0.1:0/mcp' });
  // Half of them connect and call: a fifth of these a process of its own, the others the server that stays.
  const places = [{ command: SCRIPTED }, { socket }, { url }, { socket }, { url }];
  const round = async () => {
    for (let i = 0; i < 500; i++) {
      const client = new Client(i % 2 === 0 ? { command: SCRIPTED } : places[(i >> 1) % places.length]);
      const stream = client.notifications();
      client.onRequest('x', () => ({}));
      if (i % 2 === 1) assert.equal(textOf(await client.callTool('echo', { text: `${i}` })), `${i}`);
      await client.close();
      await stream.return();
    }
  };
  const descriptors = () => fs.readdirSync('/proc/self/fd').length;
  await round();
  await until(() => server.info().sessions === 0, 'the sessions end');
  const before = await settled();
  const open = descriptors();
  await round();
  const after = await settled();
  const grown = after.heap - before.heap;
  assert.ok(grown < MIB / 2, `the heap grew by ${grown} bytes`);
  const threads = fs.readdirSync('/proc/self/task').length;
  assert.ok(threads < 30, `${threads} threads`);
  await until(() => descriptors() <= open, 'the descriptors are closed');
  await until(() => server.info().sessions === 0 && server.info().requests === 0, 'the server keeps nothing of them');
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

test('a thousand servers that came and went leave nothing', async () => {
  const round = async () => {
    for (let i = 0; i < 500; i++) {
      const server = new Server({ name: 'short' });
      server.tool('echo', { inputSchema: { type: 'object' } }, async ({ text }) => String(text));
      server.resource({ uri: 'x://y', name: 'y' }, () => 'z');
      server.onFailure(() => {});
      const client = server.client();
      assert.equal(textOf(await client.callTool('echo', { text: i })), String(i));
      // In either order.
      await (i % 2 === 0 ? client : server).close();
      await (i % 2 === 0 ? server : client).close();
    }
  };
  await round();
  const before = await settled();
  await round();
  const after = await settled();
  const grown = { heap: (after.heap - before.heap) / MIB, rss: (after.rss - before.rss) / MIB };
  assert.ok(grown.heap < 0.5, `the heap grew by ${grown.heap} MiB`);
  assert.ok(grown.rss < 16, `the process grew by ${grown.rss} MiB`);
  assert.ok(fs.readdirSync('/proc/self/task').length < 30);
  assert.ok(fs.readdirSync('/proc/self/fd').length < 60);
});

test('a server that is forgotten is closed when it is collected, but not while a client in this process has it', async () => {
  /** @type {Error[]} */
  const warnings = [];
  const listen = (/** @type {Error} */ warning) => warnings.push(warning);
  process.on('warning', listen);
  const make = () => {
    const server = new Server({ name: 'forgotten server' });
    server.tool('here', {}, () => 'still');
    return server.client();
  };
  const client = make();
  await settled();
  assert.equal(textOf(await client.callTool('here')), 'still');
  await client.close();
  (() => new Server({ name: 'forgotten too' }).tool('x', {}, () => 'x'))();
  await until(() => {
    gc();
    return warnings.some(({ message }) => message.includes('forgotten too'));
  }, 'the warning');
  process.off('warning', listen);
});

test('a server that is killed under load ends every call once, and the next works', async (t) => {
  const program = `const { Server } = require(${JSON.stringify(require.resolve('..'))});
    const server = new Server({ name: 'victim' });
    server.tool('echo', { inputSchema: { type: 'object' } }, async ({ text }) => text);
    server.run({ stdio: true });`;
  const client = new Client({ command: process.execPath, args: ['-e', program], reconnect: { initial_ms: 5 } });
  t.after(() => client.close());
  let ended = 0;
  let failed = 0;
  for (let round = 0; round < 3; round++) {
    await client.callTool('echo', { text: 'x' }, { whenUnavailable: 'wait' });
    const calls = Array.from({ length: 200 }, () => client.callTool('echo', { text: 'x'.repeat(1000) }).catch((error) => {
      failed++;
      assert.match(error.status, /transport|unavailable/);
    }).finally(() => { ended++; }));
    await Promise.race(calls);
    process.kill(client.info().pid, 'SIGKILL');
    calls.push(client.callTool('echo', { text: 'last' }).catch(() => {}).finally(() => { ended++; }));
    await Promise.all(calls);
  }
  assert.equal(ended, 3 * 201);
  t.diagnostic(`${failed} calls failed`);
});

test('clients that are killed under load leave nothing in a server', async (t) => {
  const server = new Server({ name: 'survivor' });
  t.after(() => server.close());
  let waiting = 0;
  let told = 0;
  server.tool('waits', {}, async (_args, request) => {
    waiting++;
    await new Promise((resolve) => request.signal.addEventListener('abort', resolve, { once: true }));
    told++;
  });
  const { socket } = await server.serve({ socket: 'tcp:127.0.0.1:0' });
  const program = `const { Client } = require(${JSON.stringify(require.resolve('..'))});
    const client = new Client({ socket: ${JSON.stringify(socket)} });
    for (let i = 0; i < 50; i++) client.callTool('waits').catch(() => {});`;
  for (let round = 1; round <= 3; round++) {
    const child = spawn(process.execPath, ['-e', program], { stdio: 'inherit' });
    await until(() => waiting === round * 50, 'its calls');
    child.kill('SIGKILL');
    await until(() => told === round * 50, 'the handlers are told');
  }
  await until(() => server.info().sessions === 0, 'the sessions end');
  assert.equal(server.info().requests, 0);
});
