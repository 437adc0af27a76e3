/*
 * The tools of the conformance server that ask the client: for the answer of a model, for input of the person, for roots. Each
 * is written once: the library asks by requests of the server up to 2025-11-25, and by `input_required` from 2026-07-28 on.
 */
#ifndef MCP_CONFORMANCE_SERVER_QUESTIONS_H
#define MCP_CONFORMANCE_SERVER_QUESTIONS_H

#include "server_tools.h"

#define FORM(message, properties, required)                                                                            \
    "{\"message\":\"" message "\",\"requestedSchema\":{\"type\":\"object\",\"properties\":{" properties "},"           \
    "\"required\":[" required "]}}"
#define FORM_OF_ONE(message, name, type) FORM(message, "\"" name "\":{\"type\":\"" type "\"}", "\"" name "\"")
#define SAMPLE(text, tokens)                                                                                           \
    "{\"messages\":[{\"role\":\"user\",\"content\":" TEXT(text) "}],\"maxTokens\":" tokens "}"
#define ELICITATION "elicitation/create"
#define SAMPLING "sampling/createMessage"
#define ROOTS "roots/list"

/* Asks one question; its answer, or NULL when the request is taken care of. */
static char *ask_one(mcp_message_t *request, struct question question, const char *state) {
    char *answer = NULL;
    return ask(request, &question, 1, state, &answer) ? answer : NULL;
}

/* ---- one question -------------------------------------------------------------------------------- */

static void on_sampling(void *user, mcp_message_t *request) {
    (void)user;
    char *prompt = quoted(argument(request, "prompt"));
    char *params = format("{\"messages\":[{\"role\":\"user\",\"content\":{\"type\":\"text\",\"text\":%s}}],\"maxTokens\":100}",
                          prompt);
    char *answer = ask_one(request, (struct question){"answer", SAMPLING, params}, NULL);
    if (answer != NULL) {
        char *model = said(answer, "/content/text");
        char *text = format("LLM response: %s", model);
        give_text(request, text);
        free(text);
        free(model);
    }
    mcp_string_free(answer);
    free(params);
    mcp_string_free(prompt);
}

/* Gives the action and the content of an answer as a text that begins with `what`; frees the answer. */
static void give_form(mcp_message_t *request, const char *what, char *answer) {
    if (answer == NULL) {
        return;
    }
    char *action = said(answer, "/action");
    char *content = said(answer, "/content");
    char *text = format("%s: action=%s, content=%s", what, action, content);
    give_text(request, text);
    free(text);
    free(content);
    free(action);
    mcp_string_free(answer);
}

static void on_elicitation(void *user, mcp_message_t *request) {
    (void)user;
    char *message = quoted(argument(request, "message"));
    char *params = format("{\"message\":%s,\"requestedSchema\":{\"type\":\"object\",\"properties\":{"
                          "\"username\":{\"type\":\"string\",\"description\":\"User's name\"},"
                          "\"email\":{\"type\":\"string\",\"description\":\"User's address\"}},"
                          "\"required\":[\"username\",\"email\"]}}",
                          message);
    give_form(request, "User response", ask_one(request, (struct question){"user", ELICITATION, params}, NULL));
    free(params);
    mcp_string_free(message);
}

static const char DEFAULTS[] = FORM("Please review the values",
                                    "\"name\":{\"type\":\"string\",\"default\":\"John Doe\"},"
                                    "\"age\":{\"type\":\"integer\",\"default\":30},"
                                    "\"score\":{\"type\":\"number\",\"default\":95.5},"
                                    "\"status\":{\"type\":\"string\",\"enum\":[\"active\",\"inactive\",\"pending\"],"
                                    "\"default\":\"active\"},"
                                    "\"verified\":{\"type\":\"boolean\",\"default\":true}", );

/* The suite answers option1, value1, opt1, and lists of the first two. */
static const char ENUMS[] = FORM("Please choose",
                                 "\"untitledSingle\":{\"type\":\"string\",\"enum\":[\"option1\",\"option2\",\"option3\"]},"
                                 "\"titledSingle\":{\"type\":\"string\",\"oneOf\":[{\"const\":\"value1\",\"title\":\"First\"},"
                                 "{\"const\":\"value2\",\"title\":\"Second\"},{\"const\":\"value3\",\"title\":\"Third\"}]},"
                                 "\"legacyEnum\":{\"type\":\"string\",\"enum\":[\"opt1\",\"opt2\",\"opt3\"],"
                                 "\"enumNames\":[\"Option 1\",\"Option 2\",\"Option 3\"]},"
                                 "\"untitledMulti\":{\"type\":\"array\",\"items\":{\"type\":\"string\","
                                 "\"enum\":[\"option1\",\"option2\",\"option3\"]}},"
                                 "\"titledMulti\":{\"type\":\"array\",\"items\":{\"anyOf\":["
                                 "{\"const\":\"value1\",\"title\":\"First\"},{\"const\":\"value2\",\"title\":\"Second\"},"
                                 "{\"const\":\"value3\",\"title\":\"Third\"}]}}", );

