/// <reference lib="esnext.disposable" />
import type { Client } from './types/client.js';
import type { Config } from './generated/config.js';
import type { LogLevel } from './generated/constants.js';
import type { McpError } from './types/errors.js';
import type { JsonObject } from './generated/protocol.js';

export * from './types/client.js';
export type * from './generated/config.js';
export type { LogLevel, State, Status } from './generated/constants.js';
export * from './types/errors.js';
export type * from './types/login.js';
export { ERROR_CODES, METHODS } from './generated/methods.js';
export type * from './generated/protocol.js';
export * from './types/schema.js';
export * from './types/server.js';
export * from './types/sign.js';
export type * from './types/skills.js';
export type * from './types/stream.js';
export * from './types/transport.js';
export * from './types/view.js';
export type { LoggingLevel as ServerLogLevel, ProgressNotificationParams as Progress } from './generated/protocol.js';

/** Reads one server of an `mcpServers` file; without a name, the only one. */
export function loadConfig(path: string, server?: string): Config;

/**
 * A client for each enabled server of an `mcpServers` file, in the order of the file, or what is wrong with its entry.
 * `defaults` are keys of the configuration for servers whose entry does not have them.
 */
export function openConfig(path: string, options?: { defaults?: Config | undefined }):
({ name: string; client: Client; error?: undefined } | { name: string; error: McpError; client?: undefined })[];

/** The URI of a resource of a template (RFC 6570), such as `uriTemplate`, with values for its variables. */
export function expandTemplate(template: string, variables?: object): string;

/** A record of the library's log: `event`, `level`, `client` and the event's values. */
export interface LogRecord extends JsonObject {
  event: string;
  level: LogLevel;
  client?: string;
}

/** Sets what gets the log records of all clients and servers of the process, workers included. Null takes it away. */
export function setLogger(log: ((record: LogRecord) => void) | null, level?: LogLevel): void;

/** The version of the library that is loaded. */
export const version: string;
