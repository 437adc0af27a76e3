/*
 * Golden texts: what a person reads when something usual goes wrong (a command that does not exist, a server
 * that exits at once or prints something else, a program that is not a server, a slip in the config, a timeout) stands in
 * tests/c/golden/NAME.txt, one error object each, with every number of three digits or more replaced by N. A
 * changed text fails here; run with MCP_GOLDEN_WRITE=1, read the difference, and commit it if it is better.
 * mcp_client_connect returns within the time that it is given, whatever the server does.
 * MCP_GOLDEN_DIR says where the files are, if not beside this file.
 *
 * A URL that leads to no server: where nothing listens, where no name is known, through a proxy that is not there, and at a
 * Unix socket that does not exist, the error names the address that was tried and what to check, without the terms of the
 * system's interfaces. The same error stands behind a later connect that waits in vain for the next attempt.
 */
#include "check.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#define ONCE "\"reconnect\":false"

/* The text with its volatile numbers replaced; codes such as -32601 and dates stay. free() it. */
static char *normalised(const char *text) {
    char *result = malloc(strlen(text) + 2);
    char *to = result;
    CHECK(result != NULL);
    while (*text != '\0') {
        size_t digits = strspn(text, "0123456789");
        bool hyphen = text[digits] == '-' || (to != result && to[-1] == '-');
        if (digits >= 3 && !hyphen) {
            *to++ = 'N';
            text += digits;
        } else {
            size_t length = digits > 0 ? digits : 1;
            memcpy(to, text, length);
            to += length;
            text += length;
        }
    }
    *to++ = '\n';
    *to = '\0';
    return result;
}

static char *golden_path(const char *name) {
    const char *directory = getenv("MCP_GOLDEN_DIR");
    const char *slash = strrchr(__FILE__, '/');
    if (directory != NULL) {
        return format("%s/%s.txt", directory, name);
    }
    return format("%.*sgolden/%s.txt", slash != NULL ? (int)(slash - __FILE__) + 1 : 0, __FILE__, name);
}

static int differences;

/* Compares an error object with its golden text, or writes it down. Frees it. */
static void check_golden(const char *name, char *error) {
    char expected[8192] = "";
    CHECK(error != NULL);
    char *actual = normalised(error);
    char *path = golden_path(name);
    bool writes = getenv("MCP_GOLDEN_WRITE") != NULL;
    FILE *file = fopen(path, writes ? "we" : "re");
    if (file == NULL) {
        FAIL("%s: %s", path, strerror(errno));
    }
    if (writes) {
        CHECK_GE(fputs(actual, file), 0);
    } else {
        size_t length = fread(expected, 1, sizeof expected - 1, file);
        expected[length] = '\0';
        if (strcmp(actual, expected) != 0) {
            fprintf(stderr, "%s\n  is       %s  expected %s  MCP_GOLDEN_WRITE=1 writes %s again\n", name, actual, expected, path);
            differences++;
        }
    }
    fclose(file);
    free(path);
    free(actual);
    mcp_string_free(error);
}

/* The error of a start that must fail. */
static char *failed_start(const char *command, const char *const *arguments, const char *members) {
    char *error = NULL;
    mcp_client_t *client = new_client(command, arguments, members);
    CHECK_NE(mcp_client_connect(client, patience(), &error), MCP_OK);
    CHECK_STATUS(mcp_client_free(client), MCP_OK);
    return error;
}

static void check_starts(void) {
    check_golden("command_does_not_exist", failed_start("/nowhere/mcp-server", NULL, ONCE));
    check_golden("command_not_in_path", failed_start("mcp-server-that-is-missing", NULL, ONCE));
    check_golden("command_not_executable", failed_start("/etc/passwd", NULL, ONCE));
    check_golden("directory_does_not_exist", failed_start("sh", NULL, "\"cwd\":\"/nowhere\"," ONCE));
    check_golden("exits_at_once",
                 failed_start("sh",
                              ARGS("-c", "echo 'reading settings' >&2; echo 'fatal: no API key' >&2; exit 3"),
                              ONCE));
    check_golden("killed_at_once", failed_start("sh", ARGS("-c", "kill -9 $$"), ONCE));
    check_golden("prints_garbage_and_exits",
                 failed_start("sh", ARGS("-c", "echo 'Usage: hello [NAME]'; exit 0"), ONCE));
    check_golden("prints_garbage_and_stays",
                 failed_start("sh", ARGS("-c", "echo 'Hello, I am no MCP server.'; cat >/dev/null; :"),
                              "\"timeouts\":{\"probe_ms\":300,\"initialize_ms\":300}," ONCE));
    check_golden("says_nothing", failed_start("sh", ARGS("-c", "cat >/dev/null; :"),
                                              "\"timeouts\":{\"probe_ms\":300,\"initialize_ms\":300}," ONCE));
}

