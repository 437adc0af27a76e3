// tools SERVER: lists the server's tools and calls two of them, on whichever revision the server speaks.
//
// A tool that fails is not an error of the call: its result says "isError". What mcp.hpp has no name for is the C function with
// the client's handle; errors are thrown here where that is shorter.
#include <mcp.hpp>

#include <iostream>

namespace {

// The reply of a C function, or what went wrong, thrown.
mcp::message taken(mcp_status_t status, mcp_message_t *handle) {
    mcp::message reply(handle);
    if (status != MCP_OK) throw mcp::bad_result(mcp::error(mcp::status(status), std::string(reply.json())));
    return reply;
}

void call(const mcp::client &client, const char *tool, const char *arguments) {
    mcp_message_t *handle = nullptr;
    const mcp_status_t status = mcp_client_call_tool(client.native(), tool, arguments, nullptr, &handle);
    const auto reply = taken(status, handle);
    const bool failed = reply.get("/isError").value_or("false") == "true";
    std::cout << tool << (failed ? ": the tool failed: " : ": ") << reply.text().value_or(reply.json()) << '\n';
}

} // namespace

int main(int argc, char **argv) try {
    if (argc != 2) return 2;
    auto client = mcp::client::make("{\"command\": " + mcp::json_quote(argv[1]).value() + "}").value();
    client.connect(std::chrono::seconds(10)).value();
    mcp_message_t *handle = nullptr;
    const mcp_status_t status = mcp_client_list_tools(client.native(), nullptr, &handle);
    const auto tools = taken(status, handle);
    // The list is for a JSON library: get() reads the whole text each time, which is too slow for each of many tools.
    std::cout << tools.value().get("tools").size() << " tools: " << tools.json() << '\n';
    call(client, "add", R"({"a": 2, "b": 3})");
    call(client, "fail", nullptr);
} catch (const mcp::bad_result &why) {
    std::cerr << why.what() << '\n';
    return 1;
}
