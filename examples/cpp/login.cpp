// login [--open] [--store DIRECTORY] URL TOOL [ARGUMENTS]: calls a tool of a server that wants to know who is asking.
//
// The URL to log in at is printed, or with --open given to the desktop's browser. It is for the person only: it goes to
// no log and through no shell. The library listens on this machine for the browser to come back. With --store the login is kept in
// files (an absolute path), so that the next run does not ask the person.
#include <mcp.hpp>

#include <iostream>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace {

#ifdef __APPLE__
constexpr const char *OPENER = "open";
#else
constexpr const char *OPENER = "xdg-open";
#endif

// Hands a URL to the desktop. True if a program took it.
bool open_browser(std::string url) {
    std::string opener = OPENER;
    char *arguments[] = {opener.data(), url.data(), nullptr};
    pid_t child = 0;
    int status = 0;
    return ::posix_spawnp(&child, OPENER, nullptr, nullptr, arguments, environ) == 0 &&
           ::waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

// Authorization wants something. What comes of it shows in the call, which waits.
void attend(mcp::client &client, const mcp::message &wanted, bool opens) {
    const auto url = wanted.get("/url");
    if (wanted.get("/kind").value_or("") != "authorize" || !url) {
        client.abort_login("this program can only open a URL").value();
    } else if (!opens) {
        std::cout << "Log in at:\n" << *url << std::endl;
    } else if (open_browser(*url)) {
        std::cout << "Log in in your browser." << std::endl;
    } else {
        std::cout << OPENER << " does not work here. Log in at:\n" << *url << std::endl;
    }
}

mcp::client client_of(const std::string &url, const std::string &store) {
    std::string config = "{\"url\": " + mcp::json_quote(url).value() + ", \"auth\": {";
    if (!store.empty()) config += "\"store_directory\": " + mcp::json_quote(store).value();
    return mcp::client::make(config + "}}").value();
}

} // namespace

int main(int argc, char **argv) try {
    std::vector<std::string> words(argv + 1, argv + argc);
    bool opens = false;
    std::string store;
    std::size_t next = 0;
    for (; next < words.size() && words[next].rfind("--", 0) == 0; next++) {
        if (words[next] == "--open") {
            opens = true;
        } else if (words[next] == "--store" && next + 1 < words.size()) {
            store = words[++next];
        } else {
            break;
        }
    }
    words.erase(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(next));
    if (words.size() != 2 && words.size() != 3) {
        std::cerr << "usage: login [--open] [--store DIRECTORY] URL TOOL [ARGUMENTS]\n";
        return 2;
    }
    auto client = client_of(words[0], store);
    // The call connects, and waits for the login: its place in line is kept while the person takes their time.
    client.start(mcp::feature::call_tool(words[1], words.size() == 3 ? words[2] : "")).value();
    for (;;) {
        const auto message = client.poll(mcp::forever).value();
        if (!message) continue;
        if (message->kind() == mcp::kind::auth) attend(client, *message, opens);
        if (message->kind() != mcp::kind::reply) continue;
        const bool works = message->status() == mcp::status::ok;
        (works ? std::cout : std::cerr) << message->text().value_or(message->json()) << '\n';
        return works ? 0 : 1;
    }
} catch (const mcp::bad_result &why) {
    std::cerr << why.what() << '\n';
    return 1;
}
