#ifndef MCP_H
#define MCP_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#if defined(MCP_API)
#elif defined(_WIN32) && !defined(MCP_STATIC)
#define MCP_API __declspec(dllimport)
#elif defined(__GNUC__) || defined(__clang__)
#define MCP_API __attribute__((visibility("default")))
#else
#define MCP_API
#endif
#if defined(MCP_MUST_USE)
#elif defined(__GNUC__) || defined(__clang__)
#define MCP_MUST_USE __attribute__((warn_unused_result))
#else
#define MCP_MUST_USE
#endif
#define MCP_ABI_MATCHES() (mcp_abi_version() == MCP_ABI_VERSION)
#define MCP_VERSION_AT_LEAST(major, minor, patch)                                                  \
    (MCP_VERSION_MAJOR > (major) ||                                                                \
     (MCP_VERSION_MAJOR == (major) &&                                                              \
      (MCP_VERSION_MINOR > (minor) ||                                                              \
       (MCP_VERSION_MINOR == (minor) && MCP_VERSION_PATCH >= (patch)))))
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
#define MCP_TRANSPORT_VERSION 1
typedef struct mcp_app_t mcp_app_t;
typedef struct mcp_builder_t mcp_builder_t;
typedef struct mcp_client_t mcp_client_t;
typedef struct mcp_document_t mcp_document_t;
typedef struct mcp_exchange_t mcp_exchange_t;
typedef struct mcp_message_t mcp_message_t;
typedef struct mcp_queue_t mcp_queue_t;
typedef struct mcp_server_t mcp_server_t;
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
#define MCP_OK 0
#define MCP_EMPTY 1
#define MCP_WOKEN 2
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
#ifdef __cplusplus
extern "C" {
#endif // __cplusplus
MCP_API const char *mcp_version(void);
MCP_API uint32_t mcp_abi_version(void);
MCP_API uint32_t mcp_features(void);
MCP_API const char *mcp_status_name(mcp_status_t status);
MCP_API const char *mcp_kind_name(mcp_kind_t kind);
MCP_API const char *mcp_topic_name(mcp_topic_t topic);
MCP_API void mcp_string_free(char *text);
MCP_API
mcp_status_t mcp_log_set_logger(void (*log)(void *user, int32_t level, const char *record_json),
                                int32_t level,
                                void *user,
                                void (*destroy)(void *user));
MCP_API
MCP_MUST_USE
mcp_status_t mcp_client_new(const char *config_json,
                            mcp_queue_t *queue,
                            mcp_client_t **out,
                            char **error_json);
MCP_API mcp_queue_t *mcp_client_queue(mcp_client_t *client);
MCP_API mcp_status_t mcp_client_set_user(mcp_client_t *client, void *user);
MCP_API void *mcp_client_user(mcp_client_t *client);
MCP_API
mcp_status_t mcp_client_connect(mcp_client_t *client,
                                int32_t timeout_ms,
                                char **error_json);
MCP_API
mcp_status_t mcp_client_connect_start(mcp_client_t *client,
                                      int32_t timeout_ms,
                                      uint64_t tag,
                                      uint64_t *call_id,
                                      char **error_json);
MCP_API mcp_client_state_t mcp_client_state(mcp_client_t *client);
MCP_API const char *mcp_client_state_name(mcp_client_state_t state);
MCP_API mcp_status_t mcp_client_info(mcp_client_t *client, char **info_json, char **error_json);
MCP_API mcp_status_t mcp_client_close(mcp_client_t *client, int32_t timeout_ms);
MCP_API mcp_status_t mcp_client_free(mcp_client_t *client);
MCP_API mcp_status_t mcp_config_servers(const char *path, char **servers_json, char **error_json);
MCP_API
mcp_status_t mcp_config_load(const char *path,
                             const char *server_name,
                             char **config_json,
                             char **error_json);
MCP_API
mcp_status_t mcp_config_open(const char *path,
                             mcp_queue_t *queue,
                             const char *options_json,
                             mcp_config_opened_t opened,
                             void *user,
                             char **error_json);
MCP_API
mcp_status_t mcp_call(mcp_client_t *client,
                      const char *method,
                      const char *params_json,
                      const char *options_json,
                      mcp_message_t **reply);
MCP_API
mcp_status_t mcp_call_start(mcp_client_t *client,
                            const char *method,
                            const char *params_json,
                            const char *options_json,
                            uint64_t tag,
                            uint64_t *call_id,
                            char **error_json);
MCP_API
mcp_status_t mcp_call_wait(mcp_client_t *client,
                           uint64_t call_id,
                           int32_t timeout_ms,
                           mcp_message_t **reply);
MCP_API mcp_status_t mcp_call_cancel(mcp_client_t *client, uint64_t call_id, const char *reason);
MCP_API
mcp_status_t mcp_client_notify(mcp_client_t *client,
                               const char *method,
                               const char *params_json,
                               char **error_json);
MCP_API
mcp_status_t mcp_request_respond(const mcp_message_t *request,
                                 const char *result_json,
                                 char **error_json);
MCP_API
mcp_status_t mcp_request_respond_error(const mcp_message_t *request,
                                       int32_t code,
                                       const char *text,
                                       const char *data_json,
                                       char **error_json);
MCP_API
mcp_status_t mcp_client_poll(mcp_client_t *client,
                             int32_t timeout_ms,
                             mcp_message_t **message);
MCP_API mcp_status_t mcp_client_wake(mcp_client_t *client);
MCP_API mcp_status_t mcp_client_interrupt(mcp_client_t *client);
MCP_API
mcp_status_t mcp_poll_notification(mcp_client_t *client,
                                   int32_t timeout_ms,
                                   mcp_message_t **message);
MCP_API int32_t mcp_client_fd(mcp_client_t *client);
MCP_API mcp_kind_t mcp_message_kind(const mcp_message_t *message);
MCP_API mcp_status_t mcp_message_status(const mcp_message_t *message);
MCP_API mcp_client_t *mcp_message_client(const mcp_message_t *message);
MCP_API mcp_server_t *mcp_message_server(const mcp_message_t *message);
MCP_API uint64_t mcp_message_call_id(const mcp_message_t *message);
MCP_API uint64_t mcp_message_tag(const mcp_message_t *message);
MCP_API const char *mcp_message_method(const mcp_message_t *message);
MCP_API mcp_topic_t mcp_message_topic(const mcp_message_t *message);
MCP_API const char *mcp_message_json(const mcp_message_t *message, size_t *length);
MCP_API const char *mcp_message_text(const mcp_message_t *message, size_t *length);
MCP_API bool mcp_message_is_tool_error(const mcp_message_t *message);
MCP_API const char *mcp_message_error(const mcp_message_t *message, size_t *length);
MCP_API mcp_status_t mcp_message_free(mcp_message_t *message);
MCP_API
MCP_MUST_USE
mcp_status_t mcp_queue_new(const char *config_json,
                           mcp_queue_t **out,
                           char **error_json);
MCP_API
mcp_status_t mcp_queue_poll(mcp_queue_t *queue,
                            int32_t timeout_ms,
                            mcp_message_t **message);
MCP_API mcp_status_t mcp_queue_wake(mcp_queue_t *queue);
MCP_API int32_t mcp_queue_fd(mcp_queue_t *queue);
MCP_API
mcp_status_t mcp_queue_on_ready(mcp_queue_t *queue,
                                void (*ready)(void *user),
                                void *user,
                                void (*destroy)(void *user));
MCP_API mcp_status_t mcp_queue_free(mcp_queue_t *queue);
MCP_API
mcp_status_t mcp_client_list_tools(mcp_client_t *client,
                                   const char *options_json,
                                   mcp_message_t **reply);
MCP_API
mcp_status_t mcp_client_call_tool(mcp_client_t *client,
                                  const char *name,
                                  const char *arguments_json,
                                  const char *options_json,
                                  mcp_message_t **reply);
MCP_API
mcp_status_t mcp_client_call_tool_start(mcp_client_t *client,
                                        const char *name,
                                        const char *arguments_json,
                                        const char *options_json,
                                        uint64_t tag,
                                        uint64_t *call_id,
                                        char **error_json);
MCP_API
mcp_status_t mcp_client_read_resource(mcp_client_t *client,
                                      const char *uri,
                                      const char *options_json,
                                      mcp_message_t **reply);
MCP_API
mcp_status_t mcp_client_read_resource_start(mcp_client_t *client,
                                            const char *uri,
                                            const char *options_json,
                                            uint64_t tag,
                                            uint64_t *call_id,
                                            char **error_json);
MCP_API
mcp_status_t mcp_client_subscribe_resource(mcp_client_t *client,
                                           const char *uri,
                                           const char *options_json,
                                           mcp_message_t **reply);
MCP_API
mcp_status_t mcp_client_unsubscribe_resource(mcp_client_t *client,
                                             const char *uri,
                                             const char *options_json,
                                             mcp_message_t **reply);
MCP_API
mcp_status_t mcp_client_get_prompt(mcp_client_t *client,
                                   const char *name,
                                   const char *arguments_json,
                                   const char *options_json,
                                   mcp_message_t **reply);
MCP_API
mcp_status_t mcp_client_get_prompt_start(mcp_client_t *client,
                                         const char *name,
                                         const char *arguments_json,
                                         const char *options_json,
                                         uint64_t tag,
                                         uint64_t *call_id,
                                         char **error_json);
MCP_API
mcp_status_t mcp_client_complete(mcp_client_t *client,
                                 const char *ref_json,
                                 const char *argument,
                                 const char *value,
                                 const char *settled_json,
                                 const char *options_json,
                                 mcp_message_t **reply);
MCP_API
mcp_status_t mcp_client_set_server_log_level(mcp_client_t *client,
                                             const char *level,
                                             const char *options_json,
                                             mcp_message_t **reply);
MCP_API
mcp_status_t mcp_client_set_roots(mcp_client_t *client,
                                  const char *roots_json,
                                  char **error_json);
MCP_API mcp_status_t mcp_client_clear_cache(mcp_client_t *client);
MCP_API
mcp_status_t mcp_request_respond_elicitation(const mcp_message_t *request,
                                             const char *action,
                                             const char *content_json,
                                             char **error_json);
MCP_API
mcp_status_t mcp_client_get_task(mcp_client_t *client,
                                 const char *task_id,
                                 const char *options_json,
                                 mcp_message_t **reply);
MCP_API
mcp_status_t mcp_client_get_task_result(mcp_client_t *client,
                                        const char *task_id,
                                        const char *options_json,
                                        mcp_message_t **reply);
MCP_API
mcp_status_t mcp_client_cancel_task(mcp_client_t *client,
                                    const char *task_id,
                                    const char *options_json,
                                    mcp_message_t **reply);
MCP_API
mcp_status_t mcp_client_load_skill(mcp_client_t *client,
                                   const char *entry_json,
                                   const char *options_json,
                                   mcp_message_t **reply);
MCP_API
mcp_status_t mcp_client_load_skill_start(mcp_client_t *client,
                                         const char *entry_json,
                                         const char *options_json,
                                         uint64_t tag,
                                         uint64_t *call_id,
                                         char **error_json);
MCP_API
mcp_status_t mcp_client_read_skill_file(mcp_client_t *client,
                                        const char *entry_json,
                                        const char *path,
                                        const char *options_json,
                                        mcp_message_t **reply);
MCP_API
mcp_status_t mcp_client_read_skill_file_start(mcp_client_t *client,
                                              const char *entry_json,
                                              const char *path,
                                              const char *options_json,
                                              uint64_t tag,
                                              uint64_t *call_id,
                                              char **error_json);
MCP_API
MCP_MUST_USE
mcp_status_t mcp_app_new(const char *settings_json,
                         mcp_app_t **app,
                         char **error_json);
MCP_API mcp_status_t mcp_app_receive(mcp_app_t *app, const char *message_json, char **error_json);
MCP_API mcp_status_t mcp_app_tell(mcp_app_t *app, const char *told_json, char **error_json);
MCP_API mcp_status_t mcp_app_poll(mcp_app_t *app, char **action_json);
MCP_API mcp_status_t mcp_app_policy(const char *ui_json, char **policy_json, char **error_json);
MCP_API mcp_status_t mcp_app_free(mcp_app_t *app);
MCP_API
mcp_status_t mcp_client_complete_login(mcp_client_t *client,
                                       const char *callback_url,
                                       char **error_json);
MCP_API
mcp_status_t mcp_client_supply_credential(mcp_client_t *client,
                                          const char *credential,
                                          int32_t lasts_ms,
                                          char **error_json);
MCP_API
mcp_status_t mcp_client_abort_login(mcp_client_t *client,
                                    const char *reason,
                                    char **error_json);
MCP_API
mcp_status_t mcp_client_answer_auth(mcp_client_t *client,
                                    const mcp_message_t *message,
                                    const char *answer,
                                    const char *failure,
                                    char **error_json);
MCP_API mcp_status_t mcp_client_logout(mcp_client_t *client, int32_t timeout_ms, char **error_json);
MCP_API mcp_value_t mcp_message_value(const mcp_message_t *message);
MCP_API mcp_json_type_t mcp_value_type(mcp_value_t value);
MCP_API mcp_value_t mcp_value_get(mcp_value_t value, const char *name);
MCP_API mcp_value_t mcp_value_at(mcp_value_t value, size_t index);
MCP_API mcp_value_t mcp_value_first(mcp_value_t value);
MCP_API mcp_value_t mcp_value_next(mcp_value_t value);
MCP_API mcp_value_t mcp_value_key(mcp_value_t value);
MCP_API size_t mcp_value_size(mcp_value_t value);
MCP_API mcp_status_t mcp_value_int64(mcp_value_t value, int64_t *out);
MCP_API mcp_status_t mcp_value_double(mcp_value_t value, double *out);
MCP_API mcp_status_t mcp_value_bool(mcp_value_t value, bool *out);
MCP_API const char *mcp_value_string(mcp_value_t value, size_t *length);
MCP_API const char *mcp_value_view(mcp_value_t value, size_t *length);
MCP_API bool mcp_value_is(mcp_value_t value, const char *other);
MCP_API const char *mcp_value_json(mcp_value_t value, size_t *length);
MCP_API
MCP_MUST_USE
mcp_status_t mcp_document_new(const char *json,
                              size_t length,
                              mcp_document_t **out,
                              char **error_json);
MCP_API mcp_value_t mcp_document_value(const mcp_document_t *document);
MCP_API mcp_status_t mcp_document_free(mcp_document_t *document);
MCP_API MCP_MUST_USE mcp_builder_t *mcp_builder_new(void);
MCP_API void mcp_builder_begin_object(mcp_builder_t *builder);
MCP_API void mcp_builder_begin_array(mcp_builder_t *builder);
MCP_API void mcp_builder_end(mcp_builder_t *builder);
MCP_API void mcp_builder_key(mcp_builder_t *builder, const char *key);
MCP_API void mcp_builder_string(mcp_builder_t *builder, const char *text);
MCP_API void mcp_builder_key_view(mcp_builder_t *builder, const char *text, size_t length);
MCP_API void mcp_builder_string_view(mcp_builder_t *builder, const char *text, size_t length);
MCP_API void mcp_builder_int64(mcp_builder_t *builder, int64_t number);
MCP_API void mcp_builder_double(mcp_builder_t *builder, double number);
MCP_API void mcp_builder_bool(mcp_builder_t *builder, bool value);
MCP_API void mcp_builder_null(mcp_builder_t *builder);
MCP_API void mcp_builder_json(mcp_builder_t *builder, const char *json);
MCP_API void mcp_builder_value(mcp_builder_t *builder, mcp_value_t value);
MCP_API
mcp_status_t mcp_builder_finish(mcp_builder_t *builder,
                                const char **json,
                                size_t *length,
                                char **error_json);
MCP_API mcp_status_t mcp_builder_free(mcp_builder_t *builder);
MCP_API
mcp_status_t mcp_json_get(const char *json,
                          const char *pointer,
                          char **value,
                          size_t *length);
MCP_API const char *mcp_error_text(const char *error_json, char *buffer, size_t size);
MCP_API mcp_status_t mcp_json_quote(const char *text, char **quoted);
MCP_API
mcp_status_t mcp_uri_template_expand(const char *uri_template,
                                     const char *variables_json,
                                     char **uri,
                                     char **error_json);
MCP_API
MCP_MUST_USE
mcp_status_t mcp_server_new(const char *config_json,
                            mcp_queue_t *queue,
                            mcp_server_t **out,
                            char **error_json);
MCP_API
mcp_status_t mcp_server_serve(mcp_server_t *server,
                              const char *endpoint_json,
                              char **bound_json,
                              char **error_json);
MCP_API mcp_status_t mcp_server_run(mcp_server_t *server, int32_t timeout_ms);
MCP_API mcp_queue_t *mcp_server_queue(mcp_server_t *server);
MCP_API mcp_status_t mcp_server_wake(mcp_server_t *server);
MCP_API mcp_status_t mcp_server_poll(mcp_server_t *server, int32_t timeout_ms, mcp_message_t **out);
MCP_API int32_t mcp_server_fd(mcp_server_t *server);
MCP_API
mcp_status_t mcp_server_resource_updated(mcp_server_t *server,
                                         const char *uri,
                                         char **error_json);
MCP_API
mcp_status_t mcp_server_log(mcp_server_t *server,
                            const char *level,
                            const char *logger,
                            const char *data_json,
                            char **error_json);
MCP_API mcp_status_t mcp_server_info(mcp_server_t *server, char **info_json, char **error_json);
MCP_API mcp_status_t mcp_server_close(mcp_server_t *server, int32_t timeout_ms);
MCP_API mcp_status_t mcp_server_free(mcp_server_t *server);
MCP_API
mcp_status_t mcp_server_attach(mcp_server_t *server,
                               const mcp_transport_functions_t *functions,
                               void *user,
                               char **error_json);
MCP_API
mcp_status_t mcp_server_notify(mcp_server_t *server,
                               uint64_t session,
                               const char *method,
                               const char *params_json,
                               char **error_json);
MCP_API
mcp_status_t mcp_server_call_start(mcp_server_t *server,
                                   uint64_t session,
                                   const char *method,
                                   const char *params_json,
                                   const char *options_json,
                                   uint64_t tag,
                                   uint64_t *call_id,
                                   char **error_json);
MCP_API
mcp_status_t mcp_server_add_tool(mcp_server_t *server,
                                 const char *definition_json,
                                 mcp_handler_t handler,
                                 void *user,
                                 void (*destroy)(void *user),
                                 char **error_json);
MCP_API
mcp_status_t mcp_server_add_resource(mcp_server_t *server,
                                     const char *definition_json,
                                     mcp_handler_t handler,
                                     void *user,
                                     void (*destroy)(void *user),
                                     char **error_json);
MCP_API
mcp_status_t mcp_server_add_text(mcp_server_t *server,
                                 const char *definition_json,
                                 const char *text,
                                 char **error_json);
MCP_API
mcp_status_t mcp_server_add_blob(mcp_server_t *server,
                                 const char *definition_json,
                                 const char *data,
                                 size_t length,
                                 char **error_json);
MCP_API
mcp_status_t mcp_server_add_resource_template(mcp_server_t *server,
                                              const char *definition_json,
                                              mcp_handler_t handler,
                                              void *user,
                                              void (*destroy)(void *user),
                                              char **error_json);
MCP_API
mcp_status_t mcp_server_add_folder(mcp_server_t *server,
                                   const char *template_json,
                                   const char *folder,
                                   char **error_json);
MCP_API
mcp_status_t mcp_server_add_prompt(mcp_server_t *server,
                                   const char *definition_json,
                                   mcp_handler_t handler,
                                   void *user,
                                   void (*destroy)(void *user),
                                   char **error_json);
MCP_API
mcp_status_t mcp_server_add_completion(mcp_server_t *server,
                                       const char *reference,
                                       const char *argument,
                                       const char *values_json,
                                       mcp_handler_t handler,
                                       void *user,
                                       void (*destroy)(void *user),
                                       char **error_json);
MCP_API
mcp_status_t mcp_server_add_method(mcp_server_t *server,
                                   const char *method,
                                   const char *capability,
                                   const char *settings_json,
                                   mcp_handler_t handler,
                                   void *user,
                                   void (*destroy)(void *user),
                                   char **error_json);
MCP_API
mcp_status_t mcp_server_remove(mcp_server_t *server,
                               const char *kind,
                               const char *name,
                               char **error_json);
MCP_API
mcp_status_t mcp_server_add_skills(mcp_server_t *server,
                                   const char *folder,
                                   const char *options_json,
                                   char **error_json);
MCP_API
mcp_status_t mcp_request_respond_text(const mcp_message_t *request,
                                      const char *text,
                                      bool is_error,
                                      char **error_json);
MCP_API
mcp_status_t mcp_request_progress(const mcp_message_t *request,
                                  double progress,
                                  double total,
                                  const char *message);
MCP_API
mcp_status_t mcp_request_log(const mcp_message_t *request,
                             const char *level,
                             const char *logger,
                             const char *data_json);
MCP_API bool mcp_request_cancelled(const mcp_message_t *request);
MCP_API
mcp_status_t mcp_request_ask(const mcp_message_t *request,
                             const char *key,
                             const char *method,
                             const char *params_json,
                             char **answer_json,
                             char **error_json);
MCP_API
mcp_status_t mcp_request_state(const mcp_message_t *request,
                               char **state,
                               char **error_json);
MCP_API
mcp_status_t mcp_request_set_state(const mcp_message_t *request,
                                   const char *state,
                                   char **error_json);
MCP_API
mcp_status_t mcp_request_start_task(const mcp_message_t *request,
                                    const char *options_json,
                                    char **error_json);
MCP_API
mcp_status_t mcp_request_close_stream(const mcp_message_t *request,
                                      int32_t retry_ms,
                                      char **error_json);
MCP_API
mcp_status_t mcp_request_context(const mcp_message_t *request,
                                 char **context_json,
                                 char **error_json);
MCP_API
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
MCP_API
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
MCP_API
mcp_status_t mcp_exchange_permit(mcp_exchange_t *exchange,
                                 int32_t timeout_ms,
                                 size_t *bytes);
MCP_API
mcp_status_t mcp_exchange_write(mcp_exchange_t *exchange,
                                const char *part,
                                size_t length,
                                bool is_last);
MCP_API
mcp_status_t mcp_exchange_head(mcp_exchange_t *exchange,
                               int32_t timeout_ms,
                               int32_t *status,
                               int64_t *length);
MCP_API const char *mcp_exchange_header(mcp_exchange_t *exchange, size_t index, const char **value);
MCP_API
mcp_status_t mcp_exchange_read(mcp_exchange_t *exchange,
                               int32_t timeout_ms,
                               char *into,
                               size_t size,
                               size_t *length);
MCP_API mcp_status_t mcp_exchange_free(mcp_exchange_t *exchange);
MCP_API
mcp_status_t mcp_transport_deliver(mcp_transport_t *transport,
                                   const char *frame,
                                   size_t length);
MCP_API mcp_status_t mcp_transport_closed(mcp_transport_t *transport, const char *reason);
MCP_API
mcp_status_t mcp_client_new_with_transport(const char *config_json,
                                           mcp_queue_t *queue,
                                           const mcp_transport_functions_t *functions,
                                           void *user,
                                           mcp_client_t **out,
                                           char **error_json);
MCP_API
mcp_status_t mcp_client_new_in_process(const char *config_json,
                                       mcp_queue_t *queue,
                                       mcp_server_t *server,
                                       mcp_client_t **out,
                                       char **error_json);
#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus
#endif
