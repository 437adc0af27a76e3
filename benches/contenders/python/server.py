"""A server with the Python SDK (MCPServer, which was FastMCP in 1.x), as it comes: over HTTP at the port that it is told, or over
the standard streams with the argument stdio."""

import asyncio
import logging
import sys

from mcp.server.mcpserver import MCPServer

server = MCPServer("mcp-bench", log_level="ERROR")


@server.tool(structured_output=False)
def echo(text: str) -> str:
    """Says it again"""
    return text


def fibonacci(n):
    return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)


# The tools of published benchmarks (benches/languages.py).
@server.tool(structured_output=False)
async def hello(name: str) -> str:
    return f"Hello, {name}!"


@server.tool(structured_output=False)
async def calculate_fibonacci(n: int) -> str:
    return str(fibonacci(n))


@server.tool()
async def process_json_data(data: dict) -> dict:
    return {key: value.upper() if isinstance(value, str) else value for key, value in data.items()}


@server.tool(structured_output=False)
async def simulate_database_query(query: str, delay_ms: int) -> str:
    await asyncio.sleep(delay_ms / 1000)
    return query


logging.disable(logging.INFO)
if sys.argv[1] == "stdio":
    server.run("stdio")
    sys.exit()
print(f"http://127.0.0.1:{sys.argv[1]}/mcp", flush=True)
server.run("streamable-http", port=int(sys.argv[1]))
