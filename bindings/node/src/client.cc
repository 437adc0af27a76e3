#include "client.h"

#include <system_error>

#include "calling.h"
#include "environment.h"
#include "feature.h"
#include "request.h"
#include "server.h"
#include "spawn.h"
#include "text.h"

Napi::Function Client::define(Napi::Env env) {
    return DefineClass(env, "Client",
                       {
                           InstanceMethod<&Client::connect>("connect"),
                           InstanceMethod<&Client::start>("start"),
                           InstanceMethod<&Client::use>("use"),
                           InstanceMethod<&Client::cancel>("cancel"),
                           InstanceMethod<&Client::notify>("notify"),
                           InstanceMethod<&Client::auth_complete>("authComplete"),
                           InstanceMethod<&Client::auth_give>("authGive"),
                           InstanceMethod<&Client::auth_give_up>("authGiveUp"),
                           InstanceMethod<&Client::auth_answer>("authAnswer"),
                           InstanceMethod<&Client::logout>("logout"),
                           InstanceMethod<&Client::set_roots>("setRoots"),
                           InstanceMethod<&Client::clear_cache>("clearCache"),
                           InstanceMethod<&Client::state>("state"),
                           InstanceMethod<&Client::info>("info"),
                           InstanceMethod<&Client::close>("close"),
                           InstanceMethod<&Client::free>("free"),
                       });
}

// new Client(configJson, queueJson, server): of a server in the same process if there is one
Client::Client(const Napi::CallbackInfo &info) : Napi::ObjectWrap<Client>(info) {
    std::string config = text_of(info[0], "config");
    OptionalText queue(info[1], "queue");
    connection_ = Connection::open(info.Env(), Environment::of(info.Env()).hub, queue.get(), config.c_str(),
                                   info[2].IsObject() ? Server::of(info[2]) : nullptr);
    connection_->deliver_to([this](Napi::Env env, Message message) { deliver(env, std::move(message)); });
}

// Forgotten without a close: the server must not outlive the one who started it.
Client::~Client() {
    if (!connection_) return;
    connection_->deliver_to(nullptr);
    // The environment ended first, and took the connection with it.
    if (connection_->is_freed()) return;
    auto connection = connection_;
    connection->retire();
    try {
        connection->hub()->spawn([connection] { connection->free(); }, [](Napi::Env) {});
        connection->hub()->remove(connection);
    } catch (const std::system_error &) {
        // Without a thread it stays with the hub, which frees it with the environment.
    }
}

// A client that was freed has no connection any more.
Connection &Client::live(Napi::Env env) {
    if (!connection_ || connection_->is_freed()) throw failure(env, MCP_ERROR_CLOSED, nullptr);
    return *connection_;
}

std::shared_ptr<Connection> Client::share(Napi::Env env) {
    live(env);
    return connection_;
}

void Client::deliver(Napi::Env env, Message message) {
    // The collector has taken the object, though its finalizer has not run yet: no function can take the message.
    Napi::Object self = Value();
    if (self.IsEmpty()) return;
    mcp_message_t *it = message.get();
    mcp_kind_t kind = mcp_message_kind(it);
    size_t length = 0;
    const char *json = mcp_message_json(it, &length);
    const char *method = mcp_message_method(it);
    Napi::Value request = env.Undefined();
    Napi::Value json_text = json != nullptr ? Napi::Value(Napi::String::New(env, json, length)) : env.Null();
    Napi::Value method_text = method != nullptr ? Napi::Value(Napi::String::New(env, method)) : env.Null();
    Napi::Value tag = Napi::Number::New(env, static_cast<double>(mcp_message_tag(it)));
    Napi::Value status = Napi::Number::New(env, mcp_message_status(it));
    if (kind == MCP_KIND_REQUEST || kind == MCP_KIND_AUTH) {
        request = request_value(env, std::move(message));
    }
    call_back(env, Environment::of(env).dispatch,
        {self, Napi::Number::New(env, kind), status, tag, method_text, json_text, request});
}

