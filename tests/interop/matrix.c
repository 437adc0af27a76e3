/*
 * One program for all servers, revisions and transports: each feature that a server's plan names is used through the same
 * functions, and the same must come of it. Run as
 *     matrix REVISION PLAN stdio COMMAND [ARGUMENT...]
 *     matrix REVISION PLAN http|sse PORT PATH COMMAND [ARGUMENT...]
 * PLAN is JSON: for each feature the arguments that this server needs (FEATURES below). A feature that the revision does
 * not have is left out. Prints the name of each feature that works, one a line, and ends with 1 at the first that does not.
 */
#include "extensions.h"
#include "matrix.h"

static void tools(mcp_client_t *client, const char *plan) {
    struct seen seen = {0};
    mcp_message_t *list = NULL;
    OK(mcp_client_list_tools(client, NULL, &list), list);
    char *tool = json_at(plan, "/0");
    char *quoted = format("\"name\":\"%s\"", tool);
    char *spaced = format("\"name\": \"%s\"", tool);
    const char *json = mcp_message_json(list, NULL);
    CHECK(strstr(json, quoted) != NULL || strstr(json, spaced) != NULL);
    mcp_message_free(list);
    call_and_check(client, plan, &seen);
    CHECK_EQ(seen.requests, 0);
    free(spaced);
    free(quoted);
    mcp_string_free(tool);
}

/* [tool, arguments, pointer into structuredContent, value there] */
static void structured(mcp_client_t *client, const char *plan) {
    char *tool = json_at(plan, "/0"), *arguments = json_at(plan, "/1"), *pointer = json_at(plan, "/2");
    char *value = json_at(plan, "/3"), *whole = format("/structuredContent%s", pointer);
    mcp_message_t *list = NULL, *reply = NULL;
    OK(mcp_client_list_tools(client, NULL, &list), list);
    CHECK_CONTAINS(mcp_message_json(list, NULL), "outputSchema");
    OK(mcp_client_call_tool(client, tool, arguments, NULL, &reply), reply);
    if (!json_is(mcp_message_json(reply, NULL), whole, value)) {
        FAIL("%s is not %s: %s", whole, value, mcp_message_json(reply, NULL));
    }
    mcp_message_free(reply);
    mcp_message_free(list);
    free(whole);
    mcp_string_free(value);
    mcp_string_free(pointer);
    mcp_string_free(arguments);
    mcp_string_free(tool);
}

static void read_resource(mcp_client_t *client, const char *uri, const char *part) {
    mcp_message_t *reply = NULL;
    OK(mcp_client_read_resource(client, uri, NULL, &reply), reply);
    CHECK_CONTAINS(mcp_message_text(reply, NULL), part);
    mcp_message_free(reply);
}

/* [uri, part of its text] */
static void resources(mcp_client_t *client, const char *plan) {
    char *uri = json_at(plan, "/0"), *part = json_at(plan, "/1");
    mcp_message_t *list = NULL;
    OK(mcp_call(client, "resources/list", NULL, NULL, &list), list);
    CHECK_CONTAINS(mcp_message_json(list, NULL), uri);
    mcp_message_free(list);
    read_resource(client, uri, part);
    mcp_string_free(part);
    mcp_string_free(uri);
}

/* [template, variables, uri, part of its text] */
static void templates(mcp_client_t *client, const char *plan) {
    char *pattern = json_at(plan, "/0"), *variables = json_at(plan, "/1"), *expected = json_at(plan, "/2");
    char *part = json_at(plan, "/3"), *uri = NULL;
    mcp_message_t *list = NULL;
    OK(mcp_call(client, "resources/templates/list", NULL, NULL, &list), list);
    CHECK_CONTAINS(mcp_message_json(list, NULL), pattern);
    mcp_message_free(list);
    CHECK_STATUS(mcp_uri_template_expand(pattern, variables, &uri, NULL), MCP_OK);
    CHECK_TEXT(uri, expected);
    read_resource(client, uri, part);
    mcp_string_free(uri);
    mcp_string_free(part);
    mcp_string_free(expected);
    mcp_string_free(variables);
    mcp_string_free(pattern);
}

/* [uri, tool that changes it, arguments, part of what it says] */
static void subscribe(mcp_client_t *client, const char *plan) {
    char *uri = json_at(plan, "/0"), *tool = json_at(plan, "/1"), *arguments = json_at(plan, "/2");
    mcp_message_t *reply = NULL;
    OK(mcp_client_subscribe_resource(client, uri, NULL, &reply), reply);
    mcp_message_free(reply);
    struct seen seen = {0};
    start_tool(client, tool, arguments, NULL, 1);
    mcp_message_free(finish(client, &seen, MCP_TOPIC_RESOURCE_UPDATED, 1, 0));
    CHECK_CONTAINS(seen.last, uri);
    OK(mcp_client_unsubscribe_resource(client, uri, NULL, &reply), reply);
    mcp_message_free(reply);
    free(seen.last);
    mcp_string_free(arguments);
    mcp_string_free(tool);
    mcp_string_free(uri);
}

