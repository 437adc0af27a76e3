// A class derived from mcp::transport carries a client's messages: it answers from inside send(), its connection is told of an
// end and opened again, a refused open is an error, and the client destroys it exactly once, also where there is no client.
#include "check.hpp"

#include <mcp.hpp>

#include <atomic>
#include <memory>
#include <string>

namespace {

std::atomic<int> alive{0};
std::atomic<int> opened{0};
std::atomic<int> closed{0};

class Memory : public mcp::transport {
  public:
    explicit Memory(bool opens = true) : opens_(opens) { alive++; }
    ~Memory() override { alive--; }

    mcp::status open(mcp::connection) override {
        if (!opens_) return mcp::status::transport;
        opened++;
        return mcp::status::ok;
    }

    // It may deliver at once, from inside send.
    mcp::status send(mcp::connection to, std::string_view frame) override {
        const std::string method = mcp::json_get(frame, "/method").value_or(std::string());
        const auto id = mcp::json_get(frame, "/id");
        if (!id) return mcp::status::ok;
        const std::string begin = R"({"jsonrpc":"2.0","id":)" + *id;
        if (method == "initialize") {
            to.deliver(begin + R"(,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},)"
                               R"("serverInfo":{"name":"memory","version":"1"}}})")
                .value();
        } else if (method == "tools/call" && mcp::json_get(frame, "/params/name").value() == "end") {
            to.closed("the tool ended it").value();
            CHECK(to.deliver("{}").error().status() == mcp::status::invalid_argument);
        } else if (method == "tools/call") {
            const std::string text = mcp::json_get(frame, "/params/arguments/text").value();
            to.deliver(begin + R"(,"result":{"content":[{"type":"text","text":)" + mcp::json_quote(text).value() + "}]}}")
                .value();
        } else {
            to.deliver(begin + R"(,"error":{"code":-32601,"message":"no such method"}})").value();
        }
        return mcp::status::ok;
    }

    void close(mcp::connection) override { closed++; }

  private:
    bool opens_;
};

} // namespace

int main(int argc, char **) {
    CHECK(argc == 3);
    {
        mcp::client client = mcp::client::make(std::make_unique<Memory>(), R"({"reconnect":{"initial_ms":1}})").value();
        CHECK(alive == 1 && opened == 0);
        for (int i = 0; i < scaled(1000, 20); i++) {
            const std::string text = "call " + std::to_string(i);
            auto reply = client.call_tool("echo", R"({"text":)" + quoted(text) + '}');
            CHECK(reply.value().text() == text);
        }
        CHECK(opened == 1);
        auto ended = client.call_tool("end", {});
        CHECK(ended.error().status() == mcp::status::transport);
        CHECK(ended.error().message().find("the tool ended it") != std::string::npos);
        mcp::call_options waits;
        waits.when_unavailable = "wait";
        CHECK(client.call_tool("echo", R"({"text":"back"})", waits).value().text() == "back");
        CHECK(opened == 2);
    }
    CHECK(alive == 0 && closed == 2);

    // When there is no client, the object goes at once.
    CHECK(mcp::client::make(std::make_unique<Memory>(), "{").error().status() == mcp::status::invalid_argument);
    CHECK(mcp::client::make(std::make_unique<Memory>(), std::string_view("{}\0", 3)).error().status() ==
          mcp::status::invalid_argument);
    CHECK(mcp::client::make(std::unique_ptr<mcp::transport>()).error().status() == mcp::status::invalid_argument);
    CHECK(alive == 0);

    auto through = mcp::queue::make().value();
    mcp::client refused =
        mcp::client::make(through, std::make_unique<Memory>(false), R"({"reconnect":false})").value();
    CHECK(refused.connect(std::chrono::milliseconds(patience())).error().status() == mcp::status::transport);
    refused = mcp::client();
    CHECK(alive == 0);
    return 0;
}
