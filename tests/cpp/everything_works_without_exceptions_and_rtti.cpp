// mcp.hpp without exceptions, without RTTI and without both: clients, servers, transports, dispatchers, loggers, values and
// options work, and every failure is the error of a result. Only value() of a result without a value ends the program.
//
// modes: -fno-exceptions
// modes: -fno-rtti
// modes: -fno-exceptions -fno-rtti
#include "check.hpp"

#include <mcp.hpp>

#include <atomic>
#include <csignal>
#include <memory>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace std::chrono_literals;

#if defined(__cpp_exceptions)
static_assert(MCP_HAS_EXCEPTIONS == 1);
#else
static_assert(MCP_HAS_EXCEPTIONS == 0);
#endif

namespace {

void must(const mcp::result<void> &outcome) {
    if (!outcome) FAIL(outcome.error().message());
}

template <class T> T must(mcp::result<T> outcome) {
    if (!outcome) FAIL(outcome.error().message());
    return std::move(*outcome);
}

std::string config_of(const char *server) { return "{\"command\":" + must(mcp::json_quote(server)) + "}"; }

void failures_are_errors() {
    const auto wrong = mcp::client::make("no JSON");
    CHECK(!wrong && wrong.error().status() == mcp::status::invalid_argument && !wrong.error().message().empty());
    CHECK(mcp::json_get("{}", "/a").value_or("other") == "other");
    CHECK(mcp::json_get(R"({"a":"b"})", "/a").value() == "b");
    const auto unwritten = mcp::object().set("a", "\xff").json();
    CHECK(!unwritten && unwritten.error().status() == mcp::status::invalid_argument);
    mcp::call_options chosen;
    chosen.cursor = "\xff";
    mcp::client none;
    CHECK(none.list_tools(chosen).error().status() == mcp::status::invalid_argument);
}

struct silent : mcp::transport {
    mcp::status open(mcp::connection) override { return mcp::status::ok; }
    mcp::status send(mcp::connection, std::string_view) override { return mcp::status::transport; }
    void close(mcp::connection) override {}
};

void transports_fail_by_their_status() {
    auto client = must(mcp::client::make(std::make_unique<silent>()));
    const auto connected = client.connect(std::chrono::milliseconds(patience()));
    CHECK(!connected && connected.error().status() == mcp::status::transport);
}

void a_server_answers() {
    auto server = must(mcp::server::make(R"({"name":"plain"})"));
    must(server.add_tool(R"({"name":"double","inputSchema":{"type":"object"}})", [](mcp::request request) {
        const auto n = request.arguments().get("n").as_int64();
        must(n ? request.respond_text(std::to_string(2 * *n)) : request.fail("no n"));
    }));
    must(server.add_tool(R"({"name":"dropped","inputSchema":{"type":"object"}})", [](mcp::request) {}));
    std::thread runner([&server] { CHECK(server.run() == mcp::status::closed); });
    auto client = must(mcp::client::in_process(server));
    CHECK(must(client.call_tool("double", R"({"n":21})", 20s)).text() == "42");
    CHECK(must(client.call_tool("double")).is_tool_error());
    CHECK(client.call_tool("dropped").error().status() == mcp::status::server);
    must(client.close());
    CHECK(server.close(1s) == mcp::status::ok);
    runner.join();
    CHECK(!mcp::take_exception());
}

void a_dispatcher_gives_outcomes(const char *server) {
    std::atomic<int> records{0};
    must(mcp::set_logger(mcp::log_level::trace, [&records](mcp::log_level, std::string_view) { records++; }));
    auto dispatcher = must(mcp::dispatcher::make());
    std::atomic<int> ready{0};
    must(dispatcher->shared_queue().on_ready([&ready] { ready++; }));
    auto client = must(dispatcher->make_client(config_of(server)));
    std::thread runner([&dispatcher] { must(dispatcher->run()); });
    auto tools = dispatcher->call(client, mcp::feature::list_tools());
    auto nothing = dispatcher->call(client, "tools/call", R"({"name":"no-such-tool"})");
    const mcp::message listed = must(tools.get());
    CHECK(listed.value().get("tools").size() > 0);
    CHECK(nothing.get().error().status() == mcp::status::server);
    must(dispatcher->stop());
    runner.join();
    must(dispatcher->close(std::move(client)));
    must(mcp::set_logger(mcp::log_level::none, {}));
    CHECK(ready > 0 && records > 0);
}

#if !MCP_HAS_EXCEPTIONS
void a_value_that_is_missing_ends_the_program() {
    const pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        std::signal(SIGABRT, SIG_DFL);
        static_cast<void>(mcp::json_get("{}", "/a").value());
        std::_Exit(0);
    }
    int status = 0;
    CHECK(waitpid(child, &status, 0) == child);
    CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
}
#endif

} // namespace

int main(int argc, char **argv) {
    CHECK(argc == 3);
#if !MCP_HAS_EXCEPTIONS
    a_value_that_is_missing_ends_the_program();
#endif
    failures_are_errors();
    transports_fail_by_their_status();
    a_server_answers();
    a_dispatcher_gives_outcomes(argv[1]);
    return 0;
}
