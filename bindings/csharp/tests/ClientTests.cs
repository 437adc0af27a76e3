using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Diagnostics;
using System.IO;
using System.Linq;
using System.Net;
using System.Threading;
using System.Threading.Tasks;
using Libmcp;
using static Tests;

internal static class ClientTests {
    static async Task TestAServerIsUsedInBothEras() {
        foreach (string era in new[] { "modern", "legacy" }) {
            using (Client client = new Client(Example("--era", era, "--page-size", "2"))) {
                await Soon(client.ConnectAsync());
                Equal(client.State, ClientState.Ready);
                Equal(client.Info()["era"].AsString(), era);
                Check((await Soon(client.ListToolsAsync())).Count > 5, "all pages");
                Equal((await Soon(client.CallToolAsync("echo", new { text = "héllo\0😀" }))).Text, "héllo\0😀");
                Equal((await Soon(client.CallToolAsync("echo", "{\"text\":\"as JSON\"}"))).Text, "as JSON");
                Equal((await Soon(client.CallToolAsync("add", new { a = 2, b = 3 }))).Structured["sum"].AsLong(), 5L);
                CallResult failed = await Soon(client.CallToolAsync("fail"));
                Check(failed.IsError && failed.Text != "", failed.Json);
                Equal((await Soon(client.ReadResourceAsync("demo://greeting")))[0]["text"].AsString(), "Hello, world!");
                Equal((await Soon(client.ListResourcesAsync())).Count, 2);
                Equal((await Soon(client.ListResourceTemplatesAsync())).Count, 1);
                Equal((await Soon(client.ListPromptsAsync())).Count, 1);
                Contains((await Soon(client.GetPromptAsync("greet", new { name = "Ada" }))).ToString(), "Ada");
                Json found = await Soon(client.CompleteAsync(new { type = "ref/prompt", name = "greet" }, "name", "A"));
                Equal(found["completion"]["values"].ToString(), "[\"Ada\",\"Alan\"]");
                Equal((await Soon(client.CallAsync("tools/list")))["tools"].Count, 10);
                await Soon(client.PingAsync());
            }
        }
    }

    static async Task TestErrorsSayWhatIsWrong() {
        Contains(Fails(Status.InvalidArgument, () => new Client(new { comand = "x" })).Message, "command");
        Fails(Status.InvalidArgument, () => new Client("{"));
        Fails(Status.InvalidArgument, () => Client.Command("a\0b"));
        using (Client client = Client.Command("/no/such/server")) {
            Contains((await Fails(Status.Transport, () => client.ConnectAsync())).Message, "/no/such/server");
        }
        using (Client client = new Client(Example())) {
            McpException unknown = await Fails(Status.Server, () => client.CallToolAsync("no-such-tool"));
            Equal(unknown.Code, -32602L);
            Equal(unknown.Operation, "tools/call");
            Equal(unknown.Details["sent"].AsBoolean(), true);
            Check(!unknown.IsRetryable && unknown.ErrorData.IsAbsent, unknown);
            Contains((await Fails(Status.InvalidArgument, () => client.CallToolAsync("a\0b"))).Message, "NUL");
            Contains((await Fails(Status.InvalidArgument, () => client.CallToolAsync("half \ud800"))).Message, "surrogate");
            await Fails(Status.InvalidArgument, () => client.CallToolAsync("echo", new[] { 1 }));
            await Fails(Status.InvalidArgument, () => client.CallToolAsync("echo", "{"));
            CallOptions options = new CallOptions();
            options.More["no"] = 1;
            Contains((await Fails(Status.InvalidArgument, () => client.CallToolAsync("echo", null, options))).Message, "no");
            Equal((await Soon(client.CallToolAsync("echo", new { text = "still" }))).Text, "still");
        }
    }

    static async Task TestProgressComesInOrderBeforeTheResult() {
        using (Client client = new Client(Example())) {
            List<double> steps = new List<double>();
            List<string> told = new List<string>();
            client.Failed += (what, failure) => { lock (told) { told.Add(failure.Message); } };
            CallOptions options = new CallOptions {
                Progress = new Reports(report => {
                    lock (steps) {
                        steps.Add(report["progress"].AsDouble() ?? -1);
                    }
                    throw new InvalidOperationException("a function that fails");
                }),
            };
            await Soon(client.CallToolAsync("slow", new { ms = 50, steps = 5 }, options));
            lock (steps) {
                Check(steps.Count > 0 && steps.SequenceEqual(steps.OrderBy(it => it)) && steps.Last() == 5, string.Join(" ", steps));
            }
            Equal(told.Count, steps.Count);
        }
    }

