// Written from include/mcp.h by `cargo xtask bindings`; do not edit.

package io.libmcp;

/** What a notification or a request is about. */
public enum Topic {
    /** The message is not from the server. */
    NONE(0),

    /** A method that this library does not know. */
    UNKNOWN(1),

    /** The list of tools changed. */
    TOOLS_CHANGED(2),

    /** The list of resources or of resource templates changed. */
    RESOURCES_CHANGED(3),

    /** The list of prompts changed. */
    PROMPTS_CHANGED(4),

    /** A subscribed resource changed. */
    RESOURCE_UPDATED(5),

    /** A log message of the server. */
    LOG(6),

    /** Progress of a call. */
    PROGRESS(7),

    /** The server cancelled one of its own requests. */
    CANCELLED(8),

    /** The state of a task. */
    TASK(9),

    /** The person has completed an elicitation by URL (2025-11-25). */
    ELICITATION_COMPLETE(10),

    /** The server accepted a subscription. */
    SUBSCRIBED(11),

    /** A request for the answer of a model (sampling/createMessage). */
    SAMPLING(20),

    /** A request for input of the person (elicitation/create). */
    ELICITATION(21),

    /** A request for the roots (roots/list). */
    ROOTS(22),

    /** A number of a later library. */
    OTHER(Integer.MIN_VALUE);

    private final int number;

    Topic(int number) {
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

    static Topic of(int number) {
        for (Topic one : values()) {
            if (one.number == number) {
                return one;
            }
        }
        return OTHER;
    }
}
