/*
 * mcp.h - the C API of libmcp, a client library for the Model Context Protocol.
 *
 * Generated from src/ffi by `cargo xtask header`; do not edit.
 * SPDX-License-Identifier: MIT OR Apache-2.0
 */

#ifndef MCP_H
#define MCP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * THE CONTRACT holds for every function below. The comment of a function states only what is
 *   specific to that function.
 *
 * Results. A function that can fail returns mcp_status_t. 0 is MCP_OK. A positive status is no
 *   failure: there is nothing to return (MCP_EMPTY), or mcp_queue_wake() ended the wait
 *   (MCP_WOKEN). A negative status is an error. The numbers never change. Later versions may add
 *   statuses, so treat every negative number as an error. mcp_status_name() returns the name of a
 *   status. Every function can return MCP_INTERNAL.
 *
 * Error objects. Where the last parameter is `error_json`, a function that fails writes a JSON
 *   object there:
 *   {"status":"timeout","message":"...","operation":"tools/list","details":{...},"retryable":true}.
 *   An error that the server sent also has "code" and "data". Pass NULL if you do not need the
 *   object; the library keeps no "last error" per thread.
 *   - "message" is text for people: what was being done, what went wrong, and how to repair it
 *     where the library knows that.
 *   - "retryable" is true when another attempt may succeed and is not known to do harm. It is false
 *     when the time ran out or the connection was lost after the request was sent, unless the
 *     method only reads.
 *   - "details" has "sent" in the error of every call, also of a call that was cancelled or closed.
 *     It is true from the first byte of the request that may have left this process: the server may
 *     have executed the call. A request that is refused for its arguments is no call.
 *
 * Out-parameters. They come last and are written only on success. Two of them carry the failure
 *   itself and are always written: `error_json` (NULL where there is no error object) and the reply
 *   of mcp_call(), which holds the result or the error object.
 *
 * Strings. A string that you pass is NUL-terminated UTF-8; the function copies it before it
 *   returns. A string that you receive is NUL-terminated UTF-8 too. Where it may be long or contain
 *   a NUL, a second parameter receives its length in bytes, without the terminating NUL.
 *
 * NULL. A pointer may be NULL only where the comment says so. Any other NULL, invalid UTF-8,
 *   invalid JSON, an unknown key or an option of the wrong type results in MCP_INVALID_ARGUMENT,
 *   never in a crash. A function without a status then returns NULL, 0 or a negative status.
 *
 * Ownership. Free what a ..._new function returns with the ..._free function of the same name. Free
 *   a `char *` with mcp_string_free(). A `const char *` is borrowed: it is valid as long as the
 *   object that it came from (a message: until mcp_message_free()). Names and versions are valid
 *   for ever. Never pass memory of the library to free(). Every ..._free function accepts NULL.
 *
 * Times. A time parameter is an int32_t in milliseconds. 0 returns at once. -1, or any other
 *   negative value, waits without a limit, or uses the configured value where the comment says so.
 *   Times in JSON are whole numbers, at least 1. Every other wait has a limit.
 *
 * Polling. It delivers messages. A program that makes only blocking calls need not poll: messages
 *   that arrive then fill the queue up to its limit and no further.
 *
 * One outcome. Every call ends exactly once: with its result, with the error of the server, or with
 *   a status such as MCP_TIMEOUT, MCP_CANCELLED, MCP_TRANSPORT or MCP_CLOSED. An answer that
 *   arrives later is dropped and counted; it is never delivered.
 *
 * Threads. Any thread may call any function, and several threads may use one handle at the same
 *   time. Only the ..._free functions need exclusive access: no other thread may be using the
 *   handle or be about to use it. `const` means that the call does not change what you can read.
 *   You may pass a message from one thread to another.
 *
 * Callbacks. These are the logger, the function of mcp_queue_on_ready() and the functions of
 *   mcp_transport_functions_t. Each comes with a pointer `user` and a function `destroy`. The
 *   library calls `destroy` with `user` exactly once, after the last call of the callback, but not
 *   at the end of the process. A callback may run on any thread. The library holds no lock during
 *   it. A callback must return soon. It must not unwind and must not leave by longjmp(). The
 *   threads of the library block every signal except those that report a fault (SIGSEGV, SIGBUS,
 *   SIGFPE, SIGILL, SIGTRAP, SIGSYS, SIGABRT).
 *
 * Your process. The library installs no signal handler, causes no SIGPIPE and does not reap your
 *   children. It does not write to your stdout or stderr. It does not change the environment, the
 *   working directory or the locale. Every descriptor is close-on-exec. After the last client and
 *   the last queue are freed, no thread, descriptor or child process of the library is left.
 *
 * fork(). A child process starts without clients, queues and logger. It may create its own; the
 *   library then starts new threads there. Handles created before the fork belong to the parent:
 *   functions return MCP_FORKED for them, and freeing them does nothing. Messages received before
 *   the fork can be read but not freed. Memory and descriptors of the parent's clients stay in the
 *   child until it ends or calls exec(). A child that is forked inside a callback must not return
 *   from that callback.
 *
 * Panics. A fault inside the library does not unwind into your code. The function returns
 *   MCP_INTERNAL, or NULL or 0 where it has no status. Nothing is printed.
 *
 * Memory. The server decides how much memory a message needs, on every transport, compressed or
 *   not. If the system refuses that memory, the call ends as MCP_NO_MEMORY and the client
 *   continues. All other allocations are small, or as large as an object of the same kind that the
 *   library already holds (a whole list of pages, a copy that you request, what you pass in). If
 *   the system refuses one of these, the process ends by abort(), as with most libraries that are
 *   not written in C, and the runtime writes a message to stderr. Where memory is short, lower the
 *   "limits" of the configuration.
 *
 * Versions. MCP_ABI_VERSION describes this header; mcp_version() and mcp_abi_version() describe the
 *   loaded library. MCP_ABI_MATCHES() compares them: call it once when the program starts. The only
 *   struct with a public layout is mcp_transport_functions_t, which states its own size and
 *   version. Programs therefore work with later libraries of the same MCP_ABI_VERSION.
 */

/**
 * True when the loaded library has the ABI of this header. Otherwise the program must not continue.
 *
 * Example:
 *
 *     if (!MCP_ABI_MATCHES()) return EXIT_FAILURE;
 */
#define MCP_ABI_MATCHES() (mcp_abi_version() == MCP_ABI_VERSION)

/**
 * The version of the ABI that this header describes. mcp_abi_version() returns the version of the
 * loaded library.
 */
#define MCP_ABI_VERSION 1

/**
 * Log level: an operation failed.
 */
#define MCP_LOG_ERROR 1

/**
 * Log level: something unexpected happened, and the library continues.
 */
#define MCP_LOG_WARN 2

/**
 * Log level: a state changed.
 */
#define MCP_LOG_INFO 3

/**
 * Log level: each request.
 */
#define MCP_LOG_DEBUG 4

/**
 * Log level: each frame.
 */
#define MCP_LOG_TRACE 5

/**
 * The version of mcp_transport_functions_t in this header.
 */
#define MCP_TRANSPORT_VERSION 1

/**
 * A client: one logical connection to one server.
 */
typedef struct mcp_client_t mcp_client_t;

/**
 * A message: a reply, a notification, a request of the server, progress, a change of state, and so
 * on.
 *
 * A message is immutable and owns its memory: you may read it after its client is freed. What the
 * functions below return from it is valid until mcp_message_free(). The pointer is a number that
 * the library looks up; a function refuses a pointer that is no live message.
 */
typedef struct mcp_message_t mcp_message_t;

/**
 * A queue: messages for the application arrive here.
 */
typedef struct mcp_queue_t mcp_queue_t;

/**
 * One connection of a transport that the application implements.
 */
typedef struct mcp_transport_t mcp_transport_t;

/**
 * The result of a function: 0 is success, a positive number is no failure, a negative number is an
 * error.
 */
typedef int32_t mcp_status_t;

/**
 * The kind of a message.
 */
typedef int32_t mcp_kind_t;

/**
 * The state of a connection.
 */
typedef int32_t mcp_state_t;

/**
 * The subject of a notification or a request of the server.
 */
typedef int32_t mcp_topic_t;

/**
 * The functions of a transport that the application implements.
 *
 * The library calls them one at a time, in order, on a thread that uses the client or on a thread
 * of the library. It holds no lock meanwhile. The functions must return soon: until they return
 * this client is blocked, and on the library's thread every other client too. They may call
 * mcp_transport_deliver() and every function that never waits. They must not wait for this client,
 * must not free it, and must not unwind.
 */
typedef struct {
    /**
     * sizeof(mcp_transport_functions_t). The library refuses a smaller struct. Of a larger one it
     * uses the members that it knows.
     */
    uint32_t size;
    /**
     * MCP_TRANSPORT_VERSION.
     */
    uint32_t version;
    /**
     * Opens a connection. `transport` identifies it until it has ended. There is one connection at
     * a time.
     *
     * The function must not wait for the other side: accept what is sent meanwhile. The library
     * drops what is delivered before `open` has returned, because no request was sent yet.
     *
     * Returns MCP_OK, or another status if the attempt failed; `close` is then not called.
     */
    mcp_status_t (*open)(void *user, mcp_transport_t *transport);
    /**
     * Sends one message.
     *
     * frame: JSON without line breaks, followed by a NUL; valid until the function returns.
     * length: the length of the message in bytes, without the NUL.
     *
     * The function must not wait for room: buffer what cannot be sent at once and return MCP_OK.
     *
     * Returns MCP_OK. Any other status ends the connection.
     */
    mcp_status_t (*send)(void *user, mcp_transport_t *transport, const char *frame, size_t length);
    /**
     * Tells that the connection has ended. The library sends nothing more, and `transport` is no
     * longer a valid handle. Called exactly once for each connection that was opened, also after
     * mcp_transport_closed().
     */
    void (*close)(void *user, mcp_transport_t *transport);
    /**
     * Releases `user`. May be NULL. Called exactly once, after every other function has returned,
     * by mcp_client_free(), or by mcp_client_new_with_transport() when that fails. If a function
     * does not return within the time limit of the close, `destroy` is called as soon as it has
     * returned.
     */
    void (*destroy)(void *user);
} mcp_transport_functions_t;

