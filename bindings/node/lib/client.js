// What a program uses: one client, one server. Calls become promises, and what the server says by itself becomes streams
// and handlers.
'use strict';

require('./messages.js');

const { onAbort } = require('./abort.js');
const addon = require('./native.js');
const { hold, release } = require('./alive.js');
const { KIND, STATUS, STATE_NAMES } = require('./generated/constants.js');
const { McpError, RequestError, errorOf, native } = require('./errors.js');
const { guard, warn } = require('./failures.js');
const hooks = require('./hooks.js');
const { Login } = require('./login.js');
const { checkAnswered, checkPermitted, methodsOf, refusal, sendable, unhandled, withCapabilities } = require('./requests.js');
const { InvalidValue, checkOf } = require('./server/schema.js');
const { checkSigner, signRequestOf, signatureOf } = require('./sign.js');
const { MessageStream } = require('./stream.js');
const { LONGEST_WAIT, functionGiven, messageOf, namedAsGiven, objectGiven, only, optionsGiven, optionsOf, stringOf, textOf, waitOf } = require('./texts.js');

let tags = 0;

/** @type {FinalizationRegistry<string>} */
const forgotten = new FinalizationRegistry((name) => {
  process.emitWarning(`the client of ${name} was collected as garbage while it was open; `
    + 'close it with close() or declare it with "await using"', 'LibmcpWarning');
});

class Client {
  #handle;
  #capabilities;
  #answersRoots = false;
  #isFreed = false;
  #isChecked = false;
  /** @type {Map<number, any>} */
  #calls = new Map();
  /** @type {Map<string, Function>} */
  #handlers = new Map();
  /** @type {Function | null} */
  #login = null;
  /** @type {Function | undefined} */
  #sign;
  /** @type {Function | null} */
  #onFailure = null;
  /** @type {Set<MessageStream>} */
  #streams = new Set();
  /** @type {Promise<void> | undefined} */
  #closed = undefined;
  #closing = new AbortController();

  /**
   * @param {import('./index.js').Config} given @param {any} [handlers]
   * @param {any} [server] the addon's object of a server in this process
   */
  constructor(given, handlers = {}, server = undefined) {
    const { onSign, ...answering } = objectGiven('the second argument of Client', handlers, 'such as { elicitation: (form) => ... }');
    objectGiven('Client', given, "such as { command: 'npx', args: ['-y', 'some-server'] } or { url: 'https://mcp.example/mcp' }");
    const config = withCapabilities(given, answering);
    checkSigner(config, onSign);
    this.#sign = onSign;
    const { queue_messages, queue_bytes, overflow } = config.limits ?? {};
    const queue = JSON.stringify({ queue_messages, queue_bytes, overflow });
    this.#handle = native(() => new addon.Client(JSON.stringify(config), queue, server));
    // A server lives as long as its clients in this process.
    this.#handle.server = server;
    this.#handle.deliver = this.#deliver.bind(this);
    this.#capabilities = config.capabilities ?? {};
    this.#answersRoots = config.roots !== undefined;
    for (const [method, handler] of methodsOf(answering)) this.onRequest(method, handler);
    forgotten.register(this, config.name ?? config.command ?? config.url ?? (server === undefined ? 'a server' : 'a server in this process'), this);
  }

  get state() {
    return this.#isFreed ? 'closed' : STATE_NAMES[this.#handle.state()] ?? 'unknown';
  }

