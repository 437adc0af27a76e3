/*
 * inspect [--protocol P] [--call TOOL JSON] -- COMMAND [ARG...]
 *
 * Starts an MCP server and prints what it offers: who it is, the revision spoken, its capabilities, its tools
 * with their schemas, its resources, resource templates and prompts. With --call it calls one tool and prints
 * the answer. P is what the config key "protocol" takes: auto, legacy, modern, or a revision such as
 * 2025-06-18. Exit status: 0 all went well, 1 wrong usage, 2 an error (told on stderr).
 */
#define _POSIX_C_SOURCE 200809L

#include <mcp.h>

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CONNECT_MS 60000 /* a server that is downloaded first takes its time */
#define MAX_PAGES 100    /* a server may give cursors for ever */
#define NO_SUCH_METHOD "-32601"

/* What the command line asks for. */
struct request {
    const char *protocol;
    const char *tool;
    const char *arguments;
    char **command; /* ends with NULL, as argv does */
};

/* One of the lists a server may have. */
struct listing {
    const char *heading;
    const char *capability; /* where info says that the server has it */
    const char *method;
    const char *member; /* where the result holds the list */
    const char *key;    /* the member that names an entry */
    const char *schema; /* a member worth printing in full, or NULL */
};

static const struct listing LISTINGS[] = {
    {"tools", "/capabilities/tools", "tools/list", "/tools", "/name", "/inputSchema"},
    {"resources", "/capabilities/resources", "resources/list", "/resources", "/uri", NULL},
    {"resource templates", "/capabilities/resources", "resources/templates/list", "/resourceTemplates",
     "/uriTemplate", NULL},
    {"prompts", "/capabilities/prompts", "prompts/list", "/prompts", "/name", "/arguments"},
};

/* A formatted text of any length; free() it. Ends the program when memory has run out. */
static char *format(const char *pattern, ...) {
    va_list values;
    va_start(values, pattern);
    int length = vsnprintf(NULL, 0, pattern, values);
    va_end(values);
    char *text = length < 0 ? NULL : malloc((size_t)length + 1);
    if (text == NULL) {
        fprintf(stderr, "inspect: out of memory\n");
        exit(2);
    }
    va_start(values, pattern);
    vsnprintf(text, (size_t)length + 1, pattern, values);
    va_end(values);
    return text;
}

/* The text as a JSON string; mcp_string_free() it. Ends the program when the text is not UTF-8. */
static char *quote(const char *text) {
    char *quoted = NULL;
    mcp_status_t status = mcp_json_quote(text, &quoted);
    if (status != MCP_OK) {
        fprintf(stderr, "inspect: an argument cannot be sent: %s\n", mcp_status_name(status));
        exit(2);
    }
    return quoted;
}

/* The value at a pointer, or NULL; mcp_string_free() it. */
static char *get(const char *json, const char *pointer) {
    char *value = NULL;
    return mcp_json_get(json, pointer, &value, NULL) == MCP_OK ? value : NULL;
}

/* Tells what went wrong. The error object's "message" is written for people. */
static void complain(const char *doing, const char *error_json) {
    char *message = get(error_json, "/message");
    fprintf(stderr, "inspect: %s: %s\n", doing, message != NULL ? message : error_json);
    mcp_string_free(message);
}

/* The client's config as JSON text; free() it. */
static char *config_for(const struct request *request) {
    char *arguments = format("%s", "");
    for (char **argument = request->command + 1; *argument != NULL; argument++) {
        char *quoted = quote(*argument);
        char *longer = format("%s%s%s", arguments, arguments[0] == '\0' ? "" : ", ", quoted);
        mcp_string_free(quoted);
        free(arguments);
        arguments = longer;
    }
    char *command = quote(request->command[0]);
    char *protocol = quote(request->protocol);
    char *config = format("{\"command\": %s, \"args\": [%s], \"protocol\": %s, \"reconnect\": false, \"tasks\": true,"
                          " \"client\": {\"name\": \"inspect\", \"version\": \"1.0\"},"
                          " \"timeouts\": {\"initialize_ms\": %d}}",
                          command, arguments, protocol, CONNECT_MS);
    mcp_string_free(protocol);
    mcp_string_free(command);
    free(arguments);
    return config;
}

