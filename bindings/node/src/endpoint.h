// What a client and a server of mcp.h have in common: a queue of its own. The loop watches its descriptor, or it announces its
// messages through the hub, so that no thread of ours waits for them. Knows no JavaScript classes.
#pragma once

#include <mcp.h>
#include <napi.h>

#include <atomic>
#include <functional>
#include <memory>

#include "hub.h"
#include "loop_watch.h"
#include "text.h"

struct FreeMessage {
    void operator()(mcp_message_t *message) const { mcp_message_free(message); }
};
using Message = std::unique_ptr<mcp_message_t, FreeMessage>;

class Endpoint : public std::enable_shared_from_this<Endpoint> {
  public:
    using Receiver = std::function<void(Napi::Env, Message)>;

    virtual ~Endpoint() = default;

    const std::shared_ptr<Hub> &hub() const { return hub_; }

    /// The function that gets the messages, on the environment's thread. While it is empty, messages are dropped.
    void deliver_to(Receiver receiver) { receiver_ = std::move(receiver); }

    /// Delivers what waits: at most about `most` messages, and the rest after the loop's other work. Environment's thread
    /// only.
    void drain(Napi::Env env, int most);

    /// It is about to be freed by another thread: nothing is delivered any more. Environment's thread only.
    void retire() {
        retired_ = true;
        watch_.reset();
    }

    /// No more announcements. What is under way may still come, and finds nothing to do. Environment's thread only, unless it is
    /// retired.
    void hush() {
        watch_.reset();
        mcp_queue_on_ready(queue_, nullptr, nullptr, nullptr);
    }
    virtual mcp_status_t close(int32_t timeout_ms) = 0;
    /// Takes as long as a close if it is not closed. Once; nothing else may be using it.
    void free();
    bool is_freed() const { return freed_; }

  protected:
    explicit Endpoint(std::shared_ptr<Hub> hub) : hub_(std::move(hub)) {}
    /// Makes the queue, and has `make` make what sends its messages there. Throws the error object of what fails.
    void open(Napi::Env env, const char *queue_json, const std::function<mcp_status_t(mcp_queue_t *, char **)> &make);
    /// Gives a message to the receiver. A failure is the program's to see, like every uncaught exception.
    void receive(Napi::Env env, Message message);
    virtual void free_handle() = 0;

    /// How many messages the current drain took.
    int taken_ = 0;

  private:
    static void on_ready(void *user);
    /// Has the loop say when there are messages, or else a thread of the library's.
    mcp_status_t listen(Napi::Env env);
    void announce();

    std::shared_ptr<Hub> hub_;
    mcp_queue_t *queue_ = nullptr;
    /// Empty where a thread of the library's announces messages.
    std::unique_ptr<LoopWatch> watch_;
    std::atomic<bool> announced_{false};
    std::atomic<bool> freed_{false};
    bool retired_ = false;
    Receiver receiver_;
};
