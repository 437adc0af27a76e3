// Written from include/mcp.h by `cargo xtask bindings`; do not edit.

using System;
using System.Runtime.InteropServices;

namespace Libmcp
{
    /// <summary>How something ended: 0 is success, positive is no failure, negative is an error.</summary>
    public enum Status
    {
        /// <summary>Success.</summary>
        OK = 0,
        /// <summary>There is nothing to return: no message arrived in time, or the value does not exist.</summary>
        Empty = 1,
        /// <summary>mcp_queue_wake(), mcp_client_wake() or mcp_server_wake() ended the wait.</summary>
        Woken = 2,
        /// <summary>From a store: what is there is not what was expected. Nothing was written.</summary>
        Conflict = 3,
        /// <summary>An argument is invalid. Nothing was done.</summary>
        InvalidArgument = -1,
        /// <summary>No answer arrived within the time limit.</summary>
        Timeout = -2,
        /// <summary>The application cancelled the call, or the server cancelled its request.</summary>
        Cancelled = -3,
        /// <summary>The client is not connected (it waits for the next attempt), and the call was told not to wait. From mcp_config_load(): the server is disabled.</summary>
        Unavailable = -4,
        /// <summary>The connection was lost during the call or could not be opened.</summary>
        Transport = -5,
        /// <summary>The server violated the protocol.</summary>
        Protocol = -6,
        /// <summary>The server answered with a JSON-RPC error. The error object has its "code", "message" and "data".</summary>
        Server = -7,
        /// <summary>The server or this build of the library lacks a capability, a revision or a transport.</summary>
        Unsupported = -8,
        /// <summary>Too many operations are pending. Try again later.</summary>
        Backpressure = -9,
        /// <summary>A size exceeds a configured limit.</summary>
        TooLarge = -10,
        /// <summary>Authorization is missing or was refused.</summary>
        Auth = -11,
        /// <summary>The client is closed.</summary>
        Closed = -12,
        /// <summary>The handle was created before fork(). Only the parent may use it; the child may create its own handles.</summary>
        Forked = -13,
        /// <summary>The library has a fault.</summary>
        Internal = -14,
        /// <summary>The system refused the memory that a message of the server needed: the library discarded the message, and the client continues. From a document or a builder: it refused the memory for the text.</summary>
        NoMemory = -15,
    }

    /// <summary>What a message is.</summary>
    internal enum MessageKind
    {
        /// <summary>The outcome of a call.</summary>
        Reply = 1,
        /// <summary>A notification of the server.</summary>
        Notification = 2,
        /// <summary>A request of the server. Answer it with mcp_request_respond() or mcp_request_respond_error().</summary>
        Request = 3,
        /// <summary>Progress of a call that was made with the option "progress".</summary>
        Progress = 4,
        /// <summary>The state of the connection changed; of a server on a shared queue: all that it served has ended.</summary>
        State = 5,
        /// <summary>A login needs something from the application: a person, a credential, stored logins or a signature. "kind" in the JSON says which (docs/guide/authorization.md).</summary>
        Auth = 6,
        /// <summary>A line of the server's standard error (config "stderr":"message").</summary>
        Stderr = 7,
        /// <summary>Messages were dropped because the queue was full. The JSON has their number.</summary>
        Lost = 8,
    }

    /// <summary>The state of a connection.</summary>
    public enum ClientState
    {
        /// <summary>The client is created; nothing has been started.</summary>
        Idle = 0,
        /// <summary>The library starts the server.</summary>
        Starting = 1,
        /// <summary>The handshake is in progress.</summary>
        Initializing = 2,
        /// <summary>The connection is ready: calls go directly to the server.</summary>
        Ready = 3,
        /// <summary>The connection was lost, and the client waits before the next attempt.</summary>
        Backoff = 4,
        /// <summary>The connection is being closed.</summary>
        Closing = 5,
        /// <summary>The connection is closed and is not opened again.</summary>
        Closed = 6,
    }

