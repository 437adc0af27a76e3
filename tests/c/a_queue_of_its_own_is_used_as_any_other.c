/*
 * mcp_client_queue and mcp_server_queue give the queue that was given, or the own one. The own one is polled, woken, watched and told of
 * as one of the program's, also from a handler of its server; but it is freed with its owner, and takes no other client or server. After
 * that, and in a child of fork(), it is refused.
 */
#include "served.h"

static int ready_calls;
static int destroyed;

static void on_ready(void *user) {
    (void)user;
    __atomic_add_fetch(&ready_calls, 1, __ATOMIC_SEQ_CST);
}

static void on_destroy(void *user) {
    (void)user;
    __atomic_add_fetch(&destroyed, 1, __ATOMIC_SEQ_CST);
}

static int times_ready(void) { return __atomic_load_n(&ready_calls, __ATOMIC_SEQ_CST); }

/* The queue of a client or server that is open: nothing but its owner may use or free it. */
static void check_own(mcp_queue_t *own) {
    CHECK(own != NULL);
    CHECK_STATUS(mcp_queue_free(own), MCP_ERROR_INVALID_ARGUMENT);
    mcp_client_t *client = NULL;
    mcp_server_t *server = NULL;
    char *error = NULL;
    CHECK_STATUS(mcp_client_new("{\"command\":\"x\"}", own, &client, &error), MCP_ERROR_INVALID_ARGUMENT);
    CHECK(json_is(error, "/details/argument", "queue"));
    char text[300];
    CHECK_CONTAINS(mcp_error_text(error, text, sizeof text), "mcp_queue_new()");
    mcp_string_free(error);
    CHECK_STATUS(mcp_server_new("{\"name\":\"s\"}", own, &server, NULL), MCP_ERROR_INVALID_ARGUMENT);
    CHECK(client == NULL && server == NULL);
    mcp_message_t *message = NULL;
    CHECK_STATUS(mcp_queue_wake(own), MCP_OK);
    mcp_status_t status = MCP_OK;
    while ((status = mcp_queue_poll(own, -1, &message)) == MCP_OK) {
        mcp_message_free(message);
    }
    CHECK_STATUS(status, MCP_WOKEN);
    CHECK_STATUS(mcp_queue_poll(own, 0, &message), MCP_EMPTY);
    CHECK(message == NULL);
    CHECK_GE(mcp_queue_fd(own), 0);
}

