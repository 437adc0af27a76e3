"""Servers and clients of the Model Context Protocol: the Python binding of libmcp.

    from libmcp import Client

    with Client({"command": "npx", "args": ["-y", "some-server"]}) as client:
        print(client.call_tool("echo", {"text": "Hello"}).text)

`AsyncClient` is the same for asyncio.
"""

from ._generated.abi import Kind, LogLevel, State, Status
from ._aio import AsyncClient
from ._client import Client
from ._context import Accepted, Context, Declined, Sampled
from ._core import Request
from ._generated.config import Config, ServerConfig
from ._features import Page, ToolResult
from ._handlers import ANY
from ._logging import set_logger
from ._login import Login
from ._media import Audio, File, Image
from ._native import expand_template, load_config, version
from ._open import open_config
from ._schema import schema_of
from ._types import Field
from ._server import Server
from ._store import AsyncLoginStore, LoginStore, SignRequest
from ._view import View, view_policy
from .errors import (
    CallTimeout,
    Cancelled,
    Closed,
    Disconnected,
    Error,
    InvalidArgument,
    NotFound,
    Refusal,
    ServerError,
    ToolError,
)

__version__ = version()

__all__ = [
    "ANY",
    "Accepted",
    "AsyncClient",
    "AsyncLoginStore",
    "Audio",
    "CallTimeout",
    "Cancelled",
    "Client",
    "Closed",
    "Config",
    "Context",
    "Declined",
    "Disconnected",
    "Error",
    "Field",
    "File",
    "Image",
    "InvalidArgument",
    "Kind",
    "LogLevel",
    "Login",
    "LoginStore",
    "NotFound",
    "Page",
    "Refusal",
    "Request",
    "Sampled",
    "Server",
    "ServerConfig",
    "ServerError",
    "SignRequest",
    "State",
    "Status",
    "ToolError",
    "ToolResult",
    "View",
    "expand_template",
    "load_config",
    "open_config",
    "schema_of",
    "set_logger",
    "version",
    "view_policy",
]
