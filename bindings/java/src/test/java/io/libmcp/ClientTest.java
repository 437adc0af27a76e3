package io.libmcp;

import static io.libmcp.Tests.PATIENCE;
import static io.libmcp.Tests.check;
import static io.libmcp.Tests.contains;
import static io.libmcp.Tests.equal;
import static io.libmcp.Tests.example;
import static io.libmcp.Tests.fails;
import static io.libmcp.Tests.until;

import io.libmcp.Settings.CallOptions;
import io.libmcp.Settings.ClientConfig;
import io.libmcp.Settings.ServerConfig;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

final class ClientTest {
    record Sum(double sum) {
    }

    static void testAServerIsUsedInBothEras() {
        for (String era : List.of("modern", "legacy")) {
            try (Client client = Client.open(example("--era", era))) {
                client.connect(Duration.ofSeconds(PATIENCE));
                equal(client.state(), ClientState.READY);
                equal(client.info().get("era").asText(), era);
                check(client.listTools().stream().anyMatch(it -> it.name().equals("echo")), client.listTools());
                equal(client.callTool("echo", Map.of("text", "héllo\0😀")).text(), "héllo\0😀");
                equal(client.callTool("add", Map.of("a", 2, "b", 3)).structured(Sum.class), new Sum(5));
                CallResult failed = client.callTool("fail", null);
                check(failed.isError(), failed);
                fails(Status.SERVER, failed::orThrow);
                equal(client.readResource("demo://greeting").getFirst().text(), "Hello, world!");
                check(client.listResources().size() == 2 && client.listPrompts().size() == 1, "lists");
                check(client.listResourceTemplates() != null, "templates");
                contains(client.getPrompt("greet", Map.of("name", "Ada")).toString(), "Ada");
                client.ping();
                check(client.call("tools/list", null).get("tools").elements().size() > 5, "call");
            }
        }
    }

    static void testErrorsSayWhatIsWrong() {
        McpException failure = fails(Status.INVALID_ARGUMENT, () -> Client.open(new ClientConfig().set("comand", "x")));
        contains(failure.getMessage(), "command");
        fails(Status.INVALID_ARGUMENT, () -> Client.open("a\0b"));
        try (Client client = Client.open("/no/such/server")) {
            contains(fails(Status.TRANSPORT, () -> client.connect()).getMessage(), "/no/such/server");
        }
        try (Client client = Client.open(example())) {
            McpException unknown = fails(Status.SERVER, () -> client.callTool("no-such-tool"));
            equal(unknown.code(), (long) Protocol.ErrorCode.INVALID_PARAMS);
            equal(unknown.operation(), "tools/call");
            equal(unknown.details().get("sent").asBoolean(), true);
            check(!unknown.isRetryable(), unknown);
            fails(Status.INVALID_ARGUMENT, () -> client.callTool("a\0b", null));
            fails(Status.INVALID_ARGUMENT, () -> client.callTool("echo", List.of(1)));
            fails(Status.INVALID_ARGUMENT, () -> client.callTool("echo", null, new CallOptions().set("no", 1), null));
            equal(client.callTool("echo", Map.of("text", "still")).text(), "still");
        }
    }

    static void testPagesAreReadOneByOne() {
        try (Server server = new Server(new ServerConfig().name("pages").pageSize(2))) {
            for (int i = 0; i < 5; i++) {
                server.addTool(new Protocol.Tool().name("tool" + i).inputSchema(Map.of("type", "object")), (request, arguments) -> "");
                server.addText(new Protocol.Resource().uri("x://text/" + i).name("text" + i), "");
                server.addResourceTemplate(new Protocol.ResourceTemplate().uriTemplate("x" + i + "://{name}").name("template" + i), request -> "");
                server.addPrompt(new Protocol.Prompt().name("prompt" + i), request -> "");
            }
            try (Client client = Client.inProcess(server, new ClientConfig(), new ClientHandlers())) {
                equal(names(client::toolsPage), names("tool", client.listTools()));
                equal(names(client::resourcesPage), names("text", client.listResources()));
                equal(names(client::resourceTemplatesPage), names("template", client.listResourceTemplates()));
                equal(names(client::promptsPage), names("prompt", client.listPrompts()));
            }
        }
    }

