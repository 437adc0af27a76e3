//! The keys of a client's configuration but for `auth` and those that say where the server is, and their checks.

use crate::client::cache::{CacheSettings, CacheUse};
use crate::config::define::settings;
use crate::config::fields::{DEPTH, GIBIBYTE, MEBIBYTE, mistaken, type_of, wrong};
use crate::config::kinds::{
    Choice, Count, DRAFTS, Flag, Millis, MillisByMethod, Optional, Parsed, Section, Share, Size, Switch,
    Text, TextListsByName, Texts, TextsByName, drafts, revisions,
};
use crate::engine::{
    Error, ListLimits, Reconnect, Retry, Settings, Status, TaskSettings, Timeouts, ToolModes,
};
use crate::json;
use crate::protocol::draft::Drafts;
use crate::protocol::{Revision, capability, meta, task};
use crate::runtime::link::owner::StderrTo;
use crate::runtime::queue::{Overflow, QueueLimits};
use crate::runtime::seed;
use crate::transport::framing::Framing;
use serde_json::{Map, Value};
use std::collections::HashMap;
use std::time::Duration;

/// What becomes of a call under way when the connection is lost.
pub(super) const RETRY: &[(&str, Retry)] = &[("never", Retry::Never), ("safe", Retry::Safe)];

/// Whether a call waits while there is no connection.
pub(super) const WAITS: &[(&str, bool)] = &[("fail", false), ("wait", true)];

const FRAMING: &[(&str, Framing)] =
    &[("newline", Framing::Newline), ("content-length", Framing::ContentLength)];

const STDERR: &[(&str, StderrTo)] =
    &[("log", StderrTo::Log), ("message", StderrTo::Message), ("drop", StderrTo::Drop)];

