package io.libmcp;

import static io.libmcp.Tests.PATIENCE;
import static io.libmcp.Tests.check;
import static io.libmcp.Tests.contains;
import static io.libmcp.Tests.equal;
import static io.libmcp.Tests.example;
import static io.libmcp.Tests.fails;
import static io.libmcp.Tests.until;

import io.libmcp.Protocol.CreateMessageResult;
import io.libmcp.Protocol.ElicitResult;
import io.libmcp.Protocol.Root;
import io.libmcp.Protocol.Tool;
import io.libmcp.Settings.ClientConfig;
import io.libmcp.Settings.ServerConfig;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

final class HandlersTest {
    record Form(int portions, Optional<String> note) {
    }

    private static final Map<String, Object> NOTHING = Map.of("type", "object");

    /** A server that asks everything that a server may ask. */
    private static Server asking() {
        Server server = new Server(new ServerConfig().name("asking").version("1"));
        server.addTool(new Tool().name("sample").inputSchema(NOTHING), (request, arguments) ->
                request.sample("s", new Protocol.CreateMessageRequestParams().maxTokens(10).messages(List.of(new Protocol.SamplingMessage()
                        .role("user").content(new Protocol.TextContent().text("a rhyme"))))).toString());
        server.addTool(new Tool().name("elicit").inputSchema(NOTHING), (request, arguments) ->
                request.elicit("e", "How many?", Form.class).map(form -> form.portions() + " portions").orElse("none"));
        server.addTool(new Tool().name("roots").inputSchema(NOTHING), (request, arguments) ->
                request.roots("r").getFirst().uri() + " " + request.context().get("round"));
        server.addTool(new Tool().name("two").inputSchema(NOTHING), (request, arguments) -> {
            if (request.state() == null) {
                request.keep("kept");
            }
            String first = request.roots("a").getFirst().uri();
            return request.elicit("b", "And?", Form.class).orElseThrow().portions() + first + request.state();
        });
        return server;
    }

    private static Client client(Server server, String era, ClientHandlers handlers) {
        String revision = era.equals("modern") ? "2026-07-28" : "2025-11-25";
        return Client.inProcess(server, new ClientConfig().protocol(revision), handlers);
    }

    static void testWhatAServerAsksIsAnsweredInBothEras() {
        for (String era : List.of("modern", "legacy")) {
            ClientHandlers handlers = new ClientHandlers()
                    .onSampling(params -> new CreateMessageResult().role("assistant").model("parrot")
                            .content(new Protocol.TextContent().text("You said: " + params.messages().getFirst())))
                    .onElicitation(params -> new ElicitResult().action("accept").content(Map.of("portions", 3)))
                    .onRoots(() -> List.of(new Root().uri("file:///tmp")));
            try (Server server = asking(); Client client = client(server, era, handlers)) {
                contains(client.callTool("sample", null).text(), "a rhyme");
                equal(client.callTool("elicit", null).text(), "3 portions");
                contains(client.callTool("roots", null).text(), "file:///tmp ");
                equal(client.callTool("two", null).text(), "3file:///tmpkept");
            }
        }
    }

    static void testFormsAreDeclinedAndChecked() {
        try (Server server = asking(); Client client = client(server, "modern", new ClientHandlers()
                .onElicitation(params -> new ElicitResult().action("decline")))) {
            equal(client.callTool("elicit", null).text(), "none");
        }
        BlockingQueue<Failure> failures = new LinkedBlockingQueue<>();
        ClientHandlers wrong = new ClientHandlers().onFailure(failures::add)
                .onElicitation(params -> new ElicitResult().action("accept").content(Map.of("portions", "many")));
        for (String era : List.of("modern", "legacy")) {
            try (Server server = asking(); Client client = client(server, era, wrong)) {
                server.onFailure(failure -> { });
                try {
                    check(client.callTool("elicit", null).isError(), "an answer that does not fit its form");
                } catch (McpException refused) {
                    check(refused.status() == Status.CANCELLED || refused.status() == Status.SERVER, refused);
                }
                Failure failure = failures.poll();
                check(failure != null && failure.cause() instanceof McpException why && why.status() == Status.INVALID_ARGUMENT, failure);
            }
        }
    }

    /** Whatever a function of the program does, the server gets an answer, and no word of what was thrown. */
    static void testFunctionsThatFailAreAnswered() {
        List<Callable<List<Root>>> bad = List.of(
                () -> { throw new IllegalStateException("a secret"); },
                () -> { throw new StackOverflowError("a secret"); },
                () -> { throw new Exception("a secret"); },
                () -> null,
                () -> { throw new RpcException(-1, "no\0pe", new Object()); },
                () -> { throw new RpcException(-1, "half \ud800", Map.of("a", 1)); });
        for (String era : List.of("modern", "legacy")) {
            for (Callable<List<Root>> one : bad) {
                List<Failure> failures = Collections.synchronizedList(new ArrayList<>());
                ClientHandlers handlers = new ClientHandlers().onRoots(one).onFailure(failure -> {
                    failures.add(failure);
                    throw new IllegalStateException("a function for failures that fails");
                });
                try (Server server = asking(); Client client = client(server, era, handlers)) {
                    List<String> seen = new ArrayList<>();
                    server.onFailure(failure -> seen.add(failure.cause().toString()));
                    String said;
                    try {
                        said = client.callTool("roots", null).text();
                    } catch (McpException refused) {
                        said = refused.getMessage();
                    }
                    check(!said.contains("secret") && !seen.toString().contains("secret"), said + seen);
                }
            }
        }
    }

