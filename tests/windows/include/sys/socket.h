/*
 * Sockets for the C tests on Windows, whose numbers fit into an int. close, read and write take them as well: unistd.h beside this
 * folder.
 */
#ifndef MCP_TESTS_WINDOWS_SOCKET_H
#define MCP_TESTS_WINDOWS_SOCKET_H

#define WIN32_LEAN_AND_MEAN
#define NOGDI
#define NOMINMAX

/* poll.h beside this folder has given the names another meaning. */
#pragma push_macro("pollfd")
#pragma push_macro("poll")
#undef pollfd
#undef poll

#include <winsock2.h>

#include <ws2tcpip.h>

#pragma pop_macro("poll")
#pragma pop_macro("pollfd")
#undef POLLIN
#undef POLLOUT
#undef POLLERR
#undef POLLHUP
#undef POLLNVAL
#define POLLIN 1
#define POLLOUT 4
#define POLLERR 8
#define POLLHUP 16
#define POLLNVAL 32

#define MSG_NOSIGNAL 0
#define SHUT_RD SD_RECEIVE
#define SHUT_WR SD_SEND
#define SHUT_RDWR SD_BOTH
#define SOCK_CLOEXEC 0

#define accept4(socket, address, length, flags) accept(socket, address, length)
#define getsockopt(socket, level, name, value, length) getsockopt(socket, level, name, (char *)(value), length)
#define setsockopt(socket, level, name, value, length) setsockopt(socket, level, name, (const char *)(value), length)

/* Windows wants to be told of the first use of sockets. */
int test_socket(int family, int kind, int protocol);
#define socket(family, kind, protocol) test_socket(family, kind, protocol)

#endif
