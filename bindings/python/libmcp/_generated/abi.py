# Generated from include/mcp.h by `cargo xtask bindings`; do not edit.
"""What the binding takes from the C header: its numbers and its declarations."""

from enum import IntEnum


class _Named(IntEnum):
    """Numbers of the library that are written as their names, as the library itself does."""

    def __str__(self) -> str:
        return self.name.lower()

    def __format__(self, spec: str) -> str:
        return int.__format__(self, spec) if spec[-1:] in set("bcdoxXneEfFgG%") else format(str(self), spec)


class Status(_Named):
    """How something ended: 0 is success, positive is "nothing went wrong, but", negative is an error."""

    OK = 0
    """Success."""

    EMPTY = 1
    """There is nothing to return: no message arrived in time, or the value does not exist."""

    WOKEN = 2
    """mcp_queue_wake(), mcp_client_wake() or mcp_server_wake() ended the wait."""

    CONFLICT = 3
    """From a store: what is there is not what was expected. Nothing was written."""

    INVALID_ARGUMENT = -1
    """An argument is invalid. Nothing was done."""

    TIMEOUT = -2
    """No answer arrived within the time limit."""

    CANCELLED = -3
    """The application cancelled the call, or the server cancelled its request."""

    UNAVAILABLE = -4
    """The client is not connected (it waits for the next attempt), and the call was told not to wait. From mcp_config_load(): the server is disabled."""

    TRANSPORT = -5
    """The connection was lost during the call or could not be opened."""

    PROTOCOL = -6
    """The server violated the protocol."""

    SERVER = -7
    """The server answered with a JSON-RPC error. The error object has its "code", "message" and "data"."""

    UNSUPPORTED = -8
    """The server or this build of the library lacks a capability, a revision or a transport."""

    BACKPRESSURE = -9
    """Too many operations are pending. Try again later."""

    TOO_LARGE = -10
    """A size exceeds a configured limit."""

    AUTH = -11
    """Authorization is missing or was refused."""

    CLOSED = -12
    """The client is closed."""

    FORKED = -13
    """The handle was created before fork(). Only the parent may use it; the child may create its own handles."""

    INTERNAL = -14
    """The library has a fault."""

    NO_MEMORY = -15
    """The system refused the memory that a message of the server needed: the library discarded the message, and the client continues. From a document or a builder: it refused the memory for the text."""


class Kind(_Named):
    """What a message is."""

    REPLY = 1
    """The outcome of a call."""

    NOTIFICATION = 2
    """A notification of the server."""

    REQUEST = 3
    """A request of the server. Answer it with mcp_request_respond() or mcp_request_respond_error()."""

    PROGRESS = 4
    """Progress of a call that was made with the option "progress"."""

    STATE = 5
    """The state of the connection changed; of a server on a shared queue: all that it served has ended."""

    AUTH = 6
    """A login needs something from the application: a person, a credential, stored logins or a signature. "kind" in the JSON says which (docs/guide/authorization.md)."""

    STDERR = 7
    """A line of the server's standard error (config "stderr":"message")."""

    LOST = 8
    """Messages were dropped because the queue was full. The JSON has their number."""


class State(_Named):
    """The state of a connection."""

    IDLE = 0
    """The client is created; nothing has been started."""

    STARTING = 1
    """The library starts the server."""

    INITIALIZING = 2
    """The handshake is in progress."""

    READY = 3
    """The connection is ready: calls go directly to the server."""

    BACKOFF = 4
    """The connection was lost, and the client waits before the next attempt."""

    CLOSING = 5
    """The connection is being closed."""

    CLOSED = 6
    """The connection is closed and is not opened again."""


class Topic(_Named):
    """What a notification or a request is about."""

    NONE = 0
    """The message is not from the server."""

    UNKNOWN = 1
    """A method that this library does not know."""

    TOOLS_CHANGED = 2
    """The list of tools changed."""

    RESOURCES_CHANGED = 3
    """The list of resources or of resource templates changed."""

    PROMPTS_CHANGED = 4
    """The list of prompts changed."""

    RESOURCE_UPDATED = 5
    """A subscribed resource changed."""

    LOG = 6
    """A log message of the server."""

    PROGRESS = 7
    """Progress of a call."""

    CANCELLED = 8
    """The server cancelled one of its own requests."""

    TASK = 9
    """The state of a task."""

    ELICITATION_COMPLETE = 10
    """The person has completed an elicitation by URL (2025-11-25)."""

    SUBSCRIBED = 11
    """The server accepted a subscription."""

    SAMPLING = 20
    """A request for the answer of a model (sampling/createMessage)."""

    ELICITATION = 21
    """A request for input of the person (elicitation/create)."""

    ROOTS = 22
    """A request for the roots (roots/list)."""


