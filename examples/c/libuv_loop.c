/*
 * libuv_loop: a server and a client of it in one loop of libuv, with one queue for both.
 *
 *   cc -std=c11 libuv_loop.c $(pkg-config --cflags --libs mcp libuv) -o libuv_loop
 *
 * The loop watches the descriptor of the queue. mcp_queue_poll() then runs the handlers of the server and returns the messages
 * of the client, all on the thread of the loop, so they need no lock. A thread of the library reads and writes meanwhile.
 */
#define _POSIX_C_SOURCE 200809L

#include <mcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <uv.h>

#define CALLS 3

static const char TOOL[] =
    "{\"name\": \"later\", \"description\": \"Answers after a while\", \"inputSchema\": {\"type\": \"object\","
    " \"properties\": {\"ms\": {\"type\": \"integer\", \"minimum\": 0}}, \"required\": [\"ms\"]}}";

struct program {
    uv_loop_t loop;
    uv_poll_t watch;
    mcp_queue_t *queue;
    mcp_server_t *server;
    mcp_client_t *client;
    int replies;
    mcp_status_t status;
};

/* A call of the tool that waits for its timer. */
struct job {
    uv_timer_t timer;
    mcp_message_t *request;
};

static void free_job(uv_handle_t *timer) { free(timer->data); }

static void on_time(uv_timer_t *timer) {
    struct job *job = timer->data;
    mcp_status_t status = mcp_request_respond_text(job->request, "done", false, NULL);
    printf("the server answers: %s\n", mcp_status_name(status)); /* MCP_ERROR_CANCELLED: no longer wanted */
    mcp_message_free(job->request);
    uv_close((uv_handle_t *)timer, free_job);
}

/* A handler must not wait, because the loop stops meanwhile. It keeps the request and answers when the timer expires. */
static void on_later(void *user, mcp_message_t *request) {
    struct program *program = user;
    int64_t ms = 0;
    struct job *job = malloc(sizeof *job);
    mcp_value_int64(mcp_value_get(mcp_value_get(mcp_message_value(request), "arguments"), "ms"), &ms);
    if (job == NULL || uv_timer_init(&program->loop, &job->timer) != 0) {
        free(job);
        mcp_message_free(request); /* without an answer: the library refuses the request */
        return;
    }
    job->request = request;
    job->timer.data = job;
    uv_timer_start(&job->timer, on_time, (uint64_t)ms, 0);
}

/* Closes the watch when all is done: a loop of libuv ends when it has no active handle. */
static void on_messages(uv_poll_t *watch, int error, int events) {
    struct program *program = watch->data;
    mcp_message_t *message = NULL;
    mcp_status_t status = error == 0 ? MCP_OK : MCP_ERROR_INTERNAL;
    (void)events;
    while (status == MCP_OK && (status = mcp_queue_poll(program->queue, 0, &message)) == MCP_OK) {
        if (mcp_message_kind(message) == MCP_KIND_REPLY) {
            const char *text = mcp_message_text(message, NULL);
            printf("call %d: %s\n", (int)mcp_message_tag(message), text != NULL ? text : mcp_message_json(message, NULL));
            if (mcp_message_status(message) != MCP_OK) program->status = mcp_message_status(message);
            program->replies++;
        }
        mcp_message_free(message);
    }
    if (status < MCP_OK) program->status = status;
    if (status < MCP_OK || program->replies == CALLS) uv_close((uv_handle_t *)watch, NULL);
}

/* Serves on a port that the system chooses, and makes a client of it. `bound` is {"socket": "tcp:127.0.0.1:PORT"}, which is
 * also the configuration of a client. */
static mcp_status_t start(struct program *program, char **error) {
    char *bound = NULL;
    mcp_status_t status = mcp_queue_new(NULL, &program->queue, error);
    if (status == MCP_OK) status = mcp_server_new("{\"name\": \"libuv_loop\"}", program->queue, &program->server, error);
    if (status == MCP_OK) status = mcp_server_add_tool(program->server, TOOL, on_later, program, NULL, error);
    if (status == MCP_OK) status = mcp_server_serve(program->server, "{\"socket\": \"tcp:127.0.0.1:0\"}", &bound, error);
    if (status == MCP_OK) status = mcp_client_new(bound, program->queue, &program->client, error);
    mcp_string_free(bound);
    for (int i = 0; status == MCP_OK && i < CALLS; i++) {
        char arguments[40]; /* a later call answers earlier */
        snprintf(arguments, sizeof arguments, "{\"ms\": %d}", 50 * (CALLS - i));
        status = mcp_client_call_tool_start(program->client, "later", arguments, NULL, (uint64_t)i, NULL, error);
    }
    return status;
}

int main(void) {
    struct program program = {0};
    char *error = NULL;
    if (uv_loop_init(&program.loop) != 0) return 1;
    program.status = start(&program, &error);
    int descriptor = program.status == MCP_OK ? mcp_queue_fd(program.queue) : -1; /* negative: a status */
    program.watch.data = &program;
    if (descriptor >= 0 && uv_poll_init(&program.loop, &program.watch, descriptor) == 0 &&
        uv_poll_start(&program.watch, UV_READABLE, on_messages) == 0) {
        uv_run(&program.loop, UV_RUN_DEFAULT); /* until no handle is active */
    }
    if (program.status != MCP_OK) fprintf(stderr, "%s\n", error != NULL ? error : mcp_status_name(program.status));
    bool fine = program.status == MCP_OK && program.replies == CALLS && uv_loop_close(&program.loop) == 0;
    mcp_client_free(program.client);
    mcp_server_free(program.server);
    mcp_queue_free(program.queue); /* after those that use it */
    mcp_string_free(error);
    return fine ? 0 : 1;
}
