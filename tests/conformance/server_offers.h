/*
 * The resources, prompts and completions of the conformance server.
 */
#ifndef MCP_CONFORMANCE_SERVER_OFFERS_H
#define MCP_CONFORMANCE_SERVER_OFFERS_H

#include "server_questions.h"

#include <stdatomic.h>

/* ---- resources ----------------------------------------------------------------------------------- */

#define WATCHED "test://watched-resource"

/* The bytes of PNG. */
static const unsigned char PIXEL[] = {
    0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0x00, 0x00, 0x0d, 0x49, 0x48, 0x44, 0x52, 0x00, 0x00,
    0x00, 0x01, 0x00, 0x00, 0x00, 0x01, 0x08, 0x06, 0x00, 0x00, 0x00, 0x1f, 0x15, 0xc4, 0x89, 0x00, 0x00, 0x00,
    0x0d, 0x49, 0x44, 0x41, 0x54, 0x78, 0xda, 0x63, 0xfc, 0xcf, 0xc0, 0xf0, 0x1f, 0x00, 0x05, 0x05, 0x02, 0x00,
    0x5f, 0xc8, 0xf1, 0xd2, 0x00, 0x00, 0x00, 0x00, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82};

/* How often the watched resource has changed; main() changes it. */
static atomic_uint changes;

static void on_watched(void *user, mcp_message_t *request) {
    (void)user;
    char *result = format("{\"contents\":[{\"uri\":\"" WATCHED "\",\"mimeType\":\"text/plain\",\"text\":\"Changed %u times\"}]}",
                          atomic_load(&changes));
    give(request, result);
    free(result);
}

static void change_watched(mcp_server_t *server) {
    char *error = NULL;
    atomic_fetch_add(&changes, 1);
    if (mcp_server_resource_updated(server, WATCHED, &error) != MCP_OK) {
        fail("mcp_server_resource_updated", error);
    }
}

/* Any id there is has data. */
static void on_template(void *user, mcp_message_t *request) {
    (void)user;
    char *context = NULL;
    char *error = NULL;
    if (mcp_request_context(request, &context, &error) != MCP_OK) {
        /* The client left. */
        mcp_message_free(request);
    } else {
        char *id = said(context, "/variables/id");
        char *json_id = quoted(id);
        char *data = format("{\"id\":%s,\"templateTest\":true}", json_id);
        char *text = quoted(data);
        const char *uri = mcp_value_string(mcp_value_get(mcp_message_value(request), "uri"), NULL);
        char *json_uri = quoted(uri != NULL ? uri : "");
        char *result = format("{\"contents\":[{\"uri\":%s,\"mimeType\":\"application/json\",\"text\":%s}]}", json_uri, text);
        give(request, result);
        free(result);
        mcp_string_free(json_uri);
        mcp_string_free(text);
        free(data);
        mcp_string_free(json_id);
        free(id);
    }
    mcp_string_free(error);
    mcp_string_free(context);
}

/* The first resource in the list must be readable: a scenario about caching reads it. */
static void add_resources(mcp_server_t *server) {
    char *error = NULL;
    if (mcp_server_add_text(server,
                            "{\"uri\":\"test://static-text\",\"name\":\"static-text\",\"description\":\"A text\","
                            "\"mimeType\":\"text/plain\"}",
                            "This is the content of the static text resource.", &error) != MCP_OK ||
        mcp_server_add_blob(server,
                            "{\"uri\":\"test://static-binary\",\"name\":\"static-binary\",\"description\":\"An image\","
                            "\"mimeType\":\"image/png\"}",
                            (const char *)PIXEL, sizeof PIXEL, &error) != MCP_OK ||
        mcp_server_add_resource(server,
                                "{\"uri\":\"" WATCHED "\",\"name\":\"watched-resource\",\"description\":\"A text that "
                                "changes\",\"mimeType\":\"text/plain\"}",
                                on_watched, NULL, NULL, &error) != MCP_OK ||
        mcp_server_add_resource_template(server,
                                         "{\"uriTemplate\":\"test://template/{id}/data\",\"name\":\"template\","
                                         "\"description\":\"Data by its id\",\"mimeType\":\"application/json\"}",
                                         on_template, NULL, NULL, &error) != MCP_OK) {
        fail("resources", error);
    }
}

