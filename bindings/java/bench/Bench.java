import com.sun.management.OperatingSystemMXBean;
import io.libmcp.Client;
import io.libmcp.Description;
import io.libmcp.Server;
import io.libmcp.Settings.ClientConfig;
import io.libmcp.Settings.ServerConfig;
import io.libmcp.Settings.Timeouts;
import io.modelcontextprotocol.client.McpClient;
import io.modelcontextprotocol.client.McpSyncClient;
import io.modelcontextprotocol.client.transport.ServerParameters;
import io.modelcontextprotocol.client.transport.StdioClientTransport;
import io.modelcontextprotocol.json.McpJsonDefaults;
import io.modelcontextprotocol.server.McpServer;
import io.modelcontextprotocol.server.transport.StdioServerTransportProvider;
import io.modelcontextprotocol.spec.McpSchema;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

/**
 * This binding beside the official Java SDK, in one run, in turns: as a client of the same server, and as a server of the same
 * client.
 *
 * <pre>
 * cargo build --release -p mcp-bench
 * cargo xtask jar --to target/maven
 * mvn -f bindings/java/bench/pom.xml dependency:copy-dependencies -DoutputDirectory="$PWD/target/bench-java"
 * classes=$(echo target/maven/io/libmcp/libmcp/X/libmcp-?.?.?.jar):target/bench-java/X    # each X is an asterisk
 * javac -cp "$classes" -d target/bench-java bindings/java/bench/Bench.java
 * java --enable-native-access=ALL-UNNAMED -cp "$classes:target/bench-java" Bench [--calls N] [--rounds N] [--platform] SERVER [ARGUMENT…]
 * </pre>
 *
 * SERVER is a program with the tool "echo". Calls come from one thread, and from 64 virtual threads at a time (with --platform 64
 * threads of the system). Absolute numbers depend on the machine; read the ratios.
 */
public final class Bench {
    private static final Map<String, Object> ECHO = Map.of("text", "0123456789abcdef".repeat(4));
    private static final int MANY = 64;
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final OperatingSystemMXBean SYSTEM = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

    record Text(@Description("what to say") String text) {
    }

    /** A client that is connected: calls the tool once, and gives its text. */
    private interface Caller extends AutoCloseable {
        String call();

        @Override
        void close();
    }

    /** Calls each second, and microseconds of the processor for a call: of this process, and of the server. */
    private record Figures(double rate, double client, double server) {
    }

    private Bench() {
    }

    private static Caller libmcp(List<String> command) {
        ClientConfig config = new ClientConfig().command(command.getFirst()).args(command.subList(1, command.size())).protocol("legacy")
                .timeouts(new Timeouts().call(PATIENCE));
        String library = System.getenv("MCP_LIBRARY");
        if (library != null) {
            config.env(Map.of("MCP_LIBRARY", library)); // A server gets few variables otherwise.
        }
        Client client = Client.open(config);
        client.connect();
        return new Caller() {
            @Override
            public String call() {
                return client.callTool("echo", ECHO).text();
            }

            @Override
            public void close() {
                client.close();
            }
        };
    }

    private static Caller official(List<String> command) {
        ServerParameters server = ServerParameters.builder(command.getFirst()).args(command.subList(1, command.size())).build();
        McpSyncClient client = McpClient.sync(new StdioClientTransport(server, McpJsonDefaults.getMapper()))
                .requestTimeout(PATIENCE).build();
        client.initialize();
        return new Caller() {
            @Override
            public String call() {
                McpSchema.CallToolResult result = client.callTool(McpSchema.CallToolRequest.builder("echo").arguments(ECHO).build());
                return ((McpSchema.TextContent) result.content().getFirst()).text();
            }

            @Override
            public void close() {
                client.closeGracefully();
            }
        };
    }

    private static void serve(String which) throws InterruptedException {
        if (which.equals("libmcp")) {
            try (Server server = new Server(new ServerConfig().name("bench"))) {
                server.addTool("echo", "Says what it is told", Text.class, String.class, (request, text) -> text.text());
                server.runStdio();
            }
            return;
        }
        Map<String, Object> schema = Map.of("type", "object", "properties", Map.of("text", Map.of("type", "string")), "required", List.of("text"));
        McpServer.sync(new StdioServerTransportProvider(McpJsonDefaults.getMapper())).serverInfo("bench", "0")
                .capabilities(McpSchema.ServerCapabilities.builder().tools(false).build())
                .toolCall(McpSchema.Tool.builder("echo", schema).description("Says what it is told").build(), (exchange, request) ->
                        McpSchema.CallToolResult.builder().addTextContent((String) request.arguments().get("text")).build())
                .build();
        new CountDownLatch(1).await(); // The SDK ends the process when its input has ended.
    }

