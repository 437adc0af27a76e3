'use strict';

const assert = require('node:assert/strict');
const test = require('node:test');

const { RequestError, setLogger, textOf } = require('..');
const { example, scripted, failure, until } = require('./servers.js');

const WITH_LOG = { meta: { 'io.modelcontextprotocol/logLevel': 'info' } };

test('notifications are read with for await, in order', async (t) => {
  const client = example(t);
  const stream = client.notifications('notifications/message');
  await client.callTool('notify', { count: 5 }, WITH_LOG);
  const numbers = [];
  for await (const { params } of stream) {
    numbers.push(/** @type {any} */ (params.data).number);
    if (numbers.length === 5) break;
  }
  assert.deepEqual(numbers, [1, 2, 3, 4, 5]);
  assert.deepEqual(await stream.next(), { value: undefined, done: true });
});

test('a stream takes only what it was made for, and each stream gets everything', async (t) => {
  const client = example(t, { protocol: 'legacy' });
  const [all, changes, states] = [client.notifications(), client.notifications('notifications/tools/list_changed'),
    client.messages({ kinds: ['state'] })];
  await client.callTool('notify', { count: 2 });
  await client.close();
  const methods = [];
  for await (const { method } of all) methods.push(method);
  assert.deepEqual(methods, ['notifications/message', 'notifications/message',
    ...['tools', 'resources', 'prompts'].map((list) => `notifications/${list}/list_changed`)]);
  const seen = [];
  for await (const { method } of changes) seen.push(method);
  assert.deepEqual(seen, ['notifications/tools/list_changed']);
  const names = [];
  for await (const message of states) names.push(message.kind === 'state' && message.state);
  assert.deepEqual([names[0], names.at(-1)], ['starting', 'closed']);
});

test('a reader that waits is woken by the message and by the end', async (t) => {
  const client = example(t, { protocol: 'legacy' });
  const stream = client.notifications('notifications/message');
  const [first, second] = [stream.next(), stream.next()];
  await client.callTool('notify', { count: 1 });
  assert.equal((await first).value.method, 'notifications/message');
  await client.close();
  assert.equal((await second).done, true);
  assert.equal((await client.notifications().next()).done, true);
});

test('a stream ends with the reason of its signal', async (t) => {
  const controller = new AbortController();
  const stream = example(t).notifications(undefined, { signal: controller.signal });
  const waiting = stream.next();
  controller.abort();
  await assert.rejects(waiting, { name: 'AbortError' });
  assert.equal((await stream.next()).done, true);
});

test('a slow reader loses the oldest messages and is told how many', async (t) => {
  const client = example(t, { protocol: 'legacy' });
  const stream = client.messages({ kinds: ['notification', 'lost'], method: 'notifications/message', limit: 10 });
  const plain = client.notifications('notifications/message', { limit: 10 });
  await client.callTool('notify', { count: 100, changes: false });
  assert.equal(plain.lost, 90);
  await client.close();
  const messages = [];
  for await (const message of stream) messages.push(message);
  assert.deepEqual(messages[0], { kind: 'lost', count: 90 });
  assert.equal(messages.length, 11);
  const last = /** @type {any} */ (messages.at(-1));
  assert.equal(last.params.data.number, 100);
});

test('lines of the server\'s stderr come as messages where that is wanted', async (t) => {
  const client = scripted(t, ['stderr-at-start=3'], { stderr: 'message' });
  const stream = client.messages({ kinds: ['stderr'] });
  await client.connect();
  const { value } = await stream.next();
  assert.equal(value.kind, 'stderr');
  assert.equal(typeof (/** @type {any} */ (value).line), 'string');
});

for (const protocol of ['legacy', 'modern']) {
  test(`the server asks and gets its answer, ${protocol} era`, async (t) => {
    const client = example(t, { protocol, capabilities: { elicitation: {} } });
    client.onRequest('elicitation/create', async (params) => {
      // A program may call the server while it holds the server's request.
      const { content } = await client.callTool('echo', { text: params.message });
      return { action: 'accept', content: { answer: `you asked: ${content[0].text}` } };
    });
    const result = await client.callTool('ask', { question: 'why?' });
    assert.equal(textOf(result), 'you asked: why?');
  });
}

test('a handler refuses with its own code, and what it throws by mistake refuses too', async (t) => {
  const client = scripted(t, [], { capabilities: { sampling: {} } });
  const ask = async () => textOf(await client.callTool('ask_forever', { method: 'sampling/createMessage', wait_ms: 20000 }));
  client.onRequest('sampling/createMessage', () => {
    throw new RequestError(-1, 'the user refused', { by: 'hand' });
  });
  assert.match(await ask(), /-1.*the user refused/s);
  client.onRequest('sampling/createMessage', async () => {
    throw new Error('no model');
  });
  // What it was, the server need not know.
  const told = await ask();
  assert.match(told, /-32603.*the handler failed/s);
  assert.doesNotMatch(told, /no model/);
  client.onRequest('sampling/createMessage', () => 'not an object');
  assert.match(await ask(), /-32603/);
  client.onRequest('sampling/createMessage', null);
  assert.match(await ask(), /-32601.*no handler/s);
  assert.throws(() => new RequestError(1.5, 'x'), TypeError);
});

test('a handler for what the server may not ask is refused with the fix', (t) => {
  const client = example(t);
  assert.throws(() => client.onRequest('sampling/createMessage', () => ({})), /"sampling": \{\}.*capabilities/);
});

test('a handler learns that the client is closed', async (t) => {
  const client = scripted(t, [], { capabilities: { sampling: {} } });
  /** @type {AbortSignal | undefined} */
  let signal;
  client.onRequest('sampling/createMessage', (_params, context) => {
    signal = context.signal;
    return new Promise(() => {});
  });
  const call = client.callTool('ask_forever', { method: 'sampling/createMessage', wait_ms: 60000 });
  const ended = failure(call, 'closed');
  await until(() => signal !== undefined, 'the request');
  await client.close();
  assert.equal(signal?.aborted, true);
  await ended;
});

test('the logger gets records of the level that was asked for', async (t) => {
  /** @type {import('..').LogRecord[]} */
  const records = [];
  setLogger((record) => records.push(record), 'debug');
  t.after(() => setLogger(null));
  const client = example(t, { name: 'logged' });
  await client.ping().catch(() => client.listTools());
  await until(() => records.some(({ event }) => event === 'request.stop'), 'a record');
  assert.ok(records.some(({ event, client: name }) => event === 'connection.transition' && name === 'logged'));
  assert.ok(records.every(({ level }) => ['error', 'warn', 'info', 'debug'].includes(level)));
  assert.throws(() => setLogger(() => {}, /** @type {any} */ ('loud')), TypeError);
});