    /// <summary>What a notification or a request is about.</summary>
    public enum Topic
    {
        /// <summary>The message is not from the server.</summary>
        None = 0,
        /// <summary>A method that this library does not know.</summary>
        Unknown = 1,
        /// <summary>The list of tools changed.</summary>
        ToolsChanged = 2,
        /// <summary>The list of resources or of resource templates changed.</summary>
        ResourcesChanged = 3,
        /// <summary>The list of prompts changed.</summary>
        PromptsChanged = 4,
        /// <summary>A subscribed resource changed.</summary>
        ResourceUpdated = 5,
        /// <summary>A log message of the server.</summary>
        Log = 6,
        /// <summary>Progress of a call.</summary>
        Progress = 7,
        /// <summary>The server cancelled one of its own requests.</summary>
        Cancelled = 8,
        /// <summary>The state of a task.</summary>
        Task = 9,
        /// <summary>The person has completed an elicitation by URL (2025-11-25).</summary>
        ElicitationComplete = 10,
        /// <summary>The server accepted a subscription.</summary>
        Subscribed = 11,
        /// <summary>A request for the answer of a model (sampling/createMessage).</summary>
        Sampling = 20,
        /// <summary>A request for input of the person (elicitation/create).</summary>
        Elicitation = 21,
        /// <summary>A request for the roots (roots/list).</summary>
        Roots = 22,
    }

    /// <summary>How much the logger gets.</summary>
    public enum LogLevel
    {
        /// <summary>Log level: no records.</summary>
        None = 0,
        /// <summary>Log level: an operation failed.</summary>
        Error = 1,
        /// <summary>Log level: something unexpected happened, and the library continues.</summary>
        Warn = 2,
        /// <summary>Log level: a state changed.</summary>
        Info = 3,
        /// <summary>Log level: each request.</summary>
        Debug = 4,
        /// <summary>Log level: each frame.</summary>
        Trace = 5,
    }

    /// <summary>What a JSON value is.</summary>
    public enum JsonKind
    {
        /// <summary>There is no value.</summary>
        Absent = 0,
        /// <summary>null.</summary>
        Null = 1,
        /// <summary>true or false.</summary>
        Boolean = 2,
        /// <summary>A number.</summary>
        Number = 3,
        /// <summary>A string.</summary>
        String = 4,
        /// <summary>An array.</summary>
        Array = 5,
        /// <summary>An object.</summary>
        Object = 6,
    }

    internal sealed class ClientHandle : NativeHandle
    {
        protected override bool ReleaseHandle()
        {
            return Native.mcp_client_free(handle) == Status.OK;
        }
    }

    internal sealed class MessageHandle : NativeHandle
    {
        protected override bool ReleaseHandle()
        {
            return Native.mcp_message_free(handle) == Status.OK;
        }
    }

    internal sealed class QueueHandle : NativeHandle
    {
        protected override bool ReleaseHandle()
        {
            return Native.mcp_queue_free(handle) == Status.OK;
        }
    }

    internal sealed class AppHandle : NativeHandle
    {
        protected override bool ReleaseHandle()
        {
            return Native.mcp_app_free(handle) == Status.OK;
        }
    }

    internal sealed class DocumentHandle : NativeHandle
    {
        protected override bool ReleaseHandle()
        {
            return Native.mcp_document_free(handle) == Status.OK;
        }
    }

    internal sealed class BuilderHandle : NativeHandle
    {
        protected override bool ReleaseHandle()
        {
            return Native.mcp_builder_free(handle) == Status.OK;
        }
    }

    internal sealed class ServerHandle : NativeHandle
    {
        protected override bool ReleaseHandle()
        {
            return Native.mcp_server_free(handle) == Status.OK;
        }
    }

    internal sealed class StoreHandle : NativeHandle
    {
        protected override bool ReleaseHandle()
        {
            return Native.mcp_store_free(handle) == Status.OK;
        }
    }

    internal sealed class ExchangeHandle : NativeHandle
    {
        protected override bool ReleaseHandle()
        {
            return Native.mcp_exchange_free(handle) == Status.OK;
        }
    }


    /// <summary>A JSON value in a message or a document, which only the library understands.</summary>
    [StructLayout(LayoutKind.Sequential)]
    internal struct NativeValue
    {
        private readonly UIntPtr owner, name, start, end;
    }

