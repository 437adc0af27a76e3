/*
 * A system that makes no more threads, or no more processes: what needs one says so at once, wherever in the life of a
 * client it happens, nothing is lost, and when there are some again the same program goes on. Over pipes, sockets and HTTP.
 *
 * The functions by which the library makes both are this program's own here, which is how they can be made to fail.
 */
/* asan: skip its runtime has pthread_create for itself */
/* tsan: skip its runtime has pthread_create for itself */
#include "http.h"

#include <stdatomic.h>

#include <dlfcn.h>
#include <sys/syscall.h>

#define MEMBERS "\"reconnect\":{\"initial_ms\":5,\"max_ms\":5},\"timeouts\":{\"listen_ms\":500}"

/* How many threads and processes there still are; negative: as many as one likes. */
static atomic_int threads_left = -1;
static atomic_int processes_left = -1;
static atomic_int refused;

static bool take_one(atomic_int *left) {
    int now = atomic_load(left);
    while (now >= 0) {
        if (now == 0) {
            atomic_fetch_add(&refused, 1);
            return false;
        }
        if (atomic_compare_exchange_weak(left, &now, now - 1)) {
            return true;
        }
    }
    return true;
}

static void *real(const char *name) {
    void *function = dlsym(RTLD_NEXT, name);
    CHECK(function != NULL);
    return function;
}

int pthread_create(pthread_t *restrict thread, const pthread_attr_t *restrict attributes, void *(*body)(void *),
                   void *restrict argument) {
    static int (*create)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
    if (create == NULL) {
        *(void **)&create = real("pthread_create");
    }
    return take_one(&threads_left) ? create(thread, attributes, body, argument) : EAGAIN;
}

long syscall(long number, ...) {
    static long (*call)(long, ...);
    long values[6];
    va_list list;
    va_start(list, number);
    for (int i = 0; i < 6; i++) {
        values[i] = va_arg(list, long);
    }
    va_end(list);
    if (number == SYS_clone && !take_one(&processes_left)) {
        errno = EAGAIN;
        return -1;
    }
    if (call == NULL) {
        *(void **)&call = real("syscall");
    }
    return call(number, values[0], values[1], values[2], values[3], values[4], values[5]);
}

/* An attempt that was refused before there were all of them may end only now. */
static void connect_with_all_of_them(mcp_client_t *client) {
    if (mcp_client_connect(client, patience(), NULL) != MCP_OK) {
        connect_client(client);
    }
}

/* One client from its beginning to its end, the first part of it with so few; true if they were enough. */
static bool live(const char *config, atomic_int *left, int number) {
    mcp_client_t *client = NULL;
    char *error = NULL;
    const char *what = left == &threads_left ? "thread" : "process";
    bool was_enough = false;
    struct holdings before = holdings_now();
    atomic_store(&refused, 0);
    atomic_store(left, number);
    mcp_status_t status = mcp_client_new(config, NULL, &client, &error);
    if (status == MCP_OK) {
        long long begin = now_ms();
        status = mcp_client_connect(client, patience(), &error);
        if (status == MCP_OK) {
            mcp_message_t *reply = call_tool(client, "echo", "{\"text\":\"x\"}", "{\"timeout_ms\":20000}");
            CHECK_STATUS(mcp_message_status(reply), MCP_OK);
            mcp_message_free(reply);
            was_enough = atomic_load(&refused) == 0;
        } else if (now_ms() - begin > slack()) {
            FAIL("with %d of them, %s: told after %lld ms: %s", number, what, now_ms() - begin, error);
        }
    }
    atomic_store(left, -1);
    if (status != MCP_OK) {
        /* "Resource temporarily unavailable" is what the system says in both cases. */
        if ((status != MCP_ERROR_INTERNAL && status != MCP_ERROR_TRANSPORT) || strstr(error, what) == NULL ||
            strstr(error, "unavailable") == NULL) {
            FAIL("with %d of them, %s: %s %s", number, what, mcp_status_name(status), error);
        }
        mcp_string_free(error);
    }
    if (client != NULL) {
        connect_with_all_of_them(client);
        check_echo(client, "with all of them");
        close_and_free(client);
    }
    check_nothing_left(before);
    return was_enough;
}

/* With ever more of them, until they are enough. */
static void check(char *config) {
    atomic_int *const kinds[] = {&threads_left, &processes_left};
    for (int kind = 0; kind < 2; kind++) {
        for (int number = 0; !live(config, kinds[kind], number); number++) {
            CHECK_LE(number, 10);
        }
    }
    free(config);
}

/* A server that was there and has died cannot be started again for a while. */
static void check_again(const char *server) {
    mcp_client_t *client = connected(server, NULL, MEMBERS);
    drain(client);
    atomic_store(&processes_left, 0);
    atomic_store(&threads_left, 0);
    mcp_message_free(call_tool(client, "crash", NULL, NULL));
    UNTIL(atomic_load(&refused) >= 3);
    CHECK_NE(mcp_client_state(client), MCP_CLIENT_STATE_CLOSED);
    atomic_store(&processes_left, -1);
    atomic_store(&threads_left, -1);
    connect_with_all_of_them(client);
    check_echo(client, "again");
    close_and_free(client);
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 4);
    struct holdings before = holdings_now();
    check(config_for(argv[1], NULL, MEMBERS));
    check_again(argv[1]);

    struct server server = start_server(argv[3], NULL);
    const char *const eras[] = {LEGACY, MODERN};
    for (int i = 0; i < 2; i++) {
        check(format("{\"url\":\"http://127.0.0.1:%d/mcp\",%s,%s}", server.port, MEMBERS, eras[i]));
        check(format("{\"url\":\"http://localhost:%d/mcp\",%s,%s}", server.port, MEMBERS, eras[i]));
    }
    stop_server(&server);
    check_nothing_left(before);
    return 0;
}
