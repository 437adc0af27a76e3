/*
 * Logging in: a browser whose user agrees to everything, and what the config says in each scenario of authorization.
 */
#ifndef MCP_CONFORMANCE_LOGIN_H
#define MCP_CONFORMANCE_LOGIN_H

#include "program.h"

#include <netdb.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

/* Opens a URL as a browser would whose user agrees, without following where it is sent; gives that place, free() it. */
static char *browse(const char *url) {
    char host[256];
    char port[16] = "80";
    const char *rest = strncmp(url, "http://", 7) == 0 ? url + 7 : NULL;
    size_t length = rest != NULL ? strcspn(rest, ":/?") : 0;
    if (length == 0 || length >= sizeof host) {
        fail("browser", url);
    }
    memcpy(host, rest, length);
    host[length] = '\0';
    rest += length;
    if (*rest == ':') {
        length = strcspn(++rest, "/?");
        if (length >= sizeof port) {
            fail("browser", url);
        }
        memcpy(port, rest, length);
        port[length] = '\0';
        rest += length;
    }
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM};
    struct addrinfo *found = NULL;
    int server = -1;
    if (getaddrinfo(host, port, &hints, &found) != 0) {
        fail("browser", host);
    }
    for (struct addrinfo *address = found; address != NULL && server < 0; address = address->ai_next) {
        server = socket(address->ai_family, address->ai_socktype, 0);
        if (server >= 0 && connect(server, address->ai_addr, address->ai_addrlen) != 0) {
            close(server);
            server = -1;
        }
    }
    freeaddrinfo(found);
    char *request = format("GET %s%s HTTP/1.0\r\nHost: %s:%s\r\n\r\n", *rest == '/' ? "" : "/", rest, host, port);
    if (server < 0 || send(server, request, strlen(request), MSG_NOSIGNAL) != (ssize_t)strlen(request)) {
        fail("browser", url);
    }
    free(request);
    static char head[16384];
    size_t taken = 0;
    for (ssize_t got; taken < sizeof head - 1 && (got = recv(server, head + taken, sizeof head - 1 - taken, 0)) > 0;) {
        taken += (size_t)got;
    }
    head[taken] = '\0';
    close(server);
    for (char *line = head; (line = strstr(line, "\r\n")) != NULL;) {
        line += 2;
        if (strncasecmp(line, "location:", 9) == 0) {
            line += 9;
            line += strspn(line, " ");
            line[strcspn(line, "\r\n")] = '\0';
            return format("%s", line);
        }
    }
    fail("browser: no Location", head);
}

/* Does what an AUTH message wants. What comes of it shows in the calls. */
static void log_in(mcp_client_t *client, mcp_message_t *message) {
    const char *what = mcp_message_json(message, NULL);
    if (!is(what, "/kind", "authorize")) {
        fail("an AUTH message that was not expected", what);
    }
    char *url = at(what, "/url");
    char *back = browse(url);
    char *error = NULL;
    if (mcp_client_complete_login(client, back, &error) != MCP_OK) {
        fprintf(stderr, "login: %s\n", error);
    }
    mcp_string_free(error);
    free(back);
    mcp_string_free(url);
}

/* A member of the scenario's context as JSON text; free() it. */
static char *given(const char *pointer) {
    char *value = at(getenv("MCP_CONFORMANCE_CONTEXT"), pointer);
    char *quoted = NULL;
    if (mcp_json_quote(value, &quoted) != MCP_OK) {
        fail(pointer, "it is no text");
    }
    mcp_string_free(value);
    return quoted;
}

#define ANY_ISSUER "\"allow_any_issuer\":true,"

/*
 * What the config says of logging in, with a comma before it; free() it. A program names the authorization server that its credentials
 * are for ("issuer"). The suite starts one for each scenario at a free port and says it nowhere but in the metadata of its MCP
 * server, which is trusted with these credentials: "allow_any_issuer".
 */
static char *authorization(const char *scenario) {
    if (strncmp(scenario, "auth/", 5) != 0) {
        return format("%s", "");
    }
    const char *name = scenario + 5;
    if (strcmp(name, "pre-registration") == 0) {
        return format(",\"auth\":{" ANY_ISSUER "\"client_id\":%s,\"client_secret\":%s}", given("/client_id"),
                      given("/client_secret"));
    }
    if (strcmp(name, "client-credentials-basic") == 0) {
        return format(",\"auth\":{" ANY_ISSUER "\"type\":\"client_credentials\",\"client_id\":%s,\"client_secret\":%s}",
                      given("/client_id"), given("/client_secret"));
    }
    if (strcmp(name, "client-credentials-jwt") == 0) {
        return format(",\"auth\":{" ANY_ISSUER "\"type\":\"client_credentials\",\"client_id\":%s,\"private_key\":%s}",
                      given("/client_id"), given("/private_key_pem"));
    }
    if (strcmp(name, "enterprise-managed-authorization") == 0) {
        return format(",\"auth\":{" ANY_ISSUER "\"type\":\"enterprise\",\"client_id\":%s,\"client_secret\":%s,\"enterprise\":{"
                      "\"token_endpoint\":%s,\"client_id\":%s,\"subject\":%s}}",
                      given("/client_id"), given("/client_secret"), given("/idp_token_endpoint"), given("/idp_client_id"),
                      given("/idp_id_token"));
    }
    if (strcmp(name, "wif-jwt-bearer") == 0) {
        return format(",\"auth\":{" ANY_ISSUER "\"type\":\"workload\",\"assertion\":%s}", given("/valid_jwt"));
    }
    return format("%s", ",\"auth\":{\"client_metadata_url\":\"https://conformance-test.local/client-metadata.json\"}");
}

#endif
