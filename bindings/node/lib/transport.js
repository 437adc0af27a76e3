// A client below the official SDK's Client, the AI SDK's, and others that take a transport of messages.
'use strict';

const { Client } = require('./client.js');
const { McpError, RequestError } = require('./errors.js');
const { CAPABILITIES } = require('./requests.js');
const { messageOf } = require('./texts.js');

const METHOD_NOT_FOUND = -32601;
const INVALID_REQUEST = -32600;
/** The code of a failure that is not the server's error. */
const FAILED = -32000;

/** The transport of one session; `start`, `send`, `close` and the `on…` functions are those of the official SDK. */
class ClientTransport {
  /** @type {((message: any, extra?: any) => void) | undefined} */
  onmessage;
  /** @type {(() => void) | undefined} */
  onclose;
  /** @type {((error: Error) => void) | undefined} */
  onerror;
  /** @type {string | undefined} */
  sessionId;
  #config;
  #options;
  /** @type {any} */
  #client;
  /** @type {Map<unknown, AbortController>} */
  #running = new Map();
  /** Questions of the server that the session answers. @type {Map<number, { resolve: Function, reject: Function }>} */
  #asked = new Map();
  #last = 0;
  #isClosed = false;

  /** @param {any} config @param {{ server?: any, onLogin?: Function }} [options] */
  constructor(config = {}, options = {}) {
    this.#config = config;
    this.#options = options;
  }

  async start() {}

  /** @param {any} message */
  async send(message) {
    if (this.#isClosed) throw new McpError({ status: 'closed', message: 'the transport is closed', operation: 'send', retryable: false });
    if (message.method === undefined) this.#settle(message);
    else if (message.id === undefined) this.#note(message.method, message.params);
    // It is sent when it is under way; its answer comes by onmessage.
    else void this.#answer(message);
  }

  async close() {
    if (this.#isClosed) return;
    this.#isClosed = true;
    for (const { reject } of this.#asked.values()) reject(new RequestError(FAILED, 'the session is closed'));
    try {
      await this.#client?.close();
    } finally {
      this.onclose?.();
    }
  }

  /** Whether the session has taken it. @param {object} message */
  #give(message) {
    if (this.#isClosed) return false;
    try {
      this.onmessage?.({ jsonrpc: '2.0', ...message });
      return true;
    } catch (error) {
      this.#report(error);
      return false;
    }
  }

  /** A failure that no caller waits for; thrown, it would end the process. @param {any} error */
  #report(error) {
    if (this.onerror !== undefined) this.onerror(error);
    else process.emitWarning(error instanceof Error ? error : String(error));
  }

  /** @param {any} request */
  async #answer({ id, method, params }) {
    const gone = new AbortController();
    this.#running.set(id, gone);
    try {
      const result = method === 'initialize' ? await this.#initialize(params) : await this.#result(method, params ?? {}, gone.signal);
      this.#give({ id, result });
    } catch (error) {
      if (gone.signal.aborted) return;
      const { code = FAILED, data } = /** @type {any} */ (error);
      this.#give({ id, error: { code: typeof code === 'number' ? code : FAILED, message: messageOf(error), ...(data === undefined ? {} : { data }) } });
    } finally {
      this.#running.delete(id);
    }
  }

  /** @param {{ protocolVersion: string, capabilities: any }} params */
  async #initialize({ protocolVersion, capabilities }) {
    if (this.#client !== undefined) throw new RequestError(INVALID_REQUEST, 'the session was initialized before');
    const { server, onLogin } = this.#options;
    const config = { ...this.#config, capabilities };
    const client = server === undefined ? new Client(config) : server.client(config);
    this.#client = client;
    for (const [method, capability] of CAPABILITIES) {
      if (capabilities[capability] !== undefined) client.onRequest(method, (/** @type {any} */ given) => this.#ask(method, given));
    }
    if (onLogin !== undefined) client.onLogin(onLogin);
    client.onFailure((/** @type {any} */ error) => this.onerror?.(error));
    this.#publish(client.messages({ kinds: ['notification'], keepAlive: false })).catch((error) => this.#report(error));
    await client.connect();
    const { capabilities: offered, server: about, instructions } = client.info();
    return { protocolVersion, capabilities: offered ?? {}, serverInfo: { name: about?.name ?? '', version: about?.version ?? '' },
      ...(typeof instructions === 'string' ? { instructions } : {}) };
  }

  /** @param {AsyncIterable<any>} messages */
  async #publish(messages) {
    for await (const { method, params } of messages) {
      if (method !== 'notifications/progress') this.#give({ method, params });
    }
  }

  /** @param {string} method @param {any} params @param {AbortSignal} signal */
  async #result(method, params, signal) {
    const client = this.#client;
    if (client === undefined) throw new RequestError(METHOD_NOT_FOUND, `${method}: the session has not been initialized`);
    // These have another form on the wire in 2026-07-28, or none.
    switch (method) {
      case 'ping':
        await client.ping({ signal, timeoutMs: Infinity, maxTotalMs: Infinity });
        return {};
      case 'resources/subscribe':
        await client.subscribe(params.uri, { signal });
        return {};
      case 'resources/unsubscribe':
        await client.unsubscribe(params.uri, { signal });
        return {};
      case 'logging/setLevel':
        await client.setLogLevel(params.level, { signal });
        return {};
      default:
    }
    const { _meta: { progressToken, ...meta } = {}, ...rest } = params;
    const onProgress = progressToken === undefined ? undefined
      : (/** @type {any} */ progress) => this.#give({ method: 'notifications/progress', params: { ...progress, progressToken } });
    // How long it waits is the session's to decide, which cancels.
    return client.call(method, { ...rest, ...(Object.keys(meta).length > 0 ? { _meta: meta } : {}) },
      { signal, timeoutMs: Infinity, maxTotalMs: Infinity, ...(onProgress === undefined ? {} : { onProgress }) });
  }

  /** @param {string} method @param {any} params */
  #ask(method, params) {
    const id = ++this.#last;
    return new Promise((resolve, reject) => {
      this.#asked.set(id, { resolve, reject });
      if (!this.#give({ id, method, params })) reject(new RequestError(FAILED, `the session did not take ${method}`));
    }).finally(() => this.#asked.delete(id));
  }

  /** @param {{ id: number, result?: any, error?: { code: number, message: string, data?: unknown } }} answer */
  #settle({ id, result, error }) {
    const asked = this.#asked.get(id);
    if (error === undefined) asked?.resolve(result);
    else asked?.reject(new RequestError(error.code, error.message, error.data));
  }

  /** A notification of the session. @param {string} method @param {any} params */
  #note(method, params) {
    if (method === 'notifications/cancelled') this.#running.get(params?.requestId)?.abort(params?.reason);
    else if (method !== 'notifications/initialized') this.#client?.notify(method, params);
  }
}

module.exports = { ClientTransport };
