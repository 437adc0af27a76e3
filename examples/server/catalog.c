/* What there is to read besides tools: two resources, a template of resources, a prompt, and completions for the last two. */
#include "server.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define GREETING_TEMPLATE DEMO_GREETING "/{name}"

static const char GREETING[] = "{\"uri\": \"" DEMO_GREETING "\", \"name\": \"greeting\", \"title\": \"Greeting\","
                               " \"description\": \"A text resource\", \"mimeType\": \"text/plain\"}";
static const char LOGO[] = "{\"uri\": \"" DEMO_LOGO "\", \"name\": \"logo\", \"title\": \"Logo\","
                           " \"description\": \"A binary resource\", \"mimeType\": \"image/png\"}";
static const char TEMPLATE[] =
    "{\"uriTemplate\": \"" GREETING_TEMPLATE "\", \"name\": \"greeting-by-name\", \"title\": \"Personal greeting\","
    " \"description\": \"A text resource for each name\", \"mimeType\": \"text/plain\"}";
static const char PROMPT[] =
    "{\"name\": \"greet\", \"title\": \"Greet a person\", \"description\": \"Asks the model for a friendly greeting\","
    " \"arguments\": [{\"name\": \"name\", \"description\": \"Whom to greet\", \"required\": true}]}";

/* A PNG of one transparent pixel. */
static const unsigned char LOGO_PNG[] = {
    0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0x00, 0x00, 0x0d, 0x49, 0x48, 0x44, 0x52, 0x00, 0x00,
    0x00, 0x01, 0x00, 0x00, 0x00, 0x01, 0x08, 0x06, 0x00, 0x00, 0x00, 0x1f, 0x15, 0xc4, 0x89, 0x00, 0x00, 0x00,
    0x0d, 0x49, 0x44, 0x41, 0x54, 0x78, 0xda, 0x63, 0x64, 0x60, 0xf8, 0x5f, 0x0f, 0x00, 0x02, 0x87, 0x01, 0x80,
    0xeb, 0x47, 0xba, 0x92, 0x00, 0x00, 0x00, 0x00, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82};

/* Whom the completions know. */
static const char *const NAMES[] = {"Ada", "Alan", "Barbara", "Edsger", "Grace", "Tony"};

/* demo://greeting/Ada says "Hello, Ada!". */
static void on_greeting(void *user, mcp_message_t *request) {
    (void)user;
    char *context = NULL;
    char *name = NULL;
    char *error = NULL;
    if (mcp_request_context(request, &context, &error) != MCP_OK ||
        mcp_json_get(context, "/variables/name", &name, NULL) != MCP_OK || name[0] == '\0') {
        mcp_string_free(error);
        error = NULL;
        went_well(mcp_request_respond_error(request, MCP_CODE_NOT_FOUND, NULL, NULL, &error), error);
        mcp_message_free(request);
    } else {
        char *text = formatted("Hello, %s!", name);
        mcp_builder_t *result = mcp_builder_new();
        mcp_builder_begin_object(result);
        mcp_builder_key(result, "contents");
        mcp_builder_begin_array(result);
        mcp_builder_begin_object(result);
        mcp_builder_key(result, "uri");
        mcp_builder_value(result, mcp_value_get(mcp_message_value(request), "uri"));
        mcp_builder_key(result, "mimeType");
        mcp_builder_string(result, "text/plain");
        mcp_builder_key(result, "text");
        mcp_builder_string(result, text);
        mcp_builder_end(result);
        mcp_builder_end(result);
        mcp_builder_end(result);
        answer_built(request, result);
        free(text);
    }
    mcp_string_free(name);
    mcp_string_free(context);
}

static void on_greet(void *user, mcp_message_t *request) {
    (void)user;
    char *error = NULL;
    const char *name = mcp_value_string(argument_of(request, "name"), NULL);
    if (name == NULL) {
        went_well(mcp_request_respond_error(request, -32602, "The prompt greet needs the argument name", NULL, &error),
                  error);
        mcp_message_free(request);
        return;
    }
    char *text = formatted("Please write a friendly greeting for %s.", name);
    mcp_builder_t *result = mcp_builder_new();
    mcp_builder_begin_object(result);
    mcp_builder_key(result, "description");
    mcp_builder_string(result, "A friendly greeting");
    mcp_builder_key(result, "messages");
    mcp_builder_begin_array(result);
    mcp_builder_begin_object(result);
    mcp_builder_key(result, "role");
    mcp_builder_string(result, "user");
    mcp_builder_key(result, "content");
    mcp_builder_begin_object(result);
    mcp_builder_key(result, "type");
    mcp_builder_string(result, "text");
    mcp_builder_key(result, "text");
    mcp_builder_string(result, text);
    mcp_builder_end(result);
    mcp_builder_end(result);
    mcp_builder_end(result);
    mcp_builder_end(result);
    answer_built(request, result);
    free(text);
}

/* The names that begin with what was typed, in upper or lower case. A list for mcp_server_add_completion() would tell them
 * apart. */
static void on_name(void *user, mcp_message_t *request) {
    (void)user;
    const char *typed =
        mcp_value_string(mcp_value_get(mcp_value_get(mcp_message_value(request), "argument"), "value"), NULL);
    int64_t total = 0;
    mcp_builder_t *result = mcp_builder_new();
    mcp_builder_begin_object(result);
    mcp_builder_key(result, "completion");
    mcp_builder_begin_object(result);
    mcp_builder_key(result, "values");
    mcp_builder_begin_array(result);
    for (size_t i = 0; i < sizeof NAMES / sizeof NAMES[0]; i++) {
        if (typed == NULL || strncasecmp(NAMES[i], typed, strlen(typed)) == 0) {
            mcp_builder_string(result, NAMES[i]);
            total++;
        }
    }
    mcp_builder_end(result);
    mcp_builder_key(result, "total");
    mcp_builder_int64(result, total);
    mcp_builder_key(result, "hasMore");
    mcp_builder_bool(result, false);
    mcp_builder_end(result);
    mcp_builder_end(result);
    answer_built(request, result);
}

static bool add_name(mcp_server_t *server, const char *reference) {
    char *error = NULL;
    return went_well(mcp_server_add_completion(server, reference, "name", NULL, on_name, NULL, NULL, &error), error);
}

bool add_catalog(mcp_server_t *server) {
    char *error = NULL;
    return went_well(mcp_server_add_text(server, GREETING, "Hello, world!", &error), error) &&
           went_well(mcp_server_add_blob(server, LOGO, (const char *)LOGO_PNG, sizeof LOGO_PNG, &error), error) &&
           went_well(mcp_server_add_resource_template(server, TEMPLATE, on_greeting, NULL, NULL, &error), error) &&
           went_well(mcp_server_add_prompt(server, PROMPT, on_greet, NULL, NULL, &error), error) &&
           add_name(server, "greet") && add_name(server, GREETING_TEMPLATE);
}