    internal static class Native
    {
#if UNITY_IOS && !UNITY_EDITOR
        private const string Library = "__Internal";
#else
        private const string Library = "mcp";
#endif
        internal const uint AbiVersion = 1;

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern IntPtr mcp_version();

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern uint mcp_abi_version();

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern uint mcp_features();

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern IntPtr mcp_status_name(Status status);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern IntPtr mcp_kind_name(MessageKind kind);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern IntPtr mcp_topic_name(Topic topic);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern void mcp_string_free(IntPtr text);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status mcp_log_set_logger(IntPtr log, int level, IntPtr user, IntPtr destroy);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status mcp_client_new(byte[] configJson, QueueHandle queue, out ClientHandle @out, out IntPtr errorJson);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern IntPtr mcp_client_queue(ClientHandle client);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status mcp_client_set_user(ClientHandle client, IntPtr user);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern IntPtr mcp_client_user(ClientHandle client);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status mcp_client_connect(ClientHandle client, int timeoutMs, out IntPtr errorJson);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status mcp_client_connect_start(ClientHandle client, int timeoutMs, ulong tag, out ulong callId, out IntPtr errorJson);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern ClientState mcp_client_state(ClientHandle client);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern IntPtr mcp_client_state_name(ClientState state);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status mcp_client_info(ClientHandle client, out IntPtr infoJson, out IntPtr errorJson);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status mcp_client_close(ClientHandle client, int timeoutMs);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status mcp_client_free(IntPtr client);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status mcp_config_servers(byte[] path, out IntPtr serversJson, out IntPtr errorJson);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status mcp_config_load(byte[] path, byte[] serverName, out IntPtr configJson, out IntPtr errorJson);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status mcp_config_open(byte[] path, QueueHandle queue, byte[] optionsJson, IntPtr opened, IntPtr user, out IntPtr errorJson);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status mcp_call(ClientHandle client, byte[] method, byte[] paramsJson, byte[] optionsJson, out MessageHandle reply);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status mcp_call_start(ClientHandle client, byte[] method, byte[] paramsJson, byte[] optionsJson, ulong tag, out ulong callId, out IntPtr errorJson);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status mcp_call_wait(ClientHandle client, ulong callId, int timeoutMs, out MessageHandle reply);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status mcp_call_cancel(ClientHandle client, ulong callId, byte[] reason);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status mcp_client_notify(ClientHandle client, byte[] method, byte[] paramsJson, out IntPtr errorJson);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status mcp_request_respond(MessageHandle request, byte[] resultJson, out IntPtr errorJson);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status mcp_request_respond_error(MessageHandle request, int code, byte[] text, byte[] dataJson, out IntPtr errorJson);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status mcp_client_poll(ClientHandle client, int timeoutMs, out MessageHandle message);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status mcp_client_wake(ClientHandle client);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status mcp_client_interrupt(ClientHandle client);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status mcp_poll_notification(ClientHandle client, int timeoutMs, out MessageHandle message);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int mcp_client_fd(ClientHandle client);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern MessageKind mcp_message_kind(MessageHandle message);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status mcp_message_status(MessageHandle message);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern IntPtr mcp_message_client(MessageHandle message);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern IntPtr mcp_message_server(MessageHandle message);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern ulong mcp_message_call_id(MessageHandle message);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern ulong mcp_message_tag(MessageHandle message);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern IntPtr mcp_message_method(MessageHandle message);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Topic mcp_message_topic(MessageHandle message);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern IntPtr mcp_message_json(MessageHandle message, out UIntPtr length);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern IntPtr mcp_message_text(MessageHandle message, out UIntPtr length);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        [return: MarshalAs(UnmanagedType.I1)]
        internal static extern bool mcp_message_is_tool_error(MessageHandle message);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern IntPtr mcp_message_error(MessageHandle message, out UIntPtr length);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status mcp_message_free(IntPtr message);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status mcp_queue_new(byte[] configJson, out QueueHandle @out, out IntPtr errorJson);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status mcp_queue_poll(QueueHandle queue, int timeoutMs, out MessageHandle message);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status mcp_queue_wake(QueueHandle queue);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int mcp_queue_fd(QueueHandle queue);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status mcp_queue_on_ready(QueueHandle queue, IntPtr ready, IntPtr user, IntPtr destroy);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status mcp_queue_free(IntPtr queue);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status mcp_client_list_tools(ClientHandle client, byte[] optionsJson, out MessageHandle reply);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status mcp_client_call_tool(ClientHandle client, byte[] name, byte[] argumentsJson, byte[] optionsJson, out MessageHandle reply);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status mcp_client_call_tool_start(ClientHandle client, byte[] name, byte[] argumentsJson, byte[] optionsJson, ulong tag, out ulong callId, out IntPtr errorJson);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status mcp_client_read_resource(ClientHandle client, byte[] uri, byte[] optionsJson, out MessageHandle reply);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status mcp_client_read_resource_start(ClientHandle client, byte[] uri, byte[] optionsJson, ulong tag, out ulong callId, out IntPtr errorJson);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status mcp_client_subscribe_resource(ClientHandle client, byte[] uri, byte[] optionsJson, out MessageHandle reply);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status mcp_client_unsubscribe_resource(ClientHandle client, byte[] uri, byte[] optionsJson, out MessageHandle reply);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status mcp_client_get_prompt(ClientHandle client, byte[] name, byte[] argumentsJson, byte[] optionsJson, out MessageHandle reply);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status mcp_client_get_prompt_start(ClientHandle client, byte[] name, byte[] argumentsJson, byte[] optionsJson, ulong tag, out ulong callId, out IntPtr errorJson);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status mcp_client_complete(ClientHandle client, byte[] refJson, byte[] argument, byte[] value, byte[] settledJson, byte[] optionsJson, out MessageHandle reply);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status mcp_client_set_server_log_level(ClientHandle client, byte[] level, byte[] optionsJson, out MessageHandle reply);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status mcp_client_set_roots(ClientHandle client, byte[] rootsJson, out IntPtr errorJson);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status mcp_client_clear_cache(ClientHandle client);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status mcp_request_respond_elicitation(MessageHandle request, byte[] action, byte[] contentJson, out IntPtr errorJson);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status mcp_client_get_task(ClientHandle client, byte[] taskId, byte[] optionsJson, out MessageHandle reply);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status mcp_client_get_task_result(ClientHandle client, byte[] taskId, byte[] optionsJson, out MessageHandle reply);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status mcp_client_cancel_task(ClientHandle client, byte[] taskId, byte[] optionsJson, out MessageHandle reply);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status mcp_client_load_skill(ClientHandle client, byte[] entryJson, byte[] optionsJson, out MessageHandle reply);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status mcp_client_load_skill_start(ClientHandle client, byte[] entryJson, byte[] optionsJson, ulong tag, out ulong callId, out IntPtr errorJson);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status mcp_client_read_skill_file(ClientHandle client, byte[] entryJson, byte[] path, byte[] optionsJson, out MessageHandle reply);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status mcp_client_read_skill_file_start(ClientHandle client, byte[] entryJson, byte[] path, byte[] optionsJson, ulong tag, out ulong callId, out IntPtr errorJson);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status mcp_app_new(byte[] settingsJson, out AppHandle app, out IntPtr errorJson);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status mcp_app_receive(AppHandle app, byte[] messageJson, out IntPtr errorJson);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status mcp_app_tell(AppHandle app, byte[] toldJson, out IntPtr errorJson);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status mcp_app_poll(AppHandle app, out IntPtr actionJson);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status mcp_app_policy(byte[] uiJson, out IntPtr policyJson, out IntPtr errorJson);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status mcp_app_free(IntPtr app);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status mcp_client_complete_login(ClientHandle client, byte[] callbackUrl, out IntPtr errorJson);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status mcp_client_supply_credential(ClientHandle client, byte[] credential, int lastsMs, out IntPtr errorJson);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status mcp_client_abort_login(ClientHandle client, byte[] reason, out IntPtr errorJson);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status mcp_client_answer_auth(ClientHandle client, MessageHandle message, byte[] answer, byte[] failure, out IntPtr errorJson);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status mcp_client_logout(ClientHandle client, int timeoutMs, out IntPtr errorJson);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern NativeValue mcp_message_value(MessageHandle message);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern JsonKind mcp_value_type(NativeValue value);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern NativeValue mcp_value_get(NativeValue value, byte[] name);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern NativeValue mcp_value_at(NativeValue value, UIntPtr index);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern NativeValue mcp_value_first(NativeValue value);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern NativeValue mcp_value_next(NativeValue value);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern NativeValue mcp_value_key(NativeValue value);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern UIntPtr mcp_value_size(NativeValue value);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status mcp_value_int64(NativeValue value, out long @out);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status mcp_value_double(NativeValue value, out double @out);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status mcp_value_bool(NativeValue value, out byte @out);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern IntPtr mcp_value_string(NativeValue value, out UIntPtr length);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern IntPtr mcp_value_view(NativeValue value, out UIntPtr length);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        [return: MarshalAs(UnmanagedType.I1)]
        internal static extern bool mcp_value_is(NativeValue value, byte[] other);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern IntPtr mcp_value_json(NativeValue value, out UIntPtr length);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status mcp_document_new(byte[] json, UIntPtr length, out DocumentHandle @out, out IntPtr errorJson);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern NativeValue mcp_document_value(DocumentHandle document);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status mcp_document_free(IntPtr document);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern BuilderHandle mcp_builder_new();

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern void mcp_builder_begin_object(BuilderHandle builder);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern void mcp_builder_begin_array(BuilderHandle builder);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern void mcp_builder_end(BuilderHandle builder);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern void mcp_builder_key(BuilderHandle builder, byte[] key);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern void mcp_builder_string(BuilderHandle builder, byte[] text);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern void mcp_builder_key_view(BuilderHandle builder, byte[] text, UIntPtr length);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern void mcp_builder_string_view(BuilderHandle builder, byte[] text, UIntPtr length);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern void mcp_builder_int64(BuilderHandle builder, long number);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern void mcp_builder_double(BuilderHandle builder, double number);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern void mcp_builder_bool(BuilderHandle builder, [MarshalAs(UnmanagedType.I1)] bool value);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern void mcp_builder_null(BuilderHandle builder);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern void mcp_builder_json(BuilderHandle builder, byte[] json);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern void mcp_builder_value(BuilderHandle builder, NativeValue value);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status mcp_builder_finish(BuilderHandle builder, out IntPtr json, out UIntPtr length, out IntPtr errorJson);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status mcp_builder_free(IntPtr builder);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status mcp_json_get(byte[] json, byte[] pointer, out IntPtr value, out UIntPtr length);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern IntPtr mcp_error_text(byte[] errorJson, [Out] byte[] buffer, UIntPtr size);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status mcp_json_quote(byte[] text, out IntPtr quoted);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status mcp_uri_template_expand(byte[] uriTemplate, byte[] variablesJson, out IntPtr uri, out IntPtr errorJson);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status mcp_server_new(byte[] configJson, QueueHandle queue, out ServerHandle @out, out IntPtr errorJson);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status mcp_server_serve(ServerHandle server, byte[] endpointJson, out IntPtr boundJson, out IntPtr errorJson);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status mcp_server_run(ServerHandle server, int timeoutMs);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern IntPtr mcp_server_queue(ServerHandle server);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status mcp_server_wake(ServerHandle server);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status mcp_server_poll(ServerHandle server, int timeoutMs, out MessageHandle @out);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern int mcp_server_fd(ServerHandle server);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status mcp_server_resource_updated(ServerHandle server, byte[] uri, out IntPtr errorJson);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status mcp_server_log(ServerHandle server, byte[] level, byte[] logger, byte[] dataJson, out IntPtr errorJson);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status mcp_server_info(ServerHandle server, out IntPtr infoJson, out IntPtr errorJson);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status mcp_server_close(ServerHandle server, int timeoutMs);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status mcp_server_free(IntPtr server);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status mcp_server_attach(ServerHandle server, IntPtr functions, IntPtr user, out IntPtr errorJson);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status mcp_server_notify(ServerHandle server, ulong session, byte[] method, byte[] paramsJson, out IntPtr errorJson);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status mcp_server_call_start(ServerHandle server, ulong session, byte[] method, byte[] paramsJson, byte[] optionsJson, ulong tag, out ulong callId, out IntPtr errorJson);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status mcp_server_add_tool(ServerHandle server, byte[] definitionJson, IntPtr handler, IntPtr user, IntPtr destroy, out IntPtr errorJson);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status mcp_server_add_resource(ServerHandle server, byte[] definitionJson, IntPtr handler, IntPtr user, IntPtr destroy, out IntPtr errorJson);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status mcp_server_add_text(ServerHandle server, byte[] definitionJson, byte[] text, out IntPtr errorJson);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status mcp_server_add_blob(ServerHandle server, byte[] definitionJson, byte[] data, UIntPtr length, out IntPtr errorJson);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status mcp_server_add_resource_template(ServerHandle server, byte[] definitionJson, IntPtr handler, IntPtr user, IntPtr destroy, out IntPtr errorJson);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status mcp_server_add_folder(ServerHandle server, byte[] templateJson, byte[] folder, out IntPtr errorJson);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status mcp_server_add_prompt(ServerHandle server, byte[] definitionJson, IntPtr handler, IntPtr user, IntPtr destroy, out IntPtr errorJson);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status mcp_server_add_completion(ServerHandle server, byte[] reference, byte[] argument, byte[] valuesJson, IntPtr handler, IntPtr user, IntPtr destroy, out IntPtr errorJson);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status mcp_server_add_method(ServerHandle server, byte[] method, byte[] capability, byte[] settingsJson, IntPtr handler, IntPtr user, IntPtr destroy, out IntPtr errorJson);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status mcp_server_remove(ServerHandle server, byte[] kind, byte[] name, out IntPtr errorJson);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status mcp_server_add_skills(ServerHandle server, byte[] folder, byte[] optionsJson, out IntPtr errorJson);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status mcp_request_respond_text(MessageHandle request, byte[] text, [MarshalAs(UnmanagedType.I1)] bool isError, out IntPtr errorJson);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status mcp_request_progress(MessageHandle request, double progress, double total, byte[] message);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status mcp_request_log(MessageHandle request, byte[] level, byte[] logger, byte[] dataJson);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        [return: MarshalAs(UnmanagedType.I1)]
        internal static extern bool mcp_request_cancelled(MessageHandle request);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status mcp_request_ask(MessageHandle request, byte[] key, byte[] method, byte[] paramsJson, out IntPtr answerJson, out IntPtr errorJson);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status mcp_request_state(MessageHandle request, out IntPtr state, out IntPtr errorJson);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status mcp_request_set_state(MessageHandle request, byte[] state, out IntPtr errorJson);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status mcp_request_start_task(MessageHandle request, byte[] optionsJson, out IntPtr errorJson);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status mcp_request_close_stream(MessageHandle request, int retryMs, out IntPtr errorJson);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        [return: MarshalAs(UnmanagedType.I1)]
        internal static extern bool mcp_request_client_has(MessageHandle request, byte[] capability);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status mcp_request_context(MessageHandle request, out IntPtr contextJson, out IntPtr errorJson);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status mcp_store_new(IntPtr functions, IntPtr user, out StoreHandle @out, out IntPtr errorJson);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status mcp_store_free(IntPtr store);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status mcp_server_set_store(ServerHandle server, StoreHandle store, out IntPtr errorJson);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status mcp_store_register(byte[] scheme, IntPtr open, IntPtr user, IntPtr destroy, out IntPtr errorJson);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status mcp_store_ready(StoreHandle store, byte[] generation, uint flags);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status mcp_store_lost(StoreHandle store, byte[] why);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status mcp_store_found(IntPtr call, IntPtr value, UIntPtr length, ulong version);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status mcp_store_entry(IntPtr call, ulong place, IntPtr entry, UIntPtr length);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status mcp_store_done(IntPtr call, Status status, ulong version, long unixMs);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status mcp_store_event(IntPtr watch, IntPtr data, UIntPtr length);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status mcp_store_missed(IntPtr watch);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status mcp_server_http(ServerHandle server, byte[] method, byte[] target, IntPtr headers, byte[] body, UIntPtr length, IntPtr ready, IntPtr user, IntPtr destroy, out ExchangeHandle @out, out IntPtr errorJson);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status mcp_server_http_begin(ServerHandle server, byte[] method, byte[] target, IntPtr headers, byte[] peer, IntPtr ready, IntPtr user, IntPtr destroy, out ExchangeHandle @out, out IntPtr errorJson);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status mcp_exchange_permit(ExchangeHandle exchange, int timeoutMs, out UIntPtr bytes);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status mcp_exchange_write(ExchangeHandle exchange, byte[] part, UIntPtr length, [MarshalAs(UnmanagedType.I1)] bool isLast);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status mcp_exchange_head(ExchangeHandle exchange, int timeoutMs, out int status, out long length);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern IntPtr mcp_exchange_header(ExchangeHandle exchange, UIntPtr index, out IntPtr value);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status mcp_exchange_read(ExchangeHandle exchange, int timeoutMs, [Out] byte[] into, UIntPtr size, out UIntPtr length);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status mcp_exchange_free(IntPtr exchange);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status mcp_telemetry_set(byte[] optionsJson, IntPtr span, IntPtr user, IntPtr destroy, out IntPtr errorJson);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status mcp_telemetry_metrics(out IntPtr metricsJson, out IntPtr errorJson);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status mcp_transport_deliver(IntPtr transport, byte[] frame, UIntPtr length);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status mcp_transport_closed(IntPtr transport, byte[] reason);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status mcp_client_new_with_transport(byte[] configJson, QueueHandle queue, IntPtr functions, IntPtr user, out ClientHandle @out, out IntPtr errorJson);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status mcp_client_new_in_process(byte[] configJson, QueueHandle queue, ServerHandle server, out ClientHandle @out, out IntPtr errorJson);
    }
}
