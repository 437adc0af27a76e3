using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.IO;
using System.Runtime.InteropServices;
using System.Linq;
using System.Reflection;
using System.Threading;
using System.Threading.Tasks;

namespace Libmcp {
    /// <summary>What a handler gives in place of a text, or of what becomes structured content: the result as it is sent.</summary>
    public sealed class RawResult {
        /// <summary>A whole result, JSON text or what <see cref="Libmcp.Json.Of"/> takes: <c>new { content, isError }</c> of a tool.</summary>
        public RawResult(object result) => Result = result;

        /// <summary>The result.</summary>
        public object Result { get; }
    }

    /// <summary>
    /// A server: what this program offers to clients. Each request runs its handler on the pool; a failure of a handler stays in the program
    /// (<see cref="Failed"/>), except for what a <see cref="ToolException"/>, <see cref="RpcException"/> or <see cref="NotFoundException"/>
    /// says. Every member may be used from any thread, also while it serves.
    /// </summary>
    public sealed class Server : IDisposable {
        private readonly ServerCore core;

        /// <summary>Makes a server, which serves nothing yet.</summary>
        /// <param name="config">the configuration (docs/reference/configuration.md): <c>new { name = "adder", version = "1.0" }</c>, or JSON text</param>
        public Server(object config) {
            Library.Need();
            ServerHandle handle;
            IntPtr error;
            Library.CheckConfig(config, "as new { name = \"adder\", version = \"1.0\" }");
            if (Json.Settings(config)["workers"].AsLong() > 0) {
                // Threads of the library would run C#. They block all signals, and Mono's collector stops a thread by one: it would wait for ever.
                throw new McpException(Status.InvalidArgument, "new", "new: workers: handlers run on the pool of .NET; leave this key out");
            }
            Status status = Native.mcp_server_new(Library.JsonBytes("new", config), Library.NoQueue, out handle, out error);
            Library.Check("new", status, error);
            core = new ServerCore(handle);
            core.Begin();
        }

        /// <summary>Closes what was forgotten. A handler that refers to the server keeps it from being found.</summary>
        ~Server() {
            if (core != null) {
                core.CloseForgotten();
            }
        }

        private delegate Status Adder(ServerHandle server, byte[] definition, IntPtr handler, IntPtr user, IntPtr destroy, out IntPtr error);

        /// <summary>What a handler threw, and for which method it ran. Without a handler standard error has it.</summary>
        public event Action<string, Exception> Failed { add { core.Failed += value; } remove { core.Failed -= value; } }

        /// <summary>Judges the token of a client (<c>"auth":{"application":true}</c>, docs/guide/authorization.md). Without one every token is refused.</summary>
        public Func<Json, Task<object>> Token { get { return core.Token; } set { core.Token = value; } }

        /// <summary>Ends when all that was served has ended, or the server is closed.</summary>
        public Task Ended => core.Ended;

        /// <summary>Adds a tool.</summary>
        /// <param name="name">the name of the tool</param>
        /// <param name="description">what it does, for the model; null for none</param>
        /// <param name="inputSchema">the JSON Schema of its arguments, which are checked before the handler runs: JSON text or an object</param>
        /// <param name="handler">gives a text, content blocks, a <see cref="RawResult"/>, or what becomes structured content</param>
        public void AddTool(string name, string description, object inputSchema, Func<Request, Task<object>> handler) {
            AddTool(new { name, description = (object)description ?? Json.Absent, inputSchema = Json.Given(inputSchema) }, handler);
        }

        /// <summary>Adds a tool by its whole definition: "name" and "inputSchema" are necessary.</summary>
        public void AddTool(object definition, Func<Request, Task<object>> handler) {
            Add(definition, Native.mcp_server_add_tool, handler, (request, result) =>
                result == null || result is string ? ToolText((string)result ?? "", false) : Structured(Json.Of(result)));
        }

