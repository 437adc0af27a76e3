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
    """mcp_queue_wake() ended the wait."""

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
    """The system refused the memory that a message of the server needed. The library discarded the message, and the client continues."""


class Kind(_Named):
    """What a message is."""

    REPLY = 1
    """The outcome of a call."""

    NOTIFICATION = 2
    """A notification of the server."""

    REQUEST = 3
    """A request of the server. Answer it with mcp_respond() or mcp_respond_error()."""

    PROGRESS = 4
    """Progress of a call that was made with the option "progress"."""

    STATE = 5
    """The state of the connection changed."""

    AUTH = 6
    """A login needs something from the application: a person, a credential, stored logins or a signature. "kind" in the JSON says which (docs/authorization.md)."""

    LOG = 7
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
#define MCP_LOG_ERROR 1
#define MCP_LOG_WARN 2
#define MCP_LOG_INFO 3
#define MCP_LOG_DEBUG 4
#define MCP_LOG_TRACE 5
#define MCP_TRANSPORT_VERSION 1
typedef struct mcp_client_t mcp_client_t;
typedef struct mcp_message_t mcp_message_t;
typedef struct mcp_queue_t mcp_queue_t;
typedef struct mcp_transport_t mcp_transport_t;
typedef int32_t mcp_status_t;
typedef int32_t mcp_kind_t;
typedef int32_t mcp_state_t;
typedef int32_t mcp_topic_t;
typedef struct {
    uint32_t size;
    uint32_t version;
    mcp_status_t (*open)(void *user, mcp_transport_t *transport);
    mcp_status_t (*send)(void *user, mcp_transport_t *transport, const char *frame, size_t length);
    void (*close)(void *user, mcp_transport_t *transport);
    void (*destroy)(void *user);
} mcp_transport_functions_t;
typedef int32_t mcp_json_type_t;
#define MCP_OK 0
#define MCP_EMPTY 1
#define MCP_WOKEN 2
#define MCP_INVALID_ARGUMENT -1
#define MCP_TIMEOUT -2
#define MCP_CANCELLED -3
#define MCP_UNAVAILABLE -4
#define MCP_TRANSPORT -5
#define MCP_PROTOCOL -6
#define MCP_SERVER -7
#define MCP_UNSUPPORTED -8
#define MCP_BACKPRESSURE -9
#define MCP_TOO_LARGE -10
#define MCP_AUTH -11
#define MCP_CLOSED -12
#define MCP_FORKED -13
#define MCP_INTERNAL -14
#define MCP_NO_MEMORY -15
#define MCP_KIND_REPLY 1
#define MCP_KIND_NOTIFICATION 2
#define MCP_KIND_REQUEST 3
#define MCP_KIND_PROGRESS 4
#define MCP_KIND_STATE 5
#define MCP_KIND_AUTH 6
#define MCP_KIND_LOG 7
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
#define MCP_STATE_IDLE 0
#define MCP_STATE_STARTING 1
#define MCP_STATE_INITIALIZING 2
#define MCP_STATE_READY 3
#define MCP_STATE_BACKOFF 4
#define MCP_STATE_CLOSING 5
#define MCP_STATE_CLOSED 6
const char *mcp_version(void);
uint32_t mcp_abi_version(void);
const char *mcp_status_name(mcp_status_t status);
const char *mcp_kind_name(mcp_kind_t kind);
const char *mcp_state_name(mcp_state_t state);
const char *mcp_topic_name(mcp_topic_t topic);
void mcp_string_free(char *text);
mcp_status_t mcp_set_logger(void (*log)(void *user, int32_t level, const char *record_json),
                            int32_t level,
                            void *user,
                            void (*destroy)(void *user));
mcp_status_t mcp_client_new(const char *config_json, mcp_client_t **out, char **error_json);
mcp_status_t mcp_client_new_on(mcp_queue_t *queue,
                               const char *config_json,
                               mcp_client_t **out,
                               char **error_json);
mcp_status_t mcp_config_load(const char *path,
                             const char *server_name,
                             char **config_json,
                             char **error_json);
