//! The configuration of a server: one JSON object.
//!
//! An unknown key, a wrong type or a value out of range is an error that names the key, the value and what would be right.

use super::auth;
use super::auth::AuthKeys;
#[cfg(feature = "http")]
use super::http::UrlSettings;
use crate::config::define::{Definition as _, settings};
use crate::config::fields::{Fields, GIBIBYTE, LONGEST_MS, MEBIBYTE, parse_object, wrong};
use crate::config::kinds::{
    Choice, Count, DRAFTS, Flag, Millis, Optional, Parsed, Section, Size, Text, Texts, drafts, revisions,
};
use crate::engine::Error;
use crate::engine::seal::KEY;
use crate::engine::server::{
    Announced, Caching, Limits, Settings, Severity, Timeouts, icon_fault, is_own_member, may_notify,
};
use crate::protocol::Revision;
use crate::protocol::draft::Drafts;
use crate::runtime::queue::{Overflow, QueueLimits};
use crate::runtime::server::StreamLimits;
#[cfg(feature = "http")]
use crate::runtime::server::http::HttpLimits;
#[cfg(feature = "store")]
use crate::runtime::server::store::StoreUse;
use crate::sorted::SortedMap;
use crate::transport::Framing;
use base64::Engine as _;
use serde_json::{Map, Value};
use std::path::PathBuf;
#[cfg(feature = "http")]
use std::sync::Arc;
use std::time::Duration;

settings! {
    /// The bounds of a server.
    Bounds {
        /// the largest message of a client; a larger one is skipped as it comes and refused
        frame_bytes: usize = Size(1024, 2 * GIBIBYTE), 16 << 20;
        /// how much of one message is skipped beyond `limits.frame_bytes`. A message without an end within both ends
        /// the session
        discard_bytes: usize = Size(0, 64 * GIBIBYTE), 512 << 20;
        /// when more than this waits for a client to read it, its session ends
        outgoing_bytes: usize = Size(1024, 2 * GIBIBYTE), 64 << 20;
        /// bytes held for all clients: bodies in progress, unread answers and notifications, kept events. At the limit kept events are
        /// dropped, then the slowest connections of the largest holder end; the largest holder itself is refused. No message may be larger
        shared_bytes: usize = Size(MEBIBYTE, 64 * GIBIBYTE), 256 << 20;
        /// the lowest rate of a request body over 64 KiB, after `timeouts.body_grace_ms`; 0 for none
        body_bytes_per_second: usize = Size(0, GIBIBYTE), 16 << 10;
        /// the largest file that is read below a folder of `mcp_server_add_folder` or `mcp_server_add_skills`
        file_bytes: usize = Size(0, GIBIBYTE), 8 << 20;
        /// HTTP connections of each URL. At the limit an unused one ends, else an idle one of the address that has most; otherwise the new
        /// one is refused
        connections: usize = Size(1, 1_000_000), 10_000;
        /// the head of an HTTP request
        head_bytes: usize = Size(8192, 16 * MEBIBYTE), 64 << 10;
        /// events of one session of HTTP (legacy era) that are kept for a client whose stream broke off
        session_events: usize = Size(0, 1_000_000), 1000;
        /// their bytes. Those of all sessions count against `limits.shared_bytes`
        session_event_bytes: usize = Size(0, GIBIBYTE), 4 << 20;
        /// sessions. At the limit an unused one ends, else the least recently used one of the principal or address that has most
        sessions: usize = Size(1, 1_000_000), Limits::default().sessions;
        /// requests of one session that the application has not answered. A further one waits
        session_requests: usize = Size(1, 1_000_000), Limits::default().requests_per_session;
        /// the same for all sessions together. One client has at most half of what the others leave
        requests: usize = Size(1, 1_000_000), Limits::default().requests;
        /// bytes of unanswered requests over 1 KiB. One client has at most half of what the others leave; a further one waits. A larger one
        /// is accepted alone
        request_bytes: usize = Size(1024, 64 * GIBIBYTE), Limits::default().request_bytes;
        /// requests of one session that wait, within `timeouts.request_ms`. A further one is not read, or refused with the retryable error
        /// -32010
        session_waiting: usize = Size(0, 1_000_000), Limits::default().waiting_per_session;
        /// the bytes of all requests that wait so; one session has a sixteenth of them, one client half of what the others leave
        waiting_bytes: usize = Size(1024, 64 * GIBIBYTE), Limits::default().waiting_bytes;
        /// resources that one session may subscribe to, each with a URI of at most 8192 bytes
        session_subscriptions: usize = Size(0, 1_000_000), Limits::default().subscriptions_per_session;
        /// bytes of the URIs that clients of 2026-07-28 listen to, and as many for subscriptions of legacy sessions. One client has at most
        /// half of what the others leave; a further subscription is refused
        subscription_bytes: usize = Size(0, 64 * GIBIBYTE), Limits::default().subscription_bytes;
        /// streams of `subscriptions/listen` in one session, over HTTP on one connection
        session_listens: usize = Size(0, 100_000), Limits::default().listens_per_session;
        /// the same for all sessions together. One client has at most half of what the others leave; one more is refused
        listens: usize = Size(0, 1_000_000), Limits::default().listens;
        /// messages in one batch (2025-03-26)
        batch: usize = Size(1, 100_000), Limits::default().batch;
        /// how deep JSON may nest, received and given
        json_depth: usize = Size(4, 1000), Limits::default().depth;
        /// questions of one request that may be open at one time
        questions: usize = Size(1, 1000), Limits::default().questions;
        /// bytes of a sealed `requestState`
        request_state_bytes: usize = Size(256, MEBIBYTE), Limits::default().request_state;
        /// used request states that are remembered, about 300 bytes each, so that none is accepted twice. At the limit the client with most
        /// loses its own, and states that may have been used are refused
        used_states: usize = Size(1, 10_000_000), Limits::default().spent_states;
        /// progress notifications of one session: this many at once, and each second. Further values wait; the newest is sent before the
        /// answer
        progress_per_second: u32 = Count(1, 1_000_000), Limits::default().progress_per_second;
        /// log messages of one session: this many at once, and each second. Further ones are dropped, counted and logged once a second
        logs_per_second: u32 = Count(1, 1_000_000), Limits::default().logs_per_second;
        /// ids of elicitations by URL (2025-11-25) that are remembered until their session ends. One client has at most half of what the
        /// others leave; a further elicitation is refused
        elicitation_ids: usize = Size(1, 10_000_000), Limits::default().elicitation_ids;
        /// tasks, also finished ones. One client has at most half of what the others leave. At the limit its oldest finished task of an
        /// ended session is dropped, else the call is refused
        tasks: usize = Size(0, 1_000_000), Limits::default().tasks;
        /// the same of one session
        session_tasks: usize = Size(0, 1_000_000), Limits::default().tasks_per_session;
        /// bytes of the results and errors of tasks that are kept, shared in the same way. A task whose result has no room fails
        task_bytes: usize = Size(0, 64 * GIBIBYTE), Limits::default().task_bytes;
    }
}

