/* The header of the installed libmcp; pkg-config says where it is. */
#include <mcp.h>
