/* handles: tools that give out a handle and take it in the next call. A handle has 128 random bits and a limited life,
 * so that no client guesses that of another, and the error says what to do when it is over.
 */
#define _DEFAULT_SOURCE
#include <mcp.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* One thread runs the handlers, so the carts need no lock. */
static struct cart { char handle[33]; unsigned things; time_t until; } carts[16];

static const char OPEN[] = "{\"name\": \"open_cart\", \"inputSchema\": {\"type\": \"object\"}}";
static const char ADD[] = "{\"name\": \"add\", \"inputSchema\": {\"type\": \"object\", \"properties\": {\"cart\":"
                          " {\"type\": \"string\"}}, \"required\": [\"cart\"]}}";

static void on_open(void *user, mcp_message_t *request) {
    unsigned char random[16];
    struct cart *cart = carts;
    (void)user;
    while (cart < carts + 16 && cart->until > time(NULL)) cart++;
    if (cart == carts + 16 || getentropy(random, sizeof random) != 0) {
        mcp_request_respond_text(request, "There are too many carts. Try again in a few minutes.", true, NULL);
    } else {
        for (int i = 0; i < 16; i++) snprintf(cart->handle + 2 * i, 3, "%02x", random[i]);
        cart->things = 0;
        cart->until = time(NULL) + 600;
        mcp_request_respond_text(request, cart->handle, false, NULL);
    }
    mcp_message_free(request);
}

static void on_add(void *user, mcp_message_t *request) {
    mcp_value_t arguments = mcp_value_get(mcp_message_value(request), "arguments");
    const char *handle = mcp_value_string(mcp_value_get(arguments, "cart"), NULL);
    char text[64];
    struct cart *cart = carts;
    (void)user;
    while (cart < carts + 16 && (cart->until <= time(NULL) || strcmp(cart->handle, handle) != 0)) cart++;
    if (cart == carts + 16) {
        mcp_request_respond_text(request, "There is no such cart, or it is over. Call open_cart again.", true, NULL);
    } else {
        snprintf(text, sizeof text, "%u things", ++cart->things);
        mcp_request_respond_text(request, text, false, NULL);
    }
    mcp_message_free(request);
}

int main(void) {
    mcp_server_t *server = NULL;
    mcp_client_t *client = NULL;
    mcp_message_t *cart = NULL, *added = NULL, *refused = NULL;
    char arguments[64];
    if (mcp_server_new("{\"name\": \"shop\", \"workers\": 1}", NULL, &server, NULL) != MCP_OK ||
        mcp_server_add_tool(server, OPEN, on_open, NULL, NULL, NULL) != MCP_OK ||
        mcp_server_add_tool(server, ADD, on_add, NULL, NULL, NULL) != MCP_OK ||
        mcp_client_new_in_process("{}", NULL, server, &client, NULL) != MCP_OK ||
        mcp_client_call_tool(client, "open_cart", "{}", NULL, &cart) != MCP_OK) {
        return 1;
    }
    snprintf(arguments, sizeof arguments, "{\"cart\": \"%s\"}", mcp_message_text(cart, NULL));
    mcp_client_call_tool(client, "add", arguments, NULL, &added);
    mcp_client_call_tool(client, "add", "{\"cart\": \"guessed\"}", NULL, &refused);
    printf("%s; %s\n", mcp_message_text(added, NULL), mcp_message_text(refused, NULL));
    int right = mcp_message_is_tool_error(refused) && !mcp_message_is_tool_error(added);
    mcp_message_free(cart);
    mcp_message_free(added);
    mcp_message_free(refused);
    mcp_client_free(client);
    mcp_server_free(server);
    return right ? 0 : 1;
}
