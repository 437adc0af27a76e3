/*
 * The fifty servers of the soak and the clients that come and go on them.
 */
#ifndef MCP_TESTS_SOAK_PEERS_H
#define MCP_TESTS_SOAK_PEERS_H

#include "served.h"

#define PEERS 50
#define QUEUES 2
/* How much later than its bound something may be where fifty servers want the processors. */
#define LATE_MS 3000

/* The SERVED ones are clients of the server in this process. */
enum kind { EXAMPLE, EXAMPLE_LENGTH, SERVED_HTTP, SERVED_UNIX, SCRIPTED, SCRIPTED_MODERN, HTTP_MODERN, HTTP_LEGACY, HTTP_OLD, KINDS };

/* How many of each. */
static const int shares[KINDS] = {6, 3, 6, 4, 7, 4, 7, 7, 6};

struct peer {
    int number;
    enum kind kind;
    struct server server; /* over HTTP */
    /* Taken for reading by who uses the client, for writing by who puts another in its place. */
    pthread_rwlock_t lock;
    mcp_client_t *client;
    mcp_queue_t *queue; /* NULL: its own */
    atomic_bool ended;  /* a call said so */
    atomic_int open;    /* started calls without an outcome */
};

static struct peer peers[PEERS];
static mcp_queue_t *queues[QUEUES];
static char **servers; /* paths: example, scripted, HTTP */
static const char *life = "300";
static atomic_bool over;

static bool is_http(const struct peer *peer) { return peer->kind >= HTTP_MODERN; }

static bool is_served(const struct peer *peer) { return peer->kind == SERVED_HTTP || peer->kind == SERVED_UNIX; }

/* One with the tools of the example server. */
static bool is_example(const struct peer *peer) { return peer->kind <= SERVED_UNIX; }

static int any(unsigned int *seed, int below) { return (int)((unsigned int)rand_r(seed) % (unsigned int)below); }

static bool one_in(unsigned int *seed, int chance) { return any(seed, chance) == 0; }

/* ---- servers ----------------------------------------------------------------------------- */

/* A port that nothing listens on, below those that the system gives to clients, so that a server finds it free again. */
static int next_port(void) {
    static int port = 0;
    port = port != 0 ? port : 10000 + (int)(getpid() % 200) * 100;
    for (int attempt = 0; attempt < 1000; attempt++) {
        struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)++port)};
        int on = 1;
        int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        CHECK_GE(listener, 0);
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
        bool is_free = bind(listener, (struct sockaddr *)&address, sizeof address) == 0;
        close(listener);
        if (is_free) {
            return port;
        }
    }
    FAIL("no port is free below %d", port);
}

static void start_peer_server(struct peer *peer) {
    int port = peer->server.port != 0 ? peer->server.port : next_port();
    const char *era = peer->kind == HTTP_MODERN ? "modern" : "legacy";
    const char *shape = peer->kind == HTTP_OLD ? "sse" : "streamable";
    const char *script = peer->number % 2 == 0 ? "sse" : "idle-close=700";
    peer->server = start_server_on(servers[2], port, ARGS("--life", life, "--era", era, "--shape", shape, script));
}

/* ---- clients ----------------------------------------------------------------------------- */

/* What all clients have in common, and what is left to chance. */
static char *members_of(const struct peer *peer, unsigned int *seed) {
    static const char *const protocols[] = {"\"auto\"", "\"legacy\""};
    bool modern = peer->kind == SCRIPTED_MODERN || peer->kind == HTTP_MODERN;
    return format("\"capabilities\":{\"elicitation\":{}},\"protocol\":%s,\"when_unavailable\":\"%s\",\"retry\":\"%s\","
                  "\"stderr\":\"%s\",\"cache\":%s,\"reconnect\":{\"initial_ms\":%d,\"max_ms\":200},"
                  "\"timeouts\":{\"call_ms\":5000,\"exit_ms\":300,\"term_ms\":200,\"listen_ms\":500},"
                  "\"limits\":{\"frame_bytes\":1048576}%s%s",
                  modern ? "\"auto\"" : protocols[any(seed, 2)], one_in(seed, 2) ? "wait" : "fail",
                  one_in(seed, 2) ? "safe" : "never", one_in(seed, 3) ? "message" : "log",
                  one_in(seed, 3) ? "true" : "false", 1 + any(seed, 50),
                  is_http(peer) ? ",\"http\":{\"idle_ms\":3000}" : "",
                  peer->kind == EXAMPLE_LENGTH ? ",\"framing\":\"content-length\"" : "");
}

