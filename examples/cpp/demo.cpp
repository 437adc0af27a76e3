// demo SERVER: the life of one connection, told step by step.
//
// Starts the example server, lists its tools, calls one, receives a notification, kills the server, watches the client
// bring it back, and closes. What goes wrong is thrown, by value() of a result that has none. Exits with 0 when all went
// as told.
#include <mcp.hpp>

#include <exception>
#include <iostream>
#include <stdexcept>

using namespace std::chrono_literals;

namespace {

constexpr auto patience = 5s;

// Servers of the modern era log only for requests that ask for it. Older ones take no notice of this.
const char *const with_log = R"({"meta": {"io.modelcontextprotocol/logLevel": "info"}})";

void must(bool holds, const char *what) {
    if (!holds) throw std::runtime_error(what);
}

std::string call_tool(mcp::client &client, const std::string &params) {
    mcp::message reply = client.call("tools/call", params, with_log).value();
    return std::string(reply.text().value_or(reply.json()));
}

void connect_and_introduce(mcp::client &client) {
    std::cout << "Starting the server and connecting.\n";
    client.connect(patience).value();
    const std::string info = client.info().value();
    for (const char *what : {"/server/name", "/server/version", "/revision", "/era"}) {
        std::cout << "  " << what << ": " << mcp::json_get(info, what).value() << '\n';
    }
}

void list_tools(mcp::client &client) {
    std::cout << "Listing the tools.\n";
    mcp::message reply = client.list_tools().value();
    const std::size_t count = reply.value().get("tools").size();
    must(count > 0, "the server has no tools");
    std::cout << "  it has " << count << ", the first is \"" << reply.get("/tools/0/name").value() << "\"\n";
}

void add_two_numbers(mcp::client &client) {
    std::cout << "Calling the tool \"add\" with 2 and 40.\n";
    const std::string answer = call_tool(client, R"({"name": "add", "arguments": {"a": 2, "b": 40}})");
    std::cout << "  it says " << answer << '\n';
    must(answer == "42", "the sum is wrong");
}

void receive_a_notification(mcp::client &client) {
    std::cout << "Calling the tool \"notify\" and waiting for the notification.\n";
    call_tool(client, R"({"name": "notify", "arguments": {"count": 1, "text": "Hello"}})");
    auto message = client.poll_notification(patience).value();
    must(message.has_value(), "no notification came");
    std::cout << "  " << message->method() << ' ' << message->json() << '\n';
}

// Lets the server crash in the middle of a call. That call fails, and says why.
void crash_the_server(mcp::client &client) {
    std::cout << "Killing the server in the middle of a call.\n";
    while (client.poll(0s).value()) {
        // What the client went through on its way up is known.
    }
    auto reply = client.call("tools/call", R"({"name": "crash", "arguments": {}})");
    must(!reply && reply.error().status() == mcp::status::transport, "the call did not end with the server");
    std::cout << "  the call ended with \"" << mcp::name(reply.error().status())
              << "\": " << reply.error().message() << '\n';
}

void watch_the_recovery(mcp::client &client) {
    std::cout << "Watching the client bring it back.\n";
    bool seen_backoff = false;
    for (;;) {
        auto message = client.poll(patience).value();
        must(message.has_value(), "nothing more happened");
        if (message->kind() != mcp::kind::state) continue;
        const std::string now = message->get("/state").value();
        std::cout << "  " << now << '\n';
        seen_backoff = seen_backoff || now == mcp::name(mcp::state::backoff);
        if (now == mcp::name(mcp::state::ready)) break;
    }
    must(seen_backoff, "the client did not wait before it tried again");
}

void works_again(mcp::client &client, const std::string &old_pid) {
    std::cout << "Calling again.\n";
    const std::string pid = call_tool(client, R"({"name": "pid", "arguments": {}})");
    std::cout << "  the server's process was " << old_pid << " and is " << pid << '\n';
    must(pid != old_pid, "it is the same process");
}

void run(const char *server) {
    auto client = mcp::client::make("{\"command\": " + mcp::json_quote(server).value() +
                                    ", \"reconnect\": {\"initial_ms\": 50, \"max_ms\": 500}}")
                      .value();
    connect_and_introduce(client);
    list_tools(client);
    add_two_numbers(client);
    receive_a_notification(client);
    const std::string pid = call_tool(client, R"({"name": "pid", "arguments": {}})");
    crash_the_server(client);
    watch_the_recovery(client);
    works_again(client, pid);
    std::cout << "Closing.\n";
    client.close().value();
    std::cout << "  the client is " << mcp::name(client.state().value()) << '\n';
}

} // namespace

int main(int argc, char **argv) {
    if (argc != 2) {
        std::cerr << "usage: demo SERVER\n";
        return 1;
    }
    std::cout << "libmcp " << mcp::version() << '\n';
    try {
        run(argv[1]);
    } catch (const mcp::bad_result &bad) {
        std::cerr << "demo: " << bad.error().message() << '\n';
        return 2;
    } catch (const std::exception &other) {
        std::cerr << "demo: " << other.what() << '\n';
        return 2;
    }
    std::cout << "Done.\n";
}
