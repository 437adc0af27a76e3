// elicitation SERVER: a tool that asks the person something. The question is printed, the answer read from the terminal; an
// empty line declines, and the end of the input cancels. The same for every revision.
#include <mcp.hpp>

#include <iostream>

namespace {

// Answers a form with one field, "answer". An answer that the form does not allow is asked for again.
mcp_status_t answer(const mcp::message &request) {
    const auto question = request.get("/message").value_or("?");
    for (;;) {
        std::cout << "The server asks: " << question << "\n> " << std::flush;
        std::string line;
        char *why = nullptr;
        mcp_status_t status = MCP_OK;
        if (!std::getline(std::cin, line)) {
            status = mcp_request_respond_elicitation(request.native(), "cancel", nullptr, &why);
        } else if (line.empty()) {
            status = mcp_request_respond_elicitation(request.native(), "decline", nullptr, &why);
        } else {
            const auto content = "{\"answer\": " + mcp::json_quote(line).value() + "}";
            status = mcp_request_respond_elicitation(request.native(), "accept", content.c_str(), &why);
        }
        if (status != MCP_OK) std::cout << (why != nullptr ? why : mcp_status_name(status)) << '\n';
        mcp_string_free(why);
        if (status != MCP_ERROR_INVALID_ARGUMENT) return status;
    }
}

} // namespace

int main(int argc, char **argv) try {
    if (argc != 2) return 2;
    auto client = mcp::client::make("{\"command\": " + mcp::json_quote(argv[1]).value() +
                                    ", \"capabilities\": {\"elicitation\": {}}}")
                      .value();
    client.start("tools/call", R"({"name": "ask", "arguments": {"question": "Which colour?"}})", {}, 1).value();
    for (;;) {
        const auto message = client.poll(std::chrono::seconds(60)).value();
        if (!message) return 1;
        if (mcp_message_topic(message->native()) == MCP_TOPIC_ELICITATION && answer(*message) != MCP_OK) return 1;
        if (message->kind() != mcp::kind::reply) continue;
        std::cout << "The tool says: " << message->text().value_or(message->json()) << '\n';
        return message->status() == mcp::status::ok ? 0 : 1;
    }
} catch (const mcp::bad_result &why) {
    std::cerr << why.what() << '\n';
    return 1;
}
