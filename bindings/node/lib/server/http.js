// Requests that an HTTP server of the program has taken: Node's own, or one that speaks in Request and Response.
'use strict';

const addon = require('../native.js');
const { hold, release } = require('../alive.js');
const { McpError, native } = require('../errors.js');

/** @param {any} server @param {{ path: string | undefined, failed: (error: unknown) => void }} options `path` is that of the endpoint, if it has a URL */
function httpHandler(server, { path, failed }) {
  /** @param {any} request @param {any} response @param {unknown} [third] */
  const handle = async (request, response, third) => {
    try {
      const reading = new Reading(server, request.method, targetOf(request, path), headersOf(request), request.socket?.remoteAddress ?? '');
      const body = bodyOf(request, third);
      await answer(reading, request, body === undefined ? new NodeParts(request) : new WholeBody(body), response);
    } catch (error) {
      if (error instanceof McpError && error.status === 'closed' && !response.headersSent) return void refuse(response, 503, 'the server is closed');
      response.destroy();
      // What a client breaks off is no failure.
      if (!(error instanceof McpError) && !request.destroyed) failed(error);
    }
  };
  /** @param {Request} request @param {{ parsedBody?: unknown }} [given] @returns {Promise<Response>} */
  const fetch = async (request, given) => {
    // Frameworks hand their own second argument over.
    const body = given?.parsedBody;
    return respond(server, request, path, body === undefined ? new StreamParts(streamOf(request)) : new WholeBody(body));
  };
  /**
   * What frameworks call a handler with: Node's request and response, the request and the reply of Fastify, the context of Hono,
   * or a Request, as the routes of Next.
   * @param {any} first @param {any} [second] @param {unknown} [third] @returns {Promise<any>}
   */
  const handler = async (first, second, third) => {
    if (typeof first?.headers?.get === 'function') return fetch(first, second);
    const { raw } = first?.req ?? {};
    // Hono keeps what was read of a body.
    if (typeof raw?.headers?.get === 'function') return fetch(raw, raw.bodyUsed ? { parsedBody: await first.req.text() } : undefined);
    if (typeof second?.hijack === 'function') {
      second.hijack();
      return handle(first.raw, second.raw, first.body);
    }
    return handle(first, second, third);
  };
  return Object.assign(handler, { fetch });
}

/** @param {Request} request */
function streamOf(request) {
  if (!request.bodyUsed) return request.body;
  throw new TypeError('the body of the request was read before: pass it on as mcp.fetch(request, { parsedBody }), or read a copy of it, '
    + 'request.clone()');
}

/**
 * What a framework has read of a body: the third argument, unless that is the next function of a chain as Express has it, or what it
 * has left at the request. One that has read nothing may leave an empty object there.
 * @param {any} request @param {unknown} third
 */
function bodyOf(request, third) {
  if (third !== undefined && typeof third !== 'function') return third;
  if (!request.readableEnded && !request.readableDidRead) return undefined;
  return request.rawBody instanceof Uint8Array ? request.rawBody : request.body;
}

/** Any path of an endpoint without a URL. @param {string} url */
function atRoot(url) {
  const query = url.indexOf('?');
  return query < 0 ? '/' : `/${url.slice(query)}`;
}

/**
 * The URL that the client sent, unless only what a framework has left of it, which has taken the path of a mount away, is that of the endpoint.
 * @param {any} request @param {string | undefined} path
 */
function targetOf(request, path) {
  const { url, originalUrl = url } = request;
  if (path === undefined) return atRoot(url);
  return pathOf(originalUrl) !== path && pathOf(url) === path ? url : originalUrl;
}

/**
 * The path of a Request. A mount may have taken a part of it away, even all, which does not say what the client sent.
 * @param {string} path @param {string | undefined} endpoint that of the endpoint
 */
function wholePath(path, endpoint) {
  if (endpoint === undefined) return '/';
  return path === '/' || endpoint.endsWith(path) ? endpoint : path;
}

