# Generated from the official schemas of MCP by `cargo xtask bindings`; do not edit.
# The texts of the schemas are under the MIT licence.
"""The types of the protocol, for checkers. At run time they are dictionaries, with all members that the peer has sent."""

from __future__ import annotations

from typing import Any, Final, Literal, TypedDict, Union

TOOLS_LIST: Final = "tools/list"
"""The list of tools."""

TOOLS_CALL: Final = "tools/call"
"""The call of a tool."""

RESOURCES_LIST: Final = "resources/list"
"""The list of resources."""

TEMPLATES_LIST: Final = "resources/templates/list"
"""The list of resource templates."""

RESOURCES_READ: Final = "resources/read"
"""The contents of a resource."""

SUBSCRIBE: Final = "resources/subscribe"
"""Legacy on the wire; in the modern era a part of `subscriptions/listen`."""

UNSUBSCRIBE: Final = "resources/unsubscribe"
"""Its end."""

PROMPTS_LIST: Final = "prompts/list"
"""The list of prompts."""

PROMPTS_GET: Final = "prompts/get"
"""One prompt, filled in."""

COMPLETE: Final = "completion/complete"
"""Completion of an argument."""

SET_LEVEL: Final = "logging/setLevel"
"""Legacy on the wire; in the modern era a member of each request's `_meta`."""

SKILLS_LIST: Final = "skills/list"
"""The list of skills (extension `io.modelcontextprotocol/skills`)."""

SKILLS_GET: Final = "skills/get"
"""The entry of one skill."""

DIRECTORY_READ: Final = "resources/directory/read"
"""The direct children of a directory resource (extension `io.modelcontextprotocol/skills`)."""

TASKS_GET: Final = "tasks/get"
"""A task's state."""

TASKS_RESULT: Final = "tasks/result"
"""Core form of tasks: a task's result, awaited."""

TASKS_LIST: Final = "tasks/list"
"""Core form of tasks: the tasks there are. Only servers of that form have it, and say so."""

TASKS_CANCEL: Final = "tasks/cancel"
"""A task is no longer wanted."""

TASKS_UPDATE: Final = "tasks/update"
"""Tasks extension: what the task's server asked for."""

INITIALIZE: Final = "initialize"
"""Legacy handshake."""

INITIALIZED: Final = "notifications/initialized"
"""Legacy handshake, second half."""

DISCOVER: Final = "server/discover"
"""Modern discovery, and the probe that tells the era."""

PING: Final = "ping"
"""Legacy liveness request, either way."""

CANCELLED: Final = "notifications/cancelled"
"""Either side: the named request's result is no longer wanted."""

LISTEN: Final = "subscriptions/listen"
"""Modern: a stream of notices. The client opens one for what the application subscribed to."""

PROGRESS: Final = "notifications/progress"
"""The server reports progress of a request."""

LOG: Final = "notifications/message"
"""A log message of the server."""

SAMPLING: Final = "sampling/createMessage"
"""The server asks for a model's answer."""

ELICITATION: Final = "elicitation/create"
"""The server asks the person."""

ROOTS: Final = "roots/list"
"""The server asks for the roots."""

ROOTS_CHANGED: Final = "notifications/roots/list_changed"
"""Legacy: our roots changed."""

TOOLS_CHANGED: Final = "notifications/tools/list_changed"
"""The list of tools changed."""

RESOURCES_CHANGED: Final = "notifications/resources/list_changed"
"""The list of resources (or of resource templates) changed."""

PROMPTS_CHANGED: Final = "notifications/prompts/list_changed"
"""The list of prompts changed."""

RESOURCE_UPDATED: Final = "notifications/resources/updated"
"""A resource changed."""

ELICITATION_COMPLETE: Final = "notifications/elicitation/complete"
"""2025-11-25: a page that the server wanted visited is done with."""

TASK_STATUS: Final = "notifications/tasks/status"
"""Core form of tasks: a task's state."""

TASK_STATUS_OF_EXTENSION: Final = "notifications/tasks"
"""Tasks extension: a task's state."""

ACKNOWLEDGED: Final = "notifications/subscriptions/acknowledged"
"""Modern: the server took up a subscription."""

HEADER_MISMATCH: Final = -32020
"""The code of an error."""

INTERNAL: Final = -32603
"""The code of an error."""

INVALID_PARAMS: Final = -32602
"""The code of an error."""

INVALID_REQUEST: Final = -32600
"""The code of an error."""

METHOD_NOT_FOUND: Final = -32601
"""The code of an error."""

MISSING_REQUIRED_CLIENT_CAPABILITY: Final = -32021
"""The code of an error."""

PARSE: Final = -32700
"""The code of an error."""

URLELICITATION_REQUIRED: Final = -32042
"""The code of an error."""

UNSUPPORTED_PROTOCOL_VERSION: Final = -32022
"""The code of an error."""

LoggingLevel = Literal["alert", "critical", "debug", "emergency", "error", "info", "notice", "warning"]
"""The severity of a log message.
Revisions: all.

Deprecated: 2026-07-28 deprecates sampling, roots and log messages (SEP-2577). They work in every revision
that has them.
"""

Role = Literal["assistant", "user"]
"""The sender or recipient of messages and data in a conversation.
Revisions: all.
"""

TaskStatus = Union[Literal["cancelled", "completed", "failed", "input_required", "working"], str]
"""The status of a task.
Revision: 2025-11-25.
"""


class Annotations(TypedDict, total=False):
    """Optional annotations for the client. The client can use annotations to inform how objects are used or
    displayed
    Revisions: all.
    """

    audience: list[Role]
    """Describes who the intended audience of this object or data is."""

    lastModified: str
    """The moment the resource was last modified, as an ISO 8601 formatted string."""

    priority: float
    """Describes how important this data is for operating the server."""


class _AudioContent(TypedDict):
    data: str
    """The base64-encoded audio data."""

    mimeType: str
    """The MIME type of the audio. Different providers may support different audio types."""

    type: Literal["audio"]


class AudioContent(_AudioContent, total=False):
    """Audio provided to or from an LLM.
    Revisions: from 2025-03-26 on.
    """

    _meta: dict[str, Any]
    """Metadata of the protocol, of extensions and of applications."""

    annotations: Annotations
    """Optional annotations for the client."""


class _BlobResourceContents(TypedDict):
    blob: str
    """A base64-encoded string representing the binary data of the item."""

    uri: str
    """The URI of this resource."""


class BlobResourceContents(_BlobResourceContents, total=False):
    """Revisions: all."""

    _meta: dict[str, Any]
    """Metadata of the protocol, of extensions and of applications."""

    mimeType: str
    """The MIME type of this resource, if known."""


class _BooleanSchema(TypedDict):
    type: Literal["boolean"]


class BooleanSchema(_BooleanSchema, total=False):
    """Revisions: from 2025-06-18 on."""

    default: bool

    description: str

    title: str


class _CallToolRequestParams(TypedDict):
    name: str
    """The name of the tool."""


class CallToolRequestParams(_CallToolRequestParams, total=False):
    """Parameters for a `tools/call` request.
    Revisions: all.
    """

    _meta: dict[str, Any]
    """Metadata of the protocol, of extensions and of applications."""

    arguments: dict[str, Any]
    """Arguments to use for the tool call."""

    inputResponses: InputResponses

    requestState: str

    task: TaskMetadata
    """If specified, the caller is requesting task-augmented execution for this request. The request will return
    a CreateTaskResult immediately, and the actual result can be retrieved later via tasks/result.
    """


class _CallToolResult(TypedDict):
    content: list[ContentBlock]
    """A list of content objects that represent the unstructured result of the tool call."""


class CallToolResult(_CallToolResult, total=False):
    """The result returned by the server for a tools/call request.
    Revisions: all.
    """

    _meta: dict[str, Any]
    """Metadata of the protocol, of extensions and of applications."""

    isError: bool
    """Whether the tool call ended in an error."""

    resultType: str
    """Indicates the type of the result, which allows the client to determine how to parse the result object."""

    structuredContent: Any
    """An optional JSON value that represents the structured result of the tool call."""


class CancelTaskRequestParams(TypedDict):
    """Revision: 2025-11-25."""

    taskId: str
    """The task identifier to cancel."""


