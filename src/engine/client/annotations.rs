//! Which tools may be called again after a lost connection, because the server says that it does no harm
//! (`annotations.readOnlyHint`, `annotations.idempotentHint`). Only looked at once the application chose `retry: "safe"`:
//! the annotations are the server's word, and trusting them is the application's decision.

use crate::json;
use std::collections::HashSet;

/// Tools remembered.
const TOOLS: usize = 10_000;

#[derive(Default, Debug)]
pub(super) struct SafeTools {
    /// Whether anybody wants to know.
    pub(super) wanted: bool,
    names: HashSet<String>,
}

impl SafeTools {
    /// A page of `tools/list` came.
    pub(super) fn note(&mut self, result: &str) {
        let Some(tools) =
            json::member(result, "tools").filter(|tools| json::kind(tools) == Some(json::Kind::Array))
        else {
            return;
        };
        for tool in json::elements(tools) {
            let Some(name) = json::member(tool, "name").and_then(json::string) else { continue };
            let hint = |hint: &str| {
                json::member(tool, "annotations").and_then(|annotations| json::member(annotations, hint))
                    == Some("true")
            };
            if hint("readOnlyHint") || hint("idempotentHint") {
                if self.names.len() < TOOLS {
                    self.names.insert(name.into_owned());
                }
            } else {
                self.names.remove(name.as_ref());
            }
        }
    }

    /// The list is stale: the server changed it, or is another one now.
    pub(super) fn forget(&mut self) {
        self.names.clear();
    }

    /// Whether the tool that these parameters of `tools/call` name may be called again.
    pub(super) fn allows(&self, params: &str) -> bool {
        !self.names.is_empty()
            && json::member(params, "name")
                .and_then(json::string)
                .is_some_and(|name| self.names.contains(name.as_ref()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_tools_that_say_so_are_safe_and_only_as_long_as_they_do() {
        let mut tools = SafeTools::default();
        tools.note(
            r#"{"tools":[{"name":"r","annotations":{"readOnlyHint":true}},{"name":"i","annotations":{"idempotentHint":true}},
               {"name":"w","annotations":{"destructiveHint":true}},{"name":"n"}]}"#,
        );
        let allows = |tools: &SafeTools, name: &str| tools.allows(&format!(r#"{{"name":"{name}"}}"#));
        assert!(allows(&tools, "r") && allows(&tools, "i"));
        assert!(!allows(&tools, "w") && !allows(&tools, "n") && !allows(&tools, "x"));
        tools.note(r#"{"tools":[{"name":"r"}]}"#);
        assert!(!allows(&tools, "r") && allows(&tools, "i"));
        tools.forget();
        assert!(!allows(&tools, "i"));
    }
}