  info() {
    this.#refuseFreed('info');
    return JSON.parse(native(() => this.#handle.info()));
  }

  /** @param {{ timeoutMs?: number, signal?: AbortSignal }} [options] @returns {Promise<void>} */
  async connect(options) {
    const { timeoutMs, signal } = only('connect', options, 'timeoutMs', 'signal');
    const wait = waitOf('timeoutMs', timeoutMs, -1);
    await this.#perform('connect', signal && { signal }, (_text, tag) => this.#handle.connect(wait, tag));
  }

  /** @param {string} method @param {object} [params] @param {any} [options] @returns {Promise<any>} */
  async call(method, params, options) {
    stringOf('method', method);
    return this.#perform(method, options, (text, tag) => this.#handle.start(method, textOf(params), text, tag));
  }

  /**
   * Has the library do what a feature is, whatever the revision.
   * @param {string} feature @param {(string | undefined)[]} values @param {any} options @returns {Promise<any>}
   */
  #use(feature, values, options) {
    return this.#perform(feature, options, (text, tag) => this.#handle.use(feature, values, text, tag));
  }

  /**
   * Starts a call and waits for its one outcome.
   * @param {string} method @param {any} options @param {(options: string | undefined, tag: number) => number} start
   * @returns {Promise<any>}
   */
  #perform(method, options, start) {
    return new Promise((resolve, reject) => {
      this.#refuseFreed(method);
      this.#checkHandlers();
      const { signal, onProgress, onTask } = optionsGiven(options) ?? {};
      signal?.throwIfAborted();
      const tag = ++tags;
      /** @type {any} */
      const call = { method, options, resolve, reject, signal, onProgress, onTask, stopListening: undefined };
      const text = optionsOf(hooks.parent === null ? options : hooks.parent(options));
      const id = native(() => start(text, tag), (json) => namedAsGiven(json, options));
      // The reply cannot have come yet: it is delivered on this thread.
      this.#calls.set(tag, call);
      hold(this);
      if (signal !== undefined) call.stopListening = onAbort(signal, () => this.#cancel(id, signal.reason));
    });
  }

  /** @param {string} method @param {object} [params] */
  notify(method, params) {
    this.#refuseFreed(stringOf('method', method));
    native(() => this.#handle.notify(method, textOf(params)));
  }

  /** @param {string} method @param {Function | null} handler */
  onRequest(method, handler) {
    if (handler === null) {
      this.#handlers.delete(method);
      return;
    }
    functionGiven(`the handler of ${method}`, handler);
    checkPermitted(method, this.#capabilities);
    this.#handlers.set(method, handler);
  }

  /** @param {Function | null} handler */
  onLogin(handler) {
    this.#login = handler === null ? null : functionGiven('the handler of onLogin', handler);
  }

  /** @param {Function | null} handler */
  onFailure(handler) {
    this.#onFailure = handler === null ? null : functionGiven('the handler of onFailure', handler);
  }

  /** @param {any} [options] */
  messages(options) {
    const { kinds = ['notification', 'state', 'stderr', 'lost'], method, limit = 10_000, keepAlive = true, signal } = only('messages', options, 'kinds', 'method', 'limit', 'keepAlive', 'signal');
    if (!Number.isSafeInteger(limit) || limit < 1) throw new TypeError('limit must be a whole number from 1');
    if (!Array.isArray(kinds)) throw new TypeError('kinds must be a list of kinds of messages');
    const accepts = (/** @type {any} */ message) => kinds.includes(message.kind)
      && (method === undefined || message.kind !== 'notification' || message.method === method);
    /** @type {MessageStream} */
    const stream = new MessageStream(this, { accepts, limit, keepAlive, signal }, (it) => this.#streams.delete(it));
    if (this.#isFreed) stream.end();
    else this.#streams.add(stream);
    return stream;
  }

  /** @param {string} [method] @param {any} [options] */
  notifications(method, options) {
    if (method !== undefined) stringOf('method', method);
    return this.messages({ ...optionsGiven(options), kinds: ['notification'], method });
  }

  /** @param {{ timeoutMs?: number }} [options] @returns {Promise<void>} */
  async close(options) {
    const { timeoutMs } = only('close', options, 'timeoutMs');
    const wait = waitOf('timeoutMs', timeoutMs, LONGEST_WAIT);
    this.#closed ??= this.#close(wait);
    return this.#closed;
  }

  async [Symbol.asyncDispose]() {
    await this.close();
  }

  /**
   * One page of a list, as the server gives it.
   * @param {string} method @param {string} [cursor] @param {any} [options] @returns {Promise<any>}
   */
  async page(method, cursor, options) {
    return this.#use(stringOf('method', method), [], { ...optionsGiven(options), onePage: true, cursor });
  }

  /**
   * The entries of a list, page by page as they are read.
   * @param {string} method @param {string} member @param {any} options
   */
  async* #entries(method, member, options) {
    let cursor;
    do {
      const page = await this.page(method, cursor, options);
      // A server that gives the same page for ever would keep the reader for ever.
      if (cursor !== undefined && page.nextCursor === cursor) {
        throw new McpError({ status: 'protocol', operation: method, retryable: false, message: 'the server gave the cursor of a page as that of the next one' });
      }
      cursor = page.nextCursor;
      yield* page[member];
    } while (cursor !== undefined && cursor !== null);
  }

  /** @param {any} [options] */
  tools(options) {
    return this.#entries('tools/list', 'tools', options);
  }

  /** @param {any} [options] */
  resources(options) {
    return this.#entries('resources/list', 'resources', options);
  }

  /** @param {any} [options] */
  resourceTemplates(options) {
    return this.#entries('resources/templates/list', 'resourceTemplates', options);
  }

  /** @param {any} [options] */
  prompts(options) {
    return this.#entries('prompts/list', 'prompts', options);
  }

  /** @param {any} [options] */
  async listTools(options) {
    return (await this.#use('tools/list', [], options)).tools;
  }

  /** @param {any} [options] */
  async listResources(options) {
    return (await this.#use('resources/list', [], options)).resources;
  }

  /** @param {any} [options] */
  async listResourceTemplates(options) {
    return (await this.#use('resources/templates/list', [], options)).resourceTemplates;
  }

  /** @param {any} [options] */
  async listPrompts(options) {
    return (await this.#use('prompts/list', [], options)).prompts;
  }

  /** @param {string} name @param {object} [args] @param {any} [options] */
  async callTool(name, args, options) {
    if (typeof /** @type {any} */ (name)?.name === 'string') throw new TypeError('callTool takes the name and then the arguments: callTool(name, { ... })');
    if (options?.resultSchema === undefined) return this.#use('tools/call', [stringOf('name', name), textOf(args)], options);
    const { resultSchema, ...others } = options;
    const check = checkOf(resultSchema, 'resultSchema');
    const result = await this.#use('tools/call', [stringOf('name', name), textOf(args)], others);
    if (result.structuredContent === undefined) return result;
    try {
      return { ...result, structuredContent: await check(result.structuredContent) };
    } catch (error) {
      if (!(error instanceof InvalidValue)) throw error;
      throw new McpError({ status: 'protocol', operation: 'tools/call', retryable: false,
        message: `the structured result of ${name} does not fit resultSchema: ${error.message}` });
    }
  }

  /** @param {string} uri @param {any} [options] */
  async readResource(uri, options) {
    return this.#use('resources/read', [stringOf('uri', uri)], options);
  }

  /** @param {string} uri @param {any} [options] */
  async subscribe(uri, options) {
    await this.#use('resources/subscribe', [stringOf('uri', uri)], options);
  }

  /** @param {string} uri @param {any} [options] */
  async unsubscribe(uri, options) {
    await this.#use('resources/unsubscribe', [stringOf('uri', uri)], options);
  }

  /** @param {string} name @param {Record<string, string>} [args] @param {any} [options] */
  async getPrompt(name, args, options) {
    return this.#use('prompts/get', [stringOf('name', name), textOf(args)], options);
  }

  /** @param {object} ref @param {{ name: string, value: string, settled?: object }} argument @param {any} [options] */
  async complete(ref, { name, value, settled }, options) {
    const texts = [textOf(ref), stringOf('name', name), stringOf('value', value), textOf(settled)];
    return (await this.#use('completion/complete', texts, options)).completion;
  }

  /** @param {string} level @param {any} [options] */
  async setLogLevel(level, options) {
    await this.#use('logging/setLevel', [stringOf('level', level)], options);
  }

  /** @param {any} [options] */
  async ping(options) {
    await this.#use('ping', [], options);
  }

  /** @param {any} [options] */
  async listTasks(options) {
    return (await this.#use('tasks/list', [], options)).tasks;
  }

  /** @param {string} id @param {any} [options] */
  async getTask(id, options) {
    return this.#use('tasks/get', [stringOf('id', id)], options);
  }

  /** @param {string} id @param {any} [options] */
  async taskResult(id, options) {
    return this.#use('tasks/result', [stringOf('id', id)], options);
  }

  /** @param {string} id @param {any} [options] */
  async cancelTask(id, options) {
    await this.#use('tasks/cancel', [stringOf('id', id)], options);
  }

  /** @param {any} [options] */
  async listSkills(options) {
    return (await this.#use('skills/list', [], options)).skills;
  }

  /** @param {string} uri @param {any} [options] */
  async getSkill(uri, options) {
    return (await this.#use('skills/get', [stringOf('uri', uri)], options)).skill;
  }

  /** @param {object} skill @param {any} [options] */
  async loadSkill(skill, options) {
    return (await this.#use('skills/load', [textOf(skill)], options)).contents[0];
  }

  /** @param {object} skill @param {string} path @param {any} [options] */
  async readSkillFile(skill, path, options) {
    return (await this.#use('skills/read', [textOf(skill), stringOf('path', path)], options)).contents[0];
  }

  /** @param {(string | { uri: string, name?: string })[]} roots */
  setRoots(roots) {
    this.#refuseFreed('roots');
    native(() => this.#handle.setRoots(JSON.stringify(roots)));
  }

  /** @param {{ timeoutMs?: number }} [options] @returns {Promise<void>} */
  async logout(options) {
    const { timeoutMs } = only('logout', options, 'timeoutMs');
    this.#refuseFreed('logout');
    const wait = waitOf('timeoutMs', timeoutMs, LONGEST_WAIT);
    hold(this);
    try {
      await new Promise((resolve, reject) => {
        native(() => this.#handle.logout(wait, (/** @type {number} */ status, /** @type {string | null} */ error) => (
          status === STATUS.OK ? resolve(undefined) : reject(errorOf(status, error)))));
      });
    } finally {
      release(this);
    }
  }

  clearCache() {
    this.#refuseFreed('cache');
    native(() => this.#handle.clearCache());
  }

  /** Before the server can ask: what the program said it can answer, it must. */
  #checkHandlers() {
    if (this.#isChecked) return;
    checkAnswered(this.#capabilities, this.#handlers, this.#answersRoots);
    this.#isChecked = true;
  }

  /** @param {string} operation */
  #refuseFreed(operation) {
    if (!this.#isFreed) return;
    throw new McpError({ status: 'closed', message: 'the client is closed', operation, retryable: false });
  }

  /** @param {number} id @param {unknown} reason */
  #cancel(id, reason) {
    if (this.#isFreed) return;
    // Whether it still was under way or not, its one reply tells how it ended.
    this.#handle.cancel(id, messageOf(reason));
  }

  /** @param {number} timeoutMs */
  async #close(timeoutMs) {
    hold(this);
    try {
      forgotten.unregister(this);
      this.#closing.abort(new McpError({ status: 'closed', message: 'the client is being closed', retryable: false }));
      const status = await new Promise((resolve) => native(() => this.#handle.close(timeoutMs, resolve)));
      // Everything that waited is delivered before this returns, so that every call has ended.
      const freed = new Promise((resolve) => native(() => this.#handle.free(resolve)));
      this.#isFreed = true;
      for (const stream of this.#streams) stream.end();
      await freed;
      if (status !== STATUS.OK) {
        throw new McpError({ status: 'timeout', operation: 'close', retryable: false,
          message: 'the server was killed, but the system has not ended its process yet' });
      }
    } finally {
      release(this);
    }
  }

  /**
   * @param {number} kind @param {number} status @param {number} tag @param {string | null} method
   * @param {string | null} json @param {unknown} request
   */
  #deliver(kind, status, tag, method, json, request) {
    const body = json === null ? {} : status === STATUS.OK ? JSON.parse(json) : undefined;
    switch (kind) {
      case KIND.REPLY: return this.#end(tag, status, body, json);
      case KIND.PROGRESS: return this.#report(this.#calls.get(tag), 'onProgress', body);
      case KIND.REQUEST: return void this.#answer(/** @type {string} */ (method), body, request);
      case KIND.AUTH: return void (body.kind === 'sign' ? this.#giveSignature(body, request) : this.#logIn(body, request));
      case KIND.NOTIFICATION:
        // The state of a task has the tag of its call.
        if (tag !== 0) this.#report(this.#calls.get(tag), 'onTask', body);
        return this.#publish({ kind: 'notification', method, params: body });
      case KIND.STATE: return this.#publish({ kind: 'state', ...body });
      case KIND.STDERR: return this.#publish({ kind: 'stderr', ...body });
      case KIND.LOST: return this.#publish({ kind: 'lost', ...body });
      // Kinds of later libraries.
      default: return undefined;
    }
  }

  /** @param {number} tag @param {number} status @param {any} result @param {string | null} json */
  #end(tag, status, result, json) {
    const call = this.#calls.get(tag);
    if (call === undefined) throw new Error(`libmcp: a reply for call ${tag}, which is not under way`);
    this.#calls.delete(tag);
    call.stopListening?.();
    release(this);
    if (status === STATUS.OK) call.resolve(result);
    else if (status === STATUS.CANCELLED && call.signal?.aborted) call.reject(call.signal.reason);
    else call.reject(errorOf(status, namedAsGiven(json, call.options)));
  }

  /** @param {object} message */
  #publish(message) {
    for (const stream of this.#streams) stream.push(message);
  }

  /**
   * Gives a report of a call to its function. One that fails changes nothing for the call.
   * @param {any} call @param {'onProgress' | 'onTask'} name @param {any} body
   */
  #report(call, name, body) {
    if (call?.[name] === undefined) return;
    guard(() => call[name](body), (error) => this.#failed(error, `${name} of ${call.method}`));
  }

  /** Tells the program that a function of its own failed. @param {unknown} error @param {string} operation */
  #failed(error, operation) {
    const handler = this.#onFailure;
    if (handler === null) warn(error, operation);
    else guard(() => handler(error, { operation }), (another) => warn(another, 'onFailure'));
  }

  /**
   * Has a handler answer a request. Never rejects, and the server gets an answer whatever the handler does.
   * @param {string} method @param {object} params @param {unknown} request
   */
  async #answer(method, params, request) {
    let isAnswered = false;
    try {
      const handler = this.#handlers.get(method);
      if (handler === undefined) throw unhandled(method);
      const answer = (/** @type {string} */ action, /** @type {object | undefined} */ content) => {
        try {
          native(() => addon.respondToForm(request, action, textOf(content)));
          isAnswered = true;
        } catch (error) {
          // Content that the form does not allow leaves the request open; with every other failure the server no longer waits.
          isAnswered = error instanceof McpError && error.status !== 'invalid_argument';
          throw error;
        }
      };
      const result = await handler(params, {
        method,
        signal: this.#closing.signal,
        accept: (/** @type {object | undefined} */ content) => answer('accept', content),
        decline: () => answer('decline', undefined),
        cancel: () => answer('cancel', undefined),
      });
      if (!isAnswered) this.#tell(() => addon.respond(request, JSON.stringify(sendable(method, params, result) ?? {})));
    } catch (error) {
      // What the handler could do no more since the client is being closed is no failure of its.
      if (!(error instanceof RequestError) && !this.#closing.signal.aborted) this.#failed(error, method);
      if (!isAnswered) this.#refuse(request, error);
    }
  }

  /** @param {unknown} request @param {unknown} error */
  #refuse(request, error) {
    const { code, message, data } = refusal(error);
    // What the library does not take, such as data that is nested too deep, is left out; then it is the text's turn.
    for (const [text, more] of [[message, data], [message, undefined], ['the handler failed', undefined]]) {
      try {
        this.#tell(() => addon.respondError(request, code, text, more));
        return;
      } catch (failure) {
        this.#failed(failure, 'refusing a request');
      }
    }
  }

  /** @param {any} body @param {unknown} request */
  async #logIn(body, request) {
    const login = new Login(this.#handle, () => this.#refuseFreed('login'), body, request);
    try {
      // It would be waited for as long as a person may take.
      if (this.#login === null) throw new Error('the program has no handler for logins: give the client one with onLogin()');
      await this.#login(login, { signal: this.#closing.signal });
    } catch (error) {
      if (this.#login !== null && !this.#closing.signal.aborted) this.#failed(error, 'login');
      try {
        this.#tell(() => login.giveUp(messageOf(error)));
      } catch (failure) {
        this.#failed(failure, 'giving up a login');
      }
    }
  }

  /**
   * Has the program sign. Never rejects, and the library gets a signature or an error.
   * @param {any} body @param {unknown} request
   */
  async #giveSignature(body, request) {
    const answer = (/** @type {string | undefined} */ signature, /** @type {string | undefined} */ reason) => (
      this.#tell(() => this.#handle.authAnswer(request, signature, reason)));
    try {
      const sign = /** @type {Function} */ (this.#sign);
      answer(signatureOf(await sign(signRequestOf(body), { signal: this.#closing.signal }), body.algorithm), undefined);
    } catch (error) {
      if (!this.#closing.signal.aborted) this.#failed(error, 'sign');
      try {
        answer(undefined, messageOf(error));
      } catch (failure) {
        this.#failed(failure, 'giving up a signature');
      }
    }
  }

  /**
   * Answers the server. If it no longer waits (it withdrew the request, it died, the client is closed), the error is ignored.
   * Only an invalid answer is the handler's fault.
   * @param {() => void} answer
   */
  #tell(answer) {
    try {
      native(answer);
    } catch (error) {
      if (!(error instanceof McpError) || error.status === 'invalid_argument') throw error;
    }
  }
}

module.exports = { Client };