/* Every function, for a queue whose owner is gone. */
static void check_gone(mcp_queue_t *own) {
    mcp_message_t *message = NULL;
    CHECK_STATUS(mcp_queue_wake(own), MCP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(mcp_queue_poll(own, 0, &message), MCP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(mcp_queue_fd(own), MCP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(mcp_queue_free(own), MCP_ERROR_INVALID_ARGUMENT);
    int before = __atomic_load_n(&destroyed, __ATOMIC_SEQ_CST);
    CHECK_STATUS(mcp_queue_on_ready(own, on_ready, NULL, on_destroy), MCP_ERROR_INVALID_ARGUMENT);
    CHECK_EQ(__atomic_load_n(&destroyed, __ATOMIC_SEQ_CST), before + 1);
}

static void check_client(const char *command) {
    mcp_client_t *client = connected(command, NULL, NULL);
    mcp_queue_t *own = mcp_client_queue(client);
    CHECK(own == mcp_client_queue(client));
    check_own(own);
    CHECK_EQ(mcp_queue_fd(own), mcp_client_fd(client));
    uint64_t call = start_tool(client, "echo", "{\"text\":\"x\"}", NULL, 7);
    mcp_message_t *message = NULL;
    do {
        mcp_message_free(message);
        CHECK_STATUS(mcp_queue_poll(own, patience(), &message), MCP_OK);
    } while (mcp_message_kind(message) != MCP_KIND_REPLY);
    CHECK_EQ(mcp_message_call_id(message), call);
    mcp_message_free(message);

    int before = times_ready();
    CHECK_STATUS(mcp_queue_on_ready(own, on_ready, NULL, on_destroy), MCP_OK);
    start_tool(client, "echo", "{\"text\":\"x\"}", NULL, 8);
    UNTIL(times_ready() > before);
    CHECK_STATUS(mcp_queue_on_ready(own, NULL, NULL, NULL), MCP_OK);
    UNTIL(__atomic_load_n(&destroyed, __ATOMIC_SEQ_CST) == 1);

    CHECK_STATUS(mcp_client_close(client, patience()), MCP_OK);
    while (mcp_queue_poll(own, 0, &message) == MCP_OK) {
        mcp_message_free(message);
    }
    CHECK_STATUS(mcp_queue_poll(own, -1, &message), MCP_ERROR_CLOSED);
    CHECK_STATUS(mcp_client_free(client), MCP_OK);
    CHECK(mcp_client_queue(client) == NULL && mcp_client_queue(NULL) == NULL);
    check_gone(own);
}

static void on_hello(void *user, mcp_message_t *request) {
    mcp_server_t **server = user;
    CHECK_STATUS(mcp_request_respond_text(request, "hello", false, NULL), MCP_OK);
    mcp_message_free(request);
    /* Ends the poll that runs this handler. */
    CHECK_STATUS(mcp_queue_wake(mcp_server_queue(*server)), MCP_OK);
}

static void check_server(void) {
    mcp_server_t *server = new_server("{\"name\":\"s\"}");
    mcp_queue_t *own = mcp_server_queue(server);
    check_own(own);
    add_tool(server, TOOL("hello"), on_hello, &server);
    mcp_client_t *client = NULL;
    CHECK_STATUS(mcp_client_new_in_process("{}", NULL, server, &client, NULL), MCP_OK);
    int before = times_ready();
    CHECK_STATUS(mcp_queue_on_ready(own, on_ready, NULL, NULL), MCP_OK);
    start_tool(client, "hello", "{}", NULL, 1);
    UNTIL(times_ready() > before); /* the loop of the program polls now */
    mcp_message_t *message = NULL;
    CHECK_STATUS(mcp_queue_poll(own, -1, &message), MCP_WOKEN);
    mcp_message_free(next_of_kind(client, MCP_KIND_REPLY));
    CHECK_STATUS(mcp_client_free(client), MCP_OK);
    CHECK_STATUS(mcp_server_close(server, -1), MCP_OK);
    CHECK_STATUS(mcp_queue_poll(own, -1, &message), MCP_ERROR_CLOSED);
    CHECK_STATUS(mcp_server_free(server), MCP_OK);
    CHECK(mcp_server_queue(server) == NULL && mcp_server_queue(NULL) == NULL);
    check_gone(own);
}

/* The queue of the program, for both; and none for what is not of this kind. */
static void check_shared(void) {
    mcp_queue_t *queue = NULL;
    mcp_client_t *client = NULL;
    mcp_server_t *server = NULL;
    CHECK_STATUS(mcp_queue_new(NULL, &queue, NULL), MCP_OK);
    CHECK_STATUS(mcp_server_new("{\"name\":\"s\"}", queue, &server, NULL), MCP_OK);
    CHECK_STATUS(mcp_client_new_in_process("{}", queue, server, &client, NULL), MCP_OK);
    CHECK(mcp_server_queue(server) == queue && mcp_client_queue(client) == queue);
    CHECK(mcp_server_queue((mcp_server_t *)(void *)client) == NULL);
    CHECK(mcp_client_queue((mcp_client_t *)(void *)queue) == NULL);
    CHECK_STATUS(mcp_client_free(client), MCP_OK);
    CHECK_STATUS(mcp_server_free(server), MCP_OK);
    CHECK_STATUS(mcp_queue_free(queue), MCP_OK);
}

static void check_child(void) {
    mcp_server_t *server = new_server("{\"name\":\"s\"}");
    mcp_queue_t *own = mcp_server_queue(server);
    pid_t child = fork();
    CHECK_GE(child, 0);
    if (child == 0) {
        mcp_message_t *message = NULL;
        bool is_refused = mcp_queue_wake(own) == MCP_ERROR_FORKED && mcp_queue_poll(own, 0, &message) == MCP_ERROR_FORKED &&
                          mcp_queue_free(own) == MCP_ERROR_FORKED && mcp_server_queue(server) == NULL;
        end_child(is_refused ? 0 : 1);
    }
    int status = 0;
    CHECK_EQ(waitpid(child, &status, 0), child);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    CHECK_STATUS(mcp_server_free(server), MCP_OK);
}

/* What a person reads of an error object, whatever the room. */
static void check_error_text(void) {
    char text[8];
    const char *error = "{\"status\":\"timeout\",\"message\":\"a\\u00e9\\n\\u20acz\"}";
    static const struct {
        size_t room;
        const char *text;
    } cut[] = {{8, "aé\n€"}, {7, "aé\n"}, {4, "aé"}, {3, "a"}, {2, "a"}, {1, ""}};
    for (size_t i = 0; i < sizeof cut / sizeof cut[0]; i++) {
        memset(text, '#', sizeof text);
        CHECK(mcp_error_text(error, text, cut[i].room) == text);
        CHECK_TEXT(text, cut[i].text);
        for (size_t after = cut[i].room; after < sizeof text; after++) {
            CHECK_EQ(text[after], '#');
        }
    }
    char all[64];
    CHECK_TEXT(mcp_error_text(error, all, sizeof all), "aé\n€z");
    CHECK_TEXT(mcp_error_text(NULL, all, sizeof all), "");
    CHECK_TEXT(mcp_error_text("no object", all, sizeof all), "no object");
    CHECK_TEXT(mcp_error_text("{\"message\":7}", all, sizeof all), "{\"message\":7}");
    CHECK_TEXT(mcp_error_text("{\"message\":\"a\\u0000b\"}", all, sizeof all), "a");
    CHECK_TEXT(mcp_error_text("\xff", all, sizeof all), "\xef\xbf\xbd");
    CHECK_TEXT(mcp_error_text(error, NULL, 9), "");
    CHECK_TEXT(mcp_error_text(error, text, 0), "");
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 3);
    struct holdings held = holdings_now();
    check_error_text();
    check_client(argv[1]);
    check_server();
    check_shared();
    check_child();
    check_nothing_left(held);
    return 0;
}
