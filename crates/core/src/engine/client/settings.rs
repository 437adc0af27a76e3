//! How one connection is to behave: bounds, times and policies, with their defaults.

use crate::engine::client::tools::filter::ToolFilter;
use crate::engine::telemetry::Telemetry;
use crate::protocol::draft::Drafts;
use crate::protocol::{Era, Revision};
use serde_json::{Map, Value};
use std::collections::HashMap;
use std::time::Duration;

/// Times a call and the handshake may take.
#[derive(Clone, Debug)]
pub struct Timeouts {
    /// One call, unless its method or the call itself says otherwise. Default 30 s.
    pub call: Duration,
    /// The legacy handshake. Default 20 s.
    pub initialize: Duration,
    /// The probe that tells the era, from when the server is known to run. Default 2 s.
    pub probe: Duration,
    /// What a process of ours has to begin to read or to write, before the times of the handshake count; `None` where the server
    /// runs already. Default none.
    pub start: Option<Duration>,
    /// The most that one call may take with everything it does, however much progress is reported. Default 10 min.
    pub max_total: Duration,
    /// Whether progress starts a call's time again. Default no.
    pub reset_on_progress: bool,
    /// Opening the stream of the server's own messages (legacy HTTP) before the connection is ready. Default 2 s.
    pub listen: Duration,
    /// Times per method.
    pub methods: HashMap<String, Duration>,
}

impl Default for Timeouts {
    fn default() -> Self {
        Timeouts {
            call: Duration::from_secs(30),
            initialize: Duration::from_secs(20),
            probe: Duration::from_secs(2),
            start: None,
            max_total: Duration::from_secs(600),
            reset_on_progress: false,
            listen: Duration::from_secs(2),
            methods: HashMap::new(),
        }
    }
}

/// How a lost connection is made again: waits grow from `initial` to `max`, each ± `jitter`.
#[derive(Clone, Debug)]
pub struct Reconnect {
    /// The first wait. Default 1 s.
    pub initial: Duration,
    /// The longest wait. Default 30 s.
    pub max: Duration,
    /// The share of each wait that is random, 0 to 1. Default 0.2.
    pub jitter: f64,
    /// How many attempts in a row are made to connect again before the client closes; `None` tries for ever.
    pub max_attempts: Option<u32>,
    /// How long a connection must stay ready for the waits to start over. Default 10 s.
    pub stable: Duration,
}

impl Default for Reconnect {
    fn default() -> Self {
        Reconnect {
            initial: Duration::from_secs(1),
            max: Duration::from_secs(30),
            jitter: 0.2,
            max_attempts: None,
            stable: Duration::from_secs(10),
        }
    }
}

/// What becomes of a call that was under way when the connection was lost.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Retry {
    /// It ends with `TRANSPORT`.
    Never,
    /// It is sent again on the next connection if sending it twice does no harm.
    Safe,
}

/// How frames travel, as far as the engine must know.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Wire {
    /// On one stream in each direction, in order.
    #[default]
    Stream,
    /// Each request in an exchange of its own, which can fail or be ended alone.
    Http,
}

/// What tools say of their mode counts.
#[derive(Clone, Copy, Debug)]
pub struct ToolModes {
    /// Stateful calls that may wait for their turn. Default 1,000.
    pub waiting: usize,
    /// What the ids of sessions are made of; no other program knows it.
    pub secret: [u64; 2],
}

