import io.libmcp.CallResult;
import io.libmcp.Client;
import io.libmcp.ClientHandlers;
import io.libmcp.JsonValue;
import io.libmcp.Protocol.ElicitResult;
import io.libmcp.Protocol.GetPromptResult;
import io.libmcp.Protocol.Resource;
import io.libmcp.Protocol.TextContent;
import io.libmcp.Protocol.Tool;
import io.libmcp.Settings.CallOptions;
import io.libmcp.Settings.ClientConfig;
import java.util.Arrays;
import java.util.Map;

/** Visit URL, or Visit COMMAND [ARGUMENT...]: calls everything of ServerExample, and writes what it answers, which is visit.txt. */
public final class Visit {
    private Visit() {
    }

    public static void main(String[] words) {
        ClientConfig config = words[0].startsWith("http://") ? new ClientConfig().url(words[0])
                : new ClientConfig().command(words[0]).args(Arrays.copyOfRange(words, 1, words.length));
        ClientHandlers handlers = new ClientHandlers().onElicitation(params -> {
            System.out.println("question: " + params.message());
            return new ElicitResult().action("accept").content(Map.of("portions", 2));
        });
        try (Client client = Client.open(config, handlers)) {
            client.connect();
            JsonValue server = client.info().get("server");
            System.out.println(server.get("name").asText() + " " + server.get("version").asText());
            for (Tool tool : client.listTools()) {
                System.out.println(tool.name() + " has the description: " + tool.description());
            }
            say(client, "add", Map.of("a", 2, "b", 3));
            say(client, "count", Map.of("steps", 4));
            say(client, "count", Map.of("steps", 1001));
            say(client, "order", Map.of("dish", "pie"));
            Resource menu = client.listResources().getFirst();
            System.out.println(menu.uri() + " " + menu.mimeType() + " " + client.readResource(menu.uri()).getFirst().text());
            GetPromptResult prompt = client.getPrompt(client.listPrompts().getFirst().name(), Map.of("mood", "calm"));
            TextContent text = (TextContent) prompt.messages().getFirst().content();
            System.out.println(prompt.messages().getFirst().role() + ": " + text.text());
        }
    }

    private static void say(Client client, String tool, Object arguments) {
        CallResult result = client.callTool(tool, arguments, new CallOptions(), report ->
                System.out.println(report.progress() + " of " + report.total() + ": " + report.message()));
        System.out.println(tool + ": " + (result.isError() ? "failed: " : "") + result.text());
    }
}
