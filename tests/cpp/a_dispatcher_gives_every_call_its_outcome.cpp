// Calls started through a dispatcher from many threads each get their own outcome as a future, while one thread of the
// program runs it, until it is stopped, also in a signal handler, or for a time, or until one future has its outcome. A client that is closed with calls under way leaves none without an outcome, and what is not an outcome
// goes to on_message.
#include "check.hpp"

#include <mcp.hpp>

#include <atomic>
#include <csignal>
#include <thread>
#include <vector>

#if !defined(_WIN32)
#include <sys/time.h>
#endif

namespace {

using outcome = mcp::result<mcp::message>;

std::string echo(const std::string &text) {
    return R"({"name":"echo","arguments":{"text":")" + text + "\"}}";
}

outcome wait_for(std::future<outcome> &future) {
    CHECK(future.wait_for(std::chrono::milliseconds(patience())) == std::future_status::ready);
    return future.get();
}

// Several threads start calls on two clients and wait for the answers.
void futures_get_their_own_answers(mcp::dispatcher &dispatcher, mcp::client &left, mcp::client &right) {
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; t++) {
        threads.emplace_back([&, t] {
            std::vector<std::future<outcome>> futures;
            const int count = scaled(100, 10);
            for (int i = 0; i < count; i++) {
                mcp::client &client = i % 2 == 0 ? left : right;
                const std::string text = std::to_string(t) + "-" + std::to_string(i);
                futures.push_back(dispatcher.call(client, "tools/call", echo(text)));
            }
            for (int i = 0; i < count; i++) {
                auto reply = wait_for(futures[static_cast<std::size_t>(i)]);
                CHECK(reply && reply->text() == std::to_string(t) + "-" + std::to_string(i));
            }
        });
    }
    for (auto &thread : threads) thread.join();
}

// A handler may start the next call.
void calls_follow_one_another(mcp::dispatcher &dispatcher, mcp::client &client) {
    std::promise<std::string> last;
    auto future = last.get_future();
    auto then = [&](outcome reply) {
        CHECK(reply);
        last.set_value(std::string(reply->text().value()));
    };
    auto first = [&](outcome reply) {
        CHECK(reply && dispatcher.start(client, "tools/call", echo("second"), {}, then));
    };
    CHECK(dispatcher.start(client, "tools/call", echo("first"), {}, first));
    CHECK(future.wait_for(std::chrono::milliseconds(patience())) == std::future_status::ready);
    CHECK(future.get() == "second");
}

void a_call_that_cannot_start_says_so_at_once(mcp::dispatcher &dispatcher, mcp::client &client) {
    auto future = dispatcher.call(client, "tools/call", "no JSON");
    auto reply = wait_for(future);
    CHECK(!reply && reply.error().status() == mcp::status::invalid_argument);
    auto started = dispatcher.start(client, "tools/call", "no JSON", {}, [](outcome) { FAIL("it was not started"); });
    CHECK(!started);
}

// One thread is enough for a call and for a timer.
void it_runs_for_a_time(mcp::dispatcher &dispatcher, mcp::client &client) {
    using clock = std::chrono::steady_clock;
    using namespace std::chrono_literals;
    auto future = dispatcher.call(client, "tools/call", echo("until"));
    CHECK(dispatcher.run_until(future).value());
    CHECK(future.get().value().text() == "until");
    auto failed = dispatcher.call(client, "tools/call", "no JSON");
    CHECK(dispatcher.run_until(failed).value() && !failed.get());

    auto begun = clock::now();
    CHECK(dispatcher.run_for(50ms).value());
    CHECK(clock::now() - begun >= 50ms);
    CHECK(dispatcher.run_until(clock::now()).value() && dispatcher.run_until(clock::time_point::min()).value());
    CHECK(dispatcher.run_until(std::chrono::system_clock::now() + 10ms).value());

    // Without time it still goes on, message by message.
    future = dispatcher.call(client, "tools/call", echo("turns"));
    begun = clock::now();
    while (future.wait_for(0s) != std::future_status::ready) {
        CHECK(dispatcher.run_for(0ms).value() && clock::now() - begun < std::chrono::milliseconds(patience()));
    }

    // A stop is for the next run, also when its wakeup was taken, and for one only.
    dispatcher.stop().value();
    dispatcher.run_once().value();
    CHECK(!dispatcher.run_for(mcp::forever).value());
    dispatcher.stop().value();
    CHECK(!dispatcher.run_until(clock::time_point::max()).value());
    CHECK(dispatcher.run_for(1ms).value());
}

#if !defined(_WIN32)
mcp::dispatcher *interrupted = nullptr;

// The signal comes on the thread that itself starts, stops and runs.
void a_signal_handler_stops_it(mcp::dispatcher &dispatcher, mcp::client &client) {
    interrupted = &dispatcher;
    struct sigaction action {};
    action.sa_handler = [](int) { static_cast<void>(interrupted->stop()); };
    CHECK(sigaction(SIGALRM, &action, nullptr) == 0);
    const timeval interval{0, 200 * scale()};
    const itimerval often{interval, interval}, never{};
    CHECK(setitimer(ITIMER_REAL, &often, nullptr) == 0);
    for (int i = 0; i < scaled(1000, 50); i++) {
        dispatcher.stop().value();
        dispatcher.run().value();
        auto future = dispatcher.call(client, mcp::feature::ping());
        while (!dispatcher.run_until(future).value()) {}
        future.get().value();
    }
    CHECK(setitimer(ITIMER_REAL, &never, nullptr) == 0);
    static_cast<void>(dispatcher.run_for(std::chrono::milliseconds(0)));
}
#endif

} // namespace

int main(int argc, char **argv) {
    CHECK(argc == 3);
    const std::string config = "{\"command\":" + mcp::json_quote(argv[1]).value() + "}";
    auto dispatcher = mcp::dispatcher::make().value();
    std::atomic<int> states{0};
    dispatcher->on_message([&states](mcp::message message) {
        if (message.kind() == mcp::kind::state) states++;
    });
    mcp::client left = dispatcher->make_client(config).value();
    mcp::client right = dispatcher->make_client(config).value();
    it_runs_for_a_time(*dispatcher, left);
#if !defined(_WIN32)
    a_signal_handler_stops_it(*dispatcher, left);
#endif
    std::thread runner([&dispatcher] { CHECK(dispatcher->run()); });

    futures_get_their_own_answers(*dispatcher, left, right);
    calls_follow_one_another(*dispatcher, left);
    a_call_that_cannot_start_says_so_at_once(*dispatcher, left);
    CHECK(states > 0);

    // Closed in the middle of calls: each of them ends, in whatever order.
    std::vector<std::future<outcome>> slow;
    for (int i = 0; i < 10; i++) {
        slow.push_back(dispatcher->call(left, "tools/call", R"({"name":"slow","arguments":{"ms":60000}})"));
    }
    CHECK(dispatcher->close(std::move(left)));
    for (auto &future : slow) {
        auto reply = wait_for(future);
        CHECK(!reply && reply.error().status() == mcp::status::closed);
    }

    CHECK(dispatcher->stop());
    runner.join();

    // No thread runs it any more: what is under way ends with the dispatcher.
    auto left_over = dispatcher->call(right, "tools/call", R"({"name":"slow","arguments":{"ms":60000}})");
    right = mcp::client();
    dispatcher.reset();
    auto reply = wait_for(left_over);
    CHECK(!reply && reply.error().status() == mcp::status::closed);
    return 0;
}
