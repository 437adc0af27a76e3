// tasks SERVER: a tool call that takes its time and runs as a task. Its states are printed as they come, its question is answered,
// and in the end there is one outcome, as for any call. The id of the task is printed too: a program that keeps it can ask for the
// outcome later with client::get_task_result(), even after a restart of its own.
//
// Whether the client asks for the task (2025-11-25) or the server decides (2026-07-28) makes no difference here.
#include <mcp.hpp>

#include <iostream>

int main(int argc, char **argv) try {
    if (argc != 2) return 2;
    const std::string config = "{\"command\": " + mcp::json_quote(argv[1]).value() +
                               R"(, "tasks": true, "capabilities": {"elicitation": {}}})";
    auto client = mcp::client::make(config).value();
    const char *arguments = R"({"topic": "honey", "ms": 400, "question": "Which colour?"})";
    client.start(mcp::feature::call_tool("research", arguments)).value();
    for (;;) {
        const auto message = client.poll(std::chrono::minutes(1)).value();
        if (!message) return 1;
        if (message->topic() == mcp::topic::task) {
            std::cout << "task " << message->get("/taskId").value() << ": " << message->get("/status").value() << '\n';
        } else if (message->topic() == mcp::topic::elicitation) {
            std::cout << "the server asks: " << message->get("/message").value() << '\n';
            client.accept_elicitation(*message, R"({"answer": "amber"})").value();
        } else if (message->kind() == mcp::kind::reply) {
            std::cout << "the outcome: " << message->text().value_or(message->json()) << '\n';
            return message->status() == mcp::status::ok ? 0 : 1;
        }
    }
} catch (const mcp::bad_result &why) {
    std::cerr << why.what() << '\n';
    return 1;
}
