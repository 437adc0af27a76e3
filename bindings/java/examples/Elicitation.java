import io.libmcp.Client;
import io.libmcp.ClientHandlers;
import io.libmcp.JsonValue;
import io.libmcp.Protocol.ElicitResult;
import io.libmcp.Settings.ClientConfig;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/** Elicitation SERVER [ARGUMENT...]: lets the server ask the user, here a person who fills in every form. */
public final class Elicitation {
    private Elicitation() {
    }

    public static void main(String[] command) {
        ClientHandlers handlers = new ClientHandlers().onElicitation(request -> {
            System.out.println("the server asks: " + request.message());
            Map<String, Object> content = new HashMap<>();
            request.requestedSchema().get("properties").members().forEach((name, field) -> {
                if (field.get("default").isAbsent()) { // The library fills in the defaults, and checks the form.
                    content.put(name, answer(field));
                }
            });
            return new ElicitResult().action("accept").content(content);
        });
        ClientConfig config = new ClientConfig().command(command[0]).args(Arrays.copyOfRange(command, 1, command.length));
        try (Client client = Client.open(config, handlers)) {
            // What AskingServer and the server of examples/server have for it.
            boolean isOurs = client.listTools().stream().anyMatch(tool -> tool.name().equals("reserve"));
            Map<String, ?> arguments = isOurs ? Map.of() : Map.of("question", "What is your favourite colour?");
            System.out.println("the tool says: " + client.callTool(isOurs ? "reserve" : "ask", arguments).orThrow().text());
        }
    }

    private static Object answer(JsonValue field) {
        if (!field.get("enum").isAbsent()) {
            return field.get("enum").at(0);
        }
        return switch (field.get("type").asText("")) {
            case "boolean" -> true;
            case "integer", "number" -> 4;
            default -> "blue";
        };
    }
}