static mcp_client_t *new_peer_client(struct peer *peer, unsigned int *seed) {
    mcp_client_t *client = NULL;
    char *error = NULL;
    char *members = members_of(peer, seed);
    char *config = NULL;
    switch (peer->kind) {
    case EXAMPLE:
        config = config_for(servers[0], ARGS("--era", one_in(seed, 2) ? "both" : "legacy"), members);
        break;
    case EXAMPLE_LENGTH:
        config = config_for(servers[0], ARGS("--framing", "content-length"), members);
        break;
    case SERVED_HTTP:
        config = format("{\"url\":\"http://127.0.0.1:%d/mcp\",%s}", served.port, members);
        break;
    case SERVED_UNIX:
        config = format("{\"socket\":\"unix:%s\",%s}", served.path, members);
        break;
    case SCRIPTED:
        config = config_for(servers[1], ARGS("--life", life, one_in(seed, 4) ? "ignore-eof" : "banner"), members);
        break;
    case SCRIPTED_MODERN:
        config = config_for(servers[1], ARGS("--life", life, "--era", "modern"), members);
        break;
    default:
        config = format("{\"url\":\"http://127.0.0.1:%d/mcp\",%s}", peer->server.port, members);
    }
    peer->queue = one_in(seed, 2) ? queues[any(seed, QUEUES)] : NULL;
    mcp_status_t status = peer->queue != NULL ? mcp_client_new(config, peer->queue, &client, &error)
                                              : mcp_client_new(config, NULL, &client, &error);
    if (status != MCP_OK) {
        FAIL("no client from %s: %s", config, error != NULL ? error : mcp_status_name(status));
    }
    free(config);
    free(members);
    return client;
}

/* ---- messages ----------------------------------------------------------------------------- */

static _Atomic long long notifications;
static _Atomic long long requests;

/* Answers a request of a server in one of the ways there are. Its client may be closed, so much may be refused. */
static void answer_request(const mcp_message_t *request, unsigned int *seed) {
    atomic_fetch_add(&requests, 1);
    switch (any(seed, 4)) {
    case 0:
        mcp_request_respond_elicitation(request, "accept", "{\"answer\":\"yes\"}", NULL);
        break;
    case 1:
        mcp_request_respond_elicitation(request, "decline", NULL, NULL);
        break;
    case 2:
        mcp_request_respond_error(request, -32000, "not now", NULL, NULL);
        break;
    default:
        break; /* freed without an answer */
    }
}

/* A message from a queue: what it means for the books. A planted fault forgets some outcomes. */
static void take(mcp_message_t *message, unsigned int *seed, int plant) {
    mcp_kind_t kind = mcp_message_kind(message);
    if (kind == MCP_KIND_REPLY && (plant != 'o' || !one_in(seed, 500))) {
        mcp_status_t status = mcp_message_status(message);
        const char *text = status == MCP_OK ? mcp_message_text(message, NULL) : NULL;
        char expected[48];
        snprintf(expected, sizeof expected, "started %llu", (unsigned long long)mcp_message_tag(message));
        if (text != NULL && strncmp(text, "started ", 8) == 0 && strcmp(text, expected) != 0) {
            FAIL("\"%s\" came as the answer to \"%s\"", text, expected);
        }
        count_outcome(status, "a started call", mcp_message_json(message, NULL));
        int owner = settle_ticket(mcp_message_tag(message), mcp_status_name(status));
        atomic_fetch_sub(&peers[owner].open, 1);
    } else if (kind == MCP_KIND_REQUEST) {
        answer_request(message, seed);
    } else {
        atomic_fetch_add(&notifications, 1);
    }
    mcp_message_free(message);
}

/* Takes what waits in a client's own queue; one on a shared queue is served elsewhere. */
static void drain_own(struct peer *peer, unsigned int *seed, int plant) {
    mcp_message_t *message = NULL;
    while (peer->queue == NULL && mcp_client_poll(peer->client, 0, &message) == MCP_OK) {
        take(message, seed, plant);
    }
}

static _Atomic long long slow_closes;

/* Closes a client within a time; -1: its own. MCP_ERROR_TIMEOUT means that a killed server had no time to be gone yet. */
static void close_in_time(struct peer *peer, int ms) {
    long long begin = lived_ms();
    mcp_status_t status = mcp_client_close(peer->client, ms);
    long long took = lived_ms() - begin;
    if (status == MCP_ERROR_TIMEOUT) {
        atomic_fetch_add(&slow_closes, 1);
        status = MCP_OK;
    }
    if (status != MCP_OK || took > (ms < 0 ? 2000 : ms) + 500 + LATE_MS) {
        FAIL("closing peer %d (kind %d) in %d ms: %s after %lld ms", peer->number, (int)peer->kind, ms,
             mcp_status_name(status), took);
    }
}

/* Ends the client of a peer, which no other thread uses; all its started calls must have their outcome then. */
static void end_client(struct peer *peer, unsigned int *seed, int plant) {
    bool closes = atomic_load(&peer->open) > 0 || !one_in(seed, 3);
    if (closes) {
        close_in_time(peer, one_in(seed, 2) ? -1 : any(seed, 500));
        long long deadline = lived_ms() + (plant == 'o' ? 100 : patience());
        while (atomic_load(&peer->open) > 0 && lived_ms() < deadline) {
            drain_own(peer, seed, plant);
            breathe();
        }
        if (plant != 'o') {
            CHECK_EQ(atomic_load(&peer->open), 0);
        }
        drain_own(peer, seed, plant);
    }
    CHECK_STATUS(mcp_client_free(peer->client), MCP_OK);
    peer->client = NULL;
}

#endif
