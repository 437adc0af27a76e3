//! Lists the tools for calls that need their definitions. Over modern HTTP some arguments of a call go into headers, as the tool's schema says
//! (2026-07-28 `basic/transports/streamable-http`), and with tool modes a definition says how calls follow one another: a call
//! of an unknown tool lists the tools first. One that the server refuses because its headers do not match lists them again, once.
//!
//! Tool modes (`docs/reference/tool-modes.md`, a specification of this project's own): once a tool says that it is stateful, every
//! request names the session it belongs to, and calls of stateful tools go out one at a time, in the order they were made.
//! Those of other tools wait for nothing. A session is as long as its connection.
//!
//! The files:
//!
//! * `catalog`: parts: `ToolCatalog`, `TurnQueue`
//! * `filter`: `ToolFilter`: which tools are used

pub(super) mod catalog;
pub(super) mod filter;

use crate::engine::client::Engine;
use crate::engine::client::calls::{Feature, PendingCall, StoredRequest};
use crate::engine::client::effect::{ResultBody, State};
use crate::engine::client::exchanges::Exchange;
use crate::engine::client::settings::Wire;
use crate::engine::client::tools::catalog::{AfterPage, ListWait, StatefulTurn, ToolPage, TurnQueue};
use crate::engine::{Error, Level, Status, fields};
use crate::json;
use crate::protocol::envelope::text;
use crate::protocol::{Era, Params, ParamsBuf, capability, lenient, meta, method, write};
use std::collections::hash_map::DefaultHasher;
use std::hash::Hasher;
use std::time::Instant;

/// Whether these parameters ask for a further page of a list.
fn has_cursor(params: &str) -> bool {
    lenient::member(params, "cursor").is_some()
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
    pub(crate) fn learn(&mut self, call: &PendingCall<T>, body: &ResultBody) {
        if let Some(params) = call.stored.as_ref().and_then(StoredRequest::text)
            && call.row.is_some_and(|row| row.is_restored)
        {
            self.restore.note(&call.method, params);
        }
        #[cfg(feature = "draft")]
        if self.settings.draft.is_any() {
            self.learn_of_drafts(call, body);
        }
        if call.method == method::TOOLS_LIST {
            let params = call.stored.as_ref().and_then(StoredRequest::text);
            let page =
                ToolPage { is_first: !params.is_some_and(has_cursor), asked: call.started, own: false };
            self.catalog.note(text(&body.frame, body.json), page);
            self.require_session();
        }
    }

    /// Whether a call has to wait for the list of tools, which is then asked for.
    pub(crate) fn waits_for_tool_list(&mut self, now: Instant, id: u64, params: Option<&str>) -> bool {
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
        self.settings.wire != Wire::Http && !capability::server_has(capabilities, "/tools")
    }

    /// Lists the tools again for a call whose headers did not match. Says whether it does: once for each call.
    pub(crate) fn list_again_for(&mut self, now: Instant, id: u64) -> bool {
        if self.settings.wire != Wire::Http || self.era() != Some(Era::Modern) {
            return false;
        }
        let Some(call) = self.calls.get(id) else { return false };
        let is_task = self.tasks.holds(id);
        if call.method != "tools/call" || call.relisted || call.stored.is_none() || is_task {
            return false;
        }
        self.calls.list_again(id);
        self.catalog.forget();
        self.log(Level::Info, "tools.listed_anew", || fields([("call", id.into())]));
        self.wait_for_tools(now, id);
        true
    }

    pub(crate) fn wait_for_tools(&mut self, now: Instant, id: u64) {
        self.calls.joins_part(id);
        match self.catalog.wait(id) {
            ListWait::Begins => self.ask_for_tools(now, id, None),
            ListWait::Joins => {}
            ListWait::JoinsLogin => self.stop_time(now, id, true),
        }
    }

    /// The calls that wait for the list wait for the login that it needs.
    pub(crate) fn list_waits_for_login(&mut self, now: Instant, waits: bool) {
        self.catalog.waits_for_login(waits);
        for id in self.catalog.waiting() {
            self.stop_time(now, id, waits);
        }
        self.sweep_deadlines();
    }

    /// A call has ended: it waits for no list. One that no call waits for is not wanted.
    pub(crate) fn stop_listing(&mut self, id: u64) {
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
    pub(crate) fn tools_listed(&mut self, now: Instant, call: u64, result: &str) {
        #[cfg(feature = "draft")]
        self.digests_listed(result);
        let next = self.catalog.listed(now, result);
        self.require_session();
        match next {
            AfterPage::Page { cursor, begun } => self.ask_for_tools(begun, call, Some(&cursor)),
            AfterPage::Done => self.send_calls_after_listing(now),
        }
    }

    /// The list cannot be had. The calls are sent all the same: the server says what it thinks of them.
    pub(crate) fn tools_failed(&mut self, now: Instant, call: u64, why: &str) {
        self.catalog.not_listed();
        self.log(Level::Warn, "tools.not_listed", || fields([("call", call.into()), ("error", why.into())]));
        self.send_calls_after_listing(now);
    }

    fn send_calls_after_listing(&mut self, now: Instant) {
        for id in self.catalog.take_waiting() {
            let waits = self.calls.get(id).filter(|call| call.exchange.is_none() && !self.tasks.holds(id));
            let Some(stored) = waits.and_then(|call| call.stored.as_ref()) else { continue };
            let params = stored.params.clone();
            #[cfg(feature = "draft")]
            if !self.may_go_after_list(now, id) {
                continue;
            }
            let params = params.as_ref().map(ParamsBuf::view);
            if self.decide_task(now, id, params)
                && self.takes_turn(now, id, params.map(|params| params.text()))
            {
                self.write_stored(now, id);
            }
        }
    }
}

/// What there is to tell of the session.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SessionFacts {
    /// Whether requests name it.
    pub required: bool,
    /// How many tools are known to be stateful.
    pub stateful_tools: usize,
    /// How many stateful calls wait for their turn.
    pub waiting: usize,
}

