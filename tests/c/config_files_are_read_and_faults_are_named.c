/*
 * Files with configurations: what they may have, and how a mistake is told.
 */
#include "check.h"

/*
 * mcp_config_load reads one server of a well-known mcpServers file, with ${VAR} and ${VAR:-default} filled
 * in, as a config that mcp_client_new takes as it is. mcp_config_servers lists them in the order of the file. A file that is not there, a name that is not in it and
 * a variable that is not set are errors that say which.
 */
static char path[] = "/tmp/mcp-test-XXXXXX";

static void write_file(const char *server) {
    int file = mkstemp(path);
    CHECK_GE(file, 0);
    char *text = format(
        "{\"mcpServers\":{"
        "\"example\":{\"command\":\"${MCP_TEST_SERVER}\",\"args\":[\"--era\",\"${MCP_TEST_ERA:-legacy}\"],"
        "\"env\":{\"GREETING\":\"${MCP_TEST_GREETING:-hello} \\\"you\\\"\"}},"
        "\"oth\\u0065r\":{\"command\":\"%s\",\"disabled\":true},"
        "\"unset\":{\"command\":\"x\",\"env\":{\"KEY\":\"${MCP_TEST_NOT_SET}\"}}}}",
        server);
    CHECK_EQ(write(file, text, strlen(text)), (ssize_t)strlen(text));
    close(file);
    free(text);
    CHECK_EQ(setenv("MCP_TEST_SERVER", server, 1), 0);
    CHECK_EQ(setenv("MCP_TEST_GREETING", "ahoj", 1), 0);
    CHECK_EQ(unsetenv("MCP_TEST_ERA"), 0);
    CHECK_EQ(unsetenv("MCP_TEST_NOT_SET"), 0);
}

static void check_error(const char *file, const char *name, const char *part) {
    char *config = NULL;
    char *error = NULL;
    CHECK_STATUS(mcp_config_load(file, name, &config, &error), MCP_ERROR_INVALID_ARGUMENT);
    CHECK(config == NULL);
    char *message = json_at(error, "/message");
    CHECK_CONTAINS(message, part);
    mcp_string_free(message);
    mcp_string_free(error);
}

static void config_files_are_read(char **argv) {
    char *config = NULL;
    mcp_client_t *client = NULL;
    write_file(argv[1]);
    CHECK_STATUS(mcp_config_load(path, "example", &config, NULL), MCP_OK);
    CHECK(json_is(config, "/command", argv[1]));
    CHECK(json_is(config, "/args/1", "legacy"));
    CHECK(json_is(config, "/env/GREETING", "ahoj \"you\""));
    CHECK_STATUS(mcp_client_new(config, NULL, &client, NULL), MCP_OK);
    char *greeting = tool_text(client, "env", "{\"name\":\"GREETING\"}");
    CHECK_TEXT(greeting, "ahoj \"you\"");
    free(greeting);
    close_and_free(client);
    mcp_string_free(config);

    char *servers = NULL;
    CHECK_STATUS(mcp_config_servers(path, &servers, NULL), MCP_OK);
    CHECK_TEXT(servers, "[{\"disabled\":false,\"name\":\"example\"},{\"disabled\":true,\"name\":\"other\"},"
                        "{\"disabled\":false,\"name\":\"unset\"}]");
    mcp_string_free(servers);
    servers = NULL;
    char *why = NULL;
    CHECK_STATUS(mcp_config_servers("/nowhere/mcp.json", &servers, &why), MCP_ERROR_INVALID_ARGUMENT);
    CHECK(servers == NULL && json_is(why, "/details/path", "/nowhere/mcp.json"));
    CHECK(json_is(why, "/operation", "config_servers"));
    mcp_string_free(why);
    CHECK_STATUS(mcp_config_servers(path, NULL, NULL), MCP_ERROR_INVALID_ARGUMENT);

    check_error("/nowhere/mcp.json", "example", "/nowhere/mcp.json");
    check_error(path, "exmaple", "example");
    check_error(path, "unset", "MCP_TEST_NOT_SET");
    unlink(path);
}

/*
 * What is wrong in a file of servers is told when it is read, with the file, the server and the key: a key that does not
 * exist or belongs to another transport, a key that stands there twice, half of a surrogate pair, a variable that is not
 * set. A server that the file says is disabled is MCP_ERROR_UNAVAILABLE, not a configuration. Other servers of the same file
 * are not concerned. Another key is proposed only where it is close.
 */
static char wrong_path[] = "/tmp/mcp-test-XXXXXX";

static void write_file_wrong(const char *text) {
    FILE *file = fopen(wrong_path, "we");
    CHECK(file != NULL);
    CHECK_GE(fputs(text, file), 0);
    fclose(file);
}

