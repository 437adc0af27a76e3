package io.libmcp;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * What a client is made of. One thread waits for its messages; it runs no code of the program, so that nothing that the
 * program does can keep an answer from its call. It knows the core, and not the client, so that a forgotten client is found.
 */
final class ClientCore {
    /** One virtual thread for each task; these hold no resources of their own. */
    static final Executor EXECUTOR = Executors.newVirtualThreadPerTaskExecutor();
    private static final String REQUEST_FAILED = "The program could not answer the request.";

    /** A function of the library that starts a call, and returns a status. */
    interface Starter {
        int start(Arena arena, MemorySegment client, MemorySegment options, long tag, MemorySegment callId, MemorySegment error);
    }

    /** A call that was started: waits for its outcome. */
    interface Started {
        JsonValue await();
    }

    private final Handle handle;
    private final ClientHandlers handlers;
    private final Inbox inbox;
    private final Thread loop;
    private final Map<Long, PendingCall> calls = new ConcurrentHashMap<>();
    private final AtomicLong lastTag = new AtomicLong();

    ClientCore(MemorySegment handle, ClientHandlers handlers) {
        this.handle = new Handle(handle, "client");
        this.handlers = handlers;
        inbox = new Inbox(EXECUTOR, count -> guarded("lost", () -> {
            if (handlers.lost != null) {
                handlers.lost.accept(count);
            }
        }));
        loop = Thread.ofPlatform().daemon().name("mcp-client").unstarted(this::poll);
    }

    void begin() {
        loop.start();
    }

    /** Calls a function of the library that uses the client and never waits. */
    int use(String operation, Handle.Use use) {
        return handle.use(operation, use);
    }

    /** Starts a call. What is started has exactly one outcome. */
    Started start(String operation, Settings.CallOptions options, Consumer<JsonValue> report, Starter starter) {
        PendingCall call = new PendingCall(operation, report);
        long tag = lastTag.incrementAndGet();
        // The reply may come before the function that starts the call has returned.
        calls.put(tag, call);
        long[] id = new long[1];
        try {
            use(operation, (arena, client, error) -> {
                MemorySegment callId = arena.allocate(ValueLayout.JAVA_LONG);
                Settings.CallOptions given = Telemetry.within(options);
                JsonValue all = given == null ? JsonValue.ABSENT : given.json();
                MemorySegment text = all.members().isEmpty() ? MemorySegment.NULL : Library.json(arena, all);
                int status = starter.start(arena, client, text, tag, callId, error);
                id[0] = callId.get(ValueLayout.JAVA_LONG, 0);
                return status;
            });
        } catch (Throwable failure) {
            calls.remove(tag);
            throw failure;
        }
        return () -> call.await(() -> cancel(id[0]));
    }

    private void cancel(long id) {
        try {
            use("cancel", (arena, client, error) -> Abi.mcp_call_cancel(client, id, MemorySegment.NULL));
        } catch (McpException closing) {
            // Once the client is closing every call ends by itself.
        }
    }

