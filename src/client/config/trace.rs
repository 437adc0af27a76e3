//! The trace that a call belongs to, as W3C Trace Context and W3C Baggage write it.

use crate::config::fields::wrong;
use crate::engine::Error;
use serde_json::Value;

/// Reads the value of one member.
type Read = fn(&str, &Value) -> Result<String, Error>;

/// The members of `_meta` that carry the trace.
pub(super) const MEMBERS: [(&str, Read); 3] =
    [("traceparent", parent), ("tracestate", state), ("baggage", baggage)];

pub(super) fn parent(key: &str, value: &Value) -> Result<String, Error> {
    read(key, value, "version-trace-parent-flags (W3C Trace Context)", is_traceparent)
}

pub(super) fn state(key: &str, value: &Value) -> Result<String, Error> {
    read(key, value, "key=value,key=value (W3C Trace Context)", is_tracestate)
}

pub(super) fn baggage(key: &str, value: &Value) -> Result<String, Error> {
    read(key, value, "key=value,key=value;property (W3C Baggage)", is_baggage)
}

fn read(key: &str, value: &Value, form: &str, is_right: fn(&str) -> bool) -> Result<String, Error> {
    match value.as_str() {
        Some(text) if is_right(text) => Ok(text.to_owned()),
        _ => Err(wrong(key, format!("{value} is not of the form {form}"))),
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
