// Each feature of mcp.hpp works in both eras: by its own function, as a started call whose outcome comes by the queue, and as a
// future of a dispatcher. Forms are completed and checked, roots change, topics are switched on.
#include "check.hpp"

#include <mcp.hpp>

#include <string>
#include <thread>
#include <vector>

namespace {

std::string config_of(const char *server, const std::string &more) {
    return "{\"command\":" + mcp::json_quote(server).value() + more + "}";
}

const std::chrono::milliseconds LIMIT(patience());

void every_feature_has_a_function(mcp::client &client) {
    CHECK(client.list_tools(LIMIT).value().get("/tools/0/name").value() == "echo");
    const mcp::message resources = client.list_resources().value();
    CHECK(resources.value().get("resources").size() == 2);
    const std::string uri_template =
        client.list_resource_templates().value().get("/resourceTemplates/0/uriTemplate").value();
    const std::string uri = mcp::uri_template_expand(uri_template, R"({"name":"Ada"})").value();
    CHECK(uri == "demo://greeting/Ada");
    CHECK(client.read_resource(uri).value().text() == "Hello, Ada!");
    CHECK(client.list_prompts().value().get("/prompts/0/name").value() == "greet");
    CHECK(client.get_prompt("greet", R"({"name":"Ada"})").value().text()->find("Ada") != std::string_view::npos);
    auto found = client.complete(R"({"type":"ref/prompt","name":"greet"})", "name", "a", R"({"other":"x"})");
    CHECK(found.value().get("/completion/values/0").value() == "Ada");
    CHECK(client.call_tool("add", R"({"a":2,"b":3})").value().get("/structuredContent/sum").value() == "5");
    client.subscribe("demo://greeting").value();
    client.unsubscribe("demo://greeting").value();
    client.set_server_log_level("error").value();
    client.ping(LIMIT).value();
    client.clear_cache().value();
    CHECK(client.call_tool("no-such-tool").error().status() == mcp::status::server);
}

void started_features_come_by_the_queue(mcp::client &client) {
    const std::vector<mcp::feature> all{mcp::feature::list_tools(), mcp::feature::list_resources(),
                                        mcp::feature::list_resource_templates(), mcp::feature::list_prompts(),
                                        mcp::feature::call_tool("echo", R"({"text":"x"})"),
                                        mcp::feature::read_resource("demo://greeting"),
                                        mcp::feature::get_prompt("greet", R"({"name":"Ada"})"), mcp::feature::ping(),
                                        mcp::feature::method("tools/list")};
    for (std::size_t i = 0; i < all.size(); i++) client.start(all[i], LIMIT, i + 1).value();
    for (std::size_t seen = 0; seen < all.size();) {
        auto next = client.poll(LIMIT).value();
        CHECK(next.has_value());
        if (next->kind() != mcp::kind::reply) continue;
        CHECK(next->status() == mcp::status::ok && next->tag() > 0 && next->tag() <= all.size());
        seen++;
    }
}

// Takes what comes for a started call of the tool "ask", until its reply is there.
std::string asked(mcp::client &client, bool agrees) {
    client.start(mcp::feature::call_tool("ask", R"({"question":"Colour?"})"), LIMIT, 77).value();
    for (;;) {
        auto next = client.poll(LIMIT).value();
        CHECK(next.has_value());
        switch (next->topic()) {
        case mcp::topic::elicitation:
            CHECK(next->kind() == mcp::kind::request && mcp::name(next->topic()) == "elicitation");
            if (agrees) {
                auto wrong = client.accept_elicitation(*next, R"({"answer":7})");
                CHECK(!wrong && wrong.error().status() == mcp::status::invalid_argument);
                client.accept_elicitation(*next, R"({"answer":"blue"})").value();
            } else {
                client.decline_elicitation(*next).value();
            }
            CHECK(!client.cancel_elicitation(*next));
            break;
        default:
            if (next->kind() == mcp::kind::reply && next->tag() == 77) return std::string(next->text().value());
        }
    }
}

void futures_ask_for_features(const std::string &config) {
    auto through = mcp::dispatcher::make().value();
    mcp::client client = through->make_client(config).value();
    std::thread runs([&] { through->run().value(); });
    auto tools = through->call(client, mcp::feature::list_tools());
    auto echo = through->call(client, mcp::feature::call_tool("echo", R"({"text":"later"})"));
    CHECK(tools.get().has_value());
    CHECK(echo.get().value().text() == "later");
    through->close(std::move(client)).value();
    through->stop().value();
    runs.join();
}

void json_is_walked() {
    const auto json = mcp::document::parse(R"({"a":null,"b":{"c\u0000":[1]}})").value();
    const mcp::value root = json.value();
    CHECK(root.get("a").type() == mcp::json_type::null);
    CHECK(root.get("z").type() == mcp::json_type::absent);
    CHECK(root.size() == 2);
    CHECK(mcp::uri_template_expand("{").error().status() == mcp::status::invalid_argument);
    mcp::client none;
    CHECK(none.call_tool(std::string_view("\0", 1)).error().message().find("NUL") != std::string::npos);
    CHECK(none.list_tools().error().status() == mcp::status::invalid_argument);
    CHECK(none.start(mcp::feature::ping()).error().status() == mcp::status::invalid_argument);
    CHECK(none.complete_login("x").error().status() == mcp::status::invalid_argument);
}

} // namespace

int main(int argc, char **argv) {
    CHECK(argc == 3);
    json_is_walked();
    for (const char *era : {"legacy", "modern"}) {
        const std::string config =
            config_of(argv[1], std::string(",\"capabilities\":{\"elicitation\":{}},\"roots\":[\"file:///one\"],\"protocol\":\"") +
                                   era + '"');
        mcp::client client = mcp::client::make(config).value();
        every_feature_has_a_function(client);
        started_features_come_by_the_queue(client);
        CHECK(asked(client, true) == "blue");
        CHECK(asked(client, false) == "No answer: decline");
        client.set_roots(R"(["file:///two"])").value();
        CHECK(client.set_roots(R"(["http://example.com"])").error().status() == mcp::status::invalid_argument);
        CHECK(client.supply_credential("x").error().status() == mcp::status::unsupported);
        client.close().value();
        futures_ask_for_features(config);
    }
    return 0;
}
