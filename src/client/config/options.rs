//! Options of one call.

use super::fields::{Fields, wrong};
use super::parse_object;
use crate::engine::{CallOptions, Error, Retry};
use crate::json;
use crate::protocol::meta;

/// Reads a call's options.
pub(crate) fn parse(text: &str) -> Result<CallOptions, Error> {
    let object = parse_object(text, "options")?;
    let mut fields = Fields::new("", &object);
    let options = CallOptions {
        timeout: fields.millis("timeout_ms")?,
        max_total: fields.millis("max_total_ms")?,
        reset_on_progress: fields.boolean("reset_on_progress")?,
        progress: fields.boolean("progress")?.unwrap_or(false),
        meta: match fields.object("meta")? {
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
    fields.finish().map_err(|mut error| {
        error.message = error.message.replacen("config key", "call option", 1);
        error
    })?;
    Ok(options)
}

fn is_ours(name: &str) -> bool {
    [meta::PROGRESS_TOKEN, meta::PROTOCOL_VERSION, meta::CLIENT_INFO, meta::CLIENT_CAPABILITIES]
        .contains(&name)
}
