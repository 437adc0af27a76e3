// What a callback throws never reaches the C library. What the handler of a tool throws is a result that the model sees, what
// another one throws is an internal error, each with the text of the exception, and the server goes on; a connection whose transport throws ends with that text; what no outcome can have
// goes to the exception hook, or is kept; and what a handler of a dispatcher throws leaves run().
#include "check.hpp"

#include <mcp.hpp>

#include <atomic>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

using namespace std::chrono_literals;

namespace {

constexpr char ANY[] = R"(","inputSchema":{"type":"object"}})";

// What the hook got: the name of the callback and the text, of the exceptions since the last look.
struct Hooked {
    std::mutex lock;
    std::vector<std::string> told;

    static Hooked &all() {
        static Hooked it;
        return it;
    }
    static void hook(std::exception_ptr thrown, const char *callback) noexcept {
        std::string text = std::string(callback) + ": ";
        try {
            std::rethrow_exception(thrown);
        } catch (const std::exception &it) {
            text += it.what();
        } catch (...) {
            text += "?";
        }
        const std::lock_guard<std::mutex> held(all().lock);
        all().told.push_back(text);
    }
    static std::vector<std::string> taken() {
        const std::lock_guard<std::mutex> held(all().lock);
        return std::exchange(all().told, {});
    }
};

void expect(const std::vector<std::string> &told) {
    const auto seen = Hooked::taken();
    std::string all;
    for (const auto &one : seen) all += one + "; ";
    if (seen != told) FAIL("the hook got: " + all);
}

std::string kept() {
    const auto thrown = mcp::take_exception();
    if (!thrown) return "";
    try {
        std::rethrow_exception(thrown);
    } catch (const std::exception &it) {
        return it.what();
    }
}

void add(mcp::server &server, const std::string &name, mcp::server::handler run) {
    server.add_tool(R"({"name":")" + name + ANY, std::move(run)).value();
}

