// What a program's own functions may do wrong: the process goes on, the server gets its answer, and the program is told.
'use strict';

const assert = require('node:assert/strict');
const { execFileSync, spawnSync } = require('node:child_process');
const path = require('node:path');
const test = require('node:test');

const { Client, RequestError, Server, openConfig, textOf } = require('..');
const { sendable } = require('../lib/requests.js');
const { EXAMPLE, SCRIPTED, closedAfter, failure, until } = require('./servers.js');

/**
 * Runs a program with the package as `mcp`, and gives what it printed. It fails if the program does not end with 0.
 * @param {string} body
 */
function run(body) {
  const program = `const mcp = require(${JSON.stringify(path.join(__dirname, '..'))}); (async () => { ${body} })();`;
  return execFileSync(process.execPath, ['-e', program], { encoding: 'utf8', timeout: 60_000, stdio: ['ignore', 'pipe', 'pipe'] });
}

const OPEN = `const client = new mcp.Client({ command: ${JSON.stringify(EXAMPLE)}, protocol: 'legacy' });
  const heard = []; process.on('warning', (it) => heard.push(it.message));`;
const CLOSE = 'await client.close(); await new Promise(setImmediate); console.log(heard.join("; "));';

for (const [name, thrower] of [['throws', '() => { throw new Error("broken report"); }'],
  ['rejects', 'async () => { throw new Error("broken report"); }'],
  ['throws what is no error', '() => { throw Object.create(null); }']]) {
  test(`an onProgress that ${name} does not end the process, and is told as a warning`, () => {
    const out = run(`${OPEN}
      const { content } = await client.callTool('slow', { ms: 20, steps: 2 }, { onProgress: ${thrower} });
      console.log(content[0].text); ${CLOSE}`);
    assert.match(out, name === 'throws what is no error' ? /onProgress/ : /onProgress.*broken report/s);
  });
}

test('a logger that throws does not end the process', () => {
  run(`${OPEN} mcp.setLogger(() => { throw new Error('broken log'); }, 'debug');
    await client.callTool('echo', { text: 'x' }); ${CLOSE}`);
});

/** @param {import('node:test').TestContext} t */
function sampled(t) {
  const client = closedAfter(t, new Client({ command: SCRIPTED, protocol: 'legacy', capabilities: { sampling: {} } }));
  /** @type {{ error: any, operation: string }[]} */
  const failures = [];
  client.onFailure((error, { operation }) => failures.push({ error, operation }));
  const ask = async () => textOf(await client.callTool('ask_forever', { method: 'sampling/createMessage', wait_ms: 20_000 }));
  return { client, failures, ask };
}

const cyclic = /** @type {any} */ ({});
cyclic.self = cyclic;
let deep = [];
for (let depth = 0; depth < 3000; depth++) deep = [deep];

for (const [name, data] of /** @type {[string, unknown][]} */ ([['a BigInt', 1n], ['a cycle', cyclic], ['a function', () => 1],
  ['what throws when it is written', { toJSON() { throw new Error('no'); } }], ['far too deep', deep]])) {
  test(`a refusal with data that JSON cannot hold (${name}) is answered without it`, async (t) => {
    const { client, ask } = sampled(t);
    client.onRequest('sampling/createMessage', () => {
      throw new RequestError(-32050, 'busy', data);
    });
    assert.match(await ask(), /-32050.*busy/s);
  });
}

for (const [name, thrown] of /** @type {[string, unknown][]} */ ([['an object without a prototype', Object.create(null)],
  ['undefined', undefined], ['an error whose text is no text', Object.assign(new Error('x'), { message: 7 })],
  ['an error whose text cannot be read', Object.defineProperty(new Error('x'), 'message', { get() { throw new Error('no'); } })],
  ['a NUL', new Error('a\0b')], ['half a surrogate', new Error('\ud800')]])) {
  test(`what a handler throws (${name}) refuses the request`, async (t) => {
    const { client, ask, failures } = sampled(t);
    client.onRequest('sampling/createMessage', () => {
      throw thrown;
    });
    assert.match(await ask(), /-32603/);
    assert.equal(failures.length, 1);
    assert.equal(failures[0].error, thrown);
    assert.equal(failures[0].operation, 'sampling/createMessage');
  });
}

test('a result that JSON cannot hold refuses the request, and the program is told', async (t) => {
  const { client, ask, failures } = sampled(t);
  client.onRequest('sampling/createMessage', () => ({ count: 1n }));
  assert.match(await ask(), /-32603/);
  assert.match(failures[0].error.message, /BigInt/);
});