        /// <summary>The same with a handler that waits for nothing. A <see cref="Task"/> that it gives after all is awaited.</summary>
        public void AddTool(string name, string description, object inputSchema, Func<Request, object> handler) =>
            AddTool(name, description, inputSchema, Later(handler));

        /// <summary>The same with a handler that waits for nothing.</summary>
        public void AddTool(object definition, Func<Request, object> handler) => AddTool(definition, Later(handler));

        /// <summary>
        /// Adds a tool whose arguments are a class of the program, from which the schema is made (<see cref="Json.Schema(Type)"/>), with
        /// descriptions from <c>[Description("…")]</c>. <c>server.AddTool&lt;Sum&gt;("add", "Adds", (sum, request) => sum.A + sum.B)</c>
        /// </summary>
        public void AddTool<TArguments>(string name, string description, Func<TArguments, Request, object> handler) =>
            AddTyped(name, description, handler, Json.Schema(typeof(TArguments)), request => handler(request.Arguments.Read<TArguments>(), request));

        /// <summary>The same with an asynchronous handler.</summary>
        public void AddTool<TArguments>(string name, string description, Func<TArguments, Request, Task<object>> handler) =>
            AddTyped(name, description, handler, Json.Schema(typeof(TArguments)), request => handler(request.Arguments.Read<TArguments>(), request));

        /// <summary>
        /// Adds a tool that is a function with the arguments as parameters; one of the type <see cref="Request"/> or
        /// <see cref="CancellationToken"/> gets that of the request. In C# 10 and newer a lambda will do:
        /// <c>server.AddTool("add", "Adds", (double a, double b) => a + b)</c>
        /// </summary>
        public void AddTool(string name, string description, Delegate function) =>
            AddTyped(name, description, function, Json.Schema(function), request => Shape.Call(function, request));

        private void AddTyped(string name, string description, Delegate handler, Json schema, Func<Request, object> run) {
            if (handler == null) {
                throw new ArgumentNullException("handler");
            }
            AddTool(name, description, schema, request => {
                try {
                    return run(request);
                } catch (UnfitException unfit) {
                    // The schema says yes and the type may say no, as to 2^40 for an int.
                    throw new ToolException("The arguments do not fit: " + unfit.Message);
                }
            });
        }

        /// <summary>Content blocks as they are, an object as structured content, and anything else as the member "result" of one.</summary>
        private static object Structured(Json result) {
            if (IsBlock(result)) {
                return new { content = new[] { result } };
            }
            if (result.Kind == JsonKind.Array && result.Count > 0 && result.All(IsBlock)) {
                return new { content = result };
            }
            // The library adds the text ("structured_as_text").
            object structured = result.Kind == JsonKind.Object ? (object)result : new { result };
            return new { content = new object[0], structuredContent = structured };
        }

        private static bool IsBlock(Json value) {
            switch (value["type"].AsString()) {
                case "text":
                    return value["text"].Kind == JsonKind.String;
                case "image":
                case "audio":
                    return value["data"].Kind == JsonKind.String && value["mimeType"].Kind == JsonKind.String;
                case "resource":
                    return value["resource"].Kind == JsonKind.Object;
                case "resource_link":
                    return value["uri"].Kind == JsonKind.String && value["name"].Kind == JsonKind.String;
                default:
                    return false;
            }
        }

        /// <summary>Adds a resource that a handler reads: "uri" and "name" are necessary.</summary>
        /// <param name="definition">the resource</param>
        /// <param name="handler">gives a text, bytes, or a <see cref="RawResult"/></param>
        public void AddResource(object definition, Func<Request, Task<object>> handler) =>
            Add(definition, Native.mcp_server_add_resource, handler, Contents(definition));

        /// <summary>The same with a handler that waits for nothing.</summary>
        public void AddResource(object definition, Func<Request, object> handler) => AddResource(definition, Later(handler));

