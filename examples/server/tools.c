/* The tools, but for "ask" (asking.c) and for what makes "slow" slow (timetable.c). */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif
#include "server.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The library checks arguments against these schemas before a handler runs, and leaves out of a list what the revision of a
 * client does not know, such as "annotations" before 2025-03-26. */
#define TOOL(name, description, read_only, properties, required)                                                       \
    "{\"name\": \"" name "\", \"description\": \"" description "\", \"inputSchema\": {\"type\": \"object\","           \
    " \"properties\": {" properties "}, \"required\": [" required "]},"                                                \
    " \"annotations\": {\"readOnlyHint\": " read_only ", \"openWorldHint\": false}"
#define TEXT(name) "\"" name "\": {\"type\": \"string\"}"
#define NUMBER(name) "\"" name "\": {\"type\": \"number\"}"
#define FLAG(name) "\"" name "\": {\"type\": \"boolean\"}"
#define WHOLE(name, most) "\"" name "\": {\"type\": \"integer\", \"minimum\": 0, \"maximum\": " most "}"

/* "slow", "notify" and "crash" have no handler: their calls come to the loop in main.c as messages, and from there to
 * call_tool(). A handler runs inside of mcp_server_poll(), which would not learn that something is due earlier now. */
static const char ECHO[] = TOOL("echo", "Returns its text", "true", TEXT("text"), "\"text\"") "}";
static const char ADD[] =
    TOOL("add", "Adds two numbers", "true", NUMBER("a") ", " NUMBER("b"), "\"a\", \"b\"") ", \"outputSchema\": {\"type\":"
    " \"object\", \"properties\": {" NUMBER("sum") "}, \"required\": [\"sum\"]}}";
static const char SLOW[] = TOOL("slow", "Waits, reports progress if asked to, and can be cancelled", "true",
                                WHOLE("ms", "86400000") ", " WHOLE("steps", "10000"), "\"ms\"") "}";
static const char NOTIFY[] = TOOL("notify", "Sends log messages and announces changes", "false",
                                  WHOLE("count", "100000") ", " TEXT("text") ", " FLAG("changes"), "\"count\"") "}";
static const char BIG[] = TOOL("big", "Returns that many bytes of text", "true",
                               WHOLE("bytes", "268435456") ", " FLAG("escapes"), "\"bytes\"") "}";
static const char CRASH[] = TOOL("crash", "Ends the server process at once", "false", WHOLE("code", "255"), "") "}";
static const char FAIL[] = TOOL("fail", "Reports a tool error", "true", "", "") "}";
static const char ENV[] = TOOL("env", "Returns an environment variable", "true", TEXT("name"), "\"name\"") "}";
static const char PID[] = TOOL("pid", "Returns the server's process id", "true", "", "") "}";

/* Added and removed again, so that clients are told of a change. */
static const char PASSING_TOOL[] = TOOL("passing", "Is there for a moment", "true", "", "") "}";
static const char PASSING_RESOURCE[] = "{\"uri\": \"demo://passing\", \"name\": \"passing\"}";
static const char PASSING_PROMPT[] = "{\"name\": \"passing\"}";

/* Begins a result with one block of text, whose text comes next. */
static mcp_builder_t *begin_text(void) {
    mcp_builder_t *result = mcp_builder_new();
    mcp_builder_begin_object(result);
    mcp_builder_key(result, "content");
    mcp_builder_begin_array(result);
    mcp_builder_begin_object(result);
    mcp_builder_key(result, "type");
    mcp_builder_string(result, "text");
    mcp_builder_key(result, "text");
    return result;
}

static void end_text(mcp_builder_t *result) {
    mcp_builder_end(result);
    mcp_builder_end(result);
}

/* The text goes back as it came, also with characters that C strings cannot have. */
static void on_echo(void *user, mcp_message_t *request) {
    (void)user;
    mcp_builder_t *result = begin_text();
    mcp_builder_value(result, argument_of(request, "text"));
    end_text(result);
    mcp_builder_end(result);
    answer_built(request, result);
}

/* Whole numbers stay whole; everything else, and a sum that is too large, is a floating point number. */
static void build_sum(mcp_builder_t *sum, mcp_value_t a, mcp_value_t b) {
    int64_t whole[2] = {0, 0};
    if (mcp_value_int64(a, &whole[0]) == MCP_OK && mcp_value_int64(b, &whole[1]) == MCP_OK &&
        (whole[1] >= 0 ? whole[0] <= INT64_MAX - whole[1] : whole[0] >= INT64_MIN - whole[1])) {
        mcp_builder_int64(sum, whole[0] + whole[1]);
        return;
    }
    double parts[2] = {0, 0};
    mcp_value_double(a, &parts[0]);
    mcp_value_double(b, &parts[1]);
    mcp_builder_double(sum, parts[0] + parts[1]);
}

/* The result has the sum twice: as text, and as the data that "outputSchema" promises. */
static void on_add(void *user, mcp_message_t *request) {
    (void)user;
    const char *number = NULL;
    mcp_builder_t *sum = mcp_builder_new();
    build_sum(sum, argument_of(request, "a"), argument_of(request, "b"));
    if (mcp_builder_finish(sum, &number, NULL, NULL) != MCP_OK) {
        answer_failure(request, "The sum is no number that JSON has");
    } else {
        mcp_builder_t *result = begin_text();
        mcp_builder_string(result, number);
        end_text(result);
        mcp_builder_key(result, "structuredContent");
        mcp_builder_begin_object(result);
        mcp_builder_key(result, "sum");
        mcp_builder_json(result, number);
        mcp_builder_end(result);
        mcp_builder_end(result);
        answer_built(request, result);
    }
    mcp_builder_free(sum);
}

