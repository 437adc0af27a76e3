#include "logger.h"

#include <mcp.h>

#include <atomic>
#include <mutex>
#include <string>

#include "calling.h"
#include "environment.h"
#include "text.h"

namespace {

// Records that wait for the environment's thread. More are dropped and counted.
constexpr int MOST_WAITING = 1000;

std::mutex owner_lock;
const void *owner = nullptr;

struct Sink {
    std::shared_ptr<Hub> hub;
    std::atomic<int> waiting{0};
    std::atomic<int> dropped{0};
};

void deliver(Napi::Env env, const std::string &record) {
    Napi::FunctionReference &log = Environment::of(env).log;
    if (!log.IsEmpty()) call_back(env, log, {Napi::String::New(env, record)});
}

// Called on the library's thread.
void on_record(void *user, int32_t, const char *record_json) {
    auto &sink = *static_cast<std::shared_ptr<Sink> *>(user);
    if (sink->waiting.fetch_add(1) >= MOST_WAITING) {
        sink->waiting--;
        sink->dropped++;
        return;
    }
    sink->hub->post([sink, record = std::string(record_json)](Napi::Env env) {
        sink->waiting--;
        if (int dropped = sink->dropped.exchange(0)) {
            deliver(env, "{\"event\":\"log.dropped\",\"level\":\"warn\",\"count\":" + std::to_string(dropped) + "}");
        }
        deliver(env, record);
    });
}

}  // namespace

Napi::Value set_logger(const Napi::CallbackInfo &info) {
    Environment &environment = Environment::of(info.Env());
    auto level = int32_of(info[1], "level");
    std::lock_guard<std::mutex> guard(owner_lock);
    mcp_status_t status;
    if (info[0].IsFunction()) {
        auto *user = new std::shared_ptr<Sink>(std::make_shared<Sink>());
        (*user)->hub = environment.hub;
        auto destroy = [](void *user) { delete static_cast<std::shared_ptr<Sink> *>(user); };
        status = mcp_log_set_logger(on_record, level, user, destroy);
    } else {
        status = mcp_log_set_logger(nullptr, 0, nullptr, nullptr);
    }
    if (status != MCP_OK) throw failure(info.Env(), status, nullptr);
    environment.log.Reset();
    if (info[0].IsFunction()) environment.log = Napi::Persistent(info[0].As<Napi::Function>());
    owner = info[0].IsFunction() ? &environment : nullptr;
    return info.Env().Undefined();
}

void leave_logger(const void *environment) {
    std::lock_guard<std::mutex> guard(owner_lock);
    if (owner != environment) return;
    owner = nullptr;
    mcp_log_set_logger(nullptr, 0, nullptr, nullptr);
}
