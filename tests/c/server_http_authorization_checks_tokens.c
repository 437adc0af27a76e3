/* Requests over HTTP with and without tokens, byte by byte: what is served, the exact challenges of what is not, sessions that
 * belong to their principal, lists by scope, and no token in any log. */
#include "served_http.h"
#include "tokens.h"

#include <stdatomic.h>

#define AUTH                                                                                                 \
    "\"auth\":{\"resource\":\"https://mcp.example/mcp\",\"resource_name\":\"Files\","                             \
    "\"authorization_servers\":[\"https://as.example\"],\"jwks\":{\"keys\":[" KEY_A "]},\"scopes\":[\"read\"],"    \
    "\"tools\":{\"erase\":[\"write\"]},\"methods\":{\"prompts/list\":[\"talk\"]}}"
#define METADATA "resource_metadata=\"https://mcp.example/.well-known/oauth-protected-resource/mcp\""
#define BEARER(token) "Authorization: Bearer " token "\r\n"
#define INVALID(why) "Bearer error=\"invalid_token\", error_description=\"" why "\", scope=\"read\", " METADATA
#define LACKS(scopes)                                                                                        \
    "Bearer error=\"insufficient_scope\", error_description=\"the token does not have every scope that this needs\", " \
    "scope=\"" scopes "\", " METADATA

static atomic_int leaked;

static void on_log(void *user, int32_t level, const char *record) {
    (void)user;
    (void)level;
    /* Every token begins so. */
    if (strstr(record, "eyJ") != NULL) {
        atomic_store(&leaked, 1);
    }
}

static void on_who(void *user, mcp_message_t *request) {
    (void)user;
    char *context = NULL;
    CHECK_STATUS(mcp_request_context(request, &context, NULL), MCP_OK);
    CHECK(strstr(context, "eyJ") == NULL);
    char *who = json_at(context, "/principal/subject");
    CHECK_STATUS(mcp_request_respond_text(request, who, false, NULL), MCP_OK);
    mcp_string_free(who);
    mcp_string_free(context);
    mcp_message_free(request);
}

struct row {
    const char *about;
    const char *token; /* lines of headers */
    int status;
    const char *challenge; /* NULL: none */
};

static const struct row ROWS[] = {
    {"no token", "", 401, "Bearer scope=\"read\", " METADATA},
    {"another scheme", "Authorization: Basic YTpi\r\n", 401, "Bearer scope=\"read\", " METADATA},
    {"two tokens", BEARER(READ) BEARER(READ), 400,
     "Bearer error=\"invalid_request\", error_description=\"the header Authorization stands there twice\", scope=\"read\", " METADATA},
    {"no token behind the scheme", "Authorization: Bearer\r\n", 400,
     "Bearer error=\"invalid_request\", error_description=\"the header Authorization must be 'Bearer TOKEN'\", scope=\"read\", " METADATA},
    {"a good one", BEARER(READ), 200, NULL},
    {"the scheme in small letters", "authorization: bearer " READ "\r\n", 200, NULL},
    {"for another server", BEARER(OTHER_AUDIENCE), 401, INVALID("the token is for another server")},
    {"of another issuer", BEARER(OTHER_ISSUER), 401, INVALID("the issuer of the token is not one that is trusted here")},
    {"one that has ended", BEARER(EXPIRED), 401, INVALID("the token has expired")},
    {"one that has not begun", BEARER(NOT_YET), 401, INVALID("the token is not valid yet")},
    {"an unsigned one", BEARER(UNSIGNED), 401, INVALID("the algorithm of the token is not one that is allowed here")},
    {"signed with the public key", BEARER(HMAC), 401, INVALID("the algorithm of the token is not one that is allowed here")},
    {"a forged one", BEARER(FORGED), 401, INVALID("the signature of the token is wrong")},
    {"an unknown key", BEARER(UNKNOWN_KEY), 401, INVALID("the token is signed with a key that its issuer does not have")},
    {"no signed token", BEARER("opaque"), 401, INVALID("the token is not a signed one in three parts")},
    {"too few rights", BEARER(NO_SCOPE), 403, LACKS("read")},
};

