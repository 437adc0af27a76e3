/* A server that speaks first: it calls clients of the legacy era and notifies them outside of any request; each call has one reply
 * with its tag, also when the client refuses, is too late or leaves; what cannot be done is refused at once. */
#include "served.h"

#include <stdatomic.h>

static void on_session(void *user, mcp_message_t *request) {
    char *context = NULL;
    CHECK_STATUS(mcp_request_context(request, &context, NULL), MCP_OK);
    atomic_store((_Atomic uint64_t *)user, (uint64_t)json_number(context, "/session"));
    mcp_string_free(context);
    CHECK_STATUS(mcp_request_respond_text(request, "known", false, NULL), MCP_OK);
    mcp_message_free(request);
}

static uint64_t start(mcp_server_t *server, uint64_t session, const char *method, const char *options, uint64_t tag) {
    uint64_t call = 0;
    char *error = NULL;
    if (mcp_server_call_start(server, session, method, NULL, options, tag, &call, &error) != MCP_OK) {
        FAIL("not called: %s", error != NULL ? error : "(no error)");
    }
    CHECK(call != 0);
    return call;
}

/* The outcome of a call; free it. */
static mcp_message_t *outcome(mcp_server_t *server, uint64_t call, uint64_t tag) {
    mcp_message_t *message = NULL;
    CHECK_STATUS(mcp_server_poll(server, patience(), &message), MCP_OK);
    CHECK_EQ(mcp_message_kind(message), MCP_KIND_REPLY);
    CHECK(mcp_message_server(message) == server);
    CHECK_EQ(mcp_message_call_id(message), call);
    CHECK_EQ(mcp_message_tag(message), tag);
    return message;
}

int main(void) {
    struct holdings held = holdings_now();
    char *path = new_path();
    _Atomic uint64_t session = 0;
    mcp_server_t *server = new_server("{\"name\":\"s\",\"workers\":1}");
    add_tool(server, TOOL("session"), on_session, &session);
    serve_at(server, path);

    /* A client of ours answers by itself. */
    mcp_client_t *client = client_at(path, "\"protocol\":\"legacy\",\"capabilities\":{\"roots\":{}}");
    CHECK_STATUS(mcp_client_set_roots(client, "[{\"uri\":\"file:///work\"}]", NULL), MCP_OK);
    char *error = NULL;
    CHECK_STATUS(mcp_client_set_roots(client, "[7]", &error), MCP_ERROR_INVALID_ARGUMENT);
    CHECK_CONTAINS(error, "neither");
    mcp_string_free(error);
    CHECK_STATUS(mcp_client_set_roots(client, NULL, NULL), MCP_ERROR_INVALID_ARGUMENT);
    char *text = tool_text(client, "session", NULL);
    CHECK_TEXT(text, "known");
    mcp_string_free(text);
    drain(client);
    mcp_message_t *message = NULL;
    while (mcp_server_poll(server, 0, &message) == MCP_OK) {
        mcp_message_free(message);
    }
    /* A client reads while it is called, or watched. */
    CHECK_GE(mcp_client_fd(client), 0);
    uint64_t call = start(server, session, "roots/list", NULL, 7);
    message = outcome(server, call, 7);
    CHECK_STATUS(mcp_message_status(message), MCP_OK);
    CHECK(json_is(mcp_message_json(message, NULL), "/roots/0/uri", "file:///work"));
    mcp_message_free(message);
    CHECK_STATUS(mcp_server_notify(server, 0, "notifications/custom", "{\"n\":1}", NULL), MCP_OK);
    message = next_of_kind(client, MCP_KIND_NOTIFICATION);
    CHECK_TEXT(mcp_message_method(message), "notifications/custom");
    CHECK(json_is(mcp_message_json(message, NULL), "/n", "1"));
    mcp_message_free(message);
    close_and_free(client);

    /* One that refuses, is too late, or leaves. */
    struct peer *peer = peer_at(path);
    peer_initialize(peer);
    peer_call(peer, 1, "session");
    CHECK(json_has(peer_answer(peer, "1"), "/result"));
    call = start(server, session, "ping", NULL, 1);
    char *id = format("%llu", (unsigned long long)call);
    CHECK(json_is(peer_next(peer, "/method", "ping"), "/id", id));
    char *answer = format("{\"jsonrpc\":\"2.0\",\"id\":%s,\"error\":{\"code\":-5,\"message\":\"no\"}}", id);
    peer_send(peer, answer);
    message = outcome(server, call, 1);
    CHECK_STATUS(mcp_message_status(message), MCP_ERROR_SERVER);
    CHECK(json_is(mcp_message_json(message, NULL), "/code", "-5"));
    mcp_message_free(message);
    free(answer);
    free(id);
    call = start(server, session, "ping", "{\"timeout_ms\":20}", 2);
    message = outcome(server, call, 2);
    CHECK_STATUS(mcp_message_status(message), MCP_ERROR_TIMEOUT);
    mcp_message_free(message);
    CHECK(json_has(peer_next(peer, "/method", "notifications/cancelled"), "/params/requestId"));
    CHECK_STATUS(mcp_server_call_start(server, session, "roots/list", NULL, NULL, 0, NULL, &error), MCP_ERROR_UNSUPPORTED);
    CHECK(json_has(error, "/details/missing/roots"));
    mcp_string_free(error);
    CHECK_STATUS(mcp_server_call_start(server, session, "ping", NULL, "{\"timeout\":1}", 0, NULL, &error), MCP_ERROR_INVALID_ARGUMENT);
    CHECK_CONTAINS(error, "timeout_ms");
    mcp_string_free(error);
    CHECK_STATUS(mcp_server_call_start(server, 999, "ping", NULL, NULL, 0, NULL, NULL), MCP_ERROR_UNAVAILABLE);
    CHECK_STATUS(mcp_server_call_start(server, session, NULL, NULL, NULL, 0, NULL, NULL), MCP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(mcp_server_call_start(NULL, session, "ping", NULL, NULL, 0, NULL, NULL), MCP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(mcp_server_notify(server, 999, "notifications/custom", NULL, NULL), MCP_ERROR_UNAVAILABLE);
    CHECK_STATUS(mcp_server_notify(server, 0, "notifications/progress", NULL, &error), MCP_ERROR_INVALID_ARGUMENT);
    CHECK_CONTAINS(error, "mcp_request_progress");
    mcp_string_free(error);
    call = start(server, session, "ping", NULL, 3);
    peer_free(peer);
    message = outcome(server, call, 3);
    CHECK_STATUS(mcp_message_status(message), MCP_ERROR_TRANSPORT);
    mcp_message_free(message);

    CHECK_STATUS(mcp_server_free(server), MCP_OK);
    check_nothing_left(held);
    remove_path(path);
    return 0;
}
