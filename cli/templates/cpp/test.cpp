#include "server.hpp"

#include <iostream>
#include <string>

static int failed(const std::string &what, const std::string &why) {
    std::cerr << what << ": " << why << '\n';
    return 1;
}

int main() try {
    auto server = make_server();
    auto client = mcp::client::in_process(server).value();
    const auto greeting = client.call_tool("greet", R"({"name": "Ada"})").value();
    if (greeting.text().value_or("") != "Hello, Ada!") return failed("greet", std::string(greeting.json()));
    const auto about = client.read_resource("about://{{name}}").value();
    if (about.json().find("A server that greets.") == std::string_view::npos) return failed("about", std::string(about.json()));
    std::cout << "the tests pass\n";
} catch (const mcp::bad_result &why) {
    return failed("the server", why.what());
}
