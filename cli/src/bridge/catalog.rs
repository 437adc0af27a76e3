//! What the servers behind offer, as the entries of the bridge's own server: names with prefixes, and whose each is.

use super::allowed::Allowed;
use super::params::with;
use crate::output::{Screen, one_line};
use mcp::client::features::{Request, template_has};
use mcp::client::json_text::{elements, member, quote, string};
use mcp::server::{Entry, Handler, Kind, Server};
use std::collections::{BTreeMap, HashMap, HashSet};

/// The lists, in the order of their tags.
pub const LISTS: [List; 4] = [
    List {
        kind: Kind::Tool,
        entry: Entry::Tool,
        request: Request::ToolsList,
        capability: "tools",
        member: "tools",
        key: "name",
        is_prefixed: true,
    },
    List {
        kind: Kind::Resource,
        entry: Entry::Resource,
        request: Request::ResourcesList,
        capability: "resources",
        member: "resources",
        key: "uri",
        is_prefixed: false,
    },
    List {
        kind: Kind::Template,
        entry: Entry::Template,
        request: Request::TemplatesList,
        capability: "resources",
        member: "resourceTemplates",
        key: "uriTemplate",
        is_prefixed: false,
    },
    List {
        kind: Kind::Prompt,
        entry: Entry::Prompt,
        request: Request::PromptsList,
        capability: "prompts",
        member: "prompts",
        key: "name",
        is_prefixed: true,
    },
];

/// One list of a server.
#[derive(Debug)]
pub struct List {
    pub kind: Kind,
    pub entry: Entry,
    /// What asks for it.
    pub request: Request<'static>,
    /// The capability that a server with it declares.
    pub capability: &'static str,
    /// The member of the result that has the entries.
    pub member: &'static str,
    /// The member by which an entry is used.
    pub key: &'static str,
    /// Whether a prefix goes before the key. A URI stays what it is: it stands in texts, too.
    pub is_prefixed: bool,
}

/// Whose an entry is, and what it is called there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Route {
    pub upstream: usize,
    pub name: String,
    /// Whether the definition of a tool lets it run as a task.
    pub may_be_task: bool,
}

/// All entries: whose each is.
#[derive(Debug, Default)]
pub struct Catalog {
    /// By kind and by the name that clients use.
    routes: BTreeMap<(Kind, String), Route>,
    /// The definitions of each server's lists, as they were added.
    definitions: HashMap<(usize, Kind), Vec<(String, String)>>,
}

impl Catalog {
    /// Whose the entry is that clients call by this name.
    pub fn route(&self, kind: Kind, name: &str) -> Option<&Route> {
        self.routes.get(&(kind, name.to_owned()))
    }

    /// Whose resource a URI is.
    pub fn resource(&self, uri: &str) -> Option<&Route> {
        self.route(Kind::Resource, uri).or_else(|| {
            let templates = self.routes.iter().filter(|((kind, _), _)| *kind == Kind::Template);
            templates
                .into_iter()
                .find(|((_, template), _)| template_has(template, uri))
                .map(|(_, route)| route)
        })
    }

    /// Takes over a list of a server, of tools those that are allowed. Whether the entries differ from those before.
    pub fn take(
        &mut self,
        server: &Server,
        upstream: usize,
        (prefix, allowed): (&str, Option<&Allowed>),
        list: &List,
        result: &str,
    ) -> bool {
        let mut entries = Vec::new();
        for definition in elements(member(result, list.member).unwrap_or("[]")) {
            let Some(name) = member(definition, list.key).and_then(string) else { continue };
            if allowed.is_some_and(|allowed| list.kind != Kind::Tool || !allowed.has(&name)) {
                continue;
            }
            entries.push((name.into_owned(), definition.to_owned()));
        }
        let before = self.definitions.insert((upstream, list.kind), entries.clone()).unwrap_or_default();
        if before == entries {
            return false;
        }
        let shown = |name: &str| if list.is_prefixed { format!("{prefix}{name}") } else { name.to_owned() };
        let kept: HashSet<&(String, String)> = entries.iter().collect();
        let mut removed = HashSet::new();
        for entry in before.iter().filter(|entry| !kept.contains(entry)) {
            let key = (list.kind, shown(&entry.0));
            if self.routes.get(&key).is_some_and(|route| route.upstream == upstream) {
                self.routes.remove(&key);
                server.remove(list.kind, &key.1);
                removed.insert(key.1);
            }
        }
        for (name, definition) in &entries {
            self.offer(server, upstream, prefix, list, name, definition);
        }
        if !list.is_prefixed && !removed.is_empty() {
            self.offer_of_others(server, upstream, list, &removed);
        }
        true
    }

