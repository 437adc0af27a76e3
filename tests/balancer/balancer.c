/*
 * Two processes of one server behind a balancer, with the configurations of packaging/balancing.
 *
 * Run as `balancer KIND PROGRAM CONFIGURATION CALLS PORT PORT-A PORT-B`, where the configuration has these three ports;
 * `balancer serve PORT NAMES NOTICE` is one process of the server. It shows that a state that one process sealed is opened by the other, that
 * sessions stay with their process or go on in another one, that events pass at once, that a rolling restart under load loses no call,
 * and that of a process that is killed only the calls under way fail, and their clients are told.
 */
#include "../c/processes.h"
#include "../c/served_http.h"

#include <semaphore.h>

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

/* Tells its client which process has it, and ends when that is told to by a signal: until then only the first event can have come. */
static sem_t told_to_end;

static void on_told(void *user, mcp_message_t *request) {
    (void)user;
    char *mine = format("pid=%d;", (int)getpid());
    CHECK_STATUS(mcp_request_progress(request, 1, 0, mine), MCP_OK);
    free(mine);
    while (sem_wait(&told_to_end) != 0) {
        CHECK_EQ(errno, EINTR);
    }
    say(request, format("ended"));
}

static int serve(const char *port, const char *names, const char *notice) {
    sigset_t ends;
    sigemptyset(&ends);
    sigaddset(&ends, SIGTERM);
    sigaddset(&ends, SIGUSR1);
    CHECK_EQ(pthread_sigmask(SIG_BLOCK, &ends, NULL), 0);
    CHECK_EQ(sem_init(&told_to_end, 0, 0), 0);
    char *config = format("{\"name\":\"balanced\",\"workers\":2,\"session_names\":\"%s\",\"request_state\":{\"keys\":[" KEY "]},"
                          "\"timeouts\":{\"notice_ms\":%s,\"drain_ms\":20000}}",
                          names, notice);
    mcp_server_t *server = new_server(config);
    free(config);
    add_tool(server, TOOL("pid"), on_pid, NULL);
    add_tool(server, TOOL("ask"), on_ask, NULL);
    add_tool(server, TOOL("told"), on_told, NULL);
    char *endpoint = format("{\"url\":\"http://127.0.0.1:%s/mcp\",\"health\":\"/healthz\",\"metrics\":\"/metrics\"}", port);
    char *error = NULL;
    if (mcp_server_serve(server, endpoint, NULL, &error) != MCP_OK) {
        FAIL("%s not served: %s", endpoint, error);
    }
    free(endpoint);
    for (int signal = 0; signal != SIGTERM;) {
        CHECK_EQ(sigwait(&ends, &signal), 0);
        if (signal == SIGUSR1) {
            CHECK_EQ(sem_post(&told_to_end), 0);
        }
    }
    CHECK_STATUS(mcp_server_close(server, 5000), MCP_OK);
    CHECK_STATUS(mcp_server_free(server), MCP_OK);
    return 0;
}

/* ---- the processes ---------------------------------------------------------------------------- */

static pid_t processes[2];
static int ports[2];
static int balanced; /* the port of the balancer */

/* How a balancer differs from the others. */
struct kind {
    const char *name;
    const char *names;  /* what names of sessions are */
    const char *notice; /* timeouts.notice_ms of the processes */
    bool is_told;       /* it looks at no health: a process that is to end is taken out of its configuration before, which closes idle
                           connections of clients, also those by which a request comes */
    bool knows_session; /* it has sessions stay with the process that began them; else with one that it chooses by their name */
};
static const struct kind KINDS[] = {
    {"haproxy", "random", "1000", false, true},
    {"nginx", "sealed", "1000", true, false},
    /* On a machine that is busy with other things its looks at health come late. */
    {"envoy", "sealed", "5000", false, false},
};
static const struct kind *kind;
static pid_t balancer;
static const char *configuration;

