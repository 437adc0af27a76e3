// Written from include/mcp.h by `cargo xtask bindings`; do not edit.

/**
 * How something ended.
 *
 * - `ok`: Success.
 * - `empty`: There is nothing to return: no message arrived in time, or the value does not exist.
 * - `woken`: mcp_queue_wake(), mcp_client_wake() or mcp_server_wake() ended the wait.
 * - `conflict`: From a store: what is there is not what was expected. Nothing was written.
 * - `invalid_argument`: An argument is invalid. Nothing was done.
 * - `timeout`: No answer arrived within the time limit.
 * - `cancelled`: The application cancelled the call, or the server cancelled its request.
 * - `unavailable`: The client is not connected (it waits for the next attempt), and the call was told not to wait. From mcp_config_load(): the server is disabled.
 * - `transport`: The connection was lost during the call or could not be opened.
 * - `protocol`: The server violated the protocol.
 * - `server`: The server answered with a JSON-RPC error. The error object has its "code", "message" and "data".
 * - `unsupported`: The server or this build of the library lacks a capability, a revision or a transport.
 * - `backpressure`: Too many operations are pending. Try again later.
 * - `too_large`: A size exceeds a configured limit.
 * - `auth`: Authorization is missing or was refused.
 * - `closed`: The client is closed.
 * - `forked`: The handle was created before fork(). Only the parent may use it; the child may create its own handles.
 * - `internal`: The library has a fault.
 * - `no_memory`: The system refused the memory that a message of the server needed: the library discarded the message, and the client continues. From a document or a builder: it refused the memory for the text.
 */
export type Status =
  | 'ok'
  | 'empty'
  | 'woken'
  | 'conflict'
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
 * - `idle`: The client is created; nothing has been started.
 * - `starting`: The library starts the server.
 * - `initializing`: The handshake is in progress.
 * - `ready`: The connection is ready: calls go directly to the server.
 * - `backoff`: The connection was lost, and the client waits before the next attempt.
 * - `closing`: The connection is being closed.
 * - `closed`: The connection is closed and is not opened again.
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
 * - `none`: Log level: no records.
 * - `error`: Log level: an operation failed.
 * - `warn`: Log level: something unexpected happened, and the library continues.
 * - `info`: Log level: a state changed.
 * - `debug`: Log level: each request.
 * - `trace`: Log level: each frame.
 */
export type LogLevel =
  | 'none'
  | 'error'
  | 'warn'
  | 'info'
  | 'debug'
  | 'trace';

export const STATUS: {
  readonly OK: 0;
  readonly EMPTY: 1;
  readonly WOKEN: 2;
  readonly CONFLICT: 3;
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
  readonly STDERR: 7;
  readonly LOST: 8;
};

export const LOG_LEVELS: { readonly [name in LogLevel]: number };
export const STATUS_NAMES: { readonly [number: number]: Status | undefined };
export const KIND_NAMES: { readonly [number: number]: string | undefined };
export const STATE_NAMES: { readonly [number: number]: State | undefined };
