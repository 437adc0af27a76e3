/*
 * Calls that run as tasks, also while their server is started again.
 */
#include "check.h"

/*
 * With tasks enabled a call of a tool becomes a task where tool or server want it, in both eras: its states are told with the
 * call's id and tag, what its server asks comes as a request, and the call has one outcome. Tasks are cancelled with
 * their call, and taken up again by their name.
 */
#define TASKS ",\"tasks\":{\"poll_min_ms\":5,\"poll_ms\":20},\"capabilities\":{\"elicitation\":{}}"

static mcp_client_t *open_with(const char *server, const char *era, const char *more) {
    char *members = format("\"protocol\":\"%s\"%s", era, more);
    mcp_client_t *client = connected(server, ARGS("--era", era), members);
    free(members);
    return client;
}

static char *counter(mcp_client_t *client, const char *name) {
    char *info = info_of(client);
    char *pointer = format("/counters/%s", name);
    char *value = json_at(info, pointer);
    free(pointer);
    mcp_string_free(info);
    return value;
}

/* What came of one call of `research`. */
struct story {
    mcp_status_t status;
    int states;
    int questions;
    char *task;
    char *last;
    char *reply;
};

static void forget(struct story *story) {
    mcp_string_free(story->task);
    mcp_string_free(story->last);
    free(story->reply);
}

/* Takes messages until the outcome of the call comes, and answers questions. */
static struct story follow(mcp_client_t *client, uint64_t call, uint64_t tag) {
    struct story story = {MCP_ERROR_INTERNAL, 0, 0, NULL, NULL, NULL};
    long long deadline = now_ms() + patience();
    while (story.reply == NULL) {
        mcp_message_t *message = NULL;
        CHECK(now_ms() < deadline);
        if (mcp_client_poll(client, patience(), &message) != MCP_OK) {
            FAIL("no message");
        }
        const char *json = mcp_message_json(message, NULL);
        if (mcp_message_kind(message) == MCP_KIND_REPLY) {
            CHECK_EQ(mcp_message_call_id(message), call);
            CHECK_EQ(mcp_message_tag(message), tag);
            story.status = mcp_message_status(message);
            story.reply = format("%s", json);
        } else if (mcp_message_topic(message) == MCP_TOPIC_TASK) {
            CHECK_EQ(mcp_message_kind(message), MCP_KIND_NOTIFICATION);
            CHECK_EQ(mcp_message_call_id(message), call);
            CHECK_EQ(mcp_message_tag(message), tag);
            mcp_string_free(story.task);
            mcp_string_free(story.last);
            story.task = json_at(json, "/taskId");
            story.last = json_at(json, "/status");
            story.states += 1;
        } else if (mcp_message_topic(message) == MCP_TOPIC_ELICITATION) {
            CHECK_STATUS(mcp_request_respond_elicitation(message, "accept", "{\"answer\":\"blue\"}", NULL),
                         MCP_OK);
            story.questions += 1;
        }
        mcp_message_free(message);
    }
    return story;
}

static struct story research(mcp_client_t *client, const char *arguments, const char *options, uint64_t tag) {
    uint64_t call = 0;
    char *error = NULL;
    if (mcp_client_call_tool_start(client, "research", arguments, options, tag, &call, &error) != MCP_OK) {
        FAIL("not started: %s", error);
    }
    return follow(client, call, tag);
}

static void outcomes_are_those_of_a_call(const char *server, const char *era) {
    mcp_client_t *client = open_with(server, era, TASKS);
    struct story plain = research(client, "{\"topic\":\"bees\",\"ms\":120,\"poll_ms\":10}", NULL, 7);
    CHECK_STATUS(plain.status, MCP_OK);
    CHECK(json_is(plain.reply, "/content/0/text", "researched bees"));
    CHECK_EQ(plain.states, 2);
    CHECK_TEXT(plain.last, "completed");
    CHECK_EQ(plain.questions, 0);
    forget(&plain);

    struct story asking = research(client, "{\"topic\":\"bees\",\"ms\":60,\"poll_ms\":10,\"question\":\"Colour?\"}", NULL, 8);
    CHECK_STATUS(asking.status, MCP_OK);
    CHECK(json_is(asking.reply, "/content/0/text", "researched bees: blue"));
    CHECK_EQ(asking.questions, 1);
    forget(&asking);

    struct story failing = research(client, "{\"topic\":\"bees\",\"ms\":10,\"fail\":true}", NULL, 9);
    CHECK_TEXT(failing.last, "failed");
    if (strcmp(era, "legacy") == 0) {
        CHECK_STATUS(failing.status, MCP_OK);
        CHECK(json_is(failing.reply, "/isError", "true"));
    } else {
        CHECK_STATUS(failing.status, MCP_ERROR_SERVER);
        CHECK_EQ(json_number(failing.reply, "/code"), -32603);
        CHECK(json_is(failing.reply, "/data/topic", "bees"));
        CHECK(json_is(failing.reply, "/details/task", failing.task));
    }
    forget(&failing);

    /* A thread that waits for the outcome hears nothing of the task, which is told to the queue. */
    mcp_message_t *reply = NULL;
    CHECK_STATUS(mcp_client_call_tool(client, "research", "{\"topic\":\"wax\",\"ms\":30}", NULL, &reply),
                 MCP_OK);
    CHECK_TEXT(mcp_message_text(reply, NULL), "researched wax");
    mcp_message_free(reply);
    char *tasks = counter(client, "tasks");
    CHECK_TEXT(tasks, "4");
    mcp_string_free(tasks);
    close_and_free(client);
}

