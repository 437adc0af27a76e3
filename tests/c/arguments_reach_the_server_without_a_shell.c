/*
 * A server is started with the list of arguments as it stands in the config. No shell sees them: quotes,
 * spaces, line breaks, wildcards, variables and command substitutions arrive as they are, and so does an empty
 * argument. The same holds for the values of its environment.
 */
#include "check.h"

/* Starts the server if its argument is what the environment says it should be. */
#define COMPARE "test $# = 1 && test \"$1\" = \"$WANTED\" && exec \"$0\""

static const char *const ODD[] = {
    "",
    " ",
    "*",
    "$HOME ${HOME} $(exit 3) `exit 3`",
    "'single' \"double\" \\back\\",
    "a;b|c&d>e<f",
    "two\nlines\n",
    "-n",
    "gr\xc3\xbc\xc3\x9f",
};

static void check_argument(const char *server, const char *argument) {
    char *quoted = NULL;
    CHECK_STATUS(mcp_json_quote(argument, &quoted), MCP_OK);
    char *members = format("\"reconnect\":false,\"env\":{\"WANTED\":%s}", quoted);
    mcp_client_t *client = connected("sh", ARGS("-c", COMPARE, server, argument), members);
    check_echo(client, "started");
    close_and_free(client);
    free(members);
    mcp_string_free(quoted);
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 3);
    for (size_t i = 0; i < sizeof ODD / sizeof ODD[0]; i++) {
        check_argument(argv[1], ODD[i]);
    }
    return 0;
}
