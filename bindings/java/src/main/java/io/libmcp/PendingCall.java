package io.libmcp;

import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/** A call under way: the thread that takes messages gives it its reports and its one outcome, and another one waits for these. */
final class PendingCall {
    /** The most reports that wait for the function of a call; then the oldest are dropped. */
    private static final int MOST_REPORTS = 256;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Deque<JsonValue> reports = new ArrayDeque<>();
    private final String operation;
    private final Consumer<JsonValue> report;
    private boolean isOver;
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
        lock.lock();
        try {
            if (reports.size() == MOST_REPORTS) {
                reports.removeFirst();
            }
            reports.addLast(value);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** The outcome; the call owns the message, which is null where there is none. */
    void end(int status, MemorySegment reply) {
        lock.lock();
        try {
            this.status = status;
            this.reply = reply;
            isOver = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits for the outcome, which always comes. An interrupt cancels the call, and stays set; a result that was there
     * first is returned all the same.
     */
    JsonValue await(Runnable cancel) {
        boolean wasInterrupted = false;
        try {
            while (true) {
                JsonValue value = null;
                lock.lock();
                try {
                    while (reports.isEmpty() && !isOver) {
                        try {
                            changed.await();
                        } catch (InterruptedException interrupt) {
                            if (!wasInterrupted) {
                                wasInterrupted = true;
                                cancel.run();
                            }
                        }
                    }
                    if (reports.isEmpty()) {
                        break;
                    }
                    value = reports.removeFirst();
                } finally {
                    lock.unlock();
                }
                report.accept(value);
            }
            return outcome();
        } finally {
            if (wasInterrupted) {
                Thread.currentThread().interrupt();
            }
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