    static async Task TestATimeLimitEndsACall() {
        using (Client client = new Client(Example())) {
            CallOptions options = new CallOptions { Timeout = TimeSpan.FromMilliseconds(50) };
            await Fails(Status.Timeout, () => client.CallToolAsync("slow", new { ms = 60000 }, options));
            foreach (TimeSpan none in new[] { Timeout.InfiniteTimeSpan, TimeSpan.MaxValue }) {
                options = new CallOptions { Timeout = none, TotalTimeout = none };
                Equal((await Soon(client.CallToolAsync("slow", new { ms = 50 }, options))).IsError, false);
            }
            try {
                options = new CallOptions { TotalTimeout = TimeSpan.FromSeconds(-2) };
                await Soon(client.CallToolAsync("echo", new { text = "never" }, options));
                throw new Exception("a negative time was taken");
            } catch (ArgumentOutOfRangeException wrong) {
                Equal(wrong.ParamName, "TotalTimeout");
            }
            Equal((await Soon(client.CallToolAsync("echo", new { text = "next" }))).Text, "next");
        }
    }

    static async Task TestACancellationReachesTheServer() {
        using (Client client = new Client(Example())) {
            await Soon(client.ConnectAsync());
            CancellationTokenSource source = new CancellationTokenSource();
            Task<CallResult> call = client.CallToolAsync("slow", new { ms = 60000 }, cancellationToken: source.Token);
            Until("the call is sent", () => client.Info()["pending_calls"].AsLong() == 1);
            source.Cancel();
            await Cancelled(call);
            Equal(client.Info()["counters"]["cancelled"].AsLong(), 1L);
            Equal(client.Info()["pending_calls"].AsLong(), 0L);
            await Cancelled(client.CallToolAsync("echo", new { text = "never sent" }, cancellationToken: source.Token));
            for (int i = 0; i < 200; i++) {
                // The answer and the cancellation race; each call has one of two outcomes.
                CancellationTokenSource racing = new CancellationTokenSource();
                Task<CallResult> echo = client.CallToolAsync("echo", new { text = "x" }, cancellationToken: racing.Token);
                racing.Cancel();
                try {
                    Equal((await Soon(echo)).Text, "x");
                } catch (OperationCanceledException) {
                    Check(racing.IsCancellationRequested, "cancelled");
                }
            }
        }
    }

    private static async Task Cancelled(Task call) {
        try {
            await Soon(call);
        } catch (OperationCanceledException) {
            Check(call.IsCanceled, "the state of the task");
            return;
        }
        throw new Exception("it was not cancelled");
    }

    static async Task TestAThousandCallsAtOnce() {
        using (Client client = new Client(Example())) {
            CallResult[] all = await Soon(Task.WhenAll(Enumerable.Range(0, 1000).Select(i => client.CallToolAsync("echo", new { text = "call " + i }))));
            for (int i = 0; i < all.Length; i++) {
                Equal(all[i].Text, "call " + i);
            }
        }
    }

    static async Task TestAKilledServerEndsEachOfAThousandCallsOnce() {
        using (Client client = new Client(Example().With("reconnect", new { initial_ms = 10 }))) {
            await Soon(client.ConnectAsync());
            long pid = client.Info()["pid"].AsLong() ?? 0;
            int ended = 0;
            Task<string>[] calls = Enumerable.Range(0, 1000).Select(async i => {
                try {
                    await client.CallToolAsync("slow", new { ms = i % 2 == 0 ? 60000 : 0 });
                    return "ok";
                } catch (McpException failure) {
                    return failure.Status.ToString();
                } finally {
                    Interlocked.Increment(ref ended);
                }
            }).ToArray();
            Until("the short ones have ended", () => Volatile.Read(ref ended) >= 500);
            Process.GetProcessById((int)pid).Kill();
            string[] outcomes = await Soon(Task.WhenAll(calls));
            Equal(ended, 1000);
            Equal(outcomes.Count(it => it == "ok"), 500);
            Equal(outcomes.Count(it => it == "Transport"), 500);
            CallOptions wait = new CallOptions();
            wait.More["when_unavailable"] = "wait";
            Equal((await Soon(client.CallToolAsync("echo", new { text = "back" }, wait))).Text, "back");
            Check(client.Info()["pid"].AsLong() != pid, "another server");
        }
    }

    static async Task TestAServerThatDoesWrongIsTold() {
        using (Client client = new Client(Program("MCP_SCRIPTED_SERVER").With("protocol", "legacy").With("reconnect", new { initial_ms = 10 }))) {
            McpException refused = await Fails(Status.Server, () => client.CallToolAsync("error", new { code = 7, message = "no", data = new { a = 1 } }));
            Equal(refused.Code + " " + refused.ErrorData, "7 {\"a\":1}");
            Equal((await Soon(client.CallToolAsync("nul_escape"))).Text.Contains("\0"), true);
            Equal((await Soon(client.CallToolAsync("garbage"))).IsError, false);
            CallResult deep = await Soon(client.CallToolAsync("deep", new { levels = 100 }));
            Equal(deep.Structured.ToString().Count(it => it == '['), deep.Structured.ToString().Count(it => it == ']'));
            await Fails(Status.Transport, () => client.CallToolAsync("half"));
            await Fails(Status.Transport, () => client.CallToolAsync("crash", null,
                new CallOptions { More = { { "when_unavailable", "wait" } } }));
        }
    }

