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
 * THE CONTRACT, on one page. It holds for every function below; its own comment says what is special to it.
 *
 * Results. A function that can fail returns mcp_status_t: 0 is MCP_OK, positive means that nothing went wrong
 *   but there is nothing to give (MCP_EMPTY) or the wait was ended (MCP_WOKEN), negative is an error. The
 *   numbers never change; later versions may add some, so take any negative one for an error.
 *   mcp_status_name() gives each one's text.
 *
 * Errors are values. Where a function has the last parameter `error_json`, a failure writes a JSON object
 *   there: {"status":"timeout","message":"...","operation":"tools/list","details":{...},"retryable":true}, with
 *   "code" and "data" when the server sent the error. "message" is for people: what was being done, what went
 *   wrong and, where there is one, the fix. "retryable" says that trying again may succeed, and does no harm as
 *   far as is known: it is false when the time was over or the connection lost after the request went out, unless
 *   the method only reads. "sent" in "details" stands in the error of every call, also of one that was cancelled
 *   or closed: true as soon as a byte of it may have left, so that the server may have done it. (What is refused
 *   for its arguments is no call.) Pass NULL if you do not want it. There is no "last error" kept per thread.
 *
 * Out-parameters come last and are written only on success. The two that carry the failure itself are the
 *   exception, and always written: `error_json`, NULL where there is no error object, and the reply of
 *   mcp_call(), which holds the result or the error object.
 *
 * Strings in are NUL-terminated UTF-8, copied before the function returns. Strings out are NUL-terminated UTF-8
 *   too; where they may hold a NUL or are long, their length in bytes, without the NUL, is given beside them.
 *
 * NULL. A pointer may be NULL only where its comment says so. NULL elsewhere, invalid UTF-8, bad JSON, an
 *   unknown key or an option of the wrong type is MCP_INVALID_ARGUMENT, never a crash. A function without a
 *   status returns NULL, 0 or a negative status then.
 *
 * Ownership. What a function named ..._new makes is freed by the ..._free of the same name. A `char *` that you
 *   were given is freed by mcp_string_free(). A `const char *` is borrowed: it lives as long as what it was
 *   taken from, a message until mcp_message_free(); names and versions live for ever. Nothing of ours is freed
 *   by free(). Freeing NULL is fine.
 *
 * Times of parameters are in milliseconds, as int32_t: 0 returns at once, and -1 (any negative value) waits for
 *   as long as it takes, or takes the configured value where the comment says so. Times in JSON are whole
 *   numbers from 1. No other wait is without a bound.
 *
 * Polling is for messages. A program that makes blocking calls only need not poll: what arrives then fills the
 *   queue up to its bound and no further. MCP_INTERNAL may come from every function.
 *
 * One outcome. Every call ends exactly once: with its result, the server's error, or a status such as
 *   MCP_TIMEOUT, MCP_CANCELLED, MCP_TRANSPORT or MCP_CLOSED. An answer that comes later is dropped and counted,
 *   never delivered.
 *
 * Threads. Every function may be called from any thread, and any number of threads may use one handle at a
 *   time. Only ..._free needs that nobody else is using the handle or is about to. `const` means that what
 *   you can read stays the same. A message belongs to the thread that has it; hand it on as you like.
 *
 * Callbacks (the logger, mcp_queue_on_ready(), a transport of your own) are functions, your pointer
 *   `user`, and `destroy`, which is called with `user` exactly once after the last call of them (not at the end of the process). They may come on any
 *   thread, never while we hold a lock. They must return soon and must not unwind or jump out. Our threads
 *   block every signal but those of faults (SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS, SIGABRT).
 *
 * Your process stays yours. We install no signal handler, cause no SIGPIPE, do not reap your children, do not
 *   write to your stdout or stderr, do not change the environment, the folder or the locale, and every
 *   descriptor is close-on-exec. After the last client and queue are freed, no thread, descriptor or child of
 *   ours is left.
 *
 * fork(). A child starts again without clients, queues and logger, and may make its own; the library starts new
 *   threads there. Handles made before the fork belong to the parent: functions return MCP_FORKED, and freeing does
 *   nothing. Messages made before can be read and not freed. Memory and descriptors of the parent's clients stay in
 *   the child until it ends or calls exec(). A child that is forked inside a callback must not return from it.
 *
 * Panics. A fault inside the library does not unwind into your code: the function returns MCP_INTERNAL, or NULL
 *   or 0 where it has no status. Nothing is printed.
 *
 * Memory. Where a server decides how much is needed (a message on any transport, decompressed or not), memory that
 *   the system refuses ends the call as MCP_NO_MEMORY, and the client goes on. What else we allocate is small, or as
 *   large as something of that kind that is held already (a whole list of pages, a copy that you ask for, what you
 *   pass to us): there the process ends by abort(), as with most libraries that are not written in C. The system's
 *   message on that goes to stderr. Where memory is short, lower the "limits" of the configuration.
 *
 * Versions. MCP_ABI_VERSION describes the header; mcp_version() and mcp_abi_version() describe the library that
 *   is loaded. No struct has a public layout but mcp_transport_functions_t, which says its own size and version,
 *   so programs keep working with later libraries of the same MCP_ABI_VERSION. MCP_ABI_MATCHES() compares the two; ask it once at the start of a program.
 */

/**
 * True when the library that is loaded has the ABI of this header. If not, the program must not go on.
 *
 *     if (!MCP_ABI_MATCHES()) return EXIT_FAILURE;
 */
#define MCP_ABI_MATCHES() (mcp_abi_version() == MCP_ABI_VERSION)

/**
 * The version of this ABI. Compare it with mcp_abi_version() to see whether header and library belong together.
 */
#define MCP_ABI_VERSION 1

/**
 * Log level: something failed.
 */
#define MCP_LOG_ERROR 1

/**
 * Log level: something is odd.
 */
#define MCP_LOG_WARN 2

/**
 * Log level: changes of state.
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
 * The version of mcp_transport_functions_t that this header has.
 */
#define MCP_TRANSPORT_VERSION 1

/**
 * One logical connection to one server.
 */
typedef struct mcp_client_t mcp_client_t;

/**
 * Something that arrived: a reply, a notification, a request of the server, progress, a change of state, and so on.
 * Immutable. What the functions below lend out of it lives until mcp_message_free(). It owns its memory: it may be read
 * after its client is freed. The pointer is a number that is looked up: what is no live message is refused.
 */
typedef struct mcp_message_t mcp_message_t;

/**
 * Where messages for the application arrive.
 */
typedef struct mcp_queue_t mcp_queue_t;

/**
 * One connection of a transport of the application's own.
 */
typedef struct mcp_transport_t mcp_transport_t;

/**
 * How something ended: 0 is success, positive is "nothing went wrong, but", negative is an error.
 */
typedef int32_t mcp_status_t;

/**
 * What a message is.
 */
typedef int32_t mcp_kind_t;

/**
 * The state of a connection.
 */
typedef int32_t mcp_state_t;

/**
 * What a notification or request of the server is about.
 */
typedef int32_t mcp_topic_t;

/**
 * What a transport of the application's own can do. The functions are called one at a time, in order, on whichever thread
 * uses the client or on a thread of the library's, with no lock held. They must return soon: they hold up this client, and
 * on the library's thread every other. They may deliver to the transport, and call what does not wait; they must not wait
 * for this client nor free it, and not unwind.
 */
typedef struct {
    /**
     * sizeof(mcp_transport_functions_t). What a library knows of a larger one it uses; a smaller one is refused.
     */
    uint32_t size;
    /**
     * MCP_TRANSPORT_VERSION.
     */
    uint32_t version;
    /**
     * Opens a connection, which `transport` stands for until it has ended; there is one at a time. It must not wait for the
     * other side: take what is sent meanwhile. What is delivered before it has returned is dropped, since nothing was asked.
     * MCP_OK, or another status: the attempt has failed, and `close` is not called.
     */
    mcp_status_t (*open)(void *user, mcp_transport_t *transport);
    /**
     * Sends one message: JSON without line breaks, `length` bytes and a NUL behind them, lent until it returns. It must not
     * wait for room: keep what does not go out at once, and return MCP_OK. Another status ends the connection.
     */
    mcp_status_t (*send)(void *user, mcp_transport_t *transport, const char *frame, size_t length);
    /**
     * The connection has ended; nothing more is sent, and `transport` is no handle any more. Called exactly once for each
     * that was opened, also after mcp_transport_closed().
     */
    void (*close)(void *user, mcp_transport_t *transport);
    /**
     * Everything is over: called exactly once, after every other function has returned, by mcp_client_free(), or by
     * mcp_client_new_with_transport() when it fails. If a function has not returned in the time that a close has, it is
     * called when it does. May be NULL.
     */
    void (*destroy)(void *user);
} mcp_transport_functions_t;

/**
 * What a JSON value is.
 */
typedef int32_t mcp_json_type_t;

/**
 * Success.
 */
#define MCP_OK 0

/**
 * Nothing there: no message within the time, no such value.
 */
#define MCP_EMPTY 1

