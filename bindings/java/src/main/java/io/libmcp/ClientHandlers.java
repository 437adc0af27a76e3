package io.libmcp;

import io.libmcp.Protocol.CreateMessageRequestParams;
import io.libmcp.Protocol.CreateMessageResult;
import io.libmcp.Protocol.ElicitRequestParams;
import io.libmcp.Protocol.ElicitResult;
import io.libmcp.Protocol.Root;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/**
 * The functions of a program that get what a server sends by itself. Each for requests enables its capability. Requests run
 * side by side, each on a virtual thread; notifications, states and lines of one client run one after another, in order. Several
 * clients may have the same functions; change nothing once the first one is open.
 */
public final class ClientHandlers {
    /** Stands for the methods that have no function of their own. */
    public static final String ANY_METHOD = "*";

    private static final Map<String, String> METHODS = Map.of("sampling", Protocol.Method.SAMPLING,
            "elicitation", Protocol.Method.ELICITATION, "roots", Protocol.Method.ROOTS);

    final Map<String, Handler<JsonValue, Object>> requests = new HashMap<>();
    final Map<String, Consumer<Notification>> notifications = new HashMap<>();
    private final Map<String, Object> enables = new LinkedHashMap<>();
    Handler<ElicitRequestParams, ElicitResult> elicitation;
    LoginHandler login;
    Consumer<StateChange> state;
    Consumer<String> line;
    LongConsumer lost;
    Consumer<Failure> failure;

    /** No functions: notifications are left alone, requests are refused. */
    public ClientHandlers() {
    }

    /**
     * Answers requests for the answer of a model. 2026-07-28 deprecates sampling (SEP-2577); it works in every revision that has it.
     *
     * @param handler the function
     * @return this
     */
    public ClientHandlers onSampling(Handler<CreateMessageRequestParams, CreateMessageResult> handler) {
        Objects.requireNonNull(handler, "handler");
        enables.put("sampling", Map.of());
        return onRequest(Protocol.Method.SAMPLING, params -> handler.handle(new CreateMessageRequestParams(params)));
    }

    /**
     * Answers requests for input of a person. A form that was accepted is filled in with its defaults and checked before
     * it is sent.
     *
     * @param handler the function
     * @param modes "form" and "url"; "form" alone if none is named
     * @return this
     */
    public ClientHandlers onElicitation(Handler<ElicitRequestParams, ElicitResult> handler, String... modes) {
        Objects.requireNonNull(handler, "handler");
        Map<String, Object> enabled = new LinkedHashMap<>();
        for (String mode : modes.length == 0 ? new String[] {"form"} : modes) {
            enabled.put(mode, Map.of());
        }
        enables.put("elicitation", enabled);
        elicitation = handler;
        return onRequest(Protocol.Method.ELICITATION, params -> handler.handle(new ElicitRequestParams(params)));
    }

    /**
     * Answers requests for the folders in which the server may work. 2026-07-28 deprecates roots (SEP-2577); they work in every revision
     * that has them. Roots that do not change need no function: the
     * configuration may list them, and {@link Client#setRoots} changes them.
     *
     * @param handler the function
     * @return this
     */
    public ClientHandlers onRoots(Callable<List<Root>> handler) {
        Objects.requireNonNull(handler, "handler");
        enables.put("roots", Map.of());
        return onRequest(Protocol.Method.ROOTS, params -> Map.of("roots", handler.call()));
    }

    /**
     * Answers other requests. The capability that a server looks for must be in the configuration.
     *
     * @param method the method, or {@link #ANY_METHOD}
     * @param handler the function: it gets the parameters and gives anything that becomes an object of JSON
     * @return this
     */
    public ClientHandlers onRequest(String method, Handler<JsonValue, Object> handler) {
        requests.put(method, Objects.requireNonNull(handler, "handler"));
        return this;
    }

    /**
     * Takes notifications. A slow function delays no call; when more than 1,024 messages wait, the oldest are dropped.
     *
     * @param method the method, or {@link #ANY_METHOD}
     * @param handler the function
     * @return this
     */
    public ClientHandlers onNotification(String method, Consumer<Notification> handler) {
        notifications.put(method, Objects.requireNonNull(handler, "handler"));
        return this;
    }

    /**
     * Takes changes of the state of the connection.
     *
     * @param handler the function
     * @return this
     */
    public ClientHandlers onState(Consumer<StateChange> handler) {
        state = handler;
        return this;
    }

    /**
     * Takes lines of the server's standard error, in the place of the log.
     *
     * @param handler the function
     * @return this
     */
    public ClientHandlers onLine(Consumer<String> handler) {
        line = handler;
        return this;
    }

    /**
     * Hears how many messages were dropped because the functions were too slow.
     *
     * @param handler the function
     * @return this
     */
    public ClientHandlers onLost(LongConsumer handler) {
        lost = handler;
        return this;
    }

    /**
     * Does what logins need of the program ({@code auth} in the configuration): shows a page, gives a credential, keeps logins, or
     * signs. Each runs on a virtual thread.
     *
     * @param handler the function; what it throws gives the login up
     * @return this
     */
    public ClientHandlers onLogin(LoginHandler handler) {
        login = handler;
        return this;
    }

    /**
     * Hears of functions of the program that failed. Without it the system's logger {@code io.libmcp} does.
     *
     * @param handler the function
     * @return this
     */
    public ClientHandlers onFailure(Consumer<Failure> handler) {
        failure = handler;
        return this;
    }

    Handler<JsonValue, Object> request(String method) {
        return requests.getOrDefault(method, requests.get(ANY_METHOD));
    }

    Consumer<Notification> notification(String method) {
        return notifications.getOrDefault(method, notifications.get(ANY_METHOD));
    }

    /**
     * The configuration with the capabilities that functions enable. A capability without its function, and a function
     * without its capability, would only be found out when a server asks.
     */
    Settings.ClientConfig configure(Settings.ClientConfig config) {
        Settings.ClientConfig made = new Settings.ClientConfig(config.json());
        Map<String, Object> capabilities = new LinkedHashMap<>(made.get("capabilities").members());
        enables.forEach((name, value) -> {
            if (!isSet(capabilities.get(name))) {
                capabilities.put(name, value);
            }
        });
        boolean hasRoots = isSet(made.get("roots"));
        METHODS.forEach((name, method) -> {
            boolean isEnabled = isSet(capabilities.get(name));
            if (name.equals("roots") && hasRoots) {
                if (requests.containsKey(method)) {
                    throw unfit("roots: the configuration has a list, so the library answers, and a function would never run; give one of the two");
                }
            } else if (isEnabled && request(method) == null) {
                throw unfit("capabilities." + name + ": there is no function for " + method + "; give one to ClientHandlers");
            } else if (!isEnabled && requests.containsKey(method)) {
                throw unfit("the function for " + method + " would never run, because capabilities." + name + " is not enabled");
            }
        });
        if (line != null && !isSet(made.get("stderr"))) {
            made.set("stderr", "message"); // Else it would never run.
        }
        return capabilities.isEmpty() ? made : made.set("capabilities", capabilities);
    }

    private static boolean isSet(Object value) {
        return value != null && value != JsonValue.NULL && value != JsonValue.ABSENT;
    }

    private static McpException unfit(String message) {
        return new McpException(Status.INVALID_ARGUMENT, "new", message);
    }
}
