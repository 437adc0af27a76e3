// Thousands of operations on clients, servers, requests and exchanges in an order that no program should have: used after the close,
// closed twice, closed in handlers, left to the collector. Each ends as a result or an error of JavaScript, and the process lives.
// MCP_TEST_SEED=N repeats a sequence. Needs --expose-gc.
'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const test = require('node:test');

const addon = require('../lib/native.js');
const { Client, McpError, Server } = require('..');
const { until } = require('./servers.js');

const gc = /** @type {() => void} */ (globalThis.gc);
const SEED = Number(process.env.MCP_TEST_SEED ?? Date.now() % 1_000_000_000);
const OPERATIONS = 20_000;
/** How long anything that was begun may take until it has ended. */
const LIMIT = 60_000;

const TEXT = /** @type {const} */ ({ type: 'object', properties: { text: { type: 'string' } } });
const MODERN = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28', 'io.modelcontextprotocol/clientCapabilities': {} };
const HEADERS = { host: 'app.example', 'content-type': 'application/json', accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2026-07-28',
  'mcp-method': 'tools/call' };

/** @param {number} seed @returns {(below: number) => number} */
function random(seed) {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

/** @param {string} tool @param {Record<string, unknown>} args */
const message = (tool, args) => JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: tool, arguments: args, _meta: MODERN } });

const descriptors = () => fs.readdirSync('/proc/self/fd').length;

