// A request that a handler answers.
'use strict';

const addon = require('../native.js');
const { McpError, native } = require('../errors.js');
const { only, stringOf, textOf, waitOf } = require('../texts.js');
const { AskedError } = require('./errors.js');
const { schemaOf } = require('./schema.js');

/** What the server alone may do with a request. @type {any} */
let inside;

class ServerRequest {
  #request;
  #json;
  /** @type {any} */
  #params = undefined;
  /** @type {any} */
  #context = undefined;
  /** @type {AbortController | undefined} */
  #controller = undefined;
  /** @type {unknown} */
  #reason = undefined;
  #hasAsked = false;

  /** @param {unknown} request @param {string} method @param {string} json */
  constructor(request, method, json) {
    this.#request = request;
    this.#json = json;
    this.method = method;
  }

  /** The parameters as the client sent them. */
  get params() {
    this.#params ??= JSON.parse(this.#json);
    return this.#params;
  }

  /** @returns {any} */
  get context() {
    this.#context ??= JSON.parse(native(() => addon.context(this.#request)));
    return this.#context;
  }

  get session() {
    return this.context.session;
  }

  get revision() {
    return this.context.revision;
  }

  get capabilities() {
    return this.context.capabilities;
  }

  get principal() {
    return this.context.principal;
  }

  /** How often the handler ran before for this request. */
  get round() {
    return this.context.round;
  }

  get signal() {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#reason !== undefined) this.#controller.abort(this.#reason);
    }
    return this.#controller.signal;
  }

  get isCancelled() {
    return this.#reason !== undefined || addon.isCancelled(this.#request);
  }

  /** @param {number} progress @param {number} [total] @param {string} [message] */
  progress(progress, total, message) {
    return this.#whileOpen(() => addon.progress(this.#request, progress, total, message));
  }

  /** @param {string} level @param {unknown} data @param {string} [logger] */
  log(level, data, logger) {
    return this.#whileOpen(() => addon.log(this.#request, level, logger, JSON.stringify(data ?? null)));
  }

  /** @param {string} key @param {string} method @param {object} [params] @returns {Promise<any>} */
  ask(key, method, params = {}) {
    const asked = new Promise((resolve, reject) => {
      const text = JSON.stringify(params);
      const answer = native(() => addon.ask(this.#request, stringOf('key', key), stringOf('method', method), text));
      if (answer !== null) {
        resolve(JSON.parse(answer));
        return;
      }
      this.#hasAsked = true;
      reject(new AskedError(method));
    });
    // A handler that does not wait for it must not end the process.
    asked.catch(() => {});
    return asked;
  }

  /** @param {string} key @param {any} form @returns {Promise<any>} */
  elicit(key, { message, requestedSchema, schema, ...others }) {
    const form = schemaOf(schema ?? requestedSchema, 'input', 'schema');
    const params = { mode: 'form', message, requestedSchema: flat(form.json), ...others };
    const asked = this.ask(key, 'elicitation/create', params).then(async (answer) => (
      answer.action === 'accept' && form.check !== null ? { ...answer, content: await form.check(answer.content) } : answer));
    asked.catch(() => {});
    return asked;
  }

  /** @param {string} key @param {object} params */
  elicitUrl(key, params) {
    return this.ask(key, 'elicitation/create', { mode: 'url', ...params });
  }

  /** @param {string} key @param {object} params */
  sample(key, params) {
    return this.ask(key, 'sampling/createMessage', params);
  }

  /** @param {string} [key] */
  roots(key = 'roots') {
    const asked = this.ask(key, 'roots/list').then(({ roots }) => roots);
    asked.catch(() => {});
    return asked;
  }

  /** What an earlier run of the handler kept. */
  get state() {
    const text = native(() => addon.state(this.#request));
    return text === null ? undefined : JSON.parse(text);
  }

  set state(value) {
    const text = textOf(/** @type {any} */ (value));
    if (text === undefined) throw new TypeError('state must be a value that JSON can hold');
    native(() => addon.setState(this.#request, text));
  }

  /** @param {import('../generated/config.js').TaskKeys} [options] */
  startTask(options) {
    const { ttlMs, pollIntervalMs, statusMessage, attempts } = only('startTask', options, 'ttlMs', 'pollIntervalMs', 'statusMessage', 'attempts');
    const text = JSON.stringify({ ttl_ms: ttlMs, poll_interval_ms: pollIntervalMs, status_message: statusMessage, attempts });
    native(() => addon.startTask(this.#request, text));
  }

  /** @param {{ retryMs?: number }} [options] */
  closeStream(options) {
    const { retryMs } = only('closeStream', options, 'retryMs');
    const retry = waitOf('retryMs', retryMs, -1);
    return this.#whileOpen(() => addon.closeStream(this.#request, retry));
  }

  /**
   * What has no effect on a request that is over. Whether something was sent.
   * @param {() => number} act
   */
  #whileOpen(act) {
    if (this.isCancelled) return false;
    try {
      return native(act) === 0;
    } catch (error) {
      if (error instanceof McpError && error.status !== 'invalid_argument') return false;
      throw error;
    }
  }

  static {
    inside = {
      handleOf: (/** @type {ServerRequest} */ it) => it.#request,
      hasAsked: (/** @type {ServerRequest} */ it) => it.#hasAsked,
      isOver: (/** @type {ServerRequest} */ it) => it.#reason !== undefined,
      end: (/** @type {ServerRequest} */ it, /** @type {unknown} */ reason) => {
        it.#reason ??= reason;
        it.#controller?.abort(reason);
      },
    };
  }
}

/** A form has properties of simple types and nothing else. @param {any} json */
function flat(json) {
  const { additionalProperties, $schema, ...form } = json;
  const properties = Object.entries(form.properties ?? {}).map(([name, property]) => {
    // What a format says anyway, schemas of libraries say once more as a pattern.
    const { pattern, ...rest } = /** @type {any} */ (property);
    return [name, rest.format === undefined ? property : rest];
  });
  return { ...form, properties: Object.fromEntries(properties) };
}

module.exports = { ServerRequest, inside };
