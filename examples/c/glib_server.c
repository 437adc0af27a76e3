/*
 * glib_server: a server in the main loop of GLib, as GTK programs have it, over the standard streams.
 *
 *   cc -std=c11 glib_server.c $(pkg-config --cflags --libs mcp glib-2.0) -o glib_server
 *   ./inspect --call later '{"ms": 50}' -- ./glib_server
 *
 * A GSource watches the descriptor of the server. mcp_server_run() then runs the handlers on the thread of the loop, where
 * they may use widgets. A handler that has to wait keeps its request and answers from a source of the loop.
 */
#include <glib-unix.h>
#include <mcp.h>
#include <stdio.h>

static const char LATER[] = "{\"name\": \"later\", \"inputSchema\": {\"type\": \"object\", \"required\": [\"ms\"],"
                            " \"properties\": {\"ms\": {\"type\": \"integer\", \"minimum\": 0, \"maximum\": 60000}}}}";

struct program {
    GMainLoop *loop;
    mcp_server_t *server;
    mcp_status_t status;
    unsigned answered;
};

struct job {
    struct program *program;
    mcp_message_t *request;
};

static gboolean on_time(gpointer user) {
    struct job *job = user;
    job->program->answered++;
    mcp_request_respond_text(job->request, "done", false, NULL); /* fails only if the client no longer waits */
    return G_SOURCE_REMOVE;
}

static void free_job(gpointer user) {
    struct job *job = user;
    mcp_message_free(job->request); /* without an answer: the library refuses the request */
    g_free(job);
}

static void on_later(void *user, mcp_message_t *request) {
    struct job *job = g_new0(struct job, 1);
    int64_t ms = 0;
    mcp_value_int64(mcp_value_get(mcp_value_get(mcp_message_value(request), "arguments"), "ms"), &ms);
    job->program = user;
    job->request = request;
    g_timeout_add_full(G_PRIORITY_DEFAULT, (guint)ms, on_time, job, free_job);
}

/* SIGINT or SIGTERM. GLib runs it in the loop, so that it need not be safe in a signal handler. */
static gboolean on_end(gpointer user) {
    struct program *program = user;
    program->status = MCP_WOKEN;
    g_main_loop_quit(program->loop);
    return G_SOURCE_CONTINUE;
}

static gboolean on_requests(gint descriptor, GIOCondition condition, gpointer user) {
    struct program *program = user;
    (void)descriptor, (void)condition;
    program->status = mcp_server_run(program->server, 0); /* what is to be done now; never waits */
    if (program->status >= MCP_OK) return G_SOURCE_CONTINUE;
    g_main_loop_quit(program->loop); /* MCP_ERROR_CLOSED: the client has closed our standard input */
    return G_SOURCE_REMOVE;
}

int main(void) {
    char *error = NULL;
    struct program program = {.loop = g_main_loop_new(NULL, FALSE)};
    mcp_status_t status = mcp_server_new("{\"name\": \"glib_server\", \"version\": \"1.0\"}", NULL, &program.server, &error);
    if (status == MCP_OK) status = mcp_server_add_tool(program.server, LATER, on_later, &program, NULL, &error);
    g_unix_signal_add(SIGINT, on_end, &program), g_unix_signal_add(SIGTERM, on_end, &program);
    if (status == MCP_OK) status = mcp_server_serve(program.server, "{\"stdio\": true}", NULL, &error);
    gint descriptor = status == MCP_OK ? mcp_server_fd(program.server) : -1; /* negative: a status */
    if (descriptor >= 0) {
        guint source = g_unix_fd_add(descriptor, G_IO_IN, on_requests, &program);
        g_main_loop_run(program.loop);
        if (program.status != MCP_ERROR_CLOSED) g_source_remove(source);
    }
    if (status != MCP_OK) fprintf(stderr, "%s\n", error != NULL ? error : mcp_status_name(status));
    else printf("the loop answered %u calls\n", program.answered); /* goes to standard error */
    mcp_server_free(program.server);
    g_main_loop_unref(program.loop);
    mcp_string_free(error);
    return program.status == MCP_ERROR_CLOSED || program.status == MCP_WOKEN ? 0 : 1;
}
