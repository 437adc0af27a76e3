/*
 * The books of the soak: each started call has a ticket, and the ticket is settled by its one outcome. An outcome for a
 * ticket that is not open ends the program; tickets that stay open are counted at the end. Statuses and times of blocking
 * calls are counted here as well.
 */
#ifndef MCP_TESTS_SOAK_LEDGER_H
#define MCP_TESTS_SOAK_LEDGER_H

#include "../c/http.h"

#include <stdatomic.h>
#include <sys/mman.h>

#define MOST_OPEN 65536

/* The tag of the call, 0 while free. The lower bits of a tag are its place. */
static _Atomic uint64_t tickets[MOST_OPEN];
static atomic_int ticket_owner[MOST_OPEN];
static _Atomic uint64_t last_tag;
static _Atomic long long open_tickets;

static uint64_t open_ticket(int owner) {
    for (int attempt = 0; attempt < MOST_OPEN; attempt++) {
        uint64_t tag = atomic_fetch_add(&last_tag, 1) + 1;
        uint64_t is_free = 0;
        atomic_int *place = &ticket_owner[tag % MOST_OPEN];
        if (atomic_compare_exchange_strong(&tickets[tag % MOST_OPEN], &is_free, tag)) {
            atomic_store(place, owner);
            atomic_fetch_add(&open_tickets, 1);
            return tag;
        }
    }
    FAIL("%d started calls have no outcome", MOST_OPEN);
}

/* The outcome of a ticket; gives whose it was. */
static int settle_ticket(uint64_t tag, const char *what) {
    uint64_t expected = tag;
    int owner = atomic_load(&ticket_owner[tag % MOST_OPEN]);
    if (!atomic_compare_exchange_strong(&tickets[tag % MOST_OPEN], &expected, 0)) {
        FAIL("a second outcome for call %llu (%s)", (unsigned long long)tag, what);
    }
    atomic_fetch_sub(&open_tickets, 1);
    return owner;
}

/* ---- statuses ----------------------------------------------------------------------------- */

#define STATUSES 32

static _Atomic long long outcomes[STATUSES];
static _Atomic long long calls_made;

/* Counts an outcome; only what a host must expect of bad servers may come. */
static void count_outcome(mcp_status_t status, const char *what, const char *json) {
    switch (status) {
    case MCP_OK:
    case MCP_ERROR_TIMEOUT:
    case MCP_ERROR_CANCELLED:
    case MCP_ERROR_UNAVAILABLE:
    case MCP_ERROR_TRANSPORT:
    case MCP_ERROR_PROTOCOL:
    case MCP_ERROR_SERVER:
    case MCP_ERROR_BACKPRESSURE:
    case MCP_ERROR_TOO_LARGE:
    case MCP_ERROR_CLOSED:
        break;
    default:
        FAIL("%s ends as %s: %.2000s", what, mcp_status_name(status), json != NULL ? json : "");
    }
    atomic_fetch_add(&outcomes[-status], 1);
    atomic_fetch_add(&calls_made, 1);
}

static void print_outcomes(void) {
    for (int i = 0; i < STATUSES; i++) {
        if (atomic_load(&outcomes[i]) != 0) {
            printf("total %s %lld\n", mcp_status_name(-i), atomic_load(&outcomes[i]));
        }
    }
}

/* ---- the time that this process had --------------------------------------------------------- */

/* The longest step of the clock below, twice what it sleeps. */
#define STEP_MS 40

static _Atomic long long lived;
static atomic_bool lives;

/* Counts the time in which threads of this process could run. A fork holds the lock of the address space, and while the kernel
 * waits there, for seconds where something else holds the lock of a shared library's file, each thread stops at its next
 * page fault. This one takes the same lock at each step. */
static void *live(void *unused) {
    (void)unused;
    for (long long last = now_ms(); atomic_load(&lives);) {
        poll(NULL, 0, STEP_MS / 2);
        void *page = mmap(NULL, 1, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        CHECK(page != MAP_FAILED && munmap(page, 1) == 0);
        long long step = now_ms() - last;
        last += step;
        atomic_fetch_add(&lived, step < STEP_MS ? step : STEP_MS);
    }
    return NULL;
}

/* Milliseconds that this process had; what must end in its time is judged by them. */
static long long lived_ms(void) { return atomic_load(&lived); }

/* ---- times ----------------------------------------------------------------------------- */

/* Eight buckets for each doubling of the microseconds. */
#define BUCKETS 256

static _Atomic long long times[BUCKETS];

static void count_time(long long us) {
    int power = 0;
    us = us < 8 ? 8 : us;
    while (us >> (power + 4) != 0) {
        power++;
    }
    int bucket = power * 8 + (int)(us >> power) - 8;
    atomic_fetch_add(&times[bucket < BUCKETS ? bucket : BUCKETS - 1], 1);
}

static long long bucket_us(int bucket) { return (long long)(bucket % 8 + 8) << (bucket / 8); }

/* The half and the hundredth part from above of the times since the last look, in microseconds; -1: there were none. */
static void take_times(long long *half, long long *most) {
    long long seen[BUCKETS];
    long long all = 0;
    long long below = 0;
    *half = *most = -1;
    for (int i = 0; i < BUCKETS; i++) {
        seen[i] = atomic_exchange(&times[i], 0);
        all += seen[i];
    }
    for (int i = 0; i < BUCKETS; i++) {
        below += seen[i];
        if (all > 0 && *half < 0 && below * 2 >= all) {
            *half = bucket_us(i);
        }
        if (all > 0 && *most < 0 && below * 100 >= all * 99) {
            *most = bucket_us(i);
        }
    }
}

static inline long long now_us(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (long long)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

#endif
