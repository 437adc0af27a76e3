package io.libmcp;

import static io.libmcp.Tests.check;
import static io.libmcp.Tests.equal;
import static io.libmcp.Tests.fails;

import io.libmcp.Protocol.Tool;
import io.libmcp.Settings.CallOptions;
import io.libmcp.Settings.ClientConfig;
import io.libmcp.Settings.Endpoint;
import io.libmcp.Settings.ServerConfig;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

final class HttpTest {
    private static Server server(CountDownLatch told) {
        Server server = new Server(new ServerConfig().name("web"));
        server.addTool(new Tool().name("echo").inputSchema(Map.of("type", "object")), (request, arguments) -> arguments.get("text").asText());
        server.addTool(new Tool().name("wait").inputSchema(Map.of("type", "object")), (request, arguments) -> {
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException interrupt) {
                told.countDown();
            }
            return "";
        });
        return server;
    }

    @SuppressWarnings("try") // It closes what is open.
    static void testAServerIsReachedInBothEras() throws InterruptedException {
        CountDownLatch told = new CountDownLatch(2);
        try (Server server = server(told)) {
            Endpoint bound = server.serve(new Endpoint().url("http://127.0.0.1:0/mcp"));
            for (String revision : List.of("2026-07-28", "2025-11-25")) {
                try (Client client = Client.open(new ClientConfig().url(bound.url()).protocol(revision))) {
                    client.connect(Duration.ofSeconds(20));
                    equal(client.info().get("revision").asText(), revision);
                    List<CompletableFuture<CallResult>> calls = IntStream.range(0, 100)
                            .mapToObj(i -> client.callToolAsync("echo", Map.of("text", "call " + i), null, null)).toList();
                    for (int i = 0; i < 100; i++) {
                        equal(calls.get(i).join().text(), "call " + i);
                    }
                    fails(Status.TIMEOUT, () -> client.callTool("wait", null, new CallOptions().timeout(Duration.ofMillis(100)), null));
                }
            }
            check(told.await(20, TimeUnit.SECONDS), "the handlers were interrupted");
            try (Client client = Client.open(URI.create(bound.url()))) {
                equal(client.callTool("echo", Map.of("text", "hi")).text(), "hi");
                CompletableFuture<CallResult> call = client.callToolAsync("wait", null, null, null);
                server.close();
                Throwable why = call.handle((result, failure) -> failure).join();
                check(why instanceof McpException, why);
            }
        }
    }
}