mcp_status_t mcp_client_connect(mcp_client_t *client, int32_t timeout_ms, char **error_json);
mcp_status_t mcp_client_connect_start(mcp_client_t *client,
                                      int32_t timeout_ms,
                                      uint64_t tag,
                                      uint64_t *call_id,
                                      char **error_json);
mcp_state_t mcp_client_state(mcp_client_t *client);
mcp_status_t mcp_client_info(mcp_client_t *client, char **info_json, char **error_json);
mcp_status_t mcp_client_close(mcp_client_t *client, int32_t timeout_ms);
mcp_status_t mcp_client_free(mcp_client_t *client);
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
mcp_status_t mcp_call_cancel(mcp_client_t *client, uint64_t call_id, const char *reason);
mcp_status_t mcp_notify(mcp_client_t *client,
                        const char *method,
                        const char *params_json,
                        char **error_json);
mcp_status_t mcp_respond(mcp_client_t *client,
                         const mcp_message_t *request,
                         const char *result_json,
                         char **error_json);
mcp_status_t mcp_respond_error(mcp_client_t *client,
                               const mcp_message_t *request,
                               int32_t code,
                               const char *text,
                               const char *data_json,
                               char **error_json);
mcp_status_t mcp_poll(mcp_client_t *client, int32_t timeout_ms, mcp_message_t **message);
mcp_status_t mcp_poll_notification(mcp_client_t *client,
                                   int32_t timeout_ms,
                                   mcp_message_t **message);
int32_t mcp_client_fd(mcp_client_t *client);
mcp_kind_t mcp_message_kind(const mcp_message_t *message);
mcp_status_t mcp_message_status(const mcp_message_t *message);
mcp_client_t *mcp_message_client(const mcp_message_t *message);
uint64_t mcp_message_call_id(const mcp_message_t *message);
uint64_t mcp_message_tag(const mcp_message_t *message);
const char *mcp_message_method(const mcp_message_t *message);
mcp_topic_t mcp_message_topic(const mcp_message_t *message);
const char *mcp_message_json(const mcp_message_t *message, size_t *length);
const char *mcp_message_text(const mcp_message_t *message, size_t *length);
mcp_status_t mcp_message_free(mcp_message_t *message);
mcp_status_t mcp_queue_new(const char *config_json, mcp_queue_t **out, char **error_json);
mcp_status_t mcp_queue_poll(mcp_queue_t *queue, int32_t timeout_ms, mcp_message_t **message);
mcp_status_t mcp_queue_wake(mcp_queue_t *queue);
int32_t mcp_queue_fd(mcp_queue_t *queue);
mcp_status_t mcp_queue_on_ready(mcp_queue_t *queue,
                                void (*ready)(void *user),
                                void *user,
                                void (*destroy)(void *user));
mcp_status_t mcp_queue_free(mcp_queue_t *queue);
mcp_status_t mcp_tools_list(mcp_client_t *client, const char *options_json, mcp_message_t **reply);
mcp_status_t mcp_tools_list_start(mcp_client_t *client,
                                  const char *options_json,
                                  uint64_t tag,
                                  uint64_t *call_id,
                                  char **error_json);
mcp_status_t mcp_resources_list(mcp_client_t *client,
                                const char *options_json,
                                mcp_message_t **reply);
mcp_status_t mcp_resources_list_start(mcp_client_t *client,
                                      const char *options_json,
                                      uint64_t tag,
                                      uint64_t *call_id,
                                      char **error_json);
mcp_status_t mcp_resource_templates_list(mcp_client_t *client,
                                         const char *options_json,
                                         mcp_message_t **reply);
mcp_status_t mcp_resource_templates_list_start(mcp_client_t *client,
                                               const char *options_json,
                                               uint64_t tag,
                                               uint64_t *call_id,
                                               char **error_json);
mcp_status_t mcp_prompts_list(mcp_client_t *client,
                              const char *options_json,
                              mcp_message_t **reply);
mcp_status_t mcp_prompts_list_start(mcp_client_t *client,
                                    const char *options_json,
                                    uint64_t tag,
                                    uint64_t *call_id,
                                    char **error_json);
mcp_status_t mcp_tools_call(mcp_client_t *client,
                            const char *name,
                            const char *arguments_json,
                            const char *options_json,
                            mcp_message_t **reply);
