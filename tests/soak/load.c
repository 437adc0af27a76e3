/*
 * The load of `cargo xtask soak`: ten threads call on fifty servers (processes, HTTP of both eras, HTTP+SSE, a server of the
 * library in this process) in every way there is, while servers die, hang, answer nonsense and lose their sessions, and while clients are closed, freed and made
 * again. Every call ends once and in its time; in the end nothing is left.
 *
 *     load EXAMPLE_SERVER SCRIPTED_SERVER HTTP_SERVER SECONDS SEED [leak | lost]
 *
 * Each second it prints "sample SECONDS CALLS HALF MOST HEAP": calls ended so far, what half and 99 of 100 of
 * the good small calls of that second took at the most, in microseconds, and the KiB of the heap that are in use. With
 * `leak` it keeps the large results, with `lost` it forgets some outcomes: faults planted to see that they are found.
 */
#include "peers.h"

#ifdef __GLIBC__
#include <malloc.h>
#endif

#define WORKERS 10
#define CALL_MS 5000
#define OPTIONS "{\"timeout_ms\":5000,\"max_total_ms\":5000}"

static int plant; /* 'l': leak, 'o': lost */

/* Who works: a thread with its own chance. */
struct worker {
    unsigned int seed;
    int queue;
};

/* ---- calls ----------------------------------------------------------------------------- */

/* One blocking call; gives its reply. It must end in its time. */
static mcp_message_t *call_in_time(struct peer *peer, const char *tool, const char *arguments, int ms) {
    mcp_message_t *reply = NULL;
    char *options = format("{\"timeout_ms\":%d,\"max_total_ms\":%d}", ms, ms);
    long long begin = lived_ms();
    mcp_status_t status = mcp_client_call_tool(peer->client, tool, arguments, options, &reply);
    long long took = lived_ms() - begin;
    if (took > ms + LATE_MS || reply == NULL || mcp_message_status(reply) != status) {
        FAIL("%s on peer %d: %s after %lld ms, %s", tool, peer->number, mcp_status_name(status), took,
             reply == NULL ? "without a reply" : mcp_message_json(reply, NULL));
    }
    count_outcome(status, tool, mcp_message_json(reply, NULL));
    if (status == MCP_ERROR_CLOSED) {
        atomic_store(&peer->ended, true);
    }
    free(options);
    return reply;
}

static void call_and_forget(struct peer *peer, const char *tool, const char *arguments, int ms) {
    mcp_message_free(call_in_time(peer, tool, arguments, ms));
}

static void echo(struct peer *peer, unsigned int *seed) {
    char text[48];
    char arguments[80];
    snprintf(text, sizeof text, "call %d %d", peer->number, any(seed, 1 << 30));
    snprintf(arguments, sizeof arguments, "{\"text\":\"%s\"}", text);
    long long begin = now_us();
    mcp_message_t *reply = call_in_time(peer, "echo", arguments, CALL_MS);
    if (mcp_message_status(reply) == MCP_OK) {
        CHECK_TEXT(mcp_message_text(reply, NULL), text);
        count_time(now_us() - begin);
    }
    mcp_message_free(reply);
}

/* Starts a call; its outcome comes by the queue. Cancels it at once if wanted. */
static void start(struct peer *peer, const char *tool, const char *arguments, bool cancel) {
    uint64_t tag = open_ticket(peer->number);
    uint64_t call = 0;
    char *own = arguments == NULL ? format("{\"text\":\"started %llu\"}", (unsigned long long)tag) : NULL;
    char *error = NULL;
    atomic_fetch_add(&peer->open, 1);
    mcp_status_t status =
        mcp_client_call_tool_start(peer->client, tool, own != NULL ? own : arguments, OPTIONS, tag, &call,
                                   &error);
    if (status != MCP_OK) {
        count_outcome(status, "starting a call", error);
        settle_ticket(tag, "not started");
        atomic_fetch_sub(&peer->open, 1);
        if (status == MCP_ERROR_CLOSED) {
            atomic_store(&peer->ended, true);
        }
    } else if (cancel) {
        mcp_call_cancel(peer->client, call, one_in(&(unsigned int){(unsigned int)tag}, 2) ? "not needed" : NULL);
    }
    mcp_string_free(error);
    free(own);
}

