package io.libmcp;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.ToIntFunction;

/** A client or server of the library: many threads use it, it is closed and freed once, and no thread uses it after that. */
final class Handle {
    /** A function of the library that uses a handle, and returns a status. */
    interface Use {
        int call(Arena arena, MemorySegment handle, MemorySegment error);
    }

    /** What it takes to end a handle. */
    record End(ToIntFunction<MemorySegment> close, Consumer<McpException> tell, Thread loop, Consumer<MemorySegment> free) {
    }

    private final MemorySegment handle;
    private final String name;
    /** Held shared by who uses the handle, and alone by who frees it. */
    private final ReadWriteLock uses = new ReentrantReadWriteLock();
    private final AtomicBoolean isClosing = new AtomicBoolean();
    private final CountDownLatch closed = new CountDownLatch(1);
    private boolean isFreed;

    /** @param name what errors call it */
    Handle(MemorySegment handle, String name) {
        this.handle = handle;
        this.name = name;
    }

    /** The handle without a look whether it is freed: for the thread that is joined before that. */
    MemorySegment unchecked() {
        return handle;
    }

    /** Runs a function with the handle, which never waits. */
    <T> T with(String operation, Function<MemorySegment, T> function) {
        uses.readLock().lock();
        try {
            if (isFreed || isClosing.get()) {
                throw new McpException(Status.CLOSED, operation, operation + ": the " + name + " is closed");
            }
            return function.apply(handle);
        } finally {
            uses.readLock().unlock();
        }
    }

    /** Calls a function of the library that never waits; a status that is an error is thrown. */
    int use(String operation, Use use) {
        return with(operation, it -> {
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment error = arena.allocate(ValueLayout.ADDRESS);
                int status = use.call(arena, it, error);
                Library.check(operation, status, error);
                return status;
            }
        });
    }

    /** What a function says of the handle, also while it is being closed; {@code freed} once it is freed. */
    <T> T look(Function<MemorySegment, T> function, T freed) {
        uses.readLock().lock();
        try {
            return isFreed ? freed : function.apply(handle);
        } finally {
            uses.readLock().unlock();
        }
    }

    /** Closes and frees. Several threads may call it; all return when it is done. */
    void close(End end) {
        if (!isClosing.compareAndSet(false, true)) {
            ClientCore.uninterrupted(closed::await);
            return;
        }
        ClientCore.onPlatformThread(() -> finish(end));
    }

    private void finish(End end) {
        try {
            int status = end.close.applyAsInt(handle);
            if (status < 0) {
                end.tell.accept(new McpException(status, "close"));
            }
            ClientCore.uninterrupted(end.loop::join);
        } finally {
            uses.writeLock().lock();
            try {
                isFreed = true;
                end.free.accept(handle);
            } finally {
                uses.writeLock().unlock();
                closed.countDown();
            }
        }
    }

    /** Whether no thread has begun to close it. */
    boolean isOpen() {
        return !isClosing.get();
    }
}
