import io.libmcp.Client;
import io.libmcp.ClientHandlers;
import io.libmcp.McpException;
import io.libmcp.Notification;
import io.libmcp.Progress;
import io.libmcp.Protocol.CreateMessageResult;
import io.libmcp.Protocol.ElicitResult;
import io.libmcp.Protocol.Root;
import io.libmcp.Protocol.TextContent;
import io.libmcp.Settings.CallOptions;
import io.libmcp.Settings.ClientConfig;
import io.libmcp.Settings.Reconnect;
import io.libmcp.Status;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Compare COMMAND [ARGUMENT...]: everything of a client in one program: lists, calls, structured output, progress, cancelling,
 * notifications, sampling, elicitation, roots, resources, prompts, 100 calls at once, two clients, and a server that crashes.
 *
 * <p>It knows the reference server "everything", the test server of the Python SDK and the server beside it, and leaves out what a
 * server does not have.
 */
public final class Compare {
    /** A tool and its arguments. */
    record Use(String tool, Map<String, ?> with) {
    }

    /**
     * How one server is called for what it has; null for what it lacks. After {@code update} it tells that the resource has changed;
     * {@code stopped} it answers once the call of {@code slow} was cancelled.
     */
    record Plan(Use echo, String echoes, Use structured, Use progress, Use slow, Use stopped, Use sampling, Use elicitation, Use roots, String resource,
            Use update, String prompt, Map<String, String> promptWith) {
    }

    private static final Map<String, Plan> PLANS = Map.of(
            "mcp-servers/everything", new Plan(new Use("echo", Map.of("message", "hello")), "Echo: hello",
                    new Use("get-structured-content", Map.of("location", "Chicago")),
                    new Use("trigger-long-running-operation", Map.of("duration", 0.2, "steps", 4)),
                    new Use("trigger-long-running-operation", Map.of("duration", 60, "steps", 600)), null,
                    new Use("trigger-sampling-request", Map.of("prompt", "a rhyme", "maxTokens", 20)),
                    new Use("trigger-elicitation-request", Map.of()), new Use("get-roots-list", Map.of()),
                    "demo://resource/static/document/features.md", new Use("toggle-subscriber-updates", Map.of()), "args-prompt", Map.of("city", "Bern")),
            "python-test-server", new Plan(new Use("echo", Map.of("text", "hello")), "hello", new Use("add", Map.of("a", 2, "b", 3)),
                    new Use("notify", Map.of("steps", 4)), new Use("slow", Map.of("seconds", 60)), new Use("stopped", Map.of()),
                    new Use("ask_model", Map.of("prompt", "a rhyme")), new Use("ask_name", Map.of()), new Use("ask_roots", Map.of()),
                    "test://greeting", null, "ask", Map.of("topic", "rain")),
            "java-example-server", new Plan(new Use("add", Map.of("a", 2, "b", 3)), "{\"sum\":5}", new Use("add", Map.of("a", 2, "b", 3)),
                    new Use("count", Map.of("steps", 4)), new Use("count", Map.of("steps", 1000)), null, null,
                    new Use("order", Map.of("dish", "pie")), null, "kitchen://menu", null, "recommend", Map.of("mood", "calm")));

    private Compare() {
    }

    private static Client open(String[] command, BlockingQueue<Notification> notified) {
        ClientHandlers handlers = new ClientHandlers()
                .onNotification("notifications/message", notified::add)
                .onNotification("notifications/resources/updated", notified::add)
                .onSampling(params -> new CreateMessageResult().role("assistant").model("parrot").content(new TextContent().text("a rhyme")))
                .onElicitation(params -> {
                    Map<String, Object> content = new HashMap<>();
                    params.requestedSchema().get("required").elements().forEach(name ->
                            content.put(name.asText(), name.asText().equals("portions") ? 2 : "Ada"));
                    return new ElicitResult().action("accept").content(content);
                })
                .onRoots(() -> List.of(new Root().uri("file:///tmp").name("scratch")));
        return Client.open(new ClientConfig().command(command[0]).args(Arrays.copyOfRange(command, 1, command.length))
                .reconnect(new Reconnect().initial(Duration.ofMillis(10))), handlers);
    }

