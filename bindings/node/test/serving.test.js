// The servers of the examples, with the official clients of both majors: over the standard streams, over HTTP, and inside an
// HTTP server of the program.
'use strict';

const assert = require('node:assert/strict');
const { spawn } = require('node:child_process');
const { once } = require('node:events');
const http = require('node:http');
const http2 = require('node:http2');
const { createRequire } = require('node:module');
const path = require('node:path');
const test = require('node:test');
const { Worker } = require('node:worker_threads');

const { Client, Server, textOf } = require('..');
const { until } = require('./servers.js');

const PEERS = process.env.MCP_NPM_PEERS;
const skip = PEERS === undefined && 'the official clients are not installed';
const EXAMPLES = path.join(__dirname, '..', 'examples');

/** Both majors of the official client, each with what it takes to reach a server. */
async function officials() {
  const { resolve } = createRequire(path.join(/** @type {string} */ (PEERS), 'package.json'));
  const load = (/** @type {string} */ name) => import(resolve(name));
  const one = { ...await load('@modelcontextprotocol/sdk/client/index.js'), ...await load('@modelcontextprotocol/sdk/client/stdio.js'),
    ...await load('@modelcontextprotocol/sdk/client/streamableHttp.js') };
  const { ElicitRequestSchema } = await load('@modelcontextprotocol/sdk/types.js');
  const two = { ...await load('@modelcontextprotocol/client'), ...await load('@modelcontextprotocol/client/stdio') };
  return [
    { major: 1, ...one, elicitation: ElicitRequestSchema },
    { major: 2, ...two, elicitation: 'elicitation/create' },
  ];
}

/** @param {any} official @param {any} transport @param {(client: any) => Promise<void>} work */
async function having(official, transport, work) {
  const client = new official.Client({ name: 'official', version: '1' }, { capabilities: { elicitation: {} } });
  client.setRequestHandler(official.elicitation, async () => ({ action: 'accept', content: { size: 'large' } }));
  await client.connect(transport);
  try {
    await work(client);
  } finally {
    await client.close();
  }
}

/** The first major takes a schema for the result before the options. @param {number} major @param {object} options */
function optionsFor(major, options) {
  return major === 1 ? [undefined, options] : [options];
}

/** What the example server.mjs must do for any client. @param {any} client @param {number} major */
async function drinksTea(client, major) {
  const { tools } = await client.listTools();
  assert.deepEqual(tools.map((/** @type {any} */ it) => it.name), ['price', 'brew', 'order']);
  const price = await client.callTool({ name: 'price', arguments: { tea: 'assam', cups: 2 } });
  assert.deepEqual(price.structuredContent, { price: 5 });
  const none = await client.callTool({ name: 'price', arguments: { tea: 'mint' } });
  assert.deepEqual([none.isError, textOf(none)], [true, 'There is no mint. There is assam and sencha.']);
  /** @type {number[]} */
  const minutes = [];
  const onprogress = ({ progress = 0 }) => minutes.push(progress);
  assert.equal(textOf(await client.callTool({ name: 'brew', arguments: { tea: 'assam' } }, ...optionsFor(major, { onprogress }))), 'Here is your assam.');
  // The first major drops progress that comes in one piece with the answer.
  assert.deepEqual(minutes, [1, 2, 3].slice(0, major === 1 ? Math.max(1, minutes.length) : 3));
  assert.equal(textOf(await client.callTool({ name: 'order', arguments: { tea: 'assam' } })), 'A large assam.');
  assert.equal(textOf(await client.readResource({ uri: 'tea://menu' })), '{"assam":2.5,"sencha":3}');
  assert.match((await client.getPrompt({ name: 'recommend', arguments: { mood: 'calm' } })).messages[0].content.text, /to be calm\?$/);
  const completed = await client.complete({ ref: { type: 'ref/prompt', name: 'recommend' }, argument: { name: 'mood', value: 'c' } });
  assert.deepEqual(completed.completion.values, ['calm']);
}

