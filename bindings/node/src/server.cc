#include "server.h"

#include <system_error>

#include "calling.h"
#include "environment.h"
#include "request.h"
#include "spawn.h"
#include "text.h"

Napi::Function Server::define(Napi::Env env) {
    Napi::Function constructor = DefineClass(env, "Server",
                                             {
                                                 InstanceMethod<&Server::add>("add"),
                                                 InstanceMethod<&Server::remove>("remove"),
                                                 InstanceMethod<&Server::serve>("serve"),
                                                 InstanceMethod<&Server::serve_inside>("serveInside"),
                                                 InstanceMethod<&Server::resource_updated>("resourceUpdated"),
                                                 InstanceMethod<&Server::log>("log"),
                                                 InstanceMethod<&Server::notify>("notify"),
                                                 InstanceMethod<&Server::call>("call"),
                                                 InstanceMethod<&Server::info>("info"),
                                                 InstanceMethod<&Server::close>("close"),
                                                 InstanceMethod<&Server::free>("free"),
                                             });
    Environment::of(env).server_class = Napi::Persistent(constructor);
    return constructor;
}

mcp_server_t *Server::of(const Napi::Value &value) {
    Napi::Env env = value.Env();
    if (!value.IsObject() || !value.As<Napi::Object>().InstanceOf(Environment::of(env).server_class.Value())) {
        throw Napi::TypeError::New(env, "server must be a server");
    }
    return Unwrap(value.As<Napi::Object>())->live(env).server();
}

// new Server(configJson, queueJson)
Server::Server(const Napi::CallbackInfo &info) : Napi::ObjectWrap<Server>(info) {
    std::string config = text_of(info[0], "config");
    OptionalText queue(info[1], "queue");
    service_ = Service::open(info.Env(), Environment::of(info.Env()).hub, queue.get(), config.c_str());
    service_->deliver_to([this](Napi::Env env, Message message) { deliver(env, std::move(message)); });
    service_->handle_with([this](Napi::Env env, uint32_t entry, Message message) {
        handle(env, entry, std::move(message));
    });
}

// Forgotten without a close.
Server::~Server() {
    if (!service_) return;
    service_->deliver_to(nullptr);
    service_->handle_with(nullptr);
    // The environment ended first, and took the server with it.
    if (service_->is_freed()) return;
    auto service = service_;
    service->retire();
    try {
        service->hub()->spawn([service] { service->free(); }, [](Napi::Env) {});
        service->hub()->remove(service);
    } catch (const std::system_error &) {
        // Without a thread it stays with the hub, which frees it with the environment.
    }
}

// A server that was freed has no service any more.
Service &Server::live(Napi::Env env) {
    if (!service_ || service_->is_freed()) throw failure(env, MCP_ERROR_CLOSED, nullptr);
    return *service_;
}

std::shared_ptr<Service> Server::share(Napi::Env env) {
    live(env);
    return service_;
}

// Calls dispatchServed(this, entry, kind, status, number, json, method, request).
static void dispatch(Napi::Env env, const Napi::Object &self, uint32_t entry, Message message, bool is_request) {
    mcp_message_t *it = message.get();
    size_t length = 0;
    const char *json = mcp_message_json(it, &length);
    const char *method = mcp_message_method(it);
    mcp_kind_t kind = mcp_message_kind(it);
    uint64_t number = kind == MCP_KIND_REPLY ? mcp_message_tag(it) : mcp_message_call_id(it);
    Napi::Value json_text = json != nullptr ? Napi::Value(Napi::String::New(env, json, length)) : env.Null();
    Napi::Value method_text = method != nullptr ? Napi::Value(Napi::String::New(env, method)) : env.Null();
    Napi::Value status = Napi::Number::New(env, mcp_message_status(it));
    Napi::Value request = is_request ? request_value(env, std::move(message)) : env.Undefined();
    call_back(env, Environment::of(env).dispatch_served,
              {self, Napi::Number::New(env, entry), Napi::Number::New(env, kind), status,
               Napi::Number::New(env, static_cast<double>(number)), json_text, method_text, request});
}