    /** What the pages have, each of which begins where the one before it has ended. */
    private static List<String> names(Function<String, ? extends Page<? extends Members<?>>> pages) {
        List<String> names = new ArrayList<>();
        List<Integer> sizes = new ArrayList<>();
        String cursor = null;
        do {
            Page<? extends Members<?>> page = pages.apply(cursor);
            page.items().forEach(it -> names.add(it.get("name").asText()));
            sizes.add(page.items().size());
            cursor = page.nextCursor();
        } while (cursor != null);
        equal(sizes, List.of(2, 2, 1));
        return names;
    }

    /** What the whole list has: five entries that are called so. */
    private static List<String> names(String prefix, List<? extends Members<?>> list) {
        List<String> names = list.stream().map(it -> it.get("name").asText()).toList();
        equal(Set.copyOf(names), IntStream.range(0, 5).mapToObj(i -> prefix + i).collect(Collectors.toSet()));
        return names;
    }

    static void testKeptResultsAreDropped() {
        try (Server server = new Server(new ServerConfig().name("counting"))) {
            AtomicInteger reads = new AtomicInteger();
            server.addResource(new Protocol.Resource().uri("x://count").name("count"), request -> "read " + reads.incrementAndGet());
            ClientConfig config = new ClientConfig().protocol("2025-11-25").set("cache", Map.of("ttl_ms", Map.of("resources/read", 3_600_000)));
            try (Client client = Client.inProcess(server, config, new ClientHandlers())) {
                client.connect(); // A new connection drops what is kept.
                equal(client.readResource("x://count").getFirst().text(), "read 1");
                equal(client.readResource("x://count").getFirst().text(), "read 1");
                client.clearCache();
                equal(client.readResource("x://count").getFirst().text(), "read 2");
            }
        }
    }

    static void testProgressComesInOrderBeforeTheResult() {
        try (Client client = Client.open(example())) {
            List<Double> steps = new ArrayList<>();
            Thread caller = Thread.currentThread();
            client.callTool("slow", Map.of("ms", 50, "steps", 5), null, progress -> {
                check(Thread.currentThread() == caller, "the thread of the caller");
                steps.add(progress.progress());
                throw new IllegalStateException("a function of the program that fails");
            });
            check(!steps.isEmpty() && steps.stream().sorted().toList().equals(steps) && steps.getLast() == 5, steps);
            List<Double> more = Collections.synchronizedList(new ArrayList<>());
            client.callToolAsync("slow", Map.of("ms", 50, "steps", 5), null, progress -> more.add(progress.progress())).join();
            check(!more.isEmpty() && more.getLast() == 5, more);
        }
    }

    static void testATimeLimitEndsACall() {
        try (Client client = Client.open(example())) {
            client.callTool("echo", Map.of("text", "connected"));
            contains(fails(Status.TIMEOUT, () -> client.callTool("slow", Map.of("ms", 60_000), new CallOptions().timeout(Duration.ofMillis(50)), null))
                    .getMessage(), "raise timeout for this call");
            equal(client.callTool("echo", Map.of("text", "next")).text(), "next");
        }
    }

