#include "server.hpp"

#include <csignal>
#include <iostream>

static mcp_queue_t *to_wake;

static void on_end(int number) {
    std::signal(number, SIG_DFL);
    mcp_queue_wake(to_wake);
}

int main() try {
    auto server = make_server();
    server.serve(R"({"stdio": true})").value();
    to_wake = server.queue().native();
    std::signal(SIGINT, on_end);
    std::signal(SIGTERM, on_end);
    const mcp::status status = server.run(); // until the client closes our standard input
    return status == mcp::status::closed || status == mcp::status::woken ? 0 : 1;
} catch (const mcp::bad_result &why) {
    std::cerr << why.what() << '\n';
    return 1;
}
