// Written from the official schemas of MCP by `cargo xtask bindings`; do not edit. Their texts are under the MIT licence.

/// The names of methods.
public enum MethodName {
    /// The list of tools.
    public static let toolsList = "tools/list"

    /// The call of a tool.
    public static let toolsCall = "tools/call"

    /// The list of resources.
    public static let resourcesList = "resources/list"

    /// The list of resource templates.
    public static let templatesList = "resources/templates/list"

    /// The contents of a resource.
    public static let resourcesRead = "resources/read"

    /// Legacy on the wire; in the modern era a part of `subscriptions/listen`.
    public static let subscribe = "resources/subscribe"

    /// Its end.
    public static let unsubscribe = "resources/unsubscribe"

    /// The list of prompts.
    public static let promptsList = "prompts/list"

    /// One prompt, filled in.
    public static let promptsGet = "prompts/get"

    /// Completion of an argument.
    public static let complete = "completion/complete"

    /// Legacy on the wire; in the modern era a member of each request's `_meta`.
    public static let setLevel = "logging/setLevel"

    /// The list of skills (extension `io.modelcontextprotocol/skills`).
    public static let skillsList = "skills/list"

    /// The entry of one skill.
    public static let skillsGet = "skills/get"

    /// The direct children of a directory resource (extension `io.modelcontextprotocol/skills`).
    public static let directoryRead = "resources/directory/read"

    /// A task's state.
    public static let tasksGet = "tasks/get"

    /// Core form of tasks: a task's result, awaited.
    public static let tasksResult = "tasks/result"

    /// Core form of tasks: the tasks there are. Only servers of that form have it, and say so.
    public static let tasksList = "tasks/list"

    /// A task is no longer wanted.
    public static let tasksCancel = "tasks/cancel"

    /// Tasks extension: what the task's server asked for.
    public static let tasksUpdate = "tasks/update"

    /// Legacy handshake.
    public static let initialize = "initialize"

    /// Legacy handshake, second half.
    public static let initialized = "notifications/initialized"

    /// Modern discovery, and the probe that tells the era.
    public static let discover = "server/discover"

    /// Legacy liveness request, either way.
    public static let ping = "ping"

    /// Either side: the named request's result is no longer wanted.
    public static let cancelled = "notifications/cancelled"

    /// Modern: a stream of notices. The client opens one for what the application subscribed to.
    public static let listen = "subscriptions/listen"

    /// The server reports progress of a request.
    public static let progress = "notifications/progress"

    /// A log message of the server.
    public static let log = "notifications/message"

    /// The server asks for a model's answer.
    public static let sampling = "sampling/createMessage"

    /// The server asks the person.
    public static let elicitation = "elicitation/create"

    /// The server asks for the roots.
    public static let roots = "roots/list"

    /// Legacy: our roots changed.
    public static let rootsChanged = "notifications/roots/list_changed"

    /// The list of tools changed.
    public static let toolsChanged = "notifications/tools/list_changed"

    /// The list of resources (or of resource templates) changed.
    public static let resourcesChanged = "notifications/resources/list_changed"

    /// The list of prompts changed.
    public static let promptsChanged = "notifications/prompts/list_changed"

    /// A resource changed.
    public static let resourceUpdated = "notifications/resources/updated"

    /// 2025-11-25: a page that the server wanted visited is done with.
    public static let elicitationComplete = "notifications/elicitation/complete"

    /// Core form of tasks: a task's state.
    public static let taskStatus = "notifications/tasks/status"

    /// Tasks extension: a task's state.
    public static let taskStatusOfExtension = "notifications/tasks"

    /// Modern: the server took up a subscription.
    public static let acknowledged = "notifications/subscriptions/acknowledged"
}

/// The codes of errors that the protocol names.
public enum ErrorCode {
    public static let headerMismatch = -32020
    public static let `internal` = -32603
    public static let invalidParams = -32602
    public static let invalidRequest = -32600
    public static let methodNotFound = -32601
    public static let missingRequiredClientCapability = -32021
    public static let parse = -32700
    public static let urlElicitationRequired = -32042
    public static let unsupportedProtocolVersion = -32022
}

/// Optional annotations for the client. The client can use annotations to inform how objects are used or displayed
/// Revisions: all.
public struct Annotations: Codable, Hashable, Sendable {
    /// Describes who the intended audience of this object or data is.
    public var audience: [Role]?

    /// The moment the resource was last modified, as an ISO 8601 formatted string.
    public var lastModified: String?

    /// Describes how important this data is for operating the server.
    public var priority: Double?

    /// Members that are not above.
    public var additional: [String: JSONValue]

    public init(
        audience: [Role]? = nil,
        lastModified: String? = nil,
        priority: Double? = nil,
        additional: [String: JSONValue] = [:]
    ) {
        self.audience = audience
        self.lastModified = lastModified
        self.priority = priority
        self.additional = additional
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case audience
        case lastModified
        case priority
    }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        audience = try members.decodeIfPresent([Role].self, forKey: .audience)
        lastModified = try members.decodeIfPresent(String.self, forKey: .lastModified)
        priority = try members.decodeIfPresent(Double.self, forKey: .priority)
        additional = try decoder.additional(to: CodingKeys.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encodeIfPresent(audience, forKey: .audience)
        try members.encodeIfPresent(lastModified, forKey: .lastModified)
        try members.encodeIfPresent(priority, forKey: .priority)
        try encoder.encode(additional, besides: CodingKeys.self)
    }
}

/// Audio provided to or from an LLM.
/// Revisions: from 2025-03-26 on.
public struct AudioContent: Codable, Hashable, Sendable {
    /// The base64-encoded audio data.
    public var data: String

    /// The MIME type of the audio. Different providers may support different audio types.
    public var mimeType: String

    /// Metadata of the protocol, of extensions and of applications.
    public var meta: [String: JSONValue]?

    /// Optional annotations for the client.
    public var annotations: Annotations?

    /// Members that are not above.
    public var additional: [String: JSONValue]

    public init(
        data: String,
        mimeType: String,
        meta: [String: JSONValue]? = nil,
        annotations: Annotations? = nil,
        additional: [String: JSONValue] = [:]
    ) {
        self.data = data
        self.mimeType = mimeType
        self.meta = meta
        self.annotations = annotations
        self.additional = additional
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case type
        case data
        case mimeType
        case meta = "_meta"
        case annotations
    }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        data = try members.decode(String.self, forKey: .data)
        mimeType = try members.decode(String.self, forKey: .mimeType)
        meta = try members.decodeIfPresent([String: JSONValue].self, forKey: .meta)
        annotations = try members.decodeIfPresent(Annotations.self, forKey: .annotations)
        additional = try decoder.additional(to: CodingKeys.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode("audio", forKey: .type)
        try members.encode(data, forKey: .data)
        try members.encode(mimeType, forKey: .mimeType)
        try members.encodeIfPresent(meta, forKey: .meta)
        try members.encodeIfPresent(annotations, forKey: .annotations)
        try encoder.encode(additional, besides: CodingKeys.self)
    }
}

/// Revisions: all.
public struct BlobResourceContents: Codable, Hashable, Sendable {
    /// A base64-encoded string representing the binary data of the item.
    public var blob: String

    /// The URI of this resource.
    public var uri: String

    /// Metadata of the protocol, of extensions and of applications.
    public var meta: [String: JSONValue]?

    /// The MIME type of this resource, if known.
    public var mimeType: String?

    /// Members that are not above.
    public var additional: [String: JSONValue]

    public init(
        blob: String,
        uri: String,
        meta: [String: JSONValue]? = nil,
        mimeType: String? = nil,
        additional: [String: JSONValue] = [:]
    ) {
        self.blob = blob
        self.uri = uri
        self.meta = meta
        self.mimeType = mimeType
        self.additional = additional
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case blob
        case uri
        case meta = "_meta"
        case mimeType
    }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        blob = try members.decode(String.self, forKey: .blob)
        uri = try members.decode(String.self, forKey: .uri)
        meta = try members.decodeIfPresent([String: JSONValue].self, forKey: .meta)
        mimeType = try members.decodeIfPresent(String.self, forKey: .mimeType)
        additional = try decoder.additional(to: CodingKeys.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(blob, forKey: .blob)
        try members.encode(uri, forKey: .uri)
        try members.encodeIfPresent(meta, forKey: .meta)
        try members.encodeIfPresent(mimeType, forKey: .mimeType)
        try encoder.encode(additional, besides: CodingKeys.self)
    }
}

/// Revisions: from 2025-06-18 on.
public struct BooleanSchema: Codable, Hashable, Sendable {
    public var `default`: Bool?

    public var description: String?

    public var title: String?

    /// Members that are not above.
    public var additional: [String: JSONValue]

    public init(
        `default`: Bool? = nil,
        description: String? = nil,
        title: String? = nil,
        additional: [String: JSONValue] = [:]
    ) {
        self.`default` = `default`
        self.description = description
        self.title = title
        self.additional = additional
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case type
        case `default`
        case description
        case title
    }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        `default` = try members.decodeIfPresent(Bool.self, forKey: .`default`)
        description = try members.decodeIfPresent(String.self, forKey: .description)
        title = try members.decodeIfPresent(String.self, forKey: .title)
        additional = try decoder.additional(to: CodingKeys.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode("boolean", forKey: .type)
        try members.encodeIfPresent(`default`, forKey: .`default`)
        try members.encodeIfPresent(description, forKey: .description)
        try members.encodeIfPresent(title, forKey: .title)
        try encoder.encode(additional, besides: CodingKeys.self)
    }
}

/// Parameters for a `tools/call` request.
/// Revisions: all.
public struct CallToolRequestParams: Codable, Hashable, Sendable {
    /// The name of the tool.
    public var name: String

    /// Metadata of the protocol, of extensions and of applications.
    public var meta: [String: JSONValue]?

    /// Arguments to use for the tool call.
    public var arguments: [String: JSONValue]?

    public var inputResponses: [String: InputResponse]?

    public var requestState: String?

    /// If specified, the caller is requesting task-augmented execution for this request. The request will return a
    /// CreateTaskResult immediately, and the actual result can be retrieved later via tasks/result.
    public var task: TaskMetadata?

    /// Members that are not above.
    public var additional: [String: JSONValue]

    public init(
        name: String,
        meta: [String: JSONValue]? = nil,
        arguments: [String: JSONValue]? = nil,
        inputResponses: [String: InputResponse]? = nil,
        requestState: String? = nil,
        task: TaskMetadata? = nil,
        additional: [String: JSONValue] = [:]
    ) {
        self.name = name
        self.meta = meta
        self.arguments = arguments
        self.inputResponses = inputResponses
        self.requestState = requestState
        self.task = task
        self.additional = additional
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case name
        case meta = "_meta"
        case arguments
        case inputResponses
        case requestState
        case task
    }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        name = try members.decode(String.self, forKey: .name)
        meta = try members.decodeIfPresent([String: JSONValue].self, forKey: .meta)
        arguments = try members.decodeIfPresent([String: JSONValue].self, forKey: .arguments)
        inputResponses = try members.decodeIfPresent([String: InputResponse].self, forKey: .inputResponses)
        requestState = try members.decodeIfPresent(String.self, forKey: .requestState)
        task = try members.decodeIfPresent(TaskMetadata.self, forKey: .task)
        additional = try decoder.additional(to: CodingKeys.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(name, forKey: .name)
        try members.encodeIfPresent(meta, forKey: .meta)
        try members.encodeIfPresent(arguments, forKey: .arguments)
        try members.encodeIfPresent(inputResponses, forKey: .inputResponses)
        try members.encodeIfPresent(requestState, forKey: .requestState)
        try members.encodeIfPresent(task, forKey: .task)
        try encoder.encode(additional, besides: CodingKeys.self)
    }
}

/// The result returned by the server for a tools/call request.
/// Revisions: all.
public struct CallToolResult: Codable, Hashable, Sendable {
    /// A list of content objects that represent the unstructured result of the tool call.
    public var content: [ContentBlock]

    /// Metadata of the protocol, of extensions and of applications.
    public var meta: [String: JSONValue]?

    /// Whether the tool call ended in an error.
    public var isError: Bool?

    /// Indicates the type of the result, which allows the client to determine how to parse the result object.
    public var resultType: String?

    /// An optional JSON value that represents the structured result of the tool call.
    public var structuredContent: JSONValue?

    /// Members that are not above.
    public var additional: [String: JSONValue]

    public init(
        content: [ContentBlock],
        meta: [String: JSONValue]? = nil,
        isError: Bool? = nil,
        resultType: String? = nil,
        structuredContent: JSONValue? = nil,
        additional: [String: JSONValue] = [:]
    ) {
        self.content = content
        self.meta = meta
        self.isError = isError
        self.resultType = resultType
        self.structuredContent = structuredContent
        self.additional = additional
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case content
        case meta = "_meta"
        case isError
        case resultType
        case structuredContent
    }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        content = try members.decodeIfPresent([ContentBlock].self, forKey: .content) ?? []
        meta = try members.decodeIfPresent([String: JSONValue].self, forKey: .meta)
        isError = try members.decodeIfPresent(Bool.self, forKey: .isError)
        resultType = try members.decodeIfPresent(String.self, forKey: .resultType)
        structuredContent = try members.decodeIfPresent(JSONValue.self, forKey: .structuredContent)
        additional = try decoder.additional(to: CodingKeys.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(content, forKey: .content)
        try members.encodeIfPresent(meta, forKey: .meta)
        try members.encodeIfPresent(isError, forKey: .isError)
        try members.encodeIfPresent(resultType, forKey: .resultType)
        try members.encodeIfPresent(structuredContent, forKey: .structuredContent)
        try encoder.encode(additional, besides: CodingKeys.self)
    }
}

/// Revision: 2025-11-25.
public struct CancelTaskRequestParams: Codable, Hashable, Sendable {
    /// The task identifier to cancel.
    public var taskId: String

    /// Members that are not above.
    public var additional: [String: JSONValue]

    public init(
        taskId: String,
        additional: [String: JSONValue] = [:]
    ) {
        self.taskId = taskId
        self.additional = additional
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case taskId
    }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        taskId = try members.decode(String.self, forKey: .taskId)
        additional = try decoder.additional(to: CodingKeys.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(taskId, forKey: .taskId)
        try encoder.encode(additional, besides: CodingKeys.self)
    }
}

/// The response to a tasks/cancel request.
/// Revision: 2025-11-25.
public struct CancelTaskResult: Codable, Hashable, Sendable {
    /// ISO 8601 timestamp when the task was created.
    public var createdAt: String

    /// ISO 8601 timestamp when the task was last updated.
    public var lastUpdatedAt: String

    /// Current task state.
    public var status: TaskStatus

    /// The task identifier.
    public var taskId: String

    /// Actual retention duration from creation in milliseconds, null for unlimited.
    public var ttl: Int?

    /// Metadata of the protocol, of extensions and of applications.
    public var meta: [String: JSONValue]?

    /// Suggested polling interval in milliseconds.
    public var pollInterval: Int?

    /// Optional human-readable message describing the current task state. This can provide context for any status,
    /// including: - Reasons for "cancelled" status - Summaries for "completed" status - Diagnostic information for
    /// "failed" status (e.g., error details, what went wrong)
    public var statusMessage: String?

    /// Members that are not above.
    public var additional: [String: JSONValue]

    public init(
        createdAt: String,
        lastUpdatedAt: String,
        status: TaskStatus,
        taskId: String,
        ttl: Int?,
        meta: [String: JSONValue]? = nil,
        pollInterval: Int? = nil,
        statusMessage: String? = nil,
        additional: [String: JSONValue] = [:]
    ) {
        self.createdAt = createdAt
        self.lastUpdatedAt = lastUpdatedAt
        self.status = status
        self.taskId = taskId
        self.ttl = ttl
        self.meta = meta
        self.pollInterval = pollInterval
        self.statusMessage = statusMessage
        self.additional = additional
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case createdAt
        case lastUpdatedAt
        case status
        case taskId
        case ttl
        case meta = "_meta"
        case pollInterval
        case statusMessage
    }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        createdAt = try members.decode(String.self, forKey: .createdAt)
        lastUpdatedAt = try members.decode(String.self, forKey: .lastUpdatedAt)
        status = try members.decode(TaskStatus.self, forKey: .status)
        taskId = try members.decode(String.self, forKey: .taskId)
        ttl = try members.decodeIfPresent(Int.self, forKey: .ttl)
        meta = try members.decodeIfPresent([String: JSONValue].self, forKey: .meta)
        pollInterval = try members.decodeIfPresent(Int.self, forKey: .pollInterval)
        statusMessage = try members.decodeIfPresent(String.self, forKey: .statusMessage)
        additional = try decoder.additional(to: CodingKeys.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(createdAt, forKey: .createdAt)
        try members.encode(lastUpdatedAt, forKey: .lastUpdatedAt)
        try members.encode(status, forKey: .status)
        try members.encode(taskId, forKey: .taskId)
        try members.encode(ttl, forKey: .ttl)
        try members.encodeIfPresent(meta, forKey: .meta)
        try members.encodeIfPresent(pollInterval, forKey: .pollInterval)
        try members.encodeIfPresent(statusMessage, forKey: .statusMessage)
        try encoder.encode(additional, besides: CodingKeys.self)
    }
}

/// Parameters for a `notifications/cancelled` notification.
/// Revisions: all.
public struct CancelledNotificationParams: Codable, Hashable, Sendable {
    /// Metadata of the protocol, of extensions and of applications.
    public var meta: [String: JSONValue]?

    /// An optional string describing the reason for the cancellation. This MAY be logged or presented to the user.
    public var reason: String?

    /// The ID of the request to cancel.
    public var requestId: JSONValue?

    /// Members that are not above.
    public var additional: [String: JSONValue]

    public init(
        meta: [String: JSONValue]? = nil,
        reason: String? = nil,
        requestId: JSONValue? = nil,
        additional: [String: JSONValue] = [:]
    ) {
        self.meta = meta
        self.reason = reason
        self.requestId = requestId
        self.additional = additional
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case meta = "_meta"
        case reason
        case requestId
    }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        meta = try members.decodeIfPresent([String: JSONValue].self, forKey: .meta)
        reason = try members.decodeIfPresent(String.self, forKey: .reason)
        requestId = try members.decodeIfPresent(JSONValue.self, forKey: .requestId)
        additional = try decoder.additional(to: CodingKeys.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encodeIfPresent(meta, forKey: .meta)
        try members.encodeIfPresent(reason, forKey: .reason)
        try members.encodeIfPresent(requestId, forKey: .requestId)
        try encoder.encode(additional, besides: CodingKeys.self)
    }
}

/// Capabilities a client may support. Known capabilities are defined here, in this schema, but this is not a closed
/// set: any client can define its own, additional capabilities.
/// Revisions: all.
public struct ClientCapabilities: Codable, Hashable, Sendable {
    /// Present if the client supports elicitation from the server.
    public var elicitation: ClientCapabilitiesElicitation?

    /// Experimental, non-standard capabilities that the client supports.
    public var experimental: [String: [String: JSONValue]]?

    /// Optional MCP extensions that the client supports. Keys are extension identifiers (e.g.,
    /// "io.modelcontextprotocol/oauth-client-credentials"), and values are per-extension settings objects. An empty
    /// object indicates support with no settings.
    public var extensions: [String: [String: JSONValue]]?

    /// Present if the client supports listing roots.
    public var roots: ClientCapabilitiesRoots?

    /// Present if the client supports sampling from an LLM.
    public var sampling: ClientCapabilitiesSampling?

    /// Present if the client supports task-augmented requests.
    public var tasks: ClientCapabilitiesTasks?

    /// Members that are not above.
    public var additional: [String: JSONValue]

    public init(
        elicitation: ClientCapabilitiesElicitation? = nil,
        experimental: [String: [String: JSONValue]]? = nil,
        extensions: [String: [String: JSONValue]]? = nil,
        roots: ClientCapabilitiesRoots? = nil,
        sampling: ClientCapabilitiesSampling? = nil,
        tasks: ClientCapabilitiesTasks? = nil,
        additional: [String: JSONValue] = [:]
    ) {
        self.elicitation = elicitation
        self.experimental = experimental
        self.extensions = extensions
        self.roots = roots
        self.sampling = sampling
        self.tasks = tasks
        self.additional = additional
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case elicitation
        case experimental
        case extensions
        case roots
        case sampling
        case tasks
    }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        elicitation = try members.decodeIfPresent(ClientCapabilitiesElicitation.self, forKey: .elicitation)
        experimental = try members.decodeIfPresent([String: [String: JSONValue]].self, forKey: .experimental)
        extensions = try members.decodeIfPresent([String: [String: JSONValue]].self, forKey: .extensions)
        roots = try members.decodeIfPresent(ClientCapabilitiesRoots.self, forKey: .roots)
        sampling = try members.decodeIfPresent(ClientCapabilitiesSampling.self, forKey: .sampling)
        tasks = try members.decodeIfPresent(ClientCapabilitiesTasks.self, forKey: .tasks)
        additional = try decoder.additional(to: CodingKeys.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encodeIfPresent(elicitation, forKey: .elicitation)
        try members.encodeIfPresent(experimental, forKey: .experimental)
        try members.encodeIfPresent(extensions, forKey: .extensions)
        try members.encodeIfPresent(roots, forKey: .roots)
        try members.encodeIfPresent(sampling, forKey: .sampling)
        try members.encodeIfPresent(tasks, forKey: .tasks)
        try encoder.encode(additional, besides: CodingKeys.self)
    }
}

/// Present if the client supports elicitation from the server.
/// Revisions: from 2025-11-25 on.
public struct ClientCapabilitiesElicitation: Codable, Hashable, Sendable {
    public var form: [String: JSONValue]?

    public var url: [String: JSONValue]?

    /// Members that are not above.
    public var additional: [String: JSONValue]

    public init(
        form: [String: JSONValue]? = nil,
        url: [String: JSONValue]? = nil,
        additional: [String: JSONValue] = [:]
    ) {
        self.form = form
        self.url = url
        self.additional = additional
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case form
        case url
    }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        form = try members.decodeIfPresent([String: JSONValue].self, forKey: .form)
        url = try members.decodeIfPresent([String: JSONValue].self, forKey: .url)
        additional = try decoder.additional(to: CodingKeys.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encodeIfPresent(form, forKey: .form)
        try members.encodeIfPresent(url, forKey: .url)
        try encoder.encode(additional, besides: CodingKeys.self)
    }
}

/// Present if the client supports listing roots.
/// Revisions: 2024-11-05 to 2025-11-25.
///
/// Deprecated: 2026-07-28 deprecates sampling, roots and log messages (SEP-2577). They work in every revision that
/// has them.
public struct ClientCapabilitiesRoots: Codable, Hashable, Sendable {
    /// Whether the client supports notifications for changes to the roots list.
    public var listChanged: Bool?

    /// Members that are not above.
    public var additional: [String: JSONValue]

    public init(
        listChanged: Bool? = nil,
        additional: [String: JSONValue] = [:]
    ) {
        self.listChanged = listChanged
        self.additional = additional
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case listChanged
    }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        listChanged = try members.decodeIfPresent(Bool.self, forKey: .listChanged)
        additional = try decoder.additional(to: CodingKeys.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encodeIfPresent(listChanged, forKey: .listChanged)
        try encoder.encode(additional, besides: CodingKeys.self)
    }
}

/// Present if the client supports sampling from an LLM.
/// Revisions: from 2025-11-25 on.
///
/// Deprecated: 2026-07-28 deprecates sampling, roots and log messages (SEP-2577). They work in every revision that
/// has them.
public struct ClientCapabilitiesSampling: Codable, Hashable, Sendable {
    /// Whether the client supports context inclusion via `includeContext` parameter. If not declared, servers
    /// SHOULD only use `includeContext: "none"` (or omit it).
    public var context: [String: JSONValue]?

    /// Whether the client supports tool use via `tools` and `toolChoice` parameters.
    public var tools: [String: JSONValue]?

    /// Members that are not above.
    public var additional: [String: JSONValue]

    public init(
        context: [String: JSONValue]? = nil,
        tools: [String: JSONValue]? = nil,
        additional: [String: JSONValue] = [:]
    ) {
        self.context = context
        self.tools = tools
        self.additional = additional
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case context
        case tools
    }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        context = try members.decodeIfPresent([String: JSONValue].self, forKey: .context)
        tools = try members.decodeIfPresent([String: JSONValue].self, forKey: .tools)
        additional = try decoder.additional(to: CodingKeys.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encodeIfPresent(context, forKey: .context)
        try members.encodeIfPresent(tools, forKey: .tools)
        try encoder.encode(additional, besides: CodingKeys.self)
    }
}

/// Present if the client supports task-augmented requests.
/// Revision: 2025-11-25.
public struct ClientCapabilitiesTasks: Codable, Hashable, Sendable {
    /// Whether this client supports tasks/cancel.
    public var cancel: [String: JSONValue]?

    /// Whether this client supports tasks/list.
    public var list: [String: JSONValue]?

    /// Specifies which request types can be augmented with tasks.
    public var requests: ClientCapabilitiesTasksRequests?

    /// Members that are not above.
    public var additional: [String: JSONValue]

    public init(
        cancel: [String: JSONValue]? = nil,
        list: [String: JSONValue]? = nil,
        requests: ClientCapabilitiesTasksRequests? = nil,
        additional: [String: JSONValue] = [:]
    ) {
        self.cancel = cancel
        self.list = list
        self.requests = requests
        self.additional = additional
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case cancel
        case list
        case requests
    }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        cancel = try members.decodeIfPresent([String: JSONValue].self, forKey: .cancel)
        list = try members.decodeIfPresent([String: JSONValue].self, forKey: .list)
        requests = try members.decodeIfPresent(ClientCapabilitiesTasksRequests.self, forKey: .requests)
        additional = try decoder.additional(to: CodingKeys.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encodeIfPresent(cancel, forKey: .cancel)
        try members.encodeIfPresent(list, forKey: .list)
        try members.encodeIfPresent(requests, forKey: .requests)
        try encoder.encode(additional, besides: CodingKeys.self)
    }
}