class _CancelTaskResult(TypedDict):
    createdAt: str
    """ISO 8601 timestamp when the task was created."""

    lastUpdatedAt: str
    """ISO 8601 timestamp when the task was last updated."""

    status: TaskStatus
    """Current task state."""

    taskId: str
    """The task identifier."""

    ttl: Union[int, None]
    """Actual retention duration from creation in milliseconds, null for unlimited."""


class CancelTaskResult(_CancelTaskResult, total=False):
    """The response to a tasks/cancel request.
    Revision: 2025-11-25.
    """

    _meta: dict[str, Any]
    """Metadata of the protocol, of extensions and of applications."""

    pollInterval: int
    """Suggested polling interval in milliseconds."""

    statusMessage: str
    """Optional human-readable message describing the current task state. This can provide context for any
    status, including: - Reasons for "cancelled" status - Summaries for "completed" status - Diagnostic
    information for "failed" status (e.g., error details, what went wrong)
    """


class CancelledNotificationParams(TypedDict, total=False):
    """Parameters for a `notifications/cancelled` notification.
    Revisions: all.
    """

    _meta: dict[str, Any]
    """Metadata of the protocol, of extensions and of applications."""

    reason: str
    """An optional string describing the reason for the cancellation. This MAY be logged or presented to the
    user.
    """

    requestId: RequestId
    """The ID of the request to cancel."""


class ClientCapabilities(TypedDict, total=False):
    """Capabilities a client may support. Known capabilities are defined here, in this schema, but this is not a
    closed set: any client can define its own, additional capabilities.
    Revisions: all.
    """

    elicitation: ClientCapabilitiesElicitation
    """Present if the client supports elicitation from the server."""

    experimental: dict[str, dict[str, Any]]
    """Experimental, non-standard capabilities that the client supports."""

    extensions: dict[str, dict[str, Any]]
    """Optional MCP extensions that the client supports. Keys are extension identifiers (e.g.,
    "io.modelcontextprotocol/oauth-client-credentials"), and values are per-extension settings objects. An
    empty object indicates support with no settings.
    """

    roots: ClientCapabilitiesRoots
    """Present if the client supports listing roots."""

    sampling: ClientCapabilitiesSampling
    """Present if the client supports sampling from an LLM."""

    tasks: ClientCapabilitiesTasks
    """Present if the client supports task-augmented requests."""


class ClientCapabilitiesElicitation(TypedDict, total=False):
    """Present if the client supports elicitation from the server.
    Revisions: from 2025-11-25 on.
    """

    form: dict[str, Any]

    url: dict[str, Any]


class ClientCapabilitiesRoots(TypedDict, total=False):
    """Present if the client supports listing roots.
    Revisions: 2024-11-05 to 2025-11-25.

    Deprecated: 2026-07-28 deprecates sampling, roots and log messages (SEP-2577). They work in every revision
    that has them.
    """

    listChanged: bool
    """Whether the client supports notifications for changes to the roots list."""


class ClientCapabilitiesSampling(TypedDict, total=False):
    """Present if the client supports sampling from an LLM.
    Revisions: from 2025-11-25 on.

    Deprecated: 2026-07-28 deprecates sampling, roots and log messages (SEP-2577). They work in every revision
    that has them.
    """

    context: dict[str, Any]
    """Whether the client supports context inclusion via `includeContext` parameter. If not declared, servers
    SHOULD only use `includeContext: "none"` (or omit it).
    """

    tools: dict[str, Any]
    """Whether the client supports tool use via `tools` and `toolChoice` parameters."""


class ClientCapabilitiesTasks(TypedDict, total=False):
    """Present if the client supports task-augmented requests.
    Revision: 2025-11-25.
    """

    cancel: dict[str, Any]
    """Whether this client supports tasks/cancel."""

    list: dict[str, Any]
    """Whether this client supports tasks/list."""

    requests: ClientCapabilitiesTasksRequests
    """Specifies which request types can be augmented with tasks."""


class ClientCapabilitiesTasksRequests(TypedDict, total=False):
    """Specifies which request types can be augmented with tasks.
    Revision: 2025-11-25.
    """

    elicitation: ClientCapabilitiesTasksRequestsElicitation
    """Task support for elicitation-related requests."""

    sampling: ClientCapabilitiesTasksRequestsSampling
    """Task support for sampling-related requests."""


class ClientCapabilitiesTasksRequestsElicitation(TypedDict, total=False):
    """Task support for elicitation-related requests.
    Revision: 2025-11-25.
    """

    create: dict[str, Any]
    """Whether the client supports task-augmented elicitation/create requests."""


class ClientCapabilitiesTasksRequestsSampling(TypedDict, total=False):
    """Task support for sampling-related requests.
    Revision: 2025-11-25.
    """

    createMessage: dict[str, Any]
    """Whether the client supports task-augmented sampling/createMessage requests."""


class _CompleteRequestParams(TypedDict):
    argument: CompletionArgument
    """The argument's information"""

    ref: Reference


class CompleteRequestParams(_CompleteRequestParams, total=False):
    """Parameters for a `completion/complete` request.
    Revisions: all.
    """

    _meta: dict[str, Any]
    """Metadata of the protocol, of extensions and of applications."""

    context: CompletionContext
    """Additional, optional context for completions"""


class _CompleteResult(TypedDict):
    completion: Completion


class CompleteResult(_CompleteResult, total=False):
    """The result returned by the server for a completion/complete request.
    Revisions: all.
    """

    _meta: dict[str, Any]
    """Metadata of the protocol, of extensions and of applications."""

    resultType: str
    """Indicates the type of the result, which allows the client to determine how to parse the result object."""


class _Completion(TypedDict):
    values: list[str]
    """An array of completion values. Must not exceed 100 items."""


class Completion(_Completion, total=False):
    """Revisions: all."""

    hasMore: bool
    """Indicates whether there are additional completion options beyond those provided in the current response,
    even if the exact total is unknown.
    """

    total: int
    """The total number of completion options available. This can exceed the number of values actually sent in
    the response.
    """


class CompletionArgument(TypedDict):
    """The argument's information
    Revisions: all.
    """

    name: str
    """The name of the argument"""

    value: str
    """The value of the argument to use for completion matching."""


class CompletionContext(TypedDict, total=False):
    """Additional, optional context for completions
    Revisions: from 2025-06-18 on.
    """

    arguments: dict[str, str]
    """Previously-resolved variables in a URI template or prompt."""


class CreateMessageRequest(TypedDict):
    """A request from the server to sample an LLM via the client. The client has full discretion over which model
    to select. The client should also inform the user before beginning sampling, to allow them to inspect the
    request (human in the loop) and decide whether to approve it.
    Revision: 2026-07-28.

    Deprecated: 2026-07-28 deprecates sampling, roots and log messages (SEP-2577). They work in every revision
    that has them.
    """

    method: Literal["sampling/createMessage"]

    params: CreateMessageRequestParams


class _CreateMessageRequestParams(TypedDict):
    maxTokens: int
    """The requested maximum number of tokens to sample (to prevent runaway completions)."""

    messages: list[SamplingMessage]


class CreateMessageRequestParams(_CreateMessageRequestParams, total=False):
    """Parameters for a `sampling/createMessage` request.
    Revisions: all.

    Deprecated: 2026-07-28 deprecates sampling, roots and log messages (SEP-2577). They work in every revision
    that has them.
    """

    _meta: dict[str, Any]
    """Metadata of the protocol, of extensions and of applications."""

    includeContext: Literal["allServers", "none", "thisServer"]
    """A request to include context from one or more MCP servers (including the caller), to be attached to the
    prompt. The client MAY ignore this request.
    """

    metadata: dict[str, Any]
    """Optional metadata to pass through to the LLM provider. The format of this metadata is provider-specific."""

    modelPreferences: ModelPreferences
    """The server's preferences for which model to select. The client MAY ignore these preferences."""

    stopSequences: list[str]

    systemPrompt: str
    """An optional system prompt the server wants to use for sampling. The client MAY modify or omit this prompt."""

    task: TaskMetadata
    """If specified, the caller is requesting task-augmented execution for this request. The request will return
    a CreateTaskResult immediately, and the actual result can be retrieved later via tasks/result.
    """

    temperature: float

    toolChoice: ToolChoice
    """Controls how the model uses tools. The client MUST return an error if this field is provided but
    ClientCapabilities.sampling.tools is not declared. Default is `{ mode: "auto" }`.
    """

    tools: list[Tool]
    """Tools that the model may use during generation. The client MUST return an error if this field is provided
    but ClientCapabilities.sampling.tools is not declared.
    """


