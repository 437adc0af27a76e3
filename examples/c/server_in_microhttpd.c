/*
 * server_in_microhttpd: a program that has an HTTP server, here GNU libmicrohttpd, offers MCP at one more path of it.
 *
 *   cc -std=c11 server_in_microhttpd.c $(pkg-config --cflags --libs mcp libmicrohttpd) -o server_in_microhttpd
 *   ./server_in_microhttpd          serves until SIGINT or SIGTERM
 *   ./server_in_microhttpd --try    calls itself, once as a client of MCP and once as a browser would
 *
 * Each connection has a thread, which waits in mcp_exchange_head() and mcp_exchange_read(). A server with one loop passes a
 * function that wakes the loop to mcp_server_http_begin(), and timeout 0 to these: docs/guide/serving.md has that.
 */
#define _DEFAULT_SOURCE
#include <arpa/inet.h>
#include <mcp.h>
#include <microhttpd.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct visit { /* one request of a client */
    mcp_exchange_t *exchange; /* NULL for the program's own page */
    const char *headers[2 * 101 + 1]; /* one more than the library takes */
    size_t count;
};

static const char TOOL[] = "{\"name\": \"greet\", \"inputSchema\": {\"type\": \"object\", \"properties\": {\"name\":"
                           " {\"type\": \"string\"}}, \"required\": [\"name\"]}}";

static void on_greet(void *user, mcp_message_t *request) {
    mcp_value_t arguments = mcp_value_get(mcp_message_value(request), "arguments");
    char text[100];
    (void)user;
    snprintf(text, sizeof text, "Hello, %.80s!", mcp_value_string(mcp_value_get(arguments, "name"), NULL));
    mcp_request_respond_text(request, text, false, NULL);
    mcp_message_free(request);
}

static enum MHD_Result on_header(void *of, enum MHD_ValueKind kind, const char *name, const char *value) {
    struct visit *visit = of;
    (void)kind;
    if (visit->count < 2 * 101) {
        visit->headers[visit->count++] = name;
        visit->headers[visit->count++] = value == NULL ? "" : value;
    }
    return MHD_YES;
}

/* The next part of an answer. Without its end the connection is cut, so that the client sees that something is missing. */
static ssize_t on_room(void *of, uint64_t position, char *into, size_t room) {
    size_t length = 0;
    (void)position;
    if (mcp_exchange_read(((struct visit *)of)->exchange, -1, into, room, &length) != MCP_OK) return MHD_CONTENT_READER_END_WITH_ERROR;
    return length > 0 ? (ssize_t)length : MHD_CONTENT_READER_END_OF_STREAM;
}

/* The library judges the head, before a byte of the body is read. */
static mcp_status_t begin(mcp_server_t *server, struct MHD_Connection *connection, const char *path, const char *method, struct visit *visit) {
    const union MHD_ConnectionInfo *of = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    char peer[INET_ADDRSTRLEN] = "";
    if (of != NULL) inet_ntop(AF_INET, &((const struct sockaddr_in *)of->client_addr)->sin_addr, peer, sizeof peer);
    MHD_get_connection_values(connection, MHD_HEADER_KIND, on_header, visit);
    return mcp_server_http_begin(server, method, path, visit->headers, peer, NULL, NULL, NULL, &visit->exchange, NULL);
}

static enum MHD_Result on_request(void *server, struct MHD_Connection *connection, const char *path, const char *method,
                                  const char *version, const char *part, size_t *length, void **of) {
    struct visit *visit = *of;
    int32_t status = MHD_HTTP_OK;
    int64_t size = 0;
    size_t wanted = 0;
    struct MHD_Response *response;
    (void)version;
    if (visit == NULL) { /* the head */
        if ((*of = visit = calloc(1, sizeof *visit)) == NULL) return MHD_NO;
        if (strcmp(path, "/") == 0) return MHD_YES;
        if (begin(server, connection, path, method, visit) != MCP_OK || mcp_exchange_permit(visit->exchange, -1, &wanted) != MCP_OK) return MHD_NO;
        if (wanted > 0) return MHD_YES; /* the body may come */
    } else if (visit->exchange != NULL) { /* a part of the body, or its end */
        bool is_end = *length == 0;
        if (mcp_exchange_permit(visit->exchange, -1, &wanted) != MCP_OK) return MHD_NO;
        if (wanted > 0 && mcp_exchange_write(visit->exchange, part, *length, is_end) != MCP_OK) return MHD_NO;
        *length = 0; /* what is not wanted any more is thrown away */
        if (!is_end) return MHD_YES;
    } else if (*length > 0) {
        *length = 0;
        return MHD_YES;
    }
    if (visit->exchange == NULL) { /* what the program has besides */
        static char page[] = "A page of the program.\n";
        response = MHD_create_response_from_buffer(sizeof page - 1, page, MHD_RESPMEM_PERSISTENT);
    } else {
        if (mcp_exchange_head(visit->exchange, -1, &status, &size) != MCP_OK) return MHD_NO;
        response = MHD_create_response_from_callback(size < 0 ? MHD_SIZE_UNKNOWN : (uint64_t)size, 4096, on_room, visit, NULL);
        const char *name, *value;
        for (size_t i = 0; (name = mcp_exchange_header(visit->exchange, i, &value)) != NULL; i++) MHD_add_response_header(response, name, value);
    }
    enum MHD_Result queued = MHD_queue_response(connection, (unsigned)status, response);
    MHD_destroy_response(response);
    return queued;
}

