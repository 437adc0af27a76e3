// What a handler of a server throws on purpose. Everything else that it throws is a fault of the program, of which clients
// learn nothing but that there was one.
'use strict';

/** The tool cannot do what it was asked for. The model reads the message. */
class ToolError extends Error {}
Object.defineProperty(ToolError.prototype, 'name', { value: 'ToolError', configurable: true, writable: true });

/** There is nothing by this name. */
class NotFoundError extends Error {
  constructor(message = 'not found') {
    super(message);
  }
}
Object.defineProperty(NotFoundError.prototype, 'name', { value: 'NotFoundError', configurable: true, writable: true });

/** The client was asked, and the handler runs again with the answer: it must not go on now. */
class AskedError extends Error {
  /** @param {string} method */
  constructor(method) {
    super(`the client was asked (${method}); the handler runs again with the answer`);
  }
}
Object.defineProperty(AskedError.prototype, 'name', { value: 'AskedError', configurable: true, writable: true });

module.exports = { AskedError, NotFoundError, ToolError };
