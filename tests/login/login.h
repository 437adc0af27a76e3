/*
 * For the login tests: the servers of servers.mjs, the person of browser.mjs, and clients that log in there. A program that
 * includes this is run as: PROGRAM NODE SERVERS_SCRIPT BROWSER_SCRIPT
 */
#ifndef MCP_TESTS_LOGIN_H
#define MCP_TESTS_LOGIN_H

#include "../c/http.h"

/* What the program was started with. */
static const char *node_program, *servers_script, *browser_script;

/* ---- servers ----------------------------------------------------------------------------- */

/* `port` is the MCP server's, `authorization` the other one's. */
struct login_servers {
    struct server mcp;
    int authorization;
    int input; /* closing it ends them */
};

static inline struct login_servers start_login_servers(int argc, char **argv) {
    struct login_servers servers = {0};
    int output[2];
    int input[2];
    posix_spawn_file_actions_t actions;
    CHECK_GE(argc, 4);
    node_program = argv[1];
    servers_script = argv[2];
    browser_script = argv[3];
    char *command[] = {argv[1], argv[2], NULL};
    CHECK_EQ(pipe2(output, O_CLOEXEC), 0);
    CHECK_EQ(pipe2(input, O_CLOEXEC), 0);
    CHECK_EQ(posix_spawn_file_actions_init(&actions), 0);
    CHECK_EQ(posix_spawn_file_actions_adddup2(&actions, input[0], 0), 0);
    CHECK_EQ(posix_spawn_file_actions_adddup2(&actions, output[1], 1), 0);
    CHECK_EQ(posix_spawn(&servers.mcp.pid, argv[1], &actions, NULL, command, environ), 0);
    posix_spawn_file_actions_destroy(&actions);
    close(output[1]);
    close(input[0]);
    servers.input = input[1];
    FILE *lines = fdopen(output[0], "r");
    CHECK(lines != NULL);
    if (fscanf(lines, "%d %d %d", &servers.mcp.port, &servers.authorization, &servers.mcp.control) != 3) {
        FAIL("the servers did not start");
    }
    fclose(lines);
    return servers;
}

static inline void stop_login_servers(struct login_servers *servers) {
    close(servers->input);
    stop_server(&servers->mcp);
}

/* Changes what the servers do, as JSON. */
static inline void set_servers(const struct login_servers *servers, const char *members) {
    free(control(&servers->mcp, "POST", "/set", members));
}

/* How often something happened. */
static inline long long counted(const struct login_servers *servers, const char *what) {
    char *pointer = format("/%s", what);
    long long count = stat_of(&servers->mcp, pointer);
    free(pointer);
    return count;
}

/* ---- the person -------------------------------------------------------------------------- */

/* Has the person open a URL; what the browser prints goes to `printed` unless that is NULL; free() it. Gives its status. */
static inline int browse(const char *wish, const char *url, char **printed) {
    char *command[] = {(char *)node_program, (char *)browser_script, (char *)wish, (char *)url, NULL};
    int output[2];
    pid_t browser = 0;
    posix_spawn_file_actions_t actions;
    CHECK_EQ(pipe2(output, O_CLOEXEC), 0);
    CHECK_EQ(posix_spawn_file_actions_init(&actions), 0);
    CHECK_EQ(posix_spawn_file_actions_adddup2(&actions, output[1], 1), 0);
    if (printed != NULL) {
        CHECK_EQ(posix_spawn_file_actions_adddup2(&actions, output[1], 2), 0);
    }
    CHECK_EQ(posix_spawn(&browser, node_program, &actions, NULL, command, environ), 0);
    posix_spawn_file_actions_destroy(&actions);
    close(output[1]);
    char text[8192];
    size_t length = 0;
    for (ssize_t got; length < sizeof text - 1 && (got = read(output[0], text + length, sizeof text - 1 - length)) > 0;) {
        length += (size_t)got;
    }
    close(output[0]);
    text[length] = '\0';
    text[strcspn(text, "\n")] = '\0';
    int status = 0;
    CHECK_EQ(waitpid(browser, &status, 0), browser);
    CHECK(WIFEXITED(status));
    if (printed != NULL) {
        *printed = format("%s", text);
    }
    return WEXITSTATUS(status);
}

/* ---- clients ----------------------------------------------------------------------------- */

/* The member of "auth" that names the authorization server, which credentials of the configuration need; free() it. */
static inline char *issuer_of(const struct login_servers *servers) {
    return format("\"issuer\":\"http://127.0.0.1:%d\"", servers->authorization);
}

