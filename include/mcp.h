/*
 * mcp.h - the C API of libmcp, for clients and servers of the Model Context Protocol.
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
 *   failure: there is nothing to return (MCP_EMPTY), or mcp_queue_wake(), mcp_client_wake() or
 *   mcp_server_wake() ended the wait (MCP_WOKEN); stores also use MCP_CONFLICT. A negative status
 *   is an error. The numbers never change. Later versions may add statuses, so treat every negative
 *   number as an error. mcp_status_name() returns the name of a status. Every function can return
 *   MCP_ERROR_INTERNAL.
 *
 * Error objects. Where the last parameter is `error_json`, a function that fails writes a JSON
 *   object there:
 *   {"status":"timeout","message":"...","operation":"tools/list","details":{...},"retryable":true}.
 *   An error that the server sent also has "code" and "data". Pass NULL if you do not need the
 *   object; the library keeps no "last error" per thread.
 *   - "message" is text for people: what was being done, what went wrong, and how to repair it
 *     where the library knows that. Others may have written parts of it; what a terminal would
 *     execute or not show is escaped, here, in the rest of the object and in log records.
 *     mcp_error_text() copies it into a buffer of yours.
 *   - "retryable" is true when another attempt may succeed and is not known to do harm. It is false
 *     when the time ran out or the connection was lost after the request was sent, unless the
 *     method only reads.
 *   - "details" has "sent" in the error of every call, also of a call that was cancelled or closed.
 *     It is true from the first byte of the request that may have left this process: the server may
 *     have executed the call. A request that is refused for its arguments is no call.
 *   - With MCP_ERROR_INVALID_ARGUMENT "details" has the "function" that was called and, where it is
 *     one argument that is wrong, the name of that parameter as "argument".
 *
 * Out-parameters. They come last and are always written: NULL, 0 or false unless the function
 *   succeeds. Two of them carry the failure itself: `error_json` (NULL where there is no error
 *   object) and the reply of mcp_call(), which holds the result or the error object. Only
 *   mcp_value_int64(), mcp_value_double() and mcp_value_bool() leave what is there, a default of
 *   the program, unless they succeed.
 *
 * Strings. A string that you pass is NUL-terminated UTF-8; the function copies it before it
 *   returns. A string that you receive is NUL-terminated UTF-8 too, except a view of a part of a
 *   text where the comment says so. Where it may be long or contain a NUL, a second parameter
 *   receives its length in bytes, without the terminating NUL.
 *
 * NULL. A pointer may be NULL only where the comment says so. Any other NULL, invalid UTF-8,
 *   invalid JSON, an unknown key or an option of the wrong type results in
 *   MCP_ERROR_INVALID_ARGUMENT, never in a crash. A function without a status then returns NULL, 0
 *   or a negative status.
 *
 * JSON. Structured values are JSON text. To read them, use mcp_value_t: mcp_message_value() for a
 *   message, mcp_document_new() for a text of the program. To write them, use mcp_builder_t. The
 *   functions mcp_json_...() are for a single value at a known place, because each call reads the
 *   whole text.
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
 *   a status such as MCP_ERROR_TIMEOUT, MCP_ERROR_CANCELLED, MCP_ERROR_TRANSPORT or
 *   MCP_ERROR_CLOSED. An answer that arrives later is dropped and counted; it is never delivered.
 *
 * Threads. Any thread may call any function, and several threads may use one handle at the same
 *   time. Only the ..._free functions need exclusive access: no other thread may be using the
 *   handle or be about to use it. `const` means that the call does not change what you can read.
 *   You may pass a message from one thread to another.
 *
 * Callbacks. These are the logger, the function of mcp_queue_on_ready() and the functions of
 *   mcp_transport_functions_t and mcp_store_functions_t. Each comes with a pointer `user` and a
 *   function `destroy`. The library calls `destroy` with `user` exactly once, after the last call
 *   of the callback, also when the function that takes them fails, but not at the end of the
 *   process. A callback may run on any thread. The library holds no lock during it. A callback must
 *   return soon. It must not unwind and must not leave by longjmp(). The threads of the library
 *   block every signal except those that report a fault (SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP,
 *   SIGSYS, SIGABRT). On Linux SIGTERM, SIGINT, SIGHUP or SIGQUIT ends a process of which only such
 *   threads are left.
 *
 * Your process. The library installs no signal handler, causes no SIGPIPE and does not reap your
 *   children. It does not write to your stdout or stderr. It does not change the environment, the
 *   working directory or the locale. Every descriptor is close-on-exec. After the last client and
 *   the last queue are freed, no thread, descriptor or child process of the library is left.
 *
 * fork(). A child process starts without clients, queues and logger. It may create its own; the
 *   library then starts new threads there. Handles created before the fork belong to the parent:
 *   functions return MCP_ERROR_FORKED for them, and freeing them does nothing. Messages and
 *   documents of the parent can be read but not freed. Memory and descriptors of the parent's
 *   clients stay in the child until it ends or calls exec(). A child that is forked inside a
 *   callback must not return from that callback.
 *
 * Panics. A fault inside the library does not unwind into your code. The function returns
 *   MCP_ERROR_INTERNAL, or NULL or 0 where it has no status. Nothing is printed.
 *
 * Memory. A peer decides how much memory a message needs, on every transport, compressed or not,
 *   and you decide the size of an argument. If the system refuses that memory, the call ends as
 *   MCP_ERROR_NO_MEMORY, and the client or server continues. Small allocations that the system
 *   refuses come from a reserve of the library, 2 MiB; once a quarter is used, functions that
 *   make or send something return MCP_ERROR_NO_MEMORY. The process ends by abort() only if the
 *   reserve is used up or, over HTTP, if the system refuses the few bytes that are registered once
 *   for each thread; a message on stderr then says so. Where memory is short, lower the "limits" of
 *   the configuration.
 *
 * Versions. MCP_ABI_VERSION describes this header; mcp_version() and mcp_abi_version() describe the
 *   loaded library. MCP_ABI_MATCHES() compares them: call it once when the program starts. Three
 *   structs have a public layout: mcp_transport_functions_t and mcp_store_functions_t, which state
 *   their own size and version, and mcp_value_t, whose layout never changes. Programs therefore
 *   work with later libraries of the same MCP_ABI_VERSION.
 */

/*
 * CONTENTS, in the order of this file; "mcp_queue_: new, free" are mcp_queue_new() and
 *   mcp_queue_free(), "call_tool[_start]" are call_tool and call_tool_start.
 *
 * Versions, names, strings, the logger
 *   mcp_version; mcp_abi_version; mcp_features; mcp_status_name; mcp_kind_name; mcp_topic_name;
 *     mcp_string_free; mcp_log_set_logger
 *
 * Clients
 *   mcp_client_: new, queue, set_user, user, connect[_start], state, state_name, info, close, free
 *
 * Configuration files
 *   mcp_config_: servers, load, open
 *
 * Calls and notifications
 *   mcp_call[_start]; mcp_call_: wait, cancel; mcp_client_notify
 *
 * Messages: waiting, reading, answering
 *   mcp_request_: respond, respond_error; mcp_client_: poll, wake, interrupt;
 *     mcp_poll_notification; mcp_client_: fd; mcp_message_: kind, status, client, server, call_id,
 *     tag, method, topic, json, text, is_tool_error, error, free
 *
 * Queues
 *   mcp_queue_: new, poll, wake, fd, on_ready, free
 *
 * Features of servers
 *   mcp_client_: list_tools, call_tool[_start], read_resource[_start], subscribe_resource,
 *     unsubscribe_resource, get_prompt[_start], complete, set_server_log_level, set_roots,
 *     clear_cache; mcp_request_respond_elicitation
 *
 * Tasks and skills
 *   mcp_client_: get_task, get_task_result, cancel_task, load_skill[_start],
 *     read_skill_file[_start]
 *
 * MCP Apps: views and their hosts
 *   mcp_app_: new, receive, tell, poll, policy, free
 *
 * Logins
 *   mcp_client_: complete_login, supply_credential, abort_login, answer_auth, logout
 *
 * Reading JSON
 *   mcp_message_value; mcp_value_: type, get, at, first, next, key, size, int64, double, bool,
 *     string, view, is, json; mcp_document_: new, value, free
 *
 * Writing JSON
 *   mcp_builder_: new, begin_object, begin_array, end, key, string, key_view, string_view, int64,
 *     double, bool, null, json, value, finish, free
 *
 * Single JSON values, URI templates
 *   mcp_json_: get; mcp_error_text; mcp_json_: quote; mcp_uri_template_expand
 *
 * Servers
 *   mcp_server_: new, serve, run, queue, wake, poll, fd, resource_updated, log, info, close, free,
 *     attach, notify, call_start
 *
 * What a server offers
 *   mcp_server_: add_tool, add_resource, add_text, add_blob, add_resource_template, add_folder,
 *     add_prompt, add_completion, add_method, remove, add_skills
 *
 * Requests of clients
 *   mcp_request_: respond_text, progress, log, cancelled, ask, state, set_state, start_task,
 *     close_stream, client_has, context
 *
 * Stores that the processes of a server share
 *   mcp_store_: new, free; mcp_server_set_store; mcp_store_: register, ready, lost, found, entry,
 *     done, event, missed
 *
 * Servers inside an HTTP server of the program
 *   mcp_server_: http, http_begin; mcp_exchange_: permit, write, head, header, read, free
 *
 * OpenTelemetry
 *   mcp_telemetry_: set, metrics
 *
 * Transports of the program, and clients in one process
 *   mcp_transport_: deliver, closed; mcp_client_: new_with_transport, new_in_process
 */

/**
 * What is before each function: it is in a shared library. A program for Windows that links the
 * static library defines MCP_STATIC before it includes this header.
 */
#if defined(MCP_API)
#elif defined(_WIN32) && !defined(MCP_STATIC)
#define MCP_API __declspec(dllimport)
#elif defined(__GNUC__) || defined(__clang__)
#define MCP_API __attribute__((visibility("default")))
#else
#define MCP_API
#endif

/**
 * What is before a function whose result says whether it gave an object: a compiler warns where the
 * result is not looked at. Define it as nothing to have no such warnings.
 */
#if defined(MCP_MUST_USE)
#elif defined(__GNUC__) || defined(__clang__)
#define MCP_MUST_USE __attribute__((warn_unused_result))
#else
#define MCP_MUST_USE
#endif

/**
 * True when the loaded library has the ABI of this header. Otherwise the program must not continue.
 *
 * Example:
 *
 *     if (!MCP_ABI_MATCHES()) return EXIT_FAILURE;
 */
#define MCP_ABI_MATCHES() (mcp_abi_version() == MCP_ABI_VERSION)

/**
 * True when this header is of that version or a later one, for the preprocessor. mcp_version()
 * returns the version of the loaded library.
 *
 * Example:
 *
 *     #if MCP_VERSION_AT_LEAST(0, 1, 0)
 */
#define MCP_VERSION_AT_LEAST(major, minor, patch)                                                  \
    (MCP_VERSION_MAJOR > (major) ||                                                                \
     (MCP_VERSION_MAJOR == (major) &&                                                              \
      (MCP_VERSION_MINOR > (minor) ||                                                              \
       (MCP_VERSION_MINOR == (minor) && MCP_VERSION_PATCH >= (patch)))))

/**
 * The version of the ABI that this header describes. mcp_abi_version() returns the version of the
 * loaded library.
 */
#define MCP_ABI_VERSION 1

/**
 * The first number of the version of the library that this header came with; see
 * MCP_VERSION_AT_LEAST().
 */
#define MCP_VERSION_MAJOR 0

/**
 * The second number of that version.
 */
#define MCP_VERSION_MINOR 1

/**
 * The third number of that version.
 */
#define MCP_VERSION_PATCH 0

/**
 * mcp_features(): servers over HTTP ("url").
 */
#define MCP_FEATURE_HTTP 1

/**
 * mcp_features(): logins ("auth").
 */
#define MCP_FEATURE_AUTH 2

/**
 * mcp_features(): arguments and results of tools are checked against their schemas.
 */
#define MCP_FEATURE_SCHEMA 4

/**
 * mcp_features(): skills.
 */
#define MCP_FEATURE_SKILLS 8

/**
 * mcp_features(): the other side of the protocol, servers.
 */
#define MCP_FEATURE_SERVER 16

/**
 * mcp_features(): clients, the functions mcp_client_* and mcp_call*.
 */
#define MCP_FEATURE_CLIENT 32

/**
 * A code for mcp_request_respond_error(): what the request asks for does not exist. A client of
 * 2026-07-28 gets -32602 for it.
 */
#define MCP_CODE_NOT_FOUND -32002

/**
 * Log level: no records.
 */
#define MCP_LOG_NONE 0

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
 * The version of mcp_store_functions_t in this header.
 */
#define MCP_STORE_VERSION 1

/**
 * The version that `put` of mcp_store_functions_t expects where any value, or none, may be there.
 */
#define MCP_STORE_ANY UINT64_MAX

/**
 * The version of mcp_transport_functions_t in this header.
 */
#define MCP_TRANSPORT_VERSION 1

/**
 * A view: the page of a tool (MCP Apps, extension io.modelcontextprotocol/ui), and what its host
 * says and decides. The library shows nothing: the program has a web view, gives the messages of
 * the page to mcp_app_receive(), and does what mcp_app_poll() returns.
 *
 * The pointer is a number that the library looks up. Several threads may use one view; the calls
 * then come in any order.
 */
typedef struct mcp_app_t mcp_app_t;

/**
 * A builder: JSON text that a program writes call by call, into one buffer that grows.
 *
 * The functions that write return nothing. The first mistake (a value without a key in an object,
 * an end without a beginning, a second value, invalid UTF-8, NULL, NaN, a value that does not
 * exist, nesting deeper than 1,000 levels, more than 1 GiB, no memory) is kept, and everything
 * after it is ignored. mcp_builder_finish() returns it: one check at the end is enough. It names
 * the function and the number of the call since the text was begun.
 *
 * The pointer is a number that the library looks up. The functions that write do nothing for a
 * pointer that is invalid or freed; mcp_builder_finish() returns MCP_ERROR_INVALID_ARGUMENT for it.
 * Several threads may use one builder, but then their calls come in any order.
 */
typedef struct mcp_builder_t mcp_builder_t;

/**
 * A client: one logical connection to one server.
 */
typedef struct mcp_client_t mcp_client_t;

/**
 * A document: a JSON text of the program, such as the content of a file, that is checked once and
 * then read through values. It is immutable and owns a copy of the text. The pointer is a number
 * that the library looks up; a function refuses a pointer that is not a live document.
 */
typedef struct mcp_document_t mcp_document_t;

/**
 * One request that the program's HTTP server has taken, and its answer.
 */
typedef struct mcp_exchange_t mcp_exchange_t;

/**
 * A message: a reply, a notification, a request of the server, progress, a change of state, and so
 * on.
 *
 * A message is immutable and owns its memory: you may read it after its client is freed. What the
 * functions below return from it is valid until mcp_message_free(). The pointer is a number that
 * the library looks up; a function refuses a pointer that is not a live message.
 */
typedef struct mcp_message_t mcp_message_t;

/**
 * A queue: messages for the application arrive here.
 */
typedef struct mcp_queue_t mcp_queue_t;

/**
 * A server: what this program offers to clients.
 */
typedef struct mcp_server_t mcp_server_t;

/**
 * One operation of a store, from the function that begins it to mcp_store_done().
 */
typedef struct mcp_store_call_t mcp_store_call_t;

/**
 * A store that several processes of one server share.
 */
typedef struct mcp_store_t mcp_store_t;

/**
 * A channel of a store that is watched, until `unwatch`.
 */
typedef struct mcp_store_watch_t mcp_store_watch_t;

/**
 * One connection of a transport that the application implements.
 */
typedef struct mcp_transport_t mcp_transport_t;

/**
 * The result of a function: 0 is success, a positive number is not a failure, a negative number is
 * an error.
 */
typedef int32_t mcp_status_t;

/**
 * The kind of a message.
 */
typedef int32_t mcp_kind_t;

/**
 * The subject of a notification or a request of the server.
 */
typedef int32_t mcp_topic_t;

/**
 * The state of a connection.
 */
typedef int32_t mcp_client_state_t;

/**
 * A function of the application that gets the clients of mcp_config_open(), one call for each
 * server.
 *
 * user: the pointer that was given with the function.
 * name: the name of the server in the file; valid during the call.
 * client: the client, which now belongs to the application: free it with mcp_client_free(). NULL
 *   when there is none.
 * status: MCP_OK with a client; otherwise why there is none, as mcp_config_load() or
 *   mcp_client_new() returns it.
 * error_json: the error object; valid during the call. NULL with a client.
 */
typedef void (*mcp_config_opened_t)(void *user,
                                    const char *name,
                                    mcp_client_t *client,
                                    mcp_status_t status,
                                    const char *error_json);

/**
 * A JSON value in a message or in a document: a cursor that is passed by value. It needs no free
 * function.
 *
 * A value that does not exist (a missing member, an index behind the end, a value of another type)
 * is a value too, of type MCP_JSON_ABSENT. Every function accepts it and returns "nothing" for it,
 * so that a chain of calls needs one check at its end. All bytes zero ("mcp_value_t value = {0}")
 * is such a value.
 *
 * A value is valid as long as the message or the document that it came from. After
 * mcp_message_free() or mcp_document_free() it is as a value that does not exist: the functions
 * look up the handle in it. They cannot detect that another thread frees the message or the
 * document during the call. What is borrowed through a value (strings, JSON text) becomes invalid
 * with the message or document, and the library cannot detect a use of it.
 *
 * Any number of threads may use values of one message or document at the same time. Copies are
 * equal in every respect. The functions allocate nothing, except mcp_value_string() and, for a
 * string with escapes, mcp_value_view().
 *
 * The members are private: read and write them only through the functions. The layout is part of
 * the ABI.
 */
typedef struct {
    /**
     * Private.
     */
    size_t owner;
    /**
     * Private.
     */
    size_t name;
    /**
     * Private.
     */
    size_t start;
    /**
     * Private.
     */
    size_t end;
} mcp_value_t;

/**
 * The type of a JSON value.
 */
typedef int32_t mcp_json_type_t;

/**
 * The functions of a transport that the application implements.
 *
 * The library calls them one at a time, in order, on a thread that uses the client (or the server,
 * with mcp_server_attach()) or on a thread of the library. It holds no lock meanwhile. The
 * functions must return soon: until they return this client is blocked, and on the library's
 * thread every other client too. They may call mcp_transport_deliver() and every function that
 * never waits. They must not wait for this client, must not free it or its server, and must not
 * unwind.
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
     * The function must not wait for the other side: accept what is sent meanwhile. A client drops
     * what is delivered before `open` has returned, because it sent no request yet; a server
     * processes it and sends its answer afterwards.
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
     * Releases `user`. May be NULL. Called exactly once, after every other function has returned:
     * by mcp_client_free(), or by mcp_client_new_with_transport() when that fails; on a server
     * after `close`, or by mcp_server_attach() when that fails. If a function does not return
     * within the time limit of the close, `destroy` is called as soon as it has returned.
     */
    void (*destroy)(void *user);
} mcp_transport_functions_t;

/**
 * A function of the application that handles one kind of request. It owns the request: it answers
 * it with mcp_request_respond() or a similar function, now or later and on any thread, and frees it
 * with mcp_message_free().
 *
 * user: the pointer that was registered with the function.
 * request: a message of kind MCP_KIND_REQUEST. mcp_message_method() has the method,
 *   mcp_message_json() the parameters as the client sent them.
 */
typedef void (*mcp_handler_t)(void *user, mcp_message_t *request);

/**
 * The functions of a store: of an engine that several processes of one server share.
 *
 * The library calls them on any thread, one at a time, and holds no lock meanwhile. They must not
 * wait: they begin the operation and return MCP_OK, and later, on any thread or before they return,
 * the store tells what it has found with mcp_store_found() or mcp_store_entry() and ends the
 * operation with mcp_store_done(). Another status than MCP_OK says that it was not begun, as
 * mcp_store_done() would. They may call every function that never waits, and must not unwind.
 *
 * Each operation is atomic for one key. What a process wrote and was told is done, every process
 * reads. Keys, streams and channels are at most 200 bytes of ASCII and are three spaces of names
 * apart from one another; values, entries and messages are any bytes, at most 768 KiB, which the
 * library has sealed. What is given to a function is valid until it returns.
 */
