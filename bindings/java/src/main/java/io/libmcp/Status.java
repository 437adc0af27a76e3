// Written from include/mcp.h by `cargo xtask bindings`; do not edit.

package io.libmcp;

/** How something ended: 0 is success, positive is no failure but there is nothing to return, negative is an error. */
public enum Status {
    /** Success. */
    OK(0),

    /** There is nothing to return: no message arrived in time, or the value does not exist. */
    EMPTY(1),

    /** mcp_queue_wake(), mcp_client_wake() or mcp_server_wake() ended the wait. */
    WOKEN(2),

    /** From a store: what is there is not what was expected. Nothing was written. */
    CONFLICT(3),

    /** An argument is invalid. Nothing was done. */
    INVALID_ARGUMENT(-1),

    /** No answer arrived within the time limit. */
    TIMEOUT(-2),

    /** The application cancelled the call, or the server cancelled its request. */
    CANCELLED(-3),

    /** The client is not connected (it waits for the next attempt), and the call was told not to wait. From mcp_config_load(): the server is disabled. */
    UNAVAILABLE(-4),

    /** The connection was lost during the call or could not be opened. */
    TRANSPORT(-5),

    /** The server violated the protocol. */
    PROTOCOL(-6),

    /** The server answered with a JSON-RPC error. The error object has its "code", "message" and "data". */
    SERVER(-7),

    /** The server or this build of the library lacks a capability, a revision or a transport. */
    UNSUPPORTED(-8),

    /** Too many operations are pending. Try again later. */
    BACKPRESSURE(-9),

    /** A size exceeds a configured limit. */
    TOO_LARGE(-10),

    /** Authorization is missing or was refused. */
    AUTH(-11),

    /** The client is closed. */
    CLOSED(-12),

    /** The handle was created before fork(). Only the parent may use it; the child may create its own handles. */
    FORKED(-13),

    /** The library has a fault. */
    INTERNAL(-14),

    /** The system refused the memory that a message of the server needed: the library discarded the message, and the client continues. From a document or a builder: it refused the memory for the text. */
    NO_MEMORY(-15),

    /** A number of a later library. */
    UNKNOWN(Integer.MIN_VALUE);

    private final int number;

    Status(int number) {
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

    static Status of(int number) {
        for (Status one : values()) {
            if (one.number == number) {
                return one;
            }
        }
        return UNKNOWN;
    }
}