/// Specifies which request types can be augmented with tasks.
/// Revision: 2025-11-25.
public struct ClientCapabilitiesTasksRequests: Codable, Hashable, Sendable {
    /// Task support for elicitation-related requests.
    public var elicitation: ClientCapabilitiesTasksRequestsElicitation?

    /// Task support for sampling-related requests.
    public var sampling: ClientCapabilitiesTasksRequestsSampling?

    /// Members that are not above.
    public var additional: [String: JSONValue]

    public init(
        elicitation: ClientCapabilitiesTasksRequestsElicitation? = nil,
        sampling: ClientCapabilitiesTasksRequestsSampling? = nil,
        additional: [String: JSONValue] = [:]
    ) {
        self.elicitation = elicitation
        self.sampling = sampling
        self.additional = additional
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case elicitation
        case sampling
    }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        elicitation = try members.decodeIfPresent(ClientCapabilitiesTasksRequestsElicitation.self, forKey: .elicitation)
        sampling = try members.decodeIfPresent(ClientCapabilitiesTasksRequestsSampling.self, forKey: .sampling)
        additional = try decoder.additional(to: CodingKeys.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encodeIfPresent(elicitation, forKey: .elicitation)
        try members.encodeIfPresent(sampling, forKey: .sampling)
        try encoder.encode(additional, besides: CodingKeys.self)
    }
}

/// Task support for elicitation-related requests.
/// Revision: 2025-11-25.
public struct ClientCapabilitiesTasksRequestsElicitation: Codable, Hashable, Sendable {
    /// Whether the client supports task-augmented elicitation/create requests.
    public var create: [String: JSONValue]?

    /// Members that are not above.
    public var additional: [String: JSONValue]

    public init(
        create: [String: JSONValue]? = nil,
        additional: [String: JSONValue] = [:]
    ) {
        self.create = create
        self.additional = additional
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case create
    }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        create = try members.decodeIfPresent([String: JSONValue].self, forKey: .create)
        additional = try decoder.additional(to: CodingKeys.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encodeIfPresent(create, forKey: .create)
        try encoder.encode(additional, besides: CodingKeys.self)
    }
}

/// Task support for sampling-related requests.
/// Revision: 2025-11-25.
public struct ClientCapabilitiesTasksRequestsSampling: Codable, Hashable, Sendable {
    /// Whether the client supports task-augmented sampling/createMessage requests.
    public var createMessage: [String: JSONValue]?

    /// Members that are not above.
    public var additional: [String: JSONValue]

    public init(
        createMessage: [String: JSONValue]? = nil,
        additional: [String: JSONValue] = [:]
    ) {
        self.createMessage = createMessage
        self.additional = additional
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case createMessage
    }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        createMessage = try members.decodeIfPresent([String: JSONValue].self, forKey: .createMessage)
        additional = try decoder.additional(to: CodingKeys.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encodeIfPresent(createMessage, forKey: .createMessage)
        try encoder.encode(additional, besides: CodingKeys.self)
    }
}

/// Parameters for a `completion/complete` request.
/// Revisions: all.
public struct CompleteRequestParams: Codable, Hashable, Sendable {
    /// The argument's information
    public var argument: CompletionArgument

    public var ref: Reference

    /// Metadata of the protocol, of extensions and of applications.
    public var meta: [String: JSONValue]?

    /// Additional, optional context for completions
    public var context: CompletionContext?

    /// Members that are not above.
    public var additional: [String: JSONValue]

    public init(
        argument: CompletionArgument,
        ref: Reference,
        meta: [String: JSONValue]? = nil,
        context: CompletionContext? = nil,
        additional: [String: JSONValue] = [:]
    ) {
        self.argument = argument
        self.ref = ref
        self.meta = meta
        self.context = context
        self.additional = additional
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case argument
        case ref
        case meta = "_meta"
        case context
    }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        argument = try members.decode(CompletionArgument.self, forKey: .argument)
        ref = try members.decode(Reference.self, forKey: .ref)
        meta = try members.decodeIfPresent([String: JSONValue].self, forKey: .meta)
        context = try members.decodeIfPresent(CompletionContext.self, forKey: .context)
        additional = try decoder.additional(to: CodingKeys.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(argument, forKey: .argument)
        try members.encode(ref, forKey: .ref)
        try members.encodeIfPresent(meta, forKey: .meta)
        try members.encodeIfPresent(context, forKey: .context)
        try encoder.encode(additional, besides: CodingKeys.self)
    }
}

/// The result returned by the server for a completion/complete request.
/// Revisions: all.
public struct CompleteResult: Codable, Hashable, Sendable {
    public var completion: Completion

    /// Metadata of the protocol, of extensions and of applications.
    public var meta: [String: JSONValue]?

    /// Indicates the type of the result, which allows the client to determine how to parse the result object.
    public var resultType: String?

    /// Members that are not above.
    public var additional: [String: JSONValue]

    public init(
        completion: Completion,
        meta: [String: JSONValue]? = nil,
        resultType: String? = nil,
        additional: [String: JSONValue] = [:]
    ) {
        self.completion = completion
        self.meta = meta
        self.resultType = resultType
        self.additional = additional
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case completion
        case meta = "_meta"
        case resultType
    }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        completion = try members.decode(Completion.self, forKey: .completion)
        meta = try members.decodeIfPresent([String: JSONValue].self, forKey: .meta)
        resultType = try members.decodeIfPresent(String.self, forKey: .resultType)
        additional = try decoder.additional(to: CodingKeys.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(completion, forKey: .completion)
        try members.encodeIfPresent(meta, forKey: .meta)
        try members.encodeIfPresent(resultType, forKey: .resultType)
        try encoder.encode(additional, besides: CodingKeys.self)
    }
}

/// Revisions: all.
public struct Completion: Codable, Hashable, Sendable {
    /// An array of completion values. Must not exceed 100 items.
    public var values: [String]

    /// Indicates whether there are additional completion options beyond those provided in the current response,
    /// even if the exact total is unknown.
    public var hasMore: Bool?

    /// The total number of completion options available. This can exceed the number of values actually sent in the
    /// response.
    public var total: Int?

    /// Members that are not above.
    public var additional: [String: JSONValue]

    public init(
        values: [String],
        hasMore: Bool? = nil,
        total: Int? = nil,
        additional: [String: JSONValue] = [:]
    ) {
        self.values = values
        self.hasMore = hasMore
        self.total = total
        self.additional = additional
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case values
        case hasMore
        case total
    }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        values = try members.decodeIfPresent([String].self, forKey: .values) ?? []
        hasMore = try members.decodeIfPresent(Bool.self, forKey: .hasMore)
        total = try members.decodeIfPresent(Int.self, forKey: .total)
        additional = try decoder.additional(to: CodingKeys.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(values, forKey: .values)
        try members.encodeIfPresent(hasMore, forKey: .hasMore)
        try members.encodeIfPresent(total, forKey: .total)
        try encoder.encode(additional, besides: CodingKeys.self)
    }
}

/// The argument's information
/// Revisions: all.
public struct CompletionArgument: Codable, Hashable, Sendable {
    /// The name of the argument
    public var name: String

    /// The value of the argument to use for completion matching.
    public var value: String

    /// Members that are not above.
    public var additional: [String: JSONValue]

    public init(
        name: String,
        value: String,
        additional: [String: JSONValue] = [:]
    ) {
        self.name = name
        self.value = value
        self.additional = additional
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case name
        case value
    }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        name = try members.decode(String.self, forKey: .name)
        value = try members.decode(String.self, forKey: .value)
        additional = try decoder.additional(to: CodingKeys.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(name, forKey: .name)
        try members.encode(value, forKey: .value)
        try encoder.encode(additional, besides: CodingKeys.self)
    }
}

/// Additional, optional context for completions
/// Revisions: from 2025-06-18 on.
public struct CompletionContext: Codable, Hashable, Sendable {
    /// Previously-resolved variables in a URI template or prompt.
    public var arguments: [String: String]?

    /// Members that are not above.
    public var additional: [String: JSONValue]

    public init(
        arguments: [String: String]? = nil,
        additional: [String: JSONValue] = [:]
    ) {
        self.arguments = arguments
        self.additional = additional
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case arguments
    }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        arguments = try members.decodeIfPresent([String: String].self, forKey: .arguments)
        additional = try decoder.additional(to: CodingKeys.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encodeIfPresent(arguments, forKey: .arguments)
        try encoder.encode(additional, besides: CodingKeys.self)
    }
}

/// Revisions: from 2025-06-18 on.
public enum ContentBlock: Codable, Hashable, Sendable {
    case text(TextContent)
    case image(ImageContent)
    case audio(AudioContent)
    case resourceLink(ResourceLink)
    case resource(EmbeddedResource)
    /// What a later revision has, as it came.
    case other(JSONValue)

    public init(from decoder: any Decoder) throws {
        switch try decoder.tag("type") {
        case "text": self = .text(try TextContent(from: decoder))
        case "image": self = .image(try ImageContent(from: decoder))
        case "audio": self = .audio(try AudioContent(from: decoder))
        case "resource_link": self = .resourceLink(try ResourceLink(from: decoder))
        case "resource": self = .resource(try EmbeddedResource(from: decoder))
        default: self = .other(try JSONValue(from: decoder))
        }
    }

    public func encode(to encoder: any Encoder) throws {
        switch self {
        case .text(let value): try value.encode(to: encoder)
        case .image(let value): try value.encode(to: encoder)
        case .audio(let value): try value.encode(to: encoder)
        case .resourceLink(let value): try value.encode(to: encoder)
        case .resource(let value): try value.encode(to: encoder)
        case .other(let value): try value.encode(to: encoder)
        }
    }
}

/// A request from the server to sample an LLM via the client. The client has full discretion over which model to
/// select. The client should also inform the user before beginning sampling, to allow them to inspect the request
/// (human in the loop) and decide whether to approve it.
/// Revision: 2026-07-28.
///
/// Deprecated: 2026-07-28 deprecates sampling, roots and log messages (SEP-2577). They work in every revision that
/// has them.
public struct CreateMessageRequest: Codable, Hashable, Sendable {
    public var params: CreateMessageRequestParams

    /// Members that are not above.
    public var additional: [String: JSONValue]

    public init(
        params: CreateMessageRequestParams,
        additional: [String: JSONValue] = [:]
    ) {
        self.params = params
        self.additional = additional
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case method
        case params
    }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        params = try members.decode(CreateMessageRequestParams.self, forKey: .params)
        additional = try decoder.additional(to: CodingKeys.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode("sampling/createMessage", forKey: .method)
        try members.encode(params, forKey: .params)
        try encoder.encode(additional, besides: CodingKeys.self)
    }
}

/// Parameters for a `sampling/createMessage` request.
/// Revisions: all.
///
/// Deprecated: 2026-07-28 deprecates sampling, roots and log messages (SEP-2577). They work in every revision that
/// has them.
public struct CreateMessageRequestParams: Codable, Hashable, Sendable {
    /// The requested maximum number of tokens to sample (to prevent runaway completions).
    public var maxTokens: Int

    public var messages: [SamplingMessage]

    /// Metadata of the protocol, of extensions and of applications.
    public var meta: [String: JSONValue]?

    /// A request to include context from one or more MCP servers (including the caller), to be attached to the
    /// prompt. The client MAY ignore this request.
    public var includeContext: IncludeContext?

    /// Optional metadata to pass through to the LLM provider. The format of this metadata is provider-specific.
    public var metadata: [String: JSONValue]?

    /// The server's preferences for which model to select. The client MAY ignore these preferences.
    public var modelPreferences: ModelPreferences?

    public var stopSequences: [String]?

    /// An optional system prompt the server wants to use for sampling. The client MAY modify or omit this prompt.
    public var systemPrompt: String?

    /// If specified, the caller is requesting task-augmented execution for this request. The request will return a
    /// CreateTaskResult immediately, and the actual result can be retrieved later via tasks/result.
    public var task: TaskMetadata?

    public var temperature: Double?

    /// Controls how the model uses tools. The client MUST return an error if this field is provided but
    /// ClientCapabilities.sampling.tools is not declared. Default is `{ mode: "auto" }`.
    public var toolChoice: ToolChoice?

    /// Tools that the model may use during generation. The client MUST return an error if this field is provided
    /// but ClientCapabilities.sampling.tools is not declared.
    public var tools: [Tool]?

    /// Members that are not above.
    public var additional: [String: JSONValue]

    public init(
        maxTokens: Int,
        messages: [SamplingMessage],
        meta: [String: JSONValue]? = nil,
        includeContext: IncludeContext? = nil,
        metadata: [String: JSONValue]? = nil,
        modelPreferences: ModelPreferences? = nil,
        stopSequences: [String]? = nil,
        systemPrompt: String? = nil,
        task: TaskMetadata? = nil,
        temperature: Double? = nil,
        toolChoice: ToolChoice? = nil,
        tools: [Tool]? = nil,
        additional: [String: JSONValue] = [:]
    ) {
        self.maxTokens = maxTokens
        self.messages = messages
        self.meta = meta
        self.includeContext = includeContext
        self.metadata = metadata
        self.modelPreferences = modelPreferences
        self.stopSequences = stopSequences
        self.systemPrompt = systemPrompt
        self.task = task
        self.temperature = temperature
        self.toolChoice = toolChoice
        self.tools = tools
        self.additional = additional
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case maxTokens
        case messages
        case meta = "_meta"
        case includeContext
        case metadata
        case modelPreferences
        case stopSequences
        case systemPrompt
        case task
        case temperature
        case toolChoice
        case tools
    }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        maxTokens = try members.decode(Int.self, forKey: .maxTokens)
        messages = try members.decodeIfPresent([SamplingMessage].self, forKey: .messages) ?? []
        meta = try members.decodeIfPresent([String: JSONValue].self, forKey: .meta)
        includeContext = try members.decodeIfPresent(IncludeContext.self, forKey: .includeContext)
        metadata = try members.decodeIfPresent([String: JSONValue].self, forKey: .metadata)
        modelPreferences = try members.decodeIfPresent(ModelPreferences.self, forKey: .modelPreferences)
        stopSequences = try members.decodeIfPresent([String].self, forKey: .stopSequences)
        systemPrompt = try members.decodeIfPresent(String.self, forKey: .systemPrompt)
        task = try members.decodeIfPresent(TaskMetadata.self, forKey: .task)
        temperature = try members.decodeIfPresent(Double.self, forKey: .temperature)
        toolChoice = try members.decodeIfPresent(ToolChoice.self, forKey: .toolChoice)
        tools = try members.decodeIfPresent([Tool].self, forKey: .tools)
        additional = try decoder.additional(to: CodingKeys.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(maxTokens, forKey: .maxTokens)
        try members.encode(messages, forKey: .messages)
        try members.encodeIfPresent(meta, forKey: .meta)
        try members.encodeIfPresent(includeContext, forKey: .includeContext)
        try members.encodeIfPresent(metadata, forKey: .metadata)
        try members.encodeIfPresent(modelPreferences, forKey: .modelPreferences)
        try members.encodeIfPresent(stopSequences, forKey: .stopSequences)
        try members.encodeIfPresent(systemPrompt, forKey: .systemPrompt)
        try members.encodeIfPresent(task, forKey: .task)
        try members.encodeIfPresent(temperature, forKey: .temperature)
        try members.encodeIfPresent(toolChoice, forKey: .toolChoice)
        try members.encodeIfPresent(tools, forKey: .tools)
        try encoder.encode(additional, besides: CodingKeys.self)
    }

    /// The values of `includeContext`.
    public struct IncludeContext: OpenEnum {
        public let rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }

        public static let allServers = IncludeContext(rawValue: "allServers")
        public static let none = IncludeContext(rawValue: "none")
        public static let thisServer = IncludeContext(rawValue: "thisServer")
    }
}

/// The result returned by the client for a sampling/createMessage request. The client should inform the user before
/// returning the sampled message, to allow them to inspect the response (human in the loop) and decide whether to
/// allow the server to see it.
/// Revisions: all.
///
/// Deprecated: 2026-07-28 deprecates sampling, roots and log messages (SEP-2577). They work in every revision that
/// has them.
public struct CreateMessageResult: Codable, Hashable, Sendable {
    public var content: [SamplingMessageContentBlock]

    /// The name of the model that generated the message.
    public var model: String

    public var role: Role

    /// Metadata of the protocol, of extensions and of applications.
    public var meta: [String: JSONValue]?

    /// The reason why sampling stopped, if known.
    public var stopReason: String?

    /// Members that are not above.
    public var additional: [String: JSONValue]

    public init(
        content: [SamplingMessageContentBlock],
        model: String,
        role: Role,
        meta: [String: JSONValue]? = nil,
        stopReason: String? = nil,
        additional: [String: JSONValue] = [:]
    ) {
        self.content = content
        self.model = model
        self.role = role
        self.meta = meta
        self.stopReason = stopReason
        self.additional = additional
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case content
        case model
        case role
        case meta = "_meta"
        case stopReason
    }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        content = try members.oneOrMany(SamplingMessageContentBlock.self, forKey: .content) ?? []
        model = try members.decode(String.self, forKey: .model)
        role = try members.decode(Role.self, forKey: .role)
        meta = try members.decodeIfPresent([String: JSONValue].self, forKey: .meta)
        stopReason = try members.decodeIfPresent(String.self, forKey: .stopReason)
        additional = try decoder.additional(to: CodingKeys.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encodeOneOrMany(content, forKey: .content)
        try members.encode(model, forKey: .model)
        try members.encode(role, forKey: .role)
        try members.encodeIfPresent(meta, forKey: .meta)
        try members.encodeIfPresent(stopReason, forKey: .stopReason)
        try encoder.encode(additional, besides: CodingKeys.self)
    }
}

/// A response to a task-augmented request.
/// Revision: 2025-11-25.
public struct CreateTaskResult: Codable, Hashable, Sendable {
    public var task: LegacyTask

    /// Metadata of the protocol, of extensions and of applications.
    public var meta: [String: JSONValue]?

    /// Members that are not above.
    public var additional: [String: JSONValue]

    public init(
        task: LegacyTask,
        meta: [String: JSONValue]? = nil,
        additional: [String: JSONValue] = [:]
    ) {
        self.task = task
        self.meta = meta
        self.additional = additional
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case task
        case meta = "_meta"
    }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        task = try members.decode(LegacyTask.self, forKey: .task)
        meta = try members.decodeIfPresent([String: JSONValue].self, forKey: .meta)
        additional = try decoder.additional(to: CodingKeys.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(task, forKey: .task)
        try members.encodeIfPresent(meta, forKey: .meta)
        try encoder.encode(additional, besides: CodingKeys.self)
    }
}

/// The result returned by the server for a server/discover request.
/// Revision: 2026-07-28.
public struct DiscoverResult: Codable, Hashable, Sendable {
    /// Indicates the intended scope of the cached response, analogous to HTTP `Cache-Control: public` vs
    /// `Cache-Control: private`.
    public var cacheScope: CacheScope

    /// The capabilities of the server.
    public var capabilities: ServerCapabilities

    /// Indicates the type of the result, which allows the client to determine how to parse the result object.
    public var resultType: String

    /// MCP Protocol Versions this server supports. The client should choose a version from this list for use in
    /// subsequent requests.
    public var supportedVersions: [String]

    /// A hint from the server indicating how long (in milliseconds) the client MAY cache this response before
    /// re-fetching. Semantics are analogous to HTTP Cache-Control max-age.
    public var ttlMs: Int

    /// Metadata of the protocol, of extensions and of applications.
    public var meta: [String: JSONValue]?

    /// Natural-language guidance describing the server and its features.
    public var instructions: String?

    /// Members that are not above.
    public var additional: [String: JSONValue]

    public init(
        cacheScope: CacheScope,
        capabilities: ServerCapabilities,
        resultType: String,
        supportedVersions: [String],
        ttlMs: Int,
        meta: [String: JSONValue]? = nil,
        instructions: String? = nil,
        additional: [String: JSONValue] = [:]
    ) {
        self.cacheScope = cacheScope
        self.capabilities = capabilities
        self.resultType = resultType
        self.supportedVersions = supportedVersions
        self.ttlMs = ttlMs
        self.meta = meta
        self.instructions = instructions
        self.additional = additional
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case cacheScope
        case capabilities
        case resultType
        case supportedVersions
        case ttlMs
        case meta = "_meta"
        case instructions
    }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        cacheScope = try members.decode(CacheScope.self, forKey: .cacheScope)
        capabilities = try members.decode(ServerCapabilities.self, forKey: .capabilities)
        resultType = try members.decode(String.self, forKey: .resultType)
        supportedVersions = try members.decodeIfPresent([String].self, forKey: .supportedVersions) ?? []
        ttlMs = try members.decode(Int.self, forKey: .ttlMs)
        meta = try members.decodeIfPresent([String: JSONValue].self, forKey: .meta)
        instructions = try members.decodeIfPresent(String.self, forKey: .instructions)
        additional = try decoder.additional(to: CodingKeys.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(cacheScope, forKey: .cacheScope)
        try members.encode(capabilities, forKey: .capabilities)
        try members.encode(resultType, forKey: .resultType)
        try members.encode(supportedVersions, forKey: .supportedVersions)
        try members.encode(ttlMs, forKey: .ttlMs)
        try members.encodeIfPresent(meta, forKey: .meta)
        try members.encodeIfPresent(instructions, forKey: .instructions)
        try encoder.encode(additional, besides: CodingKeys.self)
    }

    /// The values of `cacheScope`.
    public struct CacheScope: OpenEnum {
        public let rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }

        public static let `private` = CacheScope(rawValue: "private")
        public static let `public` = CacheScope(rawValue: "public")
    }
}

/// A request from the server to elicit additional information from the user via the client.
/// Revision: 2026-07-28.
public struct ElicitRequest: Codable, Hashable, Sendable {
    public var params: ElicitRequestParams

    /// Members that are not above.
    public var additional: [String: JSONValue]

    public init(
        params: ElicitRequestParams,
        additional: [String: JSONValue] = [:]
    ) {
        self.params = params
        self.additional = additional
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case method
        case params
    }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        params = try members.decode(ElicitRequestParams.self, forKey: .params)
        additional = try decoder.additional(to: CodingKeys.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode("elicitation/create", forKey: .method)
        try members.encode(params, forKey: .params)
        try encoder.encode(additional, besides: CodingKeys.self)
    }
}

/// The parameters for a request to elicit non-sensitive information from the user via a form in the client.
/// Revisions: from 2025-06-18 on.
public struct ElicitRequestFormParams: Codable, Hashable, Sendable {
    /// The message to present to the user describing what information is being requested.
    public var message: String

    /// A restricted subset of JSON Schema. Only top-level properties are allowed, without nesting.
    public var requestedSchema: ElicitationSchema

    /// Metadata of the protocol, of extensions and of applications.
    public var meta: [String: JSONValue]?

    /// If specified, the caller is requesting task-augmented execution for this request. The request will return a
    /// CreateTaskResult immediately, and the actual result can be retrieved later via tasks/result.
    public var task: TaskMetadata?

    /// Members that are not above.
    public var additional: [String: JSONValue]

    public init(
        message: String,
        requestedSchema: ElicitationSchema,
        meta: [String: JSONValue]? = nil,
        task: TaskMetadata? = nil,
        additional: [String: JSONValue] = [:]
    ) {
        self.message = message
        self.requestedSchema = requestedSchema
        self.meta = meta
        self.task = task
        self.additional = additional
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case mode
        case message
        case requestedSchema
        case meta = "_meta"
        case task
    }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        message = try members.decode(String.self, forKey: .message)
        requestedSchema = try members.decode(ElicitationSchema.self, forKey: .requestedSchema)
        meta = try members.decodeIfPresent([String: JSONValue].self, forKey: .meta)
        task = try members.decodeIfPresent(TaskMetadata.self, forKey: .task)
        additional = try decoder.additional(to: CodingKeys.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode("form", forKey: .mode)
        try members.encode(message, forKey: .message)
        try members.encode(requestedSchema, forKey: .requestedSchema)
        try members.encodeIfPresent(meta, forKey: .meta)
        try members.encodeIfPresent(task, forKey: .task)
        try encoder.encode(additional, besides: CodingKeys.self)
    }
}

/// The parameters for a request to elicit additional information from the user via the client.
/// Revisions: from 2025-11-25 on.
public struct ElicitRequestParams: Codable, Hashable, Sendable {
    /// The message to present to the user describing what information is being requested.
    public var message: String

    /// Metadata of the protocol, of extensions and of applications.
    public var meta: [String: JSONValue]?

    /// The elicitation mode.
    public var mode: String?

    /// A restricted subset of JSON Schema. Only top-level properties are allowed, without nesting.
    public var requestedSchema: ElicitationSchema?

    /// If specified, the caller is requesting task-augmented execution for this request. The request will return a
    /// CreateTaskResult immediately, and the actual result can be retrieved later via tasks/result.
    public var task: TaskMetadata?

    /// The ID of the elicitation, which must be unique within the context of the server. The client MUST treat this
    /// ID as an opaque value.
    public var elicitationId: String?

    /// The URL that the user should navigate to.
    public var url: String?

    /// Members that are not above.
    public var additional: [String: JSONValue]

