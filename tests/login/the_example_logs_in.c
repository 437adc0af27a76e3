/*
 * examples/c/login.c, run as a person would: it prints a URL, the person logs in there, and it prints what the tool says. With a
 * store the next run asks no person. With --open it starts the desktop's program for URLs, given the URL as one argument.
 */
#include "login.h"

#include <sys/stat.h>

static const char *example;

/* Starts the example with arguments behind the usual ones; `output` is for reading. */
static pid_t start_example(const struct login_servers *servers, const char *const *options, FILE **output) {
    const char *command[16] = {example};
    int count = 1;
    int ends[2];
    pid_t child = 0;
    posix_spawn_file_actions_t actions;
    char *url = format("http://127.0.0.1:%d/mcp", servers->mcp.port);
    for (; *options != NULL; options++) {
        command[count++] = *options;
    }
    command[count++] = url;
    command[count++] = "echo";
    command[count++] = "{\"text\": \"hello\"}";
    CHECK_EQ(pipe2(ends, O_CLOEXEC), 0);
    CHECK_EQ(posix_spawn_file_actions_init(&actions), 0);
    CHECK_EQ(posix_spawn_file_actions_adddup2(&actions, ends[1], 1), 0);
    CHECK_EQ(posix_spawn(&child, example, &actions, NULL, (char **)command, environ), 0);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    *output = fdopen(ends[0], "r");
    CHECK(*output != NULL);
    free(url);
    return child;
}

/* The next line it prints, without its end; free() it. */
static char *line_of(FILE *output) {
    char text[8192];
    CHECK(fgets(text, sizeof text, output) != NULL);
    text[strcspn(text, "\n")] = '\0';
    return format("%s", text);
}

static void prints(FILE *output, const char *expected) {
    char *line = line_of(output);
    CHECK_TEXT(line, expected);
    free(line);
}

static void ends_well(pid_t child, FILE *output) {
    int status = 0;
    CHECK_EQ(waitpid(child, &status, 0), child);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    fclose(output);
}

int main(int argc, char **argv) {
    struct holdings at_first = holdings_now();
    FILE *output = NULL;
    CHECK_EQ(argc, 5);
    example = argv[4];
    struct login_servers servers = start_login_servers(argc, argv);
    char *store = new_store();
    const char *with_store[] = {"--store", store, NULL};
    pid_t child = start_example(&servers, with_store, &output);
    prints(output, "Log in at:");
    char *url = line_of(output);
    CHECK_EQ(browse("agree", url, NULL), 0);
    prints(output, "hello");
    ends_well(child, output);
    free(url);

    child = start_example(&servers, with_store, &output);
    prints(output, "hello");
    ends_well(child, output);
    CHECK_EQ(counted(&servers, "granted_authorization_code"), 1);

    /* A desktop whose program for URLs goes on without the one that started it. */
    char *desktop = new_store();
    char *opener = format("%s/xdg-open", desktop);
    FILE *script = fopen(opener, "w");
    CHECK(script != NULL);
    fprintf(script, "#!/bin/sh\n[ $# = 1 ] || exit 1\n'%s' '%s' agree \"$1\" >/dev/null &\n", node_program, browser_script);
    CHECK_EQ(fclose(script), 0);
    CHECK_EQ(chmod(opener, 0700), 0);
    char *path = format("%s:%s", desktop, getenv("PATH"));
    CHECK_EQ(setenv("PATH", path, 1), 0);
    child = start_example(&servers, ARGS("--open"), &output);
    prints(output, "Log in in your browser.");
    prints(output, "hello");
    ends_well(child, output);
    CHECK_EQ(counted(&servers, "granted_authorization_code"), 2);

    free(path);
    free(opener);
    remove_store(desktop);
    remove_store(store);
    stop_login_servers(&servers);
    check_nothing_left(at_first);
    return 0;
}
