/*
 * Checks values against schemas by the library itself: each schema is that of a tool of a server in this process, and each value is the
 * arguments of a call. Standard input has a schema a line, an empty line, and lines "NUMBER JSON"; the answer has a line for each schema
 * ("usable" or why not) and for each value ("valid" or why not).
 */
#include <mcp.hpp>

#include <cstdio>
#include <iostream>
#include <string>
#include <thread>

int main() {
    auto made = mcp::server::make("{\"name\":\"validate\",\"version\":\"1\",\"limits\":{\"tools\":100000}}");
    if (!made) made = mcp::server::make("{\"name\":\"validate\",\"version\":\"1\"}");
    if (!made) return std::cerr << made.error().message() << '\n', 1;
    mcp::server &server = *made;
    std::string line;
    for (std::size_t number = 0; std::getline(std::cin, line) && !line.empty(); number++) {
        const std::string definition = "{\"name\":\"t" + std::to_string(number) + "\",\"inputSchema\":" + line + "}";
        const auto added = server.add_tool(definition, [](mcp::request request) { (void)request.respond("{\"content\":[]}"); });
        std::string why = added ? "usable" : added.error().message();
        for (char &c : why) c = c == '\n' ? ' ' : c;
        std::cout << why << '\n';
    }
    auto client = mcp::client::in_process(server);
    if (!client) return std::cerr << client.error().message() << '\n', 1;
    std::thread runs([&server] { server.run(); });
    while (std::getline(std::cin, line)) {
        const std::size_t space = line.find(' ');
        const auto reply = client->call_tool("t" + line.substr(0, space), line.substr(space + 1));
        std::string why = "valid";
        if (!reply) why = reply.error().message();
        else if (reply->is_tool_error()) why = std::string(reply->text().value_or("a tool error"));
        for (char &c : why) c = c == '\n' ? ' ' : c;
        std::cout << why << '\n';
    }
    (void)client->close();
    server.close(std::chrono::seconds(5));
    runs.join();
    return 0;
}
