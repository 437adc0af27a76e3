// What the addon keeps for each environment (the main thread or a worker).
#pragma once

#include <napi.h>

#include <memory>

#include "hub.h"

struct Environment {
    std::shared_ptr<Hub> hub;
    /// dispatch(handle, kind, status, tag, method, json, request): takes every message.
    Napi::FunctionReference dispatch;
    /// dispatchServed(handle, entry, kind, status, number, json, method, request): takes every message of servers.
    Napi::FunctionReference dispatch_served;
    /// Of servers, to tell them from other objects.
    Napi::FunctionReference server_class;
    /// log(recordJson)
    Napi::FunctionReference log;
    /// span(toldJson)
    Napi::FunctionReference span;

    static Environment &of(Napi::Env env) { return *env.GetInstanceData<Environment>(); }
};
