using System;
using System.Collections.Generic;
using System.ComponentModel;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using Libmcp;
using static Tests;

/// <summary>As packages for JSON have it: it is known by its name.</summary>
internal sealed class JsonPropertyNameAttribute : Attribute {
    public JsonPropertyNameAttribute(string name) {
        Name = name;
    }

    public string Name { get; }
}

namespace System.Runtime.CompilerServices {
    /// <summary>As compilers of C# 8 and newer write what a program says by <c>string?</c>.</summary>
    internal sealed class NullableAttribute : Attribute {
        public readonly byte[] NullableFlags;

        public NullableAttribute(params byte[] flags) {
            NullableFlags = flags;
        }
    }

    /// <summary>What holds for members that say nothing themselves.</summary>
    internal sealed class NullableContextAttribute : Attribute {
        public readonly byte Flag;

        public NullableContextAttribute(byte flag) {
            Flag = flag;
        }
    }
}

namespace SystemMonitor {
    /// <summary>A class of a program in a namespace whose name only begins as that of .NET does.</summary>
    public sealed class Load {
        public double Share { get; set; }
    }
}

internal static class TypedTests {
    public enum Size { Small, Large }

    public sealed class Order {
        [JsonPropertyName("tea"), Description("the kind of tea")]
        public string Tea { get; set; }
        public Size Size { get; set; } = Size.Large;
        public int? Cups { get; set; }
        public Size? Other { get; set; }
        public List<double> Prices = new List<double>();
        public Order Next { get; set; }
    }

    /// <summary>What a record of C# 9 is.</summary>
    public sealed class Point {
        public Point(double x, double y, string unit = "m") {
            X = x;
            Y = y;
            Unit = unit;
        }

        public double X { get; }
        public double Y { get; }
        public string Unit { get; }
    }

    public sealed class Everything {
        public byte Small;
        public ulong Large;
        public decimal Exact;
        public float Short;
        public char Letter;
        public bool Truth;
        public DateTime Time;
        public DateTimeOffset When;
        public Guid Id;
        public Uri At;
        public byte[] Bytes;
        public int[] Array;
        public IReadOnlyList<string> List;
        public Dictionary<string, Point> Map;
        public Json Any;
        public object Also;
    }

    /// <summary>What <c>string City; string? Country; List&lt;string?&gt; Tags; Place? Near</c> is in C# 8.</summary>
    [System.Runtime.CompilerServices.NullableContext(1)]
    public sealed class Place {
        public string City { get; set; }
        [System.Runtime.CompilerServices.Nullable(2)]
        public string Country { get; set; }
        [System.Runtime.CompilerServices.Nullable(1, 2)]
        public List<string> Tags { get; set; }
        [System.Runtime.CompilerServices.Nullable(2)]
        public Place Near;
    }

    /// <summary>A record in whose class most is nullable.</summary>
    [System.Runtime.CompilerServices.NullableContext(2)]
    public sealed class Trip {
        public Trip(string from, [System.Runtime.CompilerServices.Nullable(1)] string to, int days) {
            From = from;
            To = to;
            Days = days;
        }

        public string From { get; }
        public string To { get; }
        public int Days { get; }
    }

    public sealed class Unfit {
        public TimeSpan Length { get; set; }
    }

    private static string Served(string tea, Size size = Size.Large, Size? other = Size.Large, Size? last = null) =>
        tea + " " + size + " " + other + " " + (last == null ? "none" : last.ToString());

    private static async Task<CallResult> Called(Action<Server> add, object arguments, object more = null) {
        using (Server server = new Server(new { name = "typed", version = "1" })) {
            add(server);
            using (Client client = Client.InProcess(server, more)) {
                return await Soon(client.CallToolAsync("t", arguments));
            }
        }
    }