settings! {
    /// The keys at the top, but for those that say where the server is.
    ClientKeys {
        /// how messages are told apart: one on each line, or a `Content-Length` header before each
        framing: Framing = Choice(FRAMING), Framing::Newline;
        /// where the server's stderr lines go: the logger (`server.stderr`), the queue (`MCP_KIND_STDERR`), or nowhere. The last lines are
        /// also kept for errors
        stderr: StderrTo = Choice(STDERR), StderrTo::Log;
        /// what log records call this client
        name: Option<String> = Optional(Text), None, "the value of `command` or `socket`, or the origin of `url`";
        /// the times of a connection and its calls
        timeouts: Times = Section::<Times>::NEW, Times::default();
        /// the bounds of a client and of its own queue
        limits: (Bounds, QueueBounds) = Section::<(Bounds, QueueBounds)>::NEW, (Bounds::default(), QueueBounds::default());
        /// `false`: when the connection is lost, or cannot be made, the client is closed
        reconnect: Option<Reconnecting> = Switch::<Reconnecting>::NEW, Some(Reconnecting::default());
        /// the permitted revisions: `"auto"` (all), `"legacy"` (up to 2025-11-25), `"modern"` (2026-07-28), one revision, or a list. If a
        /// modern one is permitted, the server is probed with `server/discover` first
        protocol: Vec<Revision> =
            Parsed(&["string", "array"], "string, or list of revisions", revisions),
            Revision::ALL.to_vec(), "`\"auto\"`";
        /// what the server is told about the program. `name` and `version` are filled in if absent
        client: String =
            Parsed(&["object"], "object", client_info),
            Settings::default().client_info, "`{\"name\":\"libmcp\",\"version\":…}`";
        /// what the program can do for a server: `sampling`, `elicitation`, `roots`, … `{}` enables one. `extensions` has an object for
        /// each extension, by its full name (`com.example/name`). Requests that are not enabled are refused; of elicitation `{}` and
        /// `{"form":{}}` enable forms, `{"url":{}}` pages to visit
        capabilities: Map<String, Value> =
            Parsed(&["object"], "object of objects", read), Map::new(), "`{}`";
        /// the values of `resultType` of declared extensions. Such results are passed on unchecked and not cached; any other unknown type
        /// is `MCP_ERROR_PROTOCOL`. `task` belongs to `io.modelcontextprotocol/tasks`
        result_types: Vec<(String, Vec<String>)> = TextListsByName, Vec::new();
        /// pages to visit: `"safe"` permits `https`, and `http` on this machine, without a user name or ambiguous characters; others are
        /// refused. `"any"` passes every URL on. No page is ever fetched
        elicitation_urls: bool = Choice(&[("safe", false), ("any", true)]), false;
        /// fixed roots: `file://` URIs, or objects with `uri`. The library declares the capability and answers `roots/list`
        roots: Option<String> = Optional(Parsed(&["array"], "list", list_roots)), None;
        /// a call made while the client waits for its next attempt ends as `MCP_ERROR_UNAVAILABLE`, or waits within its time, also during
        /// failed attempts
        when_unavailable: bool = Choice(WAITS), false;
        /// a call in progress when the connection is lost ends as `MCP_ERROR_TRANSPORT`, or is sent again if it is safe to repeat
        retry: Retry = Choice(RETRY), Retry::Never;
        /// how often one call is sent again
        max_retries: u32 = Count(0, 100), 2;
        /// a feature that the server did not declare is `MCP_ERROR_UNSUPPORTED`. Tools, resources and prompts are asked for all the same,
        /// and the server's answer tells; else nothing is sent. Calls with the option `raw` are not checked
        capability_checks: bool = Flag, true;
        /// 2026-07-28: request every kind of change notification that the server declares, also after a loss; `false`: only those of
        /// subscribed resources
        change_notifications: bool = Flag, true;
        /// `structuredContent` is checked against the tool's `outputSchema` of the last `mcp_client_list_tools`. A mismatch is
        /// `MCP_ERROR_PROTOCOL` with the result as `data`. From 2025-06-18 on
        validate_results: Option<bool> = Optional(Flag), None, "`true`";
        /// arguments of `mcp_client_call_tool` are checked against `inputSchema` before they are sent; a mismatch is
        /// `MCP_ERROR_INVALID_ARGUMENT`
        validate_arguments: bool = Flag, false;
        /// the tools that may be used, by name; `*` in a name stands for any characters. Lists come without the others, and a call of one of
        /// those is `MCP_ERROR_INVALID_ARGUMENT` and not sent. Files of other programs have this under names of their own
        /// (`includeTools`, `enabled_tools`, …)
        allow_tools: Option<Vec<String>> = Optional(Texts), None, "all";
        /// tools that may not be used, also of those in `allow_tools`. With either key, raw calls of `tools/list` are held to it, too, and a
        /// call with more than one `name`, in any letters, is refused
        deny_tools: Vec<String> = Texts, Vec::new();
        /// tools may be stateful: a session in every request, and stateful calls one at a time (docs/reference/tool-modes.md)
        tool_modes: bool = Choice(&[("off", false), ("auto", true)]), false;
        /// results of lists and `mcp_client_read_resource` are kept while they are fresh: `true` with the defaults below
        cache: Option<CacheSettings> = Switch::<CacheSettings>::NEW, None;
        /// calls of tools may become tasks: `true` with the defaults below. The library declares the extension
        /// `io.modelcontextprotocol/tasks`
        tasks: Option<TaskTimes> = Switch::<TaskTimes>::NEW, None;
        /// texts that are discussed for the next revision (docs/reference/draft.md). They change, and are dropped, without notice
        draft: Drafts = Parsed(&["array"], DRAFTS, drafts), Drafts::default(), "`[]`";
        /// the language that the user prefers, as the header `Accept-Language` has it (`"fr-CA,fr;q=0.9"`), for every request. Needs the
        /// draft `language`; the call option `meta` may have another one under `io.modelcontextprotocol/acceptLanguage`
        accept_language: Option<String> = Optional(Text), None;
        /// the share of calls whose `request.start`, `request.stop` and `request.error` are logged
        telemetry_sample_rate: f64 = Share, 1.0;
    }
}

