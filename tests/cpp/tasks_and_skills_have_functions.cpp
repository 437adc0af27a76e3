// A call of mcp.hpp becomes a task, whose states come before its reply; the task is found, fetched and cancelled by its name.
// Skills are listed, and their files come only if they are as their entry says. In both eras.
#include "check.hpp"

#include <mcp.hpp>

#include <string>

namespace {

const std::chrono::milliseconds LIMIT(patience());

mcp::client client_of(const char *server, const std::string &more) {
    return mcp::client::make("{\"command\":" + mcp::json_quote(server).value() + more + "}").value();
}

// Starts the tool and takes what comes: the name of the task from its first state, and the reply if it is waited for.
std::string task_of(mcp::client &client, const char *arguments, bool waits) {
    const std::uint64_t call =
        client.start(mcp::feature::call_tool("research", arguments), R"({"task":true})", 7).value();
    std::string task;
    for (;;) {
        auto next = client.poll(LIMIT).value();
        CHECK(next.has_value());
        // States that task_result() heard of are here as well, with its own number.
        if (next->topic() == mcp::topic::task && next->call_id() == call) {
            CHECK(next->kind() == mcp::kind::notification && next->tag() == 7);
            task = next->get("/taskId").value();
            if (!waits) {
                return task;
            }
        } else if (next->kind() == mcp::kind::reply) {
            CHECK(waits && !task.empty() && next->text() == "researched bees");
            return task;
        }
    }
}

void calls_become_tasks(const char *server, bool is_legacy) {
    mcp::client client = client_of(server, std::string(R"(,"tasks":{"poll_min_ms":5,"poll_ms":20},"protocol":")") +
                                               (is_legacy ? "legacy\"" : "modern\""));
    const std::string done = task_of(client, R"({"topic":"bees","ms":50,"poll_ms":10})", true);
    CHECK(client.get_task(done).value().get("/status").value() == "completed");
    CHECK(client.task_result(done, LIMIT).value().text() == "researched bees");
    auto all = client.list_tasks();
    CHECK(is_legacy ? all.value().get("/tasks/0/taskId").value() == done
                    : all.error().status() == mcp::status::unsupported);
    const std::string endless = task_of(client, R"({"topic":"bees","ms":600000})", false);
    client.cancel_task(endless).value();
    CHECK(client.get_task(endless).value().get("/status").value() == "cancelled");
    CHECK(client.get_task("unheard-of").error().status() == mcp::status::server);
    client.close().value();
}

void skills_are_checked(const char *server, const char *era) {
    mcp::client client = client_of(server, std::string(R"(,"args":["--era",")") + era + R"(","skills"])");
    CHECK(mcp::json_count(client.list_skills().value().json(), "/skills").value() == 8);
    const std::string good(client.get_skill("skill://shelf/good/SKILL.md").value().json());
    CHECK(client.load_skill(good).value().text()->find("# Good") != std::string_view::npos);
    CHECK(client.read_skill_file(good, "references/more.md").value().text()->find("More") == 0);
    CHECK(client.read_skill_file(good, "../wrong-size/SKILL.md").error().status() == mcp::status::invalid_argument);
    const std::string wrong(client.get_skill("skill://shelf/wrong-digest/SKILL.md").value().json());
    CHECK(client.load_skill(wrong).error().status() == mcp::status::protocol);
    // As a started call too.
    client.start(mcp::feature::read_skill_file(good, "references/more.md"), LIMIT, 3).value();
    for (bool has_ended = false; !has_ended;) {
        auto next = client.poll(LIMIT).value();
        CHECK(next.has_value());
        has_ended = next->kind() == mcp::kind::reply;
        CHECK(!has_ended || (next->tag() == 3 && next->status() == mcp::status::ok));
    }
    client.close().value();
}

} // namespace

int main(int argc, char **argv) {
    CHECK(argc == 3);
    for (const char *era : {"legacy", "modern"}) {
        calls_become_tasks(argv[1], std::string(era) == "legacy");
        skills_are_checked(argv[2], era);
    }
    mcp::client none;
    CHECK(none.get_task(std::string_view("\0", 1)).error().message().find("NUL") != std::string::npos);
    CHECK(none.load_skill("{}").error().status() == mcp::status::invalid_argument);
    return 0;
}
