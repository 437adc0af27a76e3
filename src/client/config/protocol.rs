//! What a configuration says about the protocol: revisions, the program's name, and roots.

use crate::config::fields::{DEPTH, wrong};
use crate::engine::{Error, Status};
use crate::json;
use serde_json::Value;

/// Reads what the server is told about the program.
pub(super) fn client_info(key: &str, value: &Value) -> Result<String, Error> {
    let Value::Object(info) = value else { return Err(wrong(key, format!("{value} is not an object"))) };
    let mut info = info.clone();
    for (name, fallback) in [("name", "libmcp"), ("version", env!("CARGO_PKG_VERSION"))] {
        let value = info.entry(name).or_insert_with(|| fallback.into());
        if !value.is_string() {
            return Err(wrong(&format!("{key}.{name}"), format!("{value} is not a string")));
        }
    }
    Ok(Value::Object(info).to_string())
}

/// Reads a list of roots, and gives the answer to `roots/list`.
pub(crate) fn parse_roots(text: &str) -> Result<String, Error> {
    let invalid = |message: String| Error::new(Status::InvalidArgument, "set_roots", message);
    if let Err(error) = json::scan_value(text.as_bytes(), DEPTH) {
        return Err(invalid(format!("the roots are no JSON: {error}")).with("offset", error.offset));
    }
    match serde_json::from_str(text) {
        Ok(roots @ Value::Array(_)) => list_roots("roots", &roots).map_err(|error| error.of("set_roots")),
        _ => Err(invalid("the roots are no list".to_owned())),
    }
}

/// The answer to `roots/list` with a list of roots.
pub(super) fn list_roots(key: &str, value: &Value) -> Result<String, Error> {
    let Value::Array(roots) = value else { return Err(wrong(key, format!("{value} is not a list"))) };
    let mut list = Vec::new();
    for root in roots {
        let root = match root {
            Value::String(uri) => serde_json::json!({ "uri": uri }),
            Value::Object(members) if members.get("uri").is_some_and(Value::is_string) => root.clone(),
            other => {
                let what = format!("{other} is neither a file:// URI nor an object with 'uri'");
                return Err(wrong(key, what));
            }
        };
        if !root["uri"].as_str().unwrap_or_default().starts_with("file://") {
            return Err(wrong(key, format!("{} is no file:// URI", root["uri"])));
        }
        list.push(root);
    }
    Ok(serde_json::json!({ "roots": list }).to_string())
}
