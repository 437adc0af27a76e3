/* A store of functions of the program, in memory, that two servers share as two processes do: a state is good once for both; what the
 * store does not answer, answers twice or late, or cannot do costs the one request and is counted; tables of other sizes and
 * versions, a second server and a second store are refused; a store is opened by the scheme of a URL, and destroyed once. */
#include "served.h"

#include <stdatomic.h>

#define KEYS "\"request_state\":{\"keys\":[\"AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=\"]}"
#define LEAST "{\"name\":\"s\",\"store\":{\"timeout_ms\":100}," KEYS "}"
#define MOST 64

/* The engine that both processes use. */
static struct {
    pthread_mutex_t lock;
    char *keys[MOST];
    size_t count;
} engine = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* Whether a key was there already. */
static bool taken(const char *key) {
    bool found = false;
    pthread_mutex_lock(&engine.lock);
    for (size_t at = 0; at < engine.count; at++) {
        found = found || strcmp(engine.keys[at], key) == 0;
    }
    if (!found) {
        CHECK(engine.count < MOST);
        engine.keys[engine.count++] = format("%s", key);
    }
    pthread_mutex_unlock(&engine.lock);
    return found;
}

enum answers { AT_ONCE, TWICE, NEVER, LATER, NOT_BEGUN, PERHAPS, LOST };

struct mine {
    _Atomic(mcp_store_t *) store;
    _Atomic(mcp_store_call_t *) call;
    /* How it answers about states that were used, and how often it was asked. */
    atomic_int answers;
    atomic_int asked;
    atomic_int forgotten;
    atomic_int destroyed;
};

static mcp_status_t on_get(void *user, mcp_store_call_t *call, const char *key) {
    (void)user, (void)key;
    return mcp_store_done(call, MCP_EMPTY, 0, 0);
}

static mcp_status_t on_put(void *user, mcp_store_call_t *call, const char *key, const void *value, size_t length, uint64_t expected,
                           int64_t life_ms) {
    struct mine *mine = user;
    CHECK(strncmp(key, "mcp1:{s}:", 9) == 0 && strlen(key) <= 200);
    if (strncmp(key + 9, "used/", 5) != 0) {
        /* That the process is there. */
        static _Atomic(uint64_t) version;
        return mcp_store_done(call, MCP_OK, atomic_fetch_add(&version, 1) + 1, 0);
    }
    atomic_fetch_add(&mine->asked, 1);
    atomic_store(&mine->call, call);
    CHECK(value != NULL && length > 0 && expected == 0 && life_ms > 0);
    switch (atomic_load(&mine->answers)) {
    case NEVER:
    case LATER: return MCP_OK;
    case NOT_BEGUN: return MCP_ERROR_BACKPRESSURE;
    case PERHAPS: return mcp_store_done(call, MCP_ERROR_TRANSPORT, 0, 0);
    /* The connection is lost behind the answer, and that is told first. */
    case LOST: CHECK_STATUS(mcp_store_lost(atomic_load(&mine->store), "it ended"), MCP_OK); break;
    default: break;
    }
    mcp_status_t status = taken(key) ? MCP_CONFLICT : MCP_OK;
    CHECK_STATUS(mcp_store_done(call, status, 1, 0), MCP_OK);
    if (atomic_load(&mine->answers) == TWICE) {
        CHECK_STATUS(mcp_store_done(call, MCP_OK, 1, 0), MCP_EMPTY);
        CHECK_STATUS(mcp_store_found(call, value, length, 1), MCP_EMPTY);
    }
    return MCP_OK;
}

static mcp_status_t on_append(void *user, mcp_store_call_t *call, const char *stream, const void *entry, size_t length, uint64_t place,
                              uint32_t most, int64_t life_ms) {
    (void)user, (void)stream, (void)entry, (void)length, (void)place, (void)most, (void)life_ms;
    return mcp_store_done(call, MCP_OK, 1, 0);
}