/* The handler of the tools that show one form, which is `user`, and say what came back. */
static void on_form(void *user, mcp_message_t *request) {
    give_form(request, "Elicitation completed", ask_one(request, (struct question){"form", ELICITATION, user}, NULL));
}

/* ---- results that ask (2026-07-28) --------------------------------------------------------------- */

static const struct question USER_NAME = {"user_name", ELICITATION, FORM_OF_ONE("What is your name?", "name", "string")};
static const struct question CAPITAL = {"capital_question", SAMPLING, SAMPLE("What is the capital of France?", "100")};
static const struct question CLIENT_ROOTS = {"client_roots", ROOTS, "{}"};
static const struct question GREETING = {"greeting", SAMPLING, SAMPLE("Generate a greeting", "50")};
static const struct question CONFIRM = {"confirm", ELICITATION, FORM_OF_ONE("Please confirm", "ok", "boolean")};
static const struct question STEP_1 = {"step1", ELICITATION, FORM_OF_ONE("Step 1: What is your name?", "name", "string")};
static const struct question STEP_2 = {"step2", ELICITATION,
                                       FORM_OF_ONE("Step 2: What is your favorite color?", "color", "string")};

/* Answers with a text that has one value of the answer in it; frees the answer. */
static void give_said(mcp_message_t *request, const char *pattern, char *answer, const char *pointer) {
    if (answer == NULL) {
        return;
    }
    char *value = said(answer, pointer);
    char *text = format(pattern, value);
    give_text(request, text);
    free(text);
    free(value);
    mcp_string_free(answer);
}

static void on_name(void *user, mcp_message_t *request) {
    (void)user;
    give_said(request, "Hello, %s!", ask_one(request, USER_NAME, NULL), "/content/name");
}

static void on_capital(void *user, mcp_message_t *request) {
    (void)user;
    give_said(request, "The model says: %s", ask_one(request, CAPITAL, NULL), "/content/text");
}

static void on_roots(void *user, mcp_message_t *request) {
    (void)user;
    give_said(request, "The roots are %s", ask_one(request, CLIENT_ROOTS, NULL), "/roots");
}

/* Keeps something meanwhile, and answers only if that came back with the answer. */
static void on_request_state(void *user, mcp_message_t *request) {
    const char *kept = user;
    char *answer = ask_one(request, CONFIRM, kept);
    if (answer == NULL) {
        return;
    }
    char *state = NULL;
    mcp_status_t status = mcp_request_state(request, &state, NULL);
    if (status == MCP_OK && strcmp(state, kept) == 0) {
        give_text(request, "state-ok");
    } else {
        give_tool_error(request, "the state is not what was kept");
    }
    mcp_string_free(state);
    mcp_string_free(answer);
}

static void on_several(void *user, mcp_message_t *request) {
    (void)user;
    const struct question questions[MOST_QUESTIONS] = {USER_NAME, GREETING, CLIENT_ROOTS};
    char *answers[MOST_QUESTIONS];
    if (!ask(request, questions, MOST_QUESTIONS, "three questions", answers)) {
        return;
    }
    char *name = said(answers[0], "/content/name");
    char *greeting = said(answers[1], "/content/text");
    char *text = format("%s, %s: %zu roots", greeting, name, count(answers[2], "/roots"));
    give_text(request, text);
    free(text);
    free(greeting);
    free(name);
    for (size_t i = 0; i < MOST_QUESTIONS; i++) {
        mcp_string_free(answers[i]);
    }
}

/* The second question follows from the first answer, which comes back with the state. */
static void on_two_rounds(void *user, mcp_message_t *request) {
    (void)user;
    char *first = ask_one(request, STEP_1, "round 1");
    if (first == NULL) {
        return;
    }
    char *second = ask_one(request, STEP_2, "round 2");
    if (second != NULL) {
        char *name = said(first, "/content/name");
        char *color = said(second, "/content/color");
        char *text = format("%s likes %s", name, color);
        give_text(request, text);
        free(text);
        free(color);
        free(name);
    }
    mcp_string_free(second);
    mcp_string_free(first);
}

/* ---- what the client can do ---------------------------------------------------------------------- */

