// sampling SERVER TOOL [ARGUMENTS]: calls a tool whose server asks for a model's answer on the way, and gives it one. The
// model here is canned; a program with a real one shows request and answer to a person first. The same for every revision.
#include <mcp.hpp>

#include <iostream>
#include <sstream>

namespace {

// What the canned model says to a prompt, in as many words as it may, and whether it had to stop for that.
std::pair<std::string, bool> model(const std::string &prompt, long words) {
    std::istringstream all("I was told: " + prompt);
    std::string said, word;
    while (all >> word) {
        if (words-- <= 0) return {said, true};
        said += (said.empty() ? "" : " ") + word;
    }
    return {said, false};
}

void answer(mcp::client &client, const mcp::message &request) {
    const auto count = request.value().get("messages").size();
    const auto last = "/messages/" + std::to_string(count > 0 ? count - 1 : 0) + "/content";
    auto prompt = request.get(last + "/text"); // one block, or from 2025-11-25 on a list of them
    if (!prompt) prompt = request.get(last + "/0/text");
    if (!prompt) return client.respond_error(request, -32602, "There is no text to answer").value();
    const auto limit = request.get("/maxTokens").value_or("100");
    std::cout << "The server asks the model: " << *prompt << " (at most " << limit << " tokens)\n";
    const auto [said, cut] = model(*prompt, std::stol(limit));
    client
        .respond(request, std::string("{\"role\": \"assistant\", \"model\": \"canned\", \"stopReason\": \"") +
                              (cut ? "maxTokens" : "endTurn") + "\", \"content\": {\"type\": \"text\", \"text\": " +
                              mcp::json_quote(said).value() + "}}")
        .value();
}

} // namespace

int main(int argc, char **argv) try {
    if (argc < 3) return 2;
    auto client = mcp::client::make("{\"command\": " + mcp::json_quote(argv[1]).value() +
                                    ", \"capabilities\": {\"sampling\": {}}}")
                      .value();
    client
        .start("tools/call", "{\"name\": " + mcp::json_quote(argv[2]).value() + ", \"arguments\": " +
                                 (argc > 3 ? argv[3] : "{}") + "}",
               {}, 1)
        .value();
    for (;;) {
        const auto message = client.poll(std::chrono::seconds(60)).value();
        if (!message) return 1;
        if (mcp_message_topic(message->native()) == MCP_TOPIC_SAMPLING) answer(client, *message);
        if (message->kind() != mcp::kind::reply) continue;
        std::cout << "The tool says: " << message->text().value_or(message->json()) << '\n';
        return message->status() == mcp::status::ok ? 0 : 1;
    }
} catch (const mcp::bad_result &why) {
    std::cerr << why.what() << '\n';
    return 1;
}