static void big(struct peer *peer, unsigned int *seed) {
    char arguments[48];
    size_t length = 0;
    /* Beyond the bound of 1 MiB now and then. */
    long bytes = one_in(seed, 20) ? 2L << 20 : 1 + any(seed, 256 << 10);
    snprintf(arguments, sizeof arguments, "{\"bytes\":%ld}", bytes);
    mcp_message_t *reply = call_in_time(peer, "big", arguments, CALL_MS);
    if (mcp_message_status(reply) == MCP_OK) {
        CHECK(mcp_message_text(reply, &length) != NULL);
        CHECK_EQ(length, bytes);
    }
    if (plant != 'l') {
        mcp_message_free(reply);
    }
}

/* A wrong answer, in one of the many ways that the servers know. */
static void fault(struct peer *peer, unsigned int *seed) {
    static const char *const faults[] = {
        "reset",        "close",   "close-in-body", "close-in-chunk", "close-in-head", "html",       "error:500",
        "status:503",   "empty",   "accepted",      "not-json",       "bad-utf8",      "other-id",   "twice",
        "number",       "lost",    "half-event",    "sse-split",      "sse-crlf:3",    "sse-cr",     "sse-bom",
        "gzip-bomb:20", "br-bomb", "endless-line",  "endless-header", "wrong-type",    "lose-session", "endless-body"};
    static const char *const tools[] = {"both",      "neither",        "wrong_jsonrpc",  "string_id",    "unknown_id",
                                        "garbage",   "not_messages",   "bad_utf8",       "twice",        "nul_escape",
                                        "lone_surrogate", "duplicate_keys", "unknown_notification", "bad_progress",
                                        "stray_cancel",   "error",     "second_initialize", "unknown_request"};
    if (is_http(peer)) {
        char arguments[80];
        const char *which = faults[any(seed, (int)(sizeof faults / sizeof *faults))];
        snprintf(arguments, sizeof arguments, "{\"do\":\"%s\",\"text\":\"fine\"}", which);
        call_and_forget(peer, "fault", arguments, 1500);
    } else if (is_example(peer)) {
        call_and_forget(peer, one_in(seed, 2) ? "fail" : "no-such-tool", "{}", CALL_MS);
    } else {
        call_and_forget(peer, tools[any(seed, (int)(sizeof tools / sizeof *tools))], "{\"wait_ms\":50}", 500);
    }
}

static void list(struct peer *peer) {
    mcp_message_t *reply = NULL;
    mcp_status_t status = mcp_client_list_tools(peer->client, OPTIONS, &reply);
    CHECK(reply != NULL);
    count_outcome(status, "tools/list", mcp_message_json(reply, NULL));
    mcp_message_free(reply);
}

/* One random deed on one client. */
static void deed(struct peer *peer, unsigned int *seed) {
    int chance = any(seed, 1000);
    bool scripted = peer->kind == SCRIPTED || peer->kind == SCRIPTED_MODERN;
    if (chance < 600) {
        echo(peer, seed);
    } else if (chance < 750) {
        for (int calls = 1 + any(seed, 16); calls > 0; calls--) {
            start(peer, "echo", NULL, one_in(seed, 10));
        }
    } else if (chance < 790) {
        start(peer, scripted ? "late" : "slow", "{\"ms\":200}", one_in(seed, 2));
    } else if (chance < 820) {
        call_and_forget(peer, scripted ? "late" : "slow", "{\"ms\":1000}", 1 + any(seed, 50));
    } else if (chance < 860) {
        big(peer, seed);
    } else if (chance < 890) {
        list(peer);
    } else if (chance < 920) {
        call_and_forget(peer, scripted ? "flood" : "notify", "{\"count\":20}", CALL_MS);
    } else if (chance < 940 && !scripted) {
        start(peer, "ask",
              is_http(peer) ? "{\"method\":\"elicitation/create\",\"params\":{\"message\":\"?\",\"requestedSchema\":{"
                              "\"type\":\"object\",\"properties\":{\"answer\":{\"type\":\"string\"}}}}}"
                            : "{\"question\":\"?\"}",
              false);
    } else if (chance < 990) {
        fault(peer, seed);
    } else if (chance < 994 && !is_http(peer) && !is_served(peer)) {
        call_and_forget(peer, "crash", "{}", CALL_MS);
    } else if (chance < 998) {
        /* From the side, while others call: what is under way ends as MCP_ERROR_CLOSED. */
        close_in_time(peer, any(seed, 300));
        atomic_store(&peer->ended, true);
    } else {
        atomic_store(&peer->ended, true);
    }
}