/// The id of one connection's session: 128 bits that cannot be told from those of another one.
fn session_id(secret: [u64; 2], generation: u64) -> String {
    let half = |which: u8| {
        let mut hasher = DefaultHasher::new();
        hasher.write_u64(secret[0]);
        hasher.write_u64(secret[1]);
        hasher.write_u64(generation);
        hasher.write_u8(which);
        hasher.finish()
    };
    format!("{:016x}{:016x}", half(0), half(1))
}

impl<T> Engine<T> {
    /// What there is to tell of the session; `None` with tool modes off.
    pub fn session(&self) -> Option<SessionFacts> {
        self.settings.tool_modes.map(|_| SessionFacts {
            required: self.handshake.members().name_session(),
            stateful_tools: self.catalog.count_stateful(),
            waiting: self.turns.waiting(),
        })
    }

    /// Whether an entry of a list of tools stays in it.
    pub(crate) fn keeps_tool(&self, tool: &str) -> bool {
        #[cfg(feature = "draft")]
        if self.lacks_for_tool(tool) {
            return false;
        }
        self.settings.tools.keeps(tool)
    }

    /// Whether every entry does.
    pub(crate) fn keeps_all_tools(&self) -> bool {
        #[cfg(feature = "draft")]
        if self.looks_for_capabilities() {
            return false;
        }
        self.settings.tools.allows_all()
    }

