package io.libmcp;

import java.util.regex.Pattern;

/** A failure: of a call, of a configuration, or of the connection. */
public final class McpException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** What the library says of a pointer. */
    private static final Pattern NULL = Pattern.compile("^mcp_\\w+\\(\\): (\\w+?)(?:_json)? is NULL$");

    /** The number of the status. */
    private final int number;
    /** What was being done. */
    private final String operation;
    private final transient JsonValue error;

    McpException(Status status, String operation, String message) {
        super(message);
        this.number = status.number();
        this.operation = operation;
        this.error = JsonValue.ABSENT;
    }

    McpException(int number, String operation) {
        this(number, operation, JsonValue.ABSENT);
    }

    McpException(int number, String operation, JsonValue error) {
        super(named(number, error.get("message").asText(operation + ": " + Status.of(number))));
        this.number = number;
        this.operation = error.get("operation").asText(operation);
        this.error = error;
    }

    /** A message with the options of a call as {@link Settings.CallOptions} names them, and without functions of C. */
    private static String named(int number, String message) {
        return switch (Status.of(number)) {
            case TIMEOUT -> message.replace("raise timeout_ms", "raise timeout").replace("raise max_total_ms", "raise maxTotal");
            case INVALID_ARGUMENT -> NULL.matcher(message.replace("'timeout_ms'", "'timeout'").replace("'max_total_ms'", "'maxTotal'"))
                    .replaceFirst("$1 must not be null");
            default -> message;
        };
    }

    /** The same failure with the stack of the thread that throws it. */
    McpException again() {
        McpException same = error == null || error.isAbsent() ? new McpException(status(), operation, getMessage()) : new McpException(number, operation, error);
        same.initCause(this);
        return same;
    }

    /**
     * What kind of failure it is.
     *
     * @return the status
     */
    public Status status() {
        return Status.of(number);
    }

    /**
     * The number of the status, also of one that this version does not know.
     *
     * @return a negative number
     */
    public int number() {
        return number;
    }

    /**
     * What was being done, such as a method of the protocol.
     *
     * @return the operation
     */
    public String operation() {
        return operation;
    }

    /**
     * The code of an error that the server sent ({@link Protocol.ErrorCode}).
     *
     * @return the code; null if the server sent none
     */
    public Long code() {
        return object().get("code").asLong();
    }

    /**
     * What the server sent with its error.
     *
     * @return the data; {@link JsonValue#ABSENT} if it is missing
     */
    public JsonValue data() {
        return object().get("data");
    }

    /**
     * Numbers and names, for programs.
     *
     * @return an object; {@link JsonValue#ABSENT} if it is missing
     */
    public JsonValue details() {
        return object().get("details");
    }

    /**
     * Whether another attempt may succeed and is not known to do harm.
     *
     * @return true or false
     */
    public boolean isRetryable() {
        return Boolean.TRUE.equals(object().get("retryable").asBoolean());
    }

    /** Absent after serialization, which does not carry it. */
    private JsonValue object() {
        return error == null ? JsonValue.ABSENT : error;
    }
}
