//! How a server is to behave: what it says of itself, bounds, times and policies, with their defaults.

use super::access::AccessRules;
use super::requests::params::ID_BYTES;
use super::store::operation::SharedStore;
use crate::engine::telemetry::Telemetry;
use crate::protocol::Revision;
use crate::protocol::draft::Drafts;
use crate::sorted::SortedMap;
use std::time::Duration;

/// How loud a log message for the client is (the levels of RFC 5424, as all revisions name them).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum Severity {
    /// Details for developers.
    Debug,
    /// General information.
    Info,
    /// Normal but significant.
    Notice,
    /// A condition to look at.
    Warning,
    /// A failure.
    Error,
    /// A failure of something central.
    Critical,
    /// To be acted on at once.
    Alert,
    /// Nothing works.
    Emergency,
}

impl Severity {
    /// Every level, least severe first.
    pub const ALL: [Severity; 8] = [
        Severity::Debug,
        Severity::Info,
        Severity::Notice,
        Severity::Warning,
        Severity::Error,
        Severity::Critical,
        Severity::Alert,
        Severity::Emergency,
    ];

    /// The level as it is written on the wire.
    pub fn as_str(self) -> &'static str {
        match self {
            Severity::Debug => "debug",
            Severity::Info => "info",
            Severity::Notice => "notice",
            Severity::Warning => "warning",
            Severity::Error => "error",
            Severity::Critical => "critical",
            Severity::Alert => "alert",
            Severity::Emergency => "emergency",
        }
    }

    /// The level that `text` names.
    pub fn parse(text: &str) -> Option<Severity> {
        Severity::ALL.into_iter().find(|level| level.as_str() == text)
    }
}

/// The hints of 2026-07-28 on how long a result may be kept and by whom (`server/utilities/caching`).
#[derive(Clone, Copy, Debug, Default)]
pub struct Caching {
    /// How long, in milliseconds. Default 0: not at all.
    pub ttl_ms: u64,
    /// Whether a cache that several users share may keep it. Default no.
    pub public: bool,
}

/// Bounds. Each has a status or an error of its own where it is reached.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Sessions at one time. Default 10,000.
    pub sessions: usize,
    /// Requests of one session that wait for the application; one more waits for a place. Default 10,000.
    pub requests_per_session: usize,
    /// The same for all sessions together. Default 20,000.
    pub requests: usize,
    /// Bytes of the requests over 1 KiB that the application has; one client has at most half of what the others leave. Default
    /// 256 MiB.
    pub request_bytes: usize,
    /// Requests of one session that wait for a place. Default 1,000.
    pub waiting_per_session: usize,
    /// Bytes of all requests that wait for a place; one session has a sixteenth, one client half of what the others
    /// leave. Default 16 MiB.
    pub waiting_bytes: usize,
    /// Resources that one session may subscribe to. Default 1,000.
    pub subscriptions_per_session: usize,
    /// Bytes of the URIs that streams of `subscriptions/listen` name, and as many of those that sessions of the legacy era are subscribed
    /// to. One client has at most half of what the others leave. Default 32 MiB.
    pub subscription_bytes: usize,
    /// Streams of `subscriptions/listen` in one session. Default 16.
    pub listens_per_session: usize,
    /// The same for all sessions together. Default 10,000.
    pub listens: usize,
    /// Messages in one batch (2025-03-26). Default 100.
    pub batch: usize,
    /// How deep the JSON of a frame may nest. Default 128.
    pub depth: usize,
    /// How often one request may ask its client for input. Default 16.
    pub input_rounds: u32,
    /// Questions of one request that may be open at one time. Default 16.
    pub questions: usize,
    /// Bytes of a `requestState`, sealed. Default 64 KiB.
    pub request_state: usize,
    /// Bytes of a request's id or progress token. Default 1 KiB.
    pub id: usize,
    /// Skills of all folders together. Default 1,000.
    pub skills: usize,
    /// Bytes of their files. Default 64 MiB.
    pub skills_bytes: usize,
    /// Request states whose use is remembered, so that none is good twice, and as many ends of sessions with sealed names. Default 100,000.
    pub spent_states: usize,
    /// Progress notifications of one session in a second. Default 100.
    pub progress_per_second: u32,
    /// Log messages of one session in a second. Default 100.
    pub logs_per_second: u32,
    /// Ids of elicitations by URL that are remembered. Default 10,000.
    pub elicitation_ids: usize,
    /// Tasks that are kept at one time. Default 20,000.
    pub tasks: usize,
    /// The same of one session. Default 1,000.
    pub tasks_per_session: usize,
    /// Bytes of the results and errors of tasks that are kept. Default 64 MiB.
    pub task_bytes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            sessions: 10_000,
            requests_per_session: 10_000,
            requests: 20_000,
            request_bytes: 256 << 20,
            waiting_per_session: 1_000,
            waiting_bytes: 16 << 20,
            subscriptions_per_session: 1_000,
            subscription_bytes: 32 << 20,
            listens_per_session: 16,
            listens: 10_000,
            batch: 100,
            depth: 128,
            input_rounds: 16,
            questions: 16,
            request_state: 64 * 1024,
            id: ID_BYTES,
            skills: 1_000,
            skills_bytes: 64 << 20,
            spent_states: 100_000,
            progress_per_second: 100,
            logs_per_second: 100,
            elicitation_ids: 10_000,
            tasks: 20_000,
            tasks_per_session: 1_000,
            task_bytes: 64 * 1024 * 1024,
        }
    }
}

