package io.libmcp;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The functions that the library calls: one for the handlers of all servers, one for what waits, and one for their end. Each is there
 * to the end of the process; what `user` points to is a number, never memory. They only hand on, and throw nothing: what
 * leaves an upcall ends the process.
 */
final class Upcalls {
    /** Takes a request, whose message it owns; or NULL, which says that there is more to do. */
    interface Taker {
        void take(MemorySegment message);
    }

    static final MemorySegment HANDLER = Library.callback(MethodHandles.lookup(), "handle",
            FunctionDescriptor.ofVoid(ValueLayout.ADDRESS, ValueLayout.ADDRESS));
    static final MemorySegment READY = Library.callback(MethodHandles.lookup(), "ready",
            FunctionDescriptor.ofVoid(ValueLayout.ADDRESS));
    static final MemorySegment DESTROY = Library.callback(MethodHandles.lookup(), "destroy",
            FunctionDescriptor.ofVoid(ValueLayout.ADDRESS));

    private static final Map<Long, Taker> TAKERS = new ConcurrentHashMap<>();
    private static final AtomicLong LAST = new AtomicLong();

    private Upcalls() {
    }

    /** What the library passes to {@link #HANDLER}, {@link #READY} and {@link #DESTROY}; it is forgotten at DESTROY. */
    static MemorySegment register(Taker taker) {
        long number = LAST.incrementAndGet();
        TAKERS.put(number, taker);
        return MemorySegment.ofAddress(number);
    }

    /** How many are registered, for tests. */
    static int count() {
        return TAKERS.size();
    }

    private static void handle(MemorySegment user, MemorySegment message) {
        try {
            Taker taker = TAKERS.get(user.address());
            if (taker != null) {
                taker.take(message);
            } else {
                Abi.mcp_message_free(message);
            }
        } catch (Throwable failure) {
            refuse(message, failure);
        }
    }

    /** The thread for a handler could not be had. */
    private static void refuse(MemorySegment message, Throwable failure) {
        try {
            Abi.mcp_message_free(message);
            Failure.tell(null, "request", failure);
        } catch (Throwable again) {
            // Memory is so short that not even this works; the client gets its answer when the request has run out of time.
        }
    }

    private static void ready(MemorySegment user) {
        try {
            Taker taker = TAKERS.get(user.address());
            if (taker != null) {
                taker.take(MemorySegment.NULL);
            }
        } catch (Throwable failure) {
            // What is called here only releases a semaphore.
        }
    }

    private static void destroy(MemorySegment user) {
        try {
            TAKERS.remove(user.address());
        } catch (Throwable failure) {
            // An entry stays, which does no harm: its number is not used again.
        }
    }
}
