/*
 * A key that no other process sees, such as one in a security chip: the process of signer.mjs signs with it.
 */
#ifndef MCP_TESTS_SIGNER_H
#define MCP_TESTS_SIGNER_H

#include "login.h"

struct signer {
    FILE *input, *output;
    pid_t process;
    char key[1024];
    int signatures, asked;
    const char *instead; /* of a signature */
    const char *failure;
};

static inline void line_from(FILE *file, char *text, int size) {
    CHECK(fgets(text, size, file) != NULL);
    text[strcspn(text, "\n")] = '\0';
}

static inline void start_signer(struct signer *signer, const char *algorithm) {
    int input[2];
    int output[2];
    posix_spawn_file_actions_t actions;
    char *script = format("%.*s/signer.mjs", (int)(strrchr(browser_script, '/') - browser_script), browser_script);
    char *command[] = {(char *)node_program, script, (char *)algorithm, NULL};
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

static inline void stop_signer(struct signer *signer) {
    fclose(signer->input);
    fclose(signer->output);
    CHECK_EQ(waitpid(signer->process, NULL, 0), signer->process);
}

/* The signature of a text; or, of JSON, a whole signed token with these claims. */
static inline void let_sign(struct signer *signer, const char *text, char *signature, int size) {
    fprintf(signer->input, "%s\n", text);
    CHECK_EQ(fflush(signer->input), 0);
    line_from(signer->output, signature, size);
}

#endif
