"""The library's log records, for the standard library's logging."""

from __future__ import annotations

import atexit
import json
import logging
from typing import Any

from ._generated.abi import LogLevel, Status
from ._cffi import ffi, lib
from .errors import error_for

#: The level of records of single frames.
TRACE = 5

_LEVELS = {
    LogLevel.ERROR: logging.ERROR,
    LogLevel.WARN: logging.WARNING,
    LogLevel.INFO: logging.INFO,
    LogLevel.DEBUG: logging.DEBUG,
    LogLevel.TRACE: TRACE,
}

# What `user` points to stays here until the library says that it is done with it.
_kept: set[Any] = set()


@ffi.def_extern()  # type: ignore[untyped-decorator]
def mcp_py_log(user: Any, level: int, record: Any) -> None:
    values = json.loads(ffi.string(record))
    logger: logging.Logger = ffi.from_handle(user)
    number = _LEVELS.get(LogLevel(level), logging.DEBUG)
    if logger.isEnabledFor(number):
        event = values.pop("event", "")
        values.pop("level", None)
        text = " ".join(f"{name}={value}" for name, value in values.items())
        logger.log(number, "%s %s", event, text, extra={"mcp": {"event": event, **values}})


@ffi.def_extern()  # type: ignore[untyped-decorator]
def mcp_py_log_end(user: Any) -> None:
    for handle in [kept for kept in _kept if kept == user]:
        _kept.discard(handle)


def set_logger(logger: logging.Logger | None, level: int = logging.INFO) -> None:
    """Sends the log records of all clients, up to a level, to a logger; None takes it away.

    A record's message begins with the event; its values are in the record's attribute `mcp`. Records are made only while
    there is a client.
    """
    if logger is None:
        _check(lib.mcp_log_set_logger(ffi.NULL, 0, ffi.NULL, ffi.NULL))
        return
    wanted = max((ours for ours, theirs in _LEVELS.items() if theirs >= level), default=LogLevel.ERROR)
    handle = ffi.new_handle(logger)
    _kept.add(handle)
    _check(lib.mcp_log_set_logger(lib.mcp_py_log, wanted, handle, lib.mcp_py_log_end))


def _check(status: int) -> None:
    if status != Status.OK:
        raise error_for(status, {"operation": "set_logger"})


@atexit.register
def _at_exit() -> None:
    lib.mcp_log_set_logger(ffi.NULL, 0, ffi.NULL, ffi.NULL)