/**
 * The wait ended because mcp_queue_wake() asked for it.
 */
#define MCP_WOKEN 2

/**
 * An argument is wrong; nothing was done.
 */
#define MCP_INVALID_ARGUMENT -1

/**
 * No answer within the time allowed.
 */
#define MCP_TIMEOUT -2

/**
 * Cancelled: a call by the application, a request by the server.
 */
#define MCP_CANCELLED -3

/**
 * Not connected (waiting for the next attempt), and told not to wait. From mcp_config_load(): the server is disabled.
 */
#define MCP_UNAVAILABLE -4

/**
 * The connection was lost under the call, or could not be made.
 */
#define MCP_TRANSPORT -5

/**
 * The server broke the rules of the protocol.
 */
#define MCP_PROTOCOL -6

/**
 * The server answered with a JSON-RPC error: its code, message and data are in the error object.
 */
#define MCP_SERVER -7

/**
 * The server or this build lacks a capability, revision or transport.
 */
#define MCP_UNSUPPORTED -8

/**
 * Too much is under way already; try again later.
 */
#define MCP_BACKPRESSURE -9

/**
 * Larger than a configured bound.
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
 * The process forked since the handle was made; only the parent may use it. The child may make handles of its own.
 */
#define MCP_FORKED -13

/**
 * A fault of the library's own.
 */
#define MCP_INTERNAL -14

/**
 * The system gave no memory for what the server sent; it was thrown away, and the client goes on.
 */
#define MCP_NO_MEMORY -15

/**
 * The one outcome of a call.
 */
#define MCP_KIND_REPLY 1

/**
 * A notification of the server.
 */
#define MCP_KIND_NOTIFICATION 2

/**
 * A request of the server: answer it with mcp_respond() or mcp_respond_error().
 */
#define MCP_KIND_REQUEST 3

/**
 * Progress of a call made with the option "progress".
 */
#define MCP_KIND_PROGRESS 4

/**
 * The connection's state changed.
 */
#define MCP_KIND_STATE 5

/**
 * Authorization wants something of the application: a person, a credential, a place to keep logins, a signature. "kind" in
 * its JSON says what (docs/authorization.md).
 */
#define MCP_KIND_AUTH 6

/**
 * A line of the server's standard error (config "stderr":"message").
 */
#define MCP_KIND_LOG 7

/**
 * Messages were lost because the queue was full; the JSON says how many.
 */
#define MCP_KIND_LOST 8

/**
 * No message of the server's.
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
 * A resource that was subscribed to changed.
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
 * The server withdrew a request of its own.
 */
#define MCP_TOPIC_CANCELLED 8

/**
 * A task's state.
 */
#define MCP_TOPIC_TASK 9

/**
 * The person is done with an elicitation by URL (2025-11-25).
 */
#define MCP_TOPIC_ELICITATION_COMPLETE 10

/**
 * The server took up a subscription.
 */
#define MCP_TOPIC_SUBSCRIBED 11

/**
 * A request for a model's answer (sampling/createMessage).
 */
#define MCP_TOPIC_SAMPLING 20

/**
 * A request to ask the person (elicitation/create).
 */
#define MCP_TOPIC_ELICITATION 21

/**
 * A request for the roots (roots/list).
 */
#define MCP_TOPIC_ROOTS 22

/**
 * Nothing is there.
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
 * Made, nothing started yet.
 */
#define MCP_STATE_IDLE 0

/**
 * The server is being started.
 */
#define MCP_STATE_STARTING 1

/**
 * The handshake is under way.
 */
#define MCP_STATE_INITIALIZING 2

/**
 * Calls go straight to the server.
 */
#define MCP_STATE_READY 3

/**
 * The connection was lost; the next attempt has its time.
 */
#define MCP_STATE_BACKOFF 4

/**
 * Being closed.
 */
#define MCP_STATE_CLOSING 5

/**
 * Closed for good.
 */
#define MCP_STATE_CLOSED 6

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/**
 * The library's version, such as "0.1.0". Static; never NULL.
 */
const char *mcp_version(void);

/**
 * The version of the library's ABI. A program built against another MCP_ABI_VERSION must not go on.
 */
uint32_t mcp_abi_version(void);

/**
 * The name of a status, such as "timeout"; "unknown" for a number that is none. Static; never NULL.
 */
const char *mcp_status_name(mcp_status_t status);

/**
 * The name of a message's kind, such as "notification"; "unknown" for a number that is none. Static; never NULL.
 */
const char *mcp_kind_name(mcp_kind_t kind);

/**
 * The name of a state, such as "ready"; "unknown" for a number that is none. Static; never NULL.
 */
const char *mcp_state_name(mcp_state_t state);

/**
 * The name of a topic, such as "tools_changed"; "unknown" for a number that is none. Static; never NULL.
 */
const char *mcp_topic_name(mcp_topic_t topic);

/**
 * Frees a string that a function of this library gave out. NULL is fine. Freeing a string twice is an error that cannot
 * be found out.
 */
void mcp_string_free(char *text);

/**
 * Sets what receives log records of all clients, in place of what did before.
 *
 * log: called with `user`, the level (MCP_LOG_*) and the record, a JSON object with "event" (a stable name such as
 *   "connection.transition"), "level", "client" (the client's name) and the event's values. The text lives until `log`
 *   returns. NULL takes the logger away.
 * level: records up to this level are made; 0 makes none.
 * user: passed to `log` and `destroy`; may be NULL.
 * destroy: called exactly once with `user`, after the last call of `log`, on whichever thread lets it go; may be NULL.
 *
 * `log` is called on one thread of the library's, one record after another, with no lock held: it may call every
 * function of this library. It is called only while a client exists, and not in a child of fork(), which sets its own. When it is too slow records are dropped, and a
 * record "log.dropped" says how many.
 *
 * Returns MCP_OK, or MCP_INVALID_ARGUMENT for a level that is none (then nothing is changed and `destroy` not called).
 */
mcp_status_t mcp_set_logger(void (*log)(void *user, int32_t level, const char *record_json),
                            int32_t level,
                            void *user,
                            void (*destroy)(void *user));

/**
 * Makes a client from JSON configuration. Starts nothing yet: mcp_client_connect() or the first call does.
 *
 * config_json: a JSON object: an entry of the well-known "mcpServers" format ("command", "args", "env", "cwd") plus the
 *   keys listed in docs/configuration.md, such as "url" for a server over HTTP and "socket" for one that listens. An unknown
 *   key is an error that names it and the nearest known one. Copied. So is the environment that the server will see, during
 *   this call: do not change yours on another thread meanwhile.
 * out: receives the client, to be freed with mcp_client_free(). Written only on success.
 * error_json: receives the error object on failure, to be freed with mcp_string_free(); may be NULL.
 *
 * Any thread. Returns MCP_OK, MCP_INVALID_ARGUMENT, MCP_UNSUPPORTED, MCP_FORKED, or MCP_INTERNAL when the process has no
 * thread or descriptor left.
 *
 *     mcp_client_t *client;
 *     mcp_client_new("{\"command\":\"npx\",\"args\":[\"-y\",\"some-server\"]}", &client, NULL);
 */
mcp_status_t mcp_client_new(const char *config_json,
                            mcp_client_t **out,
                            char **error_json);

/**
 * Makes a client whose messages go to a queue that other clients may share, so that a program with many servers waits in
 * one place. Otherwise as mcp_client_new().
 *
 * queue: where messages go; must not be freed before the client.
 */
mcp_status_t mcp_client_new_on(mcp_queue_t *queue,
                               const char *config_json,
                               mcp_client_t **out,
                               char **error_json);

/**
 * Reads one server of an "mcpServers" file as configuration for mcp_client_new(). "${VAR}" and "${VAR:-default}" in
 * strings are expanded from the environment; keys that only editors know ("autoApprove", ...) are left out. The entry is
 * checked as mcp_client_new() checks it; what is wrong is told with file, server and key.
 *
 * path: the file, at most 4 MiB.
 * server_name: which server; NULL takes the only one.
 * config_json: receives the configuration, to be freed with mcp_string_free(). Written only when MCP_OK is returned.
 * error_json: receives the error object on failure; may be NULL. "details" has "path" and, where they are known, "server"
 *   and "key".
 *
 * Any thread; reads the file. Returns MCP_OK; MCP_UNAVAILABLE for a server that the file says is disabled ("disabled": true,
 * "enabled": false); MCP_INVALID_ARGUMENT; MCP_UNSUPPORTED for a server that this build has no transport for.
 */
mcp_status_t mcp_config_load(const char *path,
                             const char *server_name,
                             char **config_json,
                             char **error_json);

