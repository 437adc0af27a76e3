/* terminal_ui: a program with a loop of its own (epoll) that draws its state in the terminal while an agent changes it. Requests
 * without a handler arrive as messages, where the loop wants them. The protocol has the standard streams, the picture stderr.
 *
 *   ./inspect --call set_volume '{"percent": 70}' -- ./terminal_ui
 */
#define _POSIX_C_SOURCE 200809L

#include <mcp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

static const char VOLUME[] = "{\"name\": \"set_volume\", \"inputSchema\": {\"type\": \"object\", \"required\": [\"percent\"],"
                             " \"properties\": {\"percent\": {\"type\": \"integer\", \"minimum\": 0, \"maximum\": 100}}}}";

static void draw(int64_t percent, unsigned frame) {
    fprintf(stderr, "\r%c volume [%-20.*s] %3lld %%", "|/-\\"[frame % 4], (int)(percent / 5), "####################",
            (long long)percent);
}

/* Takes every request that waits; false when the client has left. */
static int serve(mcp_server_t *server, int64_t *percent) {
    mcp_message_t *request = NULL;
    mcp_status_t status;
    while ((status = mcp_server_poll(server, 0, &request)) == MCP_OK) {
        if (mcp_message_kind(request) == MCP_KIND_REQUEST) { /* the arguments were checked against the schema */
            char text[64];
            mcp_value_int64(mcp_value_get(mcp_value_get(mcp_message_value(request), "arguments"), "percent"), percent);
            snprintf(text, sizeof text, "The volume is %lld %%", (long long)*percent);
            mcp_request_respond_text(request, text, false, NULL);
        }
        mcp_message_free(request);
    }
    return status == MCP_EMPTY;
}

static mcp_server_t *served;

/* SIGINT or SIGTERM: the descriptor is readable, and mcp_server_poll() returns MCP_WOKEN. A second one ends the program at once. */
static void on_end(int number) {
    signal(number, SIG_DFL);
    mcp_queue_wake(mcp_server_queue(served));
}

int main(void) {
    int64_t percent = 40;
    mcp_server_t *server = NULL;
    mcp_status_t status = mcp_server_new("{\"name\": \"player\", \"version\": \"1.0\"}", NULL, &server, NULL);
    served = server;
    signal(SIGINT, on_end), signal(SIGTERM, on_end);
    if (status == MCP_OK) status = mcp_server_add_tool(server, VOLUME, NULL, NULL, NULL, NULL);
    if (status == MCP_OK) status = mcp_server_serve(server, "{\"stdio\": true}", NULL, NULL);
    int fd = status == MCP_OK ? mcp_server_fd(server) : -1;
    int timer = timerfd_create(CLOCK_MONOTONIC, 0), loop = epoll_create1(0);
    struct itimerspec frames = {.it_interval.tv_nsec = 50000000, .it_value.tv_nsec = 50000000};
    struct epoll_event on_request = {.events = EPOLLIN, .data.fd = fd}, on_frame = {.events = EPOLLIN, .data.fd = timer};
    if (fd < 0 || timer < 0 || loop < 0 || timerfd_settime(timer, 0, &frames, NULL) != 0 ||
        epoll_ctl(loop, EPOLL_CTL_ADD, fd, &on_request) != 0 || epoll_ctl(loop, EPOLL_CTL_ADD, timer, &on_frame) != 0) {
        return mcp_server_free(server), 1;
    }
    unsigned frame = 0;
    for (int goes_on = 1; goes_on;) {
        struct epoll_event ready;
        if (epoll_wait(loop, &ready, 1, -1) < 1) continue; /* a signal */
        if (ready.data.fd == fd) {
            goes_on = serve(server, &percent);
        } else {
            uint64_t elapsed;
            if (read(timer, &elapsed, sizeof elapsed) == (ssize_t)sizeof elapsed) draw(percent, ++frame);
        }
    }
    fprintf(stderr, "\n");
    close(loop);
    close(timer);
    return mcp_server_free(server) == MCP_OK ? 0 : 1;
}
