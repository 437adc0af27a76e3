#include "spawn.h"

#include <system_error>

#include "calling.h"

void spawn(Napi::Env env, Hub &hub, const Napi::Value &done, std::function<void(Outcome &)> work) {
    if (!done.IsFunction()) throw Napi::TypeError::New(env, "done must be a function");
    auto outcome = std::make_shared<Outcome>();
    // Made and dropped on the environment's thread: the event holds the only copies.
    auto callback = std::make_shared<Napi::FunctionReference>(Napi::Persistent(done.As<Napi::Function>()));
    // An environment that ends takes its references with it; ours must not be dropped on a thread after that.
    callback->SuppressDestruct();
    try {
        hub.spawn([outcome, work = std::move(work)] { work(*outcome); },
                  [outcome, callback](Napi::Env env) {
                      auto text_or_null = [env](const GivenString &text) {
                          return text ? Napi::Value(Napi::String::New(env, text.get())) : env.Null();
                      };
                      call_back(env, *callback,
                                {Napi::Number::New(env, outcome->status), text_or_null(outcome->error),
                                 text_or_null(outcome->text)});
                      callback->Reset();
                  });
    } catch (const std::system_error &error) {
        callback->Reset();
        throw Napi::Error::New(env, std::string("no thread can be started: ") + error.what());
    }
}
