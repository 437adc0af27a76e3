/* The client of cpp-mcp over the standard streams, as its README has it: a blocking call_tool for each call. Only errors are logged.
 *
 * Workloads: seq, big, big-escapes, start, rss. */
#include "bench.h"

#include <mcp_stdio_client.h>

#include <memory>
#include <vector>

static struct options options;
static mcp::stdio_client *client;

/* The client writes a request and notes after that that an answer to it is awaited: an answer that its reader has taken before is
 * lost, and the call fails after 60 s. The reader sleeps for 10 ms whenever it finds nothing to read. A call that begins in the midst
 * of this sleep loses nothing, and is over with the sleep, as one that begins sooner. */
static void await_sleep_of_reader(void)
{
    struct timespec pause = {0, 4000000};
    nanosleep(&pause, NULL);
}

static void call_echo(int slot)
{
    char text[TEXT_BYTES + 1];
    slot_text(slot, text);
    await_sleep_of_reader();
    mcp::json result = client->call_tool("echo", {{"text", text}});
    if (result.at("content").at(0).at("text") != text)
        fail("wrong answer: %s", result.dump().c_str());
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

static struct block block;

static void run_big(long calls, uint64_t *samples)
{
    bool escapes = strcmp(options.workload, "big-escapes") == 0;
    for (long i = 0; i < calls; i++) {
        uint64_t start = samples != NULL ? now_ns() : 0;
        await_sleep_of_reader();
        mcp::json result = client->call_tool("big", {{"bytes", options.bytes}, {"escapes", escapes}});
        const std::string &text = result.at("content").at(0).at("text").get_ref<const std::string &>();
        if (text.size() != (size_t)options.bytes || !is_repeated(text.data(), text.size(), &block))
            fail("wrong big answer of %zu bytes", text.size());
        if (samples != NULL)
            samples[i] = now_ns() - start;
    }
}

static std::unique_ptr<mcp::stdio_client> connected(void)
{
    auto made = std::make_unique<mcp::stdio_client>(std::string(options.server) + " --era " + options.era);
    if (!made->initialize("mcp-bench", "1.0.0"))
        fail("not connected to %s", options.server);
    return made;
}

static void run_idle(void)
{
    std::vector<std::unique_ptr<mcp::stdio_client>> clients;
    for (long i = 0; i < options.clients; i++) {
        clients.push_back(connected());
        client = clients.back().get();
        call_echo(0);
    }
    say_ready(VERSION);
}

static void run(void)
{
    /* It takes a command as one text, and splits that at spaces. */
    if (strpbrk(options.server, " \t\n") != NULL)
        fail("a path with spaces cannot be started by cpp-mcp: %s", options.server);
    mcp::set_log_level(mcp::log_level::error);
    if (strcmp(options.workload, "rss") == 0) {
        run_idle();
        return;
    }
    std::unique_ptr<mcp::stdio_client> only = connected();
    client = only.get();
    if (strcmp(options.workload, "start") == 0) {
        call_echo(0);
        say_first();
    } else if (strcmp(options.workload, "seq") == 0) {
        measure(run_seq, options.calls, VERSION);
    } else if (strncmp(options.workload, "big", 3) == 0) {
        block = load_block(options.block);
        measure(run_big, options.calls, VERSION);
    } else {
        fail("no such workload here: %s", options.workload);
    }
}

int main(int count, char **values)
{
    options = read_options(count, values);
    try {
        run();
    } catch (const std::exception &error) {
        fail("%s %s: %s", options.workload, options.era, error.what());
    }
    return 0;
}
