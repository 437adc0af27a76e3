/*
 * A host has descriptors that are not close-on-exec: a file, a listening socket, one with a high number. A server
 * starts with its three streams and none of these, also on a kernel or in a sandbox without close_range and without
 * /proc. The host's own descriptors stay as they are.
 */
#include "check.h"

#include <arpa/inet.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <netinet/in.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#define HIGH 900

#ifndef SYS_close_range
#define SYS_close_range 436
#endif

static int listening_socket(struct sockaddr_in *address) {
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    socklen_t length = sizeof *address;
    *address = (struct sockaddr_in){.sin_family = AF_INET};
    address->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    CHECK_GE(listener, 3);
    CHECK_EQ(bind(listener, (struct sockaddr *)address, sizeof *address), 0);
    CHECK_EQ(listen(listener, 8), 0);
    CHECK_EQ(getsockname(listener, (struct sockaddr *)address, &length), 0);
    return listener;
}

/* The numbers of the descriptors that a program has, one a line, as the program started with them. */
static void check_streams_only(const char *list) {
    FILE *lines = fopen(list, "re");
    char line[64];
    int count = 0;
    CHECK(lines != NULL);
    while (fgets(line, sizeof line, lines) != NULL) {
        int number = atoi(line);
        if (number > 2) {
            FAIL("the server has descriptor %d of the host", number);
        }
        count++;
    }
    fclose(lines);
    CHECK_EQ(count, 3);
}

/* What the library starts: notes which descriptors it has, then becomes the server. A filter is inherited, so it reads
   /proc with readlink only, which stays allowed. */
static int look(const char *list, const char *server) {
    FILE *lines = fopen(list, "we");
    char path[64];
    char target[256];
    CHECK(lines != NULL);
    int own = fileno(lines);
    for (int number = 0; number < 2048; number++) {
        snprintf(path, sizeof path, "/proc/self/fd/%d", number);
        if (number != own && readlink(path, target, sizeof target) >= 0) {
            fprintf(lines, "%d\n", number);
        }
    }
    fclose(lines);
    execl(server, server, (char *)NULL);
    return 1;
}

static void start_with_open_descriptors(const char *self, const char *server) {
    char list[] = "/tmp/libmcp-test-XXXXXX";
    struct sockaddr_in address;
    int listener = listening_socket(&address);
    int file = mkstemp(list);
    CHECK_GE(file, 3);
    CHECK_EQ(dup2(file, HIGH), HIGH);
    mcp_client_t *client = connected(self, ARGS("look", list, server), NULL);
    check_echo(client, "it runs");
    check_streams_only(list);
    CHECK_EQ(fcntl(file, F_GETFD), 0);
    CHECK_EQ(fcntl(listener, F_GETFD), 0);
    CHECK_EQ(fcntl(HIGH, F_GETFD), 0);

    /* The reason: a port that the host gives up is free, though the server lives. */
    CHECK_EQ(close(listener), 0);
    int visitor = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    CHECK_GE(visitor, 0);
    CHECK_EQ(connect(visitor, (struct sockaddr *)&address, sizeof address), -1);
    CHECK_EQ(errno, ECONNREFUSED);
    close(visitor);
    close_and_free(client);
    close(HIGH);
    close(file);
    unlink(list);
}

/* Has the kernel answer as if it did not know one or two calls. */
static void take_away(long one, long two) {
    struct sock_filter program[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)one, 1, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)two, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog filter = {.len = sizeof program / sizeof program[0], .filter = program};
    CHECK_EQ(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), 0);
    CHECK_EQ(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter), 0);
}

static void in_a_process_without(long one, long two, const char *self, const char *server) {
    fflush(NULL);
    pid_t child = fork(); /* before this process uses the library */
    CHECK_GE(child, 0);
    if (child == 0) {
        take_away(one, two);
        start_with_open_descriptors(self, server);
        _exit(0);
    }
    int status = 0;
    CHECK_EQ(waitpid(child, &status, 0), child);
    CHECK(WIFEXITED(status));
    CHECK_EQ(WEXITSTATUS(status), 0);
}

int main(int argc, char **argv) {
    if (argc == 4 && strcmp(argv[1], "look") == 0) {
        return look(argv[2], argv[3]);
    }
    CHECK_EQ(argc, 3);
    if (getenv("MCP_UNDER_VALGRIND") == NULL) { /* Valgrind refuses filters */
        in_a_process_without(SYS_close_range, SYS_close_range, argv[0], argv[1]);
        in_a_process_without(SYS_close_range, SYS_getdents64, argv[0], argv[1]);
    }
    struct holdings before = holdings_now();
    start_with_open_descriptors(argv[0], argv[1]);
    check_nothing_left(before);
    return 0;
}
