package io.libmcp;

/**
 * A failure of a tool that the model may read: what is wrong, and what to do instead. Any other exception of a tool stays in
 * the program, and the model reads that the tool failed.
 */
public final class ToolException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /**
     * Makes one.
     *
     * @param text what the model reads
     */
    public ToolException(String text) {
        super(text);
    }
}