// A request that is for no entry, a request that is no longer wanted, the reply of a client, a token, the end.
void Server::deliver(Napi::Env env, Message message) {
    Napi::Object self = Value();
    if (self.IsEmpty()) return;
    mcp_kind_t kind = mcp_message_kind(message.get());
    dispatch(env, self, 0, std::move(message), kind == MCP_KIND_REQUEST || kind == MCP_KIND_AUTH);
}

void Server::handle(Napi::Env env, uint32_t entry, Message message) {
    Napi::Object self = Value();
    if (self.IsEmpty()) return;
    dispatch(env, self, entry, std::move(message), true);
}

// add(kind, entry, definition, second, third, fourth): an entry of 0 has no handler.
//
// "tool", "resource", "template", "prompt": definition
// "text", "folder", "skills": definition (the folder, for skills), text or folder or options
// "blob": definition, buffer
// "completion": reference, argument, values
// "method": method, capability, settings
Napi::Value Server::add(const Napi::CallbackInfo &info) {
    Service &service = live(info.Env());
    mcp_server_t *server = service.server();
    std::string kind = text_of(info[0], "kind");
    auto number = static_cast<uint32_t>(int32_of(info[1], "entry"));
    std::string first = text_of(info[2], "definition");
    bool is_blob = kind == "blob";
    OptionalText second(is_blob ? info.Env().Undefined() : info[3], "the second text");
    OptionalText third(info[4], "the third text");
    Service::Entry *user = number == 0 ? nullptr : new Service::Entry{&service, number};
    mcp_handler_t run = user == nullptr ? nullptr : Service::on_request;
    auto drop = user == nullptr ? nullptr : Service::drop_entry;
    GivenString error;
    mcp_status_t status = MCP_ERROR_INVALID_ARGUMENT;
    {
        Receive out(error);
        if (kind == "tool") {
            status = mcp_server_add_tool(server, first.c_str(), run, user, drop, out);
        } else if (kind == "resource") {
            status = mcp_server_add_resource(server, first.c_str(), run, user, drop, out);
        } else if (kind == "template") {
            status = mcp_server_add_resource_template(server, first.c_str(), run, user, drop, out);
        } else if (kind == "prompt") {
            status = mcp_server_add_prompt(server, first.c_str(), run, user, drop, out);
        } else if (kind == "text") {
            status = mcp_server_add_text(server, first.c_str(), second.get(), out);
        } else if (kind == "folder") {
            status = mcp_server_add_folder(server, first.c_str(), second.get(), out);
        } else if (kind == "skills") {
            status = mcp_server_add_skills(server, first.c_str(), second.get(), out);
        } else if (kind == "completion") {
            status = mcp_server_add_completion(server, first.c_str(), second.get(), third.get(), run, user, drop, out);
        } else if (kind == "method") {
            status = mcp_server_add_method(server, first.c_str(), second.get(), third.get(), run, user, drop, out);
        } else if (is_blob && info[3].IsTypedArray()) {
            auto bytes = info[3].As<Napi::Uint8Array>();
            status = mcp_server_add_blob(server, first.c_str(), reinterpret_cast<const char *>(bytes.Data()),
                                         bytes.ByteLength(), out);
        } else {
            delete user;
        }
    }
    if (status != MCP_OK) throw failure(info.Env(), status, error.get());
    return info.Env().Undefined();
}

// remove(kind, name): whether it was there
Napi::Value Server::remove(const Napi::CallbackInfo &info) {
    std::string kind = text_of(info[0], "kind");
    std::string name = text_of(info[1], "name");
    GivenString error;
    mcp_status_t status = mcp_server_remove(live(info.Env()).server(), kind.c_str(), name.c_str(), Receive(error));
    if (status < MCP_OK) throw failure(info.Env(), status, error.get());
    return Napi::Boolean::New(info.Env(), status == MCP_OK);
}

// serve(endpointJson, done): `done` gets where it serves
Napi::Value Server::serve(const Napi::CallbackInfo &info) {
    std::string endpoint = text_of(info[0], "endpoint");
    auto service = share(info.Env());
    spawn(info.Env(), *service->hub(), info[1], [service, endpoint](Outcome &outcome) {
        outcome.status = mcp_server_serve(service->server(), endpoint.c_str(), Receive(outcome.text),
                                          Receive(outcome.error));
    });
    return info.Env().Undefined();
}