    private void poll() {
        int status = Status.INTERNAL.number();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment out = arena.allocate(ValueLayout.ADDRESS);
            while ((status = Abi.mcp_client_poll(handle.unchecked(), -1, out)) >= 0) {
                if (status == Status.OK.number()) {
                    take(out.get(ValueLayout.ADDRESS, 0));
                }
            }
        } finally {
            // None is left, unless the queue or this thread has failed: then no thread may wait for ever.
            int last = Math.min(status, Status.INVALID_ARGUMENT.number());
            calls.values().forEach(call -> call.end(last, null));
            calls.clear();
        }
    }

    private void take(MemorySegment message) {
        boolean isKept = false;
        try {
            isKept = dispatch(message);
        } catch (Throwable failure) {
            Failure.tell(handlers.failure, "message", failure);
        } finally {
            if (!isKept) {
                Abi.mcp_message_free(message);
            }
        }
    }

    /** Says whether the message has another owner now. */
    private boolean dispatch(MemorySegment message) {
        switch (Abi.mcp_message_kind(message)) {
            case Abi.KIND_REPLY -> {
                PendingCall call = calls.remove(Abi.mcp_message_tag(message));
                if (call == null) {
                    return false;
                }
                call.end(Abi.mcp_message_status(message), message);
                return true;
            }
            case Abi.KIND_PROGRESS -> {
                PendingCall call = calls.get(Abi.mcp_message_tag(message));
                if (call != null && call.wantsReports()) {
                    call.report(Json.of(message));
                }
                return false;
            }
            case Abi.KIND_REQUEST -> {
                Handler<JsonValue, Object> handler = handlers.request(Library.text(Abi.mcp_message_method(message)));
                if (handler == null) {
                    return false; // which refuses it
                }
                EXECUTOR.execute(() -> answer(message, handler));
                return true;
            }
            case Abi.KIND_AUTH -> {
                EXECUTOR.execute(() -> Login.handle(this, handlers, message));
                return true;
            }
            default -> {
                announce(message);
                return false;
            }
        }
    }

    private void announce(MemorySegment message) {
        switch (Abi.mcp_message_kind(message)) {
            case Abi.KIND_NOTIFICATION -> {
                String method = Library.text(Abi.mcp_message_method(message));
                Consumer<Notification> to = handlers.notification(method);
                if (to != null) {
                    Notification notification = new Notification(method, Topic.of(Abi.mcp_message_topic(message)), Json.of(message));
                    inbox.add(() -> guarded(method, () -> to.accept(notification)));
                }
            }
            case Abi.KIND_STATE -> {
                if (handlers.state != null) {
                    StateChange change = StateChange.of(Json.of(message));
                    inbox.add(() -> guarded("state", () -> handlers.state.accept(change)));
                }
            }
            case Abi.KIND_STDERR -> {
                if (handlers.line != null) {
                    String line = Json.of(message).get("line").asText("");
                    inbox.add(() -> guarded("stderr", () -> handlers.line.accept(line)));
                }
            }
            case Abi.KIND_LOST -> {
                Long count = Json.of(message).get("count").asLong();
                if (handlers.lost != null && count != null) {
                    inbox.add(() -> guarded("lost", () -> handlers.lost.accept(count)));
                }
            }
            default -> {
            }
        }
    }

    void guarded(String what, Runnable function) {
        try {
            function.run();
        } catch (Throwable failure) {
            Failure.tell(handlers.failure, what, failure);
        }
    }

    /** Runs the function for a request of the server. Whatever happens, the server gets an answer. */
    private void answer(MemorySegment message, Handler<JsonValue, Object> handler) {
        String method = Library.text(Abi.mcp_message_method(message));
        try {
            Object result = handler.handle(Json.of(message));
            try {
                boolean isForm = handlers.elicitation != null && method.equals(Protocol.Method.ELICITATION);
                Answers.respond(method, message, result, isForm);
            } catch (McpException failure) {
                // Of a client that is freed the library knows nothing, and says so with another status.
                if (!Answers.isOver(failure) && handle.isOpen()) {
                    throw failure;
                }
            }
        } catch (Throwable failure) {
            Answers.refuse(method, message, failure, REQUEST_FAILED, handlers.failure, handle::isOpen);
        } finally {
            Abi.mcp_message_free(message);
        }
    }

    /** The library's function waits, for which no thread of the program, which may be a virtual one, is used. */
    void logout(Duration limit) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        Thread.ofPlatform().daemon().name("mcp-logout").start(() -> {
            try {
                use("logout", (arena, client, error) -> Abi.mcp_client_logout(client, Library.milliseconds(limit), error));
                done.complete(null);
            } catch (Throwable failure) {
                done.completeExceptionally(failure);
            }
        });
        try {
            done.get();
        } catch (InterruptedException interrupt) {
            Thread.currentThread().interrupt();
            throw new McpException(Status.CANCELLED, "logout", "logout: the thread was interrupted; the logout goes on in the background");
        } catch (ExecutionException failed) {
            // Thrown here, so that its stack is that of the caller.
            throw failed.getCause() instanceof McpException why ? why.again() : new IllegalStateException(failed.getCause());
        }
    }

    ClientState state() {
        return handle.look(it -> ClientState.of(Abi.mcp_client_state(it)), ClientState.CLOSED);
    }

    /** Closes and frees. Several threads may call it, also a function of the program: it waits for none of these. */
    void close() {
        handle.close(new Handle.End(it -> Abi.mcp_client_close(it, -1),
                why -> Failure.tell(handlers.failure, "close", why), loop, Abi::mcp_client_free));
    }

    /** Closes what the program has not closed. */
    void closeForgotten() {
        if (handle.isOpen()) {
            close();
        }
    }

    /** Runs what blocks in the library. A virtual thread would keep the thread that carries it from all the others. */
    static void onPlatformThread(Runnable blocks) {
        if (Thread.currentThread().isVirtual()) {
            uninterrupted(Thread.ofPlatform().daemon().name("mcp-close").start(blocks)::join);
        } else {
            blocks.run();
        }
    }

    /** A wait. */
    interface Wait {
        void run() throws InterruptedException;
    }

    /** Waits for what ends within limits by itself; an interrupt is kept for later. */
    static void uninterrupted(Wait wait) {
        boolean wasInterrupted = false;
        while (true) {
            try {
                wait.run();
                break;
            } catch (InterruptedException interrupt) {
                wasInterrupted = true;
            }
        }
        if (wasInterrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
