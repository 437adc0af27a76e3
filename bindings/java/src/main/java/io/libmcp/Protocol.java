// Written from the official schemas of MCP by `cargo xtask bindings`; do not edit. Their texts are under the MIT licence.

package io.libmcp;

import java.time.Duration;
import java.util.List;
import java.util.Map;

/** The types of the protocol, of all revisions. Each keeps the members that it has no method for. */
public final class Protocol {
    private Protocol() {
    }

    /** The names of methods. */
    public static final class Method {
        private Method() {
        }

        /** The list of tools. */
        public static final String TOOLS_LIST = "tools/list";

        /** The call of a tool. */
        public static final String TOOLS_CALL = "tools/call";

        /** The list of resources. */
        public static final String RESOURCES_LIST = "resources/list";

        /** The list of resource templates. */
        public static final String TEMPLATES_LIST = "resources/templates/list";

        /** The contents of a resource. */
        public static final String RESOURCES_READ = "resources/read";

        /** Legacy on the wire; in the modern era a part of <code>subscriptions/listen</code>. */
        public static final String SUBSCRIBE = "resources/subscribe";

        /** Its end. */
        public static final String UNSUBSCRIBE = "resources/unsubscribe";

        /** The list of prompts. */
        public static final String PROMPTS_LIST = "prompts/list";

        /** One prompt, filled in. */
        public static final String PROMPTS_GET = "prompts/get";

        /** Completion of an argument. */
        public static final String COMPLETE = "completion/complete";

        /** Legacy on the wire; in the modern era a member of each request's <code>_meta</code>. */
        public static final String SET_LEVEL = "logging/setLevel";

        /** The list of skills (extension <code>io.modelcontextprotocol/skills</code>). */
        public static final String SKILLS_LIST = "skills/list";

        /** The entry of one skill. */
        public static final String SKILLS_GET = "skills/get";

        /** The direct children of a directory resource (extension <code>io.modelcontextprotocol/skills</code>). */
        public static final String DIRECTORY_READ = "resources/directory/read";

        /** A task's state. */
        public static final String TASKS_GET = "tasks/get";

        /** Core form of tasks: a task's result, awaited. */
        public static final String TASKS_RESULT = "tasks/result";

        /** Core form of tasks: the tasks there are. Only servers of that form have it, and say so. */
        public static final String TASKS_LIST = "tasks/list";

        /** A task is no longer wanted. */
        public static final String TASKS_CANCEL = "tasks/cancel";

        /** Tasks extension: what the task's server asked for. */
        public static final String TASKS_UPDATE = "tasks/update";

        /** Legacy handshake. */
        public static final String INITIALIZE = "initialize";

        /** Legacy handshake, second half. */
        public static final String INITIALIZED = "notifications/initialized";

        /** Modern discovery, and the probe that tells the era. */
        public static final String DISCOVER = "server/discover";

        /** Legacy liveness request, either way. */
        public static final String PING = "ping";

        /** Either side: the named request's result is no longer wanted. */
        public static final String CANCELLED = "notifications/cancelled";

        /** Modern: a stream of notices. The client opens one for what the application subscribed to. */
        public static final String LISTEN = "subscriptions/listen";

        /** The server reports progress of a request. */
        public static final String PROGRESS = "notifications/progress";

        /** A log message of the server. */
        public static final String LOG = "notifications/message";

        /** The server asks for a model's answer. */
        public static final String SAMPLING = "sampling/createMessage";

        /** The server asks the person. */
        public static final String ELICITATION = "elicitation/create";

        /** The server asks for the roots. */
        public static final String ROOTS = "roots/list";

        /** Legacy: our roots changed. */
        public static final String ROOTS_CHANGED = "notifications/roots/list_changed";

        /** The list of tools changed. */
        public static final String TOOLS_CHANGED = "notifications/tools/list_changed";

        /** The list of resources (or of resource templates) changed. */
        public static final String RESOURCES_CHANGED = "notifications/resources/list_changed";

        /** The list of prompts changed. */
        public static final String PROMPTS_CHANGED = "notifications/prompts/list_changed";

        /** A resource changed. */
        public static final String RESOURCE_UPDATED = "notifications/resources/updated";

        /** 2025-11-25: a page that the server wanted visited is done with. */
        public static final String ELICITATION_COMPLETE = "notifications/elicitation/complete";

        /** Core form of tasks: a task's state. */
        public static final String TASK_STATUS = "notifications/tasks/status";

        /** Tasks extension: a task's state. */
        public static final String TASK_STATUS_OF_EXTENSION = "notifications/tasks";

        /** Modern: the server took up a subscription. */
        public static final String ACKNOWLEDGED = "notifications/subscriptions/acknowledged";
    }

    /** The codes of errors. */
    public static final class ErrorCode {
        private ErrorCode() {
        }

        /** The code of an error. */
        public static final int HEADER_MISMATCH = -32020;

        /** The code of an error. */
        public static final int INTERNAL = -32603;

        /** The code of an error. */
        public static final int INVALID_PARAMS = -32602;

        /** The code of an error. */
        public static final int INVALID_REQUEST = -32600;

        /** The code of an error. */
        public static final int METHOD_NOT_FOUND = -32601;

        /** The code of an error. */
        public static final int MISSING_REQUIRED_CLIENT_CAPABILITY = -32021;

        /** The code of an error. */
        public static final int PARSE = -32700;

        /** The code of an error. */
        public static final int URLELICITATION_REQUIRED = -32042;

        /** The code of an error. */
        public static final int UNSUPPORTED_PROTOCOL_VERSION = -32022;
    }

    /** A variant of a later revision, as it came. */
    public static final class Unknown extends Members<Unknown> implements ContentBlock, InputRequest, Reference, SamplingMessageContentBlock {
        Unknown(JsonValue value) {
            super(value);
        }
    }

    /**
     * Optional annotations for the client. The client can use annotations to inform how objects are used or displayed
     * Revisions: all.
     */
    public static final class Annotations extends Members<Annotations> {
        /** Makes one without members. */
        public Annotations() {
        }

        /**
         * Reads one.
         *
         * @param value an object
         */
        public Annotations(JsonValue value) {
            super(value);
        }

        /**
         * Describes who the intended audience of this object or data is.
         *
         * @return the value; empty if it is absent
         */
        public List<String> audience() {
            return list(get("audience"), JsonValue::asText);
        }

        /** Sets {@code audience}.
         * @param value the new value
         * @return this */
        public Annotations audience(List<String> value) {
            return set("audience", value);
        }

        /** Sets {@code audience}.
         * @param value the new value
         * @return this */
        public Annotations audience(String... value) {
            return set("audience", List.of(value));
        }

        /**
         * The moment the resource was last modified, as an ISO 8601 formatted string.
         *
         * @return the value; null if it is absent
         */
        public String lastModified() {
            return one("lastModified", JsonValue::asText);
        }

        /** Sets {@code lastModified}.
         * @param value the new value
         * @return this */
        public Annotations lastModified(String value) {
            return set("lastModified", value);
        }

        /**
         * Describes how important this data is for operating the server.
         *
         * @return the value; null if it is absent
         */
        public Double priority() {
            return one("priority", JsonValue::asDouble);
        }

        /** Sets {@code priority}.
         * @param value the new value
         * @return this */
        public Annotations priority(double value) {
            return set("priority", value);
        }
    }

    /**
     * Audio provided to or from an LLM.
     * Revisions: from 2025-03-26 on.
     */
    public static final class AudioContent extends Members<AudioContent> implements ContentBlock, SamplingMessageContentBlock {
        /** Makes one that has only what tells its kind. */
        public AudioContent() {
            set("type", "audio");
        }

        /**
         * Reads one.
         *
         * @param value an object
         */
        public AudioContent(JsonValue value) {
            super(value);
        }

        /**
         * Metadata of the protocol, of extensions and of applications.
         *
         * @return the value; {@link JsonValue#ABSENT} if it is missing
         */
        public JsonValue meta() {
            return get("_meta");
        }

        /** Sets {@code _meta}.
         * @param value the new value
         * @return this */
        public AudioContent meta(Object value) {
            return set("_meta", value);
        }

        /**
         * Optional annotations for the client.
         *
         * @return the value; null if it is absent
         */
        public Annotations annotations() {
            return one("annotations", Annotations::new);
        }

        /** Sets {@code annotations}.
         * @param value the new value
         * @return this */
        public AudioContent annotations(Annotations value) {
            return set("annotations", value);
        }

        /**
         * The base64-encoded audio data.
         *
         * @return the value; null if it is absent
         */
        public String data() {
            return one("data", JsonValue::asText);
        }

        /** Sets {@code data}.
         * @param value the new value
         * @return this */
        public AudioContent data(String value) {
            return set("data", value);
        }

        /**
         * The MIME type of the audio. Different providers may support different audio types.
         *
         * @return the value; null if it is absent
         */
        public String mimeType() {
            return one("mimeType", JsonValue::asText);
        }

        /** Sets {@code mimeType}.
         * @param value the new value
         * @return this */
        public AudioContent mimeType(String value) {
            return set("mimeType", value);
        }
    }

    /** Revisions: from 2025-06-18 on. */
    public static final class BooleanSchema extends Members<BooleanSchema> {
        /** Makes one that has only what tells its kind. */
        public BooleanSchema() {
            set("type", "boolean");
        }

        /**
         * Reads one.
         *
         * @param value an object
         */
        public BooleanSchema(JsonValue value) {
            super(value);
        }

        /**
         * The member {@code default}.
         *
         * @return the value; null if it is absent
         */
        public Boolean default_() {
            return one("default", JsonValue::asBoolean);
        }

        /** Sets {@code default}.
         * @param value the new value
         * @return this */
        public BooleanSchema default_(boolean value) {
            return set("default", value);
        }

        /**
         * The member {@code description}.
         *
         * @return the value; null if it is absent
         */
        public String description() {
            return one("description", JsonValue::asText);
        }

        /** Sets {@code description}.
         * @param value the new value
         * @return this */
        public BooleanSchema description(String value) {
            return set("description", value);
        }

        /**
         * The member {@code title}.
         *
         * @return the value; null if it is absent
         */
        public String title() {
            return one("title", JsonValue::asText);
        }

        /** Sets {@code title}.
         * @param value the new value
         * @return this */
        public BooleanSchema title(String value) {
            return set("title", value);
        }
    }

    /**
     * Parameters for a <code>tools/call</code> request.
     * Revisions: all.
     */
    public static final class CallToolRequestParams extends Members<CallToolRequestParams> {
        /** Makes one without members. */
        public CallToolRequestParams() {
        }

        /**
         * Reads one.
         *
         * @param value an object
         */
        public CallToolRequestParams(JsonValue value) {
            super(value);
        }

        /**
         * Metadata of the protocol, of extensions and of applications.
         *
         * @return the value; {@link JsonValue#ABSENT} if it is missing
         */
        public JsonValue meta() {
            return get("_meta");
        }

        /** Sets {@code _meta}.
         * @param value the new value
         * @return this */
        public CallToolRequestParams meta(Object value) {
            return set("_meta", value);
        }

        /**
         * Arguments to use for the tool call.
         *
         * @return the value; {@link JsonValue#ABSENT} if it is missing
         */
        public JsonValue arguments() {
            return get("arguments");
        }

        /** Sets {@code arguments}.
         * @param value the new value
         * @return this */
        public CallToolRequestParams arguments(Object value) {
            return set("arguments", value);
        }

        /**
         * The member {@code inputResponses}.
         *
         * @return the value; empty if it is absent
         */
        public Map<String, InputResponse> inputResponses() {
            return map(get("inputResponses"), InputResponse::new);
        }

        /** Sets {@code inputResponses}.
         * @param value the new value
         * @return this */
        public CallToolRequestParams inputResponses(Map<String, ? extends InputResponse> value) {
            return set("inputResponses", value);
        }

        /**
         * The name of the tool.
         *
         * @return the value; null if it is absent
         */
        public String name() {
            return one("name", JsonValue::asText);
        }

        /** Sets {@code name}.
         * @param value the new value
         * @return this */
        public CallToolRequestParams name(String value) {
            return set("name", value);
        }

        /**
         * The member {@code requestState}.
         *
         * @return the value; null if it is absent
         */
        public String requestState() {
            return one("requestState", JsonValue::asText);
        }

        /** Sets {@code requestState}.
         * @param value the new value
         * @return this */
        public CallToolRequestParams requestState(String value) {
            return set("requestState", value);
        }

        /**
         * If specified, the caller is requesting task-augmented execution for this request. The request will return a
         * CreateTaskResult immediately, and the actual result can be retrieved later via tasks/result.
         *
         * @return the value; null if it is absent
         */
        public TaskMetadata task() {
            return one("task", TaskMetadata::new);
        }

        /** Sets {@code task}.
         * @param value the new value
         * @return this */
        public CallToolRequestParams task(TaskMetadata value) {
            return set("task", value);
        }
    }

    /**
     * The result returned by the server for a tools/call request.
     * Revisions: all.
     */
    public static final class CallToolResult extends Members<CallToolResult> {
        /** Makes one without members. */
        public CallToolResult() {
        }

        /**
         * Reads one.
         *
         * @param value an object
         */
        public CallToolResult(JsonValue value) {
            super(value);
        }

        /**
         * Metadata of the protocol, of extensions and of applications.
         *
         * @return the value; {@link JsonValue#ABSENT} if it is missing
         */
        public JsonValue meta() {
            return get("_meta");
        }

        /** Sets {@code _meta}.
         * @param value the new value
         * @return this */
        public CallToolResult meta(Object value) {
            return set("_meta", value);
        }

        /**
         * A list of content objects that represent the unstructured result of the tool call.
         *
         * @return the value; empty if it is absent
         */
        public List<ContentBlock> content() {
            return list(get("content"), ContentBlock::of);
        }

        /** Sets {@code content}.
         * @param value the new value
         * @return this */
        public CallToolResult content(List<? extends ContentBlock> value) {
            return set("content", value);
        }

        /**
         * Whether the tool call ended in an error.
         *
         * @return the value; null if it is absent
         */
        public Boolean isError() {
            return one("isError", JsonValue::asBoolean);
        }

        /** Sets {@code isError}.
         * @param value the new value
         * @return this */
        public CallToolResult isError(boolean value) {
            return set("isError", value);
        }

        /**
         * Indicates the type of the result, which allows the client to determine how to parse the result object.
         *
         * @return the value; null if it is absent
         */
        public String resultType() {
            return one("resultType", JsonValue::asText);
        }

        /** Sets {@code resultType}.
         * @param value the new value
         * @return this */
        public CallToolResult resultType(String value) {
            return set("resultType", value);
        }

        /**
         * An optional JSON value that represents the structured result of the tool call.
         *
         * @return the value; {@link JsonValue#ABSENT} if it is missing
         */
        public JsonValue structuredContent() {
            return get("structuredContent");
        }

        /** Sets {@code structuredContent}.
         * @param value the new value
         * @return this */
        public CallToolResult structuredContent(Object value) {
            return set("structuredContent", value);
        }
    }

    /** Revision: 2025-11-25. */
    public static final class CancelTaskRequestParams extends Members<CancelTaskRequestParams> {
        /** Makes one without members. */
        public CancelTaskRequestParams() {
        }

        /**
         * Reads one.
         *
         * @param value an object
         */
        public CancelTaskRequestParams(JsonValue value) {
            super(value);
        }

        /**
         * The task identifier to cancel.
         *
         * @return the value; null if it is absent
         */
        public String taskId() {
            return one("taskId", JsonValue::asText);
        }

        /** Sets {@code taskId}.
         * @param value the new value
         * @return this */
        public CancelTaskRequestParams taskId(String value) {
            return set("taskId", value);
        }
    }

    /**
     * The response to a tasks/cancel request.
     * Revision: 2025-11-25.
     */
    public static final class CancelTaskResult extends Members<CancelTaskResult> {
        /** Makes one without members. */
        public CancelTaskResult() {
        }

        /**
         * Reads one.
         *
         * @param value an object
         */
        public CancelTaskResult(JsonValue value) {
            super(value);
        }

        /**
         * Metadata of the protocol, of extensions and of applications.
         *
         * @return the value; {@link JsonValue#ABSENT} if it is missing
         */
        public JsonValue meta() {
            return get("_meta");
        }

        /** Sets {@code _meta}.
         * @param value the new value
         * @return this */
        public CancelTaskResult meta(Object value) {
            return set("_meta", value);
        }

        /**
         * ISO 8601 timestamp when the task was created.
         *
         * @return the value; null if it is absent
         */
        public String createdAt() {
            return one("createdAt", JsonValue::asText);
        }

        /** Sets {@code createdAt}.
         * @param value the new value
         * @return this */
        public CancelTaskResult createdAt(String value) {
            return set("createdAt", value);
        }

        /**
         * ISO 8601 timestamp when the task was last updated.
         *
         * @return the value; null if it is absent
         */
        public String lastUpdatedAt() {
            return one("lastUpdatedAt", JsonValue::asText);
        }

        /** Sets {@code lastUpdatedAt}.
         * @param value the new value
         * @return this */
        public CancelTaskResult lastUpdatedAt(String value) {
            return set("lastUpdatedAt", value);
        }

        /**
         * Suggested polling interval in milliseconds.
         *
         * @return the value; null if it is absent
         */
        public Long pollInterval() {
            return one("pollInterval", JsonValue::asLong);
        }

        /** Sets {@code pollInterval}.
         * @param value the new value
         * @return this */
        public CancelTaskResult pollInterval(long value) {
            return set("pollInterval", value);
        }

        /**
         * Current task state.
         *
         * @return the value; null if it is absent
         */
        public String status() {
            return one("status", JsonValue::asText);
        }

        /** Sets {@code status}.
         * @param value the new value
         * @return this */
        public CancelTaskResult status(String value) {
            return set("status", value);
        }

        /**
         * Optional human-readable message describing the current task state. This can provide context for any status,
         * including: - Reasons for "cancelled" status - Summaries for "completed" status - Diagnostic information for
         * "failed" status (e.g., error details, what went wrong)
         *
         * @return the value; null if it is absent
         */
        public String statusMessage() {
            return one("statusMessage", JsonValue::asText);
        }

        /** Sets {@code statusMessage}.
         * @param value the new value
         * @return this */
        public CancelTaskResult statusMessage(String value) {
            return set("statusMessage", value);
        }

        /**
         * The task identifier.
         *
         * @return the value; null if it is absent
         */
        public String taskId() {
            return one("taskId", JsonValue::asText);
        }

        /** Sets {@code taskId}.
         * @param value the new value
         * @return this */
        public CancelTaskResult taskId(String value) {
            return set("taskId", value);
        }

        /**
         * Actual retention duration from creation in milliseconds, null for unlimited.
         *
         * @return the value; null if it is absent
         */
        public Long ttl() {
            return one("ttl", JsonValue::asLong);
        }

        /** Sets {@code ttl}.
         * @param value the new value
         * @return this */
        public CancelTaskResult ttl(long value) {
            return set("ttl", value);
        }
    }

    /**
     * Parameters for a <code>notifications/cancelled</code> notification.
     * Revisions: all.
     */
    public static final class CancelledNotificationParams extends Members<CancelledNotificationParams> {
        /** Makes one without members. */
        public CancelledNotificationParams() {
        }

        /**
         * Reads one.
         *
         * @param value an object
         */
        public CancelledNotificationParams(JsonValue value) {
            super(value);
        }

        /**
         * Metadata of the protocol, of extensions and of applications.
         *
         * @return the value; {@link JsonValue#ABSENT} if it is missing
         */
        public JsonValue meta() {
            return get("_meta");
        }

        /** Sets {@code _meta}.
         * @param value the new value
         * @return this */
        public CancelledNotificationParams meta(Object value) {
            return set("_meta", value);
        }

        /**
         * An optional string describing the reason for the cancellation. This MAY be logged or presented to the user.
         *
         * @return the value; null if it is absent
         */
        public String reason() {
            return one("reason", JsonValue::asText);
        }

        /** Sets {@code reason}.
         * @param value the new value
         * @return this */
        public CancelledNotificationParams reason(String value) {
            return set("reason", value);
        }

        /**
         * The ID of the request to cancel.
         *
         * @return the value; {@link JsonValue#ABSENT} if it is missing
         */
        public JsonValue requestId() {
            return get("requestId");
        }

        /** Sets {@code requestId}.
         * @param value the new value
         * @return this */
        public CancelledNotificationParams requestId(Object value) {
            return set("requestId", value);
        }
    }

    /**
     * Capabilities a client may support. Known capabilities are defined here, in this schema, but this is not a closed
     * set: any client can define its own, additional capabilities.
     * Revisions: all.
     */
    public static final class ClientCapabilities extends Members<ClientCapabilities> {
        /** Makes one without members. */
        public ClientCapabilities() {
        }

        /**
         * Reads one.
         *
         * @param value an object
         */
        public ClientCapabilities(JsonValue value) {
            super(value);
        }

        /**
         * Present if the client supports elicitation from the server.
         *
         * @return the value; null if it is absent
         */
        public ClientCapabilitiesElicitation elicitation() {
            return one("elicitation", ClientCapabilitiesElicitation::new);
        }

        /** Sets {@code elicitation}.
         * @param value the new value
         * @return this */
        public ClientCapabilities elicitation(ClientCapabilitiesElicitation value) {
            return set("elicitation", value);
        }

        /**
         * Experimental, non-standard capabilities that the client supports.
         *
         * @return the value; empty if it is absent
         */
        public Map<String, JsonValue> experimental() {
            return map(get("experimental"), value -> value);
        }

        /** Sets {@code experimental}.
         * @param value the new value
         * @return this */
        public ClientCapabilities experimental(Map<String, ?> value) {
            return set("experimental", value);
        }

        /**
         * Optional MCP extensions that the client supports. Keys are extension identifiers (e.g.,
         * "io.modelcontextprotocol/oauth-client-credentials"), and values are per-extension settings objects. An empty
         * object indicates support with no settings.
         *
         * @return the value; empty if it is absent
         */
        public Map<String, JsonValue> extensions() {
            return map(get("extensions"), value -> value);
        }

        /** Sets {@code extensions}.
         * @param value the new value
         * @return this */
        public ClientCapabilities extensions(Map<String, ?> value) {
            return set("extensions", value);
        }

        /**
         * Present if the client supports listing roots.
         *
         * @return the value; null if it is absent
         */
        public ClientCapabilitiesRoots roots() {
            return one("roots", ClientCapabilitiesRoots::new);
        }

        /** Sets {@code roots}.
         * @param value the new value
         * @return this */
        public ClientCapabilities roots(ClientCapabilitiesRoots value) {
            return set("roots", value);
        }

        /**
         * Present if the client supports sampling from an LLM.
         *
         * @return the value; null if it is absent
         */
        public ClientCapabilitiesSampling sampling() {
            return one("sampling", ClientCapabilitiesSampling::new);
        }

        /** Sets {@code sampling}.
         * @param value the new value
         * @return this */
        public ClientCapabilities sampling(ClientCapabilitiesSampling value) {
            return set("sampling", value);
        }

        /**
         * Present if the client supports task-augmented requests.
         *
         * @return the value; null if it is absent
         */
        public ClientCapabilitiesTasks tasks() {
            return one("tasks", ClientCapabilitiesTasks::new);
        }

        /** Sets {@code tasks}.
         * @param value the new value
         * @return this */
        public ClientCapabilities tasks(ClientCapabilitiesTasks value) {
            return set("tasks", value);
        }
    }

    /**
     * Present if the client supports elicitation from the server.
     * Revisions: from 2025-11-25 on.
     */
    public static final class ClientCapabilitiesElicitation extends Members<ClientCapabilitiesElicitation> {
        /** Makes one without members. */
        public ClientCapabilitiesElicitation() {
        }

        /**
         * Reads one.
         *
         * @param value an object
         */
        public ClientCapabilitiesElicitation(JsonValue value) {
            super(value);
        }

        /**
         * The member {@code form}.
         *
         * @return the value; {@link JsonValue#ABSENT} if it is missing
         */
        public JsonValue form() {
            return get("form");
        }

        /** Sets {@code form}.
         * @param value the new value
         * @return this */
        public ClientCapabilitiesElicitation form(Object value) {
            return set("form", value);
        }

        /**
         * The member {@code url}.
         *
         * @return the value; {@link JsonValue#ABSENT} if it is missing
         */
        public JsonValue url() {
            return get("url");
        }

        /** Sets {@code url}.
         * @param value the new value
         * @return this */
        public ClientCapabilitiesElicitation url(Object value) {
            return set("url", value);
        }
    }

    /**
     * Present if the client supports listing roots.
     * Revisions: 2024-11-05 to 2025-11-25.
     *
     * Deprecated: 2026-07-28 deprecates sampling, roots and log messages (SEP-2577). They work in every revision that
     * has them.
     */
    public static final class ClientCapabilitiesRoots extends Members<ClientCapabilitiesRoots> {
        /** Makes one without members. */
        public ClientCapabilitiesRoots() {
        }

        /**
         * Reads one.
         *
         * @param value an object
         */
        public ClientCapabilitiesRoots(JsonValue value) {
            super(value);
        }

        /**
         * Whether the client supports notifications for changes to the roots list.
         *
         * @return the value; null if it is absent
         */
        public Boolean listChanged() {
            return one("listChanged", JsonValue::asBoolean);
        }

        /** Sets {@code listChanged}.
         * @param value the new value
         * @return this */
        public ClientCapabilitiesRoots listChanged(boolean value) {
            return set("listChanged", value);
        }
    }

    /**
     * Present if the client supports sampling from an LLM.
     * Revisions: from 2025-11-25 on.
     *
     * Deprecated: 2026-07-28 deprecates sampling, roots and log messages (SEP-2577). They work in every revision that
     * has them.
     */
    public static final class ClientCapabilitiesSampling extends Members<ClientCapabilitiesSampling> {
        /** Makes one without members. */
        public ClientCapabilitiesSampling() {
        }

        /**
         * Reads one.
         *
         * @param value an object
         */
        public ClientCapabilitiesSampling(JsonValue value) {
            super(value);
        }

        /**
         * Whether the client supports context inclusion via <code>includeContext</code> parameter. If not declared,
         * servers SHOULD only use <code>includeContext: "none"</code> (or omit it).
         *
         * @return the value; {@link JsonValue#ABSENT} if it is missing
         */
        public JsonValue context() {
            return get("context");
        }

        /** Sets {@code context}.
         * @param value the new value
         * @return this */
        public ClientCapabilitiesSampling context(Object value) {
            return set("context", value);
        }

        /**
         * Whether the client supports tool use via <code>tools</code> and <code>toolChoice</code> parameters.
         *
         * @return the value; {@link JsonValue#ABSENT} if it is missing
         */
        public JsonValue tools() {
            return get("tools");
        }

        /** Sets {@code tools}.
         * @param value the new value
         * @return this */
        public ClientCapabilitiesSampling tools(Object value) {
            return set("tools", value);
        }
    }

    /**
     * Present if the client supports task-augmented requests.
     * Revision: 2025-11-25.
     */
    public static final class ClientCapabilitiesTasks extends Members<ClientCapabilitiesTasks> {
        /** Makes one without members. */
        public ClientCapabilitiesTasks() {
        }

        /**
         * Reads one.
         *
         * @param value an object
         */
        public ClientCapabilitiesTasks(JsonValue value) {
            super(value);
        }

        /**
         * Whether this client supports tasks/cancel.
         *
         * @return the value; {@link JsonValue#ABSENT} if it is missing
         */
        public JsonValue cancel() {
            return get("cancel");
        }

        /** Sets {@code cancel}.
         * @param value the new value
         * @return this */
        public ClientCapabilitiesTasks cancel(Object value) {
            return set("cancel", value);
        }

        /**
         * Whether this client supports tasks/list.
         *
         * @return the value; {@link JsonValue#ABSENT} if it is missing
         */
        public JsonValue list() {
            return get("list");
        }

        /** Sets {@code list}.
         * @param value the new value
         * @return this */
        public ClientCapabilitiesTasks list(Object value) {
            return set("list", value);
        }

        /**
         * Specifies which request types can be augmented with tasks.
         *
         * @return the value; null if it is absent
         */
        public ClientCapabilitiesTasksRequests requests() {
            return one("requests", ClientCapabilitiesTasksRequests::new);
        }

