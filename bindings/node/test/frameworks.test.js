// The real frameworks, with routes as their pages write them, the real libraries of schemas, and a bundler.
'use strict';

const assert = require('node:assert/strict');
const { execFileSync } = require('node:child_process');
const fs = require('node:fs');
const http = require('node:http');
const os = require('node:os');
const path = require('node:path');
const test = require('node:test');

const { Client, ClientTransport, Server, textOf } = require('..');
const { until } = require('./servers.js');

/** @param {string} name @returns {any} */
const load = (name) => require(name);
// A step that brings no other packages has no frameworks.
const isThere = ['express', 'fastify', 'hono', 'valibot', 'webpack', 'vite', '@modelcontextprotocol/sdk/client/index.js'].every((name) => {
  try {
    return require.resolve(name) !== '';
  } catch {
    return false;
  }
});
const skip = isThere ? false : 'the development packages are not installed: npm ci';

/** @param {any} app an application of Express @param {number} port */
function listen(app, port) {
  const web = http.createServer(app);
  return new Promise((resolve) => {
    web.listen(port, '127.0.0.1', () => resolve(() => new Promise((done) => {
      web.close(done);
      web.closeAllConnections();
    })));
  });
}

/** @param {(app: any) => void} prepare */
const express = (prepare) => (/** @type {any} */ _, /** @type {number} */ port) => {
  const app = load('express')();
  prepare(app);
  return listen(app, port);
};

/** @param {(app: any, mcp: any) => void} prepare */
const fastify = (prepare) => async (/** @type {any} */ mcp, /** @type {number} */ port) => {
  const app = load('fastify')();
  prepare(app, mcp);
  await app.listen({ port, host: '127.0.0.1' });
  return () => app.close();
};

/** @param {(app: any, mcp: any) => void} prepare */
const hono = (prepare) => async (/** @type {any} */ mcp, /** @type {number} */ port) => {
  const app = new (load('hono').Hono)();
  prepare(app, mcp);
  const { getRequestListener } = load('@hono/node-server');
  return listen(getRequestListener(app.fetch), port);
};

/** @type {Record<string, (mcp: any, port: number) => Promise<() => Promise<void>>>} */
const routes = {
  'Express: the handler itself': (mcp, port) => express((app) => app.all('/mcp', mcp))(mcp, port),
  'Express: after express.json()': (mcp, port) => express((app) => app.use(load('express').json()).all('/mcp', mcp))(mcp, port),
  'Express: with the parsed body': (mcp, port) => express((app) => app.use(load('express').json())
    .post('/mcp', (/** @type {any} */ request, /** @type {any} */ response) => mcp(request, response, request.body)).get('/mcp', mcp))(mcp, port),
  'Express: mounted': (mcp, port) => express((app) => app.use('/mcp', mcp))(mcp, port),
  'Fastify: the handler itself': fastify((app, mcp) => app.all('/mcp', mcp)),
  'Fastify: the raw request': fastify((app, mcp) => app.all('/mcp', async (/** @type {any} */ request, /** @type {any} */ reply) => {
    reply.hijack();
    await mcp(request.raw, reply.raw, request.body);
  })),
  'Hono: the handler itself': hono((app, mcp) => app.all('/mcp', mcp)),
  'Hono: its Request': hono((app, mcp) => app.all('/mcp', (/** @type {any} */ context) => mcp.fetch(context.req.raw))),
  'Hono: mounted': hono((app, mcp) => app.mount('/mcp', mcp.fetch)),
  'Hono: after the body was read': hono((app, mcp) => app.use(async (/** @type {any} */ context, /** @type {any} */ next) => {
    await context.req.text();
    await next();
  }).all('/mcp', mcp)),
};

for (const [name, serve] of Object.entries(routes)) {
  test(name, { skip }, async (t) => {
    const probe = http.createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => { probe.once('listening', resolve); });
    const { port } = /** @type {import('node:net').AddressInfo} */ (probe.address());
    await new Promise((resolve) => { probe.close(resolve); });
    const server = new Server({ name: 'framework' });
    server.tool('steps', {}, (_, request) => {
      request.progress(1, 2);
      return 'done';
    });
    const url = `http://127.0.0.1:${port}/mcp`;
    const end = await serve(server.http({ url }), port);
    t.after(async () => {
      await end();
      await server.close();
    });
    for (const protocol of /** @type {const} */ (['modern', 'legacy'])) {
      const client = new Client({ url, protocol });
      let steps = 0;
      const result = await client.callTool('steps', {}, { onProgress: () => { steps += 1; } });
      await client.close();
      assert.deepEqual([textOf(result), steps], ['done', 1], protocol);
    }
  });
}

