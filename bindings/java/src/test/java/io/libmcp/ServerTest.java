package io.libmcp;

import static io.libmcp.Tests.PATIENCE;
import static io.libmcp.Tests.check;
import static io.libmcp.Tests.contains;
import static io.libmcp.Tests.equal;
import static io.libmcp.Tests.fails;
import static io.libmcp.Tests.until;

import io.libmcp.Protocol.GetPromptResult;
import io.libmcp.Protocol.Prompt;
import io.libmcp.Protocol.PromptArgument;
import io.libmcp.Protocol.PromptMessage;
import io.libmcp.Protocol.PromptReference;
import io.libmcp.Protocol.ReadResourceResult;
import io.libmcp.Protocol.Resource;
import io.libmcp.Protocol.ResourceContents;
import io.libmcp.Protocol.ResourceTemplate;
import io.libmcp.Protocol.TextContent;
import io.libmcp.Protocol.Tool;
import io.libmcp.Settings.CallOptions;
import io.libmcp.Settings.ClientConfig;
import io.libmcp.Settings.ServerConfig;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

final class ServerTest {
    record Sum(@Description("the first number") int a, Optional<Integer> b) {
    }

    record Total(int sum) {
    }

    private static Client client(Server server) {
        return Client.inProcess(server, new ClientConfig(), new ClientHandlers());
    }

    record Shelf(String name, List<String> books) {
    }

    record Count(Integer number) {
    }

    static void testAResultThatDoesNotFitItsSchemaIsTold() throws InterruptedException {
        BlockingQueue<Failure> failures = new LinkedBlockingQueue<>();
        try (Server server = new Server(new ServerConfig().name("unfit")).onFailure(failures::add)) {
            server.addTool("list", "", Sum.class, Shelf.class, (request, in) -> new Shelf("x", null));
            server.addTool("number", "", Sum.class, Count.class, (request, in) -> new Count(null));
            try (Client client = client(server)) {
                for (String tool : List.of("list", "number")) {
                    fails(Status.SERVER, () -> client.callTool(tool, Map.of("a", 1)));
                    Failure told = failures.poll(PATIENCE, TimeUnit.SECONDS);
                    equal(told.what(), "tools/call " + tool);
                    contains(told.cause().getMessage(), "null");
                }
            }
        }
        check(failures.isEmpty(), failures);
    }

    record Nothing() {
    }

    private static <O> CallResult gives(Class<O> out, O given) {
        try (Server server = new Server(new ServerConfig().name("results"))) {
            server.addTool("t", "", Nothing.class, out, (request, in) -> given);
            try (Client client = client(server)) {
                return client.callTool("t", Map.of());
            }
        }
    }

    static void testResultsOfEachTypeArrive() {
        Protocol.TextContent text = new Protocol.TextContent().text("a");
        Map<String, CallResult> structured = new java.util.LinkedHashMap<>();
        structured.put("{\"result\":7}", gives(int.class, 7));
        structured.put("{\"result\":\"2026-01-02\"}", gives(java.time.LocalDate.class, java.time.LocalDate.parse("2026-01-02")));
        structured.put("{\"result\":[1,2]}", gives(int[].class, new int[] {1, 2}));
        structured.put("{\"result\":[\"b\"]}", gives(String[].class, new String[] {"b"}));
        structured.put("{\"result\":\"aGk=\"}", gives(byte[].class, new byte[] {'h', 'i'}));
        structured.put("{\"result\":[true]}", gives(List.class, List.of(true)));
        structured.put("{\"a\":1}", gives(Map.class, Map.of("a", 1)));
        structured.put("{\"name\":\"x\",\"size\":2}", gives(Box.class, new Box()));
        structured.put("{\"result\":[]}", gives(List.class, List.of()));
        structured.forEach((json, result) -> {
            check(!result.isError(), result);
            equal(result.structured().toString(), json);
        });
        for (CallResult result : List.of(gives(Protocol.TextContent.class, text), gives(Protocol.ContentBlock[].class, new Protocol.ContentBlock[] {text}),
                gives(List.class, List.of(text)), gives(Object.class, text))) {
            equal(result.text(), "a");
            check(result.structured().isAbsent(), result);
        }
        equal(gives(String.class, "").text(), "");
    }

