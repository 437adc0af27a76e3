// Calls tools of two servers through generated functions: live EXAMPLE [EVERYTHING…].
#include "everything/echo.hpp"
#include "example/add.hpp"
#include "example/echo.hpp"
#include "example/fail.hpp"

#include <iostream>

namespace everything = mcp_tools::everything;
namespace example = mcp_tools::example;

static mcp::client started(char **words) {
    mcp::array rest;
    for (char **word = words + 1; *word != nullptr; word++) rest.add(*word);
    mcp::object config;
    config.set("command", words[0]).set("args", std::move(rest));
    return mcp::client::make(config.json().value()).value();
}

int main(int argc, char **argv) {
    if (argc < 3) return 2;
    char *words[] = {argv[1], nullptr};
    mcp::client client = started(words);
    example::AddArguments numbers;
    numbers.a = 1.5;
    numbers.b = 2;
    std::cout << "add " << example::add(client, numbers).value().sum << '\n';
    example::EchoArguments text;
    text.text = "Hello";
    std::cout << "echo " << example::echo(client, text).value().text().value() << '\n';
    const auto failed = example::fail(client);
    if (failed) return 1;
    std::cout << "fail " << failed.error().message() << '\n';
    mcp::client other = started(argv + 2);
    everything::EchoArguments message;
    message.message = "Hello";
    std::cout << "everything " << everything::echo(other, message).value().text().value() << '\n';
}
