/*
 * Notifications and requests that come faster than they are taken.
 */
#include "check.h"

/*
 * Notifications that are not taken fill the queue up to its bound and no further. What did not fit is counted
 * in one MCP_KIND_LOST message: every notification is either delivered or counted. "overflow" says which are
 * kept, the newest (the default) or the oldest. Replies are never among the lost. With "block" the server is not read
 * until the program has made room, and nothing is lost.
 */
#define SENT 1000
#define BOUND 16

struct counts {
    long long delivered;
    long long lost;
    long long first; /* numbers of the notifications that were delivered */
    long long last;
    int marks;
    int replies;
};

static void count_message(struct counts *counts, const mcp_message_t *message) {
    switch (mcp_message_kind(message)) {
    case MCP_KIND_NOTIFICATION:
        counts->last = json_number(mcp_message_json(message, NULL), "/data/number");
        counts->first = counts->delivered == 0 ? counts->last : counts->first;
        counts->delivered++;
        break;
    case MCP_KIND_LOST:
        counts->marks++;
        counts->lost += json_number(mcp_message_json(message, NULL), "/count");
        break;
    case MCP_KIND_REPLY:
        CHECK_STATUS(mcp_message_status(message), MCP_OK);
        counts->replies++;
        break;
    default:
        break;
    }
}

/* A client whose queue holds three replies and has room for few notifications. */
static mcp_client_t *nearly_full(const char *server, const char *overflow) {
    char *members = format("\"limits\":{\"queue_messages\":%d%s}", BOUND, overflow);
    mcp_client_t *client = connected(server, NULL, members);
    drain(client);
    for (uint64_t tag = 0; tag < 3; tag++) {
        start_tool(client, "echo", "{\"text\":\"kept\"}", NULL, tag);
    }
    free(members);
    return client;
}

static struct counts flood(const char *server, const char *overflow) {
    struct counts counts = {0};
    char arguments[64];
    mcp_message_t *message = NULL;
    mcp_client_t *client = nearly_full(server, overflow);
    snprintf(arguments, sizeof arguments, "{\"count\":%d,\"changes\":false}", SENT);
    mcp_message_free(call_tool(client, "notify", arguments, WITH_LOG));
    check_echo(client, "and it goes on");
    while (mcp_client_poll(client, 0, &message) == MCP_OK) {
        count_message(&counts, message);
        mcp_message_free(message);
    }
    CHECK_GE(counts.delivered, 1);
    CHECK_LE(counts.delivered, BOUND);
    CHECK_EQ(counts.delivered + counts.lost, SENT);
    CHECK_EQ(counts.marks, 1);
    CHECK_EQ(counts.replies, 3);
    close_and_free(client);
    return counts;
}

/* A program that polls gets every notification, in order, however small the queue. */
static void block(const char *server) {
    struct counts counts = {0};
    char arguments[64];
    mcp_client_t *client = nearly_full(server, ",\"overflow\":\"block\"");
    snprintf(arguments, sizeof arguments, "{\"count\":%d,\"changes\":false}", SENT);
    start_tool(client, "notify", arguments, WITH_LOG, 3);
    while (counts.delivered < SENT || counts.replies < 4) {
        mcp_message_t *message = NULL;
        CHECK_STATUS(mcp_client_poll(client, patience(), &message), MCP_OK);
        count_message(&counts, message);
        CHECK_EQ(counts.last, counts.delivered);
        CHECK_EQ(counts.marks, 0);
        mcp_message_free(message);
    }
    close_and_free(client);
}

static void overflowing_notifications_leave_one_lost_message(char **argv) {
    struct counts counts = flood(argv[1], "");
    CHECK_EQ(counts.last, SENT);
    counts = flood(argv[1], ",\"overflow\":\"drop_oldest\"");
    CHECK_EQ(counts.last, SENT);
    CHECK_EQ(counts.first, SENT + 1 - counts.delivered);
    counts = flood(argv[1], ",\"overflow\":\"drop_newest\"");
    CHECK_EQ(counts.first, 1);
    CHECK_EQ(counts.last, counts.delivered);
    block(argv[1]);
}

/*
 * Field fault P04: a server that writes megabytes to stderr, before it answers at all, is never blocked by a
 * full pipe: stderr is always read, whatever is done with the lines. With the config "stderr":"message" each line arrives as
 * an MCP_KIND_STDERR message, in order. With any other setting none does.
 */
/* How many of the lines that the server writes arrive as messages. */
static int count_messages(const char *server, const char *members, int lines) {
    char behaviour[32];
    snprintf(behaviour, sizeof behaviour, "stderr-at-start=%d", lines);
    mcp_client_t *client = connected(server, ARGS("--life", "120", behaviour), members);
    mcp_message_t *message = NULL;
    CHECK_STATUS(mcp_call(client, "tools/list", NULL, NULL, &message), MCP_OK);
    mcp_message_free(message);
    CHECK_STATUS(mcp_client_close(client, patience()), MCP_OK); /* what was written is read to its end */
    int count = 0;
    int next = 0;
    while (mcp_client_poll(client, 0, &message) == MCP_OK) {
        if (mcp_message_kind(message) == MCP_KIND_STDERR) {
            const char *text = strstr(mcp_message_json(message, NULL), "stderr line ");
            CHECK(text != NULL);
            int number = atoi(text + strlen("stderr line "));
            CHECK_GE(number, next);
            next = number + 1;
            count++;
        }
        mcp_message_free(message);
    }
    CHECK_STATUS(mcp_client_free(client), MCP_OK);
    return count;
}

