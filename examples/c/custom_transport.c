/*
 * custom_transport SERVER: a client over a transport that the program brings.
 *
 * The transport is a socketpair: one end is the standard input and output of the server, which the program starts itself;
 * at the other end a thread of the program cuts what comes into lines and delivers them. Whatever carries messages can
 * take that place: a message bus, a tunnel, another part of the same program.
 *
 * None of the functions waits. `send` writes what the socket takes now and leaves the rest to the thread; `close` ends the
 * socket, and the thread does the tidying up. `destroy`, which comes last, waits for the threads.
 */
#define _GNU_SOURCE

#include <mcp.h>

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define PATIENCE_MS 5000

extern char **environ;

/* The transport: what lives as long as the client. */
struct tunnel {
    char *server;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    struct link *open; /* the connection that is open */
    int links;         /* connections whose thread still runs */
};

/* One connection. */
struct link {
    struct tunnel *tunnel;
    mcp_transport_t *transport;
    int socket;
    int wake[2]; /* a pipe that tells the thread to look */
    pid_t pid;
    char *out; /* what the socket has not taken yet */
    size_t out_length;
};

/* ---- the thread of a connection ---- */

/* Writes what the socket takes, with the lock held. False when the other side is gone. */
static bool flush(struct link *link) {
    while (link->out_length > 0) {
        ssize_t sent = send(link->socket, link->out, link->out_length, MSG_DONTWAIT | MSG_NOSIGNAL);
        if (sent < 0) {
            return errno == EAGAIN || errno == EINTR;
        }
        link->out_length -= (size_t)sent;
        memmove(link->out, link->out + sent, link->out_length);
    }
    return true;
}

/* Delivers the complete lines of a buffer, and gives how many bytes they were. */
static size_t deliver_lines(struct link *link, const char *buffer, size_t length) {
    size_t start = 0;
    const char *end;
    while ((end = memchr(buffer + start, '\n', length - start)) != NULL) {
        size_t line = (size_t)(end - (buffer + start));
        if (line > 0) {
            /* Fails only after the end, and for a message over limits.frame_bytes: then its call has ended as
             * MCP_ERROR_TOO_LARGE. MCP_ERROR_BACKPRESSURE comes with "overflow": "block" alone, which this program does not use. */
            mcp_transport_deliver(link->transport, buffer + start, line);
        }
        start += line + 1;
    }
    return start;
}

static void *carry(void *argument) {
    struct link *link = argument;
    struct tunnel *tunnel = link->tunnel;
    char *buffer = NULL;
    size_t length = 0;
    bool alive = true;
    while (alive) {
        pthread_mutex_lock(&tunnel->lock);
        alive = flush(link);
        short events = link->out_length > 0 ? POLLIN | POLLOUT : POLLIN;
        pthread_mutex_unlock(&tunnel->lock);
        struct pollfd fds[2] = {{.fd = link->socket, .events = events}, {.fd = link->wake[0], .events = POLLIN}};
        if (!alive || poll(fds, 2, -1) < 0) {
            continue;
        }
        if (fds[1].revents != 0) {
            char byte[64];
            alive = read(link->wake[0], byte, sizeof byte) > 0;
        }
        if ((fds[0].revents & ~POLLOUT) != 0) {
            char *more = realloc(buffer, length + 65536);
            ssize_t got = more != NULL ? recv(link->socket, more + length, 65536, MSG_DONTWAIT) : 0;
            buffer = more != NULL ? more : buffer;
            if (got > 0) {
                size_t used = deliver_lines(link, buffer, length + (size_t)got);
                length += (size_t)got - used;
                memmove(buffer, buffer + used, length);
            } else if (got == 0 || (errno != EAGAIN && errno != EINTR)) {
                alive = false;
            }
        }
    }
    /* If it was not the client that closed, it is told; else this does nothing. `close` may still be on its way, on
     * another thread, so it must not find the link any more. */
    mcp_transport_closed(link->transport, "the server closed its socket");
    pthread_mutex_lock(&tunnel->lock);
    if (tunnel->open == link) {
        tunnel->open = NULL;
    }
    pthread_mutex_unlock(&tunnel->lock);
    close(link->socket);
    close(link->wake[0]);
    close(link->wake[1]);
    waitpid(link->pid, NULL, 0);
    free(link->out);
    free(link);
    free(buffer);
    pthread_mutex_lock(&tunnel->lock);
    tunnel->links--;
    pthread_cond_signal(&tunnel->changed);
    pthread_mutex_unlock(&tunnel->lock);
    return NULL;
}