    public static final class Box {
        public String name = "x";
        public int size = 2;
    }

    static void testRecordsAreToolsWithSchemas() {
        try (Server server = new Server(new ServerConfig().name("adder").version("1.0"))) {
            server.addTool("add", "Adds two numbers", Sum.class, Total.class, (request, in) -> new Total(in.a() + in.b().orElse(0)));
            server.addTool("say", "Says it", Sum.class, String.class, (request, in) -> "it is " + in.a());
            try (Client client = client(server)) {
                Tool tool = client.listTools().getFirst();
                equal(tool.description(), "Adds two numbers");
                equal(tool.get("inputSchema").get("properties").get("a").get("description").asText(), "the first number");
                equal(client.callTool("add", Map.of("a", 2, "b", 3)).structured(Total.class), new Total(5));
                equal(client.callTool("add", new Sum(4, Optional.empty())).text(), "{\"sum\":4}");
                equal(client.callTool("say", Map.of("a", 2)).text(), "it is 2");
                // The library checks the schema; what it lets pass and an int cannot hold is told to the model.
                CallResult large = client.callTool("add", Map.of("a", 1L << 40));
                check(large.isError(), large);
                contains(large.text(), "$.a: 1099511627776 does not fit the type int");
                try {
                    check(client.callTool("add", Map.of("a", "x")).isError(), "a text for a number");
                } catch (McpException refused) {
                    equal(refused.status(), Status.SERVER);
                }
            }
        }
    }

    /** An argument that is null fails at once, by its name. */
    private static void isNull(String name, Tests.Action action) throws Exception {
        try {
            action.run();
        } catch (NullPointerException why) {
            equal(why.getMessage(), name);
            return;
        }
        throw new AssertionError(name + " may be null");
    }

    static void testWhatIsNullIsRefusedAtOnce() throws Exception {
        try (Server server = new Server(new ServerConfig().name("null"))) {
            Tool tool = new Tool().name("x").inputSchema(Map.of("type", "object"));
            isNull("handler", () -> server.addTool(tool, null));
            isNull("handler", () -> server.addTool("x", "", Sum.class, Total.class, null));
            isNull("in", () -> server.addTool("x", "", (Class<Sum>) null, Total.class, (request, in) -> null));
            isNull("handler", () -> server.addResource(new Resource().uri("x://y").name("y"), null));
            isNull("definition", () -> server.addResource(null, request -> ""));
            isNull("handler", () -> server.addPrompt(new Prompt().name("p"), null));
            isNull("definition", () -> server.addPrompt(null, request -> ""));
            isNull("handler", () -> server.addMethod("com.example/x", null));
            isNull("handler", () -> new ClientHandlers().onSampling(null));
            isNull("handler", () -> new ClientHandlers().onNotification("x", null));
            isNull("config", () -> new Server(null));
            isNull("config", () -> Client.open((ClientConfig) null));
            try (Client client = client(server)) {
                contains(fails(Status.INVALID_ARGUMENT, () -> client.callTool(null, Map.of())).getMessage(), "name must not be null");
                contains(fails(Status.INVALID_ARGUMENT, () -> client.callTool("x", Map.of(), new CallOptions().timeout(Duration.ZERO))).getMessage(),
                        "call option 'timeout': 0 is not");
                equal(client.toString(), "Client[idle]");
            }
        }
    }

    static void testAFutureIsWaitedForAndAMapTakesAnyArguments() {
        try (Server server = new Server(new ServerConfig().name("later"))) {
            server.addTool("later", "", Map.class, Object.class, (request, in) -> CompletableFuture.supplyAsync(() -> in));
            server.addTool("fails", "", Map.class, Object.class, (request, in) -> CompletableFuture.failedFuture(new ToolException("no tea")));
            server.addPrompt(new Prompt().name("p"), request -> CompletableFuture.completedFuture("say it"));
            try (Client client = client(server)) {
                equal(client.callTool("later", Map.of("a", List.of(1, "b"))).text(), "{\"a\":[1,\"b\"]}");
                equal(client.callTool("fails", null).text(), "no tea");
                contains(client.getPrompt("p", Map.of()).json().toString(), "say it");
            }
        }
    }

