#include "view.h"

#include <string>

#include "text.h"

Napi::Function View::define(Napi::Env env) {
    return DefineClass(env, "View",
                       {InstanceMethod<&View::receive>("receive"), InstanceMethod<&View::tell>("tell"),
                        InstanceMethod<&View::poll>("poll"), InstanceMethod<&View::close>("close")});
}

View::View(const Napi::CallbackInfo &info) : Napi::ObjectWrap<View>(info) {
    std::string settings = text_of(info[0], "settings");
    GivenString error;
    mcp_status_t status = mcp_app_new(settings.c_str(), &view_, Receive(error));
    if (status != MCP_OK) throw failure(info.Env(), status, error.get());
}

// receive(messageJson)
Napi::Value View::receive(const Napi::CallbackInfo &info) {
    std::string message = text_of(info[0], "message");
    GivenString error;
    mcp_status_t status = mcp_app_receive(view_, message.c_str(), Receive(error));
    if (status != MCP_OK) throw failure(info.Env(), status, error.get());
    return info.Env().Undefined();
}

// tell(toldJson)
Napi::Value View::tell(const Napi::CallbackInfo &info) {
    std::string told = text_of(info[0], "told");
    GivenString error;
    mcp_status_t status = mcp_app_tell(view_, told.c_str(), Receive(error));
    if (status != MCP_OK) throw failure(info.Env(), status, error.get());
    return info.Env().Undefined();
}

// poll(): the action's JSON, or null
Napi::Value View::poll(const Napi::CallbackInfo &info) {
    GivenString action;
    mcp_status_t status = mcp_app_poll(view_, Receive(action));
    if (status == MCP_EMPTY) return info.Env().Null();
    if (status != MCP_OK) throw failure(info.Env(), status, nullptr);
    return Napi::String::New(info.Env(), action.get());
}

Napi::Value View::close(const Napi::CallbackInfo &info) {
    mcp_app_free(view_);
    view_ = nullptr;
    return info.Env().Undefined();
}

Napi::Value view_policy(const Napi::CallbackInfo &info) {
    OptionalText ui(info[0], "ui");
    GivenString policy, error;
    mcp_status_t status = mcp_app_policy(ui.get(), Receive(policy), Receive(error));
    if (status != MCP_OK) throw failure(info.Env(), status, error.get());
    return Napi::String::New(info.Env(), policy.get());
}
