/*
 * The program that the official conformance suite starts for each of its client scenarios: an ordinary application on
 * the public API. The suite names the scenario in MCP_CONFORMANCE_SCENARIO, gives what belongs to it as JSON in
 * MCP_CONFORMANCE_CONTEXT, and the server's URL as the last argument. Which revision the server speaks the library finds
 * out; MCP_CONFORMANCE_PROTOCOL_VERSION is not looked at.
 *
 * Ends with 0 when everything went as the scenario wants it, with 1 and a line on stderr when not, and by SIGALRM when it
 * took too long.
 */
#define _POSIX_C_SOURCE 200809L

#include "program.h"

#include "login.h"

#include <unistd.h>

#define SECONDS 25
#define CALL_MS 15000
#define POLL_MS 20000

/* ---- what the server asks of us ---------------------------------------------------------- */

/* Answers as a person would who agrees to everything. */
static void answer(mcp_message_t *request) {
    const char *method = mcp_message_method(request);
    char *error = NULL;
    mcp_status_t status;
    if (strcmp(method, "elicitation/create") == 0) {
        bool confirms = strstr(mcp_message_json(request, NULL), "\"confirmed\"") != NULL;
        status =
            mcp_request_respond_elicitation(request, "accept", confirms ? "{\"confirmed\":true}" : NULL, &error);
    } else if (strcmp(method, "roots/list") == 0) {
        status = mcp_request_respond(request, "{\"roots\":[]}", &error);
    } else if (strcmp(method, "sampling/createMessage") == 0) {
        status = mcp_request_respond(request,
                                     "{\"role\":\"assistant\",\"model\":\"none\",\"content\":{\"type\":\"text\",\"text\":\"hello\"}}",
                                     &error);
    } else {
        status = mcp_request_respond_error(request, -32601, "Method not found", NULL, &error);
    }
    if (status != MCP_OK) {
        fail(method, error);
    }
}

/* ---- calls ------------------------------------------------------------------------------- */

/* Makes a call and answers what the server asks meanwhile; gives the result, mcp_message_free() it. */
static mcp_message_t *call(mcp_client_t *client, const char *method, const char *params) {
    char *error = NULL;
    char *options = format("{\"timeout_ms\":%d}", CALL_MS);
    if (mcp_call_start(client, method, params, options, 1, NULL, &error) != MCP_OK) {
        fail(method, error);
    }
    free(options);
    for (;;) {
        mcp_message_t *message = NULL;
        mcp_status_t status = mcp_client_poll(client, POLL_MS, &message);
        if (status != MCP_OK) {
            fail(method, mcp_status_name(status));
        }
        switch (mcp_message_kind(message)) {
        case MCP_KIND_REPLY:
            if (mcp_message_status(message) != MCP_OK) {
                fail(method, mcp_message_json(message, NULL));
            }
            return message;
        case MCP_KIND_REQUEST: answer(message); break;
        case MCP_KIND_AUTH: log_in(client, message); break;
        default: break;
        }
        mcp_message_free(message);
    }
}

/* Makes a call whose result does not matter. */
static void run(mcp_client_t *client, const char *method, const char *params) {
    mcp_message_free(call(client, method, params));
}

/* Calls a tool; `arguments` is JSON, NULL for none. */
static void run_tool(mcp_client_t *client, const char *name, const char *arguments) {
    char *quoted = NULL;
    if (mcp_json_quote(name, &quoted) != MCP_OK) {
        fail(name, "it is no text");
    }
    char *params = format("{\"name\":%s,\"arguments\":%s}", quoted, arguments != NULL ? arguments : "{}");
    mcp_message_t *reply = call(client, "tools/call", params);
    if (is(mcp_message_json(reply, NULL), "/isError", "true")) {
        fail(name, mcp_message_json(reply, NULL));
    }
    mcp_message_free(reply);
    mcp_string_free(quoted);
    free(params);
}

/* ---- scenarios --------------------------------------------------------------------------- */

static void lists(mcp_client_t *client) { run(client, "tools/list", NULL); }

static void adds(mcp_client_t *client) {
    lists(client);
    run_tool(client, "add_numbers", "{\"a\":5,\"b\":3}");
}

static void reconnects(mcp_client_t *client) {
    lists(client);
    run_tool(client, "test_reconnection", NULL);
}

static void takes_defaults(mcp_client_t *client) {
    lists(client);
    run_tool(client, "test_client_elicitation_defaults", NULL);
}

