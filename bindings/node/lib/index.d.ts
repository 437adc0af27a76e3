import type { LogLevel, State, Status } from './constants.js';

export type { LogLevel, State, Status };

export type JsonObject = { [name: string]: unknown };

/** Times are whole milliseconds. The keys and their defaults: docs/configuration.md of libmcp. */
export interface Config {
  command?: string;
  args?: string[];
  env?: Record<string, string>;
  cwd?: string;
  url?: string;
  headers?: Record<string, string>;
  /** How to log in where the server wants it; `{}` is a login with a browser. See docs/authorization.md and `onLogin`. */
  auth?: { [name: string]: unknown };
  name?: string;
  inherit_env?: 'default' | 'all' | 'none';
  framing?: 'newline' | 'content-length';
  stderr?: 'log' | 'message' | 'drop';
  protocol?: string | string[];
  client?: { name?: string; version?: string; [name: string]: unknown };
  /** What the server may ask for: `{ elicitation: {}, sampling: {} }`. */
  capabilities?: { [name: string]: object };
  roots?: (string | { uri: string; name?: string })[];
  timeouts?: {
    call_ms?: number;
    methods?: Record<string, number>;
    max_total_ms?: number;
    reset_on_progress?: boolean;
    probe_ms?: number;
    start_ms?: number;
    initialize_ms?: number;
    exit_ms?: number;
    term_ms?: number;
    close_ms?: number;
  };
  reconnect?: boolean | {
    initial_ms?: number;
    max_ms?: number;
    jitter?: number;
    max_attempts?: number;
    stable_ms?: number;
  };
  limits?: {
    queue_messages?: number;
    queue_bytes?: number;
    overflow?: 'drop_oldest' | 'drop_newest' | 'block';
    [name: string]: number | string | undefined;
  };
  when_unavailable?: 'fail' | 'wait';
  retry?: 'never' | 'safe';
  max_retries?: number;
  /** Further keys; the library refuses those that it does not know. */
  [name: string]: unknown;
}

export interface CallOptions {
  /** Ends the call: its promise rejects with the signal's reason, and the server is told. */
  signal?: AbortSignal;
  /** Asks the server for progress, and gets it. */
  onProgress?: (progress: Progress) => void;
  /** From 1; `Infinity` for no limit, which is a year. */
  timeoutMs?: number;
  /** The same, however much progress begins `timeoutMs` again. */
  maxTotalMs?: number;
  resetOnProgress?: boolean;
  meta?: JsonObject;
  traceparent?: string;
  tracestate?: string;
  baggage?: string;
  retry?: 'never' | 'safe';
  whenUnavailable?: 'fail' | 'wait';
}

/** Options of a call of a tool. `tasks` in the configuration lets it become a task. */
export interface ToolOptions extends CallOptions {
  /** Whether it is to be a task; absent, that is as the tool and the server want it. */
  task?: boolean;
  /** How long the server is asked to keep the task (2025-11-25). */
  taskTtlMs?: number;
  /** Gets each state of the task that the call has become. `notifications()` has the states too. */
  onTask?: (task: Task) => void;
}

/** Options of what reads a file of a skill. */
export interface SkillOptions extends CallOptions {
  /** Takes a skill whose files the server makes up as it goes, which nothing vouches for. */
  allowDynamic?: boolean;
}

/** How a task is at a moment. */
export interface Task {
  /** Its name, by which it can be found again, also by another process. */
  taskId: string;
  status: 'working' | 'input_required' | 'completed' | 'failed' | 'cancelled' | (string & {});
  statusMessage?: string;
  [name: string]: unknown;
}

/** The entry of a skill: what the server says of it, and by what its files are checked. */
export interface Skill {
  /** That of its `SKILL.md`. */
  uri: string;
  frontmatter: { name: string; description: string; [name: string]: unknown };
  [name: string]: unknown;
}

/** A file that was checked: text, or bytes as Base64. */
export interface SkillFile {
  uri: string;
  mimeType?: string;
  text?: string;
  blob?: string;
  [name: string]: unknown;
}

export interface Progress {
  progress: number;
  total?: number;
  message?: string;
  [name: string]: unknown;
}