typedef struct {
    /**
     * sizeof(mcp_store_functions_t). The library refuses a smaller struct. Of a larger one it uses
     * the members that it knows.
     */
    uint32_t size;
    /**
     * MCP_STORE_VERSION.
     */
    uint32_t version;
    /**
     * Gives the value of a key: mcp_store_found() and MCP_OK, or MCP_EMPTY.
     */
    mcp_status_t (*get)(void *user, mcp_store_call_t *call, const char *key);
    /**
     * Puts a value, if what is expected is there: MCP_OK with the new version. Else MCP_CONFLICT,
     * with mcp_store_found() where there is a value.
     *
     * value: NULL deletes, which is MCP_OK also where there is nothing.
     * expected: the version that is there; 0 where there must be nothing; MCP_STORE_ANY. The
     *   versions of a key never repeat, also after the key was deleted or its life was over.
     * life_ms: how long the value stays, by the clock of the store; at least 1.
     */
    mcp_status_t (*put)(void *user,
                        mcp_store_call_t *call,
                        const char *key,
                        const void *value,
                        size_t length,
                        uint64_t expected,
                        int64_t life_ms);
    /**
     * Appends an entry to a stream: MCP_OK with its place as the version. The first place is 1.
     *
     * place: the place of the last entry and one; where that is another, MCP_CONFLICT with
     *   mcp_store_found() for the last entry and its place, if there is one. 0: the next place.
     * most: only so many of the newest entries stay.
     * life_ms: how long the stream stays after its last entry.
     */
    mcp_status_t (*append)(void *user,
                           mcp_store_call_t *call,
                           const char *stream,
                           const void *entry,
                           size_t length,
                           uint64_t place,
                           uint32_t most,
                           int64_t life_ms);
    /**
     * Reads entries in order: mcp_store_entry() for each and MCP_OK, also where none is after that
     * place; MCP_EMPTY where there is no such stream.
     *
     * after: the place before the first one.
     * most: at most so many entries. A store may give fewer, but at least one that is there.
     * bytes: of at most so many bytes together, except that the first is given in any case.
     */
    mcp_status_t (*read)(void *user,
                         mcp_store_call_t *call,
                         const char *stream,
                         uint64_t after,
                         uint32_t most,
                         size_t bytes);
    /**
     * Sends a message to every process that watches the channel. It may be lost where `missed` is
     * told; it is not kept.
     */
    mcp_status_t (*publish)(void *user,
                            mcp_store_call_t *call,
                            const char *channel,
                            const void *data,
                            size_t length);
    /**
     * From now on messages of the channel are told with mcp_store_event(). mcp_store_missed() says
     * that the watch has begun, and later that messages may have been lost.
     */
    mcp_status_t (*watch)(void *user, mcp_store_watch_t *watch, const char *channel);
    /**
     * That ends, and `watch` is no longer a valid handle once the function has returned.
     */
    void (*unwatch)(void *user, mcp_store_watch_t *watch);
    /**
     * The time of an operation is over ("store.timeout_ms"): its answer is no longer waited for.
     * May be NULL. Comes on any thread, also while another function runs.
     */
    void (*forget)(void *user, mcp_store_call_t *call);
    /**
     * Releases `user`. May be NULL. Called exactly once, after every other function has returned:
     * by mcp_store_free(), when the server is freed, or by mcp_store_new() when that fails. It may
     * run on a thread of the store that is in one of the functions below: a store that has threads
     * waits here for those that it is not called on.
     */
    void (*destroy)(void *user);
} mcp_store_functions_t;

/**
 * Success.
 */
#define MCP_OK 0

/**
 * There is nothing to return: no message arrived in time, or the value does not exist.
 */
#define MCP_EMPTY 1

/**
 * mcp_queue_wake(), mcp_client_wake() or mcp_server_wake() ended the wait.
 */
#define MCP_WOKEN 2

/**
 * From a store: what is there is not what was expected. Nothing was written.
 */
#define MCP_CONFLICT 3

/**
 * An argument is invalid. Nothing was done.
 */
#define MCP_ERROR_INVALID_ARGUMENT -1

/**
 * No answer arrived within the time limit.
 */
#define MCP_ERROR_TIMEOUT -2

/**
 * The application cancelled the call, or the server cancelled its request.
 */
#define MCP_ERROR_CANCELLED -3

/**
 * The client is not connected (it waits for the next attempt), and the call was told not to wait.
 * From mcp_config_load(): the server is disabled.
 */
#define MCP_ERROR_UNAVAILABLE -4

/**
 * The connection was lost during the call or could not be opened.
 */
#define MCP_ERROR_TRANSPORT -5

/**
 * The server violated the protocol.
 */
#define MCP_ERROR_PROTOCOL -6

/**
 * The server answered with a JSON-RPC error. The error object has its "code", "message" and
 * "data".
 */
#define MCP_ERROR_SERVER -7

/**
 * The server or this build of the library lacks a capability, a revision or a transport.
 */
#define MCP_ERROR_UNSUPPORTED -8

/**
 * Too many operations are pending. Try again later.
 */
#define MCP_ERROR_BACKPRESSURE -9

/**
 * A size exceeds a configured limit.
 */
#define MCP_ERROR_TOO_LARGE -10

/**
 * Authorization is missing or was refused.
 */
#define MCP_ERROR_AUTH -11

/**
 * The client is closed.
 */
#define MCP_ERROR_CLOSED -12

/**
 * The handle was created before fork(). Only the parent may use it; the child may create its own
 * handles.
 */
#define MCP_ERROR_FORKED -13

/**
 * The library has a fault.
 */
#define MCP_ERROR_INTERNAL -14

/**
 * The system refused the memory that a message of the server needed: the library discarded the
 * message, and the client continues. From a document or a builder: it refused the memory for the
 * text.
 */
#define MCP_ERROR_NO_MEMORY -15

/**
 * The outcome of a call.
 */
#define MCP_KIND_REPLY 1

/**
 * A notification of the server.
 */
#define MCP_KIND_NOTIFICATION 2

/**
 * A request of the server. Answer it with mcp_request_respond() or mcp_request_respond_error().
 */
#define MCP_KIND_REQUEST 3

/**
 * Progress of a call that was made with the option "progress".
 */
#define MCP_KIND_PROGRESS 4

/**
 * The state of the connection changed; of a server on a shared queue: all that it served has ended.
 */
#define MCP_KIND_STATE 5

/**
 * A login needs something from the application: a person, a credential, stored logins or a
 * signature. "kind" in the JSON says which (docs/guide/authorization.md).
 */
#define MCP_KIND_AUTH 6

/**
 * A line of the server's standard error (config "stderr":"message").
 */
#define MCP_KIND_STDERR 7

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
#define MCP_CLIENT_STATE_IDLE 0

/**
 * The library starts the server.
 */
#define MCP_CLIENT_STATE_STARTING 1

/**
 * The handshake is in progress.
 */
#define MCP_CLIENT_STATE_INITIALIZING 2

/**
 * The connection is ready: calls go directly to the server.
 */
#define MCP_CLIENT_STATE_READY 3

/**
 * The connection was lost, and the client waits before the next attempt.
 */
#define MCP_CLIENT_STATE_BACKOFF 4

/**
 * The connection is being closed.
 */
#define MCP_CLIENT_STATE_CLOSING 5

/**
 * The connection is closed and is not opened again.
 */
#define MCP_CLIENT_STATE_CLOSED 6

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/* ==== Versions, names, strings, the logger ==================================================== */

/**
 * The version of the loaded library, such as "0.1.0".
 *
 * Returns a static string; never NULL.
 */
MCP_API const char *mcp_version(void);

/**
 * The ABI version of the loaded library. A program that was compiled with another MCP_ABI_VERSION
 * must not continue; see MCP_ABI_MATCHES().
 */
MCP_API uint32_t mcp_abi_version(void);

/**
 * The optional parts that the loaded library was built with.
 *
 * Returns MCP_FEATURE_* joined by `|`; later versions may add bits.
 *
 * Example:
 *
 *     if (!(mcp_features() & MCP_FEATURE_HTTP)) puts("this build reaches no server over HTTP");
 */
MCP_API uint32_t mcp_features(void);

/**
 * The name of a status, such as "timeout".
 *
 * Returns a static string, "unknown" for an unknown number; never NULL.
 */
MCP_API const char *mcp_status_name(mcp_status_t status);

/**
 * The name of a message kind, such as "notification".
 *
 * Returns a static string, "unknown" for an unknown number; never NULL.
 */
MCP_API const char *mcp_kind_name(mcp_kind_t kind);

/**
 * The name of a topic, such as "tools_changed".
 *
 * Returns a static string, "unknown" for an unknown number; never NULL.
 */
MCP_API const char *mcp_topic_name(mcp_topic_t topic);

/**
 * Frees a string that a function of this library returned.
 *
 * text: the string; may be NULL. The library cannot detect that a string is freed twice.
 */
MCP_API void mcp_string_free(char *text);

/**
 * Sets the function that receives the log records of all clients. It replaces the previous one.
 *
 * log: called with `user`, the level (MCP_LOG_*) and the record, a JSON object with "event" (a
 *   stable name such as "connection.transition"), "level", "client" (the client's name) and the
 *   values of the event. The text is valid until `log` returns. NULL removes the logger.
 * level: the library creates records up to this level; MCP_LOG_NONE creates none.
 * user: passed to `log` and `destroy`; may be NULL.
 * destroy: called exactly once with `user`, after the last call of `log`, on any thread, also when
 *   the function fails; may be NULL.
 *
 * Returns MCP_OK, or MCP_ERROR_INVALID_ARGUMENT for an unknown level; then the logger stays.
 *
 * Threads: any thread. `log` runs on one thread of the library, one record after another, with no
 *   lock held, and may call every function of this library. It is called only while a client
 *   exists, and not in a child of fork(), which sets its own logger. If `log` is too slow, the
 *   library drops records and reports their number in a record "log.dropped".
 */
MCP_API
mcp_status_t mcp_log_set_logger(void (*log)(void *user, int32_t level, const char *record_json),
                                int32_t level,
                                void *user,
                                void (*destroy)(void *user));

/* ==== Clients ================================================================================= */

/**
 * Creates a client from a JSON configuration. It starts nothing: mcp_client_connect() or the first
 * call starts the connection.
 *
 * config_json: a JSON object: an entry of the "mcpServers" format ("command", "args", "env",
 *   "cwd") plus the keys of docs/reference/configuration.md, such as "url" for a server over HTTP
 *   and "socket" for a server that listens. An unknown key is an error that names it and the
 *   nearest known key. The configuration is copied, and so is the environment for the server:
 *   do not change the environment on another thread during this call.
 * queue: the queue for the messages of the client, which several clients may share: a program with
 *   many servers waits in one place, mcp_queue_poll(). Do not free it before the client. NULL
 *   gives the client a queue of its own, for mcp_client_poll().
 * out: receives the client. Free it with mcp_client_free().
 * error_json: receives the error object on failure; may be NULL.
 *
 * Returns MCP_OK, MCP_ERROR_INVALID_ARGUMENT, MCP_ERROR_UNSUPPORTED, MCP_ERROR_FORKED, or
 *   MCP_ERROR_INTERNAL when the process cannot create another thread or descriptor.
 *
 * Threads: any thread.
 *
 * Example:
 *
 *     mcp_client_t *client;
 *     const char *config = "{\"command\":\"npx\",\"args\":[\"-y\",\"some-server\"]}";
 *     mcp_client_new(config, NULL, &client, NULL);
 */
MCP_API
MCP_MUST_USE
mcp_status_t mcp_client_new(const char *config_json,
                            mcp_queue_t *queue,
                            mcp_client_t **out,
                            char **error_json);

/**
 * The queue of a client: the one that it was created with, or its own. Wait there, wake it, watch
 * its descriptor, or set a function that is called when it fills, with the functions mcp_queue_...
 *
 * Returns the queue, borrowed: an own queue is valid until the client is freed, is not freed by
 *   mcp_queue_free() and takes no other client. NULL for an invalid handle.
 *
 * Threads: any thread; never waits. Async-signal-safe.
 */
MCP_API mcp_queue_t *mcp_client_queue(mcp_client_t *client);

/**
 * Attaches a pointer of the application to a client, so that a message leads to the application's
 * own object: mcp_client_user(mcp_message_client(message)). Attach it before the first call,
 * because messages may arrive from then on.
 *
 * user: the pointer, which the library never reads; may be NULL. Nothing is called when the client
 *   is freed.
 *
 * Returns MCP_OK, MCP_ERROR_INVALID_ARGUMENT, MCP_ERROR_FORKED.
 *
 * Threads: any thread; never waits.
 */
MCP_API mcp_status_t mcp_client_set_user(mcp_client_t *client, void *user);

/**
 * The pointer that mcp_client_set_user() attached.
 *
 * client: a client, also one that was freed in the meantime, as mcp_message_client() may return.
 *
 * Returns the pointer; NULL if none was attached and for an invalid handle.
 *
 * Threads: any thread; never waits.
 */
MCP_API void *mcp_client_user(mcp_client_t *client);

/**
 * Starts the connection if necessary and waits until it is ready. This is optional: the first call
 * also starts the connection.
 *
 * timeout_ms: the longest wait in milliseconds. -1 waits until the attempt has succeeded or
 *   failed. 0 starts the connection and returns MCP_ERROR_TIMEOUT unless it is already ready;
 *   mcp_client_connect_start() reports the outcome later.
 * error_json: receives the error object on failure; may be NULL.
 *
 * Returns MCP_OK, MCP_ERROR_TIMEOUT, MCP_ERROR_TRANSPORT (the server could not be started, or
 *   ended), MCP_ERROR_UNSUPPORTED (no common revision), MCP_ERROR_PROTOCOL, MCP_ERROR_SERVER,
 *   MCP_ERROR_AUTH (a login is necessary and missing, or it failed), MCP_ERROR_CLOSED,
 *   MCP_ERROR_INVALID_ARGUMENT, MCP_ERROR_FORKED. After a failure the client tries again in the
 *   background, as "reconnect" in the configuration says. After a failure that would repeat, such
 *   as MCP_ERROR_UNSUPPORTED, the client is closed.
 *
 * Threads: any thread.
 */
MCP_API
mcp_status_t mcp_client_connect(mcp_client_t *client,
                                int32_t timeout_ms,
                                char **error_json);

/**
 * mcp_client_connect() as a started call, for event loops that must not wait. The outcome arrives
 * on the queue as a message of kind MCP_KIND_REPLY: the result {} or the error object.
 *
 * timeout_ms: the outcome is MCP_ERROR_TIMEOUT after this number of milliseconds; -1 waits until
 *   the attempt has succeeded or failed. After each outcome the client continues as after
 *   mcp_client_connect().
 * tag: a number of the application that comes back with the reply.
 * call_id: receives a number for mcp_call_cancel(), which ends this wait as MCP_ERROR_CANCELLED
 *   but not the attempt to connect; may be NULL.
 * error_json: receives the error object on failure; may be NULL.
 *
 * Returns MCP_OK, and then exactly one reply follows, also when the connection was already ready;
 *   or MCP_ERROR_BACKPRESSURE (too many callers wait for the connection, or replies are not
 *   polled), MCP_ERROR_CLOSED, MCP_ERROR_INVALID_ARGUMENT, MCP_ERROR_FORKED, and then no reply
 *   follows.
 *
 * Threads: any thread; never waits.
 */
MCP_API
mcp_status_t mcp_client_connect_start(mcp_client_t *client,
                                      int32_t timeout_ms,
                                      uint64_t tag,
                                      uint64_t *call_id,
                                      char **error_json);

/**
 * The state of the connection.
 *
 * Returns MCP_CLIENT_STATE_*, or a negative status for an invalid handle.
 *
 * Threads: any thread; never waits.
 */
MCP_API mcp_client_state_t mcp_client_state(mcp_client_t *client);

/**
 * The name of a state, such as "ready".
 *
 * Returns a static string, "unknown" for an unknown number; never NULL.
 */
MCP_API const char *mcp_client_state_name(mcp_client_state_t state);

/**
 * Describes the connection as a JSON object: "state", "revision", "era", "server" (name and
 * version), "capabilities", "instructions", "transport", "pid", "pending_calls", "failure",
 * "counters" and more.
 *
 * info_json: receives the object. Free it with mcp_string_free().
 * error_json: receives the error object on failure; may be NULL.
 *
 * Returns MCP_OK, MCP_ERROR_INVALID_ARGUMENT or MCP_ERROR_FORKED.
 *
 * Threads: any thread; never waits.
 */
MCP_API mcp_status_t mcp_client_info(mcp_client_t *client, char **info_json, char **error_json);

/**
 * Closes the connection. Pending calls end as MCP_ERROR_CLOSED, and the library closes the
 * server's standard input. If the server does not end, the library sends SIGTERM and then SIGKILL
 * to its process group, which includes every process that the server started there.
 *
 * timeout_ms: the time in milliseconds before SIGKILL; -1 uses "timeouts.close_ms" of the
 *   configuration (default 2000). After SIGKILL the function waits at most half a second.
 *
 * Returns MCP_OK when the server has ended, MCP_ERROR_TIMEOUT when it has not ended even after
 *   SIGKILL, MCP_ERROR_INVALID_ARGUMENT, MCP_ERROR_FORKED.
 *
 * Threads: any thread, in any state, any number of times; concurrent closes all return. Messages
 *   that are already on the queue can still be polled.
 */
MCP_API mcp_status_t mcp_client_close(mcp_client_t *client, int32_t timeout_ms);

/**
 * Frees a client. If the client is open, the function first closes it as mcp_client_close(client,
 * -1) does. Messages of this client on a shared queue are dropped; messages that were polled stay
 * valid. After the last client is freed, no thread, descriptor or process of the library is left.
 *
 * client: the client; may be NULL. No other thread may be using it.
 *
 * Returns MCP_OK, or MCP_ERROR_INVALID_ARGUMENT for an invalid handle. In a child of fork() it
 *   frees nothing and returns MCP_ERROR_FORKED.
 */
MCP_API mcp_status_t mcp_client_free(mcp_client_t *client);

/* ==== Configuration files ===================================================================== */

/**
 * Lists the servers of an "mcpServers" file in the order of the file, to load each with
 * mcp_config_load() or to show them.
 *
 * path: the file, at most 4 MiB.
 * servers_json: receives a JSON array of objects with "name" and "disabled" (true or false). Free
 *   it with mcp_string_free().
 * error_json: receives the error object on failure; may be NULL.
 *
 * Returns MCP_OK, MCP_ERROR_INVALID_ARGUMENT. The entries are not checked; mcp_config_load()
 *   checks the one that it loads.
 *
 * Threads: any thread; reads the file.
 */
MCP_API mcp_status_t mcp_config_servers(const char *path, char **servers_json, char **error_json);

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
 * Returns MCP_OK; MCP_ERROR_UNAVAILABLE for a server that the file disables ("disabled": true or
 *   "enabled": false); MCP_ERROR_INVALID_ARGUMENT; MCP_ERROR_UNSUPPORTED for a server whose
 *   transport this build lacks.
 *
 * Threads: any thread; reads the file.
 */
MCP_API
mcp_status_t mcp_config_load(const char *path,
                             const char *server_name,
                             char **config_json,
                             char **error_json);

/**
 * Creates a client for each server of an "mcpServers" file that the file does not disable, in the
 * order of the file. The file is read once. No server is started: that does mcp_client_connect() or
 * the first call.
 *
 * The file may be that of another program: comments and commas too many are passed over, and keys
 * that only the other program reads are left out. mcp_config_load() takes such a key for a mistake.
 *
 * A server whose entry is wrong is not a failure of this function: opened() gets its error, and the
 * others are opened. Only a file that cannot be read as a whole is.
 *
 * path: the file, at most 4 MiB; see mcp_config_load() for what is replaced and omitted.
 * queue: as for mcp_client_new(); usually one for all, so that the program waits in one place.
 * options_json: {"defaults":{...}}: keys of the configuration for every server whose entry does not
 *   have them, such as "client" or "timeouts"; NULL for none.
 * opened: gets each client or error, on this thread, before the function returns. It may call every
 *   function of the library.
 * user: passed to opened(); may be NULL.
 * error_json: receives the error object on failure; may be NULL.
 *
 * Returns MCP_OK; MCP_EMPTY when the file enables no server; MCP_ERROR_INVALID_ARGUMENT;
 *   MCP_ERROR_FORKED. Without MCP_OK opened() was not called.
 *
 * Threads: any thread; reads the file. Do not change the environment on another thread during this
 *   call.
 *
 * Example:
 *
 *     static void opened(void *app, const char *name, mcp_client_t *client, mcp_status_t status,
 *                        const char *error) {
 *         if (status == MCP_OK) app_add(app, name, client);
 *         else fprintf(stderr, "%s: %s\n", name, error);
 *     }
 *     mcp_config_open("mcp.json", queue, NULL, opened, app, &error);
 */
MCP_API
mcp_status_t mcp_config_open(const char *path,
                             mcp_queue_t *queue,
                             const char *options_json,
                             mcp_config_opened_t opened,
                             void *user,
                             char **error_json);

/* ==== Calls and notifications ================================================================= */