settings! {
    /// The bounds of a client.
    Bounds {
        /// the headers of an answer, and those of all interim answers before it
        header_bytes: usize = Size(8192, 16 * MEBIBYTE), 128 * 1024;
        /// the largest message of the server. A larger one is thrown away as it comes, and its call ends as
        /// `MCP_ERROR_TOO_LARGE`
        frame_bytes: usize = Size(1024, 2 * GIBIBYTE), 16 << 20;
        /// how much of one message is discarded beyond `limits.frame_bytes`, over pipes and sockets. A longer message or line ends the
        /// connection, and the server is started again
        discard_bytes: usize = Size(0, 64 * GIBIBYTE), 512 << 20;
        /// bytes that wait for the server to read them; a further call is `MCP_ERROR_BACKPRESSURE`, a blocking one after about 30 ms
        outgoing_bytes: usize = Size(1024, 2 * GIBIBYTE), 64 << 20;
        /// calls without an outcome; one more is `MCP_ERROR_BACKPRESSURE`
        in_flight: usize = Size(1, 1_000_000), Settings::default().in_flight;
        /// requests of the server that the program has not answered; one more is refused
        server_requests: usize = Size(1, 100_000), Settings::default().server_requests;
        /// how deep JSON may nest, received and given
        json_depth: usize = Size(4, 1000), Settings::default().json_depth;
        /// calls of stateful tools that wait for their turn (`tool_modes`); one more is `MCP_ERROR_BACKPRESSURE`
        stateful_calls: usize = Size(1, 1_000_000), 1000;
        /// pages of a list that are collected into one result; one more is `MCP_ERROR_TOO_LARGE`
        list_pages: usize = Size(1, 1_000_000), ListLimits::default().pages;
        /// entries of a list. A page that the program requests (`one_page`, `cursor`) is limited by `limits.frame_bytes` only
        list_items: usize = Size(1, 100_000_000), ListLimits::default().items;
        /// their bytes
        list_bytes: usize = Size(1024, 64 * GIBIBYTE), ListLimits::default().bytes;
        /// files of a skill; one with more is `MCP_ERROR_TOO_LARGE` and nothing of it is read
        skill_files: usize = Size(1, 1_000_000), SkillLimits::default().files;
        /// their bytes, as the skill's entry says; of a dynamic skill the bytes of each file
        skill_bytes: usize = Size(1024, GIBIBYTE), SkillLimits::default().bytes;
        /// calls that are tasks at a time; one more is `MCP_ERROR_BACKPRESSURE`
        tasks: usize = Size(1, 100_000), TaskSettings::default().limit;
        /// the longest stderr line kept; the rest of a longer one is dropped
        stderr_line_bytes: usize = Size(16, MEBIBYTE), 4096;
        /// the last stderr lines kept; an error shows up to 10 of them
        stderr_lines: usize = Size(0, 100_000), 50;
    }
}

/// What becomes of messages that a full queue has no room for.
const OVERFLOW: &[(&str, Overflow)] = &[
    ("drop_oldest", Overflow::DropOldest),
    ("drop_newest", Overflow::DropNewest),
    ("block", Overflow::Block),
];

settings! {
    /// The bounds of a queue.
    QueueBounds {
        /// messages that may wait in the client's own queue
        queue_messages: usize = Size(1, 100_000_000), QueueLimits::default().messages;
        /// their bytes
        queue_bytes: usize = Size(1024, 64 * GIBIBYTE), QueueLimits::default().bytes;
        /// when the queue is full, of the messages that need no answer (notifications, progress, states, log lines): drop the oldest, drop
        /// the new one, or stop reading from the server. With `"block"` a thread that waits for a call still reads, and the oldest are
        /// dropped
        overflow: Overflow = Choice(OVERFLOW), Overflow::DropOldest;
    }
}

