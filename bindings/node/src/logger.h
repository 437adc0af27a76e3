// The process has one logger and one listener of spans; the environment that set it last is told.
#pragma once

#include <napi.h>

/// setLogger(log, level): `log` gets each record's JSON; null takes the logger away.
Napi::Value set_logger(const Napi::CallbackInfo &info);

/// setTelemetry(told, optionsJson): `told` gets each span's JSON, as mcp_telemetry_set() has it; null ends that.
Napi::Value set_telemetry(const Napi::CallbackInfo &info);

/// Takes away what this environment set.
void leave_listeners(const void *environment);
