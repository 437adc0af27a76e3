/*
 * An invented revision, 2027-01-01, in both roles. A client takes the newest revision that it knows of those that a server names, and
 * says which there are where it knows none. A server answers the invented revision as the specification has it for one that it does
 * not have, names its own, and serves the next request on the same connection; members, notifications and methods that do
 * not exist yet harm nothing. docs/reference/abi.md has the policy.
 */
#include "served_http.h"

#define INVENTED "2027-01-01"

/* ---- a client ---------------------------------------------------------------------------------- */

static void reached(const char *server, const char *era, const char *script, const char *revision) {
    mcp_client_t *client = connected(server, ARGS("--era", era, script), NULL);
    char *info = info_of(client);
    CHECK(json_is(info, "/revision", revision));
    CHECK_EQ(json_number(info, "/counters/connections"), 1);
    mcp_string_free(info);
    check_echo(client, "it works");
    close_and_free(client);
}

static void unsupported(const char *server, const char *script) {
    mcp_client_t *client = new_client(server, ARGS(script), NULL);
    char *error = NULL;
    CHECK_STATUS(mcp_client_connect(client, patience(), &error), MCP_ERROR_UNSUPPORTED);
    CHECK_CONTAINS(error, "no revision in common");
    CHECK_CONTAINS(error, INVENTED);
    mcp_string_free(error);
    CHECK_STATUS(mcp_client_free(client), MCP_OK);
}

static void a_client(const char *server) {
    reached(server, "modern", "discover=" INVENTED "+2026-07-28+2025-11-25", "2026-07-28");
    reached(server, "legacy", "discover=" INVENTED "+2025-11-25", "2025-11-25");
    reached(server, "legacy", "refuse-probe=" INVENTED "+2025-06-18", "2025-06-18");
    unsupported(server, "discover=" INVENTED);
    unsupported(server, "refuse-probe=" INVENTED);
    /* The program cannot ask for it either, and is told which there are. */
    mcp_client_t *client = NULL;
    char *error = NULL;
    CHECK_STATUS(mcp_client_new("{\"command\":\"x\",\"protocol\":\"" INVENTED "\"}", NULL, &client, &error), MCP_ERROR_INVALID_ARGUMENT);
    CHECK_CONTAINS(error, "2026-07-28");
    mcp_string_free(error);
}

/* ---- a server ---------------------------------------------------------------------------------- */

static void on_add(void *user, mcp_message_t *request) {
    (void)user;
    CHECK_STATUS(mcp_request_respond_text(request, "3", false, NULL), MCP_OK);
    mcp_message_free(request);
}

#define META(revision)                                                                                       \
    "\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"" revision "\",\"io.modelcontextprotocol/invented\":{\"a\":[1]}," \
    "\"io.modelcontextprotocol/clientCapabilities\":{\"invented\":{}}}"
#define ADD(id, revision, more)                                                                              \
    "{\"jsonrpc\":\"2.0\",\"id\":" id ",\"method\":\"tools/call\",\"invented\":1,\"params\":{\"name\":\"add\",\"arguments\":{}," more \
    META(revision) "}}"

static void modern(const char *path) {
    struct peer *peer = peer_at(path);
    peer_send(peer, ADD("1", INVENTED, ""));
    const char *line = peer_answer(peer, "1");
    CHECK(json_is(line, "/error/code", "-32022"));
    CHECK(json_is(line, "/error/data/supported", "[\"2026-07-28\"]"));
    CHECK(json_is(line, "/error/data/requested", INVENTED));
    /* What is not known yet is passed over. */
    peer_send(peer, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/invented\",\"params\":{" META("2026-07-28") "}}");
    peer_send(peer, "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"invented/call\",\"params\":{" META("2026-07-28") "}}");
    CHECK(json_is(peer_answer(peer, "2"), "/error/code", "-32601"));
    peer_send(peer, ADD("3", "2026-07-28", "\"invented\":{},"));
    CHECK(json_is(peer_answer(peer, "3"), "/result/content/0/text", "3"));
    peer_free(peer);
}

static void legacy(const char *path) {
    struct peer *peer = peer_at(path);
    peer_send(peer, INITIALIZE_AS(INVENTED));
    CHECK(json_is(peer_answer(peer, "1"), "/result/protocolVersion", "2025-11-25"));
    peer_send(peer, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}");
    peer_send(peer, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/invented\"}");
    peer_call(peer, 2, "add");
    CHECK(json_is(peer_answer(peer, "2"), "/result/content/0/text", "3"));
    peer_free(peer);
}

static void over_http(int port) {
    struct wire *wire = ask(port, "POST", "MCP-Protocol-Version: " INVENTED "\r\nMcp-Method: tools/call\r\nMcp-Name: add\r\n",
                            ADD("1", INVENTED, ""));
    CHECK_EQ(status_of(wire), 400);
    CHECK(json_is(body_of(wire), "/error/code", "-32022"));
    CHECK(json_has(body_of(wire), "/error/data/supported/0"));
    wire_free(wire);
    wire = ask(port, "POST", "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: add\r\n", ADD("2", "2026-07-28", ""));
    CHECK_EQ(status_of(wire), 200);
    CHECK_CONTAINS(wire->bytes, "\"3\"");
    wire_free(wire);
}

static void a_server(void) {
    char *path = new_path();
    mcp_server_t *server = new_server("{\"name\":\"s\"}");
    add_tool(server, TOOL("add"), on_add, NULL);
    serve_at(server, path);
    int port = serve_http(server, NULL);
    pthread_t thread = start_thread(serve_on, server);
    modern(path);
    legacy(path);
    over_http(port);
    CHECK_STATUS(mcp_server_close(server, -1), MCP_OK);
    join_thread(thread);
    CHECK_STATUS(mcp_server_free(server), MCP_OK);
    remove_path(path);
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 3);
    signal(SIGPIPE, SIG_IGN);
    struct holdings held = holdings_now();
    a_client(argv[2]);
    a_server();
    check_nothing_left(held);
    return 0;
}
