// Signatures by a key of the program: assertions about the client, and proofs.
'use strict';

const assert = require('node:assert/strict');
const crypto = require('node:crypto');
const { once } = require('node:events');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const test = require('node:test');

const { Client, McpError, keySigner, openConfig, textOf } = require('..');
const { Web, browse, closedAfter, failure } = require('./servers.js');

/** @param {string} namedCurve */
const onCurve = (namedCurve = 'P-256') => crypto.generateKeyPairSync('ec', { namedCurve });

/** The public half as the server takes it: the point in Base64url. @param {import('node:crypto').KeyObject} publicKey */
function pointOf(publicKey) {
  const { x, y } = publicKey.export({ format: 'jwk' });
  return Buffer.concat([Buffer.of(4), ...[x, y].map((it) => Buffer.from(/** @type {string} */ (it), 'base64url'))]).toString('base64url');
}

/** @param {string} input @param {import('node:crypto').KeyObject} key */
const signed = (input, key) => crypto.sign('sha256', Buffer.from(input), { key, dsaEncoding: 'ieee-p1363' });

/** A configuration whose assertions the program signs. @param {Web} server @returns {import('..').Config} */
function nightly({ url, port }) {
  return {
    url,
    auth: {
      type: 'client_credentials', issuer: `http://127.0.0.1:${port}`, client_id: 'nightly', signer: 'application', signing_algorithm: 'ES256',
      key_id: 'in the chip',
    },
  };
}

/** @type {[string, (key: import('node:crypto').KeyObject) => import('..').Signer][]} */
const SIGNERS = [
  ['bytes', (key) => ({ input }) => signed(input, key)],
  ['a promise of a text', (key) => async ({ input }) => signed(input, key).toString('base64url')],
  ['what Web Crypto gives', (key) => async ({ input }) => {
    const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
    const pkcs8 = key.export({ type: 'pkcs8', format: 'der' });
    const imported = await crypto.webcrypto.subtle.importKey('pkcs8', pkcs8, algorithm, false, ['sign']);
    return crypto.webcrypto.subtle.sign(algorithm, imported, Buffer.from(input));
  }],
  ['keySigner', keySigner],
];
for (const [name, signer] of SIGNERS) {
  test(`a service signs with its own key: ${name}`, async (t) => {
    const { privateKey, publicKey } = onCurve();
    const server = await Web.start(t, ['login=yes', `service-key=${pointOf(publicKey)}`]);
    const config = nightly(server);
    /** @type {import('..').SignRequest[]} */
    const requests = [];
    const sign = signer(privateKey);
    const client = closedAfter(t, new Client(config, {
      onSign(request, context) {
        assert.equal(context.signal.aborted, false);
        requests.push(request);
        return sign(request, context);
      },
    }));
    for (let round = 0; round < 2; round++) assert.equal(textOf(await client.callTool('echo', { text: 'in' })), 'in');
    assert.equal(requests.length, 1);
    const { input, ...others } = /** @type {import('..').SignRequest} */ (requests[0]);
    assert.deepEqual(others, {
      purpose: 'assertion', algorithm: 'ES256', keyId: 'in the chip', clientId: 'nightly', audience: config.auth?.issuer,
    });
    assert.match(input, /^[\w-]+\.[\w-]+$/);
    // The server takes back the token for a signature, too.
    await client.logout();
    assert.equal(requests.length, 2);
    assert.equal(textOf(await client.callTool('echo', { text: 'in' })), 'in');
    assert.equal(requests.length, 3);
    await server.checkNoViolations();
  });
}

test('a signer may give the whole assertion', async (t) => {
  const { privateKey, publicKey } = onCurve();
  const server = await Web.start(t, ['login=yes', `service-key=${pointOf(publicKey)}`]);
  const client = closedAfter(t, new Client(nightly(server), {
    onSign({ clientId, audience }) {
      const claims = { iss: clientId, sub: clientId, aud: audience, exp: Math.floor(Date.now() / 1000) + 60, jti: crypto.randomUUID() };
      const parts = [{ alg: 'ES256' }, claims].map((it) => Buffer.from(JSON.stringify(it)).toString('base64url')).join('.');
      return `${parts}.${signed(parts, privateKey).toString('base64url')}`;
    },
  }));
  assert.equal(textOf(await client.callTool('echo', { text: 'in' })), 'in');
  await server.checkNoViolations();
});

