// coroutine SERVER: calls that follow one another, written as if they blocked, on a thread that serves many. Needs C++20.
//
// A coroutine awaits each reply and goes on, on the thread that runs the dispatcher, when it is there. Three of them are
// under way at a time on one connection.
#include <mcp.hpp>

#include <coroutine>
#include <exception>
#include <iostream>

namespace {

// The smallest task: it starts at once, and no caller waits for it.
struct task {
    struct promise_type {
        task get_return_object() { return {}; }
        std::suspend_never initial_suspend() noexcept { return {}; }
        std::suspend_never final_suspend() noexcept { return {}; }
        void return_void() {}
        void unhandled_exception() { std::terminate(); }
    };
};

struct outcome {
    int left = 3;
    bool fine = true;
};

// Adds 1 + 2 + 3 + ... up to `last`, asking the server for each sum.
task add_up(mcp::dispatcher &dispatcher, mcp::client &client, int last, outcome &all) {
    std::string sum = "0";
    for (int i = 1; i <= last; i++) {
        const std::string params =
            R"({"name": "add", "arguments": {"a": )" + sum + ", \"b\": " + std::to_string(i) + "}}";
        auto reply = co_await dispatcher.await(client, "tools/call", params);
        if (!reply) {
            std::cerr << reply.error().message() << '\n';
            all.fine = false;
            break;
        }
        sum = reply->text().value_or("0");
    }
    std::cout << "1 to " << last << " is " << sum << '\n';
    all.fine = all.fine && sum == std::to_string(last * (last + 1) / 2);
    if (--all.left == 0) all.fine = dispatcher.stop().has_value() && all.fine;
}

} // namespace

int main(int argc, char **argv) {
    if (argc != 2) {
        std::cerr << "usage: coroutine SERVER\n";
        return 1;
    }
    auto dispatcher = mcp::dispatcher::make();
    if (!dispatcher) return 2;
    auto client =
        (*dispatcher)->make_client("{\"command\": " + mcp::json_quote(argv[1]).value_or("\"\"") + "}");
    if (!client) {
        std::cerr << client.error().message() << '\n';
        return 2;
    }
    // Nothing runs but what this thread runs, so the coroutines need no lock.
    outcome all;
    for (int last : {10, 20, 30}) add_up(**dispatcher, *client, last, all);
    const auto ran = (*dispatcher)->run();
    const auto closed = (*dispatcher)->close(std::move(*client));
    return ran && closed && all.fine ? 0 : 2;
}
