import type { CallKeys, Config, FeatureKeys } from '../generated/config.js';
import type { State } from '../generated/constants.js';
import type { LoginHandler } from './login.js';
import type {
  CallToolResult, Completion, CreateMessageRequestParams, CreateMessageResult, ElicitRequestFormParams,
  ElicitRequestURLParams, ElicitResult, GetPromptResult, JsonObject, ListPromptsResult, ListResourceTemplatesResult, ListResourcesResult,
  ListTasksResult, ListToolsResult, LoggingLevel, ProgressNotificationParams, Prompt, PromptReference, ReadResourceResult, Resource,
  ResourceTemplate, ResourceTemplateReference, Root, Task, Tool,
} from '../generated/protocol.js';
import type { Checked, StandardSchema } from './schema.js';
import type { Signer } from './sign.js';
import type { Skill, SkillFile } from './skills.js';
import type { Message, MessageStream, NotificationMessage, StreamOptions } from './stream.js';

export interface CallOptions extends Omit<CallKeys, 'progress'> {
  /** Ends the call: its promise rejects with the signal's reason, and the server is told. */
  signal?: AbortSignal | undefined;
  /** Asks the server for progress, and gets it. */
  onProgress?: ((progress: ProgressNotificationParams) => void) | undefined;
}

/** Options of what the client may keep for a time (`cache` in the configuration). */
export interface CacheOptions extends CallOptions, Pick<FeatureKeys, 'cache'> {}

/** Options of a call of a tool. `tasks` in the configuration lets it become a task. */
export interface ToolOptions extends CallOptions, Pick<FeatureKeys, 'task' | 'taskTtlMs'> {
  /** Gets each state of the task that the call has become. `notifications()` has the states too. */
  onTask?: ((task: Task) => void) | undefined;
}

/** Options of what reads a file of a skill. */
export interface SkillOptions extends CallOptions, Pick<FeatureKeys, 'allowDynamic'> {}

/** A result of a tool, with the type of its structured content. */
export interface ToolResult<T = any> extends CallToolResult {
  /** What a program reads. Its type is what the program expects; `resultSchema` in the options checks it. */
  structuredContent?: T;
}

/** What a list has at one time. */
export interface ListPages {
  'tools/list': ListToolsResult;
  'resources/list': ListResourcesResult;
  'resources/templates/list': ListResourceTemplatesResult;
  'prompts/list': ListPromptsResult;
  'tasks/list': ListTasksResult;
}

/** What handlers of requests get besides the parameters. */
export interface RequestContext {
  method: string;
  /** Aborts when the client is closed. */
  signal: AbortSignal;
  /**
   * Answers `elicitation/create` with what the person entered; without content for the form's defaults alone, and for a page
   * that the person agreed to visit. What is left out is filled in with its defaults. Throws for content that the form does
   * not allow, and the request still waits then. What the handler returns afterwards does not matter.
   */
  accept(content?: object): void;
  /** Answers `elicitation/create`: the person does not want to. */
  decline(): void;
  /** Answers `elicitation/create`: the person closed it without a choice. */
  cancel(): void;
}

type Awaitable<T> = T | Promise<T>;

/** A question to the person: a form, or (`mode: 'url'`) a page to visit. */
export type Elicitation = (ElicitRequestFormParams & { mode?: 'form' | undefined }) | ElicitRequestURLParams;

/** Answers a question of the server with a result, or by `accept`, `decline` or `cancel` of its context. */
export type ElicitationHandler = (params: Elicitation, context: RequestContext) => Awaitable<ElicitResult | void>;
export type SamplingHandler = (params: CreateMessageRequestParams, context: RequestContext) => Awaitable<CreateMessageResult>;
export type RootsHandler = (params: JsonObject, context: RequestContext) => Awaitable<(string | Root)[]>;
export type RequestHandler = (params: any, context: RequestContext) => unknown;

/** What answers the server: each enables its capability, which need not stand in the configuration then. And what signs. */
export interface Handlers {
  elicitation?: ElicitationHandler | undefined;
  /** @deprecated 2026-07-28 deprecates sampling (SEP-2577). It works in every revision that has it. */
  sampling?: SamplingHandler | undefined;
  /** @deprecated 2026-07-28 deprecates roots (SEP-2577). It works in every revision that has it. */
  roots?: RootsHandler | undefined;
  /**
   * Signs with a key that only the program has, such as one in hardware. The configuration must say what for (`auth.signer`,
   * `auth.dpop_key`), and one that does must have the function: else the client is not made (`invalid_argument`).
   */
  onSign?: Signer | undefined;
}

/** What the library tells of a connection (`mcp_client_info`). */
export interface ConnectionInfo extends JsonObject {
  state: State;
  revision: string | null;
  era: 'legacy' | 'modern' | null;
  /** Of a server that the client has started. */
  pid: number;
  counters: { [name: string]: number };
}

/** One logical connection to one server. */
export class Client implements AsyncDisposable {
  /** Checks the configuration and starts nothing: `connect()` or the first call does. */
  constructor(config: Config, handlers?: Handlers);

  readonly state: State | 'unknown';
  /** Revision, era, server, capabilities, pid, counters and more, as the library tells them. */
  info(): ConnectionInfo;

  /** Starts the connection if need be and waits until it is ready. Optional. */
  connect(options?: { timeoutMs?: number | undefined; signal?: AbortSignal | undefined }): Promise<void>;

  /** Calls any method. Ends exactly once: with the result, or by rejecting with an McpError or the signal's reason. */
  call<R = JsonObject>(method: string, params?: object, options?: CallOptions): Promise<R>;
  /** Sends a notification. Throws if there is no connection or the server does not read. */
  notify(method: string, params?: object): void;