/** @param {string} url */
function pathOf(url) {
  return url.split('?', 1)[0];
}

/** So much of a body that is not wanted is thrown away, so that its sender reads why and can ask again on its connection. */
const MOST_THROWN_AWAY = 1024 * 1024;

/** A body in parts, which come when they are asked for. @typedef {{ begun?: boolean, next: () => Promise<{ done?: boolean, value?: Uint8Array }>, end: () => void }} Parts */

/** A body that a framework has read before. @implements {Parts} */
class WholeBody {
  #body;

  /** @param {unknown} given */
  constructor(given) {
    this.#body = given instanceof Uint8Array ? given : Buffer.from(typeof given === 'string' ? given : JSON.stringify(given));
  }

  async next() {
    const value = this.#body;
    this.#body = Buffer.alloc(0);
    return value.length > 0 ? { value } : { done: true };
  }

  end() {}
}

/** The body of a request of Node's. @implements {Parts} */
class NodeParts {
  #iterator;
  begun = false;

  /** @param {any} request */
  constructor(request) {
    this.#iterator = request.iterator?.({ destroyOnReturn: false }) ?? request[Symbol.asyncIterator]();
  }

  next() {
    this.begun = true;
    return this.#iterator.next();
  }

  end() {}
}

/** The body of a Request. @implements {Parts} */
class StreamParts {
  #reader;

  /** @param {ReadableStream<Uint8Array> | null} body */
  constructor(body) {
    this.#reader = body?.getReader();
  }

  async next() {
    return (await this.#reader?.read()) ?? { done: true };
  }

  end() {
    this.#reader?.cancel().catch(() => undefined);
  }
}

/** One request, whose head the library judges before a byte of its body is read, and its answer as it comes. */
class Reading {
  #exchange;
  /** @type {() => void} */
  #ring = () => {};

  /** @param {any} server @param {string} method @param {string} target @param {string[]} headers @param {string} peer */
  constructor(server, method, target, headers, peer) {
    this.#exchange = native(() => new addon.Exchange(server, method, target, headers, peer, () => this.#ring()));
  }

