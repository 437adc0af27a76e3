/*
 * Tokens are bound to a key that the application has, for example in hardware: it signs each proof, asked in messages, and
 * these servers verify them. A signature that is none, or not given, fails the call and says why. A login that is bound to
 * another key is not used.
 */
#include "login.h"

struct signer {
    FILE *input, *output;
    pid_t process;
    char key[1024];
    int signatures, asked;
    const char *instead; /* of a signature */
    const char *failure;
};

static void line_from(FILE *file, char *text, int size) {
    CHECK(fgets(text, size, file) != NULL);
    text[strcspn(text, "\n")] = '\0';
}

static void start_signer(struct signer *signer) {
    int input[2];
    int output[2];
    posix_spawn_file_actions_t actions;
    char *script = format("%.*s/signer.mjs", (int)(strrchr(browser_script, '/') - browser_script), browser_script);
    char *command[] = {(char *)node_program, script, NULL};
    CHECK_EQ(pipe2(input, O_CLOEXEC), 0);
    CHECK_EQ(pipe2(output, O_CLOEXEC), 0);
    CHECK_EQ(posix_spawn_file_actions_init(&actions), 0);
    CHECK_EQ(posix_spawn_file_actions_adddup2(&actions, input[0], 0), 0);
    CHECK_EQ(posix_spawn_file_actions_adddup2(&actions, output[1], 1), 0);
    CHECK_EQ(posix_spawn(&signer->process, node_program, &actions, NULL, command, environ), 0);
    posix_spawn_file_actions_destroy(&actions);
    close(input[0]);
    close(output[1]);
    signer->input = fdopen(input[1], "w");
    signer->output = fdopen(output[0], "r");
    CHECK(signer->input != NULL && signer->output != NULL);
    line_from(signer->output, signer->key, sizeof signer->key);
    free(script);
}

static void stop_signer(struct signer *signer) {
    fclose(signer->input);
    fclose(signer->output);
    CHECK_EQ(waitpid(signer->process, NULL, 0), signer->process);
}

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
    CHECK(json_is(what, "/algorithm", "ES256"));
    char *input = json_at(what, "/input");
    fprintf(signer->input, "%s\n", input);
    CHECK_EQ(fflush(signer->input), 0);
    line_from(signer->output, signature, sizeof signature);
    mcp_string_free(input);
    signer->signatures++;
    CHECK_STATUS(mcp_auth_answer(client, message, signer->instead != NULL ? signer->instead : signature, signer->failure, NULL),
                 MCP_OK);
}

int main(int argc, char **argv) {
    struct login_servers servers = start_login_servers(argc, argv);
    struct signer signer = {0};
    struct signer other = {0};
    start_signer(&signer);
    start_signer(&other);
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
    CHECK_CONTAINS(error, "no ES256 signature");
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
    return 0;
}