/**
 * The type of a JSON value.
 */
typedef int32_t mcp_json_type_t;

/**
 * Success.
 */
#define MCP_OK 0

/**
 * There is nothing to return: no message arrived in time, or the value does not exist.
 */
#define MCP_EMPTY 1

/**
 * mcp_queue_wake() ended the wait.
 */
#define MCP_WOKEN 2

/**
 * An argument is invalid. Nothing was done.
 */
#define MCP_INVALID_ARGUMENT -1

/**
 * No answer arrived within the time limit.
 */
#define MCP_TIMEOUT -2

/**
 * The application cancelled the call, or the server cancelled its request.
 */
#define MCP_CANCELLED -3

/**
 * The client is not connected (it waits for the next attempt), and the call was told not to wait.
 * From mcp_config_load(): the server is disabled.
 */
#define MCP_UNAVAILABLE -4

/**
 * The connection was lost during the call or could not be opened.
 */
#define MCP_TRANSPORT -5

/**
 * The server violated the protocol.
 */
#define MCP_PROTOCOL -6

/**
 * The server answered with a JSON-RPC error. The error object has its "code", "message" and
 * "data".
 */
#define MCP_SERVER -7

/**
 * The server or this build of the library lacks a capability, a revision or a transport.
 */
#define MCP_UNSUPPORTED -8

/**
 * Too many operations are pending. Try again later.
 */
#define MCP_BACKPRESSURE -9

/**
 * A size exceeds a configured limit.
 */
#define MCP_TOO_LARGE -10

/**
 * Authorization is missing or was refused.
 */
#define MCP_AUTH -11

/**
 * The client is closed.
 */
#define MCP_CLOSED -12

/**
 * The handle was created before fork(). Only the parent may use it; the child may create its own
 * handles.
 */
#define MCP_FORKED -13

/**
 * The library has a fault.
 */
#define MCP_INTERNAL -14

/**
 * The system refused the memory that a message of the server needed. The library discarded the
 * message, and the client continues.
 */
#define MCP_NO_MEMORY -15

/**
 * The outcome of a call.
 */
#define MCP_KIND_REPLY 1

/**
 * A notification of the server.
 */
#define MCP_KIND_NOTIFICATION 2

/**
 * A request of the server. Answer it with mcp_respond() or mcp_respond_error().
 */
#define MCP_KIND_REQUEST 3

/**
 * Progress of a call that was made with the option "progress".
 */
#define MCP_KIND_PROGRESS 4

/**
 * The state of the connection changed.
 */
#define MCP_KIND_STATE 5

/**
 * A login needs something from the application: a person, a credential, stored logins or a
 * signature. "kind" in the JSON says which (docs/authorization.md).
 */
#define MCP_KIND_AUTH 6

/**
 * A line of the server's standard error (config "stderr":"message").
 */
#define MCP_KIND_LOG 7

/**
 * Messages were dropped because the queue was full. The JSON has their number.
 */
#define MCP_KIND_LOST 8

/**
 * The message is not from the server.
 */
#define MCP_TOPIC_NONE 0

/**
 * A method that this library does not know.
 */
#define MCP_TOPIC_UNKNOWN 1

/**
 * The list of tools changed.
 */
#define MCP_TOPIC_TOOLS_CHANGED 2

/**
 * The list of resources or of resource templates changed.
 */
#define MCP_TOPIC_RESOURCES_CHANGED 3

/**
 * The list of prompts changed.
 */
#define MCP_TOPIC_PROMPTS_CHANGED 4

/**
 * A subscribed resource changed.
 */
#define MCP_TOPIC_RESOURCE_UPDATED 5

/**
 * A log message of the server.
 */
#define MCP_TOPIC_LOG 6

/**
 * Progress of a call.
 */
#define MCP_TOPIC_PROGRESS 7

/**
 * The server cancelled one of its own requests.
 */
#define MCP_TOPIC_CANCELLED 8

/**
 * The state of a task.
 */
#define MCP_TOPIC_TASK 9

/**
 * The person has completed an elicitation by URL (2025-11-25).
 */
#define MCP_TOPIC_ELICITATION_COMPLETE 10

/**
 * The server accepted a subscription.
 */
#define MCP_TOPIC_SUBSCRIBED 11

/**
 * A request for the answer of a model (sampling/createMessage).
 */
#define MCP_TOPIC_SAMPLING 20

/**
 * A request for input of the person (elicitation/create).
 */
#define MCP_TOPIC_ELICITATION 21

/**
 * A request for the roots (roots/list).
 */
#define MCP_TOPIC_ROOTS 22

/**
 * There is no value.
 */
#define MCP_JSON_ABSENT 0

/**
 * null.
 */
#define MCP_JSON_NULL 1

/**
 * true or false.
 */
#define MCP_JSON_BOOLEAN 2

/**
 * A number.
 */
#define MCP_JSON_NUMBER 3

/**
 * A string.
 */
#define MCP_JSON_STRING 4

/**
 * An array.
 */
#define MCP_JSON_ARRAY 5

/**
 * An object.
 */
#define MCP_JSON_OBJECT 6

/**
 * The client is created; nothing has been started.
 */
#define MCP_STATE_IDLE 0

/**
 * The library starts the server.
 */
#define MCP_STATE_STARTING 1

/**
 * The handshake is in progress.
 */
#define MCP_STATE_INITIALIZING 2

/**
 * The connection is ready: calls go directly to the server.
 */
#define MCP_STATE_READY 3

/**
 * The connection was lost, and the client waits before the next attempt.
 */
#define MCP_STATE_BACKOFF 4

/**
 * The connection is being closed.
 */
#define MCP_STATE_CLOSING 5

/**
 * The connection is closed and is not opened again.
 */
#define MCP_STATE_CLOSED 6

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/**
 * The version of the loaded library, such as "0.1.0".
 *
 * Returns a static string; never NULL.
 */
const char *mcp_version(void);

/**
 * The ABI version of the loaded library. A program that was compiled with another MCP_ABI_VERSION
 * must not continue; see MCP_ABI_MATCHES().
 */
uint32_t mcp_abi_version(void);

/**
 * The name of a status, such as "timeout".
 *
 * Returns a static string, "unknown" for an unknown number; never NULL.
 */
const char *mcp_status_name(mcp_status_t status);

/**
 * The name of a message kind, such as "notification".
 *
 * Returns a static string, "unknown" for an unknown number; never NULL.
 */
const char *mcp_kind_name(mcp_kind_t kind);

/**
 * The name of a state, such as "ready".
 *
 * Returns a static string, "unknown" for an unknown number; never NULL.
 */
const char *mcp_state_name(mcp_state_t state);

/**
 * The name of a topic, such as "tools_changed".
 *
 * Returns a static string, "unknown" for an unknown number; never NULL.
 */
const char *mcp_topic_name(mcp_topic_t topic);

/**
 * Frees a string that a function of this library returned.
 *
 * text: the string; may be NULL. The library cannot detect that a string is freed twice.
 */
void mcp_string_free(char *text);

/**
 * Sets the function that receives the log records of all clients. It replaces the previous one.
 *
 * log: called with `user`, the level (MCP_LOG_*) and the record, a JSON object with "event" (a
 *   stable name such as "connection.transition"), "level", "client" (the client's name) and the
 *   values of the event. The text is valid until `log` returns. NULL removes the logger.
 * level: the library creates records up to this level; 0 creates none.
 * user: passed to `log` and `destroy`; may be NULL.
 * destroy: called exactly once with `user`, after the last call of `log`, on any thread; may be
 *   NULL.
 *
 * Returns MCP_OK, or MCP_INVALID_ARGUMENT for an unknown level; then nothing changes and `destroy`
 *   is not called.
 *
 * Threads: any thread. `log` runs on one thread of the library, one record after another, with no
 *   lock held, and may call every function of this library. It is called only while a client
 *   exists, and not in a child of fork(), which sets its own logger. If `log` is too slow, the
 *   library drops records and reports their number in a record "log.dropped".
 */
mcp_status_t mcp_set_logger(void (*log)(void *user, int32_t level, const char *record_json),
                            int32_t level,
                            void *user,
                            void (*destroy)(void *user));

/**
 * Creates a client from a JSON configuration. It starts nothing: mcp_client_connect() or the first
 * call starts the connection.
 *
 * config_json: a JSON object: an entry of the "mcpServers" format ("command", "args", "env",
 *   "cwd") plus the keys of docs/configuration.md, such as "url" for a server over HTTP and
 *   "socket" for a server that listens. An unknown key is an error that names it and the nearest
 *   known key. The configuration is copied, and so is the environment for the server: do not
 *   change the environment on another thread during this call.
 * out: receives the client. Free it with mcp_client_free().
 * error_json: receives the error object on failure; may be NULL.
 *
 * Returns MCP_OK, MCP_INVALID_ARGUMENT, MCP_UNSUPPORTED, MCP_FORKED, or MCP_INTERNAL when the
 *   process cannot create another thread or descriptor.
 *
 * Threads: any thread.
 *
 * Example:
 *
 *     mcp_client_t *client;
 *     mcp_client_new("{\"command\":\"npx\",\"args\":[\"-y\",\"some-server\"]}", &client, NULL);
 */
mcp_status_t mcp_client_new(const char *config_json, mcp_client_t **out, char **error_json);

