/*
 * The queue and the thread of a store.
 *
 * SPDX-License-Identifier: MIT OR Apache-2.0
 */
#define _GNU_SOURCE
#include "worker.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* What waits for the thread, by number and bytes. What is forgotten leaves at once, so that the library's bound of 10,000 operations
 * that it waits for is this one. The end of a watch is always taken: there is one for each that was begun. */
enum { MOST_JOBS = 20000 };
static const size_t MOST_BYTES = (size_t)64 << 20;
/* Operations that are done together. */
enum { BATCH = 128 };
/* The times between two attempts to connect, and between two looks at a connection that does nothing. */
enum { SHORTEST_MS = 50, LONGEST_MS = 1000, LOOK_MS = 5000 };

struct worker {
    struct library library;
    const struct engine *engine;
    void *of;
    mcp_store_t *handle;
    pthread_t thread;
    pthread_mutex_t lock;
    /* The thread waits for its first byte. */
    int wake[2];
    struct job *first, **last;
    size_t bytes, count;
    bool is_closing;
    /* destroy() has run on the thread itself, which then frees all at its end. */
    bool frees_itself;
    /* Of the thread alone. */
    struct watch *watches;
};

void *worker_own(struct worker *worker) { return worker->of; }

bool worker_is_closing(struct worker *worker) {
    pthread_mutex_lock(&worker->lock);
    bool is_closing = worker->is_closing;
    pthread_mutex_unlock(&worker->lock);
    return is_closing;
}

int64_t unix_ms(void) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

int hex_digit(char sign) {
    if (sign >= '0' && sign <= '9') {
        return sign - '0';
    }
    const char small = (char)(sign | 0x20);
    return small >= 'a' && small <= 'f' ? small - 'a' + 10 : -1;
}

/* ---- operations --------------------------------------------------------------------------------- */

static void job_free(struct job *job) {
    while (job->entries != NULL) {
        struct entry *entry = job->entries;
        job->entries = entry->next;
        free(entry);
    }
    free(job->found);
    free(job->name);
    free(job->value);
    free(job);
}

bool job_found(struct job *job, const void *value, size_t length, uint64_t version) {
    char *copy = malloc(length + 1);
    if (copy == NULL) {
        return false;
    }
    if (length > 0) {
        memcpy(copy, value, length);
    }
    free(job->found);
    job->found = copy;
    job->found_length = length;
    job->version = version;
    return true;
}

bool job_entry(struct job *job, uint64_t place, const void *data, size_t length) {
    struct entry *entry = malloc(sizeof *entry + length);
    if (entry == NULL) {
        return false;
    }
    entry->next = NULL;
    entry->place = place;
    entry->length = length;
    if (length > 0) {
        memcpy(entry->data, data, length);
    }
    *job->next_entry = entry;
    job->next_entry = &entry->next;
    return true;
}

/* Tells the library, and frees it. */
static void job_end(const struct worker *worker, struct job *job) {
    if (job->call != NULL) {
        if (job->found != NULL) {
            worker->library.store_found(job->call, job->found, job->found_length, job->version);
        }
        for (struct entry *entry = job->entries; entry != NULL; entry = entry->next) {
            worker->library.store_entry(job->call, entry->place, entry->data, entry->length);
        }
        worker->library.store_done(job->call, job->status, job->version, job->unix_ms);
    }
    job_free(job);
}

static void wake(struct worker *worker) {
    /* A full pipe wakes as well. */
    ssize_t written = write(worker->wake[1], "", 1);
    (void)written;
}

static mcp_status_t enqueue(struct worker *worker, const struct job *like, const char *name, const void *value) {
    struct job *job = malloc(sizeof *job);
    if (job == NULL) {
        return MCP_ERROR_UNAVAILABLE;
    }
    *job = *like;
    job->next_entry = &job->entries;
    job->name = strdup(name);
    job->value = value == NULL ? NULL : malloc(job->length + 1);
    if (job->name == NULL || (value != NULL && job->value == NULL)) {
        job_free(job);
        return MCP_ERROR_UNAVAILABLE;
    }
    if (value != NULL && job->length > 0) {
        memcpy(job->value, value, job->length);
    }
    pthread_mutex_lock(&worker->lock);
    bool has_room = job->kind == JOB_UNWATCH || (worker->count < MOST_JOBS && worker->bytes + job->length <= MOST_BYTES);
    bool fits = !worker->is_closing && has_room;
    if (fits) {
        worker->bytes += job->length;
        worker->count++;
        *worker->last = job;
        worker->last = &job->next;
    }
    pthread_mutex_unlock(&worker->lock);
    if (!fits) {
        job_free(job);
        return MCP_ERROR_UNAVAILABLE;
    }
    wake(worker);
    return MCP_OK;
}

