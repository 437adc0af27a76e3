// inspect [--protocol P] [--call TOOL JSON] -- COMMAND [ARG...]
//
// Starts an MCP server and prints what it offers: who it is, the revision spoken, its capabilities, its tools with their
// schemas, its resources, resource templates and prompts. With --call it calls one tool and prints the answer. P is what
// the config key "protocol" takes: auto, legacy, modern, or a revision such as 2025-06-18. Exit status: 0 all went well,
// 1 wrong usage, 2 an error (told on stderr).
#include <mcp.hpp>

#include <iostream>
#include <vector>

namespace {

constexpr std::chrono::seconds connect_time{60}; // a server that is downloaded first takes its time
constexpr int max_pages = 100;                   // a server may give cursors for ever
const std::string no_such_method = "-32601";

// What the command line asks for.
struct request {
    std::string protocol = "auto";
    std::string tool, arguments;
    std::vector<std::string> command;
};

// One of the lists a server may have.
struct listing {
    const char *heading;
    const char *capability; // where info says that the server has it
    const char *method;
    const char *member; // where the result holds the list
    const char *key;    // the member that names an entry
    const char *schema; // a member worth printing in full, or nothing
};

constexpr listing listings[] = {
    {"tools", "/capabilities/tools", "tools/list", "/tools", "/name", "/inputSchema"},
    {"resources", "/capabilities/resources", "resources/list", "/resources", "/uri", nullptr},
    {"resource templates", "/capabilities/resources", "resources/templates/list", "/resourceTemplates",
     "/uriTemplate", nullptr},
    {"prompts", "/capabilities/prompts", "prompts/list", "/prompts", "/name", "/arguments"},
};

// Tells what went wrong; the error's message is written for people.
bool complain(std::string_view doing, const mcp::error &why) {
    std::cerr << "inspect: " << doing << ": " << why.message() << '\n';
    return false;
}

mcp::result<std::string> config_for(const request &asked) {
    std::string arguments, command;
    for (std::size_t i = 0; i < asked.command.size(); i++) {
        auto quoted = mcp::json_quote(asked.command[i]);
        if (!quoted) return quoted;
        if (i == 0) {
            command = *quoted;
        } else {
            arguments += (i > 1 ? "," : "") + *quoted;
        }
    }
    auto protocol = mcp::json_quote(asked.protocol);
    if (!protocol) return protocol;
    return "{\"command\": " + command + ", \"args\": [" + arguments + "], \"protocol\": " + *protocol +
           ", \"reconnect\": false, \"client\": {\"name\": \"inspect\", \"version\": \"1.0\"}," +
           " \"timeouts\": {\"initialize_ms\": " +
           std::to_string(std::chrono::milliseconds(connect_time).count()) + "}}";
}

void print_server(const std::string &info) {
    for (const char *what :
         {"/server/name", "/server/version", "/revision", "/era", "/capabilities", "/instructions"}) {
        if (auto value = mcp::json_get(info, what)) std::cout << what << ": " << *value << '\n';
    }
}

void print_entry(const listing &of, const std::string &entry) {
    std::cout << "  " << mcp::json_get(entry, of.key).value_or("(without a name)") << '\n';
    if (auto description = mcp::json_get(entry, "/description")) std::cout << "    " << *description << '\n';
    if (of.schema == nullptr) return;
    if (auto schema = mcp::json_get(entry, of.schema)) std::cout << "    " << *schema << '\n';
}

// The params that ask for the page after this one, or nothing after the last.
std::string params_of_next_page(const mcp::message &page) {
    auto cursor = page.get("/nextCursor");
    if (!cursor || *cursor == "null") return {}; // some say null for "no more"; "" is a cursor
    auto quoted = mcp::json_quote(*cursor);
    return quoted ? "{\"cursor\": " + *quoted + "}" : std::string();
}

// Behind the JSON value that begins here. The library has checked the text, so that every bracket and quote has its end.
std::size_t behind_value(const std::string &json, std::size_t at) {
    int depth = 0;
    do {
        if (json[at] == '"') {
            for (at++; json[at] != '"'; at++) at += json[at] == '\\' ? 1 : 0;
        }
        depth += json[at] == '{' || json[at] == '[' ? 1 : 0;
        depth -= json[at] == '}' || json[at] == ']' ? 1 : 0;
        at++;
    } while (depth > 0);
    return at;
}

// Prints one page of a list. It is walked through once: get() for each entry would read the page each time.
void print_page(const listing &of, const mcp::message &page) {
    const std::string list = page.get(of.member).value_or("");
    if (list.empty() || list.front() != '[') return;
    for (std::size_t at = 0; at < list.size();) {
        if (list[at] != '{') { // the list's own brackets, what is between its entries, and entries that are no objects
            at = list[at] == '"' ? behind_value(list, at) : at + 1;
            continue;
        }
        const std::size_t end = behind_value(list, at);
        print_entry(of, list.substr(at, end - at));
        at = end;
    }
}

bool print_list(mcp::client &client, const listing &of) {
    std::cout << '\n' << of.heading << '\n';
    std::string params;
    for (int page = 0; page < max_pages; page++) {
        auto reply = client.call(of.method, params);
        if (!reply) {
            // A server with resources need not have templates: that it does not know the method is an answer too.
            return reply.error().get("/code") == no_such_method || complain(of.method, reply.error());
        }
        print_page(of, *reply);
        params = params_of_next_page(*reply);
        if (params.empty()) return true;
    }
    std::cerr << "inspect: " << of.method << ": more than " << max_pages << " pages\n";
    return false;
}

bool call_tool(mcp::client &client, const request &asked) {
    auto name = mcp::json_quote(asked.tool);
    if (!name) return complain("the tool's name", name.error());
    auto reply =
        client.call("tools/call", "{\"name\": " + *name + ", \"arguments\": " + asked.arguments + "}");
    if (!reply) return complain("tools/call", reply.error());
    std::cout << '\n' << asked.tool << " says\n" << reply->text().value_or(reply->json()) << '\n';
    if (reply->get("/isError").value_or("false") == "true") { // the tool itself may say that it failed
        std::cerr << "inspect: the tool \"" << asked.tool << "\" says that it failed\n";
        return false;
    }
    return true;
}

bool inspect(const request &asked) {
    auto config = config_for(asked);
    if (!config) return complain("an argument cannot be sent", config.error());
    auto client = mcp::client::make(*config);
    if (!client) return complain("the config", client.error());
    auto connected = client->connect(connect_time);
    if (!connected) return complain("connecting", connected.error());
    auto info = client->info();
    if (!info) return complain("asking the client", info.error());
    print_server(*info);
    bool fine = true;
    for (const listing &one : listings) {
        if (mcp::json_get(*info, one.capability)) fine = print_list(*client, one) && fine;
    }
    if (!asked.tool.empty()) fine = call_tool(*client, asked) && fine;
    auto closed = client->close();
    return closed ? fine : complain("closing", closed.error());
}

// False if the command line makes no sense.
bool parse(const std::vector<std::string> &words, request &asked) {
    for (std::size_t i = 0; i < words.size(); i++) {
        if (words[i] == "--") {
            asked.command.assign(words.begin() + static_cast<std::ptrdiff_t>(i) + 1, words.end());
            return !asked.command.empty();
        }
        if (words[i] == "--protocol" && i + 1 < words.size()) {
            asked.protocol = words[++i];
        } else if (words[i] == "--call" && i + 2 < words.size()) {
            asked.tool = words[++i];
            asked.arguments = words[++i];
        } else {
            return false;
        }
    }
    return false;
}

} // namespace

int main(int argc, char **argv) {
    request asked;
    if (argc < 1 || !parse(std::vector<std::string>(argv + 1, argv + argc), asked)) {
        std::cerr << "usage: inspect [--protocol P] [--call TOOL JSON] -- COMMAND [ARG...]\n";
        return 1;
    }
    return inspect(asked) ? 0 : 2;
}
