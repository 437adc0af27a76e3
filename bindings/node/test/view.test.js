// The host's side of a page of a tool (MCP Apps).
'use strict';

const assert = require('node:assert/strict');
const test = require('node:test');

const { View, viewPolicy } = require('..');

const tool = { name: 'chart', inputSchema: { type: 'object' } };
const settings = {
  hostInfo: { name: 'desk', version: '1' }, hostCapabilities: { serverTools: {}, openLinks: {} }, hostContext: { theme: 'dark' }, tool,
  tools: [tool, { name: 'secret', _meta: { ui: { visibility: ['model'] } } }],
};
const hello = { jsonrpc: '2.0', id: 1, method: 'ui/initialize',
  params: { protocolVersion: '2026-01-26', appInfo: { name: 'page', version: '1' }, appCapabilities: {} } };

/** The one action that is there. @param {InstanceType<typeof View>} view @param {string} type @returns {any} */
function only(view, type) {
  const all = [...view.actions()];
  assert.deepEqual(all.map((it) => it.type), [type]);
  return all[0];
}

/** @param {number} id @param {string} name */
const call = (id, name) => ({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: {} } });

test('a page gets its input and asks its host', () => {
  const view = new View(settings);
  view.tell('input', { arguments: { city: 'Paris' } });
  assert.equal(view.poll(), undefined); // The page is not there yet.
  view.receive(JSON.stringify(hello));
  const welcome = only(view, 'message').message;
  assert.deepEqual([welcome.id, welcome.result.hostContext.theme], [1, 'dark']);
  view.receive({ jsonrpc: '2.0', method: 'ui/notifications/initialized' });
  /** @type {any[]} */
  const actions = [...view.actions()];
  assert.ok(actions.some((it) => it.type === 'ready'));
  assert.deepEqual(actions.flatMap((it) => it.message?.params?.arguments ?? []), [{ city: 'Paris' }]);
  view.receive(call(2, 'chart'));
  const asked = only(view, 'request');
  assert.deepEqual([asked.method, asked.params.name], ['tools/call', 'chart']);
  view.tell('answer', { id: asked.id, result: { content: [] } });
  assert.deepEqual(only(view, 'message').message.result, { content: [] });
  view.receive(call(3, 'secret'));
  assert.ok(only(view, 'message').message.error);
  view.receive('no JSON');
  only(view, 'warning');
  view.tell('teardown', { reason: 'closed' });
  view.receive({ jsonrpc: '2.0', id: only(view, 'message').message.id, result: {} });
  only(view, 'ended');
  view.close();
  view.close();
  for (const use of [() => view.poll(), () => view.receive('{}'), () => view.tell('input', { arguments: {} })]) {
    assert.throws(use, (/** @type {any} */ error) => error.status === 'invalid_argument');
  }
});

test('mistakes name the member, and the policy of a frame is given', () => {
  assert.throws(() => new View(/** @type {any} */ ({})), /hostInfo/);
  assert.throws(() => new View(/** @type {any} */ ('desk')), /View takes an object.*not 'desk'/);
  const view = new View(settings);
  assert.throws(() => view.tell('input', { arguments: 1 }), /arguments/);
  const policy = viewPolicy({ csp: { connectDomains: ['https://api.example', 'javascript:x'] }, permissions: { camera: {} } });
  assert.match(policy.csp, /https:\/\/api\.example/);
  assert.deepEqual([policy.allow, policy.refused.length], ['camera', 1]);
  assert.ok(policy.head.includes(`content="${policy.csp}"`) && policy.head.includes('RTCPeerConnection'), policy.head);
  assert.match(viewPolicy().csp, /default-src/);
});