    public init(
        message: String,
        meta: [String: JSONValue]? = nil,
        mode: String? = nil,
        requestedSchema: ElicitationSchema? = nil,
        task: TaskMetadata? = nil,
        elicitationId: String? = nil,
        url: String? = nil,
        additional: [String: JSONValue] = [:]
    ) {
        self.message = message
        self.meta = meta
        self.mode = mode
        self.requestedSchema = requestedSchema
        self.task = task
        self.elicitationId = elicitationId
        self.url = url
        self.additional = additional
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case message
        case meta = "_meta"
        case mode
        case requestedSchema
        case task
        case elicitationId
        case url
    }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        message = try members.decode(String.self, forKey: .message)
        meta = try members.decodeIfPresent([String: JSONValue].self, forKey: .meta)
        mode = try members.decodeIfPresent(String.self, forKey: .mode)
        requestedSchema = try members.decodeIfPresent(ElicitationSchema.self, forKey: .requestedSchema)
        task = try members.decodeIfPresent(TaskMetadata.self, forKey: .task)
        elicitationId = try members.decodeIfPresent(String.self, forKey: .elicitationId)
        url = try members.decodeIfPresent(String.self, forKey: .url)
        additional = try decoder.additional(to: CodingKeys.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(message, forKey: .message)
        try members.encodeIfPresent(meta, forKey: .meta)
        try members.encodeIfPresent(mode, forKey: .mode)
        try members.encodeIfPresent(requestedSchema, forKey: .requestedSchema)
        try members.encodeIfPresent(task, forKey: .task)
        try members.encodeIfPresent(elicitationId, forKey: .elicitationId)
        try members.encodeIfPresent(url, forKey: .url)
        try encoder.encode(additional, besides: CodingKeys.self)
    }
}

/// The parameters for a request to elicit information from the user via a URL in the client.
/// Revisions: from 2025-11-25 on.
public struct ElicitRequestURLParams: Codable, Hashable, Sendable {
    /// The message to present to the user explaining why the interaction is needed.
    public var message: String

    /// The URL that the user should navigate to.
    public var url: String

    /// Metadata of the protocol, of extensions and of applications.
    public var meta: [String: JSONValue]?

    /// The ID of the elicitation, which must be unique within the context of the server. The client MUST treat this
    /// ID as an opaque value.
    public var elicitationId: String?

    /// If specified, the caller is requesting task-augmented execution for this request. The request will return a
    /// CreateTaskResult immediately, and the actual result can be retrieved later via tasks/result.
    public var task: TaskMetadata?

    /// Members that are not above.
    public var additional: [String: JSONValue]

    public init(
        message: String,
        url: String,
        meta: [String: JSONValue]? = nil,
        elicitationId: String? = nil,
        task: TaskMetadata? = nil,
        additional: [String: JSONValue] = [:]
    ) {
        self.message = message
        self.url = url
        self.meta = meta
        self.elicitationId = elicitationId
        self.task = task
        self.additional = additional
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case mode
        case message
        case url
        case meta = "_meta"
        case elicitationId
        case task
    }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        message = try members.decode(String.self, forKey: .message)
        url = try members.decode(String.self, forKey: .url)
        meta = try members.decodeIfPresent([String: JSONValue].self, forKey: .meta)
        elicitationId = try members.decodeIfPresent(String.self, forKey: .elicitationId)
        task = try members.decodeIfPresent(TaskMetadata.self, forKey: .task)
        additional = try decoder.additional(to: CodingKeys.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode("url", forKey: .mode)
        try members.encode(message, forKey: .message)
        try members.encode(url, forKey: .url)
        try members.encodeIfPresent(meta, forKey: .meta)
        try members.encodeIfPresent(elicitationId, forKey: .elicitationId)
        try members.encodeIfPresent(task, forKey: .task)
        try encoder.encode(additional, besides: CodingKeys.self)
    }
}

/// The result returned by the client for an elicitation/create request.
/// Revisions: from 2025-06-18 on.
public struct ElicitResult: Codable, Hashable, Sendable {
    /// The user action in response to the elicitation. - `"accept"`: User submitted the form/confirmed the action -
    /// `"decline"`: User explicitly declined the action - `"cancel"`: User dismissed without making an explicit
    /// choice
    public var action: Action

    /// Metadata of the protocol, of extensions and of applications.
    public var meta: [String: JSONValue]?

    /// The submitted form data, only present when action is `"accept"` and mode was `"form"`. Contains values
    /// matching the requested schema. Omitted for out-of-band mode responses.
    public var content: [String: JSONValue]?

    /// Members that are not above.
    public var additional: [String: JSONValue]

    public init(
        action: Action,
        meta: [String: JSONValue]? = nil,
        content: [String: JSONValue]? = nil,
        additional: [String: JSONValue] = [:]
    ) {
        self.action = action
        self.meta = meta
        self.content = content
        self.additional = additional
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case action
        case meta = "_meta"
        case content
    }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        action = try members.decode(Action.self, forKey: .action)
        meta = try members.decodeIfPresent([String: JSONValue].self, forKey: .meta)
        content = try members.decodeIfPresent([String: JSONValue].self, forKey: .content)
        additional = try decoder.additional(to: CodingKeys.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(action, forKey: .action)
        try members.encodeIfPresent(meta, forKey: .meta)
        try members.encodeIfPresent(content, forKey: .content)
        try encoder.encode(additional, besides: CodingKeys.self)
    }

    /// The values of `action`.
    public struct Action: OpenEnum {
        public let rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }

        public static let accept = Action(rawValue: "accept")
        public static let cancel = Action(rawValue: "cancel")
        public static let decline = Action(rawValue: "decline")
    }
}

/// Revision: 2025-11-25.
public struct ElicitationCompleteNotificationParams: Codable, Hashable, Sendable {
    /// The ID of the elicitation that completed.
    public var elicitationId: String

    /// Members that are not above.
    public var additional: [String: JSONValue]

    public init(
        elicitationId: String,
        additional: [String: JSONValue] = [:]
    ) {
        self.elicitationId = elicitationId
        self.additional = additional
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case elicitationId
    }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        elicitationId = try members.decode(String.self, forKey: .elicitationId)
        additional = try decoder.additional(to: CodingKeys.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(elicitationId, forKey: .elicitationId)
        try encoder.encode(additional, besides: CodingKeys.self)
    }
}

/// A restricted subset of JSON Schema. Only top-level properties are allowed, without nesting.
/// Revisions: from 2025-06-18 on.
public struct ElicitationSchema: Codable, Hashable, Sendable {
    public var properties: [String: PrimitiveSchemaDefinition]

    public var schema: String?

    public var required: [String]?

    /// Members that are not above.
    public var additional: [String: JSONValue]

    public init(
        properties: [String: PrimitiveSchemaDefinition],
        schema: String? = nil,
        required: [String]? = nil,
        additional: [String: JSONValue] = [:]
    ) {
        self.properties = properties
        self.schema = schema
        self.required = required
        self.additional = additional
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case type
        case properties
        case schema = "$schema"
        case required
    }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        properties = try members.decodeIfPresent([String: PrimitiveSchemaDefinition].self, forKey: .properties) ?? [:]
        schema = try members.decodeIfPresent(String.self, forKey: .schema)
        required = try members.decodeIfPresent([String].self, forKey: .required)
        additional = try decoder.additional(to: CodingKeys.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode("object", forKey: .type)
        try members.encode(properties, forKey: .properties)
        try members.encodeIfPresent(schema, forKey: .schema)
        try members.encodeIfPresent(required, forKey: .required)
        try encoder.encode(additional, besides: CodingKeys.self)
    }
}

/// The contents of a resource, embedded into a prompt or tool call result.
/// Revisions: all.
public struct EmbeddedResource: Codable, Hashable, Sendable {
    public var resource: ResourceContents

    /// Metadata of the protocol, of extensions and of applications.
    public var meta: [String: JSONValue]?

    /// Optional annotations for the client.
    public var annotations: Annotations?

    /// Members that are not above.
    public var additional: [String: JSONValue]

    public init(
        resource: ResourceContents,
        meta: [String: JSONValue]? = nil,
        annotations: Annotations? = nil,
        additional: [String: JSONValue] = [:]
    ) {
        self.resource = resource
        self.meta = meta
        self.annotations = annotations
        self.additional = additional
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case type
        case resource
        case meta = "_meta"
        case annotations
    }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        resource = try members.decode(ResourceContents.self, forKey: .resource)
        meta = try members.decodeIfPresent([String: JSONValue].self, forKey: .meta)
        annotations = try members.decodeIfPresent(Annotations.self, forKey: .annotations)
        additional = try decoder.additional(to: CodingKeys.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode("resource", forKey: .type)
        try members.encode(resource, forKey: .resource)
        try members.encodeIfPresent(meta, forKey: .meta)
        try members.encodeIfPresent(annotations, forKey: .annotations)
        try encoder.encode(additional, besides: CodingKeys.self)
    }
}

/// Revisions: from 2025-11-25 on.
public struct EnumOption: Codable, Hashable, Sendable {
    /// The enum value.
    public var const: String

    /// Display label for this option.
    public var title: String

    /// Members that are not above.
    public var additional: [String: JSONValue]

    public init(
        const: String,
        title: String,
        additional: [String: JSONValue] = [:]
    ) {
        self.const = const
        self.title = title
        self.additional = additional
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case const
        case title
    }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        const = try members.decode(String.self, forKey: .const)
        title = try members.decode(String.self, forKey: .title)
        additional = try decoder.additional(to: CodingKeys.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(const, forKey: .const)
        try members.encode(title, forKey: .title)
        try encoder.encode(additional, besides: CodingKeys.self)
    }
}

/// Revisions: from 2025-11-25 on.
public struct EnumSchema: Codable, Hashable, Sendable {
    public var type: String

    /// Optional default value.
    public var `default`: JSONValue?

    /// Optional description for the enum field.
    public var description: String?

    /// Array of enum values to choose from.
    public var `enum`: [String]?

    /// Optional title for the enum field.
    public var title: String?

    /// Array of enum options with values and display labels.
    public var oneOf: [EnumOption]?

    /// Schema for the array items.
    public var items: JSONValue?

    /// Maximum number of items to select.
    public var maxItems: Int?

    /// Minimum number of items to select.
    public var minItems: Int?

    /// (Legacy) Display names for enum values. Non-standard according to JSON schema 2020-12.
    public var enumNames: [String]?

    /// Members that are not above.
    public var additional: [String: JSONValue]

    public init(
        type: String,
        `default`: JSONValue? = nil,
        description: String? = nil,
        `enum`: [String]? = nil,
        title: String? = nil,
        oneOf: [EnumOption]? = nil,
        items: JSONValue? = nil,
        maxItems: Int? = nil,
        minItems: Int? = nil,
        enumNames: [String]? = nil,
        additional: [String: JSONValue] = [:]
    ) {
        self.type = type
        self.`default` = `default`
        self.description = description
        self.`enum` = `enum`
        self.title = title
        self.oneOf = oneOf
        self.items = items
        self.maxItems = maxItems
        self.minItems = minItems
        self.enumNames = enumNames
        self.additional = additional
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case type
        case `default`
        case description
        case `enum`
        case title
        case oneOf
        case items
        case maxItems
        case minItems
        case enumNames
    }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        type = try members.decode(String.self, forKey: .type)
        `default` = try members.decodeIfPresent(JSONValue.self, forKey: .`default`)
        description = try members.decodeIfPresent(String.self, forKey: .description)
        `enum` = try members.decodeIfPresent([String].self, forKey: .`enum`)
        title = try members.decodeIfPresent(String.self, forKey: .title)
        oneOf = try members.decodeIfPresent([EnumOption].self, forKey: .oneOf)
        items = try members.decodeIfPresent(JSONValue.self, forKey: .items)
        maxItems = try members.decodeIfPresent(Int.self, forKey: .maxItems)
        minItems = try members.decodeIfPresent(Int.self, forKey: .minItems)
        enumNames = try members.decodeIfPresent([String].self, forKey: .enumNames)
        additional = try decoder.additional(to: CodingKeys.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(type, forKey: .type)
        try members.encodeIfPresent(`default`, forKey: .`default`)
        try members.encodeIfPresent(description, forKey: .description)
        try members.encodeIfPresent(`enum`, forKey: .`enum`)
        try members.encodeIfPresent(title, forKey: .title)
        try members.encodeIfPresent(oneOf, forKey: .oneOf)
        try members.encodeIfPresent(items, forKey: .items)
        try members.encodeIfPresent(maxItems, forKey: .maxItems)
        try members.encodeIfPresent(minItems, forKey: .minItems)
        try members.encodeIfPresent(enumNames, forKey: .enumNames)
        try encoder.encode(additional, besides: CodingKeys.self)
    }
}

/// Parameters for a `prompts/get` request.
/// Revisions: all.
public struct GetPromptRequestParams: Codable, Hashable, Sendable {
    /// The name of the prompt or prompt template.
    public var name: String

    /// Metadata of the protocol, of extensions and of applications.
    public var meta: [String: JSONValue]?

    /// Arguments to use for templating the prompt.
    public var arguments: [String: String]?

    public var inputResponses: [String: InputResponse]?

    public var requestState: String?

    /// Members that are not above.
    public var additional: [String: JSONValue]

    public init(
        name: String,
        meta: [String: JSONValue]? = nil,
        arguments: [String: String]? = nil,
        inputResponses: [String: InputResponse]? = nil,
        requestState: String? = nil,
        additional: [String: JSONValue] = [:]
    ) {
        self.name = name
        self.meta = meta
        self.arguments = arguments
        self.inputResponses = inputResponses
        self.requestState = requestState
        self.additional = additional
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case name
        case meta = "_meta"
        case arguments
        case inputResponses
        case requestState
    }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        name = try members.decode(String.self, forKey: .name)
        meta = try members.decodeIfPresent([String: JSONValue].self, forKey: .meta)
        arguments = try members.decodeIfPresent([String: String].self, forKey: .arguments)
        inputResponses = try members.decodeIfPresent([String: InputResponse].self, forKey: .inputResponses)
        requestState = try members.decodeIfPresent(String.self, forKey: .requestState)
        additional = try decoder.additional(to: CodingKeys.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(name, forKey: .name)
        try members.encodeIfPresent(meta, forKey: .meta)
        try members.encodeIfPresent(arguments, forKey: .arguments)
        try members.encodeIfPresent(inputResponses, forKey: .inputResponses)
        try members.encodeIfPresent(requestState, forKey: .requestState)
        try encoder.encode(additional, besides: CodingKeys.self)
    }
}

/// The result returned by the server for a prompts/get request.
/// Revisions: all.
public struct GetPromptResult: Codable, Hashable, Sendable {
    public var messages: [PromptMessage]

    /// Metadata of the protocol, of extensions and of applications.
    public var meta: [String: JSONValue]?

    /// An optional description for the prompt.
    public var description: String?

    /// Indicates the type of the result, which allows the client to determine how to parse the result object.
    public var resultType: String?

    /// Members that are not above.
    public var additional: [String: JSONValue]

    public init(
        messages: [PromptMessage],
        meta: [String: JSONValue]? = nil,
        description: String? = nil,
        resultType: String? = nil,
        additional: [String: JSONValue] = [:]
    ) {
        self.messages = messages
        self.meta = meta
        self.description = description
        self.resultType = resultType
        self.additional = additional
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case messages
        case meta = "_meta"
        case description
        case resultType
    }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        messages = try members.decodeIfPresent([PromptMessage].self, forKey: .messages) ?? []
        meta = try members.decodeIfPresent([String: JSONValue].self, forKey: .meta)
        description = try members.decodeIfPresent(String.self, forKey: .description)
        resultType = try members.decodeIfPresent(String.self, forKey: .resultType)
        additional = try decoder.additional(to: CodingKeys.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(messages, forKey: .messages)
        try members.encodeIfPresent(meta, forKey: .meta)
        try members.encodeIfPresent(description, forKey: .description)
        try members.encodeIfPresent(resultType, forKey: .resultType)
        try encoder.encode(additional, besides: CodingKeys.self)
    }
}

/// Revision: 2025-11-25.
public struct GetTaskPayloadRequestParams: Codable, Hashable, Sendable {
    /// The task identifier to retrieve results for.
    public var taskId: String

    /// Members that are not above.
    public var additional: [String: JSONValue]

    public init(
        taskId: String,
        additional: [String: JSONValue] = [:]
    ) {
        self.taskId = taskId
        self.additional = additional
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case taskId
    }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        taskId = try members.decode(String.self, forKey: .taskId)
        additional = try decoder.additional(to: CodingKeys.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(taskId, forKey: .taskId)
        try encoder.encode(additional, besides: CodingKeys.self)
    }
}

/// The response to a tasks/result request. The structure matches the result type of the original request. For
/// example, a tools/call task would return the CallToolResult structure.
/// Revision: 2025-11-25.
public struct GetTaskPayloadResult: Codable, Hashable, Sendable {
    /// Metadata of the protocol, of extensions and of applications.
    public var meta: [String: JSONValue]?

    /// Members that are not above.
    public var additional: [String: JSONValue]

    public init(
        meta: [String: JSONValue]? = nil,
        additional: [String: JSONValue] = [:]
    ) {
        self.meta = meta
        self.additional = additional
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case meta = "_meta"
    }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        meta = try members.decodeIfPresent([String: JSONValue].self, forKey: .meta)
        additional = try decoder.additional(to: CodingKeys.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encodeIfPresent(meta, forKey: .meta)
        try encoder.encode(additional, besides: CodingKeys.self)
    }
}

/// Revision: 2025-11-25.
public struct GetTaskRequestParams: Codable, Hashable, Sendable {
    /// The task identifier to query.
    public var taskId: String

    /// Members that are not above.
    public var additional: [String: JSONValue]

    public init(
        taskId: String,
        additional: [String: JSONValue] = [:]
    ) {
        self.taskId = taskId
        self.additional = additional
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case taskId
    }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        taskId = try members.decode(String.self, forKey: .taskId)
        additional = try decoder.additional(to: CodingKeys.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(taskId, forKey: .taskId)
        try encoder.encode(additional, besides: CodingKeys.self)
    }
}

/// The response to a tasks/get request.
/// Revision: 2025-11-25.
public struct GetTaskResult: Codable, Hashable, Sendable {
    /// ISO 8601 timestamp when the task was created.
    public var createdAt: String

    /// ISO 8601 timestamp when the task was last updated.
    public var lastUpdatedAt: String

    /// Current task state.
    public var status: TaskStatus

    /// The task identifier.
    public var taskId: String

    /// Actual retention duration from creation in milliseconds, null for unlimited.
    public var ttl: Int?

    /// Metadata of the protocol, of extensions and of applications.
    public var meta: [String: JSONValue]?

    /// Suggested polling interval in milliseconds.
    public var pollInterval: Int?

    /// Optional human-readable message describing the current task state. This can provide context for any status,
    /// including: - Reasons for "cancelled" status - Summaries for "completed" status - Diagnostic information for
    /// "failed" status (e.g., error details, what went wrong)
    public var statusMessage: String?

    /// Members that are not above.
    public var additional: [String: JSONValue]

    public init(
        createdAt: String,
        lastUpdatedAt: String,
        status: TaskStatus,
        taskId: String,
        ttl: Int?,
        meta: [String: JSONValue]? = nil,
        pollInterval: Int? = nil,
        statusMessage: String? = nil,
        additional: [String: JSONValue] = [:]
    ) {
        self.createdAt = createdAt
        self.lastUpdatedAt = lastUpdatedAt
        self.status = status
        self.taskId = taskId
        self.ttl = ttl
        self.meta = meta
        self.pollInterval = pollInterval
        self.statusMessage = statusMessage
        self.additional = additional
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case createdAt
        case lastUpdatedAt
        case status
        case taskId
        case ttl
        case meta = "_meta"
        case pollInterval
        case statusMessage
    }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        createdAt = try members.decode(String.self, forKey: .createdAt)
        lastUpdatedAt = try members.decode(String.self, forKey: .lastUpdatedAt)
        status = try members.decode(TaskStatus.self, forKey: .status)
        taskId = try members.decode(String.self, forKey: .taskId)
        ttl = try members.decodeIfPresent(Int.self, forKey: .ttl)
        meta = try members.decodeIfPresent([String: JSONValue].self, forKey: .meta)
        pollInterval = try members.decodeIfPresent(Int.self, forKey: .pollInterval)
        statusMessage = try members.decodeIfPresent(String.self, forKey: .statusMessage)
        additional = try decoder.additional(to: CodingKeys.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(createdAt, forKey: .createdAt)
        try members.encode(lastUpdatedAt, forKey: .lastUpdatedAt)
        try members.encode(status, forKey: .status)
        try members.encode(taskId, forKey: .taskId)
        try members.encode(ttl, forKey: .ttl)
        try members.encodeIfPresent(meta, forKey: .meta)
        try members.encodeIfPresent(pollInterval, forKey: .pollInterval)
        try members.encodeIfPresent(statusMessage, forKey: .statusMessage)
        try encoder.encode(additional, besides: CodingKeys.self)
    }
}

/// An optionally-sized icon that can be displayed in a user interface.
/// Revisions: from 2025-11-25 on.
public struct Icon: Codable, Hashable, Sendable {
    /// A standard URI pointing to an icon resource. May be an HTTP/HTTPS URL or a `data:` URI with Base64-encoded
    /// image data.
    public var src: String

    /// Optional MIME type override if the source MIME type is missing or generic. For example: `"image/png"`,
    /// `"image/jpeg"`, or `"image/svg+xml"`.
    public var mimeType: String?

    /// Optional array of strings that specify sizes at which the icon can be used. Each string should be in WxH
    /// format (e.g., `"48x48"`, `"96x96"`) or `"any"` for scalable formats like SVG.
    public var sizes: [String]?

    /// Optional specifier for the theme this icon is designed for. `"light"` indicates the icon is designed to be
    /// used with a light background, and `"dark"` indicates the icon is designed to be used with a dark background.
    public var theme: Theme?

    /// Members that are not above.
    public var additional: [String: JSONValue]

    public init(
        src: String,
        mimeType: String? = nil,
        sizes: [String]? = nil,
        theme: Theme? = nil,
        additional: [String: JSONValue] = [:]
    ) {
        self.src = src
        self.mimeType = mimeType
        self.sizes = sizes
        self.theme = theme
        self.additional = additional
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case src
        case mimeType
        case sizes
        case theme
    }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        src = try members.decode(String.self, forKey: .src)
        mimeType = try members.decodeIfPresent(String.self, forKey: .mimeType)
        sizes = try members.decodeIfPresent([String].self, forKey: .sizes)
        theme = try members.decodeIfPresent(Theme.self, forKey: .theme)
        additional = try decoder.additional(to: CodingKeys.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(src, forKey: .src)
        try members.encodeIfPresent(mimeType, forKey: .mimeType)
        try members.encodeIfPresent(sizes, forKey: .sizes)
        try members.encodeIfPresent(theme, forKey: .theme)
        try encoder.encode(additional, besides: CodingKeys.self)
    }

    /// The values of `theme`.
    public struct Theme: OpenEnum {
        public let rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }

        public static let dark = Theme(rawValue: "dark")
        public static let light = Theme(rawValue: "light")
    }
}

/// An image provided to or from an LLM.
/// Revisions: all.
public struct ImageContent: Codable, Hashable, Sendable {
    /// The base64-encoded image data.
    public var data: String

    /// The MIME type of the image. Different providers may support different image types.
    public var mimeType: String

    /// Metadata of the protocol, of extensions and of applications.
    public var meta: [String: JSONValue]?

    /// Optional annotations for the client.
    public var annotations: Annotations?

    /// Members that are not above.
    public var additional: [String: JSONValue]

    public init(
        data: String,
        mimeType: String,
        meta: [String: JSONValue]? = nil,
        annotations: Annotations? = nil,
        additional: [String: JSONValue] = [:]
    ) {
        self.data = data
        self.mimeType = mimeType
        self.meta = meta
        self.annotations = annotations
        self.additional = additional
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case type
        case data
        case mimeType
        case meta = "_meta"
        case annotations
    }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        data = try members.decode(String.self, forKey: .data)
        mimeType = try members.decode(String.self, forKey: .mimeType)
        meta = try members.decodeIfPresent([String: JSONValue].self, forKey: .meta)
        annotations = try members.decodeIfPresent(Annotations.self, forKey: .annotations)
        additional = try decoder.additional(to: CodingKeys.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode("image", forKey: .type)
        try members.encode(data, forKey: .data)
        try members.encode(mimeType, forKey: .mimeType)
        try members.encodeIfPresent(meta, forKey: .meta)
        try members.encodeIfPresent(annotations, forKey: .annotations)
        try encoder.encode(additional, besides: CodingKeys.self)
    }
}

/// Describes the MCP implementation.
/// Revisions: all.
public struct Implementation: Codable, Hashable, Sendable {
    /// Intended for programmatic or logical use, but used as a display name in past specs or fallback (if title
    /// isn't present).
    public var name: String

    /// The version of this implementation.
    public var version: String

    /// An optional human-readable description of what this implementation does.
    public var description: String?

    /// Optional set of sized icons that the client can display in a user interface.
    public var icons: [Icon]?

    /// Intended for UI and end-user contexts — optimized to be human-readable and easily understood, even by those
    /// unfamiliar with domain-specific terminology.
    public var title: String?

    /// An optional URL of the website for this implementation.
    public var websiteUrl: String?

    /// Members that are not above.
    public var additional: [String: JSONValue]

