/*
 * What the C tests of servers share: a server at a socket in a folder of its own, threads that serve, and clients that write
 * and read lines as they are.
 */
#ifndef MCP_TESTS_SERVED_H
#define MCP_TESTS_SERVED_H

#include "check.h"

#include <sys/socket.h>
#include <sys/un.h>

/* ---- the server ----------------------------------------------------------------------------- */

#define TOOL(name) "{\"name\":\"" name "\",\"inputSchema\":{\"type\":\"object\"}}"

static inline mcp_server_t *new_server(const char *config) {
    mcp_server_t *server = NULL;
    char *error = NULL;
    if (mcp_server_new(config, NULL, &server, &error) != MCP_OK) {
        FAIL("no server: %s", error != NULL ? error : "(no error)");
    }
    return server;
}

static inline void add_tool(mcp_server_t *server, const char *definition, mcp_handler_t handler, void *user) {
    char *error = NULL;
    if (mcp_server_add_tool(server, definition, handler, user, NULL, &error) != MCP_OK) {
        FAIL("tool not added: %s", error != NULL ? error : "(no error)");
    }
}

#ifdef _WIN32
#define ADDRESS "tcp:127.0.0.1:%s"

/* The number of a free port, where there are no Unix sockets; remove_path() it. */
static inline char *new_path(void) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof address;
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    CHECK_GE(fd, 0);
    CHECK_EQ(bind(fd, (struct sockaddr *)&address, sizeof address), 0);
    CHECK_EQ(getsockname(fd, (struct sockaddr *)&address, &length), 0);
    close(fd);
    return format("%d", (int)ntohs(address.sin_port));
}

static inline void remove_path(char *path) { free(path); }
#else
#define ADDRESS "unix:%s"

/* A socket's path in a new folder; remove_path() it. */
static inline char *new_path(void) {
    char *folder = format("/tmp/mcp-test-XXXXXX");
    CHECK(mkdtemp(folder) != NULL);
    char *path = format("%s/socket", folder);
    free(folder);
    return path;
}

static inline void remove_path(char *path) {
    unlink(path);
    *strrchr(path, '/') = '\0';
    CHECK_EQ(rmdir(path), 0);
    free(path);
}
#endif

static inline void serve_at(mcp_server_t *server, const char *path) {
    char *error = NULL;
    char *endpoint = format("{\"socket\":\"" ADDRESS "\"}", path);
    if (mcp_server_serve(server, endpoint, NULL, &error) != MCP_OK) {
        FAIL("%s not served: %s", endpoint, error != NULL ? error : "(no error)");
    }
    free(endpoint);
}

/* Runs this program again, as the server that its main() makes of the argument "serve". Memcheck names the program only to
 * those who read the link. */
static inline void become_server(void) {
    char self[4096] = {0};
    CHECK_GE(readlink("/proc/self/exe", self, sizeof self - 1), 1);
    execl(self, "server", "serve", (char *)NULL);
    FAIL("not started: %s", self);
}

/* Body of a thread that serves until the server has ended. */
static inline void *serve_on(void *server) {
    CHECK_STATUS(mcp_server_run(server, -1), MCP_ERROR_CLOSED);
    return NULL;
}

static inline long info_number(mcp_server_t *server, const char *pointer) {
    char *info = NULL;
    CHECK_STATUS(mcp_server_info(server, &info, NULL), MCP_OK);
    char *value = json_at(info, pointer);
    long number = atol(value);
    mcp_string_free(value);
    mcp_string_free(info);
    return number;
}

/* The config of a client of ours for the server at `path`. */
static inline mcp_client_t *client_at(const char *path, const char *members) {
    mcp_client_t *client = NULL;
    char *error = NULL;
    char *config = format("{\"socket\":\"" ADDRESS "\"%s%s}", path, members != NULL ? "," : "", members != NULL ? members : "");
    if (mcp_client_new(config, NULL, &client, &error) != MCP_OK) {
        FAIL("no client from %s: %s", config, error != NULL ? error : "(no error)");
    }
    free(config);
    connect_client(client);
    return client;
}

/* ---- a client that writes and reads lines ----------------------------------------------------------------- */

struct peer {
    int in;
    int out;
    size_t length;
    size_t taken;
    size_t room;
    char *bytes;
};

static inline struct peer *peer_on(int in, int out) {
    struct peer *peer = calloc(1, sizeof *peer);
    CHECK(peer != NULL);
    peer->in = in;
    peer->out = out;
    return peer;
}