/// Times.
#[derive(Clone, Debug)]
pub struct Timeouts {
    /// What the application has for a request. Default 5 minutes; `None` for as long as it takes.
    pub request: Option<Duration>,
    /// What a client of the legacy era has to answer a question. Default 60 s.
    pub question: Duration,
    /// How long changes are gathered before the clients are told. Default 10 ms.
    pub burst: Duration,
    /// How long a sealed request state is good. Default 10 minutes.
    pub request_state: Duration,
    /// How long a sealed name of a session is good. Default 24 h.
    pub session_name: Duration,
    /// How long a task is kept from its beginning on, unless its client wishes less. Default 1 h.
    pub task_ttl: Duration,
}

impl Default for Timeouts {
    fn default() -> Self {
        Timeouts {
            request: Some(Duration::from_secs(300)),
            question: Duration::from_secs(60),
            burst: Duration::from_millis(10),
            request_state: Duration::from_secs(600),
            session_name: Duration::from_secs(24 * 3600),
            task_ttl: Duration::from_secs(3600),
        }
    }
}

/// What a server announces even before there is anything of it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Announced {
    /// Tools may be added later.
    pub tools: bool,
    /// Resources may be added later.
    pub resources: bool,
    /// Prompts may be added later.
    pub prompts: bool,
    /// Log messages are sent to clients that want them. In 2026-07-28 this is deprecated, and off unless asked for.
    pub logging: bool,
}

/// What is true of a server as long as it lives.
#[derive(Clone, Debug)]
pub struct Settings {
    /// `serverInfo`: a JSON object with `name` and `version`, checked before.
    pub info: String,
    /// What a model should know of the server.
    pub instructions: Option<String>,
    /// The revisions that clients may use. Default all.
    pub revisions: Vec<Revision>,
    /// What is announced although there is nothing of it yet.
    pub announced: Announced,
    /// Entries of one page of a list. Default 100.
    pub page_size: usize,
    /// The hints for caches.
    pub caching: Caching,
    /// Which scopes requests of authorized senders need.
    pub access: AccessRules,
    /// Whether results of 2026-07-28 name the server in their `_meta`. Default yes.
    pub name_in_results: bool,
    /// Whether the definitions of entries are checked; else each is passed on as it is, as long as it names something. Default yes.
    pub check_definitions: bool,
    /// Whether arguments of tools are checked against their schemas. Default yes.
    pub check_arguments: bool,
    /// Whether results of tools are checked against their schemas. Default yes.
    pub check_results: bool,
    /// Whether content blocks and the contents of resources are checked. Default yes.
    pub check_content: bool,
    /// Whether a structured result without a text gets one. Default yes.
    pub structured_as_text: bool,
    /// Whether clients of 2026-07-28 may listen to changes. Default yes.
    pub offers_listen: bool,
    /// Notifications of extensions: the member of a subscription's filter, and the method that a stream with it gets.
    pub extension_notices: SortedMap<Box<str>, Box<str>>,
    /// The least severe log message for a legacy client that has not set a level. Default `info`.
    pub severity: Severity,
    /// Whether a store that several processes share notes the uses of request states. Default no: this process does.
    pub shares_states: bool,
    /// The store that keeps what processes of this server share, as `keep_in_store` sets it. Default none: this process keeps it.
    pub store: Option<SharedStore>,
    /// Whether names of sessions over HTTP are sealed, so that other processes go on with them. Default no.
    pub seals_sessions: bool,
    /// The resource identifier of the server, which seals of request states name. Default empty.
    pub audience: String,
    /// The texts of the next revision that are on. Default none.
    pub draft: Drafts,
    /// The languages in which handlers answer, the default first (draft `language`). Default none.
    pub languages: Vec<Box<str>>,
    /// What is recorded for OpenTelemetry. Default nothing.
    pub telemetry: Option<Telemetry>,
    /// Bounds.
    pub limits: Limits,
    /// Times.
    pub timeouts: Timeouts,
}

impl Settings {
    /// The defaults, for a server that calls itself `name`.
    pub fn new(name: &str, version: &str) -> Settings {
        Settings {
            info: serde_json::json!({ "name": name, "version": version }).to_string(),
            instructions: None,
            revisions: Revision::ALL.to_vec(),
            announced: Announced::default(),
            page_size: 100,
            caching: Caching::default(),
            access: AccessRules::default(),
            name_in_results: true,
            check_definitions: true,
            check_arguments: true,
            check_results: true,
            check_content: true,
            structured_as_text: true,
            offers_listen: true,
            extension_notices: SortedMap::new(),
            severity: Severity::Info,
            shares_states: false,
            store: None,
            seals_sessions: false,
            audience: String::new(),
            draft: Drafts::default(),
            languages: Vec::new(),
            telemetry: None,
            limits: Limits::default(),
            timeouts: Timeouts::default(),
        }
    }
}
