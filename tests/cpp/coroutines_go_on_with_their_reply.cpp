// A coroutine that awaits a call goes on, on the thread that runs the dispatcher, with the reply; one whose call cannot
// be started goes on at once, with the error. Needs C++20.
#include "check.hpp"

#include <mcp.hpp>

#include <atomic>
#include <coroutine>
#include <thread>

namespace {

struct task {
    struct promise_type {
        task get_return_object() { return {}; }
        std::suspend_never initial_suspend() noexcept { return {}; }
        std::suspend_never final_suspend() noexcept { return {}; }
        void return_void() {}
        void unhandled_exception() { FAIL("an exception got out of a coroutine"); }
    };
};

task echo_in_turn(mcp::dispatcher &dispatcher, mcp::client &client, std::thread::id runner, int number,
                  std::atomic<int> &left) {
    for (int i = 0; i < 5; i++) {
        const std::string text = std::to_string(number) + "-" + std::to_string(i);
        auto reply = co_await dispatcher.await(
            client, "tools/call", R"({"name":"echo","arguments":{"text":")" + text + "\"}}");
        CHECK(reply && reply->text() == text);
        CHECK(std::this_thread::get_id() == runner);
    }
    if (--left == 0) CHECK(dispatcher.stop());
}

task fails_at_once(mcp::dispatcher &dispatcher, mcp::client &client, bool &done) {
    auto reply = co_await dispatcher.await(client, "tools/call", "no JSON");
    CHECK(!reply && reply.error().status() == mcp::status::invalid_argument);
    done = true;
}

task is_closed(mcp::dispatcher &dispatcher, mcp::client &client, bool &done) {
    auto reply =
        co_await dispatcher.await(client, mcp::feature::call_tool("slow", R"({"ms":60000})"));
    CHECK(!reply && reply.error().status() == mcp::status::closed);
    done = true;
}

} // namespace

int main(int argc, char **argv) {
    CHECK(argc == 3);
    auto dispatcher = mcp::dispatcher::make().value();
    mcp::client client =
        dispatcher->make_client("{\"command\":" + mcp::json_quote(argv[1]).value() + "}").value();

    bool failed = false;
    fails_at_once(*dispatcher, client, failed);
    CHECK(failed);

    const int count = scaled(40, 5);
    std::atomic<int> left{count};
    std::promise<std::thread::id> known;
    auto id = known.get_future();
    std::thread runner([&] {
        known.set_value(std::this_thread::get_id());
        CHECK(dispatcher->run());
    });
    const std::thread::id runs = id.get();
    for (int i = 0; i < count; i++) echo_in_turn(*dispatcher, client, runs, i, left);
    runner.join();

    bool closed = false;
    is_closed(*dispatcher, client, closed);
    CHECK(!closed);
    CHECK(dispatcher->close(std::move(client)));
    CHECK(closed);
    return 0;
}
