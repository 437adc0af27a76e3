#include "made.hpp"

#include "../check.hpp"

#include <stdexcept>

template <class Run> std::string thrown(Run run) {
    try {
        run();
    } catch (const mcp::bad_result &it) {
        CHECK(it.error().status() == mcp::status::server);
        return it.what();
    }
    return "nothing";
}

int main() {
    CHECK(make_text(true).value() == "a text that is longer than a short string" && make_text(true));
    CHECK(!make_text(false) && make_text(false).error().message() == "out of paper");
    CHECK(thrown([] { static_cast<void>(make_text(false).value()); }) == "out of paper");
    CHECK(make_nothing(true));
    CHECK(thrown([] { make_nothing(false).value(); }) == "out of paper");
    const auto client = make_client(mcp::options(std::chrono::seconds(1)));
    CHECK(!client && client.error().message().find("timeout_ms") != std::string::npos);
    auto queue = mcp::queue::make().value();
    CHECK(!poll_once(queue).value());
    CHECK(make_object().set("more", true).json().value() == R"({"list":[1,"two"],"more":true})");
    const auto dispatcher = make_dispatcher();
    CHECK(!dispatcher->run_for(mcp::forever).value());
    CHECK(call_tool([](mcp::request it) { it.respond_text("used").value(); }).value().text() == "used");
    const auto failed = call_tool([](mcp::request) { throw std::runtime_error("no ink"); }).value();
    CHECK(failed.is_tool_error() && failed.text() == "no ink");
    return 0;
}
