/* The least that an HTTP server can do for a call: it waits, receives, and sends an answer that is ready; nothing is read of the
 * request but whether the connection ends with it. It prints its URL and ends with its standard input. */
#define _GNU_SOURCE
#include "fail.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#define BODY \
    "{\"jsonrpc\":\"2.0\",\"id\":10,\"result\":{\"content\":[{\"type\":\"text\",\"text\":" \
    "\"call 00 of the benchmark, with enough words to be sixty-four now\"}]}}"

static void watch(int set, int fd)
{
    struct epoll_event event = {.events = EPOLLIN, .data = {.fd = fd}};
    if (epoll_ctl(set, EPOLL_CTL_ADD, fd, &event) != 0)
        fail("cannot watch a descriptor");
}

int main(void)
{
    char answer[512], request[65536];
    int length = snprintf(answer, sizeof answer,
                          "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: %zu\r\n"
                          "date: Thu, 01 Jan 2026 00:00:00 GMT\r\n\r\n%s",
                          strlen(BODY), BODY);
    int listening = socket(AF_INET, SOCK_STREAM, 0), set = epoll_create1(0), yes = 1;
    struct sockaddr_in address = {.sin_family = AF_INET};
    socklen_t size = sizeof address;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (listening < 0 || set < 0 || bind(listening, (struct sockaddr *)&address, size) != 0 ||
        listen(listening, 128) != 0 || getsockname(listening, (struct sockaddr *)&address, &size) != 0)
        fail("cannot listen");
    watch(set, listening);
    watch(set, STDIN_FILENO);
    printf("http://127.0.0.1:%d/mcp\n", ntohs(address.sin_port));
    fflush(stdout);
    for (;;) {
        struct epoll_event events[64];
        int count = epoll_wait(set, events, 64, -1);
        for (int i = 0; i < count; i++) {
            int fd = events[i].data.fd;
            if (fd == STDIN_FILENO)
                return 0;
            if (fd == listening) {
                int client = accept(listening, NULL, NULL);
                if (client < 0)
                    fail("cannot accept");
                setsockopt(client, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
                watch(set, client);
                continue;
            }
            ssize_t got = recv(fd, request, sizeof request - 1, 0);
            if (got > 0) {
                request[got] = '\0';
                if (send(fd, answer, (size_t)length, MSG_NOSIGNAL) == length && strstr(request, "Connection: close") == NULL)
                    continue;
            }
            close(fd);
        }
    }
}
