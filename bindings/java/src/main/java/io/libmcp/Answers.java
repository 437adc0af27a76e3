package io.libmcp;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** Answers requests, of servers to clients and of clients to servers. */
final class Answers {
    /** JSON-RPC's own code for a failure inside of this program. */
    static final int INTERNAL = -32603;

    private Answers() {
    }

    /** A function of the library that answers a request. */
    interface Answer {
        int give(Arena arena, MemorySegment error);
    }

    static void give(String operation, Answer answer) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment error = arena.allocate(ValueLayout.ADDRESS);
            Library.check(operation, answer.give(arena, error), error);
        }
    }

    static void respond(String operation, MemorySegment message, Object result, boolean isElicitation) {
        JsonValue json = JsonValue.of(result);
        give(operation, (arena, error) -> {
            if (!isElicitation) {
                return Abi.mcp_request_respond(message, Library.json(arena, json), error);
            }
            // These complete a form and check it, in the form of either era.
            String action = json.get("action").asText("");
            return switch (action) {
                case "accept", "decline", "cancel" -> {
                    JsonValue content = json.get("content");
                    boolean isBare = content.isAbsent() || !action.equals("accept");
                    yield Abi.mcp_request_respond_elicitation(message, Library.text(arena, operation, action),
                            isBare ? MemorySegment.NULL : Library.json(arena, content), error);
                }
                default -> throw new IllegalArgumentException(
                        "an elicitation is answered with the action \"accept\", \"decline\" or \"cancel\", not " + json.get("action"));
            };
        });
    }

    /**
     * Refuses a request because of what its function has thrown; only an {@link RpcException} is for the other side.
     *
     * @param isOpen whether this side is open: a refusal that cannot be given after that is no failure
     */
    static void refuse(String operation, MemorySegment message, Throwable why, String neutral, Consumer<Failure> tell, BooleanSupplier isOpen) {
        int code = INTERNAL;
        String text = neutral;
        JsonValue data = JsonValue.ABSENT;
        if (why instanceof RpcException refusal) {
            code = refusal.code();
            text = sendable(refusal.getMessage());
            try {
                data = refusal.data() == null ? JsonValue.ABSENT : JsonValue.of(refusal.data());
            } catch (RuntimeException unfit) {
                Failure.tell(tell, operation, unfit);
            }
        } else {
            Failure.tell(tell, operation, why);
        }
        try {
            error(operation, message, code, text, data);
        } catch (McpException unfit) {
            if (isOver(unfit) || !isOpen.getAsBoolean()) {
                return;
            }
            Failure.tell(tell, operation, unfit);
            try {
                error(operation, message, INTERNAL, neutral, JsonValue.ABSENT);
            } catch (McpException again) {
                // The message is freed without an answer, which refuses it as well.
                Failure.tell(tell, operation, again);
            }
        }
    }

    private static void error(String operation, MemorySegment message, int code, String text, JsonValue data) {
        give(operation, (arena, error) -> Abi.mcp_request_respond_error(message, code, Library.text(arena, text),
                data.isAbsent() ? MemorySegment.NULL : Library.json(arena, data), error));
    }

    /** A text as C takes it: without NULs. Half of a surrogate pair becomes a question mark. */
    static String sendable(String text) {
        return text == null ? "" : text.replace("\0", "");
    }

    /** Says that the other side no longer waits: it withdrew its request, has ended, or this side is closed. */
    static boolean isOver(Throwable why) {
        return why instanceof McpException failure && switch (failure.status()) {
            case CANCELLED, TRANSPORT, UNAVAILABLE, CLOSED -> true;
            default -> false;
        };
    }
}
