// A bounded queue of messages that is read with `for await`. When its reader is too slow the oldest are dropped, counted,
// and the reader is told.
'use strict';

const { onAbort } = require('./abort.js');
const { hold, release } = require('./alive.js');

class MessageStream {
  #client;
  #options;
  #onEnd;
  /** @type {any[]} */
  #messages = [];
  /** @type {{ resolve: (result: any) => void, reject: (reason: unknown) => void }[]} */
  #readers = [];
  #lost = 0;
  #unreported = 0;
  #ended = false;
  /** @type {unknown} */
  #failure = undefined;
  /** @type {() => void} */
  #stopListening = () => {};

  /**
   * @param {object} client
   * @param {{ accepts: (message: any) => boolean, limit: number, keepAlive: boolean, signal?: AbortSignal }} options
   * @param {(stream: MessageStream) => void} onEnd
   */
  constructor(client, options, onEnd) {
    this.#client = client;
    this.#options = options;
    this.#onEnd = onEnd;
    const { signal } = options;
    if (signal !== undefined) {
      if (signal.aborted) this.#end(signal.reason);
      else this.#stopListening = onAbort(signal, () => this.#end(signal.reason));
    }
  }

  /** How many messages were dropped because the program did not take them in time, here or in the library. */
  get lost() {
    return this.#lost;
  }

  /** @param {any} message */
  push(message) {
    if (this.#ended) return;
    if (message.kind === 'lost') this.#lost += message.count;
    if (!this.#options.accepts(message)) return;
    const reader = this.#takeReader();
    if (reader !== undefined) {
      reader.resolve({ value: message, done: false });
      return;
    }
    this.#messages.push(message);
    if (this.#messages.length > this.#options.limit) this.#drop();
  }

  /** No further messages; what waits can still be read. */
  end() {
    this.#end(undefined);
  }

  /** @returns {Promise<any>} */
  next() {
    if (this.#unreported > 0) {
      const count = this.#unreported;
      this.#unreported = 0;
      const message = { kind: 'lost', count };
      if (this.#options.accepts(message)) return Promise.resolve({ value: message, done: false });
    }
    if (this.#messages.length > 0) {
      return Promise.resolve({ value: this.#messages.shift(), done: false });
    }
    if (this.#failure !== undefined) {
      const failure = this.#failure;
      this.#failure = undefined;
      return Promise.reject(failure);
    }
    if (this.#ended) return Promise.resolve({ value: undefined, done: true });
    return new Promise((resolve, reject) => {
      this.#readers.push({ resolve, reject });
      if (this.#options.keepAlive) hold(this.#client);
    });
  }

  /** @returns {Promise<any>} */
  return() {
    this.#messages.length = 0;
    this.#unreported = 0;
    this.#end(undefined);
    return Promise.resolve({ value: undefined, done: true });
  }

  [Symbol.asyncIterator]() {
    return this;
  }

  async [Symbol.asyncDispose]() {
    await this.return();
  }

  #drop() {
    this.#messages.shift();
    this.#lost++;
    this.#unreported++;
  }

  #takeReader() {
    const reader = this.#readers.shift();
    if (reader !== undefined && this.#options.keepAlive) release(this.#client);
    return reader;
  }

  /** @param {unknown} failure */
  #end(failure) {
    if (this.#ended) return;
    this.#ended = true;
    this.#failure = failure;
    this.#stopListening();
    this.#onEnd(this);
    for (let reader = this.#takeReader(); reader !== undefined; reader = this.#takeReader()) {
      if (this.#failure !== undefined) {
        reader.reject(this.#failure);
        this.#failure = undefined;
      } else {
        reader.resolve({ value: undefined, done: true });
      }
    }
  }
}

module.exports = { MessageStream };