class _CreateMessageResult(TypedDict):
    content: Union[SamplingMessageContentBlock, list[SamplingMessageContentBlock]]

    model: str
    """The name of the model that generated the message."""

    role: Role


class CreateMessageResult(_CreateMessageResult, total=False):
    """The result returned by the client for a sampling/createMessage request. The client should inform the user
    before returning the sampled message, to allow them to inspect the response (human in the loop) and decide
    whether to allow the server to see it.
    Revisions: all.

    Deprecated: 2026-07-28 deprecates sampling, roots and log messages (SEP-2577). They work in every revision
    that has them.
    """

    _meta: dict[str, Any]
    """Metadata of the protocol, of extensions and of applications."""

    stopReason: str
    """The reason why sampling stopped, if known."""


class _CreateTaskResult(TypedDict):
    task: Task


class CreateTaskResult(_CreateTaskResult, total=False):
    """A response to a task-augmented request.
    Revision: 2025-11-25.
    """

    _meta: dict[str, Any]
    """Metadata of the protocol, of extensions and of applications."""


class _DiscoverResult(TypedDict):
    cacheScope: Literal["private", "public"]
    """Indicates the intended scope of the cached response, analogous to HTTP `Cache-Control: public` vs
    `Cache-Control: private`.
    """

    capabilities: ServerCapabilities
    """The capabilities of the server."""

    resultType: str
    """Indicates the type of the result, which allows the client to determine how to parse the result object."""

    supportedVersions: list[str]
    """MCP Protocol Versions this server supports. The client should choose a version from this list for use in
    subsequent requests.
    """

    ttlMs: int
    """A hint from the server indicating how long (in milliseconds) the client MAY cache this response before
    re-fetching. Semantics are analogous to HTTP Cache-Control max-age.
    """


class DiscoverResult(_DiscoverResult, total=False):
    """The result returned by the server for a server/discover request.
    Revision: 2026-07-28.
    """

    _meta: dict[str, Any]
    """Metadata of the protocol, of extensions and of applications."""

    instructions: str
    """Natural-language guidance describing the server and its features."""


class ElicitRequest(TypedDict):
    """A request from the server to elicit additional information from the user via the client.
    Revision: 2026-07-28.
    """

    method: Literal["elicitation/create"]

    params: ElicitRequestParams


class _ElicitRequestFormParams(TypedDict):
    message: str
    """The message to present to the user describing what information is being requested."""

    requestedSchema: ElicitationSchema
    """A restricted subset of JSON Schema. Only top-level properties are allowed, without nesting."""


class ElicitRequestFormParams(_ElicitRequestFormParams, total=False):
    """The parameters for a request to elicit non-sensitive information from the user via a form in the client.
    Revisions: from 2025-06-18 on.
    """

    _meta: dict[str, Any]
    """Metadata of the protocol, of extensions and of applications."""

    mode: Literal["form"]
    """The elicitation mode."""

    task: TaskMetadata
    """If specified, the caller is requesting task-augmented execution for this request. The request will return
    a CreateTaskResult immediately, and the actual result can be retrieved later via tasks/result.
    """


class _ElicitRequestURLParams(TypedDict):
    message: str
    """The message to present to the user explaining why the interaction is needed."""

    mode: Literal["url"]
    """The elicitation mode."""

    url: str
    """The URL that the user should navigate to."""


class ElicitRequestURLParams(_ElicitRequestURLParams, total=False):
    """The parameters for a request to elicit information from the user via a URL in the client.
    Revisions: from 2025-11-25 on.
    """

    _meta: dict[str, Any]
    """Metadata of the protocol, of extensions and of applications."""

    elicitationId: str
    """The ID of the elicitation, which must be unique within the context of the server. The client MUST treat
    this ID as an opaque value.
    """

    task: TaskMetadata
    """If specified, the caller is requesting task-augmented execution for this request. The request will return
    a CreateTaskResult immediately, and the actual result can be retrieved later via tasks/result.
    """


class _ElicitResult(TypedDict):
    action: Literal["accept", "cancel", "decline"]
    """The user action in response to the elicitation. - `"accept"`: User submitted the form/confirmed the action
    - `"decline"`: User explicitly declined the action - `"cancel"`: User dismissed without making an explicit
    choice
    """


class ElicitResult(_ElicitResult, total=False):
    """The result returned by the client for an elicitation/create request.
    Revisions: from 2025-06-18 on.
    """

    _meta: dict[str, Any]
    """Metadata of the protocol, of extensions and of applications."""

    content: dict[str, Union[list[str], str, int, bool]]
    """The submitted form data, only present when action is `"accept"` and mode was `"form"`. Contains values
    matching the requested schema. Omitted for out-of-band mode responses.
    """


class ElicitationCompleteNotificationParams(TypedDict):
    """Revision: 2025-11-25."""

    elicitationId: str
    """The ID of the elicitation that completed."""


_ElicitationSchemaKeys = TypedDict(
    "_ElicitationSchemaKeys",
    {"$schema": "str"},
    total=False,
)


class _ElicitationSchema(_ElicitationSchemaKeys):
    properties: dict[str, PrimitiveSchemaDefinition]

    type: Literal["object"]


class ElicitationSchema(_ElicitationSchema, total=False):
    """A restricted subset of JSON Schema. Only top-level properties are allowed, without nesting.
    Revisions: from 2025-06-18 on.
    """

    required: list[str]


class _EmbeddedResource(TypedDict):
    resource: ResourceContents

    type: Literal["resource"]


class EmbeddedResource(_EmbeddedResource, total=False):
    """The contents of a resource, embedded into a prompt or tool call result.
    Revisions: all.
    """

    _meta: dict[str, Any]
    """Metadata of the protocol, of extensions and of applications."""

    annotations: Annotations
    """Optional annotations for the client."""


class EnumOption(TypedDict):
    """Revisions: from 2025-11-25 on."""

    const: str
    """The enum value."""

    title: str
    """Display label for this option."""


class _GetPromptRequestParams(TypedDict):
    name: str
    """The name of the prompt or prompt template."""


class GetPromptRequestParams(_GetPromptRequestParams, total=False):
    """Parameters for a `prompts/get` request.
    Revisions: all.
    """

    _meta: dict[str, Any]
    """Metadata of the protocol, of extensions and of applications."""

    arguments: dict[str, str]
    """Arguments to use for templating the prompt."""

    inputResponses: InputResponses

    requestState: str


class _GetPromptResult(TypedDict):
    messages: list[PromptMessage]


class GetPromptResult(_GetPromptResult, total=False):
    """The result returned by the server for a prompts/get request.
    Revisions: all.
    """

    _meta: dict[str, Any]
    """Metadata of the protocol, of extensions and of applications."""

    description: str
    """An optional description for the prompt."""

    resultType: str
    """Indicates the type of the result, which allows the client to determine how to parse the result object."""


class GetTaskPayloadRequestParams(TypedDict):
    """Revision: 2025-11-25."""

    taskId: str
    """The task identifier to retrieve results for."""


class GetTaskPayloadResult(TypedDict, total=False):
    """The response to a tasks/result request. The structure matches the result type of the original request. For
    example, a tools/call task would return the CallToolResult structure.
    Revision: 2025-11-25.
    """

    _meta: dict[str, Any]
    """Metadata of the protocol, of extensions and of applications."""


class GetTaskRequestParams(TypedDict):
    """Revision: 2025-11-25."""

    taskId: str
    """The task identifier to query."""


class _GetTaskResult(TypedDict):
    createdAt: str
    """ISO 8601 timestamp when the task was created."""

    lastUpdatedAt: str
    """ISO 8601 timestamp when the task was last updated."""

    status: TaskStatus
    """Current task state."""

    taskId: str
    """The task identifier."""

    ttl: Union[int, None]
    """Actual retention duration from creation in milliseconds, null for unlimited."""