/**
 * Creates a client that delivers its messages to a queue, which several clients may share: a
 * program with many servers waits in one place. See mcp_client_new() for the other parameters and
 * the statuses.
 *
 * queue: the queue for the messages. Do not free it before the client.
 */
mcp_status_t mcp_client_new_on(mcp_queue_t *queue,
                               const char *config_json,
                               mcp_client_t **out,
                               char **error_json);

/**
 * Reads one server of an "mcpServers" file as configuration for mcp_client_new().
 *
 * The function expands "${VAR}" and "${VAR:-default}" in strings from the environment. It omits
 * keys that only editors know ("autoApprove", ...). It checks the entry as mcp_client_new() does;
 * an error names the file, the server and the key.
 *
 * path: the file, at most 4 MiB.
 * server_name: the name of the server; NULL selects the only one.
 * config_json: receives the configuration. Free it with mcp_string_free().
 * error_json: receives the error object on failure; may be NULL. "details" has "path" and, where
 *   known, "server" and "key".
 *
 * Returns MCP_OK; MCP_UNAVAILABLE for a server that the file disables ("disabled": true or
 *   "enabled": false); MCP_INVALID_ARGUMENT; MCP_UNSUPPORTED for a server whose transport this
 *   build lacks.
 *
 * Threads: any thread; reads the file.
 */
mcp_status_t mcp_config_load(const char *path,
                             const char *server_name,
                             char **config_json,
                             char **error_json);

/**
 * Starts the connection if necessary and waits until it is ready. This is optional: the first call
 * also starts the connection.
 *
 * timeout_ms: the longest wait in milliseconds. -1 waits until the attempt has succeeded or
 *   failed. 0 starts the connection and returns MCP_TIMEOUT unless it is already ready;
 *   mcp_client_connect_start() reports the outcome later.
 * error_json: receives the error object on failure; may be NULL.
 *
 * Returns MCP_OK, MCP_TIMEOUT, MCP_TRANSPORT (the server could not be started, or ended),
 *   MCP_UNSUPPORTED (no common revision), MCP_PROTOCOL, MCP_SERVER, MCP_AUTH (a login is necessary
 *   and missing, or it failed), MCP_CLOSED, MCP_INVALID_ARGUMENT, MCP_FORKED. After a failure the
 *   client tries again in the background, as "reconnect" in the configuration says. After a
 *   failure that would repeat, such as MCP_UNSUPPORTED, the client is closed.
 *
 * Threads: any thread.
 */
mcp_status_t mcp_client_connect(mcp_client_t *client, int32_t timeout_ms, char **error_json);

/**
 * mcp_client_connect() as a started call, for event loops that must not wait. The outcome arrives
 * on the queue as a message of kind MCP_KIND_REPLY: the result {} or the error object.
 *
 * timeout_ms: the outcome is MCP_TIMEOUT after this number of milliseconds; -1 waits until the
 *   attempt has succeeded or failed. After each outcome the client continues as after
 *   mcp_client_connect().
 * tag: a number of the application that comes back with the reply.
 * call_id: receives a number for mcp_call_cancel(), which ends this wait as MCP_CANCELLED but not
 *   the attempt to connect; may be NULL.
 * error_json: receives the error object on failure; may be NULL.
 *
 * Returns MCP_OK, and then exactly one reply follows, also when the connection was already ready;
 *   or MCP_BACKPRESSURE (too many callers wait for the connection, or replies are not polled),
 *   MCP_CLOSED, MCP_INVALID_ARGUMENT, MCP_FORKED, and then no reply follows.
 *
 * Threads: any thread; never waits.
 */
mcp_status_t mcp_client_connect_start(mcp_client_t *client,
                                      int32_t timeout_ms,
                                      uint64_t tag,
                                      uint64_t *call_id,
                                      char **error_json);

/**
 * The state of the connection.
 *
 * Returns MCP_STATE_*, or a negative status for an invalid handle.
 *
 * Threads: any thread; never waits.
 */
mcp_state_t mcp_client_state(mcp_client_t *client);

/**
 * Describes the connection as a JSON object: "state", "revision", "era", "server" (name and
 * version), "capabilities", "instructions", "transport", "pid", "pending_calls", "failure",
 * "counters" and more.
 *
 * info_json: receives the object. Free it with mcp_string_free().
 * error_json: receives the error object on failure; may be NULL.
 *
 * Returns MCP_OK, MCP_INVALID_ARGUMENT or MCP_FORKED.
 *
 * Threads: any thread; never waits.
 */
mcp_status_t mcp_client_info(mcp_client_t *client, char **info_json, char **error_json);

/**
 * Closes the connection. Pending calls end as MCP_CLOSED, and the library closes the server's
 * standard input. If the server does not end, the library sends SIGTERM and then SIGKILL to its
 * process group, which includes every process that the server started there.
 *
 * timeout_ms: the time in milliseconds before SIGKILL; -1 uses "timeouts.close_ms" of the
 *   configuration (default 2000). After SIGKILL the function waits at most half a second.
 *
 * Returns MCP_OK when the server has ended, MCP_TIMEOUT when it has not ended even after SIGKILL,
 *   MCP_INVALID_ARGUMENT, MCP_FORKED.
 *
 * Threads: any thread, in any state, any number of times; concurrent closes all return. Messages
 *   that are already on the queue can still be polled.
 */
mcp_status_t mcp_client_close(mcp_client_t *client, int32_t timeout_ms);

/**
 * Frees a client. If the client is open, the function first closes it as mcp_client_close(client,
 * -1) does. Messages of this client on a shared queue are dropped; messages that were polled stay
 * valid. After the last client is freed, no thread, descriptor or process of the library is left.
 *
 * client: the client; may be NULL. No other thread may be using it.
 *
 * Returns MCP_OK, or MCP_INVALID_ARGUMENT for an invalid handle. In a child of fork() it frees
 *   nothing and returns MCP_FORKED.
 */
mcp_status_t mcp_client_free(mcp_client_t *client);

/**
 * Calls a method of the server and waits for the outcome. It starts the connection if necessary.
 *
 * method: the method, such as "tools/call".
 * params_json: the parameters, a JSON object, which the library does not change; NULL for none.
 * options_json: a JSON object; NULL for none. Its keys: "timeout_ms", "max_total_ms",
 *   "reset_on_progress", "progress" (deliver MCP_KIND_PROGRESS messages), "meta" (members for
 *   _meta of the request), "traceparent", "tracestate", "baggage", "retry" ("never" or "safe"),
 *   "when_unavailable" ("fail" or "wait"), "log_level" (2026-07-28).
 * reply: receives a message of kind MCP_KIND_REPLY whose JSON is the result or, on failure, the
 *   error object; may be NULL. Always written; NULL where no message could be created (MCP_FORKED,
 *   MCP_INTERNAL). Free it with mcp_message_free().
 *
 * Returns MCP_OK or the status of the error: MCP_TIMEOUT, MCP_CANCELLED, MCP_UNAVAILABLE,
 *   MCP_TRANSPORT, MCP_PROTOCOL, MCP_SERVER, MCP_AUTH, MCP_UNSUPPORTED, MCP_BACKPRESSURE,
 *   MCP_TOO_LARGE, MCP_NO_MEMORY, MCP_CLOSED, MCP_INVALID_ARGUMENT, MCP_FORKED, MCP_INTERNAL. A
 *   tool that failed is MCP_OK with "isError":true in the result.
 *
 * Threads: any thread, also several at the same time on one client. The calling thread reads the
 *   connection while it waits. Requests of the server (sampling, elicitation) and messages of a
 *   login (MCP_KIND_AUTH) arrive on the queue meanwhile: let another thread poll and answer them,
 *   or use mcp_call_start(). Only the timeout or mcp_client_close() ends a blocking call early.
 *
 * Example:
 *
 *     mcp_message_t *reply = NULL;
 *     const char *params = "{\"name\":\"echo\",\"arguments\":{\"text\":\"hi\"}}";
 *     if (mcp_call(client, "tools/call", params, NULL, &reply) == MCP_OK) {
 *         const char *text = mcp_message_text(reply, NULL);
 *         puts(text != NULL ? text : mcp_message_json(reply, NULL));
 *     }
 *     mcp_message_free(reply);
 */
mcp_status_t mcp_call(mcp_client_t *client,
                      const char *method,
                      const char *params_json,
                      const char *options_json,
                      mcp_message_t **reply);

/**
 * Starts a call and returns at once. The outcome arrives on the queue as a message of kind
 * MCP_KIND_REPLY.
 *
 * method, params_json, options_json: as for mcp_call().
 * tag: a number of the application that comes back with the reply and with progress messages, for
 *   example a pointer cast to uint64_t.
 * call_id: receives the number of the call for mcp_call_cancel(); may be NULL. Written only on
 *   success.
 * error_json: receives the error object on failure; may be NULL.
 *
 * Returns MCP_OK, and then exactly one reply follows; or MCP_INVALID_ARGUMENT, MCP_UNAVAILABLE,
 *   MCP_BACKPRESSURE (too many pending calls, or replies are not polled), MCP_CLOSED, MCP_FORKED,
 *   and then no reply follows.
 *
 * Threads: any thread; never waits. The request is written at once. While more than two calls are
 *   pending, the library may delay it, to write several requests together when mcp_poll() would
 *   wait, or after some milliseconds at the latest. It does not delay requests on a shared queue,
 *   nor after mcp_client_fd() was called.
 *
 * For every other function ..._start the parameters tag, call_id and error_json, the statuses and
 * the thread rule are those of mcp_call_start(); the remaining parameters are those of the
 * function that it starts.
 */
mcp_status_t mcp_call_start(mcp_client_t *client,
                            const char *method,
                            const char *params_json,
                            const char *options_json,
                            uint64_t tag,
                            uint64_t *call_id,
                            char **error_json);