/// What else the configuration says that matters here.
#[cfg_attr(not(feature = "http"), expect(dead_code, reason = "only HTTP looks at it"))]
pub(super) struct EndpointContext<'a> {
    pub(super) limits: &'a Bounds,
    /// How long a connection may take to be made.
    pub(super) connect: Duration,
    /// Attempts to take up a stream again.
    pub(super) stream_attempts: u32,
    /// Whether the library manages authorization.
    pub(super) authorizes: bool,
    /// The drafts that are on.
    pub(super) draft: Drafts,
}

impl QueueBounds {
    /// As the queue takes them.
    pub(super) fn limits(self) -> QueueLimits {
        QueueLimits { messages: self.queue_messages, bytes: self.queue_bytes, overflow: self.overflow }
    }
}

settings! {
    /// The times of a connection and its calls.
    Times {
        /// one call
        call_ms: Duration = Millis, Timeouts::default().call;
        /// one call of that method, instead of `call_ms`. For `server/discover` and `initialize` it goes before the
        /// two keys below
        methods: HashMap<String, Duration> = MillisByMethod(|_| Ok(())), HashMap::new();
        /// the answer to `initialize`
        initialize_ms: Duration = Millis, Timeouts::default().initialize;
        /// the answer to `server/discover`. Then the library sends `initialize`, if `protocol` permits it; a late answer still counts
        probe_ms: Duration = Millis, Timeouts::default().probe;
        /// the time in which the process of a server must begin to read or to write; the two timeouts below
        /// start then
        start_ms: Duration = Millis, Duration::from_secs(30);
        /// the most that a call may take, however much progress is reported; at least the call's own time
        max_total_ms: Duration = Millis, Timeouts::default().max_total;
        /// progress restarts the timeout of a call. Servers report progress only for calls with the option
        /// `progress`
        reset_on_progress: bool = Flag, Timeouts::default().reset_on_progress;
        /// how long a legacy connection waits for the stream of the server's messages before it is ready, and again for restored
        /// subscriptions
        listen_ms: Duration = Millis, Timeouts::default().listen;
        /// name look-up, proxy, connecting and TLS. Several addresses of a name share this time. With HTTP+SSE also the first event
        connect_ms: Duration = Millis, Duration::from_secs(10);
        /// the time for a server to exit, or to close its side of a socket, after the client has closed its own; then SIGTERM
        exit_ms: Duration = Millis, Duration::from_secs(1);
        /// how long it may take after SIGTERM, before SIGKILL
        term_ms: Duration = Millis, Duration::from_millis(500);
        /// the whole time of `mcp_client_free`, and of `mcp_client_close` with -1. Waiting for a killed process may take 500 ms more
        close_ms: Duration = Millis, Duration::from_secs(2);
    }
}

impl Times {
    /// The times of calls and of the handshake.
    pub(super) fn calls(self) -> Timeouts {
        Timeouts {
            call: self.call_ms,
            initialize: self.initialize_ms,
            probe: self.probe_ms,
            start: Some(self.start_ms),
            max_total: self.max_total_ms,
            reset_on_progress: self.reset_on_progress,
            listen: self.listen_ms,
            methods: self.methods,
        }
    }
}

settings! {
    /// How a lost connection is made again.
    Reconnecting {
        /// the first wait; each further one is twice as long
        initial_ms: Duration = Millis, Reconnect::default().initial;
        /// the longest wait; not less than `initial_ms`
        max_ms: Duration = Millis, Reconnect::default().max;
        /// each wait is longer or shorter by up to this share of it
        jitter: f64 = Share, Reconnect::default().jitter;
        /// attempts in a row to connect again before the client closes, without a bound if absent; the first
        /// start does not count
        max_attempts: Option<u32> = Optional(Count(0, u32::MAX)), None;
        /// how long a connection must stay ready before the waits and the number of attempts start again
        stable_ms: Duration = Millis, Reconnect::default().stable;
        /// attempts in a row to resume a broken stream that bring nothing new. The waits grow from 1 s to 30 s, or are at least what
        /// `retry:` says
        stream_attempts: u32 = Count(0, 1_000_000), 5;
    }
}

