import io.libmcp.Client;
import io.libmcp.ClientHandlers;
import io.libmcp.Protocol.Prompt;
import io.libmcp.Protocol.Resource;
import io.libmcp.Protocol.TextContent;
import io.libmcp.Settings.ClientConfig;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/** ResourcesAndPrompts SERVER [ARGUMENT...]: reads the first resource, follows it to its next change, and gets the first prompt. */
public final class ResourcesAndPrompts {
    private ResourcesAndPrompts() {
    }

    public static void main(String[] command) throws InterruptedException {
        BlockingQueue<String> changed = new LinkedBlockingQueue<>();
        ClientHandlers handlers = new ClientHandlers()
                .onNotification("notifications/resources/updated", update -> changed.add(update.params().get("uri").asText()));
        ClientConfig config = new ClientConfig().command(command[0]).args(Arrays.copyOfRange(command, 1, command.length));
        try (Client client = Client.open(config, handlers)) {
            Resource resource = client.listResources().getFirst();
            System.out.println(resource.uri() + " reads: " + client.readResource(resource.uri()).getFirst().text());

            client.subscribe(resource.uri());
            client.callTool("notify", Map.of("count", 0, "changes", true)); // With another server, change something.
            String uri = changed.take();
            System.out.println(uri + " changed and reads: " + client.readResource(uri).getFirst().text());
            client.unsubscribe(resource.uri());

            Prompt prompt = client.listPrompts().getFirst();
            client.getPrompt(prompt.name(), Map.of("name", "Ada")).messages().forEach(message -> {
                if (message.content() instanceof TextContent text) {
                    System.out.println(prompt.name() + ", " + message.role() + ": " + text.text());
                }
            });
        }
    }
}