/* [prompt, arguments, part of its text] */
static void prompts(mcp_client_t *client, const char *plan) {
    char *prompt = json_at(plan, "/0"), *arguments = json_at(plan, "/1"), *part = json_at(plan, "/2");
    mcp_message_t *reply = NULL;
    OK(mcp_call(client, "prompts/list", NULL, NULL, &reply), reply);
    CHECK_CONTAINS(mcp_message_json(reply, NULL), prompt);
    mcp_message_free(reply);
    OK(mcp_client_get_prompt(client, prompt, arguments, NULL, &reply), reply);
    CHECK_CONTAINS(mcp_message_text(reply, NULL), part);
    mcp_message_free(reply);
    mcp_string_free(part);
    mcp_string_free(arguments);
    mcp_string_free(prompt);
}

/* [reference, argument, typed, first value] */
static void completion(mcp_client_t *client, const char *plan) {
    char *reference = json_at(plan, "/0"), *argument = json_at(plan, "/1"), *typed = json_at(plan, "/2");
    char *value = json_at(plan, "/3");
    mcp_message_t *reply = NULL;
    OK(mcp_client_complete(client, reference, argument, typed, NULL, NULL, &reply), reply);
    CHECK(json_is(mcp_message_json(reply, NULL), "/completion/values/0", value));
    mcp_message_free(reply);
    mcp_string_free(value);
    mcp_string_free(typed);
    mcp_string_free(argument);
    mcp_string_free(reference);
}

static void ping(mcp_client_t *client, const char *plan) {
    (void)plan;
    mcp_message_t *reply = NULL;
    OK(mcp_call(client, "ping", NULL, NULL, &reply), reply);
    mcp_message_free(reply);
}

/* [tool, arguments, part of what it says]: it logs something */
static void logging(mcp_client_t *client, const char *plan) {
    mcp_message_t *reply = NULL;
    OK(mcp_client_set_server_log_level(client, "debug", NULL, &reply), reply);
    mcp_message_free(reply);
    struct seen seen = {0};
    start(client, plan, NULL);
    check_part(finish(client, &seen, MCP_TOPIC_LOG, 1, 0), plan);
    CHECK(json_has(seen.last, "/level"));
    free(seen.last);
}

/* [tool, arguments, part of what it says]: it announces that the list of tools has changed */
static void list_changed(mcp_client_t *client, const char *plan) {
    struct seen seen = {0};
    start(client, plan, NULL);
    check_part(finish(client, &seen, MCP_TOPIC_TOOLS_CHANGED, 1, 0), plan);
    free(seen.last);
}

/* [tool, arguments, part of what it says]: it reports progress at least twice, before it answers */
static void progress(mcp_client_t *client, const char *plan) {
    struct seen seen = {0};
    start(client, plan, "{\"progress\":true,\"timeout_ms\":20000}");
    check_part(finish(client, &seen, MCP_TOPIC_UNKNOWN, 0, 2), plan);
}

/* [tool, arguments, ""]: it would take long */
static void cancel(mcp_client_t *client, const char *plan) {
    struct seen seen = {0};
    uint64_t call = start(client, plan, "{\"timeout_ms\":60000}");
    mcp_message_t *other = NULL;
    OK(mcp_client_list_tools(client, "{\"cache\":\"bypass\"}", &other), other);
    mcp_message_free(other);
    CHECK_STATUS(mcp_call_cancel(client, call, "no longer wanted"), MCP_OK);
    mcp_message_t *reply = finish(client, &seen, MCP_TOPIC_UNKNOWN, 0, 0);
    CHECK_STATUS(mcp_message_status(reply), MCP_ERROR_CANCELLED);
    mcp_message_free(reply);
    ping(client, NULL);
}

static void asks(mcp_client_t *client, const char *plan) {
    struct seen seen = {0};
    call_and_check(client, plan, &seen);
    CHECK_EQ(seen.requests, 1);
}

/* [tool, arguments, part of what it says]: the library answers, from the config. Some servers ask when they are told that
 * the client is ready, and know only when they have been answered. */
static void roots(mcp_client_t *client, const char *plan) {
    char *tool = json_at(plan, "/0"), *arguments = json_at(plan, "/1"), *part = json_at(plan, "/2");
    bool knows = false;
    for (long long deadline = now_ms() + patience(); !knows; breathe()) {
        mcp_message_t *reply = NULL;
        OK(mcp_client_call_tool(client, tool, arguments, NULL, &reply), reply);
        knows = strstr(mcp_message_json(reply, NULL), part) != NULL;
        if (!knows && now_ms() > deadline) {
            FAIL("expected %s in %s", part, mcp_message_json(reply, NULL));
        }
        mcp_message_free(reply);
    }
    mcp_string_free(part);
    mcp_string_free(arguments);
    mcp_string_free(tool);
}