    static async Task TestNotificationsComeInOrderAndASlowOneDelaysNoCall() {
        BlockingCollection<string> got = new BlockingCollection<string>();
        using (ManualResetEventSlim held = new ManualResetEventSlim())
        using (Server server = new Server(new { name = "telling" }))
        using (Client client = Client.InProcess(server, new { protocol = "2025-11-25" })) {
            server.AddTool("hi", null, new { type = "object" }, request => Task.FromResult<object>("hi"));
            client.Notified += notification => {
                if (notification.Method == "notifications/x") {
                    held.Wait();
                    got.Add(notification.Params["n"].ToString());
                }
            };
            await Soon(client.ConnectAsync());
            for (int i = 0; i < 100; i++) {
                server.Notify("notifications/x", new { n = i });
            }
            Equal((await Soon(client.CallToolAsync("hi"))).Text, "hi");
            Equal(got.Count, 0);
            held.Set();
            for (int i = 0; i < 100; i++) {
                string number;
                Check(got.TryTake(out number, Patience), "too late");
                Equal(number, i.ToString());
            }
        }
    }

    static async Task TestWhatATooSlowFunctionMissesIsCounted() {
        long lost = 0, seen = 0;
        using (ManualResetEventSlim held = new ManualResetEventSlim())
        using (Client client = new Client(Program("MCP_SCRIPTED_SERVER").With("protocol", "legacy"))) {
            client.Notified += notification => {
                held.Wait();
                Interlocked.Increment(ref seen);
            };
            client.Lost += count => Interlocked.Add(ref lost, count);
            await Soon(client.CallToolAsync("flood", new { count = 3000 }));
            held.Set();
            Until("all are told", () => Interlocked.Read(ref lost) + Interlocked.Read(ref seen) == 3000);
            Check(lost >= 3000 - 1024 - 2 && seen >= 1024, lost + " lost, " + seen + " seen");
        }
    }

    static async Task TestStatesAndLinesArrive() {
        ConcurrentQueue<string> states = new ConcurrentQueue<string>();
        using (Client client = new Client(Example())) {
            client.StateChanged += change => states.Enqueue(change["state"].AsString());
            await Soon(client.ConnectAsync());
        }
        Until("it closed", () => states.Contains("closed"));
        Equal(states.First(), "starting");
        ConcurrentQueue<string> lines = new ConcurrentQueue<string>();
        using (Client client = new Client(Program("MCP_SCRIPTED_SERVER", "stderr-at-start=3").With("stderr", "message"))) {
            client.LineWritten += lines.Enqueue;
            await Soon(client.PingAsync());
            Until("lines come", () => lines.Count == 3);
        }
    }

    static async Task TestAServerOfAFileIsLoaded() {
        string file = Path.GetTempFileName();
        try {
            File.WriteAllText(file, Json.Of(new { mcpServers = new { one = Example(), two = new { command = "x", disabled = true } } }).ToString());
            using (Client client = Client.Load(file, "one")) {
                Equal((await Soon(client.CallToolAsync("echo", new { text = "hi" }))).Text, "hi");
            }
            Fails(Status.Unavailable, () => Client.Load(file, "two"));
        } finally {
            File.Delete(file);
        }
    }

    /// <summary>The scripted server over HTTP, with its URL.</summary>
    private static async Task Serve(string script, Func<string, Task> use) {
        ProcessStartInfo start = new ProcessStartInfo(Variable("MCP_SCRIPTED_HTTP"), "--life 300 --port 0 " + script) { UseShellExecute = false, RedirectStandardOutput = true };
        using (Process process = Process.Start(start)) {
            try {
                await use("http://127.0.0.1:" + process.StandardOutput.ReadLine().Split(' ')[0] + "/mcp");
            } finally {
                process.Kill();
                process.WaitForExit();
            }
        }
    }

    static Task TestAServerOverHttpIsUsed() => Serve("", async url => {
        using (Client client = Client.Url(url)) {
            Equal((await Soon(client.CallToolAsync("echo", new { text = "over HTTP" }))).Text, "over HTTP");
        }
    });

