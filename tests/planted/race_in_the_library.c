/* tsan finds: data race.*src/ffi/pointer\.rs */
/* Planted: two threads have the library's own code write to the same place. */
#include <mcp.h>

#include <pthread.h>
#include <stddef.h>

static char *out;
static int ready;

static void *quote(void *argument) {
    __atomic_add_fetch(&ready, 1, __ATOMIC_RELAXED); /* relaxed: meets the other thread, and orders nothing */
    while (__atomic_load_n(&ready, __ATOMIC_RELAXED) < 2) {
    }
    /* Locks inside order many of the pairs: enough rounds for the two to be between them at a time, on a busy machine too. */
    for (int i = 0; i < 50000; i++) {
        mcp_json_quote("text", &out);
    }
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, quote, NULL);
    quote(NULL);
    pthread_join(thread, NULL);
    return 0;
}
