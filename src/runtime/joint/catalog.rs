//! What the server offered, and when: each name is added once and removed at most once, so that a list can be checked against
//! every moment between its request and its answer.

use super::world::World;
use crate::engine::server::Kind;
use crate::runtime::message::Handler;
use std::collections::{BTreeMap, BTreeSet};

/// When an entry was there, counted in steps.
#[derive(Clone, Copy, Debug)]
struct Life {
    from: u64,
    to: Option<u64>,
}

#[derive(Default, Debug)]
pub struct Catalog {
    entries: BTreeMap<(Kind, String), Life>,
}

impl Catalog {
    pub fn add(&mut self, kind: Kind, name: &str, step: u64) {
        let before = self.entries.insert((kind, name.to_owned()), Life { from: step, to: None });
        assert!(before.is_none(), "names are used once");
    }

    pub fn remove(&mut self, kind: Kind, name: &str, step: u64) {
        self.entries.get_mut(&(kind, name.to_owned())).expect("it is there").to = Some(step);
    }

    /// The entries that are there now.
    pub fn present(&self, kind: Kind) -> Vec<String> {
        let present = self.entries.iter().filter(|((of, _), life)| *of == kind && life.to.is_none());
        present.map(|((_, name), _)| name.clone()).collect()
    }

    /// What was there all the time from `since` to `now` is in the list, once; what was never there in that time is not.
    pub fn check(&self, kind: Kind, names: &[String], since: u64, now: u64) {
        let listed: BTreeSet<&String> = names.iter().collect();
        assert_eq!(listed.len(), names.len(), "listed twice: {names:?}");
        for ((_, name), life) in self.entries.iter().filter(|((of, _), _)| *of == kind) {
            let always = life.from < since && life.to.is_none_or(|to| to > now);
            let ever = life.from <= now && life.to.is_none_or(|to| to >= since);
            let is_listed = listed.contains(name);
            assert!(is_listed || !always, "{name} is missing in {names:?}");
            assert!(ever || !is_listed, "{name} was not there, but is in {names:?}");
        }
        let unknown = names.iter().find(|name| !self.entries.contains_key(&(kind, (*name).clone())));
        assert_eq!(unknown, None, "never offered");
    }
}

/// The definition of an entry.
pub fn definition(kind: Kind, name: &str) -> String {
    match kind {
        Kind::Tool => {
            let annotations = match name {
                "safe" => r#","annotations":{"readOnlyHint":true}"#,
                "task" => r#","execution":{"taskSupport":"optional"}"#,
                "long" => r#","execution":{"taskSupport":"required"}"#,
                _ => "",
            };
            format!(r#"{{"name":"{name}","inputSchema":{{"type":"object"}}{annotations}}}"#)
        }
        Kind::Resource => format!(r#"{{"name":"{name}","uri":"x://{name}"}}"#),
        Kind::Template => format!(r#"{{"name":"{name}","uriTemplate":"{name}://{{id}}"}}"#),
        Kind::Prompt => format!(r#"{{"name":"{name}"}}"#),
    }
}

impl World {
    /// Adds an entry to the server at hand; `again` for one that a server before it had.
    pub fn offer(&mut self, kind: Kind, name: &str, again: bool) {
        if !again {
            self.expect_list_change(kind);
        }
        let text = definition(kind, name);
        let added = self.server(|server, now| match kind {
            Kind::Tool => server.add_tool(now, &text, Handler::queue()),
            Kind::Resource => server.add_resource(now, &text, Handler::queue()),
            Kind::Template => server.add_template(now, &text, Handler::queue()),
            Kind::Prompt => server.add_prompt(now, &text, Handler::queue()),
        });
        added.expect("a good definition");
        if !again {
            self.catalog.add(kind, name, self.step);
        }
    }

    pub fn withdraw_offer(&mut self, kind: Kind, name: &str) {
        self.expect_list_change(kind);
        let key = match kind {
            Kind::Resource => format!("x://{name}"),
            Kind::Template => format!("{name}://{{id}}"),
            Kind::Tool | Kind::Prompt => name.to_owned(),
        };
        assert!(self.server(|server, now| server.remove(now, kind, &key)), "it is there");
        self.catalog.remove(kind, name, self.step);
    }
}
