/*
 * Field fault P11: the "env" of the config is added to a short list of inherited variables (PATH, HOME and
 * their kind); it does not replace them. The host's other variables stay with the host unless "inherit_env"
 * says "all"; with "none" the server has the config's variables only. The host's own environment is not
 * touched.
 */
#include "check.h"

/* The server's variable, or "" if it has none (the tool then reports an error); free() it. */
static char *server_variable(mcp_client_t *client, const char *name) {
    char *arguments = format("{\"name\":\"%s\"}", name);
    mcp_message_t *reply = call_tool(client, "env", arguments, NULL);
    CHECK_STATUS(mcp_message_status(reply), MCP_OK);
    bool absent = json_is(mcp_message_json(reply, NULL), "/isError", "true");
    char *value = format("%s", absent ? "" : mcp_message_text(reply, NULL));
    mcp_message_free(reply);
    free(arguments);
    return value;
}

static void check_variable(mcp_client_t *client, const char *name, const char *expected) {
    char *value = server_variable(client, name);
    if (strcmp(value, expected) != 0) {
        FAIL("the server's %s is \"%s\", expected \"%s\"", name, value, expected);
    }
    free(value);
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 3);
    CHECK_EQ(setenv("MCP_TEST_SECRET", "do not pass on", 1), 0);
    CHECK_EQ(setenv("HOME", "/home/ada", 1), 0);
    const char *path = getenv("PATH");
    CHECK(path != NULL);

    mcp_client_t *client =
        connected(argv[1], NULL, "\"env\":{\"MCP_TEST_OWN\":\"a=b c\",\"LANG\":\"C.UTF-8\"}");
    check_variable(client, "MCP_TEST_OWN", "a=b c");
    check_variable(client, "LANG", "C.UTF-8");
    check_variable(client, "PATH", path);
    check_variable(client, "HOME", "/home/ada");
    check_variable(client, "MCP_TEST_SECRET", "");
    close_and_free(client);

    client = connected(argv[1], NULL, "\"env\":{\"HOME\":\"/elsewhere\"},\"inherit_env\":\"all\"");
    check_variable(client, "MCP_TEST_SECRET", "do not pass on");
    check_variable(client, "HOME", "/elsewhere");
    check_variable(client, "PATH", path);
    close_and_free(client);

    client = connected(argv[1], NULL, "\"env\":{\"ONLY\":\"this\"},\"inherit_env\":\"none\"");
    check_variable(client, "ONLY", "this");
    check_variable(client, "HOME", "");
    check_variable(client, "PATH", "");
    close_and_free(client);

    CHECK_TEXT(getenv("HOME"), "/home/ada");
    CHECK(getenv("MCP_TEST_OWN") == NULL);
    return 0;
}
