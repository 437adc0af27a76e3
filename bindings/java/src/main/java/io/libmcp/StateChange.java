package io.libmcp;

/**
 * A change of the state of a connection.
 *
 * @param state the state now
 * @param previous the state before
 * @param reason why, where there is something to say; else null
 */
public record StateChange(ClientState state, ClientState previous, String reason) {
    static StateChange of(JsonValue value) {
        return new StateChange(named(value.get("state")), named(value.get("previous")), value.get("reason").asText());
    }

    private static ClientState named(JsonValue name) {
        for (ClientState state : ClientState.values()) {
            if (state.toString().equals(name.asText())) {
                return state;
            }
        }
        return ClientState.UNKNOWN;
    }
}