/**
 * Starts the connection if need be and waits until it is ready. Optional: the first call starts it too.
 *
 * timeout_ms: the longest wait in milliseconds; -1 waits until the attempt has succeeded or failed. 0 starts the connection
 *   and returns MCP_TIMEOUT unless it is ready already: mcp_client_connect_start() tells what became of it.
 * error_json: receives the error object on failure; may be NULL.
 *
 * Any thread. Returns MCP_OK, MCP_TIMEOUT, MCP_TRANSPORT (the server could not be started, or ended), MCP_UNSUPPORTED (no
 * revision in common), MCP_PROTOCOL, MCP_SERVER, MCP_AUTH (a login is needed and there is none, or it failed), MCP_CLOSED,
 * MCP_INVALID_ARGUMENT, MCP_FORKED. After a failure the client goes on trying in the background, as "reconnect" in the configuration says; after one that would repeat itself, such as
 * MCP_UNSUPPORTED, it is closed.
 */
mcp_status_t mcp_client_connect(mcp_client_t *client,
                                int32_t timeout_ms,
                                char **error_json);

/**
 * mcp_client_connect() as a started call: the outcome arrives on the queue as a message of kind MCP_KIND_REPLY, for event loops
 * that must not wait. Its result is {}; on failure it carries the error object.
 *
 * timeout_ms: after how many milliseconds the outcome is MCP_TIMEOUT if there is no other; -1 waits until the attempt has
 *   succeeded or failed. Whatever the outcome, the client goes on as after mcp_client_connect().
 * tag: comes back with the reply.
 * call_id: receives a number for mcp_call_cancel(), which ends the wait as MCP_CANCELLED and not the attempt; may be NULL.
 *   Written only on success.
 * error_json: receives the error object on failure; may be NULL.
 *
 * Any thread; never waits. Returns MCP_OK, and then exactly one reply follows, also when the connection was ready already; or
 * MCP_BACKPRESSURE (too many wait for the connection, or replies are not polled), MCP_CLOSED, MCP_INVALID_ARGUMENT,
 * MCP_FORKED, and then none does.
 */
mcp_status_t mcp_client_connect_start(mcp_client_t *client,
                                      int32_t timeout_ms,
                                      uint64_t tag,
                                      uint64_t *call_id,
                                      char **error_json);

/**
 * The state of the connection: MCP_STATE_*, or a negative status for a handle that is none. Any thread; never waits.
 */
mcp_state_t mcp_client_state(mcp_client_t *client);

/**
 * What there is to know about the connection, as a JSON object: "state", "revision", "era", "server" (name and version),
 * "capabilities", "instructions", "transport", "pid", "pending_calls", "failure", "counters" and more.
 *
 * info_json: receives it, to be freed with mcp_string_free().
 * error_json: receives the error object on failure; may be NULL.
 *
 * Any thread; never waits. Returns MCP_OK, MCP_INVALID_ARGUMENT or MCP_FORKED.
 */
mcp_status_t mcp_client_info(mcp_client_t *client,
                             char **info_json,
                             char **error_json);

/**
 * Closes the connection: calls under way end as MCP_CLOSED, the server's input is closed, and a server that does not end
 * by itself is asked to (SIGTERM) and then killed (SIGKILL), with everything it started in its process group.
 *
 * timeout_ms: how long that may take before the kill, which takes effect at once and is waited for half a second at the
 *   most; -1 takes "timeouts.close_ms" of the configuration (2000).
 *
 * Any thread, any state, any number of times; concurrent closes all return. Messages that wait can still be polled.
 * Returns MCP_OK when the server is gone, MCP_TIMEOUT when even the kill has not ended it yet, MCP_INVALID_ARGUMENT,
 * MCP_FORKED.
 */
mcp_status_t mcp_client_close(mcp_client_t *client,
                              int32_t timeout_ms);

/**
 * Frees a client, closing it if need be as mcp_client_close(client, -1) does. Messages of its that still wait on a shared queue are dropped; messages that were polled stay valid. After the last client is freed no
 * thread, descriptor or process of the library is left.
 *
 * client: NULL is fine. No other thread may be using it.
 *
 * Returns MCP_OK, or MCP_INVALID_ARGUMENT for a handle that is none. In a child of fork() it frees nothing and returns
 * MCP_FORKED.
 */
mcp_status_t mcp_client_free(mcp_client_t *client);

/**
 * Makes a client that speaks over a transport of the application's own: a pipe to somewhere else, a message bus, another
 * part of the same program. Opens nothing yet: mcp_client_connect() or the first call does, and so does the client itself
 * when a connection was lost ("reconnect").
 *
 * queue: where messages go, as mcp_client_new_on(); NULL gives the client a queue of its own.
 * config_json: as mcp_client_new(), without "command", "url", "socket" and "type"; "{}" is enough.
 * functions: what the transport can do; copied.
 * user: passed to each of them; may be NULL.
 * out: receives the client, to be freed with mcp_client_free(). Written only on success.
 * error_json: receives the error object on failure, to be freed with mcp_string_free(); may be NULL.
 *
 * Any thread. Threads that wait for this client sleep; whoever delivers does what there is to do. Returns MCP_OK,
 * MCP_INVALID_ARGUMENT, MCP_UNSUPPORTED (`version` is newer than the library), MCP_FORKED, MCP_INTERNAL. `destroy` is called
 * whatever is returned, unless `functions` itself is NULL, too small or of another version.
 */
mcp_status_t mcp_client_new_with_transport(mcp_queue_t *queue,
                                           const char *config_json,
                                           const mcp_transport_functions_t *functions,
                                           void *user,
                                           mcp_client_t **out,
                                           char **error_json);

/**
 * Delivers one message that has come from the server. What it sets off happens on this thread, without waiting: outcomes
 * reach those who wait for them, and what is to be sent next goes to `send`, unless that is where this is called from;
 * then it goes there afterwards.
 *
 * transport: from `open`; dead once `close` is called or mcp_transport_closed() was.
 * frame: the JSON text of the message, without what a framing puts around it; copied. Need not end with a NUL. What is no
 *   message is counted and skipped, as on every transport.
 * length: its bytes.
 *
 * Any thread, also several at once, also from inside `send`. Returns MCP_OK, MCP_INVALID_ARGUMENT (no live handle; NULL or
 * empty), MCP_TOO_LARGE (over "limits.frame_bytes": the call that it answers ends so, too), MCP_NO_MEMORY (likewise), MCP_FORKED, and
 * MCP_BACKPRESSURE when it is a notification, the queue is full and "limits.overflow" is "block": deliver it again when the
 * application has polled, and what came behind it after that.
 */
mcp_status_t mcp_transport_deliver(mcp_transport_t *transport,
                                   const char *frame,
                                   size_t length);

/**
 * Says that a connection has ended: calls under way end as MCP_TRANSPORT with the reason, and the client opens the next one
 * as "reconnect" says. `close` is called for this one, perhaps before this returns.
 *
 * transport: from `open`; dead afterwards.
 * reason: why, for the error's message; NULL if nobody knows.
 *
 * Any thread, also from inside `open` and `send`. Returns MCP_OK, MCP_INVALID_ARGUMENT for what is no live handle,
 * MCP_FORKED.
 */
mcp_status_t mcp_transport_closed(mcp_transport_t *transport,
                                  const char *reason);

/**
 * Makes a queue that clients can share (mcp_client_new_on()).
 *
 * config_json: "queue_messages" (how many may wait, 10000), "queue_bytes" (64 MiB) and "overflow" ("drop_oldest",
 *   "drop_newest" or "block"); NULL for the defaults. When the queue is full, news (notifications, progress, states, log
 *   lines) is dropped and an MCP_KIND_LOST message says how many, or with "block" nothing is read from the servers until
 *   there is room; replies and requests are never dropped.
 * out: receives the queue, to be freed with mcp_queue_free(). Written only on success.
 * error_json: receives the error object on failure; may be NULL.
 *
 * Any thread. Returns MCP_OK, MCP_INVALID_ARGUMENT, MCP_FORKED.
 */
mcp_status_t mcp_queue_new(const char *config_json,
                           mcp_queue_t **out,
                           char **error_json);

/**
 * Takes the next message of any client on the queue, waiting for one if need be. mcp_message_client() says whose it is.
 *
 * timeout_ms: the longest wait in milliseconds; 0 returns at once, -1 waits without a bound.
 * message: receives the message, to be freed with mcp_message_free(). Written only when MCP_OK is returned.
 *
 * Any thread, also several at once: each message goes to one of them. Returns MCP_OK, MCP_EMPTY, MCP_WOKEN,
 * MCP_INVALID_ARGUMENT, MCP_FORKED; never MCP_CLOSED, since clients may come and go: a client's end is its
 * MCP_KIND_STATE message "closed".
 */
mcp_status_t mcp_queue_poll(mcp_queue_t *queue,
                            int32_t timeout_ms,
                            mcp_message_t **message);

/**
 * Ends one wait on the queue with MCP_WOKEN: the one in progress or, if there is none, the next. Messages that wait are
 * taken first. Several wakes before a wait are one.
 *
 * Async-signal-safe: a signal handler may call it, whatever the interrupted thread is doing, also in the library. It
 * takes no lock, allocates nothing and leaves errno as it was. It is the only function of the library that a handler may
 * call.
 *
 * Any thread, also while another thread frees the queue; never waits. Returns MCP_OK; MCP_INVALID_ARGUMENT, also for a queue
 * that was freed; MCP_FORKED.
 */
