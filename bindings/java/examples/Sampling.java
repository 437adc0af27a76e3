import io.libmcp.Client;
import io.libmcp.ClientHandlers;
import io.libmcp.Protocol.CreateMessageResult;
import io.libmcp.Protocol.TextContent;
import io.libmcp.Settings.ClientConfig;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;

/** Sampling SERVER [ARGUMENT...]: lets the server use a language model, here one that counts words. */
public final class Sampling {
    private Sampling() {
    }

    public static void main(String[] command) {
        ClientHandlers handlers = new ClientHandlers().onSampling(request -> {
            String prompt = request.messages().stream().flatMap(message -> message.content().stream())
                    .map(block -> block instanceof TextContent text ? text.text() : "").collect(Collectors.joining("\n"));
            System.out.println("the server asks the model, for at most " + request.maxTokens() + " tokens: " + prompt);
            String answer = "I read " + prompt.split("\\s+").length + " words.";
            return new CreateMessageResult().role("assistant").model("word-counter").content(new TextContent().text(answer));
        });
        ClientConfig config = new ClientConfig().command(command[0]).args(Arrays.copyOfRange(command, 1, command.length));
        try (Client client = Client.open(config, handlers)) {
            // The name that AskingServer and the reference server have for it.
            boolean isOurs = client.listTools().stream().anyMatch(tool -> tool.name().equals("summarize"));
            Map<String, ?> arguments = isOurs ? Map.of("text", "How are you?") : Map.of("prompt", "How are you?", "maxTokens", 100);
            System.out.println("the tool says: "
                    + client.callTool(isOurs ? "summarize" : "trigger-sampling-request", arguments).orThrow().text());
        }
    }
}