static void goes_in_rounds(mcp_client_t *client) {
    lists(client);
    run_tool(client, "test_mrtr_echo_state", NULL);
    run_tool(client, "test_mrtr_no_state", NULL);
    run_tool(client, "test_mrtr_unrelated", NULL);
    run_tool(client, "test_mrtr_no_result_type", NULL);
}

static void sends_every_standard_header(mcp_client_t *client) {
    mcp_message_t *tools = call(client, "tools/list", NULL);
    const char *list = mcp_message_json(tools, NULL);
    for (size_t i = 0; i < count(list, "/tools"); i++) {
        char *pointer = format("/tools/%zu/name", i);
        char *name = at(list, pointer);
        run_tool(client, name, NULL);
        mcp_string_free(name);
        free(pointer);
    }
    mcp_message_free(tools);
    mcp_message_t *resources = call(client, "resources/list", NULL);
    list = mcp_message_json(resources, NULL);
    for (size_t i = 0; i < count(list, "/resources"); i++) {
        char *pointer = format("/resources/%zu", i);
        char *resource = at(list, pointer);
        char *uri = at(resource, "/uri");
        char *quoted = NULL;
        mcp_json_quote(uri, &quoted);
        char *params = format("{\"uri\":%s}", quoted);
        run(client, "resources/read", params);
        free(params);
        mcp_string_free(quoted);
        mcp_string_free(uri);
        mcp_string_free(resource);
        free(pointer);
    }
    mcp_message_free(resources);
    run(client, "prompts/list", NULL);
    run(client, "prompts/get", "{\"name\":\"test_prompt\"}");
}

static void sends_custom_headers(mcp_client_t *client) {
    const char *context = getenv("MCP_CONFORMANCE_CONTEXT");
    if (context == NULL) {
        fail("MCP_CONFORMANCE_CONTEXT", "it is not set");
    }
    lists(client);
    for (size_t i = 0; i < count(context, "/toolCalls"); i++) {
        char *name_at = format("/toolCalls/%zu/name", i);
        char *arguments_at = format("/toolCalls/%zu/arguments", i);
        char *name = at(context, name_at);
        char *arguments = at(context, arguments_at);
        run_tool(client, name, arguments);
        mcp_string_free(arguments);
        mcp_string_free(name);
        free(arguments_at);
        free(name_at);
    }
}

/* Tools whose annotations break a rule are not in the list, so that an application cannot call them. */
static void sees_no_broken_tool(mcp_client_t *client) {
    mcp_message_t *tools = call(client, "tools/list", NULL);
    const char *list = mcp_message_json(tools, NULL);
    for (size_t i = 0; i < count(list, "/tools"); i++) {
        char *pointer = format("/tools/%zu/name", i);
        char *name = at(list, pointer);
        run_tool(client, name, "{\"region\":\"us-east1\"}");
        mcp_string_free(name);
        free(pointer);
    }
    mcp_message_free(tools);
}

/* A schema comes out of the list as it was sent, and goes into a call as it came out. */
static void hands_on_a_schema(mcp_client_t *client) {
    mcp_message_t *tools = call(client, "tools/list", NULL);
    const char *list = mcp_message_json(tools, NULL);
    bool found = false;
    for (size_t i = 0; i < count(list, "/tools"); i++) {
        char *name_at = format("/tools/%zu/name", i);
        if (is(list, name_at, "json_schema_2020_12_tool")) {
            char *schema_at = format("/tools/%zu/inputSchema", i);
            char *schema = at(list, schema_at);
            char *arguments = format("{\"schema\":%s}", schema);
            run_tool(client, "json_schema_echo", arguments);
            free(arguments);
            mcp_string_free(schema);
            free(schema_at);
            found = true;
        }
        free(name_at);
    }
    mcp_message_free(tools);
    if (!found) {
        fail("json_schema_2020_12_tool", "it is not in the list");
    }
}

/* A host that shows what there is reads no file of it. */
static void only_lists_skills(mcp_client_t *client) {
    mcp_message_t *list = NULL;
    if (mcp_call(client, "skills/list", NULL, NULL, &list) != MCP_OK || count(mcp_message_json(list, NULL),
                                                                       "/skills") != 1) {
        fail("skills/list", mcp_message_json(list, NULL));
    }
    mcp_message_free(list);
}

