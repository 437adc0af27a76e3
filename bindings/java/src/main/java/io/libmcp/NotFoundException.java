package io.libmcp;

/** What a handler throws when what a request is for does not exist. The client gets the error of its revision. */
public final class NotFoundException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** Makes one. */
    public NotFoundException() {
        super("not found");
    }
}
