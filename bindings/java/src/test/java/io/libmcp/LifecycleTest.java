package io.libmcp;

import static io.libmcp.Tests.PATIENCE;
import static io.libmcp.Tests.check;
import static io.libmcp.Tests.contains;
import static io.libmcp.Tests.equal;
import static io.libmcp.Tests.example;
import static io.libmcp.Tests.fails;
import static io.libmcp.Tests.until;

import io.libmcp.Protocol.Tool;
import io.libmcp.Settings.ClientConfig;
import io.libmcp.Settings.ServerConfig;
import java.lang.ref.WeakReference;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;

final class LifecycleTest {
    static void testCloseEndsTheServerAndEverythingAfterSaysSo() {
        Client client = Client.open(example());
        client.connect();
        long pid = client.info().get("pid").asLong();
        List<Thread> closers = Stream.generate(() -> Thread.ofPlatform().start(client::close)).limit(8).toList();
        closers.forEach(thread -> ClientCore.uninterrupted(thread::join));
        client.close();
        until("the server has ended", () -> ProcessHandle.of(pid).isEmpty());
        equal(client.state(), ClientState.CLOSED);
        for (Tests.Action action : List.<Tests.Action>of(() -> client.callTool("echo", null), client::info, () -> client.connect(),
                () -> client.notify("x", null), client::listTools, () -> client.setRoots(List.of()), client::ping)) {
            fails(Status.CLOSED, action);
        }
        Server server = new Server(new ServerConfig().name("x"));
        server.close();
        server.close();
        server.awaitEnd();
        for (Tests.Action action : List.<Tests.Action>of(server::info, () -> server.resourceUpdated("x"), () -> Client.inProcess(server, new ClientConfig(), new ClientHandlers()),
                () -> server.addTool(new Tool(), (request, arguments) -> ""))) {
            fails(Status.CLOSED, action);
        }
    }

    static void testAVirtualThreadMayClose() throws InterruptedException {
        Client client = Client.open(example());
        client.connect();
        Server server = new Server(new ServerConfig().name("x"));
        Thread.startVirtualThread(() -> {
            client.close();
            server.close();
        }).join();
        equal(client.state(), ClientState.CLOSED);
        fails(Status.CLOSED, server::info);
    }

    static void testCloseEndsCallsUnderWay() {
        Client client = Client.open(example());
        client.connect();
        List<CompletableFuture<CallResult>> calls = IntStream.range(0, 20)
                .mapToObj(i -> client.callToolAsync("slow", Map.of("ms", 60_000))).toList();
        client.close();
        for (CompletableFuture<CallResult> call : calls) {
            Throwable why = call.handle((result, failure) -> failure).join();
            check(why instanceof McpException failure && failure.status() == Status.CLOSED, why);
        }
    }

    static void testThreadsThatCallWhileItIsClosedAllReturn() {
        for (int round = 0; round < 20; round++) {
            Server server = new Server(new ServerConfig().name("x"));
            server.addTool(new Tool().name("t").inputSchema(Map.of("type", "object")), (request, arguments) -> "t");
            Client client = Client.inProcess(server, new ClientConfig(), new ClientHandlers());
            List<Thread> threads = Stream.generate(() -> Thread.startVirtualThread(() -> {
                try {
                    while (true) {
                        client.callTool("t", null);
                    }
                } catch (McpException failure) {
                    if (failure.status() != Status.CLOSED && failure.status() != Status.TRANSPORT && failure.status() != Status.UNAVAILABLE
                            && failure.status() != Status.SERVER && failure.status() != Status.CANCELLED) {
                        throw failure;
                    }
                }
            })).limit(8).toList();
            client.callTool("t", null);
            if (round % 2 == 0) {
                client.close();
                server.close();
            } else {
                server.close();
                client.close();
            }
            threads.forEach(thread -> ClientCore.uninterrupted(thread::join));
        }
    }

