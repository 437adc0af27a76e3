// Handles go from thread to thread as values do: a client is made by one task and moved to the next, its replies are
// moved out of the threads that waited for them, and a message outlives the client, freed by a thread of its own.
#include "check.hpp"

#include <future>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

namespace {

struct Free {
    void operator()(mcp_client_t *client) const { CHECK_STATUS(mcp_client_free(client), MCP_OK); }
    void operator()(mcp_message_t *message) const { CHECK_STATUS(mcp_message_free(message), MCP_OK); }
};

using Client = std::unique_ptr<mcp_client_t, Free>;
using Message = std::unique_ptr<mcp_message_t, Free>;

Client make(const std::string &server) {
    mcp_client_t *client = nullptr;
    CHECK_STATUS(mcp_client_new(("{\"command\":" + quoted(server) + "}").c_str(), nullptr, &client, nullptr),
                 MCP_OK);
    return Client(client);
}

Message echo(mcp_client_t *client, const std::string &text) {
    mcp_message_t *reply = nullptr;
    const std::string params = R"({"name":"echo","arguments":{"text":)" + quoted(text) + "}}";
    CHECK_STATUS(mcp_call(client, "tools/call", params.c_str(), nullptr, &reply), MCP_OK);
    return Message(reply);
}

Client connect(Client client) {
    CHECK_STATUS(mcp_client_connect(client.get(), patience(), nullptr), MCP_OK);
    return client;
}

} // namespace

int main(int argc, char **argv) {
    CHECK(argc == 3);
    const std::string server = argv[1];
    Client client = std::async(std::launch::async, make, server).get();
    client = std::async(std::launch::async, connect, std::move(client)).get();

    std::vector<std::pair<std::string, std::future<Message>>> calls;
    for (int i = 0; i < 8; i++) {
        std::string text = "call " + std::to_string(i);
        calls.emplace_back(text, std::async(std::launch::async, echo, client.get(), text));
    }
    std::vector<Message> replies;
    for (auto &[text, call] : calls) {
        replies.push_back(call.get());
        CHECK(mcp_message_text(replies.back().get(), nullptr) == text);
    }

    std::promise<Message> handed;
    std::future<Message> future = handed.get_future();
    std::thread reader([future = std::move(future)]() mutable {
        const Message message = future.get();
        CHECK(mcp_message_text(message.get(), nullptr) == std::string("call 7"));
    });
    std::thread([client = std::move(client)]() mutable { client.reset(); }).join();
    handed.set_value(std::move(replies.back()));
    replies.pop_back();
    reader.join();
    for (const Message &reply : replies) {
        CHECK(mcp_message_text(reply.get(), nullptr) != nullptr);
    }
    return 0;
}
