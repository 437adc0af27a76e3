// Code generated from the official schemas of MCP by `cargo xtask bindings`. DO NOT EDIT.
// The texts of the schemas are under the MIT licence.

package mcp

import "encoding/json"

// MethodToolsList: The list of tools.
const MethodToolsList = "tools/list"

// MethodToolsCall: The call of a tool.
const MethodToolsCall = "tools/call"

// MethodResourcesList: The list of resources.
const MethodResourcesList = "resources/list"

// MethodTemplatesList: The list of resource templates.
const MethodTemplatesList = "resources/templates/list"

// MethodResourcesRead: The contents of a resource.
const MethodResourcesRead = "resources/read"

// MethodSubscribe: Legacy on the wire; in the modern era a part of `subscriptions/listen`.
const MethodSubscribe = "resources/subscribe"

// MethodUnsubscribe: Its end.
const MethodUnsubscribe = "resources/unsubscribe"

// MethodPromptsList: The list of prompts.
const MethodPromptsList = "prompts/list"

// MethodPromptsGet: One prompt, filled in.
const MethodPromptsGet = "prompts/get"

// MethodComplete: Completion of an argument.
const MethodComplete = "completion/complete"

// MethodSetLevel: Legacy on the wire; in the modern era a member of each request's `_meta`.
const MethodSetLevel = "logging/setLevel"

// MethodSkillsList: The list of skills (extension `io.modelcontextprotocol/skills`).
const MethodSkillsList = "skills/list"

// MethodSkillsGet: The entry of one skill.
const MethodSkillsGet = "skills/get"

// MethodDirectoryRead: The direct children of a directory resource (extension `io.modelcontextprotocol/skills`).
const MethodDirectoryRead = "resources/directory/read"

// MethodTasksGet: A task's state.
const MethodTasksGet = "tasks/get"

// MethodTasksResult: Core form of tasks: a task's result, awaited.
const MethodTasksResult = "tasks/result"

// MethodTasksList: Core form of tasks: the tasks there are. Only servers of that form have it, and say so.
const MethodTasksList = "tasks/list"

// MethodTasksCancel: A task is no longer wanted.
const MethodTasksCancel = "tasks/cancel"

// MethodTasksUpdate: Tasks extension: what the task's server asked for.
const MethodTasksUpdate = "tasks/update"

// MethodInitialize: Legacy handshake.
const MethodInitialize = "initialize"

// NotificationInitialized: Legacy handshake, second half.
const NotificationInitialized = "notifications/initialized"

// MethodDiscover: Modern discovery, and the probe that tells the era.
const MethodDiscover = "server/discover"

// MethodPing: Legacy liveness request, either way.
const MethodPing = "ping"

// NotificationCancelled: Either side: the named request's result is no longer wanted.
const NotificationCancelled = "notifications/cancelled"

// MethodListen: Modern: a stream of notices. The client opens one for what the application subscribed to.
const MethodListen = "subscriptions/listen"

// NotificationProgress: The server reports progress of a request.
const NotificationProgress = "notifications/progress"

// NotificationLog: A log message of the server.
const NotificationLog = "notifications/message"

// MethodSampling: The server asks for a model's answer.
const MethodSampling = "sampling/createMessage"

// MethodElicitation: The server asks the person.
const MethodElicitation = "elicitation/create"

// MethodRoots: The server asks for the roots.
const MethodRoots = "roots/list"

// NotificationRootsChanged: Legacy: our roots changed.
const NotificationRootsChanged = "notifications/roots/list_changed"

// NotificationToolsChanged: The list of tools changed.
const NotificationToolsChanged = "notifications/tools/list_changed"

// NotificationResourcesChanged: The list of resources (or of resource templates) changed.
const NotificationResourcesChanged = "notifications/resources/list_changed"

// NotificationPromptsChanged: The list of prompts changed.
const NotificationPromptsChanged = "notifications/prompts/list_changed"

// NotificationResourceUpdated: A resource changed.
const NotificationResourceUpdated = "notifications/resources/updated"

// NotificationElicitationComplete: 2025-11-25: a page that the server wanted visited is done with.
const NotificationElicitationComplete = "notifications/elicitation/complete"

// NotificationTaskStatus: Core form of tasks: a task's state.
const NotificationTaskStatus = "notifications/tasks/status"

// NotificationTaskStatusOfExtension: Tasks extension: a task's state.
const NotificationTaskStatusOfExtension = "notifications/tasks"

// NotificationAcknowledged: Modern: the server took up a subscription.
const NotificationAcknowledged = "notifications/subscriptions/acknowledged"

// CodeHeaderMismatch is the code of an error.
const CodeHeaderMismatch = -32020

// CodeInternal is the code of an error.
const CodeInternal = -32603

// CodeInvalidParams is the code of an error.
const CodeInvalidParams = -32602

// CodeInvalidRequest is the code of an error.
const CodeInvalidRequest = -32600

// CodeMethodNotFound is the code of an error.
const CodeMethodNotFound = -32601

// CodeMissingRequiredClientCapability is the code of an error.
const CodeMissingRequiredClientCapability = -32021

// CodeParse is the code of an error.
const CodeParse = -32700

// CodeURLElicitationRequired is the code of an error.
const CodeURLElicitationRequired = -32042

// CodeUnsupportedProtocolVersion is the code of an error.
const CodeUnsupportedProtocolVersion = -32022

// Annotations: Optional annotations for the client. The client can use annotations to inform how objects are used or
// displayed
// Revisions: all.
type Annotations struct {
	// Describes who the intended audience of this object or data is.
	Audience []Role `json:"audience,omitempty"`

	// The moment the resource was last modified, as an ISO 8601 formatted string.
	LastModified string `json:"lastModified,omitempty"`

	// Describes how important this data is for operating the server.
	Priority *float64 `json:"priority,omitempty"`

	// Extra has the members that are not above.
	Extra map[string]json.RawMessage `json:"-"`
}

var annotationsMembers = []string{"audience", "lastModified", "priority"}

// MarshalJSON writes the members, and those in Extra.
func (v Annotations) MarshalJSON() ([]byte, error) {
	type plain Annotations
	return encodeOpen(plain(v), v.Extra, annotationsMembers)
}

// UnmarshalJSON reads the members; those that are not known become Extra.
func (v *Annotations) UnmarshalJSON(text []byte) (err error) {
	type plain Annotations
	if err = decodeOpen(text, (*plain)(v), annotationsMembers); err != nil {
		return err
	}
	v.Extra, err = extraMembers(text, annotationsMembers)
	return err
}

// AudioContent: Audio provided to or from an LLM.
// Revisions: from 2025-03-26 on.
type AudioContent struct {
	// Metadata of the protocol, of extensions and of applications.
	Meta map[string]any `json:"_meta,omitempty"`

	// Optional annotations for the client.
	Annotations *Annotations `json:"annotations,omitempty"`

	// The base64-encoded audio data.
	Data string `json:"data"`

	// The MIME type of the audio. Different providers may support different audio types.
	MimeType string `json:"mimeType"`

	// Extra has the members that are not above.
	Extra map[string]json.RawMessage `json:"-"`
}

func (*AudioContent) isContentBlock() {}

func (*AudioContent) isSamplingMessageContentBlock() {}

var audioContentMembers = []string{"_meta", "annotations", "data", "mimeType", "type"}

// MarshalJSON writes the members, and those in Extra.
func (v AudioContent) MarshalJSON() ([]byte, error) {
	type plain AudioContent
	return encodeOpen(struct {
		Tag string `json:"type"`
		plain
	}{"audio", plain(v)}, v.Extra, audioContentMembers)
}

// UnmarshalJSON reads the members; those that are not known become Extra.
func (v *AudioContent) UnmarshalJSON(text []byte) (err error) {
	type plain AudioContent
	if err = decodeOpen(text, (*plain)(v), audioContentMembers); err != nil {
		return err
	}
	v.Extra, err = extraMembers(text, audioContentMembers)
	return err
}

// BlobResourceContents: Revisions: all.
type BlobResourceContents struct {
	// Metadata of the protocol, of extensions and of applications.
	Meta map[string]any `json:"_meta,omitempty"`

	// A base64-encoded string representing the binary data of the item.
	Blob string `json:"blob"`

	// The MIME type of this resource, if known.
	MimeType string `json:"mimeType,omitempty"`

	// The URI of this resource.
	URI string `json:"uri"`

	// Extra has the members that are not above.
	Extra map[string]json.RawMessage `json:"-"`
}

var blobResourceContentsMembers = []string{"_meta", "blob", "mimeType", "uri"}

// MarshalJSON writes the members, and those in Extra.
func (v BlobResourceContents) MarshalJSON() ([]byte, error) {
	type plain BlobResourceContents
	return encodeOpen(plain(v), v.Extra, blobResourceContentsMembers)
}

// UnmarshalJSON reads the members; those that are not known become Extra.
func (v *BlobResourceContents) UnmarshalJSON(text []byte) (err error) {
	type plain BlobResourceContents
	if err = decodeOpen(text, (*plain)(v), blobResourceContentsMembers); err != nil {
		return err
	}
	v.Extra, err = extraMembers(text, blobResourceContentsMembers)
	return err
}

// BooleanSchema: Revisions: from 2025-06-18 on.
type BooleanSchema struct {
	Default bool `json:"default,omitempty"`

	Description string `json:"description,omitempty"`

	Title string `json:"title,omitempty"`

	// Extra has the members that are not above.
	Extra map[string]json.RawMessage `json:"-"`
}

var booleanSchemaMembers = []string{"default", "description", "title", "type"}

// MarshalJSON writes the members, and those in Extra.
func (v BooleanSchema) MarshalJSON() ([]byte, error) {
	type plain BooleanSchema
	return encodeOpen(struct {
		Tag string `json:"type"`
		plain
	}{"boolean", plain(v)}, v.Extra, booleanSchemaMembers)
}

// UnmarshalJSON reads the members; those that are not known become Extra.
func (v *BooleanSchema) UnmarshalJSON(text []byte) (err error) {
	type plain BooleanSchema
	if err = decodeOpen(text, (*plain)(v), booleanSchemaMembers); err != nil {
		return err
	}
	v.Extra, err = extraMembers(text, booleanSchemaMembers)
	return err
}

// CallToolRequestParams: Parameters for a `tools/call` request.
// Revisions: all.
type CallToolRequestParams struct {
	// Metadata of the protocol, of extensions and of applications.
	Meta map[string]any `json:"_meta,omitempty"`

	// Arguments to use for the tool call.
	Arguments json.RawMessage `json:"arguments,omitempty"`

	InputResponses map[string]InputResponse `json:"inputResponses,omitempty"`

	// The name of the tool.
	Name string `json:"name"`

	RequestState string `json:"requestState,omitempty"`

	// If specified, the caller is requesting task-augmented execution for this request. The request will return a
	// CreateTaskResult immediately, and the actual result can be retrieved later via tasks/result.
	Task *TaskMetadata `json:"task,omitempty"`

	// Extra has the members that are not above.
	Extra map[string]json.RawMessage `json:"-"`
}

var callToolRequestParamsMembers = []string{"_meta", "arguments", "inputResponses", "name", "requestState", "task"}

// MarshalJSON writes the members, and those in Extra.
func (v CallToolRequestParams) MarshalJSON() ([]byte, error) {
	type plain CallToolRequestParams
	return encodeOpen(plain(v), v.Extra, callToolRequestParamsMembers)
}

// UnmarshalJSON reads the members; those that are not known become Extra.
func (v *CallToolRequestParams) UnmarshalJSON(text []byte) (err error) {
	type plain CallToolRequestParams
	if err = decodeOpen(text, (*plain)(v), callToolRequestParamsMembers); err != nil {
		return err
	}
	v.Extra, err = extraMembers(text, callToolRequestParamsMembers)
	return err
}

// CallToolResult: The result returned by the server for a tools/call request.
// Revisions: all.
type CallToolResult struct {
	// Metadata of the protocol, of extensions and of applications.
	Meta map[string]any `json:"_meta,omitempty"`

	// A list of content objects that represent the unstructured result of the tool call.
	Content []ContentBlock `json:"content"`

	// Whether the tool call ended in an error.
	IsError bool `json:"isError,omitempty"`

	// Indicates the type of the result, which allows the client to determine how to parse the result object.
	ResultType string `json:"resultType,omitempty"`

	// An optional JSON value that represents the structured result of the tool call.
	StructuredContent json.RawMessage `json:"structuredContent,omitempty"`

	// Extra has the members that are not above.
	Extra map[string]json.RawMessage `json:"-"`
}

var callToolResultMembers = []string{"_meta", "content", "isError", "resultType", "structuredContent"}

// MarshalJSON writes the members, and those in Extra.
func (v CallToolResult) MarshalJSON() ([]byte, error) {
	type plain CallToolResult
	if v.Content == nil {
		v.Content = []ContentBlock{}
	}
	return encodeOpen(plain(v), v.Extra, callToolResultMembers)
}

// UnmarshalJSON reads the members; those that are not known become Extra.
func (v *CallToolResult) UnmarshalJSON(text []byte) (err error) {
	type plain CallToolResult
	in := struct {
		*plain
		Content []json.RawMessage `json:"content"`
	}{plain: (*plain)(v)}
	if err = decodeOpen(text, &in, callToolResultMembers); err != nil {
		return err
	}
	if v.Content, err = decodeEach(in.Content, decodeContentBlock); err != nil {
		return err
	}
	v.Extra, err = extraMembers(text, callToolResultMembers)
	return err
}

// CancelTaskRequestParams: Revision: 2025-11-25.
type CancelTaskRequestParams struct {
	// The task identifier to cancel.
	TaskID string `json:"taskId"`

	// Extra has the members that are not above.
	Extra map[string]json.RawMessage `json:"-"`
}

var cancelTaskRequestParamsMembers = []string{"taskId"}

// MarshalJSON writes the members, and those in Extra.
func (v CancelTaskRequestParams) MarshalJSON() ([]byte, error) {
	type plain CancelTaskRequestParams
	return encodeOpen(plain(v), v.Extra, cancelTaskRequestParamsMembers)
}

// UnmarshalJSON reads the members; those that are not known become Extra.
func (v *CancelTaskRequestParams) UnmarshalJSON(text []byte) (err error) {
	type plain CancelTaskRequestParams
	if err = decodeOpen(text, (*plain)(v), cancelTaskRequestParamsMembers); err != nil {
		return err
	}
	v.Extra, err = extraMembers(text, cancelTaskRequestParamsMembers)
	return err
}

// CancelTaskResult: The response to a tasks/cancel request.
// Revision: 2025-11-25.
type CancelTaskResult struct {
	// Metadata of the protocol, of extensions and of applications.
	Meta map[string]any `json:"_meta,omitempty"`

	// ISO 8601 timestamp when the task was created.
	CreatedAt string `json:"createdAt"`

	// ISO 8601 timestamp when the task was last updated.
	LastUpdatedAt string `json:"lastUpdatedAt"`

	// Suggested polling interval in milliseconds.
	PollInterval *int64 `json:"pollInterval,omitempty"`

	// Current task state.
	Status TaskStatus `json:"status"`

	// Optional human-readable message describing the current task state. This can provide context for any status,
	// including: - Reasons for "cancelled" status - Summaries for "completed" status - Diagnostic information for "failed"
	// status (e.g., error details, what went wrong)
	StatusMessage string `json:"statusMessage,omitempty"`

	// The task identifier.
	TaskID string `json:"taskId"`

	// Actual retention duration from creation in milliseconds, null for unlimited.
	TTL *int64 `json:"ttl"`

	// Extra has the members that are not above.
	Extra map[string]json.RawMessage `json:"-"`
}

var cancelTaskResultMembers = []string{"_meta", "createdAt", "lastUpdatedAt", "pollInterval", "status", "statusMessage", "taskId", "ttl"}

// MarshalJSON writes the members, and those in Extra.
func (v CancelTaskResult) MarshalJSON() ([]byte, error) {
	type plain CancelTaskResult
	return encodeOpen(plain(v), v.Extra, cancelTaskResultMembers)
}

// UnmarshalJSON reads the members; those that are not known become Extra.
func (v *CancelTaskResult) UnmarshalJSON(text []byte) (err error) {
	type plain CancelTaskResult
	if err = decodeOpen(text, (*plain)(v), cancelTaskResultMembers); err != nil {
		return err
	}
	v.Extra, err = extraMembers(text, cancelTaskResultMembers)
	return err
}

// CancelledNotificationParams: Parameters for a `notifications/cancelled` notification.
// Revisions: all.
type CancelledNotificationParams struct {
	// Metadata of the protocol, of extensions and of applications.
	Meta map[string]any `json:"_meta,omitempty"`

	// An optional string describing the reason for the cancellation. This MAY be logged or presented to the user.
	Reason string `json:"reason,omitempty"`

	// The ID of the request to cancel.
	RequestID any `json:"requestId,omitempty"`

	// Extra has the members that are not above.
	Extra map[string]json.RawMessage `json:"-"`
}

var cancelledNotificationParamsMembers = []string{"_meta", "reason", "requestId"}

// MarshalJSON writes the members, and those in Extra.
func (v CancelledNotificationParams) MarshalJSON() ([]byte, error) {
	type plain CancelledNotificationParams
	return encodeOpen(plain(v), v.Extra, cancelledNotificationParamsMembers)
}

// UnmarshalJSON reads the members; those that are not known become Extra.
func (v *CancelledNotificationParams) UnmarshalJSON(text []byte) (err error) {
	type plain CancelledNotificationParams
	if err = decodeOpen(text, (*plain)(v), cancelledNotificationParamsMembers); err != nil {
		return err
	}
	v.Extra, err = extraMembers(text, cancelledNotificationParamsMembers)
	return err
}

// ClientCapabilities: Capabilities a client may support. Known capabilities are defined here, in this schema, but this
// is not a closed set: any client can define its own, additional capabilities.
// Revisions: all.
type ClientCapabilities struct {
	// Present if the client supports elicitation from the server.
	Elicitation *ClientCapabilitiesElicitation `json:"elicitation,omitempty"`

	// Experimental, non-standard capabilities that the client supports.
	Experimental map[string]json.RawMessage `json:"experimental,omitempty"`

	// Optional MCP extensions that the client supports. Keys are extension identifiers (e.g.,
	// "io.modelcontextprotocol/oauth-client-credentials"), and values are per-extension settings objects. An empty object
	// indicates support with no settings.
	Extensions map[string]json.RawMessage `json:"extensions,omitempty"`

	// Present if the client supports listing roots.
	Roots *ClientCapabilitiesRoots `json:"roots,omitempty"`

	// Present if the client supports sampling from an LLM.
	Sampling *ClientCapabilitiesSampling `json:"sampling,omitempty"`

	// Present if the client supports task-augmented requests.
	Tasks *ClientCapabilitiesTasks `json:"tasks,omitempty"`

	// Extra has the members that are not above.
	Extra map[string]json.RawMessage `json:"-"`
}

var clientCapabilitiesMembers = []string{"elicitation", "experimental", "extensions", "roots", "sampling", "tasks"}

// MarshalJSON writes the members, and those in Extra.
func (v ClientCapabilities) MarshalJSON() ([]byte, error) {
	type plain ClientCapabilities
	return encodeOpen(plain(v), v.Extra, clientCapabilitiesMembers)
}

// UnmarshalJSON reads the members; those that are not known become Extra.
func (v *ClientCapabilities) UnmarshalJSON(text []byte) (err error) {
	type plain ClientCapabilities
	if err = decodeOpen(text, (*plain)(v), clientCapabilitiesMembers); err != nil {
		return err
	}
	v.Extra, err = extraMembers(text, clientCapabilitiesMembers)
	return err
}

// ClientCapabilitiesElicitation: Present if the client supports elicitation from the server.
// Revisions: from 2025-11-25 on.
type ClientCapabilitiesElicitation struct {
	Form json.RawMessage `json:"form,omitempty"`

	URL json.RawMessage `json:"url,omitempty"`

	// Extra has the members that are not above.
	Extra map[string]json.RawMessage `json:"-"`
}

var clientCapabilitiesElicitationMembers = []string{"form", "url"}

// MarshalJSON writes the members, and those in Extra.
func (v ClientCapabilitiesElicitation) MarshalJSON() ([]byte, error) {
	type plain ClientCapabilitiesElicitation
	return encodeOpen(plain(v), v.Extra, clientCapabilitiesElicitationMembers)
}

// UnmarshalJSON reads the members; those that are not known become Extra.
func (v *ClientCapabilitiesElicitation) UnmarshalJSON(text []byte) (err error) {
	type plain ClientCapabilitiesElicitation
	if err = decodeOpen(text, (*plain)(v), clientCapabilitiesElicitationMembers); err != nil {
		return err
	}
	v.Extra, err = extraMembers(text, clientCapabilitiesElicitationMembers)
	return err
}

// ClientCapabilitiesRoots: Present if the client supports listing roots.
// Revisions: 2024-11-05 to 2025-11-25.
//
// Deprecated: 2026-07-28 deprecates sampling, roots and log messages (SEP-2577). They work in every revision that has
// them.
type ClientCapabilitiesRoots struct {
	// Whether the client supports notifications for changes to the roots list.
	ListChanged bool `json:"listChanged,omitempty"`

	// Extra has the members that are not above.
	Extra map[string]json.RawMessage `json:"-"`
}

var clientCapabilitiesRootsMembers = []string{"listChanged"}

// MarshalJSON writes the members, and those in Extra.
func (v ClientCapabilitiesRoots) MarshalJSON() ([]byte, error) {
	type plain ClientCapabilitiesRoots
	return encodeOpen(plain(v), v.Extra, clientCapabilitiesRootsMembers)
}

// UnmarshalJSON reads the members; those that are not known become Extra.
func (v *ClientCapabilitiesRoots) UnmarshalJSON(text []byte) (err error) {
	type plain ClientCapabilitiesRoots
	if err = decodeOpen(text, (*plain)(v), clientCapabilitiesRootsMembers); err != nil {
		return err
	}
	v.Extra, err = extraMembers(text, clientCapabilitiesRootsMembers)
	return err
}

// ClientCapabilitiesSampling: Present if the client supports sampling from an LLM.
// Revisions: from 2025-11-25 on.
//
// Deprecated: 2026-07-28 deprecates sampling, roots and log messages (SEP-2577). They work in every revision that has
// them.
type ClientCapabilitiesSampling struct {
	// Whether the client supports context inclusion via `includeContext` parameter. If not declared, servers SHOULD only
	// use `includeContext: "none"` (or omit it).
	Context json.RawMessage `json:"context,omitempty"`

	// Whether the client supports tool use via `tools` and `toolChoice` parameters.
	Tools json.RawMessage `json:"tools,omitempty"`

	// Extra has the members that are not above.
	Extra map[string]json.RawMessage `json:"-"`
}

var clientCapabilitiesSamplingMembers = []string{"context", "tools"}

