// multi_server FILE: every server of an "mcpServers" file, as editors and desktop programs have them, with one queue for
// all. Each is asked for its tools; nothing waits for a slow one, and one that does not start is told and left out.
#include <mcp.hpp>

#include <fstream>
#include <iostream>
#include <iterator>
#include <vector>

namespace {

struct server {
    std::string name;
    mcp::client client;
};

// The names of the servers in a file.
std::vector<std::string> names_in(const std::string &text) {
    std::vector<std::string> names;
    char *name = nullptr;
    for (std::size_t i = 0; mcp_json_key(text.c_str(), "/mcpServers", i, &name, nullptr, nullptr, nullptr) == MCP_OK; i++) {
        names.emplace_back(name);
        mcp_string_free(name);
    }
    return names;
}

void show_tools(const std::string &name, const mcp::message &list) {
    // A program that wants all of them gives the list to a JSON library: get() reads the whole text each time.
    std::cout << name << " has " << mcp::json_count(list.json(), "/tools").value_or(std::size_t{0})
              << " tools, the first is " << list.get("/tools/0/name").value_or("without a name") << '\n';
}

} // namespace

int main(int argc, char **argv) try {
    if (argc != 2) return 2;
    std::ifstream file(argv[1]);
    const auto names = names_in(std::string(std::istreambuf_iterator<char>(file), {}));
    auto queue = mcp::queue::make().value();
    std::vector<server> servers;
    for (const auto &name : names) {
        const auto config = mcp::config_load(argv[1], name); // this also fills in "${VAR}" from the environment
        auto client = config ? mcp::client::make(queue, *config) : mcp::result<mcp::client>(mcp::unexpected(config.error()));
        if (!client) {
            std::cerr << name << ": " << client.error().message() << '\n';
            continue;
        }
        // The tag is the place in the list.
        const mcp_status_t status = mcp_tools_list_start(client->native(), nullptr, servers.size(), nullptr, nullptr);
        if (status != MCP_OK) {
            std::cerr << name << ": " << mcp_status_name(status) << '\n';
            continue;
        }
        servers.push_back({name, std::move(*client)});
    }
    std::size_t answered = 0;
    for (std::size_t awaited = servers.size(); awaited > 0;) {
        const auto message = queue.poll(std::chrono::seconds(30)).value();
        if (!message) return 1;
        if (message->kind() != mcp::kind::reply) continue; // news of the connections
        const auto &name = servers[message->tag()].name;
        awaited--;
        if (message->status() == mcp::status::ok) {
            answered++;
            show_tools(name, *message);
        } else {
            std::cerr << name << ": " << message->json() << '\n';
        }
    }
    std::cout << answered << " of " << names.size() << " servers answered\n";
    return answered > 0 ? 0 : 1;
} catch (const mcp::bad_result &why) {
    std::cerr << why.what() << '\n';
    return 1;
}