// connect(timeoutMs, tag) gives the call's number
Napi::Value Client::connect(const Napi::CallbackInfo &info) {
    auto timeout = int32_of(info[0], "timeout");
    auto tag = static_cast<uint64_t>(number_of(info[1], "tag"));
    uint64_t call_id = 0;
    GivenString error;
    mcp_status_t status =
        mcp_client_connect_start(live(info.Env()).client(), timeout, tag, &call_id, Receive(error));
    if (status != MCP_OK) throw failure(info.Env(), status, error.get());
    return Napi::Number::New(info.Env(), static_cast<double>(call_id));
}

// start(method, params, options, tag) gives the call's number
Napi::Value Client::start(const Napi::CallbackInfo &info) {
    std::string method = text_of(info[0], "method");
    OptionalText params(info[1], "params");
    OptionalText options(info[2], "options");
    auto tag = static_cast<uint64_t>(number_of(info[3], "tag"));
    uint64_t call_id = 0;
    GivenString error;
    mcp_status_t status = mcp_call_start(live(info.Env()).client(), method.c_str(), params.get(), options.get(), tag,
                                         &call_id, Receive(error));
    if (status != MCP_OK) throw failure(info.Env(), status, error.get());
    return Napi::Number::New(info.Env(), static_cast<double>(call_id));
}

// use(feature, values, options, tag) gives the call's number; `values` are texts, and null where there is none
Napi::Value Client::use(const Napi::CallbackInfo &info) {
    const Feature *feature = feature_of(text_of(info[0], "feature"));
    if (feature == nullptr || !info[1].IsArray()) throw Napi::TypeError::New(info.Env(), "there is no such feature");
    std::vector<OptionalText> values;
    auto given = info[1].As<Napi::Array>();
    for (uint32_t at = 0; at < given.Length(); at++) values.emplace_back(given.Get(at), "value");
    OptionalText options(info[2], "options");
    uint64_t call_id = 0;
    GivenString error;
    mcp_status_t status;
    {
        Receive receive(error);
        Use use{live(info.Env()).client(), values, options.get(), static_cast<uint64_t>(number_of(info[3], "tag")),
                &call_id, receive};
        status = feature->start(use);
    }
    if (status != MCP_OK) throw failure(info.Env(), status, error.get());
    return Napi::Number::New(info.Env(), static_cast<double>(call_id));
}

// cancel(callId, reason)
Napi::Value Client::cancel(const Napi::CallbackInfo &info) {
    auto call_id = static_cast<uint64_t>(number_of(info[0], "callId"));
    OptionalText reason(info[1], "reason");
    return Napi::Number::New(info.Env(), mcp_call_cancel(live(info.Env()).client(), call_id, reason.get()));
}

// notify(method, params)
Napi::Value Client::notify(const Napi::CallbackInfo &info) {
    std::string method = text_of(info[0], "method");
    OptionalText params(info[1], "params");
    GivenString error;
    mcp_status_t status = mcp_client_notify(live(info.Env()).client(), method.c_str(), params.get(), Receive(error));
    if (status != MCP_OK) throw failure(info.Env(), status, error.get());
    return info.Env().Undefined();
}

// authComplete(callbackUrl)
Napi::Value Client::auth_complete(const Napi::CallbackInfo &info) {
    std::string url = text_of(info[0], "callbackUrl");
    GivenString error;
    mcp_status_t status = mcp_client_complete_login(live(info.Env()).client(), url.c_str(), Receive(error));
    if (status != MCP_OK) throw failure(info.Env(), status, error.get());
    return info.Env().Undefined();
}