/**
 * Calls a method of the server and waits for the outcome. It starts the connection if necessary.
 *
 * A method of the protocol that a program uses of a server means the same on every revision: it is
 * sent as the revision has it, a list has all of its pages, a result that is kept is not asked for
 * again ("cache" of the configuration), and results are checked. Nothing is sent for what the
 * server did not declare (MCP_ERROR_UNSUPPORTED; tools are asked for in any case). These are
 * "tools/list", "tools/call", "resources/list", "resources/templates/list", "resources/read",
 * "resources/subscribe", "resources/unsubscribe", "resources/directory/read", "prompts/list",
 * "prompts/get", "completion/complete", "logging/setLevel", "ping", "tasks/list", "tasks/get",
 * "tasks/result", "tasks/cancel", "skills/list" and "skills/get". Every other method, and each one
 * with the option "raw", is sent as it is written, and its result is what the server wrote.
 *
 * method: the method, such as "tools/call".
 * params_json: the parameters, a JSON object; NULL for none. "cursor" in the parameters of a list
 *   asks for that page alone.
 * options_json: a JSON object; NULL for none. Its keys: "timeout_ms", "max_total_ms",
 *   "reset_on_progress", "progress" (deliver MCP_KIND_PROGRESS messages), "meta" (members for
 *   _meta of the request), "traceparent", "tracestate", "baggage", "retry" ("never" or "safe"),
 *   "when_unavailable" ("fail" or "wait"), "log_level" (2026-07-28), "raw" (true: as it is
 *   written), "one_page" and "cursor" (lists), "cache" ("use", "refresh" or "bypass"), "task" and
 *   "task_ttl_ms" ("tools/call").
 * reply: receives a message of kind MCP_KIND_REPLY whose JSON is the result or, on failure, the
 *   error object; may be NULL. Always written; NULL where no message could be created
 *   (MCP_ERROR_FORKED, MCP_ERROR_INTERNAL). Free it with mcp_message_free().
 *
 * Returns MCP_OK or the status of the error: MCP_ERROR_TIMEOUT, MCP_ERROR_CANCELLED,
 *   MCP_ERROR_UNAVAILABLE, MCP_ERROR_TRANSPORT, MCP_ERROR_PROTOCOL, MCP_ERROR_SERVER,
 *   MCP_ERROR_AUTH, MCP_ERROR_UNSUPPORTED, MCP_ERROR_BACKPRESSURE, MCP_ERROR_TOO_LARGE,
 *   MCP_ERROR_NO_MEMORY, MCP_ERROR_CLOSED, MCP_ERROR_INVALID_ARGUMENT, MCP_ERROR_FORKED,
 *   MCP_ERROR_INTERNAL. A tool that failed is MCP_OK with "isError":true in the result.
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
MCP_API
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
 * Returns MCP_OK, and then exactly one reply follows; or MCP_ERROR_INVALID_ARGUMENT,
 *   MCP_ERROR_UNAVAILABLE, MCP_ERROR_BACKPRESSURE (too many pending calls, or replies are not
 *   polled), MCP_ERROR_CLOSED, MCP_ERROR_FORKED, and then no reply follows.
 *
 * Threads: any thread; never waits. The request is written at once. While more than two calls are
 *   pending, the library may delay it, to write several requests together when mcp_client_poll()
 *   would wait, or after some milliseconds at the latest. With a descriptor (mcp_client_fd(),
 *   mcp_queue_fd()) it delays them only where more than two calls of the client are started between
 *   two polls that find nothing, or were started between the two before; the descriptor is readable
 *   then, and the next poll that finds nothing writes them. Without a descriptor it does not delay
 *   requests of clients on a shared queue.
 *
 * For every other function ..._start the parameters tag, call_id and error_json, the statuses and
 * the thread rule are those of mcp_call_start(); the remaining parameters are those of the
 * function that it starts.
 */
MCP_API
mcp_status_t mcp_call_start(mcp_client_t *client,
                            const char *method,
                            const char *params_json,
                            const char *options_json,
                            uint64_t tag,
                            uint64_t *call_id,
                            char **error_json);

/**
 * Waits for the reply of one started call and takes it from the queue, so that a program runs
 * several calls at once without a loop: start them all, then wait for each.
 *
 * call_id: the number from mcp_call_start() or another function ..._start of the client.
 * timeout_ms: the longest wait in milliseconds; 0 returns at once, -1 waits until the call ends,
 *   which its own timeout bounds. The call continues when the wait ends.
 * reply: receives the reply; may be NULL. Written as by mcp_call(); NULL with MCP_EMPTY. Free it
 *   with mcp_message_free().
 *
 * Returns MCP_EMPTY when there is no reply within the time; otherwise the status of the reply, as
 *   mcp_call() does. MCP_ERROR_INVALID_ARGUMENT also when no such call is under way and its reply
 *   is not on the queue: another thread has taken it.
 *
 * Threads: any thread, also several at the same time. The calling thread reads the connection
 *   while it waits. Other messages stay on the queue; mcp_queue_wake() and mcp_client_interrupt()
 *   do not end the wait, mcp_call_cancel() and mcp_client_close() do.
 *
 * Example:
 *
 *     uint64_t calls[6];
 *     mcp_message_t *reply = NULL;
 *     for (int i = 0; i < 6; i++)
 *         if (mcp_call_start(client, "tools/list", NULL, NULL, 0, &calls[i], NULL) != MCP_OK)
 *             calls[i] = 0;
 *     for (int i = 0; i < 6; i++) {
 *         if (calls[i] != 0 && mcp_call_wait(client, calls[i], -1, &reply) == MCP_OK)
 *             puts(mcp_message_json(reply, NULL));
 *         mcp_message_free(reply);
 *         reply = NULL;
 *     }
 */
MCP_API
mcp_status_t mcp_call_wait(mcp_client_t *client,
                           uint64_t call_id,
                           int32_t timeout_ms,
                           mcp_message_t **reply);

/**
 * Cancels a call. Its outcome is MCP_ERROR_CANCELLED unless it already has one, and the server is
 * notified. Calling it again has no effect.
 *
 * call_id: the number from mcp_call_start().
 * reason: text for the log of the server; may be NULL.
 *
 * Returns MCP_OK, MCP_EMPTY when no such call is pending, MCP_ERROR_INVALID_ARGUMENT,
 *   MCP_ERROR_FORKED.
 *
 * Threads: any thread; never waits.
 */
MCP_API mcp_status_t mcp_call_cancel(mcp_client_t *client, uint64_t call_id, const char *reason);

/**
 * Sends a notification. The connection must be ready.
 *
 * method: such as "notifications/roots/list_changed". The library sends "notifications/cancelled"
 *   and "notifications/initialized" itself and refuses them here.
 * params_json: the parameters, a JSON object; NULL for none.
 * error_json: receives the error object on failure; may be NULL.
 *
 * Returns MCP_OK, MCP_ERROR_UNAVAILABLE, MCP_ERROR_BACKPRESSURE (the server does not read),
 *   MCP_ERROR_CLOSED, MCP_ERROR_INVALID_ARGUMENT, MCP_ERROR_FORKED.
 *
 * Threads: any thread; never waits.
 */
MCP_API
mcp_status_t mcp_client_notify(mcp_client_t *client,
                               const char *method,
                               const char *params_json,
                               char **error_json);

/* ==== Messages: waiting, reading, answering =================================================== */

/**
 * Answers a request with a result: one that the server of a client of this process sent, or one
 * that a client sent to a server of this process. If a request's message is freed without an
 * answer, the library refuses the request. In revision 2026-07-28 the server asks inside the
 * answer to a call; the application receives the same kind of message, and refusing it ends that
 * call as MCP_ERROR_CANCELLED.
 *
 * request: a message of kind MCP_KIND_REQUEST. The caller still has to free it.
 * result_json: the result, a JSON object.
 * error_json: receives the error object on failure; may be NULL.
 *
 * Returns MCP_OK; MCP_ERROR_INVALID_ARGUMENT, also for a request that was already answered;
 *   MCP_ERROR_CANCELLED when the request is no longer wanted: the other side cancelled it, it took
 *   too long, or its session has ended; MCP_ERROR_TRANSPORT when its connection has ended;
 *   MCP_ERROR_CLOSED; MCP_ERROR_FORKED. A result that is not what the method or the "outputSchema"
 *   of the tool promises is MCP_ERROR_INVALID_ARGUMENT too; the client then gets an internal error.
 *
 * Threads: any thread; never waits.
 */
MCP_API
mcp_status_t mcp_request_respond(const mcp_message_t *request,
                                 const char *result_json,
                                 char **error_json);

/**
 * Answers a request of the server with an error.
 *
 * request: as for mcp_request_respond().
 * code: the JSON-RPC error code, such as -1 for "the user refused". To a client of 2026-07-28 a
 *   server sends codes outside of -32768 to -32000, and the few that JSON-RPC and MCP define; any
 *   other is MCP_ERROR_INVALID_ARGUMENT, and the client gets -32603. MCP_CODE_NOT_FOUND becomes
 *   the code that the revision has for what does not exist.
 * text: the error message. NULL is possible with MCP_CODE_NOT_FOUND, for a request of a client: the
 *   library then writes the message, and adds the URI of a resource as "data".
 * data_json: JSON of any type; NULL for none.
 * error_json: receives the error object on failure; may be NULL.
 *
 * Returns the statuses of mcp_request_respond().
 *
 * Threads: any thread; never waits.
 */
