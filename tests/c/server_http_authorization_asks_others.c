/* Keys that are fetched, and tokens about which the authorization server is asked: a flood of tokens with unknown keys leads to one
 * fetch, a rotated key is found, an issuer that is down is survived, and what cannot be found out is 503 and not 401. */
#include "served_http.h"
#include "tokens.h"

#include <stdatomic.h>

/* ---- the issuer ------------------------------------------------------------------------------- */

struct issuer {
    int fd;
    int port;
    atomic_int requests;
    _Atomic(const char *) body; /* NULL: it answers with status 500 */
    char seen[8192];            /* the last request */
};

static void *answer(void *argument) {
    struct issuer *issuer = argument;
    for (int fd; (fd = accept(issuer->fd, NULL, NULL)) >= 0; close(fd)) {
        size_t length = 0;
        size_t wanted = 0;
        issuer->seen[0] = '\0';
        while (wanted == 0 || length < wanted) {
            ssize_t got = recv(fd, issuer->seen + length, sizeof issuer->seen - 1 - length, 0);
            if (got <= 0) {
                break;
            }
            length += (size_t)got;
            issuer->seen[length] = '\0';
            const char *end = strstr(issuer->seen, "\r\n\r\n");
            const char *size = strcasestr(issuer->seen, "content-length:");
            if (end != NULL) {
                wanted = (size_t)(end + 4 - issuer->seen) + (size != NULL ? (size_t)atoi(size + 15) : 0);
            }
        }
        atomic_fetch_add(&issuer->requests, 1);
        const char *body = atomic_load(&issuer->body);
        char *text = format("HTTP/1.1 %s\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: %zu\r\n\r\n%s",
                            body != NULL ? "200 OK" : "500 Internal Server Error", body != NULL ? strlen(body) : 0,
                            body != NULL ? body : "");
        CHECK_EQ(send(fd, text, strlen(text), MSG_NOSIGNAL), (ssize_t)strlen(text));
        free(text);
    }
    return NULL;
}

static pthread_t open_issuer(struct issuer *issuer, const char *body) {
    struct sockaddr_in address = {.sin_family = AF_INET};
    socklen_t size = sizeof address;
    memset(issuer, 0, sizeof *issuer);
    atomic_store(&issuer->body, body);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    issuer->fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    CHECK_GE(issuer->fd, 0);
    CHECK_EQ(bind(issuer->fd, (struct sockaddr *)&address, sizeof address), 0);
    CHECK_EQ(listen(issuer->fd, 64), 0);
    CHECK_EQ(getsockname(issuer->fd, (struct sockaddr *)&address, &size), 0);
    issuer->port = ntohs(address.sin_port);
    return start_thread(answer, issuer);
}

static void close_issuer(struct issuer *issuer, pthread_t thread) {
    CHECK_EQ(shutdown(issuer->fd, SHUT_RDWR), 0);
    join_thread(thread);
    close(issuer->fd);
}

/* ---- the server ------------------------------------------------------------------------------- */

static int serve_with(mcp_server_t **server, const char *keys) {
    char *config = format("{\"name\":\"s\",\"auth\":{\"resource\":\"https://mcp.example/mcp\","
                          "\"authorization_servers\":[\"https://as.example\"],%s}}",
                          keys);
    *server = new_server(config);
    free(config);
    return serve_http(*server, NULL);
}

static void stop(mcp_server_t *server) {
    CHECK_STATUS(mcp_server_close(server, patience()), MCP_OK);
    CHECK_STATUS(mcp_server_free(server), MCP_OK);
}

#define DISCOVER "{\"jsonrpc\":\"2.0\",\"id\":9,\"method\":\"server/discover\",\"params\":{" MODERN_META "}}"

static int status_with(int port, const char *token) {
    char *headers = format("Authorization: Bearer %s\r\n%s", token, MODERN_HEADERS("server/discover"));
    struct wire *wire = ask(port, "POST", headers, DISCOVER);
    int status = status_of(wire);
    char *retry = header_of(wire, "retry-after");
    char *challenge = header_of(wire, "www-authenticate");
    CHECK_EQ(status == 503, retry != NULL);
    CHECK_EQ(status == 401, challenge != NULL);
    free(retry);
    free(challenge);
    free(headers);
    wire_free(wire);
    return status;
}

