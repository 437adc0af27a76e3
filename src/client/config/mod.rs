//! Configuration: one JSON object, an entry of the well-known `mcpServers` format plus our own keys.
//!
//! An unknown key, a wrong type or a value out of range is an error that names the key, the value and what would be right.
//!
//! `src/config` reads a definition. [`Config`] in this file is the result of all keys.
//!
//! The files:
//!
//! * `keys`: the definition of the keys at the top (`ClientKeys`), of `limits`, `timeouts`, `reconnect`, `tasks`, `features`, and the
//!   checks of capabilities, roots and types of results
//! * `endpoint`: `command`, `url`, `socket` and the keys that go with each; names that other programs give to keys
//! * `http`: the settings of the HTTP transport
//! * `auth`: the key `auth`
//! * `options`: the options of one call: the definition `CallKeys`, and their members of `_meta`; trace context
//! * `telemetry`: the options of what is recorded for OpenTelemetry
//! * `adopted`: times and choices of tools in entries of other programs
//! * `file`: the servers of an `mcpServers` file, with `${VAR}` expanded

pub mod adopted;
#[cfg(feature = "auth")]
pub mod auth;
mod endpoint;
pub mod file;
#[cfg(feature = "http")]
mod http;
pub(super) mod keys;
pub mod options;
pub mod telemetry;

#[cfg(all(test, feature = "auth"))]
mod documented;
#[cfg(test)]
mod tests;

use crate::config::define::Definition;
use crate::config::fields::{Fields, parse_object, wrong};
use crate::engine::{Error, ListLimits, Reconnect, Settings, ToolFilter};
use crate::protocol::draft::Drafts;
use crate::runtime::link::owner::{LinkTarget, TransportSettings};
use crate::runtime::queue::QueueLimits;
use crate::transport::stderr::StderrLimits;
pub(crate) use keys::parse_roots;
use keys::{Bounds, ClientKeys, EndpointContext, FeatureSettings, QueueBounds, Reconnecting, SkillLimits};
use serde_json::Map;

/// Everything one client needs to know.
#[derive(Clone, Debug)]
pub(crate) struct Config {
    pub(crate) name: String,
    pub(crate) settings: Settings,
    pub(crate) transport: TransportSettings,
    pub(crate) queue: QueueLimits,
    #[cfg(feature = "auth")]
    pub(crate) auth: Option<crate::runtime::http::authenticator::AuthConfig>,
    pub(crate) features: FeatureSettings,
}

impl Config {
    /// Reads a client's configuration.
    pub(crate) fn parse(text: &str) -> Result<Config, Error> {
        Config::read(text, endpoint::read)
    }

    /// Reads the configuration of a client whose transport is the host's.
    pub(crate) fn parse_custom(text: &str) -> Result<Config, Error> {
        Config::read(text, endpoint::read_custom)
    }

    fn read(
        text: &str,
        read_endpoint: fn(&mut Fields<'_>, &EndpointContext<'_>) -> Result<LinkTarget, Error>,
    ) -> Result<Config, Error> {
        let object = parse_object(text, "config")?;
        if let Some(key) = ["mcpServers", "servers"].into_iter().find(|key| object.contains_key(*key)) {
            return Err(wrong(
                key,
                "this is a file of several servers; give the entry of one, or read it with mcp_config_load",
            ));
        }
        let mut fields = Fields::new("", &object);
        let mut keys = ClientKeys::read(&mut fields)?;
        #[cfg(feature = "auth")]
        let mut auth = auth::read(&mut fields)?;
        #[cfg(feature = "auth")]
        let authorizes = auth.is_some();
        #[cfg(not(feature = "auth"))]
        let authorizes = false;
        let (limits, queue) = std::mem::take(&mut keys.limits);
        let (reconnect, stream_attempts) = reconnection(keys.reconnect.take())?;
        let connect = keys.timeouts.connect_ms;
        let context =
            EndpointContext { limits: &limits, connect, stream_attempts, authorizes, draft: keys.draft };
        let endpoint = read_endpoint(&mut fields, &context)?;
        let transport = transport(endpoint, &keys, &limits);
        let name = keys.name.take();
        let features = features(&mut keys, &limits)?;
        let settings = settings(keys, &limits, &transport.endpoint, reconnect)?;
        fields.finish()?;
        // Said last: a mistyped 'command' is better told as the unknown key it is.
        endpoint::check(&transport.endpoint)?;
        let name = name.unwrap_or_else(|| transport.endpoint.name());
        #[cfg(feature = "auth")]
        if let Some(auth) = &mut auth {
            auth.settings.name(&settings.client_info);
        }
        Ok(Config {
            name,
            settings,
            transport,
            queue: queue.limits(),
            #[cfg(feature = "auth")]
            auth,
            features,
        })
    }
}

/// Whether a configuration may have this key at its top.
pub fn knows(key: &str) -> bool {
    #[cfg(feature = "http")]
    let of_http = keys::HttpKeys::KEYS;
    #[cfg(not(feature = "http"))]
    let of_http: &[&str] = &[];
    key == "auth"
        || [ClientKeys::KEYS, endpoint::ServerKeys::KEYS, endpoint::ProcessKeys::KEYS, of_http]
            .iter()
            .any(|keys| keys.contains(&key))
}