    public static void main(String[] arguments) throws Exception {
        List<String> words = new ArrayList<>(List.of(arguments));
        int calls = 40_000;
        int rounds = 5;
        boolean isPlatform = false;
        while (!words.isEmpty() && words.getFirst().startsWith("--")) {
            switch (words.removeFirst()) {
                case "--calls" -> calls = Integer.parseInt(words.removeFirst());
                case "--rounds" -> rounds = Integer.parseInt(words.removeFirst());
                case "--platform" -> isPlatform = true;
                case "--serve" -> {
                    serve(words.removeFirst());
                    return;
                }
                default -> words.clear();
            }
        }
        if (words.isEmpty()) {
            System.err.println("usage: Bench [--calls N] [--rounds N] [--platform] SERVER [ARGUMENT…]");
            System.exit(2);
        }
        System.out.printf("Java %s, %d processors, medians of %d rounds of %d calls; 64 in flight: %s threads%n", Runtime.version(),
                Runtime.getRuntime().availableProcessors(), rounds, calls, isPlatform ? "platform" : "virtual");
        for (String side : List.of("client", "server")) {
            for (int threads : new int[] {1, MANY}) {
                Map<String, List<Figures>> found = new HashMap<>();
                List<String> failures = new ArrayList<>();
                for (int round = 0; round < rounds; round++) {
                    // Who is first changes from round to round.
                    for (int turn = 0; turn < 2; turn++) {
                        String which = (turn + round) % 2 == 0 ? "libmcp" : "official";
                        List<String> command = side.equals("client") ? words : served(which);
                        try (Caller caller = side.equals("client") && which.equals("official") ? official(command) : libmcp(command)) {
                            found.computeIfAbsent(which, it -> new ArrayList<>()).add(measure(caller, threads, calls, isPlatform));
                        } catch (ExecutionException failure) {
                            failures.add("  " + which + " failed in round " + (round + 1) + ": " + failure.getCause().getMessage());
                            found.computeIfAbsent(which, it -> new ArrayList<>()).add(null);
                        }
                    }
                }
                print(side, threads, found.get("libmcp"), found.get("official"));
                failures.forEach(System.out::println);
            }
        }
        System.exit(0); // The SDK leaves threads.
    }

    /** This program as a server, on as many processors. */
    private static List<String> served(String which) {
        return List.of(System.getProperty("java.home") + "/bin/java", "--enable-native-access=ALL-UNNAMED", "-cp",
                System.getProperty("java.class.path"), "Bench", "--serve", which);
    }

    private static Figures measure(Caller caller, int threads, int calls, boolean isPlatform) throws Exception {
        run(caller, threads, calls, isPlatform); // Then the compilers of both processes are warm.
        long began = System.nanoTime();
        long client = SYSTEM.getProcessCpuTime();
        long server = children();
        int done = run(caller, threads, calls, isPlatform);
        double took = System.nanoTime() - began;
        return new Figures(done / (took / 1e9), (SYSTEM.getProcessCpuTime() - client) / 1e3 / done, (children() - server) / 1e3 / done);
    }

    private static long children() {
        return ProcessHandle.current().children().mapToLong(it -> it.info().totalCpuDuration().map(Duration::toNanos).orElse(0L)).sum();
    }

    private static int run(Caller caller, int threads, int calls, boolean isPlatform) throws Exception {
        int each = calls / threads;
        try (ExecutorService executor = threads == 1 || isPlatform ? Executors.newFixedThreadPool(threads) : Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                all.add(executor.submit(() -> {
                    for (int call = 0; call < each; call++) {
                        String said = caller.call();
                        if (!said.equals(ECHO.get("text"))) {
                            throw new IllegalStateException("echo says " + said);
                        }
                    }
                }));
            }
            for (Future<?> one : all) {
                one.get();
            }
        }
        return each * threads;
    }

    private static void print(String side, int threads, List<Figures> ours, List<Figures> theirs) {
        System.out.printf("%s, %s%n", side, threads == 1 ? "one after another" : threads + " in flight");
        for (Map.Entry<String, List<Figures>> one : List.of(Map.entry("libmcp", ours), Map.entry("official", theirs))) {
            List<Figures> whole = one.getValue().stream().filter(Objects::nonNull).toList();
            if (!whole.isEmpty()) {
                System.out.printf("  %-9s%8.0f calls/s, processor time of a call: client %.1f µs, server %.1f µs%n", one.getKey(),
                        median(whole.stream().map(Figures::rate).toList()), median(whole.stream().map(Figures::client).toList()),
                        median(whole.stream().map(Figures::server).toList()));
            }
        }
        // Of the rounds in which both have answered every call.
        List<Double> ratios = IntStream.range(0, ours.size()).filter(i -> ours.get(i) != null && theirs.get(i) != null)
                .mapToObj(i -> ours.get(i).rate / theirs.get(i).rate).sorted().toList();
        if (!ratios.isEmpty()) {
            System.out.printf("  ratio of the rates %.2f (%.2f – %.2f), of %d rounds%n", median(ratios), ratios.getFirst(), ratios.getLast(), ratios.size());
        }
    }

    private static double median(List<Double> values) {
        return values.stream().sorted().toList().get(values.size() / 2);
    }
}
