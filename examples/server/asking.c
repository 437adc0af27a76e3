/* Asking the person who uses the client, in the middle of a call. The same handler does it in every revision. */
#include "server.h"

#include <string.h>

/* The code with which 2026-07-28 refuses what a client has no capability for (basic/index, error codes). */
#define MISSING_CAPABILITY (-32021)

static const char ASK[] =
    "{\"name\": \"ask\", \"description\": \"Asks the user a question\", \"inputSchema\": {\"type\": \"object\","
    " \"properties\": {\"question\": {\"type\": \"string\"}}, \"required\": [\"question\"]},"
    " \"annotations\": {\"readOnlyHint\": true, \"openWorldHint\": false}}";

/* A form with one text field. Before 2025-11-25 there were only forms, and no word for them. mcp_string_free() it. */
static char *form_for(const mcp_message_t *request) {
    char *params = NULL;
    mcp_builder_t *form = mcp_builder_new();
    mcp_builder_begin_object(form);
    if (is_since(request, "2025-11-25")) {
        mcp_builder_key(form, "mode");
        mcp_builder_string(form, "form");
    }
    mcp_builder_key(form, "message");
    mcp_builder_value(form, argument_of(request, "question"));
    mcp_builder_key(form, "requestedSchema");
    mcp_builder_json(form, "{\"type\":\"object\",\"properties\":{\"answer\":{\"type\":\"string\",\"title\":\"Answer\"}},"
                           "\"required\":[\"answer\"]}");
    mcp_builder_end(form);
    char *error = NULL;
    const char *written = NULL;
    if (went_well(mcp_builder_finish(form, &written, NULL, &error), error)) {
        mcp_json_get(written, "", &params, NULL); /* a copy that is freed later */
    }
    mcp_builder_free(form);
    return params;
}

/* What the person said: {"action":"accept","content":{"answer":TEXT}}, or that there is no answer. */
static void report(mcp_message_t *request, const char *given) {
    mcp_document_t *document = NULL;
    char *error = NULL;
    if (!went_well(mcp_document_new(given, strlen(given), &document, &error), error)) {
        answer_failure(request, "The answer cannot be read");
        return;
    }
    mcp_value_t said = mcp_document_value(document);
    const char *action = mcp_value_string(mcp_value_get(said, "action"), NULL);
    const char *text = mcp_value_string(mcp_value_get(mcp_value_get(said, "content"), "answer"), NULL);
    if (action == NULL) {
        answer_failure(request, "The answer has no action");
    } else if (strcmp(action, "accept") != 0) {
        answer(request, "No answer: %s", action);
    } else if (text != NULL) {
        answer(request, "%s", text);
    } else {
        answer_failure(request, "The answer does not fit the form");
    }
    mcp_document_free(document);
}

/* The modern era has an error for a client that cannot answer; before, the tool fails. */
static void refuse(mcp_message_t *request) {
    if (!is_since(request, "2026-07-28")) {
        answer_failure(request, "The client does not offer elicitation");
        return;
    }
    char *error = NULL;
    mcp_status_t status =
        mcp_request_respond_error(request, MISSING_CAPABILITY, "The client lacks a capability that this request needs",
                                  "{\"requiredCapabilities\":{\"elicitation\":{\"form\":{}}}}", &error);
    went_well(status, error);
    mcp_message_free(request);
}

/* The client answered with an error, which is in the "details" of ours, or not in time. */
static void report_failure(mcp_message_t *request, const char *error) {
    char *message = NULL;
    char *quoted = NULL;
    if (mcp_json_get(error, "/details/error/message", &message, NULL) == MCP_OK &&
        mcp_json_quote(message, &quoted) == MCP_OK) {
        answer_failure(request, "The client refused: %s", quoted);
    } else {
        answer_failure(request, "The client did not answer: %s", error);
    }
    mcp_string_free(quoted);
    mcp_string_free(message);
}

/* Runs twice: the first time the question goes out, the second time the answer is there. */
static void on_ask(void *user, mcp_message_t *request) {
    (void)user;
    char *given = NULL;
    char *error = NULL;
    char *form = form_for(request);
    switch (mcp_request_ask(request, "answer", "elicitation/create", form, &given, &error)) {
    case MCP_OK:
        report(request, given);
        break;
    case MCP_EMPTY: /* the library asks, and runs this function again */
    case MCP_ERROR_CANCELLED:
    case MCP_ERROR_CLOSED:
        mcp_message_free(request);
        break;
    case MCP_ERROR_UNSUPPORTED:
        refuse(request);
        break;
    default:
        report_failure(request, error);
    }
    mcp_string_free(given);
    mcp_string_free(error);
    mcp_string_free(form);
}

bool add_asking(mcp_server_t *server) {
    char *error = NULL;
    return went_well(mcp_server_add_tool(server, ASK, on_ask, NULL, NULL, &error), error);
}
