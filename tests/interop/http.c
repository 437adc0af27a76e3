/*
 * Talks over HTTP to a server made by others: connects, lists, calls, gets progress and notifications, answers a request,
 * cancels, and comes back after the server was killed and started again. Run as
 *     http PORT PATH PROTOCOL REVISION PLAN COMMAND [ARGUMENT...]
 * It starts the command, with PORT in its environment. PLAN is JSON: {"call":STEP,"notifications":STEP,"logs":N,"ask":STEP,
 * "cancel":STEP,"task":STEP}, where a step is [tool, arguments, a part of the text that it answers with]. "logs" says how
 * many notifications come with its call; "ask" may be absent, and "task", whose tool runs as a task and asks for a form with
 * the content that is its fourth member.
 */
#include "listen.h"

/* Starts the call of a step; false if the plan has no such step. */
static bool begin(mcp_client_t *client, const char *plan, const char *step) {
    char *pointer = format("/%s/0", step);
    bool there = json_has(plan, pointer);
    if (there) {
        char *arguments_at = format("/%s/1", step);
        char *tool = json_at(plan, pointer);
        char *arguments = json_at(plan, arguments_at);
        start_tool(client, tool, arguments,
                   "{\"progress\":true,\"timeout_ms\":20000,\"meta\":{\"io.modelcontextprotocol/logLevel\":\"info\"}}", 1);
        mcp_string_free(arguments);
        mcp_string_free(tool);
        free(arguments_at);
    }
    free(pointer);
    return there;
}

struct seen {
    int notifications;
    int progress;
    int requests;
};

static void answer(mcp_message_t *request) {
    bool elicits = strcmp(mcp_message_method(request), "elicitation/create") == 0;
    CHECK_STATUS(mcp_request_respond(request,
                                     elicits ? "{\"action\":\"accept\",\"content\":{\"name\":\"Ada\"}}"
                                             : "{\"role\":\"assistant\",\"model\":\"none\",\"content\":{\"type\":\"text\",\"text\":\"hello Ada\"}}",
                                     NULL),
                 MCP_OK);
}

/* Waits for the reply of what was begun, and a little for what may come beside it. */
static mcp_message_t *finish(mcp_client_t *client, struct seen *seen, int notifications, int progress) {
    mcp_message_t *reply = NULL;
    long long deadline = now_ms() + patience();
    while (reply == NULL || seen->notifications < notifications || seen->progress < progress) {
        mcp_message_t *message = NULL;
        if (now_ms() > deadline || mcp_client_poll(client, patience(), &message) != MCP_OK) {
            FAIL("seen: %d notifications, %d reports of progress, %s reply", seen->notifications, seen->progress,
                 reply != NULL ? "a" : "no");
        }
        switch (mcp_message_kind(message)) {
        case MCP_KIND_REPLY: reply = message; continue;
        case MCP_KIND_NOTIFICATION:
            seen->notifications += strcmp(mcp_message_method(message), "notifications/message") == 0 ? 1 : 0;
            break;
        case MCP_KIND_PROGRESS: seen->progress++; break;
        case MCP_KIND_REQUEST:
            seen->requests++;
            answer(message);
            break;
        default: break;
        }
        mcp_message_free(message);
    }
    return reply;
}

static void check_answer(const char *plan, const char *step, mcp_message_t *reply) {
    char *pointer = format("/%s/2", step);
    char *part = json_at(plan, pointer);
    if (mcp_message_status(reply) != MCP_OK) {
        FAIL("%s: %s", step, mcp_message_json(reply, NULL));
    }
    CHECK_CONTAINS(mcp_message_json(reply, NULL), part);
    mcp_string_free(part);
    free(pointer);
    mcp_message_free(reply);
}

static void call(mcp_client_t *client, const char *plan) {
    struct seen seen = {0};
    CHECK(begin(client, plan, "call"));
    check_answer(plan, "call", finish(client, &seen, 0, 0));
}

static bool is_cancelled(mcp_client_t *client, const char *task) {
    mcp_message_t *reply = NULL;
    CHECK_STATUS(mcp_client_get_task(client, task, NULL, &reply), MCP_OK);
    bool is = json_is(mcp_message_json(reply, NULL), "/status", "cancelled");
    mcp_message_free(reply);
    return is;
}

