// Servers of a program with clients in the same process, in both eras. serving.test.js has those of others.
'use strict';

const assert = require('node:assert/strict');
const { spawnSync } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const test = require('node:test');
const { once } = require('node:events');

const { z } = require('zod');

const { Client, McpError, NotFoundError, RequestError, Server, ToolError, textOf, withJsonSchema } = require('..');
const { failure, until } = require('./servers.js');

/** @param {import('node:test').TestContext} t @param {Omit<import('..').ServerConfig, 'name'>} [config] */
function serverFor(t, config) {
  const server = new Server({ name: 'tested', version: '1.0', ...config });
  /** @type {[string, any][]} */
  const failures = [];
  server.onFailure((error, { operation }) => failures.push([operation, error]));
  t.after(() => server.close());
  return { server, failures };
}

/**
 * Schemas of no library, as the text of the Standard Schema describes them. What fits becomes another value; a path has
 * names and segments.
 */
function schemasByHand() {
  const check = (/** @type {any} */ value) => {
    const city = value?.at?.city;
    if (city === '') return { issues: [{ message: 'is empty', path: ['at', { key: 'city' }] }, { message: 'go away' }] };
    return typeof city === 'string' ? { value: { city: city.toUpperCase() } } : { issues: [{ message: `is ${typeof city}`, path: ['at'] }] };
  };
  const later = async (/** @type {unknown} */ value) => {
    await new Promise((resolve) => { setImmediate(resolve); });
    return check(value);
  };
  const jsonSchema = {
    input: (/** @type {{ target: string }} */ { target }) => ({ type: 'object', required: ['at'], $comment: target }),
    output: (/** @type {{ target: string }} */ { target }) => ({ type: 'object', required: ['city'], $comment: target }),
  };
  const schema = (/** @type {(value: unknown) => unknown} */ validate) => (
    { '~standard': { version: /** @type {const} */ (1), vendor: 'by hand', validate, jsonSchema } });
  const pair = (/** @type {(value: unknown) => unknown} */ validate) => (
    withJsonSchema({ '~standard': { version: 1, vendor: 'mute', validate } }, { type: 'object' }));
  // Libraries have functions as schemas, too.
  return { 'at once': schema(check), later: schema(later), function: Object.assign(() => {}, schema(check)), paired: pair(check), 'paired later': pair(later) };
}

