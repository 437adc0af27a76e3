/*
 * sdl_events SERVER: a client in the event loop of SDL, which waits for no descriptors.
 *
 *   cc -std=c11 sdl_events.c $(pkg-config --cflags --libs mcp sdl2) -o sdl_events
 *
 * The library calls a function when the empty queue receives a message. The function posts an event of its own type, which
 * any thread may do, and the loop then takes the messages on the main thread, between the events of the window.
 */
#include <SDL.h>
#include <mcp.h>
#include <stdio.h>

static Uint32 messages_event; /* the number that SDL gives to our type of event */

/* Runs on a thread of the library. If SDL has no room for the event, the events that it has end the wait of the loop. */
static void on_ready(void *user) {
    SDL_Event event = {0};
    (void)user;
    event.type = messages_event;
    SDL_PushEvent(&event);
}

/* Takes every message: the function above is called again only after the queue was empty. Returns MCP_EMPTY while the call
 * has no outcome, and then its status. */
static mcp_status_t take_messages(mcp_queue_t *queue) {
    mcp_message_t *message = NULL;
    mcp_status_t status, outcome = MCP_EMPTY;
    while ((status = mcp_queue_poll(queue, 0, &message)) == MCP_OK) {
        if (mcp_message_kind(message) == MCP_KIND_PROGRESS) {
            double progress = 0;
            mcp_value_double(mcp_value_get(mcp_message_value(message), "progress"), &progress);
            printf("step %.0f\n", progress);
        } else if (mcp_message_kind(message) == MCP_KIND_REPLY) {
            const char *text = mcp_message_text(message, NULL);
            printf("%s\n", text != NULL ? text : mcp_message_json(message, NULL)); /* the result, or the error */
            outcome = mcp_message_status(message);
        }
        mcp_message_free(message);
    }
    return status == MCP_EMPTY ? outcome : status;
}

/* The queue tells the loop of messages from the beginning, so it has its function before the client exists. */
static mcp_status_t start(const char *command, mcp_queue_t **queue, mcp_client_t **client, char **error) {
    const char *config = NULL;
    mcp_builder_t *builder = mcp_builder_new();
    mcp_builder_begin_object(builder);
    mcp_builder_key(builder, "command");
    mcp_builder_string(builder, command);
    mcp_builder_end(builder);
    mcp_status_t status = mcp_builder_finish(builder, &config, NULL, error);
    if (status == MCP_OK) status = mcp_queue_new(NULL, queue, error);
    if (status == MCP_OK) status = mcp_queue_on_ready(*queue, on_ready, NULL, NULL);
    if (status == MCP_OK) status = mcp_client_new(config, *queue, client, error);
    mcp_builder_free(builder);
    if (status != MCP_OK) return status;
    return mcp_client_call_tool_start(*client, "slow", "{\"ms\": 100, \"steps\": 4}", "{\"progress\": true}", 0, NULL, error);
}

int main(int argc, char **argv) {
    char *error = NULL;
    mcp_queue_t *queue = NULL;
    mcp_client_t *client = NULL;
    if (argc != 2) return fprintf(stderr, "usage: sdl_events SERVER\n"), 2;
    SDL_setenv("SDL_VIDEODRIVER", "dummy", 0); /* this program shows nothing; leave it out where there is a window */
    if (SDL_Init(SDL_INIT_VIDEO) != 0) return fprintf(stderr, "%s\n", SDL_GetError()), 1;
    messages_event = SDL_RegisterEvents(1);
    mcp_status_t status = messages_event != (Uint32)-1 ? start(argv[1], &queue, &client, &error) : MCP_ERROR_INTERNAL;
    if (status == MCP_OK) status = MCP_EMPTY; /* no outcome yet */
    while (status == MCP_EMPTY) {
        SDL_Event event;
        if (SDL_WaitEvent(&event) == 0 || event.type == SDL_QUIT) break; /* the window was closed, or Ctrl-C */
        status = take_messages(queue); /* after every event, whatever its type */
    }
    if (status != MCP_OK) fprintf(stderr, "%s\n", error != NULL ? error : mcp_status_name(status));
    mcp_client_free(client);
    mcp_queue_free(queue); /* from now on the library posts no event */
    SDL_Quit();
    mcp_string_free(error);
    return status == MCP_OK ? 0 : 1;
}
