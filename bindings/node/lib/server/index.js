// A server: what a program offers, and where. Requests run handlers; what these return is the answer.
'use strict';

require('../messages.js');

const addon = require('../native.js');
const { hold, release } = require('../alive.js');
const { Client } = require('../client.js');
const { KIND, STATUS } = require('../generated/constants.js');
const { McpError, RequestError, errorOf, native } = require('../errors.js');
const { guard, warn } = require('../failures.js');
const hooks = require('../hooks.js');
const { LONGEST_WAIT, functionGiven, jsonOf, objectGiven, only, stringOf, textOf, timeOf, waitOf } = require('../texts.js');
const { NotFoundError, ToolError } = require('./errors.js');
const { httpHandler } = require('./http.js');
const { ServerRequest, inside } = require('./request.js');
const { completionEntry, methodEntry, promptEntry, resourceEntry, templateEntry, toolEntry } = require('./entries.js');
const { isObject } = require('./results.js');

const INTERNAL_ERROR = -32603;

/** @type {FinalizationRegistry<string>} */
const forgotten = new FinalizationRegistry((name) => {
  process.emitWarning(`the server ${name} was collected as garbage while it was open; close it with close() or declare it `
    + 'with "await using"', 'LibmcpWarning');
});

class Server {
  #handle;
  #isFreed = false;
  #isHeld = false;
  #entries = new Map();
  #lastEntry = 0;
  /** @type {Map<number, ServerRequest>} */
  #running = new Map();
  /** @type {Map<number, any>} */
  #calls = new Map();
  #lastCall = 0;
  /** @type {Function | null} */
  #onFailure = null;
  /** @type {Function | null} */
  #onToken = null;
  /** @type {Function | null} */
  #onRootsChanged = null;
  /** @type {Promise<void> | undefined} */
  #closing = undefined;
  /** @type {() => void} */
  #end = () => {};
  /** Resolves when all that was served has ended, and when the server is closed. */
  closed = /** @type {Promise<void>} */ (new Promise((resolve) => {
    this.#end = resolve;
  }));

  /** @param {any} config */
  constructor(config) {
    objectGiven('Server', config, "such as { name: 'weather', version: '1.0' }");
    // A thread of the library cannot run JavaScript: the process would end.
    if (config.workers > 0) throw new TypeError('workers: handlers run on the thread of the program; leave this key out');
    const { queue_messages, queue_bytes } = config.limits ?? {};
    const queue = JSON.stringify({ queue_messages, queue_bytes });
    this.#handle = native(() => new addon.Server(JSON.stringify(config), queue));
    this.#handle.deliver = this.#deliver.bind(this);
    forgotten.register(this, config.name, this);
  }

  /** @param {string} name @param {any} definition @param {Function} handler */
  tool(name, definition, handler) {
    if (typeof handler !== 'function' && typeof definition === 'function') throw new TypeError('tool takes a name, a definition and a handler');
    const entry = toolEntry(stringOf('name', name), definition, functionGiven(`the handler of the tool ${name}`, handler));
    return this.#add('tool', name, entry, entry.definition);
  }

  /** @param {any} definition @param {any} source a function, a text or bytes */
  resource(definition, source) {
    const { uri } = objectGiven('resource', definition, "such as { uri: 'config://app', name: 'config' }");
    if (typeof source === 'string') return this.#add('resource', uri, null, definition, source, 'text');
    if (source instanceof Uint8Array) return this.#add('resource', uri, null, definition, source, 'blob');
    return this.#add('resource', uri, resourceEntry(definition, functionGiven(`the source of the resource ${uri}`, source)), definition);
  }

  /** @param {any} given @param {Function} handler */
  resourceTemplate(given, handler) {
    const { complete, ...definition } = objectGiven('resourceTemplate', given, "such as { uriTemplate: 'users://{name}', name: 'user' }");
    const added = this.#add('template', definition.uriTemplate, templateEntry(definition, functionGiven(`the handler of ${definition.uriTemplate}`, handler)), definition);
    this.#complete(definition.uriTemplate, complete, added);
    return added;
  }

