using System;
using System.Threading;
using System.Threading.Tasks;

namespace Libmcp {
    /// <summary>A request of a client: what its handler gets.</summary>
    public sealed class Request {
        private const string ToolFailed = "The tool failed.";
        private const string HandlerFailed = "The server could not do this.";

        private readonly MessageHandle message;
        private readonly CancellationTokenSource cancelled = new CancellationTokenSource();
        private readonly Action<string, Exception> tell;
        private bool hasAsked;

        internal Request(MessageHandle message, Action<string, Exception> tell) {
            this.message = message;
            this.tell = tell;
            Method = Library.Text(Native.mcp_message_method(message));
            Params = Json.From(message);
        }

        /// <summary>MCP_CODE_NOT_FOUND: the library turns it into the code of the revision.</summary>
        private const int NotFoundCode = -32002;

        /// <summary>The handler was left because its client is asked: it runs again with the answer.</summary>
        private sealed class AskedException : Exception {
            internal AskedException() : base("the client is asked, and the handler runs again with the answer: let this exception pass") {
            }
        }

        /// <summary>The method, such as "tools/call".</summary>
        public string Method { get; }

        /// <summary>The parameters as the client sent them.</summary>
        public Json Params { get; }

        /// <summary>The arguments of a tool or a prompt.</summary>
        public Json Arguments => Params["arguments"];

        /// <summary>The method, and the name of the tool or the prompt.</summary>
        internal string What => Method == "tools/call" || Method == "prompts/get" ? Method + " " + Params["name"].AsString() : Method;

        /// <summary>Is cancelled when the answer is not wanted any more.</summary>
        public CancellationToken Cancellation => cancelled.Token;

        /// <summary>Describes the client: "session", "revision", "capabilities", "variables" of a resource template, "principal" and so on.</summary>
        public Json Context() {
            IntPtr context = IntPtr.Zero;
            With("context", (MessageHandle it, out IntPtr error) => Native.mcp_request_context(it, out context, out error));
            return Json.Parse(Library.Take(context));
        }

        /// <summary>Reports progress, which must rise. Nothing is sent if the client did not ask for it.</summary>
        /// <param name="progress">how far it is</param>
        /// <param name="total">the value at the end; 0 if that is not known</param>
        /// <param name="text">for a person; null for none</param>
        public void Progress(double progress, double total = 0, string text = null) {
            With("progress", (MessageHandle it, out IntPtr error) => {
                error = IntPtr.Zero;
                return Native.mcp_request_progress(it, progress, total, Library.Bytes("progress", text));
            });
        }

        /// <summary>Sends a log message that belongs to the request, if the client wants such.</summary>
        public void Log(string level, object data, string logger = null) {
            With("log", (MessageHandle it, out IntPtr error) => {
                error = IntPtr.Zero;
                return Native.mcp_request_log(it, Library.Bytes("log", level), Library.Bytes("log", logger), Library.JsonBytes("log", Json.Of(data)));
            });
        }

        /// <summary>
        /// Asks the client. The handler is left here by an exception, and runs again from its beginning with the answer; what must happen
        /// once comes after the last question.
        /// </summary>
        /// <param name="key">a name of the question within the request</param>
        /// <param name="method">"sampling/createMessage", "elicitation/create" or "roots/list"</param>
        /// <param name="parameters">its parameters</param>
        public Json Ask(string key, string method, object parameters = null) {
            IntPtr answer = IntPtr.Zero;
            Status status = With(method, (MessageHandle it, out IntPtr error) => Native.mcp_request_ask(it, Library.Bytes(method, key),
                Library.Bytes(method, method), Library.JsonBytes(method, parameters ?? "{}"), out answer, out error));
            if (status == Status.Empty) {
                hasAsked = true;
                throw new AskedException();
            }
            return Json.Parse(Library.Take(answer));
        }

        /// <summary>Asks the person to fill in a form. See <see cref="Ask"/>.</summary>
        /// <returns>what was filled in; null if the person did not</returns>
        public Json Elicit(string key, string text, object schema) {
            Json answer = Ask(key, "elicitation/create", new { mode = "form", message = text, requestedSchema = Json.Given(schema) });
            return answer["action"].AsString() == "accept" ? answer["content"] : null;
        }

