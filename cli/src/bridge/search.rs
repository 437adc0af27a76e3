//! `--search`: two tools in place of all. A model finds the others by words and calls them by name, so that their definitions cost tokens
//! only where they are used.
//!
//! In the list stay the tools of `--keep`, and those that hosts must know by their definitions: with a page, or for pages only.

use super::allowed::Allowed;
use super::catalog::{Catalog, Route};
use super::params::with;
use super::relay::Relay;
use super::upstream::text;
use super::uris::page_of;
use crate::commands::nearest;
use crate::failure::Failure;
use crate::generate::{is_for_apps, search_any};
use crate::output::{Screen, one_line};
use mcp::client::Message;
use mcp::client::json_text::{Kind as Json, kind, member, quote};
use mcp::server::{Entry, Handler, Server};
use serde_json::json;

/// The tool that finds others.
pub const FIND: &str = "find_tools";
/// The tool that calls another one.
pub const CALL: &str = "call_tool";
/// How many tools one search finds without `limit`, and at most.
const USUAL: u64 = 8;
const MOST: u64 = 50;
/// The most bytes of definitions that one search gives; the first one comes whatever its size.
const BYTES: usize = 64 << 10;
/// The most bytes of what is searched for.
const QUERY: usize = 1000;
/// Bytes of a token, about.
const TOKEN: usize = 4;

/// Which tools stay in the list.
#[derive(Debug)]
pub struct Search {
    servers: String,
    keep: Vec<Allowed>,
}

/// What becomes of a call of one of the two tools.
#[derive(Debug)]
pub enum Searched {
    /// It has this result.
    Answer(String),
    /// It is a call of another tool with these parameters, whose name its server gets as it knows it.
    Call(Route, String),
}

impl Search {
    /// `servers` are the names of all; of each, `keep` stays in the list.
    pub fn new(servers: &[&str], keep: Vec<Allowed>) -> Search {
        Search { servers: servers.join(", "), keep }
    }

    /// Whether a tool is in the list.
    pub fn lists(&self, upstream: usize, name: &str, definition: &str) -> bool {
        self.keep.get(upstream).is_some_and(|keep| keep.has(name))
            || page_of(definition).is_some()
            || is_for_apps(definition)
    }

    /// Fails if `--keep` names a tool that a server does not have: it may be mistyped.
    ///
    /// # Errors
    /// The tool.
    pub fn fit(&self, upstream: usize, server: &str, is_there: impl Fn(&str) -> bool) -> Result<(), Failure> {
        self.keep.get(upstream).map_or(Ok(()), |keep| keep.find_in("--keep", server, is_there))
    }

    /// The definitions of the two tools.
    fn definitions(&self) -> [String; 2] {
        let find = json!({
            "name": FIND,
            "description": format!("Finds tools of {} by words. Gives their names, descriptions and input schemas; call one with {CALL}.", self.servers),
            "inputSchema": {"type": "object", "required": ["query"], "properties": {
                "query": {"type": "string", "description": "what the tool is to do, in a few words; empty for any tool"},
                "limit": {"type": "integer", "minimum": 1, "maximum": MOST, "default": USUAL},
            }},
            "annotations": {"readOnlyHint": true, "openWorldHint": false},
        });
        let call = json!({
            "name": CALL,
            "description": format!("Calls a tool that {FIND} has found."),
            "inputSchema": {"type": "object", "required": ["name"], "properties": {
                "name": {"type": "string"},
                "arguments": {"type": "object", "description": "as the input schema of that tool says"},
            }},
        });
        [find, call].map(|tool| tool.to_string())
    }
}

/// What a search answers.
fn found(catalog: &Catalog, arguments: &str) -> String {
    let query = text(arguments, "query").unwrap_or_default();
    let limit =
        member(arguments, "limit").and_then(|limit| limit.parse().ok()).unwrap_or(USUAL).clamp(1, MOST);
    let tools: Vec<&str> =
        catalog.tools().map(|(_, definition, _)| definition).filter(|tool| !is_for_apps(tool)).collect();
    let query: String = query.chars().take(QUERY).collect();
    let mut found = search_any(&tools, &query);
    let all = found.len();
    found.truncate(usize::try_from(limit).unwrap_or(usize::MAX));
    let mut shown = Vec::new();
    let mut bytes = 0;
    for tool in found {
        let entry = entry(tool);
        bytes += entry.len();
        if !shown.is_empty() && bytes > BYTES {
            break;
        }
        shown.push(entry);
    }
    let more = all - shown.len();
    let found = format!("{{\"tools\":[{}],\"more\":{more}}}", shown.join(","));
    let mut said = found.clone();
    if tools.is_empty() || all == 0 {
        said =
            format!("no tool has these words; there are {}: use other words, or an empty query", tools.len());
    }
    format!("{{\"content\":[{{\"type\":\"text\",\"text\":{}}}],\"structuredContent\":{found}}}", quote(&said))
}