static mcp_status_t on_read(void *user, mcp_store_call_t *call, const char *stream, uint64_t after, uint32_t most, size_t bytes) {
    (void)user, (void)stream, (void)after, (void)most, (void)bytes;
    return mcp_store_done(call, MCP_EMPTY, 0, 0);
}

static mcp_status_t on_publish(void *user, mcp_store_call_t *call, const char *channel, const void *data, size_t length) {
    (void)user, (void)channel, (void)data, (void)length;
    return mcp_store_done(call, MCP_OK, 0, 0);
}

static mcp_status_t on_watch(void *user, mcp_store_watch_t *watch, const char *channel) {
    (void)user, (void)channel;
    return mcp_store_missed(watch);
}

static void on_unwatch(void *user, mcp_store_watch_t *watch) {
    (void)user, (void)watch;
}

static void on_forget(void *user, mcp_store_call_t *call) {
    struct mine *mine = user;
    CHECK(call == atomic_load(&mine->call));
    atomic_fetch_add(&mine->forgotten, 1);
}

static void on_destroy(void *user) {
    struct mine *mine = user;
    CHECK_EQ(atomic_fetch_add(&mine->destroyed, 1), 0);
    CHECK_STATUS(mcp_store_ready(atomic_load(&mine->store), "g", 0), MCP_ERROR_INVALID_ARGUMENT);
}

static const mcp_store_functions_t functions = {
    .size = sizeof functions,
    .version = MCP_STORE_VERSION,
    .get = on_get,
    .put = on_put,
    .append = on_append,
    .read = on_read,
    .publish = on_publish,
    .watch = on_watch,
    .unwatch = on_unwatch,
    .forget = on_forget,
    .destroy = on_destroy,
};

static mcp_store_t *new_store(struct mine *mine) {
    mcp_store_t *store = NULL;
    CHECK_STATUS(mcp_store_new(&functions, mine, &store, NULL), MCP_OK);
    atomic_store(&mine->store, store);
    return store;
}

/* ---- a process of the server ------------------------------------------------------------------ */

struct process {
    mcp_server_t *server;
    struct mine mine;
    atomic_int runs;
    _Atomic(mcp_transport_t *) link;
    /* What was answered last; free() it. */
    _Atomic(char *) answer;
};

static mcp_status_t on_open(void *user, mcp_transport_t *transport) {
    atomic_store(&((struct process *)user)->link, transport);
    return MCP_OK;
}

static mcp_status_t on_send(void *user, mcp_transport_t *transport, const char *frame, size_t length) {
    (void)transport;
    (void)length;
    free(atomic_exchange(&((struct process *)user)->answer, format("%s", frame)));
    return MCP_OK;
}

static void on_close(void *user, mcp_transport_t *transport) {
    (void)user;
    (void)transport;
}

static const mcp_transport_functions_t over = {
    .size = sizeof over, .version = MCP_TRANSPORT_VERSION, .open = on_open, .send = on_send, .close = on_close};

/* Asks first, and counts when it has the answer. */
static void act(void *user, mcp_message_t *request) {
    struct process *process = user;
    char *state = NULL, *answer = NULL;
    if (mcp_request_state(request, &state, NULL) == MCP_OK) {
        atomic_fetch_add(&process->runs, 1);
        CHECK_STATUS(mcp_request_respond_text(request, "done", false, NULL), MCP_OK);
    } else {
        const char *form = "{\"message\":\"?\",\"requestedSchema\":{\"type\":\"object\",\"properties\":{}}}";
        CHECK_STATUS(mcp_request_set_state(request, "kept", NULL), MCP_OK);
        CHECK_STATUS(mcp_request_ask(request, "k", "elicitation/create", form, &answer, NULL), MCP_EMPTY);
    }
    mcp_string_free(state);
    mcp_message_free(request);
}

static void begin(struct process *process, const char *config) {
    process->server = new_server(config);
    add_tool(process->server, TOOL("act"), act, process);
    CHECK_STATUS(mcp_server_attach(process->server, &over, process, NULL), MCP_OK);
}

