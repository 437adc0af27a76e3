// The addon: what lib/native.js loads. Everything that a program sees is in lib.

#include <mcp.h>
#include <napi.h>

#include <string>

#include "client.h"
#include "environment.h"
#include "exchange.h"
#include "logger.h"
#include "request.h"
#include "server.h"
#include "text.h"
#include "view.h"

namespace {

// loadConfig(path, serverName) gives the configuration's JSON
Napi::Value load_config(const Napi::CallbackInfo &info) {
    std::string path = text_of(info[0], "path");
    OptionalText name(info[1], "serverName");
    GivenString json, error;
    mcp_status_t status = mcp_config_load(path.c_str(), name.get(), Receive(json), Receive(error));
    if (status != MCP_OK) throw failure(info.Env(), status, error.get());
    return Napi::String::New(info.Env(), json.get());
}

// configServers(path) gives a list as JSON
Napi::Value config_servers(const Napi::CallbackInfo &info) {
    std::string path = text_of(info[0], "path");
    GivenString json, error;
    mcp_status_t status = mcp_config_servers(path.c_str(), Receive(json), Receive(error));
    if (status != MCP_OK) throw failure(info.Env(), status, error.get());
    return Napi::String::New(info.Env(), json.get());
}

// expandTemplate(template, variablesJson) gives the URI
Napi::Value expand_template(const Napi::CallbackInfo &info) {
    std::string uri_template = text_of(info[0], "template");
    std::string variables = text_of(info[1], "variables");
    GivenString uri, error;
    mcp_status_t status =
        mcp_uri_template_expand(uri_template.c_str(), variables.c_str(), Receive(uri), Receive(error));
    if (status != MCP_OK) throw failure(info.Env(), status, error.get());
    return Napi::String::New(info.Env(), uri.get());
}

// onMessage(dispatch, dispatchServed)
Napi::Value on_message(const Napi::CallbackInfo &info) {
    if (!info[0].IsFunction() || !info[1].IsFunction()) {
        throw Napi::TypeError::New(info.Env(), "dispatch and dispatchServed must be functions");
    }
    Environment::of(info.Env()).dispatch = Napi::Persistent(info[0].As<Napi::Function>());
    Environment::of(info.Env()).dispatch_served = Napi::Persistent(info[1].As<Napi::Function>());
    return info.Env().Undefined();
}

Napi::Value hold(const Napi::CallbackInfo &info) {
    Environment::of(info.Env()).hub->hold(info.Env());
    return info.Env().Undefined();
}

Napi::Value release(const Napi::CallbackInfo &info) {
    Environment::of(info.Env()).hub->release(info.Env());
    return info.Env().Undefined();
}

// end(): closes everything; afterwards no client of this environment works
Napi::Value end(const Napi::CallbackInfo &info) {
    Environment::of(info.Env()).hub->end();
    return info.Env().Undefined();
}

Napi::Value name_of(const Napi::CallbackInfo &info) {
    std::string table = text_of(info[0], "table");
    auto number = int32_of(info[1], "number");
    const char *name = table == "status" ? mcp_status_name(number)
                       : table == "kind" ? mcp_kind_name(number)
                                         : mcp_client_state_name(number);
    return Napi::String::New(info.Env(), name);
}

Napi::Object init(Napi::Env env, Napi::Object exports) {
    if (mcp_abi_version() != MCP_ABI_VERSION) {
        throw Napi::Error::New(env, "libmcp " + std::string(mcp_version()) + " has ABI " +
                                        std::to_string(mcp_abi_version()) + ", but this addon was built for ABI " +
                                        std::to_string(MCP_ABI_VERSION) +
                                        ": build it again (npm rebuild), or install the libmcp that it was built with");
    }
    auto *environment = new Environment;
    env.SetInstanceData(environment);
    environment->hub = Hub::open(env);
    env.AddCleanupHook(leave_listeners, static_cast<const void *>(environment));
    exports.Set("Client", Client::define(env));
    exports.Set("Server", Server::define(env));
    exports.Set("Exchange", Exchange::define(env));
    exports.Set("View", View::define(env));
    define_requests(env, exports);
    exports.Set("version", Napi::String::New(env, mcp_version()));
    exports.Set("abiVersion", Napi::Number::New(env, mcp_abi_version()));
    exports.Set("loadConfig", Napi::Function::New<load_config>(env));
    exports.Set("configServers", Napi::Function::New<config_servers>(env));
    exports.Set("expandTemplate", Napi::Function::New<expand_template>(env));
    exports.Set("onMessage", Napi::Function::New<on_message>(env));
    exports.Set("hold", Napi::Function::New<hold>(env));
    exports.Set("release", Napi::Function::New<release>(env));
    exports.Set("end", Napi::Function::New<end>(env));
    exports.Set("setLogger", Napi::Function::New<set_logger>(env));
    exports.Set("setTelemetry", Napi::Function::New<set_telemetry>(env));
    exports.Set("viewPolicy", Napi::Function::New<view_policy>(env));
    exports.Set("nameOf", Napi::Function::New<name_of>(env));
    return exports;
}

}  // namespace

NODE_API_MODULE(libmcp, init)
