"""Spans and durations as OpenTelemetry's own SDK has them."""

import asyncio
import subprocess
import sys
import unittest

from libmcp import AsyncClient, Client, Context, Server, ToolError, telemetry
from opentelemetry import trace
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import InMemoryMetricReader
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import SpanKind, StatusCode

BOUNDS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300)


class TelemetryTest(unittest.TestCase):
    def setUp(self):
        self.exporter, self.reader = InMemorySpanExporter(), InMemoryMetricReader()
        self.tracers = TracerProvider()
        self.tracers.add_span_processor(SimpleSpanProcessor(self.exporter))
        self.tracer = self.tracers.get_tracer("application")
        self.meters = MeterProvider([self.reader])
        self.carried = []
        self.addCleanup(telemetry.stop)

    def use(self, **more):
        telemetry.use(self.tracers, self.meters, **more)

    def server(self):
        server = Server("adder", version="1")

        @server.tool
        def add(request: Context, a: int, b: int) -> int:
            self.carried.append(request.meta.get("traceparent"))
            with self.tracer.start_as_current_span("work"):
                return a + b

        @server.tool
        async def later(request: Context) -> str:
            await asyncio.sleep(0)
            with self.tracer.start_as_current_span("work"):
                return "done"

        @server.tool
        def fail() -> str:
            raise ToolError("no")

        return server

    def spans(self, name, kind=None):
        return [it for it in self.exporter.get_finished_spans() if it.name == name and kind in (None, it.kind)]

    def only(self, name, kind=None):
        (span,) = self.spans(name, kind)
        return span

    def counts(self):
        """How often each histogram counted each method."""
        data = self.reader.get_metrics_data()
        found = {}
        for metric in [it for of in data.resource_metrics for scope in of.scope_metrics for it in scope.metrics]:
            self.assertEqual(metric.unit, "s")
            for point in metric.data.data_points:
                self.assertEqual(tuple(point.explicit_bounds), BOUNDS)
                self.assertFalse({"jsonrpc.request.id", "mcp.resource.uri"} & point.attributes.keys())
                key = (metric.name, point.attributes.get("mcp.method.name"))
                found[key] = found.get(key, 0) + point.count
        return found

    def check_one_trace(self, tool):
        """The span of the application, that of its call, that of the request, and that of the handler are one chain."""
        application, work = self.only("application"), self.only("work")
        call, request = self.only(f"tools/call {tool}", SpanKind.CLIENT), self.only(f"tools/call {tool}", SpanKind.SERVER)
        self.assertEqual({it.context.trace_id for it in (application, call, request, work)}, {application.context.trace_id})
        for child, parent in ((call, application), (request, call), (work, request)):
            self.assertEqual(child.parent.span_id, parent.context.span_id, child.name)
            self.assertGreaterEqual(child.end_time, child.start_time)
        self.assertTrue(request.parent.is_remote and not call.parent.is_remote)
        for span in (call, request):
            self.assertEqual(span.attributes["mcp.method.name"], "tools/call")
            self.assertEqual(span.attributes["gen_ai.tool.name"], tool)
            self.assertEqual(span.attributes["gen_ai.operation.name"], "execute_tool")
            self.assertEqual((span.status.status_code, span.instrumentation_scope.name), (StatusCode.UNSET, "libmcp"))
        return call

    def test_a_call_is_one_trace_from_the_application_to_the_handler(self):
        self.use()
        with self.server() as server, Client(server=server) as client:
            with self.tracer.start_as_current_span("application"):
                self.assertEqual(client.call_tool("add", {"a": 1, "b": 2}).data, {"result": 3})
        call = self.check_one_trace("add")
        context = call.context
        self.assertEqual(self.carried, [f"00-{context.trace_id:032x}-{context.span_id:016x}-01"], "the id that went out is kept")
        counted = self.counts()
        self.assertEqual(counted["mcp.client.operation.duration", "tools/call"], 1)
        self.assertEqual(counted["mcp.server.operation.duration", "tools/call"], 1)

    def test_coroutines_have_the_same_trace(self):
        self.use()

        async def main():
            async with self.server() as server, AsyncClient(server=server) as client:
                with self.tracer.start_as_current_span("application"):
                    await client.call_tool("later")

        asyncio.run(main())
        self.check_one_trace("later")

    def test_an_error_is_told(self):
        self.use()
        with self.server() as server, Client(server=server) as client:
            client.call_tool("fail")
        for kind in (SpanKind.CLIENT, SpanKind.SERVER):
            span = self.only("tools/call fail", kind)
            self.assertEqual((span.attributes["error.type"], span.status.status_code), ("tool_error", StatusCode.ERROR))

    def test_what_is_not_recorded_is_counted_and_the_handler_knows(self):
        self.use(sample_rate=0)
        with self.server() as server, Client(server=server) as client:
            client.call_tool("add", {"a": 1, "b": 2})
        self.assertEqual(self.exporter.get_finished_spans(), ())
        self.assertEqual(self.counts()["mcp.server.operation.duration", "tools/call"], 1)

    def test_what_the_program_says_of_a_trace_stays(self):
        self.use()
        given = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
        with self.server() as server, Client(server=server) as client:
            with self.tracer.start_as_current_span("application"):
                client.call_tool("add", {"a": 1, "b": 2}, traceparent=given)
        self.assertEqual(self.carried, [given])
        self.assertEqual(trace.format_span_id(self.only("tools/call add", SpanKind.CLIENT).parent.span_id), "00f067aa0ba902b7")

    def test_the_package_loads_nothing_of_opentelemetry_by_itself(self):
        program = "import libmcp, sys; sys.exit(any(name.startswith('opentelemetry') for name in sys.modules))"
        self.assertEqual(subprocess.run([sys.executable, "-c", program]).returncode, 0)
