# the jar: the binding's first example, as one file of source
cat >Hello.java <<'END'
import io.libmcp.Client;
import java.util.Map;

public class Hello {
    public static void main(String[] arguments) {
        try (Client client = Client.open(arguments[0])) {
            System.out.println(client.callTool("echo", Map.of("text", "Hello from Java")).text());
        }
    }
}
END
java --enable-native-access=ALL-UNNAMED --class-path "$(echo /release/libmcp-[0-9]*[0-9].jar)" Hello.java "$SERVER"