mcp_status_t mcp_queue_wake(mcp_queue_t *queue);

/**
 * A descriptor that is readable while messages wait on the queue. As mcp_client_fd().
 */
int32_t mcp_queue_fd(mcp_queue_t *queue);

/**
 * Sets what is called each time the queue turns from empty to non-empty, for event loops without descriptors. It should
 * only wake the loop, and must not block.
 *
 * ready: called with `user` on one thread of the library's, with no lock held; once at once, on the calling thread, if
 *   messages wait already. NULL takes it away.
 * user: passed to `ready` and `destroy`; may be NULL.
 * destroy: called exactly once with `user`, after the last call of `ready`; may be NULL.
 *
 * Any thread. Returns MCP_OK, MCP_INVALID_ARGUMENT, MCP_FORKED; `destroy` is not called unless MCP_OK is returned.
 */
mcp_status_t mcp_queue_on_ready(mcp_queue_t *queue,
                                void (*ready)(void *user),
                                void *user,
                                void (*destroy)(void *user));

/**
 * Frees a queue. Free its clients first: a queue that clients still deliver to is not freed.
 *
 * queue: NULL is fine. No other thread may be using it, except in mcp_queue_wake().
 *
 * Returns MCP_OK, or MCP_INVALID_ARGUMENT for a handle that is none and for a queue that still has clients. In a child of fork() it frees nothing and returns
 * MCP_FORKED.
 */
mcp_status_t mcp_queue_free(mcp_queue_t *queue);

/**
 * The value at a JSON pointer (RFC 6901, such as "/tools/0/name"): a string decoded, anything else as JSON text.
 *
 * json: JSON text.
 * pointer: "" is the whole text; "~0" stands for "~" and "~1" for "/" in a name.
 * value: receives the value, to be freed with mcp_string_free(). Written only when MCP_OK is returned.
 * length: receives its length without the NUL (a decoded string may hold NUL characters); may be NULL.
 *
 * A null that is there comes as the text "null"; mcp_json_type() tells it from a string with these letters. Half of a
 * surrogate pair in a string ("\ud800" alone) comes as U+FFFD.
 *
 * Any thread. Checks the whole text each time, so that a loop over all elements of a long list takes quadratic time: give such
 * a list to a JSON library. Returns MCP_OK, MCP_EMPTY when nothing is there, MCP_INVALID_ARGUMENT for bad JSON, a bad pointer or
 * NULL.
 */
mcp_status_t mcp_json_get(const char *json,
                          const char *pointer,
                          char **value,
                          size_t *length);

/**
 * How many members an object has, or how many elements an array, at a JSON pointer.
 *
 * json, pointer: as for mcp_json_get().
 * count: receives the number. Written only when MCP_OK is returned.
 *
 * Any thread. Returns MCP_OK, MCP_EMPTY when nothing is there, MCP_INVALID_ARGUMENT also for a value that is neither an
 * object nor an array.
 */
mcp_status_t mcp_json_count(const char *json,
                            const char *pointer,
                            size_t *count);

/**
 * What the value at a JSON pointer is: MCP_JSON_*. Tells null from the text "null", and "not there" from both.
 *
 * json, pointer: as for mcp_json_get().
 *
 * Any thread. Returns MCP_JSON_ABSENT (0) when nothing is there, one of the other MCP_JSON_* otherwise; negative, as a
 * status, for bad JSON, a bad pointer or NULL.
 */
mcp_json_type_t mcp_json_type(const char *json,
                              const char *pointer);

/**
 * A member of an object by its place: for walking over objects whose names are not known. Members come in the order of
 * the text.
 *
 * json, pointer: as for mcp_json_get(); the value there must be an object.
 * index: from 0; mcp_json_count() says how many there are.
 * key: receives the name, decoded, to be freed with mcp_string_free(); may be NULL.
 * key_length: receives its length without the NUL (a name may hold NUL characters); may be NULL.
 * value: receives the value as mcp_json_get() gives it, to be freed with mcp_string_free(); may be NULL.
 * value_length: receives its length without the NUL; may be NULL.
 *
 * Any thread. Checks the whole text each time. Returns MCP_OK, MCP_EMPTY when nothing is there or the object has no more
 * members, MCP_INVALID_ARGUMENT also for a value that is no object.
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
 * Text as a JSON string, with its quotes: for building parameters.
 *
 * text: any UTF-8.
 * quoted: receives the JSON string, to be freed with mcp_string_free(). Written only when MCP_OK is returned.
 *
 * Any thread. Returns MCP_OK or MCP_INVALID_ARGUMENT.
 */
mcp_status_t mcp_json_quote(const char *text, char **quoted);

/**
 * Hands over where the browser came back to, after a message of kind MCP_KIND_AUTH with "kind":"authorize" had the application
 * open a URL. Only needed when that message says "listens":false; else the library gets the answer itself.
 *
 * callback_url: the whole URL, or what follows its '?', exactly as the browser was sent there; with its errors too.
 * error_json: receives the error object on failure; may be NULL.
 *
 * Any thread; never waits: the calls that wait for the login go on by themselves. Returns MCP_OK, MCP_AUTH (not for the login
 * under way, or a check failed: see the error), MCP_UNSUPPORTED (no "auth" in the config), MCP_INVALID_ARGUMENT, MCP_FORKED.
 * Example: mcp_auth_complete(client, "http://127.0.0.1:8976/callback?code=x&state=y", NULL);
 * https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization
 */
mcp_status_t mcp_auth_complete(mcp_client_t *client,
                               const char *callback_url,
                               char **error_json);

/**
 * Gives the credential that a message of kind MCP_KIND_AUTH asked for: "kind":"token" wants a token for the server,
 * "assertion" a signed statement about the workload, "subject" what shows at the identity provider who the person is.
 *
 * credential: visible ASCII, at most 16 KiB; white space around it does not matter. It is never logged.
 * lasts_ms: how long it is good, in milliseconds; negative if that is not known.
 * error_json: receives the error object on failure; may be NULL.
 *
 * Any thread; never waits. Returns MCP_OK, MCP_AUTH (nothing was asked for), MCP_UNSUPPORTED (no "auth" in the config),
 * MCP_INVALID_ARGUMENT, MCP_FORKED.
 */
mcp_status_t mcp_auth_give(mcp_client_t *client,
                           const char *credential,
                           int32_t lasts_ms,
                           char **error_json);

/**
 * Says that the login under way will not be finished, because the person closed the window or the application has nothing to
 * give. Calls that wait for it end with MCP_AUTH.
 *
 * reason: for the error; may be NULL.
 * error_json: receives the error object on failure; may be NULL.
 *
 * Any thread; never waits. Returns MCP_OK, also when no login is under way; MCP_UNSUPPORTED (no "auth" in the config),
 * MCP_INVALID_ARGUMENT, MCP_FORKED.
 */
mcp_status_t mcp_auth_give_up(mcp_client_t *client,
                              const char *reason,
                              char **error_json);

/**
 * Answers a message of kind MCP_KIND_AUTH that wants something for itself:
 *   "kind":"load"   what the application keeps under "key"; with "lock":true nobody else may change it until the answer to the
 *                   next "save" or a message "unlock" for this key, which wants no answer
 *   "kind":"save"   to keep "text" under "key" in place of what is there, whole or not at all
 *   "kind":"sign"   the signature of "input", in Base64url without padding: for "algorithm":"ES256" 64 bytes (r and s), for
 *                   "RS256" as many as the key has. With "purpose":"assertion" a whole signed token about "client_id", for
 *                   "audience", may be given instead
 * The first two come with "auth":{"store":"application"} in the config, the last with "auth":{"dpop_key":...} ("purpose":
 * "proof") or "auth":{"signer":"application"} ("purpose":"assertion"). A message of these kinds that is freed without an answer
 * counts as a failure.
 *
 * message: the message; it stays the caller's, to be freed with mcp_message_free().
 * answer: what is kept, or the signature; NULL if nothing is kept, and after a save. It is never logged.
 * failure: why there is no answer, for the error; NULL if all went well.
 * error_json: receives the error object on failure; may be NULL.
 *
 * Any thread; never waits. Returns MCP_OK, MCP_AUTH (nobody waits for this answer any more), MCP_UNSUPPORTED (no "auth" in the
 * config), MCP_INVALID_ARGUMENT, MCP_FORKED.
 * Example: mcp_auth_answer(client, message, kept_text_or_NULL, NULL, NULL);
 */
mcp_status_t mcp_auth_answer(mcp_client_t *client,
                             const mcp_message_t *message,
                             const char *answer,
                             const char *failure,
                             char **error_json);

/**
 * Logs out: forgets the logins that are kept for this server, wherever they are kept, and has each authorization server revoke
 * what it gave (RFC 7009) if it can. A login under way is given up; a token that is on its way is waited for and revoked. The
 * next request that needs a login asks for a new one. Every result that the client keeps ("cache" in its config) is dropped.
 *
 * timeout_ms: how long to wait for the end, in milliseconds; negative for as long as it takes, which is bounded by twice
 *   "auth":{"limit_ms":...} in the config. After that it goes on without the caller.
 * error_json: receives the error object on failure; may be NULL.
 *
 * Any thread. With a store of the application's another one must take the messages meanwhile. Returns MCP_OK; MCP_AUTH (it is
 * not forgotten everywhere: the error says where it still is); MCP_TIMEOUT; MCP_UNSUPPORTED (no "auth" in the config),
 * MCP_INVALID_ARGUMENT, MCP_FORKED.
 * Example: mcp_auth_forget(client, -1, NULL);
 */
