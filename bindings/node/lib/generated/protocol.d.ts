// Written from the official schemas of MCP by `cargo xtask bindings`; do not edit. Their texts are under the MIT licence.

/** A JSON object. */
export type JsonObject = { [name: string]: unknown };

/**
 * Optional annotations for the client. The client can use annotations to inform how objects are used or
 * displayed
 * Revisions: all.
 */
export interface Annotations {
  /** Describes who the intended audience of this object or data is. */
  audience?: Role[] | undefined;
  /** The moment the resource was last modified, as an ISO 8601 formatted string. */
  lastModified?: string | undefined;
  /** Describes how important this data is for operating the server. */
  priority?: number | undefined;
  [name: string]: unknown;
}

/**
 * Audio provided to or from an LLM.
 * Revisions: from 2025-03-26 on.
 */
export interface AudioContent {
  /** Metadata of the protocol, of extensions and of applications. */
  _meta?: JsonObject | undefined;
  /** Optional annotations for the client. */
  annotations?: Annotations | undefined;
  /** The base64-encoded audio data. */
  data: string;
  /** The MIME type of the audio. Different providers may support different audio types. */
  mimeType: string;
  type: 'audio';
  [name: string]: unknown;
}

/** Revisions: all. */
export interface BlobResourceContents {
  /** Metadata of the protocol, of extensions and of applications. */
  _meta?: JsonObject | undefined;
  /** A base64-encoded string representing the binary data of the item. */
  blob: string;
  /** The MIME type of this resource, if known. */
  mimeType?: string | undefined;
  /** The URI of this resource. */
  uri: string;
  [name: string]: unknown;
}

/** Revisions: from 2025-06-18 on. */
export interface BooleanSchema {
  default?: boolean | undefined;
  description?: string | undefined;
  title?: string | undefined;
  type: 'boolean';
  [name: string]: unknown;
}

/**
 * Parameters for a `tools/call` request.
 * Revisions: all.
 */
export interface CallToolRequestParams {
  /** Metadata of the protocol, of extensions and of applications. */
  _meta?: JsonObject | undefined;
  /** Arguments to use for the tool call. */
  arguments?: JsonObject | undefined;
  inputResponses?: InputResponses | undefined;
  /** The name of the tool. */
  name: string;
  requestState?: string | undefined;
  /**
   * If specified, the caller is requesting task-augmented execution for this request. The request will return a
   * CreateTaskResult immediately, and the actual result can be retrieved later via tasks/result.
   */
  task?: TaskMetadata | undefined;
  [name: string]: unknown;
}

/**
 * The result returned by the server for a tools/call request.
 * Revisions: all.
 */
export interface CallToolResult {
  /** Metadata of the protocol, of extensions and of applications. */
  _meta?: JsonObject | undefined;
  /** A list of content objects that represent the unstructured result of the tool call. */
  content: ContentBlock[];
  /** Whether the tool call ended in an error. */
  isError?: boolean | undefined;
  /** Indicates the type of the result, which allows the client to determine how to parse the result object. */
  resultType?: string | undefined;
  /** An optional JSON value that represents the structured result of the tool call. */
  structuredContent?: unknown | undefined;
  [name: string]: unknown;
}

/** Revision: 2025-11-25. */
export interface CancelTaskRequestParams {
  /** The task identifier to cancel. */
  taskId: string;
  [name: string]: unknown;
}

/**
 * The response to a tasks/cancel request.
 * Revision: 2025-11-25.
 */
export interface CancelTaskResult {
  /** Metadata of the protocol, of extensions and of applications. */
  _meta?: JsonObject | undefined;
  /** ISO 8601 timestamp when the task was created. */
  createdAt: string;
  /** ISO 8601 timestamp when the task was last updated. */
  lastUpdatedAt: string;
  /** Suggested polling interval in milliseconds. */
  pollInterval?: number | undefined;
  /** Current task state. */
  status: TaskStatus;
  /**
   * Optional human-readable message describing the current task state. This can provide context for any status,
   * including: - Reasons for "cancelled" status - Summaries for "completed" status - Diagnostic information for
   * "failed" status (e.g., error details, what went wrong)
   */
  statusMessage?: string | undefined;
  /** The task identifier. */
  taskId: string;
  /** Actual retention duration from creation in milliseconds, null for unlimited. */
  ttl: number | null;
  [name: string]: unknown;
}

/**
 * Parameters for a `notifications/cancelled` notification.
 * Revisions: all.
 */
export interface CancelledNotificationParams {
  /** Metadata of the protocol, of extensions and of applications. */
  _meta?: JsonObject | undefined;
  /** An optional string describing the reason for the cancellation. This MAY be logged or presented to the user. */
  reason?: string | undefined;
  /** The ID of the request to cancel. */
  requestId?: RequestId | undefined;
  [name: string]: unknown;
}

/**
 * Capabilities a client may support. Known capabilities are defined here, in this schema, but this is not a
 * closed set: any client can define its own, additional capabilities.
 * Revisions: all.
 */
export interface ClientCapabilities {
  /** Present if the client supports elicitation from the server. */
  elicitation?: ClientCapabilitiesElicitation | undefined;
  /** Experimental, non-standard capabilities that the client supports. */
  experimental?: { [name: string]: JsonObject } | undefined;
  /**
   * Optional MCP extensions that the client supports. Keys are extension identifiers (e.g.,
   * "io.modelcontextprotocol/oauth-client-credentials"), and values are per-extension settings objects. An empty
   * object indicates support with no settings.
   */
  extensions?: { [name: string]: JsonObject } | undefined;
  /** Present if the client supports listing roots. */
  roots?: ClientCapabilitiesRoots | undefined;
  /** Present if the client supports sampling from an LLM. */
  sampling?: ClientCapabilitiesSampling | undefined;
  /** Present if the client supports task-augmented requests. */
  tasks?: ClientCapabilitiesTasks | undefined;
  [name: string]: unknown;
}

/**
 * Present if the client supports elicitation from the server.
 * Revisions: from 2025-11-25 on.
 */
export interface ClientCapabilitiesElicitation {
  form?: JsonObject | undefined;
  url?: JsonObject | undefined;
  [name: string]: unknown;
}

/**
 * Present if the client supports listing roots.
 * Revisions: 2024-11-05 to 2025-11-25.
 * @deprecated 2026-07-28 deprecates sampling, roots and log messages (SEP-2577). They work in every revision
 * that has them.
 */
export interface ClientCapabilitiesRoots {
  /** Whether the client supports notifications for changes to the roots list. */
  listChanged?: boolean | undefined;
  [name: string]: unknown;
}

/**
 * Present if the client supports sampling from an LLM.
 * Revisions: from 2025-11-25 on.
 * @deprecated 2026-07-28 deprecates sampling, roots and log messages (SEP-2577). They work in every revision
 * that has them.
 */
export interface ClientCapabilitiesSampling {
  /**
   * Whether the client supports context inclusion via `includeContext` parameter. If not declared, servers
   * SHOULD only use `includeContext: "none"` (or omit it).
   */
  context?: JsonObject | undefined;
  /** Whether the client supports tool use via `tools` and `toolChoice` parameters. */
  tools?: JsonObject | undefined;
  [name: string]: unknown;
}

/**
 * Present if the client supports task-augmented requests.
 * Revision: 2025-11-25.
 */
export interface ClientCapabilitiesTasks {
  /** Whether this client supports tasks/cancel. */
  cancel?: JsonObject | undefined;
  /** Whether this client supports tasks/list. */
  list?: JsonObject | undefined;
  /** Specifies which request types can be augmented with tasks. */
  requests?: ClientCapabilitiesTasksRequests | undefined;
  [name: string]: unknown;
}

/**
 * Specifies which request types can be augmented with tasks.
 * Revision: 2025-11-25.
 */
export interface ClientCapabilitiesTasksRequests {
  /** Task support for elicitation-related requests. */
  elicitation?: ClientCapabilitiesTasksRequestsElicitation | undefined;
  /** Task support for sampling-related requests. */
  sampling?: ClientCapabilitiesTasksRequestsSampling | undefined;
  [name: string]: unknown;
}

/**
 * Task support for elicitation-related requests.
 * Revision: 2025-11-25.
 */
