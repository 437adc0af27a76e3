package io.libmcp;

/**
 * The program's part of a login ({@link ClientHandlers#onLogin}).
 *
 * <p>One that stores logins itself, and signs with its own key:
 *
 * <pre>{@code
 * ClientHandlers handlers = new ClientHandlers().onLogin(login -> {
 *     switch (login.kind()) {
 *         case "authorize" -> browser.open(login.url());              // the library gets the answer, if login.listens()
 *         case "load" -> login.answer(keychain.get(login.key()));     // null if nothing is kept
 *         case "save" -> {
 *             keychain.put(login.key(), login.text());
 *             login.answer(null);
 *         }
 *         case "unlock" -> { }                                        // for stores that processes share, see Login.locks()
 *         case "sign" -> login.answer(chip.sign(login.input()));      // Base64url; of ES256 the 64 bytes of r and s
 *         default -> login.abort("no " + login.kind() + " here");
 *     }
 * });
 * ClientConfig config = new ClientConfig().url("https://mcp.example/mcp").auth(new AuthConfig().store("application"));
 * }</pre>
 */
@FunctionalInterface
public interface LoginHandler {
    /**
     * Does what the login needs: shows a page, gives a credential, loads or saves what the program stores, or signs. It runs on a
     * virtual thread of its own and may take as long as a person does ({@code auth.patienceMs}).
     *
     * @param login what is needed, and how it is answered
     * @throws Exception if it cannot be done: the login is given up, and the calls that wait for it end with {@link Status#AUTH}
     *     and this message
     */
    void handle(Login login) throws Exception;
}
