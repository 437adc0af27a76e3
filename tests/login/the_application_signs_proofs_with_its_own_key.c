/*
 * Tokens are bound to a key that the application has, for example in hardware: it signs each proof, asked in messages, and
 * these servers verify them. A signature that is invalid, or not given, fails the call and says why. A login that is bound to
 * another key is not used.
 */
#include "signer.h"

static void signs(mcp_client_t *client, mcp_message_t *message, void *user) {
    struct signer *signer = user;
    const char *what = mcp_message_json(message, NULL);
    char signature[256];
    if (json_is(what, "/kind", "authorize")) {
        signer->asked++;
        agrees(client, message, NULL);
        return;
    }
    CHECK(json_is(what, "/kind", "sign"));
    CHECK(json_is(what, "/purpose", "proof"));
    CHECK(json_is(what, "/algorithm", "ES256"));
    char *input = json_at(what, "/input");
    let_sign(signer, input, signature, sizeof signature);
    mcp_string_free(input);
    signer->signatures++;
    CHECK_STATUS(mcp_client_answer_auth(client, message,
                                        signer->instead != NULL ? signer->instead : signature, signer->failure, NULL),
                 MCP_OK);
}

int main(int argc, char **argv) {
    struct holdings at_first = holdings_now();
    struct login_servers servers = start_login_servers(argc, argv);
    struct signer signer = {0};
    struct signer other = {0};
    start_signer(&signer, "ES256");
    start_signer(&other, "ES256");
    char *store = new_store();
    char *auth = format("\"store_directory\":\"%s\",\"dpop_key\":%s", store, signer.key);
    set_servers(&servers, "{\"ttl\":4,\"dpop\":true}");
    mcp_client_t *client = login_client(&servers, auth);
    for (long long until = now_ms() + 30000; counted(&servers, "granted_refresh_token") < 1; breathe()) {
        CHECK_LE(now_ms(), until);
        works_attended(client, "echo", signs, &signer);
    }
    CHECK_EQ(signer.asked, 1);
    CHECK_EQ(counted(&servers, "challenged_invalid_dpop_proof"), 0);
    CHECK_GE(signer.signatures, counted(&servers, "served"));

    signer.failure = "the chip is busy";
    char *error = fails_attended(client, "echo", signs, &signer);
    CHECK_CONTAINS(error, "the chip is busy");
    free(error);
    signer.failure = NULL;
    signer.instead = "c2hvcnQ";
    error = fails_attended(client, "echo", signs, &signer);
    CHECK_CONTAINS(error, "signature is not ES256");
    free(error);
    signer.instead = NULL;
    set_servers(&servers, "{\"ttl\":3600}");
    works_attended(client, "echo", signs, &signer);
    close_and_free(client);

    /* The same key in another process goes on with the login. */
    client = login_client(&servers, auth);
    works_attended(client, "echo", signs, &signer);
    CHECK_EQ(signer.asked, 1);
    close_and_free(client);
    free(auth);

    /* Another key: its tokens would be worth nothing, so that the person is asked. */
    auth = format("\"store_directory\":\"%s\",\"dpop_key\":%s", store, other.key);
    client = login_client(&servers, auth);
    works_attended(client, "echo", signs, &other);
    CHECK_EQ(other.asked, 1);
    CHECK_EQ(counted(&servers, "challenged_invalid_dpop_proof"), 0);
    close_and_free(client);
    stop_signer(&signer);
    stop_signer(&other);
    stop_login_servers(&servers);
    free(auth);
    remove_store(store);
    check_nothing_left(at_first);
    return 0;
}
