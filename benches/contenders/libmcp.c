/* libmcp through its public C interface, used as an application would: configuration as JSON, texts read with
 * mcp_message_text, every status and every text checked. Nothing is tuned that a user would not know of.
 *
 * Workloads: seq (mcp_call), pipe (mcp_call_start and mcp_client_poll, 64 in flight), big, big-escapes, start, threads,
 * rss, many and http-many (clients on one queue); http-seq, http-pipe, sse-seq, sse-pipe; in-process (client and server on one queue
 * and one thread), in-process-threads (a thread calls, another serves). */
#include "bench.h"
#include "echo.h"

#include <pthread.h>

#define THREADS 8

static struct options options;
static mcp_client_t *client;
static char params[SLOTS][192], texts[SLOTS][TEXT_BYTES + 1];

/* ---- connecting ---- */

/* The protocol is left to be found out, as it is for most applications. */
static char *configuration(void)
{
    static char config[4096];
    char *command = NULL;
    if (options.url != NULL) {
        snprintf(config, sizeof config, "{\"url\":\"%s\"}", options.url);
        return config;
    }
    check(mcp_json_quote(options.server, &command), NULL, "quote");
    snprintf(config, sizeof config, "{\"command\":%s,\"args\":[\"--era\",\"%s\"]%s}", command, options.era,
             options.bytes > 15 << 20 ? ",\"limits\":{\"frame_bytes\":2147483648}" : "");
    mcp_string_free(command);
    return config;
}

static mcp_client_t *connected(mcp_queue_t *queue)
{
    mcp_client_t *made = NULL;
    char *error = NULL;
    check(mcp_client_new(configuration(), queue, &made, &error), error, "new");
    check(mcp_client_connect(made, 30000, &error), error, "connect");
    return made;
}

/* ---- calls ---- */

static void make_calls(void)
{
    for (int slot = 0; slot < SLOTS; slot++) {
        slot_text(slot, texts[slot]);
        snprintf(params[slot], sizeof params[slot], "{\"name\":\"echo\",\"arguments\":{\"text\":\"%s\"}}", texts[slot]);
    }
}

static void check_text(const mcp_message_t *reply, const char *expected)
{
    size_t length = 0;
    const char *text = mcp_message_text(reply, &length);
    if (text == NULL || length != TEXT_BYTES || memcmp(text, expected, TEXT_BYTES) != 0)
        fail("wrong answer: %s", mcp_message_json(reply, NULL));
}

static void call_echo(int slot)
{
    mcp_message_t *reply = NULL;
    mcp_status_t status = mcp_call(client, "tools/call", params[slot], NULL, &reply);
    if (status != MCP_OK)
        fail("call: %s", mcp_message_json(reply, NULL));
    check_text(reply, texts[slot]);
    mcp_message_free(reply);
}

static void run_seq(long calls, uint64_t *samples)
{
    for (long i = 0; i < calls; i++) {
        uint64_t start = samples != NULL ? now_ns() : 0;
        call_echo((int)(i % SLOTS));
        if (samples != NULL)
            samples[i] = now_ns() - start;
    }
}

static void start_echo(mcp_client_t *on, int slot)
{
    char *error = NULL;
    check(mcp_call_start(on, "tools/call", params[slot], NULL, (uint64_t)slot, NULL, &error), error, "call_start");
}

/* One reply of a started call; other kinds of messages are freed. Gives its slot, or -1. */
static int take_reply(mcp_message_t *message)
{
    int slot = -1;
    if (mcp_message_kind(message) == MCP_KIND_REPLY) {
        if (mcp_message_status(message) != MCP_OK)
            fail("reply: %s", mcp_message_json(message, NULL));
        slot = (int)mcp_message_tag(message);
        check_text(message, texts[slot]);
    }
    mcp_message_free(message);
    return slot;
}

static void run_pipe(long calls, uint64_t *samples)
{
    uint64_t begun[SLOTS] = {0};
    long sent = 0, done = 0;
    for (; sent < calls && sent < SLOTS; sent++) {
        begun[sent] = samples != NULL ? now_ns() : 0;
        start_echo(client, (int)sent);
    }
    while (done < calls) {
        mcp_message_t *message = NULL;
        check(mcp_client_poll(client, -1, &message), NULL, "poll");
        int slot = take_reply(message);
        if (slot < 0)
            continue;
        if (samples != NULL)
            samples[done] = now_ns() - begun[slot];
        done++;
        if (sent < calls) {
            begun[slot] = samples != NULL ? now_ns() : 0;
            start_echo(client, slot);
            sent++;
        }
    }
}

/* ---- big ---- */

static struct block block;

static void run_big(long calls, uint64_t *samples)
{
    char arguments[128];
    snprintf(arguments, sizeof arguments, "{\"name\":\"big\",\"arguments\":{\"bytes\":%ld,\"escapes\":%s}}", options.bytes,
             strcmp(options.workload, "big-escapes") == 0 ? "true" : "false");
    for (long i = 0; i < calls; i++) {
        uint64_t start = samples != NULL ? now_ns() : 0;
        mcp_message_t *reply = NULL;
        if (mcp_call(client, "tools/call", arguments, NULL, &reply) != MCP_OK)
            fail("call: %s", mcp_message_json(reply, NULL));
        size_t length = 0;
        const char *text = mcp_message_text(reply, &length);
        if (text == NULL || length != (size_t)options.bytes || !is_repeated(text, length, &block))
            fail("wrong big answer of %zu bytes", length);
        mcp_message_free(reply);
        if (samples != NULL)
            samples[i] = now_ns() - start;
    }
}

/* ---- threads: blocking calls of eight threads on one client ---- */

