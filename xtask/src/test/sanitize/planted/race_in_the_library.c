/* Planted: two threads have the library's own code write to the same place. */
#include <mcp.h>

#include <pthread.h>
#include <stddef.h>

static char *out;

static void *quote(void *argument) {
    mcp_json_quote("text", &out);
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, quote, NULL);
    quote(NULL);
    pthread_join(thread, NULL);
    return 0;
}
