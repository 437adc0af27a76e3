/*
 * Eight threads make blocking calls on one client at the same time. Each gets the answers to its own calls,
 * whichever of them reads from the server meanwhile.
 */
#include "check.h"

#define THREADS 8

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

int main(int argc, char **argv) {
    CHECK_EQ(argc, 3);
    struct caller callers[THREADS];
    pthread_t threads[THREADS];
    mcp_client_t *client = new_client(argv[1], NULL, NULL); /* the first calls race for the start */
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
    return 0;
}
