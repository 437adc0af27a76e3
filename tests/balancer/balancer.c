/*
 * Two processes of one server behind HAProxy, with packaging/balancing/haproxy.cfg as it is.
 *
 * Run as `balancer HAPROXY CONFIGURATION CALLS`; `balancer serve PORT` is one process of the server. It shows that a state that one
 * process sealed is opened by the other, that sessions stay with their process, that a rolling restart under load loses no call,
 * and that of a process that is killed only the calls under way fail, and their clients are told.
 */
#include "../c/processes.h"
#include "../c/served_http.h"

#define THREADS 4
#define BETWEEN 1000 /* calls between two restarts, or a sixteenth of all if that is less */
#define KEY "\"AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=\""

/* ---- the server ----------------------------------------------------------------------------- */

#define FORM                                                                                                 \
    "{\"mode\":\"form\",\"message\":\"Name?\",\"requestedSchema\":{\"type\":\"object\",\"properties\":"        \
    "{\"name\":{\"type\":\"string\"}},\"required\":[\"name\"]}}"

static void say(mcp_message_t *request, char *text) {
    mcp_request_respond_text(request, text, false, NULL); /* its client may be gone */
    free(text);
    mcp_message_free(request);
}

static void on_pid(void *user, mcp_message_t *request) {
    (void)user;
    say(request, format("%d", (int)getpid()));
}

/* Says which process asked and which one got the answer. */
static void on_ask(void *user, mcp_message_t *request) {
    (void)user;
    char *answer = NULL;
    char *state = NULL;
    if (mcp_request_ask(request, "name", "elicitation/create", FORM, &answer, NULL) == MCP_EMPTY) {
        char *mine = format("%d", (int)getpid());
        CHECK_STATUS(mcp_request_set_state(request, mine, NULL), MCP_OK);
        free(mine);
        mcp_message_free(request);
        return;
    }
    CHECK_STATUS(mcp_request_state(request, &state, NULL), MCP_OK);
    say(request, format("%s %d", state, (int)getpid()));
    mcp_string_free(state);
    mcp_string_free(answer);
}

static int serve(const char *port) {
    sigset_t ends;
    sigemptyset(&ends);
    sigaddset(&ends, SIGTERM);
    CHECK_EQ(pthread_sigmask(SIG_BLOCK, &ends, NULL), 0);
    mcp_server_t *server = new_server("{\"name\":\"balanced\",\"workers\":2,\"request_state\":{\"keys\":[" KEY "]},"
                                      "\"timeouts\":{\"notice_ms\":1000,\"drain_ms\":20000}}");
    add_tool(server, TOOL("pid"), on_pid, NULL);
    add_tool(server, TOOL("ask"), on_ask, NULL);
    char *endpoint = format("{\"url\":\"http://127.0.0.1:%s/mcp\",\"health\":\"/healthz\",\"metrics\":\"/metrics\"}", port);
    char *error = NULL;
    if (mcp_server_serve(server, endpoint, NULL, &error) != MCP_OK) {
        FAIL("%s not served: %s", endpoint, error);
    }
    free(endpoint);
    int signal = 0;
    CHECK_EQ(sigwait(&ends, &signal), 0);
    CHECK_STATUS(mcp_server_close(server, 5000), MCP_OK);
    CHECK_STATUS(mcp_server_free(server), MCP_OK);
    return 0;
}

/* ---- the processes ---------------------------------------------------------------------------- */

static pid_t processes[2];
static int ports[2];
static int balanced; /* the port of HAProxy */

static void start_process(int which) {
    char *port = format("%d", ports[which]);
    char *arguments[] = {"balancer", "serve", port, NULL};
    processes[which] = run_program("/proc/self/exe", arguments);
    free(port);
}

/* Ends a process by a signal; it must end as it should. */
static void end_process(pid_t pid, int signal) {
    int status = 0;
    CHECK_EQ(kill(pid, signal), 0);
    CHECK_EQ(waitpid(pid, &status, 0), pid);
    if (signal == SIGTERM && (!WIFEXITED(status) || WEXITSTATUS(status) != 0)) {
        FAIL("process %d ended with %x", (int)pid, (unsigned)status);
    }
}

/* ---- one call ---------------------------------------------------------------------------------- */

#define CALL_PID MODERN_CALL(1, "pid")

struct caller {
    struct wire *wire; /* a connection that is kept, or NULL */
    long called;
    long served;
    long told; /* an answer said that the call failed */
    long cut;  /* the connection ended instead: HAProxy answers only the first request of a connection with 502 */
    char last[256];
};

static bool connected_to(struct caller *caller) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)balanced)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    caller->wire = calloc(1, sizeof *caller->wire);
    CHECK(caller->wire != NULL);
    caller->wire->fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    CHECK_GE(caller->wire->fd, 0);
    if (connect(caller->wire->fd, (struct sockaddr *)&address, sizeof address) == 0) {
        return true;
    }
    wire_free(caller->wire);
    caller->wire = NULL;
    return false;
}