        /** Sets {@code requests}.
         * @param value the new value
         * @return this */
        public ClientCapabilitiesTasks requests(ClientCapabilitiesTasksRequests value) {
            return set("requests", value);
        }
    }

    /**
     * Specifies which request types can be augmented with tasks.
     * Revision: 2025-11-25.
     */
    public static final class ClientCapabilitiesTasksRequests extends Members<ClientCapabilitiesTasksRequests> {
        /** Makes one without members. */
        public ClientCapabilitiesTasksRequests() {
        }

        /**
         * Reads one.
         *
         * @param value an object
         */
        public ClientCapabilitiesTasksRequests(JsonValue value) {
            super(value);
        }

        /**
         * Task support for elicitation-related requests.
         *
         * @return the value; null if it is absent
         */
        public ClientCapabilitiesTasksRequestsElicitation elicitation() {
            return one("elicitation", ClientCapabilitiesTasksRequestsElicitation::new);
        }

        /** Sets {@code elicitation}.
         * @param value the new value
         * @return this */
        public ClientCapabilitiesTasksRequests elicitation(ClientCapabilitiesTasksRequestsElicitation value) {
            return set("elicitation", value);
        }

        /**
         * Task support for sampling-related requests.
         *
         * @return the value; null if it is absent
         */
        public ClientCapabilitiesTasksRequestsSampling sampling() {
            return one("sampling", ClientCapabilitiesTasksRequestsSampling::new);
        }

        /** Sets {@code sampling}.
         * @param value the new value
         * @return this */
        public ClientCapabilitiesTasksRequests sampling(ClientCapabilitiesTasksRequestsSampling value) {
            return set("sampling", value);
        }
    }

    /**
     * Task support for elicitation-related requests.
     * Revision: 2025-11-25.
     */
    public static final class ClientCapabilitiesTasksRequestsElicitation extends Members<ClientCapabilitiesTasksRequestsElicitation> {
        /** Makes one without members. */
        public ClientCapabilitiesTasksRequestsElicitation() {
        }

        /**
         * Reads one.
         *
         * @param value an object
         */
        public ClientCapabilitiesTasksRequestsElicitation(JsonValue value) {
            super(value);
        }

        /**
         * Whether the client supports task-augmented elicitation/create requests.
         *
         * @return the value; {@link JsonValue#ABSENT} if it is missing
         */
        public JsonValue create() {
            return get("create");
        }

        /** Sets {@code create}.
         * @param value the new value
         * @return this */
        public ClientCapabilitiesTasksRequestsElicitation create(Object value) {
            return set("create", value);
        }
    }

    /**
     * Task support for sampling-related requests.
     * Revision: 2025-11-25.
     */
    public static final class ClientCapabilitiesTasksRequestsSampling extends Members<ClientCapabilitiesTasksRequestsSampling> {
        /** Makes one without members. */
        public ClientCapabilitiesTasksRequestsSampling() {
        }

        /**
         * Reads one.
         *
         * @param value an object
         */
        public ClientCapabilitiesTasksRequestsSampling(JsonValue value) {
            super(value);
        }

        /**
         * Whether the client supports task-augmented sampling/createMessage requests.
         *
         * @return the value; {@link JsonValue#ABSENT} if it is missing
         */
        public JsonValue createMessage() {
            return get("createMessage");
        }

        /** Sets {@code createMessage}.
         * @param value the new value
         * @return this */
        public ClientCapabilitiesTasksRequestsSampling createMessage(Object value) {
            return set("createMessage", value);
        }
    }

    /**
     * Parameters for a <code>completion/complete</code> request.
     * Revisions: all.
     */
    public static final class CompleteRequestParams extends Members<CompleteRequestParams> {
        /** Makes one without members. */
        public CompleteRequestParams() {
        }

        /**
         * Reads one.
         *
         * @param value an object
         */
        public CompleteRequestParams(JsonValue value) {
            super(value);
        }

        /**
         * Metadata of the protocol, of extensions and of applications.
         *
         * @return the value; {@link JsonValue#ABSENT} if it is missing
         */
        public JsonValue meta() {
            return get("_meta");
        }

        /** Sets {@code _meta}.
         * @param value the new value
         * @return this */
        public CompleteRequestParams meta(Object value) {
            return set("_meta", value);
        }

        /**
         * The argument's information
         *
         * @return the value; null if it is absent
         */
        public CompletionArgument argument() {
            return one("argument", CompletionArgument::new);
        }

        /** Sets {@code argument}.
         * @param value the new value
         * @return this */
        public CompleteRequestParams argument(CompletionArgument value) {
            return set("argument", value);
        }

        /**
         * Additional, optional context for completions
         *
         * @return the value; null if it is absent
         */
        public CompletionContext context() {
            return one("context", CompletionContext::new);
        }

        /** Sets {@code context}.
         * @param value the new value
         * @return this */
        public CompleteRequestParams context(CompletionContext value) {
            return set("context", value);
        }

        /**
         * The member {@code ref}.
         *
         * @return the value; null if it is absent
         */
        public Reference ref() {
            return one("ref", Reference::of);
        }

        /** Sets {@code ref}.
         * @param value the new value
         * @return this */
        public CompleteRequestParams ref(Reference value) {
            return set("ref", value);
        }
    }

    /**
     * The result returned by the server for a completion/complete request.
     * Revisions: all.
     */
    public static final class CompleteResult extends Members<CompleteResult> {
        /** Makes one without members. */
        public CompleteResult() {
        }

        /**
         * Reads one.
         *
         * @param value an object
         */
        public CompleteResult(JsonValue value) {
            super(value);
        }

        /**
         * Metadata of the protocol, of extensions and of applications.
         *
         * @return the value; {@link JsonValue#ABSENT} if it is missing
         */
        public JsonValue meta() {
            return get("_meta");
        }

        /** Sets {@code _meta}.
         * @param value the new value
         * @return this */
        public CompleteResult meta(Object value) {
            return set("_meta", value);
        }

        /**
         * The member {@code completion}.
         *
         * @return the value; null if it is absent
         */
        public Completion completion() {
            return one("completion", Completion::new);
        }

        /** Sets {@code completion}.
         * @param value the new value
         * @return this */
        public CompleteResult completion(Completion value) {
            return set("completion", value);
        }

        /**
         * Indicates the type of the result, which allows the client to determine how to parse the result object.
         *
         * @return the value; null if it is absent
         */
        public String resultType() {
            return one("resultType", JsonValue::asText);
        }

        /** Sets {@code resultType}.
         * @param value the new value
         * @return this */
        public CompleteResult resultType(String value) {
            return set("resultType", value);
        }
    }

    /** Revisions: all. */
    public static final class Completion extends Members<Completion> {
        /** Makes one without members. */
        public Completion() {
        }

        /**
         * Reads one.
         *
         * @param value an object
         */
        public Completion(JsonValue value) {
            super(value);
        }

        /**
         * Indicates whether there are additional completion options beyond those provided in the current response,
         * even if the exact total is unknown.
         *
         * @return the value; null if it is absent
         */
        public Boolean hasMore() {
            return one("hasMore", JsonValue::asBoolean);
        }

        /** Sets {@code hasMore}.
         * @param value the new value
         * @return this */
        public Completion hasMore(boolean value) {
            return set("hasMore", value);
        }

        /**
         * The total number of completion options available. This can exceed the number of values actually sent in the
         * response.
         *
         * @return the value; null if it is absent
         */
        public Long total() {
            return one("total", JsonValue::asLong);
        }

        /** Sets {@code total}.
         * @param value the new value
         * @return this */
        public Completion total(long value) {
            return set("total", value);
        }

        /**
         * An array of completion values. Must not exceed 100 items.
         *
         * @return the value; empty if it is absent
         */
        public List<String> values() {
            return list(get("values"), JsonValue::asText);
        }

        /** Sets {@code values}.
         * @param value the new value
         * @return this */
        public Completion values(List<String> value) {
            return set("values", value);
        }

        /** Sets {@code values}.
         * @param value the new value
         * @return this */
        public Completion values(String... value) {
            return set("values", List.of(value));
        }
    }

    /**
     * The argument's information
     * Revisions: all.
     */
    public static final class CompletionArgument extends Members<CompletionArgument> {
        /** Makes one without members. */
        public CompletionArgument() {
        }

        /**
         * Reads one.
         *
         * @param value an object
         */
        public CompletionArgument(JsonValue value) {
            super(value);
        }

        /**
         * The name of the argument
         *
         * @return the value; null if it is absent
         */
        public String name() {
            return one("name", JsonValue::asText);
        }

        /** Sets {@code name}.
         * @param value the new value
         * @return this */
        public CompletionArgument name(String value) {
            return set("name", value);
        }

        /**
         * The value of the argument to use for completion matching.
         *
         * @return the value; null if it is absent
         */
        public String value() {
            return one("value", JsonValue::asText);
        }

        /** Sets {@code value}.
         * @param value the new value
         * @return this */
        public CompletionArgument value(String value) {
            return set("value", value);
        }
    }

    /**
     * Additional, optional context for completions
     * Revisions: from 2025-06-18 on.
     */
    public static final class CompletionContext extends Members<CompletionContext> {
        /** Makes one without members. */
        public CompletionContext() {
        }

        /**
         * Reads one.
         *
         * @param value an object
         */
        public CompletionContext(JsonValue value) {
            super(value);
        }

        /**
         * Previously-resolved variables in a URI template or prompt.
         *
         * @return the value; empty if it is absent
         */
        public Map<String, String> arguments() {
            return map(get("arguments"), JsonValue::asText);
        }

        /** Sets {@code arguments}.
         * @param value the new value
         * @return this */
        public CompletionContext arguments(Map<String, String> value) {
            return set("arguments", value);
        }
    }

    /** Revisions: from 2025-06-18 on. */
    public sealed interface ContentBlock permits TextContent, ImageContent, AudioContent, ResourceLink, EmbeddedResource, Unknown {
        /**
         * The object, with all its members.
         *
         * @return the object
         */
        JsonValue json();

        /**
         * The variant that an object is.
         *
         * @param value the object
         * @return the variant
         */
        static ContentBlock of(JsonValue value) {
            return switch (value.get("type").asText("")) {
                case "text" -> new TextContent(value);
                case "image" -> new ImageContent(value);
                case "audio" -> new AudioContent(value);
                case "resource_link" -> new ResourceLink(value);
                case "resource" -> new EmbeddedResource(value);
                default -> new Unknown(value);
            };
        }
    }

    /**
     * A request from the server to sample an LLM via the client. The client has full discretion over which model to
     * select. The client should also inform the user before beginning sampling, to allow them to inspect the request
     * (human in the loop) and decide whether to approve it.
     * Revision: 2026-07-28.
     *
     * Deprecated: 2026-07-28 deprecates sampling, roots and log messages (SEP-2577). They work in every revision that
     * has them.
     */
    public static final class CreateMessageRequest extends Members<CreateMessageRequest> implements InputRequest {
        /** Makes one that has only what tells its kind. */
        public CreateMessageRequest() {
            set("method", "sampling/createMessage");
        }

        /**
         * Reads one.
         *
         * @param value an object
         */
        public CreateMessageRequest(JsonValue value) {
            super(value);
        }

        /**
         * The member {@code params}.
         *
         * @return the value; null if it is absent
         */
        public CreateMessageRequestParams params() {
            return one("params", CreateMessageRequestParams::new);
        }

        /** Sets {@code params}.
         * @param value the new value
         * @return this */
        public CreateMessageRequest params(CreateMessageRequestParams value) {
            return set("params", value);
        }
    }

    /**
     * Parameters for a <code>sampling/createMessage</code> request.
     * Revisions: all.
     *
     * Deprecated: 2026-07-28 deprecates sampling, roots and log messages (SEP-2577). They work in every revision that
     * has them.
     */
    public static final class CreateMessageRequestParams extends Members<CreateMessageRequestParams> {
        /** Makes one without members. */
        public CreateMessageRequestParams() {
        }

        /**
         * Reads one.
         *
         * @param value an object
         */
        public CreateMessageRequestParams(JsonValue value) {
            super(value);
        }

        /**
         * Metadata of the protocol, of extensions and of applications.
         *
         * @return the value; {@link JsonValue#ABSENT} if it is missing
         */
        public JsonValue meta() {
            return get("_meta");
        }

        /** Sets {@code _meta}.
         * @param value the new value
         * @return this */
        public CreateMessageRequestParams meta(Object value) {
            return set("_meta", value);
        }

        /**
         * A request to include context from one or more MCP servers (including the caller), to be attached to the
         * prompt. The client MAY ignore this request. Values: allServers, none, thisServer.
         *
         * @return the value; null if it is absent
         */
        public String includeContext() {
            return one("includeContext", JsonValue::asText);
        }

        /** Sets {@code includeContext}.
         * @param value the new value
         * @return this */
        public CreateMessageRequestParams includeContext(String value) {
            return set("includeContext", value);
        }

        /**
         * The requested maximum number of tokens to sample (to prevent runaway completions).
         *
         * @return the value; null if it is absent
         */
        public Long maxTokens() {
            return one("maxTokens", JsonValue::asLong);
        }

        /** Sets {@code maxTokens}.
         * @param value the new value
         * @return this */
        public CreateMessageRequestParams maxTokens(long value) {
            return set("maxTokens", value);
        }

        /**
         * The member {@code messages}.
         *
         * @return the value; empty if it is absent
         */
        public List<SamplingMessage> messages() {
            return list(get("messages"), SamplingMessage::new);
        }

        /** Sets {@code messages}.
         * @param value the new value
         * @return this */
        public CreateMessageRequestParams messages(List<? extends SamplingMessage> value) {
            return set("messages", value);
        }

        /**
         * Optional metadata to pass through to the LLM provider. The format of this metadata is provider-specific.
         *
         * @return the value; {@link JsonValue#ABSENT} if it is missing
         */
        public JsonValue metadata() {
            return get("metadata");
        }

        /** Sets {@code metadata}.
         * @param value the new value
         * @return this */
        public CreateMessageRequestParams metadata(Object value) {
            return set("metadata", value);
        }

        /**
         * The server's preferences for which model to select. The client MAY ignore these preferences.
         *
         * @return the value; null if it is absent
         */
        public ModelPreferences modelPreferences() {
            return one("modelPreferences", ModelPreferences::new);
        }

        /** Sets {@code modelPreferences}.
         * @param value the new value
         * @return this */
        public CreateMessageRequestParams modelPreferences(ModelPreferences value) {
            return set("modelPreferences", value);
        }

        /**
         * The member {@code stopSequences}.
         *
         * @return the value; empty if it is absent
         */
        public List<String> stopSequences() {
            return list(get("stopSequences"), JsonValue::asText);
        }

        /** Sets {@code stopSequences}.
         * @param value the new value
         * @return this */
        public CreateMessageRequestParams stopSequences(List<String> value) {
            return set("stopSequences", value);
        }

        /** Sets {@code stopSequences}.
         * @param value the new value
         * @return this */
        public CreateMessageRequestParams stopSequences(String... value) {
            return set("stopSequences", List.of(value));
        }

        /**
         * An optional system prompt the server wants to use for sampling. The client MAY modify or omit this prompt.
         *
         * @return the value; null if it is absent
         */
        public String systemPrompt() {
            return one("systemPrompt", JsonValue::asText);
        }

        /** Sets {@code systemPrompt}.
         * @param value the new value
         * @return this */
        public CreateMessageRequestParams systemPrompt(String value) {
            return set("systemPrompt", value);
        }

        /**
         * If specified, the caller is requesting task-augmented execution for this request. The request will return a
         * CreateTaskResult immediately, and the actual result can be retrieved later via tasks/result.
         *
         * @return the value; null if it is absent
         */
        public TaskMetadata task() {
            return one("task", TaskMetadata::new);
        }

        /** Sets {@code task}.
         * @param value the new value
         * @return this */
        public CreateMessageRequestParams task(TaskMetadata value) {
            return set("task", value);
        }

        /**
         * The member {@code temperature}.
         *
         * @return the value; null if it is absent
         */
        public Double temperature() {
            return one("temperature", JsonValue::asDouble);
        }

        /** Sets {@code temperature}.
         * @param value the new value
         * @return this */
        public CreateMessageRequestParams temperature(double value) {
            return set("temperature", value);
        }

        /**
         * Controls how the model uses tools. The client MUST return an error if this field is provided but
         * ClientCapabilities.sampling.tools is not declared. Default is <code>{ mode: "auto" }</code>.
         *
         * @return the value; null if it is absent
         */
        public ToolChoice toolChoice() {
            return one("toolChoice", ToolChoice::new);
        }

        /** Sets {@code toolChoice}.
         * @param value the new value
         * @return this */
        public CreateMessageRequestParams toolChoice(ToolChoice value) {
            return set("toolChoice", value);
        }

        /**
         * Tools that the model may use during generation. The client MUST return an error if this field is provided
         * but ClientCapabilities.sampling.tools is not declared.
         *
         * @return the value; empty if it is absent
         */
        public List<Tool> tools() {
            return list(get("tools"), Tool::new);
        }

        /** Sets {@code tools}.
         * @param value the new value
         * @return this */
        public CreateMessageRequestParams tools(List<? extends Tool> value) {
            return set("tools", value);
        }
    }

    /**
     * The result returned by the client for a sampling/createMessage request. The client should inform the user before
     * returning the sampled message, to allow them to inspect the response (human in the loop) and decide whether to
     * allow the server to see it.
     * Revisions: all.
     *
     * Deprecated: 2026-07-28 deprecates sampling, roots and log messages (SEP-2577). They work in every revision that
     * has them.
     */
    public static final class CreateMessageResult extends Members<CreateMessageResult> {
        /** Makes one without members. */
        public CreateMessageResult() {
        }

        /**
         * Reads one.
         *
         * @param value an object
         */
        public CreateMessageResult(JsonValue value) {
            super(value);
        }

        /**
         * Metadata of the protocol, of extensions and of applications.
         *
         * @return the value; {@link JsonValue#ABSENT} if it is missing
         */
        public JsonValue meta() {
            return get("_meta");
        }

        /** Sets {@code _meta}.
         * @param value the new value
         * @return this */
        public CreateMessageResult meta(Object value) {
            return set("_meta", value);
        }

        /**
         * The member {@code content}.
         *
         * @return the value; empty if it is absent
         */
        public List<SamplingMessageContentBlock> content() {
            return oneOrMany(get("content"), SamplingMessageContentBlock::of);
        }

        /** Sets {@code content}.
         * @param value the new value
         * @return this */
        public CreateMessageResult content(List<? extends SamplingMessageContentBlock> value) {
            return set("content", value);
        }

        /** Sets {@code content}.
         * @param value the new value
         * @return this */
        public CreateMessageResult content(SamplingMessageContentBlock value) {
            return set("content", value);
        }

        /**
         * The name of the model that generated the message.
         *
         * @return the value; null if it is absent
         */
        public String model() {
            return one("model", JsonValue::asText);
        }

        /** Sets {@code model}.
         * @param value the new value
         * @return this */
        public CreateMessageResult model(String value) {
            return set("model", value);
        }

        /**
         * The member {@code role}.
         *
         * @return the value; null if it is absent
         */
        public String role() {
            return one("role", JsonValue::asText);
        }

        /** Sets {@code role}.
         * @param value the new value
         * @return this */
        public CreateMessageResult role(String value) {
            return set("role", value);
        }

        /**
         * The reason why sampling stopped, if known.
         *
         * @return the value; null if it is absent
         */
        public String stopReason() {
            return one("stopReason", JsonValue::asText);
        }

        /** Sets {@code stopReason}.
         * @param value the new value
         * @return this */
        public CreateMessageResult stopReason(String value) {
            return set("stopReason", value);
        }
    }

    /**
     * A response to a task-augmented request.
     * Revision: 2025-11-25.
     */
    public static final class CreateTaskResult extends Members<CreateTaskResult> {
        /** Makes one without members. */
        public CreateTaskResult() {
        }

        /**
         * Reads one.
         *
         * @param value an object
         */
        public CreateTaskResult(JsonValue value) {
            super(value);
        }

        /**
         * Metadata of the protocol, of extensions and of applications.
         *
         * @return the value; {@link JsonValue#ABSENT} if it is missing
         */
        public JsonValue meta() {
            return get("_meta");
        }

        /** Sets {@code _meta}.
         * @param value the new value
         * @return this */
        public CreateTaskResult meta(Object value) {
            return set("_meta", value);
        }

        /**
         * The member {@code task}.
         *
         * @return the value; null if it is absent
         */
        public Task task() {
            return one("task", Task::new);
        }

        /** Sets {@code task}.
         * @param value the new value
         * @return this */
        public CreateTaskResult task(Task value) {
            return set("task", value);
        }
    }

    /**
     * The result returned by the server for a server/discover request.
     * Revision: 2026-07-28.
     */
    public static final class DiscoverResult extends Members<DiscoverResult> {
        /** Makes one without members. */
        public DiscoverResult() {
        }

        /**
         * Reads one.
         *
         * @param value an object
         */
        public DiscoverResult(JsonValue value) {
            super(value);
        }

        /**
         * Metadata of the protocol, of extensions and of applications.
         *
         * @return the value; {@link JsonValue#ABSENT} if it is missing
         */
        public JsonValue meta() {
            return get("_meta");
        }

        /** Sets {@code _meta}.
         * @param value the new value
         * @return this */
        public DiscoverResult meta(Object value) {
            return set("_meta", value);
        }

        /**
         * Indicates the intended scope of the cached response, analogous to HTTP <code>Cache-Control: public</code> vs
         * <code>Cache-Control: private</code>. Values: private, public.
         *
         * @return the value; null if it is absent
         */
        public String cacheScope() {
            return one("cacheScope", JsonValue::asText);
        }

        /** Sets {@code cacheScope}.
         * @param value the new value
         * @return this */
        public DiscoverResult cacheScope(String value) {
            return set("cacheScope", value);
        }

        /**
         * The capabilities of the server.
         *
         * @return the value; null if it is absent
         */
        public ServerCapabilities capabilities() {
            return one("capabilities", ServerCapabilities::new);
        }

        /** Sets {@code capabilities}.
         * @param value the new value
         * @return this */
        public DiscoverResult capabilities(ServerCapabilities value) {
            return set("capabilities", value);
        }

        /**
         * Natural-language guidance describing the server and its features.
         *
         * @return the value; null if it is absent
         */
        public String instructions() {
            return one("instructions", JsonValue::asText);
        }

        /** Sets {@code instructions}.
         * @param value the new value
         * @return this */
        public DiscoverResult instructions(String value) {
            return set("instructions", value);
        }

        /**
         * Indicates the type of the result, which allows the client to determine how to parse the result object.
         *
         * @return the value; null if it is absent
         */
        public String resultType() {
            return one("resultType", JsonValue::asText);
        }

        /** Sets {@code resultType}.
         * @param value the new value
         * @return this */
        public DiscoverResult resultType(String value) {
            return set("resultType", value);
        }

        /**
         * MCP Protocol Versions this server supports. The client should choose a version from this list for use in
         * subsequent requests.
         *
         * @return the value; empty if it is absent
         */
        public List<String> supportedVersions() {
            return list(get("supportedVersions"), JsonValue::asText);
        }

        /** Sets {@code supportedVersions}.
         * @param value the new value
         * @return this */
        public DiscoverResult supportedVersions(List<String> value) {
            return set("supportedVersions", value);
        }

        /** Sets {@code supportedVersions}.
         * @param value the new value
         * @return this */
        public DiscoverResult supportedVersions(String... value) {
            return set("supportedVersions", List.of(value));
        }

        /**
         * A hint from the server indicating how long (in milliseconds) the client MAY cache this response before
         * re-fetching. Semantics are analogous to HTTP Cache-Control max-age.
         *
         * @return the value; null if it is absent
         */
        public Long ttlMs() {
            return one("ttlMs", JsonValue::asLong);
        }

        /** Sets {@code ttlMs}.
         * @param value the new value
         * @return this */
        public DiscoverResult ttlMs(long value) {
            return set("ttlMs", value);
        }
    }

    /**
     * A request from the server to elicit additional information from the user via the client.
     * Revision: 2026-07-28.
     */
    public static final class ElicitRequest extends Members<ElicitRequest> implements InputRequest {
        /** Makes one that has only what tells its kind. */
        public ElicitRequest() {
            set("method", "elicitation/create");
        }

        /**
         * Reads one.
         *
         * @param value an object
         */
        public ElicitRequest(JsonValue value) {
            super(value);
        }

        /**
         * The member {@code params}.
         *
         * @return the value; null if it is absent
         */
        public ElicitRequestParams params() {
            return one("params", ElicitRequestParams::new);
        }

        /** Sets {@code params}.
         * @param value the new value
         * @return this */
        public ElicitRequest params(ElicitRequestParams value) {
            return set("params", value);
        }
    }

    /**
     * The parameters for a request to elicit non-sensitive information from the user via a form in the client.
     * Revisions: from 2025-06-18 on.
     */
    public static final class ElicitRequestFormParams extends Members<ElicitRequestFormParams> {
        /** Makes one without members. */
        public ElicitRequestFormParams() {
        }

        /**
         * Reads one.
         *
         * @param value an object
         */
        public ElicitRequestFormParams(JsonValue value) {
            super(value);
        }

        /**
         * Metadata of the protocol, of extensions and of applications.
         *
         * @return the value; {@link JsonValue#ABSENT} if it is missing
         */
        public JsonValue meta() {
            return get("_meta");
        }

        /** Sets {@code _meta}.
         * @param value the new value
         * @return this */
        public ElicitRequestFormParams meta(Object value) {
            return set("_meta", value);
        }

        /**
         * The message to present to the user describing what information is being requested.
         *
         * @return the value; null if it is absent
         */
        public String message() {
            return one("message", JsonValue::asText);
        }

        /** Sets {@code message}.
         * @param value the new value
         * @return this */
        public ElicitRequestFormParams message(String value) {
            return set("message", value);
        }

        /**
         * A restricted subset of JSON Schema. Only top-level properties are allowed, without nesting.
         *
         * @return the value; null if it is absent
         */
        public ElicitationSchema requestedSchema() {
            return one("requestedSchema", ElicitationSchema::new);
        }

        /** Sets {@code requestedSchema}.
         * @param value the new value
         * @return this */
        public ElicitRequestFormParams requestedSchema(ElicitationSchema value) {
            return set("requestedSchema", value);
        }

        /**
         * If specified, the caller is requesting task-augmented execution for this request. The request will return a
         * CreateTaskResult immediately, and the actual result can be retrieved later via tasks/result.
         *
         * @return the value; null if it is absent
         */
        public TaskMetadata task() {
            return one("task", TaskMetadata::new);
        }

        /** Sets {@code task}.
         * @param value the new value
         * @return this */
        public ElicitRequestFormParams task(TaskMetadata value) {
            return set("task", value);
        }
    }

    /**
     * The parameters for a request to elicit additional information from the user via the client.
     * Revisions: from 2025-11-25 on.
     */
    public static final class ElicitRequestParams extends Members<ElicitRequestParams> {
        /** Makes one without members. */
        public ElicitRequestParams() {
        }

        /**
         * Reads one.
         *
         * @param value an object
         */
        public ElicitRequestParams(JsonValue value) {
            super(value);
        }

        /**
         * Metadata of the protocol, of extensions and of applications.
         *
         * @return the value; {@link JsonValue#ABSENT} if it is missing
         */
        public JsonValue meta() {
            return get("_meta");
        }

        /** Sets {@code _meta}.
         * @param value the new value
         * @return this */
        public ElicitRequestParams meta(Object value) {
            return set("_meta", value);
        }

        /**
         * The message to present to the user describing what information is being requested.
         *
         * @return the value; null if it is absent
         */
        public String message() {
            return one("message", JsonValue::asText);
        }

        /** Sets {@code message}.
         * @param value the new value
         * @return this */
        public ElicitRequestParams message(String value) {
            return set("message", value);
        }

        /**
         * The elicitation mode.
         *
         * @return the value; null if it is absent
         */
        public String mode() {
            return one("mode", JsonValue::asText);
        }

        /** Sets {@code mode}.
         * @param value the new value
         * @return this */
        public ElicitRequestParams mode(String value) {
            return set("mode", value);
        }