  /** Reads the body as far as the library asks for it; whether that was all of it. @param {Parts} parts @returns {Promise<boolean>} */
  async takeBody(parts) {
    /** @type {Promise<{ done?: boolean, value?: Uint8Array }> | undefined} */
    let coming;
    let isWhole = false;
    try {
      while ((await this.#wait(() => this.#exchange.permit())) > 0) {
        coming ??= parts.next();
        const part = await Promise.race([coming, this.#rung()]);
        // The library has decided before the part came.
        if (part === undefined) continue;
        coming = undefined;
        isWhole = part.done === true;
        native(() => this.#exchange.write(part.value ?? new Uint8Array(), isWhole));
      }
    } finally {
      if (!isWhole) parts.end();
      coming?.catch(() => undefined);
    }
    return isWhole;
  }

  /** @returns {Promise<undefined>} */
  #rung() {
    return new Promise((resolve) => {
      this.#ring = () => resolve(undefined);
    });
  }

  /** @template T @param {() => T | null} look @returns {Promise<T>} */
  async #wait(look) {
    for (;;) {
      const found = native(look);
      if (found !== null) return found;
      hold(this);
      await this.#rung();
      release(this);
    }
  }

  /** @returns {Promise<{ status: number, length: number, headers: string[] }>} */
  head() {
    return this.#wait(() => this.#exchange.head());
  }

  /** Without bytes at the end. @returns {Promise<Buffer>} */
  read() {
    return this.#wait(() => this.#exchange.read());
  }

  /** The answer is not wanted any more, or was read; what waits for more of it fails as `closed`. */
  end() {
    this.#exchange.free();
    this.#ring();
  }
}

/** @param {Reading} reading @param {any} request @param {Parts} parts @param {any} response */
async function answer(reading, request, parts, response) {
  const end = () => reading.end();
  response.on('close', end);
  try {
    if (response.destroyed) return;
    const isWhole = await reading.takeBody(parts);
    // What is left of a body comes before the next request. Node throws it away, unless it was begun; that should not be much.
    if (!isWhole && request.httpVersionMajor === 1 && (parts.begun || Number(request.headers['content-length'] ?? 0) > MOST_THROWN_AWAY)) {
      response.setHeader('connection', 'close');
    }
    const { status, length, headers } = await reading.head();
    for (let at = 0; at < headers.length; at += 2) response.appendHeader?.(headers[at], headers[at + 1]) ?? response.setHeader(headers[at], headers[at + 1]);
    if (length >= 0) response.setHeader('content-length', length);
    response.writeHead(status);
    if (length < 0) response.flushHeaders?.();
    for (let bytes = await reading.read(); bytes.length > 0; bytes = await reading.read()) {
      // Only what the connection takes: the rest waits in the library, which bounds it.
      if (!response.write(bytes)) await drained(response);
    }
    response.end();
  } catch (error) {
    // Its client has gone.
    if (!response.destroyed) throw error;
  } finally {
    response.off('close', end);
    reading.end();
  }
}

/** @param {any} response @returns {Promise<void>} */
function drained(response) {
  return new Promise((resolve) => {
    const done = () => {
      response.off('drain', done);
      response.off('close', done);
      resolve();
    };
    response.on('drain', done);
    response.on('close', done);
  });
}

/** Names and values in turn. HTTP/2 says in ":authority" what is "Host" in HTTP/1.1. @param {any} request @returns {string[]} */
function headersOf(request) {
  const headers = [];
  for (let at = 0; at < request.rawHeaders.length; at += 2) {
    const name = request.rawHeaders[at];
    if (name === ':authority') headers.push('host', request.rawHeaders[at + 1]);
    else if (!name.startsWith(':')) headers.push(name, request.rawHeaders[at + 1]);
  }
  return headers;
}

/** @param {any} response @param {number} status @param {string} text */
function refuse(response, status, text) {
  response.writeHead(status, { 'content-type': 'text/plain', ...(response.req?.httpVersionMajor === 2 ? {} : { connection: 'close' }) });
  response.end(`${text}\n`);
}

/** @param {any} server @param {Request} request @param {string | undefined} path that of the endpoint @param {Parts} parts @returns {Promise<Response>} */
async function respond(server, request, path, parts) {
  const url = new URL(request.url);
  const headers = [...request.headers].flat();
  if (!request.headers.has('host')) headers.push('host', url.host);
  try {
    const reading = new Reading(server, request.method, wholePath(url.pathname, path) + url.search, headers, '');
    // A client that goes before the answer has begun; afterwards the stream is cancelled.
    request.signal.addEventListener('abort', () => reading.end(), { once: true });
    try {
      await reading.takeBody(parts);
      return responseOf(reading, await reading.head());
    } catch (error) {
      reading.end();
      throw error;
    }
  } catch (error) {
    if (error instanceof McpError && error.status === 'closed') return new Response('the server is closed\n', { status: 503 });
    throw error;
  }
}

/** @param {Reading} reading @param {{ status: number, length: number, headers: string[] }} head */
function responseOf(reading, head) {
  const headers = new Headers();
  for (let at = 0; at < head.headers.length; at += 2) headers.append(head.headers[at] ?? '', head.headers[at + 1] ?? '');
  if (head.length === 0 || head.status === 204 || head.status === 304) {
    reading.end();
    return new Response(null, { status: head.status, headers });
  }
  const stream = new ReadableStream({
    async pull(controller) {
      const bytes = await reading.read();
      if (bytes.length > 0) return controller.enqueue(new Uint8Array(bytes));
      reading.end();
      return controller.close();
    },
    cancel: () => reading.end(),
  }, { highWaterMark: 0 });
  return new Response(stream, { status: head.status, headers });
}

module.exports = { httpHandler };
