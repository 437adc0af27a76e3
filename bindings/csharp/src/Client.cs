using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;

namespace Libmcp {
    /// <summary>What one call takes besides its arguments.</summary>
    public sealed class CallOptions {
        /// <summary>How long a step may take without a sign of the server; null for the configured time.</summary>
        public TimeSpan? Timeout { get; set; }

        /// <summary>How long the call may take at most; null for the configured time.</summary>
        public TimeSpan? TotalTimeout { get; set; }

        /// <summary>Gets the progress, in order and before the result: "progress", "total", "message".</summary>
        public IProgress<Json> Progress { get; set; }

        /// <summary>Every other option of the library by its name, such as "when_unavailable" (docs/reference/configuration.md).</summary>
        public IDictionary<string, object> More { get; } = new Dictionary<string, object>();

        internal byte[] Bytes(string operation) {
            Dictionary<string, object> all = new Dictionary<string, object>(More);
            if (Timeout != null) {
                all["timeout_ms"] = Math.Max(1, Library.Milliseconds(Timeout, nameof(Timeout)));
            }
            if (TotalTimeout != null) {
                all["max_total_ms"] = Math.Max(1, Library.Milliseconds(TotalTimeout, nameof(TotalTimeout)));
            }
            if (Progress != null) {
                all["progress"] = true;
            }
            return Library.JsonBytes(operation, all);
        }
    }

    /// <summary>The result of a tool.</summary>
    public sealed class CallResult {
        internal CallResult(MessageHandle reply) {
            UIntPtr length;
            Json = Json.From(reply);
            Text = Library.Text(Native.mcp_message_text(reply, out length), length);
            IsError = Native.mcp_message_is_tool_error(reply);
        }

        /// <summary>The whole result, as the server sent it.</summary>
        public Json Json { get; }

        /// <summary>All blocks of text, joined by line feeds; empty if it has none.</summary>
        public string Text { get; }

        /// <summary>Whether the tool failed; the text then says why.</summary>
        public bool IsError { get; }

        /// <summary>The structured content.</summary>
        public Json Structured => Json["structuredContent"];

        /// <summary>The text, and whether the tool failed, for logs.</summary>
        public override string ToString() => IsError ? "failed: " + Text : Text;
    }

    /// <summary>A notification of the server.</summary>
    public sealed class Notification {
        internal Notification(MessageHandle message) {
            Method = Library.Text(Native.mcp_message_method(message));
            Topic = Native.mcp_message_topic(message);
            Params = Json.From(message);
        }

        /// <summary>The method, such as "notifications/tools/list_changed".</summary>
        public string Method { get; }

        /// <summary>What it is about, for a switch.</summary>
        public Topic Topic { get; }

        /// <summary>The parameters.</summary>
        public Json Params { get; }
    }

    /// <summary>
    /// The functions that answer what a server asks. Each gets the parameters and gives the result: JSON text, or what <see cref="Json.Of"/> takes. The
    /// first three enable their capability. A function may take as long as a person does: it delays no call.
    /// </summary>
    public sealed class ClientHandlers {
        /// <summary>Answers for a model (sampling/createMessage): <c>new { role, model, content }</c>. 2026-07-28 deprecates sampling (SEP-2577);
        /// it works in every revision that has it.</summary>
        public Func<Json, Task<object>> Sampling { get; set; }

        /// <summary>Asks the person (elicitation/create): <c>new { action = "accept", content }</c>, or "decline", or "cancel".</summary>
        public Func<Json, Task<object>> Elicitation { get; set; }

        /// <summary>Gives the roots (roots/list): <c>new { roots = new[] { new { uri } } }</c>. 2026-07-28 deprecates roots (SEP-2577); they
        /// work in every revision that has them.</summary>
        public Func<Json, Task<object>> Roots { get; set; }

        /// <summary>Lets the client in at its server, where the configuration has "auth".</summary>
        public Func<Login, Task> Login { get; set; }

        internal Func<Json, Task<object>> Find(string method) {
            switch (method) {
                case "sampling/createMessage":
                    return Sampling;
                case "elicitation/create":
                    return Elicitation;
                case "roots/list":
                    return Roots;
                default:
                    return null;
            }
        }

        /// <summary>The configuration with what the functions enable.</summary>
        internal object Configure(object config) {
            if (Sampling == null && Elicitation == null && Roots == null) {
                return config;
            }
            Json given = Json.Settings(config);
            if (given.Kind != JsonKind.Object) {
                return config; // The library says what is wrong with it.
            }
            Dictionary<string, object> all = Members(given);
            Dictionary<string, object> capabilities = Members(given["capabilities"]);
            Enable(capabilities, "sampling", Sampling, new { });
            Enable(capabilities, "elicitation", Elicitation, new { form = new { } });
            Enable(capabilities, "roots", Roots, new { });
            all["capabilities"] = capabilities;
            return all;
        }

