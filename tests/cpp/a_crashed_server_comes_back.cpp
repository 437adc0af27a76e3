// A server that dies under a call fails that call only: the client starts another process by itself, and a call that
// waits for it is answered there. This holds many times in a row.
#include "check.hpp"

#include <memory>
#include <utility>

namespace {

template <typename T, mcp_status_t (*RELEASE)(T *)> struct Release {
    void operator()(T *handle) const { CHECK_STATUS(RELEASE(handle), MCP_OK); }
};

using Client = std::unique_ptr<mcp_client_t, Release<mcp_client_t, mcp_client_free>>;
using Message = std::unique_ptr<mcp_message_t, Release<mcp_message_t, mcp_message_free>>;

std::pair<mcp_status_t, Message> tool(mcp_client_t *client, const std::string &name) {
    mcp_message_t *reply = nullptr;
    const std::string params = "{\"name\":" + quoted(name) + ",\"arguments\":{}}";
    const mcp_status_t status =
        mcp_call(client, "tools/call", params.c_str(), R"({"when_unavailable":"wait"})", &reply);
    return {status, Message(reply)};
}

std::string process_id(mcp_client_t *client) {
    const auto [status, reply] = tool(client, "pid");
    CHECK_STATUS(status, MCP_OK);
    return mcp_message_text(reply.get(), nullptr);
}

} // namespace

int main(int argc, char **argv) {
    CHECK(argc == 3);
    const std::string config = "{\"command\":" + quoted(argv[1]) +
                               R"(,"reconnect":{"initial_ms":20,"max_ms":100,"jitter":0.2}})";
    mcp_client_t *made = nullptr;
    CHECK_STATUS(mcp_client_new(config.c_str(), nullptr, &made, nullptr), MCP_OK);
    const Client client(made);
    std::string before = process_id(made);
    for (int round = 0; round < scaled(10, 2); round++) {
        const auto [status, reply] = tool(made, "crash");
        CHECK_STATUS(status, MCP_ERROR_TRANSPORT);
        CHECK(json_at(mcp_message_json(reply.get(), nullptr), "/status") == "transport");
        std::string after = process_id(made);
        CHECK(after != before);
        before = std::move(after);
    }
    return 0;
}