/* The error of waiting in vain for a connection that is still being tried. */
static char *failed_wait(const char *command, const char *const *arguments, const char *members, int attempts) {
    char *error = NULL;
    mcp_client_t *client = new_client(command, arguments, members);
    for (; attempts > 0; attempts--) {
        mcp_string_free(error);
        error = NULL;
        long long begin = now_ms();
        mcp_status_t status = mcp_client_connect(client, 300, &error);
        CHECK_NE(status, MCP_OK);
        CHECK_LE(now_ms() - begin, 300 + slack());
        CHECK(status != MCP_ERROR_TIMEOUT || now_ms() - begin >= 295);
    }
    CHECK_STATUS(mcp_client_free(client), MCP_OK);
    return error;
}

static void check_waits(const char *scripted) {
    const char *silent = "cat >/dev/null; :";
    check_golden("connect_in_vain_probing", failed_wait("sh", ARGS("-c", silent), NULL, 1));
    check_golden("connect_in_vain_initialize",
                 failed_wait("sh", ARGS("-c", silent), "\"protocol\":\"legacy\"", 1));
    check_golden("connect_in_vain_garbage",
                 failed_wait("sh", ARGS("-c", "echo 'Usage: hello [NAME]'; cat >/dev/null; :"), NULL, 1));
    /* The second one waits for the next attempt. */
    check_golden("connect_in_vain_backoff",
                 failed_wait("sh", ARGS("-c", "exit 3"),
                             "\"reconnect\":{\"initial_ms\":60000,\"max_ms\":60000}", 2));
    char *unread = failed_wait(scripted, ARGS("--life", "120", "never-read"), NULL, 1);
    CHECK(json_is(unread, "/status", "timeout"));
    mcp_string_free(unread);
    check_golden("repeats_what_it_is_sent", failed_start("cat", NULL, ONCE));
    check_golden("repeats_what_it_is_sent_legacy", failed_start("cat", NULL, "\"protocol\":\"legacy\"," ONCE));
    check_golden("repeats_what_it_is_sent_modern", failed_start("cat", NULL, "\"protocol\":\"modern\"," ONCE));
}

/* The error of a config that must be refused. */
static char *refused_config(const char *config) {
    char *error = NULL;
    mcp_client_t *client = NULL;
    CHECK_STATUS(mcp_client_new(config, NULL, &client, &error), MCP_ERROR_INVALID_ARGUMENT);
    return error;
}

static void check_configs(void) {
    check_golden("config_unknown_key", refused_config("{\"command\":\"x\",\"timeouts\":{\"cal_ms\":5}}"));
    check_golden("config_bad_json", refused_config("{\"command\":\"x\",}"));
    check_golden("config_wrong_type", refused_config("{\"command\":\"x\",\"args\":\"--verbose\"}"));
    check_golden("config_without_command", refused_config("{}"));
    check_golden("config_unknown_protocol",
                 refused_config("{\"command\":\"x\",\"protocol\":\"2024-10-07\"}"));
}

/* The error of a call that must fail. */
static char *failed_call(mcp_client_t *client, const char *method, const char *params, const char *options) {
    mcp_message_t *reply = NULL;
    char *error = NULL;
    CHECK_NE(mcp_call(client, method, params, options, &reply), MCP_OK);
    CHECK_STATUS(mcp_json_get(mcp_message_json(reply, NULL), "", &error, NULL), MCP_OK);
    mcp_message_free(reply);
    return error;
}