settings! {
    /// The bounds of a server's own queue.
    QueueBounds {
        /// messages that may wait in the server's own queue
        queue_messages: usize = Size(1, 100_000_000), QueueLimits::default().messages;
        /// their bytes. One client has at most half of what the others leave, or one larger request while no other waits; a
        /// further request waits
        queue_bytes: usize = Size(1024, 64 * GIBIBYTE), QueueLimits::default().bytes;
    }
}

settings! {
    /// The times of a server.
    Times {
        /// the time of the application for a request, in milliseconds; then the library answers with an error. 0 for no limit
        request_ms: usize = Size(0, LONGEST_MS), 300_000;
        /// the time of a legacy client to answer a question, and to confirm its handshake before one
        question_ms: Duration = Millis, Timeouts::default().question;
        /// how long a task is kept from its start, unless client or handler ask for less. Then its request is cancelled
        task_ttl_ms: Duration = Millis, Timeouts::default().task_ttl;
        /// how long changes are gathered before clients are told of them
        burst_ms: Duration = Millis, Timeouts::default().burst;
        /// how long a client may read nothing of what waits for it; then its session ends, over HTTP its connection
        write_ms: Duration = Millis, Duration::from_secs(30);
        /// what requests under way have after the end of their client's input
        finish_ms: Duration = Millis, Duration::from_secs(5);
        /// the time for the head of an HTTP request, after the one before it; then the connection ends. A session that is not used after
        /// its handshake ends after this time, too, and one over a socket without a message
        head_ms: Duration = Millis, Duration::from_secs(60);
        /// the time for the body of an HTTP request, after its head; then it is refused
        body_ms: Duration = Millis, Duration::from_secs(60);
        /// how often a quiet event stream shows that it lives
        keep_alive_ms: Duration = Millis, Duration::from_secs(15);
        /// how long a session of HTTP (legacy era) lives without a request or a stream
        session_ms: Duration = Millis, Duration::from_secs(30 * 60);
        /// how long other processes go on with a session whose name is sealed (`session_names`), from its handshake on
        session_name_ms: Duration = Millis, Timeouts::default().session_name;
        /// how long `mcp_server_close` with -1, and `mcp_server_free`, wait for clients to take what was sent to them
        close_ms: Duration = Millis, Duration::from_secs(2);
    }
}

