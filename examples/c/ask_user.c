/* ask_user: a tool that asks the user, written once for every revision, and a client in the same program that plays the user.
 * The handler runs again when the answer is there; what it kept meanwhile comes back with it.
 */
#include <mcp.h>
#include <stdio.h>

static const char ORDER[] = "{\"name\": \"order\", \"inputSchema\": {\"type\": \"object\"}}";
static const char FORM[] = "{\"mode\": \"form\", \"message\": \"Which size?\", \"requestedSchema\": {\"type\": \"object\","
                           " \"properties\": {\"size\": {\"type\": \"string\", \"enum\": [\"small\", \"large\"]}}, \"required\": [\"size\"]}}";

static void on_order(void *user, mcp_message_t *request) {
    char *answer = NULL, *size = NULL, *offer = NULL, *error = NULL, text[128];
    (void)user;
    mcp_status_t status = mcp_request_ask(request, "size", "elicitation/create", FORM, &answer, &error);
    if (status == MCP_EMPTY) { /* asked: the library runs this function again with the answer */
        mcp_request_set_state(request, "tea for 2.50", NULL);
    } else if (status == MCP_OK && mcp_json_get(answer, "/content/size", &size, NULL) == MCP_OK &&
               mcp_request_state(request, &offer, NULL) == MCP_OK) {
        snprintf(text, sizeof text, "a %s %s", size, offer);
        mcp_request_respond_text(request, text, false, NULL);
    } else { /* the user declined, or the client cannot ask */
        mcp_request_respond_text(request, error != NULL ? error : "nothing was ordered", true, NULL);
    }
    mcp_string_free(size);
    mcp_string_free(offer);
    mcp_string_free(answer);
    mcp_string_free(error);
    mcp_message_free(request);
}

/* One thread polls one queue: it runs the handler, answers the question and takes the reply. */
static int order(mcp_server_t *server, mcp_queue_t *queue, const char *config) {
    mcp_client_t *client = NULL;
    mcp_message_t *message = NULL;
    int done = 0;
    if (mcp_client_new_in_process(config, queue, server, &client, NULL) != MCP_OK) return 0;
    mcp_call_start(client, "tools/call", "{\"name\": \"order\", \"arguments\": {}}", NULL, 1, NULL, NULL);
    while (done == 0 && mcp_queue_poll(queue, 10000, &message) == MCP_OK) {
        if (mcp_message_kind(message) == MCP_KIND_REQUEST) {
            printf("the server asks: %s\n", mcp_message_json(message, NULL));
            mcp_request_respond_elicitation(message, "accept", "{\"size\": \"large\"}", NULL);
        } else if (mcp_message_kind(message) == MCP_KIND_REPLY) {
            const char *text = mcp_message_text(message, NULL);
            printf("ordered: %s\n", text != NULL ? text : mcp_message_json(message, NULL));
            done = 1;
        }
        mcp_message_free(message);
    }
    mcp_client_free(client);
    return done;
}

int main(void) {
    mcp_queue_t *queue = NULL;
    mcp_server_t *server = NULL;
    if (mcp_queue_new(NULL, &queue, NULL) != MCP_OK ||
        mcp_server_new("{\"name\": \"kiosk\", \"version\": \"1.0\"}", queue, &server, NULL) != MCP_OK ||
        mcp_server_add_tool(server, ORDER, on_order, NULL, NULL, NULL) != MCP_OK) {
        return 1;
    }
    int done = order(server, queue, "{\"protocol\": \"modern\", \"capabilities\": {\"elicitation\": {\"form\": {}}}}") +
               order(server, queue, "{\"protocol\": \"legacy\", \"capabilities\": {\"elicitation\": {\"form\": {}}}}");
    mcp_server_free(server);
    mcp_queue_free(queue);
    return done == 2 ? 0 : 1;
}
