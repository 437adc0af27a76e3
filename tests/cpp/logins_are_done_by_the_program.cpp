// A program that uses mcp.hpp does its part of a login: the browser comes back to the library or to the program, a credential is
// given, or the login is given up, which ends the call as status::auth.
#include "http.hpp"

#include <mcp.hpp>

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
        auto other = client.auth_complete("com.example.app:/callback?code=x&state=another");
        CHECK(!other && other.error().status() == mcp::status::auth);
        client.auth_complete(redirected(login.get("/url").value())).value();
    });
    CHECK(program.value() == "in");

    auto given_up = call(server, "{}", [](mcp::client &client, const mcp::message &) {
        client.auth_give_up("closed the window").value();
    });
    CHECK(!given_up && given_up.error().status() == mcp::status::auth);
    CHECK(given_up.error().message().find("closed the window") != std::string::npos);

    const Web guarded(argv[3], "token=sesame");
    auto token = call(guarded, R"({"type":"bearer"})", [](mcp::client &client, const mcp::message &login) {
        CHECK(login.get("/kind").value() == "token");
        client.auth_give("sesame", std::chrono::hours(1)).value();
    });
    CHECK(token.value() == "in");
    return 0;
}