/** A server whose tools use what a transport must carry. */
function shop() {
  const server = new Server({ name: 'shop', version: '2.0', instructions: 'Buy tea.' });
  server.tool('add', { inputSchema: { type: 'object', properties: { a: { type: 'number' }, b: { type: 'number' } }, required: ['a', 'b'] } },
    ({ a, b }) => `${a + b}`);
  server.tool('steps', {}, (_, request) => {
    for (const step of [1, 2, 3]) request.progress(step, 3);
    return 'done';
  });
  server.tool('order', {}, async (_, request) => {
    const answer = await request.elicit('size', { message: 'Which size?', schema: { type: 'object', properties: { size: { type: 'string' } } } });
    return answer.action === 'accept' ? `${answer.content.size}` : 'nothing';
  });
  const state = { began: () => {}, aborted: false };
  server.tool('wait', {}, (_, request) => new Promise((resolve) => {
    request.signal.addEventListener('abort', () => {
      state.aborted = true;
      resolve('late');
    });
    state.began();
  }));
  server.resource({ uri: 'tea://menu', name: 'menu' }, 'assam');
  return { server, state };
}

for (const protocol of /** @type {const} */ (['modern', 'legacy'])) {
  test(`${protocol}: the official client has every feature over this transport`, { skip }, async (t) => {
    const sdk = load('@modelcontextprotocol/sdk/client/index.js');
    const { ElicitRequestSchema } = load('@modelcontextprotocol/sdk/types.js');
    const { server, state } = shop();
    t.after(() => server.close());
    const client = new sdk.Client({ name: 'official', version: '1' }, { capabilities: { elicitation: {} } });
    client.setRequestHandler(ElicitRequestSchema, () => ({ action: 'accept', content: { size: 'large' } }));
    const transport = new ClientTransport({ protocol }, { server });
    await client.connect(transport);
    assert.deepEqual([client.getServerVersion().name, client.getInstructions()], ['shop', 'Buy tea.']);
    assert.deepEqual((await client.listTools()).tools.map((/** @type {any} */ tool) => tool.name), ['add', 'steps', 'order', 'wait']);
    assert.equal((await client.callTool({ name: 'add', arguments: { a: 1, b: 2 } })).content[0].text, '3');
    /** @type {number[]} */
    const steps = [];
    await client.callTool({ name: 'steps' }, undefined, { onprogress: (/** @type {any} */ { progress }) => steps.push(progress) });
    assert.deepEqual(steps, [1, 2, 3]);
    assert.equal((await client.callTool({ name: 'order' })).content[0].text, 'large');
    assert.equal((await client.readResource({ uri: 'tea://menu' })).contents[0].text, 'assam');
    await assert.rejects(client.callTool({ name: 'nope' }), /no tool 'nope'/);
    await client.ping();
    const gone = new AbortController();
    const began = /** @type {Promise<void>} */ (new Promise((resolve) => { state.began = resolve; }));
    const waits = client.callTool({ name: 'wait' }, undefined, { signal: gone.signal });
    await began;
    gone.abort('enough');
    await assert.rejects(waits);
    await until(() => state.aborted, 'the handler is told');
    let isClosed = false;
    client.onclose = () => { isClosed = true; };
    await client.close();
    assert.ok(isClosed);
    await assert.rejects(transport.send({ jsonrpc: '2.0', id: 1, method: 'ping' }), /closed/);
  });
}