/* ---- prompts ------------------------------------------------------------------------------------- */

#define MESSAGE(content) "{\"role\":\"user\",\"content\":" content "}"
#define MESSAGES(all) "{\"messages\":[" all "]}"

static void on_prompt_arguments(void *user, mcp_message_t *request) {
    (void)user;
    char *text = format("Prompt with arguments: arg1='%s', arg2='%s'", argument(request, "arg1"), argument(request, "arg2"));
    char *json = quoted(text);
    char *result = format(MESSAGES(MESSAGE("{\"type\":\"text\",\"text\":%s}")), json);
    give(request, result);
    free(result);
    mcp_string_free(json);
    free(text);
}

static void on_prompt_resource(void *user, mcp_message_t *request) {
    (void)user;
    char *uri = quoted(argument(request, "resourceUri"));
    char *result = format(MESSAGES(MESSAGE("{\"type\":\"resource\",\"resource\":{\"uri\":%s,\"mimeType\":\"text/plain\","
                                           "\"text\":\"Embedded resource content for testing.\"}}") ","
                                   MESSAGE(TEXT("Please process the embedded resource above."))),
                          uri);
    give(request, result);
    free(result);
    mcp_string_free(uri);
}

static const struct question USER_CONTEXT = {
    "user_context", ELICITATION, FORM_OF_ONE("What context should the prompt use?", "context", "string")};

static void on_prompt_question(void *user, mcp_message_t *request) {
    (void)user;
    char *answer = ask_one(request, USER_CONTEXT, NULL);
    if (answer == NULL) {
        return;
    }
    char *context = said(answer, "/content/context");
    char *json = quoted(context);
    char *result = format(MESSAGES(MESSAGE("{\"type\":\"text\",\"text\":%s}")), json);
    give(request, result);
    free(result);
    mcp_string_free(json);
    free(context);
    mcp_string_free(answer);
}

static void add_prompt(mcp_server_t *server, const char *definition, mcp_handler_t handler, void *user) {
    char *error = NULL;
    if (mcp_server_add_prompt(server, definition, handler, user, NULL, &error) != MCP_OK) {
        fail(definition, error);
    }
}

static void add_prompts(mcp_server_t *server) {
    add_prompt(server, "{\"name\":\"test_simple_prompt\",\"description\":\"A text\"}", on_fixed,
               MESSAGES(MESSAGE(TEXT("This is a simple prompt for testing."))));
    add_prompt(server,
               "{\"name\":\"test_prompt_with_arguments\",\"description\":\"A text with two arguments\",\"arguments\":["
               "{\"name\":\"arg1\",\"description\":\"The first\",\"required\":true},"
               "{\"name\":\"arg2\",\"description\":\"The second\",\"required\":true}]}",
               on_prompt_arguments, NULL);
    add_prompt(server,
               "{\"name\":\"test_prompt_with_embedded_resource\",\"description\":\"A resource\",\"arguments\":["
               "{\"name\":\"resourceUri\",\"description\":\"Its URI\",\"required\":true}]}",
               on_prompt_resource, NULL);
    add_prompt(server, "{\"name\":\"test_prompt_with_image\",\"description\":\"An image\"}", on_fixed,
               MESSAGES(MESSAGE(IMAGE) "," MESSAGE(TEXT("Please analyze the image above."))));
    add_prompt(server,
               "{\"name\":\"test_input_required_result_prompt\",\"description\":\"Asks the person for its context\"}",
               on_prompt_question, NULL);
    char *error = NULL;
    if (mcp_server_add_completion(server, "test_prompt_with_arguments", "arg1", "[\"testValue1\",\"testValue2\",\"other\"]",
                                  NULL, NULL, NULL, &error) != MCP_OK) {
        fail("completion", error);
    }
}

#endif
