//! Values of a server's configuration that are more than a number or a text.

use crate::config::define::settings;
use crate::config::fields::wrong;
use crate::config::kinds::Millis;
use crate::engine::Error;
use crate::engine::seal::KEY;
use crate::engine::server::{icon_fault, is_own_member, may_notify};
use base64::Engine as _;
use serde_json::Value;
use std::collections::BTreeMap;
use std::time::Duration;

settings! {
    /// The times of event streams and bodies over HTTP.
    #[derive(Clone, Copy, Debug)]
    HttpTimes {
        /// after what time a client comes back to an event stream that ended before its answer (2025-11-25)
        retry_ms: Duration = Millis, Duration::from_secs(1);
        /// how long an event is kept for a client that comes back to its stream (2025-03-26 to 2025-11-25)
        event_ms: Duration = Millis, Duration::from_secs(300);
        /// how long a large body may come slower than `limits.body_bytes_per_second`
        body_grace_ms: Duration = Millis, Duration::from_secs(5);
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

/// Notifications of extensions: the member of a filter, and the method.
pub(super) fn notices(key: &str, value: &Value) -> Result<BTreeMap<Box<str>, Box<str>>, Error> {
    const MOST: usize = 64;
    let object = value.as_object().ok_or_else(|| wrong(key, "an object of strings is needed"))?;
    if object.len() > MOST {
        return Err(wrong(key, format!("it has {} members, and at most {MOST} are possible", object.len())));
    }
    let mut notices = BTreeMap::new();
    for (member, method) in object {
        let method = method.as_str().filter(|method| may_notify(method)).ok_or_else(|| {
            let what = "a method is needed that begins with 'notifications/' and that the library does not send itself";
            wrong(&format!("{key}.{member}"), what)
        })?;
        if member.is_empty() || is_own_member(member) {
            return Err(wrong(
                &format!("{key}.{member}"),
                "the protocol gives this member a meaning of its own",
            ));
        }
        notices.insert(member.as_str().into(), method.into());
    }
    Ok(notices)
}