export interface ClientCapabilitiesTasksRequestsElicitation {
  /** Whether the client supports task-augmented elicitation/create requests. */
  create?: JsonObject | undefined;
  [name: string]: unknown;
}

/**
 * Task support for sampling-related requests.
 * Revision: 2025-11-25.
 */
export interface ClientCapabilitiesTasksRequestsSampling {
  /** Whether the client supports task-augmented sampling/createMessage requests. */
  createMessage?: JsonObject | undefined;
  [name: string]: unknown;
}

/**
 * Parameters for a `completion/complete` request.
 * Revisions: all.
 */
export interface CompleteRequestParams {
  /** Metadata of the protocol, of extensions and of applications. */
  _meta?: JsonObject | undefined;
  /** The argument's information */
  argument: CompletionArgument;
  /** Additional, optional context for completions */
  context?: CompletionContext | undefined;
  ref: Reference;
  [name: string]: unknown;
}

/**
 * The result returned by the server for a completion/complete request.
 * Revisions: all.
 */
export interface CompleteResult {
  /** Metadata of the protocol, of extensions and of applications. */
  _meta?: JsonObject | undefined;
  completion: Completion;
  /** Indicates the type of the result, which allows the client to determine how to parse the result object. */
  resultType?: string | undefined;
  [name: string]: unknown;
}

/** Revisions: all. */
export interface Completion {
  /**
   * Indicates whether there are additional completion options beyond those provided in the current response,
   * even if the exact total is unknown.
   */
  hasMore?: boolean | undefined;
  /**
   * The total number of completion options available. This can exceed the number of values actually sent in the
   * response.
   */
  total?: number | undefined;
  /** An array of completion values. Must not exceed 100 items. */
  values: string[];
  [name: string]: unknown;
}

/**
 * The argument's information
 * Revisions: all.
 */
export interface CompletionArgument {
  /** The name of the argument */
  name: string;
  /** The value of the argument to use for completion matching. */
  value: string;
  [name: string]: unknown;
}

/**
 * Additional, optional context for completions
 * Revisions: from 2025-06-18 on.
 */
export interface CompletionContext {
  /** Previously-resolved variables in a URI template or prompt. */
  arguments?: { [name: string]: string } | undefined;
  [name: string]: unknown;
}

/** Revisions: from 2025-06-18 on. */
export type ContentBlock =
  | TextContent
  | ImageContent
  | AudioContent
  | ResourceLink
  | EmbeddedResource;

/**
 * A request from the server to sample an LLM via the client. The client has full discretion over which model to
 * select. The client should also inform the user before beginning sampling, to allow them to inspect the request
 * (human in the loop) and decide whether to approve it.
 * Revision: 2026-07-28.
 * @deprecated 2026-07-28 deprecates sampling, roots and log messages (SEP-2577). They work in every revision
 * that has them.
 */
export interface CreateMessageRequest {
  method: 'sampling/createMessage';
  params: CreateMessageRequestParams;
  [name: string]: unknown;
}

/**
 * Parameters for a `sampling/createMessage` request.
 * Revisions: all.
 * @deprecated 2026-07-28 deprecates sampling, roots and log messages (SEP-2577). They work in every revision
 * that has them.
 */
export interface CreateMessageRequestParams {
  /** Metadata of the protocol, of extensions and of applications. */
  _meta?: JsonObject | undefined;
  /**
   * A request to include context from one or more MCP servers (including the caller), to be attached to the
   * prompt. The client MAY ignore this request.
   */
  includeContext?: 'allServers' | 'none' | 'thisServer' | undefined;
  /** The requested maximum number of tokens to sample (to prevent runaway completions). */
  maxTokens: number;
  messages: SamplingMessage[];
  /** Optional metadata to pass through to the LLM provider. The format of this metadata is provider-specific. */
  metadata?: JsonObject | undefined;
  /** The server's preferences for which model to select. The client MAY ignore these preferences. */
  modelPreferences?: ModelPreferences | undefined;
  stopSequences?: string[] | undefined;
  /** An optional system prompt the server wants to use for sampling. The client MAY modify or omit this prompt. */
  systemPrompt?: string | undefined;
  /**
   * If specified, the caller is requesting task-augmented execution for this request. The request will return a
   * CreateTaskResult immediately, and the actual result can be retrieved later via tasks/result.
   */
  task?: TaskMetadata | undefined;
  temperature?: number | undefined;
  /**
   * Controls how the model uses tools. The client MUST return an error if this field is provided but
   * ClientCapabilities.sampling.tools is not declared. Default is `{ mode: "auto" }`.
   */
  toolChoice?: ToolChoice | undefined;
  /**
   * Tools that the model may use during generation. The client MUST return an error if this field is provided
   * but ClientCapabilities.sampling.tools is not declared.
   */
  tools?: Tool[] | undefined;
  [name: string]: unknown;
}

/**
 * The result returned by the client for a sampling/createMessage request. The client should inform the user
 * before returning the sampled message, to allow them to inspect the response (human in the loop) and decide
 * whether to allow the server to see it.
 * Revisions: all.
 * @deprecated 2026-07-28 deprecates sampling, roots and log messages (SEP-2577). They work in every revision
 * that has them.
 */
export interface CreateMessageResult {
  /** Metadata of the protocol, of extensions and of applications. */
  _meta?: JsonObject | undefined;
  content: SamplingMessageContentBlock | SamplingMessageContentBlock[];
  /** The name of the model that generated the message. */
  model: string;
  role: Role;
  /** The reason why sampling stopped, if known. */
  stopReason?: string | undefined;
  [name: string]: unknown;
}

/**
 * A response to a task-augmented request.
 * Revision: 2025-11-25.
 */
export interface CreateTaskResult {
  /** Metadata of the protocol, of extensions and of applications. */
  _meta?: JsonObject | undefined;
  task: Task;
  [name: string]: unknown;
}

/**
 * An opaque token used to represent a cursor for pagination.
 * Revisions: all.
 */
export type Cursor = string;

/**
 * The result returned by the server for a server/discover request.
 * Revision: 2026-07-28.
 */
export interface DiscoverResult {
  /** Metadata of the protocol, of extensions and of applications. */
  _meta?: JsonObject | undefined;
  /**
   * Indicates the intended scope of the cached response, analogous to HTTP `Cache-Control: public` vs
   * `Cache-Control: private`.
   */
  cacheScope: 'private' | 'public';
  /** The capabilities of the server. */
  capabilities: ServerCapabilities;
  /** Natural-language guidance describing the server and its features. */
  instructions?: string | undefined;
  /** Indicates the type of the result, which allows the client to determine how to parse the result object. */
  resultType: string;
  /**
   * MCP Protocol Versions this server supports. The client should choose a version from this list for use in
   * subsequent requests.
   */
  supportedVersions: string[];
  /**
   * A hint from the server indicating how long (in milliseconds) the client MAY cache this response before
   * re-fetching. Semantics are analogous to HTTP Cache-Control max-age.
   */
  ttlMs: number;
  [name: string]: unknown;
}

/**
 * A request from the server to elicit additional information from the user via the client.
 * Revision: 2026-07-28.
 */
export interface ElicitRequest {
  method: 'elicitation/create';
  params: ElicitRequestParams;
  [name: string]: unknown;
}

/**
 * The parameters for a request to elicit non-sensitive information from the user via a form in the client.
 * Revisions: from 2025-06-18 on.
 */
export interface ElicitRequestFormParams {
  /** Metadata of the protocol, of extensions and of applications. */
  _meta?: JsonObject | undefined;
  /** The message to present to the user describing what information is being requested. */
  message: string;
  /** The elicitation mode. */
  mode?: 'form' | undefined;
  /** A restricted subset of JSON Schema. Only top-level properties are allowed, without nesting. */
  requestedSchema: ElicitationSchema;
  /**
   * If specified, the caller is requesting task-augmented execution for this request. The request will return a
   * CreateTaskResult immediately, and the actual result can be retrieved later via tasks/result.
   */
  task?: TaskMetadata | undefined;
  [name: string]: unknown;
}

/**
 * The parameters for a request to elicit additional information from the user via the client.
 * Revisions: from 2025-11-25 on.
 */
export type ElicitRequestParams =
  | ElicitRequestFormParams
  | ElicitRequestURLParams;

