/*
 * The tools of the conformance server that answer without asking: contents of every kind, errors, progress, log messages,
 * changes of what is offered, schemas, headers.
 */
#ifndef MCP_CONFORMANCE_SERVER_TOOLS_H
#define MCP_CONFORMANCE_SERVER_TOOLS_H

#include "server_answers.h"

#include <time.h>

/* A red pixel and an empty sound. */
#define PNG "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg=="
#define WAV "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA="
#define IMAGE "{\"type\":\"image\",\"data\":\"" PNG "\",\"mimeType\":\"image/png\"}"

/* A tool without arguments. */
#define TOOL(name, description)                                                                                        \
    "{\"name\":\"" name "\",\"description\":\"" description "\",\"inputSchema\":{\"type\":\"object\"}}"
#define CONTENT(blocks) "{\"content\":[" blocks "]}"
#define TEXT(text) "{\"type\":\"text\",\"text\":\"" text "\"}"

/* What a tool says is the suite's wording, and it has the pause between two reports from the suite, too. */
#define PAUSE_MS 50

static void pause_ms(long milliseconds) {
    struct timespec rest = {.tv_sec = milliseconds / 1000, .tv_nsec = milliseconds % 1000 * 1000000};
    while (nanosleep(&rest, &rest) != 0) {
    }
}

/* ---- fixed results --------------------------------------------------------------------------- */

/* The first tool in the list must succeed without arguments: a scenario about headers calls it. */
static const char *const FIXED_TOOLS[][2] = {
    {TOOL("test_simple_text", "Returns a text"), CONTENT(TEXT("This is a simple text response for testing."))},
    {TOOL("test_image_content", "Returns an image"), CONTENT(IMAGE)},
    {TOOL("test_audio_content", "Returns a sound"),
     CONTENT("{\"type\":\"audio\",\"data\":\"" WAV "\",\"mimeType\":\"audio/wav\"}")},
    {TOOL("test_embedded_resource", "Returns a resource inside the result"),
     CONTENT("{\"type\":\"resource\",\"resource\":{\"uri\":\"test://embedded-resource\",\"mimeType\":\"text/plain\","
             "\"text\":\"This is an embedded resource content.\"}}")},
    {TOOL("test_multiple_content_types", "Returns a text, an image and a resource"),
     CONTENT(TEXT("Multiple content types test:") "," IMAGE
             ",{\"type\":\"resource\",\"resource\":{\"uri\":\"test://mixed-content-resource\","
             "\"mimeType\":\"application/json\",\"text\":\"{\\\"test\\\":\\\"data\\\",\\\"value\\\":123}\"}}")},
    {TOOL("test_error_handling", "Fails"),
     "{\"isError\":true,\"content\":[" TEXT("This tool intentionally returns an error for testing") "]}"},
};

/* ---- progress and log messages ------------------------------------------------------------------- */

static void on_progress(void *user, mcp_message_t *request) {
    (void)user;
    for (int step = 0; step <= 100; step += 50) {
        if (step > 0) {
            pause_ms(PAUSE_MS);
        }
        /* MCP_EMPTY for a client that wants no progress. */
        mcp_status_t status = mcp_request_progress(request, step, 100, step < 100 ? "at work" : "done");
        if (status != MCP_OK && status != MCP_EMPTY) {
            fail("mcp_request_progress", mcp_status_name(status));
        }
    }
    give_text(request, "Progress was reported three times");
}

static void say(mcp_message_t *request, const char *data) {
    char *json = quoted(data);
    mcp_status_t status = mcp_request_log(request, "info", "conformance", json);
    if (status != MCP_OK && status != MCP_EMPTY) {
        fail("mcp_request_log", mcp_status_name(status));
    }
    mcp_string_free(json);
}

static void on_logging(void *user, mcp_message_t *request) {
    (void)user;
    say(request, "Tool execution started");
    pause_ms(PAUSE_MS);
    say(request, "Tool processing data");
    pause_ms(PAUSE_MS);
    say(request, "Tool execution completed");
    give_text(request, "Three messages were logged");
}

/* Nothing of this reaches a client of 2026-07-28 that named no level. */
static void on_one_log_message(void *user, mcp_message_t *request) {
    (void)user;
    say(request, "One message");
    give_text(request, "One message was logged");
}

/* Ends its stream, and answers when the client has had the time to come back. */
static void on_reconnection(void *user, mcp_message_t *request) {
    (void)user;
    /* MCP_EMPTY in a revision that has no such end. */
    mcp_status_t status = mcp_request_close_stream(request, 2 * PAUSE_MS, NULL);
    if (status != MCP_OK && status != MCP_EMPTY) {
        fail("mcp_request_close_stream", mcp_status_name(status));
    }
    pause_ms(4 * PAUSE_MS);
    give_text(request, "The stream was taken up, or never ended early");
}

/* ---- changes of what is offered ------------------------------------------------------------------ */

