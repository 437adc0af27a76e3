/*
 * A server asks thousands of things on the stream of its own messages and lets itself not be answered. The answers wait in one
 * queue and go out a few at a time: descriptors and memory of the host stay flat, and calls go on. When the server answers again,
 * each request gets its answer. Past the bound of the queue the connection ends, as it does over pipes, and the client comes back.
 */
/* asan: skip it holds what was freed in a quarantine of hundreds of megabytes */
#include "http.h"

/* Replies at a time, the stream, and what calls use meanwhile. */
#define DESCRIPTORS 8
/* The bound of the queue is 4096. */
#define WAITING 3000
#define FLOOD 200000
#define MEMORY_KIB (16 * 1024)

static long long pinged(mcp_client_t *client) {
    char *info = info_of(client);
    long long count = json_number(info, "/counters/server_requests");
    mcp_string_free(info);
    return count;
}

static void ping(const struct server *server, int count) {
    char *path = format("/ping?count=%d", count);
    tell_server(server, path);
    free(path);
}

static void check_flat(int descriptors, long memory) {
    CHECK_LE(count_descriptors(), descriptors + DESCRIPTORS);
    CHECK_LE(memory_kib("VmRSS:"), memory + MEMORY_KIB * scale());
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 4);
    struct holdings before = holdings_now();
    struct server server = start_server(argv[3], NULL);
    mcp_client_t *client = connected_to(&server, LEGACY);
    check_echo(client, "before");
    int descriptors = count_descriptors();
    long memory = memory_kib("VmRSS:");

    /* Each answer takes its time, and each request gets one. */
    int some = scaled(400, 40);
    set_script(&server, "on-answer=wait:5");
    ping(&server, some);
    UNTIL(pinged(client) == some);
    check_flat(descriptors, memory);
    check_echo(client, "meanwhile");
    UNTIL(count_of(&server, "(answer)") == some);
    CHECK_LE(stat_of(&server, "/max_in_flight"), DESCRIPTORS);

    /* No answer is taken. */
    set_script(&server, "on-answer=hang");
    ping(&server, WAITING);
    UNTIL(pinged(client) == some + WAITING);
    for (int i = 0; i < 20; i++) {
        check_flat(descriptors, memory);
        check_echo(client, "meanwhile");
    }
    CHECK_EQ(mcp_client_state(client), MCP_CLIENT_STATE_READY);
    CHECK_LE(stat_of(&server, "/max_in_flight"), DESCRIPTORS);

    /* And then too many wait. */
    drain(client);
    ping(&server, FLOOD);
    mcp_message_t *state = next_of_kind(client, MCP_KIND_STATE);
    CHECK_CONTAINS(mcp_message_json(state, NULL), "sends requests and takes no answers");
    mcp_message_free(state);
    check_flat(descriptors, memory);
    set_script(&server, "");
    connect_client(client);
    check_echo(client, "after");
    check_flat(descriptors, memory);
    close_and_free(client);
    stop_server(&server);
    check_nothing_left(before);
    return 0;
}