    static Task TestAPersonLogsIn() => Serve("login=yes", async url => {
        int logins = 0;
        ClientHandlers handlers = new ClientHandlers {
            Login = async login => {
                Check(login.Kind == "authorize" && login.Listens, login.Json["kind"]);
                Interlocked.Increment(ref logins);
                using (WebResponse page = await WebRequest.Create(login.Url).GetResponseAsync()) {
                    Equal(((HttpWebResponse)page).StatusCode, HttpStatusCode.OK);
                }
            },
        };
        using (Client client = new Client(new { url, auth = new { } }, handlers)) {
            Equal((await Soon(client.CallToolAsync("echo", new { text = "in" }))).Text, "in");
            Equal(logins, 1);
            await Soon(client.LogoutAsync());
        }
    });

    static Task TestALoginThatIsNotFinishedEndsItsCalls() => Serve("login=yes", async url => {
        object config = new { url, auth = new { } };
        ClientHandlers gaveUp = new ClientHandlers { Login = login => { throw new InvalidOperationException("closed the window"); } };
        foreach (var one in new[] { new { handlers = gaveUp, why = "closed the window" }, new { handlers = new ClientHandlers(), why = "ClientHandlers" } }) {
            using (Client client = new Client(config, one.handlers)) {
                Contains((await Fails(Status.Auth, () => client.CallToolAsync("echo"))).Message, one.why);
            }
        }
    });

    static Task TestATokenIsGiven() => Serve("token=sesame", async url => {
        ClientHandlers handlers = new ClientHandlers {
            Login = login => {
                Equal(login.Kind, "token");
                login.Supply("sesame", TimeSpan.FromHours(1));
                return Task.FromResult(true);
            },
        };
        using (Client client = new Client(new { url, auth = new { type = "bearer" } }, handlers)) {
            Equal((await Soon(client.CallToolAsync("echo", new { text = "in" }))).Text, "in");
        }
    });
}

internal static class JsonTests {
    private enum Size {
        Small,
    }

    private sealed class Ring {
        public Ring Next { get { return this; } }
    }

    static void TestValuesHaveTheirText() {
        foreach (var row in new[] {
            new { value = (object)null, text = "null" },
            new { value = (object)true, text = "true" },
            new { value = (object)1.5, text = "1.5" },
            new { value = (object)0.1f, text = "0.1" },
            new { value = (object)ulong.MaxValue, text = "18446744073709551615" },
            new { value = (object)12.30m, text = "12.30" },
            new { value = (object)Size.Small, text = "\"Small\"" },
            new { value = (object)"a\"\\\n\0\u001f😀", text = "\"a\\\"\\\\\\u000a\\u0000\\u001f😀\"" },
            new { value = (object)new object[] { 1, new int[0], new { } }, text = "[1,[],{}]" },
            new { value = (object)new { a = new Dictionary<string, int> { { "b", 1 } }, c = Json.Absent }, text = "{\"a\":{\"b\":1}}" },
            new { value = (object)Json.Parse(" { \"a\" : [ 1e2 , \"x\" ] } "), text = "{\"a\":[1e2,\"x\"]}" },
        }) {
            string text = Json.Of(new[] { row.value }).ToString();
            Equal(text, "[" + row.text + "]");
            Equal(Json.Parse(text).ToString(), text);
        }
    }

    static void TestWhatHasNoFormIsRefused() {
        foreach (object unfit in new object[] { double.NaN, new Ring(), IntPtr.Zero, TimeZoneInfo.Utc, new Dictionary<int, int> { { 1, 1 } } }) {
            Fails(Status.InvalidArgument, () => Json.Of(new { unfit }));
        }
        Contains(Fails(Status.InvalidArgument, () => Json.Of(new Ring())).Message, "contain itself");
        foreach (string text in new[] { "", "{", "[1,]", "nul", "{} {}", "\0" }) {
            Fails(Status.InvalidArgument, () => Json.Parse(text));
        }
    }

    static void TestWhatIsNotThereIsAbsent() {
        Json json = Json.Parse("{\"a\":[1,2.0,1.5,\"x\",true,null,1e300],\"a b\":{\"\":0}}");
        Check(json["b"]["c"][3].IsAbsent && json["a"][-1].IsAbsent && json["a"][7].IsAbsent && json["a"]["x"].IsAbsent, json);
        Equal(json["a"][0].AsLong(), 1L);
        Equal(json["a"][1].AsLong(), 2L);
        Equal(json["a"][2].AsLong(), null);
        Equal(json["a"][6].AsLong(), null);
        Equal(json["a"][2].AsDouble(), 1.5);
        Equal(json["a"][3].AsDouble(), null);
        Equal(json["a"][4].AsBoolean(), true);
        Equal(json["a"][5].Kind, JsonKind.Null);
        Equal(json["a b"][""].ToString(), "0");
        Equal(json["a"].Count(), 7);
        Equal(json.Members.Count(), 2);
    }
}
