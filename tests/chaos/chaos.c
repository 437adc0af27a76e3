/*
 * Processes with clients call processes with servers, and both are killed (SIGKILL) at random moments. Every call of a client that lives
 * ends once, in its time, with its own answer or an honest error; no call is executed twice; and all of it goes on.
 *
 * Run as `chaos stdio|http CALLS KILLS [SEED]`. What it starts of itself: `chaos client ...` with THREADS callers, `chaos server ...`.
 * All processes write into one book, a file that they share: who executed which call, and how it ended.
 */
#include "../c/processes.h"
#include "../c/served_http.h"

#include <sys/mman.h>

#define CLIENTS 4
#define THREADS 2
#define MOST (1u << 22)
#define DEADLINE_MS 20000

/* UNSENT: the client says that nothing went out. ABANDONED: its client was killed. */
enum end { NOT_BEGUN, BEGUN, ANSWERED, FAILED, UNSENT, ABANDONED, ENDS };

/* Every member is read and written by atomic operations only. */
struct book {
    uint64_t next; /* the number of the next call */
    uint64_t longest_ms;
    uint32_t over;
    pid_t servers[CLIENTS];           /* stdio: the server of each client */
    int64_t calls[CLIENTS][THREADS]; /* what each caller calls, or -1 */
    uint8_t end[MOST];
    uint8_t executed[MOST];
};

