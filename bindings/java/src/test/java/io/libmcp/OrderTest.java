package io.libmcp;

import static io.libmcp.Tests.check;
import static io.libmcp.Tests.until;

import io.libmcp.Protocol.Tool;
import io.libmcp.Settings.CallOptions;
import io.libmcp.Settings.ClientConfig;
import io.libmcp.Settings.Endpoint;
import io.libmcp.Settings.ServerConfig;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Thousands of operations on clients, servers, requests and exchanges in an order that no program should have, from one thread and from
 * several: used after the close, closed twice, closed in handlers, forgotten. Each ends as a result or an exception, and the JVM lives.
 * MCP_TEST_SEED repeats the sequence of one thread.
 */
final class OrderTest {
    private static final String SEED_NAME = "MCP_TEST_SEED";
    private static final Map<String, Object> ANY = Map.of("type", "object");
    private static final String CALL = """
            {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"%s","arguments":{"text":"%s"},"_meta":{
            "io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}""";

    private OrderTest() {
    }

    static void testOneThreadInAnyOrder() throws Exception {
        run(1, 20_000);
    }

    static void testFourThreadsInAnyOrder() throws Exception {
        run(4, 4_000);
    }

    private static void run(int threads, int operations) throws Exception {
        String given = System.getenv(SEED_NAME);
        long seed = given == null ? System.nanoTime() : Long.parseLong(given);
        System.out.println("    " + SEED_NAME + "=" + seed);
        int before = Upcalls.count();
        Pools pools = new Pools();
        AtomicReference<Throwable> unknown = new AtomicReference<>();
        List<Thread> all = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            Random random = new Random(seed + i);
            all.add(Thread.ofPlatform().start(() -> {
                for (int left = operations; left > 0 && unknown.get() == null; left--) {
                    try {
                        pools.operation(random);
                        pools.results.incrementAndGet();
                    } catch (Throwable thrown) {
                        if (isKnown(thrown)) {
                            pools.errors.incrementAndGet();
                        } else {
                            unknown.compareAndSet(null, thrown);
                        }
                    }
                }
            }));
        }
        for (Thread thread : all) {
            thread.join();
        }
        pools.end();
        if (unknown.get() != null) {
            throw new AssertionError("an operation ended in another way", unknown.get());
        }
        int total = threads * operations;
        check(pools.results.get() > total / 10 && pools.errors.get() > total / 100, pools.results + " results, " + pools.errors + " errors");
        until("no handler is left", () -> {
            System.gc();
            return Upcalls.count() <= before;
        });
    }

    /** What the binding says, or what the thread of a handler is told. */
    private static boolean isKnown(Throwable thrown) {
        Throwable cause = thrown instanceof CompletionException && thrown.getCause() != null ? thrown.getCause() : thrown;
        return cause instanceof McpException || cause instanceof IOException || cause instanceof IllegalStateException
                || cause instanceof CancellationException || cause instanceof InterruptedException;
    }

    /** A list from which several threads take. */
    private static final class Pool<T> {
        private final List<T> all = new ArrayList<>();
        private final int most;

        Pool(int most) {
            this.most = most;
        }

        synchronized T any(Random random) {
            return all.isEmpty() ? null : all.get(random.nextInt(all.size()));
        }

        synchronized boolean hasRoom() {
            return all.size() < most;
        }

        /** What is put out for it is forgotten. */
        synchronized T add(T one, Random random) {
            if (all.size() < most) {
                all.add(one);
                return null;
            }
            return all.set(random.nextInt(most), one);
        }

        synchronized List<T> list() {
            return List.copyOf(all);
        }
    }

    private static final class Pools {
        final AtomicInteger results = new AtomicInteger();
        final AtomicInteger errors = new AtomicInteger();
        private final Pool<Server> servers = new Pool<>(4);
        private final Pool<Client> clients = new Pool<>(10);
        private final Pool<Endpoint> places = new Pool<>(8);
        private final Pool<CompletableFuture<?>> calls = new Pool<>(50);
        private final Pool<Exchange> exchanges = new Pool<>(30);
        private final Pool<Request> requests = new Pool<>(20);
        private final Pool<CountDownLatch> held = new Pool<>(50);
        /** What is closed at the end: what serves lives until then. */
        private final List<Server> everyServer = new ArrayList<>();
        private final List<Client> everyClient = new ArrayList<>();

        void operation(Random random) throws Exception {
            Server server = servers.any(random);
            Client client = clients.any(random);
            Exchange exchange = exchanges.any(random);
            Request request = requests.any(random);
            switch (random.nextInt(33)) {
                case 0, 1 -> {
                    if (servers.hasRoom()) {
                        servers.add(server(random), random);
                    }
                }
                case 2, 3 -> {
                    if (server != null && places.hasRoom()) {
                        String address = random.nextBoolean() ? "url" : "socket";
                        Endpoint endpoint = address.equals("url") ? new Endpoint().url("http://127.0.0.1:0/mcp") : new Endpoint().socket("tcp:127.0.0.1:0");
                        places.add(server.serve(endpoint), random);
                    }
                }
                case 4 -> {
                    if (server != null) {
                        server.serve(new Endpoint().url("http://app.example/mcp").listen(false));
                    }
                }
                case 5, 6 -> {
                    Endpoint place = places.any(random);
                    String protocol = random.nextBoolean() ? "2025-11-25" : "2026-07-28";
                    if (!clients.hasRoom() && random.nextInt(20) > 0) {
                        return;
                    }
                    if (place != null && random.nextBoolean()) {
                        ClientConfig config = new ClientConfig().protocol(protocol);
                        String url = place.get("url") == null ? null : place.get("url").toString();
                        keep(Client.open(url == null ? config.socket(place.get("socket").toString()) : config.url(url)), random);
                    } else if (server != null) {
                        keep(Client.inProcess(server, new ClientConfig().protocol(protocol), new ClientHandlers()), random);
                    }
                }
                case 7, 8, 9 -> {
                    if (client != null) {
                        String tool = List.of("echo", "hold", "close", "leave", "unknown").get(random.nextInt(5));
                        calls.add(client.callToolAsync(tool, Map.of("text", "x"), new CallOptions().timeout(Duration.ofMillis(1 + random.nextInt(500))), null), random);
                    }
                }
                case 10 -> {
                    CompletableFuture<?> call = calls.any(random);
                    if (call != null) {
                        call.cancel(random.nextBoolean());
                    }
                }
                case 11 -> {
                    CompletableFuture<?> call = calls.any(random);
                    if (call != null && call.isDone()) {
                        call.join();
                    }
                }
                case 12 -> {
                    if (client != null) {
                        client.callTool("echo", Map.of("text", "y"), new CallOptions().timeout(Duration.ofMillis(200)));
                    }
                }
                case 13 -> {
                    if (client != null) {
                        client.state();
                        client.setRoots(List.of());
                        client.notify("notifications/x", Map.of());
                    }
                }
                case 14 -> {
                    if (client != null) {
                        client.connect(Duration.ofMillis(1 + random.nextInt(200)));
                    }
                }
                case 15 -> {
                    if (client != null && random.nextInt(3) == 0) {
                        client.close();
                    }
                }
                case 16 -> {
                    if (server != null && random.nextInt(10) == 0) {
                        server.close();
                    }
                }
                case 17 -> {
                    if (server != null) {
                        server.info();
                        server.resourceUpdated("x://y");
                        server.log("info", null, "x");
                    }
                }
                case 18 -> {
                    if (server != null) {
                        server.remove("tool", random.nextBoolean() ? "x" : "unknown");
                        server.addTool(new Tool().name("x").inputSchema(ANY), (asked, arguments) -> "x");
                    }
                }
                case 19 -> {
                    CountDownLatch latch = held.any(random);
                    if (latch != null) {
                        latch.countDown();
                    }
                }
                case 20 -> {
                    if (request != null) {
                        request.progress(1, 2, "x");
                        request.isCancelled();
                    }
                }
                case 21 -> {
                    if (request != null) {
                        request.context();
                        request.state();
                    }
                }
                case 22 -> {
                    if (request != null) {
                        request.closeStream(Duration.ZERO);
                        request.log("info", null, "x");
                    }
                }
                case 23, 24, 25 -> {
                    if (server != null) {
                        String tool = List.of("echo", "hold", "unknown").get(random.nextInt(3));
                        byte[] body = CALL.formatted(tool, "x".repeat(random.nextInt(100_000))).getBytes(StandardCharsets.UTF_8);
                        Map<String, List<String>> headers = Map.of("Host", List.of(random.nextInt(5) == 0 ? "evil.example" : "app.example"), "Content-Type",
                                List.of("application/json"), "Accept", List.of("application/json, text/event-stream"), "MCP-Protocol-Version", List.of("2026-07-28"),
                                "Mcp-Method", List.of("tools/call"), "Mcp-Name", List.of(tool));
                        Exchange begun = random.nextBoolean() ? server.http("POST", "/mcp", headers, body)
                                : server.http("POST", "/mcp", headers, "192.0.2.7", random.nextInt(3) > 0 ? new ByteArrayInputStream(body) : broken(body));
                        Exchange forgotten = exchanges.add(begun, random);
                        if (forgotten != null) {
                            forgotten.close();
                        }
                    }
                }
                case 26 -> {
                    if (exchange != null) {
                        exchange.close();
                    }
                }
                case 27, 28 -> {
                    if (exchange != null) {
                        within(random, exchange, () -> {
                            exchange.status();
                            exchange.headers();
                        });
                    }
                }
                case 29, 30 -> {
                    if (exchange != null) {
                        within(random, exchange, () -> exchange.body().read(new byte[1 + random.nextInt(5000)]));
                    }
                }
                case 31 -> {
                    if (random.nextInt(100) == 0) {
                        System.gc();
                    }
                }
                default -> {
                    if (server != null) {
                        server.call(random.nextInt(5), "ping", null, Duration.ofMillis(50));
                    }
                }
            }
        }

        /** Reads what may wait without an end: another thread closes the exchange then. */
        private static void within(Random random, Exchange exchange, Tests.Action action) throws Exception {
            CompletableFuture<Void> closing = CompletableFuture.runAsync(exchange::close,
                    CompletableFuture.delayedExecutor(20 + random.nextInt(30), TimeUnit.MILLISECONDS));
            try {
                action.run();
            } finally {
                closing.cancel(false);
            }
        }

        private void keep(Client client, Random random) {
            synchronized (everyClient) {
                everyClient.add(client);
            }
            Client forgotten = clients.add(client, random);
            if (forgotten != null) {
                forgotten.close();
            }
        }

        private Server server(Random random) {
            Server server = new Server(new ServerConfig().name("any order"));
            server.onFailure(failure -> {
            });
            synchronized (everyServer) {
                everyServer.add(server);
            }
            server.addTool(new Tool().name("echo").inputSchema(ANY), (request, arguments) -> "echo");
            Random inside = new Random(random.nextLong());
            server.addTool(new Tool().name("hold").inputSchema(ANY), (request, arguments) -> {
                CountDownLatch latch = new CountDownLatch(1);
                requests.add(request, inside);
                CountDownLatch forgotten = held.add(latch, inside);
                if (forgotten != null) {
                    forgotten.countDown();
                }
                latch.await(2, TimeUnit.SECONDS);
                return "held";
            });
            server.addTool(new Tool().name("close").inputSchema(ANY), (request, arguments) -> {
                Thread.startVirtualThread(server::close);
                return "closing";
            });
            server.addTool(new Tool().name("leave").inputSchema(ANY), (request, arguments) -> {
                Client client = clients.any(inside);
                if (client != null) {
                    Thread.startVirtualThread(client::close);
                }
                return "left";
            });
            return server;
        }

        /** A body whose client leaves in the middle. */
        private static InputStream broken(byte[] body) {
            return new InputStream() {
                private int at;

                @Override
                public int read() throws IOException {
                    if (at >= body.length / 2) {
                        throw new IOException("the client is gone");
                    }
                    return body[at++] & 0xff;
                }
            };
        }

        void end() {
            held.list().forEach(CountDownLatch::countDown);
            exchanges.list().forEach(Exchange::close);
            everyClient.forEach(Client::close);
            everyServer.forEach(Server::close);
        }
    }
}
