//! Features of a server: which capability each method needs, which lists come in pages, and what a method is called on
//! the wire of each era.

use super::revision::{Era, Revision};
use super::{method, task};
use crate::json;

/// The list of tools.
pub const TOOLS_LIST: &str = "tools/list";
/// The call of a tool.
pub const TOOLS_CALL: &str = "tools/call";
/// The list of resources.
pub const RESOURCES_LIST: &str = "resources/list";
/// The list of resource templates.
pub const TEMPLATES_LIST: &str = "resources/templates/list";
/// The contents of a resource.
pub const RESOURCES_READ: &str = "resources/read";
/// Legacy on the wire; in the modern era a part of `subscriptions/listen`.
pub const SUBSCRIBE: &str = "resources/subscribe";
/// Its end.
pub const UNSUBSCRIBE: &str = "resources/unsubscribe";
/// The list of prompts.
pub const PROMPTS_LIST: &str = "prompts/list";
/// One prompt, filled in.
pub const PROMPTS_GET: &str = "prompts/get";
/// Completion of an argument.
pub const COMPLETE: &str = "completion/complete";
/// Legacy on the wire; in the modern era a member of each request's `_meta`.
pub const SET_LEVEL: &str = "logging/setLevel";

/// The list of skills (extension `io.modelcontextprotocol/skills`).
pub const SKILLS_LIST: &str = "skills/list";
/// The entry of one skill.
pub const SKILLS_GET: &str = "skills/get";

/// The levels of log messages, from the least to the most severe (RFC 5424).
pub const LOG_LEVELS: [&str; 8] =
    ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"];

/// The capability that a server must have declared for `method` to be of use, as a JSON pointer and in words; `None` when
/// there is no such capability at this revision.
pub fn needed_server_capability(called: &str, revision: Revision) -> Option<(&'static str, &'static str)> {
    match called {
        TOOLS_LIST | TOOLS_CALL => Some(("/tools", "tools")),
        RESOURCES_LIST | TEMPLATES_LIST | RESOURCES_READ => Some(("/resources", "resources")),
        SUBSCRIBE | UNSUBSCRIBE => Some(("/resources/subscribe", "subscriptions to resources")),
        PROMPTS_LIST | PROMPTS_GET => Some(("/prompts", "prompts")),
        // The first revision had completion without a capability for it.
        COMPLETE if revision > Revision::V2024_11_05 => Some(("/completions", "completion")),
        SET_LEVEL => Some(("/logging", "log messages")),
        // Only the core form of tasks has them, and says so in parts.
        task::LIST => Some(("/tasks/list", "list of tasks")),
        task::GET | task::RESULT | task::CANCEL if revision.era() == Era::Modern => {
            Some((task::Form::Extension.capability(), "tasks"))
        }
        task::CANCEL => Some(("/tasks/cancel", "cancelling of tasks")),
        task::GET | task::RESULT => Some(("/tasks", "tasks")),
        SKILLS_LIST | SKILLS_GET => Some(("/extensions/io.modelcontextprotocol~1skills", "skills")),
        _ => None,
    }
}

/// Whether `capabilities` (a JSON object) has what a pointer of [`needed_server_capability`] names: an object, or true.
pub fn has(capabilities: &str, pointer: &str) -> bool {
    json::pointer(capabilities, pointer)
        .ok()
        .flatten()
        .and_then(json::kind)
        .is_some_and(|kind| matches!(kind, json::Kind::Object | json::Kind::True))
}

/// The member of a list's result that holds what is listed; `None` for a method that is no list.
pub fn listed(called: &str) -> Option<&'static str> {
    match called {
        TOOLS_LIST => Some("tools"),
        RESOURCES_LIST => Some("resources"),
        TEMPLATES_LIST => Some("resourceTemplates"),
        PROMPTS_LIST => Some("prompts"),
        task::LIST => Some("tasks"),
        SKILLS_LIST => Some("skills"),
        _ => None,
    }
}

/// What a feature's method is called on the wire.
pub fn on_the_wire(called: &str, era: Option<Era>) -> &str {
    match (called, era) {
        // The modern era has no ping; this is the request that every server answers and that changes nothing.
        (method::PING, Some(Era::Modern)) => method::DISCOVER,
        _ => called,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_capability_is_an_object_or_true() {
        let capabilities =
            r#"{"tools":{},"resources":{"subscribe":true,"listChanged":false},"prompts":null}"#;
        let has = |method| {
            needed_server_capability(method, Revision::V2025_11_25)
                .is_none_or(|(pointer, _)| has(capabilities, pointer))
        };
        assert!(has(TOOLS_CALL) && has(RESOURCES_READ) && has(SUBSCRIBE) && has(method::PING));
        assert!(!has(PROMPTS_GET) && !has(COMPLETE) && !has(SET_LEVEL) && !has(SKILLS_LIST));
        let (pointer, _) = needed_server_capability(SKILLS_GET, Revision::V2026_07_28).expect("a capability");
        assert!(crate::protocol::feature::has(
            r#"{"extensions":{"io.modelcontextprotocol/skills":{}}}"#,
            pointer
        ));
    }

    #[test]
    fn the_first_revision_completes_without_a_capability() {
        assert_eq!(needed_server_capability(COMPLETE, Revision::V2024_11_05), None);
        assert!(needed_server_capability(COMPLETE, Revision::V2025_03_26).is_some());
    }

    #[test]
    fn a_ping_of_the_modern_era_is_a_discovery() {
        assert_eq!(on_the_wire(method::PING, Some(Era::Modern)), method::DISCOVER);
        assert_eq!(on_the_wire(method::PING, Some(Era::Legacy)), method::PING);
        assert_eq!(on_the_wire(TOOLS_LIST, Some(Era::Modern)), TOOLS_LIST);
    }
}
