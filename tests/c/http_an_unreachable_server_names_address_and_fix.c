/*
 * A URL that leads to no server: where nothing listens, where no name is known, through a proxy that is not there, and at a
 * Unix socket that does not exist, the error names the address that was tried and what to check, without the terms of the
 * system's interfaces. The same error stands behind a later connect that waits in vain for the next attempt.
 */
#include "check.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

/* A port of this machine that nothing listens on: it is bound, so that nothing else takes it. */
static int dead_port(int *held) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof address;
    *held = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    CHECK_GE(*held, 0);
    CHECK_EQ(bind(*held, (struct sockaddr *)&address, length), 0);
    CHECK_EQ(getsockname(*held, (struct sockaddr *)&address, &length), 0);
    return ntohs(address.sin_port);
}

static void check_error(char *error, mcp_status_t status, const char *first, const char *second) {
    CHECK(json_is(error, "/status", mcp_status_name(status)));
    char *message = json_at(error, "/message");
    CHECK_CONTAINS(message, first);
    CHECK_CONTAINS(message, second);
    const char *const jargon[] = {"os error", "tcp connect", "dns error", "getaddrinfo"};
    for (size_t i = 0; i < sizeof jargon / sizeof jargon[0]; i++) {
        if (strstr(message, jargon[i]) != NULL) {
            FAIL("%s: has '%s' in it", message, jargon[i]);
        }
    }
    mcp_string_free(message);
    mcp_string_free(error);
}

static void check_config(const char *config, const char *first, const char *second) {
    mcp_client_t *client = NULL;
    char *error = NULL;
    CHECK_STATUS(mcp_client_new(config, NULL, &client, &error), MCP_OK);
    CHECK_STATUS(mcp_client_connect(client, patience(), &error), MCP_ERROR_TRANSPORT);
    check_error(error, MCP_ERROR_TRANSPORT, first, second);
    /* The next attempt is far: this one waits in vain, and tells of the last. */
    error = NULL;
    CHECK_STATUS(mcp_client_connect(client, 20, &error), MCP_ERROR_TIMEOUT);
    CHECK(json_is(error, "/details/step", "backoff"));
    check_error(error, MCP_ERROR_TIMEOUT, first, second);
    CHECK_STATUS(mcp_client_free(client), MCP_OK);
}

#define LATER ",\"reconnect\":{\"initial_ms\":600000,\"max_ms\":600000}}"

int main(int argc, char **argv) {
    CHECK_EQ(argc, 3);
    (void)argv;
    int held = -1;
    int port = dead_port(&held);
    char *address = format("127.0.0.1:%d", port);
    const char *const schemes[] = {"http", "https"};
    for (size_t i = 0; i < 2; i++) {
        char *config = format("{\"url\":\"%s://%s/mcp\"" LATER, schemes[i], address);
        char *refused = format("nothing listens at %s", address);
        check_config(config, refused, "check host and port, and that the server runs");
        free(refused);
        free(config);
        config = format("{\"url\":\"%s://mcp.example/\",\"proxy\":\"http://user:s3cret@%s\"" LATER, schemes[i], address);
        refused = format("the proxy: nothing listens at %s", address);
        check_config(config, refused, "check 'proxy'");
        free(refused);
        free(config);
    }
    check_config("{\"url\":\"http://no-such-host.invalid/mcp\",\"proxy\":false" LATER,
                 "the name 'no-such-host.invalid' could not be looked up", "check the name");
    check_config("{\"url\":\"http://x/\",\"unix_socket\":\"/nowhere/at/all\"" LATER, "there is no socket '/nowhere/at/all'",
                 "check 'unix_socket'");
    free(address);
    close(held);
    return 0;
}
