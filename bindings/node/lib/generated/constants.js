// Written from include/mcp.h by `cargo xtask bindings`; do not edit.
'use strict';

const STATUS = {
  OK: 0,
  EMPTY: 1,
  WOKEN: 2,
  CONFLICT: 3,
  INVALID_ARGUMENT: -1,
  TIMEOUT: -2,
  CANCELLED: -3,
  UNAVAILABLE: -4,
  TRANSPORT: -5,
  PROTOCOL: -6,
  SERVER: -7,
  UNSUPPORTED: -8,
  BACKPRESSURE: -9,
  TOO_LARGE: -10,
  AUTH: -11,
  CLOSED: -12,
  FORKED: -13,
  INTERNAL: -14,
  NO_MEMORY: -15,
};

const KIND = {
  REPLY: 1,
  NOTIFICATION: 2,
  REQUEST: 3,
  PROGRESS: 4,
  STATE: 5,
  AUTH: 6,
  STDERR: 7,
  LOST: 8,
};

const LOG_LEVELS = {
  none: 0,
  error: 1,
  warn: 2,
  info: 3,
  debug: 4,
  trace: 5,
};

const STATUS_NAMES = {
  '0': 'ok',
  '1': 'empty',
  '2': 'woken',
  '3': 'conflict',
  '-1': 'invalid_argument',
  '-2': 'timeout',
  '-3': 'cancelled',
  '-4': 'unavailable',
  '-5': 'transport',
  '-6': 'protocol',
  '-7': 'server',
  '-8': 'unsupported',
  '-9': 'backpressure',
  '-10': 'too_large',
  '-11': 'auth',
  '-12': 'closed',
  '-13': 'forked',
  '-14': 'internal',
  '-15': 'no_memory',
};

const KIND_NAMES = {
  '1': 'reply',
  '2': 'notification',
  '3': 'request',
  '4': 'progress',
  '5': 'state',
  '6': 'auth',
  '7': 'stderr',
  '8': 'lost',
};

const STATE_NAMES = {
  '0': 'idle',
  '1': 'starting',
  '2': 'initializing',
  '3': 'ready',
  '4': 'backoff',
  '5': 'closing',
  '6': 'closed',
};

module.exports = { STATUS, KIND, LOG_LEVELS, STATUS_NAMES, KIND_NAMES, STATE_NAMES };
