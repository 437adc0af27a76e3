/* game_tick: a server that the main thread of a game serves once per frame, over the standard streams. No thread of the game
 * and no lock is needed: a handler runs inside mcp_server_run(), between two frames. The game ends when its client has left.
 *
 *   ./inspect --call spawn '{"monsters": 3}' -- ./game_tick
 */
#define _POSIX_C_SOURCE 200809L

#include <mcp.h>
#include <signal.h>
#include <stdio.h>
#include <time.h>

static const char SPAWN[] = "{\"name\": \"spawn\", \"inputSchema\": {\"type\": \"object\", \"required\": [\"monsters\"],"
                            " \"properties\": {\"monsters\": {\"type\": \"integer\", \"minimum\": 1, \"maximum\": 100}}}}";

static void on_spawn(void *user, mcp_message_t *request) {
    int64_t *monsters = user, count = 0;
    char answer[64];
    mcp_value_int64(mcp_value_get(mcp_value_get(mcp_message_value(request), "arguments"), "monsters"), &count);
    *monsters += count; /* the state of the game, on the main thread */
    snprintf(answer, sizeof answer, "There are %lld monsters", (long long)*monsters);
    mcp_request_respond_text(request, answer, false, NULL); /* fails only if the client no longer waits */
    mcp_message_free(request);
}

static mcp_server_t *server;

/* SIGINT or SIGTERM: mcp_server_run() returns MCP_WOKEN. A second one ends the program at once. */
static void on_end(int number) {
    signal(number, SIG_DFL);
    mcp_queue_wake(mcp_server_queue(server));
}

int main(void) {
    int64_t monsters = 0;
    mcp_status_t status = mcp_server_new("{\"name\": \"game\", \"version\": \"1.0\"}", NULL, &server, NULL);
    signal(SIGINT, on_end), signal(SIGTERM, on_end);
    if (status == MCP_OK) status = mcp_server_add_tool(server, SPAWN, on_spawn, &monsters, NULL, NULL);
    if (status == MCP_OK) status = mcp_server_serve(server, "{\"stdio\": true}", NULL, NULL);
    while (status == MCP_OK || status == MCP_EMPTY) { /* MCP_EMPTY: the client asked for nothing */
        nanosleep(&(struct timespec){.tv_nsec = 16000000}, NULL); /* the frame: input, physics, drawing */
        status = mcp_server_run(server, 0); /* what is to be done now; never waits */
    }
    fprintf(stderr, "the game ends with %lld monsters: %s\n", (long long)monsters, mcp_status_name(status));
    mcp_server_free(server);
    return status == MCP_ERROR_CLOSED || status == MCP_WOKEN ? 0 : 1; /* the client has closed our standard input, or a signal */
}