/// The settings of the engine.
fn settings(
    keys: ClientKeys,
    limits: &Bounds,
    endpoint: &LinkTarget,
    reconnect: Option<Reconnect>,
) -> Result<Settings, Error> {
    let settings = Settings {
        client_info: keys.client,
        tasks: keys.tasks.map(|times| times.settings(limits.tasks)).transpose()?,
        tools: ToolFilter { allowed: keys.allow_tools, denied: keys.deny_tools },
        result_types: keys::result_types(keys.result_types, &keys.capabilities)?,
        capabilities: keys.capabilities,
        roots: keys.roots,
        allowed: keys.protocol,
        timeouts: endpoint.timeouts(keys.timeouts.calls()),
        reconnect,
        wait_when_unavailable: keys.when_unavailable,
        retry: keys.retry,
        max_retries: keys.max_retries,
        in_flight: limits.in_flight,
        server_requests: limits.server_requests,
        json_depth: limits.json_depth,
        lists: ListLimits { pages: limits.list_pages, items: limits.list_items, bytes: limits.list_bytes },
        change_notifications: keys.change_notifications,
        capability_checks: keys.capability_checks,
        sample_rate: keys.telemetry_sample_rate,
        telemetry: crate::runtime::telemetry::of_new_engine(),
        any_page: keys.elicitation_urls,
        draft: keys.draft,
        language: language(keys.accept_language, keys.draft)?,
        tool_modes: keys.tool_modes.then(|| keys::tool_modes(limits.stateful_calls)),
        wire: endpoint.wire(),
        seed: crate::runtime::seed(),
    };
    Ok(keys::with_extension(with_roots_capability(settings)))
}

/// The language of a user, where the draft is on that has it.
fn language(preference: Option<String>, draft: Drafts) -> Result<Option<String>, Error> {
    let key = "accept_language";
    if preference.is_some() && !draft.has(Drafts::LANGUAGE) {
        return Err(wrong(key, "it belongs to a draft: add \"language\" to 'draft'"));
    }
    #[cfg(feature = "draft")]
    if let Some(text) =
        preference.as_deref().filter(|text| crate::protocol::draft::language::ranges(text).is_none())
    {
        let what =
            format!("'{text}' is not a preference as Accept-Language has it, such as \"fr-CA,fr;q=0.9\"");
        return Err(wrong(key, what));
    }
    Ok(preference)
}

fn transport(endpoint: LinkTarget, keys: &ClientKeys, limits: &Bounds) -> TransportSettings {
    TransportSettings {
        endpoint,
        framing: keys.framing,
        frame_bytes: limits.frame_bytes,
        discard_bytes: limits.discard_bytes,
        outgoing_bytes: limits.outgoing_bytes,
        server_requests: limits.server_requests,
        stderr: StderrLimits { line_bytes: limits.stderr_line_bytes, lines: limits.stderr_lines },
        stderr_to: keys.stderr,
        connect: keys.timeouts.connect_ms,
        exit_wait: keys.timeouts.exit_ms,
        term_wait: keys.timeouts.term_ms,
        close: keys.timeouts.close_ms,
    }
}

fn features(keys: &mut ClientKeys, limits: &Bounds) -> Result<FeatureSettings, Error> {
    if cfg!(not(feature = "schema")) {
        let wanted = [
            ("validate_results", keys.validate_results == Some(true)),
            ("validate_arguments", keys.validate_arguments),
        ];
        if let Some((key, _)) = wanted.iter().find(|(_, wanted)| *wanted) {
            return Err(wrong(key, "this build checks nothing against schemas (cargo feature \"schema\")"));
        }
    }
    Ok(FeatureSettings {
        validate_results: keys.validate_results.unwrap_or(true),
        validate_arguments: keys.validate_arguments,
        cache: keys.cache.take(),
        skills: SkillLimits { files: limits.skill_files, bytes: limits.skill_bytes },
    })
}

/// The policy, and the attempts to take up one stream of HTTP again.
fn reconnection(keys: Option<Reconnecting>) -> Result<(Option<Reconnect>, u32), Error> {
    let Some(keys) = keys else { return Ok((None, Reconnecting::default().stream_attempts)) };
    if keys.max_ms < keys.initial_ms {
        return Err(wrong("reconnect.max_ms", "it is smaller than reconnect.initial_ms"));
    }
    let policy = Reconnect {
        initial: keys.initial_ms,
        max: keys.max_ms,
        jitter: keys.jitter,
        max_attempts: keys.max_attempts,
        stable: keys.stable_ms,
    };
    Ok((Some(policy), keys.stream_attempts))
}

/// Roots are declared without being asked to; `mcp_client_set_roots` may change them.
fn with_roots_capability(mut settings: Settings) -> Settings {
    if settings.roots.is_some() {
        let declared = || serde_json::json!({ "listChanged": true });
        settings.capabilities.entry("roots").or_insert_with(declared);
    }
    settings
}

/// Reads a queue's configuration.
///
/// # Errors
/// `INVALID_ARGUMENT`, naming the key that is wrong.
pub fn parse_queue(text: Option<&str>) -> Result<QueueLimits, Error> {
    let object = match text {
        Some(text) => parse_object(text, "config")?,
        None => Map::new(),
    };
    let mut fields = Fields::new("", &object);
    let limits = QueueBounds::read(&mut fields)?.limits();
    fields.finish()?;
    Ok(limits)
}