        private static void Enable(Dictionary<string, object> capabilities, string name, object function, object value) {
            if (function != null && !capabilities.ContainsKey(name)) {
                capabilities[name] = value;
            }
        }

        private static Dictionary<string, object> Members(Json json) {
            Dictionary<string, object> all = new Dictionary<string, object>();
            foreach (KeyValuePair<string, Json> member in json.Members) {
                all[member.Key] = member.Value;
            }
            return all;
        }
    }

    /// <summary>
    /// A client: one logical connection to one server. The first call connects. Every member may be used from any thread. Events come in order
    /// on a thread of the pool; what an event misses because it is too slow is counted (<see cref="Lost"/>). Calls that wait have a limit of
    /// time by the configuration, and end with <see cref="Status.Closed"/> when the client is disposed of.
    /// </summary>
    public sealed class Client : IDisposable {
        private readonly ClientCore core;

        /// <summary>Makes a client.</summary>
        /// <param name="config">the configuration (docs/reference/configuration.md): JSON text, or what <see cref="Json.Of"/> takes</param>
        /// <param name="handlers">the functions that answer what the server asks; null for none</param>
        public Client(object config, ClientHandlers handlers = null)
            : this(config, handlers, (byte[] text, out ClientHandle client, out IntPtr error) =>
                Native.mcp_client_new(text, Library.NoQueue, out client, out error)) {
        }

        private Client(object config, ClientHandlers handlers, Make make) {
            Library.Need();
            ClientHandle handle;
            IntPtr error;
            handlers = handlers ?? new ClientHandlers();
            Library.CheckConfig(config, "as new { command = \"npx\", args }; Client.Url takes an address, Client.Command a command");
            byte[] text = Library.JsonBytes("new", handlers.Configure(config));
            Library.Check("new", make(text, out handle, out error), error);
            core = new ClientCore(handle, handlers);
            core.Begin();
        }

        private delegate Status Make(byte[] config, out ClientHandle client, out IntPtr error);

        /// <summary>Closes what was forgotten. A function of the program that refers to the client keeps it from being found.</summary>
        ~Client() {
            if (core != null) {
                core.CloseForgotten();
            }
        }

        /// <summary>A notification of the server.</summary>
        public event Action<Notification> Notified { add { core.Notified += value; } remove { core.Notified -= value; } }

        /// <summary>The state of the connection changed: "state", "previous", "reason".</summary>
        public event Action<Json> StateChanged { add { core.StateChanged += value; } remove { core.StateChanged -= value; } }

        /// <summary>A line of the server's standard error (<c>"stderr":"message"</c> in the configuration).</summary>
        public event Action<string> LineWritten { add { core.LineWritten += value; } remove { core.LineWritten -= value; } }

        /// <summary>How many messages were dropped because a function was too slow.</summary>
        public event Action<long> Lost { add { core.Lost += value; } remove { core.Lost -= value; } }

        /// <summary>What a function of the program threw, and for what it was called. Without a handler standard error has it.</summary>
        public event Action<string, Exception> Failed { add { core.Failed += value; } remove { core.Failed -= value; } }

        /// <summary>The state of the connection.</summary>
        public ClientState State => core.State;

        /// <summary>Its state, for logs.</summary>
        public override string ToString() => "Client (" + State + ")";

        /// <summary>A client of a server that is started by a command.</summary>
        public static Client Command(string command, params string[] arguments) {
            return new Client(new { command, args = arguments });
        }

        /// <summary>A client of a server at a URL.</summary>
        public static Client Url(string url) {
            return new Client(new { url });
        }

        /// <summary>A client of a server in a file with "mcpServers".</summary>
        /// <param name="path">the file</param>
        /// <param name="server">the name of the server; null for the only one</param>
        /// <param name="handlers">the functions that answer what the server asks; null for none</param>
        public static Client Load(string path, string server = null, ClientHandlers handlers = null) {
            Library.Need();
            IntPtr config, error;
            Status status = Native.mcp_config_load(Library.Bytes("load", path), Library.Bytes("load", server), out config, out error);
            Library.Check("load", status, error);
            return new Client(Library.Take(config), handlers);
        }

        /// <summary>A client of a server of this process, for tests.</summary>
        public static Client InProcess(Server server, object config = null, ClientHandlers handlers = null) {
            if (server == null) {
                throw new ArgumentNullException("server");
            }
            return new Client(config ?? "{}", handlers, (byte[] text, out ClientHandle client, out IntPtr error) => {
                ClientHandle made = null;
                IntPtr why = IntPtr.Zero;
                Status status = server.With("new", (ServerHandle it, out IntPtr failure) =>
                    Native.mcp_client_new_in_process(text, Library.NoQueue, it, out made, out failure));
                client = made;
                error = why;
                return status;
            });
        }

