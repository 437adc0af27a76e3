//! Which tools of a server are used, by their names.

use crate::json;

/// What stands for any characters in a name.
const ANY: char = '*';

/// The tools that may be used. Lists are given without the others, and a call of one of those is not sent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ToolFilter {
    /// These and no others; `None` for all.
    pub allowed: Option<Vec<String>>,
    /// Not these, also of those that are allowed.
    pub denied: Vec<String>,
}

impl ToolFilter {
    /// Whether every tool may be used.
    pub(crate) fn allows_all(&self) -> bool {
        self.allowed.is_none() && self.denied.is_empty()
    }

    /// Why a tool may not be used, as it follows its name in a sentence; `None` if it may.
    pub fn refusal(&self, tool: &str) -> Option<&'static str> {
        let is_named = |list: &[String]| list.iter().any(|name| matches_name(name, tool));
        if is_named(&self.denied) {
            return Some("is one of deny_tools");
        }
        let is_left_out = self.allowed.as_deref().is_some_and(|allowed| !is_named(allowed));
        is_left_out.then_some("is not one of allow_tools")
    }

    /// Whether an entry of a list of tools stays in it. What has no name is left to the other checks.
    pub(crate) fn keeps(&self, tool: &str) -> bool {
        let name = json::member(tool, "name").and_then(json::string);
        name.is_none_or(|name| self.refusal(&name).is_none())
    }
}

/// Whether a name is what a pattern says, in which `*` stands for any characters. The time grows with the product of both lengths at
/// most.
pub fn matches_name(pattern: &str, name: &str) -> bool {
    let mut parts = pattern.split(ANY);
    let Some(mut rest) = parts.next().and_then(|first| name.strip_prefix(first)) else { return false };
    let Some(last) = parts.next_back() else { return rest.is_empty() };
    for part in parts {
        // The first place leaves most for the parts behind it.
        let Some((_, behind)) = rest.split_once(part) else { return false };
        rest = behind;
    }
    rest.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_stands_for_any_characters_and_nothing_else_does() {
        for (pattern, name, is_same) in [
            ("read", "read", true),
            ("read", "read_all", false),
            ("read", "a_read", false),
            ("read*", "read", true),
            ("read*", "read_all", true),
            ("*", "", true),
            ("a*b*c", "abc", true),
            ("a*b*c", "a-b-b-c", true),
            ("a*b*c", "acb", false),
            ("a*a", "a", false),
            ("*_x", "_x", true),
            ("**", "any", true),
            ("r.ad", "read", false),
            ("Read", "read", false),
        ] {
            assert_eq!(matches_name(pattern, name), is_same, "{pattern} {name}");
        }
    }

    #[test]
    fn a_tool_that_is_denied_is_not_used_though_it_is_allowed() {
        let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
        for (allowed, denied, used) in [
            (None, &[][..], &["read", "write", "x"][..]),
            (None, &["w*"], &["read", "x"]),
            (Some(&["read", "write"][..]), &[], &["read", "write"]),
            (Some(&["read", "write"]), &["write"], &["read"]),
            (Some(&["*"]), &["*"], &[]),
            (Some(&[]), &[], &[]),
        ] {
            let filter = ToolFilter { allowed: allowed.map(names), denied: names(denied) };
            let kept: Vec<&str> =
                ["read", "write", "x"].into_iter().filter(|tool| filter.refusal(tool).is_none()).collect();
            assert_eq!(kept, used, "{filter:?}");
            assert_eq!(filter.allows_all(), allowed.is_none() && denied.is_empty());
            assert!(filter.keeps("{\"name\":7}") && filter.keeps("null"));
        }
    }
}
