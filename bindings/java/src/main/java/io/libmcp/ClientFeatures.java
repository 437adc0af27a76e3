package io.libmcp;

import io.libmcp.Protocol.Implementation;
import io.libmcp.Protocol.Prompt;
import io.libmcp.Protocol.Resource;
import io.libmcp.Protocol.ResourceTemplate;
import io.libmcp.Protocol.ServerCapabilities;
import io.libmcp.Protocol.Tool;
import io.libmcp.Settings.CallOptions;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.ref.Reference;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;

/** What a client can ask of a server besides calls of tools. All of it is public in {@link Client}. */
abstract sealed class ClientFeatures permits Client {
    abstract ClientCore core();

    /**
     * Tells about the connection: "state", "revision", "server", "pid", "counters" and more.
     *
     * @return an object
     */
    public JsonValue info() {
        return fenced(() -> {
            String[] info = new String[1];
            core().use("info", (arena, client, error) -> {
                MemorySegment out = arena.allocate(ValueLayout.ADDRESS);
                int status = Abi.mcp_client_info(client, out, error);
                info[0] = status == Status.OK.number() ? Library.taken(out) : null;
                return status;
            });
            return JsonValue.parse(info[0]);
        });
    }

    /**
     * Name and version of the server.
     *
     * @return what the server said; null before the connection is ready
     */
    public Implementation serverInfo() {
        return said("server", Implementation::new);
    }

    /**
     * What the server can do.
     *
     * @return what the server said; null before the connection is ready
     */
    public ServerCapabilities serverCapabilities() {
        return said("capabilities", ServerCapabilities::new);
    }

    /**
     * What the server says about its use, for the model.
     *
     * @return the text; null if the server says nothing
     */
    public String serverInstructions() {
        return said("instructions", JsonValue::asText);
    }

    private <T> T said(String member, Function<JsonValue, T> of) {
        JsonValue value = info().get(member);
        return value.isAbsent() || value instanceof JsonValue.JsonNull ? null : of.apply(value);
    }

    /**
     * Lists the tools, all pages.
     *
     * @return the tools
     */
    public List<Tool> listTools() {
        return page("tools", Tool::new, null, this::startTools).items();
    }

    /**
     * Lists one page of the tools.
     *
     * @param cursor where it begins; null for the first page
     * @return the page
     */
    public Page<Tool> toolsPage(String cursor) {
        return page("tools", Tool::new, one(cursor), this::startTools);
    }

    private ClientCore.Started startTools(CallOptions options) {
        return core().start(Protocol.Method.TOOLS_LIST, options, null, method(Protocol.Method.TOOLS_LIST, null));
    }

    /**
     * Lists the resources, all pages.
     *
     * @return the resources
     */
    public List<Resource> listResources() {
        return page("resources", Resource::new, null, this::startResources).items();
    }

    /**
     * Lists one page of the resources.
     *
     * @param cursor where it begins; null for the first page
     * @return the page
     */
    public Page<Resource> resourcesPage(String cursor) {
        return page("resources", Resource::new, one(cursor), this::startResources);
    }

    private ClientCore.Started startResources(CallOptions options) {
        return core().start(Protocol.Method.RESOURCES_LIST, options, null, method(Protocol.Method.RESOURCES_LIST, null));
    }

    /**
     * Lists the resource templates, all pages.
     *
     * @return the templates
     */
    public List<ResourceTemplate> listResourceTemplates() {
        return page("resourceTemplates", ResourceTemplate::new, null, this::startTemplates).items();
    }

    /**
     * Lists one page of the resource templates.
     *
     * @param cursor where it begins; null for the first page
     * @return the page
     */
    public Page<ResourceTemplate> resourceTemplatesPage(String cursor) {
        return page("resourceTemplates", ResourceTemplate::new, one(cursor), this::startTemplates);
    }

    private ClientCore.Started startTemplates(CallOptions options) {
        return core().start(Protocol.Method.TEMPLATES_LIST, options, null, method(Protocol.Method.TEMPLATES_LIST, null));
    }

    /**
     * Lists the prompts, all pages.
     *
     * @return the prompts
     */
    public List<Prompt> listPrompts() {
        return page("prompts", Prompt::new, null, this::startPrompts).items();
    }

    /**
     * Lists one page of the prompts.
     *
     * @param cursor where it begins; null for the first page
     * @return the page
     */
    public Page<Prompt> promptsPage(String cursor) {
        return page("prompts", Prompt::new, one(cursor), this::startPrompts);
    }

