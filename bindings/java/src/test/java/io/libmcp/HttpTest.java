package io.libmcp;

import static io.libmcp.Tests.PATIENCE;
import static io.libmcp.Tests.check;
import static io.libmcp.Tests.equal;
import static io.libmcp.Tests.fails;

import io.libmcp.Protocol.Tool;
import io.libmcp.Settings.CallOptions;
import io.libmcp.Settings.ClientConfig;
import io.libmcp.Settings.Endpoint;
import io.libmcp.Settings.ServerConfig;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

final class HttpTest {
    private static Server server(Semaphore began, Semaphore told) {
        Server server = new Server(new ServerConfig().name("web"));
        server.addTool(new Tool().name("echo").inputSchema(Map.of("type", "object")), (request, arguments) -> arguments.get("text").asText());
        server.addTool(new Tool().name("wait").inputSchema(Map.of("type", "object")), (request, arguments) -> {
            try {
                began.release();
                new CountDownLatch(1).await();
            } catch (InterruptedException interrupt) {
                told.release();
            }
            return "";
        });
        return server;
    }

    /** Inside the HTTP server of the JDK, beside a page of the program. */
    static void testAnHttpServerOfTheProgramTakesTheRequests() throws Exception {
        int before = Upcalls.count();
        HttpServer web = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
        String url = "http://127.0.0.1:" + web.getAddress().getPort() + "/mcp";
        // The server is closed first: it ends the event streams, for which the threads wait.
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor(); Server server = server(new Semaphore(0), new Semaphore(0))) {
            server.addTool(new Tool().name("count").inputSchema(Map.of("type", "object")), (request, arguments) -> {
                for (int i = 1; i <= 3; i++) {
                    request.progress(i, 3, null);
                }
                return "counted";
            });
            server.serve(new Endpoint().url(url).listen(false));
            web.setExecutor(threads);
            web.createContext("/page", exchange -> {
                exchange.sendResponseHeaders(204, -1);
                exchange.close();
            });
            web.createContext("/mcp", exchange -> {
                try (exchange; Exchange answer = server.http(exchange.getRequestMethod(), exchange.getRequestURI().toString(),
                        exchange.getRequestHeaders(), exchange.getRemoteAddress().getAddress().getHostAddress(), exchange.getRequestBody())) {
                    exchange.getResponseHeaders().putAll(answer.headers());
                    long length = answer.length();
                    exchange.sendResponseHeaders(answer.status(), length == 0 ? -1 : Math.max(length, 0));
                    InputStream body = answer.body();
                    byte[] part = new byte[4096];
                    for (int count; length != 0 && (count = body.read(part)) >= 0;) {
                        exchange.getResponseBody().write(part, 0, count);
                        exchange.getResponseBody().flush();
                    }
                }
            });
            web.start();
            for (String revision : List.of("2026-07-28", "2025-11-25")) {
                try (Client client = Client.open(new ClientConfig().url(url).protocol(revision))) {
                    List<Progress> reports = new ArrayList<>();
                    equal(client.callTool("count", null, null, reports::add).text(), "counted");
                    equal(reports.getLast().progress(), 3.0);
                    List<CompletableFuture<CallResult>> calls = IntStream.range(0, 50)
                            .mapToObj(i -> client.callToolAsync("echo", Map.of("text", "call " + i))).toList();
                    for (int i = 0; i < 50; i++) {
                        equal(calls.get(i).join().text(), "call " + i);
                    }
                    if (revision.equals("2026-07-28")) {
                        fails(Status.TIMEOUT, () -> client.callTool("wait", null, new CallOptions().timeout(Duration.ofMillis(100)), null));
                    }
                }
            }
            HttpURLConnection page = (HttpURLConnection) URI.create(url.replace("/mcp", "/page")).toURL().openConnection();
            equal(page.getResponseCode(), 204);
            try (Exchange refused = server.http("POST", "/mcp", Map.of("Host", List.of("elsewhere.example")), new byte[0])) {
                equal(refused.status(), 403);
            }
            // Nothing is read of a body whose head is refused, nor more than is announced to be too large.
            InputStream untouched = new InputStream() {
                @Override
                public int read() {
                    throw new AssertionError("the body is read");
                }
            };
            Map<String, List<String>> head = Map.of("Host", List.of("127.0.0.1"), "Content-Type", List.of("application/json"));
            try (Exchange refused = server.http("POST", "/mcp", Map.of("Host", List.of("elsewhere.example")), "192.0.2.7", untouched)) {
                equal(refused.status(), 403);
            }
            Map<String, List<String>> large = new HashMap<>(head);
            large.put("Content-Length", List.of("100000000"));
            try (Exchange refused = server.http("POST", "/mcp", large, null, untouched)) {
                equal(refused.status(), 413);
            }
            try (Exchange refused = server.http("POST", "/mcp", head, null, new ByteArrayInputStream(new byte[17_000_000]))) {
                equal(refused.status(), 413);
            }
            InputStream broken = new InputStream() {
                @Override
                public int read() throws IOException {
                    throw new IOException("the client is gone");
                }
            };
            try {
                server.http("POST", "/mcp", head, null, broken).close();
                throw new AssertionError("the body was read");
            } catch (IOException gone) {
                equal(gone.getMessage(), "the client is gone");
            }
        } finally {
            web.stop(0);
        }
        Tests.until("no handler is left", () -> Upcalls.count() == before);
    }

    static void testAStreamEndsBeforeItsAnswer() {
        for (String revision : List.of("2026-07-28", "2025-11-25")) {
            try (Server server = new Server(new ServerConfig().name("patient"))) {
                server.addTool(new Tool().name("close").inputSchema(Map.of("type", "object")), (request, arguments) ->
                        "closed: " + request.closeStream(Duration.ZERO) + ", again: " + request.closeStream(null));
                Endpoint bound = server.serve(new Endpoint().url("http://127.0.0.1:0/mcp"));
                try (Client client = Client.open(new ClientConfig().url(bound.url()).protocol(revision))) {
                    equal(client.callTool("close", null).text(), "closed: " + revision.equals("2025-11-25") + ", again: false");
                }
            }
        }
    }

    @SuppressWarnings("try") // It closes what is open.
    static void testAServerIsReachedInBothEras() throws InterruptedException {
        Semaphore began = new Semaphore(0);
        Semaphore told = new Semaphore(0);
        try (Server server = server(began, told)) {
            Endpoint bound = server.serve(new Endpoint().url("http://127.0.0.1:0/mcp"));
            for (String revision : List.of("2026-07-28", "2025-11-25")) {
                try (Client client = Client.open(new ClientConfig().url(bound.url()).protocol(revision))) {
                    client.connect(Duration.ofSeconds(PATIENCE));
                    equal(client.info().get("revision").asText(), revision);
                    List<CompletableFuture<CallResult>> calls = IntStream.range(0, 100)
                            .mapToObj(i -> client.callToolAsync("echo", Map.of("text", "call " + i))).toList();
                    for (int i = 0; i < 100; i++) {
                        equal(calls.get(i).join().text(), "call " + i);
                    }
                    fails(Status.TIMEOUT, () -> client.callTool("wait", null, new CallOptions().timeout(Duration.ofMillis(1)), null));
                    began.drainPermits();
                    told.drainPermits();
                    CompletableFuture<CallResult> call = client.callToolAsync("wait", null);
                    check(began.tryAcquire(PATIENCE, TimeUnit.SECONDS), "it began");
                    call.cancel(true);
                    check(told.tryAcquire(PATIENCE, TimeUnit.SECONDS), "the handler was interrupted");
                }
            }
            try (Client client = Client.open(URI.create(bound.url()))) {
                equal(client.callTool("echo", Map.of("text", "hi")).text(), "hi");
                CompletableFuture<CallResult> call = client.callToolAsync("wait", null);
                server.close();
                Throwable why = call.handle((result, failure) -> failure).join();
                check(why instanceof McpException, why);
            }
        }
    }
}