class LogLevel(_Named):
    """How loud a log record is."""

    NONE = 0
    """Log level: no records."""

    ERROR = 1
    """Log level: an operation failed."""

    WARN = 2
    """Log level: something unexpected happened, and the library continues."""

    INFO = 3
    """Log level: a state changed."""

    DEBUG = 4
    """Log level: each request."""

    TRACE = 5
    """Log level: each frame."""


CDEF = """
#define MCP_ABI_VERSION 1
#define MCP_VERSION_MAJOR 0
#define MCP_VERSION_MINOR 1
#define MCP_VERSION_PATCH 0
#define MCP_FEATURE_HTTP 1
#define MCP_FEATURE_AUTH 2
#define MCP_FEATURE_SCHEMA 4
#define MCP_FEATURE_SKILLS 8
#define MCP_FEATURE_SERVER 16
#define MCP_FEATURE_CLIENT 32
#define MCP_CODE_NOT_FOUND -32002
#define MCP_LOG_NONE 0
#define MCP_LOG_ERROR 1
#define MCP_LOG_WARN 2
#define MCP_LOG_INFO 3
#define MCP_LOG_DEBUG 4
#define MCP_LOG_TRACE 5
#define MCP_STORE_VERSION 1
#define MCP_TRANSPORT_VERSION 1
typedef struct mcp_app_t mcp_app_t;
typedef struct mcp_builder_t mcp_builder_t;
typedef struct mcp_client_t mcp_client_t;
typedef struct mcp_document_t mcp_document_t;
typedef struct mcp_exchange_t mcp_exchange_t;
typedef struct mcp_message_t mcp_message_t;
typedef struct mcp_queue_t mcp_queue_t;
typedef struct mcp_server_t mcp_server_t;
typedef struct mcp_store_call_t mcp_store_call_t;
typedef struct mcp_store_t mcp_store_t;
typedef struct mcp_store_watch_t mcp_store_watch_t;
typedef struct mcp_transport_t mcp_transport_t;
typedef int32_t mcp_status_t;
typedef int32_t mcp_kind_t;
typedef int32_t mcp_topic_t;
typedef int32_t mcp_client_state_t;
typedef void (*mcp_config_opened_t)(void *user,
                                    const char *name,
                                    mcp_client_t *client,
                                    mcp_status_t status,
                                    const char *error_json);
typedef struct {
    size_t owner;
    size_t name;
    size_t start;
    size_t end;
} mcp_value_t;
typedef int32_t mcp_json_type_t;
typedef struct {
    uint32_t size;
    uint32_t version;
    mcp_status_t (*open)(void *user, mcp_transport_t *transport);
    mcp_status_t (*send)(void *user, mcp_transport_t *transport, const char *frame, size_t length);
    void (*close)(void *user, mcp_transport_t *transport);
    void (*destroy)(void *user);
} mcp_transport_functions_t;
typedef void (*mcp_handler_t)(void *user, mcp_message_t *request);
typedef struct {
    uint32_t size;
    uint32_t version;
    mcp_status_t (*get)(void *user, mcp_store_call_t *call, const char *key);
    mcp_status_t (*put)(void *user,
                        mcp_store_call_t *call,
                        const char *key,
                        const void *value,
                        size_t length,
                        uint64_t expected,
                        int64_t life_ms);
    mcp_status_t (*append)(void *user,
                           mcp_store_call_t *call,
                           const char *stream,
                           const void *entry,
                           size_t length,
                           uint64_t place,
                           uint32_t most,
                           int64_t life_ms);
    mcp_status_t (*read)(void *user,
                         mcp_store_call_t *call,
                         const char *stream,
                         uint64_t after,
                         uint32_t most,
                         size_t bytes);
    mcp_status_t (*publish)(void *user,
                            mcp_store_call_t *call,
                            const char *channel,
                            const void *data,
                            size_t length);
    mcp_status_t (*watch)(void *user, mcp_store_watch_t *watch, const char *channel);
    void (*unwatch)(void *user, mcp_store_watch_t *watch);
    void (*forget)(void *user, mcp_store_call_t *call);
    void (*destroy)(void *user);
} mcp_store_functions_t;
#define MCP_OK 0
#define MCP_EMPTY 1
#define MCP_WOKEN 2
#define MCP_CONFLICT 3
#define MCP_ERROR_INVALID_ARGUMENT -1
#define MCP_ERROR_TIMEOUT -2
#define MCP_ERROR_CANCELLED -3
#define MCP_ERROR_UNAVAILABLE -4
#define MCP_ERROR_TRANSPORT -5
#define MCP_ERROR_PROTOCOL -6
#define MCP_ERROR_SERVER -7
#define MCP_ERROR_UNSUPPORTED -8
#define MCP_ERROR_BACKPRESSURE -9
#define MCP_ERROR_TOO_LARGE -10
#define MCP_ERROR_AUTH -11
#define MCP_ERROR_CLOSED -12
#define MCP_ERROR_FORKED -13
#define MCP_ERROR_INTERNAL -14
#define MCP_ERROR_NO_MEMORY -15
#define MCP_KIND_REPLY 1
#define MCP_KIND_NOTIFICATION 2
#define MCP_KIND_REQUEST 3
#define MCP_KIND_PROGRESS 4
#define MCP_KIND_STATE 5
#define MCP_KIND_AUTH 6
#define MCP_KIND_STDERR 7
#define MCP_KIND_LOST 8
#define MCP_TOPIC_NONE 0
#define MCP_TOPIC_UNKNOWN 1
#define MCP_TOPIC_TOOLS_CHANGED 2
#define MCP_TOPIC_RESOURCES_CHANGED 3
#define MCP_TOPIC_PROMPTS_CHANGED 4
#define MCP_TOPIC_RESOURCE_UPDATED 5
#define MCP_TOPIC_LOG 6
#define MCP_TOPIC_PROGRESS 7
#define MCP_TOPIC_CANCELLED 8
#define MCP_TOPIC_TASK 9
#define MCP_TOPIC_ELICITATION_COMPLETE 10
#define MCP_TOPIC_SUBSCRIBED 11
#define MCP_TOPIC_SAMPLING 20
#define MCP_TOPIC_ELICITATION 21
#define MCP_TOPIC_ROOTS 22
#define MCP_JSON_ABSENT 0
#define MCP_JSON_NULL 1
#define MCP_JSON_BOOLEAN 2
#define MCP_JSON_NUMBER 3
#define MCP_JSON_STRING 4
#define MCP_JSON_ARRAY 5
#define MCP_JSON_OBJECT 6
#define MCP_CLIENT_STATE_IDLE 0
#define MCP_CLIENT_STATE_STARTING 1
#define MCP_CLIENT_STATE_INITIALIZING 2
#define MCP_CLIENT_STATE_READY 3
#define MCP_CLIENT_STATE_BACKOFF 4
#define MCP_CLIENT_STATE_CLOSING 5
#define MCP_CLIENT_STATE_CLOSED 6
const char *mcp_version(void);
uint32_t mcp_abi_version(void);
uint32_t mcp_features(void);
const char *mcp_status_name(mcp_status_t status);
const char *mcp_kind_name(mcp_kind_t kind);
const char *mcp_topic_name(mcp_topic_t topic);
void mcp_string_free(char *text);
mcp_status_t mcp_log_set_logger(void (*log)(void *user, int32_t level, const char *record_json),
                                int32_t level,
                                void *user,
                                void (*destroy)(void *user));
mcp_status_t mcp_client_new(const char *config_json,
                            mcp_queue_t *queue,
                            mcp_client_t **out,
                            char **error_json);
mcp_queue_t *mcp_client_queue(mcp_client_t *client);
mcp_status_t mcp_client_set_user(mcp_client_t *client, void *user);
void *mcp_client_user(mcp_client_t *client);
mcp_status_t mcp_client_connect(mcp_client_t *client,
                                int32_t timeout_ms,
                                char **error_json);
mcp_status_t mcp_client_connect_start(mcp_client_t *client,
                                      int32_t timeout_ms,
                                      uint64_t tag,
                                      uint64_t *call_id,
                                      char **error_json);
mcp_client_state_t mcp_client_state(mcp_client_t *client);
const char *mcp_client_state_name(mcp_client_state_t state);
mcp_status_t mcp_client_info(mcp_client_t *client, char **info_json, char **error_json);
mcp_status_t mcp_client_close(mcp_client_t *client, int32_t timeout_ms);
mcp_status_t mcp_client_free(mcp_client_t *client);
mcp_status_t mcp_config_servers(const char *path, char **servers_json, char **error_json);
mcp_status_t mcp_config_load(const char *path,
                             const char *server_name,
                             char **config_json,
                             char **error_json);
mcp_status_t mcp_config_open(const char *path,
                             mcp_queue_t *queue,
                             const char *options_json,
                             mcp_config_opened_t opened,
                             void *user,
                             char **error_json);
mcp_status_t mcp_call(mcp_client_t *client,
                      const char *method,
                      const char *params_json,
                      const char *options_json,
                      mcp_message_t **reply);
mcp_status_t mcp_call_start(mcp_client_t *client,
                            const char *method,
                            const char *params_json,
                            const char *options_json,
                            uint64_t tag,
                            uint64_t *call_id,
                            char **error_json);
mcp_status_t mcp_call_wait(mcp_client_t *client,
                           uint64_t call_id,
                           int32_t timeout_ms,
                           mcp_message_t **reply);
mcp_status_t mcp_call_cancel(mcp_client_t *client, uint64_t call_id, const char *reason);
mcp_status_t mcp_client_notify(mcp_client_t *client,
                               const char *method,
                               const char *params_json,
                               char **error_json);
mcp_status_t mcp_request_respond(const mcp_message_t *request,
                                 const char *result_json,
                                 char **error_json);
mcp_status_t mcp_request_respond_error(const mcp_message_t *request,
                                       int32_t code,
                                       const char *text,
                                       const char *data_json,
                                       char **error_json);
mcp_status_t mcp_client_poll(mcp_client_t *client,
                             int32_t timeout_ms,
                             mcp_message_t **message);
mcp_status_t mcp_client_wake(mcp_client_t *client);
mcp_status_t mcp_client_interrupt(mcp_client_t *client);
mcp_status_t mcp_poll_notification(mcp_client_t *client,
                                   int32_t timeout_ms,
                                   mcp_message_t **message);
int32_t mcp_client_fd(mcp_client_t *client);
mcp_kind_t mcp_message_kind(const mcp_message_t *message);
mcp_status_t mcp_message_status(const mcp_message_t *message);
mcp_client_t *mcp_message_client(const mcp_message_t *message);
mcp_server_t *mcp_message_server(const mcp_message_t *message);
uint64_t mcp_message_call_id(const mcp_message_t *message);
uint64_t mcp_message_tag(const mcp_message_t *message);
const char *mcp_message_method(const mcp_message_t *message);
mcp_topic_t mcp_message_topic(const mcp_message_t *message);
const char *mcp_message_json(const mcp_message_t *message, size_t *length);
const char *mcp_message_text(const mcp_message_t *message, size_t *length);
bool mcp_message_is_tool_error(const mcp_message_t *message);
const char *mcp_message_error(const mcp_message_t *message, size_t *length);
mcp_status_t mcp_message_free(mcp_message_t *message);
mcp_status_t mcp_queue_new(const char *config_json,
                           mcp_queue_t **out,
                           char **error_json);
mcp_status_t mcp_queue_poll(mcp_queue_t *queue,
                            int32_t timeout_ms,
                            mcp_message_t **message);
mcp_status_t mcp_queue_wake(mcp_queue_t *queue);
int32_t mcp_queue_fd(mcp_queue_t *queue);
mcp_status_t mcp_queue_on_ready(mcp_queue_t *queue,
                                void (*ready)(void *user),
                                void *user,
                                void (*destroy)(void *user));
mcp_status_t mcp_queue_free(mcp_queue_t *queue);
mcp_status_t mcp_client_list_tools(mcp_client_t *client,
                                   const char *options_json,
                                   mcp_message_t **reply);
mcp_status_t mcp_client_call_tool(mcp_client_t *client,
                                  const char *name,
                                  const char *arguments_json,
                                  const char *options_json,
                                  mcp_message_t **reply);
mcp_status_t mcp_client_call_tool_start(mcp_client_t *client,
                                        const char *name,
                                        const char *arguments_json,
                                        const char *options_json,
                                        uint64_t tag,
                                        uint64_t *call_id,
                                        char **error_json);
mcp_status_t mcp_client_read_resource(mcp_client_t *client,
                                      const char *uri,
                                      const char *options_json,
                                      mcp_message_t **reply);
mcp_status_t mcp_client_read_resource_start(mcp_client_t *client,
                                            const char *uri,
                                            const char *options_json,
                                            uint64_t tag,
                                            uint64_t *call_id,
                                            char **error_json);
mcp_status_t mcp_client_subscribe_resource(mcp_client_t *client,
                                           const char *uri,
                                           const char *options_json,
                                           mcp_message_t **reply);
mcp_status_t mcp_client_unsubscribe_resource(mcp_client_t *client,
                                             const char *uri,
                                             const char *options_json,
                                             mcp_message_t **reply);
mcp_status_t mcp_client_get_prompt(mcp_client_t *client,
                                   const char *name,
                                   const char *arguments_json,
                                   const char *options_json,
                                   mcp_message_t **reply);
mcp_status_t mcp_client_get_prompt_start(mcp_client_t *client,
                                         const char *name,
                                         const char *arguments_json,
                                         const char *options_json,
                                         uint64_t tag,
                                         uint64_t *call_id,
                                         char **error_json);
mcp_status_t mcp_client_complete(mcp_client_t *client,
                                 const char *ref_json,
                                 const char *argument,
                                 const char *value,
                                 const char *settled_json,
                                 const char *options_json,
                                 mcp_message_t **reply);
mcp_status_t mcp_client_set_server_log_level(mcp_client_t *client,
                                             const char *level,
                                             const char *options_json,
                                             mcp_message_t **reply);
mcp_status_t mcp_client_set_roots(mcp_client_t *client,
                                  const char *roots_json,
                                  char **error_json);
mcp_status_t mcp_client_clear_cache(mcp_client_t *client);
mcp_status_t mcp_request_respond_elicitation(const mcp_message_t *request,
                                             const char *action,
                                             const char *content_json,
                                             char **error_json);
mcp_status_t mcp_client_get_task(mcp_client_t *client,
                                 const char *task_id,
                                 const char *options_json,
                                 mcp_message_t **reply);
mcp_status_t mcp_client_get_task_result(mcp_client_t *client,
                                        const char *task_id,
                                        const char *options_json,
                                        mcp_message_t **reply);
mcp_status_t mcp_client_cancel_task(mcp_client_t *client,
                                    const char *task_id,
                                    const char *options_json,
                                    mcp_message_t **reply);
mcp_status_t mcp_client_load_skill(mcp_client_t *client,
                                   const char *entry_json,
                                   const char *options_json,
                                   mcp_message_t **reply);
mcp_status_t mcp_client_load_skill_start(mcp_client_t *client,
                                         const char *entry_json,
                                         const char *options_json,
                                         uint64_t tag,
                                         uint64_t *call_id,
                                         char **error_json);
mcp_status_t mcp_client_read_skill_file(mcp_client_t *client,
                                        const char *entry_json,
                                        const char *path,
                                        const char *options_json,
                                        mcp_message_t **reply);
mcp_status_t mcp_client_read_skill_file_start(mcp_client_t *client,
                                              const char *entry_json,
                                              const char *path,
                                              const char *options_json,
                                              uint64_t tag,
                                              uint64_t *call_id,
                                              char **error_json);
mcp_status_t mcp_app_new(const char *settings_json,
                         mcp_app_t **app,
                         char **error_json);
mcp_status_t mcp_app_receive(mcp_app_t *app, const char *message_json, char **error_json);
mcp_status_t mcp_app_tell(mcp_app_t *app, const char *told_json, char **error_json);
mcp_status_t mcp_app_poll(mcp_app_t *app, char **action_json);
mcp_status_t mcp_app_policy(const char *ui_json, char **policy_json, char **error_json);
mcp_status_t mcp_app_free(mcp_app_t *app);
mcp_status_t mcp_client_complete_login(mcp_client_t *client,
                                       const char *callback_url,
                                       char **error_json);
mcp_status_t mcp_client_supply_credential(mcp_client_t *client,
                                          const char *credential,
                                          int32_t lasts_ms,
                                          char **error_json);
mcp_status_t mcp_client_abort_login(mcp_client_t *client,
                                    const char *reason,
                                    char **error_json);
mcp_status_t mcp_client_answer_auth(mcp_client_t *client,
                                    const mcp_message_t *message,
                                    const char *answer,
                                    const char *failure,
                                    char **error_json);
mcp_status_t mcp_client_logout(mcp_client_t *client, int32_t timeout_ms, char **error_json);
mcp_value_t mcp_message_value(const mcp_message_t *message);
mcp_json_type_t mcp_value_type(mcp_value_t value);
mcp_value_t mcp_value_get(mcp_value_t value, const char *name);
mcp_value_t mcp_value_at(mcp_value_t value, size_t index);
mcp_value_t mcp_value_first(mcp_value_t value);
mcp_value_t mcp_value_next(mcp_value_t value);
mcp_value_t mcp_value_key(mcp_value_t value);
size_t mcp_value_size(mcp_value_t value);
mcp_status_t mcp_value_int64(mcp_value_t value, int64_t *out);
mcp_status_t mcp_value_double(mcp_value_t value, double *out);
mcp_status_t mcp_value_bool(mcp_value_t value, bool *out);
const char *mcp_value_string(mcp_value_t value, size_t *length);
const char *mcp_value_view(mcp_value_t value, size_t *length);
bool mcp_value_is(mcp_value_t value, const char *other);
const char *mcp_value_json(mcp_value_t value, size_t *length);
mcp_status_t mcp_document_new(const char *json,
                              size_t length,
                              mcp_document_t **out,
                              char **error_json);
mcp_value_t mcp_document_value(const mcp_document_t *document);
mcp_status_t mcp_document_free(mcp_document_t *document);
mcp_builder_t *mcp_builder_new(void);
void mcp_builder_begin_object(mcp_builder_t *builder);
void mcp_builder_begin_array(mcp_builder_t *builder);
void mcp_builder_end(mcp_builder_t *builder);
void mcp_builder_key(mcp_builder_t *builder, const char *key);
void mcp_builder_string(mcp_builder_t *builder, const char *text);
void mcp_builder_key_view(mcp_builder_t *builder, const char *text, size_t length);
void mcp_builder_string_view(mcp_builder_t *builder, const char *text, size_t length);
void mcp_builder_int64(mcp_builder_t *builder, int64_t number);
void mcp_builder_double(mcp_builder_t *builder, double number);
void mcp_builder_bool(mcp_builder_t *builder, bool value);
void mcp_builder_null(mcp_builder_t *builder);
void mcp_builder_json(mcp_builder_t *builder, const char *json);
void mcp_builder_value(mcp_builder_t *builder, mcp_value_t value);
mcp_status_t mcp_builder_finish(mcp_builder_t *builder,
                                const char **json,
                                size_t *length,
                                char **error_json);
mcp_status_t mcp_builder_free(mcp_builder_t *builder);
mcp_status_t mcp_json_get(const char *json,
                          const char *pointer,
                          char **value,
                          size_t *length);
const char *mcp_error_text(const char *error_json, char *buffer, size_t size);
mcp_status_t mcp_json_quote(const char *text, char **quoted);
mcp_status_t mcp_uri_template_expand(const char *uri_template,
                                     const char *variables_json,
                                     char **uri,
                                     char **error_json);
mcp_status_t mcp_server_new(const char *config_json,
                            mcp_queue_t *queue,
                            mcp_server_t **out,
                            char **error_json);
mcp_status_t mcp_server_serve(mcp_server_t *server,
                              const char *endpoint_json,
                              char **bound_json,
                              char **error_json);
mcp_status_t mcp_server_run(mcp_server_t *server, int32_t timeout_ms);
mcp_queue_t *mcp_server_queue(mcp_server_t *server);
mcp_status_t mcp_server_wake(mcp_server_t *server);
mcp_status_t mcp_server_poll(mcp_server_t *server, int32_t timeout_ms, mcp_message_t **out);
int32_t mcp_server_fd(mcp_server_t *server);
mcp_status_t mcp_server_resource_updated(mcp_server_t *server,
                                         const char *uri,
                                         char **error_json);
mcp_status_t mcp_server_log(mcp_server_t *server,
                            const char *level,
                            const char *logger,
                            const char *data_json,
                            char **error_json);
mcp_status_t mcp_server_info(mcp_server_t *server, char **info_json, char **error_json);
mcp_status_t mcp_server_close(mcp_server_t *server, int32_t timeout_ms);
mcp_status_t mcp_server_free(mcp_server_t *server);
mcp_status_t mcp_server_attach(mcp_server_t *server,
                               const mcp_transport_functions_t *functions,
                               void *user,
                               char **error_json);
mcp_status_t mcp_server_notify(mcp_server_t *server,
                               uint64_t session,
                               const char *method,
                               const char *params_json,
                               char **error_json);
mcp_status_t mcp_server_call_start(mcp_server_t *server,
                                   uint64_t session,
                                   const char *method,
                                   const char *params_json,
                                   const char *options_json,
                                   uint64_t tag,
                                   uint64_t *call_id,
                                   char **error_json);
mcp_status_t mcp_server_add_tool(mcp_server_t *server,
                                 const char *definition_json,
                                 mcp_handler_t handler,
                                 void *user,
                                 void (*destroy)(void *user),
                                 char **error_json);
mcp_status_t mcp_server_add_resource(mcp_server_t *server,
                                     const char *definition_json,
                                     mcp_handler_t handler,
                                     void *user,
                                     void (*destroy)(void *user),
                                     char **error_json);
mcp_status_t mcp_server_add_text(mcp_server_t *server,
                                 const char *definition_json,
                                 const char *text,
                                 char **error_json);
mcp_status_t mcp_server_add_blob(mcp_server_t *server,
                                 const char *definition_json,
                                 const char *data,
                                 size_t length,
                                 char **error_json);
mcp_status_t mcp_server_add_resource_template(mcp_server_t *server,
                                              const char *definition_json,
                                              mcp_handler_t handler,
                                              void *user,
                                              void (*destroy)(void *user),
                                              char **error_json);
mcp_status_t mcp_server_add_folder(mcp_server_t *server,
                                   const char *template_json,
                                   const char *folder,
                                   char **error_json);
mcp_status_t mcp_server_add_prompt(mcp_server_t *server,
                                   const char *definition_json,
                                   mcp_handler_t handler,
                                   void *user,
                                   void (*destroy)(void *user),
                                   char **error_json);
mcp_status_t mcp_server_add_completion(mcp_server_t *server,
                                       const char *reference,
                                       const char *argument,
                                       const char *values_json,
                                       mcp_handler_t handler,
                                       void *user,
                                       void (*destroy)(void *user),
                                       char **error_json);
mcp_status_t mcp_server_add_method(mcp_server_t *server,
                                   const char *method,
                                   const char *capability,
                                   const char *settings_json,
                                   mcp_handler_t handler,
                                   void *user,
                                   void (*destroy)(void *user),
                                   char **error_json);
mcp_status_t mcp_server_remove(mcp_server_t *server,
                               const char *kind,
                               const char *name,
                               char **error_json);
mcp_status_t mcp_server_add_skills(mcp_server_t *server,
                                   const char *folder,
                                   const char *options_json,
                                   char **error_json);
mcp_status_t mcp_request_respond_text(const mcp_message_t *request,
                                      const char *text,
                                      bool is_error,
                                      char **error_json);
mcp_status_t mcp_request_progress(const mcp_message_t *request,
                                  double progress,
                                  double total,
                                  const char *message);
mcp_status_t mcp_request_log(const mcp_message_t *request,
                             const char *level,
                             const char *logger,
                             const char *data_json);
bool mcp_request_cancelled(const mcp_message_t *request);
mcp_status_t mcp_request_ask(const mcp_message_t *request,
                             const char *key,
                             const char *method,
                             const char *params_json,
                             char **answer_json,
                             char **error_json);
mcp_status_t mcp_request_state(const mcp_message_t *request,
                               char **state,
                               char **error_json);
mcp_status_t mcp_request_set_state(const mcp_message_t *request,
                                   const char *state,
                                   char **error_json);
mcp_status_t mcp_request_start_task(const mcp_message_t *request,
                                    const char *options_json,
                                    char **error_json);
mcp_status_t mcp_request_close_stream(const mcp_message_t *request,
                                      int32_t retry_ms,
                                      char **error_json);
bool mcp_request_client_has(const mcp_message_t *request, const char *capability);
mcp_status_t mcp_request_context(const mcp_message_t *request,
                                 char **context_json,
                                 char **error_json);
mcp_status_t mcp_store_new(const mcp_store_functions_t *functions,
                           void *user,
                           mcp_store_t **out,
                           char **error_json);
mcp_status_t mcp_store_free(mcp_store_t *store);
mcp_status_t mcp_server_set_store(mcp_server_t *server,
                                  mcp_store_t *store,
                                  char **error_json);
mcp_status_t mcp_store_register(const char *scheme,
                                mcp_status_t (*open)(void *user,
                                                     const char *url,
                                                     mcp_store_t **out,
                                                     char *why,
                                                     size_t room),
                                void *user,
                                void (*destroy)(void *user),
                                char **error_json);
mcp_status_t mcp_store_ready(mcp_store_t *store, const char *generation, uint32_t flags);
mcp_status_t mcp_store_lost(mcp_store_t *store, const char *why);
mcp_status_t mcp_store_found(mcp_store_call_t *call,
                             const void *value,
                             size_t length,
                             uint64_t version);
mcp_status_t mcp_store_entry(mcp_store_call_t *call,
                             uint64_t place,
                             const void *entry,
                             size_t length);
mcp_status_t mcp_store_done(mcp_store_call_t *call,
                            mcp_status_t status,
                            uint64_t version,
                            int64_t unix_ms);
mcp_status_t mcp_store_event(mcp_store_watch_t *watch, const void *data, size_t length);
mcp_status_t mcp_store_missed(mcp_store_watch_t *watch);
mcp_status_t mcp_server_http(mcp_server_t *server,
                             const char *method,
                             const char *target,
                             const char *const *headers,
                             const char *body,
                             size_t length,
                             void (*ready)(void *user),
                             void *user,
                             void (*destroy)(void *user),
                             mcp_exchange_t **out,
                             char **error_json);
mcp_status_t mcp_server_http_begin(mcp_server_t *server,
                                   const char *method,
                                   const char *target,
                                   const char *const *headers,
                                   const char *peer,
                                   void (*ready)(void *user),
                                   void *user,
                                   void (*destroy)(void *user),
                                   mcp_exchange_t **out,
                                   char **error_json);
mcp_status_t mcp_exchange_permit(mcp_exchange_t *exchange,
                                 int32_t timeout_ms,
                                 size_t *bytes);
mcp_status_t mcp_exchange_write(mcp_exchange_t *exchange,
                                const char *part,
                                size_t length,
                                bool is_last);
mcp_status_t mcp_exchange_head(mcp_exchange_t *exchange,
                               int32_t timeout_ms,
                               int32_t *status,
                               int64_t *length);
const char *mcp_exchange_header(mcp_exchange_t *exchange, size_t index, const char **value);
mcp_status_t mcp_exchange_read(mcp_exchange_t *exchange,
                               int32_t timeout_ms,
                               char *into,
                               size_t size,
                               size_t *length);
mcp_status_t mcp_exchange_free(mcp_exchange_t *exchange);
mcp_status_t mcp_telemetry_set(const char *options_json,
                               void (*span)(void *user, const char *span_json),
                               void *user,
                               void (*destroy)(void *user),
                               char **error_json);
mcp_status_t mcp_telemetry_metrics(char **metrics_json, char **error_json);
mcp_status_t mcp_transport_deliver(mcp_transport_t *transport,
                                   const char *frame,
                                   size_t length);
mcp_status_t mcp_transport_closed(mcp_transport_t *transport, const char *reason);
mcp_status_t mcp_client_new_with_transport(const char *config_json,
                                           mcp_queue_t *queue,
                                           const mcp_transport_functions_t *functions,
                                           void *user,
                                           mcp_client_t **out,
                                           char **error_json);
mcp_status_t mcp_client_new_in_process(const char *config_json,
                                       mcp_queue_t *queue,
                                       mcp_server_t *server,
                                       mcp_client_t **out,
                                       char **error_json);
"""
