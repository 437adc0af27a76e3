/*
 * Where nothing listens, the error names the address and the fix. A server that takes connections and never answers,
 * one that takes none, an address that swallows everything, and a name that is never found hold connect no longer
 * than timeouts.connect_ms (or the handshake's own time) and close hardly at all; other clients do not notice.
 * A wrong address is refused when the client is made.
 */
#include "line_server.h"

#include <netdb.h>

/* The library looks names up with the system's function, which this one takes the place of. */
static atomic_bool names_hang;
static atomic_int lookups;
static atomic_int hanging;

int getaddrinfo(const char *name, const char *service, const struct addrinfo *hints, struct addrinfo **found) {
    (void)name;
    (void)service;
    (void)hints;
    *found = NULL;
    /* On a thread of the library's, which takes no signals of the host. */
    sigset_t blocked;
    CHECK_EQ(pthread_sigmask(SIG_BLOCK, NULL, &blocked), 0);
    CHECK(sigismember(&blocked, SIGTERM) == 1 && sigismember(&blocked, SIGUSR1) == 1);
    atomic_fetch_add(&lookups, 1);
    atomic_fetch_add(&hanging, 1);
    while (atomic_load(&names_hang)) {
        breathe();
    }
    atomic_fetch_sub(&hanging, 1);
    return EAI_NONAME;
}

/* The error of a connect that fails with `status`; mcp_string_free() it. */
static char *refused(const char *address, const char *members, mcp_status_t status, int within) {
    mcp_client_t *client = socket_client(address, members);
    char *error = NULL;
    long long begun = now_ms();
    CHECK_STATUS(mcp_client_connect(client, -1, &error), status);
    CHECK_LE(now_ms() - begun, within + slack());
    CHECK_CONTAINS(error, address);
    begun = now_ms();
    close_and_free(client);
    CHECK_LE(now_ms() - begun, slack());
    return error;
}

static void nobody_listens(void) {
    char *error = refused("unix:/nowhere/server.sock", NULL, MCP_ERROR_TRANSPORT, 0);
    CHECK(json_is(error, "/message",
                  "cannot connect to 'unix:/nowhere/server.sock': there is no such socket; start the server, or "
                  "correct 'socket'"));
    CHECK(json_is(error, "/details/socket", "unix:/nowhere/server.sock"));
    CHECK_EQ(json_number(error, "/details/errno"), ENOENT);
    CHECK(json_is(error, "/operation", "connect"));
    mcp_string_free(error);
    error = refused("unix:@mcp-nothing-is-here", NULL, MCP_ERROR_TRANSPORT, 0);
    CHECK_CONTAINS(error, "nothing listens there; start the server, or correct 'socket'");
    mcp_string_free(error);

    static struct line_server server;
    int port = line_server_on_tcp(&server, 0);
    line_server_stop(&server);
    char *address = format("tcp:127.0.0.1:%d", port);
    error = refused(address, NULL, MCP_ERROR_TRANSPORT, 0);
    CHECK_CONTAINS(error, "nothing listens there; start the server, or correct 'socket'");
    CHECK_EQ(json_number(error, "/details/errno"), ECONNREFUSED);
    mcp_string_free(error);
    free(address);
}

/* A listener that accepts nothing, its queue filled. */
static int full_listener(const char *name, int *fillers, int most) {
    struct sockaddr_un address;
    socklen_t length = unix_address(&address, name);
    int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    CHECK(listener >= 0);
    CHECK_EQ(bind(listener, (struct sockaddr *)&address, length), 0);
    CHECK_EQ(listen(listener, 0), 0);
    for (int i = 0; i < most; i++) {
        fillers[i] = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
        CHECK(fillers[i] >= 0);
        if (connect(fillers[i], (struct sockaddr *)&address, length) != 0) {
            CHECK_EQ(errno, EAGAIN);
            close(fillers[i]);
            fillers[i] = -1;
            return listener;
        }
    }
    FAIL("the queue never fills");
}

static void a_black_hole_is_bounded(const char *address, const char *why) {
    char *error = refused(address, "\"timeouts\":{\"connect_ms\":200}", MCP_ERROR_TIMEOUT, 200);
    CHECK_CONTAINS(error, why);
    CHECK_CONTAINS(error, "200 ms (timeouts.connect_ms)");
    CHECK_EQ(json_number(error, "/details/limit_ms"), 200);
    mcp_string_free(error);
    /* Closed in the middle of the attempt, and connected from another thread at the same time. */
    mcp_client_t *client = socket_client(address, "\"timeouts\":{\"connect_ms\":60000}");
    CHECK_STATUS(mcp_client_connect(client, 50, NULL), MCP_ERROR_TIMEOUT);
    CHECK_EQ(mcp_client_state(client), MCP_CLIENT_STATE_STARTING);
    long long begun = now_ms();
    close_and_free(client);
    CHECK_LE(now_ms() - begun, slack());
}

static void takes_no_connections(void) {
    int fillers[512];
    char *name = socket_name("full");
    char *address = format("unix:%s", name);
    int listener = full_listener(name, fillers, 512);
    a_black_hole_is_bounded(address, "the server's queue of connections stayed full");
    close(listener);
    for (int i = 0; i < 512 && fillers[i] != -1; i++) {
        close(fillers[i]);
    }
    free(address);
    free(name);
}

