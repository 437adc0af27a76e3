package io.libmcp;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.util.function.BiConsumer;

/** The log of the library itself, of all clients and servers of the process. */
public final class Logging {
    private static final MemorySegment LOG = Library.callback(MethodHandles.lookup(), "log",
            FunctionDescriptor.ofVoid(ValueLayout.ADDRESS, ValueLayout.JAVA_INT, ValueLayout.ADDRESS));

    private static volatile BiConsumer<LogLevel, JsonValue> logger;

    private Logging() {
    }

    /**
     * Sets the function that gets the records of the library, one after another, on one thread. It replaces the previous
     * one. What it throws is dropped.
     *
     * @param level up to which level there are records
     * @param to gets the level and the record: an object with "event", "client" and more; null for none
     */
    public static synchronized void set(LogLevel level, BiConsumer<LogLevel, JsonValue> to) {
        Library.need();
        logger = to;
        MemorySegment function = to == null ? MemorySegment.NULL : LOG;
        int status = Abi.mcp_log_set_logger(function, level.number(), MemorySegment.NULL, MemorySegment.NULL);
        if (status < 0) {
            throw new McpException(status, "log");
        }
    }

    private static void log(MemorySegment user, int level, MemorySegment record) {
        try {
            BiConsumer<LogLevel, JsonValue> to = logger;
            if (to != null) {
                to.accept(LogLevel.of(level), JsonValue.parse(Library.text(record)));
            }
        } catch (Throwable failure) {
            // A logger has no function for failures, and what leaves an upcall would end the process.
        }
    }
}