static void *work(void *argument) {
    struct worker *worker = argument;
    unsigned int *seed = &worker->seed;
    while (!atomic_load(&over)) {
        struct peer *peer = &peers[any(seed, PEERS)];
        if (pthread_rwlock_tryrdlock(&peer->lock) == 0) {
            deed(peer, seed);
            drain_own(peer, seed, plant);
            pthread_rwlock_unlock(&peer->lock);
        }
        if (atomic_exchange(&peer->ended, false)) {
            pthread_rwlock_wrlock(&peer->lock);
            end_client(peer, seed, plant);
            peer->client = new_peer_client(peer, seed);
            pthread_rwlock_unlock(&peer->lock);
        }
        poll(NULL, 0, any(seed, 15));
    }
    return NULL;
}

/* Serves a shared queue. */
static void *serve(void *argument) {
    struct worker *worker = argument;
    mcp_message_t *message = NULL;
    for (;;) {
        mcp_status_t status = mcp_queue_poll(queues[worker->queue], -1, &message);
        if (status == MCP_WOKEN) {
            return NULL;
        }
        CHECK_STATUS(status, MCP_OK);
        take(message, &worker->seed, plant);
    }
}

/* ---- weather ----------------------------------------------------------------------------- */

/* Kills one of the servers that the library started, if there is one. */
static void kill_a_child(unsigned int *seed) {
    pid_t child = 0;
    pid_t server = 0;
    int left = any(seed, 2 * PEERS);
    DIR *tasks = opendir("/proc/self/task");
    struct dirent *task;
    CHECK(tasks != NULL);
    while ((task = readdir(tasks)) != NULL && left >= 0) {
        char path[300];
        long pid = 0;
        snprintf(path, sizeof path, "/proc/self/task/%s/children", task->d_name);
        FILE *found = isdigit((unsigned char)task->d_name[0]) ? fopen(path, "re") : NULL;
        while (found != NULL && fscanf(found, "%ld", &pid) == 1 && left-- >= 0) {
            child = (pid_t)pid;
            for (int i = 0; i < PEERS; i++) {
                server = peers[i].server.pid == child ? child : server;
            }
        }
        if (found != NULL) {
            fclose(found);
        }
    }
    closedir(tasks);
    if (child > 1 && child != server) {
        kill(child, SIGKILL);
    }
}

/* What befalls the servers from outside. Only this thread speaks with the controls of HTTP servers. */
static void *weather(void *argument) {
    struct worker *worker = argument;
    static const char *const harms[] = {"/drop", "/hang-up", "/forget", "/push?count=5", "/change"};
    while (!atomic_load(&over)) {
        struct peer *peer = &peers[any(&worker->seed, PEERS)];
        if (is_served(peer)) {
            if (one_in(&worker->seed, 4)) {
                stop_served();
                start_served(served.port);
            } else {
                change_served();
            }
        } else if (!is_http(peer)) {
            kill_a_child(&worker->seed);
        } else if (one_in(&worker->seed, 8)) {
            stop_server(&peer->server);
            start_peer_server(peer);
        } else if (one_in(&worker->seed, 6)) {
            tell_server(&peer->server, "/freeze");
            poll(NULL, 0, 300);
            tell_server(&peer->server, "/thaw");
        } else {
            tell_server(&peer->server, harms[any(&worker->seed, (int)(sizeof harms / sizeof *harms))]);
        }
        poll(NULL, 0, 50 + any(&worker->seed, 250));
    }
    return NULL;
}

/* ---- the whole ----------------------------------------------------------------------------- */

/* What the heap holds that was not freed; -1 where the C library does not say. */
static long long heap_kib(void) {
#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 33)
    struct mallinfo2 heap = mallinfo2();
    return (long long)((heap.uordblks + heap.hblkhd) / 1024);
#else
    return -1;
#endif
}

static _Atomic long long records;

static void count_record(void *user, int32_t level, const char *record) {
    (void)user;
    (void)level;
    (void)record;
    atomic_fetch_add(&records, 1);
}

