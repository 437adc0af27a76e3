using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Diagnostics;
using System.IO;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using Libmcp;
using static Tests;

internal static class ServerTests {
    private static readonly object Nothing = new { type = "object" };
    private static readonly string[] Revisions = { "2026-07-28", "2025-11-25" };

    private static Task<object> Done(object result) => Task.FromResult(result);

    /// <summary>A server that asks everything that a server may ask.</summary>
    private static Server Asking() {
        Server server = new Server(new { name = "asking", version = "1" });
        server.AddTool("sample", "", Nothing, request => Done(request.Ask("s", "sampling/createMessage",
            new { maxTokens = 10, messages = new[] { new { role = "user", content = new { type = "text", text = "a rhyme" } } } })["content"]["text"].AsString()));
        object form = new { type = "object", properties = new { portions = new { type = "integer" } }, required = new[] { "portions" } };
        server.AddTool("elicit", "", Nothing, request => {
            Json answer = request.Elicit("e", "How many?", form);
            return Done(answer == null ? "none" : answer["portions"] + " portions");
        });
        server.AddTool("roots", "", Nothing, request => Done(request.Ask("r", "roots/list")["roots"][0]["uri"].AsString() + " " + request.Context()["round"]));
        server.AddTool("two", "", Nothing, request => {
            if (request.Kept() == null) {
                request.Keep("kept");
            }
            string first = request.Ask("a", "roots/list")["roots"][0]["uri"].AsString();
            return Done(request.Elicit("b", "And?", form)["portions"] + first + request.Kept());
        });
        return server;
    }

    static async Task TestResultsOfEachKindArrive() {
        object image = new { type = "image", data = "aGk=", mimeType = "image/png" };
        Dictionary<string, object> structured = new Dictionary<string, object> {
            { "{\"result\":7}", 7 }, { "{\"result\":true}", true }, { "{\"result\":[1,2]}", new[] { 1, 2 } }, { "{\"a\":1}", new { a = 1 } },
            { "{\"result\":[]}", new object[0] }, { "{\"type\":\"image\"}", new { type = "image" } },
        };
        foreach (KeyValuePair<string, object> given in structured) {
            CallResult result = await Given(given.Value);
            Check(!result.IsError, result.Json);
            Equal(result.Json["structuredContent"].ToString(), given.Key);
        }
        foreach (object given in new object[] { image, new[] { image }, new List<object> { image } }) {
            CallResult result = await Given(given);
            Equal(result.Json["content"].ToString(), "[" + Json.Of(image) + "]");
            Check(result.Json["structuredContent"].IsAbsent, result.Json);
        }
        Equal((await Given("")).Text, "");
        DateTime noon = new DateTime(2026, 7, 28, 12, 0, 0, DateTimeKind.Utc);
        Equal(Json.Of(new { noon, id = Guid.Empty, at = new Uri("https://x.example/"), bytes = new byte[] { 1, 2 } }).ToString(),
            "{\"noon\":\"2026-07-28T12:00:00.0000000Z\",\"id\":\"00000000-0000-0000-0000-000000000000\",\"at\":\"https://x.example/\",\"bytes\":\"AQI=\"}");
    }

    static async Task TestHandlersMayWaitOrNot() {
        using (Server server = new Server(new { name = "kinds" })) {
            server.AddTool("plain", "", Nothing, request => "now");
            server.AddTool(new { name = "later", inputSchema = Nothing }, async request => {
                await Task.Yield();
                return "later";
            });
            // A method that gives a Task<string>, as a lambda without "await" calls it.
            server.AddTool("forgotten", "", Nothing, request => Later());
            server.AddTool("nothing", "", Nothing, request => Task.Delay(1));
            server.AddResource(new { uri = "a://b", name = "b" }, request => new byte[] { 1, 2 });
            server.AddPrompt(new { name = "p" }, request => "say it");
            using (Client client = Client.InProcess(server)) {
                Equal((await client.CallToolAsync("plain")).Text, "now");
                Equal((await client.CallToolAsync("later")).Text, "later");
                Equal((await client.CallToolAsync("forgotten")).Text, "forgotten");
                Equal((await client.CallToolAsync("nothing")).Text, "");
                Equal((await client.ReadResourceAsync("a://b"))[0]["blob"].AsString(), "AQI=");
                Equal((await client.GetPromptAsync("p"))["messages"][0]["content"]["text"].AsString(), "say it");
            }
        }
    }