        /// <summary>Connects, which the first call does as well.</summary>
        public Task ConnectAsync(TimeSpan? timeout = null, CancellationToken cancellationToken = default(CancellationToken)) =>
            Run("connect", null, cancellationToken, reply => true, (ClientHandle it, byte[] ignored, ulong tag, out ulong id, out IntPtr error) =>
                Native.mcp_client_connect_start(it, Library.Milliseconds(timeout, nameof(timeout)), tag, out id, out error));

        /// <summary>Calls any method.</summary>
        /// <returns>the result</returns>
        public Task<Json> CallAsync(string method, object parameters = null, CallOptions options = null, CancellationToken cancellationToken = default(CancellationToken)) =>
            Asked(method, options, cancellationToken, Method(method, parameters));

        /// <summary>Calls a tool.</summary>
        /// <param name="name">the name of the tool</param>
        /// <param name="arguments">JSON text, or what <see cref="Json.Of"/> takes: <c>new { a = 1 }</c>; null for none</param>
        /// <param name="options">limits of time, progress and more</param>
        /// <param name="cancellationToken">cancels the call, of which the server is told</param>
        public Task<CallResult> CallToolAsync(string name, object arguments = null, CallOptions options = null, CancellationToken cancellationToken = default(CancellationToken)) =>
            Run("tools/call", options, cancellationToken, reply => new CallResult(reply), (ClientHandle it, byte[] more, ulong tag, out ulong id, out IntPtr error) =>
                Native.mcp_client_call_tool_start(it, Library.Bytes("tools/call", name), Library.JsonBytes("tools/call", arguments), more, tag, out id, out error));

        /// <summary>All tools, from all pages.</summary>
        public Task<IReadOnlyList<Json>> ListToolsAsync(CallOptions options = null, CancellationToken cancellationToken = default(CancellationToken)) =>
            List("tools/list", "tools", options, cancellationToken, Method("tools/list"));

        /// <summary>All resources, from all pages.</summary>
        public Task<IReadOnlyList<Json>> ListResourcesAsync(CallOptions options = null, CancellationToken cancellationToken = default(CancellationToken)) =>
            List("resources/list", "resources", options, cancellationToken, Method("resources/list"));

        /// <summary>All resource templates, from all pages.</summary>
        public Task<IReadOnlyList<Json>> ListResourceTemplatesAsync(CallOptions options = null, CancellationToken cancellationToken = default(CancellationToken)) =>
            List("resources/templates/list", "resourceTemplates", options, cancellationToken, Method("resources/templates/list"));

        /// <summary>All prompts, from all pages.</summary>
        public Task<IReadOnlyList<Json>> ListPromptsAsync(CallOptions options = null, CancellationToken cancellationToken = default(CancellationToken)) =>
            List("prompts/list", "prompts", options, cancellationToken, Method("prompts/list"));

        /// <summary>Reads a resource: its contents, each with "text" or "blob".</summary>
        public Task<IReadOnlyList<Json>> ReadResourceAsync(string uri, CallOptions options = null, CancellationToken cancellationToken = default(CancellationToken)) =>
            List("resources/read", "contents", options, cancellationToken, (ClientHandle it, byte[] more, ulong tag, out ulong id, out IntPtr error) =>
                Native.mcp_client_read_resource_start(it, Library.Bytes("resources/read", uri), more, tag, out id, out error));

        /// <summary>Subscribes to a resource: <see cref="Notified"/> tells when it changes, also after a reconnection.</summary>
        public Task SubscribeResourceAsync(string uri, CallOptions options = null, CancellationToken cancellationToken = default(CancellationToken)) =>
            Asked("resources/subscribe", options, cancellationToken, Method("resources/subscribe", new { uri }));

        /// <summary>Ends a subscription.</summary>
        public Task UnsubscribeResourceAsync(string uri, CallOptions options = null, CancellationToken cancellationToken = default(CancellationToken)) =>
            Asked("resources/unsubscribe", options, cancellationToken, Method("resources/unsubscribe", new { uri }));

        /// <summary>Gets a prompt with its arguments filled in: "messages".</summary>
        public Task<Json> GetPromptAsync(string name, object arguments = null, CallOptions options = null, CancellationToken cancellationToken = default(CancellationToken)) =>
            Asked("prompts/get", options, cancellationToken, (ClientHandle it, byte[] more, ulong tag, out ulong id, out IntPtr error) =>
                Native.mcp_client_get_prompt_start(it, Library.Bytes("prompts/get", name), Library.JsonBytes("prompts/get", arguments), more, tag, out id, out error));