settings! {
    /// How calls that become tasks are followed.
    TaskTimes {
        /// how often a task is asked for whose server does not say
        poll_ms: Duration = Millis, TaskSettings::default().poll;
        /// the least such time, whatever the server says
        poll_min_ms: Duration = Millis, TaskSettings::default().poll_min;
        /// the longest such time, whatever the server says; not less than `poll_min_ms`
        poll_max_ms: Duration = Millis, TaskSettings::default().poll_max;
        /// 2025-11-25: how long the server is asked to keep a task
        ttl_ms: Option<Duration> = Optional(Millis), None;
        /// the most that a call may take that has become a task, unless it has the option `max_total_ms`
        life_ms: Duration = Millis, TaskSettings::default().life;
    }
}

impl TaskTimes {
    /// As the engine takes them, for at most `limit` tasks.
    pub(super) fn settings(self, limit: usize) -> Result<TaskSettings, Error> {
        if self.poll_max_ms < self.poll_min_ms {
            return Err(wrong("tasks.poll_max_ms", "it is smaller than tasks.poll_min_ms"));
        }
        Ok(TaskSettings {
            poll: self.poll_ms,
            poll_min: self.poll_min_ms,
            poll_max: self.poll_max_ms,
            ttl: self.ttl_ms,
            life: self.life_ms,
            limit,
        })
    }
}

/// A client with tasks declares their extension without being asked to.
pub(super) fn with_extension(mut settings: Settings) -> Settings {
    if settings.tasks.is_some() {
        let extensions =
            settings.capabilities.entry("extensions").or_insert_with(|| Value::Object(Map::new()));
        if let Value::Object(extensions) = extensions {
            extensions.entry(task::EXTENSION).or_insert_with(|| Value::Object(Map::new()));
        }
    }
    settings
}

/// The types of results that declared extensions bring.
pub(super) fn result_types(
    by_extension: Vec<(String, Vec<String>)>,
    capabilities: &Map<String, Value>,
) -> Result<Vec<String>, Error> {
    let mut types = Vec::new();
    for (id, names) in by_extension {
        let key = format!("result_types.{id}");
        if !capability::has_extension(capabilities, &id) {
            let what = "there is no such extension in 'capabilities.extensions', where it is declared";
            return Err(wrong(&key, what));
        }
        for name in names {
            if ["complete", "input_required", task::RESULT_TYPE].contains(&name.as_str()) {
                return Err(wrong(&key, format!("'{name}' has a meaning of its own already")));
            }
            types.push(name);
        }
    }
    Ok(types)
}

/// Reads what the server is told about the program.
pub(super) fn client_info(key: &str, value: &Value) -> Result<String, Error> {
    let Value::Object(info) = value else { return Err(mistaken(key, value, "an object")) };
    let mut info = info.clone();
    for (name, fallback) in [("name", "libmcp"), ("version", env!("CARGO_PKG_VERSION"))] {
        let value = info.entry(name).or_insert_with(|| fallback.into());
        if !value.is_string() {
            return Err(mistaken(&format!("{key}.{name}"), value, "a string"));
        }
    }
    Ok(Value::Object(info).to_string())
}

/// Reads a list of roots, and gives the answer to `roots/list`.
pub(crate) fn parse_roots(text: &str) -> Result<String, Error> {
    let invalid = |message: String| Error::new(Status::InvalidArgument, "set_roots", message);
    if let Err(error) = json::scan_value(text.as_bytes(), DEPTH) {
        return Err(invalid(format!("the roots are no JSON: {error}")).with("offset", error.offset));
    }
    match serde_json::from_str(text) {
        Ok(roots @ Value::Array(_)) => list_roots("roots", &roots).map_err(|error| error.of("set_roots")),
        _ => Err(invalid("the roots are no list".to_owned())),
    }
}

