//! The start of a value, as it stands in a mismatch. A value may have megabytes, and a check may find it wrong many times:
//! nothing is written that will not be shown.

use serde_json::Value;

/// How many characters are shown.
const CHARS: usize = 60;
/// Bytes enough for them, whatever they are.
const BYTES: usize = 4 * CHARS + 4;

/// The value as JSON, cut off where it gets long.
pub(super) fn shown(value: &Value) -> String {
    let mut text = String::new();
    write(value, &mut text);
    match text.char_indices().nth(CHARS) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

fn write(value: &Value, out: &mut String) {
    match value {
        Value::String(text) => quote(text, out),
        Value::Array(items) => {
            out.push('[');
            for (index, item) in items.iter().enumerate() {
                if out.len() > BYTES {
                    return;
                }
                if index > 0 {
                    out.push(',');
                }
                write(item, out);
            }
            out.push(']');
        }
        Value::Object(members) => {
            out.push('{');
            for (index, (name, member)) in members.iter().enumerate() {
                if out.len() > BYTES {
                    return;
                }
                if index > 0 {
                    out.push(',');
                }
                quote(name, out);
                out.push(':');
                write(member, out);
            }
            out.push('}');
        }
        other => out.push_str(&other.to_string()),
    }
}

fn quote(text: &str, out: &mut String) {
    let end = text.char_indices().nth(CHARS).map_or(text.len(), |(end, _)| end);
    crate::json::quote_into(&text[..end], out);
}