        /// <summary>The same with the form of a class, as of <see cref="Json.Schema(Type)"/>: its members are texts, numbers, bools and enumerations.</summary>
        /// <returns>what was filled in; null if the person did not</returns>
        public T Elicit<T>(string key, string text) where T : class => Elicit(key, text, Json.Form(typeof(T)))?.To<T>();

        /// <summary>Keeps a text for the next run of the handler, after a question.</summary>
        public void Keep(string text) =>
            With("state", (MessageHandle it, out IntPtr error) => Native.mcp_request_set_state(it, Library.Bytes("state", text), out error));

        /// <summary>What an earlier run of the handler kept; null for nothing.</summary>
        public string Kept() {
            IntPtr state = IntPtr.Zero;
            Status status = With("state", (MessageHandle it, out IntPtr error) => Native.mcp_request_state(it, out state, out error));
            return status == Status.OK ? Library.Take(state) : null;
        }

        /// <summary>Turns a call of a tool into a task (docs/guide/tasks.md).</summary>
        public void StartTask(object options = null) =>
            With("task", (MessageHandle it, out IntPtr error) => Native.mcp_request_start_task(it, Library.JsonBytes("task", options), out error));

        /// <summary>Ends the event stream of the request before its answer, so that no connection stays open meanwhile.</summary>
        public bool CloseStream(TimeSpan? retry = null) =>
            With("stream", (MessageHandle it, out IntPtr error) =>
                Native.mcp_request_close_stream(it, Library.Milliseconds(retry, nameof(retry)), out error)) == Status.OK;

        internal delegate Status Use(MessageHandle message, out IntPtr error);

        private Status With(string operation, Use use) {
            try {
                IntPtr error;
                return Library.Check(operation, use(message, out error), error);
            } catch (ObjectDisposedException) {
                throw new McpException(Status.Cancelled, operation, operation + ": the request was answered");
            }
        }

        /// <summary>Says that the answer is not wanted: what waits for it runs on the pool, not on the thread that takes messages.</summary>
        internal void Cancel() {
            ThreadPool.QueueUserWorkItem(ignored => {
                try {
                    cancelled.Cancel();
                } catch (AggregateException failure) {
                    tell(What, failure);
                }
            });
        }

        /// <summary>Runs the handler. Whatever it does, the client gets an answer.</summary>
        internal async Task Run(Func<Request, Task<object>> handler) {
            using (message) {
                object result;
                try {
                    result = await handler(this).ConfigureAwait(false);
                } catch (Exception why) {
                    if (!hasAsked) {
                        Fail(why);
                    }
                    return; // The library asks when the message is freed without an answer.
                }
                if (hasAsked) {
                    return;
                }
                try {
                    Respond(result);
                } catch (Exception unfit) {
                    if (!Answers.IsOver(unfit) && !Native.mcp_request_cancelled(message)) {
                        tell(What, unfit);
                        Failed();
                    }
                }
            }
        }

        private void Respond(object result) {
            byte[] text = Library.JsonBytes(Method, Json.Of(result));
            With(Method, (MessageHandle it, out IntPtr error) => Native.mcp_request_respond(it, text, out error));
        }

        private void Fail(Exception why) {
            if (Native.mcp_request_cancelled(message)) {
                return; // No client waits, and nothing failed.
            }
            try {
                if (why is NotFoundException) {
                    With(Method, (MessageHandle it, out IntPtr error) => Native.mcp_request_respond_error(it, NotFoundCode, null, null, out error));
                } else if (why is ToolException && Method == "tools/call") {
                    Respond(Server.ToolText(why.Message, true));
                } else if (why is RpcException) {
                    Answers.Refuse(Method, message, why, HandlerFailed, tell);
                } else {
                    tell(What, why);
                    Failed();
                }
            } catch (Exception unfit) {
                if (!Answers.IsOver(unfit)) {
                    tell(What, unfit);
                }
            }
        }

        private void Failed() {
            try {
                if (Method == "tools/call") {
                    Respond(Server.ToolText(ToolFailed, true));
                } else {
                    Answers.Refuse(Method, message, new RpcException(-32603, HandlerFailed), HandlerFailed, tell);
                }
            } catch (McpException again) {
                if (!Answers.IsOver(again)) {
                    tell(What, again);
                }
            }
        }
    }
}
