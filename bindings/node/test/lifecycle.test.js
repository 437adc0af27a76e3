'use strict';

const assert = require('node:assert/strict');
const { once } = require('node:events');
const path = require('node:path');
const test = require('node:test');
const { Worker } = require('node:worker_threads');

const { Client, textOf } = require('..');
const { SCRIPTED, example, scripted, failure, until, isAlive } = require('./servers.js');

const FAST = { reconnect: { initial_ms: 10, jitter: 0 } };

test('connect waits until the server is ready', async (t) => {
  const client = example(t);
  await Promise.all([client.connect(), client.connect({ timeoutMs: 60_000 })]);
  assert.equal(client.state, 'ready');
});

test('a server that cannot be started is told with the reason', async (t) => {
  const client = example(t, { command: '/no/such/server', reconnect: false });
  const error = await failure(client.connect(), 'transport');
  assert.match(error.message, /no\/such\/server/);
  await failure(client.ping(), 'closed');
});

test('connect is bounded by its time and by its signal', async (t) => {
  const client = scripted(t, ['hang-on-initialize']);
  await failure(client.connect({ timeoutMs: 30 }), 'timeout');
  await assert.rejects(client.connect({ signal: AbortSignal.timeout(30) }), { name: 'TimeoutError' });
});

test('a call under way when the server crashes ends with its exit status, and the next one works', async (t) => {
  const client = scripted(t, [], FAST);
  const states = client.messages({ kinds: ['state'] });
  const error = await failure(client.callTool('crash', { code: 3 }), 'transport');
  assert.equal(error.details.exit_status, 3);
  const result = await client.callTool('echo', { text: 'back' }, { whenUnavailable: 'wait' });
  assert.equal(textOf(result), 'back');
  await client.close();
  const names = [];
  for await (const message of states) names.push(message.kind === 'state' && message.state);
  assert.ok(names.includes('backoff'), names.join());
});

test('kill -9 of the server in the middle of 1,000 concurrent calls ends each exactly once', async (t) => {
  const client = scripted(t, [], FAST);
  await client.connect();
  const pid = Number(client.info().pid);
  const outcomes = new Map();
  const calls = Array.from({ length: 1000 }, async (_, at) => {
    const note = (/** @type {string} */ outcome) => outcomes.set(at, [...(outcomes.get(at) ?? []), outcome]);
    // Every other one is never answered, so that some certainly are under way.
    const call = at % 2 === 0 ? client.callTool('hang') : client.callTool('echo', { text: `${at}` });
    await call.then(() => note('ok'), (error) => note(error.status));
    if (at === 101) process.kill(pid, 'SIGKILL');
  });
  await Promise.all(calls);
  assert.equal(outcomes.size, 1000);
  const counts = { ok: 0, transport: 0, unavailable: 0 };
  for (const [at, ends] of outcomes) {
    assert.equal(ends.length, 1, `call ${at} ended as ${ends}`);
    counts[/** @type {keyof counts} */ (ends[0])]++;
  }
  assert.ok(counts.transport >= 500 && counts.ok >= 1, JSON.stringify(counts));
  assert.equal(counts.ok + counts.transport + counts.unavailable, 1000, JSON.stringify(counts));
  // A second outcome of any of them would be an uncaught exception; the client goes on.
  assert.equal(textOf(await client.callTool('echo', { text: 'on' }, { whenUnavailable: 'wait' })), 'on');
});

test('close ends the calls under way, the streams and the server', async (t) => {
  const client = scripted(t, []);
  await client.connect();
  const pid = Number(client.info().pid);
  const stream = client.notifications();
  const next = stream.next();
  const calls = Array.from({ length: 100 }, () => failure(client.callTool('hang'), 'closed'));
  await Promise.all([client.close(), client.close()]);
  await Promise.all(calls);
  assert.equal((await next).done, true);
  assert.equal(client.state, 'closed');
  assert.equal(isAlive(pid), false);
  const error = await failure(client.ping(), 'closed');
  assert.equal(error.message, 'the client is closed');
  await failure(client.connect(), 'closed');
  assert.throws(() => client.info(), { status: 'closed' });
  assert.throws(() => client.notify('notifications/x'), { status: 'closed' });
  await client.close();
});

test('a client that never started closes at once', async () => {
  const client = new Client({ command: SCRIPTED });
  await client.close();
  assert.equal(client.state, 'closed');
});

test('a server that ignores everything is killed within the bound', async (t) => {
  const client = scripted(t, ['ignore-eof', 'ignore-term'], { timeouts: { exit_ms: 50, term_ms: 50 } });
  await client.connect();
  const pid = Number(client.info().pid);
  await client.close({ timeoutMs: 200 });
  assert.equal(isAlive(pid), false);
});