test('a handler that throws after it has answered is told, and a failing onFailure is a warning', () => {
  const out = run(`const client = new mcp.Client({ command: ${JSON.stringify(EXAMPLE)}, protocol: 'legacy', capabilities: { elicitation: {} } });
    const heard = []; process.on('warning', (it) => heard.push(it.message));
    client.onFailure((error) => { console.log(error.message); throw new Error('told badly'); });
    client.onRequest('elicitation/create', (_, { decline }) => { decline(); throw new Error('too late'); });
    console.log(mcp.textOf(await client.callTool('ask', { question: '?' }))); ${CLOSE}`);
  assert.match(out, /too late/);
  assert.match(out, /told badly/);
});

test('a call whose arguments JSON cannot hold rejects', async (t) => {
  const client = closedAfter(t, new Client({ command: EXAMPLE }));
  await assert.rejects(client.callTool('echo', { text: 1n }), TypeError);
  await assert.rejects(client.call('tools/list', cyclic), TypeError);
  await assert.rejects(client.loadSkill(cyclic), TypeError);
});

test('a signal may be aborted for any reason', async (t) => {
  const client = closedAfter(t, new Client({ command: SCRIPTED, protocol: 'legacy' }));
  await client.connect();
  const reason = Object.create(null);
  const controller = new AbortController();
  const call = client.callTool('hang', {}, { signal: controller.signal });
  await until(() => client.info().pending_calls === 1, 'the call');
  controller.abort(reason);
  assert.equal(await call.catch((error) => error), reason);
});

test('a time may be without a limit, and an invalid one is refused by its own name', async (t) => {
  const client = closedAfter(t, new Client({ command: EXAMPLE, protocol: 'legacy' }));
  await client.connect({ timeoutMs: Infinity });
  const echo = (/** @type {any} */ options) => client.callTool('echo', { text: 'x' }, options);
  assert.equal(textOf(await echo({ timeoutMs: Infinity, maxTotalMs: Infinity })), 'x');
  assert.equal(textOf(await echo({ timeoutMs: 20_000.5 })), 'x');
  for (const wrong of [NaN, -Infinity, -5, '5', null, 0]) {
    await assert.rejects(echo({ timeoutMs: wrong }), { name: 'TypeError', message: /^timeoutMs .*Infinity/ });
    await assert.rejects(echo({ maxTotalMs: wrong }), { name: 'TypeError', message: /^maxTotalMs / });
  }
  for (const wrong of [NaN, -Infinity, -5, '5', null]) {
    await assert.rejects(client.connect({ timeoutMs: /** @type {any} */ (wrong) }), { name: 'TypeError', message: /^timeoutMs / });
    await assert.rejects(client.close({ timeoutMs: /** @type {any} */ (wrong) }), { name: 'TypeError', message: /^timeoutMs / });
  }
  assert.equal(client.state, 'ready');
  await client.close({ timeoutMs: Infinity });
});

test('errors have the names that the program has written', async (t) => {
  const client = closedAfter(t, new Client({ command: SCRIPTED, protocol: 'legacy' }));
  const late = await failure(client.callTool('hang', {}, { timeoutMs: 30 }), 'timeout');
  assert.match(late.message, /timeoutMs/);
  assert.doesNotMatch(late.message, /timeout_ms/);
  const wrong = await failure(client.callTool('echo', {}, { resetOnProgress: /** @type {any} */ (1) }), 'invalid_argument');
  assert.match(wrong.message, /'resetOnProgress'/);
  assert.equal(wrong.details.key, 'resetOnProgress');
  const unknown = await failure(client.callTool('echo', {}, /** @type {any} */ ({ timeoutMS: 5 })), 'invalid_argument');
  assert.match(unknown.message, /'timeoutMS'.*'timeoutMs'/);
  const server = await failure(client.callTool('timeout_ms'), 'server');
  assert.match(server.message, /timeout_ms/);
  await assert.rejects(client.callTool(/** @type {any} */ (7)), { name: 'TypeError', message: 'name must be a string' });
  await assert.rejects(client.readResource(/** @type {any} */ (undefined)), { name: 'TypeError', message: 'uri must be a string' });
  await assert.rejects(client.getTask('a\0b'), { name: 'TypeError', message: 'id must not hold a NUL character' });
  assert.throws(() => client.messages({ kinds: /** @type {any} */ ('state') }), { name: 'TypeError', message: /^kinds / });
});

test('the warning of a handler that throws shows where, and its cause', () => {
  const program = `const mcp = require(${JSON.stringify(path.join(__dirname, '..'))});
    const server = new mcp.Server({ name: 'warns' });
    function deepInTheShop() { throw new Error('the stock is empty', { cause: new Error('the database is down') }); }
    server.tool('x', {}, () => deepInTheShop());
    const client = server.client();
    client.callTool('x').then(() => client.close()).then(() => server.close());`;
  const { stderr } = spawnSync(process.execPath, ['-e', program], { encoding: 'utf8', timeout: 60_000 });
  assert.match(stderr, /LibmcpWarning: .*the stock is empty[^]*at deepInTheShop[^]*the database is down/);
});