  /** @param {any} definition @param {string} folder */
  folder(definition, folder) {
    objectGiven('folder', definition, "such as { uriTemplate: 'docs:///{+path}', name: 'docs' }");
    return this.#add('template', definition.uriTemplate, null, definition, stringOf('folder', folder), 'folder');
  }

  /** @param {string} folder @param {{ uriPrefix?: string }} [given] */
  skills(folder, given) {
    const { uriPrefix } = only('skills', given, 'uriPrefix');
    const options = uriPrefix === undefined ? undefined : JSON.stringify({ uri_prefix: uriPrefix });
    native(() => this.#handle.add('skills', 0, stringOf('folder', folder), options));
    return this.#added('skills', folder, 0);
  }

  /** @param {string} name @param {any} given @param {Function} handler */
  prompt(name, given, handler) {
    const isForgotten = typeof given === 'function' && handler === undefined;
    if (isForgotten) throw new TypeError('prompt takes a name, a definition and a handler');
    const { complete, ...rest } = objectGiven('the definition of a prompt', given, "such as { description: '...' }");
    const entry = promptEntry(stringOf('name', name), rest, functionGiven(`the handler of the prompt ${name}`, handler));
    for (const argument of Object.keys(complete ?? {})) {
      if (entry.definition.arguments?.some((/** @type {any} */ it) => it.name === argument)) continue;
      throw new TypeError(`the prompt ${name} has no argument ${argument} that could be completed`);
    }
    const added = this.#add('prompt', name, entry, entry.definition);
    this.#complete(name, complete, added);
    return added;
  }

  /** @param {string} method @param {any} options @param {Function} handler */
  method(method, options, handler) {
    const { capability, settings, params } = only('method', options, 'capability', 'settings', 'params');
    const number = this.#newEntry(methodEntry(stringOf('method', method), params, functionGiven(`the handler of ${method}`, handler)));
    this.#orForget(number, () => this.#handle.add('method', number, method, capability, textOf(settings)));
  }

  /** @param {string} reference @param {string} argument @param {any} source a list of values or a function */
  completion(reference, argument, source) {
    stringOf('argument', argument);
    if (Array.isArray(source)) {
      native(() => this.#handle.add('completion', 0, stringOf('reference', reference), argument, JSON.stringify(source)));
      return;
    }
    const number = this.#newEntry(completionEntry(reference, functionGiven(`the source of the completion of ${argument}`, source)));
    this.#orForget(number, () => this.#handle.add('completion', number, stringOf('reference', reference), argument));
  }

  /** @param {Function | null} handler */
  onFailure(handler) {
    this.#onFailure = handler === null ? null : functionGiven('the handler of onFailure', handler);
  }

  /** @param {Function | null} handler */
  onToken(handler) {
    this.#onToken = handler === null ? null : functionGiven('the handler of onToken', handler);
  }

  /** @param {Function | null} handler */
  onRootsChanged(handler) {
    this.#onRootsChanged = handler === null ? null : functionGiven('the handler of onRootsChanged', handler);
  }

  /** @param {any} endpoint @returns {Promise<any>} */
  serve(endpoint) {
    return new Promise((resolve, reject) => {
      this.#refuseFreed('serve');
      objectGiven('serve', endpoint, "such as { stdio: true }, { url: 'http://127.0.0.1:8080/mcp' } or { socket: 'unix:/run/mcp' }");
      // While it is under way, and then until all has ended if the library serves by itself.
      hold(this);
      const text = JSON.stringify(endpoint);
      try {
        native(() => this.#handle.serve(text, (/** @type {number} */ status, /** @type {string | null} */ error, /** @type {string} */ bound) => {
          if (status === STATUS.OK && endpoint?.listen !== false && !this.#isFreed && !this.#isHeld) this.#isHeld = true;
          else release(this);
          if (status === STATUS.OK) resolve(JSON.parse(bound));
          else reject(errorOf(status, error));
        }));
      } catch (error) {
        release(this);
        throw error;
      }
    });
  }

  /** Serves until all that is served has ended. @param {any} endpoint */
  async run(endpoint) {
    await this.serve(endpoint);
    await this.closed;
    await this.close();
  }

  /**
   * It does not wait, and gives no promise: `createServer` would take one for its options, and answer nothing.
   * @param {any} [options]
   */
  http(options = {}) {
    this.#refuseFreed('http');
    const { url, ...more } = objectGiven('http', options, "such as { url: 'https://mcp.example/mcp' }");
    const endpoint = JSON.stringify({ url: url ?? 'http://127.0.0.1/', ...more, listen: false });
    native(() => this.#handle.serveInside(endpoint));
    return httpHandler(this.#handle, {
      // Without a URL it answers wherever the program has put it.
      path: url === undefined ? undefined : new URL(url).pathname,
      failed: (error) => this.#failed(error, 'http'),
    });
  }

  /** A client in this process. @param {any} [config] @param {any} [handlers] */
  client(config = {}, handlers = {}) {
    this.#refuseFreed('client');
    // @ts-ignore The third argument is for this function alone.
    return new Client(config, handlers, this.#handle);
  }

  /** @param {string} uri */
  resourceUpdated(uri) {
    this.#refuseFreed('resourceUpdated');
    native(() => this.#handle.resourceUpdated(stringOf('uri', uri)));
  }

  /** @param {string} level @param {unknown} data @param {string} [logger] */
  log(level, data, logger) {
    this.#refuseFreed('log');
    native(() => this.#handle.log(level, logger, JSON.stringify(data ?? null)));
  }

  /** @param {string} method @param {object} [params] @param {{ session?: number }} [options] */
  notify(method, params, options) {
    const { session = 0 } = only('notify', options, 'session');
    this.#refuseFreed('notify');
    native(() => this.#handle.notify(session, stringOf('method', method), textOf(params)));
  }

  /** @param {number} session @param {string} method @param {object} [params] @param {{ timeoutMs?: number }} [options] @returns {Promise<any>} */
  call(session, method, params, options) {
    return new Promise((resolve, reject) => {
      const { timeoutMs } = only('call', options, 'timeoutMs');
      this.#refuseFreed(stringOf('method', method));
      const text = timeoutMs === undefined ? undefined : JSON.stringify({ timeout_ms: timeOf('timeoutMs', timeoutMs, 1, LONGEST_WAIT) });
      const tag = ++this.#lastCall;
      native(() => this.#handle.call(session, method, textOf(params), text, tag));
      this.#calls.set(tag, { resolve, reject });
      hold(this);
    });
  }

  info() {
    this.#refuseFreed('info');
    return JSON.parse(native(() => this.#handle.info()));
  }

  /** @param {{ timeoutMs?: number }} [options] @returns {Promise<void>} */
  async close(options) {
    const { timeoutMs } = only('close', options, 'timeoutMs');
    const wait = waitOf('timeoutMs', timeoutMs, LONGEST_WAIT);
    this.#closing ??= this.#close(wait);
    return this.#closing;
  }

  async [Symbol.asyncDispose]() {
    await this.close();
  }

  /** @param {number} timeoutMs */
  async #close(timeoutMs) {
    hold(this);
    try {
      forgotten.unregister(this);
      const status = await new Promise((resolve) => native(() => this.#handle.close(timeoutMs, resolve)));
      const freed = new Promise((resolve) => native(() => this.#handle.free(resolve)));
      this.#isFreed = true;
      await freed;
      const reason = new McpError({ status: 'closed', message: 'the server is closed', retryable: false });
      for (const { reject } of this.#calls.values()) {
        release(this);
        reject(reason);
      }
      this.#calls.clear();
      for (const request of this.#running.values()) inside.end(request, reason);
      this.#running.clear();
      this.#ended();
      if (status !== STATUS.OK) {
        throw new McpError({ status: 'timeout', operation: 'close', retryable: false,
          message: 'a client did not take everything that was sent to it in time' });
      }
    } finally {
      release(this);
    }
  }

  #ended() {
    this.#end();
    if (!this.#isHeld) return;
    this.#isHeld = false;
    release(this);
  }

  /** @param {string} operation */
  #refuseFreed(operation) {
    if (!this.#isFreed) return;
    throw new McpError({ status: 'closed', message: 'the server is closed', operation, retryable: false });
  }

  /** @param {any} entry */
  #newEntry(entry) {
    this.#refuseFreed('add');
    this.#entries.set(++this.#lastEntry, entry);
    return this.#lastEntry;
  }

  /** @param {number} number @param {() => void} add */
  #orForget(number, add) {
    try {
      native(add);
    } catch (error) {
      this.#entries.delete(number);
      throw error;
    }
  }

  /**
   * @param {string} kind @param {string} name @param {any} entry null for what the library answers by itself
   * @param {any} definition @param {any} [content] @param {string} [how]
   */
  #add(kind, name, entry, definition, content, how = kind) {
    const number = entry === null ? 0 : this.#newEntry(entry);
    this.#refuseFreed('add');
    this.#orForget(number, () => this.#handle.add(how, number, JSON.stringify(definition), content));
    return this.#added(kind, name, number);
  }

  /** @param {string} kind @param {string} name @param {number} number */
  #added(kind, name, number) {
    return {
      remove: () => {
        this.#refuseFreed('remove');
        const wasThere = native(() => this.#handle.remove(kind, name));
        this.#entries.delete(number);
        return wasThere;
      },
    };
  }

  /** @param {string} reference @param {any} complete @param {{ remove: () => boolean }} added */
  #complete(reference, complete, added) {
    try {
      for (const [argument, source] of Object.entries(complete ?? {})) this.completion(reference, argument, source);
    } catch (error) {
      added.remove();
      throw error;
    }
  }

  /**
   * @param {number} number that of the entry, or 0 @param {number} kind @param {number} status @param {number} id
   * @param {string} json @param {string} method @param {unknown} request
   */
  #deliver(number, kind, status, id, json, method, request) {
    if (number !== 0) {
      const entry = this.#entries.get(number);
      // One that was removed while its request waited.
      if (entry === undefined) return void this.#tellGone(request);
      return void this.#run(entry, id, new ServerRequest(request, method, json));
    }
    switch (kind) {
      case KIND.NOTIFICATION:
        if (method === 'notifications/cancelled') return this.#withdraw(id, JSON.parse(json).reason);
        if (method === 'notifications/roots/list_changed' && this.#onRootsChanged !== null) {
          const changed = this.#onRootsChanged;
          guard(() => changed(JSON.parse(json)), (error) => this.#failed(error, 'onRootsChanged'));
        }
        return undefined;
      case KIND.REPLY: return this.#reply(id, status, json);
      case KIND.AUTH: return void this.#decide(JSON.parse(json), request);
      case KIND.STATE:
        // Everything that was served has ended.
        this.#ended();
        return void this.close().catch(() => {});
      default: return undefined;
    }
  }

  /** @param {unknown} request */
  #tellGone(request) {
    try {
      addon.respondNotFound(request);
    } catch {
      // It is over, which is as well.
    }
  }

  /** @param {any} entry @param {number} id @param {ServerRequest} request */
  #run(entry, id, request) {
    this.#running.set(id, request);
    let result;
    try {
      result = hooks.around === null ? entry.run(request) : hooks.around(request, () => entry.run(request));
      if (typeof result?.then === 'function') {
        Promise.resolve(result).then(
          (value) => this.#answer(entry, id, request, value),
          (error) => this.#refuse(entry, id, request, error),
        );
        return;
      }
    } catch (error) {
      this.#refuse(entry, id, request, error);
      return;
    }
    this.#answer(entry, id, request, result);
  }

  /** @param {any} entry @param {number} id @param {ServerRequest} request @param {any} value */
  #answer(entry, id, request, value) {
    if (this.#isDone(id, request)) return;
    try {
      if (entry.isTool && typeof value === 'string' && !entry.isStructured && !value.includes('\0')) {
        native(() => addon.respondText(inside.handleOf(request), value, false));
        return;
      }
      const json = jsonOf(entry.resultOf(value, request));
      native(() => addon.respond(inside.handleOf(request), json));
    } catch (error) {
      // What is over needs no answer. Everything else is a fault of the handler: a result that does not fit.
      if (error instanceof McpError && error.status !== 'invalid_argument') return;
      this.#fail(entry, request, error);
    }
  }

  /** @param {any} entry @param {number} id @param {ServerRequest} request @param {unknown} error */
  #refuse(entry, id, request, error) {
    if (this.#isDone(id, request)) return;
    const handle = inside.handleOf(request);
    try {
      if (error instanceof ToolError && entry.isTool) return void native(() => addon.respondText(handle, error.message, true));
      if (error instanceof NotFoundError) return void native(() => addon.respondNotFound(handle));
      if (error instanceof RequestError) {
        return void native(() => addon.respondError(handle, error.code, error.message, textOf(/** @type {any} */ (error.data))));
      }
      if (error instanceof ToolError) return void native(() => addon.respondError(handle, entry.code ?? INTERNAL_ERROR, error.message));
    } catch (failure) {
      if (failure instanceof McpError && failure.status !== 'invalid_argument') return;
      return void this.#fail(entry, request, failure);
    }
    this.#fail(entry, request, error);
  }

  /** The program hears what happened, the client only that something did. @param {any} entry @param {ServerRequest} request @param {unknown} error */
  #fail(entry, request, error) {
    this.#failed(error, entry.operation);
    const handle = inside.handleOf(request);
    try {
      native(() => (entry.isTool ? addon.respondText(handle, 'The tool failed.', true)
        : addon.respondError(handle, INTERNAL_ERROR, 'Internal error')));
    } catch (failure) {
      if (failure instanceof McpError && failure.status !== 'invalid_argument') return;
      // The library answers for a request that is given up.
      addon.releaseRequest(handle);
    }
  }

  /** Whether nothing is to be answered: the request is over, or its client was asked. @param {number} id @param {ServerRequest} request */
  #isDone(id, request) {
    if (this.#running.get(id) === request) this.#running.delete(id);
    if (!inside.hasAsked(request) && !inside.isOver(request)) return false;
    addon.releaseRequest(inside.handleOf(request));
    return true;
  }

  /** @param {number} id @param {string} reason */
  #withdraw(id, reason) {
    const request = this.#running.get(id);
    if (request === undefined) return;
    this.#running.delete(id);
    inside.end(request, new McpError({ status: reason === 'deadline' ? 'timeout' : 'cancelled', operation: request.method, retryable: false,
      message: `the answer to the request is not wanted any more (${reason})` }));
  }

  /** @param {number} tag @param {number} status @param {string} json */
  #reply(tag, status, json) {
    const call = this.#calls.get(tag);
    if (call === undefined) return;
    this.#calls.delete(tag);
    release(this);
    if (status === STATUS.OK) call.resolve(JSON.parse(json));
    else call.reject(errorOf(status, json));
  }

  /** @param {{ token: string, audiences: string[] }} asked @param {unknown} request */
  async #decide(asked, request) {
    try {
      if (this.#onToken === null) throw new Error('the program has no handler for tokens: give the server one with onToken()');
      const decided = await this.#onToken(asked);
      if (isObject(decided)) native(() => addon.respond(request, JSON.stringify(decided)));
      else native(() => addon.respondError(request, INTERNAL_ERROR, 'the token is not good'));
    } catch (error) {
      this.#failed(error, 'onToken');
      addon.releaseRequest(request);
    }
  }

  /** @param {unknown} error @param {string} operation */
  #failed(error, operation) {
    if (this.#onFailure === null) return warn(error, operation);
    const told = this.#onFailure;
    guard(() => told(error, { operation }), (failure) => warn(failure, 'onFailure'));
  }
}

module.exports = { Server };
