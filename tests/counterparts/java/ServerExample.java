import io.modelcontextprotocol.json.McpJsonDefaults;
import io.modelcontextprotocol.server.McpServer;
import io.modelcontextprotocol.server.McpServerFeatures.SyncPromptSpecification;
import io.modelcontextprotocol.server.McpServerFeatures.SyncResourceSpecification;
import io.modelcontextprotocol.server.McpSyncServerExchange;
import io.modelcontextprotocol.server.transport.HttpServletStreamableServerTransportProvider;
import io.modelcontextprotocol.server.transport.StdioServerTransportProvider;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.ElicitFormRequest;
import io.modelcontextprotocol.spec.McpSchema.ElicitResult;
import io.modelcontextprotocol.spec.McpSchema.GetPromptResult;
import io.modelcontextprotocol.spec.McpSchema.ProgressNotification;
import io.modelcontextprotocol.spec.McpSchema.Prompt;
import io.modelcontextprotocol.spec.McpSchema.PromptArgument;
import io.modelcontextprotocol.spec.McpSchema.PromptMessage;
import io.modelcontextprotocol.spec.McpSchema.ReadResourceResult;
import io.modelcontextprotocol.spec.McpSchema.Resource;
import io.modelcontextprotocol.spec.McpSchema.Role;
import io.modelcontextprotocol.spec.McpSchema.ServerCapabilities;
import io.modelcontextprotocol.spec.McpSchema.TextContent;
import io.modelcontextprotocol.spec.McpSchema.TextResourceContents;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.apache.catalina.Context;
import org.apache.catalina.startup.Tomcat;

/** ServerExample [URL]: bindings/java/examples/ServerExample.java on the official SDK. */
public final class ServerExample {
    private ServerExample() {
    }

    private static Map<String, Object> object(Map<String, Object> properties, String... required) {
        return Map.of("type", "object", "properties", properties, "required", List.of(required));
    }

    private static Map<String, Object> member(String type, String description) {
        return Map.of("type", type, "description", description);
    }

    private static CallToolResult said(String text) {
        return CallToolResult.builder().addTextContent(text).build();
    }

    private static CallToolResult count(McpSyncServerExchange exchange, CallToolRequest request) {
        int steps = ((Number) request.arguments().get("steps")).intValue();
        if (steps < 1 || steps > 1000) {
            return CallToolResult.builder().addTextContent(steps + " steps are not possible: ask for 1 to 1000").isError(true).build();
        }
        Object token = request.progressToken();
        for (int step = 1; step <= steps; step++) {
            try {
                Thread.sleep(1);
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
                return CallToolResult.builder().addTextContent("stopped").isError(true).build();
            }
            if (token != null) {
                exchange.progressNotification(ProgressNotification.builder(token, step).total((double) steps).message("step " + step).build());
            }
        }
        return said("counted to " + steps);
    }

    private static CallToolResult order(McpSyncServerExchange exchange, CallToolRequest request) {
        Object dish = request.arguments().get("dish");
        Map<String, Object> form = object(Map.of("portions", member("integer", "how many portions"), "note", member("string", "a wish for the kitchen")), "portions");
        ElicitResult answer = exchange.createElicitation(ElicitFormRequest.builder("How many portions of " + dish + "?", form).build());
        if (answer.action() != ElicitResult.Action.ACCEPT) {
            return said("nothing was ordered");
        }
        return said("ordered " + answer.content().get("portions") + " × " + dish);
    }

    private static <S extends McpServer.SyncSpecification<S>> void build(McpServer.SyncSpecification<S> server) {
        Map<String, Object> steps = Map.of("steps", member("integer", "how far to count, at most 1000"));
        Map<String, Object> summands = Map.of("a", member("integer", "the first number"), "b", member("integer", "the second number"));
        server.serverInfo("java-example-server", "1.0").capabilities(ServerCapabilities.builder().tools(true).resources(false, true).prompts(true).build())
                .toolCall(Tool.builder("add", object(summands, "a", "b")).description("Adds two numbers")
                        .outputSchema(object(Map.of("sum", member("integer", "both together")), "sum")).build(), (exchange, request) -> {
                            int sum = ((Number) request.arguments().get("a")).intValue() + ((Number) request.arguments().get("b")).intValue();
                            return CallToolResult.builder().structuredContent(Map.of("sum", sum)).addTextContent("{\"sum\":" + sum + "}").build();
                        })
                .toolCall(Tool.builder("count", object(steps, "steps")).description("Counts, and reports each step").build(), ServerExample::count)
                .toolCall(Tool.builder("order", object(Map.of("dish", member("string", "what to order")), "dish"))
                        .description("Orders a dish, after the user has confirmed").build(), ServerExample::order)
                .resources(new SyncResourceSpecification(Resource.builder("kitchen://menu", "menu").mimeType("text/plain").build(),
                        (exchange, request) -> ReadResourceResult.builder(List.of(TextResourceContents.builder(request.uri(), "soup, salad, pie").mimeType("text/plain").build())).build()))
                .prompts(new SyncPromptSpecification(Prompt.builder("recommend").arguments(List.of(PromptArgument.builder("mood").required(true).build())).build(),
                        (exchange, request) -> {
                            String text = "Recommend a dish of kitchen://menu to someone who is " + request.arguments().get("mood") + ".";
                            return GetPromptResult.builder(List.of(PromptMessage.builder(Role.USER, TextContent.builder(text).build()).build())).build();
                        }))
                .build();
    }

    public static void main(String[] arguments) throws Exception {
        if (arguments.length == 0) {
            build(McpServer.sync(new StdioServerTransportProvider(McpJsonDefaults.getMapper())));
            new CountDownLatch(1).await(); // The SDK ends the process when its input has ended.
        }
        // Over HTTP the SDK is a servlet: the program starts a server for it.
        URI url = URI.create(arguments[0]);
        HttpServletStreamableServerTransportProvider transport = HttpServletStreamableServerTransportProvider.builder().mcpEndpoint(url.getPath()).build();
        build(McpServer.sync(transport));
        Tomcat tomcat = new Tomcat();
        tomcat.setBaseDir(System.getProperty("java.io.tmpdir"));
        tomcat.setHostname(url.getHost());
        tomcat.setPort(url.getPort());
        Context context = tomcat.addContext("", null);
        Tomcat.addServlet(context, "mcp", transport).setAsyncSupported(true);
        context.addServletMappingDecoded(url.getPath(), "mcp");
        tomcat.getConnector().setProperty("address", url.getHost());
        tomcat.start();
        System.out.println("http://" + url.getHost() + ":" + tomcat.getConnector().getLocalPort() + url.getPath());
        tomcat.getServer().await();
    }
}
