//! Which tools' definitions were seen. Over modern HTTP some arguments of a call go into headers, as the tool's schema says
//! (2026-07-28 `basic/transports/streamable-http`), and with tool modes a definition says how calls follow one another: a call
//! of an unknown tool lists the tools first. One that the server refuses because its headers do not match lists them anew, once.

use super::calls::{Call, Stored};
use super::counters::Level;
use super::effect::{Body, State};
use super::modes::Stateful;
use super::settings::Wire;
use super::{Engine, Exchange, Feature, fields};
use crate::json;
use crate::protocol::envelope::text;
use crate::protocol::task::{self, Support};
use crate::protocol::{Era, ParamsBuf, feature, write};
use std::collections::{HashMap, VecDeque};
use std::time::Instant;

/// Tools remembered; calls of further ones list the tools each time.
const TOOLS: usize = 100_000;
/// Pages followed for one call.
const PAGES: u32 = 100;

/// The tools whose definitions are known.
#[derive(Default, Debug)]
pub(super) struct KnownTools {
    names: HashMap<Box<str>, Support>,
    /// Every page was seen, so a tool that is not among them is not there.
    complete: bool,
    /// Calls that wait for the list that is being fetched for one of them.
    waiting: VecDeque<u64>,
    pages: u32,
    /// The request of that list which is under way, and when the list was begun.
    listing: Option<(u64, Instant)>,
    /// When the server last said that the list changed. What was asked for before is stale.
    changed: Option<Instant>,
    /// Whether that request waits for somebody who logs in.
    logs_in: bool,
    /// Which tools are stateful, by a list that was followed from its first page on.
    fresh: Option<Stateful>,
}

/// Whether these parameters ask for a further page of a list.
pub(super) fn has_cursor(params: &str) -> bool {
    json::member(params, "cursor").is_some_and(|cursor| cursor != "null")
}

impl KnownTools {
    /// Whether a tool is called as a task; one that is not in the list is not.
    pub(super) fn support(&self, name: &str) -> Support {
        self.names.get(name).copied().unwrap_or_default()
    }

    /// The list is stale.
    pub(super) fn forget(&mut self) {
        self.names.clear();
        self.complete = false;
        self.fresh = None;
    }

    /// The server says that the list changed.
    pub(super) fn changed(&mut self, now: Instant) {
        self.forget();
        self.changed = Some(now);
    }

    /// The calls that were not sent yet.
    pub(super) fn those_that_wait(&self) -> Vec<u64> {
        self.waiting.iter().copied().collect()
    }

    /// Nobody answers on that connection any more, and the next server may be another one.
    pub(super) fn connection_ended(&mut self) {
        *self = KnownTools::default();
    }
}

impl<T> Engine<T> {
    /// Whether this call needs to know its tool's definition.
    fn needs_definition(&self, id: u64) -> bool {
        let for_headers = self.settings.wire == Wire::Http && self.era == Some(Era::Modern);
        let for_all = self.settings.tool_modes.is_some() || for_headers;
        if !for_all && self.settings.tasks.is_none() {
            return false;
        }
        self.calls.get(id).is_some_and(|call| {
            let for_tasks = || call.feature != Feature::Raw && self.has_core_tasks();
            call.method == feature::TOOLS_CALL && (for_all || for_tasks())
        })
    }

    /// What an outcome changes in what the engine knows.
    pub(super) fn learn(&mut self, call: &Call<T>, body: &Body) {
        if let Some(params) = call.stored.as_ref().and_then(Stored::text)
            && call.row.is_some_and(|row| row.is_restored)
        {
            self.restore.note(&call.method, params);
        }
        if self.safe_tools.wanted && call.method == "tools/list" {
            self.safe_tools.note(text(&body.frame, body.json));
        }
        if call.method == "tools/list" {
            let params = call.stored.as_ref().and_then(Stored::text);
            let begins = !params.is_some_and(has_cursor);
            self.note_tools(text(&body.frame, body.json), begins, call.started, false);
        }
    }

    /// A page of `tools/list` came, the first one or a further one of a list that was asked for at that time, by the library
    /// itself (`own`) or the application.
    pub(super) fn note_tools(&mut self, result: &str, begins: bool, asked: Instant, own: bool) {
        let modes = self.settings.tool_modes.is_some();
        if self.settings.wire != Wire::Http && !modes && self.settings.tasks.is_none() {
            return;
        }
        let stale = modes && self.tools.changed.is_some_and(|changed| asked <= changed);
        // The application's pages are no part of the list that the library follows.
        let counts = own || self.tools.listing.is_none();
        if counts && (begins || stale) {
            self.tools.fresh = (modes && !stale).then(Stateful::default);
        }
        let tools =
            json::member(result, "tools").filter(|tools| json::kind(tools) == Some(json::Kind::Array));
        for tool in json::elements(tools.unwrap_or("[]")) {
            let Some(name) = json::member(tool, "name").and_then(json::string) else { continue };
            if self.tools.names.len() < TOOLS && !stale {
                self.tools.names.insert(name.as_ref().into(), task::support(tool));
            }
            if modes {
                self.note_mode(&name, tool);
                if let Some(fresh) = self.tools.fresh.as_mut().filter(|_| counts) {
                    fresh.note(&name, tool);
                }
            }
        }
        if counts
            && json::member(result, "nextCursor").is_none_or(|cursor| cursor == "null")
            && let Some(fresh) = self.tools.fresh.take()
        {
            self.replace_modes(fresh);
            self.tools.complete = true;
        }
        self.require_session();
    }