        /**
         * A restricted subset of JSON Schema. Only top-level properties are allowed, without nesting.
         *
         * @return the value; null if it is absent
         */
        public ElicitationSchema requestedSchema() {
            return one("requestedSchema", ElicitationSchema::new);
        }

        /** Sets {@code requestedSchema}.
         * @param value the new value
         * @return this */
        public ElicitRequestParams requestedSchema(ElicitationSchema value) {
            return set("requestedSchema", value);
        }

        /**
         * If specified, the caller is requesting task-augmented execution for this request. The request will return a
         * CreateTaskResult immediately, and the actual result can be retrieved later via tasks/result.
         *
         * @return the value; null if it is absent
         */
        public TaskMetadata task() {
            return one("task", TaskMetadata::new);
        }

        /** Sets {@code task}.
         * @param value the new value
         * @return this */
        public ElicitRequestParams task(TaskMetadata value) {
            return set("task", value);
        }

        /**
         * The ID of the elicitation, which must be unique within the context of the server. The client MUST treat this
         * ID as an opaque value.
         *
         * @return the value; null if it is absent
         */
        public String elicitationId() {
            return one("elicitationId", JsonValue::asText);
        }

        /** Sets {@code elicitationId}.
         * @param value the new value
         * @return this */
        public ElicitRequestParams elicitationId(String value) {
            return set("elicitationId", value);
        }

        /**
         * The URL that the user should navigate to.
         *
         * @return the value; null if it is absent
         */
        public String url() {
            return one("url", JsonValue::asText);
        }

        /** Sets {@code url}.
         * @param value the new value
         * @return this */
        public ElicitRequestParams url(String value) {
            return set("url", value);
        }
    }

    /**
     * The parameters for a request to elicit information from the user via a URL in the client.
     * Revisions: from 2025-11-25 on.
     */
    public static final class ElicitRequestURLParams extends Members<ElicitRequestURLParams> {
        /** Makes one that has only what tells its kind. */
        public ElicitRequestURLParams() {
            set("mode", "url");
        }

        /**
         * Reads one.
         *
         * @param value an object
         */
        public ElicitRequestURLParams(JsonValue value) {
            super(value);
        }

        /**
         * Metadata of the protocol, of extensions and of applications.
         *
         * @return the value; {@link JsonValue#ABSENT} if it is missing
         */
        public JsonValue meta() {
            return get("_meta");
        }

        /** Sets {@code _meta}.
         * @param value the new value
         * @return this */
        public ElicitRequestURLParams meta(Object value) {
            return set("_meta", value);
        }

        /**
         * The ID of the elicitation, which must be unique within the context of the server. The client MUST treat this
         * ID as an opaque value.
         *
         * @return the value; null if it is absent
         */
        public String elicitationId() {
            return one("elicitationId", JsonValue::asText);
        }

        /** Sets {@code elicitationId}.
         * @param value the new value
         * @return this */
        public ElicitRequestURLParams elicitationId(String value) {
            return set("elicitationId", value);
        }

        /**
         * The message to present to the user explaining why the interaction is needed.
         *
         * @return the value; null if it is absent
         */
        public String message() {
            return one("message", JsonValue::asText);
        }

        /** Sets {@code message}.
         * @param value the new value
         * @return this */
        public ElicitRequestURLParams message(String value) {
            return set("message", value);
        }

        /**
         * If specified, the caller is requesting task-augmented execution for this request. The request will return a
         * CreateTaskResult immediately, and the actual result can be retrieved later via tasks/result.
         *
         * @return the value; null if it is absent
         */
        public TaskMetadata task() {
            return one("task", TaskMetadata::new);
        }

        /** Sets {@code task}.
         * @param value the new value
         * @return this */
        public ElicitRequestURLParams task(TaskMetadata value) {
            return set("task", value);
        }

        /**
         * The URL that the user should navigate to.
         *
         * @return the value; null if it is absent
         */
        public String url() {
            return one("url", JsonValue::asText);
        }

        /** Sets {@code url}.
         * @param value the new value
         * @return this */
        public ElicitRequestURLParams url(String value) {
            return set("url", value);
        }
    }

    /**
     * The result returned by the client for an elicitation/create request.
     * Revisions: from 2025-06-18 on.
     */
    public static final class ElicitResult extends Members<ElicitResult> {
        /** Makes one without members. */
        public ElicitResult() {
        }

        /**
         * Reads one.
         *
         * @param value an object
         */
        public ElicitResult(JsonValue value) {
            super(value);
        }

        /**
         * Metadata of the protocol, of extensions and of applications.
         *
         * @return the value; {@link JsonValue#ABSENT} if it is missing
         */
        public JsonValue meta() {
            return get("_meta");
        }

        /** Sets {@code _meta}.
         * @param value the new value
         * @return this */
        public ElicitResult meta(Object value) {
            return set("_meta", value);
        }

        /**
         * The user action in response to the elicitation. - <code>"accept"</code>: User submitted the form/confirmed
         * the action - <code>"decline"</code>: User explicitly declined the action - <code>"cancel"</code>: User
         * dismissed without making an explicit choice Values: accept, cancel, decline.
         *
         * @return the value; null if it is absent
         */
        public String action() {
            return one("action", JsonValue::asText);
        }

        /** Sets {@code action}.
         * @param value the new value
         * @return this */
        public ElicitResult action(String value) {
            return set("action", value);
        }

        /**
         * The submitted form data, only present when action is <code>"accept"</code> and mode was <code>"form"</code>.
         * Contains values matching the requested schema. Omitted for out-of-band mode responses.
         *
         * @return the value; empty if it is absent
         */
        public Map<String, JsonValue> content() {
            return map(get("content"), value -> value);
        }

        /** Sets {@code content}.
         * @param value the new value
         * @return this */
        public ElicitResult content(Map<String, ?> value) {
            return set("content", value);
        }
    }

    /** Revision: 2025-11-25. */
    public static final class ElicitationCompleteNotificationParams extends Members<ElicitationCompleteNotificationParams> {
        /** Makes one without members. */
        public ElicitationCompleteNotificationParams() {
        }

        /**
         * Reads one.
         *
         * @param value an object
         */
        public ElicitationCompleteNotificationParams(JsonValue value) {
            super(value);
        }

        /**
         * The ID of the elicitation that completed.
         *
         * @return the value; null if it is absent
         */
        public String elicitationId() {
            return one("elicitationId", JsonValue::asText);
        }

        /** Sets {@code elicitationId}.
         * @param value the new value
         * @return this */
        public ElicitationCompleteNotificationParams elicitationId(String value) {
            return set("elicitationId", value);
        }
    }

    /**
     * A restricted subset of JSON Schema. Only top-level properties are allowed, without nesting.
     * Revisions: from 2025-06-18 on.
     */
    public static final class ElicitationSchema extends Members<ElicitationSchema> {
        /** Makes one that has only what tells its kind. */
        public ElicitationSchema() {
            set("type", "object");
        }

        /**
         * Reads one.
         *
         * @param value an object
         */
        public ElicitationSchema(JsonValue value) {
            super(value);
        }

        /**
         * The member {@code $schema}.
         *
         * @return the value; null if it is absent
         */
        public String schema() {
            return one("$schema", JsonValue::asText);
        }

        /** Sets {@code $schema}.
         * @param value the new value
         * @return this */
        public ElicitationSchema schema(String value) {
            return set("$schema", value);
        }

        /**
         * The member {@code properties}.
         *
         * @return the value; empty if it is absent
         */
        public Map<String, PrimitiveSchemaDefinition> properties() {
            return map(get("properties"), PrimitiveSchemaDefinition::new);
        }

        /** Sets {@code properties}.
         * @param value the new value
         * @return this */
        public ElicitationSchema properties(Map<String, ? extends PrimitiveSchemaDefinition> value) {
            return set("properties", value);
        }

        /**
         * The member {@code required}.
         *
         * @return the value; empty if it is absent
         */
        public List<String> required() {
            return list(get("required"), JsonValue::asText);
        }

        /** Sets {@code required}.
         * @param value the new value
         * @return this */
        public ElicitationSchema required(List<String> value) {
            return set("required", value);
        }

        /** Sets {@code required}.
         * @param value the new value
         * @return this */
        public ElicitationSchema required(String... value) {
            return set("required", List.of(value));
        }
    }

    /**
     * The contents of a resource, embedded into a prompt or tool call result.
     * Revisions: all.
     */
    public static final class EmbeddedResource extends Members<EmbeddedResource> implements ContentBlock {
        /** Makes one that has only what tells its kind. */
        public EmbeddedResource() {
            set("type", "resource");
        }

        /**
         * Reads one.
         *
         * @param value an object
         */
        public EmbeddedResource(JsonValue value) {
            super(value);
        }

        /**
         * Metadata of the protocol, of extensions and of applications.
         *
         * @return the value; {@link JsonValue#ABSENT} if it is missing
         */
        public JsonValue meta() {
            return get("_meta");
        }

        /** Sets {@code _meta}.
         * @param value the new value
         * @return this */
        public EmbeddedResource meta(Object value) {
            return set("_meta", value);
        }

        /**
         * Optional annotations for the client.
         *
         * @return the value; null if it is absent
         */
        public Annotations annotations() {
            return one("annotations", Annotations::new);
        }

        /** Sets {@code annotations}.
         * @param value the new value
         * @return this */
        public EmbeddedResource annotations(Annotations value) {
            return set("annotations", value);
        }

        /**
         * The member {@code resource}.
         *
         * @return the value; null if it is absent
         */
        public ResourceContents resource() {
            return one("resource", ResourceContents::new);
        }

        /** Sets {@code resource}.
         * @param value the new value
         * @return this */
        public EmbeddedResource resource(ResourceContents value) {
            return set("resource", value);
        }
    }

    /** Revisions: from 2025-11-25 on. */
    public static final class EnumOption extends Members<EnumOption> {
        /** Makes one without members. */
        public EnumOption() {
        }

        /**
         * Reads one.
         *
         * @param value an object
         */
        public EnumOption(JsonValue value) {
            super(value);
        }

        /**
         * The enum value.
         *
         * @return the value; null if it is absent
         */
        public String const_() {
            return one("const", JsonValue::asText);
        }

        /** Sets {@code const}.
         * @param value the new value
         * @return this */
        public EnumOption const_(String value) {
            return set("const", value);
        }

        /**
         * Display label for this option.
         *
         * @return the value; null if it is absent
         */
        public String title() {
            return one("title", JsonValue::asText);
        }

        /** Sets {@code title}.
         * @param value the new value
         * @return this */
        public EnumOption title(String value) {
            return set("title", value);
        }
    }

    /** Revisions: from 2025-11-25 on. */
    public static final class EnumSchema extends Members<EnumSchema> {
        /** Makes one without members. */
        public EnumSchema() {
        }

        /**
         * Reads one.
         *
         * @param value an object
         */
        public EnumSchema(JsonValue value) {
            super(value);
        }

        /**
         * Optional default value.
         *
         * @return the value; {@link JsonValue#ABSENT} if it is missing
         */
        public JsonValue default_() {
            return get("default");
        }

        /** Sets {@code default}.
         * @param value the new value
         * @return this */
        public EnumSchema default_(Object value) {
            return set("default", value);
        }

        /**
         * Optional description for the enum field.
         *
         * @return the value; null if it is absent
         */
        public String description() {
            return one("description", JsonValue::asText);
        }

        /** Sets {@code description}.
         * @param value the new value
         * @return this */
        public EnumSchema description(String value) {
            return set("description", value);
        }

        /**
         * Array of enum values to choose from.
         *
         * @return the value; empty if it is absent
         */
        public List<String> enum_() {
            return list(get("enum"), JsonValue::asText);
        }

        /** Sets {@code enum}.
         * @param value the new value
         * @return this */
        public EnumSchema enum_(List<String> value) {
            return set("enum", value);
        }

        /** Sets {@code enum}.
         * @param value the new value
         * @return this */
        public EnumSchema enum_(String... value) {
            return set("enum", List.of(value));
        }

        /**
         * Optional title for the enum field.
         *
         * @return the value; null if it is absent
         */
        public String title() {
            return one("title", JsonValue::asText);
        }

        /** Sets {@code title}.
         * @param value the new value
         * @return this */
        public EnumSchema title(String value) {
            return set("title", value);
        }

        /**
         * The member {@code type}.
         *
         * @return the value; null if it is absent
         */
        public String type() {
            return one("type", JsonValue::asText);
        }

        /** Sets {@code type}.
         * @param value the new value
         * @return this */
        public EnumSchema type(String value) {
            return set("type", value);
        }

        /**
         * Array of enum options with values and display labels.
         *
         * @return the value; empty if it is absent
         */
        public List<EnumOption> oneOf() {
            return list(get("oneOf"), EnumOption::new);
        }

        /** Sets {@code oneOf}.
         * @param value the new value
         * @return this */
        public EnumSchema oneOf(List<? extends EnumOption> value) {
            return set("oneOf", value);
        }

        /**
         * Schema for the array items.
         *
         * @return the value; {@link JsonValue#ABSENT} if it is missing
         */
        public JsonValue items() {
            return get("items");
        }

        /** Sets {@code items}.
         * @param value the new value
         * @return this */
        public EnumSchema items(Object value) {
            return set("items", value);
        }

        /**
         * Maximum number of items to select.
         *
         * @return the value; null if it is absent
         */
        public Long maxItems() {
            return one("maxItems", JsonValue::asLong);
        }

        /** Sets {@code maxItems}.
         * @param value the new value
         * @return this */
        public EnumSchema maxItems(long value) {
            return set("maxItems", value);
        }

        /**
         * Minimum number of items to select.
         *
         * @return the value; null if it is absent
         */
        public Long minItems() {
            return one("minItems", JsonValue::asLong);
        }

        /** Sets {@code minItems}.
         * @param value the new value
         * @return this */
        public EnumSchema minItems(long value) {
            return set("minItems", value);
        }

        /**
         * (Legacy) Display names for enum values. Non-standard according to JSON schema 2020-12.
         *
         * @return the value; empty if it is absent
         */
        public List<String> enumNames() {
            return list(get("enumNames"), JsonValue::asText);
        }

        /** Sets {@code enumNames}.
         * @param value the new value
         * @return this */
        public EnumSchema enumNames(List<String> value) {
            return set("enumNames", value);
        }

        /** Sets {@code enumNames}.
         * @param value the new value
         * @return this */
        public EnumSchema enumNames(String... value) {
            return set("enumNames", List.of(value));
        }
    }

    /**
     * Parameters for a <code>prompts/get</code> request.
     * Revisions: all.
     */
    public static final class GetPromptRequestParams extends Members<GetPromptRequestParams> {
        /** Makes one without members. */
        public GetPromptRequestParams() {
        }

        /**
         * Reads one.
         *
         * @param value an object
         */
        public GetPromptRequestParams(JsonValue value) {
            super(value);
        }

        /**
         * Metadata of the protocol, of extensions and of applications.
         *
         * @return the value; {@link JsonValue#ABSENT} if it is missing
         */
        public JsonValue meta() {
            return get("_meta");
        }

        /** Sets {@code _meta}.
         * @param value the new value
         * @return this */
        public GetPromptRequestParams meta(Object value) {
            return set("_meta", value);
        }

        /**
         * Arguments to use for templating the prompt.
         *
         * @return the value; empty if it is absent
         */
        public Map<String, String> arguments() {
            return map(get("arguments"), JsonValue::asText);
        }

        /** Sets {@code arguments}.
         * @param value the new value
         * @return this */
        public GetPromptRequestParams arguments(Map<String, String> value) {
            return set("arguments", value);
        }

        /**
         * The member {@code inputResponses}.
         *
         * @return the value; empty if it is absent
         */
        public Map<String, InputResponse> inputResponses() {
            return map(get("inputResponses"), InputResponse::new);
        }

        /** Sets {@code inputResponses}.
         * @param value the new value
         * @return this */
        public GetPromptRequestParams inputResponses(Map<String, ? extends InputResponse> value) {
            return set("inputResponses", value);
        }

        /**
         * The name of the prompt or prompt template.
         *
         * @return the value; null if it is absent
         */
        public String name() {
            return one("name", JsonValue::asText);
        }

        /** Sets {@code name}.
         * @param value the new value
         * @return this */
        public GetPromptRequestParams name(String value) {
            return set("name", value);
        }

        /**
         * The member {@code requestState}.
         *
         * @return the value; null if it is absent
         */
        public String requestState() {
            return one("requestState", JsonValue::asText);
        }

        /** Sets {@code requestState}.
         * @param value the new value
         * @return this */
        public GetPromptRequestParams requestState(String value) {
            return set("requestState", value);
        }
    }

    /**
     * The result returned by the server for a prompts/get request.
     * Revisions: all.
     */
    public static final class GetPromptResult extends Members<GetPromptResult> {
        /** Makes one without members. */
        public GetPromptResult() {
        }

        /**
         * Reads one.
         *
         * @param value an object
         */
        public GetPromptResult(JsonValue value) {
            super(value);
        }

        /**
         * Metadata of the protocol, of extensions and of applications.
         *
         * @return the value; {@link JsonValue#ABSENT} if it is missing
         */
        public JsonValue meta() {
            return get("_meta");
        }

        /** Sets {@code _meta}.
         * @param value the new value
         * @return this */
        public GetPromptResult meta(Object value) {
            return set("_meta", value);
        }

        /**
         * An optional description for the prompt.
         *
         * @return the value; null if it is absent
         */
        public String description() {
            return one("description", JsonValue::asText);
        }

        /** Sets {@code description}.
         * @param value the new value
         * @return this */
        public GetPromptResult description(String value) {
            return set("description", value);
        }

        /**
         * The member {@code messages}.
         *
         * @return the value; empty if it is absent
         */
        public List<PromptMessage> messages() {
            return list(get("messages"), PromptMessage::new);
        }

        /** Sets {@code messages}.
         * @param value the new value
         * @return this */
        public GetPromptResult messages(List<? extends PromptMessage> value) {
            return set("messages", value);
        }

        /**
         * Indicates the type of the result, which allows the client to determine how to parse the result object.
         *
         * @return the value; null if it is absent
         */
        public String resultType() {
            return one("resultType", JsonValue::asText);
        }

        /** Sets {@code resultType}.
         * @param value the new value
         * @return this */
        public GetPromptResult resultType(String value) {
            return set("resultType", value);
        }
    }

    /** Revision: 2025-11-25. */
    public static final class GetTaskPayloadRequestParams extends Members<GetTaskPayloadRequestParams> {
        /** Makes one without members. */
        public GetTaskPayloadRequestParams() {
        }

        /**
         * Reads one.
         *
         * @param value an object
         */
        public GetTaskPayloadRequestParams(JsonValue value) {
            super(value);
        }

        /**
         * The task identifier to retrieve results for.
         *
         * @return the value; null if it is absent
         */
        public String taskId() {
            return one("taskId", JsonValue::asText);
        }

        /** Sets {@code taskId}.
         * @param value the new value
         * @return this */
        public GetTaskPayloadRequestParams taskId(String value) {
            return set("taskId", value);
        }
    }

    /**
     * The response to a tasks/result request. The structure matches the result type of the original request. For
     * example, a tools/call task would return the CallToolResult structure.
     * Revision: 2025-11-25.
     */
    public static final class GetTaskPayloadResult extends Members<GetTaskPayloadResult> {
        /** Makes one without members. */
        public GetTaskPayloadResult() {
        }

        /**
         * Reads one.
         *
         * @param value an object
         */
        public GetTaskPayloadResult(JsonValue value) {
            super(value);
        }

        /**
         * Metadata of the protocol, of extensions and of applications.
         *
         * @return the value; {@link JsonValue#ABSENT} if it is missing
         */
        public JsonValue meta() {
            return get("_meta");
        }

        /** Sets {@code _meta}.
         * @param value the new value
         * @return this */
        public GetTaskPayloadResult meta(Object value) {
            return set("_meta", value);
        }
    }

    /** Revision: 2025-11-25. */
    public static final class GetTaskRequestParams extends Members<GetTaskRequestParams> {
        /** Makes one without members. */
        public GetTaskRequestParams() {
        }

        /**
         * Reads one.
         *
         * @param value an object
         */
        public GetTaskRequestParams(JsonValue value) {
            super(value);
        }

        /**
         * The task identifier to query.
         *
         * @return the value; null if it is absent
         */
        public String taskId() {
            return one("taskId", JsonValue::asText);
        }

        /** Sets {@code taskId}.
         * @param value the new value
         * @return this */
        public GetTaskRequestParams taskId(String value) {
            return set("taskId", value);
        }
    }

    /**
     * The response to a tasks/get request.
     * Revision: 2025-11-25.
     */
    public static final class GetTaskResult extends Members<GetTaskResult> {
        /** Makes one without members. */
        public GetTaskResult() {
        }

        /**
         * Reads one.
         *
         * @param value an object
         */
        public GetTaskResult(JsonValue value) {
            super(value);
        }

        /**
         * Metadata of the protocol, of extensions and of applications.
         *
         * @return the value; {@link JsonValue#ABSENT} if it is missing
         */
        public JsonValue meta() {
            return get("_meta");
        }

        /** Sets {@code _meta}.
         * @param value the new value
         * @return this */
        public GetTaskResult meta(Object value) {
            return set("_meta", value);
        }

        /**
         * ISO 8601 timestamp when the task was created.
         *
         * @return the value; null if it is absent
         */
        public String createdAt() {
            return one("createdAt", JsonValue::asText);
        }

        /** Sets {@code createdAt}.
         * @param value the new value
         * @return this */
        public GetTaskResult createdAt(String value) {
            return set("createdAt", value);
        }

        /**
         * ISO 8601 timestamp when the task was last updated.
         *
         * @return the value; null if it is absent
         */
        public String lastUpdatedAt() {
            return one("lastUpdatedAt", JsonValue::asText);
        }

        /** Sets {@code lastUpdatedAt}.
         * @param value the new value
         * @return this */
        public GetTaskResult lastUpdatedAt(String value) {
            return set("lastUpdatedAt", value);
        }

        /**
         * Suggested polling interval in milliseconds.
         *
         * @return the value; null if it is absent
         */
        public Long pollInterval() {
            return one("pollInterval", JsonValue::asLong);
        }

        /** Sets {@code pollInterval}.
         * @param value the new value
         * @return this */
        public GetTaskResult pollInterval(long value) {
            return set("pollInterval", value);
        }

        /**
         * Current task state.
         *
         * @return the value; null if it is absent
         */
        public String status() {
            return one("status", JsonValue::asText);
        }

        /** Sets {@code status}.
         * @param value the new value
         * @return this */
        public GetTaskResult status(String value) {
            return set("status", value);
        }

        /**
         * Optional human-readable message describing the current task state. This can provide context for any status,
         * including: - Reasons for "cancelled" status - Summaries for "completed" status - Diagnostic information for
         * "failed" status (e.g., error details, what went wrong)
         *
         * @return the value; null if it is absent
         */
        public String statusMessage() {
            return one("statusMessage", JsonValue::asText);
        }

        /** Sets {@code statusMessage}.
         * @param value the new value
         * @return this */
        public GetTaskResult statusMessage(String value) {
            return set("statusMessage", value);
        }

        /**
         * The task identifier.
         *
         * @return the value; null if it is absent
         */
        public String taskId() {
            return one("taskId", JsonValue::asText);
        }

        /** Sets {@code taskId}.
         * @param value the new value
         * @return this */
        public GetTaskResult taskId(String value) {
            return set("taskId", value);
        }

        /**
         * Actual retention duration from creation in milliseconds, null for unlimited.
         *
         * @return the value; null if it is absent
         */
        public Long ttl() {
            return one("ttl", JsonValue::asLong);
        }

        /** Sets {@code ttl}.
         * @param value the new value
         * @return this */
        public GetTaskResult ttl(long value) {
            return set("ttl", value);
        }
    }

    /**
     * An optionally-sized icon that can be displayed in a user interface.
     * Revisions: from 2025-11-25 on.
     */
    public static final class Icon extends Members<Icon> {
        /** Makes one without members. */
        public Icon() {
        }

        /**
         * Reads one.
         *
         * @param value an object
         */
        public Icon(JsonValue value) {
            super(value);
        }

        /**
         * Optional MIME type override if the source MIME type is missing or generic. For example:
         * <code>"image/png"</code>, <code>"image/jpeg"</code>, or <code>"image/svg+xml"</code>.
         *
         * @return the value; null if it is absent
         */
        public String mimeType() {
            return one("mimeType", JsonValue::asText);
        }

        /** Sets {@code mimeType}.
         * @param value the new value
         * @return this */
        public Icon mimeType(String value) {
            return set("mimeType", value);
        }

        /**
         * Optional array of strings that specify sizes at which the icon can be used. Each string should be in WxH
         * format (e.g., <code>"48x48"</code>, <code>"96x96"</code>) or <code>"any"</code> for scalable formats like
         * SVG.
         *
         * @return the value; empty if it is absent
         */
        public List<String> sizes() {
            return list(get("sizes"), JsonValue::asText);
        }

        /** Sets {@code sizes}.
         * @param value the new value
         * @return this */
        public Icon sizes(List<String> value) {
            return set("sizes", value);
        }

        /** Sets {@code sizes}.
         * @param value the new value
         * @return this */
        public Icon sizes(String... value) {
            return set("sizes", List.of(value));
        }

        /**
         * A standard URI pointing to an icon resource. May be an HTTP/HTTPS URL or a <code>data:</code> URI with
         * Base64-encoded image data.
         *
         * @return the value; null if it is absent
         */
        public String src() {
            return one("src", JsonValue::asText);
        }

        /** Sets {@code src}.
         * @param value the new value
         * @return this */
        public Icon src(String value) {
            return set("src", value);
        }

        /**
         * Optional specifier for the theme this icon is designed for. <code>"light"</code> indicates the icon is
         * designed to be used with a light background, and <code>"dark"</code> indicates the icon is designed to be
         * used with a dark background. Values: dark, light.
         *
         * @return the value; null if it is absent
         */
        public String theme() {
            return one("theme", JsonValue::asText);
        }

        /** Sets {@code theme}.
         * @param value the new value
         * @return this */
        public Icon theme(String value) {
            return set("theme", value);
        }
    }

    /**
     * An image provided to or from an LLM.
     * Revisions: all.
     */
    public static final class ImageContent extends Members<ImageContent> implements ContentBlock, SamplingMessageContentBlock {
        /** Makes one that has only what tells its kind. */
        public ImageContent() {
            set("type", "image");
        }

        /**
         * Reads one.
         *
         * @param value an object
         */
        public ImageContent(JsonValue value) {
            super(value);
        }

        /**
         * Metadata of the protocol, of extensions and of applications.
         *
         * @return the value; {@link JsonValue#ABSENT} if it is missing
         */
        public JsonValue meta() {
            return get("_meta");
        }

        /** Sets {@code _meta}.
         * @param value the new value
         * @return this */
        public ImageContent meta(Object value) {
            return set("_meta", value);
        }

        /**
         * Optional annotations for the client.
         *
         * @return the value; null if it is absent
         */
        public Annotations annotations() {
            return one("annotations", Annotations::new);
        }

        /** Sets {@code annotations}.
         * @param value the new value
         * @return this */
        public ImageContent annotations(Annotations value) {
            return set("annotations", value);
        }

        /**
         * The base64-encoded image data.
         *
         * @return the value; null if it is absent
         */
        public String data() {
            return one("data", JsonValue::asText);
        }

        /** Sets {@code data}.
         * @param value the new value
         * @return this */
        public ImageContent data(String value) {
            return set("data", value);
        }

        /**
         * The MIME type of the image. Different providers may support different image types.
         *
         * @return the value; null if it is absent
         */
        public String mimeType() {
            return one("mimeType", JsonValue::asText);
        }

        /** Sets {@code mimeType}.
         * @param value the new value
         * @return this */
        public ImageContent mimeType(String value) {
            return set("mimeType", value);
        }
    }

    /**
     * Describes the MCP implementation.
     * Revisions: all.
     */
    public static final class Implementation extends Members<Implementation> {
        /** Makes one without members. */
        public Implementation() {
        }

        /**
         * Reads one.
         *
         * @param value an object
         */
        public Implementation(JsonValue value) {
            super(value);
        }

        /**
         * An optional human-readable description of what this implementation does.
         *
         * @return the value; null if it is absent
         */
        public String description() {
            return one("description", JsonValue::asText);
        }