/* ---- the four functions ---- */

/* Starts the server with one end of a socketpair as its input and output. -1 when that fails. */
static pid_t start_server(char *server, int its_end) {
    posix_spawn_file_actions_t actions;
    char *arguments[] = {server, NULL};
    pid_t pid = -1;
    if (posix_spawn_file_actions_init(&actions) != 0) {
        return -1;
    }
    posix_spawn_file_actions_adddup2(&actions, its_end, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, its_end, STDOUT_FILENO);
    if (posix_spawnp(&pid, server, &actions, NULL, arguments, environ) != 0) {
        pid = -1;
    }
    posix_spawn_file_actions_destroy(&actions);
    return pid;
}

static mcp_status_t open_link(void *user, mcp_transport_t *transport) {
    struct tunnel *tunnel = user;
    struct link *link = calloc(1, sizeof *link);
    int ends[2] = {-1, -1};
    pthread_t thread;
    if (link == NULL) {
        return MCP_ERROR_INTERNAL;
    }
    *link = (struct link){.tunnel = tunnel, .transport = transport, .socket = -1, .wake = {-1, -1}, .pid = -1};
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0 && pipe2(link->wake, O_CLOEXEC | O_NONBLOCK) == 0) {
        link->socket = ends[0];
        link->pid = start_server(tunnel->server, ends[1]);
        close(ends[1]);
        ends[1] = -1;
    }
    /* The lock lets the thread begin only when everything is in its place. */
    pthread_mutex_lock(&tunnel->lock);
    if (link->pid != -1 && pthread_create(&thread, NULL, carry, link) == 0) {
        pthread_detach(thread);
        tunnel->open = link;
        tunnel->links++;
        pthread_mutex_unlock(&tunnel->lock);
        return MCP_OK;
    }
    pthread_mutex_unlock(&tunnel->lock);
    for (int i = 0; i < 2; i++) {
        if (ends[i] != -1) {
            close(ends[i]);
        }
        if (link->wake[i] != -1) {
            close(link->wake[i]);
        }
    }
    if (link->pid != -1) {
        waitpid(link->pid, NULL, 0); /* its input has ended */
    }
    free(link);
    return MCP_ERROR_TRANSPORT;
}

static mcp_status_t send_frame(void *user, mcp_transport_t *transport, const char *frame, size_t length) {
    struct tunnel *tunnel = user;
    mcp_status_t status = MCP_ERROR_TRANSPORT;
    (void)transport; /* there is one at a time */
    pthread_mutex_lock(&tunnel->lock);
    struct link *link = tunnel->open;
    char *longer = link != NULL ? realloc(link->out, link->out_length + length + 1) : NULL;
    if (longer != NULL) {
        memcpy(longer + link->out_length, frame, length);
        longer[link->out_length + length] = '\n';
        link->out = longer;
        link->out_length += length + 1;
        status = flush(link) ? MCP_OK : MCP_ERROR_TRANSPORT;
        if (link->out_length > 0 && write(link->wake[1], "x", 1) < 0 && errno != EAGAIN) {
            status = MCP_ERROR_TRANSPORT;
        }
    }
    pthread_mutex_unlock(&tunnel->lock);
    return status;
}

