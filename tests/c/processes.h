/*
 * For tests that start several programs, which reach each other at ports: tests/balancer, tests/chaos.
 */
#ifndef MCP_TESTS_PROCESSES_H
#define MCP_TESTS_PROCESSES_H

#include "check.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/prctl.h>
#include <sys/socket.h>

/* A port that is free now. */
static inline int free_port(void) {
    struct sockaddr_in address = {.sin_family = AF_INET};
    socklen_t length = sizeof address;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    CHECK_GE(fd, 0);
    CHECK_EQ(bind(fd, (struct sockaddr *)&address, sizeof address), 0);
    CHECK_EQ(getsockname(fd, (struct sockaddr *)&address, &length), 0);
    close(fd);
    return ntohs(address.sin_port);
}

/* Starts a program; `arguments` begin with its name and end with NULL. It must not outlive a test that fails: then it gets a signal. */
static inline pid_t run_program_until(const char *program, char *const *arguments, int end) {
    pid_t pid = fork();
    CHECK_GE(pid, 0);
    if (pid == 0) {
        prctl(PR_SET_PDEATHSIG, end);
        execv(program, arguments);
        _exit(127);
    }
    return pid;
}

static inline pid_t run_program(const char *program, char *const *arguments) {
    return run_program_until(program, arguments, SIGKILL);
}

#endif
