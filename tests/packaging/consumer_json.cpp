// consumer_json SERVER: with nlohmann/json included first, mcp.hpp takes and gives its values.
#include <nlohmann/json.hpp>

#include <mcp.hpp>

#include <cstdio>

int main(int argc, char **argv) {
    if (argc != 2) return 2;
    auto client = mcp::json::make_client({{"command", argv[1]}});
    if (!client) return 1;
    auto result = mcp::json::call(*client, "tools/call", {{"name", "add"}, {"arguments", {{"a", 2}, {"b", 3}}}});
    if (!result || (*result)["content"][0]["text"] != "5") return 1;
    auto failed = mcp::json::call(*client, "tools/call", {{"name", "no-such-tool"}});
    if (failed || failed.error().status() != mcp::status::server) return 1;
    // What cannot be written as JSON is an error, and no exception.
    auto unwritten = mcp::json::call(*client, "ping", {{"a", "\xff"}});
    if (unwritten || unwritten.error().status() != mcp::status::invalid_argument) return 1;
    if (unwritten.error().message().find("UTF-8") == std::string::npos) return 1;
    std::printf("%s\n", result->dump().c_str());
    return 0;
}
