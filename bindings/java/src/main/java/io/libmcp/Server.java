package io.libmcp;

import io.libmcp.Protocol.GetPromptResult;
import io.libmcp.Protocol.Prompt;
import io.libmcp.Protocol.PromptMessage;
import io.libmcp.Protocol.ReadResourceResult;
import io.libmcp.Protocol.Resource;
import io.libmcp.Protocol.ResourceContents;
import io.libmcp.Protocol.ResourceTemplate;
import io.libmcp.Protocol.TextContent;
import io.libmcp.Protocol.Tool;
import io.libmcp.Settings.Endpoint;
import io.libmcp.Settings.ServerConfig;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.ref.Cleaner;
import java.lang.ref.Reference;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * What this program offers to clients: tools, resources, prompts. Any thread may use it, also while it serves.
 *
 * <p>Each request runs on a virtual thread, which is interrupted when its answer is not wanted any more. What a handler throws
 * ends neither the process nor the server: the client reads that the tool failed, or an error without details, and
 * {@link #onFailure} hears the rest. {@link ToolException}, {@link RpcException} and {@link NotFoundException} are answers on
 * purpose.
 *
 * <pre>{@code
 * record Sum(@Description("the first number") int a, @Description("the second number") int b) {}
 * record Total(int sum) {}
 *
 * try (Server server = new Server(new ServerConfig().name("adder").version("1.0"))) {
 *     server.addTool("add", "Adds two numbers", Sum.class, Total.class, (request, sum) -> new Total(sum.a() + sum.b()));
 *     server.runStdio();
 * }
 * }</pre>
 */
public final class Server implements AutoCloseable {
    private static final Cleaner CLEANER = Cleaner.create();

    /**
     * The function of a tool.
     *
     * @param <I> its arguments
     * @param <O> its result
     */
    @FunctionalInterface
    public interface ToolHandler<I, O> {
        /**
         * Runs the tool.
         *
         * @param request the request, for progress and questions
         * @param arguments the arguments, checked against the schema
         * @return the result
         * @throws Exception if the tool fails: a {@link ToolException} has what the model reads
         */
        O handle(Request request, I arguments) throws Exception;
    }

    private final ServerCore core;
    private final Cleaner.Cleanable backstop;

    /**
     * Makes a server, which serves nothing yet: add what it offers, then {@link #serve}.
     *
     * @param config the configuration; "name" is necessary
     */
    public Server(ServerConfig config) {
        Library.need();
        Objects.requireNonNull(config, "config");
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment out = arena.allocate(ValueLayout.ADDRESS);
            MemorySegment error = arena.allocate(ValueLayout.ADDRESS);
            Library.check("new", Abi.mcp_server_new(Library.json(arena, config), MemorySegment.NULL, out, error), error);
            core = new ServerCore(out.get(ValueLayout.ADDRESS, 0));
        }
        core.begin();
        ServerCore forgotten = core;
        backstop = CLEANER.register(this, () -> Thread.ofPlatform().daemon().name("mcp-forgotten").start(forgotten::closeForgotten));
    }

    /**
     * Hears of handlers that failed, and of answers that could not be sent. Without it the system's logger {@code io.libmcp}
     * does. Set it before the server serves.
     *
     * @param handler the function
     * @return this
     */
    public Server onFailure(Consumer<Failure> handler) {
        core.failure = handler;
        return this;
    }

    /**
     * Judges the tokens of clients, for a configuration with "auth.application". Without it every token is refused.
     *
     * @param handler gets an object with "token" and "audiences", and gives one with "principal" (docs/reference/server-configuration.md);
     *     what it throws refuses the token
     * @return this
     */
    public Server onToken(Handler<JsonValue, Object> handler) {
        core.token = handler;
        return this;
    }

    /**
     * Adds a tool whose arguments and result are types of Java. The schemas are made of them: of records, of which a component of type
     * {@link java.util.Optional} may be left out, and of beans, whose properties may all be left out. A result that is not an object, as
     * a number, a date or an array, becomes the member "result" of one.
     *
     * @param <I> the arguments
     * @param <O> the result
     * @param name the name of the tool
     * @param description what the model reads about it
     * @param in the record or bean of the arguments; Map or JsonValue for any
     * @param out the type of the result: String for a block of text; what is content, a JsonValue, a map or a list is as it comes
     * @param handler the function
     */
    public <I, O> void addTool(String name, String description, Class<I> in, Class<O> out, ToolHandler<I, O> handler) {
        Tool tool = new Tool().name(name).description(description);
        if (isStructured(out)) {
            tool.set("outputSchema", Records.resultSchema(out));
        }
        addTool(tool, in, handler);
    }

    /** Says whether the results of a type have a schema: what says nothing of what is in it has none. */
    private static boolean isStructured(Class<?> out) {
        boolean isOpen = out == Object.class || out == Void.class || Map.class.isAssignableFrom(out) || Iterable.class.isAssignableFrom(out)
                && out != java.nio.file.Path.class || JsonValue.class.isAssignableFrom(out) || Members.class.isAssignableFrom(out);
        boolean isContent = CharSequence.class.isAssignableFrom(out) || out == CallResult.class
                || Protocol.ContentBlock.class.isAssignableFrom(out.isArray() ? out.getComponentType() : out);
        return !isOpen && !isContent;
    }

    /** The content blocks of what a tool gives; null if it gives something else. */
    private static List<?> blocksOf(Object result) {
        List<?> all = switch (result) {
            case Protocol.ContentBlock block -> List.of(block);
            case Object[] array -> java.util.Arrays.asList(array);
            case List<?> list -> list;
            default -> List.of();
        };
        return !all.isEmpty() && all.stream().allMatch(Protocol.ContentBlock.class::isInstance) ? all : null;
    }

    /**
     * Adds a tool whose arguments are a record or a bean, of which its input schema is made.
     *
     * @param <I> the arguments
     * @param tool its definition without "inputSchema"; "name" is necessary
     * @param in the record or bean of the arguments; Map or JsonValue for any
     * @param handler gives what that of {@link #addTool(Tool, ToolHandler)} gives
     */
    public <I> void addTool(Tool tool, Class<I> in, ToolHandler<I, ?> handler) {
        Objects.requireNonNull(handler, "handler");
        boolean isOpen = Objects.requireNonNull(in, "in") == Map.class || in == JsonValue.class || in == Object.class;
        Tool whole = new Tool(tool.json()).set("inputSchema", isOpen ? JsonValue.of(Map.of("type", "object")) : Records.schema(in));
        addTool(whole, (request, arguments) -> {
            I read;
            try {
                read = arguments.as(in);
            } catch (IllegalArgumentException unfit) {
                // The schema says yes and the record says no, as to 2^40 for an int.
                throw new ToolException("The arguments do not fit: " + unfit.getMessage());
            }
            return handler.handle(request, read);
        });
    }

    /**
     * Adds a tool.
     *
     * @param tool its definition; "name" and "inputSchema" are necessary
     * @param handler gets the arguments; gives a text, content blocks, a {@link Protocol.CallToolResult}, or anything else that becomes
     *     JSON, for structured content, of which what is not an object is the member "result"
     */
    public void addTool(Tool tool, ToolHandler<JsonValue, ?> handler) {
        Objects.requireNonNull(handler, "handler");
        add(tool, Abi::mcp_server_add_tool, request -> {
            JsonValue arguments = request.params().get("arguments");
            Object result = awaited(handler.handle(request, arguments.isAbsent() ? JsonValue.of(Map.of()) : arguments));
            return switch (result) {
                case null -> new ServerCore.Text("", false);
                case CharSequence text -> new ServerCore.Text(text.toString(), false);
                case Protocol.CallToolResult whole -> whole;
                case CallResult whole -> whole;
                default -> {
                    List<?> blocks = blocksOf(result);
                    if (blocks != null) {
                        yield Map.of("content", blocks);
                    }
                    JsonValue json = JsonValue.of(result);
                    // The library adds the text ("structured_as_text").
                    yield Map.of("content", List.of(), "structuredContent", json instanceof JsonValue.JsonObject ? json : Map.of("result", json));
                }
            };
        });
    }

    /**
     * Adds a resource.
     *
     * @param resource its definition; "uri" and "name" are necessary
     * @param handler reads it; gives a text, a byte[], or a {@link ReadResourceResult}
     */
    public void addResource(Resource resource, Handler<Request, ?> handler) {
        add(resource, Abi::mcp_server_add_resource, reader(resource, handler));
    }

    /**
     * Adds a resource whose text is always the same.
     *
     * @param resource its definition
     * @param text the text
     */
    public void addText(Resource resource, String text) {
        use("add", (arena, server, error) -> Abi.mcp_server_add_text(server, Library.json(arena, resource), Library.text(arena, "add", text), error));
    }

    /**
     * Adds a resource whose bytes are always the same.
     *
     * @param resource its definition
     * @param content the bytes
     */
    public void addBlob(Resource resource, byte[] content) {
        use("add", (arena, server, error) -> Abi.mcp_server_add_blob(server, Library.json(arena, resource),
                Library.bytes(arena, content), content.length, error));
    }

    /**
     * Adds a resource template.
     *
     * @param template its definition; "uriTemplate" and "name" are necessary
     * @param handler reads one of its resources, of which it gets each {@link Request#variable}; gives a text, a byte[], or a
     *     {@link ReadResourceResult}
     */
    public void addResourceTemplate(ResourceTemplate template, Handler<Request, ?> handler) {
        add(template, Abi::mcp_server_add_resource_template, reader(template, handler));
    }

    private static Handler<Request, Object> reader(Members<?> definition, Handler<Request, ?> handler) {
        Objects.requireNonNull(handler, "handler");
        JsonValue type = Objects.requireNonNull(definition, "definition").get("mimeType");
        return request -> {
            Object result = awaited(handler.handle(request));
            ResourceContents contents = new ResourceContents().set("uri", request.params().get("uri")).set("mimeType", type);
            return switch (result) {
                case CharSequence text -> new ReadResourceResult().contents(List.of(contents.text(text.toString())));
                case byte[] bytes -> new ReadResourceResult().contents(List.of(contents.blob(Base64.getEncoder().encodeToString(bytes))));
                case null, default -> result;
            };
        };
    }

    /**
     * Offers the files below a folder, and nothing else.
     *
     * @param template the definition; its "uriTemplate" has the variable "path", such as {@code docs:///{+path}}
     * @param folder the folder
     */
    public void addFolder(ResourceTemplate template, Path folder) {
        use("add", (arena, server, error) -> Abi.mcp_server_add_folder(server, Library.json(arena, template), Library.text(arena, "add", folder.toString()), error));
    }

    /**
     * Publishes the skills below a folder. Call it again when files have changed.
     *
     * @param folder the folder
     */
    public void addSkills(Path folder) {
        use("add", (arena, server, error) -> Abi.mcp_server_add_skills(server, Library.text(arena, "add", folder.toString()), MemorySegment.NULL, error));
    }

    /**
     * Adds a prompt.
     *
     * @param prompt its definition; "name" is necessary
     * @param handler gets each {@link Request#argument}; gives the text of one message of the user, or a {@link GetPromptResult}
     */
    public void addPrompt(Prompt prompt, Handler<Request, ?> handler) {
        Objects.requireNonNull(handler, "handler");
        add(prompt, Abi::mcp_server_add_prompt, request -> {
            Object result = awaited(handler.handle(request));
            return result instanceof CharSequence text ? new GetPromptResult().messages(List.of(
                    new PromptMessage().role(Protocol.Role.USER).content(new TextContent().text(text.toString())))) : result;
        });
    }

    /**
     * Lets an argument of a prompt or of a resource template be completed from a list.
     *
     * @param reference the name of the prompt, or the URI template
     * @param argument the name of the argument
     * @param values the values
     */
    public void addCompletion(String reference, String argument, List<String> values) {
        use("add", (arena, server, error) -> Abi.mcp_server_add_completion(server, Library.text(arena, "add", reference),
                Library.text(arena, "add", argument), Library.json(arena, values), MemorySegment.NULL, MemorySegment.NULL, MemorySegment.NULL, error));
    }

    /**
     * Adds a method of an extension.
     *
     * @param method the method, such as "com.example/render"
     * @param handler gives anything that becomes an object of JSON
     */
    public void addMethod(String method, Handler<Request, Object> handler) {
        Objects.requireNonNull(handler, "handler");
        use("add", (arena, server, error) -> Abi.mcp_server_add_method(server, Library.text(arena, "add", method), MemorySegment.NULL,
                MemorySegment.NULL, Upcalls.HANDLER, Upcalls.register(core.taker(handler)), Upcalls.DESTROY, error));
    }

    /**
     * Takes an offer back. Requests that its handler has begun are not affected.
     *
     * @param kind "tool", "resource", "template", "prompt" or "skills"
     * @param name its name, URI, URI template or folder
     * @return false if there was none
     */
    public boolean remove(String kind, String name) {
        return use("remove", (arena, server, error) ->
                Abi.mcp_server_remove(server, Library.text(arena, "remove", kind), Library.text(arena, "remove", name), error)) == 0;
    }

    /**
     * Begins to serve at one more endpoint, such as {@code new Endpoint().url("http://127.0.0.1:0/mcp")}. Serve the standard
     * streams last.
     *
     * @param endpoint where and how
     * @return where it serves, with the port
     */
    public Endpoint serve(Endpoint endpoint) {
        String[] bound = new String[1];
        use("serve", (arena, server, error) -> {
            MemorySegment out = arena.allocate(ValueLayout.ADDRESS);
            int status = Abi.mcp_server_serve(server, Library.json(arena, endpoint), out, error);
            bound[0] = Library.taken(out);
            return status;
        });
        return new Endpoint(JsonValue.parse(bound[0]));
    }

    /**
     * Serves a request that an HTTP server of the program has taken. Before the first one, call {@link #serve} with
     * {@code new Endpoint().url("http://HOST/PATH").listen(false)}. The library checks path, Host, Origin, the token and all other headers
     * before a byte of the body is read, and bounds the bodies of all clients together. Reading waits for the client on this thread, which
     * may be a virtual one.
     *
     * @param method such as "POST"
     * @param target the target of the request line, such as "/mcp"
     * @param headers all headers, as they came
     * @param peer the address that the request comes from, such as "192.0.2.7"; null if it is not known
     * @param body what the client sends behind the headers
     * @return the answer; close it
     * @throws IOException if the body cannot be read to its end, or no answer comes: cut the connection
     */
    public Exchange http(String method, String target, Map<String, List<String>> headers, String peer, InputStream body) throws IOException {
        Exchange exchange = http(method, target, headers, peer);
        try {
            exchange.takeBody(body);
            return exchange;
        } catch (Throwable failed) {
            exchange.close();
            throw failed;
        }
    }

    /**
     * The same before the body is read, so that another thread may end the request meanwhile: give the body to {@link Exchange#takeBody}.
     *
     * @param method such as "POST"
     * @param target the target of the request line, such as "/mcp"
     * @param headers all headers, as they came
     * @param peer the address that the request comes from, such as "192.0.2.7"; null if it is not known
     * @return the answer; close it
     */
    public Exchange http(String method, String target, Map<String, List<String>> headers, String peer) {
        return with("http", server -> new Exchange(server, method, target, headers, peer));
    }

    /**
     * The same for a body that was read before. Bound what you read: the library has judged nothing then.
     *
     * @param method such as "POST"
     * @param target the target of the request line, such as "/mcp"
     * @param headers all headers, as they came
     * @param body the whole body
     * @return the answer; close it
     */
    public Exchange http(String method, String target, Map<String, List<String>> headers, byte[] body) {
        return with("http", server -> new Exchange(server, method, target, headers, body));
    }

    /**
     * Serves the client that started this program, over its standard streams, and waits until that has gone. What the program
     * prints meanwhile goes to standard error. An interrupt ends it.
     */
    public void runStdio() {
        serve(new Endpoint().stdio(true));
        awaitEnd();
    }

    /** Waits until all that is served has ended, or the server was closed. An interrupt ends the wait, and stays set. */
    public void awaitEnd() {
        fenced(() -> {
            try {
                core.awaitEnd();
            } catch (InterruptedException interrupt) {
                Thread.currentThread().interrupt();
            }
            return null;
        });
    }

    /**
     * Tells the clients that subscribed to a resource that it has changed. Changes of lists are told by themselves.
     *
     * @param uri its URI
     */
    public void resourceUpdated(String uri) {
        use("update", (arena, server, error) -> Abi.mcp_server_resource_updated(server, Library.text(arena, "update", uri), error));
    }

    /**
     * Sends a log message that belongs to no request. The configuration must announce "logging".
     *
     * @param level one of {@link Protocol.LoggingLevel}
     * @param logger the name of the logger; null for none
     * @param data anything that becomes JSON
     */
    public void log(String level, String logger, Object data) {
        use("log", (arena, server, error) -> Abi.mcp_server_log(server, Library.text(arena, "log", level),
                Library.text(arena, "log", logger), Library.json(arena, JsonValue.of(data)), error));
    }

    /**
     * Sends a notification of an extension to all sessions and subscriptions.
     *
     * @param method the method
     * @param params anything that becomes an object of JSON; null for none
     */
    public void notify(String method, Object params) {
        use("notify", (arena, server, error) -> Abi.mcp_server_notify(server, 0, Library.text(arena, "notify", method), Library.json(arena, params), error));
    }

    /**
     * Calls a client up to revision 2025-11-25 outside of any request, and waits for its answer. A handler asks with
     * {@link Request#ask} instead, which works in every revision.
     *
     * @param session the number of its session, as {@link Request#context} has it
     * @param method "ping", "roots/list", "sampling/createMessage" or "elicitation/create"
     * @param params anything that becomes an object of JSON; null for none
     * @param timeout how long it may take; null for "timeouts.question_ms" of the configuration
     * @return the result
     * @throws McpException with {@link Status#UNAVAILABLE} if there is no such session, {@link Status#UNSUPPORTED} if the client
     *     cannot answer this, {@link Status#CANCELLED} after an interrupt, of which the client is not told
     */
    public JsonValue call(long session, String method, Object params, Duration timeout) {
        Map<String, Integer> options = timeout == null ? null : Map.of("timeout_ms", Math.max(1, Library.milliseconds(timeout)));
        return fenced(() -> core.call(method, (arena, server, tag, error) -> Abi.mcp_server_call_start(server, session,
                Library.text(arena, method, method), Library.json(arena, params), Library.json(arena, options), tag, MemorySegment.NULL, error)));
    }

    /**
     * Tells about the server: "state", "sessions", "listening", "counters" and more.
     *
     * @return an object
     */
    public JsonValue info() {
        String[] info = new String[1];
        use("info", (arena, server, error) -> {
            MemorySegment out = arena.allocate(ValueLayout.ADDRESS);
            int status = Abi.mcp_server_info(server, out, error);
            info[0] = Library.taken(out);
            return status;
        });
        return JsonValue.parse(info[0]);
    }

    /**
     * Closes the server: sessions end, requests under way are refused and the threads of their handlers interrupted. It waits
     * within {@code timeouts.close} of the configuration, and for no handler, so that one of these may call it. Closing again
     * does nothing.
     */
    @Override
    public void close() {
        core.close();
        backstop.clean();
    }

    <T> T with(String operation, Function<MemorySegment, T> function) {
        return fenced(() -> core.with(operation, function));
    }

    /** A function of the library that adds what a handler answers for. */
    private interface Adder {
        int add(MemorySegment server, MemorySegment definition, MemorySegment handler, MemorySegment user, MemorySegment destroy, MemorySegment error);
    }

    /** What a future gives that a handler has given: its virtual thread waits for it, and an interrupt cancels it. */
    private static Object awaited(Object result) throws Exception {
        if (!(result instanceof CompletionStage<?> stage)) {
            return result;
        }
        CompletableFuture<?> future = stage.toCompletableFuture();
        try {
            return future.get();
        } catch (InterruptedException interrupt) {
            future.cancel(true);
            throw interrupt;
        } catch (ExecutionException failed) {
            throw failed.getCause() instanceof Exception why ? why : failed;
        }
    }

    private void add(Members<?> definition, Adder adder, Handler<Request, Object> handler) {
        Objects.requireNonNull(definition, "definition");
        use("add", (arena, server, error) -> {
            MemorySegment text = Library.json(arena, definition);
            // The library calls DESTROY also when it fails.
            return adder.add(server, text, Upcalls.HANDLER, Upcalls.register(core.taker(handler)), Upcalls.DESTROY, error);
        });
    }

    private int use(String operation, Handle.Use use) {
        return fenced(() -> core.use(operation, use));
    }

    private <T> T fenced(Supplier<T> function) {
        try {
            return function.get();
        } finally {
            Reference.reachabilityFence(this);
        }
    }
}
