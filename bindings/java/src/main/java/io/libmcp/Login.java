package io.libmcp;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;

/**
 * What a client needs of the program to be let in by its server. {@link #kind} says what it is, and which method ends it:
 *
 * <table>
 * <caption>Kinds</caption>
 * <tr><th>kind</th><th>needs</th><th>ended by</th></tr>
 * <tr><td>"authorize"</td><td>a person who opens {@link #url}</td><td>nothing if {@link #listens}, else {@link #complete}</td></tr>
 * <tr><td>"token"</td><td>a token for the server</td><td>{@link #supply}</td></tr>
 * <tr><td>"assertion"</td><td>a signed statement about the workload, for {@link #audience}</td><td>{@link #supply}</td></tr>
 * <tr><td>"subject"</td><td>what shows at the identity provider who the person is</td><td>{@link #supply}</td></tr>
 * <tr><td>"load"</td><td>the text that the program stores under {@link #key}</td><td>{@link #answer}</td></tr>
 * <tr><td>"save"</td><td>that {@link #text} is stored under {@link #key}, whole or not at all</td><td>{@link #answer}</td></tr>
 * <tr><td>"unlock"</td><td>that the lock of {@link #key} is released</td><td>nothing</td></tr>
 * <tr><td>"sign"</td><td>the signature of {@link #input} by {@link #algorithm}</td><td>{@link #answer}</td></tr>
 * </table>
 *
 * <p>"load", "save" and "unlock" come with {@code new AuthConfig().store("application")}, "sign" with {@code signer("application")} or
 * {@code dpopKey}. The first four may be ended later, from any thread; these are answered before the handler returns. Each may be
 * given up by {@link #abort}, or by an exception of the handler.
 */
public final class Login {
    private static final String OPERATION = "login";

    private final ClientCore core;
    private final JsonValue json;
    private final ReentrantLock lock = new ReentrantLock();
    /** Null once the handler has returned. */
    private MemorySegment message;

    private Login(ClientCore core, JsonValue json, MemorySegment message) {
        this.core = core;
        this.json = json;
        this.message = message;
    }

    /**
     * What is needed.
     *
     * @return "authorize", "token", "assertion", "subject", "load", "save", "unlock" or "sign"
     */
    public String kind() {
        return json.get("kind").asText("");
    }

    /**
     * The page to open ("authorize"). Give it only to the browser: do not log it, and do not pass it through a shell.
     *
     * @return the URL; null if no page is to be opened
     */
    public String url() {
        return json.get("url").asText();
    }

    /**
     * What the person enters at {@link #verificationUri}, or what {@link #url} has in it already ("authorize" with the flow "device").
     *
     * @return the code; null if the browser is sent back
     */
    public String userCode() {
        return json.get("user_code").asText();
    }

    /**
     * Where the person enters {@link #userCode}, in a browser of any device.
     *
     * @return the URL; null if the browser is sent back
     */
    public String verificationUri() {
        return json.get("verification_uri").asText();
    }

    /**
     * Where the browser is sent afterwards ("authorize").
     *
     * @return the URL; null for other kinds
     */
    public String redirectUri() {
        return json.get("redirect_uri").asText();
    }

    /**
     * Whether the library itself waits for the browser ("authorize"). If not, the program gives the URL that the browser was sent to
     * to {@link #complete}.
     *
     * @return true or false
     */
    public boolean listens() {
        return isTrue("listens");
    }

    /**
     * The authorization server.
     *
     * @return its name; null if the login has none
     */
    public String issuer() {
        return json.get("issuer").asText();
    }

    /**
     * What the login is for.
     *
     * @return the scopes, separated by spaces; null if the login has none
     */
    public String scopes() {
        return json.get("scopes").asText();
    }

    /**
     * How long the login waits for the person ("authorize").
     *
     * @return the time; null if the login says none
     */
    public Duration expiresIn() {
        Long milliseconds = json.get("expires_in_ms").asLong();
        return milliseconds == null ? null : Duration.ofMillis(milliseconds);
    }

    /**
     * Whom an assertion is for ("assertion", and "sign" with the purpose "assertion"). Give one only for that audience, and only if
     * the program trusts it.
     *
     * @return the audience; null for other kinds
     */
    public String audience() {
        return json.get("audience").asText();
    }

    /**
     * Whether the last credential was refused.
     *
     * @return true or false
     */
    public boolean isRefused() {
        return isTrue("refused");
    }

    /**
     * Under which key the program stores the text ("load", "save", "unlock").
     *
     * @return the key; null for other kinds
     */
    public String key() {
        return json.get("key").asText();
    }

    /**
     * What is to be stored ("save"). It has tokens: do not log it.
     *
     * @return the text; null for other kinds
     */
    public String text() {
        return json.get("text").asText();
    }

    /**
     * Whether no other process may change the text until the next "save" was answered, or "unlock" has come ("load").
     *
     * @return true or false
     */
    public boolean locks() {
        return isTrue("lock");
    }

    /**
     * What is to be signed ("sign").
     *
     * @return the text, whose characters are ASCII; null for other kinds
     */
    public String input() {
        return json.get("input").asText();
    }

