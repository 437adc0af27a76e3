#include "exchange.h"

#include <string>
#include <vector>

#include "calling.h"
#include "environment.h"
#include "server.h"
#include "text.h"

struct Exchange::Bell {
    std::shared_ptr<Hub> hub;
    /// The function of JavaScript; empty once the exchange has ended. Touched on the environment's thread only.
    Napi::FunctionReference ready;
};

namespace {

// The most that is read at one time.
constexpr size_t MOST = 64 * 1024;

mcp_exchange_t *open_or_throw(Napi::Env env, mcp_exchange_t *exchange) {
    if (exchange == nullptr) throw failure(env, MCP_ERROR_CLOSED, nullptr);
    return exchange;
}

}  // namespace

Napi::Function Exchange::define(Napi::Env env) {
    return DefineClass(env, "Exchange",
                       {
                           InstanceMethod<&Exchange::permit>("permit"),
                           InstanceMethod<&Exchange::write>("write"),
                           InstanceMethod<&Exchange::head>("head"),
                           InstanceMethod<&Exchange::read>("read"),
                           InstanceMethod<&Exchange::free>("free"),
                       });
}

// new Exchange(server, method, target, headers, peer, ready): `headers` has names and values in turn; the body follows by write()
Exchange::Exchange(const Napi::CallbackInfo &info) : Napi::ObjectWrap<Exchange>(info) {
    Napi::Env env = info.Env();
    mcp_server_t *server = Server::of(info[0]);
    std::string method = text_of(info[1], "method");
    std::string target = text_of(info[2], "target");
    if (!info[3].IsArray() || !info[5].IsFunction()) {
        throw Napi::TypeError::New(env, "headers and ready must be a list and a function");
    }
    std::string peer = text_of(info[4], "peer");
    auto given = info[3].As<Napi::Array>();
    std::vector<std::string> texts;
    for (uint32_t at = 0; at < given.Length(); at++) texts.push_back(text_of(given.Get(at), "a header"));
    if (texts.size() % 2 != 0) throw Napi::TypeError::New(env, "headers must be names and values in turn");
    std::vector<const char *> headers;
    for (const std::string &text : texts) headers.push_back(text.c_str());
    headers.push_back(nullptr);
    bell_ = std::make_shared<Bell>();
    bell_->hub = Environment::of(env).hub;
    bell_->ready = Napi::Persistent(info[5].As<Napi::Function>());
    // An environment that ends takes its references with it, and the library may hold the bell longer.
    bell_->ready.SuppressDestruct();
    auto ring = [](void *user) {
        auto bell = *static_cast<std::shared_ptr<Bell> *>(user);
        bell->hub->post([bell](Napi::Env env) {
            if (!bell->ready.IsEmpty()) call_back(env, bell->ready, {});
        });
    };
    auto destroy = [](void *user) { delete static_cast<std::shared_ptr<Bell> *>(user); };
    GivenString error;
    mcp_status_t status = mcp_server_http_begin(server, method.c_str(), target.c_str(), headers.data(), peer.c_str(), ring,
                                                new std::shared_ptr<Bell>(bell_), destroy, &exchange_, Receive(error));
    if (status != MCP_OK) {
        bell_->ready.Reset();
        throw failure(env, status, error.get());
    }
}

Exchange::~Exchange() { end(); }

void Exchange::end() {
    if (exchange_ != nullptr) mcp_exchange_free(exchange_);
    exchange_ = nullptr;
    if (bell_) bell_->ready.Reset();
}

// permit(): null if it is not known yet, or how many bytes of the body are wanted; 0 when no more are
Napi::Value Exchange::permit(const Napi::CallbackInfo &info) {
    Napi::Env env = info.Env();
    size_t most = 0;
    mcp_status_t status = mcp_exchange_permit(open_or_throw(env, exchange_), 0, &most);
    if (status == MCP_EMPTY) return env.Null();
    if (status != MCP_OK) throw failure(env, status, nullptr);
    return Napi::Number::New(env, static_cast<double>(most));
}

// write(bytes, isLast)
Napi::Value Exchange::write(const Napi::CallbackInfo &info) {
    Napi::Env env = info.Env();
    mcp_exchange_t *exchange = open_or_throw(env, exchange_);
    if (!info[0].IsTypedArray()) throw Napi::TypeError::New(env, "a part of a body must be bytes");
    auto part = info[0].As<Napi::Uint8Array>();
    mcp_status_t status = mcp_exchange_write(exchange, reinterpret_cast<const char *>(part.Data()), part.ByteLength(),
                                             info[1].ToBoolean());
    if (status != MCP_OK) throw failure(env, status, nullptr);
    return env.Undefined();
}

// head(): null if there is none yet, or { status, length, headers }; the length of an event stream is -1
Napi::Value Exchange::head(const Napi::CallbackInfo &info) {
    Napi::Env env = info.Env();
    mcp_exchange_t *exchange = open_or_throw(env, exchange_);
    int32_t http_status = 0;
    int64_t length = 0;
    mcp_status_t status = mcp_exchange_head(exchange, 0, &http_status, &length);
    if (status == MCP_EMPTY) return env.Null();
    if (status != MCP_OK) throw failure(env, status, nullptr);
    auto headers = Napi::Array::New(env);
    uint32_t at = 0;
    const char *value = nullptr;
    for (size_t index = 0; const char *name = mcp_exchange_header(exchange, index, &value); index++) {
        headers.Set(at++, Napi::String::New(env, name));
        headers.Set(at++, Napi::String::New(env, value));
    }
    auto head = Napi::Object::New(env);
    head.Set("status", Napi::Number::New(env, http_status));
    head.Set("length", Napi::Number::New(env, static_cast<double>(length)));
    head.Set("headers", headers);
    return head;
}

// read(): null if there is nothing yet, else bytes; none at the end
Napi::Value Exchange::read(const Napi::CallbackInfo &info) {
    Napi::Env env = info.Env();
    mcp_exchange_t *exchange = open_or_throw(env, exchange_);
    std::vector<char> into(MOST);
    size_t length = 0;
    mcp_status_t status = mcp_exchange_read(exchange, 0, into.data(), into.size(), &length);
    if (status == MCP_EMPTY) return env.Null();
    if (status != MCP_OK) throw failure(env, status, nullptr);
    return Napi::Buffer<char>::Copy(env, into.data(), length);
}

Napi::Value Exchange::free(const Napi::CallbackInfo &info) {
    end();
    return info.Env().Undefined();
}
