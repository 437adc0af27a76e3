/*
 * Eight threads make 100,000 calls and more while the server is killed 200 times at random moments. Every
 * call ends once, with its own answer or an honest error, and none later than its deadline and a second; in
 * the end nothing is left. The seed is printed; MCP_TEST_SEED sets it.
 */
#include "check.h"

#define THREADS 8
#define DEADLINE_MS 5000
#define MEMBERS                                                                                              \
    "\"when_unavailable\":\"wait\",\"timeouts\":{\"call_ms\":5000},"                                         \
    "\"reconnect\":{\"initial_ms\":1,\"max_ms\":5}"

struct caller {
    mcp_client_t *client;
    int number;
    int least; /* how many calls to make; more until the killing is over */
    int answered;
    int lost;
};

static bool killing = true; /* atomic */

static void make_a_call(struct caller *caller, int call) {
    char params[96];
    char expected[48];
    mcp_message_t *reply = NULL;
    snprintf(expected, sizeof expected, "thread %d call %d", caller->number, call);
    snprintf(params, sizeof params, "{\"name\":\"echo\",\"arguments\":{\"text\":\"%s\"}}", expected);
    long long begin = now_ms();
    mcp_status_t status = mcp_call(caller->client, "tools/call", params, NULL, &reply);
    CHECK_LE(now_ms() - begin, DEADLINE_MS + slack());
    CHECK(reply != NULL);
    if (status == MCP_OK) {
        CHECK_TEXT(mcp_message_text(reply, NULL), expected);
        caller->answered++;
    } else {
        CHECK_STATUS(status, MCP_ERROR_TRANSPORT);
        caller->lost++;
    }
    mcp_message_free(reply);
}

static void *call_many(void *argument) {
    struct caller *caller = argument;
    for (int call = 0; call < caller->least || __atomic_load_n(&killing, __ATOMIC_SEQ_CST); call++) {
        make_a_call(caller, call);
    }
    return NULL;
}

/* Kills whatever server runs, with random pauses. */
static void kill_at_random(int times, unsigned int seed) {
    int kills = 0;
    while (kills < times) {
        pid_t pid = 0;
        poll(NULL, 0, 1 + rand_r(&seed) % 25);
        if (count_children(&pid) == 1 && kill(pid, SIGKILL) == 0) {
            kills++;
        }
    }
    __atomic_store_n(&killing, false, __ATOMIC_SEQ_CST);
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 3);
    struct holdings before = holdings_now();
    struct caller callers[THREADS];
    pthread_t threads[THREADS];
    const char *set = getenv("MCP_TEST_SEED");
    unsigned int seed = set != NULL ? (unsigned int)strtoul(set, NULL, 10) : (unsigned int)now_ms();
    int total = scaled(100000, 2000);
    printf("seed %u\n", seed);
    mcp_client_t *client = connected(argv[1], NULL, MEMBERS);
    for (int i = 0; i < THREADS; i++) {
        callers[i] = (struct caller){.client = client, .number = i, .least = total / THREADS};
        threads[i] = start_thread(call_many, &callers[i]);
    }
    kill_at_random(scaled(200, 5), seed);
    int answered = 0;
    int lost = 0;
    for (int i = 0; i < THREADS; i++) {
        join_thread(threads[i]);
        CHECK_GE(callers[i].answered + callers[i].lost, callers[i].least);
        answered += callers[i].answered;
        lost += callers[i].lost;
    }
    printf("%d calls answered, %d lost\n", answered, lost);
    CHECK_GE(answered, total / 2);
    struct caller last = {.client = client, .number = THREADS};
    for (int call = 0; last.answered == 0; call++) { /* the last kill may still cost a call */
        CHECK_LE(call, 5);
        make_a_call(&last, call);
    }
    char *info = info_of(client);
    CHECK_EQ(json_number(info, "/counters/lost_calls"), lost + last.lost);
    mcp_string_free(info);
    close_and_free(client);
    check_nothing_left(before);
    return 0;
}
