/*
 * A server whose tools give back what they get: echo FILE. Each line of the file is the definition of a tool. A call answers with
 * its arguments as the structured content, or with the member "value" of its metadata where there is one. The library checks both
 * against the schemas of the tool.
 */
#include <mcp.hpp>

#include <fstream>
#include <iostream>
#include <string>

int main(int argc, char **argv) {
    if (argc != 2) return std::cerr << "echo FILE\n", 2;
    auto server = mcp::server::make("{\"name\":\"echo\",\"version\":\"1\"}");
    if (!server) return std::cerr << server.error().message() << '\n', 1;
    std::ifstream file(argv[1]);
    std::string line;
    std::size_t count = 0;
    for (; std::getline(file, line); count++) {
        const auto added = server->add_tool(line, [](mcp::request request) {
            const mcp::value given = request.value().get("_meta").get("value");
            const std::string_view what = given ? given.json() : request.arguments().json();
            const std::string answer = "{\"content\":[],\"structuredContent\":" + std::string(what.empty() ? "{}" : what) + "}";
            const auto answered = request.respond(answer);
            if (!answered) (void)request.fail(answered.error().message());
        });
        // A schema that the library does not take has no values in the test either.
        if (!added) std::cerr << line.substr(0, 200) << ": " << added.error().message() << '\n';
    }
    if (count == 0) return std::cerr << argv[1] << " has no tool\n", 1;
    const auto served = server->serve("{\"stdio\":true}");
    if (!served) return std::cerr << served.error().message() << '\n', 1;
    return server->run() == mcp::status::closed ? 0 : 1;
}
