//! What the servers behind offer, as the entries of the bridge's own server: names with prefixes, and whose each is.

use super::SEPARATOR;
use super::labels::{Labels, is_page};
use super::lists::List;
use super::params::with;
use super::search::Search;
use super::uris::{in_definition, page_of};
use crate::ordered::Gathered;
use crate::output::{Screen, one_line};
use mcp::client::features::template_has;
use mcp::client::json_text::{member, quote, string};
use mcp::server::{Handler, Kind, Server};
use std::borrow::Cow;
use std::collections::hash_map::Entry::Vacant;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::RangeInclusive;

/// Whose an entry is, and what it is called there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Route {
    pub upstream: usize,
    pub name: String,
    /// Whether the definition of a tool lets it run as a task.
    pub may_be_task: bool,
}

/// Whose the resource is that clients know by a URI.
#[derive(Debug, PartialEq, Eq)]
pub enum Whose {
    /// One server's, and its URI there.
    One(usize, String),
    /// Of several servers: the URIs by which each can be read.
    Several(Vec<String>),
    /// It is in no list.
    Unlisted,
}

/// All entries: whose each is.
#[derive(Debug, Default)]
pub struct Catalog {
    /// What goes before the names of each server's entries.
    prefixes: Vec<String>,
    labels: Labels,
    /// The most characters of a tool's name, if there is such a limit.
    pub longest_name: Option<usize>,
    /// Which tools are in the list: the others are found by a search.
    pub search: Option<Search>,
    /// By kind and by the name that clients use.
    routes: BTreeMap<(Kind, String), Route>,
    /// The definitions of each server's lists, as they came.
    definitions: BTreeMap<(Kind, usize), Vec<(String, String)>>,
    /// What was added to the bridge's own server, and whose it is; also what it refused.
    offered: BTreeMap<(Kind, String), (usize, String)>,
    /// Which servers list a resource.
    listed: HashMap<String, BTreeSet<usize>>,
    /// Which servers have pages.
    with_pages: BTreeSet<usize>,
}

impl Catalog {
    /// No entries yet. `names` are those of the servers.
    pub fn new(names: &[String]) -> Catalog {
        let prefix =
            |name: &String| if names.len() > 1 { format!("{name}{SEPARATOR}") } else { String::new() };
        Catalog {
            prefixes: names.iter().map(prefix).collect(),
            labels: Labels::new(names),
            ..Catalog::default()
        }
    }

    /// The tools that clients may call: the name that they use, the definition as they get it, and whose it is.
    pub fn tools(&self) -> impl Iterator<Item = (&str, &str, &Route)> {
        let offered = self.offered.iter().filter(|((kind, _), _)| *kind == Kind::Tool);
        offered.filter_map(|(key, (_, text))| Some((key.1.as_str(), text.as_str(), self.routes.get(key)?)))
    }

    /// What goes before the names of a server's entries.
    pub fn prefix(&self, upstream: usize) -> &str {
        self.prefixes.get(upstream).map_or("", String::as_str)
    }

    /// Whose the entry is that clients call by this name.
    pub fn route(&self, kind: Kind, name: &str) -> Option<&Route> {
        self.routes.get(&(kind, name.to_owned()))
    }

    /// The tool that a page calls by the name that it has at its own server. It is not said which page calls, so that only one server
    /// with pages may have that tool.
    ///
    /// # Errors
    /// The names by which clients call such a tool of several servers.
    pub fn of_page(&self, name: &str) -> Result<Option<&Route>, Vec<String>> {
        let names = self.with_pages.iter().map(|upstream| self.tool_name(*upstream, name));
        let mut found = names.filter_map(|name| Some((self.route(Kind::Tool, &name)?, name)));
        match (found.next(), found.next()) {
            (Some((_, one)), Some((_, other))) => {
                Err([one, other].into_iter().chain(found.map(|(_, name)| name)).collect())
            }
            (one, _) => Ok(one.filter(|_| !self.labels.is_empty()).map(|(route, _)| route)),
        }
    }

    /// The servers that have a resource: those that list it, else those with a template for it.
    fn owners(&self, uri: &str) -> BTreeSet<usize> {
        if let Some(listed) = self.listed.get(uri) {
            return listed.clone();
        }
        let of_templates = self.definitions.range(all(Kind::Template));
        let has = |templates: &[(String, String)]| templates.iter().any(|(it, _)| template_has(it, uri));
        of_templates.filter(|(_, templates)| has(templates)).map(|((_, upstream), _)| *upstream).gathered()
    }