    static void testAnInterruptCancelsACall() throws InterruptedException {
        for (boolean isVirtual : new boolean[] {false, true}) {
            CountDownLatch began = new CountDownLatch(1);
            CountDownLatch told = new CountDownLatch(1);
            try (Server server = new Server(new ServerConfig().name("slow"))) {
                server.addTool(new Protocol.Tool().name("wait").inputSchema(Map.of("type", "object")), (request, arguments) -> {
                    began.countDown();
                    try {
                        new CountDownLatch(1).await();
                    } catch (InterruptedException interrupt) {
                        check(request.isCancelled(), "cancelled");
                        told.countDown();
                    }
                    return "";
                });
                try (Client client = Client.inProcess(server, new ClientConfig(), new ClientHandlers())) {
                    BlockingQueue<Object> outcome = new LinkedBlockingQueue<>();
                    Runnable call = () -> {
                        try {
                            outcome.add(client.callTool("wait", null));
                        } catch (McpException failure) {
                            outcome.add(failure.status() + " " + Thread.currentThread().isInterrupted());
                        }
                    };
                    Thread thread = isVirtual ? Thread.ofVirtual().start(call) : Thread.ofPlatform().start(call);
                    check(began.await(PATIENCE, TimeUnit.SECONDS), "it began");
                    thread.interrupt();
                    equal(outcome.poll(PATIENCE, TimeUnit.SECONDS), "cancelled true");
                    check(told.await(PATIENCE, TimeUnit.SECONDS), "the server was told");
                }
            }
        }
    }

    static void testCancellingAFutureCancelsTheCall() {
        try (Client client = Client.open(example())) {
            CompletableFuture<CallResult> call = client.callToolAsync("slow", Map.of("ms", 60_000));
            CompletableFuture<List<Protocol.Tool>> list = client.async(client::listTools);
            check(list.join().size() > 5, "tools");
            check(call.cancel(true) && call.isCancelled(), call);
            check(call.cancel(true), "again");
            until("the server is told", () -> client.info().get("counters").get("cancelled").asLong() == 1);
            equal(client.info().get("pending_calls").asLong(), 0L);
            CompletableFuture<CallResult> failed = client.callToolAsync("no-such-tool", null);
            Throwable why = failed.handle((result, failure) -> failure).join();
            check(why instanceof McpException failure && failure.status() == Status.SERVER, why);
            equal(client.callToolAsync("echo", Map.of("text", "a")).thenApply(CallResult::text).join(), "a");
        }
    }

    static void testAThousandThreadsCallAtOnce() throws InterruptedException {
        try (Client client = Client.open(example())) {
            BlockingQueue<Object> outcomes = new LinkedBlockingQueue<>();
            for (int i = 0; i < 1000; i++) {
                String text = "call " + i;
                Thread.startVirtualThread(() -> {
                    try {
                        outcomes.add(client.callTool("echo", Map.of("text", text)).text().equals(text));
                    } catch (Throwable failure) {
                        outcomes.add(failure);
                    }
                });
            }
            for (int i = 0; i < 1000; i++) {
                equal(outcomes.poll(PATIENCE, TimeUnit.SECONDS), true);
            }
        }
    }

    static void testAServerOfAFileIsLoaded() throws Exception {
        Path file = Files.createTempFile("mcp", ".json");
        try {
            Files.writeString(file, JsonValue.of(Map.of("mcpServers", Map.of("one", example(), "two", Map.of("command", "x", "disabled", true)))).toString());
            try (Client client = Client.open(Client.load(file, "one"))) {
                equal(client.callTool("echo", Map.of("text", "hi")).text(), "hi");
            }
            fails(Status.UNAVAILABLE, () -> Client.load(file, "two"));
        } finally {
            Files.delete(file);
        }
    }

    static void testTheLibraryLogs() {
        BlockingQueue<String> events = new LinkedBlockingQueue<>();
        Logging.set(LogLevel.DEBUG, (level, record) -> {
            events.add(level + " " + record.get("event").asText());
            throw new IllegalStateException("a logger that fails");
        });
        try (Client client = Client.open(example())) {
            client.ping();
            until("records come", () -> events.contains("info connection.transition") && events.contains("debug request.stop"));
        } finally {
            Logging.set(LogLevel.NONE, null);
        }
    }
}