for (const protocol of /** @type {const} */ (['modern', 'legacy'])) {
  /** @param {import('node:test').TestContext} t @param {Server} server @param {import('..').Handlers} [handlers] */
  const clientOf = (t, server, handlers) => {
    const client = server.client({ protocol, capabilities: { extensions: { 'com.example/math': {} } } }, handlers);
    t.after(() => client.close());
    return client;
  };

  test(`${protocol}: tools have the types of their schemas, and results are checked`, async (t) => {
    const { server, failures } = serverFor(t);
    server.tool('zod', { inputSchema: z.object({ n: z.number(), times: z.number().default(2) }), outputSchema: z.object({ product: z.number() }) },
      async ({ n, times }) => ({ product: n * times }));
    server.tool('even', { inputSchema: z.object({ n: z.number().refine((n) => n % 2 === 0, 'is odd') }) }, ({ n }) => `${n / 2}`);
    server.tool('json', { inputSchema: { type: 'object', properties: { a: { type: 'number' } }, required: ['a'] }, outputSchema: { type: 'object', required: ['b'] } },
      ({ a }) => ({ structuredContent: { b: a }, content: [{ type: 'text', text: 'as I say' }] }));
    server.tool('blocks', {}, () => ['one', { type: 'text', text: 'two' }]);
    server.tool('nothing', {}, () => {});
    server.tool('nul', {}, () => 'a\0b');
    server.tool('unfit', { outputSchema: z.object({ b: z.number() }) }, () => /** @type {any} */ ({ b: 'secret' }));
    server.tool('unfit json', { outputSchema: { type: 'object', required: ['b'] } }, () => ({ c: 'secret' }));
    server.tool('block', {}, () => ({ type: 'text', text: 'alone' }));
    server.tool('odd', {}, () => /** @type {any} */ (5));
    server.tool('odd list', {}, () => /** @type {any} */ ([5]));
    server.tool('odd object', {}, () => /** @type {any} */ (new Map()));
    const client = clientOf(t, server);

    assert.deepEqual((await client.callTool('zod', { n: 3 })).structuredContent, { product: 6 });
    assert.equal(textOf(await client.callTool('zod', { n: 3 })), '{"product":6}');
    assert.equal(textOf(await client.callTool('even', { n: 4 })), '2');
    const odd = await client.callTool('even', { n: 3 });
    assert.deepEqual([odd.isError, textOf(odd)], [true, 'n: is odd']);
    const typed = await client.callTool('zod', { n: 3 }, { resultSchema: z.object({ product: z.number().transform((n) => `${n}`) }) });
    assert.equal(typed.structuredContent?.product, '6');
    const unfit = await failure(client.callTool('zod', { n: 3 }, { resultSchema: z.object({ product: z.string() }) }), 'protocol');
    assert.match(unfit.message, /does not fit resultSchema: product: /);
    const wrong = await client.callTool('zod', { n: 'three' });
    assert.match(textOf(wrong), /arguments of the tool 'zod' are wrong: \/n/);
    const json = await client.callTool('json', { a: 5 });
    assert.deepEqual([json.structuredContent, textOf(json)], [{ b: 5 }, 'as I say']);
    assert.equal(textOf(await client.callTool('blocks')), 'one\ntwo');
    assert.equal(textOf(await client.callTool('block')), 'alone');
    assert.deepEqual((await client.callTool('nothing')).content, []);
    assert.equal(textOf(await client.callTool('nul')), 'a\0b');
    assert.equal(failures.length, 0);
    for (const name of ['unfit', 'unfit json', 'odd', 'odd list', 'odd object']) {
      const result = await client.callTool(name).catch((/** @type {McpError} */ error) => error);
      assert.doesNotMatch(JSON.stringify(result), /secret/);
      const told = failures.pop();
      assert.equal(told?.[0], `tools/call ${name}`);
      assert.match(told?.[1].message, name === 'odd list' ? /not a list with a number/ : name === 'odd object' ? /not a Map/ : /outputSchema|structuredContent/);
    }
    const { tools } = await client.page('tools/list');
    assert.deepEqual(tools[0]?.inputSchema, { type: 'object', properties: { n: { type: 'number' }, times: { type: 'number', default: 2 } }, required: ['n'] });
  });

  for (const [name, schema] of Object.entries(schemasByHand())) {
    test(`${protocol}: a schema of any library is asked: ${name}`, async (t) => {
      const { server, failures } = serverFor(t);
      /** @type {any[]} */
      const got = [];
      server.tool('takes', { inputSchema: schema }, (args) => { got.push(args); });
      server.tool('gives', { inputSchema: { type: 'object' }, outputSchema: schema }, (args) => args);
      const client = clientOf(t, server);
      const { tools } = await client.page('tools/list');
      const said = [tools[0]?.inputSchema, tools[1]?.outputSchema];
      const json = (/** @type {string} */ key) => ({ type: 'object', required: [key], $comment: 'draft-2020-12' });
      assert.deepEqual(said, name.startsWith('paired') ? [{ type: 'object' }, { type: 'object' }] : [json('at'), json('city')]);

      await client.callTool('takes', { at: { city: 'Bern' } });
      assert.deepEqual((await client.callTool('gives', { at: { city: 'Bern' } })).structuredContent, { city: 'BERN' });
      const typed = await failure(client.callTool('gives', { at: { city: 'Bern' } }, { resultSchema: schema }), 'protocol');
      assert.match(typed.message, /does not fit resultSchema: at: is undefined/);
      for (const [city, issues] of /** @type {const} */ ([['', 'at.city: is empty; go away'], [5, 'at: is number']])) {
        const wrong = await client.callTool('takes', { at: { city } });
        assert.deepEqual([wrong.isError, textOf(wrong)], [true, issues]);
        assert.equal(failures.length, 0, 'what a client does wrong is no failure of the program');
        const unfit = await client.callTool('gives', { at: { city } });
        assert.deepEqual([unfit.isError, textOf(unfit)], [true, 'The tool failed.']);
        assert.ok(failures.pop()?.[1].message.endsWith(issues));
      }
      assert.deepEqual(got, [{ city: 'BERN' }], 'the handler gets only what fits');
    });
  }

  test(`${protocol}: what handlers throw is answered with a neutral text, and told to the program`, async (t) => {
    const { server, failures } = serverFor(t);
    const thrown = [new Error('secret'), 'secret', null, undefined, Object.create(null)];
    server.tool('sync', { inputSchema: { type: 'object' } }, ({ at }) => { throw thrown[Number(at)]; });
    server.tool('async', { inputSchema: { type: 'object' } }, async ({ at }) => { throw thrown[Number(at)]; });
    // eslint-disable-next-line unicorn/no-thenable
    server.tool('thenable', {}, () => /** @type {any} */ ({ then() { throw new Error('secret'); } }));
    server.tool('said', {}, () => { throw new ToolError('there is no tea'); });
    server.tool('refused', {}, () => { throw new RequestError(4711, 'not now', { later: true }); });
    server.tool('circular', {}, () => { throw new RequestError(4711, 'not now', thrown[5]); });
    server.resource({ uri: 'x://fails', name: 'fails' }, () => { throw new Error('secret'); });
    server.resource({ uri: 'x://gone', name: 'gone' }, () => { throw new NotFoundError(); });
    const circular = {};
    Object.assign(circular, { circular });
    thrown.push(circular);
    const client = clientOf(t, server);
    for (const name of ['sync', 'async']) {
      for (let at = 0; at < 5; at++) {
        const result = await client.callTool(name, { at });
        assert.deepEqual([result.isError, textOf(result)], [true, 'The tool failed.']);
        assert.deepEqual(failures.pop(), [`tools/call ${name}`, thrown[at]]);
      }
    }
    assert.equal(textOf(await client.callTool('thenable')), 'The tool failed.');
    assert.equal(failures.pop()?.[1].message, 'secret');
    const said = await client.callTool('said');
    assert.deepEqual([said.isError, textOf(said)], [true, 'there is no tea']);
    const refused = await failure(client.callTool('refused'), 'server');
    assert.deepEqual([refused.code, refused.data], [4711, { later: true }]);
    assert.equal(failures.length, 0);
    assert.equal(textOf(await client.callTool('circular')), 'The tool failed.');
    assert.match(failures.pop()?.[1].message, /circular/i);
    const broken = await failure(client.readResource('x://fails'), 'server');
    assert.deepEqual([broken.code, /secret/.test(broken.message)], [-32603, false]);
    assert.equal(failures.pop()?.[0], 'resources/read x://fails');
    assert.match(String((await failure(client.readResource('x://gone'), 'server')).code), /-32602|-32002/);
    // A hook that fails itself is a warning.
    server.onFailure(() => { throw new Error('the hook'); });
    const warned = once(process, 'warning');
    assert.equal(textOf(await client.callTool('sync', { at: 0 })), 'The tool failed.');
    assert.match((await warned)[0].message, /onFailure.*the hook/);
  });

  test(`${protocol}: a handler that asks runs again with the answers`, async (t) => {
    const { server, failures } = serverFor(t);
    let runs = 0;
    let cleaned = 0;
    server.tool('order', {}, async (_args, request) => {
      runs++;
      try {
        const form = await request.elicit('size', { message: 'Which size?', schema: z.object({ size: z.enum(['small', 'large']), mail: z.email() }) });
        if (form.action !== 'accept') return `it was ${form.action}`;
        request.state ??= { price: 5 };
        const [model, roots] = await Promise.all([
          request.sample('poem', { maxTokens: 9, messages: [{ role: 'user', content: { type: 'text', text: 'tea' } }] }), request.roots()]);
        const { price } = /** @type {any} */ (request.state);
        return `${form.content.size} ${form.content.mail} ${/** @type {any} */ (model.content).text} ${roots[0]?.uri} ${price} ${request.round}`;
      } finally {
        cleaned++;
      }
    });
    // What it returns while it has asked does not matter, nor that it does not wait.
    server.tool('careless', {}, async (_args, request) => {
      const asked = request.elicit('x', { message: 'x', schema: { type: 'object', properties: {} } });
      return asked.then(() => 'asked', () => 'swallowed');
    });
    const client = clientOf(t, server, {
      elicitation: () => ({ action: 'accept', content: { size: 'large', mail: 'a@b.example' } }),
      sampling: ({ messages }) => ({ role: 'assistant', model: 'm', content: { type: 'text', text: `on ${/** @type {any} */ (messages[0]?.content).text}` } }),
      roots: () => ['file:///home'],
    });
    assert.match(textOf(await client.callTool('order')), /^large a@b.example on tea file:\/\/\/home 5 [12]$/);
    assert.equal(cleaned, runs);
    const without = clientOf(t, server);
    const result = await without.callTool('order').catch((error) => error);
    assert.ok(result instanceof McpError || result.isError);
    assert.equal((failures.pop()?.[1] ?? result).status, 'unsupported');
    const patient = clientOf(t, server, { elicitation: () => ({ action: 'decline' }) });
    assert.equal(textOf(await patient.callTool('order')), 'it was decline');
    assert.equal(textOf(await client.callTool('careless')), 'asked');
  });

  test(`${protocol}: progress, log messages, and the signal of what is not wanted any more`, async (t) => {
    const { server, failures } = serverFor(t, { announce: { logging: true } });
    /** @type {unknown[]} */
    const reasons = [];
    server.tool('works', {}, (_args, request) => {
      const sent = [1, 2, 2].map((n) => request.progress(n, 3, `at ${n}`));
      request.log('warning', { careful: true }, 'kettle');
      return sent.join();
    });
    let started = 0;
    const hurried = serverFor(t, { timeouts: { request_ms: 300 } });
    for (const it of [server, hurried.server]) {
      it.tool('waits', {}, async (_args, request) => {
        started++;
        await once(request.signal, 'abort');
        reasons.push(request.signal.reason.status);
        assert.equal(request.isCancelled, true);
        assert.equal(request.progress(1), false);
        throw request.signal.reason;
      });
    }
    const client = clientOf(t, server);
    /** @type {any[]} */
    const seen = [];
    assert.equal(textOf(await client.callTool('works', {}, { onProgress: (it) => seen.push(it), logLevel: 'debug' })), 'true,true,false');
    assert.deepEqual(seen.map(({ progress, total, message }) => [progress, total, message]), [[1, 3, 'at 1'], [2, 3, 'at 2']]);
    const aborted = new AbortController();
    const rejected = assert.rejects(client.callTool('waits', {}, { signal: aborted.signal }), /enough/);
    await until(() => started === 1, 'the request');
    aborted.abort(new Error('enough'));
    await rejected;
    await until(() => reasons.length === 1, 'the signal');
    await assert.rejects(clientOf(t, hurried.server).callTool('waits'));
    await until(() => reasons.length === 2, 'the deadline');
    assert.deepEqual(reasons, ['cancelled', 'timeout']);
    assert.deepEqual([failures.length, hurried.failures.length], [0, 0]);
  });

  test(`${protocol}: resources, templates, prompts, completions, methods`, async (t) => {
    const { server } = serverFor(t);
    server.resource({ uri: 'x://text', name: 'text', mimeType: 'text/plain' }, 'fixed');
    server.resource({ uri: 'x://blob', name: 'blob' }, new Uint8Array([1, 2, 3]));
    server.resource({ uri: 'x://read', name: 'read', mimeType: 'text/x' }, (uri, request) => [`${uri} ${request.method}`, new Uint8Array([255])]);
    server.resourceTemplate({ uriTemplate: 'city://{name}', name: 'city', complete: { name: (value) => [`${value}me`] } },
      ({ name }) => ({ text: `It rains in ${name}.` }));
    server.folder({ uriTemplate: 'here:///{+path}', name: 'here' }, __dirname);
    server.prompt('review', { title: 'Review', argsSchema: z.object({ code: z.string().describe('what to read'), style: z.string().optional() }), complete: { style: ['short', 'long'] } },
      ({ code, style }) => [`Review ${code}.`, { role: 'assistant', content: { type: 'text', text: style ?? 'any' } }]);
    server.method('com.example/double', { capability: 'com.example/math', params: z.looseObject({ n: z.number() }) }, ({ n }) => ({ double: n * 2 }));
    const client = clientOf(t, server);
    assert.equal(textOf(await client.readResource('x://text')), 'fixed');
    assert.equal(/** @type {any} */ ((await client.readResource('x://blob')).contents[0]).blob, 'AQID');
    const { contents } = await client.readResource('x://read');
    assert.deepEqual(contents, [{ uri: 'x://read', mimeType: 'text/x', text: 'x://read resources/read' }, { uri: 'x://read', mimeType: 'text/x', blob: '/w==' }]);
    assert.equal(textOf(await client.readResource('city://Rome')), 'It rains in Rome.');
    assert.match(textOf(await client.readResource('here:///server.test.js')), /the same process/);
    assert.deepEqual((await client.complete({ type: 'ref/resource', uri: 'city://{name}' }, { name: 'name', value: 'Ro' })).values, ['Rome']);
    assert.deepEqual((await client.complete({ type: 'ref/prompt', name: 'review' }, { name: 'style', value: 's' })).values, ['short']);
    const [prompt] = await client.listPrompts();
    assert.deepEqual(prompt?.arguments, [{ name: 'code', description: 'what to read', required: true }, { name: 'style', required: false }]);
    const { messages } = await client.getPrompt('review', { code: 'x' });
    assert.deepEqual(messages.map(({ role, content }) => [role, /** @type {any} */ (content).text]), [['user', 'Review x.'], ['assistant', 'any']]);
    assert.deepEqual((await client.call('com.example/double', { n: 4 })).double, 8);
    assert.equal((await failure(client.call('com.example/double', { n: 'x' }), 'server')).code, -32602);
  });

  test(`${protocol}: what is added and removed, and what has changed, is told`, async (t) => {
    const { server } = serverFor(t, { announce: { tools: true }, page_size: 10 });
    server.resource({ uri: 'x://now', name: 'now' }, () => 'now');
    for (let i = 0; i < 25; i++) server.tool(`tool${i}`, {}, () => 'x');
    const client = clientOf(t, server);
    const changes = client.notifications('notifications/tools/list_changed');
    await client.subscribe('x://now');
    const updates = client.notifications('notifications/resources/updated');
    server.resourceUpdated('x://now');
    assert.equal((await updates.next()).value.params.uri, 'x://now');
    const names = [];
    for await (const { name } of client.tools()) names.push(name);
    assert.equal(new Set(names).size, 25);
    const first = await client.page('tools/list');
    assert.equal(first.tools.length, 10);
    const second = await client.page('tools/list', first.nextCursor);
    assert.equal(second.tools.length, 10);
    assert.notEqual(second.tools[0]?.name, first.tools[0]?.name);
    const added = server.tool('added', {}, () => 'x');
    await changes.next();
    assert.deepEqual([added.remove(), added.remove()], [true, false]);
    await changes.next();
    assert.equal((await failure(client.callTool('added'), 'server')).code, -32602);
    assert.throws(() => server.tool('tool1', {}, () => 'x'), (/** @type {any} */ error) => error.status === 'invalid_argument');
    server.tool('added', {}, () => 'again');
    assert.equal(textOf(await client.callTool('added')), 'again');
  });
}

