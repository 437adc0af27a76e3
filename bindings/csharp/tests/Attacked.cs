// A server for the attacks of bindings/python/tests/attacks.py: says its URL, and ends with its input.
using System;
using System.Collections.Generic;
using System.Threading.Tasks;
using Libmcp;

internal static class Attacked {
    private static void Main() {
        List<byte[]> kept = new List<byte[]>();
        using (Server server = new Server(new { name = "attacked", version = "1", limits = new { frame_bytes = 16 << 20 } })) {
            server.Failed += (what, why) => { };
            server.AddTool("hello", "", (Func<string, string>)(name => "Hello, " + name + "!"));
            server.AddTool("fail", "", (Func<string>)(() => throw new InvalidOperationException("a secret")));
            server.AddTool("hang", "", (Func<Request, Task<string>>)(request => Later(30000, "late", request)));
            server.AddTool("slow", "", (Func<Request, Task<string>>)(request => Later(500, "slow", request)));
            server.AddTool("keep", "", (Func<string>)(() => {
                lock (kept) {
                    kept.Add(new byte[1 << 20]);
                }
                return "kept";
            }));
            server.AddTool("noise", "", (Func<string>)(() => {
                Console.WriteLine("noise");
                return "quiet";
            }));
            Console.WriteLine(server.Listen("http://127.0.0.1:0/mcp"));
            while (Console.ReadLine() != null) {
            }
        }
    }

    private static async Task<string> Later(int milliseconds, string text, Request request) {
        await Task.Delay(milliseconds, request.Cancellation);
        return text;
    }
}