    /**
     * How it is to be signed ("sign"). The answer is in Base64url without padding: of "ES256" the 64 bytes of r and s, which the
     * JDK calls {@code SHA256withECDSAinP1363Format}; of "RS256" as many bytes as the key has.
     *
     * @return "ES256" or "RS256"; null for other kinds
     */
    public String algorithm() {
        return json.get("algorithm").asText();
    }

    /**
     * What the signature is for ("sign"): "proof" is signed by the key of {@code dpopKey}, "assertion" by the key that identifies
     * the client. The answer to the latter may also be a whole signed token about {@link #clientId}, for {@link #audience}.
     *
     * @return "proof" or "assertion"; null for other kinds
     */
    public String purpose() {
        return json.get("purpose").asText();
    }

    /**
     * The id of the key at the authorization server ("sign" with the purpose "assertion").
     *
     * @return the id; null if the configuration has none
     */
    public String keyId() {
        return json.get("key_id").asText();
    }

    /**
     * Who the client is at the authorization server ("sign" with the purpose "assertion").
     *
     * @return the id; null for other kinds
     */
    public String clientId() {
        return json.get("client_id").asText();
    }

    /**
     * All of it (docs/guide/authorization.md).
     *
     * @return an object
     */
    public JsonValue json() {
        return json;
    }

    /**
     * Ends a login of a person with the URL that the browser was sent to.
     *
     * @param callbackUrl the whole URL, exactly as the browser got it, also when it reports an error
     * @throws McpException with {@link Status#AUTH} if the URL is not for this login, or a check failed
     */
    public void complete(String callbackUrl) {
        core.use(OPERATION, (arena, client, error) ->
                Abi.mcp_client_complete_login(client, Library.text(arena, OPERATION, callbackUrl), error));
    }

    /**
     * Gives the credential that is needed, where it is not known how long it is valid.
     *
     * @param credential the credential, which is never logged
     */
    public void supply(String credential) {
        supply(credential, null);
    }

    /**
     * Gives the credential that is needed.
     *
     * @param credential the credential, which is never logged
     * @param lasts how long it is valid; null if that is not known
     */
    public void supply(String credential, Duration lasts) {
        core.use(OPERATION, (arena, client, error) -> Abi.mcp_client_supply_credential(client,
                Library.text(arena, OPERATION, credential), Library.milliseconds(lasts), error));
    }

    /**
     * Answers "load", "save" and "sign", once, before the handler returns.
     *
     * @param text the stored text or the signature, which is never logged; null if nothing is stored, and after a "save"
     * @throws McpException with {@link Status#AUTH} if the library no longer waits for it
     */
    public void answer(String text) {
        answer(text, null);
    }

    /**
     * Gives the login up: what waits for it ends with {@link Status#AUTH}. Nothing waits for an "unlock".
     *
     * @param reason why, for the message of that failure; null for none
     */
    public void abort(String reason) {
        if (kind().equals("unlock")) {
            return; // It would end the login that is under way.
        }
        if (isAnswered()) {
            answer(null, reason == null ? "the program has no answer" : reason);
            return;
        }
        core.use(OPERATION, (arena, client, error) ->
                Abi.mcp_client_abort_login(client, Library.text(arena, OPERATION, reason), error));
    }

    private void answer(String text, String failure) {
        lock.lock();
        try {
            if (message == null) {
                throw new McpException(Status.AUTH, OPERATION,
                        "the login is not waited for any more: answer \"" + kind() + "\" before the handler returns");
            }
            core.use(OPERATION, (arena, client, error) -> Abi.mcp_client_answer_auth(client, message,
                    Library.text(arena, OPERATION, text), Library.text(arena, OPERATION, failure), error));
        } finally {
            lock.unlock();
        }
    }

    private boolean isTrue(String name) {
        return Boolean.TRUE.equals(json.get(name).asBoolean());
    }

    /** Whether each message has an answer of its own. */
    private boolean isAnswered() {
        return switch (kind()) {
            case "load", "save", "sign" -> true;
            default -> false;
        };
    }

    /** Owns the message. */
    static void handle(ClientCore core, ClientHandlers handlers, MemorySegment message) {
        Login login = null;
        try {
            login = new Login(core, Json.of(message), message);
            login.run(handlers);
        } catch (McpException over) {
            // The client is closed, or the login is over.
            if (over.status() != Status.CLOSED) {
                Failure.tell(handlers.failure, OPERATION, over);
            }
        } finally {
            if (login == null) {
                Abi.mcp_message_free(message);
            } else {
                login.drop();
            }
        }
    }

    private void run(ClientHandlers handlers) {
        if (handlers.login == null) {
            abort("the program has no function for logins: give one to ClientHandlers.onLogin");
            return;
        }
        try {
            handlers.login.handle(this);
        } catch (Throwable failure) {
            if (kind().equals("unlock")) {
                Failure.tell(handlers.failure, OPERATION, failure); // No thread waits for an answer.
            }
            String reason = failure.getMessage() == null ? failure.toString() : failure.getMessage();
            abort(Answers.sendable(reason));
        }
    }

    /** Without an answer, "load", "save" and "sign" have then failed. */
    private void drop() {
        lock.lock();
        try {
            Abi.mcp_message_free(message);
            message = null;
        } finally {
            lock.unlock();
        }
    }
}