    public init(
        name: String,
        version: String,
        description: String? = nil,
        icons: [Icon]? = nil,
        title: String? = nil,
        websiteUrl: String? = nil,
        additional: [String: JSONValue] = [:]
    ) {
        self.name = name
        self.version = version
        self.description = description
        self.icons = icons
        self.title = title
        self.websiteUrl = websiteUrl
        self.additional = additional
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case name
        case version
        case description
        case icons
        case title
        case websiteUrl
    }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        name = try members.decode(String.self, forKey: .name)
        version = try members.decode(String.self, forKey: .version)
        description = try members.decodeIfPresent(String.self, forKey: .description)
        icons = try members.decodeIfPresent([Icon].self, forKey: .icons)
        title = try members.decodeIfPresent(String.self, forKey: .title)
        websiteUrl = try members.decodeIfPresent(String.self, forKey: .websiteUrl)
        additional = try decoder.additional(to: CodingKeys.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(name, forKey: .name)
        try members.encode(version, forKey: .version)
        try members.encodeIfPresent(description, forKey: .description)
        try members.encodeIfPresent(icons, forKey: .icons)
        try members.encodeIfPresent(title, forKey: .title)
        try members.encodeIfPresent(websiteUrl, forKey: .websiteUrl)
        try encoder.encode(additional, besides: CodingKeys.self)
    }
}

/// Parameters for an `initialize` request.
/// Revisions: 2024-11-05 to 2025-11-25.
public struct InitializeRequestParams: Codable, Hashable, Sendable {
    public var capabilities: ClientCapabilities

    public var clientInfo: Implementation

    /// The latest version of the Model Context Protocol that the client supports. The client MAY decide to support
    /// older versions as well.
    public var protocolVersion: String

    /// Metadata of the protocol, of extensions and of applications.
    public var meta: [String: JSONValue]?

    /// Members that are not above.
    public var additional: [String: JSONValue]

    public init(
        capabilities: ClientCapabilities,
        clientInfo: Implementation,
        protocolVersion: String,
        meta: [String: JSONValue]? = nil,
        additional: [String: JSONValue] = [:]
    ) {
        self.capabilities = capabilities
        self.clientInfo = clientInfo
        self.protocolVersion = protocolVersion
        self.meta = meta
        self.additional = additional
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case capabilities
        case clientInfo
        case protocolVersion
        case meta = "_meta"
    }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        capabilities = try members.decode(ClientCapabilities.self, forKey: .capabilities)
        clientInfo = try members.decode(Implementation.self, forKey: .clientInfo)
        protocolVersion = try members.decode(String.self, forKey: .protocolVersion)
        meta = try members.decodeIfPresent([String: JSONValue].self, forKey: .meta)
        additional = try decoder.additional(to: CodingKeys.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(capabilities, forKey: .capabilities)
        try members.encode(clientInfo, forKey: .clientInfo)
        try members.encode(protocolVersion, forKey: .protocolVersion)
        try members.encodeIfPresent(meta, forKey: .meta)
        try encoder.encode(additional, besides: CodingKeys.self)
    }
}

/// After receiving an initialize request from the client, the server sends this response.
/// Revisions: 2024-11-05 to 2025-11-25.
public struct InitializeResult: Codable, Hashable, Sendable {
    public var capabilities: ServerCapabilities

    /// The version of the Model Context Protocol that the server wants to use. This may not match the version that
    /// the client requested. If the client cannot support this version, it MUST disconnect.
    public var protocolVersion: String

    public var serverInfo: Implementation

    /// Metadata of the protocol, of extensions and of applications.
    public var meta: [String: JSONValue]?

    /// Instructions describing how to use the server and its features.
    public var instructions: String?

    /// Members that are not above.
    public var additional: [String: JSONValue]

    public init(
        capabilities: ServerCapabilities,
        protocolVersion: String,
        serverInfo: Implementation,
        meta: [String: JSONValue]? = nil,
        instructions: String? = nil,
        additional: [String: JSONValue] = [:]
    ) {
        self.capabilities = capabilities
        self.protocolVersion = protocolVersion
        self.serverInfo = serverInfo
        self.meta = meta
        self.instructions = instructions
        self.additional = additional
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case capabilities
        case protocolVersion
        case serverInfo
        case meta = "_meta"
        case instructions
    }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        capabilities = try members.decode(ServerCapabilities.self, forKey: .capabilities)
        protocolVersion = try members.decode(String.self, forKey: .protocolVersion)
        serverInfo = try members.decode(Implementation.self, forKey: .serverInfo)
        meta = try members.decodeIfPresent([String: JSONValue].self, forKey: .meta)
        instructions = try members.decodeIfPresent(String.self, forKey: .instructions)
        additional = try decoder.additional(to: CodingKeys.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(capabilities, forKey: .capabilities)
        try members.encode(protocolVersion, forKey: .protocolVersion)
        try members.encode(serverInfo, forKey: .serverInfo)
        try members.encodeIfPresent(meta, forKey: .meta)
        try members.encodeIfPresent(instructions, forKey: .instructions)
        try encoder.encode(additional, besides: CodingKeys.self)
    }
}

/// Revision: 2026-07-28.
public enum InputRequest: Codable, Hashable, Sendable {
    case samplingCreateMessage(CreateMessageRequest)
    case rootsList(ListRootsRequest)
    case elicitationCreate(ElicitRequest)
    /// What a later revision has, as it came.
    case other(JSONValue)

    public init(from decoder: any Decoder) throws {
        switch try decoder.tag("method") {
        case "sampling/createMessage": self = .samplingCreateMessage(try CreateMessageRequest(from: decoder))
        case "roots/list": self = .rootsList(try ListRootsRequest(from: decoder))
        case "elicitation/create": self = .elicitationCreate(try ElicitRequest(from: decoder))
        default: self = .other(try JSONValue(from: decoder))
        }
    }

    public func encode(to encoder: any Encoder) throws {
        switch self {
        case .samplingCreateMessage(let value): try value.encode(to: encoder)
        case .rootsList(let value): try value.encode(to: encoder)
        case .elicitationCreate(let value): try value.encode(to: encoder)
        case .other(let value): try value.encode(to: encoder)
        }
    }
}

/// An InputRequiredResult sent by the server to indicate that additional input is needed before the request can be
/// completed.
/// Revision: 2026-07-28.
public struct InputRequiredResult: Codable, Hashable, Sendable {
    /// Indicates the type of the result, which allows the client to determine how to parse the result object.
    public var resultType: String

    /// Metadata of the protocol, of extensions and of applications.
    public var meta: [String: JSONValue]?

    public var inputRequests: [String: InputRequest]?

    public var requestState: String?

    /// Members that are not above.
    public var additional: [String: JSONValue]

    public init(
        resultType: String,
        meta: [String: JSONValue]? = nil,
        inputRequests: [String: InputRequest]? = nil,
        requestState: String? = nil,
        additional: [String: JSONValue] = [:]
    ) {
        self.resultType = resultType
        self.meta = meta
        self.inputRequests = inputRequests
        self.requestState = requestState
        self.additional = additional
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case resultType
        case meta = "_meta"
        case inputRequests
        case requestState
    }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        resultType = try members.decode(String.self, forKey: .resultType)
        meta = try members.decodeIfPresent([String: JSONValue].self, forKey: .meta)
        inputRequests = try members.decodeIfPresent([String: InputRequest].self, forKey: .inputRequests)
        requestState = try members.decodeIfPresent(String.self, forKey: .requestState)
        additional = try decoder.additional(to: CodingKeys.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(resultType, forKey: .resultType)
        try members.encodeIfPresent(meta, forKey: .meta)
        try members.encodeIfPresent(inputRequests, forKey: .inputRequests)
        try members.encodeIfPresent(requestState, forKey: .requestState)
        try encoder.encode(additional, besides: CodingKeys.self)
    }
}

/// Revision: 2026-07-28.
public struct InputResponse: Codable, Hashable, Sendable {
    /// Metadata of the protocol, of extensions and of applications.
    public var meta: [String: JSONValue]?

    public var content: JSONValue?

    /// The name of the model that generated the message.
    public var model: String?

    public var role: Role?

    /// The reason why sampling stopped, if known.
    public var stopReason: String?

    public var roots: [Root]?

    /// The user action in response to the elicitation. - `"accept"`: User submitted the form/confirmed the action -
    /// `"decline"`: User explicitly declined the action - `"cancel"`: User dismissed without making an explicit
    /// choice
    public var action: Action?

    /// Members that are not above.
    public var additional: [String: JSONValue]

    public init(
        meta: [String: JSONValue]? = nil,
        content: JSONValue? = nil,
        model: String? = nil,
        role: Role? = nil,
        stopReason: String? = nil,
        roots: [Root]? = nil,
        action: Action? = nil,
        additional: [String: JSONValue] = [:]
    ) {
        self.meta = meta
        self.content = content
        self.model = model
        self.role = role
        self.stopReason = stopReason
        self.roots = roots
        self.action = action
        self.additional = additional
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case meta = "_meta"
        case content
        case model
        case role
        case stopReason
        case roots
        case action
    }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        meta = try members.decodeIfPresent([String: JSONValue].self, forKey: .meta)
        content = try members.decodeIfPresent(JSONValue.self, forKey: .content)
        model = try members.decodeIfPresent(String.self, forKey: .model)
        role = try members.decodeIfPresent(Role.self, forKey: .role)
        stopReason = try members.decodeIfPresent(String.self, forKey: .stopReason)
        roots = try members.decodeIfPresent([Root].self, forKey: .roots)
        action = try members.decodeIfPresent(Action.self, forKey: .action)
        additional = try decoder.additional(to: CodingKeys.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encodeIfPresent(meta, forKey: .meta)
        try members.encodeIfPresent(content, forKey: .content)
        try members.encodeIfPresent(model, forKey: .model)
        try members.encodeIfPresent(role, forKey: .role)
        try members.encodeIfPresent(stopReason, forKey: .stopReason)
        try members.encodeIfPresent(roots, forKey: .roots)
        try members.encodeIfPresent(action, forKey: .action)
        try encoder.encode(additional, besides: CodingKeys.self)
    }

    /// The values of `action`.
    public struct Action: OpenEnum {
        public let rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }

        public static let accept = Action(rawValue: "accept")
        public static let cancel = Action(rawValue: "cancel")
        public static let decline = Action(rawValue: "decline")
    }
}

/// Revision: 2026-07-28.
public struct InputResponseRequestParams: Codable, Hashable, Sendable {
    /// Metadata of the protocol, of extensions and of applications.
    public var meta: [String: JSONValue]?

    public var inputResponses: [String: InputResponse]?

    public var requestState: String?

    /// Members that are not above.
    public var additional: [String: JSONValue]

    public init(
        meta: [String: JSONValue]? = nil,
        inputResponses: [String: InputResponse]? = nil,
        requestState: String? = nil,
        additional: [String: JSONValue] = [:]
    ) {
        self.meta = meta
        self.inputResponses = inputResponses
        self.requestState = requestState
        self.additional = additional
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case meta = "_meta"
        case inputResponses
        case requestState
    }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        meta = try members.decodeIfPresent([String: JSONValue].self, forKey: .meta)
        inputResponses = try members.decodeIfPresent([String: InputResponse].self, forKey: .inputResponses)
        requestState = try members.decodeIfPresent(String.self, forKey: .requestState)
        additional = try decoder.additional(to: CodingKeys.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encodeIfPresent(meta, forKey: .meta)
        try members.encodeIfPresent(inputResponses, forKey: .inputResponses)
        try members.encodeIfPresent(requestState, forKey: .requestState)
        try encoder.encode(additional, besides: CodingKeys.self)
    }
}

/// Use TitledSingleSelectEnumSchema instead. This interface will be removed in a future version.
/// Revisions: from 2025-06-18 on.
public struct LegacyTitledEnumSchema: Codable, Hashable, Sendable {
    public var `enum`: [String]

    public var `default`: String?

    public var description: String?

    /// (Legacy) Display names for enum values. Non-standard according to JSON schema 2020-12.
    public var enumNames: [String]?

    public var title: String?

    /// Members that are not above.
    public var additional: [String: JSONValue]

    public init(
        `enum`: [String],
        `default`: String? = nil,
        description: String? = nil,
        enumNames: [String]? = nil,
        title: String? = nil,
        additional: [String: JSONValue] = [:]
    ) {
        self.`enum` = `enum`
        self.`default` = `default`
        self.description = description
        self.enumNames = enumNames
        self.title = title
        self.additional = additional
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case type
        case `enum`
        case `default`
        case description
        case enumNames
        case title
    }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        `enum` = try members.decodeIfPresent([String].self, forKey: .`enum`) ?? []
        `default` = try members.decodeIfPresent(String.self, forKey: .`default`)
        description = try members.decodeIfPresent(String.self, forKey: .description)
        enumNames = try members.decodeIfPresent([String].self, forKey: .enumNames)
        title = try members.decodeIfPresent(String.self, forKey: .title)
        additional = try decoder.additional(to: CodingKeys.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode("string", forKey: .type)
        try members.encode(`enum`, forKey: .`enum`)
        try members.encodeIfPresent(`default`, forKey: .`default`)
        try members.encodeIfPresent(description, forKey: .description)
        try members.encodeIfPresent(enumNames, forKey: .enumNames)
        try members.encodeIfPresent(title, forKey: .title)
        try encoder.encode(additional, besides: CodingKeys.self)
    }
}

/// The result returned by the server for a prompts/list request.
/// Revisions: all.
public struct ListPromptsResult: Codable, Hashable, Sendable {
    public var prompts: [Prompt]

    /// Metadata of the protocol, of extensions and of applications.
    public var meta: [String: JSONValue]?

    /// Indicates the intended scope of the cached response, analogous to HTTP `Cache-Control: public` vs
    /// `Cache-Control: private`.
    public var cacheScope: CacheScope?

    /// An opaque token representing the pagination position after the last returned result. If present, there may
    /// be more results available.
    public var nextCursor: String?

    /// Indicates the type of the result, which allows the client to determine how to parse the result object.
    public var resultType: String?

    /// A hint from the server indicating how long (in milliseconds) the client MAY cache this response before
    /// re-fetching. Semantics are analogous to HTTP Cache-Control max-age.
    public var ttlMs: Int?

    /// Members that are not above.
    public var additional: [String: JSONValue]

    public init(
        prompts: [Prompt],
        meta: [String: JSONValue]? = nil,
        cacheScope: CacheScope? = nil,
        nextCursor: String? = nil,
        resultType: String? = nil,
        ttlMs: Int? = nil,
        additional: [String: JSONValue] = [:]
    ) {
        self.prompts = prompts
        self.meta = meta
        self.cacheScope = cacheScope
        self.nextCursor = nextCursor
        self.resultType = resultType
        self.ttlMs = ttlMs
        self.additional = additional
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case prompts
        case meta = "_meta"
        case cacheScope
        case nextCursor
        case resultType
        case ttlMs
    }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        prompts = try members.decodeIfPresent([Prompt].self, forKey: .prompts) ?? []
        meta = try members.decodeIfPresent([String: JSONValue].self, forKey: .meta)
        cacheScope = try members.decodeIfPresent(CacheScope.self, forKey: .cacheScope)
        nextCursor = try members.decodeIfPresent(String.self, forKey: .nextCursor)
        resultType = try members.decodeIfPresent(String.self, forKey: .resultType)
        ttlMs = try members.decodeIfPresent(Int.self, forKey: .ttlMs)
        additional = try decoder.additional(to: CodingKeys.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(prompts, forKey: .prompts)
        try members.encodeIfPresent(meta, forKey: .meta)
        try members.encodeIfPresent(cacheScope, forKey: .cacheScope)
        try members.encodeIfPresent(nextCursor, forKey: .nextCursor)
        try members.encodeIfPresent(resultType, forKey: .resultType)
        try members.encodeIfPresent(ttlMs, forKey: .ttlMs)
        try encoder.encode(additional, besides: CodingKeys.self)
    }

    /// The values of `cacheScope`.
    public struct CacheScope: OpenEnum {
        public let rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }

        public static let `private` = CacheScope(rawValue: "private")
        public static let `public` = CacheScope(rawValue: "public")
    }
}

/// The result returned by the server for a resources/templates/list request.
/// Revisions: all.
public struct ListResourceTemplatesResult: Codable, Hashable, Sendable {
    public var resourceTemplates: [ResourceTemplate]

    /// Metadata of the protocol, of extensions and of applications.
    public var meta: [String: JSONValue]?

    /// Indicates the intended scope of the cached response, analogous to HTTP `Cache-Control: public` vs
    /// `Cache-Control: private`.
    public var cacheScope: CacheScope?

    /// An opaque token representing the pagination position after the last returned result. If present, there may
    /// be more results available.
    public var nextCursor: String?

    /// Indicates the type of the result, which allows the client to determine how to parse the result object.
    public var resultType: String?

    /// A hint from the server indicating how long (in milliseconds) the client MAY cache this response before
    /// re-fetching. Semantics are analogous to HTTP Cache-Control max-age.
    public var ttlMs: Int?

    /// Members that are not above.
    public var additional: [String: JSONValue]

    public init(
        resourceTemplates: [ResourceTemplate],
        meta: [String: JSONValue]? = nil,
        cacheScope: CacheScope? = nil,
        nextCursor: String? = nil,
        resultType: String? = nil,
        ttlMs: Int? = nil,
        additional: [String: JSONValue] = [:]
    ) {
        self.resourceTemplates = resourceTemplates
        self.meta = meta
        self.cacheScope = cacheScope
        self.nextCursor = nextCursor
        self.resultType = resultType
        self.ttlMs = ttlMs
        self.additional = additional
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case resourceTemplates
        case meta = "_meta"
        case cacheScope
        case nextCursor
        case resultType
        case ttlMs
    }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        resourceTemplates = try members.decodeIfPresent([ResourceTemplate].self, forKey: .resourceTemplates) ?? []
        meta = try members.decodeIfPresent([String: JSONValue].self, forKey: .meta)
        cacheScope = try members.decodeIfPresent(CacheScope.self, forKey: .cacheScope)
        nextCursor = try members.decodeIfPresent(String.self, forKey: .nextCursor)
        resultType = try members.decodeIfPresent(String.self, forKey: .resultType)
        ttlMs = try members.decodeIfPresent(Int.self, forKey: .ttlMs)
        additional = try decoder.additional(to: CodingKeys.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(resourceTemplates, forKey: .resourceTemplates)
        try members.encodeIfPresent(meta, forKey: .meta)
        try members.encodeIfPresent(cacheScope, forKey: .cacheScope)
        try members.encodeIfPresent(nextCursor, forKey: .nextCursor)
        try members.encodeIfPresent(resultType, forKey: .resultType)
        try members.encodeIfPresent(ttlMs, forKey: .ttlMs)
        try encoder.encode(additional, besides: CodingKeys.self)
    }

    /// The values of `cacheScope`.
    public struct CacheScope: OpenEnum {
        public let rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }

        public static let `private` = CacheScope(rawValue: "private")
        public static let `public` = CacheScope(rawValue: "public")
    }
}

/// The result returned by the server for a resources/list request.
/// Revisions: all.
public struct ListResourcesResult: Codable, Hashable, Sendable {
    public var resources: [Resource]

    /// Metadata of the protocol, of extensions and of applications.
    public var meta: [String: JSONValue]?

    /// Indicates the intended scope of the cached response, analogous to HTTP `Cache-Control: public` vs
    /// `Cache-Control: private`.
    public var cacheScope: CacheScope?

    /// An opaque token representing the pagination position after the last returned result. If present, there may
    /// be more results available.
    public var nextCursor: String?

    /// Indicates the type of the result, which allows the client to determine how to parse the result object.
    public var resultType: String?

    /// A hint from the server indicating how long (in milliseconds) the client MAY cache this response before
    /// re-fetching. Semantics are analogous to HTTP Cache-Control max-age.
    public var ttlMs: Int?

    /// Members that are not above.
    public var additional: [String: JSONValue]

    public init(
        resources: [Resource],
        meta: [String: JSONValue]? = nil,
        cacheScope: CacheScope? = nil,
        nextCursor: String? = nil,
        resultType: String? = nil,
        ttlMs: Int? = nil,
        additional: [String: JSONValue] = [:]
    ) {
        self.resources = resources
        self.meta = meta
        self.cacheScope = cacheScope
        self.nextCursor = nextCursor
        self.resultType = resultType
        self.ttlMs = ttlMs
        self.additional = additional
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case resources
        case meta = "_meta"
        case cacheScope
        case nextCursor
        case resultType
        case ttlMs
    }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        resources = try members.decodeIfPresent([Resource].self, forKey: .resources) ?? []
        meta = try members.decodeIfPresent([String: JSONValue].self, forKey: .meta)
        cacheScope = try members.decodeIfPresent(CacheScope.self, forKey: .cacheScope)
        nextCursor = try members.decodeIfPresent(String.self, forKey: .nextCursor)
        resultType = try members.decodeIfPresent(String.self, forKey: .resultType)
        ttlMs = try members.decodeIfPresent(Int.self, forKey: .ttlMs)
        additional = try decoder.additional(to: CodingKeys.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(resources, forKey: .resources)
        try members.encodeIfPresent(meta, forKey: .meta)
        try members.encodeIfPresent(cacheScope, forKey: .cacheScope)
        try members.encodeIfPresent(nextCursor, forKey: .nextCursor)
        try members.encodeIfPresent(resultType, forKey: .resultType)
        try members.encodeIfPresent(ttlMs, forKey: .ttlMs)
        try encoder.encode(additional, besides: CodingKeys.self)
    }

    /// The values of `cacheScope`.
    public struct CacheScope: OpenEnum {
        public let rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }

        public static let `private` = CacheScope(rawValue: "private")
        public static let `public` = CacheScope(rawValue: "public")
    }
}

/// Sent from the server to request a list of root URIs from the client. Roots allow servers to ask for specific
/// directories or files to operate on. A common example for roots is providing a set of repositories or directories
/// a server should operate on.
/// Revision: 2026-07-28.
///
/// Deprecated: 2026-07-28 deprecates sampling, roots and log messages (SEP-2577). They work in every revision that
/// has them.
public struct ListRootsRequest: Codable, Hashable, Sendable {
    public var params: [String: JSONValue]?

    /// Members that are not above.
    public var additional: [String: JSONValue]

    public init(
        params: [String: JSONValue]? = nil,
        additional: [String: JSONValue] = [:]
    ) {
        self.params = params
        self.additional = additional
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case method
        case params
    }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        params = try members.decodeIfPresent([String: JSONValue].self, forKey: .params)
        additional = try decoder.additional(to: CodingKeys.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode("roots/list", forKey: .method)
        try members.encodeIfPresent(params, forKey: .params)
        try encoder.encode(additional, besides: CodingKeys.self)
    }
}

/// The result returned by the client for a roots/list request. This result contains an array of Root objects, each
/// representing a root directory or file that the server can operate on.
/// Revisions: all.
///
/// Deprecated: 2026-07-28 deprecates sampling, roots and log messages (SEP-2577). They work in every revision that
/// has them.
public struct ListRootsResult: Codable, Hashable, Sendable {
    public var roots: [Root]

    /// Metadata of the protocol, of extensions and of applications.
    public var meta: [String: JSONValue]?

    /// Members that are not above.
    public var additional: [String: JSONValue]

    public init(
        roots: [Root],
        meta: [String: JSONValue]? = nil,
        additional: [String: JSONValue] = [:]
    ) {
        self.roots = roots
        self.meta = meta
        self.additional = additional
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case roots
        case meta = "_meta"
    }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        roots = try members.decodeIfPresent([Root].self, forKey: .roots) ?? []
        meta = try members.decodeIfPresent([String: JSONValue].self, forKey: .meta)
        additional = try decoder.additional(to: CodingKeys.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(roots, forKey: .roots)
        try members.encodeIfPresent(meta, forKey: .meta)
        try encoder.encode(additional, besides: CodingKeys.self)
    }
}

/// The response to a tasks/list request.
/// Revision: 2025-11-25.
public struct ListTasksResult: Codable, Hashable, Sendable {
    public var tasks: [LegacyTask]

    /// Metadata of the protocol, of extensions and of applications.
    public var meta: [String: JSONValue]?

    /// An opaque token representing the pagination position after the last returned result. If present, there may
    /// be more results available.
    public var nextCursor: String?

    /// Members that are not above.
    public var additional: [String: JSONValue]

    public init(
        tasks: [LegacyTask],
        meta: [String: JSONValue]? = nil,
        nextCursor: String? = nil,
        additional: [String: JSONValue] = [:]
    ) {
        self.tasks = tasks
        self.meta = meta
        self.nextCursor = nextCursor
        self.additional = additional
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case tasks
        case meta = "_meta"
        case nextCursor
    }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        tasks = try members.decodeIfPresent([LegacyTask].self, forKey: .tasks) ?? []
        meta = try members.decodeIfPresent([String: JSONValue].self, forKey: .meta)
        nextCursor = try members.decodeIfPresent(String.self, forKey: .nextCursor)
        additional = try decoder.additional(to: CodingKeys.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(tasks, forKey: .tasks)
        try members.encodeIfPresent(meta, forKey: .meta)
        try members.encodeIfPresent(nextCursor, forKey: .nextCursor)
        try encoder.encode(additional, besides: CodingKeys.self)
    }
}

/// The result returned by the server for a tools/list request.
/// Revisions: all.
public struct ListToolsResult: Codable, Hashable, Sendable {
    public var tools: [Tool]

    /// Metadata of the protocol, of extensions and of applications.
    public var meta: [String: JSONValue]?

    /// Indicates the intended scope of the cached response, analogous to HTTP `Cache-Control: public` vs
    /// `Cache-Control: private`.
    public var cacheScope: CacheScope?

    /// An opaque token representing the pagination position after the last returned result. If present, there may
    /// be more results available.
    public var nextCursor: String?

    /// Indicates the type of the result, which allows the client to determine how to parse the result object.
    public var resultType: String?

