//! Random settings of both sides, with times short enough to run out within a schedule.

use crate::auth::client::tests::site::MCP;
use crate::engine::dice::Dice;
use crate::engine::{Reconnect, Retry, Settings, TaskSettings, Wire, server};
use crate::protocol::address::Address;
use crate::protocol::task::EXTENSION;
use crate::protocol::{Era, Revision};
use crate::runtime::server::StreamLimits;
use crate::runtime::server::http::{Documents, EndpointSettings, HttpLimits};
use crate::transport::Framing;
use crate::transport::http::settings::{HttpSettings, TlsSettings};
use crate::transport::http_server::guard::Guard;
use serde_json::json;
use std::time::Duration;

/// The revisions of one side: one of them, an era, or all.
fn revisions(dice: &mut Dice) -> Vec<Revision> {
    let of = |era: Era| Revision::ALL.into_iter().filter(|revision| revision.era() == era).collect();
    match dice.roll(10) {
        0..=3 => Revision::ALL.to_vec(),
        4..=5 => vec![Revision::LATEST_MODERN],
        6 => of(Era::Legacy),
        _ => vec![*dice.pick(&Revision::ALL)],
    }
}

pub fn client(dice: &mut Dice, seed: u64) -> Settings {
    let wire = if dice.chance(35) { Wire::Http } else { Wire::Stream };
    let mut allowed = revisions(dice);
    if wire == Wire::Http {
        // 2024-11-05 has another transport, which the client falls back to by the status of HTTP only: there the server has no
        // other one at its URL.
        allowed.retain(|revision| *revision > Revision::V2024_11_05);
        if dice.chance(20) {
            allowed.insert(0, Revision::V2024_11_05);
        } else if allowed.is_empty() {
            allowed.push(Revision::V2025_03_26);
        }
    }
    let mut settings = Settings {
        allowed,
        wire,
        capabilities: json!({ "sampling": {}, "elicitation": {}, "roots": { "listChanged": true } })
            .as_object()
            .cloned()
            .unwrap_or_default(),
        roots: dice.chance(30).then(|| r#"{"roots":[]}"#.to_owned()),
        reconnect: dice.chance(85).then(|| Reconnect {
            initial: dice.millis(10, 300),
            max: dice.millis(300, 1000),
            max_attempts: dice.chance(20).then_some(3),
            stable: dice.millis(10, 1000),
            ..Reconnect::default()
        }),
        wait_when_unavailable: dice.chance(50),
        retry: if dice.chance(40) { Retry::Safe } else { Retry::Never },
        in_flight: usize::try_from(dice.between(2, 12)).expect("a small number"),
        server_requests: usize::try_from(dice.between(2, 12)).expect("a small number"),
        capability_checks: dice.chance(80),
        sample_rate: 0.0,
        seed,
        ..Settings::default()
    };
    settings.timeouts.call = dice.millis(200, 4000);
    settings.timeouts.max_total = dice.millis(1000, 8000);
    settings.timeouts.probe = dice.millis(20, 500);
    settings.timeouts.initialize = dice.millis(50, 1000);
    settings.timeouts.listen = dice.millis(20, 200);
    if dice.chance(60) {
        settings.tasks = Some(TaskSettings {
            poll: dice.millis(20, 200),
            poll_min: dice.millis(10, 40),
            poll_max: dice.millis(50, 200),
            ttl: dice.chance(30).then(|| dice.millis(200, 6000)),
            life: dice.millis(1000, 8000),
            limit: usize::try_from(dice.between(2, 6)).expect("a small number"),
        });
        settings.capabilities.insert("extensions".to_owned(), json!({ EXTENSION: {} }));
    }
    settings
}

pub fn server(dice: &mut Dice) -> server::Settings {
    let mut settings = server::Settings::new("joined", "1");
    settings.revisions = revisions(dice);
    settings.announced.logging = dice.chance(80);
    settings.announced.tools = true;
    settings.announced.prompts = dice.chance(50);
    settings.page_size = usize::try_from(dice.between(1, 4)).expect("a small number");
    settings.limits.sessions = 4;
    settings.limits.requests_per_session = usize::try_from(dice.between(2, 10)).expect("a small number");
    settings.limits.listens_per_session = usize::try_from(dice.between(1, 4)).expect("a small number");
    settings.limits.input_rounds = 3;
    settings.timeouts.request = dice.chance(80).then(|| dice.millis(100, 6000));
    settings.timeouts.question = dice.millis(100, 3000);
    settings.timeouts.burst = dice.millis(0, 20);
    settings.timeouts.request_state = Duration::from_secs(dice.between(1, 20));
    settings.timeouts.task_ttl = dice.millis(500, 8000);
    settings.limits.tasks = usize::try_from(dice.between(3, 8)).expect("a small number");
    settings.limits.tasks_per_session = usize::try_from(dice.between(2, 6)).expect("a small number");
    settings.limits.task_bytes = usize::try_from(dice.between(60, 2000)).expect("a small number");
    settings
}

/// What the engines of HTTP are made of.
pub struct Http {
    pub client: HttpSettings,
    pub streams: StreamLimits,
    server: HttpLimits,
    /// Whether the server has HTTP+SSE of 2024-11-05 at its URL.
    pub is_sse: bool,
}

impl Http {
    /// How long a session may be unused.
    pub fn session(&self) -> Duration {
        self.server.session
    }

    pub fn endpoint(&self, revisions: &[Revision]) -> EndpointSettings {
        EndpointSettings {
            path: if self.is_sse { "/other" } else { "/mcp" }.to_owned(),
            sse: self.is_sse.then(|| "/mcp".to_owned()),
            guard: Guard { is_loopback: true, ..Guard::default() },
            limits: self.server.clone(),
            revisions: revisions.to_vec(),
            depth: 128,
            batch: 100,
            documents: Documents::default(),
            authorization: None,
        }
    }
}

const BYTES: usize = 1 << 20;

pub fn http_client() -> HttpSettings {
    HttpSettings {
        url: Address::parse("http://localhost/mcp").expect("a URL"),
        headers: Vec::new(),
        unix_socket: None,
        proxy: None,
        tls: TlsSettings::default(),
        header_bytes: 65_536,
        message_bytes: BYTES,
        connect: Duration::from_secs(10),
        compression: false,
        cookies: true,
        idle_connections: 4,
        idle_time: Duration::from_secs(60),
        ping: Duration::from_secs(10),
        remember_era: false,
        // So many attempts do not fail one after another.
        resume_attempts: 12,
    }
}

pub fn http(dice: &mut Dice, logs_in: bool, is_sse: bool) -> Http {
    let streams = StreamLimits {
        framing: Framing::Newline,
        frame_bytes: BYTES,
        discard_bytes: BYTES,
        outgoing_bytes: BYTES,
        shared_bytes: 64 << 20,
        write: Duration::from_secs(30),
        silent: Duration::from_secs(60),
        finish: Duration::from_secs(5),
        close: Duration::from_secs(2),
        notice: Duration::ZERO,
        drain: Duration::ZERO,
        workers: 0,
    };
    let server = HttpLimits {
        connections: 1000,
        head_bytes: 65_536,
        body_bytes: BYTES,
        listens: 4,
        stream_bytes: BYTES,
        events: if dice.chance(75) { dice.index(30) } else { 0 },
        event_bytes: BYTES,
        event_age: dice.millis(500, 60_000),
        head: Duration::from_secs(5),
        body: Duration::from_secs(10),
        body_rate: 16 * 1024,
        body_grace: Duration::from_secs(5),
        write: Duration::from_secs(30),
        retry: dice.millis(10, 2000),
        keep_alive: dice.millis(1000, 40_000),
        session: dice.millis(2000, 60_000),
    };
    let mut client = http_client();
    if logs_in {
        client.url = Address::parse(MCP).expect("a URL");
    }
    Http { client, streams, server, is_sse }
}
