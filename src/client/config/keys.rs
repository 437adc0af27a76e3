//! The keys at the top of a client's configuration. Each object inside has its definition beside its topic.

use super::capabilities;
use super::limits::{Bounds, QueueBounds};
use super::protocol::{client_info, list_roots};
use super::times::{Reconnecting, TaskTimes, Times};
use crate::client::cache::CacheSettings;
use crate::config::define::settings;
use crate::config::kinds::{
    Choice, Count, Flag, Optional, Parsed, Section, Share, Switch, Text, TextListsByName, revisions,
};
use crate::engine::{Retry, Settings};
use crate::protocol::Revision;
use crate::runtime::link::owner::StderrTo;
use crate::transport::framing::Framing;
use serde_json::{Map, Value};

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
        /// where the server's stderr lines go: to the logger (`server.stderr`), to the queue (`MCP_KIND_STDERR`), or
        /// nowhere. The last lines are kept for error texts in any case
        stderr: StderrTo = Choice(STDERR), StderrTo::Log;
        /// what log records call this client
        name: Option<String> = Optional(Text), None, "the value of `command` or `socket`, or the origin of `url`";
        /// the times of a connection and its calls
        timeouts: Times = Section::<Times>::NEW, Times::default();
        /// the bounds of a client and of its own queue
        limits: (Bounds, QueueBounds) = Section::<(Bounds, QueueBounds)>::NEW, (Bounds::default(), QueueBounds::default());
        /// `false`: when the connection is lost, or cannot be made, the client is closed
        reconnect: Option<Reconnecting> = Switch::<Reconnecting>::NEW, Some(Reconnecting::default());
        /// the revisions permitted: `"auto"` (all), `"legacy"` (up to 2025-11-25), `"modern"` (2026-07-28), one
        /// revision, or a list of them. If a modern one is among them, the server is probed with `server/discover`
        /// first; with `"legacy"` it is not
        protocol: Vec<Revision> =
            Parsed(&["string", "array"], "string, or list of revisions", revisions),
            Revision::ALL.to_vec(), "`\"auto\"`";
        /// what the server is told about the program. `name` and `version` must be strings and are filled in if
        /// absent; further members pass through
        client: String =
            Parsed(&["object"], "object", client_info),
            Settings::default().client_info, "`{\"name\":\"libmcp\",\"version\":…}`";
        /// what the program can do for a server: `sampling`, `elicitation`, `roots`, … `{}` enables one. Each
        /// revision is told only what it knows. `extensions` has an object for each extension, under its full name
        /// (`com.example/name`). A request whose capability is not enabled is refused by the library, and so is an
        /// elicitation in a mode that is not: `{}` and `{"form":{}}` are forms, `{"url":{}}` pages to visit
        capabilities: Map<String, Value> =
            Parsed(&["object"], "object of objects", capabilities::read), Map::new(), "`{}`";
        /// the values of `resultType` that a declared extension brings. Such results are passed on unchanged,
        /// unchecked and not cached; any other unknown type is `MCP_ERROR_PROTOCOL` for its call. Results of the type
        /// `task` come with `io.modelcontextprotocol/tasks` itself
        result_types: Vec<(String, Vec<String>)> = TextListsByName, Vec::new();
        /// pages that a server wants visited: only `https`, and `http` on this machine, without a user name or
        /// characters that can be read in two ways. Others are refused by the library. `"any"` hands every URL on,
        /// for programs that look themselves. None is ever fetched
        elicitation_urls: bool = Choice(&[("safe", false), ("any", true)]), false;
        /// fixed roots: `file://` URIs, or objects with such a `uri`. The library then declares the capability and
        /// answers `roots/list` itself
        roots: Option<String> = Optional(Parsed(&["array"], "list", list_roots)), None;
        /// a call made while the client waits for its next attempt: ends at once as `MCP_ERROR_UNAVAILABLE`, or waits
        /// within its time. Decides also what becomes of calls that wait for an attempt when it fails
        when_unavailable: bool = Choice(WAITS), false;
        /// a call under way when the connection is lost: ends as `MCP_ERROR_TRANSPORT`, or is sent again on the next
        /// connection if it is safe to repeat
        retry: Retry = Choice(RETRY), Retry::Never;
        /// how often one call is sent again
        max_retries: u32 = Count(0, 100), 2;
        /// a function of a feature (`mcp_client_list_resources` and its kind) that the server did not declare is
        /// `MCP_ERROR_UNSUPPORTED` at once and nothing is sent; `false` asks all the same. Tools are asked for in any
        /// case: some servers do not declare theirs. `mcp_call` never looks
        capability_checks: bool = Flag, true;
        /// 2026-07-28: ask the server for every kind of change notification that it declares, and ask again after a
        /// loss; `false` asks for the resources subscribed to only. Earlier servers send them unasked
        change_notifications: bool = Flag, true;
        /// `structuredContent` that a tool gives `mcp_client_call_tool` is checked against the `outputSchema` that
        /// `mcp_client_list_tools` brought on this connection. What does not match is `MCP_ERROR_PROTOCOL`, and the error's `data`
        /// is the result. From 2025-06-18 on
        validate_results: Option<bool> = Optional(Flag), None, "`true`";
        /// arguments of `mcp_client_call_tool` are checked against the tool's `inputSchema` before they are sent; what does
        /// not match is `MCP_ERROR_INVALID_ARGUMENT`
        validate_arguments: bool = Flag, false;
        /// what tools say of their mode counts: a session in every request, and calls of stateful tools one at a time
        /// (docs/reference/tool-modes.md)
        tool_modes: bool = Choice(&[("off", false), ("auto", true)]), false;
        /// results of lists and `mcp_client_read_resource` are kept while they are fresh: `true` with the defaults below
        cache: Option<CacheSettings> = Switch::<CacheSettings>::NEW, None;
        /// calls of tools may become tasks: `true` with the defaults below. The library then declares the extension
        /// `io.modelcontextprotocol/tasks`
        tasks: Option<TaskTimes> = Switch::<TaskTimes>::NEW, None;
        /// the share of calls whose `request.start`, `request.stop` and `request.error` are logged
        telemetry_sample_rate: f64 = Share, 1.0;
    }
}
