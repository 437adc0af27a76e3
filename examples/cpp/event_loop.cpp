// event_loop SERVER: two servers in one epoll loop, and never a blocking call.
//
// The dispatcher hands each outcome to the function that waits for it. It has no thread: this program's loop sleeps in
// epoll_wait() until the queue's descriptor says that something is there, and lets it take that. The program ends when
// every call has its outcome and each server has sent its notification.
#include <mcp.hpp>

#include <iostream>
#include <sys/epoll.h>
#include <unistd.h>

namespace {

constexpr std::chrono::seconds patience{10};

// The calls made on each server.
const char *const calls[] = {
    R"({"name": "echo", "arguments": {"text": "first"}})",
    R"({"name": "slow", "arguments": {"ms": 200}})",
    R"({"name": "notify", "arguments": {"count": 2}})",
    R"({"name": "echo", "arguments": {"text": "last"}})",
};

// Servers of the modern era log only for requests that ask for it. Older ones take no notice of this.
const char *const with_log = R"({"meta": {"io.modelcontextprotocol/logLevel": "info"}})";

struct server {
    const char *name;
    mcp::client client{};
    std::size_t replies = 0;
    std::size_t notifications = 0;
    bool failed = false;

    bool is_done() const { return replies == std::size(calls) && notifications > 0; }
};

bool open(mcp::dispatcher &dispatcher, server &one, const std::string &config) {
    auto made = dispatcher.make_client(config);
    if (!made) {
        std::cerr << one.name << ": " << made.error().message() << '\n';
        return false;
    }
    one.client = std::move(*made);
    for (const char *params : calls) {
        auto started = dispatcher.start(
            one.client, "tools/call", params, with_log, [&one](mcp::result<mcp::message> reply) {
                one.replies++;
                one.failed = one.failed || !reply;
                std::cout << one.name << ": a call ended: "
                          << (reply ? std::string(reply->text().value_or(reply->json())) : reply.error().message())
                          << '\n';
            });
        if (!started) {
            std::cerr << one.name << ": " << started.error().message() << '\n';
            return false;
        }
    }
    return true;
}

// The loop of the program. It ends when all is done, or at the deadline.
bool run(mcp::dispatcher &dispatcher, const server (&servers)[2]) {
    const int epoll = epoll_create1(EPOLL_CLOEXEC);
    epoll_event event{};
    event.events = EPOLLIN;
    const auto descriptor = dispatcher.shared_queue().fd();
    bool fine = epoll >= 0 && descriptor && epoll_ctl(epoll, EPOLL_CTL_ADD, *descriptor, &event) == 0;
    const auto deadline = std::chrono::steady_clock::now() + patience;
    while (fine && !(servers[0].is_done() && servers[1].is_done())) {
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
        fine = left.count() > 0 && epoll_wait(epoll, &event, 1, static_cast<int>(left.count())) > 0 &&
               dispatcher.run_once();
        if (!fine) std::cerr << "the loop ended early\n";
    }
    if (epoll >= 0) close(epoll);
    return fine;
}

} // namespace

int main(int argc, char **argv) {
    if (argc != 2) {
        std::cerr << "usage: event_loop SERVER\n";
        return 1;
    }
    auto made = mcp::dispatcher::make();
    if (!made) {
        std::cerr << made.error().message() << '\n';
        return 2;
    }
    mcp::dispatcher &dispatcher = **made;
    server servers[2] = {{"left"}, {"right"}};
    dispatcher.on_message([&servers](mcp::message message) {
        for (server &one : servers) {
            if (message.client() != one.client.native()) continue;
            if (message.kind() == mcp::kind::notification) one.notifications++;
            std::cout << one.name << ": " << mcp::name(message.kind()) << ' ' << message.method() << ' '
                      << message.json() << '\n';
        }
    });
    const std::string config = "{\"command\": " + mcp::json_quote(argv[1]).value_or("\"\"") + "}";
    bool fine = open(dispatcher, servers[0], config) && open(dispatcher, servers[1], config) &&
                run(dispatcher, servers);
    for (server &one : servers) {
        fine = dispatcher.close(std::move(one.client)) && fine && !one.failed;
    }
    return fine ? 0 : 2;
}
