/*
 * `headers` of the configuration go with every request, such as a token. Without them, or with wrong ones, connecting ends
 * as MCP_ERROR_AUTH. Headers that the protocol sets cannot be set, and line breaks are refused. The token is in no error and no
 * log record.
 */
#include "http.h"

#define TOKEN "tok-3n-of-the-test"

static int leaked; /* atomic */

static void watch(void *user, int32_t level, const char *record) {
    (void)user;
    (void)level;
    if (strstr(record, TOKEN) != NULL) {
        __atomic_add_fetch(&leaked, 1, __ATOMIC_SEQ_CST);
    }
}

static bool has_headers(const char *request, void *user) {
    (void)user;
    return json_is(request, "/headers/authorization", "Bearer " TOKEN) && json_is(request, "/headers/x-team", "blue");
}

static void check_sent(const struct server *server, const char *era) {
    char *members = format("%s,\"headers\":{\"Authorization\":\"Bearer " TOKEN "\",\"X-Team\":\"blue\"}", era);
    mcp_client_t *client = connected_to(server, members);
    check_echo(client, "x");
    mcp_message_t *reply = call_fault(client, "500", NULL);
    CHECK(strstr(mcp_message_json(reply, NULL), TOKEN) == NULL);
    mcp_message_free(reply);
    char *info = info_of(client);
    CHECK(strstr(info, TOKEN) == NULL);
    mcp_string_free(info);
    close_and_free(client);
    free(members);
}

static void check_unauthorized(const struct server *server, const char *members, const char *status) {
    const char *const eras[] = {MODERN, LEGACY, "\"protocol\":\"auto\""};
    for (int i = 0; i < 3; i++) {
        char *all = format("%s,\"reconnect\":false%s", eras[i], members);
        mcp_client_t *client = client_at(server, "/mcp", all);
        char *error = connect_error(client, MCP_ERROR_AUTH);
        CHECK_CONTAINS(error, status);
        mcp_string_free(error);
        close_and_free(client);
        free(all);
    }
}

static void check_refused(const char *name, const char *value) {
    mcp_client_t *client = NULL;
    char *error = NULL;
    char *config = format("{\"url\":\"http://127.0.0.1:1/mcp\",\"headers\":{\"%s\":\"%s\"}}", name, value);
    mcp_status_t status = mcp_client_new(config, NULL, &client, &error);
    if (status != MCP_ERROR_INVALID_ARGUMENT) {
        FAIL("%s is %s", config, mcp_status_name(status));
    }
    CHECK_CONTAINS(error, "headers");
    mcp_string_free(error);
    free(config);
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 4);
    struct holdings before = holdings_now();
    CHECK_STATUS(mcp_log_set_logger(watch, MCP_LOG_TRACE, NULL, NULL), MCP_OK);
    struct server server = start_server(argv[3], ARGS("token=" TOKEN));
    check_sent(&server, MODERN);
    check_sent(&server, LEGACY);
    check_sent(&server, "\"protocol\":\"auto\"");
    long long requests = stat_of(&server, "/methods/POST") + stat_of(&server, "/methods/GET") +
                         stat_of(&server, "/methods/DELETE");
    CHECK_EQ(count_requests(&server, has_headers, NULL), requests);
    CHECK_EQ(stat_of(&server, "/methods/DELETE"), 1);
    check_unauthorized(&server, "", "401");
    check_unauthorized(&server, ",\"headers\":{\"Authorization\":\"Bearer other\"}", "403");
    stop_server(&server);
    static const char *const RESERVED[] = {"Mcp-Session-Id",  "MCP-Protocol-Version", "mcp-method", "Mcp-Name",
                                           "Mcp-Param-Region", "Content-Length",       "Host",       "Transfer-Encoding",
                                           "Accept",          "Content-Type",         "Connection", "Last-Event-ID"};
    for (size_t i = 0; i < sizeof RESERVED / sizeof RESERVED[0]; i++) {
        check_refused(RESERVED[i], "x");
    }
    check_refused("X-Team", "blue\\r\\nX-Evil: yes");
    check_refused("X-Team", "blue\\n");
    check_refused("X Team", "blue");
    check_refused("", "blue");
    CHECK_STATUS(mcp_log_set_logger(NULL, MCP_LOG_TRACE, NULL, NULL), MCP_OK);
    CHECK_EQ(__atomic_load_n(&leaked, __ATOMIC_SEQ_CST), 0);
    check_nothing_left(before);
    return 0;
}