    private ClientCore.Started startPrompts(CallOptions options) {
        return core().start(Protocol.Method.PROMPTS_LIST, options, null, method(Protocol.Method.PROMPTS_LIST, null));
    }

    private static CallOptions one(String cursor) {
        CallOptions options = new CallOptions().onePage(true);
        return cursor == null ? options : options.cursor(cursor);
    }

    private <T> Page<T> page(String member, Function<JsonValue, T> of, CallOptions options, Function<CallOptions, ClientCore.Started> start) {
        JsonValue result = await(start.apply(options));
        return new Page<>(Members.list(result.get(member), of), result.get("nextCursor").asText());
    }

    /**
     * Reads a resource.
     *
     * @param uri its URI
     * @return its contents
     */
    public List<Protocol.ResourceContents> readResource(String uri) {
        JsonValue result = perform(Protocol.Method.RESOURCES_READ, null, (arena, client, text, tag, id, error) ->
                Abi.mcp_client_read_resource_start(client, Library.text(arena, "resources/read", uri), text, tag, id, error));
        return Members.list(result.get("contents"), Protocol.ResourceContents::new);
    }

    /**
     * Subscribes to a resource: a notification of {@link Topic#RESOURCE_UPDATED} comes when it changes.
     *
     * @param uri its URI
     */
    public void subscribe(String uri) {
        perform(Protocol.Method.SUBSCRIBE, null, Map.of("uri", uri));
    }

    /**
     * Ends a subscription.
     *
     * @param uri the URI of the resource
     */
    public void unsubscribe(String uri) {
        perform(Protocol.Method.UNSUBSCRIBE, null, Map.of("uri", uri));
    }

    /**
     * Gets a prompt.
     *
     * @param name its name
     * @param arguments its arguments; null for none
     * @return the prompt with its messages
     */
    public Protocol.GetPromptResult getPrompt(String name, Map<String, String> arguments) {
        return new Protocol.GetPromptResult(perform(Protocol.Method.PROMPTS_GET, null, (arena, client, text, tag, id, error) ->
                Abi.mcp_client_get_prompt_start(client, Library.text(arena, "prompts/get", name), Library.json(arena, arguments), text, tag, id, error)));
    }

    /**
     * Asks for values that complete what was typed for an argument.
     *
     * @param reference a {@link Protocol.PromptReference} or {@link Protocol.ResourceTemplateReference}
     * @param argument the name of the argument
     * @param typed what was typed so far
     * @return the values
     */
    public Protocol.CompleteResult complete(Members<?> reference, String argument, String typed) {
        return new Protocol.CompleteResult(perform(Protocol.Method.COMPLETE, null,
                Map.of("ref", reference, "argument", Map.of("name", argument, "value", typed))));
    }

    /**
     * Sets the lowest level of the log messages that the server sends.
     *
     * @param level one of {@link Protocol.LoggingLevel}
     */
    public void setLogLevel(String level) {
        perform(Protocol.Method.SET_LEVEL, null, Map.of("level", level));
    }

    /** Checks that the server answers. */
    public void ping() {
        perform(Protocol.Method.PING, null, (Map<String, ?>) null);
    }

    /** Drops all results that the client keeps ("cache" in the configuration). Those of calls under way are not kept either. */
    public void clearCache() {
        fenced(() -> core().use("cache", (arena, client, error) -> Abi.mcp_client_clear_cache(client)));
    }

    /** Starts a method with these parameters, which may be null. */
    static ClientCore.Starter method(String method, Map<String, ?> params) {
        return (arena, client, text, tag, id, error) ->
                Abi.mcp_call_start(client, Library.text(arena, method, method), Library.json(arena, params), text, tag, id, error);
    }

    /** Calls a method with these parameters, which may be null, and waits for the outcome. */
    final JsonValue perform(String method, CallOptions options, Map<String, ?> params) {
        return perform(method, options, method(method, params));
    }

    /** Starts a call and waits for its outcome. */
    final JsonValue perform(String method, CallOptions options, ClientCore.Starter starter) {
        return await(core().start(method, options, null, starter));
    }

    final JsonValue await(ClientCore.Started call) {
        return fenced(call::await);
    }

    /** The collector must not find the client forgotten while one of its methods runs. */
    final <T> T fenced(Supplier<T> function) {
        try {
            return function.get();
        } finally {
            Reference.reachabilityFence(this);
        }
    }
}
