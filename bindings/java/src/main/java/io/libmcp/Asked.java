package io.libmcp;

/** Ends a run of a handler that has asked its client something: it runs again with the answer. */
final class Asked extends Error {
    private static final long serialVersionUID = 1;

    /** An error, so that a handler that catches exceptions lets it through. */
    Asked() {
        super("the client is asked; the handler runs again with the answer", null, false, false);
    }
}
