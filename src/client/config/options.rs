//! The options of one call, and the members of `_meta` that they become; trace context (W3C Trace Context, Baggage).

use super::keys::{FeatureOptions, RETRY, WAITS};
use crate::config::define::{Definition, settings};
use crate::config::fields::{Fields, mistaken, parse_object, wrong};
use crate::config::kinds::{Choice, Flag, Millis, Optional, Parsed, Word};
use crate::engine::{CallOptions, Error, Retry};
use crate::json;
use crate::protocol::{capability, meta};
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
        /// members of the request's `_meta`. Names have letters, digits, `-`, `_` and `.`, and may have a prefix such as `com.example/`.
        /// Names that the library sets (`progressToken`, and some of `io.modelcontextprotocol/`) are refused
        meta: Map<String, Value> = Parsed(&["object"], "object", given_meta), Map::new(), "`{}`";
        /// the trace of the call (W3C Trace Context), for `_meta`; must be well formed. It overrides the one in `meta`
        traceparent: Option<String> = Optional(Parsed(&["string"], "string", parent)), None;
        /// the application's span that makes the call, written as `traceparent`: the call's own span is its child, and goes out if the call
        /// is recorded ([OpenTelemetry](../guide/telemetry.md)); else this goes out. A `traceparent` that is given, too, overrides it
        parent: Option<String> = Optional(Parsed(&["string"], "string", parent)), None;
        /// what systems for tracing add to `traceparent` (W3C Trace Context); the same holds
        tracestate: Option<String> = Optional(Parsed(&["string"], "string", state)), None;
        /// properties of the trace (W3C Baggage); the same holds
        baggage: Option<String> = Optional(Parsed(&["string"], "string", baggage)), None;
        /// 2026-07-28: the lowest level of log messages during this call. Older revisions have one level for all calls
        /// (`mcp_client_set_server_log_level`)
        log_level: Option<&'static str> = Optional(Word(&capability::LOG_LEVELS)), None;
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
        let (meta, parent_length) = self.metadata(text)?;
        Ok(CallOptions {
            meta,
            parent_length,
            timeout: self.timeout_ms,
            max_total: self.max_total_ms,
            reset_on_progress: self.reset_on_progress,
            progress: self.progress,
            retry: self.retry,
            wait_when_unavailable: self.when_unavailable,
            ..CallOptions::default()
        })
    }

    /// The members for `_meta`: those that the application gave, as it wrote them in `text`, and its trace context. And how many bytes of
    /// them are the context of a parent.
    fn metadata(&self, text: &str) -> Result<(String, usize), Error> {
        // From the text, since a tree would not give every number back as it was.
        let written = json::member(text, "meta").unwrap_or_default();
        let mut members = Vec::new();
        for name in self.meta.keys() {
            let mut value = Vec::new();
            json::one_line_into(json::member(written, name).unwrap_or("null"), &mut value);
            members.push((name.as_str(), String::from_utf8(value).unwrap_or_default()));
        }
        let options = [&self.traceparent, &self.tracestate, &self.baggage];
        for ((name, check), option) in MEMBERS.into_iter().zip(options) {
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
        let parent = self.parent.as_ref().filter(|_| members.iter().all(|(name, _)| *name != "traceparent"));
        if let Some(parent) = parent {
            meta::push_member("traceparent", &json::quote(parent), &mut text);
        }
        // With the comma behind it.
        let parent_length = text.len() + usize::from(parent.is_some() && !members.is_empty());
        for (name, value) in members {
            meta::push_member(name, &value, &mut text);
        }
        Ok((text, parent_length))
    }
}

