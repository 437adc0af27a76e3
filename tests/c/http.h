/*
 * For tests over HTTP: the server that misbehaves on purpose (tests/servers/http, its --help has all names), what it saw,
 * and clients that reach it by a URL. A program that includes this is run with the server's path as its third argument.
 */
#ifndef MCP_TESTS_HTTP_H
#define MCP_TESTS_HTTP_H

#include "check.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <spawn.h>
#include <sys/socket.h>

extern char **environ;

/* A running server. */
struct server {
    pid_t pid;
    int port;
    int control;
};

#define MODERN "\"protocol\":\"modern\""
#define LEGACY "\"protocol\":\"legacy\""

/* Starts the server on a port (0: any); `arguments` as from ARGS, NULL for none. */
static inline struct server start_server_on(const char *path, int port, const char *const *arguments) {
    const char *argv[32] = {path, "--life", "300", "--port"};
    char number[16];
    int count = 5;
    int pipe_ends[2];
    posix_spawn_file_actions_t actions;
    struct server server = {0};
    snprintf(number, sizeof number, "%d", port);
    argv[4] = number;
    for (; arguments != NULL && *arguments != NULL; arguments++) {
        CHECK_LE(count, 30);
        argv[count++] = *arguments;
    }
    CHECK_EQ(pipe2(pipe_ends, O_CLOEXEC), 0);
    CHECK_EQ(posix_spawn_file_actions_init(&actions), 0);
    CHECK_EQ(posix_spawn_file_actions_adddup2(&actions, pipe_ends[1], 1), 0);
    CHECK_EQ(posix_spawn(&server.pid, path, &actions, NULL, (char **)argv, environ), 0);
    posix_spawn_file_actions_destroy(&actions);
    close(pipe_ends[1]);
    FILE *lines = fdopen(pipe_ends[0], "r");
    CHECK(lines != NULL);
    if (fscanf(lines, "%d %d", &server.port, &server.control) != 2) {
        FAIL("the server did not start");
    }
    fclose(lines);
    return server;
}

static inline struct server start_server(const char *path, const char *const *arguments) {
    return start_server_on(path, 0, arguments);
}

/* ---- TLS ---------------------------------------------------------------------------------- */

/* A folder for the certificates of one server, free()d by remove_folder. */
static inline char *make_folder(void) {
    const char *temporary = getenv("TMPDIR");
    char *folder = format("%s/libmcp-test-XXXXXX", temporary != NULL ? temporary : "/tmp");
    CHECK(mkdtemp(folder) != NULL);
    return folder;
}

static inline void remove_folder(char *folder) {
    const char *const names[] = {"ca.pem",     "other-ca.pem",     "client.pem",
                                 "client.key", "other-client.pem", "other-client.key", "server.pem", "server.key"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char *path = format("%s/%s", folder, names[i]);
        unlink(path);
        free(path);
    }
    CHECK_EQ(rmdir(folder), 0);
    free(folder);
}

/* Starts the server with TLS; its certificates are made in the folder. */
static inline struct server start_tls_server(const char *path, const char *folder, const char *const *arguments) {
    const char *all[24] = {"--tls", folder};
    for (int count = 2; arguments != NULL && *arguments != NULL; arguments++) {
        CHECK_LE(count, 22);
        all[count++] = *arguments;
    }
    return start_server(path, all);
}

static inline void stop_server(struct server *server) {
    if (server->pid > 0) {
        CHECK_EQ(kill(server->pid, SIGKILL), 0);
        CHECK_EQ(waitpid(server->pid, NULL, 0), server->pid);
        server->pid = 0;
    }
}

/* ---- control ----------------------------------------------------------------------------- */

static inline void write_all(int descriptor, const char *bytes, size_t length) {
    while (length > 0) {
        ssize_t written = send(descriptor, bytes, length, MSG_NOSIGNAL);
        CHECK_GE(written, 1);
        bytes += written;
        length -= (size_t)written;
    }
}

