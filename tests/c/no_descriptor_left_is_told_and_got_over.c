/*
 * A host that has few descriptors left, or none: making a client, connecting and calling either work or say that there are
 * no descriptors, at once and without losing one of them, wherever in the way to a connection it happens. When there are
 * some again the same client connects, and in the end nothing is left. Over pipes, sockets and HTTP.
 */
#include "http.h"
#include "line_server.h"

#include <sys/resource.h>

#define MEMBERS "\"reconnect\":{\"initial_ms\":5,\"max_ms\":5},\"timeouts\":{\"listen_ms\":500}"

static struct rlimit limit;

/* Leaves the process so many descriptors that it may still open. */
static void leave(int free_ones) {
    int lowest = fcntl(0, F_DUPFD_CLOEXEC, 3);
    CHECK_GE(lowest, 3);
    close(lowest);
    CHECK_EQ(setrlimit(RLIMIT_NOFILE, &(struct rlimit){(rlim_t)(lowest + free_ones), limit.rlim_max}), 0);
}

static void leave_all(void) { CHECK_EQ(setrlimit(RLIMIT_NOFILE, &limit), 0); }

/* The C library, which cannot open its files, only says that it does not know the name. */
static bool is_told(const char *error) {
    return strstr(error, "could not be looked up") != NULL || strstr(error, "descriptor") != NULL || strstr(error, "Too many open files") != NULL;
}

/* One client from its beginning to its end, the first part of it with so few descriptors. */
static bool live(const char *config, int free_ones) {
    mcp_client_t *client = NULL;
    char *error = NULL;
    struct holdings before = holdings_now();
    bool had_all = true;
    leave(free_ones);
    mcp_status_t status = mcp_client_new(config, NULL, &client, &error);
    if (status != MCP_OK) {
        leave_all();
        CHECK_STATUS(status, MCP_ERROR_INTERNAL);
        if (!is_told(error)) {
            FAIL("with %d descriptors, making a client says: %s", free_ones, error);
        }
        mcp_string_free(error);
        check_nothing_left(before);
        return false;
    }
    long long begin = now_ms();
    status = mcp_client_connect(client, 3000, &error);
    if (status == MCP_OK) {
        mcp_message_t *reply = call_tool(client, "echo", "{\"text\":\"x\"}", "{\"timeout_ms\":3000}");
        if (mcp_message_status(reply) != MCP_OK) {
            CHECK_STATUS(mcp_message_status(reply), MCP_ERROR_TRANSPORT);
            had_all = false;
        }
        mcp_message_free(reply);
    } else {
        leave_all();
        if (status != MCP_ERROR_TRANSPORT || !is_told(error)) {
            FAIL("with %d descriptors, connecting ends as %s: %s", free_ones, mcp_status_name(status), error);
        }
        CHECK_LE(now_ms() - begin, slack());
        had_all = false;
    }
    mcp_string_free(error);
    leave_all();
    connect_client(client);
    check_echo(client, "with all of them");
    close_and_free(client);
    check_nothing_left(before);
    return had_all;
}

/* With ever more descriptors, until they are enough. */
static void check(const char *what, char *config) {
    for (int free_ones = 0; !live(config, free_ones); free_ones++) {
        if (free_ones == 40) {
            FAIL("%s still fails with %d descriptors", what, free_ones);
        }
    }
    free(config);
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 4);
    CHECK_EQ(getrlimit(RLIMIT_NOFILE, &limit), 0);
    check("a process", config_for(argv[1], NULL, MEMBERS));

    struct server server = start_server(argv[3], NULL);
    const char *const eras[] = {LEGACY, MODERN};
    for (int i = 0; i < 2; i++) {
        check(eras[i], format("{\"url\":\"http://localhost:%d/mcp\",%s,%s}", server.port, MEMBERS, eras[i]));
    }
    stop_server(&server);

    struct line_server lines = {0};
    char *name = socket_name("descriptors");
    mcp_client_t *client = NULL;
    char *config = format("{\"socket\":\"unix:%s\",%s}", name, MEMBERS);
    char *error = NULL;
    CHECK_STATUS(mcp_client_new(config, NULL, &client, &error), MCP_OK);
    leave(0);
    CHECK_STATUS(mcp_client_connect(client, 3000, &error), MCP_ERROR_TRANSPORT);
    leave_all();
    /* This server lives in our process and needs descriptors itself, so that it comes only now. */
    line_server_on_unix(&lines, name);
    if (!is_told(error)) {
        FAIL("a socket says: %s", error);
    }
    mcp_string_free(error);
    connect_client(client);
    check_echo(client, "with all of them");
    close_and_free(client);
    line_server_stop(&lines);
    free(config);
    free(name);
    return 0;
}