/// What a model needs of a definition.
fn entry(tool: &str) -> String {
    let parts = ["name", "title", "description", "inputSchema", "annotations"];
    let parts = parts.iter().filter_map(|name| Some(format!("\"{name}\":{}", member(tool, name)?)));
    format!("{{{}}}", parts.collect::<Vec<_>>().join(","))
}

/// A result that says what went wrong, for the model.
fn failed(what: &str) -> Searched {
    Searched::Answer(format!(
        "{{\"content\":[{{\"type\":\"text\",\"text\":{}}}],\"isError\":true}}",
        quote(what)
    ))
}

/// The tool that a call by way of [`CALL`] is for.
fn called(catalog: &Catalog, params: &str, why_hidden: impl Fn(&str) -> Option<String>) -> Searched {
    let arguments = member(params, "arguments").unwrap_or("{}");
    let Some(name) = text(arguments, "name") else {
        return failed(&format!("{CALL} needs the argument 'name', a name that {FIND} gave"));
    };
    let inner = member(arguments, "arguments").unwrap_or("{}");
    if kind(inner) != Some(Json::Object) {
        return failed(&format!("the arguments for '{}' must be an object", one_line(&name)));
    }
    let for_models = || catalog.tools().filter(|(_, definition, _)| !is_for_apps(definition));
    if let Some((_, _, route)) = for_models().find(|(other, ..)| *other == name) {
        let params = with(&with(params, "name", &quote(&name)), "arguments", inner);
        return Searched::Call(route.clone(), params);
    }
    let why = why_hidden(&name).unwrap_or_else(|| {
        let near = nearest(&name, for_models().map(|(name, ..)| name));
        let near = near.map_or_else(String::new, |near| format!("; did you mean '{}'?", one_line(near)));
        format!("there is no tool '{}'{near}; {FIND} finds tools", one_line(&name))
    });
    failed(&why)
}

impl Relay {
    /// Adds the two tools, before those of the servers.
    pub fn offer_search(&self, server: &Server) -> Result<(), Failure> {
        for definition in self.catalog.search.iter().flat_map(Search::definitions) {
            server.add(Entry::Tool, &definition, Handler::queue())?;
        }
        Ok(())
    }

    /// What becomes of a request for one of the two tools; `None` of any other one.
    pub fn searched(&self, message: &Message) -> Option<Searched> {
        let params = message.json();
        self.catalog.search.as_ref().filter(|_| message.method() == Some("tools/call"))?;
        match text(params, "name")?.as_str() {
            FIND => Some(Searched::Answer(found(&self.catalog, member(params, "arguments").unwrap_or("{}")))),
            CALL => Some(called(&self.catalog, params, |name| {
                self.why_hidden("tools/call", &format!("{{\"name\":{}}}", quote(name)))
            })),
            _ => None,
        }
    }

    /// Says what the definitions cost a model with all tools and with two.
    pub fn say_what_search_saves(&self) {
        let Some(search) = &self.catalog.search else { return };
        let (mut all, mut before, mut listed) = (0, 0, 2);
        let mut after: usize = search.definitions().iter().map(String::len).sum();
        for (_, definition, route) in
            self.catalog.tools().filter(|(_, definition, _)| !is_for_apps(definition))
        {
            all += 1;
            before += definition.len();
            if search.lists(route.upstream, &route.name, definition) {
                listed += 1;
                after += definition.len();
            }
        }
        let (before, after) = (before.div_ceil(TOKEN), after.div_ceil(TOKEN));
        Screen::said(format!(
            "{listed} tools in the list in place of {all}: about {after} tokens in place of {before}"
        ));
    }
}

#[cfg(test)]
mod tests {
    use super::super::lists::LISTS;
    use super::super::pin::entries;
    use super::*;
    use mcp::client::json_text::{elements, string};
    use mcp::server::Kind;