/**
 * Cancels a call. Its outcome is MCP_CANCELLED unless it already has one, and the server is
 * notified. Calling it again has no effect.
 *
 * call_id: the number from mcp_call_start().
 * reason: text for the log of the server; may be NULL.
 *
 * Returns MCP_OK, MCP_EMPTY when no such call is pending, MCP_INVALID_ARGUMENT, MCP_FORKED.
 *
 * Threads: any thread; never waits.
 */
mcp_status_t mcp_call_cancel(mcp_client_t *client, uint64_t call_id, const char *reason);

/**
 * Sends a notification. The connection must be ready.
 *
 * method: such as "notifications/roots/list_changed". The library sends "notifications/cancelled"
 *   and "notifications/initialized" itself and refuses them here.
 * params_json: the parameters, a JSON object; NULL for none.
 * error_json: receives the error object on failure; may be NULL.
 *
 * Returns MCP_OK, MCP_UNAVAILABLE, MCP_BACKPRESSURE (the server does not read), MCP_CLOSED,
 *   MCP_INVALID_ARGUMENT, MCP_FORKED.
 *
 * Threads: any thread; never waits.
 */
mcp_status_t mcp_notify(mcp_client_t *client,
                        const char *method,
                        const char *params_json,
                        char **error_json);

/**
 * Answers a request of the server with a result. If a request's message is freed without an
 * answer, the library refuses the request. In revision 2026-07-28 the server asks inside the
 * answer to a call; the application receives the same kind of message, and refusing it ends that
 * call as MCP_CANCELLED.
 *
 * request: a message of kind MCP_KIND_REQUEST of this client. The caller still has to free it.
 * result_json: the result, a JSON object.
 * error_json: receives the error object on failure; may be NULL.
 *
 * Returns MCP_OK; MCP_INVALID_ARGUMENT, also for a request that was already answered;
 *   MCP_CANCELLED when the server cancelled the request; MCP_TRANSPORT when its connection has
 *   ended; MCP_CLOSED; MCP_FORKED.
 *
 * Threads: any thread; never waits.
 */
mcp_status_t mcp_respond(mcp_client_t *client,
                         const mcp_message_t *request,
                         const char *result_json,
                         char **error_json);

/**
 * Answers a request of the server with an error.
 *
 * request: as for mcp_respond().
 * code: the JSON-RPC error code, such as -1 for "the user refused".
 * text: the error message.
 * data_json: JSON of any type; NULL for none.
 * error_json: receives the error object on failure; may be NULL.
 *
 * Returns the statuses of mcp_respond().
 *
 * Threads: any thread; never waits.
 */
mcp_status_t mcp_respond_error(mcp_client_t *client,
                               const mcp_message_t *request,
                               int32_t code,
                               const char *text,
                               const char *data_json,
                               char **error_json);

/**
 * Takes the next message of any kind, and waits for one if necessary.
 *
 * timeout_ms: the longest wait in milliseconds; 0 returns at once, -1 waits without a limit.
 * message: receives the message when MCP_OK is returned. Free it with mcp_message_free().
 *
 * Returns MCP_OK; MCP_EMPTY when no message arrived in time; MCP_CLOSED when the client is closed
 *   and its queue is empty; MCP_INVALID_ARGUMENT, also for a client on a shared queue (use
 *   mcp_queue_poll()); MCP_FORKED.
 *
 * Threads: any thread, also several at the same time; each message goes to one of them. A signal
 *   never ends the wait: its handler runs, and the wait continues. To end a wait from a signal
 *   handler, create the client on a queue (mcp_client_new_on()), wait with mcp_queue_poll() and
 *   call mcp_queue_wake() in the handler. A client's own queue cannot be woken; its wait ends when
 *   another thread closes the client.
 */
mcp_status_t mcp_poll(mcp_client_t *client, int32_t timeout_ms, mcp_message_t **message);

/**
 * Takes the next notification of the server, and waits for one if necessary. Messages of other
 * kinds stay on the queue, so do not use it with mcp_client_fd(), which stays readable for them.
 *
 * Parameters, statuses and threads as for mcp_poll(), but MCP_CLOSED when the client is closed and
 * no notification is left.
 */
mcp_status_t mcp_poll_notification(mcp_client_t *client,
                                   int32_t timeout_ms,
                                   mcp_message_t **message);

/**
 * A descriptor that is readable while messages of this client are on its queue, for epoll, kqueue,
 * libuv, GLib and similar loops. It belongs to the library: never read, write or close it. When it
 * is readable, call mcp_poll(client, 0, ...) until it returns MCP_EMPTY.
 *
 * Returns the descriptor (always the same until the client is freed; for a client on a shared
 *   queue that of the queue), or a negative status: MCP_INVALID_ARGUMENT, MCP_FORKED, MCP_INTERNAL
 *   when the process cannot create a descriptor.
 *
 * Threads: any thread.
 */
int32_t mcp_client_fd(mcp_client_t *client);

/**
 * The kind of a message.
 *
 * Returns MCP_KIND_*, or a negative status for an invalid message.
 */
mcp_kind_t mcp_message_kind(const mcp_message_t *message);

/**
 * The outcome in a reply.
 *
 * Returns the status; MCP_OK for messages of other kinds; MCP_INVALID_ARGUMENT for an invalid
 *   message.
 */
mcp_status_t mcp_message_status(const mcp_message_t *message);

/**
 * The client of a message, borrowed.
 *
 * Returns the pointer that mcp_client_new() returned, so it can be compared; NULL for
 *   MCP_KIND_LOST and for a refused call on an invalid handle. The client may have been freed in
 *   the meantime; every function detects that.
 */
mcp_client_t *mcp_message_client(const mcp_message_t *message);

/**
 * The number of the call that a reply, a progress message or a task state belongs to.
 *
 * Returns the number; 0 for none.
 */
uint64_t mcp_message_call_id(const mcp_message_t *message);

/**
 * The tag that the application gave to the call that a reply, a progress message or a task state
 * belongs to.
 *
 * Returns the tag; 0 for none.
 */
uint64_t mcp_message_tag(const mcp_message_t *message);

/**
 * The method of a notification, request or progress message, or the operation that failed.
 *
 * Returns a borrowed string; NULL where there is no method.
 */
const char *mcp_message_method(const mcp_message_t *message);

/**
 * The subject of a notification, request or progress message, for a switch statement.
 *
 * Returns MCP_TOPIC_*: MCP_TOPIC_NONE for messages of other kinds, MCP_TOPIC_UNKNOWN for a method
 *   that this library does not know; a negative status for an invalid message.
 *
 * Example:
 *
 *     switch (mcp_message_topic(message)) {
 *     case MCP_TOPIC_TOOLS_CHANGED: reload_tools(); break;
 *     case MCP_TOPIC_RESOURCE_UPDATED: reload(mcp_message_json(message, NULL)); break;
 *     default: break;
 *     }
 */
mcp_topic_t mcp_message_topic(const mcp_message_t *message);

/**
 * The JSON of a message: the result of a successful reply, the error object of a failed one, or
 * the parameters of a notification, request or progress message ("{}" if it has none). Other kinds
 * have their own object: MCP_KIND_STATE {"state","previous","reason","next_attempt_in_ms"},
 * MCP_KIND_LOG {"source","line"}, MCP_KIND_LOST {"count"}, MCP_KIND_AUTH {"kind",...}
 * (docs/authorization.md).
 *
 * length: receives the length in bytes without the terminating NUL; may be NULL.
 *
 * Returns borrowed, NUL-terminated UTF-8, usually in the buffer in which it was received; NULL for
 *   an invalid message.
 */
const char *mcp_message_json(const mcp_message_t *message, size_t *length);

/**
 * The text of the result of a tool, a resource or a prompt: all text blocks, decoded, joined by
 * line feeds. Half of a surrogate pair ("\ud800" alone), which JSON allows and UTF-8 does not,
 * becomes U+FFFD; mcp_message_json() has it as the server wrote it.
 *
 * length: receives the length in bytes without the terminating NUL (the text may contain NUL
 *   characters); may be NULL.
 *
 * Returns borrowed, NUL-terminated UTF-8; NULL if there is no text or the message is not a
 *   successful reply.
 */
const char *mcp_message_text(const mcp_message_t *message, size_t *length);

/**
 * Frees a message. If it is a request without an answer, the library refuses the request.
 *
 * message: the message; may be NULL.
 *
 * Returns MCP_OK, or MCP_INVALID_ARGUMENT for an invalid message, such as one that was already
 *   freed. In a child of fork(), for a message of the parent, it frees nothing and returns
 *   MCP_FORKED.
 */
mcp_status_t mcp_message_free(mcp_message_t *message);

/**
 * Creates a queue that several clients can share; see mcp_client_new_on().
 *
 * When the queue is full, the library drops messages that need no answer (notifications, progress,
 * states, log lines), and a message MCP_KIND_LOST has their number. With the overflow rule "block"
 * the library instead reads nothing from the servers until there is room. Replies and requests are
 * never dropped.
 *
 * config_json: a JSON object with "queue_messages" (the most messages on the queue, default
 *   10000), "queue_bytes" (default 64 MiB) and "overflow" ("drop_oldest", "drop_newest" or
 *   "block"); NULL for the defaults.
 * out: receives the queue. Free it with mcp_queue_free().
 * error_json: receives the error object on failure; may be NULL.
 *
 * Returns MCP_OK, MCP_INVALID_ARGUMENT, MCP_FORKED.
 *
 * Threads: any thread.
 */
mcp_status_t mcp_queue_new(const char *config_json, mcp_queue_t **out, char **error_json);

