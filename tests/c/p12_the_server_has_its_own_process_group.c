/*
 * Field fault P12: Ctrl-C in the host's terminal does not reach the server, and the server cannot take the
 * terminal: it is in a process group of its own, and none of its standard streams is a terminal or one of the
 * host's. A second server inherits none of the pipes to the first.
 */
#include "check.h"

#define MOST_DESCRIPTORS 256
#define TARGET_SIZE 64

/* Where a descriptor of a process leads, such as "pipe:[4711]"; "" if it has none of that number. */
static void descriptor_target(pid_t pid, int number, char *target) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%ld/fd/%d", (long)pid, number);
    ssize_t length = readlink(path, target, TARGET_SIZE - 1);
    target[length > 0 ? length : 0] = '\0';
}

static char hosts[MOST_DESCRIPTORS][TARGET_SIZE]; /* what the host had open before the library did anything */

static bool is_hosts(const char *target) {
    for (int number = 0; number < MOST_DESCRIPTORS; number++) {
        if (strcmp(hosts[number], target) == 0) {
            return true;
        }
    }
    return false;
}

static void check_standard_streams(pid_t pid) {
    char target[TARGET_SIZE];
    for (int number = 0; number <= 2; number++) {
        descriptor_target(pid, number, target);
        CHECK(target[0] != '\0');
        CHECK(strncmp(target, "/dev/tty", 8) != 0 && strncmp(target, "/dev/pts", 8) != 0);
        CHECK(!is_hosts(target) || strcmp(target, "/dev/null") == 0);
    }
}

/* Above its standard streams a server may have what the host itself lets every child inherit, and its own
 * files. The scripted server makes no pipes and sockets of its own; the example server does, on the library. */
static void check_nothing_inherited(pid_t pid) {
    char target[TARGET_SIZE];
    for (int number = 3; number < MOST_DESCRIPTORS; number++) {
        descriptor_target(pid, number, target);
        bool pipe_or_socket = strncmp(target, "pipe:", 5) == 0 || strncmp(target, "socket:", 7) == 0;
        if (pipe_or_socket && !is_hosts(target)) {
            FAIL("descriptor %d of the server is %s", number, target);
        }
    }
}

int main(int argc, char **argv) {
    CHECK_EQ(argc, 3);
    for (int number = 0; number < MOST_DESCRIPTORS; number++) {
        descriptor_target(getpid(), number, hosts[number]);
    }
    mcp_client_t *first = connected(argv[2], NULL, NULL);
    mcp_client_t *second = connected(argv[2], NULL, NULL);
    mcp_client_t *const clients[] = {first, second};
    for (int i = 0; i < 2; i++) {
        char *info = info_of(clients[i]);
        pid_t pid = (pid_t)json_number(info, "/pid");
        mcp_string_free(info);
        CHECK_NE(getpgid(pid), getpgrp());
        CHECK_EQ(getpgid(pid), pid);
        check_standard_streams(pid);
        check_nothing_inherited(pid);
    }
    close_and_free(first);
    close_and_free(second);
    return 0;
}
