/*
 * What a store must do, for every library in stores/. This program stands in the place of the library: it has the functions of mcp.h
 * that a store calls, and calls those of the store itself.
 *
 *     conformance URL rows [URL]   every row, with a second store at the second URL where several processes may share it
 *     conformance URL talk       says what the store tells, and does what the standard input says: get KEY, put KEY VALUE,
 *                                         begin KEY VALUE (a put whose end is not waited for), brief KEY VALUE and
 *                                         entry STREAM TEXT with a life of 1 ms, watch CHANNEL, publish CHANNEL TEXT; ends
 *                                         at its end
 *     conformance URL costs      how many microseconds each operation takes, one after the other
 */
#define _GNU_SOURCE
#include "mcp_stores.h"

#include <inttypes.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { PATIENCE_S = 60, LARGE = 768 * 1024, HOUR_MS = 3600 * 1000 };

_Noreturn static void fail(int line, const char *format, ...) {
    va_list arguments;
    fprintf(stderr, "line %d: ", line);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    exit(1);
}

#define CHECK(condition, ...)                                                                                \
    do {                                                                                                     \
        if (!(condition)) fail(__LINE__, #condition ": " __VA_ARGS__);                                       \
    } while (0)

/* ---- in the place of the library ---------------------------------------------------------------- */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static bool talks;

/* It is compiled with AddressSanitizer, for what a store reads from its engine. What it registers it never frees. */
const char *__asan_default_options(void);
const char *__asan_default_options(void) { return "detect_leaks=0"; }

struct mcp_store_t {
    mcp_store_functions_t functions;
    void *user;
    bool is_ready;
    unsigned ready_times, lost_times;
    char generation[256], why[512];
};

/* An operation, and what has come of it. One that holds keeps the thread of its store until it does not. */
struct mcp_store_call_t {
    bool is_done, holds, is_held;
    mcp_status_t status;
    uint64_t version, found_version;
    int64_t unix_ms;
    char *found;
    size_t length;
    unsigned entries;
    uint64_t places[1200];
    size_t bytes;
    char first[16];
};

struct mcp_store_watch_t {
    unsigned missed, events;
    size_t length;
    char last[64];
};

static struct {
    mcp_status_t (*open)(void *, const char *, mcp_store_t **, char *, size_t);
    void *user;
} opener;

mcp_status_t mcp_store_register(const char *scheme,
                                mcp_status_t (*open)(void *user, const char *url, mcp_store_t **out, char *why, size_t room),
                                void *user, void (*destroy)(void *user), char **error_json) {
    (void)scheme, (void)destroy, (void)error_json;
    opener.open = open;
    opener.user = user;
    return MCP_OK;
}

const char *mcp_status_name(mcp_status_t status) { return status == MCP_OK ? "ok" : "another"; }

mcp_status_t mcp_store_new(const mcp_store_functions_t *functions, void *user, mcp_store_t **out, char **error_json) {
    (void)error_json;
    mcp_store_t *store = calloc(1, sizeof *store);
    CHECK(store != NULL && functions->size == sizeof *functions && functions->version == MCP_STORE_VERSION, "the table");
    store->functions = *functions;
    store->user = user;
    *out = store;
    return MCP_OK;
}

mcp_status_t mcp_store_free(mcp_store_t *store) {
    store->functions.destroy(store->user);
    free(store);
    return MCP_OK;
}

static void say(const char *what, const char *of) {
    if (talks) {
        printf("%s %s\n", what, of);
        fflush(stdout);
    }
}

mcp_status_t mcp_store_ready(mcp_store_t *store, const char *generation, uint32_t flags) {
    CHECK(flags == 0 && *generation != '\0' && strlen(generation) <= 200, "%s", generation);
    pthread_mutex_lock(&lock);
    store->is_ready = true;
    store->ready_times++;
    snprintf(store->generation, sizeof store->generation, "%s", generation);
    say("ready", generation);
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
    return MCP_OK;
}

mcp_status_t mcp_store_lost(mcp_store_t *store, const char *why) {
    pthread_mutex_lock(&lock);
    store->is_ready = false;
    store->lost_times++;
    snprintf(store->why, sizeof store->why, "%s", why == NULL ? "" : why);
    say("lost", store->why);
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
    return MCP_OK;
}

mcp_status_t mcp_store_found(mcp_store_call_t *call, const void *value, size_t length, uint64_t version) {
    pthread_mutex_lock(&lock);
    CHECK(!call->is_done && call->found == NULL && version > 0, "found twice or late");
    call->found = malloc(length + 1);
    CHECK(call->found != NULL, "memory");
    memcpy(call->found, value, length);
    call->found[length] = '\0';
    call->length = length;
    call->found_version = version;
    pthread_mutex_unlock(&lock);
    return MCP_OK;
}

mcp_status_t mcp_store_entry(mcp_store_call_t *call, uint64_t place, const void *entry, size_t length) {
    pthread_mutex_lock(&lock);
    CHECK(!call->is_done && call->entries < 1200, "an entry too many or late");
    if (call->entries == 0) {
        snprintf(call->first, sizeof call->first, "%.*s", (int)length, (const char *)entry);
    }
    call->places[call->entries++] = place;
    call->bytes += length;
    pthread_mutex_unlock(&lock);
    return MCP_OK;
}

mcp_status_t mcp_store_done(mcp_store_call_t *call, mcp_status_t status, uint64_t version, int64_t unix_ms) {
    pthread_mutex_lock(&lock);
    CHECK(!call->is_done, "ended twice");
    while (call->holds) {
        call->is_held = true;
        pthread_cond_broadcast(&changed);
        pthread_cond_wait(&changed, &lock);
    }
    call->is_done = true;
    call->status = status;
    call->version = version;
    call->unix_ms = unix_ms;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
    return MCP_OK;
}

mcp_status_t mcp_store_event(mcp_store_watch_t *watch, const void *data, size_t length) {
    pthread_mutex_lock(&lock);
    watch->events++;
    watch->length = length;
    snprintf(watch->last, sizeof watch->last, "%.*s", (int)length, (const char *)data);
    say("event", watch->last);
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
    return MCP_OK;
}

mcp_status_t mcp_store_missed(mcp_store_watch_t *watch) {
    pthread_mutex_lock(&lock);
    watch->missed++;
    say("missed", "");
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
    return MCP_OK;
}

/* In the place of that of the system. Among rows a store that does nothing never looks by itself: what needs a look to come about is not
 * in time. */
int poll(struct pollfd *fds, nfds_t count, int time_ms) {
    const struct timespec time = {.tv_sec = time_ms / 1000, .tv_nsec = time_ms % 1000 * 1000000L};
    const bool is_look = time_ms > 1000 && !talks;
    return ppoll(fds, count, time_ms < 0 || is_look ? NULL : &time, NULL);
}

/* ---- using a store ------------------------------------------------------------------------------ */

/* Waits, with the lock. */
#define UNTIL(condition)                                                                                     \
    do {                                                                                                     \
        struct timespec end;                                                                                 \
        clock_gettime(CLOCK_REALTIME, &end);                                                                 \
        end.tv_sec += PATIENCE_S;                                                                            \
        pthread_mutex_lock(&lock);                                                                           \
        while (!(condition)) {                                                                               \
            CHECK(pthread_cond_timedwait(&changed, &lock, &end) == 0, "not in time");                        \
        }                                                                                                    \
        pthread_mutex_unlock(&lock);                                                                         \
    } while (0)

static mcp_store_t *open_store(const char *url) {
    char why[512] = "";
    mcp_store_t *store = NULL;
    CHECK(opener.open(opener.user, url, &store, why, sizeof why) == MCP_OK, "%s", why);
    return store;
}

static mcp_store_t *ready_store(const char *url) {
    mcp_store_t *store = open_store(url);
    UNTIL(store->is_ready);
    return store;
}

/* The end of an operation that `status` says was begun, or not. free() what was found. */
static mcp_status_t ended(mcp_store_call_t *call, mcp_status_t status) {
    if (status != MCP_OK) {
        return status;
    }
    UNTIL(call->is_done);
    return call->status;
}

static void forget(mcp_store_call_t *call) {
    free(call->found);
    memset(call, 0, sizeof *call);
}

static mcp_status_t get(mcp_store_t *store, mcp_store_call_t *call, const char *key) {
    forget(call);
    return ended(call, store->functions.get(store->user, call, key));
}

static mcp_status_t put_bytes(mcp_store_t *store, mcp_store_call_t *call, const char *key, const void *value, size_t length,
                              uint64_t expected, int64_t life_ms) {
    forget(call);
    return ended(call, store->functions.put(store->user, call, key, value, length, expected, life_ms));
}

static mcp_status_t put(mcp_store_t *store, mcp_store_call_t *call, const char *key, const char *value, uint64_t expected) {
    return put_bytes(store, call, key, value, value == NULL ? 0 : strlen(value), expected, HOUR_MS);
}

static mcp_status_t append(mcp_store_t *store, mcp_store_call_t *call, const char *stream, const char *entry, uint64_t place,
                           uint32_t most, int64_t life_ms) {
    forget(call);
    return ended(call, store->functions.append(store->user, call, stream, entry, strlen(entry), place, most, life_ms));
}

static mcp_status_t read_from(mcp_store_t *store, mcp_store_call_t *call, const char *stream, uint64_t after, uint32_t most, size_t bytes) {
    forget(call);
    return ended(call, store->functions.read(store->user, call, stream, after, most, bytes));
}

static mcp_status_t publish(mcp_store_t *store, mcp_store_call_t *call, const char *channel, const char *data) {
    forget(call);
    return ended(call, store->functions.publish(store->user, call, channel, data, strlen(data)));
}

/* ---- rows --------------------------------------------------------------------------------------- */

/* Names that no other run has. */
static const char *name_of(const char *what) {
    static char names[8][200];
    static unsigned next;
    static long long run;
    if (run == 0) {
        struct timespec now;
        clock_gettime(CLOCK_REALTIME, &now);
        run = (long long)now.tv_sec * 1000000000 + now.tv_nsec;
    }
    char *name = names[next++ % 8];
    snprintf(name, sizeof names[0], "mcp1:{%lld}:%s", run, what);
    return name;
}

static void put_expects_what_is_there(mcp_store_t *store) {
    mcp_store_call_t call = {0};
    const char *key = name_of("put");
    CHECK(get(store, &call, key) == MCP_EMPTY && call.found == NULL, "nothing is there");
    CHECK(put(store, &call, key, "x", 5) == MCP_CONFLICT && call.found == NULL, "a version that never was");
    CHECK(put(store, &call, key, "one", 0) == MCP_OK && call.version > 0 && call.unix_ms > 1600000000000, "absent");
    uint64_t first = call.version;
    CHECK(put(store, &call, key, "two", 0) == MCP_CONFLICT, "it is there");
    CHECK(strcmp(call.found, "one") == 0 && call.found_version == first, "what is there is shown: %s", call.found);
    CHECK(put(store, &call, key, "two", first + 1) == MCP_CONFLICT, "another version");
    CHECK(put(store, &call, key, "two", first) == MCP_OK && call.version > first, "equal");
    uint64_t second = call.version;
    CHECK(put(store, &call, key, "three", first) == MCP_CONFLICT && call.found_version == second, "an old version");
    CHECK(put(store, &call, key, "any", MCP_STORE_ANY) == MCP_OK && call.version > second, "any");
    uint64_t third = call.version;
    CHECK(get(store, &call, key) == MCP_OK && strcmp(call.found, "any") == 0 && call.found_version == third, "it is read");
    CHECK(put(store, &call, key, NULL, first) == MCP_CONFLICT && strcmp(call.found, "any") == 0, "deleting another version");
    CHECK(put(store, &call, key, NULL, third) == MCP_OK, "deleting");
    CHECK(get(store, &call, key) == MCP_EMPTY, "it is gone");
    CHECK(put(store, &call, key, NULL, MCP_STORE_ANY) == MCP_OK, "deleting what is gone");
    CHECK(put(store, &call, key, NULL, third) == MCP_CONFLICT && call.found == NULL, "deleting a version that is gone");
    /* Row 16: versions never come again. */
    CHECK(put(store, &call, key, "new", 0) == MCP_OK && call.version > third, "%" PRIu64 " after %" PRIu64, call.version, third);
    CHECK(put(store, &call, key, NULL, MCP_STORE_ANY) == MCP_OK, "deleting");
    CHECK(put_bytes(store, &call, key, "", 0, 0, HOUR_MS) == MCP_OK, "an empty value is a value");
    CHECK(get(store, &call, key) == MCP_OK && call.length == 0, "and read");
    forget(&call);
}

static void lives_end(mcp_store_t *store) {
    mcp_store_call_t call = {0};
    const char *brief = name_of("brief"), *stays = name_of("stays"), *stream = name_of("brief stream");
    CHECK(put_bytes(store, &call, brief, "x", 1, 0, 1) == MCP_OK, "a life of 1 ms");
    uint64_t version = call.version;
    CHECK(put(store, &call, stays, "x", 0) == MCP_OK, "a life of an hour");
    CHECK(append(store, &call, stream, "x", 1, 9, 1) == MCP_OK, "a stream of 1 ms");
    time_t end = time(NULL) + PATIENCE_S;
    while (get(store, &call, brief) != MCP_EMPTY || read_from(store, &call, stream, 0, 9, 999) != MCP_EMPTY) {
        CHECK(time(NULL) < end, "it does not end");
    }
    CHECK(put(store, &call, brief, "y", version) == MCP_CONFLICT && call.found == NULL, "its version is gone");
    CHECK(put(store, &call, brief, "y", 0) == MCP_OK && call.version > version, "it may be there again");
    CHECK(get(store, &call, stays) == MCP_OK, "the other one is there");
    forget(&call);
}

static void streams_have_places(mcp_store_t *store) {
    mcp_store_call_t call = {0};
    const char *stream = name_of("stream");
    CHECK(read_from(store, &call, stream, 0, 9, 999) == MCP_EMPTY, "there is none");
    CHECK(append(store, &call, stream, "x", 2, 9, HOUR_MS) == MCP_CONFLICT && call.found == NULL, "the first place is 1");
    CHECK(append(store, &call, stream, "one", 1, 9, HOUR_MS) == MCP_OK && call.version == 1, "the first");
    CHECK(append(store, &call, stream, "two", 0, 9, HOUR_MS) == MCP_OK && call.version == 2, "any place");
    CHECK(append(store, &call, stream, "x", 2, 9, HOUR_MS) == MCP_CONFLICT, "it is taken");
    CHECK(strcmp(call.found, "two") == 0 && call.found_version == 2, "the last one is shown: %s", call.found);
    CHECK(append(store, &call, stream, "x", 4, 9, HOUR_MS) == MCP_CONFLICT, "a hole");
    for (int n = 3; n <= 9; n++) {
        CHECK(append(store, &call, stream, "nnn", (uint64_t)n, 5, HOUR_MS) == MCP_OK, "%d", n);
    }
    /* The newest five stay: 5 to 9. Each row: after, most, bytes; how many come, and the first. */
    static const struct { uint64_t after; uint32_t most; size_t bytes; unsigned come; uint64_t first; } rows[] = {
        {0, 100, 999, 5, 5}, {5, 100, 999, 4, 6}, {0, 2, 999, 2, 5},  {0, 100, 6, 2, 5},
        {0, 100, 8, 2, 5},   {0, 100, 0, 1, 5},   {9, 100, 999, 0, 0}, {UINT64_MAX >> 12, 100, 999, 0, 0},
    };
    for (size_t at = 0; at < sizeof rows / sizeof *rows; at++) {
        CHECK(read_from(store, &call, stream, rows[at].after, rows[at].most, rows[at].bytes) == MCP_OK, "row %zu", at);
        CHECK(call.entries == rows[at].come, "row %zu: %u", at, call.entries);
        for (unsigned n = 0; n < call.entries; n++) {
            CHECK(call.places[n] == rows[at].first + n, "row %zu: %" PRIu64, at, call.places[n]);
        }
    }
    forget(&call);
}

static void large_values_are_kept_whole(mcp_store_t *store) {
    mcp_store_call_t call = {0};
    const char *key = name_of("large");
    char *value = malloc(LARGE);
    CHECK(value != NULL, "memory");
    for (size_t at = 0; at < LARGE; at++) {
        value[at] = (char)(at * 31 >> 3);
    }
    CHECK(put_bytes(store, &call, key, value, LARGE, 0, HOUR_MS) == MCP_OK, "768 KiB");
    CHECK(get(store, &call, key) == MCP_OK && call.length == LARGE && memcmp(call.found, value, LARGE) == 0, "the same bytes");
    forget(&call);
    CHECK(ended(&call, store->functions.append(store->user, &call, key, value, LARGE, 1, 2, HOUR_MS)) == MCP_OK, "an entry");
    CHECK(read_from(store, &call, key, 0, 2, 10) == MCP_OK && call.bytes == LARGE, "the first in any case");
    forget(&call);
    free(value);
}

/* Row 24: each of several threads at both stores adds 1 to a number; none is lost, and no version comes twice. */
enum { THREADS = 4, ADDED = 25 };
static const char *counted;

static void *adds(void *of) {
    mcp_store_t *store = of;
    mcp_store_call_t call = {0};
    char text[32];
    for (int n = 0; n < ADDED;) {
        mcp_status_t found = get(store, &call, counted);
        CHECK(found == MCP_OK || found == MCP_EMPTY, "%d", found);
        int number = found == MCP_OK ? atoi(call.found) : 0;
        uint64_t version = found == MCP_OK ? call.found_version : 0;
        snprintf(text, sizeof text, "%d", number + 1);
        mcp_status_t status = put(store, &call, counted, text, version);
        CHECK(status == MCP_OK || status == MCP_CONFLICT, "%d", status);
        CHECK(status != MCP_OK || call.version > version, "versions rise");
        n += status == MCP_OK;
    }
    forget(&call);
    return NULL;
}

static void concurrent_puts_are_one_after_the_other(mcp_store_t *first, mcp_store_t *second) {
    pthread_t threads[2 * THREADS];
    mcp_store_call_t call = {0};
    counted = name_of("counted");
    for (int n = 0; n < 2 * THREADS; n++) {
        CHECK(pthread_create(&threads[n], NULL, adds, n % 2 == 0 ? first : second) == 0, "a thread");
    }
    for (int n = 0; n < 2 * THREADS; n++) {
        pthread_join(threads[n], NULL);
    }
    CHECK(get(second, &call, counted) == MCP_OK && atoi(call.found) == 2 * THREADS * ADDED, "%s", call.found);
    forget(&call);
}

static void messages_reach_who_watches(mcp_store_t *first, mcp_store_t *second) {
    mcp_store_call_t call = {0};
    mcp_store_watch_t one = {0}, other = {0};
    const char *channel = name_of("channel"), *elsewhere = name_of("elsewhere");
    CHECK(first->functions.watch(first->user, &one, channel) == MCP_OK, "a watch");
    CHECK(second->functions.watch(second->user, &other, channel) == MCP_OK, "a watch");
    UNTIL(one.missed > 0 && other.missed > 0);
    CHECK(publish(first, &call, elsewhere, "not for them") == MCP_OK, "another channel");
    for (unsigned n = 1; n <= 20; n++) {
        char text[16];
        snprintf(text, sizeof text, "%u", n);
        CHECK(publish(n % 2 == 0 ? first : second, &call, channel, text) == MCP_OK, "%u", n);
        UNTIL(one.events >= n && other.events >= n);
        CHECK(strcmp(one.last, text) == 0 && strcmp(other.last, text) == 0, "in order: %s, %s", one.last, other.last);
    }
    char *large = malloc(LARGE);
    CHECK(large != NULL, "memory");
    memset(large, 'l', LARGE);
    forget(&call);
    CHECK(ended(&call, first->functions.publish(first->user, &call, channel, large, LARGE)) == MCP_OK, "768 KiB");
    UNTIL(one.events == 21 && other.events == 21);
    CHECK(one.length == LARGE && other.length == LARGE, "whole: %zu", other.length);
    free(large);
    first->functions.unwatch(first->user, &one);
    CHECK(publish(second, &call, channel, "last") == MCP_OK, "another one");
    UNTIL(other.events == 22);
    /* What the first store is asked after that comes behind it. */
    CHECK(get(first, &call, channel) == MCP_EMPTY && one.events == 21, "it does not watch any more: %u", one.events);
    second->functions.unwatch(second->user, &other);
    CHECK(get(second, &call, channel) == MCP_EMPTY, "the end of the watch");
    forget(&call);
}

/* More than this waits in no store. */
enum { MOST_JOBS = 20000 };

static void what_waits_is_bounded_and_leaves_when_it_is_forgotten(mcp_store_t *store) {
    mcp_store_call_t holding = {.holds = true}, forgotten = {0}, call = {0};
    const char *key = name_of("forgotten");
    CHECK(store->functions.get(store->user, &holding, key) == MCP_OK, "it begins");
    UNTIL(holding.is_held);
    for (int n = 0; n < MOST_JOBS; n++) {
        CHECK(store->functions.put(store->user, &forgotten, key, "x", 1, MCP_STORE_ANY, HOUR_MS) == MCP_OK, "%d wait", n);
    }
    CHECK(store->functions.get(store->user, &call, key) == MCP_ERROR_UNAVAILABLE, "one more");
    for (int n = 0; n < MOST_JOBS / 2; n++) {
        store->functions.forget(store->user, &forgotten);
    }
    /* Between those that are forgotten, and at the end. */
    CHECK(store->functions.get(store->user, &call, key) == MCP_OK, "there is room");
    for (int n = MOST_JOBS / 2; n < MOST_JOBS + 1; n++) {
        store->functions.forget(store->user, &forgotten);
    }
    mcp_store_call_t last = {0};
    CHECK(store->functions.get(store->user, &last, key) == MCP_OK, "behind the one that stays");
    store->functions.forget(store->user, &last);
    CHECK(store->functions.get(store->user, &last, key) == MCP_OK, "once more");
    pthread_mutex_lock(&lock);
    holding.holds = false;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
    UNTIL(call.is_done && last.is_done);
    CHECK(call.status == MCP_EMPTY && last.status == MCP_EMPTY && !forgotten.is_done, "what was forgotten was not done");
}

struct freeing {
    mcp_store_t *store;
    bool is_over;
};

static void *frees(void *of) {
    struct freeing *freeing = of;
    mcp_store_free(freeing->store);
    pthread_mutex_lock(&lock);
    freeing->is_over = true;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void a_store_ends_while_it_works(mcp_store_t *store) {
    mcp_store_call_t holding = {.holds = true}, call = {0};
    const char *key = name_of("end");
    struct freeing freeing = {.store = store};
    pthread_t thread;
    CHECK(store->functions.get(store->user, &holding, key) == MCP_OK, "it begins");
    UNTIL(holding.is_held);
    CHECK(pthread_create(&thread, NULL, frees, &freeing) == 0, "a thread");
    /* Nothing is taken once it is about to end. */
    while (store->functions.get(store->user, &call, key) == MCP_OK) {
        store->functions.forget(store->user, &call);
    }
    pthread_mutex_lock(&lock);
    holding.holds = false;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
    UNTIL(freeing.is_over);
    pthread_join(thread, NULL);
}

static void rows(const char *url, const char *second_url) {
    struct sigaction before, after;
    sigaction(SIGPIPE, NULL, &before);
    mcp_store_t *first = ready_store(url);
    mcp_store_t *second = second_url == NULL ? first : ready_store(second_url);
    CHECK(strcmp(first->generation, second->generation) == 0, "%s, %s", first->generation, second->generation);
    put_expects_what_is_there(first);
    lives_end(first);
    streams_have_places(first);
    large_values_are_kept_whole(first);
    concurrent_puts_are_one_after_the_other(first, second);
    messages_reach_who_watches(first, second);
    what_waits_is_bounded_and_leaves_when_it_is_forgotten(first);
    CHECK(first->lost_times == 0 && first->ready_times == 1, "it stayed: %s", first->why);
    if (second != first) {
        mcp_store_free(second);
    }
    a_store_ends_while_it_works(first);
    sigaction(SIGPIPE, NULL, &after);
    CHECK(after.sa_handler == before.sa_handler, "signals are the program's");
    puts("every row is well");
}

static void talk(const char *url) {
    static mcp_store_watch_t watches[8];
    char line[512], key[200], value[200];
    unsigned watched = 0;
    mcp_store_call_t call = {0};
    talks = true;
    mcp_store_t *store = open_store(url);
    while (fgets(line, sizeof line, stdin) != NULL) {
        mcp_status_t status = MCP_ERROR_INVALID_ARGUMENT;
        if (sscanf(line, "put %199s %199s", key, value) == 2) {
            status = put(store, &call, key, value, MCP_STORE_ANY);
        } else if (sscanf(line, "begin %199s %199s", key, value) == 2) {
            static mcp_store_call_t begun;
            status = store->functions.put(store->user, &begun, key, value, strlen(value), MCP_STORE_ANY, HOUR_MS);
        } else if (sscanf(line, "brief %199s %199s", key, value) == 2) {
            status = put_bytes(store, &call, key, value, strlen(value), MCP_STORE_ANY, 1);
        } else if (sscanf(line, "entry %199s %199s", key, value) == 2) {
            status = append(store, &call, key, value, 0, 9, 1);
        } else if (sscanf(line, "get %199s", key) == 1) {
            status = get(store, &call, key);
        } else if (sscanf(line, "publish %199s %199s", key, value) == 2) {
            status = publish(store, &call, key, value);
        } else if (sscanf(line, "watch %199s", key) == 1 && watched < 8) {
            status = store->functions.watch(store->user, &watches[watched++], key);
        }
        pthread_mutex_lock(&lock);
        printf("= %d %s\n", status, call.found == NULL ? "" : call.found);
        fflush(stdout);
        pthread_mutex_unlock(&lock);
    }
    forget(&call);
    mcp_store_free(store);
}

/* The time of one of many operations, with 500 bytes each. */
enum { COSTS = 500 };

static void cost(const char *what, struct timespec begun) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    double us = (double)(now.tv_sec - begun.tv_sec) * 1e6 + (double)(now.tv_nsec - begun.tv_nsec) / 1e3;
    printf("%-10s %8.0f us\n", what, us / COSTS);
}

static void costs(const char *url) {
    static const char *const whats[] = {"claim", "get", "update", "append", "read", "publish"};
    mcp_store_t *store = ready_store(url);
    mcp_store_call_t call = {0};
    char keys[COSTS][64], value[501];
    uint64_t versions[COSTS];
    const char *stream = strdup(name_of("costs"));
    CHECK(stream != NULL, "memory");
    memset(value, 'v', 500);
    value[500] = '\0';
    for (int at = 0; at < COSTS; at++) {
        snprintf(keys[at], sizeof keys[at], "%s/%d", stream, at);
    }
    for (size_t what = 0; what < sizeof whats / sizeof *whats; what++) {
        struct timespec begun;
        clock_gettime(CLOCK_MONOTONIC, &begun);
        for (int at = 0; at < COSTS; at++) {
            mcp_status_t status = MCP_OK;
            switch (what) {
            case 0: status = put(store, &call, keys[at], value, 0); break;
            case 1: status = get(store, &call, keys[at]); break;
            case 2: status = put(store, &call, keys[at], value, versions[at]); break;
            case 3: status = append(store, &call, stream, value, (uint64_t)at + 1, 100, HOUR_MS); break;
            case 4: status = read_from(store, &call, stream, COSTS - 1, 10, LARGE); break;
            default: status = publish(store, &call, stream, value); break;
            }
            CHECK(status == MCP_OK, "%s: %d", whats[what], status);
            versions[at] = what == 0 ? call.version : versions[at];
        }
        cost(whats[what], begun);
    }
    for (int at = 0; at < COSTS; at++) {
        CHECK(put(store, &call, keys[at], NULL, MCP_STORE_ANY) == MCP_OK, "deleting");
    }
    forget(&call);
    mcp_store_free(store);
}

#ifndef REGISTER
#error "REGISTER is the function that registers the store"
#endif

int main(int count, char **arguments) {
    if (count < 3 || REGISTER(NULL) != MCP_OK) {
        return 2;
    }
    if (strcmp(arguments[2], "rows") == 0) {
        rows(arguments[1], count > 3 ? arguments[3] : NULL);
    } else if (strcmp(arguments[2], "costs") == 0) {
        costs(arguments[1]);
    } else {
        talk(arguments[1]);
    }
    return 0;
}