test('what a session throws at a message is reported, and the transport goes on', async (t) => {
  for (const protocol of /** @type {const} */ (['modern', 'legacy'])) {
    const { server } = shop();
    t.after(() => server.close());
    const transport = new ClientTransport({ protocol }, { server });
    /** @type {{ errors: string[], taken: any[] }} */
    const { errors, taken } = { errors: [], taken: [] };
    transport.onerror = (error) => { errors.push(error.message); };
    transport.onmessage = (message) => {
      if (message.method === 'elicitation/create' || message.id === 'thrown') throw new Error(`not ${message.method ?? message.id}`);
      taken.push(message);
    };
    const ask = async (/** @type {string} */ id, /** @type {string} */ method, /** @type {any} */ params) => {
      await transport.send({ jsonrpc: '2.0', id, method, params });
      await until(() => taken.some((message) => message.id === id), `${method} is answered`);
      return taken.find((message) => message.id === id);
    };
    await ask('begin', 'initialize', { protocolVersion: '2025-11-25', capabilities: { elicitation: {} }, clientInfo: { name: 'x', version: '1' } });
    await transport.send({ jsonrpc: '2.0', id: 'thrown', method: 'ping' });
    await until(() => errors.length > 0, 'the failure is reported');
    const ordered = await ask('order', 'tools/call', { name: 'order', arguments: {} });
    assert.ok(ordered.error !== undefined || ordered.result.isError, JSON.stringify(ordered));
    assert.deepEqual(errors, ['not thrown', 'not elicitation/create'], protocol);
    await server.close();
    assert.ok((await ask('late', 'ping', {})).error !== undefined, `${protocol}: a ping without a server`);
    await transport.close();
  }
});

test('packages of the folder in which a program was started do not run, those beside it do', (t) => {
  const [folder, elsewhere] = ['started-', 'program-'].map((name) => fs.mkdtempSync(path.join(os.tmpdir(), name)));
  t.after(() => [folder, elsewhere].forEach((one) => fs.rmSync(one, { recursive: true })));
  for (const name of ['@valibot/to-json-schema', 'zod-to-json-schema']) {
    const place = path.join(folder, 'node_modules', name);
    fs.mkdirSync(place, { recursive: true });
    fs.writeFileSync(path.join(place, 'index.js'), "process.stdout.write('it ran'); exports.toJsonSchema = exports.zodToJsonSchema = () => ({});");
  }
  const program = `const { Server } = require(${JSON.stringify(path.join(__dirname, '..'))});
    const inputSchema = { '~standard': { vendor: process.argv[2], version: 1, validate: (value) => ({ value }) } };
    try { new Server({ name: 'x' }).tool('t', { inputSchema }, () => ''); } catch (error) { process.stdout.write(error.message); }
    process.exit();`;
  for (const vendor of ['zod', 'valibot']) {
    const said = [folder, elsewhere].map((at) => {
      fs.writeFileSync(path.join(at, 'program.js'), program);
      return execFileSync(process.execPath, [path.join(at, 'program.js'), vendor], { cwd: folder, encoding: 'utf8' });
    });
    // Where the binding's own development packages are installed, those come first.
    assert.deepEqual(said.map((text) => text.includes('it ran')), [skip !== false, false], `${vendor}: ${said}`);
  }
});

test('the AI SDK has its tools over this transport', { skip }, async (t) => {
  const { createMCPClient, experimental_createMCPClient: older } = load('@ai-sdk/mcp');
  const { server } = shop();
  t.after(() => server.close());
  const client = await (createMCPClient ?? older)({ transport: new ClientTransport({}, { server }) });
  t.after(() => client.close());
  const tools = await client.tools();
  const result = await tools.add.execute({ a: 3, b: 4 }, { messages: [], toolCallId: '1' });
  assert.equal(result.content[0].text, '7');
});

test('a handler is there at once, as createServer takes it', async (t) => {
  const server = new Server({ name: 'at-once' });
  server.tool('echo', {}, () => 'here');
  const web = http.createServer(server.http());
  await /** @type {Promise<void>} */ (new Promise((resolve) => { web.listen(0, '127.0.0.1', resolve); }));
  t.after(() => { web.close(); return server.close(); });
  const { port } = /** @type {import('node:net').AddressInfo} */ (web.address());
  const client = new Client({ url: `http://127.0.0.1:${port}/mcp` });
  t.after(() => client.close());
  assert.equal(textOf(await client.callTool('echo')), 'here');
  assert.throws(() => server.http({ url: 'nowhere' }), (/** @type {any} */ error) => error.status === 'invalid_argument' && /url/.test(error.message));
});

