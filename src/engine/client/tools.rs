//! Lists the tools for calls that need their definitions. Over modern HTTP some arguments of a call go into headers, as the tool's schema says
//! (2026-07-28 `basic/transports/streamable-http`), and with tool modes a definition says how calls follow one another: a call
//! of an unknown tool lists the tools first. One that the server refuses because its headers do not match lists them again, once.

use super::calls::{Call, Stored};
use super::counters::Level;
use super::effect::{Body, State};
use super::settings::Wire;
use super::tool_catalog::{Next, Page, Wait};
use super::{Engine, Exchange, Feature, fields};
use crate::protocol::envelope::text;
use crate::protocol::{Era, ParamsBuf, feature, given, method, write};
use std::time::Instant;

/// Whether these parameters ask for a further page of a list.
pub(super) fn has_cursor(params: &str) -> bool {
    given::member(params, "cursor").is_some()
}

impl<T> Engine<T> {
    /// Whether this call needs to know its tool's definition.
    fn needs_definition(&self, id: u64) -> bool {
        let for_headers = self.settings.wire == Wire::Http && self.era() == Some(Era::Modern);
        let for_all = self.settings.tool_modes.is_some() || for_headers;
        if !for_all && self.settings.tasks.is_none() {
            return false;
        }
        self.calls.get(id).is_some_and(|call| {
            let for_tasks = || call.feature != Feature::Raw && self.has_core_tasks();
            call.method == method::TOOLS_CALL && (for_all || for_tasks())
        })
    }

    /// What an outcome changes in what the engine knows.
    pub(super) fn learn(&mut self, call: &Call<T>, body: &Body) {
        if let Some(params) = call.stored.as_ref().and_then(Stored::text)
            && call.row.is_some_and(|row| row.is_restored)
        {
            self.restore.note(&call.method, params);
        }
        if call.method == method::TOOLS_LIST {
            let params = call.stored.as_ref().and_then(Stored::text);
            let page = Page { is_first: !params.is_some_and(has_cursor), asked: call.started, own: false };
            self.catalog.note(text(&body.frame, body.json), page);
            self.require_session();
        }
    }

    /// Whether a call has to wait for the list of tools, which is then asked for.
    pub(super) fn lists_first(&mut self, now: Instant, id: u64, params: Option<&str>) -> bool {
        if self.catalog.is_settled() || !self.needs_definition(id) || self.cannot_list() {
            return false;
        }
        let delays = self.catalog.delays(params);
        if delays {
            self.wait_for_tools(now, id);
        }
        delays
    }

    /// Whether the server has no list of tools, as far as one can tell.
    fn cannot_list(&self) -> bool {
        let capabilities = self.handshake.capabilities();
        self.settings.wire != Wire::Http && !feature::has(capabilities, "/tools")
    }

    /// Lists the tools again for a call whose headers did not match. Says whether it does: once for each call.
    pub(super) fn list_anew(&mut self, now: Instant, id: u64) -> bool {
        if self.settings.wire != Wire::Http || self.era() != Some(Era::Modern) {
            return false;
        }
        let Some(call) = self.calls.get(id) else { return false };
        let is_task = self.tasks.holds(id);
        if call.method != "tools/call" || call.listed_anew || call.stored.is_none() || is_task {
            return false;
        }
        self.calls.list_again(id);
        self.catalog.forget();
        self.log(Level::Info, "tools.listed_anew", || fields([("call", id.into())]));
        self.wait_for_tools(now, id);
        true
    }

    fn wait_for_tools(&mut self, now: Instant, id: u64) {
        match self.catalog.wait(id) {
            Wait::Begins => self.ask_for_tools(now, id, None),
            Wait::Joins => {}
            Wait::JoinsLogin => self.stop_time(now, id, true),
        }
    }

    /// The calls that wait for the list wait for the login that it needs.
    pub(super) fn list_waits_for_login(&mut self, now: Instant, waits: bool) {
        self.catalog.waits_for_login(waits);
        for id in self.catalog.waiting() {
            self.stop_time(now, id, waits);
        }
        self.sweep_deadlines();
    }

    /// A call has ended: it waits for no list. One that no call waits for is not wanted.
    pub(super) fn stop_listing(&mut self, id: u64) {
        let Some(exchange) = self.catalog.stop_waiting(id) else { return };
        self.end_exchange(exchange);
        let by_closing = self.settings.wire == Wire::Http && self.era() == Some(Era::Modern);
        if self.state == State::Ready && !by_closing {
            self.send(write::cancelled(exchange, "no longer needed"));
        }
    }

    /// Asks for a page of the list that was begun at that time.
    fn ask_for_tools(&mut self, begun: Instant, call: u64, cursor: Option<&str>) {
        let exchange = self.exchanges.begin(Exchange::Tools(call));
        self.catalog.asked(exchange, begun);
        let params =
            cursor.map(|cursor| ParamsBuf::written(method::TOOLS_LIST, format!("{{\"cursor\":{cursor}}}")));
        let params = params.as_ref().map(ParamsBuf::view);
        self.send(write::request(exchange, method::TOOLS_LIST, params, self.handshake.members().text()));
    }

    /// A page of the list came that was asked for here.
    pub(super) fn tools_listed(&mut self, now: Instant, call: u64, result: &str) {
        let next = self.catalog.listed(now, result);
        self.require_session();
        match next {
            Next::Page { cursor, begun } => self.ask_for_tools(begun, call, Some(&cursor)),
            Next::Done => self.send_those_that_listed(now),
        }
    }

    /// The list cannot be had. The calls are sent all the same: the server says what it thinks of them.
    pub(super) fn tools_failed(&mut self, now: Instant, call: u64, why: &str) {
        self.catalog.not_listed();
        self.log(Level::Warn, "tools.not_listed", || fields([("call", call.into()), ("error", why.into())]));
        self.send_those_that_listed(now);
    }

    fn send_those_that_listed(&mut self, now: Instant) {
        for id in self.catalog.take_waiting() {
            let waits = self.calls.get(id).filter(|call| call.exchange.is_none() && !self.tasks.holds(id));
            let Some(stored) = waits.and_then(|call| call.stored.as_ref()) else { continue };
            let params = stored.params.clone();
            let params = params.as_ref().map(ParamsBuf::view);
            if self.may_go_out(now, id, params)
                && self.takes_turn(now, id, params.map(|params| params.text()))
            {
                self.write_stored(now, id);
            }
        }
    }
}