static inline struct peer *peer_at(const char *path) {
#ifdef _WIN32
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    address.sin_port = htons((unsigned short)atoi(path));
    int fd = socket(AF_INET, SOCK_STREAM, 0);
#else
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    CHECK(strlen(path) < sizeof address.sun_path);
    strcpy(address.sun_path, path);
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
#endif
    CHECK_GE(fd, 0);
    CHECK_EQ(connect(fd, (struct sockaddr *)&address, sizeof address), 0);
    return peer_on(fd, fd);
}

static inline void peer_free(struct peer *peer) {
    close(peer->in);
    if (peer->out != peer->in && peer->out >= 0) {
        close(peer->out);
    }
    free(peer->bytes);
    free(peer);
}

/* Sends bytes; false if the server has closed. */
static inline bool peer_write(struct peer *peer, const char *bytes, size_t length) {
    while (length > 0) {
        ssize_t sent = peer->out == peer->in ? send(peer->out, bytes, length, MSG_NOSIGNAL) : write(peer->out, bytes, length);
        if (sent < 0) {
            return false;
        }
        bytes += sent;
        length -= (size_t)sent;
    }
    return true;
}

static inline void peer_send(struct peer *peer, const char *line) {
    CHECK(peer_write(peer, line, strlen(line)));
    CHECK(peer_write(peer, "\n", 1));
}

/* The next line, which stays valid until the next call; NULL at the end. */
static inline const char *peer_line(struct peer *peer) {
    long long deadline = now_ms() + patience();
    for (;;) {
        char *start = peer->bytes != NULL ? peer->bytes + peer->taken : NULL;
        char *end = start != NULL ? memchr(start, '\n', peer->length - peer->taken) : NULL;
        if (end != NULL) {
            *end = '\0';
            peer->taken = (size_t)(end - peer->bytes) + 1;
            return start;
        }
        if (peer->taken > 0) {
            memmove(peer->bytes, start, peer->length - peer->taken);
            peer->length -= peer->taken;
            peer->taken = 0;
        }
        if (peer->room - peer->length < 65536) {
            peer->room = peer->room * 2 + 65536;
            peer->bytes = realloc(peer->bytes, peer->room);
            CHECK(peer->bytes != NULL);
        }
        struct pollfd ready = {.fd = peer->in, .events = POLLIN};
        long long left = deadline - now_ms();
        if (left <= 0 || poll(&ready, 1, (int)left) == 0) {
            FAIL("the server sent nothing for %d ms; before: %.200s", patience(), peer->bytes);
        }
        ssize_t got = read(peer->in, peer->bytes + peer->length, peer->room - peer->length);
        if (got <= 0) {
            CHECK(got == 0 || errno == ECONNRESET || errno == EINTR);
            if (got == 0 || errno == ECONNRESET) {
                return NULL;
            }
            continue;
        }
        peer->length += (size_t)got;
    }
}

/* The next line that has the given id, or method where that is a text; others are dropped. */
static inline const char *peer_next(struct peer *peer, const char *pointer, const char *value) {
    for (long long deadline = now_ms() + patience();;) {
        if (now_ms() > deadline) {
            FAIL("no line with %s %s came in %d ms", pointer, value, patience());
        }
        const char *line = peer_line(peer);
        if (line == NULL) {
            FAIL("the server closed before a line with %s %s", pointer, value);
        }
        if (json_is(line, pointer, value)) {
            return line;
        }
    }
}

static inline const char *peer_answer(struct peer *peer, const char *id) { return peer_next(peer, "/id", id); }

#define INITIALIZE                                                                                           \
    "{\"jsonrpc\":\"2.0\",\"id\":\"i\",\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-11-25\","     \
    "\"capabilities\":{},\"clientInfo\":{\"name\":\"t\",\"version\":\"1\"}}}"

/* The handshake of 2025-11-25. */
static inline void peer_initialize(struct peer *peer) {
    peer_send(peer, INITIALIZE);
    const char *line = peer_line(peer);
    if (line == NULL || !json_is(line, "/result/protocolVersion", "2025-11-25")) {
        FAIL("no handshake: %s", line != NULL ? line : "(end)");
    }
    peer_send(peer, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}");
}

static inline void peer_call(struct peer *peer, int id, const char *tool) {
    char *line = format("{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"tools/call\",\"params\":{\"name\":\"%s\",\"arguments\":{}}}",
                        id, tool);
    peer_send(peer, line);
    free(line);
}

static inline void peer_ping(struct peer *peer, int id) {
    char *line = format("{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"ping\"}", id);
    char *number = format("%d", id);
    peer_send(peer, line);
    CHECK(json_has(peer_answer(peer, number), "/result"));
    free(number);
    free(line);
}

#endif