static void begin(unsigned int *seed) {
    enum kind kind = 0;
    int of_kind = 0;
    for (int i = 0; i < QUEUES; i++) {
        CHECK_STATUS(mcp_queue_new(NULL, &queues[i], NULL), MCP_OK);
    }
    start_served(next_port());
    for (int i = 0; i < PEERS; i++) {
        if (of_kind == shares[kind]) {
            kind++;
            of_kind = 0;
        }
        of_kind++;
        peers[i].number = i;
        peers[i].kind = kind;
        CHECK_EQ(pthread_rwlock_init(&peers[i].lock, NULL), 0);
        if (is_http(&peers[i])) {
            start_peer_server(&peers[i]);
        }
        peers[i].client = new_peer_client(&peers[i], seed);
    }
}

static void finish(pthread_t *servers_of_queues, unsigned int *seed) {
    for (int i = 0; i < PEERS; i++) {
        end_client(&peers[i], seed, plant);
        pthread_rwlock_destroy(&peers[i].lock);
    }
    for (int i = 0; i < QUEUES; i++) {
        CHECK_STATUS(mcp_queue_wake(queues[i]), MCP_OK);
        join_thread(servers_of_queues[i]);
        CHECK_STATUS(mcp_queue_free(queues[i]), MCP_OK);
    }
    for (int i = 0; i < PEERS; i++) {
        stop_server(&peers[i].server);
    }
    stop_served();
}

int main(int argc, char **argv) {
    CHECK(argc == 6 || argc == 7);
    servers = argv + 1;
    long seconds = atol(argv[4]);
    unsigned int seed = (unsigned int)strtoul(argv[5], NULL, 10);
    plant = argc == 7 ? argv[6][1] == 'e' ? 'l' : 'o' : 0;
    char *long_life = format("%ld", seconds + 600);
    life = long_life;
    struct holdings before = holdings_now();
    long long heap_before = heap_kib();
    struct worker workers[WORKERS + QUEUES + 1];
    pthread_t threads[WORKERS + QUEUES + 1];
    setvbuf(stdout, NULL, _IOLBF, 0);
    atomic_store(&lives, true);
    pthread_t clock = start_thread(live, NULL);
    CHECK_STATUS(mcp_log_set_logger(count_record, MCP_LOG_INFO, NULL, NULL), MCP_OK);
    begin(&seed);
    for (int i = 0; i < WORKERS + QUEUES + 1; i++) {
        workers[i] = (struct worker){.seed = seed * 1000 + (unsigned int)i, .queue = i - WORKERS};
        threads[i] = start_thread(i < WORKERS ? work : i < WORKERS + QUEUES ? serve : weather, &workers[i]);
    }
    long long start_ms = now_ms();
    for (long second = 1; second <= seconds; second++) {
        long long half;
        long long most;
        while (now_ms() < start_ms + second * 1000) {
            poll(NULL, 0, (int)(start_ms + second * 1000 - now_ms()) + 1);
        }
        take_times(&half, &most);
        printf("sample %ld %lld %lld %lld %lld\n", second, atomic_load(&calls_made), half, most, heap_kib());
    }
    atomic_store(&over, true);
    for (int i = 0; i < WORKERS; i++) {
        join_thread(threads[i]);
    }
    join_thread(threads[WORKERS + QUEUES]);
    finish(threads + WORKERS, &seed);
    CHECK_STATUS(mcp_log_set_logger(NULL, MCP_LOG_ERROR, NULL, NULL), MCP_OK);
    print_outcomes();
    printf("total heap KiB at the end %lld\n", heap_kib());
    printf("total calls %lld\ntotal notifications %lld\ntotal requests %lld\ntotal log records %lld\n", atomic_load(&calls_made),
           atomic_load(&notifications), atomic_load(&requests), atomic_load(&records));
    printf("total servers of this process %lld\n", served.made);
    printf("total slow closes %lld\ntotal open %lld\n", atomic_load(&slow_closes), atomic_load(&open_tickets));
    CHECK_EQ(atomic_load(&open_tickets), 0);
    atomic_store(&lives, false);
    join_thread(clock);
    check_nothing_left(before);
    /* What the library and the C library keep for good: less than a MiB, however long it ran. */
    CHECK(plant == 'l' || heap_kib() - heap_before < 1024);
    free(long_life);
    return 0;
}
