/*
 * event_loop SERVER: two servers in one epoll loop, and never a blocking call.
 *
 * Every client has a descriptor that is readable while messages wait for the program. The loop sleeps in
 * epoll_wait() alone; calls are started with a tag, and their replies arrive as messages with that tag,
 * between notifications. The program ends when every call has its reply and each server has sent its
 * notification.
 */
#define _GNU_SOURCE

#include <mcp.h>

#include <stdbool.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <time.h>
#include <unistd.h>

#define SERVERS 2
#define PATIENCE_MS 10000

/* The calls made on each server. A call's place in this list is its tag. */
static const char *const CALLS[] = {
    "{\"name\": \"echo\", \"arguments\": {\"text\": \"first\"}}",
    "{\"name\": \"slow\", \"arguments\": {\"ms\": 200}}",
    "{\"name\": \"notify\", \"arguments\": {\"count\": 2}}",
    "{\"name\": \"echo\", \"arguments\": {\"text\": \"last\"}}",
};
#define CALL_COUNT (sizeof CALLS / sizeof CALLS[0])

/* Servers of the modern era log only for requests that ask for it. Older ones take no notice of this. */
#define WITH_LOG "{\"meta\": {\"io.modelcontextprotocol/logLevel\": \"info\"}}"

struct server {
    mcp_client_t *client;
    const char *name;
    size_t replies;
    size_t notifications;
    bool failed;
};

static long long now_ms(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (long long)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Makes a client and starts all its calls. The first one starts the server too; none of them waits. */
static bool open_server(struct server *server, const char *command, int epoll) {
    char config[4096];
    char *quoted = NULL;
    char *error = NULL;
    if (mcp_json_quote(command, &quoted) != MCP_OK) {
        return false;
    }
    snprintf(config, sizeof config, "{\"command\": %s}", quoted);
    mcp_string_free(quoted);
    mcp_status_t status = mcp_client_new(config, &server->client, &error);
    for (size_t tag = 0; status == MCP_OK && tag < CALL_COUNT; tag++) {
        status = mcp_call_start(server->client, "tools/call", CALLS[tag], WITH_LOG, tag, NULL, &error);
    }
    if (status != MCP_OK) {
        fprintf(stderr, "%s: %s\n", server->name, error);
        mcp_string_free(error);
        return false;
    }
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = server};
    int descriptor = mcp_client_fd(server->client);
    return descriptor >= 0 && epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event) == 0;
}

/* One message: the reply of a call, a notification, or news about the connection. */
static void handle(struct server *server, const mcp_message_t *message) {
    const char *json = mcp_message_json(message, NULL);
    const char *text = mcp_message_text(message, NULL);
    switch (mcp_message_kind(message)) {
    case MCP_KIND_REPLY:
        printf("%s: call %llu ended: %s\n", server->name, (unsigned long long)mcp_message_tag(message),
               text != NULL ? text : json);
        server->replies++;
        server->failed = server->failed || mcp_message_status(message) != MCP_OK;
        break;
    case MCP_KIND_NOTIFICATION:
        printf("%s: %s %s\n", server->name, mcp_message_method(message), json);
        server->notifications++;
        break;
    default: /* kinds of later versions come here too */
        printf("%s: %s %s\n", server->name, mcp_kind_name(mcp_message_kind(message)), json);
        break;
    }
}

/* Takes all that is there: the descriptor stays readable until the queue is empty. */
static void drain(struct server *server) {
    mcp_message_t *message = NULL;
    while (mcp_poll(server->client, 0, &message) == MCP_OK) {
        handle(server, message);
        mcp_message_free(message);
    }
}

static bool all_done(const struct server *servers) {
    for (int i = 0; i < SERVERS; i++) {
        if (servers[i].replies < CALL_COUNT || servers[i].notifications == 0) {
            return false;
        }
    }
    return true;
}

/* The loop of the program. It ends when all is done, or at the deadline. */
static bool run(struct server *servers, int epoll) {
    long long deadline = now_ms() + PATIENCE_MS;
    while (!all_done(servers)) {
        struct epoll_event events[SERVERS];
        long long left = deadline - now_ms();
        int ready = left > 0 ? epoll_wait(epoll, events, SERVERS, (int)left) : 0;
        if (ready <= 0) {
            fprintf(stderr, "the loop ended early\n");
            return false;
        }
        for (int i = 0; i < ready; i++) {
            drain(events[i].data.ptr);
        }
    }
    return true;
}

int main(int argc, char **argv) {
    struct server servers[SERVERS] = {{.name = "left"}, {.name = "right"}};
    if (argc != 2) {
        fprintf(stderr, "usage: event_loop SERVER\n");
        return 1;
    }
    int epoll = epoll_create1(EPOLL_CLOEXEC);
    bool fine = epoll >= 0;
    for (int i = 0; i < SERVERS; i++) {
        fine = fine && open_server(&servers[i], argv[1], epoll);
    }
    fine = fine && run(servers, epoll);
    for (int i = 0; i < SERVERS; i++) {
        fine = fine && !servers[i].failed;
        mcp_client_free(servers[i].client); /* closes it; NULL is fine */
    }
    if (epoll >= 0) {
        close(epoll);
    }
    puts(fine ? "all calls ended" : "something failed");
    return fine ? 0 : 2;
}
