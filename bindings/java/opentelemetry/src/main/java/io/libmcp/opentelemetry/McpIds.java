package io.libmcp.opentelemetry;

import io.opentelemetry.sdk.trace.IdGenerator;

/** Ids for a tracer provider: those of the library for its spans, which have gone out with the requests, and random ones for others. */
public final class McpIds implements IdGenerator {
    /** The trace and the span that this thread is telling of. */
    static final ThreadLocal<String[]> KEPT = new ThreadLocal<>();

    /** Makes one. */
    public McpIds() {
    }

    @Override
    public String generateTraceId() {
        String[] kept = KEPT.get();
        return kept == null ? IdGenerator.random().generateTraceId() : kept[0];
    }

    @Override
    public String generateSpanId() {
        String[] kept = KEPT.get();
        return kept == null ? IdGenerator.random().generateSpanId() : kept[1];
    }
}
