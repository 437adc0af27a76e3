//! Which tools the transport has seen the schema of. Over modern HTTP some arguments of a call go into headers, as the tool's
//! schema says (2026-07-28 `basic/transports/streamable-http`): a call of an unknown tool lists the tools first, and one that the
//! server refuses because its headers do not match lists them anew, once.

use super::counters::Level;
use super::effect::Effect;
use super::settings::Wire;
use super::{Engine, Exchange, Feature, fields};
use crate::json;
use crate::protocol::task::{self, Support};
use crate::protocol::{Era, Params, write};
use std::collections::{HashMap, VecDeque};
use std::time::Instant;

/// Tools remembered; calls of further ones list the tools each time.
const TOOLS: usize = 100_000;
/// Pages followed for one call.
const PAGES: u32 = 100;

/// The tools whose schema the transport knows.
#[derive(Default, Debug)]
pub(super) struct KnownTools {
    names: HashMap<Box<str>, Support>,
    /// Every page was seen, so a tool that is not among them is not there.
    complete: bool,
    /// Calls that wait for the list that is being fetched for one of them.
    waiting: VecDeque<u64>,
    pages: u32,
}

impl KnownTools {
    /// Whether a tool is called as a task; one that is not in the list is not.
    pub(super) fn support(&self, name: &str) -> Support {
        self.names.get(name).copied().unwrap_or_default()
    }

    /// The connection has ended, and with it the list that was asked for.
    pub(super) fn nobody_waits(&mut self) {
        self.waiting.clear();
    }

    /// The list is stale.
    pub(super) fn forget(&mut self) {
        self.names.clear();
        self.complete = false;
    }
}

impl<T> Engine<T> {
    /// A page of `tools/list` came.
    pub(super) fn note_tools(&mut self, result: &str) {
        if self.settings.wire != Wire::Http && self.settings.tasks.is_none() {
            return;
        }
        let tools =
            json::member(result, "tools").filter(|tools| json::kind(tools) == Some(json::Kind::Array));
        for tool in json::elements(tools.unwrap_or("[]")) {
            let Some(name) = json::member(tool, "name").and_then(json::string) else { continue };
            if self.tools.names.len() < TOOLS {
                self.tools.names.insert(name.as_ref().into(), task::support(tool));
            }
        }
    }

    /// Whether a call has to wait for the list of tools, which is then asked for.
    pub(super) fn lists_first(&mut self, id: u64, params: Option<Params<'_>>) -> bool {
        let Some(call) = self.calls.get(&id) else { return false };
        let for_headers = self.settings.wire == Wire::Http && self.era == Some(Era::Modern);
        let for_tasks = call.feature != Feature::Raw && self.has_core_tasks();
        let is_call = call.method == "tools/call" && (for_headers || for_tasks);
        if !is_call || self.tools.complete {
            return false;
        }
        let name = params.and_then(|params| json::member(params.text(), "name")).and_then(json::string);
        let Some(name) = name.filter(|name| !self.tools.names.contains_key(name.as_ref())) else {
            return false;
        };
        drop(name);
        self.wait_for_tools(id);
        true
    }

    /// Lists the tools again for a call whose headers did not match. Says whether it does: once for each call.
    pub(super) fn list_anew(&mut self, id: u64) -> bool {
        if self.settings.wire != Wire::Http || self.era != Some(Era::Modern) {
            return false;
        }
        let Some(call) = self.calls.get_mut(&id) else { return false };
        let is_task = self.tasks.holds(id);
        if call.method != "tools/call" || call.listed_anew || call.stored.is_none() || is_task {
            return false;
        }
        call.listed_anew = true;
        call.exchange = None;
        self.tools.forget();
        self.log(Level::Info, "tools.listed_anew", || fields([("call", id.into())]));
        self.wait_for_tools(id);
        true
    }

    fn wait_for_tools(&mut self, id: u64) {
        let first = self.tools.waiting.is_empty();
        self.tools.waiting.push_back(id);
        if first {
            self.tools.pages = 0;
            self.ask_for_tools(id, None);
        }
    }

    fn ask_for_tools(&mut self, call: u64, cursor: Option<&str>) {
        let exchange = self.next_exchange;
        self.next_exchange += 1;
        self.exchanges.insert(exchange, Exchange::Tools(call));
        let params = cursor.map(|cursor| format!("{{\"cursor\":{cursor}}}"));
        let mut frame = Vec::new();
        // The cursor was checked with the frame it came in.
        let params = params.as_deref().and_then(|text| Params::check(text, usize::MAX).ok());
        write::request(&mut frame, exchange, "tools/list", params, &self.members);
        self.effects.push_back(Effect::Send { frame, exchange: Some(exchange) });
    }

    /// A page of the list came that was asked for here.
    pub(super) fn tools_listed(&mut self, now: Instant, call: u64, result: &str) {
        self.note_tools(result);
        self.tools.pages += 1;
        let cursor = json::member(result, "nextCursor")
            .filter(|cursor| json::kind(cursor) == Some(json::Kind::String));
        match cursor {
            Some(cursor) if self.tools.pages < PAGES => {
                let cursor = cursor.to_owned();
                self.ask_for_tools(call, Some(&cursor));
            }
            Some(_) => self.send_those_that_listed(now),
            None => {
                self.tools.complete = true;
                self.send_those_that_listed(now);
            }
        }
    }

    /// The list cannot be had. The calls are sent all the same: the server says what it thinks of them.
    pub(super) fn tools_failed(&mut self, now: Instant, call: u64, why: &str) {
        self.log(Level::Warn, "tools.not_listed", || fields([("call", call.into()), ("error", why.into())]));
        self.send_those_that_listed(now);
    }

    fn send_those_that_listed(&mut self, now: Instant) {
        for id in std::mem::take(&mut self.tools.waiting) {
            let waits = self.calls.get(&id).filter(|call| call.exchange.is_none() && !self.tasks.holds(id));
            let Some(stored) = waits.and_then(|call| call.stored.as_ref()) else { continue };
            let params = stored.params.clone();
            // Checked when the call was made.
            let params = params.as_deref().and_then(|text| Params::check(text, usize::MAX).ok());
            if self.may_go_out(now, id, params) {
                self.write_stored(id);
            }
        }
    }
}
