/*
 * Refuses allocations of a host, each once: `allocations EXAMPLE_SERVER SCRIPTED_SERVER [HTTP_SERVER]`.
 *
 * mcp.h promises MCP_ERROR_NO_MEMORY where a server or the size of an argument decides how much memory is needed, and that small
 * allocations come from the library's reserve. The host's malloc and its like stand in front of the C library's, and the library, which is
 * not linked to another, uses them, too.
 */
#include "../c/http.h"

#include <dlfcn.h>
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
/* Which one was: its size, and what asked for it. */
static size_t refused_size;
static void *refused_for;

static bool is_refused_for(size_t size, void *caller) {
    if (atomic_load(&refuse_at) == 0 || size < atomic_load(&refuse_from) || atomic_fetch_sub(&refuse_at, 1) != 1) {
        return false;
    }
    refused_size = size;
    refused_for = caller;
    atomic_fetch_add(&refused, 1);
    errno = ENOMEM;
    return true;
}

#define is_refused(size) is_refused_for(size, __builtin_return_address(0))

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
    mcp_builder_end(builder);
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

/* ---- A server over HTTP ---- */

#define META                                                                                                           \
    "\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","                                            \
    "\"io.modelcontextprotocol/clientCapabilities\":{}}"

/* A request of 2026-07-28: its method, what Mcp-Name says, and its parameters, with %s for a text of any length. */
struct request {
    const char *method;
    const char *name;
    const char *params;
};

static const struct request REQUESTS[] = {
    {"tools/call", "tool", "\"name\":\"tool\",\"arguments\":{\"text\":\"%s\"}"},
    {"tools/list", NULL, "\"cursor\":\"%s\""},
    {"resources/read", "any:///x", "\"uri\":\"any:///x\",\"text\":\"%s\""},
    {"prompts/get", "prompt", "\"name\":\"prompt\",\"arguments\":{\"text\":\"%s\"}"},
    {"completion/complete", NULL,
     "\"ref\":{\"type\":\"ref/prompt\",\"name\":\"prompt\"},\"argument\":{\"name\":\"text\",\"value\":\"%s\"}"},
    {"unknown", NULL, "\"text\":\"%s\""},
};

/* How a child of check_served() ends. */
enum { SERVED = 0, NOT_REFUSED = 1, NOT_SERVED = 2, OF_THE_C_LIBRARY = 3, OF_THE_RUNTIME = 4, OF_ANY_OTHER = 5 };

/* A tool whose answer is as large as what it was asked. */
static void respond_back(void *user, mcp_message_t *request) {
    (void)user;
    const char *params = mcp_message_json(request, NULL);
    (void)mcp_request_respond_text(request, params, false, NULL);
    mcp_message_free(request);
}

static void respond_nothing(void *user, mcp_message_t *request) {
    (void)mcp_request_respond(request, user, NULL);
    mcp_message_free(request);
}

/* Says what it was that had no memory. Rust and the C library each register something once for a thread that uses HTTP. */
static void on_abort(int number) {
    Dl_info info;
    (void)number;
    if (dladdr(refused_for, &info) != 0 && info.dli_sname != NULL && strcmp(info.dli_sname, "__cxa_thread_atexit_impl") == 0) {
        _exit(OF_THE_C_LIBRARY);
    }
    _exit(refused_size == 48 ? OF_THE_RUNTIME : OF_ANY_OTHER);
}

/* Sends a request on a connection of its own; whether an answer came, whatever it says. */
static bool is_answered(int port, const char *text) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    struct timeval limit = {.tv_sec = 20};
    char answer[4096] = "";
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int connection = socket(AF_INET, SOCK_STREAM, 0);
    (void)setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    (void)setsockopt(connection, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
    bool is = connect(connection, (struct sockaddr *)&address, sizeof address) == 0;
    for (size_t sent = 0; is && sent < strlen(text);) {
        ssize_t part = send(connection, text + sent, strlen(text) - sent, MSG_NOSIGNAL);
        is = part > 0;
        sent += is ? (size_t)part : 0;
    }
    is = is && recv(connection, answer, sizeof answer - 1, 0) > 0 && strncmp(answer, "HTTP/1.1 ", 9) == 0;
    while (is && recv(connection, answer, sizeof answer, 0) > 0) {
    }
    close(connection);
    return is;
}

