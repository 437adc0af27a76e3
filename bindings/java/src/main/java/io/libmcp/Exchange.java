package io.libmcp;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The answer to a request that an HTTP server of the program has taken ({@link Server#http}). One thread uses it, which may be a virtual one:
 * nothing waits in the library. Close it when the answer was sent, or its client is gone; any thread may do that.
 */
public final class Exchange implements AutoCloseable {
    private static final int MOST = 64 * 1024;

    /** Released when there is more to read. */
    private final Semaphore ready = new Semaphore(0);
    private final MemorySegment handle;
    /** Guards the handle: what the library gives is valid until it is freed. */
    private final Lock use = new ReentrantLock();
    private boolean isFreed;
    private int status;
    private long length;

    /** A request whose body was read before. */
    Exchange(MemorySegment server, String method, String target, Map<String, List<String>> headers, byte[] body) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment all = list(arena, headers);
            MemorySegment bytes = Library.bytes(arena, body);
            MemorySegment out = arena.allocate(ValueLayout.ADDRESS);
            MemorySegment error = arena.allocate(ValueLayout.ADDRESS);
            Library.check("http", Abi.mcp_server_http(server, Library.text(arena, "http", method), Library.text(arena, "http", target), all,
                    bytes, body.length, Upcalls.READY, Upcalls.register(nothing -> ready.release()), Upcalls.DESTROY, out, error), error);
            handle = out.get(ValueLayout.ADDRESS, 0);
        }
    }

    /** A request of which the head was read. */
    Exchange(MemorySegment server, String method, String target, Map<String, List<String>> headers, String peer) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment all = list(arena, headers);
            MemorySegment from = peer == null ? MemorySegment.NULL : Library.text(arena, "http", peer);
            MemorySegment out = arena.allocate(ValueLayout.ADDRESS);
            MemorySegment error = arena.allocate(ValueLayout.ADDRESS);
            Library.check("http", Abi.mcp_server_http_begin(server, Library.text(arena, "http", method), Library.text(arena, "http", target),
                    all, from, Upcalls.READY, Upcalls.register(nothing -> ready.release()), Upcalls.DESTROY, out, error), error);
            handle = out.get(ValueLayout.ADDRESS, 0);
        }
    }

    /** Names and values in turn, and NULL at the end. */
    private static MemorySegment list(Arena arena, Map<String, List<String>> headers) {
        List<String> words = new ArrayList<>();
        headers.forEach((name, values) -> values.forEach(value -> {
            words.add(name);
            words.add(value);
        }));
        MemorySegment all = arena.allocate(ValueLayout.ADDRESS.byteSize() * (words.size() + 1L), ValueLayout.ADDRESS.byteAlignment());
        for (int i = 0; i < words.size(); i++) {
            all.setAtIndex(ValueLayout.ADDRESS, i, Library.text(arena, "http", words.get(i)));
        }
        return all;
    }

    /**
     * Reads the body as far as the library asks for it, once, before the answer. The library ends a body that takes longer than
     * "timeouts"."body_ms" when its next part comes; bound the time in which nothing comes where the body is read from.
     *
     * @param body what the client sends behind the headers
     * @throws IOException if the body cannot be read to its end, or another thread has closed this: cut the connection
     */
    public void takeBody(InputStream body) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment size = arena.allocate(ValueLayout.JAVA_LONG);
            byte[] part = null;
            MemorySegment given = null;
            for (;;) {
                whenReady(() -> Abi.mcp_exchange_permit(handle, 0, size));
                int most = (int) Math.min(size.get(ValueLayout.JAVA_LONG, 0), MOST);
                if (most == 0) {
                    return;
                }
                if (part == null || part.length < most) {
                    part = new byte[most];
                    given = arena.allocate(most);
                }
                int count = body.read(part, 0, most);
                MemorySegment.copy(part, 0, given, ValueLayout.JAVA_BYTE, 0, Math.max(count, 0));
                MemorySegment bytes = given;
                whenReady(() -> Abi.mcp_exchange_write(handle, bytes, Math.max(count, 0), count < 0));
            }
        }
    }

    /**
     * Waits for the head of the answer.
     *
     * @return the status of HTTP
     * @throws IOException if no answer comes: cut the connection
     */
    public int status() throws IOException {
        if (status == 0) {
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment found = arena.allocate(ValueLayout.JAVA_INT);
                MemorySegment size = arena.allocate(ValueLayout.JAVA_LONG);
                whenReady(() -> Abi.mcp_exchange_head(handle, 0, found, size));
                length = size.get(ValueLayout.JAVA_LONG, 0);
                status = found.get(ValueLayout.JAVA_INT, 0);
            }
        }
        return status;
    }

    /**
     * How many bytes the body has.
     *
     * @return the number; -1 for an event stream, whose parts are to be sent as they come
     * @throws IOException as {@link #status}
     */
    public long length() throws IOException {
        status();
        return length;
    }

    /**
     * The headers of the answer. Those about the connection and the length are the HTTP server's.
     *
     * @return names and values
     * @throws IOException as {@link #status}
     */
    public Map<String, List<String>> headers() throws IOException {
        status();
        Map<String, List<String>> headers = new LinkedHashMap<>();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment value = arena.allocate(ValueLayout.ADDRESS);
            whenReady(() -> {
                String name;
                for (long i = 0; (name = Library.text(Abi.mcp_exchange_header(handle, i, value))) != null; i++) {
                    headers.computeIfAbsent(name, none -> new ArrayList<>()).add(Library.text(value.get(ValueLayout.ADDRESS, 0)));
                }
                return Status.OK.number();
            });
        }
        return headers;
    }

    /**
     * The body of the answer. Reading waits for the next part, which is to be sent at once. An {@link IOException} says that the rest is lost:
     * cut the connection, so that the client comes back.
     *
     * @return the body, whose end is the end of the answer
     */
    public InputStream body() {
        return new InputStream() {
            @Override
            public int read() throws IOException {
                byte[] one = new byte[1];
                return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
            }

            @Override
            public int read(byte[] into, int offset, int most) throws IOException {
                Objects.checkFromIndexSize(offset, most, into.length);
                if (most == 0) {
                    return 0;
                }
                status();
                try (Arena arena = Arena.ofConfined()) {
                    long room = Math.min(most, MOST);
                    MemorySegment part = arena.allocate(room);
                    MemorySegment size = arena.allocate(ValueLayout.JAVA_LONG);
                    whenReady(() -> Abi.mcp_exchange_read(handle, 0, part, room, size));
                    int count = (int) size.get(ValueLayout.JAVA_LONG, 0);
                    MemorySegment.copy(part, ValueLayout.JAVA_BYTE, 0, into, offset, count);
                    return count == 0 ? -1 : count;
                }
            }
        };
    }

    /** A function of the library that does not wait, and returns a status. */
    private interface Step {
        int run();
    }

    private void whenReady(Step step) throws IOException {
        int found;
        while ((found = unlessFreed(step)) == Status.EMPTY.number()) {
            try {
                ready.acquire();
            } catch (InterruptedException interrupt) {
                Thread.currentThread().interrupt();
                throw new InterruptedIOException("the thread that sends the answer was interrupted");
            }
        }
        if (found < 0) {
            throw new IOException("the answer cannot be sent: " + Status.of(found));
        }
    }

    private int unlessFreed(Step step) {
        use.lock();
        try {
            return isFreed ? Status.CLOSED.number() : step.run();
        } finally {
            use.unlock();
        }
    }

    /** Frees it. A request without its whole answer is cancelled thereby in revision 2026-07-28. A thread that waits for it goes on. */
    @Override
    public void close() {
        use.lock();
        try {
            if (!isFreed) {
                isFreed = true;
                Abi.mcp_exchange_free(handle);
            }
        } finally {
            use.unlock();
        }
        ready.release();
    }
}