const NAMES: &[(&str, bool)] = &[("random", false), ("sealed", true)];

const FRAMINGS: &[(&str, Framing)] =
    &[("newline", Framing::Newline), ("content-length", Framing::ContentLength)];

/// The levels of log messages for clients.
const LEVELS: &[(&str, Severity)] = &[
    ("debug", Severity::Debug),
    ("info", Severity::Info),
    ("notice", Severity::Notice),
    ("warning", Severity::Warning),
    ("error", Severity::Error),
    ("critical", Severity::Critical),
    ("alert", Severity::Alert),
    ("emergency", Severity::Emergency),
];

settings! {
    /// The keys of a server.
    ServerKeys {
        /// what the server is called; necessary
        name: Option<String> = Optional(Text), None;
        /// its version
        version: Option<String> = Optional(Text), None, "`\"0\"`";
        /// a name for people
        title: Option<String> = Optional(Text), None;
        /// what it is for
        description: Option<String> = Optional(Text), None;
        /// its website
        website_url: Option<String> = Optional(Text), None;
        /// its icons, as the specification has them
        icons: Option<Value> = Optional(Parsed(&["array"], "list", icons)), None;
        /// what a model should know to use the server
        instructions: Option<String> = Optional(Text), None;
        /// the permitted revisions: `"auto"` (all), `"legacy"` (up to 2025-11-25), `"modern"` (2026-07-28), one of them, or a list
        protocol: Vec<Revision> =
            Parsed(&["string", "array"], "string, or list of revisions", revisions),
            Revision::ALL.to_vec(), "`\"auto\"`";
        /// entries of one page of a list
        page_size: usize = Size(1, 1_000_000), 100;
        /// threads of the library that run handlers. With 0 only threads of the application run them, in `mcp_server_run`,
        /// `mcp_server_poll` or `mcp_queue_poll`
        workers: usize = Size(0, 256), 0;
        /// how messages are told apart over byte streams: one on each line, or a `Content-Length` header before each
        framing: Framing = Choice(FRAMINGS), Framing::Newline;
        /// the least severe log message for a client of the legacy era that has not set a level
        log_level: Severity = Choice(LEVELS), Severity::Info;
        /// bounds
        limits: (Bounds, (SkillBounds, QueueBounds)) = Section::<(Bounds, (SkillBounds, QueueBounds))>::NEW, <(Bounds, (SkillBounds, QueueBounds))>::default();
        /// times
        timeouts: (Times, (DrainTimes, HttpTimes)) = Section::<(Times, (DrainTimes, HttpTimes))>::NEW, <(Times, (DrainTimes, HttpTimes))>::default();
        /// how long clients may keep results (2026-07-28)
        cache: Keeping = Section::<Keeping>::NEW, Keeping::default();
        /// what is checked of what clients and handlers send
        checks: Checks = Section::<Checks>::NEW, Checks::default();
        /// a structured result of a tool that has no text gets its JSON as one, for clients that read text only
        structured_as_text: bool = Flag, true;
        /// what is announced
        announce: Announcing = Section::<Announcing>::NEW, Announcing::default();
        /// who may use the server over HTTP; without it everybody who reaches it. docs/guide/serving-http.md has more
        auth: Option<AuthKeys> = Optional(Section::<AuthKeys>::NEW), None;
        /// what names of sessions over HTTP are (legacy era): random, known to the process that made them, and with a store to all; or sealed
        /// with `request_state.keys`, so that every process with the same keys goes on with a session
        session_names: bool = Choice(NAMES), false;
        /// a store that the processes of the server share
        store: StoreKeys = Section::<StoreKeys>::NEW, StoreKeys::default();
        /// texts that are discussed for the next revision (docs/reference/draft.md). They change, and are dropped, without notice
        draft: Drafts = Parsed(&["array"], DRAFTS, drafts), Drafts::default(), "`[]`";
        /// the languages in which handlers answer, the default first (`["en","fr-CA"]`). Needs the draft `language`; a handler finds the
        /// one of its request in `mcp_request_context` under `language`
        languages: Vec<String> = Texts, Vec::new();
        /// how request states are sealed (2026-07-28)
        request_state: Sealing = Section::<Sealing>::NEW, Sealing::default();
    }
}

