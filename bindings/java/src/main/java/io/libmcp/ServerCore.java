package io.libmcp;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
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

    private final Handle handle;
    private final Thread loop;
    private final Map<Long, Thread> running = new ConcurrentHashMap<>();
    private final CountDownLatch ended = new CountDownLatch(1);
    volatile Consumer<Failure> failure;
    volatile Handler<JsonValue, Object> token;

    ServerCore(MemorySegment handle) {
        this.handle = new Handle(handle, "server");
        loop = Thread.ofPlatform().daemon().name("mcp-server").unstarted(this::poll);
    }

    void begin() {
        loop.start();
    }

    /** Runs a function with the handle. */
    <T> T with(String operation, Function<MemorySegment, T> function) {
        return handle.with(operation, function);
    }

    int use(String operation, Handle.Use use) {
        return handle.use(operation, use);
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
            while ((status = Abi.mcp_server_poll(handle.unchecked(), -1, out)) >= 0) {
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
        handle.close(new Handle.End(it -> Abi.mcp_server_close(it, -1),
                why -> Failure.tell(failure, "close", why), loop, Abi::mcp_server_free));
    }

    void closeForgotten() {
        if (handle.isOpen()) {
            close();
        }
    }
}