    static async Task TestWhatIsNullOrNoConfigurationIsRefused() {
        Contains(Refused<ArgumentNullException>(() => new Server(null)), "config");
        Contains(Refused<ArgumentException>(() => new Client("http://x.example/mcp")), "Client.Url takes an address");
        Contains(Refused<ArgumentException>(() => new Server("adder")), "as new { name = ");
        Contains(Refused<ArgumentNullException>(() => Client.InProcess(null)), "server");
        using (Server server = new Server(new { name = "null" }))
        using (Client client = Client.InProcess(server)) {
            Contains(Refused<ArgumentNullException>(() => server.AddTool("x", "", Nothing, (Func<Request, object>)null)), "handler");
            Contains(Refused<ArgumentNullException>(() => server.AddBlob(new { uri = "a://b", name = "b" }, null)), "content");
            Contains(Refused<ArgumentNullException>(() => server.AddCompletion("p", "a", null)), "values");
            Contains(Refused<McpException>(() => server.AddText(new { uri = "a://b", name = "b" }, null)), "text must not be null");
            server.AddTool("x", "", Nothing, request => "said");
            Equal((await client.CallToolAsync("x")).ToString(), "said");
            Equal(client.ToString(), "Client (Ready)");
        }
    }

    private static string Refused<T>(Action action) where T : Exception {
        try {
            action();
        } catch (T refused) {
            return refused.ToString();
        }
        throw new Exception("it was not refused");
    }

    private static async Task<string> Later() {
        await Task.Yield();
        return "forgotten";
    }

    private static async Task<CallResult> Given(object result) {
        using (Server server = new Server(new { name = "results" })) {
            server.AddTool("t", "", Nothing, request => Done(result));
            using (Client client = Client.InProcess(server, new { })) {
                return await Soon(client.CallToolAsync("t"));
            }
        }
    }

    static async Task TestWhatAServerAsksIsAnsweredInBothEras() {
        foreach (string protocol in Revisions) {
            ClientHandlers handlers = new ClientHandlers {
                Sampling = asked => Done(new { role = "assistant", model = "parrot", content = new { type = "text", text = "You said: " + asked["messages"][0]["content"]["text"].AsString() } }),
                Elicitation = async asked => {
                    await Task.Yield();
                    return new { action = "accept", content = new { portions = 3 } };
                },
                Roots = asked => Done(new { roots = new[] { new { uri = "file:///tmp" } } }),
            };
            using (Server server = Asking())
            using (Client client = Client.InProcess(server, new { protocol }, handlers)) {
                Equal((await Soon(client.CallToolAsync("sample"))).Text, "You said: a rhyme");
                Equal((await Soon(client.CallToolAsync("elicit"))).Text, "3 portions");
                Contains((await Soon(client.CallToolAsync("roots"))).Text, "file:///tmp ");
                Equal((await Soon(client.CallToolAsync("two"))).Text, "3file:///tmpkept");
            }
            using (Client client = new Client(Example("--era", protocol == Revisions[0] ? "modern" : "legacy"), new ClientHandlers { Elicitation = asked => Done("{\"action\":\"decline\"}") })) {
                Check((await Soon(client.CallToolAsync("ask", new { question = "?" }))).Text != "", "declined");
            }
        }
        ClientHandlers roots = new ClientHandlers { Roots = asked => Done("{\"roots\":[]}") };
        using (Client client = new Client(Program("MCP_SCRIPTED_SERVER").With("protocol", "legacy"), roots)) {
            CallResult many = await Soon(client.CallToolAsync("ask_forever", new { method = "roots/list", count = 3 }));
            Equal(many.Structured["responses"].Count(it => !it["result"]["roots"].IsAbsent), 3);
            Contains((await Soon(client.CallToolAsync("ask_forever", new { method = "x/other" }))).Json.ToString(), "error");
        }
    }

