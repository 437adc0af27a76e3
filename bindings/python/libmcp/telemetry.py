"""Spans and durations of calls and requests for OpenTelemetry: `use()`. No other module loads this one, which needs opentelemetry-api."""

from __future__ import annotations

import atexit
import json
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from ._cffi import ffi, lib
from ._context import Context as Request
from ._native import check, encode
from ._options import hooks
from .errors import Error

try:
    from opentelemetry import context as contexts
    from opentelemetry import metrics, trace
    from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator
except ImportError as missing:
    raise ImportError("libmcp.telemetry needs opentelemetry-api: pip install 'libmcp[telemetry]'") from missing

log = logging.getLogger("libmcp.telemetry")

#: The histograms of the conventions, and the upper bounds of their buckets in seconds.
HISTOGRAMS = {
    "mcp.client.operation.duration": "Duration of a request or notification as observed by its sender",
    "mcp.server.operation.duration": "Duration of a request or notification as observed by its receiver",
    "mcp.client.session.duration": "Duration of a session as observed by the client",
    "mcp.server.session.duration": "Duration of a session as observed by the server",
}
BOUNDS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300)

_KINDS = {2: trace.SpanKind.SERVER, 3: trace.SpanKind.CLIENT}
_propagator = TraceContextTextMapPropagator()

# What `user` points to stays here until the library says that it is done with it.
_kept: set[Any] = set()


class _Ids:
    """The ids of the span at hand. Spans come one after another, on one thread."""

    trace_id = span_id = 0

    def generate_trace_id(self) -> int:
        return self.trace_id

    def generate_span_id(self) -> int:
        return self.span_id

    def is_trace_id_random(self) -> bool:
        return True


class _Bridge:
    """What becomes of what the library tells."""

    def __init__(self, tracers: trace.TracerProvider, meters: metrics.MeterProvider) -> None:
        self.ids = _Ids()
        self.tracer = tracers.get_tracer("libmcp")
        _keep_ids(self.tracer, self.ids)
        meter = meters.get_meter("libmcp")
        self.histograms = {
            name: meter.create_histogram(name, "s", what, explicit_bucket_boundaries_advisory=BOUNDS)
            for name, what in HISTOGRAMS.items()
        }

    def take(self, told: dict[str, Any]) -> None:
        measured = told.get("measurement")
        if measured is not None:
            self.histograms[measured["name"]].record(measured["value"], _attributes(measured), contexts.Context())
        if "span" in told:
            self.span(told["span"])

    def span(self, told: dict[str, Any]) -> None:
        self.ids.trace_id, self.ids.span_id = int(told["traceId"], 16), int(told["spanId"], 16)
        around = contexts.Context()
        if "parentSpanId" in told:
            state = trace.TraceState.from_header([told["traceState"]]) if "traceState" in told else None
            # The caller of a server is elsewhere.
            parent = _context(told["traceId"], told["parentSpanId"], told["flags"], told["kind"] == 2, state)
            around = trace.set_span_in_context(trace.NonRecordingSpan(parent), around)
        made = self.tracer.start_span(
            told["name"],
            around,
            _KINDS[told["kind"]],
            _attributes(told),
            [trace.Link(_context(link["traceId"], link["spanId"], 0, True)) for link in told.get("links", ())],
            int(told["startTimeUnixNano"]),
        )
        if told["status"].get("code") == 2:
            made.set_status(trace.Status(trace.StatusCode.ERROR, told["status"].get("message")))
        made.end(int(told["endTimeUnixNano"]))


def _keep_ids(tracer: trace.Tracer, ids: _Ids) -> None:
    """Has a tracer of OpenTelemetry's SDK take the ids and the decisions of the library, which have gone out with the requests."""
    try:
        from opentelemetry.sdk.trace import Tracer
        from opentelemetry.sdk.trace.sampling import ALWAYS_ON
    except ImportError:
        return
    if isinstance(tracer, Tracer):
        tracer.id_generator = ids  # type: ignore[assignment]  # pyright: ignore[reportAttributeAccessIssue]
        tracer.sampler = ALWAYS_ON


def _context(trace_id: str, span_id: str, flags: int, is_remote: bool, state: trace.TraceState | None = None) -> trace.SpanContext:
    return trace.SpanContext(int(trace_id, 16), int(span_id, 16), is_remote, trace.TraceFlags(flags), state)


def _attributes(of: dict[str, Any]) -> dict[str, str | int]:
    values = ((one["key"], one["value"]) for one in of["attributes"])
    return {key: int(value["intValue"]) if "intValue" in value else value.get("stringValue", "") for key, value in values}


@ffi.def_extern()  # type: ignore[untyped-decorator]
def mcp_py_span(user: Any, told: Any) -> None:
    bridge: _Bridge = ffi.from_handle(user)
    try:
        bridge.take(json.loads(ffi.string(told)))
    except Exception:
        log.exception("a span was lost")


@ffi.def_extern()  # type: ignore[untyped-decorator]
def mcp_py_span_end(user: Any) -> None:
    for handle in [kept for kept in _kept if kept == user]:
        _kept.discard(handle)


def _parent(options: dict[str, Any]) -> None:
    """Gives a call the active span as its parent, unless the program has said something of its trace."""
    active = trace.get_current_span().get_span_context()
    if active.is_valid and "traceparent" not in options and "traceparent" not in (options.get("meta") or ()):
        options["parent"] = f"00-{active.trace_id:032x}-{active.span_id:016x}-{active.trace_flags:02x}"
        state = active.trace_state.to_header()
        if state:
            options.setdefault("tracestate", state)


@contextmanager
def _around(request: Request) -> Iterator[None]:
    """Makes the span of a request the active one while its handler runs."""
    try:
        of_request = request.info().get("traceparent")
    except Error:
        of_request = None  # It is over.
    carrier = {name: request.meta.get(name) for name in ("traceparent", "tracestate")}
    if of_request is not None:
        carrier["traceparent"] = of_request
    given = {name: value for name, value in carrier.items() if isinstance(value, str)}
    token = contexts.attach(_propagator.extract(given))
    try:
        yield
    finally:
        contexts.detach(token)


def use(
    tracer_provider: trace.TracerProvider | None = None,
    meter_provider: metrics.MeterProvider | None = None,
    *,
    sample_rate: float = 1.0,
) -> None:
    """Has the clients and servers that are made from now on tell OpenTelemetry of their calls and requests, by the conventions for MCP.

    Without a provider the global one is used. A call is a child of the active span; a handler runs in the span of its request. Of
    requests without a parent the share `sample_rate` is recorded: the library decides, since the decision goes out with the request.
    """
    bridge = _Bridge(tracer_provider or trace.get_tracer_provider(), meter_provider or metrics.get_meter_provider())
    handle = ffi.new_handle(bridge)
    _kept.add(handle)
    options, error = encode({"sample_rate": sample_rate, "measurements": True}, "telemetry_set"), ffi.new("char **")
    check(lib.mcp_telemetry_set(options, lib.mcp_py_span, handle, lib.mcp_py_span_end, error), "telemetry_set", error)
    hooks.parent, hooks.around = _parent, _around


def stop() -> None:
    """Ends that."""
    hooks.parent = hooks.around = None
    lib.mcp_telemetry_set(ffi.NULL, ffi.NULL, ffi.NULL, ffi.NULL, ffi.NULL)


atexit.register(stop)
