#ifndef SERVER_H
#define SERVER_H

#include <mcp.h>

/* The server with all that it offers; NULL with the reason in *error. */
mcp_server_t *make_server(char **error);

#endif
