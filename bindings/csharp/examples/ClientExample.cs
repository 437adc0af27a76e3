// ClientExample COMMAND [ARGUMENT...] or URL: uses a server as an agent does, the server example beside this one or another.
using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using Libmcp;

internal static class ClientExample {
    private sealed class Reports : IProgress<Json> {
        public void Report(Json value) => Console.WriteLine("progress: " + value["progress"] + " of " + value["total"]);
    }

    private static int Main(string[] arguments) {
        try {
            Run(arguments).GetAwaiter().GetResult();
            return 0;
        } catch (McpException failure) {
            Console.Error.WriteLine(failure.Status + ": " + failure.Message);
            return 1;
        }
    }

    private static async Task Run(string[] arguments) {
        ClientHandlers handlers = new ClientHandlers {
            Elicitation = question => {
                Console.WriteLine("the server asks: " + question["message"].AsString());
                return Task.FromResult<object>(new { action = "accept", content = new { people = 4 } });
            },
        };
        object config = arguments[0].Contains("://") ? (object)new { url = arguments[0] } : new { command = arguments[0], args = arguments.Skip(1) };
        using (Client client = new Client(config, handlers)) {
            client.Notified += notification => Console.WriteLine("notification: " + notification.Method);
            foreach (Json tool in await client.ListToolsAsync()) {
                Console.WriteLine("tool: " + tool["name"].AsString() + ": " + tool["description"].AsString());
            }
            CallResult sum = await client.CallToolAsync("add", new { a = 2, b = 3 });
            Console.WriteLine("the sum is " + sum.Structured["sum"]);
            CallResult table = await client.CallToolAsync("reserve", new { place = "near the window" });
            Console.WriteLine(table.Text);
            await client.CallToolAsync("slow", new { ms = 300, steps = 3 }, new CallOptions { Progress = new Reports() });
            await GiveUp(client);
            foreach (Json resource in await client.ListResourcesAsync()) {
                IReadOnlyList<Json> contents = await client.ReadResourceAsync(resource["uri"].AsString());
                Console.WriteLine(resource["uri"].AsString() + ": " + contents[0]["text"].AsString());
            }
            Json prompt = await client.GetPromptAsync("greet", new { name = "Ada" });
            Console.WriteLine("prompt: " + prompt["messages"][0]["content"]["text"].AsString());
        }
    }

    private static async Task GiveUp(Client client) {
        using (CancellationTokenSource source = new CancellationTokenSource(TimeSpan.FromMilliseconds(100))) {
            try {
                await client.CallToolAsync("slow", new { ms = 60000, steps = 1 }, cancellationToken: source.Token);
            } catch (OperationCanceledException) {
                Console.WriteLine("slow was given up");
            }
        }
    }
}