static void on_never_called(void *user, mcp_message_t *request) {
    (void)user;
    give_tool_error(request, "this exists to be added and removed");
}

/* Adds what is not there, removes what is: the list has changed after each call. */
static void on_tool_change(void *server, mcp_message_t *request) {
    char *error = NULL;
    mcp_status_t status = mcp_server_remove(server, "tool", "test_tool_now_and_then", &error);
    if (status == MCP_EMPTY) {
        status = mcp_server_add_tool(server, TOOL("test_tool_now_and_then", "Is there after every other change"),
                                     on_never_called, NULL, NULL, &error);
    }
    if (status != MCP_OK) {
        fail("test_trigger_tool_change", error);
    }
    give_text(request, "The list of tools has changed");
}

static void on_prompt_change(void *server, mcp_message_t *request) {
    char *error = NULL;
    mcp_status_t status = mcp_server_remove(server, "prompt", "test_prompt_now_and_then", &error);
    if (status == MCP_EMPTY) {
        status = mcp_server_add_prompt(server,
                                       "{\"name\":\"test_prompt_now_and_then\","
                                       "\"description\":\"Is there after every other change\"}",
                                       on_never_called, NULL, NULL, &error);
    }
    if (status != MCP_OK) {
        fail("test_trigger_prompt_change", error);
    }
    give_text(request, "The list of prompts has changed");
}

/* ---- schemas and headers ------------------------------------------------------------------------- */

static const char SCHEMA_TOOL[] =
    "{\"name\":\"json_schema_2020_12_tool\",\"description\":\"Has a schema that uses much of JSON Schema 2020-12\","
    "\"inputSchema\":{\"$schema\":\"https://json-schema.org/draft/2020-12/schema\",\"type\":\"object\",\"$defs\":{\"address\":"
    "{\"$anchor\":\"addressDef\",\"type\":\"object\",\"properties\":{\"street\":{\"type\":\"string\"},"
    "\"city\":{\"type\":\"string\"}}}},\"properties\":{\"name\":{\"type\":\"string\"},\"address\":{\"$ref\":\"#/$defs/address\"},"
    "\"contactMethod\":{\"type\":\"string\",\"enum\":[\"phone\",\"email\"]},\"phone\":{\"type\":\"string\"},"
    "\"email\":{\"type\":\"string\"}},\"allOf\":[{\"anyOf\":[{\"required\":[\"phone\"]},{\"required\":[\"email\"]}]}],"
    "\"if\":{\"properties\":{\"contactMethod\":{\"const\":\"phone\"}},\"required\":[\"contactMethod\"]},"
    "\"then\":{\"required\":[\"phone\"]},\"else\":{\"required\":[\"email\"]},\"additionalProperties\":false}}";

/* The client repeats the argument in the header Mcp-Param-Region, which the library compares. */
static const char HEADER_TOOL[] =
    "{\"name\":\"test_header\",\"description\":\"Has an argument that is a header, too\",\"inputSchema\":{\"type\":\"object\","
    "\"properties\":{\"region\":{\"type\":\"string\",\"x-mcp-header\":\"Region\"}}}}";

static void on_arguments(void *user, mcp_message_t *request) {
    (void)user;
    size_t length = 0;
    const char *json = mcp_value_json(mcp_value_get(mcp_message_value(request), "arguments"), &length);
    char *text = format("Called with %.*s", (int)length, json != NULL ? json : "");
    give_text(request, text);
    free(text);
}

/* ---- all of them --------------------------------------------------------------------------------- */

static void add_tool(mcp_server_t *server, const char *definition, mcp_handler_t handler, void *user) {
    char *error = NULL;
    if (mcp_server_add_tool(server, definition, handler, user, NULL, &error) != MCP_OK) {
        fail(definition, error);
    }
}

static void add_tools(mcp_server_t *server) {
    for (size_t i = 0; i < sizeof FIXED_TOOLS / sizeof FIXED_TOOLS[0]; i++) {
        add_tool(server, FIXED_TOOLS[i][0], on_fixed, (void *)FIXED_TOOLS[i][1]);
    }
    add_tool(server, TOOL("test_tool_with_progress", "Reports progress"), on_progress, NULL);
    add_tool(server, TOOL("test_tool_with_logging", "Logs"), on_logging, NULL);
    add_tool(server, TOOL("test_logging_tool", "Logs once"), on_one_log_message, NULL);
    add_tool(server, TOOL("test_reconnection", "Answers late on a stream"), on_reconnection, NULL);
    add_tool(server, TOOL("test_trigger_tool_change", "Changes the list of tools"), on_tool_change, server);
    add_tool(server, TOOL("test_trigger_prompt_change", "Changes the list of prompts"), on_prompt_change, server);
    add_tool(server, SCHEMA_TOOL, on_arguments, NULL);
    add_tool(server, HEADER_TOOL, on_arguments, NULL);
}

#endif
