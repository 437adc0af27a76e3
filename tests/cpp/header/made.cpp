#include "made.hpp"

#include <thread>

static mcp::error why() { return mcp::error(mcp::status::server, R"({"message":"out of paper"})"); }

mcp::result<std::string> make_text(bool good) {
    if (!good) return mcp::unexpected(why());
    return std::string("a text that is longer than a short string");
}

mcp::result<void> make_nothing(bool good) {
    if (!good) return mcp::unexpected(why());
    return {};
}

mcp::result<mcp::client> make_client(const mcp::options &wrong) { return mcp::client::make(wrong.json()); }

mcp::result<std::optional<mcp::message>> poll_once(mcp::queue &queue) { return queue.poll(std::chrono::seconds(0)); }

mcp::object make_object() { return mcp::object().set("list", mcp::array().add(1).add("two")); }

std::unique_ptr<mcp::dispatcher> make_dispatcher() {
    auto made = mcp::dispatcher::make().value();
    made->stop().value();
    return made;
}

mcp::result<mcp::message> call_tool(mcp::server::handler run) {
    auto server = mcp::server::make(R"({"name":"made"})").value();
    server.add_tool(R"({"name":"it","inputSchema":{"type":"object"}})", std::move(run)).value();
    std::thread runner([&server] { static_cast<void>(server.run()); });
    auto client = mcp::client::in_process(server).value();
    auto reply = client.call_tool("it");
    client.close().value();
    static_cast<void>(server.close(std::chrono::seconds(1)));
    runner.join();
    return reply;
}