mcp_status_t mcp_tools_call_start(mcp_client_t *client,
                                  const char *name,
                                  const char *arguments_json,
                                  const char *options_json,
                                  uint64_t tag,
                                  uint64_t *call_id,
                                  char **error_json);
mcp_status_t mcp_resources_read(mcp_client_t *client,
                                const char *uri,
                                const char *options_json,
                                mcp_message_t **reply);
mcp_status_t mcp_resources_read_start(mcp_client_t *client,
                                      const char *uri,
                                      const char *options_json,
                                      uint64_t tag,
                                      uint64_t *call_id,
                                      char **error_json);
mcp_status_t mcp_resources_subscribe(mcp_client_t *client,
                                     const char *uri,
                                     const char *options_json,
                                     mcp_message_t **reply);
mcp_status_t mcp_resources_subscribe_start(mcp_client_t *client,
                                           const char *uri,
                                           const char *options_json,
                                           uint64_t tag,
                                           uint64_t *call_id,
                                           char **error_json);
mcp_status_t mcp_resources_unsubscribe(mcp_client_t *client,
                                       const char *uri,
                                       const char *options_json,
                                       mcp_message_t **reply);
mcp_status_t mcp_resources_unsubscribe_start(mcp_client_t *client,
                                             const char *uri,
                                             const char *options_json,
                                             uint64_t tag,
                                             uint64_t *call_id,
                                             char **error_json);
mcp_status_t mcp_prompts_get(mcp_client_t *client,
                             const char *name,
                             const char *arguments_json,
                             const char *options_json,
                             mcp_message_t **reply);
mcp_status_t mcp_prompts_get_start(mcp_client_t *client,
                                   const char *name,
                                   const char *arguments_json,
                                   const char *options_json,
                                   uint64_t tag,
                                   uint64_t *call_id,
                                   char **error_json);
mcp_status_t mcp_complete(mcp_client_t *client,
                          const char *ref_json,
                          const char *argument,
                          const char *value,
                          const char *settled_json,
                          const char *options_json,
                          mcp_message_t **reply);
mcp_status_t mcp_complete_start(mcp_client_t *client,
                                const char *ref_json,
                                const char *argument,
                                const char *value,
                                const char *settled_json,
                                const char *options_json,
                                uint64_t tag,
                                uint64_t *call_id,
                                char **error_json);
mcp_status_t mcp_set_log_level(mcp_client_t *client,
                               const char *level,
                               const char *options_json,
                               mcp_message_t **reply);
mcp_status_t mcp_set_log_level_start(mcp_client_t *client,
                                     const char *level,
                                     const char *options_json,
                                     uint64_t tag,
                                     uint64_t *call_id,
                                     char **error_json);
mcp_status_t mcp_ping(mcp_client_t *client, const char *options_json, mcp_message_t **reply);
mcp_status_t mcp_ping_start(mcp_client_t *client,
                            const char *options_json,
                            uint64_t tag,
                            uint64_t *call_id,
                            char **error_json);
mcp_status_t mcp_set_roots(mcp_client_t *client, const char *roots_json, char **error_json);
mcp_status_t mcp_cache_clear(mcp_client_t *client);
mcp_status_t mcp_elicitation_accept(mcp_client_t *client,
                                    const mcp_message_t *request,
                                    const char *content_json,
                                    char **error_json);
mcp_status_t mcp_elicitation_decline(mcp_client_t *client,
                                     const mcp_message_t *request,
                                     char **error_json);
mcp_status_t mcp_elicitation_cancel(mcp_client_t *client,
                                    const mcp_message_t *request,
                                    char **error_json);
mcp_status_t mcp_tasks_list(mcp_client_t *client, const char *options_json, mcp_message_t **reply);
mcp_status_t mcp_tasks_list_start(mcp_client_t *client,
                                  const char *options_json,
                                  uint64_t tag,
                                  uint64_t *call_id,
                                  char **error_json);
mcp_status_t mcp_tasks_get(mcp_client_t *client,
                           const char *task_id,
                           const char *options_json,
                           mcp_message_t **reply);
