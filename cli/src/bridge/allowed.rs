//! The tools that `--allow` gives to the clients of a bridge, which then reach nothing else, and those that `--deny` takes from them.

use crate::failure::Failure;
use crate::output::one_line;
use mcp::client::matches_name;
use mcp::client::names::TASKS;
use serde_json::{Map, Value};

/// What stands for any characters in a name of `--allow` and `--deny`.
const ANY: char = '*';

/// Tools of one server, as patterns.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Allowed(Vec<String>);

impl Allowed {
    /// Whether no tool is one of them.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether a tool is one of them.
    pub fn has(&self, tool: &str) -> bool {
        self.0.iter().any(|pattern| matches_name(pattern, tool))
    }

    /// Looks for the tools that have no `*` in their names; fails if one is not there. `option` is where they were given.
    pub fn find_in(
        &self,
        option: &str,
        server: &str,
        is_there: impl Fn(&str) -> bool,
    ) -> Result<(), Failure> {
        match self.0.iter().find(|name| !name.contains(ANY) && !is_there(name)) {
            None => Ok(()),
            Some(name) => Err(Failure::usage(format!(
                "{option} {0}: the server {1} has no tool '{0}'; `mcp tools` lists those that it has, and '{0}*' is also for one \
                 that may come later",
                one_line(name),
                one_line(server)
            ))),
        }
    }
}

/// The patterns of each server; `None` for every one without `--allow`.
pub fn of_servers(allow: &[String], servers: &[&str]) -> Result<Vec<Option<Allowed>>, Failure> {
    if allow.is_empty() {
        return Ok(vec![None; servers.len()]);
    }
    Ok(patterns("--allow", allow, servers)?.into_iter().map(Some).collect())
}

/// The patterns of each server that an option names.
pub fn patterns(option: &str, words: &[String], servers: &[&str]) -> Result<Vec<Allowed>, Failure> {
    let mut all = vec![Allowed::default(); servers.len()];
    for word in words {
        let (server, tool) = match word.split_once('/') {
            Some((server, tool)) => (server, tool),
            None if servers.len() == 1 => ("*", word.as_str()),
            None => {
                return Err(Failure::usage(format!(
                    "{option} {word}: there are several servers, so give SERVER/TOOL with one of: {}",
                    servers.join(", ")
                )));
            }
        };
        if tool.is_empty() {
            return Err(Failure::usage(format!(
                "{option} {word}: there is no tool behind '/'; '*' is every tool"
            )));
        }
        let mut is_of_one = false;
        for (allowed, _) in all.iter_mut().zip(servers).filter(|(_, name)| matches_name(server, name)) {
            allowed.0.push(tool.to_owned());
            is_of_one = true;
        }
        if !is_of_one {
            return Err(Failure::usage(format!(
                "{option} {word}: no server is called '{server}'; there are: {}",
                servers.join(", ")
            )));
        }
    }
    Ok(all)
}

/// Leaves of what a server declares what belongs to calls of tools.
pub fn only_of_tools(capabilities: &mut Map<String, Value>) {
    capabilities.retain(|name, _| matches!(name.as_str(), "tools" | "tasks" | "extensions"));
    if let Some(Value::Object(extensions)) = capabilities.get_mut("extensions") {
        extensions.retain(|name, _| name == TASKS);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn of(allow: &[&str], servers: &[&str]) -> Result<Vec<Option<Allowed>>, String> {
        let allow: Vec<String> = allow.iter().map(|word| (*word).to_owned()).collect();
        of_servers(&allow, servers).map_err(|failure| failure.text())
    }

    #[test]
    fn each_server_has_its_own_tools() {
        let all = of(&["a/read", "b/*", "*/list"], &["a", "b"]).expect("right");
        let [Some(a), Some(b)] = &all[..] else { panic!("{all:?}") };
        assert!(a.has("read") && a.has("list") && !a.has("write") && b.has("write"));
        let one = of(&["read", "a/x/y"], &["a"]).expect("right");
        let Some(a) = &one[0] else { panic!("{one:?}") };
        assert!(a.has("read") && a.has("x/y") && !a.has("y"));
        assert_eq!(of(&[], &["a", "b"]), Ok(vec![None, None]));
        let none = of(&["a/read"], &["a", "b"]).expect("right");
        assert!(
            none[1].as_ref().is_some_and(|b| !b.has("read")),
            "a server without a word of --allow has no tool"
        );
    }

    #[test]
    fn what_names_nothing_is_refused_with_the_fix() {
        assert!(of(&["read"], &["a", "b"]).expect_err("refused").contains("SERVER/TOOL with one of: a, b"));
        assert!(of(&["c/read"], &["a", "b"]).expect_err("refused").contains("no server is called 'c'"));
        assert!(of(&["a/"], &["a"]).expect_err("refused").contains("'*' is every tool"));
        let allowed = Allowed(vec!["raed".to_owned(), "x*".to_owned()]);
        let why = allowed.find_in("--allow", "files", |tool| tool == "read").expect_err("refused").text();
        assert!(why.contains("has no tool 'raed'"), "{why}");
        assert!(
            Allowed(vec!["read".to_owned(), "x*".to_owned()])
                .find_in("--allow", "files", |tool| tool == "read")
                .is_ok()
        );
    }

    #[test]
    fn what_is_denied_is_named_as_what_is_allowed_is() {
        let deny = ["a/rm*".to_owned(), "*/write".to_owned()];
        let all = patterns("--deny", &deny, &["a", "b"]).expect("right");
        assert!(all[0].has("rm_all") && all[0].has("write") && !all[0].has("read"));
        assert!(!all[1].has("rm_all") && all[1].has("write"));
        assert!(patterns("--deny", &[], &["a"]).expect("right")[0].is_empty());
        let why = all[1].find_in("--deny", "b", |_| false).expect_err("mistyped").text();
        assert!(why.starts_with("--deny write: the server b has no tool 'write'"), "{why}");
    }

    #[test]
    fn only_what_belongs_to_tools_is_declared() {
        let mut all = json!({"tools": {}, "resources": {}, "logging": {}, "extensions": {"x/y": {}}});
        let all = all.as_object_mut().expect("an object");
        only_of_tools(all);
        assert_eq!(json!(all), json!({"tools": {}, "extensions": {}}));
    }
}
