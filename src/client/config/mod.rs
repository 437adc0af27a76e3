//! Configuration: one JSON object, an entry of the well-known `mcpServers` format plus our own keys.
//!
//! An unknown key, a wrong type or a value out of range is an error that names the key, the value and what would be right.

#[cfg(feature = "auth")]
pub mod auth;
mod capabilities;
mod define;
mod endpoint;
pub(super) mod features;
mod fields;
pub mod file;
#[cfg(feature = "http")]
mod http;
mod limits;
mod nearest;
pub mod options;
mod strict;
mod tasks;
mod times;
mod trace;

#[cfg(test)]
mod documented;
#[cfg(test)]
mod tests;

use crate::engine::{Error, ListLimits, Reconnect, Retry, Settings, Status, Timeouts};
use crate::json;
use crate::protocol::{Era, Revision};
use crate::runtime::link::endpoint::{Endpoint, StderrTo, TransportSettings};
use crate::runtime::queue::QueueLimits;
use crate::transport::framing::Framing;
use crate::transport::stderr::StderrLimits;
use features::{FeatureSettings, SkillLimits};
use fields::{Fields, saturating_u32, wrong};
use limits::{read_limits, read_queue_limits};
use serde_json::{Map, Value};
use std::collections::HashMap;
use std::time::Duration;
use strict::{DEPTH, parse_object};
use times::{Reconnecting, Times};

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
        read_endpoint: fn(&mut Fields<'_>, &limits::Around<'_>) -> Result<Endpoint, Error>,
    ) -> Result<Config, Error> {
        let object = parse_object(text, "config")?;
        if let Some(key) = ["mcpServers", "servers"].into_iter().find(|key| object.contains_key(*key)) {
            return Err(wrong(
                key,
                "this is a file of several servers; give the entry of one, or read it with mcp_config_load",
            ));
        }
        let mut fields = Fields::new("", &object);
        let name = fields.string("name")?;
        let (timeouts, times) = read_timeouts(&mut fields)?;
        let (limits, queue) = read_limits(&mut fields)?;
        let (reconnect, stream_attempts) = read_reconnect(&mut fields)?;
        #[cfg(feature = "auth")]
        let mut auth = match fields.object("auth")? {
            Some(object) => auth::parse(&object)?,
            None => None,
        };
        #[cfg(feature = "auth")]
        let authorizes = auth.is_some();
        #[cfg(not(feature = "auth"))]
        let authorizes = false;
        let around =
            limits::Around { limits: &limits, connect: times.connect_ms, stream_attempts, authorizes };
        let endpoint = read_endpoint(&mut fields, &around)?;
        let transport = read_transport(&mut fields, endpoint)?;
        let capabilities = fields.object("capabilities")?.unwrap_or_default();
        let settings = Settings {
            client_info: read_client_info(&mut fields)?,
            tasks: tasks::read(&mut fields, limits.tasks)?,
            result_types: tasks::read_result_types(&mut fields, &capabilities)?,
            capabilities,
            roots: read_roots(&mut fields)?,
            allowed: read_protocol(&mut fields)?,
            timeouts: transport.endpoint.timeouts(timeouts),
            reconnect,
            wait_when_unavailable: fields.choice("when_unavailable", &["fail", "wait"])? == Some("wait"),
            retry: read_retry(&mut fields)?,
            max_retries: fields.integer("max_retries", 0, 100)?.map_or(2, saturating_u32),
            in_flight: limits.in_flight,
            server_requests: limits.server_requests,
            json_depth: limits.json_depth,
            lists: ListLimits {
                pages: limits.list_pages,
                items: limits.list_items,
                bytes: limits.list_bytes,
            },
            change_notifications: fields.boolean("change_notifications")?.unwrap_or(true),
            capability_checks: fields.boolean("capability_checks")?.unwrap_or(true),
            sample_rate: fields.share("telemetry_sample_rate")?.unwrap_or(1.0),
            any_page: fields.choice("elicitation_urls", &["safe", "any"])? == Some("any"),
            tool_modes: features::read_tool_modes(&mut fields, limits.stateful_calls)?,
            wire: transport.endpoint.wire(),
            seed: crate::runtime::seed(),
        };
        let settings = tasks::with_extension(with_roots_capability(settings));
        let features = features::read_settings(
            &mut fields,
            SkillLimits { files: limits.skill_files, bytes: limits.skill_bytes },
        )?;
        capabilities::check(&settings.capabilities)?;
        fields.finish()?;
        // Said last: a mistyped 'command' is better told as the unknown key it is.
        endpoint::check(&transport.endpoint)?;
        let name = name.unwrap_or_else(|| transport.endpoint.name());
        let transport = TransportSettings {
            frame_bytes: limits.frame_bytes,
            discard_bytes: limits.discard_bytes,
            outgoing_bytes: limits.outgoing_bytes,
            server_requests: limits.server_requests,
            stderr: StderrLimits { line_bytes: limits.stderr_line_bytes, lines: limits.stderr_lines },
            connect: times.connect_ms,
            exit_wait: times.exit_ms,
            term_wait: times.term_ms,
            close: times.close_ms,
            ..transport
        };
        #[cfg(feature = "auth")]
        if let Some(auth) = &mut auth {
            auth.settings.name(&settings.client_info);
        }
        Ok(Config {
            name,
            settings,
            transport,
            queue,
            #[cfg(feature = "auth")]
            auth,
            features,
        })
    }
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
    let limits = read_queue_limits(&mut fields)?;
    fields.finish()?;
    Ok(limits)
}

