/*
 * What the stores in this folder share: the functions of a store that put each operation into a queue, and one thread that takes them.
 * Each store says how the thread connects and what it does with the operations that wait.
 *
 * SPDX-License-Identifier: MIT OR Apache-2.0
 */
#ifndef MCP_STORES_WORKER_H
#define MCP_STORES_WORKER_H

#include "mcp_stores.h"

#include <stdio.h>

/* The functions of the library that a store calls. */
#define LIBRARY_FUNCTIONS(one) \
    one(register) one(new) one(free) one(ready) one(lost) one(found) one(entry) one(done) one(event) one(missed)
#define LIBRARY_MEMBER(name) __typeof__(&mcp_store_##name) store_##name;

/* Of the copy of the library that a store is for: a process may have several, such as one in a module of Python. */
struct library {
    LIBRARY_FUNCTIONS(LIBRARY_MEMBER)
};

enum job_kind { JOB_GET, JOB_PUT, JOB_APPEND, JOB_READ, JOB_PUBLISH, JOB_WATCH, JOB_UNWATCH };

/* An entry that was read. */
struct entry {
    struct entry *next;
    uint64_t place;
    size_t length;
    char data[];
};

/* An operation, and what has become of it. */
struct job {
    struct job *next;
    enum job_kind kind;
    mcp_store_call_t *call;
    mcp_store_watch_t *watch;
    char *name;
    /* Of `put` NULL where it deletes. */
    char *value;
    size_t length;
    /* The version or the place that is expected, or the place to read after. */
    uint64_t number;
    uint32_t most;
    size_t bytes;
    int64_t life_ms;

    mcp_status_t status;
    uint64_t version;
    int64_t unix_ms;
    char *found;
    size_t found_length;
    struct entry *entries, **next_entry;
};

/* A channel that is watched. */
struct watch {
    struct watch *next;
    mcp_store_watch_t *handle;
    char *channel;
};

struct worker;

/* What is special to a store. All functions run on its thread. */
struct engine {
    /* Connects. Writes what the store is to `generation`, or gives false and writes why to `why`. */
    bool (*connect)(struct worker *worker, char *generation, char *why, size_t room);
    /* Does what waits and fills in the results. False when the connection is lost, with why. What has no status then, has
     * MCP_ERROR_TRANSPORT. */
    bool (*work)(struct worker *worker, struct job *jobs, char *why, size_t room);
    /* Begins a watch, or ends it. False when the connection is lost. */
    bool (*listen)(struct worker *worker, const char *channel, bool begins);
    /* Looks after the connection, when a time is over or the descriptor is readable. False when it is lost, with why. */
    bool (*look)(struct worker *worker, char *why, size_t room);
    /* A descriptor to wait for, or -1. */
    int (*descriptor)(struct worker *worker);
    void (*disconnect)(struct worker *worker);
    /* Ends what the thread waits for, because the store ends. Another thread calls it, once. NULL where the thread looks by itself
     * whether the store is about to end. */
    void (*interrupt)(struct worker *worker);
};

/* The size of the texts above. */
enum { TEXT = 512 };

/* Registers a function for schemes, behind which NULL stands, with the copy of the library whose functions `find` finds, or that the
 * program is linked with. The function gets that as its `user`. */
mcp_status_t worker_register(const char *const *schemes,
                             mcp_status_t (*open)(void *user, const char *url, mcp_store_t **out, char *why, size_t room),
                             mcp_store_find_t find, char **error_json);

/* Makes the C store with a thread of its own. `library` is the `user` of open(); `of` is the engine's own, which free() frees. */
mcp_status_t worker_open(const struct library *library, const struct engine *engine, void *of, mcp_store_t **out, char *why, size_t room);

/* What the engine gave to worker_open(). */
void *worker_own(struct worker *worker);

/* Whether the store is about to end: nothing is to be waited for. */
bool worker_is_closing(struct worker *worker);

/* Keeps a value, or an entry that was read, for its operation. False without memory. */
bool job_found(struct job *job, const void *value, size_t length, uint64_t version);
bool job_entry(struct job *job, uint64_t place, const void *data, size_t length);

/* Tells all that watch a channel, or all that watch anything where it is NULL. */
void worker_event(struct worker *worker, const char *channel, const void *data, size_t length);
void worker_missed(struct worker *worker);

int64_t unix_ms(void);

/* The value of a hexadecimal digit; -1 for any other sign. */
int hex_digit(char sign);

#endif
