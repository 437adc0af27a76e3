package io.libmcp;

import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;

/** What runs on a virtual thread. Cancelling it interrupts the thread. */
final class Running<T> extends CompletableFuture<T> {
    private final Thread thread;

    Running(Callable<T> function) {
        thread = Thread.ofVirtual().unstarted(() -> {
            try {
                complete(function.call());
            } catch (Throwable failure) {
                completeExceptionally(failure);
            }
        });
        thread.start();
    }

    @Override
    public boolean cancel(boolean mayInterrupt) {
        boolean isCancelled = completeExceptionally(new CancellationException());
        thread.interrupt();
        return isCancelled || isCancelled();
    }

    @Override
    public <U> CompletableFuture<U> newIncompleteFuture() {
        return new CompletableFuture<>();
    }
}
