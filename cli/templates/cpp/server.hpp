#pragma once

#include <mcp.hpp>

/// The server with all that it offers. Throws mcp::bad_result where something of it is wrong.
mcp::server make_server();