/* Asks by what the client declared: the person, or else the model. */
static void on_capabilities(void *user, mcp_message_t *request) {
    (void)user;
    char *answer = NULL;
    char *error = NULL;
    mcp_status_t status =
        mcp_request_ask(request, USER_NAME.key, USER_NAME.method, USER_NAME.params, &answer, &error);
    mcp_string_free(error);
    if (status == MCP_ERROR_UNSUPPORTED) {
        answer = ask_one(request, CAPITAL, NULL);
        status = MCP_OK;
    } else if (status == MCP_EMPTY) {
        mcp_message_free(request);
    } else if (status != MCP_OK) {
        fail("test_input_required_result_capabilities", mcp_status_name(status));
    }
    if (answer != NULL) {
        give_text(request, answer);
    }
    mcp_string_free(answer);
}

/* Cannot do its work without the client's model: a client that declares none learns what is missing. */
static void on_missing_capability(void *user, mcp_message_t *request) {
    (void)user;
    char *answer = NULL;
    char *error = NULL;
    mcp_status_t status = mcp_request_ask(request, CAPITAL.key, CAPITAL.method, CAPITAL.params, &answer, &error);
    if (status == MCP_ERROR_UNSUPPORTED) {
        char *missing = at(error, "/details/missing");
        char *data = format("{\"requiredCapabilities\":%s}", missing);
        give_error(request, -32021, "this tool needs the client's model", data);
        free(data);
        mcp_string_free(missing);
    } else if (status == MCP_OK) {
        give_text(request, answer);
    } else if (status == MCP_EMPTY) {
        mcp_message_free(request);
    } else {
        fail("test_missing_capability", error);
    }
    mcp_string_free(error);
    mcp_string_free(answer);
}

static bool can_elicit(const char *context) {
    char *declared = NULL;
    bool can = mcp_json_get(context, "/capabilities/elicitation", &declared, NULL) == MCP_OK && declared[0] == '{';
    mcp_string_free(declared);
    return can;
}

/* Says how far it is, then asks: in 2026-07-28 no request may be on the stream of its answer. */
static void on_streaming(void *user, mcp_message_t *request) {
    mcp_status_t status = mcp_request_progress(request, 1, 2, "about to ask");
    if (status != MCP_OK && status != MCP_EMPTY) {
        fail("mcp_request_progress", mcp_status_name(status));
    }
    char *context = NULL;
    char *error = NULL;
    if (mcp_request_context(request, &context, &error) != MCP_OK) {
        /* The client left. */
        mcp_message_free(request);
    } else if (can_elicit(context)) {
        on_name(user, request);
    } else {
        give_text(request, "There is no person to ask");
    }
    mcp_string_free(error);
    mcp_string_free(context);
}

/* ---- all of them --------------------------------------------------------------------------------- */

static void add_questions(mcp_server_t *server) {
    add_tool(server,
             "{\"name\":\"test_sampling\",\"description\":\"Asks the client's model\",\"inputSchema\":{\"type\":\"object\","
             "\"properties\":{\"prompt\":{\"type\":\"string\"}},\"required\":[\"prompt\"]}}",
             on_sampling, NULL);
    add_tool(server,
             "{\"name\":\"test_elicitation\",\"description\":\"Asks the person\",\"inputSchema\":{\"type\":\"object\","
             "\"properties\":{\"message\":{\"type\":\"string\"}},\"required\":[\"message\"]}}",
             on_elicitation, NULL);
    add_tool(server, TOOL("test_elicitation_sep1034_defaults", "Shows a form with defaults"), on_form, (void *)DEFAULTS);
    add_tool(server, TOOL("test_elicitation_sep1330_enums", "Shows a form with choices"), on_form, (void *)ENUMS);
    add_tool(server, TOOL("test_input_required_result_elicitation", "Asks for a name"), on_name, NULL);
    add_tool(server, TOOL("test_input_required_result_sampling", "Asks the model"), on_capital, NULL);
    add_tool(server, TOOL("test_input_required_result_list_roots", "Asks for roots"), on_roots, NULL);
    add_tool(server, TOOL("test_input_required_result_request_state", "Keeps a state"), on_request_state, "kept");
    add_tool(server, TOOL("test_input_required_result_tampered_state", "Keeps a state that is attacked"),
             on_request_state, "kept and sealed");
    add_tool(server, TOOL("test_input_required_result_multiple_inputs", "Asks three questions"), on_several, NULL);
    add_tool(server, TOOL("test_input_required_result_multi_round", "Asks twice"), on_two_rounds, NULL);
    add_tool(server, TOOL("test_input_required_result_capabilities", "Asks what the client can answer"),
             on_capabilities, NULL);
    add_tool(server, TOOL("test_missing_capability", "Needs the client's model"), on_missing_capability, NULL);
    add_tool(server, TOOL("test_streaming_elicitation", "Reports progress and asks"), on_streaming, NULL);
}

#endif