/* Loads the skill there is, and would go on to the file that it points to; the server changed it on the way. */
static void loads_a_tampered_skill(mcp_client_t *client) {
    mcp_message_t *list = NULL;
    if (mcp_call(client, "skills/list", NULL, NULL, &list) != MCP_OK) {
        fail("skills/list", mcp_message_json(list, NULL));
    }
    char *entry = at(mcp_message_json(list, NULL), "/skills/0");
    mcp_message_t *skill = NULL;
    mcp_status_t status = mcp_client_load_skill(client, entry, NULL, &skill);
    if (status == MCP_OK) {
        mcp_client_read_skill_file(client, entry, "references/FORMS.md", NULL, NULL);
        fail("a skill that was tampered with is handed over", mcp_message_json(skill, NULL));
    }
    char *check = at(mcp_message_json(skill, NULL), "/details/check");
    const char *scenario = getenv("MCP_CONFORMANCE_SCENARIO");
    if (status != MCP_ERROR_PROTOCOL || strcmp(check, strrchr(scenario, '-') + 1) != 0) {
        fail("refused for another reason", mcp_message_json(skill, NULL));
    }
    mcp_string_free(check);
    mcp_string_free(entry);
    mcp_message_free(skill);
    mcp_message_free(list);
}

/* What an application does that knows nothing of the scenario. */
static void uses_the_test_tool(mcp_client_t *client) {
    mcp_message_t *tools = call(client, "tools/list", NULL);
    const char *list = mcp_message_json(tools, NULL);
    for (size_t i = 0; i < count(list, "/tools"); i++) {
        char *pointer = format("/tools/%zu/name", i);
        if (is(list, pointer, "test-tool")) {
            run_tool(client, "test-tool", NULL);
        }
        free(pointer);
    }
    mcp_message_free(tools);
}

static const struct {
    const char *name;
    void (*play)(mcp_client_t *client);
} SCENARIOS[] = {
    {"initialize", lists},
    {"tools_call", adds},
    {"elicitation-sep1034-client-defaults", takes_defaults},
    {"sse-retry", reconnects},
    {"request-metadata", lists},
    {"sep-2322-client-request-state", goes_in_rounds},
    {"http-standard-headers", sends_every_standard_header},
    {"http-custom-headers", sends_custom_headers},
    {"http-invalid-tool-headers", sees_no_broken_tool},
    {"json-schema-ref-no-deref", lists},
    {"json-schema-2020-12-preservation", hands_on_a_schema},
    {"sep-2640-client-no-prefetch", only_lists_skills},
    {"sep-2640-client-verify-digest", loads_a_tampered_skill},
    {"sep-2640-client-verify-size", loads_a_tampered_skill},
    {"sep-2640-client-verify-frontmatter", loads_a_tampered_skill},
};

int main(int argc, char **argv) {
    const char *scenario = getenv("MCP_CONFORMANCE_SCENARIO");
    mcp_client_t *client = NULL;
    char *error = NULL;
    char *url = NULL;
    alarm(SECONDS);
    if (argc < 2 || mcp_json_quote(argv[argc - 1], &url) != MCP_OK) {
        fail("usage", "client URL");
    }
    char *auth = authorization(scenario != NULL ? scenario : "");
    char *config = format("{\"url\":%s%s,\"client\":{\"name\":\"libmcp-conformance\",\"version\":\"%s\"},"
                          "\"capabilities\":{\"elicitation\":{},\"sampling\":{},\"roots\":{}}}",
                          url, auth, mcp_version());
    if (mcp_client_new(config, NULL, &client, &error) != MCP_OK) {
        fail("client", error);
    }
    /* While a person logs in, messages have to be taken: then the first call connects. */
    if (*auth == '\0' && mcp_client_connect(client, CALL_MS, &error) != MCP_OK) {
        fail("connect", error);
    }
    void (*play)(mcp_client_t *) = uses_the_test_tool;
    for (size_t i = 0; scenario != NULL && i < sizeof SCENARIOS / sizeof SCENARIOS[0]; i++) {
        if (strcmp(scenario, SCENARIOS[i].name) == 0) {
            play = SCENARIOS[i].play;
        }
    }
    play(client);
    if (mcp_client_close(client, -1) != MCP_OK || mcp_client_free(client) != MCP_OK) {
        fail("close", NULL);
    }
    free(config);
    free(auth);
    mcp_string_free(url);
    return 0;
}
