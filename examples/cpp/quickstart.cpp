// quickstart SERVER: lists the server's tools and calls "echo".
#include <mcp.hpp>

#include <cstdio>
#include <iostream>

int main(int argc, char **argv) {
    if (argc != 2) return 2;
    auto client = mcp::client::make("{\"command\": " + mcp::json_quote(argv[1]).value_or("\"\"") + "}");
    if (!client) {
        std::cerr << client.error().message() << '\n';
        return 1;
    }
    auto tools = client->list_tools(); // starts the server; all pages as one list
    if (!tools) {
        std::cerr << tools.error().message() << '\n';
        return 1;
    }
    for (const mcp::value tool : tools->value().get("tools")) {
        std::cout << "tool: " << tool.get("name").as_string().value_or("") << '\n';
    }
    auto reply = client->call("tools/call", R"({"name": "echo", "arguments": {"text": "Hello from C++"}})");
    if (!reply) {
        std::cerr << reply.error().message() << '\n';
        return 1;
    }
    std::cout << reply->text().value_or(reply->json()) << '\n';
} // the client closes the connection and ends the server