static void start_process(int which) {
    char *port = format("%d", ports[which]);
    char *arguments[] = {"balancer", "serve", port, (char *)kind->names, (char *)kind->notice, NULL};
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

/* ---- a balancer that is told -------------------------------------------------------------------- */

/* The text of a file; empty where it is gone, as that of a process may be. */
static char *text_of(const char *path) {
    char *text = NULL;
    size_t room = 0;
    FILE *file = fopen(path, "r");
    if (file == NULL || getdelim(&text, &room, '\0', file) < 0) {
        free(text);
        text = format("%s", "");
    }
    if (file != NULL) {
        fclose(file);
    }
    return text;
}

/* Takes a process out of the configuration, or has it in there again, and waits until no worker has the old one. */
static void tell_balancer(int which, bool is_out) {
    static const char ending[] = " down;";
    char *text = text_of(configuration);
    char *mark = format("127.0.0.1:%d ", ports[which]);
    FILE *file = fopen(configuration, "w");
    CHECK(file != NULL);
    for (char *line = text; *line != '\0';) {
        size_t length = strcspn(line, "\n");
        bool is_of = length > strlen(mark) && memmem(line, length, mark, strlen(mark)) != NULL;
        size_t whole = length;
        if (is_of && length > sizeof ending - 1 && memcmp(line + length - (sizeof ending - 1), ending, sizeof ending - 1) == 0) {
            whole -= sizeof ending - 1;
        } else if (is_of) {
            whole -= 1; /* the semicolon */
        }
        CHECK_EQ(fwrite(line, 1, whole, file), whole);
        if (is_of) {
            CHECK_GE(fputs(is_out ? ending : ";", file), 0);
        }
        CHECK_NE(fputc('\n', file), EOF);
        line += length + (line[length] == '\n');
    }
    CHECK_EQ(fclose(file), 0);
    free(mark);
    free(text);
    char *path = format("/proc/%d/task/%d/children", (int)balancer, (int)balancer);
    char *before = text_of(path);
    CHECK_NE(before[0], '\0');
    CHECK_EQ(kill(balancer, SIGHUP), 0);
    long long deadline = now_ms() + patience();
    char *rest = NULL;
    for (char *worker = strtok_r(before, " ", &rest); worker != NULL; worker = strtok_r(NULL, " ", &rest)) {
        /* One with an event stream stays, takes no connections, and says so. */
        char *title = format("/proc/%s/cmdline", worker);
        for (bool serves = true; serves;) {
            CHECK_LE(now_ms(), deadline);
            char *words = text_of(title);
            serves = words[0] != '\0' && strstr(words, "shutting down") == NULL;
            free(words);
            breathe();
        }
        free(title);
    }
    free(before);
    free(path);
}

/* ---- one call ---------------------------------------------------------------------------------- */

#define CALL_PID MODERN_CALL(1, "pid")

struct caller {
    struct wire *wire; /* a connection that is kept, or NULL */
    long called;
    long served;
    long told; /* an answer said that the call failed */
    long cut;  /* the connection ended instead: a balancer answers only the first request of a connection with 502 */
    char last[512];
};

static bool connected_to(struct caller *caller, int port) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
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
    if (caller->wire == NULL && !connected_to(caller, balanced)) {
        FAIL("%s takes no connection: %s", kind->name, strerror(errno));
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
        snprintf(caller->last, sizeof caller->last, "%.500s", wire->bytes);
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
        snprintf(caller->last, sizeof caller->last, "%.500s", wire->bytes);
    }
    char *connection = header_of(wire, "connection");
    if (!alive || kind->is_told || (connection != NULL && strcasecmp(connection, "close") == 0)) {
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

/* Waits until a process takes connections by itself. */
static void until_serves(int which) {
    for (long long deadline = now_ms() + patience();;) {
        struct caller caller = {0};
        if (connected_to(&caller, ports[which])) {
            wire_free(caller.wire);
            break;
        }
        CHECK_LE(now_ms(), deadline);
        breathe();
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
        bool is_told = kind->is_told && signal == SIGTERM;
        if (is_told) {
            tell_balancer(which, true);
        }
        end_process(processes[which], signal);
        start_process(which);
        if (is_told) {
            until_serves(which);
            tell_balancer(which, false);
        }
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

/* A session stays with its process, and sessions are spread over both. A balancer that goes by the name of a session may choose another
 * process for it than the one that gave the name: from then on it stays there. */
static void sessions_stay(void) {
    bool seen[2] = {false, false};
    /* A hash may choose the same process many times. */
    for (int i = 0; i < 6 || !seen[0] || !seen[1]; i++) {
        CHECK_LE(i, 200);
        mcp_client_t *client = http_client(balanced, "\"protocol\":\"2025-11-25\"");
        int first = pid_of(client);
        CHECK(first == processes[0] || first == processes[1]);
        seen[first == processes[1]] = true;
        for (int j = 0; j < 5; j++) {
            CHECK_EQ(pid_of(client), first);
        }
        close_and_free(client);
    }
}

/* An event comes when it is sent, and not with the end of its stream. */
static void events_pass_at_once(void) {
    static const char body[] = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"told\",\"arguments\":{},"
                               "\"_meta\":{\"progressToken\":1,\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","
                               "\"io.modelcontextprotocol/clientCapabilities\":{}}}}";
    struct wire *wire =
        begin(balanced, "POST", "Accept: application/json, text/event-stream\r\nContent-Type: application/json\r\n" //
              MODERN_HEADERS("tools/call") "Mcp-Name: told\r\nConnection: close\r\n", body);
    wire_until(wire, "pid=");
    wire_until(wire, ";");
    int pid = atoi(strstr(wire->bytes, "pid=") + 4);
    CHECK(pid == processes[0] || pid == processes[1]);
    CHECK(strstr(wire->bytes, "ended") == NULL);
    CHECK_EQ(kill(pid, SIGUSR1), 0);
    wire_until_end(wire);
    CHECK(strstr(wire->bytes, "ended") != NULL);
    wire_free(wire);
}

/* A session of before goes on, in whatever process. */
static void session_goes_on(mcp_client_t *client) {
    int pid = pid_of(client);
    CHECK(pid == processes[0] || pid == processes[1]);
}

/* A name that is nearly as long as one may be passes in the head of its answer and of the next request. */
static void long_names_pass(void) {
    char fill[2400];
    memset(fill, 'x', sizeof fill);
    char *body = format("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-11-25\","
                        "\"capabilities\":{\"experimental\":{\"fill\":{\"of\":\"%.*s\"}}},\"clientInfo\":{\"name\":\"c\",\"version\":\"1\"}}}",
                        (int)sizeof fill, fill);
    static const char lines[] =
        "Accept: application/json, text/event-stream\r\nContent-Type: application/json\r\nConnection: close\r\n";
    struct wire *wire = begin(balanced, "POST", lines, body);
    wire_until_end(wire);
    CHECK_EQ(status_of(wire), 200);
    char *name = header_of(wire, "mcp-session-id");
    if (name == NULL || strlen(name) < 3200 || strlen(name) > 4096) {
        FAIL("the name has %zu bytes", name == NULL ? 0 : strlen(name));
    }
    wire_free(wire);
    char *more = format("%sMcp-Session-Id: %s\r\nMCP-Protocol-Version: 2025-11-25\r\n", lines, name);
    wire = begin(balanced, "POST", more, "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"ping\"}");
    wire_until_end(wire);
    CHECK_EQ(status_of(wire), 200);
    wire_free(wire);
    free(more);
    free(name);
    free(body);
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
    if (count == 5 && strcmp(arguments[1], "serve") == 0) {
        return serve(arguments[2], arguments[3], arguments[4]);
    }
    CHECK_EQ(count, 8);
    for (size_t i = 0; i < sizeof KINDS / sizeof KINDS[0]; i++) {
        if (strcmp(arguments[1], KINDS[i].name) == 0) {
            kind = &KINDS[i];
        }
    }
    CHECK(kind != NULL);
    configuration = arguments[3];
    long calls = atol(arguments[4]);
    CHECK_GE(calls, 1);
    balanced = atoi(arguments[5]);
    for (int i = 0; i < 2; i++) {
        ports[i] = atoi(arguments[6 + i]);
        start_process(i);
    }
    char *haproxy[] = {"haproxy", "-db", "-f", arguments[3], NULL};
    char *nginx[] = {"nginx", "-e", "stderr", "-p", format("%.*s", (int)(strrchr(configuration, '/') - configuration), configuration),
                     "-c", arguments[3], "-g", "daemon off;", NULL};
    /* It shares memory with a second one of the same machine unless it is told not to. */
    char *envoy[] = {"envoy", "--use-dynamic-base-id", "--concurrency", "2", "-l", "warning", "-c", arguments[3], NULL};
    char **words = kind == &KINDS[0] ? haproxy : kind == &KINDS[1] ? nginx : envoy;
    /* What has processes of its own ends them. */
    int end = kind->is_told ? SIGTERM : SIGKILL;
    balancer = run_program_until(arguments[2], words, end);
    long long deadline = now_ms() + patience();
    for (bool listens = false; !listens;) {
        struct caller caller = {0};
        CHECK_LE(now_ms(), deadline);
        CHECK_EQ(waitpid(balancer, NULL, WNOHANG), 0);
        listens = connected_to(&caller, balanced);
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
    if (strcmp(kind->names, "sealed") == 0) {
        long_names_pass();
    }
    events_pass_at_once();
    mcp_client_t *session = kind->knows_session ? NULL : http_client(balanced, "\"protocol\":\"2025-11-25\"");
    restarts_under_load(calls, SIGTERM);
    if (session != NULL) {
        session_goes_on(session);
    }
    restarts_under_load(calls, SIGKILL);
    if (session != NULL) {
        session_goes_on(session);
        close_and_free(session);
    }
    states_are_shared();
    events_pass_at_once();

    end_process(balancer, end);
    end_process(processes[0], SIGTERM);
    end_process(processes[1], SIGTERM);
    free(nginx[4]);
    return 0;
}
