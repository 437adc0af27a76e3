// The JavaScript class around one request that an HTTP server of the program has taken. Only lib/server uses it.
#pragma once

#include <mcp.h>
#include <napi.h>

#include <memory>

class Exchange : public Napi::ObjectWrap<Exchange> {
  public:
    static Napi::Function define(Napi::Env env);
    explicit Exchange(const Napi::CallbackInfo &info);
    ~Exchange() override;

  private:
    /// What the library calls when there is something to read. It outlives the object.
    struct Bell;

    Napi::Value permit(const Napi::CallbackInfo &info);
    Napi::Value write(const Napi::CallbackInfo &info);
    Napi::Value head(const Napi::CallbackInfo &info);
    Napi::Value read(const Napi::CallbackInfo &info);
    Napi::Value free(const Napi::CallbackInfo &info);
    void end();

    mcp_exchange_t *exchange_ = nullptr;
    std::shared_ptr<Bell> bell_;
};
