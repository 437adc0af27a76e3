// Forgetful COMMAND: ends with a client, a server and a call under way, all of which it never closes, and prints the process of the client's server.
using System;
using Libmcp;

internal static class Forgetful {
    private static void Main(string[] arguments) {
        Client client = Client.Command(arguments[0]);
        client.ConnectAsync().Wait();
        Server server = new Server(new { name = "x" });
        server.Listen("http://127.0.0.1:0/mcp");
        client.CallToolAsync("slow", new { ms = 60000 }).ContinueWith(ended => ended.Exception);
        Console.Write(client.Info()["pid"]);
    }
}