/* The kernel answers for a listener until its queue is full, and then drops what comes: a black hole on any machine. */
static void swallows_everything(void) {
    struct sockaddr_in address = {.sin_family = AF_INET};
    socklen_t length = sizeof address;
    int fillers[16];
    int filled = 0;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    CHECK(listener >= 0);
    CHECK_EQ(bind(listener, (struct sockaddr *)&address, sizeof address), 0);
    CHECK_EQ(listen(listener, 0), 0);
    CHECK_EQ(getsockname(listener, (struct sockaddr *)&address, &length), 0);
    for (; filled < 16; filled++) {
        fillers[filled] = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
        CHECK(fillers[filled] >= 0);
        if (connect(fillers[filled], (struct sockaddr *)&address, sizeof address) != 0) {
            CHECK_EQ(errno, EINPROGRESS);
        }
        struct pollfd connected = {.fd = fillers[filled], .events = POLLOUT};
        if (poll(&connected, 1, 100) == 0) {
            filled++;
            break;
        }
    }
    char *socket_address = format("tcp:127.0.0.1:%d", ntohs(address.sin_port));
    a_black_hole_is_bounded(socket_address, "there was no answer");
    free(socket_address);
    for (int i = 0; i < filled; i++) {
        close(fillers[i]);
    }
    close(listener);
}

static void a_name_is_never_found(void) {
    static struct line_server server;
    char *name = socket_name("other");
    char *other = format("unix:%s", name);
    line_server_on_unix(&server, name);
    mcp_client_t *healthy = socket_client(other, NULL);
    connect_client(healthy);

    atomic_store(&names_hang, true);
    char *error =
        refused("tcp:never.example:80", "\"timeouts\":{\"connect_ms\":200}", MCP_ERROR_TIMEOUT, 200);
    CHECK_CONTAINS(error, "the name was not found within 200 ms (timeouts.connect_ms)");
    mcp_string_free(error);
    CHECK_EQ(atomic_load(&lookups), 1);
    CHECK_EQ(atomic_load(&hanging), 1);
    check_echo(healthy, "unharmed");
    atomic_store(&names_hang, false);
    UNTIL(atomic_load(&hanging) == 0);
    error = refused("tcp:never.example:80", NULL, MCP_ERROR_TRANSPORT, 0);
    CHECK_CONTAINS(error, "the name 'never.example' could not be looked up");
    mcp_string_free(error);

    close_and_free(healthy);
    line_server_stop(&server);
    free(other);
    free(name);
}

static void accepts_and_never_answers(void) {
    char *name = socket_name("mute");
    char *address = format("unix:%s", name);
    struct sockaddr_un where;
    socklen_t length = unix_address(&where, name);
    int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    CHECK(listener >= 0);
    CHECK_EQ(bind(listener, (struct sockaddr *)&where, length), 0);
    CHECK_EQ(listen(listener, 16), 0);
    mcp_client_t *client =
        socket_client(address, "\"timeouts\":{\"probe_ms\":100,\"initialize_ms\":100,\"exit_ms\":100}");
    long long begun = now_ms();
    CHECK_STATUS(mcp_client_connect(client, -1, NULL), MCP_ERROR_TIMEOUT);
    CHECK_LE(now_ms() - begun, 200 + slack());
    begun = now_ms();
    close_and_free(client);
    CHECK_LE(now_ms() - begun, 100 + slack());

    /* A client that still waits for its answer is closed as well. */
    client = socket_client(address, NULL);
    CHECK_STATUS(mcp_client_connect(client, 0, NULL), MCP_ERROR_TIMEOUT);
    UNTIL(mcp_client_state(client) == MCP_CLIENT_STATE_INITIALIZING);
    begun = now_ms();
    CHECK_STATUS(mcp_client_close(client, 500), MCP_OK);
    CHECK_LE(now_ms() - begun, 500 + slack());
    CHECK_EQ(mcp_client_state(client), MCP_CLIENT_STATE_CLOSED);
    CHECK_STATUS(mcp_client_free(client), MCP_OK);
    close(listener);
    free(address);
    free(name);
}

static void a_wrong_address_is_refused(void) {
    static const char *const wrong[][2] = {
        {"{\"socket\":\"/run/x\"}", "begins with neither"},
        {"{\"socket\":\"tcp:localhost\"}", "no port"},
        {"{\"socket\":5}", "not a string"},
        {"{\"socket\":\"unix:/x\",\"command\":\"y\"}", "'command' is given too"},
        {"{\"socket\":\"unix:/x\",\"type\":\"stdio\"}", "goes with 'command'"},
        {"{\"socket\":\"unix:/x\",\"args\":[]}", "'args' belongs to 'command'"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        mcp_client_t *client = NULL;
        char *error = NULL;
        CHECK_STATUS(mcp_client_new(wrong[i][0], NULL, &client, &error), MCP_ERROR_INVALID_ARGUMENT);
        CHECK_CONTAINS(error, wrong[i][1]);
        mcp_string_free(error);
    }
}

int main(int argc, char **argv) {
    (void)argv;
    CHECK_EQ(argc, 3);
    struct holdings before = holdings_now();
    a_wrong_address_is_refused();
    nobody_listens();
    takes_no_connections();
    swallows_everything();
    a_name_is_never_found();
    accepts_and_never_answers();
    check_nothing_left(before);
    return 0;
}
