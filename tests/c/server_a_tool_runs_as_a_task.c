/* A handler makes a task of its call once for both eras: our client follows it to its outcome, with a question in between; another
 * client of 2026-07-28 returns to it by its name. Peers that write lines see the messages of either form, a handler learns that
 * its task was cancelled, and what it says of the task reaches a client that sends nothing meanwhile. */
#include "served.h"

#define WORK                                                                                                 \
    "{\"name\":\"work\",\"execution\":{\"taskSupport\":\"optional\"},\"inputSchema\":{\"type\":\"object\"}}"
#define FORM                                                                                                 \
    "{\"mode\":\"form\",\"message\":\"Name?\",\"requestedSchema\":{\"type\":\"object\",\"properties\":"        \
    "{\"name\":{\"type\":\"string\"}},\"required\":[\"name\"]}}"
#define EXTENSION "io.modelcontextprotocol/tasks"

static mcp_message_t *held;

/* The request that a handler left to the test. */
static mcp_message_t *take_held(void) {
    mcp_message_t *request = NULL;
    UNTIL((request = __atomic_exchange_n(&held, NULL, __ATOMIC_SEQ_CST)) != NULL);
    return request;
}

static bool is_task(mcp_message_t *request) {
    char *context = NULL;
    CHECK_STATUS(mcp_request_context(request, &context, NULL), MCP_OK);
    bool is = !json_is(context, "/task", "null");
    mcp_string_free(context);
    return is;
}

static void on_work(void *user, mcp_message_t *request) {
    (void)user;
    char *error = NULL;
    CHECK_STATUS(mcp_request_start_task(request, "{\"ttl\":1}", &error), MCP_ERROR_INVALID_ARGUMENT);
    CHECK_CONTAINS(error, "ttl_ms");
    mcp_string_free(error);
    mcp_status_t status = mcp_request_start_task(request, "{\"status_message\":\"begins\",\"poll_interval_ms\":20}", NULL);
    CHECK_EQ(is_task(request), status == MCP_OK);
    if (status == MCP_ERROR_UNSUPPORTED) {
        CHECK_STATUS(mcp_request_respond_text(request, "at once", false, NULL), MCP_OK);
        mcp_message_free(request);
        return;
    }
    CHECK_STATUS(status, MCP_OK);
    char *answer = NULL;
    status = mcp_request_ask(request, "who", "elicitation/create", FORM, &answer, NULL);
    if (status == MCP_EMPTY) {
        mcp_message_free(request);
        return;
    }
    if (status == MCP_ERROR_UNSUPPORTED) {
        CHECK(__atomic_exchange_n(&held, request, __ATOMIC_SEQ_CST) == NULL);
        return;
    }
    CHECK_STATUS(status, MCP_OK);
    char *name = json_at(answer, "/content/name");
    CHECK_STATUS(mcp_request_respond_text(request, name, false, NULL), MCP_OK);
    mcp_string_free(name);
    mcp_string_free(answer);
    mcp_message_free(request);
}

/* Our client; gives the name of the task. */
static char *followed(mcp_client_t *client, const char *options) {
    uint64_t call = 0;
    char *task = NULL;
    CHECK_STATUS(mcp_client_call_tool_start(client, "work", "{}", options, 7, &call, NULL), MCP_OK);
    for (long long deadline = now_ms() + patience();;) {
        CHECK_LE(now_ms(), deadline);
        mcp_message_t *message = NULL;
        CHECK_STATUS(mcp_client_poll(client, patience(), &message), MCP_OK);
        if (mcp_message_topic(message) == MCP_TOPIC_TASK && task == NULL) {
            task = json_at(mcp_message_json(message, NULL), "/taskId");
        } else if (mcp_message_kind(message) == MCP_KIND_REQUEST) {
            CHECK_STATUS(mcp_request_respond_elicitation(message, "accept", "{\"name\":\"Ada\"}", NULL), MCP_OK);
        } else if (mcp_message_kind(message) == MCP_KIND_REPLY) {
            CHECK_STATUS(mcp_message_status(message), MCP_OK);
            CHECK_TEXT(mcp_message_text(message, NULL), "Ada");
            mcp_message_free(message);
            CHECK(task != NULL);
            return task;
        }
        mcp_message_free(message);
    }
}

static void our_client(const char *path, const char *protocol, bool is_modern) {
    char *members = format("\"protocol\":\"%s\",\"tasks\":{\"poll_min_ms\":5},\"capabilities\":{\"elicitation\":{\"form\":{}}}", protocol);
    mcp_client_t *client = client_at(path, members);
    for (int round = 0; round < 3; round++) {
        mcp_string_free(followed(client, "{\"task\":true}"));
    }
    mcp_message_t *reply = NULL;
    CHECK_STATUS(mcp_client_call_tool(client, "work", "{}", "{\"task\":false}", &reply), MCP_OK);
    CHECK_TEXT(mcp_message_text(reply, NULL), "at once");
    mcp_message_free(reply);
    char *task = followed(client, "{\"task\":true}");
    close_and_free(client);
    client = client_at(path, members);
    reply = NULL;
    mcp_status_t status = mcp_client_get_task_result(client, task, NULL, &reply);
    CHECK_STATUS(status, is_modern ? MCP_OK : MCP_ERROR_SERVER);
    if (is_modern) {
        CHECK_TEXT(mcp_message_text(reply, NULL), "Ada");
    }
    mcp_message_free(reply);
    close_and_free(client);
    mcp_string_free(task);
    free(members);
}