/// Everything that a server needs to know.
#[derive(Debug)]
pub(crate) struct ServerConfig {
    pub(crate) name: String,
    pub(crate) settings: Settings,
    pub(crate) streams: StreamLimits,
    pub(crate) queue: QueueLimits,
    pub(crate) keys: Vec<[u8; KEY]>,
    pub(crate) file_bytes: usize,
    #[cfg(feature = "http")]
    pub(crate) http: UrlSettings,
    pub(crate) skills: SkillBounds,
    pub(crate) store: StoreSettings,
}

/// What people write at the top. Of two sections with such a member it is the first.
pub(super) const SECTIONS: &[(&str, &[&[&str]])] = &[
    ("announce", &[Announcing::KEYS]),
    ("limits", &[Bounds::KEYS, SkillBounds::KEYS, QueueBounds::KEYS]),
    ("timeouts", &[Times::KEYS, DrainTimes::KEYS, HttpTimes::KEYS]),
    ("cache", &[Keeping::KEYS]),
    ("checks", &[Checks::KEYS]),
    ("auth", &[AuthKeys::KEYS]),
    ("request_state", &[Sealing::KEYS]),
    ("store", &[StoreKeys::KEYS]),
];

impl ServerConfig {
    /// Reads a server's configuration.
    pub(crate) fn parse(text: &str) -> Result<ServerConfig, Error> {
        let object = parse_object(text, "config")?;
        let mut fields = Fields::new("", &object);
        fields.with_sections(SECTIONS);
        // As `initialize` of the protocol calls it.
        fields.known_elsewhere_as(&[("capabilities", "announce")]);
        let keys = ServerKeys::read(&mut fields)?;
        fields.finish()?;
        let Some(name) = keys.name.clone().filter(|name| !name.is_empty()) else {
            return Err(wrong("name", "a server needs a name"));
        };
        for (key, wanted) in
            [("checks.arguments", keys.checks.arguments), ("checks.results", keys.checks.results)]
        {
            if wanted && !CAN_CHECK {
                return Err(wrong(key, "this build of the library has no schemas (feature 'schema')"));
            }
        }
        let info = info(&name, &keys);
        #[cfg_attr(not(feature = "http"), expect(unused_variables, reason = "these times are those of HTTP"))]
        let ServerKeys {
            limits: (bounds, (skills, queue)),
            timeouts: (times, (drain, http_times)),
            cache: keeping,
            checks,
            announce: announcing,
            ..
        } = keys;
        let mut settings = Settings::new("", "");
        #[cfg_attr(not(feature = "http"), expect(unused_variables, reason = "logins are those of HTTP"))]
        let authorization = match keys.auth {
            None => None,
            Some(_) if keeping.scope => {
                return Err(wrong("cache.scope", "what depends on who asks is private"));
            }
            Some(keys) => {
                settings.access = auth::access(&keys)?;
                Some(auth::token_settings(keys)?)
            }
        };
        let Sealing { keys: sealing, ttl_ms: request_state, audience } = keys.request_state;
        if keys.session_names && sealing.is_empty() {
            let what = "\"sealed\" needs keys that all processes have: set request_state.keys";
            return Err(wrong("session_names", what));
        }
        let store = StoreSettings::of(keys.store, &name, !sealing.is_empty())?;
        settings.seals_sessions = keys.session_names;
        settings.info.clone_from(&info);
        settings.instructions = keys.instructions;
        #[cfg(feature = "http")]
        let revisions = keys.protocol.clone();
        settings.revisions = keys.protocol;
        settings.announced = Announced {
            tools: announcing.tools,
            resources: announcing.resources,
            prompts: announcing.prompts,
            logging: announcing.logging,
        };
        settings.extension_notices = announcing.notifications;
        settings.page_size = keys.page_size;
        settings.caching =
            Caching { ttl_ms: u64::try_from(keeping.ttl_ms).unwrap_or(u64::MAX), public: keeping.scope };
        settings.check_definitions = checks.definitions;
        settings.check_arguments = checks.arguments;
        settings.check_results = checks.results;
        settings.check_content = checks.content;
        settings.structured_as_text = keys.structured_as_text;
        settings.offers_listen = announcing.listen;
        settings.draft = keys.draft;
        settings.telemetry = crate::runtime::telemetry::of_new_engine();
        settings.languages = languages(keys.languages, keys.draft)?;
        settings.name_in_results = announcing.name_in_results;
        settings.audience = audience.unwrap_or_default();
        settings.severity = keys.log_level;
        settings.limits = Limits {
            sessions: bounds.sessions,
            requests_per_session: bounds.session_requests,
            requests: bounds.requests,
            request_bytes: bounds.request_bytes,
            waiting_per_session: bounds.session_waiting,
            waiting_bytes: bounds.waiting_bytes,
            subscriptions_per_session: bounds.session_subscriptions,
            subscription_bytes: bounds.subscription_bytes,
            listens_per_session: bounds.session_listens,
            listens: bounds.listens,
            batch: bounds.batch,
            depth: bounds.json_depth,
            questions: bounds.questions,
            request_state: bounds.request_state_bytes,
            spent_states: bounds.used_states,
            progress_per_second: bounds.progress_per_second,
            logs_per_second: bounds.logs_per_second,
            elicitation_ids: bounds.elicitation_ids,
            tasks: bounds.tasks,
            tasks_per_session: bounds.session_tasks,
            task_bytes: bounds.task_bytes,
            skills: skills.skills,
            skills_bytes: skills.skills_bytes,
            ..Limits::default()
        };
        settings.timeouts = Timeouts {
            request: (times.request_ms > 0).then(|| Duration::from_millis(times.request_ms as u64)),
            question: times.question_ms,
            burst: times.burst_ms,
            request_state,
            session_name: times.session_name_ms,
            task_ttl: times.task_ttl_ms,
        };
        Ok(ServerConfig {
            name,
            settings,
            streams: StreamLimits {
                framing: keys.framing,
                frame_bytes: bounds.frame_bytes,
                discard_bytes: bounds.discard_bytes,
                outgoing_bytes: bounds.outgoing_bytes,
                shared_bytes: bounds.shared_bytes,
                write: times.write_ms,
                silent: times.head_ms,
                finish: times.finish_ms,
                close: times.close_ms,
                notice: Duration::from_millis(drain.notice_ms as u64),
                drain: Duration::from_millis(drain.drain_ms as u64),
                workers: keys.workers,
            },
            queue: QueueLimits {
                messages: queue.queue_messages,
                bytes: queue.queue_bytes,
                overflow: Overflow::DropOldest,
            },
            keys: sealing,
            file_bytes: bounds.file_bytes,
            #[cfg(feature = "http")]
            http: UrlSettings {
                limits: HttpLimits {
                    connections: bounds.connections,
                    head_bytes: bounds.head_bytes,
                    body_bytes: bounds.frame_bytes,
                    stream_bytes: bounds.outgoing_bytes,
                    listens: bounds.session_listens,
                    events: bounds.session_events,
                    event_bytes: bounds.session_event_bytes,
                    event_age: http_times.event_ms,
                    head: times.head_ms,
                    body: times.body_ms,
                    body_rate: bounds.body_bytes_per_second,
                    body_grace: http_times.body_grace_ms,
                    write: times.write_ms,
                    keep_alive: times.keep_alive_ms,
                    session: times.session_ms,
                    retry: http_times.retry_ms,
                },
                revisions,
                seals: keys.session_names,
                info,
                depth: bounds.json_depth,
                batch: bounds.batch,
                #[cfg(feature = "draft")]
                draft: keys.draft,
                hosted: std::sync::Mutex::default(),
                authorization: authorization.map(Arc::new),
            },
            skills,
            store,
        })
    }
}