    /// A hint from the server indicating how long (in milliseconds) the client MAY cache this response before
    /// re-fetching. Semantics are analogous to HTTP Cache-Control max-age.
    public var ttlMs: Int?

    /// Members that are not above.
    public var additional: [String: JSONValue]

    public init(
        tools: [Tool],
        meta: [String: JSONValue]? = nil,
        cacheScope: CacheScope? = nil,
        nextCursor: String? = nil,
        resultType: String? = nil,
        ttlMs: Int? = nil,
        additional: [String: JSONValue] = [:]
    ) {
        self.tools = tools
        self.meta = meta
        self.cacheScope = cacheScope
        self.nextCursor = nextCursor
        self.resultType = resultType
        self.ttlMs = ttlMs
        self.additional = additional
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case tools
        case meta = "_meta"
        case cacheScope
        case nextCursor
        case resultType
        case ttlMs
    }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        tools = try members.decodeIfPresent([Tool].self, forKey: .tools) ?? []
        meta = try members.decodeIfPresent([String: JSONValue].self, forKey: .meta)
        cacheScope = try members.decodeIfPresent(CacheScope.self, forKey: .cacheScope)
        nextCursor = try members.decodeIfPresent(String.self, forKey: .nextCursor)
        resultType = try members.decodeIfPresent(String.self, forKey: .resultType)
        ttlMs = try members.decodeIfPresent(Int.self, forKey: .ttlMs)
        additional = try decoder.additional(to: CodingKeys.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(tools, forKey: .tools)
        try members.encodeIfPresent(meta, forKey: .meta)
        try members.encodeIfPresent(cacheScope, forKey: .cacheScope)
        try members.encodeIfPresent(nextCursor, forKey: .nextCursor)
        try members.encodeIfPresent(resultType, forKey: .resultType)
        try members.encodeIfPresent(ttlMs, forKey: .ttlMs)
        try encoder.encode(additional, besides: CodingKeys.self)
    }

    /// The values of `cacheScope`.
    public struct CacheScope: OpenEnum {
        public let rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }

        public static let `private` = CacheScope(rawValue: "private")
        public static let `public` = CacheScope(rawValue: "public")
    }
}

/// The severity of a log message.
/// Revisions: all.
///
/// Deprecated: 2026-07-28 deprecates sampling, roots and log messages (SEP-2577). They work in every revision that
/// has them.
public struct LoggingLevel: OpenEnum {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public static let alert = LoggingLevel(rawValue: "alert")
    public static let critical = LoggingLevel(rawValue: "critical")
    public static let debug = LoggingLevel(rawValue: "debug")
    public static let emergency = LoggingLevel(rawValue: "emergency")
    public static let error = LoggingLevel(rawValue: "error")
    public static let info = LoggingLevel(rawValue: "info")
    public static let notice = LoggingLevel(rawValue: "notice")
    public static let warning = LoggingLevel(rawValue: "warning")
}

/// Parameters for a `notifications/message` notification.
/// Revisions: all.
///
/// Deprecated: 2026-07-28 deprecates sampling, roots and log messages (SEP-2577). They work in every revision that
/// has them.
public struct LoggingMessageNotificationParams: Codable, Hashable, Sendable {
    /// The data to be logged, such as a string message or an object. Any JSON serializable type is allowed here.
    public var data: JSONValue

    /// The severity of this log message.
    public var level: LoggingLevel

    /// Metadata of the protocol, of extensions and of applications.
    public var meta: [String: JSONValue]?

    /// An optional name of the logger issuing this message.
    public var logger: String?

    /// Members that are not above.
    public var additional: [String: JSONValue]

    public init(
        data: JSONValue,
        level: LoggingLevel,
        meta: [String: JSONValue]? = nil,
        logger: String? = nil,
        additional: [String: JSONValue] = [:]
    ) {
        self.data = data
        self.level = level
        self.meta = meta
        self.logger = logger
        self.additional = additional
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case data
        case level
        case meta = "_meta"
        case logger
    }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        data = try members.decode(JSONValue.self, forKey: .data)
        level = try members.decode(LoggingLevel.self, forKey: .level)
        meta = try members.decodeIfPresent([String: JSONValue].self, forKey: .meta)
        logger = try members.decodeIfPresent(String.self, forKey: .logger)
        additional = try decoder.additional(to: CodingKeys.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(data, forKey: .data)
        try members.encode(level, forKey: .level)
        try members.encodeIfPresent(meta, forKey: .meta)
        try members.encodeIfPresent(logger, forKey: .logger)
        try encoder.encode(additional, besides: CodingKeys.self)
    }
}

/// Revision: 2026-07-28.
public struct MissingRequiredClientCapabilityErrorData: Codable, Hashable, Sendable {
    /// The capabilities the server requires from the client to process this request.
    public var requiredCapabilities: ClientCapabilities

    /// Members that are not above.
    public var additional: [String: JSONValue]

    public init(
        requiredCapabilities: ClientCapabilities,
        additional: [String: JSONValue] = [:]
    ) {
        self.requiredCapabilities = requiredCapabilities
        self.additional = additional
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case requiredCapabilities
    }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        requiredCapabilities = try members.decode(ClientCapabilities.self, forKey: .requiredCapabilities)
        additional = try decoder.additional(to: CodingKeys.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(requiredCapabilities, forKey: .requiredCapabilities)
        try encoder.encode(additional, besides: CodingKeys.self)
    }
}

/// Hints to use for model selection.
/// Revisions: all.
///
/// Deprecated: 2026-07-28 deprecates sampling, roots and log messages (SEP-2577). They work in every revision that
/// has them.
public struct ModelHint: Codable, Hashable, Sendable {
    /// A hint for a model name.
    public var name: String?

    /// Members that are not above.
    public var additional: [String: JSONValue]

    public init(
        name: String? = nil,
        additional: [String: JSONValue] = [:]
    ) {
        self.name = name
        self.additional = additional
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case name
    }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        name = try members.decodeIfPresent(String.self, forKey: .name)
        additional = try decoder.additional(to: CodingKeys.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encodeIfPresent(name, forKey: .name)
        try encoder.encode(additional, besides: CodingKeys.self)
    }
}

/// The server's preferences for model selection, requested of the client during sampling.
/// Revisions: all.
///
/// Deprecated: 2026-07-28 deprecates sampling, roots and log messages (SEP-2577). They work in every revision that
/// has them.
public struct ModelPreferences: Codable, Hashable, Sendable {
    /// How much to prioritize cost when selecting a model. A value of 0 means cost is not important, while a value
    /// of 1 means cost is the most important factor.
    public var costPriority: Double?

    /// Optional hints to use for model selection.
    public var hints: [ModelHint]?

    /// How much to prioritize intelligence and capabilities when selecting a model. A value of 0 means intelligence
    /// is not important, while a value of 1 means intelligence is the most important factor.
    public var intelligencePriority: Double?

    /// How much to prioritize sampling speed (latency) when selecting a model. A value of 0 means speed is not
    /// important, while a value of 1 means speed is the most important factor.
    public var speedPriority: Double?

    /// Members that are not above.
    public var additional: [String: JSONValue]

    public init(
        costPriority: Double? = nil,
        hints: [ModelHint]? = nil,
        intelligencePriority: Double? = nil,
        speedPriority: Double? = nil,
        additional: [String: JSONValue] = [:]
    ) {
        self.costPriority = costPriority
        self.hints = hints
        self.intelligencePriority = intelligencePriority
        self.speedPriority = speedPriority
        self.additional = additional
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case costPriority
        case hints
        case intelligencePriority
        case speedPriority
    }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        costPriority = try members.decodeIfPresent(Double.self, forKey: .costPriority)
        hints = try members.decodeIfPresent([ModelHint].self, forKey: .hints)
        intelligencePriority = try members.decodeIfPresent(Double.self, forKey: .intelligencePriority)
        speedPriority = try members.decodeIfPresent(Double.self, forKey: .speedPriority)
        additional = try decoder.additional(to: CodingKeys.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encodeIfPresent(costPriority, forKey: .costPriority)
        try members.encodeIfPresent(hints, forKey: .hints)
        try members.encodeIfPresent(intelligencePriority, forKey: .intelligencePriority)
        try members.encodeIfPresent(speedPriority, forKey: .speedPriority)
        try encoder.encode(additional, besides: CodingKeys.self)
    }
}

/// Revisions: from 2025-11-25 on.
public struct MultiSelectEnumSchema: Codable, Hashable, Sendable {
    /// Schema for the array items.
    public var items: JSONValue

    public var type: String

    /// Optional default value.
    public var `default`: [String]?

    /// Optional description for the enum field.
    public var description: String?

    /// Maximum number of items to select.
    public var maxItems: Int?

    /// Minimum number of items to select.
    public var minItems: Int?

    /// Optional title for the enum field.
    public var title: String?

    /// Members that are not above.
    public var additional: [String: JSONValue]

    public init(
        items: JSONValue,
        type: String,
        `default`: [String]? = nil,
        description: String? = nil,
        maxItems: Int? = nil,
        minItems: Int? = nil,
        title: String? = nil,
        additional: [String: JSONValue] = [:]
    ) {
        self.items = items
        self.type = type
        self.`default` = `default`
        self.description = description
        self.maxItems = maxItems
        self.minItems = minItems
        self.title = title
        self.additional = additional
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case items
        case type
        case `default`
        case description
        case maxItems
        case minItems
        case title
    }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        items = try members.decode(JSONValue.self, forKey: .items)
        type = try members.decode(String.self, forKey: .type)
        `default` = try members.decodeIfPresent([String].self, forKey: .`default`)
        description = try members.decodeIfPresent(String.self, forKey: .description)
        maxItems = try members.decodeIfPresent(Int.self, forKey: .maxItems)
        minItems = try members.decodeIfPresent(Int.self, forKey: .minItems)
        title = try members.decodeIfPresent(String.self, forKey: .title)
        additional = try decoder.additional(to: CodingKeys.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(items, forKey: .items)
        try members.encode(type, forKey: .type)
        try members.encodeIfPresent(`default`, forKey: .`default`)
        try members.encodeIfPresent(description, forKey: .description)
        try members.encodeIfPresent(maxItems, forKey: .maxItems)
        try members.encodeIfPresent(minItems, forKey: .minItems)
        try members.encodeIfPresent(title, forKey: .title)
        try encoder.encode(additional, besides: CodingKeys.self)
    }
}

/// Common params for any notification.
/// Revisions: from 2025-11-25 on.
public struct NotificationParams: Codable, Hashable, Sendable {
    /// Metadata of the protocol, of extensions and of applications.
    public var meta: [String: JSONValue]?

    /// Members that are not above.
    public var additional: [String: JSONValue]

    public init(
        meta: [String: JSONValue]? = nil,
        additional: [String: JSONValue] = [:]
    ) {
        self.meta = meta
        self.additional = additional
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case meta = "_meta"
    }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        meta = try members.decodeIfPresent([String: JSONValue].self, forKey: .meta)
        additional = try decoder.additional(to: CodingKeys.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encodeIfPresent(meta, forKey: .meta)
        try encoder.encode(additional, besides: CodingKeys.self)
    }
}

/// Revisions: from 2025-06-18 on.
public struct NumberSchema: Codable, Hashable, Sendable {
    public var type: Kind

    public var `default`: Double?

    public var description: String?

    public var maximum: Double?

    public var minimum: Double?

    public var title: String?

    /// Members that are not above.
    public var additional: [String: JSONValue]

    public init(
        type: Kind,
        `default`: Double? = nil,
        description: String? = nil,
        maximum: Double? = nil,
        minimum: Double? = nil,
        title: String? = nil,
        additional: [String: JSONValue] = [:]
    ) {
        self.type = type
        self.`default` = `default`
        self.description = description
        self.maximum = maximum
        self.minimum = minimum
        self.title = title
        self.additional = additional
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case type
        case `default`
        case description
        case maximum
        case minimum
        case title
    }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        type = try members.decode(Kind.self, forKey: .type)
        `default` = try members.decodeIfPresent(Double.self, forKey: .`default`)
        description = try members.decodeIfPresent(String.self, forKey: .description)
        maximum = try members.decodeIfPresent(Double.self, forKey: .maximum)
        minimum = try members.decodeIfPresent(Double.self, forKey: .minimum)
        title = try members.decodeIfPresent(String.self, forKey: .title)
        additional = try decoder.additional(to: CodingKeys.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(type, forKey: .type)
        try members.encodeIfPresent(`default`, forKey: .`default`)
        try members.encodeIfPresent(description, forKey: .description)
        try members.encodeIfPresent(maximum, forKey: .maximum)
        try members.encodeIfPresent(minimum, forKey: .minimum)
        try members.encodeIfPresent(title, forKey: .title)
        try encoder.encode(additional, besides: CodingKeys.self)
    }

    /// The values of `type`.
    public struct Kind: OpenEnum {
        public let rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }

        public static let integer = Kind(rawValue: "integer")
        public static let number = Kind(rawValue: "number")
    }
}

/// Common params for paginated requests.
/// Revisions: all.
public struct PaginatedRequestParams: Codable, Hashable, Sendable {
    /// Metadata of the protocol, of extensions and of applications.
    public var meta: [String: JSONValue]?

    /// An opaque token representing the current pagination position. If provided, the server should return results
    /// starting after this cursor.
    public var cursor: String?

    /// Members that are not above.
    public var additional: [String: JSONValue]

    public init(
        meta: [String: JSONValue]? = nil,
        cursor: String? = nil,
        additional: [String: JSONValue] = [:]
    ) {
        self.meta = meta
        self.cursor = cursor
        self.additional = additional
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case meta = "_meta"
        case cursor
    }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        meta = try members.decodeIfPresent([String: JSONValue].self, forKey: .meta)
        cursor = try members.decodeIfPresent(String.self, forKey: .cursor)
        additional = try decoder.additional(to: CodingKeys.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encodeIfPresent(meta, forKey: .meta)
        try members.encodeIfPresent(cursor, forKey: .cursor)
        try encoder.encode(additional, besides: CodingKeys.self)
    }
}

/// Restricted schema definitions that only allow primitive types without nested objects or arrays.
/// Revisions: from 2025-06-18 on.
public struct PrimitiveSchemaDefinition: Codable, Hashable, Sendable {
    public var type: String

    public var `default`: JSONValue?

    public var description: String?

    public var format: Format?

    public var maxLength: Int?

    public var minLength: Int?

    public var title: String?

    public var maximum: Double?

    public var minimum: Double?

    /// Array of enum values to choose from.
    public var `enum`: [String]?

    /// Array of enum options with values and display labels.
    public var oneOf: [EnumOption]?

    /// Schema for the array items.
    public var items: JSONValue?

    /// Maximum number of items to select.
    public var maxItems: Int?

    /// Minimum number of items to select.
    public var minItems: Int?

    /// (Legacy) Display names for enum values. Non-standard according to JSON schema 2020-12.
    public var enumNames: [String]?

    /// Members that are not above.
    public var additional: [String: JSONValue]

    public init(
        type: String,
        `default`: JSONValue? = nil,
        description: String? = nil,
        format: Format? = nil,
        maxLength: Int? = nil,
        minLength: Int? = nil,
        title: String? = nil,
        maximum: Double? = nil,
        minimum: Double? = nil,
        `enum`: [String]? = nil,
        oneOf: [EnumOption]? = nil,
        items: JSONValue? = nil,
        maxItems: Int? = nil,
        minItems: Int? = nil,
        enumNames: [String]? = nil,
        additional: [String: JSONValue] = [:]
    ) {
        self.type = type
        self.`default` = `default`
        self.description = description
        self.format = format
        self.maxLength = maxLength
        self.minLength = minLength
        self.title = title
        self.maximum = maximum
        self.minimum = minimum
        self.`enum` = `enum`
        self.oneOf = oneOf
        self.items = items
        self.maxItems = maxItems
        self.minItems = minItems
        self.enumNames = enumNames
        self.additional = additional
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case type
        case `default`
        case description
        case format
        case maxLength
        case minLength
        case title
        case maximum
        case minimum
        case `enum`
        case oneOf
        case items
        case maxItems
        case minItems
        case enumNames
    }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        type = try members.decode(String.self, forKey: .type)
        `default` = try members.decodeIfPresent(JSONValue.self, forKey: .`default`)
        description = try members.decodeIfPresent(String.self, forKey: .description)
        format = try members.decodeIfPresent(Format.self, forKey: .format)
        maxLength = try members.decodeIfPresent(Int.self, forKey: .maxLength)
        minLength = try members.decodeIfPresent(Int.self, forKey: .minLength)
        title = try members.decodeIfPresent(String.self, forKey: .title)
        maximum = try members.decodeIfPresent(Double.self, forKey: .maximum)
        minimum = try members.decodeIfPresent(Double.self, forKey: .minimum)
        `enum` = try members.decodeIfPresent([String].self, forKey: .`enum`)
        oneOf = try members.decodeIfPresent([EnumOption].self, forKey: .oneOf)
        items = try members.decodeIfPresent(JSONValue.self, forKey: .items)
        maxItems = try members.decodeIfPresent(Int.self, forKey: .maxItems)
        minItems = try members.decodeIfPresent(Int.self, forKey: .minItems)
        enumNames = try members.decodeIfPresent([String].self, forKey: .enumNames)
        additional = try decoder.additional(to: CodingKeys.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(type, forKey: .type)
        try members.encodeIfPresent(`default`, forKey: .`default`)
        try members.encodeIfPresent(description, forKey: .description)
        try members.encodeIfPresent(format, forKey: .format)
        try members.encodeIfPresent(maxLength, forKey: .maxLength)
        try members.encodeIfPresent(minLength, forKey: .minLength)
        try members.encodeIfPresent(title, forKey: .title)
        try members.encodeIfPresent(maximum, forKey: .maximum)
        try members.encodeIfPresent(minimum, forKey: .minimum)
        try members.encodeIfPresent(`enum`, forKey: .`enum`)
        try members.encodeIfPresent(oneOf, forKey: .oneOf)
        try members.encodeIfPresent(items, forKey: .items)
        try members.encodeIfPresent(maxItems, forKey: .maxItems)
        try members.encodeIfPresent(minItems, forKey: .minItems)
        try members.encodeIfPresent(enumNames, forKey: .enumNames)
        try encoder.encode(additional, besides: CodingKeys.self)
    }

    /// The values of `format`.
    public struct Format: OpenEnum {
        public let rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }

        public static let date = Format(rawValue: "date")
        public static let dateTime = Format(rawValue: "date-time")
        public static let email = Format(rawValue: "email")
        public static let uri = Format(rawValue: "uri")
    }
}

/// Parameters for a notifications/progress notification.
/// Revisions: all.
public struct ProgressNotificationParams: Codable, Hashable, Sendable {
    /// The progress thus far. This should increase every time progress is made, even if the total is unknown.
    public var progress: Double

    /// The progress token which was given in the initial request, used to associate this notification with the
    /// request that is proceeding.
    public var progressToken: JSONValue

    /// Metadata of the protocol, of extensions and of applications.
    public var meta: [String: JSONValue]?

    /// An optional message describing the current progress.
    public var message: String?

    /// Total number of items to process (or total progress required), if known.
    public var total: Double?

    /// Members that are not above.
    public var additional: [String: JSONValue]

    public init(
        progress: Double,
        progressToken: JSONValue,
        meta: [String: JSONValue]? = nil,
        message: String? = nil,
        total: Double? = nil,
        additional: [String: JSONValue] = [:]
    ) {
        self.progress = progress
        self.progressToken = progressToken
        self.meta = meta
        self.message = message
        self.total = total
        self.additional = additional
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case progress
        case progressToken
        case meta = "_meta"
        case message
        case total
    }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        progress = try members.decode(Double.self, forKey: .progress)
        progressToken = try members.decode(JSONValue.self, forKey: .progressToken)
        meta = try members.decodeIfPresent([String: JSONValue].self, forKey: .meta)
        message = try members.decodeIfPresent(String.self, forKey: .message)
        total = try members.decodeIfPresent(Double.self, forKey: .total)
        additional = try decoder.additional(to: CodingKeys.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(progress, forKey: .progress)
        try members.encode(progressToken, forKey: .progressToken)
        try members.encodeIfPresent(meta, forKey: .meta)
        try members.encodeIfPresent(message, forKey: .message)
        try members.encodeIfPresent(total, forKey: .total)
        try encoder.encode(additional, besides: CodingKeys.self)
    }
}

/// A prompt or prompt template that the server offers.
/// Revisions: all.
public struct Prompt: Codable, Hashable, Sendable {
    /// Intended for programmatic or logical use, but used as a display name in past specs or fallback (if title
    /// isn't present).
    public var name: String

    /// Metadata of the protocol, of extensions and of applications.
    public var meta: [String: JSONValue]?

    /// A list of arguments to use for templating the prompt.
    public var arguments: [PromptArgument]?

    /// An optional description of what this prompt provides
    public var description: String?

    /// Optional set of sized icons that the client can display in a user interface.
    public var icons: [Icon]?

    /// Intended for UI and end-user contexts — optimized to be human-readable and easily understood, even by those
    /// unfamiliar with domain-specific terminology.
    public var title: String?

    /// Members that are not above.
    public var additional: [String: JSONValue]

    public init(
        name: String,
        meta: [String: JSONValue]? = nil,
        arguments: [PromptArgument]? = nil,
        description: String? = nil,
        icons: [Icon]? = nil,
        title: String? = nil,
        additional: [String: JSONValue] = [:]
    ) {
        self.name = name
        self.meta = meta
        self.arguments = arguments
        self.description = description
        self.icons = icons
        self.title = title
        self.additional = additional
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case name
        case meta = "_meta"
        case arguments
        case description
        case icons
        case title
    }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        name = try members.decode(String.self, forKey: .name)
        meta = try members.decodeIfPresent([String: JSONValue].self, forKey: .meta)
        arguments = try members.decodeIfPresent([PromptArgument].self, forKey: .arguments)
        description = try members.decodeIfPresent(String.self, forKey: .description)
        icons = try members.decodeIfPresent([Icon].self, forKey: .icons)
        title = try members.decodeIfPresent(String.self, forKey: .title)
        additional = try decoder.additional(to: CodingKeys.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(name, forKey: .name)
        try members.encodeIfPresent(meta, forKey: .meta)
        try members.encodeIfPresent(arguments, forKey: .arguments)
        try members.encodeIfPresent(description, forKey: .description)
        try members.encodeIfPresent(icons, forKey: .icons)
        try members.encodeIfPresent(title, forKey: .title)
        try encoder.encode(additional, besides: CodingKeys.self)
    }
}

/// Describes an argument that a prompt can accept.
/// Revisions: all.
public struct PromptArgument: Codable, Hashable, Sendable {
    /// Intended for programmatic or logical use, but used as a display name in past specs or fallback (if title
    /// isn't present).
    public var name: String

    /// A human-readable description of the argument.
    public var description: String?

    /// Whether this argument must be provided.
    public var required: Bool?

    /// Intended for UI and end-user contexts — optimized to be human-readable and easily understood, even by those
    /// unfamiliar with domain-specific terminology.
    public var title: String?

    /// Members that are not above.
    public var additional: [String: JSONValue]

    public init(
        name: String,
        description: String? = nil,
        required: Bool? = nil,
        title: String? = nil,
        additional: [String: JSONValue] = [:]
    ) {
        self.name = name
        self.description = description
        self.required = required
        self.title = title
        self.additional = additional
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case name
        case description
        case required
        case title
    }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        name = try members.decode(String.self, forKey: .name)
        description = try members.decodeIfPresent(String.self, forKey: .description)
        required = try members.decodeIfPresent(Bool.self, forKey: .required)
        title = try members.decodeIfPresent(String.self, forKey: .title)
        additional = try decoder.additional(to: CodingKeys.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(name, forKey: .name)
        try members.encodeIfPresent(description, forKey: .description)
        try members.encodeIfPresent(required, forKey: .required)
        try members.encodeIfPresent(title, forKey: .title)
        try encoder.encode(additional, besides: CodingKeys.self)
    }
}

/// Describes a message returned as part of a prompt.
/// Revisions: all.
public struct PromptMessage: Codable, Hashable, Sendable {
    public var content: ContentBlock

    public var role: Role

    /// Members that are not above.
    public var additional: [String: JSONValue]

    public init(
        content: ContentBlock,
        role: Role,
        additional: [String: JSONValue] = [:]
    ) {
        self.content = content
        self.role = role
        self.additional = additional
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case content
        case role
    }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        content = try members.decode(ContentBlock.self, forKey: .content)
        role = try members.decode(Role.self, forKey: .role)
        additional = try decoder.additional(to: CodingKeys.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(content, forKey: .content)
        try members.encode(role, forKey: .role)
        try encoder.encode(additional, besides: CodingKeys.self)
    }
}

/// Identifies a prompt.
/// Revisions: all.
public struct PromptReference: Codable, Hashable, Sendable {
    /// Intended for programmatic or logical use, but used as a display name in past specs or fallback (if title
    /// isn't present).
    public var name: String

    /// Intended for UI and end-user contexts — optimized to be human-readable and easily understood, even by those
    /// unfamiliar with domain-specific terminology.
    public var title: String?

    /// Members that are not above.
    public var additional: [String: JSONValue]

    public init(
        name: String,
        title: String? = nil,
        additional: [String: JSONValue] = [:]
    ) {
        self.name = name
        self.title = title
        self.additional = additional
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case type
        case name
        case title
    }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        name = try members.decode(String.self, forKey: .name)
        title = try members.decodeIfPresent(String.self, forKey: .title)
        additional = try decoder.additional(to: CodingKeys.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode("ref/prompt", forKey: .type)
        try members.encode(name, forKey: .name)
        try members.encodeIfPresent(title, forKey: .title)
        try encoder.encode(additional, besides: CodingKeys.self)
    }
}

