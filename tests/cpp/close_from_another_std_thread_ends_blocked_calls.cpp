// A client is closed by one std::thread while others are in blocking calls: close returns within its bound, every call
// ends as MCP_ERROR_CLOSED, and later calls do too.
#include "check.hpp"

#include <atomic>
#include <thread>
#include <vector>

namespace {

class Client {
  public:
    explicit Client(const std::string &server) {
        const std::string config = "{\"command\":" + quoted(server) + "}";
        CHECK_STATUS(mcp_client_new(config.c_str(), nullptr, &client_, nullptr), MCP_OK);
        CHECK_STATUS(mcp_client_connect(client_, patience(), nullptr), MCP_OK);
    }
    ~Client() { CHECK_STATUS(mcp_client_free(client_), MCP_OK); }
    Client(const Client &) = delete;
    Client &operator=(const Client &) = delete;

    mcp_status_t call_for_long() const {
        mcp_message_t *reply = nullptr;
        const mcp_status_t status =
            mcp_call(client_, "tools/call", R"({"name":"slow","arguments":{"ms":3600000}})",
                     R"({"timeout_ms":3600000})", &reply);
        CHECK_STATUS(mcp_message_status(reply), status);
        CHECK_STATUS(mcp_message_free(reply), MCP_OK);
        return status;
    }
    int pending() const {
        char *info = nullptr;
        CHECK_STATUS(mcp_client_info(client_, &info, nullptr), MCP_OK);
        return std::stoi(json_at(taken(info), "/pending_calls"));
    }
    mcp_status_t close(int milliseconds) const { return mcp_client_close(client_, milliseconds); }

  private:
    mcp_client_t *client_ = nullptr;
};

} // namespace

int main(int argc, char **argv) {
    CHECK(argc == 3);
    constexpr int THREADS = 4;
    const Client client(argv[1]);
    std::atomic<int> closed{0};
    std::vector<std::thread> callers;
    for (int i = 0; i < THREADS; i++) {
        callers.emplace_back([&client, &closed] {
            CHECK_STATUS(client.call_for_long(), MCP_ERROR_CLOSED);
            closed++;
        });
    }
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(patience());
    while (client.pending() < THREADS) {
        CHECK(std::chrono::steady_clock::now() < deadline);
        std::this_thread::yield();
    }
    std::thread closer([&client] {
        const auto begin = std::chrono::steady_clock::now();
        CHECK_STATUS(client.close(2000), MCP_OK);
        CHECK(std::chrono::steady_clock::now() - begin <= std::chrono::milliseconds(2000) + slack());
    });
    closer.join();
    for (std::thread &caller : callers) {
        caller.join();
    }
    CHECK(closed == THREADS);
    CHECK_STATUS(client.call_for_long(), MCP_ERROR_CLOSED);
    return 0;
}
