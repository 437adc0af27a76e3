//! All servers of an `mcpServers` file at once.

use super::Config;
use super::file::{self, Opened, Unknown};
use crate::config::fields::{Fields, parse_object};
use crate::engine::{Error, Status};
use serde_json::{Map, Value};
use std::path::Path;

/// Reads all servers of the file that are not disabled, in its order. The file is read once, so that all of them are of one
/// version of it.
///
/// # Errors
/// `INVALID_ARGUMENT`, saying what is wrong with the file as a whole or with the options.
pub fn open(path: &Path, options: Option<&str>) -> Result<Vec<Opened>, Error> {
    let defaults = options.map(defaults).transpose()?.unwrap_or_default();
    let all = file::all(path, &|variable| std::env::var(variable).ok(), Unknown::LeftOut)?;
    let enabled = all.into_iter().filter(|(_, read)| !read.as_ref().is_err_and(is_disabled));
    Ok(enabled.map(|(name, read)| (name, read.and_then(|config| completed(&config, &defaults)))).collect())
}

fn is_disabled(error: &Error) -> bool {
    error.status == Status::Unavailable && error.details.contains_key("disabled")
}

/// The configuration for all servers. What is wrong with it is told here, and not once for each of them.
#[inline(never)]
fn defaults(options: &str) -> Result<Map<String, Value>, Error> {
    let object = parse_object(options, "options")?;
    let mut fields = Fields::new("", &object);
    let defaults = fields.object("defaults")?.cloned().unwrap_or_default();
    fields.finish()?;
    Ok(defaults)
}

/// A configuration with the members that it lacks.
#[inline(never)]
fn completed(config: &str, defaults: &Map<String, Value>) -> Result<String, Error> {
    if defaults.is_empty() {
        return Ok(config.to_owned());
    }
    let mut members = parse_object(config, "config")?;
    for (key, value) in defaults {
        members.entry(key.as_str()).or_insert_with(|| value.clone());
    }
    let text = Value::Object(members).to_string();
    Config::parse(&text)?;
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_default_is_for_what_an_entry_does_not_say() {
        let defaults = defaults(r#"{"defaults":{"protocol":"legacy","args":["x"]}}"#).expect("defaults");
        let text = completed(r#"{"command":"c","args":["own"]}"#, &defaults).expect("a configuration");
        let config: Value = serde_json::from_str(&text).expect("JSON");
        assert_eq!(config, serde_json::json!({"command":"c","args":["own"],"protocol":"legacy"}));
        let error = completed(
            r#"{"command":"c"}"#,
            &super::defaults(r#"{"defaults":{"argz":1}}"#).expect("an object"),
        );
        assert!(error.is_err_and(|error| error.message.contains("argz")));
        assert!(super::defaults(r#"{"default":{}}"#).is_err_and(|error| error.message.contains("defaults")));
    }
}