static void a_cancelled_call_cancels_its_task(const char *server, const char *era) {
    mcp_client_t *client = open_with(server, era, TASKS);
    uint64_t call = 0;
    CHECK_STATUS(mcp_client_call_tool_start(client, "research", "{\"topic\":\"x\",\"ms\":600000}", NULL, 3,
                                            &call, NULL), MCP_OK);
    mcp_message_t *state = next_of_kind(client, MCP_KIND_NOTIFICATION);
    char *task = json_at(mcp_message_json(state, NULL), "/taskId");
    mcp_message_free(state);
    CHECK_STATUS(mcp_call_cancel(client, call, "enough"), MCP_OK);
    struct story story = follow(client, call, 3);
    CHECK_STATUS(story.status, MCP_ERROR_CANCELLED);
    forget(&story);
    mcp_message_t *reply = NULL;
    CHECK_STATUS(mcp_client_get_task(client, task, NULL, &reply), MCP_OK);
    CHECK(json_is(mcp_message_json(reply, NULL), "/status", "cancelled"));
    mcp_message_free(reply);
    mcp_string_free(task);
    close_and_free(client);
}

static void a_task_is_taken_up_by_its_name(const char *server, const char *era) {
    mcp_client_t *client = open_with(server, era, TASKS);
    /* The call's time is over long before the task is. As a task it is cancelled then. */
    mcp_message_t *reply = NULL;
    CHECK_STATUS(mcp_client_call_tool(client, "research", "{\"topic\":\"x\",\"ms\":600000}",
                                      "{\"max_total_ms\":200}", &reply),
                 MCP_ERROR_TIMEOUT);
    CHECK_CONTAINS(mcp_message_json(reply, NULL), "the task did not finish");
    char *task = json_at(mcp_message_json(reply, NULL), "/details/task");
    mcp_message_free(reply);
    CHECK_STATUS(mcp_client_get_task_result(client, task, NULL, &reply), MCP_ERROR_CANCELLED);
    mcp_message_free(reply);
    mcp_string_free(task);

    /* One who only watches gives up without harm, and may come back. */
    char *params = format("{\"name\":\"research\",\"arguments\":{\"topic\":\"y\",\"ms\":%d}%s}", 400,
                          strcmp(era, "legacy") == 0 ? ",\"task\":{}" : "");
    CHECK_STATUS(mcp_call(client, "tools/call", params, "{\"raw\":true}", &reply), MCP_OK);
    free(params);
    task = json_at(mcp_message_json(reply, NULL), strcmp(era, "legacy") == 0 ? "/task/taskId" : "/taskId");
    mcp_message_free(reply);
    CHECK_STATUS(mcp_client_get_task_result(client, task, "{\"max_total_ms\":50}", &reply),
                 MCP_ERROR_TIMEOUT);
    mcp_message_free(reply);
    uint64_t call = 0;
    drain(client);
    params = format("{\"taskId\":\"%s\"}", task);
    CHECK_STATUS(mcp_call_start(client, "tasks/result", params, NULL, 5, &call, NULL), MCP_OK);
    free(params);
    struct story story = follow(client, call, 5);
    CHECK_STATUS(story.status, MCP_OK);
    CHECK(json_is(story.reply, "/content/0/text", "researched y"));
    forget(&story);

    mcp_status_t listed = mcp_call(client, "tasks/list", NULL, NULL, &reply);
    CHECK_STATUS(listed, strcmp(era, "legacy") == 0 ? MCP_OK : MCP_ERROR_UNSUPPORTED);
    if (listed == MCP_OK) {
        CHECK(json_has(mcp_message_json(reply, NULL), "/tasks/1/taskId"));
    }
    mcp_message_free(reply);
    CHECK_STATUS(mcp_client_cancel_task(client, task, NULL, &reply), strcmp(era,
                                                                            "legacy") == 0 ? MCP_ERROR_SERVER : MCP_OK);
    mcp_message_free(reply);
    CHECK_STATUS(mcp_client_get_task(client, "unheard-of", NULL, &reply), MCP_ERROR_SERVER);
    CHECK_EQ(json_number(mcp_message_json(reply, NULL), "/code"), -32602);
    mcp_message_free(reply);
    CHECK_STATUS(mcp_client_get_task(client, "", NULL, &reply), MCP_ERROR_INVALID_ARGUMENT);
    mcp_message_free(reply);
    mcp_string_free(task);
    close_and_free(client);
}

