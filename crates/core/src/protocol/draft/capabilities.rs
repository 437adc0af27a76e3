//! The capabilities that a tool needs, in its definition (transports-wg, proposal "Required Capabilities for Tools").

use crate::json::{self, Kind};
use crate::protocol::lenient;
use crate::protocol::meta::META;

/// In `_meta` of a tool: capabilities as a client declares them.
pub const REQUIRED: &str = "io.modelcontextprotocol/requiredCapabilities";

/// How deep they are compared. Extensions and their settings are three levels.
const DEPTH: usize = 16;

/// What a tool says it needs: a JSON object.
pub fn of(tool: &str) -> Option<&str> {
    let required = json::member(json::member(tool, META)?, REQUIRED)?;
    (json::kind(required) == Some(Kind::Object)).then_some(required)
}

/// What of the `required` capabilities (a JSON object) is not among those that are `declared`, a JSON object of the same shape; `None`
/// if all are there. A capability counts as declared if it is there and an object, whatever else is in it.
pub fn missing(required: &str, declared: &str) -> Option<String> {
    lacks(required, declared, DEPTH)
}

/// Calls itself for each level, up to a bound. What is deeper counts as missing.
fn lacks(required: &str, declared: &str, depth: usize) -> Option<String> {
    let mut missing = String::new();
    for (name, wanted) in json::members(required) {
        let quoted = format!("\"{name}\"");
        let spelled = json::string(&quoted).unwrap_or_default();
        let own = json::member(declared, &spelled);
        let part = if json::kind(wanted) == Some(Kind::Object) {
            match own.and_then(lenient::as_object) {
                Some(own) if depth > 0 => lacks(wanted, own, depth - 1),
                _ => Some(wanted.to_owned()),
            }
        } else {
            // `listChanged: true` and the like are a capability by their value.
            (own != Some(wanted)).then(|| wanted.to_owned())
        };
        if let Some(part) = part {
            missing.push(if missing.is_empty() { '{' } else { ',' });
            json::quote_into(&spelled, &mut missing);
            missing.push(':');
            missing.push_str(&part);
        }
    }
    if missing.is_empty() {
        return None;
    }
    missing.push('}');
    Some(missing)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_requirement_is_met_if_every_name_is_there_at_every_level() {
        let tasks = r#"{"elicitation":{},"extensions":{"io.modelcontextprotocol/tasks":{}}}"#;
        for (required, declared, missing_part) in [
            ("{}", "{}", None),
            (r#"{"elicitation":{}}"#, r#"{"elicitation":{"form":{}}}"#, None),
            (r#"{"elicitation":{}}"#, "{}", Some(r#"{"elicitation":{}}"#)),
            (r#"{"elicitation":{}}"#, r#"{"elicitation":null}"#, Some(r#"{"elicitation":{}}"#)),
            (r#"{"sampling":{"tools":{}}}"#, r#"{"sampling":{"tools":{}}}"#, None),
            (r#"{"sampling":{"tools":{}}}"#, r#"{"sampling":{}}"#, Some(r#"{"sampling":{"tools":{}}}"#)),
            (tasks, tasks, None),
            (tasks, r#"{"elicitation":{}}"#, Some(r#"{"extensions":{"io.modelcontextprotocol/tasks":{}}}"#)),
            (tasks, r#"{"extensions":{"io.modelcontextprotocol/tasks":{}}}"#, Some(r#"{"elicitation":{}}"#)),
            (r#"{"roots":{"listChanged":true}}"#, r#"{"roots":{"listChanged":true}}"#, None),
            (
                r#"{"roots":{"listChanged":true}}"#,
                r#"{"roots":{"listChanged":false}}"#,
                Some(r#"{"roots":{"listChanged":true}}"#),
            ),
        ] {
            assert_eq!(missing(required, declared).as_deref(), missing_part, "{required} {declared}");
        }
    }

    #[test]
    fn what_is_no_object_requires_nothing_and_what_is_too_deep_is_missing() {
        for value in ["null", "7", "[]", "\"x\""] {
            assert_eq!(of(&format!(r#"{{"name":"a","_meta":{{"{REQUIRED}":{value}}}}}"#)), None, "{value}");
        }
        let deep = |levels: usize| format!("{}{{}}{}", "{\"a\":".repeat(levels), "}".repeat(levels));
        assert_eq!(missing(&deep(DEPTH), &deep(DEPTH)), None);
        assert!(missing(&deep(DEPTH + 4), &deep(DEPTH + 4)).is_some());
    }
}
