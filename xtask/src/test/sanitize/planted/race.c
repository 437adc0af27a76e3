/* Planted: two threads count in C with nothing between them. */
#include <mcp.h>

#include <pthread.h>
#include <stddef.h>

static int counter;

static void *count(void *argument) {
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