/**
 * The parameters for a request to elicit information from the user via a URL in the client.
 * Revisions: from 2025-11-25 on.
 */
export interface ElicitRequestURLParams {
  /** Metadata of the protocol, of extensions and of applications. */
  _meta?: JsonObject | undefined;
  /**
   * The ID of the elicitation, which must be unique within the context of the server. The client MUST treat this
   * ID as an opaque value.
   */
  elicitationId?: string | undefined;
  /** The message to present to the user explaining why the interaction is needed. */
  message: string;
  /** The elicitation mode. */
  mode: 'url';
  /**
   * If specified, the caller is requesting task-augmented execution for this request. The request will return a
   * CreateTaskResult immediately, and the actual result can be retrieved later via tasks/result.
   */
  task?: TaskMetadata | undefined;
  /** The URL that the user should navigate to. */
  url: string;
  [name: string]: unknown;
}

/**
 * The result returned by the client for an elicitation/create request.
 * Revisions: from 2025-06-18 on.
 */
export interface ElicitResult {
  /** Metadata of the protocol, of extensions and of applications. */
  _meta?: JsonObject | undefined;
  /**
   * The user action in response to the elicitation. - `"accept"`: User submitted the form/confirmed the action -
   * `"decline"`: User explicitly declined the action - `"cancel"`: User dismissed without making an explicit
   * choice
   */
  action: 'accept' | 'cancel' | 'decline';
  /**
   * The submitted form data, only present when action is `"accept"` and mode was `"form"`. Contains values
   * matching the requested schema. Omitted for out-of-band mode responses.
   */
  content?: { [name: string]: string[] | string | number | boolean } | undefined;
  [name: string]: unknown;
}

/** Revision: 2025-11-25. */
export interface ElicitationCompleteNotificationParams {
  /** The ID of the elicitation that completed. */
  elicitationId: string;
  [name: string]: unknown;
}

/**
 * A restricted subset of JSON Schema. Only top-level properties are allowed, without nesting.
 * Revisions: from 2025-06-18 on.
 */
export interface ElicitationSchema {
  $schema?: string | undefined;
  properties: { [name: string]: PrimitiveSchemaDefinition };
  required?: string[] | undefined;
  type: 'object';
  [name: string]: unknown;
}

/**
 * The contents of a resource, embedded into a prompt or tool call result.
 * Revisions: all.
 */
export interface EmbeddedResource {
  /** Metadata of the protocol, of extensions and of applications. */
  _meta?: JsonObject | undefined;
  /** Optional annotations for the client. */
  annotations?: Annotations | undefined;
  resource: ResourceContents;
  type: 'resource';
  [name: string]: unknown;
}

/**
 * Common result fields.
 * Revisions: all.
 */
export type EmptyResult = Result;

/** Revisions: from 2025-11-25 on. */
export interface EnumOption {
  /** The enum value. */
  const: string;
  /** Display label for this option. */
  title: string;
  [name: string]: unknown;
}

/** Revisions: from 2025-11-25 on. */
export type EnumSchema =
  | UntitledSingleSelectEnumSchema
  | TitledSingleSelectEnumSchema
  | UntitledMultiSelectEnumSchema
  | TitledMultiSelectEnumSchema
  | LegacyTitledEnumSchema;

/**
 * Parameters for a `prompts/get` request.
 * Revisions: all.
 */
export interface GetPromptRequestParams {
  /** Metadata of the protocol, of extensions and of applications. */
  _meta?: JsonObject | undefined;
  /** Arguments to use for templating the prompt. */
  arguments?: { [name: string]: string } | undefined;
  inputResponses?: InputResponses | undefined;
  /** The name of the prompt or prompt template. */
  name: string;
  requestState?: string | undefined;
  [name: string]: unknown;
}

/**
 * The result returned by the server for a prompts/get request.
 * Revisions: all.
 */
export interface GetPromptResult {
  /** Metadata of the protocol, of extensions and of applications. */
  _meta?: JsonObject | undefined;
  /** An optional description for the prompt. */
  description?: string | undefined;
  messages: PromptMessage[];
  /** Indicates the type of the result, which allows the client to determine how to parse the result object. */
  resultType?: string | undefined;
  [name: string]: unknown;
}

/** Revision: 2025-11-25. */
export interface GetTaskPayloadRequestParams {
  /** The task identifier to retrieve results for. */
  taskId: string;
  [name: string]: unknown;
}

/**
 * The response to a tasks/result request. The structure matches the result type of the original request. For
 * example, a tools/call task would return the CallToolResult structure.
 * Revision: 2025-11-25.
 */
export interface GetTaskPayloadResult {
  /** Metadata of the protocol, of extensions and of applications. */
  _meta?: JsonObject | undefined;
  [name: string]: unknown;
}

/** Revision: 2025-11-25. */
export interface GetTaskRequestParams {
  /** The task identifier to query. */
  taskId: string;
  [name: string]: unknown;
}

/**
 * The response to a tasks/get request.
 * Revision: 2025-11-25.
 */
export interface GetTaskResult {
  /** Metadata of the protocol, of extensions and of applications. */
  _meta?: JsonObject | undefined;
  /** ISO 8601 timestamp when the task was created. */
  createdAt: string;
  /** ISO 8601 timestamp when the task was last updated. */
  lastUpdatedAt: string;
  /** Suggested polling interval in milliseconds. */
  pollInterval?: number | undefined;
  /** Current task state. */
  status: TaskStatus;
  /**
   * Optional human-readable message describing the current task state. This can provide context for any status,
   * including: - Reasons for "cancelled" status - Summaries for "completed" status - Diagnostic information for
   * "failed" status (e.g., error details, what went wrong)
   */
  statusMessage?: string | undefined;
  /** The task identifier. */
  taskId: string;
  /** Actual retention duration from creation in milliseconds, null for unlimited. */
  ttl: number | null;
  [name: string]: unknown;
}

/**
 * An optionally-sized icon that can be displayed in a user interface.
 * Revisions: from 2025-11-25 on.
 */
export interface Icon {
  /**
   * Optional MIME type override if the source MIME type is missing or generic. For example: `"image/png"`,
   * `"image/jpeg"`, or `"image/svg+xml"`.
   */
  mimeType?: string | undefined;
  /**
   * Optional array of strings that specify sizes at which the icon can be used. Each string should be in WxH
   * format (e.g., `"48x48"`, `"96x96"`) or `"any"` for scalable formats like SVG.
   */
  sizes?: string[] | undefined;
  /**
   * A standard URI pointing to an icon resource. May be an HTTP/HTTPS URL or a `data:` URI with Base64-encoded
   * image data.
   */
  src: string;
  /**
   * Optional specifier for the theme this icon is designed for. `"light"` indicates the icon is designed to be
   * used with a light background, and `"dark"` indicates the icon is designed to be used with a dark background.
   */
  theme?: 'dark' | 'light' | undefined;
  [name: string]: unknown;
}

/**
 * An image provided to or from an LLM.
 * Revisions: all.
 */
export interface ImageContent {
  /** Metadata of the protocol, of extensions and of applications. */
  _meta?: JsonObject | undefined;
  /** Optional annotations for the client. */
  annotations?: Annotations | undefined;
  /** The base64-encoded image data. */
  data: string;
  /** The MIME type of the image. Different providers may support different image types. */
  mimeType: string;
  type: 'image';
  [name: string]: unknown;
}

/**
 * Describes the MCP implementation.
 * Revisions: all.
 */
export interface Implementation {
  /** An optional human-readable description of what this implementation does. */
  description?: string | undefined;
  /** Optional set of sized icons that the client can display in a user interface. */
  icons?: Icon[] | undefined;
  /**
   * Intended for programmatic or logical use, but used as a display name in past specs or fallback (if title
   * isn't present).
   */
  name: string;
  /**
   * Intended for UI and end-user contexts — optimized to be human-readable and easily understood, even by those
   * unfamiliar with domain-specific terminology.
   */
  title?: string | undefined;
  /** The version of this implementation. */
  version: string;
  /** An optional URL of the website for this implementation. */
  websiteUrl?: string | undefined;
  [name: string]: unknown;
}

/**
 * Parameters for an `initialize` request.
 * Revisions: 2024-11-05 to 2025-11-25.
 */
