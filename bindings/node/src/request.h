// Requests of the other side that JavaScript holds, and the functions that answer them.
#pragma once

#include <napi.h>

#include "endpoint.h"

/// A request for JavaScript. Its message is freed as soon as it is answered; if it never is, when JavaScript forgets it, and
/// then the library refuses it.
Napi::Value request_value(Napi::Env env, Message message);

/// The message of a request that was not answered; throws for another value.
mcp_message_t *unanswered(const Napi::Value &value);
/// It was answered.
void forget(const Napi::Value &value);

/// Adds the functions that take a request.
void define_requests(Napi::Env env, Napi::Object exports);