/* The error of reading a server of the file. mcp_string_free() it. */
static char *refused(const char *name, mcp_status_t expected) {
    char *config = NULL;
    char *error = NULL;
    CHECK_STATUS(mcp_config_load(wrong_path, name, &config, &error), expected);
    CHECK(config == NULL && error != NULL);
    CHECK(json_is(error, "/status", mcp_status_name(expected)));
    return error;
}

/* A server that is so is refused; the error names file and server, has this key in its details, and says this. */
static void check_entry(const char *entry, const char *key, const char *says) {
    char *text = format("{\"mcpServers\":{\"good\":{\"command\":\"x\"},\"web\":%s}}", entry);
    write_file_wrong(text);
    free(text);
    char *error = refused("web", MCP_ERROR_INVALID_ARGUMENT);
    char *message = json_at(error, "/message");
    char *begin = format("server 'web' in '%s': ", wrong_path);
    CHECK_CONTAINS(message, begin);
    CHECK_CONTAINS(message, says);
    CHECK(json_is(error, "/details/server", "web"));
    CHECK(json_is(error, "/details/path", wrong_path));
    if (key != NULL ? !json_is(error, "/details/key", key) : json_has(error, "/details/key")) {
        FAIL("%s: not about the key %s", error, key);
    }
    free(begin);
    mcp_string_free(message);
    mcp_string_free(error);
    char *config = NULL;
    CHECK_STATUS(mcp_config_load(wrong_path, "good", &config, NULL), MCP_OK);
    CHECK(json_is(config, "/command", "x"));
    mcp_string_free(config);
}

static void check_entries(void) {
    check_entry("{\"command\":\"x\",\"colour\":1}", "colour", "'colour': it is unknown");
    check_entry("{\"command\":\"x\",\"arg\":[]}", "arg", "did you mean 'args'?");
    check_entry("{\"command\":\"x\",\"headers\":{\"A\":\"1\"}}", "headers", "'headers' belongs to 'url'");
    check_entry("{\"url\":\"http://127.0.0.1:1/\",\"args\":[\"y\"]}", "args", "'args' belongs to 'command'");
    check_entry("{\"command\":\"x\",\"args\":\"y\"}", "args", "is not a list");
    check_entry("{\"args\":[]}", "command", "it is missing or empty");
    check_entry("{\"command\":\"x\",\"command\":\"y\"}", "command", "twice");
    check_entry("{\"command\":\"x\",\"timeouts\":{\"call_ms\":1,\"call\\u005fms\":2}}", "timeouts.call_ms", "twice");
    check_entry("{\"command\":\"x\",\"args\":[\"a\",\"\\ud800\"]}", "args[1]", "surrogate");
    check_entry("{\"command\":\"x\",\"env\":{\"A\":\"s3cret${MCP_TEST_NOT_SET}\"}}", "env.A", "'MCP_TEST_NOT_SET'");
    check_entry("{\"command\":\"x\",\"disabled\":\"yes\"}", "disabled", "is not true or false");
    check_entry("[]", NULL, "is not an object");
}

/* What the error tells about a secret beside the variable: nothing. */
static void check_secrets(void) {
    write_file_wrong("{\"mcpServers\":{\"web\":{\"command\":\"x\",\"env\":{\"A\":\"s3cret${MCP_TEST_NOT_SET}\"}}}}");
    char *error = refused("web", MCP_ERROR_INVALID_ARGUMENT);
    CHECK(strstr(error, "s3cret") == NULL);
    mcp_string_free(error);
}

static void check_disabled(void) {
    char *config = NULL;
    write_file_wrong("{\"mcpServers\":{"
               "\"off\":{\"command\":\"x\",\"disabled\":true},"
               "\"not\":{\"command\":\"x\",\"enabled\":false},"
               "\"on\":{\"command\":\"x\",\"disabled\":false,\"enabled\":true,\"autoApprove\":[]}}}");
    const char *const names[] = {"off", "not"};
    for (size_t i = 0; i < 2; i++) {
        char *error = refused(names[i], MCP_ERROR_UNAVAILABLE);
        char *message = json_at(error, "/message");
        CHECK_CONTAINS(message, names[i]);
        CHECK_CONTAINS(message, wrong_path);
        CHECK_CONTAINS(message, "is disabled");
        CHECK(json_is(error, "/details/disabled", "true"));
        CHECK(json_is(error, "/retryable", "false"));
        mcp_string_free(message);
        mcp_string_free(error);
    }
    CHECK_STATUS(mcp_config_load(wrong_path, "on", &config, NULL), MCP_OK);
    mcp_client_t *client = NULL;
    CHECK_STATUS(mcp_client_new(config, NULL, &client, NULL), MCP_OK);
    CHECK_STATUS(mcp_client_free(client), MCP_OK);
    mcp_string_free(config);
}

