package io.libmcp;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Consumer;
import java.util.function.Function;

/** What a server is made of. One thread takes its requests; each handler runs on a virtual thread. */
final class ServerCore {
    /**
     * The answer of a tool with one block of text.
     *
     * @param text the text
     * @param isError whether the tool failed
     */
    record Text(String text, boolean isError) {
    }

    private final MemorySegment handle;
    private final Thread loop;
    private final Map<Long, Thread> running = new ConcurrentHashMap<>();
    /** Held shared by who uses the handle, and alone by who frees it. */
    private final ReadWriteLock uses = new ReentrantReadWriteLock();
    private final AtomicBoolean isClosing = new AtomicBoolean();
    private final CountDownLatch closed = new CountDownLatch(1);
    private final CountDownLatch ended = new CountDownLatch(1);
    private boolean isFreed;
    volatile Consumer<Failure> failure;
    volatile Handler<JsonValue, Object> token;

    ServerCore(MemorySegment handle) {
        this.handle = handle;
        loop = Thread.ofPlatform().daemon().name("mcp-server").unstarted(this::poll);
    }

    void begin() {
        loop.start();
    }

    /** Runs a function with the handle. */
    <T> T with(String operation, Function<MemorySegment, T> function) {
        uses.readLock().lock();
        try {
            if (isFreed || isClosing.get()) {
                throw new McpException(Status.CLOSED, operation, operation + ": the server is closed");
            }
            return function.apply(handle);
        } finally {
            uses.readLock().unlock();
        }
    }

    int use(String operation, ClientCore.Use use) {
        return with(operation, server -> {
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment error = arena.allocate(ValueLayout.ADDRESS);
                int status = use.call(arena, server, error);
                Library.check(operation, status, error);
                return status;
            }
        });
    }

    /** What the library gives requests to: it runs on the thread that takes them, and only hands on. */
    Upcalls.Taker taker(Handler<Request, Object> handler) {
        return message -> {
            long id = Abi.mcp_message_call_id(message);
            Thread thread = Thread.ofVirtual().unstarted(() -> {
                try {
                    Request.of(message, failure).run(handler);
                } finally {
                    running.remove(id, Thread.currentThread());
                }
            });
            running.put(id, thread);
            thread.start();
        };
    }

    private void poll() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment out = arena.allocate(ValueLayout.ADDRESS);
            int status;
            while ((status = Abi.mcp_server_poll(handle, -1, out)) >= 0) {
                if (status == Status.OK.number()) {
                    take(out.get(ValueLayout.ADDRESS, 0));
                }
            }
        } finally {
            running.values().forEach(Thread::interrupt);
            ended.countDown();
        }
    }

    private void take(MemorySegment message) {
        boolean isKept = false;
        try {
            if (Abi.mcp_message_kind(message) == Abi.KIND_AUTH) {
                ClientCore.EXECUTOR.execute(() -> judge(message));
                isKept = true;
            } else if (Abi.mcp_message_topic(message) == Topic.CANCELLED.number()) {
                Thread thread = running.get(Abi.mcp_message_call_id(message));
                if (thread != null) {
                    thread.interrupt();
                }
            }
        } catch (Throwable why) {
            Failure.tell(failure, "message", why);
        } finally {
            if (!isKept) {
                Abi.mcp_message_free(message);
            }
        }
    }

    /** Judges a token of a client. Without a function every token is refused. */
    private void judge(MemorySegment message) {
        try {
            if (token == null) {
                throw new RpcException(-32602, "refused");
            }
            Answers.respond("token", message, token.handle(Json.of(message)), false);
        } catch (Throwable why) {
            Answers.refuse("token", message, why, "refused", failure);
        } finally {
            Abi.mcp_message_free(message);
        }
    }

    /** Waits until all that was served has ended. An interrupt ends the wait. */
    void awaitEnd() throws InterruptedException {
        ended.await();
    }

    void close() {
        if (!isClosing.compareAndSet(false, true)) {
            ClientCore.uninterrupted(closed::await);
            return;
        }
        ClientCore.onPlatformThread(this::end);
    }

    private void end() {
        try {
            int status = Abi.mcp_server_close(handle, -1);
            if (status < 0) {
                Failure.tell(failure, "close", new McpException(status, "close"));
            }
            ClientCore.uninterrupted(loop::join);
        } finally {
            uses.writeLock().lock();
            try {
                isFreed = true;
                Abi.mcp_server_free(handle);
            } finally {
                uses.writeLock().unlock();
                closed.countDown();
            }
        }
    }

    void closeForgotten() {
        if (!isClosing.get()) {
            close();
        }
    }
}