/* A server from its beginning to its end, of which an allocation is refused meanwhile: a host that goes on, and serves the next one. */
static int serve_refused(const char *request, const char *next, size_t from, long at) {
    mcp_server_t *server = NULL;
    char *bound = NULL;
    int port = 0;
    signal(SIGABRT, on_abort);
    atomic_store(&refuse_from, from);
    atomic_store(&refuse_at, at);
    mcp_status_t status = mcp_server_new("{\"name\":\"x\",\"workers\":2}", NULL, &server, NULL);
    if (status == MCP_OK) {
        status = mcp_server_add_tool(server, "{\"name\":\"tool\",\"inputSchema\":{\"type\":\"object\"}}", respond_back, NULL, NULL, NULL);
    }
    if (status == MCP_OK) {
        status = mcp_server_add_resource_template(server, "{\"name\":\"any\",\"uriTemplate\":\"any:///{+path}\"}", respond_nothing,
                                                  "{\"contents\":[]}", NULL, NULL);
    }
    if (status == MCP_OK) {
        status = mcp_server_add_prompt(server, "{\"name\":\"prompt\",\"arguments\":[{\"name\":\"text\"}]}", respond_nothing,
                                       "{\"messages\":[]}", NULL, NULL);
    }
    if (status == MCP_OK) {
        status = mcp_server_add_completion(server, "prompt", "text", NULL, respond_nothing, "{\"completion\":{\"values\":[]}}", NULL, NULL);
    }
    if (status == MCP_OK) {
        status = mcp_server_serve(server, "{\"url\":\"http://127.0.0.1:0/mcp\"}", &bound, NULL);
    }
    bool is_served = of_threads(status) == MCP_ERROR_NO_MEMORY;
    if (status == MCP_OK && sscanf(strstr(bound, "127.0.0.1:"), "127.0.0.1:%d", &port) == 1) {
        /* The connection may be lost that has no memory, and no other. */
        is_served = (is_answered(port, request) || atomic_load(&refused) > 0) && (is_answered(port, next) || atomic_load(&refused) > 0);
        is_served = is_served && is_answered(port, next);
    }
    mcp_server_free(server);
    mcp_string_free(bound);
    atomic_store(&refuse_at, 0);
    if (!is_served) {
        fprintf(stderr, "%s\n", mcp_status_name(status));
        return NOT_SERVED;
    }
    return atomic_load(&refused) > 0 ? SERVED : NOT_REFUSED;
}

/* The text of a request with a text of so many bytes in it. */
static char *request_of(const struct request *of, size_t length) {
    char *text = malloc(length + 1);
    memset(text, 'a', length);
    text[length] = '\0';
    char *params = format(of->params, text);
    char *body = format("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"%s\",\"params\":{%s," META "}}", of->method, params);
    char *name = of->name != NULL ? format("Mcp-Name: %s\r\n", of->name) : format("");
    char *request = format("POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                           "Accept: application/json, text/event-stream\r\nMCP-Protocol-Version: 2026-07-28\r\nMcp-Method: %s\r\n"
                           "%sConnection: close\r\nContent-Length: %zu\r\n\r\n%s",
                           of->method, name, strlen(body), body);
    free(text);
    free(params);
    free(body);
    free(name);
    return request;
}

/* Each allocation of a server over HTTP is refused once, in a child of its own: what ends the process is counted by its reason. Where a
 * client decides how much memory is needed, nothing does. */
static long check_served(long ends[OF_ANY_OTHER + 1]) {
    enum { SMALL_BODY = 10, LARGE_BODY = 300000 };
    long count = 0;
    for (size_t i = 0; i <= sizeof REQUESTS / sizeof REQUESTS[0]; i++) {
        /* All allocations beside a small call, and the larger ones beside each large request. */
        const struct request *of = &REQUESTS[i == 0 ? 0 : i - 1];
        size_t length = i == 0 ? SMALL_BODY : LARGE_BODY;
        char *request = request_of(of, length);
        char *next = request_of(&REQUESTS[0], SMALL_BODY);
        for (long at = 1; at < 5000; at++) {
            int state = 0;
            pid_t child = fork();
            CHECK(child >= 0);
            if (child == 0) {
                alarm(60);
                _exit(serve_refused(request, next, i == 0 ? 1 : 4096, at));
            }
            CHECK_EQ(waitpid(child, &state, 0), child);
            int end = WIFEXITED(state) ? WEXITSTATUS(state) : OF_ANY_OTHER;
            if (end == NOT_REFUSED) {
                break;
            }
            if (end == NOT_SERVED || end >= OF_ANY_OTHER) {
                FAIL("%s with %zu bytes, allocation %ld: ended with %d (status %d)", of->method, length, at, end, state);
            }
            ends[end]++;
            count++;
        }
        free(request);
        free(next);
    }
    return count;
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 4);
    /* First: a child of fork() has this thread alone. */
    long ends[OF_ANY_OTHER + 1] = {0};
    long served = check_served(ends);
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
           "others: %ld; of a server over HTTP: %ld, of which %ld end the process: %ld destructors that the C library registers for a "
           "thread, %ld times 48 bytes that Rust keeps for a thread\n",
           lines, lengths, legacy, modern, events, others, served, ends[OF_THE_C_LIBRARY] + ends[OF_THE_RUNTIME],
           ends[OF_THE_C_LIBRARY], ends[OF_THE_RUNTIME]);
    return 0;
}
