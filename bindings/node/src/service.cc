#include "service.h"

std::shared_ptr<Service> Service::open(Napi::Env env, std::shared_ptr<Hub> hub, const char *queue_json,
                                       const char *config_json) {
    std::shared_ptr<Service> service(new Service(env, std::move(hub)));
    mcp_server_t **server = &service->server_;
    service->Endpoint::open(env, queue_json, [=](mcp_queue_t *queue, char **error) {
        return mcp_server_new(config_json, queue, server, error);
    });
    return service;
}

// The library calls this from mcp_queue_poll(), and nothing may unwind into it. What the handler answers at once goes out
// together with the answers of the handlers that run after it.
void Service::on_request(void *user, mcp_message_t *request) {
    Message message(request);
    const auto *entry = static_cast<Entry *>(user);
    Service &service = *entry->service;
    service.taken_++;
    // Without a handler the message is freed without an answer, and the library refuses the request.
    if (!service.handler_) return;
    Napi::HandleScope scope(service.env_);
    try {
        service.handler_(service.env_, entry->number, std::move(message));
    } catch (const Napi::Error &error) {
        napi_fatal_exception(service.env_, error.Value());
    }
}