export interface InitializeRequestParams {
  /** Metadata of the protocol, of extensions and of applications. */
  _meta?: JsonObject | undefined;
  capabilities: ClientCapabilities;
  clientInfo: Implementation;
  /**
   * The latest version of the Model Context Protocol that the client supports. The client MAY decide to support
   * older versions as well.
   */
  protocolVersion: string;
  [name: string]: unknown;
}

/**
 * After receiving an initialize request from the client, the server sends this response.
 * Revisions: 2024-11-05 to 2025-11-25.
 */
export interface InitializeResult {
  /** Metadata of the protocol, of extensions and of applications. */
  _meta?: JsonObject | undefined;
  capabilities: ServerCapabilities;
  /** Instructions describing how to use the server and its features. */
  instructions?: string | undefined;
  /**
   * The version of the Model Context Protocol that the server wants to use. This may not match the version that
   * the client requested. If the client cannot support this version, it MUST disconnect.
   */
  protocolVersion: string;
  serverInfo: Implementation;
  [name: string]: unknown;
}

/** Revision: 2026-07-28. */
export type InputRequest =
  | CreateMessageRequest
  | ListRootsRequest
  | ElicitRequest;

/**
 * A map of server-initiated requests that the client must fulfill. Keys are server-assigned identifiers; values
 * are the request objects.
 * Revision: 2026-07-28.
 */
export type InputRequests = { [name: string]: InputRequest };

/**
 * An InputRequiredResult sent by the server to indicate that additional input is needed before the request can
 * be completed.
 * Revision: 2026-07-28.
 */
export interface InputRequiredResult {
  /** Metadata of the protocol, of extensions and of applications. */
  _meta?: JsonObject | undefined;
  inputRequests?: InputRequests | undefined;
  requestState?: string | undefined;
  /** Indicates the type of the result, which allows the client to determine how to parse the result object. */
  resultType: string;
  [name: string]: unknown;
}

/** Revision: 2026-07-28. */
export type InputResponse =
  | CreateMessageResult
  | ListRootsResult
  | ElicitResult;

/** Revision: 2026-07-28. */
export interface InputResponseRequestParams {
  /** Metadata of the protocol, of extensions and of applications. */
  _meta?: JsonObject | undefined;
  inputResponses?: InputResponses | undefined;
  requestState?: string | undefined;
  [name: string]: unknown;
}

/**
 * A map of client responses to server-initiated requests. Keys correspond to the keys in the s map; values are
 * the client's result for each request.
 * Revision: 2026-07-28.
 */
export type InputResponses = { [name: string]: InputResponse };

/**
 * Use TitledSingleSelectEnumSchema instead. This interface will be removed in a future version.
 * Revisions: from 2025-06-18 on.
 */
export interface LegacyTitledEnumSchema {
  default?: string | undefined;
  description?: string | undefined;
  enum: string[];
  /** (Legacy) Display names for enum values. Non-standard according to JSON schema 2020-12. */
  enumNames?: string[] | undefined;
  title?: string | undefined;
  type: 'string';
  [name: string]: unknown;
}

/**
 * The result returned by the server for a prompts/list request.
 * Revisions: all.
 */
export interface ListPromptsResult {
  /** Metadata of the protocol, of extensions and of applications. */
  _meta?: JsonObject | undefined;
  /**
   * Indicates the intended scope of the cached response, analogous to HTTP `Cache-Control: public` vs
   * `Cache-Control: private`.
   */
  cacheScope?: 'private' | 'public' | undefined;
  /**
   * An opaque token representing the pagination position after the last returned result. If present, there may
   * be more results available.
   */
  nextCursor?: string | undefined;
  prompts: Prompt[];
  /** Indicates the type of the result, which allows the client to determine how to parse the result object. */
  resultType?: string | undefined;
  /**
   * A hint from the server indicating how long (in milliseconds) the client MAY cache this response before
   * re-fetching. Semantics are analogous to HTTP Cache-Control max-age.
   */
  ttlMs?: number | undefined;
  [name: string]: unknown;
}

/**
 * The result returned by the server for a resources/templates/list request.
 * Revisions: all.
 */
export interface ListResourceTemplatesResult {
  /** Metadata of the protocol, of extensions and of applications. */
  _meta?: JsonObject | undefined;
  /**
   * Indicates the intended scope of the cached response, analogous to HTTP `Cache-Control: public` vs
   * `Cache-Control: private`.
   */
  cacheScope?: 'private' | 'public' | undefined;
  /**
   * An opaque token representing the pagination position after the last returned result. If present, there may
   * be more results available.
   */
  nextCursor?: string | undefined;
  resourceTemplates: ResourceTemplate[];
  /** Indicates the type of the result, which allows the client to determine how to parse the result object. */
  resultType?: string | undefined;
  /**
   * A hint from the server indicating how long (in milliseconds) the client MAY cache this response before
   * re-fetching. Semantics are analogous to HTTP Cache-Control max-age.
   */
  ttlMs?: number | undefined;
  [name: string]: unknown;
}

/**
 * The result returned by the server for a resources/list request.
 * Revisions: all.
 */
export interface ListResourcesResult {
  /** Metadata of the protocol, of extensions and of applications. */
  _meta?: JsonObject | undefined;
  /**
   * Indicates the intended scope of the cached response, analogous to HTTP `Cache-Control: public` vs
   * `Cache-Control: private`.
   */
  cacheScope?: 'private' | 'public' | undefined;
  /**
   * An opaque token representing the pagination position after the last returned result. If present, there may
   * be more results available.
   */
  nextCursor?: string | undefined;
  resources: Resource[];
  /** Indicates the type of the result, which allows the client to determine how to parse the result object. */
  resultType?: string | undefined;
  /**
   * A hint from the server indicating how long (in milliseconds) the client MAY cache this response before
   * re-fetching. Semantics are analogous to HTTP Cache-Control max-age.
   */
  ttlMs?: number | undefined;
  [name: string]: unknown;
}

/**
 * Sent from the server to request a list of root URIs from the client. Roots allow servers to ask for specific
 * directories or files to operate on. A common example for roots is providing a set of repositories or
 * directories a server should operate on.
 * Revision: 2026-07-28.
 * @deprecated 2026-07-28 deprecates sampling, roots and log messages (SEP-2577). They work in every revision
 * that has them.
 */
export interface ListRootsRequest {
  method: 'roots/list';
  params?: JsonObject | undefined;
  [name: string]: unknown;
}

/**
 * The result returned by the client for a roots/list request. This result contains an array of Root objects,
 * each representing a root directory or file that the server can operate on.
 * Revisions: all.
 * @deprecated 2026-07-28 deprecates sampling, roots and log messages (SEP-2577). They work in every revision
 * that has them.
 */
export interface ListRootsResult {
  /** Metadata of the protocol, of extensions and of applications. */
  _meta?: JsonObject | undefined;
  roots: Root[];
  [name: string]: unknown;
}

/**
 * The response to a tasks/list request.
 * Revision: 2025-11-25.
 */
export interface ListTasksResult {
  /** Metadata of the protocol, of extensions and of applications. */
  _meta?: JsonObject | undefined;
  /**
   * An opaque token representing the pagination position after the last returned result. If present, there may
   * be more results available.
   */
  nextCursor?: string | undefined;
  tasks: Task[];
  [name: string]: unknown;
}

/**
 * The result returned by the server for a tools/list request.
 * Revisions: all.
 */
export interface ListToolsResult {
  /** Metadata of the protocol, of extensions and of applications. */
  _meta?: JsonObject | undefined;
  /**
   * Indicates the intended scope of the cached response, analogous to HTTP `Cache-Control: public` vs
   * `Cache-Control: private`.
   */
  cacheScope?: 'private' | 'public' | undefined;
  /**
   * An opaque token representing the pagination position after the last returned result. If present, there may
   * be more results available.
   */
  nextCursor?: string | undefined;
  /** Indicates the type of the result, which allows the client to determine how to parse the result object. */
  resultType?: string | undefined;
  tools: Tool[];
  /**
   * A hint from the server indicating how long (in milliseconds) the client MAY cache this response before
   * re-fetching. Semantics are analogous to HTTP Cache-Control max-age.
   */
  ttlMs?: number | undefined;
  [name: string]: unknown;
}