/** What the library says of a failure. */
export interface ErrorObject {
  status: Status | 'unknown';
  /** What was being done, what went wrong and, where there is one, the fix. */
  message: string;
  /** The method, or the function, that failed. */
  operation?: string;
  /** Numbers and names: the exit status of a dead server, its last stderr lines, … */
  details?: JsonObject;
  /** Trying again may succeed. It does not say that the first try had no effect. */
  retryable: boolean;
  /** The code of a JSON-RPC error of the server (`status` is `server`). */
  code?: number;
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

export type RequestHandler = (params: any, context: RequestContext) => unknown;

/** What the client needs of the program to be let in by its server. */
export interface Login {
  /**
   * `authorize` wants a person to open `url`, `token` a token for the server, `assertion` a signed statement about the workload
   * for `audience`, `subject` what shows at the identity provider who the person is.
   */
  readonly kind: 'authorize' | 'token' | 'assertion' | 'subject' | (string & {});
  /** The page to open. Give it only to the browser: do not log it, and do not pass it through a shell. */
  readonly url?: string;
  /** Where the browser is sent afterwards. */
  readonly redirectUri?: string;
  /** The library waits there itself. If not, hand what the browser was sent to to `complete`. */
  readonly listens: boolean;
  readonly issuer?: string;
  /** What the login is for, separated by spaces. */
  readonly scopes?: string;
  readonly expiresInMs?: number;
  readonly audience?: string;
  /** The last credential was refused. */
  readonly refused: boolean;
  /** Hands over where the browser came back to: the whole URL, exactly as it was sent there. Throws if a check fails. */
  complete(callbackUrl: string): void;
  /** Gives the credential that was asked for, and how long it is good if that is known. */
  give(credential: string, options?: { lastsMs?: number }): void;
  /** The login will not be finished: what waits for it ends as `auth`. */
  giveUp(reason?: string): void;
}

export type LoginHandler = (login: Login, context: { signal: AbortSignal }) => unknown;

export interface Tool {
  name: string;
  title?: string;
  description?: string;
  inputSchema: JsonObject;
  outputSchema?: JsonObject;
  annotations?: JsonObject;
  [name: string]: unknown;
}

export interface Resource {
  uri: string;
  name: string;
  title?: string;
  description?: string;
  mimeType?: string;
  [name: string]: unknown;
}

export interface ResourceTemplate {
  uriTemplate: string;
  name: string;
  title?: string;
  description?: string;
  mimeType?: string;
  [name: string]: unknown;
}

export interface Prompt {
  name: string;
  title?: string;
  description?: string;
  arguments?: { name: string; description?: string; required?: boolean }[];
  [name: string]: unknown;
}

export interface Content {
  type: string;
  text?: string;
  [name: string]: unknown;
}

export interface ToolResult {
  content: Content[];
  structuredContent?: any;
  /** The tool itself failed; the call did not. */
  isError?: boolean;
  [name: string]: unknown;
}

export interface ResourceContents {
  contents: { uri: string; mimeType?: string; text?: string; blob?: string; [name: string]: unknown }[];
  [name: string]: unknown;
}

export interface PromptResult {
  description?: string;
  messages: { role: 'user' | 'assistant'; content: Content }[];
  [name: string]: unknown;
}

export interface Completion {
  values: string[];
  total?: number;
  hasMore?: boolean;
}

export type Reference = { type: 'ref/prompt'; name: string } | { type: 'ref/resource'; uri: string };

export type ServerLogLevel =
  | 'debug' | 'info' | 'notice' | 'warning' | 'error' | 'critical' | 'alert' | 'emergency';

/** One logical connection to one server. */
export class Client implements AsyncDisposable {
  /** Checks the configuration and starts nothing: `connect()` or the first call does. */
  constructor(config: Config);

  readonly state: State | 'unknown';
  /** Revision, era, server, capabilities, pid, counters and more, as the library tells them. */
  info(): JsonObject;

  /** Starts the connection if need be and waits until it is ready. Optional. */
  connect(options?: { timeoutMs?: number; signal?: AbortSignal }): Promise<void>;

  /** Calls any method. Ends exactly once: with the result, or by rejecting with an McpError or the signal's reason. */
  call<R = JsonObject>(method: string, params?: object, options?: CallOptions): Promise<R>;
  /** Sends a notification. Throws if there is no connection or the server does not read. */
  notify(method: string, params?: object): void;

  /**
   * Answers requests of the server. What the handler returns is the result; what it throws refuses the request. Without a
   * handler requests of that method are refused. Null takes the handler away.
   */
  onRequest(method: string, handler: RequestHandler | null): void;