test('what does not fit is told at once', async (t) => {
  const { server } = serverFor(t);
  const any = /** @type {any} */ (server);
  assert.throws(() => any.tool('x', {}), TypeError);
  assert.throws(() => any.tool(5, {}, () => 'x'), TypeError);
  assert.throws(() => any.tool('x', () => 'x'), /a name, a definition and a handler/);
  assert.throws(() => any.tool('x', 'Says x', () => 'x'), /definition of the tool x must be an object.*it is a string/);
  assert.throws(() => any.tool('x', { inputSchema: 5 }, () => 'x'), /inputSchema of x must be a schema/);
  assert.throws(() => any.tool('x', { inputSchema: { type: 'string' } }, () => 'x'), /inputSchema/);
  const mute = { '~standard': { version: 1, vendor: 'mute', validate: (/** @type {unknown} */ value) => ({ value }) } };
  assert.throws(() => any.tool('x', { inputSchema: mute }, () => 'x'), /inputSchema of x: .*mute does not say.*withJsonSchema/);
  assert.throws(() => any.tool('x', { inputSchema: { n: z.number() } }, () => 'x'), /inputSchema of x: 'n' is a schema of zod.*z\.object/);
  assert.throws(() => any.tool('x', { inputSchema: z.object({ at: z.date() }) }, () => 'x'), /inputSchema of x: Date cannot be represented/);
  any.tool('x', { inputSchema: withJsonSchema(/** @type {any} */ (mute), { type: 'object' }) }, () => 'x');
  assert.throws(() => new Server(/** @type {any} */ ({ name: 'x', pagesize: 5 })), /pagesize.*page_size/s);
  assert.throws(() => new Server({ name: 'x', workers: 2 }), /workers: handlers run on the thread of the program/);
  for (const [use, words] of /** @type {[() => any, RegExp][]} */ ([
    [async () => any.http('http://127.0.0.1/mcp'), /http takes an object, such as \{ url: .*; not 'http:\/\/127\.0\.0\.1\/mcp'/],
    [async () => any.http(new URL('http://127.0.0.1/mcp')), /http takes an object.*not 'http:/],
    [() => any.serve('stdio'), /serve takes an object, such as \{ stdio: true \}.*not 'stdio'/],
    [() => any.run(), /serve takes an object.*not undefined/], [() => any.run([]), /serve takes an object.*not a list/],
    [async () => new Server(/** @type {any} */ ('x')), /Server takes an object, such as \{ name: .*not 'x'/],
    [async () => new Client(/** @type {any} */ ('http://127.0.0.1/mcp')), /Client takes an object.*url.*not 'http:/],
    [async () => new Client(/** @type {any} */ (null)), /Client takes an object.*not null/],
  ])) await assert.rejects(use, (error) => error instanceof TypeError && words.test(error.message));
  const late = Promise.resolve(() => 'x');
  for (const [use, what] of /** @type {[() => any, string][]} */ ([
    [() => any.tool('x', {}, late), 'the handler of the tool x'], [() => any.resource({ uri: 'x://x', name: 'x' }, late), 'the source of the resource x://x'],
    [() => any.resourceTemplate({ uriTemplate: 'x://{x}', name: 'x' }, late), 'the handler of x://{x}'],
    [() => any.prompt('x', {}, late), 'the handler of the prompt x'], [() => any.method('com.example/x', {}, late), 'the handler of com.example/x'],
    [() => any.completion('x', 'y', late), 'the source of the completion of y'], [() => any.onFailure(late), 'the handler of onFailure'],
    [() => any.onToken(late), 'the handler of onToken'], [() => any.onRootsChanged(late), 'the handler of onRootsChanged'],
    [() => new Client({ command: 'x' }, /** @type {any} */ ({ sampling: late })), 'sampling'],
  ])) {
    assert.throws(use, (/** @type {any} */ error) => error instanceof TypeError
      && error.message === `${what} must be a function; it is a promise: await it, or give the function without calling it`, what);
  }
  assert.throws(() => any.onToken(5), /the handler of onToken must be a function; it is a number/);
  assert.throws(() => any.prompt('p', { complete: { nope: ['x'] } }, () => 'x'), /no argument nope/);
  any.prompt('p', {}, () => 'x');
});

test('what JSON would lose, and what is in a wrong place, is told', async (t) => {
  const { server } = serverFor(t);
  const any = /** @type {any} */ (server);
  for (const [use, words] of /** @type {[() => any, RegExp][]} */ ([
    [() => any.resource('x://x', () => 'x'), /resource takes an object, such as \{ uri: .*not 'x:\/\/x'/],
    [() => any.resourceTemplate('x://{x}', () => 'x'), /resourceTemplate takes an object, such as \{ uriTemplate: /],
    [() => any.folder(), /folder takes an object.*not undefined/], [() => any.prompt('x', () => 'x'), /a name, a definition and a handler/],
    [() => any.prompt('x', null, () => 'x'), /definition of a prompt takes an object.*not null/],
    [() => new Client({ command: 'x' }, /** @type {any} */ (() => 'x')), /second argument of Client takes an object.*not function/],
  ])) assert.throws(use, words);
  /** @type {string[]} */
  const told = [];
  server.onFailure((error) => told.push(/** @type {any} */ (error).message));
  /** @type {Map<string, unknown>} */
  const values = new Map();
  values.set('/a is a Map: give Object.fromEntries(it)', { a: new Map([['x', 1]]) });
  values.set('/a/0 is a Set: give an Array of it', { a: [new Set(['x'])] });
  values.set('/a is a promise: await it', { a: Promise.resolve(1) });
  const client = server.client();
  t.after(() => client.close());
  for (const [at, [words, value]] of [...values].entries()) {
    server.tool(`lost${at}`, { outputSchema: { type: 'object' } }, () => /** @type {any} */ (value));
    assert.equal((await client.callTool(`lost${at}`)).isError, true);
    assert.deepEqual(told.splice(0), [`/structuredContent${words}`]);
    await assert.rejects(client.callTool(`lost${at}`, /** @type {any} */ (value)), { message: words });
  }
  server.tool('kept', { outputSchema: { type: 'object' } }, () => ({ a: {}, b: ['{}', null], c: new Date(0) }));
  assert.deepEqual((await client.callTool('kept', { a: {} })).structuredContent, { a: {}, b: ['{}', null], c: '1970-01-01T00:00:00.000Z' });
  any.prompt('number', {}, () => 5);
  await failure(client.getPrompt('number'), 'server');
  assert.match(told.join(), /a prompt gives a text of the user, .*, not a number/);
  const call = /** @type {any} */ (client).callTool.bind(client, 'kept', {});
  for (const [options, words] of /** @type {[any, RegExp][]} */ ([
    [AbortSignal.timeout(60_000), /member of its options: \{ signal \}/], [{ signal: new AbortController() }, /an AbortController, which has it as a member/],
    [{ onProgress: 5 }, /onProgress must be a function; it is a number/], [5, /options takes an object.*not number/],
  ])) await assert.rejects(call(options), (/** @type {any} */ error) => error instanceof TypeError && words.test(error.message));
  await assert.rejects(/** @type {any} */ (client).callTool({ name: 'kept', arguments: {} }), /the name and then the arguments/);
  assert.throws(() => /** @type {any} */ (client).notifications(5), /method must be a string/);
});

test('a capability and its handler must fit', async (t) => {
  const { server } = serverFor(t);
  server.tool('x', {}, () => 'x');
  const client = server.client({ capabilities: { sampling: {} } });
  t.after(() => client.close());
  await assert.rejects(client.callTool('x'), /has sampling, but nothing answers sampling\/createMessage/);
  client.onRequest('sampling/createMessage', () => { throw new Error(); });
  assert.equal(textOf(await client.callTool('x')), 'x');
  assert.throws(() => client.onRequest('elicitation/create', () => ({ action: 'decline' })), /add "elicitation"/);
  assert.throws(() => server.client({}, /** @type {any} */ ({ samplin: () => {} })), /no handler samplin/);
});

test('a server calls its clients of the legacy era, and refuses the others', async (t) => {
  const { server } = serverFor(t);
  let session = 0;
  server.tool('who', {}, (_args, request) => {
    session = request.session;
    return `${request.revision} ${JSON.stringify(request.capabilities)}`;
  });
  const legacy = server.client({ protocol: 'legacy' }, { elicitation: () => ({ action: 'decline' }), roots: () => [] });
  t.after(() => legacy.close());
  assert.match(textOf(await legacy.callTool('who')), /^2025-11-25.*elicitation/);
  assert.deepEqual(await server.call(session, 'elicitation/create', { mode: 'form', message: 'x', requestedSchema: { type: 'object', properties: {} } }), { action: 'decline' });
  const told = legacy.notifications('com.example/hello');
  server.notify('com.example/hello', { you: 1 }, { session });
  assert.deepEqual((await told.next()).value.params, { you: 1 });
  await assert.rejects(server.call(99_999, 'ping'), (/** @type {any} */ error) => error.status === 'unavailable');
});

test('a call becomes a task, which ends late', async (t) => {
  const { server } = serverFor(t);
  server.tool('research', { execution: { taskSupport: 'optional' } }, async (_args, request) => {
    assert.throws(() => request.startTask({ attempts: 101 }), /attempts/);
    request.startTask({ ttlMs: 60_000, pollIntervalMs: 5, statusMessage: 'reading', attempts: 2 });
    await new Promise((resolve) => { setTimeout(resolve, 20); });
    return 'found';
  });
  const client = server.client({ tasks: true, protocol: 'modern' });
  t.after(() => client.close());
  /** @type {string[]} */
  const states = [];
  assert.equal(textOf(await client.callTool('research', {}, { onTask: ({ status }) => states.push(status) })), 'found');
  assert.equal(states[0], 'working');
});

test('closing refuses what is under way, tells its handler, and is final', async () => {
  const server = new Server({ name: 'closing' });
  let status;
  let started = false;
  server.tool('waits', {}, async (_args, request) => {
    started = true;
    await once(request.signal, 'abort');
    status = request.signal.reason.status;
  });
  const client = server.client();
  const call = client.callTool('waits').catch((error) => error.status);
  await until(() => started, 'the request');
  await Promise.all([server.close(), server.close()]);
  await server.closed;
  assert.match(await call, /server|transport/);
  assert.ok(status === 'cancelled' || status === 'closed', status);
  assert.throws(() => server.tool('late', {}, () => 'x'), (/** @type {any} */ error) => error.status === 'closed');
  assert.throws(() => server.info(), (/** @type {any} */ error) => error.status === 'closed');
  await assert.rejects(server.serve({ socket: 'tcp:127.0.0.1:0' }), (/** @type {any} */ error) => error.status === 'closed');
  await client.close();
});

const STORES = process.env.MCP_STORES ?? path.join(__dirname, '..', '..', '..', 'stores');
const SHARES = `
  const { Server } = require(process.argv[1]);
  const server = new Server({ name: 's', request_state: { keys: ['AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8='] },
    store: { url: process.argv[2] } });
  const timer = setInterval(() => {
    if (server.info().store.ready) { clearInterval(timer); server.close(); }
  }, 10);
`;

test('the library of a store is loaded where a URL has its scheme, also with the library inside of the addon', (t) => {
  if (process.platform !== 'linux' || !fs.existsSync('/usr/include/sqlite3.h') || !fs.existsSync(STORES)) {
    t.skip('there is no libsqlite3-dev, or no checkout');
    return;
  }
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'libmcp-store-'));
  t.after(() => fs.rmSync(folder, { recursive: true }));
  const words = ['-std=c11', '-shared', '-fPIC', '-DMCP_STORES_SHARED', '-I', path.join(STORES, '..', 'include'),
    path.join(STORES, 'worker.c'), path.join(STORES, 'sqlite.c'), '-lsqlite3', '-pthread', '-o', path.join(folder, 'libmcp-store-sqlite.so.0')];
  const compiled = spawnSync(process.env.CC ?? 'cc', words, { encoding: 'utf8' });
  assert.equal(compiled.status, 0, compiled.stderr);
  for (const [libraries, says] of [[folder, ''], ['', 'install libmcp-store-sqlite']]) {
    const env = { ...process.env, LD_LIBRARY_PATH: `${libraries}:${process.env.LD_LIBRARY_PATH ?? ''}` };
    const done = spawnSync(process.execPath, ['-e', SHARES, path.join(__dirname, '..'), `file:${path.join(folder, 'shared')}`],
      { env, encoding: 'utf8', timeout: 60_000 });
    assert.equal(done.status, says === '' ? 0 : 1, done.stderr);
    assert.ok(done.stderr.includes(says), done.stderr);
  }
});
