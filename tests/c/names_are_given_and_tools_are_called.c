/*
 * The version, names of numbers, and the first calls of a program.
 */
#include "check.h"

/*
 * The library says its version, its features and its ABI number, and every status, kind, topic and state has a name that stays the
 * same: bindings build their tables from them. Numbers that mean nothing have a name too, so that printing is
 * always safe.
 */
struct name {
    int32_t number;
    const char *name;
};

static const struct name STATUSES[] = {
    {MCP_OK, "ok"},
    {MCP_EMPTY, "empty"},
    {MCP_WOKEN, "woken"},
    {MCP_ERROR_INVALID_ARGUMENT, "invalid_argument"},
    {MCP_ERROR_TIMEOUT, "timeout"},
    {MCP_ERROR_CANCELLED, "cancelled"},
    {MCP_ERROR_UNAVAILABLE, "unavailable"},
    {MCP_ERROR_TRANSPORT, "transport"},
    {MCP_ERROR_PROTOCOL, "protocol"},
    {MCP_ERROR_SERVER, "server"},
    {MCP_ERROR_UNSUPPORTED, "unsupported"},
    {MCP_ERROR_BACKPRESSURE, "backpressure"},
    {MCP_ERROR_TOO_LARGE, "too_large"},
    {MCP_ERROR_AUTH, "auth"},
    {MCP_ERROR_CLOSED, "closed"},
    {MCP_ERROR_FORKED, "forked"},
    {MCP_ERROR_INTERNAL, "internal"},
};

static const struct name KINDS[] = {
    {MCP_KIND_REPLY, "reply"},     {MCP_KIND_NOTIFICATION, "notification"},
    {MCP_KIND_REQUEST, "request"}, {MCP_KIND_PROGRESS, "progress"},
    {MCP_KIND_STATE, "state"},     {MCP_KIND_AUTH, "auth"},
    {MCP_KIND_STDERR, "stderr"},   {MCP_KIND_LOST, "lost"},
};

static const struct name TOPICS[] = {
    {MCP_TOPIC_NONE, "none"},
    {MCP_TOPIC_UNKNOWN, "unknown"},
    {MCP_TOPIC_TOOLS_CHANGED, "tools_changed"},
    {MCP_TOPIC_RESOURCES_CHANGED, "resources_changed"},
    {MCP_TOPIC_PROMPTS_CHANGED, "prompts_changed"},
    {MCP_TOPIC_RESOURCE_UPDATED, "resource_updated"},
    {MCP_TOPIC_LOG, "log"},
    {MCP_TOPIC_PROGRESS, "progress"},
    {MCP_TOPIC_CANCELLED, "cancelled"},
    {MCP_TOPIC_TASK, "task"},
    {MCP_TOPIC_ELICITATION_COMPLETE, "elicitation_complete"},
    {MCP_TOPIC_SUBSCRIBED, "subscribed"},
    {MCP_TOPIC_SAMPLING, "sampling"},
    {MCP_TOPIC_ELICITATION, "elicitation"},
    {MCP_TOPIC_ROOTS, "roots"},
};

static const struct name STATES[] = {
    {MCP_CLIENT_STATE_IDLE, "idle"},
    {MCP_CLIENT_STATE_STARTING, "starting"},
    {MCP_CLIENT_STATE_INITIALIZING, "initializing"},
    {MCP_CLIENT_STATE_READY, "ready"},
    {MCP_CLIENT_STATE_BACKOFF, "backoff"},
    {MCP_CLIENT_STATE_CLOSING, "closing"},
    {MCP_CLIENT_STATE_CLOSED, "closed"},
};