    public static void main(String[] command) throws Exception {
        BlockingQueue<Notification> notified = new LinkedBlockingQueue<>();
        try (Client client = open(command, notified); Client second = open(command, notified)) {
            client.connect();
            String name = client.info().get("server").get("name").asText();
            Plan plan = PLANS.get(name);
            if (plan == null) {
                throw new IllegalStateException("there is no plan for the server " + name);
            }
            System.out.println("connected to " + name + ", revision " + client.info().get("revision").asText());
            System.out.println("list: " + client.listTools().size() + " tools");
            System.out.println("call: " + call(client, plan.echo()));
            System.out.println("structured: " + client.callTool(plan.structured().tool(), plan.structured().with()).orThrow().structured());

            BlockingQueue<Progress> reports = new LinkedBlockingQueue<>();
            client.callTool(plan.progress().tool(), plan.progress().with(), new CallOptions().logLevel("info"), reports::add).orThrow();
            System.out.println("progress: " + reports.size() + " reports");

            cancel(client, plan);

            if (name.equals("python-test-server")) {
                System.out.println("notification: " + next(notified, "notifications/message").params());
            }
            if (plan.update() != null) {
                client.subscribe(plan.resource());
                call(client, plan.update());
                System.out.println("notification: " + next(notified, "notifications/resources/updated").params());
                client.unsubscribe(plan.resource());
            }
            if (plan.sampling() != null) {
                System.out.println("sampling: " + call(client, plan.sampling()).length() + " characters");
            }
            System.out.println("elicitation: " + call(client, plan.elicitation()));
            if (plan.roots() != null) {
                System.out.println("roots: " + call(client, plan.roots()).length() + " characters");
            }
            System.out.println("resource: " + client.readResource(plan.resource()).getFirst().text().length() + " characters; prompt: "
                    + client.getPrompt(plan.prompt(), plan.promptWith()).messages().size() + " messages");

            List<CompletableFuture<String>> calls = Stream.of(client, second).flatMap(one -> IntStream.range(0, 100)
                    .mapToObj(i -> one.async(() -> call(one, plan.echo())))).toList();
            if (!calls.stream().map(CompletableFuture::join).allMatch(plan.echoes()::equals)) {
                throw new IllegalStateException("an answer is another one's");
            }
            System.out.println("two clients: 100 calls at once on each");
            crash(client, plan.echo());
        }
    }

    /** Gives up a call that the server is at work on. */
    private static void cancel(Client client, Plan plan) throws Exception {
        CompletableFuture<Void> begun = new CompletableFuture<>();
        CompletableFuture<?> slow = client.callToolAsync(plan.slow().tool(), plan.slow().with(), null, report -> begun.complete(null));
        begun.get(20, TimeUnit.SECONDS);
        if (!slow.cancel(true) || !slow.isCancelled()) {
            throw new IllegalStateException("the call did not end as cancelled");
        }
        if (plan.stopped() == null) {
            System.out.println("cancelled: the call ended, and the next one says " + call(client, plan.echo()));
            return;
        }
        CompletableFuture<String> told = client.async(() -> call(client, plan.stopped()));
        System.out.println("cancelled: the server says: " + told.get(20, TimeUnit.SECONDS));
    }

    /** The next notification of a method, for which it waits. */
    private static Notification next(BlockingQueue<Notification> notified, String method) throws InterruptedException {
        Notification notification;
        do {
            notification = notified.poll(20, TimeUnit.SECONDS);
            if (notification == null) {
                throw new IllegalStateException("no " + method + " came");
            }
        } while (!notification.method().equals(method));
        return notification;
    }

    private static String call(Client client, Use use) {
        return client.callTool(use.tool(), use.with()).orThrow().text();
    }

    /** Kills the server. The client starts it again, and the next call waits for that. */
    private static void crash(Client client, Use echo) {
        long pid = client.info().get("pid").asLong();
        ProcessHandle.of(pid).orElseThrow().destroyForcibly();
        while (true) {
            try {
                client.callTool(echo.tool(), echo.with(), new CallOptions().whenUnavailable("wait"), null).orThrow();
                break;
            } catch (McpException lost) {
                // A call under way at the crash is lost: the server may have run it.
                if (lost.status() != Status.TRANSPORT && lost.status() != Status.UNAVAILABLE) {
                    throw lost;
                }
            }
        }
        if (client.info().get("pid").asLong() == pid) {
            throw new IllegalStateException("the server was not started again");
        }
        System.out.println("crash: the server was started again");
    }
}