    const TOOLS: &str = r#"{"tools":[
        {"name":"read_file","description":"Reads a file","inputSchema":{"type":"object","properties":{"path":{}}},"_meta":{"x":1}},
        {"name":"write_file","description":"Writes a file","inputSchema":{"type":"object"}},
        {"name":"secret","description":"For a page: a file","inputSchema":{"type":"object"},"_meta":{"ui":{"visibility":["app"]}}},
        {"name":"kept","description":"Stays","inputSchema":{"type":"object"}}]}"#;

    fn catalog() -> (Server, Catalog) {
        let server = Server::new(r#"{"name":"x"}"#, None).expect("a server");
        let mut catalog = Catalog::new(&["a".to_owned(), "b".to_owned()]);
        let keep =
            super::super::allowed::patterns("--keep", &["a/kept".to_owned()], &["a", "b"]).expect("patterns");
        catalog.search = Some(Search::new(&["a", "b"], keep));
        catalog.take(&server, 0, &LISTS[0], entries(&LISTS[0], TOOLS));
        (server, catalog)
    }

    fn names(answer: &str) -> Vec<String> {
        let tools = member(answer, "structuredContent").and_then(|it| member(it, "tools")).expect("tools");
        elements(tools)
            .map(|tool| member(tool, "name").and_then(string).expect("a name").into_owned())
            .collect()
    }

    #[test]
    fn words_find_tools_for_models_and_none_that_is_for_pages() {
        let (_server, catalog) = catalog();
        for (arguments, found_names) in [
            (r#"{"query":"read"}"#, &["a__read_file"][..]),
            (r#"{"query":"please WRITE the file"}"#, &["a__write_file", "a__read_file"]),
            (r#"{"query":"page"}"#, &[]),
            (r#"{"query":""}"#, &["a__kept", "a__read_file", "a__write_file"]),
            (r#"{"query":"","limit":1}"#, &["a__kept"]),
            (r#"{"query":"","limit":-5}"#, &["a__kept", "a__read_file", "a__write_file"]),
            ("{}", &["a__kept", "a__read_file", "a__write_file"]),
        ] {
            let answer = found(&catalog, arguments);
            assert_eq!(names(&answer), found_names, "{arguments}");
            assert!(!answer.contains("_meta") && !answer.contains("a__secret"), "{answer}");
        }
        assert!(found(&catalog, r#"{"query":"","limit":1}"#).contains("\"more\":2"));
        assert!(found(&catalog, r#"{"query":"page"}"#).contains("no tool has these words; there are 3"));
    }

    #[test]
    fn what_one_search_gives_is_bounded() {
        let (server, mut catalog) = catalog();
        let long = "x".repeat(40_000);
        let tool = |name: &str| {
            format!(r#"{{"name":"{name}","description":"{long}","inputSchema":{{"type":"object"}}}}"#)
        };
        let all: Vec<String> = ["l1", "l2", "l3"].into_iter().map(tool).collect();
        catalog.take(
            &server,
            1,
            &LISTS[0],
            entries(&LISTS[0], &format!("{{\"tools\":[{}]}}", all.join(","))),
        );
        let answer = found(&catalog, r#"{"query":"b__"}"#);
        assert_eq!((names(&answer).len(), answer.contains("\"more\":2")), (1, true));
    }

    #[test]
    fn a_tool_is_called_by_its_name_and_hidden_ones_are_refused() {
        let (_server, catalog) = catalog();
        let call = |arguments: &str| {
            called(
                &catalog,
                &format!(r#"{{"name":"call_tool","arguments":{arguments},"_meta":{{"progressToken":1}}}}"#),
                |name| (name == "a__gone").then(|| "it is hidden".to_owned()),
            )
        };
        match call(r#"{"name":"a__write_file","arguments":{"n":1.50},"name":"a__write_file"}"#) {
            Searched::Call(route, params) => {
                assert_eq!((route.upstream, route.name.as_str()), (0, "write_file"));
                assert_eq!(
                    params,
                    r#"{"_meta":{"progressToken":1},"name":"a__write_file","arguments":{"n":1.50}}"#
                );
            }
            other @ Searched::Answer(_) => panic!("{other:?}"),
        }
        for (arguments, why) in [
            (r#"{"name":"a__secret"}"#, "there is no tool 'a__secret'"),
            (r#"{"name":"a__gone"}"#, "it is hidden"),
            (r#"{"name":"a__wriet_file"}"#, "did you mean 'a__write_file'?"),
            (r#"{"name":"call_tool"}"#, "there is no tool 'call_tool'"),
            (r#"{"name":"a__kept","arguments":[]}"#, "must be an object"),
            ("{}", "needs the argument 'name'"),
        ] {
            let Searched::Answer(answer) = call(arguments) else { panic!("{arguments}") };
            assert!(answer.contains(why) && answer.ends_with("\"isError\":true}"), "{arguments}: {answer}");
        }
    }

    #[test]
    fn hosts_know_the_tools_that_stay_or_have_pages() {
        let keep = vec![Allowed::default()];
        let search = Search::new(&["a"], keep);
        assert!(!search.lists(0, "x", r#"{"name":"x"}"#));
        assert!(search.lists(0, "x", r#"{"name":"x","_meta":{"ui":{"resourceUri":"ui://x"}}}"#));
        assert!(search.lists(0, "x", r#"{"name":"x","_meta":{"ui":{"visibility":["app"]}}}"#));
        let (_server, catalog) = catalog();
        assert_eq!(
            catalog.route(Kind::Tool, "a__write_file").map(|it| it.upstream),
            Some(0),
            "it can be called by name, too"
        );
    }
}
