// progress SERVER: a progress bar for a call that takes a while.
#include <mcp.hpp>

#include <iomanip>
#include <iostream>

namespace {

double number_at(const mcp::message &message, std::string_view pointer, double otherwise) {
    const auto text = message.get(pointer);
    return text ? std::stod(*text) : otherwise;
}

void draw(const mcp::message &progress) {
    const int percent = static_cast<int>(100 * number_at(progress, "/progress", 0) / number_at(progress, "/total", 1));
    const std::string bar(static_cast<std::size_t>(percent / 4), '#');
    std::cout << "\r[" << std::left << std::setw(25) << bar << "] " << std::right << std::setw(3) << percent << " %"
              << std::flush;
}

} // namespace

int main(int argc, char **argv) try {
    if (argc != 2) return 2;
    auto client = mcp::client::make("{\"command\": " + mcp::json_quote(argv[1]).value() + "}").value();
    mcp::call_options with_progress;
    with_progress.progress = true;
    client.start("tools/call", R"({"name": "slow", "arguments": {"ms": 400, "steps": 8}})", with_progress, 1).value();
    for (;;) {
        const auto message = client.poll(std::chrono::seconds(10)).value();
        if (!message) return 1;
        if (message->kind() == mcp::kind::progress) draw(*message);
        if (message->kind() != mcp::kind::reply) continue;
        std::cout << '\n' << message->text().value_or(message->json()) << '\n';
        return message->status() == mcp::status::ok ? 0 : 1;
    }
} catch (const mcp::bad_result &why) {
    std::cerr << why.what() << '\n';
    return 1;
}