/// The languages that are offered, where the draft is on that has them.
fn languages(given: Vec<String>, draft: Drafts) -> Result<Vec<Box<str>>, Error> {
    const MOST: usize = 1000;
    let key = "languages";
    if !given.is_empty() && !draft.has(Drafts::LANGUAGE) {
        return Err(wrong(key, "they belong to a draft: add \"language\" to 'draft'"));
    }
    if given.len() > MOST {
        return Err(wrong(key, format!("{} of them are more than {MOST}", given.len())));
    }
    #[cfg(feature = "draft")]
    if let Some(wrong_one) = given.iter().find(|tag| !crate::protocol::draft::language::is_tag(tag)) {
        return Err(wrong(
            key,
            format!("'{wrong_one}' is not the tag of a language, such as \"en\" or \"fr-CA\""),
        ));
    }
    Ok(given.into_iter().map(Into::into).collect())
}

/// What the server says of itself.
fn info(name: &str, keys: &ServerKeys) -> String {
    let mut info = Map::new();
    info.insert("name".to_owned(), Value::from(name));
    info.insert("version".to_owned(), Value::from(keys.version.as_deref().unwrap_or("0")));
    for (key, text) in
        [("title", &keys.title), ("description", &keys.description), ("websiteUrl", &keys.website_url)]
    {
        if let Some(text) = text {
            info.insert(key.to_owned(), Value::from(text.as_str()));
        }
    }
    if let Some(icons) = &keys.icons {
        info.insert("icons".to_owned(), icons.clone());
    }
    Value::from(info).to_string()
}