    static void testToolsThatFailAreAnswered() {
        List<Failure> failures = Collections.synchronizedList(new ArrayList<>());
        try (Server server = new Server(new ServerConfig().name("failing")).onFailure(failures::add)) {
            Map<String, Server.ToolHandler<JsonValue, ?>> tools = Map.of(
                    "exception", (request, arguments) -> { throw new IllegalStateException("a secret"); },
                    "error", (request, arguments) -> { throw new NoClassDefFoundError("a secret"); },
                    "overflow", (request, arguments) -> forever(1),
                    "unfit", (request, arguments) -> new Object(),
                    "said", (request, arguments) -> { throw new ToolException("ask for \0 1 to 9"); },
                    "refused", (request, arguments) -> { throw new RpcException(7, "not you", Map.of("a", 1)); },
                    "nothing", (request, arguments) -> null);
            tools.forEach((name, handler) -> server.addTool(new Tool().name(name).inputSchema(NOTHING), handler));
            server.addResource(new Protocol.Resource().uri("x://a").name("a"), request -> { throw new NotFoundException(); });
            server.addResource(new Protocol.Resource().uri("x://b").name("b"), request -> { throw new IllegalStateException("a secret"); });
            try (Client client = Client.inProcess(server, new ClientConfig(), new ClientHandlers())) {
                for (String name : List.of("exception", "error", "overflow", "unfit")) {
                    CallResult result = client.callTool(name, null);
                    check(result.isError() && result.text().equals("The tool failed."), result);
                }
                equal(failures.size(), 4);
                equal(client.callTool("said", null).text(), "ask for \0 1 to 9");
                McpException refused = fails(Status.SERVER, () -> client.callTool("refused", null));
                equal(refused.code(), 7L);
                equal(refused.data().toString(), "{\"a\":1}");
                equal(client.callTool("nothing", null).text(), "");
                fails(Status.SERVER, () -> client.readResource("x://a"));
                check(!fails(Status.SERVER, () -> client.readResource("x://b")).getMessage().contains("secret"), "neutral");
                equal(failures.size(), 5);
            }
        }
    }

    private static String forever(int depth) {
        return depth + forever(depth + 1);
    }

    static void testCapabilitiesAndFunctionsMustFit() {
        contains(fails(Status.INVALID_ARGUMENT, () -> Client.open(example().set("capabilities", Map.of("sampling", Map.of()))))
                .getMessage(), "sampling");
        contains(fails(Status.INVALID_ARGUMENT, () -> Client.open(example(),
                new ClientHandlers().onRequest(Protocol.Method.SAMPLING, params -> Map.of()))).getMessage(), "never run");
        contains(fails(Status.INVALID_ARGUMENT, () -> Client.open(example().roots(List.of("file:///tmp")),
                new ClientHandlers().onRoots(() -> List.of()))).getMessage(), "roots");
    }

    static void testNotificationsComeInOrderAndASlowOneDelaysNoCall() throws InterruptedException {
        BlockingQueue<Long> numbers = new LinkedBlockingQueue<>();
        CountDownLatch held = new CountDownLatch(1);
        try (Server server = new Server(new ServerConfig().name("telling"))) {
            server.addTool(new Tool().name("hi").inputSchema(NOTHING), (request, arguments) -> "hi");
            ClientHandlers handlers = new ClientHandlers().onNotification(ClientHandlers.ANY_METHOD, notification -> {
                uninterrupted(held);
                numbers.add(notification.params().get("n").asLong());
            });
            try (Client client = client(server, "legacy", handlers)) {
                client.connect();
                for (int i = 0; i < 100; i++) {
                    server.notify("notifications/x", Map.of("n", i));
                }
                equal(client.callTool("hi", null).text(), "hi");
                held.countDown();
                for (long i = 0; i < 100; i++) {
                    equal(numbers.poll(PATIENCE, TimeUnit.SECONDS), i);
                }
            }
        }
    }

    static void testWhatATooSlowFunctionMissesIsCounted() throws InterruptedException {
        CountDownLatch held = new CountDownLatch(1);
        List<Long> got = Collections.synchronizedList(new ArrayList<>());
        List<Long> lost = Collections.synchronizedList(new ArrayList<>());
        Inbox inbox = new Inbox(ClientCore.EXECUTOR, lost::add);
        CountDownLatch began = new CountDownLatch(1);
        inbox.add(() -> {
            began.countDown();
            uninterrupted(held);
        });
        check(began.await(PATIENCE, TimeUnit.SECONDS), "it began");
        IntStream.range(0, 3000).forEach(i -> inbox.add(() -> got.add((long) i)));
        held.countDown();
        until("all are told", () -> got.size() + lost.stream().mapToLong(Long::longValue).sum() >= 3000);
        equal(got.size(), 1024);
        equal(got.getLast(), 2999L);
        check(IntStream.range(1, got.size()).allMatch(i -> got.get(i) == got.get(i - 1) + 1), "in order");
    }

    private static void uninterrupted(CountDownLatch latch) {
        ClientCore.uninterrupted(latch::await);
    }

    static void testStatesAndLinesArrive() {
        List<StateChange> states = Collections.synchronizedList(new ArrayList<>());
        ClientHandlers handlers = new ClientHandlers().onState(states::add);
        try (Client client = Client.open(example(), handlers)) {
            client.connect();
        }
        until("it closed", () -> states.stream().anyMatch(it -> it.state() == ClientState.CLOSED));
        equal(states.getFirst().state(), ClientState.STARTING);
        BlockingQueue<String> lines = new LinkedBlockingQueue<>();
        ClientConfig shell = new ClientConfig().command("sh").args("-c", "echo a line >&2; cat");
        try (Client client = Client.open(shell, new ClientHandlers().onLine(lines::add))) {
            client.async(() -> {
                client.connect();
                return null;
            });
            until("a line comes", () -> lines.contains("a line"));
        }
    }
}
