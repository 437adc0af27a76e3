//! Options of one call.

use super::fields::{Fields, wrong};
use super::parse_object;
use crate::engine::{CallOptions, Error, Retry};
use crate::json;
use crate::protocol::meta;
use serde_json::{Map, Value};

/// Reads a call's options.
pub(crate) fn parse(text: &str) -> Result<CallOptions, Error> {
    read(text).map_err(|mut error| {
        error.message = error.message.replacen("config key", "call option", 1);
        error
    })
}

fn read(text: &str) -> Result<CallOptions, Error> {
    let object = parse_object(text, "options")?;
    let mut fields = Fields::new("", &object);
    let options = CallOptions {
        timeout: fields.millis("timeout_ms")?,
        max_total: fields.millis("max_total_ms")?,
        reset_on_progress: fields.boolean("reset_on_progress")?,
        progress: fields.boolean("progress")?.unwrap_or(false),
        meta: match with_trace(&mut fields)? {
            None => String::new(),
            Some(members) => {
                if let Some(name) = members.keys().find(|name| is_ours(name)) {
                    return Err(wrong(&format!("meta.{name}"), "the library sets it itself"));
                }
                let mut text = String::new();
                for (name, value) in &members {
                    if !text.is_empty() {
                        text.push(',');
                    }
                    json::quote_into(name, &mut text);
                    text.push(':');
                    text.push_str(&value.to_string());
                }
                text
            }
        },
        retry: match fields.choice("retry", &["never", "safe"])? {
            Some("safe") => Some(Retry::Safe),
            Some(_) => Some(Retry::Never),
            None => None,
        },
        wait_when_unavailable: fields
            .choice("when_unavailable", &["fail", "wait"])?
            .map(|choice| choice == "wait"),
    };
    fields.finish()?;
    Ok(options)
}

/// The members for `_meta`: those the application gave, and its trace context.
fn with_trace(fields: &mut Fields<'_>) -> Result<Option<Map<String, Value>>, Error> {
    let mut members = fields.object("meta")?;
    for name in ["traceparent", "tracestate", "baggage"] {
        let Some(value) = fields.string(name)? else { continue };
        if name == "traceparent" && !is_traceparent(&value) {
            return Err(wrong(
                name,
                format!("'{value}' is not of the form version-trace-parent-flags (W3C Trace Context)"),
            ));
        }
        members.get_or_insert_default().insert(name.to_owned(), value.into());
    }
    Ok(members)
}

/// W3C Trace Context 3.2: `00-<32 hex>-<16 hex>-<2 hex>`, neither id all zeros.
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

fn is_ours(name: &str) -> bool {
    [meta::PROGRESS_TOKEN, meta::PROTOCOL_VERSION, meta::CLIENT_INFO, meta::CLIENT_CAPABILITIES]
        .contains(&name)
}
