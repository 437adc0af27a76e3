import io.libmcp.Client;
import io.libmcp.JsonValue;
import io.libmcp.McpException;
import io.libmcp.Protocol.Tool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;

/** MultiServer FILE: uses every server of an "mcpServers" file at the same time, each from a virtual thread, and tells which tools it has. */
public final class MultiServer {
    private MultiServer() {
    }

    public static void main(String[] arguments) throws Exception {
        Path file = Path.of(arguments[0]);
        List<String> names = names(file);
        List<Future<String>> found = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (String name : names) {
                found.add(threads.submit(() -> tools(file, name)));
            }
        } // waits for all of them
        for (int i = 0; i < names.size(); i++) {
            System.out.println(names.get(i) + ": " + found.get(i).get());
        }
    }

    private static List<String> names(Path file) throws IOException {
        return JsonValue.parse(Files.readString(file)).get("mcpServers").members().keySet().stream().sorted().toList();
    }

    private static String tools(Path file, String name) {
        try (Client client = Client.open(Client.load(file, name))) {
            return client.listTools().stream().map(Tool::name).collect(Collectors.joining(", "));
        } catch (McpException failure) {
            // If one server does not start, the program can still use the others.
            return "not usable: " + failure.getMessage();
        }
    }
}