        /// <summary>Values that complete what was typed for an argument: "values" of the completion.</summary>
        /// <param name="reference"><c>new { type = "ref/prompt", name }</c> or <c>new { type = "ref/resource", uri }</c></param>
        /// <param name="argument">the name of the argument</param>
        /// <param name="value">the text so far</param>
        /// <param name="settled">the arguments that have a value; null for none</param>
        /// <param name="options">limits of time and more</param>
        /// <param name="cancellationToken">cancels the call</param>
        public Task<Json> CompleteAsync(object reference, string argument, string value, object settled = null,
            CallOptions options = null, CancellationToken cancellationToken = default(CancellationToken)) {
            const string Operation = "completion/complete";
            // JSON text of the program stays as it is.
            Json of = Json.Given(reference), context = settled == null ? null : Json.Of(new { arguments = Json.Given(settled) });
            object asked = context == null
                ? (object)new { @ref = of, argument = new { name = argument, value } }
                : new { @ref = of, argument = new { name = argument, value }, context };
            return Asked(Operation, options, cancellationToken, Method(Operation, asked));
        }

        /// <summary>Sets the lowest level of the messages that the server logs: "debug", "info", "warning", "error" and so on.</summary>
        public Task SetServerLogLevelAsync(string level, CallOptions options = null, CancellationToken cancellationToken = default(CancellationToken)) =>
            Asked("logging/setLevel", options, cancellationToken, Method("logging/setLevel", new { level }));

        /// <summary>Asks whether the server is there.</summary>
        public Task PingAsync(CallOptions options = null, CancellationToken cancellationToken = default(CancellationToken)) =>
            Asked("ping", options, cancellationToken, Method("ping"));

        /// <summary>Sends a notification. The connection must be ready.</summary>
        public void Notify(string method, object parameters = null) =>
            With("notify", (ClientHandle it, out IntPtr error) =>
                Native.mcp_client_notify(it, Library.Bytes("notify", method), Library.JsonBytes("notify", parameters), out error));

        /// <summary>Describes the connection: "revision", "server", "capabilities", "counters" and more.</summary>
        public Json Info() {
            IntPtr info = IntPtr.Zero;
            With("info", (ClientHandle it, out IntPtr error) => Native.mcp_client_info(it, out info, out error));
            return Json.Parse(Library.Take(info));
        }

        /// <summary>Deletes the logins for this server and revokes its tokens. It goes on in the background after the time limit.</summary>
        public Task LogoutAsync(TimeSpan? timeout = null) {
            TaskCompletionSource<bool> done = new TaskCompletionSource<bool>(TaskCreationOptions.RunContinuationsAsynchronously);
            // The function of the library waits, for which no thread of the pool is used.
            new Thread(() => {
                try {
                    With("logout", (ClientHandle it, out IntPtr error) => Native.mcp_client_logout(it, Library.Milliseconds(timeout, nameof(timeout)), out error));
                    done.TrySetResult(true);
                } catch (Exception failure) {
                    done.TrySetException(failure);
                }
            }) { IsBackground = true, Name = "mcp-logout" }.Start();
            return done.Task;
        }

        /// <summary>Closes the client: calls that wait end, and a server that was started is ended.</summary>
        public Task CloseAsync() {
            GC.SuppressFinalize(this);
            return core.Close();
        }

        /// <summary>Closes the client and waits for it. It may be called from a function of the program, several times, in any order.</summary>
        public void Dispose() => CloseAsync().Wait();

        private void With(string operation, ClientCore.Use use) {
            core.With(operation, use);
            GC.KeepAlive(this);
        }

        private Task<TResult> Run<TResult>(string operation, CallOptions options, CancellationToken cancellation, Func<MessageHandle, TResult> read, ClientCore.Start start) =>
            core.Run(operation, this, options, cancellation, start, read);

        private static ClientCore.Start Method(string method, object parameters = null) =>
            (ClientHandle it, byte[] more, ulong tag, out ulong id, out IntPtr error) =>
                Native.mcp_call_start(it, Library.Bytes(method, method), Library.JsonBytes(method, parameters), more, tag, out id, out error);

        private Task<Json> Asked(string operation, CallOptions options, CancellationToken cancellation, ClientCore.Start start) =>
            Run(operation, options, cancellation, Json.From, start);

        private Task<IReadOnlyList<Json>> List(string operation, string member, CallOptions options, CancellationToken cancellation, ClientCore.Start start) =>
            Run<IReadOnlyList<Json>>(operation, options, cancellation, reply => new List<Json>(Json.From(reply)[member]), start);
    }
}
