import io.libmcp.Client;
import io.libmcp.Settings.CallOptions;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;

/** LongCall SERVER [ARGUMENT...]: follows a call of "slow", and gives one up, of which the server is told. */
public final class LongCall {
    private LongCall() {
    }

    public static void main(String[] command) {
        try (Client client = Client.open(command[0], Arrays.copyOfRange(command, 1, command.length))) {
            // It may take long as long as it gets on.
            CallOptions options = new CallOptions().timeout(Duration.ofSeconds(10)).resetOnProgress(true).maxTotal(Duration.ofMinutes(1));
            String done = client.callTool("slow", Map.of("ms", 300, "steps", 3), options,
                    report -> System.out.println(report.progress() + " of " + report.total())).text();
            System.out.println(done);

            CompletableFuture<Void> begun = new CompletableFuture<>();
            CompletableFuture<?> call = client.callToolAsync("slow", Map.of("ms", 60_000, "steps", 6000), new CallOptions(),
                    report -> begun.complete(null));
            begun.join();
            call.cancel(true); // A thread that waits in callTool is interrupted instead.
            try {
                call.join();
            } catch (CancellationException given) {
                System.out.println("slow was given up");
            }
        }
    }
}
