// The real frameworks, with routes as their pages write them, the real libraries of schemas, and a bundler.
'use strict';

const assert = require('node:assert/strict');
const { execFileSync } = require('node:child_process');
const fs = require('node:fs');
const http = require('node:http');
const os = require('node:os');
const path = require('node:path');
const test = require('node:test');

const { Client, Server, textOf } = require('..');

/** @param {string} name @returns {any} */
const load = (name) => require(name);
// A step that brings no other packages has no frameworks.
const isThere = ['express', 'fastify', 'hono', 'valibot'].every((name) => {
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
    const end = await serve(await server.http({ url }), port);
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

test('esbuild makes a program of what leaves the package outside', { skip }, (t) => {
  // Beside this package, so that the program finds it by its name.
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'libmcp-esbuild-'));
  t.after(() => fs.rmSync(folder, { recursive: true }));
  fs.mkdirSync(path.join(folder, 'node_modules'));
  fs.symlinkSync(path.join(__dirname, '..'), path.join(folder, 'node_modules', 'libmcp'));
  const from = path.join(folder, 'program.ts');
  fs.writeFileSync(from, `import { Server, textOf } from 'libmcp';
    const server: Server = new Server({ name: 'bundled' });
    server.tool('says', {}, () => 'bundled');
    const client = server.client();
    console.log(textOf(await client.callTool('says')));
    await client.close();
    await server.close();`);
  const program = path.join(folder, 'out.mjs');
  load('esbuild').buildSync({ entryPoints: [from], outfile: program, bundle: true, platform: 'node', format: 'esm', external: ['libmcp'] });
  assert.equal(execFileSync(process.execPath, [program], { encoding: 'utf8', timeout: 60_000 }), 'bundled\n');
});