/**
 * Takes the next message of any client on the queue, and waits for one if necessary.
 * mcp_message_client() returns the client of a message.
 *
 * timeout_ms: the longest wait in milliseconds; 0 returns at once, -1 waits without a limit.
 * message: receives the message when MCP_OK is returned. Free it with mcp_message_free().
 *
 * Returns MCP_OK, MCP_EMPTY, MCP_WOKEN, MCP_INVALID_ARGUMENT, MCP_FORKED. It never returns
 *   MCP_CLOSED, because clients may be created and freed: a client that ends sends a message
 *   MCP_KIND_STATE with "closed".
 *
 * Threads: any thread, also several at the same time; each message goes to one of them.
 */
mcp_status_t mcp_queue_poll(mcp_queue_t *queue, int32_t timeout_ms, mcp_message_t **message);

/**
 * Ends one wait on the queue with MCP_WOKEN: the current wait or, if no thread waits, the next
 * one. Messages on the queue are taken first. Several calls before a wait count as one.
 *
 * Returns MCP_OK; MCP_INVALID_ARGUMENT, also for a freed queue; MCP_FORKED.
 *
 * Threads: any thread, also while another thread frees the queue; never waits. The function is
 *   async-signal-safe: a signal handler may call it whatever the interrupted thread is doing, also
 *   inside the library. It takes no lock, allocates nothing and does not change errno. A signal
 *   handler may call no other function of the library.
 */
mcp_status_t mcp_queue_wake(mcp_queue_t *queue);

/**
 * A descriptor that is readable while messages are on the queue. See mcp_client_fd().
 */
int32_t mcp_queue_fd(mcp_queue_t *queue);

/**
 * Sets the function that the library calls each time the empty queue receives a message, for event
 * loops without descriptors. The function should only wake the loop and must not block.
 *
 * ready: called with `user` on one thread of the library, with no lock held. If messages are
 *   already on the queue, it is called once at once, on the calling thread. NULL removes the
 *   function.
 * user: passed to `ready` and `destroy`; may be NULL.
 * destroy: called exactly once with `user`, after the last call of `ready`; may be NULL.
 *
 * Returns MCP_OK, MCP_INVALID_ARGUMENT, MCP_FORKED. `destroy` is called only if MCP_OK is
 *   returned.
 *
 * Threads: any thread.
 */
mcp_status_t mcp_queue_on_ready(mcp_queue_t *queue,
                                void (*ready)(void *user),
                                void *user,
                                void (*destroy)(void *user));

/**
 * Frees a queue. Free its clients first: a queue that still has clients is not freed.
 *
 * queue: the queue; may be NULL. No other thread may be using it, except in mcp_queue_wake().
 *
 * Returns MCP_OK, or MCP_INVALID_ARGUMENT for an invalid handle and for a queue that still has
 *   clients. In a child of fork() it frees nothing and returns MCP_FORKED.
 */
mcp_status_t mcp_queue_free(mcp_queue_t *queue);

/**
 * Lists the tools of the server: all pages of the list as one result, {"tools":[...]}, with each
 * entry as the server wrote it.
 *
 * options_json: as for mcp_call(), and "cursor" (read only the page at this cursor) and "one_page"
 *   (read only the first page; "nextCursor" in the result names the next one); NULL for none.
 * reply: as for mcp_call().
 *
 * Returns the statuses of mcp_call(); MCP_UNSUPPORTED when the server has no tools (nothing is
 *   sent; see the config key "capability_checks"); MCP_TOO_LARGE when the list exceeds "limits";
 *   MCP_PROTOCOL when a cursor repeats.
 *
 * Threads: any thread; waits as mcp_call() does. The timeout applies to each page, the total time
 *   to all pages.
 */
mcp_status_t mcp_tools_list(mcp_client_t *client, const char *options_json, mcp_message_t **reply);

/**
 * mcp_tools_list() as a started call (see mcp_call_start()); also returns MCP_UNSUPPORTED.
 */
mcp_status_t mcp_tools_list_start(mcp_client_t *client,
                                  const char *options_json,
                                  uint64_t tag,
                                  uint64_t *call_id,
                                  char **error_json);

/**
 * Lists the resources of the server: {"resources":[...]}. Parameters, statuses and threads as for
 * mcp_tools_list().
 */
mcp_status_t mcp_resources_list(mcp_client_t *client,
                                const char *options_json,
                                mcp_message_t **reply);

/**
 * mcp_resources_list() as a started call (see mcp_call_start()); also returns MCP_UNSUPPORTED.
 */
mcp_status_t mcp_resources_list_start(mcp_client_t *client,
                                      const char *options_json,
                                      uint64_t tag,
                                      uint64_t *call_id,
                                      char **error_json);

/**
 * Lists the resource templates of the server: {"resourceTemplates":[...]}. Parameters, statuses
 * and threads as for mcp_tools_list().
 */
mcp_status_t mcp_resource_templates_list(mcp_client_t *client,
                                         const char *options_json,
                                         mcp_message_t **reply);

/**
 * mcp_resource_templates_list() as a started call (see mcp_call_start()); also returns
 * MCP_UNSUPPORTED.
 */
mcp_status_t mcp_resource_templates_list_start(mcp_client_t *client,
                                               const char *options_json,
                                               uint64_t tag,
                                               uint64_t *call_id,
                                               char **error_json);

/**
 * Lists the prompts of the server: {"prompts":[...]}. Parameters, statuses and threads as for
 * mcp_tools_list().
 */
mcp_status_t mcp_prompts_list(mcp_client_t *client,
                              const char *options_json,
                              mcp_message_t **reply);

/**
 * mcp_prompts_list() as a started call (see mcp_call_start()); also returns MCP_UNSUPPORTED.
 */
mcp_status_t mcp_prompts_list_start(mcp_client_t *client,
                                    const char *options_json,
                                    uint64_t tag,
                                    uint64_t *call_id,
                                    char **error_json);

/**
 * Calls a tool.
 *
 * With the config key "tasks" the call may become a task; it still has one outcome. Notifications
 * of the task then arrive on the queue as MCP_KIND_NOTIFICATION of topic MCP_TOPIC_TASK with the
 * id and the tag of the call, and requests of the task as MCP_KIND_REQUEST. Cancelling the call
 * cancels the task. mcp_tasks_result() waits for a task whose call has ended.
 *
 * name: the name of the tool, as in the list.
 * arguments_json: the arguments, a JSON object; NULL for none.
 * options_json: as for mcp_call(), and "task" (true: as a task; false: not as a task; absent: as
 *   the tool declares) and "task_ttl_ms" (how long the server is asked to keep the task); NULL for
 *   none.
 * reply: as for mcp_call(). The result is the server's, unchanged: "content", "structuredContent",
 *   "isError".
 *
 * Returns the statuses of mcp_call(); MCP_UNSUPPORTED when the server has no tools or the tool
 *   does not allow the call with or without a task; for a task also MCP_CANCELLED when it was
 *   cancelled on the server, and MCP_BACKPRESSURE when "limits.tasks" is reached. A tool that
 *   failed is MCP_OK with "isError":true in the result.
 *
 * Threads: any thread; waits as mcp_call() does.
 *
 * Example:
 *
 *     mcp_tools_call(client, "add", "{\"a\":1,\"b\":2}", NULL, &reply);
 */
mcp_status_t mcp_tools_call(mcp_client_t *client,
                            const char *name,
                            const char *arguments_json,
                            const char *options_json,
                            mcp_message_t **reply);

/**
 * mcp_tools_call() as a started call (see mcp_call_start()); also returns MCP_UNSUPPORTED.
 */
mcp_status_t mcp_tools_call_start(mcp_client_t *client,
                                  const char *name,
                                  const char *arguments_json,
                                  const char *options_json,
                                  uint64_t tag,
                                  uint64_t *call_id,
                                  char **error_json);

/**
 * Reads a resource: {"contents":[...]}, each with "text" or "blob" (Base64).
 *
 * uri: the URI of the resource, sent unchanged.
 * options_json, reply: as for mcp_call().
 *
 * Returns the statuses of mcp_call(), and MCP_UNSUPPORTED when the server has no resources. A
 *   resource that does not exist is MCP_SERVER with code -32602 (2026-07-28) or -32002 (earlier
 *   revisions).
 *
 * Threads: any thread; waits as mcp_call() does.
 */
mcp_status_t mcp_resources_read(mcp_client_t *client,
                                const char *uri,
                                const char *options_json,
                                mcp_message_t **reply);

/**
 * mcp_resources_read() as a started call (see mcp_call_start()); also returns MCP_UNSUPPORTED.
 */
mcp_status_t mcp_resources_read_start(mcp_client_t *client,
                                      const char *uri,
                                      const char *options_json,
                                      uint64_t tag,
                                      uint64_t *call_id,
                                      char **error_json);

/**
 * Subscribes to a resource: MCP_TOPIC_RESOURCE_UPDATED arrives on the queue when it changes, on
 * every revision. The client restores the subscription after a reconnection. The result is {}.
 *
 * uri: the URI of the resource, sent unchanged.
 * options_json, reply: as for mcp_call().
 *
 * Returns the statuses of mcp_call(), and MCP_UNSUPPORTED when the server has no subscriptions or
 *   does not accept this one.
 *
 * Threads: any thread; waits as mcp_call() does.
 */
mcp_status_t mcp_resources_subscribe(mcp_client_t *client,
                                     const char *uri,
                                     const char *options_json,
                                     mcp_message_t **reply);

/**
 * mcp_resources_subscribe() as a started call (see mcp_call_start()); also returns
 * MCP_UNSUPPORTED.
 */
mcp_status_t mcp_resources_subscribe_start(mcp_client_t *client,
                                           const char *uri,
                                           const char *options_json,
                                           uint64_t tag,
                                           uint64_t *call_id,
                                           char **error_json);

/**
 * Ends a subscription of mcp_resources_subscribe(). Parameters, statuses and threads as there.
 */
mcp_status_t mcp_resources_unsubscribe(mcp_client_t *client,
                                       const char *uri,
                                       const char *options_json,
                                       mcp_message_t **reply);

