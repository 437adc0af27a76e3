package io.libmcp;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
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

    /** A function of the library that starts a call of a client, and returns a status. */
    interface Starter {
        int start(Arena arena, MemorySegment server, long tag, MemorySegment error);
    }

    private final Handle handle;
    private final Thread loop;
    private final Map<Long, Thread> running = new ConcurrentHashMap<>();
    private final Map<Long, PendingCall> calls = new ConcurrentHashMap<>();
    private final AtomicLong lastTag = new AtomicLong();
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

    /** Calls a client and waits for the one outcome. */
    JsonValue call(String operation, Starter starter) {
        PendingCall call = new PendingCall(operation, null);
        long tag = lastTag.incrementAndGet();
        // The reply may come before the function that starts the call has returned.
        calls.put(tag, call);
        try {
            use(operation, (arena, server, error) -> starter.start(arena, server, tag, error));
        } catch (Throwable failure) {
            calls.remove(tag);
            throw failure;
        }
        return call.await(() -> {
            // The library has no function that cancels it; the reply is dropped when it comes.
            if (calls.remove(tag) != null) {
                call.end(Status.CANCELLED.number(), null);
            }
        });
    }

    private void poll() {
        int status = Status.INTERNAL.number();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment out = arena.allocate(ValueLayout.ADDRESS);
            while ((status = Abi.mcp_server_poll(handle.unchecked(), -1, out)) >= 0) {
                if (status == Status.OK.number()) {
                    take(out.get(ValueLayout.ADDRESS, 0));
                }
            }
        } finally {
            running.values().forEach(Thread::interrupt);
            // None is left, unless the queue or this thread has failed: then no thread may wait for ever.
            int last = Math.min(status, Status.INVALID_ARGUMENT.number());
            calls.values().forEach(call -> call.end(last, null));
            calls.clear();
            ended.countDown();
        }
    }

    private void take(MemorySegment message) {
        boolean isKept = false;
        try {
            int kind = Abi.mcp_message_kind(message);
            if (kind == Abi.KIND_REPLY) {
                PendingCall call = calls.remove(Abi.mcp_message_tag(message));
                if (call != null) {
                    call.end(Abi.mcp_message_status(message), message);
                    isKept = true;
                }
            } else if (kind == Abi.KIND_AUTH) {
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
            Answers.refuse("token", message, why, "refused", failure, () -> true);
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
