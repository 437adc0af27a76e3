// prompts SERVER: lists prompts, completes an argument of the first, and fills it in.
#include <mcp.hpp>

#include <iostream>

namespace {

// The reply of a C function, or what went wrong, thrown.
mcp::message taken(mcp_status_t status, mcp_message_t *handle) {
    mcp::message reply(handle);
    if (status != MCP_OK) throw mcp::bad_result(mcp::error(mcp::status(status), std::string(reply.json())));
    return reply;
}

} // namespace

int main(int argc, char **argv) try {
    if (argc != 2) return 2;
    auto client = mcp::client::make("{\"command\": " + mcp::json_quote(argv[1]).value() + "}").value();
    client.connect(std::chrono::seconds(10)).value();
    mcp_message_t *handle = nullptr;
    mcp_status_t status = mcp_call(client.native(), "prompts/list", nullptr, nullptr, &handle);
    const auto list = taken(status, handle);
    const auto name = list.get("/prompts/0/name").value();
    const auto argument = list.get("/prompts/0/arguments/0/name").value();
    std::cout << "prompt " << name << " with " << argument << '\n';

    const auto reference = "{\"type\": \"ref/prompt\", \"name\": " + mcp::json_quote(name).value() + "}";
    status = mcp_client_complete(client.native(), reference.c_str(), argument.c_str(), "A", nullptr, nullptr,
                                 &handle);
    const auto completion = taken(status, handle);
    std::cout << "completions: " << completion.json() << '\n';

    const auto value = completion.get("/completion/values/0").value();
    const auto arguments = "{" + mcp::json_quote(argument).value() + ": " + mcp::json_quote(value).value() + "}";
    status = mcp_client_get_prompt(client.native(), name.c_str(), arguments.c_str(), nullptr, &handle);
    const auto prompt = taken(status, handle);
    std::cout << "filled in: " << prompt.text().value_or(prompt.json()) << '\n';
} catch (const mcp::bad_result &why) {
    std::cerr << why.what() << '\n';
    return 1;
}
