#include "hub.h"

#include <system_error>
#include <thread>

#include "endpoint.h"

std::shared_ptr<Hub> Hub::open(Napi::Env env) {
    auto hub = std::make_shared<Hub>();
    // Without a bound of its own: every client announces itself once until it is drained, every thread reports once.
    hub->way_ = Way::New(env, "libmcp", 0, 1);
    hub->way_.Unref(env);
    // Hooks run last in, first out: ours before the one that takes the way apart.
    env.AddCleanupHook([](std::shared_ptr<Hub> *hub) {
        (*hub)->end();
        delete hub;
    }, new std::shared_ptr<Hub>(hub));
    return hub;
}

void Hub::run(Napi::Env env, Napi::Function, std::nullptr_t *, Event *event) {
    std::unique_ptr<Event> owned(event);
    // Without an environment no JavaScript function can be called.
    if (napi_env(env) == nullptr) return;
    Napi::HandleScope scope(env);
    (*owned)(env);
}

void Hub::post(Event event) {
    auto owned = std::make_unique<Event>(std::move(event));
    std::lock_guard<std::mutex> guard(lock_);
    if (open_ && way_.NonBlockingCall(owned.get()) == napi_ok) owned.release();
}

void Hub::spawn(std::function<void()> work, Event done) {
    auto self = shared_from_this();
    begin_thread([self, work = std::move(work), done = std::move(done)] {
        work();
        self->post(done);
    });
}

void Hub::begin_thread(std::function<void()> work) {
    {
        std::lock_guard<std::mutex> guard(lock_);
        threads_++;
    }
    auto finish = [self = shared_from_this()] {
        std::lock_guard<std::mutex> guard(self->lock_);
        self->threads_--;
        self->all_done_.notify_all();
    };
    try {
        std::thread([work = std::move(work), finish] {
            work();
            finish();
        }).detach();
    } catch (...) {
        finish();
        throw;
    }
}

void Hub::end() {
    {
        std::lock_guard<std::mutex> guard(lock_);
        open_ = false;
    }
    for (const auto &endpoint : endpoints_) {
        endpoint->hush();
        auto close = [endpoint] { endpoint->close(-1); };
        // Side by side, so that many servers take no longer than one. Without threads, one after the other.
        try {
            begin_thread(close);
        } catch (const std::system_error &) {
            close();
        }
    }
    {
        std::unique_lock<std::mutex> guard(lock_);
        all_done_.wait(guard, [this] { return threads_ == 0; });
    }
    for (const auto &endpoint : endpoints_) endpoint->free();
    endpoints_.clear();
}
