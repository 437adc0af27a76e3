// Has the environment's loop say when a descriptor is readable, where that loop is libuv's. Knows nothing of libmcp.
#pragma once

#include <napi.h>

#include <functional>
#include <memory>

class LoopWatch {
  public:
    using Readable = std::function<void(Napi::Env)>;

    /// Has `readable` called on the environment's thread, as often as the loop finds the descriptor readable. Does not keep the
    /// loop alive. nullptr where the loop cannot do it: outside Node.js, without memory for it, or when the system's
    /// bound on watches is reached.
    static std::unique_ptr<LoopWatch> open(Napi::Env env, int descriptor, Readable readable);
    /// Environment's thread only. The descriptor may be closed after it.
    ~LoopWatch();
    LoopWatch(const LoopWatch &) = delete;
    LoopWatch &operator=(const LoopWatch &) = delete;

  private:
    struct Watched;
    explicit LoopWatch(Watched *watched) : watched_(watched) {}

    Watched *watched_;
};
