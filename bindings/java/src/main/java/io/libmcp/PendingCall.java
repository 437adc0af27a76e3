package io.libmcp;

import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/** A call under way: the thread that takes messages gives it its reports and its one outcome, and another one waits for these. */
final class PendingCall {
    /** The most reports that wait for the function of a call; then the oldest are dropped. */
    private static final int MOST_REPORTS = 256;

    private final Deque<JsonValue> reports = new ArrayDeque<>();
    private final String operation;
    private final Consumer<JsonValue> report;
    private volatile Thread waits;
    private volatile boolean isOver;
    private MemorySegment reply;
    private int status;

    PendingCall(String operation, Consumer<JsonValue> report) {
        this.operation = operation;
        this.report = report;
    }

    boolean wantsReports() {
        return report != null;
    }

    void report(JsonValue value) {
        synchronized (reports) {
            if (reports.size() == MOST_REPORTS) {
                reports.removeFirst();
            }
            reports.addLast(value);
        }
        LockSupport.unpark(waits);
    }

    /** The outcome; the call owns the message, which is null if no message came. */
    void end(int status, MemorySegment reply) {
        this.status = status;
        this.reply = reply;
        isOver = true;
        LockSupport.unpark(waits);
    }

    /**
     * Waits for the outcome, which always comes. An interrupt cancels the call, and stays set; a result that was there
     * first is returned all the same.
     */
    JsonValue await(Runnable cancel) {
        boolean wasInterrupted = false;
        waits = Thread.currentThread();
        try {
            while (true) {
                // Reports come before the outcome: those that are there when it is are all.
                boolean isLast = isOver;
                JsonValue value = next();
                if (value != null) {
                    report.accept(value);
                } else if (isLast) {
                    return outcome();
                } else {
                    LockSupport.park(this);
                    if (Thread.interrupted() && !wasInterrupted) {
                        wasInterrupted = true;
                        cancel.run();
                    }
                }
            }
        } finally {
            if (wasInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private JsonValue next() {
        if (report == null) {
            return null;
        }
        synchronized (reports) {
            return reports.pollFirst();
        }
    }

    private JsonValue outcome() {
        JsonValue json = JsonValue.ABSENT;
        if (reply != null) {
            try {
                json = Json.of(reply);
            } finally {
                Abi.mcp_message_free(reply);
            }
        }
        if (status < 0) {
            throw new McpException(status, operation, json);
        }
        return json;
    }
}