/* Prints a member of `json` after its name, if it is there. */
static void print_member(const char *name, const char *json, const char *pointer) {
    char *value = get(json, pointer);
    if (value != NULL) {
        printf("%-13s %s\n", name, value);
        mcp_string_free(value);
    }
}

static void print_server(const char *info) {
    print_member("server", info, "/server/name");
    print_member("version", info, "/server/version");
    print_member("revision", info, "/revision");
    print_member("era", info, "/era");
    print_member("capabilities", info, "/capabilities");
    print_member("instructions", info, "/instructions");
}

/* Prints one entry of a list: its name, its description, its schema. */
static void print_entry(const struct listing *listing, const char *entry) {
    char *name = get(entry, listing->key);
    char *description = get(entry, "/description");
    char *schema = listing->schema != NULL ? get(entry, listing->schema) : NULL;
    printf("  %s\n", name != NULL ? name : "(without a name)");
    if (description != NULL) {
        printf("    %s\n", description);
    }
    if (schema != NULL) {
        printf("    %s\n", schema);
    }
    mcp_string_free(schema);
    mcp_string_free(description);
    mcp_string_free(name);
}

/* Behind the JSON value that begins here. The library has checked the text, so that every bracket and quote has its end. */
static const char *behind_value(const char *at) {
    int depth = 0;
    do {
        if (*at == '"') {
            for (at++; *at != '"'; at++) {
                at += *at == '\\' ? 1 : 0;
            }
        }
        depth += *at == '{' || *at == '[' ? 1 : 0;
        depth -= *at == '}' || *at == ']' ? 1 : 0;
        at++;
    } while (depth > 0);
    return at;
}

/* Prints one page of a list. It is walked through once: mcp_json_get() for each entry would read the page each time. */
static void print_page(const struct listing *listing, const char *result) {
    char *list = get(result, listing->member);
    if (list != NULL && list[0] != '[') {
        mcp_string_free(list);
        return;
    }
    for (const char *at = list; at != NULL && *at != '\0';) {
        if (*at != '{') { /* the list's own brackets, what is between its entries, and entries that are no objects */
            at = *at == '"' ? behind_value(at) : at + 1;
            continue;
        }
        const char *end = behind_value(at);
        char *entry = format("%.*s", (int)(end - at), at);
        print_entry(listing, entry);
        free(entry);
        at = end;
    }
    mcp_string_free(list);
}

/* The params that ask for the page after this one, or NULL after the last; free() them. */
static char *params_of_next_page(const char *result) {
    char *cursor = get(result, "/nextCursor");
    char *params = NULL;
    if (cursor != NULL && strcmp(cursor, "null") != 0) { /* some say null for "no more"; "" is a cursor */
        char *quoted = quote(cursor);
        params = format("{\"cursor\": %s}", quoted);
        mcp_string_free(quoted);
    }
    mcp_string_free(cursor);
    return params;
}

/* A server with resources need not have templates: that it does not know the method is an answer too. */
static bool is_unknown_method(const char *error_json) {
    char *code = get(error_json, "/code");
    bool unknown = code != NULL && strcmp(code, NO_SUCH_METHOD) == 0;
    mcp_string_free(code);
    return unknown;
}