test(`operations in any order end as results or errors (MCP_TEST_SEED=${SEED})`, async (t) => {
  const pick = random(SEED);
  /** @template T @param {T[]} list @returns {T | undefined} */
  const one = (list) => list[pick(Math.max(list.length, 1))];
  /** @type {{ server: any, places: any[], http?: any }[]} */
  const servers = [];
  /** One that serves lives until it is closed. @type {any[]} */
  const all = [];
  /** @type {any[]} */
  let clients = [];
  /** @type {any[]} */
  let streams = [];
  /** Ends handlers that wait. @type {(() => void)[]} */
  let held = [];
  /** @type {any[]} */
  let requests = [];
  /** @type {any[]} */
  let bodies = [];
  /** @type {Set<Promise<unknown>>} */
  const pending = new Set();
  const count = { results: 0, errors: 0 };

  /** An error of the library, or what a stream, a signal or a server of Node's says of its end. @param {unknown} error */
  const judge = (error) => {
    count.errors += 1;
    const isKnown = error instanceof McpError || /** @type {any} */ (error)?.name === 'AbortError' || /stop|cancel|closed|abort|answered already/i.test(String(error));
    if (!isKnown) throw error;
  };
  /** @param {() => unknown} operation */
  const attempt = (operation) => {
    let outcome;
    try {
      outcome = operation();
    } catch (error) {
      judge(error);
      return undefined;
    }
    if (outcome instanceof Promise) {
      const ended = outcome.then(() => { count.results += 1; }, judge).finally(() => pending.delete(ended));
      pending.add(ended);
    } else count.results += 1;
    return outcome;
  };

  const makeServer = () => {
    const server = new Server({ name: 'any order' });
    server.onFailure(() => undefined);
    server.tool('echo', { inputSchema: TEXT }, ({ text }) => String(text));
    server.tool('hold', { inputSchema: TEXT }, (args, request) => {
      requests.push(request);
      return new Promise((resolve) => { held.push(() => resolve('held')); });
    });
    server.tool('close', { inputSchema: TEXT }, () => {
      attempt(() => server.close());
      return 'closing';
    });
    server.tool('leave', { inputSchema: TEXT }, () => {
      const client = one(clients);
      if (client !== undefined) attempt(() => client.close());
      return 'left';
    });
    all.push(server);
    return { server, places: [] };
  };
  /** @type {(() => unknown)[]} */
  const operations = [
    () => { if (servers.length < 5) servers.push(makeServer()); },
    () => { const it = one(servers); if (it) attempt(async () => { if (it.places.length < 3) it.places.push(await it.server.serve({ socket: 'tcp:127.0.0.1:0' })); }); },
    () => { const it = one(servers); if (it) attempt(async () => { if (it.places.length < 3) it.places.push(await it.server.serve({ url: 'http://127.0.0.1:0/mcp' })); }); },
    () => { const it = one(servers); if (it) attempt(async () => { it.http ??= it.server.http({ url: 'http://app.example/mcp' }); }); },
    () => { const it = one(servers); if (it && clients.length < 12) attempt(() => { clients.push(it.server.client({ protocol: one(['legacy', 'modern']) })); }); },
    () => { const place = one(one(servers)?.places ?? []); if (place && clients.length < 12) attempt(() => { clients.push(new Client({ ...place, protocol: one(['legacy', 'modern']) })); }); },
    ...['echo', 'hold', 'close', 'leave', 'unknown'].flatMap((tool) => [
      () => attempt(() => one(clients)?.callTool(tool, { text: 'x' }, { timeoutMs: 1 + pick(3000) })),
      () => {
        const stop = new AbortController();
        attempt(() => one(clients)?.callTool(tool, { text: 'x' }, { timeoutMs: 3000, signal: stop.signal }));
        setTimeout(() => stop.abort(new Error('stop')), pick(5));
      },
    ]),
    () => attempt(() => one(clients)?.listTools({ timeoutMs: 3000 })),
    () => attempt(() => one(clients)?.connect({ timeoutMs: 1 + pick(3000) })),
    () => attempt(() => one(clients)?.ping({ timeoutMs: 3000 })),
    () => attempt(() => [one(clients)?.state, one(clients)?.info()]),
    () => attempt(() => one(clients)?.setRoots([{ uri: 'file:///' }])),
    () => attempt(() => one(clients)?.clearCache()),
    () => attempt(() => one(clients)?.notify('notifications/x', {})),
    () => { if (streams.length < 20) attempt(() => { const client = one(clients); if (client) streams.push(client.notifications()); }); },
    () => { const stream = one(streams); if (stream && pending.size < 200) attempt(() => Promise.race([stream.next(), new Promise((resolve) => { setTimeout(resolve, 50).unref(); })])); },
    () => attempt(() => one(streams)?.return()),
    () => attempt(() => one(clients)?.close({ timeoutMs: pick(100) })),
    () => { if (pick(4) === 0) attempt(() => one(servers)?.server.close({ timeoutMs: pick(100) })); },
    () => attempt(() => one(servers)?.server.info()),
    () => attempt(() => one(servers)?.server.resourceUpdated('x://y')),
    () => attempt(() => one(servers)?.server.notify('notifications/x', {}, { session: pick(5) })),
    () => attempt(() => one(servers)?.server.call(pick(5), 'ping', {}, { timeoutMs: 100 })),
    () => attempt(() => one(servers)?.server.log('info', 'x')),
    () => { held.splice(pick(Math.max(held.length, 1)), 1)[0]?.(); },
    () => attempt(() => one(requests)?.progress(1, 2)),
    () => attempt(() => [one(requests)?.context, one(requests)?.isCancelled, one(requests)?.state]),
    () => attempt(() => one(requests)?.roots()),
    () => attempt(() => one(requests)?.closeStream()),
    // A body that is whole, that stops, that breaks off; an answer that is read, left or given up.
    () => {
      const http = one(servers)?.http;
      if (http === undefined || pending.size > 200) return;
      const tool = one(['echo', 'hold', 'unknown']) ?? 'echo';
      const text = message(tool, { text: 'x'.repeat(pick(200_000)) });
      const kind = pick(4);
      let at = 0;
      const body = new ReadableStream({
        pull(controller) {
          if (at < text.length && !(kind === 1 && at > 0)) controller.enqueue(Buffer.from(text.slice(at, (at += 1 + pick(100_000)))));
          else if (kind === 1) return new Promise((resolve) => { setTimeout(resolve, 100).unref(); });
          else if (kind === 2) controller.error(new Error('the client stops'));
          else controller.close();
          return undefined;
        },
      });
      const stop = new AbortController();
      const request = new Request('http://app.example/mcp', /** @type {any} */ ({ method: 'POST', headers: { ...HEADERS, 'mcp-name': tool }, body, duplex: 'half', signal: stop.signal }));
      setTimeout(() => stop.abort(new Error('stop')), kind === 3 ? pick(5) : 500).unref();
      attempt(async () => {
        const response = await http.fetch(request);
        if (response.body && pick(2) === 0) bodies.push(response.body.getReader());
        else await response.body?.cancel();
      });
    },
    () => attempt(() => one(bodies)?.cancel()),
    () => { const body = one(bodies); if (body) attempt(() => Promise.race([body.read(), new Promise((resolve) => { setTimeout(resolve, 50).unref(); })])); },
    // Forgotten, and left to the collector, except for servers that serve.
    () => { clients.splice(pick(Math.max(clients.length, 1)), 1); },
    () => { if (pick(5) === 0) servers.splice(pick(Math.max(servers.length, 1)), 1); },
    () => { requests = requests.slice(-20); bodies = bodies.slice(-20); streams = streams.slice(-20); },
    () => { if (pick(40) === 0) gc(); },
  ];
  const before = descriptors();
  process.removeAllListeners('warning');
  process.on('warning', () => undefined); // That something was forgotten.
  for (let i = 0; i < OPERATIONS; i++) {
    operations[pick(operations.length)]?.();
    // The loop gets its turn often, but not after each of them.
    if (pick(3) === 0) await new Promise((resolve) => { setImmediate(resolve); });
    if (pending.size > 300) await Promise.race(pending);
  }
  for (const end of held) end();
  for (const body of bodies) attempt(() => body.cancel());
  for (const client of clients) attempt(() => client.close());
  for (const server of all) attempt(() => server.close());
  let last;
  const over = new Promise((resolve, reject) => { last = setTimeout(() => reject(new Error(`${pending.size} operations have no end`)), LIMIT); });
  while (pending.size > 0) {
    for (const end of held) end();
    await Promise.race([...pending, over]);
  }
  clearTimeout(last);
  clients = streams = held = requests = bodies = [];
  servers.length = all.length = 0;
  await until(() => {
    gc();
    return descriptors() <= before + 4;
  }, 'the descriptors are closed');
  t.diagnostic(`${count.results} results and ${count.errors} errors`);
  assert.ok(count.results > OPERATIONS / 10 && count.errors > OPERATIONS / 100, JSON.stringify(count));
});

