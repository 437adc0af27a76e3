package io.libmcp;

import java.lang.foreign.MemorySegment;
import java.time.Duration;

/** What a client needs of the program to be let in by its server. */
public final class Login {
    private final ClientCore core;
    private final JsonValue json;

    Login(ClientCore core, JsonValue json) {
        this.core = core;
        this.json = json;
    }

    /**
     * What is needed.
     *
     * @return "authorize" (a person has to open a page), "token", "assertion" or "subject"
     */
    public String kind() {
        return json.get("kind").asText("");
    }

    /**
     * The page to open. Give it only to the browser: do not log it, and do not pass it through a shell.
     *
     * @return the URL; null if no page is to be opened
     */
    public String url() {
        return json.get("url").asText();
    }

    /**
     * Whether the library itself waits for the browser. If not, the program gives the URL that the browser was sent to to
     * {@link #complete}.
     *
     * @return true or false
     */
    public boolean listens() {
        return Boolean.TRUE.equals(json.get("listens").asBoolean());
    }

    /**
     * All of it (docs/authorization.md).
     *
     * @return an object
     */
    public JsonValue json() {
        return json;
    }

    /**
     * Ends the login with the URL that the browser was sent to.
     *
     * @param callbackUrl the URL, as the browser got it
     */
    public void complete(String callbackUrl) {
        core.use("login", (arena, client, error) -> Abi.mcp_client_complete_login(client, Library.text(arena, "login", callbackUrl), error));
    }

    /**
     * Gives the credential that is needed.
     *
     * @param credential the credential, which is never logged
     * @param lasts how long it is valid; null if that is not known
     */
    public void supply(String credential, Duration lasts) {
        core.use("login", (arena, client, error) -> Abi.mcp_client_supply_credential(client,
                Library.text(arena, "login", credential), Library.milliseconds(lasts), error));
    }

    /** Gives the login up: calls that wait for it fail. */
    void abort(String reason) {
        core.use("login", (arena, client, error) -> Abi.mcp_client_abort_login(client, Library.text(arena, "login", reason), error));
    }

    /** The messages that need an answer of their own (stores and signers of the program) are refused: no function takes them. */
    static boolean isAnswered(JsonValue json) {
        return switch (json.get("kind").asText("")) {
            case "load", "save", "sign", "unlock" -> true;
            default -> false;
        };
    }

    static void handle(ClientCore core, ClientHandlers handlers, MemorySegment message) {
        try {
            JsonValue json = Json.of(message);
            if (isAnswered(json)) {
                return; // Freed without an answer it is a failure of the store or signer.
            }
            Login login = new Login(core, json);
            if (handlers.login == null) {
                login.abort("the program has no function for logins: give one to ClientHandlers.onLogin");
                return;
            }
            try {
                handlers.login.handle(login);
            } catch (Throwable failure) {
                // The calls that wait for the login fail with this reason; it stays in the program.
                login.abort(Answers.sendable(String.valueOf(failure.getMessage())));
            }
        } catch (McpException over) {
            // The client is closed, or the login is over.
            if (over.status() != Status.CLOSED) {
                Failure.tell(handlers.failure, "login", over);
            }
        } finally {
            Abi.mcp_message_free(message);
        }
    }
}