fn read_transport(fields: &mut Fields<'_>, endpoint: Endpoint) -> Result<TransportSettings, Error> {
    let framing = match fields.choice("framing", &["newline", "content-length"])? {
        Some("content-length") => Framing::ContentLength,
        _ => Framing::Newline,
    };
    let stderr_to = match fields.choice("stderr", &["log", "message", "drop"])? {
        Some("message") => StderrTo::Message,
        Some("drop") => StderrTo::Drop,
        _ => StderrTo::Log,
    };
    Ok(TransportSettings {
        endpoint,
        framing,
        frame_bytes: 0,
        discard_bytes: 0,
        outgoing_bytes: 0,
        server_requests: 0,
        stderr: StderrLimits { line_bytes: 0, lines: 0 },
        stderr_to,
        connect: Duration::ZERO,
        exit_wait: Duration::ZERO,
        term_wait: Duration::ZERO,
        close: Duration::ZERO,
    })
}

fn read_timeouts(fields: &mut Fields<'_>) -> Result<(Timeouts, Times), Error> {
    let object = fields.object("timeouts")?.unwrap_or_default();
    let mut inner = Fields::new("timeouts.", &object);
    let methods = match inner.object("methods")? {
        None => HashMap::new(),
        Some(methods) => {
            let mut each = Fields::new("timeouts.methods.", &methods);
            let mut read = HashMap::new();
            for name in methods.keys() {
                if let Some(limit) = each.millis(name)? {
                    read.insert(name.clone(), limit);
                }
            }
            read
        }
    };
    let times = Times::read(&mut inner)?;
    inner.finish()?;
    let calls = Timeouts {
        call: times.call_ms,
        initialize: times.initialize_ms,
        probe: times.probe_ms,
        start: Some(times.start_ms),
        max_total: times.max_total_ms,
        reset_on_progress: times.reset_on_progress,
        listen: times.listen_ms,
        methods,
    };
    Ok((calls, times))
}

fn read_client_info(fields: &mut Fields<'_>) -> Result<String, Error> {
    let Some(mut info) = fields.object("client")? else { return Ok(Settings::default().client_info) };
    for (name, fallback) in [("name", "libmcp"), ("version", env!("CARGO_PKG_VERSION"))] {
        let value = info.entry(name).or_insert_with(|| fallback.into());
        if !value.is_string() {
            return Err(wrong(&format!("client.{name}"), format!("{value} is no string")));
        }
    }
    Ok(Value::Object(info).to_string())
}

fn read_roots(fields: &mut Fields<'_>) -> Result<Option<String>, Error> {
    fields.array("roots")?.map(list_roots).transpose()
}