/* One page, and then all of them: the first has a cursor, and the whole list more than it. */
static void pagination(mcp_client_t *client, const char *plan) {
    (void)plan;
    mcp_message_t *page = NULL, *all = NULL;
    OK(mcp_client_list_tools(client, "{\"one_page\":true,\"cache\":\"bypass\"}", &page), page);
    CHECK(json_has(mcp_message_json(page, NULL), "/nextCursor"));
    OK(mcp_client_list_tools(client, "{\"cache\":\"bypass\"}", &all), all);
    CHECK(!json_has(mcp_message_json(all, NULL), "/nextCursor"));
    size_t first = json_count(mcp_message_json(page, NULL), "/tools");
    CHECK_GE(json_count(mcp_message_json(all, NULL), "/tools"), first + 1);
    mcp_message_free(all);
    mcp_message_free(page);
}

static long long hits(mcp_client_t *client) {
    char *info = info_of(client);
    long long number = json_number(info, "/cache/hits");
    mcp_string_free(info);
    return number;
}

/* The second list comes from what was kept, until it is dropped. */
static void cache(mcp_client_t *client, const char *plan) {
    (void)plan;
    CHECK_STATUS(mcp_client_list_tools(client, "{\"cache\":\"refresh\"}", NULL), MCP_OK);
    long long before = hits(client);
    CHECK_STATUS(mcp_client_list_tools(client, NULL, NULL), MCP_OK);
    CHECK_EQ(hits(client), before + 1);
    CHECK_STATUS(mcp_client_clear_cache(client), MCP_OK);
    CHECK_STATUS(mcp_client_list_tools(client, NULL, NULL), MCP_OK);
    CHECK_EQ(hits(client), before + 1);
}

static const struct {
    const char *name;
    /* The first revision that has it. */
    const char *since;
    void (*use)(mcp_client_t *client, const char *plan);
    /* What it needs in the config; it has a client for itself then. */
    const char *config;
} FEATURES[] = {
    {"tools", "2024-11-05", tools, NULL},
    {"structured output", "2025-06-18", structured, NULL},
    {"resources", "2024-11-05", resources, NULL},
    {"resource templates", "2024-11-05", templates, NULL},
    {"subscriptions", "2024-11-05", subscribe, NULL},
    {"prompts", "2024-11-05", prompts, NULL},
    {"completion", "2024-11-05", completion, NULL},
    {"ping", "2024-11-05", ping, NULL},
    {"log messages", "2024-11-05", logging, NULL},
    {"list changes", "2024-11-05", list_changed, NULL},
    {"progress", "2024-11-05", progress, NULL},
    {"cancelling", "2024-11-05", cancel, NULL},
    {"sampling", "2024-11-05", asks, NULL},
    {"elicitation, form", "2025-06-18", asks, NULL},
    {"elicitation, URL", "2025-11-25", asks, NULL},
    {"roots", "2024-11-05", roots, NULL},
    {"pages", "2024-11-05", pagination, NULL},
    {"cache", "2024-11-05", cache, NULL},
    {"tasks", "2025-11-25", tasks, ",\"tasks\":{\"poll_min_ms\":10,\"poll_max_ms\":200}"},
    {"skills", "2024-11-05", skills, NULL},
    {"tool modes", "2024-11-05", tool_modes, ",\"tool_modes\":\"auto\""},
};

/* Uses a feature and says that it works. */
static void show(const struct peer *peer, mcp_client_t *client, size_t feature) {
    char *pointer = format("/%s", FEATURES[feature].name);
    char *arguments = json_at(peer->plan, pointer);
    const char *config = FEATURES[feature].config;
    mcp_client_t *own = config != NULL ? reach(peer, config) : NULL;
    fprintf(stderr, "%s\n", FEATURES[feature].name);
    FEATURES[feature].use(own != NULL ? own : client, arguments);
    printf("%s\n", FEATURES[feature].name);
    if (own != NULL) {
        close_and_free(own);
    }
    mcp_string_free(arguments);
    free(pointer);
}

int main(int argc, char **argv) {
    struct peer peer = peer_of(argc, argv);
    mcp_client_t *client = reach(&peer, "");
    size_t named = json_count(peer.plan, ""), known = 0;
    for (size_t i = 0; i < sizeof FEATURES / sizeof FEATURES[0]; i++) {
        char *pointer = format("/%s", FEATURES[i].name);
        if (json_has(peer.plan, pointer)) {
            known++;
            if (strcmp(peer.revision, FEATURES[i].since) >= 0) {
                show(&peer, client, i);
            }
        }
        free(pointer);
    }
    CHECK_EQ(known, named - (json_has(peer.plan, "/config") ? 1 : 0));
    close_and_free(client);
    if (peer.server.pid != 0) {
        stop_server(&peer.server);
    }
    return 0;
}