        /// <summary>Adds resources whose URI fits a template: "uriTemplate" and "name" are necessary. See AddResource.</summary>
        public void AddResourceTemplate(object definition, Func<Request, Task<object>> handler) =>
            Add(definition, Native.mcp_server_add_resource_template, handler, Contents(definition));

        /// <summary>The same with a handler that waits for nothing.</summary>
        public void AddResourceTemplate(object definition, Func<Request, object> handler) => AddResourceTemplate(definition, Later(handler));

        /// <summary>Adds a resource whose text is always the same.</summary>
        public void AddText(object definition, string text) =>
            With("add", (ServerHandle it, out IntPtr error) =>
                Native.mcp_server_add_text(it, Library.JsonBytes("add", definition), Library.Bytes("add", text), out error));

        /// <summary>Adds a resource whose bytes are always the same.</summary>
        public void AddBlob(object definition, byte[] content) {
            if (content == null) {
                throw new ArgumentNullException("content");
            }
            With("add", (ServerHandle it, out IntPtr error) =>
                Native.mcp_server_add_blob(it, Library.JsonBytes("add", definition), content, (UIntPtr)content.Length, out error));
        }

        /// <summary>Adds the files below a folder: the template has the variable "path".</summary>
        public void AddFolder(object template, string folder) =>
            With("add", (ServerHandle it, out IntPtr error) =>
                Native.mcp_server_add_folder(it, Library.JsonBytes("add", template), Library.Bytes("add", folder), out error));

        /// <summary>Publishes the skills below a folder (docs/guide/skills.md).</summary>
        public void AddSkills(string folder, object options = null) =>
            With("add", (ServerHandle it, out IntPtr error) =>
                Native.mcp_server_add_skills(it, Library.Bytes("add", folder), Library.JsonBytes("add", options), out error));

        /// <summary>Adds a prompt: "name" is necessary.</summary>
        /// <param name="definition">the prompt</param>
        /// <param name="handler">gives a text of the user, or a <see cref="RawResult"/></param>
        public void AddPrompt(object definition, Func<Request, Task<object>> handler) {
            Add(definition, Native.mcp_server_add_prompt, handler, (request, result) =>
                result is string ? new { messages = new[] { new { role = "user", content = new { type = "text", text = result } } } } : result);
        }

        /// <summary>The same with a handler that waits for nothing.</summary>
        public void AddPrompt(object definition, Func<Request, object> handler) => AddPrompt(definition, Later(handler));

        /// <summary>Lets an argument of a prompt, or of a template, be completed from a list.</summary>
        public void AddCompletion(string reference, string argument, IEnumerable<string> values) {
            if (values == null) {
                throw new ArgumentNullException("values");
            }
            With("add", (ServerHandle it, out IntPtr error) => Native.mcp_server_add_completion(it, Library.Bytes("add", reference),
                Library.Bytes("add", argument), Library.JsonBytes("add", values), IntPtr.Zero, IntPtr.Zero, IntPtr.Zero, out error));
        }

        /// <summary>Adds a method of an extension.</summary>
        public void AddMethod(string method, Func<Request, Task<object>> handler, string capability = null, object settings = null) =>
            Add(null, (ServerHandle it, byte[] ignored, IntPtr function, IntPtr user, IntPtr destroy, out IntPtr error) =>
                Native.mcp_server_add_method(it, Library.Bytes("add", method), Library.Bytes("add", capability),
                    Library.JsonBytes("add", settings), function, user, destroy, out error), handler, (request, result) => result);

        /// <summary>Removes what was added.</summary>
        /// <param name="kind">"tool", "resource", "template", "prompt" or "skills"</param>
        /// <param name="name">the name, URI, template or folder</param>
        /// <returns>whether it was there</returns>
        public bool Remove(string kind, string name) =>
            With("remove", (ServerHandle it, out IntPtr error) =>
                Native.mcp_server_remove(it, Library.Bytes("remove", kind), Library.Bytes("remove", name), out error)) == Status.OK;