/// Whether this build has schemas.
const CAN_CHECK: bool = cfg!(feature = "schema");

/// Scopes of kept results.
const SCOPE: &[(&str, bool)] = &[("private", false), ("public", true)];

settings! {
    /// How long clients may keep results (2026-07-28).
    Keeping {
        /// how long, in milliseconds; 0 for not at all
        ttl_ms: usize = Size(0, 365 * 24 * 60 * 60 * 1000), 0;
        /// who may keep them: one user's cache, or a cache that several users share
        scope: bool = Choice(SCOPE), false;
    }
}

settings! {
    /// What is checked of what clients and handlers send.
    Checks {
        /// definitions of tools, resources and prompts, when they are added. If off, a schema that cannot be used checks nothing
        definitions: bool = Flag, true;
        /// arguments against the tool's `inputSchema`, before the handler runs
        arguments: bool = Flag, CAN_CHECK;
        /// results against the tool's `outputSchema`, before they are sent
        results: bool = Flag, CAN_CHECK;
        /// what handlers give: content blocks of tools and prompts, contents of resources
        content: bool = Flag, true;
    }
}

settings! {
    /// What is announced.
    Announcing {
        /// tools, although there are none yet
        tools: bool = Flag, false;
        /// resources, although there are none yet
        resources: bool = Flag, false;
        /// prompts, although there are none yet
        prompts: bool = Flag, false;
        /// log messages are sent to clients that want them
        logging: bool = Flag, false;
        /// streams of `subscriptions/listen` (2026-07-28). Without them clients of that revision are told of no change
        listen: bool = Flag, true;
        /// notifications of extensions that `mcp_server_notify` also sends to streams of `subscriptions/listen`, by member of the filter:
        /// `{"com.example/renderChanged":"notifications/com.example/render_changed"}`; at most 64
        notifications: SortedMap<Box<str>, Box<str>> = Parsed(&["object"], "object of strings", notices), SortedMap::new(), "`{}`";
        /// results of 2026-07-28 name the server in their `_meta`
        name_in_results: bool = Flag, true;
    }
}

settings! {
    /// How request states are sealed (2026-07-28).
    Sealing {
        /// the keys, newest first, each the base64 of 32 random bytes, shared by servers that answer for one another. Without keys the
        /// server makes its own
        keys: Vec<[u8; KEY]> = Parsed(&["array"], "list of strings", sealing_keys), Vec::new(), "`[]`";
        /// how long a seal is good
        ttl_ms: Duration = Millis, Timeouts::default().request_state;
        /// the name of the server in the seal, such as its URL: a server with another one refuses it
        audience: Option<String> = Optional(Text), None;
    }
}