/** @param {import('node:test').TestContext} t @param {string} example @param {string[]} args */
async function started(t, example, args) {
  const child = spawn(process.execPath, [path.join(EXAMPLES, example), ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  t.after(() => child.kill('SIGKILL'));
  const [line] = await once(child.stdout, 'data');
  const url = new URL(/http\S+/.exec(String(line))?.[0] ?? '');
  return { child, url };
}

test('the example server works with the official clients over the standard streams', { skip }, async () => {
  for (const official of await officials()) {
    const transport = new official.StdioClientTransport({ command: process.execPath, args: [path.join(EXAMPLES, 'server.mjs')] });
    await having(official, transport, (client) => drinksTea(client, official.major));
  }
});

test('the example server works with the official clients over HTTP, and ends on SIGTERM', { skip }, async (t) => {
  const { child, url } = await started(t, 'server.mjs', ['0']);
  for (const official of await officials()) {
    await having(official, new official.StreamableHTTPClientTransport(url), (client) => drinksTea(client, official.major));
  }
  child.kill('SIGTERM');
  assert.deepEqual(await once(child, 'exit'), [0, null]);
});

test('the example http-server works with the official clients, beside pages of its own', { skip }, async (t) => {
  const { child, url } = await started(t, 'http-server.mjs', ['0']);
  for (const official of await officials()) {
    await having(official, new official.StreamableHTTPClientTransport(url), async (client) => {
      let reports = 0;
      const options = { onprogress: () => { reports++; } };
      const params = { name: 'count', arguments: { to: 3 } };
      assert.equal(textOf(await client.callTool(params, ...optionsFor(official.major, options))), 'counted to 3');
      assert.ok(official.major === 1 ? reports >= 1 : reports === 3, `${reports} reports`);
    });
  }
  assert.match(await (await fetch(new URL('/', url))).text(), /page of the program/);
  assert.equal((await fetch(url, { method: 'POST', body: '{}', headers: { 'content-type': 'application/json', origin: 'https://evil.example' } })).status, 403);
  child.kill('SIGTERM');
  assert.deepEqual(await once(child, 'exit'), [0, null]);
});

/** @param {import('node:test').TestContext} t */
function streaming(t) {
  const server = new Server({ name: 'streaming', limits: { frame_bytes: 10_000 } });
  t.after(() => server.close());
  /** @type {{ next: () => void, aborted: boolean }} */
  const state = { next: () => {}, aborted: false };
  server.tool('steps', {}, async (_args, request) => {
    request.progress(1);
    await new Promise((resolve) => {
      state.next = /** @type {() => void} */ (resolve);
      request.signal.addEventListener('abort', () => {
        state.aborted = true;
        resolve(undefined);
      });
    });
    return 'done';
  });
  return { server, state };
}

test('a request inside the program\'s own server streams, is cancelled with its connection, and is bounded', async (t) => {
  const { server, state } = streaming(t);
  const web = http.createServer((request, response) => mcp(request, response));
  t.after(() => { web.close(); web.closeAllConnections(); });
  await /** @type {Promise<void>} */ (new Promise((resolve) => { web.listen(0, '127.0.0.1', resolve); }));
  const { port } = /** @type {import('node:net').AddressInfo} */ (web.address());
  const url = `http://127.0.0.1:${port}/mcp`;
  const mcp = server.http({ url });
  const client = new Client({ url, protocol: 'modern' });
  t.after(() => client.close());
  // The answer comes after the progress was seen: so it was not kept back.
  const result = await client.callTool('steps', {}, { onProgress: () => state.next() });
  assert.equal(textOf(result), 'done');
  const stopped = new AbortController();
  const call = client.callTool('steps', {}, { signal: stopped.signal, onProgress: () => stopped.abort(new Error('enough')) });
  await assert.rejects(call, /enough/);
  await until(() => state.aborted, 'the handler is told');
  const large = await fetch(url, { method: 'POST', body: 'x'.repeat(20_000), headers: { 'content-type': 'application/json' } });
  assert.equal(large.status, 413);
  assert.equal((await fetch(url.replace('/mcp', '/other'))).status, 404);
  await client.close();
  await server.close();
  assert.equal((await fetch(url, { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } })).status, 503);
});

test('a request is judged by its head, and only then its body is read', async (t) => {
  const server = new Server({ name: 't', timeouts: { body_ms: 200 } });
  server.tool('length', { inputSchema: { type: 'object', properties: { text: { type: 'string' } } } }, ({ text }) => `${(text ?? '').length}`);
  t.after(() => server.close());
  let asked = 0;
  const web = http.createServer((request, response) => {
    const parts = request[Symbol.asyncIterator]();
    const counted = { next: () => { asked += 1; return parts.next(); } };
    return mcp(Object.assign(request, { iterator: () => counted }), response);
  });
  t.after(() => { web.close(); web.closeAllConnections(); });
  await /** @type {Promise<void>} */ (new Promise((resolve) => { web.listen(0, '127.0.0.1', resolve); }));
  const { port } = /** @type {import('node:net').AddressInfo} */ (web.address());
  const mcp = server.http({ url: `http://127.0.0.1:${port}/mcp` });
  /** @param {Record<string, string>} headers @param {string} first @returns {Promise<import('node:http').IncomingMessage>} */
  const begin = (headers, first) => new Promise((resolve, reject) => {
    const request = http.request({ port, host: '127.0.0.1', path: '/mcp', method: 'POST', agent: false, headers: { 'content-type': 'application/json', 'content-length': 100_000, ...headers } }, (response) => {
      response.resume();
      t.after(() => request.destroy());
      resolve(response);
    });
    request.on('error', reject);
    request.write(first);
  });
  // None of these bodies ends, and the answer does not wait for it.
  for (const [headers, status] of /** @type {[Record<string, string>, number][]} */ ([[{ host: 'evil.example' }, 403], [{ origin: 'https://evil.example' }, 403], [{ 'content-type': 'text/plain' }, 415]])) {
    const response = await begin(headers, 'x'.repeat(1000));
    assert.equal(response.statusCode, status);
    assert.equal(asked, 0);
  }
  // One that is accepted and stops ends in its time, although nothing more comes of it.
  const late = await begin({}, '{');
  assert.equal(late.statusCode, 408);
  assert.equal(late.headers.connection, 'close');
  assert.equal(asked, 2);
  // Large bodies, announced and in chunks.
  const client = new Client({ url: `http://127.0.0.1:${port}/mcp` });
  t.after(() => client.close());
  assert.equal(textOf(await client.callTool('length', { text: 'x'.repeat(3_000_000) })), '3000000');
  const call = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'length', arguments: { text: 'x'.repeat(2_000_000) }, _meta: {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28', 'io.modelcontextprotocol/clientCapabilities': {} } } });
  const parts = new ReadableStream({ start(controller) { for (let at = 0; at < call.length; at += 100_000) controller.enqueue(Buffer.from(call.slice(at, at + 100_000))); controller.close(); } });
  const headers = { 'content-type': 'application/json', 'mcp-method': 'tools/call', 'mcp-name': 'length', 'mcp-protocol-version': '2026-07-28' };
  const chunked = await fetch(`http://127.0.0.1:${port}/mcp`, /** @type {any} */ ({ method: 'POST', headers, body: parts, duplex: 'half' }));
  assert.match(await chunked.text(), /2000000/);
  // The same for Request and Response: a body is not touched before its head is judged.
  let pulled = 0;
  const endless = new ReadableStream({ pull(controller) { pulled += 1; controller.enqueue(Buffer.from('x')); } }, { highWaterMark: 0 });
  const foreign = await mcp.fetch(new Request('http://evil.example/mcp', /** @type {any} */ ({ method: 'POST', headers, body: endless, duplex: 'half' })));
  assert.equal(foreign.status, 403);
  assert.equal(pulled, 0);
});

test('HTTP/2, a body that a framework has read, and Request and Response', async (t) => {
  const { server, state } = streaming(t);
  const mcp = server.http({ url: 'http://app.example/mcp' });
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'steps', arguments: {}, _meta: {
    progressToken: 1, 'io.modelcontextprotocol/protocolVersion': '2026-07-28', 'io.modelcontextprotocol/clientCapabilities': {} } } };
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream', 'mcp-method': 'tools/call', 'mcp-name': 'steps', 'mcp-protocol-version': '2026-07-28' };
  const response = await mcp.fetch(new Request('http://app.example/mcp', { method: 'POST', headers, body: JSON.stringify(body) }));
  assert.equal(response.status, 200);
  let text = '';
  for await (const part of /** @type {any} */ (response.body)) {
    text += Buffer.from(part).toString();
    if (text.includes('notifications/progress')) state.next();
  }
  assert.match(text, /notifications\/progress[^]*"done"/);
  const gone = new AbortController();
  const stream = await mcp.fetch(new Request('http://app.example/mcp', { method: 'POST', headers, body: JSON.stringify(body), signal: gone.signal }));
  await stream.body?.cancel();
  await until(() => state.aborted, 'the handler is told');

  const web = http2.createServer((request, answer) => void mcp(request, answer, body));
  t.after(() => web.close());
  await /** @type {Promise<void>} */ (new Promise((resolve) => { web.listen(0, '127.0.0.1', resolve); }));
  const { port } = /** @type {import('node:net').AddressInfo} */ (web.address());
  const session = http2.connect(`http://127.0.0.1:${port}`);
  t.after(() => session.destroy());
  const request = session.request({ ':method': 'POST', ':path': '/mcp', ':authority': 'app.example', ...headers });
  request.end('ignored');
  let seen = '';
  for await (const part of request.setEncoding('utf8')) {
    seen += part;
    if (seen.includes('notifications/progress')) state.next();
  }
  assert.match(seen, /"done"/);
  const refused = await mcp.fetch(new Request('http://other.example/mcp', { method: 'POST', headers, body: '{}' }));
  assert.equal(refused.status, 403);
  await server.close();
  const late = await mcp.fetch(new Request('http://app.example/mcp', { method: 'POST', headers, body: '{}' }));
  assert.equal(late.status, 503);
});

