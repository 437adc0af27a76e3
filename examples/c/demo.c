/*
 * demo SERVER: the life of one connection, told step by step.
 *
 * Starts the example server, lists its tools, calls one, receives a notification, kills the server, watches
 * the client bring it back, and shows that nothing is left in the end. Exits with 0 when all went as told.
 */
#define _POSIX_C_SOURCE 200809L

#include <mcp.h>

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#ifndef _WIN32
#include <sys/wait.h>
#endif

#define PATIENCE_MS 5000

/* Servers of the modern era log only for requests that ask for it. Older ones take no notice of this. */
#define WITH_LOG "{\"meta\": {\"io.modelcontextprotocol/logLevel\": \"info\"}}"

/* Says what is about to be seen, so that the output reads as a story. */
static void tell(const char *format, ...) {
    va_list values;
    va_start(values, format);
    vprintf(format, values);
    va_end(values);
    printf("\n");
    fflush(stdout);
}

/* Prints one value of a JSON text after its name. False if the value is not there. */
static bool show(const char *name, const char *json, const char *pointer) {
    char *value = NULL;
    if (mcp_json_get(json, pointer, &value, NULL) != MCP_OK) {
        tell("  %s is missing", name);
        return false;
    }
    tell("  %-9s %s", name, value);
    mcp_string_free(value);
    return true;
}

/* Starts the server and prints whom we speak to. */
static bool connect_and_introduce(mcp_client_t *client) {
    char *error = NULL;
    char *info = NULL;
    tell("Starting the server and connecting.");
    if (mcp_client_connect(client, PATIENCE_MS, &error) != MCP_OK) {
        tell("  failed: %s", error);
        mcp_string_free(error);
        return false;
    }
    if (mcp_client_info(client, &info, &error) != MCP_OK) {
        tell("  no information: %s", error);
        mcp_string_free(error);
        return false;
    }
    bool fine = show("server", info, "/server/name");
    fine = show("version", info, "/server/version") && fine;
    fine = show("revision", info, "/revision") && fine;
    fine = show("era", info, "/era") && fine;
    mcp_string_free(info);
    return fine;
}

/* Lists the tools: how many there are, and the first by its name. */
static bool list_tools(mcp_client_t *client) {
    mcp_message_t *reply = NULL;
    tell("Listing the tools.");
    if (mcp_client_list_tools(client, NULL, &reply) != MCP_OK) {
        tell("  failed: %s", mcp_message_json(reply, NULL));
        mcp_message_free(reply);
        return false;
    }
    mcp_value_t tools = mcp_value_get(mcp_message_value(reply), "tools");
    size_t count = mcp_value_size(tools);
    const char *name = mcp_value_string(mcp_value_get(mcp_value_first(tools), "name"), NULL);
    if (name != NULL) {
        tell("  it has %zu, the first is \"%s\"", count, name);
    }
    mcp_message_free(reply);
    return count > 0;
}

/* Calls a tool and copies the text of its answer. */
static bool call_tool(mcp_client_t *client, const char *params, char *answer, size_t size) {
    mcp_message_t *reply = NULL;
    mcp_status_t status = mcp_call(client, "tools/call", params, WITH_LOG, &reply);
    const char *text = mcp_message_text(reply, NULL);
    if (status != MCP_OK || text == NULL) {
        tell("  failed: %s", mcp_message_json(reply, NULL));
    } else {
        snprintf(answer, size, "%s", text);
    }
    bool fine = status == MCP_OK && text != NULL;
    mcp_message_free(reply);
    return fine;
}

static bool add_two_numbers(mcp_client_t *client) {
    char answer[64];
    const char *params = "{\"name\": \"add\", \"arguments\": {\"a\": 2, \"b\": 40}}";
    tell("Calling the tool \"add\" with 2 and 40.");
    if (!call_tool(client, params, answer, sizeof answer)) {
        return false;
    }
    tell("  it says %s", answer);
    return strcmp(answer, "42") == 0;
}

/* The tool "notify" makes the server send a notification, which waits in the client's queue. */
static bool receive_a_notification(mcp_client_t *client) {
    char answer[64];
    mcp_message_t *message = NULL;
    tell("Calling the tool \"notify\" and waiting for the notification.");
    const char *params = "{\"name\": \"notify\", \"arguments\": {\"count\": 1, \"text\": \"Hello\"}}";
    if (!call_tool(client, params, answer, sizeof answer)) {
        return false;
    }
    mcp_status_t status = mcp_poll_notification(client, PATIENCE_MS, &message);
    if (status != MCP_OK) {
        tell("  none came: %s", mcp_status_name(status));
        return false;
    }
    tell("  %s %s", mcp_message_method(message), mcp_message_json(message, NULL));
    mcp_message_free(message);
    return true;
}

/* Takes what is in the queue: what a client went through on its way up is known. */
static void empty_the_queue(mcp_client_t *client) {
    mcp_message_t *message = NULL;
    while (mcp_client_poll(client, 0, &message) == MCP_OK) {
        mcp_message_free(message);
    }
}