test('a handler without a URL answers at any path, and to the names of this machine', async (t) => {
  const [mcp, other] = [undefined, { hosts: ['app.example'] }].map((options) => {
    const server = new Server({ name: 'anywhere' });
    t.after(() => server.close());
    return server.http(options);
  });
  const init = { method: 'POST', headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }, body: JSON.stringify({
    jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'x', version: '1' } } }) };
  for (const [handler, url, status] of /** @type {[any, string, number][]} */ ([[mcp, 'http://localhost:3000/', 200], [mcp, 'http://127.0.0.1/any/path?a=b', 200],
    [mcp, 'http://app.example/mcp', 403], [other, 'http://app.example/mcp', 200]])) {
    assert.equal((await handler.fetch(new Request(url, init))).status, status, url);
  }
});

/** @type {Record<string, () => any>} */
const schemas = {
  'zod 4': () => load('zod').z.object({ n: load('zod').z.number() }),
  'zod 3': () => load('zod3').z.object({ n: load('zod3').z.number() }),
  'what zod 3 has of zod 4': () => load('zod3/v4').z.object({ n: load('zod3/v4').z.number() }),
  valibot: () => load('valibot').object({ n: load('valibot').number() }),
  ArkType: () => load('arktype').type({ n: 'number' }),
};

for (const [name, make] of Object.entries(schemas)) {
  test(`a schema of ${name}`, { skip }, async (t) => {
    const server = new Server({ name: 'schemas' });
    t.after(() => server.close());
    server.tool('double', { inputSchema: make(), outputSchema: make() }, (/** @type {any} */ { n }) => ({ n: 2 * n }));
    const client = server.client();
    t.after(() => client.close());
    const [tool] = await client.listTools();
    assert.deepEqual([tool?.inputSchema.properties, tool?.inputSchema.required], [{ n: { type: 'number' } }, ['n']]);
    assert.deepEqual((await client.callTool('double', { n: 2 })).structuredContent, { n: 4 });
    assert.equal((await client.callTool('double', { n: 'two' })).isError, true);
  });
}

/**
 * What makes one file of a program and leaves this package outside, by its own way to say that.
 * @type {Record<string, (from: string, folder: string) => Promise<string> | string>}
 */
const bundlers = {
  esbuild: (from, folder) => {
    const outfile = path.join(folder, 'out.mjs');
    load('esbuild').buildSync({ entryPoints: [from], outfile, bundle: true, platform: 'node', format: 'esm', external: ['libmcp'] });
    return outfile;
  },
  webpack: (from, folder) => new Promise((resolve, reject) => load('webpack')({
    mode: 'production', target: 'node20', entry: from, externals: { libmcp: 'module libmcp' }, experiments: { outputModule: true },
    output: { path: folder, filename: 'out.mjs', module: true },
  }, (/** @type {any} */ error, /** @type {any} */ stats) => {
    if (error || stats.hasErrors()) reject(error ?? new Error(stats.toString()));
    else resolve(path.join(folder, 'out.mjs'));
  })),
  vite: async (from, folder) => {
    const { build } = await import('vite');
    const file = { entryFileNames: 'out.mjs' };
    await build({ root: folder, configFile: false, logLevel: 'silent', ssr: { external: ['libmcp'] }, build: { ssr: from, outDir: path.join(folder, 'dist'), rollupOptions: { output: file } } });
    return path.join(folder, 'dist', 'out.mjs');
  },
};

for (const [name, bundle] of Object.entries(bundlers)) {
  test(`${name} makes a program of what leaves the package outside`, { skip }, async (t) => {
    // Beside this package, so that the program finds it by its name.
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), `libmcp-${name}-`));
    t.after(() => fs.rmSync(folder, { recursive: true }));
    fs.mkdirSync(path.join(folder, 'node_modules'));
    fs.symlinkSync(path.join(__dirname, '..'), path.join(folder, 'node_modules', 'libmcp'));
    fs.writeFileSync(path.join(folder, 'word.mjs'), "export const word = 'bundled';");
    const from = path.join(folder, 'program.mjs');
    fs.writeFileSync(from, `import { Server, textOf } from 'libmcp';
      import { word } from './word.mjs';
      const server = new Server({ name: word });
      server.tool('says', {}, () => word);
      const client = server.client();
      console.log(textOf(await client.callTool('says')));
      await client.close();
      await server.close();`);
    const program = await bundle(from, folder);
    fs.rmSync(path.join(folder, 'word.mjs'));
    assert.equal(execFileSync(process.execPath, [program], { encoding: 'utf8', timeout: 60_000 }), 'bundled\n');
  });
}
