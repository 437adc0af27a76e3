package io.libmcp;

/**
 * A function that answers a request. It runs on a virtual thread of its own. What it throws ends neither the process nor
 * the connection: the other side gets an answer without a word of the exception, which goes to the function for failures.
 * An {@link RpcException} is an answer on purpose.
 *
 * @param <A> what is asked
 * @param <R> the answer
 */
@FunctionalInterface
public interface Handler<A, R> {
    /**
     * Answers.
     *
     * @param asked what is asked
     * @return the answer
     * @throws Exception if there is none
     */
    R handle(A asked) throws Exception;
}