/* Prints a whole list, page by page. */
static bool print_list(mcp_client_t *client, const struct listing *listing) {
    char *params = NULL;
    bool fine = true;
    int page = 0;
    printf("\n%s\n", listing->heading);
    do {
        mcp_message_t *reply = NULL;
        mcp_status_t status = mcp_call(client, listing->method, params, NULL, &reply);
        const char *json = mcp_message_json(reply, NULL);
        free(params);
        params = NULL;
        if (status == MCP_OK) {
            print_page(listing, json);
            params = params_of_next_page(json);
        } else if (!is_unknown_method(json)) {
            complain(listing->method, json);
            fine = false;
        }
        mcp_message_free(reply);
    } while (params != NULL && ++page < MAX_PAGES);
    if (params != NULL) {
        fprintf(stderr, "inspect: %s: more than %d pages\n", listing->method, MAX_PAGES);
        free(params);
        return false;
    }
    return fine;
}

/* Prints every list that the server says it has. */
static bool print_lists(mcp_client_t *client, const char *info) {
    bool fine = true;
    for (size_t i = 0; i < sizeof LISTINGS / sizeof LISTINGS[0]; i++) {
        char *capability = get(info, LISTINGS[i].capability);
        if (capability != NULL) {
            fine = print_list(client, &LISTINGS[i]) && fine;
        }
        mcp_string_free(capability);
    }
    return fine;
}

/* Calls the tool and prints its text, or the whole result if it has none. */
static bool call_tool(mcp_client_t *client, const struct request *request) {
    mcp_message_t *reply = NULL;
    mcp_status_t status = mcp_client_call_tool(client, request->tool, request->arguments, NULL, &reply);
    const char *json = mcp_message_json(reply, NULL);
    const char *text = mcp_message_text(reply, NULL);
    bool fine = status == MCP_OK;
    printf("\n%s says\n", request->tool);
    if (fine) {
        char *failed = get(json, "/isError"); /* the tool itself may say that it failed */
        fine = failed == NULL || strcmp(failed, "true") != 0;
        mcp_string_free(failed);
        printf("%s\n", text != NULL ? text : json);
        if (!fine) {
            fprintf(stderr, "inspect: the tool \"%s\" says that it failed\n", request->tool);
        }
    } else {
        complain("tools/call", json);
    }
    mcp_message_free(reply);
    return fine;
}

static bool inspect(mcp_client_t *client, const struct request *request) {
    char *error = NULL;
    char *info = NULL;
    if (mcp_client_connect(client, CONNECT_MS, &error) != MCP_OK ||
        mcp_client_info(client, &info, &error) != MCP_OK) {
        complain("connecting", error);
        mcp_string_free(error);
        return false;
    }
    print_server(info);
    bool fine = print_lists(client, info);
    if (request->tool != NULL) {
        fine = call_tool(client, request) && fine;
    }
    mcp_string_free(info);
    return mcp_client_close(client, -1) == MCP_OK && fine;
}

/* False if the command line makes no sense. */
static bool parse(char **argv, struct request *request) {
    *request = (struct request){.protocol = "auto"};
    for (argv++; *argv != NULL; argv++) {
        if (strcmp(*argv, "--") == 0) {
            request->command = argv + 1;
            return *request->command != NULL;
        }
        if (strcmp(*argv, "--protocol") == 0 && argv[1] != NULL) {
            request->protocol = *++argv;
        } else if (strcmp(*argv, "--call") == 0 && argv[1] != NULL && argv[2] != NULL) {
            request->tool = *++argv;
            request->arguments = *++argv;
        } else {
            return false;
        }
    }
    return false;
}

int main(int argc, char **argv) {
    struct request request;
    mcp_client_t *client = NULL;
    char *error = NULL;
    if (argc < 1 || !parse(argv, &request)) {
        fprintf(stderr, "usage: inspect [--protocol P] [--call TOOL JSON] -- COMMAND [ARG...]\n");
        return 1;
    }
    char *config = config_for(&request);
    bool fine = mcp_client_new(config, NULL, &client, &error) == MCP_OK;
    free(config);
    if (!fine) {
        complain("the config", error);
        mcp_string_free(error);
        return 2;
    }
    fine = inspect(client, &request);
    fine = mcp_client_free(client) == MCP_OK && fine;
    return fine ? 0 : 2;
}