/**
 * The severity of a log message.
 * Revisions: all.
 * @deprecated 2026-07-28 deprecates sampling, roots and log messages (SEP-2577). They work in every revision
 * that has them.
 */
export type LoggingLevel = 'alert' | 'critical' | 'debug' | 'emergency' | 'error' | 'info' | 'notice' | 'warning';

/**
 * Parameters for a `notifications/message` notification.
 * Revisions: all.
 * @deprecated 2026-07-28 deprecates sampling, roots and log messages (SEP-2577). They work in every revision
 * that has them.
 */
export interface LoggingMessageNotificationParams {
  /** Metadata of the protocol, of extensions and of applications. */
  _meta?: JsonObject | undefined;
  /** The data to be logged, such as a string message or an object. Any JSON serializable type is allowed here. */
  data: unknown;
  /** The severity of this log message. */
  level: LoggingLevel;
  /** An optional name of the logger issuing this message. */
  logger?: string | undefined;
  [name: string]: unknown;
}

/** Revision: 2026-07-28. */
export interface MissingRequiredClientCapabilityErrorData {
  /** The capabilities the server requires from the client to process this request. */
  requiredCapabilities: ClientCapabilities;
  [name: string]: unknown;
}

/**
 * Hints to use for model selection.
 * Revisions: all.
 * @deprecated 2026-07-28 deprecates sampling, roots and log messages (SEP-2577). They work in every revision
 * that has them.
 */
export interface ModelHint {
  /** A hint for a model name. */
  name?: string | undefined;
  [name: string]: unknown;
}

/**
 * The server's preferences for model selection, requested of the client during sampling.
 * Revisions: all.
 * @deprecated 2026-07-28 deprecates sampling, roots and log messages (SEP-2577). They work in every revision
 * that has them.
 */
export interface ModelPreferences {
  /**
   * How much to prioritize cost when selecting a model. A value of 0 means cost is not important, while a value
   * of 1 means cost is the most important factor.
   */
  costPriority?: number | undefined;
  /** Optional hints to use for model selection. */
  hints?: ModelHint[] | undefined;
  /**
   * How much to prioritize intelligence and capabilities when selecting a model. A value of 0 means intelligence
   * is not important, while a value of 1 means intelligence is the most important factor.
   */
  intelligencePriority?: number | undefined;
  /**
   * How much to prioritize sampling speed (latency) when selecting a model. A value of 0 means speed is not
   * important, while a value of 1 means speed is the most important factor.
   */
  speedPriority?: number | undefined;
  [name: string]: unknown;
}

/** Revisions: from 2025-11-25 on. */
export type MultiSelectEnumSchema =
  | UntitledMultiSelectEnumSchema
  | TitledMultiSelectEnumSchema;

/**
 * Common params for any notification.
 * Revisions: from 2025-11-25 on.
 */
export interface NotificationParams {
  /** Metadata of the protocol, of extensions and of applications. */
  _meta?: JsonObject | undefined;
  [name: string]: unknown;
}

/** Revisions: from 2025-06-18 on. */
export interface NumberSchema {
  default?: number | undefined;
  description?: string | undefined;
  maximum?: number | undefined;
  minimum?: number | undefined;
  title?: string | undefined;
  type: 'integer' | 'number';
  [name: string]: unknown;
}

/**
 * Common params for paginated requests.
 * Revisions: all.
 */
export interface PaginatedRequestParams {
  /** Metadata of the protocol, of extensions and of applications. */
  _meta?: JsonObject | undefined;
  /**
   * An opaque token representing the current pagination position. If provided, the server should return results
   * starting after this cursor.
   */
  cursor?: string | undefined;
  [name: string]: unknown;
}

/**
 * Restricted schema definitions that only allow primitive types without nested objects or arrays.
 * Revisions: from 2025-06-18 on.
 */
export type PrimitiveSchemaDefinition =
  | StringSchema
  | NumberSchema
  | BooleanSchema
  | UntitledSingleSelectEnumSchema
  | TitledSingleSelectEnumSchema
  | UntitledMultiSelectEnumSchema
  | TitledMultiSelectEnumSchema
  | LegacyTitledEnumSchema;

/**
 * Parameters for a notifications/progress notification.
 * Revisions: all.
 */
export interface ProgressNotificationParams {
  /** Metadata of the protocol, of extensions and of applications. */
  _meta?: JsonObject | undefined;
  /** An optional message describing the current progress. */
  message?: string | undefined;
  /** The progress thus far. This should increase every time progress is made, even if the total is unknown. */
  progress: number;
  /**
   * The progress token which was given in the initial request, used to associate this notification with the
   * request that is proceeding.
   */
  progressToken: ProgressToken;
  /** Total number of items to process (or total progress required), if known. */
  total?: number | undefined;
  [name: string]: unknown;
}

/**
 * A progress token, used to associate progress notifications with the original request.
 * Revisions: all.
 */
export type ProgressToken = string | number;

/**
 * A prompt or prompt template that the server offers.
 * Revisions: all.
 */
export interface Prompt {
  /** Metadata of the protocol, of extensions and of applications. */
  _meta?: JsonObject | undefined;
  /** A list of arguments to use for templating the prompt. */
  arguments?: PromptArgument[] | undefined;
  /** An optional description of what this prompt provides */
  description?: string | undefined;
  /** Optional set of sized icons that the client can display in a user interface. */
  icons?: Icon[] | undefined;
  /**
   * Intended for programmatic or logical use, but used as a display name in past specs or fallback (if title
   * isn't present).
   */
  name: string;
  /**
   * Intended for UI and end-user contexts — optimized to be human-readable and easily understood, even by those
   * unfamiliar with domain-specific terminology.
   */
  title?: string | undefined;
  [name: string]: unknown;
}

/**
 * Describes an argument that a prompt can accept.
 * Revisions: all.
 */
export interface PromptArgument {
  /** A human-readable description of the argument. */
  description?: string | undefined;
  /**
   * Intended for programmatic or logical use, but used as a display name in past specs or fallback (if title
   * isn't present).
   */
  name: string;
  /** Whether this argument must be provided. */
  required?: boolean | undefined;
  /**
   * Intended for UI and end-user contexts — optimized to be human-readable and easily understood, even by those
   * unfamiliar with domain-specific terminology.
   */
  title?: string | undefined;
  [name: string]: unknown;
}

/**
 * Describes a message returned as part of a prompt.
 * Revisions: all.
 */
export interface PromptMessage {
  content: ContentBlock;
  role: Role;
  [name: string]: unknown;
}

/**
 * Identifies a prompt.
 * Revisions: all.
 */
export interface PromptReference {
  /**
   * Intended for programmatic or logical use, but used as a display name in past specs or fallback (if title
   * isn't present).
   */
  name: string;
  /**
   * Intended for UI and end-user contexts — optimized to be human-readable and easily understood, even by those
   * unfamiliar with domain-specific terminology.
   */
  title?: string | undefined;
  type: 'ref/prompt';
  [name: string]: unknown;
}

/**
 * Parameters for a `resources/read` request.
 * Revisions: all.
 */
export interface ReadResourceRequestParams {
  /** Metadata of the protocol, of extensions and of applications. */
  _meta?: JsonObject | undefined;
  inputResponses?: InputResponses | undefined;
  requestState?: string | undefined;
  /** The URI of the resource. The URI can use any protocol; it is up to the server how to interpret it. */
  uri: string;
  [name: string]: unknown;
}

/**
 * The result returned by the server for a resources/read request.
 * Revisions: all.
 */
export interface ReadResourceResult {
  /** Metadata of the protocol, of extensions and of applications. */
  _meta?: JsonObject | undefined;
  /**
   * Indicates the intended scope of the cached response, analogous to HTTP `Cache-Control: public` vs
   * `Cache-Control: private`.
   */
  cacheScope?: 'private' | 'public' | undefined;
  contents: ResourceContents[];
  /** Indicates the type of the result, which allows the client to determine how to parse the result object. */
  resultType?: string | undefined;
  /**
   * A hint from the server indicating how long (in milliseconds) the client MAY cache this response before
   * re-fetching. Semantics are analogous to HTTP Cache-Control max-age.
   */
  ttlMs?: number | undefined;
  [name: string]: unknown;
}