// MarshalJSON writes the members, and those in Extra.
func (v ClientCapabilitiesSampling) MarshalJSON() ([]byte, error) {
	type plain ClientCapabilitiesSampling
	return encodeOpen(plain(v), v.Extra, clientCapabilitiesSamplingMembers)
}

// UnmarshalJSON reads the members; those that are not known become Extra.
func (v *ClientCapabilitiesSampling) UnmarshalJSON(text []byte) (err error) {
	type plain ClientCapabilitiesSampling
	if err = decodeOpen(text, (*plain)(v), clientCapabilitiesSamplingMembers); err != nil {
		return err
	}
	v.Extra, err = extraMembers(text, clientCapabilitiesSamplingMembers)
	return err
}

// ClientCapabilitiesTasks: Present if the client supports task-augmented requests.
// Revision: 2025-11-25.
type ClientCapabilitiesTasks struct {
	// Whether this client supports tasks/cancel.
	Cancel json.RawMessage `json:"cancel,omitempty"`

	// Whether this client supports tasks/list.
	List json.RawMessage `json:"list,omitempty"`

	// Specifies which request types can be augmented with tasks.
	Requests *ClientCapabilitiesTasksRequests `json:"requests,omitempty"`

	// Extra has the members that are not above.
	Extra map[string]json.RawMessage `json:"-"`
}

var clientCapabilitiesTasksMembers = []string{"cancel", "list", "requests"}

// MarshalJSON writes the members, and those in Extra.
func (v ClientCapabilitiesTasks) MarshalJSON() ([]byte, error) {
	type plain ClientCapabilitiesTasks
	return encodeOpen(plain(v), v.Extra, clientCapabilitiesTasksMembers)
}

// UnmarshalJSON reads the members; those that are not known become Extra.
func (v *ClientCapabilitiesTasks) UnmarshalJSON(text []byte) (err error) {
	type plain ClientCapabilitiesTasks
	if err = decodeOpen(text, (*plain)(v), clientCapabilitiesTasksMembers); err != nil {
		return err
	}
	v.Extra, err = extraMembers(text, clientCapabilitiesTasksMembers)
	return err
}

// ClientCapabilitiesTasksRequests: Specifies which request types can be augmented with tasks.
// Revision: 2025-11-25.
type ClientCapabilitiesTasksRequests struct {
	// Task support for elicitation-related requests.
	Elicitation *ClientCapabilitiesTasksRequestsElicitation `json:"elicitation,omitempty"`

	// Task support for sampling-related requests.
	Sampling *ClientCapabilitiesTasksRequestsSampling `json:"sampling,omitempty"`

	// Extra has the members that are not above.
	Extra map[string]json.RawMessage `json:"-"`
}

var clientCapabilitiesTasksRequestsMembers = []string{"elicitation", "sampling"}

// MarshalJSON writes the members, and those in Extra.
func (v ClientCapabilitiesTasksRequests) MarshalJSON() ([]byte, error) {
	type plain ClientCapabilitiesTasksRequests
	return encodeOpen(plain(v), v.Extra, clientCapabilitiesTasksRequestsMembers)
}

// UnmarshalJSON reads the members; those that are not known become Extra.
func (v *ClientCapabilitiesTasksRequests) UnmarshalJSON(text []byte) (err error) {
	type plain ClientCapabilitiesTasksRequests
	if err = decodeOpen(text, (*plain)(v), clientCapabilitiesTasksRequestsMembers); err != nil {
		return err
	}
	v.Extra, err = extraMembers(text, clientCapabilitiesTasksRequestsMembers)
	return err
}

// ClientCapabilitiesTasksRequestsElicitation: Task support for elicitation-related requests.
// Revision: 2025-11-25.
type ClientCapabilitiesTasksRequestsElicitation struct {
	// Whether the client supports task-augmented elicitation/create requests.
	Create json.RawMessage `json:"create,omitempty"`

	// Extra has the members that are not above.
	Extra map[string]json.RawMessage `json:"-"`
}

var clientCapabilitiesTasksRequestsElicitationMembers = []string{"create"}

// MarshalJSON writes the members, and those in Extra.
func (v ClientCapabilitiesTasksRequestsElicitation) MarshalJSON() ([]byte, error) {
	type plain ClientCapabilitiesTasksRequestsElicitation
	return encodeOpen(plain(v), v.Extra, clientCapabilitiesTasksRequestsElicitationMembers)
}

// UnmarshalJSON reads the members; those that are not known become Extra.
func (v *ClientCapabilitiesTasksRequestsElicitation) UnmarshalJSON(text []byte) (err error) {
	type plain ClientCapabilitiesTasksRequestsElicitation
	if err = decodeOpen(text, (*plain)(v), clientCapabilitiesTasksRequestsElicitationMembers); err != nil {
		return err
	}
	v.Extra, err = extraMembers(text, clientCapabilitiesTasksRequestsElicitationMembers)
	return err
}

// ClientCapabilitiesTasksRequestsSampling: Task support for sampling-related requests.
// Revision: 2025-11-25.
type ClientCapabilitiesTasksRequestsSampling struct {
	// Whether the client supports task-augmented sampling/createMessage requests.
	CreateMessage json.RawMessage `json:"createMessage,omitempty"`

	// Extra has the members that are not above.
	Extra map[string]json.RawMessage `json:"-"`
}

var clientCapabilitiesTasksRequestsSamplingMembers = []string{"createMessage"}

// MarshalJSON writes the members, and those in Extra.
func (v ClientCapabilitiesTasksRequestsSampling) MarshalJSON() ([]byte, error) {
	type plain ClientCapabilitiesTasksRequestsSampling
	return encodeOpen(plain(v), v.Extra, clientCapabilitiesTasksRequestsSamplingMembers)
}

// UnmarshalJSON reads the members; those that are not known become Extra.
func (v *ClientCapabilitiesTasksRequestsSampling) UnmarshalJSON(text []byte) (err error) {
	type plain ClientCapabilitiesTasksRequestsSampling
	if err = decodeOpen(text, (*plain)(v), clientCapabilitiesTasksRequestsSamplingMembers); err != nil {
		return err
	}
	v.Extra, err = extraMembers(text, clientCapabilitiesTasksRequestsSamplingMembers)
	return err
}

// CompleteRequestParams: Parameters for a `completion/complete` request.
// Revisions: all.
type CompleteRequestParams struct {
	// Metadata of the protocol, of extensions and of applications.
	Meta map[string]any `json:"_meta,omitempty"`

	// The argument's information
	Argument CompletionArgument `json:"argument"`

	// Additional, optional context for completions
	Context *CompletionContext `json:"context,omitempty"`

	Ref Reference `json:"ref"`

	// Extra has the members that are not above.
	Extra map[string]json.RawMessage `json:"-"`
}

var completeRequestParamsMembers = []string{"_meta", "argument", "context", "ref"}

// MarshalJSON writes the members, and those in Extra.
func (v CompleteRequestParams) MarshalJSON() ([]byte, error) {
	type plain CompleteRequestParams
	return encodeOpen(plain(v), v.Extra, completeRequestParamsMembers)
}

// UnmarshalJSON reads the members; those that are not known become Extra.
func (v *CompleteRequestParams) UnmarshalJSON(text []byte) (err error) {
	type plain CompleteRequestParams
	in := struct {
		*plain
		Ref json.RawMessage `json:"ref"`
	}{plain: (*plain)(v)}
	if err = decodeOpen(text, &in, completeRequestParamsMembers); err != nil {
		return err
	}
	if v.Ref, err = decodeOne(in.Ref, decodeReference); err != nil {
		return err
	}
	v.Extra, err = extraMembers(text, completeRequestParamsMembers)
	return err
}

// CompleteResult: The result returned by the server for a completion/complete request.
// Revisions: all.
type CompleteResult struct {
	// Metadata of the protocol, of extensions and of applications.
	Meta map[string]any `json:"_meta,omitempty"`

	Completion Completion `json:"completion"`

	// Indicates the type of the result, which allows the client to determine how to parse the result object.
	ResultType string `json:"resultType,omitempty"`

	// Extra has the members that are not above.
	Extra map[string]json.RawMessage `json:"-"`
}

var completeResultMembers = []string{"_meta", "completion", "resultType"}

// MarshalJSON writes the members, and those in Extra.
func (v CompleteResult) MarshalJSON() ([]byte, error) {
	type plain CompleteResult
	return encodeOpen(plain(v), v.Extra, completeResultMembers)
}

// UnmarshalJSON reads the members; those that are not known become Extra.
func (v *CompleteResult) UnmarshalJSON(text []byte) (err error) {
	type plain CompleteResult
	if err = decodeOpen(text, (*plain)(v), completeResultMembers); err != nil {
		return err
	}
	v.Extra, err = extraMembers(text, completeResultMembers)
	return err
}

// Completion: Revisions: all.
type Completion struct {
	// Indicates whether there are additional completion options beyond those provided in the current response, even if the
	// exact total is unknown.
	HasMore bool `json:"hasMore,omitempty"`

	// The total number of completion options available. This can exceed the number of values actually sent in the
	// response.
	Total *int64 `json:"total,omitempty"`

	// An array of completion values. Must not exceed 100 items.
	Values []string `json:"values"`

	// Extra has the members that are not above.
	Extra map[string]json.RawMessage `json:"-"`
}

var completionMembers = []string{"hasMore", "total", "values"}

// MarshalJSON writes the members, and those in Extra.
func (v Completion) MarshalJSON() ([]byte, error) {
	type plain Completion
	if v.Values == nil {
		v.Values = []string{}
	}
	return encodeOpen(plain(v), v.Extra, completionMembers)
}

// UnmarshalJSON reads the members; those that are not known become Extra.
func (v *Completion) UnmarshalJSON(text []byte) (err error) {
	type plain Completion
	if err = decodeOpen(text, (*plain)(v), completionMembers); err != nil {
		return err
	}
	v.Extra, err = extraMembers(text, completionMembers)
	return err
}

// CompletionArgument: The argument's information
// Revisions: all.
type CompletionArgument struct {
	// The name of the argument
	Name string `json:"name"`

	// The value of the argument to use for completion matching.
	Value string `json:"value"`

	// Extra has the members that are not above.
	Extra map[string]json.RawMessage `json:"-"`
}

var completionArgumentMembers = []string{"name", "value"}

// MarshalJSON writes the members, and those in Extra.
func (v CompletionArgument) MarshalJSON() ([]byte, error) {
	type plain CompletionArgument
	return encodeOpen(plain(v), v.Extra, completionArgumentMembers)
}

// UnmarshalJSON reads the members; those that are not known become Extra.
func (v *CompletionArgument) UnmarshalJSON(text []byte) (err error) {
	type plain CompletionArgument
	if err = decodeOpen(text, (*plain)(v), completionArgumentMembers); err != nil {
		return err
	}
	v.Extra, err = extraMembers(text, completionArgumentMembers)
	return err
}

// CompletionContext: Additional, optional context for completions
// Revisions: from 2025-06-18 on.
type CompletionContext struct {
	// Previously-resolved variables in a URI template or prompt.
	Arguments map[string]string `json:"arguments,omitempty"`

	// Extra has the members that are not above.
	Extra map[string]json.RawMessage `json:"-"`
}

var completionContextMembers = []string{"arguments"}

// MarshalJSON writes the members, and those in Extra.
func (v CompletionContext) MarshalJSON() ([]byte, error) {
	type plain CompletionContext
	return encodeOpen(plain(v), v.Extra, completionContextMembers)
}

// UnmarshalJSON reads the members; those that are not known become Extra.
func (v *CompletionContext) UnmarshalJSON(text []byte) (err error) {
	type plain CompletionContext
	if err = decodeOpen(text, (*plain)(v), completionContextMembers); err != nil {
		return err
	}
	v.Extra, err = extraMembers(text, completionContextMembers)
	return err
}

// ContentBlock: Revisions: from 2025-06-18 on.
// It is a [*TextContent], [*ImageContent], [*AudioContent], [*ResourceLink], [*EmbeddedResource], or an
// [*UnknownVariant] of a later revision.
type ContentBlock interface{ isContentBlock() }

func (*UnknownVariant) isContentBlock() {}

func decodeContentBlock(text json.RawMessage) (ContentBlock, error) {
	switch tag := tagOf(text, "type"); tag {
	case "text":
		return decodeVariant[TextContent](text)
	case "image":
		return decodeVariant[ImageContent](text)
	case "audio":
		return decodeVariant[AudioContent](text)
	case "resource_link":
		return decodeVariant[ResourceLink](text)
	case "resource":
		return decodeVariant[EmbeddedResource](text)
	default:
		return unknownVariant(tag, text)
	}
}

// CreateMessageRequest: A request from the server to sample an LLM via the client. The client has full discretion over
// which model to select. The client should also inform the user before beginning sampling, to allow them to inspect
// the request (human in the loop) and decide whether to approve it.
// Revision: 2026-07-28.
//
// Deprecated: 2026-07-28 deprecates sampling, roots and log messages (SEP-2577). They work in every revision that has
// them.
type CreateMessageRequest struct {
	Params CreateMessageRequestParams `json:"params"`

	// Extra has the members that are not above.
	Extra map[string]json.RawMessage `json:"-"`
}

func (*CreateMessageRequest) isInputRequest() {}

var createMessageRequestMembers = []string{"method", "params"}

// MarshalJSON writes the members, and those in Extra.
func (v CreateMessageRequest) MarshalJSON() ([]byte, error) {
	type plain CreateMessageRequest
	return encodeOpen(struct {
		Tag string `json:"method"`
		plain
	}{"sampling/createMessage", plain(v)}, v.Extra, createMessageRequestMembers)
}

// UnmarshalJSON reads the members; those that are not known become Extra.
func (v *CreateMessageRequest) UnmarshalJSON(text []byte) (err error) {
	type plain CreateMessageRequest
	if err = decodeOpen(text, (*plain)(v), createMessageRequestMembers); err != nil {
		return err
	}
	v.Extra, err = extraMembers(text, createMessageRequestMembers)
	return err
}

// CreateMessageRequestParams: Parameters for a `sampling/createMessage` request.
// Revisions: all.
//
// Deprecated: 2026-07-28 deprecates sampling, roots and log messages (SEP-2577). They work in every revision that has
// them.
type CreateMessageRequestParams struct {
	// Metadata of the protocol, of extensions and of applications.
	Meta map[string]any `json:"_meta,omitempty"`

	// A request to include context from one or more MCP servers (including the caller), to be attached to the prompt. The
	// client MAY ignore this request.
	IncludeContext string `json:"includeContext,omitempty"`

	// The requested maximum number of tokens to sample (to prevent runaway completions).
	MaxTokens int64 `json:"maxTokens"`

	Messages []SamplingMessage `json:"messages"`

	// Optional metadata to pass through to the LLM provider. The format of this metadata is provider-specific.
	Metadata json.RawMessage `json:"metadata,omitempty"`

	// The server's preferences for which model to select. The client MAY ignore these preferences.
	ModelPreferences *ModelPreferences `json:"modelPreferences,omitempty"`

	StopSequences []string `json:"stopSequences,omitempty"`

	// An optional system prompt the server wants to use for sampling. The client MAY modify or omit this prompt.
	SystemPrompt string `json:"systemPrompt,omitempty"`

	// If specified, the caller is requesting task-augmented execution for this request. The request will return a
	// CreateTaskResult immediately, and the actual result can be retrieved later via tasks/result.
	Task *TaskMetadata `json:"task,omitempty"`

	Temperature *float64 `json:"temperature,omitempty"`

	// Controls how the model uses tools. The client MUST return an error if this field is provided but
	// ClientCapabilities.sampling.tools is not declared. Default is `{ mode: "auto" }`.
	ToolChoice *ToolChoice `json:"toolChoice,omitempty"`

	// Tools that the model may use during generation. The client MUST return an error if this field is provided but
	// ClientCapabilities.sampling.tools is not declared.
	Tools []Tool `json:"tools,omitempty"`

	// Extra has the members that are not above.
	Extra map[string]json.RawMessage `json:"-"`
}

var createMessageRequestParamsMembers = []string{"_meta", "includeContext", "maxTokens", "messages", "metadata", "modelPreferences", "stopSequences", "systemPrompt", "task", "temperature", "toolChoice", "tools"}

// MarshalJSON writes the members, and those in Extra.
func (v CreateMessageRequestParams) MarshalJSON() ([]byte, error) {
	type plain CreateMessageRequestParams
	if v.Messages == nil {
		v.Messages = []SamplingMessage{}
	}
	return encodeOpen(plain(v), v.Extra, createMessageRequestParamsMembers)
}

// UnmarshalJSON reads the members; those that are not known become Extra.
func (v *CreateMessageRequestParams) UnmarshalJSON(text []byte) (err error) {
	type plain CreateMessageRequestParams
	if err = decodeOpen(text, (*plain)(v), createMessageRequestParamsMembers); err != nil {
		return err
	}
	v.Extra, err = extraMembers(text, createMessageRequestParamsMembers)
	return err
}

// CreateMessageResult: The result returned by the client for a sampling/createMessage request. The client should
// inform the user before returning the sampled message, to allow them to inspect the response (human in the loop) and
// decide whether to allow the server to see it.
// Revisions: all.
//
// Deprecated: 2026-07-28 deprecates sampling, roots and log messages (SEP-2577). They work in every revision that has
// them.
type CreateMessageResult struct {
	// Metadata of the protocol, of extensions and of applications.
	Meta map[string]any `json:"_meta,omitempty"`

	Content []SamplingMessageContentBlock `json:"-"`

	// The name of the model that generated the message.
	Model string `json:"model"`

	Role Role `json:"role"`

	// The reason why sampling stopped, if known.
	StopReason string `json:"stopReason,omitempty"`

	// Extra has the members that are not above.
	Extra map[string]json.RawMessage `json:"-"`
}

var createMessageResultMembers = []string{"_meta", "content", "model", "role", "stopReason"}

// MarshalJSON writes the members, and those in Extra.
func (v CreateMessageResult) MarshalJSON() ([]byte, error) {
	type plain CreateMessageResult
	if v.Content == nil {
		v.Content = []SamplingMessageContentBlock{}
	}
	return encodeOpen(struct {
		plain
		Content any `json:"content"`
	}{plain(v), oneOrMany(v.Content)}, v.Extra, createMessageResultMembers)
}

// UnmarshalJSON reads the members; those that are not known become Extra.
func (v *CreateMessageResult) UnmarshalJSON(text []byte) (err error) {
	type plain CreateMessageResult
	in := struct {
		*plain
		Content json.RawMessage `json:"content"`
	}{plain: (*plain)(v)}
	if err = decodeOpen(text, &in, createMessageResultMembers); err != nil {
		return err
	}
	if v.Content, err = decodeOneOrMany(in.Content, decodeSamplingMessageContentBlock); err != nil {
		return err
	}
	v.Extra, err = extraMembers(text, createMessageResultMembers)
	return err
}

// CreateTaskResult: A response to a task-augmented request.
// Revision: 2025-11-25.
type CreateTaskResult struct {
	// Metadata of the protocol, of extensions and of applications.
	Meta map[string]any `json:"_meta,omitempty"`

	Task Task `json:"task"`

	// Extra has the members that are not above.
	Extra map[string]json.RawMessage `json:"-"`
}

var createTaskResultMembers = []string{"_meta", "task"}

// MarshalJSON writes the members, and those in Extra.
func (v CreateTaskResult) MarshalJSON() ([]byte, error) {
	type plain CreateTaskResult
	return encodeOpen(plain(v), v.Extra, createTaskResultMembers)
}

// UnmarshalJSON reads the members; those that are not known become Extra.
func (v *CreateTaskResult) UnmarshalJSON(text []byte) (err error) {
	type plain CreateTaskResult
	if err = decodeOpen(text, (*plain)(v), createTaskResultMembers); err != nil {
		return err
	}
	v.Extra, err = extraMembers(text, createTaskResultMembers)
	return err
}

// DiscoverResult: The result returned by the server for a server/discover request.
// Revision: 2026-07-28.
type DiscoverResult struct {
	// Metadata of the protocol, of extensions and of applications.
	Meta map[string]any `json:"_meta,omitempty"`

	// Indicates the intended scope of the cached response, analogous to HTTP `Cache-Control: public` vs `Cache-Control:
	// private`.
	CacheScope string `json:"cacheScope"`

	// The capabilities of the server.
	Capabilities ServerCapabilities `json:"capabilities"`

	// Natural-language guidance describing the server and its features.
	Instructions string `json:"instructions,omitempty"`

	// Indicates the type of the result, which allows the client to determine how to parse the result object.
	ResultType string `json:"resultType"`

	// MCP Protocol Versions this server supports. The client should choose a version from this list for use in subsequent
	// requests.
	SupportedVersions []string `json:"supportedVersions"`

	// A hint from the server indicating how long (in milliseconds) the client MAY cache this response before re-fetching.
	// Semantics are analogous to HTTP Cache-Control max-age.
	TTLMs int64 `json:"ttlMs"`

	// Extra has the members that are not above.
	Extra map[string]json.RawMessage `json:"-"`
}

var discoverResultMembers = []string{"_meta", "cacheScope", "capabilities", "instructions", "resultType", "supportedVersions", "ttlMs"}

// MarshalJSON writes the members, and those in Extra.
func (v DiscoverResult) MarshalJSON() ([]byte, error) {
	type plain DiscoverResult
	if v.SupportedVersions == nil {
		v.SupportedVersions = []string{}
	}
	return encodeOpen(plain(v), v.Extra, discoverResultMembers)
}

// UnmarshalJSON reads the members; those that are not known become Extra.
func (v *DiscoverResult) UnmarshalJSON(text []byte) (err error) {
	type plain DiscoverResult
	if err = decodeOpen(text, (*plain)(v), discoverResultMembers); err != nil {
		return err
	}
	v.Extra, err = extraMembers(text, discoverResultMembers)
	return err
}

// ElicitRequest: A request from the server to elicit additional information from the user via the client.
// Revision: 2026-07-28.
type ElicitRequest struct {
	Params ElicitRequestParams `json:"params"`

	// Extra has the members that are not above.
	Extra map[string]json.RawMessage `json:"-"`
}

func (*ElicitRequest) isInputRequest() {}

var elicitRequestMembers = []string{"method", "params"}

// MarshalJSON writes the members, and those in Extra.
func (v ElicitRequest) MarshalJSON() ([]byte, error) {
	type plain ElicitRequest
	return encodeOpen(struct {
		Tag string `json:"method"`
		plain
	}{"elicitation/create", plain(v)}, v.Extra, elicitRequestMembers)
}

// UnmarshalJSON reads the members; those that are not known become Extra.
func (v *ElicitRequest) UnmarshalJSON(text []byte) (err error) {
	type plain ElicitRequest
	if err = decodeOpen(text, (*plain)(v), elicitRequestMembers); err != nil {
		return err
	}
	v.Extra, err = extraMembers(text, elicitRequestMembers)
	return err
}

