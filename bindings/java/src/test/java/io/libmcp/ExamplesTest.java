package io.libmcp;

import static io.libmcp.LoginTest.browse;
import static io.libmcp.LoginTest.serve;
import static io.libmcp.Tests.PATIENCE;
import static io.libmcp.Tests.command;
import static io.libmcp.Tests.contains;
import static io.libmcp.Tests.equal;

import io.libmcp.Tests.Folder;
import java.io.BufferedReader;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** The examples that need more than the command of a server: a file of servers, or a person with a browser. */
final class ExamplesTest {
    /** What a person does with the page to log in; gives the line that the program gets. */
    interface Person {
        String open(String url) throws Exception;
    }

    private static final Person AGREES = url -> {
        browse(url, true);
        return "";
    };
    private static final Person PASTES = url -> browse(url, false);
    private static final List<String> BACK = List.of("--redirect", "com.example.app:/callback");

    /** Runs an example to its end; gives what it said. */
    private static String run(Person person, String example, List<String> words) throws Exception {
        String classes = System.getenv("MCP_EXAMPLE_CLASSES");
        if (classes == null) {
            throw new Tests.Skipped("MCP_EXAMPLE_CLASSES names no folder; run `cargo xtask test --only java`");
        }
        List<String> program = new ArrayList<>(List.of(ProcessHandle.current().info().command().orElseThrow(),
                "--enable-native-access=ALL-UNNAMED", "-cp", System.getProperty("java.class.path") + ":" + classes, example));
        program.addAll(words);
        ProcessBuilder builder = new ProcessBuilder(program).redirectErrorStream(true);
        builder.environment().put("MCP_TOKEN", "sesame");
        Process process = builder.start();
        // An example that hangs is ended, so that its output ends.
        process.onExit().orTimeout(PATIENCE, TimeUnit.SECONDS).whenComplete((ended, late) -> process.destroyForcibly());
        StringBuilder said = new StringBuilder();
        try (BufferedReader output = process.inputReader(); Writer input = process.outputWriter()) {
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                said.append(line).append('\n');
                if (line.startsWith("http://")) {
                    input.write(person.open(line) + "\n");
                    input.flush();
                }
            }
        } finally {
            process.destroyForcibly().waitFor();
        }
        return said.toString();
    }

    private static void logsIn(String server, List<String> options, Person person, String says) throws Exception {
        serve(server, config -> {
            String url = config.url();
            contains(run(person, "WebLogin", Stream.concat(options.stream(), Stream.of(url)).toList()), says);
        });
    }

    static void testEveryServerOfAFileIsUsedAtOnce() throws Exception {
        Map<String, Object> servers = new HashMap<>();
        servers.put("ours", Map.of("command", command("MCP_EXAMPLE_SERVER").getFirst()));
        servers.put("scripted", Map.of("command", command("MCP_SCRIPTED_SERVER").getFirst()));
        servers.put("missing", Map.of("command", "/no/such/server"));
        try (Folder folder = new Folder()) {
            Path file = folder.path().resolve("mcp.json");
            Files.writeString(file, JsonValue.of(Map.of("mcpServers", servers)).toString());
            String said = run(url -> "", "MultiServer", List.of(file.toString()));
            for (String line : List.of("ours: echo, add", "scripted: echo", "missing: not usable: ")) {
                contains(said, line);
            }
        }
    }

    static void testALoginOfTheExample() throws Exception {
        logsIn("login=yes", List.of(), AGREES, "logged in; the server has ");
        logsIn("login=yes", BACK, PASTES, "logged in; the server has ");
        logsIn("login=yes", BACK, url -> "", "the person gave up");
        logsIn("login=no", BACK, PASTES, "access_denied");
        logsIn("token=sesame", List.of("--token"), AGREES, "logged in; the server has ");
        logsIn("login=yes", List.of("--token"), AGREES, "refuses the token");
    }

    static void testALoginThatTheExampleStores() throws Exception {
        serve("login=yes", config -> {
            String url = config.url();
            try (Folder folder = new Folder()) {
                String store = folder.path().toString();
                contains(run(AGREES, "WebLogin", List.of("--store", store, url)), "logged in; ");
                Person absent = page -> {
                    throw new AssertionError("the login was not kept: " + page);
                };
                String again = run(absent, "WebLogin", List.of("--logout", "--store", store, url));
                contains(again, "logged in; ");
                contains(again, "logged out");
                try (Stream<Path> files = Files.list(folder.path())) {
                    List<Path> kept = files.toList();
                    equal(kept.size(), 2);
                    for (Path file : kept) {
                        equal(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)), "rw-------");
                        equal(Files.readString(file).contains("token-"), false);
                    }
                }
            }
        });
    }
}