        /// <summary>Begins to serve at an endpoint: <c>new { url = "http://127.0.0.1:0/mcp" }</c>, <c>new { socket }</c>, <c>new { stdio = true }</c>.</summary>
        /// <returns>where it serves, with the port for port 0</returns>
        public Json Serve(object endpoint) {
            IntPtr bound = IntPtr.Zero;
            With("serve", (ServerHandle it, out IntPtr error) =>
                Native.mcp_server_serve(it, Library.JsonBytes("serve", endpoint), out bound, out error));
            return Json.Parse(Library.Take(bound));
        }

        /// <summary>Listens on HTTP.</summary>
        /// <returns>the URL, with the port for port 0</returns>
        public string Listen(string url) {
            return Serve(new { url })["url"].AsString();
        }

        /// <summary>
        /// Serves a request that an HTTP server of the program has taken, such as ASP.NET Core or <see cref="System.Net.HttpListener"/>. Say
        /// first by which URL clients reach it: <c>server.Serve(new { url = "https://app.example.com/mcp", listen = false })</c>. The library
        /// judges path, Host, Origin, token and all other headers before it takes a part of the body.
        /// </summary>
        /// <param name="method">such as "POST"</param>
        /// <param name="target">path and query, such as "/mcp"</param>
        /// <param name="headers">every header as it came, one that came twice twice; with HTTP/2 ":authority" as "Host"</param>
        /// <param name="body">the body as the client sends it; null for none. A read that the library waits for no more is cancelled</param>
        /// <param name="peer">the address of the client, such as "192.0.2.7"; null if it is not known</param>
        /// <param name="cancellationToken">gives the request up: its client is gone</param>
        /// <returns>the answer, of which the program disposes; a request that is not served has one with a status of 400 or above</returns>
        /// <exception cref="McpException">with <see cref="Status.Closed"/> answer 503; otherwise cut the connection</exception>
        public async Task<HttpAnswer> HttpAsync(string method, string target, IEnumerable<KeyValuePair<string, string>> headers, Stream body = null,
            string peer = null, CancellationToken cancellationToken = default(CancellationToken)) {
            HttpAnswer answer = null;
            With("http", (ServerHandle it, out IntPtr error) => HttpAnswer.Begin(it, method, target, headers, peer, out answer, out error));
            try {
                await answer.Take(body, cancellationToken).ConfigureAwait(false);
                return answer;
            } catch (Exception) {
                answer.Dispose();
                throw;
            }
        }

        /// <summary>Serves on standard input and output until the input has ended. What the program prints meanwhile goes to standard error.</summary>
        /// <param name="cancellationToken">closes the server; the task then ends as it does when the input has ended</param>
        public async Task RunStdioAsync(CancellationToken cancellationToken = default(CancellationToken)) {
            Serve(new { stdio = true });
            using (cancellationToken.Register(() => CloseAsync())) {
                await Ended.ConfigureAwait(false);
            }
        }

        /// <summary>Tells subscribers that a resource has changed.</summary>
        public void ResourceUpdated(string uri) =>
            With("update", (ServerHandle it, out IntPtr error) => Native.mcp_server_resource_updated(it, Library.Bytes("update", uri), out error));

        /// <summary>Sends a log message to the clients that want its level.</summary>
        public void Log(string level, object data, string logger = null) =>
            With("log", (ServerHandle it, out IntPtr error) => Native.mcp_server_log(it, Library.Bytes("log", level),
                Library.Bytes("log", logger), Library.JsonBytes("log", Json.Of(data)), out error));

        /// <summary>Sends a notification to a session, or to all.</summary>
        public void Notify(string method, object parameters = null, ulong session = 0) =>
            With("notify", (ServerHandle it, out IntPtr error) =>
                Native.mcp_server_notify(it, session, Library.Bytes("notify", method), Library.JsonBytes("notify", parameters), out error));