    /// <summary>Whatever a function of the program does, the server gets an answer, and no word of what was thrown.</summary>
    static async Task TestFunctionsThatFailAreAnswered() {
        foreach (string protocol in Revisions) {
            foreach (Func<Json, Task<object>> one in new Func<Json, Task<object>>[] {
                asked => { throw new InvalidOperationException("a secret"); },
                async asked => { await Task.Yield(); throw new Exception("a secret"); },
                asked => null,
                asked => Done(null),
                asked => Done(new { roots = TimeZoneInfo.Utc }),
                asked => { throw new RpcException(-1, "no\0pe", IntPtr.Zero); },
                asked => { throw new RpcException(-1, "half \ud800"); },
            }) {
                ConcurrentQueue<Exception> failures = new ConcurrentQueue<Exception>();
                using (Server server = Asking())
                using (Client client = Client.InProcess(server, new { protocol }, new ClientHandlers { Roots = one })) {
                    server.Failed += (what, failure) => { };
                    client.Failed += (what, failure) => failures.Enqueue(failure);
                    string said;
                    try {
                        said = (await Soon(client.CallToolAsync("roots"))).Text;
                    } catch (McpException refused) {
                        said = refused.Message;
                    }
                    Check(!said.Contains("secret"), said);
                    Until("it is told", () => failures.Count > 0);
                }
            }
        }
    }

    static async Task TestToolsThatFailAreAnswered() {
        ConcurrentQueue<string> failures = new ConcurrentQueue<string>();
        using (Server server = new Server(new { name = "failing" })) {
            server.Failed += (what, failure) => {
                failures.Enqueue(what + ": " + failure);
                throw new Exception("a function for failures that fails");
            };
            TextWriter before = Console.Error;
            StringWriter errors = new StringWriter();
            Console.SetError(TextWriter.Synchronized(errors));
            try {
                Dictionary<string, Func<Request, Task<object>>> tools = new Dictionary<string, Func<Request, Task<object>>> {
                    { "exception", request => { throw new InvalidOperationException("a secret"); } },
                    { "later", async request => { await Task.Yield(); throw new Exception("a secret"); } },
                    { "none", request => null },
                    { "unfit", request => Done(new { it = TimeZoneInfo.Utc }) },
                    { "said", request => { throw new ToolException("ask for \0 1 to 9"); } },
                    { "refused", request => { throw new RpcException(7, "not you", new { a = 1 }); } },
                    { "nothing", request => Done(null) },
                };
                foreach (KeyValuePair<string, Func<Request, Task<object>>> tool in tools) {
                    server.AddTool(tool.Key, null, Nothing, tool.Value);
                }
                server.AddResource(new { uri = "x://a", name = "a" }, request => { throw new NotFoundException(); });
                server.AddResource("{\"uri\":\"x://b\",\"name\":\"b\"}", request => { throw new Exception("a secret"); });
                using (Client client = Client.InProcess(server, new { protocol = "2025-11-25" })) {
                    foreach (string name in new[] { "exception", "later", "none", "unfit" }) {
                        CallResult result = await Soon(client.CallToolAsync(name));
                        Check(result.IsError && result.Text == "The tool failed.", result.Json);
                    }
                    Equal(failures.Count, 4);
                    Check(failures.First().StartsWith("tools/call exception: ", StringComparison.Ordinal) && failures.First().Contains("a secret") && failures.First().Contains("ServerTests"), "the stack: " + failures.First());
                    Contains(errors.ToString(), "a function for failures that fails");
                    Equal((await Soon(client.CallToolAsync("said"))).Text, "ask for \0 1 to 9");
                    McpException refused = await Fails(Status.Server, () => client.CallToolAsync("refused"));
                    Equal(refused.Code + " " + refused.ErrorData, "7 {\"a\":1}");
                    Equal((await Soon(client.CallToolAsync("nothing"))).Text, "");
                    await Fails(Status.Server, () => client.ReadResourceAsync("x://a"));
                    Check(!(await Fails(Status.Server, () => client.ReadResourceAsync("x://b"))).Message.Contains("secret"), "neutral");
                    Equal(failures.Count, 5);
                }
            } finally {
                Console.SetError(before);
            }
        }
    }