#define LIST "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\",\"params\":{" MODERN_META "}}"

static struct wire *call(int port, const char *token, const char *tool) {
    char *headers = format("%sMCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: %s\r\n", token, tool);
    char *body = format("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"%s\",\"arguments\":{}," MODERN_META "}}", tool);
    struct wire *wire = ask(port, "POST", headers, body);
    free(headers);
    free(body);
    return wire;
}

static void is_refused(struct wire *wire, int status, const char *challenge) {
    CHECK_EQ(status_of(wire), status);
    char *found = header_of(wire, "www-authenticate");
    if (challenge == NULL) {
        CHECK(found == NULL);
    } else {
        CHECK(found != NULL);
        CHECK_TEXT(found, challenge);
        CHECK(json_has(body_of(wire), "/error/message"));
    }
    free(found);
    wire_free(wire);
}

static struct wire *get(int port, const char *path) {
    struct wire *wire = wire_to(port);
    char *request = format("GET %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nConnection: close\r\n\r\n", path, port);
    CHECK(wire_send(wire, request, strlen(request)));
    free(request);
    wire_until_end(wire);
    return wire;
}

static void metadata_is_found(int port) {
    static const char *const PATHS[] = {"/.well-known/oauth-protected-resource", "/.well-known/oauth-protected-resource/mcp",
                                        "/.well-known/oauth-protected-resource/mcp/"};
    for (size_t i = 0; i < sizeof PATHS / sizeof PATHS[0]; i++) {
        struct wire *wire = get(port, PATHS[i]);
        CHECK_EQ(status_of(wire), 200);
        const char *body = body_of(wire);
        CHECK(json_is(body, "/resource", "https://mcp.example/mcp"));
        CHECK(json_is(body, "/authorization_servers/0", "https://as.example"));
        CHECK(json_is(body, "/scopes_supported/0", "read") && !json_has(body, "/scopes_supported/1"));
        CHECK(json_is(body, "/bearer_methods_supported/0", "header"));
        CHECK(json_is(body, "/resource_name", "Files"));
        wire_free(wire);
    }
    struct wire *wire = get(port, "/.well-known/oauth-protected-resource/other");
    CHECK_EQ(status_of(wire), 404);
    wire_free(wire);
    wire = get(port, "/mcp?access_token=" READ);
    CHECK_EQ(status_of(wire), 400);
    CHECK(strstr(wire->bytes, "invalid_request") != NULL);
    wire_free(wire);
}

/* A session of the legacy era that this token opens. */
static char *session_of(int port, const char *token) {
    struct wire *wire = ask(port, "POST", token, INITIALIZE_AS("2025-03-26"));
    CHECK_EQ(status_of(wire), 200);
    char *name = header_of(wire, "mcp-session-id");
    CHECK(name != NULL);
    wire_free(wire);
    char *line = format("Mcp-Session-Id: %s\r\n", name);
    free(name);
    return line;
}

static int status_with(int port, const char *method, const char *session, const char *token, const char *body) {
    char *headers = format("%s%s", session, token);
    struct wire *wire = ask(port, method, headers, body);
    int status = status_of(wire);
    wire_free(wire);
    free(headers);
    return status;
}

#define PING "{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"ping\"}"