    static void testResourcesPromptsAndCompletion() throws Exception {
        try (Tests.Folder temporary = new Tests.Folder(); Server server = new Server(new ServerConfig().name("kitchen"))) {
            server.addResource(new Resource().uri("kitchen://menu").name("menu"), request -> new ReadResourceResult()
                    .contents(List.of(new ResourceContents().set("uri", "kitchen://menu").set("text", "soup"))));
            server.addText(new Resource().uri("kitchen://rules").name("rules"), "wash your hands");
            server.addBlob(new Resource().uri("kitchen://logo").name("logo"), new byte[] {0, 1, -1});
            server.addBlob(new Resource().uri("kitchen://empty").name("empty"), new byte[0]);
            server.addResource(new Resource().uri("kitchen://photo").name("photo").mimeType("image/png"), request -> new byte[] {1, 2, 3});
            server.addResourceTemplate(new ResourceTemplate().uriTemplate("dish://{name}").name("dish").mimeType("text/plain"),
                    request -> "a " + request.variable("name") + request.variable("none"));
            Path folder = temporary.path();
            Files.writeString(folder.resolve("a.txt"), "in a file");
            server.addFolder(new ResourceTemplate().uriTemplate("docs:///{+path}").name("docs"), folder);
            server.addPrompt(new Prompt().name("recommend").arguments(List.of(new PromptArgument().name("mood").required(true))),
                    request -> new GetPromptResult().messages(List.of(new PromptMessage().role("user")
                            .content(new TextContent().text("for " + request.params().get("arguments").get("mood").asText())))));
            server.addPrompt(new Prompt().name("plain").arguments(List.of(new PromptArgument().name("mood"))), request -> "for " + request.argument("mood"));
            server.addCompletion("recommend", "mood", List.of("calm", "awake"));
            try (Client client = client(server)) {
                equal(client.readResource("kitchen://menu").getFirst().text(), "soup");
                equal(client.readResource("kitchen://rules").getFirst().text(), "wash your hands");
                equal(client.readResource("kitchen://logo").getFirst().get("blob").asText(), "AAH/");
                equal(client.readResource("kitchen://empty").getFirst().get("blob").asText(), "");
                equal(client.readResource("kitchen://photo").toString(), "[{\"uri\":\"kitchen://photo\",\"mimeType\":\"image/png\",\"blob\":\"AQID\"}]");
                equal(client.readResource("dish://pie").toString(), "[{\"uri\":\"dish://pie\",\"mimeType\":\"text/plain\",\"text\":\"a pienull\"}]");
                equal(client.readResource("docs:///a.txt").getFirst().text(), "in a file");
                equal(client.listResourceTemplates().size(), 2);
                String said = switch (client.getPrompt("recommend", Map.of("mood", "calm")).messages().getFirst().content()) {
                    case TextContent text -> text.text();
                    default -> "";
                };
                equal(said, "for calm");
                equal(client.getPrompt("plain", Map.of("mood", "calm")).messages(), client.getPrompt("recommend", Map.of("mood", "calm")).messages());
                equal(((TextContent) client.getPrompt("plain", null).messages().getFirst().content()).text(), "for null");
                equal(client.complete(new PromptReference().name("recommend"), "mood", "c").get("completion").get("values").toString(), "[\"calm\"]");
                check(server.remove("resource", "kitchen://rules") && !server.remove("resource", "kitchen://rules"), "removed");
                fails(Status.SERVER, () -> client.readResource("kitchen://rules"));
            }
        }
    }

    static void testHandlersAreForgottenWithTheirServer() {
        int before = Upcalls.count();
        try (Server server = new Server(new ServerConfig().name("many"))) {
            for (int i = 0; i < 10; i++) {
                server.addTool(new Tool().name("tool" + i).inputSchema(Map.of("type", "object")), (request, arguments) -> "");
            }
            equal(Upcalls.count(), before + 10);
            fails(Status.INVALID_ARGUMENT, () -> server.addTool(new Tool().name("tool1").inputSchema(Map.of("type", "object")), (request, arguments) -> ""));
            contains(fails(Status.INVALID_ARGUMENT, () -> server.addTool(new Tool().name("x"), (request, arguments) -> "")).getMessage(), "inputSchema");
            equal(Upcalls.count(), before + 10);
            server.remove("tool", "tool3");
            until("one less", () -> Upcalls.count() == before + 9);
        }
        until("none is left", () -> Upcalls.count() == before);
    }

