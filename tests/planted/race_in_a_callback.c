/* tsan finds: data race.*#0 ready.*race_in_a_callback\.c */
/* Planted: a callback counts when an outcome has come over HTTP, by way of tokio, while the main thread does. */
#include <mcp.h>

#include <stddef.h>

static int counter;
static int called;

static void ready(void *user) {
    (void)user;
    counter++;
    __atomic_store_n(&called, 1, __ATOMIC_RELAXED); /* relaxed: orders nothing */
}

int main(void) {
    mcp_queue_t *queue = NULL;
    mcp_client_t *client = NULL;
    if (mcp_queue_new(NULL, &queue, NULL) != MCP_OK || mcp_queue_on_ready(queue, ready, NULL, NULL) != MCP_OK) {
        return 1;
    }
    /* Nothing listens there: the call fails. */
    if (mcp_client_new("{\"url\":\"http://127.0.0.1:1/mcp\"}", queue, &client, NULL) != MCP_OK ||
        mcp_call_start(client, "ping", NULL, NULL, 0, NULL, NULL) != MCP_OK) {
        return 1;
    }
    while (!__atomic_load_n(&called, __ATOMIC_RELAXED)) {
        counter++;
    }
    counter++;
    mcp_client_free(client);
    mcp_queue_free(queue);
    return 0;
}
