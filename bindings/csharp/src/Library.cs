using System;
using System.Runtime.InteropServices;
using System.Text;
using System.Text.RegularExpressions;

namespace Libmcp {
    /// <summary>A failure: of a call, of a configuration, or of the connection.</summary>
    public sealed class McpException : Exception {
        private readonly Json error;

        internal McpException(Status status, string operation, string message) : this(status, operation, message, Json.Absent) {
        }

        private McpException(Status status, string operation, string message, Json error) : base(message) {
            Status = status;
            Operation = operation;
            this.error = error;
        }

        /// <summary>What kind of failure it is. A later library may have numbers that are not in the enumeration.</summary>
        public Status Status { get; }

        /// <summary>What was being done, such as "tools/call".</summary>
        public string Operation { get; }

        /// <summary>The code of a JSON-RPC error that the server sent; null for every other failure.</summary>
        public long? Code => error["code"].AsLong();

        /// <summary>The data of a JSON-RPC error that the server sent.</summary>
        public Json ErrorData => error["data"];

        /// <summary>What is known besides: "sent" of a call, the key of a configuration, and so on.</summary>
        public Json Details => error["details"];

        /// <summary>Whether another attempt may succeed and is not known to do harm.</summary>
        public bool IsRetryable => error["retryable"].AsBoolean() == true;

        /// <summary>A failure with the error object of the library, which may be missing.</summary>
        internal static McpException Of(Status status, string operation, Json error) {
            string name = Library.Text(Native.mcp_status_name(status));
            string message = error["message"].AsString() ?? operation + ": " + name;
            if (status == Status.Timeout) {
                // As CallOptions names it.
                message = message.Replace("raise timeout_ms", "raise Timeout").Replace("raise max_total_ms", "raise TotalTimeout");
            } else if (status == Status.InvalidArgument) {
                // What the library says of a pointer names a function of C.
                message = Regex.Replace(message, "^mcp_\\w+\\(\\): (\\w+?)(?:_json)? is NULL$", "$1 must not be null");
                message = message.Replace("'timeout_ms'", "'Timeout'").Replace("'max_total_ms'", "'TotalTimeout'");
            }
            return new McpException(status, error["operation"].AsString() ?? operation, message, error);
        }
    }

    /// <summary>What a tool throws to tell the model why it failed.</summary>
    public sealed class ToolException : Exception {
        /// <summary>The tool failed.</summary>
        /// <param name="message">what the model reads</param>
        public ToolException(string message) : base(message) {
        }
    }

    /// <summary>What a handler throws to say that what was asked for does not exist.</summary>
    public sealed class NotFoundException : Exception {
    }

    /// <summary>What a handler throws to answer with an error of JSON-RPC.</summary>
    public sealed class RpcException : Exception {
        /// <summary>The request is refused.</summary>
        /// <param name="code">the code of the error</param>
        /// <param name="message">what the other side reads</param>
        /// <param name="data">more for the other side, as <see cref="Json.Of"/> takes it; null for none</param>
        public RpcException(int code, string message, object data = null) : base(message) {
            Code = code;
            ErrorData = data;
        }

        /// <summary>The code of the error.</summary>
        public int Code { get; }

        /// <summary>More for the other side; null for none.</summary>
        public object ErrorData { get; }
    }

    /// <summary>
    /// A handle of the library. The runtime counts the calls that use it, so that it is freed after the last, in whatever order objects are
    /// disposed of or collected.
    /// </summary>
    internal abstract class NativeHandle : SafeHandle {
        protected NativeHandle() : base(IntPtr.Zero, true) {
        }

        public override bool IsInvalid => handle == IntPtr.Zero;

        /// <summary>Takes what a callback was given.</summary>
        internal void Adopt(IntPtr owned) => SetHandle(owned);
    }

    /// <summary>A function that C calls: compilers ahead of time, such as IL2CPP of Unity, look for this name.</summary>
    [AttributeUsage(AttributeTargets.Method)]
    internal sealed class MonoPInvokeCallbackAttribute : Attribute {
        public MonoPInvokeCallbackAttribute(Type type) => Type = type;

        public Type Type { get; }
    }

    /// <summary>Carries texts and errors across.</summary>
    internal static class Library {
        /// <summary>For a parameter that may be NULL: a handle of nothing.</summary>
        internal static readonly QueueHandle NoQueue = new QueueHandle();

