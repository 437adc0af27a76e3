package io.libmcp;

import io.libmcp.Protocol.Root;
import io.libmcp.Settings.CallOptions;
import io.libmcp.Settings.ClientConfig;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.ref.Cleaner;
import java.lang.ref.Reference;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * One logical connection to one server. The first call, or {@link #connect}, starts it; the library opens the next one
 * after a loss.
 *
 * <p>Any thread may use it, and several at once. A method that waits ends early when its thread is interrupted: the server
 * is told, the method throws an {@link McpException} with {@link Status#CANCELLED}, and the thread stays interrupted. Every
 * method that waits may run in a virtual thread. What is forgotten is closed when the collector finds it, unless a function
 * of the program refers to the client; {@link #close} is better.
 *
 * <pre>{@code
 * try (Client client = Client.open("npx", "-y", "@modelcontextprotocol/server-everything")) {
 *     System.out.println(client.callTool("echo", Map.of("message", "Hello")).text());
 * }
 * }</pre>
 */
public final class Client extends ClientFeatures implements AutoCloseable {
    private static final Cleaner CLEANER = Cleaner.create();

    private final ClientCore core;
    private final ClientHandlers handlers;
    private final Cleaner.Cleanable backstop;

    private Client(ClientConfig config, ClientHandlers handlers, MemorySegment server) {
        Library.need();
        Objects.requireNonNull(config, "config");
        this.handlers = Objects.requireNonNull(handlers, "handlers");
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment text = Library.json(arena, handlers.configure(config));
            MemorySegment out = arena.allocate(ValueLayout.ADDRESS);
            MemorySegment error = arena.allocate(ValueLayout.ADDRESS);
            int status = server == null
                    ? Abi.mcp_client_new(text, MemorySegment.NULL, out, error)
                    : Abi.mcp_client_new_in_process(text, MemorySegment.NULL, server, out, error);
            Library.check("new", status, error);
            core = new ClientCore(out.get(ValueLayout.ADDRESS, 0), handlers);
        }
        core.begin();
        ClientCore forgotten = core;
        // Closing takes its time, for which the thread of all cleaners must not wait.
        backstop = CLEANER.register(this, () -> Thread.ofPlatform().daemon().name("mcp-forgotten").start(forgotten::closeForgotten));
    }

    @Override
    public String toString() {
        return "Client[" + state().name().toLowerCase(java.util.Locale.ROOT) + "]";
    }

    /**
     * Makes a client of a server that is a program.
     *
     * @param command the program: a path, or a name to find in PATH
     * @param args its arguments
     * @return the client, which has started nothing yet
     */
    public static Client open(String command, String... args) {
        return open(new ClientConfig().command(command).args(args));
    }

    /**
     * Makes a client of a server over HTTP.
     *
     * @param url the URL of the server
     * @return the client
     */
    public static Client open(URI url) {
        return open(new ClientConfig().url(url.toString()));
    }

    /**
     * Makes a client from a configuration.
     *
     * @param config the configuration
     * @return the client
     */
    public static Client open(ClientConfig config) {
        return open(config, new ClientHandlers());
    }

    /**
     * Makes a client with functions for what its server sends by itself.
     *
     * @param config the configuration
     * @param handlers the functions
     * @return the client
     * @throws McpException with {@link Status#INVALID_ARGUMENT} for a wrong configuration, which it describes
     */
    public static Client open(ClientConfig config, ClientHandlers handlers) {
        return new Client(config, handlers, null);
    }

    /**
     * Makes a client of a server in this process, for tests.
     *
     * @param server the server
     * @return the client
     */
    public static Client inProcess(Server server) {
        return inProcess(server, new ClientConfig(), new ClientHandlers());
    }

    /**
     * Makes a client of a server in this process, for tests.
     *
     * @param server the server
     * @param config the configuration, without the endpoint
     * @return the client
     */
    public static Client inProcess(Server server, ClientConfig config) {
        return inProcess(server, config, new ClientHandlers());
    }

    /**
     * Makes a client of a server in this process, for tests and for programs that have both: messages need no descriptor
     * of the system.
     *
     * @param server the server
     * @param config a configuration without command, url and socket
     * @param handlers the functions
     * @return the client
     */
    public static Client inProcess(Server server, ClientConfig config, ClientHandlers handlers) {
        return server.with("new", handle -> new Client(config, handlers, handle));
    }

    /**
     * Reads a server of a file that has {@code mcpServers}.
     *
     * @param file the file
     * @param server the name of the server; null for the only one
     * @return its configuration
     */
    public static ClientConfig load(Path file, String server) {
        Library.need();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment out = arena.allocate(ValueLayout.ADDRESS);
            MemorySegment error = arena.allocate(ValueLayout.ADDRESS);
            MemorySegment path = Library.text(arena, "load", file.toString());
            Library.check("load", Abi.mcp_config_load(path, Library.text(arena, "load", server), out, error), error);
            return new ClientConfig(JsonValue.parse(Library.taken(out)));
        }
    }

    /** Connects, and waits until the connection is ready, within the configured time. */
    public void connect() {
        connect(null);
    }

    /**
     * Connects, and waits until the connection is ready.
     *
     * @param limit the longest wait; null for the configured one
     */
    public void connect(Duration limit) {
        await(core.start("connect", null, null, (arena, client, options, tag, id, error) ->
                Abi.mcp_client_connect_start(client, Library.milliseconds(limit), tag, id, error)));
    }

    /**
     * Calls a tool without arguments.
     *
     * @param name the name of the tool
     * @return the result
     */
    public CallResult callTool(String name) {
        return callTool(name, null);
    }

    /**
     * Calls a tool. A tool that failed is a result too: {@link CallResult#isError}.
     *
     * @param name the name of the tool
     * @param arguments anything that becomes an object of JSON; null for none
     * @return the result
     */
    public CallResult callTool(String name, Object arguments) {
        return callTool(name, arguments, null, null);
    }

    /**
     * Calls a tool, with options.
     *
     * @param name the name of the tool
     * @param arguments anything that becomes an object of JSON; null for none
     * @param options the options; null for none
     * @return the result
     */
    public CallResult callTool(String name, Object arguments, CallOptions options) {
        return callTool(name, arguments, options, null);
    }

    /**
     * Calls a tool, with options and reports of progress.
     *
     * @param name the name of the tool
     * @param arguments anything that becomes an object of JSON; null for none
     * @param options the options; null for none
     * @param progress gets reports of progress, on this thread, before the method returns; null for none
     * @return the result
     */
    public CallResult callTool(String name, Object arguments, CallOptions options, Consumer<Progress> progress) {
        return new CallResult(await(startTool(name, arguments, options, progress)));
    }

    /**
     * Starts a call of a tool. Cancelling the future cancels the call.
     *
     * @param name the name of the tool
     * @param arguments anything that becomes an object of JSON; null for none
     * @return the result, or an {@link McpException}
     */
    public CompletableFuture<CallResult> callToolAsync(String name, Object arguments) {
        return callToolAsync(name, arguments, null, null);
    }

    /**
     * Starts a call of a tool, with options and reports of progress. Cancelling the future cancels the call.
     *
     * @param name the name of the tool
     * @param arguments anything that becomes an object of JSON; null for none
     * @param options the options; null for none
     * @param progress gets reports of progress, on one thread, in order; null for none
     * @return the result, or an {@link McpException}
     */
    public CompletableFuture<CallResult> callToolAsync(String name, Object arguments, CallOptions options, Consumer<Progress> progress) {
        ClientCore.Started call = startTool(name, arguments, options, progress);
        return new Running<>(() -> new CallResult(await(call)));
    }

    private ClientCore.Started startTool(String name, Object arguments, CallOptions options, Consumer<Progress> progress) {
        CallOptions all = progress == null ? options : new CallOptions(options == null ? JsonValue.ABSENT : options.json()).progress(true);
        Consumer<JsonValue> report = progress == null ? null
                : json -> core.guarded("progress", () -> progress.accept(Progress.of(json)));
        return core.start(Protocol.Method.TOOLS_CALL, all, report, (arena, client, text, tag, id, error) ->
                Abi.mcp_client_call_tool_start(client, Library.text(arena, "tools/call", name), Library.json(arena, arguments), text, tag, id, error));
    }

    /**
     * Calls any method of the server.
     *
     * @param method the method
     * @param params anything that becomes an object of JSON; null for none
     * @return the result
     */
    public JsonValue call(String method, Object params) {
        return call(method, params, null);
    }

    /**
     * Calls any method of the server, with options.
     *
     * @param method the method
     * @param params anything that becomes an object of JSON; null for none
     * @param options the options; null for none
     * @return the result
     */
    public JsonValue call(String method, Object params, CallOptions options) {
        return perform(method, options, (arena, client, text, tag, id, error) ->
                Abi.mcp_call_start(client, Library.text(arena, method, method), Library.json(arena, params), text, tag, id, error));
    }

    /**
     * Runs a function that uses this client on a virtual thread. Cancelling the future interrupts it, which cancels the
     * call that it waits for: {@code client.async(client::listTools)}.
     *
     * @param <T> what it gives
     * @param function the function
     * @return what it gives or throws
     */
    public <T> CompletableFuture<T> async(Callable<T> function) {
        return new Running<>(() -> {
            try {
                return function.call();
            } finally {
                Reference.reachabilityFence(this);
            }
        });
    }

    /**
     * The tasks that the server keeps.
     *
     * @return what is done with them
     */
    public Tasks tasks() {
        return new Tasks(this);
    }

    /**
     * The skills of the server.
     *
     * @return what is done with them
     */
    public Skills skills() {
        return new Skills(this);
    }

    /**
     * Sends a notification. The connection must be ready; it never waits.
     *
     * @param method the method
     * @param params anything that becomes an object of JSON; null for none
     */
    public void notify(String method, Object params) {
        fenced(() -> core.use(method, (arena, client, error) ->
                Abi.mcp_client_notify(client, Library.text(arena, method, method), Library.json(arena, params), error)));
    }

    /**
     * Sets the roots that servers get. The configuration must have some, which may be an empty list.
     *
     * @param roots the roots
     */
    public void setRoots(List<Root> roots) {
        fenced(() -> core.use("roots", (arena, client, error) -> Abi.mcp_client_set_roots(client, Library.json(arena, roots), error)));
    }

    /** Logs out, and waits until that is done: {@link #logout(Duration)} without a limit of its own. */
    public void logout() {
        logout(null);
    }

    /**
     * Logs out: deletes what is stored of logins for this server, in every store, and has the authorization servers revoke their
     * tokens. The next request that needs a login starts a new one. When the limit or an interrupt ends the wait, the logout goes
     * on in the background.
     *
     * @param limit the longest wait; null waits to the end, which comes at the latest after twice {@code auth.limit} of the
     *     configuration
     * @throws McpException with {@link Status#AUTH} if a login could not be deleted everywhere (the message says where it is left),
     *     {@link Status#TIMEOUT}, or {@link Status#UNSUPPORTED} without {@code auth} in the configuration
     */
    public void logout(Duration limit) {
        fenced(() -> {
            core.logout(limit);
            return null;
        });
    }

    /**
     * The state of the connection.
     *
     * @return the state, {@link ClientState#CLOSED} after {@link #close}
     */
    public ClientState state() {
        return fenced(core::state);
    }

    /**
     * Closes the connection, and ends the server if the client has started it. Calls under way end with
     * {@link Status#CLOSED}. It waits within {@code timeouts.close} of the configuration, and for no function of the
     * program, so that one of these may call it. Closing again does nothing.
     */
    @Override
    public void close() {
        core.close();
        backstop.clean();
    }

    @Override
    ClientCore core() {
        return core;
    }
}
