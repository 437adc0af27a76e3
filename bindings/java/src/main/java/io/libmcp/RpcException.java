package io.libmcp;

/** What a handler throws to refuse a request with an error that the other side reads. */
public final class RpcException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** The code of the error. */
    private final int code;
    private final transient Object data;

    /**
     * Makes one.
     *
     * @param code the code of the error, such as one of {@link Protocol.ErrorCode}
     * @param message the text, which the other side reads
     */
    public RpcException(int code, String message) {
        this(code, message, null);
    }

    /**
     * Makes one with data.
     *
     * @param code the code of the error
     * @param message the text, which the other side reads
     * @param data anything that becomes JSON; null for none
     */
    public RpcException(int code, String message, Object data) {
        super(message);
        this.code = code;
        this.data = data;
    }

    /**
     * The code.
     *
     * @return the code
     */
    public int code() {
        return code;
    }

    /**
     * What goes with the error.
     *
     * @return the data; null for none
     */
    public Object data() {
        return data;
    }
}
