import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2';

import type { Client, Handlers } from './client.js';
import type { Config, Endpoint, ServerConfig, TaskKeys } from '../generated/config.js';
import type {
  CallToolResult, ClientCapabilities, Completion, ContentBlock, CreateMessageRequestParams, CreateMessageResult, ElicitRequestURLParams,
  ElicitResult, GetPromptResult, JsonObject, LoggingLevel, Prompt, PromptMessage, ReadResourceResult, Resource, ResourceTemplate, Root, Tool,
} from '../generated/protocol.js';
import type { Accepted, AnySchema, Checked, Describes } from './schema.js';

type Awaitable<T> = T | Promise<T>;
/** Without the members of later revisions, so that a misspelt one is told. */
type Known<T> = { [K in keyof T as string extends K ? never : K]: T[K] };

/** Who a request comes from, where requests are authorized. */
export interface Principal {
  issuer?: string;
  /** Who it is, if a person is behind the token; a client that acts for itself has `client`. */
  subject?: string;
  client?: string;
  scopes?: string[];
  claims?: JsonObject;
  expires?: number;
  [name: string]: unknown;
}

/** What a person answered to a form. */
export type FormAnswer<T> = { action: 'accept'; content: T } | { action: 'decline' | 'cancel'; content?: undefined };

/** A request of a client, while its handler runs. */
export interface ServerRequest {
  readonly method: string;
  /** The parameters as the client sent them. */
  readonly params: JsonObject;
  /** Aborts when the answer is not wanted any more: the client cancelled it or is gone, or the time is over. */
  readonly signal: AbortSignal;
  readonly isCancelled: boolean;
  /** The number of the client's session. */
  readonly session: number;
  readonly revision: string;
  readonly capabilities: ClientCapabilities;
  readonly principal: Principal | undefined;
  /** How often the handler ran before for this request. */
  readonly round: number;
  /** All that the library knows of the client and the request (`mcp_request_context`). */
  readonly context: JsonObject;

  /** Reports progress. False if nothing is sent: the client did not ask for it, or the value does not rise. */
  progress(progress: number, total?: number, message?: string): boolean;
  /**
   * Sends a log message of this request. `announce: { logging: true }` in the configuration is needed.
   * @deprecated 2026-07-28 deprecates log messages (SEP-2577). It works in every revision that has it.
   */
  log(level: LoggingLevel, data: unknown, logger?: string): boolean;

  /**
   * Asks the client. In every revision the handler is run again with the answer, and the same call with the same key then gives
   * it; so what must happen once comes after the last question. What the run that asks returns or throws does not matter.
   * Rejects if the client cannot answer (`unsupported`) or refused (`server`).
   */
  ask<R = JsonObject>(key: string, method: string, params?: object): Promise<R>;
  /** Asks the person with a form, which a flat schema describes. */
  elicit<const S extends AnySchema>(key: string, form: { message: string; schema: S } & Describes<'schema', S>): Promise<FormAnswer<Checked<S>>>;
  /** Asks the person to visit a page. */
  elicitUrl(key: string, page: Omit<ElicitRequestURLParams, 'mode'>): Promise<ElicitResult>;
  /**
   * Asks the model of the client.
   * @deprecated 2026-07-28 deprecates sampling (SEP-2577). It works in every revision that has it.
   */
  sample(key: string, params: CreateMessageRequestParams): Promise<CreateMessageResult>;
  /**
   * Asks for the folders in which the client wants the server to work.
   * @deprecated 2026-07-28 deprecates roots (SEP-2577). It works in every revision that has it.
   */
  roots(key?: string): Promise<Root[]>;
  /** What this handler keeps for its next run, as JSON. In 2026-07-28 it travels to the client and back, encrypted. */
  state: unknown;

  /** Makes a task of the call of a tool: the handler answers late, as ever. Throws `unsupported` if it cannot become one. */
  startTask(options?: TaskKeys): void;
  /** Ends the event stream of the request before its answer (HTTP, 2025-11-25): the client comes back. */
  closeStream(options?: { retryMs?: number | undefined }): boolean;
}

/** Something that was added; `remove` says whether it was still there. */
export interface Registration {
  remove(): boolean;
}

