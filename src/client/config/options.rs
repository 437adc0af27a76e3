//! Options of one call.

use super::features::FeatureOptions;
use super::fields::{Fields, wrong};
use super::strict::parse_object;
use super::trace;
use crate::engine::{CallOptions, Error, Retry};
use crate::json;
use crate::protocol::{feature, meta};
use serde_json::Value;

/// Reads a call's options.
pub(crate) fn parse(text: &str) -> Result<CallOptions, Error> {
    read(text).map_err(as_option)
}

/// Reads the options of a feature's call.
pub(crate) fn parse_feature(text: &str) -> Result<(CallOptions, FeatureOptions), Error> {
    let read = || {
        let object = parse_object(text, "options")?;
        let mut fields = Fields::new("", &object);
        let more = super::features::read_options(&mut fields)?;
        Ok((read_fields(text, fields)?, more))
    };
    read().map_err(as_option)
}

fn as_option(mut error: Error) -> Error {
    error.message = error.message.replacen("config key", "call option", 1);
    error
}

fn read(text: &str) -> Result<CallOptions, Error> {
    let object = parse_object(text, "options")?;
    read_fields(text, Fields::new("", &object))
}

fn read_fields(text: &str, mut fields: Fields<'_>) -> Result<CallOptions, Error> {
    let options = CallOptions {
        timeout: fields.millis("timeout_ms")?,
        max_total: fields.millis("max_total_ms")?,
        reset_on_progress: fields.boolean("reset_on_progress")?,
        progress: fields.boolean("progress")?.unwrap_or(false),
        meta: read_meta(text, &mut fields)?,
        retry: match fields.choice("retry", &["never", "safe"])? {
            Some("safe") => Some(Retry::Safe),
            Some(_) => Some(Retry::Never),
            None => None,
        },
        wait_when_unavailable: fields
            .choice("when_unavailable", &["fail", "wait"])?
            .map(|choice| choice == "wait"),
        ..CallOptions::default()
    };
    fields.finish()?;
    Ok(options)
}

/// The members for `_meta`: those that the application gave, as it wrote them, and its trace context.
fn read_meta(text: &str, fields: &mut Fields<'_>) -> Result<String, Error> {
    let given = fields.object("meta")?.unwrap_or_default();
    // From the text, since a tree would not give every number back as it was.
    let written = json::member(text, "meta").unwrap_or_default();
    let mut members = Vec::new();
    for name in given.keys() {
        if is_ours(name) {
            return Err(wrong(&format!("meta.{name}"), "the library sets it itself"));
        }
        if !meta::is_key(name) {
            return Err(wrong(
                &format!("meta.{name}"),
                "a key of _meta is a name of letters, digits, '-', '_' and '.', such as \"com.example/name\"",
            ));
        }
        let mut value = Vec::new();
        json::one_line_into(json::member(written, name).unwrap_or("null"), &mut value);
        members.push((name.as_str(), String::from_utf8(value).unwrap_or_default()));
    }
    for (name, form, is_right) in trace::MEMBERS {
        let option = fields.string(name)?;
        let Some(value) = option.map(Value::from).or_else(|| given.get(name).cloned()) else { continue };
        let Some(value) = value.as_str().filter(|value| is_right(value)) else {
            return Err(wrong(name, format!("{value} is not of the form {form}")));
        };
        members.retain(|(other, _)| *other != name);
        members.push((name, json::quote(value)));
    }
    let level = fields.choice("log_level", &feature::LOG_LEVELS)?;
    if let Some(level) = level {
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

fn is_ours(name: &str) -> bool {
    [meta::PROGRESS_TOKEN, meta::PROTOCOL_VERSION, meta::CLIENT_INFO, meta::CLIENT_CAPABILITIES]
        .contains(&name)
}