/** What is wrong, what the program is told of (if it is its fault as the binding sees it), and what the call says. */
/** @type {[string, (input: string, key: import('node:crypto').KeyObject) => any, RegExp | null, RegExp][]} */
const WRONG = [
  ['is of another key', (input) => signed(input, onCurve().privateKey), null, /invalid_client/],
  ['is too short a text', () => 'c2hvcnQ', null, /signature/],
  ['is an empty text', () => '', null, /signature/],
  ['is DER', (input, key) => crypto.sign('sha256', Buffer.from(input), key), /bytes, but .* has 64 .*ieee-p1363/, /ieee-p1363/],
  ['has a NUL', async () => 'a\0b', /NUL/, /NUL/],
  ['is missing', () => undefined, /it gave Undefined/, /it gave Undefined/],
  ['is a number', async () => 7, /it gave Number/, /it gave Number/],
  ['is thrown at', () => { throw new Error('the chip is busy'); }, /the chip is busy/, /the chip is busy/],
  ['is rejected', async () => { throw new Error('the chip\0is busy'); }, /the chip\0is busy/, /the chipis busy/],
  ['is for another algorithm', async () => keySigner(crypto.generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey)(
    { purpose: 'assertion', algorithm: 'ES256', input: '' }, { signal: new AbortController().signal }), /for RS256/, /for RS256/],
];
test('a signature that the library cannot use ends its calls', async (t) => {
  const { privateKey, publicKey } = onCurve();
  const server = await Web.start(t, ['login=yes', `service-key=${pointOf(publicKey)}`]);
  for (const [name, give, told, says] of WRONG) {
    await t.test(name, async (t) => {
      const client = closedAfter(t, new Client(nightly(server), { onSign: ({ input }) => give(input, privateKey) }));
      /** @type {[any, string][]} */
      const failures = [];
      client.onFailure((error, { operation }) => failures.push([error, operation]));
      assert.match((await failure(client.callTool('echo'), 'auth')).message, says);
      assert.equal(failures.length > 0, told !== null, `${failures}`);
      for (const [error, operation] of failures) {
        assert.equal(operation, 'sign');
        assert.match(error.message, /** @type {RegExp} */ (told));
      }
    });
  }
});

test('a signer that fails is a warning of the process where the program has no function for failures', async (t) => {
  const server = await Web.start(t, ['login=yes', `service-key=${pointOf(onCurve().publicKey)}`]);
  const client = closedAfter(t, new Client(nightly(server), { onSign: () => { throw new Error('the chip is busy'); } }));
  const [[warning]] = await Promise.all([once(process, 'warning'), failure(client.callTool('echo'), 'auth')]);
  assert.equal(warning.name, 'LibmcpWarning');
  assert.match(warning.message, /\(sign\): the chip is busy/);
});

test('the program signs proofs with its own key', async (t) => {
  const { privateKey, publicKey } = onCurve();
  const server = await Web.start(t, ['login=yes', 'dpop']);
  /** @type {import('..').SignRequest[]} */
  const requests = [];
  const sign = keySigner(privateKey);
  const { kty, crv, x, y } = publicKey.export({ format: 'jwk' });
  const client = closedAfter(t, new Client({ url: server.url, auth: { dpop: 'always', dpop_key: { kty, crv, x, y } } }, {
    onSign(request, context) {
      requests.push(request);
      return sign(request, context);
    },
  }));
  client.onLogin(({ url }) => browse(/** @type {string} */ (url)));
  const texts = Array.from({ length: 20 }, (_, at) => `text ${at}`);
  assert.deepEqual((await Promise.all(texts.map((text) => client.callTool('echo', { text })))).map(textOf), texts);
  assert.ok(requests.length > texts.length, `${requests.length}`);
  for (const { purpose, algorithm, keyId, clientId, audience } of requests) {
    assert.deepEqual([purpose, algorithm, keyId, clientId, audience], ['proof', 'ES256', undefined, undefined, undefined]);
  }
  await server.checkNoViolations();
});

