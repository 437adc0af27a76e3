import io.libmcp.Description;
import io.libmcp.Protocol.Prompt;
import io.libmcp.Protocol.PromptArgument;
import io.libmcp.Protocol.Resource;
import io.libmcp.Server;
import io.libmcp.Settings.Endpoint;
import io.libmcp.Settings.ServerConfig;
import io.libmcp.ToolException;
import java.util.List;
import java.util.Optional;

/** ServerExample [URL]: three tools, a resource, a prompt and a question, over the standard streams or over HTTP. */
public final class ServerExample {
    record Sum(@Description("the first number") int a, @Description("the second number") int b) {
    }

    record Total(@Description("both together") int sum) {
    }

    record Steps(@Description("how far to count, at most 1000") int steps) {
    }

    record Order(@Description("what to order") String dish) {
    }

    record Confirmation(@Description("how many portions") int portions, @Description("a wish for the kitchen") Optional<String> note) {
    }

    private ServerExample() {
    }

    public static void main(String[] arguments) {
        try (Server server = new Server(new ServerConfig().name("java-example-server").version("1.0"))) {
            server.addTool("add", "Adds two numbers", Sum.class, Total.class, (request, sum) -> new Total(sum.a() + sum.b()));
            server.addTool("count", "Counts, and reports each step", Steps.class, String.class, (request, count) -> {
                if (count.steps() < 1 || count.steps() > 1000) {
                    throw new ToolException(count.steps() + " steps are not possible: ask for 1 to 1000");
                }
                for (int step = 1; step <= count.steps(); step++) {
                    Thread.sleep(1); // An interrupt says that no client waits for the answer any more.
                    request.progress(step, count.steps(), "step " + step);
                }
                return "counted to " + count.steps();
            });
            // Runs again with the answer: what must happen once comes after the question.
            server.addTool("order", "Orders a dish, after the user has confirmed", Order.class, String.class, (request, order) ->
                    request.elicit("confirm", "How many portions of " + order.dish() + "?", Confirmation.class)
                            .map(form -> "ordered " + form.portions() + " × " + order.dish())
                            .orElse("nothing was ordered"));
            server.addText(new Resource().uri("kitchen://menu").name("menu").mimeType("text/plain"), "soup, salad, pie");
            server.addPrompt(new Prompt().name("recommend").arguments(List.of(new PromptArgument().name("mood").required(true))),
                    request -> "Recommend a dish of kitchen://menu to someone who is " + request.argument("mood") + ".");
            if (arguments.length == 0) {
                server.runStdio();
            } else {
                System.out.println(server.serve(new Endpoint().url(arguments[0])).url());
                server.awaitEnd();
            }
        }
    }
}
