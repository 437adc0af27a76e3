// Requests of the other side that JavaScript holds, and the functions that answer them.
#pragma once

#include <napi.h>

#include "endpoint.h"

/// A request for JavaScript. Its message is freed as soon as it is answered; if it never is, when JavaScript forgets it, and
/// then the library refuses it.
Napi::Value request_value(Napi::Env env, Message message);

/// Adds the functions that take a request.
void define_requests(Napi::Env env, Napi::Object exports);