const START = 'const client = new Client(config); ';

/** Runs a program of its own: what it printed, how it ended, how long it took. */
async function run(/** @type {string} */ program) {
  const { spawn } = require('node:child_process');
  const head = `const { Client, textOf } = require(${JSON.stringify(path.join(__dirname, '..'))});
    const config = { command: ${JSON.stringify(SCRIPTED)}, protocol: 'legacy' };`;
  const child = spawn(process.execPath, ['-e', head + program], { stdio: ['ignore', 'pipe', 'pipe'] });
  let [out, err] = ['', ''];
  child.stdout.on('data', (data) => { out += data; });
  child.stderr.on('data', (data) => { err += data; });
  const [code, signal] = await once(child, 'close', { signal: AbortSignal.timeout(60_000) });
  return { out, err, code, signal };
}

const ends = {
  'without a close': 'client.connect().then(() => console.log(client.info().pid));',
  'with a handler and an idle stream': `client.connect().then(() => { client.onRequest('x', () => ({})); client.notifications();
    console.log(client.info().pid); });`,
  'with a reader that does not keep it alive': `client.connect().then(() => {
    client.notifications(undefined, { keepAlive: false }).next(); console.log(client.info().pid); });`,
  'after a close': 'client.connect().then(() => { console.log(client.info().pid); return client.close(); });',
  'when its work is given up': `client.connect().then(() => { console.log(client.info().pid);
    client.callTool('hang', {}, { signal: AbortSignal.timeout(50) }).catch(() => {}); });`,
};
for (const [when, program] of Object.entries(ends)) {
  test(`a program ends by itself ${when}, and its server with it`, async () => {
    const { out, err, code, signal } = await run(START + program);
    assert.deepEqual({ err, code, signal }, { err: '', code: 0, signal: null });
    await until(() => !isAlive(Number(out)), `server ${out} ends`);
  });
}

test('process.exit and an uncaught exception leave no server behind', async () => {
  for (const end of ['process.exit(3)', 'throw new Error("oops")']) {
    const { out, code } = await run(`config.args = ['ignore-eof', 'ignore-term']; const client = new Client(config);
      client.connect().then(() => { console.log(client.info().pid);
      client.callTool('hang'); setImmediate(() => { ${end} }); });`);
    assert.ok(code === 3 || code === 1, String(code));
    await until(() => !isAlive(Number(out)), `server ${out} ends after ${end}`);
  }
});

test('a program stays alive while a call or a reader waits', async () => {
  const { out } = await run(`${START} client.callTool('late', { ms: 200 }).then((it) => { console.log(textOf(it).length > 0);
    const stream = client.notifications('notifications/message'); const next = stream.next();
    setTimeout(() => client.callTool('flood', { count: 1 }), 100).unref();
    // Only the reader is left to keep the program alive.
    next.then(({ value }) => console.log(value.method)); });
    const keep = setTimeout(() => {}, 150);`);
  assert.equal(out, 'true\nnotifications/message\n');
});

/** @param {string} program */
function worker(program) {
  return new Worker(`const { parentPort } = require('node:worker_threads');
    const { Client, textOf } = require(${JSON.stringify(path.join(__dirname, '..'))});
    const client = new Client({ command: ${JSON.stringify(SCRIPTED)}, protocol: 'legacy' });
    ${program}`, { eval: true });
}

test('workers have clients of their own', async (t) => {
  const own = example(t);
  const workers = Array.from({ length: 4 }, (_, at) => worker(`Promise.all(Array.from({ length: 100 },
    (_, number) => client.callTool('echo', { text: ${at} + '/' + number }))).then((all) => parentPort.postMessage(all.map(textOf)));`));
  const answers = await Promise.all(workers.map(async (it, at) => {
    const exit = once(it, 'exit');
    const [texts] = await once(it, 'message');
    // Not closed: the worker ends all the same.
    const [code] = await exit;
    return { at, code, count: texts.length, last: texts[99] };
  }));
  assert.deepEqual(answers, [0, 1, 2, 3].map((at) => ({ at, code: 0, count: 100, last: `${at}/99` })));
  assert.equal(textOf(await own.callTool('echo', { text: 'still here' })), 'still here');
});

test('a worker that is terminated in the middle of its calls takes its server with it', async () => {
  const it = worker(`client.connect().then(() => { for (let i = 0; i < 100; i++) client.callTool('hang');
    client.connect().then(() => parentPort.postMessage(client.info().pid)); });`);
  const [pid] = await once(it, 'message');
  await it.terminate();
  assert.equal(isAlive(pid), false);
});