mcp_status_t mcp_auth_forget(mcp_client_t *client,
                             int32_t timeout_ms,
                             char **error_json);

/**
 * Calls a method of the server and waits for the one outcome.
 *
 * method: such as "tools/call".
 * params_json: the parameters, a JSON object; NULL for none. Passed on as it is.
 * options_json: a JSON object; NULL for none: "timeout_ms", "max_total_ms", "reset_on_progress", "progress" (deliver
 *   MCP_KIND_PROGRESS messages), "meta" (members for the request's _meta), "traceparent", "tracestate", "baggage",
 *   "retry" ("never" or "safe"), "when_unavailable" ("fail" or "wait"), "log_level" (2026-07-28).
 * reply: receives a message of kind MCP_KIND_REPLY whose JSON is the result or, on failure, the error object; to be freed
 *   with mcp_message_free(). Always set, to NULL where no message could be made (MCP_FORKED, MCP_INTERNAL). May be NULL.
 *
 * Any thread, also many at once on one client; the thread does the connection's reading while it waits. Starts the
 * connection if need be. Returns MCP_OK or the error's status: MCP_TIMEOUT, MCP_CANCELLED, MCP_UNAVAILABLE,
 * MCP_TRANSPORT, MCP_PROTOCOL, MCP_SERVER, MCP_AUTH, MCP_UNSUPPORTED, MCP_BACKPRESSURE, MCP_TOO_LARGE, MCP_CLOSED,
 * MCP_INVALID_ARGUMENT, MCP_FORKED, MCP_INTERNAL. A tool that failed is MCP_OK with "isError":true in the result.
 *
 * While a call blocks, requests of the server (sampling, elicitation) and what a login wants (MCP_KIND_AUTH) arrive on the
 * queue and wait there: another thread has to take and answer them, or the call is started with mcp_call_start(). Only its timeout or mcp_client_close() ends
 * it early.
 *
 *     mcp_message_t *reply = NULL;
 *     if (mcp_call(client, "tools/call", "{\"name\":\"echo\",\"arguments\":{\"text\":\"hi\"}}", NULL, &reply) == MCP_OK) {
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
 * Starts a call and returns at once. The outcome arrives on the queue as a message of kind MCP_KIND_REPLY.
 *
 * method, params_json, options_json: as for mcp_call().
 * tag: comes back with the reply and with progress messages; for example a pointer cast to uint64_t.
 * call_id: receives the call's number, for mcp_call_cancel(); may be NULL. Written only on success.
 * error_json: receives the error object on failure; may be NULL.
 *
 * Any thread; never waits. The request is written at once, but with more than two calls under way it may be held back, to
 * be written together with others when mcp_poll() would wait, or some milliseconds later at the latest; not on a shared
 * queue, and not once mcp_client_fd() was used. Returns MCP_OK, and then exactly one reply follows; or MCP_INVALID_ARGUMENT,
 * MCP_UNAVAILABLE, MCP_BACKPRESSURE (too many calls under way or replies not polled), MCP_CLOSED, MCP_FORKED, and then
 * none does.
 */
mcp_status_t mcp_call_start(mcp_client_t *client,
                            const char *method,
                            const char *params_json,
                            const char *options_json,
                            uint64_t tag,
                            uint64_t *call_id,
                            char **error_json);

/**
 * Ends a call whose result is no longer wanted: its outcome is MCP_CANCELLED, unless it has one already, and the server is
 * told. Idempotent.
 *
 * call_id: from mcp_call_start().
 * reason: for the server's log; may be NULL.
 *
 * Any thread; never waits. Returns MCP_OK, MCP_EMPTY when no such call is under way (any more), MCP_INVALID_ARGUMENT,
 * MCP_FORKED.
 */
mcp_status_t mcp_call_cancel(mcp_client_t *client,
                             uint64_t call_id,
                             const char *reason);

/**
 * Sends a notification. Needs a connection that is ready.
 *
 * method: such as "notifications/roots/list_changed"; not "notifications/cancelled" or "notifications/initialized", which
 *   are the library's.
 * params_json: the parameters, a JSON object; NULL for none.
 * error_json: receives the error object on failure; may be NULL.
 *
 * Any thread; never waits. Returns MCP_OK, MCP_UNAVAILABLE, MCP_BACKPRESSURE (the server does not read), MCP_CLOSED,
 * MCP_INVALID_ARGUMENT, MCP_FORKED.
 */
mcp_status_t mcp_notify(mcp_client_t *client,
                        const char *method,
                        const char *params_json,
                        char **error_json);

/**
 * Answers a request of the server with a result. A request whose message is freed without an answer is refused by the
 * library. In the 2026-07-28 revision the server asks inside the answer to a call; the application sees the same message,
 * and refusing it ends that call as MCP_CANCELLED.
 *
 * request: a message of kind MCP_KIND_REQUEST of this client. It still has to be freed.
 * result_json: the result, a JSON object.
 * error_json: receives the error object on failure; may be NULL.
 *
 * Any thread; never waits. Returns MCP_OK; MCP_INVALID_ARGUMENT also for a request that was answered before;
 * MCP_CANCELLED when the server withdrew it; MCP_TRANSPORT when its connection has ended; MCP_CLOSED; MCP_FORKED.
 */
mcp_status_t mcp_respond(mcp_client_t *client,
                         const mcp_message_t *request,
                         const char *result_json,
                         char **error_json);

/**
 * Refuses a request of the server.
 *
 * request: as for mcp_respond().
 * code: the JSON-RPC error code, such as -1 for "the user refused".
 * text: the error message.
 * data_json: JSON of any kind; NULL for none.
 * error_json: receives the error object on failure; may be NULL.
 *
 * Returns as mcp_respond() does.
 */
mcp_status_t mcp_respond_error(mcp_client_t *client,
                               const mcp_message_t *request,
                               int32_t code,
                               const char *text,
                               const char *data_json,
                               char **error_json);

/**
 * Answers an elicitation request (MCP_TOPIC_ELICITATION) with what the person entered, or, where it asks to visit a page
 * ("mode":"url"), with the consent to do so. What is left out of a form is filled in with its defaults, and the whole is
 * checked against the form's schema ("requestedSchema"), formats included, before it is sent.
 *
 * request: a message of kind MCP_KIND_REQUEST of this client. It still has to be freed.
 * content_json: the form's content, a JSON object; NULL for the defaults alone, and for a page.
 * error_json: receives the error object on failure; may be NULL.
 *
 * Any thread; never waits. Returns as mcp_respond() does; MCP_INVALID_ARGUMENT also for content that the form does
 * not allow; the request still waits for an answer then.
 *
 * The library never opens or fetches a page. Show the person the whole URL and who asks, and open it only on consent.
 */
mcp_status_t mcp_elicitation_accept(mcp_client_t *client,
                                    const mcp_message_t *request,
                                    const char *content_json,
                                    char **error_json);

/**
 * Answers an elicitation request: the person does not want to. request, error_json and what is returned: as for
 * mcp_respond().
 */
mcp_status_t mcp_elicitation_decline(mcp_client_t *client,
                                     const mcp_message_t *request,
                                     char **error_json);

/**
 * Answers an elicitation request: the person closed it without a choice. request, error_json and what is returned: as
 * for mcp_respond().
 */
mcp_status_t mcp_elicitation_cancel(mcp_client_t *client,
                                    const mcp_message_t *request,
                                    char **error_json);

/**
 * Lists the server's tools: all pages of the list as one result, {"tools":[...]}, each entry as the server wrote it.
 *
 * options_json: as for mcp_call(), and "cursor" (read the one page at this cursor), "one_page" (read the first page only;
 *   "nextCursor" in the result names the next); NULL for none.
 * reply: as for mcp_call().
 *
 * Any thread; waits as mcp_call() does, each page for its own time, all of them within the call's total. Returns as
 * mcp_call() does, and MCP_UNSUPPORTED when the server has no tools (nothing is sent then; see the config key
 * "capability_checks"), MCP_TOO_LARGE when the list is longer than "limits" allow, MCP_PROTOCOL when a cursor repeats.
 */
mcp_status_t mcp_tools_list(mcp_client_t *client,
                            const char *options_json,
                            mcp_message_t **reply);

/**
 * mcp_tools_list() as a started call: the outcome arrives on the queue. tag, call_id, error_json and what is returned: as for
 * mcp_call_start(), and MCP_UNSUPPORTED.
 */
mcp_status_t mcp_tools_list_start(mcp_client_t *client,
                                  const char *options_json,
                                  uint64_t tag,
                                  uint64_t *call_id,
                                  char **error_json);