/** Revisions: all. */
export type Reference =
  | PromptReference
  | ResourceTemplateReference;

/**
 * Metadata for associating messages with a task. Include this in the `_meta` field under the key
 * `io.modelcontextprotocol/related-task`.
 * Revision: 2025-11-25.
 */
export interface RelatedTaskMetadata {
  /** The task identifier this message is associated with. */
  taskId: string;
  [name: string]: unknown;
}

/**
 * A uniquely identifying ID for a request in JSON-RPC.
 * Revisions: all.
 */
export type RequestId = string | number;

/**
 * A known resource that the server is capable of reading.
 * Revisions: all.
 */
export interface Resource {
  /** Metadata of the protocol, of extensions and of applications. */
  _meta?: JsonObject | undefined;
  /** Optional annotations for the client. */
  annotations?: Annotations | undefined;
  /** A description of what this resource represents. */
  description?: string | undefined;
  /** Optional set of sized icons that the client can display in a user interface. */
  icons?: Icon[] | undefined;
  /** The MIME type of this resource, if known. */
  mimeType?: string | undefined;
  /**
   * Intended for programmatic or logical use, but used as a display name in past specs or fallback (if title
   * isn't present).
   */
  name: string;
  /** The size of the raw resource content, in bytes (i.e., before base64 encoding or any tokenization), if known. */
  size?: number | undefined;
  /**
   * Intended for UI and end-user contexts — optimized to be human-readable and easily understood, even by those
   * unfamiliar with domain-specific terminology.
   */
  title?: string | undefined;
  /** The URI of this resource. */
  uri: string;
  [name: string]: unknown;
}

/**
 * The contents of a specific resource or sub-resource.
 * Revisions: all.
 */
export type ResourceContents =
  | TextResourceContents
  | BlobResourceContents;

/**
 * A resource that the server is capable of reading, included in a prompt or tool call result.
 * Revisions: from 2025-06-18 on.
 */
export interface ResourceLink {
  /** Metadata of the protocol, of extensions and of applications. */
  _meta?: JsonObject | undefined;
  /** Optional annotations for the client. */
  annotations?: Annotations | undefined;
  /** A description of what this resource represents. */
  description?: string | undefined;
  /** Optional set of sized icons that the client can display in a user interface. */
  icons?: Icon[] | undefined;
  /** The MIME type of this resource, if known. */
  mimeType?: string | undefined;
  /**
   * Intended for programmatic or logical use, but used as a display name in past specs or fallback (if title
   * isn't present).
   */
  name: string;
  /** The size of the raw resource content, in bytes (i.e., before base64 encoding or any tokenization), if known. */
  size?: number | undefined;
  /**
   * Intended for UI and end-user contexts — optimized to be human-readable and easily understood, even by those
   * unfamiliar with domain-specific terminology.
   */
  title?: string | undefined;
  type: 'resource_link';
  /** The URI of this resource. */
  uri: string;
  [name: string]: unknown;
}

/**
 * A template description for resources available on the server.
 * Revisions: all.
 */
export interface ResourceTemplate {
  /** Metadata of the protocol, of extensions and of applications. */
  _meta?: JsonObject | undefined;
  /** Optional annotations for the client. */
  annotations?: Annotations | undefined;
  /** A description of what this template is for. */
  description?: string | undefined;
  /** Optional set of sized icons that the client can display in a user interface. */
  icons?: Icon[] | undefined;
  /**
   * The MIME type for all resources that match this template. This should only be included if all resources
   * matching this template have the same type.
   */
  mimeType?: string | undefined;
  /**
   * Intended for programmatic or logical use, but used as a display name in past specs or fallback (if title
   * isn't present).
   */
  name: string;
  /**
   * Intended for UI and end-user contexts — optimized to be human-readable and easily understood, even by those
   * unfamiliar with domain-specific terminology.
   */
  title?: string | undefined;
  /** A URI template (according to RFC 6570) that can be used to construct resource URIs. */
  uriTemplate: string;
  [name: string]: unknown;
}

/**
 * A reference to a resource or resource template definition.
 * Revisions: all.
 */
export interface ResourceTemplateReference {
  type: 'ref/resource';
  /** The URI or URI template of the resource. */
  uri: string;
  [name: string]: unknown;
}

/**
 * Parameters for a `notifications/resources/updated` notification.
 * Revisions: all.
 */
export interface ResourceUpdatedNotificationParams {
  /** Metadata of the protocol, of extensions and of applications. */
  _meta?: JsonObject | undefined;
  /**
   * The URI of the resource that has been updated. This might be a sub-resource of the one that the client
   * actually subscribed to.
   */
  uri: string;
  [name: string]: unknown;
}

/**
 * Common result fields.
 * Revisions: all.
 */
export interface Result {
  /** Metadata of the protocol, of extensions and of applications. */
  _meta?: JsonObject | undefined;
  /** Indicates the type of the result, which allows the client to determine how to parse the result object. */
  resultType?: string | undefined;
  [name: string]: unknown;
}

/**
 * Indicates the type of a Result object, allowing the client to determine how to parse the response.
 * Revision: 2026-07-28.
 */
export type ResultType = string;

/**
 * The sender or recipient of messages and data in a conversation.
 * Revisions: all.
 */
export type Role = 'assistant' | 'user';

/**
 * Represents a root directory or file that the server can operate on.
 * Revisions: all.
 * @deprecated 2026-07-28 deprecates sampling, roots and log messages (SEP-2577). They work in every revision
 * that has them.
 */
export interface Root {
  /** Metadata of the protocol, of extensions and of applications. */
  _meta?: JsonObject | undefined;
  /**
   * An optional name for the root. This can be used to provide a human-readable identifier for the root, which
   * may be useful for display purposes or for referencing the root in other parts of the application.
   */
  name?: string | undefined;
  /**
   * The URI identifying the root. This *must* start with `file://` for now. This restriction may be relaxed in
   * future versions of the protocol to allow other URI schemes.
   */
  uri: string;
  [name: string]: unknown;
}

/**
 * Describes a message issued to or received from an LLM API.
 * Revisions: all.
 * @deprecated 2026-07-28 deprecates sampling, roots and log messages (SEP-2577). They work in every revision
 * that has them.
 */
export interface SamplingMessage {
  /** Metadata of the protocol, of extensions and of applications. */
  _meta?: JsonObject | undefined;
  content: SamplingMessageContentBlock | SamplingMessageContentBlock[];
  role: Role;
  [name: string]: unknown;
}

/**
 * Revisions: from 2025-11-25 on.
 * @deprecated 2026-07-28 deprecates sampling, roots and log messages (SEP-2577). They work in every revision
 * that has them.
 */
export type SamplingMessageContentBlock =
  | TextContent
  | ImageContent
  | AudioContent
  | ToolUseContent
  | ToolResultContent;

/**
 * Capabilities that a server may support. Known capabilities are defined here, in this schema, but this is not a
 * closed set: any server can define its own, additional capabilities.
 * Revisions: all.
 */
export interface ServerCapabilities {
  /** Present if the server supports argument autocompletion suggestions. */
  completions?: JsonObject | undefined;
  /** Experimental, non-standard capabilities that the server supports. */
  experimental?: { [name: string]: JsonObject } | undefined;
  /**
   * Optional MCP extensions that the server supports. Keys are extension identifiers (e.g.,
   * "io.modelcontextprotocol/tasks"), and values are per-extension settings objects. An empty object indicates
   * support with no settings.
   */
  extensions?: { [name: string]: JsonObject } | undefined;
  /** Present if the server supports sending log messages to the client. */
  logging?: JsonObject | undefined;
  /** Present if the server offers any prompt templates. */
  prompts?: ServerCapabilitiesPrompts | undefined;
  /** Present if the server offers any resources to read. */
  resources?: ServerCapabilitiesResources | undefined;
  /** Present if the server supports task-augmented requests. */
  tasks?: ServerCapabilitiesTasks | undefined;
  /** Present if the server offers any tools to call. */
  tools?: ServerCapabilitiesTools | undefined;
  [name: string]: unknown;
}

/**
 * Present if the server offers any prompt templates.
 * Revisions: all.
 */
