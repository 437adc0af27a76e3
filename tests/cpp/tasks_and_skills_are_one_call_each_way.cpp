// What mcp.hpp has for tasks and skills works in both eras: by its own function, and as a started call. A task is found by its
// name, waited for and cancelled; a file of a skill comes only if it is what the entry says.
#include "check.hpp"

#include <mcp.hpp>

#include <string>
#include <vector>

namespace {

const std::chrono::milliseconds LIMIT(patience());

std::string config_of(const char *server, const std::string &more) {
    return "{\"command\":" + mcp::json_quote(server).value() + more + "}";
}

// Takes messages until one is what is looked for.
template <class Is> mcp::message next(mcp::client &client, Is is) {
    for (;;) {
        auto message = client.poll(LIMIT).value();
        CHECK(message.has_value());
        if (is(*message)) return std::move(*message);
    }
}

mcp::message reply_of(mcp::client &client, std::uint64_t tag) {
    return next(client, [tag](const mcp::message &it) { return it.kind() == mcp::kind::reply && it.tag() == tag; });
}

// Starts the tool whose calls become tasks; gives the name of the task.
std::string begun(mcp::client &client, const char *arguments, std::uint64_t tag) {
    client.start(mcp::feature::call_tool("research", arguments), {}, tag).value();
    auto told = next(client, [tag](const mcp::message &it) { return it.topic() == mcp::topic::task && it.tag() == tag; });
    return told.get("/taskId").value();
}

void tasks_are_followed(const char *server, const std::string &era) {
    const std::string tasks = R"(,"tasks":{"poll_min_ms":5,"poll_ms":20},"args":["--era",")" + era + R"("])";
    const std::string config = config_of(server, tasks + R"(,"protocol":")" + era + '"');
    mcp::client client = mcp::client::make(config).value();
    const std::string endless = begun(client, R"({"topic":"x","ms":600000})", 1);
    CHECK(client.get_task(endless).value().get("/status").value() == "working");
    client.cancel_task(endless).value();
    CHECK(reply_of(client, 1).status() == mcp::status::cancelled);
    CHECK(client.get_task_result(endless).error().status() == mcp::status::cancelled);

    const std::string task = begun(client, R"({"topic":"bees","ms":50})", 2);
    CHECK(client.get_task_result(task).value().text() == "researched bees");
    CHECK(reply_of(client, 2).text() == "researched bees");
    client.start(mcp::feature::get_task_result(task), LIMIT, 3).value();
    CHECK(reply_of(client, 3).text() == "researched bees");
    client.start(mcp::feature::get_task(task), LIMIT, 4).value();
    CHECK(reply_of(client, 4).get("/status").value() == "completed");
    CHECK(client.get_task("unheard-of").error().get("/code") == "-32602");

    // Only the older era has a list, and minds when a task is over already.
    auto listed = client.list_tasks(LIMIT);
    auto started = client.start(mcp::feature::list_tasks(), LIMIT, 5);
    client.start(mcp::feature::cancel_task(task), LIMIT, 6).value();
    if (era == "legacy") {
        CHECK(listed->value().get("tasks").size() == 2);
        CHECK(started.has_value() && reply_of(client, 5).status() == mcp::status::ok);
        CHECK(reply_of(client, 6).status() == mcp::status::server);
    } else {
        CHECK(listed.error().status() == mcp::status::unsupported);
        CHECK(started.has_value() ? reply_of(client, 5).status() == mcp::status::unsupported
                                  : started.error().status() == mcp::status::unsupported);
        CHECK(reply_of(client, 6).status() == mcp::status::ok);
    }
    client.close().value();
}

void skills_are_checked(const char *server, const std::string &era) {
    mcp::client client = mcp::client::make(config_of(server, R"(,"args":["--era",")" + era + R"(","skills"])")).value();
    const std::string entry = client.list_skills().value().get("/skills/0").value();
    const std::string uri = mcp::json_get(entry, "/uri").value();
    CHECK(mcp::json_get(client.get_skill(uri).value().json(), "/skill/uri").value() == uri);
    CHECK(client.load_skill(entry).value().text()->find("See references/more.md.") != std::string_view::npos);
    CHECK(client.read_skill_file(entry, "references/more.md").value().text()->find("More") == 0);
    CHECK(client.read_skill_file(entry, "../x").error().status() == mcp::status::invalid_argument);

    const std::vector<mcp::feature> all{mcp::feature::list_skills(), mcp::feature::get_skill(uri),
                                        mcp::feature::load_skill(entry),
                                        mcp::feature::read_skill_file(entry, "references/more.md")};
    for (std::size_t i = 0; i < all.size(); i++) {
        client.start(all[i], LIMIT, i + 1).value();
        CHECK(reply_of(client, i + 1).status() == mcp::status::ok);
    }
    const auto damaged = client.get_skill("skill://shelf/wrong-digest/SKILL.md").value();
    const auto refused = client.load_skill(damaged.json());
    CHECK(refused.error().status() == mcp::status::protocol && refused.error().get("/details/check") == "digest");
    client.close().value();
}

} // namespace

int main(int argc, char **argv) {
    CHECK(argc == 3);
    CHECK(mcp::abi_matches() && mcp::abi_version() == MCP_ABI_VERSION);
    for (const char *era : {"legacy", "modern"}) {
        tasks_are_followed(argv[2], era);
        skills_are_checked(argv[2], era);
    }
    mcp::client none;
    CHECK(none.get_task("x").error().status() == mcp::status::invalid_argument);
    CHECK(none.load_skill(std::string_view("\0", 1)).error().message().find("NUL") != std::string::npos);
    return 0;
}
