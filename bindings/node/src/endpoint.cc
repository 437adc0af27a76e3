#include "endpoint.h"

namespace {

// How many messages are delivered before the loop does its other work.
constexpr int MOST = 512;

}  // namespace

void Endpoint::open(Napi::Env env, const char *queue_json,
                    const std::function<mcp_status_t(mcp_queue_t *, char **)> &make) {
    GivenString error;
    mcp_status_t status = mcp_queue_new(queue_json, &queue_, Receive(error));
    if (status != MCP_OK) throw failure(env, status, error.get());
    status = make(queue_, Receive(error));
    if (status == MCP_OK) status = listen(env);
    if (status != MCP_OK) {
        free();
        throw failure(env, status, error.get());
    }
    hub_->add(shared_from_this());
}

mcp_status_t Endpoint::listen(Napi::Env env) {
    // The loop's own thread then reads what a server has written; no other thread wakes for it.
    int32_t descriptor = mcp_queue_fd(queue_);
    if (descriptor >= 0) {
        std::weak_ptr<Endpoint> weak = shared_from_this();
        watch_ = LoopWatch::open(env, descriptor, [weak](Napi::Env env) {
            if (auto self = weak.lock()) self->drain(env, MOST);
        });
    }
    if (watch_ != nullptr) return MCP_OK;
    auto *user = new std::shared_ptr<Endpoint>(shared_from_this());
    auto destroy = [](void *user) { delete static_cast<std::shared_ptr<Endpoint> *>(user); };
    return mcp_queue_on_ready(queue_, on_ready, user, destroy);
}

void Endpoint::on_ready(void *user) { (*static_cast<std::shared_ptr<Endpoint> *>(user))->announce(); }

void Endpoint::announce() {
    if (announced_.exchange(true)) return;
    hub_->post([self = shared_from_this()](Napi::Env env) { self->drain(env, MOST); });
}

void Endpoint::drain(Napi::Env env, int most) {
    // Reset before the poll: a message that arrives after it causes another announcement.
    announced_ = false;
    // A handler of the program may free this.
    auto self = shared_from_this();
    taken_ = 0;
    while (taken_ < most) {
        if (retired_ || freed_) return;
        mcp_message_t *message = nullptr;
        int before = taken_;
        mcp_status_t status = mcp_queue_poll(queue_, 0, &message);
        if (status == MCP_OK) {
            taken_++;
            receive(env, Message(message));
        } else if (taken_ == before) {
            return;
        }
        // Where handlers ran, the poll may have ended because they had taken their time.
    }
    // The descriptor is still readable.
    if (watch_ == nullptr) announce();
}

void Endpoint::receive(Napi::Env env, Message message) {
    if (!receiver_) return;
    Napi::HandleScope scope(env);
    try {
        receiver_(env, std::move(message));
    } catch (const Napi::Error &error) {
        // The messages behind it are not its victims.
        napi_fatal_exception(env, error.Value());
    }
}

void Endpoint::free() {
    if (freed_.exchange(true)) return;
    free_handle();
    hush();
    mcp_queue_free(queue_);
}
