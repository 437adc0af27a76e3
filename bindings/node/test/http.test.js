'use strict';

const assert = require('node:assert/strict');
const { spawn } = require('node:child_process');
const net = require('node:net');
const path = require('node:path');
const test = require('node:test');
const { once } = require('node:events');

const { Client, textOf } = require('..');
const { EVERYTHING, Web, browse, redirected, closedAfter, failure, until } = require('./servers.js');

const FAST = { initial_ms: 10, max_ms: 100 };

/** @param {import('node:test').TestContext} t @param {Web} server @param {import('..').Config} [config] */
const client = (t, server, config) => closedAfter(t, new Client({ url: server.url, reconnect: FAST, ...config }));

for (const protocol of ['modern', 'legacy']) {
  test(`calls over HTTP give their results, ${protocol} era`, async (t) => {
    const server = await Web.start(t, ['page-size=3']);
    const it = client(t, server, { protocol });
    assert.ok((await it.listTools()).length > 10);
    const texts = Array.from({ length: 200 }, (_, at) => `text ${at}`);
    assert.deepEqual((await Promise.all(texts.map((text) => it.callTool('echo', { text })))).map(textOf), texts);
    /** @type {number[]} */
    const steps = [];
    await it.callTool('progress', { steps: 3 }, { onProgress: ({ progress }) => steps.push(progress) });
    assert.deepEqual(steps, [1, 2, 3]);
    await server.checkNoViolations();
  });

  test(`an aborted call is told to the server, and a timeout ends one, ${protocol} era`, async (t) => {
    const server = await Web.start(t);
    const it = client(t, server, { protocol });
    await it.connect();
    const controller = new AbortController();
    const reason = new Error('changed my mind');
    const call = it.callTool('slow', { ms: 60_000 }, { signal: controller.signal });
    await until(async () => (await server.stats()).rpc['tools/call'] === 1, 'the call is with the server');
    controller.abort(reason);
    await assert.rejects(call, (error) => error === reason);
    await until(async () => await server.heardOfCancelling() >= 1, 'the server has heard of it');
    await failure(it.callTool('slow', { ms: 60_000 }, { timeoutMs: 50 }), 'timeout');
    assert.equal(textOf(await it.callTool('echo', { text: 'on' })), 'on');
    await server.checkNoViolations();
  });

  test(`kill -9 of the server ends each call once, and the next server is found, ${protocol} era`, async (t) => {
    const server = await Web.start(t);
    const it = client(t, server, { protocol });
    await it.connect();
    const counts = { ok: 0, lost: 0 };
    const calls = Array.from({ length: 100 }, async (_, at) => {
      const call = at % 2 === 0 ? it.callTool('slow', { ms: 60_000 }) : it.callTool('echo', { text: 'x' });
      await call.then(() => counts.ok++, ({ status }) => {
        assert.ok(status === 'transport' || status === 'unavailable', status);
        counts.lost++;
      });
    });
    await until(async () => (await server.stats()).in_flight >= 25, 'calls are under way');
    await server.kill();
    await Promise.all(calls);
    assert.ok(counts.lost >= 50 && counts.ok + counts.lost === 100, JSON.stringify(counts));
    assert.equal(it.info().pending_calls, 0);
    const next = await Web.start(t, [], server.port);
    const back = async () => textOf(await it.callTool('echo', { text: 'back' }, { whenUnavailable: 'wait' }));
    await until(async () => await back().catch(({ status }) => status) === 'back', 'the next server is found');
    await next.checkNoViolations();
  });

  test(`close ends the calls under way over HTTP, ${protocol} era`, async (t) => {
    const server = await Web.start(t);
    const it = client(t, server, { protocol });
    await it.connect();
    const calls = Array.from({ length: 20 }, () => failure(it.callTool('never'), 'closed'));
    await until(async () => (await server.stats()).in_flight >= 20, 'the calls are with the server');
    await Promise.all([it.close(), it.close(), ...calls]);
    await server.checkNoViolations();
  });

  test(`requests of a server over HTTP are answered, ${protocol} era`, async (t) => {
    const server = await Web.start(t);
    const it = client(t, server, { protocol, capabilities: { elicitation: {} } });
    it.onRequest('elicitation/create', (_params, context) => {
      assert.throws(() => context.accept({ name: 7 }), { status: 'invalid_argument' });
      context.accept({ name: 'Ada' });
    });
    assert.match(textOf(await it.callTool('ask', { method: 'elicitation/create' })), /Ada/);
    it.onRequest('elicitation/create', (_params, context) => context.decline());
    assert.match(textOf(await it.callTool('ask', { method: 'elicitation/create' })), /decline/);
    it.onRequest('elicitation/create', (_params, context) => context.cancel());
    assert.match(textOf(await it.callTool('ask', { method: 'elicitation/create' })), /cancel/);
    await server.checkNoViolations();
  });

  test(`a login with a browser opens the server, ${protocol} era`, async (t) => {
    const server = await Web.start(t, ['login=yes']);
    const it = client(t, server, { protocol, auth: {} });
    let logins = 0;
    it.onLogin(async (/** @type {import('..').Login} */ login, /** @type {{ signal: AbortSignal }} */ { signal }) => {
      logins++;
      assert.ok(login.kind === 'authorize' && login.listens && login.issuer && Number(login.expiresInMs) > 1000 && !signal.aborted);
      await browse(/** @type {string} */ (login.url));
    });
    await it.connect();
    assert.equal(textOf(await it.callTool('echo', { text: 'in' })), 'in');
    assert.equal(logins, 1);
    await server.checkNoViolations();
  });
}