    /// Whether a server lists a resource, or has a template for it.
    pub fn has_resource(&self, upstream: usize, uri: &str) -> bool {
        self.owners(uri).contains(&upstream)
    }

    /// What clients know a URI of a server as.
    pub fn shown(&self, upstream: usize, uri: &str) -> String {
        if self.labels.is_empty() {
            return uri.to_owned();
        }
        let stays = !is_page(uri) && self.labels.remove(uri).is_none() && {
            let owners = self.owners(uri);
            owners.is_empty() || owners.iter().eq([&upstream])
        };
        if stays { uri.to_owned() } else { self.labels.add(upstream, uri) }
    }

    /// What clients may know a URI of a server as, from a time when other servers had other resources.
    pub fn ever_shown(&self, upstream: usize, uri: &str) -> [String; 2] {
        [uri.to_owned(), self.labels.add(upstream, uri)]
    }

    /// Every URI by which a rule about this one must know a resource.
    pub fn all_shown<'c>(&'c self, uri: &'c str) -> impl Iterator<Item = String> + 'c {
        (0..self.prefixes.len()).map(move |upstream| self.labels.add(upstream, uri))
    }

    /// Whether URIs are not what they are at the servers.
    pub fn has_labels(&self) -> bool {
        !self.labels.is_empty()
    }

    /// Whose the resource is that clients know by a URI. Pages are read whether they are in a list or not.
    pub fn resource(&self, shown: &str) -> Whose {
        if let Some((upstream, uri)) = self.labels.remove(shown) {
            let is_known = is_page(shown) || self.shown(upstream, &uri) == shown;
            return if is_known { Whose::One(upstream, uri) } else { Whose::Unlisted };
        }
        if self.has_labels() && is_page(shown) {
            return Whose::Unlisted;
        }
        let owners = self.owners(shown);
        match owners.first() {
            None => Whose::Unlisted,
            Some(one) if owners.len() == 1 => Whose::One(*one, shown.to_owned()),
            Some(_) => Whose::Several(owners.iter().map(|owner| self.labels.add(*owner, shown)).collect()),
        }
    }

    /// Takes over the entries of a list of a server that clients may use. Whether they differ from those before.
    pub fn take(
        &mut self,
        server: &Server,
        upstream: usize,
        list: &List,
        entries: Vec<(String, String)>,
    ) -> bool {
        let before = self.definitions.entry((list.kind, upstream)).or_default();
        if *before == entries {
            return false;
        }
        *before = entries;
        self.find_owners(list.kind);
        self.offer(server, list);
        true
    }

    /// Finds out again which servers list which resources and have pages.
    fn find_owners(&mut self, changed: Kind) {
        let is_of_page = |kind: Kind, (name, definition): &(String, String)| match kind {
            Kind::Resource => is_page(name),
            Kind::Tool => page_of(definition).is_some(),
            _ => false,
        };
        let lists = self.definitions.iter();
        let with_pages = lists.filter(|((kind, _), entries)| entries.iter().any(|it| is_of_page(*kind, it)));
        self.with_pages = with_pages.map(|((_, upstream), _)| *upstream).gathered();
        if changed == Kind::Resource {
            self.listed.clear();
            for ((_, upstream), entries) in self.definitions.range(all(Kind::Resource)) {
                for (uri, _) in entries {
                    self.listed.entry(uri.clone()).or_default().insert(*upstream);
                }
            }
        }
    }

    /// What clients know a tool as.
    pub fn tool_name(&self, upstream: usize, name: &str) -> String {
        let whole = format!("{}{name}", self.prefix(upstream));
        match self.longest_name {
            Some(most) => shortened(whole, most),
            None => whole,
        }
    }

    /// What clients know an entry as.
    pub fn name_of(&self, kind: Kind, upstream: usize, name: &str) -> String {
        match kind {
            Kind::Tool => self.tool_name(upstream, name),
            Kind::Prompt => format!("{}{name}", self.prefix(upstream)),
            Kind::Resource => self.shown(upstream, name),
            Kind::Template => {
                let mut others =
                    self.definitions.range(all(Kind::Template)).filter(|((_, other), _)| *other != upstream);
                let is_theirs = |(_, templates): (_, &Vec<(String, String)>)| {
                    templates.iter().any(|(template, _)| template == name)
                };
                let stays = !is_page(name) && self.labels.remove(name).is_none() && !others.any(is_theirs);
                if stays { name.to_owned() } else { self.labels.add(upstream, name) }
            }
        }
    }