static void a_flood_of_unknown_keys_leads_to_one_fetch(void) {
    struct issuer issuer;
    mcp_server_t *server = NULL;
    pthread_t thread = open_issuer(&issuer, "{\"keys\":[" KEY_A "]}");
    char *keys = format("\"jwks_url\":\"http://127.0.0.1:%d/keys\",\"keys_pause_ms\":3600000", issuer.port);
    int port = serve_with(&server, keys);
    free(keys);
    CHECK_EQ(status_with(port, EXPIRED), 401);
    CHECK_EQ(status_with(port, UNSIGNED), 401);
    CHECK_EQ(atomic_load(&issuer.requests), 0); /* what cannot be good costs no fetch */
    CHECK_EQ(status_with(port, READ), 200);
    CHECK_CONTAINS(issuer.seen, "GET /keys HTTP/1.1");
    CHECK(strstr(issuer.seen, "eyJ") == NULL);
    for (int i = 0; i < 50; i++) {
        CHECK_EQ(status_with(port, i % 2 == 0 ? UNKNOWN_KEY : OF_KEY_B), 401);
    }
    CHECK_EQ(status_with(port, READ), 200);
    CHECK_EQ(atomic_load(&issuer.requests), 1);
    stop(server);
    close_issuer(&issuer, thread);
}

static void a_rotated_key_is_found_and_an_issuer_that_is_down_is_survived(void) {
    struct issuer issuer;
    mcp_server_t *server = NULL;
    pthread_t thread = open_issuer(&issuer, NULL);
    char *keys = format("\"jwks_url\":\"http://127.0.0.1:%d/keys\",\"keys_pause_ms\":1", issuer.port);
    int port = serve_with(&server, keys);
    free(keys);
    CHECK_EQ(status_with(port, READ), 503);
    atomic_store(&issuer.body, "{\"keys\":[" KEY_A "]}");
    breathe();
    CHECK_EQ(status_with(port, READ), 200);
    breathe();
    CHECK_EQ(status_with(port, OF_KEY_B), 401);
    atomic_store(&issuer.body, "{\"keys\":[" KEY_A "," KEY_B "]}");
    breathe();
    CHECK_EQ(status_with(port, OF_KEY_B), 200);
    atomic_store(&issuer.body, NULL);
    breathe();
    CHECK_EQ(status_with(port, UNKNOWN_KEY), 401);
    CHECK_EQ(status_with(port, READ), 200);
    stop(server);
    close_issuer(&issuer, thread);
}

static void the_authorization_server_is_asked_once(void) {
    struct issuer issuer;
    mcp_server_t *server = NULL;
    pthread_t thread = open_issuer(&issuer, "{\"active\":true,\"sub\":\"ann\",\"aud\":\"https://mcp.example/mcp\"}");
    char *keys = format("\"introspection\":{\"url\":\"http://127.0.0.1:%d/about\",\"client_id\":\"me\",\"client_secret\":\"s\"}", issuer.port);
    int port = serve_with(&server, keys);
    free(keys);
    for (int i = 0; i < 5; i++) {
        CHECK_EQ(status_with(port, "opaque-1"), 200);
    }
    CHECK_EQ(atomic_load(&issuer.requests), 1);
    CHECK_CONTAINS(issuer.seen, "token=opaque-1&token_type_hint=access_token");
    CHECK_CONTAINS(issuer.seen, "Basic bWU6cw==");
    atomic_store(&issuer.body, "{\"active\":false}");
    CHECK_EQ(status_with(port, "opaque-2"), 401);
    atomic_store(&issuer.body, "{\"active\":true,\"sub\":\"ann\",\"aud\":\"https://other.example\"}");
    CHECK_EQ(status_with(port, "opaque-3"), 401);
    atomic_store(&issuer.body, NULL);
    CHECK_EQ(status_with(port, "opaque-4"), 503);
    atomic_store(&issuer.body, "{\"active\":true,\"sub\":\"ann\",\"aud\":\"https://mcp.example/mcp\"}");
    CHECK_EQ(status_with(port, "opaque-4"), 200);
    stop(server);
    close_issuer(&issuer, thread);
}

int main(void) {
    struct holdings before = holdings_now();
    a_flood_of_unknown_keys_leads_to_one_fetch();
    a_rotated_key_is_found_and_an_issuer_that_is_down_is_survived();
    the_authorization_server_is_asked_once();
    check_nothing_left(before);
    return 0;
}