mcp_status_t mcp_tasks_get_start(mcp_client_t *client,
                                 const char *task_id,
                                 const char *options_json,
                                 uint64_t tag,
                                 uint64_t *call_id,
                                 char **error_json);
mcp_status_t mcp_tasks_result(mcp_client_t *client,
                              const char *task_id,
                              const char *options_json,
                              mcp_message_t **reply);
mcp_status_t mcp_tasks_result_start(mcp_client_t *client,
                                    const char *task_id,
                                    const char *options_json,
                                    uint64_t tag,
                                    uint64_t *call_id,
                                    char **error_json);
mcp_status_t mcp_tasks_cancel(mcp_client_t *client,
                              const char *task_id,
                              const char *options_json,
                              mcp_message_t **reply);
mcp_status_t mcp_tasks_cancel_start(mcp_client_t *client,
                                    const char *task_id,
                                    const char *options_json,
                                    uint64_t tag,
                                    uint64_t *call_id,
                                    char **error_json);
mcp_status_t mcp_skills_list(mcp_client_t *client, const char *options_json, mcp_message_t **reply);
mcp_status_t mcp_skills_list_start(mcp_client_t *client,
                                   const char *options_json,
                                   uint64_t tag,
                                   uint64_t *call_id,
                                   char **error_json);
mcp_status_t mcp_skill_get(mcp_client_t *client,
                           const char *uri,
                           const char *options_json,
                           mcp_message_t **reply);
mcp_status_t mcp_skill_get_start(mcp_client_t *client,
                                 const char *uri,
                                 const char *options_json,
                                 uint64_t tag,
                                 uint64_t *call_id,
                                 char **error_json);
mcp_status_t mcp_skill_load(mcp_client_t *client,
                            const char *entry_json,
                            const char *options_json,
                            mcp_message_t **reply);
mcp_status_t mcp_skill_load_start(mcp_client_t *client,
                                  const char *entry_json,
                                  const char *options_json,
                                  uint64_t tag,
                                  uint64_t *call_id,
                                  char **error_json);
mcp_status_t mcp_skill_read(mcp_client_t *client,
                            const char *entry_json,
                            const char *path,
                            const char *options_json,
                            mcp_message_t **reply);
mcp_status_t mcp_skill_read_start(mcp_client_t *client,
                                  const char *entry_json,
                                  const char *path,
                                  const char *options_json,
                                  uint64_t tag,
                                  uint64_t *call_id,
                                  char **error_json);
mcp_status_t mcp_auth_complete(mcp_client_t *client, const char *callback_url, char **error_json);
mcp_status_t mcp_auth_give(mcp_client_t *client,
                           const char *credential,
                           int32_t lasts_ms,
                           char **error_json);
mcp_status_t mcp_auth_give_up(mcp_client_t *client, const char *reason, char **error_json);
mcp_status_t mcp_auth_answer(mcp_client_t *client,
                             const mcp_message_t *message,
                             const char *answer,
                             const char *failure,
                             char **error_json);
mcp_status_t mcp_auth_forget(mcp_client_t *client, int32_t timeout_ms, char **error_json);
mcp_status_t mcp_client_new_with_transport(mcp_queue_t *queue,
                                           const char *config_json,
                                           const mcp_transport_functions_t *functions,
                                           void *user,
                                           mcp_client_t **out,
                                           char **error_json);
mcp_status_t mcp_transport_deliver(mcp_transport_t *transport, const char *frame, size_t length);
mcp_status_t mcp_transport_closed(mcp_transport_t *transport, const char *reason);
mcp_status_t mcp_json_get(const char *json, const char *pointer, char **value, size_t *length);
mcp_status_t mcp_json_count(const char *json, const char *pointer, size_t *count);
mcp_json_type_t mcp_json_type(const char *json, const char *pointer);
mcp_status_t mcp_json_key(const char *json,
                          const char *pointer,
                          size_t index,
                          char **key,
                          size_t *key_length,
                          char **value,
                          size_t *value_length);
mcp_status_t mcp_json_quote(const char *text, char **quoted);
mcp_status_t mcp_template_expand(const char *uri_template,
                                 const char *variables_json,
                                 char **uri,
                                 char **error_json);
"""
