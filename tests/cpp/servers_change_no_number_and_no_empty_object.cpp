// What a client sends reaches a handler in C++ as it was written, and what the handler writes reaches the client so: empty
// objects and arrays, integers up to 64 bits and beyond, decimals, escapes and names that occur twice. In both eras, through
// text, through mcp::value and mcp::object.
#include "check.hpp"

#include <mcp.hpp>

#include <cstdint>
#include <string>
#include <thread>

using namespace std::chrono_literals;

namespace {

constexpr char ARGUMENTS[] =
    R"({"empty":{},"none":[],"deep":{"o":{},"a":[{}]},"most":9223372036854775807,"least":-9223372036854775808,)"
    R"("unsigned":18446744073709551615,"beyond":123456789012345678901234567890,"odd":9007199254740993,)"
    R"("decimal":1.10,"exponent":1E+2,"null":null,"text":"\u0041\/","twice":1,"twice":2})";

// What a handler saw of the arguments, written once more by mcp::object.
std::string written_again(const mcp::value &arguments) {
    mcp::object copy;
    for (const auto &[name, value] : arguments.members()) copy.set(name, value);
    return std::string(copy.json().value());
}

void a_number_is_the_number(const mcp::value &arguments) {
    CHECK(arguments.get("most").as_int64() == INT64_MAX && arguments.get("least").as_int64() == INT64_MIN);
    CHECK(arguments.get("odd").as_int64() == 9007199254740993);
    // It is no int64_t, and is not made one.
    CHECK(!arguments.get("unsigned").as_int64() && arguments.get("unsigned").json() == "18446744073709551615");
    CHECK(!arguments.get("beyond").as_int64() && arguments.get("exponent").as_int64() == 100);
    CHECK(arguments.get("empty").type() == mcp::json_type::object && arguments.get("empty").size() == 0);
    CHECK(arguments.get("none").type() == mcp::json_type::array && arguments.get("none").size() == 0);
    CHECK(arguments.get("empty").begin() == arguments.get("empty").end());
}

mcp::server made() {
    auto server = mcp::server::make(R"({"name":"numbers"})").value();
    constexpr char tail[] = R"(","inputSchema":{"type":"object"}})";
    const auto tool = [&server, &tail](const std::string &name, mcp::server::handler run) {
        server.add_tool(R"({"name":")" + name + tail, std::move(run)).value();
    };
    tool("text", [](mcp::request request) {
        const auto given = request.arguments();
        a_number_is_the_number(given);
        CHECK(given.json() == ARGUMENTS);
        request.respond(R"({"content":[],"structuredContent":)" + std::string(given.json()) + "}").value();
    });
    tool("objects", [](mcp::request request) {
        const auto given = request.arguments();
        mcp::object result;
        result.set("content", mcp::array()).set_json("structuredContent", written_again(given).c_str());
        request.respond(result.json().value()).value();
    });
    tool("numbers", [](mcp::request request) {
        mcp::object numbers;
        numbers.set("most", INT64_MAX).set("least", INT64_MIN).set("unsigned", UINT64_MAX);
        numbers.set("empty", mcp::object()).set("none", mcp::array());
        request.respond(mcp::object().set("content", mcp::array()).set("structuredContent", numbers).json().value()).value();
    });
    tool("no_arguments", [](mcp::request request) {
        CHECK(request.arguments().json() == "{}");
        request.respond(R"({"content":[],"structuredContent":{},"_meta":{"x/y":{}}})").value();
    });
    return server;
}

std::string structured(const mcp::result<mcp::message> &reply) {
    if (!reply) FAIL(reply.error().json());
    return std::string(reply->value().get("structuredContent").json());
}

void check(mcp::server &server, const char *protocol) {
    auto client = mcp::client::in_process(server, std::string(R"({"protocol":")") + protocol + R"("})").value();
    CHECK(structured(client.call_tool("text", ARGUMENTS)) == ARGUMENTS);
    CHECK(structured(client.call_tool("objects", ARGUMENTS)) == ARGUMENTS);
    CHECK(structured(client.call_tool("numbers")) ==
          R"({"most":9223372036854775807,"least":-9223372036854775808,"unsigned":18446744073709551615,"empty":{},"none":[]})");
    const auto reply = client.call_tool("no_arguments", "{}");
    CHECK(structured(reply) == "{}");
    CHECK(reply->value().get("_meta").get("x/y").json() == "{}");
    client.close().value();
}

} // namespace

int main() {
    auto server = made();
    std::thread runner([&server] { CHECK(server.run() == mcp::status::closed); });
    for (const char *protocol : {"2024-11-05", "2025-11-25", "2026-07-28"}) check(server, protocol);
    CHECK(server.close(1s) == mcp::status::ok);
    runner.join();
    return 0;
}