/* A client of the MCP server; `auth` are the members of its key "auth", "" for none. */
static inline mcp_client_t *login_client(const struct login_servers *servers, const char *auth) {
    return client_of_config(format("{\"url\":\"http://127.0.0.1:%d/mcp\",\"auth\":{%s}}", servers->mcp.port, auth));
}

/* What a person and an application do about a message of kind AUTH. */
typedef void attend(mcp_client_t *client, mcp_message_t *message, void *user);

/* How often a person was asked to log in; `user` of `agrees` may be one of these, or NULL. */
struct person {
    int asked;
};

/* Logs in, through the library's own listener. */
static inline void agrees(mcp_client_t *client, mcp_message_t *message, void *user) {
    const char *what = mcp_message_json(message, NULL);
    (void)client;
    CHECK(json_is(what, "/kind", "authorize"));
    CHECK(json_is(what, "/listens", "true"));
    char *url = json_at(what, "/url");
    CHECK_EQ(browse("agree", url, NULL), 0);
    mcp_string_free(url);
    if (user != NULL) {
        ((struct person *)user)->asked++;
    }
}

/* No person is to be asked for anything. */
static inline void is_not_asked(mcp_client_t *client, mcp_message_t *message, void *user) {
    (void)client, (void)user;
    FAIL("no person should have been asked: %s", mcp_message_json(message, NULL));
}

/* Calls a tool, with a person who attends to what authorization wants; gives the reply; mcp_message_free() it. */
static inline mcp_message_t *call_attended(mcp_client_t *client, const char *tool, const char *arguments, attend *attends,
                                           void *user) {
    start_tool(client, tool, arguments, "{\"timeout_ms\":30000}", 1);
    for (;;) {
        mcp_message_t *message = NULL;
        mcp_status_t status = mcp_client_poll(client, patience() + 20000, &message);
        if (status != MCP_OK) {
            FAIL("no reply of %s: %s", tool, mcp_status_name(status));
        }
        if (mcp_message_kind(message) == MCP_KIND_REPLY) {
            return message;
        }
        if (mcp_message_kind(message) == MCP_KIND_AUTH) {
            attends(client, message, user);
        }
        mcp_message_free(message);
    }
}

/* Calls a tool that must work. */
static inline void works_attended(mcp_client_t *client, const char *tool, attend *attends, void *user) {
    bool echoes = strcmp(tool, "echo") == 0;
    mcp_message_t *reply = call_attended(client, tool, echoes ? "{\"text\":\"hello\"}" : "{}", attends, user);
    const char *text = mcp_message_text(reply, NULL);
    if (mcp_message_status(reply) != MCP_OK || text == NULL || strcmp(text, echoes ? "hello" : "written") != 0) {
        FAIL("%s: %s", tool, mcp_message_json(reply, NULL));
    }
    mcp_message_free(reply);
}

/* Calls a tool that must fail with MCP_ERROR_AUTH; gives the error object; free() it. */
static inline char *fails_attended(mcp_client_t *client, const char *tool, attend *attends, void *user) {
    mcp_message_t *reply = call_attended(client, tool, "{\"text\":\"hello\"}", attends, user);
    CHECK_STATUS(mcp_message_status(reply), MCP_ERROR_AUTH);
    char *error = format("%s", mcp_message_json(reply, NULL));
    mcp_message_free(reply);
    return error;
}

/* ---- a store in files -------------------------------------------------------------------- */

/* A new empty directory below the current one; free() the path, remove_store() it. */
static inline char *new_store(void) {
    char here[2048];
    CHECK(getcwd(here, sizeof here) != NULL);
    char *path = format("%s/tokens-XXXXXX", here);
    CHECK(mkdtemp(path) != NULL);
    return path;
}

static inline void remove_store(char *path) {
    DIR *entries = opendir(path);
    CHECK(entries != NULL);
    for (struct dirent *entry; (entry = readdir(entries)) != NULL;) {
        if (entry->d_name[0] != '.') {
            CHECK_EQ(unlinkat(dirfd(entries), entry->d_name, 0), 0);
        }
    }
    closedir(entries);
    CHECK_EQ(rmdir(path), 0);
    free(path);
}

/* The member of "auth" that names a store in files; free() it. */
static inline char *in_store(const char *path) { return format("\"store_directory\":\"%s\"", path); }

#endif