        /** Sets {@code description}.
         * @param value the new value
         * @return this */
        public Implementation description(String value) {
            return set("description", value);
        }

        /**
         * Optional set of sized icons that the client can display in a user interface.
         *
         * @return the value; empty if it is absent
         */
        public List<Icon> icons() {
            return list(get("icons"), Icon::new);
        }

        /** Sets {@code icons}.
         * @param value the new value
         * @return this */
        public Implementation icons(List<? extends Icon> value) {
            return set("icons", value);
        }

        /**
         * Intended for programmatic or logical use, but used as a display name in past specs or fallback (if title
         * isn't present).
         *
         * @return the value; null if it is absent
         */
        public String name() {
            return one("name", JsonValue::asText);
        }

        /** Sets {@code name}.
         * @param value the new value
         * @return this */
        public Implementation name(String value) {
            return set("name", value);
        }

        /**
         * Intended for UI and end-user contexts — optimized to be human-readable and easily understood, even by those
         * unfamiliar with domain-specific terminology.
         *
         * @return the value; null if it is absent
         */
        public String title() {
            return one("title", JsonValue::asText);
        }

        /** Sets {@code title}.
         * @param value the new value
         * @return this */
        public Implementation title(String value) {
            return set("title", value);
        }

        /**
         * The version of this implementation.
         *
         * @return the value; null if it is absent
         */
        public String version() {
            return one("version", JsonValue::asText);
        }

        /** Sets {@code version}.
         * @param value the new value
         * @return this */
        public Implementation version(String value) {
            return set("version", value);
        }

        /**
         * An optional URL of the website for this implementation.
         *
         * @return the value; null if it is absent
         */
        public String websiteUrl() {
            return one("websiteUrl", JsonValue::asText);
        }

        /** Sets {@code websiteUrl}.
         * @param value the new value
         * @return this */
        public Implementation websiteUrl(String value) {
            return set("websiteUrl", value);
        }
    }

    /**
     * Parameters for an <code>initialize</code> request.
     * Revisions: 2024-11-05 to 2025-11-25.
     */
    public static final class InitializeRequestParams extends Members<InitializeRequestParams> {
        /** Makes one without members. */
        public InitializeRequestParams() {
        }

        /**
         * Reads one.
         *
         * @param value an object
         */
        public InitializeRequestParams(JsonValue value) {
            super(value);
        }

        /**
         * Metadata of the protocol, of extensions and of applications.
         *
         * @return the value; {@link JsonValue#ABSENT} if it is missing
         */
        public JsonValue meta() {
            return get("_meta");
        }

        /** Sets {@code _meta}.
         * @param value the new value
         * @return this */
        public InitializeRequestParams meta(Object value) {
            return set("_meta", value);
        }

        /**
         * The member {@code capabilities}.
         *
         * @return the value; null if it is absent
         */
        public ClientCapabilities capabilities() {
            return one("capabilities", ClientCapabilities::new);
        }

        /** Sets {@code capabilities}.
         * @param value the new value
         * @return this */
        public InitializeRequestParams capabilities(ClientCapabilities value) {
            return set("capabilities", value);
        }

        /**
         * The member {@code clientInfo}.
         *
         * @return the value; null if it is absent
         */
        public Implementation clientInfo() {
            return one("clientInfo", Implementation::new);
        }

        /** Sets {@code clientInfo}.
         * @param value the new value
         * @return this */
        public InitializeRequestParams clientInfo(Implementation value) {
            return set("clientInfo", value);
        }

        /**
         * The latest version of the Model Context Protocol that the client supports. The client MAY decide to support
         * older versions as well.
         *
         * @return the value; null if it is absent
         */
        public String protocolVersion() {
            return one("protocolVersion", JsonValue::asText);
        }

        /** Sets {@code protocolVersion}.
         * @param value the new value
         * @return this */
        public InitializeRequestParams protocolVersion(String value) {
            return set("protocolVersion", value);
        }
    }

    /**
     * After receiving an initialize request from the client, the server sends this response.
     * Revisions: 2024-11-05 to 2025-11-25.
     */
    public static final class InitializeResult extends Members<InitializeResult> {
        /** Makes one without members. */
        public InitializeResult() {
        }

        /**
         * Reads one.
         *
         * @param value an object
         */
        public InitializeResult(JsonValue value) {
            super(value);
        }

        /**
         * Metadata of the protocol, of extensions and of applications.
         *
         * @return the value; {@link JsonValue#ABSENT} if it is missing
         */
        public JsonValue meta() {
            return get("_meta");
        }

        /** Sets {@code _meta}.
         * @param value the new value
         * @return this */
        public InitializeResult meta(Object value) {
            return set("_meta", value);
        }

        /**
         * The member {@code capabilities}.
         *
         * @return the value; null if it is absent
         */
        public ServerCapabilities capabilities() {
            return one("capabilities", ServerCapabilities::new);
        }

        /** Sets {@code capabilities}.
         * @param value the new value
         * @return this */
        public InitializeResult capabilities(ServerCapabilities value) {
            return set("capabilities", value);
        }

        /**
         * Instructions describing how to use the server and its features.
         *
         * @return the value; null if it is absent
         */
        public String instructions() {
            return one("instructions", JsonValue::asText);
        }

        /** Sets {@code instructions}.
         * @param value the new value
         * @return this */
        public InitializeResult instructions(String value) {
            return set("instructions", value);
        }

        /**
         * The version of the Model Context Protocol that the server wants to use. This may not match the version that
         * the client requested. If the client cannot support this version, it MUST disconnect.
         *
         * @return the value; null if it is absent
         */
        public String protocolVersion() {
            return one("protocolVersion", JsonValue::asText);
        }

        /** Sets {@code protocolVersion}.
         * @param value the new value
         * @return this */
        public InitializeResult protocolVersion(String value) {
            return set("protocolVersion", value);
        }

        /**
         * The member {@code serverInfo}.
         *
         * @return the value; null if it is absent
         */
        public Implementation serverInfo() {
            return one("serverInfo", Implementation::new);
        }

        /** Sets {@code serverInfo}.
         * @param value the new value
         * @return this */
        public InitializeResult serverInfo(Implementation value) {
            return set("serverInfo", value);
        }
    }

    /** Revision: 2026-07-28. */
    public sealed interface InputRequest permits CreateMessageRequest, ListRootsRequest, ElicitRequest, Unknown {
        /**
         * The object, with all its members.
         *
         * @return the object
         */
        JsonValue json();

        /**
         * The variant that an object is.
         *
         * @param value the object
         * @return the variant
         */
        static InputRequest of(JsonValue value) {
            return switch (value.get("method").asText("")) {
                case "sampling/createMessage" -> new CreateMessageRequest(value);
                case "roots/list" -> new ListRootsRequest(value);
                case "elicitation/create" -> new ElicitRequest(value);
                default -> new Unknown(value);
            };
        }
    }

    /**
     * An InputRequiredResult sent by the server to indicate that additional input is needed before the request can be
     * completed.
     * Revision: 2026-07-28.
     */
    public static final class InputRequiredResult extends Members<InputRequiredResult> {
        /** Makes one without members. */
        public InputRequiredResult() {
        }

        /**
         * Reads one.
         *
         * @param value an object
         */
        public InputRequiredResult(JsonValue value) {
            super(value);
        }

        /**
         * Metadata of the protocol, of extensions and of applications.
         *
         * @return the value; {@link JsonValue#ABSENT} if it is missing
         */
        public JsonValue meta() {
            return get("_meta");
        }

        /** Sets {@code _meta}.
         * @param value the new value
         * @return this */
        public InputRequiredResult meta(Object value) {
            return set("_meta", value);
        }

        /**
         * The member {@code inputRequests}.
         *
         * @return the value; empty if it is absent
         */
        public Map<String, InputRequest> inputRequests() {
            return map(get("inputRequests"), InputRequest::of);
        }

        /** Sets {@code inputRequests}.
         * @param value the new value
         * @return this */
        public InputRequiredResult inputRequests(Map<String, ? extends InputRequest> value) {
            return set("inputRequests", value);
        }

        /**
         * The member {@code requestState}.
         *
         * @return the value; null if it is absent
         */
        public String requestState() {
            return one("requestState", JsonValue::asText);
        }

        /** Sets {@code requestState}.
         * @param value the new value
         * @return this */
        public InputRequiredResult requestState(String value) {
            return set("requestState", value);
        }

        /**
         * Indicates the type of the result, which allows the client to determine how to parse the result object.
         *
         * @return the value; null if it is absent
         */
        public String resultType() {
            return one("resultType", JsonValue::asText);
        }

        /** Sets {@code resultType}.
         * @param value the new value
         * @return this */
        public InputRequiredResult resultType(String value) {
            return set("resultType", value);
        }
    }

    /** Revision: 2026-07-28. */
    public static final class InputResponse extends Members<InputResponse> {
        /** Makes one without members. */
        public InputResponse() {
        }

        /**
         * Reads one.
         *
         * @param value an object
         */
        public InputResponse(JsonValue value) {
            super(value);
        }

        /**
         * Metadata of the protocol, of extensions and of applications.
         *
         * @return the value; {@link JsonValue#ABSENT} if it is missing
         */
        public JsonValue meta() {
            return get("_meta");
        }

        /** Sets {@code _meta}.
         * @param value the new value
         * @return this */
        public InputResponse meta(Object value) {
            return set("_meta", value);
        }

        /**
         * The member {@code content}.
         *
         * @return the value; {@link JsonValue#ABSENT} if it is missing
         */
        public JsonValue content() {
            return get("content");
        }

        /** Sets {@code content}.
         * @param value the new value
         * @return this */
        public InputResponse content(Object value) {
            return set("content", value);
        }

        /**
         * The name of the model that generated the message.
         *
         * @return the value; null if it is absent
         */
        public String model() {
            return one("model", JsonValue::asText);
        }

        /** Sets {@code model}.
         * @param value the new value
         * @return this */
        public InputResponse model(String value) {
            return set("model", value);
        }

        /**
         * The member {@code role}.
         *
         * @return the value; null if it is absent
         */
        public String role() {
            return one("role", JsonValue::asText);
        }

        /** Sets {@code role}.
         * @param value the new value
         * @return this */
        public InputResponse role(String value) {
            return set("role", value);
        }

        /**
         * The reason why sampling stopped, if known.
         *
         * @return the value; null if it is absent
         */
        public String stopReason() {
            return one("stopReason", JsonValue::asText);
        }

        /** Sets {@code stopReason}.
         * @param value the new value
         * @return this */
        public InputResponse stopReason(String value) {
            return set("stopReason", value);
        }

        /**
         * The member {@code roots}.
         *
         * @return the value; empty if it is absent
         */
        public List<Root> roots() {
            return list(get("roots"), Root::new);
        }

        /** Sets {@code roots}.
         * @param value the new value
         * @return this */
        public InputResponse roots(List<? extends Root> value) {
            return set("roots", value);
        }

        /**
         * The user action in response to the elicitation. - <code>"accept"</code>: User submitted the form/confirmed
         * the action - <code>"decline"</code>: User explicitly declined the action - <code>"cancel"</code>: User
         * dismissed without making an explicit choice Values: accept, cancel, decline.
         *
         * @return the value; null if it is absent
         */
        public String action() {
            return one("action", JsonValue::asText);
        }

        /** Sets {@code action}.
         * @param value the new value
         * @return this */
        public InputResponse action(String value) {
            return set("action", value);
        }
    }

    /** Revision: 2026-07-28. */
    public static final class InputResponseRequestParams extends Members<InputResponseRequestParams> {
        /** Makes one without members. */
        public InputResponseRequestParams() {
        }

        /**
         * Reads one.
         *
         * @param value an object
         */
        public InputResponseRequestParams(JsonValue value) {
            super(value);
        }

        /**
         * Metadata of the protocol, of extensions and of applications.
         *
         * @return the value; {@link JsonValue#ABSENT} if it is missing
         */
        public JsonValue meta() {
            return get("_meta");
        }

        /** Sets {@code _meta}.
         * @param value the new value
         * @return this */
        public InputResponseRequestParams meta(Object value) {
            return set("_meta", value);
        }

        /**
         * The member {@code inputResponses}.
         *
         * @return the value; empty if it is absent
         */
        public Map<String, InputResponse> inputResponses() {
            return map(get("inputResponses"), InputResponse::new);
        }

        /** Sets {@code inputResponses}.
         * @param value the new value
         * @return this */
        public InputResponseRequestParams inputResponses(Map<String, ? extends InputResponse> value) {
            return set("inputResponses", value);
        }

        /**
         * The member {@code requestState}.
         *
         * @return the value; null if it is absent
         */
        public String requestState() {
            return one("requestState", JsonValue::asText);
        }

        /** Sets {@code requestState}.
         * @param value the new value
         * @return this */
        public InputResponseRequestParams requestState(String value) {
            return set("requestState", value);
        }
    }

    /**
     * Use TitledSingleSelectEnumSchema instead. This interface will be removed in a future version.
     * Revisions: from 2025-06-18 on.
     */
    public static final class LegacyTitledEnumSchema extends Members<LegacyTitledEnumSchema> {
        /** Makes one that has only what tells its kind. */
        public LegacyTitledEnumSchema() {
            set("type", "string");
        }

        /**
         * Reads one.
         *
         * @param value an object
         */
        public LegacyTitledEnumSchema(JsonValue value) {
            super(value);
        }

        /**
         * The member {@code default}.
         *
         * @return the value; null if it is absent
         */
        public String default_() {
            return one("default", JsonValue::asText);
        }

        /** Sets {@code default}.
         * @param value the new value
         * @return this */
        public LegacyTitledEnumSchema default_(String value) {
            return set("default", value);
        }

        /**
         * The member {@code description}.
         *
         * @return the value; null if it is absent
         */
        public String description() {
            return one("description", JsonValue::asText);
        }

        /** Sets {@code description}.
         * @param value the new value
         * @return this */
        public LegacyTitledEnumSchema description(String value) {
            return set("description", value);
        }

        /**
         * The member {@code enum}.
         *
         * @return the value; empty if it is absent
         */
        public List<String> enum_() {
            return list(get("enum"), JsonValue::asText);
        }

        /** Sets {@code enum}.
         * @param value the new value
         * @return this */
        public LegacyTitledEnumSchema enum_(List<String> value) {
            return set("enum", value);
        }

        /** Sets {@code enum}.
         * @param value the new value
         * @return this */
        public LegacyTitledEnumSchema enum_(String... value) {
            return set("enum", List.of(value));
        }

        /**
         * (Legacy) Display names for enum values. Non-standard according to JSON schema 2020-12.
         *
         * @return the value; empty if it is absent
         */
        public List<String> enumNames() {
            return list(get("enumNames"), JsonValue::asText);
        }

        /** Sets {@code enumNames}.
         * @param value the new value
         * @return this */
        public LegacyTitledEnumSchema enumNames(List<String> value) {
            return set("enumNames", value);
        }

        /** Sets {@code enumNames}.
         * @param value the new value
         * @return this */
        public LegacyTitledEnumSchema enumNames(String... value) {
            return set("enumNames", List.of(value));
        }

        /**
         * The member {@code title}.
         *
         * @return the value; null if it is absent
         */
        public String title() {
            return one("title", JsonValue::asText);
        }

        /** Sets {@code title}.
         * @param value the new value
         * @return this */
        public LegacyTitledEnumSchema title(String value) {
            return set("title", value);
        }
    }

    /**
     * The result returned by the server for a prompts/list request.
     * Revisions: all.
     */
    public static final class ListPromptsResult extends Members<ListPromptsResult> {
        /** Makes one without members. */
        public ListPromptsResult() {
        }

        /**
         * Reads one.
         *
         * @param value an object
         */
        public ListPromptsResult(JsonValue value) {
            super(value);
        }

        /**
         * Metadata of the protocol, of extensions and of applications.
         *
         * @return the value; {@link JsonValue#ABSENT} if it is missing
         */
        public JsonValue meta() {
            return get("_meta");
        }

        /** Sets {@code _meta}.
         * @param value the new value
         * @return this */
        public ListPromptsResult meta(Object value) {
            return set("_meta", value);
        }

        /**
         * Indicates the intended scope of the cached response, analogous to HTTP <code>Cache-Control: public</code> vs
         * <code>Cache-Control: private</code>. Values: private, public.
         *
         * @return the value; null if it is absent
         */
        public String cacheScope() {
            return one("cacheScope", JsonValue::asText);
        }

        /** Sets {@code cacheScope}.
         * @param value the new value
         * @return this */
        public ListPromptsResult cacheScope(String value) {
            return set("cacheScope", value);
        }

        /**
         * An opaque token representing the pagination position after the last returned result. If present, there may
         * be more results available.
         *
         * @return the value; null if it is absent
         */
        public String nextCursor() {
            return one("nextCursor", JsonValue::asText);
        }

        /** Sets {@code nextCursor}.
         * @param value the new value
         * @return this */
        public ListPromptsResult nextCursor(String value) {
            return set("nextCursor", value);
        }

        /**
         * The member {@code prompts}.
         *
         * @return the value; empty if it is absent
         */
        public List<Prompt> prompts() {
            return list(get("prompts"), Prompt::new);
        }

        /** Sets {@code prompts}.
         * @param value the new value
         * @return this */
        public ListPromptsResult prompts(List<? extends Prompt> value) {
            return set("prompts", value);
        }

        /**
         * Indicates the type of the result, which allows the client to determine how to parse the result object.
         *
         * @return the value; null if it is absent
         */
        public String resultType() {
            return one("resultType", JsonValue::asText);
        }

        /** Sets {@code resultType}.
         * @param value the new value
         * @return this */
        public ListPromptsResult resultType(String value) {
            return set("resultType", value);
        }

        /**
         * A hint from the server indicating how long (in milliseconds) the client MAY cache this response before
         * re-fetching. Semantics are analogous to HTTP Cache-Control max-age.
         *
         * @return the value; null if it is absent
         */
        public Long ttlMs() {
            return one("ttlMs", JsonValue::asLong);
        }

        /** Sets {@code ttlMs}.
         * @param value the new value
         * @return this */
        public ListPromptsResult ttlMs(long value) {
            return set("ttlMs", value);
        }
    }

    /**
     * The result returned by the server for a resources/templates/list request.
     * Revisions: all.
     */
    public static final class ListResourceTemplatesResult extends Members<ListResourceTemplatesResult> {
        /** Makes one without members. */
        public ListResourceTemplatesResult() {
        }

        /**
         * Reads one.
         *
         * @param value an object
         */
        public ListResourceTemplatesResult(JsonValue value) {
            super(value);
        }

        /**
         * Metadata of the protocol, of extensions and of applications.
         *
         * @return the value; {@link JsonValue#ABSENT} if it is missing
         */
        public JsonValue meta() {
            return get("_meta");
        }

        /** Sets {@code _meta}.
         * @param value the new value
         * @return this */
        public ListResourceTemplatesResult meta(Object value) {
            return set("_meta", value);
        }

        /**
         * Indicates the intended scope of the cached response, analogous to HTTP <code>Cache-Control: public</code> vs
         * <code>Cache-Control: private</code>. Values: private, public.
         *
         * @return the value; null if it is absent
         */
        public String cacheScope() {
            return one("cacheScope", JsonValue::asText);
        }

        /** Sets {@code cacheScope}.
         * @param value the new value
         * @return this */
        public ListResourceTemplatesResult cacheScope(String value) {
            return set("cacheScope", value);
        }

        /**
         * An opaque token representing the pagination position after the last returned result. If present, there may
         * be more results available.
         *
         * @return the value; null if it is absent
         */
        public String nextCursor() {
            return one("nextCursor", JsonValue::asText);
        }

        /** Sets {@code nextCursor}.
         * @param value the new value
         * @return this */
        public ListResourceTemplatesResult nextCursor(String value) {
            return set("nextCursor", value);
        }

        /**
         * The member {@code resourceTemplates}.
         *
         * @return the value; empty if it is absent
         */
        public List<ResourceTemplate> resourceTemplates() {
            return list(get("resourceTemplates"), ResourceTemplate::new);
        }

        /** Sets {@code resourceTemplates}.
         * @param value the new value
         * @return this */
        public ListResourceTemplatesResult resourceTemplates(List<? extends ResourceTemplate> value) {
            return set("resourceTemplates", value);
        }

        /**
         * Indicates the type of the result, which allows the client to determine how to parse the result object.
         *
         * @return the value; null if it is absent
         */
        public String resultType() {
            return one("resultType", JsonValue::asText);
        }

        /** Sets {@code resultType}.
         * @param value the new value
         * @return this */
        public ListResourceTemplatesResult resultType(String value) {
            return set("resultType", value);
        }

        /**
         * A hint from the server indicating how long (in milliseconds) the client MAY cache this response before
         * re-fetching. Semantics are analogous to HTTP Cache-Control max-age.
         *
         * @return the value; null if it is absent
         */
        public Long ttlMs() {
            return one("ttlMs", JsonValue::asLong);
        }

        /** Sets {@code ttlMs}.
         * @param value the new value
         * @return this */
        public ListResourceTemplatesResult ttlMs(long value) {
            return set("ttlMs", value);
        }
    }

    /**
     * The result returned by the server for a resources/list request.
     * Revisions: all.
     */
    public static final class ListResourcesResult extends Members<ListResourcesResult> {
        /** Makes one without members. */
        public ListResourcesResult() {
        }

        /**
         * Reads one.
         *
         * @param value an object
         */
        public ListResourcesResult(JsonValue value) {
            super(value);
        }

        /**
         * Metadata of the protocol, of extensions and of applications.
         *
         * @return the value; {@link JsonValue#ABSENT} if it is missing
         */
        public JsonValue meta() {
            return get("_meta");
        }

        /** Sets {@code _meta}.
         * @param value the new value
         * @return this */
        public ListResourcesResult meta(Object value) {
            return set("_meta", value);
        }

        /**
         * Indicates the intended scope of the cached response, analogous to HTTP <code>Cache-Control: public</code> vs
         * <code>Cache-Control: private</code>. Values: private, public.
         *
         * @return the value; null if it is absent
         */
        public String cacheScope() {
            return one("cacheScope", JsonValue::asText);
        }

        /** Sets {@code cacheScope}.
         * @param value the new value
         * @return this */
        public ListResourcesResult cacheScope(String value) {
            return set("cacheScope", value);
        }

        /**
         * An opaque token representing the pagination position after the last returned result. If present, there may
         * be more results available.
         *
         * @return the value; null if it is absent
         */
        public String nextCursor() {
            return one("nextCursor", JsonValue::asText);
        }

        /** Sets {@code nextCursor}.
         * @param value the new value
         * @return this */
        public ListResourcesResult nextCursor(String value) {
            return set("nextCursor", value);
        }

        /**
         * The member {@code resources}.
         *
         * @return the value; empty if it is absent
         */
        public List<Resource> resources() {
            return list(get("resources"), Resource::new);
        }

        /** Sets {@code resources}.
         * @param value the new value
         * @return this */
        public ListResourcesResult resources(List<? extends Resource> value) {
            return set("resources", value);
        }

        /**
         * Indicates the type of the result, which allows the client to determine how to parse the result object.
         *
         * @return the value; null if it is absent
         */
        public String resultType() {
            return one("resultType", JsonValue::asText);
        }

        /** Sets {@code resultType}.
         * @param value the new value
         * @return this */
        public ListResourcesResult resultType(String value) {
            return set("resultType", value);
        }

        /**
         * A hint from the server indicating how long (in milliseconds) the client MAY cache this response before
         * re-fetching. Semantics are analogous to HTTP Cache-Control max-age.
         *
         * @return the value; null if it is absent
         */
        public Long ttlMs() {
            return one("ttlMs", JsonValue::asLong);
        }

        /** Sets {@code ttlMs}.
         * @param value the new value
         * @return this */
        public ListResourcesResult ttlMs(long value) {
            return set("ttlMs", value);
        }
    }

    /**
     * Sent from the server to request a list of root URIs from the client. Roots allow servers to ask for specific
     * directories or files to operate on. A common example for roots is providing a set of repositories or directories
     * a server should operate on.
     * Revision: 2026-07-28.
     *
     * Deprecated: 2026-07-28 deprecates sampling, roots and log messages (SEP-2577). They work in every revision that
     * has them.
     */
    public static final class ListRootsRequest extends Members<ListRootsRequest> implements InputRequest {
        /** Makes one that has only what tells its kind. */
        public ListRootsRequest() {
            set("method", "roots/list");
        }

        /**
         * Reads one.
         *
         * @param value an object
         */
        public ListRootsRequest(JsonValue value) {
            super(value);
        }

        /**
         * The member {@code params}.
         *
         * @return the value; {@link JsonValue#ABSENT} if it is missing
         */
        public JsonValue params() {
            return get("params");
        }

        /** Sets {@code params}.
         * @param value the new value
         * @return this */
        public ListRootsRequest params(Object value) {
            return set("params", value);
        }
    }

    /**
     * The result returned by the client for a roots/list request. This result contains an array of Root objects, each
     * representing a root directory or file that the server can operate on.
     * Revisions: all.
     *
     * Deprecated: 2026-07-28 deprecates sampling, roots and log messages (SEP-2577). They work in every revision that
     * has them.
     */
    public static final class ListRootsResult extends Members<ListRootsResult> {
        /** Makes one without members. */
        public ListRootsResult() {
        }

        /**
         * Reads one.
         *
         * @param value an object
         */
        public ListRootsResult(JsonValue value) {
            super(value);
        }

        /**
         * Metadata of the protocol, of extensions and of applications.
         *
         * @return the value; {@link JsonValue#ABSENT} if it is missing
         */
        public JsonValue meta() {
            return get("_meta");
        }

        /** Sets {@code _meta}.
         * @param value the new value
         * @return this */
        public ListRootsResult meta(Object value) {
            return set("_meta", value);
        }

        /**
         * The member {@code roots}.
         *
         * @return the value; empty if it is absent
         */
        public List<Root> roots() {
            return list(get("roots"), Root::new);
        }

        /** Sets {@code roots}.
         * @param value the new value
         * @return this */
        public ListRootsResult roots(List<? extends Root> value) {
            return set("roots", value);
        }
    }

    /**
     * The response to a tasks/list request.
     * Revision: 2025-11-25.
     */
    public static final class ListTasksResult extends Members<ListTasksResult> {
        /** Makes one without members. */
        public ListTasksResult() {
        }

        /**
         * Reads one.
         *
         * @param value an object
         */
        public ListTasksResult(JsonValue value) {
            super(value);
        }

        /**
         * Metadata of the protocol, of extensions and of applications.
         *
         * @return the value; {@link JsonValue#ABSENT} if it is missing
         */
        public JsonValue meta() {
            return get("_meta");
        }

        /** Sets {@code _meta}.
         * @param value the new value
         * @return this */
        public ListTasksResult meta(Object value) {
            return set("_meta", value);
        }

        /**
         * An opaque token representing the pagination position after the last returned result. If present, there may
         * be more results available.
         *
         * @return the value; null if it is absent
         */
        public String nextCursor() {
            return one("nextCursor", JsonValue::asText);
        }

        /** Sets {@code nextCursor}.
         * @param value the new value
         * @return this */
        public ListTasksResult nextCursor(String value) {
            return set("nextCursor", value);
        }

        /**
         * The member {@code tasks}.
         *
         * @return the value; empty if it is absent
         */
        public List<Task> tasks() {
            return list(get("tasks"), Task::new);
        }

        /** Sets {@code tasks}.
         * @param value the new value
         * @return this */
        public ListTasksResult tasks(List<? extends Task> value) {
            return set("tasks", value);
        }
    }

    /**
     * The result returned by the server for a tools/list request.
     * Revisions: all.
     */
    public static final class ListToolsResult extends Members<ListToolsResult> {
        /** Makes one without members. */
        public ListToolsResult() {
        }

        /**
         * Reads one.
         *
         * @param value an object
         */
        public ListToolsResult(JsonValue value) {
            super(value);
        }

        /**
         * Metadata of the protocol, of extensions and of applications.
         *
         * @return the value; {@link JsonValue#ABSENT} if it is missing
         */
        public JsonValue meta() {
            return get("_meta");
        }

        /** Sets {@code _meta}.
         * @param value the new value
         * @return this */
        public ListToolsResult meta(Object value) {
            return set("_meta", value);
        }

