// resources_watch SERVER URI [TIMES]: reads a resource, and again whenever it changes.
#include <mcp.hpp>

#include <cstdlib>
#include <iostream>

namespace {

// The reply of a C function, or what went wrong, thrown.
mcp::message taken(mcp_status_t status, mcp_message_t *handle) {
    mcp::message reply(handle);
    if (status != MCP_OK) throw mcp::bad_result(mcp::error(mcp::status(status), std::string(reply.json())));
    return reply;
}

void print(const mcp::client &client, const char *uri) {
    mcp_message_t *handle = nullptr;
    const mcp_status_t status = mcp_client_read_resource(client.native(), uri, nullptr, &handle);
    const auto reply = taken(status, handle);
    std::cout << uri << ": " << reply.text().value_or(reply.json()) << '\n';
}

} // namespace

int main(int argc, char **argv) try {
    if (argc < 3) return 2;
    auto client = mcp::client::make("{\"command\": " + mcp::json_quote(argv[1]).value() + "}").value();
    client.connect(std::chrono::seconds(10)).value();
    mcp_message_t *handle = nullptr;
    const mcp_status_t status = mcp_client_subscribe_resource(client.native(), argv[2], nullptr, &handle);
    taken(status, handle);
    print(client, argv[2]);
    // This tool of the example server announces changes.
    client.start("tools/call", R"({"name": "notify", "arguments": {"count": 0}})").value();
    for (int left = argc > 3 ? std::atoi(argv[3]) : 1; left > 0;) {
        const auto message = client.poll(std::chrono::seconds(10)).value();
        if (!message) return 1;
        if (mcp_message_topic(message->native()) != MCP_TOPIC_RESOURCE_UPDATED) continue;
        std::cout << "changed: " << message->json() << '\n';
        print(client, argv[2]);
        left--;
    }
} catch (const mcp::bad_result &why) {
    std::cerr << why.what() << '\n';
    return 1;
}
