// consumer SERVER: the smallest program over mcp.hpp. It compiles with and without exceptions and RTTI.
#include <mcp.hpp>

#include <cstdio>
#include <string>

int main(int argc, char **argv) {
    if (argc != 2) return 2;
    auto quoted = mcp::json_quote(argv[1]);
    if (!quoted) return 2;
    auto client = mcp::client::make("{\"command\":" + *quoted + "}");
    if (!client) {
        std::fprintf(stderr, "consumer: %s\n", client.error().message().c_str());
        return 1;
    }
    auto tools = client->list_tools(std::chrono::seconds(30));
    if (!tools || tools->value().get("tools").size() == 0) {
        std::fprintf(stderr, "consumer: %s\n", tools ? "no tools" : tools.error().message().c_str());
        return 1;
    }
    auto reply = client->call_tool("echo", R"({"text":"installed"})", std::chrono::seconds(30));
    if (!reply || reply->text() != "installed") {
        std::fprintf(stderr, "consumer: %s\n", reply ? "another answer" : reply.error().message().c_str());
        return 1;
    }
    std::printf("libmcp %s: %s\n", std::string(mcp::version()).c_str(), std::string(*reply->text()).c_str());
    return 0;
}
