// Has the addon give each message to the object that it is for.
'use strict';

const addon = require('./native.js');

addon.onMessage(
  (/** @type {any} */ handle, /** @type {number} */ kind, /** @type {number} */ status, /** @type {number} */ tag,
    /** @type {string | null} */ method, /** @type {string | null} */ json, /** @type {unknown} */ request) => {
    handle.deliver(kind, status, tag, method, json, request);
  },
  (/** @type {any} */ handle, /** @type {number} */ entry, /** @type {number} */ kind, /** @type {number} */ status,
    /** @type {number} */ number, /** @type {string | null} */ json, /** @type {string | null} */ method,
    /** @type {unknown} */ request) => {
    handle.deliver(entry, kind, status, number, json, method, request);
  },
);

// process.exit() and an uncaught exception do not unload the addon. Servers that ignore the end of their input would stay,
// and what a server of ours has answered would not go out.
process.on('exit', () => addon.end());