/**
 * Lists the server's resources, {"resources":[...]}. Parameters and statuses as for mcp_tools_list().
 */
mcp_status_t mcp_resources_list(mcp_client_t *client, const char *options_json, mcp_message_t **reply);

/**
 * mcp_resources_list() as a started call: the outcome arrives on the queue. tag, call_id, error_json and what is returned: as for
 * mcp_call_start(), and MCP_UNSUPPORTED.
 */
mcp_status_t mcp_resources_list_start(mcp_client_t *client,
                                      const char *options_json,
                                      uint64_t tag,
                                      uint64_t *call_id,
                                      char **error_json);

/**
 * Lists the server's resource templates, {"resourceTemplates":[...]}. Parameters and statuses as for mcp_tools_list().
 */
mcp_status_t mcp_resource_templates_list(mcp_client_t *client,
                                         const char *options_json,
                                         mcp_message_t **reply);

/**
 * mcp_resource_templates_list() as a started call: the outcome arrives on the queue. tag, call_id, error_json and what is returned: as for
 * mcp_call_start(), and MCP_UNSUPPORTED.
 */
mcp_status_t mcp_resource_templates_list_start(mcp_client_t *client,
                                               const char *options_json,
                                               uint64_t tag,
                                               uint64_t *call_id,
                                               char **error_json);

/**
 * Lists the server's prompts, {"prompts":[...]}. Parameters and statuses as for mcp_tools_list().
 */
mcp_status_t mcp_prompts_list(mcp_client_t *client, const char *options_json, mcp_message_t **reply);

/**
 * mcp_prompts_list() as a started call: the outcome arrives on the queue. tag, call_id, error_json and what is returned: as for
 * mcp_call_start(), and MCP_UNSUPPORTED.
 */
mcp_status_t mcp_prompts_list_start(mcp_client_t *client,
                                    const char *options_json,
                                    uint64_t tag,
                                    uint64_t *call_id,
                                    char **error_json);

/**
 * Calls a tool.
 *
 * name: the tool, as the list names it.
 * arguments_json: its arguments, a JSON object; NULL for none.
 * options_json: as for mcp_call(), and "task" (true: as a task, false: not as one; absent: as the tool says), "task_ttl_ms" (how
 *   long the server is asked to keep the task); NULL for none.
 * reply: as for mcp_call(). The result is the server's, unchanged: "content", "structuredContent", "isError".
 *
 * With the config key "tasks" the call may become a task: it still has this one outcome. What the server says of the task
 * comes to the queue, as MCP_KIND_NOTIFICATION of topic MCP_TOPIC_TASK with the call's id and tag, and what it asks as
 * MCP_KIND_REQUEST. Cancelling the call cancels the task; mcp_tasks_result() takes up a task whose call has ended.
 *
 * Any thread; waits as mcp_call() does. Returns as mcp_call() does, and MCP_UNSUPPORTED when the server has no tools, or the
 * tool is not called that way; for a task also MCP_CANCELLED when it was cancelled on the server, and MCP_BACKPRESSURE over
 * "limits.tasks". A tool that failed is MCP_OK with "isError":true in the result.
 *
 *     mcp_tools_call(client, "add", "{\"a\":1,\"b\":2}", NULL, &reply);
 */
mcp_status_t mcp_tools_call(mcp_client_t *client,
                            const char *name,
                            const char *arguments_json,
                            const char *options_json,
                            mcp_message_t **reply);

/**
 * mcp_tools_call() as a started call: the outcome arrives on the queue. tag, call_id, error_json and what is returned: as for
 * mcp_call_start(), and MCP_UNSUPPORTED.
 */
mcp_status_t mcp_tools_call_start(mcp_client_t *client,
                                  const char *name,
                                  const char *arguments_json,
                                  const char *options_json,
                                  uint64_t tag,
                                  uint64_t *call_id,
                                  char **error_json);

/**
 * Reads a resource: {"contents":[...]} with "text" or "blob" (Base64) in each.
 *
 * uri: the resource, sent as it is.
 * options_json, reply: as for mcp_call().
 *
 * Any thread; waits as mcp_call() does. Returns as mcp_call() does, and MCP_UNSUPPORTED when the server has no resources. A
 * resource that does not exist is MCP_SERVER with code -32602 (2026-07-28) or -32002 (before).
 */
mcp_status_t mcp_resources_read(mcp_client_t *client,
                                const char *uri,
                                const char *options_json,
                                mcp_message_t **reply);

/**
 * mcp_resources_read() as a started call: the outcome arrives on the queue. tag, call_id, error_json and what is returned: as for
 * mcp_call_start(), and MCP_UNSUPPORTED.
 */
mcp_status_t mcp_resources_read_start(mcp_client_t *client,
                                      const char *uri,
                                      const char *options_json,
                                      uint64_t tag,
                                      uint64_t *call_id,
                                      char **error_json);

/**
 * Asks to be told when a resource changes: MCP_TOPIC_RESOURCE_UPDATED arrives on the queue then, whatever the revision.
 * The subscription outlives a reconnection.
 *
 * uri: the resource, sent as it is.
 * options_json, reply: as for mcp_call(). The result is {}.
 *
 * Any thread; waits as mcp_call() does. Returns as mcp_call() does, and MCP_UNSUPPORTED when the server has no
 * subscriptions, or does not take this one.
 */
mcp_status_t mcp_resources_subscribe(mcp_client_t *client,
                                     const char *uri,
                                     const char *options_json,
                                     mcp_message_t **reply);

/**
 * mcp_resources_subscribe() as a started call: the outcome arrives on the queue. tag, call_id, error_json and what is returned: as for
 * mcp_call_start(), and MCP_UNSUPPORTED.
 */
mcp_status_t mcp_resources_subscribe_start(mcp_client_t *client,
                                           const char *uri,
                                           const char *options_json,
                                           uint64_t tag,
                                           uint64_t *call_id,
                                           char **error_json);

/**
 * Ends what mcp_resources_subscribe() began. Parameters and statuses as there.
 */
mcp_status_t mcp_resources_unsubscribe(mcp_client_t *client,
                                       const char *uri,
                                       const char *options_json,
                                       mcp_message_t **reply);

/**
 * mcp_resources_unsubscribe() as a started call: the outcome arrives on the queue. tag, call_id, error_json and what is returned: as for
 * mcp_call_start(), and MCP_UNSUPPORTED.
 */
mcp_status_t mcp_resources_unsubscribe_start(mcp_client_t *client,
                                             const char *uri,
                                             const char *options_json,
                                             uint64_t tag,
                                             uint64_t *call_id,
                                             char **error_json);

/**
 * Gets a prompt, filled in: {"messages":[...]}.
 *
 * name: the prompt, as the list names it.
 * arguments_json: its arguments, a JSON object whose values are strings; NULL for none.
 * options_json, reply: as for mcp_call().
 *
 * Any thread; waits as mcp_call() does. Returns as mcp_call() does, and MCP_UNSUPPORTED when the server has no prompts.
 */
mcp_status_t mcp_prompts_get(mcp_client_t *client,
                             const char *name,
                             const char *arguments_json,
                             const char *options_json,
                             mcp_message_t **reply);

/**
 * mcp_prompts_get() as a started call: the outcome arrives on the queue. tag, call_id, error_json and what is returned: as for
 * mcp_call_start(), and MCP_UNSUPPORTED.
 */
mcp_status_t mcp_prompts_get_start(mcp_client_t *client,
                                   const char *name,
                                   const char *arguments_json,
                                   const char *options_json,
                                   uint64_t tag,
                                   uint64_t *call_id,
                                   char **error_json);

/**
 * Asks for values of an argument that begin as typed: {"completion":{"values":[...],"total","hasMore"}}.
 *
 * ref_json: what has the argument: {"type":"ref/prompt","name":"..."} or {"type":"ref/resource","uri":"..."} with a template.
 * argument: the argument's name.
 * value: what was typed so far; may be empty.
 * settled_json: arguments that are settled already, a JSON object whose values are strings; NULL for none.
 * options_json, reply: as for mcp_call().
 *
 * Any thread; waits as mcp_call() does. Returns as mcp_call() does, and MCP_UNSUPPORTED when the server has no completion.
 */
mcp_status_t mcp_complete(mcp_client_t *client,
                          const char *ref_json,
                          const char *argument,
                          const char *value,
                          const char *settled_json,
                          const char *options_json,
                          mcp_message_t **reply);

/**
 * mcp_complete() as a started call: the outcome arrives on the queue. tag, call_id, error_json and what is returned: as for
 * mcp_call_start(), and MCP_UNSUPPORTED.
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
 * Sets the least level of the server's log messages (MCP_TOPIC_LOG): a request up to 2025-11-25, a member of each further
 * request's metadata in 2026-07-28, where a server is silent until then. It outlives a reconnection.
 *
 * level: "debug", "info", "notice", "warning", "error", "critical", "alert" or "emergency".
 * options_json, reply: as for mcp_call(). The result is {}.
 *
 * Any thread; waits as mcp_call() does. Returns as mcp_call() does, and MCP_UNSUPPORTED when the server logs nothing.
 */
