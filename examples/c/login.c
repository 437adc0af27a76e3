/*
 * login [--open] [--store DIRECTORY] URL TOOL [ARGUMENTS]: calls a tool of a server that wants to know who is asking.
 *
 * The URL to log in at is printed, or with --open given to the desktop's browser. It is for the person only: it goes
 * to no log and through no shell. The library listens on this machine for the browser to come back. With --store the login is
 * kept in files (an absolute path), so that the next run does not ask the person.
 */
#define _POSIX_C_SOURCE 200809L

#include <mcp.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

extern char **environ;

#ifdef __APPLE__
static const char *const OPENER = "open";
#else
static const char *const OPENER = "xdg-open";
#endif

/* Hands a URL to the desktop. Returns 0 if a program took it. */
static int open_browser(char *url) {
    char *arguments[] = {(char *)OPENER, url, NULL};
    pid_t opener = 0;
    int status = 0;
    if (posix_spawnp(&opener, OPENER, NULL, NULL, arguments, environ) != 0 || waitpid(opener, &status, 0) != opener) {
        return -1;
    }
    return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? 0 : -1;
}

/* Authorization wants something. What comes of it shows in the call, which waits. */
static void attend(mcp_client_t *client, mcp_message_t *message, int opens) {
    const char *wanted = mcp_message_json(message, NULL);
    char *kind = NULL;
    char *url = NULL;
    mcp_json_get(wanted, "/kind", &kind, NULL);
    mcp_json_get(wanted, "/url", &url, NULL);
    if (kind == NULL || url == NULL || strcmp(kind, "authorize") != 0) {
        mcp_client_abort_login(client, "this program can only open a URL", NULL);
    } else if (!opens) {
        printf("Log in at:\n%s\n", url);
    } else if (open_browser(url) == 0) {
        printf("Log in in your browser.\n");
    } else {
        printf("%s does not work here. Log in at:\n%s\n", OPENER, url);
    }
    fflush(stdout);
    mcp_string_free(url);
    mcp_string_free(kind);
}

/* A client of the server at a URL; NULL on failure, which is printed. */
static mcp_client_t *client_of(const char *url, const char *store) {
    char config[8192];
    char *place = NULL;
    char *directory = NULL;
    char *error = NULL;
    mcp_client_t *client = NULL;
    if (mcp_json_quote(url, &place) == MCP_OK && (store == NULL || mcp_json_quote(store, &directory) == MCP_OK)) {
        snprintf(config, sizeof config, "{\"url\": %s, \"auth\": {%s%s}}", place,
                 directory != NULL ? "\"store_directory\": " : "", directory != NULL ? directory : "");
        if (mcp_client_new(config, NULL, &client, &error) != MCP_OK) {
            fprintf(stderr, "%s\n", error);
        }
    }
    mcp_string_free(error);
    mcp_string_free(directory);
    mcp_string_free(place);
    return client;
}

int main(int argc, char **argv) {
    int opens = 0;
    const char *store = NULL;
    int next = 1;
    for (; next < argc && strncmp(argv[next], "--", 2) == 0; next++) {
        if (strcmp(argv[next], "--open") == 0) {
            opens = 1;
        } else if (strcmp(argv[next], "--store") == 0 && next + 1 < argc) {
            store = argv[++next];
        } else {
            break;
        }
    }
    if (argc - next < 2 || argc - next > 3) {
        fprintf(stderr, "usage: login [--open] [--store DIRECTORY] URL TOOL [ARGUMENTS]\n");
        return 2;
    }
    mcp_client_t *client = client_of(argv[next], store);
    if (client == NULL) {
        return 1;
    }
    /* The call connects, and waits for the login: its place in line is kept while the person takes their time. */
    char *error = NULL;
    mcp_status_t status =
        mcp_client_call_tool_start(client, argv[next + 1], argc - next == 3 ? argv[next + 2] : NULL, NULL, 1,
                                   NULL, &error);
    if (status != MCP_OK) {
        fprintf(stderr, "%s\n", error != NULL ? error : mcp_status_name(status));
    }
    mcp_string_free(error);
    for (int done = 0; status == MCP_OK && !done;) {
        mcp_message_t *message = NULL;
        status = mcp_client_poll(client, -1, &message);
        if (status != MCP_OK) {
            break;
        }
        if (mcp_message_kind(message) == MCP_KIND_AUTH) {
            attend(client, message, opens);
        } else if (mcp_message_kind(message) == MCP_KIND_REPLY) {
            status = mcp_message_status(message);
            const char *text = status == MCP_OK ? mcp_message_text(message, NULL) : NULL;
            fprintf(status == MCP_OK ? stdout : stderr, "%s\n", text != NULL ? text : mcp_message_json(message, NULL));
            done = 1;
        }
        mcp_message_free(message);
    }
    mcp_client_free(client);
    return status == MCP_OK ? 0 : 1;
}