/**
 * mcp_resources_unsubscribe() as a started call (see mcp_call_start()); also returns
 * MCP_UNSUPPORTED.
 */
mcp_status_t mcp_resources_unsubscribe_start(mcp_client_t *client,
                                             const char *uri,
                                             const char *options_json,
                                             uint64_t tag,
                                             uint64_t *call_id,
                                             char **error_json);

/**
 * Gets a prompt with its arguments filled in: {"messages":[...]}.
 *
 * name: the name of the prompt, as in the list.
 * arguments_json: the arguments, a JSON object whose values are strings; NULL for none.
 * options_json, reply: as for mcp_call().
 *
 * Returns the statuses of mcp_call(), and MCP_UNSUPPORTED when the server has no prompts.
 *
 * Threads: any thread; waits as mcp_call() does.
 */
mcp_status_t mcp_prompts_get(mcp_client_t *client,
                             const char *name,
                             const char *arguments_json,
                             const char *options_json,
                             mcp_message_t **reply);

/**
 * mcp_prompts_get() as a started call (see mcp_call_start()); also returns MCP_UNSUPPORTED.
 */
mcp_status_t mcp_prompts_get_start(mcp_client_t *client,
                                   const char *name,
                                   const char *arguments_json,
                                   const char *options_json,
                                   uint64_t tag,
                                   uint64_t *call_id,
                                   char **error_json);

/**
 * Asks for values that complete what was typed for an argument:
 * {"completion":{"values":[...],"total","hasMore"}}.
 *
 * ref_json: the prompt or template that has the argument: {"type":"ref/prompt","name":"..."} or
 *   {"type":"ref/resource","uri":"..."} with a URI template.
 * argument: the name of the argument.
 * value: the text typed so far; may be empty.
 * settled_json: the arguments that already have a value, a JSON object whose values are strings;
 *   NULL for none.
 * options_json, reply: as for mcp_call().
 *
 * Returns the statuses of mcp_call(), and MCP_UNSUPPORTED when the server has no completion.
 *
 * Threads: any thread; waits as mcp_call() does.
 */
mcp_status_t mcp_complete(mcp_client_t *client,
                          const char *ref_json,
                          const char *argument,
                          const char *value,
                          const char *settled_json,
                          const char *options_json,
                          mcp_message_t **reply);

/**
 * mcp_complete() as a started call (see mcp_call_start()); also returns MCP_UNSUPPORTED.
 */
mcp_status_t mcp_complete_start(mcp_client_t *client,
                                const char *ref_json,
                                const char *argument,
                                const char *value,
                                const char *settled_json,
                                const char *options_json,
                                uint64_t tag,
                                uint64_t *call_id,
                                char **error_json);

/**
 * Sets the lowest level of the log messages that the server sends (MCP_TOPIC_LOG). Up to
 * 2025-11-25 this is a request. In 2026-07-28, where a server sends no log messages until then, it
 * is a member of the metadata of each later request. The client restores the level after a
 * reconnection. The result is {}.
 *
 * level: "debug", "info", "notice", "warning", "error", "critical", "alert" or "emergency".
 * options_json, reply: as for mcp_call().
 *
 * Returns the statuses of mcp_call(), and MCP_UNSUPPORTED when the server has no logging.
 *
 * Threads: any thread; waits as mcp_call() does.
 */
mcp_status_t mcp_set_log_level(mcp_client_t *client,
                               const char *level,
                               const char *options_json,
                               mcp_message_t **reply);

/**
 * mcp_set_log_level() as a started call (see mcp_call_start()); also returns MCP_UNSUPPORTED.
 */
mcp_status_t mcp_set_log_level_start(mcp_client_t *client,
                                     const char *level,
                                     const char *options_json,
                                     uint64_t tag,
                                     uint64_t *call_id,
                                     char **error_json);

/**
 * Checks that the server answers: "ping" up to 2025-11-25, "server/discover" in 2026-07-28.
 *
 * options_json, reply: as for mcp_call().
 *
 * Returns the statuses of mcp_call().
 *
 * Threads: any thread; waits as mcp_call() does.
 */
mcp_status_t mcp_ping(mcp_client_t *client, const char *options_json, mcp_message_t **reply);

/**
 * mcp_ping() as a started call (see mcp_call_start()); also returns MCP_UNSUPPORTED.
 */
mcp_status_t mcp_ping_start(mcp_client_t *client,
                            const char *options_json,
                            uint64_t tag,
                            uint64_t *call_id,
                            char **error_json);

/**
 * Sets the roots that the client returns to servers on request, and notifies the servers that can
 * be notified (up to 2025-11-25).
 *
 * roots_json: a JSON array of file:// URIs or of objects with such a "uri".
 * error_json: receives the error object on failure; may be NULL.
 *
 * Returns MCP_OK; MCP_UNSUPPORTED when the client has not declared roots (set "roots" in the
 *   configuration); MCP_INVALID_ARGUMENT; MCP_FORKED.
 *
 * Threads: any thread; never waits.
 */
mcp_status_t mcp_set_roots(mcp_client_t *client, const char *roots_json, char **error_json);

/**
 * Drops all cached results of the client ("cache" in the configuration). Results of pending calls
 * are not cached either.
 *
 * Returns MCP_OK, MCP_INVALID_ARGUMENT, MCP_FORKED.
 *
 * Threads: any thread; never waits.
 */
mcp_status_t mcp_cache_clear(mcp_client_t *client);

/**
 * Accepts an elicitation request (MCP_TOPIC_ELICITATION): with the content that the person entered
 * in the form, or with consent to open the page ("mode":"url"). The library adds the defaults of
 * missing fields and checks the content against the schema of the form ("requestedSchema"), with
 * formats, before it sends it.
 *
 * The library never opens or fetches a page. Show the person the whole URL and the server that
 * asks, and open the page only after consent.
 *
 * request: a message of kind MCP_KIND_REQUEST of this client. The caller still has to free it.
 * content_json: the content of the form, a JSON object; NULL for the defaults only, and for a
 *   page.
 * error_json: receives the error object on failure; may be NULL.
 *
 * Returns the statuses of mcp_respond(); MCP_INVALID_ARGUMENT also for content that the form does
 *   not allow: the request then still waits for an answer.
 *
 * Threads: any thread; never waits.
 */
mcp_status_t mcp_elicitation_accept(mcp_client_t *client,
                                    const mcp_message_t *request,
                                    const char *content_json,
                                    char **error_json);

/**
 * Answers an elicitation request: the person declines. Parameters, statuses and threads as for
 * mcp_respond().
 */
mcp_status_t mcp_elicitation_decline(mcp_client_t *client,
                                     const mcp_message_t *request,
                                     char **error_json);

/**
 * Answers an elicitation request: the person closed it without a choice. Parameters, statuses and
 * threads as for mcp_respond().
 */
mcp_status_t mcp_elicitation_cancel(mcp_client_t *client,
                                    const mcp_message_t *request,
                                    char **error_json);

/**
 * Lists the tasks that the server keeps: {"tasks":[...]}. Only revision 2025-11-25 has this list.
 *
 * Parameters, statuses and threads as for mcp_tools_list(). MCP_UNSUPPORTED when the configuration
 * has no "tasks" or the server has no such list.
 */
mcp_status_t mcp_tasks_list(mcp_client_t *client, const char *options_json, mcp_message_t **reply);

/**
 * mcp_tasks_list() as a started call (see mcp_call_start()); also returns MCP_UNSUPPORTED.
 */
mcp_status_t mcp_tasks_list_start(mcp_client_t *client,
                                  const char *options_json,
                                  uint64_t tag,
                                  uint64_t *call_id,
                                  char **error_json);

/**
 * Gets the current state of a task: {"taskId":...,"status":...}, as the server wrote it.
 *
 * task_id: the "taskId" of a notification of topic MCP_TOPIC_TASK, or "task" in the "details" of
 *   an error.
 * options_json, reply: as for mcp_call().
 *
 * Returns the statuses of mcp_call(), and MCP_UNSUPPORTED when the configuration has no "tasks" or
 *   the server has no tasks. A task that the server does not know, or no longer keeps, is
 *   MCP_SERVER with code -32602.
 *
 * Threads: any thread; waits as mcp_call() does.
 */
mcp_status_t mcp_tasks_get(mcp_client_t *client,
                           const char *task_id,
                           const char *options_json,
                           mcp_message_t **reply);

/**
 * mcp_tasks_get() as a started call (see mcp_call_start()); also returns MCP_UNSUPPORTED.
 */
mcp_status_t mcp_tasks_get_start(mcp_client_t *client,
                                 const char *task_id,
                                 const char *options_json,
                                 uint64_t tag,
                                 uint64_t *call_id,
                                 char **error_json);

/**
 * Waits for the result of a task and returns it as the call that became the task would have done.
 * This works also in another process than the one that made the call, and on every revision that
 * has tasks. Notifications of the task and requests of its server arrive on the queue meanwhile,
 * as for mcp_tools_call().
 *
 * task_id: as for mcp_tasks_get().
 * options_json, reply: as for mcp_call(). "timeout_ms" limits each request about the task;
 *   "max_total_ms", or "tasks.life_ms" of the configuration, limits the whole wait.
 *
 * Returns the statuses of mcp_tools_call(); MCP_CANCELLED when the task was cancelled. A call that
 *   is cancelled or times out does not end the task; mcp_tasks_cancel() does.
 *
 * Threads: any thread; waits as mcp_call() does.
 */
mcp_status_t mcp_tasks_result(mcp_client_t *client,
                              const char *task_id,
                              const char *options_json,
                              mcp_message_t **reply);

/**
 * mcp_tasks_result() as a started call (see mcp_call_start()); also returns MCP_UNSUPPORTED.
 */
