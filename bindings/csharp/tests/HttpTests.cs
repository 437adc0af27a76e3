using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Net;
using System.Net.Sockets;
using System.Threading;
using System.Threading.Tasks;
using Libmcp;
using static Tests;

/// <summary>A server inside an HTTP server of the program: the one of the runtime.</summary>
internal static class HttpTests {
    private static readonly object Nothing = new { type = "object" };

    /// <summary>Takes requests until the listener stops.</summary>
    private static async Task Host(HttpListener listener, Server server) {
        while (true) {
            HttpListenerContext context;
            try {
                context = await listener.GetContextAsync();
            } catch (Exception) when (!listener.IsListening) {
                return;
            }
            ThreadPool.QueueUserWorkItem(async state => await Answer(context, server));
        }
    }

    private static async Task Answer(HttpListenerContext context, Server server) {
        HttpListenerRequest request = context.Request;
        IEnumerable<KeyValuePair<string, string>> headers = request.Headers.AllKeys.SelectMany(name =>
            request.Headers.GetValues(name).Select(value => new KeyValuePair<string, string>(name, value)));
        try {
            using (HttpAnswer answer = await server.HttpAsync(request.HttpMethod, request.RawUrl, headers, request.InputStream,
                request.RemoteEndPoint.Address.ToString())) {
                context.Response.StatusCode = answer.Status;
                foreach (KeyValuePair<string, string> header in answer.Headers) {
                    context.Response.AppendHeader(header.Key, header.Value);
                }
                if (answer.Length == null) {
                    context.Response.SendChunked = true;
                } else {
                    context.Response.ContentLength64 = answer.Length.Value;
                }
                await answer.CopyToAsync(context.Response.OutputStream);
            }
            context.Response.Close();
        } catch (Exception) {
            context.Response.Abort();
        }
    }

    private static int FreePort() {
        TcpListener listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        int port = ((IPEndPoint)listener.LocalEndpoint).Port;
        listener.Stop();
        return port;
    }

    /// <summary>A listener on a free port. It takes no port 0, and another process may take the port before it does.</summary>
    private static HttpListener Listening(Func<int> port, out string url) {
        for (int left = 100; ; left--) {
            HttpListener listener = new HttpListener();
            url = "http://127.0.0.1:" + port() + "/";
            listener.Prefixes.Add(url);
            try {
                listener.Start();
                return listener;
            } catch (Exception taken) when (left > 0 && (taken is HttpListenerException || taken is SocketException)) {
                listener.Close();
            }
        }
    }

    static void TestAPortThatIsTakenIsNotTheListeners() {
        TcpListener other = new TcpListener(IPAddress.Loopback, 0);
        other.Start();
        int taken = ((IPEndPoint)other.LocalEndpoint).Port, tries = 0;
        using (Listening(() => tries++ < 2 ? taken : FreePort(), out string url)) {
            Check(tries > 2 && new Uri(url).Port != taken, url);
        }
        other.Stop();
    }

    private static async Task Served(Func<Server, string, Task> test) {
        using (Server server = new Server(new { name = "inside", version = "1" })) {
            using (HttpListener listener = Listening(FreePort, out string url)) {
                url += "mcp";
                server.Serve(new { url, listen = false });
                Task host = Host(listener, server);
                await test(server, url);
                listener.Stop();
                await Soon(host);
            }
        }
    }

    static Task TestAClientCallsAServerInsideAnHttpServerInBothEras() => Served(async (server, url) => {
        server.AddTool("echo", null, Nothing, request => request.Arguments["text"].AsString());
        server.AddTool("steps", null, Nothing, async request => {
            for (int i = 1; i <= 3; i++) {
                request.Progress(i, 3);
                await Task.Yield();
            }
            return "done";
        });
        server.AddTool("wait", null, Nothing, async request => {
            request.Progress(1);
            await Task.Delay(-1, request.Cancellation);
            return "";
        });
        foreach (string era in new[] { "modern", "legacy" }) {
            using (Client client = new Client(new { url, protocol = era })) {
                string text = new string('x', 1 << 20);
                Equal((await Soon(client.CallToolAsync("echo", new { text }))).Text, text);
                List<double?> steps = new List<double?>();
                CallOptions options = new CallOptions { Progress = new Reports(it => steps.Add(it["progress"].AsDouble())) };
                Equal((await Soon(client.CallToolAsync("steps", null, options))).Text, "done");
                Equal(string.Join(" ", steps), "1 2 3");
                CancellationTokenSource source = new CancellationTokenSource();
                options = new CallOptions { Progress = new Reports(it => source.Cancel()) };
                try {
                    await Soon(client.CallToolAsync("wait", null, options, source.Token));
                    Check(false, "it was cancelled");
                } catch (OperationCanceledException) {
                }
            }
        }
    });

