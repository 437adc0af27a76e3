/*
 * The tools of the conformance server whose calls become tasks. Their handlers answer late, as others do; what they say first
 * is that the call is a task from now on.
 */
#ifndef MCP_CONFORMANCE_SERVER_TASKS_H
#define MCP_CONFORMANCE_SERVER_TASKS_H

#include "server_questions.h"

#define TASKS_EXTENSION "io.modelcontextprotocol/tasks"

/* A tool whose calls may ("optional") or must ("required") be tasks. */
#define TASK_TOOL(name, description, support, properties)                                                              \
    "{\"name\":\"" name "\",\"description\":\"" description "\",\"execution\":{\"taskSupport\":\"" support "\"},"      \
    "\"inputSchema\":{\"type\":\"object\",\"properties\":{" properties "}}}"

/* How long a client should wait between two questions about a task. */
#define POLL_MS "100"

/* How often a handler looks whether its task was cancelled. */
#define LOOK_MS 20

/* Makes the call a task; false for a client that knows no tasks. In its next run the call is one already. */
static bool is_task(mcp_message_t *request) {
    char *error = NULL;
    mcp_status_t status = mcp_request_start_task(request, "{\"poll_interval_ms\":" POLL_MS "}", &error);
    if (status != MCP_OK && status != MCP_ERROR_UNSUPPORTED && status != MCP_ERROR_CANCELLED) {
        fail("mcp_request_start_task", error);
    }
    mcp_string_free(error);
    return status != MCP_ERROR_UNSUPPORTED;
}

/* The same for a tool that only runs as a task; a client that knows none gets the error and false is returned. */
static bool must_be_task(mcp_message_t *request) {
    if (is_task(request)) {
        return true;
    }
    give_error(request, -32021, "this tool runs as a task only",
               "{\"requiredCapabilities\":{\"extensions\":{\"" TASKS_EXTENSION "\":{}}}}");
    return false;
}

/* Waits; false, and the request freed, if it was cancelled meanwhile. */
static bool works(mcp_message_t *request, double seconds) {
    for (long left = (long)(seconds * 1000); left > 0; left -= LOOK_MS) {
        if (mcp_request_cancelled(request)) {
            mcp_message_free(request);
            return false;
        }
        pause_ms(left < LOOK_MS ? left : LOOK_MS);
    }
    return true;
}

/* Is no task. */
static void on_greet(void *user, mcp_message_t *request) {
    (void)user;
    char *text = format("Hello, %s!", argument(request, "name"));
    give_text(request, text);
    free(text);
}

static void on_slow_compute(void *user, mcp_message_t *request) {
    (void)user;
    double seconds = 0;
    mcp_value_t arguments = mcp_value_get(mcp_message_value(request), "arguments");
    if (mcp_value_double(mcp_value_get(arguments, "seconds"), &seconds) != MCP_OK) {
        give_tool_error(request, "seconds is no number");
        return;
    }
    /* What is done at once needs no task. */
    if (seconds > 0) {
        is_task(request);
    }
    if (works(request, seconds)) {
        char *text = format("%s took %g s", argument(request, "label"), seconds);
        give_text(request, text);
        free(text);
    }
}

/* A tool that fails completes its task. */
static void on_failing_job(void *user, mcp_message_t *request) {
    (void)user;
    if (must_be_task(request) && works(request, 1)) {
        give_tool_error(request, "this job always fails");
    }
}

/* An error fails it. */
static void on_protocol_error_job(void *user, mcp_message_t *request) {
    (void)user;
    if (must_be_task(request)) {
        give_error(request, -32603, "this job always breaks", NULL);
    }
}

/* Asks when the call is a task, so the question is in the task. */
static void on_confirm_delete(void *user, mcp_message_t *request) {
    (void)user;
    static const struct question SURE = {"sure", ELICITATION, FORM_OF_ONE("Delete it?", "confirm", "boolean")};
    if (must_be_task(request)) {
        give_said(request, "Deleted: %s", ask_one(request, SURE, NULL), "/content/confirm");
    }
}

/* Asks two questions at one time; the client answers one after the other. */
static void on_multi_input(void *user, mcp_message_t *request) {
    (void)user;
    static const struct question BOTH[] = {
        {"who", ELICITATION, FORM_OF_ONE("Who?", "name", "string")},
        {"sure", ELICITATION, FORM_OF_ONE("Sure?", "confirm", "boolean")},
    };
    char *answers[2];
    if (must_be_task(request) && ask(request, BOTH, 2, NULL, answers)) {
        give_text(request, "Both questions are answered");
        mcp_string_free(answers[0]);
        mcp_string_free(answers[1]);
    }
}

/* Asks before the call is a task, so the question is the result of the call. */
static void on_task_after_question(void *user, mcp_message_t *request) {
    (void)user;
    char *answer = ask_one(request, USER_NAME, NULL);
    if (answer != NULL && must_be_task(request)) {
        char *name = said(answer, "/content/name");
        char *text = format("Done for %s", name);
        give_text(request, text);
        free(text);
        free(name);
    }
    mcp_string_free(answer);
}

static void add_tasks(mcp_server_t *server) {
    add_tool(server,
             "{\"name\":\"greet\",\"description\":\"Greets\",\"inputSchema\":{\"type\":\"object\",\"properties\":{"
             "\"name\":{\"type\":\"string\"}},\"required\":[\"name\"]}}",
             on_greet, NULL);
    add_tool(server,
             TASK_TOOL("slow_compute", "Takes its time", "optional",
                       "\"seconds\":{\"type\":\"number\"},\"label\":{\"type\":\"string\"}"),
             on_slow_compute, NULL);
    add_tool(server, TASK_TOOL("failing_job", "Fails", "required", ), on_failing_job, NULL);
    add_tool(server, TASK_TOOL("protocol_error_job", "Breaks", "required", ), on_protocol_error_job, NULL);
    add_tool(server, TASK_TOOL("confirm_delete", "Asks, then deletes", "required", "\"filename\":{\"type\":\"string\"}"),
             on_confirm_delete, NULL);
    add_tool(server, TASK_TOOL("multi_input", "Asks two questions", "required", ), on_multi_input, NULL);
    add_tool(server, TASK_TOOL("test_tool_with_task", "Asks, then becomes a task", "required", ), on_task_after_question, NULL);
}

#endif
