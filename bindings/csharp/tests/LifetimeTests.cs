using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.IO;
using System.Linq;
using System.Reflection;
using System.Runtime.CompilerServices;
using System.Threading;
using System.Threading.Tasks;
using Libmcp;
using static Tests;

internal static class LifetimeTests {
    private static readonly object Nothing = new { type = "object" };

    private static int Entries(string folder) => Directory.GetFileSystemEntries(folder).Length;

    private static int Handlers() => (int)typeof(Server).Assembly.GetType("Libmcp.ServerCore").GetField("Entries", BindingFlags.NonPublic | BindingFlags.Static).GetValue(null);

    static async Task TestCloseEndsTheServerAndEverythingAfterSaysSo() {
        Client client = new Client(Example());
        await Soon(client.ConnectAsync());
        long pid = client.Info()["pid"].AsLong() ?? 0;
        await Soon(Task.WhenAll(Enumerable.Range(0, 8).Select(i => Task.Run(() => client.Dispose()))));
        client.Dispose();
        await Soon(client.CloseAsync());
        Until("the server has ended", () => !Runs(pid));
        Equal(client.State, ClientState.Closed);
        await Fails(Status.Closed, () => client.CallToolAsync("echo"));
        await Fails(Status.Closed, () => client.ListToolsAsync());
        await Fails(Status.Closed, () => client.ConnectAsync());
        await Fails(Status.Closed, () => client.LogoutAsync());
        Fails(Status.Closed, () => client.Info());
        Fails(Status.Closed, () => client.Notify("x"));
        int handlers = Handlers();
        Server server = new Server(new { name = "x" });
        Fails(Status.InvalidArgument, () => server.AddTool("t", null, new { type = 1 }, request => null));
        Fails(Status.InvalidArgument, () => server.AddMethod("a\0b", request => null));
        Equal(Handlers(), handlers);
        server.Dispose();
        server.Dispose();
        await Soon(server.Ended);
        Fails(Status.Closed, () => server.Info());
        Fails(Status.Closed, () => server.AddTool("t", null, Nothing, request => null));
        Fails(Status.Closed, () => Client.InProcess(server));
    }

    static async Task TestCloseEndsCallsUnderWay() {
        Client client = new Client(Example());
        await Soon(client.ConnectAsync());
        Task<CallResult>[] calls = Enumerable.Range(0, 20).Select(i => client.CallToolAsync("slow", new { ms = 60000 })).ToArray();
        client.Dispose();
        foreach (Task<CallResult> call in calls) {
            await Fails(Status.Closed, () => call);
        }
    }

    static async Task TestCallsWhileItIsClosedAllEndInAnyOrderOfDispose() {
        for (int round = 0; round < 40; round++) {
            Server server = new Server(new { name = "x" });
            server.AddTool("t", null, Nothing, request => Task.FromResult<object>("t"));
            Client client = Client.InProcess(server);
            Task[] callers = Enumerable.Range(0, 8).Select(i => Task.Run(async () => {
                try {
                    while (true) {
                        await client.CallToolAsync("t");
                    }
                } catch (McpException failure) {
                    Check(failure.Status == Status.Closed || failure.Status == Status.Transport || failure.Status == Status.Unavailable
                        || failure.Status == Status.Server || failure.Status == Status.Cancelled, failure);
                }
            })).ToArray();
            await Soon(client.CallToolAsync("t"));
            if (round % 2 == 0) {
                client.Dispose();
                server.Dispose();
            } else {
                server.Dispose();
                client.Dispose();
            }
            await Soon(Task.WhenAll(callers));
        }
    }

