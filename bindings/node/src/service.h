// A server of mcp.h. Knows no JavaScript classes.
#pragma once

#include "endpoint.h"

class Service : public Endpoint {
  public:
    /// Gets a request, with the number of the entry that it is for.
    using Handler = std::function<void(Napi::Env, uint32_t, Message)>;

    /// Throws the error object of a configuration that is wrong.
    static std::shared_ptr<Service> open(Napi::Env env, std::shared_ptr<Hub> hub, const char *queue_json,
                                         const char *config_json);

    mcp_server_t *server() const { return server_; }
    /// As `deliver_to`, for requests that have an entry.
    void handle_with(Handler handler) { handler_ = std::move(handler); }
    mcp_status_t close(int32_t timeout_ms) override { return mcp_server_close(server_, timeout_ms); }

    /// What the library is given for an entry: the function that runs for a request, and what belongs to it. The library
    /// runs it in `drain` alone, which is the only place where the queue is polled.
    struct Entry {
        Service *service;
        uint32_t number;
    };
    static void on_request(void *user, mcp_message_t *request);
    static void drop_entry(void *user) { delete static_cast<Entry *>(user); }

  private:
    Service(Napi::Env env, std::shared_ptr<Hub> hub) : Endpoint(std::move(hub)), env_(env) {}
    void free_handle() override { mcp_server_free(server_); }

    Napi::Env env_;
    mcp_server_t *server_ = nullptr;
    Handler handler_;
};
