'use strict';

const assert = require('node:assert/strict');
const test = require('node:test');

const { Client, McpError, expandTemplate, textOf } = require('..');
const { example, scripted, failure } = require('./servers.js');

for (const protocol of ['legacy', 'modern']) {
  test(`a call gives its result, ${protocol} era`, async (t) => {
    const client = example(t, { protocol });
    assert.equal(client.state, 'idle');
    assert.equal(textOf(await client.callTool('echo', { text: 'ünïcödé ☃\u0000"' })), 'ünïcödé ☃\u0000"');
    assert.deepEqual((await client.callTool('add', { a: 2, b: 3 })).structuredContent, { sum: 5 });
    assert.equal(client.state, 'ready');
    assert.equal(client.info().era, protocol);
  });
}

test('lists come whole, over all their pages', async (t) => {
  const client = example(t, { args: ['--page-size', '1'] });
  const names = (await client.listTools()).map(({ name }) => name);
  assert.ok(names.length > 5 && names.includes('echo') && new Set(names).size === names.length, String(names));
  assert.equal((await client.listResources()).length, 2);
  assert.equal((await client.listResourceTemplates())[0].uriTemplate, 'demo://greeting/{name}');
  assert.equal((await client.listPrompts())[0].name, 'greet');
  assert.equal(/** @type {any} */ (client.info().counters).calls, 4);
  await failure(example(t, { args: ['--page-size', '1'], limits: { list_pages: 2 } }).listTools(), 'too_large');
});

test('a list whose cursors go in circles is an error', async (t) => {
  await failure(scripted(t, ['cursor-loop']).listTools(), 'protocol');
  await failure(scripted(t, ['endless-pages']).listTools(), 'too_large');
});

for (const protocol of ['legacy', 'modern']) test(`every feature has a method, ${protocol} era`, async (t) => {
  const client = example(t, { protocol });
  assert.equal(textOf(await client.readResource('demo://greeting/Ada')), 'Hello, Ada!');
  assert.match(textOf(await client.getPrompt('greet', { name: 'Ada' })), /friendly greeting for Ada/);
  const { values } = await client.complete({ type: 'ref/prompt', name: 'greet' }, { name: 'name', value: 'a' });
  assert.deepEqual(values, ['Ada', 'Alan']);
  await client.complete({ type: 'ref/prompt', name: 'greet' }, { name: 'name', value: 'a', settled: { other: 'x' } });
  await client.setLogLevel('error');
  await client.ping();
  await client.subscribe('demo://greeting');
  await client.unsubscribe('demo://greeting');
  client.clearCache();
});

test('a feature that the server lacks is unsupported', async (t) => {
  await failure(scripted(t, []).listPrompts(), 'unsupported');
});

test('a template is expanded', () => {
  assert.equal(expandTemplate('demo://{name}{?x}', { name: 'Ada L.' }), 'demo://Ada%20L.');
  assert.throws(() => expandTemplate('{'), { status: 'invalid_argument' });
});

test('an error of the server keeps its code, message and data', async (t) => {
  const client = scripted(t, []);
  const call = client.callTool('error', { code: -32123, message: 'not today', data: { until: 'tomorrow' } });
  const error = await failure(call, 'server');
  assert.ok(error instanceof McpError && error instanceof Error);
  assert.equal(error.name, 'McpError');
  assert.equal(error.code, -32123);
  assert.equal(error.message, 'not today');
  assert.deepEqual(error.data, { until: 'tomorrow' });
  assert.equal(error.operation, 'tools/call');
});

test('a tool that failed is a result', async (t) => {
  assert.equal((await example(t).callTool('fail')).isError, true);
});

test('a call ends at its timeout', async (t) => {
  const error = await failure(scripted(t, []).callTool('hang', {}, { timeoutMs: 50 }), 'timeout');
  assert.equal(error.details.sent, true);
  assert.equal(error.retryable, false, 'the tool may have run');
});