/* Lets the server crash in the middle of a call. That call fails, and says why. */
static bool crash_the_server(mcp_client_t *client) {
    mcp_message_t *reply = NULL;
    tell("Killing the server in the middle of a call.");
    empty_the_queue(client);
    mcp_status_t status =
        mcp_call(client, "tools/call", "{\"name\": \"crash\", \"arguments\": {}}", NULL, &reply);
    char *why = NULL;
    if (mcp_json_get(mcp_message_json(reply, NULL), "/message", &why, NULL) == MCP_OK) {
        tell("  the call ended with \"%s\": %s", mcp_status_name(status), why);
        mcp_string_free(why);
    }
    mcp_message_free(reply);
    return status == MCP_ERROR_TRANSPORT;
}

/* Prints each state the client goes through until it is ready again. */
static bool watch_the_recovery(mcp_client_t *client) {
    bool seen_backoff = false;
    tell("Watching the client bring it back.");
    for (;;) {
        mcp_message_t *message = NULL;
        char *state = NULL;
        mcp_status_t status = mcp_client_poll(client, PATIENCE_MS, &message);
        if (status != MCP_OK) {
            tell("  nothing more happened: %s", mcp_status_name(status));
            return false;
        }
        bool ready = false;
        if (mcp_message_kind(message) == MCP_KIND_STATE &&
            mcp_json_get(mcp_message_json(message, NULL), "/state", &state, NULL) == MCP_OK) {
            tell("  %s", state);
            seen_backoff =
                seen_backoff || strcmp(state, mcp_client_state_name(MCP_CLIENT_STATE_BACKOFF)) == 0;
            ready = strcmp(state, mcp_client_state_name(MCP_CLIENT_STATE_READY)) == 0;
            mcp_string_free(state);
        }
        mcp_message_free(message);
        if (ready) {
            return seen_backoff;
        }
    }
}

/* The same client speaks to a new process. */
static bool works_again(mcp_client_t *client, const char *old_pid) {
    char answer[64];
    tell("Calling again.");
    if (!call_tool(client, "{\"name\": \"pid\", \"arguments\": {}}", answer, sizeof answer)) {
        return false;
    }
    tell("  the server's process was %s and is %s", old_pid, answer);
    return strcmp(answer, old_pid) != 0;
}

/* After close no process of ours is left, not even one that was not waited for. */
static bool nothing_is_left(mcp_client_t *client) {
    tell("Closing.");
    mcp_status_t status = mcp_client_close(client, -1);
    if (status != MCP_OK) {
        tell("  failed: %s", mcp_status_name(status));
        return false;
    }
#ifdef _WIN32
    /* Windows does not tell a program of its children; the server's job has ended with the client. */
    bool childless = true;
    tell("  the client is %s", mcp_client_state_name(mcp_client_state(client)));
#else
    bool childless = waitpid(-1, NULL, WNOHANG) == -1 && errno == ECHILD;
    tell("  the client is %s and %s", mcp_client_state_name(mcp_client_state(client)),
         childless ? "no process is left" : "a process is LEFT");
#endif
    return childless && mcp_client_state(client) == MCP_CLIENT_STATE_CLOSED;
}

static bool run(mcp_client_t *client) {
    char pid[64];
    return connect_and_introduce(client) && list_tools(client) && add_two_numbers(client) &&
           receive_a_notification(client) &&
           call_tool(client, "{\"name\": \"pid\", \"arguments\": {}}", pid, sizeof pid) &&
           crash_the_server(client) && watch_the_recovery(client) && works_again(client, pid) &&
           nothing_is_left(client);
}

/* The config of a client is one JSON object. This one asks for a reconnection quicker than the default. */
static mcp_client_t *new_client(const char *server) {
    char config[4096];
    char *command = NULL;
    char *error = NULL;
    mcp_client_t *client = NULL;
    mcp_status_t status = mcp_json_quote(server, &command);
    if (status != MCP_OK) {
        fprintf(stderr, "demo: %s\n", mcp_status_name(status));
        return NULL;
    }
    snprintf(config, sizeof config, "{\"command\": %s, \"reconnect\": {\"initial_ms\": 50, \"max_ms\": 500}}",
             command);
    mcp_string_free(command);
    if (mcp_client_new(config, NULL, &client, &error) != MCP_OK) {
        fprintf(stderr, "demo: %s\n", error);
        mcp_string_free(error);
        return NULL;
    }
    return client;
}

int main(int argc, char **argv) {
    if (argc != 2) {
        fprintf(stderr, "usage: demo SERVER\n");
        return 1;
    }
    tell("libmcp %s", mcp_version());
    mcp_client_t *client = new_client(argv[1]);
    if (client == NULL) {
        return 2;
    }
    bool fine = run(client);
    fine = mcp_client_free(client) == MCP_OK && fine;
    tell(fine ? "Done." : "A step failed; see above.");
    return fine ? 0 : 2;
}
