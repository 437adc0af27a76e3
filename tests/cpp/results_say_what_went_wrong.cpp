// Functions of mcp.hpp give a value or an error, never both and never an exception that was not asked for: errors say
// the status and a text for people, value() of one throws it, and handles that hold nothing are refused politely.
#include "check.hpp"

#include <mcp.hpp>

#include <type_traits>

namespace {

static_assert(!std::is_copy_constructible_v<mcp::client> && std::is_nothrow_move_constructible_v<mcp::client>);
static_assert(!std::is_copy_constructible_v<mcp::message> && std::is_nothrow_move_constructible_v<mcp::message>);
static_assert(!std::is_copy_constructible_v<mcp::queue> && std::is_nothrow_move_constructible_v<mcp::queue>);

std::string config_of(const char *server) { return "{\"command\":" + mcp::json_quote(server).value() + "}"; }

void a_wrong_key_is_named() {
    auto made = mcp::client::make(R"({"command":"x","timeout":1})");
    CHECK(!made);
    CHECK(made.error().status() == mcp::status::invalid_argument);
    CHECK(made.error().message().find("timeout") != std::string::npos);
    CHECK(!made.error().retryable());
}

void a_text_with_a_nul_is_refused() {
    mcp::client none;
    auto reply = none.call(std::string_view("tools\0list", 10));
    CHECK(!reply && reply.error().status() == mcp::status::invalid_argument);
    CHECK(reply.error().message().find("NUL") != std::string::npos);
    CHECK(!mcp::json_quote(std::string_view("\0", 1)));
}

void value_throws_the_error() {
    bool thrown = false;
    try {
        static_cast<void>(mcp::client::make("no JSON").value());
    } catch (const mcp::bad_result &bad) {
        thrown = bad.error().status() == mcp::status::invalid_argument && *bad.what() != '\0';
    }
    CHECK(thrown);
}

void handles_that_hold_nothing_are_refused() {
    mcp::client client;
    mcp::queue queue;
    mcp::message message;
    CHECK(!client && !queue && !message);
    CHECK(client.call("ping").error().status() == mcp::status::invalid_argument);
    CHECK(client.state().error().status() == mcp::status::invalid_argument);
    CHECK(client.poll(std::chrono::milliseconds(0)).error().status() == mcp::status::invalid_argument);
    CHECK(queue.wake().error().status() == mcp::status::invalid_argument);
    CHECK(message.json().empty() && !message.text() && message.method().empty());
    CHECK(message.get("/a").error().status() == mcp::status::invalid_argument);
}

void json_is_read_without_a_library() {
    const std::string json = R"({"a":["x",{"b":1}],"n":"\u0000!"})";
    CHECK(mcp::json_get(json, "/a/0").value() == "x");
    CHECK(mcp::json_get(json, "/a/1").value() == R"({"b":1})");
    CHECK(mcp::json_get(json, "/n").value() == std::string("\0!", 2));
    CHECK(mcp::json_get(json, "/nothing").error().status() == mcp::status::empty);
    CHECK(mcp::json_get(json, "/nothing").value_or("other") == "other");
}

void options_are_said_in_every_way() {
    using namespace std::chrono_literals;
    CHECK(mcp::options().json().empty());
    CHECK(mcp::options(1500us).json() == R"({"timeout_ms":2})");
    CHECK(mcp::options(std::chrono::hours(24 * 365)).json() == R"({"timeout_ms":31536000000})");
    mcp::call_options chosen;
    chosen.timeout = 2s;
    chosen.progress = true;
    chosen.retry = "safe";
    CHECK(mcp::options(chosen).json() == R"({"timeout_ms":2000,"progress":true,"retry":"safe"})");
    CHECK(mcp::options(mcp::call_options()).json().empty());
    mcp::call_options times;
    times.timeout = mcp::forever;
    times.max_total = 0ms;
    times.task_ttl = std::chrono::milliseconds::max();
    CHECK(mcp::options(times).json() ==
          R"({"timeout_ms":31536000000,"max_total_ms":1,"task_ttl_ms":31536000000})");
    mcp::call_options all;
    all.meta = R"({"a/b":[1]})";
    all.when_unavailable = "wait";
    all.reset_on_progress = false;
    all.traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    all.tracestate = "x=1";
    all.baggage = "user=a";
    all.log_level = "info";
    all.cursor = "";
    all.one_page = true;
    all.cache = "bypass";
    all.allow_dynamic = true;
    all.task = false;
    CHECK(mcp::options(all).json() ==
          R"({"meta":{"a/b":[1]},"when_unavailable":"wait","reset_on_progress":false,)"
          R"("traceparent":"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01","tracestate":"x=1",)"
          R"("baggage":"user=a","log_level":"info","cursor":"","one_page":true,"cache":"bypass",)"
          R"("allow_dynamic":true,"task":false})");
}

// Whatever stands in an option is its value: it ends the options for no other one, and a wrong one is refused by its name.
void options_are_escaped(const char *server) {
    mcp::client client = mcp::client::make(config_of(server)).value();
    const auto refused = [&client](const mcp::call_options &chosen, const char *key) {
        const auto reply = client.list_tools(chosen);
        CHECK(!reply && reply.error().status() == mcp::status::invalid_argument);
        CHECK(reply.error().get("/details/key") == key);
    };
    mcp::call_options chosen;
    chosen.retry = R"(safe","timeout_ms":"1)";
    refused(chosen, "retry");
    chosen = {};
    chosen.retry = std::string("safe\0", 5);
    refused(chosen, "retry");
    chosen = {};
    chosen.when_unavailable = "wa\nit\\";
    refused(chosen, "when_unavailable");
    chosen = {};
    chosen.meta = R"({"a":1},"timeout_ms":1)";
    refused(chosen, "meta");
    chosen = {};
    chosen.meta = "[]";
    refused(chosen, "meta");
    chosen = {};
    chosen.cursor = "\"\t\\ of no list";
    const auto reply = client.list_tools(chosen);
    CHECK(!reply && reply.error().status() == mcp::status::server); // it arrived
    chosen = {};
    chosen.one_page = true;
    chosen.cache = "refresh";
    chosen.log_level = "error";
    client.list_tools(chosen).value();
}

void a_moved_client_goes_on(const char *server) {
    mcp::client first = mcp::client::make(config_of(server)).value();
    const mcp_client_t *handle = first.native();
    mcp::client second = std::move(first);
    CHECK(!first && second.native() == handle); // NOLINT: what is left of it is the point
    auto reply = second.call("tools/call", R"({"name":"echo","arguments":{"text":"moved"}})",
                             std::chrono::milliseconds(patience()));
    CHECK(reply && reply->text() == "moved" && reply->kind() == mcp::kind::reply);
    CHECK(reply->client() == handle);
    mcp::message kept = std::move(*reply);
    auto failed = second.call("tools/call", R"({"name":"no-such-tool"})");
    CHECK(!failed && failed.error().status() == mcp::status::server);
    CHECK(!failed.error().get("/code").empty() && !failed.error().message().empty());
    second = mcp::client();
    CHECK(kept.text() == "moved");
}

void a_call_may_have_little_time(const char *server) {
    mcp::client client = mcp::client::make(config_of(server)).value();
    client.connect(std::chrono::milliseconds(patience())).value();
    auto reply = client.call("tools/call", R"({"name":"slow","arguments":{"ms":60000}})", std::chrono::milliseconds(50));
    CHECK(!reply && reply.error().status() == mcp::status::timeout && !reply.error().retryable());
    CHECK(!client.poll_notification(std::chrono::milliseconds(0)).value());
    CHECK(client.cancel(123456).value() == false);
}

void chains_stop_at_the_first_error() {
    auto good = mcp::json_get(R"({"a":"{\"b\":7}"})", "/a").and_then([](std::string inner) {
        return mcp::json_get(inner, "/b");
    });
    CHECK(good.value() == "7");
    auto bad = mcp::json_get("{}", "/a").transform([](std::string text) { return text.size(); });
    CHECK(!bad && bad.error().status() == mcp::status::empty);
}

