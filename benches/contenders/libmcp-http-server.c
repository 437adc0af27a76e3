/* The server of `libmcp-server.c` over HTTP, with --tls CERTIFICATE KEY of https: it prints its URL and serves until its standard
 * input ends. Only the bound of sessions is raised, for the runner opens 10,000. A second tool, `grow`, adds one more to the list
 * each time. */
#include "echo.h"

#include <string.h>

static void on_grow(void *user, mcp_message_t *request)
{
    static unsigned count;
    char definition[96], *error = NULL;
    snprintf(definition, sizeof definition, "{\"name\":\"grown_%u\",\"inputSchema\":{\"type\":\"object\"}}", count++);
    check(mcp_server_add_tool(user, definition, on_echo, NULL, NULL, &error), error, "add_tool");
    check(mcp_request_respond_text(request, "grown", false, &error), error, "respond");
    mcp_message_free(request);
}

int main(int count, char **words)
{
    mcp_server_t *server = new_echo_server_as(
        "{\"name\":\"mcp-bench\",\"version\":\"1.0.0\",\"limits\":{\"sessions\":20000}}", NULL);
    char *error = NULL, *bound = NULL, *url = NULL, endpoint[8192] = "{\"url\":\"http://127.0.0.1:0/mcp\"}";
    check(mcp_server_add_tool(server, "{\"name\":\"grow\",\"inputSchema\":{\"type\":\"object\"}}", on_grow, server, NULL, &error),
          error, "add_tool");
    if (count == 4 && strcmp(words[1], "--tls") == 0)
        snprintf(endpoint, sizeof endpoint,
                 "{\"url\":\"https://127.0.0.1:0/mcp\",\"certificate_file\":\"%s\",\"key_file\":\"%s\"}", words[2], words[3]);
    check(mcp_server_serve(server, endpoint, &bound, &error), error, "serve");
    check(mcp_json_get(bound, "/url", &url, NULL), NULL, "url");
    printf("%s\n", url);
    fflush(stdout);
    mcp_string_free(url);
    mcp_string_free(bound);
    pthread_t closing = close_at_end_of_input(server);
    mcp_status_t status = mcp_server_run(server, -1);
    if (status != MCP_ERROR_CLOSED)
        fail("run: %s", mcp_status_name(status));
    pthread_join(closing, NULL);
    check(mcp_server_free(server), NULL, "free");
    return 0;
}
