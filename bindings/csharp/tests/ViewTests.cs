using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading.Tasks;
using Libmcp;
using static Tests;

internal static class ViewTests {
    private static readonly object Chart = new { name = "chart", inputSchema = new { type = "object" } };
    private static readonly object Secret = new { name = "secret", _meta = new { ui = new { visibility = new[] { "model" } } } };

    private static View Made() => new View(new {
        hostInfo = new { name = "desk", version = "1" }, hostCapabilities = new { serverTools = new { }, openLinks = new { } },
        hostContext = new { theme = "dark" }, tool = Chart, tools = new[] { Chart, Secret },
    });

    private static object Called(int id, string tool) =>
        new { jsonrpc = "2.0", id, method = "tools/call", @params = new { name = tool, arguments = new { } } };

    private static Json Only(View view, string type) {
        List<Json> all = view.Actions().ToList();
        Equal(string.Join(" ", all.Select(it => it["type"].AsString())), type);
        return all[0];
    }

    private static async Task<McpException> Refused(Action action) => await Fails(Status.InvalidArgument, () => Task.Run(action));

    static void TestAPageGetsItsInputAndAsksItsHost() {
        using (View view = Made()) {
            view.Tell("input", new { arguments = new { city = "Paris" } });
            Check(view.Poll() == null, "the page is not there yet");
            view.Receive("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ui/initialize\",\"params\":{\"protocolVersion\":\"2026-01-26\","
                + "\"appInfo\":{\"name\":\"page\",\"version\":\"1\"},\"appCapabilities\":{}}}");
            Equal(Only(view, "message")["message"]["result"]["hostContext"]["theme"].AsString(), "dark");
            view.Receive(new { jsonrpc = "2.0", method = "ui/notifications/initialized" });
            List<Json> actions = view.Actions().ToList();
            Check(actions.Any(it => it["type"].AsString() == "ready"), "it is ready");
            Equal(actions.Single(it => it["type"].AsString() == "message")["message"]["params"]["arguments"]["city"].AsString(), "Paris");
            view.Receive(Called(2, "chart"));
            Json asked = Only(view, "request");
            Equal(asked["method"].AsString() + " " + asked["params"]["name"].AsString(), "tools/call chart");
            view.Tell("answer", new { id = asked["id"], result = new { content = new object[0] } });
            Equal(Only(view, "message")["message"]["result"].ToString(), "{\"content\":[]}");
            view.Receive(Called(3, "secret"));
            Check(!Only(view, "message")["message"]["error"].IsAbsent, "the page may not call it");
            view.Tell("teardown", new { reason = "closed" });
            view.Receive(new { jsonrpc = "2.0", id = Only(view, "message")["message"]["id"], result = new { } });
            Only(view, "ended");
        }
    }

    static async Task TestMistakesNameTheMember() {
        Contains((await Refused(() => new View(new { }))).Message, "hostInfo");
        View view = Made();
        using (view) {
            Contains((await Refused(() => view.Tell("nothing"))).Message, "nothing");
            Contains((await Refused(() => view.Tell("input", new { arguments = 1 }))).Message, "arguments");
            Contains((await Refused(() => view.Receive("\0"))).Message, "NUL");
        }
        view.Dispose();
        foreach (Action use in new Action[] { () => view.Receive("{}"), () => view.Tell("resources-changed"), () => view.Poll() }) {
            try {
                use();
                Check(false, "it is freed");
            } catch (ObjectDisposedException) {
            }
        }
    }

    static void TestThePolicyOfAFrame() {
        Json policy = View.Policy(new { csp = new { connectDomains = new[] { "https://api.example", "javascript:x" } }, permissions = new { camera = new { } } });
        Contains(policy["csp"].AsString(), "https://api.example");
        Equal(policy["allow"].AsString() + policy["refused"].Count, "camera1");
        policy = View.Policy();
        Contains(policy["csp"].AsString(), "default-src");
        Contains(policy["head"].AsString(), policy["csp"].AsString());
    }
}
