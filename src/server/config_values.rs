//! Values of a server's configuration that are more than a number or a text.

use crate::config::define::settings;
use crate::config::fields::wrong;
use crate::config::kinds::Millis;
use crate::engine::Error;
use crate::engine::seal::KEY;
use crate::engine::server::icon_fault;
use base64::Engine as _;
use serde_json::Value;
use std::time::Duration;

settings! {
    /// The times of event streams over HTTP.
    #[derive(Clone, Copy, Debug)]
    HttpTimes {
        /// after what time a client comes back to an event stream that ended before its answer (2025-11-25)
        retry_ms: Duration = Millis, Duration::from_secs(1);
    }
}

/// The icons of a server, each with an address that clients load.
pub(super) fn icons(key: &str, value: &Value) -> Result<Value, Error> {
    let list = value.as_array().filter(|list| list.iter().all(Value::is_object));
    let list = list.ok_or_else(|| wrong(key, "a list of objects is needed"))?;
    for icon in list {
        let src =
            icon.get("src").and_then(Value::as_str).ok_or_else(|| wrong(key, "each needs a string 'src'"))?;
        if let Some(fault) = icon_fault(src) {
            return Err(wrong(key, fault));
        }
    }
    Ok(value.clone())
}

/// Keys that seal request states.
pub(super) fn sealing_keys(key: &str, value: &Value) -> Result<Vec<[u8; KEY]>, Error> {
    let bad = || wrong(key, format!("a list of strings is needed, each the base64 of {KEY} random bytes"));
    let mut keys = Vec::new();
    for entry in value.as_array().ok_or_else(bad)? {
        let text = entry.as_str().ok_or_else(bad)?;
        let bytes = base64::engine::general_purpose::STANDARD.decode(text).map_err(|_| bad())?;
        keys.push(<[u8; KEY]>::try_from(bytes.as_slice()).map_err(|_| bad())?);
    }
    Ok(keys)
}