class GetTaskResult(_GetTaskResult, total=False):
    """The response to a tasks/get request.
    Revision: 2025-11-25.
    """

    _meta: dict[str, Any]
    """Metadata of the protocol, of extensions and of applications."""

    pollInterval: int
    """Suggested polling interval in milliseconds."""

    statusMessage: str
    """Optional human-readable message describing the current task state. This can provide context for any
    status, including: - Reasons for "cancelled" status - Summaries for "completed" status - Diagnostic
    information for "failed" status (e.g., error details, what went wrong)
    """


class _Icon(TypedDict):
    src: str
    """A standard URI pointing to an icon resource. May be an HTTP/HTTPS URL or a `data:` URI with Base64-encoded
    image data.
    """


class Icon(_Icon, total=False):
    """An optionally-sized icon that can be displayed in a user interface.
    Revisions: from 2025-11-25 on.
    """

    mimeType: str
    """Optional MIME type override if the source MIME type is missing or generic. For example: `"image/png"`,
    `"image/jpeg"`, or `"image/svg+xml"`.
    """

    sizes: list[str]
    """Optional array of strings that specify sizes at which the icon can be used. Each string should be in WxH
    format (e.g., `"48x48"`, `"96x96"`) or `"any"` for scalable formats like SVG.
    """

    theme: Literal["dark", "light"]
    """Optional specifier for the theme this icon is designed for. `"light"` indicates the icon is designed to be
    used with a light background, and `"dark"` indicates the icon is designed to be used with a dark
    background.
    """


class _ImageContent(TypedDict):
    data: str
    """The base64-encoded image data."""

    mimeType: str
    """The MIME type of the image. Different providers may support different image types."""

    type: Literal["image"]


class ImageContent(_ImageContent, total=False):
    """An image provided to or from an LLM.
    Revisions: all.
    """

    _meta: dict[str, Any]
    """Metadata of the protocol, of extensions and of applications."""

    annotations: Annotations
    """Optional annotations for the client."""


class _Implementation(TypedDict):
    name: str
    """Intended for programmatic or logical use, but used as a display name in past specs or fallback (if title
    isn't present).
    """

    version: str
    """The version of this implementation."""


class Implementation(_Implementation, total=False):
    """Describes the MCP implementation.
    Revisions: all.
    """

    description: str
    """An optional human-readable description of what this implementation does."""

    icons: list[Icon]
    """Optional set of sized icons that the client can display in a user interface."""

    title: str
    """Intended for UI and end-user contexts — optimized to be human-readable and easily understood, even by
    those unfamiliar with domain-specific terminology.
    """

    websiteUrl: str
    """An optional URL of the website for this implementation."""


class _InitializeRequestParams(TypedDict):
    capabilities: ClientCapabilities

    clientInfo: Implementation

    protocolVersion: str
    """The latest version of the Model Context Protocol that the client supports. The client MAY decide to
    support older versions as well.
    """


class InitializeRequestParams(_InitializeRequestParams, total=False):
    """Parameters for an `initialize` request.
    Revisions: 2024-11-05 to 2025-11-25.
    """

    _meta: dict[str, Any]
    """Metadata of the protocol, of extensions and of applications."""


class _InitializeResult(TypedDict):
    capabilities: ServerCapabilities

    protocolVersion: str
    """The version of the Model Context Protocol that the server wants to use. This may not match the version
    that the client requested. If the client cannot support this version, it MUST disconnect.
    """

    serverInfo: Implementation


class InitializeResult(_InitializeResult, total=False):
    """After receiving an initialize request from the client, the server sends this response.
    Revisions: 2024-11-05 to 2025-11-25.
    """

    _meta: dict[str, Any]
    """Metadata of the protocol, of extensions and of applications."""

    instructions: str
    """Instructions describing how to use the server and its features."""


class _InputRequiredResult(TypedDict):
    resultType: str
    """Indicates the type of the result, which allows the client to determine how to parse the result object."""


class InputRequiredResult(_InputRequiredResult, total=False):
    """An InputRequiredResult sent by the server to indicate that additional input is needed before the request
    can be completed.
    Revision: 2026-07-28.
    """

    _meta: dict[str, Any]
    """Metadata of the protocol, of extensions and of applications."""

    inputRequests: InputRequests

    requestState: str


class InputResponseRequestParams(TypedDict, total=False):
    """Revision: 2026-07-28."""

    _meta: dict[str, Any]
    """Metadata of the protocol, of extensions and of applications."""

    inputResponses: InputResponses

    requestState: str


class _LegacyTitledEnumSchema(TypedDict):
    enum: list[str]

    type: Literal["string"]


class LegacyTitledEnumSchema(_LegacyTitledEnumSchema, total=False):
    """Use TitledSingleSelectEnumSchema instead. This interface will be removed in a future version.
    Revisions: from 2025-06-18 on.
    """

    default: str

    description: str

    enumNames: list[str]
    """(Legacy) Display names for enum values. Non-standard according to JSON schema 2020-12."""

    title: str


class _ListPromptsResult(TypedDict):
    prompts: list[Prompt]


class ListPromptsResult(_ListPromptsResult, total=False):
    """The result returned by the server for a prompts/list request.
    Revisions: all.
    """

    _meta: dict[str, Any]
    """Metadata of the protocol, of extensions and of applications."""

    cacheScope: Literal["private", "public"]
    """Indicates the intended scope of the cached response, analogous to HTTP `Cache-Control: public` vs
    `Cache-Control: private`.
    """

    nextCursor: str
    """An opaque token representing the pagination position after the last returned result. If present, there may
    be more results available.
    """

    resultType: str
    """Indicates the type of the result, which allows the client to determine how to parse the result object."""

    ttlMs: int
    """A hint from the server indicating how long (in milliseconds) the client MAY cache this response before
    re-fetching. Semantics are analogous to HTTP Cache-Control max-age.
    """


class _ListResourceTemplatesResult(TypedDict):
    resourceTemplates: list[ResourceTemplate]


class ListResourceTemplatesResult(_ListResourceTemplatesResult, total=False):
    """The result returned by the server for a resources/templates/list request.
    Revisions: all.
    """

    _meta: dict[str, Any]
    """Metadata of the protocol, of extensions and of applications."""

    cacheScope: Literal["private", "public"]
    """Indicates the intended scope of the cached response, analogous to HTTP `Cache-Control: public` vs
    `Cache-Control: private`.
    """

    nextCursor: str
    """An opaque token representing the pagination position after the last returned result. If present, there may
    be more results available.
    """

    resultType: str
    """Indicates the type of the result, which allows the client to determine how to parse the result object."""

    ttlMs: int
    """A hint from the server indicating how long (in milliseconds) the client MAY cache this response before
    re-fetching. Semantics are analogous to HTTP Cache-Control max-age.
    """


class _ListResourcesResult(TypedDict):
    resources: list[Resource]


class ListResourcesResult(_ListResourcesResult, total=False):
    """The result returned by the server for a resources/list request.
    Revisions: all.
    """

    _meta: dict[str, Any]
    """Metadata of the protocol, of extensions and of applications."""

    cacheScope: Literal["private", "public"]
    """Indicates the intended scope of the cached response, analogous to HTTP `Cache-Control: public` vs
    `Cache-Control: private`.
    """

    nextCursor: str
    """An opaque token representing the pagination position after the last returned result. If present, there may
    be more results available.
    """

    resultType: str
    """Indicates the type of the result, which allows the client to determine how to parse the result object."""

    ttlMs: int
    """A hint from the server indicating how long (in milliseconds) the client MAY cache this response before
    re-fetching. Semantics are analogous to HTTP Cache-Control max-age.
    """


class _ListRootsRequest(TypedDict):
    method: Literal["roots/list"]


class ListRootsRequest(_ListRootsRequest, total=False):
    """Sent from the server to request a list of root URIs from the client. Roots allow servers to ask for
    specific directories or files to operate on. A common example for roots is providing a set of repositories
    or directories a server should operate on.
    Revision: 2026-07-28.

    Deprecated: 2026-07-28 deprecates sampling, roots and log messages (SEP-2577). They work in every revision
    that has them.
    """

    params: dict[str, Any]


class _ListRootsResult(TypedDict):
    roots: list[Root]


