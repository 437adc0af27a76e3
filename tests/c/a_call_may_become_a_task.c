/*
 * With tasks enabled a call of a tool becomes a task where tool or server want it, in both eras: its states are told with the
 * call's id and tag, what its server asks comes as a request, and the call has one outcome. Tasks are cancelled with
 * their call, and taken up again by their name.
 */
#include "check.h"

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
            CHECK_STATUS(mcp_request_accept_elicitation(message, "{\"answer\":\"blue\"}", NULL),
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
    CHECK_STATUS(mcp_call(client, "tools/call", params, NULL, &reply), MCP_OK);
    free(params);
    task = json_at(mcp_message_json(reply, NULL), strcmp(era, "legacy") == 0 ? "/task/taskId" : "/taskId");
    mcp_message_free(reply);
    CHECK_STATUS(mcp_client_get_task_result(client, task, "{\"max_total_ms\":50}", &reply),
                 MCP_ERROR_TIMEOUT);
    mcp_message_free(reply);
    uint64_t call = 0;
    drain(client);
    CHECK_STATUS(mcp_client_get_task_result_start(client, task, NULL, 5, &call, NULL), MCP_OK);
    struct story story = follow(client, call, 5);
    CHECK_STATUS(story.status, MCP_OK);
    CHECK(json_is(story.reply, "/content/0/text", "researched y"));
    forget(&story);

    mcp_status_t listed = mcp_client_list_tasks(client, NULL, &reply);
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
    CHECK_STATUS(mcp_client_list_prompts(client, "{\"task\":true}", &reply), MCP_ERROR_INVALID_ARGUMENT);
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

int main(int argc, char **argv) {
    static const char *const ERAS[] = {"legacy", "modern"};
    CHECK_EQ(argc, 3);
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
    return 0;
}
