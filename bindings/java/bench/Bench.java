import io.libmcp.Client;
import io.libmcp.Server;
import io.libmcp.Settings.ClientConfig;
import io.libmcp.Settings.Endpoint;
import io.libmcp.Settings.ServerConfig;
import io.modelcontextprotocol.client.McpAsyncClient;
import io.modelcontextprotocol.client.McpClient;
import io.modelcontextprotocol.client.transport.ServerParameters;
import io.modelcontextprotocol.client.transport.StdioClientTransport;
import io.modelcontextprotocol.json.McpJsonDefaults;
import io.modelcontextprotocol.server.McpServer;
import io.modelcontextprotocol.server.transport.HttpServletStreamableServerTransportProvider;
import io.modelcontextprotocol.server.transport.StdioServerTransportProvider;
import io.modelcontextprotocol.spec.McpSchema;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;
import org.apache.catalina.Context;
import org.apache.catalina.startup.Tomcat;

/**
 * This binding and the official Java SDK, as benches/languages.py measures them beside each other: a client, a server, or a
 * server that is only made.
 *
 * <pre>
 * java -cp … Bench libmcp|official workload=seq|pipe era=legacy server=PROGRAM calls=N warm=N
 * java -cp … Bench libmcp|official stdio|http|load
 * </pre>
 *
 * As a client it speaks the lines of benches/contenders, with 64 virtual threads for the workload pipe; as a server over HTTP it says its URL,
 * and ends with its input.
 */
public final class Bench {
    private static final int SLOTS = 64;
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final BufferedReader INPUT = new BufferedReader(new InputStreamReader(System.in));

    record Text(String text) {
    }

    record Name(String name) {
    }

    record Number(int n) {
    }

    record Data(Map<String, Object> data) {
    }

    record Query(String query, long delay_ms) {
    }

    private Bench() {
    }

    public static void main(String[] arguments) throws Exception {
        boolean isOurs = arguments[0].equals("libmcp");
        switch (arguments[1]) {
            case "load", "stdio", "http" -> {
                if (isOurs) {
                    serve(arguments[1]);
                } else {
                    serveOfficial(arguments[1]);
                }
            }
            default -> measure(isOurs, List.of(arguments).subList(1, arguments.length));
        }
        System.exit(0); // The SDK leaves threads.
    }

    private static int fibonacci(int n) {
        return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
    }

    private static Map<String, Object> raised(Map<?, ?> data) {
        Map<String, Object> all = new HashMap<>();
        data.forEach((key, value) -> all.put((String) key, value instanceof String text ? text.toUpperCase() : value));
        return all;
    }

    private static void serve(String how) throws Exception {
        try (Server server = new Server(new ServerConfig().name("bench").version("1"))) {
            server.addTool("echo", "Says it again", Text.class, String.class, (request, in) -> in.text());
            server.addTool("hello", "Greets", Name.class, String.class, (request, in) -> "Hello, " + in.name() + "!");
            server.addTool("calculate_fibonacci", "Counts", Number.class, String.class, (request, in) -> String.valueOf(fibonacci(in.n())));
            server.addTool("process_json_data", "Raises", Data.class, Map.class, (request, in) -> raised(in.data()));
            server.addTool("simulate_database_query", "Waits", Query.class, String.class, (request, in) -> {
                Thread.sleep(in.delay_ms());
                return in.query();
            });
            if (how.equals("stdio")) {
                server.runStdio();
            }
            if (!how.equals("http")) {
                return;
            }
            System.out.println(server.serve(new Endpoint().url("http://127.0.0.1:0/mcp")).url());
            while (INPUT.readLine() != null) { }
        }
    }

    /** A tool whose parameters have these types. */
    private static McpSchema.Tool tool(String name, Map<String, String> types) {
        Map<String, Object> properties = new HashMap<>();
        types.forEach((parameter, type) -> properties.put(parameter, Map.of("type", type)));
        return McpSchema.Tool.builder(name, Map.of("type", "object", "properties", properties, "required", List.copyOf(types.keySet()))).build();
    }

    private static <S extends McpServer.SyncSpecification<S>> McpServer.SyncSpecification<S> add(McpServer.SyncSpecification<S> server,
            McpSchema.Tool tool, Function<Map<String, Object>, String> work) {
        return server.toolCall(tool, (exchange, request) -> McpSchema.CallToolResult.builder().addTextContent(work.apply(request.arguments())).build());
    }

