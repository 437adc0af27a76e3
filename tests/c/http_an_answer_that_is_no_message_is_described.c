/*
 * An answer over HTTP that is empty or no JSON-RPC message ends its call at once as MCP_ERROR_PROTOCOL, and the error says what came:
 * status, content type, and how the body begins. So does HTTP 204, which says that there is no answer.
 */
#include "http.h"

static const struct {
    const char *fault;
    const char *parts[3];
} WRONG[] = {
    {"empty", {"HTTP status 200", "content type 'application/json'", "the body is empty"}},
    {"not-json", {"HTTP status 200", "content type 'application/json'", "begins: {\\\"jsonrpc\\\": oh no"}},
    {"number", {"HTTP status 200", "content type 'application/json'", "begins: 7"}},
    {"other-id", {"HTTP status 200", "content type 'application/json'", "not for you"}},
    {"text:200", {"HTTP status 200", "content type 'text/plain'", "begins: The cat sat on the mat."}},
    {"html", {"HTTP status 200", "content type 'text/html; charset=utf-8'", "This is a page for people"}},
    {"no-content", {"HTTP status 204", "no content", "a request"}},
};

int main(int argc, char **argv) {
    CHECK_EQ(argc, 4);
    struct holdings before = holdings_now();
    const char *const eras[] = {MODERN, LEGACY};
    for (int i = 0; i < 2; i++) {
        struct server server = start_server(argv[3], NULL);
        mcp_client_t *client = connected_to(&server, eras[i]);
        for (size_t row = 0; row < sizeof WRONG / sizeof WRONG[0]; row++) {
            for (int part = 0; part < 3; part++) {
                check_fault(client, WRONG[row].fault, MCP_ERROR_PROTOCOL, WRONG[row].parts[part]);
            }
            check_echo(client, WRONG[row].fault);
        }
        close_and_free(client);
        stop_server(&server);
    }
    check_nothing_left(before);
    return 0;
}