// authGive(credential, lastsMs): negative if it is not known how long it is good
Napi::Value Client::auth_give(const Napi::CallbackInfo &info) {
    std::string credential = text_of(info[0], "credential");
    auto lasts = int32_of(info[1], "lastsMs");
    GivenString error;
    mcp_status_t status =
        mcp_client_supply_credential(live(info.Env()).client(), credential.c_str(), lasts, Receive(error));
    if (status != MCP_OK) throw failure(info.Env(), status, error.get());
    return info.Env().Undefined();
}

// authGiveUp(reason)
Napi::Value Client::auth_give_up(const Napi::CallbackInfo &info) {
    OptionalText reason(info[0], "reason");
    GivenString error;
    mcp_status_t status = mcp_client_abort_login(live(info.Env()).client(), reason.get(), Receive(error));
    if (status != MCP_OK) throw failure(info.Env(), status, error.get());
    return info.Env().Undefined();
}

// authAnswer(request, answer, reason): `reason` says why there is no answer
Napi::Value Client::auth_answer(const Napi::CallbackInfo &info) {
    mcp_message_t *request = unanswered(info[0]);
    OptionalText answer(info[1], "answer");
    OptionalText reason(info[2], "reason");
    GivenString error;
    mcp_status_t status =
        mcp_client_answer_auth(live(info.Env()).client(), request, answer.get(), reason.get(), Receive(error));
    if (status != MCP_ERROR_INVALID_ARGUMENT) forget(info[0]);
    if (status != MCP_OK) throw failure(info.Env(), status, error.get());
    return info.Env().Undefined();
}

// logout(timeoutMs, done)
Napi::Value Client::logout(const Napi::CallbackInfo &info) {
    auto timeout = int32_of(info[0], "timeout");
    auto connection = share(info.Env());
    spawn(info.Env(), *connection->hub(), info[1], [connection, timeout](Outcome &outcome) {
        outcome.status = mcp_client_logout(connection->client(), timeout, Receive(outcome.error));
    });
    return info.Env().Undefined();
}

// setRoots(rootsJson)
Napi::Value Client::set_roots(const Napi::CallbackInfo &info) {
    std::string roots = text_of(info[0], "roots");
    GivenString error;
    mcp_status_t status = mcp_client_set_roots(live(info.Env()).client(), roots.c_str(), Receive(error));
    if (status != MCP_OK) throw failure(info.Env(), status, error.get());
    return info.Env().Undefined();
}

Napi::Value Client::clear_cache(const Napi::CallbackInfo &info) {
    mcp_status_t status = mcp_client_clear_cache(live(info.Env()).client());
    if (status != MCP_OK) throw failure(info.Env(), status, nullptr);
    return info.Env().Undefined();
}

Napi::Value Client::state(const Napi::CallbackInfo &info) {
    return Napi::Number::New(info.Env(), mcp_client_state(live(info.Env()).client()));
}

Napi::Value Client::info(const Napi::CallbackInfo &info) {
    GivenString json, error;
    mcp_status_t status = mcp_client_info(live(info.Env()).client(), Receive(json), Receive(error));
    if (status != MCP_OK) throw failure(info.Env(), status, error.get());
    return Napi::String::New(info.Env(), json.get());
}

// close(timeoutMs, done): before `done` everything that waited is delivered
Napi::Value Client::close(const Napi::CallbackInfo &info) {
    auto timeout = int32_of(info[0], "timeout");
    auto connection = share(info.Env());
    spawn(info.Env(), *connection->hub(), info[1],
          [connection, timeout](Outcome &outcome) { outcome.status = connection->close(timeout); });
    return info.Env().Undefined();
}

// free(done): delivers what is left, then frees
Napi::Value Client::free(const Napi::CallbackInfo &info) {
    auto connection = share(info.Env());
    connection->drain(info.Env(), INT32_MAX);
    connection->retire();
    spawn(info.Env(), *connection->hub(), info[0], [connection](Outcome &outcome) {
        connection->free();
        outcome.status = MCP_OK;
    });
    connection->hub()->remove(connection);
    connection_->deliver_to(nullptr);
    connection_.reset();
    return info.Env().Undefined();
}
