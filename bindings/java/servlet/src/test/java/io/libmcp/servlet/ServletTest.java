package io.libmcp.servlet;

import io.libmcp.CallResult;
import io.libmcp.Client;
import io.libmcp.Progress;
import io.libmcp.Server;
import io.libmcp.Settings.ClientConfig;
import io.libmcp.Settings.Timeouts;
import io.libmcp.Settings.Endpoint;
import io.libmcp.Settings.ServerConfig;
import io.libmcp.Settings.ServerTimeouts;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
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

    /** Tomcat's first answer takes long on a machine that is busy. */
    private static final Timeouts PATIENT = new Timeouts().probe(Duration.ofMinutes(1));

    /** A servlet that finds what no program expects, in a request that the MCP servlet has begun. */
    private static final class Broken extends HttpServlet {
        private static final long serialVersionUID = 1;
        private final transient McpServlet servlet;

        Broken(McpServlet servlet) {
            this.servlet = servlet;
        }

        @Override
        public void service(ServletRequest request, ServletResponse response) throws ServletException, IOException {
            servlet.service(new HttpServletRequestWrapper((HttpServletRequest) request) {
                @Override
                public String getRemoteAddr() {
                    throw new AssertionError("the address is broken, as the test has it");
                }
            }, response);
        }
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
            ServerConfig config = new ServerConfig().name("web").version("1");
            ServerConfig hasty = new ServerConfig().name("web").version("1").timeouts(new ServerTimeouts().body(Duration.ofMillis(300)));
            try (Server server = new Server(config); Server impatient = new Server(hasty)) {
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
                McpServlet over = new McpServlet(server, new Endpoint().url("http://127.0.0.1/over"));
                add(context, "over", "/over", over, isAsync);
                McpServlet broken = new McpServlet(server, new Endpoint().url("http://127.0.0.1/broken"));
                add(context, "broken-mcp", "/broken-mcp", broken, isAsync);
                add(context, "broken", "/broken", new Broken(broken), isAsync);
                add(context, "impatient", "/impatient", new McpServlet(impatient), isAsync);
                tomcat.start();
                String base = "http://127.0.0.1:" + tomcat.getConnector().getLocalPort() + "/app";
                uses(base + "/mcp");
                check(status(base + "/mcp", "evil.example") == 403, "a name that is not this machine's is refused");
                check(status(base + "/named", "app.example") == 200, "the name of the endpoint is taken");
                check(status(base + "/broken", "127.0.0.1") == 500, "an error ends the request");
                over.destroy();
                check(status(base + "/over", "127.0.0.1") == 503, "an answer that begins when the servlet has stopped is ended");
                String slow = slowly(base + "/impatient");
                check(slow.startsWith("HTTP/1.1 408"), "a body of which parts come for too long is refused: " + slow);
                Socket silent = half(base + "/mcp");
                Client stays = Client.open(new ClientConfig().url(base + "/mcp").protocol("2025-11-25").timeouts(PATIENT));
                check(stays.callTool("echo", Map.of("text", "hi")).text().equals("hi"), "a client stays, with its stream");
                long began = System.nanoTime();
                tomcat.stop();
                tomcat.destroy();
                check(System.nanoTime() - began < TimeUnit.SECONDS.toNanos(10), "the container stops beside an open stream");
                stays.close();
                // Beside a body that does not come: without an end this fails by its time.
                awaitEnd(silent);
            }
            System.out.println(isAsync ? "asynchronous: well" : "on the container's threads: well");
        }
    }

    /** A request of which the body is being read: the container asks for it then. */
    private static Socket half(String url) throws IOException {
        URI uri = URI.create(url);
        Socket socket = new Socket(uri.getHost(), uri.getPort());
        socket.setSoTimeout(30_000);
        String head = "POST " + uri.getPath() + " HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
                + "Accept: application/json, text/event-stream\r\nContent-Length: 10000\r\nExpect: 100-continue\r\n\r\n";
        socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
        String line = line(socket.getInputStream());
        check(line.startsWith("HTTP/1.1 100") && line(socket.getInputStream()).isEmpty(), line);
        return socket;
    }

    /** Waits for the end of a connection, or until it is cut. */
    private static void awaitEnd(Socket socket) throws IOException {
        try (socket) {
            socket.getInputStream().readAllBytes();
        } catch (SocketException cut) {
            // That is an end, too.
        }
    }

    private static String line(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int one; (one = in.read()) >= 0 && one != '\n';) {
            line.append((char) one);
        }
        return line.toString().strip();
    }

    /** The first line of the answer to a body of which a byte comes now and then. */
    private static String slowly(String url) throws IOException {
        try (Socket socket = half(url)) {
            socket.setSoTimeout(50);
            for (int i = 0; i < 600; i++) {
                socket.getOutputStream().write(' ');
                try {
                    int first = socket.getInputStream().read();
                    socket.setSoTimeout(30_000);
                    return (char) first + line(socket.getInputStream());
                } catch (SocketTimeoutException none) {
                    // The next byte.
                }
            }
        }
        return "no answer in half a minute";
    }

    private static void add(Context context, String name, String path, HttpServlet servlet, boolean isAsync) {
        Wrapper wrapper = Tomcat.addServlet(context, name, servlet);
        wrapper.setAsyncSupported(isAsync);
        wrapper.addMapping(path);
    }

    private static void uses(String url) {
        for (String revision : List.of("2026-07-28", "2025-11-25")) {
            try (Client client = Client.open(new ClientConfig().url(url).protocol(revision).timeouts(PATIENT))) {
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