        /**
         * Indicates the intended scope of the cached response, analogous to HTTP <code>Cache-Control: public</code> vs
         * <code>Cache-Control: private</code>. Values: private, public.
         *
         * @return the value; null if it is absent
         */
        public String cacheScope() {
            return one("cacheScope", JsonValue::asText);
        }

        /** Sets {@code cacheScope}.
         * @param value the new value
         * @return this */
        public ListToolsResult cacheScope(String value) {
            return set("cacheScope", value);
        }

        /**
         * An opaque token representing the pagination position after the last returned result. If present, there may
         * be more results available.
         *
         * @return the value; null if it is absent
         */
        public String nextCursor() {
            return one("nextCursor", JsonValue::asText);
        }

        /** Sets {@code nextCursor}.
         * @param value the new value
         * @return this */
        public ListToolsResult nextCursor(String value) {
            return set("nextCursor", value);
        }

        /**
         * Indicates the type of the result, which allows the client to determine how to parse the result object.
         *
         * @return the value; null if it is absent
         */
        public String resultType() {
            return one("resultType", JsonValue::asText);
        }

        /** Sets {@code resultType}.
         * @param value the new value
         * @return this */
        public ListToolsResult resultType(String value) {
            return set("resultType", value);
        }

        /**
         * The member {@code tools}.
         *
         * @return the value; empty if it is absent
         */
        public List<Tool> tools() {
            return list(get("tools"), Tool::new);
        }

        /** Sets {@code tools}.
         * @param value the new value
         * @return this */
        public ListToolsResult tools(List<? extends Tool> value) {
            return set("tools", value);
        }

        /**
         * A hint from the server indicating how long (in milliseconds) the client MAY cache this response before
         * re-fetching. Semantics are analogous to HTTP Cache-Control max-age.
         *
         * @return the value; null if it is absent
         */
        public Long ttlMs() {
            return one("ttlMs", JsonValue::asLong);
        }

        /** Sets {@code ttlMs}.
         * @param value the new value
         * @return this */
        public ListToolsResult ttlMs(long value) {
            return set("ttlMs", value);
        }
    }

    /** The severity of a log message.
Revisions: all.

Deprecated: 2026-07-28 deprecates sampling, roots and log messages (SEP-2577). They work in every revision that has them. */
    public static final class LoggingLevel {
        private LoggingLevel() {
        }

        /** One of the values. */
        public static final String ALERT = "alert";

        /** One of the values. */
        public static final String CRITICAL = "critical";

        /** One of the values. */
        public static final String DEBUG = "debug";

        /** One of the values. */
        public static final String EMERGENCY = "emergency";

        /** One of the values. */
        public static final String ERROR = "error";

        /** One of the values. */
        public static final String INFO = "info";

        /** One of the values. */
        public static final String NOTICE = "notice";

        /** One of the values. */
        public static final String WARNING = "warning";
    }

    /**
     * Parameters for a <code>notifications/message</code> notification.
     * Revisions: all.
     *
     * Deprecated: 2026-07-28 deprecates sampling, roots and log messages (SEP-2577). They work in every revision that
     * has them.
     */
    public static final class LoggingMessageNotificationParams extends Members<LoggingMessageNotificationParams> {
        /** Makes one without members. */
        public LoggingMessageNotificationParams() {
        }

        /**
         * Reads one.
         *
         * @param value an object
         */
        public LoggingMessageNotificationParams(JsonValue value) {
            super(value);
        }

        /**
         * Metadata of the protocol, of extensions and of applications.
         *
         * @return the value; {@link JsonValue#ABSENT} if it is missing
         */
        public JsonValue meta() {
            return get("_meta");
        }

        /** Sets {@code _meta}.
         * @param value the new value
         * @return this */
        public LoggingMessageNotificationParams meta(Object value) {
            return set("_meta", value);
        }

        /**
         * The data to be logged, such as a string message or an object. Any JSON serializable type is allowed here.
         *
         * @return the value; {@link JsonValue#ABSENT} if it is missing
         */
        public JsonValue data() {
            return get("data");
        }

        /** Sets {@code data}.
         * @param value the new value
         * @return this */
        public LoggingMessageNotificationParams data(Object value) {
            return set("data", value);
        }

        /**
         * The severity of this log message.
         *
         * @return the value; null if it is absent
         */
        public String level() {
            return one("level", JsonValue::asText);
        }

        /** Sets {@code level}.
         * @param value the new value
         * @return this */
        public LoggingMessageNotificationParams level(String value) {
            return set("level", value);
        }

        /**
         * An optional name of the logger issuing this message.
         *
         * @return the value; null if it is absent
         */
        public String logger() {
            return one("logger", JsonValue::asText);
        }

        /** Sets {@code logger}.
         * @param value the new value
         * @return this */
        public LoggingMessageNotificationParams logger(String value) {
            return set("logger", value);
        }
    }

    /** Revision: 2026-07-28. */
    public static final class MissingRequiredClientCapabilityErrorData extends Members<MissingRequiredClientCapabilityErrorData> {
        /** Makes one without members. */
        public MissingRequiredClientCapabilityErrorData() {
        }

        /**
         * Reads one.
         *
         * @param value an object
         */
        public MissingRequiredClientCapabilityErrorData(JsonValue value) {
            super(value);
        }

        /**
         * The capabilities the server requires from the client to process this request.
         *
         * @return the value; null if it is absent
         */
        public ClientCapabilities requiredCapabilities() {
            return one("requiredCapabilities", ClientCapabilities::new);
        }

        /** Sets {@code requiredCapabilities}.
         * @param value the new value
         * @return this */
        public MissingRequiredClientCapabilityErrorData requiredCapabilities(ClientCapabilities value) {
            return set("requiredCapabilities", value);
        }
    }

    /**
     * Hints to use for model selection.
     * Revisions: all.
     *
     * Deprecated: 2026-07-28 deprecates sampling, roots and log messages (SEP-2577). They work in every revision that
     * has them.
     */
    public static final class ModelHint extends Members<ModelHint> {
        /** Makes one without members. */
        public ModelHint() {
        }

        /**
         * Reads one.
         *
         * @param value an object
         */
        public ModelHint(JsonValue value) {
            super(value);
        }

        /**
         * A hint for a model name.
         *
         * @return the value; null if it is absent
         */
        public String name() {
            return one("name", JsonValue::asText);
        }

        /** Sets {@code name}.
         * @param value the new value
         * @return this */
        public ModelHint name(String value) {
            return set("name", value);
        }
    }

    /**
     * The server's preferences for model selection, requested of the client during sampling.
     * Revisions: all.
     *
     * Deprecated: 2026-07-28 deprecates sampling, roots and log messages (SEP-2577). They work in every revision that
     * has them.
     */
    public static final class ModelPreferences extends Members<ModelPreferences> {
        /** Makes one without members. */
        public ModelPreferences() {
        }

        /**
         * Reads one.
         *
         * @param value an object
         */
        public ModelPreferences(JsonValue value) {
            super(value);
        }

        /**
         * How much to prioritize cost when selecting a model. A value of 0 means cost is not important, while a value
         * of 1 means cost is the most important factor.
         *
         * @return the value; null if it is absent
         */
        public Double costPriority() {
            return one("costPriority", JsonValue::asDouble);
        }

        /** Sets {@code costPriority}.
         * @param value the new value
         * @return this */
        public ModelPreferences costPriority(double value) {
            return set("costPriority", value);
        }

        /**
         * Optional hints to use for model selection.
         *
         * @return the value; empty if it is absent
         */
        public List<ModelHint> hints() {
            return list(get("hints"), ModelHint::new);
        }

        /** Sets {@code hints}.
         * @param value the new value
         * @return this */
        public ModelPreferences hints(List<? extends ModelHint> value) {
            return set("hints", value);
        }

        /**
         * How much to prioritize intelligence and capabilities when selecting a model. A value of 0 means intelligence
         * is not important, while a value of 1 means intelligence is the most important factor.
         *
         * @return the value; null if it is absent
         */
        public Double intelligencePriority() {
            return one("intelligencePriority", JsonValue::asDouble);
        }

        /** Sets {@code intelligencePriority}.
         * @param value the new value
         * @return this */
        public ModelPreferences intelligencePriority(double value) {
            return set("intelligencePriority", value);
        }

        /**
         * How much to prioritize sampling speed (latency) when selecting a model. A value of 0 means speed is not
         * important, while a value of 1 means speed is the most important factor.
         *
         * @return the value; null if it is absent
         */
        public Double speedPriority() {
            return one("speedPriority", JsonValue::asDouble);
        }

        /** Sets {@code speedPriority}.
         * @param value the new value
         * @return this */
        public ModelPreferences speedPriority(double value) {
            return set("speedPriority", value);
        }
    }

    /** Revisions: from 2025-11-25 on. */
    public static final class MultiSelectEnumSchema extends Members<MultiSelectEnumSchema> {
        /** Makes one without members. */
        public MultiSelectEnumSchema() {
        }

        /**
         * Reads one.
         *
         * @param value an object
         */
        public MultiSelectEnumSchema(JsonValue value) {
            super(value);
        }

        /**
         * Optional default value.
         *
         * @return the value; empty if it is absent
         */
        public List<String> default_() {
            return list(get("default"), JsonValue::asText);
        }

        /** Sets {@code default}.
         * @param value the new value
         * @return this */
        public MultiSelectEnumSchema default_(List<String> value) {
            return set("default", value);
        }

        /** Sets {@code default}.
         * @param value the new value
         * @return this */
        public MultiSelectEnumSchema default_(String... value) {
            return set("default", List.of(value));
        }

        /**
         * Optional description for the enum field.
         *
         * @return the value; null if it is absent
         */
        public String description() {
            return one("description", JsonValue::asText);
        }

        /** Sets {@code description}.
         * @param value the new value
         * @return this */
        public MultiSelectEnumSchema description(String value) {
            return set("description", value);
        }

        /**
         * Schema for the array items.
         *
         * @return the value; {@link JsonValue#ABSENT} if it is missing
         */
        public JsonValue items() {
            return get("items");
        }

        /** Sets {@code items}.
         * @param value the new value
         * @return this */
        public MultiSelectEnumSchema items(Object value) {
            return set("items", value);
        }

        /**
         * Maximum number of items to select.
         *
         * @return the value; null if it is absent
         */
        public Long maxItems() {
            return one("maxItems", JsonValue::asLong);
        }

        /** Sets {@code maxItems}.
         * @param value the new value
         * @return this */
        public MultiSelectEnumSchema maxItems(long value) {
            return set("maxItems", value);
        }

        /**
         * Minimum number of items to select.
         *
         * @return the value; null if it is absent
         */
        public Long minItems() {
            return one("minItems", JsonValue::asLong);
        }

        /** Sets {@code minItems}.
         * @param value the new value
         * @return this */
        public MultiSelectEnumSchema minItems(long value) {
            return set("minItems", value);
        }

        /**
         * Optional title for the enum field.
         *
         * @return the value; null if it is absent
         */
        public String title() {
            return one("title", JsonValue::asText);
        }

        /** Sets {@code title}.
         * @param value the new value
         * @return this */
        public MultiSelectEnumSchema title(String value) {
            return set("title", value);
        }

        /**
         * The member {@code type}.
         *
         * @return the value; null if it is absent
         */
        public String type() {
            return one("type", JsonValue::asText);
        }

        /** Sets {@code type}.
         * @param value the new value
         * @return this */
        public MultiSelectEnumSchema type(String value) {
            return set("type", value);
        }
    }

    /**
     * Common params for any notification.
     * Revisions: from 2025-11-25 on.
     */
    public static final class NotificationParams extends Members<NotificationParams> {
        /** Makes one without members. */
        public NotificationParams() {
        }

        /**
         * Reads one.
         *
         * @param value an object
         */
        public NotificationParams(JsonValue value) {
            super(value);
        }

        /**
         * Metadata of the protocol, of extensions and of applications.
         *
         * @return the value; {@link JsonValue#ABSENT} if it is missing
         */
        public JsonValue meta() {
            return get("_meta");
        }

        /** Sets {@code _meta}.
         * @param value the new value
         * @return this */
        public NotificationParams meta(Object value) {
            return set("_meta", value);
        }
    }

    /** Revisions: from 2025-06-18 on. */
    public static final class NumberSchema extends Members<NumberSchema> {
        /** Makes one without members. */
        public NumberSchema() {
        }

        /**
         * Reads one.
         *
         * @param value an object
         */
        public NumberSchema(JsonValue value) {
            super(value);
        }

        /**
         * The member {@code default}.
         *
         * @return the value; null if it is absent
         */
        public Double default_() {
            return one("default", JsonValue::asDouble);
        }

        /** Sets {@code default}.
         * @param value the new value
         * @return this */
        public NumberSchema default_(double value) {
            return set("default", value);
        }

        /**
         * The member {@code description}.
         *
         * @return the value; null if it is absent
         */
        public String description() {
            return one("description", JsonValue::asText);
        }

        /** Sets {@code description}.
         * @param value the new value
         * @return this */
        public NumberSchema description(String value) {
            return set("description", value);
        }

        /**
         * The member {@code maximum}.
         *
         * @return the value; null if it is absent
         */
        public Double maximum() {
            return one("maximum", JsonValue::asDouble);
        }

        /** Sets {@code maximum}.
         * @param value the new value
         * @return this */
        public NumberSchema maximum(double value) {
            return set("maximum", value);
        }

        /**
         * The member {@code minimum}.
         *
         * @return the value; null if it is absent
         */
        public Double minimum() {
            return one("minimum", JsonValue::asDouble);
        }

        /** Sets {@code minimum}.
         * @param value the new value
         * @return this */
        public NumberSchema minimum(double value) {
            return set("minimum", value);
        }

        /**
         * The member {@code title}.
         *
         * @return the value; null if it is absent
         */
        public String title() {
            return one("title", JsonValue::asText);
        }

        /** Sets {@code title}.
         * @param value the new value
         * @return this */
        public NumberSchema title(String value) {
            return set("title", value);
        }

        /**
         * The member {@code type}. Values: integer, number.
         *
         * @return the value; null if it is absent
         */
        public String type() {
            return one("type", JsonValue::asText);
        }

        /** Sets {@code type}.
         * @param value the new value
         * @return this */
        public NumberSchema type(String value) {
            return set("type", value);
        }
    }

    /**
     * Common params for paginated requests.
     * Revisions: all.
     */
    public static final class PaginatedRequestParams extends Members<PaginatedRequestParams> {
        /** Makes one without members. */
        public PaginatedRequestParams() {
        }

        /**
         * Reads one.
         *
         * @param value an object
         */
        public PaginatedRequestParams(JsonValue value) {
            super(value);
        }

        /**
         * Metadata of the protocol, of extensions and of applications.
         *
         * @return the value; {@link JsonValue#ABSENT} if it is missing
         */
        public JsonValue meta() {
            return get("_meta");
        }

        /** Sets {@code _meta}.
         * @param value the new value
         * @return this */
        public PaginatedRequestParams meta(Object value) {
            return set("_meta", value);
        }

        /**
         * An opaque token representing the current pagination position. If provided, the server should return results
         * starting after this cursor.
         *
         * @return the value; null if it is absent
         */
        public String cursor() {
            return one("cursor", JsonValue::asText);
        }

        /** Sets {@code cursor}.
         * @param value the new value
         * @return this */
        public PaginatedRequestParams cursor(String value) {
            return set("cursor", value);
        }
    }

    /**
     * Restricted schema definitions that only allow primitive types without nested objects or arrays.
     * Revisions: from 2025-06-18 on.
     */
    public static final class PrimitiveSchemaDefinition extends Members<PrimitiveSchemaDefinition> {
        /** Makes one without members. */
        public PrimitiveSchemaDefinition() {
        }

        /**
         * Reads one.
         *
         * @param value an object
         */
        public PrimitiveSchemaDefinition(JsonValue value) {
            super(value);
        }

        /**
         * The member {@code default}.
         *
         * @return the value; {@link JsonValue#ABSENT} if it is missing
         */
        public JsonValue default_() {
            return get("default");
        }

        /** Sets {@code default}.
         * @param value the new value
         * @return this */
        public PrimitiveSchemaDefinition default_(Object value) {
            return set("default", value);
        }

        /**
         * The member {@code description}.
         *
         * @return the value; null if it is absent
         */
        public String description() {
            return one("description", JsonValue::asText);
        }

        /** Sets {@code description}.
         * @param value the new value
         * @return this */
        public PrimitiveSchemaDefinition description(String value) {
            return set("description", value);
        }

        /**
         * The member {@code format}. Values: date, date-time, email, uri.
         *
         * @return the value; null if it is absent
         */
        public String format() {
            return one("format", JsonValue::asText);
        }

        /** Sets {@code format}.
         * @param value the new value
         * @return this */
        public PrimitiveSchemaDefinition format(String value) {
            return set("format", value);
        }

        /**
         * The member {@code maxLength}.
         *
         * @return the value; null if it is absent
         */
        public Long maxLength() {
            return one("maxLength", JsonValue::asLong);
        }

        /** Sets {@code maxLength}.
         * @param value the new value
         * @return this */
        public PrimitiveSchemaDefinition maxLength(long value) {
            return set("maxLength", value);
        }

        /**
         * The member {@code minLength}.
         *
         * @return the value; null if it is absent
         */
        public Long minLength() {
            return one("minLength", JsonValue::asLong);
        }

        /** Sets {@code minLength}.
         * @param value the new value
         * @return this */
        public PrimitiveSchemaDefinition minLength(long value) {
            return set("minLength", value);
        }

        /**
         * The member {@code title}.
         *
         * @return the value; null if it is absent
         */
        public String title() {
            return one("title", JsonValue::asText);
        }

        /** Sets {@code title}.
         * @param value the new value
         * @return this */
        public PrimitiveSchemaDefinition title(String value) {
            return set("title", value);
        }

        /**
         * The member {@code type}.
         *
         * @return the value; null if it is absent
         */
        public String type() {
            return one("type", JsonValue::asText);
        }

        /** Sets {@code type}.
         * @param value the new value
         * @return this */
        public PrimitiveSchemaDefinition type(String value) {
            return set("type", value);
        }

        /**
         * The member {@code maximum}.
         *
         * @return the value; null if it is absent
         */
        public Double maximum() {
            return one("maximum", JsonValue::asDouble);
        }

        /** Sets {@code maximum}.
         * @param value the new value
         * @return this */
        public PrimitiveSchemaDefinition maximum(double value) {
            return set("maximum", value);
        }

        /**
         * The member {@code minimum}.
         *
         * @return the value; null if it is absent
         */
        public Double minimum() {
            return one("minimum", JsonValue::asDouble);
        }

        /** Sets {@code minimum}.
         * @param value the new value
         * @return this */
        public PrimitiveSchemaDefinition minimum(double value) {
            return set("minimum", value);
        }

        /**
         * Array of enum values to choose from.
         *
         * @return the value; empty if it is absent
         */
        public List<String> enum_() {
            return list(get("enum"), JsonValue::asText);
        }

        /** Sets {@code enum}.
         * @param value the new value
         * @return this */
        public PrimitiveSchemaDefinition enum_(List<String> value) {
            return set("enum", value);
        }

        /** Sets {@code enum}.
         * @param value the new value
         * @return this */
        public PrimitiveSchemaDefinition enum_(String... value) {
            return set("enum", List.of(value));
        }

        /**
         * Array of enum options with values and display labels.
         *
         * @return the value; empty if it is absent
         */
        public List<EnumOption> oneOf() {
            return list(get("oneOf"), EnumOption::new);
        }

        /** Sets {@code oneOf}.
         * @param value the new value
         * @return this */
        public PrimitiveSchemaDefinition oneOf(List<? extends EnumOption> value) {
            return set("oneOf", value);
        }

        /**
         * Schema for the array items.
         *
         * @return the value; {@link JsonValue#ABSENT} if it is missing
         */
        public JsonValue items() {
            return get("items");
        }

        /** Sets {@code items}.
         * @param value the new value
         * @return this */
        public PrimitiveSchemaDefinition items(Object value) {
            return set("items", value);
        }

        /**
         * Maximum number of items to select.
         *
         * @return the value; null if it is absent
         */
        public Long maxItems() {
            return one("maxItems", JsonValue::asLong);
        }

        /** Sets {@code maxItems}.
         * @param value the new value
         * @return this */
        public PrimitiveSchemaDefinition maxItems(long value) {
            return set("maxItems", value);
        }

        /**
         * Minimum number of items to select.
         *
         * @return the value; null if it is absent
         */
        public Long minItems() {
            return one("minItems", JsonValue::asLong);
        }

        /** Sets {@code minItems}.
         * @param value the new value
         * @return this */
        public PrimitiveSchemaDefinition minItems(long value) {
            return set("minItems", value);
        }

        /**
         * (Legacy) Display names for enum values. Non-standard according to JSON schema 2020-12.
         *
         * @return the value; empty if it is absent
         */
        public List<String> enumNames() {
            return list(get("enumNames"), JsonValue::asText);
        }

        /** Sets {@code enumNames}.
         * @param value the new value
         * @return this */
        public PrimitiveSchemaDefinition enumNames(List<String> value) {
            return set("enumNames", value);
        }

        /** Sets {@code enumNames}.
         * @param value the new value
         * @return this */
        public PrimitiveSchemaDefinition enumNames(String... value) {
            return set("enumNames", List.of(value));
        }
    }

    /**
     * Parameters for a notifications/progress notification.
     * Revisions: all.
     */
    public static final class ProgressNotificationParams extends Members<ProgressNotificationParams> {
        /** Makes one without members. */
        public ProgressNotificationParams() {
        }

        /**
         * Reads one.
         *
         * @param value an object
         */
        public ProgressNotificationParams(JsonValue value) {
            super(value);
        }

        /**
         * Metadata of the protocol, of extensions and of applications.
         *
         * @return the value; {@link JsonValue#ABSENT} if it is missing
         */
        public JsonValue meta() {
            return get("_meta");
        }

        /** Sets {@code _meta}.
         * @param value the new value
         * @return this */
        public ProgressNotificationParams meta(Object value) {
            return set("_meta", value);
        }

        /**
         * An optional message describing the current progress.
         *
         * @return the value; null if it is absent
         */
        public String message() {
            return one("message", JsonValue::asText);
        }

        /** Sets {@code message}.
         * @param value the new value
         * @return this */
        public ProgressNotificationParams message(String value) {
            return set("message", value);
        }

        /**
         * The progress thus far. This should increase every time progress is made, even if the total is unknown.
         *
         * @return the value; null if it is absent
         */
        public Double progress() {
            return one("progress", JsonValue::asDouble);
        }

        /** Sets {@code progress}.
         * @param value the new value
         * @return this */
        public ProgressNotificationParams progress(double value) {
            return set("progress", value);
        }

        /**
         * The progress token which was given in the initial request, used to associate this notification with the
         * request that is proceeding.
         *
         * @return the value; {@link JsonValue#ABSENT} if it is missing
         */
        public JsonValue progressToken() {
            return get("progressToken");
        }

        /** Sets {@code progressToken}.
         * @param value the new value
         * @return this */
        public ProgressNotificationParams progressToken(Object value) {
            return set("progressToken", value);
        }

        /**
         * Total number of items to process (or total progress required), if known.
         *
         * @return the value; null if it is absent
         */
        public Double total() {
            return one("total", JsonValue::asDouble);
        }

        /** Sets {@code total}.
         * @param value the new value
         * @return this */
        public ProgressNotificationParams total(double value) {
            return set("total", value);
        }
    }

    /**
     * A prompt or prompt template that the server offers.
     * Revisions: all.
     */
    public static final class Prompt extends Members<Prompt> {
        /** Makes one without members. */
        public Prompt() {
        }

        /**
         * Reads one.
         *
         * @param value an object
         */
        public Prompt(JsonValue value) {
            super(value);
        }

        /**
         * Metadata of the protocol, of extensions and of applications.
         *
         * @return the value; {@link JsonValue#ABSENT} if it is missing
         */
        public JsonValue meta() {
            return get("_meta");
        }

        /** Sets {@code _meta}.
         * @param value the new value
         * @return this */
        public Prompt meta(Object value) {
            return set("_meta", value);
        }

        /**
         * A list of arguments to use for templating the prompt.
         *
         * @return the value; empty if it is absent
         */
        public List<PromptArgument> arguments() {
            return list(get("arguments"), PromptArgument::new);
        }

        /** Sets {@code arguments}.
         * @param value the new value
         * @return this */
        public Prompt arguments(List<? extends PromptArgument> value) {
            return set("arguments", value);
        }

        /**
         * An optional description of what this prompt provides
         *
         * @return the value; null if it is absent
         */
        public String description() {
            return one("description", JsonValue::asText);
        }

        /** Sets {@code description}.
         * @param value the new value
         * @return this */
        public Prompt description(String value) {
            return set("description", value);
        }

        /**
         * Optional set of sized icons that the client can display in a user interface.
         *
         * @return the value; empty if it is absent
         */
        public List<Icon> icons() {
            return list(get("icons"), Icon::new);
        }

        /** Sets {@code icons}.
         * @param value the new value
         * @return this */
        public Prompt icons(List<? extends Icon> value) {
            return set("icons", value);
        }

        /**
         * Intended for programmatic or logical use, but used as a display name in past specs or fallback (if title
         * isn't present).
         *
         * @return the value; null if it is absent
         */
        public String name() {
            return one("name", JsonValue::asText);
        }

        /** Sets {@code name}.
         * @param value the new value
         * @return this */
        public Prompt name(String value) {
            return set("name", value);
        }

        /**
         * Intended for UI and end-user contexts — optimized to be human-readable and easily understood, even by those
         * unfamiliar with domain-specific terminology.
         *
         * @return the value; null if it is absent
         */
        public String title() {
            return one("title", JsonValue::asText);
        }

        /** Sets {@code title}.
         * @param value the new value
         * @return this */
        public Prompt title(String value) {
            return set("title", value);
        }
    }

    /**
     * Describes an argument that a prompt can accept.
     * Revisions: all.
     */
    public static final class PromptArgument extends Members<PromptArgument> {
        /** Makes one without members. */
        public PromptArgument() {
        }

        /**
         * Reads one.
         *
         * @param value an object
         */
        public PromptArgument(JsonValue value) {
            super(value);
        }

        /**
         * A human-readable description of the argument.
         *
         * @return the value; null if it is absent
         */
        public String description() {
            return one("description", JsonValue::asText);
        }

        /** Sets {@code description}.
         * @param value the new value
         * @return this */
        public PromptArgument description(String value) {
            return set("description", value);
        }

        /**
         * Intended for programmatic or logical use, but used as a display name in past specs or fallback (if title
         * isn't present).
         *
         * @return the value; null if it is absent
         */
        public String name() {
            return one("name", JsonValue::asText);
        }

        /** Sets {@code name}.
         * @param value the new value
         * @return this */
        public PromptArgument name(String value) {
            return set("name", value);
        }

        /**
         * Whether this argument must be provided.
         *
         * @return the value; null if it is absent
         */
        public Boolean required() {
            return one("required", JsonValue::asBoolean);
        }

        /** Sets {@code required}.
         * @param value the new value
         * @return this */
        public PromptArgument required(boolean value) {
            return set("required", value);
        }

        /**
         * Intended for UI and end-user contexts — optimized to be human-readable and easily understood, even by those
         * unfamiliar with domain-specific terminology.
         *
         * @return the value; null if it is absent
         */
        public String title() {
            return one("title", JsonValue::asText);
        }

        /** Sets {@code title}.
         * @param value the new value
         * @return this */
        public PromptArgument title(String value) {
            return set("title", value);
        }
    }

    /**
     * Describes a message returned as part of a prompt.
     * Revisions: all.
     */
    public static final class PromptMessage extends Members<PromptMessage> {
        /** Makes one without members. */
        public PromptMessage() {
        }

        /**
         * Reads one.
         *
         * @param value an object
         */
        public PromptMessage(JsonValue value) {
            super(value);
        }

        /**
         * The member {@code content}.
         *
         * @return the value; null if it is absent
         */
        public ContentBlock content() {
            return one("content", ContentBlock::of);
        }

        /** Sets {@code content}.
         * @param value the new value
         * @return this */
        public PromptMessage content(ContentBlock value) {
            return set("content", value);
        }

