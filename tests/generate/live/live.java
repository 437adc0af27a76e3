// Calls tools of two servers through generated functions: live EXAMPLE EVERYTHING…; without arguments those of the broker at MCP_SOCKET.
import io.libmcp.Client;
import io.libmcp.Settings.ClientConfig;
import java.util.Arrays;

public class Live {
    public static void main(String[] words) {
        ClientConfig config = new ClientConfig();
        if (words.length > 0) {
            config.set("command", words[0]);
        } else {
            config.set("socket", System.getenv("MCP_SOCKET"));
        }
        try (Client client = Client.open(config)) {
            System.out.println("add " + example.AddTool.add(client, new example.AddTool.AddArguments(1.5, 2)).sum());
            System.out.println("echo " + example.EchoTool.echo(client, new example.EchoTool.EchoArguments("Hello")).text());
            System.out.println("parsed " + chosen.ParsedTool.parsed(client, new chosen.ParsedTool.ParsedArguments("{\"n\":7}")).n());
            try {
                example.FailTool.fail(client);
            } catch (RuntimeException why) {
                System.out.println("fail " + why.getMessage());
            }
        }
        if (words.length > 1) {
            String[] args = Arrays.copyOfRange(words, 2, words.length);
            try (Client other = Client.open(new ClientConfig().set("command", words[1]).set("args", args))) {
                var arguments = new everything.EchoTool.EchoArguments("Hello");
                System.out.println("everything " + everything.EchoTool.echo(other, arguments).text());
            }
        }
    }
}