test('the warning of a handler that throws shows no other properties of its error', () => {
  const program = `const mcp = require(${JSON.stringify(path.join(__dirname, '..'))});
    const server = new mcp.Server({ name: 'warns' });
    const config = { headers: { authorization: 'Bearer hunter2' } };
    const inner = Object.assign(new Error('the database is down'), { config });
    inner.cause = Object.assign(new Error('the cable is cut', { cause: config }), { request: config });
    const outer = Object.assign(new Error('the stock is empty', { cause: inner }), { config, token: 'hunter2' });
    const round = new Error('it goes round');
    round.cause = new Error('and round', { cause: round });
    const odd = new Error('no cause can be read');
    Object.defineProperty(odd, 'cause', { get() { throw new Error('unreadable'); } });
    const bare = Object.assign(new Error('without a stack'), { stack: undefined, token: 'hunter2' });
    const several = new Error('nothing answers', { cause: new AggregateError([new Error('the first address'), new Error('the second address')]) });
    const thrown = { outer, round, odd, bare, several };
    for (const name in thrown) server.tool(name, {}, () => { throw thrown[name]; });
    const client = server.client();
    Promise.all(Object.keys(thrown).map((name) => client.callTool(name))).then(() => client.close()).then(() => server.close());`;
  const { stderr } = spawnSync(process.execPath, ['-e', program], { encoding: 'utf8', timeout: 60_000 });
  assert.match(stderr, /the stock is empty[^]*caused by: Error: the database is down[^]*caused by: Error: the cable is cut/);
  assert.equal(stderr.match(/caused by: Error: and round/g)?.length, 1, stderr);
  assert.match(stderr, /nothing answers[^]*caused by: AggregateError[^]*caused by: Error: the first address[^]*caused by: Error: the second address/);
  for (const said of ['no cause can be read', 'without a stack']) assert.ok(stderr.includes(said), stderr);
  assert.doesNotMatch(stderr, /hunter2/);
});

for (const [content, tools, sent] of /** @type {[any, any, any][]} */ ([
  [[{ type: 'text', text: 'four' }], undefined, { type: 'text', text: 'four' }],
  [{ type: 'text', text: 'four' }, undefined, { type: 'text', text: 'four' }],
  [[{ type: 'text', text: 'four' }], [], [{ type: 'text', text: 'four' }]],
  [[{ type: 'text', text: 'a' }, { type: 'text', text: 'b' }], undefined, [{ type: 'text', text: 'a' }, { type: 'text', text: 'b' }]],
])) {
  test(`an answer of a model is sent as the request asks for it: ${JSON.stringify(content)}, ${JSON.stringify(tools)}`, () => {
    const result = { role: 'assistant', model: 'm', content };
    assert.deepEqual(sendable('sampling/createMessage', tools === undefined ? {} : { tools }, result).content, sent);
    assert.equal(sendable('com.example/other', {}, result), result);
    assert.equal(sendable('sampling/createMessage', {}, undefined), undefined);
  });
}

test('an option that a function does not have is refused in place of being dropped', async () => {
  const server = new Server({ name: 'x', version: '1' });
  const client = server.client();
  const odd = /** @type {any} */ ({ timeout: 5 });
  /** @type {[string, () => unknown][]} */
  const uses = [
    ['connect', () => client.connect(odd)], ['close', () => client.close(odd)], ['logout', () => client.logout(odd)],
    ['messages', () => client.messages(odd)], ['close', () => server.close(odd)], ['notify', () => server.notify('a/b', {}, odd)],
    ['call', () => server.call(1, 'ping', {}, odd)], ['skills', () => server.skills('folder', odd)],
    ['method', () => server.method('a/b', odd, () => ({}))], ['openConfig', () => openConfig('file', odd)],
  ];
  for (const [name, use] of uses) {
    await assert.rejects(async () => use(), (error) => error instanceof TypeError && error.message.startsWith(`${name} has no option 'timeout'; it has `), name);
  }
  await assert.rejects(async () => client.connect(/** @type {any} */ ('http://a.example/')), /connect takes an object/);
  // A signal has no members of its own, so that it would be dropped without a word.
  const controller = /** @type {any} */ (new AbortController());
  /** @type {[() => unknown, RegExp][]} */
  const signals = [
    [() => client.connect(controller.signal), /^connect takes a signal as a member of its options: \{ signal \}; it was given an AbortSignal/],
    [() => client.messages(controller), /^messages takes a signal as a member .* given an AbortController/],
    [() => client.ping(controller.signal), /^a call takes a signal as a member /],
    [() => client.close(controller.signal), /^close takes no signal; it was given an AbortSignal/],
    [() => server.call(1, 'ping', {}, controller.signal), /^call takes no signal/],
  ];
  for (const [use, message] of signals) await assert.rejects(async () => use(), { name: 'TypeError', message });
  await client.close();
  await server.close();
});