// ElicitRequestFormParams: The parameters for a request to elicit non-sensitive information from the user via a form
// in the client.
// Revisions: from 2025-06-18 on.
type ElicitRequestFormParams struct {
	// Metadata of the protocol, of extensions and of applications.
	Meta map[string]any `json:"_meta,omitempty"`

	// The message to present to the user describing what information is being requested.
	Message string `json:"message"`

	// A restricted subset of JSON Schema. Only top-level properties are allowed, without nesting.
	RequestedSchema ElicitationSchema `json:"requestedSchema"`

	// If specified, the caller is requesting task-augmented execution for this request. The request will return a
	// CreateTaskResult immediately, and the actual result can be retrieved later via tasks/result.
	Task *TaskMetadata `json:"task,omitempty"`

	// Extra has the members that are not above.
	Extra map[string]json.RawMessage `json:"-"`
}

var elicitRequestFormParamsMembers = []string{"_meta", "message", "mode", "requestedSchema", "task"}

// MarshalJSON writes the members, and those in Extra.
func (v ElicitRequestFormParams) MarshalJSON() ([]byte, error) {
	type plain ElicitRequestFormParams
	return encodeOpen(struct {
		Tag string `json:"mode"`
		plain
	}{"form", plain(v)}, v.Extra, elicitRequestFormParamsMembers)
}

// UnmarshalJSON reads the members; those that are not known become Extra.
func (v *ElicitRequestFormParams) UnmarshalJSON(text []byte) (err error) {
	type plain ElicitRequestFormParams
	if err = decodeOpen(text, (*plain)(v), elicitRequestFormParamsMembers); err != nil {
		return err
	}
	v.Extra, err = extraMembers(text, elicitRequestFormParamsMembers)
	return err
}

// ElicitRequestParams: The parameters for a request to elicit additional information from the user via the client.
// Revisions: from 2025-11-25 on.
type ElicitRequestParams struct {
	// Metadata of the protocol, of extensions and of applications.
	Meta map[string]any `json:"_meta,omitempty"`

	// The message to present to the user describing what information is being requested.
	Message string `json:"message"`

	// The elicitation mode.
	Mode string `json:"mode,omitempty"`

	// A restricted subset of JSON Schema. Only top-level properties are allowed, without nesting.
	RequestedSchema *ElicitationSchema `json:"requestedSchema,omitempty"`

	// If specified, the caller is requesting task-augmented execution for this request. The request will return a
	// CreateTaskResult immediately, and the actual result can be retrieved later via tasks/result.
	Task *TaskMetadata `json:"task,omitempty"`

	// The ID of the elicitation, which must be unique within the context of the server. The client MUST treat this ID as
	// an opaque value.
	ElicitationID string `json:"elicitationId,omitempty"`

	// The URL that the user should navigate to.
	URL string `json:"url,omitempty"`

	// Extra has the members that are not above.
	Extra map[string]json.RawMessage `json:"-"`
}

var elicitRequestParamsMembers = []string{"_meta", "message", "mode", "requestedSchema", "task", "elicitationId", "url"}

// MarshalJSON writes the members, and those in Extra.
func (v ElicitRequestParams) MarshalJSON() ([]byte, error) {
	type plain ElicitRequestParams
	return encodeOpen(plain(v), v.Extra, elicitRequestParamsMembers)
}

// UnmarshalJSON reads the members; those that are not known become Extra.
func (v *ElicitRequestParams) UnmarshalJSON(text []byte) (err error) {
	type plain ElicitRequestParams
	if err = decodeOpen(text, (*plain)(v), elicitRequestParamsMembers); err != nil {
		return err
	}
	v.Extra, err = extraMembers(text, elicitRequestParamsMembers)
	return err
}

// ElicitRequestURLParams: The parameters for a request to elicit information from the user via a URL in the client.
// Revisions: from 2025-11-25 on.
type ElicitRequestURLParams struct {
	// Metadata of the protocol, of extensions and of applications.
	Meta map[string]any `json:"_meta,omitempty"`

	// The ID of the elicitation, which must be unique within the context of the server. The client MUST treat this ID as
	// an opaque value.
	ElicitationID string `json:"elicitationId,omitempty"`

	// The message to present to the user explaining why the interaction is needed.
	Message string `json:"message"`

	// If specified, the caller is requesting task-augmented execution for this request. The request will return a
	// CreateTaskResult immediately, and the actual result can be retrieved later via tasks/result.
	Task *TaskMetadata `json:"task,omitempty"`

	// The URL that the user should navigate to.
	URL string `json:"url"`

	// Extra has the members that are not above.
	Extra map[string]json.RawMessage `json:"-"`
}

var elicitRequestURLParamsMembers = []string{"_meta", "elicitationId", "message", "mode", "task", "url"}

// MarshalJSON writes the members, and those in Extra.
func (v ElicitRequestURLParams) MarshalJSON() ([]byte, error) {
	type plain ElicitRequestURLParams
	return encodeOpen(struct {
		Tag string `json:"mode"`
		plain
	}{"url", plain(v)}, v.Extra, elicitRequestURLParamsMembers)
}

// UnmarshalJSON reads the members; those that are not known become Extra.
func (v *ElicitRequestURLParams) UnmarshalJSON(text []byte) (err error) {
	type plain ElicitRequestURLParams
	if err = decodeOpen(text, (*plain)(v), elicitRequestURLParamsMembers); err != nil {
		return err
	}
	v.Extra, err = extraMembers(text, elicitRequestURLParamsMembers)
	return err
}

// ElicitResult: The result returned by the client for an elicitation/create request.
// Revisions: from 2025-06-18 on.
type ElicitResult struct {
	// Metadata of the protocol, of extensions and of applications.
	Meta map[string]any `json:"_meta,omitempty"`

	// The user action in response to the elicitation. - `"accept"`: User submitted the form/confirmed the action -
	// `"decline"`: User explicitly declined the action - `"cancel"`: User dismissed without making an explicit choice
	Action string `json:"action"`

	// The submitted form data, only present when action is `"accept"` and mode was `"form"`. Contains values matching the
	// requested schema. Omitted for out-of-band mode responses.
	Content map[string]any `json:"content,omitempty"`

	// Extra has the members that are not above.
	Extra map[string]json.RawMessage `json:"-"`
}

var elicitResultMembers = []string{"_meta", "action", "content"}

// MarshalJSON writes the members, and those in Extra.
func (v ElicitResult) MarshalJSON() ([]byte, error) {
	type plain ElicitResult
	return encodeOpen(plain(v), v.Extra, elicitResultMembers)
}

// UnmarshalJSON reads the members; those that are not known become Extra.
func (v *ElicitResult) UnmarshalJSON(text []byte) (err error) {
	type plain ElicitResult
	if err = decodeOpen(text, (*plain)(v), elicitResultMembers); err != nil {
		return err
	}
	v.Extra, err = extraMembers(text, elicitResultMembers)
	return err
}

// ElicitationCompleteNotificationParams: Revision: 2025-11-25.
type ElicitationCompleteNotificationParams struct {
	// The ID of the elicitation that completed.
	ElicitationID string `json:"elicitationId"`

	// Extra has the members that are not above.
	Extra map[string]json.RawMessage `json:"-"`
}

var elicitationCompleteNotificationParamsMembers = []string{"elicitationId"}

// MarshalJSON writes the members, and those in Extra.
func (v ElicitationCompleteNotificationParams) MarshalJSON() ([]byte, error) {
	type plain ElicitationCompleteNotificationParams
	return encodeOpen(plain(v), v.Extra, elicitationCompleteNotificationParamsMembers)
}

// UnmarshalJSON reads the members; those that are not known become Extra.
func (v *ElicitationCompleteNotificationParams) UnmarshalJSON(text []byte) (err error) {
	type plain ElicitationCompleteNotificationParams
	if err = decodeOpen(text, (*plain)(v), elicitationCompleteNotificationParamsMembers); err != nil {
		return err
	}
	v.Extra, err = extraMembers(text, elicitationCompleteNotificationParamsMembers)
	return err
}

// ElicitationSchema: A restricted subset of JSON Schema. Only top-level properties are allowed, without nesting.
// Revisions: from 2025-06-18 on.
type ElicitationSchema struct {
	Schema string `json:"$schema,omitempty"`

	Properties map[string]PrimitiveSchemaDefinition `json:"properties"`

	Required []string `json:"required,omitempty"`

	// Extra has the members that are not above.
	Extra map[string]json.RawMessage `json:"-"`
}

var elicitationSchemaMembers = []string{"$schema", "properties", "required", "type"}

// MarshalJSON writes the members, and those in Extra.
func (v ElicitationSchema) MarshalJSON() ([]byte, error) {
	type plain ElicitationSchema
	if v.Properties == nil {
		v.Properties = map[string]PrimitiveSchemaDefinition{}
	}
	return encodeOpen(struct {
		Tag string `json:"type"`
		plain
	}{"object", plain(v)}, v.Extra, elicitationSchemaMembers)
}

// UnmarshalJSON reads the members; those that are not known become Extra.
func (v *ElicitationSchema) UnmarshalJSON(text []byte) (err error) {
	type plain ElicitationSchema
	if err = decodeOpen(text, (*plain)(v), elicitationSchemaMembers); err != nil {
		return err
	}
	v.Extra, err = extraMembers(text, elicitationSchemaMembers)
	return err
}

// EmbeddedResource: The contents of a resource, embedded into a prompt or tool call result.
// Revisions: all.
type EmbeddedResource struct {
	// Metadata of the protocol, of extensions and of applications.
	Meta map[string]any `json:"_meta,omitempty"`

	// Optional annotations for the client.
	Annotations *Annotations `json:"annotations,omitempty"`

	Resource ResourceContents `json:"resource"`

	// Extra has the members that are not above.
	Extra map[string]json.RawMessage `json:"-"`
}

func (*EmbeddedResource) isContentBlock() {}

var embeddedResourceMembers = []string{"_meta", "annotations", "resource", "type"}

// MarshalJSON writes the members, and those in Extra.
func (v EmbeddedResource) MarshalJSON() ([]byte, error) {
	type plain EmbeddedResource
	return encodeOpen(struct {
		Tag string `json:"type"`
		plain
	}{"resource", plain(v)}, v.Extra, embeddedResourceMembers)
}

// UnmarshalJSON reads the members; those that are not known become Extra.
func (v *EmbeddedResource) UnmarshalJSON(text []byte) (err error) {
	type plain EmbeddedResource
	if err = decodeOpen(text, (*plain)(v), embeddedResourceMembers); err != nil {
		return err
	}
	v.Extra, err = extraMembers(text, embeddedResourceMembers)
	return err
}

// EmptyResult: Common result fields.
// Revisions: all.
type EmptyResult = Result

// EnumOption: Revisions: from 2025-11-25 on.
type EnumOption struct {
	// The enum value.
	Const string `json:"const"`

	// Display label for this option.
	Title string `json:"title"`

	// Extra has the members that are not above.
	Extra map[string]json.RawMessage `json:"-"`
}

var enumOptionMembers = []string{"const", "title"}

// MarshalJSON writes the members, and those in Extra.
func (v EnumOption) MarshalJSON() ([]byte, error) {
	type plain EnumOption
	return encodeOpen(plain(v), v.Extra, enumOptionMembers)
}

// UnmarshalJSON reads the members; those that are not known become Extra.
func (v *EnumOption) UnmarshalJSON(text []byte) (err error) {
	type plain EnumOption
	if err = decodeOpen(text, (*plain)(v), enumOptionMembers); err != nil {
		return err
	}
	v.Extra, err = extraMembers(text, enumOptionMembers)
	return err
}

// EnumSchema: Revisions: from 2025-11-25 on.
type EnumSchema struct {
	// Optional default value.
	Default json.RawMessage `json:"default,omitempty"`

	// Optional description for the enum field.
	Description string `json:"description,omitempty"`

	// Array of enum values to choose from.
	Enum []string `json:"enum,omitempty"`

	// Optional title for the enum field.
	Title string `json:"title,omitempty"`

	Type string `json:"type"`

	// Array of enum options with values and display labels.
	OneOf []EnumOption `json:"oneOf,omitempty"`

	// Schema for the array items.
	Items json.RawMessage `json:"items,omitempty"`

	// Maximum number of items to select.
	MaxItems *int64 `json:"maxItems,omitempty"`

	// Minimum number of items to select.
	MinItems *int64 `json:"minItems,omitempty"`

	// (Legacy) Display names for enum values. Non-standard according to JSON schema 2020-12.
	EnumNames []string `json:"enumNames,omitempty"`

	// Extra has the members that are not above.
	Extra map[string]json.RawMessage `json:"-"`
}

var enumSchemaMembers = []string{"default", "description", "enum", "title", "type", "oneOf", "items", "maxItems", "minItems", "enumNames"}

// MarshalJSON writes the members, and those in Extra.
func (v EnumSchema) MarshalJSON() ([]byte, error) {
	type plain EnumSchema
	return encodeOpen(plain(v), v.Extra, enumSchemaMembers)
}

// UnmarshalJSON reads the members; those that are not known become Extra.
func (v *EnumSchema) UnmarshalJSON(text []byte) (err error) {
	type plain EnumSchema
	if err = decodeOpen(text, (*plain)(v), enumSchemaMembers); err != nil {
		return err
	}
	v.Extra, err = extraMembers(text, enumSchemaMembers)
	return err
}

// GetPromptRequestParams: Parameters for a `prompts/get` request.
// Revisions: all.
type GetPromptRequestParams struct {
	// Metadata of the protocol, of extensions and of applications.
	Meta map[string]any `json:"_meta,omitempty"`

	// Arguments to use for templating the prompt.
	Arguments map[string]string `json:"arguments,omitempty"`

	InputResponses map[string]InputResponse `json:"inputResponses,omitempty"`

	// The name of the prompt or prompt template.
	Name string `json:"name"`

	RequestState string `json:"requestState,omitempty"`

	// Extra has the members that are not above.
	Extra map[string]json.RawMessage `json:"-"`
}

var getPromptRequestParamsMembers = []string{"_meta", "arguments", "inputResponses", "name", "requestState"}

// MarshalJSON writes the members, and those in Extra.
func (v GetPromptRequestParams) MarshalJSON() ([]byte, error) {
	type plain GetPromptRequestParams
	return encodeOpen(plain(v), v.Extra, getPromptRequestParamsMembers)
}

// UnmarshalJSON reads the members; those that are not known become Extra.
func (v *GetPromptRequestParams) UnmarshalJSON(text []byte) (err error) {
	type plain GetPromptRequestParams
	if err = decodeOpen(text, (*plain)(v), getPromptRequestParamsMembers); err != nil {
		return err
	}
	v.Extra, err = extraMembers(text, getPromptRequestParamsMembers)
	return err
}

// GetPromptResult: The result returned by the server for a prompts/get request.
// Revisions: all.
type GetPromptResult struct {
	// Metadata of the protocol, of extensions and of applications.
	Meta map[string]any `json:"_meta,omitempty"`

	// An optional description for the prompt.
	Description string `json:"description,omitempty"`

	Messages []PromptMessage `json:"messages"`

	// Indicates the type of the result, which allows the client to determine how to parse the result object.
	ResultType string `json:"resultType,omitempty"`

	// Extra has the members that are not above.
	Extra map[string]json.RawMessage `json:"-"`
}

var getPromptResultMembers = []string{"_meta", "description", "messages", "resultType"}

// MarshalJSON writes the members, and those in Extra.
func (v GetPromptResult) MarshalJSON() ([]byte, error) {
	type plain GetPromptResult
	if v.Messages == nil {
		v.Messages = []PromptMessage{}
	}
	return encodeOpen(plain(v), v.Extra, getPromptResultMembers)
}

// UnmarshalJSON reads the members; those that are not known become Extra.
func (v *GetPromptResult) UnmarshalJSON(text []byte) (err error) {
	type plain GetPromptResult
	if err = decodeOpen(text, (*plain)(v), getPromptResultMembers); err != nil {
		return err
	}
	v.Extra, err = extraMembers(text, getPromptResultMembers)
	return err
}

// GetTaskPayloadRequestParams: Revision: 2025-11-25.
type GetTaskPayloadRequestParams struct {
	// The task identifier to retrieve results for.
	TaskID string `json:"taskId"`

	// Extra has the members that are not above.
	Extra map[string]json.RawMessage `json:"-"`
}

var getTaskPayloadRequestParamsMembers = []string{"taskId"}

// MarshalJSON writes the members, and those in Extra.
func (v GetTaskPayloadRequestParams) MarshalJSON() ([]byte, error) {
	type plain GetTaskPayloadRequestParams
	return encodeOpen(plain(v), v.Extra, getTaskPayloadRequestParamsMembers)
}

// UnmarshalJSON reads the members; those that are not known become Extra.
func (v *GetTaskPayloadRequestParams) UnmarshalJSON(text []byte) (err error) {
	type plain GetTaskPayloadRequestParams
	if err = decodeOpen(text, (*plain)(v), getTaskPayloadRequestParamsMembers); err != nil {
		return err
	}
	v.Extra, err = extraMembers(text, getTaskPayloadRequestParamsMembers)
	return err
}

// GetTaskPayloadResult: The response to a tasks/result request. The structure matches the result type of the original
// request. For example, a tools/call task would return the CallToolResult structure.
// Revision: 2025-11-25.
type GetTaskPayloadResult struct {
	// Metadata of the protocol, of extensions and of applications.
	Meta map[string]any `json:"_meta,omitempty"`

	// Extra has the members that are not above.
	Extra map[string]json.RawMessage `json:"-"`
}

var getTaskPayloadResultMembers = []string{"_meta"}

// MarshalJSON writes the members, and those in Extra.
func (v GetTaskPayloadResult) MarshalJSON() ([]byte, error) {
	type plain GetTaskPayloadResult
	return encodeOpen(plain(v), v.Extra, getTaskPayloadResultMembers)
}

// UnmarshalJSON reads the members; those that are not known become Extra.
func (v *GetTaskPayloadResult) UnmarshalJSON(text []byte) (err error) {
	type plain GetTaskPayloadResult
	if err = decodeOpen(text, (*plain)(v), getTaskPayloadResultMembers); err != nil {
		return err
	}
	v.Extra, err = extraMembers(text, getTaskPayloadResultMembers)
	return err
}

// GetTaskRequestParams: Revision: 2025-11-25.
type GetTaskRequestParams struct {
	// The task identifier to query.
	TaskID string `json:"taskId"`

	// Extra has the members that are not above.
	Extra map[string]json.RawMessage `json:"-"`
}

var getTaskRequestParamsMembers = []string{"taskId"}

// MarshalJSON writes the members, and those in Extra.
func (v GetTaskRequestParams) MarshalJSON() ([]byte, error) {
	type plain GetTaskRequestParams
	return encodeOpen(plain(v), v.Extra, getTaskRequestParamsMembers)
}

// UnmarshalJSON reads the members; those that are not known become Extra.
func (v *GetTaskRequestParams) UnmarshalJSON(text []byte) (err error) {
	type plain GetTaskRequestParams
	if err = decodeOpen(text, (*plain)(v), getTaskRequestParamsMembers); err != nil {
		return err
	}
	v.Extra, err = extraMembers(text, getTaskRequestParamsMembers)
	return err
}

// GetTaskResult: The response to a tasks/get request.
// Revision: 2025-11-25.
type GetTaskResult struct {
	// Metadata of the protocol, of extensions and of applications.
	Meta map[string]any `json:"_meta,omitempty"`

	// ISO 8601 timestamp when the task was created.
	CreatedAt string `json:"createdAt"`

	// ISO 8601 timestamp when the task was last updated.
	LastUpdatedAt string `json:"lastUpdatedAt"`

	// Suggested polling interval in milliseconds.
	PollInterval *int64 `json:"pollInterval,omitempty"`

	// Current task state.
	Status TaskStatus `json:"status"`

	// Optional human-readable message describing the current task state. This can provide context for any status,
	// including: - Reasons for "cancelled" status - Summaries for "completed" status - Diagnostic information for "failed"
	// status (e.g., error details, what went wrong)
	StatusMessage string `json:"statusMessage,omitempty"`

	// The task identifier.
	TaskID string `json:"taskId"`

	// Actual retention duration from creation in milliseconds, null for unlimited.
	TTL *int64 `json:"ttl"`

	// Extra has the members that are not above.
	Extra map[string]json.RawMessage `json:"-"`
}

var getTaskResultMembers = []string{"_meta", "createdAt", "lastUpdatedAt", "pollInterval", "status", "statusMessage", "taskId", "ttl"}

// MarshalJSON writes the members, and those in Extra.
func (v GetTaskResult) MarshalJSON() ([]byte, error) {
	type plain GetTaskResult
	return encodeOpen(plain(v), v.Extra, getTaskResultMembers)
}

// UnmarshalJSON reads the members; those that are not known become Extra.
func (v *GetTaskResult) UnmarshalJSON(text []byte) (err error) {
	type plain GetTaskResult
	if err = decodeOpen(text, (*plain)(v), getTaskResultMembers); err != nil {
		return err
	}
	v.Extra, err = extraMembers(text, getTaskResultMembers)
	return err
}

// Icon: An optionally-sized icon that can be displayed in a user interface.
// Revisions: from 2025-11-25 on.
type Icon struct {
	// Optional MIME type override if the source MIME type is missing or generic. For example: `"image/png"`,
	// `"image/jpeg"`, or `"image/svg+xml"`.
	MimeType string `json:"mimeType,omitempty"`

	// Optional array of strings that specify sizes at which the icon can be used. Each string should be in WxH format
	// (e.g., `"48x48"`, `"96x96"`) or `"any"` for scalable formats like SVG.
	Sizes []string `json:"sizes,omitempty"`

	// A standard URI pointing to an icon resource. May be an HTTP/HTTPS URL or a `data:` URI with Base64-encoded image
	// data.
	Src string `json:"src"`

	// Optional specifier for the theme this icon is designed for. `"light"` indicates the icon is designed to be used with
	// a light background, and `"dark"` indicates the icon is designed to be used with a dark background.
	Theme string `json:"theme,omitempty"`

	// Extra has the members that are not above.
	Extra map[string]json.RawMessage `json:"-"`
}

var iconMembers = []string{"mimeType", "sizes", "src", "theme"}

// MarshalJSON writes the members, and those in Extra.
func (v Icon) MarshalJSON() ([]byte, error) {
	type plain Icon
	return encodeOpen(plain(v), v.Extra, iconMembers)
}

// UnmarshalJSON reads the members; those that are not known become Extra.
func (v *Icon) UnmarshalJSON(text []byte) (err error) {
	type plain Icon
	if err = decodeOpen(text, (*plain)(v), iconMembers); err != nil {
		return err
	}
	v.Extra, err = extraMembers(text, iconMembers)
	return err
}