    static void TestASchemaSaysWhatATypeIs() {
        Json schema = Json.Schema(typeof(Order));
        Equal(schema["required"].ToString(), "[\"tea\"]");
        Equal(schema["properties"]["tea"].ToString(), "{\"type\":\"string\",\"description\":\"the kind of tea\"}");
        Equal(schema["properties"]["Size"].ToString(), "{\"type\":\"string\",\"enum\":[\"Small\",\"Large\"],\"default\":\"Large\"}");
        Equal(schema["properties"]["Next"].ToString(), "{\"type\":[\"object\",\"null\"]}");
        Equal(schema["properties"]["Other"].ToString(), "{\"type\":[\"string\",\"null\"],\"enum\":[\"Small\",\"Large\",null]}");
        Equal(schema["properties"]["Prices"]["items"].ToString(), "{\"type\":\"number\"}");
        Equal(schema["additionalProperties"].AsBoolean(), false);
        Equal(Json.Schema(typeof(Point))["required"].ToString(), "[\"X\",\"Y\"]");
        Equal(Json.Schema(typeof(Point))["properties"]["Unit"]["default"].AsString(), "m");
        Contains(Fails(Status.InvalidArgument, () => Json.Schema(typeof(Unfit))).Message, "TimeSpan has no form in JSON");
        Equal(Json.Schema(typeof(SystemMonitor.Load))["required"].ToString(), "[\"Share\"]");
        Equal(Json.Of(new SystemMonitor.Load { Share = 0.5 }).ToString(), "{\"Share\":0.5}");
    }

    static async Task TestWhatIsNullableInCSharp8MayBeLeftOut() {
        Json place = Json.Schema(typeof(Place));
        Equal(place["required"].ToString(), "[\"City\",\"Tags\"]");
        Equal(place["properties"]["City"].ToString(), "{\"type\":\"string\"}");
        Equal(place["properties"]["Country"].ToString(), "{\"type\":[\"string\",\"null\"]}");
        Equal(place["properties"]["Near"].ToString(), "{\"type\":[\"object\",\"null\"]}");
        Equal(Json.Schema(typeof(Trip))["required"].ToString(), "[\"To\",\"Days\"]");
        Action<Server> add = server => server.AddTool<Place>("t", "Goes", (it, request) => it.City + (it.Country ?? " nowhere"));
        Equal((await Called(add, new Place { City = "Rome", Tags = new List<string>() })).Text, "Rome nowhere");
        Equal(Json.Parse("{\"To\":\"Rome\",\"Days\":2}").To<Trip>().From, null);
    }

    static void TestWhatJsonIsMadeOfIsReadAgain() {
        Everything all = new Everything {
            Small = 255, Large = ulong.MaxValue, Exact = 79228162514264337593543950335m, Short = 0.5f, Letter = 'é', Truth = true,
            Time = new DateTime(2026, 7, 28, 12, 0, 0, DateTimeKind.Utc), When = DateTimeOffset.UnixEpoch, Id = Guid.NewGuid(), At = new Uri("https://x.example/"),
            Bytes = new byte[] { 1, 2 }, Array = new[] { 1, 2 }, List = new[] { "a" }, Map = new Dictionary<string, Point> { { "p", new Point(1, 2) } },
            Any = Json.Parse("[null]"), Also = null,
        };
        Json json = Json.Of(all);
        Equal(Json.Of(json.To<Everything>()).ToString(), json.ToString());
        Equal(Json.Parse("{\"tea\":\"oolong\"}").To<Order>().Size, Size.Large);
        foreach (KeyValuePair<string, string> unfit in new Dictionary<string, string> {
            { "{\"tea\":7}", "\"tea\" is 7, which is no String" }, { "{\"tea\":\"a\",\"Next\":{}}", "\"Next.tea\" is missing" },
            { "{\"tea\":\"a\",\"Prices\":[1,\"x\"]}", "\"Prices.1\" is \"x\", which is no Double" }, { "[]", "it is [], which is no Order" },
            { "{\"tea\":\"a\",\"Size\":\"Huge\"}", "\"Size\" is \"Huge\", which is no Size" },
            { "{\"tea\":\"a\",\"Cups\":1e10}", "\"Cups\" is 1e10, which is no Int32" },
            { "{\"tea\":\"a\",\"Cups\":1.5}", "\"Cups\" is 1.5, which is no Int32" },
        }) {
            Contains(Fails(Status.InvalidArgument, () => Json.Parse(unfit.Key).To<Order>()).Message, unfit.Value);
        }
    }