        /**
         * The member {@code role}.
         *
         * @return the value; null if it is absent
         */
        public String role() {
            return one("role", JsonValue::asText);
        }

        /** Sets {@code role}.
         * @param value the new value
         * @return this */
        public PromptMessage role(String value) {
            return set("role", value);
        }
    }

    /**
     * Identifies a prompt.
     * Revisions: all.
     */
    public static final class PromptReference extends Members<PromptReference> implements Reference {
        /** Makes one that has only what tells its kind. */
        public PromptReference() {
            set("type", "ref/prompt");
        }

        /**
         * Reads one.
         *
         * @param value an object
         */
        public PromptReference(JsonValue value) {
            super(value);
        }

        /**
         * Intended for programmatic or logical use, but used as a display name in past specs or fallback (if title
         * isn't present).
         *
         * @return the value; null if it is absent
         */
        public String name() {
            return one("name", JsonValue::asText);
        }

        /** Sets {@code name}.
         * @param value the new value
         * @return this */
        public PromptReference name(String value) {
            return set("name", value);
        }

        /**
         * Intended for UI and end-user contexts — optimized to be human-readable and easily understood, even by those
         * unfamiliar with domain-specific terminology.
         *
         * @return the value; null if it is absent
         */
        public String title() {
            return one("title", JsonValue::asText);
        }

        /** Sets {@code title}.
         * @param value the new value
         * @return this */
        public PromptReference title(String value) {
            return set("title", value);
        }
    }

    /**
     * Parameters for a <code>resources/read</code> request.
     * Revisions: all.
     */
    public static final class ReadResourceRequestParams extends Members<ReadResourceRequestParams> {
        /** Makes one without members. */
        public ReadResourceRequestParams() {
        }

        /**
         * Reads one.
         *
         * @param value an object
         */
        public ReadResourceRequestParams(JsonValue value) {
            super(value);
        }

        /**
         * Metadata of the protocol, of extensions and of applications.
         *
         * @return the value; {@link JsonValue#ABSENT} if it is missing
         */
        public JsonValue meta() {
            return get("_meta");
        }

        /** Sets {@code _meta}.
         * @param value the new value
         * @return this */
        public ReadResourceRequestParams meta(Object value) {
            return set("_meta", value);
        }

        /**
         * The member {@code inputResponses}.
         *
         * @return the value; empty if it is absent
         */
        public Map<String, InputResponse> inputResponses() {
            return map(get("inputResponses"), InputResponse::new);
        }

        /** Sets {@code inputResponses}.
         * @param value the new value
         * @return this */
        public ReadResourceRequestParams inputResponses(Map<String, ? extends InputResponse> value) {
            return set("inputResponses", value);
        }

        /**
         * The member {@code requestState}.
         *
         * @return the value; null if it is absent
         */
        public String requestState() {
            return one("requestState", JsonValue::asText);
        }

        /** Sets {@code requestState}.
         * @param value the new value
         * @return this */
        public ReadResourceRequestParams requestState(String value) {
            return set("requestState", value);
        }

        /**
         * The URI of the resource. The URI can use any protocol; it is up to the server how to interpret it.
         *
         * @return the value; null if it is absent
         */
        public String uri() {
            return one("uri", JsonValue::asText);
        }

        /** Sets {@code uri}.
         * @param value the new value
         * @return this */
        public ReadResourceRequestParams uri(String value) {
            return set("uri", value);
        }
    }

    /**
     * The result returned by the server for a resources/read request.
     * Revisions: all.
     */
    public static final class ReadResourceResult extends Members<ReadResourceResult> {
        /** Makes one without members. */
        public ReadResourceResult() {
        }

        /**
         * Reads one.
         *
         * @param value an object
         */
        public ReadResourceResult(JsonValue value) {
            super(value);
        }

        /**
         * Metadata of the protocol, of extensions and of applications.
         *
         * @return the value; {@link JsonValue#ABSENT} if it is missing
         */
        public JsonValue meta() {
            return get("_meta");
        }

        /** Sets {@code _meta}.
         * @param value the new value
         * @return this */
        public ReadResourceResult meta(Object value) {
            return set("_meta", value);
        }

        /**
         * Indicates the intended scope of the cached response, analogous to HTTP <code>Cache-Control: public</code> vs
         * <code>Cache-Control: private</code>. Values: private, public.
         *
         * @return the value; null if it is absent
         */
        public String cacheScope() {
            return one("cacheScope", JsonValue::asText);
        }

        /** Sets {@code cacheScope}.
         * @param value the new value
         * @return this */
        public ReadResourceResult cacheScope(String value) {
            return set("cacheScope", value);
        }

        /**
         * The member {@code contents}.
         *
         * @return the value; empty if it is absent
         */
        public List<ResourceContents> contents() {
            return list(get("contents"), ResourceContents::new);
        }

        /** Sets {@code contents}.
         * @param value the new value
         * @return this */
        public ReadResourceResult contents(List<? extends ResourceContents> value) {
            return set("contents", value);
        }

        /**
         * Indicates the type of the result, which allows the client to determine how to parse the result object.
         *
         * @return the value; null if it is absent
         */
        public String resultType() {
            return one("resultType", JsonValue::asText);
        }

        /** Sets {@code resultType}.
         * @param value the new value
         * @return this */
        public ReadResourceResult resultType(String value) {
            return set("resultType", value);
        }

        /**
         * A hint from the server indicating how long (in milliseconds) the client MAY cache this response before
         * re-fetching. Semantics are analogous to HTTP Cache-Control max-age.
         *
         * @return the value; null if it is absent
         */
        public Long ttlMs() {
            return one("ttlMs", JsonValue::asLong);
        }

        /** Sets {@code ttlMs}.
         * @param value the new value
         * @return this */
        public ReadResourceResult ttlMs(long value) {
            return set("ttlMs", value);
        }
    }

    /** Revisions: all. */
    public sealed interface Reference permits PromptReference, ResourceTemplateReference, Unknown {
        /**
         * The object, with all its members.
         *
         * @return the object
         */
        JsonValue json();

        /**
         * The variant that an object is.
         *
         * @param value the object
         * @return the variant
         */
        static Reference of(JsonValue value) {
            return switch (value.get("type").asText("")) {
                case "ref/prompt" -> new PromptReference(value);
                case "ref/resource" -> new ResourceTemplateReference(value);
                default -> new Unknown(value);
            };
        }
    }

    /**
     * Metadata for associating messages with a task. Include this in the <code>_meta</code> field under the key
     * <code>io.modelcontextprotocol/related-task</code>.
     * Revision: 2025-11-25.
     */
    public static final class RelatedTaskMetadata extends Members<RelatedTaskMetadata> {
        /** Makes one without members. */
        public RelatedTaskMetadata() {
        }

        /**
         * Reads one.
         *
         * @param value an object
         */
        public RelatedTaskMetadata(JsonValue value) {
            super(value);
        }

        /**
         * The task identifier this message is associated with.
         *
         * @return the value; null if it is absent
         */
        public String taskId() {
            return one("taskId", JsonValue::asText);
        }

        /** Sets {@code taskId}.
         * @param value the new value
         * @return this */
        public RelatedTaskMetadata taskId(String value) {
            return set("taskId", value);
        }
    }

    /**
     * A known resource that the server is capable of reading.
     * Revisions: all.
     */
    public static final class Resource extends Members<Resource> {
        /** Makes one without members. */
        public Resource() {
        }

        /**
         * Reads one.
         *
         * @param value an object
         */
        public Resource(JsonValue value) {
            super(value);
        }

        /**
         * Metadata of the protocol, of extensions and of applications.
         *
         * @return the value; {@link JsonValue#ABSENT} if it is missing
         */
        public JsonValue meta() {
            return get("_meta");
        }

        /** Sets {@code _meta}.
         * @param value the new value
         * @return this */
        public Resource meta(Object value) {
            return set("_meta", value);
        }

        /**
         * Optional annotations for the client.
         *
         * @return the value; null if it is absent
         */
        public Annotations annotations() {
            return one("annotations", Annotations::new);
        }

        /** Sets {@code annotations}.
         * @param value the new value
         * @return this */
        public Resource annotations(Annotations value) {
            return set("annotations", value);
        }

        /**
         * A description of what this resource represents.
         *
         * @return the value; null if it is absent
         */
        public String description() {
            return one("description", JsonValue::asText);
        }

        /** Sets {@code description}.
         * @param value the new value
         * @return this */
        public Resource description(String value) {
            return set("description", value);
        }

        /**
         * Optional set of sized icons that the client can display in a user interface.
         *
         * @return the value; empty if it is absent
         */
        public List<Icon> icons() {
            return list(get("icons"), Icon::new);
        }

        /** Sets {@code icons}.
         * @param value the new value
         * @return this */
        public Resource icons(List<? extends Icon> value) {
            return set("icons", value);
        }

        /**
         * The MIME type of this resource, if known.
         *
         * @return the value; null if it is absent
         */
        public String mimeType() {
            return one("mimeType", JsonValue::asText);
        }

        /** Sets {@code mimeType}.
         * @param value the new value
         * @return this */
        public Resource mimeType(String value) {
            return set("mimeType", value);
        }

        /**
         * Intended for programmatic or logical use, but used as a display name in past specs or fallback (if title
         * isn't present).
         *
         * @return the value; null if it is absent
         */
        public String name() {
            return one("name", JsonValue::asText);
        }

        /** Sets {@code name}.
         * @param value the new value
         * @return this */
        public Resource name(String value) {
            return set("name", value);
        }

        /**
         * The size of the raw resource content, in bytes (i.e., before base64 encoding or any tokenization), if known.
         *
         * @return the value; null if it is absent
         */
        public Long size() {
            return one("size", JsonValue::asLong);
        }

        /** Sets {@code size}.
         * @param value the new value
         * @return this */
        public Resource size(long value) {
            return set("size", value);
        }

        /**
         * Intended for UI and end-user contexts — optimized to be human-readable and easily understood, even by those
         * unfamiliar with domain-specific terminology.
         *
         * @return the value; null if it is absent
         */
        public String title() {
            return one("title", JsonValue::asText);
        }

        /** Sets {@code title}.
         * @param value the new value
         * @return this */
        public Resource title(String value) {
            return set("title", value);
        }

        /**
         * The URI of this resource.
         *
         * @return the value; null if it is absent
         */
        public String uri() {
            return one("uri", JsonValue::asText);
        }

        /** Sets {@code uri}.
         * @param value the new value
         * @return this */
        public Resource uri(String value) {
            return set("uri", value);
        }
    }

    /**
     * The contents of a specific resource or sub-resource.
     * Revisions: all.
     */
    public static final class ResourceContents extends Members<ResourceContents> {
        /** Makes one without members. */
        public ResourceContents() {
        }

        /**
         * Reads one.
         *
         * @param value an object
         */
        public ResourceContents(JsonValue value) {
            super(value);
        }

        /**
         * Metadata of the protocol, of extensions and of applications.
         *
         * @return the value; {@link JsonValue#ABSENT} if it is missing
         */
        public JsonValue meta() {
            return get("_meta");
        }

        /** Sets {@code _meta}.
         * @param value the new value
         * @return this */
        public ResourceContents meta(Object value) {
            return set("_meta", value);
        }

        /**
         * The MIME type of this resource, if known.
         *
         * @return the value; null if it is absent
         */
        public String mimeType() {
            return one("mimeType", JsonValue::asText);
        }

        /** Sets {@code mimeType}.
         * @param value the new value
         * @return this */
        public ResourceContents mimeType(String value) {
            return set("mimeType", value);
        }

        /**
         * The text of the item. This must only be set if the item can actually be represented as text (not binary
         * data).
         *
         * @return the value; null if it is absent
         */
        public String text() {
            return one("text", JsonValue::asText);
        }

        /** Sets {@code text}.
         * @param value the new value
         * @return this */
        public ResourceContents text(String value) {
            return set("text", value);
        }

        /**
         * The URI of this resource.
         *
         * @return the value; null if it is absent
         */
        public String uri() {
            return one("uri", JsonValue::asText);
        }

        /** Sets {@code uri}.
         * @param value the new value
         * @return this */
        public ResourceContents uri(String value) {
            return set("uri", value);
        }

        /**
         * A base64-encoded string representing the binary data of the item.
         *
         * @return the value; null if it is absent
         */
        public String blob() {
            return one("blob", JsonValue::asText);
        }

        /** Sets {@code blob}.
         * @param value the new value
         * @return this */
        public ResourceContents blob(String value) {
            return set("blob", value);
        }
    }

    /**
     * A resource that the server is capable of reading, included in a prompt or tool call result.
     * Revisions: from 2025-06-18 on.
     */
    public static final class ResourceLink extends Members<ResourceLink> implements ContentBlock {
        /** Makes one that has only what tells its kind. */
        public ResourceLink() {
            set("type", "resource_link");
        }

        /**
         * Reads one.
         *
         * @param value an object
         */
        public ResourceLink(JsonValue value) {
            super(value);
        }

        /**
         * Metadata of the protocol, of extensions and of applications.
         *
         * @return the value; {@link JsonValue#ABSENT} if it is missing
         */
        public JsonValue meta() {
            return get("_meta");
        }

        /** Sets {@code _meta}.
         * @param value the new value
         * @return this */
        public ResourceLink meta(Object value) {
            return set("_meta", value);
        }

        /**
         * Optional annotations for the client.
         *
         * @return the value; null if it is absent
         */
        public Annotations annotations() {
            return one("annotations", Annotations::new);
        }

        /** Sets {@code annotations}.
         * @param value the new value
         * @return this */
        public ResourceLink annotations(Annotations value) {
            return set("annotations", value);
        }

        /**
         * A description of what this resource represents.
         *
         * @return the value; null if it is absent
         */
        public String description() {
            return one("description", JsonValue::asText);
        }

        /** Sets {@code description}.
         * @param value the new value
         * @return this */
        public ResourceLink description(String value) {
            return set("description", value);
        }

        /**
         * Optional set of sized icons that the client can display in a user interface.
         *
         * @return the value; empty if it is absent
         */
        public List<Icon> icons() {
            return list(get("icons"), Icon::new);
        }

        /** Sets {@code icons}.
         * @param value the new value
         * @return this */
        public ResourceLink icons(List<? extends Icon> value) {
            return set("icons", value);
        }

        /**
         * The MIME type of this resource, if known.
         *
         * @return the value; null if it is absent
         */
        public String mimeType() {
            return one("mimeType", JsonValue::asText);
        }

        /** Sets {@code mimeType}.
         * @param value the new value
         * @return this */
        public ResourceLink mimeType(String value) {
            return set("mimeType", value);
        }

        /**
         * Intended for programmatic or logical use, but used as a display name in past specs or fallback (if title
         * isn't present).
         *
         * @return the value; null if it is absent
         */
        public String name() {
            return one("name", JsonValue::asText);
        }

        /** Sets {@code name}.
         * @param value the new value
         * @return this */
        public ResourceLink name(String value) {
            return set("name", value);
        }

        /**
         * The size of the raw resource content, in bytes (i.e., before base64 encoding or any tokenization), if known.
         *
         * @return the value; null if it is absent
         */
        public Long size() {
            return one("size", JsonValue::asLong);
        }

        /** Sets {@code size}.
         * @param value the new value
         * @return this */
        public ResourceLink size(long value) {
            return set("size", value);
        }

        /**
         * Intended for UI and end-user contexts — optimized to be human-readable and easily understood, even by those
         * unfamiliar with domain-specific terminology.
         *
         * @return the value; null if it is absent
         */
        public String title() {
            return one("title", JsonValue::asText);
        }

        /** Sets {@code title}.
         * @param value the new value
         * @return this */
        public ResourceLink title(String value) {
            return set("title", value);
        }

        /**
         * The URI of this resource.
         *
         * @return the value; null if it is absent
         */
        public String uri() {
            return one("uri", JsonValue::asText);
        }

        /** Sets {@code uri}.
         * @param value the new value
         * @return this */
        public ResourceLink uri(String value) {
            return set("uri", value);
        }
    }

    /**
     * A template description for resources available on the server.
     * Revisions: all.
     */
    public static final class ResourceTemplate extends Members<ResourceTemplate> {
        /** Makes one without members. */
        public ResourceTemplate() {
        }

        /**
         * Reads one.
         *
         * @param value an object
         */
        public ResourceTemplate(JsonValue value) {
            super(value);
        }

        /**
         * Metadata of the protocol, of extensions and of applications.
         *
         * @return the value; {@link JsonValue#ABSENT} if it is missing
         */
        public JsonValue meta() {
            return get("_meta");
        }

        /** Sets {@code _meta}.
         * @param value the new value
         * @return this */
        public ResourceTemplate meta(Object value) {
            return set("_meta", value);
        }

        /**
         * Optional annotations for the client.
         *
         * @return the value; null if it is absent
         */
        public Annotations annotations() {
            return one("annotations", Annotations::new);
        }

        /** Sets {@code annotations}.
         * @param value the new value
         * @return this */
        public ResourceTemplate annotations(Annotations value) {
            return set("annotations", value);
        }

        /**
         * A description of what this template is for.
         *
         * @return the value; null if it is absent
         */
        public String description() {
            return one("description", JsonValue::asText);
        }

        /** Sets {@code description}.
         * @param value the new value
         * @return this */
        public ResourceTemplate description(String value) {
            return set("description", value);
        }

        /**
         * Optional set of sized icons that the client can display in a user interface.
         *
         * @return the value; empty if it is absent
         */
        public List<Icon> icons() {
            return list(get("icons"), Icon::new);
        }

        /** Sets {@code icons}.
         * @param value the new value
         * @return this */
        public ResourceTemplate icons(List<? extends Icon> value) {
            return set("icons", value);
        }

        /**
         * The MIME type for all resources that match this template. This should only be included if all resources
         * matching this template have the same type.
         *
         * @return the value; null if it is absent
         */
        public String mimeType() {
            return one("mimeType", JsonValue::asText);
        }

        /** Sets {@code mimeType}.
         * @param value the new value
         * @return this */
        public ResourceTemplate mimeType(String value) {
            return set("mimeType", value);
        }

        /**
         * Intended for programmatic or logical use, but used as a display name in past specs or fallback (if title
         * isn't present).
         *
         * @return the value; null if it is absent
         */
        public String name() {
            return one("name", JsonValue::asText);
        }

        /** Sets {@code name}.
         * @param value the new value
         * @return this */
        public ResourceTemplate name(String value) {
            return set("name", value);
        }

        /**
         * Intended for UI and end-user contexts — optimized to be human-readable and easily understood, even by those
         * unfamiliar with domain-specific terminology.
         *
         * @return the value; null if it is absent
         */
        public String title() {
            return one("title", JsonValue::asText);
        }

        /** Sets {@code title}.
         * @param value the new value
         * @return this */
        public ResourceTemplate title(String value) {
            return set("title", value);
        }

        /**
         * A URI template (according to RFC 6570) that can be used to construct resource URIs.
         *
         * @return the value; null if it is absent
         */
        public String uriTemplate() {
            return one("uriTemplate", JsonValue::asText);
        }

        /** Sets {@code uriTemplate}.
         * @param value the new value
         * @return this */
        public ResourceTemplate uriTemplate(String value) {
            return set("uriTemplate", value);
        }
    }

    /**
     * A reference to a resource or resource template definition.
     * Revisions: all.
     */
    public static final class ResourceTemplateReference extends Members<ResourceTemplateReference> implements Reference {
        /** Makes one that has only what tells its kind. */
        public ResourceTemplateReference() {
            set("type", "ref/resource");
        }

        /**
         * Reads one.
         *
         * @param value an object
         */
        public ResourceTemplateReference(JsonValue value) {
            super(value);
        }

        /**
         * The URI or URI template of the resource.
         *
         * @return the value; null if it is absent
         */
        public String uri() {
            return one("uri", JsonValue::asText);
        }

        /** Sets {@code uri}.
         * @param value the new value
         * @return this */
        public ResourceTemplateReference uri(String value) {
            return set("uri", value);
        }
    }

    /**
     * Parameters for a <code>notifications/resources/updated</code> notification.
     * Revisions: all.
     */
    public static final class ResourceUpdatedNotificationParams extends Members<ResourceUpdatedNotificationParams> {
        /** Makes one without members. */
        public ResourceUpdatedNotificationParams() {
        }

        /**
         * Reads one.
         *
         * @param value an object
         */
        public ResourceUpdatedNotificationParams(JsonValue value) {
            super(value);
        }

        /**
         * Metadata of the protocol, of extensions and of applications.
         *
         * @return the value; {@link JsonValue#ABSENT} if it is missing
         */
        public JsonValue meta() {
            return get("_meta");
        }

        /** Sets {@code _meta}.
         * @param value the new value
         * @return this */
        public ResourceUpdatedNotificationParams meta(Object value) {
            return set("_meta", value);
        }

        /**
         * The URI of the resource that has been updated. This might be a sub-resource of the one that the client
         * actually subscribed to.
         *
         * @return the value; null if it is absent
         */
        public String uri() {
            return one("uri", JsonValue::asText);
        }

        /** Sets {@code uri}.
         * @param value the new value
         * @return this */
        public ResourceUpdatedNotificationParams uri(String value) {
            return set("uri", value);
        }
    }

    /**
     * Common result fields.
     * Revisions: all.
     */
    public static final class EmptyResult extends Members<EmptyResult> {
        /** Makes one without members. */
        public EmptyResult() {
        }

        /**
         * Reads one.
         *
         * @param value an object
         */
        public EmptyResult(JsonValue value) {
            super(value);
        }

        /**
         * Metadata of the protocol, of extensions and of applications.
         *
         * @return the value; {@link JsonValue#ABSENT} if it is missing
         */
        public JsonValue meta() {
            return get("_meta");
        }

        /** Sets {@code _meta}.
         * @param value the new value
         * @return this */
        public EmptyResult meta(Object value) {
            return set("_meta", value);
        }

        /**
         * Indicates the type of the result, which allows the client to determine how to parse the result object.
         *
         * @return the value; null if it is absent
         */
        public String resultType() {
            return one("resultType", JsonValue::asText);
        }

        /** Sets {@code resultType}.
         * @param value the new value
         * @return this */
        public EmptyResult resultType(String value) {
            return set("resultType", value);
        }
    }

    /** The sender or recipient of messages and data in a conversation.
Revisions: all. */
    public static final class Role {
        private Role() {
        }

        /** One of the values. */
        public static final String ASSISTANT = "assistant";

        /** One of the values. */
        public static final String USER = "user";
    }

    /**
     * Represents a root directory or file that the server can operate on.
     * Revisions: all.
     *
     * Deprecated: 2026-07-28 deprecates sampling, roots and log messages (SEP-2577). They work in every revision that
     * has them.
     */
    public static final class Root extends Members<Root> {
        /** Makes one without members. */
        public Root() {
        }

        /**
         * Reads one.
         *
         * @param value an object
         */
        public Root(JsonValue value) {
            super(value);
        }

        /**
         * Metadata of the protocol, of extensions and of applications.
         *
         * @return the value; {@link JsonValue#ABSENT} if it is missing
         */
        public JsonValue meta() {
            return get("_meta");
        }

        /** Sets {@code _meta}.
         * @param value the new value
         * @return this */
        public Root meta(Object value) {
            return set("_meta", value);
        }

        /**
         * An optional name for the root. This can be used to provide a human-readable identifier for the root, which
         * may be useful for display purposes or for referencing the root in other parts of the application.
         *
         * @return the value; null if it is absent
         */
        public String name() {
            return one("name", JsonValue::asText);
        }

        /** Sets {@code name}.
         * @param value the new value
         * @return this */
        public Root name(String value) {
            return set("name", value);
        }

        /**
         * The URI identifying the root. This *must* start with <code>file://</code> for now. This restriction may be
         * relaxed in future versions of the protocol to allow other URI schemes.
         *
         * @return the value; null if it is absent
         */
        public String uri() {
            return one("uri", JsonValue::asText);
        }

        /** Sets {@code uri}.
         * @param value the new value
         * @return this */
        public Root uri(String value) {
            return set("uri", value);
        }
    }

    /**
     * Describes a message issued to or received from an LLM API.
     * Revisions: all.
     *
     * Deprecated: 2026-07-28 deprecates sampling, roots and log messages (SEP-2577). They work in every revision that
     * has them.
     */
    public static final class SamplingMessage extends Members<SamplingMessage> {
        /** Makes one without members. */
        public SamplingMessage() {
        }

        /**
         * Reads one.
         *
         * @param value an object
         */
        public SamplingMessage(JsonValue value) {
            super(value);
        }

        /**
         * Metadata of the protocol, of extensions and of applications.
         *
         * @return the value; {@link JsonValue#ABSENT} if it is missing
         */
        public JsonValue meta() {
            return get("_meta");
        }

        /** Sets {@code _meta}.
         * @param value the new value
         * @return this */
        public SamplingMessage meta(Object value) {
            return set("_meta", value);
        }

        /**
         * The member {@code content}.
         *
         * @return the value; empty if it is absent
         */
        public List<SamplingMessageContentBlock> content() {
            return oneOrMany(get("content"), SamplingMessageContentBlock::of);
        }

        /** Sets {@code content}.
         * @param value the new value
         * @return this */
        public SamplingMessage content(List<? extends SamplingMessageContentBlock> value) {
            return set("content", value);
        }

        /** Sets {@code content}.
         * @param value the new value
         * @return this */
        public SamplingMessage content(SamplingMessageContentBlock value) {
            return set("content", value);
        }

        /**
         * The member {@code role}.
         *
         * @return the value; null if it is absent
         */
        public String role() {
            return one("role", JsonValue::asText);
        }

        /** Sets {@code role}.
         * @param value the new value
         * @return this */
        public SamplingMessage role(String value) {
            return set("role", value);
        }
    }

    /**
     * Revisions: from 2025-11-25 on.
     *
     * Deprecated: 2026-07-28 deprecates sampling, roots and log messages (SEP-2577). They work in every revision that
     * has them.
     */
    public sealed interface SamplingMessageContentBlock permits TextContent, ImageContent, AudioContent, ToolUseContent, ToolResultContent, Unknown {
        /**
         * The object, with all its members.
         *
         * @return the object
         */
        JsonValue json();

        /**
         * The variant that an object is.
         *
         * @param value the object
         * @return the variant
         */
        static SamplingMessageContentBlock of(JsonValue value) {
            return switch (value.get("type").asText("")) {
                case "text" -> new TextContent(value);
                case "image" -> new ImageContent(value);
                case "audio" -> new AudioContent(value);
                case "tool_use" -> new ToolUseContent(value);
                case "tool_result" -> new ToolResultContent(value);
                default -> new Unknown(value);
            };
        }
    }

    /**
     * Capabilities that a server may support. Known capabilities are defined here, in this schema, but this is not a
     * closed set: any server can define its own, additional capabilities.
     * Revisions: all.
     */
    public static final class ServerCapabilities extends Members<ServerCapabilities> {
        /** Makes one without members. */
        public ServerCapabilities() {
        }

        /**
         * Reads one.
         *
         * @param value an object
         */
        public ServerCapabilities(JsonValue value) {
            super(value);
        }

        /**
         * Present if the server supports argument autocompletion suggestions.
         *
         * @return the value; {@link JsonValue#ABSENT} if it is missing
         */
        public JsonValue completions() {
            return get("completions");
        }

        /** Sets {@code completions}.
         * @param value the new value
         * @return this */
        public ServerCapabilities completions(Object value) {
            return set("completions", value);
        }

        /**
         * Experimental, non-standard capabilities that the server supports.
         *
         * @return the value; empty if it is absent
         */
        public Map<String, JsonValue> experimental() {
            return map(get("experimental"), value -> value);
        }

        /** Sets {@code experimental}.
         * @param value the new value
         * @return this */
        public ServerCapabilities experimental(Map<String, ?> value) {
            return set("experimental", value);
        }

        /**
         * Optional MCP extensions that the server supports. Keys are extension identifiers (e.g.,
         * "io.modelcontextprotocol/tasks"), and values are per-extension settings objects. An empty object indicates
         * support with no settings.
         *
         * @return the value; empty if it is absent
         */
        public Map<String, JsonValue> extensions() {
            return map(get("extensions"), value -> value);
        }

        /** Sets {@code extensions}.
         * @param value the new value
         * @return this */
        public ServerCapabilities extensions(Map<String, ?> value) {
            return set("extensions", value);
        }

