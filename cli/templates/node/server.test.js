import assert from 'node:assert/strict';
import test from 'node:test';
import { textOf } from 'libmcp';
import { makeServer } from './greeter.js';

test('the server greets and says what it is', async () => {
  const server = makeServer();
  const client = server.client();
  assert.equal(textOf(await client.callTool('greet', { name: 'Ada' })), 'Hello, Ada!');
  assert.equal(textOf(await client.readResource('about://{{name}}')), 'A server that greets.');
  await client.close();
  await server.close();
});
