// Calls functions of JavaScript from outside of JavaScript.
#pragma once

#include <napi.h>

#include <initializer_list>

/// Calls a function. What it throws is the program's to see, like every uncaught exception. In an environment that is being
/// ended nothing can be called, and no error can be made of that: Napi::Function::Call would end the process.
inline void call_back(Napi::Env env, const Napi::FunctionReference &function,
                      std::initializer_list<napi_value> arguments) {
    napi_value receiver = nullptr, result = nullptr, error = nullptr;
    if (napi_get_global(env, &receiver) != napi_ok) return;
    napi_status status =
        napi_call_function(env, receiver, function.Value(), arguments.size(), arguments.begin(), &result);
    bool is_pending = false;
    if (status == napi_ok || napi_is_exception_pending(env, &is_pending) != napi_ok || !is_pending) return;
    if (napi_get_and_clear_last_exception(env, &error) == napi_ok) napi_fatal_exception(env, error);
}