    private static String query(Map<String, Object> in) {
        try {
            Thread.sleep(((java.lang.Number) in.get("delay_ms")).longValue());
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
        return (String) in.get("query");
    }

    private static <S extends McpServer.SyncSpecification<S>> void build(McpServer.SyncSpecification<S> server) {
        server.serverInfo("bench", "1").capabilities(McpSchema.ServerCapabilities.builder().tools(false).build());
        add(server, tool("echo", Map.of("text", "string")), in -> (String) in.get("text"));
        add(server, tool("hello", Map.of("name", "string")), in -> "Hello, " + in.get("name") + "!");
        add(server, tool("calculate_fibonacci", Map.of("n", "integer")), in -> String.valueOf(fibonacci(((java.lang.Number) in.get("n")).intValue())));
        add(server, tool("process_json_data", Map.of("data", "object")), in -> raised((Map<?, ?>) in.get("data")).toString());
        add(server, tool("simulate_database_query", Map.of("query", "string", "delay_ms", "integer")), Bench::query);
        server.build();
    }

    private static void serveOfficial(String how) throws Exception {
        if (!how.equals("http")) {
            build(McpServer.sync(new StdioServerTransportProvider(McpJsonDefaults.getMapper())));
            if (how.equals("load")) {
                return;
            }
            new CountDownLatch(1).await(); // The SDK ends the process when its input has ended.
        }
        // Over HTTP the SDK is a servlet.
        HttpServletStreamableServerTransportProvider transport = HttpServletStreamableServerTransportProvider.builder().mcpEndpoint("/mcp").build();
        build(McpServer.sync(transport));
        Tomcat tomcat = new Tomcat();
        tomcat.setBaseDir(System.getProperty("java.io.tmpdir"));
        tomcat.setHostname("127.0.0.1");
        tomcat.setPort(0);
        Context context = tomcat.addContext("", null);
        Tomcat.addServlet(context, "mcp", transport).setAsyncSupported(true);
        context.addServletMappingDecoded("/mcp", "mcp");
        tomcat.getConnector().setProperty("address", "127.0.0.1");
        // An open connection may stay so for the whole run.
        tomcat.getConnector().setProperty("maxKeepAliveRequests", "-1");
        tomcat.start();
        System.out.println("http://127.0.0.1:" + tomcat.getConnector().getLocalPort() + "/mcp");
        while (INPUT.readLine() != null) { }
    }

    private static void measure(boolean isOurs, List<String> words) throws Exception {
        Map<String, String> options = new HashMap<>();
        words.forEach(word -> options.put(word.split("=", 2)[0], word.split("=", 2)[1]));
        int calls = Integer.parseInt(options.get("calls"));
        int warm = Integer.parseInt(options.get("warm"));
        int at = options.get("workload").equals("pipe") ? SLOTS : 1;
        List<String> arguments = List.of("--era", options.get("era"));
        if (isOurs) {
            try (Client client = Client.open(new ClientConfig().command(options.get("server")).args(arguments))) {
                talk(text -> client.callTool("echo", Map.of("text", text)).text(), at, warm, calls);
            }
            return;
        }
        ServerParameters server = ServerParameters.builder(options.get("server")).args(arguments).build();
        McpAsyncClient client = McpClient.async(new StdioClientTransport(server, McpJsonDefaults.getMapper())).requestTimeout(PATIENCE).build();
        client.initialize().block();
        talk(text -> {
            McpSchema.CallToolRequest request = McpSchema.CallToolRequest.builder("echo").arguments(Map.of("text", text)).build();
            CompletableFuture<McpSchema.CallToolResult> sent;
            synchronized (client) { // The SDK cannot send from two threads: calls are lost.
                sent = client.callTool(request).toFuture();
            }
            McpSchema.CallToolResult result = sent.join();
            return ((McpSchema.TextContent) result.content().getFirst()).text();
        }, at, warm, calls);
        client.closeGracefully().block();
    }

    private static void talk(Function<String, String> call, int at, int warm, int calls) throws Exception {
        work(call, at, warm); // Then the compilers are warm.
        System.out.println("ready version=java");
        INPUT.readLine();
        long began = System.nanoTime();
        work(call, at, calls);
        System.out.println("done calls=" + calls / at * at + " ns=" + (System.nanoTime() - began));
        INPUT.readLine();
    }

    /** Calls from so many threads, and looks at each answer. */
    private static void work(Function<String, String> call, int at, int calls) throws Exception {
        try (ExecutorService executor = at == 1 ? Executors.newSingleThreadExecutor() : Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> all = new ArrayList<>();
            for (int slot = 0; slot < at; slot++) {
                String text = "call %02d of the benchmark, with enough words to be sixty-four now".formatted(slot);
                all.add(executor.submit(() -> {
                    for (int i = 0; i < calls / at; i++) {
                        String said = call.apply(text);
                        if (!said.equals(text)) {
                            throw new IllegalStateException("echo says " + said);
                        }
                    }
                }));
            }
            for (Future<?> one : all) {
                one.get();
            }
        }
    }
}
