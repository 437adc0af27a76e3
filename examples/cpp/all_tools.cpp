// all_tools FILE: prints every tool of every server of an "mcpServers" file, the format that editors use.
//
// All servers start at the same time and reply on one queue, so a slow server delays no other. A server that fails is
// reported, and the program continues with the others.
#include <mcp.hpp>

#include <iostream>
#include <map>

int main(int argc, char **argv) try {
    if (argc != 2) return 2;
    const auto text = mcp::config_servers(argv[1]).value(); // value() throws where there is an error
    const auto document = mcp::document::parse(text).value();
    auto queue = mcp::queue::make().value(); // must exist longer than its clients
    std::map<std::uint64_t, std::pair<std::string, mcp::client>> servers; // by the tag of the call
    for (const mcp::value server : document.value()) {
        if (server.get("disabled").as_bool().value_or(false)) continue;
        const std::string name(server.get("name").as_string().value_or(""));
        const auto config = mcp::config_load(argv[1], name); // this also replaces "${VAR}"
        auto client = config ? mcp::client::make(queue, *config) : mcp::unexpected(config.error());
        auto started = client ? client->start(mcp::feature::list_tools(), {}, servers.size())
                              : mcp::unexpected(client.error());
        if (started) {
            servers.emplace(servers.size(), std::make_pair(name, std::move(*client)));
        } else {
            std::cerr << name << ": " << started.error().message() << '\n';
        }
    }
    std::size_t answered = 0;
    for (std::size_t ended = 0; ended < servers.size();) {
        // Each call has exactly one outcome, so this wait needs no limit.
        const auto message = queue.poll(mcp::forever).value();
        if (!message || message->kind() != mcp::kind::reply) continue; // about the connections
        const auto &name = servers.at(message->tag()).first;
        ended++;
        if (message->status() != mcp::status::ok) {
            std::cerr << name << ": " << message->error_text().value_or("") << '\n';
            continue;
        }
        const auto tools = message->value().get("tools");
        std::cout << name << " has " << tools.size() << " tools\n";
        for (const mcp::value tool : tools) std::cout << "  " << tool.get("name").as_string().value_or("") << '\n';
        answered++;
    }
    std::cout << answered << " of " << document.value().size() << " servers answered\n";
    return answered > 0 ? 0 : 1;
} catch (const mcp::bad_result &why) {
    std::cerr << why.what() << '\n';
    return 1;
}