for (const [name, prepare] of /** @type {[string, (request: any) => any][]} */ ([
  ['the next function of a chain', () => function next() { throw new Error('there is no next'); }],
  ['nothing', () => undefined],
  ['a body that was parsed', async (request) => { request.body = JSON.parse(await textIn(request)); }],
  ['a body that was parsed, and the next function', async (request) => { request.body = JSON.parse(await textIn(request)); return () => undefined; }],
  ['a body that was kept raw beside another', async (request) => { request.rawBody = Buffer.from(await textIn(request)); request.body = { other: 1 }; }],
  ['an empty body of a framework that read none', (request) => { request.body = {}; }],
  ['a mount, which shortens the URL', (request) => { request.originalUrl = `/api${request.url}`; }],
  ['a router, which rewrites the URL', (request) => { request.originalUrl = '/mcp'; request.url = '/'; }],
])) {
  test(`what a framework hands over is understood: ${name}`, async (t) => {
    const server = new Server({ name: 'framework' });
    t.after(() => server.close());
    server.tool('echo', { inputSchema: { type: 'object', properties: { text: { type: 'string' } } } }, ({ text }) => `${text}`);
    const web = http.createServer();
    t.after(() => web.close());
    await /** @type {Promise<void>} */ (new Promise((resolve) => { web.listen(0, '127.0.0.1', resolve); }));
    const { port } = /** @type {import('node:net').AddressInfo} */ (web.address());
    const url = `http://127.0.0.1:${port}/mcp`;
    const mcp = server.http({ url });
    web.on('request', async (request, response) => {
      const third = request.method === 'POST' ? await prepare(request) : undefined;
      await mcp(request, response, third);
    });
    const client = new Client({ url });
    t.after(() => client.close());
    assert.equal(textOf(await client.callTool('echo', { text: 'hello' })), 'hello');
  });
}

