using System;
using System.Threading.Tasks;

namespace Libmcp {
    /// <summary>
    /// What a client needs of the program to be let in by its server (docs/guide/authorization.md). <see cref="Kind"/> says what it is:
    /// "authorize" needs a person who opens <see cref="Url"/>, and <see cref="Complete"/> unless the library <see cref="Listens"/>;
    /// "token", "assertion" and "subject" need <see cref="Supply"/>; "load", "save" and "sign" need <see cref="Answer(string)"/> before the function
    /// ends; "unlock" needs nothing. Each may be given up by <see cref="Abort"/>, or by an exception.
    /// </summary>
    public sealed class Login {
        private const string Operation = "login";

        private readonly ClientCore core;
        private readonly MessageHandle message;

        private Login(ClientCore core, MessageHandle message) {
            this.core = core;
            this.message = message;
            Json = Json.From(message);
        }

        /// <summary>All of it, by the names of docs/guide/authorization.md: "issuer", "scopes", "key", "text", "input" and so on.</summary>
        public Json Json { get; }

        /// <summary>What is needed.</summary>
        public string Kind => Json["kind"].AsString() ?? "";

        /// <summary>The page to open ("authorize"); else null. Give it only to the browser: do not log it.</summary>
        public string Url => Json["url"].AsString();

        /// <summary>Whether the library itself waits for the browser ("authorize").</summary>
        public bool Listens => Json["listens"].AsBoolean() == true;

        /// <summary>Ends a login of a person with the whole URL that the browser was sent to.</summary>
        public void Complete(string callbackUrl) =>
            core.With(Operation, (ClientHandle it, out IntPtr error) =>
                Native.mcp_client_complete_login(it, Library.Bytes(Operation, callbackUrl), out error));

        /// <summary>Gives a credential, which is never logged.</summary>
        /// <param name="credential">the credential</param>
        /// <param name="lasts">how long it is valid; null if that is not known</param>
        public void Supply(string credential, TimeSpan? lasts = null) =>
            core.With(Operation, (ClientHandle it, out IntPtr error) =>
                Native.mcp_client_supply_credential(it, Library.Bytes(Operation, credential), Library.Milliseconds(lasts, nameof(lasts)), out error));

        /// <summary>Answers "load", "save" and "sign", once, before the function ends.</summary>
        /// <param name="text">the stored text or the signature; null if nothing is stored, and after a "save"</param>
        public void Answer(string text) => Answer(text, null);

        /// <summary>Gives the login up: what waits for it ends with <see cref="Status.Auth"/>.</summary>
        /// <param name="reason">why; null for none</param>
        public void Abort(string reason = null) {
            switch (Kind) {
                case "unlock":
                    return; // It would end the login that is under way.
                case "load":
                case "save":
                case "sign":
                    Answer(null, reason ?? "the program has no answer");
                    return;
                default:
                    core.With(Operation, (ClientHandle it, out IntPtr error) =>
                        Native.mcp_client_abort_login(it, Library.Bytes(Operation, reason), out error));
                    return;
            }
        }

        private void Answer(string text, string failure) {
            try {
                core.With(Operation, (ClientHandle it, out IntPtr error) =>
                    Native.mcp_client_answer_auth(it, message, Library.Bytes(Operation, text), Library.Bytes(Operation, failure), out error));
            } catch (McpException) when (message.IsClosed) {
                throw new McpException(Status.Auth, Operation, "login: answer \"" + Kind + "\" before the function ends");
            }
        }

        /// <summary>Owns the message.</summary>
        internal static async Task Handle(ClientCore core, Func<Login, Task> handler, MessageHandle message) {
            using (message) {
                try {
                    await new Login(core, message).Run(handler).ConfigureAwait(false);
                } catch (McpException over) {
                    // The client is closed, or the login is over.
                    if (over.Status != Status.Closed) {
                        core.Tell(Operation, over);
                    }
                }
            }
        }

        private async Task Run(Func<Login, Task> handler) {
            if (handler == null) {
                Abort("the program has no function for logins: set Login of ClientHandlers");
                return;
            }
            try {
                await handler(this).ConfigureAwait(false);
            } catch (Exception failure) {
                if (Kind == "unlock") {
                    core.Tell(Operation, failure); // No thread waits for an answer.
                }
                Abort(failure.Message.Replace("\0", ""));
            }
        }
    }
}
