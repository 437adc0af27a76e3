// app_window_qt TOOL ARGUMENTS SERVER [ARGUMENT...]: calls a tool that has a page (MCP Apps) and shows the page in a window of Qt WebEngine.
//
//   $(pkg-config --variable=libexecdir Qt6Core)/moc app_window_qt.cpp -o app_window_qt.moc
//   c++ -std=c++17 -fPIC -I. app_window_qt.cpp $(pkg-config --cflags --libs mcp Qt6WebEngineWidgets Qt6WebChannel) -o app_window_qt
//
// The web view has an empty document, and the page of the server is a frame in it that has an origin of its own: it reaches neither this
// program nor the disk, and of the network what its policy names. The script between both is in a world of its own, so that the page
// cannot call the channel. Between that script and this program is a view of the library: what the page says goes in, what is to be
// done comes out.
#include <mcp.hpp>

#include <QApplication>
#include <QDesktopServices>
#include <QFile>
#include <QMessageBox>
#include <QSocketNotifier>
#include <QTimer>
#include <QUrl>
#include <QWebChannel>
#include <QWebEnginePage>
#include <QWebEngineProfile>
#include <QWebEngineScript>
#include <QWebEngineScriptCollection>
#include <QWebEngineSettings>
#include <QWebEngineView>

#include <csignal>
#include <functional>
#include <iostream>
#include <memory>
#include <string>

static const char SHELL[] = R"(
    const frame = document.createElement('iframe');
    frame.setAttribute('sandbox', 'allow-scripts allow-forms');
    frame.style = 'border:0;position:fixed;inset:0;width:100%;height:100%';
    new QWebChannel(qt.webChannelTransport, ({objects: {host}}) => {
        addEventListener('message', (event) => { if (event.source === frame.contentWindow) host.say(JSON.stringify(event.data)); });
        host.posted.connect((message) => frame.contentWindow.postMessage(JSON.parse(message), '*'));
        host.shown.connect((page, allow) => { frame.allow = allow; frame.srcdoc = page; document.body.append(frame); });
        host.load();
    });)";
static const char CONFIG[] =
    R"({"capabilities": {"extensions": {"io.modelcontextprotocol/ui": {"mimeTypes": ["text/html;profile=mcp-app"]}}}})";
static const char HOST[] = R"({"serverTools": {}, "serverResources": {}, "openLinks": {}, "logging": {}})";

// What the script of the window calls and hears: the only two ways between the page and this program.
class host : public QObject {
    Q_OBJECT
public:
    std::function<void(const QString &)> on_message;
    std::function<void()> on_load;
public slots:
    void say(const QString &message) { on_message(message); }
    void load() { on_load(); }
signals:
    void posted(const QString &message);
    void shown(const QString &page, const QString &allow);
};

// Nothing leads the web view elsewhere: neither the page nor a link in it. A new window there is not, as QWebEnginePage makes none.
class guarded : public QWebEnginePage {
public:
    using QWebEnginePage::QWebEnginePage;

protected:
    bool acceptNavigationRequest(const QUrl &url, NavigationType, bool is_main) override {
        return is_main ? url.scheme() == "data" && !std::exchange(is_loaded_, true) : url == QUrl("about:srcdoc");
    }

private:
    bool is_loaded_ = false;
};

static std::string text(std::string_view json) { return mcp::json_quote(json).value(); }
static QString qt(std::string_view text) { return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size())); }
static mcp_queue_t *to_wake;
static volatile std::sig_atomic_t is_ending;

static void on_end(int number) {
    std::signal(number, SIG_DFL);
    is_ending = 1;
    mcp_queue_wake(to_wake);
}

