/* What every contender in C or C++ needs and none should be measured for: options, the talk with the runner, the clock, the
 * texts and their check. Knows no client library and no transport.
 *
 * A contender is started as `contender key=value ...` (see README.md) and speaks lines with the runner: it says
 * "ready", waits for a line, works, says "done calls=N ns=N", waits again, says "latency p50=N p99=N" and ends.
 * The runner reads processor time and memory from outside while the contender waits. */
#ifndef BENCH_H
#define BENCH_H

#ifndef _GNU_SOURCE /* C++ has it */
#define _GNU_SOURCE /* pipe2, F_SETPIPE_SZ */
#endif

#include "fail.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define SLOTS 64     /* different texts, and calls in flight */
#define TEXT_BYTES 64
#define LEADS 8

struct options {
    const char *workload;
    const char *era;
    const char *server;   /* path of the server program */
    const char *lead[LEADS]; /* what the server is started by: a program and its arguments */
    int leads;
    const char *url;      /* of the server, for the workloads over HTTP */
    const char *block;    /* path of one block of the big text */
    long calls;           /* of the measured section */
    long clients;         /* servers, for rss and many */
    long bytes;           /* of the big text */
    long seconds;         /* for many */
};

static long warm_calls; /* before the measured section; without the option warm a twentieth of it */

static struct options read_options(int count, char **values)
{
    struct options options = {.workload = "seq", .era = "legacy", .calls = 1000, .clients = 1, .bytes = 10 << 20, .seconds = 1};
    for (int i = 1; i < count; i++) {
        char *value = strchr(values[i], '=');
        if (value == NULL)
            fail("no key=value: %s", values[i]);
        *value++ = '\0';
        if (strcmp(values[i], "workload") == 0)
            options.workload = value;
        else if (strcmp(values[i], "era") == 0)
            options.era = value;
        else if (strcmp(values[i], "server") == 0)
            options.server = value;
        else if (strcmp(values[i], "lead") == 0 && options.leads < LEADS)
            options.lead[options.leads++] = value;
        else if (strcmp(values[i], "url") == 0)
            options.url = value;
        else if (strcmp(values[i], "block") == 0)
            options.block = value;
        else if (strcmp(values[i], "calls") == 0)
            options.calls = atol(value);
        else if (strcmp(values[i], "warm") == 0)
            warm_calls = atol(value);
        else if (strcmp(values[i], "clients") == 0)
            options.clients = atol(value);
        else if (strcmp(values[i], "bytes") == 0)
            options.bytes = atol(value);
        else if (strcmp(values[i], "seconds") == 0)
            options.seconds = atol(value);
        else
            fail("unknown option: %s", values[i]);
    }
    if (options.server == NULL)
        fail("server=PATH is missing");
    return options;
}

/* Whether the workload's name ends so: "http-seq" is "seq" over HTTP. */
static int is_workload(const struct options *options, const char *name)
{
    size_t whole = strlen(options->workload), length = strlen(name);
    return whole >= length && strcmp(options->workload + whole - length, name) == 0;
}

static inline uint64_t now_ns(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

/* ---- the talk with the runner ---- */

static void wait_for_runner(void)
{
    char byte;
    while (read(STDIN_FILENO, &byte, 1) == 1)
        if (byte == '\n')
            return;
    exit(1); /* the runner is gone */
}

static long measured_pid; /* of the process that is measured, where it is not this one */

static void say_ready(const char *version)
{
    printf("ready version=%s", version);
    if (measured_pid != 0)
        printf(" pid=%ld", measured_pid);
    putchar('\n');
    fflush(stdout);
    wait_for_runner();
}

static void say_done(long calls, uint64_t ns)
{
    printf("done calls=%ld ns=%llu\n", calls, (unsigned long long)ns);
    fflush(stdout);
    wait_for_runner();
}

static void say_first(void)
{
    puts("first");
    fflush(stdout);
}

static int compare_samples(const void *left, const void *right)
{
    uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
    return (a > b) - (a < b);
}

static void say_latency(uint64_t *samples, long count)
{
    qsort(samples, (size_t)count, sizeof *samples, compare_samples);
    printf("latency p50=%llu p99=%llu\n", (unsigned long long)samples[count / 2],
           (unsigned long long)samples[count * 99 / 100]);
    fflush(stdout);
}

/* The order is the same for every workload made of calls: some unmeasured ones, then the measured section without a
 * clock in it, then a shorter section that times each call. */
static void measure(void (*run)(long calls, uint64_t *samples), long calls, const char *version)
{
    long timed = calls / 10 < 100 ? calls : calls / 10;
    run(warm_calls > 0 ? warm_calls : calls / 20 + 1, NULL);
    say_ready(version);
    uint64_t start = now_ns();
    run(calls, NULL);
    say_done(calls, now_ns() - start);
    uint64_t *samples = (uint64_t *)calloc((size_t)timed, sizeof *samples);
    run(timed, samples);
    say_latency(samples, timed);
    free(samples);
}

/* ---- texts ---- */

/* The text of `echo`: different for each slot, so that a mixed-up answer is noticed. */
static void slot_text(int slot, char text[TEXT_BYTES + 1])
{
    snprintf(text, TEXT_BYTES + 1, "call %02u of the benchmark, with enough words to be sixty-four now",
             (unsigned)slot % SLOTS);
}

struct block {
    char *bytes;
    size_t length;
};

static struct block load_block(const char *path)
{
    FILE *file = path == NULL ? NULL : fopen(path, "rb");
    if (file == NULL)
        fail("cannot open block=%s", path == NULL ? "" : path);
    fseek(file, 0, SEEK_END);
    struct block block = {NULL, (size_t)ftell(file)};
    rewind(file);
    block.bytes = (char *)malloc(block.length);
    if (block.bytes == NULL || fread(block.bytes, 1, block.length, file) != block.length)
        fail("cannot read %s", path);
    fclose(file);
    return block;
}

/* Whether the text is the block again and again. */
static int is_repeated(const char *text, size_t length, const struct block *block)
{
    while (length > 0) {
        size_t part = length < block->length ? length : block->length;
        if (memcmp(text, block->bytes, part) != 0)
            return 0;
        text += part;
        length -= part;
    }
    return 1;
}

#endif
