// Keeps the event loop and what it waits for alive, exactly while something is pending: a call, a connect, a close, or a
// consumer that waits for the next message. The collector may take a client with nothing pending that the program forgot.
'use strict';

const addon = require('./native.js');

/** @type {Map<object, number>} */
const pending = new Map();

/** @param {object} client */
function hold(client) {
  const count = pending.get(client) ?? 0;
  if (pending.size === 0) addon.hold();
  pending.set(client, count + 1);
}

/** @param {object} client */
function release(client) {
  const count = /** @type {number} */ (pending.get(client)) - 1;
  if (count > 0) pending.set(client, count);
  else pending.delete(client);
  if (pending.size === 0) addon.release();
}

module.exports = { hold, release };