    static async Task TestFunctionsOfTheProgramMayClose() {
        TaskCompletionSource<bool> notified = new TaskCompletionSource<bool>();
        Client client = new Client(Example("--era", "legacy"));
        client.Notified += notification => {
            client.Dispose();
            notified.TrySetResult(true);
        };
        await Soon(client.SetServerLogLevelAsync("debug"));
        try {
            await Soon(client.CallToolAsync("notify", new { count = 1, text = "x" }));
        } catch (McpException closed) {
            Equal(closed.Status, Status.Closed);
        }
        await Soon(notified.Task);
        Client other = new Client(Example());
        CallOptions options = new CallOptions { Progress = new Reports(report => other.Dispose()) };
        await Fails(Status.Closed, () => other.CallToolAsync("slow", new { ms = 60000, steps = 10000 }, options));
        TaskCompletionSource<bool> ended = new TaskCompletionSource<bool>();
        Server server = new Server(new { name = "x" });
        server.AddTool("end", null, Nothing, async request => {
            await server.CloseAsync();
            ended.TrySetResult(true);
            return "";
        });
        using (Client user = Client.InProcess(server)) {
            Task<CallResult> call = user.CallToolAsync("end");
            await Soon(ended.Task);
            user.Dispose();
            try {
                await Soon(call);
            } catch (McpException) {
                Check(call.IsFaulted, "its server has ended");
            }
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void Forget(int count, List<long> pids) {
        Thread thread = new Thread(() => {
            for (int i = 0; i < count; i++) {
                Client client = new Client(Example());
                client.ConnectAsync().Wait();
                pids.Add(client.Info()["pid"].AsLong() ?? 0);
                Server server = new Server(new { name = "x" });
                server.AddTool("t", null, Nothing, request => Task.FromResult<object>("t"));
                Client inside = Client.InProcess(server);
                inside.CallToolAsync("t").Wait();
            }
        });
        thread.Start();
        thread.Join();
    }

    static void TestWhatWasForgottenIsClosed() {
        List<long> pids = new List<long>();
        int handlers = Handlers();
        Forget(20, pids);
        Equal(pids.Count, 20);
        // The collector of Mono looks at stacks conservatively: one of them may look as if it were in use.
        Until("their servers have ended", () => {
            GC.Collect();
            GC.WaitForPendingFinalizers();
            return pids.Count(Runs) <= 1 && Handlers() - handlers <= 1;
        });
    }

    static void TestAProgramThatForgetsEverythingEnds() {
        ProcessStartInfo start = new ProcessStartInfo("mono", "\"" + Beside("Forgetful.exe") + "\" \"" + Variable("MCP_EXAMPLE_SERVER") + "\"") { UseShellExecute = false, RedirectStandardOutput = true };
        for (int i = 0; i < 5; i++) {
            using (Process process = Process.Start(start)) {
                string pid = process.StandardOutput.ReadToEnd();
                Check(process.WaitForExit((int)Patience.TotalMilliseconds), "it hangs");
                Equal(process.ExitCode, 0);
                Until("its server has ended", () => !Runs(long.Parse(pid)));
            }
        }
    }

    private static async Task Once(bool overHttp) {
        Server server = new Server(new { name = "x" });
        server.AddTool("t", null, Nothing, request => Task.FromResult<object>("t"));
        using (server)
        using (Client client = overHttp ? Client.Url(server.Listen("http://127.0.0.1:0/mcp")) : Client.InProcess(server)) {
            Equal((await client.CallToolAsync("t")).Text, "t");
        }
    }

    private static async Task Rounds(int count) {
        for (int i = 0; i < count; i++) {
            await Soon(Once(i % 10 == 0));
        }
    }

    private static long Resident() {
        GC.Collect();
        string line = File.ReadAllLines("/proc/self/status").First(it => it.StartsWith("VmRSS"));
        return long.Parse(new string(line.Where(char.IsDigit).ToArray()));
    }

    static async Task TestAThousandClientsAndServersLeaveNothing() {
        int handlers = Handlers();
        await Rounds(20);
        // The pool and the collector come and go with load; their threads are a few.
        int descriptors = Entries("/proc/self/fd"), threads = Entries("/proc/self/task");
        await Rounds(490);
        long before = Resident();
        await Rounds(490);
        Until("descriptors are closed: " + descriptors, () => Entries("/proc/self/fd") <= descriptors);
        Until("threads have ended: " + threads, () => Entries("/proc/self/task") <= threads + 8);
        Until("handlers are forgotten", () => Handlers() == handlers);
        long after = Resident();
        Console.WriteLine("    descriptors: " + descriptors + " before, " + Entries("/proc/self/fd") + " after; " + before + " kB after 510 clients and servers, " + after + " kB after 1000");
        Check(after - before < 16 * 1024, after - before + " kB more");
    }
}