/* Whether an answer has come whole. */
static bool is_whole(const struct wire *wire) {
    const char *end = strstr(wire->bytes, "\r\n\r\n");
    if (end == NULL) {
        return false;
    }
    char *length = header_of(wire, "content-length");
    bool whole = length != NULL && strlen(end + 4) >= (size_t)atol(length);
    free(length);
    return whole;
}

/* One call of 2026-07-28; gives the process that served it, or 0. */
static int call(struct caller *caller) {
    static const char request[] = "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nAccept: application/json\r\n" //
        MODERN_HEADERS("tools/call") "Mcp-Name: pid\r\nContent-Length: ";
    if (caller->wire == NULL && !connected_to(caller)) {
        FAIL("HAProxy takes no connection: %s", strerror(errno));
    }
    struct wire *wire = caller->wire;
    wire->length = 0;
    wire->bytes[0] = '\0';
    char *whole = format("%s%zu\r\n\r\n%s", request, strlen(CALL_PID), CALL_PID);
    bool alive = wire_send(wire, whole, strlen(whole));
    free(whole);
    while (alive && !is_whole(wire)) {
        alive = wire_read(wire);
    }
    caller->called++;
    int pid = 0;
    if (!is_whole(wire)) {
        caller->cut++;
        snprintf(caller->last, sizeof caller->last, "%.200s", wire->bytes);
    } else if (status_of(wire) == 200) {
        char *text = json_at(body_of(wire), "/result/content/0/text");
        pid = text != NULL ? atoi(text) : 0;
        if (pid == 0) {
            FAIL("no result: %s", wire->bytes);
        }
        mcp_string_free(text);
        caller->served++;
    } else {
        caller->told++;
        snprintf(caller->last, sizeof caller->last, "%.200s", wire->bytes);
    }
    char *connection = header_of(wire, "connection");
    if (!alive || (connection != NULL && strcasecmp(connection, "close") == 0)) {
        wire_free(wire);
        caller->wire = NULL;
    }
    free(connection);
    return pid;
}

/* Waits until calls reach a process. Calls before that may fail. */
static void until_reached(pid_t pid) {
    struct caller caller = {0};
    long long deadline = now_ms() + patience();
    while (call(&caller) != pid) {
        if (now_ms() > deadline) {
            FAIL("process %d is not reached; last: %s", (int)pid, caller.last);
        }
        breathe();
    }
    if (caller.wire != NULL) {
        wire_free(caller.wire);
    }
}

/* ---- load --------------------------------------------------------------------------------------- */

static long wanted;
static long begun_calls;
static bool restarted_enough;

static void *load(void *user) {
    struct caller *caller = user;
    /* Until there were as many calls and as many restarts as there are to be. */
    while (__atomic_fetch_add(&begun_calls, 1, __ATOMIC_SEQ_CST) < wanted || !__atomic_load_n(&restarted_enough, __ATOMIC_SEQ_CST)) {
        call(caller);
    }
    if (caller->wire != NULL) {
        wire_free(caller->wire);
        caller->wire = NULL;
    }
    return NULL;
}

/* Calls while one process after the other is ended by a signal and started again. */
static void restarts_under_load(long calls, int signal) {
    static struct caller callers[THREADS];
    pthread_t threads[THREADS];
    memset(callers, 0, sizeof callers);
    wanted = calls;
    begun_calls = 0;
    restarted_enough = false;
    long between = calls / 16 < BETWEEN ? calls / 16 : BETWEEN;
    long long begun = now_ms();
    for (int i = 0; i < THREADS; i++) {
        threads[i] = start_thread(load, &callers[i]);
    }
    int restarts = 0;
    for (; restarts < 4 || __atomic_load_n(&begun_calls, __ATOMIC_SEQ_CST) < calls; restarts++) {
        int which = restarts % 2;
        end_process(processes[which], signal);
        start_process(which);
        until_reached(processes[which]);
        /* Both serve for a while. */
        long until = __atomic_load_n(&begun_calls, __ATOMIC_SEQ_CST) + between;
        long long deadline = now_ms() + 10LL * patience();
        while (__atomic_load_n(&begun_calls, __ATOMIC_SEQ_CST) < until) {
            CHECK_LE(now_ms(), deadline);
            breathe();
        }
    }
    __atomic_store_n(&restarted_enough, true, __ATOMIC_SEQ_CST);
    struct caller all = {0};
    for (int i = 0; i < THREADS; i++) {
        join_thread(threads[i]);
        all.called += callers[i].called;
        all.served += callers[i].served;
        all.told += callers[i].told;
        all.cut += callers[i].cut;
        if (callers[i].told + callers[i].cut > 0) {
            memcpy(all.last, callers[i].last, sizeof all.last);
        }
    }
    printf("%s: %ld calls in %lld ms, %d restarts: %ld served, %ld told that they failed, %ld by the end of their connection\n",
           signal == SIGTERM ? "rolling restart" : "kill", all.called, now_ms() - begun, restarts, all.served, all.told + all.cut, all.cut);
    if (signal == SIGTERM && all.told + all.cut > 0) {
        FAIL("last: %s", all.last);
    }
    CHECK_GE(all.called, calls);
    CHECK_EQ(all.served + all.told + all.cut, all.called);
    /* Each thread has one call under way when a process is killed. */
    CHECK_LE(all.told + all.cut, (long)restarts * THREADS);
}

