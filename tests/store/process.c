/*
 * A process of a server whose tool `work` is a task: `process URL PORT LEASE_MS`, with the store at the URL. The arguments of a call are the
 * options of its task; with `plain` a call is no task. It says `begun NUMBER ATTEMPT` for each handler that runs, and does what the standard input
 * says: `text NUMBER TEXT` or `fill NUMBER BYTES` answers, `progress NUMBER VALUE` tells how far it is; at its end the process closes.
 */
#define _GNU_SOURCE
#include "mcp_stores.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 1000 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static mcp_message_t *calls[MOST];
static int begun;

static void check(mcp_status_t status, const char *what, char *error) {
    if (status != MCP_OK) {
        fprintf(stderr, "%s: %s %s\n", what, mcp_status_name(status), error == NULL ? "" : error);
        exit(1);
    }
}

/* The number after a name in JSON that the library has written. */
static int number_of(const char *json, const char *name) {
    const char *at = strstr(json, name);
    return at == NULL ? 0 : atoi(at + strlen(name));
}

static void on_work(void *user, mcp_message_t *request) {
    (void)user;
    char options[64], *context = NULL, *error = NULL;
    int attempts = number_of(mcp_message_json(request, NULL), "\"attempts\":");
    snprintf(options, sizeof options, "{\"attempts\":%d}", attempts > 0 ? attempts : 1);
    bool is_plain = strstr(mcp_message_json(request, NULL), "\"plain\"") != NULL;
    /* In a second attempt it is a task already. The store may be away. */
    if (!is_plain && mcp_request_start_task(request, options, NULL) != MCP_OK) {
        mcp_request_respond_text(request, "no task", true, NULL);
        mcp_message_free(request);
        return;
    }
    if (mcp_request_context(request, &context, &error) != MCP_OK) { /* it is withdrawn already */
        mcp_string_free(error);
        mcp_message_free(request);
        return;
    }
    pthread_mutex_lock(&lock);
    int number = begun++;
    if (number >= MOST) {
        check(MCP_ERROR_INTERNAL, "too many calls", NULL);
    }
    calls[number] = request;
    printf("begun %d %d\n", number, number_of(context, "\"attempt\":"));
    fflush(stdout);
    pthread_mutex_unlock(&lock);
    mcp_string_free(context);
}

static void respond(int number, const char *text) {
    pthread_mutex_lock(&lock);
    mcp_message_t *call = number < begun ? calls[number] : NULL;
    calls[number] = NULL;
    pthread_mutex_unlock(&lock);
    /* It may be over: another process has said so. */
    mcp_status_t status = call == NULL ? MCP_EMPTY : mcp_request_respond_text(call, text, false, NULL);
    printf("answered %d %s\n", number, mcp_status_name(status));
    fflush(stdout);
    mcp_message_free(call);
}

static void progress(int number, int value) {
    pthread_mutex_lock(&lock);
    mcp_message_t *call = number < begun ? calls[number] : NULL;
    mcp_status_t status = call == NULL ? MCP_EMPTY : mcp_request_progress(call, value, -1, NULL);
    printf("answered %d %s\n", number, mcp_status_name(status));
    fflush(stdout);
    pthread_mutex_unlock(&lock);
}

int main(int argc, char **argv) {
    char config[2048], endpoint[256], line[4096], *error = NULL;
    mcp_server_t *server = NULL;
    if (argc != 4) {
        return 2;
    }
    check(REGISTER(&error), "register", error);
    snprintf(config, sizeof config,
             "{\"name\":\"s\",\"workers\":2,\"request_state\":{\"keys\":[\"AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=\"]},"
             "\"store\":{\"url\":\"%s\",\"space\":\"tasks\",\"timeout_ms\":1000,\"lease_ms\":%s}}",
             argv[1], argv[3]);
    check(mcp_server_new(config, NULL, &server, &error), "server", error);
    check(mcp_server_add_tool(server,
                              "{\"name\":\"work\",\"inputSchema\":{\"type\":\"object\"},\"execution\":{\"taskSupport\":\"optional\"}}",
                              on_work, NULL, NULL, &error),
          "tool", error);
    snprintf(endpoint, sizeof endpoint, "{\"url\":\"http://127.0.0.1:%s/mcp\"}", argv[2]);
    check(mcp_server_serve(server, endpoint, NULL, &error), "serve", error);
    puts("serves");
    fflush(stdout);
    while (fgets(line, sizeof line, stdin) != NULL) {
        int number = 0, bytes = 0, value = 0, at = 0;
        line[strcspn(line, "\n")] = '\0';
        if (sscanf(line, "text %d %n", &number, &at) == 1 && at > 0) {
            respond(number, line + at);
        } else if (sscanf(line, "fill %d %d", &number, &bytes) == 2) {
            char *text = malloc((size_t)bytes + 1);
            memset(text, 'x', (size_t)bytes);
            text[bytes] = '\0';
            respond(number, text);
            free(text);
        } else if (sscanf(line, "progress %d %d", &number, &value) == 2) {
            progress(number, value);
        }
    }
    mcp_status_t status = mcp_server_close(server, -1);
    printf("closed %s\n", mcp_status_name(status));
    for (int number = 0; number < begun; number++) {
        mcp_message_free(calls[number]);
    }
    mcp_server_free(server);
    return 0;
}