// ImageContent: An image provided to or from an LLM.
// Revisions: all.
type ImageContent struct {
	// Metadata of the protocol, of extensions and of applications.
	Meta map[string]any `json:"_meta,omitempty"`

	// Optional annotations for the client.
	Annotations *Annotations `json:"annotations,omitempty"`

	// The base64-encoded image data.
	Data string `json:"data"`

	// The MIME type of the image. Different providers may support different image types.
	MimeType string `json:"mimeType"`

	// Extra has the members that are not above.
	Extra map[string]json.RawMessage `json:"-"`
}

func (*ImageContent) isContentBlock() {}

func (*ImageContent) isSamplingMessageContentBlock() {}

var imageContentMembers = []string{"_meta", "annotations", "data", "mimeType", "type"}

// MarshalJSON writes the members, and those in Extra.
func (v ImageContent) MarshalJSON() ([]byte, error) {
	type plain ImageContent
	return encodeOpen(struct {
		Tag string `json:"type"`
		plain
	}{"image", plain(v)}, v.Extra, imageContentMembers)
}

// UnmarshalJSON reads the members; those that are not known become Extra.
func (v *ImageContent) UnmarshalJSON(text []byte) (err error) {
	type plain ImageContent
	if err = decodeOpen(text, (*plain)(v), imageContentMembers); err != nil {
		return err
	}
	v.Extra, err = extraMembers(text, imageContentMembers)
	return err
}

// Implementation: Describes the MCP implementation.
// Revisions: all.
type Implementation struct {
	// An optional human-readable description of what this implementation does.
	Description string `json:"description,omitempty"`

	// Optional set of sized icons that the client can display in a user interface.
	Icons []Icon `json:"icons,omitempty"`

	// Intended for programmatic or logical use, but used as a display name in past specs or fallback (if title isn't
	// present).
	Name string `json:"name"`

	// Intended for UI and end-user contexts — optimized to be human-readable and easily understood, even by those
	// unfamiliar with domain-specific terminology.
	Title string `json:"title,omitempty"`

	// The version of this implementation.
	Version string `json:"version"`

	// An optional URL of the website for this implementation.
	WebsiteURL string `json:"websiteUrl,omitempty"`

	// Extra has the members that are not above.
	Extra map[string]json.RawMessage `json:"-"`
}

var implementationMembers = []string{"description", "icons", "name", "title", "version", "websiteUrl"}

// MarshalJSON writes the members, and those in Extra.
func (v Implementation) MarshalJSON() ([]byte, error) {
	type plain Implementation
	return encodeOpen(plain(v), v.Extra, implementationMembers)
}

// UnmarshalJSON reads the members; those that are not known become Extra.
func (v *Implementation) UnmarshalJSON(text []byte) (err error) {
	type plain Implementation
	if err = decodeOpen(text, (*plain)(v), implementationMembers); err != nil {
		return err
	}
	v.Extra, err = extraMembers(text, implementationMembers)
	return err
}

// InitializeRequestParams: Parameters for an `initialize` request.
// Revisions: 2024-11-05 to 2025-11-25.
type InitializeRequestParams struct {
	// Metadata of the protocol, of extensions and of applications.
	Meta map[string]any `json:"_meta,omitempty"`

	Capabilities ClientCapabilities `json:"capabilities"`

	ClientInfo Implementation `json:"clientInfo"`

	// The latest version of the Model Context Protocol that the client supports. The client MAY decide to support older
	// versions as well.
	ProtocolVersion string `json:"protocolVersion"`

	// Extra has the members that are not above.
	Extra map[string]json.RawMessage `json:"-"`
}

var initializeRequestParamsMembers = []string{"_meta", "capabilities", "clientInfo", "protocolVersion"}

// MarshalJSON writes the members, and those in Extra.
func (v InitializeRequestParams) MarshalJSON() ([]byte, error) {
	type plain InitializeRequestParams
	return encodeOpen(plain(v), v.Extra, initializeRequestParamsMembers)
}

// UnmarshalJSON reads the members; those that are not known become Extra.
func (v *InitializeRequestParams) UnmarshalJSON(text []byte) (err error) {
	type plain InitializeRequestParams
	if err = decodeOpen(text, (*plain)(v), initializeRequestParamsMembers); err != nil {
		return err
	}
	v.Extra, err = extraMembers(text, initializeRequestParamsMembers)
	return err
}

// InitializeResult: After receiving an initialize request from the client, the server sends this response.
// Revisions: 2024-11-05 to 2025-11-25.
type InitializeResult struct {
	// Metadata of the protocol, of extensions and of applications.
	Meta map[string]any `json:"_meta,omitempty"`

	Capabilities ServerCapabilities `json:"capabilities"`

	// Instructions describing how to use the server and its features.
	Instructions string `json:"instructions,omitempty"`

	// The version of the Model Context Protocol that the server wants to use. This may not match the version that the
	// client requested. If the client cannot support this version, it MUST disconnect.
	ProtocolVersion string `json:"protocolVersion"`

	ServerInfo Implementation `json:"serverInfo"`

	// Extra has the members that are not above.
	Extra map[string]json.RawMessage `json:"-"`
}

var initializeResultMembers = []string{"_meta", "capabilities", "instructions", "protocolVersion", "serverInfo"}

// MarshalJSON writes the members, and those in Extra.
func (v InitializeResult) MarshalJSON() ([]byte, error) {
	type plain InitializeResult
	return encodeOpen(plain(v), v.Extra, initializeResultMembers)
}

// UnmarshalJSON reads the members; those that are not known become Extra.
func (v *InitializeResult) UnmarshalJSON(text []byte) (err error) {
	type plain InitializeResult
	if err = decodeOpen(text, (*plain)(v), initializeResultMembers); err != nil {
		return err
	}
	v.Extra, err = extraMembers(text, initializeResultMembers)
	return err
}

// InputRequest: Revision: 2026-07-28.
// It is a [*CreateMessageRequest], [*ListRootsRequest], [*ElicitRequest], or an [*UnknownVariant] of a later revision.
type InputRequest interface{ isInputRequest() }

func (*UnknownVariant) isInputRequest() {}

func decodeInputRequest(text json.RawMessage) (InputRequest, error) {
	switch tag := tagOf(text, "method"); tag {
	case "sampling/createMessage":
		return decodeVariant[CreateMessageRequest](text)
	case "roots/list":
		return decodeVariant[ListRootsRequest](text)
	case "elicitation/create":
		return decodeVariant[ElicitRequest](text)
	default:
		return unknownVariant(tag, text)
	}
}

// InputRequiredResult: An InputRequiredResult sent by the server to indicate that additional input is needed before
// the request can be completed.
// Revision: 2026-07-28.
type InputRequiredResult struct {
	// Metadata of the protocol, of extensions and of applications.
	Meta map[string]any `json:"_meta,omitempty"`

	InputRequests map[string]InputRequest `json:"inputRequests,omitempty"`

	RequestState string `json:"requestState,omitempty"`

	// Indicates the type of the result, which allows the client to determine how to parse the result object.
	ResultType string `json:"resultType"`

	// Extra has the members that are not above.
	Extra map[string]json.RawMessage `json:"-"`
}

var inputRequiredResultMembers = []string{"_meta", "inputRequests", "requestState", "resultType"}

// MarshalJSON writes the members, and those in Extra.
func (v InputRequiredResult) MarshalJSON() ([]byte, error) {
	type plain InputRequiredResult
	return encodeOpen(plain(v), v.Extra, inputRequiredResultMembers)
}

// UnmarshalJSON reads the members; those that are not known become Extra.
func (v *InputRequiredResult) UnmarshalJSON(text []byte) (err error) {
	type plain InputRequiredResult
	in := struct {
		*plain
		InputRequests map[string]json.RawMessage `json:"inputRequests"`
	}{plain: (*plain)(v)}
	if err = decodeOpen(text, &in, inputRequiredResultMembers); err != nil {
		return err
	}
	if v.InputRequests, err = decodeMembers(in.InputRequests, decodeInputRequest); err != nil {
		return err
	}
	v.Extra, err = extraMembers(text, inputRequiredResultMembers)
	return err
}

// InputResponse: Revision: 2026-07-28.
type InputResponse struct {
	// Metadata of the protocol, of extensions and of applications.
	Meta map[string]any `json:"_meta,omitempty"`

	Content json.RawMessage `json:"content,omitempty"`

	// The name of the model that generated the message.
	Model string `json:"model,omitempty"`

	Role Role `json:"role,omitempty"`

	// The reason why sampling stopped, if known.
	StopReason string `json:"stopReason,omitempty"`

	Roots []Root `json:"roots,omitempty"`

	// The user action in response to the elicitation. - `"accept"`: User submitted the form/confirmed the action -
	// `"decline"`: User explicitly declined the action - `"cancel"`: User dismissed without making an explicit choice
	Action string `json:"action,omitempty"`

	// Extra has the members that are not above.
	Extra map[string]json.RawMessage `json:"-"`
}

var inputResponseMembers = []string{"_meta", "content", "model", "role", "stopReason", "roots", "action"}

// MarshalJSON writes the members, and those in Extra.
func (v InputResponse) MarshalJSON() ([]byte, error) {
	type plain InputResponse
	return encodeOpen(plain(v), v.Extra, inputResponseMembers)
}

// UnmarshalJSON reads the members; those that are not known become Extra.
func (v *InputResponse) UnmarshalJSON(text []byte) (err error) {
	type plain InputResponse
	if err = decodeOpen(text, (*plain)(v), inputResponseMembers); err != nil {
		return err
	}
	v.Extra, err = extraMembers(text, inputResponseMembers)
	return err
}

// InputResponseRequestParams: Revision: 2026-07-28.
type InputResponseRequestParams struct {
	// Metadata of the protocol, of extensions and of applications.
	Meta map[string]any `json:"_meta,omitempty"`

	InputResponses map[string]InputResponse `json:"inputResponses,omitempty"`

	RequestState string `json:"requestState,omitempty"`

	// Extra has the members that are not above.
	Extra map[string]json.RawMessage `json:"-"`
}

var inputResponseRequestParamsMembers = []string{"_meta", "inputResponses", "requestState"}

// MarshalJSON writes the members, and those in Extra.
func (v InputResponseRequestParams) MarshalJSON() ([]byte, error) {
	type plain InputResponseRequestParams
	return encodeOpen(plain(v), v.Extra, inputResponseRequestParamsMembers)
}

// UnmarshalJSON reads the members; those that are not known become Extra.
func (v *InputResponseRequestParams) UnmarshalJSON(text []byte) (err error) {
	type plain InputResponseRequestParams
	if err = decodeOpen(text, (*plain)(v), inputResponseRequestParamsMembers); err != nil {
		return err
	}
	v.Extra, err = extraMembers(text, inputResponseRequestParamsMembers)
	return err
}

// LegacyTitledEnumSchema: Use TitledSingleSelectEnumSchema instead. This interface will be removed in a future
// version.
// Revisions: from 2025-06-18 on.
type LegacyTitledEnumSchema struct {
	Default string `json:"default,omitempty"`

	Description string `json:"description,omitempty"`

	Enum []string `json:"enum"`

	// (Legacy) Display names for enum values. Non-standard according to JSON schema 2020-12.
	EnumNames []string `json:"enumNames,omitempty"`

	Title string `json:"title,omitempty"`

	// Extra has the members that are not above.
	Extra map[string]json.RawMessage `json:"-"`
}

var legacyTitledEnumSchemaMembers = []string{"default", "description", "enum", "enumNames", "title", "type"}

// MarshalJSON writes the members, and those in Extra.
func (v LegacyTitledEnumSchema) MarshalJSON() ([]byte, error) {
	type plain LegacyTitledEnumSchema
	if v.Enum == nil {
		v.Enum = []string{}
	}
	return encodeOpen(struct {
		Tag string `json:"type"`
		plain
	}{"string", plain(v)}, v.Extra, legacyTitledEnumSchemaMembers)
}

// UnmarshalJSON reads the members; those that are not known become Extra.
func (v *LegacyTitledEnumSchema) UnmarshalJSON(text []byte) (err error) {
	type plain LegacyTitledEnumSchema
	if err = decodeOpen(text, (*plain)(v), legacyTitledEnumSchemaMembers); err != nil {
		return err
	}
	v.Extra, err = extraMembers(text, legacyTitledEnumSchemaMembers)
	return err
}

// ListPromptsResult: The result returned by the server for a prompts/list request.
// Revisions: all.
type ListPromptsResult struct {
	// Metadata of the protocol, of extensions and of applications.
	Meta map[string]any `json:"_meta,omitempty"`

	// Indicates the intended scope of the cached response, analogous to HTTP `Cache-Control: public` vs `Cache-Control:
	// private`.
	CacheScope string `json:"cacheScope,omitempty"`

	// An opaque token representing the pagination position after the last returned result. If present, there may be more
	// results available.
	NextCursor string `json:"nextCursor,omitempty"`

	Prompts []Prompt `json:"prompts"`

	// Indicates the type of the result, which allows the client to determine how to parse the result object.
	ResultType string `json:"resultType,omitempty"`

	// A hint from the server indicating how long (in milliseconds) the client MAY cache this response before re-fetching.
	// Semantics are analogous to HTTP Cache-Control max-age.
	TTLMs *int64 `json:"ttlMs,omitempty"`

	// Extra has the members that are not above.
	Extra map[string]json.RawMessage `json:"-"`
}

var listPromptsResultMembers = []string{"_meta", "cacheScope", "nextCursor", "prompts", "resultType", "ttlMs"}

// MarshalJSON writes the members, and those in Extra.
func (v ListPromptsResult) MarshalJSON() ([]byte, error) {
	type plain ListPromptsResult
	if v.Prompts == nil {
		v.Prompts = []Prompt{}
	}
	return encodeOpen(plain(v), v.Extra, listPromptsResultMembers)
}

// UnmarshalJSON reads the members; those that are not known become Extra.
func (v *ListPromptsResult) UnmarshalJSON(text []byte) (err error) {
	type plain ListPromptsResult
	if err = decodeOpen(text, (*plain)(v), listPromptsResultMembers); err != nil {
		return err
	}
	v.Extra, err = extraMembers(text, listPromptsResultMembers)
	return err
}

// ListResourceTemplatesResult: The result returned by the server for a resources/templates/list request.
// Revisions: all.
type ListResourceTemplatesResult struct {
	// Metadata of the protocol, of extensions and of applications.
	Meta map[string]any `json:"_meta,omitempty"`

	// Indicates the intended scope of the cached response, analogous to HTTP `Cache-Control: public` vs `Cache-Control:
	// private`.
	CacheScope string `json:"cacheScope,omitempty"`

	// An opaque token representing the pagination position after the last returned result. If present, there may be more
	// results available.
	NextCursor string `json:"nextCursor,omitempty"`

	ResourceTemplates []ResourceTemplate `json:"resourceTemplates"`

	// Indicates the type of the result, which allows the client to determine how to parse the result object.
	ResultType string `json:"resultType,omitempty"`

	// A hint from the server indicating how long (in milliseconds) the client MAY cache this response before re-fetching.
	// Semantics are analogous to HTTP Cache-Control max-age.
	TTLMs *int64 `json:"ttlMs,omitempty"`

	// Extra has the members that are not above.
	Extra map[string]json.RawMessage `json:"-"`
}

var listResourceTemplatesResultMembers = []string{"_meta", "cacheScope", "nextCursor", "resourceTemplates", "resultType", "ttlMs"}

// MarshalJSON writes the members, and those in Extra.
func (v ListResourceTemplatesResult) MarshalJSON() ([]byte, error) {
	type plain ListResourceTemplatesResult
	if v.ResourceTemplates == nil {
		v.ResourceTemplates = []ResourceTemplate{}
	}
	return encodeOpen(plain(v), v.Extra, listResourceTemplatesResultMembers)
}

// UnmarshalJSON reads the members; those that are not known become Extra.
func (v *ListResourceTemplatesResult) UnmarshalJSON(text []byte) (err error) {
	type plain ListResourceTemplatesResult
	if err = decodeOpen(text, (*plain)(v), listResourceTemplatesResultMembers); err != nil {
		return err
	}
	v.Extra, err = extraMembers(text, listResourceTemplatesResultMembers)
	return err
}

// ListResourcesResult: The result returned by the server for a resources/list request.
// Revisions: all.
type ListResourcesResult struct {
	// Metadata of the protocol, of extensions and of applications.
	Meta map[string]any `json:"_meta,omitempty"`

	// Indicates the intended scope of the cached response, analogous to HTTP `Cache-Control: public` vs `Cache-Control:
	// private`.
	CacheScope string `json:"cacheScope,omitempty"`

	// An opaque token representing the pagination position after the last returned result. If present, there may be more
	// results available.
	NextCursor string `json:"nextCursor,omitempty"`

	Resources []Resource `json:"resources"`

	// Indicates the type of the result, which allows the client to determine how to parse the result object.
	ResultType string `json:"resultType,omitempty"`

	// A hint from the server indicating how long (in milliseconds) the client MAY cache this response before re-fetching.
	// Semantics are analogous to HTTP Cache-Control max-age.
	TTLMs *int64 `json:"ttlMs,omitempty"`

	// Extra has the members that are not above.
	Extra map[string]json.RawMessage `json:"-"`
}

var listResourcesResultMembers = []string{"_meta", "cacheScope", "nextCursor", "resources", "resultType", "ttlMs"}

// MarshalJSON writes the members, and those in Extra.
func (v ListResourcesResult) MarshalJSON() ([]byte, error) {
	type plain ListResourcesResult
	if v.Resources == nil {
		v.Resources = []Resource{}
	}
	return encodeOpen(plain(v), v.Extra, listResourcesResultMembers)
}

// UnmarshalJSON reads the members; those that are not known become Extra.
func (v *ListResourcesResult) UnmarshalJSON(text []byte) (err error) {
	type plain ListResourcesResult
	if err = decodeOpen(text, (*plain)(v), listResourcesResultMembers); err != nil {
		return err
	}
	v.Extra, err = extraMembers(text, listResourcesResultMembers)
	return err
}

// ListRootsRequest: Sent from the server to request a list of root URIs from the client. Roots allow servers to ask
// for specific directories or files to operate on. A common example for roots is providing a set of repositories or
// directories a server should operate on.
// Revision: 2026-07-28.
//
// Deprecated: 2026-07-28 deprecates sampling, roots and log messages (SEP-2577). They work in every revision that has
// them.
type ListRootsRequest struct {
	Params json.RawMessage `json:"params,omitempty"`

	// Extra has the members that are not above.
	Extra map[string]json.RawMessage `json:"-"`
}

func (*ListRootsRequest) isInputRequest() {}

var listRootsRequestMembers = []string{"method", "params"}

// MarshalJSON writes the members, and those in Extra.
func (v ListRootsRequest) MarshalJSON() ([]byte, error) {
	type plain ListRootsRequest
	return encodeOpen(struct {
		Tag string `json:"method"`
		plain
	}{"roots/list", plain(v)}, v.Extra, listRootsRequestMembers)
}

// UnmarshalJSON reads the members; those that are not known become Extra.
func (v *ListRootsRequest) UnmarshalJSON(text []byte) (err error) {
	type plain ListRootsRequest
	if err = decodeOpen(text, (*plain)(v), listRootsRequestMembers); err != nil {
		return err
	}
	v.Extra, err = extraMembers(text, listRootsRequestMembers)
	return err
}

// ListRootsResult: The result returned by the client for a roots/list request. This result contains an array of Root
// objects, each representing a root directory or file that the server can operate on.
// Revisions: all.
//
// Deprecated: 2026-07-28 deprecates sampling, roots and log messages (SEP-2577). They work in every revision that has
// them.
type ListRootsResult struct {
	// Metadata of the protocol, of extensions and of applications.
	Meta map[string]any `json:"_meta,omitempty"`

	Roots []Root `json:"roots"`

	// Extra has the members that are not above.
	Extra map[string]json.RawMessage `json:"-"`
}

var listRootsResultMembers = []string{"_meta", "roots"}

// MarshalJSON writes the members, and those in Extra.
func (v ListRootsResult) MarshalJSON() ([]byte, error) {
	type plain ListRootsResult
	if v.Roots == nil {
		v.Roots = []Root{}
	}
	return encodeOpen(plain(v), v.Extra, listRootsResultMembers)
}

// UnmarshalJSON reads the members; those that are not known become Extra.
func (v *ListRootsResult) UnmarshalJSON(text []byte) (err error) {
	type plain ListRootsResult
	if err = decodeOpen(text, (*plain)(v), listRootsResultMembers); err != nil {
		return err
	}
	v.Extra, err = extraMembers(text, listRootsResultMembers)
	return err
}

// ListTasksResult: The response to a tasks/list request.
// Revision: 2025-11-25.
type ListTasksResult struct {
	// Metadata of the protocol, of extensions and of applications.
	Meta map[string]any `json:"_meta,omitempty"`

	// An opaque token representing the pagination position after the last returned result. If present, there may be more
	// results available.
	NextCursor string `json:"nextCursor,omitempty"`

	Tasks []Task `json:"tasks"`

	// Extra has the members that are not above.
	Extra map[string]json.RawMessage `json:"-"`
}

var listTasksResultMembers = []string{"_meta", "nextCursor", "tasks"}

// MarshalJSON writes the members, and those in Extra.
func (v ListTasksResult) MarshalJSON() ([]byte, error) {
	type plain ListTasksResult
	if v.Tasks == nil {
		v.Tasks = []Task{}
	}
	return encodeOpen(plain(v), v.Extra, listTasksResultMembers)
}

// UnmarshalJSON reads the members; those that are not known become Extra.
func (v *ListTasksResult) UnmarshalJSON(text []byte) (err error) {
	type plain ListTasksResult
	if err = decodeOpen(text, (*plain)(v), listTasksResultMembers); err != nil {
		return err
	}
	v.Extra, err = extraMembers(text, listTasksResultMembers)
	return err
}

// ListToolsResult: The result returned by the server for a tools/list request.
// Revisions: all.
type ListToolsResult struct {
	// Metadata of the protocol, of extensions and of applications.
	Meta map[string]any `json:"_meta,omitempty"`

	// Indicates the intended scope of the cached response, analogous to HTTP `Cache-Control: public` vs `Cache-Control:
	// private`.
	CacheScope string `json:"cacheScope,omitempty"`

	// An opaque token representing the pagination position after the last returned result. If present, there may be more
	// results available.
	NextCursor string `json:"nextCursor,omitempty"`

	// Indicates the type of the result, which allows the client to determine how to parse the result object.
	ResultType string `json:"resultType,omitempty"`

	Tools []Tool `json:"tools"`

	// A hint from the server indicating how long (in milliseconds) the client MAY cache this response before re-fetching.
	// Semantics are analogous to HTTP Cache-Control max-age.
	TTLMs *int64 `json:"ttlMs,omitempty"`

	// Extra has the members that are not above.
	Extra map[string]json.RawMessage `json:"-"`
}

