package io.libmcp;

import static io.libmcp.Tests.check;
import static io.libmcp.Tests.command;
import static io.libmcp.Tests.contains;
import static io.libmcp.Tests.equal;

import io.libmcp.Settings.ClientConfig;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.tools.ToolProvider;

/** The programs that README.md shows work as printed. */
final class ReadmeTest {
    record Total(int sum) {
    }

    private static void compile(Path folder, String name, String program) throws Exception {
        Path file = folder.resolve(name + ".java");
        Files.writeString(file, program);
        int status = ToolProvider.getSystemJavaCompiler().run(null, null, null, "-cp", System.getProperty("java.class.path"), "-d", folder.toString(), file.toString());
        equal(status, 0);
    }

    private static List<String> java(Path folder, String name) {
        return List.of(System.getProperty("java.home") + "/bin/java", "--enable-native-access=ALL-UNNAMED",
                "-cp", System.getProperty("java.class.path") + java.io.File.pathSeparator + folder, name);
    }

    private static String block(String page, String heading) {
        Matcher found = Pattern.compile(heading + "\n\n```java\n(.*?)```", Pattern.DOTALL).matcher(page);
        check(found.find(), "README.md shows no program below " + heading);
        return found.group(1);
    }

    static void testTheClient() throws Exception {
        List<String> words = command("MCP_EVERYTHING_SERVER");
        String program = block(Files.readString(Path.of("README.md")), "## A client");
        String printed = "\"npx\", \"-y\", \"@modelcontextprotocol/server-everything\"";
        contains(program, printed);
        String started = words.stream().map(it -> JsonValue.of(it).toString()).collect(Collectors.joining(", "));
        try (Tests.Folder folder = new Tests.Folder()) {
            compile(folder.path(), "Hello", program.replace(printed, started));
            Process process = new ProcessBuilder(java(folder.path(), "Hello")).redirectErrorStream(true).start();
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            contains(said, "echo");
            contains(said, "Echo: Hello");
            equal(process.waitFor(), 0);
        }
    }

    static void testTheServer() throws Exception {
        try (Tests.Folder folder = new Tests.Folder()) {
            compile(folder.path(), "Adder", block(Files.readString(Path.of("README.md")), "## A server"));
            List<String> words = java(folder.path(), "Adder");
            // The server needs the variable that names the library; the others do not reach it.
            ClientConfig config = new ClientConfig().command(words.getFirst()).args(words.subList(1, words.size()));
            String library = System.getenv("MCP_LIBRARY");
            if (library != null) {
                config.env(Map.of("MCP_LIBRARY", library));
            }
            try (Client client = Client.open(config)) {
                equal(client.callTool("add", Map.of("a", 2, "b", 3)).structured(Total.class), new Total(5));
            }
        }
    }
}
