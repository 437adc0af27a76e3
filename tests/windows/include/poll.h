/*
 * What the C tests use of poll(2), for Windows: posix.c beside this folder waits for sockets with WSAPoll, or
 * for one pipe.
 */
#ifndef MCP_TESTS_WINDOWS_POLL_H
#define MCP_TESTS_WINDOWS_POLL_H

/* Windows' own headers have these names for other values. */
#undef POLLIN
#undef POLLOUT
#undef POLLERR
#undef POLLHUP
#undef POLLNVAL
#define pollfd test_pollfd
#define poll test_poll

#define POLLIN 1
#define POLLOUT 4
#define POLLERR 8
#define POLLHUP 16
#define POLLNVAL 32

typedef unsigned long nfds_t;

struct pollfd {
    int fd;
    short events;
    short revents;
};

int poll(struct pollfd *descriptors, nfds_t count, int timeout_ms);

#endif