void add_tools(mcp::server &server, std::atomic<bool> &given, std::vector<std::thread> &later) {
    add(server, "fine", [](mcp::request request) { request.respond_text("fine").value(); });
    add(server, "throws", [](mcp::request) { throw std::runtime_error("no \"disk\"\n"); });
    add(server, "a_number", [](mcp::request) { throw 7; });
    add(server, "no_text", [](mcp::request) { throw std::runtime_error("\xff\xfe"); });
    add(server, "empty_text", [](mcp::request) { throw std::runtime_error(""); });
    add(server, "by_reference", [](const mcp::request &) { throw std::logic_error("by reference"); });
    add(server, "value", [](mcp::request request) { request.respond("no JSON").value(); });
    add(server, "answered", [](mcp::request request) {
        request.respond_text("answered").value();
        throw std::runtime_error("after the answer");
    });
    add(server, "asked", [](mcp::request request) {
        CHECK(!request.ask("who", "elicitation/create", R"({"message":"?","requestedSchema":{"type":"object","properties":{}}})").value());
        throw std::runtime_error("after the question");
    });
    // The answer that comes later finds that the request has been answered.
    add(server, "moved", [&](mcp::request request) {
        later.emplace_back([&given, request = std::move(request)]() mutable {
            while (!given) std::this_thread::yield();
            CHECK(request.respond_text("late").error().status() == mcp::status::cancelled);
        });
        throw std::runtime_error("after it was moved");
    });
    server.add_resource(R"({"uri":"note://a","name":"a"})", [](mcp::request) { throw std::runtime_error("gone"); }).value();
    server.add_prompt(R"({"name":"p","arguments":[{"name":"x"}]})", [](mcp::request) { throw std::runtime_error("no prompt"); })
        .value();
    server.add_completion("p", "x", [](mcp::request) { throw std::runtime_error("no values"); }).value();
    server.add_method("x/y", [](mcp::request) { throw std::runtime_error("no method"); }).value();
}

void fails(const mcp::result<mcp::message> &reply, const std::string &text) {
    if (reply) FAIL(std::string(reply->json()) + ", expected " + text);
    if (reply.error().get("/code") != "-32603") FAIL(reply.error().json());
    const std::string message = reply.error().message();
    if (message.find(text) == std::string::npos) FAIL(message + " has no " + text);
}

// A call of a tool whose handler threw.
void fails_for_the_model(const mcp::result<mcp::message> &reply, const std::string &text) {
    if (!reply) FAIL(reply.error().json() + ", expected " + text);
    if (!reply->is_tool_error()) FAIL(std::string(reply->json()) + " is no error of the tool");
    if (reply->text() != text) FAIL(std::string(reply->text().value_or("none")) + ", expected " + text);
}

// `workers` are threads of the library that run the handlers; without one a thread of the program does.
void a_handler_that_throws_fails_its_request_only(const char *workers, const char *protocol) {
    std::atomic<bool> given{false};
    std::vector<std::thread> later;
    auto server = mcp::server::make(std::string(R"({"name":"throwing","workers":)") + workers + "}").value();
    add_tools(server, given, later);
    std::thread runner([&server] { CHECK(server.run() == mcp::status::closed); });
    const std::string config = std::string(R"({"capabilities":{"elicitation":{}},"protocol":")") + protocol + R"("})";
    auto client = mcp::client::in_process(server, config).value();
    fails_for_the_model(client.call_tool("throws"), "no \"disk\"\n");
    fails_for_the_model(client.call_tool("a_number"), "handler failed");
    fails_for_the_model(client.call_tool("no_text"), "handler failed");
    fails_for_the_model(client.call_tool("empty_text"), "handler failed");
    fails_for_the_model(client.call_tool("by_reference"), "by reference");
    const auto refused = client.call_tool("value");
    CHECK(refused.value().is_tool_error() && refused->text()->find("JSON") != std::string_view::npos);
    fails_for_the_model(client.call_tool("asked"), "after the question");
    fails_for_the_model(client.call_tool("moved"), "after it was moved");
    given = true;
    fails(client.read_resource("note://a"), "handler failed: gone");
    fails(client.get_prompt("p"), "handler failed: no prompt");
    fails(client.complete(R"({"type":"ref/prompt","name":"p"})", "x", "y"), "handler failed: no values");
    fails(client.call("x/y"), "handler failed: no method");
    expect({});
    CHECK(client.call_tool("answered").value().text() == "answered");
    CHECK(client.call_tool("fine").value().text() == "fine");
    client.close().value();
    CHECK(server.close(1s) == mcp::status::ok);
    runner.join();
    for (auto &thread : later) thread.join();
    expect({"a handler of mcp::server: after the answer"});
}

// A transport that throws where it is told to.
struct throwing : mcp::transport {
    std::string where;
    explicit throwing(std::string at) : where(std::move(at)) {}
    mcp::status open(mcp::connection) override {
        if (where == "open") throw std::runtime_error("no route");
        return mcp::status::ok;
    }
    mcp::status send(mcp::connection, std::string_view) override {
        if (where == "send") throw std::runtime_error("no line");
        if (where == "bytes") throw std::runtime_error("\xff");
        if (where == "number") throw 7;
        return mcp::status::transport;
    }
    void close(mcp::connection) override { throw std::runtime_error("no end"); }
};

void a_transport_that_throws_ends_its_connection(const char *where, const char *text) {
    {
        auto client = mcp::client::make(std::make_unique<throwing>(where), R"({"reconnect":false})").value();
        const auto connected = client.connect(std::chrono::milliseconds(patience()));
        CHECK(!connected && connected.error().status() == mcp::status::transport);
        if (connected.error().json().find(text) == std::string::npos) FAIL(connected.error().json());
        client.close().value();
    }
    // A connection that was opened, and no other, is closed. The client may have opened one for each era.
    const auto told = Hooked::taken();
    CHECK(told.empty() == (std::string(where) == "open"));
    for (const auto &one : told) CHECK(one == "transport::close(): no end");
}

void a_server_whose_transport_throws_goes_on() {
    auto server = mcp::server::make(R"({"name":"attached"})").value();
    CHECK(!server.attach(std::make_unique<throwing>("open")));
    CHECK(server.close(1s) == mcp::status::ok);
    expect({});
}

void a_logger_and_a_wakeup_may_throw() {
    mcp::set_logger(mcp::log_level::trace, [](mcp::log_level, std::string_view) { throw std::runtime_error("no file"); })
        .value();
    auto queue = mcp::queue::make().value();
    std::atomic<int> woken{0};
    // Lives as long as the function does: it may run once more on another thread, for what the close puts on the queue.
    auto alive = std::make_shared<int>(0);
    queue.on_ready([&woken, alive] {
             woken++;
             throw std::runtime_error("no loop");
         })
        .value();
    auto client = mcp::client::make(queue, R"({"command":"/no/such/server"})").value();
    client.start(mcp::feature::ping(), {}, 1).value();
    while (woken == 0) CHECK(queue.poll(std::chrono::milliseconds(patience())).value());
    mcp::set_logger(mcp::log_level::none, {}).value();
    client.close().value();
    queue.on_ready({}).value();
    while (alive.use_count() > 1) std::this_thread::yield();
    bool logged = false, waked = false;
    for (const auto &one : Hooked::taken()) {
        logged = logged || one == "the logger: no file";
        waked = waked || one == "queue::on_ready(): no loop";
    }
    CHECK(logged && waked);
}

void what_a_dispatcher_runs_throws_out_of_it(const char *server) {
    const std::string config = "{\"command\":" + mcp::json_quote(server).value() + "}";
    auto dispatcher = mcp::dispatcher::make().value();
    auto client = dispatcher->make_client(config).value();
    int ended = 0;
    const auto throwing_start = [&](const char *text) {
        const auto take = [&ended, text](mcp::result<mcp::message>) {
            ended++;
            throw std::runtime_error(text);
        };
        dispatcher->start(client, "tools/call", R"({"name":"slow","arguments":{"ms":60000}})", {}, take).value();
    };
    dispatcher->start(client, mcp::feature::ping(), {}, [](auto) { throw std::runtime_error("in run"); }).value();
    bool thrown = false;
    try {
        dispatcher->run().value();
    } catch (const std::runtime_error &it) {
        thrown = std::string(it.what()) == "in run";
    }
    CHECK(thrown);
    // It goes on.
    dispatcher->start(client, mcp::feature::ping(), {}, [&](auto reply) {
        reply.value();
        dispatcher->stop().value();
    }).value();
    dispatcher->run().value();
    throwing_start("first");
    throwing_start("second");
    thrown = false;
    try {
        dispatcher->close(std::move(client), 0ms).value();
    } catch (const std::runtime_error &) {
        thrown = true;
    }
    CHECK(thrown && ended == 2);
    client = dispatcher->make_client(config).value();
    throwing_start("at the end");
    client = mcp::client();
    dispatcher.reset();
    CHECK(ended == 3);
    expect({"a handler of mcp::dispatcher: at the end"});
}

// Without a hook the first exception is kept.
void the_first_exception_is_kept() {
    CHECK(mcp::set_exception_hook(nullptr) == &Hooked::hook);
    CHECK(kept().empty());
    auto server = mcp::server::make(R"({"name":"keeping"})").value();
    for (const std::string name : {"first", "second"}) {
        add(server, name, [name](mcp::request request) {
            request.respond_text("").value();
            throw std::runtime_error(name);
        });
    }
    auto client = mcp::client::in_process(server).value();
    std::thread runner([&server] { CHECK(server.run() == mcp::status::closed); });
    client.call_tool("first").value();
    client.call_tool("second").value();
    client.close().value();
    CHECK(server.close(1s) == mcp::status::ok);
    runner.join();
    CHECK(kept() == "first");
    CHECK(kept().empty());
}

} // namespace

int main(int argc, char **argv) {
    CHECK(argc == 3);
    CHECK(mcp::set_exception_hook(Hooked::hook) == nullptr);
    for (const char *protocol : {"legacy", "modern"}) {
        a_handler_that_throws_fails_its_request_only("0", protocol);
        a_handler_that_throws_fails_its_request_only("2", protocol);
    }
    a_transport_that_throws_ends_its_connection("open", "no route");
    a_transport_that_throws_ends_its_connection("send", "no line");
    a_transport_that_throws_ends_its_connection("bytes", "transport::send() failed");
    a_transport_that_throws_ends_its_connection("number", "transport::send() failed");
    a_server_whose_transport_throws_goes_on();
    a_logger_and_a_wakeup_may_throw();
    what_a_dispatcher_runs_throws_out_of_it(argv[1]);
    the_first_exception_is_kept();
    return 0;
}
