// Signatures by a key that only the program has.
'use strict';

const crypto = require('node:crypto');
const { types } = require('node:util');

const { McpError } = require('./errors.js');
const { functionGiven, stringOf } = require('./texts.js');

/** Bytes of a signature of ES256: r and s. */
const ES256_BYTES = 64;

/** @param {string} message */
function mistake(message) {
  return new McpError({ status: 'invalid_argument', operation: 'new', retryable: false, message });
}

/**
 * A function that would never run, and none where the library will ask, would only be found out in a login.
 * @param {any} config @param {unknown} onSign
 */
function checkSigner(config, onSign) {
  if (onSign !== undefined) functionGiven('onSign', onSign);
  const auth = config.auth ?? undefined;
  if (auth === undefined && onSign !== undefined) {
    throw mistake('onSign is never called, because the configuration has no "auth": add it, with "signer" or "dpop_key"');
  }
  const signs = auth?.signer === 'application' || (auth?.dpop_key ?? undefined) !== undefined;
  if (signs && onSign === undefined) {
    throw mistake('auth.signer, auth.dpop_key: the program has no function that signs: give the client one with new Client(config, { onSign })');
  }
  if (!signs && onSign !== undefined) {
    throw mistake('onSign is never called: set auth.signer to "application" (assertions) or auth.dpop_key (proofs)');
  }
}

/** What the program is to sign. @param {any} body @returns {import('./index.js').SignRequest} */
function signRequestOf({ purpose, algorithm, input, key_id: keyId, client_id: clientId, audience }) {
  return { purpose, algorithm, input, keyId, clientId, audience };
}

/**
 * What the program gave, as the library takes it.
 * @param {unknown} given @param {string} algorithm
 */
function signatureOf(given, algorithm) {
  if (typeof given === 'string') return stringOf('the signature', given);
  if (!types.isUint8Array(given) && !types.isAnyArrayBuffer(given)) {
    const type = Object.prototype.toString.call(given).slice('[object '.length, -1);
    throw new TypeError(`onSign must give the signature as a string, a Uint8Array or an ArrayBuffer; it gave ${type}`);
  }
  const bytes = Buffer.from(/** @type {any} */ (given));
  if (algorithm === 'ES256' && bytes.length !== ES256_BYTES) {
    throw new TypeError(`onSign gave ${bytes.length} bytes, but a signature of ES256 has ${ES256_BYTES} (r and s): `
      + 'the functions of node:crypto give DER unless they get dsaEncoding: \'ieee-p1363\'');
  }
  return bytes.toString('base64url');
}

/** @param {import('node:crypto').KeyObject} key @returns {import('./index.js').Signer} */
function keySigner(key) {
  const fits = algorithmOf(key);
  return ({ algorithm, input }) => {
    if (algorithm !== fits) {
      throw new TypeError(`the key of keySigner is for ${fits}, but the library asks for ${algorithm}: `
        + 'ES256 takes a key on P-256, RS256 one of RSA');
    }
    // It takes less time than a thread would to start with it, unless the key is of RSA, which signs once for each token.
    return crypto.sign('sha256', Buffer.from(input), { key, dsaEncoding: 'ieee-p1363' });
  };
}

/** @param {unknown} key */
function algorithmOf(key) {
  if (!types.isKeyObject(key)) throw new TypeError('key must be a KeyObject, as crypto.createPrivateKey() gives one');
  const { type, asymmetricKeyType, asymmetricKeyDetails } = key;
  const curve = asymmetricKeyDetails?.namedCurve;
  if (type === 'private' && asymmetricKeyType === 'ec' && curve === 'prime256v1') return 'ES256';
  if (type === 'private' && asymmetricKeyType === 'rsa') return 'RS256';
  const is = [type, asymmetricKeyType, curve].filter((it) => it !== undefined).join(', ');
  throw new TypeError(`key must be a private key: one on P-256 (prime256v1) for ES256, or one of RSA for RS256; it is: ${is}`);
}

module.exports = { checkSigner, keySigner, signRequestOf, signatureOf };
