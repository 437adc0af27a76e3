// Written from include/mcp.h by `cargo xtask bindings`; do not edit.

package io.libmcp;

/** The state of a connection. */
public enum ClientState {
    /** The client is created; nothing has been started. */
    IDLE(0),

    /** The library starts the server. */
    STARTING(1),

    /** The handshake is in progress. */
    INITIALIZING(2),

    /** The connection is ready: calls go directly to the server. */
    READY(3),

    /** The connection was lost, and the client waits before the next attempt. */
    BACKOFF(4),

    /** The connection is being closed. */
    CLOSING(5),

    /** The connection is closed and is not opened again. */
    CLOSED(6),

    /** A number of a later library. */
    UNKNOWN(Integer.MIN_VALUE);

    private final int number;

    ClientState(int number) {
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

    static ClientState of(int number) {
        for (ClientState one : values()) {
            if (one.number == number) {
                return one;
            }
        }
        return UNKNOWN;
    }
}
