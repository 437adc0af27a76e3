// The host throws exceptions of its own wherever it may: between the start of a call and its answer, while it holds
// messages, and inside a callback, where it catches them again. No call loses its answer, nothing is freed twice or
// kept, and the library goes on.
#include "check.hpp"

#include <atomic>
#include <memory>
#include <set>
#include <stdexcept>

namespace {

struct Free {
    void operator()(mcp_client_t *client) const { CHECK_STATUS(mcp_client_free(client), MCP_OK); }
    void operator()(mcp_message_t *message) const { CHECK_STATUS(mcp_message_free(message), MCP_OK); }
};

using Client = std::unique_ptr<mcp_client_t, Free>;
using Message = std::unique_ptr<mcp_message_t, Free>;

// What a logger has of the host: it throws, and catches before it returns.
struct Records {
    std::atomic<int> seen{0};
    std::atomic<int> destroyed{0};

    static void log(void *user, int32_t, const char *record) {
        try {
            throw std::runtime_error(record);
        } catch (const std::exception &) {
            static_cast<Records *>(user)->seen++;
        }
    }
    static void destroy(void *user) { static_cast<Records *>(user)->destroyed++; }
};

void start(mcp_client_t *client, uint64_t tag) {
    const std::string params = R"({"name":"echo","arguments":{"text":")" + std::to_string(tag) + "\"}}";
    CHECK_STATUS(mcp_call_start(client, "tools/call", params.c_str(), nullptr, tag, nullptr, nullptr), MCP_OK);
}

// Starts a call, and does not get to what it wanted to do next.
void start_and_throw(mcp_client_t *client, uint64_t tag) {
    start(client, tag);
    throw std::logic_error("the host changed its mind");
}

// Takes the next message, and throws while it holds it; says whose reply it was.
[[noreturn]] void take_and_throw(mcp_client_t *client) {
    mcp_message_t *message = nullptr;
    CHECK_STATUS(mcp_client_poll(client, patience(), &message), MCP_OK);
    const Message held(message);
    if (mcp_message_kind(message) != MCP_KIND_REPLY) {
        throw std::runtime_error("something else");
    }
    CHECK_STATUS(mcp_message_status(message), MCP_OK);
    CHECK(mcp_message_text(message, nullptr) == std::to_string(mcp_message_tag(message)));
    throw mcp_message_tag(message);
}

void use(const char *server) {
    mcp_client_t *made = nullptr;
    const std::string config = "{\"command\":" + quoted(server) + "}";
    CHECK_STATUS(mcp_client_new(config.c_str(), nullptr, &made, nullptr), MCP_OK);
    const Client client(made);
    CHECK_STATUS(mcp_client_connect(made, patience(), nullptr), MCP_OK);
    std::set<uint64_t> expected;
    for (uint64_t tag = 1; tag <= 20; tag++) {
        try {
            start_and_throw(made, tag);
        } catch (const std::logic_error &) {
            expected.insert(tag);
        }
    }
    while (!expected.empty()) {
        try {
            take_and_throw(made);
        } catch (uint64_t tag) {
            CHECK(expected.erase(tag) == 1);
        } catch (const std::runtime_error &) {
        }
    }
    start(made, 99);
    throw std::out_of_range("with a call under way");
}

} // namespace

int main(int argc, char **argv) {
    CHECK(argc == 3);
    Records records;
    CHECK_STATUS(mcp_log_set_logger(Records::log, MCP_LOG_TRACE, &records, Records::destroy), MCP_OK);
    for (int round = 0; round < 3; round++) {
        bool threw = false;
        try {
            use(argv[1]);
        } catch (const std::out_of_range &) {
            threw = true;
        }
        CHECK(threw);
    }
    CHECK_STATUS(mcp_log_set_logger(nullptr, 0, nullptr, nullptr), MCP_OK);
    CHECK(records.seen > 0);
    CHECK(records.destroyed == 1);
    return 0;
}
