/*
 * mcp_queue_wake ends exactly one wait, however many threads wait and however they come and go: when the wake
 * falls together with the end of one thread's time, either that thread says MCP_WOKEN or another one does. With
 * and without a client on the queue, one of whose waiters then does the connection's reading.
 */
#include "check.h"

struct wait {
    mcp_queue_t *queue;
    int32_t timeout_ms;
    mcp_status_t status;
    bool begun; /* atomic */
};

static void *wait_once(void *argument) {
    struct wait *wait = argument;
    mcp_message_t *message = NULL;
    __atomic_store_n(&wait->begun, true, __ATOMIC_SEQ_CST);
    wait->status = mcp_queue_poll(wait->queue, wait->timeout_ms, &message);
    return NULL;
}

static long long now_us(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (long long)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

/* The short wait ends around the time of the wake; `after_us` sweeps over that moment. */
static void wake_when_one_leaves(mcp_queue_t *queue, int after_us) {
    struct wait leaves = {.queue = queue, .timeout_ms = 2};
    struct wait stays = {.queue = queue, .timeout_ms = patience()};
    pthread_t first = start_thread(wait_once, &leaves);
    pthread_t second = start_thread(wait_once, &stays);
    UNTIL(__atomic_load_n(&leaves.begun, __ATOMIC_SEQ_CST));
    long long begin = now_us();
    while (now_us() - begin < after_us) {
    }
    CHECK_STATUS(mcp_queue_wake(queue), MCP_OK);
    join_thread(first);
    CHECK(leaves.status == MCP_WOKEN || leaves.status == MCP_EMPTY);
    if (leaves.status == MCP_WOKEN) {
        CHECK_STATUS(mcp_queue_wake(queue), MCP_OK);
    }
    join_thread(second);
    CHECK_STATUS(stays.status, MCP_WOKEN);
}

static void *wait_to_be_woken(void *argument) {
    struct wait *wait = argument;
    wait_once(wait);
    CHECK_STATUS(wait->status, MCP_WOKEN);
    __atomic_store_n(&wait->begun, false, __ATOMIC_SEQ_CST);
    return NULL;
}

/* Each of many wakes, one after the other, ends one of many waits. */
static void wake_one_by_one(mcp_queue_t *queue) {
    enum { WAITS = 6 };
    struct wait waits[WAITS];
    pthread_t threads[WAITS];
    for (int i = 0; i < WAITS; i++) {
        waits[i] = (struct wait){.queue = queue, .timeout_ms = patience(), .begun = true};
        threads[i] = start_thread(wait_to_be_woken, &waits[i]);
    }
    for (int woken = 1; woken <= WAITS; woken++) {
        CHECK_STATUS(mcp_queue_wake(queue), MCP_OK);
        int over = 0;
        long long deadline = now_ms() + patience();
        while (over < woken) {
            CHECK_LE(now_ms(), deadline);
            over = 0;
            for (int i = 0; i < WAITS; i++) {
                over += !__atomic_load_n(&waits[i].begun, __ATOMIC_SEQ_CST);
            }
            breathe();
        }
        CHECK_EQ(over, woken);
    }
    for (int i = 0; i < WAITS; i++) {
        join_thread(threads[i]);
    }
}

static void check_queue(mcp_queue_t *queue) {
    int rounds = scaled(250, 10);
    for (int round = 0; round < rounds; round++) {
        wake_when_one_leaves(queue, 1500 + round * 1000 / rounds);
    }
    wake_one_by_one(queue);
    mcp_message_t *message = NULL;
    CHECK_STATUS(mcp_queue_poll(queue, 0, &message), MCP_EMPTY); /* nor was one too many */
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 3);
    mcp_queue_t *queue = NULL;
    mcp_message_t *message = NULL;
    CHECK_STATUS(mcp_queue_new(NULL, &queue, NULL), MCP_OK);
    check_queue(queue);

    mcp_client_t *client = new_client_on(queue, argv[1], NULL, NULL);
    connect_client(client);
    while (mcp_queue_poll(queue, 0, &message) == MCP_OK) {
        mcp_message_free(message);
    }
    check_queue(queue);
    CHECK_STATUS(mcp_client_free(client), MCP_OK);
    CHECK_STATUS(mcp_queue_free(queue), MCP_OK);
    return 0;
}
