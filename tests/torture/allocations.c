/*
 * Refuses allocations of a host, each once: `allocations EXAMPLE_SERVER SCRIPTED_SERVER [HTTP_SERVER]`.
 *
 * mcp.h promises MCP_ERROR_NO_MEMORY where a server or the size of an argument decides how much memory is needed, and that small
 * allocations come from the library's reserve. The host's malloc and its like stand in front of the C library's, and the library, which is
 * not linked to another, uses them, too.
 */
#include "../c/http.h"

#include <stdatomic.h>

/* What is smaller is not a message that a server made large: the buffer of a connection over HTTP has up to 408 KiB. */
#define LARGE ((size_t)448 * 1024)
#define ANSWER (4L << 20)

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *old, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

/* Which of the allocations of at least so many bytes is refused next: 0 for none. */
static atomic_long refuse_at;
static atomic_size_t refuse_from = LARGE;
static atomic_long refused;

static bool is_refused(size_t size) {
    if (atomic_load(&refuse_at) == 0 || size < atomic_load(&refuse_from) || atomic_fetch_sub(&refuse_at, 1) != 1) {
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

/* What a program does, while an allocation of at least `from` bytes is refused; each once. */
static long check_uses(const char *name, size_t from, mcp_status_t (*use)(void *), void *user) {
    for (long at = 1; at < 5000; at++) {
        atomic_store(&refused, 0);
        atomic_store(&refuse_from, from);
        atomic_store(&refuse_at, at);
        mcp_status_t status = use(user);
        atomic_store(&refuse_at, 0);
        atomic_store(&refuse_from, LARGE);
        if (status != MCP_OK && (status != MCP_ERROR_NO_MEMORY || atomic_load(&refused) == 0)) {
            FAIL("%s, allocation %ld: %s", name, at, mcp_status_name(status));
        }
        if (atomic_load(&refused) == 0) {
            return at - 1;
        }
    }
    FAIL("%s: no end of allocations", name);
}

/* A call, to its end. */
static mcp_status_t use_echo(void *user) {
    void **both = user;
    mcp_message_t *reply = NULL;
    mcp_status_t status = mcp_client_call_tool(both[0], "echo", both[1], "{\"timeout_ms\":20000}", &reply);
    if (status == MCP_OK) {
        status = mcp_message_status(reply);
    }
    mcp_message_free(reply);
    return status;
}

static mcp_status_t use_document(void *user) {
    mcp_document_t *document = NULL;
    mcp_status_t status = mcp_document_new(user, strlen(user), &document, NULL);
    if (status == MCP_OK) {
        (void)mcp_value_string(mcp_value_get(mcp_document_value(document), "text"), NULL);
        mcp_document_free(document);
    }
    return status;
}

static mcp_status_t use_texts(void *user) {
    char *found = NULL;
    char *quoted = NULL;
    char *expanded = NULL;
    mcp_status_t status = mcp_json_get(user, "/text", &found, NULL);
    if (status == MCP_OK) {
        status = mcp_json_quote(found, &quoted);
    }
    if (status == MCP_OK) {
        status = mcp_uri_template_expand("file:///{text:9}", strlen(user) < 1000 ? user : "{}", &expanded, NULL);
    }
    mcp_string_free(found);
    mcp_string_free(quoted);
    mcp_string_free(expanded);
    return status;
}

static mcp_status_t use_builder(void *user) {
    const char *json = NULL;
    mcp_builder_t *builder = mcp_builder_new();
    if (builder == NULL) {
        return MCP_ERROR_NO_MEMORY;
    }
    mcp_builder_begin_object(builder);
    mcp_builder_key(builder, "text");
    mcp_builder_string(builder, user);
    mcp_builder_end_object(builder);
    mcp_status_t status = mcp_builder_finish(builder, &json, NULL, NULL);
    mcp_builder_free(builder);
    return status;
}

static mcp_status_t use_clients(void *user) {
    mcp_client_t *client = NULL;
    mcp_server_t *server = NULL;
    mcp_status_t status = mcp_client_new(user, NULL, &client, NULL);
    if (status == MCP_OK) {
        status = mcp_server_new("{\"name\":\"x\"}", NULL, &server, NULL);
    }
    mcp_client_free(client);
    mcp_server_free(server);
    return status;
}

static void respond(void *user, mcp_message_t *request) {
    (void)user;
    (void)mcp_request_respond_text(request, "hello", false, NULL);
    mcp_message_free(request);
}

/* Where the C library has no memory for a thread, it says that it makes no thread. */
static mcp_status_t of_threads(mcp_status_t status) {
    return status == MCP_ERROR_INTERNAL || status == MCP_ERROR_TRANSPORT ? MCP_ERROR_NO_MEMORY : status;
}

/* A server with its threads, a client of it in this process, and a call. */
static mcp_status_t use_in_process(void *user) {
    mcp_server_t *server = NULL;
    mcp_client_t *client = NULL;
    mcp_status_t status = mcp_server_new("{\"name\":\"x\",\"workers\":2}", NULL, &server, NULL);
    if (status == MCP_OK) {
        status = mcp_server_add_tool(server, "{\"name\":\"echo\",\"inputSchema\":{\"type\":\"object\"}}", respond, NULL, NULL, NULL);
    }
    if (status == MCP_OK) {
        status = mcp_client_new_in_process("{}", NULL, server, &client, NULL);
    }
    if (status == MCP_OK) {
        void *call[] = {client, user};
        status = use_echo(call);
    }
    mcp_client_free(client);
    mcp_server_free(server);
    return of_threads(status);
}

/* A client of a process from its beginning to its end. */
static mcp_status_t use_process(void *user) {
    mcp_client_t *client = NULL;
    mcp_status_t status = mcp_client_new(user, NULL, &client, NULL);
    if (status == MCP_OK) {
        void *call[] = {client, "{\"text\":\"x\"}"};
        status = use_echo(call);
    }
    mcp_client_free(client);
    return of_threads(status);
}

/* Sizes that an argument decides, and everything that is small. */
static long check_arguments(const char *scripted_server) {
    enum { LENGTH = 2 << 20 };
    char *text = malloc(LENGTH + 1);
    memset(text, 'a', LENGTH);
    text[LENGTH] = '\0';
    char *large = format("{\"text\":\"%s\"}", text);
    char *small = format("{\"text\":\"%s\"}", "\\u00e9 and more");
    long count = 0;
    mcp_client_t *client = connected(scripted_server, NULL, NULL);
    for (int round = 0; round < 2; round++) {
        char *argument = round == 0 ? small : large;
        size_t from = round == 0 ? 1 : (size_t)64 * 1024;
        void *call[] = {client, argument};
        count += check_uses("echo", from, use_echo, call);
        count += check_uses("document", from, use_document, argument);
        count += check_uses("texts", from, use_texts, argument);
        count += check_uses("builder", from, use_builder, argument);
        count += check_uses("clients", 1, use_clients, "{\"command\":\"x\"}");
        check_echo(client, "after");
    }
    close_and_free(client);
    char *config = config_for(scripted_server, NULL, NULL);
    count += check_uses("process", 1, use_process, config);
    count += check_uses("in process", 1, use_in_process, small);
    free(config);
    free(small);
    free(large);
    free(text);
    return count;
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 4);
    long others = check_arguments(argv[2]);
    long lines = check_way(connected(argv[2], NULL, NULL), "lines");
    long lengths = check_way(connected(argv[2], ARGS("--framing", "content-length"), "\"framing\":\"content-length\""), "lengths");
    struct server server = start_server(argv[3], NULL);
    long legacy = check_way(connected_to(&server, LEGACY), "HTTP, legacy");
    long modern = check_way(connected_to(&server, MODERN), "HTTP, modern");
    stop_server(&server);
    server = start_server(argv[3], ARGS("sse"));
    long events = check_way(connected_to(&server, MODERN), "events");
    stop_server(&server);
    printf("large allocations refused: %ld over lines, %ld over Content-Length, %ld and %ld over HTTP, %ld over events; "
           "others: %ld\n",
           lines, lengths, legacy, modern, events, others);
    return 0;
}