        /**
         * Present if the server supports sending log messages to the client.
         *
         * @return the value; {@link JsonValue#ABSENT} if it is missing
         */
        public JsonValue logging() {
            return get("logging");
        }

        /** Sets {@code logging}.
         * @param value the new value
         * @return this */
        public ServerCapabilities logging(Object value) {
            return set("logging", value);
        }

        /**
         * Present if the server offers any prompt templates.
         *
         * @return the value; null if it is absent
         */
        public ServerCapabilitiesPrompts prompts() {
            return one("prompts", ServerCapabilitiesPrompts::new);
        }

        /** Sets {@code prompts}.
         * @param value the new value
         * @return this */
        public ServerCapabilities prompts(ServerCapabilitiesPrompts value) {
            return set("prompts", value);
        }

        /**
         * Present if the server offers any resources to read.
         *
         * @return the value; null if it is absent
         */
        public ServerCapabilitiesResources resources() {
            return one("resources", ServerCapabilitiesResources::new);
        }

        /** Sets {@code resources}.
         * @param value the new value
         * @return this */
        public ServerCapabilities resources(ServerCapabilitiesResources value) {
            return set("resources", value);
        }

        /**
         * Present if the server supports task-augmented requests.
         *
         * @return the value; null if it is absent
         */
        public ServerCapabilitiesTasks tasks() {
            return one("tasks", ServerCapabilitiesTasks::new);
        }

        /** Sets {@code tasks}.
         * @param value the new value
         * @return this */
        public ServerCapabilities tasks(ServerCapabilitiesTasks value) {
            return set("tasks", value);
        }

        /**
         * Present if the server offers any tools to call.
         *
         * @return the value; null if it is absent
         */
        public ServerCapabilitiesTools tools() {
            return one("tools", ServerCapabilitiesTools::new);
        }

        /** Sets {@code tools}.
         * @param value the new value
         * @return this */
        public ServerCapabilities tools(ServerCapabilitiesTools value) {
            return set("tools", value);
        }
    }

    /**
     * Present if the server offers any prompt templates.
     * Revisions: all.
     */
    public static final class ServerCapabilitiesPrompts extends Members<ServerCapabilitiesPrompts> {
        /** Makes one without members. */
        public ServerCapabilitiesPrompts() {
        }

        /**
         * Reads one.
         *
         * @param value an object
         */
        public ServerCapabilitiesPrompts(JsonValue value) {
            super(value);
        }

        /**
         * Whether this server supports notifications for changes to the prompt list.
         *
         * @return the value; null if it is absent
         */
        public Boolean listChanged() {
            return one("listChanged", JsonValue::asBoolean);
        }

        /** Sets {@code listChanged}.
         * @param value the new value
         * @return this */
        public ServerCapabilitiesPrompts listChanged(boolean value) {
            return set("listChanged", value);
        }
    }

    /**
     * Present if the server offers any resources to read.
     * Revisions: all.
     */
    public static final class ServerCapabilitiesResources extends Members<ServerCapabilitiesResources> {
        /** Makes one without members. */
        public ServerCapabilitiesResources() {
        }

        /**
         * Reads one.
         *
         * @param value an object
         */
        public ServerCapabilitiesResources(JsonValue value) {
            super(value);
        }

        /**
         * Whether this server supports notifications for changes to the resource list.
         *
         * @return the value; null if it is absent
         */
        public Boolean listChanged() {
            return one("listChanged", JsonValue::asBoolean);
        }

        /** Sets {@code listChanged}.
         * @param value the new value
         * @return this */
        public ServerCapabilitiesResources listChanged(boolean value) {
            return set("listChanged", value);
        }

        /**
         * Whether this server supports subscribing to resource updates.
         *
         * @return the value; null if it is absent
         */
        public Boolean subscribe() {
            return one("subscribe", JsonValue::asBoolean);
        }

        /** Sets {@code subscribe}.
         * @param value the new value
         * @return this */
        public ServerCapabilitiesResources subscribe(boolean value) {
            return set("subscribe", value);
        }
    }

    /**
     * Present if the server supports task-augmented requests.
     * Revision: 2025-11-25.
     */
    public static final class ServerCapabilitiesTasks extends Members<ServerCapabilitiesTasks> {
        /** Makes one without members. */
        public ServerCapabilitiesTasks() {
        }

        /**
         * Reads one.
         *
         * @param value an object
         */
        public ServerCapabilitiesTasks(JsonValue value) {
            super(value);
        }

        /**
         * Whether this server supports tasks/cancel.
         *
         * @return the value; {@link JsonValue#ABSENT} if it is missing
         */
        public JsonValue cancel() {
            return get("cancel");
        }

        /** Sets {@code cancel}.
         * @param value the new value
         * @return this */
        public ServerCapabilitiesTasks cancel(Object value) {
            return set("cancel", value);
        }

        /**
         * Whether this server supports tasks/list.
         *
         * @return the value; {@link JsonValue#ABSENT} if it is missing
         */
        public JsonValue list() {
            return get("list");
        }

        /** Sets {@code list}.
         * @param value the new value
         * @return this */
        public ServerCapabilitiesTasks list(Object value) {
            return set("list", value);
        }

        /**
         * Specifies which request types can be augmented with tasks.
         *
         * @return the value; null if it is absent
         */
        public ServerCapabilitiesTasksRequests requests() {
            return one("requests", ServerCapabilitiesTasksRequests::new);
        }

        /** Sets {@code requests}.
         * @param value the new value
         * @return this */
        public ServerCapabilitiesTasks requests(ServerCapabilitiesTasksRequests value) {
            return set("requests", value);
        }
    }

    /**
     * Specifies which request types can be augmented with tasks.
     * Revision: 2025-11-25.
     */
    public static final class ServerCapabilitiesTasksRequests extends Members<ServerCapabilitiesTasksRequests> {
        /** Makes one without members. */
        public ServerCapabilitiesTasksRequests() {
        }

        /**
         * Reads one.
         *
         * @param value an object
         */
        public ServerCapabilitiesTasksRequests(JsonValue value) {
            super(value);
        }

        /**
         * Task support for tool-related requests.
         *
         * @return the value; null if it is absent
         */
        public ServerCapabilitiesTasksRequestsTools tools() {
            return one("tools", ServerCapabilitiesTasksRequestsTools::new);
        }

        /** Sets {@code tools}.
         * @param value the new value
         * @return this */
        public ServerCapabilitiesTasksRequests tools(ServerCapabilitiesTasksRequestsTools value) {
            return set("tools", value);
        }
    }

    /**
     * Task support for tool-related requests.
     * Revision: 2025-11-25.
     */
    public static final class ServerCapabilitiesTasksRequestsTools extends Members<ServerCapabilitiesTasksRequestsTools> {
        /** Makes one without members. */
        public ServerCapabilitiesTasksRequestsTools() {
        }

        /**
         * Reads one.
         *
         * @param value an object
         */
        public ServerCapabilitiesTasksRequestsTools(JsonValue value) {
            super(value);
        }

        /**
         * Whether the server supports task-augmented tools/call requests.
         *
         * @return the value; {@link JsonValue#ABSENT} if it is missing
         */
        public JsonValue call() {
            return get("call");
        }

        /** Sets {@code call}.
         * @param value the new value
         * @return this */
        public ServerCapabilitiesTasksRequestsTools call(Object value) {
            return set("call", value);
        }
    }

    /**
     * Present if the server offers any tools to call.
     * Revisions: all.
     */
    public static final class ServerCapabilitiesTools extends Members<ServerCapabilitiesTools> {
        /** Makes one without members. */
        public ServerCapabilitiesTools() {
        }

        /**
         * Reads one.
         *
         * @param value an object
         */
        public ServerCapabilitiesTools(JsonValue value) {
            super(value);
        }

        /**
         * Whether this server supports notifications for changes to the tool list.
         *
         * @return the value; null if it is absent
         */
        public Boolean listChanged() {
            return one("listChanged", JsonValue::asBoolean);
        }

        /** Sets {@code listChanged}.
         * @param value the new value
         * @return this */
        public ServerCapabilitiesTools listChanged(boolean value) {
            return set("listChanged", value);
        }
    }

    /**
     * Parameters for a <code>logging/setLevel</code> request.
     * Revisions: 2024-11-05 to 2025-11-25.
     *
     * Deprecated: 2026-07-28 deprecates sampling, roots and log messages (SEP-2577). They work in every revision that
     * has them.
     */
    public static final class SetLevelRequestParams extends Members<SetLevelRequestParams> {
        /** Makes one without members. */
        public SetLevelRequestParams() {
        }

        /**
         * Reads one.
         *
         * @param value an object
         */
        public SetLevelRequestParams(JsonValue value) {
            super(value);
        }

        /**
         * Metadata of the protocol, of extensions and of applications.
         *
         * @return the value; {@link JsonValue#ABSENT} if it is missing
         */
        public JsonValue meta() {
            return get("_meta");
        }

        /** Sets {@code _meta}.
         * @param value the new value
         * @return this */
        public SetLevelRequestParams meta(Object value) {
            return set("_meta", value);
        }

        /**
         * The level of logging that the client wants to receive from the server. The server should send all logs at
         * this level and higher (i.e., more severe) to the client as notifications/message.
         *
         * @return the value; null if it is absent
         */
        public String level() {
            return one("level", JsonValue::asText);
        }

        /** Sets {@code level}.
         * @param value the new value
         * @return this */
        public SetLevelRequestParams level(String value) {
            return set("level", value);
        }
    }

    /** Revisions: from 2025-11-25 on. */
    public static final class SingleSelectEnumSchema extends Members<SingleSelectEnumSchema> {
        /** Makes one without members. */
        public SingleSelectEnumSchema() {
        }

        /**
         * Reads one.
         *
         * @param value an object
         */
        public SingleSelectEnumSchema(JsonValue value) {
            super(value);
        }

        /**
         * Optional default value.
         *
         * @return the value; null if it is absent
         */
        public String default_() {
            return one("default", JsonValue::asText);
        }

        /** Sets {@code default}.
         * @param value the new value
         * @return this */
        public SingleSelectEnumSchema default_(String value) {
            return set("default", value);
        }

        /**
         * Optional description for the enum field.
         *
         * @return the value; null if it is absent
         */
        public String description() {
            return one("description", JsonValue::asText);
        }

        /** Sets {@code description}.
         * @param value the new value
         * @return this */
        public SingleSelectEnumSchema description(String value) {
            return set("description", value);
        }

        /**
         * Array of enum values to choose from.
         *
         * @return the value; empty if it is absent
         */
        public List<String> enum_() {
            return list(get("enum"), JsonValue::asText);
        }

        /** Sets {@code enum}.
         * @param value the new value
         * @return this */
        public SingleSelectEnumSchema enum_(List<String> value) {
            return set("enum", value);
        }

        /** Sets {@code enum}.
         * @param value the new value
         * @return this */
        public SingleSelectEnumSchema enum_(String... value) {
            return set("enum", List.of(value));
        }

        /**
         * Optional title for the enum field.
         *
         * @return the value; null if it is absent
         */
        public String title() {
            return one("title", JsonValue::asText);
        }

        /** Sets {@code title}.
         * @param value the new value
         * @return this */
        public SingleSelectEnumSchema title(String value) {
            return set("title", value);
        }

        /**
         * The member {@code type}.
         *
         * @return the value; null if it is absent
         */
        public String type() {
            return one("type", JsonValue::asText);
        }

        /** Sets {@code type}.
         * @param value the new value
         * @return this */
        public SingleSelectEnumSchema type(String value) {
            return set("type", value);
        }

        /**
         * Array of enum options with values and display labels.
         *
         * @return the value; empty if it is absent
         */
        public List<EnumOption> oneOf() {
            return list(get("oneOf"), EnumOption::new);
        }

        /** Sets {@code oneOf}.
         * @param value the new value
         * @return this */
        public SingleSelectEnumSchema oneOf(List<? extends EnumOption> value) {
            return set("oneOf", value);
        }
    }

    /** Revisions: from 2025-06-18 on. */
    public static final class StringSchema extends Members<StringSchema> {
        /** Makes one that has only what tells its kind. */
        public StringSchema() {
            set("type", "string");
        }

        /**
         * Reads one.
         *
         * @param value an object
         */
        public StringSchema(JsonValue value) {
            super(value);
        }

        /**
         * The member {@code default}.
         *
         * @return the value; null if it is absent
         */
        public String default_() {
            return one("default", JsonValue::asText);
        }

        /** Sets {@code default}.
         * @param value the new value
         * @return this */
        public StringSchema default_(String value) {
            return set("default", value);
        }

        /**
         * The member {@code description}.
         *
         * @return the value; null if it is absent
         */
        public String description() {
            return one("description", JsonValue::asText);
        }

        /** Sets {@code description}.
         * @param value the new value
         * @return this */
        public StringSchema description(String value) {
            return set("description", value);
        }

        /**
         * The member {@code format}. Values: date, date-time, email, uri.
         *
         * @return the value; null if it is absent
         */
        public String format() {
            return one("format", JsonValue::asText);
        }

        /** Sets {@code format}.
         * @param value the new value
         * @return this */
        public StringSchema format(String value) {
            return set("format", value);
        }

        /**
         * The member {@code maxLength}.
         *
         * @return the value; null if it is absent
         */
        public Long maxLength() {
            return one("maxLength", JsonValue::asLong);
        }

        /** Sets {@code maxLength}.
         * @param value the new value
         * @return this */
        public StringSchema maxLength(long value) {
            return set("maxLength", value);
        }

        /**
         * The member {@code minLength}.
         *
         * @return the value; null if it is absent
         */
        public Long minLength() {
            return one("minLength", JsonValue::asLong);
        }

        /** Sets {@code minLength}.
         * @param value the new value
         * @return this */
        public StringSchema minLength(long value) {
            return set("minLength", value);
        }

        /**
         * The member {@code title}.
         *
         * @return the value; null if it is absent
         */
        public String title() {
            return one("title", JsonValue::asText);
        }

        /** Sets {@code title}.
         * @param value the new value
         * @return this */
        public StringSchema title(String value) {
            return set("title", value);
        }
    }

    /**
     * Parameters for a <code>resources/subscribe</code> request.
     * Revisions: 2024-11-05 to 2025-11-25.
     */
    public static final class SubscribeRequestParams extends Members<SubscribeRequestParams> {
        /** Makes one without members. */
        public SubscribeRequestParams() {
        }

        /**
         * Reads one.
         *
         * @param value an object
         */
        public SubscribeRequestParams(JsonValue value) {
            super(value);
        }

        /**
         * Metadata of the protocol, of extensions and of applications.
         *
         * @return the value; {@link JsonValue#ABSENT} if it is missing
         */
        public JsonValue meta() {
            return get("_meta");
        }

        /** Sets {@code _meta}.
         * @param value the new value
         * @return this */
        public SubscribeRequestParams meta(Object value) {
            return set("_meta", value);
        }

        /**
         * The URI of the resource. The URI can use any protocol; it is up to the server how to interpret it.
         *
         * @return the value; null if it is absent
         */
        public String uri() {
            return one("uri", JsonValue::asText);
        }

        /** Sets {@code uri}.
         * @param value the new value
         * @return this */
        public SubscribeRequestParams uri(String value) {
            return set("uri", value);
        }
    }

    /**
     * The set of notification types a client may opt in to on a subscriptions/listen request.
     * Revision: 2026-07-28.
     */
    public static final class SubscriptionFilter extends Members<SubscriptionFilter> {
        /** Makes one without members. */
        public SubscriptionFilter() {
        }

        /**
         * Reads one.
         *
         * @param value an object
         */
        public SubscriptionFilter(JsonValue value) {
            super(value);
        }

        /**
         * If true, receive notifications/prompts/list_changed.
         *
         * @return the value; null if it is absent
         */
        public Boolean promptsListChanged() {
            return one("promptsListChanged", JsonValue::asBoolean);
        }

        /** Sets {@code promptsListChanged}.
         * @param value the new value
         * @return this */
        public SubscriptionFilter promptsListChanged(boolean value) {
            return set("promptsListChanged", value);
        }

        /**
         * Subscribe to notifications/resources/updated for these resource URIs. Replaces the former
         * <code>resources/subscribe</code> RPC.
         *
         * @return the value; empty if it is absent
         */
        public List<String> resourceSubscriptions() {
            return list(get("resourceSubscriptions"), JsonValue::asText);
        }

        /** Sets {@code resourceSubscriptions}.
         * @param value the new value
         * @return this */
        public SubscriptionFilter resourceSubscriptions(List<String> value) {
            return set("resourceSubscriptions", value);
        }

        /** Sets {@code resourceSubscriptions}.
         * @param value the new value
         * @return this */
        public SubscriptionFilter resourceSubscriptions(String... value) {
            return set("resourceSubscriptions", List.of(value));
        }

        /**
         * If true, receive notifications/resources/list_changed.
         *
         * @return the value; null if it is absent
         */
        public Boolean resourcesListChanged() {
            return one("resourcesListChanged", JsonValue::asBoolean);
        }

        /** Sets {@code resourcesListChanged}.
         * @param value the new value
         * @return this */
        public SubscriptionFilter resourcesListChanged(boolean value) {
            return set("resourcesListChanged", value);
        }

        /**
         * If true, receive notifications/tools/list_changed.
         *
         * @return the value; null if it is absent
         */
        public Boolean toolsListChanged() {
            return one("toolsListChanged", JsonValue::asBoolean);
        }

        /** Sets {@code toolsListChanged}.
         * @param value the new value
         * @return this */
        public SubscriptionFilter toolsListChanged(boolean value) {
            return set("toolsListChanged", value);
        }
    }

    /**
     * Parameters for a notifications/subscriptions/acknowledged notification.
     * Revision: 2026-07-28.
     */
    public static final class SubscriptionsAcknowledgedNotificationParams extends Members<SubscriptionsAcknowledgedNotificationParams> {
        /** Makes one without members. */
        public SubscriptionsAcknowledgedNotificationParams() {
        }

        /**
         * Reads one.
         *
         * @param value an object
         */
        public SubscriptionsAcknowledgedNotificationParams(JsonValue value) {
            super(value);
        }

        /**
         * Metadata of the protocol, of extensions and of applications.
         *
         * @return the value; {@link JsonValue#ABSENT} if it is missing
         */
        public JsonValue meta() {
            return get("_meta");
        }

        /** Sets {@code _meta}.
         * @param value the new value
         * @return this */
        public SubscriptionsAcknowledgedNotificationParams meta(Object value) {
            return set("_meta", value);
        }

        /**
         * The subset of requested notification types the server agreed to honor. Only includes notification types the
         * server actually supports; if the client requested an unsupported type (e.g., <code>promptsListChanged</code>
         * when the server has no prompts), it is omitted from this set.
         *
         * @return the value; null if it is absent
         */
        public SubscriptionFilter notifications() {
            return one("notifications", SubscriptionFilter::new);
        }

        /** Sets {@code notifications}.
         * @param value the new value
         * @return this */
        public SubscriptionsAcknowledgedNotificationParams notifications(SubscriptionFilter value) {
            return set("notifications", value);
        }
    }

    /**
     * Parameters for a subscriptions/listen request.
     * Revision: 2026-07-28.
     */
    public static final class SubscriptionsListenRequestParams extends Members<SubscriptionsListenRequestParams> {
        /** Makes one without members. */
        public SubscriptionsListenRequestParams() {
        }

        /**
         * Reads one.
         *
         * @param value an object
         */
        public SubscriptionsListenRequestParams(JsonValue value) {
            super(value);
        }

        /**
         * Metadata of the protocol, of extensions and of applications.
         *
         * @return the value; {@link JsonValue#ABSENT} if it is missing
         */
        public JsonValue meta() {
            return get("_meta");
        }

        /** Sets {@code _meta}.
         * @param value the new value
         * @return this */
        public SubscriptionsListenRequestParams meta(Object value) {
            return set("_meta", value);
        }

        /**
         * The notifications the client opts in to on this stream. The server **MUST NOT** send notification types the
         * client has not explicitly requested.
         *
         * @return the value; null if it is absent
         */
        public SubscriptionFilter notifications() {
            return one("notifications", SubscriptionFilter::new);
        }

        /** Sets {@code notifications}.
         * @param value the new value
         * @return this */
        public SubscriptionsListenRequestParams notifications(SubscriptionFilter value) {
            return set("notifications", value);
        }
    }

    /**
     * The response to a subscriptions/listen request, signalling that the subscription has ended gracefully (for
     * example, during server shutdown). Because the listen stream is long-lived, this result is sent only when the
     * server tears the subscription down; an abrupt transport close carries no response. The result body is otherwise
     * empty.
     * Revision: 2026-07-28.
     */
    public static final class SubscriptionsListenResult extends Members<SubscriptionsListenResult> {
        /** Makes one without members. */
        public SubscriptionsListenResult() {
        }

        /**
         * Reads one.
         *
         * @param value an object
         */
        public SubscriptionsListenResult(JsonValue value) {
            super(value);
        }

        /**
         * Metadata of the protocol, of extensions and of applications.
         *
         * @return the value; {@link JsonValue#ABSENT} if it is missing
         */
        public JsonValue meta() {
            return get("_meta");
        }

        /** Sets {@code _meta}.
         * @param value the new value
         * @return this */
        public SubscriptionsListenResult meta(Object value) {
            return set("_meta", value);
        }

        /**
         * Indicates the type of the result, which allows the client to determine how to parse the result object.
         *
         * @return the value; null if it is absent
         */
        public String resultType() {
            return one("resultType", JsonValue::asText);
        }

        /** Sets {@code resultType}.
         * @param value the new value
         * @return this */
        public SubscriptionsListenResult resultType(String value) {
            return set("resultType", value);
        }
    }

    /**
     * Data associated with a task.
     * Revision: 2025-11-25.
     */
    public static final class Task extends Members<Task> {
        /** Makes one without members. */
        public Task() {
        }

        /**
         * Reads one.
         *
         * @param value an object
         */
        public Task(JsonValue value) {
            super(value);
        }

        /**
         * ISO 8601 timestamp when the task was created.
         *
         * @return the value; null if it is absent
         */
        public String createdAt() {
            return one("createdAt", JsonValue::asText);
        }

        /** Sets {@code createdAt}.
         * @param value the new value
         * @return this */
        public Task createdAt(String value) {
            return set("createdAt", value);
        }

        /**
         * ISO 8601 timestamp when the task was last updated.
         *
         * @return the value; null if it is absent
         */
        public String lastUpdatedAt() {
            return one("lastUpdatedAt", JsonValue::asText);
        }

        /** Sets {@code lastUpdatedAt}.
         * @param value the new value
         * @return this */
        public Task lastUpdatedAt(String value) {
            return set("lastUpdatedAt", value);
        }

        /**
         * Suggested polling interval in milliseconds.
         *
         * @return the value; null if it is absent
         */
        public Long pollInterval() {
            return one("pollInterval", JsonValue::asLong);
        }

        /** Sets {@code pollInterval}.
         * @param value the new value
         * @return this */
        public Task pollInterval(long value) {
            return set("pollInterval", value);
        }

        /**
         * Current task state.
         *
         * @return the value; null if it is absent
         */
        public String status() {
            return one("status", JsonValue::asText);
        }

        /** Sets {@code status}.
         * @param value the new value
         * @return this */
        public Task status(String value) {
            return set("status", value);
        }

        /**
         * Optional human-readable message describing the current task state. This can provide context for any status,
         * including: - Reasons for "cancelled" status - Summaries for "completed" status - Diagnostic information for
         * "failed" status (e.g., error details, what went wrong)
         *
         * @return the value; null if it is absent
         */
        public String statusMessage() {
            return one("statusMessage", JsonValue::asText);
        }

        /** Sets {@code statusMessage}.
         * @param value the new value
         * @return this */
        public Task statusMessage(String value) {
            return set("statusMessage", value);
        }

        /**
         * The task identifier.
         *
         * @return the value; null if it is absent
         */
        public String taskId() {
            return one("taskId", JsonValue::asText);
        }

        /** Sets {@code taskId}.
         * @param value the new value
         * @return this */
        public Task taskId(String value) {
            return set("taskId", value);
        }

        /**
         * Actual retention duration from creation in milliseconds, null for unlimited.
         *
         * @return the value; null if it is absent
         */
        public Long ttl() {
            return one("ttl", JsonValue::asLong);
        }

        /** Sets {@code ttl}.
         * @param value the new value
         * @return this */
        public Task ttl(long value) {
            return set("ttl", value);
        }
    }

    /**
     * Metadata for augmenting a request with task execution. Include this in the <code>task</code> field of the
     * request parameters.
     * Revision: 2025-11-25.
     */
    public static final class TaskMetadata extends Members<TaskMetadata> {
        /** Makes one without members. */
        public TaskMetadata() {
        }

        /**
         * Reads one.
         *
         * @param value an object
         */
        public TaskMetadata(JsonValue value) {
            super(value);
        }

        /**
         * Requested duration in milliseconds to retain task from creation.
         *
         * @return the value; null if it is absent
         */
        public Long ttl() {
            return one("ttl", JsonValue::asLong);
        }

        /** Sets {@code ttl}.
         * @param value the new value
         * @return this */
        public TaskMetadata ttl(long value) {
            return set("ttl", value);
        }
    }

    /** The status of a task.
Revision: 2025-11-25. */
    public static final class TaskStatus {
        private TaskStatus() {
        }

        /** One of the values. */
        public static final String CANCELLED = "cancelled";

        /** One of the values. */
        public static final String COMPLETED = "completed";

        /** One of the values. */
        public static final String FAILED = "failed";

        /** One of the values. */
        public static final String INPUT_REQUIRED = "input_required";

        /** One of the values. */
        public static final String WORKING = "working";
    }

    /**
     * Parameters for a <code>notifications/tasks/status</code> notification.
     * Revision: 2025-11-25.
     */
    public static final class TaskStatusNotificationParams extends Members<TaskStatusNotificationParams> {
        /** Makes one without members. */
        public TaskStatusNotificationParams() {
        }

        /**
         * Reads one.
         *
         * @param value an object
         */
        public TaskStatusNotificationParams(JsonValue value) {
            super(value);
        }

        /**
         * Metadata of the protocol, of extensions and of applications.
         *
         * @return the value; {@link JsonValue#ABSENT} if it is missing
         */
        public JsonValue meta() {
            return get("_meta");
        }

        /** Sets {@code _meta}.
         * @param value the new value
         * @return this */
        public TaskStatusNotificationParams meta(Object value) {
            return set("_meta", value);
        }

        /**
         * ISO 8601 timestamp when the task was created.
         *
         * @return the value; null if it is absent
         */
        public String createdAt() {
            return one("createdAt", JsonValue::asText);
        }

        /** Sets {@code createdAt}.
         * @param value the new value
         * @return this */
        public TaskStatusNotificationParams createdAt(String value) {
            return set("createdAt", value);
        }

        /**
         * ISO 8601 timestamp when the task was last updated.
         *
         * @return the value; null if it is absent
         */
        public String lastUpdatedAt() {
            return one("lastUpdatedAt", JsonValue::asText);
        }

        /** Sets {@code lastUpdatedAt}.
         * @param value the new value
         * @return this */
        public TaskStatusNotificationParams lastUpdatedAt(String value) {
            return set("lastUpdatedAt", value);
        }

        /**
         * Suggested polling interval in milliseconds.
         *
         * @return the value; null if it is absent
         */
        public Long pollInterval() {
            return one("pollInterval", JsonValue::asLong);
        }

        /** Sets {@code pollInterval}.
         * @param value the new value
         * @return this */
        public TaskStatusNotificationParams pollInterval(long value) {
            return set("pollInterval", value);
        }

        /**
         * Current task state.
         *
         * @return the value; null if it is absent
         */
        public String status() {
            return one("status", JsonValue::asText);
        }

        /** Sets {@code status}.
         * @param value the new value
         * @return this */
        public TaskStatusNotificationParams status(String value) {
            return set("status", value);
        }

        /**
         * Optional human-readable message describing the current task state. This can provide context for any status,
         * including: - Reasons for "cancelled" status - Summaries for "completed" status - Diagnostic information for
         * "failed" status (e.g., error details, what went wrong)
         *
         * @return the value; null if it is absent
         */
        public String statusMessage() {
            return one("statusMessage", JsonValue::asText);
        }