mcp_status_t mcp_set_log_level(mcp_client_t *client,
                               const char *level,
                               const char *options_json,
                               mcp_message_t **reply);

/**
 * mcp_set_log_level() as a started call: the outcome arrives on the queue. tag, call_id, error_json and what is returned: as for
 * mcp_call_start(), and MCP_UNSUPPORTED.
 */
mcp_status_t mcp_set_log_level_start(mcp_client_t *client,
                                     const char *level,
                                     const char *options_json,
                                     uint64_t tag,
                                     uint64_t *call_id,
                                     char **error_json);

/**
 * Asks whether the server answers: "ping" up to 2025-11-25, "server/discover" in 2026-07-28.
 *
 * options_json, reply: as for mcp_call().
 *
 * Any thread; waits as mcp_call() does. Returns as mcp_call() does.
 */
mcp_status_t mcp_ping(mcp_client_t *client, const char *options_json, mcp_message_t **reply);

/**
 * mcp_ping() as a started call: the outcome arrives on the queue. tag, call_id, error_json and what is returned: as for
 * mcp_call_start(), and MCP_UNSUPPORTED.
 */
mcp_status_t mcp_ping_start(mcp_client_t *client,
                            const char *options_json,
                            uint64_t tag,
                            uint64_t *call_id,
                            char **error_json);

/**
 * Sets the roots that servers are told when they ask, and tells those that can be told (up to 2025-11-25) that they
 * changed.
 *
 * roots_json: a JSON array of file:// URIs, or of objects with such a "uri".
 * error_json: receives the error object on failure; may be NULL.
 *
 * Any thread; never waits. Returns MCP_OK; MCP_UNSUPPORTED when the client has not declared roots (give "roots" in its
 * config); MCP_INVALID_ARGUMENT; MCP_FORKED.
 */
mcp_status_t mcp_set_roots(mcp_client_t *client,
                           const char *roots_json,
                           char **error_json);

/**
 * Drops every result that the client keeps ("cache" in its config); what is under way is not kept either.
 *
 * Any thread; never waits. Returns MCP_OK, MCP_INVALID_ARGUMENT, MCP_FORKED.
 */
mcp_status_t mcp_cache_clear(mcp_client_t *client);

/**
 * Lists the server's skills (extension io.modelcontextprotocol/skills), {"skills":[...]}: an entry for each, with its "uri",
 * "frontmatter" and "resources". No file is read. A server need not list all that it has: see mcp_skill_get().
 *
 * Parameters and statuses as for mcp_tools_list(); MCP_UNSUPPORTED when the server does not declare the extension.
 */
mcp_status_t mcp_skills_list(mcp_client_t *client,
                             const char *options_json,
                             mcp_message_t **reply);

/**
 * mcp_skills_list() as a started call: the outcome arrives on the queue. tag, call_id, error_json and what is returned: as for
 * mcp_call_start(), and MCP_UNSUPPORTED.
 */
mcp_status_t mcp_skills_list_start(mcp_client_t *client,
                                   const char *options_json,
                                   uint64_t tag,
                                   uint64_t *call_id,
                                   char **error_json);

/**
 * Gets the entry of one skill, {"skill":{...}}, listed or not. No file is read. This is also how an entry is renewed after a
 * file has changed; what a person agreed to was the entry before.
 *
 * uri: the URI of the skill's SKILL.md, sent as it is.
 * options_json, reply: as for mcp_call().
 *
 * Any thread; waits as mcp_call() does. Returns as mcp_call() does, and MCP_UNSUPPORTED when the server does not declare the
 * extension. A skill that the server does not have is MCP_SERVER with code -32602.
 */
mcp_status_t mcp_skill_get(mcp_client_t *client,
                           const char *uri,
                           const char *options_json,
                           mcp_message_t **reply);

/**
 * mcp_skill_get() as a started call: the outcome arrives on the queue. tag, call_id, error_json and what is returned: as for
 * mcp_call_start(), and MCP_UNSUPPORTED.
 */
mcp_status_t mcp_skill_get_start(mcp_client_t *client,
                                 const char *uri,
                                 const char *options_json,
                                 uint64_t tag,
                                 uint64_t *call_id,
                                 char **error_json);

/**
 * Loads a skill: reads its SKILL.md and gives it, {"contents":[{...}]}, if its size, its digest and every field of its front
 * matter are as the entry says. mcp_message_text() has the text. No other file is read.
 *
 * entry_json: the skill's entry: an element of what mcp_skills_list() gave, or what mcp_skill_get() gave. Hold it while the
 *   skill is in use; mcp_skill_read() takes the same.
 * options_json: as for mcp_call(), and "allow_dynamic" (true: also a skill whose "resources" are "dynamic"; then only the
 *   front matter and "limits.skill_bytes" are looked at); NULL for none.
 * reply: as for mcp_call(). On failure it has nothing of the file.
 *
 * Any thread; waits as mcp_call() does. Returns as mcp_call() does, and:
 * MCP_PROTOCOL when the file is not what the entry says: "check" in the error's details is "size", "digest", "frontmatter" or
 *   "content" (the result is not one file).
 * MCP_INVALID_ARGUMENT when the entry breaks a rule of the extension ("check" is "entry"), MCP_TOO_LARGE when the skill is
 *   beyond "limits.skill_files" or "limits.skill_bytes", MCP_UNSUPPORTED when it is dynamic, or the library was built without
 *   the feature "skills". Nothing is sent then.
 *
 * A digest shows that file and entry belong together, not that the server means well: docs/skills.md says what is left to
 * the host.
 *
 *     mcp_skill_get(client, "skill://pdf/SKILL.md", NULL, &entry);
 *     mcp_skill_load(client, mcp_message_json(entry, NULL), NULL, &skill);
 */
mcp_status_t mcp_skill_load(mcp_client_t *client,
                            const char *entry_json,
                            const char *options_json,
                            mcp_message_t **reply);

/**
 * mcp_skill_load() as a started call: the outcome arrives on the queue, checked. tag, call_id, error_json and what is returned:
 * as for mcp_call_start(), and what mcp_skill_load() returns when nothing is sent.
 */
mcp_status_t mcp_skill_load_start(mcp_client_t *client,
                                  const char *entry_json,
                                  const char *options_json,
                                  uint64_t tag,
                                  uint64_t *call_id,
                                  char **error_json);

/**
 * Reads a file of a skill and gives it, {"contents":[{...}]} with "text" or "blob" (Base64), if its size and digest are as the
 * entry says; of the SKILL.md its front matter too.
 *
 * entry_json, options_json, reply: as for mcp_skill_load(). The entry must be the one that the skill was loaded with.
 * path: the file's path in the skill's folder, such as "references/FORMS.md" ('.' and '..' are resolved), or its URI.
 *
 * Any thread; waits as mcp_call() does. Returns as mcp_skill_load() does, and MCP_INVALID_ARGUMENT when the path leads out of
 * the skill or to a file that the entry does not list ("check" is "listed"); nothing is sent then.
 */
mcp_status_t mcp_skill_read(mcp_client_t *client,
                            const char *entry_json,
                            const char *path,
                            const char *options_json,
                            mcp_message_t **reply);

/**
 * mcp_skill_read() as a started call: the outcome arrives on the queue, checked. tag, call_id, error_json and what is returned:
 * as for mcp_call_start(), and what mcp_skill_read() returns when nothing is sent.
 */
mcp_status_t mcp_skill_read_start(mcp_client_t *client,
                                  const char *entry_json,
                                  const char *path,
                                  const char *options_json,
                                  uint64_t tag,
                                  uint64_t *call_id,
                                  char **error_json);

/**
 * Lists the tasks that the server keeps, {"tasks":[...]}. Parameters and statuses as for mcp_tools_list().
 *
 * MCP_UNSUPPORTED unless the config has "tasks", and on servers that have no such list: only 2025-11-25 knows one.
 */
mcp_status_t mcp_tasks_list(mcp_client_t *client,
                            const char *options_json,
                            mcp_message_t **reply);

/**
 * mcp_tasks_list() as a started call: the outcome arrives on the queue. tag, call_id, error_json and what is returned: as for
 * mcp_call_start(), and MCP_UNSUPPORTED.
 */
mcp_status_t mcp_tasks_list_start(mcp_client_t *client,
                                  const char *options_json,
                                  uint64_t tag,
                                  uint64_t *call_id,
                                  char **error_json);

/**
 * Gets a task as it is at the moment: {"taskId":...,"status":...}, as the server wrote it.
 *
 * task_id: the "taskId" of the state that came with topic MCP_TOPIC_TASK, or of the "details" of an error ("task").
 * options_json, reply: as for mcp_call().
 *
 * Any thread; waits as mcp_call() does. Returns as mcp_call() does, and MCP_UNSUPPORTED unless the config has "tasks" and
 * the server has tasks. A task that the server does not know, or keeps no longer, is MCP_SERVER with code -32602.
 */
mcp_status_t mcp_tasks_get(mcp_client_t *client,
                           const char *task_id,
                           const char *options_json,
                           mcp_message_t **reply);

