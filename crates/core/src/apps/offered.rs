//! The tools that a view offers to its host (draft of MCP Apps, "App-provided tools"): off, unless the host names a prefix for them.
//!
//! They are a stranger's, like the view: their names cannot be those of the server's tools, their number and their results have bounds,
//! and they are there as long as the view is. The host bounds the time: this module has no clock.

use crate::json::{self, Kind, elements, member, string};
use crate::protocol::lenient;
use crate::sorted::SortedMap;
use std::borrow::Cow;

/// The tools of a view, the pages of their list, and the calls of them whose outcome the host has not taken.
pub(super) const TOOLS: usize = 50;
const PAGES: usize = 50;
pub(super) const CALLS: usize = 8;
/// The bytes of a definition.
const DEFINITION_BYTES: usize = 64 << 10;
/// The bytes of a name with its prefix: what the interfaces of models take.
const NAME_BYTES: usize = 64;
const PREFIX_BYTES: usize = 24;

/// One tool: its name in the view, and what it promises of its results.
#[derive(Debug)]
struct Tool {
    name: String,
    output: Option<String>,
}

/// A list that is being asked for.
#[derive(Debug, Default)]
struct Listing {
    /// The id of the request under way.
    id: u64,
    pages: usize,
    definitions: Vec<String>,
    tools: SortedMap<String, Tool>,
    /// Whether it changed meanwhile.
    again: bool,
}

/// What a page of the list came to.
pub(super) enum Page {
    /// Ask for the next one, with these parameters.
    Next(String),
    /// The list is whole: an array, unless the host knows it. Whether to ask for it again.
    Whole(Option<String>, bool),
}

/// The tools of one view.
#[derive(Debug, Default)]
pub(super) struct Offered {
    /// What the host puts before their names. `None`: it wants none of them.
    prefix: Option<String>,
    /// Whether the view has tools, since its page was loaded.
    is_declared: bool,
    listing: Option<Listing>,
    tools: SortedMap<String, Tool>,
    /// What the host was told last.
    told: String,
    /// The calls under way, by the id that the view has: the host's number, and what the tool promised of its results then. The list may
    /// be another one when the answer comes.
    calls: SortedMap<u64, (u64, Option<String>)>,
}

impl Offered {
    /// With the prefix of the settings.
    pub fn of(prefix: Option<&str>) -> Result<Offered, String> {
        let Some(prefix) = prefix else { return Ok(Offered::default()) };
        let text = string(prefix).unwrap_or_default();
        if text.is_empty() || text.len() > PREFIX_BYTES || !text.bytes().all(is_of_name) {
            return Err(format!(
                "'appTools' is what the names of the view's tools begin with: 1 to {PREFIX_BYTES} letters, digits, '_' and '-'"
            ));
        }
        Ok(Offered { prefix: Some(text.into_owned()), told: "[]".to_owned(), ..Offered::default() })
    }

    /// The page was answered: its capabilities.
    pub fn declared(&mut self, capabilities: &str) {
        self.is_declared = lenient::object(capabilities, "tools").is_some();
    }

    /// Whether to ask for the list now: the view is ready, or said that it changed.
    pub fn wants_list(&mut self) -> bool {
        if let Some(listing) = &mut self.listing {
            listing.again = true;
            return false;
        }
        self.prefix.is_some() && self.is_declared
    }

    /// The list is asked for, with this id.
    pub fn asked(&mut self, id: u64) {
        let listing = self.listing.get_or_insert_with(Listing::default);
        listing.id = id;
        listing.pages += 1;
    }

    /// Whether an id is that of the list.
    pub fn is_list(&self, id: u64) -> bool {
        self.listing.as_ref().is_some_and(|listing| listing.id == id)
    }

    /// Takes a page. `is_taken` says of a name that the server has it. Warnings go to `warn`.
    pub fn page(
        &mut self,
        result: Option<&str>,
        is_taken: impl Fn(&str) -> bool,
        mut warn: impl FnMut(String),
    ) -> Page {
        let prefix = self.prefix.clone().unwrap_or_default();
        let Some(listing) = &mut self.listing else { return Page::Whole(None, false) };
        if result.is_none() {
            warn("the view did not say which tools it has".to_owned());
        }
        let result = result.unwrap_or("{}");
        let page = lenient::list(result, "tools").unwrap_or(Cow::Borrowed("[]"));
        let mut left_out = 0;
        for tool in elements(&page) {
            match usable(tool, &prefix).filter(|(name, ..)| {
                listing.tools.len() < TOOLS && !listing.tools.contains_key(name) && !is_taken(name)
            }) {
                Some((name, definition, tool)) => {
                    listing.definitions.push(definition);
                    listing.tools.insert(name, tool);
                }
                None => left_out += 1,
            }
        }
        if left_out > 0 {
            warn(format!(
                "{left_out} tools of the view are left out: more than {TOOLS}, a name twice or the server's, a name of other than \
                 letters, digits, '_' and '-' or of more than {NAME_BYTES} bytes, or no usable definition"
            ));
        }
        let next = member(result, "nextCursor").filter(|it| json::kind(it) == Some(Kind::String));
        if let Some(cursor) =
            next.filter(|it| it.len() <= 1024 && listing.pages < PAGES && listing.tools.len() < TOOLS)
        {
            return Page::Next(format!("{{\"cursor\":{cursor}}}"));
        }
        let listing = self.listing.take().unwrap_or_default();
        let definitions = format!("[{}]", listing.definitions.join(","));
        self.tools = listing.tools;
        let is_new = definitions != self.told;
        self.told.clone_from(&definitions);
        Page::Whole(is_new.then_some(definitions), listing.again)
    }

