package io.libmcp.opentelemetry;

import io.libmcp.JsonValue;
import io.libmcp.Telemetry;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;
import io.opentelemetry.api.metrics.DoubleHistogram;
import io.opentelemetry.api.metrics.Meter;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.TextMapGetter;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;

/** Has clients and servers of libmcp tell OpenTelemetry of their calls and requests, by the conventions for MCP. */
public final class McpTelemetry implements Telemetry.Listener {
    private static final int SERVER = 2;
    private static final int ERROR = 2;
    private static final List<Double> BOUNDS =
            List.of(0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0, 60.0, 120.0, 300.0);
    private static final Map<String, String> HISTOGRAMS = Map.of(
            "mcp.client.operation.duration", "Duration of a request or notification as observed by its sender",
            "mcp.server.operation.duration", "Duration of a request or notification as observed by its receiver",
            "mcp.client.session.duration", "Duration of a session as observed by the client",
            "mcp.server.session.duration", "Duration of a session as observed by the server");
    private static final TextMapGetter<Map<String, String>> GETTER = new TextMapGetter<>() {
        @Override
        @SuppressWarnings("deprecation") // Older versions need it.
        public Iterable<String> keys(Map<String, String> carrier) {
            return carrier.keySet();
        }

        @Override
        public String get(Map<String, String> carrier, String key) {
            return carrier == null ? null : carrier.get(key);
        }
    };

    private final Tracer tracer;
    private final Map<String, DoubleHistogram> histograms = new HashMap<>();

    private McpTelemetry(OpenTelemetry to) {
        tracer = to.getTracer("libmcp");
        Meter meter = to.getMeter("libmcp");
        HISTOGRAMS.forEach((name, what) -> histograms.put(name,
                meter.histogramBuilder(name).setUnit("s").setDescription(what).setExplicitBucketBoundariesAdvice(BOUNDS).build()));
    }

    /**
     * The clients and servers that are made from now on are recorded, all requests without a parent among them.
     *
     * @param to the providers; with {@link McpIds} as the id generator the ids are those that went out with the requests
     */
    public static void use(OpenTelemetry to) {
        use(to, 1);
    }

    /**
     * The same with a share of the requests without a parent: the library decides, since that goes out with the request.
     *
     * @param to the providers
     * @param sampleRate the share, 0 to 1
     */
    public static void use(OpenTelemetry to, double sampleRate) {
        Telemetry.set(new McpTelemetry(to), sampleRate);
    }

    /** Ends that. */
    public static void stop() {
        Telemetry.set(null, 1);
    }

    @Override
    public void told(JsonValue told) {
        JsonValue measured = told.get("measurement");
        DoubleHistogram histogram = histograms.get(measured.get("name").asText(""));
        if (histogram != null) {
            histogram.record(measured.get("value").asDouble(), attributes(measured), Context.root());
        }
        JsonValue span = told.get("span");
        if (!span.isAbsent()) {
            McpIdsHolder.keep(text(span, "traceId"), text(span, "spanId"));
            try {
                tell(span);
            } finally {
                McpIdsHolder.forget();
            }
        }
    }

    /** The ids, where the SDK that has the interface of generators is there. */
    private static final class McpIdsHolder {
        private static final boolean HAS_SDK = hasSdk();

        static void keep(String trace, String span) {
            if (HAS_SDK) {
                McpIds.KEPT.set(new String[] {trace, span});
            }
        }

        static void forget() {
            if (HAS_SDK) {
                McpIds.KEPT.remove();
            }
        }

        private static boolean hasSdk() {
            try {
                Class.forName("io.opentelemetry.sdk.trace.IdGenerator");
                return true;
            } catch (ClassNotFoundException | LinkageError missing) {
                return false;
            }
        }
    }

    private void tell(JsonValue told) {
        boolean isServer = told.get("kind").asLong() == SERVER;
        Context around = Context.root();
        String parent = told.get("parentSpanId").asText();
        if (parent != null) {
            TraceFlags flags = TraceFlags.fromByte(told.get("flags").asLong().byteValue());
            TraceState state = state(told.get("traceState").asText(""));
            SpanContext above = isServer
                    ? SpanContext.createFromRemoteParent(text(told, "traceId"), parent, flags, state)
                    : SpanContext.create(text(told, "traceId"), parent, flags, state);
            around = around.with(Span.wrap(above));
        }
        SpanBuilder builder = tracer.spanBuilder(text(told, "name")).setParent(around)
                .setSpanKind(isServer ? SpanKind.SERVER : SpanKind.CLIENT)
                .setAllAttributes(attributes(told))
                .setStartTimestamp(nanos(told, "startTimeUnixNano"), TimeUnit.NANOSECONDS);
        for (JsonValue link : told.get("links").elements()) {
            builder.addLink(SpanContext.createFromRemoteParent(
                    text(link, "traceId"), text(link, "spanId"), TraceFlags.getDefault(), TraceState.getDefault()));
        }
        Span span = builder.startSpan();
        JsonValue status = told.get("status");
        if (Long.valueOf(ERROR).equals(status.get("code").asLong())) {
            span.setStatus(StatusCode.ERROR, status.get("message").asText(""));
        }
        span.end(nanos(told, "endTimeUnixNano"), TimeUnit.NANOSECONDS);
    }

    private static TraceState state(String text) {
        if (text.isEmpty()) {
            return TraceState.getDefault();
        }
        Map<String, String> carrier = Map.of("traceparent", "00-" + "1".repeat(32) + "-" + "1".repeat(16) + "-00", "tracestate", text);
        return Span.fromContext(W3CTraceContextPropagator.getInstance().extract(Context.root(), carrier, GETTER)).getSpanContext().getTraceState();
    }

    private static String text(JsonValue of, String name) {
        return of.get(name).asText("");
    }

    private static long nanos(JsonValue of, String name) {
        return Long.parseLong(text(of, name));
    }

    private static Attributes attributes(JsonValue of) {
        AttributesBuilder all = Attributes.builder();
        for (JsonValue one : of.get("attributes").elements()) {
            JsonValue value = one.get("value");
            String number = value.get("intValue").asText();
            if (number == null) {
                all.put(text(one, "key"), text(value, "stringValue"));
            } else {
                all.put(text(one, "key"), Long.parseLong(number));
            }
        }
        return all.build();
    }

    @Override
    public Map<String, String> active() {
        Map<String, String> carrier = new HashMap<>();
        W3CTraceContextPropagator.getInstance().inject(Context.current(), carrier, Map::put);
        return carrier;
    }

    @Override
    public <T> T around(Map<String, String> context, Callable<T> handler) throws Exception {
        return W3CTraceContextPropagator.getInstance().extract(Context.root(), context, GETTER).wrap(handler).call();
    }
}