void views_are_told_and_asked() {
    CHECK(mcp::app::make("{}").error().message().find("hostInfo") != std::string::npos);
    auto app = mcp::app::make(R"({"hostInfo":{"name":"h","version":"1"}})").value();
    CHECK(app && app.poll().error().status() == mcp::status::empty);
    CHECK(!app.tell(R"({"type":"other"})") && app.tell(R"({"type":"input"})"));
    CHECK(app.receive(R"({"jsonrpc":"2.0","id":1,"method":"ping"})"));
    CHECK(app.poll().value() == R"({"type":"message","message":{"jsonrpc":"2.0","id":1,"result":{}}})");
    CHECK(mcp::app::policy(R"({"permissions":{"camera":{}}})").value().find(R"("allow":"camera")") != std::string::npos);
}

} // namespace

int main(int argc, char **argv) {
    CHECK(argc == 3);
    CHECK(mcp::abi_matches());
    a_wrong_key_is_named();
    a_text_with_a_nul_is_refused();
    value_throws_the_error();
    handles_that_hold_nothing_are_refused();
    json_is_read_without_a_library();
    options_are_said_in_every_way();
    options_are_escaped(argv[1]);
    chains_stop_at_the_first_error();
    a_moved_client_goes_on(argv[1]);
    a_call_may_have_little_time(argv[1]);
    views_are_told_and_asked();
    return 0;
}