static void a_session_belongs_to_its_principal(int port) {
    char *session = session_of(port, BEARER(READ));
    CHECK_EQ(status_with(port, "POST", session, BEARER(READ), PING), 200);
    CHECK_EQ(status_with(port, "POST", session, BEARER(BOB), PING), 404);
    CHECK_EQ(status_with(port, "GET", session, "Accept: text/event-stream\r\n" BEARER(BOB), ""), 404);
    CHECK_EQ(status_with(port, "DELETE", session, BEARER(BOB), ""), 404);
    CHECK_EQ(status_with(port, "POST", session, "", PING), 401);
    CHECK_EQ(status_with(port, "DELETE", session, "", ""), 401);
    /* A new token changes nothing. */
    CHECK_EQ(status_with(port, "POST", session, BEARER(READ_LATER), PING), 200);
    /* An array of messages leads past no check: one challenge for all of them. */
    char *headers = format("%s%s", session, BEARER(READ));
    struct wire *wire = ask(port, "POST", headers, "[" PING "," CALL(6, "erase") ",{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"prompts/list\"}]");
    is_refused(wire, 403, LACKS("read write talk"));
    free(headers);
    CHECK_EQ(status_with(port, "DELETE", session, BEARER(READ_LATER), ""), 204);
    CHECK_EQ(status_with(port, "POST", session, BEARER(READ), PING), 404);
    free(session);
}

static void scopes_decide_what_is_listed_and_called(int port) {
    struct wire *wire = ask(port, "POST", BEARER(READ) MODERN_HEADERS("tools/list"), LIST);
    CHECK(json_is(body_of(wire), "/result/tools/0/name", "who") && !json_has(body_of(wire), "/result/tools/1"));
    CHECK(json_is(body_of(wire), "/result/cacheScope", "private"));
    wire_free(wire);
    wire = ask(port, "POST", BEARER(WRITE) MODERN_HEADERS("tools/list"), LIST);
    CHECK(json_is(body_of(wire), "/result/tools/1/name", "erase"));
    wire_free(wire);
    is_refused(call(port, BEARER(READ), "erase"), 403, LACKS("read write"));
    wire = call(port, BEARER(WRITE), "erase");
    CHECK(json_is(body_of(wire), "/result/content/0/text", "ann"));
    wire_free(wire);
    wire = call(port, BEARER(BOB), "who");
    CHECK(json_is(body_of(wire), "/result/content/0/text", "bob"));
    wire_free(wire);
}

static void our_client_brings_its_token(int port) {
    mcp_client_t *client = http_client(port, "\"auth\":{\"type\":\"bearer\",\"token\":\"" WRITE "\"}");
    char *who = tool_text(client, "who", "{}");
    CHECK_TEXT(who, "ann");
    free(who);
    close_and_free(client);
}

int main(void) {
    struct holdings before = holdings_now();
    CHECK_STATUS(mcp_log_set_logger(on_log, MCP_LOG_TRACE, NULL, NULL), MCP_OK);
    mcp_server_t *server = new_server("{\"name\":\"files\"," AUTH "}");
    add_tool(server, TOOL("who"), on_who, NULL);
    add_tool(server, TOOL("erase"), on_who, NULL);
    int port = serve_http(server, NULL);
    pthread_t thread = start_thread(serve_on, server);
    for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
        char *headers = format("%s%s", ROWS[i].token, MODERN_HEADERS("tools/list"));
        struct wire *wire = ask(port, "POST", headers, LIST);
        if (status_of(wire) != ROWS[i].status) {
            FAIL("%s: %.600s", ROWS[i].about, wire->bytes);
        }
        free(headers);
        is_refused(wire, ROWS[i].status, ROWS[i].challenge);
    }
    metadata_is_found(port);
    a_session_belongs_to_its_principal(port);
    scopes_decide_what_is_listed_and_called(port);
    our_client_brings_its_token(port);
    CHECK_STATUS(mcp_server_close(server, patience()), MCP_OK);
    join_thread(thread);
    CHECK_STATUS(mcp_server_free(server), MCP_OK);
    CHECK_STATUS(mcp_log_set_logger(NULL, 0, NULL, NULL), MCP_OK);
    CHECK_EQ(atomic_load(&leaked), 0);
    check_nothing_left(before);
    return 0;
}