// frameworks.test.js has the frameworks themselves; these are what else calls a handler.
for (const [name, call] of /** @type {[string, (mcp: any, request: any, response: any) => unknown][]} */ ([
  ['a body that was read and passed on', async (mcp, raw, response) => {
    const request = await webRequest(raw);
    const parsedBody = request.body === null ? undefined : await request.json();
    await send(response, await mcp.fetch(request, { parsedBody }));
  }],
  ['a route of Next', async (mcp, raw, response) => send(response, await mcp(await webRequest(raw), { params: Promise.resolve({}) }))],
  ['a mount that has taken the whole path away', async (mcp, raw, response) => send(response, await mcp.fetch(await webRequest(raw, '/'), {}, {}))],
  ['a mount that has taken the front of the path away', async (mcp, raw, response) => send(response, await mcp.fetch(await webRequest(raw, '/mcp'), {}, {}))],
])) {
  test(`a Request is served: ${name}`, async (t) => {
    const server = new Server({ name: 'framework' });
    t.after(() => server.close());
    server.tool('echo', { inputSchema: { type: 'object', properties: { text: { type: 'string' } } } }, ({ text }) => `${text}`);
    const web = http.createServer();
    t.after(() => web.close());
    await /** @type {Promise<void>} */ (new Promise((resolve) => { web.listen(0, '127.0.0.1', resolve); }));
    const { port } = /** @type {import('node:net').AddressInfo} */ (web.address());
    const url = `http://127.0.0.1:${port}/api/mcp`;
    const mcp = server.http({ url });
    /** @type {unknown[]} */
    const failures = [];
    web.on('request', async (request, response) => {
      try {
        await call(mcp, request, response);
      } catch (error) {
        failures.push(error);
        response.destroy();
      }
    });
    const client = new Client({ url });
    t.after(() => client.close());
    assert.equal(textOf(await client.callTool('echo', { text: 'hello' })), 'hello');
    assert.deepEqual(failures, []);
  });
}

