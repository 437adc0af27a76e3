/* What the extension module has beside the library's functions: fewer and larger steps, because each call of C gives up the interpreter and
 * has to get it back. build_native.py compiles it. */
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>
#include <mcp.h>

/* A message and what a program reads of it; `handle` is freed by who has read it. */
typedef struct mcp_py_message {
    mcp_message_t *handle;
    int32_t kind, status;
    uint64_t tag, call_id;
    const char *method, *json;
    size_t length;
} mcp_py_message_t;

static void mcp_py_read(mcp_py_message_t *out, mcp_message_t *message) {
    out->handle = message;
    out->kind = mcp_message_kind(message);
    out->status = mcp_message_status(message);
    out->tag = mcp_message_tag(message);
    out->call_id = mcp_message_call_id(message);
    out->method = mcp_message_method(message);
    out->json = mcp_message_json(message, &out->length);
}

static mcp_status_t mcp_py_poll(mcp_client_t *client, int32_t timeout_ms, mcp_py_message_t *out) {
    mcp_message_t *message = NULL;
    mcp_status_t status = mcp_client_poll(client, timeout_ms, &message);
    if (status == MCP_OK) mcp_py_read(out, message);
    return status;
}

static mcp_status_t mcp_py_server_poll(mcp_server_t *server, int32_t timeout_ms, mcp_py_message_t *out) {
    mcp_message_t *message = NULL;
    mcp_status_t status = mcp_server_poll(server, timeout_ms, &message);
    if (status == MCP_OK) mcp_py_read(out, message);
    return status;
}

/* How many messages a caller may put aside for the driver. With more the driver takes them itself, so that the bounds of the library's queue
 * hold. */
#define MCP_PY_ASIDE 64

/* Who takes messages of a client: its driver, or the thread of a call, the leader, that waits for its reply and nothing else. */
typedef struct mcp_py_inbox {
    pthread_mutex_t taking;
    mcp_client_t *client; /* NULL when it is going to be freed */
    uint64_t leader;      /* the tag of the leader's call; 0: the driver takes messages */
    uint64_t steps;       /* how often leaders have looked */
    mcp_message_t *aside[MCP_PY_ASIDE];
    size_t first, count;
} mcp_py_inbox_t;

static mcp_py_inbox_t *mcp_py_inbox_new(mcp_client_t *client) {
    mcp_py_inbox_t *inbox = calloc(1, sizeof *inbox);
    if (inbox == NULL) return NULL;
    if (pthread_mutex_init(&inbox->taking, NULL) != 0) {
        free(inbox);
        return NULL;
    }
    inbox->client = client;
    return inbox;
}

static mcp_message_t *mcp_py_next_aside(mcp_py_inbox_t *inbox) {
    if (inbox->count == 0) return NULL;
    mcp_message_t *message = inbox->aside[inbox->first];
    inbox->first = (inbox->first + 1) % MCP_PY_ASIDE;
    inbox->count--;
    return message;
}

/* Before the client is freed: what was put aside is freed, which refuses requests, and no thread polls any more. */
static void mcp_py_inbox_end(mcp_py_inbox_t *inbox) {
    pthread_mutex_lock(&inbox->taking);
    inbox->client = NULL;
    inbox->leader = 0;
    for (mcp_message_t *message; (message = mcp_py_next_aside(inbox)) != NULL;) mcp_message_free(message);
    pthread_mutex_unlock(&inbox->taking);
}

static void mcp_py_inbox_free(mcp_py_inbox_t *inbox) {
    pthread_mutex_destroy(&inbox->taking);
    free(inbox);
}

/* Makes the thread of the call that will be started with `tag` the leader, unless there is one. It does not wait: the thread that takes
 * messages in this moment may be one of the process that this one was forked from. */
static int mcp_py_lead(mcp_py_inbox_t *inbox, uint64_t tag) {
    if (pthread_mutex_trylock(&inbox->taking) != 0) return 0;
    int leads = inbox->leader == 0 && inbox->client != NULL;
    if (leads) inbox->leader = tag;
    pthread_mutex_unlock(&inbox->taking);
    return leads;
}

/* Ends what mcp_py_lead() began for the call `tag`, and frees what mcp_py_own() gave. */
static void mcp_py_follow(mcp_py_inbox_t *inbox, uint64_t tag, mcp_py_message_t *own) {
    pthread_mutex_lock(&inbox->taking);
    if (inbox->leader == tag) inbox->leader = 0;
    pthread_mutex_unlock(&inbox->taking);
    mcp_message_free(own->handle);
    own->handle = NULL;
}