    /// Brings the entries of one kind of the bridge's own server to what all lists say. A change in one list may change what an entry
    /// of another is known as.
    fn offer(&mut self, server: &Server, list: &List) {
        let mut wanted = Vec::new();
        let mut texts = HashMap::new();
        for ((_, upstream), entries) in self.definitions.range(all(list.kind)) {
            for (name, definition) in entries {
                let shown = self.name_of(list.kind, *upstream, name);
                let mut text = Cow::Borrowed(definition.as_str());
                if shown != *name {
                    text = Cow::Owned(with(&text, list.key, &quote(&shown)));
                }
                if self.has_labels() {
                    text = Cow::Owned(in_definition(&text, &|uri| self.shown(*upstream, uri)).into_owned());
                }
                // A server that lists an entry twice has it once.
                if let Vacant(place) = texts.entry(shown.clone()) {
                    place.insert((*upstream, text.clone().into_owned()));
                    wanted.push((shown, *upstream, name.clone(), text.into_owned()));
                }
            }
        }
        let is_gone =
            |key: &(Kind, String), is: &(usize, String)| key.0 == list.kind && texts.get(&key.1) != Some(is);
        let gone = self.offered.iter().filter(|(key, is)| is_gone(key, is)).map(|(key, _)| key.clone());
        for key in gone.collect::<Vec<_>>() {
            self.offered.remove(&key);
            if self.routes.remove(&key).is_some() {
                server.remove(key.0, &key.1);
            }
        }
        for (shown, upstream, name, text) in wanted {
            let key = (list.kind, shown);
            if self.offered.contains_key(&key) {
                continue;
            }
            let is_found = list.kind == Kind::Tool
                && self.search.as_ref().is_some_and(|search| !search.lists(upstream, &name, &text));
            let added = if is_found { Ok(()) } else { server.add(list.entry, &text, Handler::queue()) };
            match added {
                Ok(()) => {
                    let support = member(&text, "execution").and_then(|it| member(it, "taskSupport"));
                    let support = support.and_then(string);
                    let may_be_task = matches!(support.as_deref(), Some("optional" | "required"));
                    self.routes.insert(key.clone(), Route { upstream, name, may_be_task });
                }
                Err(error) => {
                    Screen::said(format!("'{}' is left out: {}", one_line(&key.1), one_line(&error.message)));
                }
            }
            self.offered.insert(key, (upstream, text));
        }
    }
}

/// Characters that a digest adds to a name that was shortened, with the `_` before it.
const DIGEST: usize = 9;

/// A name as hosts take it: of ASCII letters, digits, `_` and `-`, and not longer than `most`. Another one gets a digest of the whole
/// name at its end, so that it is the same one in each run, whatever else the servers have.
fn shortened(name: String, most: usize) -> String {
    let is_taken = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    if name.len() <= most && name.chars().all(is_taken) {
        return name;
    }
    let beginning = name.chars().map(|c| if is_taken(c) { c } else { '_' }).take(most.saturating_sub(DIGEST));
    let mut short: String = beginning.collect();
    short.push('_');
    short.extend(crate::folders::sha256(name.as_bytes()).chars().take(DIGEST - 1));
    short
}