class ListRootsResult(_ListRootsResult, total=False):
    """The result returned by the client for a roots/list request. This result contains an array of Root objects,
    each representing a root directory or file that the server can operate on.
    Revisions: all.

    Deprecated: 2026-07-28 deprecates sampling, roots and log messages (SEP-2577). They work in every revision
    that has them.
    """

    _meta: dict[str, Any]
    """Metadata of the protocol, of extensions and of applications."""


class _ListTasksResult(TypedDict):
    tasks: list[Task]


class ListTasksResult(_ListTasksResult, total=False):
    """The response to a tasks/list request.
    Revision: 2025-11-25.
    """

    _meta: dict[str, Any]
    """Metadata of the protocol, of extensions and of applications."""

    nextCursor: str
    """An opaque token representing the pagination position after the last returned result. If present, there may
    be more results available.
    """


class _ListToolsResult(TypedDict):
    tools: list[Tool]


class ListToolsResult(_ListToolsResult, total=False):
    """The result returned by the server for a tools/list request.
    Revisions: all.
    """

    _meta: dict[str, Any]
    """Metadata of the protocol, of extensions and of applications."""

    cacheScope: Literal["private", "public"]
    """Indicates the intended scope of the cached response, analogous to HTTP `Cache-Control: public` vs
    `Cache-Control: private`.
    """

    nextCursor: str
    """An opaque token representing the pagination position after the last returned result. If present, there may
    be more results available.
    """

    resultType: str
    """Indicates the type of the result, which allows the client to determine how to parse the result object."""

    ttlMs: int
    """A hint from the server indicating how long (in milliseconds) the client MAY cache this response before
    re-fetching. Semantics are analogous to HTTP Cache-Control max-age.
    """


class _LoggingMessageNotificationParams(TypedDict):
    data: Any
    """The data to be logged, such as a string message or an object. Any JSON serializable type is allowed here."""

    level: LoggingLevel
    """The severity of this log message."""


class LoggingMessageNotificationParams(_LoggingMessageNotificationParams, total=False):
    """Parameters for a `notifications/message` notification.
    Revisions: all.

    Deprecated: 2026-07-28 deprecates sampling, roots and log messages (SEP-2577). They work in every revision
    that has them.
    """

    _meta: dict[str, Any]
    """Metadata of the protocol, of extensions and of applications."""

    logger: str
    """An optional name of the logger issuing this message."""


class MissingRequiredClientCapabilityErrorData(TypedDict):
    """Revision: 2026-07-28."""

    requiredCapabilities: ClientCapabilities
    """The capabilities the server requires from the client to process this request."""


class ModelHint(TypedDict, total=False):
    """Hints to use for model selection.
    Revisions: all.

    Deprecated: 2026-07-28 deprecates sampling, roots and log messages (SEP-2577). They work in every revision
    that has them.
    """

    name: str
    """A hint for a model name."""


class ModelPreferences(TypedDict, total=False):
    """The server's preferences for model selection, requested of the client during sampling.
    Revisions: all.

    Deprecated: 2026-07-28 deprecates sampling, roots and log messages (SEP-2577). They work in every revision
    that has them.
    """

    costPriority: float
    """How much to prioritize cost when selecting a model. A value of 0 means cost is not important, while a
    value of 1 means cost is the most important factor.
    """

    hints: list[ModelHint]
    """Optional hints to use for model selection."""

    intelligencePriority: float
    """How much to prioritize intelligence and capabilities when selecting a model. A value of 0 means
    intelligence is not important, while a value of 1 means intelligence is the most important factor.
    """

    speedPriority: float
    """How much to prioritize sampling speed (latency) when selecting a model. A value of 0 means speed is not
    important, while a value of 1 means speed is the most important factor.
    """


class NotificationParams(TypedDict, total=False):
    """Common params for any notification.
    Revisions: from 2025-11-25 on.
    """

    _meta: dict[str, Any]
    """Metadata of the protocol, of extensions and of applications."""


class _NumberSchema(TypedDict):
    type: Literal["integer", "number"]


class NumberSchema(_NumberSchema, total=False):
    """Revisions: from 2025-06-18 on."""

    default: float

    description: str

    maximum: float

    minimum: float

    title: str


class PaginatedRequestParams(TypedDict, total=False):
    """Common params for paginated requests.
    Revisions: all.
    """

    _meta: dict[str, Any]
    """Metadata of the protocol, of extensions and of applications."""

    cursor: str
    """An opaque token representing the current pagination position. If provided, the server should return
    results starting after this cursor.
    """


class _ProgressNotificationParams(TypedDict):
    progress: float
    """The progress thus far. This should increase every time progress is made, even if the total is unknown."""

    progressToken: ProgressToken
    """The progress token which was given in the initial request, used to associate this notification with the
    request that is proceeding.
    """


class ProgressNotificationParams(_ProgressNotificationParams, total=False):
    """Parameters for a notifications/progress notification.
    Revisions: all.
    """

    _meta: dict[str, Any]
    """Metadata of the protocol, of extensions and of applications."""

    message: str
    """An optional message describing the current progress."""

    total: float
    """Total number of items to process (or total progress required), if known."""


class _Prompt(TypedDict):
    name: str
    """Intended for programmatic or logical use, but used as a display name in past specs or fallback (if title
    isn't present).
    """


class Prompt(_Prompt, total=False):
    """A prompt or prompt template that the server offers.
    Revisions: all.
    """

    _meta: dict[str, Any]
    """Metadata of the protocol, of extensions and of applications."""

    arguments: list[PromptArgument]
    """A list of arguments to use for templating the prompt."""

    description: str
    """An optional description of what this prompt provides"""

    icons: list[Icon]
    """Optional set of sized icons that the client can display in a user interface."""

    title: str
    """Intended for UI and end-user contexts — optimized to be human-readable and easily understood, even by
    those unfamiliar with domain-specific terminology.
    """


class _PromptArgument(TypedDict):
    name: str
    """Intended for programmatic or logical use, but used as a display name in past specs or fallback (if title
    isn't present).
    """


class PromptArgument(_PromptArgument, total=False):
    """Describes an argument that a prompt can accept.
    Revisions: all.
    """

    description: str
    """A human-readable description of the argument."""

    required: bool
    """Whether this argument must be provided."""

    title: str
    """Intended for UI and end-user contexts — optimized to be human-readable and easily understood, even by
    those unfamiliar with domain-specific terminology.
    """


class PromptMessage(TypedDict):
    """Describes a message returned as part of a prompt.
    Revisions: all.
    """

    content: ContentBlock

    role: Role


class _PromptReference(TypedDict):
    name: str
    """Intended for programmatic or logical use, but used as a display name in past specs or fallback (if title
    isn't present).
    """

    type: Literal["ref/prompt"]


class PromptReference(_PromptReference, total=False):
    """Identifies a prompt.
    Revisions: all.
    """

    title: str
    """Intended for UI and end-user contexts — optimized to be human-readable and easily understood, even by
    those unfamiliar with domain-specific terminology.
    """


class _ReadResourceRequestParams(TypedDict):
    uri: str
    """The URI of the resource. The URI can use any protocol; it is up to the server how to interpret it."""


class ReadResourceRequestParams(_ReadResourceRequestParams, total=False):
    """Parameters for a `resources/read` request.
    Revisions: all.
    """

    _meta: dict[str, Any]
    """Metadata of the protocol, of extensions and of applications."""

    inputResponses: InputResponses

    requestState: str


class _ReadResourceResult(TypedDict):
    contents: list[ResourceContents]


class ReadResourceResult(_ReadResourceResult, total=False):
    """The result returned by the server for a resources/read request.
    Revisions: all.
    """

    _meta: dict[str, Any]
    """Metadata of the protocol, of extensions and of applications."""

    cacheScope: Literal["private", "public"]
    """Indicates the intended scope of the cached response, analogous to HTTP `Cache-Control: public` vs
    `Cache-Control: private`.
    """

    resultType: str
    """Indicates the type of the result, which allows the client to determine how to parse the result object."""

    ttlMs: int
    """A hint from the server indicating how long (in milliseconds) the client MAY cache this response before
    re-fetching. Semantics are analogous to HTTP Cache-Control max-age.
    """


class RelatedTaskMetadata(TypedDict):
    """Metadata for associating messages with a task. Include this in the `_meta` field under the key
    `io.modelcontextprotocol/related-task`.
    Revision: 2025-11-25.
    """

    taskId: str
    """The task identifier this message is associated with."""