struct share {
    long calls;
    uint64_t *samples;
};

static void *run_share(void *argument)
{
    struct share *share = argument;
    run_seq(share->calls, share->samples);
    return NULL;
}

static void run_threads(long calls, uint64_t *samples)
{
    pthread_t threads[THREADS];
    struct share shares[THREADS];
    for (int i = 0; i < THREADS; i++) {
        long from = calls * i / THREADS, to = calls * (i + 1) / THREADS;
        shares[i] = (struct share){to - from, samples != NULL ? samples + from : NULL};
        if (pthread_create(&threads[i], NULL, run_share, &shares[i]) != 0)
            fail("no thread");
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
}

/* ---- rss and many: clients that mostly wait ---- */

static mcp_client_t **connect_many(mcp_queue_t *queue)
{
    mcp_client_t **clients = calloc((size_t)options.clients, sizeof *clients);
    for (long i = 0; i < options.clients; i++) {
        clients[i] = client = connected(queue);
        call_echo(0);
    }
    return clients;
}

static void free_many(mcp_client_t **clients)
{
    for (long i = 0; i < options.clients; i++)
        mcp_client_free(clients[i]);
    free(clients);
    client = NULL;
}

/* Each client calls once a second, the calls spread evenly over it in ticks of ten milliseconds. */
static void run_many(void)
{
    mcp_queue_t *queue = NULL;
    char *error = NULL;
    check(mcp_queue_new(NULL, &queue, &error), error, "queue_new");
    mcp_client_t **clients = connect_many(queue);
    say_ready(mcp_version());
    uint64_t start = now_ns(), tick = 0, ticks = (uint64_t)options.seconds * 100;
    long calls = options.seconds * options.clients, sent = 0, done = 0;
    while (done < calls) {
        long due = (long)(tick * (uint64_t)options.clients / 100);
        for (; sent < due && sent < calls; sent++)
            start_echo(clients[sent % options.clients], (int)(sent % SLOTS));
        uint64_t next = start + (tick + 1) * 10000000u, now = now_ns();
        if (now >= next && tick < ticks) {
            tick++;
            continue;
        }
        mcp_message_t *message = NULL;
        int32_t wait_ms = tick < ticks ? (int32_t)((next - now + 999999) / 1000000) : 10000;
        mcp_status_t status = mcp_queue_poll(queue, wait_ms, &message);
        if (status == MCP_OK)
            done += take_reply(message) >= 0;
        else if (status != MCP_EMPTY || tick == ticks)
            fail("queue_poll: %s, %ld of %ld calls done", mcp_status_name(status), done, calls);
    }
    say_done(calls, now_ns() - start);
    free_many(clients);
    mcp_queue_free(queue);
}

/* ---- in-process: client and server in this program ---- */

static mcp_queue_t *shared;

static void run_on_one_thread(long calls, uint64_t *samples)
{
    for (long i = 0; i < calls; i++) {
        uint64_t start = samples != NULL ? now_ns() : 0;
        start_echo(client, (int)(i % SLOTS));
        for (int slot = -1; slot < 0;) {
            mcp_message_t *message = NULL;
            check(mcp_queue_poll(shared, -1, &message), NULL, "queue_poll");
            slot = take_reply(message);
        }
        if (samples != NULL)
            samples[i] = now_ns() - start;
    }
}

static void *serve(void *server)
{
    mcp_status_t status = mcp_server_run(server, -1);
    if (status != MCP_ERROR_CLOSED)
        fail("run: %s", mcp_status_name(status));
    return NULL;
}

static void run_in_process(int with_threads)
{
    pthread_t serving;
    char *error = NULL, config[64];
    if (!with_threads)
        check(mcp_queue_new(NULL, &shared, &error), error, "queue_new");
    mcp_server_t *server = new_echo_server(shared);
    if (with_threads && pthread_create(&serving, NULL, serve, server) != 0)
        fail("no thread");
    snprintf(config, sizeof config, "{\"protocol\":\"%s\"}", options.era);
    check(mcp_client_new_in_process(config, shared, server, &client, &error), error, "client_new_in_process");
    measure(with_threads ? run_seq : run_on_one_thread, options.calls, mcp_version());
    mcp_client_free(client);
    check(mcp_server_close(server, -1), NULL, "close");
    if (with_threads)
        pthread_join(serving, NULL);
    check(mcp_server_free(server), NULL, "free");
    if (shared != NULL)
        mcp_queue_free(shared);
}

int main(int count, char **values)
{
    options = read_options(count, values);
    const char *workload = options.workload;
    make_calls();
    if (strcmp(workload, "many") == 0 || strcmp(workload, "http-many") == 0) {
        run_many();
        return 0;
    }
    if (strncmp(workload, "in-process", 10) == 0) {
        run_in_process(strcmp(workload, "in-process-threads") == 0);
        return 0;
    }
    if (strcmp(workload, "rss") == 0) {
        mcp_client_t **clients = connect_many(NULL);
        say_ready(mcp_version());
        free_many(clients);
        return 0;
    }
    client = connected(NULL);
    if (strcmp(workload, "start") == 0) {
        call_echo(0);
        say_first();
    } else if (is_workload(&options, "seq")) {
        measure(run_seq, options.calls, mcp_version());
    } else if (is_workload(&options, "pipe")) {
        measure(run_pipe, options.calls, mcp_version());
    } else if (strcmp(workload, "threads") == 0) {
        measure(run_threads, options.calls, mcp_version());
    } else if (strncmp(workload, "big", 3) == 0) {
        block = load_block(options.block);
        measure(run_big, options.calls, mcp_version());
    } else {
        fail("no such workload here: %s", workload);
    }
    mcp_client_free(client);
    return 0;
}
