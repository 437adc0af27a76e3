"""A server with the Python SDK (MCPServer, which was FastMCP in 1.x), as it comes: over HTTP at the port that it is told, or over
the standard streams with the argument stdio."""

import logging
import sys

from mcp.server.mcpserver import MCPServer

server = MCPServer("mcp-bench", log_level="ERROR")


@server.tool(structured_output=False)
def echo(text: str) -> str:
    """Says it again"""
    return text


logging.disable(logging.INFO)
if sys.argv[1] == "stdio":
    server.run("stdio")
    sys.exit()
print(f"http://127.0.0.1:{sys.argv[1]}/mcp", flush=True)
server.run("streamable-http", port=int(sys.argv[1]))