int main(int argc, char **argv) try {
    QApplication application(argc, argv);
    if (argc < 4) {
        std::cerr << "usage: app_window_qt TOOL ARGUMENTS SERVER [ARGUMENT...]\n";
        return 2;
    }
    const std::string_view name = argv[1], arguments = argv[2];
    mcp::array words;
    for (int word = 4; word < argc; word++) words.add(argv[word]);
    auto config = mcp::document::parse(CONFIG).value();
    mcp::object settings;
    settings.set("capabilities", config.value().get("capabilities")).set("command", argv[3]).set("args", words);
    const auto dispatcher = mcp::dispatcher::make().value(); // value() throws where there is an error
    auto client = dispatcher->make_client(settings.json().value()).value();

    // The page of the tool, from the server of the tool.
    const auto listed = client.list_tools().value();
    mcp::value tool;
    for (const mcp::value one : listed.value().get("tools"))
        if (one.get("name").as_string() == name) tool = one;
    const auto uri = tool.get("_meta").get("ui").get("resourceUri").as_string().value_or("");
    if (uri.substr(0, 5) != "ui://") throw std::runtime_error("the tool has no page");
    const auto read = client.read_resource(uri).value();
    const mcp::value document = read.value().get("contents").at(0);
    const auto html = document.get("text").as_string();
    if (!html || document.get("mimeType").as_string() != "text/html;profile=mcp-app")
        throw std::runtime_error("the page is not the document of an app");
    const mcp::value meta = document.get("_meta").get("ui");
    const auto policy = mcp::document::parse(mcp::app::policy(meta ? meta.json() : "{}").value()).value();
    // The policy comes before every script of the page.
    const QString page = qt(policy.value().get("head").as_string().value()) + qt(*html);
    auto app = mcp::app::make(R"({"hostInfo": {"name": "app_window_qt", "version": "1.0"}, "hostContext": {"platform": "desktop"},
                               "hostCapabilities": )" + std::string(HOST) + R"(, "tool": )" + std::string(tool.json()) +
                              R"(, "tools": )" + std::string(listed.value().get("tools").json()) + "}")
                   .value();

    // The window: a profile that keeps nothing on the disk, and a script beside the page.
    QWebEngineProfile profile;
    guarded web_page(&profile);
    QWebEngineView view;
    host between;
    QWebChannel channel;
    channel.registerObject("host", &between);
    web_page.setWebChannel(&channel, QWebEngineScript::ApplicationWorld);
    web_page.settings()->setAttribute(QWebEngineSettings::JavascriptCanOpenWindows, false);
    web_page.settings()->setAttribute(QWebEngineSettings::LocalContentCanAccessFileUrls, false);
    web_page.settings()->setAttribute(QWebEngineSettings::WebRTCPublicInterfacesOnly, true);
    QFile library(":/qtwebchannel/qwebchannel.js");
    if (!library.open(QIODevice::ReadOnly)) throw std::runtime_error("Qt has no qwebchannel.js");
    QWebEngineScript script;
    script.setWorldId(QWebEngineScript::ApplicationWorld);
    script.setInjectionPoint(QWebEngineScript::DocumentReady);
    script.setRunsOnSubFrames(false);
    script.setSourceCode(QString::fromUtf8(library.readAll()) + SHELL);
    web_page.scripts().insert(script);
    view.setPage(&web_page);
    // No permission was consented to.
    QObject::connect(&web_page, &QWebEnginePage::featurePermissionRequested, [&](const QUrl &origin, QWebEnginePage::Feature feature) {
        web_page.setFeaturePermission(origin, feature, QWebEnginePage::PermissionDeniedByUser);
    });

    const auto tell = [&](const std::string &told) {
        if (const auto done = app.tell(told); !done) std::cerr << "the view was not told: " << done.error().message() << '\n';
    };
    const auto answer = [&](std::int64_t id, const std::string &members) {
        tell(R"({"type": "answer", "id": )" + std::to_string(id) + ", " + members + "}");
    };
    const auto leave = [&](const char *why) {
        tell(R"({"type": "teardown", "reason": )" + text(why) + "}");
        // A page that does not answer is removed all the same.
        QTimer::singleShot(1000, [] { QCoreApplication::exit(0); });
    };
    std::function<void()> act;
    const auto do_request = [&](const mcp::value &action) {
        const auto id = action.get("id").as_int64().value_or(0);
        const auto method = action.get("method").as_string().value_or("");
        const auto params = action.get("params");
        std::cout << "the page asks for " << method << std::endl;
        if (method == "ui/open-link") {
            const QUrl url(qt(params.get("url").as_string().value_or("")));
            const bool is_wanted = QMessageBox::question(&view, "Link", "Open " + url.toDisplayString() + "?") == QMessageBox::Yes;
            answer(id, is_wanted && QDesktopServices::openUrl(url) ? R"("result": {})" : R"("denied": true)");
        } else if (method.substr(0, 3) == "ui/") {
            answer(id, R"("denied": true)");
        } else {
            const auto started = dispatcher->start(client, method, params.json(), {}, [&, id](mcp::result<mcp::message> reply) {
                answer(id, reply ? R"("result": )" + std::string(reply->json())
                                 : R"("error": {"code": -32000, "message": )" + text(reply.error().message()) + "}");
                act();
            });
            if (!started) answer(id, R"("error": {"code": -32000, "message": )" + text(started.error().message()) + "}");
        }
    };
    // Does what is to be done, until nothing is.
    act = [&] {
        while (const auto taken = app.poll()) {
            const auto parsed = mcp::document::parse(*taken).value();
            const mcp::value action = parsed.value();
            const auto type = action.get("type").as_string().value_or("");
            if (type == "message") {
                emit between.posted(qt(action.get("message").json()));
            } else if (type == "request") {
                do_request(action);
            } else if (type == "size") {
                const double width = action.get("width").as_double().value_or(0), height = action.get("height").as_double().value_or(0);
                std::cout << "the page has " << width << " x " << height << " pixels" << std::endl;
                view.resize(static_cast<int>(qBound(200.0, width, 2000.0)), static_cast<int>(qBound(100.0, height, 1500.0)));
            } else if (type == "teardown-requested") {
                leave("the page asks for it");
            } else if (type == "ended") {
                QCoreApplication::exit(0);
            } else {
                std::cout << *taken << std::endl;
            }
        }
    };
    between.on_message = [&](const QString &message) {
        (void)app.receive(message.toStdString());
        act();
    };
    // Our script is there: it gets the page, and the call begins.
    between.on_load = [&] {
        emit between.shown(page, "");
        tell(R"({"type": "input", "arguments": )" + std::string(arguments) + "}");
        dispatcher
            ->start(client, mcp::feature::call_tool(name, arguments), {},
                    [&](mcp::result<mcp::message> reply) {
                        tell(reply ? R"({"type": "result", "result": )" + std::string(reply->json()) + "}"
                                   : R"({"type": "cancelled", "reason": "the call failed"})");
                        act();
                    })
            .value();
    };
    QSocketNotifier notifier(dispatcher->shared_queue().fd().value(), QSocketNotifier::Read);
    QObject::connect(&notifier, &QSocketNotifier::activated, [&] {
        // An exception must not leave a function that Qt calls, so this looks at the result instead.
        if (const auto ran = dispatcher->run_once(); !ran && !is_ending) std::cerr << ran.error().message() << '\n';
        if (is_ending) leave("the program ends");
        act();
    });
    QObject::connect(&application, &QApplication::lastWindowClosed, [&] { leave("the window is closed"), act(); });
    QApplication::setQuitOnLastWindowClosed(false);
    to_wake = dispatcher->shared_queue().native();
    std::signal(SIGINT, on_end);
    std::signal(SIGTERM, on_end);
    web_page.setHtml("<!doctype html><body>");
    view.show();
    const int ended = QApplication::exec();
    view.setPage(nullptr); // the page is gone before its view and its profile
    return ended;
} catch (const std::exception &why) {
    std::cerr << "app_window_qt: " << why.what() << '\n';
    return 1;
}

#include "app_window_qt.moc"
