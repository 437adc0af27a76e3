/*
 * sdl_server: a server in the event loop of SDL, which waits for no descriptors, over the standard streams.
 *
 *   cc -std=c11 sdl_server.c $(pkg-config --cflags --libs mcp sdl2) -o sdl_server
 *   ./inspect --call move '{"x": 3, "y": 4}' -- ./sdl_server
 *
 * The library calls a function when a request arrives. The function posts an event, which any thread may do, and the loop then
 * runs the handlers on the main thread, between the events of the window: they may use its renderer and need no lock.
 */
#include <SDL.h>
#include <mcp.h>
#include <stdio.h>

static const char MOVE[] = "{\"name\": \"move\", \"inputSchema\": {\"type\": \"object\", \"required\": [\"x\", \"y\"],"
                           " \"properties\": {\"x\": {\"type\": \"integer\"}, \"y\": {\"type\": \"integer\"}}}}";

static Uint32 requests_event; /* the number that SDL gives to our type of event */

/* Runs on a thread of the library. If SDL has no room for the event, the events that it has end the wait of the loop. */
static void on_ready(void *user) {
    SDL_Event event = {0};
    (void)user;
    event.type = requests_event;
    SDL_PushEvent(&event);
}

static void on_move(void *user, mcp_message_t *request) {
    SDL_Point *player = user; /* the state of the program, on the main thread */
    mcp_value_t arguments = mcp_value_get(mcp_message_value(request), "arguments");
    int64_t x = 0, y = 0;
    char answer[64];
    mcp_value_int64(mcp_value_get(arguments, "x"), &x);
    mcp_value_int64(mcp_value_get(arguments, "y"), &y);
    player->x += (int)x;
    player->y += (int)y;
    snprintf(answer, sizeof answer, "The player is at %d, %d", player->x, player->y);
    mcp_request_respond_text(request, answer, false, NULL); /* fails only if the client no longer waits */
    mcp_message_free(request);
}

/* The queue tells the loop of requests from the beginning, so it has its function before the server exists. */
static mcp_status_t start(SDL_Point *player, mcp_queue_t **queue, mcp_server_t **server, char **error) {
    mcp_status_t status = mcp_queue_new(NULL, queue, error);
    if (status == MCP_OK) status = mcp_queue_on_ready(*queue, on_ready, NULL, NULL);
    if (status == MCP_OK) status = mcp_server_new("{\"name\": \"sdl_server\", \"version\": \"1.0\"}", *queue, server, error);
    if (status == MCP_OK) status = mcp_server_add_tool(*server, MOVE, on_move, player, NULL, error);
    if (status == MCP_OK) status = mcp_server_serve(*server, "{\"stdio\": true}", NULL, error);
    return status;
}

int main(int argc, char **argv) {
    char *error = NULL;
    SDL_Point player = {0, 0};
    mcp_queue_t *queue = NULL;
    mcp_server_t *server = NULL;
    (void)argc, (void)argv; /* SDL wants a main with them */
    SDL_setenv("SDL_VIDEODRIVER", "dummy", 0); /* this program shows nothing; leave it out where there is a window */
    if (SDL_Init(SDL_INIT_VIDEO) != 0) return fprintf(stderr, "%s\n", SDL_GetError()), 1;
    requests_event = SDL_RegisterEvents(1);
    mcp_status_t status = requests_event != (Uint32)-1 ? start(&player, &queue, &server, &error) : MCP_ERROR_INTERNAL;
    while (status >= MCP_OK) {
        SDL_Event event;
        /* Looks twice a second whether the client has left, too. */
        if (SDL_WaitEventTimeout(&event, 500) != 0 && event.type == SDL_QUIT) break; /* the window was closed */
        status = mcp_server_run(server, 0); /* what is to be done now; never waits */
    }
    if (error != NULL) fprintf(stderr, "%s\n", error);
    mcp_server_free(server);
    mcp_queue_free(queue); /* from now on the library posts no event */
    SDL_Quit();
    mcp_string_free(error);
    return status == MCP_ERROR_CLOSED || status >= MCP_OK ? 0 : 1;
}
