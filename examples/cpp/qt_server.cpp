// qt_server: a server in the event loop of Qt, over the standard streams.
//
//   c++ -std=c++17 -fPIC qt_server.cpp $(pkg-config --cflags --libs mcp Qt5Core) -o qt_server
//   ./inspect --call later '{"ms": 50}' -- ./qt_server
//
// A QSocketNotifier watches the descriptor of the server. Handlers then run on the thread of the loop, where they may use
// widgets. A program with windows has a QApplication in place of the QCoreApplication.
#include <mcp.hpp>

#include <QCoreApplication>
#include <QSocketNotifier>
#include <QTimer>

#include <csignal>
#include <iostream>
#include <memory>

static mcp_queue_t *to_wake;

// SIGINT or SIGTERM: the notifier is told, and run() returns status::woken. A second one ends the program at once.
static void on_end(int number) {
    std::signal(number, SIG_DFL);
    mcp_queue_wake(to_wake);
}

int main(int argc, char **argv) try {
    QCoreApplication application(argc, argv);
    auto server = mcp::server::make(R"({"name": "qt_server", "version": "1.0"})").value(); // value() throws where there is an error

    // A handler must not wait, because the loop stops meanwhile. It keeps the request and answers when the timer expires.
    server
        .add_tool(R"({"name": "later", "inputSchema": {"type": "object", "required": ["ms"],
                  "properties": {"ms": {"type": "integer", "minimum": 0, "maximum": 60000}}}})",
              [](mcp::request request) {
                  const auto ms = request.message().value().get("arguments").get("ms").as_int64().value_or(0);
                  const auto kept = std::make_shared<mcp::request>(std::move(request));
                  QTimer::singleShot(static_cast<int>(ms), [kept] { (void)kept->respond_text("done"); });
              })
        .value();
    to_wake = server.queue().native();
    std::signal(SIGINT, on_end);
    std::signal(SIGTERM, on_end);
    server.serve(R"({"stdio": true})").value();

    // Qt 6 has other parameters of this signal than Qt 5; a function without parameters fits both.
    QSocketNotifier notifier(server.fd().value(), QSocketNotifier::Read);
    QObject::connect(&notifier, &QSocketNotifier::activated, [&] {
        // status::closed: the client has closed our standard input.
        const mcp::status status = server.run(std::chrono::milliseconds::zero());
        if (status == mcp::status::ok || status == mcp::status::empty) return;
        notifier.setEnabled(false);
        QCoreApplication::exit(status == mcp::status::closed || status == mcp::status::woken ? 0 : 1);
    });
    return QCoreApplication::exec();
} catch (const mcp::bad_result &why) {
    std::cerr << why.what() << '\n';
    return 1;
}