/// The answer to `roots/list` with a list of roots.
pub(super) fn list_roots(key: &str, value: &Value) -> Result<String, Error> {
    let Value::Array(roots) = value else { return Err(mistaken(key, value, "a list")) };
    let mut list = Vec::new();
    for root in roots {
        let root = match root {
            Value::String(uri) => serde_json::json!({ "uri": uri }),
            Value::Object(members) if members.get("uri").is_some_and(Value::is_string) => root.clone(),
            other => {
                let what = format!("{} is neither a file:// URI nor an object with 'uri'", type_of(other));
                return Err(wrong(key, what));
            }
        };
        if !root["uri"].as_str().unwrap_or_default().starts_with("file://") {
            return Err(wrong(key, format!("{} is no file:// URI", root["uri"])));
        }
        list.push(root);
    }
    Ok(serde_json::json!({ "roots": list }).to_string())
}

/// Capabilities are objects, and so are the settings of each extension, which goes by its full identifier.
pub(super) fn read(key: &str, value: &Value) -> Result<Map<String, Value>, Error> {
    let Value::Object(capabilities) = value else {
        return Err(mistaken(key, value, "an object"));
    };
    if let Some((name, value)) = capabilities.iter().find(|(_, value)| !value.is_object()) {
        return Err(wrong(
            &format!("{key}.{name}"),
            format!("{} is no object; {{}} enables it", type_of(value)),
        ));
    }
    if let Some(Value::Object(extensions)) = capabilities.get("extensions") {
        for (id, settings) in extensions {
            let key = format!("{key}.extensions.{id}");
            if !meta::is_extension_id(id) {
                let form = "an extension is named by a prefix and a name, such as \"com.example/name\"";
                return Err(wrong(&key, form));
            }
            if !settings.is_object() {
                return Err(wrong(
                    &key,
                    format!("{settings} is no object; {{}} enables it without settings"),
                ));
            }
        }
    }
    Ok(capabilities.clone())
}

/// How large a skill may be. Hosts have to take 512 files and 16 MiB (extension `skills`, "Limits").
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct SkillLimits {
    /// Files of one skill.
    pub(crate) files: usize,
    /// Bytes of all its files.
    pub(crate) bytes: usize,
}

impl Default for SkillLimits {
    fn default() -> Self {
        SkillLimits { files: 512, bytes: 16 * 1024 * 1024 }
    }
}

/// How features behave.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct FeatureSettings {
    /// Whether a tool's `structuredContent` is checked against its `outputSchema`.
    pub(crate) validate_results: bool,
    /// Whether a tool's arguments are checked against its `inputSchema` before they are sent.
    pub(crate) validate_arguments: bool,
    /// How results are kept; `None` for not at all.
    pub(crate) cache: Option<CacheSettings>,
    /// How large a skill may be.
    pub(crate) skills: SkillLimits,
}

impl Default for FeatureSettings {
    fn default() -> Self {
        FeatureSettings {
            validate_results: true,
            validate_arguments: false,
            cache: None,
            skills: SkillLimits::default(),
        }
    }
}

const CACHE_USE: &[(&str, CacheUse)] =
    &[("use", CacheUse::Use), ("refresh", CacheUse::Refresh), ("bypass", CacheUse::Bypass)];

