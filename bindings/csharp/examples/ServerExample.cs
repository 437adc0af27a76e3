// ServerExample [URL]: a server on standard input and output, or at a URL such as http://127.0.0.1:0/mcp, which it prints.
using System;
using System.Threading.Tasks;
using Libmcp;

internal static class ServerExample {
    private static int Main(string[] arguments) {
        using (Server server = new Server(new { name = "example", version = "1.0" })) {
            Offer(server);
            if (arguments.Length > 0) {
                Console.WriteLine(server.Listen(arguments[0]));
                Console.ReadLine();
                return 0;
            }
            server.RunStdioAsync().Wait();
        }
        return 0;
    }

    private static void Offer(Server server) {
        const string Two = @"{""type"":""object"",""properties"":{""a"":{""type"":""number""},""b"":{""type"":""number""}},""required"":[""a"",""b""]}";
        server.AddTool("add", "Adds two numbers", Two, request =>
            Task.FromResult<object>(new { sum = request.Arguments["a"].AsDouble() + request.Arguments["b"].AsDouble() }));

        const string Slow = @"{""type"":""object"",""properties"":{""ms"":{""type"":""integer""},""steps"":{""type"":""integer""}},""required"":[""ms"",""steps""]}";
        server.AddTool("slow", "Takes its time, and says how far it is", Slow, async request => {
            long steps = Math.Max(1, request.Arguments["steps"].AsLong() ?? 1);
            for (long step = 1; step <= steps; step++) {
                await Task.Delay((int)((request.Arguments["ms"].AsLong() ?? 0) / steps), request.Cancellation);
                request.Progress(step, steps);
            }
            return "done";
        });

        // It runs again from its beginning when the person has answered: what happens once comes after the question.
        object form = new { type = "object", properties = new { people = new { type = "integer", title = "How many?" } }, required = new[] { "people" } };
        server.AddTool("reserve", "Reserves a table", @"{""type"":""object"",""properties"":{""place"":{""type"":""string""}}}", request => {
            Json answer = request.Elicit("people", "For how many people?", form);
            if (answer == null) {
                throw new ToolException("The person did not say for how many.");
            }
            return Task.FromResult<object>("a table for " + answer["people"] + " " + request.Arguments["place"].AsString());
        });

        server.AddText(new { uri = "example://greeting", name = "greeting", mimeType = "text/plain" }, "Hello, world!");
        server.AddPrompt(new { name = "greet", arguments = new[] { new { name = "name", required = true } } }, request =>
            Task.FromResult<object>("Greet " + request.Arguments["name"].AsString() + " kindly."));
    }
}