/// Parameters for a `resources/read` request.
/// Revisions: all.
public struct ReadResourceRequestParams: Codable, Hashable, Sendable {
    /// The URI of the resource. The URI can use any protocol; it is up to the server how to interpret it.
    public var uri: String

    /// Metadata of the protocol, of extensions and of applications.
    public var meta: [String: JSONValue]?

    public var inputResponses: [String: InputResponse]?

    public var requestState: String?

    /// Members that are not above.
    public var additional: [String: JSONValue]

    public init(
        uri: String,
        meta: [String: JSONValue]? = nil,
        inputResponses: [String: InputResponse]? = nil,
        requestState: String? = nil,
        additional: [String: JSONValue] = [:]
    ) {
        self.uri = uri
        self.meta = meta
        self.inputResponses = inputResponses
        self.requestState = requestState
        self.additional = additional
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case uri
        case meta = "_meta"
        case inputResponses
        case requestState
    }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        uri = try members.decode(String.self, forKey: .uri)
        meta = try members.decodeIfPresent([String: JSONValue].self, forKey: .meta)
        inputResponses = try members.decodeIfPresent([String: InputResponse].self, forKey: .inputResponses)
        requestState = try members.decodeIfPresent(String.self, forKey: .requestState)
        additional = try decoder.additional(to: CodingKeys.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(uri, forKey: .uri)
        try members.encodeIfPresent(meta, forKey: .meta)
        try members.encodeIfPresent(inputResponses, forKey: .inputResponses)
        try members.encodeIfPresent(requestState, forKey: .requestState)
        try encoder.encode(additional, besides: CodingKeys.self)
    }
}

/// The result returned by the server for a resources/read request.
/// Revisions: all.
public struct ReadResourceResult: Codable, Hashable, Sendable {
    public var contents: [ResourceContents]

    /// Metadata of the protocol, of extensions and of applications.
    public var meta: [String: JSONValue]?

    /// Indicates the intended scope of the cached response, analogous to HTTP `Cache-Control: public` vs
    /// `Cache-Control: private`.
    public var cacheScope: CacheScope?

    /// Indicates the type of the result, which allows the client to determine how to parse the result object.
    public var resultType: String?

    /// A hint from the server indicating how long (in milliseconds) the client MAY cache this response before
    /// re-fetching. Semantics are analogous to HTTP Cache-Control max-age.
    public var ttlMs: Int?

    /// Members that are not above.
    public var additional: [String: JSONValue]

    public init(
        contents: [ResourceContents],
        meta: [String: JSONValue]? = nil,
        cacheScope: CacheScope? = nil,
        resultType: String? = nil,
        ttlMs: Int? = nil,
        additional: [String: JSONValue] = [:]
    ) {
        self.contents = contents
        self.meta = meta
        self.cacheScope = cacheScope
        self.resultType = resultType
        self.ttlMs = ttlMs
        self.additional = additional
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case contents
        case meta = "_meta"
        case cacheScope
        case resultType
        case ttlMs
    }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        contents = try members.decodeIfPresent([ResourceContents].self, forKey: .contents) ?? []
        meta = try members.decodeIfPresent([String: JSONValue].self, forKey: .meta)
        cacheScope = try members.decodeIfPresent(CacheScope.self, forKey: .cacheScope)
        resultType = try members.decodeIfPresent(String.self, forKey: .resultType)
        ttlMs = try members.decodeIfPresent(Int.self, forKey: .ttlMs)
        additional = try decoder.additional(to: CodingKeys.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(contents, forKey: .contents)
        try members.encodeIfPresent(meta, forKey: .meta)
        try members.encodeIfPresent(cacheScope, forKey: .cacheScope)
        try members.encodeIfPresent(resultType, forKey: .resultType)
        try members.encodeIfPresent(ttlMs, forKey: .ttlMs)
        try encoder.encode(additional, besides: CodingKeys.self)
    }

    /// The values of `cacheScope`.
    public struct CacheScope: OpenEnum {
        public let rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }

        public static let `private` = CacheScope(rawValue: "private")
        public static let `public` = CacheScope(rawValue: "public")
    }
}

/// Revisions: all.
public enum Reference: Codable, Hashable, Sendable {
    case refPrompt(PromptReference)
    case refResource(ResourceTemplateReference)
    /// What a later revision has, as it came.
    case other(JSONValue)

    public init(from decoder: any Decoder) throws {
        switch try decoder.tag("type") {
        case "ref/prompt": self = .refPrompt(try PromptReference(from: decoder))
        case "ref/resource": self = .refResource(try ResourceTemplateReference(from: decoder))
        default: self = .other(try JSONValue(from: decoder))
        }
    }

    public func encode(to encoder: any Encoder) throws {
        switch self {
        case .refPrompt(let value): try value.encode(to: encoder)
        case .refResource(let value): try value.encode(to: encoder)
        case .other(let value): try value.encode(to: encoder)
        }
    }
}

/// Metadata for associating messages with a task. Include this in the `_meta` field under the key
/// `io.modelcontextprotocol/related-task`.
/// Revision: 2025-11-25.
public struct RelatedTaskMetadata: Codable, Hashable, Sendable {
    /// The task identifier this message is associated with.
    public var taskId: String

    /// Members that are not above.
    public var additional: [String: JSONValue]

    public init(
        taskId: String,
        additional: [String: JSONValue] = [:]
    ) {
        self.taskId = taskId
        self.additional = additional
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case taskId
    }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        taskId = try members.decode(String.self, forKey: .taskId)
        additional = try decoder.additional(to: CodingKeys.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(taskId, forKey: .taskId)
        try encoder.encode(additional, besides: CodingKeys.self)
    }
}

/// A known resource that the server is capable of reading.
/// Revisions: all.
public struct Resource: Codable, Hashable, Sendable {
    /// Intended for programmatic or logical use, but used as a display name in past specs or fallback (if title
    /// isn't present).
    public var name: String

    /// The URI of this resource.
    public var uri: String

    /// Metadata of the protocol, of extensions and of applications.
    public var meta: [String: JSONValue]?

    /// Optional annotations for the client.
    public var annotations: Annotations?

    /// A description of what this resource represents.
    public var description: String?

    /// Optional set of sized icons that the client can display in a user interface.
    public var icons: [Icon]?

    /// The MIME type of this resource, if known.
    public var mimeType: String?

    /// The size of the raw resource content, in bytes (i.e., before base64 encoding or any tokenization), if known.
    public var size: Int?

    /// Intended for UI and end-user contexts — optimized to be human-readable and easily understood, even by those
    /// unfamiliar with domain-specific terminology.
    public var title: String?

    /// Members that are not above.
    public var additional: [String: JSONValue]

    public init(
        name: String,
        uri: String,
        meta: [String: JSONValue]? = nil,
        annotations: Annotations? = nil,
        description: String? = nil,
        icons: [Icon]? = nil,
        mimeType: String? = nil,
        size: Int? = nil,
        title: String? = nil,
        additional: [String: JSONValue] = [:]
    ) {
        self.name = name
        self.uri = uri
        self.meta = meta
        self.annotations = annotations
        self.description = description
        self.icons = icons
        self.mimeType = mimeType
        self.size = size
        self.title = title
        self.additional = additional
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case name
        case uri
        case meta = "_meta"
        case annotations
        case description
        case icons
        case mimeType
        case size
        case title
    }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        name = try members.decode(String.self, forKey: .name)
        uri = try members.decode(String.self, forKey: .uri)
        meta = try members.decodeIfPresent([String: JSONValue].self, forKey: .meta)
        annotations = try members.decodeIfPresent(Annotations.self, forKey: .annotations)
        description = try members.decodeIfPresent(String.self, forKey: .description)
        icons = try members.decodeIfPresent([Icon].self, forKey: .icons)
        mimeType = try members.decodeIfPresent(String.self, forKey: .mimeType)
        size = try members.decodeIfPresent(Int.self, forKey: .size)
        title = try members.decodeIfPresent(String.self, forKey: .title)
        additional = try decoder.additional(to: CodingKeys.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(name, forKey: .name)
        try members.encode(uri, forKey: .uri)
        try members.encodeIfPresent(meta, forKey: .meta)
        try members.encodeIfPresent(annotations, forKey: .annotations)
        try members.encodeIfPresent(description, forKey: .description)
        try members.encodeIfPresent(icons, forKey: .icons)
        try members.encodeIfPresent(mimeType, forKey: .mimeType)
        try members.encodeIfPresent(size, forKey: .size)
        try members.encodeIfPresent(title, forKey: .title)
        try encoder.encode(additional, besides: CodingKeys.self)
    }
}

/// The contents of a specific resource or sub-resource.
/// Revisions: all.
public struct ResourceContents: Codable, Hashable, Sendable {
    /// The URI of this resource.
    public var uri: String

    /// Metadata of the protocol, of extensions and of applications.
    public var meta: [String: JSONValue]?

    /// The MIME type of this resource, if known.
    public var mimeType: String?

    /// The text of the item. This must only be set if the item can actually be represented as text (not binary
    /// data).
    public var text: String?

    /// A base64-encoded string representing the binary data of the item.
    public var blob: String?

    /// Members that are not above.
    public var additional: [String: JSONValue]

    public init(
        uri: String,
        meta: [String: JSONValue]? = nil,
        mimeType: String? = nil,
        text: String? = nil,
        blob: String? = nil,
        additional: [String: JSONValue] = [:]
    ) {
        self.uri = uri
        self.meta = meta
        self.mimeType = mimeType
        self.text = text
        self.blob = blob
        self.additional = additional
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case uri
        case meta = "_meta"
        case mimeType
        case text
        case blob
    }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        uri = try members.decode(String.self, forKey: .uri)
        meta = try members.decodeIfPresent([String: JSONValue].self, forKey: .meta)
        mimeType = try members.decodeIfPresent(String.self, forKey: .mimeType)
        text = try members.decodeIfPresent(String.self, forKey: .text)
        blob = try members.decodeIfPresent(String.self, forKey: .blob)
        additional = try decoder.additional(to: CodingKeys.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(uri, forKey: .uri)
        try members.encodeIfPresent(meta, forKey: .meta)
        try members.encodeIfPresent(mimeType, forKey: .mimeType)
        try members.encodeIfPresent(text, forKey: .text)
        try members.encodeIfPresent(blob, forKey: .blob)
        try encoder.encode(additional, besides: CodingKeys.self)
    }
}

/// A resource that the server is capable of reading, included in a prompt or tool call result.
/// Revisions: from 2025-06-18 on.
public struct ResourceLink: Codable, Hashable, Sendable {
    /// Intended for programmatic or logical use, but used as a display name in past specs or fallback (if title
    /// isn't present).
    public var name: String

    /// The URI of this resource.
    public var uri: String

    /// Metadata of the protocol, of extensions and of applications.
    public var meta: [String: JSONValue]?

    /// Optional annotations for the client.
    public var annotations: Annotations?

    /// A description of what this resource represents.
    public var description: String?

    /// Optional set of sized icons that the client can display in a user interface.
    public var icons: [Icon]?

    /// The MIME type of this resource, if known.
    public var mimeType: String?

    /// The size of the raw resource content, in bytes (i.e., before base64 encoding or any tokenization), if known.
    public var size: Int?

    /// Intended for UI and end-user contexts — optimized to be human-readable and easily understood, even by those
    /// unfamiliar with domain-specific terminology.
    public var title: String?

    /// Members that are not above.
    public var additional: [String: JSONValue]

    public init(
        name: String,
        uri: String,
        meta: [String: JSONValue]? = nil,
        annotations: Annotations? = nil,
        description: String? = nil,
        icons: [Icon]? = nil,
        mimeType: String? = nil,
        size: Int? = nil,
        title: String? = nil,
        additional: [String: JSONValue] = [:]
    ) {
        self.name = name
        self.uri = uri
        self.meta = meta
        self.annotations = annotations
        self.description = description
        self.icons = icons
        self.mimeType = mimeType
        self.size = size
        self.title = title
        self.additional = additional
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case type
        case name
        case uri
        case meta = "_meta"
        case annotations
        case description
        case icons
        case mimeType
        case size
        case title
    }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        name = try members.decode(String.self, forKey: .name)
        uri = try members.decode(String.self, forKey: .uri)
        meta = try members.decodeIfPresent([String: JSONValue].self, forKey: .meta)
        annotations = try members.decodeIfPresent(Annotations.self, forKey: .annotations)
        description = try members.decodeIfPresent(String.self, forKey: .description)
        icons = try members.decodeIfPresent([Icon].self, forKey: .icons)
        mimeType = try members.decodeIfPresent(String.self, forKey: .mimeType)
        size = try members.decodeIfPresent(Int.self, forKey: .size)
        title = try members.decodeIfPresent(String.self, forKey: .title)
        additional = try decoder.additional(to: CodingKeys.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode("resource_link", forKey: .type)
        try members.encode(name, forKey: .name)
        try members.encode(uri, forKey: .uri)
        try members.encodeIfPresent(meta, forKey: .meta)
        try members.encodeIfPresent(annotations, forKey: .annotations)
        try members.encodeIfPresent(description, forKey: .description)
        try members.encodeIfPresent(icons, forKey: .icons)
        try members.encodeIfPresent(mimeType, forKey: .mimeType)
        try members.encodeIfPresent(size, forKey: .size)
        try members.encodeIfPresent(title, forKey: .title)
        try encoder.encode(additional, besides: CodingKeys.self)
    }
}

/// A template description for resources available on the server.
/// Revisions: all.
public struct ResourceTemplate: Codable, Hashable, Sendable {
    /// Intended for programmatic or logical use, but used as a display name in past specs or fallback (if title
    /// isn't present).
    public var name: String

    /// A URI template (according to RFC 6570) that can be used to construct resource URIs.
    public var uriTemplate: String

    /// Metadata of the protocol, of extensions and of applications.
    public var meta: [String: JSONValue]?

    /// Optional annotations for the client.
    public var annotations: Annotations?

    /// A description of what this template is for.
    public var description: String?

    /// Optional set of sized icons that the client can display in a user interface.
    public var icons: [Icon]?

    /// The MIME type for all resources that match this template. This should only be included if all resources
    /// matching this template have the same type.
    public var mimeType: String?

    /// Intended for UI and end-user contexts — optimized to be human-readable and easily understood, even by those
    /// unfamiliar with domain-specific terminology.
    public var title: String?

    /// Members that are not above.
    public var additional: [String: JSONValue]

    public init(
        name: String,
        uriTemplate: String,
        meta: [String: JSONValue]? = nil,
        annotations: Annotations? = nil,
        description: String? = nil,
        icons: [Icon]? = nil,
        mimeType: String? = nil,
        title: String? = nil,
        additional: [String: JSONValue] = [:]
    ) {
        self.name = name
        self.uriTemplate = uriTemplate
        self.meta = meta
        self.annotations = annotations
        self.description = description
        self.icons = icons
        self.mimeType = mimeType
        self.title = title
        self.additional = additional
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case name
        case uriTemplate
        case meta = "_meta"
        case annotations
        case description
        case icons
        case mimeType
        case title
    }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        name = try members.decode(String.self, forKey: .name)
        uriTemplate = try members.decode(String.self, forKey: .uriTemplate)
        meta = try members.decodeIfPresent([String: JSONValue].self, forKey: .meta)
        annotations = try members.decodeIfPresent(Annotations.self, forKey: .annotations)
        description = try members.decodeIfPresent(String.self, forKey: .description)
        icons = try members.decodeIfPresent([Icon].self, forKey: .icons)
        mimeType = try members.decodeIfPresent(String.self, forKey: .mimeType)
        title = try members.decodeIfPresent(String.self, forKey: .title)
        additional = try decoder.additional(to: CodingKeys.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(name, forKey: .name)
        try members.encode(uriTemplate, forKey: .uriTemplate)
        try members.encodeIfPresent(meta, forKey: .meta)
        try members.encodeIfPresent(annotations, forKey: .annotations)
        try members.encodeIfPresent(description, forKey: .description)
        try members.encodeIfPresent(icons, forKey: .icons)
        try members.encodeIfPresent(mimeType, forKey: .mimeType)
        try members.encodeIfPresent(title, forKey: .title)
        try encoder.encode(additional, besides: CodingKeys.self)
    }
}

/// A reference to a resource or resource template definition.
/// Revisions: all.
public struct ResourceTemplateReference: Codable, Hashable, Sendable {
    /// The URI or URI template of the resource.
    public var uri: String

    /// Members that are not above.
    public var additional: [String: JSONValue]

    public init(
        uri: String,
        additional: [String: JSONValue] = [:]
    ) {
        self.uri = uri
        self.additional = additional
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case type
        case uri
    }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        uri = try members.decode(String.self, forKey: .uri)
        additional = try decoder.additional(to: CodingKeys.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode("ref/resource", forKey: .type)
        try members.encode(uri, forKey: .uri)
        try encoder.encode(additional, besides: CodingKeys.self)
    }
}

/// Parameters for a `notifications/resources/updated` notification.
/// Revisions: all.
public struct ResourceUpdatedNotificationParams: Codable, Hashable, Sendable {
    /// The URI of the resource that has been updated. This might be a sub-resource of the one that the client
    /// actually subscribed to.
    public var uri: String

    /// Metadata of the protocol, of extensions and of applications.
    public var meta: [String: JSONValue]?

    /// Members that are not above.
    public var additional: [String: JSONValue]

    public init(
        uri: String,
        meta: [String: JSONValue]? = nil,
        additional: [String: JSONValue] = [:]
    ) {
        self.uri = uri
        self.meta = meta
        self.additional = additional
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case uri
        case meta = "_meta"
    }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        uri = try members.decode(String.self, forKey: .uri)
        meta = try members.decodeIfPresent([String: JSONValue].self, forKey: .meta)
        additional = try decoder.additional(to: CodingKeys.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(uri, forKey: .uri)
        try members.encodeIfPresent(meta, forKey: .meta)
        try encoder.encode(additional, besides: CodingKeys.self)
    }
}

/// Common result fields.
/// Revisions: all.
public struct EmptyResult: Codable, Hashable, Sendable {
    /// Metadata of the protocol, of extensions and of applications.
    public var meta: [String: JSONValue]?

    /// Indicates the type of the result, which allows the client to determine how to parse the result object.
    public var resultType: String?

    /// Members that are not above.
    public var additional: [String: JSONValue]

    public init(
        meta: [String: JSONValue]? = nil,
        resultType: String? = nil,
        additional: [String: JSONValue] = [:]
    ) {
        self.meta = meta
        self.resultType = resultType
        self.additional = additional
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case meta = "_meta"
        case resultType
    }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        meta = try members.decodeIfPresent([String: JSONValue].self, forKey: .meta)
        resultType = try members.decodeIfPresent(String.self, forKey: .resultType)
        additional = try decoder.additional(to: CodingKeys.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encodeIfPresent(meta, forKey: .meta)
        try members.encodeIfPresent(resultType, forKey: .resultType)
        try encoder.encode(additional, besides: CodingKeys.self)
    }
}

/// The sender or recipient of messages and data in a conversation.
/// Revisions: all.
public struct Role: OpenEnum {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public static let assistant = Role(rawValue: "assistant")
    public static let user = Role(rawValue: "user")
}

/// Represents a root directory or file that the server can operate on.
/// Revisions: all.
///
/// Deprecated: 2026-07-28 deprecates sampling, roots and log messages (SEP-2577). They work in every revision that
/// has them.
public struct Root: Codable, Hashable, Sendable {
    /// The URI identifying the root. This *must* start with `file://` for now. This restriction may be relaxed in
    /// future versions of the protocol to allow other URI schemes.
    public var uri: String

    /// Metadata of the protocol, of extensions and of applications.
    public var meta: [String: JSONValue]?

    /// An optional name for the root. This can be used to provide a human-readable identifier for the root, which
    /// may be useful for display purposes or for referencing the root in other parts of the application.
    public var name: String?

    /// Members that are not above.
    public var additional: [String: JSONValue]

    public init(
        uri: String,
        meta: [String: JSONValue]? = nil,
        name: String? = nil,
        additional: [String: JSONValue] = [:]
    ) {
        self.uri = uri
        self.meta = meta
        self.name = name
        self.additional = additional
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case uri
        case meta = "_meta"
        case name
    }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        uri = try members.decode(String.self, forKey: .uri)
        meta = try members.decodeIfPresent([String: JSONValue].self, forKey: .meta)
        name = try members.decodeIfPresent(String.self, forKey: .name)
        additional = try decoder.additional(to: CodingKeys.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(uri, forKey: .uri)
        try members.encodeIfPresent(meta, forKey: .meta)
        try members.encodeIfPresent(name, forKey: .name)
        try encoder.encode(additional, besides: CodingKeys.self)
    }
}

/// Describes a message issued to or received from an LLM API.
/// Revisions: all.
///
/// Deprecated: 2026-07-28 deprecates sampling, roots and log messages (SEP-2577). They work in every revision that
/// has them.
public struct SamplingMessage: Codable, Hashable, Sendable {
    public var content: [SamplingMessageContentBlock]

    public var role: Role

    /// Metadata of the protocol, of extensions and of applications.
    public var meta: [String: JSONValue]?

    /// Members that are not above.
    public var additional: [String: JSONValue]

    public init(
        content: [SamplingMessageContentBlock],
        role: Role,
        meta: [String: JSONValue]? = nil,
        additional: [String: JSONValue] = [:]
    ) {
        self.content = content
        self.role = role
        self.meta = meta
        self.additional = additional
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case content
        case role
        case meta = "_meta"
    }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        content = try members.oneOrMany(SamplingMessageContentBlock.self, forKey: .content) ?? []
        role = try members.decode(Role.self, forKey: .role)
        meta = try members.decodeIfPresent([String: JSONValue].self, forKey: .meta)
        additional = try decoder.additional(to: CodingKeys.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encodeOneOrMany(content, forKey: .content)
        try members.encode(role, forKey: .role)
        try members.encodeIfPresent(meta, forKey: .meta)
        try encoder.encode(additional, besides: CodingKeys.self)
    }
}

/// Revisions: from 2025-11-25 on.
///
/// Deprecated: 2026-07-28 deprecates sampling, roots and log messages (SEP-2577). They work in every revision that
/// has them.
public enum SamplingMessageContentBlock: Codable, Hashable, Sendable {
    case text(TextContent)
    case image(ImageContent)
    case audio(AudioContent)
    case toolUse(ToolUseContent)
    case toolResult(ToolResultContent)
    /// What a later revision has, as it came.
    case other(JSONValue)

    public init(from decoder: any Decoder) throws {
        switch try decoder.tag("type") {
        case "text": self = .text(try TextContent(from: decoder))
        case "image": self = .image(try ImageContent(from: decoder))
        case "audio": self = .audio(try AudioContent(from: decoder))
        case "tool_use": self = .toolUse(try ToolUseContent(from: decoder))
        case "tool_result": self = .toolResult(try ToolResultContent(from: decoder))
        default: self = .other(try JSONValue(from: decoder))
        }
    }

    public func encode(to encoder: any Encoder) throws {
        switch self {
        case .text(let value): try value.encode(to: encoder)
        case .image(let value): try value.encode(to: encoder)
        case .audio(let value): try value.encode(to: encoder)
        case .toolUse(let value): try value.encode(to: encoder)
        case .toolResult(let value): try value.encode(to: encoder)
        case .other(let value): try value.encode(to: encoder)
        }
    }
}

/// Capabilities that a server may support. Known capabilities are defined here, in this schema, but this is not a
/// closed set: any server can define its own, additional capabilities.
/// Revisions: all.
public struct ServerCapabilities: Codable, Hashable, Sendable {
    /// Present if the server supports argument autocompletion suggestions.
    public var completions: [String: JSONValue]?

    /// Experimental, non-standard capabilities that the server supports.
    public var experimental: [String: [String: JSONValue]]?

    /// Optional MCP extensions that the server supports. Keys are extension identifiers (e.g.,
    /// "io.modelcontextprotocol/tasks"), and values are per-extension settings objects. An empty object indicates
    /// support with no settings.
    public var extensions: [String: [String: JSONValue]]?

    /// Present if the server supports sending log messages to the client.
    public var logging: [String: JSONValue]?

    /// Present if the server offers any prompt templates.
    public var prompts: ServerCapabilitiesPrompts?

    /// Present if the server offers any resources to read.
    public var resources: ServerCapabilitiesResources?

    /// Present if the server supports task-augmented requests.
    public var tasks: ServerCapabilitiesTasks?

    /// Present if the server offers any tools to call.
    public var tools: ServerCapabilitiesTools?

    /// Members that are not above.
    public var additional: [String: JSONValue]