    @SuppressWarnings("try") // They close what is open.
    static void testFunctionsOfTheProgramMayClose() throws InterruptedException {
        BlockingQueue<String> done = new LinkedBlockingQueue<>();
        Client[] client = new Client[1];
        client[0] = Client.open(example(), new ClientHandlers().onNotification(ClientHandlers.ANY_METHOD, it -> {
            client[0].close();
            done.add("notification");
        }));
        client[0].setLogLevel("debug");
        try {
            client[0].callTool("notify", Map.of("count", 1, "text", "x"));
        } catch (McpException closed) {
            equal(closed.status(), Status.CLOSED);
        }
        equal(done.poll(PATIENCE, TimeUnit.SECONDS), "notification");
        try (Client other = Client.open(example())) {
            other.callTool("slow", Map.of("ms", 60_000, "steps", 10_000), null, progress -> other.close());
            throw new AssertionError("the call has ended well");
        } catch (McpException closed) {
            equal(closed.status(), Status.CLOSED);
        }
        BlockingQueue<String> ended = new LinkedBlockingQueue<>();
        Server server = new Server(new ServerConfig().name("x"));
        server.addTool(new Tool().name("end").inputSchema(Map.of("type", "object")), (request, arguments) -> {
            server.close();
            ended.add("tool");
            return "";
        });
        try (Client user = Client.inProcess(server, new ClientConfig(), new ClientHandlers())) {
            user.callToolAsync("end", null);
            equal(ended.poll(PATIENCE, TimeUnit.SECONDS), "tool");
        }
    }

    static void testWhatWasForgottenIsClosed() {
        int before = Upcalls.count();
        WeakReference<Client> client = forget();
        until("the collector closes them", () -> {
            System.gc();
            return client.get() == null && Upcalls.count() == before && named("mcp-client") == 0 && named("mcp-server") == 0;
        });
    }

    private static WeakReference<Client> forget() {
        Server server = new Server(new ServerConfig().name("x"));
        server.addTool(new Tool().name("t").inputSchema(Map.of("type", "object")), (request, arguments) -> "t");
        Client client = Client.inProcess(server, new ClientConfig(), new ClientHandlers());
        equal(client.callTool("t", null).text(), "t");
        return new WeakReference<>(client);
    }

    static long named(String name) {
        return Thread.getAllStackTraces().keySet().stream().filter(it -> it.getName().equals(name)).count();
    }

    static void testAClientStaysWhileOneOfItsMethodsRuns() throws InterruptedException {
        CountDownLatch began = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        try (Server server = new Server(new ServerConfig().name("x"))) {
            server.addTool(new Tool().name("t").inputSchema(Map.of("type", "object")), (request, arguments) -> {
                began.countDown();
                go.await();
                return "t";
            });
            CompletableFuture<CallResult> call = Client.inProcess(server, new ClientConfig(), new ClientHandlers()).callToolAsync("t", null);
            check(began.await(PATIENCE, TimeUnit.SECONDS), "it began");
            for (int i = 0; i < 3; i++) {
                System.gc();
            }
            go.countDown();
            equal(call.join().text(), "t");
        }
    }

    static void testALibraryThatIsNoneIsRefused() throws Exception {
        for (String library : List.of("/no/such/library.so", System.getProperty("java.home") + "/lib/libverify.so")) {
            Process process = new ProcessBuilder(System.getProperty("java.home") + "/bin/java", "--enable-native-access=ALL-UNNAMED",
                    "-Dio.libmcp.library=" + library, "-cp", System.getProperty("java.class.path"), "io.libmcp.LifecycleTest$Probe")
                    .redirectErrorStream(true).start();
            String said = new String(process.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
            contains(said, "unsupported");
            contains(said, library.contains("no/such") ? "could not be loaded" : "is not libmcp");
        }
    }

    /** What a program with another library sees. */
    static final class Probe {
        public static void main(String[] arguments) {
            for (int i = 0; i < 2; i++) {
                McpException failure = fails(Status.UNSUPPORTED, () -> Client.open("x"));
                System.out.println(failure.status() + " " + failure.getMessage());
            }
        }
    }
}