    static async Task TestAToolTakesAClass() {
        Action<Server> add = server => server.AddTool<Order>("t", "Orders", (order, request) => order.Cups + " " + order.Tea + " " + order.Size);
        Equal((await Called(add, new { tea = "oolong", Cups = 2 })).Text, "2 oolong Large");
        Equal((await Called(add, new Order { Tea = "assam" })).Text, " assam Large");
        CallResult refused = await Called(add, new { tea = "oolong", Sugar = 1 });
        Check(refused.IsError && refused.Text.Contains("Sugar"), refused.Json);
        refused = await Called(add, new { tea = "oolong", Cups = 1L << 40 });
        Contains(refused.Text, "The arguments do not fit: \"Cups\" is 1099511627776, which is no Int32");
        CallResult late = await Called(server => server.AddTool<Point>("t", "Moves", async (point, request) => {
            await Task.Yield();
            return new Point(point.X + 1, point.Y, point.Unit);
        }), new { X = 1, Y = 2 });
        Equal(late.Structured.To<Point>().X, 2.0);
    }

    static async Task TestAToolIsAFunction() {
        Func<double, double, double> sum = (a, b) => a + b;
        Equal((await Called(server => server.AddTool("t", "Adds", sum), new { a = 1, b = 2 })).Structured["result"].AsDouble(), 3.0);
        Func<Point, Request, CancellationToken, Task<string>> where = async (point, request, cancellation) => {
            await Task.Delay(0, cancellation);
            return point.Unit + request.Method;
        };
        Equal((await Called(server => server.AddTool("t", "Asks", where), new { point = new { X = 1, Y = 2 } })).Text, "mtools/call");
        Func<string, Size, Size?, Size?, string> serve = Served;
        Equal((await Called(server => server.AddTool("t", "Serves", serve), new { tea = "a" })).Text, "a Large Large none");
        Equal((await Called(server => server.AddTool("t", "Serves", serve), new { tea = "a", other = "Small", last = "Small" })).Text, "a Large Small Small");
        Func<string, int> broken = text => throw new ToolException("no " + text);
        Equal((await Called(server => server.AddTool("t", "Fails", broken), new { text = "luck" })).Text, "no luck");
        Func<string, int> wrong = text => throw new ArgumentException(text);
        Equal((await Called(server => { server.AddTool("t", "Fails", wrong); server.Failed += (what, why) => { }; }, new { text = "secret" })).Text, "The tool failed.");
    }

    static async Task TestAFormIsAClass() {
        Json form = null;
        ClientHandlers handlers = new ClientHandlers { Elicitation = asked => {
            form = asked["requestedSchema"];
            return Task.FromResult<object>(new { action = "accept", content = new { tea = "assam" } });
        } };
        using (Server server = new Server(new { name = "typed", version = "1" })) {
            server.AddTool("t", "Asks", new { type = "object" }, request => request.Elicit<Form>("f", "Which?").Tea);
            using (Client client = Client.InProcess(server, null, handlers)) {
                Equal((await Soon(client.CallToolAsync("t", new { }))).Text, "assam");
                Equal(form.ToString(), "{\"type\":\"object\",\"properties\":{\"tea\":{\"type\":\"string\"},\"Cups\":{\"type\":\"integer\"}},\"required\":[\"tea\"]}");
            }
        }
    }

    public sealed class Form {
        [JsonPropertyName("tea")]
        public string Tea { get; set; }
        public int? Cups { get; set; }
    }
}
