package greeter;

import io.libmcp.Description;
import io.libmcp.Protocol.Resource;
import io.libmcp.Server;
import io.libmcp.Settings.ServerConfig;

/** A server that greets, over the standard streams. */
public final class Main {
    record Person(@Description("Who is greeted") String name) {
    }

    private Main() {
    }

    static Server server() {
        Server server = new Server(new ServerConfig().name("{{name}}").version("0.1.0"));
        server.addTool("greet", "Greets a person by name", Person.class, String.class,
                (request, person) -> "Hello, " + person.name() + "!");
        server.addText(new Resource().uri("about://{{name}}").name("about").description("What this server is").mimeType("text/plain"),
                "A server that greets.");
        return server;
    }

    public static void main(String[] arguments) {
        try (Server server = server()) {
            server.runStdio();
        }
    }
}
