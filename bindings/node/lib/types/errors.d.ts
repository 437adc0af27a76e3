import type { Status } from '../generated/constants.js';
import type { JsonObject } from '../generated/protocol.js';

/** What the library says of a failure. */
export interface ErrorObject {
  status: Status | 'unknown';
  /** What was being done, what went wrong and, where there is one, the fix. */
  message: string;
  /** The method, or the function, that failed. */
  operation?: string | undefined;
  /** Numbers and names: the exit status of a dead server, its last stderr lines, … */
  details?: JsonObject | undefined;
  /** Trying again may succeed. It does not say that the first try had no effect. */
  retryable: boolean;
  /** The code of a JSON-RPC error of the server (`status` is `server`). */
  code?: number | undefined;
  data?: unknown;
}

export class McpError extends Error implements ErrorObject {
  constructor(object: Partial<ErrorObject> & { status: Status | 'unknown' });
  readonly status: Status | 'unknown';
  readonly operation: string | undefined;
  readonly details: JsonObject | undefined;
  readonly retryable: boolean;
  readonly code: number | undefined;
  readonly data: unknown;
}

/** Thrown by a request handler to refuse with a JSON-RPC code, such as -1 for "the user refused". */
export class RequestError extends Error {
  constructor(code: number, message: string, data?: unknown);
  readonly code: number;
  readonly data: unknown;
}

/** Thrown by a handler of a server: the tool cannot do what it was asked for. The model reads the message. */
export class ToolError extends Error {}

/** Thrown by a handler of a server: there is nothing by this name. */
export class NotFoundError extends Error {
  constructor(message?: string);
}

export {};
