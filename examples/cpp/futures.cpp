// futures SERVER: starts several calls at once and waits for each as a std::future. C++17.
//
// The dispatcher has one queue and no thread of its own. One thread of this program runs it and completes the futures; any
// other thread may start calls and wait. Never wait for a future on the thread in run(): it would wait for itself.
#include <mcp.hpp>

#include <iostream>
#include <thread>
#include <vector>

namespace {

// Runs the dispatcher until the end of the scope, also after an exception.
class worker {
public:
    explicit worker(mcp::dispatcher &of) : of_(of), thread_([&of] {
        if (const auto ran = of.run(); !ran) std::cerr << ran.error().message() << '\n';
    }) {}
    ~worker() {
        if (const auto stopped = of_.stop(); !stopped) std::cerr << stopped.error().message() << '\n';
        thread_.join();
    }
    worker(const worker &) = delete;
    worker &operator=(const worker &) = delete;

private:
    mcp::dispatcher &of_;
    std::thread thread_;
};

// The text of a tool, or the reason why there is none.
std::string text_of(const mcp::result<mcp::message> &outcome) {
    return outcome ? std::string(outcome->text().value_or("no text")) : outcome.error().message();
}

} // namespace

int main(int argc, char **argv) try {
    if (argc != 2) {
        std::cerr << "usage: futures SERVER\n";
        return 2;
    }
    const auto dispatcher = mcp::dispatcher::make().value(); // value() throws where there is an error
    auto client = dispatcher->make_client(mcp::object().set("command", argv[1]).json().value()).value();
    const worker running(*dispatcher);

    // No call waits for another one. One that cannot be started is a future with its error.
    std::vector<std::future<mcp::result<mcp::message>>> sums;
    for (int i = 1; i <= 5; i++) {
        mcp::object arguments;
        arguments.set("a", i).set("b", i * i);
        sums.push_back(dispatcher->call(client, mcp::feature::call_tool("add", arguments.json().value())));
    }
    auto slow = dispatcher->call(client, mcp::feature::call_tool("slow", R"({"ms": 100})"));
    auto late = dispatcher->call(client, mcp::feature::call_tool("slow", R"({"ms": 5000})"),
                                 std::chrono::milliseconds(50)); // the time that this call may take

    for (auto &sum : sums) std::cout << text_of(sum.get()) << '\n';
    // wait_for() limits the wait and not the call: the outcome still arrives later.
    while (slow.wait_for(std::chrono::milliseconds(20)) != std::future_status::ready) std::cout << "still working\n";
    const auto waited = slow.get();
    std::cout << text_of(waited) << '\n' << text_of(late.get()) << '\n';
    return waited ? 0 : 1;
} catch (const mcp::bad_result &why) {
    std::cerr << why.what() << '\n';
    return 1;
}
