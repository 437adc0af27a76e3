/*
 * daemon SERVER LOGFILE [CHECKS]: leaves the terminal and checks every second, in the background, that a server answers; CHECKS
 * times, or until SIGTERM. The command ends when the first check is done, with its outcome.
 *
 * Only the thread that calls fork() exists in the child; a client made before it belongs to the parent, and every function
 * returns MCP_ERROR_FORKED for it. So this program forks first, and only then makes the queue and the client. It also forks
 * before it starts any other thread, and replaces the standard streams before it writes to them.
 */
#define _POSIX_C_SOURCE 200809L

#include <mcp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static mcp_queue_t *queue;

static void on_terminate(int number) {
    (void)number;
    mcp_queue_wake(queue); /* async-signal-safe */
}

/* The work of the daemon. Writes "y" or "n" to `ready` when the outcome of the first check is known. */
static mcp_status_t work(const char *server, int checks, int ready) {
    const char *config = NULL;
    char *error = NULL;
    mcp_client_t *client = NULL;
    mcp_builder_t *builder = mcp_builder_new();
    mcp_builder_begin_object(builder);
    mcp_builder_key(builder, "command");
    mcp_builder_string(builder, server);
    mcp_builder_end(builder);
    mcp_status_t status = mcp_builder_finish(builder, &config, NULL, &error), wait = MCP_EMPTY;
    if (status == MCP_OK) status = mcp_queue_new(NULL, &queue, &error);
    if (status == MCP_OK) status = mcp_client_new(config, queue, &client, &error);
    if (status != MCP_OK) printf("%s\n", error != NULL ? error : mcp_status_name(status));
    else sigaction(SIGTERM, &(struct sigaction){.sa_handler = on_terminate}, NULL); /* signal() may last for one signal */
    for (int i = 0; client != NULL && wait != MCP_WOKEN && (checks == 0 || i < checks); i++) {
        mcp_message_t *reply = NULL; /* a server that has ended is started again */
        status = mcp_call(client, "ping", NULL, "{\"timeout_ms\": 5000, \"when_unavailable\": \"wait\"}", &reply);
        const char *why = mcp_message_error(reply, NULL);
        printf("%s\n", status == MCP_OK ? "the server answers" : why != NULL ? why : mcp_status_name(status));
        mcp_message_free(reply);
        if (i == 0 && write(ready, status == MCP_OK ? "y" : "n", 1) != 1) break;
        mcp_message_t *message = NULL; /* such as a change of the state of the connection */
        while ((wait = mcp_queue_poll(queue, 1000, &message)) == MCP_OK) mcp_message_free(message);
    }
    signal(SIGTERM, SIG_IGN); /* the handler must not run when the queue is gone, and closing has a limit of its own */
    mcp_client_free(client);
    mcp_queue_free(queue);
    mcp_builder_free(builder);
    mcp_string_free(error);
    return status;
}

int main(int argc, char **argv) {
    int ready[2];
    char outcome = 'n';
    if (argc < 3 || argc > 4) return fprintf(stderr, "usage: daemon SERVER LOGFILE [CHECKS]\n"), 2;
    if (pipe(ready) != 0) return perror("pipe"), 1;
    pid_t child = fork();
    if (child < 0) return perror("fork"), 1;
    if (child > 0) {
        close(ready[1]); /* so that read() ends when the daemon does */
        bool fine = read(ready[0], &outcome, 1) == 1 && outcome == 'y';
        printf("daemon %ld: %s\n", (long)child, fine ? "the server answers" : "failed, see the log file");
        return fine ? 0 : 1;
    }
    close(ready[0]);
    if (setsid() < 0 || freopen("/dev/null", "r", stdin) == NULL || freopen(argv[2], "a", stdout) == NULL ||
        dup2(STDOUT_FILENO, STDERR_FILENO) < 0 || setvbuf(stdout, NULL, _IOLBF, 0) != 0) return 1;
    return work(argv[1], argc == 4 ? atoi(argv[3]) : 0, ready[1]) == MCP_OK ? 0 : 1;
}
