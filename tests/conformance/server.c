/*
 * The server that the official conformance suite plays its server scenarios against: an ordinary application on the public
 * API. One process at one URL serves all scenarios and both eras. It prints where it serves and ends when its standard input
 * does.
 *
 *   server                       at a free port of 127.0.0.1
 *   server http://HOST:PORT/mcp
 *   server unix:PATH             at a socket, for clients of this library
 *   server stdio                 on the standard streams, for a bridge
 *
 * Ends with 0, with 1 and a line on stderr when the library refused something that a scenario needs, and by SIGALRM when its
 * standard input stayed open too long.
 */
#define _POSIX_C_SOURCE 200809L

#include "program.h"

#include "server_answers.h"
#include "server_offers.h"
#include "server_questions.h"
#include "server_tasks.h"
#include "server_tools.h"

#include <errno.h>
#include <poll.h>
#include <unistd.h>

/* Both revisions together take seconds. */
#define SECONDS 600

/* How often the watched resource changes. */
#define CHANGE_MS 1000

/* More than the suite has requests and tasks at one time: some handlers sleep. */
#define WORKERS "16"

/* Publishes the folder beside this source. */
static void add_skills(mcp_server_t *server) {
    const char *name = strrchr(__FILE__, '/');
    char *folder = name != NULL ? format("%.*s/skills", (int)(name - __FILE__), __FILE__) : format("skills");
    char *error = NULL;
    if (mcp_server_add_skills(server, folder, NULL, &error) != MCP_OK) {
        fail(folder, error);
    }
    free(folder);
}

static mcp_server_t *new_server(void) {
    char *error = NULL;
    mcp_server_t *server = NULL;
    char *config = format("{\"name\":\"libmcp-conformance\",\"version\":\"%s\",\"workers\":" WORKERS
                          ",\"announce\":{\"logging\":true},\"cache\":{\"ttl_ms\":1000,\"scope\":\"public\"}}",
                          mcp_version());
    if (mcp_server_new(config, NULL, &server, &error) != MCP_OK) {
        fail("mcp_server_new", error);
    }
    free(config);
    add_tools(server);
    add_questions(server);
    add_tasks(server);
    add_resources(server);
    add_prompts(server);
    add_skills(server);
    return server;
}

/* Serves at an address and prints it. */
static void serve(mcp_server_t *server, const char *address) {
    const char *kind = strncmp(address, "http", 4) == 0 ? "url" : "socket";
    char *json = quoted(address);
    char *endpoint = format("{\"%s\":%s}", kind, json);
    char *bound = NULL;
    char *error = NULL;
    if (mcp_server_serve(server, endpoint, &bound, &error) != MCP_OK) {
        fail(endpoint, error);
    }
    char *pointer = format("/%s", kind);
    char *where = at(bound, pointer);
    if (printf("%s\n", where) < 0 || fflush(stdout) != 0) {
        fail("the address cannot be printed", strerror(errno));
    }
    mcp_string_free(where);
    free(pointer);
    mcp_string_free(bound);
    free(endpoint);
    mcp_string_free(json);
}

/* Serves the standard streams until they end, and changes the watched resource meanwhile. */
static void serve_stdio(mcp_server_t *server) {
    char *error = NULL;
    if (mcp_server_serve(server, "{\"stdio\":true}", NULL, &error) != MCP_OK) {
        fail("stdio", error);
    }
    for (mcp_status_t status = MCP_EMPTY; status != MCP_ERROR_CLOSED;) {
        status = mcp_server_run(server, CHANGE_MS);
        if (status != MCP_EMPTY && status != MCP_ERROR_CLOSED) {
            fail("mcp_server_run", mcp_status_name(status));
        }
        change_watched(server);
    }
}

/* Changes the watched resource until standard input ends; the library's threads serve meanwhile. */
static void wait_for_end(mcp_server_t *server) {
    struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
    for (;;) {
        char ignored[256];
        int ready = poll(&input, 1, CHANGE_MS);
        if (ready == 0) {
            change_watched(server);
        } else if (ready < 0 && errno != EINTR) {
            fail("poll", strerror(errno));
        } else if (ready > 0 && read(STDIN_FILENO, ignored, sizeof ignored) <= 0) {
            return;
        }
    }
}

int main(int argc, char **argv) {
    alarm(SECONDS);
    if (argc > 2) {
        fail("usage", "server [URL, socket or stdio]");
    }
    mcp_server_t *server = new_server();
    if (argc == 2 && strcmp(argv[1], "stdio") == 0) {
        serve_stdio(server);
    } else {
        serve(server, argc == 2 ? argv[1] : "http://127.0.0.1:0/mcp");
        wait_for_end(server);
    }
    mcp_status_t status = mcp_server_close(server, -1);
    if (status != MCP_OK && status != MCP_ERROR_TIMEOUT) {
        fail("mcp_server_close", mcp_status_name(status));
    }
    status = mcp_server_free(server);
    if (status != MCP_OK) {
        fail("mcp_server_free", mcp_status_name(status));
    }
    return 0;
}
