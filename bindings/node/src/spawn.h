// Functions of the library that block, run on another thread.
#pragma once

#include <mcp.h>
#include <napi.h>

#include <functional>

#include "hub.h"
#include "text.h"

// What a blocking function on another thread found out.
struct Outcome {
    mcp_status_t status = MCP_ERROR_INTERNAL;
    GivenString error;
    GivenString text;
};

/// Runs what may block, then calls `done(status, error_json, text)` on the environment's thread.
void spawn(Napi::Env env, Hub &hub, const Napi::Value &done, std::function<void(Outcome &)> work);