mcp_status_t mcp_tasks_result_start(mcp_client_t *client,
                                    const char *task_id,
                                    const char *options_json,
                                    uint64_t tag,
                                    uint64_t *call_id,
                                    char **error_json);

/**
 * Asks the server to cancel a task. If the task belongs to a pending call of this client, use
 * mcp_call_cancel() instead, which also cancels the task. The server decides what happens to the
 * task (2026-07-28: it may continue).
 *
 * task_id: as for mcp_tasks_get().
 * options_json, reply: as for mcp_call(). The result is the server's: the task (2025-11-25), or a
 *   result without information.
 *
 * Returns the statuses of mcp_tasks_get(); for a task that has already ended, MCP_SERVER with code
 *   -32602 (2025-11-25).
 *
 * Threads: any thread; waits as mcp_call() does.
 */
mcp_status_t mcp_tasks_cancel(mcp_client_t *client,
                              const char *task_id,
                              const char *options_json,
                              mcp_message_t **reply);

/**
 * mcp_tasks_cancel() as a started call (see mcp_call_start()); also returns MCP_UNSUPPORTED.
 */
mcp_status_t mcp_tasks_cancel_start(mcp_client_t *client,
                                    const char *task_id,
                                    const char *options_json,
                                    uint64_t tag,
                                    uint64_t *call_id,
                                    char **error_json);

/**
 * Lists the skills of the server (extension io.modelcontextprotocol/skills): {"skills":[...]},
 * each entry with "uri", "frontmatter" and "resources". No file is read. A server need not list
 * all its skills; see mcp_skill_get().
 *
 * Parameters, statuses and threads as for mcp_tools_list(). MCP_UNSUPPORTED when the server does
 * not declare the extension.
 */
mcp_status_t mcp_skills_list(mcp_client_t *client, const char *options_json, mcp_message_t **reply);

/**
 * mcp_skills_list() as a started call (see mcp_call_start()); also returns MCP_UNSUPPORTED.
 */
mcp_status_t mcp_skills_list_start(mcp_client_t *client,
                                   const char *options_json,
                                   uint64_t tag,
                                   uint64_t *call_id,
                                   char **error_json);

/**
 * Gets the entry of one skill, listed or not: {"skill":{...}}. No file is read. Use it also to get
 * a new entry after a file has changed; the consent of a person applies to the previous entry.
 *
 * uri: the URI of the SKILL.md file of the skill, sent unchanged.
 * options_json, reply: as for mcp_call().
 *
 * Returns the statuses of mcp_call(), and MCP_UNSUPPORTED when the server does not declare the
 *   extension. A skill that the server does not have is MCP_SERVER with code -32602.
 *
 * Threads: any thread; waits as mcp_call() does.
 */
mcp_status_t mcp_skill_get(mcp_client_t *client,
                           const char *uri,
                           const char *options_json,
                           mcp_message_t **reply);

/**
 * mcp_skill_get() as a started call (see mcp_call_start()); also returns MCP_UNSUPPORTED.
 */
mcp_status_t mcp_skill_get_start(mcp_client_t *client,
                                 const char *uri,
                                 const char *options_json,
                                 uint64_t tag,
                                 uint64_t *call_id,
                                 char **error_json);

/**
 * Loads a skill: reads its SKILL.md and returns it, {"contents":[{...}]}, if the size, the digest
 * and every field of the front matter match the entry. mcp_message_text() returns the text. No
 * other file is read.
 *
 * A digest shows that file and entry belong together, not that the server is trustworthy:
 * docs/skills.md says what the host must check.
 *
 * entry_json: the entry of the skill: an element of the result of mcp_skills_list(), or the result
 *   of mcp_skill_get(). Keep it while the skill is in use; mcp_skill_read() needs the same entry.
 * options_json: as for mcp_call(), and "allow_dynamic" (true: also load a skill whose "resources"
 *   are "dynamic"; only the front matter and "limits.skill_bytes" are then checked); NULL for
 *   none.
 * reply: as for mcp_call(). On failure it contains nothing of the file.
 *
 * Returns the statuses of mcp_call() and:
 * - MCP_PROTOCOL when the file does not match the entry: "check" in the details of the error is
 *   "size", "digest", "frontmatter" or "content" (the result is not one file).
 * - MCP_INVALID_ARGUMENT when the entry violates a rule of the extension ("check" is "entry").
 *   Nothing is sent.
 * - MCP_TOO_LARGE when the skill exceeds "limits.skill_files" or "limits.skill_bytes". Nothing is
 *   sent.
 * - MCP_UNSUPPORTED when the skill is dynamic or the library was built without the feature
 *   "skills". Nothing is sent.
 *
 * Threads: any thread; waits as mcp_call() does.
 *
 * Example:
 *
 *     mcp_skill_get(client, "skill://pdf/SKILL.md", NULL, &entry);
 *     mcp_skill_load(client, mcp_message_json(entry, NULL), NULL, &skill);
 */
mcp_status_t mcp_skill_load(mcp_client_t *client,
                            const char *entry_json,
                            const char *options_json,
                            mcp_message_t **reply);

/**
 * mcp_skill_load() as a started call (see mcp_call_start()). Also returns the statuses that
 * mcp_skill_load() returns without sending.
 */
mcp_status_t mcp_skill_load_start(mcp_client_t *client,
                                  const char *entry_json,
                                  const char *options_json,
                                  uint64_t tag,
                                  uint64_t *call_id,
                                  char **error_json);

/**
 * Reads a file of a skill and returns it, {"contents":[{...}]} with "text" or "blob" (Base64), if
 * its size and digest match the entry; for SKILL.md also the front matter.
 *
 * entry_json: the entry with which the skill was loaded; otherwise as for mcp_skill_load().
 * path: the path of the file in the folder of the skill, such as "references/FORMS.md" ('.' and
 *   '..' are resolved), or its URI.
 * options_json, reply: as for mcp_skill_load().
 *
 * Returns the statuses of mcp_skill_load(), and MCP_INVALID_ARGUMENT when the path leads out of
 *   the skill or to a file that the entry does not list ("check" is "listed"); nothing is sent
 *   then.
 *
 * Threads: any thread; waits as mcp_call() does.
 */
mcp_status_t mcp_skill_read(mcp_client_t *client,
                            const char *entry_json,
                            const char *path,
                            const char *options_json,
                            mcp_message_t **reply);

/**
 * mcp_skill_read() as a started call (see mcp_call_start()). Also returns the statuses that
 * mcp_skill_read() returns without sending.
 */
mcp_status_t mcp_skill_read_start(mcp_client_t *client,
                                  const char *entry_json,
                                  const char *path,
                                  const char *options_json,
                                  uint64_t tag,
                                  uint64_t *call_id,
                                  char **error_json);

/**
 * Passes on the URL to which the browser was redirected after a message of kind MCP_KIND_AUTH with
 * "kind":"authorize" asked the application to open a URL. Necessary only when that message has
 * "listens":false; otherwise the library receives the redirect itself.
 * https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization
 *
 * callback_url: the whole URL, or the part after '?', exactly as the browser received it, also
 *   when it reports an error.
 * error_json: receives the error object on failure; may be NULL.
 *
 * Returns MCP_OK, MCP_AUTH (the URL does not belong to the current login, or a check failed: see
 *   the error), MCP_UNSUPPORTED (no "auth" in the configuration), MCP_INVALID_ARGUMENT,
 *   MCP_FORKED.
 *
 * Threads: any thread; never waits. The calls that wait for the login continue by themselves.
 *
 * Example:
 *
 *     mcp_auth_complete(client, "http://127.0.0.1:8976/callback?code=x&state=y", NULL);
 */
mcp_status_t mcp_auth_complete(mcp_client_t *client, const char *callback_url, char **error_json);

/**
 * Supplies the credential that a message of kind MCP_KIND_AUTH asked for: with "kind":"token" a
 * token for the server, with "assertion" a signed statement about the workload, with "subject" a
 * token that identifies the person to the identity provider.
 *
 * credential: visible ASCII, at most 16 KiB; white space around it is ignored. It is never logged.
 * lasts_ms: how long the credential is valid, in milliseconds; negative if unknown.
 * error_json: receives the error object on failure; may be NULL.
 *
 * Returns MCP_OK, MCP_AUTH (no message asked for a credential), MCP_UNSUPPORTED (no "auth" in the
 *   configuration), MCP_INVALID_ARGUMENT, MCP_FORKED.
 *
 * Threads: any thread; never waits.
 */
mcp_status_t mcp_auth_give(mcp_client_t *client,
                           const char *credential,
                           int32_t lasts_ms,
                           char **error_json);

/**
 * Aborts the current login, because the person closed the window or the application has no
 * credential. Calls that wait for the login end with MCP_AUTH.
 *
 * reason: the reason for the error message; may be NULL.
 * error_json: receives the error object on failure; may be NULL.
 *
 * Returns MCP_OK, also when no login is in progress; MCP_UNSUPPORTED (no "auth" in the
 *   configuration), MCP_INVALID_ARGUMENT, MCP_FORKED.
 *
 * Threads: any thread; never waits.
 */
mcp_status_t mcp_auth_give_up(mcp_client_t *client, const char *reason, char **error_json);