    static void testProgressAndLogsAreSent() {
        try (Server server = new Server(new ServerConfig().name("telling").set("announce", Map.of("logging", true)))) {
            server.addTool(new Tool().name("count").inputSchema(Map.of("type", "object")), (request, arguments) -> {
                request.log("warning", "counter", Map.of("at", 0));
                request.progress(1, 3, "one");
                request.progress(3, 3, null);
                return "counted";
            });
            BlockingQueue<Notification> logs = new LinkedBlockingQueue<>();
            ClientHandlers handlers = new ClientHandlers().onNotification(Protocol.Method.LOG, logs::add);
            try (Client client = Client.inProcess(server, new ClientConfig(), handlers)) {
                BlockingQueue<Progress> reports = new LinkedBlockingQueue<>();
                equal(client.callTool("count", null, new CallOptions().logLevel("info"), reports::add).text(), "counted");
                check(reports.stream().anyMatch(it -> it.equals(new Progress(3, 3, null))), reports);
                until("a log message", () -> !logs.isEmpty());
                equal(logs.peek().params().get("data").toString(), "{\"at\":0}");
                equal(logs.peek().topic(), Topic.LOG);
            }
        }
    }

    static void testSubscribersAreTold() throws InterruptedException {
        try (Server server = new Server(new ServerConfig().name("changing"))) {
            server.addText(new Resource().uri("x://a").name("a"), "a");
            for (String revision : List.of("2026-07-28", "2025-11-25")) {
                BlockingQueue<Topic> topics = new LinkedBlockingQueue<>();
                ClientHandlers handlers = new ClientHandlers().onNotification(ClientHandlers.ANY_METHOD, it -> topics.add(it.topic()));
                try (Client client = Client.inProcess(server, new ClientConfig().protocol(revision), handlers)) {
                    client.subscribe("x://a");
                    server.resourceUpdated("x://a");
                    Topic topic;
                    do {
                        topic = topics.poll(PATIENCE, TimeUnit.SECONDS);
                    } while (topic == Topic.SUBSCRIBED);
                    equal(topic, Topic.RESOURCE_UPDATED);
                    client.unsubscribe("x://a");
                }
            }
        }
    }

    static void testAServerCallsAClientOutsideOfARequest() throws InterruptedException {
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        ClientHandlers handlers = new ClientHandlers()
                .onFailure(late -> { }) // Of an answer that comes after the client was closed.
                .onRoots(() -> List.of(new Protocol.Root().uri("file:///shop")))
                .onElicitation(params -> {
                    asked.countDown();
                    go.await();
                    return new Protocol.ElicitResult().action("decline");
                });
        Map<String, Object> form = Map.of("message", "Who?", "requestedSchema", Map.of("type", "object", "properties", Map.of()));
        BlockingQueue<Object> outcome = new LinkedBlockingQueue<>();
        try (Server server = new Server(new ServerConfig().name("asking"))) {
            server.addTool(new Tool().name("session").inputSchema(Map.of("type", "object")),
                    (request, arguments) -> request.context().get("session").toString());
            try (Client client = Client.inProcess(server, new ClientConfig().protocol("2025-11-25"), handlers)) {
                long session = Long.parseLong(client.callTool("session", null).text());
                equal(server.call(session, "ping", null, null).members().size(), 0);
                equal(server.call(session, "roots/list", null, Duration.ofSeconds(PATIENCE)).get("roots").elements().getFirst().get("uri").asText(), "file:///shop");
                fails(Status.UNAVAILABLE, () -> server.call(session + 1, "ping", null, null));
                fails(Status.UNSUPPORTED, () -> server.call(session, "sampling/createMessage", Map.of("messages", List.of(), "maxTokens", 1), null));
                fails(Status.TIMEOUT, () -> server.call(session, "elicitation/create", form, Duration.ofMillis(1)));
                Thread thread = Thread.startVirtualThread(() -> {
                    try {
                        outcome.add(server.call(session, "elicitation/create", form, null));
                    } catch (McpException failure) {
                        outcome.add(failure.status() + " " + Thread.currentThread().isInterrupted());
                    }
                });
                check(asked.await(PATIENCE, TimeUnit.SECONDS), "it asked");
                thread.interrupt();
                equal(outcome.poll(PATIENCE, TimeUnit.SECONDS), "cancelled true");
                go.countDown();
                equal(server.call(session, "elicitation/create", form, null).get("action").asText(), "decline");
            }
        }
    }