/* Asks the server's control, on a connection of its own; gives the body, free() it. */
static inline char *control(const struct server *server, const char *method, const char *path, const char *body) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)server->control)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int descriptor = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    CHECK_GE(descriptor, 0);
    CHECK_EQ(connect(descriptor, (struct sockaddr *)&address, sizeof address), 0);
    char *request = format("%s %s HTTP/1.1\r\nHost: control\r\nContent-Length: %zu\r\n\r\n%s", method, path,
                           strlen(body), body);
    write_all(descriptor, request, strlen(request));
    free(request);
    /* Everything up to the end; the server ends the connection when we say that nothing more comes. */
    CHECK_EQ(shutdown(descriptor, SHUT_WR), 0);
    size_t length = 0;
    size_t room = 65536;
    char *answer = malloc(room);
    CHECK(answer != NULL);
    ssize_t bytes;
    while ((bytes = recv(descriptor, answer + length, room - length - 1, 0)) > 0) {
        length += (size_t)bytes;
        if (room - length < 4096) {
            room *= 2;
            answer = realloc(answer, room);
            CHECK(answer != NULL);
        }
    }
    close(descriptor);
    answer[length] = '\0';
    char *end = strstr(answer, "\r\n\r\n");
    if (strncmp(answer, "HTTP/1.1 200 ", 13) != 0 || end == NULL) {
        FAIL("control %s %s: %s", method, path, answer);
    }
    char *found = format("%s", end + 4);
    free(answer);
    return found;
}

static inline void tell_server(const struct server *server, const char *path) {
    free(control(server, "POST", path, ""));
}

/* Puts other behaviours in place of the present ones; "" for none. */
static inline void set_script(const struct server *server, const char *behaviours) {
    free(control(server, "POST", "/script", behaviours));
}

/* A number of the statistics; what was never counted is 0. */
static inline long long stat_of(const struct server *server, const char *pointer) {
    char *stats = control(server, "GET", "/stats", "");
    long long number = json_has(stats, pointer) ? json_number(stats, pointer) : 0;
    free(stats);
    return number;
}

/* Whether every connection is known to the server to be idle, but for streams that stay: an answer is here before the server
 * looks at its connection again, or closes it. */
static inline bool is_quiet(const struct server *server) {
    char *stats = control(server, "GET", "/stats", "");
    long long quiet = json_number(stats, "/idle") + json_number(stats, "/get_streams_open");
    bool all = quiet == json_number(stats, "/open");
    free(stats);
    return all;
}

/* The same for JSON-RPC methods, whose names have slashes. */
static inline long long count_of(const struct server *server, const char *rpc_method) {
    char *pointer = format("/rpc/%s", rpc_method);
    char *slash = strchr(pointer + 5, '/');
    if (slash != NULL) {
        *slash = '\0';
        char *escaped = format("%s~1%s", pointer, slash + 1);
        free(pointer);
        pointer = escaped;
    }
    long long count = stat_of(server, pointer);
    free(pointer);
    return count;
}

/* That no client did anything against the specification. */
static inline void check_no_violations(const struct server *server) {
    char *stats = control(server, "GET", "/stats", "");
    char *violations = json_at(stats, "/violations");
    CHECK_TEXT(violations, "[]");
    mcp_string_free(violations);
    free(stats);
}

/* Looks at each request that the server remembers; `look` gets its JSON. Gives how many it returned true for. */
static inline int count_requests(const struct server *server, bool (*look)(const char *request, void *user), void *user) {
    char *requests = control(server, "GET", "/requests", "");
    int found = 0;
    char *request = NULL;
    for (int i = 0;; i++) {
        char *pointer = format("/%d", i);
        mcp_status_t status = mcp_json_get(requests, pointer, &request, NULL);
        free(pointer);
        if (status != MCP_OK) {
            break;
        }
        found += look(request, user) ? 1 : 0;
        mcp_string_free(request);
    }
    free(requests);
    return found;
}

/* Numbers that requests have in common, gathered with count_requests. */
struct times {
    const char *method; /* the HTTP method */
    long long at[256];  /* when they came, in ms */
    int count;
};

static inline bool note_time(const char *request, void *user) {
    struct times *times = user;
    if (!json_is(request, "/method", times->method)) {
        return false;
    }
    CHECK_LE(times->count, 255);
    times->at[times->count++] = json_number(request, "/at");
    return true;
}

