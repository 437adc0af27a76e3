package io.libmcp;

/** The program's part of a login ({@link ClientHandlers#onLogin}). */
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
