/*
 * events: a server that has events (a draft of MCP), and a client that polls them. Neither side of the library knows the methods: the
 * server adds them with mcp_server_add_method(), and the client calls them by their names.
 *
 * A cursor is the number of the last event that the client has. The server keeps four events; of a client that comes too late it says so.
 */
#include <mcp.h>
#include <stdio.h>
#include <string.h>

enum { KEPT = 4 };
static long long latest; /* the number of the newest event; event n is that line n was written */

static void on_list(void *user, mcp_message_t *request) {
    (void)user;
    mcp_request_respond(request,
                        "{\"events\": [{\"name\": \"line.written\", \"description\": \"A line was written\", \"delivery\": [\"poll\"],"
                        " \"inputSchema\": {\"type\": \"object\"}, \"payloadSchema\": {\"type\": \"object\"}}]}",
                        NULL);
    mcp_message_free(request);
}

static void on_poll(void *user, mcp_message_t *request) {
    mcp_value_t params = mcp_message_value(request), cursor = mcp_value_get(params, "cursor");
    long long after = latest;
    int64_t most = KEPT;
    (void)user;
    if (!mcp_value_is(mcp_value_get(params, "name"), "line.written")) {
        mcp_request_respond_error(request, -32602, "there is no such event: events/list has those that there are", NULL, NULL);
        mcp_message_free(request);
        return;
    }
    mcp_value_int64(mcp_value_get(params, "maxEvents"), &most);
    /* Without a cursor it begins now. */
    const char *text = mcp_value_string(cursor, NULL);
    if (text != NULL && sscanf(text, "%lld", &after) != 1) after = latest;
    long long first = latest - KEPT;
    bool is_truncated = after < first;
    if (is_truncated) after = first;

    mcp_builder_t *out = mcp_builder_new();
    mcp_builder_begin_object(out);
    mcp_builder_key(out, "events");
    mcp_builder_begin_array(out);
    for (; after < latest && most > 0; most--) {
        char id[32];
        snprintf(id, sizeof id, "%lld", ++after);
        mcp_builder_begin_object(out);
        mcp_builder_key(out, "eventId"), mcp_builder_string(out, id);
        mcp_builder_key(out, "name"), mcp_builder_string(out, "line.written");
        mcp_builder_key(out, "timestamp"), mcp_builder_string(out, "2026-07-28T00:00:00Z");
        mcp_builder_key(out, "data"), mcp_builder_json(out, "{\"by\": \"an editor\"}");
        mcp_builder_end(out);
    }
    mcp_builder_end(out);
    char next[32];
    snprintf(next, sizeof next, "%lld", after);
    mcp_builder_key(out, "cursor"), mcp_builder_string(out, next);
    mcp_builder_key(out, "truncated"), mcp_builder_bool(out, is_truncated);
    mcp_builder_key(out, "hasMore"), mcp_builder_bool(out, after < latest);
    mcp_builder_key(out, "nextPollMs"), mcp_builder_int64(out, 1000);
    mcp_builder_end(out);
    const char *json = NULL;
    char *error = NULL;
    if (mcp_builder_finish(out, &json, NULL, &error) == MCP_OK) mcp_request_respond(request, json, NULL);
    mcp_string_free(error);
    mcp_builder_free(out);
    mcp_message_free(request);
}

/* Calls a method, while the handlers of the server run here, too. */
static mcp_message_t *call(mcp_server_t *server, mcp_client_t *client, const char *method, const char *params) {
    mcp_message_t *reply = NULL;
    uint64_t number = 0;
    if (mcp_call_start(client, method, params, NULL, 0, &number, NULL) != MCP_OK) return NULL;
    for (int i = 0; i < 1000 && mcp_call_wait(client, number, 0, &reply) == MCP_EMPTY; i++) mcp_server_run(server, 10);
    printf("%s: %s\n", method, mcp_message_json(reply, NULL));
    return reply;
}

int main(void) {
    mcp_server_t *server = NULL;
    mcp_client_t *client = NULL;
    int failed = 0;
    if (mcp_server_new("{\"name\": \"events\", \"version\": \"1.0\"}", NULL, &server, NULL) != MCP_OK) return 1;
    mcp_server_add_method(server, "events/list", NULL, NULL, on_list, NULL, NULL, NULL);
    mcp_server_add_method(server, "events/poll", NULL, NULL, on_poll, NULL, NULL, NULL);
    if (mcp_client_new_in_process("{}", NULL, server, &client, NULL) != MCP_OK) return mcp_server_free(server), 1;

    mcp_message_free(call(server, client, "events/list", "{}"));
    static const int written[] = {0, 2, 0, 9};
    char params[200] = "{\"name\": \"line.written\", \"maxEvents\": 3}";
    for (size_t round = 0; round < sizeof written / sizeof *written; round++) {
        latest += written[round];
        mcp_message_t *reply = call(server, client, "events/poll", params);
        const char *cursor = mcp_value_string(mcp_value_get(mcp_message_value(reply), "cursor"), NULL);
        failed |= cursor == NULL;
        if (cursor != NULL) snprintf(params, sizeof params, "{\"name\": \"line.written\", \"maxEvents\": 3, \"cursor\": \"%s\"}", cursor);
        mcp_message_free(reply);
    }
    mcp_client_free(client);
    mcp_server_free(server);
    return failed;
}
