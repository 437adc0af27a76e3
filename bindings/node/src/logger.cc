#include "logger.h"

#include <mcp.h>

#include <atomic>
#include <functional>
#include <mutex>
#include <string>

#include "calling.h"
#include "environment.h"
#include "text.h"

namespace {

// What waits for the environment's thread. More is dropped and counted.
constexpr int MOST_WAITING = 1000;

/// A listener that the process has once: the environment that has set it last is told.
struct Listener {
    Napi::FunctionReference Environment::*function;
    mcp_status_t (*clear)();
    std::mutex lock;
    const void *owner = nullptr;
};

Listener log_listener{&Environment::log, [] { return mcp_log_set_logger(nullptr, 0, nullptr, nullptr); }, {}};
Listener span_listener{
    &Environment::span, [] { return mcp_telemetry_set(nullptr, nullptr, nullptr, nullptr, nullptr); }, {}};

/// What the library's thread tells to; freed when the library is done with it.
struct Sink {
    Napi::FunctionReference Environment::*function;
    std::shared_ptr<Hub> hub;
    std::atomic<int> waiting{0};
    std::atomic<int> dropped{0};

    void deliver(Napi::Env env, const std::string &told) const {
        Napi::FunctionReference &function = Environment::of(env).*(this->function);
        if (!function.IsEmpty()) call_back(env, function, {Napi::String::New(env, told)});
    }
};

// Called on the library's thread.
void tell(void *user, const char *told, const char *(*of_dropped)(int, std::string &)) {
    auto &sink = *static_cast<std::shared_ptr<Sink> *>(user);
    if (sink->waiting.fetch_add(1) >= MOST_WAITING) {
        sink->waiting--;
        sink->dropped++;
        return;
    }
    sink->hub->post([sink, of_dropped, text = std::string(told)](Napi::Env env) {
        sink->waiting--;
        std::string said;
        if (int dropped = sink->dropped.exchange(0)) sink->deliver(env, of_dropped(dropped, said));
        sink->deliver(env, text);
    });
}

void on_record(void *user, int32_t, const char *record_json) {
    tell(user, record_json, [](int dropped, std::string &said) {
        said = "{\"event\":\"log.dropped\",\"level\":\"warn\",\"count\":" + std::to_string(dropped) + "}";
        return said.c_str();
    });
}

void on_span(void *user, const char *told_json) {
    tell(user, told_json, [](int dropped, std::string &said) {
        said = "{\"dropped\":" + std::to_string(dropped) + "}";
        return said.c_str();
    });
}

void forget(void *user) { delete static_cast<std::shared_ptr<Sink> *>(user); }

/// Has `listener` tell the function `given`, which `set` makes known to the library; null ends it.
void listen(const Napi::CallbackInfo &info, Listener &listener, const std::function<mcp_status_t(void *, char **)> &set) {
    Environment &environment = Environment::of(info.Env());
    std::lock_guard<std::mutex> guard(listener.lock);
    const bool begins = info[0].IsFunction();
    mcp_status_t status;
    GivenString error;
    if (begins) {
        auto *user = new std::shared_ptr<Sink>(std::make_shared<Sink>());
        (*user)->function = listener.function;
        (*user)->hub = environment.hub;
        status = set(user, Receive(error));
    } else {
        status = listener.clear();
    }
    if (status != MCP_OK) throw failure(info.Env(), status, error.get());
    (environment.*listener.function).Reset();
    if (begins) environment.*listener.function = Napi::Persistent(info[0].As<Napi::Function>());
    listener.owner = begins ? &environment : nullptr;
}

}  // namespace

Napi::Value set_logger(const Napi::CallbackInfo &info) {
    auto level = int32_of(info[1], "level");
    listen(info, log_listener,
           [level](void *user, char **) { return mcp_log_set_logger(on_record, level, user, forget); });
    return info.Env().Undefined();
}

Napi::Value set_telemetry(const Napi::CallbackInfo &info) {
    std::string options = info[0].IsFunction() ? text_of(info[1], "options") : "";
    listen(info, span_listener, [&options](void *user, char **error) {
        return mcp_telemetry_set(options.c_str(), on_span, user, forget, error);
    });
    return info.Env().Undefined();
}

void leave_listeners(const void *environment) {
    for (Listener *listener : {&log_listener, &span_listener}) {
        std::lock_guard<std::mutex> guard(listener->lock);
        if (listener->owner != environment) continue;
        listener->owner = nullptr;
        listener->clear();
    }
}
