import type { State } from '../generated/constants.js';
import type { JsonObject } from '../generated/protocol.js';

export interface NotificationMessage<P = JsonObject> {
  kind: 'notification';
  method: string;
  params: P;
}

export interface StateMessage {
  kind: 'state';
  state: State;
  previous: State;
  reason?: JsonObject | string;
  next_attempt_in_ms?: number;
}

/** A line of the server's stderr, with `stderr: 'message'` in the configuration. */
export interface LogMessage {
  kind: 'stderr';
  source: string;
  line: string;
}

/** Messages were dropped because the program did not take them in time. */
export interface LostMessage {
  kind: 'lost';
  count: number;
}

export type Message = NotificationMessage | StateMessage | LogMessage | LostMessage;

export interface StreamOptions {
  /** How many messages may wait; the oldest are dropped for more. 10000 if absent. */
  limit?: number;
  /** Whether waiting for the next message keeps the process alive. True if absent. */
  keepAlive?: boolean;
  /** Ends the stream: reading rejects with the signal's reason. */
  signal?: AbortSignal;
}

/** Collects from the moment it is made, and ends when the client is closed. */
export interface MessageStream<M> extends AsyncIterableIterator<M> {
  /** How many messages were dropped so far. */
  readonly lost: number;
  return(): Promise<IteratorResult<M, undefined>>;
  [Symbol.asyncIterator](): MessageStream<M>;
  [Symbol.asyncDispose](): Promise<void>;
}

export {};