var listToolsResultMembers = []string{"_meta", "cacheScope", "nextCursor", "resultType", "tools", "ttlMs"}

// MarshalJSON writes the members, and those in Extra.
func (v ListToolsResult) MarshalJSON() ([]byte, error) {
	type plain ListToolsResult
	if v.Tools == nil {
		v.Tools = []Tool{}
	}
	return encodeOpen(plain(v), v.Extra, listToolsResultMembers)
}

// UnmarshalJSON reads the members; those that are not known become Extra.
func (v *ListToolsResult) UnmarshalJSON(text []byte) (err error) {
	type plain ListToolsResult
	if err = decodeOpen(text, (*plain)(v), listToolsResultMembers); err != nil {
		return err
	}
	v.Extra, err = extraMembers(text, listToolsResultMembers)
	return err
}

// LoggingLevel: The severity of a log message.
// Revisions: all.
//
// Deprecated: 2026-07-28 deprecates sampling, roots and log messages (SEP-2577). They work in every revision that has
// them.
type LoggingLevel string

// LoggingLevelAlert is one of the values.
const LoggingLevelAlert LoggingLevel = "alert"

// LoggingLevelCritical is one of the values.
const LoggingLevelCritical LoggingLevel = "critical"

// LoggingLevelDebug is one of the values.
const LoggingLevelDebug LoggingLevel = "debug"

// LoggingLevelEmergency is one of the values.
const LoggingLevelEmergency LoggingLevel = "emergency"

// LoggingLevelError is one of the values.
const LoggingLevelError LoggingLevel = "error"

// LoggingLevelInfo is one of the values.
const LoggingLevelInfo LoggingLevel = "info"

// LoggingLevelNotice is one of the values.
const LoggingLevelNotice LoggingLevel = "notice"

// LoggingLevelWarning is one of the values.
const LoggingLevelWarning LoggingLevel = "warning"

// LoggingMessageNotificationParams: Parameters for a `notifications/message` notification.
// Revisions: all.
//
// Deprecated: 2026-07-28 deprecates sampling, roots and log messages (SEP-2577). They work in every revision that has
// them.
type LoggingMessageNotificationParams struct {
	// Metadata of the protocol, of extensions and of applications.
	Meta map[string]any `json:"_meta,omitempty"`

	// The data to be logged, such as a string message or an object. Any JSON serializable type is allowed here.
	Data json.RawMessage `json:"data"`

	// The severity of this log message.
	Level LoggingLevel `json:"level"`

	// An optional name of the logger issuing this message.
	Logger string `json:"logger,omitempty"`

	// Extra has the members that are not above.
	Extra map[string]json.RawMessage `json:"-"`
}

var loggingMessageNotificationParamsMembers = []string{"_meta", "data", "level", "logger"}

// MarshalJSON writes the members, and those in Extra.
func (v LoggingMessageNotificationParams) MarshalJSON() ([]byte, error) {
	type plain LoggingMessageNotificationParams
	if v.Data == nil {
		v.Data = json.RawMessage("null")
	}
	return encodeOpen(plain(v), v.Extra, loggingMessageNotificationParamsMembers)
}

// UnmarshalJSON reads the members; those that are not known become Extra.
func (v *LoggingMessageNotificationParams) UnmarshalJSON(text []byte) (err error) {
	type plain LoggingMessageNotificationParams
	if err = decodeOpen(text, (*plain)(v), loggingMessageNotificationParamsMembers); err != nil {
		return err
	}
	v.Extra, err = extraMembers(text, loggingMessageNotificationParamsMembers)
	return err
}

// MissingRequiredClientCapabilityErrorData: Revision: 2026-07-28.
type MissingRequiredClientCapabilityErrorData struct {
	// The capabilities the server requires from the client to process this request.
	RequiredCapabilities ClientCapabilities `json:"requiredCapabilities"`

	// Extra has the members that are not above.
	Extra map[string]json.RawMessage `json:"-"`
}

var missingRequiredClientCapabilityErrorDataMembers = []string{"requiredCapabilities"}

// MarshalJSON writes the members, and those in Extra.
func (v MissingRequiredClientCapabilityErrorData) MarshalJSON() ([]byte, error) {
	type plain MissingRequiredClientCapabilityErrorData
	return encodeOpen(plain(v), v.Extra, missingRequiredClientCapabilityErrorDataMembers)
}

// UnmarshalJSON reads the members; those that are not known become Extra.
func (v *MissingRequiredClientCapabilityErrorData) UnmarshalJSON(text []byte) (err error) {
	type plain MissingRequiredClientCapabilityErrorData
	if err = decodeOpen(text, (*plain)(v), missingRequiredClientCapabilityErrorDataMembers); err != nil {
		return err
	}
	v.Extra, err = extraMembers(text, missingRequiredClientCapabilityErrorDataMembers)
	return err
}

// ModelHint: Hints to use for model selection.
// Revisions: all.
//
// Deprecated: 2026-07-28 deprecates sampling, roots and log messages (SEP-2577). They work in every revision that has
// them.
type ModelHint struct {
	// A hint for a model name.
	Name string `json:"name,omitempty"`

	// Extra has the members that are not above.
	Extra map[string]json.RawMessage `json:"-"`
}

var modelHintMembers = []string{"name"}

// MarshalJSON writes the members, and those in Extra.
func (v ModelHint) MarshalJSON() ([]byte, error) {
	type plain ModelHint
	return encodeOpen(plain(v), v.Extra, modelHintMembers)
}

// UnmarshalJSON reads the members; those that are not known become Extra.
func (v *ModelHint) UnmarshalJSON(text []byte) (err error) {
	type plain ModelHint
	if err = decodeOpen(text, (*plain)(v), modelHintMembers); err != nil {
		return err
	}
	v.Extra, err = extraMembers(text, modelHintMembers)
	return err
}

// ModelPreferences: The server's preferences for model selection, requested of the client during sampling.
// Revisions: all.
//
// Deprecated: 2026-07-28 deprecates sampling, roots and log messages (SEP-2577). They work in every revision that has
// them.
type ModelPreferences struct {
	// How much to prioritize cost when selecting a model. A value of 0 means cost is not important, while a value of 1
	// means cost is the most important factor.
	CostPriority *float64 `json:"costPriority,omitempty"`

	// Optional hints to use for model selection.
	Hints []ModelHint `json:"hints,omitempty"`

	// How much to prioritize intelligence and capabilities when selecting a model. A value of 0 means intelligence is not
	// important, while a value of 1 means intelligence is the most important factor.
	IntelligencePriority *float64 `json:"intelligencePriority,omitempty"`

	// How much to prioritize sampling speed (latency) when selecting a model. A value of 0 means speed is not important,
	// while a value of 1 means speed is the most important factor.
	SpeedPriority *float64 `json:"speedPriority,omitempty"`

	// Extra has the members that are not above.
	Extra map[string]json.RawMessage `json:"-"`
}

var modelPreferencesMembers = []string{"costPriority", "hints", "intelligencePriority", "speedPriority"}

// MarshalJSON writes the members, and those in Extra.
func (v ModelPreferences) MarshalJSON() ([]byte, error) {
	type plain ModelPreferences
	return encodeOpen(plain(v), v.Extra, modelPreferencesMembers)
}

// UnmarshalJSON reads the members; those that are not known become Extra.
func (v *ModelPreferences) UnmarshalJSON(text []byte) (err error) {
	type plain ModelPreferences
	if err = decodeOpen(text, (*plain)(v), modelPreferencesMembers); err != nil {
		return err
	}
	v.Extra, err = extraMembers(text, modelPreferencesMembers)
	return err
}

// MultiSelectEnumSchema: Revisions: from 2025-11-25 on.
type MultiSelectEnumSchema struct {
	// Optional default value.
	Default []string `json:"default,omitempty"`

	// Optional description for the enum field.
	Description string `json:"description,omitempty"`

	// Schema for the array items.
	Items json.RawMessage `json:"items"`

	// Maximum number of items to select.
	MaxItems *int64 `json:"maxItems,omitempty"`

	// Minimum number of items to select.
	MinItems *int64 `json:"minItems,omitempty"`

	// Optional title for the enum field.
	Title string `json:"title,omitempty"`

	Type string `json:"type"`

	// Extra has the members that are not above.
	Extra map[string]json.RawMessage `json:"-"`
}

var multiSelectEnumSchemaMembers = []string{"default", "description", "items", "maxItems", "minItems", "title", "type"}

// MarshalJSON writes the members, and those in Extra.
func (v MultiSelectEnumSchema) MarshalJSON() ([]byte, error) {
	type plain MultiSelectEnumSchema
	if v.Items == nil {
		v.Items = json.RawMessage("null")
	}
	return encodeOpen(plain(v), v.Extra, multiSelectEnumSchemaMembers)
}

// UnmarshalJSON reads the members; those that are not known become Extra.
func (v *MultiSelectEnumSchema) UnmarshalJSON(text []byte) (err error) {
	type plain MultiSelectEnumSchema
	if err = decodeOpen(text, (*plain)(v), multiSelectEnumSchemaMembers); err != nil {
		return err
	}
	v.Extra, err = extraMembers(text, multiSelectEnumSchemaMembers)
	return err
}

// NotificationParams: Common params for any notification.
// Revisions: from 2025-11-25 on.
type NotificationParams struct {
	// Metadata of the protocol, of extensions and of applications.
	Meta map[string]any `json:"_meta,omitempty"`

	// Extra has the members that are not above.
	Extra map[string]json.RawMessage `json:"-"`
}

var notificationParamsMembers = []string{"_meta"}

// MarshalJSON writes the members, and those in Extra.
func (v NotificationParams) MarshalJSON() ([]byte, error) {
	type plain NotificationParams
	return encodeOpen(plain(v), v.Extra, notificationParamsMembers)
}

// UnmarshalJSON reads the members; those that are not known become Extra.
func (v *NotificationParams) UnmarshalJSON(text []byte) (err error) {
	type plain NotificationParams
	if err = decodeOpen(text, (*plain)(v), notificationParamsMembers); err != nil {
		return err
	}
	v.Extra, err = extraMembers(text, notificationParamsMembers)
	return err
}

// NumberSchema: Revisions: from 2025-06-18 on.
type NumberSchema struct {
	Default *float64 `json:"default,omitempty"`

	Description string `json:"description,omitempty"`

	Maximum *float64 `json:"maximum,omitempty"`

	Minimum *float64 `json:"minimum,omitempty"`

	Title string `json:"title,omitempty"`

	Type string `json:"type"`

	// Extra has the members that are not above.
	Extra map[string]json.RawMessage `json:"-"`
}

var numberSchemaMembers = []string{"default", "description", "maximum", "minimum", "title", "type"}

// MarshalJSON writes the members, and those in Extra.
func (v NumberSchema) MarshalJSON() ([]byte, error) {
	type plain NumberSchema
	return encodeOpen(plain(v), v.Extra, numberSchemaMembers)
}

// UnmarshalJSON reads the members; those that are not known become Extra.
func (v *NumberSchema) UnmarshalJSON(text []byte) (err error) {
	type plain NumberSchema
	if err = decodeOpen(text, (*plain)(v), numberSchemaMembers); err != nil {
		return err
	}
	v.Extra, err = extraMembers(text, numberSchemaMembers)
	return err
}

// PaginatedRequestParams: Common params for paginated requests.
// Revisions: all.
type PaginatedRequestParams struct {
	// Metadata of the protocol, of extensions and of applications.
	Meta map[string]any `json:"_meta,omitempty"`

	// An opaque token representing the current pagination position. If provided, the server should return results starting
	// after this cursor.
	Cursor string `json:"cursor,omitempty"`

	// Extra has the members that are not above.
	Extra map[string]json.RawMessage `json:"-"`
}

var paginatedRequestParamsMembers = []string{"_meta", "cursor"}

// MarshalJSON writes the members, and those in Extra.
func (v PaginatedRequestParams) MarshalJSON() ([]byte, error) {
	type plain PaginatedRequestParams
	return encodeOpen(plain(v), v.Extra, paginatedRequestParamsMembers)
}

// UnmarshalJSON reads the members; those that are not known become Extra.
func (v *PaginatedRequestParams) UnmarshalJSON(text []byte) (err error) {
	type plain PaginatedRequestParams
	if err = decodeOpen(text, (*plain)(v), paginatedRequestParamsMembers); err != nil {
		return err
	}
	v.Extra, err = extraMembers(text, paginatedRequestParamsMembers)
	return err
}

// PrimitiveSchemaDefinition: Restricted schema definitions that only allow primitive types without nested objects or
// arrays.
// Revisions: from 2025-06-18 on.
type PrimitiveSchemaDefinition struct {
	Default json.RawMessage `json:"default,omitempty"`

	Description string `json:"description,omitempty"`

	Format string `json:"format,omitempty"`

	MaxLength *int64 `json:"maxLength,omitempty"`

	MinLength *int64 `json:"minLength,omitempty"`

	Title string `json:"title,omitempty"`

	Type string `json:"type"`

	Maximum *float64 `json:"maximum,omitempty"`

	Minimum *float64 `json:"minimum,omitempty"`

	// Array of enum values to choose from.
	Enum []string `json:"enum,omitempty"`

	// Array of enum options with values and display labels.
	OneOf []EnumOption `json:"oneOf,omitempty"`

	// Schema for the array items.
	Items json.RawMessage `json:"items,omitempty"`

	// Maximum number of items to select.
	MaxItems *int64 `json:"maxItems,omitempty"`

	// Minimum number of items to select.
	MinItems *int64 `json:"minItems,omitempty"`

	// (Legacy) Display names for enum values. Non-standard according to JSON schema 2020-12.
	EnumNames []string `json:"enumNames,omitempty"`

	// Extra has the members that are not above.
	Extra map[string]json.RawMessage `json:"-"`
}

var primitiveSchemaDefinitionMembers = []string{"default", "description", "format", "maxLength", "minLength", "title", "type", "maximum", "minimum", "enum", "oneOf", "items", "maxItems", "minItems", "enumNames"}

// MarshalJSON writes the members, and those in Extra.
func (v PrimitiveSchemaDefinition) MarshalJSON() ([]byte, error) {
	type plain PrimitiveSchemaDefinition
	return encodeOpen(plain(v), v.Extra, primitiveSchemaDefinitionMembers)
}

// UnmarshalJSON reads the members; those that are not known become Extra.
func (v *PrimitiveSchemaDefinition) UnmarshalJSON(text []byte) (err error) {
	type plain PrimitiveSchemaDefinition
	if err = decodeOpen(text, (*plain)(v), primitiveSchemaDefinitionMembers); err != nil {
		return err
	}
	v.Extra, err = extraMembers(text, primitiveSchemaDefinitionMembers)
	return err
}

// ProgressNotificationParams: Parameters for a notifications/progress notification.
// Revisions: all.
type ProgressNotificationParams struct {
	// Metadata of the protocol, of extensions and of applications.
	Meta map[string]any `json:"_meta,omitempty"`

	// An optional message describing the current progress.
	Message string `json:"message,omitempty"`

	// The progress thus far. This should increase every time progress is made, even if the total is unknown.
	Progress float64 `json:"progress"`

	// The progress token which was given in the initial request, used to associate this notification with the request that
	// is proceeding.
	ProgressToken any `json:"progressToken"`

	// Total number of items to process (or total progress required), if known.
	Total *float64 `json:"total,omitempty"`

	// Extra has the members that are not above.
	Extra map[string]json.RawMessage `json:"-"`
}

var progressNotificationParamsMembers = []string{"_meta", "message", "progress", "progressToken", "total"}

// MarshalJSON writes the members, and those in Extra.
func (v ProgressNotificationParams) MarshalJSON() ([]byte, error) {
	type plain ProgressNotificationParams
	return encodeOpen(plain(v), v.Extra, progressNotificationParamsMembers)
}

// UnmarshalJSON reads the members; those that are not known become Extra.
func (v *ProgressNotificationParams) UnmarshalJSON(text []byte) (err error) {
	type plain ProgressNotificationParams
	if err = decodeOpen(text, (*plain)(v), progressNotificationParamsMembers); err != nil {
		return err
	}
	v.Extra, err = extraMembers(text, progressNotificationParamsMembers)
	return err
}

// Prompt: A prompt or prompt template that the server offers.
// Revisions: all.
type Prompt struct {
	// Metadata of the protocol, of extensions and of applications.
	Meta map[string]any `json:"_meta,omitempty"`

	// A list of arguments to use for templating the prompt.
	Arguments []PromptArgument `json:"arguments,omitempty"`

	// An optional description of what this prompt provides
	Description string `json:"description,omitempty"`

	// Optional set of sized icons that the client can display in a user interface.
	Icons []Icon `json:"icons,omitempty"`

	// Intended for programmatic or logical use, but used as a display name in past specs or fallback (if title isn't
	// present).
	Name string `json:"name"`

	// Intended for UI and end-user contexts — optimized to be human-readable and easily understood, even by those
	// unfamiliar with domain-specific terminology.
	Title string `json:"title,omitempty"`

	// Extra has the members that are not above.
	Extra map[string]json.RawMessage `json:"-"`
}

var promptMembers = []string{"_meta", "arguments", "description", "icons", "name", "title"}

// MarshalJSON writes the members, and those in Extra.
func (v Prompt) MarshalJSON() ([]byte, error) {
	type plain Prompt
	return encodeOpen(plain(v), v.Extra, promptMembers)
}

// UnmarshalJSON reads the members; those that are not known become Extra.
func (v *Prompt) UnmarshalJSON(text []byte) (err error) {
	type plain Prompt
	if err = decodeOpen(text, (*plain)(v), promptMembers); err != nil {
		return err
	}
	v.Extra, err = extraMembers(text, promptMembers)
	return err
}

// PromptArgument: Describes an argument that a prompt can accept.
// Revisions: all.
type PromptArgument struct {
	// A human-readable description of the argument.
	Description string `json:"description,omitempty"`

	// Intended for programmatic or logical use, but used as a display name in past specs or fallback (if title isn't
	// present).
	Name string `json:"name"`

	// Whether this argument must be provided.
	Required bool `json:"required,omitempty"`

	// Intended for UI and end-user contexts — optimized to be human-readable and easily understood, even by those
	// unfamiliar with domain-specific terminology.
	Title string `json:"title,omitempty"`

	// Extra has the members that are not above.
	Extra map[string]json.RawMessage `json:"-"`
}

var promptArgumentMembers = []string{"description", "name", "required", "title"}

// MarshalJSON writes the members, and those in Extra.
func (v PromptArgument) MarshalJSON() ([]byte, error) {
	type plain PromptArgument
	return encodeOpen(plain(v), v.Extra, promptArgumentMembers)
}

// UnmarshalJSON reads the members; those that are not known become Extra.
func (v *PromptArgument) UnmarshalJSON(text []byte) (err error) {
	type plain PromptArgument
	if err = decodeOpen(text, (*plain)(v), promptArgumentMembers); err != nil {
		return err
	}
	v.Extra, err = extraMembers(text, promptArgumentMembers)
	return err
}

// PromptMessage: Describes a message returned as part of a prompt.
// Revisions: all.
type PromptMessage struct {
	Content ContentBlock `json:"content"`

	Role Role `json:"role"`

	// Extra has the members that are not above.
	Extra map[string]json.RawMessage `json:"-"`
}

var promptMessageMembers = []string{"content", "role"}

// MarshalJSON writes the members, and those in Extra.
func (v PromptMessage) MarshalJSON() ([]byte, error) {
	type plain PromptMessage
	return encodeOpen(plain(v), v.Extra, promptMessageMembers)
}

// UnmarshalJSON reads the members; those that are not known become Extra.
func (v *PromptMessage) UnmarshalJSON(text []byte) (err error) {
	type plain PromptMessage
	in := struct {
		*plain
		Content json.RawMessage `json:"content"`
	}{plain: (*plain)(v)}
	if err = decodeOpen(text, &in, promptMessageMembers); err != nil {
		return err
	}
	if v.Content, err = decodeOne(in.Content, decodeContentBlock); err != nil {
		return err
	}
	v.Extra, err = extraMembers(text, promptMessageMembers)
	return err
}

// PromptReference: Identifies a prompt.
// Revisions: all.
type PromptReference struct {
	// Intended for programmatic or logical use, but used as a display name in past specs or fallback (if title isn't
	// present).
	Name string `json:"name"`

	// Intended for UI and end-user contexts — optimized to be human-readable and easily understood, even by those
	// unfamiliar with domain-specific terminology.
	Title string `json:"title,omitempty"`

	// Extra has the members that are not above.
	Extra map[string]json.RawMessage `json:"-"`
}

func (*PromptReference) isReference() {}

var promptReferenceMembers = []string{"name", "title", "type"}

// MarshalJSON writes the members, and those in Extra.
func (v PromptReference) MarshalJSON() ([]byte, error) {
	type plain PromptReference
	return encodeOpen(struct {
		Tag string `json:"type"`
		plain
	}{"ref/prompt", plain(v)}, v.Extra, promptReferenceMembers)
}

// UnmarshalJSON reads the members; those that are not known become Extra.
func (v *PromptReference) UnmarshalJSON(text []byte) (err error) {
	type plain PromptReference
	if err = decodeOpen(text, (*plain)(v), promptReferenceMembers); err != nil {
		return err
	}
	v.Extra, err = extraMembers(text, promptReferenceMembers)
	return err
}

// ReadResourceRequestParams: Parameters for a `resources/read` request.
// Revisions: all.
type ReadResourceRequestParams struct {
	// Metadata of the protocol, of extensions and of applications.
	Meta map[string]any `json:"_meta,omitempty"`

	InputResponses map[string]InputResponse `json:"inputResponses,omitempty"`

	RequestState string `json:"requestState,omitempty"`

	// The URI of the resource. The URI can use any protocol; it is up to the server how to interpret it.
	URI string `json:"uri"`

	// Extra has the members that are not above.
	Extra map[string]json.RawMessage `json:"-"`
}

var readResourceRequestParamsMembers = []string{"_meta", "inputResponses", "requestState", "uri"}

// MarshalJSON writes the members, and those in Extra.
func (v ReadResourceRequestParams) MarshalJSON() ([]byte, error) {
	type plain ReadResourceRequestParams
	return encodeOpen(plain(v), v.Extra, readResourceRequestParamsMembers)
}

// UnmarshalJSON reads the members; those that are not known become Extra.
func (v *ReadResourceRequestParams) UnmarshalJSON(text []byte) (err error) {
	type plain ReadResourceRequestParams
	if err = decodeOpen(text, (*plain)(v), readResourceRequestParamsMembers); err != nil {
		return err
	}
	v.Extra, err = extraMembers(text, readResourceRequestParamsMembers)
	return err
}