static mcp_status_t on_get(void *user, mcp_store_call_t *call, const char *key) {
    const struct job job = {.kind = JOB_GET, .call = call};
    return enqueue(user, &job, key, NULL);
}

static mcp_status_t on_put(void *user, mcp_store_call_t *call, const char *key, const void *value, size_t length, uint64_t expected,
                           int64_t life_ms) {
    const struct job job = {.kind = JOB_PUT, .call = call, .length = length, .number = expected, .life_ms = life_ms};
    return enqueue(user, &job, key, value);
}

static mcp_status_t on_append(void *user, mcp_store_call_t *call, const char *stream, const void *entry, size_t length, uint64_t place,
                              uint32_t most, int64_t life_ms) {
    const struct job job = {
        .kind = JOB_APPEND, .call = call, .length = length, .number = place, .most = most > 0 ? most : 1, .life_ms = life_ms};
    return enqueue(user, &job, stream, entry == NULL ? "" : entry);
}

static mcp_status_t on_read(void *user, mcp_store_call_t *call, const char *stream, uint64_t after, uint32_t most, size_t bytes) {
    const struct job job = {
        .kind = JOB_READ, .call = call, .number = after, .most = most < 1000 ? most : 1000, .bytes = bytes};
    return enqueue(user, &job, stream, NULL);
}

static mcp_status_t on_publish(void *user, mcp_store_call_t *call, const char *channel, const void *data, size_t length) {
    const struct job job = {.kind = JOB_PUBLISH, .call = call, .length = length};
    return enqueue(user, &job, channel, data == NULL ? "" : data);
}

static mcp_status_t on_watch(void *user, mcp_store_watch_t *watch, const char *channel) {
    const struct job job = {.kind = JOB_WATCH, .watch = watch};
    return enqueue(user, &job, channel, NULL);
}

static void on_unwatch(void *user, mcp_store_watch_t *watch) {
    const struct job job = {.kind = JOB_UNWATCH, .watch = watch};
    /* Without memory its messages go to a handle that names nothing. */
    enqueue(user, &job, "", NULL);
}

/* It is waited for no longer: it is not done if it has not begun, and those behind it are not held up. */
static void on_forget(void *user, mcp_store_call_t *call) {
    struct worker *worker = user;
    pthread_mutex_lock(&worker->lock);
    struct job **at = &worker->first;
    while (*at != NULL && (*at)->call != call) {
        at = &(*at)->next;
    }
    struct job *job = *at;
    if (job != NULL) {
        *at = job->next;
        if (worker->last == &job->next) {
            worker->last = at;
        }
        worker->bytes -= job->length;
        worker->count--;
    }
    pthread_mutex_unlock(&worker->lock);
    if (job != NULL) {
        job_free(job);
    }
}

/* ---- the thread --------------------------------------------------------------------------------- */

void worker_event(struct worker *worker, const char *channel, const void *data, size_t length) {
    for (struct watch *watch = worker->watches; watch != NULL; watch = watch->next) {
        if (strcmp(watch->channel, channel) == 0) {
            worker->library.store_event(watch->handle, data, length);
        }
    }
}

void worker_missed(struct worker *worker) {
    for (struct watch *watch = worker->watches; watch != NULL; watch = watch->next) {
        worker->library.store_missed(watch->handle);
    }
}

static bool is_watched(const struct worker *worker, const char *channel) {
    const struct watch *watch = worker->watches;
    while (watch != NULL && strcmp(watch->channel, channel) != 0) {
        watch = watch->next;
    }
    return watch != NULL;
}

/* Begins or ends a watch. False when the connection is lost. */
static bool watch_job(struct worker *worker, struct job *job, bool is_connected) {
    bool is_well = true;
    if (job->kind == JOB_WATCH) {
        struct watch *watch = malloc(sizeof *watch);
        if (watch == NULL) {
            return true;
        }
        bool is_first = !is_watched(worker, job->name);
        *watch = (struct watch){.next = worker->watches, .handle = job->watch, .channel = job->name};
        job->name = NULL;
        worker->watches = watch;
        is_well = !is_connected || !is_first || worker->engine->listen(worker, watch->channel, true);
        if (is_connected && is_well) {
            worker->library.store_missed(watch->handle);
        }
        return is_well;
    }
    for (struct watch **at = &worker->watches; *at != NULL; at = &(*at)->next) {
        struct watch *watch = *at;
        if (watch->handle == job->watch) {
            *at = watch->next;
            if (is_connected && !is_watched(worker, watch->channel)) {
                is_well = worker->engine->listen(worker, watch->channel, false);
            }
            free(watch->channel);
            free(watch);
            break;
        }
    }
    return is_well;
}

