package io.libmcp;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.util.Map;
import java.util.concurrent.Callable;

/** Who is told of calls and requests. For OpenTelemetry the artifact {@code libmcp-opentelemetry} has one that is ready. */
public final class Telemetry {
    private static final MemorySegment TOLD = Library.callback(MethodHandles.lookup(), "told",
            FunctionDescriptor.ofVoid(ValueLayout.ADDRESS, ValueLayout.ADDRESS));

    private static volatile Listener listener;

    private Telemetry() {
    }

    /** What a program does with spans and durations, and how its own spans are joined with them. */
    public interface Listener {
        /**
         * Takes an object with "span" and "measurement", as {@code mcp_telemetry_set} has it, on one thread of the library.
         *
         * @param told the object
         */
        void told(JsonValue told);

        /**
         * The active span of the program, on the thread that makes a call.
         *
         * @return {@code traceparent} and {@code tracestate} as they are written; empty without a span
         */
        Map<String, String> active();

        /**
         * Runs a handler in the span of its request.
         *
         * @param <T> what it answers
         * @param context {@code traceparent} and {@code tracestate} of the request
         * @param handler the handler
         * @return its answer
         * @throws Exception what it throws
         */
        <T> T around(Map<String, String> context, Callable<T> handler) throws Exception;
    }

    /**
     * Has the clients and servers that are made from now on tell of their calls and requests.
     *
     * @param to gets what is told; null ends that
     * @param sampleRate the share of requests without a parent that is recorded, 0 to 1
     */
    public static synchronized void set(Listener to, double sampleRate) {
        Library.need();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment options = Library.json(arena, Map.of("sample_rate", sampleRate, "measurements", true));
            MemorySegment function = to == null ? MemorySegment.NULL : TOLD;
            int status = Abi.mcp_telemetry_set(options, function, MemorySegment.NULL, MemorySegment.NULL, MemorySegment.NULL);
            if (status < 0) {
                throw new McpException(status, "telemetry");
            }
        }
        listener = to;
    }

    private static void told(MemorySegment user, MemorySegment told) {
        try {
            Listener to = listener;
            if (to != null) {
                to.told(JsonValue.parse(Library.text(told)));
            }
        } catch (Throwable failure) {
            // What leaves an upcall would end the process, and there is no one to tell.
        }
    }

    /** The options of a call with the active span as its parent, unless the program has said something of its trace. */
    static Settings.CallOptions within(Settings.CallOptions options) {
        Listener from = listener;
        if (from == null) {
            return options;
        }
        JsonValue given = options == null ? JsonValue.ABSENT : options.json();
        Map<String, String> active = from.active();
        String parent = active.get("traceparent");
        boolean isSaid = !given.get("traceparent").isAbsent() || !given.get("parent").isAbsent() || !given.get("meta").get("traceparent").isAbsent();
        if (parent == null || isSaid) {
            return options;
        }
        Settings.CallOptions all = new Settings.CallOptions(given).parent(parent);
        String state = active.get("tracestate");
        return state == null || state.isEmpty() || !given.get("tracestate").isAbsent() ? all : all.tracestate(state);
    }

    /** Runs the handler of a request. */
    static Object run(Handler<Request, Object> handler, Request request) throws Exception {
        Listener from = listener;
        if (from == null) {
            return handler.handle(request);
        }
        JsonValue meta = request.params().get("_meta");
        String parent = meta.get("traceparent").asText("");
        try {
            parent = request.context().get("traceparent").asText(parent);
        } catch (McpException over) {
            // The request is over, and its handler finds that, too.
        }
        return from.around(Map.of("traceparent", parent, "tracestate", meta.get("tracestate").asText("")), () -> handler.handle(request));
    }
}
