// A call that is not answered throws as a timeout after its time, not before and not much later; what holds the client
// and the reply frees them while the exception passes; and the client goes on.
#include "check.hpp"

#include <memory>
#include <stdexcept>

namespace {

class Timeout : public std::runtime_error {
    using std::runtime_error::runtime_error;
};

struct Free {
    void operator()(mcp_client_t *client) const { CHECK_STATUS(mcp_client_free(client), MCP_OK); }
    void operator()(mcp_message_t *message) const { CHECK_STATUS(mcp_message_free(message), MCP_OK); }
};

using Client = std::unique_ptr<mcp_client_t, Free>;
using Message = std::unique_ptr<mcp_message_t, Free>;

Client connect(const std::string &server) {
    mcp_client_t *client = nullptr;
    CHECK_STATUS(mcp_client_new(("{\"command\":" + quoted(server) + "}").c_str(), nullptr, &client, nullptr),
                 MCP_OK);
    Client owned(client);
    CHECK_STATUS(mcp_client_connect(client, patience(), nullptr), MCP_OK);
    return owned;
}

std::string tool(mcp_client_t *client, const std::string &params, const char *options) {
    mcp_message_t *message = nullptr;
    const mcp_status_t status = mcp_call(client, "tools/call", params.c_str(), options, &message);
    const Message reply(message);
    if (status == MCP_ERROR_TIMEOUT) {
        throw Timeout(json_at(mcp_message_json(message, nullptr), "/message"));
    }
    CHECK_STATUS(status, MCP_OK);
    return mcp_message_text(message, nullptr);
}

void check_timeout(mcp_client_t *client) {
    const auto begin = std::chrono::steady_clock::now();
    bool threw = false;
    try {
        tool(client, R"({"name":"slow","arguments":{"ms":3600000}})", R"({"timeout_ms":200})");
    } catch (const Timeout &timeout) {
        threw = true;
        CHECK(!std::string(timeout.what()).empty());
    }
    const auto took = std::chrono::steady_clock::now() - begin;
    CHECK(threw);
    CHECK(took >= std::chrono::milliseconds(195));
    CHECK(took <= std::chrono::milliseconds(200) + slack());
}

} // namespace

int main(int argc, char **argv) {
    CHECK(argc == 3);
    const Client client = connect(argv[1]);
    for (int round = 0; round < 3; round++) {
        check_timeout(client.get());
        CHECK(tool(client.get(), R"({"name":"echo","arguments":{"text":"on we go"}})", nullptr) == "on we go");
    }
    return 0;
}