/* Has the driver take the messages; gives the tag of the call that led, or 0. It does not wait, as mcp_py_lead(): with a leader left the
 * driver gets what is not the leader's, which only takes longer. */
static uint64_t mcp_py_revoke(mcp_py_inbox_t *inbox) {
    if (pthread_mutex_trylock(&inbox->taking) != 0) return 0;
    uint64_t led = inbox->leader;
    inbox->leader = 0;
    pthread_mutex_unlock(&inbox->taking);
    return led;
}

enum {
    MCP_PY_REPLY = 1, /* the reply is there, and the lead is over */
    MCP_PY_DRIVER = 2, /* there is work for the driver */
    MCP_PY_LOST = 4, /* the call does not lead, and the driver gives it its reply */
};

/* Takes messages until the reply of the leader's call comes; the others are put aside for the driver, in their order. */
static int mcp_py_own(mcp_py_inbox_t *inbox, uint64_t tag, mcp_py_message_t *out) {
    int found = 0;
    pthread_mutex_lock(&inbox->taking);
    inbox->steps++;
    if (inbox->leader != tag) found = MCP_PY_LOST;
    while (found < MCP_PY_LOST) {
        if (inbox->count == MCP_PY_ASIDE) {
            inbox->leader = 0;
            found |= MCP_PY_LOST | MCP_PY_DRIVER;
            break;
        }
        mcp_message_t *message = NULL;
        mcp_status_t status = mcp_client_poll(inbox->client, 0, &message);
        if (status < 0) {
            inbox->leader = 0;
            found |= MCP_PY_LOST | MCP_PY_DRIVER;
        } else if (status != MCP_OK) {
            break;
        } else if (mcp_message_kind(message) == MCP_KIND_REPLY && mcp_message_tag(message) == tag) {
            mcp_py_read(out, message);
            inbox->leader = 0;
            found |= MCP_PY_REPLY;
            break;
        } else {
            inbox->aside[(inbox->first + inbox->count++) % MCP_PY_ASIDE] = message;
            found |= MCP_PY_DRIVER;
        }
    }
    pthread_mutex_unlock(&inbox->taking);
    return found;
}

/* For the driver: what was put aside and, without a leader, what the library has. Gives how many; `status` is why there are no more:
 * MCP_EMPTY, also with a leader, MCP_OK when there may be more, or an error. */
static size_t mcp_py_take(mcp_py_inbox_t *inbox, mcp_py_message_t *out, size_t most, int32_t *status, int *is_led) {
    size_t count = 0;
    mcp_message_t *message = NULL;
    pthread_mutex_lock(&inbox->taking);
    while (count < most && (message = mcp_py_next_aside(inbox)) != NULL) mcp_py_read(&out[count++], message);
    *is_led = inbox->leader != 0;
    *status = *is_led ? MCP_EMPTY : MCP_OK;
    while (count < most && *status == MCP_OK) {
        *status = mcp_client_poll(inbox->client, 0, &message);
        if (*status == MCP_OK) mcp_py_read(&out[count++], message);
    }
    pthread_mutex_unlock(&inbox->taking);
    return count;
}

/* How often leaders have looked, and whether there is one. */
static uint64_t mcp_py_steps(mcp_py_inbox_t *inbox, int *is_led) {
    pthread_mutex_lock(&inbox->taking);
    uint64_t steps = inbox->steps;
    *is_led = inbox->leader != 0;
    pthread_mutex_unlock(&inbox->taking);
    return steps;
}

struct mcp_py_waker { int descriptor; uint64_t number; };

/* Runs on a thread of the library, without the interpreter: it writes the number of its exchange into a pipe. */
static void mcp_py_ready(void *user) {
    const struct mcp_py_waker *waker = user;
    while (write(waker->descriptor, &waker->number, sizeof waker->number) < 0 && errno == EINTR) continue;
}

static mcp_status_t mcp_py_http_begin(mcp_server_t *server, const char *method, const char *target,
                                      const char *const *headers, const char *peer, int descriptor, uint64_t number,
                                      mcp_exchange_t **out, char **error_json) {
    struct mcp_py_waker *waker = malloc(sizeof *waker);
    if (waker == NULL) return MCP_ERROR_NO_MEMORY;
    waker->descriptor = descriptor;
    waker->number = number;
    return mcp_server_http_begin(server, method, target, headers, peer, mcp_py_ready, waker, free, out, error_json);
}