/* A call that becomes a task and asks something, and one that is cancelled as a task. */
static void run_task(mcp_client_t *client, const char *plan) {
    char *tool = json_at(plan, "/task/0");
    char *arguments = json_at(plan, "/task/1");
    char *content = json_at(plan, "/task/3");
    mcp_message_t *reply = NULL;
    int states = 0;
    int questions = 0;
    uint64_t call_id = 0;
    CHECK_STATUS(mcp_client_call_tool_start(client, tool, arguments, NULL, 3, &call_id, NULL), MCP_OK);
    while (reply == NULL) {
        mcp_message_t *message = NULL;
        CHECK_STATUS(mcp_client_poll(client, patience(), &message), MCP_OK);
        if (mcp_message_kind(message) == MCP_KIND_REPLY) {
            reply = message;
            continue;
        }
        if (mcp_message_topic(message) == MCP_TOPIC_TASK) {
            /* What comes on another stream before the call's answer is not known to be of its task. */
            states += mcp_message_tag(message) == 3 ? 1 : 0;
        } else if (mcp_message_topic(message) == MCP_TOPIC_ELICITATION) {
            CHECK_STATUS(mcp_request_respond_elicitation(message, "accept", content, NULL), MCP_OK);
            questions++;
        }
        mcp_message_free(message);
    }
    CHECK_GE(states, 2);
    CHECK_EQ(questions, 1);
    check_answer(plan, "task", reply);

    CHECK_STATUS(mcp_client_call_tool_start(client, tool, arguments, NULL, 4, &call_id, NULL), MCP_OK);
    mcp_message_t *state = next_of_kind(client, MCP_KIND_NOTIFICATION);
    while (mcp_message_call_id(state) != call_id) {
        mcp_message_free(state);
        state = next_of_kind(client, MCP_KIND_NOTIFICATION);
    }
    char *task = json_at(mcp_message_json(state, NULL), "/taskId");
    mcp_message_free(state);
    CHECK_STATUS(mcp_call_cancel(client, call_id, "no longer wanted"), MCP_OK);
    reply = next_of_kind(client, MCP_KIND_REPLY);
    CHECK_STATUS(mcp_message_status(reply), MCP_ERROR_CANCELLED);
    mcp_message_free(reply);
    UNTIL(is_cancelled(client, task));
    mcp_string_free(task);
    mcp_string_free(content);
    mcp_string_free(arguments);
    mcp_string_free(tool);
}

int main(int argc, char **argv) {
    CHECK_GE(argc, 7);
    int port = atoi(argv[1]);
    const char *plan = argv[5];
    struct seen seen = {0};
    CHECK_EQ(setenv("PORT", argv[1], 1), 0);
    struct server server = listening(argv + 6, port);
    char *members = format("\"protocol\":\"%s\",\"tasks\":true,\"capabilities\":{\"elicitation\":{},\"sampling\":{}},"
                           "\"when_unavailable\":\"wait\",\"reconnect\":{\"initial_ms\":100,\"max_ms\":500}",
                           argv[3]);
    mcp_client_t *client = client_at(&server, argv[2], members);
    connect_client(client);
    char *info = info_of(client);
    if (!json_is(info, "/revision", argv[4])) {
        FAIL("the revision is not %s: %s", argv[4], info);
    }
    mcp_string_free(info);

    mcp_message_t *list = NULL;
    CHECK_STATUS(mcp_call(client, "tools/list", NULL, NULL, &list), MCP_OK);
    CHECK(json_has(mcp_message_json(list, NULL), "/tools/0/name"));
    mcp_message_free(list);
    call(client, plan);

    CHECK(begin(client, plan, "notifications"));
    check_answer(plan, "notifications", finish(client, &seen, (int)json_number(plan, "/logs"), 2));
    if (begin(client, plan, "ask")) {
        check_answer(plan, "ask", finish(client, &seen, 0, 0));
        CHECK_EQ(seen.requests, 1);
    }
    if (json_has(plan, "/task/0")) {
        run_task(client, plan);
    }

    char *tool = json_at(plan, "/cancel/0");
    char *arguments = json_at(plan, "/cancel/1");
    uint64_t started = start_tool(client, tool, arguments, "{\"timeout_ms\":60000}", 2);
    mcp_message_t *other = NULL;
    CHECK_STATUS(mcp_call(client, "tools/list", NULL, NULL, &other), MCP_OK);
    mcp_message_free(other);
    CHECK_STATUS(mcp_call_cancel(client, started, "no longer wanted"), MCP_OK);
    mcp_message_t *reply = finish(client, &seen, 0, 0);
    CHECK_STATUS(mcp_message_status(reply), MCP_ERROR_CANCELLED);
    mcp_message_free(reply);
    mcp_string_free(arguments);
    mcp_string_free(tool);
    call(client, plan);

    stop_server(&server);
    server = listening(argv + 6, port);
    /* What is sent first may meet the end of the old connections. */
    bool works = false;
    for (int tries = 0; tries < 3 && !works; tries++) {
        works = mcp_call(client, "tools/list", NULL, NULL, &list) == MCP_OK;
        mcp_message_free(list);
    }
    CHECK(works);
    call(client, plan);
    close_and_free(client);
    stop_server(&server);
    free(members);
    return 0;
}