/**
 * mcp_tasks_get() as a started call: the outcome arrives on the queue. tag, call_id, error_json and what is returned: as for
 * mcp_call_start(), and MCP_UNSUPPORTED.
 */
mcp_status_t mcp_tasks_get_start(mcp_client_t *client,
                                 const char *task_id,
                                 const char *options_json,
                                 uint64_t tag,
                                 uint64_t *call_id,
                                 char **error_json);

/**
 * Waits for what a task comes to, and gives it as the call would have that became the task: also in another process than the
 * one that made the call, and on every revision that has tasks. News of the task and requests of its server come to the
 * queue meanwhile, as they do for mcp_tools_call().
 *
 * task_id: as for mcp_tasks_get().
 * options_json, reply: as for mcp_call(). "timeout_ms" is for each request about the task; all of it may take
 *   "max_total_ms", or "tasks.life_ms" of the config.
 *
 * Any thread; waits as mcp_call() does. Returns as mcp_tools_call() does: MCP_CANCELLED when the task was cancelled. A call
 * that is cancelled or runs out of time leaves the task alone; mcp_tasks_cancel() ends it.
 */
mcp_status_t mcp_tasks_result(mcp_client_t *client,
                              const char *task_id,
                              const char *options_json,
                              mcp_message_t **reply);

/**
 * mcp_tasks_result() as a started call: the outcome arrives on the queue. tag, call_id, error_json and what is returned: as
 * for mcp_call_start(), and MCP_UNSUPPORTED.
 */
mcp_status_t mcp_tasks_result_start(mcp_client_t *client,
                                    const char *task_id,
                                    const char *options_json,
                                    uint64_t tag,
                                    uint64_t *call_id,
                                    char **error_json);

/**
 * Tells the server that a task is no longer wanted. A call of this client that is the task is better ended by
 * mcp_call_cancel(), which does this too. The server decides what becomes of the task (2026-07-28: it may go on).
 *
 * task_id: as for mcp_tasks_get().
 * options_json, reply: as for mcp_call(). The result is the server's: the task (2025-11-25), or nothing that matters.
 *
 * Any thread; waits as mcp_call() does. Returns as mcp_tasks_get() does; for a task that is over already, MCP_SERVER with
 * code -32602 (2025-11-25).
 */
mcp_status_t mcp_tasks_cancel(mcp_client_t *client,
                              const char *task_id,
                              const char *options_json,
                              mcp_message_t **reply);

/**
 * mcp_tasks_cancel() as a started call: the outcome arrives on the queue. tag, call_id, error_json and what is returned: as
 * for mcp_call_start(), and MCP_UNSUPPORTED.
 */
mcp_status_t mcp_tasks_cancel_start(mcp_client_t *client,
                                    const char *task_id,
                                    const char *options_json,
                                    uint64_t tag,
                                    uint64_t *call_id,
                                    char **error_json);

/**
 * What the message is: MCP_KIND_*; a negative status if it is none.
 */
mcp_kind_t mcp_message_kind(const mcp_message_t *message);

/**
 * The outcome that a reply carries; MCP_OK for messages of other kinds; MCP_INVALID_ARGUMENT if it is no message.
 */
mcp_status_t mcp_message_status(const mcp_message_t *message);

/**
 * The client that the message belongs to, borrowed; NULL for MCP_KIND_LOST and for the refusal of a call on a handle that is
 * none. It may have been freed in the meantime, which
 * every function finds out. The pointer is the one that mcp_client_new() gave, so it can be compared.
 */
mcp_client_t *mcp_message_client(const mcp_message_t *message);

/**
 * The call that a reply, progress or the state of a task belongs to; 0 for none.
 */
uint64_t mcp_message_call_id(const mcp_message_t *message);

/**
 * The tag that the application gave the call that a reply, progress or the state of a task belongs to; 0 for none.
 */
uint64_t mcp_message_tag(const mcp_message_t *message);

/**
 * The method of a notification, request or progress, or the operation that failed; NULL where there is none. Borrowed.
 */
const char *mcp_message_method(const mcp_message_t *message);

/**
 * What a notification, request or progress is about: MCP_TOPIC_*, to switch on. MCP_TOPIC_NONE for messages of other kinds,
 * MCP_TOPIC_UNKNOWN for a method that this library does not know; a negative status if it is no message.
 *
 *     switch (mcp_message_topic(message)) {
 *     case MCP_TOPIC_TOOLS_CHANGED: reload_tools(); break;
 *     case MCP_TOPIC_RESOURCE_UPDATED: reload(mcp_message_json(message, NULL)); break;
 *     default: break;
 *     }
 */
mcp_topic_t mcp_message_topic(const mcp_message_t *message);

/**
 * The message's JSON: the result of a reply that succeeded, the error object of one that failed, the parameters of a
 * notification, request or progress ("{}" if it had none), or an object that the kind defines: MCP_KIND_STATE
 * {"state","previous","reason","next_attempt_in_ms"}, MCP_KIND_LOG {"source","line"}, MCP_KIND_LOST {"count"}, MCP_KIND_AUTH
 * {"kind",...} (docs/authorization.md).
 *
 * length: receives the length without the NUL; may be NULL.
 *
 * Borrowed, NUL-terminated UTF-8, as a rule in the buffer it was received in. NULL if it is no message.
 */
const char *mcp_message_json(const mcp_message_t *message,
                             size_t *length);

/**
 * The text of a tool's result, a resource or a prompt: all its text blocks, decoded, joined by line feeds.
 *
 * length: receives the length without the NUL (the text itself may hold NUL characters); may be NULL.
 *
 * Half of a surrogate pair ("\ud800" alone), which JSON allows and UTF-8 does not, comes as U+FFFD; mcp_message_json() has it
 * as the server wrote it.
 *
 * Borrowed, NUL-terminated UTF-8. NULL if there is no text, or the message is no reply that succeeded.
 */
const char *mcp_message_text(const mcp_message_t *message,
                             size_t *length);

/**
 * Frees a message. A request that was not answered is refused by the library.
 *
 * message: NULL is fine.
 *
 * Returns MCP_OK, or MCP_INVALID_ARGUMENT for what is no live message: one that was freed, or anything else. For a message
 * of the parent, in a child of fork(), it frees nothing and returns MCP_FORKED.
 */
mcp_status_t mcp_message_free(mcp_message_t *message);

/**
 * Expands a URI template (RFC 6570, all levels), such as a resource template's "uriTemplate".
 *
 * uri_template: the template.
 * variables_json: a JSON object: strings, numbers and booleans, or lists and objects of these. A variable that is missing
 *   or null expands to nothing.
 * uri: receives the URI, to be freed with mcp_string_free(). Written only on success.
 * error_json: receives the error object on failure; may be NULL.
 *
 * Any thread; needs no client. Returns MCP_OK or MCP_INVALID_ARGUMENT.
 */
mcp_status_t mcp_template_expand(const char *uri_template,
                                 const char *variables_json,
                                 char **uri,
                                 char **error_json);

/**
 * Takes the next message of any kind, waiting for one if need be.
 *
 * timeout_ms: the longest wait in milliseconds; 0 returns at once, -1 waits without a bound.
 * message: receives the message, to be freed with mcp_message_free(). Written only when MCP_OK is returned.
 *
 * Signals of the host never end mcp_poll: their handlers run, and the wait goes on. A program that wants to end its wait for a
 * signal has the client on a queue (mcp_client_new_on()), waits with mcp_queue_poll() and calls mcp_queue_wake() from the
 * handler. A client's own queue cannot be woken; its wait ends when another thread closes the client.
 *
 * Any thread, also several at once: each message goes to one of them. Returns MCP_OK; MCP_EMPTY when there was none in
 * time; MCP_CLOSED when the client is closed and everything was taken; MCP_INVALID_ARGUMENT, also for a client on a shared
 * queue (poll that); MCP_FORKED.
 */
mcp_status_t mcp_poll(mcp_client_t *client,
                      int32_t timeout_ms,
                      mcp_message_t **message);

/**
 * Takes the next notification of the server, waiting for one if need be. Messages of other kinds stay queued.
 *
 * Parameters and returns as for mcp_poll(), but MCP_CLOSED when the client is closed and no notification is left.
 * Not for use with mcp_client_fd(), which stays readable for the messages that are left.
 */
mcp_status_t mcp_poll_notification(mcp_client_t *client,
                                   int32_t timeout_ms,
                                   mcp_message_t **message);

/**
 * A descriptor that is readable while messages of this client wait: for epoll, kqueue, libuv, GLib and the like. It
 * belongs to the library: never read, write or close it. When it is readable, take messages with mcp_poll(client, 0, ...)
 * until that gives MCP_EMPTY.
 *
 * Any thread. Returns the descriptor (the same each time, until the client is freed), or a negative status:
 * MCP_INVALID_ARGUMENT, MCP_FORKED, MCP_INTERNAL when no descriptor is left. A client on a shared queue gives the queue's.
 */
int32_t mcp_client_fd(mcp_client_t *client);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* MCP_H */
