/* server_in_loop: a server inside an HTTP server of the program with one loop. What such a server reads from its
 * connection is a text here. With a thread for each connection pass no function and timeout -1, as server_in_microhttpd.c.
 */
#define _DEFAULT_SOURCE
#include <mcp.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int wake[2];

/* Called once after each MCP_EMPTY, and when a body is not wanted any more, on another thread: it only wakes the loop. */
static void on_ready(void *user) {
    (void)user;
    if (write(wake[1], "", 1) != 1) fprintf(stderr, "the loop cannot be woken\n");
}

static void on_hello(void *user, mcp_message_t *request) {
    (void)user;
    mcp_request_respond_text(request, "hello", false, NULL);
    mcp_message_free(request);
}

int main(void) {
    static const char TOOL[] = "{\"name\": \"hello\", \"inputSchema\": {\"type\": \"object\"}}";
    /* What your HTTP server reads from the connection, behind the head. */
    static const char BODY[] = "{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"tools/call\", \"params\": {\"name\": \"hello\","
                               " \"_meta\": {\"io.modelcontextprotocol/protocolVersion\": \"2026-07-28\","
                               " \"io.modelcontextprotocol/clientCapabilities\": {}}}}";
    const char *headers[] = {"Host", "app.example.com", "Content-Type", "application/json", "Mcp-Method", "tools/call",
                             "Mcp-Name", "hello", "MCP-Protocol-Version", "2026-07-28", NULL};
    mcp_server_t *server = NULL;
    mcp_exchange_t *exchange = NULL;
    const char *name, *value;
    char part[4096], byte;
    size_t length = 0, all = 0, most = 0, given = 0;
    int32_t http_status = 0;
    mcp_status_t status;
    if (pipe(wake) != 0 || mcp_server_new("{\"name\": \"app\", \"workers\": 1}", NULL, &server, NULL) != MCP_OK ||
        mcp_server_add_tool(server, TOOL, on_hello, NULL, NULL, NULL) != MCP_OK ||
        mcp_server_serve(server, "{\"url\": \"https://app.example.com/mcp\", \"listen\": false}", NULL, NULL) != MCP_OK ||
        mcp_server_http_begin(server, "POST", "/mcp", headers, "192.0.2.7", on_ready, NULL, NULL, &exchange, NULL) != MCP_OK) {
        return 1;
    }
    while ((status = mcp_exchange_permit(exchange, 0, &most)) == MCP_EMPTY || (status == MCP_OK && most > 0)) {
        if (status == MCP_EMPTY && read(wake[0], &byte, 1) != 1) return 1; /* your loop does other things meanwhile */
        if (status == MCP_EMPTY) continue;
        length = strlen(BODY) - given < most ? strlen(BODY) - given : most;
        given += length;
        mcp_exchange_write(exchange, BODY + given - length, length, given == strlen(BODY));
    }
    while ((status = mcp_exchange_head(exchange, 0, &http_status, NULL)) == MCP_EMPTY) {
        if (read(wake[0], &byte, 1) != 1) return 1;
    }
    printf("HTTP/1.1 %d\n", (int)http_status);
    for (size_t i = 0; (name = mcp_exchange_header(exchange, i, &value)) != NULL; i++) printf("%s: %s\n", name, value);
    /* Only as much as the connection takes. */
    while ((status = mcp_exchange_read(exchange, 0, part, sizeof part, &length)) == MCP_EMPTY || (status == MCP_OK && length > 0)) {
        if (status == MCP_EMPTY && read(wake[0], &byte, 1) != 1) return 1;
        printf("%.*s", (int)length, part);
        all += length;
    }
    mcp_exchange_free(exchange); /* also when the client is gone: that cancels its request in 2026-07-28 */
    mcp_server_free(server);
    close(wake[0]), close(wake[1]);
    return status == MCP_OK && http_status == 200 && all > 0 ? 0 : 1;
}
