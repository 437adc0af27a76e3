/*
 * What the torture runs: `host SCENARIO EXAMPLE_SERVER KIND`. Between two marks it connects, calls, serves and closes, while
 * torture.c makes one system call fail. Every function returns in time with a status that fits; a started call has one reply;
 * nothing is left. Afterwards a new client of the same kind works. With the KIND `transient` no function may notice the failure.
 */
#include "../c/served_http.h"
#include "marks.h"

#include <sys/prctl.h>

/* Waits end early, so that a call which the library forgot shows as a timeout and not as a slow success. */
#define TIMEOUTS                                                                                             \
    "\"timeouts\":{\"call_ms\":4000,\"connect_ms\":2000,\"probe_ms\":1000,\"initialize_ms\":2000,\"start_ms\":3000,"   \
    "\"listen_ms\":500,\"exit_ms\":500,\"term_ms\":200,\"close_ms\":2000}"
#define MEMBERS "\"reconnect\":{\"initial_ms\":2,\"max_ms\":4}," TIMEOUTS
#define CALLS_STARTED 3

static bool transient;
static const char *example_server;

static void mark(int what) { (void)prctl(MARK, what, 0, 0, 0); }

/* The status of one function. INTERNAL without a text is a panic that the guard caught. */
static bool went_well(const char *what, mcp_status_t status, const char *error) {
    if (status == MCP_OK) {
        return true;
    }
    if (transient) {
        FAIL("%s noticed it: %s %s", what, mcp_status_name(status), error != NULL ? error : "");
    }
    switch (status) {
    case MCP_ERROR_TRANSPORT:
    case MCP_ERROR_UNAVAILABLE:
    case MCP_ERROR_CLOSED:
    case MCP_ERROR_NO_MEMORY:
    case MCP_ERROR_BACKPRESSURE:
        return false;
    case MCP_ERROR_INTERNAL:
        if (error != NULL) {
            return false;
        }
        FAIL("%s panicked", what);
    default:
        FAIL("%s ends as %s: %s", what, mcp_status_name(status), error != NULL ? error : "(no error)");
    }
}

/* Three calls at once: each that began has one reply. */
static void start_some(mcp_client_t *client) {
    int begun = 0;
    for (int i = 0; i < CALLS_STARTED; i++) {
        char *error = NULL;
        uint64_t call = 0;
        mcp_status_t status = mcp_call_start(client, "tools/call", "{\"name\":\"add\",\"arguments\":{\"a\":1,\"b\":2}}", NULL,
                                             (uint64_t)i, &call, &error);
        begun += went_well("mcp_call_start", status, error) ? 1 : 0;
        mcp_string_free(error);
    }
    int replies[CALLS_STARTED] = {0};
    for (int left = begun; left > 0;) {
        mcp_message_t *message = NULL;
        mcp_status_t status = mcp_client_poll(client, 8000, &message);
        if (status != MCP_OK) {
            FAIL("%d of %d started calls have no outcome: %s", left, begun, mcp_status_name(status));
        }
        if (mcp_message_kind(message) == MCP_KIND_REPLY) {
            CHECK_EQ(++replies[mcp_message_tag(message)], 1);
            went_well("a started call", mcp_message_status(message), mcp_message_json(message, NULL));
            left--;
        }
        mcp_message_free(message);
    }
}

static void call_once(mcp_client_t *client) {
    mcp_message_t *reply = NULL;
    mcp_status_t status = mcp_call(client, "tools/call", "{\"name\":\"add\",\"arguments\":{\"a\":1,\"b\":2}}", NULL, &reply);
    const char *json = reply != NULL ? mcp_message_json(reply, NULL) : NULL;
    if (went_well("mcp_call", status, json)) {
        CHECK_TEXT(mcp_message_text(reply, NULL), "3");
    }
    mcp_message_free(reply);
}

/* A client from its connection to its end. */
static void use_and_free(mcp_client_t *client) {
    char *error = NULL;
    mcp_status_t status = mcp_client_connect(client, 6000, &error);
    went_well("mcp_client_connect", status, error);
    mcp_string_free(error);
    call_once(client);
    start_some(client);
    call_once(client);
    went_well("mcp_client_close", mcp_client_close(client, -1), "");
    mcp_message_t *message = NULL;
    while (mcp_client_poll(client, 0, &message) == MCP_OK) {
        if (mcp_message_kind(message) == MCP_KIND_REPLY) {
            FAIL("a call has a second reply: %s", mcp_message_json(message, NULL));
        }
        mcp_message_free(message);
    }
    CHECK_STATUS(mcp_client_free(client), MCP_OK);
}