        private static readonly UTF8Encoding Utf8 = new UTF8Encoding(false, true);

        /// <summary>Fails where the library is not there or has another ABI.</summary>
        internal static void Need() {
            uint found;
            try {
                found = Native.mcp_abi_version();
            } catch (Exception why) when (why is DllNotFoundException || why is EntryPointNotFoundException || why is BadImageFormatException) {
                throw new McpException(Status.Unsupported, "load", "the native library mcp could not be loaded: " + why.Message
                    + "; put it beside the program, or name its folder in LD_LIBRARY_PATH, DYLD_LIBRARY_PATH or PATH");
            }
            if (found != Native.AbiVersion) {
                throw new McpException(Status.Unsupported, "load", "the native library mcp has the ABI " + found
                    + ", and this assembly needs " + Native.AbiVersion + "; use the library that the assembly came with");
            }
        }

        /// <summary>A text for C; null for null. It may have no NUL, where C would end it.</summary>
        internal static byte[] Bytes(string operation, string text) {
            if (text == null) {
                return null;
            }
            if (text.IndexOf('\0') >= 0) {
                throw new McpException(Status.InvalidArgument, operation, operation + ": a text contains a NUL; remove it");
            }
            try {
                byte[] bytes = new byte[Utf8.GetByteCount(text) + 1];
                Utf8.GetBytes(text, 0, text.Length, bytes, 0);
                return bytes;
            } catch (EncoderFallbackException half) {
                throw new McpException(Status.InvalidArgument, operation,
                    operation + ": a text has half of a surrogate pair at " + half.Index + "; cut texts between characters");
            }
        }

        /// <summary>JSON for C; null for null. A text is JSON already, as no text is an object.</summary>
        internal static byte[] JsonBytes(string operation, object value) =>
            value == null ? null : Bytes(operation, value as string ?? Json.Write(operation, value));

        /// <summary>Refuses what is no configuration. A text that is an address, or a command, is a mistake that its first letter shows.</summary>
        internal static void CheckConfig(object config, string form) {
            if (config == null) {
                throw new ArgumentNullException("config");
            }
            string text = config as string;
            if (text != null && !text.TrimStart().StartsWith("{", StringComparison.Ordinal)) {
                throw new ArgumentException("a configuration is JSON text or an object, " + form + "; not \"" + text + "\"", "config");
            }
        }

        /// <summary>A borrowed text that ends with a NUL; null for NULL.</summary>
        internal static string Text(IntPtr borrowed) {
            if (borrowed == IntPtr.Zero) {
                return null;
            }
            int length = 0;
            while (Marshal.ReadByte(borrowed, length) != 0) {
                length++;
            }
            return Text(borrowed, length);
        }

        /// <summary>A borrowed text of this length; empty for NULL.</summary>
        internal static string Text(IntPtr borrowed, UIntPtr length) => borrowed == IntPtr.Zero ? "" : Text(borrowed, checked((int)length));

        private static string Text(IntPtr borrowed, int length) {
            byte[] bytes = new byte[length];
            Marshal.Copy(borrowed, bytes, 0, length);
            return Utf8.GetString(bytes);
        }

        /// <summary>A text that the program owns, which is freed; null for NULL.</summary>
        internal static string Take(IntPtr owned) {
            try {
                return Text(owned);
            } finally {
                Native.mcp_string_free(owned);
            }
        }

        /// <summary>Throws where a function failed, with its error object, which is freed.</summary>
        internal static Status Check(string operation, Status status, IntPtr error) {
            string text = Take(error);
            if (status < 0) {
                throw McpException.Of(status, operation, text == null ? Json.Absent : Json.Parse(text));
            }
            return status;
        }

        /// <summary>A time for C: rounded up, so that a short time does not become 0. Timeout.InfiniteTimeSpan is no limit, another negative time an error.</summary>
        internal static int Milliseconds(TimeSpan? time, string name) {
            if (time == null) {
                return -1;
            }
            double all = Math.Ceiling(time.Value.TotalMilliseconds);
            if (time.Value == System.Threading.Timeout.InfiniteTimeSpan || all >= int.MaxValue) {
                return int.MaxValue;
            }
            if (all < 0) {
                throw new ArgumentOutOfRangeException(name, time.Value, "a time must not be negative; Timeout.InfiniteTimeSpan is no limit");
            }
            return (int)all;
        }
    }
}
