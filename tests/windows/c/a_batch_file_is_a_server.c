/*
 * A command without an ending is found in PATH with the endings of PATHEXT, and a batch file is run as one: its arguments arrive as
 * they were given, and one that cmd.exe would read as a command is refused. What is in no directory is told with the names of both
 * variables.
 */
#include "check.h"

static char *config_of(const char *command, const char *argument) {
    char here[1024];
    char *quoted = NULL;
    CHECK(getcwd(here, sizeof here) != NULL);
    CHECK_STATUS(mcp_json_quote(here, &quoted), MCP_OK);
    char *config = format("{\"command\":\"%s\",\"args\":[\"--era\",\"%s\"],\"env\":{\"PATH\":%s},\"reconnect\":false}", command,
                          argument, quoted);
    mcp_string_free(quoted);
    return config;
}

static mcp_client_t *client_of(const char *command, const char *argument) {
    mcp_client_t *client = NULL;
    char *config = config_of(command, argument);
    CHECK_STATUS(mcp_client_new(config, NULL, &client, NULL), MCP_OK);
    free(config);
    return client;
}

static void is_refused(const char *command, const char *argument, const char *part) {
    char *error = NULL;
    mcp_client_t *client = client_of(command, argument);
    CHECK_NE(mcp_client_connect(client, patience(), &error), MCP_OK);
    CHECK_CONTAINS(error, part);
    mcp_string_free(error);
    close_and_free(client);
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 3);
    FILE *batch = fopen("batch server.cmd", "w");
    CHECK(batch != NULL);
    CHECK_GE(fprintf(batch, "@echo off\r\n\"%s\" %%*\r\n", argv[1]), 1);
    CHECK_EQ(fclose(batch), 0);

    static const char *const eras[] = {"legacy", "modern"};
    for (size_t i = 0; i < 2; i++) {
        mcp_client_t *client = client_of("batch server", eras[i]);
        connect_client(client);
        char *info = info_of(client);
        CHECK(json_is(info, "/era", eras[i]));
        mcp_string_free(info);
        check_echo(client, "through a batch file: & | < > ^");
        close_and_free(client);
    }
    is_refused("batch server", "%PATH%", "a batch file cannot be given safely");
    is_refused("no such server", "both", "words behind it");
    is_refused("no-such-server", "both", "PATHEXT");
    remove("batch server.cmd");
    return 0;
}
