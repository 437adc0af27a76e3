// What one environment (the main thread or a worker) has once: the way from other threads to its own, the threads that
// wait in its stead, and the endpoints that must be gone before it is. Knows no JavaScript classes.
#pragma once

#include <mcp.h>
#include <napi.h>

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <unordered_set>

class Endpoint;

class Hub : public std::enable_shared_from_this<Hub> {
  public:
    using Event = std::function<void(Napi::Env)>;

    /// Makes the environment's hub and has it ended with the environment.
    static std::shared_ptr<Hub> open(Napi::Env env);
    ~Hub() = default;

    /// Has something done on the environment's thread. From any thread; nothing happens once the environment ends.
    void post(Event event);

    /// Does what may block on a thread of its own, and then `done` on the environment's. Not on libuv's pool: four slow
    /// servers would hold up the program's files and names.
    void spawn(std::function<void()> work, Event done);

    /// While held, the event loop stays alive. Never held unless JavaScript waits for something.
    void hold(Napi::Env env) { way_.Ref(env); }
    void release(Napi::Env env) { way_.Unref(env); }

    /// What must be closed and freed before the environment is gone.
    void add(std::shared_ptr<Endpoint> endpoint) { endpoints_.insert(std::move(endpoint)); }
    void remove(const std::shared_ptr<Endpoint> &endpoint) { endpoints_.erase(endpoint); }

    /// Closes and frees all endpoints, side by side, and waits for that. Nothing is posted any more.
    void end();

  private:
    static void run(Napi::Env env, Napi::Function, std::nullptr_t *, Event *event);
    using Way = Napi::TypedThreadSafeFunction<std::nullptr_t, Event, run>;

    void begin_thread(std::function<void()> work);

    Way way_;
    std::mutex lock_;
    std::condition_variable all_done_;
    bool open_ = true;
    int threads_ = 0;
    /// Touched on the environment's thread only.
    std::unordered_set<std::shared_ptr<Endpoint>> endpoints_;
};