static void version_and_names_are_given(void) {
    int major = -1, minor = -1, patch = -1;
    CHECK_EQ(sscanf(mcp_version(), "%d.%d.%d", &major, &minor, &patch), 3);
    CHECK(major == MCP_VERSION_MAJOR && minor == MCP_VERSION_MINOR && patch == MCP_VERSION_PATCH);
#if !MCP_VERSION_AT_LEAST(MCP_VERSION_MAJOR, MCP_VERSION_MINOR, MCP_VERSION_PATCH) || \
    MCP_VERSION_AT_LEAST(MCP_VERSION_MAJOR, MCP_VERSION_MINOR, MCP_VERSION_PATCH + 1) || \
    MCP_VERSION_AT_LEAST(MCP_VERSION_MAJOR, MCP_VERSION_MINOR + 1, 0) || \
    MCP_VERSION_AT_LEAST(MCP_VERSION_MAJOR + 1, 0, 0)
#error "MCP_VERSION_AT_LEAST compares wrong"
#endif
    /* A build without HTTP says so when it is asked for a server over HTTP. */
    mcp_client_t *client = NULL;
    mcp_status_t over_http = mcp_client_new("{\"url\":\"http://127.0.0.1:1/mcp\"}", NULL, &client, NULL);
    CHECK_STATUS(over_http, (mcp_features() & MCP_FEATURE_HTTP) ? MCP_OK : MCP_ERROR_UNSUPPORTED);
    mcp_client_free(client);
    CHECK((mcp_features() & MCP_FEATURE_AUTH) == 0 || (mcp_features() & MCP_FEATURE_HTTP) != 0);
    CHECK_STATUS(mcp_log_set_logger(NULL, MCP_LOG_NONE, NULL, NULL), MCP_OK);
    CHECK_STATUS(mcp_log_set_logger(NULL, MCP_LOG_NONE - 1, NULL, NULL), MCP_ERROR_INVALID_ARGUMENT);
    CHECK_EQ(mcp_abi_version(), MCP_ABI_VERSION);
    CHECK(MCP_ABI_MATCHES());
    for (size_t i = 0; i < sizeof STATUSES / sizeof STATUSES[0]; i++) {
        CHECK_TEXT(mcp_status_name(STATUSES[i].number), STATUSES[i].name);
    }
    for (size_t i = 0; i < sizeof KINDS / sizeof KINDS[0]; i++) {
        CHECK_TEXT(mcp_kind_name(KINDS[i].number), KINDS[i].name);
    }
    for (size_t i = 0; i < sizeof STATES / sizeof STATES[0]; i++) {
        CHECK_TEXT(mcp_client_state_name(STATES[i].number), STATES[i].name);
    }
    for (size_t i = 0; i < sizeof TOPICS / sizeof TOPICS[0]; i++) {
        CHECK_TEXT(mcp_topic_name(TOPICS[i].number), TOPICS[i].name);
    }
    const int32_t unknown[] = {99, -99, INT32_MAX, INT32_MIN};
    for (size_t i = 0; i < sizeof unknown / sizeof unknown[0]; i++) {
        CHECK(mcp_status_name(unknown[i]) != NULL);
        CHECK(mcp_kind_name(unknown[i]) != NULL);
        CHECK(mcp_topic_name(unknown[i]) != NULL);
        CHECK(mcp_client_state_name(unknown[i]) != NULL);
    }
}

/*
 * The main line, in both eras: a client starts the server, knows whom it speaks to, lists the tools, calls
 * them, gets a tool's failure as a result and the server's refusal as an error, hears a notification, and
 * closes. The process is gone when close returns.
 */
static void check_info(mcp_client_t *client, const char *era) {
    char *info = info_of(client);
    CHECK(json_is(info, "/era", era));
    CHECK(json_is(info, "/server/name", "mcp-example-server"));
    CHECK(json_has(info, "/revision"));
    CHECK(json_has(info, "/capabilities/tools"));
    CHECK(json_has(info, "/instructions"));
    CHECK(json_number(info, "/counters/connections") == 1);
    mcp_string_free(info);
}

