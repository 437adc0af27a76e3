// Calls tools of two servers through generated functions: live EXAMPLE EVERYTHING…; without arguments those of the broker at MCP_SOCKET.
#include "chosen/parsed.hpp"
#include "everything/echo.hpp"
#include "example/add.hpp"
#include "example/echo.hpp"
#include "example/fail.hpp"

#include <cstdlib>
#include <iostream>

namespace chosen = mcp_tools::chosen;
namespace everything = mcp_tools::everything;
namespace example = mcp_tools::example;

// A client of a program, or without words of the broker.
static mcp::client started(char **words) {
    const char *socket = std::getenv("MCP_SOCKET");
    if (words == nullptr) return mcp::client::make(mcp::object().set("socket", socket ? socket : "").json().value()).value();
    mcp::array rest;
    for (char **word = words + 1; *word != nullptr; word++) rest.add(*word);
    mcp::object config;
    config.set("command", words[0]).set("args", std::move(rest));
    return mcp::client::make(config.json().value()).value();
}

int main(int argc, char **argv) {
    char *words[] = {argv[1], nullptr};
    mcp::client client = started(argc < 3 ? nullptr : words);
    example::AddArguments numbers;
    numbers.a = 1.5;
    numbers.b = 2;
    std::cout << "add " << example::add(client, numbers).value().sum << '\n';
    example::EchoArguments text;
    text.text = "Hello";
    std::cout << "echo " << example::echo(client, text).value().text().value() << '\n';
    chosen::ParsedArguments json;
    json.text = "{\"n\":7}";
    std::cout << "parsed " << chosen::parsed(client, json).value().n << '\n';
    const auto failed = example::fail(client);
    if (failed) return 1;
    std::cout << "fail " << failed.error().message() << '\n';
    if (argc < 3) return 0;
    mcp::client other = started(argv + 2);
    everything::EchoArguments message;
    message.message = "Hello";
    std::cout << "everything " << everything::echo(other, message).value().text().value() << '\n';
}
