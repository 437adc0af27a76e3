// Written from include/mcp.h by `cargo xtask bindings`; do not edit.

package io.libmcp;

/** How much the logger hears. */
public enum LogLevel {
    /** Log level: no records. */
    NONE(0),

    /** Log level: an operation failed. */
    ERROR(1),

    /** Log level: something unexpected happened, and the library continues. */
    WARN(2),

    /** Log level: a state changed. */
    INFO(3),

    /** Log level: each request. */
    DEBUG(4),

    /** Log level: each frame. */
    TRACE(5),

    /** A number of a later library. */
    UNKNOWN(Integer.MIN_VALUE);

    private final int number;

    LogLevel(int number) {
        this.number = number;
    }

    /**
     * The number of the C API.
     *
     * @return the number, which never changes
     */
    public int number() {
        return number;
    }

    @Override
    public String toString() {
        return name().toLowerCase(java.util.Locale.ROOT);
    }

    static LogLevel of(int number) {
        for (LogLevel one : values()) {
            if (one.number == number) {
                return one;
            }
        }
        return UNKNOWN;
    }
}
