/*
 * A server that repeats the whole request in its error page: neither the token, nor the key in the URL or in a header, nor the
 * session is in the error that the application gets, or in what is logged. `headers` of the configuration go with every request;
 * without the right token connecting ends as MCP_ERROR_AUTH.
 */
#include "http.h"

#define TOKEN "a-token-that-is-secret"
#define KEY "a-key-that-is-secret"
#define QUERY "a-parameter-that-is-secret"

static void shows_nothing(const char *text) {
    const char *const secrets[] = {TOKEN, KEY, QUERY};
    for (size_t i = 0; i < sizeof secrets / sizeof secrets[0]; i++) {
        if (strstr(text, secrets[i]) != NULL) {
            FAIL("%s is in: %s", secrets[i], text);
        }
    }
}

static int32_t records;

static void hears(void *user, int32_t level, const char *record) {
    (void)user, (void)level;
    __atomic_add_fetch(&records, 1, __ATOMIC_SEQ_CST);
    shows_nothing(record);
}

static void check(const struct server *server, const char *era, bool by_login) {
    char *members = format("%s,\"headers\":{\"x-api-key\":\"" KEY "\"%s}%s", era,
                           by_login ? "" : ",\"authorization\":\"Bearer " TOKEN "\"",
                           by_login ? ",\"auth\":{\"type\":\"bearer\",\"token\":\"" TOKEN "\"}" : "");
    mcp_client_t *client = client_at(server, "/mcp?mode=x&key=" QUERY, members);
    connect_client(client);
    const char *const faults[] = {"mirror", "mirror:404", "mirror:403", "mirror:200", "mirror:429"};
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
        mcp_message_t *reply = call_fault(client, faults[i], NULL);
        CHECK_NE(mcp_message_status(reply), MCP_OK);
        const char *error = mcp_message_json(reply, NULL);
        CHECK_CONTAINS(error, "cannot POST /mcp?mode=x&key=…");
        shows_nothing(error);
        /* The session is not a constant. */
        const char *session = strstr(error, "ession-");
        CHECK(session == NULL || strncmp(strchr(session, ':'), ": …", strlen(": …")) == 0);
        mcp_message_free(reply);
    }
    close_and_free(client);
    free(members);
}

static bool has_headers(const char *request, void *user) {
    (void)user;
    return json_is(request, "/headers/authorization", "Bearer " TOKEN) && json_is(request, "/headers/x-api-key", KEY);
}

static void check_sent(const struct server *server, const char *const *eras) {
    for (int i = 0; i < 3; i++) {
        char *members =
            format("%s,\"headers\":{\"Authorization\":\"Bearer " TOKEN "\",\"X-Api-Key\":\"" KEY "\"}", eras[i]);
        mcp_client_t *client = connected_to(server, members);
        check_echo(client, "x");
        char *info = info_of(client);
        shows_nothing(info);
        mcp_string_free(info);
        close_and_free(client);
        free(members);
    }
    long long requests = stat_of(server, "/methods/POST") + stat_of(server, "/methods/GET") +
                         stat_of(server, "/methods/DELETE");
    CHECK_EQ(count_requests(server, has_headers, NULL), requests);
    CHECK_EQ(stat_of(server, "/methods/DELETE"), 1);
}

static void check_unauthorized(const struct server *server, const char *const *eras, const char *members,
                               const char *status) {
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
    CHECK_STATUS(mcp_client_new(config, NULL, &client, &error), MCP_ERROR_INVALID_ARGUMENT);
    CHECK_CONTAINS(error, "headers");
    mcp_string_free(error);
    free(config);
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 4);
    struct holdings before = holdings_now();
    CHECK_STATUS(mcp_log_set_logger(hears, MCP_LOG_TRACE, NULL, NULL), MCP_OK);
    struct server server = start_server(argv[3], ARGS("token=" TOKEN));
    const char *const eras[] = {MODERN, LEGACY, "\"protocol\":\"auto\""};
    check_sent(&server, eras);
    check_unauthorized(&server, eras, "", "401");
    check_unauthorized(&server, eras, ",\"headers\":{\"Authorization\":\"Bearer other\"}", "403");
    check_refused("Mcp-Session-Id", "x");
    check_refused("X-Api-Key", "blue\\r\\nX-Evil: yes");
    check(&server, MODERN, false);
    check(&server, MODERN, true);
    check(&server, LEGACY, false);
    check(&server, LEGACY, true);
    stop_server(&server);
    CHECK_STATUS(mcp_log_set_logger(NULL, 0, NULL, NULL), MCP_OK);
    CHECK_GE(__atomic_load_n(&records, __ATOMIC_SEQ_CST), 1);
    check_nothing_left(before);
    return 0;
}