static void end(struct process *process) {
    CHECK_STATUS(mcp_server_free(process->server), MCP_OK);
    CHECK_EQ(atomic_load(&process->mine.destroyed), 1);
    free(process->answer);
}

/* The answer to a call; free() it. */
static char *call(struct process *process, const char *state) {
    char *more = state == NULL ? format("%s", "")
                               : format(",\"requestState\":\"%s\",\"inputResponses\":{\"k\":{\"action\":\"decline\"}}", state);
    char *frame = format("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"act\",\"arguments\":{}%s,\"_meta\":{"
                         "\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","
                         "\"io.modelcontextprotocol/clientCapabilities\":{\"elicitation\":{}}}}}",
                         more);
    CHECK_STATUS(mcp_transport_deliver(atomic_load(&process->link), frame, strlen(frame)), MCP_OK);
    char *answer = NULL;
    while ((answer = atomic_exchange(&process->answer, NULL)) == NULL) {
        mcp_status_t status = mcp_server_run(process->server, 10);
        CHECK(status == MCP_EMPTY || status == MCP_OK);
    }
    free(frame);
    free(more);
    return answer;
}

/* A state; free() it. */
static char *state_of(struct process *process) {
    char *answer = call(process, NULL), *state = NULL;
    if (mcp_json_get(answer, "/result/requestState", &state, NULL) != MCP_OK) {
        FAIL("no state: %s", answer);
    }
    char *copy = format("%s", state);
    mcp_string_free(state);
    free(answer);
    return copy;
}

/* What becomes of a state: 0 if it was used, else the code of the error. */
static int used(struct process *process, const char *state) {
    char *answer = call(process, state), *code = NULL;
    int found = mcp_json_get(answer, "/error/code", &code, NULL) == MCP_OK ? atoi(code) : 0;
    if (found == 0) {
        CHECK_CONTAINS(answer, "done");
    }
    mcp_string_free(code);
    free(answer);
    return found;
}

static long long told(struct process *process, const char *what) {
    char *info = NULL, *number = NULL;
    CHECK_STATUS(mcp_server_info(process->server, &info, NULL), MCP_OK);
    CHECK_STATUS(mcp_json_get(info, what, &number, NULL), MCP_OK);
    long long found = strcmp(number, "true") == 0 ? 1 : atoll(number);
    mcp_string_free(number);
    mcp_string_free(info);
    return found;
}

enum { USED_BEFORE = -32602, AWAY = -32010, UNKNOWN = -32603 };

