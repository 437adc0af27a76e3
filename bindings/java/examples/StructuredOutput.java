import io.libmcp.CallResult;
import io.libmcp.Client;
import io.libmcp.McpException;
import io.libmcp.Status;
import java.util.Arrays;
import java.util.Map;

/** StructuredOutput SERVER [ARGUMENT...]: calls "add", reads its result as a record, and shows the ways in which a call fails. */
public final class StructuredOutput {
    record Numbers(double a, double b) {
    }

    record Total(double sum) {
    }

    private StructuredOutput() {
    }

    public static void main(String[] command) {
        try (Client client = Client.open(command[0], Arrays.copyOfRange(command, 1, command.length))) {
            CallResult result = client.callTool("add", new Numbers(2, 3)).orThrow();
            System.out.println("the sum is " + result.structured(Total.class).sum());

            // A tool that fails is not a call that fails: the result says so, for the model to read.
            CallResult wrong = client.callTool("add", Map.of("a", "two", "b", 3));
            System.out.println("add(\"two\", 3) " + (wrong.isError() ? "failed: " + wrong.text() : "worked"));

            try {
                client.callTool("no-such-tool", null);
            } catch (McpException refused) {
                if (refused.status() != Status.SERVER) {
                    throw refused;
                }
                System.out.println("no-such-tool was refused: " + refused.getMessage() + " (code " + refused.code() + ")");
            }
        }
    }
}
