package io.libmcp.servlet;

import io.libmcp.CallResult;
import io.libmcp.Client;
import io.libmcp.Progress;
import io.libmcp.Server;
import io.libmcp.Settings.ClientConfig;
import io.libmcp.Settings.Endpoint;
import io.libmcp.Settings.ServerConfig;
import java.io.File;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.catalina.Context;
import org.apache.catalina.Wrapper;
import org.apache.catalina.startup.Tomcat;

/** The servlet in Tomcat, with and without asynchronous requests; the argument is a folder for Tomcat's files. */
final class ServletTest {
    record Text(String text) {
    }

    private ServletTest() {
    }

    public static void main(String[] arguments) throws Exception {
        for (boolean isAsync : new boolean[] {true, false}) {
            Tomcat tomcat = new Tomcat();
            tomcat.setBaseDir(Path.of(arguments[0]).toString());
            tomcat.setHostname("127.0.0.1");
            tomcat.setPort(0);
            Context context = tomcat.addContext("/app", new File(arguments[0]).getAbsolutePath());
            try (Server server = new Server(new ServerConfig().name("web").version("1"))) {
                server.addTool("echo", "Says it again", Text.class, String.class, (request, text) -> text.text());
                server.addTool("count", "Counts", Text.class, String.class, (request, text) -> {
                    for (int i = 1; i <= 3; i++) {
                        request.progress(i, 3, null);
                    }
                    return "counted";
                });
                add(context, "mcp", "/mcp", new McpServlet(server), isAsync);
                // A name of its own, and a path that is not that of the container.
                add(context, "named", "/named", new McpServlet(server, new Endpoint().url("http://app.example/elsewhere")), isAsync);
                tomcat.start();
                String base = "http://127.0.0.1:" + tomcat.getConnector().getLocalPort() + "/app";
                uses(base + "/mcp");
                check(status(base + "/mcp", "evil.example") == 403, "a name that is not this machine's is refused");
                check(status(base + "/named", "app.example") == 200, "the name of the endpoint is taken");
                Client stays = Client.open(new ClientConfig().url(base + "/mcp").protocol("2025-11-25"));
                check(stays.callTool("echo", Map.of("text", "hi")).text().equals("hi"), "a client stays, with its stream");
                long began = System.nanoTime();
                tomcat.stop();
                tomcat.destroy();
                check(System.nanoTime() - began < TimeUnit.SECONDS.toNanos(10), "the container stops beside an open stream");
                stays.close();
            }
            System.out.println(isAsync ? "asynchronous: well" : "on the container's threads: well");
        }
    }

    private static void add(Context context, String name, String path, McpServlet servlet, boolean isAsync) {
        Wrapper wrapper = Tomcat.addServlet(context, name, servlet);
        wrapper.setAsyncSupported(isAsync);
        wrapper.addMapping(path);
    }

    private static void uses(String url) {
        for (String revision : List.of("2026-07-28", "2025-11-25")) {
            try (Client client = Client.open(new ClientConfig().url(url).protocol(revision))) {
                List<Progress> reports = new ArrayList<>();
                check(client.callTool("count", Map.of("text", ""), null, reports::add).text().equals("counted"), "a stream of an answer");
                check(reports.size() == 3, reports);
                List<CompletableFuture<CallResult>> calls = IntStream.range(0, 50)
                        .mapToObj(i -> client.callToolAsync("echo", Map.of("text", "é " + i))).toList();
                for (int i = 0; i < 50; i++) {
                    check(calls.get(i).join().text().equals("é " + i), "call " + i);
                }
            }
        }
    }

    private static int status(String url, String host) throws Exception {
        System.setProperty("jdk.httpclient.allowRestrictedHeaders", "host");
        String list = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{},"
                + "\"clientInfo\":{\"name\":\"t\",\"version\":\"1\"}}}";
        try (HttpClient client = HttpClient.newHttpClient()) {
            HttpRequest request = HttpRequest.newBuilder(URI.create(url)).header("Host", host).header("Content-Type", "application/json")
                    .header("Accept", "application/json, text/event-stream").POST(HttpRequest.BodyPublishers.ofString(list)).build();
            return client.send(request, HttpResponse.BodyHandlers.ofString()).statusCode();
        }
    }

    private static void check(boolean holds, Object what) {
        if (!holds) {
            throw new AssertionError(String.valueOf(what));
        }
    }
}