// ReadResourceResult: The result returned by the server for a resources/read request.
// Revisions: all.
type ReadResourceResult struct {
	// Metadata of the protocol, of extensions and of applications.
	Meta map[string]any `json:"_meta,omitempty"`

	// Indicates the intended scope of the cached response, analogous to HTTP `Cache-Control: public` vs `Cache-Control:
	// private`.
	CacheScope string `json:"cacheScope,omitempty"`

	Contents []ResourceContents `json:"contents"`

	// Indicates the type of the result, which allows the client to determine how to parse the result object.
	ResultType string `json:"resultType,omitempty"`

	// A hint from the server indicating how long (in milliseconds) the client MAY cache this response before re-fetching.
	// Semantics are analogous to HTTP Cache-Control max-age.
	TTLMs *int64 `json:"ttlMs,omitempty"`

	// Extra has the members that are not above.
	Extra map[string]json.RawMessage `json:"-"`
}

var readResourceResultMembers = []string{"_meta", "cacheScope", "contents", "resultType", "ttlMs"}

// MarshalJSON writes the members, and those in Extra.
func (v ReadResourceResult) MarshalJSON() ([]byte, error) {
	type plain ReadResourceResult
	if v.Contents == nil {
		v.Contents = []ResourceContents{}
	}
	return encodeOpen(plain(v), v.Extra, readResourceResultMembers)
}

// UnmarshalJSON reads the members; those that are not known become Extra.
func (v *ReadResourceResult) UnmarshalJSON(text []byte) (err error) {
	type plain ReadResourceResult
	if err = decodeOpen(text, (*plain)(v), readResourceResultMembers); err != nil {
		return err
	}
	v.Extra, err = extraMembers(text, readResourceResultMembers)
	return err
}

// Reference: Revisions: all.
// It is a [*PromptReference], [*ResourceTemplateReference], or an [*UnknownVariant] of a later revision.
type Reference interface{ isReference() }

func (*UnknownVariant) isReference() {}

func decodeReference(text json.RawMessage) (Reference, error) {
	switch tag := tagOf(text, "type"); tag {
	case "ref/prompt":
		return decodeVariant[PromptReference](text)
	case "ref/resource":
		return decodeVariant[ResourceTemplateReference](text)
	default:
		return unknownVariant(tag, text)
	}
}

// RelatedTaskMetadata: Metadata for associating messages with a task. Include this in the `_meta` field under the key
// `io.modelcontextprotocol/related-task`.
// Revision: 2025-11-25.
type RelatedTaskMetadata struct {
	// The task identifier this message is associated with.
	TaskID string `json:"taskId"`

	// Extra has the members that are not above.
	Extra map[string]json.RawMessage `json:"-"`
}

var relatedTaskMetadataMembers = []string{"taskId"}

// MarshalJSON writes the members, and those in Extra.
func (v RelatedTaskMetadata) MarshalJSON() ([]byte, error) {
	type plain RelatedTaskMetadata
	return encodeOpen(plain(v), v.Extra, relatedTaskMetadataMembers)
}

// UnmarshalJSON reads the members; those that are not known become Extra.
func (v *RelatedTaskMetadata) UnmarshalJSON(text []byte) (err error) {
	type plain RelatedTaskMetadata
	if err = decodeOpen(text, (*plain)(v), relatedTaskMetadataMembers); err != nil {
		return err
	}
	v.Extra, err = extraMembers(text, relatedTaskMetadataMembers)
	return err
}

// Resource: A known resource that the server is capable of reading.
// Revisions: all.
type Resource struct {
	// Metadata of the protocol, of extensions and of applications.
	Meta map[string]any `json:"_meta,omitempty"`

	// Optional annotations for the client.
	Annotations *Annotations `json:"annotations,omitempty"`

	// A description of what this resource represents.
	Description string `json:"description,omitempty"`

	// Optional set of sized icons that the client can display in a user interface.
	Icons []Icon `json:"icons,omitempty"`

	// The MIME type of this resource, if known.
	MimeType string `json:"mimeType,omitempty"`

	// Intended for programmatic or logical use, but used as a display name in past specs or fallback (if title isn't
	// present).
	Name string `json:"name"`

	// The size of the raw resource content, in bytes (i.e., before base64 encoding or any tokenization), if known.
	Size *int64 `json:"size,omitempty"`

	// Intended for UI and end-user contexts — optimized to be human-readable and easily understood, even by those
	// unfamiliar with domain-specific terminology.
	Title string `json:"title,omitempty"`

	// The URI of this resource.
	URI string `json:"uri"`

	// Extra has the members that are not above.
	Extra map[string]json.RawMessage `json:"-"`
}

var resourceMembers = []string{"_meta", "annotations", "description", "icons", "mimeType", "name", "size", "title", "uri"}

// MarshalJSON writes the members, and those in Extra.
func (v Resource) MarshalJSON() ([]byte, error) {
	type plain Resource
	return encodeOpen(plain(v), v.Extra, resourceMembers)
}

// UnmarshalJSON reads the members; those that are not known become Extra.
func (v *Resource) UnmarshalJSON(text []byte) (err error) {
	type plain Resource
	if err = decodeOpen(text, (*plain)(v), resourceMembers); err != nil {
		return err
	}
	v.Extra, err = extraMembers(text, resourceMembers)
	return err
}

// ResourceContents: The contents of a specific resource or sub-resource.
// Revisions: all.
type ResourceContents struct {
	// Metadata of the protocol, of extensions and of applications.
	Meta map[string]any `json:"_meta,omitempty"`

	// The MIME type of this resource, if known.
	MimeType string `json:"mimeType,omitempty"`

	// The text of the item. This must only be set if the item can actually be represented as text (not binary data).
	Text string `json:"text,omitempty"`

	// The URI of this resource.
	URI string `json:"uri"`

	// A base64-encoded string representing the binary data of the item.
	Blob string `json:"blob,omitempty"`

	// Extra has the members that are not above.
	Extra map[string]json.RawMessage `json:"-"`
}

var resourceContentsMembers = []string{"_meta", "mimeType", "text", "uri", "blob"}

// MarshalJSON writes the members, and those in Extra.
func (v ResourceContents) MarshalJSON() ([]byte, error) {
	type plain ResourceContents
	return encodeOpen(struct {
		plain
		Text *string `json:"text,omitzero"`
	}{plain(v), textUnless(v.Blob, v.Text)}, v.Extra, resourceContentsMembers)
}

// UnmarshalJSON reads the members; those that are not known become Extra.
func (v *ResourceContents) UnmarshalJSON(text []byte) (err error) {
	type plain ResourceContents
	if err = decodeOpen(text, (*plain)(v), resourceContentsMembers); err != nil {
		return err
	}
	v.Extra, err = extraMembers(text, resourceContentsMembers)
	return err
}

// ResourceLink: A resource that the server is capable of reading, included in a prompt or tool call result.
// Revisions: from 2025-06-18 on.
type ResourceLink struct {
	// Metadata of the protocol, of extensions and of applications.
	Meta map[string]any `json:"_meta,omitempty"`

	// Optional annotations for the client.
	Annotations *Annotations `json:"annotations,omitempty"`

	// A description of what this resource represents.
	Description string `json:"description,omitempty"`

	// Optional set of sized icons that the client can display in a user interface.
	Icons []Icon `json:"icons,omitempty"`

	// The MIME type of this resource, if known.
	MimeType string `json:"mimeType,omitempty"`

	// Intended for programmatic or logical use, but used as a display name in past specs or fallback (if title isn't
	// present).
	Name string `json:"name"`

	// The size of the raw resource content, in bytes (i.e., before base64 encoding or any tokenization), if known.
	Size *int64 `json:"size,omitempty"`

	// Intended for UI and end-user contexts — optimized to be human-readable and easily understood, even by those
	// unfamiliar with domain-specific terminology.
	Title string `json:"title,omitempty"`

	// The URI of this resource.
	URI string `json:"uri"`

	// Extra has the members that are not above.
	Extra map[string]json.RawMessage `json:"-"`
}

func (*ResourceLink) isContentBlock() {}

var resourceLinkMembers = []string{"_meta", "annotations", "description", "icons", "mimeType", "name", "size", "title", "type", "uri"}

// MarshalJSON writes the members, and those in Extra.
func (v ResourceLink) MarshalJSON() ([]byte, error) {
	type plain ResourceLink
	return encodeOpen(struct {
		Tag string `json:"type"`
		plain
	}{"resource_link", plain(v)}, v.Extra, resourceLinkMembers)
}

// UnmarshalJSON reads the members; those that are not known become Extra.
func (v *ResourceLink) UnmarshalJSON(text []byte) (err error) {
	type plain ResourceLink
	if err = decodeOpen(text, (*plain)(v), resourceLinkMembers); err != nil {
		return err
	}
	v.Extra, err = extraMembers(text, resourceLinkMembers)
	return err
}

// ResourceTemplate: A template description for resources available on the server.
// Revisions: all.
type ResourceTemplate struct {
	// Metadata of the protocol, of extensions and of applications.
	Meta map[string]any `json:"_meta,omitempty"`

	// Optional annotations for the client.
	Annotations *Annotations `json:"annotations,omitempty"`

	// A description of what this template is for.
	Description string `json:"description,omitempty"`

	// Optional set of sized icons that the client can display in a user interface.
	Icons []Icon `json:"icons,omitempty"`

	// The MIME type for all resources that match this template. This should only be included if all resources matching
	// this template have the same type.
	MimeType string `json:"mimeType,omitempty"`

	// Intended for programmatic or logical use, but used as a display name in past specs or fallback (if title isn't
	// present).
	Name string `json:"name"`

	// Intended for UI and end-user contexts — optimized to be human-readable and easily understood, even by those
	// unfamiliar with domain-specific terminology.
	Title string `json:"title,omitempty"`

	// A URI template (according to RFC 6570) that can be used to construct resource URIs.
	URITemplate string `json:"uriTemplate"`

	// Extra has the members that are not above.
	Extra map[string]json.RawMessage `json:"-"`
}

var resourceTemplateMembers = []string{"_meta", "annotations", "description", "icons", "mimeType", "name", "title", "uriTemplate"}

// MarshalJSON writes the members, and those in Extra.
func (v ResourceTemplate) MarshalJSON() ([]byte, error) {
	type plain ResourceTemplate
	return encodeOpen(plain(v), v.Extra, resourceTemplateMembers)
}

// UnmarshalJSON reads the members; those that are not known become Extra.
func (v *ResourceTemplate) UnmarshalJSON(text []byte) (err error) {
	type plain ResourceTemplate
	if err = decodeOpen(text, (*plain)(v), resourceTemplateMembers); err != nil {
		return err
	}
	v.Extra, err = extraMembers(text, resourceTemplateMembers)
	return err
}

// ResourceTemplateReference: A reference to a resource or resource template definition.
// Revisions: all.
type ResourceTemplateReference struct {
	// The URI or URI template of the resource.
	URI string `json:"uri"`

	// Extra has the members that are not above.
	Extra map[string]json.RawMessage `json:"-"`
}

func (*ResourceTemplateReference) isReference() {}

var resourceTemplateReferenceMembers = []string{"type", "uri"}

// MarshalJSON writes the members, and those in Extra.
func (v ResourceTemplateReference) MarshalJSON() ([]byte, error) {
	type plain ResourceTemplateReference
	return encodeOpen(struct {
		Tag string `json:"type"`
		plain
	}{"ref/resource", plain(v)}, v.Extra, resourceTemplateReferenceMembers)
}

// UnmarshalJSON reads the members; those that are not known become Extra.
func (v *ResourceTemplateReference) UnmarshalJSON(text []byte) (err error) {
	type plain ResourceTemplateReference
	if err = decodeOpen(text, (*plain)(v), resourceTemplateReferenceMembers); err != nil {
		return err
	}
	v.Extra, err = extraMembers(text, resourceTemplateReferenceMembers)
	return err
}

// ResourceUpdatedNotificationParams: Parameters for a `notifications/resources/updated` notification.
// Revisions: all.
type ResourceUpdatedNotificationParams struct {
	// Metadata of the protocol, of extensions and of applications.
	Meta map[string]any `json:"_meta,omitempty"`

	// The URI of the resource that has been updated. This might be a sub-resource of the one that the client actually
	// subscribed to.
	URI string `json:"uri"`

	// Extra has the members that are not above.
	Extra map[string]json.RawMessage `json:"-"`
}

var resourceUpdatedNotificationParamsMembers = []string{"_meta", "uri"}

// MarshalJSON writes the members, and those in Extra.
func (v ResourceUpdatedNotificationParams) MarshalJSON() ([]byte, error) {
	type plain ResourceUpdatedNotificationParams
	return encodeOpen(plain(v), v.Extra, resourceUpdatedNotificationParamsMembers)
}

// UnmarshalJSON reads the members; those that are not known become Extra.
func (v *ResourceUpdatedNotificationParams) UnmarshalJSON(text []byte) (err error) {
	type plain ResourceUpdatedNotificationParams
	if err = decodeOpen(text, (*plain)(v), resourceUpdatedNotificationParamsMembers); err != nil {
		return err
	}
	v.Extra, err = extraMembers(text, resourceUpdatedNotificationParamsMembers)
	return err
}

// Result: Common result fields.
// Revisions: all.
type Result struct {
	// Metadata of the protocol, of extensions and of applications.
	Meta map[string]any `json:"_meta,omitempty"`

	// Indicates the type of the result, which allows the client to determine how to parse the result object.
	ResultType string `json:"resultType,omitempty"`

	// Extra has the members that are not above.
	Extra map[string]json.RawMessage `json:"-"`
}

var resultMembers = []string{"_meta", "resultType"}

// MarshalJSON writes the members, and those in Extra.
func (v Result) MarshalJSON() ([]byte, error) {
	type plain Result
	return encodeOpen(plain(v), v.Extra, resultMembers)
}

// UnmarshalJSON reads the members; those that are not known become Extra.
func (v *Result) UnmarshalJSON(text []byte) (err error) {
	type plain Result
	if err = decodeOpen(text, (*plain)(v), resultMembers); err != nil {
		return err
	}
	v.Extra, err = extraMembers(text, resultMembers)
	return err
}

// Role: The sender or recipient of messages and data in a conversation.
// Revisions: all.
type Role string

// RoleAssistant is one of the values.
const RoleAssistant Role = "assistant"

// RoleUser is one of the values.
const RoleUser Role = "user"

// Root: Represents a root directory or file that the server can operate on.
// Revisions: all.
//
// Deprecated: 2026-07-28 deprecates sampling, roots and log messages (SEP-2577). They work in every revision that has
// them.
type Root struct {
	// Metadata of the protocol, of extensions and of applications.
	Meta map[string]any `json:"_meta,omitempty"`

	// An optional name for the root. This can be used to provide a human-readable identifier for the root, which may be
	// useful for display purposes or for referencing the root in other parts of the application.
	Name string `json:"name,omitempty"`

	// The URI identifying the root. This *must* start with `file://` for now. This restriction may be relaxed in future
	// versions of the protocol to allow other URI schemes.
	URI string `json:"uri"`

	// Extra has the members that are not above.
	Extra map[string]json.RawMessage `json:"-"`
}

var rootMembers = []string{"_meta", "name", "uri"}

// MarshalJSON writes the members, and those in Extra.
func (v Root) MarshalJSON() ([]byte, error) {
	type plain Root
	return encodeOpen(plain(v), v.Extra, rootMembers)
}

// UnmarshalJSON reads the members; those that are not known become Extra.
func (v *Root) UnmarshalJSON(text []byte) (err error) {
	type plain Root
	if err = decodeOpen(text, (*plain)(v), rootMembers); err != nil {
		return err
	}
	v.Extra, err = extraMembers(text, rootMembers)
	return err
}

// SamplingMessage: Describes a message issued to or received from an LLM API.
// Revisions: all.
//
// Deprecated: 2026-07-28 deprecates sampling, roots and log messages (SEP-2577). They work in every revision that has
// them.
type SamplingMessage struct {
	// Metadata of the protocol, of extensions and of applications.
	Meta map[string]any `json:"_meta,omitempty"`

	Content []SamplingMessageContentBlock `json:"-"`

	Role Role `json:"role"`

	// Extra has the members that are not above.
	Extra map[string]json.RawMessage `json:"-"`
}

var samplingMessageMembers = []string{"_meta", "content", "role"}

// MarshalJSON writes the members, and those in Extra.
func (v SamplingMessage) MarshalJSON() ([]byte, error) {
	type plain SamplingMessage
	if v.Content == nil {
		v.Content = []SamplingMessageContentBlock{}
	}
	return encodeOpen(struct {
		plain
		Content any `json:"content"`
	}{plain(v), oneOrMany(v.Content)}, v.Extra, samplingMessageMembers)
}

// UnmarshalJSON reads the members; those that are not known become Extra.
func (v *SamplingMessage) UnmarshalJSON(text []byte) (err error) {
	type plain SamplingMessage
	in := struct {
		*plain
		Content json.RawMessage `json:"content"`
	}{plain: (*plain)(v)}
	if err = decodeOpen(text, &in, samplingMessageMembers); err != nil {
		return err
	}
	if v.Content, err = decodeOneOrMany(in.Content, decodeSamplingMessageContentBlock); err != nil {
		return err
	}
	v.Extra, err = extraMembers(text, samplingMessageMembers)
	return err
}

// SamplingMessageContentBlock: Revisions: from 2025-11-25 on.
// It is a [*TextContent], [*ImageContent], [*AudioContent], [*ToolUseContent], [*ToolResultContent], or an
// [*UnknownVariant] of a later revision.
//
// Deprecated: 2026-07-28 deprecates sampling, roots and log messages (SEP-2577). They work in every revision that has
// them.
type SamplingMessageContentBlock interface{ isSamplingMessageContentBlock() }

func (*UnknownVariant) isSamplingMessageContentBlock() {}

func decodeSamplingMessageContentBlock(text json.RawMessage) (SamplingMessageContentBlock, error) {
	switch tag := tagOf(text, "type"); tag {
	case "text":
		return decodeVariant[TextContent](text)
	case "image":
		return decodeVariant[ImageContent](text)
	case "audio":
		return decodeVariant[AudioContent](text)
	case "tool_use":
		return decodeVariant[ToolUseContent](text)
	case "tool_result":
		return decodeVariant[ToolResultContent](text)
	default:
		return unknownVariant(tag, text)
	}
}

// ServerCapabilities: Capabilities that a server may support. Known capabilities are defined here, in this schema, but
// this is not a closed set: any server can define its own, additional capabilities.
// Revisions: all.
type ServerCapabilities struct {
	// Present if the server supports argument autocompletion suggestions.
	Completions json.RawMessage `json:"completions,omitempty"`

	// Experimental, non-standard capabilities that the server supports.
	Experimental map[string]json.RawMessage `json:"experimental,omitempty"`

	// Optional MCP extensions that the server supports. Keys are extension identifiers (e.g.,
	// "io.modelcontextprotocol/tasks"), and values are per-extension settings objects. An empty object indicates support
	// with no settings.
	Extensions map[string]json.RawMessage `json:"extensions,omitempty"`

	// Present if the server supports sending log messages to the client.
	Logging json.RawMessage `json:"logging,omitempty"`

	// Present if the server offers any prompt templates.
	Prompts *ServerCapabilitiesPrompts `json:"prompts,omitempty"`

	// Present if the server offers any resources to read.
	Resources *ServerCapabilitiesResources `json:"resources,omitempty"`

	// Present if the server supports task-augmented requests.
	Tasks *ServerCapabilitiesTasks `json:"tasks,omitempty"`

	// Present if the server offers any tools to call.
	Tools *ServerCapabilitiesTools `json:"tools,omitempty"`

	// Extra has the members that are not above.
	Extra map[string]json.RawMessage `json:"-"`
}

var serverCapabilitiesMembers = []string{"completions", "experimental", "extensions", "logging", "prompts", "resources", "tasks", "tools"}

// MarshalJSON writes the members, and those in Extra.
func (v ServerCapabilities) MarshalJSON() ([]byte, error) {
	type plain ServerCapabilities
	return encodeOpen(plain(v), v.Extra, serverCapabilitiesMembers)
}

// UnmarshalJSON reads the members; those that are not known become Extra.
func (v *ServerCapabilities) UnmarshalJSON(text []byte) (err error) {
	type plain ServerCapabilities
	if err = decodeOpen(text, (*plain)(v), serverCapabilitiesMembers); err != nil {
		return err
	}
	v.Extra, err = extraMembers(text, serverCapabilitiesMembers)
	return err
}

// ServerCapabilitiesPrompts: Present if the server offers any prompt templates.
// Revisions: all.
type ServerCapabilitiesPrompts struct {
	// Whether this server supports notifications for changes to the prompt list.
	ListChanged bool `json:"listChanged,omitempty"`

	// Extra has the members that are not above.
	Extra map[string]json.RawMessage `json:"-"`
}

var serverCapabilitiesPromptsMembers = []string{"listChanged"}

// MarshalJSON writes the members, and those in Extra.
func (v ServerCapabilitiesPrompts) MarshalJSON() ([]byte, error) {
	type plain ServerCapabilitiesPrompts
	return encodeOpen(plain(v), v.Extra, serverCapabilitiesPromptsMembers)
}

// UnmarshalJSON reads the members; those that are not known become Extra.
func (v *ServerCapabilitiesPrompts) UnmarshalJSON(text []byte) (err error) {
	type plain ServerCapabilitiesPrompts
	if err = decodeOpen(text, (*plain)(v), serverCapabilitiesPromptsMembers); err != nil {
		return err
	}
	v.Extra, err = extraMembers(text, serverCapabilitiesPromptsMembers)
	return err
}

// ServerCapabilitiesResources: Present if the server offers any resources to read.
// Revisions: all.
type ServerCapabilitiesResources struct {
	// Whether this server supports notifications for changes to the resource list.
	ListChanged bool `json:"listChanged,omitempty"`

	// Whether this server supports subscribing to resource updates.
	Subscribe bool `json:"subscribe,omitempty"`

	// Extra has the members that are not above.
	Extra map[string]json.RawMessage `json:"-"`
}

var serverCapabilitiesResourcesMembers = []string{"listChanged", "subscribe"}

// MarshalJSON writes the members, and those in Extra.
func (v ServerCapabilitiesResources) MarshalJSON() ([]byte, error) {
	type plain ServerCapabilitiesResources
	return encodeOpen(plain(v), v.Extra, serverCapabilitiesResourcesMembers)
}

// UnmarshalJSON reads the members; those that are not known become Extra.
func (v *ServerCapabilitiesResources) UnmarshalJSON(text []byte) (err error) {
	type plain ServerCapabilitiesResources
	if err = decodeOpen(text, (*plain)(v), serverCapabilitiesResourcesMembers); err != nil {
		return err
	}
	v.Extra, err = extraMembers(text, serverCapabilitiesResourcesMembers)
	return err
}

