/*
 * glib_loop SERVER: a client in the main loop of GLib, as GTK programs have it.
 *
 *   cc -std=c11 glib_loop.c $(pkg-config --cflags --libs mcp glib-2.0) -o glib_loop
 *
 * A GSource watches the descriptor of the client, which is readable while messages are on its queue. The loop never waits for
 * a server: calls are started, and their outcomes arrive as messages between the other events of the program.
 */
#include <glib-unix.h>
#include <mcp.h>
#include <stdio.h>

struct program {
    GMainLoop *loop;
    mcp_client_t *client;
    mcp_status_t status; /* of the call, when the loop has ended */
};

/* Takes every message, because the source is called again as long as one is there. */
static gboolean on_messages(gint descriptor, GIOCondition condition, gpointer user) {
    struct program *program = user;
    mcp_message_t *message = NULL;
    mcp_status_t status;
    (void)descriptor, (void)condition;
    while ((status = mcp_client_poll(program->client, 0, &message)) == MCP_OK) {
        if (mcp_message_kind(message) == MCP_KIND_PROGRESS) {
            double progress = 0;
            mcp_value_double(mcp_value_get(mcp_message_value(message), "progress"), &progress);
            printf("step %.0f\n", progress);
        } else if (mcp_message_kind(message) == MCP_KIND_REPLY) {
            const char *text = mcp_message_text(message, NULL);
            printf("%s\n", text != NULL ? text : mcp_message_json(message, NULL)); /* the result, or the error */
            program->status = mcp_message_status(message);
            g_main_loop_quit(program->loop);
        }
        mcp_message_free(message);
    }
    if (status == MCP_EMPTY) return G_SOURCE_CONTINUE;
    program->status = status; /* the client is closed: its descriptor stays readable */
    g_main_loop_quit(program->loop);
    return G_SOURCE_REMOVE;
}

/* The rest of the program continues while the server works. */
static gboolean on_tick(gpointer user) {
    (void)user;
    printf("tick\n");
    return G_SOURCE_CONTINUE;
}

/* Makes the client, watches its descriptor and starts a call, which also starts the server. */
static mcp_status_t start(struct program *program, const char *command, GSource **source, char **error) {
    const char *config = NULL;
    mcp_builder_t *builder = mcp_builder_new();
    mcp_builder_begin_object(builder);
    mcp_builder_key(builder, "command");
    mcp_builder_string(builder, command);
    mcp_builder_end(builder);
    mcp_status_t status = mcp_builder_finish(builder, &config, NULL, error);
    if (status == MCP_OK) status = mcp_client_new(config, NULL, &program->client, error);
    mcp_builder_free(builder);
    if (status != MCP_OK) return status;
    gint descriptor = mcp_client_fd(program->client);
    if (descriptor < 0) return descriptor; /* a status */
    *source = g_unix_fd_source_new(descriptor, G_IO_IN);
    g_source_set_callback(*source, G_SOURCE_FUNC(on_messages), program, NULL);
    g_source_attach(*source, NULL); /* of this thread's default context; any GMainContext will do */
    return mcp_client_call_tool_start(program->client, "slow", "{\"ms\": 100, \"steps\": 4}", "{\"progress\": true}", 0,
                                      NULL, error);
}

int main(int argc, char **argv) {
    char *error = NULL;
    GSource *source = NULL;
    struct program program = {0};
    if (argc != 2) return fprintf(stderr, "usage: glib_loop SERVER\n"), 2;
    program.loop = g_main_loop_new(NULL, FALSE);
    guint ticks = g_timeout_add(30, on_tick, NULL);
    program.status = start(&program, argv[1], &source, &error);
    if (program.status == MCP_OK) g_main_loop_run(program.loop);
    if (program.status != MCP_OK) fprintf(stderr, "%s\n", error != NULL ? error : mcp_status_name(program.status));
    if (source != NULL) {
        g_source_destroy(source); /* before the client, to which the descriptor belongs */
        g_source_unref(source);
    }
    g_source_remove(ticks);
    g_main_loop_unref(program.loop);
    mcp_client_free(program.client);
    mcp_string_free(error);
    return program.status == MCP_OK ? 0 : 1;
}
