/* One URL serves every revision that has Streamable HTTP: calls, progress, questions, changes of lists and 64 calls at a time,
 * by our own client; all of these succeed also at a server that takes four and lets eight wait. */
#include "served_http.h"

#define FORM                                                                                                 \
    "{\"mode\":\"form\",\"message\":\"Name?\",\"requestedSchema\":{\"type\":\"object\",\"properties\":"        \
    "{\"name\":{\"type\":\"string\"}},\"required\":[\"name\"]}}"

static void on_echo(void *user, mcp_message_t *request) {
    (void)user;
    char *text = json_at(mcp_message_json(request, NULL), "/arguments/text");
    CHECK_STATUS(mcp_request_respond_text(request, text, false, NULL), MCP_OK);
    mcp_string_free(text);
    mcp_message_free(request);
}

static void on_steps(void *user, mcp_message_t *request) {
    (void)user;
    for (int step = 1; step <= 3; step++) {
        CHECK_STATUS(mcp_request_progress(request, step, 3, "a step"), MCP_OK);
    }
    CHECK_STATUS(mcp_request_respond_text(request, "done", false, NULL), MCP_OK);
    mcp_message_free(request);
}

static void on_ask(void *user, mcp_message_t *request) {
    (void)user;
    char *answer = NULL;
    mcp_status_t status = mcp_request_ask(request, "name", "elicitation/create", FORM, &answer, NULL);
    if (status == MCP_OK) {
        char *name = json_at(answer, "/content/name");
        CHECK_STATUS(mcp_request_respond_text(request, name, false, NULL), MCP_OK);
        mcp_string_free(name);
        mcp_string_free(answer);
    } else {
        CHECK_STATUS(status, MCP_EMPTY);
    }
    mcp_message_free(request);
}

/* 64 calls at one time, whose results are "x". */
static void call_many(mcp_client_t *client, const char *tool) {
    for (int call = 0; call < 64; call++) {
        start_tool(client, tool, "{\"text\":\"x\"}", NULL, 100);
    }
    for (int call = 0; call < 64; call++) {
        mcp_message_t *reply = next_of_kind(client, MCP_KIND_REPLY);
        if (mcp_message_status(reply) != MCP_OK) {
            FAIL("reply %d: %s", call, mcp_message_error(reply, NULL));
        }
        CHECK_TEXT(mcp_message_text(reply, NULL), "x");
        mcp_message_free(reply);
    }
}

static void era(mcp_server_t *server, int port, const char *protocol) {
    char *members = format("\"protocol\":\"%s\",\"capabilities\":{\"elicitation\":{\"form\":{}}}", protocol);
    mcp_client_t *client = http_client(port, members);
    free(members);
    check_echo(client, "over HTTP \xc3\xb6");

    start_tool(client, "steps", NULL, "{\"progress\":true}", 7);
    for (int step = 1; step <= 3; step++) {
        mcp_message_t *progress = next_of_kind(client, MCP_KIND_PROGRESS);
        CHECK_EQ(json_number(mcp_message_json(progress, NULL), "/progress"), step);
        mcp_message_free(progress);
    }
    mcp_message_t *reply = next_of_kind(client, MCP_KIND_REPLY);
    CHECK_TEXT(mcp_message_text(reply, NULL), "done");
    mcp_message_free(reply);

    if (strcmp(protocol, "2025-03-26") != 0) {
        start_tool(client, "ask", NULL, NULL, 8);
        mcp_message_t *request = next_of_kind(client, MCP_KIND_REQUEST);
        CHECK_STATUS(mcp_request_accept_elicitation(request, "{\"name\":\"Ada\"}", NULL), MCP_OK);
        mcp_message_free(request);
        reply = next_of_kind(client, MCP_KIND_REPLY);
        CHECK_TEXT(mcp_message_text(reply, NULL), "Ada");
        mcp_message_free(reply);
    }

    call_many(client, "echo");

    if (strcmp(protocol, "2026-07-28") != 0) {
        add_tool(server, TOOL("another"), on_echo, NULL);
        mcp_message_t *change = next_of_kind(client, MCP_KIND_NOTIFICATION);
        CHECK_TEXT(mcp_message_method(change), "notifications/tools/list_changed");
        mcp_message_free(change);
        CHECK_STATUS(mcp_server_remove(server, "tool", "another", NULL), MCP_OK);
    }
    close_and_free(client);
}

static void on_wait(void *server, mcp_message_t *request) {
    /* The first one waits until a call has found no place. The library reads on meanwhile. */
    UNTIL(info_number(server, "/counters/held") > 0);
    CHECK_STATUS(mcp_request_respond_text(request, "x", false, NULL), MCP_OK);
    mcp_message_free(request);
}

static void with_few_places(const char *protocol) {
    mcp_server_t *server =
        new_server("{\"name\":\"s\",\"limits\":{\"session_requests\":4,\"requests\":8,\"session_waiting\":8}}");
    add_tool(server, TOOL("wait"), on_wait, server);
    int port = serve_http(server, NULL);
    pthread_t thread = start_thread(serve_on, server);
    char *members = format("\"protocol\":\"%s\"", protocol);
    mcp_client_t *client = http_client(port, members);
    free(members);
    call_many(client, "wait");
    close_and_free(client);
    CHECK_EQ(info_number(server, "/requests"), 0);
    CHECK_STATUS(mcp_server_close(server, patience()), MCP_OK);
    join_thread(thread);
    CHECK_STATUS(mcp_server_free(server), MCP_OK);
}

int main(void) {
    struct holdings held = holdings_now();
    mcp_server_t *server = new_server("{\"name\":\"s\"}");
    add_tool(server, TOOL("echo"), on_echo, NULL);
    add_tool(server, TOOL("steps"), on_steps, NULL);
    add_tool(server, TOOL("ask"), on_ask, NULL);
    int port = serve_http(server, NULL);
    pthread_t thread = start_thread(serve_on, server);
    const char *const revisions[] = {"2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"};
    for (size_t i = 0; i < sizeof revisions / sizeof revisions[0]; i++) {
        era(server, port, revisions[i]);
    }
    CHECK_EQ(info_number(server, "/requests"), 0);
    CHECK_EQ(info_number(server, "/counters/held"), 0);
    CHECK_EQ(info_number(server, "/counters/busy"), 0);
    CHECK_STATUS(mcp_server_close(server, patience()), MCP_OK);
    join_thread(thread);
    CHECK_STATUS(mcp_server_free(server), MCP_OK);
    with_few_places("2025-11-25");
    with_few_places("2026-07-28");
    check_nothing_left(held);
    return 0;
}