// ServerCapabilitiesTasks: Present if the server supports task-augmented requests.
// Revision: 2025-11-25.
type ServerCapabilitiesTasks struct {
	// Whether this server supports tasks/cancel.
	Cancel json.RawMessage `json:"cancel,omitempty"`

	// Whether this server supports tasks/list.
	List json.RawMessage `json:"list,omitempty"`

	// Specifies which request types can be augmented with tasks.
	Requests *ServerCapabilitiesTasksRequests `json:"requests,omitempty"`

	// Extra has the members that are not above.
	Extra map[string]json.RawMessage `json:"-"`
}

var serverCapabilitiesTasksMembers = []string{"cancel", "list", "requests"}

// MarshalJSON writes the members, and those in Extra.
func (v ServerCapabilitiesTasks) MarshalJSON() ([]byte, error) {
	type plain ServerCapabilitiesTasks
	return encodeOpen(plain(v), v.Extra, serverCapabilitiesTasksMembers)
}

// UnmarshalJSON reads the members; those that are not known become Extra.
func (v *ServerCapabilitiesTasks) UnmarshalJSON(text []byte) (err error) {
	type plain ServerCapabilitiesTasks
	if err = decodeOpen(text, (*plain)(v), serverCapabilitiesTasksMembers); err != nil {
		return err
	}
	v.Extra, err = extraMembers(text, serverCapabilitiesTasksMembers)
	return err
}

// ServerCapabilitiesTasksRequests: Specifies which request types can be augmented with tasks.
// Revision: 2025-11-25.
type ServerCapabilitiesTasksRequests struct {
	// Task support for tool-related requests.
	Tools *ServerCapabilitiesTasksRequestsTools `json:"tools,omitempty"`

	// Extra has the members that are not above.
	Extra map[string]json.RawMessage `json:"-"`
}

var serverCapabilitiesTasksRequestsMembers = []string{"tools"}

// MarshalJSON writes the members, and those in Extra.
func (v ServerCapabilitiesTasksRequests) MarshalJSON() ([]byte, error) {
	type plain ServerCapabilitiesTasksRequests
	return encodeOpen(plain(v), v.Extra, serverCapabilitiesTasksRequestsMembers)
}

// UnmarshalJSON reads the members; those that are not known become Extra.
func (v *ServerCapabilitiesTasksRequests) UnmarshalJSON(text []byte) (err error) {
	type plain ServerCapabilitiesTasksRequests
	if err = decodeOpen(text, (*plain)(v), serverCapabilitiesTasksRequestsMembers); err != nil {
		return err
	}
	v.Extra, err = extraMembers(text, serverCapabilitiesTasksRequestsMembers)
	return err
}

// ServerCapabilitiesTasksRequestsTools: Task support for tool-related requests.
// Revision: 2025-11-25.
type ServerCapabilitiesTasksRequestsTools struct {
	// Whether the server supports task-augmented tools/call requests.
	Call json.RawMessage `json:"call,omitempty"`

	// Extra has the members that are not above.
	Extra map[string]json.RawMessage `json:"-"`
}

var serverCapabilitiesTasksRequestsToolsMembers = []string{"call"}

// MarshalJSON writes the members, and those in Extra.
func (v ServerCapabilitiesTasksRequestsTools) MarshalJSON() ([]byte, error) {
	type plain ServerCapabilitiesTasksRequestsTools
	return encodeOpen(plain(v), v.Extra, serverCapabilitiesTasksRequestsToolsMembers)
}

// UnmarshalJSON reads the members; those that are not known become Extra.
func (v *ServerCapabilitiesTasksRequestsTools) UnmarshalJSON(text []byte) (err error) {
	type plain ServerCapabilitiesTasksRequestsTools
	if err = decodeOpen(text, (*plain)(v), serverCapabilitiesTasksRequestsToolsMembers); err != nil {
		return err
	}
	v.Extra, err = extraMembers(text, serverCapabilitiesTasksRequestsToolsMembers)
	return err
}

// ServerCapabilitiesTools: Present if the server offers any tools to call.
// Revisions: all.
type ServerCapabilitiesTools struct {
	// Whether this server supports notifications for changes to the tool list.
	ListChanged bool `json:"listChanged,omitempty"`

	// Extra has the members that are not above.
	Extra map[string]json.RawMessage `json:"-"`
}

var serverCapabilitiesToolsMembers = []string{"listChanged"}

// MarshalJSON writes the members, and those in Extra.
func (v ServerCapabilitiesTools) MarshalJSON() ([]byte, error) {
	type plain ServerCapabilitiesTools
	return encodeOpen(plain(v), v.Extra, serverCapabilitiesToolsMembers)
}

// UnmarshalJSON reads the members; those that are not known become Extra.
func (v *ServerCapabilitiesTools) UnmarshalJSON(text []byte) (err error) {
	type plain ServerCapabilitiesTools
	if err = decodeOpen(text, (*plain)(v), serverCapabilitiesToolsMembers); err != nil {
		return err
	}
	v.Extra, err = extraMembers(text, serverCapabilitiesToolsMembers)
	return err
}

// SetLevelRequestParams: Parameters for a `logging/setLevel` request.
// Revisions: 2024-11-05 to 2025-11-25.
//
// Deprecated: 2026-07-28 deprecates sampling, roots and log messages (SEP-2577). They work in every revision that has
// them.
type SetLevelRequestParams struct {
	// Metadata of the protocol, of extensions and of applications.
	Meta map[string]any `json:"_meta,omitempty"`

	// The level of logging that the client wants to receive from the server. The server should send all logs at this level
	// and higher (i.e., more severe) to the client as notifications/message.
	Level LoggingLevel `json:"level"`

	// Extra has the members that are not above.
	Extra map[string]json.RawMessage `json:"-"`
}

var setLevelRequestParamsMembers = []string{"_meta", "level"}

// MarshalJSON writes the members, and those in Extra.
func (v SetLevelRequestParams) MarshalJSON() ([]byte, error) {
	type plain SetLevelRequestParams
	return encodeOpen(plain(v), v.Extra, setLevelRequestParamsMembers)
}

// UnmarshalJSON reads the members; those that are not known become Extra.
func (v *SetLevelRequestParams) UnmarshalJSON(text []byte) (err error) {
	type plain SetLevelRequestParams
	if err = decodeOpen(text, (*plain)(v), setLevelRequestParamsMembers); err != nil {
		return err
	}
	v.Extra, err = extraMembers(text, setLevelRequestParamsMembers)
	return err
}

// SingleSelectEnumSchema: Revisions: from 2025-11-25 on.
type SingleSelectEnumSchema struct {
	// Optional default value.
	Default string `json:"default,omitempty"`

	// Optional description for the enum field.
	Description string `json:"description,omitempty"`

	// Array of enum values to choose from.
	Enum []string `json:"enum,omitempty"`

	// Optional title for the enum field.
	Title string `json:"title,omitempty"`

	Type string `json:"type"`

	// Array of enum options with values and display labels.
	OneOf []EnumOption `json:"oneOf,omitempty"`

	// Extra has the members that are not above.
	Extra map[string]json.RawMessage `json:"-"`
}

var singleSelectEnumSchemaMembers = []string{"default", "description", "enum", "title", "type", "oneOf"}

// MarshalJSON writes the members, and those in Extra.
func (v SingleSelectEnumSchema) MarshalJSON() ([]byte, error) {
	type plain SingleSelectEnumSchema
	return encodeOpen(plain(v), v.Extra, singleSelectEnumSchemaMembers)
}

// UnmarshalJSON reads the members; those that are not known become Extra.
func (v *SingleSelectEnumSchema) UnmarshalJSON(text []byte) (err error) {
	type plain SingleSelectEnumSchema
	if err = decodeOpen(text, (*plain)(v), singleSelectEnumSchemaMembers); err != nil {
		return err
	}
	v.Extra, err = extraMembers(text, singleSelectEnumSchemaMembers)
	return err
}

// StringSchema: Revisions: from 2025-06-18 on.
type StringSchema struct {
	Default string `json:"default,omitempty"`

	Description string `json:"description,omitempty"`

	Format string `json:"format,omitempty"`

	MaxLength *int64 `json:"maxLength,omitempty"`

	MinLength *int64 `json:"minLength,omitempty"`

	Title string `json:"title,omitempty"`

	// Extra has the members that are not above.
	Extra map[string]json.RawMessage `json:"-"`
}

var stringSchemaMembers = []string{"default", "description", "format", "maxLength", "minLength", "title", "type"}

// MarshalJSON writes the members, and those in Extra.
func (v StringSchema) MarshalJSON() ([]byte, error) {
	type plain StringSchema
	return encodeOpen(struct {
		Tag string `json:"type"`
		plain
	}{"string", plain(v)}, v.Extra, stringSchemaMembers)
}

// UnmarshalJSON reads the members; those that are not known become Extra.
func (v *StringSchema) UnmarshalJSON(text []byte) (err error) {
	type plain StringSchema
	if err = decodeOpen(text, (*plain)(v), stringSchemaMembers); err != nil {
		return err
	}
	v.Extra, err = extraMembers(text, stringSchemaMembers)
	return err
}

// SubscribeRequestParams: Parameters for a `resources/subscribe` request.
// Revisions: 2024-11-05 to 2025-11-25.
type SubscribeRequestParams struct {
	// Metadata of the protocol, of extensions and of applications.
	Meta map[string]any `json:"_meta,omitempty"`

	// The URI of the resource. The URI can use any protocol; it is up to the server how to interpret it.
	URI string `json:"uri"`

	// Extra has the members that are not above.
	Extra map[string]json.RawMessage `json:"-"`
}

var subscribeRequestParamsMembers = []string{"_meta", "uri"}

// MarshalJSON writes the members, and those in Extra.
func (v SubscribeRequestParams) MarshalJSON() ([]byte, error) {
	type plain SubscribeRequestParams
	return encodeOpen(plain(v), v.Extra, subscribeRequestParamsMembers)
}

// UnmarshalJSON reads the members; those that are not known become Extra.
func (v *SubscribeRequestParams) UnmarshalJSON(text []byte) (err error) {
	type plain SubscribeRequestParams
	if err = decodeOpen(text, (*plain)(v), subscribeRequestParamsMembers); err != nil {
		return err
	}
	v.Extra, err = extraMembers(text, subscribeRequestParamsMembers)
	return err
}

// SubscriptionFilter: The set of notification types a client may opt in to on a subscriptions/listen request.
// Revision: 2026-07-28.
type SubscriptionFilter struct {
	// If true, receive notifications/prompts/list_changed.
	PromptsListChanged bool `json:"promptsListChanged,omitempty"`

	// Subscribe to notifications/resources/updated for these resource URIs. Replaces the former `resources/subscribe` RPC.
	ResourceSubscriptions []string `json:"resourceSubscriptions,omitempty"`

	// If true, receive notifications/resources/list_changed.
	ResourcesListChanged bool `json:"resourcesListChanged,omitempty"`

	// If true, receive notifications/tools/list_changed.
	ToolsListChanged bool `json:"toolsListChanged,omitempty"`

	// Extra has the members that are not above.
	Extra map[string]json.RawMessage `json:"-"`
}

var subscriptionFilterMembers = []string{"promptsListChanged", "resourceSubscriptions", "resourcesListChanged", "toolsListChanged"}

// MarshalJSON writes the members, and those in Extra.
func (v SubscriptionFilter) MarshalJSON() ([]byte, error) {
	type plain SubscriptionFilter
	return encodeOpen(plain(v), v.Extra, subscriptionFilterMembers)
}

// UnmarshalJSON reads the members; those that are not known become Extra.
func (v *SubscriptionFilter) UnmarshalJSON(text []byte) (err error) {
	type plain SubscriptionFilter
	if err = decodeOpen(text, (*plain)(v), subscriptionFilterMembers); err != nil {
		return err
	}
	v.Extra, err = extraMembers(text, subscriptionFilterMembers)
	return err
}

// SubscriptionsAcknowledgedNotificationParams: Parameters for a notifications/subscriptions/acknowledged notification.
// Revision: 2026-07-28.
type SubscriptionsAcknowledgedNotificationParams struct {
	// Metadata of the protocol, of extensions and of applications.
	Meta map[string]any `json:"_meta,omitempty"`

	// The subset of requested notification types the server agreed to honor. Only includes notification types the server
	// actually supports; if the client requested an unsupported type (e.g., `promptsListChanged` when the server has no
	// prompts), it is omitted from this set.
	Notifications SubscriptionFilter `json:"notifications"`

	// Extra has the members that are not above.
	Extra map[string]json.RawMessage `json:"-"`
}

var subscriptionsAcknowledgedNotificationParamsMembers = []string{"_meta", "notifications"}

// MarshalJSON writes the members, and those in Extra.
func (v SubscriptionsAcknowledgedNotificationParams) MarshalJSON() ([]byte, error) {
	type plain SubscriptionsAcknowledgedNotificationParams
	return encodeOpen(plain(v), v.Extra, subscriptionsAcknowledgedNotificationParamsMembers)
}

// UnmarshalJSON reads the members; those that are not known become Extra.
func (v *SubscriptionsAcknowledgedNotificationParams) UnmarshalJSON(text []byte) (err error) {
	type plain SubscriptionsAcknowledgedNotificationParams
	if err = decodeOpen(text, (*plain)(v), subscriptionsAcknowledgedNotificationParamsMembers); err != nil {
		return err
	}
	v.Extra, err = extraMembers(text, subscriptionsAcknowledgedNotificationParamsMembers)
	return err
}

// SubscriptionsListenRequestParams: Parameters for a subscriptions/listen request.
// Revision: 2026-07-28.
type SubscriptionsListenRequestParams struct {
	// Metadata of the protocol, of extensions and of applications.
	Meta map[string]any `json:"_meta,omitempty"`

	// The notifications the client opts in to on this stream. The server **MUST NOT** send notification types the client
	// has not explicitly requested.
	Notifications SubscriptionFilter `json:"notifications"`

	// Extra has the members that are not above.
	Extra map[string]json.RawMessage `json:"-"`
}

var subscriptionsListenRequestParamsMembers = []string{"_meta", "notifications"}

// MarshalJSON writes the members, and those in Extra.
func (v SubscriptionsListenRequestParams) MarshalJSON() ([]byte, error) {
	type plain SubscriptionsListenRequestParams
	return encodeOpen(plain(v), v.Extra, subscriptionsListenRequestParamsMembers)
}

// UnmarshalJSON reads the members; those that are not known become Extra.
func (v *SubscriptionsListenRequestParams) UnmarshalJSON(text []byte) (err error) {
	type plain SubscriptionsListenRequestParams
	if err = decodeOpen(text, (*plain)(v), subscriptionsListenRequestParamsMembers); err != nil {
		return err
	}
	v.Extra, err = extraMembers(text, subscriptionsListenRequestParamsMembers)
	return err
}

// SubscriptionsListenResult: The response to a subscriptions/listen request, signalling that the subscription has
// ended gracefully (for example, during server shutdown). Because the listen stream is long-lived, this result is sent
// only when the server tears the subscription down; an abrupt transport close carries no response. The result body is
// otherwise empty.
// Revision: 2026-07-28.
type SubscriptionsListenResult struct {
	// Metadata of the protocol, of extensions and of applications.
	Meta map[string]any `json:"_meta,omitempty"`

	// Indicates the type of the result, which allows the client to determine how to parse the result object.
	ResultType string `json:"resultType"`

	// Extra has the members that are not above.
	Extra map[string]json.RawMessage `json:"-"`
}

var subscriptionsListenResultMembers = []string{"_meta", "resultType"}

// MarshalJSON writes the members, and those in Extra.
func (v SubscriptionsListenResult) MarshalJSON() ([]byte, error) {
	type plain SubscriptionsListenResult
	return encodeOpen(plain(v), v.Extra, subscriptionsListenResultMembers)
}

// UnmarshalJSON reads the members; those that are not known become Extra.
func (v *SubscriptionsListenResult) UnmarshalJSON(text []byte) (err error) {
	type plain SubscriptionsListenResult
	if err = decodeOpen(text, (*plain)(v), subscriptionsListenResultMembers); err != nil {
		return err
	}
	v.Extra, err = extraMembers(text, subscriptionsListenResultMembers)
	return err
}

// Task: Data associated with a task.
// Revision: 2025-11-25.
type Task struct {
	// ISO 8601 timestamp when the task was created.
	CreatedAt string `json:"createdAt"`

	// ISO 8601 timestamp when the task was last updated.
	LastUpdatedAt string `json:"lastUpdatedAt"`

	// Suggested polling interval in milliseconds.
	PollInterval *int64 `json:"pollInterval,omitempty"`

	// Current task state.
	Status TaskStatus `json:"status"`

	// Optional human-readable message describing the current task state. This can provide context for any status,
	// including: - Reasons for "cancelled" status - Summaries for "completed" status - Diagnostic information for "failed"
	// status (e.g., error details, what went wrong)
	StatusMessage string `json:"statusMessage,omitempty"`

	// The task identifier.
	TaskID string `json:"taskId"`

	// Actual retention duration from creation in milliseconds, null for unlimited.
	TTL *int64 `json:"ttl"`

	// Extra has the members that are not above.
	Extra map[string]json.RawMessage `json:"-"`
}

var taskMembers = []string{"createdAt", "lastUpdatedAt", "pollInterval", "status", "statusMessage", "taskId", "ttl"}

// MarshalJSON writes the members, and those in Extra.
func (v Task) MarshalJSON() ([]byte, error) {
	type plain Task
	return encodeOpen(plain(v), v.Extra, taskMembers)
}

// UnmarshalJSON reads the members; those that are not known become Extra.
func (v *Task) UnmarshalJSON(text []byte) (err error) {
	type plain Task
	if err = decodeOpen(text, (*plain)(v), taskMembers); err != nil {
		return err
	}
	v.Extra, err = extraMembers(text, taskMembers)
	return err
}

// TaskMetadata: Metadata for augmenting a request with task execution. Include this in the `task` field of the request
// parameters.
// Revision: 2025-11-25.
type TaskMetadata struct {
	// Requested duration in milliseconds to retain task from creation.
	TTL *int64 `json:"ttl,omitempty"`

	// Extra has the members that are not above.
	Extra map[string]json.RawMessage `json:"-"`
}

var taskMetadataMembers = []string{"ttl"}

// MarshalJSON writes the members, and those in Extra.
func (v TaskMetadata) MarshalJSON() ([]byte, error) {
	type plain TaskMetadata
	return encodeOpen(plain(v), v.Extra, taskMetadataMembers)
}

// UnmarshalJSON reads the members; those that are not known become Extra.
func (v *TaskMetadata) UnmarshalJSON(text []byte) (err error) {
	type plain TaskMetadata
	if err = decodeOpen(text, (*plain)(v), taskMetadataMembers); err != nil {
		return err
	}
	v.Extra, err = extraMembers(text, taskMetadataMembers)
	return err
}

// TaskStatus: The status of a task.
// Revision: 2025-11-25.
type TaskStatus string

// TaskStatusCancelled is one of the values.
const TaskStatusCancelled TaskStatus = "cancelled"

// TaskStatusCompleted is one of the values.
const TaskStatusCompleted TaskStatus = "completed"

// TaskStatusFailed is one of the values.
const TaskStatusFailed TaskStatus = "failed"

// TaskStatusInputRequired is one of the values.
const TaskStatusInputRequired TaskStatus = "input_required"

// TaskStatusWorking is one of the values.
const TaskStatusWorking TaskStatus = "working"

// TaskStatusNotificationParams: Parameters for a `notifications/tasks/status` notification.
// Revision: 2025-11-25.
type TaskStatusNotificationParams struct {
	// Metadata of the protocol, of extensions and of applications.
	Meta map[string]any `json:"_meta,omitempty"`

	// ISO 8601 timestamp when the task was created.
	CreatedAt string `json:"createdAt"`

	// ISO 8601 timestamp when the task was last updated.
	LastUpdatedAt string `json:"lastUpdatedAt"`

	// Suggested polling interval in milliseconds.
	PollInterval *int64 `json:"pollInterval,omitempty"`

	// Current task state.
	Status TaskStatus `json:"status"`

	// Optional human-readable message describing the current task state. This can provide context for any status,
	// including: - Reasons for "cancelled" status - Summaries for "completed" status - Diagnostic information for "failed"
	// status (e.g., error details, what went wrong)
	StatusMessage string `json:"statusMessage,omitempty"`

	// The task identifier.
	TaskID string `json:"taskId"`

	// Actual retention duration from creation in milliseconds, null for unlimited.
	TTL *int64 `json:"ttl"`

	// Extra has the members that are not above.
	Extra map[string]json.RawMessage `json:"-"`
}

var taskStatusNotificationParamsMembers = []string{"_meta", "createdAt", "lastUpdatedAt", "pollInterval", "status", "statusMessage", "taskId", "ttl"}

// MarshalJSON writes the members, and those in Extra.
func (v TaskStatusNotificationParams) MarshalJSON() ([]byte, error) {
	type plain TaskStatusNotificationParams
	return encodeOpen(plain(v), v.Extra, taskStatusNotificationParamsMembers)
}

// UnmarshalJSON reads the members; those that are not known become Extra.
func (v *TaskStatusNotificationParams) UnmarshalJSON(text []byte) (err error) {
	type plain TaskStatusNotificationParams
	if err = decodeOpen(text, (*plain)(v), taskStatusNotificationParamsMembers); err != nil {
		return err
	}
	v.Extra, err = extraMembers(text, taskStatusNotificationParamsMembers)
	return err
}

// TextContent: Text provided to or from an LLM.
// Revisions: all.
type TextContent struct {
	// Metadata of the protocol, of extensions and of applications.
	Meta map[string]any `json:"_meta,omitempty"`

	// Optional annotations for the client.
	Annotations *Annotations `json:"annotations,omitempty"`

	// The text content of the message.
	Text string `json:"text"`

	// Extra has the members that are not above.
	Extra map[string]json.RawMessage `json:"-"`
}

func (*TextContent) isContentBlock() {}

func (*TextContent) isSamplingMessageContentBlock() {}

var textContentMembers = []string{"_meta", "annotations", "text", "type"}

// MarshalJSON writes the members, and those in Extra.
func (v TextContent) MarshalJSON() ([]byte, error) {
	type plain TextContent
	return encodeOpen(struct {
		Tag string `json:"type"`
		plain
	}{"text", plain(v)}, v.Extra, textContentMembers)
}

// UnmarshalJSON reads the members; those that are not known become Extra.
func (v *TextContent) UnmarshalJSON(text []byte) (err error) {
	type plain TextContent
	if err = decodeOpen(text, (*plain)(v), textContentMembers); err != nil {
		return err
	}
	v.Extra, err = extraMembers(text, textContentMembers)
	return err
}

