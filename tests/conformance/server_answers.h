/*
 * How the handlers of the conformance server answer: with a fixed result, with a text, with what the client said to
 * questions. A client that left meanwhile is not a fault; any other refusal of the library ends the program.
 */
#ifndef MCP_CONFORMANCE_SERVER_ANSWERS_H
#define MCP_CONFORMANCE_SERVER_ANSWERS_H

#include "program.h"

/* Ends the program unless the answer was taken or its client is gone. */
static void answered(mcp_message_t *request, mcp_status_t status, char *error) {
    if (status != MCP_OK && status != MCP_ERROR_CANCELLED && status != MCP_ERROR_TRANSPORT && status != MCP_ERROR_CLOSED) {
        char *what = format("%s %.500s", mcp_message_method(request), mcp_message_json(request, NULL));
        fail(what, error);
    }
    mcp_string_free(error);
}

static void give(mcp_message_t *request, const char *result) {
    char *error = NULL;
    mcp_status_t status = mcp_request_respond(request, result, &error);
    answered(request, status, error);
    mcp_message_free(request);
}

static void give_text(mcp_message_t *request, const char *text) {
    char *error = NULL;
    mcp_status_t status = mcp_request_respond_text(request, text, false, &error);
    answered(request, status, error);
    mcp_message_free(request);
}

static void give_tool_error(mcp_message_t *request, const char *text) {
    char *error = NULL;
    mcp_status_t status = mcp_request_respond_text(request, text, true, &error);
    answered(request, status, error);
    mcp_message_free(request);
}

static void give_error(mcp_message_t *request, int32_t code, const char *text, const char *data) {
    char *error = NULL;
    mcp_status_t status = mcp_request_respond_error(request, code, text, data, &error);
    answered(request, status, error);
    mcp_message_free(request);
}

/* The handler of what always has the same result, which is `user`. */
static void on_fixed(void *user, mcp_message_t *request) { give(request, user); }

/* A string argument of the tool or the prompt; valid as long as the request. */
static const char *argument(mcp_message_t *request, const char *name) {
    const char *text = mcp_value_string(mcp_value_get(mcp_value_get(mcp_message_value(request), "arguments"), name), NULL);
    return text != NULL ? text : "";
}

/* A text as JSON; mcp_string_free() it. */
static char *quoted(const char *text) {
    char *json = NULL;
    if (mcp_json_quote(text, &json) != MCP_OK) {
        fail(text, "it cannot be written as JSON");
    }
    return json;
}

/* ---- questions to the client ------------------------------------------------------------- */

struct question {
    const char *key;
    const char *method;
    const char *params;
};

/* The most questions that one handler asks together. */
#define MOST_QUESTIONS 3

/*
 * Asks all of them. True when every answer is there: mcp_string_free() each. Otherwise the request is taken care of: the
 * questions go out and the handler runs again, with `state` kept unless it is NULL; or the client cannot answer.
 */
static bool ask(mcp_message_t *request, const struct question *questions, size_t number, const char *state, char **answers) {
    bool waits = false;
    char *error = NULL;
    for (size_t i = 0; i < number; i++) {
        answers[i] = NULL;
    }
    for (size_t i = 0; i < number && error == NULL; i++) {
        const struct question *question = &questions[i];
        mcp_status_t status =
            mcp_request_ask(request, question->key, question->method, question->params, &answers[i], &error);
        if (status == MCP_EMPTY) {
            waits = true;
            mcp_string_free(error);
            error = NULL;
        } else if (status != MCP_OK && error == NULL) {
            fail(question->key, mcp_status_name(status));
        }
    }
    if (error == NULL && !waits) {
        return true;
    }
    for (size_t i = 0; i < number; i++) {
        mcp_string_free(answers[i]);
    }
    if (error != NULL) {
        give_tool_error(request, error);
        mcp_string_free(error);
        return false;
    }
    if (state != NULL) {
        mcp_status_t status = mcp_request_set_state(request, state, &error);
        answered(request, status, error);
    }
    mcp_message_free(request);
    return false;
}

/* What an answer says at a pointer; free() it. */
static char *said(const char *answer, const char *pointer) {
    char *value = NULL;
    mcp_status_t status = mcp_json_get(answer, pointer, &value, NULL);
    if (status != MCP_OK && status != MCP_EMPTY) {
        fail(pointer, answer);
    }
    char *text = format("%s", value != NULL ? value : "nothing");
    mcp_string_free(value);
    return text;
}

#endif