static void check_list(mcp_client_t *client) {
    mcp_message_t *reply = NULL;
    size_t length = 0;
    CHECK_STATUS(mcp_call(client, "tools/list", NULL, NULL, &reply), MCP_OK);
    const char *json = mcp_message_json(reply, &length);
    CHECK_EQ(strlen(json), length);
    CHECK_EQ(mcp_message_kind(reply), MCP_KIND_REPLY);
    CHECK_STATUS(mcp_message_status(reply), MCP_OK);
    CHECK(mcp_message_client(reply) == client);
    CHECK(mcp_message_text(reply, NULL) == NULL);
    CHECK_GE(json_count(json, "/tools"), 10);
    CHECK(json_is(json, "/tools/0/name", "echo"));
    CHECK(json_is(json, "/tools/0/inputSchema/properties/text/type", "string"));
    CHECK_STATUS(mcp_message_free(reply), MCP_OK);
}

static void check_failures(mcp_client_t *client) {
    mcp_message_t *reply = call_tool(client, "fail", NULL, NULL);
    CHECK_STATUS(mcp_message_status(reply), MCP_OK);
    CHECK(json_is(mcp_message_json(reply, NULL), "/isError", "true"));
    CHECK_TEXT(mcp_message_text(reply, NULL), "This tool always fails");
    mcp_message_free(reply);

    reply = call_tool(client, "no such tool", NULL, NULL);
    const char *error = mcp_message_json(reply, NULL);
    CHECK_STATUS(mcp_message_status(reply), MCP_ERROR_SERVER);
    CHECK(json_is(error, "/status", "server"));
    CHECK(json_is(error, "/code", "-32602"));
    CHECK(json_is(error, "/operation", "tools/call"));
    CHECK(json_is(error, "/retryable", "false"));
    CHECK_CONTAINS(error, "there is no tool 'no such tool'");
    CHECK(mcp_message_text(reply, NULL) == NULL);
    mcp_message_free(reply);
}

static void check_notification(mcp_client_t *client) {
    mcp_message_t *message = NULL;
    const char *arguments = "{\"count\":1,\"text\":\"ahoj\",\"changes\":false}";
    mcp_message_free(call_tool(client, "notify", arguments, WITH_LOG));
    CHECK_STATUS(mcp_poll_notification(client, patience(), &message), MCP_OK);
    CHECK_EQ(mcp_message_kind(message), MCP_KIND_NOTIFICATION);
    CHECK_TEXT(mcp_message_method(message), "notifications/message");
    CHECK(json_is(mcp_message_json(message, NULL), "/data/text", "ahoj"));
    CHECK(mcp_message_client(message) == client);
    mcp_message_free(message);
}

static void check_era(const char *server, const char *era) {
    mcp_client_t *client = new_client(server, ARGS("--era", era), NULL);
    CHECK_EQ(mcp_client_state(client), MCP_CLIENT_STATE_IDLE);
    CHECK_EQ(count_children(NULL), 0);
    check_echo(client, "the first call starts the server: \xc3\xa9\xe2\x82\xac \" \\ \n");
    CHECK_EQ(mcp_client_state(client), MCP_CLIENT_STATE_READY);
    check_info(client, era);
    check_list(client);
    char *sum = tool_text(client, "add", "{\"a\":2,\"b\":40}");
    CHECK_TEXT(sum, "42");
    free(sum);
    check_failures(client);
    check_notification(client);
    CHECK_STATUS(mcp_client_notify(client, "notifications/of_our_own", "{\"x\":1}", NULL), MCP_OK);
    check_echo(client, "still there");
    CHECK_STATUS(mcp_call(client, "prompts/list", "{}", "{}", NULL), MCP_OK); /* the reply is not wanted */
    CHECK_STATUS(mcp_client_close(client, patience()), MCP_OK);
    CHECK_EQ(count_children(NULL), 0);
    CHECK_EQ(mcp_client_state(client), MCP_CLIENT_STATE_CLOSED);
    CHECK_STATUS(mcp_client_free(client), MCP_OK);
}

static void a_client_lists_tools_and_calls_one(char **argv) {
    struct holdings before = holdings_now();
    check_era(argv[1], "legacy");
    check_era(argv[1], "modern");
    check_nothing_left(before);
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 3);
    version_and_names_are_given();
    a_client_lists_tools_and_calls_one(argv);
    return 0;
}
