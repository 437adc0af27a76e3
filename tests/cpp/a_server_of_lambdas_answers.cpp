// mcp::server: tools are lambdas, requests are answered at once, later on another thread or as tasks, and the client is asked from a
// handler, in both eras. Server and client are in one process, joined by a Unix socket, by nothing, or by a transport.
#include "check.hpp"

#include <mcp.hpp>

#include <chrono>
#include <filesystem>
#include <future>
#include <thread>
#include <unistd.h>
#include <vector>

using namespace std::chrono_literals;

static void must(const mcp::result<void> &outcome) {
    if (!outcome) FAIL(outcome.error().message() + " " + outcome.error().json());
}

template <class T> static T must(mcp::result<T> outcome) {
    if (!outcome) FAIL(outcome.error().message() + " " + outcome.error().json());
    return std::move(*outcome);
}

static const char form[] = R"({"message":"Who?","requestedSchema":{"type":"object","properties":{"name":{"type":"string"}}}})";

static mcp::server made(std::vector<std::thread> &later) {
    mcp::server server = must(mcp::server::make(R"({"name":"lambdas","version":"1"})"));
    must(server.add_tool(R"({"name":"double","inputSchema":{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}})",
                     [](mcp::request request) {
                         const auto n = request.arguments().get("n").as_int64().value_or(0);
                         must(request.respond_text(std::to_string(2 * n)));
                     }));
    must(server.add_tool(R"({"name":"later","inputSchema":{"type":"object"}})", [&later](mcp::request request) {
        later.emplace_back([request = std::move(request)]() mutable { must(request.respond_text("later")); });
    }));
    must(server.add_tool(R"({"name":"dropped","inputSchema":{"type":"object"}})", [](mcp::request) {}));
    must(server.add_tool(R"({"name":"ask","inputSchema":{"type":"object"}})", [](mcp::request request) {
        const auto answer = must(request.ask("who", "elicitation/create", form));
        if (!answer) return;
        must(request.respond_text(*answer));
    }));
    must(server.add_tool(R"({"name":"task","execution":{"taskSupport":"required"},"inputSchema":{"type":"object"}})",
                     [&later](mcp::request request) {
                         must(request.start_task(R"({"status_message":"works","poll_interval_ms":10})"));
                         CHECK(request.start_task(R"({"ttl":1})").error().status() == mcp::status::invalid_argument);
                         later.emplace_back(
                             [request = std::move(request)]() mutable { must(request.respond_text("as a task")); });
                     }));
    must(server.add_tool(R"({"name":"plain","inputSchema":{"type":"object"}})", [](mcp::request request) {
        CHECK(request.start_task().error().status() == mcp::status::unsupported);
        must(request.respond_text("plain"));
    }));
    must(server.add_text(R"({"uri":"note://a","name":"a"})", "fixed"));
    return server;
}

static std::string call(mcp::client &client, const char *tool, const char *arguments = "{}") {
    auto reply = client.call_tool(tool, arguments);
    return reply ? std::string(reply->text().value_or("")) : reply.error().json();
}

static void check(mcp::client client) {
    CHECK(call(client, "double", R"({"n":21})") == "42");
    CHECK(call(client, "double", R"({"n":"x"})").find("/n") != std::string::npos);
    CHECK(call(client, "later") == "later");
    CHECK(call(client, "task") == "as a task");
    CHECK(call(client, "plain") == "plain");
    CHECK(call(client, "dropped").find("internal error") != std::string::npos);
    CHECK(must(client.read_resource("note://a")).text() == "fixed");
    const auto started = must(client.start(mcp::feature::call_tool("ask", "{}")));
    for (;;) {
        auto message = must(client.poll(10s));
        CHECK(message.has_value());
        if (message->kind() == mcp::kind::request) {
            must(client.respond(*message, R"({"action":"accept","content":{"name":"Ada"}})"));
        } else if (message->kind() == mcp::kind::reply) {
            CHECK(message->call_id() == started);
            CHECK(message->text().value_or("").find("Ada") != std::string::npos);
            break;
        }
    }
    must(client.close(1s));
}

// A client that sends lines and keeps what comes back.
struct recorder : mcp::transport {
    std::string &last;
    mcp::connection &open_one;
    recorder(std::string &kept, mcp::connection &current) : last(kept), open_one(current) {}
    mcp::status open(mcp::connection to) override {
        open_one = to;
        return mcp::status::ok;
    }
    mcp::status send(mcp::connection, std::string_view frame) override {
        last = frame;
        return mcp::status::ok;
    }
    void close(mcp::connection) override { last = "closed"; }
};

static void attach(mcp::server &server) {
    std::string last;
    mcp::connection to;
    must(server.attach(std::make_unique<recorder>(last, to)));
    must(to.deliver(R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25",)"
                    R"("capabilities":{},"clientInfo":{"name":"c","version":"1"}}})"));
    CHECK(last.find("lambdas") != std::string::npos);
    must(to.deliver(R"({"jsonrpc":"2.0","method":"notifications/initialized"})"));
    must(server.notify("notifications/custom", R"({"n":1})"));
    CHECK(last.find("custom") != std::string::npos);
    CHECK(!server.notify("notifications/custom", "{}", 9999));
    CHECK(server.call_start(9999, "ping").error().status() == mcp::status::unavailable);
    must(to.closed("enough"));
    CHECK(last == "closed");
    CHECK(!server.attach(nullptr));
}

// Inside an HTTP server of the program, which this test is.
static void inside(mcp::server &server) {
    must(server.serve(R"({"url":"http://localhost/mcp","listen":false})"));
    const std::string body = R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"plain","_meta":{)"
                             R"("io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}})";
    const std::vector<std::pair<std::string, std::string>> headers = {{"Host", "localhost"},
                                                                      {"Content-Type", "application/json"},
                                                                      {"Mcp-Method", "tools/call"},
                                                                      {"Mcp-Name", "plain"},
                                                                      {"MCP-Protocol-Version", "2026-07-28"}};
    std::promise<void> ready;
    auto exchange = must(server.http("POST", "/mcp", headers, body, [&ready] { ready.set_value(); }));
    auto head = must(exchange.head(0ms));
    if (!head) {
        ready.get_future().wait();
        head = must(exchange.head(10s));
    }
    CHECK(head && head->status == 200 && head->length);
    bool is_json = false;
    for (const auto &[name, value] : exchange.headers()) is_json |= name == "content-type" && value == "application/json";
    CHECK(is_json);
    std::string answer;
    char part[7];
    while (const std::size_t length = must(exchange.read(part, sizeof part, 10s)).value_or(0)) answer.append(part, length);
    CHECK(answer.find("plain") != std::string::npos && answer.size() == *head->length);
    CHECK(server.http("POST", "/mcp", {{"a", std::string("b\0", 2)}}, "").error().status() == mcp::status::invalid_argument);
    CHECK(!mcp::exchange() && mcp::exchange().head(0ms).error().status() == mcp::status::invalid_argument);
}

int main() {
    const auto folder = std::filesystem::temp_directory_path() / ("libmcp-lambdas-" + std::to_string(getpid()));
    std::filesystem::create_directory(folder);
    const std::string socket = "unix:" + (folder / "socket").string();
    std::vector<std::thread> later;
    mcp::server server = made(later);
    must(server.serve(R"({"socket":")" + socket + R"("})"));
    std::thread runner([&server] { CHECK(server.run() == mcp::status::closed); });
    for (const std::string protocol : {"legacy", "modern"}) {
        const std::string members = R"("protocol":")" + protocol + R"(","tasks":{"poll_min_ms":5},"capabilities":{"elicitation":{}}})";
        check(must(mcp::client::make(R"({"socket":")" + socket + R"(",)" + members)));
        check(must(mcp::client::in_process(server, "{" + members)));
    }
    attach(server);
    inside(server);
    CHECK(server.close(1s) == mcp::status::ok);
    runner.join();
    for (auto &thread : later) thread.join();
    CHECK(must(server.remove("tool", "double")) && !must(server.remove("tool", "double")));
    std::filesystem::remove_all(folder);
    return 0;
}
