// interceptors SERVER [ARGUMENT...]: a program for `mcp bridge --check` that asks a server of interceptors (a draft of MCP) about what goes
// through the bridge. With `--server` it is such a server itself, so that this is the whole of it:
//
//   mcp bridge --check './interceptors ./interceptors --server' files
//
// The bridge writes a message a line and reads a verdict for each. An interceptor either changes a payload or says whether it is valid. On
// the way to a server changes come first, on the way back they come last; an interceptor that fails refuses, unless it says otherwise.
#include <mcp.hpp>

#include <algorithm>
#include <iostream>
#include <string>
#include <tuple>
#include <vector>

struct interceptor {
    bool validates;
    std::int64_t priority;
    std::string name;
    bool is_open, is_audit;
    std::vector<std::string> events, phases;
};

static std::vector<interceptor> list(mcp::client &client) {
    const auto reply = client.call("interceptors/list", "{}").value(); // value() throws where there is an error
    std::vector<interceptor> all;
    for (const mcp::value one : reply.value().get("interceptors")) {
        interceptor made{one.get("type").as_string() == "validation", one.get("priorityHint").as_int64().value_or(0),
                         std::string(one.get("name").as_string().value_or("")), one.get("failOpen").as_bool().value_or(false),
                         one.get("mode").as_string() == "audit", {}, {}};
        for (const mcp::value hook : one.get("hooks")) {
            made.phases.emplace_back(hook.get("phase").as_string().value_or(""));
            made.events.emplace_back(hook.get("events").json());
        }
        all.push_back(std::move(made));
    }
    std::sort(all.begin(), all.end(), [](const auto &a, const auto &b) {
        return std::tie(a.validates, a.priority, a.name) < std::tie(b.validates, b.priority, b.name);
    });
    return all;
}

static bool is_for(const interceptor &one, std::string_view event, std::string_view phase) {
    for (std::size_t hook = 0; hook < one.phases.size(); hook++) {
        if (one.phases[hook] != phase) continue;
        const auto events = mcp::document::parse(one.events[hook]).value();
        for (const mcp::value name : events.value())
            if (name.as_string() == event || name.as_string() == "*") return true;
    }
    return false;
}

static std::string quoted(std::string_view text) { return mcp::json_quote(text).value(); }
static std::string refusal(std::string_view id, const std::string &why) {
    return R"({"id": )" + std::string(id) + R"(, "action": "refuse", "reason": )" + quoted(why) + "}";
}

// The verdict on one line of the bridge.
static std::string judged(mcp::client &client, std::vector<interceptor> all, const mcp::value &message) {
    const auto id = message.get("id").json();
    const auto event = message.get("method").as_string().value_or("");
    const char *member = message.get("params") ? "params" : "result", *phase = message.get("params") ? "request" : "response";
    if (!message.get(member)) return R"({"id": )" + std::string(id) + R"(, "action": "pass"})";
    // What comes back is looked at before it is changed.
    if (phase == std::string_view("response")) std::stable_partition(all.begin(), all.end(), [](const auto &one) { return one.validates; });
    std::string payload(message.get(member).json());
    bool is_changed = false;
    for (const interceptor &one : all) {
        if (!is_for(one, event, phase)) continue;
        const auto reply = client.call("interceptor/invoke", R"({"name": )" + quoted(one.name) + R"(, "event": )" + quoted(event) +
                                                                 R"(, "phase": ")" + phase + R"(", "payload": )" + payload + "}");
        if (one.is_audit) continue;
        if (!reply) {
            if (one.is_open) continue;
            return refusal(id, one.name + " failed: " + std::string(reply.error().message()));
        }
        const mcp::value result = reply->value();
        if (one.validates && !result.get("valid").as_bool().value_or(false)) {
            const auto why = result.get("messages").at(0).get("message").as_string();
            if (result.get("severity").as_string().value_or("error") == "error")
                return refusal(id, one.name + ": " + std::string(why.value_or("not valid")));
        } else if (!one.validates && result.get("modified").as_bool().value_or(false)) {
            payload = result.get("payload").json();
            is_changed = true;
        }
    }
    if (!is_changed) return R"({"id": )" + std::string(id) + R"(, "action": "pass"})";
    return R"({"id": )" + std::string(id) + R"(, "action": "change", ")" + member + R"(": )" + payload + "}";
}

// A server with two interceptors: one takes away what looks like a key from results, the other lets nothing be removed.
static int serve() {
    auto server = mcp::server::make(R"({"name": "interceptors", "version": "1.0"})").value();
    server
        .add_method("interceptors/list", [](mcp::request request) {
            (void)request.respond(R"({"interceptors": [
                {"name": "no-removal", "type": "validation", "hooks": [{"events": ["tools/call"], "phase": "request"}]},
                {"name": "no-keys", "type": "mutation", "hooks": [{"events": ["*"], "phase": "response"}]}]})");
        })
        .value();
    server
        .add_method("interceptor/invoke", [](mcp::request request) {
            const mcp::value params = request.value(), payload = params.get("payload");
            const auto tool = payload.get("name").as_string().value_or("");
            if (params.get("name").as_string() == "no-removal") {
                const bool is_valid = tool.substr(0, 2) != "rm";
                (void)request.respond(is_valid ? R"({"valid": true})" : R"({"valid": false, "severity": "error", "messages": [
                    {"message": "nothing is removed here", "severity": "error"}]})");
            } else if (params.get("name").as_string() == "no-keys") {
                const bool has_key = payload.json().find("sk-") != std::string_view::npos;
                (void)request.respond(has_key ? R"({"modified": true, "payload": {"content": [{"type": "text", "text": "a key was here"}]}})"
                                              : R"({"modified": false})");
            } else {
                (void)request.respond_error(-32602, "there is no such interceptor");
            }
        })
        .value();
    server.serve(R"({"stdio": true})").value();
    return server.run() == mcp::status::closed ? 0 : 1;
}

int main(int argc, char **argv) try {
    if (argc == 2 && argv[1] == std::string_view("--server")) return serve();
    if (argc < 2) {
        std::cerr << "usage: interceptors SERVER [ARGUMENT...], as a program of mcp bridge --check; or --server\n";
        return 2;
    }
    mcp::array words;
    for (int word = 2; word < argc; word++) words.add(argv[word]);
    auto client = mcp::client::make(mcp::object().set("command", argv[1]).set("args", words).json().value()).value();
    const auto all = list(client);
    for (std::string line; std::getline(std::cin, line);) {
        const auto message = mcp::document::parse(line).value();
        std::cout << judged(client, all, message.value()) << std::endl;
    }
    return 0;
} catch (const std::exception &why) {
    std::cerr << "interceptors: " << why.what() << '\n';
    return 1;
}