        /// <summary>Describes the server: its sessions, endpoints and counters.</summary>
        public Json Info() {
            IntPtr info = IntPtr.Zero;
            With("info", (ServerHandle it, out IntPtr error) => Native.mcp_server_info(it, out info, out error));
            return Json.Parse(Library.Take(info));
        }

        /// <summary>Closes the server and waits for it. It may be called from a handler, several times, in any order.</summary>
        public void Dispose() => CloseAsync().Wait();

        /// <summary>Closes the server.</summary>
        public Task CloseAsync() {
            GC.SuppressFinalize(this);
            return core.Close();
        }

        internal Status With(string operation, ServerCore.Use use) {
            Status status = core.With(operation, use);
            GC.KeepAlive(this);
            return status;
        }

        internal static object ToolText(string text, bool isError) {
            return new { content = new[] { new { type = "text", text } }, isError };
        }

        private static Func<Request, object, object> Contents(object definition) {
            Json type = Json.Given(definition)["mimeType"];
            return (request, result) => {
                byte[] bytes = result as byte[];
                Json uri = request.Params["uri"];
                return bytes != null ? new { contents = new[] { new { uri, mimeType = type, blob = Convert.ToBase64String(bytes) } } }
                    : result is string ? new { contents = new[] { new { uri, mimeType = type, text = result } } } : result;
            };
        }

        private static Func<Request, Task<object>> Later(Func<Request, object> handler) {
            if (handler == null) {
                throw new ArgumentNullException("handler");
            }
            return request => Task.FromResult(handler(request));
        }

        /// <summary>What a task gives that a handler has given in place of it: one that nothing has awaited.</summary>
        private static async Task<object> Awaited(object result) {
            for (Task task = result as Task; task != null; task = result as Task) {
                await task.ConfigureAwait(false);
                PropertyInfo value = task.GetType().GetProperty("Result");
                // A task without a value has an internal one.
                result = value == null || !value.PropertyType.IsVisible ? null : value.GetValue(task);
            }
            return result;
        }

        /// <summary>It refers to no server: the library has it as long as the server is there.</summary>
        private static Func<Request, Task<object>> Shaped(Func<Request, Task<object>> handler, Func<Request, object, object> shape) =>
            async request => {
                object result = await handler(request).ConfigureAwait(false);
                result = result is Task ? await Awaited(result).ConfigureAwait(false) : result;
                RawResult raw = result as RawResult;
                return raw != null ? Json.Given(raw.Result) : shape(request, result);
            };

        /// <summary>Adds what a handler answers for. Its result is shaped, unless it is one as it is.</summary>
        private void Add(object definition, Adder adder, Func<Request, Task<object>> handler, Func<Request, object, object> shape) {
            if (handler == null) {
                throw new ArgumentNullException("handler");
            }
            byte[] text = Library.JsonBytes("add", definition);
            ServerCore.Entry entry = new ServerCore.Entry(core, Shaped(handler, shape));
            With("add", (ServerHandle it, out IntPtr error) => {
                // The library calls Forget also when it fails.
                IntPtr user = GCHandle.ToIntPtr(GCHandle.Alloc(entry));
                Interlocked.Increment(ref ServerCore.Entries);
                try {
                    return adder(it, text, ServerCore.HandlePointer, user, ServerCore.ForgetPointer, out error);
                } catch (Exception) {
                    ServerCore.OnForget(user); // An argument or the handle was refused before the library was called.
                    throw;
                }
            });
        }
    }

    /// <summary>What a server is made of. One thread takes its requests; each handler runs on the pool.</summary>
    internal sealed class ServerCore : Core<ServerHandle> {
        /// <summary>How many handlers are registered, for tests.</summary>
        internal static int Entries;

        internal static readonly IntPtr HandlePointer;
        internal static readonly IntPtr ForgetPointer;

        // The library has their pointers to the end of the process.
        private static readonly HandlerFunction KeptHandle = OnRequest;
        private static readonly DestroyFunction KeptForget = OnForget;