static void nothing_is_a_task_unless_it_is_enabled(const char *server, const char *era) {
    mcp_client_t *client = open_with(server, era, "");
    mcp_message_t *reply = NULL;
    CHECK_STATUS(mcp_client_call_tool(client, "research", "{\"topic\":\"x\"}", NULL, &reply),
                 MCP_ERROR_SERVER);
    mcp_message_free(reply);
    CHECK_STATUS(mcp_client_call_tool(client, "research", "{\"topic\":\"x\"}", "{\"task\":true}", &reply),
                 MCP_ERROR_UNSUPPORTED);
    CHECK_CONTAINS(mcp_message_json(reply, NULL), "'tasks': true");
    mcp_message_free(reply);
    CHECK_STATUS(mcp_client_get_task(client, "x", NULL, &reply), MCP_ERROR_UNSUPPORTED);
    mcp_message_free(reply);
    CHECK_STATUS(mcp_call(client, "prompts/list", NULL, "{\"task\":true}", &reply), MCP_ERROR_INVALID_ARGUMENT);
    mcp_message_free(reply);
    close_and_free(client);

    client = open_with(server, era, TASKS);
    CHECK_STATUS(mcp_client_call_tool(client, "research", "{\"topic\":\"x\"}", "{\"task\":false}", &reply),
                 strcmp(era, "legacy") == 0 ? MCP_ERROR_UNSUPPORTED : MCP_ERROR_SERVER);
    mcp_message_free(reply);
    CHECK_STATUS(mcp_client_call_tool(client, "echo", "{\"text\":\"hi\"}", NULL, &reply), MCP_OK);
    CHECK_TEXT(mcp_message_text(reply, NULL), "hi");
    mcp_message_free(reply);
    close_and_free(client);
}

static void a_call_may_become_a_task(char **argv) {
    static const char *const ERAS[] = {"legacy", "modern"};
    for (int i = 0; i < 2; i++) {
        outcomes_are_those_of_a_call(argv[2], ERAS[i]);
        a_cancelled_call_cancels_its_task(argv[2], ERAS[i]);
        a_task_is_taken_up_by_its_name(argv[2], ERAS[i]);
        nothing_is_a_task_unless_it_is_enabled(argv[2], ERAS[i]);
    }
    /* A revision that has no tasks. */
    mcp_client_t *client = connected(argv[1], NULL, "\"protocol\":\"2025-06-18\"" TASKS);
    mcp_message_t *reply = NULL;
    CHECK_STATUS(mcp_client_call_tool(client, "echo", "{\"text\":\"hi\"}", "{\"task\":true}", &reply),
                 MCP_ERROR_UNSUPPORTED);
    mcp_message_free(reply);
    CHECK_STATUS(mcp_client_call_tool(client, "echo", "{\"text\":\"hi\"}", NULL, &reply), MCP_OK);
    mcp_message_free(reply);
    close_and_free(client);
}

/*
 * A call that has become a task goes on when its server dies: the next process is asked for the task, and the call has the
 * one outcome that it comes to. What goes wrong with a task ends its call, and nothing else.
 */
#define MEMBERS \
    "\"tasks\":{\"poll_min_ms\":5,\"poll_ms\":20},\"reconnect\":{\"initial_ms\":20,\"max_ms\":100},\"max_retries\":1"

static uint64_t start_work(mcp_client_t *client, const char *arguments, const char *options, uint64_t tag) {
    uint64_t call = 0;
    char *error = NULL;
    if (mcp_client_call_tool_start(client, "work", arguments, options, tag, &call, &error) != MCP_OK) {
        FAIL("not started: %s", error);
    }
    return call;
}

