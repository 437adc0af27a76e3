/*
 * Client credentials with a key that only the application has, for example in hardware (private_key_jwt): it is asked in a
 * message for the signature of each assertion, or gives a whole assertion of its own, and this authorization server verifies
 * them, in both algorithms. What is not a signature, or not given, fails the call and says why; nothing of it is shown.
 */
#include "signer.h"

#define SCOPES "\"scopes\":[\"mcp:basic\",\"mcp:write\"]"

static char *seen; /* the last input that was to be signed, or assertion that was given */
static const char *client_id;
static int authorization_port;
static bool gives_all;

static void signs(mcp_client_t *client, mcp_message_t *message, void *user) {
    struct signer *signer = user;
    const char *what = mcp_message_json(message, NULL);
    char answer[2048];
    CHECK(json_is(what, "/kind", "sign"));
    CHECK(json_is(what, "/purpose", "assertion"));
    CHECK(json_is(what, "/key_id", "in the chip"));
    CHECK(json_is(what, "/client_id", client_id));
    char *issuer = format("http://127.0.0.1:%d", authorization_port);
    CHECK(json_is(what, "/audience", issuer));
    char *input = json_at(what, "/input");
    char *claims = format("{\"iss\":\"%s\",\"sub\":\"%s\",\"aud\":\"%s\",\"exp\":%lld,\"jti\":\"own-%lld\"}", client_id, client_id,
                          issuer, (long long)time(NULL) + 30, now_ms());
    let_sign(signer, gives_all ? claims : input, answer, sizeof answer);
    free(seen);
    seen = format("%s", gives_all ? answer : input);
    signer->signatures++;
    CHECK_STATUS(mcp_client_answer_auth(client, message, signer->instead != NULL ? signer->instead : answer,
                                        signer->failure, NULL),
                 MCP_OK);
    /* Once. */
    CHECK_STATUS(mcp_client_answer_auth(client, message, answer, NULL, NULL), MCP_ERROR_AUTH);
    mcp_string_free(input);
    free(claims);
    free(issuer);
}

/* Takes the message and gives no answer. */
static void is_silent(mcp_client_t *client, mcp_message_t *message, void *user) {
    (void)client, (void)user;
    CHECK(json_is(mcp_message_json(message, NULL), "/kind", "sign"));
}

static void fails_with(const struct login_servers *servers, const char *auth, struct signer *signer, attend *attends,
                       const char *why) {
    mcp_client_t *client = login_client(servers, auth);
    char *error = fails_attended(client, "echo", attends, signer);
    CHECK_CONTAINS(error, why);
    CHECK(seen == NULL || strstr(error, seen) == NULL);
    CHECK(signer->instead == NULL || strstr(error, signer->instead) == NULL);
    free(error);
    close_and_free(client);
}

static void check(int argc, char **argv, const char *algorithm) {
    struct login_servers servers = start_login_servers(argc, argv);
    struct signer signer = {0};
    struct signer other = {0};
    start_signer(&signer, algorithm);
    start_signer(&other, algorithm);
    authorization_port = servers.authorization;
    char *metadata = format("{\"redirect_uris\":[],\"response_types\":[],\"grant_types\":[\"client_credentials\"],"
                            "\"token_endpoint_auth_method\":\"private_key_jwt\",\"token_endpoint_auth_signing_alg\":\"%s\","
                            "\"jwks\":{\"keys\":[{\"kid\":\"in the chip\",%s]}}",
                            algorithm, signer.key + 1);
    char *registered = control(&servers.mcp, "POST", "/client", metadata);
    char *id = json_at(registered, "/client_id");
    client_id = id;
    char *issuer = issuer_of(&servers);
    char *auth = format("%s,\"type\":\"client_credentials\",\"client_id\":\"%s\",\"signer\":\"application\","
                        "\"signing_algorithm\":\"%s\",\"key_id\":\"in the chip\",\"patience_ms\":5000," SCOPES,
                        issuer, id, algorithm);
    free(issuer);

    /* Each new token takes an assertion of its own. */
    set_servers(&servers, "{\"ttl\":3}");
    mcp_client_t *client = login_client(&servers, auth);
    for (long long until = now_ms() + 30000; counted(&servers, "granted_client_credentials") < 2; breathe()) {
        CHECK_LE(now_ms(), until);
        works_attended(client, "echo", signs, &signer);
    }
    CHECK_EQ(signer.signatures, counted(&servers, "granted_client_credentials"));
    close_and_free(client);
    set_servers(&servers, "{\"ttl\":3600}");

    /* All of it made by the application. */
    gives_all = true;
    client = login_client(&servers, auth);
    works_attended(client, "echo", signs, &signer);
    CHECK_EQ(signer.signatures, counted(&servers, "granted_client_credentials"));
    close_and_free(client);
    gives_all = false;

    fails_with(&servers, auth, &other, signs, "invalid_client");
    signer.failure = "the chip is busy";
    fails_with(&servers, auth, &signer, signs, "the chip is busy");
    signer.failure = NULL;
    signer.instead = "c2hvcnQ";
    fails_with(&servers, auth, &signer, signs, "signature, which is");
    signer.instead = NULL;
    fails_with(&servers, auth, &signer, is_silent, "freed the message without an answer");

    stop_signer(&signer);
    stop_signer(&other);
    stop_login_servers(&servers);
    free(seen);
    seen = NULL;
    free(auth);
    mcp_string_free(id);
    free(registered);
    free(metadata);
}

int main(int argc, char **argv) {
    struct holdings before = holdings_now();
    check(argc, argv, "ES256");
    check(argc, argv, "RS256");
    check_nothing_left(before);
    return 0;
}