    /// Offers what one server no longer has and others have, too: their lists are known and need not be asked for again.
    fn offer_of_others(&mut self, server: &Server, one: usize, list: &List, removed: &HashSet<String>) {
        let mut others = Vec::new();
        for ((upstream, kind), entries) in &self.definitions {
            if *kind == list.kind && *upstream != one {
                let same = entries.iter().filter(|(name, _)| removed.contains(name));
                others.extend(same.map(|entry| (*upstream, entry.clone())));
            }
        }
        // The first server has it, as at the start.
        others.sort_by_key(|(upstream, _)| *upstream);
        for (upstream, (name, definition)) in others {
            self.offer(server, upstream, "", list, &name, &definition);
        }
    }

    /// Adds an entry, unless a server has one of that name already.
    fn offer(
        &mut self,
        server: &Server,
        upstream: usize,
        prefix: &str,
        list: &List,
        name: &str,
        definition: &str,
    ) {
        let shown = if list.is_prefixed { format!("{prefix}{name}") } else { name.to_owned() };
        let key = (list.kind, shown);
        if self.routes.contains_key(&key) {
            return;
        }
        let text = match list.is_prefixed && !prefix.is_empty() {
            true => with(definition, list.key, &quote(&key.1)),
            false => definition.to_owned(),
        };
        match server.add(list.entry, &text, Handler::queue()) {
            Ok(()) => {
                let support = member(definition, "execution").and_then(|it| member(it, "taskSupport"));
                let support = support.and_then(string);
                let may_be_task = matches!(support.as_deref(), Some("optional" | "required"));
                self.routes.insert(key, Route { upstream, name: name.to_owned(), may_be_task });
            }
            Err(error) => Screen::note(&format!(
                "mcp bridge: '{}' is left out: {}",
                one_line(&key.1),
                one_line(&error.message)
            )),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn server() -> Server {
        Server::new(r#"{"name":"x"}"#, None).expect("a server")
    }

    #[test]
    fn entries_get_prefixes_and_know_whose_they_are() {
        let (server, mut catalog) = (server(), Catalog::default());
        let tools = r#"{"tools":[{"name":"add","inputSchema":{"type":"object"},"execution":{"taskSupport":"optional"}}]}"#;
        assert!(catalog.take(&server, 0, ("a__", None), &LISTS[0], tools));
        assert!(catalog.take(&server, 1, ("b__", None), &LISTS[0], tools));
        let route = catalog.route(Kind::Tool, "b__add").expect("there");
        assert_eq!(route, &Route { upstream: 1, name: "add".to_owned(), may_be_task: true });
        assert!(!catalog.take(&server, 1, ("b__", None), &LISTS[0], tools), "the same list changes nothing");
        assert!(catalog.take(&server, 1, ("b__", None), &LISTS[0], r#"{"tools":[]}"#));
        assert!(
            catalog.route(Kind::Tool, "b__add").is_none() && catalog.route(Kind::Tool, "a__add").is_some()
        );
    }

    #[test]
    fn a_resource_is_found_by_its_uri_or_by_a_template_and_the_first_server_keeps_it() {
        let (server, mut catalog) = (server(), Catalog::default());
        let list = r#"{"resources":[{"name":"n","uri":"demo://a"}]}"#;
        catalog.take(&server, 0, ("", None), &LISTS[1], list);
        catalog.take(&server, 1, ("", None), &LISTS[1], list);
        let templates = r#"{"resourceTemplates":[{"name":"n","uriTemplate":"demo://of/{x}"}]}"#;
        catalog.take(&server, 1, ("", None), &LISTS[2], templates);
        assert_eq!(catalog.resource("demo://a").expect("there").upstream, 0);
        assert_eq!(catalog.resource("demo://of/7").expect("there").upstream, 1);
        assert!(catalog.resource("demo://other").is_none());
    }

    #[test]
    fn a_resource_that_one_server_drops_is_that_of_another() {
        let (server, mut catalog) = (server(), Catalog::default());
        let list = r#"{"resources":[{"name":"n","uri":"demo://a"},{"name":"m","uri":"demo://b"}]}"#;
        for upstream in 0..3 {
            catalog.take(&server, upstream, ("", None), &LISTS[1], list);
        }
        let less = r#"{"resources":[{"name":"n","uri":"demo://a"}]}"#;
        assert!(catalog.take(&server, 0, ("", None), &LISTS[1], less));
        assert_eq!(catalog.resource("demo://a").expect("there").upstream, 0);
        assert_eq!(catalog.resource("demo://b").expect("there").upstream, 1);
        let other = r#"{"resources":[{"name":"changed","uri":"demo://b"}]}"#;
        assert!(catalog.take(&server, 1, ("", None), &LISTS[1], other));
        assert_eq!(catalog.resource("demo://b").expect("there").upstream, 1, "it has it still");
        assert!(catalog.take(&server, 1, ("", None), &LISTS[1], less));
        assert!(catalog.take(&server, 2, ("", None), &LISTS[1], less));
        assert!(catalog.resource("demo://b").is_none(), "no server has it");
    }
}
