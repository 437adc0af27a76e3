using System;
using System.Threading.Tasks;

namespace Libmcp {
    /// <summary>What a client does with its messages.</summary>
    internal sealed class ClientCore : Core<ClientHandle> {
        private const int MostEvents = 1024;
        private const string Neutral = "The program could not answer the request.";

        private readonly ClientHandlers handlers;
        private readonly Inbox inbox;

        internal ClientCore(ClientHandle handle, ClientHandlers handlers) : base(handle, "client") {
            this.handlers = handlers;
            inbox = new Inbox(MostEvents, count => Raise(Lost, count), Tell);
        }

        internal event Action<Notification> Notified;
        internal event Action<Json> StateChanged;
        internal event Action<string> LineWritten;
        internal event Action<long> Lost;

        internal ClientState State {
            get {
                try {
                    return Native.mcp_client_state(Handle);
                } catch (ObjectDisposedException) {
                    return ClientState.Closed;
                }
            }
        }

        protected override Status Poll(out MessageHandle message) => Native.mcp_client_poll(Handle, -1, out message);

        protected override Status CloseHandle() => Native.mcp_client_close(Handle, -1);

        protected override Status Wake() => Native.mcp_client_wake(Handle);

        protected override void Cancel(ulong id, Call call) {
            try {
                With("cancel", (ClientHandle it, out IntPtr error) => {
                    error = IntPtr.Zero;
                    return Native.mcp_call_cancel(it, id, null);
                });
            } catch (McpException) {
                // Once the client is closing every call ends by itself.
            }
        }

        protected override void Take(MessageHandle message, MessageKind kind) {
            switch (kind) {
                case MessageKind.Request:
                    Task.Run(() => Answer(message));
                    return;
                case MessageKind.Auth:
                    Task.Run(() => Login.Handle(this, handlers.Login, message));
                    return;
            }
            using (message) {
                switch (kind) {
                    case MessageKind.Notification:
                        Later(Notified, () => new Notification(message));
                        break;
                    case MessageKind.State:
                        Later(StateChanged, () => Json.From(message));
                        break;
                    case MessageKind.Stderr:
                        Later(LineWritten, () => Json.From(message)["line"].AsString() ?? "");
                        break;
                    case MessageKind.Lost:
                        Later(Lost, () => Json.From(message)["count"].AsLong() ?? 0);
                        break;
                }
            }
        }

        private void Later<T>(Action<T> handler, Func<T> read) {
            if (handler != null) {
                T value = read();
                inbox.Add(() => handler(value));
            }
        }

        private static void Raise<T>(Action<T> handler, T value) {
            if (handler != null) {
                handler(value);
            }
        }

        /// <summary>Runs the function for a request of the server. Whatever happens, the server gets an answer.</summary>
        private async Task Answer(MessageHandle message) {
            using (message) {
                string method = Library.Text(Native.mcp_message_method(message));
                Func<Json, Task<object>> function = handlers.Find(method);
                if (function == null) {
                    return; // which refuses it
                }
                object result;
                try {
                    result = await function(Json.From(message)).ConfigureAwait(false);
                } catch (Exception failure) {
                    Answers.Refuse(method, message, failure, Neutral, Tell);
                    return;
                }
                try {
                    Respond(method, message, result);
                } catch (Exception failure) {
                    // Of a client that is freed the library knows nothing, and says so with another status.
                    if (!Answers.IsOver(failure) && State != ClientState.Closed) {
                        Answers.Refuse(method, message, failure, Neutral, Tell);
                    }
                }
            }
        }

        private static void Respond(string method, MessageHandle message, object result) {
            IntPtr error;
            Status status;
            Json answer = Json.Given(result);
            if (method != "elicitation/create") {
                status = Native.mcp_request_respond(message, Library.JsonBytes(method, answer), out error);
                Library.Check(method, status, error);
                return;
            }
            // These complete a form and check it, in the form of either era.
            string action = answer["action"].AsString();
            if (action != "accept" && action != "decline" && action != "cancel") {
                throw new ArgumentException("an elicitation is answered with the action \"accept\", \"decline\" or \"cancel\", not \"" + action + "\"");
            }
            Json content = answer["content"];
            status = Native.mcp_request_respond_elicitation(message, Library.Bytes(method, action),
                content.IsAbsent || action != "accept" ? null : Library.JsonBytes(method, content), out error);
            Library.Check(method, status, error);
        }
    }

    /// <summary>Answers to requests that failed, of servers to clients and of clients to servers.</summary>
    internal static class Answers {
        private const int InternalError = -32603;

        /// <summary>
        /// Refuses a request because of what its function has thrown. Only what an <see cref="RpcException"/> says is for the other side.
        /// </summary>
        internal static void Refuse(string operation, MessageHandle message, Exception why, string neutral, Action<string, Exception> tell) {
            RpcException refusal = why as RpcException;
            if (refusal != null) {
                try {
                    byte[] data = refusal.ErrorData == null ? null : Library.JsonBytes(operation, Json.Of(refusal.ErrorData));
                    Error(operation, message, refusal.Code, refusal.Message, data);
                    return;
                } catch (Exception unfit) {
                    if (IsOver(unfit)) {
                        return;
                    }
                    why = unfit;
                }
            }
            tell(operation, why);
            try {
                Error(operation, message, InternalError, neutral, null);
            } catch (McpException again) {
                // The message is freed without an answer, which refuses it as well.
                if (!IsOver(again)) {
                    tell(operation, again);
                }
            }
        }

        private static void Error(string operation, MessageHandle message, int code, string text, byte[] data) {
            IntPtr error;
            Status status = Native.mcp_request_respond_error(message, code, Library.Bytes(operation, text), data, out error);
            Library.Check(operation, status, error);
        }

        /// <summary>Says that the other side no longer waits: it withdrew its request, has ended, or this side is closed.</summary>
        internal static bool IsOver(Exception why) {
            McpException failure = why as McpException;
            return failure != null && (failure.Status == Status.Cancelled || failure.Status == Status.Transport
                || failure.Status == Status.Unavailable || failure.Status == Status.Closed);
        }
    }
}
