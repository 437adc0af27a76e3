/*
 * What the C tests of servers over HTTP share: a server at a URL of this machine, and clients that write and read bytes as they
 * are.
 */
#ifndef MCP_TESTS_SERVED_HTTP_H
#define MCP_TESTS_SERVED_HTTP_H

#include "served.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <strings.h>

/* Serves at a port that the system chooses; gives it. `members` are further keys of the endpoint, or NULL. */
static inline int serve_http(mcp_server_t *server, const char *members) {
    char *error = NULL;
    char *bound = NULL;
    char *endpoint = format("{\"url\":\"http://127.0.0.1:0/mcp\"%s%s}", members != NULL ? "," : "", members != NULL ? members : "");
    if (mcp_server_serve(server, endpoint, &bound, &error) != MCP_OK) {
        FAIL("%s not served: %s", endpoint, error != NULL ? error : "(no error)");
    }
    free(endpoint);
    char *url = json_at(bound, "/url");
    int port = 0;
    CHECK_EQ(sscanf(url, "http://127.0.0.1:%d/mcp", &port), 1);
    mcp_string_free(url);
    mcp_string_free(bound);
    return port;
}

static inline mcp_client_t *http_client(int port, const char *members) {
    mcp_client_t *client = NULL;
    char *error = NULL;
    char *config = format("{\"url\":\"http://127.0.0.1:%d/mcp\"%s%s}", port, members != NULL ? "," : "", members != NULL ? members : "");
    if (mcp_client_new(config, NULL, &client, &error) != MCP_OK) {
        FAIL("no client from %s: %s", config, error != NULL ? error : "(no error)");
    }
    free(config);
    connect_client(client);
    return client;
}

/* ---- bytes ------------------------------------------------------------------------------------ */

struct wire {
    int fd;
    size_t length;
    long total; /* what a test counts */
    char bytes[1 << 16];
};

static inline struct wire *wire_to(int port) {
    struct wire *wire = calloc(1, sizeof *wire);
    CHECK(wire != NULL);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    wire->fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    CHECK_GE(wire->fd, 0);
    CHECK_EQ(connect(wire->fd, (struct sockaddr *)&address, sizeof address), 0);
    return wire;
}

static inline void wire_free(struct wire *wire) {
    close(wire->fd);
    free(wire);
}

/* Sends bytes; false if the server has closed. */
static inline bool wire_send(struct wire *wire, const char *bytes, size_t length) {
    while (length > 0) {
        ssize_t sent = send(wire->fd, bytes, length, MSG_NOSIGNAL);
        if (sent < 0) {
            return false;
        }
        bytes += sent;
        length -= (size_t)sent;
    }
    return true;
}

/* Reads once, until a time; false at the end. */
static inline bool wire_read_until(struct wire *wire, long long deadline) {
    if (wire->length + 1 >= sizeof wire->bytes) {
        FAIL("more than %zu bytes came: %.300s", sizeof wire->bytes, wire->bytes);
    }
    struct pollfd ready = {.fd = wire->fd, .events = POLLIN};
    long long left = deadline - now_ms();
    if (left <= 0 || poll(&ready, 1, (int)left) == 0) {
        FAIL("what was waited for did not come in %d ms; before: %.600s", patience(), wire->bytes);
    }
    ssize_t got = recv(wire->fd, wire->bytes + wire->length, sizeof wire->bytes - 1 - wire->length, 0);
    if (got <= 0) {
        return false;
    }
    wire->length += (size_t)got;
    wire->bytes[wire->length] = '\0';
    return true;
}

/* Reads once; false at the end. */
static inline bool wire_read(struct wire *wire) { return wire_read_until(wire, now_ms() + patience()); }

/* Reads until a text has come. One deadline for all of it: comments keep a stream alive on which the text never comes. */
static inline void wire_until(struct wire *wire, const char *text) {
    long long deadline = now_ms() + patience();
    while (strstr(wire->bytes, text) == NULL) {
        if (!wire_read_until(wire, deadline)) {
            FAIL("the server closed before '%s'; before: %.600s", text, wire->bytes);
        }
    }
}

static inline void wire_until_end(struct wire *wire) {
    long long deadline = now_ms() + patience();
    while (wire_read_until(wire, deadline)) {
    }
}

/* Begins a request. `headers` are lines that end with \r\n. */
static inline struct wire *begin(int port, const char *method, const char *headers, const char *body) {
    struct wire *wire = wire_to(port);
    char *request = format("%s /mcp HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n%s%sContent-Length: %zu\r\n\r\n%s", method, port, headers,
                           strcasestr(headers, "content-type:") != NULL ? "" : "Content-Type: application/json\r\n",
                           strlen(body), body);
    CHECK(wire_send(wire, request, strlen(request)));
    free(request);
    return wire;
}

/* A request with a connection of its own, and everything that comes back. */
static inline struct wire *ask(int port, const char *method, const char *headers, const char *body) {
    char *closing = format("Connection: close\r\n%s", headers);
    struct wire *wire = begin(port, method, closing, body);
    free(closing);
    wire_until_end(wire);
    return wire;
}

static inline int status_of(const struct wire *wire) {
    if (strncmp(wire->bytes, "HTTP/1.1 ", 9) != 0) {
        FAIL("no answer: '%.100s'", wire->bytes);
    }
    return atoi(wire->bytes + 9);
}

static inline const char *body_of(const struct wire *wire) {
    const char *end = strstr(wire->bytes, "\r\n\r\n");
    CHECK(end != NULL);
    return end + 4;
}

/* The value of a header; free() it. NULL without one. */
static inline char *header_of(const struct wire *wire, const char *name) {
    char *line = format("\r\n%s: ", name);
    const char *found = strcasestr(wire->bytes, line);
    const char *body = strstr(wire->bytes, "\r\n\r\n");
    char *value = NULL;
    if (found != NULL && body != NULL && found < body) {
        found += strlen(line);
        value = format("%.*s", (int)strcspn(found, "\r"), found);
    }
    free(line);
    return value;
}

#define INITIALIZE_AS(version)                                                                               \
    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"" version "\","        \
    "\"capabilities\":{},\"clientInfo\":{\"name\":\"t\",\"version\":\"1\"}}}"

/* Opens a session of 2025-11-25; gives its header as a line. free() it. */
static inline char *open_session(int port) {
    struct wire *wire = ask(port, "POST", "", INITIALIZE_AS("2025-11-25"));
    CHECK_EQ(status_of(wire), 200);
    char *name = header_of(wire, "mcp-session-id");
    CHECK(name != NULL);
    wire_free(wire);
    char *line = format("Mcp-Session-Id: %s\r\n", name);
    free(name);
    wire = ask(port, "POST", line, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}");
    CHECK_EQ(status_of(wire), 202);
    CHECK_TEXT(body_of(wire), "");
    wire_free(wire);
    return line;
}

#define CALL(id, tool)                                                                                       \
    "{\"jsonrpc\":\"2.0\",\"id\":" #id ",\"method\":\"tools/call\",\"params\":{\"name\":\"" tool "\",\"arguments\":{},"      \
    "\"_meta\":{\"progressToken\":" #id "}}}"

#define MODERN_META                                                                                          \
    "\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","                                   \
    "\"io.modelcontextprotocol/clientCapabilities\":{}}"
#define MODERN_HEADERS(method) "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: " method "\r\n"
#define MODERN_CALL(id, tool)                                                                                \
    "{\"jsonrpc\":\"2.0\",\"id\":" #id ",\"method\":\"tools/call\",\"params\":{\"name\":\"" tool "\",\"arguments\":{}," MODERN_META "}}"

#endif
