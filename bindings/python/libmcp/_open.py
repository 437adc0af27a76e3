"""The servers that a file of a host configures ("mcpServers"), as clients."""

from __future__ import annotations

import os
from typing import Any, overload

from . import _native
from ._aio import AsyncClient
from ._client import Client
from ._generated.config import Config
from ._handlers import Typed, with_lines, with_store
from ._options import plain
from .errors import Error

Path = str | os.PathLike[str]


@overload
def open_config(
    path: Path, *, client: type[Client] = ..., defaults: Config | None = None, **handlers: Any
) -> tuple[dict[str, Client], dict[str, Error]]: ...


@overload
def open_config(
    path: Path, *, client: type[AsyncClient], defaults: Config | None = None, **handlers: Any
) -> tuple[dict[str, AsyncClient], dict[str, Error]]: ...


def open_config(path: Path, *, client: Any = Client, defaults: Any = None, **handlers: Any) -> Any:
    """A client for each enabled server of a file with "mcpServers", by name, and why there is none for the others.

    `defaults` are keys of the configuration for servers that do not have them, `handlers` the functions that `client`
    (Client or AsyncClient) takes. The clients belong to the program: close each.
    """
    kinds = ("on_sampling", "on_elicitation", "on_visit", "on_roots")
    enabled = with_store(Typed(*(handlers.get(kind) for kind in kinds)).enable(defaults or {}), handlers.get("login_store"))
    enabled = with_lines(enabled, handlers.get("on_log_line"))
    handles, failures = _native.open_config(path, plain("client", enabled))
    made: dict[str, Any] = {}
    try:
        for name in list(handles):
            made[name] = client(_handle=handles.pop(name), **handlers)
    finally:
        for left in handles.values():  # Only when one has failed.
            left.free()
    return made, failures
