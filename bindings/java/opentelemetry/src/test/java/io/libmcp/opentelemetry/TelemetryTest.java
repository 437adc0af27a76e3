package io.libmcp.opentelemetry;

import io.libmcp.Client;
import io.libmcp.Server;
import io.libmcp.Settings.CallOptions;
import io.libmcp.Settings.ServerConfig;
import io.libmcp.ToolException;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.metrics.SdkMeterProvider;
import io.opentelemetry.sdk.metrics.data.HistogramPointData;
import io.opentelemetry.sdk.metrics.data.MetricData;
import io.opentelemetry.sdk.testing.exporter.InMemoryMetricReader;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;

/** Spans and durations as OpenTelemetry's own SDK has them. */
final class TelemetryTest {
    private static final List<Double> BOUNDS = List.of(0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0, 60.0, 120.0, 300.0);
    private static final String GIVEN = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

    private final InMemorySpanExporter spans = InMemorySpanExporter.create();
    private final InMemoryMetricReader reader = InMemoryMetricReader.create();
    private final OpenTelemetrySdk sdk = OpenTelemetrySdk.builder()
            .setTracerProvider(SdkTracerProvider.builder().setIdGenerator(new McpIds()).addSpanProcessor(SimpleSpanProcessor.create(spans)).build())
            .setMeterProvider(SdkMeterProvider.builder().registerMetricReader(reader).build())
            .build();
    private final Tracer tracer = sdk.getTracer("application");
    private final List<String> carried = new CopyOnWriteArrayList<>();

    public static void main(String[] words) throws Exception {
        new TelemetryTest().aCallIsOneTrace();
        new TelemetryTest().whatIsSaidStays();
        new TelemetryTest().whatIsNotRecordedIsCounted();
    }

    /** No arguments. */
    record Nothing() {
    }

    private Server server() {
        Server server = new Server(new ServerConfig().name("adder"));
        server.addTool("add", "Adds", Nothing.class, String.class, (request, arguments) -> {
            carried.add(request.params().get("_meta").get("traceparent").asText(""));
            tracer.spanBuilder("work").startSpan().end();
            return "3";
        });
        server.addTool("fail", "Fails", Nothing.class, String.class, (request, arguments) -> {
            throw new ToolException("no");
        });
        return server;
    }

    private void aCallIsOneTrace() throws Exception {
        McpTelemetry.use(sdk);
        Span application = tracer.spanBuilder("application").startSpan();
        try (Server server = server(); Client client = Client.inProcess(server)) {
            Context.root().with(application).wrap(() -> client.callTool("add", Map.of())).call();
            application.end();
            SpanData call = only("tools/call add", SpanKind.CLIENT);
            SpanData request = only("tools/call add", SpanKind.SERVER);
            List<SpanData> chain = List.of(only("application", SpanKind.INTERNAL), call, request, only("work", SpanKind.INTERNAL));
            for (int at = 1; at < chain.size(); at++) {
                same(chain.get(at - 1).getSpanId(), chain.get(at).getParentSpanId());
                same(chain.get(0).getTraceId(), chain.get(at).getTraceId());
            }
            same(List.of("00-" + call.getTraceId() + "-" + call.getSpanId() + "-01"), carried);
            same(List.of(false, true), List.of(call.getParentSpanContext().isRemote(), request.getParentSpanContext().isRemote()));
            for (SpanData span : List.of(call, request)) {
                same("tools/call", span.getAttributes().get(AttributeKey.stringKey("mcp.method.name")));
                same("add", span.getAttributes().get(AttributeKey.stringKey("gen_ai.tool.name")));
                same(StatusCode.UNSET, span.getStatus().getStatusCode());
            }
            counted("mcp.client.operation.duration");
            counted("mcp.server.operation.duration");
        } finally {
            McpTelemetry.stop();
        }
        System.out.println("one trace: well");
    }

    private void whatIsSaidStays() throws Exception {
        McpTelemetry.use(sdk);
        Span application = tracer.spanBuilder("application").startSpan();
        try (Server server = server(); Client client = Client.inProcess(server)) {
            Context.root().with(application).wrap(() -> client.callTool("fail", Map.of())).call();
            Context.root().with(application).wrap(() -> client.callTool("add", Map.of(), new CallOptions().traceparent(GIVEN))).call();
            for (SpanKind kind : List.of(SpanKind.CLIENT, SpanKind.SERVER)) {
                SpanData failed = only("tools/call fail", kind);
                same("tool_error", failed.getAttributes().get(AttributeKey.stringKey("error.type")));
                same(StatusCode.ERROR, failed.getStatus().getStatusCode());
            }
            same(List.of(GIVEN), carried);
            same(GIVEN.substring(36, 52), only("tools/call add", SpanKind.CLIENT).getParentSpanId());
        } finally {
            McpTelemetry.stop();
        }
        System.out.println("what is said: well");
    }

    private void whatIsNotRecordedIsCounted() throws Exception {
        McpTelemetry.use(sdk, 0);
        try (Server server = server(); Client client = Client.inProcess(server)) {
            client.callTool("add", Map.of());
            counted("mcp.server.operation.duration");
            same(List.of(), spans.getFinishedSpanItems());
        } finally {
            McpTelemetry.stop();
        }
        System.out.println("what is not recorded: well");
    }

    /** The only span of this name and kind, which another thread tells of. */
    private SpanData only(String name, SpanKind kind) throws InterruptedException {
        until(() -> !found(name, kind).isEmpty());
        same(1, found(name, kind).size());
        return found(name, kind).get(0);
    }

    private List<SpanData> found(String name, SpanKind kind) {
        return spans.getFinishedSpanItems().stream().filter(it -> it.getName().equals(name) && it.getKind() == kind).toList();
    }

    /** Waits until a histogram has counted a call of a tool once. */
    private void counted(String name) throws InterruptedException {
        until(() -> reader.collectAllMetrics().stream().filter(it -> it.getName().equals(name)).anyMatch(TelemetryTest::hasOne));
    }

    private static boolean hasOne(MetricData metric) {
        same("s", metric.getUnit());
        for (HistogramPointData point : metric.getHistogramData().getPoints()) {
            same(BOUNDS, point.getBoundaries());
            same(null, point.getAttributes().get(AttributeKey.stringKey("jsonrpc.request.id")));
            if ("tools/call".equals(point.getAttributes().get(AttributeKey.stringKey("mcp.method.name"))) && point.getCount() == 1) {
                return true;
            }
        }
        return false;
    }

    private static void until(BooleanSupplier isSo) throws InterruptedException {
        long end = System.nanoTime() + 60_000_000_000L;
        while (!isSo.getAsBoolean()) {
            if (System.nanoTime() > end) {
                throw new AssertionError("it did not happen within a minute");
            }
            Thread.sleep(2);
        }
    }

    private static void same(Object expected, Object is) {
        if (!java.util.Objects.equals(expected, is)) {
            throw new AssertionError("expected " + expected + ", and it is " + is);
        }
    }
}