/* Sends a request of a peer whose parameters are "taskId" and more. */
static void about(struct peer *peer, int id, const char *method, const char *task, const char *more) {
    char *line = format("{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"%s\",\"params\":{\"taskId\":\"%s\"%s}}", id, method, task, more);
    peer_send(peer, line);
    free(line);
}

static void lines_of_the_core_form(const char *path) {
    struct peer *peer = peer_at(path);
    peer_initialize(peer);
    peer_send(peer, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"work\",\"task\":{\"ttl\":60000}}}");
    const char *line = peer_answer(peer, "1");
    CHECK(json_is(line, "/result/task/status", "working") && json_is(line, "/result/task/ttl", "60000"));
    char *task = json_at(line, "/result/task/taskId");
    CHECK_EQ(strlen(task), 32);
    mcp_message_t *request = take_held();
    /* "begins" was told; the next states are told with nothing to wake the server but its own clock. */
    CHECK(json_is(peer_next(peer, "/method", "notifications/tasks/status"), "/params/statusMessage", "begins"));
    CHECK_STATUS(mcp_request_start_task(request, "{\"status_message\":\"one\"}", NULL), MCP_OK);
    CHECK_STATUS(mcp_request_start_task(request, "{\"status_message\":\"two\"}", NULL), MCP_OK);
    CHECK(json_is(peer_next(peer, "/params/statusMessage", "two"), "/params/taskId", task));
    about(peer, 2, "tasks/result", task, "");
    about(peer, 3, "tasks/get", task, "");
    CHECK(json_is(peer_answer(peer, "3"), "/result/status", "working"));
    CHECK_STATUS(mcp_request_respond_text(request, "late", false, NULL), MCP_OK);
    mcp_message_free(request);
    line = peer_answer(peer, "2");
    CHECK(json_is(line, "/result/content/0/text", "late"));
    CHECK(json_is(line, "/result/_meta/io.modelcontextprotocol~1related-task/taskId", task));
    mcp_string_free(task);

    peer_send(peer, "{\"jsonrpc\":\"2.0\",\"id\":4,\"method\":\"tools/call\",\"params\":{\"name\":\"work\",\"task\":{}}}");
    task = json_at(peer_answer(peer, "4"), "/result/task/taskId");
    request = take_held();
    CHECK(!mcp_request_cancelled(request));
    about(peer, 5, "tasks/cancel", task, "");
    CHECK(json_is(peer_answer(peer, "5"), "/result/status", "cancelled"));
    CHECK(mcp_request_cancelled(request));
    CHECK_STATUS(mcp_request_start_task(request, NULL, NULL), MCP_ERROR_CANCELLED);
    CHECK_STATUS(mcp_request_respond_text(request, "too late", false, NULL), MCP_ERROR_CANCELLED);
    mcp_message_free(request);
    mcp_string_free(task);
    peer_free(peer);
}

#define META(more)                                                                                           \
    ",\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","                                 \
    "\"io.modelcontextprotocol/clientCapabilities\":{" more "\"extensions\":{\"" EXTENSION "\":{}}}}"

static void lines_of_the_extension(const char *path) {
    struct peer *peer = peer_at(path);
    peer_send(peer, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"work\"" META(
                        "\"elicitation\":{},") "}}");
    const char *line = peer_answer(peer, "1");
    CHECK(json_is(line, "/result/resultType", "task") && json_is(line, "/result/pollIntervalMs", "20"));
    char *task = json_at(line, "/result/taskId");
    /* The handler asks when it has begun the task. */
    long long deadline = now_ms() + patience();
    do {
        CHECK_LE(now_ms(), deadline);
        about(peer, 2, "tasks/get", task, META(""));
        line = peer_answer(peer, "2");
    } while (json_is(line, "/result/status", "working"));
    CHECK(json_is(line, "/result/inputRequests/who/method", "elicitation/create"));
    about(peer, 3, "tasks/update", task,
          ",\"inputResponses\":{\"who\":{\"action\":\"accept\",\"content\":{\"name\":\"Bob\"}}}" META(""));
    CHECK(json_is(peer_answer(peer, "3"), "/result/resultType", "complete"));
    do {
        CHECK_LE(now_ms(), deadline);
        about(peer, 4, "tasks/get", task, META(""));
        line = peer_answer(peer, "4");
    } while (json_is(line, "/result/status", "working"));
    CHECK(json_is(line, "/result/result/content/0/text", "Bob"));
    mcp_string_free(task);
    peer_free(peer);
}

int main(void) {
    struct holdings before = holdings_now();
    char *path = new_path();
    mcp_server_t *server = new_server("{\"name\":\"s\",\"limits\":{\"tasks\":1000},\"timeouts\":{\"task_ttl_ms\":600000}}");
    add_tool(server, WORK, on_work, NULL);
    serve_at(server, path);
    pthread_t thread = start_thread(serve_on, server);
    CHECK_EQ(info_number(server, "/tasks"), 0);
    our_client(path, "2025-11-25", false);
    our_client(path, "2026-07-28", true);
    lines_of_the_core_form(path);
    lines_of_the_extension(path);
    /* Those of the extension are kept until they expire; those of the core form go with their sessions, which end soon. */
    for (long long deadline = now_ms() + patience(); info_number(server, "/tasks") != 5; breathe()) {
        CHECK_GE(deadline, now_ms());
    }
    CHECK_STATUS(mcp_server_close(server, -1), MCP_OK);
    join_thread(thread);
    CHECK_STATUS(mcp_server_free(server), MCP_OK);
    check_nothing_left(before);
    remove_path(path);
    return 0;
}