test('server-everything is used over HTTP', { skip: EVERYTHING === undefined && 'not installed' }, async (t) => {
  const listener = net.createServer().listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const { port } = /** @type {net.AddressInfo} */ (listener.address());
  listener.close();
  const [command, ...args] = /** @type {string[]} */ (EVERYTHING);
  const server = spawn(command, [...args, 'streamableHttp'], { env: { ...process.env, PORT: `${port}` }, stdio: 'ignore' });
  t.after(() => server.kill('SIGKILL'));
  const it = closedAfter(t, new Client({ url: `http://127.0.0.1:${port}/mcp`, reconnect: FAST, capabilities: { sampling: {} } }));
  it.onRequest('sampling/createMessage', () => (
    { role: 'assistant', model: 'test', content: { type: 'text', text: 'hello Ada' } }));
  await until(() => it.connect().then(() => true, () => false), 'the server listens', 60_000);
  assert.ok((await it.listTools()).length > 5);
  assert.equal(textOf(await it.callTool('echo', { message: 'hi' })), 'Echo: hi');
  assert.match(textOf(await it.callTool('trigger-sampling-request', { prompt: 'Say hello' })), /hello Ada/);
  await failure(it.callTool('trigger-long-running-operation', { duration: 30, steps: 3 }, { timeoutMs: 100 }), 'timeout');
});

test('a login may come back to the program', async (t) => {
  const server = await Web.start(t, ['login=yes']);
  const it = client(t, server, { auth: { redirect_uri: 'com.example.app:/callback' } });
  it.onLogin(async (/** @type {import('..').Login} */ login) => {
    assert.equal(login.listens, false);
    assert.equal(login.redirectUri, 'com.example.app:/callback');
    assert.throws(() => login.complete('com.example.app:/callback?code=x&state=another'), { status: 'auth' });
    login.complete(await redirected(/** @type {string} */ (login.url)));
  });
  assert.equal(textOf(await it.callTool('echo', { text: 'in' })), 'in');
  await server.checkNoViolations();
});

/** @type {[string, string, import('..').LoginHandler | null, RegExp][]} */
const UNFINISHED = [
  ['is given up', 'yes', () => { throw new Error('closed the window'); }, /closed the window/],
  ['has no handler', 'yes', null, /onLogin/],
  ['the person refuses', 'no', (login) => browse(/** @type {string} */ (login.url)).catch(() => {}), /access_denied/],
];
for (const [name, person, handler, says] of UNFINISHED) {
  test(`a login that ${name} ends its calls`, async (t) => {
    const it = client(t, await Web.start(t, [`login=${person}`]), { auth: {} });
    it.onLogin(handler);
    const error = await failure(it.callTool('echo'), 'auth');
    assert.match(error.message, says);
  });
}

