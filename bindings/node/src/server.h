// The JavaScript class around one server. Only lib/server uses it.
#pragma once

#include <napi.h>

#include <memory>

#include "service.h"

class Server : public Napi::ObjectWrap<Server> {
  public:
    static Napi::Function define(Napi::Env env);
    explicit Server(const Napi::CallbackInfo &info);
    ~Server() override;

    /// The server of such an object; throws for another object, and for one that was freed.
    static mcp_server_t *of(const Napi::Value &value);

  private:
    Napi::Value add(const Napi::CallbackInfo &info);
    Napi::Value remove(const Napi::CallbackInfo &info);
    Napi::Value serve(const Napi::CallbackInfo &info);
    Napi::Value serve_inside(const Napi::CallbackInfo &info);
    Napi::Value resource_updated(const Napi::CallbackInfo &info);
    Napi::Value log(const Napi::CallbackInfo &info);
    Napi::Value notify(const Napi::CallbackInfo &info);
    Napi::Value call(const Napi::CallbackInfo &info);
    Napi::Value info(const Napi::CallbackInfo &info);
    Napi::Value close(const Napi::CallbackInfo &info);
    Napi::Value free(const Napi::CallbackInfo &info);

    Service &live(Napi::Env env);
    std::shared_ptr<Service> share(Napi::Env env);
    void deliver(Napi::Env env, Message message);
    void handle(Napi::Env env, uint32_t entry, Message message);

    std::shared_ptr<Service> service_;
};