/* Those that wait; watches alone while there is no connection. */
static struct job *take(struct worker *worker, bool *is_closing) {
    struct job *taken = NULL, **end = &taken;
    char drained[64];
    while (read(worker->wake[0], drained, sizeof drained) == (ssize_t)sizeof drained) {
    }
    pthread_mutex_lock(&worker->lock);
    *is_closing = worker->is_closing;
    for (int count = 0; count < BATCH && worker->first != NULL; count++) {
        struct job *job = worker->first;
        worker->first = job->next;
        worker->bytes -= job->length;
        worker->count--;
        job->next = NULL;
        *end = job;
        end = &job->next;
    }
    if (worker->first == NULL) {
        worker->last = &worker->first;
    } else {
        wake(worker);
    }
    pthread_mutex_unlock(&worker->lock);
    return taken;
}

/* Waits until something is to be done. */
static void wait_for(struct worker *worker, int descriptor, int time_ms) {
    struct pollfd fds[2] = {{.fd = worker->wake[0], .events = POLLIN}, {.fd = descriptor, .events = POLLIN}};
    /* An interrupted wait looks once more. */
    int ready = poll(fds, descriptor < 0 ? 1 : 2, time_ms);
    (void)ready;
}

static void worker_free(struct worker *worker) {
    while (worker->watches != NULL) {
        struct watch *watch = worker->watches;
        worker->watches = watch->next;
        free(watch->channel);
        free(watch);
    }
    while (worker->first != NULL) {
        struct job *job = worker->first;
        worker->first = job->next;
        job_free(job);
    }
    close(worker->wake[0]);
    close(worker->wake[1]);
    pthread_mutex_destroy(&worker->lock);
    free(worker->of);
    free(worker);
}

/* Ends what cannot be done without a connection. */
static void refuse(struct worker *worker, struct job *jobs) {
    while (jobs != NULL) {
        struct job *job = jobs;
        jobs = job->next;
        if (job->call == NULL) {
            watch_job(worker, job, false);
        }
        job->status = MCP_ERROR_UNAVAILABLE;
        job->version = 0;
        job_end(worker, job);
    }
}

static void lose(struct worker *worker, const char *why) {
    worker->engine->disconnect(worker);
    worker->library.store_lost(worker->handle, why);
}

/* Does what was taken. False when the connection is lost. */
static bool serve(struct worker *worker, struct job *jobs, char *why) {
    bool is_well = true;
    struct job *calls = NULL, **end = &calls;
    while (jobs != NULL) {
        struct job *job = jobs;
        jobs = job->next;
        job->next = NULL;
        if (job->call == NULL) {
            is_well = watch_job(worker, job, is_well) && is_well;
            job_end(worker, job);
        } else {
            job->status = MCP_ERROR_TRANSPORT;
            *end = job;
            end = &job->next;
        }
    }
    if (is_well && calls != NULL) {
        is_well = worker->engine->work(worker, calls, why, TEXT);
    }
    if (!is_well) {
        /* First, so that what is perhaps done waits for the next connection. */
        lose(worker, why);
    }
    while (calls != NULL) {
        struct job *job = calls;
        calls = job->next;
        job_end(worker, job);
    }
    return is_well;
}

static bool connect_it(struct worker *worker) {
    char generation[TEXT] = "", why[TEXT] = "";
    if (!worker->engine->connect(worker, generation, why, sizeof why)) {
        lose(worker, why);
        return false;
    }
    for (struct watch *watch = worker->watches; watch != NULL; watch = watch->next) {
        if (!worker->engine->listen(worker, watch->channel, true)) {
            lose(worker, "the connection ended");
            return false;
        }
    }
    worker->library.store_ready(worker->handle, generation, 0);
    worker_missed(worker);
    char ended[TEXT] = "the connection ended";
    /* What came since it listens may be read already, and then no descriptor says so. */
    if (!worker->engine->look(worker, ended, sizeof ended)) {
        lose(worker, ended);
        return false;
    }
    return true;
}

