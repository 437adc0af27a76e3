/* The application decides about tokens, each of which is a message that it answers; and our client, which logs in for more scopes
 * when a tool needs them. */
#include "browser.h"
#include "http.h"

#include <stdatomic.h>
#include <time.h>

static atomic_int asked, ended;
static _Atomic(mcp_message_t *) held;
static mcp_server_t *server_of_all;

/* What the application says: a token "ann" is good, "bob" may not do anything, "late" gets no answer, all others that the
 * authorization server gave may read at first and write after the second login. */
static void decide(mcp_message_t *message) {
    CHECK_EQ(mcp_message_kind(message), MCP_KIND_AUTH);
    CHECK_TEXT(mcp_message_method(message), "token");
    atomic_fetch_add(&asked, 1);
    char *token = json_at(mcp_message_json(message, NULL), "/token");
    char *error = NULL;
    if (strcmp(token, "bob") == 0) {
        CHECK_STATUS(mcp_request_respond_error(message, -32000, "no", NULL, NULL), MCP_OK);
    } else if (strcmp(token, "wrong") == 0) {
        CHECK_STATUS(mcp_request_respond(message, "{\"scopes\":[]}", &error), MCP_ERROR_INVALID_ARGUMENT);
        CHECK_CONTAINS(error, "'principal' is missing");
        mcp_string_free(error);
    } else if (strcmp(token, "held") == 0) {
        mcp_string_free(token);
        atomic_store(&held, message);
        return;
    } else if (strcmp(token, "short") == 0) {
        char *answer = format("{\"principal\":\"ann\",\"scopes\":[\"read\"],\"expires\":%lld}", (long long)time(NULL) + 2);
        CHECK_STATUS(mcp_request_respond(message, answer, NULL), MCP_OK);
        free(answer);
    } else if (strcmp(token, "late") != 0) {
        static char first[256];
        bool is_first = first[0] == '\0' || strcmp(first, token) == 0;
        if (strncmp(token, "token-", 6) == 0 && first[0] == '\0') {
            snprintf(first, sizeof first, "%s", token);
        }
        const char *scopes = is_first || strncmp(token, "token-", 6) != 0 ? "[\"read\"]" : "[\"read\",\"write\"]";
        char *answer = format("{\"principal\":\"ann\",\"scopes\":%s,\"claims\":{\"team\":7}}", scopes);
        CHECK_STATUS(mcp_request_respond(message, answer, NULL), MCP_OK);
        CHECK_STATUS(mcp_request_respond(message, answer, NULL), MCP_ERROR_CANCELLED);
        free(answer);
    }
    mcp_string_free(token);
    mcp_message_free(message);
}

static void *take_messages(void *argument) {
    mcp_message_t *message = NULL;
    mcp_status_t status;
    (void)argument;
    while ((status = mcp_server_poll(server_of_all, -1, &message)) != MCP_ERROR_CLOSED) {
        CHECK_STATUS(status, MCP_OK);
        if (mcp_message_kind(message) == MCP_KIND_AUTH) {
            decide(message);
        } else {
            mcp_message_free(message);
        }
    }
    atomic_store(&ended, 1);
    return NULL;
}

static void on_team(void *user, mcp_message_t *request) {
    (void)user;
    char *context = NULL;
    CHECK_STATUS(mcp_request_context(request, &context, NULL), MCP_OK);
    CHECK_EQ(json_number(context, "/principal/claims/team"), 7);
    mcp_string_free(context);
    CHECK_STATUS(mcp_request_respond_text(request, "seven", false, NULL), MCP_OK);
    mcp_message_free(request);
}

#define META                                                                                                 \
    "\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\",\"io.modelcontextprotocol/clientCapabilities\":{}}"

/* Sends a request with a token; gives the connection. */
static int send_with(int port, const char *token, const char *method, const char *params) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int descriptor = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    CHECK_GE(descriptor, 0);
    CHECK_EQ(connect(descriptor, (struct sockaddr *)&address, sizeof address), 0);
    char *body = format("{\"jsonrpc\":\"2.0\",\"id\":9,\"method\":\"%s\",\"params\":{%s" META "}}", method, params);
    char *request = format("POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nConnection: close\r\nContent-Type: application/json\r\n"
                           "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: %s\r\nAuthorization: Bearer %s\r\n"
                           "Content-Length: %zu\r\n\r\n%s",
                           port, method, token, strlen(body), body);
    write_all(descriptor, request, strlen(request));
    free(request);
    free(body);
    return descriptor;
}

/* Reads an answer to its end; gives its status. */
static int status_on(int descriptor, const char *token, const char *wanted) {
    char reply[8192];
    size_t length = 0;
    for (ssize_t got; (got = recv(descriptor, reply + length, sizeof reply - 1 - length, 0)) > 0;) {
        length += (size_t)got;
    }
    close(descriptor);
    reply[length] = '\0';
    CHECK(strncmp(reply, "HTTP/1.1 ", 9) == 0);
    CHECK(strstr(reply, token) == NULL);
    if (wanted != NULL) {
        CHECK_CONTAINS(reply, wanted);
    }
    return atoi(reply + 9);
}