/* When the requests of an HTTP method came. */
static inline struct times times_of(const struct server *server, const char *method) {
    struct times times = {.method = method};
    count_requests(server, note_time, &times);
    return times;
}

/* The processor time that our process has used, in milliseconds. */
static inline long long used_ms(void) {
    struct timespec used;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
    return (long long)used.tv_sec * 1000 + used.tv_nsec / 1000000;
}

/* ---- clients ----------------------------------------------------------------------------- */

static inline mcp_client_t *client_of_config(char *config) {
    mcp_client_t *client = NULL;
    char *error = NULL;
    mcp_status_t status = mcp_client_new(config, NULL, &client, &error);
    if (status != MCP_OK) {
        FAIL("no client from %s: %s", config, error != NULL ? error : mcp_status_name(status));
    }
    free(config);
    return client;
}

/* A client for a path of the server, such as "/mcp", nothing started yet; `members` may be NULL. */
static inline mcp_client_t *client_at(const struct server *server, const char *path, const char *members) {
    return client_of_config(format("{\"url\":\"http://127.0.0.1:%d%s\"%s%s}", server->port, path,
                                   members != NULL ? "," : "", members != NULL ? members : ""));
}

/* A client for a server with TLS that trusts what is in a file of the folder. */
static inline mcp_client_t *tls_client(const struct server *server, const char *folder, const char *ca,
                                       const char *members) {
    return client_of_config(format("{\"url\":\"https://localhost:%d/mcp\",\"proxy\":false,\"tls\":{\"ca_file\":"
                                   "\"%s/%s\",\"system_roots\":false}%s%s}",
                                   server->port, folder, ca, members != NULL ? "," : "",
                                   members != NULL ? members : ""));
}

/* A client that is ready. */
static inline mcp_client_t *connected_to(const struct server *server, const char *members) {
    mcp_client_t *client = client_at(server, "/mcp", members);
    connect_client(client);
    return client;
}

/* Calls the tool `fault`, which would answer "fine"; mcp_message_free() the reply. */
static inline mcp_message_t *call_fault(mcp_client_t *client, const char *fault, const char *options) {
    char *arguments = format("{\"do\":\"%s\",\"text\":\"fine\"}", fault);
    mcp_message_t *reply = call_tool(client, "fault", arguments, options);
    free(arguments);
    return reply;
}

/* That a call of the tool `fault` fails with a status, and that its error says something. */
static inline void check_fault(mcp_client_t *client, const char *fault, mcp_status_t expected, const char *part) {
    mcp_message_t *reply = call_fault(client, fault, "{\"timeout_ms\":20000}");
    const char *json = mcp_message_json(reply, NULL);
    if (mcp_message_status(reply) != expected || strstr(json, part) == NULL) {
        FAIL("%s: %s %s; expected %s with \"%s\"", fault, mcp_status_name(mcp_message_status(reply)), json,
             mcp_status_name(expected), part);
    }
    mcp_message_free(reply);
}

/* That a call of the tool `fault` brings the right answer all the same. */
static inline void check_fine(mcp_client_t *client, const char *fault) {
    mcp_message_t *reply = call_fault(client, fault, "{\"timeout_ms\":20000}");
    const char *text = mcp_message_text(reply, NULL);
    if (mcp_message_status(reply) != MCP_OK || text == NULL || strcmp(text, "fine") != 0) {
        FAIL("%s: %s %s", fault, mcp_status_name(mcp_message_status(reply)), mcp_message_json(reply, NULL));
    }
    mcp_message_free(reply);
}

/* Tries to connect and gives the error object of the failure; mcp_string_free() it. */
static inline char *connect_error(mcp_client_t *client, mcp_status_t expected) {
    char *error = NULL;
    mcp_status_t status = mcp_client_connect(client, patience(), &error);
    if (status != expected) {
        FAIL("connect is %s, expected %s: %s", mcp_status_name(status), mcp_status_name(expected),
             error != NULL ? error : "");
    }
    CHECK(error != NULL);
    return error;
}

#endif
