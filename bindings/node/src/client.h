// The JavaScript class around one connection. Only lib/client.js uses it.
#pragma once

#include <napi.h>

#include <memory>

#include "connection.h"

class Client : public Napi::ObjectWrap<Client> {
  public:
    static Napi::Function define(Napi::Env env);
    explicit Client(const Napi::CallbackInfo &info);
    ~Client() override;

  private:
    Napi::Value connect(const Napi::CallbackInfo &info);
    Napi::Value start(const Napi::CallbackInfo &info);
    Napi::Value use(const Napi::CallbackInfo &info);
    Napi::Value cancel(const Napi::CallbackInfo &info);
    Napi::Value notify(const Napi::CallbackInfo &info);
    Napi::Value auth_complete(const Napi::CallbackInfo &info);
    Napi::Value auth_give(const Napi::CallbackInfo &info);
    Napi::Value auth_give_up(const Napi::CallbackInfo &info);
    Napi::Value auth_answer(const Napi::CallbackInfo &info);
    Napi::Value logout(const Napi::CallbackInfo &info);
    Napi::Value set_roots(const Napi::CallbackInfo &info);
    Napi::Value clear_cache(const Napi::CallbackInfo &info);
    Napi::Value state(const Napi::CallbackInfo &info);
    Napi::Value info(const Napi::CallbackInfo &info);
    Napi::Value close(const Napi::CallbackInfo &info);
    Napi::Value free(const Napi::CallbackInfo &info);

    Connection &live(Napi::Env env);
    std::shared_ptr<Connection> share(Napi::Env env);
    void deliver(Napi::Env env, Message message);

    std::shared_ptr<Connection> connection_;
};