    /** The server does not wait for such an answer, so that it cannot be given is no failure of the program. */
    static void testAnAnswerAfterTheCloseIsNoFailure() throws InterruptedException {
        for (boolean fails : new boolean[] {false, true}) {
            BlockingQueue<Failure> failures = new LinkedBlockingQueue<>();
            CountDownLatch asked = new CountDownLatch(1);
            CountDownLatch go = new CountDownLatch(1);
            BlockingQueue<Thread> answering = new LinkedBlockingQueue<>();
            ClientHandlers handlers = new ClientHandlers().onFailure(failures::add).onRoots(() -> {
                answering.add(Thread.currentThread());
                asked.countDown();
                go.await();
                if (fails) {
                    throw new IllegalStateException("late");
                }
                return List.of();
            });
            Server server = new Server(new ServerConfig().name("closing")).onFailure(failure -> { });
            server.addTool(new Tool().name("session").inputSchema(Map.of("type", "object")), (request, arguments) -> request.context().get("session").toString());
            try (server) {
                try (Client client = Client.inProcess(server, new ClientConfig().protocol("2025-11-25"), handlers)) {
                    long session = Long.parseLong(client.callTool("session", null).text());
                    Thread.startVirtualThread(() -> {
                        try {
                            server.call(session, "roots/list", null, null);
                        } catch (McpException ended) {
                            // The client is closed.
                        }
                    });
                    check(asked.await(PATIENCE, TimeUnit.SECONDS), "it asked");
                }
                go.countDown();
                check(answering.take().join(java.time.Duration.ofSeconds(PATIENCE)), "the function has returned");
                equal(failures.stream().map(failure -> failure.cause().toString()).toList(), fails ? List.of(new IllegalStateException("late").toString()) : List.of());
            }
        }
    }

    static void testCloseEndsWhatAServerHasAsked() throws InterruptedException {
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        ClientHandlers handlers = new ClientHandlers().onFailure(late -> { }).onRoots(() -> {
            asked.countDown();
            go.await();
            return List.of();
        });
        BlockingQueue<Object> outcome = new LinkedBlockingQueue<>();
        Server server = new Server(new ServerConfig().name("closing"));
        server.addTool(new Tool().name("session").inputSchema(Map.of("type", "object")), (request, arguments) -> request.context().get("session").toString());
        try (server; Client client = Client.inProcess(server, new ClientConfig().protocol("2025-11-25"), handlers)) {
            long session = Long.parseLong(client.callTool("session", null).text());
            Thread.startVirtualThread(() -> {
                try {
                    outcome.add(server.call(session, "roots/list", null, null));
                } catch (McpException failure) {
                    outcome.add(failure.status());
                }
            });
            check(asked.await(PATIENCE, TimeUnit.SECONDS), "it asked");
            server.close();
            Object end = outcome.poll(PATIENCE, TimeUnit.SECONDS);
            check(end == Status.TRANSPORT || end == Status.CLOSED, end);
            fails(Status.CLOSED, () -> server.call(session, "ping", null, null));
            go.countDown();
        }
    }

    static void testACallBecomesATask() {
        try (Server server = new Server(new ServerConfig().name("slow"))) {
            server.addTool(new Tool().name("work").inputSchema(Map.of("type", "object")).set("execution", Map.of("taskSupport", "optional")),
                    (request, arguments) -> {
                        request.startTask(new Settings.TaskOptions().statusMessage("at work"));
                        return "done as " + (request.context().get("task").isAbsent() ? "none" : "a task");
                    });
            try (Client client = Client.inProcess(server, new ClientConfig().set("tasks", true), new ClientHandlers())) {
                equal(client.callTool("work", null).text(), "done as a task");
            }
        }
    }