static void *run(void *of) {
    struct worker *worker = of;
    bool is_closing = false, is_connected = false;
    int pause_ms = SHORTEST_MS;
    while (!is_closing) {
        if (!is_connected && worker_is_closing(worker)) {
            /* Not for a connection that ended because the store ends. */
            refuse(worker, take(worker, &is_closing));
            break;
        }
        if (!is_connected) {
            is_connected = connect_it(worker);
            if (is_connected) {
                pause_ms = SHORTEST_MS;
            } else {
                wait_for(worker, -1, pause_ms);
                pause_ms = pause_ms * 2 < LONGEST_MS ? pause_ms * 2 : LONGEST_MS;
                refuse(worker, take(worker, &is_closing));
                continue;
            }
        }
        char why[TEXT] = "the connection ended";
        struct job *jobs = take(worker, &is_closing);
        /* What woke it is taken from the pipe: there may be no more to wait for. */
        if (jobs == NULL && !is_closing) {
            wait_for(worker, worker->engine->descriptor(worker), LOOK_MS);
            jobs = take(worker, &is_closing);
        }
        if (is_closing) {
            refuse(worker, jobs);
            break;
        }
        if (jobs != NULL) {
            is_connected = serve(worker, jobs, why);
        }
        if (is_connected && !worker->engine->look(worker, why, sizeof why)) {
            lose(worker, why);
            is_connected = false;
        }
    }
    worker->engine->disconnect(worker);
    pthread_mutex_lock(&worker->lock);
    bool frees_itself = worker->frees_itself;
    pthread_mutex_unlock(&worker->lock);
    if (frees_itself) {
        worker_free(worker);
    }
    return NULL;
}

static void on_destroy(void *user) {
    struct worker *worker = user;
    /* There is none yet when the library takes no store. */
    if (worker->handle == NULL) {
        worker_free(worker);
        return;
    }
    bool is_own = pthread_equal(pthread_self(), worker->thread) != 0;
    pthread_t thread = worker->thread;
    pthread_mutex_lock(&worker->lock);
    worker->is_closing = true;
    worker->frees_itself = is_own;
    wake(worker);
    pthread_mutex_unlock(&worker->lock);
    if (is_own) {
        pthread_detach(thread);
    } else {
        if (worker->engine->interrupt != NULL) {
            worker->engine->interrupt(worker);
        }
        pthread_join(thread, NULL);
        worker_free(worker);
    }
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

/* A shared library has no need of the library: it may be loaded by a copy that hides its functions. */
#ifdef MCP_STORES_SHARED
#define WEAK(name) extern __typeof__(mcp_store_##name) mcp_store_##name __attribute__((weak));
LIBRARY_FUNCTIONS(WEAK)
#endif

#define LINKED(name) library->store_##name = mcp_store_##name;
#define LOADED(name) library->store_##name = (__typeof__(&mcp_store_##name))find("mcp_store_" #name);
#define IS_THERE(name) &&library->store_##name != NULL

static bool find_library(struct library *library, mcp_store_find_t find) {
    if (find == NULL) {
        LIBRARY_FUNCTIONS(LINKED)
    } else {
        LIBRARY_FUNCTIONS(LOADED)
    }
    return true LIBRARY_FUNCTIONS(IS_THERE);
}

mcp_status_t worker_register(const char *const *schemes,
                             mcp_status_t (*open)(void *user, const char *url, mcp_store_t **out, char *why, size_t room),
                             mcp_store_find_t find, char **error_json) {
    mcp_status_t status = MCP_OK;
    for (; status == MCP_OK && *schemes != NULL; schemes++) {
        struct library *library = malloc(sizeof *library);
        if (library == NULL || !find_library(library, find)) {
            free(library);
            return MCP_ERROR_UNAVAILABLE;
        }
        status = library->store_register(*schemes, open, library, free, error_json);
    }
    return status;
}

mcp_status_t worker_open(const struct library *library, const struct engine *engine, void *of, mcp_store_t **out, char *why, size_t room) {
    struct worker *worker = calloc(1, sizeof *worker);
    if (worker == NULL || pipe2(worker->wake, O_CLOEXEC | O_NONBLOCK) != 0) {
        snprintf(why, room, "the system has no memory or no descriptor left");
        free(worker);
        free(of);
        return MCP_ERROR_UNAVAILABLE;
    }
    worker->library = *library;
    worker->engine = engine;
    worker->of = of;
    worker->last = &worker->first;
    pthread_mutex_init(&worker->lock, NULL);
    mcp_status_t status = worker->library.store_new(&functions, worker, out, NULL);
    if (status != MCP_OK) {
        snprintf(why, room, "the library takes no store: status %d", status);
        return status;
    }
    mcp_store_t *store = *out;
    /* The signals of the program are for its own threads. */
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    worker->handle = store;
    int error = pthread_create(&worker->thread, NULL, run, worker);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (error != 0) {
        worker->handle = NULL;
        snprintf(why, room, "the system starts no thread: %s", strerror(error));
        library->store_free(store);
        *out = NULL;
        return MCP_ERROR_UNAVAILABLE;
    }
    return MCP_OK;
}