/* Asks what the server is with a token; gives the status. */
static int status_with(int port, const char *token) {
    return status_on(send_with(port, token, "server/discover", ""), token, NULL);
}

/* Calls a tool while a person agrees to what is asked for; gives how often. */
static int logins_of(mcp_client_t *client, const struct server *issuer, const char *tool) {
    int logins = 0;
    start_tool(client, tool, NULL, NULL, 1);
    for (long long deadline = now_ms() + patience();;) {
        CHECK_LE(now_ms(), deadline);
        mcp_message_t *message = NULL;
        CHECK_STATUS(mcp_client_poll(client, patience(), &message), MCP_OK);
        if (mcp_message_kind(message) == MCP_KIND_AUTH) {
            if (json_is(mcp_message_json(message, NULL), "/kind", "authorize")) {
                logins++;
                agree_to(client, issuer, message);
            }
        } else if (mcp_message_kind(message) == MCP_KIND_REPLY) {
            if (mcp_message_status(message) != MCP_OK) {
                FAIL("%s: %s", tool, mcp_message_json(message, NULL));
            }
            CHECK_TEXT(mcp_message_text(message, NULL), "seven");
            mcp_message_free(message);
            return logins;
        }
        mcp_message_free(message);
    }
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 4);
    struct holdings before = holdings_now();
    struct server issuer = start_server(argv[3], ARGS("login=yes"));
    char *config = format("{\"name\":\"s\",\"auth\":{\"authorization_servers\":[\"http://127.0.0.1:%d\"],\"application\":true,"
                          "\"scopes\":[\"read\"],\"tools\":{\"write\":[\"write\"]},\"timeout_ms\":%d,\"questions\":1,\"leeway_ms\":1}}",
                          issuer.port, patience());
    mcp_server_t *server = NULL;
    CHECK_STATUS(mcp_server_new(config, NULL, &server, NULL), MCP_OK);
    free(config);
    server_of_all = server;
    const char *const tools[] = {"read", "write"};
    for (int i = 0; i < 2; i++) {
        char *tool = format("{\"name\":\"%s\",\"inputSchema\":{\"type\":\"object\"}}", tools[i]);
        CHECK_STATUS(mcp_server_add_tool(server, tool, on_team, NULL, NULL, NULL), MCP_OK);
        free(tool);
    }
    char *bound = NULL;
    int port = 0;
    CHECK_STATUS(mcp_server_serve(server, "{\"url\":\"http://127.0.0.1:0/mcp\"}", &bound, NULL), MCP_OK);
    CHECK_EQ(sscanf(bound, "{\"url\":\"http://127.0.0.1:%d/mcp\"}", &port), 1);
    mcp_string_free(bound);
    pthread_t thread = start_thread(take_messages, NULL);

    for (int i = 0; i < 5; i++) {
        CHECK_EQ(status_with(port, "ann"), 200);
    }
    CHECK_EQ(atomic_load(&asked), 1);
    CHECK_EQ(status_with(port, "bob"), 401);
    CHECK_EQ(status_with(port, "bob"), 401);
    CHECK_EQ(atomic_load(&asked), 2);
    CHECK_EQ(status_with(port, "wrong"), 503);
    CHECK_EQ(status_with(port, "late"), 503);

    /* One question at a time. */
    int waiting = send_with(port, "held", "server/discover", "");
    while (atomic_load(&held) == NULL) {
        breathe();
    }
    CHECK_EQ(status_with(port, "dora"), 503);
    CHECK_EQ(status_with(port, "ann"), 200);
    CHECK(!mcp_request_cancelled(atomic_load(&held)));
    CHECK_STATUS(mcp_request_respond(atomic_load(&held), "{\"principal\":\"eve\",\"scopes\":[\"read\"]}", NULL), MCP_OK);
    mcp_message_free(atomic_load(&held));
    CHECK_EQ(status_on(waiting, "held", NULL), 200);

    /* A stream of notifications ends with its token. */
    int stream = send_with(port, "short", "subscriptions/listen", "\"notifications\":{\"toolsListChanged\":true},");
    CHECK_EQ(status_on(stream, "short", "subscriptions/acknowledged"), 200);
    CHECK_EQ(status_with(port, "short"), 401);

    /* The scripted server gives tokens for this resource now. */
    char *script = format("login=yes,login-resource=http://127.0.0.1:%d/mcp", port);
    set_script(&issuer, script);
    free(script);
    char *url = format("{\"url\":\"http://127.0.0.1:%d/mcp\",\"auth\":{}}", port);
    mcp_client_t *client = NULL;
    CHECK_STATUS(mcp_client_new(url, NULL, &client, NULL), MCP_OK);
    free(url);
    CHECK_EQ(logins_of(client, &issuer, "read"), 1);
    CHECK_EQ(logins_of(client, &issuer, "write"), 1);
    CHECK_EQ(logins_of(client, &issuer, "read"), 0);
    close_and_free(client);

    CHECK_STATUS(mcp_server_close(server, patience()), MCP_OK);
    join_thread(thread);
    CHECK_EQ(atomic_load(&ended), 1);
    CHECK_STATUS(mcp_server_free(server), MCP_OK);
    stop_server(&issuer);
    check_nothing_left(before);
    return 0;
}