    static async Task TestEverythingIsOfferedOverHttp() {
        using (Server server = new Server("{\"name\":\"all\",\"announce\":{\"logging\":true}}")) {
            server.AddTool("raw", null, Nothing, request => Done(new RawResult(new { content = new[] { new { type = "text", text = "raw" } }, isError = true })));
            server.AddTool("structured", null, Nothing, request => Done(new { a = 1 }));
            server.AddTool("steps", null, Nothing, request => {
                for (int i = 1; i <= 3; i++) {
                    request.Progress(i, 3, "step " + i);
                }
                return Done(request.Method);
            });
            server.AddText(new { uri = "x://text", name = "text" }, "always");
            server.AddBlob(new { uri = "x://blob", name = "blob" }, new byte[] { 0, 1, 255 });
            server.AddResource(new { uri = "x://bytes", name = "bytes", mimeType = "x/y" }, request => Done(new byte[] { 1, 2 }));
            server.AddResourceTemplate(new { uriTemplate = "x://hello/{name}", name = "hello" }, request =>
                Done("Hello, " + request.Context()["variables"]["name"].AsString()));
            server.AddPrompt(new { name = "greet", arguments = new[] { new { name = "name" } } }, request => Done("Greet " + request.Arguments["name"].AsString()));
            server.AddCompletion("greet", "name", new[] { "Ada", "Alan", "Grace" });
            server.AddMethod("com.example/render", request => Done(new { rendered = request.Params["what"] }));
            string url = server.Listen("http://127.0.0.1:0/mcp");
            foreach (string protocol in Revisions) {
                using (Client client = new Client(new { url, protocol })) {
                    CallResult raw = await Soon(client.CallToolAsync("raw"));
                    Check(raw.IsError && raw.Text == "raw", raw.Json);
                    CallResult structured = await Soon(client.CallToolAsync("structured"));
                    Equal(structured.Structured.ToString() + structured.Text.Replace(" ", ""), "{\"a\":1}{\"a\":1}");
                    List<string> steps = new List<string>();
                    CallOptions options = new CallOptions { Progress = new Reports(it => steps.Add(it["message"].AsString())) };
                    Equal((await Soon(client.CallToolAsync("steps", null, options))).Text, "tools/call");
                    Equal(steps.LastOrDefault(), "step 3");
                    Equal((await Soon(client.ReadResourceAsync("x://text")))[0]["text"].AsString(), "always");
                    Equal((await Soon(client.ReadResourceAsync("x://blob")))[0]["blob"].AsString(), "AAH/");
                    Equal((await Soon(client.ReadResourceAsync("x://bytes")))[0].ToString(), "{\"uri\":\"x://bytes\",\"mimeType\":\"x/y\",\"blob\":\"AQI=\"}");
                    Equal((await Soon(client.ReadResourceAsync("x://hello/Ada")))[0]["text"].AsString(), "Hello, Ada");
                    Equal((await Soon(client.GetPromptAsync("greet", new { name = "Ada" })))["messages"][0]["content"]["text"].AsString(), "Greet Ada");
                    Equal((await Soon(client.CompleteAsync(new { type = "ref/prompt", name = "greet" }, "name", "A")))["completion"]["values"].Count, 2);
                    if (protocol != Revisions[0]) {
                        Equal((await Soon(client.CallAsync("com.example/render", new { what = 1 })))["rendered"].AsLong(), 1L);
                    }
                }
            }
            Check(server.Remove("tool", "raw") && !server.Remove("tool", "raw"), "removed once");
            Fails(Status.InvalidArgument, () => server.AddTool("bad", null, new { type = 1 }, request => Done(null)));
            Check(server.Info().Count > 0, "info");
        }
    }

