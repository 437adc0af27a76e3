// What a login needs of the program.
'use strict';

const { native } = require('./errors.js');
const { LONGEST_WAIT, messageOf, only, stringOf, waitOf } = require('./texts.js');

/** What the program keeps: each question has an answer of its own. */
const ANSWERED = new Set(['load', 'save']);

class Login {
  #handle;
  #refuseFreed;
  #request;

  /** @param {any} handle @param {() => void} refuseFreed @param {any} wanted @param {unknown} request */
  constructor(handle, refuseFreed, wanted, request) {
    this.#request = request;
    this.#handle = handle;
    this.#refuseFreed = refuseFreed;
    this.kind = wanted.kind;
    this.url = wanted.url;
    this.userCode = wanted.user_code;
    this.verificationUri = wanted.verification_uri;
    this.redirectUri = wanted.redirect_uri;
    this.listens = wanted.listens ?? false;
    this.issuer = wanted.issuer;
    this.scopes = wanted.scopes;
    this.expiresInMs = wanted.expires_in_ms;
    this.audience = wanted.audience;
    this.refused = wanted.refused ?? false;
    this.key = wanted.key;
    this.text = wanted.text;
  }

  /** @param {string} callbackUrl */
  complete(callbackUrl) {
    stringOf('callbackUrl', callbackUrl);
    this.#tell(() => this.#handle.authComplete(callbackUrl));
  }

  /** @param {string} credential @param {{ lastsMs?: number }} [options] */
  give(credential, options) {
    const { lastsMs } = only('give', options, 'lastsMs');
    stringOf('credential', credential);
    const lasts = waitOf('lastsMs', lastsMs, LONGEST_WAIT);
    this.#tell(() => this.#handle.authGive(credential, lasts));
  }

  /** @param {string | null} [text] */
  answer(text) {
    this.#tell(() => this.#handle.authAnswer(this.#request, text));
  }

  /** @param {string} [reason] */
  giveUp(reason) {
    if (ANSWERED.has(this.kind)) return this.#tell(() => this.#handle.authAnswer(this.#request, undefined, messageOf(reason ?? 'the program has no answer')));
    return this.#tell(() => this.#handle.authGiveUp(reason === undefined ? undefined : messageOf(reason)));
  }

  /** @param {() => void} work */
  #tell(work) {
    this.#refuseFreed();
    native(work);
  }
}

module.exports = { Login };
