/* Addresses of Unix sockets, which the library does not have on Windows: for programs that mention them and are not run with one. */
#ifndef MCP_TESTS_WINDOWS_UN_H
#define MCP_TESTS_WINDOWS_UN_H

#include <sys/socket.h>

struct sockaddr_un {
    ADDRESS_FAMILY sun_family;
    char sun_path[108];
};

#endif
