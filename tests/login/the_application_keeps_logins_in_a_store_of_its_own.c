/*
 * The application keeps logins itself, asked in messages: a second client finds what the first left and asks no person. What goes
 * wrong in that store is told, and an answer that is no longer waited for is refused.
 */
#include "login.h"

/* The application's store, and what it does. */
struct keeper {
    char *text;
    char key[256];
    int loads, saves, locked, asked;
    const char *failure; /* of every load */
    const char *save_failure;
    bool forgets;        /* frees messages without an answer */
};

static void keeps(mcp_client_t *client, mcp_message_t *message, void *user) {
    struct keeper *keeper = user;
    const char *what = mcp_message_json(message, NULL);
    char *error = NULL;
    if (json_is(what, "/kind", "authorize")) {
        keeper->asked++;
        agrees(client, message, NULL);
        return;
    }
    char *key = json_at(what, "/key");
    if (keeper->key[0] == '\0') {
        snprintf(keeper->key, sizeof keeper->key, "%s", key);
    }
    CHECK_TEXT(key, keeper->key);
    mcp_string_free(key);
    if (json_is(what, "/kind", "unlock")) {
        CHECK_STATUS(mcp_client_answer_auth(client, message, NULL, NULL, &error), MCP_ERROR_INVALID_ARGUMENT);
        mcp_string_free(error);
        keeper->locked--;
        return;
    }
    if (keeper->forgets) {
        return;
    }
    if (json_is(what, "/kind", "load")) {
        keeper->loads++;
        bool locks = json_is(what, "/lock", "true");
        keeper->locked += locks && keeper->failure == NULL ? 1 : 0;
        CHECK_STATUS(mcp_client_answer_auth(client, message, keeper->text, keeper->failure, &error), MCP_OK);
    } else {
        CHECK(json_is(what, "/kind", "save"));
        CHECK_EQ(keeper->locked, 1);
        keeper->locked--;
        keeper->saves++;
        if (keeper->save_failure == NULL) {
            char *text = json_at(what, "/text");
            free(keeper->text);
            keeper->text = format("%s", text);
            mcp_string_free(text);
        }
        CHECK_STATUS(mcp_client_answer_auth(client, message, NULL, keeper->save_failure, &error), MCP_OK);
    }
    /* One message, one answer. */
    CHECK_STATUS(mcp_client_answer_auth(client, message, NULL, NULL, &error), MCP_ERROR_AUTH);
    CHECK_CONTAINS(error, "no longer waited for");
    mcp_string_free(error);
    CHECK_STATUS(mcp_request_respond(message, "{}", NULL), MCP_ERROR_INVALID_ARGUMENT);
}

#define OWN_STORE "\"store\":\"application\""

int main(int argc, char **argv) {
    struct holdings at_first = holdings_now();
    struct login_servers servers = start_login_servers(argc, argv);
    struct keeper keeper = {0};
    set_servers(&servers, "{\"ttl\":3}");
    mcp_client_t *client = login_client(&servers, OWN_STORE);
    works_attended(client, "echo", keeps, &keeper);
    CHECK_EQ(keeper.asked, 1);
    CHECK_GE(keeper.saves, 1);
    CHECK_CONTAINS(keeper.text, "\"refresh\"");
    close_and_free(client);

    client = login_client(&servers, OWN_STORE);
    for (long long until = now_ms() + 30000; counted(&servers, "granted_refresh_token") < 2; breathe()) {
        CHECK_LE(now_ms(), until);
        works_attended(client, "echo", keeps, &keeper);
    }
    close_and_free(client);
    CHECK_EQ(keeper.asked, 1);
    CHECK_GE(keeper.saves, 2);
    CHECK_EQ(counted(&servers, "refused_refresh_token"), 0);

    /* A store that cannot be read: the call says so in the application's words. */
    keeper.failure = "the keychain is locked";
    client = login_client(&servers, OWN_STORE);
    char *error = fails_attended(client, "echo", keeps, &keeper);
    CHECK_CONTAINS(error, "the keychain is locked");
    CHECK_CONTAINS(error, "token store");
    free(error);
    /* It is asked again by the next attempt to connect. */
    keeper.failure = NULL;
    set_servers(&servers, "{\"ttl\":3600}");
    for (bool ready = false; !ready;) {
        mcp_message_t *message = NULL;
        CHECK_STATUS(mcp_client_poll(client, patience(), &message), MCP_OK);
        if (mcp_message_kind(message) == MCP_KIND_AUTH) {
            keeps(client, message, &keeper);
        }
        ready = mcp_message_kind(message) == MCP_KIND_STATE && json_is(mcp_message_json(message, NULL), "/state", "ready");
        mcp_message_free(message);
    }
    works_attended(client, "echo", keeps, &keeper);
    CHECK_EQ(keeper.asked, 1);
    close_and_free(client);

    /* A message that is freed without an answer is a failure, at once. */
    keeper.forgets = true;
    client = login_client(&servers, OWN_STORE);
    error = fails_attended(client, "echo", keeps, &keeper);
    CHECK_CONTAINS(error, "without an answer");
    free(error);
    keeper.forgets = false;
    close_and_free(client);

    /* What cannot be written works until the client ends. */
    free(keeper.text);
    keeper.text = NULL;
    keeper.save_failure = "no room";
    client = login_client(&servers, OWN_STORE);
    works_attended(client, "echo", keeps, &keeper);
    works_attended(client, "echo", keeps, &keeper);
    CHECK_EQ(keeper.asked, 2);
    CHECK(keeper.text == NULL);
    close_and_free(client);
    CHECK_EQ(keeper.locked, 0);
    stop_login_servers(&servers);
    check_nothing_left(at_first);
    return 0;
}
