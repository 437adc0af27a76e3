"""A Model Context Protocol client: the Python binding of libmcp.

    from libmcp import Client

    with Client({"command": "npx", "args": ["-y", "some-server"]}) as client:
        print(client.call_tool("echo", {"text": "Hello"}).text)

`AsyncClient` is the same for asyncio.
"""

from ._abi import Kind, LogLevel, State, Status
from ._aio import AsyncClient
from ._client import Client
from ._core import ANY, Request
from ._features import ToolResult
from ._logging import set_logger
from ._login import Login
from ._native import expand_template, load_config, version
from .errors import (
    CallTimeout,
    Cancelled,
    Closed,
    Disconnected,
    Error,
    InvalidArgument,
    Refusal,
    ServerError,
    ToolError,
)

__all__ = [
    "ANY",
    "AsyncClient",
    "CallTimeout",
    "Cancelled",
    "Client",
    "Closed",
    "Disconnected",
    "Error",
    "InvalidArgument",
    "Kind",
    "LogLevel",
    "Login",
    "Refusal",
    "Request",
    "ServerError",
    "State",
    "Status",
    "ToolError",
    "ToolResult",
    "expand_template",
    "load_config",
    "set_logger",
    "version",
]