test('a body that was read and not passed on is told', async (t) => {
  const server = new Server({ name: 'framework' });
  t.after(() => server.close());
  const mcp = server.http({ url: 'http://app.example/mcp' });
  const request = new Request('http://app.example/mcp', { method: 'POST', body: '{}' });
  await request.text();
  await assert.rejects(mcp.fetch(request), /was read before: pass it on as mcp\.fetch\(request, \{ parsedBody \}\)/);
});

/** @param {any} raw a request of Node's @param {string} [path] what a mount has left of its path */
async function webRequest(raw, path = raw.url) {
  const text = await textIn(raw);
  return new Request(`http://${raw.headers.host}${path}`, { method: raw.method, headers: raw.headers, ...(text === '' ? {} : { body: text }) });
}

/** @param {any} response @param {Response} answer */
async function send(response, answer) {
  response.writeHead(answer.status, Object.fromEntries(answer.headers));
  for await (const part of /** @type {any} */ (answer.body ?? [])) response.write(part);
  response.end();
}

/** @param {AsyncIterable<Buffer>} request */
async function textIn(request) {
  const parts = [];
  for await (const part of request) parts.push(part);
  return Buffer.concat(parts).toString();
}

test('a server over the standard streams keeps what it prints out of them, and ends with its client', async () => {
  const program = `
    const { Server } = require(${JSON.stringify(path.join(__dirname, '..'))});
    const server = new Server({ name: 'prints' });
    server.tool('prints', {}, () => { console.log('disturbs'); process.stdout.write('more\\n'); return 'printed'; });
    server.tool('rejects', {}, () => { Promise.reject(new Error('of the program')).catch(() => {}); throw new Error('secret'); });
    server.onFailure((error) => console.error('told: ' + error.message));
    server.run({ stdio: true }).then(() => console.error('ended'));`;
  const client = new Client({ command: process.execPath, args: ['-e', program], stderr: 'message' });
  const lines = client.messages({ kinds: ['stderr'], keepAlive: false });
  assert.equal(textOf(await client.callTool('prints')), 'printed');
  assert.equal(textOf(await client.callTool('rejects')), 'The tool failed.');
  const pid = Number(client.info().pid);
  await client.close();
  const said = [];
  for await (const message of lines) if (message.kind === 'stderr') said.push(message.line);
  assert.ok(said.some((line) => line.includes('disturbs')), said.join());
  assert.ok(said.includes('told: secret'), said.join());
  assert.ok(said.includes('ended'), said.join());
  assert.throws(() => process.kill(pid, 0));
});

test('a worker that is terminated takes its server with it, and its clients are told', async () => {
  const program = `
    const { parentPort } = require('node:worker_threads');
    const { Server } = require(${JSON.stringify(path.join(__dirname, '..'))});
    const server = new Server({ name: 'in a worker' });
    server.tool('waits', {}, () => { parentPort.postMessage('called'); return new Promise(() => {}); });
    server.serve({ socket: 'tcp:127.0.0.1:0' }).then(({ socket }) => parentPort.postMessage(socket));`;
  const worker = new Worker(program, { eval: true });
  const [socket] = await once(worker, 'message');
  const client = new Client({ socket, reconnect: false });
  const call = client.callTool('waits').then(() => 'answered', ({ status }) => status);
  await once(worker, 'message');
  await worker.terminate();
  assert.match(await call, /^(server|transport)$/);
  await client.close();
});
