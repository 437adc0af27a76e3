import io.libmcp.Description;
import io.libmcp.Protocol.CreateMessageRequestParams;
import io.libmcp.Protocol.SamplingMessage;
import io.libmcp.Protocol.TextContent;
import io.libmcp.Server;
import io.libmcp.Settings.ServerConfig;
import java.util.List;

/** AskingServer: a server over the standard streams whose tools ask the person and the model of the client. */
public final class AskingServer {
    record Nothing() {
    }

    record Guests(@Description("how many people come") int people, @Description("near the window") boolean window) {
    }

    record Text(@Description("what to summarize") String text) {
    }

    private AskingServer() {
    }

    public static void main(String[] arguments) {
        try (Server server = new Server(new ServerConfig().name("asking-server").version("1.0"))) {
            // A handler runs again from its beginning with each answer: what must happen once comes after the last question.
            server.addTool("reserve", "Reserves a table, after the person has said for how many", Nothing.class, String.class,
                    (request, nothing) -> request.elicit("guests", "A table for how many?", Guests.class)
                            .map(guests -> "a table for " + guests.people() + (guests.window() ? " near the window" : ""))
                            .orElse("no table was reserved"));
            server.addTool("summarize", "Has the client's model summarize a text", Text.class, String.class, (request, text) -> {
                SamplingMessage message = new SamplingMessage().role("user").content(new TextContent().text("Summarize: " + text.text()));
                return request.sample("summary", new CreateMessageRequestParams().maxTokens(100).messages(List.of(message)))
                        .content().getFirst() instanceof TextContent answer ? answer.text() : "the model gave no text";
            });
            server.runStdio();
        }
    }
}