/** What a tool without `outputSchema` returns: a text, a block, a list of these, or a whole result. */
export type ToolReturn = string | ContentBlock | readonly (string | ContentBlock)[] | Partial<Known<CallToolResult>> | void;
/** What one with `outputSchema` returns: the structured content, or a whole result with it. */
export type StructuredReturn<T> = T | { structuredContent: T; content?: ContentBlock[] } | { isError: true; content: ContentBlock[] };

/** What a handler gets: what a schema has checked, and without one what a request has. */
export type CheckedBy<S, Plain> = [S] extends [AnySchema] ? Checked<S> : Plain;
/** Stands for the `outputSchema` of a tool without one; nothing has this type. The compiler names it where results do not fit. */
export interface NoOutputSchema {
  readonly [none]: never;
}
declare const none: unique symbol;

export type ToolDefinition = Omit<Partial<Known<Tool>>, 'name' | 'inputSchema' | 'outputSchema'>;
export type PromptDefinition = Omit<Partial<Known<Prompt>>, 'name'>;
export type ResourceDefinition = Known<Resource>;
export type TemplateDefinition = Known<ResourceTemplate>;

/** What a resource is: a text, bytes, or one or several contents. */
export type ResourceReturn = string | Uint8Array | ResourcePart | readonly (string | Uint8Array | ResourcePart)[] | Known<ReadResourceResult>;
export type ResourcePart = { uri?: string; mimeType?: string; _meta?: JsonObject } & ({ text: string } | { blob: string | Uint8Array });

/** A text is a message of the user. */
export type PromptReturn = string | readonly (string | PromptMessage)[] | Known<GetPromptResult>;

/** The values that complete an argument: a list from which the library chooses, or a function. */
export type CompletionSource =
  | readonly string[]
  | ((value: string, settled: Record<string, string>, request: ServerRequest) => Awaitable<readonly string[] | Completion>);

/** Gives a request of an HTTP server of the program to the server, and its answer back. It never rejects. */
export interface HttpHandler {
  /**
   * For Node's `http`, `https` and `http2`, and frameworks on them. `body` is what a framework has read already; it is found at the
   * request, too, where `express.json()` leaves it, and a function in its place, as Express gives it, is left alone.
   */
  (request: IncomingMessage | Http2ServerRequest, response: ServerResponse | Http2ServerResponse, body?: unknown): Promise<void>;
  /** For the routes of Fastify: `fastify.all('/mcp', mcp)`. */
  (request: { readonly raw: IncomingMessage | Http2ServerRequest; readonly body?: unknown },
    reply: { readonly raw: ServerResponse | Http2ServerResponse; hijack(): unknown }): Promise<void>;
  /** For those of Hono: `app.all('/mcp', mcp)`. */
  (context: { readonly req: { readonly raw: Request; text(): Promise<string> } }, next?: unknown): Promise<Response>;
  /** For those of Next: `export { mcp as GET, mcp as POST, mcp as DELETE }`. */
  (request: Request, context?: unknown): Promise<Response>;
  /**
   * For what speaks in `Request` and `Response`, as Deno and Bun, with the path of the URL or what a mount has left of it. What was read of
   * the body before is `parsedBody`.
   */
  fetch(request: Request, given?: { readonly parsedBody?: unknown } | object): Promise<Response>;
}

/** What this program offers to clients. Handlers run on the thread of the program. */
export class Server implements AsyncDisposable {
  /** Serves nothing yet: `serve` does. */
  constructor(config: ServerConfig & { name: string });

  /**
   * Adds a tool. Arguments are checked before the handler runs, results before they are sent. A handler that throws a
   * `ToolError` has the model read its text; everything else goes to `onFailure`, and the client reads a neutral text.
   */
  tool<const I extends AnySchema | undefined = undefined>(
    name: string, definition: ToolDefinition & { inputSchema?: I | undefined; outputSchema?: NoOutputSchema | undefined } & Describes<'inputSchema', I>,
    handler: (args: CheckedBy<I, JsonObject>, request: ServerRequest) => Awaitable<ToolReturn>): Registration;
  tool<const O extends AnySchema, const I extends AnySchema | undefined = undefined>(
    name: string,
    definition: ToolDefinition & { inputSchema?: I | undefined; outputSchema: O } & Describes<'inputSchema', I> & Describes<'outputSchema', O>,
    handler: (args: CheckedBy<I, JsonObject>, request: ServerRequest) => Awaitable<StructuredReturn<Accepted<O>>>): Registration;

