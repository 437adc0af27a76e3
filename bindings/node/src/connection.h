// A client of mcp.h. Knows no JavaScript classes.
#pragma once

#include "endpoint.h"

class Connection : public Endpoint {
  public:
    /// Of a server in the same process if there is one. Throws the error object of a configuration that is wrong.
    static std::shared_ptr<Connection> open(Napi::Env env, std::shared_ptr<Hub> hub, const char *queue_json,
                                            const char *config_json, mcp_server_t *server);

    mcp_client_t *client() const { return client_; }
    mcp_status_t close(int32_t timeout_ms) override { return mcp_client_close(client_, timeout_ms); }

  private:
    explicit Connection(std::shared_ptr<Hub> hub) : Endpoint(std::move(hub)) {}
    void free_handle() override { mcp_client_free(client_); }

    mcp_client_t *client_ = nullptr;
};
