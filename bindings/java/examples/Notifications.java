import io.libmcp.Client;
import io.libmcp.ClientHandlers;
import io.libmcp.Settings.CallOptions;
import io.libmcp.Settings.ClientConfig;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.CountDownLatch;

/** Notifications SERVER [ARGUMENT...]: has "notify" send three log messages and a change of the tools, and shows them. */
public final class Notifications {
    private Notifications() {
    }

    public static void main(String[] command) throws InterruptedException {
        CountDownLatch messages = new CountDownLatch(3);
        CountDownLatch changes = new CountDownLatch(1);
        // They run one after another, in order. A slow one delays no call.
        ClientHandlers handlers = new ClientHandlers()
                .onNotification("notifications/message", message -> {
                    System.out.println(message.params().get("level").asText() + ": " + message.params().get("data"));
                    messages.countDown();
                })
                .onNotification("notifications/tools/list_changed", changed -> {
                    System.out.println("the tools have changed");
                    changes.countDown();
                })
                .onState(change -> System.out.println("state: " + change.state()));
        ClientConfig config = new ClientConfig().command(command[0]).args(Arrays.copyOfRange(command, 1, command.length));
        try (Client client = Client.open(config, handlers)) {
            client.callTool("notify", Map.of("count", 3, "changes", true), new CallOptions().logLevel("info"));
            messages.await();
            changes.await();
        }
    }
}
