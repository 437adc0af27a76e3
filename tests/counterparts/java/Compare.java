import io.modelcontextprotocol.client.McpClient;
import io.modelcontextprotocol.client.McpSyncClient;
import io.modelcontextprotocol.client.transport.ServerParameters;
import io.modelcontextprotocol.client.transport.StdioClientTransport;
import io.modelcontextprotocol.json.McpJsonDefaults;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.ClientCapabilities;
import io.modelcontextprotocol.spec.McpSchema.CreateMessageResult;
import io.modelcontextprotocol.spec.McpSchema.ElicitResult;
import io.modelcontextprotocol.spec.McpSchema.GetPromptRequest;
import io.modelcontextprotocol.spec.McpSchema.GetPromptResult;
import io.modelcontextprotocol.spec.McpSchema.ListToolsResult;
import io.modelcontextprotocol.spec.McpSchema.ProgressNotification;
import io.modelcontextprotocol.spec.McpSchema.ReadResourceRequest;
import io.modelcontextprotocol.spec.McpSchema.Role;
import io.modelcontextprotocol.spec.McpSchema.Root;
import io.modelcontextprotocol.spec.McpSchema.SubscribeRequest;
import io.modelcontextprotocol.spec.McpSchema.TextContent;
import io.modelcontextprotocol.spec.McpSchema.TextResourceContents;
import io.modelcontextprotocol.spec.McpSchema.UnsubscribeRequest;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Future;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Compare COMMAND [ARGUMENT...]: bindings/java/examples/Compare.java on the official SDK. */
public final class Compare {
    /** A tool and its arguments. */
    record Use(String tool, Map<String, Object> with) {
    }

    /**
     * How one server is called for what it has; null for what it lacks. After {@code update} it tells that the resource has changed;
     * {@code stopped} it would answer once the call of {@code slow} was cancelled, which the SDK does not tell it.
     */
    record Plan(Use echo, String echoes, Use structured, Use progress, Use slow, Use sampling, Use elicitation, Use roots, String resource,
            Use update, String prompt, Map<String, Object> promptWith) {
    }

    private static final Map<String, Plan> PLANS = Map.of(
            "mcp-servers/everything", new Plan(new Use("echo", Map.of("message", "hello")), "Echo: hello",
                    new Use("get-structured-content", Map.of("location", "Chicago")),
                    new Use("trigger-long-running-operation", Map.of("duration", 0.2, "steps", 4)),
                    new Use("trigger-long-running-operation", Map.of("duration", 60, "steps", 600)),
                    new Use("trigger-sampling-request", Map.of("prompt", "a rhyme", "maxTokens", 20)),
                    new Use("trigger-elicitation-request", Map.of()), new Use("get-roots-list", Map.of()),
                    "demo://resource/static/document/features.md", new Use("toggle-subscriber-updates", Map.of()), "args-prompt", Map.of("city", "Bern")),
            "python-test-server", new Plan(new Use("echo", Map.of("text", "hello")), "hello", new Use("add", Map.of("a", 2, "b", 3)),
                    new Use("notify", Map.of("steps", 4)), new Use("slow", Map.of("seconds", 60)),
                    new Use("ask_model", Map.of("prompt", "a rhyme")), new Use("ask_name", Map.of()), new Use("ask_roots", Map.of()),
                    "test://greeting", null, "ask", Map.of("topic", "rain")),
            "java-example-server", new Plan(new Use("add", Map.of("a", 2, "b", 3)), "{\"sum\":5}", new Use("add", Map.of("a", 2, "b", 3)),
                    new Use("count", Map.of("steps", 4)), new Use("count", Map.of("steps", 1000)), null,
                    new Use("order", Map.of("dish", "pie")), null, "kitchen://menu", null, "recommend", Map.of("mood", "calm")));

    private static final BlockingQueue<Object> LOGGED = new LinkedBlockingQueue<>();
    private static final BlockingQueue<Object> UPDATED = new LinkedBlockingQueue<>();
    private static final BlockingQueue<ProgressNotification> REPORTS = new LinkedBlockingQueue<>();

    private Compare() {
    }

    private static McpSyncClient open(String[] command) {
        ServerParameters server = ServerParameters.builder(command[0]).args(Arrays.copyOfRange(command, 1, command.length)).build();
        McpSyncClient client = McpClient.sync(new StdioClientTransport(server, McpJsonDefaults.getMapper()))
                .requestTimeout(Duration.ofSeconds(60)).initializationTimeout(Duration.ofSeconds(60))
                .capabilities(ClientCapabilities.builder().sampling().elicitation().roots(false).build())
                .loggingConsumer(LOGGED::add)
                .resourcesUpdateConsumer(UPDATED::add)
                .progressConsumer(REPORTS::add)
                .sampling(request -> CreateMessageResult.builder(Role.ASSISTANT, "a rhyme", "parrot").build())
                .elicitation(request -> {
                    Map<String, Object> content = new HashMap<>();
                    ((List<?>) request.requestedSchema().get("required")).forEach(name ->
                            content.put((String) name, name.equals("portions") ? 2 : "Ada"));
                    return ElicitResult.builder(ElicitResult.Action.ACCEPT).content(content).build();
                })
                .roots(Root.builder("file:///tmp").name("scratch").build())
                .build();
        client.initialize();
        return client;
    }

