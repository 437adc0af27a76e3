// The process has one logger; the environment that set it last gets the records.
#pragma once

#include <napi.h>

/// setLogger(log, level): `log` gets each record's JSON; null takes the logger away.
Napi::Value set_logger(const Napi::CallbackInfo &info);

/// Takes the logger away if this environment set it.
void leave_logger(const void *environment);
