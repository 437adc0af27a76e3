// A program that uses mcp.hpp does its part of a login: the browser comes back to the library or to the program, a credential is
// given, or the login is given up, which ends the call as status::auth. It keeps logins in a store of its own, and logs out.
#include "http.hpp"

#include <mcp.hpp>

#include <optional>
#include <thread>

namespace {

const std::chrono::milliseconds LIMIT(patience());

std::string config_of(const Web &server, const std::string &auth) {
    return "{\"url\":" + mcp::json_quote(server.url()).value() + ",\"auth\":" + auth + "}";
}

// Makes a call and does what `part` does for each login; gives the outcome of the call.
template <class Part> mcp::result<std::string> call(const Web &server, const std::string &auth, Part part) {
    mcp::client client = mcp::client::make(config_of(server, auth)).value();
    client.start(mcp::feature::call_tool("echo", R"({"text":"in"})"), LIMIT).value();
    for (;;) {
        auto next = client.poll(LIMIT).value();
        CHECK(next.has_value());
        if (next->kind() == mcp::kind::auth) part(client, *next);
        if (next->kind() != mcp::kind::reply) continue;
        if (next->status() != mcp::status::ok) return mcp::unexpected(mcp::error(next->status(), std::string(next->json())));
        return std::string(next->text().value());
    }
}

// What a program keeps of logins, for one server.
struct Store {
    std::optional<std::string> text{};
    int logins = 0;
    std::string failure{};

    // Does what a message of kind::auth asks for.
    void serve(mcp::client &client, const mcp::message &wish) {
        const std::string kind = wish.get("/kind").value();
        if (kind == "authorize") {
            logins++;
            page(redirected(wish.get("/url").value()));
        } else if (kind == "load") {
            (failure.empty() ? client.answer_auth(wish, text) : client.answer_auth_error(wish, failure)).value();
            CHECK(client.answer_auth(wish).error().status() == mcp::status::auth);
        } else if (kind == "save") {
            text = wish.get("/text").value();
            client.answer_auth(wish).value();
        } else {
            CHECK(kind == "unlock");
        }
    }
};

void the_program_keeps_logins(const Web &server) {
    const char *auth = R"({"store":"application"})";
    Store store;
    const auto part = [&store](mcp::client &client, const mcp::message &wish) { store.serve(client, wish); };
    CHECK(call(server, auth, part).value() == "in");
    CHECK(call(server, auth, part).value() == "in");
    CHECK(store.logins == 1 && store.text->find("\"access\"") != std::string::npos);
    store.failure = "the keychain is locked";
    CHECK(call(server, auth, part).error().message().find(store.failure) != std::string::npos);
    store.failure.clear();

    // The thread that logs out waits; another thread takes the messages meanwhile.
    mcp::client client = mcp::client::make(config_of(server, auth)).value();
    mcp::result<void> forgotten;
    std::thread leaves([&] {
        forgotten = client.logout();
        client.close().value();
    });
    for (bool open = true; open;) {
        auto next = client.poll(LIMIT);
        open = next.has_value();
        if (open && *next && (*next)->kind() == mcp::kind::auth) store.serve(client, **next);
    }
    leaves.join();
    forgotten.value();
    CHECK(store.text->find("\"access\"") == std::string::npos);
    CHECK(call(server, auth, part).value() == "in");
    CHECK(store.logins == 2);
}

} // namespace

int main(int argc, char **argv) {
    CHECK(argc == 4);
    const Web server(argv[3], "login=yes");
    auto browser = call(server, "{}", [](mcp::client &, const mcp::message &login) {
        CHECK(login.get("/kind").value() == "authorize" && login.get("/listens").value() == "true");
        page(redirected(login.get("/url").value()));
    });
    CHECK(browser.value() == "in");

    auto program = call(server, R"({"redirect_uri":"com.example.app:/callback"})", [](mcp::client &client, const mcp::message &login) {
        CHECK(login.get("/listens").value() == "false");
        auto other = client.complete_login("com.example.app:/callback?code=x&state=another");
        CHECK(!other && other.error().status() == mcp::status::auth);
        client.complete_login(redirected(login.get("/url").value())).value();
    });
    CHECK(program.value() == "in");

    auto given_up = call(server, "{}", [](mcp::client &client, const mcp::message &) {
        client.abort_login("closed the window").value();
    });
    CHECK(!given_up && given_up.error().status() == mcp::status::auth);
    CHECK(given_up.error().message().find("closed the window") != std::string::npos);

    const Web guarded(argv[3], "token=sesame");
    auto token = call(guarded, R"({"type":"bearer"})", [](mcp::client &client, const mcp::message &login) {
        CHECK(login.get("/kind").value() == "token");
        client.supply_credential("sesame", std::chrono::hours(1)).value();
    });
    CHECK(token.value() == "in");
    the_program_keeps_logins(server);
    return 0;
}