static void check_calls(const char *server) {
    mcp_client_t *client = connected(server, ARGS("--era", "legacy"), ONCE);
    check_golden("call_unknown_tool", failed_call(client, "tools/call", "{\"name\":\"nonsense\"}", NULL));
    check_golden("call_params_no_object", failed_call(client, "tools/call", "[1]", NULL));
    check_golden("call_unknown_option", failed_call(client, "tools/list", NULL, "{\"timeout\":5}"));
    check_golden("call_timeout",
                 failed_call(client, "tools/call", "{\"name\":\"slow\",\"arguments\":{\"ms\":60000}}",
                             "{\"timeout_ms\":100}"));
    check_golden("call_server_died",
                 failed_call(client, "tools/call", "{\"name\":\"crash\",\"arguments\":{\"code\":3}}", NULL));
    UNTIL(mcp_client_state(client) == MCP_CLIENT_STATE_CLOSED);
    check_golden("call_after_the_end", failed_call(client, "tools/list", NULL, NULL));
    CHECK_STATUS(mcp_client_free(client), MCP_OK);

    client = new_client(server, NULL, NULL);
    CHECK_STATUS(mcp_client_close(client, patience()), MCP_OK);
    check_golden("call_after_close", failed_call(client, "tools/list", NULL, NULL));
    CHECK_STATUS(mcp_client_free(client), MCP_OK);
}

/* A port of this machine that nothing listens on: it is bound, so that nothing else takes it. */
static int dead_port(int *held) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof address;
    *held = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    CHECK_GE(*held, 0);
    CHECK_EQ(bind(*held, (struct sockaddr *)&address, length), 0);
    CHECK_EQ(getsockname(*held, (struct sockaddr *)&address, &length), 0);
    return ntohs(address.sin_port);
}

static void check_error(char *error, mcp_status_t status, const char *first, const char *second) {
    CHECK(json_is(error, "/status", mcp_status_name(status)));
    char *message = json_at(error, "/message");
    CHECK_CONTAINS(message, first);
    CHECK_CONTAINS(message, second);
    const char *const jargon[] = {"os error", "tcp connect", "dns error", "getaddrinfo"};
    for (size_t i = 0; i < sizeof jargon / sizeof jargon[0]; i++) {
        if (strstr(message, jargon[i]) != NULL) {
            FAIL("%s: has '%s' in it", message, jargon[i]);
        }
    }
    mcp_string_free(message);
    mcp_string_free(error);
}

static void check_unreached(const char *config, const char *first, const char *second) {
    mcp_client_t *client = NULL;
    char *error = NULL;
    CHECK_STATUS(mcp_client_new(config, NULL, &client, &error), MCP_OK);
    CHECK_STATUS(mcp_client_connect(client, patience(), &error), MCP_ERROR_TRANSPORT);
    check_error(error, MCP_ERROR_TRANSPORT, first, second);
    /* The next attempt is far: this one waits in vain, and tells of the last. */
    error = NULL;
    CHECK_STATUS(mcp_client_connect(client, 20, &error), MCP_ERROR_TIMEOUT);
    CHECK(json_is(error, "/details/step", "backoff"));
    check_error(error, MCP_ERROR_TIMEOUT, first, second);
    CHECK_STATUS(mcp_client_free(client), MCP_OK);
}

#define LATER ",\"reconnect\":{\"initial_ms\":600000,\"max_ms\":600000}}"

static void check_urls(void) {
    int held = -1;
    int port = dead_port(&held);
    char *address = format("127.0.0.1:%d", port);
    const char *const schemes[] = {"http", "https"};
    for (size_t i = 0; i < 2; i++) {
        char *config = format("{\"url\":\"%s://%s/mcp\"" LATER, schemes[i], address);
        char *refused = format("nothing listens at %s", address);
        check_unreached(config, refused, "check host and port, and that the server runs");
        free(refused);
        free(config);
        config = format("{\"url\":\"%s://mcp.example/\",\"proxy\":\"http://user:s3cret@%s\"" LATER, schemes[i], address);
        refused = format("the proxy: nothing listens at %s", address);
        check_unreached(config, refused, "check 'proxy'");
        free(refused);
        free(config);
    }
    check_unreached("{\"url\":\"http://no-such-host.invalid/mcp\",\"proxy\":false" LATER,
                    "the name 'no-such-host.invalid' could not be looked up", "check the name");
    check_unreached("{\"url\":\"http://x/\",\"unix_socket\":\"/nowhere/at/all\"" LATER, "there is no socket '/nowhere/at/all'",
                    "check 'unix_socket'");
    free(address);
    close(held);
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 3);
    check_starts();
    check_waits(argv[2]);
    check_configs();
    check_calls(argv[1]);
    check_urls();
    CHECK_EQ(differences, 0);
    return 0;
}