// serveInside(endpointJson): for an HTTP server of the program. The library opens nothing, so this does not wait.
Napi::Value Server::serve_inside(const Napi::CallbackInfo &info) {
    std::string endpoint = text_of(info[0], "endpoint");
    GivenString bound, error;
    mcp_status_t status =
        mcp_server_serve(live(info.Env()).server(), endpoint.c_str(), Receive(bound), Receive(error));
    if (status != MCP_OK) throw failure(info.Env(), status, error.get());
    return info.Env().Undefined();
}

// resourceUpdated(uri)
Napi::Value Server::resource_updated(const Napi::CallbackInfo &info) {
    std::string uri = text_of(info[0], "uri");
    GivenString error;
    mcp_status_t status = mcp_server_resource_updated(live(info.Env()).server(), uri.c_str(), Receive(error));
    if (status != MCP_OK) throw failure(info.Env(), status, error.get());
    return info.Env().Undefined();
}

// log(level, logger, data)
Napi::Value Server::log(const Napi::CallbackInfo &info) {
    std::string level = text_of(info[0], "level");
    OptionalText logger(info[1], "logger");
    std::string data = text_of(info[2], "data");
    GivenString error;
    mcp_status_t status =
        mcp_server_log(live(info.Env()).server(), level.c_str(), logger.get(), data.c_str(), Receive(error));
    if (status != MCP_OK) throw failure(info.Env(), status, error.get());
    return info.Env().Undefined();
}

// notify(session, method, params)
Napi::Value Server::notify(const Napi::CallbackInfo &info) {
    auto session = static_cast<uint64_t>(number_of(info[0], "session"));
    std::string method = text_of(info[1], "method");
    OptionalText params(info[2], "params");
    GivenString error;
    mcp_status_t status =
        mcp_server_notify(live(info.Env()).server(), session, method.c_str(), params.get(), Receive(error));
    if (status != MCP_OK) throw failure(info.Env(), status, error.get());
    return info.Env().Undefined();
}

// call(session, method, params, options, tag)
Napi::Value Server::call(const Napi::CallbackInfo &info) {
    auto session = static_cast<uint64_t>(number_of(info[0], "session"));
    std::string method = text_of(info[1], "method");
    OptionalText params(info[2], "params");
    OptionalText options(info[3], "options");
    auto tag = static_cast<uint64_t>(number_of(info[4], "tag"));
    GivenString error;
    mcp_status_t status = mcp_server_call_start(live(info.Env()).server(), session, method.c_str(), params.get(),
                                                options.get(), tag, nullptr, Receive(error));
    if (status != MCP_OK) throw failure(info.Env(), status, error.get());
    return info.Env().Undefined();
}

Napi::Value Server::info(const Napi::CallbackInfo &info) {
    GivenString json, error;
    mcp_status_t status = mcp_server_info(live(info.Env()).server(), Receive(json), Receive(error));
    if (status != MCP_OK) throw failure(info.Env(), status, error.get());
    return Napi::String::New(info.Env(), json.get());
}

// close(timeoutMs, done)
Napi::Value Server::close(const Napi::CallbackInfo &info) {
    auto timeout = int32_of(info[0], "timeout");
    auto service = share(info.Env());
    spawn(info.Env(), *service->hub(), info[1],
          [service, timeout](Outcome &outcome) { outcome.status = service->close(timeout); });
    return info.Env().Undefined();
}

// free(done): delivers what is left, then frees
Napi::Value Server::free(const Napi::CallbackInfo &info) {
    auto service = share(info.Env());
    service->drain(info.Env(), INT32_MAX);
    service->retire();
    spawn(info.Env(), *service->hub(), info[0], [service](Outcome &outcome) {
        service->free();
        outcome.status = MCP_OK;
    });
    service->hub()->remove(service);
    service_->deliver_to(nullptr);
    service_->handle_with(nullptr);
    service_.reset();
    return info.Env().Undefined();
}
