/* Writing answers, and reading what a request says. */
#include "server.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool went_well(mcp_status_t status, char *error) {
    if (status != MCP_OK) {
        fprintf(stderr, "mcp-example-server: %s\n", error != NULL ? error : mcp_status_name(status));
    }
    mcp_string_free(error);
    return status == MCP_OK;
}

mcp_value_t argument_of(const mcp_message_t *request, const char *name) {
    return mcp_value_get(mcp_value_get(mcp_message_value(request), "arguments"), name);
}

int64_t number_argument(const mcp_message_t *request, const char *name, int64_t otherwise) {
    int64_t number = otherwise;
    return mcp_value_int64(argument_of(request, name), &number) == MCP_OK ? number : otherwise;
}

bool flag_argument(const mcp_message_t *request, const char *name, bool otherwise) {
    bool flag = otherwise;
    return mcp_value_bool(argument_of(request, name), &flag) == MCP_OK ? flag : otherwise;
}

char *formatted_list(const char *pattern, va_list values) {
    va_list again;
    va_copy(again, values);
    int length = vsnprintf(NULL, 0, pattern, again);
    va_end(again);
    char *text = length >= 0 ? malloc((size_t)length + 1) : NULL;
    if (text != NULL) {
        vsnprintf(text, (size_t)length + 1, pattern, values);
    }
    return text;
}

char *formatted(const char *pattern, ...) {
    va_list values;
    va_start(values, pattern);
    char *text = formatted_list(pattern, values);
    va_end(values);
    return text;
}

/* An answer that comes too late, because the client cancelled or has gone, is not a failure of the server. */
static void report(mcp_status_t status, char *error) {
    if (status == MCP_ERROR_CANCELLED || status == MCP_ERROR_CLOSED) {
        mcp_string_free(error);
    } else {
        went_well(status, error);
    }
}

static void answer_text(mcp_message_t *request, bool is_error, const char *pattern, va_list values) {
    char *text = formatted_list(pattern, values);
    char *error = NULL;
    mcp_status_t status = text != NULL
                              ? mcp_request_respond_text(request, text, is_error, &error)
                              : mcp_request_respond_error(request, -32603, "the server has no memory", NULL, &error);
    report(status, error);
    free(text);
    mcp_message_free(request);
}

void answer(mcp_message_t *request, const char *pattern, ...) {
    va_list values;
    va_start(values, pattern);
    answer_text(request, false, pattern, values);
    va_end(values);
}

void answer_failure(mcp_message_t *request, const char *pattern, ...) {
    va_list values;
    va_start(values, pattern);
    answer_text(request, true, pattern, values);
    va_end(values);
}

void answer_built(mcp_message_t *request, mcp_builder_t *result) {
    const char *json = NULL;
    char *error = NULL;
    mcp_status_t status = mcp_builder_finish(result, &json, NULL, &error);
    if (status == MCP_OK) {
        status = mcp_request_respond(request, json, &error);
    }
    report(status, error);
    mcp_builder_free(result);
    mcp_message_free(request);
}

bool is_since(const mcp_message_t *request, const char *revision) {
    char *context = NULL;
    char *of_client = NULL;
    bool since = mcp_request_context(request, &context, NULL) == MCP_OK &&
                 mcp_json_get(context, "/revision", &of_client, NULL) == MCP_OK && strcmp(of_client, revision) >= 0;
    mcp_string_free(of_client);
    mcp_string_free(context);
    return since;
}
