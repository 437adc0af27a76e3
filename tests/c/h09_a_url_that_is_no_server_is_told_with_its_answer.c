/*
 * Field fault H09: a URL where something else answers, or nothing. Connecting ends in time with an error that has the status
 * and the beginning of the body, whatever eras are permitted, and does not hang.
 */
#include "http.h"

static const struct {
    const char *fault;
    const char *part; /* what the error must say */
} ANSWERS[] = {
    {"html", "This is a page for people"},
    {"html:404", "This is a page for people"},
    {"text:500", "The cat sat on the mat"},
    {"text:404", "The cat sat on the mat"},
    {"text:400", "The cat sat on the mat"},
    {"404", "404"},
    {"405", "405"},
    {"500", "500"},
    {"503", "503"},
    {"not-json", "oh no"},
    {"number", "7"},
    {"no-content", "204"},
    {"garbage", "127.0.0.1"},
    {"close", "127.0.0.1"},
    {"reset", "127.0.0.1"},
    {"bad-utf8", "the server"},
    {"redirect:302:/elsewhere", "302"},
};

static void check(const struct server *server, const char *path, const char *protocol, const char *part) {
    char *members = format("\"protocol\":\"%s\",\"reconnect\":false,\"timeouts\":{\"probe_ms\":3000,\"initialize_ms\":3000,"
                           "\"connect_ms\":3000}",
                           protocol);
    mcp_client_t *client = client_at(server, path, members);
    char *error = NULL;
    long long begin = now_ms();
    mcp_status_t status = mcp_client_connect(client, patience(), &error);
    CHECK_LE(now_ms() - begin, 10000 + slack());
    CHECK_NE(status, MCP_OK);
    CHECK_NE(status, MCP_ERROR_INTERNAL);
    if (error == NULL || strstr(error, part) == NULL) {
        FAIL("%s at %s: %s does not say \"%s\"", protocol, path, error != NULL ? error : "(no error)", part);
    }
    mcp_string_free(error);
    close_and_free(client);
    free(members);
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 4);
    struct holdings before = holdings_now();
    const char *const protocols[] = {"auto", "legacy", "modern"};
    struct server server = start_server(argv[3], NULL);
    for (int era = 0; era < 3; era++) {
        for (size_t i = 0; i < sizeof ANSWERS / sizeof ANSWERS[0]; i++) {
            char *script = format("on-any=%s", ANSWERS[i].fault);
            set_script(&server, script);
            check(&server, "/mcp", protocols[era], ANSWERS[i].part);
            free(script);
        }
        set_script(&server, "");
        check(&server, "/nowhere", protocols[era], "404");
        check(&server, "/nowhere", protocols[era], "Cannot");
    }
    stop_server(&server);
    /* Nothing listens there any more. */
    for (int era = 0; era < 3; era++) {
        check(&server, "/mcp", protocols[era], "efused");
    }
    check_nothing_left(before);
    return 0;
}