/**
 * Answers a message of kind MCP_KIND_AUTH that needs an individual answer:
 *
 * - "kind":"load": the text that the application stores under "key". With "lock":true no other
 *   process may change it until the answer to the next "save" or until a message "unlock" for this
 *   key, which needs no answer.
 * - "kind":"save": store "text" under "key" in place of the current text, completely or not at
 *   all.
 * - "kind":"sign": the signature of "input" in Base64url without padding: 64 bytes (r and s) for
 *   "algorithm":"ES256", as many bytes as the key has for "RS256". With "purpose":"assertion" the
 *   answer may instead be a whole signed token about "client_id" for "audience".
 *
 * "load" and "save" need "auth":{"store":"application"} in the configuration. "sign" needs
 * "auth":{"dpop_key":...} ("purpose":"proof") or "auth":{"signer":"application"}
 * ("purpose":"assertion"). A message of these kinds that is freed without an answer counts as a
 * failure.
 *
 * message: the message. The caller still owns it and frees it with mcp_message_free().
 * answer: the stored text or the signature; NULL if nothing is stored, and after a save. It is
 *   never logged.
 * failure: why there is no answer, for the error message; NULL on success.
 * error_json: receives the error object on failure; may be NULL.
 *
 * Returns MCP_OK, MCP_AUTH (the library no longer waits for this answer), MCP_UNSUPPORTED (no
 *   "auth" in the configuration), MCP_INVALID_ARGUMENT, MCP_FORKED.
 *
 * Threads: any thread; never waits.
 *
 * Example:
 *
 *     mcp_auth_answer(client, message, stored_text_or_NULL, NULL, NULL);
 */
mcp_status_t mcp_auth_answer(mcp_client_t *client,
                             const mcp_message_t *message,
                             const char *answer,
                             const char *failure,
                             char **error_json);

/**
 * Logs out: deletes the stored logins for this server in every store and asks each authorization
 * server that can do so to revoke its tokens (RFC 7009). It aborts a login in progress; if a token
 * is being issued, it waits for that token and revokes it. The next request that needs a login
 * starts a new one. All cached results of the client ("cache" in the configuration) are dropped.
 *
 * timeout_ms: the longest wait in milliseconds; negative waits until the end, which comes at the
 *   latest after twice "auth":{"limit_ms":...} of the configuration. With the store of the
 *   application each of its answers has "patience_ms" in addition. After the timeout the logout
 *   continues in the background.
 * error_json: receives the error object on failure; may be NULL.
 *
 * Returns MCP_OK; MCP_AUTH (the login could not be deleted everywhere: the error says where it
 *   remains); MCP_TIMEOUT; MCP_UNSUPPORTED (no "auth" in the configuration); MCP_INVALID_ARGUMENT;
 *   MCP_FORKED.
 *
 * Threads: any thread. If the application is the store, another thread must poll and answer the
 *   messages meanwhile.
 *
 * Example:
 *
 *     mcp_auth_forget(client, -1, NULL);
 */
mcp_status_t mcp_auth_forget(mcp_client_t *client, int32_t timeout_ms, char **error_json);

/**
 * Creates a client over a transport that the application implements: a pipe to another machine, a
 * message bus, another part of the same program. It opens nothing: mcp_client_connect() or the
 * first call opens the connection, and the client opens the next one itself after a loss
 * ("reconnect").
 *
 * queue: as for mcp_client_new_on(); NULL gives the client its own queue.
 * config_json: as for mcp_client_new(), without "command", "url", "socket" and "type"; "{}" is
 *   enough.
 * functions: the functions of the transport; copied.
 * user: passed to each function; may be NULL.
 * out: receives the client. Free it with mcp_client_free().
 * error_json: receives the error object on failure; may be NULL.
 *
 * Returns MCP_OK, MCP_INVALID_ARGUMENT, MCP_UNSUPPORTED (`version` is newer than the library),
 *   MCP_FORKED, MCP_INTERNAL. `destroy` is called after every result, unless `functions` itself is
 *   NULL, too small or of another version.
 *
 * Threads: any thread. A thread that waits for this client sleeps; the thread that delivers a
 *   message also processes it.
 */
mcp_status_t mcp_client_new_with_transport(mcp_queue_t *queue,
                                           const char *config_json,
                                           const mcp_transport_functions_t *functions,
                                           void *user,
                                           mcp_client_t **out,
                                           char **error_json);

/**
 * Delivers one message from the server. The library processes it on this thread without waiting:
 * it gives outcomes to the threads that wait for them and calls `send` with the next messages. If
 * this function is called inside `send`, the library calls `send` afterwards.
 *
 * transport: the handle that `open` received; invalid once `close` or mcp_transport_closed() was
 *   called.
 * frame: the JSON text of the message without framing; copied. It needs no terminating NUL. Text
 *   that is no message is counted and skipped, as on every transport.
 * length: the length of the frame in bytes.
 *
 * Returns MCP_OK; MCP_INVALID_ARGUMENT (invalid handle, or an empty frame or NULL); MCP_TOO_LARGE
 *   (the frame exceeds "limits.frame_bytes"; the call that it answers ends with the same status);
 *   MCP_NO_MEMORY (likewise); MCP_FORKED; MCP_BACKPRESSURE when the frame is a notification, the
 *   queue is full and "limits.overflow" is "block": after the application has polled, deliver this
 *   frame again, and after it the frames that follow it.
 *
 * Threads: any thread, also several at the same time, also inside `send`.
 */
mcp_status_t mcp_transport_deliver(mcp_transport_t *transport, const char *frame, size_t length);

/**
 * Tells the library that a connection has ended. Pending calls end as MCP_TRANSPORT with the
 * reason, and the client opens the next connection as "reconnect" says. The library calls `close`
 * for this connection, possibly before this function returns.
 *
 * transport: the handle that `open` received; invalid afterwards.
 * reason: the reason for the error message; NULL if unknown.
 *
 * Returns MCP_OK, MCP_INVALID_ARGUMENT for an invalid handle, MCP_FORKED.
 *
 * Threads: any thread, also inside `open` and `send`.
 */
mcp_status_t mcp_transport_closed(mcp_transport_t *transport, const char *reason);

/**
 * Gets the value at a JSON pointer (RFC 6901, such as "/tools/0/name"): a string decoded, any
 * other value as JSON text.
 *
 * json: JSON text.
 * pointer: "" selects the whole text. In a name, "~0" stands for "~" and "~1" for "/".
 * value: receives the value when MCP_OK is returned. Free it with mcp_string_free().
 * length: receives the length in bytes without the terminating NUL (a decoded string may contain
 *   NUL characters); may be NULL.
 *
 * Returns MCP_OK, MCP_EMPTY when there is no value, MCP_INVALID_ARGUMENT for invalid JSON, an
 *   invalid pointer or NULL. A JSON null is returned as the text "null"; use mcp_json_type() to
 *   distinguish it from the string "null". Half of a surrogate pair in a string ("\ud800" alone)
 *   becomes U+FFFD.
 *
 * Threads: any thread. Each call scans the whole text, so a loop over all elements of a long list
 *   takes quadratic time: use a JSON library for such a list.
 */
mcp_status_t mcp_json_get(const char *json, const char *pointer, char **value, size_t *length);

/**
 * Counts the members of an object or the elements of an array at a JSON pointer.
 *
 * json, pointer: as for mcp_json_get().
 * count: receives the number when MCP_OK is returned.
 *
 * Returns MCP_OK, MCP_EMPTY when there is no value, MCP_INVALID_ARGUMENT also for a value that is
 *   neither an object nor an array.
 *
 * Threads: any thread.
 */
mcp_status_t mcp_json_count(const char *json, const char *pointer, size_t *count);

/**
 * The type of the value at a JSON pointer. It distinguishes null, the string "null" and a missing
 * value.
 *
 * json, pointer: as for mcp_json_get().
 *
 * Returns MCP_JSON_ABSENT (0) when there is no value, otherwise another MCP_JSON_*; a negative
 *   status for invalid JSON, an invalid pointer or NULL.
 *
 * Threads: any thread.
 */
mcp_json_type_t mcp_json_type(const char *json, const char *pointer);

/**
 * Gets a member of an object by its index, to iterate over an object with unknown names. The
 * members are in the order of the text.
 *
 * json, pointer: as for mcp_json_get(); the value there must be an object.
 * index: from 0; mcp_json_count() returns the number of members.
 * key: receives the decoded name; may be NULL. Free it with mcp_string_free().
 * key_length: receives the length of the name in bytes without the terminating NUL (a name may
 *   contain NUL characters); may be NULL.
 * value: receives the value in the form of mcp_json_get(); may be NULL. Free it with
 *   mcp_string_free().
 * value_length: receives the length of the value in bytes without the terminating NUL; may be
 *   NULL.
 *
 * Returns MCP_OK, MCP_EMPTY when there is no value or no further member, MCP_INVALID_ARGUMENT also
 *   for a value that is not an object.
 *
 * Threads: any thread. Each call scans the whole text.
 *
 * Example:
 *
 *     for (size_t i = 0; mcp_json_key(json, "", i, &key, NULL, &value, NULL) == MCP_OK; i++) {
 *         printf("%s = %s\n", key, value);
 *         mcp_string_free(key);
 *         mcp_string_free(value);
 *     }
 */
mcp_status_t mcp_json_key(const char *json,
                          const char *pointer,
                          size_t index,
                          char **key,
                          size_t *key_length,
                          char **value,
                          size_t *value_length);

/**
 * Converts a text to a JSON string with its quotes, to build parameters.
 *
 * text: any UTF-8.
 * quoted: receives the JSON string. Free it with mcp_string_free().
 *
 * Returns MCP_OK or MCP_INVALID_ARGUMENT.
 *
 * Threads: any thread.
 */
mcp_status_t mcp_json_quote(const char *text, char **quoted);

/**
 * Expands a URI template (RFC 6570, all levels), such as "uriTemplate" of a resource template.
 *
 * uri_template: the template.
 * variables_json: a JSON object of strings, numbers and booleans, or lists and objects of these. A
 *   variable that is missing or null expands to nothing.
 * uri: receives the URI. Free it with mcp_string_free().
 * error_json: receives the error object on failure; may be NULL.
 *
 * Returns MCP_OK or MCP_INVALID_ARGUMENT.
 *
 * Threads: any thread. No client is necessary.
 */
mcp_status_t mcp_template_expand(const char *uri_template,
                                 const char *variables_json,
                                 char **uri,
                                 char **error_json);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* MCP_H */