class _Resource(TypedDict):
    name: str
    """Intended for programmatic or logical use, but used as a display name in past specs or fallback (if title
    isn't present).
    """

    uri: str
    """The URI of this resource."""


class Resource(_Resource, total=False):
    """A known resource that the server is capable of reading.
    Revisions: all.
    """

    _meta: dict[str, Any]
    """Metadata of the protocol, of extensions and of applications."""

    annotations: Annotations
    """Optional annotations for the client."""

    description: str
    """A description of what this resource represents."""

    icons: list[Icon]
    """Optional set of sized icons that the client can display in a user interface."""

    mimeType: str
    """The MIME type of this resource, if known."""

    size: int
    """The size of the raw resource content, in bytes (i.e., before base64 encoding or any tokenization), if
    known.
    """

    title: str
    """Intended for UI and end-user contexts — optimized to be human-readable and easily understood, even by
    those unfamiliar with domain-specific terminology.
    """


class _ResourceLink(TypedDict):
    name: str
    """Intended for programmatic or logical use, but used as a display name in past specs or fallback (if title
    isn't present).
    """

    type: Literal["resource_link"]

    uri: str
    """The URI of this resource."""


class ResourceLink(_ResourceLink, total=False):
    """A resource that the server is capable of reading, included in a prompt or tool call result.
    Revisions: from 2025-06-18 on.
    """

    _meta: dict[str, Any]
    """Metadata of the protocol, of extensions and of applications."""

    annotations: Annotations
    """Optional annotations for the client."""

    description: str
    """A description of what this resource represents."""

    icons: list[Icon]
    """Optional set of sized icons that the client can display in a user interface."""

    mimeType: str
    """The MIME type of this resource, if known."""

    size: int
    """The size of the raw resource content, in bytes (i.e., before base64 encoding or any tokenization), if
    known.
    """

    title: str
    """Intended for UI and end-user contexts — optimized to be human-readable and easily understood, even by
    those unfamiliar with domain-specific terminology.
    """


class _ResourceTemplate(TypedDict):
    name: str
    """Intended for programmatic or logical use, but used as a display name in past specs or fallback (if title
    isn't present).
    """

    uriTemplate: str
    """A URI template (according to RFC 6570) that can be used to construct resource URIs."""


class ResourceTemplate(_ResourceTemplate, total=False):
    """A template description for resources available on the server.
    Revisions: all.
    """

    _meta: dict[str, Any]
    """Metadata of the protocol, of extensions and of applications."""

    annotations: Annotations
    """Optional annotations for the client."""

    description: str
    """A description of what this template is for."""

    icons: list[Icon]
    """Optional set of sized icons that the client can display in a user interface."""

    mimeType: str
    """The MIME type for all resources that match this template. This should only be included if all resources
    matching this template have the same type.
    """

    title: str
    """Intended for UI and end-user contexts — optimized to be human-readable and easily understood, even by
    those unfamiliar with domain-specific terminology.
    """


class ResourceTemplateReference(TypedDict):
    """A reference to a resource or resource template definition.
    Revisions: all.
    """

    type: Literal["ref/resource"]

    uri: str
    """The URI or URI template of the resource."""


class _ResourceUpdatedNotificationParams(TypedDict):
    uri: str
    """The URI of the resource that has been updated. This might be a sub-resource of the one that the client
    actually subscribed to.
    """


class ResourceUpdatedNotificationParams(_ResourceUpdatedNotificationParams, total=False):
    """Parameters for a `notifications/resources/updated` notification.
    Revisions: all.
    """

    _meta: dict[str, Any]
    """Metadata of the protocol, of extensions and of applications."""


class Result(TypedDict, total=False):
    """Common result fields.
    Revisions: all.
    """

    _meta: dict[str, Any]
    """Metadata of the protocol, of extensions and of applications."""

    resultType: str
    """Indicates the type of the result, which allows the client to determine how to parse the result object."""


class _Root(TypedDict):
    uri: str
    """The URI identifying the root. This *must* start with `file://` for now. This restriction may be relaxed in
    future versions of the protocol to allow other URI schemes.
    """


class Root(_Root, total=False):
    """Represents a root directory or file that the server can operate on.
    Revisions: all.

    Deprecated: 2026-07-28 deprecates sampling, roots and log messages (SEP-2577). They work in every revision
    that has them.
    """

    _meta: dict[str, Any]
    """Metadata of the protocol, of extensions and of applications."""

    name: str
    """An optional name for the root. This can be used to provide a human-readable identifier for the root, which
    may be useful for display purposes or for referencing the root in other parts of the application.
    """


class _SamplingMessage(TypedDict):
    content: Union[SamplingMessageContentBlock, list[SamplingMessageContentBlock]]

    role: Role


class SamplingMessage(_SamplingMessage, total=False):
    """Describes a message issued to or received from an LLM API.
    Revisions: all.

    Deprecated: 2026-07-28 deprecates sampling, roots and log messages (SEP-2577). They work in every revision
    that has them.
    """

    _meta: dict[str, Any]
    """Metadata of the protocol, of extensions and of applications."""


class ServerCapabilities(TypedDict, total=False):
    """Capabilities that a server may support. Known capabilities are defined here, in this schema, but this is
    not a closed set: any server can define its own, additional capabilities.
    Revisions: all.
    """

    completions: dict[str, Any]
    """Present if the server supports argument autocompletion suggestions."""

    experimental: dict[str, dict[str, Any]]
    """Experimental, non-standard capabilities that the server supports."""

    extensions: dict[str, dict[str, Any]]
    """Optional MCP extensions that the server supports. Keys are extension identifiers (e.g.,
    "io.modelcontextprotocol/tasks"), and values are per-extension settings objects. An empty object indicates
    support with no settings.
    """

    logging: dict[str, Any]
    """Present if the server supports sending log messages to the client."""

    prompts: ServerCapabilitiesPrompts
    """Present if the server offers any prompt templates."""

    resources: ServerCapabilitiesResources
    """Present if the server offers any resources to read."""

    tasks: ServerCapabilitiesTasks
    """Present if the server supports task-augmented requests."""

    tools: ServerCapabilitiesTools
    """Present if the server offers any tools to call."""


class ServerCapabilitiesPrompts(TypedDict, total=False):
    """Present if the server offers any prompt templates.
    Revisions: all.
    """

    listChanged: bool
    """Whether this server supports notifications for changes to the prompt list."""


class ServerCapabilitiesResources(TypedDict, total=False):
    """Present if the server offers any resources to read.
    Revisions: all.
    """

    listChanged: bool
    """Whether this server supports notifications for changes to the resource list."""

    subscribe: bool
    """Whether this server supports subscribing to resource updates."""


class ServerCapabilitiesTasks(TypedDict, total=False):
    """Present if the server supports task-augmented requests.
    Revision: 2025-11-25.
    """

    cancel: dict[str, Any]
    """Whether this server supports tasks/cancel."""

    list: dict[str, Any]
    """Whether this server supports tasks/list."""

    requests: ServerCapabilitiesTasksRequests
    """Specifies which request types can be augmented with tasks."""


class ServerCapabilitiesTasksRequests(TypedDict, total=False):
    """Specifies which request types can be augmented with tasks.
    Revision: 2025-11-25.
    """

    tools: ServerCapabilitiesTasksRequestsTools
    """Task support for tool-related requests."""


class ServerCapabilitiesTasksRequestsTools(TypedDict, total=False):
    """Task support for tool-related requests.
    Revision: 2025-11-25.
    """

    call: dict[str, Any]
    """Whether the server supports task-augmented tools/call requests."""


class ServerCapabilitiesTools(TypedDict, total=False):
    """Present if the server offers any tools to call.
    Revisions: all.
    """

    listChanged: bool
    """Whether this server supports notifications for changes to the tool list."""


class _SetLevelRequestParams(TypedDict):
    level: LoggingLevel
    """The level of logging that the client wants to receive from the server. The server should send all logs at
    this level and higher (i.e., more severe) to the client as notifications/message.
    """


