// Requests that an HTTP server of the program has taken: Node's own, or one that speaks in Request and Response.
'use strict';

const addon = require('../native.js');
const { hold, release } = require('../alive.js');
const { McpError, native } = require('../errors.js');

/** @param {any} server @param {{ most: number, failed: (error: unknown) => void }} options */
function httpHandler(server, { most, failed }) {
  /** @param {any} request @param {any} response @param {unknown} [body] */
  const handler = async (request, response, body) => {
    try {
      const bytes = await bodyOf(request, body, most);
      if (bytes === undefined) return void refuse(response, 413, 'the body is too large');
      await answer(new Reading(server, request.method, request.originalUrl ?? request.url, headersOf(request), bytes), response);
    } catch (error) {
      if (error instanceof McpError && error.status === 'closed' && !response.headersSent) return void refuse(response, 503, 'the server is closed');
      response.destroy();
      // What a client breaks off is no failure.
      if (!(error instanceof McpError) && !request.destroyed) failed(error);
    }
  };
  return Object.assign(handler, {
    /** @param {Request} request @returns {Promise<Response>} */
    fetch: (request) => respond(server, request, most),
  });
}

/** The answer to one request, as it comes. */
class Reading {
  #exchange;
  /** @type {() => void} */
  #ring = () => {};

  /** @param {any} server @param {string} method @param {string} target @param {string[]} headers @param {Uint8Array} body */
  constructor(server, method, target, headers, body) {
    this.#exchange = native(() => new addon.Exchange(server, method, target, headers, body, () => this.#ring()));
  }

  /** @template T @param {() => T | null} look @returns {Promise<T>} */
  async #wait(look) {
    for (;;) {
      const found = native(look);
      if (found !== null) return found;
      hold(this);
      await new Promise((resolve) => {
        this.#ring = /** @type {() => void} */ (resolve);
      });
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

/** @param {Reading} reading @param {any} response */
async function answer(reading, response) {
  const end = () => reading.end();
  response.on('close', end);
  try {
    if (response.destroyed) return;
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

/**
 * The body, which a framework may have read before; undefined if it is too large.
 * @param {any} request @param {unknown} given @param {number} most @returns {Promise<Uint8Array | undefined>}
 */
async function bodyOf(request, given, most) {
  if (given instanceof Uint8Array) return given;
  if (given !== undefined) return Buffer.from(typeof given === 'string' ? given : JSON.stringify(given));
  const parts = [];
  let length = 0;
  for await (const part of request.iterator?.({ destroyOnReturn: false }) ?? request) {
    length += part.length;
    if (length > most) return undefined;
    parts.push(part);
  }
  return Buffer.concat(parts, length);
}

/** @param {any} response @param {number} status @param {string} text */
function refuse(response, status, text) {
  response.writeHead(status, { 'content-type': 'text/plain', ...(response.req?.httpVersionMajor === 2 ? {} : { connection: 'close' }) });
  response.end(`${text}\n`);
}

/** @param {any} server @param {Request} request @param {number} most @returns {Promise<Response>} */
async function respond(server, request, most) {
  const url = new URL(request.url);
  const headers = [...request.headers].flat();
  if (!request.headers.has('host')) headers.push('host', url.host);
  try {
    const body = await bodyOf(request.body ?? [], undefined, most);
    if (body === undefined) return new Response('the body is too large\n', { status: 413 });
    const reading = new Reading(server, request.method, url.pathname + url.search, headers, body);
    // A client that goes before the answer has begun; afterwards the stream is cancelled.
    request.signal.addEventListener('abort', () => reading.end(), { once: true });
    return responseOf(reading, await reading.head());
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
