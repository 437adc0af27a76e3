//! What the capabilities of a configuration may look like.

use super::fields::wrong;
use crate::engine::Error;
use crate::protocol::meta;
use serde_json::{Map, Value};

/// Capabilities are objects, and so are the settings of each extension, which goes by its full identifier.
pub(super) fn check(capabilities: &Map<String, Value>) -> Result<(), Error> {
    if let Some((name, value)) = capabilities.iter().find(|(_, value)| !value.is_object()) {
        return Err(wrong(&format!("capabilities.{name}"), format!("{value} is no object; {{}} enables it")));
    }
    let Some(Value::Object(extensions)) = capabilities.get("extensions") else { return Ok(()) };
    for (id, settings) in extensions {
        let key = format!("capabilities.extensions.{id}");
        if !meta::is_extension_id(id) {
            let form = "an extension is named by a prefix and a name, such as \"com.example/name\"";
            return Err(wrong(&key, form));
        }
        if !settings.is_object() {
            return Err(wrong(&key, format!("{settings} is no object; {{}} enables it without settings")));
        }
    }
    Ok(())
}
