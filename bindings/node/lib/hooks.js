// What telemetry.js sets while it is in use, and calls and requests look at.
'use strict';

module.exports = {
  /** Adds the trace to the options of a call. @type {((options: any) => any) | null} */
  parent: null,
  /** Runs a handler in the span of its request. @type {((request: any, run: () => any) => any) | null} */
  around: null,
};