static void send_logs(mcp_message_t *request, int64_t count) {
    for (int64_t number = 1; number <= count; number++) {
        const char *json = NULL;
        mcp_builder_t *data = mcp_builder_new();
        mcp_builder_begin_object(data);
        mcp_builder_key(data, "text");
        if (mcp_value_type(argument_of(request, "text")) == MCP_JSON_STRING) {
            mcp_builder_value(data, argument_of(request, "text"));
        } else {
            mcp_builder_string(data, "hello");
        }
        mcp_builder_key(data, "number");
        mcp_builder_int64(data, number);
        mcp_builder_end(data);
        mcp_status_t status = mcp_builder_finish(data, &json, NULL, NULL);
        /* Other statuses than MCP_OK say that the client wants none, or is not there any more: that ends the loop. */
        status = status == MCP_OK ? mcp_request_log(request, "info", "notify", json) : status;
        mcp_builder_free(data);
        if (status != MCP_OK) {
            return;
        }
    }
}

/* The library gathers changes for "timeouts.burst_ms", which main.c sets to 1. The answer comes after them, so that a client that
 * has it has heard of the changes too. */
#define AFTER_CHANGES_MS 3

/* Tells that everything changed. Clients get one message for each list, and one for each resource that they subscribed to. */
static bool announce_changes(mcp_server_t *server) {
    char *error = NULL;
    return went_well(mcp_server_resource_updated(server, DEMO_GREETING, &error), error) &&
           went_well(mcp_server_resource_updated(server, DEMO_LOGO, &error), error) &&
           went_well(mcp_server_add_tool(server, PASSING_TOOL, NULL, NULL, NULL, &error), error) &&
           went_well(mcp_server_remove(server, "tool", "passing", &error), error) &&
           went_well(mcp_server_add_text(server, PASSING_RESOURCE, "", &error), error) &&
           went_well(mcp_server_remove(server, "resource", "demo://passing", &error), error) &&
           went_well(mcp_server_add_prompt(server, PASSING_PROMPT, NULL, NULL, NULL, &error), error) &&
           went_well(mcp_server_remove(server, "prompt", "passing", &error), error);
}

static void notify(mcp_message_t *request, struct timetable *timetable) {
    int64_t count = number_argument(request, "count", 0);
    send_logs(request, count);
    if (!flag_argument(request, "changes", true)) {
        answer(request, "announced %lld", (long long)count);
    } else if (announce_changes(mcp_message_server(request))) {
        timetable_add(timetable, request, AFTER_CHANGES_MS, 0, "announced %lld", (long long)count);
    } else {
        answer_failure(request, "The changes could not be announced");
    }
}

/* With escapes nearly every byte needs one on the wire: most of them become two bytes, \u0001 becomes six. */
static void on_big(void *user, mcp_message_t *request) {
    (void)user;
    const char *pattern = flag_argument(request, "escapes", false) ? "\"\\\n\t\001" : "x";
    size_t length = strlen(pattern);
    size_t bytes = (size_t)number_argument(request, "bytes", 0);
    char *text = malloc(bytes + 1);
    if (text == NULL) {
        answer_failure(request, "the server has no memory for %zu bytes", bytes);
        return;
    }
    for (size_t i = 0; i < bytes; i++) {
        text[i] = pattern[i % length];
    }
    text[bytes] = '\0';
    mcp_builder_t *result = begin_text();
    mcp_builder_string_view(result, text, bytes);
    free(text);
    end_text(result);
    mcp_builder_end(result);
    answer_built(request, result);
}

static void on_fail(void *user, mcp_message_t *request) {
    (void)user;
    answer_failure(request, "This tool always fails");
}

static void on_env(void *user, mcp_message_t *request) {
    (void)user;
    const char *name = mcp_value_string(argument_of(request, "name"), NULL);
    const char *value = name != NULL ? getenv(name) : NULL;
    if (value != NULL) {
        answer(request, "%s", value);
    } else {
        answer_failure(request, "No such variable: %s", name != NULL ? name : "");
    }
}

static void on_pid(void *user, mcp_message_t *request) {
    (void)user;
    answer(request, "%ld", (long)getpid());
}

void call_tool(mcp_message_t *request, struct timetable *timetable) {
    mcp_value_t name = mcp_value_get(mcp_message_value(request), "name");
    if (mcp_value_is(name, "slow")) {
        int64_t ms = number_argument(request, "ms", 0);
        int64_t steps = number_argument(request, "steps", 1);
        timetable_add(timetable, request, ms, steps > 0 ? steps : 1, "waited %lld ms", (long long)ms);
    } else if (mcp_value_is(name, "notify")) {
        notify(request, timetable);
    } else {
        _exit((int)number_argument(request, "code", 1)); /* "crash": what was answered before has been written */
    }
}

static bool add(mcp_server_t *server, const char *definition, mcp_handler_t handler) {
    char *error = NULL;
    return went_well(mcp_server_add_tool(server, definition, handler, NULL, NULL, &error), error);
}

bool add_tools(mcp_server_t *server) {
    return add(server, ECHO, on_echo) && add(server, ADD, on_add) && add(server, SLOW, NULL) &&
           add(server, NOTIFY, NULL) && add_asking(server) && add(server, BIG, on_big) && add(server, CRASH, NULL) &&
           add(server, FAIL, on_fail) && add(server, ENV, on_env) && add(server, PID, on_pid);
}