settings! {
    /// What a program may say of one call of a feature, beside what it may say of every call.
    #[derive(Clone, Debug, PartialEq)]
    FeatureOptions {
        /// `mcp_call`, `mcp_call_start`: sends the method with its parameters as they are and hands over the result as it is: no check of
        /// capabilities, no further pages, nothing kept, no check of the result
        raw: bool = Flag, false;
        /// lists: read the page at this cursor and no other
        cursor: Option<String> = Optional(Text), None;
        /// take a kept result that is fresh; ask the server and keep what it says; leave what is kept alone
        cache: CacheUse = Choice(CACHE_USE), CacheUse::Use;
        /// lists: read the first page only; `nextCursor` in the result is the cursor of the next
        one_page: bool = Flag, false;
        /// `mcp_client_load_skill`, `mcp_client_read_skill_file`: also files of a dynamic skill, which cannot be checked
        allow_dynamic: bool = Flag, false;
        /// `tools/call`: as a task, or not as one (docs/guide/tasks.md)
        task: Option<bool> = Optional(Flag), None, "as the tool says";
        /// `tools/call`, 2025-11-25: how long the server is asked to keep the task
        task_ttl_ms: Option<Duration> = Optional(Millis), None, "`tasks.ttl_ms`";
    }
}

/// The modes of tools, with a secret of this client's own.
pub(super) fn tool_modes(waiting: usize) -> ToolModes {
    ToolModes { waiting, secret: [seed(), seed()] }
}

settings! {
    /// The keys that go with `url`.
    HttpKeys {
        /// headers for every request to this origin, such as `Authorization`. They are never logged and never sent to another origin. Line
        /// breaks, and headers that the protocol, HTTP or the library sets (`Mcp-*`, `Accept`, `Content-*`, `Host`, `Connection`, …), are
        /// refused
        headers: Vec<(String, String)> = TextsByName, Vec::new();
        /// connect to this Unix socket instead of to the URL's host
        unix_socket: Option<String> = Optional(Text), None;
        /// `HTTP_PROXY`, `HTTPS_PROXY`, `ALL_PROXY` and `NO_PROXY` are read when the client is made, and apply to each request
        /// by its own URL. Without this key this machine (`localhost`, `127.0.0.0/8`, `::1`) is never reached through a proxy; with it every
        /// request is: do not set it for `http://localhost` with a token. The URL may have a user name and password. `socks5h`: the proxy
        /// looks names up
        proxy: Proxy =
            Parsed(&["boolean", "string"], "`false`, or a `http://`, `socks5://` or `socks5h://` URL", proxy),
            Proxy::Environment, "the environment";
        /// what TLS trusts and shows
        tls: TlsKeys = Section::<TlsKeys>::NEW, TlsKeys::default();
        /// connections
        http: ConnectionKeys = Section::<ConnectionKeys>::NEW, ConnectionKeys::default();
    }
}

settings! {
    /// What TLS trusts and shows.
    TlsKeys {
        /// a PEM file of certificate authorities to trust. They are trusted for the authorization servers of a login too
        ca_file: Option<String> = Optional(Text), None;
        /// whether authorities of the system are trusted. They are located (`SSL_CERT_FILE`, `SSL_CERT_DIR`, system folders) when the
        /// client is made
        system_roots: bool = Flag, true;
        /// a PEM file: the certificate to show to a server that asks for one; with `client_key`
        client_certificate: Option<String> = Optional(Text), None;
        /// a PEM file: the key of `client_certificate`
        client_key: Option<String> = Optional(Text), None;
    }
}

settings! {
    /// Connections over HTTP.
    ConnectionKeys {
        /// whether answers may come compressed (gzip, brotli)
        compression: bool = Flag, true;
        /// whether cookies of the server are sent back, to its exact origin, while the client lives and its login stays the same: at most
        /// 32 with 6 KiB, never stored
        cookies: bool = Flag, true;
        /// idle connections kept for the next request
        idle_connections: usize = Size(0, 10_000), 64;
        /// how long they are kept. The default is less than the time after which servers usually close them
        idle_ms: Duration = Millis, Duration::from_secs(55);
        /// HTTP/2: the interval between pings during a request, and the longest time for an answer to one
        ping_ms: Duration = Millis, Duration::from_secs(10);
        /// whether this client uses what others of the process found out about the era of the server at this URL, and
        /// tells them
        remember_era: bool = Flag, true;
    }
}