    static Task TestARefusedRequestHasAnAnswerAndItsBodyIsNotRead() => Served(async (server, url) => {
        Dictionary<string, string> headers = new Dictionary<string, string> { { "Host", "evil.example" }, { "Content-Type", "application/json" }, { "Content-Length", "9" } };
        using (HttpAnswer refused = await Soon(server.HttpAsync("POST", "/mcp", headers, new Unread()))) {
            Equal(refused.Status, 403);
            byte[] part = new byte[refused.Length.Value];
            Equal(await refused.ReadAsync(part), part.Length);
            Contains(System.Text.Encoding.UTF8.GetString(part), "evil.example");
            Equal(await refused.ReadAsync(part), 0);
        }
        Contains((await Fails(Status.InvalidArgument, () => server.HttpAsync("POST", "/m\0cp", headers))).Message, "NUL");
        HttpAnswer over = await Soon(server.HttpAsync("GET", "/elsewhere", headers));
        over.Dispose();
        over.Dispose();
        try {
            await Soon(over.ReadAsync(new byte[1]));
            Check(false, "it is disposed");
        } catch (ObjectDisposedException) {
        }
        headers["Host"] = new Uri(url).Authority;
        headers["Accept"] = "application/json, text/event-stream";
        CancellationTokenSource source = new CancellationTokenSource();
        Task<HttpAnswer> slow = server.HttpAsync("POST", "/mcp", headers, new Endless(source.Cancel), null, source.Token);
        try {
            await Soon(slow);
            Check(false, "its client was gone");
        } catch (OperationCanceledException) {
        }
        server.Dispose();
        await Fails(Status.Closed, () => server.HttpAsync("GET", "/mcp", headers));
    });

    static async Task TestABodyThatDoesNotComeEndsWhenTheLibraryWantsItNoMore() {
        Dictionary<string, string> headers = new Dictionary<string, string> {
            { "Host", "127.0.0.1" }, { "Content-Type", "application/json" }, { "Content-Length", "9" }, { "Accept", "application/json, text/event-stream" }
        };
        using (Server server = new Server(new { name = "inside", version = "1", timeouts = new { body_ms = 200 } })) {
            server.Serve(new { url = "http://127.0.0.1/mcp", listen = false });
            Endless body = new Endless(() => { });
            using (HttpAnswer refused = await Soon(server.HttpAsync("POST", "/mcp", headers, body))) {
                Equal(refused.Status, 408);
            }
            Check(body.Given.IsCancellationRequested, "what reads the body is told");
        }
        using (Server server = new Server(new { name = "inside", version = "1" })) {
            server.Serve(new { url = "http://127.0.0.1/mcp", listen = false });
            TaskCompletionSource<bool> began = new TaskCompletionSource<bool>();
            Task<HttpAnswer> asked = server.HttpAsync("POST", "/mcp", headers, new Endless(() => began.SetResult(true)));
            await Soon(began.Task);
            server.Dispose();
            using (HttpAnswer closed = await Soon(asked)) {
                Equal(closed.Status, 503);
            }
        }
    }

    /// <summary>A body that may not be read.</summary>
    private class Unread : MemoryStream {
        public override Task<int> ReadAsync(byte[] into, int offset, int count, CancellationToken cancellation) => throw new IOException("it was read");
    }

    /// <summary>A body of which nothing ever comes, and whose read cannot be cancelled.</summary>
    private sealed class Endless : Unread {
        private readonly Action began;

        internal Endless(Action began) {
            this.began = began;
        }

        internal CancellationToken Given { get; private set; }

        public override Task<int> ReadAsync(byte[] into, int offset, int count, CancellationToken cancellation) {
            Given = cancellation;
            began();
            return new TaskCompletionSource<int>().Task;
        }
    }
}
