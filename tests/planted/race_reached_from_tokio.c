/* tsan finds: data race.*race_reached_from_tokio\.c.*tokio::runtime::io::driver::Driver>::turn */
/*
 * Planted: a function of this program that tokio calls, at the bottom of its runtime, counts while another thread does.
 * It is epoll_wait, which `locks.c` wraps: neither tokio above it nor what is said there of epoll may hide it.
 */
#include <mcp.h>

#include <pthread.h>
#include <stddef.h>
#include <sys/epoll.h>

static int counter;
static int done;

/* ThreadSanitizer's own, which the program's now stands before. */
int __interceptor_epoll_wait(int epoll, struct epoll_event *events, int most, int timeout_ms);

int epoll_wait(int epoll, struct epoll_event *events, int most, int timeout_ms) {
    counter++;
    return __interceptor_epoll_wait(epoll, events, most, timeout_ms);
}

static void *count(void *argument) {
    while (!__atomic_load_n(&done, __ATOMIC_RELAXED)) {
        counter++;
    }
    return argument;
}

int main(void) {
    pthread_t thread;
    mcp_client_t *client = NULL;
    pthread_create(&thread, NULL, count, NULL);
    /* Nothing listens there. That the connection fails is told by epoll. */
    if (mcp_client_new("{\"url\":\"http://127.0.0.1:1/mcp\"}", NULL, &client, NULL) == MCP_OK) {
        mcp_client_connect(client, 1000, NULL);
    }
    mcp_client_free(client);
    __atomic_store_n(&done, 1, __ATOMIC_RELAXED);
    pthread_join(thread, NULL);
    return 0;
}
