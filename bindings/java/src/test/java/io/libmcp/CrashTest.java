package io.libmcp;

import static io.libmcp.Tests.PATIENCE;
import static io.libmcp.Tests.check;
import static io.libmcp.Tests.equal;
import static io.libmcp.Tests.example;

import io.libmcp.Protocol.Tool;
import io.libmcp.Settings.CallOptions;
import io.libmcp.Settings.Endpoint;
import io.libmcp.Settings.Reconnect;
import io.libmcp.Settings.ServerConfig;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** The other side is killed under load. */
final class CrashTest {
    static void testAKilledServerEndsEachOfAThousandCallsOnce() throws Exception {
        try (Client client = Client.open(example().reconnect(new Reconnect().initial(Duration.ofMillis(10))))) {
            client.connect();
            long pid = client.info().get("pid").asLong();
            AtomicInteger ended = new AtomicInteger();
            List<CompletableFuture<String>> calls = new ArrayList<>();
            // As many as may wait at once; half of them would take a minute.
            for (int i = 0; i < 1000; i++) {
                Map<String, Object> arguments = Map.of("ms", i % 2 == 0 ? 60_000 : 0);
                calls.add(client.async(() -> {
                    try {
                        client.callTool("slow", arguments);
                        return "ok";
                    } catch (McpException failure) {
                        return failure.status().toString();
                    } finally {
                        ended.incrementAndGet();
                    }
                }));
            }
            Tests.until("the short ones have ended", () -> ended.get() >= 500);
            kill(pid);
            List<String> outcomes = new ArrayList<>();
            for (CompletableFuture<String> call : calls) {
                outcomes.add(call.get(PATIENCE, TimeUnit.SECONDS));
            }
            equal(ended.get(), 1000);
            equal(outcomes.stream().filter("ok"::equals).count(), 500L);
            equal(outcomes.stream().filter("transport"::equals).count(), 500L);
            equal(client.callTool("echo", Map.of("text", "back"), new CallOptions().whenUnavailable("wait"), null).text(), "back");
            check(client.info().get("pid").asLong() != pid, "another server");
        }
    }

    /** A client that is killed under load leaves nothing in the server: no request, no handler, no session over its connection. */
    static void testAKilledClientLeavesNothingInTheServer() throws Exception {
        AtomicInteger running = new AtomicInteger();
        try (Server server = new Server(new ServerConfig().name("x"))) {
            server.addTool(new Tool().name("wait").inputSchema(Map.of("type", "object")), (request, arguments) -> {
                running.incrementAndGet();
                try {
                    new CountDownLatch(1).await();
                } finally {
                    running.decrementAndGet();
                }
                return "";
            });
            String url = server.serve(new Endpoint().url("http://127.0.0.1:0/mcp")).url();
            Process client = new ProcessBuilder(System.getProperty("java.home") + "/bin/java", "--enable-native-access=ALL-UNNAMED",
                    "-cp", System.getProperty("java.class.path"), "io.libmcp.CrashTest$Load", url).inheritIO().start();
            try {
                Tests.until("its calls run", () -> running.get() == 50);
            } finally {
                client.destroyForcibly().waitFor();
            }
            Tests.until("its calls have ended", () -> running.get() == 0 && server.info().get("requests").asLong() == 0);
            try (Client next = Client.open(java.net.URI.create(url))) {
                equal(next.listTools().size(), 1);
            }
        }
    }

    /** Fifty calls that do not end. */
    static final class Load {
        public static void main(String[] arguments) {
            Client client = Client.open(java.net.URI.create(arguments[0]));
            List<CompletableFuture<CallResult>> calls = java.util.stream.IntStream.range(0, 50)
                    .mapToObj(i -> client.callToolAsync("wait", null)).toList();
            calls.forEach(CompletableFuture::join);
        }
    }

    static void kill(long pid) {
        ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
    }
}