/* The file itself. */
static void check_file(void) {
    write_file_wrong("{\"mcpServers\":{\"a\":{\"command\":\"x\"},\"b\":{\"command\":\"x\"},\"a\":{\"command\":\"y\"}}}");
    char *error = refused("b", MCP_ERROR_INVALID_ARGUMENT);
    CHECK(json_is(error, "/details/key", "mcpServers.a"));
    mcp_string_free(error);
    write_file_wrong("{\"mcpServers\":{},\"mcpServers\":{\"a\":{\"command\":\"x\"}}}");
    error = refused("a", MCP_ERROR_INVALID_ARGUMENT);
    CHECK(json_is(error, "/details/key", "mcpServers"));
    mcp_string_free(error);
    write_file_wrong("{\"mcpServers\":{\"github\":{\"command\":\"x\"},\"files\":{\"command\":\"x\"}}}");
    error = refused("gihtub", MCP_ERROR_INVALID_ARGUMENT);
    char *message = json_at(error, "/message");
    CHECK_CONTAINS(message, "did you mean 'github'?");
    mcp_string_free(message);
    mcp_string_free(error);
    error = refused("weather", MCP_ERROR_INVALID_ARGUMENT);
    message = json_at(error, "/message");
    CHECK(strstr(message, "did you mean") == NULL);
    CHECK_CONTAINS(message, "files, github");
    mcp_string_free(message);
    mcp_string_free(error);
}

/* The same keys in the text that a program gives by itself. */
static void check_text(const char *config, const char *key, const char *says, bool proposes) {
    mcp_client_t *client = NULL;
    char *error = NULL;
    CHECK_STATUS(mcp_client_new(config, NULL, &client, &error), MCP_ERROR_INVALID_ARGUMENT);
    char *message = json_at(error, "/message");
    CHECK_CONTAINS(message, says);
    CHECK(json_is(error, "/details/key", key));
    CHECK_EQ(strstr(message, "did you mean") != NULL, proposes);
    CHECK_EQ(json_has(error, "/details/nearest"), proposes);
    mcp_string_free(message);
    mcp_string_free(error);
}

static void check_texts(void) {
    check_text("{\"command\":\"x\",\"headers\":{}}", "headers", "'headers' belongs to 'url'", false);
    check_text("{\"command\":\"x\",\"header\":{}}", "header", "'headers', which belongs to 'url'", true);
    check_text("{\"socket\":\"unix:/x\",\"env\":{}}", "env", "'env' belongs to 'command'", false);
    check_text("{\"headers\":{}}", "headers", "'headers' belongs to 'url'", false);
    check_text("{\"command\":\"x\",\"disabled\":true}", "disabled", "unknown", false);
    check_text("{\"command\":\"x\",\"retires\":1}", "retires", "unknown", false);
    check_text("{\"command\":\"x\",\"max_retires\":1}", "max_retires", "'max_retries'", true);
    check_text("{\"command\":\"x\",\"env\":{\"A\":\"1\",\"A\":\"2\"}}", "env.A", "twice", false);
    mcp_queue_t *queue = NULL;
    CHECK_STATUS(mcp_queue_new("{\"queue_messages\":1,\"queue_messages\":2}", &queue, NULL),
                 MCP_ERROR_INVALID_ARGUMENT);
    mcp_client_t *client = NULL;
    mcp_message_t *reply = NULL;
    CHECK_STATUS(mcp_client_new("{\"command\":\"x\"}", NULL, &client, NULL), MCP_OK);
    CHECK_STATUS(mcp_call(client, "tools/list", NULL, "{\"timeout_ms\":1,\"timeout_ms\":2}", &reply),
                 MCP_ERROR_INVALID_ARGUMENT);
    CHECK_CONTAINS(mcp_message_json(reply, NULL), "call option 'timeout_ms': it stands there twice");
    mcp_message_free(reply);
    CHECK_STATUS(mcp_client_free(client), MCP_OK);
}

static void a_wrong_config_names_server_file_and_key(void) {
    CHECK_EQ(unsetenv("MCP_TEST_NOT_SET"), 0);
    int file = mkstemp(wrong_path);
    CHECK_GE(file, 0);
    close(file);
    check_entries();
    check_secrets();
    check_disabled();
    check_file();
    check_texts();
    unlink(wrong_path);
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 3);
    config_files_are_read(argv);
    a_wrong_config_names_server_file_and_key();
    return 0;
}