    /// Why a tool is not used, as it follows its name in a sentence.
    pub fn tool_refusal(&self, tool: &str) -> Option<&'static str> {
        self.settings.tools.refusal(tool)
    }

    /// Why a call cannot be made: its tool is not one of those that are used, or it is not plain which one it is. Servers differ in
    /// which of two names counts, and some take one in other letters.
    pub(crate) fn refused_by_tool_filter(&self, method: &str, params: Option<Params<'_>>) -> Option<Error> {
        if method != method::TOOLS_CALL || self.settings.tools.allows_all() {
            return None;
        }
        let is_name = |(key, _): &(&str, &str)| {
            json::string(&format!("\"{key}\"")).is_some_and(|key| key.eq_ignore_ascii_case("name"))
        };
        let mut names = json::members(params?.text()).filter(is_name);
        let (_, name) = names.next()?;
        if names.next().is_some() {
            let what = "the params have several members \"name\", in any letters, and a server may read another one than the tool filter \
                        (allow_tools, deny_tools); give one";
            return Some(Error::new(Status::InvalidArgument, method, what));
        }
        let name = json::string(name)?;
        let why = self.tool_refusal(&name)?;
        let what = format!("the tool '{name}' {why}, so that it is not called");
        Some(Error::new(Status::InvalidArgument, method, what).with("tool", name.as_ref()))
    }

    /// Why a call cannot be made: it brings a session of its own, or too many wait for their turn.
    pub(crate) fn refused_by_tool_modes(
        &self,
        method: &str,
        params: Option<Params<'_>>,
        meta: &str,
    ) -> Option<Error> {
        self.settings.tool_modes?;
        if !meta.is_empty() && json::member(&format!("{{{meta}}}"), meta::SESSION_ID).is_some() {
            let what = "call option 'meta.session_id': the library sets it itself (tool_modes)";
            return Some(Error::new(Status::InvalidArgument, method, what));
        }
        let turns = self.state == State::Ready
            && method == method::TOOLS_CALL
            && self.catalog.is_stateful(params.map(|params| params.text()));
        turns.then(|| self.too_many_stateful_calls(method)).flatten()
    }

    /// The error of a stateful call that would stand behind more than the bound of others.
    fn too_many_stateful_calls(&self, method: &str) -> Option<Error> {
        let bound = self.settings.tool_modes?.waiting;
        self.turns.is_full(bound).then(|| {
            Error::new(
                Status::Backpressure,
                method,
                format!(
                    "{bound} calls of stateful tools wait for their turn already, and they go out one at a time; wait for \
                     some to end or raise limits.stateful_calls"
                ),
            )
            .with("stateful_calls", bound)
        })
    }

    /// Whether a call may be sent now. A stateful one stands in line until those before it have ended.
    pub(crate) fn takes_turn(&mut self, now: Instant, id: u64, params: Option<&str>) -> bool {
        let Some(settings) = self.settings.tool_modes.filter(|_| self.catalog.is_stateful(params)) else {
            return true;
        };
        if self.calls.get(id).is_none_or(|call| call.method != method::TOOLS_CALL) {
            return true;
        }
        self.calls.set_stateful(id);
        let turn = self.turns.take(id, settings.waiting);
        if turn == StatefulTurn::Full
            && let Some(error) = self.too_many_stateful_calls(method::TOOLS_CALL)
        {
            self.complete(now, id, Err(error));
        }
        turn == StatefulTurn::Now
    }

    /// A stateful call has ended: the next one goes out.
    pub(crate) fn end_turn(&mut self, now: Instant, id: u64) {
        if !self.turns.end(id) || self.state != State::Ready {
            return;
        }
        let calls = &self.calls;
        // A call past its deadline ends by its timer and is not sent.
        let can_go = |id| calls.get(id).is_some_and(|call| call.deadline > now && call.stored.is_some());
        if let Some(next) = self.turns.next(can_go) {
            self.write_stored(now, next);
        }
    }

    /// The stateful call that is under way, and those that wait for their turn.
    #[cfg(test)]
    pub(crate) fn turns(&self) -> (Option<u64>, &std::collections::VecDeque<u64>) {
        self.turns.turns()
    }

    /// Has the requests of this connection name the session, or no longer, as the tools want it.
    fn require_session(&mut self) {
        let Some(settings) = self.settings.tool_modes.filter(|_| self.state == State::Ready) else { return };
        let required = self.catalog.has_stateful();
        match self.handshake.members().name_session() {
            false if required => {
                let id = session_id(settings.secret, self.generation);
                self.handshake.members_mut().add_session(&id);
            }
            true if !required => self.handshake.members_mut().drop_session(),
            _ => return,
        }
        let (generation, tools) = (self.generation, self.catalog.count_stateful());
        self.log(Level::Info, "session.required", || {
            fields([
                ("required", required.into()),
                ("stateful_tools", tools.into()),
                ("generation", generation.into()),
            ])
        });
    }

    /// The connection has ended, and with it the session and every turn.
    pub(crate) fn end_session(&mut self) {
        self.turns = TurnQueue::default();
    }
}