/// Which proxy requests go through.
#[cfg_attr(not(feature = "http"), expect(dead_code, reason = "only their names are used"))]
pub(crate) enum Proxy {
    /// The one that the environment names, except for this machine itself.
    Environment,
    /// None.
    Off,
    /// The one at this URL.
    Url(String),
}

fn proxy(key: &str, value: &Value) -> Result<Proxy, Error> {
    match value {
        Value::Bool(false) => Ok(Proxy::Off),
        Value::String(url) => match url.split_once("://") {
            Some(("http" | "socks5" | "socks5h", rest)) if !rest.is_empty() => Ok(Proxy::Url(url.clone())),
            _ => Err(wrong(
                key,
                "it is not an http://, socks5:// or socks5h:// URL; other proxies are not supported",
            )),
        },
        other => Err(mistaken(key, other, "false or a URL")),
    }
}

#[cfg(test)]
mod tests {
    use crate::client::config::Config;
    use serde_json::{Value, json};
    use std::time::Duration;

    fn parse(more: &Value) -> Result<Config, String> {
        let mut config = json!({"command": "server"});
        for (key, value) in more.as_object().expect("an object") {
            config[key] = value.clone();
        }
        Config::parse(&config.to_string()).map_err(|error| error.message)
    }

    #[test]
    fn tasks_are_off_until_they_are_turned_on() {
        assert!(parse(&json!({})).expect("valid").settings.tasks.is_none());
        assert!(parse(&json!({"tasks": false})).expect("valid").settings.tasks.is_none());
        let config = parse(&json!({"tasks": true})).expect("valid");
        assert_eq!(config.settings.tasks.map(|tasks| tasks.limit), Some(256));
        let extension = &config.settings.capabilities["extensions"]["io.modelcontextprotocol/tasks"];
        assert_eq!(*extension, json!({}));
    }

    #[test]
    fn their_pace_and_number_are_bounded() {
        let config = parse(&json!({
            "tasks": {"poll_ms": 5, "poll_min_ms": 1, "poll_max_ms": 9, "ttl_ms": 60000, "life_ms": 7000},
            "limits": {"tasks": 3}
        }));
        let tasks = config.expect("valid").settings.tasks.expect("on");
        assert_eq!((tasks.poll, tasks.poll_max), (Duration::from_millis(5), Duration::from_millis(9)));
        assert_eq!((tasks.ttl, tasks.limit), (Some(Duration::from_secs(60)), 3));
        assert_eq!(tasks.life, Duration::from_secs(7));
        let wrong =
            parse(&json!({"tasks": {"poll_min_ms": 10, "poll_max_ms": 9}})).expect_err("contradictory");
        assert!(wrong.contains("tasks.poll_max_ms"), "{wrong}");
        let wrong = parse(&json!({"tasks": {"pol_ms": 10}})).expect_err("unknown");
        assert!(wrong.contains("tasks.poll_ms"), "{wrong}");
        assert!(parse(&json!({"tasks": 7})).is_err());
        assert!(parse(&json!({"limits": {"tasks": 0}})).is_err());
    }

    #[test]
    fn result_types_belong_to_extensions_that_are_declared() {
        let declared = json!({"extensions": {"com.example/x": {"level": 2}}});
        let config =
            parse(&json!({"capabilities": declared, "result_types": {"com.example/x": ["partial"]}}));
        assert_eq!(config.expect("valid").settings.result_types, ["partial"]);
        let wrong = parse(&json!({"result_types": {"com.example/x": ["partial"]}})).expect_err("undeclared");
        assert!(wrong.contains("capabilities.extensions"), "{wrong}");
        for name in ["complete", "input_required", "task"] {
            let types = json!({"com.example/x": [name]});
            assert!(parse(&json!({"capabilities": declared, "result_types": types})).is_err(), "{name}");
        }
    }
}