static mcp_client_t *made(const char *config, mcp_server_t *server) {
    mcp_client_t *client = NULL;
    char *error = NULL;
    mcp_status_t status = server != NULL ? mcp_client_new_in_process(config, NULL, server, &client, &error)
                                         : mcp_client_new(config, NULL, &client, &error);
    if (!went_well("mcp_client_new", status, error)) {
        client = NULL;
    }
    mcp_string_free(error);
    return client;
}

/* ---- servers in this process ------------------------------------------------------------------ */

#define ADD                                                                                                  \
    "{\"name\":\"add\",\"inputSchema\":{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"number\"},"              \
    "\"b\":{\"type\":\"number\"}}}}"

static void on_add(void *user, mcp_message_t *request) {
    (void)user;
    mcp_status_t status = mcp_request_respond_text(request, "3", false, NULL);
    if (status != MCP_ERROR_CANCELLED) {
        went_well("mcp_request_respond_text", status, "");
    }
    mcp_message_free(request);
}

static mcp_server_t *made_server(void) {
    mcp_server_t *server = NULL;
    char *error = NULL;
    mcp_status_t status =
        mcp_server_new("{\"name\":\"s\",\"timeouts\":{\"finish_ms\":1000,\"close_ms\":1000}}", NULL, &server, &error);
    if (went_well("mcp_server_new", status, error)) {
        CHECK_STATUS(mcp_server_add_tool(server, ADD, on_add, NULL, NULL, NULL), MCP_OK);
    }
    mcp_string_free(error);
    return status == MCP_OK ? server : NULL;
}

/* The thread belongs to the host, and the host must have it. */
static void *run_server(void *server) {
    mcp_status_t status = mcp_server_run(server, -1);
    if (status != MCP_ERROR_CLOSED) {
        went_well("mcp_server_run", status, "");
    }
    return NULL;
}

/* Where one thread of the host is not to be had, the scenario has nothing to serve on. */
static bool serve_on_thread(mcp_server_t *server, pthread_t *thread) {
    return pthread_create(thread, NULL, run_server, server) == 0;
}

static void free_server(mcp_server_t *server, const pthread_t *thread) {
    mcp_status_t status = mcp_server_close(server, -1);
    if (status != MCP_ERROR_TIMEOUT || transient) {
        went_well("mcp_server_close", status, "");
    }
    if (thread != NULL) {
        join_thread(*thread);
    }
    CHECK_STATUS(mcp_server_free(server), MCP_OK);
}

/* ---- scenarios -------------------------------------------------------------------------------- */

static void process(void) {
    char *config = config_for(example_server, NULL, MEMBERS);
    mcp_client_t *client = made(config, NULL);
    if (client != NULL) {
        use_and_free(client);
    }
    free(config);
}

static void in_process(void) {
    mcp_server_t *server = made_server();
    if (server == NULL) {
        return;
    }
    pthread_t thread;
    bool served = serve_on_thread(server, &thread);
    mcp_client_t *client = served ? made("{" MEMBERS "}", server) : NULL;
    if (client != NULL) {
        use_and_free(client);
    }
    free_server(server, served ? &thread : NULL);
}

/* Both sides over a socket; `endpoint` is where the server listens. */
static void listening(const char *endpoint, const char *key, const char *more) {
    mcp_server_t *server = made_server();
    if (server == NULL) {
        return;
    }
    char *bound = NULL;
    char *error = NULL;
    pthread_t thread;
    mcp_status_t status = mcp_server_serve(server, endpoint, &bound, &error);
    bool serves = went_well("mcp_server_serve", status, error);
    mcp_string_free(error);
    bool runs = serves && serve_on_thread(server, &thread);
    if (runs) {
        char *pointer = format("/%s", key);
        char *place = json_at(bound, pointer);
        char *config = format("{\"%s\":\"%s\",%s" MEMBERS "}", key, place, more);
        mcp_client_t *client = made(config, NULL);
        if (client != NULL) {
            use_and_free(client);
        }
        free(config);
        mcp_string_free(place);
        free(pointer);
    }
    mcp_string_free(bound);
    free_server(server, runs ? &thread : NULL);
}

static void http_modern(void) { listening("{\"url\":\"http://127.0.0.1:0/mcp\"}", "url", "\"protocol\":\"modern\","); }
static void http_legacy(void) { listening("{\"url\":\"http://127.0.0.1:0/mcp\"}", "url", "\"protocol\":\"legacy\","); }
static void tcp_socket(void) { listening("{\"socket\":\"tcp:127.0.0.1:0\"}", "socket", ""); }

