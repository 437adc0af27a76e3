//! What the capabilities of a configuration may look like.

use crate::config::fields::wrong;
use crate::engine::Error;
use crate::protocol::meta;
use serde_json::{Map, Value};

/// Capabilities are objects, and so are the settings of each extension, which goes by its full identifier.
pub(super) fn read(key: &str, value: &Value) -> Result<Map<String, Value>, Error> {
    let Value::Object(capabilities) = value else {
        return Err(wrong(key, format!("{value} is not an object")));
    };
    if let Some((name, value)) = capabilities.iter().find(|(_, value)| !value.is_object()) {
        return Err(wrong(&format!("{key}.{name}"), format!("{value} is no object; {{}} enables it")));
    }
    if let Some(Value::Object(extensions)) = capabilities.get("extensions") {
        for (id, settings) in extensions {
            let key = format!("{key}.extensions.{id}");
            if !meta::is_extension_id(id) {
                let form = "an extension is named by a prefix and a name, such as \"com.example/name\"";
                return Err(wrong(&key, form));
            }
            if !settings.is_object() {
                return Err(wrong(
                    &key,
                    format!("{settings} is no object; {{}} enables it without settings"),
                ));
            }
        }
    }
    Ok(capabilities.clone())
}
