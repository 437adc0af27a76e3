package greeter;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.libmcp.Client;
import io.libmcp.Server;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MainTest {
    @Test
    void greets() {
        try (Server server = Main.server(); Client client = Client.inProcess(server)) {
            assertEquals("Hello, Ada!", client.callTool("greet", Map.of("name", "Ada")).text());
            assertEquals(1, client.readResource("about://{{name}}").size());
        }
    }
}