    static void TestThreadsOfTheLibraryRunNoHandler() {
        Contains(Fails(Status.InvalidArgument, () => new Server(new { name = "x", workers = 2 })).Message, "workers: handlers run on the pool");
        new Server("{\"name\":\"x\",\"workers\":0}").Dispose();
    }

    static void TestTheLibrarySaysWhatIsWrongWithAConfiguration() {
        ClientHandlers handlers = new ClientHandlers { Sampling = request => Done(new { }) };
        foreach (Action make in new Action[] { () => new Server("{\"name\":"), () => new Client("{\"url\":", handlers) }) {
            McpException failure = Fails(Status.InvalidArgument, make);
            Equal(failure.Operation, "config");
            Contains(failure.Message, "config is no JSON object");
        }
    }

    static async Task TestSubscribersAreToldAndAHandlerIsCancelled() {
        foreach (string protocol in Revisions) {
            BlockingCollection<string> told = new BlockingCollection<string>();
            TaskCompletionSource<bool> began = new TaskCompletionSource<bool>(), ended = new TaskCompletionSource<bool>();
            using (Server server = new Server(new { name = "x" }))
            using (Client client = Client.InProcess(server, new { protocol })) {
                server.AddResource(new { uri = "x://a", name = "a" }, request => Done("a"));
                server.AddTool("wait", null, Nothing, async request => {
                    began.TrySetResult(true);
                    try {
                        await Task.Delay(-1, request.Cancellation);
                    } finally {
                        ended.TrySetResult(true);
                    }
                    return "";
                });
                client.Notified += notification => {
                    if (notification.Topic == Topic.ResourceUpdated) {
                        told.Add(notification.Params["uri"].AsString());
                    }
                };
                await Soon(client.SubscribeResourceAsync("x://a"));
                server.ResourceUpdated("x://a");
                string uri;
                Check(told.TryTake(out uri, Patience) && uri == "x://a", uri);
                await Soon(client.UnsubscribeResourceAsync("x://a"));
                CancellationTokenSource source = new CancellationTokenSource();
                Task<CallResult> call = client.CallToolAsync("wait", null, cancellationToken: source.Token);
                await Soon(began.Task);
                source.Cancel();
                await Soon(ended.Task);
                try {
                    await Soon(call);
                    throw new Exception("it was not cancelled");
                } catch (OperationCanceledException) {
                    Check(call.IsCanceled, "the state of the task");
                }
            }
        }
    }

    static void TestTheProgramCallsAServerOfCSharp() {
        ProcessStartInfo start = new ProcessStartInfo(Variable("MCP_PROGRAM"), "call add a=2 b=3 -- mono \"" + Beside("Adder.exe") + "\"") { UseShellExecute = false, RedirectStandardOutput = true };
        using (Process process = Process.Start(start)) {
            Contains(process.StandardOutput.ReadToEnd().Replace(" ", ""), "\"sum\":5");
            process.WaitForExit();
            Equal(process.ExitCode, 0);
        }
    }

    static async Task TestAClientOfCSharpCallsAServerOfCSharp() {
        using (Client client = Client.Command("mono", Beside("ServerExample.exe"))) {
            CallResult[] sums = await Soon(Task.WhenAll(Enumerable.Range(0, 1000).Select(i => client.CallToolAsync("add", new { a = i, b = 1 }))));
            Check(sums.Select((sum, i) => sum.Structured["sum"].AsLong() == i + 1).All(it => it), "sums");
        }
    }
}