test('a token of the program is given', async (t) => {
  const it = client(t, await Web.start(t, ['token=sesame']), { auth: { type: 'bearer' } });
  it.onLogin((/** @type {import('..').Login} */ login) => {
    assert.equal(login.kind, 'token');
    login.give('sesame', { lastsMs: 3_600_000 });
  });
  assert.equal(textOf(await it.callTool('echo', { text: 'in' })), 'in');
});

test('a login may be kept by the program', async (t) => {
  const server = await Web.start(t, ['login=yes']);
  const kept = new Map();
  /** @type {string[]} */
  const kinds = [];
  const open = () => {
    const it = client(t, server, { auth: { store: 'application' } });
    it.onLogin(async (/** @type {import('..').Login} */ login) => {
      kinds.push(login.kind);
      if (login.kind === 'load') login.answer(kept.get(login.key) ?? null);
      else if (login.kind === 'save') {
        kept.set(login.key, login.text);
        login.answer();
      } else if (login.kind === 'authorize') await browse(/** @type {string} */ (login.url));
    });
    return it;
  };
  const first = open();
  assert.ok((await first.callTool('echo')).content.length > 0);
  await first.close();
  assert.ok(kinds.includes('authorize') && kept.size > 0, kinds.join());
  kinds.length = 0;
  await open().callTool('echo');
  assert.ok(kinds.includes('load') && !kinds.includes('authorize'), kinds.join());
  const broken = client(t, server, { auth: { store: 'application' } });
  broken.onLogin(() => { throw new Error('the disk is full'); });
  broken.onFailure(() => {});
  assert.match((await failure(broken.callTool('echo'), 'auth')).message, /the disk is full/);
});

test('a login that the program does not finish does not delay a close', async (t) => {
  const it = client(t, await Web.start(t, ['login=yes']), { auth: {} });
  const asked = new Promise((resolve) => it.onLogin((/** @type {import('..').Login} */ login) => {
    resolve(login);
    return new Promise(() => {});
  }));
  const call = failure(it.callTool('echo'), 'closed');
  const login = /** @type {import('..').Login} */ (await asked);
  await it.close();
  await call;
  assert.throws(() => login.giveUp(), { status: 'closed' });
});

const REDIRECT = ['--redirect', 'com.example.app:/callback'];
/** @type {[string, string, string[], ((url: string) => Promise<string | void>) | null, RegExp][]} */
const LOGINS = [
  ['with a browser', 'login=yes', [], browse, /^logged in; the server has \d+ tools$/m],
  ['back to the program', 'login=yes', REDIRECT, redirected, /^logged in; /m],
  ['given up', 'login=yes', REDIRECT, async () => '', /the person gave up/],
  ['refused', 'login=no', REDIRECT, redirected, /access_denied/],
  ['with a token', 'token=sesame', ['--token'], null, /^logged in; /m],
  ['with a wrong token', 'login=yes', ['--token'], null, /refuses the token/],
];
for (const [name, person, words, answer, says] of LOGINS) {
  test(`the example login works, ${name}`, async (t) => {
    const server = await Web.start(t, [person]);
    const program = path.join(__dirname, '..', 'examples', 'login.mjs');
    const example = spawn(process.execPath, [program, server.url, ...words], {
      env: { ...process.env, MCP_TOKEN: 'sesame' }, stdio: ['pipe', 'pipe', 'inherit'], timeout: 60_000,
    });
    let said = '';
    let opened = false;
    for await (const chunk of example.stdout) {
      said += chunk;
      const page = /^http:\S+$/m.exec(said);
      if (answer === null || opened || page === null || !said.includes(`${page[0]}\n`)) continue;
      opened = true;
      example.stdin.write(`${await answer(page[0]) ?? ''}\n`);
    }
    assert.match(said, says);
  });
}