    public init(
        completions: [String: JSONValue]? = nil,
        experimental: [String: [String: JSONValue]]? = nil,
        extensions: [String: [String: JSONValue]]? = nil,
        logging: [String: JSONValue]? = nil,
        prompts: ServerCapabilitiesPrompts? = nil,
        resources: ServerCapabilitiesResources? = nil,
        tasks: ServerCapabilitiesTasks? = nil,
        tools: ServerCapabilitiesTools? = nil,
        additional: [String: JSONValue] = [:]
    ) {
        self.completions = completions
        self.experimental = experimental
        self.extensions = extensions
        self.logging = logging
        self.prompts = prompts
        self.resources = resources
        self.tasks = tasks
        self.tools = tools
        self.additional = additional
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case completions
        case experimental
        case extensions
        case logging
        case prompts
        case resources
        case tasks
        case tools
    }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        completions = try members.decodeIfPresent([String: JSONValue].self, forKey: .completions)
        experimental = try members.decodeIfPresent([String: [String: JSONValue]].self, forKey: .experimental)
        extensions = try members.decodeIfPresent([String: [String: JSONValue]].self, forKey: .extensions)
        logging = try members.decodeIfPresent([String: JSONValue].self, forKey: .logging)
        prompts = try members.decodeIfPresent(ServerCapabilitiesPrompts.self, forKey: .prompts)
        resources = try members.decodeIfPresent(ServerCapabilitiesResources.self, forKey: .resources)
        tasks = try members.decodeIfPresent(ServerCapabilitiesTasks.self, forKey: .tasks)
        tools = try members.decodeIfPresent(ServerCapabilitiesTools.self, forKey: .tools)
        additional = try decoder.additional(to: CodingKeys.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encodeIfPresent(completions, forKey: .completions)
        try members.encodeIfPresent(experimental, forKey: .experimental)
        try members.encodeIfPresent(extensions, forKey: .extensions)
        try members.encodeIfPresent(logging, forKey: .logging)
        try members.encodeIfPresent(prompts, forKey: .prompts)
        try members.encodeIfPresent(resources, forKey: .resources)
        try members.encodeIfPresent(tasks, forKey: .tasks)
        try members.encodeIfPresent(tools, forKey: .tools)
        try encoder.encode(additional, besides: CodingKeys.self)
    }
}

/// Present if the server offers any prompt templates.
/// Revisions: all.
public struct ServerCapabilitiesPrompts: Codable, Hashable, Sendable {
    /// Whether this server supports notifications for changes to the prompt list.
    public var listChanged: Bool?

    /// Members that are not above.
    public var additional: [String: JSONValue]

    public init(
        listChanged: Bool? = nil,
        additional: [String: JSONValue] = [:]
    ) {
        self.listChanged = listChanged
        self.additional = additional
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case listChanged
    }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        listChanged = try members.decodeIfPresent(Bool.self, forKey: .listChanged)
        additional = try decoder.additional(to: CodingKeys.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encodeIfPresent(listChanged, forKey: .listChanged)
        try encoder.encode(additional, besides: CodingKeys.self)
    }
}

/// Present if the server offers any resources to read.
/// Revisions: all.
public struct ServerCapabilitiesResources: Codable, Hashable, Sendable {
    /// Whether this server supports notifications for changes to the resource list.
    public var listChanged: Bool?

    /// Whether this server supports subscribing to resource updates.
    public var subscribe: Bool?

    /// Members that are not above.
    public var additional: [String: JSONValue]

    public init(
        listChanged: Bool? = nil,
        subscribe: Bool? = nil,
        additional: [String: JSONValue] = [:]
    ) {
        self.listChanged = listChanged
        self.subscribe = subscribe
        self.additional = additional
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case listChanged
        case subscribe
    }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        listChanged = try members.decodeIfPresent(Bool.self, forKey: .listChanged)
        subscribe = try members.decodeIfPresent(Bool.self, forKey: .subscribe)
        additional = try decoder.additional(to: CodingKeys.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encodeIfPresent(listChanged, forKey: .listChanged)
        try members.encodeIfPresent(subscribe, forKey: .subscribe)
        try encoder.encode(additional, besides: CodingKeys.self)
    }
}

/// Present if the server supports task-augmented requests.
/// Revision: 2025-11-25.
public struct ServerCapabilitiesTasks: Codable, Hashable, Sendable {
    /// Whether this server supports tasks/cancel.
    public var cancel: [String: JSONValue]?

    /// Whether this server supports tasks/list.
    public var list: [String: JSONValue]?

    /// Specifies which request types can be augmented with tasks.
    public var requests: ServerCapabilitiesTasksRequests?

    /// Members that are not above.
    public var additional: [String: JSONValue]

    public init(
        cancel: [String: JSONValue]? = nil,
        list: [String: JSONValue]? = nil,
        requests: ServerCapabilitiesTasksRequests? = nil,
        additional: [String: JSONValue] = [:]
    ) {
        self.cancel = cancel
        self.list = list
        self.requests = requests
        self.additional = additional
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case cancel
        case list
        case requests
    }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        cancel = try members.decodeIfPresent([String: JSONValue].self, forKey: .cancel)
        list = try members.decodeIfPresent([String: JSONValue].self, forKey: .list)
        requests = try members.decodeIfPresent(ServerCapabilitiesTasksRequests.self, forKey: .requests)
        additional = try decoder.additional(to: CodingKeys.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encodeIfPresent(cancel, forKey: .cancel)
        try members.encodeIfPresent(list, forKey: .list)
        try members.encodeIfPresent(requests, forKey: .requests)
        try encoder.encode(additional, besides: CodingKeys.self)
    }
}

/// Specifies which request types can be augmented with tasks.
/// Revision: 2025-11-25.
public struct ServerCapabilitiesTasksRequests: Codable, Hashable, Sendable {
    /// Task support for tool-related requests.
    public var tools: ServerCapabilitiesTasksRequestsTools?

    /// Members that are not above.
    public var additional: [String: JSONValue]

    public init(
        tools: ServerCapabilitiesTasksRequestsTools? = nil,
        additional: [String: JSONValue] = [:]
    ) {
        self.tools = tools
        self.additional = additional
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case tools
    }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        tools = try members.decodeIfPresent(ServerCapabilitiesTasksRequestsTools.self, forKey: .tools)
        additional = try decoder.additional(to: CodingKeys.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encodeIfPresent(tools, forKey: .tools)
        try encoder.encode(additional, besides: CodingKeys.self)
    }
}

/// Task support for tool-related requests.
/// Revision: 2025-11-25.
public struct ServerCapabilitiesTasksRequestsTools: Codable, Hashable, Sendable {
    /// Whether the server supports task-augmented tools/call requests.
    public var call: [String: JSONValue]?

    /// Members that are not above.
    public var additional: [String: JSONValue]

    public init(
        call: [String: JSONValue]? = nil,
        additional: [String: JSONValue] = [:]
    ) {
        self.call = call
        self.additional = additional
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case call
    }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        call = try members.decodeIfPresent([String: JSONValue].self, forKey: .call)
        additional = try decoder.additional(to: CodingKeys.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encodeIfPresent(call, forKey: .call)
        try encoder.encode(additional, besides: CodingKeys.self)
    }
}

/// Present if the server offers any tools to call.
/// Revisions: all.
public struct ServerCapabilitiesTools: Codable, Hashable, Sendable {
    /// Whether this server supports notifications for changes to the tool list.
    public var listChanged: Bool?

    /// Members that are not above.
    public var additional: [String: JSONValue]

    public init(
        listChanged: Bool? = nil,
        additional: [String: JSONValue] = [:]
    ) {
        self.listChanged = listChanged
        self.additional = additional
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case listChanged
    }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        listChanged = try members.decodeIfPresent(Bool.self, forKey: .listChanged)
        additional = try decoder.additional(to: CodingKeys.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encodeIfPresent(listChanged, forKey: .listChanged)
        try encoder.encode(additional, besides: CodingKeys.self)
    }
}

/// Parameters for a `logging/setLevel` request.
/// Revisions: 2024-11-05 to 2025-11-25.
///
/// Deprecated: 2026-07-28 deprecates sampling, roots and log messages (SEP-2577). They work in every revision that
/// has them.
public struct SetLevelRequestParams: Codable, Hashable, Sendable {
    /// The level of logging that the client wants to receive from the server. The server should send all logs at
    /// this level and higher (i.e., more severe) to the client as notifications/message.
    public var level: LoggingLevel

    /// Metadata of the protocol, of extensions and of applications.
    public var meta: [String: JSONValue]?

    /// Members that are not above.
    public var additional: [String: JSONValue]

    public init(
        level: LoggingLevel,
        meta: [String: JSONValue]? = nil,
        additional: [String: JSONValue] = [:]
    ) {
        self.level = level
        self.meta = meta
        self.additional = additional
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case level
        case meta = "_meta"
    }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        level = try members.decode(LoggingLevel.self, forKey: .level)
        meta = try members.decodeIfPresent([String: JSONValue].self, forKey: .meta)
        additional = try decoder.additional(to: CodingKeys.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(level, forKey: .level)
        try members.encodeIfPresent(meta, forKey: .meta)
        try encoder.encode(additional, besides: CodingKeys.self)
    }
}

/// Revisions: from 2025-11-25 on.
public struct SingleSelectEnumSchema: Codable, Hashable, Sendable {
    public var type: String

    /// Optional default value.
    public var `default`: String?

    /// Optional description for the enum field.
    public var description: String?

    /// Array of enum values to choose from.
    public var `enum`: [String]?

    /// Optional title for the enum field.
    public var title: String?

    /// Array of enum options with values and display labels.
    public var oneOf: [EnumOption]?

    /// Members that are not above.
    public var additional: [String: JSONValue]

    public init(
        type: String,
        `default`: String? = nil,
        description: String? = nil,
        `enum`: [String]? = nil,
        title: String? = nil,
        oneOf: [EnumOption]? = nil,
        additional: [String: JSONValue] = [:]
    ) {
        self.type = type
        self.`default` = `default`
        self.description = description
        self.`enum` = `enum`
        self.title = title
        self.oneOf = oneOf
        self.additional = additional
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case type
        case `default`
        case description
        case `enum`
        case title
        case oneOf
    }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        type = try members.decode(String.self, forKey: .type)
        `default` = try members.decodeIfPresent(String.self, forKey: .`default`)
        description = try members.decodeIfPresent(String.self, forKey: .description)
        `enum` = try members.decodeIfPresent([String].self, forKey: .`enum`)
        title = try members.decodeIfPresent(String.self, forKey: .title)
        oneOf = try members.decodeIfPresent([EnumOption].self, forKey: .oneOf)
        additional = try decoder.additional(to: CodingKeys.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(type, forKey: .type)
        try members.encodeIfPresent(`default`, forKey: .`default`)
        try members.encodeIfPresent(description, forKey: .description)
        try members.encodeIfPresent(`enum`, forKey: .`enum`)
        try members.encodeIfPresent(title, forKey: .title)
        try members.encodeIfPresent(oneOf, forKey: .oneOf)
        try encoder.encode(additional, besides: CodingKeys.self)
    }
}

/// Revisions: from 2025-06-18 on.
public struct StringSchema: Codable, Hashable, Sendable {
    public var `default`: String?

    public var description: String?

    public var format: Format?

    public var maxLength: Int?

    public var minLength: Int?

    public var title: String?

    /// Members that are not above.
    public var additional: [String: JSONValue]

    public init(
        `default`: String? = nil,
        description: String? = nil,
        format: Format? = nil,
        maxLength: Int? = nil,
        minLength: Int? = nil,
        title: String? = nil,
        additional: [String: JSONValue] = [:]
    ) {
        self.`default` = `default`
        self.description = description
        self.format = format
        self.maxLength = maxLength
        self.minLength = minLength
        self.title = title
        self.additional = additional
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case type
        case `default`
        case description
        case format
        case maxLength
        case minLength
        case title
    }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        `default` = try members.decodeIfPresent(String.self, forKey: .`default`)
        description = try members.decodeIfPresent(String.self, forKey: .description)
        format = try members.decodeIfPresent(Format.self, forKey: .format)
        maxLength = try members.decodeIfPresent(Int.self, forKey: .maxLength)
        minLength = try members.decodeIfPresent(Int.self, forKey: .minLength)
        title = try members.decodeIfPresent(String.self, forKey: .title)
        additional = try decoder.additional(to: CodingKeys.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode("string", forKey: .type)
        try members.encodeIfPresent(`default`, forKey: .`default`)
        try members.encodeIfPresent(description, forKey: .description)
        try members.encodeIfPresent(format, forKey: .format)
        try members.encodeIfPresent(maxLength, forKey: .maxLength)
        try members.encodeIfPresent(minLength, forKey: .minLength)
        try members.encodeIfPresent(title, forKey: .title)
        try encoder.encode(additional, besides: CodingKeys.self)
    }

    /// The values of `format`.
    public struct Format: OpenEnum {
        public let rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }

        public static let date = Format(rawValue: "date")
        public static let dateTime = Format(rawValue: "date-time")
        public static let email = Format(rawValue: "email")
        public static let uri = Format(rawValue: "uri")
    }
}

/// Parameters for a `resources/subscribe` request.
/// Revisions: 2024-11-05 to 2025-11-25.
public struct SubscribeRequestParams: Codable, Hashable, Sendable {
    /// The URI of the resource. The URI can use any protocol; it is up to the server how to interpret it.
    public var uri: String

    /// Metadata of the protocol, of extensions and of applications.
    public var meta: [String: JSONValue]?

    /// Members that are not above.
    public var additional: [String: JSONValue]

    public init(
        uri: String,
        meta: [String: JSONValue]? = nil,
        additional: [String: JSONValue] = [:]
    ) {
        self.uri = uri
        self.meta = meta
        self.additional = additional
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case uri
        case meta = "_meta"
    }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        uri = try members.decode(String.self, forKey: .uri)
        meta = try members.decodeIfPresent([String: JSONValue].self, forKey: .meta)
        additional = try decoder.additional(to: CodingKeys.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(uri, forKey: .uri)
        try members.encodeIfPresent(meta, forKey: .meta)
        try encoder.encode(additional, besides: CodingKeys.self)
    }
}

/// The set of notification types a client may opt in to on a subscriptions/listen request.
/// Revision: 2026-07-28.
public struct SubscriptionFilter: Codable, Hashable, Sendable {
    /// If true, receive notifications/prompts/list_changed.
    public var promptsListChanged: Bool?

    /// Subscribe to notifications/resources/updated for these resource URIs. Replaces the former
    /// `resources/subscribe` RPC.
    public var resourceSubscriptions: [String]?

    /// If true, receive notifications/resources/list_changed.
    public var resourcesListChanged: Bool?

    /// If true, receive notifications/tools/list_changed.
    public var toolsListChanged: Bool?

    /// Members that are not above.
    public var additional: [String: JSONValue]

    public init(
        promptsListChanged: Bool? = nil,
        resourceSubscriptions: [String]? = nil,
        resourcesListChanged: Bool? = nil,
        toolsListChanged: Bool? = nil,
        additional: [String: JSONValue] = [:]
    ) {
        self.promptsListChanged = promptsListChanged
        self.resourceSubscriptions = resourceSubscriptions
        self.resourcesListChanged = resourcesListChanged
        self.toolsListChanged = toolsListChanged
        self.additional = additional
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case promptsListChanged
        case resourceSubscriptions
        case resourcesListChanged
        case toolsListChanged
    }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        promptsListChanged = try members.decodeIfPresent(Bool.self, forKey: .promptsListChanged)
        resourceSubscriptions = try members.decodeIfPresent([String].self, forKey: .resourceSubscriptions)
        resourcesListChanged = try members.decodeIfPresent(Bool.self, forKey: .resourcesListChanged)
        toolsListChanged = try members.decodeIfPresent(Bool.self, forKey: .toolsListChanged)
        additional = try decoder.additional(to: CodingKeys.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encodeIfPresent(promptsListChanged, forKey: .promptsListChanged)
        try members.encodeIfPresent(resourceSubscriptions, forKey: .resourceSubscriptions)
        try members.encodeIfPresent(resourcesListChanged, forKey: .resourcesListChanged)
        try members.encodeIfPresent(toolsListChanged, forKey: .toolsListChanged)
        try encoder.encode(additional, besides: CodingKeys.self)
    }
}

/// Parameters for a notifications/subscriptions/acknowledged notification.
/// Revision: 2026-07-28.
public struct SubscriptionsAcknowledgedNotificationParams: Codable, Hashable, Sendable {
    /// The subset of requested notification types the server agreed to honor. Only includes notification types the
    /// server actually supports; if the client requested an unsupported type (e.g., `promptsListChanged` when the
    /// server has no prompts), it is omitted from this set.
    public var notifications: SubscriptionFilter

    /// Metadata of the protocol, of extensions and of applications.
    public var meta: [String: JSONValue]?

    /// Members that are not above.
    public var additional: [String: JSONValue]

    public init(
        notifications: SubscriptionFilter,
        meta: [String: JSONValue]? = nil,
        additional: [String: JSONValue] = [:]
    ) {
        self.notifications = notifications
        self.meta = meta
        self.additional = additional
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case notifications
        case meta = "_meta"
    }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        notifications = try members.decode(SubscriptionFilter.self, forKey: .notifications)
        meta = try members.decodeIfPresent([String: JSONValue].self, forKey: .meta)
        additional = try decoder.additional(to: CodingKeys.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(notifications, forKey: .notifications)
        try members.encodeIfPresent(meta, forKey: .meta)
        try encoder.encode(additional, besides: CodingKeys.self)
    }
}

/// Parameters for a subscriptions/listen request.
/// Revision: 2026-07-28.
public struct SubscriptionsListenRequestParams: Codable, Hashable, Sendable {
    /// The notifications the client opts in to on this stream. The server **MUST NOT** send notification types the
    /// client has not explicitly requested.
    public var notifications: SubscriptionFilter

    /// Metadata of the protocol, of extensions and of applications.
    public var meta: [String: JSONValue]?

    /// Members that are not above.
    public var additional: [String: JSONValue]

    public init(
        notifications: SubscriptionFilter,
        meta: [String: JSONValue]? = nil,
        additional: [String: JSONValue] = [:]
    ) {
        self.notifications = notifications
        self.meta = meta
        self.additional = additional
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case notifications
        case meta = "_meta"
    }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        notifications = try members.decode(SubscriptionFilter.self, forKey: .notifications)
        meta = try members.decodeIfPresent([String: JSONValue].self, forKey: .meta)
        additional = try decoder.additional(to: CodingKeys.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(notifications, forKey: .notifications)
        try members.encodeIfPresent(meta, forKey: .meta)
        try encoder.encode(additional, besides: CodingKeys.self)
    }
}

/// The response to a subscriptions/listen request, signalling that the subscription has ended gracefully (for
/// example, during server shutdown). Because the listen stream is long-lived, this result is sent only when the
/// server tears the subscription down; an abrupt transport close carries no response. The result body is otherwise
/// empty.
/// Revision: 2026-07-28.
public struct SubscriptionsListenResult: Codable, Hashable, Sendable {
    /// Indicates the type of the result, which allows the client to determine how to parse the result object.
    public var resultType: String

    /// Metadata of the protocol, of extensions and of applications.
    public var meta: [String: JSONValue]?

    /// Members that are not above.
    public var additional: [String: JSONValue]

    public init(
        resultType: String,
        meta: [String: JSONValue]? = nil,
        additional: [String: JSONValue] = [:]
    ) {
        self.resultType = resultType
        self.meta = meta
        self.additional = additional
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case resultType
        case meta = "_meta"
    }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        resultType = try members.decode(String.self, forKey: .resultType)
        meta = try members.decodeIfPresent([String: JSONValue].self, forKey: .meta)
        additional = try decoder.additional(to: CodingKeys.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(resultType, forKey: .resultType)
        try members.encodeIfPresent(meta, forKey: .meta)
        try encoder.encode(additional, besides: CodingKeys.self)
    }
}

/// Data associated with a task.
/// Revision: 2025-11-25.
public struct LegacyTask: Codable, Hashable, Sendable {
    /// ISO 8601 timestamp when the task was created.
    public var createdAt: String

    /// ISO 8601 timestamp when the task was last updated.
    public var lastUpdatedAt: String

    /// Current task state.
    public var status: TaskStatus

    /// The task identifier.
    public var taskId: String

    /// Actual retention duration from creation in milliseconds, null for unlimited.
    public var ttl: Int?

    /// Suggested polling interval in milliseconds.
    public var pollInterval: Int?

    /// Optional human-readable message describing the current task state. This can provide context for any status,
    /// including: - Reasons for "cancelled" status - Summaries for "completed" status - Diagnostic information for
    /// "failed" status (e.g., error details, what went wrong)
    public var statusMessage: String?

    /// Members that are not above.
    public var additional: [String: JSONValue]

    public init(
        createdAt: String,
        lastUpdatedAt: String,
        status: TaskStatus,
        taskId: String,
        ttl: Int?,
        pollInterval: Int? = nil,
        statusMessage: String? = nil,
        additional: [String: JSONValue] = [:]
    ) {
        self.createdAt = createdAt
        self.lastUpdatedAt = lastUpdatedAt
        self.status = status
        self.taskId = taskId
        self.ttl = ttl
        self.pollInterval = pollInterval
        self.statusMessage = statusMessage
        self.additional = additional
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case createdAt
        case lastUpdatedAt
        case status
        case taskId
        case ttl
        case pollInterval
        case statusMessage
    }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        createdAt = try members.decode(String.self, forKey: .createdAt)
        lastUpdatedAt = try members.decode(String.self, forKey: .lastUpdatedAt)
        status = try members.decode(TaskStatus.self, forKey: .status)
        taskId = try members.decode(String.self, forKey: .taskId)
        ttl = try members.decodeIfPresent(Int.self, forKey: .ttl)
        pollInterval = try members.decodeIfPresent(Int.self, forKey: .pollInterval)
        statusMessage = try members.decodeIfPresent(String.self, forKey: .statusMessage)
        additional = try decoder.additional(to: CodingKeys.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(createdAt, forKey: .createdAt)
        try members.encode(lastUpdatedAt, forKey: .lastUpdatedAt)
        try members.encode(status, forKey: .status)
        try members.encode(taskId, forKey: .taskId)
        try members.encode(ttl, forKey: .ttl)
        try members.encodeIfPresent(pollInterval, forKey: .pollInterval)
        try members.encodeIfPresent(statusMessage, forKey: .statusMessage)
        try encoder.encode(additional, besides: CodingKeys.self)
    }
}

/// Metadata for augmenting a request with task execution. Include this in the `task` field of the request
/// parameters.
/// Revision: 2025-11-25.
public struct TaskMetadata: Codable, Hashable, Sendable {
    /// Requested duration in milliseconds to retain task from creation.
    public var ttl: Int?

    /// Members that are not above.
    public var additional: [String: JSONValue]

    public init(
        ttl: Int? = nil,
        additional: [String: JSONValue] = [:]
    ) {
        self.ttl = ttl
        self.additional = additional
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case ttl
    }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        ttl = try members.decodeIfPresent(Int.self, forKey: .ttl)
        additional = try decoder.additional(to: CodingKeys.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encodeIfPresent(ttl, forKey: .ttl)
        try encoder.encode(additional, besides: CodingKeys.self)
    }
}

/// The status of a task.
/// Revision: 2025-11-25.
public struct TaskStatus: OpenEnum {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public static let cancelled = TaskStatus(rawValue: "cancelled")
    public static let completed = TaskStatus(rawValue: "completed")
    public static let failed = TaskStatus(rawValue: "failed")
    public static let inputRequired = TaskStatus(rawValue: "input_required")
    public static let working = TaskStatus(rawValue: "working")
}

/// Parameters for a `notifications/tasks/status` notification.
/// Revision: 2025-11-25.
public struct TaskStatusNotificationParams: Codable, Hashable, Sendable {
    /// ISO 8601 timestamp when the task was created.
    public var createdAt: String

    /// ISO 8601 timestamp when the task was last updated.
    public var lastUpdatedAt: String

    /// Current task state.
    public var status: TaskStatus

    /// The task identifier.
    public var taskId: String

    /// Actual retention duration from creation in milliseconds, null for unlimited.
    public var ttl: Int?

    /// Metadata of the protocol, of extensions and of applications.
    public var meta: [String: JSONValue]?

    /// Suggested polling interval in milliseconds.
    public var pollInterval: Int?

    /// Optional human-readable message describing the current task state. This can provide context for any status,
    /// including: - Reasons for "cancelled" status - Summaries for "completed" status - Diagnostic information for
    /// "failed" status (e.g., error details, what went wrong)
    public var statusMessage: String?

    /// Members that are not above.
    public var additional: [String: JSONValue]

    public init(
        createdAt: String,
        lastUpdatedAt: String,
        status: TaskStatus,
        taskId: String,
        ttl: Int?,
        meta: [String: JSONValue]? = nil,
        pollInterval: Int? = nil,
        statusMessage: String? = nil,
        additional: [String: JSONValue] = [:]
    ) {
        self.createdAt = createdAt
        self.lastUpdatedAt = lastUpdatedAt
        self.status = status
        self.taskId = taskId
        self.ttl = ttl
        self.meta = meta
        self.pollInterval = pollInterval
        self.statusMessage = statusMessage
        self.additional = additional
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case createdAt
        case lastUpdatedAt
        case status
        case taskId
        case ttl
        case meta = "_meta"
        case pollInterval
        case statusMessage
    }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        createdAt = try members.decode(String.self, forKey: .createdAt)
        lastUpdatedAt = try members.decode(String.self, forKey: .lastUpdatedAt)
        status = try members.decode(TaskStatus.self, forKey: .status)
        taskId = try members.decode(String.self, forKey: .taskId)
        ttl = try members.decodeIfPresent(Int.self, forKey: .ttl)
        meta = try members.decodeIfPresent([String: JSONValue].self, forKey: .meta)
        pollInterval = try members.decodeIfPresent(Int.self, forKey: .pollInterval)
        statusMessage = try members.decodeIfPresent(String.self, forKey: .statusMessage)
        additional = try decoder.additional(to: CodingKeys.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(createdAt, forKey: .createdAt)
        try members.encode(lastUpdatedAt, forKey: .lastUpdatedAt)
        try members.encode(status, forKey: .status)
        try members.encode(taskId, forKey: .taskId)
        try members.encode(ttl, forKey: .ttl)
        try members.encodeIfPresent(meta, forKey: .meta)
        try members.encodeIfPresent(pollInterval, forKey: .pollInterval)
        try members.encodeIfPresent(statusMessage, forKey: .statusMessage)
        try encoder.encode(additional, besides: CodingKeys.self)
    }
}

