#include "loop_watch.h"

#include <dlfcn.h>
#include <node_api.h>

#include <cstddef>
#include <cstdlib>
#include <utility>

namespace {

// What is used of libuv's interface, which has been the same in each release of version 1. It is looked up in the program at run
// time, because other runtimes than Node.js load this addon too. A handle is memory of the size that libuv says.
using Handle = void;
constexpr int READABLE = 1;
constexpr int POLL = 8;

struct Uv {
    size_t (*size)(int type);
    int (*init)(uv_loop_s *loop, Handle *handle, int descriptor);
    int (*start)(Handle *handle, int events, void (*happened)(Handle *handle, int status, int events));
    void (*unref)(Handle *handle);
    void (*close)(Handle *handle, void (*closed)(Handle *handle));
    void *(*data)(const Handle *handle);
    void (*set_data)(Handle *handle, void *data);
    bool is_complete;
};

template <typename Function> bool find(const char *name, Function *&function) {
    function = reinterpret_cast<Function *>(dlsym(RTLD_DEFAULT, name));
    return function != nullptr;
}

const Uv &uv() {
    static const Uv found = [] {
        Uv uv{};
        uv.is_complete = find("uv_handle_size", uv.size) && find("uv_poll_init", uv.init) && find("uv_poll_start", uv.start) &&
                         find("uv_unref", uv.unref) && find("uv_close", uv.close) && find("uv_handle_get_data", uv.data) &&
                         find("uv_handle_set_data", uv.set_data);
        return uv;
    }();
    return found;
}

// Bun and Deno have functions of these names that end the process, or none.
bool is_node(Napi::Env env) {
    Napi::Value process = env.Global().Get("process");
    if (!process.IsObject()) return false;
    Napi::Value versions = process.As<Napi::Object>().Get("versions");
    if (!versions.IsObject()) return false;
    Napi::Object names = versions.As<Napi::Object>();
    return names.Has("uv") && !names.Has("bun") && !names.Has("deno");
}

}  // namespace

struct LoopWatch::Watched {
    Napi::Env env;
    Napi::AsyncContext context;
    Readable readable;
    Handle *handle = nullptr;
    bool is_running = false;
    /// The watch ended while the function ran, which is here.
    bool is_over = false;

    Watched(Napi::Env env, Readable readable) : env(env), context(env, "libmcp"), readable(std::move(readable)) {}

    static void happened(Handle *handle, int, int) {
        auto *watched = static_cast<Watched *>(uv().data(handle));
        watched->is_running = true;
        {
            Napi::HandleScope handles(watched->env);
            // At its end what was promised meanwhile goes on.
            Napi::CallbackScope callback(watched->env, watched->context);
            // An error is told by what is read: it is looked for in any case.
            watched->readable(watched->env);
        }
        watched->is_running = false;
        if (watched->is_over) delete watched;
    }

    static void closed(Handle *handle) { std::free(handle); }
};

std::unique_ptr<LoopWatch> LoopWatch::open(Napi::Env env, int descriptor, Readable readable) {
    uv_loop_s *loop = nullptr;
    if (!uv().is_complete || !is_node(env) || napi_get_uv_event_loop(env, &loop) != napi_ok) return nullptr;
    Handle *handle = std::calloc(1, uv().size(POLL));
    if (handle == nullptr) return nullptr;
    if (uv().init(loop, handle, descriptor) != 0) {
        // Not initialised: there is nothing to close.
        std::free(handle);
        return nullptr;
    }
    auto *watched = new Watched(env, std::move(readable));
    watched->handle = handle;
    uv().set_data(handle, watched);
    std::unique_ptr<LoopWatch> watch(new LoopWatch(watched));
    uv().unref(handle);
    if (uv().start(handle, READABLE, Watched::happened) != 0) return nullptr;
    return watch;
}

LoopWatch::~LoopWatch() {
    uv().close(watched_->handle, Watched::closed);
    if (watched_->is_running) {
        watched_->is_over = true;
    } else {
        delete watched_;
    }
}
