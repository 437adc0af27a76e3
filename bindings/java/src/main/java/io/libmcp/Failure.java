package io.libmcp;

/**
 * A function of the program that failed, or an answer of it that could not be sent. The other side has seen nothing of it.
 *
 * @param what what it was for: a method of the protocol, as "tools/call add" with the name of the tool or the prompt, "progress" or "close"
 * @param cause what was thrown
 */
public record Failure(String what, Throwable cause) {
    private static final System.Logger LOGGER = System.getLogger("io.libmcp");

    /** Tells a function of the program, which may fail itself; without one the system's logger. */
    static void tell(java.util.function.Consumer<Failure> to, String what, Throwable cause) {
        try {
            if (to != null) {
                to.accept(new Failure(what, cause));
            } else {
                LOGGER.log(System.Logger.Level.WARNING, what + ": a function of the program failed", cause);
            }
        } catch (Throwable again) {
            try {
                LOGGER.log(System.Logger.Level.WARNING, what + ": the function for failures failed", again);
            } catch (Throwable silent) {
                // Memory is so short that nothing can be told.
            }
        }
    }
}
