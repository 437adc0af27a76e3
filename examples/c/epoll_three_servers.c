/*
 * epoll_three_servers SERVER TOOL ARGUMENTS  SERVER TOOL ARGUMENTS  SERVER TOOL ARGUMENTS: calls a tool of each of three
 * servers from one thread, which waits in epoll_wait() only. A server may ask for the answer of a model (sampling) or of the
 * user (elicitation) meanwhile. Both are fixed texts here; a real program shows the request to the user first.
 */
#include <mcp.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <unistd.h>

#define MODEL "{\"role\": \"assistant\", \"model\": \"fixed\", \"content\": {\"type\": \"text\", \"text\": \"Hello\"}}"

/* Answers "blue" in each field of a form; the library checks that the form permits it. */
static mcp_status_t fill_in(const mcp_message_t *request, char **error) {
    const char *content = NULL;
    mcp_value_t form = mcp_value_get(mcp_message_value(request), "requestedSchema");
    mcp_value_t field = mcp_value_first(mcp_value_get(form, "properties"));
    mcp_builder_t *builder = mcp_builder_new();
    mcp_builder_begin_object(builder);
    for (; mcp_value_type(field) != MCP_JSON_ABSENT; field = mcp_value_next(field)) {
        mcp_builder_key(builder, mcp_value_string(mcp_value_key(field), NULL));
        mcp_builder_string(builder, "blue");
    }
    mcp_builder_end(builder);
    mcp_status_t status = mcp_builder_finish(builder, &content, NULL, error);
    if (status == MCP_OK) status = mcp_request_respond_elicitation(request, "accept", content, error);
    mcp_builder_free(builder);
    return status;
}

/* Takes every message of a client: its descriptor is readable until the queue is empty. Counts the replies. */
static mcp_status_t drain(mcp_client_t *client, int *replies, char **error) {
    mcp_message_t *message = NULL;
    mcp_status_t status = MCP_OK;
    while (status == MCP_OK && (status = mcp_client_poll(client, 0, &message)) == MCP_OK) {
        const char *text = mcp_message_text(message, NULL);
        if (mcp_message_topic(message) == MCP_TOPIC_SAMPLING) status = mcp_request_respond(message, MODEL, error);
        if (mcp_message_topic(message) == MCP_TOPIC_ELICITATION) status = fill_in(message, error);
        if (mcp_message_kind(message) == MCP_KIND_REPLY) {
            printf("%s\n", text != NULL ? text : mcp_message_json(message, NULL)); /* the result, or the error */
            status = mcp_message_status(message), ++*replies;
        }
        mcp_message_free(message); /* refuses a request that has no answer */
    }
    return status == MCP_EMPTY ? MCP_OK : status;
}

/* Makes a client, adds its descriptor to the loop and starts the call, which also starts the server. */
static mcp_status_t open_server(char **words, int loop, mcp_client_t **client, char **error) {
    const char *config = NULL;
    mcp_builder_t *builder = mcp_builder_new();
    mcp_builder_begin_object(builder);
    mcp_builder_key(builder, "command"), mcp_builder_string(builder, words[0]);
    mcp_builder_key(builder, "capabilities"), mcp_builder_json(builder, "{\"sampling\": {}, \"elicitation\": {}}");
    mcp_builder_end(builder);
    mcp_status_t status = mcp_builder_finish(builder, &config, NULL, error);
    if (status == MCP_OK) status = mcp_client_new(config, NULL, client, error);
    mcp_builder_free(builder);
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = *client};
    if (status != MCP_OK) return status;
    if (epoll_ctl(loop, EPOLL_CTL_ADD, mcp_client_fd(*client), &event) != 0) return MCP_ERROR_INTERNAL;
    return mcp_client_call_tool_start(*client, words[1], words[2], NULL, 0, NULL, error);
}

int main(int argc, char **argv) {
    char *error = NULL;
    mcp_client_t *clients[3] = {NULL};
    int loop = epoll_create1(EPOLL_CLOEXEC), replies = 0;
    mcp_status_t status = loop >= 0 ? MCP_OK : MCP_ERROR_INTERNAL;
    if (argc != 10) return fprintf(stderr, "usage: epoll_three_servers, then SERVER TOOL ARGUMENTS three times\n"), 2;
    for (int i = 0; status == MCP_OK && i < 3; i++) status = open_server(&argv[1 + 3 * i], loop, &clients[i], &error);
    struct epoll_event event;
    while (status == MCP_OK && replies < 3) /* each call has exactly one reply, so this ends */
        if (epoll_wait(loop, &event, 1, -1) == 1) status = drain(event.data.ptr, &replies, &error);
    for (int i = 0; i < 3; i++) mcp_client_free(clients[i]);
    if (status != MCP_OK) fprintf(stderr, "%s\n", error != NULL ? error : mcp_status_name(status));
    mcp_string_free(error);
    return loop >= 0 && close(loop) == 0 && status == MCP_OK ? 0 : 1;
}
