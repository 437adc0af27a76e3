//! Features of a server: what it declares, and the levels of its log messages.

use super::given;
use crate::json;

/// The levels of log messages, from the least to the most severe (RFC 5424).
pub const LOG_LEVELS: [&str; 8] =
    ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"];

/// Whether `capabilities` (a JSON object) has what a pointer of [`super::method::needed_server_capability`] names: what is there and
/// neither null nor false is declared. PHP writes an empty object as an empty array.
pub fn has(capabilities: &str, pointer: &str) -> bool {
    json::pointer(capabilities, pointer).ok().flatten().is_some_and(given::is_declared)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::Revision;
    use crate::protocol::method::*;

    #[test]
    fn a_capability_is_what_is_there_and_neither_null_nor_false() {
        let capabilities =
            r#"{"tools":{},"resources":{"subscribe":true,"listChanged":false},"prompts":null}"#;
        let has = |method| {
            needed_server_capability(method, Revision::V2025_11_25)
                .is_none_or(|(pointer, _)| has(capabilities, pointer))
        };
        assert!(has(TOOLS_CALL) && has(RESOURCES_READ) && has(SUBSCRIBE) && has(PING));
        assert!(super::has(r#"{"prompts":[]}"#, "/prompts"), "an empty object of PHP");
        assert!(!has(PROMPTS_GET) && !has(COMPLETE) && !has(SET_LEVEL) && !has(SKILLS_LIST));
        let (pointer, _) = needed_server_capability(SKILLS_GET, Revision::V2026_07_28).expect("a capability");
        assert!(super::has(r#"{"extensions":{"io.modelcontextprotocol/skills":{}}}"#, pointer));
    }
}