test('a signer that does not answer does not delay a close', async (t) => {
  const { privateKey, publicKey } = onCurve();
  const server = await Web.start(t, ['login=yes', `service-key=${pointOf(publicKey)}`]);
  /** @type {(given: { input: string, signal: AbortSignal }) => void} */
  let asked = () => {};
  const isAsked = new Promise((resolve) => { asked = resolve; });
  /** @type {(signature: Uint8Array) => void} */
  let give = () => {};
  const client = closedAfter(t, new Client(nightly(server), {
    onSign: ({ input }, { signal }) => new Promise((resolve) => {
      give = resolve;
      asked({ input, signal });
    }),
  }));
  client.onFailure((error) => assert.fail(`${error}`));
  const call = failure(client.callTool('echo'), 'closed');
  const { input, signal } = await isAsked;
  await client.close();
  await call;
  assert.equal(signal.aborted, true);
  // A signature that comes too late is no failure.
  give(signed(input, privateKey));
  await new Promise((resolve) => setImmediate(resolve));
});

test('a signer that does not answer ends its calls after auth.patience_ms', async (t) => {
  const server = await Web.start(t, ['login=yes', `service-key=${pointOf(onCurve().publicKey)}`]);
  const config = nightly(server);
  const client = closedAfter(t, new Client({ ...config, auth: { ...config.auth, patience_ms: 50 } }, { onSign: () => new Promise(() => {}) }));
  await failure(client.callTool('echo'), 'auth');
});

test('signers are checked when the client is made', async (t) => {
  const url = 'http://127.0.0.1:1/mcp';
  const { auth } = nightly(/** @type {any} */ ({ url, port: 1 }));
  const { privateKey, publicKey } = onCurve();
  const { kty, crv, x, y } = publicKey.export({ format: 'jwk' });
  const onSign = keySigner(privateKey);
  /** @type {[import('..').Config, import('..').Handlers, RegExp][]} */
  const cases = [
    [{ url }, { onSign }, /no "auth"/],
    [{ url, auth: {} }, { onSign }, /never called/],
    [{ url, auth }, {}, /onSign/],
    [{ url, auth }, { onSign: undefined }, /onSign/],
    [{ url, auth: { dpop_key: { kty, crv, x, y } } }, {}, /dpop_key.*onSign/],
  ];
  for (const [config, handlers, says] of cases) {
    assert.throws(() => new Client(config, handlers), (error) => (
      error instanceof McpError && error.status === 'invalid_argument' && says.test(error.message)), `${says}`);
  }
  // @ts-expect-error No function.
  assert.throws(() => new Client({ url, auth }, { onSign: 'x' }), TypeError);
  // @ts-expect-error No handler.
  assert.throws(() => new Client({ url, auth }, { onsign: onSign }), /onSign/);
  for (const it of [{ auth }, { auth: { dpop_key: { kty, crv, x, y } } }]) await new Client({ url, ...it }, { onSign }).close();

  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'libmcp-'));
  t.after(() => fs.rmSync(folder, { recursive: true }));
  const file = path.join(folder, 'mcp.json');
  fs.writeFileSync(file, JSON.stringify({ mcpServers: { service: { url, auth } } }));
  const [opened] = openConfig(file);
  assert.match(/** @type {McpError} */ (opened?.error).message, /onSign/);
});

test('keySigner signs as the algorithms say, with keys of their types', () => {
  const context = { signal: new AbortController().signal };
  const rsa = crypto.generateKeyPairSync('rsa', { modulusLength: 2048 });
  const sign = keySigner(rsa.privateKey);
  const given = /** @type {Buffer} */ (sign({ purpose: 'assertion', algorithm: 'RS256', input: 'a.b' }, context));
  assert.ok(crypto.verify('sha256', Buffer.from('a.b'), { key: rsa.publicKey, padding: crypto.constants.RSA_PKCS1_PADDING }, given));
  assert.throws(() => sign({ purpose: 'proof', algorithm: 'ES256', input: 'a.b' }, context), /for RS256, but the library asks for ES256/);
  /** @type {[any, RegExp][]} */
  const unfit = [
    [onCurve().publicKey, /it is: public, ec, prime256v1/],
    [onCurve('P-384').privateKey, /it is: private, ec, secp384r1/],
    [crypto.generateKeyPairSync('ed25519').privateKey, /it is: private, ed25519/],
    [crypto.createSecretKey(Buffer.from('secret')), /it is: secret/],
    ['-----BEGIN PRIVATE KEY-----', /createPrivateKey/],
  ];
  for (const [key, says] of unfit) assert.throws(() => keySigner(key), (error) => error instanceof TypeError && says.test(error.message), `${says}`);
});
