//! Whether calls of a tool depend on one another, as the definition of the tool says. A convention of this project
//! (`docs/reference/tool-modes.md`).

use super::meta::META;
use crate::json;

/// The member of a request's `_meta` that names the session.
pub const SESSION_ID: &str = "session_id";

/// Whether calls of a tool depend on one another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ToolMode {
    /// The server keeps something from one call to the next.
    Stateful,
    /// Every call stands alone.
    Stateless,
}

/// What the definition of a tool (a JSON object) says: its member `mode`, or else that of its `_meta`. `None` where it says
/// nothing that is known.
pub fn of(tool: &str) -> Option<ToolMode> {
    let inner = json::member(tool, META).filter(|meta| json::kind(meta) == Some(json::Kind::Object));
    let said = [json::member(tool, "mode"), inner.and_then(|meta| json::member(meta, "mode"))];
    said.into_iter().flatten().find_map(|mode| match json::string(mode)?.as_ref() {
        "stateful" => Some(ToolMode::Stateful),
        "stateless" => Some(ToolMode::Stateless),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_definition_says_its_mode_itself_or_in_its_metadata() {
        for (tool, mode) in [
            (r#"{"name":"t","mode":"stateful"}"#, Some(ToolMode::Stateful)),
            (r#"{"name":"t","mode":"stateless"}"#, Some(ToolMode::Stateless)),
            (r#"{"name":"t","_meta":{"mode":"state\u0066ul"}}"#, Some(ToolMode::Stateful)),
            (r#"{"mode":"stateless","_meta":{"mode":"stateful"}}"#, Some(ToolMode::Stateless)),
            (r#"{"mode":"sometimes","_meta":{"mode":"stateful"}}"#, Some(ToolMode::Stateful)),
            (r#"{"mode":true,"_meta":[{"mode":"stateful"}]}"#, None),
            (r#"{"mode":"Stateful"}"#, None),
            (r#"{"name":"t","annotations":{"mode":"stateful"}}"#, None),
            (r#"{"name":"t"}"#, None),
        ] {
            assert_eq!(of(tool), mode, "{tool}");
        }
    }
}
