#include "connection.h"

std::shared_ptr<Connection> Connection::open(Napi::Env env, std::shared_ptr<Hub> hub, const char *queue_json,
                                             const char *config_json) {
    std::shared_ptr<Connection> connection(new Connection(hub));
    GivenString error;
    mcp_status_t status = mcp_queue_new(queue_json, &connection->queue_, Receive(error));
    if (status != MCP_OK) throw failure(env, status, error.get());
    status = mcp_client_new(config_json, connection->queue_, &connection->client_, Receive(error));
    if (status == MCP_OK) {
        auto *user = new std::shared_ptr<Connection>(connection);
        auto destroy = [](void *user) { delete static_cast<std::shared_ptr<Connection> *>(user); };
        status = mcp_queue_on_ready(connection->queue_, on_ready, user, destroy);
        if (status != MCP_OK) destroy(user);
    }
    if (status != MCP_OK) {
        connection->free();
        throw failure(env, status, error.get());
    }
    hub->add(connection);
    return connection;
}

void Connection::on_ready(void *user) { (*static_cast<std::shared_ptr<Connection> *>(user))->announce(); }

void Connection::announce() {
    if (announced_.exchange(true)) return;
    hub_->post([self = shared_from_this()](Napi::Env env) { self->drain(env, 512); });
}

void Connection::drain(Napi::Env env, int most) {
    // Reset before the poll: a message that arrives after it causes another announcement.
    announced_ = false;
    for (int taken = 0; taken < most; taken++) {
        mcp_message_t *message = nullptr;
        if (mcp_queue_poll(queue_, 0, &message) != MCP_OK) return;
        Message owned(message);
        if (!receiver_) continue;
        Napi::HandleScope scope(env);
        try {
            receiver_(env, std::move(owned));
        } catch (const Napi::Error &error) {
            // The program's to see, like every uncaught exception; the messages behind it are not its victims.
            napi_fatal_exception(env, error.Value());
        }
    }
    announce();
}

void Connection::free() {
    if (freed_.exchange(true)) return;
    mcp_client_free(client_);
    hush();
    mcp_queue_free(queue_);
}