/// Members that the application may set.
fn given_meta(key: &str, value: &Value) -> Result<Map<String, Value>, Error> {
    let Value::Object(given) = value else { return Err(mistaken(key, value, "an object")) };
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

/// Reads the value of one member.
type MemberReader = fn(&str, &Value) -> Result<String, Error>;

/// The members of `_meta` that carry the trace.
pub(super) const MEMBERS: [(&str, MemberReader); 3] =
    [("traceparent", parent), ("tracestate", state), ("baggage", baggage)];

pub(super) fn parent(key: &str, value: &Value) -> Result<String, Error> {
    read_trace(key, value, "version-trace-parent-flags (W3C Trace Context)", is_traceparent)
}

pub(super) fn state(key: &str, value: &Value) -> Result<String, Error> {
    read_trace(key, value, "key=value,key=value (W3C Trace Context)", is_tracestate)
}

pub(super) fn baggage(key: &str, value: &Value) -> Result<String, Error> {
    read_trace(key, value, "key=value,key=value;property (W3C Baggage)", is_baggage)
}

fn read_trace(key: &str, value: &Value, form: &str, is_right: fn(&str) -> bool) -> Result<String, Error> {
    match value.as_str() {
        Some(text) if is_right(text) => Ok(text.to_owned()),
        _ => Err(mistaken(key, value, &format!("of the form {form}"))),
    }
}

/// Trace Context 3.2: `00-<32 hex>-<16 hex>-<2 hex>`, neither id all zeros.
fn is_traceparent(value: &str) -> bool {
    let hex = |part: &str, length: usize| {
        part.len() == length && part.bytes().all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b))
    };
    let parts: Vec<&str> = value.split('-').collect();
    match parts[..] {
        [version, trace, parent, flags] => {
            hex(version, 2)
                && version != "ff"
                && hex(trace, 32)
                && trace.bytes().any(|b| b != b'0')
                && hex(parent, 16)
                && parent.bytes().any(|b| b != b'0')
                && hex(flags, 2)
        }
        _ => false,
    }
}

/// Trace Context 3.3: at most 32 members, and empty ones count for nothing.
fn is_tracestate(value: &str) -> bool {
    let is_key = |key: &str| {
        (1..=256).contains(&key.len())
            && key.starts_with(|c: char| c.is_ascii_lowercase() || c.is_ascii_digit())
            && key.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b"_-*/@".contains(&b))
    };
    let is_value = |value: &str| {
        (1..=256).contains(&value.len())
            && value.bytes().all(|b| (b' '..=b'~').contains(&b) && b != b',' && b != b'=')
    };
    let members: Vec<&str> = members_of(value, ',').filter(|member| !member.is_empty()).collect();
    members.len() <= 32
        && members
            .iter()
            .all(|member| member.split_once('=').is_some_and(|(key, value)| is_key(key) && is_value(value)))
}

/// Baggage 3.2: each member is a key, a value, and properties behind semicolons.
fn is_baggage(value: &str) -> bool {
    let is_key = |key: &str| {
        !key.is_empty() && key.bytes().all(|b| b.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&b))
    };
    let is_value = |value: &str| value.bytes().all(|b| (b'!'..=b'~').contains(&b) && !b"\",;\\".contains(&b));
    let is_pair = |text: &str| {
        text.split_once('=').is_some_and(|(key, value)| is_key(trimmed(key)) && is_value(trimmed(value)))
    };
    members_of(value, ',').all(|member| {
        let mut parts = members_of(member, ';');
        parts.next().is_some_and(is_pair) && parts.all(|property| is_key(property) || is_pair(property))
    })
}

fn members_of(value: &str, separator: char) -> impl Iterator<Item = &str> {
    value.split(separator).map(trimmed)
}

/// Without what both call optional white space.
fn trimmed(text: &str) -> &str {
    text.trim_matches([' ', '\t'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_trace_parent_has_four_parts_and_no_id_of_zeros() {
        assert!(is_traceparent("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"));
        for wrong in [
            "",
            "00-0-0-01",
            "ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
            "00-0AF7651916CD43DD8448EB211C80319C-b7ad6b7169203331-01",
            "00-00000000000000000000000000000000-b7ad6b7169203331-01",
            "00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01",
        ] {
            assert!(!is_traceparent(wrong), "{wrong}");
        }
    }

    #[test]
    fn a_trace_state_is_a_list_of_pairs() {
        for right in ["", "rojo=00f067aa0ba902b7", "a=1, tenant@vendor=x y ,,b*=~"] {
            assert!(is_tracestate(right), "{right}");
        }
        for wrong in ["rojo", "=1", "a=", "A=1", "a=b=c", "a=\u{e9}", "a=1\nb=2"] {
            assert!(!is_tracestate(wrong), "{wrong}");
        }
        assert!(is_tracestate(&vec!["a=1"; 32].join(",")) && !is_tracestate(&vec!["a=1"; 33].join(",")));
    }

    #[test]
    fn baggage_is_a_list_of_pairs_with_properties() {
        for right in ["userId=alice", "a=1,b = two%20words ;ttl=5;secret", "Key=a=b"] {
            assert!(is_baggage(right), "{right}");
        }
        for wrong in ["", "alice", "a=1,", "a b=1", "a=two words", "a=\"1\"", "a=1;=2", "a=\u{e9}"] {
            assert!(!is_baggage(wrong), "{wrong}");
        }
    }
}
