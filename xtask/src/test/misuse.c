/*
 * Every function of the API is called with nothing that it needs. What calls each of them, `all`, is made from include/mcp.h
 * by the step `exports` and takes the place of the line that names it.
 */
#include <mcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int wrong, destroyed;
static mcp_client_t *client;
static mcp_server_t *server;
static mcp_queue_t *queue;
static mcp_value_t absent;

static mcp_message_t *request;
static mcp_app_t *app;

static void destroy(void *user) { (void)user; destroyed++; }

static void tell(const char *function, const char *what, const char *detail) {
    printf("%s%s: %s %s\n", function, client == NULL ? "" : " (with live handles)", what, detail);
    wrong++;
}

static void cleared(const char *function, const char *name, const void *place, size_t size) {
    static const char zeros[16];
    if (memcmp(place, zeros, size) != 0) tell(function, "does not clear", name);
}

/* An object of an invalid argument names the function and one of its parameters, here and in its text. */
static void named(const char *function, const char *parameters, const char *error) {
    char *said = NULL, *argument = NULL, *text = NULL;
    char between[64];
    mcp_json_get(error, "/details/function", &said, NULL);
    mcp_json_get(error, "/details/argument", &argument, NULL);
    mcp_json_get(error, "/message", &text, NULL);
    snprintf(between, sizeof between, " %s ", argument == NULL ? "" : argument);
    if (said == NULL || strcmp(said, function) != 0) tell(function, "does not name itself:", error);
    else if (argument == NULL || strstr(parameters, between) == NULL) tell(function, "does not name its argument:", error);
    else if (strstr(text, said) == NULL || strstr(text, argument) == NULL) tell(function, "has a text without names:", error);
    mcp_string_free(said);
    mcp_string_free(argument);
    mcp_string_free(text);
}

static void taken(const char *function, mcp_status_t status) {
    if (status < 0 && destroyed != 1) tell(function, "failed, and called destroy", destroyed == 0 ? "never" : "more than once");
}

static void failed(const char *function, const char *parameters, mcp_status_t status, char *error) {
    if (status < 0 && error == NULL) tell(function, "failed without", "an error object");
    if (status == MCP_OK && error != NULL) tell(function, "did not fail, with", "an error object");
    if (status == MCP_ERROR_INVALID_ARGUMENT) named(function, parameters, error == NULL ? "{}" : error);
    mcp_string_free(error);
}

static void replied(const char *function, const char *parameters, mcp_status_t status, mcp_message_t *reply) {
    if (status == MCP_ERROR_INVALID_ARGUMENT) named(function, parameters, mcp_message_json(reply, NULL));
    if (status < 0 && mcp_message_status(reply) != status) tell(function, "failed without", "a reply");
    mcp_message_free(reply);
}

/* A text that is no JSON is refused, and the object names its parameter. */
static void refused(const char *function, const char *parameter, mcp_status_t status, const char *error) {
    char *said = NULL, *argument = NULL;
    if (status != MCP_ERROR_INVALID_ARGUMENT) tell(function, "takes what is no JSON:", parameter);
    if (error == NULL) return;
    mcp_json_get(error, "/details/function", &said, NULL);
    mcp_json_get(error, "/details/argument", &argument, NULL);
    if (said == NULL || strcmp(said, function) != 0) tell(function, "does not name itself:", error);
    if (argument == NULL || strcmp(argument, parameter) != 0) tell(function, "does not name the text that is no JSON:", error);
    mcp_string_free(said);
    mcp_string_free(argument);
}

static mcp_status_t open_it(void *user, mcp_transport_t *over) { (void)user; (void)over; return MCP_OK; }
static mcp_status_t send_it(void *user, mcp_transport_t *over, const char *frame, size_t length) {
    (void)user; (void)over; (void)frame; (void)length;
    return MCP_OK;
}
static void close_it(void *user, mcp_transport_t *over) { (void)user; (void)over; }
static mcp_transport_functions_t transport = {sizeof transport, MCP_TRANSPORT_VERSION, open_it, send_it, close_it, NULL};

static void opened(void *user, const char *name, mcp_client_t *made, mcp_status_t status, const char *error) {
    (void)user; (void)name; (void)status; (void)error;
    mcp_client_free(made);
}

static void keep(void *user, mcp_message_t *message) { (void)user; request = message; }

/* CALLS */

/* A server that is not closed, its client in this process, and a request that waits for its answer. */
static int prepare(void) {
    if (mcp_app_new("{\"hostInfo\":{\"name\":\"x\",\"version\":\"1\"}}", &app, NULL) ||
        mcp_server_new("{\"name\":\"live\"}", NULL, &server, NULL) ||
        mcp_server_add_tool(server, "{\"name\":\"keep\",\"inputSchema\":{\"type\":\"object\"}}", keep, NULL, NULL, NULL) ||
        mcp_client_new_in_process("{}", NULL, server, &client, NULL) ||
        mcp_client_call_tool_start(client, "keep", NULL, NULL, 0, NULL, NULL)) return 0;
    for (int i = 0; i < 1000 && request == NULL; i++) mcp_server_run(server, 10);
    return request != NULL;
}

int main(void) {
    all();
    if (mcp_queue_new(NULL, &queue, NULL) || mcp_client_new("{\"command\":\"x\"}", NULL, &client, NULL) ||
        mcp_server_new("{\"name\":\"x\"}", NULL, &server, NULL)) return 2;
    mcp_client_close(client, 0);
    all();
    mcp_client_free(client);
    mcp_server_free(server);
    if (!prepare()) return 3;
    all_texts();
    mcp_app_free(app);
    mcp_message_free(request);
    mcp_client_free(client);
    mcp_server_free(server);
    mcp_queue_free(queue);
    return wrong != 0;
}
