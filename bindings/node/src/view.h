// View: the host's side of the page of a tool (MCP Apps). It belongs to the thread of its environment, and calls nothing back.
#pragma once

#include <mcp.h>
#include <napi.h>

class View : public Napi::ObjectWrap<View> {
  public:
    static Napi::Function define(Napi::Env env);
    /// new View(settingsJson)
    explicit View(const Napi::CallbackInfo &info);
    ~View() override { mcp_app_free(view_); }

  private:
    Napi::Value receive(const Napi::CallbackInfo &info);
    Napi::Value tell(const Napi::CallbackInfo &info);
    Napi::Value poll(const Napi::CallbackInfo &info);
    Napi::Value close(const Napi::CallbackInfo &info);

    mcp_app_t *view_ = nullptr;
};

/// viewPolicy(uiJson) gives the policy's JSON.
Napi::Value view_policy(const Napi::CallbackInfo &info);
