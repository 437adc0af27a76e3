/*
 * With a cache: what a server answers to one login is not served to another. A logout drops all kept results; after
 * another login by another way (the server does not take the token any more) only what is "public" is still served.
 * An answer that is on its way during the logout is not kept. Legacy servers do not say "public", so nothing of theirs is.
 */
#include "browser.h"
#include "http.h"

#define CACHE "\"cache\":{\"ttl_ms\":{\"resources/read\":3600000,\"tools/list\":3600000}}"

/* Attends to logins until the reply of a started call is there; gives how many logins that took. */
static int attend(mcp_client_t *client, const struct server *server) {
    for (int logins = 0;;) {
        mcp_message_t *message = NULL;
        CHECK_STATUS(mcp_client_poll(client, patience(), &message), MCP_OK);
        if (mcp_message_kind(message) == MCP_KIND_REPLY) {
            if (mcp_message_status(message) != MCP_OK) {
                FAIL("%s", mcp_message_json(message, NULL));
            }
            mcp_message_free(message);
            return logins;
        }
        if (mcp_message_kind(message) == MCP_KIND_AUTH) {
            agree_to(client, server, message);
            logins++;
        }
        mcp_message_free(message);
    }
}

static int list_tools(mcp_client_t *client, const struct server *server) {
    CHECK_STATUS(mcp_call_start(client, "tools/list", NULL, NULL, 1, NULL, NULL), MCP_OK);
    return attend(client, server);
}

static int echo(mcp_client_t *client, const struct server *server) {
    start_tool(client, "echo", "{\"text\":\"x\"}", NULL, 2);
    return attend(client, server);
}

static mcp_client_t *login_client(const struct server *server, const char *era) {
    char *members = format("\"auth\":{\"redirect_uri\":\"http://127.0.0.1/callback\"},%s,%s", era, CACHE);
    mcp_client_t *client = client_at(server, "/mcp", members);
    free(members);
    return client;
}

static long long cached(mcp_client_t *client, const char *what) {
    char *info = info_of(client);
    char *pointer = format("/cache/%s", what);
    long long number = json_number(info, pointer);
    free(pointer);
    mcp_string_free(info);
    return number;
}

/* Lists the tools; gives whether the server was asked. */
static bool list_asks(mcp_client_t *client, const struct server *server) {
    long long before = count_of(server, "tools/list");
    CHECK_EQ(list_tools(client, server), 0);
    return count_of(server, "tools/list") > before;
}

static void check(const char *path, const char *script, const char *era, bool is_public) {
    struct server server = start_server(path, ARGS("login=yes", script));
    mcp_client_t *client = login_client(&server, era);
    /* The first login. */
    CHECK_EQ(echo(client, &server), 1);
    CHECK(list_asks(client, &server));
    CHECK(!list_asks(client, &server));
    CHECK_EQ(cached(client, "entries"), 1);

    /* Logged out: nothing is kept, and the next login's list is its own. */
    CHECK_STATUS(mcp_client_logout(client, patience(), NULL), MCP_OK);
    CHECK_EQ(cached(client, "entries"), 0);
    CHECK_EQ(echo(client, &server), 1);
    CHECK(list_asks(client, &server));
    CHECK(!list_asks(client, &server));

    /* The server takes the second login's token no more: a third login, without a logout. */
    tell_server(&server, "/logins/end");
    CHECK_EQ(echo(client, &server), 1);
    CHECK(list_asks(client, &server) != is_public);
    CHECK(!list_asks(client, &server));
    CHECK_EQ(cached(client, "entries"), 1);

    /* An answer under way during a logout belongs to the login that is gone. */
    CHECK_STATUS(mcp_client_clear_cache(client), MCP_OK);
    CHECK_STATUS(mcp_call_start(client, "tools/list", NULL, NULL, 1, NULL, NULL), MCP_OK);
    CHECK_STATUS(mcp_client_logout(client, patience(), NULL), MCP_OK);
    attend(client, &server);
    CHECK_EQ(cached(client, "entries"), 0);

    close_and_free(client);
    check_no_violations(&server);
    stop_server(&server);
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 4);
    check(argv[3], "cacheable=private", MODERN, false);
    check(argv[3], "cacheable=public", MODERN, true);
    check(argv[3], "sse", LEGACY, false);
    return 0;
}
