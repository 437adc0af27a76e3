/* long_task_server: a tool whose calls are tasks. The client gets the name of the task at once; the tool asks a question, works on a
 * thread of the program, and answers when it is done. It is written once for both forms of tasks, 2025-11-25 and 2026-07-28.
 *
 *   ./tasks ./long_task_server
 */
#define _POSIX_C_SOURCE 200809L

#include <mcp.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <time.h>

static const char RESEARCH[] = "{\"name\": \"research\", \"execution\": {\"taskSupport\": \"required\"}, \"inputSchema\": {"
                               "\"type\": \"object\", \"properties\": {\"ms\": {\"type\": \"integer\"}}}}";
static const char QUESTION[] = "{\"mode\": \"form\", \"message\": \"Which colour?\", \"requestedSchema\": {\"type\": \"object\","
                               " \"properties\": {\"answer\": {\"type\": \"string\"}}}}";

static void *work(void *argument) {
    mcp_message_t *request = argument;
    int64_t ms = 400;
    char text[256] = "", *answer = NULL, *colour = NULL;
    mcp_request_start_task(request, "{\"status_message\": \"looks it up\"}", NULL); /* it is one already: this says how it is */
    mcp_value_int64(mcp_value_get(mcp_value_get(mcp_message_value(request), "arguments"), "ms"), &ms);
    nanosleep(&(struct timespec){.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000}, NULL);
    if (mcp_request_ask(request, "colour", "elicitation/create", QUESTION, &answer, NULL) == MCP_OK &&
        mcp_json_get(answer, "/content/answer", &colour, NULL) == MCP_OK) {
        snprintf(text, sizeof text, "researched %s", colour);
    }
    mcp_request_respond_text(request, colour != NULL ? text : "researched without a colour", false, NULL);
    mcp_string_free(colour);
    mcp_string_free(answer);
    mcp_message_free(request);
    return NULL;
}

static void on_research(void *user, mcp_message_t *request) {
    pthread_t thread;
    char *answer = NULL;
    (void)user;
    /* In revisions without tasks this fails, and the call is answered late like any other. */
    mcp_request_start_task(request, "{\"poll_interval_ms\": 100}", NULL);
    mcp_status_t asked = mcp_request_ask(request, "colour", "elicitation/create", QUESTION, &answer, NULL);
    mcp_string_free(answer);
    if (asked == MCP_EMPTY) {
        mcp_message_free(request); /* the question goes out, and this runs again with the answer */
    } else if (pthread_create(&thread, NULL, work, request) == 0) {
        pthread_detach(thread);
    } else {
        mcp_message_free(request); /* without an answer: the task fails */
    }
}

static mcp_server_t *server;

/* SIGINT or SIGTERM: mcp_server_run() returns MCP_WOKEN. A second one ends the program at once. */
static void on_end(int number) {
    signal(number, SIG_DFL);
    mcp_queue_wake(mcp_server_queue(server));
}

int main(void) {
    mcp_status_t status = mcp_server_new("{\"name\": \"library\", \"version\": \"1.0\"}", NULL, &server, NULL);
    signal(SIGINT, on_end), signal(SIGTERM, on_end);
    if (status == MCP_OK) status = mcp_server_add_tool(server, RESEARCH, on_research, NULL, NULL, NULL);
    if (status == MCP_OK) status = mcp_server_serve(server, "{\"stdio\": true}", NULL, NULL);
    if (status == MCP_OK) status = mcp_server_run(server, -1);
    mcp_server_free(server); /* what a thread answers after this has no effect */
    return status == MCP_ERROR_CLOSED || status == MCP_WOKEN ? 0 : 1;
}
