"""Times in configurations and options: a timedelta becomes the whole number that the library takes."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from datetime import timedelta
from typing import Any, TypeVar, Union

from ._generated.abi import Status
from ._generated.config import DURATIONS, CallOptions, FeatureOptions
from ._generated.protocol import ProgressNotificationParams, TaskStatusNotificationParams
from .errors import error_for


#: A time: a number of seconds, or a timedelta.
Time = Union[float, timedelta]

T = TypeVar("T")

#: A function for what comes before the outcome of a call; of an asynchronous client it may be a coroutine function.
Report = Callable[[T], Any]


class Options(CallOptions, FeatureOptions, total=False):
    """The options of a call: those of docs/reference/configuration.md, and the binding's own."""

    timeout: Time
    """The time of this call, in seconds; `math.inf` for no limit."""

    max_total: Time
    """The most it may take, progress or not, in seconds."""

    on_progress: Report[ProgressNotificationParams]
    """Gets each report of progress."""

    on_task: Report[TaskStatusNotificationParams]
    """Gets each state of the task that the call becomes."""


class Hooks:
    """What libmcp.telemetry sets while it is in use: what adds the trace to the options of a call, and what is around a handler."""

    parent: Callable[[dict[str, Any]], None] | None = None
    around: Callable[[Any], AbstractContextManager[None]] | None = None


hooks = Hooks()

#: The units of DURATIONS by the names on the path to a key, since a method may have dots in its name. Calls of features have the
#: options of every call, too.
_UNITS = {kind: {tuple(path.split(".")): unit for path, unit in units.items()} for kind, units in DURATIONS.items()}
_UNITS["feature_call"].update(_UNITS["call"])


def plain(kind: str, settings: Any) -> Any:
    """Settings of a kind of DURATIONS without timedelta."""
    return _plain(kind, settings, ()) if isinstance(settings, Mapping) else settings


def _plain(kind: str, value: Any, path: tuple[str, ...]) -> Any:
    if isinstance(value, Mapping):
        return {key: _plain(kind, item, (*path, str(key))) for key, item in value.items()}
    if isinstance(value, float) and not math.isfinite(value):
        why = f"{kind}: '{'.'.join(path)}' is {value}, which JSON cannot hold"
        raise error_for(Status.INVALID_ARGUMENT, {"operation": kind, "message": why})
    if not isinstance(value, timedelta):
        return value
    units = _UNITS[kind]
    unit = units.get(path) or units.get((*path[:-1], "*"))
    if unit is None:
        raise error_for(Status.INVALID_ARGUMENT, {"operation": kind, "message": f"{kind}: '{'.'.join(path)}' is no time"})
    return round(value / timedelta(seconds=1) * (1000 if unit == "ms" else 1))


#: The longest time of a call that the library takes, in milliseconds: a year. And the longest wait of its functions.
LONGEST_CALL = 365 * 24 * 60 * 60 * 1000
LONGEST_WAIT = 2**31 - 1


def milliseconds(time: Time | None, name: str = "timeout", most: int = LONGEST_WAIT, least: int = 0) -> int:
    """Whole ones, rounded up; None is -1, which is no bound or the configured one. `math.inf` is no limit."""
    if time is None:
        return -1
    value = time.total_seconds() if isinstance(time, timedelta) else time
    try:
        is_time = not isinstance(value, bool) and value >= 0
    except TypeError:
        is_time = False
    if not is_time:
        why = f"{name} must be a number of seconds from 0, a timedelta, or math.inf for no limit; it is {time!r}"
        raise error_for(Status.INVALID_ARGUMENT, {"operation": name, "message": why})
    return most if value >= most / 1000 else max(least, -int(-value * 1000 // 1))