static struct book *open_book(const char *path) {
    int fd = open(path, O_RDWR | O_CLOEXEC);
    CHECK_GE(fd, 0);
    CHECK_EQ(ftruncate(fd, (off_t)sizeof(struct book)), 0);
    struct book *book = mmap(NULL, sizeof *book, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    CHECK(book != MAP_FAILED);
    close(fd);
    return book;
}

/* ---- a server -------------------------------------------------------------------------------- */

static void on_count(void *user, mcp_message_t *request) {
    struct book *book = user;
    int64_t number = -1;
    mcp_value_t arguments = mcp_value_get(mcp_message_value(request), "arguments");
    CHECK_STATUS(mcp_value_int64(mcp_value_get(arguments, "n"), &number), MCP_OK);
    CHECK(number >= 0 && number < MOST);
    __atomic_fetch_add(&book->executed[number], 1, __ATOMIC_SEQ_CST);
    char *text = format("%lld", (long long)number);
    mcp_request_respond_text(request, text, false, NULL); /* its client may be gone */
    free(text);
    mcp_message_free(request);
}

static int serve(struct book *book, const char *endpoint) {
    mcp_server_t *server = new_server("{\"name\":\"counting\"}");
    char *error = NULL;
    add_tool(server, "{\"name\":\"count\",\"inputSchema\":{\"type\":\"object\",\"properties\":{\"n\":{\"type\":\"integer\"}},\"required\":[\"n\"]}}",
             on_count, book);
    if (mcp_server_serve(server, endpoint, NULL, &error) != MCP_OK) {
        FAIL("%s is not served: %s", endpoint, error);
    }
    CHECK_STATUS(mcp_server_run(server, -1), MCP_ERROR_CLOSED);
    CHECK_STATUS(mcp_server_free(server), MCP_OK);
    return 0;
}

/* ---- a process with clients -------------------------------------------------------------------- */

struct caller {
    struct book *book;
    mcp_client_t *client;
    int64_t *calls;
};

static void call(struct caller *caller, uint64_t number) {
    struct book *book = caller->book;
    char *params = format("{\"name\":\"count\",\"arguments\":{\"n\":%llu}}", (unsigned long long)number);
    char *expected = format("%llu", (unsigned long long)number);
    __atomic_store_n(caller->calls, (int64_t)number, __ATOMIC_SEQ_CST);
    __atomic_store_n(&book->end[number], BEGUN, __ATOMIC_SEQ_CST);
    mcp_message_t *reply = NULL;
    long long begun = now_ms();
    mcp_status_t status = mcp_call(caller->client, "tools/call", params, NULL, &reply);
    uint64_t took = (uint64_t)(now_ms() - begun);
    CHECK_LE((long long)took, DEADLINE_MS + slack());
    uint64_t longest = __atomic_load_n(&book->longest_ms, __ATOMIC_SEQ_CST);
    while (took > longest && !__atomic_compare_exchange_n(&book->longest_ms, &longest, took, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) {
    }
    enum end end = ANSWERED;
    if (status == MCP_OK) {
        CHECK_TEXT(mcp_message_text(reply, NULL), expected);
    } else if (status == MCP_ERROR_TRANSPORT || status == MCP_ERROR_UNAVAILABLE) {
        char *sent = json_at(mcp_message_json(reply, NULL), "/details/sent");
        end = sent != NULL && strcmp(sent, "false") == 0 ? UNSENT : FAILED;
        mcp_string_free(sent);
    } else {
        FAIL("call %s: %s: %s", expected, mcp_status_name(status), mcp_message_json(reply, NULL));
    }
    mcp_message_free(reply);
    __atomic_store_n(&book->end[number], (uint8_t)end, __ATOMIC_SEQ_CST);
    if (end == UNSENT) {
        poll(NULL, 0, 1); /* its server is being started */
    }
    free(expected);
    free(params);
}

static void *call_on(void *user) {
    struct caller *caller = user;
    while (!__atomic_load_n(&caller->book->over, __ATOMIC_SEQ_CST)) {
        uint64_t number = __atomic_fetch_add(&caller->book->next, 1, __ATOMIC_SEQ_CST);
        CHECK_LE(number, MOST - 1);
        call(caller, number);
    }
    return NULL;
}

static int be_client(struct book *book, int which, const char *config) {
    struct caller callers[THREADS];
    pthread_t threads[THREADS];
    mcp_client_t *client = NULL;
    char *error = NULL;
    if (mcp_client_new(config, NULL, &client, &error) != MCP_OK) {
        FAIL("%s", error);
    }
    for (int i = 0; i < THREADS; i++) {
        callers[i] = (struct caller){book, client, &book->calls[which][i]};
        threads[i] = start_thread(call_on, &callers[i]);
    }
    for (int i = 0; i < THREADS; i++) {
        join_thread(threads[i]);
    }
    close_and_free(client);
    return 0;
}

/* ---- who starts and kills them ------------------------------------------------------------------ */

struct play {
    struct book *book;
    char *path; /* of the book */
    bool http;
    int port;
    pid_t server; /* http */
    pid_t clients[CLIENTS];
    unsigned int seed;
    long kills_of_servers;
    long kills_of_clients;
    long abandoned;
};

static void start_server(struct play *play) {
    char *endpoint = format("{\"url\":\"http://127.0.0.1:%d/mcp\"}", play->port);
    char *arguments[] = {"chaos", "server", play->path, endpoint, NULL};
    play->server = run_program("/proc/self/exe", arguments);
    free(endpoint);
}

static void start_client(struct play *play, int which) {
    char number[12];
    char *place;
    snprintf(number, sizeof number, "%d", which);
    if (play->http) {
        place = format("\"url\":\"http://127.0.0.1:%d/mcp\"", play->port);
    } else {
        place = format("\"command\":\"/proc/self/exe\",\"args\":[\"server\",\"%s\",\"{\\\"stdio\\\":true}\",\"%d\"]", play->path, which);
    }
    /* Both eras at one server. */
    char *config = format("{%s,\"protocol\":\"%s\",\"when_unavailable\":\"wait\",\"timeouts\":{\"call_ms\":%d},"
                          "\"reconnect\":{\"initial_ms\":1,\"max_ms\":20}}",
                          place, which % 2 == 0 ? "modern" : "legacy", DEADLINE_MS);
    char *arguments[] = {"chaos", "client", play->path, number, config, NULL};
    play->clients[which] = run_program("/proc/self/exe", arguments);
    free(config);
    free(place);
}

static void kill_and_reap(pid_t pid) {
    int status = 0;
    CHECK_EQ(kill(pid, SIGKILL), 0);
    CHECK_EQ(waitpid(pid, &status, 0), pid);
    if (!WIFSIGNALED(status) || WTERMSIG(status) != SIGKILL) {
        FAIL("process %d had ended by itself, with %x", (int)pid, (unsigned)status);
    }
}

static void kill_client(struct play *play, int which) {
    kill_and_reap(play->clients[which]);
    play->kills_of_clients++;
    for (int i = 0; i < THREADS; i++) {
        int64_t number = __atomic_exchange_n(&play->book->calls[which][i], -1, __ATOMIC_SEQ_CST);
        uint8_t begun = BEGUN;
        if (number >= 0 &&
            __atomic_compare_exchange_n(&play->book->end[number], &begun, ABANDONED, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) {
            play->abandoned++;
        }
    }
    start_client(play, which);
}

/* Whether a process is a child of another one, now. */
static bool is_child(pid_t pid, pid_t parent) {
    char *path = format("/proc/%d/stat", (int)pid);
    FILE *file = fopen(path, "re");
    int found = -1;
    free(path);
    if (file != NULL) {
        if (fscanf(file, "%*d (%*[^)]) %*c %d", &found) != 1) {
            found = -1;
        }
        fclose(file);
    }
    return found == parent;
}

static void kill_one(struct play *play) {
    int which = rand_r(&play->seed) % CLIENTS;
    if (rand_r(&play->seed) % 4 == 0) {
        kill_client(play, which);
    } else if (play->http) {
        kill_and_reap(play->server);
        play->kills_of_servers++;
        start_server(play);
    } else {
        pid_t pid = __atomic_load_n(&play->book->servers[which], __ATOMIC_SEQ_CST);
        if (pid > 0 && is_child(pid, play->clients[which]) && kill(pid, SIGKILL) == 0) {
            play->kills_of_servers++;
        }
    }
}

/* Counts how the calls ended, and holds them to what was promised. */
static void judge(const struct play *play, const char *transport, long long took) {
    const struct book *book = play->book;
    long ends[ENDS] = {0};
    uint64_t made = book->next;
    for (uint64_t number = 0; number < made; number++) {
        ends[book->end[number]]++;
        if (book->executed[number] > 1) {
            FAIL("call %llu was executed %d times", (unsigned long long)number, book->executed[number]);
        }
        if (book->end[number] == ANSWERED && book->executed[number] != 1) {
            FAIL("call %llu was answered and not executed", (unsigned long long)number);
        }
        if (book->end[number] == UNSENT && book->executed[number] != 0) {
            FAIL("call %llu was executed, and its client said that it was not sent", (unsigned long long)number);
        }
    }
    printf("%s: %llu calls in %lld ms, %ld kills of servers and %ld of clients: %ld answered, %ld failed, %ld were not sent, %ld "
           "of clients that were killed, 0 twice, 0 without an end; the longest took %llu ms\n",
           transport, (unsigned long long)made, took, play->kills_of_servers, play->kills_of_clients, ends[ANSWERED], ends[FAILED], ends[UNSENT],
           ends[ABANDONED] + ends[NOT_BEGUN], (unsigned long long)book->longest_ms);
    CHECK_EQ(ends[BEGUN], 0);
    CHECK_EQ(ends[ABANDONED], play->abandoned);
    /* Each caller has one number at a time, which it may have drawn and not begun. */
    CHECK_LE(ends[ABANDONED] + ends[NOT_BEGUN], play->kills_of_clients * THREADS);
    /* Only what was under way. Over HTTP a caller has another connection at once, which a server that is being killed may not have closed
     * yet: each may lose two calls. */
    CHECK_LE(ends[FAILED], play->kills_of_servers * THREADS * (play->http ? 2 * CLIENTS : 1));
}

static int play_all(const char *transport, long calls, long kills, unsigned int seed) {
    char path[] = "/tmp/libmcp-chaos-XXXXXX";
    int fd = mkstemp(path);
    CHECK_GE(fd, 0);
    close(fd);
    struct play play = {.book = open_book(path), .path = path, .http = strcmp(transport, "http") == 0, .seed = seed};
    CHECK_LE(calls, (long)MOST / 2);
    printf("seed %u\n", seed);
    memset(play.book->calls, 0xff, sizeof play.book->calls);
    long long begun = now_ms();
    if (play.http) {
        play.port = free_port();
        start_server(&play);
    }
    for (int i = 0; i < CLIENTS; i++) {
        start_client(&play, i);
    }
    /* The kills are spread over the calls. */
    while (play.kills_of_servers + play.kills_of_clients < kills) {
        uint64_t due = (uint64_t)calls * (uint64_t)(play.kills_of_servers + play.kills_of_clients + 1) / (uint64_t)(kills + 1);
        long long deadline = now_ms() + DEADLINE_MS + slack();
        while (__atomic_load_n(&play.book->next, __ATOMIC_SEQ_CST) < due) {
            CHECK_LE(now_ms(), deadline);
            poll(NULL, 0, 1);
        }
        kill_one(&play);
        poll(NULL, 0, (int)(rand_r(&play.seed) % 3));
    }
    long long deadline = now_ms() + 10LL * patience();
    while (__atomic_load_n(&play.book->next, __ATOMIC_SEQ_CST) < (uint64_t)calls) {
        CHECK_LE(now_ms(), deadline);
        breathe();
    }
    __atomic_store_n(&play.book->over, 1, __ATOMIC_SEQ_CST);
    for (int i = 0; i < CLIENTS; i++) {
        int status = 0;
        CHECK_EQ(waitpid(play.clients[i], &status, 0), play.clients[i]);
        if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
            FAIL("client %d ended with %x", i, (unsigned)status);
        }
    }
    if (play.http) {
        kill_and_reap(play.server);
    }
    CHECK_EQ(unlink(path), 0);
    judge(&play, transport, now_ms() - begun);
    return 0;
}

int main(int count, char **arguments) {
    if (count >= 4 && strcmp(arguments[1], "server") == 0) {
        struct book *book = open_book(arguments[2]);
        if (count == 5) {
            __atomic_store_n(&book->servers[atoi(arguments[4])], getpid(), __ATOMIC_SEQ_CST);
        }
        return serve(book, arguments[3]);
    }
    if (count == 5 && strcmp(arguments[1], "client") == 0) {
        return be_client(open_book(arguments[2]), atoi(arguments[3]), arguments[4]);
    }
    CHECK(count == 4 || count == 5);
    CHECK(strcmp(arguments[1], "stdio") == 0 || strcmp(arguments[1], "http") == 0);
    return play_all(arguments[1], atol(arguments[2]), atol(arguments[3]), count == 5 ? (unsigned)atol(arguments[4]) : (unsigned)now_ms());
}
