// What a login needs of the program.
'use strict';

const { native } = require('./errors.js');

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
    this.#tell(() => this.#handle.authComplete(callbackUrl));
  }

  /** @param {string} credential @param {{ lastsMs?: number }} [options] */
  give(credential, { lastsMs = -1 } = {}) {
    this.#tell(() => this.#handle.authGive(credential, Math.min(lastsMs, 2 ** 31 - 1)));
  }

  /** @param {string} [reason] */
  giveUp(reason) {
    this.#tell(() => this.#handle.authGiveUp(reason?.replaceAll('\0', '')));
  }

  /** @param {() => void} work */
  #tell(work) {
    this.#refuseFreed();
    native(work);
  }
}

module.exports = { Login };
