// A client of mcp.h with a queue of its own. Each queue announces its messages through the hub, so that no thread of ours
// waits for them. Knows no JavaScript classes.
#pragma once

#include <mcp.h>
#include <napi.h>

#include <atomic>
#include <functional>
#include <memory>

#include "hub.h"
#include "text.h"

struct FreeMessage {
    void operator()(mcp_message_t *message) const { mcp_message_free(message); }
};
using Message = std::unique_ptr<mcp_message_t, FreeMessage>;

class Connection : public std::enable_shared_from_this<Connection> {
  public:
    using Receiver = std::function<void(Napi::Env, Message)>;

    /// Throws the error object of a configuration that is wrong.
    static std::shared_ptr<Connection> open(Napi::Env env, std::shared_ptr<Hub> hub, const char *queue_json,
                                            const char *config_json);

    mcp_client_t *client() const { return client_; }
    const std::shared_ptr<Hub> &hub() const { return hub_; }

    /// The function that gets the messages, on the environment's thread. While it is empty, messages are dropped.
    void deliver_to(Receiver receiver) { receiver_ = std::move(receiver); }

    /// Delivers what waits: at most `most` messages, and the rest after the loop's other work. Environment's thread only.
    void drain(Napi::Env env, int most);

    /// No more announcements. What is under way may still come, and finds nothing to do.
    void hush() { mcp_queue_on_ready(queue_, nullptr, nullptr, nullptr); }
    mcp_status_t close(int32_t timeout_ms) { return mcp_client_close(client_, timeout_ms); }
    /// Takes as long as a close if the client is not closed. Once; nothing else may be using the client.
    void free();
    bool is_freed() const { return freed_; }

  private:
    explicit Connection(std::shared_ptr<Hub> hub) : hub_(std::move(hub)) {}
    static void on_ready(void *user);
    void announce();

    std::shared_ptr<Hub> hub_;
    mcp_queue_t *queue_ = nullptr;
    mcp_client_t *client_ = nullptr;
    std::atomic<bool> announced_{false};
    std::atomic<bool> freed_{false};
    Receiver receiver_;
};