  /** Adds a resource: a text or bytes that do not change, or a function that reads it. */
  resource(definition: ResourceDefinition, source: string | Uint8Array | ((uri: string, request: ServerRequest) => Awaitable<ResourceReturn>)): Registration;
  /** Adds a template; the handler gets the variables of the URI. */
  resourceTemplate(
    definition: TemplateDefinition & { complete?: { [variable: string]: CompletionSource } | undefined },
    handler: (variables: { [name: string]: any }, request: ServerRequest) => Awaitable<ResourceReturn>): Registration;
  /** Adds the files below a folder. The URI template has the variable `path`: `docs:///{+path}`. */
  folder(definition: TemplateDefinition, folder: string): Registration;
  /** Publishes the skills below a folder. */
  skills(folder: string, options?: { uriPrefix?: string | undefined }): Registration;
  /** Adds a prompt; `argsSchema` describes its arguments, or `arguments` lists them. */
  prompt<const S extends AnySchema | undefined = undefined>(
    name: string,
    definition: PromptDefinition & { argsSchema?: S | undefined; complete?: { [argument: string]: CompletionSource } | undefined }
      & Describes<'argsSchema', S>,
    handler: (args: CheckedBy<S, Record<string, string>>, request: ServerRequest) => Awaitable<PromptReturn>): Registration;
  /** Completes an argument of a prompt (its name) or of a template (its text). */
  completion(reference: string, argument: string, source: CompletionSource): void;
  /** Adds a method of an extension, which the server announces as `capability`. */
  method<const S extends AnySchema | undefined = undefined>(
    method: string,
    definition: { capability?: string | undefined; settings?: JsonObject | undefined; params?: S | undefined } & Describes<'params', S>,
    handler: (params: CheckedBy<S, JsonObject>, request: ServerRequest) => Awaitable<object | void>): void;

  /** Begins to serve, several endpoints if it is called several times; gives where, with the port that the system chose. */
  serve(endpoint: Endpoint): Promise<Endpoint>;
  /** Serves until all that is served has ended, then closes. */
  run(endpoint: Endpoint): Promise<void>;
  /** Resolves when all that was served has ended. */
  readonly closed: Promise<void>;
  /**
   * Serves inside an HTTP server of the program: clients reach it by `url`. Without a `url` it answers at each path that the program gives
   * it, to clients of this machine: its names are what `Host` may be then, and `hosts`.
   */
  http(options?: Endpoint): HttpHandler;
  /** A client in this process, for tests. */
  client(config?: Config, handlers?: Handlers): Client;

  /** Tells clients that subscribed to it that a resource has changed. */
  resourceUpdated(uri: string): void;
  /**
   * A log message that belongs to no request, for clients of the legacy era.
   * @deprecated 2026-07-28 deprecates log messages (SEP-2577). It works in every revision that has it.
   */
  log(level: LoggingLevel, data: unknown, logger?: string): void;
  /** A notification of an extension, to one session or all, of the legacy era. */
  notify(method: string, params?: object, options?: { session?: number | undefined }): void;
  /** Calls a client of the legacy era outside of any request. */
  call<R = JsonObject>(session: number, method: string, params?: object, options?: { timeoutMs?: number | undefined }): Promise<R>;
  /** What is open now, counters, times. */
  info(): JsonObject;

  /** Tells of what handlers threw. Without it these are warnings of the process, named `LibmcpWarning`. */
  onFailure(handler: ((error: unknown, context: { operation: string }) => void) | null): void;
  /** Decides about tokens (`auth: { application: true }`): who it is, or nothing for a token that is not good. */
  onToken(handler: ((asked: { token: string; audiences: string[] }) => Awaitable<
    { principal: string; scopes?: string[]; expires?: number; claims?: JsonObject; key?: string } | null | undefined>) | null): void;
  /** Tells that the roots of a client have changed (legacy era). */
  onRootsChanged(handler: ((told: JsonObject) => void) | null): void;

  /** Ends all sessions and frees everything. Any number of times. */
  close(options?: { timeoutMs?: number | undefined }): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

export {};
