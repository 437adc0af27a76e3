/*
 * A small server of the legacy era that lives in the test: it answers one message at a time, for tests of
 * transports that start no process. line_server_* serves it on a Unix or TCP socket, each connection on a thread of
 * its own, one message on each line.
 *
 * Its tool "echo" gives back "text"; "die" ends the connection without an answer; "noise" answers after a line
 * that is not a message. On a socket there are also "half", which ends it in the middle of the answer, and "stop", after which
 * nothing is read any more and the connection stays open; and "flood", a line without end that begins as an answer
 * to the call if the text is "known".
 */
#ifndef MCP_TESTS_LINE_SERVER_H
#define MCP_TESTS_LINE_SERVER_H

#include "check.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/socket.h>
#include <sys/un.h>

/* A member as it stands, or NULL; mcp_string_free() it. */
static inline char *member(const char *json, const char *pointer) {
    char *value = NULL;
    return mcp_json_get(json, pointer, &value, NULL) == MCP_OK ? value : NULL;
}

/* The answer to a message: NULL for a notification; free() it. `dies` is set when the server is to end. */
static inline char *answer_to(const char *message, bool *dies) {
    char *id = member(message, "/id");
    char *method = member(message, "/method");
    char *answer = NULL;
    if (id == NULL || method == NULL) {
        /* A notification, or something else that wants no answer. */
    } else if (strcmp(method, "initialize") == 0) {
        answer = format("{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":{\"protocolVersion\":\"2025-11-25\","
                        "\"capabilities\":{\"tools\":{}},\"serverInfo\":{\"name\":\"line\",\"version\":\"1\"}}}",
                        id);
    } else if (strcmp(method, "tools/call") == 0) {
        char *name = member(message, "/params/name");
        char *text = member(message, "/params/arguments/text");
        char *quoted = NULL;
        CHECK(name != NULL);
        *dies = strcmp(name, "die") == 0 || strcmp(name, "stop") == 0 || strcmp(name, "flood") == 0;
        CHECK_STATUS(mcp_json_quote(text != NULL ? text : "", &quoted), MCP_OK);
        if (!*dies) {
            answer = format("%s{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":{\"content\":[{\"type\":\"text\",\"text\":%s}]}}",
                            strcmp(name, "noise") == 0 ? "no message at all\n" : "", id, quoted);
        }
        mcp_string_free(quoted);
        mcp_string_free(text);
        mcp_string_free(name);
    } else if (strcmp(method, "ping") == 0) {
        answer = format("{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":{}}", id);
    } else {
        answer = format("{\"jsonrpc\":\"2.0\",\"id\":%s,\"error\":{\"code\":-32601,\"message\":\"no %s\"}}", id, method);
    }
    mcp_string_free(method);
    mcp_string_free(id);
    return answer;
}

#define MOST_CONNECTIONS 64

struct line_server {
    int listener;
    bool content_length;
    pthread_t acceptor;
    atomic_bool stopping;
    /* Connections accepted so far, their threads, and their sockets (-1 once closed). */
    atomic_int accepted;
    pthread_t threads[MOST_CONNECTIONS];
    atomic_int sockets[MOST_CONNECTIONS];
};

struct line_connection {
    struct line_server *server;
    int number;
};

static inline bool send_all(int socket, const char *text, size_t length) {
    while (length > 0) {
        ssize_t sent = send(socket, text, length, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR) {
            continue;
        }
        if (sent <= 0) {
            return false;
        }
        text += sent;
        length -= (size_t)sent;
    }
    return true;
}

/* Until the client ends the connection. */
static inline void send_without_end(int socket, const char *message) {
    static char garbage[65536];
    char *id = member(message, "/id");
    char *text = member(message, "/params/arguments/text");
    char *start = format("{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":{\"content\":\"", id);
    bool goes_on = text == NULL || strcmp(text, "known") != 0 || send_all(socket, start, strlen(start));
    memset(garbage, 'x', sizeof garbage);
    while (goes_on) {
        goes_on = send_all(socket, garbage, sizeof garbage);
    }
    free(start);
    mcp_string_free(text);
    mcp_string_free(id);
}

static inline void *serve_connection(void *argument) {
    struct line_connection *mine = argument;
    struct line_server *server = mine->server;
    int number = mine->number;
    int socket = atomic_load(&server->sockets[number]);
    int copy = dup(socket);
    FILE *lines = fdopen(copy, "r");
    char *line = NULL;
    size_t room = 0;
    ssize_t length = 0;
    bool dies = false;
    free(mine);
    CHECK(lines != NULL);
    while (!dies && (length = getline(&line, &room, lines)) > 0) {
        if (server->content_length) {
            /* The line was the header: a blank line and the message follow. */
            size_t bytes = strtoul(line + strlen("Content-Length:"), NULL, 10);
            CHECK(getline(&line, &room, lines) > 0);
            if (room < bytes + 1) {
                line = realloc(line, bytes + 1);
                room = bytes + 1;
            }
            if (fread(line, 1, bytes, lines) != bytes) {
                break;
            }
            line[bytes] = '\0';
        }
        char *name = member(line, "/params/name");
        bool is_half = name != NULL && strcmp(name, "half") == 0;
        bool floods = name != NULL && strcmp(name, "flood") == 0;
        bool stops = name != NULL && strcmp(name, "stop") == 0;
        mcp_string_free(name);
        char *answer = answer_to(line, &dies);
        if (is_half) {
            dies = true;
            send_all(socket, answer, strlen(answer) / 2);
        } else if (floods) {
            send_without_end(socket, line);
        } else if (stops) {
            while (!atomic_load(&server->stopping)) {
                breathe();
            }
        } else if (answer != NULL) {
            char *framed = server->content_length
                               ? format("Content-Length: %zu\r\n\r\n%s", strlen(answer), answer)
                               : format("%s\n", answer);
            dies = !send_all(socket, framed, strlen(framed)) || dies;
            free(framed);
        }
        free(answer);
    }
    free(line);
    fclose(lines);
    if (atomic_exchange(&server->sockets[number], -1) != -1) {
        close(socket);
    }
    return NULL;
}

static inline void *accept_connections(void *argument) {
    struct line_server *server = argument;
    for (;;) {
        int socket = accept4(server->listener, NULL, NULL, SOCK_CLOEXEC);
        if (socket < 0) {
            CHECK(atomic_load(&server->stopping) || errno == EINTR || errno == ECONNABORTED);
            if (atomic_load(&server->stopping)) {
                return NULL;
            }
            continue;
        }
        int number = atomic_load(&server->accepted);
        CHECK(number < MOST_CONNECTIONS);
        struct line_connection *connection = malloc(sizeof *connection);
        CHECK(connection != NULL);
        *connection = (struct line_connection){server, number};
        atomic_store(&server->sockets[number], socket);
        server->threads[number] = start_thread(serve_connection, connection);
        atomic_store(&server->accepted, number + 1);
    }
}

static inline void line_server_listen(struct line_server *server, const struct sockaddr *address, socklen_t length) {
    int on = 1;
    server->listener = socket(address->sa_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    CHECK(server->listener >= 0);
    CHECK_EQ(setsockopt(server->listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on), 0);
    if (bind(server->listener, address, length) != 0) {
        FAIL("cannot bind: %s", strerror(errno));
    }
    CHECK_EQ(listen(server->listener, 128), 0);
}

static inline void line_server_run(struct line_server *server) {
    atomic_store(&server->stopping, false);
    atomic_store(&server->accepted, 0);
    server->acceptor = start_thread(accept_connections, server);
}

/* The address of a Unix socket; a name that begins with '@' is an abstract one. */
static inline socklen_t unix_address(struct sockaddr_un *address, const char *name) {
    memset(address, 0, sizeof *address);
    address->sun_family = AF_UNIX;
    CHECK(strlen(name) < sizeof address->sun_path);
    strcpy(address->sun_path, name);
    if (name[0] == '@') {
        address->sun_path[0] = '\0';
        return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + strlen(name));
    }
    return (socklen_t)sizeof *address;
}

static inline void line_server_on_unix(struct line_server *server, const char *name) {
    struct sockaddr_un address;
    socklen_t length = unix_address(&address, name);
    if (name[0] != '@') {
        unlink(name);
    }
    line_server_listen(server, (struct sockaddr *)&address, length);
    line_server_run(server);
}

/* Port 0 takes any; gives the port. */
static inline int line_server_on_tcp(struct line_server *server, int port) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    socklen_t length = sizeof address;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    line_server_listen(server, (struct sockaddr *)&address, sizeof address);
    CHECK_EQ(getsockname(server->listener, (struct sockaddr *)&address, &length), 0);
    line_server_run(server);
    return ntohs(address.sin_port);
}

/* Ends the server and every connection, as its death would. */
static inline void line_server_stop(struct line_server *server) {
    atomic_store(&server->stopping, true);
    shutdown(server->listener, SHUT_RDWR);
    join_thread(server->acceptor);
    close(server->listener);
    for (int i = 0; i < atomic_load(&server->accepted); i++) {
        int socket = atomic_exchange(&server->sockets[i], -1);
        if (socket != -1) {
            shutdown(socket, SHUT_RDWR);
        }
        join_thread(server->threads[i]);
        if (socket != -1) {
            close(socket);
        }
    }
}

/* A name for an abstract socket that no other run has; free() it. */
static inline char *socket_name(const char *what) { return format("@mcp-test-%s-%ld", what, (long)getpid()); }

/* A client of the server at `socket`, such as "tcp:127.0.0.1:4000", with further members (NULL: none). */
static inline mcp_client_t *socket_client(const char *socket, const char *members) {
    mcp_client_t *client = NULL;
    char *error = NULL;
    char *config = format("{\"socket\":\"%s\"%s%s}", socket, members != NULL ? "," : "", members != NULL ? members : "");
    mcp_status_t status = mcp_client_new(config, NULL, &client, &error);
    if (status != MCP_OK) {
        FAIL("no client from %s: %s", config, error != NULL ? error : mcp_status_name(status));
    }
    free(config);
    return client;
}

#endif