static void p04_flooded_stderr_blocks_nobody(char **argv) {
    int flood = scaled(100000, 20000); /* some 20 bytes each; a pipe holds 64 KiB */
    CHECK_EQ(count_messages(argv[2], NULL, flood), 0);
    CHECK_EQ(count_messages(argv[2], "\"stderr\":\"drop\"", flood), 0);
    CHECK_EQ(count_messages(argv[2], "\"stderr\":\"log\"", flood), 0);
    CHECK_LE(count_messages(argv[2], "\"stderr\":\"message\",\"limits\":{\"queue_messages\":100}", flood), 100);
    CHECK_EQ(count_messages(argv[2], "\"stderr\":\"message\"", 5), 5);
}

/*
 * A server sends large requests that are not taken: they count against limits.queue_bytes, and those for which there is no room
 * are refused, as those over limits.server_requests are. When there is room again the next one arrives. A request whose id is
 * over 1 KiB is dropped and counted, since every answer would have to repeat it. Requests that the server withdraws at once
 * count as long as they wait in the queue, and cannot be answered any more.
 */
#define LARGE 60000
#define COUNT 10
#define WITHDRAWN 50

static char *request(int number, size_t id_bytes, size_t bytes) {
    char *id = format("%0*d", (int)id_bytes, number);
    char *filler = malloc(bytes + 1);
    CHECK(filler != NULL);
    memset(filler, 'x', bytes);
    filler[bytes] = '\0';
    char *text = format("{\"jsonrpc\":\"2.0\",\"id\":\"%s\",\"method\":\"sampling/createMessage\","
                        "\"params\":{\"messages\":[],\"maxTokens\":1,\"filler\":\"%s\"}}\n",
                        id, filler);
    free(filler);
    free(id);
    return text;
}

static char *joined(char *first, char *second) {
    char *both = format("%s%s", first, second);
    free(first);
    free(second);
    return both;
}

/* Has the server write these lines before its answer. */
static void have_it_write(mcp_client_t *client, char *lines) {
    char *quoted = NULL;
    CHECK_STATUS(mcp_json_quote(lines, &quoted), MCP_OK);
    char *arguments = format("{\"line\":%s,\"right_after\":true}", quoted);
    mcp_message_t *reply = call_tool(client, "raw", arguments, NULL);
    CHECK_STATUS(mcp_message_status(reply), MCP_OK);
    mcp_message_free(reply);
    free(arguments);
    mcp_string_free(quoted);
    free(lines);
}

/* How many requests of the server wait when it has written these lines. */
static int count_after(mcp_client_t *client, char *lines) {
    have_it_write(client, lines);
    int count = 0;
    mcp_message_t *message = NULL;
    while (mcp_client_poll(client, 0, &message) == MCP_OK) {
        count += mcp_message_kind(message) == MCP_KIND_REQUEST;
        mcp_message_free(message);
    }
    return count;
}

static long long counted(mcp_client_t *client, const char *pointer) {
    char *info = info_of(client);
    long long number = json_number(info, pointer);
    mcp_string_free(info);
    return number;
}

static void check(const char *server, const char *overflow) {
    char *members = format("\"capabilities\":{\"sampling\":{}},\"limits\":{\"queue_bytes\":200000,\"overflow\":\"%s\"}", overflow);
    mcp_client_t *client = connected(server, NULL, members);
    free(members);
    drain(client);
    char *lines = format("%s", "");
    for (int i = 0; i < COUNT; i++) {
        lines = joined(lines, request(i, 4, LARGE));
    }
    CHECK_EQ(count_after(client, lines), 3); /* of 60,000 bytes each, in 200,000 */
    CHECK_GE(counted(client, "/counters/refused_requests"), COUNT - 3);
    CHECK_EQ(count_after(client, request(COUNT, 4, LARGE)), 1);
    CHECK_EQ(counted(client, "/counters/violations"), 0);
    CHECK_EQ(count_after(client, request(1, 1023, 10)), 0);
    CHECK_EQ(counted(client, "/counters/violations"), 1);
    check_echo(client, "on we go");
    close_and_free(client);
}

static void check_withdrawn(const char *server) {
    mcp_client_t *client =
        connected(server, NULL, "\"capabilities\":{\"sampling\":{}},\"limits\":{\"server_requests\":4}");
    drain(client);
    char *lines = format("%s", "");
    for (int i = 0; i < WITHDRAWN; i++) {
        lines = joined(lines, request(i, 4, 10));
        lines = joined(lines, format("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\","
                                     "\"params\":{\"requestId\":\"%04d\"}}\n",
                                     i));
    }
    have_it_write(client, lines);
    CHECK_EQ(counted(client, "/counters/server_requests"), WITHDRAWN);
    CHECK_EQ(counted(client, "/unanswered_requests"), 0);
    int count = 0;
    mcp_message_t *message = NULL;
    while (mcp_client_poll(client, 0, &message) == MCP_OK) {
        if (mcp_message_kind(message) == MCP_KIND_REQUEST) {
            count++;
            CHECK_STATUS(mcp_request_respond(message, "{}", NULL), MCP_ERROR_CANCELLED);
        }
        mcp_message_free(message);
    }
    CHECK_EQ(count, 4); /* limits.server_requests */
    CHECK_EQ(count_after(client, request(WITHDRAWN, 4, 10)), 1);
    close_and_free(client);
}

static void requests_of_the_server_count_against_the_queue(char **argv) {
    struct holdings before = holdings_now();
    check(argv[2], "drop_oldest");
    check(argv[2], "drop_newest");
    check_withdrawn(argv[2]);
    check_nothing_left(before);
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 3);
    overflowing_notifications_leave_one_lost_message(argv);
    p04_flooded_stderr_blocks_nobody(argv);
    requests_of_the_server_count_against_the_queue(argv);
    return 0;
}