/// Everything the engine needs to know before it starts.
#[derive(Clone, Debug)]
pub struct Settings {
    /// `clientInfo`, a JSON object.
    pub client_info: String,
    /// The capabilities the application enabled.
    pub capabilities: Map<String, Value>,
    /// The answer to `roots/list`, a JSON object, when the roots are static.
    pub roots: Option<String>,
    /// The revisions the application permits.
    pub allowed: Vec<Revision>,
    /// Times.
    pub timeouts: Timeouts,
    /// Reconnection; `None` closes the client when the connection is lost.
    pub reconnect: Option<Reconnect>,
    /// Whether calls made while no connection is there wait for one (within their time) instead of failing.
    pub wait_when_unavailable: bool,
    /// What becomes of calls under way when the connection is lost.
    pub retry: Retry,
    /// How often one call may be sent again. Default 2.
    pub max_retries: u32,
    /// Calls not yet answered. Default 10,000.
    pub in_flight: usize,
    /// How much of a list is collected.
    pub lists: ListLimits,
    /// How calls that become tasks are followed; `None` when no call may become one.
    pub tasks: Option<TaskSettings>,
    /// The tools that are used. Default all.
    pub tools: ToolFilter,
    /// Types of results that extensions bring, which are handed on as they are.
    pub result_types: Vec<String>,
    /// Whether a modern server is asked for every kind of change notification that it has. Default yes.
    pub change_notifications: bool,
    /// Whether a feature that the server did not declare is refused without asking it. Default yes.
    pub capability_checks: bool,
    /// Requests of the server not yet answered by the application. Default 256.
    pub server_requests: usize,
    /// JSON nesting, both ways. Default 128.
    pub json_depth: usize,
    /// The share of calls whose events are logged, 0 to 1. Default 1.
    pub sample_rate: f64,
    /// What is recorded for OpenTelemetry. Default nothing.
    pub telemetry: Option<Telemetry>,
    /// Whether a page that a server wants visited is shown to the application wherever it is. Default no: only `https`, and
    /// `http` on this machine.
    pub any_page: bool,
    /// Whether what tools say of their mode counts; `None` for no.
    pub tool_modes: Option<ToolModes>,
    /// The texts of the next revision that are on. Default none.
    pub draft: Drafts,
    /// The language that the user prefers, as `Accept-Language` has it (draft `language`).
    pub language: Option<String>,
    /// How frames travel.
    pub wire: Wire,
    /// Seed of the jitter.
    pub seed: u64,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            client_info: format!("{{\"name\":\"libmcp\",\"version\":\"{}\"}}", env!("CARGO_PKG_VERSION")),
            capabilities: Map::new(),
            roots: None,
            allowed: Revision::ALL.to_vec(),
            timeouts: Timeouts::default(),
            reconnect: Some(Reconnect::default()),
            wait_when_unavailable: false,
            retry: Retry::Never,
            max_retries: 2,
            in_flight: 10_000,
            lists: ListLimits::default(),
            tasks: None,
            tools: ToolFilter::default(),
            result_types: Vec::new(),
            change_notifications: true,
            capability_checks: true,
            server_requests: 256,
            json_depth: 128,
            sample_rate: 1.0,
            telemetry: None,
            any_page: false,
            tool_modes: None,
            draft: Drafts::default(),
            language: None,
            wire: Wire::Stream,
            seed: 0,
        }
    }
}

impl Settings {
    /// The newest permitted revision of an era.
    pub fn newest(&self, era: Era) -> Option<Revision> {
        self.allowed.iter().copied().filter(|revision| revision.era() == era).max()
    }

    /// The time one call of `method` may take.
    pub fn timeout_of(&self, method: &str) -> Duration {
        self.timeouts.methods.get(method).copied().unwrap_or(self.timeouts.call)
    }

    /// The time the handshake request `method` may take; a time per method goes before the general one.
    pub fn handshake_timeout(&self, method: &str, general: Duration) -> Duration {
        self.timeouts.methods.get(method).copied().unwrap_or(general)
    }
}

/// How much of a list is collected.
#[derive(Clone, Copy, Debug)]
pub struct ListLimits {
    /// Pages. Default 1,000.
    pub pages: usize,
    /// Entries. Default 100,000.
    pub items: usize,
    /// Bytes of all entries and cursors. Default 64 MiB.
    pub bytes: usize,
}

impl Default for ListLimits {
    fn default() -> Self {
        ListLimits { pages: 1000, items: 100_000, bytes: 64 * 1024 * 1024 }
    }
}

/// How tasks are followed.
#[derive(Clone, Debug)]
pub struct TaskSettings {
    /// When a task is asked for again where its server does not say. Default 1 s.
    pub poll: Duration,
    /// The least such time, whatever the server says. Default 100 ms.
    pub poll_min: Duration,
    /// The most. Default 60 s.
    pub poll_max: Duration,
    /// How long a server of 2025-11-25 is asked to keep a task.
    pub ttl: Option<Duration>,
    /// The most that a call may take that has become a task. Default 1 h.
    pub life: Duration,
    /// Tasks followed at a time. Default 256.
    pub limit: usize,
}

impl Default for TaskSettings {
    fn default() -> Self {
        TaskSettings {
            poll: Duration::from_secs(1),
            poll_min: Duration::from_millis(100),
            poll_max: Duration::from_secs(60),
            ttl: None,
            life: Duration::from_secs(3600),
            limit: 256,
        }
    }
}