/* The answer was sent, or the client is gone. */
static void on_end(void *server, struct MHD_Connection *connection, void **of, enum MHD_RequestTerminationCode why) {
    struct visit *visit = *of;
    (void)server, (void)connection, (void)why;
    if (visit == NULL) return;
    mcp_exchange_free(visit->exchange);
    free(visit);
}

static int try_it(const char *url, uint16_t port) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    static const char PLAIN[] = "GET / HTTP/1.0\r\nHost: 127.0.0.1\r\n\r\n";
    char config[100], answer[1000];
    mcp_client_t *client = NULL;
    mcp_message_t *reply = NULL;
    snprintf(config, sizeof config, "{\"url\": \"%s\"}", url);
    if (mcp_client_new(config, NULL, &client, NULL) == MCP_OK &&
        mcp_client_call_tool(client, "greet", "{\"name\": \"Ada\"}", NULL, &reply) == MCP_OK) {
        printf("the tool says: %s\n", mcp_message_text(reply, NULL));
    }
    mcp_message_free(reply);
    mcp_client_free(client);
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    if (fd < 0 || connect(fd, (struct sockaddr *)&address, sizeof address) != 0 || write(fd, PLAIN, sizeof PLAIN - 1) < 0) return 1;
    for (ssize_t got; (got = read(fd, answer, sizeof answer)) > 0;) printf("%.*s", (int)got, answer);
    return close(fd);
}

static mcp_server_t *server;

/* SIGINT or SIGTERM: mcp_server_run() returns MCP_WOKEN. A second one ends the program at once. */
static void on_signal(int number) {
    signal(number, SIG_DFL);
    mcp_queue_wake(mcp_server_queue(server));
}

int main(int count, char **arguments) {
    char *error = NULL, url[64];
    if (mcp_server_new("{\"name\": \"greeter\", \"workers\": 2}", NULL, &server, &error) != MCP_OK ||
        mcp_server_add_tool(server, TOOL, on_greet, NULL, NULL, &error) != MCP_OK ||
        mcp_server_serve(server, "{\"url\": \"http://127.0.0.1/mcp\", \"listen\": false}", NULL, &error) != MCP_OK) {
        fprintf(stderr, "%s\n", error);
        return mcp_string_free(error), mcp_server_free(server), 1;
    }
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    struct MHD_Daemon *daemon = MHD_start_daemon(MHD_USE_THREAD_PER_CONNECTION | MHD_USE_INTERNAL_POLLING_THREAD, 0, NULL, NULL, on_request, server,
                                                 MHD_OPTION_SOCK_ADDR, (struct sockaddr *)&address, MHD_OPTION_NOTIFY_COMPLETED, on_end, NULL, MHD_OPTION_END);
    if (daemon == NULL) return fprintf(stderr, "no port is free\n"), mcp_server_free(server), 1;
    uint16_t port = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT)->port;
    snprintf(url, sizeof url, "http://127.0.0.1:%d/mcp", port);
    signal(SIGINT, on_signal), signal(SIGTERM, on_signal);
    printf("serving at %s\n", url);
    fflush(stdout);
    int status = 0;
    if (count > 1 && strcmp(arguments[1], "--try") == 0) status = try_it(url, port);
    else mcp_server_run(server, -1); /* until a signal */
    mcp_server_close(server, -1); /* first: it ends the exchanges that threads wait for */
    MHD_stop_daemon(daemon);
    mcp_server_free(server);
    return status;
}
