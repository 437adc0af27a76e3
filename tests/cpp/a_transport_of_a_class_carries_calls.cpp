// A class of the program is the transport: the functions are captureless lambdas that get the object as `user`, the
// client owns it from the start, and `destroy` deletes it exactly once. The server is in memory and answers on a
// std::thread of its own.
#include "check.hpp"

#include <atomic>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

namespace {

std::atomic<int> alive{0};
std::atomic<int> opened{0};

std::string value(const std::string &json, const char *pointer) {
    char *found = nullptr;
    return mcp_json_get(json.c_str(), pointer, &found, nullptr) == MCP_OK ? taken(found) : std::string();
}

class Memory {
  public:
    Memory() : thread_([this] { serve(); }) { alive++; }
    Memory(const Memory &) = delete;
    Memory &operator=(const Memory &) = delete;
    ~Memory() {
        {
            const std::lock_guard<std::mutex> guard(lock_);
            over_ = true;
        }
        changed_.notify_one();
        thread_.join();
        alive--;
    }

    static mcp_transport_functions_t functions() {
        mcp_transport_functions_t functions{};
        functions.size = sizeof functions;
        functions.version = MCP_TRANSPORT_VERSION;
        functions.open = [](void *user, mcp_transport_t *transport) -> mcp_status_t {
            static_cast<Memory *>(user)->open(transport);
            return MCP_OK;
        };
        functions.send = [](void *user, mcp_transport_t *, const char *frame, size_t length) -> mcp_status_t {
            return static_cast<Memory *>(user)->send(std::string(frame, length));
        };
        functions.close = [](void *user, mcp_transport_t *) { static_cast<Memory *>(user)->open(nullptr); };
        functions.destroy = [](void *user) { delete static_cast<Memory *>(user); };
        return functions;
    }

  private:
    void open(mcp_transport_t *transport) {
        const std::lock_guard<std::mutex> guard(lock_);
        transport_ = transport;
        frames_.clear();
        opened += transport != nullptr ? 1 : 0;
    }

    mcp_status_t send(std::string frame) {
        {
            const std::lock_guard<std::mutex> guard(lock_);
            frames_.push_back(std::move(frame));
        }
        changed_.notify_one();
        return MCP_OK;
    }

    static std::string answer(const std::string &frame) {
        const std::string id = value(frame, "/id");
        const std::string method = value(frame, "/method");
        const std::string begin = R"({"jsonrpc":"2.0","id":)" + id;
        if (id.empty()) {
            return "";
        }
        if (method == "initialize") {
            return begin + R"(,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},)"
                           R"("serverInfo":{"name":"memory","version":"1"}}})";
        }
        if (method == "tools/call") {
            return begin + R"(,"result":{"content":[{"type":"text","text":)" +
                   quoted(value(frame, "/params/arguments/text")) + "}]}}";
        }
        return begin + R"(,"error":{"code":-32601,"message":"no such method"}})";
    }

    void serve() {
        std::unique_lock<std::mutex> guard(lock_);
        for (;;) {
            changed_.wait(guard, [this] { return over_ || !frames_.empty(); });
            if (over_) {
                return;
            }
            const std::string frame = std::move(frames_.front());
            frames_.pop_front();
            mcp_transport_t *transport = transport_;
            // Without the lock: what this sets off may call send.
            guard.unlock();
            const std::string reply = answer(frame);
            if (!reply.empty()) {
                const mcp_status_t status = mcp_transport_deliver(transport, reply.data(), reply.size());
                CHECK(status == MCP_OK || status == MCP_ERROR_INVALID_ARGUMENT);
            }
            guard.lock();
        }
    }

    std::mutex lock_;
    std::condition_variable changed_;
    std::deque<std::string> frames_;
    mcp_transport_t *transport_ = nullptr;
    bool over_ = false;
    std::thread thread_;
};

} // namespace

int main(int argc, char **) {
    CHECK(argc == 3);
    const mcp_transport_functions_t functions = Memory::functions();
    mcp_client_t *client = nullptr;
    CHECK_STATUS(mcp_client_new_with_transport("{}", nullptr, &functions, new Memory, &client, nullptr),
                 MCP_OK);
    CHECK(alive == 1 && opened == 0);
    for (int i = 0; i < scaled(1000, 20); i++) {
        const std::string text = "call " + std::to_string(i);
        mcp_message_t *reply = nullptr;
        const std::string params = R"({"name":"echo","arguments":{"text":)" + quoted(text) + "}}";
        CHECK_STATUS(mcp_call(client, "tools/call", params.c_str(), nullptr, &reply), MCP_OK);
        CHECK(text == mcp_message_text(reply, nullptr));
        CHECK_STATUS(mcp_message_free(reply), MCP_OK);
    }
    CHECK(opened == 1);
    CHECK_STATUS(mcp_client_free(client), MCP_OK);
    CHECK(alive == 0);

    // When there is no client, the object goes at once.
    CHECK_STATUS(mcp_client_new_with_transport("{", nullptr, &functions, new Memory, &client, nullptr),
                 MCP_ERROR_INVALID_ARGUMENT);
    CHECK(alive == 0);
    return 0;
}