class SetLevelRequestParams(_SetLevelRequestParams, total=False):
    """Parameters for a `logging/setLevel` request.
    Revisions: 2024-11-05 to 2025-11-25.

    Deprecated: 2026-07-28 deprecates sampling, roots and log messages (SEP-2577). They work in every revision
    that has them.
    """

    _meta: dict[str, Any]
    """Metadata of the protocol, of extensions and of applications."""


class _StringSchema(TypedDict):
    type: Literal["string"]


class StringSchema(_StringSchema, total=False):
    """Revisions: from 2025-06-18 on."""

    default: str

    description: str

    format: Literal["date", "date-time", "email", "uri"]

    maxLength: int

    minLength: int

    title: str


class _SubscribeRequestParams(TypedDict):
    uri: str
    """The URI of the resource. The URI can use any protocol; it is up to the server how to interpret it."""


class SubscribeRequestParams(_SubscribeRequestParams, total=False):
    """Parameters for a `resources/subscribe` request.
    Revisions: 2024-11-05 to 2025-11-25.
    """

    _meta: dict[str, Any]
    """Metadata of the protocol, of extensions and of applications."""


class SubscriptionFilter(TypedDict, total=False):
    """The set of notification types a client may opt in to on a subscriptions/listen request.
    Revision: 2026-07-28.
    """

    promptsListChanged: bool
    """If true, receive notifications/prompts/list_changed."""

    resourceSubscriptions: list[str]
    """Subscribe to notifications/resources/updated for these resource URIs. Replaces the former
    `resources/subscribe` RPC.
    """

    resourcesListChanged: bool
    """If true, receive notifications/resources/list_changed."""

    toolsListChanged: bool
    """If true, receive notifications/tools/list_changed."""


class _SubscriptionsAcknowledgedNotificationParams(TypedDict):
    notifications: SubscriptionFilter
    """The subset of requested notification types the server agreed to honor. Only includes notification types
    the server actually supports; if the client requested an unsupported type (e.g., `promptsListChanged` when
    the server has no prompts), it is omitted from this set.
    """


class SubscriptionsAcknowledgedNotificationParams(_SubscriptionsAcknowledgedNotificationParams, total=False):
    """Parameters for a notifications/subscriptions/acknowledged notification.
    Revision: 2026-07-28.
    """

    _meta: dict[str, Any]
    """Metadata of the protocol, of extensions and of applications."""


class _SubscriptionsListenRequestParams(TypedDict):
    notifications: SubscriptionFilter
    """The notifications the client opts in to on this stream. The server **MUST NOT** send notification types
    the client has not explicitly requested.
    """


class SubscriptionsListenRequestParams(_SubscriptionsListenRequestParams, total=False):
    """Parameters for a subscriptions/listen request.
    Revision: 2026-07-28.
    """

    _meta: dict[str, Any]
    """Metadata of the protocol, of extensions and of applications."""


class _SubscriptionsListenResult(TypedDict):
    resultType: str
    """Indicates the type of the result, which allows the client to determine how to parse the result object."""


class SubscriptionsListenResult(_SubscriptionsListenResult, total=False):
    """The response to a subscriptions/listen request, signalling that the subscription has ended gracefully (for
    example, during server shutdown). Because the listen stream is long-lived, this result is sent only when
    the server tears the subscription down; an abrupt transport close carries no response. The result body is
    otherwise empty.
    Revision: 2026-07-28.
    """

    _meta: dict[str, Any]
    """Metadata of the protocol, of extensions and of applications."""


class _Task(TypedDict):
    createdAt: str
    """ISO 8601 timestamp when the task was created."""

    lastUpdatedAt: str
    """ISO 8601 timestamp when the task was last updated."""

    status: TaskStatus
    """Current task state."""

    taskId: str
    """The task identifier."""

    ttl: Union[int, None]
    """Actual retention duration from creation in milliseconds, null for unlimited."""


class Task(_Task, total=False):
    """Data associated with a task.
    Revision: 2025-11-25.
    """

    pollInterval: int
    """Suggested polling interval in milliseconds."""

    statusMessage: str
    """Optional human-readable message describing the current task state. This can provide context for any
    status, including: - Reasons for "cancelled" status - Summaries for "completed" status - Diagnostic
    information for "failed" status (e.g., error details, what went wrong)
    """


class TaskMetadata(TypedDict, total=False):
    """Metadata for augmenting a request with task execution. Include this in the `task` field of the request
    parameters.
    Revision: 2025-11-25.
    """

    ttl: int
    """Requested duration in milliseconds to retain task from creation."""


class _TaskStatusNotificationParams(TypedDict):
    createdAt: str
    """ISO 8601 timestamp when the task was created."""

    lastUpdatedAt: str
    """ISO 8601 timestamp when the task was last updated."""

    status: TaskStatus
    """Current task state."""

    taskId: str
    """The task identifier."""

    ttl: Union[int, None]
    """Actual retention duration from creation in milliseconds, null for unlimited."""


class TaskStatusNotificationParams(_TaskStatusNotificationParams, total=False):
    """Parameters for a `notifications/tasks/status` notification.
    Revision: 2025-11-25.
    """

    _meta: dict[str, Any]
    """Metadata of the protocol, of extensions and of applications."""

    pollInterval: int
    """Suggested polling interval in milliseconds."""

    statusMessage: str
    """Optional human-readable message describing the current task state. This can provide context for any
    status, including: - Reasons for "cancelled" status - Summaries for "completed" status - Diagnostic
    information for "failed" status (e.g., error details, what went wrong)
    """


class _TextContent(TypedDict):
    text: str
    """The text content of the message."""

    type: Literal["text"]


class TextContent(_TextContent, total=False):
    """Text provided to or from an LLM.
    Revisions: all.
    """

    _meta: dict[str, Any]
    """Metadata of the protocol, of extensions and of applications."""

    annotations: Annotations
    """Optional annotations for the client."""


class _TextResourceContents(TypedDict):
    text: str
    """The text of the item. This must only be set if the item can actually be represented as text (not binary
    data).
    """

    uri: str
    """The URI of this resource."""


class TextResourceContents(_TextResourceContents, total=False):
    """Revisions: all."""

    _meta: dict[str, Any]
    """Metadata of the protocol, of extensions and of applications."""

    mimeType: str
    """The MIME type of this resource, if known."""


class TitledEnumItems(TypedDict):
    """Schema for array items with enum options and display labels.
    Revisions: from 2025-11-25 on.
    """

    anyOf: list[EnumOption]
    """Array of enum options with values and display labels."""


class _TitledMultiSelectEnumSchema(TypedDict):
    items: TitledEnumItems
    """Schema for array items with enum options and display labels."""

    type: Literal["array"]


class TitledMultiSelectEnumSchema(_TitledMultiSelectEnumSchema, total=False):
    """Schema for multiple-selection enumeration with display titles for each option.
    Revisions: from 2025-11-25 on.
    """

    default: list[str]
    """Optional default value."""

    description: str
    """Optional description for the enum field."""

    maxItems: int
    """Maximum number of items to select."""

    minItems: int
    """Minimum number of items to select."""

    title: str
    """Optional title for the enum field."""


class _TitledSingleSelectEnumSchema(TypedDict):
    oneOf: list[EnumOption]
    """Array of enum options with values and display labels."""

    type: Literal["string"]


class TitledSingleSelectEnumSchema(_TitledSingleSelectEnumSchema, total=False):
    """Schema for single-selection enumeration with display titles for each option.
    Revisions: from 2025-11-25 on.
    """

    default: str
    """Optional default value."""

    description: str
    """Optional description for the enum field."""

    title: str
    """Optional title for the enum field."""


class _Tool(TypedDict):
    inputSchema: dict[str, Any]
    """A JSON Schema object defining the expected parameters for the tool."""

    name: str
    """Intended for programmatic or logical use, but used as a display name in past specs or fallback (if title
    isn't present).
    """


class Tool(_Tool, total=False):
    """Definition for a tool the client can call.
    Revisions: all.
    """

    _meta: dict[str, Any]
    """Metadata of the protocol, of extensions and of applications."""

    annotations: ToolAnnotations
    """Optional additional tool information."""

    description: str
    """A human-readable description of the tool."""

    execution: ToolExecution
    """Execution-related properties for this tool."""

    icons: list[Icon]
    """Optional set of sized icons that the client can display in a user interface."""

    outputSchema: dict[str, Any]
    """An optional JSON Schema object defining the structure of the tool's output returned in the
    structuredContent field of a CallToolResult. This can be any valid JSON Schema 2020-12.
    """

    title: str
    """Intended for UI and end-user contexts — optimized to be human-readable and easily understood, even by
    those unfamiliar with domain-specific terminology.
    """


