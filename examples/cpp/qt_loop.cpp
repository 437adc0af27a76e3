// qt_loop SERVER: a client in the event loop of Qt.
//
//   c++ -std=c++17 -fPIC qt_loop.cpp $(pkg-config --cflags --libs mcp Qt5Core) -o qt_loop
//
// A QSocketNotifier watches the descriptor of the dispatcher's queue. Outcomes then arrive in functions on the thread of the
// loop, which may use widgets there. A program with windows has a QApplication in place of the QCoreApplication.
#include <mcp.hpp>

#include <QCoreApplication>
#include <QSocketNotifier>
#include <QTimer>

#include <iostream>

int main(int argc, char **argv) try {
    QCoreApplication application(argc, argv);
    if (argc != 2) {
        std::cerr << "usage: qt_loop SERVER\n";
        return 2;
    }
    const auto dispatcher = mcp::dispatcher::make().value(); // value() throws where there is an error
    auto client = dispatcher->make_client(mcp::object().set("command", argv[1]).json().value()).value();

    // Qt 6 has other parameters of this signal than Qt 5; a function without parameters fits both.
    QSocketNotifier notifier(dispatcher->shared_queue().fd().value(), QSocketNotifier::Read);
    QObject::connect(&notifier, &QSocketNotifier::activated, [&dispatcher] {
        // An exception must not leave a function that Qt calls, so this looks at the result instead.
        if (const auto ran = dispatcher->run_once(); !ran) {
            std::cerr << ran.error().message() << '\n';
            QCoreApplication::exit(1);
        }
    });
    dispatcher->on_message([](mcp::message message) {
        if (message.kind() != mcp::kind::progress) return;
        std::cout << "step " << message.value().get("progress").as_int64().value_or(0) << '\n';
    });

    // The rest of the program continues while the server works.
    QTimer timer;
    QObject::connect(&timer, &QTimer::timeout, [] { std::cout << "tick\n"; });
    timer.start(30);

    mcp::call_options how;
    how.progress = true;
    dispatcher
        ->start(client, mcp::feature::call_tool("slow", R"({"ms": 100, "steps": 4})"), how,
                [](mcp::result<mcp::message> reply) {
                    if (reply) {
                        std::cout << reply->text().value_or(reply->json()) << '\n';
                    } else {
                        std::cerr << reply.error().message() << '\n';
                    }
                    QCoreApplication::exit(reply ? 0 : 1);
                })
        .value();
    return QCoreApplication::exec(); // the client ends the server at the end of the scope
} catch (const mcp::bad_result &why) {
    std::cerr << why.what() << '\n';
    return 1;
}