  /** What the server and the connection say by themselves. Give `kinds` for some of it. */
  messages(options?: StreamOptions & { kinds?: Message['kind'][]; method?: string }): MessageStream<Message>;
  /** The server's notifications: all, or those of one method. */
  notifications<P = JsonObject>(method?: string, options?: StreamOptions): MessageStream<NotificationMessage<P>>;

  /**
   * Does what logins need of the program; `auth` in the configuration says how to log in. What the handler throws gives the
   * login up, and so does a client without one: what waits for it ends as `auth`.
   */
  onLogin(handler: LoginHandler | null): void;
  /**
   * Tells of what functions of the program threw: handlers of requests (but not a `RequestError`, which refuses on purpose) and
   * logins, `onProgress`, `onTask`. Without it they are warnings of the process, named `LibmcpWarning`.
   */
  onFailure(handler: ((error: unknown, context: { operation: string }) => void) | null): void;

  /** Lists come whole, over all their pages, within `limits` of the configuration. */
  listTools(options?: CallOptions): Promise<Tool[]>;
  callTool(name: string, args?: object, options?: ToolOptions): Promise<ToolResult>;
  listResources(options?: CallOptions): Promise<Resource[]>;
  listResourceTemplates(options?: CallOptions): Promise<ResourceTemplate[]>;
  readResource(uri: string, options?: CallOptions): Promise<ResourceContents>;
  subscribe(uri: string, options?: CallOptions): Promise<void>;
  unsubscribe(uri: string, options?: CallOptions): Promise<void>;
  listPrompts(options?: CallOptions): Promise<Prompt[]>;
  getPrompt(name: string, args?: Record<string, string>, options?: CallOptions): Promise<PromptResult>;
  complete(ref: Reference, argument: { name: string; value: string; settled?: Record<string, string> }, options?: CallOptions): Promise<Completion>;
  setLogLevel(level: ServerLogLevel, options?: CallOptions): Promise<void>;
  ping(options?: CallOptions): Promise<void>;

  /** The server's tasks (2025-11-25 only). */
  listTasks(options?: CallOptions): Promise<Task[]>;
  getTask(id: string, options?: CallOptions): Promise<Task>;
  /**
   * What a task comes to, as `callTool` would have given it. Giving this up leaves the task alone; `cancelTask` ends it. A call of
   * this client is better cancelled by its `signal`.
   */
  taskResult(id: string, options?: CallOptions & Pick<ToolOptions, 'onTask'>): Promise<ToolResult>;
  cancelTask(id: string, options?: CallOptions): Promise<void>;

  /** The skills that the server lists; no file is read. docs/skills.md says what is left to the program. */
  listSkills(options?: CallOptions): Promise<Skill[]>;
  /** The entry of a skill by the URI of its `SKILL.md`, also of one that is not listed. */
  getSkill(uri: string, options?: CallOptions): Promise<Skill>;
  /** Reads the `SKILL.md` of a skill. Rejects unless its size, digest and front matter are as the entry says. */
  loadSkill(skill: Skill, options?: SkillOptions): Promise<SkillFile>;
  /** Reads a file by its path in the skill's folder, such as `references/FORMS.md`, checked in the same way. */
  readSkillFile(skill: Skill, path: string, options?: SkillOptions): Promise<SkillFile>;

  /** Tells the server in which folders it may work from now on. The configuration must have had `roots`. */
  setRoots(roots: (string | { uri: string; name?: string })[]): void;
  /** Drops every result that the client keeps (`cache` in the configuration). */
  clearCache(): void;

  /** Ends the calls under way with `closed` and then the server, and frees everything. Any number of times. */
  close(options?: { timeoutMs?: number }): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Reads one server of an `mcpServers` file; without a name, the only one. */
export function loadConfig(path: string, server?: string): Config;

/** The URI of a resource of a template (RFC 6570), such as `uriTemplate`, with values for its variables. */
export function expandTemplate(template: string, variables?: object): string;

/** A record of the library's log: `event`, `level`, `client` and the event's values. */
export interface LogRecord {
  event: string;
  level: LogLevel;
  client?: string;
  [name: string]: unknown;
}

/** Sets what gets the log records of all clients of the process, workers included. Null takes it away. */
export function setLogger(log: ((record: LogRecord) => void) | null, level?: LogLevel): void;

/** The text blocks of a tool's result, a resource or a prompt, joined by line feeds. */
export function textOf(result: ToolResult | ResourceContents | PromptResult): string;

/** The version of the library that is loaded. */
export const version: string;