    public static void main(String[] command) throws Exception {
        McpSyncClient client = open(command);
        ProcessHandle server = ProcessHandle.current().children().findFirst().orElseThrow(); // The SDK does not tell it.
        McpSyncClient second = open(command);
        try (client; second; ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            String name = client.getServerInfo().name();
            Plan plan = PLANS.get(name);
            if (plan == null) {
                throw new IllegalStateException("there is no plan for the server " + name);
            }
            System.out.println("connected to " + name + ", revision " + client.getCurrentInitializationResult().protocolVersion());
            System.out.println("list: " + client.listTools().tools().size() + " tools");
            System.out.println("call: " + call(client, plan.echo()));
            System.out.println("structured: " + use(client, plan.structured(), false).structuredContent());

            use(client, plan.progress(), true);
            System.out.println("progress: " + reports(4) + " reports");

            Future<?> slow = threads.submit(() -> use(client, plan.slow(), true));
            if (REPORTS.poll(60, TimeUnit.SECONDS) == null || !slow.cancel(true)) {
                throw new IllegalStateException("the call did not end as cancelled");
            }
            if (name.equals("java-example-server")) {
                reports(999); // A server on the SDK may lose the answer of another call while it sends reports of this one.
            }
            System.out.println("cancelled: the call ended, and the next one says " + call(client, plan.echo()));

            if (name.equals("python-test-server")) {
                System.out.println("notification: " + next(LOGGED));
            }
            if (plan.update() != null) {
                client.subscribeResource(SubscribeRequest.builder(plan.resource()).build());
                call(client, plan.update());
                System.out.println("notification: " + next(UPDATED));
                client.unsubscribeResource(UnsubscribeRequest.builder(plan.resource()).build());
            }
            if (plan.sampling() != null) {
                System.out.println("sampling: " + call(client, plan.sampling()).length() + " characters");
            }
            System.out.println("elicitation: " + call(client, plan.elicitation()));
            if (plan.roots() != null) {
                System.out.println("roots: " + call(client, plan.roots()).length() + " characters");
            }
            TextResourceContents read = (TextResourceContents) client.readResource(ReadResourceRequest.builder(plan.resource()).build()).contents().getFirst();
            GetPromptResult prompt = client.getPrompt(GetPromptRequest.builder(plan.prompt()).arguments(plan.promptWith()).build());
            System.out.println("resource: " + read.text().length() + " characters; prompt: " + prompt.messages().size() + " messages");

            List<Future<String>> calls = Stream.of(client, second).flatMap(one -> IntStream.range(0, 100)
                    .mapToObj(i -> threads.submit(() -> call(one, plan.echo())))).toList();
            for (Future<String> one : calls) {
                if (!one.get().equals(plan.echoes())) {
                    throw new IllegalStateException("an answer is another one's");
                }
            }
            System.out.println("two clients: 100 calls at once on each");
            crash(server, command, plan.echo());
        }
    }

    /** Waits for so many reports: the SDK handles them in any order, also after the result, and goes on after a call was cancelled. */
    private static int reports(int expected) throws InterruptedException {
        for (int count = 0; count < expected; count++) {
            if (REPORTS.poll(60, TimeUnit.SECONDS) == null) {
                throw new IllegalStateException(count + " reports came");
            }
        }
        return expected;
    }

    private static Object next(BlockingQueue<Object> notified) throws InterruptedException {
        Object notification = notified.poll(60, TimeUnit.SECONDS);
        if (notification == null) {
            throw new IllegalStateException("no notification came");
        }
        return notification;
    }

    /** Kills the server. The SDK neither ends calls of a server that is gone nor connects again: the program sees the end of the process. */
    private static void crash(ProcessHandle server, String[] command, Use echo) throws Exception {
        server.destroyForcibly();
        server.onExit().get(60, TimeUnit.SECONDS);
        try (McpSyncClient again = open(command)) {
            call(again, echo);
        }
        System.out.println("crash: the server was started again");
    }

    private static CallToolResult use(McpSyncClient client, Use use, boolean wantsProgress) {
        CallToolRequest.Builder request = CallToolRequest.builder(use.tool()).arguments(use.with());
        CallToolResult result = client.callTool((wantsProgress ? request.progressToken("of " + use.tool()) : request).build());
        if (Boolean.TRUE.equals(result.isError())) {
            throw new IllegalStateException(use.tool() + " failed: " + text(result));
        }
        return result;
    }

    private static String text(CallToolResult result) {
        return result.content().stream().map(block -> block instanceof TextContent text ? text.text() : "").collect(Collectors.joining("\n"));
    }

    private static String call(McpSyncClient client, Use use) {
        synchronized (client) { // Over stdio the SDK cannot send from two threads: "Failed to enqueue message", or an answer that is lost.
            return text(use(client, use, false));
        }
    }
}