static void close_link(void *user, mcp_transport_t *transport) {
    struct tunnel *tunnel = user;
    (void)transport;
    pthread_mutex_lock(&tunnel->lock);
    if (tunnel->open != NULL) {
        /* The server sees the end of its input and ends; the thread sees the end of the socket. */
        shutdown(tunnel->open->socket, SHUT_RDWR);
        tunnel->open = NULL;
    }
    pthread_mutex_unlock(&tunnel->lock);
}

static void destroy_tunnel(void *user) {
    struct tunnel *tunnel = user;
    pthread_mutex_lock(&tunnel->lock);
    while (tunnel->links > 0) {
        pthread_cond_wait(&tunnel->changed, &tunnel->lock);
    }
    pthread_mutex_unlock(&tunnel->lock);
    pthread_cond_destroy(&tunnel->changed);
    pthread_mutex_destroy(&tunnel->lock);
    free(tunnel->server);
    free(tunnel);
}

static const mcp_transport_functions_t FUNCTIONS = {
    .size = sizeof FUNCTIONS,
    .version = MCP_TRANSPORT_VERSION,
    .open = open_link,
    .send = send_frame,
    .close = close_link,
    .destroy = destroy_tunnel,
};

/* A client of SERVER through a tunnel. NULL when there is none; the tunnel is the client's in any case. */
static mcp_client_t *client_of(const char *server) {
    mcp_client_t *client = NULL;
    char *error = NULL;
    struct tunnel *tunnel = calloc(1, sizeof *tunnel);
    if (tunnel == NULL || (tunnel->server = strdup(server)) == NULL) {
        free(tunnel);
        return NULL;
    }
    pthread_mutex_init(&tunnel->lock, NULL);
    pthread_cond_init(&tunnel->changed, NULL);
    const char *config = "{\"name\": \"tunnel\", \"reconnect\": {\"initial_ms\": 50}, \"when_unavailable\": \"wait\"}";
    if (mcp_client_new_with_transport(config, NULL, &FUNCTIONS, tunnel, &client, &error) != MCP_OK) {
        fprintf(stderr, "no client: %s\n", error);
        mcp_string_free(error);
    }
    return client;
}

/* ---- the program ---- */

/* Calls a tool and prints what it says. Gives the status. */
static mcp_status_t call(mcp_client_t *client, const char *params) {
    mcp_message_t *reply = NULL;
    mcp_status_t status = mcp_call(client, "tools/call", params, NULL, &reply);
    const char *text = mcp_message_text(reply, NULL);
    printf("%s -> %s\n", params, status == MCP_OK && text != NULL ? text : mcp_message_json(reply, NULL));
    mcp_message_free(reply);
    return status;
}

int main(int argc, char **argv) {
    if (argc != 2) {
        fprintf(stderr, "usage: %s SERVER\n", argv[0]);
        return 2;
    }
    mcp_client_t *client = client_of(argv[1]);
    if (client == NULL) {
        return 1;
    }
    char *error = NULL;
    bool fine = mcp_client_connect(client, PATIENCE_MS, &error) == MCP_OK;
    if (!fine) {
        printf("not connected: %s\n", error);
        mcp_string_free(error);
    }
    fine = fine && call(client, "{\"name\": \"echo\", \"arguments\": {\"text\": \"through the tunnel\"}}") == MCP_OK;
    fine = fine && call(client, "{\"name\": \"add\", \"arguments\": {\"a\": 2, \"b\": 40}}") == MCP_OK;
    /* The server ends in the middle of a call, which says so; for the next one the tunnel is opened again. */
    fine = fine && call(client, "{\"name\": \"crash\", \"arguments\": {}}") == MCP_ERROR_TRANSPORT;
    fine = fine && call(client, "{\"name\": \"echo\", \"arguments\": {\"text\": \"back again\"}}") == MCP_OK;
    mcp_client_free(client);
    return fine ? 0 : 1;
}
