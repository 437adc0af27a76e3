package io.libmcp;

import static io.libmcp.Tests.check;
import static io.libmcp.Tests.command;
import static io.libmcp.Tests.contains;
import static io.libmcp.Tests.equal;
import static io.libmcp.Tests.fails;

import io.libmcp.Settings.AuthConfig;
import io.libmcp.Settings.ClientConfig;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

final class LoginTest {
    /** What uses the URL of a server. */
    interface User {
        void use(ClientConfig config) throws Exception;
    }

    static void serve(String person, User user) throws Exception {
        Process process = new ProcessBuilder(command("MCP_SCRIPTED_HTTP").getFirst(), "--life", "300", "--port", "0", person).start();
        try (BufferedReader output = process.inputReader()) {
            String port = output.readLine().split(" ")[0];
            user.use(new ClientConfig().url("http://127.0.0.1:" + port + "/mcp"));
        } finally {
            process.destroyForcibly().waitFor();
        }
    }

    /** What a browser does; gives where it is sent if it does not follow. */
    static String browse(String url, boolean follows) throws IOException {
        HttpURLConnection connection = (HttpURLConnection) URI.create(url).toURL().openConnection();
        connection.setInstanceFollowRedirects(follows);
        try {
            int status = connection.getResponseCode();
            check(!follows || status == 200, status);
            return connection.getHeaderField("Location");
        } finally {
            connection.disconnect();
        }
    }

    static void testAPersonLogsIn() throws Exception {
        serve("login=yes", config -> {
            AtomicInteger logins = new AtomicInteger();
            ClientHandlers handlers = new ClientHandlers().onLogin(login -> {
                logins.incrementAndGet();
                check(login.kind().equals("authorize") && login.listens(), login.json());
                browse(login.url(), true);
            });
            try (Client client = Client.open(config.auth(new AuthConfig()), handlers)) {
                equal(client.callTool("echo", Map.of("text", "in")).text(), "in");
                equal(logins.get(), 1);
            }
        });
    }

    static void testALoginComesBackToTheProgram() throws Exception {
        serve("login=yes", config -> {
            ClientHandlers handlers = new ClientHandlers().onLogin(login -> {
                check(!login.listens(), login.json());
                fails(Status.AUTH, () -> login.complete("com.example.app:/callback?code=x&state=another"));
                login.complete(browse(login.url(), false));
            });
            try (Client client = Client.open(config.auth(new AuthConfig().redirectUri("com.example.app:/callback")), handlers)) {
                equal(client.callTool("echo", Map.of("text", "in")).text(), "in");
            }
        });
    }

    static void testALoginThatIsNotFinishedEndsItsCalls() throws Exception {
        LoginHandler gaveUp = login -> {
            throw new IllegalStateException("closed the window");
        };
        serve("login=yes", config -> refused(config, new ClientHandlers().onLogin(gaveUp), "closed the window"));
        serve("login=yes", config -> refused(config, new ClientHandlers(), "onLogin"));
        serve("login=no", config -> refused(config, new ClientHandlers().onLogin(login -> {
            try {
                browse(login.url(), true);
            } catch (AssertionError page) {
                contains(String.valueOf(page.getMessage()), "4"); // the page says that it failed
            }
        }), "access_denied"));
    }

    private static void refused(ClientConfig config, ClientHandlers handlers, String why) {
        try (Client client = Client.open(config.auth(new AuthConfig()), handlers)) {
            contains(fails(Status.AUTH, () -> client.callTool("echo", null)).getMessage(), why);
        }
    }

    static void testATokenIsGiven() throws Exception {
        serve("token=sesame", config -> {
            ClientHandlers handlers = new ClientHandlers().onLogin(login -> {
                equal(login.kind(), "token");
                login.supply("sesame", Duration.ofHours(1));
            });
            try (Client client = Client.open(config.auth(new AuthConfig().type("bearer")), handlers)) {
                equal(client.callTool("echo", Map.of("text", "in")).text(), "in");
            }
        });
    }
}
