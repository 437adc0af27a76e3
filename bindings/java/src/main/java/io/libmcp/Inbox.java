package io.libmcp;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Executor;
import java.util.function.LongConsumer;

/** Runs what arrives one after another, in order, on a thread that is there only meanwhile. When it is full the oldest are dropped. */
final class Inbox {
    private static final int MOST = 1024;

    private final Deque<Runnable> waiting = new ArrayDeque<>();
    private final Executor executor;
    private final LongConsumer lost;
    private boolean runs;
    private long dropped;

    Inbox(Executor executor, LongConsumer lost) {
        this.executor = executor;
        this.lost = lost;
    }

    synchronized void add(Runnable one) {
        if (waiting.size() == MOST) {
            waiting.removeFirst();
            dropped++;
        }
        waiting.addLast(one);
        if (!runs) {
            executor.execute(this::run);
            runs = true; // The thread waits for this lock first. Without one, the next message tries again.
        }
    }

    private void run() {
        while (true) {
            Runnable next;
            long gone;
            synchronized (this) {
                next = waiting.pollFirst();
                gone = dropped;
                dropped = 0;
                if (next == null && gone == 0) {
                    runs = false;
                    return;
                }
            }
            if (gone > 0) {
                lost.accept(gone);
            }
            if (next != null) {
                next.run();
            }
        }
    }
}
