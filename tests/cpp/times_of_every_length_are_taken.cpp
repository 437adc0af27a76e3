// A time may be forever, zero, over, a fraction, or the longest that its type can hold: as the option of a call, as the time
// of a connect, of a poll, of a close and of a server. None is refused, and none turns into another by overflow.
#include "check.hpp"

#include <mcp.hpp>

#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>

namespace {

using namespace std::chrono_literals;

template <class Rep, class Period = std::ratio<1>> using time = std::chrono::duration<Rep, Period>;

const char *const YEAR = R"({"timeout_ms":31536000000})";
constexpr std::int32_t LONGEST = std::numeric_limits<std::int32_t>::max();
constexpr double INFINITE = std::numeric_limits<double>::infinity();
constexpr double NAN_ = std::numeric_limits<double>::quiet_NaN();

// Every type of duration is one parameter of C.
constexpr std::int32_t parameter(mcp::time_limit limit) { return limit.parameter(); }

void a_time_is_rounded_up() {
    static_assert(parameter(0ms) == 0 && parameter(1ms) == 1 && parameter(5s) == 5000 && parameter(1h) == 3600000);
    static_assert(parameter(1ns) == 1 && parameter(999999ns) == 1 && parameter(1000000ns) == 1 && parameter(1000001ns) == 2);
    static_assert(parameter(1500us) == 2 && parameter(2000us) == 2);
    static_assert(parameter(time<std::int64_t, std::atto>(1)) == 1);
    static_assert(parameter(time<std::int64_t, std::ratio<1, 3>>(1)) == 334);
    static_assert(parameter(time<std::uint8_t, std::ratio<60>>(255)) == 255 * 60000);
    // A number of milliseconds that a double holds only nearly stays that number.
    CHECK(parameter(time<double>(0.003)) == 3 && parameter(time<float>(0.003f)) == 3);
    CHECK(parameter(time<double>(0.0031)) == 4);
    CHECK(parameter(time<long double, std::micro>(0.5L)) == 1);
    CHECK(parameter(time<double>(std::numeric_limits<double>::denorm_min())) == 1);
    CHECK(parameter(time<float, std::atto>(std::numeric_limits<float>::denorm_min())) == 1);
}

void a_time_that_is_over_is_zero() {
    static_assert(parameter(-1ms) == 0 && parameter(-1ns) == 0 && parameter(-1h) == 0);
    static_assert(parameter(std::chrono::seconds::min()) == 0 && parameter(std::chrono::nanoseconds::min()) == 0);
    CHECK(parameter(time<double>(-0.0)) == 0 && parameter(time<double>(-1e300)) == 0);
    CHECK(parameter(time<double>(-INFINITE)) == 0 && parameter(time<double>(NAN_)) == 0);
    // What is left of a deadline that has passed, as programs compute it.
    const auto deadline = std::chrono::steady_clock::now() - 1ms;
    CHECK(parameter(deadline - std::chrono::steady_clock::now()) == 0);
}

void a_long_time_is_the_longest() {
    static_assert(parameter(std::chrono::milliseconds(LONGEST)) == LONGEST);
    static_assert(parameter(std::chrono::milliseconds(LONGEST - 1)) == LONGEST - 1);
    static_assert(parameter(std::chrono::milliseconds(std::int64_t{LONGEST} + 1)) == LONGEST);
    static_assert(parameter(std::chrono::hours(24 * 30)) == LONGEST);
    static_assert(parameter(std::chrono::nanoseconds::max()) == LONGEST);
    static_assert(parameter(time<std::uint64_t, std::nano>(UINT64_MAX)) == LONGEST);
    CHECK(parameter(time<double>(1e10)) == LONGEST && parameter(time<float>(1e10f)) == LONGEST);
}

void forever_is_forever() {
    static_assert(parameter(mcp::forever) == -1);
    static_assert(parameter(std::chrono::milliseconds::max()) == -1);
    static_assert(parameter(std::chrono::seconds::max()) == -1 && parameter(std::chrono::hours::max()) == -1);
    static_assert(mcp::time_limit(mcp::forever).milliseconds() == mcp::forever);
    static_assert(mcp::time_limit(1500us).milliseconds() == 2ms && mcp::forever > std::chrono::hours(24 * 365));
    CHECK(parameter(time<double>(1e300)) == -1 && parameter(time<float>(1e38f)) == -1);
    CHECK(parameter(time<double>(INFINITE)) == -1);
    const bool is_patient = parameter(0ms) == 0;
    CHECK(parameter(is_patient ? mcp::forever : 5ms) == -1);
}

void options_hold_every_time() {
    CHECK(mcp::options(mcp::forever).json() == YEAR);
    CHECK(mcp::options(std::chrono::seconds::max()).json() == YEAR);
    CHECK(mcp::options(std::chrono::hours::max()).json() == YEAR);
    CHECK(mcp::options(std::chrono::nanoseconds::max()).json() == YEAR);
    CHECK(mcp::options(std::chrono::duration<double>(1e300)).json() == YEAR);
    CHECK(mcp::options(std::chrono::duration<double>(INFINITE)).json() == YEAR);
    CHECK(mcp::options(std::chrono::hours(24 * 30)).json() == R"({"timeout_ms":2592000000})");
    CHECK(mcp::options(std::chrono::hours(24 * 365)).json() == YEAR);
    CHECK(mcp::options(std::chrono::hours(24 * 365) + 1ns).json() == YEAR);
    CHECK(mcp::options(std::chrono::hours(24 * 365) - 1ms).json() == R"({"timeout_ms":31535999999})");
    CHECK(mcp::options(0ms).json() == R"({"timeout_ms":1})");
    CHECK(mcp::options(-1ms).json() == R"({"timeout_ms":1})");
    CHECK(mcp::options(-5s).json() == R"({"timeout_ms":1})");
    CHECK(mcp::options(std::chrono::seconds::min()).json() == R"({"timeout_ms":1})");
    CHECK(mcp::options(std::chrono::duration<double>(NAN_)).json() == R"({"timeout_ms":1})");
    CHECK(mcp::options(1ns).json() == R"({"timeout_ms":1})");
    CHECK(mcp::options(std::chrono::duration<double>(0.0025)).json() == R"({"timeout_ms":3})");
    CHECK(mcp::options(mcp::time_limit(2s)).json() == R"({"timeout_ms":2000})");
    // The members take every type of duration, too.
    mcp::call_options members;
    members.timeout = std::chrono::seconds::max();
    members.max_total = 1us;
    members.task_ttl = std::chrono::duration<double>(1.5);
    CHECK(mcp::options(members).json() ==
          R"({"timeout_ms":31536000000,"max_total_ms":1,"task_ttl_ms":1500})");
    members.timeout.reset();
    members.max_total = std::chrono::hours(2);
    members.task_ttl = std::nullopt;
    CHECK(mcp::options(members).json() == R"({"max_total_ms":7200000})");
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

// Nothing arrives any more: a wait that took a negative time for no limit would not end.
void waits_that_are_over_return(mcp::client &client) {
    while (client.poll(100ms).value()) {
    }
    CHECK(!client.poll(-1ms).value() && !client.poll(-1h).value());
    CHECK(!client.poll(std::chrono::duration<double>(NAN_)).value());
    CHECK(!client.poll_notification(std::chrono::seconds::min()).value());
    CHECK(!client.poll(1ns).value());
    mcp::queue queue = mcp::queue::make().value();
    CHECK(!queue.poll(-1ms).value() && !queue.poll(0s).value());
    queue.wake().value();
    CHECK(!queue.poll(std::chrono::seconds::max()).value());
}

void logins_take_every_time(mcp::client &client) {
    const auto refused = [](const mcp::result<void> &outcome) {
        CHECK(!outcome && outcome.error().status() == mcp::status::unsupported);
    };
    refused(client.supply_credential("token", std::chrono::hours::max()));
    refused(client.supply_credential("token", -1s));
    refused(client.supply_credential("token"));
    refused(client.logout(std::chrono::duration<double>(0.5)));
}

void servers_take_every_time() {
    mcp::server server = mcp::server::make(R"({"name":"times"})").value();
    CHECK(server.run(-1ms) == mcp::status::empty);
    CHECK(server.run(1ns) == mcp::status::empty && server.run(std::chrono::duration<double>(-1)) == mcp::status::empty);
    CHECK(!server.poll(std::chrono::seconds::min()).value());
    const auto call = server.call_start(1, "ping", "{}", 0, std::chrono::seconds::max());
    CHECK(call.error().status() == mcp::status::unavailable);
    CHECK(server.call_start(1, "ping", "{}", 0, 1ns).error().status() == mcp::status::unavailable);
    CHECK(server.close(std::chrono::seconds::max()) == mcp::status::ok);
    CHECK(server.close(-1h) == mcp::status::ok);
    CHECK(server.run(mcp::forever) == mcp::status::closed);
}

} // namespace

int main(int argc, char **argv) {
    CHECK(argc == 3);
    a_time_is_rounded_up();
    a_time_that_is_over_is_zero();
    a_long_time_is_the_longest();
    forever_is_forever();
    options_hold_every_time();
    const std::string config = "{\"command\":" + mcp::json_quote(argv[1]).value() + "}";
    auto client = mcp::client::make(config).value();
    calls_take_every_time(client);
    waits_that_are_over_return(client);
    logins_take_every_time(client);
    client.close(std::chrono::hours::max()).value();
    auto dispatcher = mcp::dispatcher::make().value();
    dispatcher->close(dispatcher->make_client(config).value(), std::chrono::duration<double>(2.5)).value();
    dispatcher->close(dispatcher->make_client(config).value(), -1ns).value();
    auto starting = mcp::client::make(config).value();
    CHECK(starting.connect(-1h).error().status() == mcp::status::timeout);
    starting.connect_start(std::chrono::hours::max(), 3).value();
    CHECK(starting.poll(20s).value().has_value());
    servers_take_every_time();
    return 0;
}