/* ---- sessions and states ------------------------------------------------------------------------- */

static int pid_of(mcp_client_t *client) {
    char *text = tool_text(client, "pid", NULL);
    int pid = atoi(text);
    free(text);
    return pid;
}

/* A session stays with its process, and sessions are spread over both. */
static void sessions_stay(void) {
    bool seen[2] = {false, false};
    for (int i = 0; i < 6; i++) {
        mcp_client_t *client = http_client(balanced, "\"protocol\":\"2025-11-25\"");
        int first = pid_of(client);
        CHECK(first == processes[0] || first == processes[1]);
        seen[first == processes[1]] = true;
        for (int j = 0; j < 5; j++) {
            CHECK_EQ(pid_of(client), first);
        }
        close_and_free(client);
    }
    CHECK(seen[0] && seen[1]);
}

/* What one process asked, the other one gets the answer to. */
static void states_are_shared(void) {
    mcp_client_t *client = http_client(balanced, "\"protocol\":\"2026-07-28\",\"capabilities\":{\"elicitation\":{\"form\":{}}}");
    int crossed = 0;
    for (int i = 0; i < 6; i++) {
        start_tool(client, "ask", NULL, NULL, 1);
        mcp_message_t *request = next_of_kind(client, MCP_KIND_REQUEST);
        CHECK_STATUS(mcp_request_respond(request, "{\"action\":\"accept\",\"content\":{\"name\":\"Ann\"}}", NULL), MCP_OK);
        mcp_message_free(request);
        mcp_message_t *reply = next_of_kind(client, MCP_KIND_REPLY);
        CHECK_STATUS(mcp_message_status(reply), MCP_OK);
        char *text = json_at(mcp_message_json(reply, NULL), "/content/0/text");
        int asked = 0, answered = 0;
        if (text == NULL || sscanf(text, "%d %d", &asked, &answered) != 2) {
            FAIL("not two processes: %s", mcp_message_json(reply, NULL));
        }
        crossed += asked != answered;
        mcp_string_free(text);
        mcp_message_free(reply);
    }
    CHECK_GE(crossed, 1);
    close_and_free(client);
}

int main(int count, char **arguments) {
    if (count == 3 && strcmp(arguments[1], "serve") == 0) {
        return serve(arguments[2]);
    }
    CHECK_EQ(count, 4);
    long calls = atol(arguments[3]);
    CHECK_GE(calls, 1);
    balanced = free_port();
    for (int i = 0; i < 2; i++) {
        ports[i] = free_port();
        start_process(i);
    }
    char *at[3] = {format("127.0.0.1:%d", balanced), format("127.0.0.1:%d", ports[0]), format("127.0.0.1:%d", ports[1])};
    CHECK_EQ(setenv("MCP_BIND", at[0], 1), 0);
    CHECK_EQ(setenv("MCP_SERVER_A", at[1], 1), 0);
    CHECK_EQ(setenv("MCP_SERVER_B", at[2], 1), 0);
    char *haproxy[] = {"haproxy", "-db", "-f", arguments[2], NULL};
    pid_t balancer = run_program(arguments[1], haproxy);
    long long deadline = now_ms() + patience();
    for (bool listens = false; !listens;) {
        struct caller caller = {0};
        CHECK_LE(now_ms(), deadline);
        CHECK_EQ(waitpid(balancer, NULL, WNOHANG), 0);
        listens = connected_to(&caller);
        if (listens) {
            wire_free(caller.wire);
        }
        breathe();
    }
    until_reached(processes[0]);
    until_reached(processes[1]);
    /* What is for the machine that watches is not for clients. */
    struct wire *wire = wire_to(balanced);
    static const char health[] = "GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n";
    CHECK(wire_send(wire, health, sizeof health - 1));
    wire_until_end(wire);
    CHECK_EQ(status_of(wire), 404);
    wire_free(wire);

    states_are_shared();
    sessions_stay();
    restarts_under_load(calls, SIGTERM);
    restarts_under_load(calls, SIGKILL);
    states_are_shared();

    end_process(balancer, SIGKILL);
    end_process(processes[0], SIGTERM);
    end_process(processes[1], SIGTERM);
    for (int i = 0; i < 3; i++) {
        free(at[i]);
    }
    return 0;
}