        /** Sets {@code statusMessage}.
         * @param value the new value
         * @return this */
        public TaskStatusNotificationParams statusMessage(String value) {
            return set("statusMessage", value);
        }

        /**
         * The task identifier.
         *
         * @return the value; null if it is absent
         */
        public String taskId() {
            return one("taskId", JsonValue::asText);
        }

        /** Sets {@code taskId}.
         * @param value the new value
         * @return this */
        public TaskStatusNotificationParams taskId(String value) {
            return set("taskId", value);
        }

        /**
         * Actual retention duration from creation in milliseconds, null for unlimited.
         *
         * @return the value; null if it is absent
         */
        public Long ttl() {
            return one("ttl", JsonValue::asLong);
        }

        /** Sets {@code ttl}.
         * @param value the new value
         * @return this */
        public TaskStatusNotificationParams ttl(long value) {
            return set("ttl", value);
        }
    }

    /**
     * Text provided to or from an LLM.
     * Revisions: all.
     */
    public static final class TextContent extends Members<TextContent> implements ContentBlock, SamplingMessageContentBlock {
        /** Makes one that has only what tells its kind. */
        public TextContent() {
            set("type", "text");
        }

        /**
         * Reads one.
         *
         * @param value an object
         */
        public TextContent(JsonValue value) {
            super(value);
        }

        /**
         * Metadata of the protocol, of extensions and of applications.
         *
         * @return the value; {@link JsonValue#ABSENT} if it is missing
         */
        public JsonValue meta() {
            return get("_meta");
        }

        /** Sets {@code _meta}.
         * @param value the new value
         * @return this */
        public TextContent meta(Object value) {
            return set("_meta", value);
        }

        /**
         * Optional annotations for the client.
         *
         * @return the value; null if it is absent
         */
        public Annotations annotations() {
            return one("annotations", Annotations::new);
        }

        /** Sets {@code annotations}.
         * @param value the new value
         * @return this */
        public TextContent annotations(Annotations value) {
            return set("annotations", value);
        }

        /**
         * The text content of the message.
         *
         * @return the value; null if it is absent
         */
        public String text() {
            return one("text", JsonValue::asText);
        }

        /** Sets {@code text}.
         * @param value the new value
         * @return this */
        public TextContent text(String value) {
            return set("text", value);
        }
    }

    /**
     * Schema for array items with enum options and display labels.
     * Revisions: from 2025-11-25 on.
     */
    public static final class TitledEnumItems extends Members<TitledEnumItems> {
        /** Makes one without members. */
        public TitledEnumItems() {
        }

        /**
         * Reads one.
         *
         * @param value an object
         */
        public TitledEnumItems(JsonValue value) {
            super(value);
        }

        /**
         * Array of enum options with values and display labels.
         *
         * @return the value; empty if it is absent
         */
        public List<EnumOption> anyOf() {
            return list(get("anyOf"), EnumOption::new);
        }

        /** Sets {@code anyOf}.
         * @param value the new value
         * @return this */
        public TitledEnumItems anyOf(List<? extends EnumOption> value) {
            return set("anyOf", value);
        }
    }

    /**
     * Schema for multiple-selection enumeration with display titles for each option.
     * Revisions: from 2025-11-25 on.
     */
    public static final class TitledMultiSelectEnumSchema extends Members<TitledMultiSelectEnumSchema> {
        /** Makes one that has only what tells its kind. */
        public TitledMultiSelectEnumSchema() {
            set("type", "array");
        }

        /**
         * Reads one.
         *
         * @param value an object
         */
        public TitledMultiSelectEnumSchema(JsonValue value) {
            super(value);
        }

        /**
         * Optional default value.
         *
         * @return the value; empty if it is absent
         */
        public List<String> default_() {
            return list(get("default"), JsonValue::asText);
        }

        /** Sets {@code default}.
         * @param value the new value
         * @return this */
        public TitledMultiSelectEnumSchema default_(List<String> value) {
            return set("default", value);
        }

        /** Sets {@code default}.
         * @param value the new value
         * @return this */
        public TitledMultiSelectEnumSchema default_(String... value) {
            return set("default", List.of(value));
        }

        /**
         * Optional description for the enum field.
         *
         * @return the value; null if it is absent
         */
        public String description() {
            return one("description", JsonValue::asText);
        }

        /** Sets {@code description}.
         * @param value the new value
         * @return this */
        public TitledMultiSelectEnumSchema description(String value) {
            return set("description", value);
        }

        /**
         * Schema for array items with enum options and display labels.
         *
         * @return the value; null if it is absent
         */
        public TitledEnumItems items() {
            return one("items", TitledEnumItems::new);
        }

        /** Sets {@code items}.
         * @param value the new value
         * @return this */
        public TitledMultiSelectEnumSchema items(TitledEnumItems value) {
            return set("items", value);
        }

        /**
         * Maximum number of items to select.
         *
         * @return the value; null if it is absent
         */
        public Long maxItems() {
            return one("maxItems", JsonValue::asLong);
        }

        /** Sets {@code maxItems}.
         * @param value the new value
         * @return this */
        public TitledMultiSelectEnumSchema maxItems(long value) {
            return set("maxItems", value);
        }

        /**
         * Minimum number of items to select.
         *
         * @return the value; null if it is absent
         */
        public Long minItems() {
            return one("minItems", JsonValue::asLong);
        }

        /** Sets {@code minItems}.
         * @param value the new value
         * @return this */
        public TitledMultiSelectEnumSchema minItems(long value) {
            return set("minItems", value);
        }

        /**
         * Optional title for the enum field.
         *
         * @return the value; null if it is absent
         */
        public String title() {
            return one("title", JsonValue::asText);
        }

        /** Sets {@code title}.
         * @param value the new value
         * @return this */
        public TitledMultiSelectEnumSchema title(String value) {
            return set("title", value);
        }
    }

    /**
     * Schema for single-selection enumeration with display titles for each option.
     * Revisions: from 2025-11-25 on.
     */
    public static final class TitledSingleSelectEnumSchema extends Members<TitledSingleSelectEnumSchema> {
        /** Makes one that has only what tells its kind. */
        public TitledSingleSelectEnumSchema() {
            set("type", "string");
        }

        /**
         * Reads one.
         *
         * @param value an object
         */
        public TitledSingleSelectEnumSchema(JsonValue value) {
            super(value);
        }

        /**
         * Optional default value.
         *
         * @return the value; null if it is absent
         */
        public String default_() {
            return one("default", JsonValue::asText);
        }

        /** Sets {@code default}.
         * @param value the new value
         * @return this */
        public TitledSingleSelectEnumSchema default_(String value) {
            return set("default", value);
        }

        /**
         * Optional description for the enum field.
         *
         * @return the value; null if it is absent
         */
        public String description() {
            return one("description", JsonValue::asText);
        }

        /** Sets {@code description}.
         * @param value the new value
         * @return this */
        public TitledSingleSelectEnumSchema description(String value) {
            return set("description", value);
        }

        /**
         * Array of enum options with values and display labels.
         *
         * @return the value; empty if it is absent
         */
        public List<EnumOption> oneOf() {
            return list(get("oneOf"), EnumOption::new);
        }

        /** Sets {@code oneOf}.
         * @param value the new value
         * @return this */
        public TitledSingleSelectEnumSchema oneOf(List<? extends EnumOption> value) {
            return set("oneOf", value);
        }

        /**
         * Optional title for the enum field.
         *
         * @return the value; null if it is absent
         */
        public String title() {
            return one("title", JsonValue::asText);
        }

        /** Sets {@code title}.
         * @param value the new value
         * @return this */
        public TitledSingleSelectEnumSchema title(String value) {
            return set("title", value);
        }
    }

    /**
     * Definition for a tool the client can call.
     * Revisions: all.
     */
    public static final class Tool extends Members<Tool> {
        /** Makes one without members. */
        public Tool() {
        }

        /**
         * Reads one.
         *
         * @param value an object
         */
        public Tool(JsonValue value) {
            super(value);
        }

        /**
         * Metadata of the protocol, of extensions and of applications.
         *
         * @return the value; {@link JsonValue#ABSENT} if it is missing
         */
        public JsonValue meta() {
            return get("_meta");
        }

        /** Sets {@code _meta}.
         * @param value the new value
         * @return this */
        public Tool meta(Object value) {
            return set("_meta", value);
        }

        /**
         * Optional additional tool information.
         *
         * @return the value; null if it is absent
         */
        public ToolAnnotations annotations() {
            return one("annotations", ToolAnnotations::new);
        }

        /** Sets {@code annotations}.
         * @param value the new value
         * @return this */
        public Tool annotations(ToolAnnotations value) {
            return set("annotations", value);
        }

        /**
         * A human-readable description of the tool.
         *
         * @return the value; null if it is absent
         */
        public String description() {
            return one("description", JsonValue::asText);
        }

        /** Sets {@code description}.
         * @param value the new value
         * @return this */
        public Tool description(String value) {
            return set("description", value);
        }

        /**
         * Execution-related properties for this tool.
         *
         * @return the value; null if it is absent
         */
        public ToolExecution execution() {
            return one("execution", ToolExecution::new);
        }

        /** Sets {@code execution}.
         * @param value the new value
         * @return this */
        public Tool execution(ToolExecution value) {
            return set("execution", value);
        }

        /**
         * Optional set of sized icons that the client can display in a user interface.
         *
         * @return the value; empty if it is absent
         */
        public List<Icon> icons() {
            return list(get("icons"), Icon::new);
        }

        /** Sets {@code icons}.
         * @param value the new value
         * @return this */
        public Tool icons(List<? extends Icon> value) {
            return set("icons", value);
        }

        /**
         * A JSON Schema object defining the expected parameters for the tool.
         *
         * @return the value; {@link JsonValue#ABSENT} if it is missing
         */
        public JsonValue inputSchema() {
            return get("inputSchema");
        }

        /** Sets {@code inputSchema}.
         * @param value the new value
         * @return this */
        public Tool inputSchema(Object value) {
            return set("inputSchema", value);
        }

        /**
         * Intended for programmatic or logical use, but used as a display name in past specs or fallback (if title
         * isn't present).
         *
         * @return the value; null if it is absent
         */
        public String name() {
            return one("name", JsonValue::asText);
        }

        /** Sets {@code name}.
         * @param value the new value
         * @return this */
        public Tool name(String value) {
            return set("name", value);
        }

        /**
         * An optional JSON Schema object defining the structure of the tool's output returned in the structuredContent
         * field of a CallToolResult. This can be any valid JSON Schema 2020-12.
         *
         * @return the value; {@link JsonValue#ABSENT} if it is missing
         */
        public JsonValue outputSchema() {
            return get("outputSchema");
        }

        /** Sets {@code outputSchema}.
         * @param value the new value
         * @return this */
        public Tool outputSchema(Object value) {
            return set("outputSchema", value);
        }

        /**
         * Intended for UI and end-user contexts — optimized to be human-readable and easily understood, even by those
         * unfamiliar with domain-specific terminology.
         *
         * @return the value; null if it is absent
         */
        public String title() {
            return one("title", JsonValue::asText);
        }

        /** Sets {@code title}.
         * @param value the new value
         * @return this */
        public Tool title(String value) {
            return set("title", value);
        }
    }

    /**
     * Additional properties describing a Tool to clients.
     * Revisions: from 2025-03-26 on.
     */
    public static final class ToolAnnotations extends Members<ToolAnnotations> {
        /** Makes one without members. */
        public ToolAnnotations() {
        }

        /**
         * Reads one.
         *
         * @param value an object
         */
        public ToolAnnotations(JsonValue value) {
            super(value);
        }

        /**
         * If true, the tool may perform destructive updates to its environment. If false, the tool performs only
         * additive updates.
         *
         * @return the value; null if it is absent
         */
        public Boolean destructiveHint() {
            return one("destructiveHint", JsonValue::asBoolean);
        }

        /** Sets {@code destructiveHint}.
         * @param value the new value
         * @return this */
        public ToolAnnotations destructiveHint(boolean value) {
            return set("destructiveHint", value);
        }

        /**
         * If true, calling the tool repeatedly with the same arguments will have no additional effect on its
         * environment.
         *
         * @return the value; null if it is absent
         */
        public Boolean idempotentHint() {
            return one("idempotentHint", JsonValue::asBoolean);
        }

        /** Sets {@code idempotentHint}.
         * @param value the new value
         * @return this */
        public ToolAnnotations idempotentHint(boolean value) {
            return set("idempotentHint", value);
        }

        /**
         * If true, this tool may interact with an "open world" of external entities. If false, the tool's domain of
         * interaction is closed. For example, the world of a web search tool is open, whereas that of a memory tool is
         * not.
         *
         * @return the value; null if it is absent
         */
        public Boolean openWorldHint() {
            return one("openWorldHint", JsonValue::asBoolean);
        }

        /** Sets {@code openWorldHint}.
         * @param value the new value
         * @return this */
        public ToolAnnotations openWorldHint(boolean value) {
            return set("openWorldHint", value);
        }

        /**
         * If true, the tool does not modify its environment.
         *
         * @return the value; null if it is absent
         */
        public Boolean readOnlyHint() {
            return one("readOnlyHint", JsonValue::asBoolean);
        }

        /** Sets {@code readOnlyHint}.
         * @param value the new value
         * @return this */
        public ToolAnnotations readOnlyHint(boolean value) {
            return set("readOnlyHint", value);
        }

        /**
         * A human-readable title for the tool.
         *
         * @return the value; null if it is absent
         */
        public String title() {
            return one("title", JsonValue::asText);
        }

        /** Sets {@code title}.
         * @param value the new value
         * @return this */
        public ToolAnnotations title(String value) {
            return set("title", value);
        }
    }

    /**
     * Controls tool selection behavior for sampling requests.
     * Revisions: from 2025-11-25 on.
     */
    public static final class ToolChoice extends Members<ToolChoice> {
        /** Makes one without members. */
        public ToolChoice() {
        }

        /**
         * Reads one.
         *
         * @param value an object
         */
        public ToolChoice(JsonValue value) {
            super(value);
        }

        /**
         * Controls the tool use ability of the model: - <code>"auto"</code>: Model decides whether to use tools
         * (default) - <code>"required"</code>: Model MUST use at least one tool before completing -
         * <code>"none"</code>: Model MUST NOT use any tools Values: auto, none, required.
         *
         * @return the value; null if it is absent
         */
        public String mode() {
            return one("mode", JsonValue::asText);
        }

        /** Sets {@code mode}.
         * @param value the new value
         * @return this */
        public ToolChoice mode(String value) {
            return set("mode", value);
        }
    }

    /**
     * Execution-related properties for a tool.
     * Revision: 2025-11-25.
     */
    public static final class ToolExecution extends Members<ToolExecution> {
        /** Makes one without members. */
        public ToolExecution() {
        }

        /**
         * Reads one.
         *
         * @param value an object
         */
        public ToolExecution(JsonValue value) {
            super(value);
        }

        /**
         * Indicates whether this tool supports task-augmented execution. This allows clients to handle long-running
         * operations through polling the task system. Values: forbidden, optional, required.
         *
         * @return the value; null if it is absent
         */
        public String taskSupport() {
            return one("taskSupport", JsonValue::asText);
        }

        /** Sets {@code taskSupport}.
         * @param value the new value
         * @return this */
        public ToolExecution taskSupport(String value) {
            return set("taskSupport", value);
        }
    }

    /**
     * The result of a tool use, provided by the user back to the assistant.
     * Revisions: from 2025-11-25 on.
     */
    public static final class ToolResultContent extends Members<ToolResultContent> implements SamplingMessageContentBlock {
        /** Makes one that has only what tells its kind. */
        public ToolResultContent() {
            set("type", "tool_result");
        }

        /**
         * Reads one.
         *
         * @param value an object
         */
        public ToolResultContent(JsonValue value) {
            super(value);
        }

        /**
         * Metadata of the protocol, of extensions and of applications.
         *
         * @return the value; {@link JsonValue#ABSENT} if it is missing
         */
        public JsonValue meta() {
            return get("_meta");
        }

        /** Sets {@code _meta}.
         * @param value the new value
         * @return this */
        public ToolResultContent meta(Object value) {
            return set("_meta", value);
        }

        /**
         * The unstructured result content of the tool use.
         *
         * @return the value; empty if it is absent
         */
        public List<ContentBlock> content() {
            return list(get("content"), ContentBlock::of);
        }

        /** Sets {@code content}.
         * @param value the new value
         * @return this */
        public ToolResultContent content(List<? extends ContentBlock> value) {
            return set("content", value);
        }

        /**
         * Whether the tool use resulted in an error.
         *
         * @return the value; null if it is absent
         */
        public Boolean isError() {
            return one("isError", JsonValue::asBoolean);
        }

        /** Sets {@code isError}.
         * @param value the new value
         * @return this */
        public ToolResultContent isError(boolean value) {
            return set("isError", value);
        }

        /**
         * An optional structured result value.
         *
         * @return the value; {@link JsonValue#ABSENT} if it is missing
         */
        public JsonValue structuredContent() {
            return get("structuredContent");
        }

        /** Sets {@code structuredContent}.
         * @param value the new value
         * @return this */
        public ToolResultContent structuredContent(Object value) {
            return set("structuredContent", value);
        }

        /**
         * The ID of the tool use this result corresponds to.
         *
         * @return the value; null if it is absent
         */
        public String toolUseId() {
            return one("toolUseId", JsonValue::asText);
        }

        /** Sets {@code toolUseId}.
         * @param value the new value
         * @return this */
        public ToolResultContent toolUseId(String value) {
            return set("toolUseId", value);
        }
    }

    /**
     * A request from the assistant to call a tool.
     * Revisions: from 2025-11-25 on.
     */
    public static final class ToolUseContent extends Members<ToolUseContent> implements SamplingMessageContentBlock {
        /** Makes one that has only what tells its kind. */
        public ToolUseContent() {
            set("type", "tool_use");
        }

        /**
         * Reads one.
         *
         * @param value an object
         */
        public ToolUseContent(JsonValue value) {
            super(value);
        }

        /**
         * Metadata of the protocol, of extensions and of applications.
         *
         * @return the value; {@link JsonValue#ABSENT} if it is missing
         */
        public JsonValue meta() {
            return get("_meta");
        }

        /** Sets {@code _meta}.
         * @param value the new value
         * @return this */
        public ToolUseContent meta(Object value) {
            return set("_meta", value);
        }

        /**
         * A unique identifier for this tool use.
         *
         * @return the value; null if it is absent
         */
        public String id() {
            return one("id", JsonValue::asText);
        }

        /** Sets {@code id}.
         * @param value the new value
         * @return this */
        public ToolUseContent id(String value) {
            return set("id", value);
        }

        /**
         * The arguments to pass to the tool, conforming to the tool's input schema.
         *
         * @return the value; {@link JsonValue#ABSENT} if it is missing
         */
        public JsonValue input() {
            return get("input");
        }

        /** Sets {@code input}.
         * @param value the new value
         * @return this */
        public ToolUseContent input(Object value) {
            return set("input", value);
        }

        /**
         * The name of the tool to call.
         *
         * @return the value; null if it is absent
         */
        public String name() {
            return one("name", JsonValue::asText);
        }

        /** Sets {@code name}.
         * @param value the new value
         * @return this */
        public ToolUseContent name(String value) {
            return set("name", value);
        }
    }

    /** Revision: 2025-11-25. */
    public static final class URLElicitationRequiredErrorData extends Members<URLElicitationRequiredErrorData> {
        /** Makes one without members. */
        public URLElicitationRequiredErrorData() {
        }

        /**
         * Reads one.
         *
         * @param value an object
         */
        public URLElicitationRequiredErrorData(JsonValue value) {
            super(value);
        }

        /**
         * The member {@code elicitations}.
         *
         * @return the value; empty if it is absent
         */
        public List<ElicitRequestURLParams> elicitations() {
            return list(get("elicitations"), ElicitRequestURLParams::new);
        }

        /** Sets {@code elicitations}.
         * @param value the new value
         * @return this */
        public URLElicitationRequiredErrorData elicitations(List<? extends ElicitRequestURLParams> value) {
            return set("elicitations", value);
        }
    }

    /**
     * Parameters for a <code>resources/unsubscribe</code> request.
     * Revisions: 2024-11-05 to 2025-11-25.
     */
    public static final class UnsubscribeRequestParams extends Members<UnsubscribeRequestParams> {
        /** Makes one without members. */
        public UnsubscribeRequestParams() {
        }

        /**
         * Reads one.
         *
         * @param value an object
         */
        public UnsubscribeRequestParams(JsonValue value) {
            super(value);
        }

        /**
         * Metadata of the protocol, of extensions and of applications.
         *
         * @return the value; {@link JsonValue#ABSENT} if it is missing
         */
        public JsonValue meta() {
            return get("_meta");
        }

        /** Sets {@code _meta}.
         * @param value the new value
         * @return this */
        public UnsubscribeRequestParams meta(Object value) {
            return set("_meta", value);
        }

        /**
         * The URI of the resource. The URI can use any protocol; it is up to the server how to interpret it.
         *
         * @return the value; null if it is absent
         */
        public String uri() {
            return one("uri", JsonValue::asText);
        }

        /** Sets {@code uri}.
         * @param value the new value
         * @return this */
        public UnsubscribeRequestParams uri(String value) {
            return set("uri", value);
        }
    }

    /** Revision: 2026-07-28. */
    public static final class UnsupportedProtocolVersionErrorData extends Members<UnsupportedProtocolVersionErrorData> {
        /** Makes one without members. */
        public UnsupportedProtocolVersionErrorData() {
        }

        /**
         * Reads one.
         *
         * @param value an object
         */
        public UnsupportedProtocolVersionErrorData(JsonValue value) {
            super(value);
        }

        /**
         * The protocol version that was requested by the client.
         *
         * @return the value; null if it is absent
         */
        public String requested() {
            return one("requested", JsonValue::asText);
        }

        /** Sets {@code requested}.
         * @param value the new value
         * @return this */
        public UnsupportedProtocolVersionErrorData requested(String value) {
            return set("requested", value);
        }

        /**
         * Protocol versions the server supports. The client should choose a mutually supported version from this list
         * and retry.
         *
         * @return the value; empty if it is absent
         */
        public List<String> supported() {
            return list(get("supported"), JsonValue::asText);
        }

        /** Sets {@code supported}.
         * @param value the new value
         * @return this */
        public UnsupportedProtocolVersionErrorData supported(List<String> value) {
            return set("supported", value);
        }

        /** Sets {@code supported}.
         * @param value the new value
         * @return this */
        public UnsupportedProtocolVersionErrorData supported(String... value) {
            return set("supported", List.of(value));
        }
    }

    /**
     * Schema for the array items.
     * Revisions: from 2025-11-25 on.
     */
    public static final class UntitledEnumItems extends Members<UntitledEnumItems> {
        /** Makes one that has only what tells its kind. */
        public UntitledEnumItems() {
            set("type", "string");
        }

        /**
         * Reads one.
         *
         * @param value an object
         */
        public UntitledEnumItems(JsonValue value) {
            super(value);
        }

        /**
         * Array of enum values to choose from.
         *
         * @return the value; empty if it is absent
         */
        public List<String> enum_() {
            return list(get("enum"), JsonValue::asText);
        }

        /** Sets {@code enum}.
         * @param value the new value
         * @return this */
        public UntitledEnumItems enum_(List<String> value) {
            return set("enum", value);
        }

        /** Sets {@code enum}.
         * @param value the new value
         * @return this */
        public UntitledEnumItems enum_(String... value) {
            return set("enum", List.of(value));
        }
    }

    /**
     * Schema for multiple-selection enumeration without display titles for options.
     * Revisions: from 2025-11-25 on.
     */
    public static final class UntitledMultiSelectEnumSchema extends Members<UntitledMultiSelectEnumSchema> {
        /** Makes one that has only what tells its kind. */
        public UntitledMultiSelectEnumSchema() {
            set("type", "array");
        }

        /**
         * Reads one.
         *
         * @param value an object
         */
        public UntitledMultiSelectEnumSchema(JsonValue value) {
            super(value);
        }

        /**
         * Optional default value.
         *
         * @return the value; empty if it is absent
         */
        public List<String> default_() {
            return list(get("default"), JsonValue::asText);
        }

        /** Sets {@code default}.
         * @param value the new value
         * @return this */
        public UntitledMultiSelectEnumSchema default_(List<String> value) {
            return set("default", value);
        }

        /** Sets {@code default}.
         * @param value the new value
         * @return this */
        public UntitledMultiSelectEnumSchema default_(String... value) {
            return set("default", List.of(value));
        }

        /**
         * Optional description for the enum field.
         *
         * @return the value; null if it is absent
         */
        public String description() {
            return one("description", JsonValue::asText);
        }

        /** Sets {@code description}.
         * @param value the new value
         * @return this */
        public UntitledMultiSelectEnumSchema description(String value) {
            return set("description", value);
        }

        /**
         * Schema for the array items.
         *
         * @return the value; null if it is absent
         */
        public UntitledEnumItems items() {
            return one("items", UntitledEnumItems::new);
        }

        /** Sets {@code items}.
         * @param value the new value
         * @return this */
        public UntitledMultiSelectEnumSchema items(UntitledEnumItems value) {
            return set("items", value);
        }

        /**
         * Maximum number of items to select.
         *
         * @return the value; null if it is absent
         */
        public Long maxItems() {
            return one("maxItems", JsonValue::asLong);
        }

        /** Sets {@code maxItems}.
         * @param value the new value
         * @return this */
        public UntitledMultiSelectEnumSchema maxItems(long value) {
            return set("maxItems", value);
        }

        /**
         * Minimum number of items to select.
         *
         * @return the value; null if it is absent
         */
        public Long minItems() {
            return one("minItems", JsonValue::asLong);
        }

        /** Sets {@code minItems}.
         * @param value the new value
         * @return this */
        public UntitledMultiSelectEnumSchema minItems(long value) {
            return set("minItems", value);
        }

        /**
         * Optional title for the enum field.
         *
         * @return the value; null if it is absent
         */
        public String title() {
            return one("title", JsonValue::asText);
        }

        /** Sets {@code title}.
         * @param value the new value
         * @return this */
        public UntitledMultiSelectEnumSchema title(String value) {
            return set("title", value);
        }
    }

    /**
     * Schema for single-selection enumeration without display titles for options.
     * Revisions: from 2025-11-25 on.
     */
    public static final class UntitledSingleSelectEnumSchema extends Members<UntitledSingleSelectEnumSchema> {
        /** Makes one that has only what tells its kind. */
        public UntitledSingleSelectEnumSchema() {
            set("type", "string");
        }

        /**
         * Reads one.
         *
         * @param value an object
         */
        public UntitledSingleSelectEnumSchema(JsonValue value) {
            super(value);
        }

        /**
         * Optional default value.
         *
         * @return the value; null if it is absent
         */
        public String default_() {
            return one("default", JsonValue::asText);
        }

        /** Sets {@code default}.
         * @param value the new value
         * @return this */
        public UntitledSingleSelectEnumSchema default_(String value) {
            return set("default", value);
        }

        /**
         * Optional description for the enum field.
         *
         * @return the value; null if it is absent
         */
        public String description() {
            return one("description", JsonValue::asText);
        }

        /** Sets {@code description}.
         * @param value the new value
         * @return this */
        public UntitledSingleSelectEnumSchema description(String value) {
            return set("description", value);
        }

        /**
         * Array of enum values to choose from.
         *
         * @return the value; empty if it is absent
         */
        public List<String> enum_() {
            return list(get("enum"), JsonValue::asText);
        }

        /** Sets {@code enum}.
         * @param value the new value
         * @return this */
        public UntitledSingleSelectEnumSchema enum_(List<String> value) {
            return set("enum", value);
        }

        /** Sets {@code enum}.
         * @param value the new value
         * @return this */
        public UntitledSingleSelectEnumSchema enum_(String... value) {
            return set("enum", List.of(value));
        }

        /**
         * Optional title for the enum field.
         *
         * @return the value; null if it is absent
         */
        public String title() {
            return one("title", JsonValue::asText);
        }

        /** Sets {@code title}.
         * @param value the new value
         * @return this */
        public UntitledSingleSelectEnumSchema title(String value) {
            return set("title", value);
        }
    }
}