MCP_API
mcp_status_t mcp_request_respond_error(const mcp_message_t *request,
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
 * Returns MCP_OK; MCP_EMPTY when no message arrived in time; MCP_WOKEN when mcp_client_wake() ended
 *   the wait; MCP_ERROR_CLOSED when the client is
 *   closed and its queue is empty; MCP_ERROR_INVALID_ARGUMENT, also for a client on a shared queue
 *   (use mcp_queue_poll()); MCP_ERROR_FORKED.
 *
 * Threads: any thread, also several at the same time; each message goes to one of them. A signal
 *   never ends the wait: its handler runs, and the wait continues. mcp_client_wake() ends it, also
 *   in the handler, and so does closing the client.
 */
MCP_API
mcp_status_t mcp_client_poll(mcp_client_t *client,
                             int32_t timeout_ms,
                             mcp_message_t **message);

/**
 * Ends one wait on the client's own queue with MCP_WOKEN: the current mcp_client_poll() or
 * mcp_poll_notification() or, if no thread waits, the next one. Messages that the wait would
 * return are taken first. Several calls before a wait count as one. To end mcp_call() and the like,
 * use mcp_client_interrupt().
 *
 * Returns MCP_OK; MCP_ERROR_INVALID_ARGUMENT, also for a client on a shared queue (use
 *   mcp_queue_wake()); MCP_ERROR_FORKED.
 *
 * Threads: any thread; never waits. Async-signal-safe.
 */
MCP_API mcp_status_t mcp_client_wake(mcp_client_t *client);

/**
 * Ends the calls for which threads wait in this moment, with MCP_ERROR_CANCELLED: mcp_call(),
 * the functions that are named after a method, and mcp_client_connect(). The server is told that
 * their results are no longer wanted. Calls that were started go on (see mcp_call_cancel()), and
 * so does the connection. If no thread waits, nothing happens: the next call is not affected.
 *
 * Returns MCP_OK, MCP_ERROR_INVALID_ARGUMENT, MCP_ERROR_FORKED.
 *
 * Threads: any thread; never waits. Async-signal-safe: for the handler of Ctrl-C.
 *
 * Example:
 *
 *     static mcp_client_t *client;
 *     static void on_interrupt(int number) {
 *         (void)number;
 *         mcp_client_interrupt(client);
 *     }
 */
MCP_API mcp_status_t mcp_client_interrupt(mcp_client_t *client);

/**
 * Takes the next notification of the server, and waits for one if necessary. Messages of other
 * kinds stay on the queue. With mcp_client_fd(): when the descriptor is readable, call this
 * function with timeout 0 until it returns MCP_EMPTY; then the descriptor is readable again when
 * another message of any kind arrives, and not for what was left.
 *
 * Parameters, statuses and threads as for mcp_client_poll(), but MCP_ERROR_CLOSED when the client
 * is closed and no notification is left.
 */
MCP_API
mcp_status_t mcp_poll_notification(mcp_client_t *client,
                                   int32_t timeout_ms,
                                   mcp_message_t **message);

/**
 * A descriptor that is readable while messages of this client are on its queue, for epoll, kqueue,
 * libuv, GLib and similar loops. It belongs to the library: never read, write or close it. When it
 * is readable, call mcp_client_poll(client, 0, ...) until it returns MCP_EMPTY. After
 * mcp_client_close() it stays readable: take it out of the loop when a poll returns
 * MCP_ERROR_CLOSED. On Windows it is a SOCKET, for WSAPoll(), select() or WSAEventSelect().
 *
 * On Linux it is also readable when a server has written to its pipe or socket. The poll reads
 * that in the thread of the loop, so that no other thread has to wake for it; its first result may
 * be MCP_EMPTY, because a message is not complete yet or needs no action of the program. If the
 * loop does not poll within some milliseconds, a thread of the library reads instead. On every
 * system it is also readable while requests wait for the next poll, which writes them together (see
 * mcp_call_start()).
 *
 * Returns the descriptor (always the same until the client is freed; for a client on a shared
 *   queue that of the queue), or a negative status: MCP_ERROR_INVALID_ARGUMENT, MCP_ERROR_FORKED,
 *   MCP_ERROR_INTERNAL when the process cannot create a descriptor.
 *
 * Threads: any thread.
 */
MCP_API int32_t mcp_client_fd(mcp_client_t *client);

/**
 * The kind of a message.
 *
 * Returns MCP_KIND_*, or a negative status for an invalid message.
 */
MCP_API mcp_kind_t mcp_message_kind(const mcp_message_t *message);

/**
 * The outcome in a reply.
 *
 * Returns the status; MCP_OK for messages of other kinds; MCP_ERROR_INVALID_ARGUMENT for an
 *   invalid message.
 */
MCP_API mcp_status_t mcp_message_status(const mcp_message_t *message);

/**
 * The client of a message, borrowed.
 *
 * Returns the pointer that mcp_client_new() returned, so it can be compared; NULL for
 *   MCP_KIND_LOST and for a refused call on an invalid handle. The client may have been freed in
 *   the meantime; every function detects that.
 */
MCP_API mcp_client_t *mcp_message_client(const mcp_message_t *message);

/**
 * The server of a message, borrowed: of a request of a client, and of what else a server tells the
 * program on a queue.
 *
 * Returns the pointer that mcp_server_new() returned, so it can be compared; NULL for a message of
 *   a client. The server may have been freed in the meantime; every function detects that.
 */
MCP_API mcp_server_t *mcp_message_server(const mcp_message_t *message);

/**
 * The number of the call that a reply, a progress message, a task state or a request of the server
 * belongs to. A request belongs to a call when the server asks inside the answer to that call
 * (2026-07-28, tasks, pages of MCP_TOPIC_ELICITATION); a request that earlier revisions send on
 * their own does not say which call it is for.
 *
 * Returns the number; 0 for none.
 */
MCP_API uint64_t mcp_message_call_id(const mcp_message_t *message);

/**
 * The tag that the application gave to the call that mcp_message_call_id() names.
 *
 * Returns the tag; 0 for none.
 */
MCP_API uint64_t mcp_message_tag(const mcp_message_t *message);

/**
 * The method of a notification, request or progress message, or the operation that failed.
 *
 * Returns a borrowed string; NULL where there is no method.
 */
MCP_API const char *mcp_message_method(const mcp_message_t *message);

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
MCP_API mcp_topic_t mcp_message_topic(const mcp_message_t *message);

/**
 * The JSON of a message: the result of a successful reply, the error object of a failed one, or
 * the parameters of a notification, request or progress message ("{}" if it has none). Other kinds
 * have their own object: MCP_KIND_STATE {"state","previous","reason","next_attempt_in_ms"},
 * MCP_KIND_STDERR {"source","line"}, MCP_KIND_LOST {"count"}, MCP_KIND_AUTH {"kind",...}
 * (docs/guide/authorization.md).
 *
 * length: receives the length in bytes without the terminating NUL; may be NULL.
 *
 * Returns borrowed, NUL-terminated UTF-8, usually in the buffer in which it was received; NULL for
 *   an invalid message.
 */
MCP_API const char *mcp_message_json(const mcp_message_t *message, size_t *length);

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
MCP_API const char *mcp_message_text(const mcp_message_t *message, size_t *length);

/**
 * Tells whether a tool failed: the message is a reply with MCP_OK whose result has "isError":true.
 * mcp_message_text() then returns what the tool says about it.
 *
 * Returns true or false; false for an invalid message and every other message.
 *
 * Example:
 *
 *     if (mcp_message_is_tool_error(reply)) fputs(mcp_message_text(reply, NULL), stderr);
 */
MCP_API bool mcp_message_is_tool_error(const mcp_message_t *message);

/**
 * The text for people of a failed reply: "message" of its error object, decoded.
 *
 * length: receives the length in bytes without the terminating NUL (the text may contain NUL
 *   characters); may be NULL.
 *
 * Returns borrowed, NUL-terminated UTF-8; NULL if the message is not a failed reply.
 */
MCP_API const char *mcp_message_error(const mcp_message_t *message, size_t *length);

/**
 * Frees a message. If it is a request without an answer, the library refuses the request.
 *
 * message: the message; may be NULL.
 *
 * Returns MCP_OK, or MCP_ERROR_INVALID_ARGUMENT for an invalid message, such as one that was
 *   already freed. In a child of fork(), for a message of the parent, it frees nothing and returns
 *   MCP_ERROR_FORKED.
 */
MCP_API mcp_status_t mcp_message_free(mcp_message_t *message);

/* ==== Queues ================================================================================== */

/**
 * Creates a queue that several clients can share; see mcp_client_new().
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
 * Returns MCP_OK, MCP_ERROR_INVALID_ARGUMENT, MCP_ERROR_FORKED.
 *
 * Threads: any thread.
 */
MCP_API
MCP_MUST_USE
mcp_status_t mcp_queue_new(const char *config_json,
                           mcp_queue_t **out,
                           char **error_json);

/**
 * Takes the next message of any client on the queue, and waits for one if necessary.
 * mcp_message_client() returns the client of a message.
 *
 * timeout_ms: the longest wait in milliseconds; 0 returns at once, -1 waits without a limit.
 * message: receives the message when MCP_OK is returned. Free it with mcp_message_free().
 *
 * Returns MCP_OK, MCP_EMPTY, MCP_WOKEN, MCP_ERROR_INVALID_ARGUMENT, MCP_ERROR_FORKED. Only the own
 *   queue of a client or a server (mcp_client_queue(), mcp_server_queue()) returns
 *   MCP_ERROR_CLOSED, once its owner is closed and it is empty. On a queue of mcp_queue_new()
 *   clients and servers come and go: one that ends sends a message MCP_KIND_STATE with "closed".
 *
 * Threads: any thread, also several at the same time; each message goes to one of them.
 */
MCP_API
mcp_status_t mcp_queue_poll(mcp_queue_t *queue,
                            int32_t timeout_ms,
                            mcp_message_t **message);

/**
 * Ends one wait on the queue with MCP_WOKEN: the current wait or, if no thread waits, the next
 * one. Messages on the queue are taken first. Several calls before a wait count as one.
 *
 * Returns MCP_OK; MCP_ERROR_INVALID_ARGUMENT, also for a freed queue; MCP_ERROR_FORKED.
 *
 * Threads: any thread, also while another thread frees the queue; never waits. The function is
 *   async-signal-safe: a signal handler may call it whatever the interrupted thread is doing, also
 *   inside the library. It takes no lock, allocates nothing and does not change errno. So are
 *   mcp_client_queue(), mcp_server_queue(), mcp_client_wake(), mcp_client_interrupt() and
 *   mcp_server_wake(), and no other. Install the handler with sigaction(): signal() of some C
 *   libraries removes it when it runs.
 */
MCP_API mcp_status_t mcp_queue_wake(mcp_queue_t *queue);

/**
 * A descriptor that is readable while messages are on the queue. See mcp_client_fd().
 */
MCP_API int32_t mcp_queue_fd(mcp_queue_t *queue);

/**
 * Sets the function that the library calls each time the empty queue receives a message, for event
 * loops without descriptors. The function should only wake the loop and must not block. It is not
 * called again before the queue was empty: poll until MCP_EMPTY. A poll that returns MCP_EMPTY
 * after many handlers of a server ran, while more requests wait, has it called once more.
 *
 * ready: called with `user` on one thread of the library, with no lock held. If messages are
 *   already on the queue, it is called once at once, on the calling thread. NULL removes the
 *   function.
 * user: passed to `ready` and `destroy`; may be NULL.
 * destroy: called exactly once with `user`, after the last call of `ready`, also when the function
 *   fails; may be NULL.
 *
 * Returns MCP_OK, MCP_ERROR_INVALID_ARGUMENT, MCP_ERROR_FORKED.
 *
 * Threads: any thread.
 */
MCP_API
mcp_status_t mcp_queue_on_ready(mcp_queue_t *queue,
                                void (*ready)(void *user),
                                void *user,
                                void (*destroy)(void *user));

/**
 * Frees a queue. Free its clients and servers first: a queue that still has some is not freed. The
 * own queue of a client or a server is freed with its owner, and not by this function.
 *
 * queue: the queue; may be NULL. No other thread may be using it, except in mcp_queue_wake().
 *
 * Returns MCP_OK, or MCP_ERROR_INVALID_ARGUMENT for an invalid handle, for a queue that still has
 *   clients or servers, and for the own queue of one. In a child of fork() it frees nothing and
 *   returns MCP_ERROR_FORKED.
 */
MCP_API mcp_status_t mcp_queue_free(mcp_queue_t *queue);

/* ==== Features of servers ===================================================================== */

/**
 * Lists the tools of the server: all pages of the list as one result, {"tools":[...]}, with each
 * entry as the server wrote it.
 *
 * options_json: as for mcp_call(), and "cursor" (read only the page at this cursor) and "one_page"
 *   (read only the first page; "nextCursor" in the result names the next one); NULL for none.
 * reply: as for mcp_call().
 *
 * Returns the statuses of mcp_call(); MCP_ERROR_UNSUPPORTED when the server has no tools (it is
 *   asked, whether it declares them or not); MCP_ERROR_TOO_LARGE when the list exceeds
 *   "limits"; MCP_ERROR_PROTOCOL when a cursor repeats.
 *
 * Threads: any thread; waits as mcp_call() does. The timeout applies to each page, the total time
 *   to all pages.
 */
MCP_API
mcp_status_t mcp_client_list_tools(mcp_client_t *client,
                                   const char *options_json,
                                   mcp_message_t **reply);

/**
 * Calls a tool.
 *
 * With the config key "tasks" the call may become a task; it still has one outcome. Notifications
 * of the task then arrive on the queue as MCP_KIND_NOTIFICATION of topic MCP_TOPIC_TASK with the
 * id and the tag of the call, and requests of the task as MCP_KIND_REQUEST. Cancelling the call
 * cancels the task. mcp_client_get_task_result() waits for a task whose call has ended.
 *
 * name: the name of the tool, as in the list.
 * arguments_json: the arguments, a JSON object; NULL for none.
 * options_json: as for mcp_call(), and "task" (true: as a task; false: not as a task; absent: as
 *   the tool declares) and "task_ttl_ms" (how long the server is asked to keep the task); NULL for
 *   none.
 * reply: as for mcp_call(). The result is the server's, unchanged: "content", "structuredContent",
 *   "isError".
 *
 * Returns the statuses of mcp_call(); MCP_ERROR_UNSUPPORTED when the tool does not allow the call
 *   with or without a task (a server that declares no tools is asked all the same); for a task also
 *   MCP_ERROR_CANCELLED when it was cancelled on the server, and MCP_ERROR_BACKPRESSURE when
 *   "limits.tasks" is reached. A tool that failed is MCP_OK with "isError":true in the result.
 *
 * Threads: any thread; waits as mcp_call() does.
 *
 * Example:
 *
 *     mcp_client_call_tool(client, "add", "{\"a\":1,\"b\":2}", NULL, &reply);
 */
MCP_API
mcp_status_t mcp_client_call_tool(mcp_client_t *client,
                                  const char *name,
                                  const char *arguments_json,
                                  const char *options_json,
                                  mcp_message_t **reply);

/**
 * mcp_client_call_tool() as a started call (see mcp_call_start()); also returns
 * MCP_ERROR_UNSUPPORTED.
 */
MCP_API
mcp_status_t mcp_client_call_tool_start(mcp_client_t *client,
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
 * Returns the statuses of mcp_call(), and MCP_ERROR_UNSUPPORTED when the server has no resources.
 *   A resource that does not exist is MCP_ERROR_SERVER with code -32602 (2026-07-28) or -32002
 *   (earlier revisions).
 *
 * Threads: any thread; waits as mcp_call() does.
 */
MCP_API
mcp_status_t mcp_client_read_resource(mcp_client_t *client,
                                      const char *uri,
                                      const char *options_json,
                                      mcp_message_t **reply);

/**
 * mcp_client_read_resource() as a started call (see mcp_call_start()); also returns
 * MCP_ERROR_UNSUPPORTED.
 */
MCP_API
mcp_status_t mcp_client_read_resource_start(mcp_client_t *client,
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
 * Returns the statuses of mcp_call(), and MCP_ERROR_UNSUPPORTED when the server has no
 *   subscriptions or does not accept this one.
 *
 * Threads: any thread; waits as mcp_call() does.
 */
MCP_API
mcp_status_t mcp_client_subscribe_resource(mcp_client_t *client,
                                           const char *uri,
                                           const char *options_json,
                                           mcp_message_t **reply);

/**
 * Ends a subscription of mcp_client_subscribe_resource(). Parameters, statuses and threads as
 * there.
 */
MCP_API
mcp_status_t mcp_client_unsubscribe_resource(mcp_client_t *client,
                                             const char *uri,
                                             const char *options_json,
                                             mcp_message_t **reply);

/**
 * Gets a prompt with its arguments filled in: {"messages":[...]}.
 *
 * name: the name of the prompt, as in the list.
 * arguments_json: the arguments, a JSON object whose values are strings; NULL for none.
 * options_json, reply: as for mcp_call().
 *
 * Returns the statuses of mcp_call(), and MCP_ERROR_UNSUPPORTED when the server has no prompts.
 *
 * Threads: any thread; waits as mcp_call() does.
 */
MCP_API
mcp_status_t mcp_client_get_prompt(mcp_client_t *client,
                                   const char *name,
                                   const char *arguments_json,
                                   const char *options_json,
                                   mcp_message_t **reply);

/**
 * mcp_client_get_prompt() as a started call (see mcp_call_start()); also returns
 * MCP_ERROR_UNSUPPORTED.
 */
MCP_API
mcp_status_t mcp_client_get_prompt_start(mcp_client_t *client,
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
 * Returns the statuses of mcp_call(), and MCP_ERROR_UNSUPPORTED when the server has no completion.
 *
 * Threads: any thread; waits as mcp_call() does.
 */
MCP_API
mcp_status_t mcp_client_complete(mcp_client_t *client,
                                 const char *ref_json,
                                 const char *argument,
                                 const char *value,
                                 const char *settled_json,
                                 const char *options_json,
                                 mcp_message_t **reply);

/**
 * Sets the lowest level of the log messages that the server sends (MCP_TOPIC_LOG). Up to
 * 2025-11-25 this is a request. In 2026-07-28, where a server sends no log messages until then, it
 * is a member of the metadata of each later request. The client restores the level after a
 * reconnection. The result is {}.
 *
 * level: "debug", "info", "notice", "warning", "error", "critical", "alert" or "emergency".
 * options_json, reply: as for mcp_call().
 *
 * Returns the statuses of mcp_call(), and MCP_ERROR_UNSUPPORTED when the server has no logging.
 *
 * Threads: any thread; waits as mcp_call() does.
 */
MCP_API
mcp_status_t mcp_client_set_server_log_level(mcp_client_t *client,
                                             const char *level,
                                             const char *options_json,
                                             mcp_message_t **reply);

/**
 * Sets the roots that the client returns to servers on request, and notifies the servers that can
 * be notified (up to 2025-11-25).
 *
 * roots_json: a JSON array of file:// URIs or of objects with such a "uri".
 * error_json: receives the error object on failure; may be NULL.
 *
 * Returns MCP_OK; MCP_ERROR_UNSUPPORTED when the client has not declared roots (set "roots" in the
 *   configuration); MCP_ERROR_INVALID_ARGUMENT; MCP_ERROR_FORKED.
 *
 * Threads: any thread; never waits.
 */
MCP_API
mcp_status_t mcp_client_set_roots(mcp_client_t *client,
                                  const char *roots_json,
                                  char **error_json);

/**
 * Drops all cached results of the client ("cache" in the configuration). Results of pending calls
 * are not cached either.
 *
 * Returns MCP_OK, MCP_ERROR_INVALID_ARGUMENT, MCP_ERROR_FORKED.
 *
 * Threads: any thread; never waits.
 */
MCP_API mcp_status_t mcp_client_clear_cache(mcp_client_t *client);

/**
 * Answers an elicitation request (MCP_TOPIC_ELICITATION) with what the person decided. For
 * "accept" the library adds the defaults of missing fields and checks the content against the
 * schema of the form ("requestedSchema"), with formats, before it sends it.
 *
 * The library never opens or fetches a page ("mode":"url"). Show the person the whole URL and the
 * server that asks, and open the page only after consent.
 *
 * request: a message of kind MCP_KIND_REQUEST. The caller still has to free it.
 * action: "accept" (the form was filled in, or the person consents to open the page), "decline"
 *   (the person refuses) or "cancel" (the person closed it without a choice).
 * content_json: with "accept" the content of the form, a JSON object; NULL for the defaults only.
 *   NULL for a page, and with another action.
 * error_json: receives the error object on failure; may be NULL.
 *
 * Returns the statuses of mcp_request_respond(); MCP_ERROR_INVALID_ARGUMENT also for content that
 *   the form does not allow: the request then still waits for an answer.
 *
 * Threads: any thread; never waits.
 *
 * Example:
 *
 *     mcp_request_respond_elicitation(request, "accept", "{\"size\":\"large\"}", &error);
 */
MCP_API
mcp_status_t mcp_request_respond_elicitation(const mcp_message_t *request,
                                             const char *action,
                                             const char *content_json,
                                             char **error_json);

/* ==== Tasks and skills ======================================================================== */

/**
 * Gets the current state of a task: {"taskId":...,"status":...}, as the server wrote it.
 *
 * task_id: the "taskId" of a notification of topic MCP_TOPIC_TASK, or "task" in the "details" of
 *   an error.
 * options_json, reply: as for mcp_call().
 *
 * Returns the statuses of mcp_call(), and MCP_ERROR_UNSUPPORTED when the configuration has no
 *   "tasks" or the server has no tasks. A task that the server does not know, or no longer keeps,
 *   is MCP_ERROR_SERVER with code -32602.
 *
 * Threads: any thread; waits as mcp_call() does.
 *
 * Example:
 *
 *     if (mcp_client_get_task(client, task_id, NULL, &reply) == MCP_OK)
 *         puts(mcp_value_string(mcp_value_get(mcp_message_value(reply), "status"), NULL));
 */
MCP_API
mcp_status_t mcp_client_get_task(mcp_client_t *client,
                                 const char *task_id,
                                 const char *options_json,
                                 mcp_message_t **reply);

/**
 * Waits for the result of a task and returns it as the call that became the task would have done.
 * This works also in another process than the one that made the call, and on every revision that
 * has tasks. Notifications of the task and requests of its server arrive on the queue meanwhile,
 * as for mcp_client_call_tool().
 *
 * task_id: as for mcp_client_get_task().
 * options_json, reply: as for mcp_call(). "timeout_ms" limits each request about the task;
 *   "max_total_ms", or "tasks.life_ms" of the configuration, limits the whole wait.
 *
 * Returns the statuses of mcp_client_call_tool(); MCP_ERROR_CANCELLED when the task was cancelled.
 *   A call that is cancelled or times out does not end the task; mcp_client_cancel_task() does.
 *
 * Threads: any thread; waits as mcp_call() does.
 *
 * Example:
 *
 *     // At most ten minutes; the task continues after that.
 *     const char *options = "{\"max_total_ms\":600000}";
 *     if (mcp_client_get_task_result(client, task_id, options, &reply) == MCP_OK)
 *         puts(mcp_message_text(reply, NULL));
 */
MCP_API
mcp_status_t mcp_client_get_task_result(mcp_client_t *client,
                                        const char *task_id,
                                        const char *options_json,
                                        mcp_message_t **reply);

/**
 * Asks the server to cancel a task. If the task belongs to a pending call of this client, use
 * mcp_call_cancel() instead, which also cancels the task. The server decides what happens to the
 * task (2026-07-28: it may continue).
 *
 * task_id: as for mcp_client_get_task().
 * options_json, reply: as for mcp_call(). The result is the server's: the task (2025-11-25), or a
 *   result without information.
 *
 * Returns the statuses of mcp_client_get_task(); for a task that has already ended,
 *   MCP_ERROR_SERVER with code -32602 (2025-11-25).
 *
 * Threads: any thread; waits as mcp_call() does.
 *
 * Example:
 *
 *     if (mcp_client_cancel_task(client, task_id, NULL, &reply) != MCP_OK)
 *         puts(mcp_message_json(reply, NULL));
 */
MCP_API
mcp_status_t mcp_client_cancel_task(mcp_client_t *client,
                                    const char *task_id,
                                    const char *options_json,
                                    mcp_message_t **reply);

/**
 * Loads a skill: reads its SKILL.md and returns it, {"contents":[{...}]}, if the size, the digest
 * and every field of the front matter match the entry. mcp_message_text() returns the text. No
 * other file is read.
 *
 * A digest shows that file and entry belong together, not that the server is trustworthy:
 * docs/guide/skills.md says what the host must check.
 *
 * entry_json: the entry of the skill: an element of the result of "skills/list", or the result of
 *   mcp_call() with "skills/get" and {"uri":...}, for one skill, listed or not. Keep it while the
 *   skill is in use: mcp_client_read_skill_file() needs the same entry. After a file has changed,
 *   get a new one; the consent of a person applies to the entry before.
 * options_json: as for mcp_call(), and "allow_dynamic" (true: also load a skill whose "resources"
 *   are "dynamic"; only the front matter and "limits.skill_bytes" are then checked); NULL for
 *   none.
 * reply: as for mcp_call(). On failure it contains nothing of the file.
 *
 * Returns the statuses of mcp_call() and:
 * - MCP_ERROR_PROTOCOL when the file does not match the entry: "check" in the details of the error
 *   is "size", "digest", "frontmatter" or "content" (the result is not one file).
 * - MCP_ERROR_INVALID_ARGUMENT when the entry violates a rule of the extension ("check" is
 *   "entry"). Nothing is sent.
 * - MCP_ERROR_TOO_LARGE when the skill exceeds "limits.skill_files" or "limits.skill_bytes".
 *   Nothing is sent.
 * - MCP_ERROR_UNSUPPORTED when the skill is dynamic or the library was built without the feature
 *   "skills". Nothing is sent.
 *
 * Threads: any thread; waits as mcp_call() does.
 *
 * Example:
 *
 *     const char *which = "{\"uri\":\"skill://pdf/SKILL.md\"}";
 *     if (mcp_call(client, "skills/get", which, NULL, &entry) == MCP_OK)
 *         mcp_client_load_skill(client, mcp_message_json(entry, NULL), NULL, &skill);
 */
MCP_API
mcp_status_t mcp_client_load_skill(mcp_client_t *client,
                                   const char *entry_json,
                                   const char *options_json,
                                   mcp_message_t **reply);

/**
 * mcp_client_load_skill() as a started call (see mcp_call_start()). Also returns the statuses that
 * mcp_client_load_skill() returns without sending.
 *
 * Example:
 *
 *     uint64_t call;
 *     mcp_client_load_skill_start(client, mcp_message_json(entry, NULL), NULL, 7, &call, NULL);
 */
MCP_API
mcp_status_t mcp_client_load_skill_start(mcp_client_t *client,
                                         const char *entry_json,
                                         const char *options_json,
                                         uint64_t tag,
                                         uint64_t *call_id,
                                         char **error_json);

/**
 * Reads a file of a skill and returns it, {"contents":[{...}]} with "text" or "blob" (Base64), if
 * its size and digest match the entry; for SKILL.md also the front matter.
 *
 * entry_json: the entry with which the skill was loaded; otherwise as for mcp_client_load_skill().
 * path: the path of the file in the folder of the skill, such as "references/FORMS.md" ('.' and
 *   '..' are resolved), or its URI.
 * options_json, reply: as for mcp_client_load_skill().
 *
 * Returns the statuses of mcp_client_load_skill(), and MCP_ERROR_INVALID_ARGUMENT when the path
 *   leads out of the skill or to a file that the entry does not list ("check" is "listed");
 *   nothing is sent then.
 *
 * Threads: any thread; waits as mcp_call() does.
 *
 * Example:
 *
 *     const char *held = mcp_message_json(entry, NULL);
 *     if (mcp_client_read_skill_file(client, held, "references/FORMS.md", NULL, &reply) == MCP_OK)
 *         puts(mcp_message_text(reply, NULL));
 */
MCP_API
mcp_status_t mcp_client_read_skill_file(mcp_client_t *client,
                                        const char *entry_json,
                                        const char *path,
                                        const char *options_json,
                                        mcp_message_t **reply);

/**
 * mcp_client_read_skill_file() as a started call (see mcp_call_start()). Also returns the statuses
 * that mcp_client_read_skill_file() returns without sending.
 *
 * Example:
 *
 *     uint64_t call;
 *     const char *held = mcp_message_json(entry, NULL);
 *     mcp_client_read_skill_file_start(client, held, "forms.md", NULL, 8, &call, NULL);
 */
MCP_API
mcp_status_t mcp_client_read_skill_file_start(mcp_client_t *client,
                                              const char *entry_json,
                                              const char *path,
                                              const char *options_json,
                                              uint64_t tag,
                                              uint64_t *call_id,
                                              char **error_json);

/* ==== MCP Apps: views and their hosts ========================================================= */

/**
 * Creates the host's side of a view. Read the document of the tool's "_meta.ui.resourceUri" with
 * mcp_client_read_resource() and show it in a frame under the policy that mcp_app_policy()
 * returns.
 *
 * settings_json: {"hostInfo":{"name":...,"version":...}}, and as far as the program has them
 *   "hostCapabilities" (what is not named is refused to the view: "serverTools",
 *   "serverResources", "sampling", "openLinks", "downloadFile", "message", "updateModelContext",
 *   "logging"),
 *   "hostContext" ("theme", "displayMode", "availableDisplayModes", "styles", ...), "tool" (the
 *   definition that the call was made with), "tools" (the definitions of this server's tools, of
 *   which the view may call those whose "_meta.ui.visibility" has "app"), "appTools" (what the
 *   names of the view's own tools begin with, in a host that lets a model call those: a draft).
 * app: receives the view. Free it with mcp_app_free().
 * error_json: receives the error object on failure; may be NULL.
 *
 * Returns MCP_OK; MCP_ERROR_INVALID_ARGUMENT for settings that views would not take, and the
 *   message names the member; MCP_ERROR_NO_MEMORY.
 *
 * Threads: any thread; never waits.
 *
 * Specification: MCP Apps 2026-01-26, "Communication protocol".
 */
MCP_API
MCP_MUST_USE
mcp_status_t mcp_app_new(const char *settings_json,
                         mcp_app_t **app,
                         char **error_json);

/**
 * Takes a message of the page, as it came. Nothing of it is believed: what is malformed, too large
 * or not allowed is answered or dropped, and is no error of the program.
 *
 * app: the view.
 * message_json: one JSON-RPC message. Take it from the page's own frame only.
 * error_json: receives the error object on failure; may be NULL.
 *
 * Returns MCP_OK; MCP_ERROR_INVALID_ARGUMENT for NULL, text that is not UTF-8, or an invalid view.
 *
 * Threads: any thread; never waits. Actions for the program may be there afterwards:
 *   mcp_app_poll().
 */
MCP_API mcp_status_t mcp_app_receive(mcp_app_t *app, const char *message_json, char **error_json);

/**
 * Tells the view what happened. "type" says what:
 *
 * - "input" with "arguments": those of the tool call, once; "input-partial" before, while a model
 *   is still writing them
 * - "result" with "result": the result of the tool call, as the server wrote it; or "cancelled"
 *   with "reason"
 * - "answer" with the "id" of a request that mcp_app_poll() returned, and one of "result", "error"
 *   ({"code":...,"message":...}) and "denied": true, where the person or the program says no;
 *   "progress" with "id" and "params" before
 * - "context" with "context": the members of "hostContext" that changed
 * - "tools" with "tools", when the server's list changed; "resources-changed"
 * - "call" with "call" (a number of the program), "name" and "arguments": a model calls one of the
 *   view's own tools; "call-cancelled" with "call", when the program waits no longer: 30 seconds
 * - "teardown" with "reason": the view will be removed. mcp_app_poll() returns "ended" when it has
 *   answered; wait for that a second at most.
 *
 * app: the view.
 * told_json: an object of one of these types. What the page is not ready for is kept.
 * error_json: receives the error object on failure; may be NULL.
 *
 * Returns MCP_OK; MCP_ERROR_INVALID_ARGUMENT for what a view would not take, such as a second
 *   input. An answer that comes after the page took its request back is MCP_OK.
 *
 * Threads: any thread; never waits.
 *
 * Example:
 *
 *     mcp_app_tell(app, "{\"type\":\"input\",\"arguments\":{\"city\":\"Paris\"}}", &error);
 */
MCP_API mcp_status_t mcp_app_tell(mcp_app_t *app, const char *told_json, char **error_json);

/**
 * Takes the next action. "type" says which:
 *
 * - "message": post "message" to the page
 * - "request": do "method" with "params", and tell the "answer" with this "id". "tools/call",
 *   "resources/read" and other methods of the server go to the client of this tool: mcp_call().
 *   "ui/open-link" ("url", http or https), "ui/download-file" ("contents", and safe "names" for
 *   their files) and "ui/message" ("content", a list of blocks, for the conversation) need the
 *   consent of a person. "ui/update-model-context" replaces what was sent before.
 *   "ui/request-display-mode" is answered with {"mode":...}.
 * - "cancel": the request of this "id" need not go on
 * - "ready": the page is there; "size" with "width" and "height" in pixels, what it asks for
 * - "log" with "params"; "warning" with "text", for the program's log
 * - "app-tools" with "tools": the definitions of the view's own tools from now on, under the names
 *   that "call" takes. They are a stranger's: say whose they are, and ask a person before a call.
 * - "called" with "call", and "result" or "error": how that call ended
 * - "teardown-requested": the page asks to be removed; "ended": remove it
 *
 * app: the view.
 * action_json: receives the action when MCP_OK is returned. Free it with mcp_string_free().
 *
 * Returns MCP_OK, MCP_EMPTY when there is nothing to do until something is received or told, or an
 *   error.
 *
 * Threads: any thread; never waits.
 *
 * Example:
 *
 *     char *action;
 *     while (mcp_app_poll(app, &action) == MCP_OK) {
 *         puts(action); // do it
 *         mcp_string_free(action);
 *     }
 */
MCP_API mcp_status_t mcp_app_poll(mcp_app_t *app, char **action_json);

/**
 * The policy for the frame of a document: {"csp":...,"allow":...,"refused":[...],"head":...}.
 *
 * ui_json: "_meta.ui" of the item that resources/read returned, and if that has none, of the entry
 *   in the list; NULL if there is neither.
 * policy_json: receives the policy. "csp" is the Content-Security-Policy of the document, as a
 *   header or as a meta element before any script; "allow" the attribute of its frame (camera,
 *   microphone, geolocation, clipboard-write), to be consented to; "refused" the domains that were
 *   left out; "head" what comes before the text of a document in "srcdoc": the policy, and a script
 *   that takes away WebRTC from the document. That is a hurdle only: most engines have no directive
 *   for WebRTC, and the script does not see into every frame of the document. Turn WebRTC off by a
 *   setting of the engine. A host may tighten the policy and never loosen it.
 *   Free it with mcp_string_free().
 * error_json: receives the error object on failure; may be NULL.
 *
 * Returns MCP_OK or MCP_ERROR_INVALID_ARGUMENT.
 *
 * Threads: any thread; never waits.
 *
 * Specification: MCP Apps 2026-01-26, "Content Security Policy enforcement".
 */
MCP_API mcp_status_t mcp_app_policy(const char *ui_json, char **policy_json, char **error_json);

/**
 * Frees a view. Requests that are under way are the program's to end.
 *
 * app: the view; may be NULL.
 *
 * Returns MCP_OK, or MCP_ERROR_INVALID_ARGUMENT for an invalid view, such as one that was already
 *   freed. In a child of fork(), for a view of the parent, it frees nothing and returns
 *   MCP_ERROR_FORKED.
 *
 * Threads: no other thread may use the view during the call.
 */
MCP_API mcp_status_t mcp_app_free(mcp_app_t *app);

/* ==== Logins ================================================================================== */

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
 * Returns MCP_OK, MCP_ERROR_AUTH (the URL does not belong to the current login, or a check failed:
 *   see the error), MCP_ERROR_UNSUPPORTED (no "auth" in the configuration),
 *   MCP_ERROR_INVALID_ARGUMENT, MCP_ERROR_FORKED.
 *
 * Threads: any thread; never waits. The calls that wait for the login continue by themselves.
 *
 * Example:
 *
 *     mcp_client_complete_login(client, "http://127.0.0.1:8976/callback?code=x&state=y", NULL);
 */
MCP_API
mcp_status_t mcp_client_complete_login(mcp_client_t *client,
                                       const char *callback_url,
                                       char **error_json);

/**
 * Supplies the credential that a message of kind MCP_KIND_AUTH asked for: with "kind":"token" a
 * token for the server, with "assertion" a signed statement about the workload, with "subject" a
 * token that identifies the person to the identity provider.
 *
 * credential: visible ASCII, at most 16 KiB; white space around it is ignored. It is never logged.
 * lasts_ms: how long the credential is valid, in milliseconds; negative if unknown.
 * error_json: receives the error object on failure; may be NULL.
 *
 * Returns MCP_OK, MCP_ERROR_AUTH (no message asked for a credential), MCP_ERROR_UNSUPPORTED (no
 *   "auth" in the configuration), MCP_ERROR_INVALID_ARGUMENT, MCP_ERROR_FORKED.
 *
 * Threads: any thread; never waits.
 *
 * Example:
 *
 *     // After a message MCP_KIND_AUTH that asks for one; valid for five minutes.
 *     mcp_client_supply_credential(client, getenv("MCP_TOKEN"), 300000, NULL);
 */
MCP_API
mcp_status_t mcp_client_supply_credential(mcp_client_t *client,
                                          const char *credential,
                                          int32_t lasts_ms,
                                          char **error_json);

/**
 * Aborts the current login, because the person closed the window or the application has no
 * credential. Calls that wait for the login end with MCP_ERROR_AUTH.
 *
 * reason: the reason for the error message; may be NULL.
 * error_json: receives the error object on failure; may be NULL.
 *
 * Returns MCP_OK, also when no login is in progress; MCP_ERROR_UNSUPPORTED (no "auth" in the
 *   configuration), MCP_ERROR_INVALID_ARGUMENT, MCP_ERROR_FORKED.
 *
 * Threads: any thread; never waits.
 */
MCP_API
mcp_status_t mcp_client_abort_login(mcp_client_t *client,
                                    const char *reason,
                                    char **error_json);

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
 * Returns MCP_OK, MCP_ERROR_AUTH (the library no longer waits for this answer),
 *   MCP_ERROR_UNSUPPORTED (no "auth" in the configuration), MCP_ERROR_INVALID_ARGUMENT,
 *   MCP_ERROR_FORKED.
 *
 * Threads: any thread; never waits.
 *
 * Example:
 *
 *     mcp_client_answer_auth(client, message, stored_text_or_NULL, NULL, NULL);
 */
MCP_API
mcp_status_t mcp_client_answer_auth(mcp_client_t *client,
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
 * Returns MCP_OK; MCP_ERROR_AUTH (the login could not be deleted everywhere: the error says where
 *   it remains); MCP_ERROR_TIMEOUT; MCP_ERROR_CLOSED (the client was closed before the end);
 *   MCP_ERROR_UNSUPPORTED (no "auth" in the configuration); MCP_ERROR_INVALID_ARGUMENT;
 *   MCP_ERROR_FORKED.
 *
 * Threads: any thread. If the application is the store, another thread must poll and answer the
 *   messages meanwhile.
 *
 * Example:
 *
 *     mcp_client_logout(client, -1, NULL);
 */
MCP_API mcp_status_t mcp_client_logout(mcp_client_t *client, int32_t timeout_ms, char **error_json);

/* ==== Reading JSON ============================================================================ */

/**
 * The JSON of a message as a value: what mcp_message_json() returns as text (the result of a
 * successful reply, the error object of a failed one, the parameters of a notification, request or
 * progress message, the object of another kind).
 *
 * Returns the value, valid until mcp_message_free(); a value of type MCP_JSON_ABSENT for an
 *   invalid message.
 *
 * Threads: any thread.
 *
 * Example:
 *
 *     mcp_value_t tools = mcp_value_get(mcp_message_value(reply), "tools");
 *     for (mcp_value_t tool = mcp_value_first(tools); mcp_value_type(tool) != MCP_JSON_ABSENT;
 *          tool = mcp_value_next(tool)) {
 *         puts(mcp_value_string(mcp_value_get(tool, "name"), NULL));
 *     }
 */
MCP_API mcp_value_t mcp_message_value(const mcp_message_t *message);

/**
 * The type of a value.
 *
 * Returns MCP_JSON_*; MCP_JSON_ABSENT (0) for a value that does not exist, or whose message or
 *   document was freed.
 *
 * Threads: any thread.
 */
MCP_API mcp_json_type_t mcp_value_type(mcp_value_t value);

/**
 * The member of an object that has this name.
 *
 * name: the name as text, not escaped. A name that contains a NUL can be found only by iteration.
 *
 * Returns the member; the last one if the object has several of this name, as most JSON libraries
 *   do; a value of type MCP_JSON_ABSENT if there is none, `value` is not an object, or `name` is
 *   NULL or invalid UTF-8.
 *
 * Threads: any thread. The function reads the object once.
 */
MCP_API mcp_value_t mcp_value_get(mcp_value_t value, const char *name);

/**
 * The element of an array at an index.
 *
 * index: from 0.
 *
 * Returns the element; a value of type MCP_JSON_ABSENT if there is none or `value` is not an array.
 *
 * Threads: any thread. The function reads the array up to the element: to visit all elements use
 *   mcp_value_first() and mcp_value_next(), which read it once.
 */
MCP_API mcp_value_t mcp_value_at(mcp_value_t value, size_t index);

/**
 * The first element of an array or the first member of an object, in the order of the text.
 *
 * Returns the value; a value of type MCP_JSON_ABSENT if `value` is empty, or is neither an array
 *   nor an object.
 *
 * Threads: any thread.
 */
MCP_API mcp_value_t mcp_value_first(mcp_value_t value);

/**
 * The element or member after `value` in the same array or object. A loop over all of them reads
 * the text once. In an object, members with the same name are all visited.
 *
 * value: from any function here. The whole JSON of a message or document has no next value.
 *
 * Returns the value; a value of type MCP_JSON_ABSENT after the last one.
 *
 * Threads: any thread.
 */
MCP_API mcp_value_t mcp_value_next(mcp_value_t value);

/**
 * The name of a member of an object, as a value of type MCP_JSON_STRING: mcp_value_string()
 * decodes it, mcp_value_is() compares it.
 *
 * value: a member from mcp_value_get(), mcp_value_first() or mcp_value_next().
 *
 * Returns the name; a value of type MCP_JSON_ABSENT if `value` is not a member of an object.
 *
 * Threads: any thread.
 */
MCP_API mcp_value_t mcp_value_key(mcp_value_t value);

/**
 * Counts the elements of an array or the members of an object.
 *
 * Returns the number; 0 for every other value.
 *
 * Threads: any thread. The function reads the array or object once.
 */
MCP_API size_t mcp_value_size(mcp_value_t value);

/**
 * Reads an integer. A number counts as an integer if it is one, however it is written: 3, 3.0, 3e0
 * and -0 are integers. The conversion is exact.
 *
 * out: receives the number when MCP_OK is returned; otherwise it keeps what it has, such as a
 *   default.
 *
 * Returns MCP_OK; MCP_EMPTY for a value that does not exist; MCP_ERROR_TOO_LARGE for an integer
 *   that int64_t cannot hold; MCP_ERROR_INVALID_ARGUMENT for a number with a fraction, for a
 *   value of another type, and for NULL.
 *
 * Threads: any thread.
 *
 * Example:
 *
 *     int64_t limit = 100;
 *     mcp_value_int64(mcp_value_get(parameters, "limit"), &limit);
 */
MCP_API mcp_status_t mcp_value_int64(mcp_value_t value, int64_t *out);

/**
 * Reads a number as the nearest double, independently of the locale. The sign of -0 is kept, and a
 * number that is too small becomes 0.
 *
 * out: receives the number when MCP_OK is returned; otherwise it keeps what it has.
 *
 * Returns MCP_OK; MCP_EMPTY for a value that does not exist; MCP_ERROR_TOO_LARGE for a number
 *   that a double cannot hold, such as 1e400; MCP_ERROR_INVALID_ARGUMENT for a value of another
 *   type, and for NULL.
 *
 * Threads: any thread.
 */
MCP_API mcp_status_t mcp_value_double(mcp_value_t value, double *out);

/**
 * Reads true or false.
 *
 * out: receives the value when MCP_OK is returned; otherwise it keeps what it has.
 *
 * Returns MCP_OK; MCP_EMPTY for a value that does not exist; MCP_ERROR_INVALID_ARGUMENT for a
 *   value of another type, and for NULL.
 *
 * Threads: any thread.
 */
MCP_API mcp_status_t mcp_value_bool(mcp_value_t value, bool *out);

/**
 * The text of a string, decoded and followed by a NUL. The message or document keeps it: there is
 * nothing to free, and reading the same string again returns the same pointer. Half of a surrogate
 * pair ("\ud800" alone), which JSON allows and UTF-8 does not, becomes U+FFFD.
 *
 * length: receives the length in bytes without the terminating NUL; may be NULL. The text itself
 *   contains a NUL where the string has "\u0000": with NULL here you see it only up to that.
 *
 * Returns borrowed, NUL-terminated UTF-8, valid as long as the message or document; NULL if the
 *   value is not a string, or the system refuses the memory.
 *
 * Threads: any thread. The first call for a string copies it: mcp_value_view() does not.
 */
MCP_API const char *mcp_value_string(mcp_value_t value, size_t *length);

/**
 * The text of a string without a copy: in the message or document where it has no escapes,
 * otherwise as mcp_value_string() returns it.
 *
 * length: receives the length in bytes; needed, because no NUL follows the text.
 *
 * Returns borrowed UTF-8 WITHOUT a terminating NUL, valid as long as the message or document;
 *   NULL if the value is not a string, `length` is NULL, or the system refuses the memory.
 *
 * Threads: any thread.
 *
 * Example:
 *
 *     size_t length;
 *     const char *name = mcp_value_view(mcp_value_get(tool, "name"), &length);
 *     if (name != NULL) printf("%.*s\n", (int)length, name);
 */
MCP_API const char *mcp_value_view(mcp_value_t value, size_t *length);

/**
 * Compares a string with a text, without a copy.
 *
 * other: the text, not escaped. A string that contains a NUL is equal to no text.
 *
 * Returns true if the value is a string that spells `other`; false for another string, another
 *   type, NULL and invalid UTF-8.
 *
 * Threads: any thread.
 */
MCP_API bool mcp_value_is(mcp_value_t value, const char *other);

/**
 * The JSON text of a value as it is written in the message or document, without a copy: numbers
 * with all their digits, strings with quotes and escapes. mcp_builder_value() copies it into
 * another text.
 *
 * length: receives the length in bytes; needed, because no NUL follows the text.
 *
 * Returns borrowed UTF-8 WITHOUT a terminating NUL, valid as long as the message or document;
 *   NULL for a value that does not exist, and if `length` is NULL.
 *
 * Threads: any thread.
 */
MCP_API const char *mcp_value_json(mcp_value_t value, size_t *length);

/**
 * Creates a document from JSON text. To read the JSON of a message, use mcp_message_value(), which
 * needs no document.
 *
 * json: UTF-8; copied. It needs no terminating NUL.
 * length: the length in bytes.
 * out: receives the document. Free it with mcp_document_free().
 * error_json: receives the error object on failure; may be NULL. "details" has the "offset" of
 *   the first byte that is wrong.
 *
 * Returns MCP_OK; MCP_ERROR_INVALID_ARGUMENT for text that is not exactly one JSON value, is not
 *   UTF-8 or nests deeper than 1,000 levels, and for NULL; MCP_ERROR_NO_MEMORY.
 *
 * Threads: any thread.
 */
MCP_API
MCP_MUST_USE
mcp_status_t mcp_document_new(const char *json,
                              size_t length,
                              mcp_document_t **out,
                              char **error_json);

/**
 * The value that a document is.
 *
 * Returns the value, valid until mcp_document_free(); a value of type MCP_JSON_ABSENT for an
 *   invalid document.
 *
 * Threads: any thread.
 */
MCP_API mcp_value_t mcp_document_value(const mcp_document_t *document);

/**
 * Frees a document, with all strings that were read from it.
 *
 * document: the document; may be NULL.
 *
 * Returns MCP_OK, or MCP_ERROR_INVALID_ARGUMENT for an invalid document, such as one that was
 *   already freed. In a child of fork(), for a document of the parent, it frees nothing and
 *   returns MCP_ERROR_FORKED.
 */
MCP_API mcp_status_t mcp_document_free(mcp_document_t *document);

/* ==== Writing JSON ============================================================================ */

/**
 * Creates a builder.
 *
 * Returns the builder; NULL if the system refuses the memory, and then mcp_builder_finish()
 *   returns MCP_ERROR_INVALID_ARGUMENT. Free it with mcp_builder_free().
 *
 * Threads: any thread.
 *
 * Example:
 *
 *     mcp_builder_t *builder = mcp_builder_new();
 *     mcp_builder_begin_object(builder);
 *     mcp_builder_key(builder, "path");
 *     mcp_builder_string(builder, path);
 *     mcp_builder_key(builder, "limit");
 *     mcp_builder_int64(builder, 10);
 *     mcp_builder_end(builder);
 *     const char *arguments;
 *     mcp_status_t status = mcp_builder_finish(builder, &arguments, NULL, &error);
 *     if (status == MCP_OK) {
 *         status = mcp_client_call_tool(client, "list_files", arguments, NULL, &reply);
 *     }
 *     mcp_builder_free(builder);
 */
MCP_API MCP_MUST_USE mcp_builder_t *mcp_builder_new(void);

/**
 * Begins an object. Its members follow, each with mcp_builder_key() and one value.
 *
 * Threads: any thread.
 */
MCP_API void mcp_builder_begin_object(mcp_builder_t *builder);

/**
 * Begins an array. Its elements follow.
 *
 * Threads: any thread.
 */
MCP_API void mcp_builder_begin_array(mcp_builder_t *builder);

/**
 * Ends the object or array that was begun last.
 *
 * Threads: any thread.
 */
MCP_API void mcp_builder_end(mcp_builder_t *builder);

/**
 * Writes the name of the next member. The builder does not check whether the object already has
 * that name: most readers then take the last member.
 *
 * key: the name as text; the builder escapes it.
 *
 * Threads: any thread.
 */
MCP_API void mcp_builder_key(mcp_builder_t *builder, const char *key);

/**
 * Writes a string.
 *
 * text: UTF-8; the builder escapes it.
 *
 * Threads: any thread.
 */
MCP_API void mcp_builder_string(mcp_builder_t *builder, const char *text);

/**
 * Writes the name of the next member, as mcp_builder_key(), from a text that may contain NUL
 * characters or is not followed by one.
 *
 * text: UTF-8; the builder escapes it. It may be any pointer but NULL if `length` is 0.
 * length: its length in bytes.
 *
 * Threads: any thread.
 */
MCP_API void mcp_builder_key_view(mcp_builder_t *builder, const char *text, size_t length);

/**
 * Writes a string, as mcp_builder_string(), from a text that may contain NUL characters or is not
 * followed by one, such as that of mcp_value_view().
 *
 * text: UTF-8; the builder escapes it. It may be any pointer but NULL if `length` is 0.
 * length: its length in bytes.
 *
 * Threads: any thread.
 */
MCP_API void mcp_builder_string_view(mcp_builder_t *builder, const char *text, size_t length);

/**
 * Writes an integer.
 *
 * Threads: any thread.
 */
MCP_API void mcp_builder_int64(mcp_builder_t *builder, int64_t number);

/**
 * Writes a number, as the shortest text that reads back as the same double; an integer without a
 * fraction. NaN and infinity are mistakes, because JSON has no text for them.
 *
 * Threads: any thread.
 */
MCP_API void mcp_builder_double(mcp_builder_t *builder, double number);

/**
 * Writes true or false.
 *
 * Threads: any thread.
 */
MCP_API void mcp_builder_bool(mcp_builder_t *builder, bool value);

/**
 * Writes null.
 *
 * Threads: any thread.
 */
MCP_API void mcp_builder_null(mcp_builder_t *builder);

/**
 * Writes a value that already is JSON text.
 *
 * json: the text; the builder checks that it is exactly one value.
 *
 * Threads: any thread.
 */
MCP_API void mcp_builder_json(mcp_builder_t *builder, const char *json);

/**
 * Writes a value of a message or document, as it is written there.
 *
 * value: the value. One that does not exist is a mistake.
 *
 * Threads: any thread.
 */
MCP_API void mcp_builder_value(mcp_builder_t *builder, mcp_value_t value);

/**
 * Finishes the text and lends it.
 *
 * json: receives the text, NUL-terminated UTF-8, valid until mcp_builder_free(). Copy it to keep it
 *   longer; a builder makes one text.
 * length: receives the length in bytes without the terminating NUL; may be NULL.
 * error_json: receives the error object on failure; may be NULL. "details" has the "function" of
 *   the first mistake and the number of its "call", from 1.
 *
 * Returns MCP_OK, also when it is called again; MCP_ERROR_INVALID_ARGUMENT, MCP_ERROR_TOO_LARGE
 *   or MCP_ERROR_NO_MEMORY for the first mistake; MCP_ERROR_INVALID_ARGUMENT also if there is no
 *   value, an object or an array is not ended, or for an invalid builder; MCP_ERROR_FORKED.
 *
 * Threads: any thread.
 */
MCP_API
mcp_status_t mcp_builder_finish(mcp_builder_t *builder,
                                const char **json,
                                size_t *length,
                                char **error_json);

/**
 * Frees a builder, with the text that mcp_builder_finish() lent.
 *
 * builder: the builder; may be NULL.
 *
 * Returns MCP_OK, or MCP_ERROR_INVALID_ARGUMENT for an invalid builder, such as one that was
 *   already freed. In a child of fork(), for a builder of the parent, it frees nothing and
 *   returns MCP_ERROR_FORKED.
 */
MCP_API mcp_status_t mcp_builder_free(mcp_builder_t *builder);

/* ==== Single JSON values, URI templates ======================================================= */

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
 * Returns MCP_OK, MCP_EMPTY when there is no value, MCP_ERROR_INVALID_ARGUMENT for invalid JSON,
 *   an invalid pointer or NULL. A JSON null is returned as the text "null". Half of a surrogate
 *   pair in a string ("\ud800" alone) becomes U+FFFD.
 *
 * Threads: any thread. Each call scans the whole text. mcp_document_new() reads it once: it says
 *   what is wrong with a text, and its values have types, sizes and members.
 */
MCP_API
mcp_status_t mcp_json_get(const char *json,
                          const char *pointer,
                          char **value,
                          size_t *length);

/**
 * The text for people of an error object: its "message", decoded. It needs no free function.
 *
 * error_json: the error object; NULL gives an empty text, and what is no error object itself.
 * buffer: receives the text, as much of it as there is room for, and a NUL. May be NULL.
 * size: the room there, in bytes.
 *
 * Returns `buffer`; an empty static string if it is NULL or `size` is 0. Never NULL.
 *
 * Threads: any thread; never waits.
 *
 * Example:
 *
 *     char text[512];
 *     if (mcp_client_connect(client, -1, &error) != MCP_OK) {
 *         fprintf(stderr, "%s\n", mcp_error_text(error, text, sizeof text));
 *     }
 *     mcp_string_free(error);
 */
MCP_API const char *mcp_error_text(const char *error_json, char *buffer, size_t size);

/**
 * Converts a text to a JSON string with its quotes, to build parameters.
 *
 * text: any UTF-8.
 * quoted: receives the JSON string. Free it with mcp_string_free().
 *
 * Returns MCP_OK or MCP_ERROR_INVALID_ARGUMENT.
 *
 * Threads: any thread.
 */
MCP_API mcp_status_t mcp_json_quote(const char *text, char **quoted);

/**
 * Expands a URI template (RFC 6570, all levels), such as "uriTemplate" of a resource template.
 *
 * uri_template: the template.
 * variables_json: a JSON object of strings, numbers and booleans, or lists and objects of these. A
 *   variable that is missing or null expands to nothing.
 * uri: receives the URI. Free it with mcp_string_free().
 * error_json: receives the error object on failure; may be NULL.
 *
 * Returns MCP_OK or MCP_ERROR_INVALID_ARGUMENT.
 *
 * Threads: any thread. No client is necessary.
 */
MCP_API
mcp_status_t mcp_uri_template_expand(const char *uri_template,
                                     const char *variables_json,
                                     char **uri,
                                     char **error_json);

/* ==== Servers ================================================================================= */

/**
 * Creates a server from a JSON configuration. It serves nothing: add what it offers, then call
 * mcp_server_serve().
 *
 * config_json: a JSON object. "name" is necessary; "version", "title", "instructions", "protocol",
 *   "page_size", "limits", "timeouts" and more are in docs/reference/server-configuration.md. An
 *   unknown key is an error that names it and the nearest known key.
 * queue: receives the messages of the server; NULL gives the server its own queue. A queue may be
 *   shared with clients and other servers. Do not free it before the server.
 * out: receives the server. Free it with mcp_server_free().
 * error_json: receives the error object on failure; may be NULL.
 *
 * Returns MCP_OK, MCP_ERROR_INVALID_ARGUMENT, MCP_ERROR_FORKED, or MCP_ERROR_INTERNAL when the
 *   process has no descriptor left.
 *
 * Threads: any thread. Handlers run only on threads in mcp_server_run(), mcp_server_poll() and
 *   mcp_queue_poll().
 *
 * Example:
 *
 *     mcp_server_t *server;
 *     mcp_server_new("{\"name\":\"editor\",\"version\":\"1.0\"}", NULL, &server, NULL);
 *     mcp_server_add_tool(server, definition, on_tool, document, NULL, NULL);
 *     mcp_server_serve(server, "{\"stdio\":true}", NULL, NULL);
 *     mcp_server_run(server, -1);
 *     mcp_server_free(server);
 */
MCP_API
MCP_MUST_USE
mcp_status_t mcp_server_new(const char *config_json,
                            mcp_queue_t *queue,
                            mcp_server_t **out,
                            char **error_json);

/**
 * Begins to serve. May be called several times, for several endpoints at once.
 *
 * endpoint_json: {"stdio":true}: the standard streams of this process. Unless "protect" is false,
 *   descriptor 1 then leads to descriptor 2 and descriptor 0 to /dev/null, until the server ends,
 *   so that nothing that the program prints gets between the messages. Or
 *   {"url":"http://HOST:PORT/PATH"}: Streamable HTTP, every revision that has it at one URL. Of
 *   "https" with "certificate_file" and "key_file" (PEM). Requests whose Host is not this machine's
 *   (beyond loopback: not that of the URL and no address) are refused, unless "hosts" (a list) has
 *   it, and requests of pages whose origin "origins" (a list) does not have. Or
 *   {"url":"https://HOST/PATH","listen":false}: an HTTP server of the program takes the requests
 *   and gives them to mcp_server_http(). Or {"socket":"unix:PATH"} or {"socket":"tcp:HOST:PORT"}:
 *   clients connect, each is a session.
 *   Addresses that other machines reach need "beyond_loopback":true.
 * bound_json: receives where the server serves, with the port for port 0, as an endpoint is
 *   written; may be NULL. Free it with
 *   mcp_string_free().
 * error_json: receives the error object on failure; may be NULL.
 *
 * Returns MCP_OK, MCP_ERROR_INVALID_ARGUMENT, MCP_ERROR_UNAVAILABLE (the address is in use, or
 *   another server of this process has the standard streams), MCP_ERROR_BACKPRESSURE (too many
 *   sessions), MCP_ERROR_CLOSED, MCP_ERROR_FORKED, MCP_ERROR_INTERNAL.
 *
 * Threads: any thread. A host name in a TCP address is looked up on this thread, and a folder that
 *   another process is about to serve from is waited for, up to one second. Serve sockets first
 *   and the standard streams last: the client that started the program may write at once.
 */
MCP_API
mcp_status_t mcp_server_serve(mcp_server_t *server,
                              const char *endpoint_json,
                              char **bound_json,
                              char **error_json);

/**
 * Serves on this thread: reads, answers, and runs the handlers that were registered. Several
 * threads may call it, to run several handlers at the same time.
 *
 * timeout_ms: the longest time in milliseconds; -1 for no limit, 0 does what is to be done now.
 *
 * Returns MCP_ERROR_CLOSED when all that is served has ended: the standard input has ended and its
 *   requests are answered, or the server was closed; MCP_EMPTY after `timeout_ms`; MCP_WOKEN after
 *   mcp_server_wake(); MCP_ERROR_INVALID_ARGUMENT, MCP_ERROR_FORKED.
 *
 * Threads: any thread. While a handler runs, a thread of the library reads and answers what needs
 *   no handler.
 */
MCP_API mcp_status_t mcp_server_run(mcp_server_t *server, int32_t timeout_ms);

/**
 * The queue of a server: the one that it was created with, or its own. Wait there, wake it, watch
 * its descriptor, or set a function that is called when it fills, with the functions mcp_queue_...
 *
 * Returns the queue, borrowed: an own queue is valid until the server is freed, is not freed by
 *   mcp_queue_free() and takes no client and no other server. NULL for an invalid handle.
 *
 * Threads: any thread; never waits. Async-signal-safe: a program ends on SIGTERM in these lines.
 *
 * Example:
 *
 *     static mcp_server_t *server;
 *     static void on_term(int number) {
 *         (void)number;
 *         mcp_queue_wake(mcp_server_queue(server));
 *     }
 */
MCP_API mcp_queue_t *mcp_server_queue(mcp_server_t *server);

/**
 * Ends one wait of mcp_server_run() or mcp_server_poll() with MCP_WOKEN: the current one or, if no
 * thread waits, the next one. What the wait would have done is done first. Several calls before a
 * wait count as one. On a shared queue it is mcp_queue_wake(). It is how a program ends on SIGTERM:
 * the handler calls this, and the thread that gets MCP_WOKEN calls mcp_server_free().
 *
 * Returns MCP_OK; MCP_ERROR_INVALID_ARGUMENT, also for a freed server; MCP_ERROR_FORKED.
 *
 * Threads: any thread, also while another thread frees the server; never waits. Async-signal-safe,
 *   as mcp_queue_wake() is.
 */
MCP_API mcp_status_t mcp_server_wake(mcp_server_t *server);

/**
 * The next message of a server: a request without a handler, a request that is no longer wanted
 * (topic MCP_TOPIC_CANCELLED, with the number of mcp_message_call_id()), and so on. Handlers that
 * were registered run meanwhile, on this thread.
 *
 * timeout_ms: the longest wait in milliseconds; -1 waits without limit, 0 never waits.
 * out: receives the message. Free it with mcp_message_free(). NULL if there is none.
 *
 * Returns MCP_OK, MCP_EMPTY, MCP_WOKEN, MCP_ERROR_CLOSED (all that is served has ended, and every
 *   message was taken), MCP_ERROR_INVALID_ARGUMENT (also for a server on a shared queue),
 *   MCP_ERROR_FORKED.
 *
 * Threads: any thread.
 */
MCP_API mcp_status_t mcp_server_poll(mcp_server_t *server, int32_t timeout_ms, mcp_message_t **out);

/**
 * A descriptor that is readable while a message or a handler waits: for the event loop of the
 * application, which then calls mcp_server_poll() with timeout 0. A loop that hears of changes only
 * (EPOLLET) calls it until it returns MCP_EMPTY; when that is because many handlers ran, while more
 * requests wait, the loop hears of these once more. A thread of the library serves meanwhile. On
 * Windows it is a SOCKET.
 *
 * Returns the descriptor, which belongs to the library, or a negative status.
 *
 * Threads: any thread.
 */
MCP_API int32_t mcp_server_fd(mcp_server_t *server);

/**
 * Tells the clients that subscribed to a resource that it has changed.
 *
 * uri: the URI of the resource.
 *
 * Returns MCP_OK, MCP_ERROR_INVALID_ARGUMENT or MCP_ERROR_FORKED.
 *
 * Threads: any thread; never waits.
 */
MCP_API
mcp_status_t mcp_server_resource_updated(mcp_server_t *server,
                                         const char *uri,
                                         char **error_json);

/**
 * Sends a log message that belongs to no request, to the clients of the legacy era that want
 * messages of that level. In revision 2026-07-28 log messages belong to requests: see
 * mcp_request_log(). The configuration must announce "logging". A session gets
 * "limits.logs_per_second" messages; what is more is left out and counted ("dropped_logs" of
 * mcp_server_info()).
 *
 * level: "debug", "info", "notice", "warning", "error", "critical", "alert" or "emergency".
 * logger: the name of the logger; may be NULL.
 * data_json: any JSON.
 *
 * Returns MCP_OK, MCP_ERROR_INVALID_ARGUMENT or MCP_ERROR_FORKED.
 *
 * Threads: any thread; never waits.
 */
MCP_API
mcp_status_t mcp_server_log(mcp_server_t *server,
                            const char *level,
                            const char *logger,
                            const char *data_json,
                            char **error_json);

/**
 * Describes the server as a JSON object: "state", what is open now ("sessions", "requests",
 * "questions", "subscriptions", "tasks"), "listening", "counters" since the server was made,
 * "times" ("waiting" and "handling" of requests, each a histogram), "http" (connections, bytes,
 * answers by status), and "store" (null, or whether it is "ready", operations that are "open", and
 * answers that came "late").
 *
 * info_json: receives the object. Free it with mcp_string_free().
 *
 * Returns MCP_OK, MCP_ERROR_INVALID_ARGUMENT or MCP_ERROR_FORKED.
 *
 * Threads: any thread; never waits.
 */
MCP_API mcp_status_t mcp_server_info(mcp_server_t *server, char **info_json, char **error_json);

/**
 * Closes the server. With "timeouts.notice_ms" and "timeouts.drain_ms" of the configuration it
 * drains first: health endpoints say 503 while everything is served, then no client connects any
 * more and requests under way have time to be finished, by handlers on other threads. A second
 * call ends that. Then no more clients are accepted, requests under way are refused and their
 * handlers told (topic MCP_TOPIC_CANCELLED), and every session ends. The standard streams are
 * given back.
 *
 * timeout_ms: how long to wait for clients to take what was sent to them; -1 uses
 *   "timeouts.close_ms" of the configuration (default 2000).
 *
 * Returns MCP_OK; MCP_ERROR_TIMEOUT when a client did not take everything;
 *   MCP_ERROR_INVALID_ARGUMENT; MCP_ERROR_FORKED.
 *
 * Threads: any thread, any number of times, also in a handler.
 */
MCP_API mcp_status_t mcp_server_close(mcp_server_t *server, int32_t timeout_ms);

/**
 * Frees a server. If it is open, the function first closes it as mcp_server_close(server, -1) does.
 * Messages that were polled stay valid; answering them has no effect. After the last server and
 * the last client are freed, no thread or descriptor of the library is left.
 *
 * server: the server; may be NULL. No other thread may be using it, and no handler of it may run.
 *
 * Returns MCP_OK, or MCP_ERROR_INVALID_ARGUMENT for an invalid handle. In a child of fork() it
 *   frees nothing and returns MCP_ERROR_FORKED.
 */
MCP_API mcp_status_t mcp_server_free(mcp_server_t *server);

/**
 * Serves one client over a transport that the application implements. Call it once for each client.
 * `open` is called before the function returns; what the client sends comes in through
 * mcp_transport_deliver(), and mcp_transport_closed() tells that the client is gone.
 *
 * functions: the functions of the transport; copied.
 * user: passed to each function; may be NULL.
 * error_json: receives the error object on failure; may be NULL.
 *
 * Returns MCP_OK, MCP_ERROR_INVALID_ARGUMENT, MCP_ERROR_UNSUPPORTED (`version` is newer than the
 *   library), MCP_ERROR_TRANSPORT (`open` failed), MCP_ERROR_BACKPRESSURE (too many sessions),
 *   MCP_ERROR_CLOSED, MCP_ERROR_FORKED, MCP_ERROR_INTERNAL. `destroy` is called after every result,
 *   at the latest when the server is freed. Of a table that is too small or of another version no
 *   other function is called.
 *
 * Threads: any thread. The thread that delivers a message also processes it; answers are sent by
 *   the thread that gives them. A server that only has such clients ends when it is closed.
 *
 * Example:
 *
 *     // One client over a transport of the program.
 *     extern const mcp_transport_functions_t over_a_bus;
 *     if (mcp_server_attach(server, &over_a_bus, app, &error) == MCP_OK)
 *         mcp_server_run(server, -1);
 */
MCP_API
mcp_status_t mcp_server_attach(mcp_server_t *server,
                               const mcp_transport_functions_t *functions,
                               void *user,
                               char **error_json);

/**
 * Sends a notification of an extension to clients of the legacy era. In revision 2026-07-28
 * notifications belong to requests and subscriptions: with session 0 those subscriptions get it
 * whose filter has the member that the configuration of the server names for it
 * ("announce.notifications").
 *
 * session: the number of a session, as mcp_request_context() has it; 0 for all sessions and
 *   subscriptions.
 * method: the method. Notifications that the library sends itself are refused.
 * params_json: the parameters, a JSON object; NULL for none.
 * error_json: receives the error object on failure; may be NULL.
 *
 * Returns MCP_OK, MCP_ERROR_INVALID_ARGUMENT, MCP_ERROR_UNAVAILABLE (there is no such session, or
 *   its handshake is not finished), MCP_ERROR_FORKED.
 *
 * Threads: any thread; never waits.
 */
MCP_API
mcp_status_t mcp_server_notify(mcp_server_t *server,
                               uint64_t session,
                               const char *method,
                               const char *params_json,
                               char **error_json);

/**
 * Calls a client of the legacy era outside of any request, and returns at once. The outcome
 * arrives on the queue of the server as a message of kind MCP_KIND_REPLY. A handler asks with
 * mcp_request_ask() instead, which works in every revision.
 *
 * session: the number of the session, as mcp_request_context() has it.
 * method: "ping", "roots/list", "sampling/createMessage" or "elicitation/create".
 * params_json: the parameters, a JSON object; NULL for none.
 * options_json: a JSON object; NULL for none. Its key: "timeout_ms" (default:
 *   "timeouts.question_ms" of the configuration).
 * tag: a number of the application that comes back with the reply.
 * call_id: receives the number of the call, as mcp_message_call_id() returns it; may be NULL.
 * error_json: receives the error object on failure; may be NULL.
 *
 * Returns MCP_OK, and then exactly one reply follows unless the server is freed; or
 *   MCP_ERROR_INVALID_ARGUMENT (also for parameters that mcp_request_ask() would refuse),
 *   MCP_ERROR_UNAVAILABLE (there is no such session, or its handshake is not finished),
 *   MCP_ERROR_UNSUPPORTED (the client cannot answer this, or speaks 2026-07-28),
 *   MCP_ERROR_BACKPRESSURE (too many calls wait, or messages are not polled), MCP_ERROR_FORKED, and
 *   then no reply follows.
 *
 * Threads: any thread; never waits.
 *
 * Example:
 *
 *     char *context = NULL, *session = NULL;
 *     if (mcp_request_context(request, &context, NULL) == MCP_OK &&
 *         mcp_json_get(context, "/session", &session, NULL) == MCP_OK)
 *         mcp_server_call_start(server, strtoull(session, NULL, 10), "ping", NULL, NULL, 1, NULL,
 *                               NULL);
 *     mcp_string_free(session);
 *     mcp_string_free(context);
 */
MCP_API
mcp_status_t mcp_server_call_start(mcp_server_t *server,
                                   uint64_t session,
                                   const char *method,
                                   const char *params_json,
                                   const char *options_json,
                                   uint64_t tag,
                                   uint64_t *call_id,
                                   char **error_json);

/* ==== What a server offers ==================================================================== */

/**
 * Adds a tool. Clients that are connected learn of it by a notification, several changes by one.
 *
 * definition_json: a Tool object of the specification: "name" and "inputSchema" are necessary.
 * handler: runs for each call of the tool; NULL has the requests arrive on the queue. The arguments
 *   have been checked against the schema, if the build has MCP_FEATURE_SCHEMA.
 * user: passed to the handler; may be NULL.
 * destroy: releases `user`, once: when the tool has been removed or the server is freed, and no
 *   handler runs; or before this function returns, if it fails. May be NULL.
 * error_json: receives the error object on failure; may be NULL.
 *
 * Returns MCP_OK; MCP_ERROR_INVALID_ARGUMENT for a wrong definition, naming the member, and for a
 *   name that is taken; MCP_ERROR_FORKED.
 *
 * Threads: any thread, also while the server serves.
 */
MCP_API
mcp_status_t mcp_server_add_tool(mcp_server_t *server,
                                 const char *definition_json,
                                 mcp_handler_t handler,
                                 void *user,
                                 void (*destroy)(void *user),
                                 char **error_json);

/**
 * Adds a resource that a handler reads. See mcp_server_add_tool() for the parameters.
 *
 * definition_json: a Resource object: "uri" and "name" are necessary.
 * handler: answers with {"contents":[...]}.
 */
MCP_API
mcp_status_t mcp_server_add_resource(mcp_server_t *server,
                                     const char *definition_json,
                                     mcp_handler_t handler,
                                     void *user,
                                     void (*destroy)(void *user),
                                     char **error_json);

/**
 * Adds a resource whose text is always the same. The library answers for it without the
 * application.
 *
 * definition_json: a Resource object: "uri" and "name" are necessary.
 * text: the text, copied.
 */
MCP_API
mcp_status_t mcp_server_add_text(mcp_server_t *server,
                                 const char *definition_json,
                                 const char *text,
                                 char **error_json);

/**
 * Adds a resource whose bytes are always the same. See mcp_server_add_text().
 *
 * data: the bytes, copied; may be NULL if `length` is 0.
 * length: their number.
 */
MCP_API
mcp_status_t mcp_server_add_blob(mcp_server_t *server,
                                 const char *definition_json,
                                 const char *data,
                                 size_t length,
                                 char **error_json);

/**
 * Adds a resource template. See mcp_server_add_tool() for the parameters.
 *
 * definition_json: a ResourceTemplate object: "uriTemplate" and "name" are necessary.
 * handler: answers with {"contents":[...]}. mcp_request_context() has the "variables" that the URI
 *   gave the template.
 */
MCP_API
mcp_status_t mcp_server_add_resource_template(mcp_server_t *server,
                                              const char *definition_json,
                                              mcp_handler_t handler,
                                              void *user,
                                              void (*destroy)(void *user),
                                              char **error_json);

/**
 * Adds a resource template whose resources are the files below a folder: text where a file is
 * UTF-8, bytes else. The files are read where handlers run. Symbolic links are not followed, and
 * nothing outside of the folder is read, whatever a client asks for.
 *
 * template_json: a ResourceTemplate object of the specification. Its "uriTemplate" needs the
 *   variable "path", for example "docs:///{+path}"; its "mimeType", if any, is that of every file.
 * folder: the path of the folder, which stays open until the template is removed.
 * error_json: receives the error object on failure; may be NULL.
 *
 * Returns MCP_OK, MCP_ERROR_INVALID_ARGUMENT, MCP_ERROR_UNAVAILABLE (the folder cannot be opened),
 *   MCP_ERROR_FORKED. A file with more than "limits.file_bytes" of the configuration is an error
 *   for the client.
 *
 * Threads: any thread.
 */
MCP_API
mcp_status_t mcp_server_add_folder(mcp_server_t *server,
                                   const char *template_json,
                                   const char *folder,
                                   char **error_json);

/**
 * Adds a prompt. See mcp_server_add_tool() for the parameters.
 *
 * definition_json: a Prompt object: "name" is necessary.
 * handler: answers with {"messages":[...]}.
 */
MCP_API
mcp_status_t mcp_server_add_prompt(mcp_server_t *server,
                                   const char *definition_json,
                                   mcp_handler_t handler,
                                   void *user,
                                   void (*destroy)(void *user),
                                   char **error_json);

/**
 * Lets an argument of a prompt or of a resource template be completed.
 *
 * reference: the name of the prompt, or the URI template.
 * argument: the name of the argument.
 * values_json: an array of strings, from which the library completes; NULL for a handler.
 * handler: answers with {"completion":{"values":[...]}}; not used with `values_json`.
 * user, destroy, error_json: as for mcp_server_add_tool().
 *
 * Returns MCP_OK, MCP_ERROR_INVALID_ARGUMENT or MCP_ERROR_FORKED.
 */
MCP_API
mcp_status_t mcp_server_add_completion(mcp_server_t *server,
                                       const char *reference,
                                       const char *argument,
                                       const char *values_json,
                                       mcp_handler_t handler,
                                       void *user,
                                       void (*destroy)(void *user),
                                       char **error_json);

/**
 * Adds a method of an extension. In 2026-07-28 the server announces the extension, and refuses the
 * method to a client that does not announce it, too. Earlier revisions have no extensions: nothing
 * is announced, and every client may call it.
 *
 * method: the method, such as "com.example/render".
 * capability: the extension that the server announces with it; NULL for none. A client of
 *   2026-07-28 must declare the extension too ("capabilities":{"extensions":{...}}).
 * settings_json: what it announces, a JSON object; NULL for {}.
 * handler, user, destroy, error_json: as for mcp_server_add_tool().
 *
 * Returns MCP_OK, MCP_ERROR_INVALID_ARGUMENT or MCP_ERROR_FORKED.
 */
MCP_API
mcp_status_t mcp_server_add_method(mcp_server_t *server,
                                   const char *method,
                                   const char *capability,
                                   const char *settings_json,
                                   mcp_handler_t handler,
                                   void *user,
                                   void (*destroy)(void *user),
                                   char **error_json);

/**
 * Removes what was added.
 *
 * kind: "tool", "resource", "template", "prompt" or "skills".
 * name: the name; of a resource its URI, of a template its URI template, of skills the folder as it
 *   was given to mcp_server_add_skills().
 *
 * Returns MCP_OK, MCP_EMPTY if there is no such entry, MCP_ERROR_INVALID_ARGUMENT,
 *   MCP_ERROR_FORKED. Requests that its handler has begun are not affected.
 *
 * Threads: any thread.
 */
MCP_API
mcp_status_t mcp_server_remove(mcp_server_t *server,
                               const char *kind,
                               const char *name,
                               char **error_json);

/**
 * Publishes the skills below a folder (extension io.modelcontextprotocol/skills). Each folder with
 * a file SKILL.md is a skill, with all that is below it; the name in the front matter of that file
 * must be the name of the folder. All files are read now and kept in memory, so that the entries,
 * the digests and the files that clients read always belong together. The library answers for them
 * without the application: skills/list, skills/get and resources/directory/read in revision
 * 2026-07-28, and the files as resources in every revision.
 *
 * Call it again with the same folder after files have changed: what the folder had before is
 * replaced as a whole, and subscribers are told. mcp_server_remove() with the kind "skills" and the
 * folder removes them.
 *
 * Names that begin with a dot are left out. A symbolic link, a device, a named pipe or a name with
 * a backslash is an error; nothing outside of the folder is read.
 *
 * folder: the path of the folder.
 * options_json: {"uri_prefix":"skill://acme/billing"}: what the URIs begin with; without it
 *   "skill://", so that the file SKILL.md of the folder "pdf" is skill://pdf/SKILL.md. NULL for
 *   none.
 * error_json: receives the error object on failure, with "path" in its details; may be NULL.
 *
 * Returns MCP_OK; MCP_ERROR_INVALID_ARGUMENT (a file that may not be published, or a URI that is
 *   taken); MCP_ERROR_UNAVAILABLE (something cannot be read); MCP_ERROR_TOO_LARGE ("limits.skills",
 *   "limits.skills_bytes", "limits.skill_files", "limits.skill_bytes", "limits.skill_depth" or
 *   "limits.file_bytes" of the configuration); MCP_ERROR_UNSUPPORTED (the library was built without
 *   the feature "skills"); MCP_ERROR_FORKED. On failure nothing has changed.
 *
 * Threads: any thread, also while the server serves.
 *
 * Example:
 *
 *     mcp_server_add_skills(server, "/usr/share/editor/skills", NULL, &error);
 */
MCP_API
mcp_status_t mcp_server_add_skills(mcp_server_t *server,
                                   const char *folder,
                                   const char *options_json,
                                   char **error_json);

/* ==== Requests of clients ===================================================================== */

/**
 * Answers a call of a tool with one block of text.
 *
 * text: the text.
 * is_error: whether the tool failed: "isError" of the result, which the model sees.
 * request, error_json, statuses and threads: as for mcp_request_respond().
 */
MCP_API
mcp_status_t mcp_request_respond_text(const mcp_message_t *request,
                                      const char *text,
                                      bool is_error,
                                      char **error_json);

/**
 * Reports progress of a request.
 *
 * progress: must rise from report to report.
 * total: the value at the end; 0 or less if it is not known.
 * message: text for a person; may be NULL.
 *
 * A session gets "limits.progress_per_second" notifications. Over that the newest value of each
 * request waits and is sent later; the last one is always sent before the answer.
 *
 * Returns MCP_OK; MCP_EMPTY when nothing is sent, because the client did not ask for progress, the
 *   value does not rise, or the request is over; MCP_ERROR_INVALID_ARGUMENT; MCP_ERROR_CLOSED;
 *   MCP_ERROR_FORKED.
 *
 * Threads: any thread; never waits.
 */
MCP_API
mcp_status_t mcp_request_progress(const mcp_message_t *request,
                                  double progress,
                                  double total,
                                  const char *message);

/**
 * Sends a log message that belongs to a request, if its client wants messages of that level. The
 * configuration of the server must announce "logging".
 *
 * level: as for mcp_server_log().
 * logger: the name of the logger; may be NULL.
 * data_json: any JSON.
 *
 * Returns MCP_OK; MCP_EMPTY when nothing was sent, also because the session had its
 *   "limits.logs_per_second" messages; MCP_ERROR_INVALID_ARGUMENT; MCP_ERROR_CLOSED;
 *   MCP_ERROR_FORKED.
 *
 * Threads: any thread; never waits.
 */
MCP_API
mcp_status_t mcp_request_log(const mcp_message_t *request,
                             const char *level,
                             const char *logger,
                             const char *data_json);

/**
 * Whether the answer to a request is no longer wanted: it was answered or cancelled, it took too
 * long, or its client has gone. A long handler asks now and then. The application is also told by a
 * message with topic MCP_TOPIC_CANCELLED.
 *
 * Returns true also for an invalid message.
 *
 * Threads: any thread; never waits.
 */
MCP_API bool mcp_request_cancelled(const mcp_message_t *request);

/**
 * Asks the client of a request: for the answer of a model (sampling/createMessage), for input of
 * the person (elicitation/create), or for its roots (roots/list). The first call with a key returns
 * MCP_EMPTY: the handler then frees the request without an answer and returns. The library asks the
 * client in the way of its revision and runs the handler again, with a message of its own; the same
 * call then returns MCP_OK and the answer. So a handler is written once for all revisions, and may
 * ask several things, one after another or together.
 *
 * The parameters are checked: sampling needs "maxTokens" and one result for each tool use; a form
 * is flat and asks for no secret; the address of a page ("mode":"url") begins with https:// or is
 * of this machine. An answer that does not fit its form is an error of the client. A page can be
 * opened by another person than the one who was asked, who may have sent the address on: the page
 * must make the visitor log in and compare the account with that of the request. Its address
 * has a random id in place of data about the person.
 *
 * key: a name of the question within the request.
 * method: the method of the question.
 * params_json: its parameters, a JSON object.
 * answer_json: receives the result of the client. Free it with mcp_string_free().
 * error_json: receives the error object on failure; may be NULL.
 *
 * Returns MCP_OK; MCP_EMPTY (see above); MCP_ERROR_SERVER when the client answered with an error
 *   or not in time, which is in "details"; MCP_ERROR_UNSUPPORTED when the client does not say that
 *   it can answer; MCP_ERROR_CANCELLED when the request is over; MCP_ERROR_INVALID_ARGUMENT,
 *   MCP_ERROR_CLOSED, MCP_ERROR_FORKED.
 *
 * Threads: any thread; never waits.
 */
MCP_API
mcp_status_t mcp_request_ask(const mcp_message_t *request,
                             const char *key,
                             const char *method,
                             const char *params_json,
                             char **answer_json,
                             char **error_json);

/**
 * What an earlier run of the handler kept with mcp_request_set_state().
 *
 * state: receives the text. Free it with mcp_string_free(). NULL if nothing was kept.
 *
 * Returns MCP_OK, MCP_EMPTY if nothing was kept, MCP_ERROR_INVALID_ARGUMENT, MCP_ERROR_CLOSED,
 *   MCP_ERROR_FORKED.
 */
MCP_API
mcp_status_t mcp_request_state(const mcp_message_t *request,
                               char **state,
                               char **error_json);

/**
 * Keeps text for the next run of the handler, after mcp_request_ask(). In revision 2026-07-28 it
 * travels to the client and back, encrypted, bound to this request, with an expiry, and is good
 * once; before, the library keeps it.
 *
 * state: the text.
 *
 * Returns MCP_OK, MCP_ERROR_CANCELLED when the request is over, MCP_ERROR_INVALID_ARGUMENT,
 *   MCP_ERROR_CLOSED, MCP_ERROR_FORKED.
 */
MCP_API
mcp_status_t mcp_request_set_state(const mcp_message_t *request,
                                   const char *state,
                                   char **error_json);

/**
 * Turns a call of a tool into a task: the client gets the name of the task at once and asks for its
 * state; the handler answers late, as ever. The definition of the tool must have
 * execution.taskSupport "optional" or "required". In revision 2026-07-28 the client must declare
 * the extension io.modelcontextprotocol/tasks. In 2025-11-25 the client decides: a call that it
 * makes as a task is one before its handler runs. For a request that is a task already, the
 * function changes "status_message" and "poll_interval_ms", so a handler may call it in each run.
 *
 * options_json: an object, or NULL: "ttl_ms" (how long the task is kept from now on; at most, and
 *   by default, timeouts.task_ttl_ms of the server), "poll_interval_ms" (how often the client
 *   should ask), "status_message" (for people; cut to 4096 bytes), "attempts" (1 to 100, by default
 *   1; with a store: when the process that works on the task is gone, another one runs the handler
 *   again, from the beginning, until it was run so often in all. Without that the task fails, and
 *   no handler runs twice).
 * error_json: receives the error object on failure; may be NULL.
 *
 * Returns MCP_OK when the request is a task; MCP_ERROR_UNSUPPORTED when it cannot become one: the
 *   handler then answers without one, or refuses; MCP_ERROR_BACKPRESSURE when there are as many
 *   tasks as its client may have (limits.tasks, limits.session_tasks), or the store is away;
 *   MCP_ERROR_CANCELLED when the request is over; MCP_ERROR_INVALID_ARGUMENT, MCP_ERROR_CLOSED,
 *   MCP_ERROR_FORKED.
 *
 * Threads: any thread; never waits.
 *
 * Specification: 2025-11-25 basic/utilities/tasks; extension io.modelcontextprotocol/tasks.
 */
MCP_API
mcp_status_t mcp_request_start_task(const mcp_message_t *request,
                                    const char *options_json,
                                    char **error_json);

/**
 * Ends the event stream of a request before its answer, so that no connection stays open while the
 * handler works: the client comes back after a time and gets what was sent meanwhile, and the
 * answer. Over HTTP in revision 2025-11-25 only, and for clients that take event streams.
 *
 * retry_ms: after how many milliseconds the client is to come back; -1 for "timeouts.retry_ms" of
 *   the server.
 * error_json: receives the error object on failure; may be NULL.
 *
 * What is sent until the client comes back is kept within "limits.session_events" and
 * "limits.session_event_bytes"; beyond that the client does not get the answer.
 *
 * Returns MCP_OK; MCP_EMPTY when there is no stream that could end: with another revision or
 *   transport, for a task, or because it has ended already; MCP_ERROR_CANCELLED when the request is
 *   over; MCP_ERROR_INVALID_ARGUMENT, MCP_ERROR_CLOSED, MCP_ERROR_FORKED.
 *
 * Threads: any thread; never waits.
 *
 * Specification: 2025-11-25 basic/transports, "Sending Messages to the Server".
 *
 * Example:
 *
 *     // The client comes back after a second; the answer then goes to its new stream.
 *     if (mcp_request_close_stream(request, 1000, &error) == MCP_OK)
 *         mcp_request_respond_text(request, "done", false, NULL);
 */
MCP_API
mcp_status_t mcp_request_close_stream(const mcp_message_t *request,
                                      int32_t retry_ms,
                                      char **error_json);

/**
 * Whether the client of a request has a capability or an extension, such as that of pages of tools
 * (MCP Apps). A client says what it has, and that is no authorization.
 *
 * capability: "sampling", "sampling.tools", "sampling.context", "elicitation", "elicitation.form",
 *   "elicitation.url" or "roots": whether mcp_request_ask() would ask it; another capability, or
 *   one part of it after a dot; the name of an extension, which has a slash. Of
 *   "io.modelcontextprotocol/ui" the client must also name the type of its pages.
 *
 * Returns false also for an invalid message or name, and for a request that is over.
 *
 * Threads: any thread; never waits.
 *
 * Example:
 *
 *     // A client that shows the page needs no table in the text.
 *     if (mcp_request_client_has(request, "io.modelcontextprotocol/ui"))
 *         mcp_request_respond_text(request, "7 to 12 degrees; the chart is shown", false, NULL);
 */
MCP_API bool mcp_request_client_has(const mcp_message_t *request, const char *capability);

/**
 * Describes the client of a request as a JSON object: "session", "revision", "era",
 * "capabilities", "name" (of the tool, the prompt, or the URI), "template" and "variables" (of a
 * resource template), "wants_progress", "log_level", "round" (how often the handler ran before),
 * "task" (the name of the task that the request has become, or null), with a task "attempt" (from
 * 1 on; a database that refuses a lower one than it has seen keeps out a process that was taken for
 * gone and goes on), "deadline_ms", and where
 * requests are authorized "principal" ("issuer", "subject" or, of a client that acts for itself,
 * "client", "scopes", "claims", "expires").
 *
 * context_json: receives the object. Free it with mcp_string_free().
 *
 * Returns MCP_OK, MCP_ERROR_CANCELLED when the request is over, MCP_ERROR_INVALID_ARGUMENT,
 *   MCP_ERROR_CLOSED, MCP_ERROR_FORKED.
 */
MCP_API
mcp_status_t mcp_request_context(const mcp_message_t *request,
                                 char **context_json,
                                 char **error_json);

/* ==== Stores that the processes of a server share ============================================= */

/**
 * Creates a store of functions of the program. Give it to one server with mcp_server_set_store(),
 * or give it to the library where it opens a URL: see mcp_store_register().
 *
 * Each process of the server does the same with its own connection to the engine.
 *
 * functions: the functions of the store; copied.
 * user: passed to each function; may be NULL.
 * out: receives the store. Until a server has it, free it with mcp_store_free().
 * error_json: receives the error object on failure; may be NULL.
 *
 * Returns MCP_OK, MCP_ERROR_INVALID_ARGUMENT, MCP_ERROR_UNSUPPORTED (`version` is newer than the
 *   library), MCP_ERROR_FORKED, MCP_ERROR_INTERNAL. Of a table that is too small or of another
 *   version no other function than `destroy` is called.
 *
 * Threads: any thread.
 */
MCP_API
MCP_MUST_USE
mcp_status_t mcp_store_new(const mcp_store_functions_t *functions,
                           void *user,
                           mcp_store_t **out,
                           char **error_json);

/**
 * Frees a store that no server has: `destroy` is called before this function returns, unless one of
 * the functions of the store runs on another thread, which then calls it.
 *
 * store: the store; may be NULL.
 *
 * Returns MCP_OK, or MCP_ERROR_INVALID_ARGUMENT for an invalid handle and for a store that belongs
 *   to a server. In a child of fork() it frees nothing and returns MCP_ERROR_FORKED.
 */
MCP_API mcp_status_t mcp_store_free(mcp_store_t *store);

/**
 * Has the processes of a server keep in a store what they share. Call it before mcp_server_serve(),
 * in every process, with the same "request_state.keys" and "name" or "store.space" in their
 * configurations; "store.timeout_ms" is the time that each operation has. The server frees the
 * store.
 *
 * server: the server; its configuration has no "store.url".
 * store: the store. Its handle stays valid for the functions below until `destroy` is called.
 * error_json: receives the error object on failure; may be NULL.
 *
 * Returns MCP_OK; MCP_ERROR_INVALID_ARGUMENT, also when the configuration has no keys, the server
 *   has a store, or another server has this one, and then the store is the program's as before;
 *   MCP_ERROR_FORKED; MCP_ERROR_INTERNAL.
 *
 * Threads: any thread; never waits.
 *
 * Example:
 *
 *     mcp_store_t *store = NULL;
 *     mcp_store_functions_t mine = {.size = sizeof mine, .version = MCP_STORE_VERSION};
 *     // mine.get = ..., and so on for each function
 *     if (mcp_store_new(&mine, app, &store, &error) == MCP_OK
 *         && mcp_server_set_store(server, store, &error) != MCP_OK)
 *         mcp_store_free(store);
 */
MCP_API
mcp_status_t mcp_server_set_store(mcp_server_t *server,
                                  mcp_store_t *store,
                                  char **error_json);

/**
 * Has the library open the URLs of one scheme with a function of the program: those that a
 * configuration has in "store.url". The libraries libmcp-store-... call it for theirs.
 *
 * scheme: what is before the colon of the URL, such as "postgres": at most 32 small letters,
 *   digits, "+", "-" and ".". It replaces what was registered for the same scheme.
 * open: called with `user` and the URL whenever a server is made whose configuration has such a
 *   URL. It must not wait: it makes a store with mcp_store_new(), writes it to `out` and returns
 *   MCP_OK; the store connects by itself. Or it returns another status, and writes to `why` what is
 *   wrong with the URL, at most `room` bytes with a NUL at the end. NULL removes the scheme.
 * user: passed to `open` and `destroy`; may be NULL.
 * destroy: called exactly once with `user`, after the last call of `open`, also when the function
 *   fails; may be NULL.
 * error_json: receives the error object on failure; may be NULL.
 *
 * Returns MCP_OK, MCP_ERROR_INVALID_ARGUMENT, MCP_ERROR_INTERNAL.
 *
 * Threads: any thread. A child of fork() begins without schemes.
 */
MCP_API
mcp_status_t mcp_store_register(const char *scheme,
                                mcp_status_t (*open)(void *user,
                                                     const char *url,
                                                     mcp_store_t **out,
                                                     char *why,
                                                     size_t room),
                                void *user,
                                void (*destroy)(void *user),
                                char **error_json);

/**
 * The store tells that it can be asked, when it has connected and again after each
 * mcp_store_lost(). Before the first time no operation is begun.
 *
 * store: the store, also inside the function that creates it.
 * generation: a text of at most 200 bytes that changes whenever what was acknowledged may have been
 *   lost: another engine, one that was emptied, restored or restarted without its data. What was
 *   made for another generation is refused.
 * flags: 0.
 *
 * Returns MCP_OK; MCP_ERROR_INVALID_ARGUMENT; MCP_ERROR_FORKED.
 *
 * Threads: any thread.
 */
MCP_API mcp_status_t mcp_store_ready(mcp_store_t *store, const char *generation, uint32_t flags);

/**
 * The store tells that it cannot be asked until the next mcp_store_ready(), or why it cannot be
 * asked yet. What needs it is refused meanwhile; what has been begun is still to be ended.
 *
 * store: the store.
 * why: a text for the log; NULL if unknown. It must have no password.
 *
 * Returns MCP_OK; MCP_ERROR_INVALID_ARGUMENT; MCP_ERROR_FORKED.
 *
 * Threads: any thread.
 */
MCP_API mcp_status_t mcp_store_lost(mcp_store_t *store, const char *why);

/**
 * The store gives the value of a key: before the end of `get`, and of `put` and `append` with
 * MCP_CONFLICT.
 *
 * call: the operation.
 * value: the value; copied.
 * version: its version, or the place of the entry.
 *
 * Returns MCP_OK; MCP_EMPTY when the operation has ended; MCP_ERROR_INVALID_ARGUMENT;
 *   MCP_ERROR_FORKED.
 *
 * Threads: any thread, also inside the function that began the operation.
 */
MCP_API
mcp_status_t mcp_store_found(mcp_store_call_t *call,
                             const void *value,
                             size_t length,
                             uint64_t version);

/**
 * The store gives the next entry of a stream, before the end of `read`.
 *
 * call: the operation.
 * place: the place of the entry, higher than that of the one before.
 * entry: the entry; copied. What is beyond what was asked for is left out.
 *
 * Returns MCP_OK; MCP_EMPTY when the operation has ended or reads nothing;
 *   MCP_ERROR_INVALID_ARGUMENT; MCP_ERROR_FORKED.
 *
 * Threads: any thread, also inside the function that began the operation.
 */
MCP_API
mcp_status_t mcp_store_entry(mcp_store_call_t *call,
                             uint64_t place,
                             const void *entry,
                             size_t length);

/**
 * The store ends an operation, once. A second end, and one that comes after `forget`, is dropped
 * and counted ("late" of "store" in mcp_server_info()).
 *
 * call: the operation; no longer valid afterwards.
 * status: MCP_OK, MCP_EMPTY or MCP_CONFLICT; MCP_ERROR_UNAVAILABLE: it is not done;
 *   MCP_ERROR_TRANSPORT: it is perhaps done; MCP_ERROR_TOO_LARGE; MCP_ERROR_AUTH: the engine does
 *   not let this process do it. Any other status counts as MCP_ERROR_UNAVAILABLE.
 * version: of `put` the version that is there now, of `append` the place; else 0.
 * unix_ms: the clock of the store when it was done, in milliseconds since 1970; 0 if unknown.
 *
 * Returns MCP_OK; MCP_EMPTY when it was dropped; MCP_ERROR_INVALID_ARGUMENT, also for one that has
 *   ended a thousand others ago; MCP_ERROR_FORKED.
 *
 * Threads: any thread, also inside the function that began the operation. What waits for the
 *   outcome may go on inside this function.
 */
MCP_API
mcp_status_t mcp_store_done(mcp_store_call_t *call,
                            mcp_status_t status,
                            uint64_t version,
                            int64_t unix_ms);

/**
 * The store gives a message of a channel that is watched, in the order in which the messages came.
 *
 * watch: the watch.
 * data: the message; copied. What no process of the server has sealed is dropped.
 *
 * Returns MCP_OK; MCP_ERROR_INVALID_ARGUMENT; MCP_ERROR_FORKED.
 *
 * Threads: any thread.
 */
MCP_API mcp_status_t mcp_store_event(mcp_store_watch_t *watch, const void *data, size_t length);

/**
 * The store tells that a watch has begun, and that from now on nothing is missed; later, that
 * messages may have been lost, as after a lost connection.
 *
 * watch: the watch.
 *
 * Returns MCP_OK; MCP_ERROR_INVALID_ARGUMENT; MCP_ERROR_FORKED.
 *
 * Threads: any thread.
 */
MCP_API mcp_status_t mcp_store_missed(mcp_store_watch_t *watch);

/* ==== Servers inside an HTTP server of the program ============================================ */

/**
 * Serves a request that an HTTP server of the program has taken. Before the first one, call
 * mcp_server_serve() with {"url":"http://HOST/PATH","listen":false}: the URL by which clients reach
 * the program. The library checks the path, Host, Origin and all other headers, keeps the sessions,
 * and makes the answer, as for its own listener; the program moves bytes. Which program, thread or
 * connection brings a request does not matter.
 *
 * The function gives the request to the server and never waits. Read the answer with
 * mcp_exchange_head(), mcp_exchange_header() and mcp_exchange_read(), then call
 * mcp_exchange_free(). A request that is not served has an answer like every other: its status is
 * 400 or above, and its body says why.
 *
 * method: such as "POST".
 * target: the target of the request line, such as "/mcp", or a URL.
 * headers: names and values in turn, ended by NULL; NULL for none. Give every header as it came,
 *   one that came twice twice. With HTTP/2, ":authority" goes in as "Host".
 * body: the whole body; NULL for none. It is copied.
 * length: the bytes of the body.
 * ready: called with `user` when a function below that returned MCP_EMPTY should be called again,
 *   once after each MCP_EMPTY. It should only wake the thread that reads. NULL for a program that
 *   waits in the functions below. It is called with no lock held, on a thread of the library, on a
 *   thread that waits in a call over HTTP, or on the one in mcp_server_close(); never before this
 *   function has returned.
 * user: passed to `ready` and `destroy`; may be NULL.
 * destroy: called exactly once with `user`, after the last call of `ready`: by mcp_exchange_free(),
 *   after a call of `ready` that runs meanwhile, or by this function when it fails. May be NULL.
 * out: receives the exchange. Free it with mcp_exchange_free(), also when its client has gone.
 * error_json: receives the error object on failure; may be NULL.
 *
 * Returns MCP_OK; MCP_ERROR_CLOSED (the server is closed: answer 503); MCP_ERROR_INVALID_ARGUMENT
 *   (also when no URL is served with "listen":false); MCP_ERROR_FORKED.
 *
 * Threads: any thread, also several at the same time. Handlers run where they always do: in
 *   mcp_server_run(), mcp_server_poll(), mcp_queue_poll() or on "workers". Without "workers" a
 *   program with one thread calls mcp_server_poll() with timeout 0 in its loop (mcp_server_fd()).
 *
 * Example:
 *
 *     const char *headers[] = {"Host", "127.0.0.1", "Content-Type", "application/json", NULL};
 *     mcp_exchange_t *exchange;
 *     char part[4096];
 *     size_t length;
 *     int32_t status;
 *     mcp_server_http(server, "POST", "/mcp", headers, body, strlen(body), NULL, NULL, NULL,
 *                     &exchange, NULL);
 *     mcp_exchange_head(exchange, -1, &status, NULL);
 *     while (mcp_exchange_read(exchange, -1, part, sizeof part, &length) == MCP_OK && length > 0) {
 *         fwrite(part, 1, length, stdout);
 *     }
 *     mcp_exchange_free(exchange);
 */
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

/**
 * Judges the head of a request that an HTTP server of the program has taken, before the program
 * reads its body: method, path, Host, Origin, token, Content-Type, Content-Length, and all else
 * that mcp_server_http() checks. A program that reads bodies itself calls this instead of
 * mcp_server_http(), so that a client that may not ask this server costs it no memory.
 *
 * The function never waits. Then call mcp_exchange_permit(): it says whether the body is wanted.
 * While it gives a number of bytes, read at most so many from the client and pass them to
 * mcp_exchange_write(). When it gives 0, read no more of the body and take the answer as that of
 * mcp_server_http(). A client whose body was not read to its end may not use its connection again:
 * close it behind the answer.
 *
 * Bodies and answers count against "limits.shared_bytes" until they are read or the exchange is
 * freed. Where others need that room, a body is refused with 503, or an answer is cut off.
 *
 * method, target, headers: as for mcp_server_http(). "Content-Length" says how long the body is.
 * peer: the address that the request comes from, such as "192.0.2.7" or "192.0.2.7:443". What
 *   clients share is shared out by address, and where tokens are checked by principal: where there
 *   are as many requests as "limits.connections" allows, the address with most of those whose body
 *   is not whole loses one.
 *   NULL if the program does not know it. Such requests, and those with another text here, count as
 *   requests of one address.
 * ready: called with `user` as for mcp_server_http(), and also once when the body is not wanted any
 *   more after mcp_exchange_permit() has given a number. Then stop reading from the client, and
 *   call mcp_exchange_permit() again.
 * user, destroy, out, error_json: as for mcp_server_http().
 *
 * Returns what mcp_server_http() returns.
 *
 * Threads: any thread, also several at the same time.
 *
 * Example:
 *
 *     const char *headers[] = {"Host", "127.0.0.1", "Content-Type", "application/json", NULL};
 *     mcp_exchange_t *exchange;
 *     char part[65536];
 *     size_t most, got;
 *     mcp_server_http_begin(server, "POST", "/mcp", headers, NULL, NULL, NULL, NULL, &exchange,
 *                           NULL);
 *     while (mcp_exchange_permit(exchange, -1, &most) == MCP_OK && most > 0) {
 *         got = fread(part, 1, most < sizeof part ? most : sizeof part, stdin);
 *         mcp_exchange_write(exchange, part, got, got == 0);
 *     }
 *     mcp_exchange_free(exchange);
 */
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

/**
 * How many bytes of the body the program may read from its client now; see
 * mcp_server_http_begin(). Ask again after each mcp_exchange_write().
 *
 * timeout_ms: the longest wait in milliseconds; -1 waits without limit, 0 never waits.
 * bytes: receives the number; 0 when no more of the body is wanted, because it is whole or the
 *   request is refused: the answer follows.
 *
 * Returns MCP_OK; MCP_EMPTY (that is not known yet, or there is no room at this moment: `ready` is
 *   called when this function should be called again); MCP_ERROR_BACKPRESSURE (the program asked
 *   for nothing for "timeouts.write_ms", and the request is lost: cut the connection);
 *   MCP_ERROR_CLOSED (another thread frees the exchange); MCP_ERROR_INVALID_ARGUMENT;
 *   MCP_ERROR_FORKED.
 *
 * Threads: any thread, one at a time, also in `ready`.
 */
MCP_API
mcp_status_t mcp_exchange_permit(mcp_exchange_t *exchange,
                                 int32_t timeout_ms,
                                 size_t *bytes);

/**
 * Gives a part of the body that mcp_exchange_permit() has asked for. Never waits.
 *
 * part: the bytes; NULL for none. They are copied. A program whose server reads larger parts than
 *   was permitted gives what it has.
 * length: how many there are.
 * is_last: true with the last part, which may be empty. A body that breaks off has none: free the
 *   exchange then.
 *
 * Returns MCP_OK, also when the body is not wanted any more, and then the part is dropped;
 *   MCP_ERROR_BACKPRESSURE (mcp_exchange_permit() has not asked for it: nothing was taken);
 *   MCP_ERROR_NO_MEMORY (nothing was taken: free the exchange and cut the connection);
 *   MCP_ERROR_INVALID_ARGUMENT; MCP_ERROR_FORKED.
 *
 * Threads: any thread, one at a time. This thread does work of the server for the exchange.
 */
MCP_API
mcp_status_t mcp_exchange_write(mcp_exchange_t *exchange,
                                const char *part,
                                size_t length,
                                bool is_last);

/**
 * The head of the answer. Send it as soon as it is there: an event stream may stay quiet for long.
 *
 * timeout_ms: the longest wait in milliseconds; -1 waits without limit, 0 never waits.
 * status: receives the status of HTTP, such as 200; may be NULL.
 * length: receives the number of bytes of the body; -1 for an event stream, which has no length.
 *   May be NULL.
 *
 * Returns MCP_OK; MCP_EMPTY (there is none yet: `ready` is called when there is);
 *   MCP_ERROR_BACKPRESSURE (the program read nothing for "timeouts.write_ms", and the answer is
 *   lost: cut the connection); MCP_ERROR_CLOSED (another thread frees the exchange);
 *   MCP_ERROR_INVALID_ARGUMENT; MCP_ERROR_FORKED.
 *
 * Threads: any thread, one at a time. This thread does work of the server for the exchange.
 */
MCP_API
mcp_status_t mcp_exchange_head(mcp_exchange_t *exchange,
                               int32_t timeout_ms,
                               int32_t *status,
                               int64_t *length);

/**
 * A header of the answer, such as "content-type" or "mcp-session-id". Send all of them. The library
 * gives no "content-length", "transfer-encoding", "connection" and "date": these are the affair of
 * the program's server.
 *
 * index: 0 for the first header.
 * value: receives the value. May be NULL.
 *
 * Returns the name, in lower case; NULL behind the last header, before mcp_exchange_head() has
 *   returned MCP_OK, or for an invalid handle. Name and value are valid until mcp_exchange_free().
 *
 * Threads: any thread.
 */
MCP_API const char *mcp_exchange_header(mcp_exchange_t *exchange, size_t index, const char **value);

/**
 * The next bytes of the answer's body. Read only what can be sent: what is not read stays in the
 * library, which cuts the answer off at "limits.outgoing_bytes" of an event stream, or when the
 * program has read nothing for "timeouts.write_ms". Send what was read at once; the library sends a
 * comment each "timeouts.keep_alive_ms" on a stream that is quiet.
 *
 * timeout_ms: the longest wait in milliseconds; -1 waits without limit, 0 never waits.
 * into: receives the bytes.
 * size: the room there; not 0.
 * length: receives how many came; 0 at the end of the body.
 *
 * Returns MCP_OK; MCP_EMPTY (there is nothing yet: `ready` is called when there is);
 *   MCP_ERROR_BACKPRESSURE (the program read too slowly, and the rest is lost: cut the connection,
 *   so that the client sees it and comes back); MCP_ERROR_CLOSED (another thread frees the
 *   exchange); MCP_ERROR_INVALID_ARGUMENT; MCP_ERROR_FORKED. After mcp_server_close() what was
 *   answered can still be read.
 *
 * Threads: any thread, one at a time, also in `ready`. This thread does work of the server for the
 *   exchange.
 */
MCP_API
mcp_status_t mcp_exchange_read(mcp_exchange_t *exchange,
                               int32_t timeout_ms,
                               char *into,
                               size_t size,
                               size_t *length);

/**
 * Frees an exchange: its answer was sent, or its client has gone. In revision 2026-07-28 a request
 * without its whole answer is thereby cancelled (topic MCP_TOPIC_CANCELLED). In earlier revisions
 * it goes on, and its client may come back for the rest with Last-Event-ID.
 *
 * exchange: the exchange; may be NULL. A thread that waits in a function above returns with
 *   MCP_ERROR_CLOSED. The server may have been freed.
 *
 * Returns MCP_OK, or MCP_ERROR_INVALID_ARGUMENT for an invalid handle, such as one that was freed.
 *   In a child of fork() it frees nothing and returns MCP_ERROR_FORKED.
 *
 * Threads: any thread, also in `ready`. `ready` is not called any more, except that a call that has
 *   begun goes on.
 */
MCP_API mcp_status_t mcp_exchange_free(mcp_exchange_t *exchange);

/* ==== OpenTelemetry =========================================================================== */

/**
 * Sets the function that receives the spans of OpenTelemetry, of the clients and servers that are
 * created from now on. It replaces the previous one.
 *
 * options_json: a JSON object with "sample_rate" (0 to 1, default 1: the share of requests
 *   without a parent that become spans; a request with a parent is recorded if its parent is),
 *   "metrics" (default false: counts how long each request took, see mcp_telemetry_metrics()) and
 *   "measurements" (default false: `span` gets {"span":...,"measurement":...}, each if there is
 *   one, for programs that count themselves: of every request, recorded or not, a measurement with
 *   the "name" of the histogram, the "value" in seconds and "attributes"); NULL for the defaults.
 * span: called with `user` and a span that has ended, a JSON object as OTLP has it
 *   (opentelemetry.proto.trace.v1.Span in the JSON of Protocol Buffers): a client tells of each
 *   request that it sent, a server of each that it answered. The text is valid until `span`
 *   returns. NULL records nothing from now on.
 * user: passed to `span` and `destroy`; may be NULL.
 * destroy: called exactly once with `user`, after the last call of `span`, on any thread, also when
 *   the function fails; may be NULL.
 * error_json: receives an error object if the function fails; may be NULL. Free it with
 *   mcp_string_free().
 *
 * A client puts the context of the span into `_meta` of the request ("traceparent"), unless the
 * call has one of its own (option "traceparent"): then that is the parent of the span, and goes
 * out as it is. The option "parent" names a parent, too, but the context of the span goes out. A
 * server takes the parent from there; the header of HTTP becomes a link. A handler finds the
 * context of its span in mcp_request_context() ("traceparent").
 *
 * Returns MCP_OK, or MCP_ERROR_INVALID_ARGUMENT for wrong options; then nothing changes.
 *
 * Threads: any thread. `span` runs on one thread of the library, one span after another, with no
 *   lock held, and may call every function of this library. It is called only while a client or a
 *   server exists, and not in a child of fork(). If `span` is too slow, spans are dropped.
 *
 * Example:
 *
 *     static void print(void *user, const char *span_json) {
 *         fprintf(user, "%s\n", span_json);
 *     }
 *
 *     mcp_telemetry_set("{\"sample_rate\":0.01}", print, stderr, NULL, NULL);
 */
MCP_API
mcp_status_t mcp_telemetry_set(const char *options_json,
                               void (*span)(void *user, const char *span_json),
                               void *user,
                               void (*destroy)(void *user),
                               char **error_json);

/**
 * How long requests and sessions took since telemetry was set with "metrics": the histograms
 * mcp.client.operation.duration, mcp.server.operation.duration, mcp.client.session.duration and
 * mcp.server.session.duration of all clients and servers.
 *
 * metrics_json: receives a JSON array of metrics as OTLP has them
 *   (opentelemetry.proto.metrics.v1.Metric), cumulative; "[]" while nothing was counted. Free it
 *   with mcp_string_free().
 * error_json: receives an error object if the function fails; may be NULL. Free it with
 *   mcp_string_free().
 *
 * Returns MCP_OK, or MCP_ERROR_INVALID_ARGUMENT if `metrics_json` is NULL.
 *
 * Threads: any thread.
 *
 * Example:
 *
 *     if (mcp_telemetry_metrics(&value, &error) == MCP_OK)
 *         printf("%s\n", value);
 *     mcp_string_free(value);
 */
MCP_API mcp_status_t mcp_telemetry_metrics(char **metrics_json, char **error_json);

/* ==== Transports of the program, and clients in one process =================================== */

/**
 * Delivers one message from the other side. The library processes it on this thread and never
 * waits. It gives outcomes to the threads that wait for them and calls `send` with the next
 * messages. If this function is called inside `send`, the library calls `send` afterwards.
 *
 * transport: the handle that `open` received; invalid once `close` or mcp_transport_closed() was
 *   called.
 * frame: the JSON text of the message without framing; copied. It needs no terminating NUL. Text
 *   that is not a message is counted and skipped, as on every transport.
 * length: the length of the frame in bytes.
 *
 * Returns MCP_OK; MCP_ERROR_INVALID_ARGUMENT (invalid handle, or an empty frame or NULL);
 *   MCP_ERROR_TOO_LARGE (the frame exceeds "limits.frame_bytes"; the call that it answers ends
 *   with the same status); MCP_ERROR_NO_MEMORY (likewise); MCP_ERROR_FORKED;
 *   MCP_ERROR_BACKPRESSURE when the frame is a notification, the queue is full and
 *   "limits.overflow" is "block": after the application has polled, deliver this frame again, and
 *   after it the frames that follow it.
 *
 * Threads: any thread, also several at the same time, also inside `send`.
 */
MCP_API
mcp_status_t mcp_transport_deliver(mcp_transport_t *transport,
                                   const char *frame,
                                   size_t length);

/**
 * Tells the library that a connection has ended. Pending calls of a client end as
 * MCP_ERROR_TRANSPORT with the reason, and it opens the next connection as "reconnect" says. A
 * server ends the session. The library calls `close` for this connection, possibly before this
 * function returns.
 *
 * transport: the handle that `open` received; invalid afterwards.
 * reason: the reason for the error message; NULL if unknown.
 *
 * Returns MCP_OK, MCP_ERROR_INVALID_ARGUMENT for an invalid handle, MCP_ERROR_FORKED.
 *
 * Threads: any thread, also inside `open` and `send`.
 */
MCP_API mcp_status_t mcp_transport_closed(mcp_transport_t *transport, const char *reason);

/**
 * Creates a client over a transport that the application implements: a pipe to another machine, a
 * message bus, another part of the same program. It opens nothing: mcp_client_connect() or the
 * first call opens the connection, and the client opens the next one itself after a loss
 * ("reconnect").
 *
 * config_json: as for mcp_client_new(), without "command", "url", "socket" and "type"; "{}" is
 *   enough.
 * queue: as for mcp_client_new().
 * functions: the functions of the transport; copied.
 * user: passed to each function; may be NULL.
 * out: receives the client. Free it with mcp_client_free().
 * error_json: receives the error object on failure; may be NULL.
 *
 * Returns MCP_OK, MCP_ERROR_INVALID_ARGUMENT, MCP_ERROR_UNSUPPORTED (`version` is newer than the
 *   library), MCP_ERROR_FORKED, MCP_ERROR_INTERNAL. `destroy` is called after every result. Of a
 *   table that is too small or of another version no other function is called.
 *
 * Threads: any thread. A thread that waits for this client sleeps; the thread that delivers a
 *   message also processes it.
 */
MCP_API
mcp_status_t mcp_client_new_with_transport(const char *config_json,
                                           mcp_queue_t *queue,
                                           const mcp_transport_functions_t *functions,
                                           void *user,
                                           mcp_client_t **out,
                                           char **error_json);

/**
 * Creates a client of a server in the same process. Messages go from one to the other without a
 * socket, a pipe or another thread: the thread that sends a message also processes it on the other
 * side. Everything else is as with any other server.
 *
 * Handlers run where they always do, so another thread must be in mcp_server_run(), or poll, while
 * this one waits in a call; a program with one thread starts its calls and polls a queue that both
 * share.
 *
 * config_json: as for mcp_client_new(), without "command", "url", "socket" and "type"; "{}" is
 *   enough. "limits.overflow" must not be "block".
 * queue: as for mcp_client_new().
 * server: the server. Client and server may be freed in either order.
 * out: receives the client. Free it with mcp_client_free().
 * error_json: receives the error object on failure; may be NULL.
 *
 * Returns MCP_OK, MCP_ERROR_INVALID_ARGUMENT, MCP_ERROR_FORKED, MCP_ERROR_INTERNAL.
 *
 * Threads: any thread.
 */
MCP_API
mcp_status_t mcp_client_new_in_process(const char *config_json,
                                       mcp_queue_t *queue,
                                       mcp_server_t *server,
                                       mcp_client_t **out,
                                       char **error_json);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* MCP_H */