// What lib/ never does with the classes of the addon, since nothing in C++ may depend on that.
test(`handles of the addon in any order (MCP_TEST_SEED=${SEED})`, async () => {
  const pick = random(SEED + 1);
  /** @template T @param {T[]} list @returns {T | undefined} */
  const one = (list) => list[pick(Math.max(list.length, 1))];
  /** @type {any[]} */
  let servers = [];
  /** @type {any[]} */
  let exchanges = [];
  let errors = 0;
  const text = message('echo', {});
  /** @param {() => unknown} operation */
  const attempt = (operation) => {
    try {
      return operation();
    } catch (error) {
      assert.ok(error instanceof Error, String(error));
      errors += 1;
      return undefined;
    }
  };
  const junk = [undefined, null, 0, -1, 1e300, '', 'x\0y', {}, [], () => undefined, Buffer.from('x'), Symbol('x')];
  /** @type {(() => unknown)[]} */
  const operations = [
    () => {
      if (servers.length > 4) return;
      const server = new addon.Server('{"name":"raw"}');
      server.deliver = () => undefined;
      servers.push(server);
    },
    () => attempt(() => one(servers)?.serve('{"url":"http://app.example/mcp","listen":false}')),
    () => attempt(() => {
      const headers = ['host', one(['app.example', 'evil.example']), ...Object.entries(HEADERS).slice(1).flat(), 'mcp-name', 'echo'];
      const exchange = new addon.Exchange(one(servers), 'POST', '/mcp', headers, '127.0.0.1', () => { if (pick(3) === 0) attempt(() => one(exchanges)?.free()); });
      exchanges.push(exchange);
    }),
    () => attempt(() => one(exchanges)?.permit()),
    () => attempt(() => one(exchanges)?.write(Buffer.from(text.slice(0, 20)), false)),
    () => attempt(() => one(exchanges)?.write(Buffer.from(text), true)),
    () => attempt(() => one(exchanges)?.write(new Uint8Array(), true)),
    () => attempt(() => one(exchanges)?.head()),
    () => attempt(() => one(exchanges)?.read()),
    () => attempt(() => one(exchanges)?.free()),
    () => attempt(() => one(servers)?.info()),
    () => attempt(() => one(servers)?.remove('tool', 'echo')),
    () => attempt(() => one(servers)?.close(pick(2), () => undefined)),
    () => { if (pick(5) === 0) attempt(() => one(servers)?.free(() => undefined)); },
    () => attempt(() => new addon.Exchange(one(junk), one(junk), one(junk), one(junk), one(junk), one(junk))),
    () => attempt(() => new addon.Exchange(one(servers), one(junk), one(junk), one(junk), one(junk), one(junk))),
    () => attempt(() => one(exchanges)?.write(one(junk), one(junk))),
    () => attempt(() => new addon.Server(one(junk), one(junk))),
    () => attempt(() => one(servers)?.add(one(junk), one(junk), one(junk), one(junk), one(junk))),
    () => { exchanges = exchanges.slice(-30); },
    () => { if (pick(10) === 0) servers.splice(pick(Math.max(servers.length, 1)), 1); },
    () => { if (pick(100) === 0) gc(); },
  ];
  for (let i = 0; i < OPERATIONS; i++) {
    operations[pick(operations.length)]?.();
    if (pick(10) === 0) await new Promise((resolve) => { setImmediate(resolve); });
  }
  for (const exchange of exchanges) attempt(() => exchange.free());
  for (const server of servers) attempt(() => server.free(() => undefined));
  exchanges = servers = [];
  for (let i = 0; i < 5; i++) {
    gc();
    await new Promise((resolve) => { setImmediate(resolve); });
  }
  assert.ok(errors > OPERATIONS / 10, `${errors} errors`);
});