  /**
   * Answers requests of the server. What the handler returns is the result; what it throws refuses the request. Without a
   * handler requests of that method are refused. Null takes the handler away.
   */
  onRequest(method: 'elicitation/create', handler: ElicitationHandler | null): void;
  onRequest(method: 'sampling/createMessage', handler: SamplingHandler | null): void;
  onRequest(method: string, handler: RequestHandler | null): void;

  /** What the server and the connection say by themselves. Give `kinds` for some of it. */
  messages(options?: StreamOptions & { kinds?: Message['kind'][] | undefined; method?: string | undefined }): MessageStream<Message>;
  /** The server's notifications: all, or those of one method. */
  notifications<P = JsonObject>(method?: string, options?: StreamOptions): MessageStream<NotificationMessage<P>>;

  /**
   * Does what logins need of the program; `auth` in the configuration says how to log in. What the handler throws gives the
   * login up, and so does a client without one: what waits for it ends as `auth`.
   */
  onLogin(handler: LoginHandler | null): void;
  /** Deletes the logins that are kept for this server, and has them revoked where that is possible. */
  logout(options?: { timeoutMs?: number | undefined }): Promise<void>;
  /**
   * Tells of what functions of the program threw: handlers of requests (but not a `RequestError`, which refuses on purpose) and
   * logins, `onSign`, `onProgress`, `onTask`. Without it they are warnings of the process, named `LibmcpWarning`.
   */
  onFailure(handler: ((error: unknown, context: { operation: string }) => void) | null): void;

  /** Lists come whole, over all their pages, within `limits` of the configuration. */
  listTools(options?: CacheOptions): Promise<Tool[]>;
  listResources(options?: CacheOptions): Promise<Resource[]>;
  listResourceTemplates(options?: CacheOptions): Promise<ResourceTemplate[]>;
  listPrompts(options?: CacheOptions): Promise<Prompt[]>;
  /** The same entries, each page asked for when it is read. */
  tools(options?: CacheOptions): AsyncGenerator<Tool, void, undefined>;
  resources(options?: CacheOptions): AsyncGenerator<Resource, void, undefined>;
  resourceTemplates(options?: CacheOptions): AsyncGenerator<ResourceTemplate, void, undefined>;
  prompts(options?: CacheOptions): AsyncGenerator<Prompt, void, undefined>;
  /** One page of a list, with `nextCursor`: the first, or the one of a cursor. */
  page<M extends keyof ListPages>(method: M, cursor?: string, options?: CacheOptions): Promise<ListPages[M]>;

  /** The type of the structured content is the caller's to say, or that of `resultSchema`, which checks it. */
  callTool<S extends StandardSchema<any, any>>(name: string, args: object | undefined, options: ToolOptions & { resultSchema: S }): Promise<ToolResult<Checked<S>>>;
  callTool<T = any>(name: string, args?: object, options?: ToolOptions): Promise<ToolResult<T>>;
  readResource(uri: string, options?: CacheOptions): Promise<ReadResourceResult>;
  subscribe(uri: string, options?: CallOptions): Promise<void>;
  unsubscribe(uri: string, options?: CallOptions): Promise<void>;
  getPrompt(name: string, args?: Record<string, string>, options?: CallOptions): Promise<GetPromptResult>;
  complete(
    ref: PromptReference | ResourceTemplateReference, argument: { name: string; value: string; settled?: Record<string, string> | undefined },
    options?: CallOptions): Promise<Completion>;
  /** @deprecated 2026-07-28 deprecates log messages (SEP-2577). It works in every revision that has it. */
  setLogLevel(level: LoggingLevel, options?: CallOptions): Promise<void>;
  ping(options?: CallOptions): Promise<void>;

  /** The server's tasks (2025-11-25 only). */
  listTasks(options?: CallOptions): Promise<Task[]>;
  getTask(id: string, options?: CallOptions): Promise<Task>;
  /**
   * What a task comes to, as `callTool` would have given it. Giving this up leaves the task alone; `cancelTask` ends it. A call of
   * this client is better cancelled by its `signal`.
   */
  taskResult<T = any>(id: string, options?: CallOptions & Pick<ToolOptions, 'onTask'>): Promise<ToolResult<T>>;
  cancelTask(id: string, options?: CallOptions): Promise<void>;

  /** The skills that the server lists; no file is read. docs/guide/skills.md says what is left to the program. */
  listSkills(options?: CallOptions): Promise<Skill[]>;
  /** The entry of a skill by the URI of its `SKILL.md`, also of one that is not listed. */
  getSkill(uri: string, options?: CallOptions): Promise<Skill>;
  /** Reads the `SKILL.md` of a skill. Rejects unless its size, digest and front matter are as the entry says. */
  loadSkill(skill: Skill, options?: SkillOptions): Promise<SkillFile>;
  /** Reads a file by its path in the skill's folder, such as `references/FORMS.md`, checked in the same way. */
  readSkillFile(skill: Skill, path: string, options?: SkillOptions): Promise<SkillFile>;

  /**
   * Tells the server in which folders it may work from now on. The configuration must have had `roots`.
   * @deprecated 2026-07-28 deprecates roots (SEP-2577). It works in every revision that has it.
   */
  setRoots(roots: (string | Root)[]): void;
  /** Drops every result that the client keeps (`cache` in the configuration). */
  clearCache(): void;

  /** Ends the calls under way with `closed` and then the server, and frees everything. Any number of times. */
  close(options?: { timeoutMs?: number | undefined }): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** The text blocks of a tool's result, a resource or a prompt, joined by line feeds. */
export function textOf(
  result: { content: readonly { type: string }[] } | { contents: readonly { uri: string }[] } | GetPromptResult): string;

export {};