/// Text provided to or from an LLM.
/// Revisions: all.
public struct TextContent: Codable, Hashable, Sendable {
    /// The text content of the message.
    public var text: String

    /// Metadata of the protocol, of extensions and of applications.
    public var meta: [String: JSONValue]?

    /// Optional annotations for the client.
    public var annotations: Annotations?

    /// Members that are not above.
    public var additional: [String: JSONValue]

    public init(
        text: String,
        meta: [String: JSONValue]? = nil,
        annotations: Annotations? = nil,
        additional: [String: JSONValue] = [:]
    ) {
        self.text = text
        self.meta = meta
        self.annotations = annotations
        self.additional = additional
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case type
        case text
        case meta = "_meta"
        case annotations
    }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        text = try members.decode(String.self, forKey: .text)
        meta = try members.decodeIfPresent([String: JSONValue].self, forKey: .meta)
        annotations = try members.decodeIfPresent(Annotations.self, forKey: .annotations)
        additional = try decoder.additional(to: CodingKeys.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode("text", forKey: .type)
        try members.encode(text, forKey: .text)
        try members.encodeIfPresent(meta, forKey: .meta)
        try members.encodeIfPresent(annotations, forKey: .annotations)
        try encoder.encode(additional, besides: CodingKeys.self)
    }
}

/// Revisions: all.
public struct TextResourceContents: Codable, Hashable, Sendable {
    /// The text of the item. This must only be set if the item can actually be represented as text (not binary
    /// data).
    public var text: String

    /// The URI of this resource.
    public var uri: String

    /// Metadata of the protocol, of extensions and of applications.
    public var meta: [String: JSONValue]?

    /// The MIME type of this resource, if known.
    public var mimeType: String?

    /// Members that are not above.
    public var additional: [String: JSONValue]

    public init(
        text: String,
        uri: String,
        meta: [String: JSONValue]? = nil,
        mimeType: String? = nil,
        additional: [String: JSONValue] = [:]
    ) {
        self.text = text
        self.uri = uri
        self.meta = meta
        self.mimeType = mimeType
        self.additional = additional
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case text
        case uri
        case meta = "_meta"
        case mimeType
    }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        text = try members.decode(String.self, forKey: .text)
        uri = try members.decode(String.self, forKey: .uri)
        meta = try members.decodeIfPresent([String: JSONValue].self, forKey: .meta)
        mimeType = try members.decodeIfPresent(String.self, forKey: .mimeType)
        additional = try decoder.additional(to: CodingKeys.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(text, forKey: .text)
        try members.encode(uri, forKey: .uri)
        try members.encodeIfPresent(meta, forKey: .meta)
        try members.encodeIfPresent(mimeType, forKey: .mimeType)
        try encoder.encode(additional, besides: CodingKeys.self)
    }
}

/// Schema for array items with enum options and display labels.
/// Revisions: from 2025-11-25 on.
public struct TitledEnumItems: Codable, Hashable, Sendable {
    /// Array of enum options with values and display labels.
    public var anyOf: [EnumOption]

    /// Members that are not above.
    public var additional: [String: JSONValue]

    public init(
        anyOf: [EnumOption],
        additional: [String: JSONValue] = [:]
    ) {
        self.anyOf = anyOf
        self.additional = additional
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case anyOf
    }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        anyOf = try members.decodeIfPresent([EnumOption].self, forKey: .anyOf) ?? []
        additional = try decoder.additional(to: CodingKeys.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(anyOf, forKey: .anyOf)
        try encoder.encode(additional, besides: CodingKeys.self)
    }
}

/// Schema for multiple-selection enumeration with display titles for each option.
/// Revisions: from 2025-11-25 on.
public struct TitledMultiSelectEnumSchema: Codable, Hashable, Sendable {
    /// Schema for array items with enum options and display labels.
    public var items: TitledEnumItems

    /// Optional default value.
    public var `default`: [String]?

    /// Optional description for the enum field.
    public var description: String?

    /// Maximum number of items to select.
    public var maxItems: Int?

    /// Minimum number of items to select.
    public var minItems: Int?

    /// Optional title for the enum field.
    public var title: String?

    /// Members that are not above.
    public var additional: [String: JSONValue]

    public init(
        items: TitledEnumItems,
        `default`: [String]? = nil,
        description: String? = nil,
        maxItems: Int? = nil,
        minItems: Int? = nil,
        title: String? = nil,
        additional: [String: JSONValue] = [:]
    ) {
        self.items = items
        self.`default` = `default`
        self.description = description
        self.maxItems = maxItems
        self.minItems = minItems
        self.title = title
        self.additional = additional
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case type
        case items
        case `default`
        case description
        case maxItems
        case minItems
        case title
    }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        items = try members.decode(TitledEnumItems.self, forKey: .items)
        `default` = try members.decodeIfPresent([String].self, forKey: .`default`)
        description = try members.decodeIfPresent(String.self, forKey: .description)
        maxItems = try members.decodeIfPresent(Int.self, forKey: .maxItems)
        minItems = try members.decodeIfPresent(Int.self, forKey: .minItems)
        title = try members.decodeIfPresent(String.self, forKey: .title)
        additional = try decoder.additional(to: CodingKeys.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode("array", forKey: .type)
        try members.encode(items, forKey: .items)
        try members.encodeIfPresent(`default`, forKey: .`default`)
        try members.encodeIfPresent(description, forKey: .description)
        try members.encodeIfPresent(maxItems, forKey: .maxItems)
        try members.encodeIfPresent(minItems, forKey: .minItems)
        try members.encodeIfPresent(title, forKey: .title)
        try encoder.encode(additional, besides: CodingKeys.self)
    }
}

/// Schema for single-selection enumeration with display titles for each option.
/// Revisions: from 2025-11-25 on.
public struct TitledSingleSelectEnumSchema: Codable, Hashable, Sendable {
    /// Array of enum options with values and display labels.
    public var oneOf: [EnumOption]

    /// Optional default value.
    public var `default`: String?

    /// Optional description for the enum field.
    public var description: String?

    /// Optional title for the enum field.
    public var title: String?

    /// Members that are not above.
    public var additional: [String: JSONValue]

    public init(
        oneOf: [EnumOption],
        `default`: String? = nil,
        description: String? = nil,
        title: String? = nil,
        additional: [String: JSONValue] = [:]
    ) {
        self.oneOf = oneOf
        self.`default` = `default`
        self.description = description
        self.title = title
        self.additional = additional
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case type
        case oneOf
        case `default`
        case description
        case title
    }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        oneOf = try members.decodeIfPresent([EnumOption].self, forKey: .oneOf) ?? []
        `default` = try members.decodeIfPresent(String.self, forKey: .`default`)
        description = try members.decodeIfPresent(String.self, forKey: .description)
        title = try members.decodeIfPresent(String.self, forKey: .title)
        additional = try decoder.additional(to: CodingKeys.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode("string", forKey: .type)
        try members.encode(oneOf, forKey: .oneOf)
        try members.encodeIfPresent(`default`, forKey: .`default`)
        try members.encodeIfPresent(description, forKey: .description)
        try members.encodeIfPresent(title, forKey: .title)
        try encoder.encode(additional, besides: CodingKeys.self)
    }
}

/// Definition for a tool the client can call.
/// Revisions: all.
public struct Tool: Codable, Hashable, Sendable {
    /// A JSON Schema object defining the expected parameters for the tool.
    public var inputSchema: [String: JSONValue]

    /// Intended for programmatic or logical use, but used as a display name in past specs or fallback (if title
    /// isn't present).
    public var name: String

    /// Metadata of the protocol, of extensions and of applications.
    public var meta: [String: JSONValue]?

    /// Optional additional tool information.
    public var annotations: ToolAnnotations?

    /// A human-readable description of the tool.
    public var description: String?

    /// Execution-related properties for this tool.
    public var execution: ToolExecution?

    /// Optional set of sized icons that the client can display in a user interface.
    public var icons: [Icon]?

    /// An optional JSON Schema object defining the structure of the tool's output returned in the structuredContent
    /// field of a CallToolResult. This can be any valid JSON Schema 2020-12.
    public var outputSchema: [String: JSONValue]?

    /// Intended for UI and end-user contexts — optimized to be human-readable and easily understood, even by those
    /// unfamiliar with domain-specific terminology.
    public var title: String?

    /// Members that are not above.
    public var additional: [String: JSONValue]

    public init(
        inputSchema: [String: JSONValue],
        name: String,
        meta: [String: JSONValue]? = nil,
        annotations: ToolAnnotations? = nil,
        description: String? = nil,
        execution: ToolExecution? = nil,
        icons: [Icon]? = nil,
        outputSchema: [String: JSONValue]? = nil,
        title: String? = nil,
        additional: [String: JSONValue] = [:]
    ) {
        self.inputSchema = inputSchema
        self.name = name
        self.meta = meta
        self.annotations = annotations
        self.description = description
        self.execution = execution
        self.icons = icons
        self.outputSchema = outputSchema
        self.title = title
        self.additional = additional
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case inputSchema
        case name
        case meta = "_meta"
        case annotations
        case description
        case execution
        case icons
        case outputSchema
        case title
    }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        inputSchema = try members.decodeIfPresent([String: JSONValue].self, forKey: .inputSchema) ?? [:]
        name = try members.decode(String.self, forKey: .name)
        meta = try members.decodeIfPresent([String: JSONValue].self, forKey: .meta)
        annotations = try members.decodeIfPresent(ToolAnnotations.self, forKey: .annotations)
        description = try members.decodeIfPresent(String.self, forKey: .description)
        execution = try members.decodeIfPresent(ToolExecution.self, forKey: .execution)
        icons = try members.decodeIfPresent([Icon].self, forKey: .icons)
        outputSchema = try members.decodeIfPresent([String: JSONValue].self, forKey: .outputSchema)
        title = try members.decodeIfPresent(String.self, forKey: .title)
        additional = try decoder.additional(to: CodingKeys.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(inputSchema, forKey: .inputSchema)
        try members.encode(name, forKey: .name)
        try members.encodeIfPresent(meta, forKey: .meta)
        try members.encodeIfPresent(annotations, forKey: .annotations)
        try members.encodeIfPresent(description, forKey: .description)
        try members.encodeIfPresent(execution, forKey: .execution)
        try members.encodeIfPresent(icons, forKey: .icons)
        try members.encodeIfPresent(outputSchema, forKey: .outputSchema)
        try members.encodeIfPresent(title, forKey: .title)
        try encoder.encode(additional, besides: CodingKeys.self)
    }
}

/// Additional properties describing a Tool to clients.
/// Revisions: from 2025-03-26 on.
public struct ToolAnnotations: Codable, Hashable, Sendable {
    /// If true, the tool may perform destructive updates to its environment. If false, the tool performs only
    /// additive updates.
    public var destructiveHint: Bool?

    /// If true, calling the tool repeatedly with the same arguments will have no additional effect on its
    /// environment.
    public var idempotentHint: Bool?

    /// If true, this tool may interact with an "open world" of external entities. If false, the tool's domain of
    /// interaction is closed. For example, the world of a web search tool is open, whereas that of a memory tool is
    /// not.
    public var openWorldHint: Bool?

    /// If true, the tool does not modify its environment.
    public var readOnlyHint: Bool?

    /// A human-readable title for the tool.
    public var title: String?

    /// Members that are not above.
    public var additional: [String: JSONValue]

    public init(
        destructiveHint: Bool? = nil,
        idempotentHint: Bool? = nil,
        openWorldHint: Bool? = nil,
        readOnlyHint: Bool? = nil,
        title: String? = nil,
        additional: [String: JSONValue] = [:]
    ) {
        self.destructiveHint = destructiveHint
        self.idempotentHint = idempotentHint
        self.openWorldHint = openWorldHint
        self.readOnlyHint = readOnlyHint
        self.title = title
        self.additional = additional
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case destructiveHint
        case idempotentHint
        case openWorldHint
        case readOnlyHint
        case title
    }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        destructiveHint = try members.decodeIfPresent(Bool.self, forKey: .destructiveHint)
        idempotentHint = try members.decodeIfPresent(Bool.self, forKey: .idempotentHint)
        openWorldHint = try members.decodeIfPresent(Bool.self, forKey: .openWorldHint)
        readOnlyHint = try members.decodeIfPresent(Bool.self, forKey: .readOnlyHint)
        title = try members.decodeIfPresent(String.self, forKey: .title)
        additional = try decoder.additional(to: CodingKeys.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encodeIfPresent(destructiveHint, forKey: .destructiveHint)
        try members.encodeIfPresent(idempotentHint, forKey: .idempotentHint)
        try members.encodeIfPresent(openWorldHint, forKey: .openWorldHint)
        try members.encodeIfPresent(readOnlyHint, forKey: .readOnlyHint)
        try members.encodeIfPresent(title, forKey: .title)
        try encoder.encode(additional, besides: CodingKeys.self)
    }
}

/// Controls tool selection behavior for sampling requests.
/// Revisions: from 2025-11-25 on.
public struct ToolChoice: Codable, Hashable, Sendable {
    /// Controls the tool use ability of the model: - `"auto"`: Model decides whether to use tools (default) -
    /// `"required"`: Model MUST use at least one tool before completing - `"none"`: Model MUST NOT use any tools
    public var mode: Mode?

    /// Members that are not above.
    public var additional: [String: JSONValue]

    public init(
        mode: Mode? = nil,
        additional: [String: JSONValue] = [:]
    ) {
        self.mode = mode
        self.additional = additional
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case mode
    }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        mode = try members.decodeIfPresent(Mode.self, forKey: .mode)
        additional = try decoder.additional(to: CodingKeys.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encodeIfPresent(mode, forKey: .mode)
        try encoder.encode(additional, besides: CodingKeys.self)
    }

    /// The values of `mode`.
    public struct Mode: OpenEnum {
        public let rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }

        public static let auto = Mode(rawValue: "auto")
        public static let none = Mode(rawValue: "none")
        public static let required = Mode(rawValue: "required")
    }
}

/// Execution-related properties for a tool.
/// Revision: 2025-11-25.
public struct ToolExecution: Codable, Hashable, Sendable {
    /// Indicates whether this tool supports task-augmented execution. This allows clients to handle long-running
    /// operations through polling the task system.
    public var taskSupport: TaskSupport?

    /// Members that are not above.
    public var additional: [String: JSONValue]

    public init(
        taskSupport: TaskSupport? = nil,
        additional: [String: JSONValue] = [:]
    ) {
        self.taskSupport = taskSupport
        self.additional = additional
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case taskSupport
    }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        taskSupport = try members.decodeIfPresent(TaskSupport.self, forKey: .taskSupport)
        additional = try decoder.additional(to: CodingKeys.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encodeIfPresent(taskSupport, forKey: .taskSupport)
        try encoder.encode(additional, besides: CodingKeys.self)
    }

    /// The values of `taskSupport`.
    public struct TaskSupport: OpenEnum {
        public let rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }

        public static let forbidden = TaskSupport(rawValue: "forbidden")
        public static let optional = TaskSupport(rawValue: "optional")
        public static let required = TaskSupport(rawValue: "required")
    }
}

/// The result of a tool use, provided by the user back to the assistant.
/// Revisions: from 2025-11-25 on.
public struct ToolResultContent: Codable, Hashable, Sendable {
    /// The unstructured result content of the tool use.
    public var content: [ContentBlock]

    /// The ID of the tool use this result corresponds to.
    public var toolUseId: String

    /// Metadata of the protocol, of extensions and of applications.
    public var meta: [String: JSONValue]?

    /// Whether the tool use resulted in an error.
    public var isError: Bool?

    /// An optional structured result value.
    public var structuredContent: JSONValue?

    /// Members that are not above.
    public var additional: [String: JSONValue]

    public init(
        content: [ContentBlock],
        toolUseId: String,
        meta: [String: JSONValue]? = nil,
        isError: Bool? = nil,
        structuredContent: JSONValue? = nil,
        additional: [String: JSONValue] = [:]
    ) {
        self.content = content
        self.toolUseId = toolUseId
        self.meta = meta
        self.isError = isError
        self.structuredContent = structuredContent
        self.additional = additional
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case type
        case content
        case toolUseId
        case meta = "_meta"
        case isError
        case structuredContent
    }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        content = try members.decodeIfPresent([ContentBlock].self, forKey: .content) ?? []
        toolUseId = try members.decode(String.self, forKey: .toolUseId)
        meta = try members.decodeIfPresent([String: JSONValue].self, forKey: .meta)
        isError = try members.decodeIfPresent(Bool.self, forKey: .isError)
        structuredContent = try members.decodeIfPresent(JSONValue.self, forKey: .structuredContent)
        additional = try decoder.additional(to: CodingKeys.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode("tool_result", forKey: .type)
        try members.encode(content, forKey: .content)
        try members.encode(toolUseId, forKey: .toolUseId)
        try members.encodeIfPresent(meta, forKey: .meta)
        try members.encodeIfPresent(isError, forKey: .isError)
        try members.encodeIfPresent(structuredContent, forKey: .structuredContent)
        try encoder.encode(additional, besides: CodingKeys.self)
    }
}

/// A request from the assistant to call a tool.
/// Revisions: from 2025-11-25 on.
public struct ToolUseContent: Codable, Hashable, Sendable {
    /// A unique identifier for this tool use.
    public var id: String

    /// The arguments to pass to the tool, conforming to the tool's input schema.
    public var input: [String: JSONValue]

    /// The name of the tool to call.
    public var name: String

    /// Metadata of the protocol, of extensions and of applications.
    public var meta: [String: JSONValue]?

    /// Members that are not above.
    public var additional: [String: JSONValue]

    public init(
        id: String,
        input: [String: JSONValue],
        name: String,
        meta: [String: JSONValue]? = nil,
        additional: [String: JSONValue] = [:]
    ) {
        self.id = id
        self.input = input
        self.name = name
        self.meta = meta
        self.additional = additional
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case type
        case id
        case input
        case name
        case meta = "_meta"
    }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        id = try members.decode(String.self, forKey: .id)
        input = try members.decodeIfPresent([String: JSONValue].self, forKey: .input) ?? [:]
        name = try members.decode(String.self, forKey: .name)
        meta = try members.decodeIfPresent([String: JSONValue].self, forKey: .meta)
        additional = try decoder.additional(to: CodingKeys.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode("tool_use", forKey: .type)
        try members.encode(id, forKey: .id)
        try members.encode(input, forKey: .input)
        try members.encode(name, forKey: .name)
        try members.encodeIfPresent(meta, forKey: .meta)
        try encoder.encode(additional, besides: CodingKeys.self)
    }
}

/// Revision: 2025-11-25.
public struct URLElicitationRequiredErrorData: Codable, Hashable, Sendable {
    public var elicitations: [ElicitRequestURLParams]

    /// Members that are not above.
    public var additional: [String: JSONValue]

    public init(
        elicitations: [ElicitRequestURLParams],
        additional: [String: JSONValue] = [:]
    ) {
        self.elicitations = elicitations
        self.additional = additional
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case elicitations
    }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        elicitations = try members.decodeIfPresent([ElicitRequestURLParams].self, forKey: .elicitations) ?? []
        additional = try decoder.additional(to: CodingKeys.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(elicitations, forKey: .elicitations)
        try encoder.encode(additional, besides: CodingKeys.self)
    }
}

/// Parameters for a `resources/unsubscribe` request.
/// Revisions: 2024-11-05 to 2025-11-25.
public struct UnsubscribeRequestParams: Codable, Hashable, Sendable {
    /// The URI of the resource. The URI can use any protocol; it is up to the server how to interpret it.
    public var uri: String

    /// Metadata of the protocol, of extensions and of applications.
    public var meta: [String: JSONValue]?

    /// Members that are not above.
    public var additional: [String: JSONValue]

    public init(
        uri: String,
        meta: [String: JSONValue]? = nil,
        additional: [String: JSONValue] = [:]
    ) {
        self.uri = uri
        self.meta = meta
        self.additional = additional
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case uri
        case meta = "_meta"
    }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        uri = try members.decode(String.self, forKey: .uri)
        meta = try members.decodeIfPresent([String: JSONValue].self, forKey: .meta)
        additional = try decoder.additional(to: CodingKeys.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(uri, forKey: .uri)
        try members.encodeIfPresent(meta, forKey: .meta)
        try encoder.encode(additional, besides: CodingKeys.self)
    }
}

/// Revision: 2026-07-28.
public struct UnsupportedProtocolVersionErrorData: Codable, Hashable, Sendable {
    /// The protocol version that was requested by the client.
    public var requested: String

    /// Protocol versions the server supports. The client should choose a mutually supported version from this list
    /// and retry.
    public var supported: [String]

    /// Members that are not above.
    public var additional: [String: JSONValue]

    public init(
        requested: String,
        supported: [String],
        additional: [String: JSONValue] = [:]
    ) {
        self.requested = requested
        self.supported = supported
        self.additional = additional
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case requested
        case supported
    }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        requested = try members.decode(String.self, forKey: .requested)
        supported = try members.decodeIfPresent([String].self, forKey: .supported) ?? []
        additional = try decoder.additional(to: CodingKeys.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(requested, forKey: .requested)
        try members.encode(supported, forKey: .supported)
        try encoder.encode(additional, besides: CodingKeys.self)
    }
}

/// Schema for the array items.
/// Revisions: from 2025-11-25 on.
public struct UntitledEnumItems: Codable, Hashable, Sendable {
    /// Array of enum values to choose from.
    public var `enum`: [String]

    /// Members that are not above.
    public var additional: [String: JSONValue]

    public init(
        `enum`: [String],
        additional: [String: JSONValue] = [:]
    ) {
        self.`enum` = `enum`
        self.additional = additional
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case type
        case `enum`
    }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        `enum` = try members.decodeIfPresent([String].self, forKey: .`enum`) ?? []
        additional = try decoder.additional(to: CodingKeys.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode("string", forKey: .type)
        try members.encode(`enum`, forKey: .`enum`)
        try encoder.encode(additional, besides: CodingKeys.self)
    }
}

/// Schema for multiple-selection enumeration without display titles for options.
/// Revisions: from 2025-11-25 on.
public struct UntitledMultiSelectEnumSchema: Codable, Hashable, Sendable {
    /// Schema for the array items.
    public var items: UntitledEnumItems

    /// Optional default value.
    public var `default`: [String]?

    /// Optional description for the enum field.
    public var description: String?

    /// Maximum number of items to select.
    public var maxItems: Int?

    /// Minimum number of items to select.
    public var minItems: Int?

    /// Optional title for the enum field.
    public var title: String?

    /// Members that are not above.
    public var additional: [String: JSONValue]

    public init(
        items: UntitledEnumItems,
        `default`: [String]? = nil,
        description: String? = nil,
        maxItems: Int? = nil,
        minItems: Int? = nil,
        title: String? = nil,
        additional: [String: JSONValue] = [:]
    ) {
        self.items = items
        self.`default` = `default`
        self.description = description
        self.maxItems = maxItems
        self.minItems = minItems
        self.title = title
        self.additional = additional
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case type
        case items
        case `default`
        case description
        case maxItems
        case minItems
        case title
    }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        items = try members.decode(UntitledEnumItems.self, forKey: .items)
        `default` = try members.decodeIfPresent([String].self, forKey: .`default`)
        description = try members.decodeIfPresent(String.self, forKey: .description)
        maxItems = try members.decodeIfPresent(Int.self, forKey: .maxItems)
        minItems = try members.decodeIfPresent(Int.self, forKey: .minItems)
        title = try members.decodeIfPresent(String.self, forKey: .title)
        additional = try decoder.additional(to: CodingKeys.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode("array", forKey: .type)
        try members.encode(items, forKey: .items)
        try members.encodeIfPresent(`default`, forKey: .`default`)
        try members.encodeIfPresent(description, forKey: .description)
        try members.encodeIfPresent(maxItems, forKey: .maxItems)
        try members.encodeIfPresent(minItems, forKey: .minItems)
        try members.encodeIfPresent(title, forKey: .title)
        try encoder.encode(additional, besides: CodingKeys.self)
    }
}

/// Schema for single-selection enumeration without display titles for options.
/// Revisions: from 2025-11-25 on.
public struct UntitledSingleSelectEnumSchema: Codable, Hashable, Sendable {
    /// Array of enum values to choose from.
    public var `enum`: [String]

    /// Optional default value.
    public var `default`: String?

    /// Optional description for the enum field.
    public var description: String?

    /// Optional title for the enum field.
    public var title: String?

    /// Members that are not above.
    public var additional: [String: JSONValue]

    public init(
        `enum`: [String],
        `default`: String? = nil,
        description: String? = nil,
        title: String? = nil,
        additional: [String: JSONValue] = [:]
    ) {
        self.`enum` = `enum`
        self.`default` = `default`
        self.description = description
        self.title = title
        self.additional = additional
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case type
        case `enum`
        case `default`
        case description
        case title
    }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        `enum` = try members.decodeIfPresent([String].self, forKey: .`enum`) ?? []
        `default` = try members.decodeIfPresent(String.self, forKey: .`default`)
        description = try members.decodeIfPresent(String.self, forKey: .description)
        title = try members.decodeIfPresent(String.self, forKey: .title)
        additional = try decoder.additional(to: CodingKeys.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode("string", forKey: .type)
        try members.encode(`enum`, forKey: .`enum`)
        try members.encodeIfPresent(`default`, forKey: .`default`)
        try members.encodeIfPresent(description, forKey: .description)
        try members.encodeIfPresent(title, forKey: .title)
        try encoder.encode(additional, besides: CodingKeys.self)
    }
}
