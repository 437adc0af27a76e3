/* tsan finds: data race.*race\.c */
/* Planted: two threads count in C with nothing between them. */
#include <mcp.h>

#include <pthread.h>
#include <stddef.h>

static int counter;
static int ready;

static void *count(void *argument) {
    __atomic_add_fetch(&ready, 1, __ATOMIC_RELAXED); /* relaxed: meets the other thread, and orders nothing */
    while (__atomic_load_n(&ready, __ATOMIC_RELAXED) < 2) {
    }
    for (int i = 0; i < 1000; i++) {
        counter++;
    }
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, count, NULL);
    count(NULL);
    pthread_join(thread, NULL);
    return mcp_version() == NULL;
}