/// The lists of one kind.
fn all(kind: Kind) -> RangeInclusive<(Kind, usize)> {
    (kind, 0)..=(kind, usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::super::lists::LISTS;
    use super::super::pin::entries;
    use super::*;

    fn server() -> Server {
        Server::new(r#"{"name":"x"}"#, None).expect("a server")
    }

    fn catalog(names: &[&str]) -> Catalog {
        Catalog::new(&names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>())
    }

    fn resources(uris: &[&str]) -> String {
        let entries = uris.iter().map(|uri| format!(r#"{{"name":"n","uri":"{uri}"}}"#));
        format!("{{\"resources\":[{}]}}", entries.collect::<Vec<_>>().join(","))
    }

    fn templates(uris: &[&str]) -> String {
        let entries = uris.iter().map(|uri| format!(r#"{{"name":"n","uriTemplate":"{uri}"}}"#));
        format!("{{\"resourceTemplates\":[{}]}}", entries.collect::<Vec<_>>().join(","))
    }

    /// Takes over a list: of which server, and which one.
    fn take(catalog: &mut Catalog, server: &Server, (of, list): (usize, usize), result: &str) -> bool {
        catalog.take(server, of, &LISTS[list], entries(&LISTS[list], result))
    }

    /// What clients see of one kind, and whose it is.
    fn offered(catalog: &Catalog, of: Kind) -> Vec<(&str, usize)> {
        let all = catalog.routes.iter().filter(|((kind, _), _)| *kind == of);
        all.map(|((_, name), route)| (name.as_str(), route.upstream)).collect()
    }

    fn one(upstream: usize, uri: &str) -> Whose {
        Whose::One(upstream, uri.to_owned())
    }

    #[test]
    fn entries_get_prefixes_and_know_whose_they_are() {
        let (server, mut catalog) = (server(), catalog(&["a", "b"]));
        let tools = r#"{"tools":[{"name":"add","inputSchema":{"type":"object"},"execution":{"taskSupport":"optional"}}]}"#;
        assert!(take(&mut catalog, &server, (0, 0), tools));
        assert!(take(&mut catalog, &server, (1, 0), tools));
        let route = catalog.route(Kind::Tool, "b__add").expect("there");
        assert_eq!(route, &Route { upstream: 1, name: "add".to_owned(), may_be_task: true });
        assert!(!take(&mut catalog, &server, (1, 0), tools), "the same list changes nothing");
        assert!(take(&mut catalog, &server, (1, 0), r#"{"tools":[]}"#));
        assert_eq!(offered(&catalog, Kind::Tool), [("a__add", 0)]);
    }

    #[test]
    fn names_that_hosts_do_not_take_get_a_digest_that_is_always_the_same() {
        let long = "x".repeat(70);
        for (name, most, short) in [
            ("add", 64, "add"),
            (&long[..64], 64, &long[..64]),
            (&long, 64, "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx_c71bd109"),
            (&long, 60, "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx_c71bd109"),
            ("a.b/c", 64, "a_b_c_fc7cd9c4"),
            ("é", 64, "__4a99557e"),
        ] {
            let made = shortened(name.to_owned(), most);
            assert_eq!(made, short);
            assert!(made.len() <= most);
            assert_eq!(shortened(made.clone(), most), made, "a name that is taken stays");
        }
        assert_ne!(shortened("a.b".to_owned(), 64), shortened("a/b".to_owned(), 64));
        let (server, mut catalog) = (server(), catalog(&["a", "b"]));
        catalog.longest_name = Some(20);
        let tools = r#"{"tools":[{"name":"a_name_that_is_long","inputSchema":{"type":"object"}}]}"#;
        take(&mut catalog, &server, (1, 0), tools);
        let [(name, 1)] = offered(&catalog, Kind::Tool)[..] else { panic!("{catalog:?}") };
        assert!(name.starts_with("b__a_name_t") && name.len() == 20, "{name}");
        assert_eq!(catalog.route(Kind::Tool, name).map(|it| it.name.as_str()), Some("a_name_that_is_long"));
        assert_eq!(catalog.route(Kind::Tool, "b__a_name_that_is_long"), None);
    }

    #[test]
    fn a_resource_is_found_by_its_uri_or_by_a_template() {
        let (server, mut catalog) = (server(), catalog(&["only"]));
        take(&mut catalog, &server, (0, 1), &resources(&["demo://a", "ui://a", "only+x:y"]));
        take(&mut catalog, &server, (0, 2), &templates(&["demo://of/{x}"]));
        for uri in ["demo://a", "demo://of/7", "ui://a", "only+x:y"] {
            assert_eq!(catalog.resource(uri), one(0, uri), "with one server a URI stays what it is");
            assert_eq!(catalog.shown(0, uri), uri);
        }
        assert_eq!(catalog.resource("demo://other"), Whose::Unlisted);
    }

    #[test]
    fn what_two_servers_have_names_its_server_as_long_as_two_have_it() {
        let (server, mut catalog) = (server(), catalog(&["a", "b", "c"]));
        take(&mut catalog, &server, (0, 1), &resources(&["x:1", "x:2"]));
        take(&mut catalog, &server, (1, 1), &resources(&["x:1", "x:3"]));
        assert_eq!(offered(&catalog, Kind::Resource), [("a+x:1", 0), ("b+x:1", 1), ("x:2", 0), ("x:3", 1)]);
        assert_eq!(catalog.resource("a+x:1"), one(0, "x:1"));
        assert_eq!(catalog.resource("b+x:1"), one(1, "x:1"));
        assert_eq!(catalog.resource("x:1"), Whose::Several(vec!["a+x:1".to_owned(), "b+x:1".to_owned()]));
        assert_eq!(catalog.resource("x:3"), one(1, "x:3"));
        assert_eq!(catalog.resource("b+x:3"), Whose::Unlisted, "it is known by one name only");
        // What another server says of it means its own.
        assert_eq!(catalog.shown(2, "x:3"), "c+x:3");
        assert_eq!(catalog.resource("c+x:3"), one(2, "x:3"));
        assert_eq!([1, 2].map(|upstream| catalog.has_resource(upstream, "x:3")), [true, false]);
        assert_eq!(catalog.shown(2, "x:4"), "x:4", "no server has it");
        assert!(take(&mut catalog, &server, (1, 1), &resources(&["x:3"])));
        assert_eq!(offered(&catalog, Kind::Resource), [("x:1", 0), ("x:2", 0), ("x:3", 1)]);
        assert_eq!(catalog.resource("x:1"), one(0, "x:1"));
    }

    #[test]
    fn no_server_takes_a_name_that_stands_for_another() {
        let (server, mut catalog) = (server(), catalog(&["a", "b"]));
        take(&mut catalog, &server, (0, 1), &resources(&["ui://x", "x:1"]));
        take(&mut catalog, &server, (1, 1), &resources(&["ui://a/x", "a+x:1", "x:1"]));
        assert_eq!(
            offered(&catalog, Kind::Resource),
            [("a+x:1", 0), ("b+a+x:1", 1), ("b+x:1", 1), ("ui://a/x", 0), ("ui://b/a/x", 1)]
        );
        assert_eq!(catalog.resource("ui://b/a/x"), one(1, "ui://a/x"));
        assert_eq!(catalog.resource("ui://a/unlisted"), one(0, "ui://unlisted"), "pages need no list");
        assert_eq!(catalog.resource("ui://x"), Whose::Unlisted);
    }

    #[test]
    fn templates_of_several_servers_are_kept_apart() {
        let (server, mut catalog) = (server(), catalog(&["a", "b"]));
        take(&mut catalog, &server, (0, 2), &templates(&["x:/{n}", "ui://p/{n}", "y:/{n}"]));
        take(&mut catalog, &server, (1, 2), &templates(&["x:/{n}", "y:/{+n}"]));
        assert_eq!(
            offered(&catalog, Kind::Template),
            [("a+x:/{n}", 0), ("b+x:/{n}", 1), ("ui://a/p/{n}", 0), ("y:/{+n}", 1), ("y:/{n}", 0)]
        );
        assert_eq!(catalog.resource("b+x:/1"), one(1, "x:/1"));
        assert_eq!(catalog.shown(1, "x:/1"), "b+x:/1");
        // Two templates that fit: which one the client meant is not known.
        assert!(matches!(catalog.resource("y:/1"), Whose::Several(_)));
        assert_eq!(catalog.resource("a+y:/1"), one(0, "y:/1"));
        assert_eq!(catalog.resource("y:/1/2"), one(1, "y:/1/2"));
        // A list says more than a template.
        take(&mut catalog, &server, (0, 1), &resources(&["y:/1"]));
        assert_eq!(catalog.resource("y:/1"), one(0, "y:/1"));
        assert_eq!(catalog.shown(1, "y:/1"), "b+y:/1");
    }

    #[test]
    fn a_tool_names_the_page_of_its_own_server() {
        let (server, mut catalog) = (server(), catalog(&["a", "b"]));
        let tools = r#"{"tools":[{"name":"t","inputSchema":{"type":"object"},"_meta":{"ui":{"resourceUri":"ui://p"}}},{"name":"PLAIN","inputSchema":{"type":"object"}}]}"#;
        take(&mut catalog, &server, (0, 0), &tools.replace("PLAIN", "only"));
        take(&mut catalog, &server, (1, 0), tools);
        for (name, page) in [("a__t", "ui://a/p"), ("b__t", "ui://b/p")] {
            let (_, text) = &catalog.offered[&(Kind::Tool, name.to_owned())];
            assert_eq!(page_of(text).as_deref(), Some(page));
        }
        assert_eq!(catalog.of_page("only").expect("one").map(|route| route.upstream), Some(0));
        assert_eq!(catalog.of_page("t").expect_err("two"), ["a__t", "b__t"]);
        assert_eq!(catalog.of_page("nothing").expect("none"), None);
    }
}
