//! Options of one call.

use super::features::FeatureOptions;
use super::keys::{RETRY, WAITS};
use super::trace;
use crate::config::define::{Definition, settings};
use crate::config::fields::{Fields, parse_object, wrong};
use crate::config::kinds::{Choice, Flag, Millis, Optional, Parsed, Word};
use crate::engine::{CallOptions, Error, Retry};
use crate::json;
use crate::protocol::{feature, meta};
use serde_json::{Map, Value};
use std::time::Duration;

settings! {
    /// The options of every call.
    CallKeys {
        /// the time of this call
        timeout_ms: Option<Duration> = Optional(Millis), None, "by `timeouts`";
        /// the most it may take, progress or not
        max_total_ms: Option<Duration> =
            Optional(Millis), None, "`timeouts.max_total_ms`, or `timeout_ms` if that is larger";
        /// progress restarts the timeout of this call
        reset_on_progress: Option<bool> = Optional(Flag), None, "`timeouts.reset_on_progress`";
        /// asks the server for progress; it comes as `MCP_KIND_PROGRESS` messages
        progress: bool = Flag, false;
        /// members for the request's `_meta`, sent as they are written. A name has letters, digits, `-`, `_` and `.`, and
        /// may have a prefix such as `com.example/`. Those that the library sets itself (`progressToken` and the protocol
        /// version, client info and client capabilities of `io.modelcontextprotocol/`) are refused
        meta: Map<String, Value> = Parsed(&["object"], "object", given_meta), Map::new(), "`{}`";
        /// the trace that the call belongs to (W3C Trace Context), put into `_meta`, over the one in `meta`. It must be well
        /// formed, wherever it stands
        traceparent: Option<String> = Optional(Parsed(&["string"], "string", trace::parent)), None;
        /// what systems for tracing add to `traceparent` (W3C Trace Context); the same holds
        tracestate: Option<String> = Optional(Parsed(&["string"], "string", trace::state)), None;
        /// properties of the trace (W3C Baggage); the same holds
        baggage: Option<String> = Optional(Parsed(&["string"], "string", trace::baggage)), None;
        /// 2026-07-28: the least level of the log messages that the server may send while it works on this call; before, a
        /// server keeps one level for all calls (`mcp_client_set_server_log_level`), and this says nothing
        log_level: Option<&'static str> = Optional(Word(&feature::LOG_LEVELS)), None;
        /// as above, for this call
        retry: Option<Retry> = Optional(Choice(RETRY)), None, "`retry`";
        /// as above, for this call
        when_unavailable: Option<bool> = Optional(Choice(WAITS)), None, "`when_unavailable`";
    }
}

/// Reads a call's options.
pub(crate) fn parse(text: &str) -> Result<CallOptions, Error> {
    read::<CallKeys>(text).and_then(|keys| keys.options(text)).map_err(as_option)
}

/// Reads the options of a feature's call.
pub(crate) fn parse_feature(text: &str) -> Result<(CallOptions, FeatureOptions), Error> {
    let read = read::<(FeatureOptions, CallKeys)>(text);
    read.and_then(|(more, keys)| Ok((keys.options(text)?, more))).map_err(as_option)
}

fn as_option(mut error: Error) -> Error {
    error.message = error.message.replacen("config key", "call option", 1);
    error
}

fn read<T: Definition>(text: &str) -> Result<T, Error> {
    let object = parse_object(text, "options")?;
    let mut fields = Fields::new("", &object);
    let keys = T::read(&mut fields)?;
    fields.finish()?;
    Ok(keys)
}

impl CallKeys {
    fn options(self, text: &str) -> Result<CallOptions, Error> {
        Ok(CallOptions {
            meta: self.metadata(text)?,
            timeout: self.timeout_ms,
            max_total: self.max_total_ms,
            reset_on_progress: self.reset_on_progress,
            progress: self.progress,
            retry: self.retry,
            wait_when_unavailable: self.when_unavailable,
            ..CallOptions::default()
        })
    }

    /// The members for `_meta`: those that the application gave, as it wrote them in `text`, and its trace context.
    fn metadata(&self, text: &str) -> Result<String, Error> {
        // From the text, since a tree would not give every number back as it was.
        let written = json::member(text, "meta").unwrap_or_default();
        let mut members = Vec::new();
        for name in self.meta.keys() {
            let mut value = Vec::new();
            json::one_line_into(json::member(written, name).unwrap_or("null"), &mut value);
            members.push((name.as_str(), String::from_utf8(value).unwrap_or_default()));
        }
        let options = [&self.traceparent, &self.tracestate, &self.baggage];
        for ((name, check), option) in trace::MEMBERS.into_iter().zip(options) {
            let value = match (option, self.meta.get(name)) {
                (Some(value), _) => value.clone(),
                (None, Some(value)) => check(name, value)?,
                (None, None) => continue,
            };
            members.retain(|(other, _)| *other != name);
            members.push((name, json::quote(&value)));
        }
        if let Some(level) = self.log_level {
            // The legacy era keeps a level for the connection; there this says nothing.
            members.retain(|(other, _)| *other != meta::LOG_LEVEL);
            members.push((meta::LOG_LEVEL, json::quote(level)));
        }
        let mut text = String::new();
        for (name, value) in members {
            if !text.is_empty() {
                text.push(',');
            }
            json::quote_into(name, &mut text);
            text.push(':');
            text.push_str(&value);
        }
        Ok(text)
    }
}

/// Members that the application may set.
fn given_meta(key: &str, value: &Value) -> Result<Map<String, Value>, Error> {
    let Value::Object(given) = value else { return Err(wrong(key, format!("{value} is not an object"))) };
    for name in given.keys() {
        let key = format!("{key}.{name}");
        if OURS.contains(&name.as_str()) {
            return Err(wrong(&key, "the library sets it itself"));
        }
        if !meta::is_key(name) {
            let what =
                "a key of _meta is a name of letters, digits, '-', '_' and '.', such as \"com.example/name\"";
            return Err(wrong(&key, what));
        }
    }
    Ok(given.clone())
}

/// The members that the library sets.
const OURS: [&str; 4] =
    [meta::PROGRESS_TOKEN, meta::PROTOCOL_VERSION, meta::CLIENT_INFO, meta::CLIENT_CAPABILITIES];
