/* The browser of a person who logs in, for the programs whose server is its own authorization server. */
#ifndef BROWSER_H
#define BROWSER_H

#include "http.h"

/* What the browser of a person who agrees does: opens the URL, and goes where the answer sends it. */
static void agree(mcp_client_t *client, const struct server *server, const char *url) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)server->port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int descriptor = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    CHECK_GE(descriptor, 0);
    CHECK_EQ(connect(descriptor, (struct sockaddr *)&address, sizeof address), 0);
    const char *target = strchr(url + strlen("http://"), '/');
    CHECK(target != NULL);
    char *request = format("GET %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nConnection: close\r\n\r\n", target, server->port);
    write_all(descriptor, request, strlen(request));
    free(request);
    CHECK_EQ(shutdown(descriptor, SHUT_WR), 0);
    char answer[8192];
    size_t length = 0;
    for (ssize_t got; (got = recv(descriptor, answer + length, sizeof answer - 1 - length, 0)) > 0;) {
        length += (size_t)got;
    }
    close(descriptor);
    answer[length] = '\0';
    char *location = strstr(answer, "Location: ");
    if (location == NULL) {
        FAIL("no way back: %s", answer);
    }
    location += strlen("Location: ");
    location[strcspn(location, "\r\n")] = '\0';
    CHECK_STATUS(mcp_client_complete_login(client, location, NULL), MCP_OK);
}

/* Has the person agree to what a message of kind "authorize" asks for. */
static void agree_to(mcp_client_t *client, const struct server *server, mcp_message_t *message) {
    CHECK(json_is(mcp_message_json(message, NULL), "/kind", "authorize"));
    char *url = json_at(mcp_message_json(message, NULL), "/url");
    agree(client, server, url);
    mcp_string_free(url);
}

#endif
