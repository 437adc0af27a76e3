/*
 * What the C tests share: checks that say what they saw, waits with a bound, and looks at our own process.
 *
 * Include it first. Each test is one program about one behaviour, run as
 *     NAME <path of the example server> <path of the scripted server>
 * and ends with 0 when the behaviour is as its opening comment says. Nothing here sleeps for a fixed time:
 * UNTIL waits for a condition and fails when patience() is over. With MCP_UNDER_VALGRIND set, or
 * MCP_TEST_SCALE set to a number, loads shrink by that factor and patience grows.
 */
#ifndef MCP_TESTS_CHECK_H
#define MCP_TESTS_CHECK_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include <mcp.h>

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* ---- checks ----------------------------------------------------------------------------- */

/* Ends the program, also from another thread, with what was expected and what was seen. */
_Noreturn static inline void check_failed(const char *file, int line, const char *format, ...) {
    va_list values;
    va_start(values, format);
    fprintf(stderr, "%s:%d: ", file, line);
    vfprintf(stderr, format, values);
    fprintf(stderr, "\n");
    va_end(values);
    fflush(NULL);
    _exit(1);
}

#define FAIL(...) check_failed(__FILE__, __LINE__, __VA_ARGS__)

#define CHECK(condition)                                                                                     \
    do {                                                                                                     \
        if (!(condition)) {                                                                                  \
            FAIL("not so: %s", #condition);                                                                  \
        }                                                                                                    \
    } while (0)

#define CHECK_STATUS(actual, expected)                                                                       \
    do {                                                                                                     \
        mcp_status_t actual_ = (actual);                                                                     \
        mcp_status_t expected_ = (expected);                                                                 \
        if (actual_ != expected_) {                                                                          \
            FAIL("%s is %s (%d), expected %s", #actual, mcp_status_name(actual_), (int)actual_,              \
                 mcp_status_name(expected_));                                                                \
        }                                                                                                    \
    } while (0)

#define CHECK_COMPARED(actual, relation, expected)                                                           \
    do {                                                                                                     \
        long long actual_ = (long long)(actual);                                                             \
        long long expected_ = (long long)(expected);                                                         \
        if (!(actual_ relation expected_)) {                                                                 \
            FAIL("%s is %lld, expected " #relation " %lld (%s)", #actual, actual_, expected_, #expected);    \
        }                                                                                                    \
    } while (0)

#define CHECK_EQ(actual, expected) CHECK_COMPARED(actual, ==, expected)
#define CHECK_NE(actual, expected) CHECK_COMPARED(actual, !=, expected)
#define CHECK_LE(actual, expected) CHECK_COMPARED(actual, <=, expected)
#define CHECK_GE(actual, expected) CHECK_COMPARED(actual, >=, expected)

#define CHECK_TEXT(actual, expected)                                                                         \
    do {                                                                                                     \
        const char *actual_ = (actual);                                                                      \
        const char *expected_ = (expected);                                                                  \
        if (actual_ == NULL || strcmp(actual_, expected_) != 0) {                                            \
            FAIL("%s is \"%s\", expected \"%s\"", #actual, actual_ != NULL ? actual_ : "(NULL)", expected_); \
        }                                                                                                    \
    } while (0)

#define CHECK_CONTAINS(text, part)                                                                           \
    do {                                                                                                     \
        const char *text_ = (text);                                                                          \
        const char *part_ = (part);                                                                          \
        if (text_ == NULL || strstr(text_, part_) == NULL) {                                                 \
            FAIL("%s is \"%s\", expected \"%s\" in it", #text, text_ != NULL ? text_ : "(NULL)", part_);     \
        }                                                                                                    \
    } while (0)

/* ---- time and load ----------------------------------------------------------------------------- */

static inline int scale(void) {
    const char *set = getenv("MCP_TEST_SCALE");
    int factor = set != NULL ? atoi(set) : getenv("MCP_UNDER_VALGRIND") != NULL ? 20 : 1;
    return factor > 1 ? factor : 1;
}

/* A load of `full`, or less in a slowed-down run, but never below `least`. */
static inline int scaled(int full, int least) {
    int load = full / scale();
    return load > least ? load : least;
}

static inline long long now_ms(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (long long)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* How long a wait for something that must happen may take, in milliseconds. */
static inline int patience(void) { return scale() > 1 ? 60000 : 40000; }

/* How much longer than its deadline something may take on a busy machine, in milliseconds. */
static inline int slack(void) { return scale() > 1 ? 10000 : 3000; }

/* Ends a child of fork() without what runs at exit. A leak checker in it would find what belonged to threads that are not
 * there; a program that takes its place has none. */
static inline void end_child(int status) {
    if (scale() > 1) {
        char exit_with[24];
        snprintf(exit_with, sizeof exit_with, "exit %d", status);
        execl("/bin/sh", "sh", "-c", exit_with, (char *)NULL);
    }
    _exit(status);
}

static inline void breathe(void) { poll(NULL, 0, 2); }

/* Waits for a condition, looking again every 2 ms, at most as long as patience() says. */
#define UNTIL(condition)                                                                                     \
    do {                                                                                                     \
        long long deadline_ = now_ms() + patience();                                                         \
        while (!(condition)) {                                                                               \
            if (now_ms() > deadline_) {                                                                      \
                FAIL("did not happen in %d ms: %s", patience(), #condition);                                 \
            }                                                                                                \
            breathe();                                                                                       \
        }                                                                                                    \
    } while (0)

/* ---- text and JSON ----------------------------------------------------------------------------- */

/* A formatted text of any length; free() it. */
static inline char *format(const char *pattern, ...) {
    char *text = NULL;
    va_list values;
    va_start(values, pattern);
    int length = vasprintf(&text, pattern, values);
    va_end(values);
    CHECK(length >= 0);
    return text;
}

/* The value at a pointer; mcp_string_free() it. */
static inline char *json_at(const char *json, const char *pointer) {
    char *value = NULL;
    mcp_status_t status = mcp_json_get(json, pointer, &value, NULL);
    if (status != MCP_OK) {
        FAIL("%s gives %s in %.2000s", pointer, mcp_status_name(status), json != NULL ? json : "(NULL)");
    }
    return value;
}

static inline bool json_has(const char *json, const char *pointer) {
    char *value = NULL;
    bool has = mcp_json_get(json, pointer, &value, NULL) == MCP_OK;
    mcp_string_free(value);
    return has;
}

static inline bool json_is(const char *json, const char *pointer, const char *expected) {
    char *value = NULL;
    bool is = mcp_json_get(json, pointer, &value, NULL) == MCP_OK && strcmp(value, expected) == 0;
    mcp_string_free(value);
    return is;
}

/* How many members or elements there are at a pointer. */
static inline size_t json_count(const char *json, const char *pointer) {
    char *value = json_at(json, pointer);
    char *error = NULL;
    mcp_document_t *document = NULL;
    if (mcp_document_new(value, strlen(value), &document, &error) != MCP_OK) {
        FAIL("%s is %.2000s: %s", pointer, value, error);
    }
    mcp_value_t found = mcp_document_value(document);
    mcp_json_type_t type = mcp_value_type(found);
    if (type != MCP_JSON_ARRAY && type != MCP_JSON_OBJECT) {
        FAIL("%s is %.2000s, and has no elements", pointer, value);
    }
    size_t count = mcp_value_size(found);
    mcp_document_free(document);
    mcp_string_free(value);
    return count;
}

static inline long long json_number(const char *json, const char *pointer) {
    char *value = json_at(json, pointer);
    char *end = NULL;
    long long number = strtoll(value, &end, 10);
    if (end == value) {
        FAIL("%s is %s, expected a number", pointer, value);
    }
    mcp_string_free(value);
    return number;
}

/* ---- clients ----------------------------------------------------------------------------- */

/* A list of arguments for config_for. */
#define ARGS(...) ((const char *const[]){__VA_ARGS__, NULL})

/* A client's config: the command, its arguments (NULL: none) and further members (NULL: none); free() it. */
static inline char *config_for(const char *command, const char *const *arguments, const char *members) {
    char *list = format("%s", "");
    char *quoted = NULL;
    for (; arguments != NULL && *arguments != NULL; arguments++) {
        CHECK_STATUS(mcp_json_quote(*arguments, &quoted), MCP_OK);
        char *longer = format("%s%s%s", list, list[0] == '\0' ? "" : ",", quoted);
        mcp_string_free(quoted);
        free(list);
        list = longer;
    }
    CHECK_STATUS(mcp_json_quote(command, &quoted), MCP_OK);
    char *config = format("{\"command\":%s,\"args\":[%s]%s%s}", quoted, list, members != NULL ? "," : "",
                          members != NULL ? members : "");
    mcp_string_free(quoted);
    free(list);
    return config;
}

/* A client on `queue` (NULL: on its own), nothing started yet. */
static inline mcp_client_t *new_client_on(mcp_queue_t *queue, const char *command,
                                          const char *const *arguments, const char *members) {
    mcp_client_t *client = NULL;
    char *error = NULL;
    char *config = config_for(command, arguments, members);
    mcp_status_t status = mcp_client_new(config, queue, &client, &error);
    if (status != MCP_OK) {
        FAIL("no client from %s: %s", config, error != NULL ? error : mcp_status_name(status));
    }
    CHECK(error == NULL);
    free(config);
    return client;
}

static inline mcp_client_t *new_client(const char *command, const char *const *arguments,
                                       const char *members) {
    return new_client_on(NULL, command, arguments, members);
}

static inline void connect_client(mcp_client_t *client) {
    char *error = NULL;
    mcp_status_t status = mcp_client_connect(client, patience(), &error);
    if (status != MCP_OK) {
        FAIL("not connected: %s", error != NULL ? error : mcp_status_name(status));
    }
}

/* A client that is ready. */
static inline mcp_client_t *connected(const char *command, const char *const *arguments,
                                      const char *members) {
    mcp_client_t *client = new_client(command, arguments, members);
    connect_client(client);
    return client;
}

/* The client's information; mcp_string_free() it. */
static inline char *info_of(mcp_client_t *client) {
    char *info = NULL;
    CHECK_STATUS(mcp_client_info(client, &info, NULL), MCP_OK);
    return info;
}

/* Options of a call that asks for log messages: a modern server sends them only then, a legacy one always. */
#define WITH_LOG "{\"meta\":{\"io.modelcontextprotocol/logLevel\":\"info\"}}"

/* The params that call a tool; `arguments` is JSON, NULL for none; free() them. */
static inline char *tool_params(const char *tool, const char *arguments) {
    return format("{\"name\":\"%s\",\"arguments\":%s}", tool, arguments != NULL ? arguments : "{}");
}

/* Calls a tool and gives its reply, whatever it is; mcp_message_free() it. */
static inline mcp_message_t *call_tool(mcp_client_t *client, const char *tool, const char *arguments,
                                       const char *options) {
    mcp_message_t *reply = NULL;
    char *params = tool_params(tool, arguments);
    mcp_status_t status = mcp_call(client, "tools/call", params, options, &reply);
    free(params);
    CHECK(reply != NULL);
    CHECK_STATUS(mcp_message_status(reply), status);
    CHECK_EQ(mcp_message_kind(reply), MCP_KIND_REPLY);
    return reply;
}

/* Calls a tool that must succeed and gives the text of its answer; free() it. */
static inline char *tool_text(mcp_client_t *client, const char *tool, const char *arguments) {
    mcp_message_t *reply = call_tool(client, tool, arguments, NULL);
    if (mcp_message_status(reply) != MCP_OK) {
        FAIL("tool %s: %s", tool, mcp_message_json(reply, NULL));
    }
    const char *text = mcp_message_text(reply, NULL);
    if (text == NULL) {
        FAIL("tool %s gives no text: %s", tool, mcp_message_json(reply, NULL));
    }
    char *copy = format("%s", text);
    mcp_message_free(reply);
    return copy;
}

/* Starts a tool call on the client's queue. */
static inline uint64_t start_tool(mcp_client_t *client, const char *tool, const char *arguments,
                                  const char *options, uint64_t tag) {
    uint64_t call = 0;
    char *error = NULL;
    char *params = tool_params(tool, arguments);
    mcp_status_t status = mcp_call_start(client, "tools/call", params, options, tag, &call, &error);
    if (status != MCP_OK) {
        FAIL("tool %s not started: %s", tool, error != NULL ? error : mcp_status_name(status));
    }
    free(params);
    return call;
}

/* That the client works: what is sent comes back. */
static inline void check_echo(mcp_client_t *client, const char *text) {
    char *quoted = NULL;
    CHECK_STATUS(mcp_json_quote(text, &quoted), MCP_OK);
    char *arguments = format("{\"text\":%s}", quoted);
    char *answer = tool_text(client, "echo", arguments);
    CHECK_TEXT(answer, text);
    free(answer);
    free(arguments);
    mcp_string_free(quoted);
}

/* The process id of the example server, which it tells itself. */
static inline pid_t server_pid(mcp_client_t *client) {
    char *text = tool_text(client, "pid", NULL);
    pid_t pid = (pid_t)atol(text);
    CHECK_GE(pid, 2);
    free(text);
    return pid;
}

/* The next message of a kind; messages of other kinds are dropped. mcp_message_free() it. */
static inline mcp_message_t *next_of_kind(mcp_client_t *client, mcp_kind_t kind) {
    long long deadline = now_ms() + patience();
    for (;;) {
        mcp_message_t *message = NULL;
        long long left = deadline - now_ms();
        mcp_status_t status = left > 0 ? mcp_client_poll(client, (int32_t)left, &message) : MCP_EMPTY;
        if (status != MCP_OK) {
            FAIL("no %s message: %s", mcp_kind_name(kind), mcp_status_name(status));
        }
        if (mcp_message_kind(message) == kind) {
            return message;
        }
        mcp_message_free(message);
    }
}

/* Waits for the message that says the client came into a state. */
static inline void await_state(mcp_client_t *client, mcp_client_state_t state) {
    long long deadline = now_ms() + patience();
    bool there = false;
    while (!there) {
        if (now_ms() > deadline) {
            FAIL("the client did not come into the state %s in %d ms", mcp_client_state_name(state), patience());
        }
        mcp_message_t *message = next_of_kind(client, MCP_KIND_STATE);
        there = json_is(mcp_message_json(message, NULL), "/state", mcp_client_state_name(state));
        mcp_message_free(message);
    }
}

/* Takes and drops what waits in the client's queue. */
static inline void drain(mcp_client_t *client) {
    mcp_message_t *message = NULL;
    while (mcp_client_poll(client, 0, &message) == MCP_OK) {
        mcp_message_free(message);
    }
}

/* On a busy machine the system takes longer than the usual time to end a server that was killed. */
static inline void close_and_free(mcp_client_t *client) {
    CHECK_STATUS(mcp_client_close(client, patience()), MCP_OK);
    CHECK_STATUS(mcp_client_free(client), MCP_OK);
}

/* ---- threads ----------------------------------------------------------------------------- */

static inline pthread_t start_thread(void *(*body)(void *), void *argument) {
    pthread_t thread;
    CHECK_EQ(pthread_create(&thread, NULL, body, argument), 0);
    return thread;
}

static inline void join_thread(pthread_t thread) { CHECK_EQ(pthread_join(thread, NULL), 0); }

/* The stack of a thread that has 64 KiB, or the least that the system permits (128 KiB on arm64). Sanitizers need more. */
static inline size_t small_stack(void) {
    size_t wanted = (size_t)64 * 1024 * (getenv("MCP_UNDER_SANITIZER") != NULL ? 16 : 1);
    long least = sysconf(_SC_THREAD_STACK_MIN);
    return least > 0 && (size_t)least > wanted ? (size_t)least : wanted;
}

/* ---- processes ----------------------------------------------------------------------------- */

#ifdef _WIN32
/* There is no /proc: what the process holds is not looked at. */
static inline int count_descriptors(void) { return 0; }

static inline int count_threads(void) { return 0; }

static inline int count_children(pid_t *first) {
    (void)first;
    return 0;
}
#else
static inline int count_entries(const char *directory) {
    DIR *open = opendir(directory);
    int count = 0;
    CHECK(open != NULL);
    while (readdir(open) != NULL) {
        count++;
    }
    closedir(open);
    return count - 2; /* "." and ".." */
}

static inline int count_descriptors(void) {
    return count_entries("/proc/self/fd") - 1; /* the one that looks */
}

static inline int count_threads(void) { return count_entries("/proc/self/task"); }

/* Our children, dead but not waited for included; `first` gets one of them (may be NULL). */
static inline int count_children(pid_t *first) {
    DIR *tasks = opendir("/proc/self/task");
    struct dirent *task;
    int count = 0;
    CHECK(tasks != NULL);
    while ((task = readdir(tasks)) != NULL) {
        char path[300];
        snprintf(path, sizeof path, "/proc/self/task/%s/children", task->d_name);
        FILE *list = isdigit((unsigned char)task->d_name[0]) ? fopen(path, "re") : NULL;
        long pid = 0;
        while (list != NULL && fscanf(list, "%ld", &pid) == 1) {
            if (count++ == 0 && first != NULL) {
                *first = (pid_t)pid;
            }
        }
        if (list != NULL) {
            fclose(list);
        }
    }
    closedir(tasks);
    return count;
}
#endif

/* The state letter and process group of a process, from /proc; false if there is no such process. */
static inline bool look_at_process(pid_t pid, char *state, pid_t *group) {
    char path[64];
    char line[512];
    snprintf(path, sizeof path, "/proc/%ld/stat", (long)pid);
    FILE *stat = fopen(path, "re");
    if (stat == NULL) {
        return false;
    }
    size_t length = fread(line, 1, sizeof line - 1, stat);
    fclose(stat);
    line[length] = '\0';
    const char *after_name = strrchr(line, ')'); /* the name itself may hold anything */
    long parent = 0;
    long pgrp = 0;
    bool read = after_name != NULL && sscanf(after_name + 1, " %c %ld %ld", state, &parent, &pgrp) == 3;
    *group = (pid_t)pgrp;
    return read;
}

/* That a process lives. One that is dead and only waits to be reaped by its parent does not. */
static inline bool process_runs(pid_t pid) {
    char state = '?';
    pid_t group = 0;
    return look_at_process(pid, &state, &group) && state != 'Z' && state != 'X';
}

/* How many processes live in a process group. */
static inline int count_group(pid_t group) {
    DIR *processes = opendir("/proc");
    struct dirent *process;
    int count = 0;
    CHECK(processes != NULL);
    while ((process = readdir(processes)) != NULL) {
        char state = '?';
        pid_t its_group = 0;
        if (isdigit((unsigned char)process->d_name[0]) &&
            look_at_process((pid_t)atol(process->d_name), &state, &its_group) && its_group == group &&
            state != 'Z' && state != 'X') {
            count++;
        }
    }
    closedir(processes);
    return count;
}

/* A line of /proc/self/status in KiB, such as "VmRSS:" or "VmHWM:". */
#ifdef _WIN32
long memory_kib(const char *name); /* tests/windows/posix.c */
#else
static inline long memory_kib(const char *name) {
    char line[256];
    long kib = -1;
    FILE *status = fopen("/proc/self/status", "re");
    CHECK(status != NULL);
    while (fgets(line, sizeof line, status) != NULL) {
        if (strncmp(line, name, strlen(name)) == 0) {
            kib = atol(line + strlen(name));
        }
    }
    fclose(status);
    CHECK_GE(kib, 0);
    return kib;
}
#endif

/* What our process holds of the system. */
struct holdings {
    int descriptors;
    int threads;
    int children;
};

static inline void *nothing(void *argument) { return argument; }

/* What the process holds now. A first thread of our own has been and gone, so that what the C library and
 * sanitizers keep after it is counted too. A joined thread may still show for a moment, hence the lowest of
 * several looks. */
static inline struct holdings holdings_now(void) {
    join_thread(start_thread(nothing, NULL));
    int threads = count_threads();
    for (int look = 0; look < 10; look++) {
        breathe();
        threads = count_threads() < threads ? count_threads() : threads;
    }
    return (struct holdings){count_descriptors(), threads, count_children(NULL)};
}

/* Fails if more is held than `before` and that does not change. */
static inline void check_nothing_left(struct holdings before) {
    UNTIL(count_children(NULL) <= before.children);
    UNTIL(count_threads() <= before.threads);
    UNTIL(count_descriptors() <= before.descriptors);
}

#endif