/* The outcome of the call with this tag; mcp_message_free() it. */
static mcp_message_t *outcome(mcp_client_t *client, uint64_t tag) {
    long long deadline = now_ms() + patience();
    mcp_message_t *reply = next_of_kind(client, MCP_KIND_REPLY);
    while (mcp_message_tag(reply) != tag) {
        CHECK_LE(now_ms(), deadline);
        mcp_message_free(reply);
        reply = next_of_kind(client, MCP_KIND_REPLY);
    }
    return reply;
}

static void check_outcome(mcp_client_t *client, uint64_t tag, mcp_status_t status, const char *part) {
    mcp_message_t *reply = outcome(client, tag);
    if (mcp_message_status(reply) != status) {
        FAIL("%s: %s", mcp_status_name(mcp_message_status(reply)), mcp_message_json(reply, NULL));
    }
    CHECK_CONTAINS(mcp_message_json(reply, NULL), part);
    mcp_message_free(reply);
}

static void survives(const char *server, const char *era) {
    mcp_client_t *client = connected(server, ARGS("--era", era), MEMBERS);
    char *arguments = format("{\"ms\":%d,\"poll_ms\":30}", scaled(1500, 1500));
    start_work(client, arguments, "{\"task\":true}", 1);
    free(arguments);
    mcp_message_free(next_of_kind(client, MCP_KIND_NOTIFICATION));
    for (int deaths = 0; deaths < 2; deaths++) {
        mcp_message_t *reply = call_tool(client, "crash", NULL, NULL);
        CHECK_STATUS(mcp_message_status(reply), MCP_ERROR_TRANSPORT);
        mcp_message_free(reply);
        connect_client(client);
    }
    check_outcome(client, 1, MCP_OK, "the work is done");
    char *info = info_of(client);
    CHECK_EQ(json_number(info, "/counters/connections"), 3);
    CHECK_EQ(json_number(info, "/counters/lost_calls"), 2);
    mcp_string_free(info);
    close_and_free(client);
}

static void what_goes_wrong_ends_its_call(const char *server, const char *era) {
    mcp_client_t *client = connected(server, ARGS("--era", era), MEMBERS);
    start_work(client, "{\"kind\":\"forgotten\",\"ms\":50}", "{\"task\":true}", 1);
    check_outcome(client, 1, MCP_ERROR_SERVER, "Task not found");
    start_work(client, "{\"kind\":\"odd\",\"ms\":20}", "{\"task\":true}", 2);
    check_outcome(client, 2, MCP_ERROR_PROTOCOL, "status 'asleep' is unknown");
    start_work(client, "{\"kind\":\"silent\"}", "{\"task\":true,\"timeout_ms\":100}", 3);
    check_outcome(client, 3, MCP_ERROR_TIMEOUT, "did not say within 100 ms how the task is");
    check_echo(client, "still there");
    close_and_free(client);
}

static void a_notification_spares_the_wait(const char *server, const char *era) {
    mcp_client_t *client = connected(server, ARGS("--era", era), MEMBERS);
    long long before = now_ms();
    start_work(client, "{\"kind\":\"push\",\"ms\":300,\"poll_ms\":60000}", "{\"task\":true}", 4);
    check_outcome(client, 4, MCP_OK, "the work is done");
    CHECK_LE(now_ms() - before, 300 + 2 * slack());
    close_and_free(client);
}

static bool was_asked_to_cancel(mcp_client_t *client) {
    char *received = tool_text(client, "received", NULL);
    bool was = json_is(received, "/counts/tasks~1cancel", "1");
    free(received);
    return was;
}

/* The call ends before its answer comes, which then names a task: that is cancelled as one. */
static void a_task_made_too_late_is_cancelled(const char *server, const char *era) {
    mcp_client_t *client = connected(server, ARGS("--era", era), MEMBERS);
    check_echo(client, "known");
    start_work(client, "{\"kind\":\"late\",\"ms\":400}", "{\"task\":true,\"max_total_ms\":200}", 5);
    check_outcome(client, 5, MCP_ERROR_TIMEOUT, "\"call\"");
    UNTIL(was_asked_to_cancel(client));
    close_and_free(client);
}

static void a_task_survives_its_server(char **argv) {
    static const char *const ERAS[] = {"legacy", "modern"};
    struct holdings before = holdings_now();
    for (int i = 0; i < 2; i++) {
        survives(argv[2], ERAS[i]);
        what_goes_wrong_ends_its_call(argv[2], ERAS[i]);
        a_notification_spares_the_wait(argv[2], ERAS[i]);
        a_task_made_too_late_is_cancelled(argv[2], ERAS[i]);
    }
    check_nothing_left(before);
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 3);
    a_call_may_become_a_task(argv);
    a_task_survives_its_server(argv);
    return 0;
}