class ToolAnnotations(TypedDict, total=False):
    """Additional properties describing a Tool to clients.
    Revisions: from 2025-03-26 on.
    """

    destructiveHint: bool
    """If true, the tool may perform destructive updates to its environment. If false, the tool performs only
    additive updates.
    """

    idempotentHint: bool
    """If true, calling the tool repeatedly with the same arguments will have no additional effect on its
    environment.
    """

    openWorldHint: bool
    """If true, this tool may interact with an "open world" of external entities. If false, the tool's domain of
    interaction is closed. For example, the world of a web search tool is open, whereas that of a memory tool
    is not.
    """

    readOnlyHint: bool
    """If true, the tool does not modify its environment."""

    title: str
    """A human-readable title for the tool."""


class ToolChoice(TypedDict, total=False):
    """Controls tool selection behavior for sampling requests.
    Revisions: from 2025-11-25 on.
    """

    mode: Literal["auto", "none", "required"]
    """Controls the tool use ability of the model: - `"auto"`: Model decides whether to use tools (default) -
    `"required"`: Model MUST use at least one tool before completing - `"none"`: Model MUST NOT use any tools
    """


class ToolExecution(TypedDict, total=False):
    """Execution-related properties for a tool.
    Revision: 2025-11-25.
    """

    taskSupport: Literal["forbidden", "optional", "required"]
    """Indicates whether this tool supports task-augmented execution. This allows clients to handle long-running
    operations through polling the task system.
    """


class _ToolResultContent(TypedDict):
    content: list[ContentBlock]
    """The unstructured result content of the tool use."""

    toolUseId: str
    """The ID of the tool use this result corresponds to."""

    type: Literal["tool_result"]


class ToolResultContent(_ToolResultContent, total=False):
    """The result of a tool use, provided by the user back to the assistant.
    Revisions: from 2025-11-25 on.
    """

    _meta: dict[str, Any]
    """Metadata of the protocol, of extensions and of applications."""

    isError: bool
    """Whether the tool use resulted in an error."""

    structuredContent: Any
    """An optional structured result value."""


class _ToolUseContent(TypedDict):
    id: str
    """A unique identifier for this tool use."""

    input: dict[str, Any]
    """The arguments to pass to the tool, conforming to the tool's input schema."""

    name: str
    """The name of the tool to call."""

    type: Literal["tool_use"]


class ToolUseContent(_ToolUseContent, total=False):
    """A request from the assistant to call a tool.
    Revisions: from 2025-11-25 on.
    """

    _meta: dict[str, Any]
    """Metadata of the protocol, of extensions and of applications."""


class URLElicitationRequiredErrorData(TypedDict):
    """Revision: 2025-11-25."""

    elicitations: list[ElicitRequestURLParams]


class _UnsubscribeRequestParams(TypedDict):
    uri: str
    """The URI of the resource. The URI can use any protocol; it is up to the server how to interpret it."""


class UnsubscribeRequestParams(_UnsubscribeRequestParams, total=False):
    """Parameters for a `resources/unsubscribe` request.
    Revisions: 2024-11-05 to 2025-11-25.
    """

    _meta: dict[str, Any]
    """Metadata of the protocol, of extensions and of applications."""


class UnsupportedProtocolVersionErrorData(TypedDict):
    """Revision: 2026-07-28."""

    requested: str
    """The protocol version that was requested by the client."""

    supported: list[str]
    """Protocol versions the server supports. The client should choose a mutually supported version from this
    list and retry.
    """


class UntitledEnumItems(TypedDict):
    """Schema for the array items.
    Revisions: from 2025-11-25 on.
    """

    enum: list[str]
    """Array of enum values to choose from."""

    type: Literal["string"]


class _UntitledMultiSelectEnumSchema(TypedDict):
    items: UntitledEnumItems
    """Schema for the array items."""

    type: Literal["array"]


class UntitledMultiSelectEnumSchema(_UntitledMultiSelectEnumSchema, total=False):
    """Schema for multiple-selection enumeration without display titles for options.
    Revisions: from 2025-11-25 on.
    """

    default: list[str]
    """Optional default value."""

    description: str
    """Optional description for the enum field."""

    maxItems: int
    """Maximum number of items to select."""

    minItems: int
    """Minimum number of items to select."""

    title: str
    """Optional title for the enum field."""


class _UntitledSingleSelectEnumSchema(TypedDict):
    enum: list[str]
    """Array of enum values to choose from."""

    type: Literal["string"]


class UntitledSingleSelectEnumSchema(_UntitledSingleSelectEnumSchema, total=False):
    """Schema for single-selection enumeration without display titles for options.
    Revisions: from 2025-11-25 on.
    """

    default: str
    """Optional default value."""

    description: str
    """Optional description for the enum field."""

    title: str
    """Optional title for the enum field."""

ContentBlock = Union[TextContent, ImageContent, AudioContent, ResourceLink, EmbeddedResource]
"""Revisions: from 2025-06-18 on."""

Cursor = str
"""An opaque token used to represent a cursor for pagination.
Revisions: all.
"""

ElicitRequestParams = Union[ElicitRequestFormParams, ElicitRequestURLParams]
"""The parameters for a request to elicit additional information from the user via the client.
Revisions: from 2025-11-25 on.
"""

EmptyResult = Result
"""Common result fields.
Revisions: all.
"""

EnumSchema = Union[UntitledSingleSelectEnumSchema, TitledSingleSelectEnumSchema, UntitledMultiSelectEnumSchema, TitledMultiSelectEnumSchema, LegacyTitledEnumSchema]
"""Revisions: from 2025-11-25 on."""

InputRequest = Union[CreateMessageRequest, ListRootsRequest, ElicitRequest]
"""Revision: 2026-07-28."""

InputRequests = dict[str, InputRequest]
"""A map of server-initiated requests that the client must fulfill. Keys are server-assigned identifiers; values
are the request objects.
Revision: 2026-07-28.
"""

InputResponse = Union[CreateMessageResult, ListRootsResult, ElicitResult]
"""Revision: 2026-07-28."""

InputResponses = dict[str, InputResponse]
"""A map of client responses to server-initiated requests. Keys correspond to the keys in the s map; values are
the client's result for each request.
Revision: 2026-07-28.
"""

MultiSelectEnumSchema = Union[UntitledMultiSelectEnumSchema, TitledMultiSelectEnumSchema]
"""Revisions: from 2025-11-25 on."""

PrimitiveSchemaDefinition = Union[StringSchema, NumberSchema, BooleanSchema, UntitledSingleSelectEnumSchema, TitledSingleSelectEnumSchema, UntitledMultiSelectEnumSchema, TitledMultiSelectEnumSchema, LegacyTitledEnumSchema]
"""Restricted schema definitions that only allow primitive types without nested objects or arrays.
Revisions: from 2025-06-18 on.
"""

ProgressToken = Union[str, int]
"""A progress token, used to associate progress notifications with the original request.
Revisions: all.
"""

Reference = Union[PromptReference, ResourceTemplateReference]
"""Revisions: all."""

RequestId = Union[str, int]
"""A uniquely identifying ID for a request in JSON-RPC.
Revisions: all.
"""

ResourceContents = Union[TextResourceContents, BlobResourceContents]
"""The contents of a specific resource or sub-resource.
Revisions: all.
"""

ResultType = str
"""Indicates the type of a Result object, allowing the client to determine how to parse the response.
Revision: 2026-07-28.
"""

SamplingMessageContentBlock = Union[TextContent, ImageContent, AudioContent, ToolUseContent, ToolResultContent]
"""Revisions: from 2025-11-25 on.

Deprecated: 2026-07-28 deprecates sampling, roots and log messages (SEP-2577). They work in every revision
that has them.
"""

SingleSelectEnumSchema = Union[UntitledSingleSelectEnumSchema, TitledSingleSelectEnumSchema]
"""Revisions: from 2025-11-25 on."""