test('a signal that aborts ends the call with its reason, and the server is told', async (t) => {
  const client = scripted(t, []);
  await client.connect();
  const controller = new AbortController();
  const call = client.callTool('hang', {}, { signal: controller.signal });
  const reason = new Error('changed my mind');
  controller.abort(reason);
  await assert.rejects(call, (error) => error === reason);
  const { structuredContent } = await client.callTool('received');
  assert.equal(structuredContent.counts['notifications/cancelled'], 1);
});

test('a signal that aborted before ends the call before it starts', async (t) => {
  const client = example(t);
  await assert.rejects(client.ping({ signal: AbortSignal.abort() }), { name: 'AbortError' });
  await assert.rejects(client.connect({ signal: AbortSignal.abort() }), { name: 'AbortError' });
  assert.equal(client.state, 'idle');
});

test('a signal that aborts after the reply changes nothing', async (t) => {
  const controller = new AbortController();
  const result = await example(t).callTool('echo', { text: 'done' }, { signal: controller.signal });
  controller.abort();
  assert.equal(textOf(result), 'done');
});

test('one signal ends a thousand calls without a warning', async (t) => {
  /** @type {Error[]} */
  const warnings = [];
  const listen = (/** @type {Error} */ warning) => warnings.push(warning);
  process.on('warning', listen);
  t.after(() => process.off('warning', listen));
  const client = scripted(t, []);
  await client.connect();
  const controller = new AbortController();
  const calls = Array.from({ length: 1000 }, () => client.callTool('hang', {}, { signal: controller.signal }));
  controller.abort();
  const ends = await Promise.allSettled(calls);
  assert.ok(ends.every((end) => end.status === 'rejected' && end.reason.name === 'AbortError'));
  assert.deepEqual(warnings, []);
});

test('progress comes while the call runs', async (t) => {
  /** @type {number[]} */
  const steps = [];
  const onProgress = (/** @type {import('..').Progress} */ it) => steps.push(it.progress);
  await example(t).callTool('slow', { ms: 30, steps: 3 }, { onProgress });
  assert.deepEqual(steps, [1, 2, 3]);
});

test('a thousand concurrent calls each get their own answer', async (t) => {
  const client = example(t);
  const texts = Array.from({ length: 1000 }, (_, at) => `text ${at}`);
  const answers = await Promise.all(texts.map((text) => client.callTool('echo', { text })));
  assert.deepEqual(answers.map(textOf), texts);
});

test('a large result arrives intact', async (t) => {
  const text = textOf(await example(t).callTool('big', { bytes: 5_000_000 }));
  assert.equal(text.length, 5_000_000);
});

test('what is wrong with a configuration is told at once', () => {
  assert.throws(() => new Client(/** @type {any} */ ({ command: 'x', reconect: false })), (/** @type {any} */ error) => {
    assert.equal(error.status, 'invalid_argument');
    assert.match(error.message, /reconect.*reconnect/s);
    return true;
  });
  assert.throws(() => new Client({ command: 'x', limits: { overflow: /** @type {any} */ ('wait') } }), /overflow/);
});

test('what is wrong with a call is told before it is sent', async (t) => {
  const client = example(t);
  const error = await failure(client.call('ping', undefined, /** @type {any} */ ({ timeout: 5 })), 'invalid_argument');
  assert.match(error.message, /timeoutMs/);
  await failure(client.call('ping', [1]), 'invalid_argument');
  await assert.rejects(client.call('pi\0ng'), TypeError);
  await assert.rejects(client.call(/** @type {any} */ (7)), TypeError);
  await assert.rejects(client.call('ping', { big: 1n }), TypeError);
});

test('a notification needs a connection', async (t) => {
  const client = scripted(t, []);
  assert.throws(() => client.notify('notifications/roots/list_changed'), { status: 'unavailable' });
  await client.connect();
  client.notify('notifications/roots/list_changed', {});
  const { structuredContent } = await client.callTool('received');
  assert.equal(structuredContent.counts['notifications/roots/list_changed'], 1);
});