    /// Takes out the tools whose names the server has now, also of a list that is coming. Gives the list for the host, if it is another
    /// one, and the names that the host knew.
    pub fn without(&mut self, is_taken: impl Fn(&str) -> bool) -> (Option<String>, Vec<String>) {
        let is_left = |definition: &str| {
            member(definition, "name").and_then(string).is_none_or(|name| !is_taken(&name))
        };
        if let Some(listing) = &mut self.listing {
            listing.tools.retain(|name, _| !is_taken(name));
            listing.definitions.retain(|definition| is_left(definition));
        }
        let taken: Vec<String> = self.tools.keys().filter(|name| is_taken(name)).cloned().collect();
        if taken.is_empty() {
            return (None, taken);
        }
        self.tools.retain(|name, _| !is_taken(name));
        let left: Vec<&str> = elements(&self.told).filter(|definition| is_left(definition)).collect();
        self.told = format!("[{}]", left.join(","));
        (Some(self.told.clone()), taken)
    }

    /// The parameters of a call for the view, of the name that the host knows.
    pub fn call(&self, number: u64, name: &str, arguments: &str, unread: usize) -> Result<String, String> {
        let Some(tool) = self.tools.get(name) else {
            return Err(format!("the view has no tool '{name}' now"));
        };
        if self.calls.values().any(|(other, _)| *other == number) {
            return Err(format!("'call' is {number}, the number of a call under way"));
        }
        if self.calls.len() + unread >= CALLS {
            return Err(format!("{CALLS} calls of the view's tools are under way, or wait to be taken"));
        }
        Ok(format!("{{\"name\":{},\"arguments\":{arguments}}}", json::quote(&tool.name)))
    }

    /// A call was sent under this id.
    pub fn called(&mut self, id: u64, number: u64, name: &str) {
        let output = self.tools.get(name).and_then(|tool| tool.output.clone());
        self.calls.insert(id, (number, output));
    }

    /// Takes a call back: the id that the view has.
    pub fn cancel(&mut self, number: u64) -> Option<u64> {
        let id = self.calls.iter().find(|(_, (other, _))| *other == number).map(|(id, _)| *id)?;
        self.calls.remove(&id);
        Some(id)
    }

    /// The end of a call: the host's number, and the members of its outcome.
    pub fn answered(&mut self, id: u64, result: Option<&str>, error: Option<&str>) -> Option<(u64, String)> {
        let (number, output) = self.calls.remove(&id)?;
        let failed = |text: &str| format!("\"error\":{{\"code\":-32000,\"message\":{}}}", json::quote(text));
        let Some(result) = result.and_then(lenient::as_object) else {
            let text = error.and_then(|it| member(it, "message")).and_then(string);
            return Some((number, failed(&text.unwrap_or(Cow::Borrowed("the view gave no result")))));
        };
        if lenient::list(result, "content").is_none() {
            return Some((number, failed("the view's result has no 'content'")));
        }
        let is_error = member(result, "isError").is_some_and(|it| it == "true");
        if let Some(why) = output.filter(|_| !is_error).and_then(|output| mismatch(&output, result)) {
            return Some((
                number,
                failed(&format!("the view's result is not what its tool promises: {why}")),
            ));
        }
        let mut written = b"\"result\":".to_vec();
        json::one_line_into(result, &mut written);
        Some((number, String::from_utf8(written).unwrap_or_default()))
    }

    /// The view is gone, or was loaded again: the numbers of its calls, and whether the host knows tools of it.
    pub fn end(&mut self) -> (Vec<u64>, bool) {
        let numbers = std::mem::take(&mut self.calls).into_values().map(|(number, _)| number).collect();
        let had = !self.tools.is_empty();
        *self = Offered { prefix: self.prefix.take(), told: "[]".to_owned(), ..Offered::default() };
        (numbers, had)
    }
}

fn is_of_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-'
}

/// A tool for the host: its name there, its definition under that name.
fn usable(tool: &str, prefix: &str) -> Option<(String, String, Tool)> {
    if json::kind(tool) != Some(Kind::Object) || tool.len() > DEFINITION_BYTES || super::is_ambiguous(tool) {
        return None;
    }
    let own =
        member(tool, "name").and_then(string).filter(|it| !it.is_empty() && it.bytes().all(is_of_name))?;
    let name = format!("{prefix}__{own}");
    if name.len() > NAME_BYTES {
        return None;
    }
    let output = lenient::object(tool, "outputSchema").map(str::to_owned);
    let mut definition = Vec::with_capacity(tool.len());
    let schema = lenient::object(tool, "inputSchema").unwrap_or("{\"type\":\"object\"}");
    json::splice_into(tool, &[("name", &json::quote(&name)), ("inputSchema", schema)], &mut definition);
    let definition = String::from_utf8(definition).ok()?;
    Some((name, definition, Tool { name: own.into_owned(), output }))
}

/// Why a result is not what the schema of its tool says. A schema that cannot be used promises nothing.
#[cfg(feature = "schema")]
fn mismatch(schema: &str, result: &str) -> Option<String> {
    use crate::schema::{Bounds, Failure, Schema};
    let schema = Schema::new(&serde_json::from_str(schema).ok()?, Bounds::default()).ok()?;
    let Some(value) = member(result, "structuredContent") else {
        return Some("it has no 'structuredContent'".to_owned());
    };
    match schema.check(&serde_json::from_str(value).ok()?) {
        Err(Failure::Mismatch(mismatch)) => Some(mismatch.to_string()),
        Ok(()) | Err(Failure::Bound(_)) => None,
    }
}

#[cfg(not(feature = "schema"))]
fn mismatch(_schema: &str, _result: &str) -> Option<String> {
    None
}
