// A time may be forever, zero, over, or the longest that its type can hold: as the option of a call, as the time of a connect
// and of a poll. None is refused, and none turns into another by overflow.
#include "check.hpp"

#include <mcp.hpp>

#include <string>

namespace {

using namespace std::chrono_literals;

const char *const YEAR = R"({"timeout_ms":31536000000})";

void options_hold_every_time() {
    CHECK(mcp::options(mcp::forever).json() == YEAR);
    CHECK(mcp::options(std::chrono::seconds::max()).json() == YEAR);
    CHECK(mcp::options(std::chrono::hours::max()).json() == YEAR);
    CHECK(mcp::options(std::chrono::nanoseconds::max()).json() == YEAR);
    CHECK(mcp::options(std::chrono::duration<double>(1e300)).json() == YEAR);
    CHECK(mcp::options(std::chrono::hours(24 * 30)).json() == R"({"timeout_ms":2592000000})");
    CHECK(mcp::options(0ms).json() == R"({"timeout_ms":1})");
    CHECK(mcp::options(-5s).json() == R"({"timeout_ms":1})");
    CHECK(mcp::options(std::chrono::seconds::min()).json() == R"({"timeout_ms":1})");
    CHECK(mcp::options(1ns).json() == R"({"timeout_ms":1})");
    CHECK(mcp::options(std::chrono::duration<double>(0.0025)).json() == R"({"timeout_ms":3})");
}

void calls_take_every_time(mcp::client &client) {
    client.connect(std::chrono::seconds::max()).value();
    client.ping(mcp::forever).value();
    client.ping(std::chrono::seconds::max()).value();
    client.ping(std::chrono::hours::max()).value();
    const auto slow = client.call_tool("slow", R"({"ms":60000})", 0ms);
    CHECK(!slow && slow.error().status() == mcp::status::timeout);
    const auto over = client.call_tool("slow", R"({"ms":60000})", -1h);
    CHECK(!over && over.error().status() == mcp::status::timeout);
    client.start(mcp::feature::ping(), mcp::forever, 7).value();
    for (;;) {
        const auto next = client.poll(std::chrono::hours::max()).value();
        CHECK(next.has_value());
        if (next->kind() == mcp::kind::reply && next->tag() == 7) break;
    }
}

} // namespace

int main(int argc, char **argv) {
    CHECK(argc == 3);
    options_hold_every_time();
    auto client = mcp::client::make("{\"command\":" + mcp::json_quote(argv[1]).value() + "}").value();
    calls_take_every_time(client);
    client.close().value();
    return 0;
}