settings! {
    /// A store that the processes of one server share.
    StoreKeys {
        /// what the processes of the server share, for all that have the same `request_state.keys`: which request states were used, tasks,
        /// changes of lists and resources, sessions of older revisions. `redis://[USER[:PASSWORD]@]HOST[:PORT][/DATABASE]`, or `rediss://` with
        /// TLS: Redis 6.2 or Valkey, with `maxmemory-policy noeviction`, and a library built with the feature `redis`; or a URL whose scheme was
        /// registered, such as `file:PATH` of `libmcp-store-sqlite`
        url: Option<String> = Optional(Text), None;
        /// what keys in the store begin with, beside what the library puts there; without it the name of the server
        space: Option<String> = Optional(Text), None;
        /// how long an answer of the store may take; then the request is refused
        timeout_ms: Duration = Millis, Duration::from_secs(1);
        /// how long a process that says nothing counts as there, at most an hour; then its tasks have failed. Without it the time is at
        /// least three times that of an answer
        lease_ms: Option<Duration> = Optional(Millis), None, "15000";
        /// how long a process goes on with a session of an older revision that was ended through another one, at most
        session_check_ms: Duration = Millis, Duration::from_secs(5);
        /// bytes of events of streams of older revisions that may be under way to the store; a session has an eighth. What waits for that is what
        /// the session keeps in memory (`limits.session_event_bytes`)
        backlog_bytes: usize = Size(MEBIBYTE, GIBIBYTE), 4 << 20;
        /// a PEM file with certificates to trust beside those of the system; for `rediss`
        ca_file: Option<String> = Optional(Text), None;
    }
}

/// A store, as the configuration names it, and how it is used when the program gives one.
#[cfg_attr(not(feature = "store"), allow(dead_code, reason = "without the feature a URL is refused"))]
#[derive(Debug)]
pub(crate) struct StoreSettings {
    pub(crate) url: Option<String>,
    pub(crate) ca_file: Option<PathBuf>,
    #[cfg(feature = "store")]
    pub(crate) uses: StoreUse,
}

/// How long a process that says nothing counts as there, and the longest such time.
const LEASE: Duration = Duration::from_secs(15);
const LONGEST_LEASE: Duration = Duration::from_secs(3600);
/// The longest `store.space`.
const SPACE_BYTES: usize = 64;

impl StoreSettings {
    /// The store of a server with this name.
    fn of(keys: StoreKeys, name: &str, has_keys: bool) -> Result<StoreSettings, Error> {
        let StoreKeys { url, space, timeout_ms: timeout, lease_ms, ca_file, .. } = keys;
        let (session_check, backlog) = (keys.session_check_ms, keys.backlog_bytes);
        if url.is_none() && ca_file.is_some() {
            return Err(wrong("store.ca_file", "only a store has it: set store.url"));
        }
        if url.is_some() && !has_keys {
            return Err(wrong(
                "store.url",
                "processes that share a store need the same keys: set request_state.keys",
            ));
        }
        // So that one renewal that is not answered ends no lease.
        let least = timeout.saturating_mul(3);
        let lease = lease_ms.unwrap_or_else(|| LEASE.max(least));
        if lease_ms.is_some_and(|lease| lease < least || lease > LONGEST_LEASE) {
            let what = format!(
                "{} is not three times store.timeout_ms, {}, to {}",
                lease.as_millis(),
                least.as_millis(),
                LONGEST_LEASE.as_millis()
            );
            return Err(wrong("store.lease_ms", what));
        }
        let is_wanted = url.is_some() || space.is_some();
        let space = space.unwrap_or_else(|| name.to_owned());
        let is_plain = |byte: u8| (byte.is_ascii_graphic() || byte == b' ') && !matches!(byte, b'{' | b'}');
        let is_good = !space.is_empty() && space.len() <= SPACE_BYTES && space.bytes().all(is_plain);
        if is_wanted && !is_good {
            let what = format!(
                "'{space}' is not 1 to {SPACE_BYTES} ASCII characters without braces; set store.space"
            );
            return Err(wrong("store.space", what));
        }
        let ca_file = ca_file.map(PathBuf::from);
        #[cfg(feature = "store")]
        {
            Ok(StoreSettings {
                url,
                ca_file,
                uses: StoreUse { space, timeout, lease, session_check, backlog, is_good },
            })
        }
        #[cfg(not(feature = "store"))]
        {
            let _: (Duration, Duration, Duration, usize, String) =
                (timeout, lease, session_check, backlog, space);
            if url.is_some() {
                return Err(wrong("store.url", "this build of the library has no store (feature 'store')"));
            }
            Ok(StoreSettings { url, ca_file })
        }
    }
}