        private readonly ConcurrentDictionary<ulong, Request> running = new ConcurrentDictionary<ulong, Request>();

        static ServerCore() {
            HandlePointer = Marshal.GetFunctionPointerForDelegate(KeptHandle);
            ForgetPointer = Marshal.GetFunctionPointerForDelegate(KeptForget);
        }

        internal ServerCore(ServerHandle handle) : base(handle, "server") {
        }

        [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
        private delegate void HandlerFunction(IntPtr user, IntPtr request);

        [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
        private delegate void DestroyFunction(IntPtr user);

        internal Func<Json, Task<object>> Token { get; set; }

        protected override Status Poll(out MessageHandle message) => Native.mcp_server_poll(Handle, -1, out message);

        protected override Status CloseHandle() => Native.mcp_server_close(Handle, -1);

        protected override Status Wake() => Native.mcp_server_wake(Handle);

        protected override void Cancel(ulong id, Call call) {
            // A server of this binding calls no client by itself: it asks by Request.Ask.
        }

        protected override void Take(MessageHandle message, MessageKind kind) {
            Request request;
            if (kind == MessageKind.Auth) {
                Task.Run(() => Judge(message));
                return;
            }
            using (message) {
                if (Native.mcp_message_topic(message) == Topic.Cancelled && running.TryGetValue(Native.mcp_message_call_id(message), out request)) {
                    request.Cancel();
                }
            }
        }

        private async Task Judge(MessageHandle message) {
            using (message) {
                try {
                    Func<Json, Task<object>> token = Token;
                    if (token == null) {
                        throw new RpcException(-32602, "refused");
                    }
                    object result = await token(Json.From(message)).ConfigureAwait(false);
                    IntPtr error;
                    Status status = Native.mcp_request_respond(message, Library.JsonBytes("token", Json.Of(result)), out error);
                    Library.Check("token", status, error);
                } catch (Exception why) {
                    Answers.Refuse("token", message, why, "refused", Tell);
                }
            }
        }

        private void Accept(MessageHandle message, Func<Request, Task<object>> handler) {
            ulong id = Native.mcp_message_call_id(message);
            Request request = new Request(message, Tell);
            running[id] = request;
            Task.Run(async () => {
                try {
                    await request.Run(handler).ConfigureAwait(false);
                } catch (Exception failure) {
                    Tell(request.What, failure);
                } finally {
                    // Once its message is freed, the answer of the client may have started it again under this number.
                    ((ICollection<KeyValuePair<ulong, Request>>)running).Remove(new KeyValuePair<ulong, Request>(id, request));
                }
            });
        }

        /// <summary>What the library calls for a request, which it gives away. Nothing may be thrown out of it.</summary>
        [MonoPInvokeCallback(typeof(HandlerFunction))]
        private static void OnRequest(IntPtr user, IntPtr request) {
            MessageHandle message = new MessageHandle();
            message.Adopt(request);
            Entry entry = null;
            try {
                entry = (Entry)GCHandle.FromIntPtr(user).Target;
                entry.Core.Accept(message, entry.Handler);
            } catch (Exception failure) {
                message.Dispose(); // which refuses it
                if (entry != null) {
                    entry.Core.Tell("request", failure);
                }
            }
        }

        /// <summary>What the library calls when it needs a handler no more.</summary>
        [MonoPInvokeCallback(typeof(DestroyFunction))]
        internal static void OnForget(IntPtr user) {
            GCHandle.FromIntPtr(user).Free();
            Interlocked.Decrement(ref Entries);
        }

        /// <summary>A handler and its server: what `user` of C stands for.</summary>
        internal sealed class Entry {
            internal Entry(ServerCore core, Func<Request, Task<object>> handler) {
                Core = core;
                Handler = handler;
            }

            internal ServerCore Core { get; }

            internal Func<Request, Task<object>> Handler { get; }
        }
    }
}
