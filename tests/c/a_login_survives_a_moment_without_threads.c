/*
 * A login needs threads for its token store, its credentials and the browser. When the system makes none at one moment,
 * the calls that wait for the login end at once with an error that says so, or the login goes on without; a later call logs
 * in. In no step does the login wait for ever, and nothing waits behind the thread that listens for the browser.
 *
 * The function by which the library makes threads is this program's own here, which is how it can be made to fail.
 */
/* asan: skip its runtime has pthread_create for itself */
/* tsan: skip its runtime has pthread_create for itself */
#include "browser.h"
#include "http.h"

#include <stdatomic.h>

#include <dlfcn.h>

/* How many threads there still are, and whether only one more is refused; negative: as many as one likes. */
static atomic_int threads_left = -1;
static atomic_int refused;

int pthread_create(pthread_t *restrict thread, const pthread_attr_t *restrict attributes, void *(*body)(void *),
                   void *restrict argument) {
    static int (*create)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
    if (create == NULL) {
        *(void **)&create = dlsym(RTLD_NEXT, "pthread_create");
        CHECK(create != NULL);
    }
    int left = atomic_load(&threads_left);
    if (left == 0) {
        /* One moment: the next one is made again. */
        atomic_store(&threads_left, -1);
        atomic_fetch_add(&refused, 1);
        return EAGAIN;
    }
    if (left > 0) {
        atomic_store(&threads_left, left - 1);
    }
    return create(thread, attributes, body, argument);
}

/* Calls a tool while a person attends to the login; gives the status of the call. */
static mcp_status_t echo(mcp_client_t *client, const struct server *server, const char *options) {
    start_tool(client, "echo", "{\"text\":\"x\"}", options, 1);
    for (;;) {
        mcp_message_t *message = NULL;
        CHECK_STATUS(mcp_client_poll(client, patience(), &message), MCP_OK);
        if (mcp_message_kind(message) == MCP_KIND_REPLY) {
            mcp_status_t status = mcp_message_status(message);
            if (status == MCP_ERROR_AUTH) {
                CHECK_CONTAINS(mcp_message_json(message, NULL), "thread");
            } else if (status != MCP_OK) {
                FAIL("%s", mcp_message_json(message, NULL));
            }
            mcp_message_free(message);
            return status;
        }
        if (mcp_message_kind(message) == MCP_KIND_AUTH) {
            agree_to(client, server, message);
        }
        mcp_message_free(message);
    }
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 4);
    struct holdings before = holdings_now();
    struct server server = start_server(argv[3], ARGS("login=yes"));
    const char *const eras[] = {MODERN, LEGACY};
    int outcomes[2] = {0, 0};
    for (int i = 0; i < 2; i++) {
        bool was_enough = false;
        for (int number = 0; !was_enough; number++) {
            CHECK_LE(number, 20);
            char *members =
                format("%s,\"auth\":{\"redirect_uri\":\"http://127.0.0.1/callback\"}", eras[i]);
            mcp_client_t *client = client_at(&server, "/mcp", members);
            free(members);
            atomic_store(&refused, 0);
            atomic_store(&threads_left, number);
            mcp_status_t status = echo(client, &server, "{\"timeout_ms\":10000}");
            was_enough = atomic_load(&refused) == 0;
            atomic_store(&threads_left, -1);
            outcomes[status == MCP_OK]++;
            if (was_enough) {
                CHECK_STATUS(status, MCP_OK);
            }
            CHECK_STATUS(echo(client, &server, "{\"timeout_ms\":10000,\"when_unavailable\":\"wait\"}"), MCP_OK);
            close_and_free(client);
        }
    }
    CHECK_GE(outcomes[0], 2); /* what cannot go on without */
    CHECK_GE(outcomes[1], 2);
    stop_server(&server);
    check_nothing_left(before);
    return 0;
}
