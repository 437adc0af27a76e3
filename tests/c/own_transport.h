/*
 * A transport of the program's own with a server in memory: what is sent is answered from inside `send`, unless the
 * test says otherwise. It counts what it is asked to do, and fails when two threads are in it at a time.
 */
#ifndef MCP_TESTS_OWN_TRANSPORT_H
#define MCP_TESTS_OWN_TRANSPORT_H

#include "line_server.h"

struct own {
    atomic_int opens;
    atomic_int closes;
    atomic_int destroys;
    atomic_int sent;
    atomic_int inside;
    /* The connection that is open. */
    _Atomic(mcp_transport_t *) handle;
    /* What `open` and `send` return. */
    atomic_int open_status;
    atomic_int send_status;
    /* Nothing is answered. */
    atomic_bool mute;
    /* `send` stays inside from this one on, counted from 1, until it is 0 again. */
    atomic_int stuck_from;
    /* Frames go here instead, to be answered by threads; free() them. */
    pthread_mutex_t lock;
    char **waiting;
    size_t count;
    atomic_bool by_threads;
    /* The client, to see that no lock is held. */
    _Atomic(mcp_client_t *) client;
};

static inline void own_enter(struct own *own) {
    CHECK_EQ(atomic_fetch_add(&own->inside, 1), 0);
    CHECK_EQ(atomic_load(&own->destroys), 0);
    mcp_client_t *client = atomic_load(&own->client);
    if (client != NULL) {
        /* These take every lock that a call does. */
        mcp_string_free(info_of(client));
        CHECK_GE(mcp_client_state(client), MCP_CLIENT_STATE_IDLE);
    }
}

static inline void own_leave(struct own *own) { CHECK_EQ(atomic_fetch_sub(&own->inside, 1), 1); }

static inline mcp_status_t own_open(void *user, mcp_transport_t *transport) {
    struct own *own = user;
    own_enter(own);
    CHECK(atomic_load(&own->handle) == NULL);
    mcp_status_t status = atomic_load(&own->open_status);
    if (status == MCP_OK) {
        atomic_fetch_add(&own->opens, 1);
        atomic_store(&own->handle, transport);
    }
    own_leave(own);
    return status;
}

/* What the server says to a message, delivered. */
static inline void own_answer(mcp_transport_t *transport, const char *frame) {
    bool dies = false;
    char *answer = answer_to(frame, &dies);
    char *line = answer;
    while (line != NULL) {
        /* "noise" answers with two lines. */
        char *end = strchr(line, '\n');
        size_t length = end != NULL ? (size_t)(end - line) : strlen(line);
        mcp_status_t status = mcp_transport_deliver(transport, line, length);
        CHECK(status == MCP_OK || status == MCP_ERROR_INVALID_ARGUMENT);
        line = end != NULL ? end + 1 : NULL;
    }
    if (dies) {
        CHECK_STATUS(mcp_transport_closed(transport, "it died"), MCP_OK);
        CHECK_STATUS(mcp_transport_closed(transport, "it died"), MCP_ERROR_INVALID_ARGUMENT);
    }
    free(answer);
}

static inline mcp_status_t own_send(void *user, mcp_transport_t *transport, const char *frame, size_t length) {
    struct own *own = user;
    own_enter(own);
    CHECK(atomic_load(&own->handle) == transport);
    CHECK_EQ(strlen(frame), length);
    CHECK(strchr(frame, '\n') == NULL);
    int number = atomic_fetch_add(&own->sent, 1) + 1;
    for (int from = atomic_load(&own->stuck_from); from != 0 && number >= from;
         from = atomic_load(&own->stuck_from)) {
        breathe();
    }
    mcp_status_t status = atomic_load(&own->send_status);
    if (status == MCP_OK && atomic_load(&own->by_threads)) {
        pthread_mutex_lock(&own->lock);
        own->waiting = realloc(own->waiting, (own->count + 1) * sizeof *own->waiting);
        CHECK(own->waiting != NULL);
        own->waiting[own->count++] = format("%s", frame);
        pthread_mutex_unlock(&own->lock);
    } else if (status == MCP_OK && !atomic_load(&own->mute)) {
        own_answer(transport, frame);
    }
    own_leave(own);
    return status;
}

static inline void own_close(void *user, mcp_transport_t *transport) {
    struct own *own = user;
    own_enter(own);
    CHECK(atomic_exchange(&own->handle, NULL) == transport);
    CHECK_STATUS(mcp_transport_deliver(transport, "{}", 2), MCP_ERROR_INVALID_ARGUMENT);
    atomic_fetch_add(&own->closes, 1);
    own_leave(own);
}

static inline void own_destroy(void *user) {
    struct own *own = user;
    CHECK_EQ(atomic_load(&own->inside), 0);
    CHECK_EQ(atomic_load(&own->opens), atomic_load(&own->closes));
    CHECK_EQ(atomic_fetch_add(&own->destroys, 1), 0);
}

static const mcp_transport_functions_t own_functions = {
    .size = sizeof own_functions,
    .version = MCP_TRANSPORT_VERSION,
    .open = own_open,
    .send = own_send,
    .close = own_close,
    .destroy = own_destroy,
};

/* A client on a new transport, with members of its configuration ("": none). */
static inline mcp_client_t *own_client(struct own *own, mcp_queue_t *queue, const char *members) {
    mcp_client_t *client = NULL;
    char *error = NULL;
    char *config = format("{%s}", members);
    memset(own, 0, sizeof *own);
    CHECK_EQ(pthread_mutex_init(&own->lock, NULL), 0);
    mcp_status_t status = mcp_client_new_with_transport(config, queue, &own_functions, own, &client, &error);
    if (status != MCP_OK) {
        FAIL("no client from %s: %s", config, error != NULL ? error : mcp_status_name(status));
    }
    free(config);
    atomic_store(&own->client, client);
    return client;
}

/* Frees it: everything that was opened is closed, and `destroy` has been called. */
static inline void own_free(struct own *own, mcp_client_t *client) {
    atomic_store(&own->client, NULL);
    CHECK_STATUS(mcp_client_free(client), MCP_OK);
    CHECK_EQ(atomic_load(&own->destroys), 1);
    CHECK_EQ(atomic_load(&own->opens), atomic_load(&own->closes));
    pthread_mutex_destroy(&own->lock);
    free(own->waiting);
}

#endif