// TextResourceContents: Revisions: all.
type TextResourceContents struct {
	// Metadata of the protocol, of extensions and of applications.
	Meta map[string]any `json:"_meta,omitempty"`

	// The MIME type of this resource, if known.
	MimeType string `json:"mimeType,omitempty"`

	// The text of the item. This must only be set if the item can actually be represented as text (not binary data).
	Text string `json:"text"`

	// The URI of this resource.
	URI string `json:"uri"`

	// Extra has the members that are not above.
	Extra map[string]json.RawMessage `json:"-"`
}

var textResourceContentsMembers = []string{"_meta", "mimeType", "text", "uri"}

// MarshalJSON writes the members, and those in Extra.
func (v TextResourceContents) MarshalJSON() ([]byte, error) {
	type plain TextResourceContents
	return encodeOpen(plain(v), v.Extra, textResourceContentsMembers)
}

// UnmarshalJSON reads the members; those that are not known become Extra.
func (v *TextResourceContents) UnmarshalJSON(text []byte) (err error) {
	type plain TextResourceContents
	if err = decodeOpen(text, (*plain)(v), textResourceContentsMembers); err != nil {
		return err
	}
	v.Extra, err = extraMembers(text, textResourceContentsMembers)
	return err
}

// TitledEnumItems: Schema for array items with enum options and display labels.
// Revisions: from 2025-11-25 on.
type TitledEnumItems struct {
	// Array of enum options with values and display labels.
	AnyOf []EnumOption `json:"anyOf"`

	// Extra has the members that are not above.
	Extra map[string]json.RawMessage `json:"-"`
}

var titledEnumItemsMembers = []string{"anyOf"}

// MarshalJSON writes the members, and those in Extra.
func (v TitledEnumItems) MarshalJSON() ([]byte, error) {
	type plain TitledEnumItems
	if v.AnyOf == nil {
		v.AnyOf = []EnumOption{}
	}
	return encodeOpen(plain(v), v.Extra, titledEnumItemsMembers)
}

// UnmarshalJSON reads the members; those that are not known become Extra.
func (v *TitledEnumItems) UnmarshalJSON(text []byte) (err error) {
	type plain TitledEnumItems
	if err = decodeOpen(text, (*plain)(v), titledEnumItemsMembers); err != nil {
		return err
	}
	v.Extra, err = extraMembers(text, titledEnumItemsMembers)
	return err
}

// TitledMultiSelectEnumSchema: Schema for multiple-selection enumeration with display titles for each option.
// Revisions: from 2025-11-25 on.
type TitledMultiSelectEnumSchema struct {
	// Optional default value.
	Default []string `json:"default,omitempty"`

	// Optional description for the enum field.
	Description string `json:"description,omitempty"`

	// Schema for array items with enum options and display labels.
	Items TitledEnumItems `json:"items"`

	// Maximum number of items to select.
	MaxItems *int64 `json:"maxItems,omitempty"`

	// Minimum number of items to select.
	MinItems *int64 `json:"minItems,omitempty"`

	// Optional title for the enum field.
	Title string `json:"title,omitempty"`

	// Extra has the members that are not above.
	Extra map[string]json.RawMessage `json:"-"`
}

var titledMultiSelectEnumSchemaMembers = []string{"default", "description", "items", "maxItems", "minItems", "title", "type"}

// MarshalJSON writes the members, and those in Extra.
func (v TitledMultiSelectEnumSchema) MarshalJSON() ([]byte, error) {
	type plain TitledMultiSelectEnumSchema
	return encodeOpen(struct {
		Tag string `json:"type"`
		plain
	}{"array", plain(v)}, v.Extra, titledMultiSelectEnumSchemaMembers)
}

// UnmarshalJSON reads the members; those that are not known become Extra.
func (v *TitledMultiSelectEnumSchema) UnmarshalJSON(text []byte) (err error) {
	type plain TitledMultiSelectEnumSchema
	if err = decodeOpen(text, (*plain)(v), titledMultiSelectEnumSchemaMembers); err != nil {
		return err
	}
	v.Extra, err = extraMembers(text, titledMultiSelectEnumSchemaMembers)
	return err
}

// TitledSingleSelectEnumSchema: Schema for single-selection enumeration with display titles for each option.
// Revisions: from 2025-11-25 on.
type TitledSingleSelectEnumSchema struct {
	// Optional default value.
	Default string `json:"default,omitempty"`

	// Optional description for the enum field.
	Description string `json:"description,omitempty"`

	// Array of enum options with values and display labels.
	OneOf []EnumOption `json:"oneOf"`

	// Optional title for the enum field.
	Title string `json:"title,omitempty"`

	// Extra has the members that are not above.
	Extra map[string]json.RawMessage `json:"-"`
}

var titledSingleSelectEnumSchemaMembers = []string{"default", "description", "oneOf", "title", "type"}

// MarshalJSON writes the members, and those in Extra.
func (v TitledSingleSelectEnumSchema) MarshalJSON() ([]byte, error) {
	type plain TitledSingleSelectEnumSchema
	if v.OneOf == nil {
		v.OneOf = []EnumOption{}
	}
	return encodeOpen(struct {
		Tag string `json:"type"`
		plain
	}{"string", plain(v)}, v.Extra, titledSingleSelectEnumSchemaMembers)
}

// UnmarshalJSON reads the members; those that are not known become Extra.
func (v *TitledSingleSelectEnumSchema) UnmarshalJSON(text []byte) (err error) {
	type plain TitledSingleSelectEnumSchema
	if err = decodeOpen(text, (*plain)(v), titledSingleSelectEnumSchemaMembers); err != nil {
		return err
	}
	v.Extra, err = extraMembers(text, titledSingleSelectEnumSchemaMembers)
	return err
}

// Tool: Definition for a tool the client can call.
// Revisions: all.
type Tool struct {
	// Metadata of the protocol, of extensions and of applications.
	Meta map[string]any `json:"_meta,omitempty"`

	// Optional additional tool information.
	Annotations *ToolAnnotations `json:"annotations,omitempty"`

	// A human-readable description of the tool.
	Description string `json:"description,omitempty"`

	// Execution-related properties for this tool.
	Execution *ToolExecution `json:"execution,omitempty"`

	// Optional set of sized icons that the client can display in a user interface.
	Icons []Icon `json:"icons,omitempty"`

	// A JSON Schema object defining the expected parameters for the tool.
	InputSchema json.RawMessage `json:"inputSchema"`

	// Intended for programmatic or logical use, but used as a display name in past specs or fallback (if title isn't
	// present).
	Name string `json:"name"`

	// An optional JSON Schema object defining the structure of the tool's output returned in the structuredContent field
	// of a CallToolResult. This can be any valid JSON Schema 2020-12.
	OutputSchema json.RawMessage `json:"outputSchema,omitempty"`

	// Intended for UI and end-user contexts — optimized to be human-readable and easily understood, even by those
	// unfamiliar with domain-specific terminology.
	Title string `json:"title,omitempty"`

	// Extra has the members that are not above.
	Extra map[string]json.RawMessage `json:"-"`
}

var toolMembers = []string{"_meta", "annotations", "description", "execution", "icons", "inputSchema", "name", "outputSchema", "title"}

// MarshalJSON writes the members, and those in Extra.
func (v Tool) MarshalJSON() ([]byte, error) {
	type plain Tool
	if v.InputSchema == nil {
		v.InputSchema = json.RawMessage("{}")
	}
	return encodeOpen(plain(v), v.Extra, toolMembers)
}

// UnmarshalJSON reads the members; those that are not known become Extra.
func (v *Tool) UnmarshalJSON(text []byte) (err error) {
	type plain Tool
	if err = decodeOpen(text, (*plain)(v), toolMembers); err != nil {
		return err
	}
	v.Extra, err = extraMembers(text, toolMembers)
	return err
}

// ToolAnnotations: Additional properties describing a Tool to clients.
// Revisions: from 2025-03-26 on.
type ToolAnnotations struct {
	// If true, the tool may perform destructive updates to its environment. If false, the tool performs only additive
	// updates.
	DestructiveHint *bool `json:"destructiveHint,omitempty"`

	// If true, calling the tool repeatedly with the same arguments will have no additional effect on its environment.
	IdempotentHint *bool `json:"idempotentHint,omitempty"`

	// If true, this tool may interact with an "open world" of external entities. If false, the tool's domain of
	// interaction is closed. For example, the world of a web search tool is open, whereas that of a memory tool is not.
	OpenWorldHint *bool `json:"openWorldHint,omitempty"`

	// If true, the tool does not modify its environment.
	ReadOnlyHint *bool `json:"readOnlyHint,omitempty"`

	// A human-readable title for the tool.
	Title string `json:"title,omitempty"`

	// Extra has the members that are not above.
	Extra map[string]json.RawMessage `json:"-"`
}

var toolAnnotationsMembers = []string{"destructiveHint", "idempotentHint", "openWorldHint", "readOnlyHint", "title"}

// MarshalJSON writes the members, and those in Extra.
func (v ToolAnnotations) MarshalJSON() ([]byte, error) {
	type plain ToolAnnotations
	return encodeOpen(plain(v), v.Extra, toolAnnotationsMembers)
}

// UnmarshalJSON reads the members; those that are not known become Extra.
func (v *ToolAnnotations) UnmarshalJSON(text []byte) (err error) {
	type plain ToolAnnotations
	if err = decodeOpen(text, (*plain)(v), toolAnnotationsMembers); err != nil {
		return err
	}
	v.Extra, err = extraMembers(text, toolAnnotationsMembers)
	return err
}

// ToolChoice: Controls tool selection behavior for sampling requests.
// Revisions: from 2025-11-25 on.
type ToolChoice struct {
	// Controls the tool use ability of the model: - `"auto"`: Model decides whether to use tools (default) - `"required"`:
	// Model MUST use at least one tool before completing - `"none"`: Model MUST NOT use any tools
	Mode string `json:"mode,omitempty"`

	// Extra has the members that are not above.
	Extra map[string]json.RawMessage `json:"-"`
}

var toolChoiceMembers = []string{"mode"}

// MarshalJSON writes the members, and those in Extra.
func (v ToolChoice) MarshalJSON() ([]byte, error) {
	type plain ToolChoice
	return encodeOpen(plain(v), v.Extra, toolChoiceMembers)
}

// UnmarshalJSON reads the members; those that are not known become Extra.
func (v *ToolChoice) UnmarshalJSON(text []byte) (err error) {
	type plain ToolChoice
	if err = decodeOpen(text, (*plain)(v), toolChoiceMembers); err != nil {
		return err
	}
	v.Extra, err = extraMembers(text, toolChoiceMembers)
	return err
}

// ToolExecution: Execution-related properties for a tool.
// Revision: 2025-11-25.
type ToolExecution struct {
	// Indicates whether this tool supports task-augmented execution. This allows clients to handle long-running operations
	// through polling the task system.
	TaskSupport string `json:"taskSupport,omitempty"`

	// Extra has the members that are not above.
	Extra map[string]json.RawMessage `json:"-"`
}

var toolExecutionMembers = []string{"taskSupport"}

// MarshalJSON writes the members, and those in Extra.
func (v ToolExecution) MarshalJSON() ([]byte, error) {
	type plain ToolExecution
	return encodeOpen(plain(v), v.Extra, toolExecutionMembers)
}

// UnmarshalJSON reads the members; those that are not known become Extra.
func (v *ToolExecution) UnmarshalJSON(text []byte) (err error) {
	type plain ToolExecution
	if err = decodeOpen(text, (*plain)(v), toolExecutionMembers); err != nil {
		return err
	}
	v.Extra, err = extraMembers(text, toolExecutionMembers)
	return err
}

// ToolResultContent: The result of a tool use, provided by the user back to the assistant.
// Revisions: from 2025-11-25 on.
type ToolResultContent struct {
	// Metadata of the protocol, of extensions and of applications.
	Meta map[string]any `json:"_meta,omitempty"`

	// The unstructured result content of the tool use.
	Content []ContentBlock `json:"content"`

	// Whether the tool use resulted in an error.
	IsError bool `json:"isError,omitempty"`

	// An optional structured result value.
	StructuredContent json.RawMessage `json:"structuredContent,omitempty"`

	// The ID of the tool use this result corresponds to.
	ToolUseID string `json:"toolUseId"`

	// Extra has the members that are not above.
	Extra map[string]json.RawMessage `json:"-"`
}

func (*ToolResultContent) isSamplingMessageContentBlock() {}

var toolResultContentMembers = []string{"_meta", "content", "isError", "structuredContent", "toolUseId", "type"}

// MarshalJSON writes the members, and those in Extra.
func (v ToolResultContent) MarshalJSON() ([]byte, error) {
	type plain ToolResultContent
	if v.Content == nil {
		v.Content = []ContentBlock{}
	}
	return encodeOpen(struct {
		Tag string `json:"type"`
		plain
	}{"tool_result", plain(v)}, v.Extra, toolResultContentMembers)
}

// UnmarshalJSON reads the members; those that are not known become Extra.
func (v *ToolResultContent) UnmarshalJSON(text []byte) (err error) {
	type plain ToolResultContent
	in := struct {
		*plain
		Content []json.RawMessage `json:"content"`
	}{plain: (*plain)(v)}
	if err = decodeOpen(text, &in, toolResultContentMembers); err != nil {
		return err
	}
	if v.Content, err = decodeEach(in.Content, decodeContentBlock); err != nil {
		return err
	}
	v.Extra, err = extraMembers(text, toolResultContentMembers)
	return err
}

// ToolUseContent: A request from the assistant to call a tool.
// Revisions: from 2025-11-25 on.
type ToolUseContent struct {
	// Metadata of the protocol, of extensions and of applications.
	Meta map[string]any `json:"_meta,omitempty"`

	// A unique identifier for this tool use.
	ID string `json:"id"`

	// The arguments to pass to the tool, conforming to the tool's input schema.
	Input json.RawMessage `json:"input"`

	// The name of the tool to call.
	Name string `json:"name"`

	// Extra has the members that are not above.
	Extra map[string]json.RawMessage `json:"-"`
}

func (*ToolUseContent) isSamplingMessageContentBlock() {}

var toolUseContentMembers = []string{"_meta", "id", "input", "name", "type"}

// MarshalJSON writes the members, and those in Extra.
func (v ToolUseContent) MarshalJSON() ([]byte, error) {
	type plain ToolUseContent
	if v.Input == nil {
		v.Input = json.RawMessage("{}")
	}
	return encodeOpen(struct {
		Tag string `json:"type"`
		plain
	}{"tool_use", plain(v)}, v.Extra, toolUseContentMembers)
}

// UnmarshalJSON reads the members; those that are not known become Extra.
func (v *ToolUseContent) UnmarshalJSON(text []byte) (err error) {
	type plain ToolUseContent
	if err = decodeOpen(text, (*plain)(v), toolUseContentMembers); err != nil {
		return err
	}
	v.Extra, err = extraMembers(text, toolUseContentMembers)
	return err
}

// URLElicitationRequiredErrorData: Revision: 2025-11-25.
type URLElicitationRequiredErrorData struct {
	Elicitations []ElicitRequestURLParams `json:"elicitations"`

	// Extra has the members that are not above.
	Extra map[string]json.RawMessage `json:"-"`
}

var urlElicitationRequiredErrorDataMembers = []string{"elicitations"}

// MarshalJSON writes the members, and those in Extra.
func (v URLElicitationRequiredErrorData) MarshalJSON() ([]byte, error) {
	type plain URLElicitationRequiredErrorData
	if v.Elicitations == nil {
		v.Elicitations = []ElicitRequestURLParams{}
	}
	return encodeOpen(plain(v), v.Extra, urlElicitationRequiredErrorDataMembers)
}

// UnmarshalJSON reads the members; those that are not known become Extra.
func (v *URLElicitationRequiredErrorData) UnmarshalJSON(text []byte) (err error) {
	type plain URLElicitationRequiredErrorData
	if err = decodeOpen(text, (*plain)(v), urlElicitationRequiredErrorDataMembers); err != nil {
		return err
	}
	v.Extra, err = extraMembers(text, urlElicitationRequiredErrorDataMembers)
	return err
}

// UnsubscribeRequestParams: Parameters for a `resources/unsubscribe` request.
// Revisions: 2024-11-05 to 2025-11-25.
type UnsubscribeRequestParams struct {
	// Metadata of the protocol, of extensions and of applications.
	Meta map[string]any `json:"_meta,omitempty"`

	// The URI of the resource. The URI can use any protocol; it is up to the server how to interpret it.
	URI string `json:"uri"`

	// Extra has the members that are not above.
	Extra map[string]json.RawMessage `json:"-"`
}

var unsubscribeRequestParamsMembers = []string{"_meta", "uri"}

// MarshalJSON writes the members, and those in Extra.
func (v UnsubscribeRequestParams) MarshalJSON() ([]byte, error) {
	type plain UnsubscribeRequestParams
	return encodeOpen(plain(v), v.Extra, unsubscribeRequestParamsMembers)
}

// UnmarshalJSON reads the members; those that are not known become Extra.
func (v *UnsubscribeRequestParams) UnmarshalJSON(text []byte) (err error) {
	type plain UnsubscribeRequestParams
	if err = decodeOpen(text, (*plain)(v), unsubscribeRequestParamsMembers); err != nil {
		return err
	}
	v.Extra, err = extraMembers(text, unsubscribeRequestParamsMembers)
	return err
}

// UnsupportedProtocolVersionErrorData: Revision: 2026-07-28.
type UnsupportedProtocolVersionErrorData struct {
	// The protocol version that was requested by the client.
	Requested string `json:"requested"`

	// Protocol versions the server supports. The client should choose a mutually supported version from this list and
	// retry.
	Supported []string `json:"supported"`

	// Extra has the members that are not above.
	Extra map[string]json.RawMessage `json:"-"`
}

var unsupportedProtocolVersionErrorDataMembers = []string{"requested", "supported"}

// MarshalJSON writes the members, and those in Extra.
func (v UnsupportedProtocolVersionErrorData) MarshalJSON() ([]byte, error) {
	type plain UnsupportedProtocolVersionErrorData
	if v.Supported == nil {
		v.Supported = []string{}
	}
	return encodeOpen(plain(v), v.Extra, unsupportedProtocolVersionErrorDataMembers)
}

// UnmarshalJSON reads the members; those that are not known become Extra.
func (v *UnsupportedProtocolVersionErrorData) UnmarshalJSON(text []byte) (err error) {
	type plain UnsupportedProtocolVersionErrorData
	if err = decodeOpen(text, (*plain)(v), unsupportedProtocolVersionErrorDataMembers); err != nil {
		return err
	}
	v.Extra, err = extraMembers(text, unsupportedProtocolVersionErrorDataMembers)
	return err
}

// UntitledEnumItems: Schema for the array items.
// Revisions: from 2025-11-25 on.
type UntitledEnumItems struct {
	// Array of enum values to choose from.
	Enum []string `json:"enum"`

	// Extra has the members that are not above.
	Extra map[string]json.RawMessage `json:"-"`
}

var untitledEnumItemsMembers = []string{"enum", "type"}

// MarshalJSON writes the members, and those in Extra.
func (v UntitledEnumItems) MarshalJSON() ([]byte, error) {
	type plain UntitledEnumItems
	if v.Enum == nil {
		v.Enum = []string{}
	}
	return encodeOpen(struct {
		Tag string `json:"type"`
		plain
	}{"string", plain(v)}, v.Extra, untitledEnumItemsMembers)
}

// UnmarshalJSON reads the members; those that are not known become Extra.
func (v *UntitledEnumItems) UnmarshalJSON(text []byte) (err error) {
	type plain UntitledEnumItems
	if err = decodeOpen(text, (*plain)(v), untitledEnumItemsMembers); err != nil {
		return err
	}
	v.Extra, err = extraMembers(text, untitledEnumItemsMembers)
	return err
}

// UntitledMultiSelectEnumSchema: Schema for multiple-selection enumeration without display titles for options.
// Revisions: from 2025-11-25 on.
type UntitledMultiSelectEnumSchema struct {
	// Optional default value.
	Default []string `json:"default,omitempty"`

	// Optional description for the enum field.
	Description string `json:"description,omitempty"`

	// Schema for the array items.
	Items UntitledEnumItems `json:"items"`

	// Maximum number of items to select.
	MaxItems *int64 `json:"maxItems,omitempty"`

	// Minimum number of items to select.
	MinItems *int64 `json:"minItems,omitempty"`

	// Optional title for the enum field.
	Title string `json:"title,omitempty"`

	// Extra has the members that are not above.
	Extra map[string]json.RawMessage `json:"-"`
}

var untitledMultiSelectEnumSchemaMembers = []string{"default", "description", "items", "maxItems", "minItems", "title", "type"}

// MarshalJSON writes the members, and those in Extra.
func (v UntitledMultiSelectEnumSchema) MarshalJSON() ([]byte, error) {
	type plain UntitledMultiSelectEnumSchema
	return encodeOpen(struct {
		Tag string `json:"type"`
		plain
	}{"array", plain(v)}, v.Extra, untitledMultiSelectEnumSchemaMembers)
}

// UnmarshalJSON reads the members; those that are not known become Extra.
func (v *UntitledMultiSelectEnumSchema) UnmarshalJSON(text []byte) (err error) {
	type plain UntitledMultiSelectEnumSchema
	if err = decodeOpen(text, (*plain)(v), untitledMultiSelectEnumSchemaMembers); err != nil {
		return err
	}
	v.Extra, err = extraMembers(text, untitledMultiSelectEnumSchemaMembers)
	return err
}

// UntitledSingleSelectEnumSchema: Schema for single-selection enumeration without display titles for options.
// Revisions: from 2025-11-25 on.
type UntitledSingleSelectEnumSchema struct {
	// Optional default value.
	Default string `json:"default,omitempty"`

	// Optional description for the enum field.
	Description string `json:"description,omitempty"`

	// Array of enum values to choose from.
	Enum []string `json:"enum"`

	// Optional title for the enum field.
	Title string `json:"title,omitempty"`

	// Extra has the members that are not above.
	Extra map[string]json.RawMessage `json:"-"`
}

var untitledSingleSelectEnumSchemaMembers = []string{"default", "description", "enum", "title", "type"}

// MarshalJSON writes the members, and those in Extra.
func (v UntitledSingleSelectEnumSchema) MarshalJSON() ([]byte, error) {
	type plain UntitledSingleSelectEnumSchema
	if v.Enum == nil {
		v.Enum = []string{}
	}
	return encodeOpen(struct {
		Tag string `json:"type"`
		plain
	}{"string", plain(v)}, v.Extra, untitledSingleSelectEnumSchemaMembers)
}

// UnmarshalJSON reads the members; those that are not known become Extra.
func (v *UntitledSingleSelectEnumSchema) UnmarshalJSON(text []byte) (err error) {
	type plain UntitledSingleSelectEnumSchema
	if err = decodeOpen(text, (*plain)(v), untitledSingleSelectEnumSchemaMembers); err != nil {
		return err
	}
	v.Extra, err = extraMembers(text, untitledSingleSelectEnumSchemaMembers)
	return err
}
