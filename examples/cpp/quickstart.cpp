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
    auto tools = client->call("tools/list"); // starts the server
    if (!tools) {
        std::cerr << tools.error().message() << '\n';
        return 1;
    }
    for (int i = 0;; i++) {
        auto name = tools->get("/tools/" + std::to_string(i) + "/name");
        if (!name) break;
        std::cout << "tool: " << *name << '\n';
    }
    auto reply = client->call("tools/call", R"({"name": "echo", "arguments": {"text": "Hello from C++"}})");
    if (!reply) {
        std::cerr << reply.error().message() << '\n';
        return 1;
    }
    std::cout << reply->text().value_or(reply->json()) << '\n';
} // the client closes the connection and ends the server
