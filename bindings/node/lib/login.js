// What a login needs of the program.
'use strict';

const { native } = require('./errors.js');
const { LONGEST_WAIT, messageOf, stringOf, waitOf } = require('./texts.js');

class Login {
  #handle;
  #refuseFreed;

  /** @param {any} handle @param {() => void} refuseFreed @param {any} wanted */
  constructor(handle, refuseFreed, wanted) {
    this.#handle = handle;
    this.#refuseFreed = refuseFreed;
    this.kind = wanted.kind;
    this.url = wanted.url;
    this.redirectUri = wanted.redirect_uri;
    this.listens = wanted.listens ?? false;
    this.issuer = wanted.issuer;
    this.scopes = wanted.scopes;
    this.expiresInMs = wanted.expires_in_ms;
    this.audience = wanted.audience;
    this.refused = wanted.refused ?? false;
  }

  /** @param {string} callbackUrl */
  complete(callbackUrl) {
    stringOf('callbackUrl', callbackUrl);
    this.#tell(() => this.#handle.authComplete(callbackUrl));
  }

  /** @param {string} credential @param {{ lastsMs?: number }} [options] */
  give(credential, { lastsMs } = {}) {
    stringOf('credential', credential);
    const lasts = waitOf('lastsMs', lastsMs, LONGEST_WAIT);
    this.#tell(() => this.#handle.authGive(credential, lasts));
  }

  /** @param {string} [reason] */
  giveUp(reason) {
    this.#tell(() => this.#handle.authGiveUp(reason === undefined ? undefined : messageOf(reason)));
  }

  /** @param {() => void} work */
  #tell(work) {
    this.#refuseFreed();
    native(work);
  }
}

module.exports = { Login };