settings! {
    /// The times of event streams and bodies over HTTP.
    #[derive(Clone, Copy, Debug)]
    HttpTimes {
        /// after what time a client comes back to an event stream that ended before its answer (2025-11-25)
        retry_ms: Duration = Millis, Duration::from_secs(1);
        /// how long an event is kept for a client that comes back to its stream (2025-03-26 to 2025-11-25)
        event_ms: Duration = Millis, Duration::from_secs(300);
        /// how long a large body may come slower than `limits.body_bytes_per_second`
        body_grace_ms: Duration = Millis, Duration::from_secs(5);
    }
}

/// The icons of a server, each with an address that clients load.
pub(super) fn icons(key: &str, value: &Value) -> Result<Value, Error> {
    let list = value.as_array().filter(|list| list.iter().all(Value::is_object));
    let list = list.ok_or_else(|| wrong(key, "a list of objects is needed"))?;
    for icon in list {
        let src =
            icon.get("src").and_then(Value::as_str).ok_or_else(|| wrong(key, "each needs a string 'src'"))?;
        if let Some(fault) = icon_fault(src) {
            return Err(wrong(key, fault));
        }
    }
    Ok(value.clone())
}

/// Keys that seal request states.
fn sealing_keys(key: &str, value: &Value) -> Result<Vec<[u8; KEY]>, Error> {
    let bad = || wrong(key, format!("a list of strings is needed, each the base64 of {KEY} random bytes"));
    let mut keys = Vec::new();
    for entry in value.as_array().ok_or_else(bad)? {
        let text = entry.as_str().ok_or_else(bad)?;
        let bytes = base64::engine::general_purpose::STANDARD.decode(text).map_err(|_| bad())?;
        keys.push(<[u8; KEY]>::try_from(bytes.as_slice()).map_err(|_| bad())?);
    }
    Ok(keys)
}

/// Notifications of extensions: the member of a filter, and the method.
pub(super) fn notices(key: &str, value: &Value) -> Result<SortedMap<Box<str>, Box<str>>, Error> {
    const MOST: usize = 64;
    let object = value.as_object().ok_or_else(|| wrong(key, "an object of strings is needed"))?;
    if object.len() > MOST {
        return Err(wrong(key, format!("it has {} members, and at most {MOST} are possible", object.len())));
    }
    let mut notices = SortedMap::new();
    for (member, method) in object {
        let method = method.as_str().filter(|method| may_notify(method)).ok_or_else(|| {
            let what = "a method is needed that begins with 'notifications/' and that the library does not send itself";
            wrong(&format!("{key}.{member}"), what)
        })?;
        if member.is_empty() || is_own_member(member) {
            return Err(wrong(
                &format!("{key}.{member}"),
                "the protocol gives this member a meaning of its own",
            ));
        }
        notices.insert(member.as_str().into(), method.into());
    }
    Ok(notices)
}

settings! {
    /// The times before a server closes.
    #[derive(Clone, Copy, Debug)]
    DrainTimes {
        /// how long, in milliseconds, `mcp_server_close` still serves while health says 503, over HTTP. A second call of `mcp_server_close`
        /// ends the wait
        notice_ms: usize = Size(0, LONGEST_MS), 0;
        /// what requests under way have then, while no client connects any more; those that are left are refused
        drain_ms: usize = Size(0, LONGEST_MS), 0;
    }
}

settings! {
    /// The bounds of skills.
    #[derive(Clone, Copy, Debug)]
    SkillBounds {
        /// skills of one server, those of all folders of `mcp_server_add_skills` together
        skills: usize = Size(0, 100_000), Limits::default().skills;
        /// bytes of the files of all skills together, which the server keeps in memory
        skills_bytes: usize = Size(0, 4 * GIBIBYTE), Limits::default().skills_bytes;
        /// files of one skill that the server publishes. Hosts need not accept more than 512
        skill_files: usize = Size(1, 100_000), 512;
        /// bytes of the files of one skill that the server publishes. Hosts need not accept more than 16 MiB
        skill_bytes: usize = Size(1, GIBIBYTE), 16 << 20;
        /// how deep folders may nest below a folder of skills
        skill_depth: usize = Size(1, 60), 16;
    }
}