    static void testTasksAreFoundByTheirNames() {
        try (Server server = new Server(new ServerConfig().name("slow"))) {
            BlockingQueue<String> names = new LinkedBlockingQueue<>();
            CountDownLatch go = new CountDownLatch(1);
            server.addTool(new Tool().name("work").inputSchema(Map.of("type", "object")).set("execution", Map.of("taskSupport", "optional")),
                    (request, arguments) -> {
                        request.startTask(null);
                        names.add(request.context().get("task").asText());
                        go.await();
                        return "done";
                    });
            for (String revision : List.of("2026-07-28", "2025-11-25")) {
                ClientConfig config = new ClientConfig().protocol(revision).set("tasks", true);
                try (Client client = Client.inProcess(server, config, new ClientHandlers())) {
                    CompletableFuture<CallResult> call = client.callToolAsync("work", null, new CallOptions().task(true), null);
                    until("it is a task", () -> !names.isEmpty());
                    String name = names.remove();
                    if (go.getCount() > 0) {
                        equal(client.tasks().get(name).get("status").asText(), "working");
                        go.countDown();
                    }
                    equal(call.join().text(), "done");
                    equal(client.tasks().result(name, null).text(), "done");
                    fails(Status.SERVER, () -> client.tasks().get("no-such-task"));
                    if (revision.equals("2025-11-25")) {
                        check(client.tasks().list().stream().anyMatch(it -> name.equals(it.get("taskId").asText())), client.tasks().list());
                        fails(Status.SERVER, () -> client.tasks().cancel(name));
                    }
                }
            }
        }
    }

    static void testSkillsAreCheckedAgainstTheirEntries() throws Exception {
        try (Tests.Folder temporary = new Tests.Folder(); Server server = new Server(new ServerConfig().name("skilled"))) {
            Path folder = temporary.path();
            Path skill = Files.createDirectory(folder.resolve("pdf"));
            Files.writeString(skill.resolve("SKILL.md"), "---\nname: pdf\ndescription: Fills in forms\n---\nRead FORMS.md.\n");
            Files.writeString(skill.resolve("FORMS.md"), "A form.");
            server.addSkills(folder);
            try (Client client = client(server)) {
                JsonValue entry = client.skills().list().getFirst();
                String uri = entry.get("uri").asText();
                equal(client.skills().get(uri).get("uri").asText(), uri);
                contains(client.skills().load(entry, null).text(), "Read FORMS.md.");
                equal(client.skills().read(entry, "FORMS.md").text(), "A form.");
                fails(Status.INVALID_ARGUMENT, () -> client.skills().read(entry, "../other"));
                Files.writeString(skill.resolve("FORMS.md"), "Another form.");
                server.addSkills(folder);
                equal(fails(Status.PROTOCOL, () -> client.skills().read(entry, "FORMS.md")).details().get("check").asText(), "size");
            }
        }
    }

    record Word(@Description("what to say") String text) {
    }

    static void testWhatAServerSaysOfItselfIsTyped() {
        try (Server server = new Server(new ServerConfig().name("typed").version("1.2").instructions("Be brief."))) {
            server.addTool(new Tool().name("say").annotations(new Protocol.ToolAnnotations().readOnlyHint(true)), Word.class, (request, word) -> word.text());
            try (Client client = Client.inProcess(server)) {
                equal(client.serverInfo(), null);
                equal(client.serverCapabilities(), null);
                equal(client.serverInstructions(), null);
                client.connect();
                equal(client.serverInfo().name() + " " + client.serverInfo().version(), "typed 1.2");
                check(client.serverCapabilities().tools() != null, client.serverCapabilities());
                equal(client.serverInstructions(), "Be brief.");
                Tool tool = client.listTools().getFirst();
                check(tool.annotations().readOnlyHint(), tool);
                contains(tool.inputSchema().toString(), "what to say");
                equal(client.callTool("say", new Word("a")).text(), "a");
            }
        }
    }

    static void testAMethodOfAnExtension() {
        try (Server server = new Server(new ServerConfig().name("extended"))) {
            server.addMethod("com.example/double", request -> Map.of("twice", 2 * request.params().get("n").asLong()));
            try (Client client = client(server)) {
                equal(client.call("com.example/double", Map.of("n", 21)).get("twice").asLong(), 42L);
            }
            check(server.info().get("counters").members().size() > 2, server.info());
        }
    }
}
