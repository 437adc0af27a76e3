/* A listening socket that breaks ends the sessions of its URL, so that mcp_server_run() returns. A connection that the server drops is
 * over for its client although a child of fork() has a copy of the descriptor. */
#include "served_http.h"

#include <sys/wait.h>

/* The descriptor of this process that listens on a port. */
static int listener_of(int port) {
    for (int fd = 3; fd < 1024; fd++) {
        struct sockaddr_in address;
        socklen_t length = sizeof address;
        int listens = 0;
        socklen_t size = sizeof listens;
        if (getsockopt(fd, SOL_SOCKET, SO_ACCEPTCONN, &listens, &size) == 0 && listens != 0 &&
            getsockname(fd, (struct sockaddr *)&address, &length) == 0 && address.sin_family == AF_INET &&
            ntohs(address.sin_port) == port) {
            return fd;
        }
    }
    FAIL("no descriptor listens on port %d", port);
}

static void check_broken_listener(void) {
    mcp_server_t *server = new_server("{\"name\":\"s\"}");
    int port = serve_http(server, NULL);
    pthread_t thread = start_thread(serve_on, server);
    char *session = open_session(port);
    free(session);
    CHECK_EQ(info_number(server, "/sessions"), 1);
    CHECK_EQ(shutdown(listener_of(port), SHUT_RDWR), 0);
    join_thread(thread); /* the session has ended */
    CHECK_EQ(info_number(server, "/sessions"), 0);
    CHECK_STATUS(mcp_server_free(server), MCP_OK);
}

static void check_child(void) {
    mcp_server_t *server = new_server("{\"name\":\"s\",\"timeouts\":{\"head_ms\":500}}");
    int port = serve_http(server, NULL);
    pthread_t thread = start_thread(serve_on, server);
    struct wire *silent = wire_to(port);
    /* Clients are accepted in their order. */
    struct wire *later = ask(port, "PUT", "", "{}");
    CHECK_EQ(status_of(later), 405);
    wire_free(later);
    int hold[2];
    CHECK_EQ(pipe(hold), 0);
    pid_t child = fork();
    CHECK_GE(child, 0);
    if (child == 0) {
        char end;
        close(hold[1]);
        close(silent->fd);
        ssize_t got = read(hold[0], &end, 1);
        end_child(got == 0 ? 0 : 1);
    }
    close(hold[0]);
    CHECK_LE(silent->length, 0);
    wire_until_end(silent); /* timeouts.head_ms is over; the child has a copy of the server's end */
    close(hold[1]);
    int status = 0;
    CHECK_EQ(waitpid(child, &status, 0), child);
    CHECK_EQ(status, 0);
    wire_free(silent);
    CHECK_STATUS(mcp_server_close(server, patience()), MCP_OK);
    join_thread(thread);
    CHECK_STATUS(mcp_server_free(server), MCP_OK);
}

int main(void) {
    struct holdings held = holdings_now();
    check_broken_listener();
    check_child();
    check_nothing_left(held);
    return 0;
}
