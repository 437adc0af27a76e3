/*
 * Eight threads make blocking calls on one client at the same time. Each gets the answers to its own calls,
 * whichever of them reads from the server meanwhile. What the program gives may be spread over many lines: on the server's
 * input each message is one line, and there is nothing else, in both eras.
 */
#include "check.h"

#define THREADS 8
#define SPREAD "{\r\n  \"text\" : \"one \\n two\" ,\n\n\t\"more\":[1,\r2\n]\n}\n"

struct caller {
    mcp_client_t *client;
    int number;
    int calls;
};

static void *call_many(void *argument) {
    struct caller *caller = argument;
    for (int i = 0; i < caller->calls; i++) {
        char text[64];
        snprintf(text, sizeof text, "thread %d call %d", caller->number, i);
        check_echo(caller->client, text);
    }
    return NULL;
}

static void check_outcomes(const char *server) {
    struct caller callers[THREADS];
    pthread_t threads[THREADS];
    mcp_client_t *client = new_client(server, NULL, NULL); /* the first calls race for the start */
    for (int i = 0; i < THREADS; i++) {
        callers[i] = (struct caller){client, i, scaled(2000, 50)};
        threads[i] = start_thread(call_many, &callers[i]);
    }
    for (int i = 0; i < THREADS; i++) {
        join_thread(threads[i]);
    }
    char *info = info_of(client);
    CHECK_EQ(json_number(info, "/counters/connections"), 1);
    CHECK_EQ(json_number(info, "/counters/results"), THREADS * callers[0].calls);
    mcp_string_free(info);
    close_and_free(client);
}

static void *call_spread(void *argument) {
    for (int i = 0; i < scaled(50, 5); i++) {
        char *text = tool_text(argument, "echo", SPREAD);
        CHECK_TEXT(text, "one \n two");
        free(text);
    }
    return NULL;
}

static void check_input(const char *server, const char *era) {
    mcp_client_t *client =
        connected(server, ARGS("--era", era), "\"capabilities\":{\"elicitation\":{\"form\":\n{}}}");
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++) {
        threads[i] = start_thread(call_spread, client);
    }
    for (int i = 0; i < THREADS; i++) {
        join_thread(threads[i]);
    }
    mcp_message_free(call_tool(client, "echo", SPREAD, "{\n\"meta\":{\n\"com.example/x\":{\n\"y\":1}}}"));
    CHECK_STATUS(mcp_client_notify(client, "notifications/spread", SPREAD, NULL), MCP_OK);
    char *seen = tool_text(client, "received", NULL);
    CHECK_EQ(json_number(seen, "/counts/tools~1call"), THREADS * scaled(50, 5) + 2);
    CHECK(json_is(seen, "/counts/notifications~1spread", "1"));
    CHECK(!json_has(seen, "/counts/(not a message)"));
    free(seen);
    close_and_free(client);
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 3);
    check_outcomes(argv[1]);
    check_input(argv[2], "legacy");
    check_input(argv[2], "modern");
    return 0;
}
