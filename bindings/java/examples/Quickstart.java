import io.libmcp.Client;
import io.libmcp.Protocol.Tool;
import java.util.Arrays;
import java.util.Map;

/** Quickstart SERVER [ARGUMENT...]: lists the tools of a server and calls "echo". */
public final class Quickstart {
    private Quickstart() {
    }

    public static void main(String[] command) {
        try (Client client = Client.open(command[0], Arrays.copyOfRange(command, 1, command.length))) {
            for (Tool tool : client.listTools()) { // starts the server
                System.out.println("tool: " + tool.name());
            }
            String text = "Hello from Java";
            System.out.println(client.callTool("echo", Map.of("text", text, "message", text)).text());
        }
    }
}
