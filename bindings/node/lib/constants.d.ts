// Written from include/mcp.h by `cargo xtask bindings`; do not edit.

/**
 * How something ended.
 *
 * - `ok`: Success.
 * - `empty`: Nothing there: no message within the time, no such value.
 * - `woken`: The wait ended because mcp_queue_wake() asked for it.
 * - `invalid_argument`: An argument is wrong; nothing was done.
 * - `timeout`: No answer within the time allowed.
 * - `cancelled`: Cancelled: a call by the application, a request by the server.
 * - `unavailable`: Not connected (waiting for the next attempt), and told not to wait. From mcp_config_load(): the server is disabled.
 * - `transport`: The connection was lost under the call, or could not be made.
 * - `protocol`: The server broke the rules of the protocol.
 * - `server`: The server answered with a JSON-RPC error: its code, message and data are in the error object.
 * - `unsupported`: The server or this build lacks a capability, revision or transport.
 * - `backpressure`: Too much is under way already; try again later.
 * - `too_large`: Larger than a configured bound.
 * - `auth`: Authorization is missing or was refused.
 * - `closed`: The client is closed.
 * - `forked`: The process forked since the handle was made; only the parent may use it. The child may make handles of its own.
 * - `internal`: A fault of the library's own.
 * - `no_memory`: The system gave no memory for what the server sent; it was thrown away, and the client goes on.
 */
export type Status =
  | 'ok'
  | 'empty'
  | 'woken'
  | 'invalid_argument'
  | 'timeout'
  | 'cancelled'
  | 'unavailable'
  | 'transport'
  | 'protocol'
  | 'server'
  | 'unsupported'
  | 'backpressure'
  | 'too_large'
  | 'auth'
  | 'closed'
  | 'forked'
  | 'internal'
  | 'no_memory';

/**
 * The state of a connection.
 *
 * - `idle`: Made, nothing started yet.
 * - `starting`: The server is being started.
 * - `initializing`: The handshake is under way.
 * - `ready`: Calls go straight to the server.
 * - `backoff`: The connection was lost; the next attempt has its time.
 * - `closing`: Being closed.
 * - `closed`: Closed for good.
 */
export type State =
  | 'idle'
  | 'starting'
  | 'initializing'
  | 'ready'
  | 'backoff'
  | 'closing'
  | 'closed';

/**
 * How much the logger hears.
 *
 * - `error`: Log level: something failed.
 * - `warn`: Log level: something is odd.
 * - `info`: Log level: changes of state.
 * - `debug`: Log level: each request.
 * - `trace`: Log level: each frame.
 */
export type LogLevel =
  | 'error'
  | 'warn'
  | 'info'
  | 'debug'
  | 'trace';

export const STATUS: {
  readonly OK: 0;
  readonly EMPTY: 1;
  readonly WOKEN: 2;
  readonly INVALID_ARGUMENT: -1;
  readonly TIMEOUT: -2;
  readonly CANCELLED: -3;
  readonly UNAVAILABLE: -4;
  readonly TRANSPORT: -5;
  readonly PROTOCOL: -6;
  readonly SERVER: -7;
  readonly UNSUPPORTED: -8;
  readonly BACKPRESSURE: -9;
  readonly TOO_LARGE: -10;
  readonly AUTH: -11;
  readonly CLOSED: -12;
  readonly FORKED: -13;
  readonly INTERNAL: -14;
  readonly NO_MEMORY: -15;
};

export const KIND: {
  readonly REPLY: 1;
  readonly NOTIFICATION: 2;
  readonly REQUEST: 3;
  readonly PROGRESS: 4;
  readonly STATE: 5;
  readonly AUTH: 6;
  readonly LOG: 7;
  readonly LOST: 8;
};

export const LOG_LEVELS: { readonly [name in LogLevel]: number };
export const STATUS_NAMES: { readonly [number: number]: Status | undefined };
export const KIND_NAMES: { readonly [number: number]: string | undefined };
export const STATE_NAMES: { readonly [number: number]: State | undefined };