export interface ServerCapabilitiesPrompts {
  /** Whether this server supports notifications for changes to the prompt list. */
  listChanged?: boolean | undefined;
  [name: string]: unknown;
}

/**
 * Present if the server offers any resources to read.
 * Revisions: all.
 */
export interface ServerCapabilitiesResources {
  /** Whether this server supports notifications for changes to the resource list. */
  listChanged?: boolean | undefined;
  /** Whether this server supports subscribing to resource updates. */
  subscribe?: boolean | undefined;
  [name: string]: unknown;
}

/**
 * Present if the server supports task-augmented requests.
 * Revision: 2025-11-25.
 */
export interface ServerCapabilitiesTasks {
  /** Whether this server supports tasks/cancel. */
  cancel?: JsonObject | undefined;
  /** Whether this server supports tasks/list. */
  list?: JsonObject | undefined;
  /** Specifies which request types can be augmented with tasks. */
  requests?: ServerCapabilitiesTasksRequests | undefined;
  [name: string]: unknown;
}

/**
 * Specifies which request types can be augmented with tasks.
 * Revision: 2025-11-25.
 */
export interface ServerCapabilitiesTasksRequests {
  /** Task support for tool-related requests. */
  tools?: ServerCapabilitiesTasksRequestsTools | undefined;
  [name: string]: unknown;
}

/**
 * Task support for tool-related requests.
 * Revision: 2025-11-25.
 */
export interface ServerCapabilitiesTasksRequestsTools {
  /** Whether the server supports task-augmented tools/call requests. */
  call?: JsonObject | undefined;
  [name: string]: unknown;
}

/**
 * Present if the server offers any tools to call.
 * Revisions: all.
 */
export interface ServerCapabilitiesTools {
  /** Whether this server supports notifications for changes to the tool list. */
  listChanged?: boolean | undefined;
  [name: string]: unknown;
}

/**
 * Parameters for a `logging/setLevel` request.
 * Revisions: 2024-11-05 to 2025-11-25.
 * @deprecated 2026-07-28 deprecates sampling, roots and log messages (SEP-2577). They work in every revision
 * that has them.
 */
export interface SetLevelRequestParams {
  /** Metadata of the protocol, of extensions and of applications. */
  _meta?: JsonObject | undefined;
  /**
   * The level of logging that the client wants to receive from the server. The server should send all logs at
   * this level and higher (i.e., more severe) to the client as notifications/message.
   */
  level: LoggingLevel;
  [name: string]: unknown;
}

/** Revisions: from 2025-11-25 on. */
export type SingleSelectEnumSchema =
  | UntitledSingleSelectEnumSchema
  | TitledSingleSelectEnumSchema;

/** Revisions: from 2025-06-18 on. */
export interface StringSchema {
  default?: string | undefined;
  description?: string | undefined;
  format?: 'date' | 'date-time' | 'email' | 'uri' | undefined;
  maxLength?: number | undefined;
  minLength?: number | undefined;
  title?: string | undefined;
  type: 'string';
  [name: string]: unknown;
}

/**
 * Parameters for a `resources/subscribe` request.
 * Revisions: 2024-11-05 to 2025-11-25.
 */
export interface SubscribeRequestParams {
  /** Metadata of the protocol, of extensions and of applications. */
  _meta?: JsonObject | undefined;
  /** The URI of the resource. The URI can use any protocol; it is up to the server how to interpret it. */
  uri: string;
  [name: string]: unknown;
}

/**
 * The set of notification types a client may opt in to on a subscriptions/listen request.
 * Revision: 2026-07-28.
 */
export interface SubscriptionFilter {
  /** If true, receive notifications/prompts/list_changed. */
  promptsListChanged?: boolean | undefined;
  /**
   * Subscribe to notifications/resources/updated for these resource URIs. Replaces the former
   * `resources/subscribe` RPC.
   */
  resourceSubscriptions?: string[] | undefined;
  /** If true, receive notifications/resources/list_changed. */
  resourcesListChanged?: boolean | undefined;
  /** If true, receive notifications/tools/list_changed. */
  toolsListChanged?: boolean | undefined;
  [name: string]: unknown;
}

/**
 * Parameters for a notifications/subscriptions/acknowledged notification.
 * Revision: 2026-07-28.
 */
export interface SubscriptionsAcknowledgedNotificationParams {
  /** Metadata of the protocol, of extensions and of applications. */
  _meta?: JsonObject | undefined;
  /**
   * The subset of requested notification types the server agreed to honor. Only includes notification types the
   * server actually supports; if the client requested an unsupported type (e.g., `promptsListChanged` when the
   * server has no prompts), it is omitted from this set.
   */
  notifications: SubscriptionFilter;
  [name: string]: unknown;
}

/**
 * Parameters for a subscriptions/listen request.
 * Revision: 2026-07-28.
 */
export interface SubscriptionsListenRequestParams {
  /** Metadata of the protocol, of extensions and of applications. */
  _meta?: JsonObject | undefined;
  /**
   * The notifications the client opts in to on this stream. The server **MUST NOT** send notification types the
   * client has not explicitly requested.
   */
  notifications: SubscriptionFilter;
  [name: string]: unknown;
}

/**
 * The response to a subscriptions/listen request, signalling that the subscription has ended gracefully (for
 * example, during server shutdown). Because the listen stream is long-lived, this result is sent only when the
 * server tears the subscription down; an abrupt transport close carries no response. The result body is
 * otherwise empty.
 * Revision: 2026-07-28.
 */
export interface SubscriptionsListenResult {
  /** Metadata of the protocol, of extensions and of applications. */
  _meta?: JsonObject | undefined;
  /** Indicates the type of the result, which allows the client to determine how to parse the result object. */
  resultType: string;
  [name: string]: unknown;
}

/**
 * Data associated with a task.
 * Revision: 2025-11-25.
 */
export interface Task {
  /** ISO 8601 timestamp when the task was created. */
  createdAt: string;
  /** ISO 8601 timestamp when the task was last updated. */
  lastUpdatedAt: string;
  /** Suggested polling interval in milliseconds. */
  pollInterval?: number | undefined;
  /** Current task state. */
  status: TaskStatus;
  /**
   * Optional human-readable message describing the current task state. This can provide context for any status,
   * including: - Reasons for "cancelled" status - Summaries for "completed" status - Diagnostic information for
   * "failed" status (e.g., error details, what went wrong)
   */
  statusMessage?: string | undefined;
  /** The task identifier. */
  taskId: string;
  /** Actual retention duration from creation in milliseconds, null for unlimited. */
  ttl: number | null;
  [name: string]: unknown;
}

/**
 * Metadata for augmenting a request with task execution. Include this in the `task` field of the request
 * parameters.
 * Revision: 2025-11-25.
 */
export interface TaskMetadata {
  /** Requested duration in milliseconds to retain task from creation. */
  ttl?: number | undefined;
  [name: string]: unknown;
}

/**
 * The status of a task.
 * Revision: 2025-11-25.
 */
export type TaskStatus = 'cancelled' | 'completed' | 'failed' | 'input_required' | 'working' | (string & {});

/**
 * Parameters for a `notifications/tasks/status` notification.
 * Revision: 2025-11-25.
 */
export interface TaskStatusNotificationParams {
  /** Metadata of the protocol, of extensions and of applications. */
  _meta?: JsonObject | undefined;
  /** ISO 8601 timestamp when the task was created. */
  createdAt: string;
  /** ISO 8601 timestamp when the task was last updated. */
  lastUpdatedAt: string;
  /** Suggested polling interval in milliseconds. */
  pollInterval?: number | undefined;
  /** Current task state. */
  status: TaskStatus;
  /**
   * Optional human-readable message describing the current task state. This can provide context for any status,
   * including: - Reasons for "cancelled" status - Summaries for "completed" status - Diagnostic information for
   * "failed" status (e.g., error details, what went wrong)
   */
  statusMessage?: string | undefined;
  /** The task identifier. */
  taskId: string;
  /** Actual retention duration from creation in milliseconds, null for unlimited. */
  ttl: number | null;
  [name: string]: unknown;
}

/**
 * Text provided to or from an LLM.
 * Revisions: all.
 */
export interface TextContent {
  /** Metadata of the protocol, of extensions and of applications. */
  _meta?: JsonObject | undefined;
  /** Optional annotations for the client. */
  annotations?: Annotations | undefined;
  /** The text content of the message. */
  text: string;
  type: 'text';
  [name: string]: unknown;
}