/// Reads a list of roots, and gives the answer to `roots/list`.
pub(crate) fn parse_roots(text: &str) -> Result<String, Error> {
    let invalid = |message: String| Error::new(Status::InvalidArgument, "set_roots", message);
    if let Err(error) = json::scan_value(text.as_bytes(), DEPTH) {
        return Err(invalid(format!("the roots are no JSON: {error}")).with("offset", error.offset));
    }
    match serde_json::from_str(text) {
        Ok(Value::Array(roots)) => list_roots(roots).map_err(|error| error.of("set_roots")),
        _ => Err(invalid("the roots are no list".to_owned())),
    }
}

fn list_roots(roots: Vec<Value>) -> Result<String, Error> {
    let mut list = Vec::new();
    for root in roots {
        let root = match root {
            Value::String(uri) => serde_json::json!({ "uri": uri }),
            Value::Object(root) if root.get("uri").is_some_and(Value::is_string) => Value::Object(root),
            other => {
                return Err(wrong(
                    "roots",
                    format!("{other} is neither a file:// URI nor an object with 'uri'"),
                ));
            }
        };
        if !root["uri"].as_str().unwrap_or_default().starts_with("file://") {
            return Err(wrong("roots", format!("{} is no file:// URI", root["uri"])));
        }
        list.push(root);
    }
    Ok(serde_json::json!({ "roots": list }).to_string())
}

/// Roots are declared without being asked to; `mcp_set_roots` may change them.
fn with_roots_capability(mut settings: Settings) -> Settings {
    if settings.roots.is_some() {
        let declared = || serde_json::json!({ "listChanged": true });
        settings.capabilities.entry("roots").or_insert_with(declared);
    }
    settings
}

fn read_protocol(fields: &mut Fields<'_>) -> Result<Vec<Revision>, Error> {
    let of = |era: Era| Revision::ALL.into_iter().filter(|revision| revision.era() == era).collect();
    let parse = |text: &str| {
        Revision::parse(text).ok_or_else(|| {
            let known: Vec<&str> = Revision::ALL.iter().map(|revision| revision.as_str()).collect();
            wrong(
                "protocol",
                format!(
                    "'{text}' is none of \"auto\", \"legacy\", \"modern\" and the revisions {}",
                    known.join(", ")
                ),
            )
        })
    };
    match fields.value("protocol") {
        None => Ok(Revision::ALL.to_vec()),
        Some(Value::String(text)) => match text.as_str() {
            "auto" => Ok(Revision::ALL.to_vec()),
            "legacy" => Ok(of(Era::Legacy)),
            "modern" => Ok(of(Era::Modern)),
            one => Ok(vec![parse(one)?]),
        },
        Some(Value::Array(list)) if !list.is_empty() => list
            .iter()
            .map(|one| match one {
                Value::String(text) => parse(text),
                other => Err(wrong("protocol", format!("{other} is no revision"))),
            })
            .collect(),
        Some(other) => Err(wrong("protocol", format!("{other} is neither a string nor a list of revisions"))),
    }
}

/// The policy, and the attempts to take up one stream of HTTP again.
fn read_reconnect(fields: &mut Fields<'_>) -> Result<(Option<Reconnect>, u32), Error> {
    let no_keys = Map::new();
    let object = match fields.value("reconnect") {
        None | Some(Value::Bool(_)) => &no_keys,
        Some(Value::Object(object)) => object,
        Some(other) => return Err(wrong("reconnect", format!("{other} is neither false nor an object"))),
    };
    let mut inner = Fields::new("reconnect.", object);
    let read = Reconnecting::read(&mut inner)?;
    inner.finish()?;
    if read.max_ms < read.initial_ms {
        return Err(wrong("reconnect.max_ms", "it is smaller than reconnect.initial_ms"));
    }
    let policy = Reconnect {
        initial: read.initial_ms,
        max: read.max_ms,
        jitter: read.jitter,
        max_attempts: read.max_attempts,
        stable: read.stable_ms,
    };
    let is_on = fields.value("reconnect") != Some(&Value::Bool(false));
    Ok((is_on.then_some(policy), read.stream_attempts))
}

fn read_retry(fields: &mut Fields<'_>) -> Result<Retry, Error> {
    Ok(match fields.choice("retry", &["never", "safe"])? {
        Some("safe") => Retry::Safe,
        _ => Retry::Never,
    })
}