/* The client of a server on standard streams: its own system calls are not failed. It sends everything at once, ends its output
 * and reads to the end. */
struct talk {
    int in;
    int out;
    int lines;
};

static void *talk(void *user) {
    struct talk *talk = user;
    mark(APART);
    struct peer *peer = peer_on(talk->in, talk->out);
    static const char said[] =
        INITIALIZE "\n{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n"
        "{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"method\":\"tools/call\",\"params\":{\"name\":\"add\",\"arguments\":{}}}\n"
        "{\"jsonrpc\":\"2.0\",\"id\":\"b\",\"method\":\"tools/list\"}\n"
        "{\"jsonrpc\":\"2.0\",\"id\":\"c\",\"method\":\"tools/call\",\"params\":{\"name\":\"add\",\"arguments\":{}}}\n";
    peer_write(peer, said, sizeof said - 1);
    close(peer->out);
    peer->out = -1;
    bool seen[4] = {false};
    for (const char *line = peer_line(peer); line != NULL; line = peer_line(peer)) {
        static const char *const ids[4] = {"i", "a", "b", "c"};
        int at = 0;
        while (at < 4 && !json_is(line, "/id", ids[at])) {
            at++;
        }
        if (at == 4 || seen[at]) {
            FAIL("a line is broken, or an answer came twice: %s", line);
        }
        seen[at] = true;
        talk->lines++;
    }
    peer_free(peer);
    return NULL;
}

/* Descriptors 0 and 1 as a host gives them to a server. */
static void standard_streams(void) {
    int to[2];
    int from[2];
    struct talk said = {0};
    /* The pipes and the thread of the other side are not the library's. */
    mark(PAUSE);
    CHECK_EQ(pipe2(to, O_CLOEXEC) | pipe2(from, O_CLOEXEC), 0);
    CHECK_EQ(dup2(to[0], 0) | dup2(from[1], 1), 1);
    close(to[0]);
    close(from[1]);
    said.in = from[0];
    said.out = to[1];
    pthread_t peer = start_thread(talk, &said);
    mark(GO_ON);
    mcp_server_t *server = made_server();
    if (server != NULL) {
        char *error = NULL;
        mcp_status_t status = mcp_server_serve(server, "{\"stdio\":true}", NULL, &error);
        if (went_well("mcp_server_serve", status, error)) {
            run_server(server);
        }
        mcp_string_free(error);
        free_server(server, NULL);
    }
    mark(PAUSE);
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    CHECK_GE(null, 0);
    CHECK_EQ(dup2(null, 0) | dup2(null, 1), 1);
    close(null);
    join_thread(peer);
    if (transient) {
        CHECK_EQ(said.lines, 4);
    }
    mark(GO_ON);
}

/* What must be found: a read that is not made again, and a descriptor that is left when the second one is not to be had. */
static void planted(void) {
    int ends[2] = {-1, -1};
    char byte = 0;
    if (pipe2(ends, O_CLOEXEC) != 0) {
        return;
    }
    CHECK_EQ(write(ends[1], "x", 1), 1);
    if (read(ends[0], &byte, 1) != 1) {
        went_well("the planted read", MCP_ERROR_TRANSPORT, strerror(errno));
    }
    int copy = dup(ends[0]);
    if (copy >= 0) {
        close(copy);
        close(ends[0]);
    }
    close(ends[1]);
}

static const struct {
    const char *name;
    void (*run)(void);
} SCENARIOS[] = {
    {"planted", planted},
    {"process", process},         {"standard-streams", standard_streams}, {"in-process", in_process},
    {"tcp-socket", tcp_socket},   {"http-modern", http_modern},           {"http-legacy", http_legacy},
};

int main(int argc, char **argv) {
    CHECK_EQ(argc, 4);
    example_server = argv[2];
    transient = strcmp(argv[3], "transient") == 0;
    signal(SIGPIPE, SIG_IGN);
    for (size_t i = 0; i < sizeof SCENARIOS / sizeof SCENARIOS[0]; i++) {
        if (strcmp(SCENARIOS[i].name, argv[1]) != 0) {
            continue;
        }
        struct holdings held = holdings_now();
        mark(BEGIN);
        SCENARIOS[i].run();
        mark(END);
        check_nothing_left(held);
        /* What failed once leaves nothing behind that a new client of this process would meet. */
        transient = true;
        SCENARIOS[i].run();
        check_nothing_left(held);
        return 0;
    }
    FAIL("no scenario %s", argv[1]);
}
