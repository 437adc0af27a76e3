"""The server of server.py inside an HTTP server: uvicorn, hypercorn, or a route of Starlette or FastAPI.

    uvicorn --port 8080 server_asgi:app             # then it is at http://127.0.0.1:8080/mcp
    hypercorn --bind 127.0.0.1:8080 server_asgi:app
"""

import os

from server import server

app = server.asgi(os.environ.get("MCP_URL", "http://127.0.0.1:8080/mcp"))
