using System;
using System.Collections.Generic;

namespace Libmcp {
    /// <summary>
    /// The host's side of the page of a tool (MCP Apps, docs/guide/apps.md). It shows nothing: the program has a web view, gives the messages
    /// of the page to <see cref="Receive"/>, and does the actions that come out of <see cref="Actions"/>. Any thread may use it; nothing waits.
    /// </summary>
    public sealed class View : IDisposable {
        private readonly object turn = new object();
        private readonly AppHandle handle;

        /// <summary>Makes one, with the settings of mcp_app_new in mcp.h: "hostInfo", "hostCapabilities", "tool", "tools" and so on.</summary>
        /// <exception cref="McpException">A setting is wrong or missing; the message names it.</exception>
        public View(object settings) {
            Library.Need();
            IntPtr error;
            Library.Check("view", Native.mcp_app_new(Library.JsonBytes("view", settings), out handle, out error), error);
        }

        /// <summary>Takes a message of the page's own frame, as it came. A malformed or forbidden one is answered or dropped.</summary>
        /// <param name="message">JSON text, or what <see cref="Json.Of"/> takes</param>
        public void Receive(object message) {
            byte[] text = Library.JsonBytes("receive", message);
            lock (turn) {
                IntPtr error;
                Library.Check("receive", Native.mcp_app_receive(handle, text, out error), error);
            }
        }

        /// <summary>
        /// Tells what happened: <c>Tell("input", new { arguments })</c>, <c>Tell("result", new { result })</c>,
        /// <c>Tell("answer", new { id = action["id"], result })</c>, <c>Tell("teardown", new { reason = "closed" })</c> and the others of
        /// mcp_app_tell in mcp.h.
        /// </summary>
        /// <param name="type">what it is</param>
        /// <param name="members">the members of that type; null for none</param>
        public void Tell(string type, object members = null) {
            Dictionary<string, object> told = new Dictionary<string, object>();
            if (members != null) {
                foreach (KeyValuePair<string, Json> member in Json.Given(members).Members) {
                    told[member.Key] = member.Value;
                }
            }
            told["type"] = type;
            byte[] text = Library.JsonBytes("tell", told);
            lock (turn) {
                IntPtr error;
                Library.Check("tell", Native.mcp_app_tell(handle, text, out error), error);
            }
        }

        /// <summary>The next action; null when there is nothing to do until something is received or told.</summary>
        public Json Poll() {
            lock (turn) {
                IntPtr action;
                Status status = Library.Check("poll", Native.mcp_app_poll(handle, out action), IntPtr.Zero);
                return status == Status.Empty ? null : Json.Parse(Library.Take(action));
            }
        }

        /// <summary>The actions that are there, and those that come while they are done.</summary>
        public IEnumerable<Json> Actions() {
            for (Json action = Poll(); action != null; action = Poll()) {
                yield return action;
            }
        }

        /// <summary>
        /// The policy for the frame of a document, from "_meta.ui" of what was read: "csp", "allow" (the attribute of the frame), "refused"
        /// (domains that were left out), and "head", HTML to write before the document in "srcdoc".
        /// </summary>
        /// <param name="ui">JSON text, or what <see cref="Json.Of"/> takes; null where there is none</param>
        public static Json Policy(object ui = null) {
            Library.Need();
            IntPtr policy, error;
            Library.Check("policy", Native.mcp_app_policy(Library.JsonBytes("policy", ui), out policy, out error), error);
            return Json.Parse(Library.Take(policy));
        }

        /// <summary>Frees it. Any number of times.</summary>
        public void Dispose() {
            lock (turn) {
                handle.Dispose();
            }
        }
    }
}