    /// Whether a call has to wait for the list of tools, which is then asked for.
    pub(super) fn lists_first(&mut self, now: Instant, id: u64, params: Option<&str>) -> bool {
        // With every tool known and nobody in line there is nothing to look at, which is so for nearly every call.
        let is_settled = self.tools.complete && self.tools.waiting.is_empty();
        if is_settled || !self.needs_definition(id) || self.cannot_list() {
            return false;
        }
        let behind = !self.tools.waiting.is_empty() && self.keeps_order(params);
        let name = params.and_then(|params| json::member(params, "name")).and_then(json::string);
        let unknown =
            !self.tools.complete && name.is_some_and(|name| !self.tools.names.contains_key(name.as_ref()));
        if unknown || behind {
            self.wait_for_tools(now, id);
        }
        unknown || behind
    }

    /// Whether the server has no list of tools, as far as one can tell.
    fn cannot_list(&self) -> bool {
        let capabilities = self.facts.capabilities.as_deref().unwrap_or("{}");
        self.settings.wire != Wire::Http && !feature::has(capabilities, "/tools")
    }

    /// Lists the tools again for a call whose headers did not match. Says whether it does: once for each call.
    pub(super) fn list_anew(&mut self, now: Instant, id: u64) -> bool {
        if self.settings.wire != Wire::Http || self.era != Some(Era::Modern) {
            return false;
        }
        let Some(call) = self.calls.get(id) else { return false };
        let is_task = self.tasks.holds(id);
        if call.method != "tools/call" || call.listed_anew || call.stored.is_none() || is_task {
            return false;
        }
        self.calls.list_again(id);
        self.tools.forget();
        self.log(Level::Info, "tools.listed_anew", || fields([("call", id.into())]));
        self.wait_for_tools(now, id);
        true
    }

    fn wait_for_tools(&mut self, now: Instant, id: u64) {
        let first = self.tools.waiting.is_empty();
        self.tools.waiting.push_back(id);
        if first {
            self.tools.pages = 0;
            self.ask_for_tools(now, id, None);
        } else if self.tools.logs_in {
            self.stop_time(now, id, true);
        }
    }

    /// Whoever waits for the list waits for the login that it needs.
    pub(super) fn list_waits_for_login(&mut self, now: Instant, waits: bool) {
        self.tools.logs_in = waits;
        for id in self.tools.those_that_wait() {
            self.stop_time(now, id, waits);
        }
        self.sweep_deadlines();
    }

    /// Whether a call waits for the list of tools.
    pub(super) fn awaits_tools(&self, id: u64) -> bool {
        self.tools.waiting.contains(&id)
    }

    /// A call has ended: it waits for no list. One that nobody waits for is not wanted, and the next call asks anew.
    pub(super) fn stop_listing(&mut self, id: u64) {
        let Some(at) = self.tools.waiting.iter().position(|waiting| *waiting == id) else { return };
        self.tools.waiting.remove(at);
        let Some((exchange, _)) = self.tools.listing.filter(|_| self.tools.waiting.is_empty()) else {
            return;
        };
        self.tools.listing = None;
        self.end_exchange(exchange);
        let by_closing = self.settings.wire == Wire::Http && self.era == Some(Era::Modern);
        if self.state == State::Ready && !by_closing {
            self.send(write::cancelled(exchange, "no longer needed"));
        }
    }

    /// Asks for a page of the list that was begun at that time.
    fn ask_for_tools(&mut self, begun: Instant, call: u64, cursor: Option<&str>) {
        let exchange = self.exchanges.begin(Exchange::Tools(call));
        self.tools.listing = Some((exchange, begun));
        self.tools.logs_in = false;
        let params =
            cursor.map(|cursor| ParamsBuf::written(feature::TOOLS_LIST, format!("{{\"cursor\":{cursor}}}")));
        let params = params.as_ref().map(ParamsBuf::view);
        self.send(write::request(exchange, feature::TOOLS_LIST, params, &self.members));
    }

    /// A page of the list came that was asked for here.
    pub(super) fn tools_listed(&mut self, now: Instant, call: u64, result: &str) {
        let begun = self.tools.listing.take().map_or(now, |(_, begun)| begun);
        self.note_tools(result, self.tools.pages == 0, begun, true);
        self.tools.pages += 1;
        let cursor = json::member(result, "nextCursor")
            .filter(|cursor| json::kind(cursor) == Some(json::Kind::String));
        match cursor {
            Some(cursor) if self.tools.pages < PAGES => {
                let cursor = cursor.to_owned();
                self.ask_for_tools(begun, call, Some(&cursor));
            }
            Some(_) => self.send_those_that_listed(now),
            None => {
                // With tool modes it is complete by having been followed from its first page on.
                let is_current = self.tools.changed.is_none_or(|changed| begun > changed);
                self.tools.complete |= is_current && self.settings.tool_modes.is_none();
                self.send_those_that_listed(now);
            }
        }
    }

    /// The list cannot be had. The calls are sent all the same: the server says what it thinks of them.
    pub(super) fn tools_failed(&mut self, now: Instant, call: u64, why: &str) {
        self.tools.listing = None;
        self.log(Level::Warn, "tools.not_listed", || fields([("call", call.into()), ("error", why.into())]));
        self.send_those_that_listed(now);
    }

    fn send_those_that_listed(&mut self, now: Instant) {
        for id in std::mem::take(&mut self.tools.waiting) {
            let waits = self.calls.get(id).filter(|call| call.exchange.is_none() && !self.tasks.holds(id));
            let Some(stored) = waits.and_then(|call| call.stored.as_ref()) else { continue };
            let params = stored.params.clone();
            let params = params.as_ref().map(ParamsBuf::view);
            if self.may_go_out(now, id, params)
                && self.takes_turn(now, id, params.map(|params| params.text()))
            {
                self.write_stored(id);
            }
        }
    }
}
