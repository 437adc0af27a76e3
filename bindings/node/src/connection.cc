#include "connection.h"

std::shared_ptr<Connection> Connection::open(Napi::Env env, std::shared_ptr<Hub> hub, const char *queue_json,
                                             const char *config_json, mcp_server_t *server) {
    std::shared_ptr<Connection> connection(new Connection(std::move(hub)));
    mcp_client_t **client = &connection->client_;
    connection->Endpoint::open(env, queue_json, [=](mcp_queue_t *queue, char **error) {
        return server == nullptr ? mcp_client_new(config_json, queue, client, error)
                                 : mcp_client_new_in_process(config_json, queue, server, client, error);
    });
    return connection;
}