/** Revisions: all. */
export interface TextResourceContents {
  /** Metadata of the protocol, of extensions and of applications. */
  _meta?: JsonObject | undefined;
  /** The MIME type of this resource, if known. */
  mimeType?: string | undefined;
  /**
   * The text of the item. This must only be set if the item can actually be represented as text (not binary
   * data).
   */
  text: string;
  /** The URI of this resource. */
  uri: string;
  [name: string]: unknown;
}

/**
 * Schema for array items with enum options and display labels.
 * Revisions: from 2025-11-25 on.
 */
export interface TitledEnumItems {
  /** Array of enum options with values and display labels. */
  anyOf: EnumOption[];
  [name: string]: unknown;
}

/**
 * Schema for multiple-selection enumeration with display titles for each option.
 * Revisions: from 2025-11-25 on.
 */
export interface TitledMultiSelectEnumSchema {
  /** Optional default value. */
  default?: string[] | undefined;
  /** Optional description for the enum field. */
  description?: string | undefined;
  /** Schema for array items with enum options and display labels. */
  items: TitledEnumItems;
  /** Maximum number of items to select. */
  maxItems?: number | undefined;
  /** Minimum number of items to select. */
  minItems?: number | undefined;
  /** Optional title for the enum field. */
  title?: string | undefined;
  type: 'array';
  [name: string]: unknown;
}

/**
 * Schema for single-selection enumeration with display titles for each option.
 * Revisions: from 2025-11-25 on.
 */
export interface TitledSingleSelectEnumSchema {
  /** Optional default value. */
  default?: string | undefined;
  /** Optional description for the enum field. */
  description?: string | undefined;
  /** Array of enum options with values and display labels. */
  oneOf: EnumOption[];
  /** Optional title for the enum field. */
  title?: string | undefined;
  type: 'string';
  [name: string]: unknown;
}

/**
 * Definition for a tool the client can call.
 * Revisions: all.
 */
export interface Tool {
  /** Metadata of the protocol, of extensions and of applications. */
  _meta?: JsonObject | undefined;
  /** Optional additional tool information. */
  annotations?: ToolAnnotations | undefined;
  /** A human-readable description of the tool. */
  description?: string | undefined;
  /** Execution-related properties for this tool. */
  execution?: ToolExecution | undefined;
  /** Optional set of sized icons that the client can display in a user interface. */
  icons?: Icon[] | undefined;
  /** A JSON Schema object defining the expected parameters for the tool. */
  inputSchema: JsonObject;
  /**
   * Intended for programmatic or logical use, but used as a display name in past specs or fallback (if title
   * isn't present).
   */
  name: string;
  /**
   * An optional JSON Schema object defining the structure of the tool's output returned in the structuredContent
   * field of a CallToolResult. This can be any valid JSON Schema 2020-12.
   */
  outputSchema?: JsonObject | undefined;
  /**
   * Intended for UI and end-user contexts — optimized to be human-readable and easily understood, even by those
   * unfamiliar with domain-specific terminology.
   */
  title?: string | undefined;
  [name: string]: unknown;
}

/**
 * Additional properties describing a Tool to clients.
 * Revisions: from 2025-03-26 on.
 */
export interface ToolAnnotations {
  /**
   * If true, the tool may perform destructive updates to its environment. If false, the tool performs only
   * additive updates.
   */
  destructiveHint?: boolean | undefined;
  /**
   * If true, calling the tool repeatedly with the same arguments will have no additional effect on its
   * environment.
   */
  idempotentHint?: boolean | undefined;
  /**
   * If true, this tool may interact with an "open world" of external entities. If false, the tool's domain of
   * interaction is closed. For example, the world of a web search tool is open, whereas that of a memory tool is
   * not.
   */
  openWorldHint?: boolean | undefined;
  /** If true, the tool does not modify its environment. */
  readOnlyHint?: boolean | undefined;
  /** A human-readable title for the tool. */
  title?: string | undefined;
  [name: string]: unknown;
}

/**
 * Controls tool selection behavior for sampling requests.
 * Revisions: from 2025-11-25 on.
 */
export interface ToolChoice {
  /**
   * Controls the tool use ability of the model: - `"auto"`: Model decides whether to use tools (default) -
   * `"required"`: Model MUST use at least one tool before completing - `"none"`: Model MUST NOT use any tools
   */
  mode?: 'auto' | 'none' | 'required' | undefined;
  [name: string]: unknown;
}

/**
 * Execution-related properties for a tool.
 * Revision: 2025-11-25.
 */
export interface ToolExecution {
  /**
   * Indicates whether this tool supports task-augmented execution. This allows clients to handle long-running
   * operations through polling the task system.
   */
  taskSupport?: 'forbidden' | 'optional' | 'required' | undefined;
  [name: string]: unknown;
}

/**
 * The result of a tool use, provided by the user back to the assistant.
 * Revisions: from 2025-11-25 on.
 */
export interface ToolResultContent {
  /** Metadata of the protocol, of extensions and of applications. */
  _meta?: JsonObject | undefined;
  /** The unstructured result content of the tool use. */
  content: ContentBlock[];
  /** Whether the tool use resulted in an error. */
  isError?: boolean | undefined;
  /** An optional structured result value. */
  structuredContent?: unknown | undefined;
  /** The ID of the tool use this result corresponds to. */
  toolUseId: string;
  type: 'tool_result';
  [name: string]: unknown;
}

/**
 * A request from the assistant to call a tool.
 * Revisions: from 2025-11-25 on.
 */
export interface ToolUseContent {
  /** Metadata of the protocol, of extensions and of applications. */
  _meta?: JsonObject | undefined;
  /** A unique identifier for this tool use. */
  id: string;
  /** The arguments to pass to the tool, conforming to the tool's input schema. */
  input: JsonObject;
  /** The name of the tool to call. */
  name: string;
  type: 'tool_use';
  [name: string]: unknown;
}

/** Revision: 2025-11-25. */
export interface URLElicitationRequiredErrorData {
  elicitations: ElicitRequestURLParams[];
  [name: string]: unknown;
}

/**
 * Parameters for a `resources/unsubscribe` request.
 * Revisions: 2024-11-05 to 2025-11-25.
 */
export interface UnsubscribeRequestParams {
  /** Metadata of the protocol, of extensions and of applications. */
  _meta?: JsonObject | undefined;
  /** The URI of the resource. The URI can use any protocol; it is up to the server how to interpret it. */
  uri: string;
  [name: string]: unknown;
}

/** Revision: 2026-07-28. */
export interface UnsupportedProtocolVersionErrorData {
  /** The protocol version that was requested by the client. */
  requested: string;
  /**
   * Protocol versions the server supports. The client should choose a mutually supported version from this list
   * and retry.
   */
  supported: string[];
  [name: string]: unknown;
}

/**
 * Schema for the array items.
 * Revisions: from 2025-11-25 on.
 */
export interface UntitledEnumItems {
  /** Array of enum values to choose from. */
  enum: string[];
  type: 'string';
  [name: string]: unknown;
}

/**
 * Schema for multiple-selection enumeration without display titles for options.
 * Revisions: from 2025-11-25 on.
 */
export interface UntitledMultiSelectEnumSchema {
  /** Optional default value. */
  default?: string[] | undefined;
  /** Optional description for the enum field. */
  description?: string | undefined;
  /** Schema for the array items. */
  items: UntitledEnumItems;
  /** Maximum number of items to select. */
  maxItems?: number | undefined;
  /** Minimum number of items to select. */
  minItems?: number | undefined;
  /** Optional title for the enum field. */
  title?: string | undefined;
  type: 'array';
  [name: string]: unknown;
}

/**
 * Schema for single-selection enumeration without display titles for options.
 * Revisions: from 2025-11-25 on.
 */
export interface UntitledSingleSelectEnumSchema {
  /** Optional default value. */
  default?: string | undefined;
  /** Optional description for the enum field. */
  description?: string | undefined;
  /** Array of enum values to choose from. */
  enum: string[];
  /** Optional title for the enum field. */
  title?: string | undefined;
  type: 'string';
  [name: string]: unknown;
}