static void a_state_is_good_once_for_both(void) {
    static struct process first, second;
    begin(&first, LEAST);
    begin(&second, LEAST);
    for (int n = 0; n < 2; n++) {
        struct process *process = n == 0 ? &first : &second;
        mcp_store_t *store = new_store(&process->mine);
        CHECK_STATUS(mcp_server_set_store(process->server, store, NULL), MCP_OK);
        /* It belongs to the server. */
        CHECK_STATUS(mcp_store_free(store), MCP_ERROR_INVALID_ARGUMENT);
        CHECK_STATUS(mcp_server_set_store(process->server, store, NULL), MCP_ERROR_INVALID_ARGUMENT);
        CHECK_EQ(told(process, "/store/ready"), 0);
        CHECK_STATUS(mcp_store_ready(store, "", 0), MCP_ERROR_INVALID_ARGUMENT);
        CHECK_STATUS(mcp_store_ready(store, "g", 1), MCP_ERROR_INVALID_ARGUMENT);
        CHECK_STATUS(mcp_store_ready(store, "g", 0), MCP_OK);
        CHECK_EQ(told(process, "/store/ready"), 1);
    }
    char *state = state_of(&first);
    CHECK_EQ(first.mine.asked, 0);
    CHECK_EQ(used(&second, state), 0);
    CHECK_EQ(used(&first, state), USED_BEFORE);
    CHECK_EQ(used(&second, state), USED_BEFORE);
    CHECK_EQ(first.runs + second.runs, 1);
    free(state);

    /* Each row: how the store answers, and what becomes of the request. */
    static const struct { enum answers how; int code; int late, forgotten; } rows[] = {
        {TWICE, 0, 1, 0},          {NEVER, UNKNOWN, 0, 1},  {LATER, UNKNOWN, 1, 1},
        {NOT_BEGUN, AWAY, 0, 0},   {PERHAPS, UNKNOWN, 0, 0}, {LOST, 0, 0, 0},
    };
    for (size_t at = 0; at < sizeof rows / sizeof *rows; at++) {
        state = state_of(&first);
        int forgotten = first.mine.forgotten;
        long long late = told(&first, "/store/late");
        atomic_store(&first.mine.answers, (int)rows[at].how);
        CHECK_EQ(used(&first, state), rows[at].code);
        CHECK_EQ(first.mine.forgotten - forgotten, rows[at].forgotten);
        if (rows[at].how == LATER) {
            CHECK_STATUS(mcp_store_done(first.mine.call, MCP_OK, 1, 0), MCP_EMPTY);
        }
        CHECK_EQ(told(&first, "/store/late") - late, rows[at].late);
        CHECK_EQ(told(&first, "/store/open"), 0);
        if (rows[at].how == LOST) {
            CHECK_STATUS(mcp_store_ready(first.mine.store, "g", 0), MCP_OK);
        }
        atomic_store(&first.mine.answers, AT_ONCE);
        free(state);
    }
    /* The handle of one that has ended is known for a while. */
    mcp_store_call_t *old = first.mine.call;
    for (int n = 0; n < 1001; n++) {
        /* Of a state that was used nothing new is kept. */
        if (n == 0) {
            state = state_of(&first);
        }
        used(&first, state);
    }
    CHECK_STATUS(mcp_store_done(old, MCP_OK, 1, 0), MCP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(mcp_store_done(NULL, MCP_OK, 1, 0), MCP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(mcp_store_found((mcp_store_call_t *)first.mine.store, "x", 1, 1), MCP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(mcp_store_entry(first.mine.call, 1, NULL, 1), MCP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(mcp_store_event((mcp_store_watch_t *)first.mine.call, "x", 1), MCP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(mcp_store_missed(NULL), MCP_ERROR_INVALID_ARGUMENT);
    free(state);

    /* A store that is away is asked nothing, and another generation accepts nothing of the one before. */
    state = state_of(&first);
    int asked = first.mine.asked;
    CHECK_STATUS(mcp_store_lost(first.mine.store, "it sleeps"), MCP_OK);
    CHECK_EQ(used(&first, state), AWAY);
    CHECK_STATUS(mcp_store_ready(first.mine.store, "h", 0), MCP_OK);
    CHECK_EQ(used(&first, state), USED_BEFORE);
    CHECK_EQ(first.mine.asked, asked);
    free(state);
    end(&first);
    end(&second);
}

static void what_is_wrong_is_refused_and_destroyed(void) {
    struct { mcp_store_functions_t of; mcp_status_t status; } rows[] = {
        {functions, MCP_ERROR_INVALID_ARGUMENT},
        {functions, MCP_ERROR_INVALID_ARGUMENT},
        {functions, MCP_ERROR_UNSUPPORTED},
        {functions, MCP_ERROR_INVALID_ARGUMENT},
    };
    rows[0].of.size--;
    rows[1].of.version = 0;
    rows[2].of.version = MCP_STORE_VERSION + 1;
    rows[3].of.put = NULL;
    for (size_t at = 0; at < sizeof rows / sizeof *rows; at++) {
        struct mine mine = {0};
        mcp_store_t *store = (mcp_store_t *)&mine;
        char *error = NULL;
        CHECK_STATUS(mcp_store_new(&rows[at].of, &mine, &store, &error), rows[at].status);
        CHECK(store == NULL && error != NULL);
        CHECK_EQ(mine.destroyed, 1);
        mcp_string_free(error);
    }
    /* One that no server has is the program's. */
    struct mine mine = {0};
    mcp_store_t *store = new_store(&mine);
    mcp_server_t *without_keys = new_server("{\"name\":\"s\"}");
    char *error = NULL;
    CHECK_STATUS(mcp_server_set_store(without_keys, store, &error), MCP_ERROR_INVALID_ARGUMENT);
    CHECK_CONTAINS(error, "request_state.keys");
    mcp_string_free(error);
    mcp_server_t *unnamed = new_server("{\"name\":\"{s}\"," KEYS "}");
    CHECK_STATUS(mcp_server_set_store(unnamed, store, &error), MCP_ERROR_INVALID_ARGUMENT);
    CHECK_CONTAINS(error, "store.space");
    mcp_string_free(error);
    CHECK_EQ(mine.destroyed, 0);
    CHECK_STATUS(mcp_store_free(store), MCP_OK);
    CHECK_EQ(mine.destroyed, 1);
    CHECK_STATUS(mcp_store_free(store), MCP_ERROR_INVALID_ARGUMENT);
    CHECK_STATUS(mcp_store_free(NULL), MCP_OK);
    mcp_server_free(without_keys);
    mcp_server_free(unnamed);
}

static struct process opened;
static atomic_int unregistered;

static mcp_status_t open_url(void *user, const char *url, mcp_store_t **out, char *why, size_t room) {
    CHECK(user == &opened);
    if (strcmp(url, "test:good") != 0) {
        snprintf(why, room, "'%s' is not good", url);
        return MCP_ERROR_INVALID_ARGUMENT;
    }
    mcp_status_t status = mcp_store_new(&functions, &opened.mine, out, NULL);
    atomic_store(&opened.mine.store, *out);
    return status;
}

static void count(void *user) {
    CHECK(user == &opened);
    atomic_fetch_add(&unregistered, 1);
}

static void a_url_is_opened_by_its_scheme(void) {
    static const struct { const char *url, *why; } rows[] = {
        {"test:good", "mcp_store_register()"}, {"test:bad", "'test:bad' is not good"}, {"file:x", "libmcp-store-sqlite"}};
    for (size_t at = 0; at < sizeof rows / sizeof *rows; at++) {
        char *config = format("{\"name\":\"s\"," KEYS ",\"store\":{\"url\":\"%s\"}}", rows[at].url);
        char *error = NULL;
        mcp_server_t *server = NULL;
        CHECK_STATUS(mcp_server_new(config, NULL, &server, &error), MCP_ERROR_INVALID_ARGUMENT);
        CHECK_CONTAINS(error, rows[at].why);
        CHECK_CONTAINS(error, "store.url");
        mcp_string_free(error);
        free(config);
        if (at == 0) {
            CHECK_STATUS(mcp_store_register("test", open_url, &opened, count, NULL), MCP_OK);
        }
    }
    CHECK_STATUS(mcp_store_register("TEST", open_url, &opened, count, NULL), MCP_ERROR_INVALID_ARGUMENT);
    CHECK_EQ(unregistered, 1);
    begin(&opened, "{\"name\":\"s\"," KEYS ",\"store\":{\"url\":\"test:good\"}}");
    CHECK_STATUS(mcp_store_ready(opened.mine.store, "g", 0), MCP_OK);
    char *state = state_of(&opened);
    CHECK_EQ(used(&opened, state), 0);
    CHECK_EQ(used(&opened, state), USED_BEFORE);
    free(state);
    /* The scheme may go while a store of it is in use. */
    CHECK_STATUS(mcp_store_register("test", NULL, NULL, NULL, NULL), MCP_OK);
    CHECK_EQ(unregistered, 2);
    end(&opened);
}

int main(void) {
    a_state_is_good_once_for_both();
    what_is_wrong_is_refused_and_destroyed();
    a_url_is_opened_by_its_scheme();
    for (size_t at = 0; at < engine.count; at++) {
        free(engine.keys[at]);
    }
    return 0;
}
