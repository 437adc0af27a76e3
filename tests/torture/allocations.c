/*
 * Refuses each large allocation of a host once: `allocations EXAMPLE_SERVER SCRIPTED_SERVER [HTTP_SERVER]`.
 *
 * mcp.h promises MCP_ERROR_NO_MEMORY where a server decides how much memory a message needs, and for a transport of the program's
 * own. Small allocations are not promised: they end the process by abort(), and are left alone here. The host's malloc and its
 * like stand in front of the C library's, and the library, which is not linked to another, uses them, too.
 */
#include "../c/http.h"

#include <stdatomic.h>

/* What is smaller is no message that a server made large: the buffer of a connection over HTTP has up to 408 KiB. */
#define LARGE ((size_t)448 * 1024)
#define ANSWER (4L << 20)

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *old, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

/* Which of the large allocations is refused next: 0 for none. */
static atomic_long refuse_at;
static atomic_long refused;

static bool is_refused(size_t size) {
    if (size < LARGE || atomic_load(&refuse_at) == 0 || atomic_fetch_sub(&refuse_at, 1) != 1) {
        return false;
    }
    atomic_fetch_add(&refused, 1);
    errno = ENOMEM;
    return true;
}

void *malloc(size_t size) { return is_refused(size) ? NULL : __libc_malloc(size); }
void *calloc(size_t count, size_t size) { return is_refused(count * size) ? NULL : __libc_calloc(count, size); }
void *realloc(void *old, size_t size) { return is_refused(size) ? NULL : __libc_realloc(old, size); }

int posix_memalign(void **out, size_t alignment, size_t size) {
    void *memory = is_refused(size) ? NULL : __libc_memalign(alignment, size);
    if (memory == NULL) {
        return ENOMEM;
    }
    *out = memory;
    return 0;
}

void *aligned_alloc(size_t alignment, size_t size) { return is_refused(size) ? NULL : __libc_memalign(alignment, size); }

/* One call with a large answer, whose allocation number `at` is refused. Says whether one was. */
static bool call_refused(mcp_client_t *client, const char *way, long at) {
    char *arguments = format("{\"bytes\":%ld}", ANSWER);
    check_echo(client, "before");
    atomic_store(&refused, 0);
    atomic_store(&refuse_at, at);
    mcp_message_t *reply = call_tool(client, "big", arguments, "{\"timeout_ms\":20000}");
    atomic_store(&refuse_at, 0);
    bool was = atomic_load(&refused) > 0;
    mcp_status_t status = mcp_message_status(reply);
    if (status != MCP_OK && (status != MCP_ERROR_NO_MEMORY || !was)) {
        FAIL("%s, allocation %ld: %s %.300s", way, at, mcp_status_name(status), mcp_message_json(reply, NULL));
    }
    if (status == MCP_OK) {
        CHECK_GE((long long)strlen(mcp_message_json(reply, NULL)), ANSWER);
    }
    mcp_message_free(reply);
    CHECK_EQ(mcp_client_state(client), MCP_CLIENT_STATE_READY);
    check_echo(client, "after");
    free(arguments);
    return was;
}

/* All of them on one client; a few more calls than it has large allocations. */
static long check_way(mcp_client_t *client, const char *way) {
    long at = 1;
    while (call_refused(client, way, at)) {
        if (++at == 1000) {
            FAIL("%s: no end of large allocations", way);
        }
    }
    close_and_free(client);
    if (at < 2) {
        FAIL("%s: no large allocation was refused", way);
    }
    return at - 1;
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 4);
    long lines = check_way(connected(argv[2], NULL, NULL), "lines");
    long lengths = check_way(connected(argv[2], ARGS("--framing", "content-length"), "\"framing\":\"content-length\""), "lengths");
    struct server server = start_server(argv[3], NULL);
    long legacy = check_way(connected_to(&server, LEGACY), "HTTP, legacy");
    long modern = check_way(connected_to(&server, MODERN), "HTTP, modern");
    stop_server(&server);
    server = start_server(argv[3], ARGS("sse"));
    long events = check_way(connected_to(&server, MODERN), "events");
    stop_server(&server);
    printf("large allocations refused: %ld over lines, %ld over Content-Length, %ld and %ld over HTTP, %ld over events\n", lines,
           lengths, legacy, modern, events);
    return 0;
}
