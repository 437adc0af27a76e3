//! What is known of the server's tools. Each definition of a list is read once here; everything else asks.
//!
//! The catalog also follows the one list that is fetched at a time because calls need it. A list that was asked for before the
//! server said that it changed is stale, and so is every list of an earlier connection.
//!
//! [`TurnQueue`] says whose turn it is among the calls of stateful tools.

use crate::json::{self, Kind};
use crate::protocol::lenient::{self, NextPage};
use crate::protocol::meta::{self, ToolMode};
use crate::protocol::task::{self, Support};
use std::collections::{HashMap, HashSet, VecDeque};
use std::time::Instant;

/// Tools remembered; calls of further ones list the tools each time.
const TOOLS: usize = 100_000;
/// Stateful tools remembered; with more of them every tool counts as stateful.
const STATEFUL: usize = 10_000;
/// Pages followed for one call.
const PAGES: u32 = 100;

/// What the definition of a tool says that matters here.
#[derive(Clone, Copy, Debug)]
struct ToolDefinition {
    support: Support,
    /// The server says that calling it twice does no harm (`annotations.readOnlyHint`, `annotations.idempotentHint`). That is
    /// the server's word, and trusting it the application's decision (`retry: "safe"`).
    is_safe: bool,
}

impl ToolDefinition {
    fn read(tool: &str) -> ToolDefinition {
        let annotations = json::member(tool, "annotations");
        let hint = |hint| annotations.and_then(|annotations| json::member(annotations, hint)) == Some("true");
        ToolDefinition {
            support: task::support(tool),
            is_safe: hint("readOnlyHint") || hint("idempotentHint"),
        }
    }
}

/// The tools that said they are stateful.
#[derive(Default, Debug)]
struct Stateful {
    names: HashSet<Box<str>>,
    too_many: bool,
}

impl Stateful {
    fn note(&mut self, name: &str, mode: Option<ToolMode>) {
        if mode != Some(ToolMode::Stateful) {
            self.names.remove(name);
        } else if self.names.len() < STATEFUL {
            self.names.insert(name.into());
        } else {
            self.too_many |= !self.names.contains(name);
        }
    }
}

/// The request for a page of the list that calls wait for.
#[derive(Clone, Copy, Debug)]
struct Listing {
    exchange: u64,
    /// When the list was begun.
    begun: Instant,
}

/// Where a page of `tools/list` stands.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ToolPage {
    /// It is the first of its list.
    pub(crate) is_first: bool,
    /// When the list was asked for.
    pub(crate) asked: Instant,
    /// The engine asked for it, and not the application.
    pub(crate) own: bool,
}

/// What a call does that waits for the list.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ListWait {
    /// The list has to be asked for.
    Begins,
    /// It was asked for already.
    Joins,
    /// So it was, and it waits for a person who logs in.
    JoinsLogin,
}

/// What follows after a page of the list that calls wait for.
#[derive(PartialEq, Eq, Debug)]
pub(crate) enum AfterPage {
    /// The page at this cursor (JSON text), of the list that was begun at that time.
    Page { cursor: String, begun: Instant },
    /// The calls can go out.
    Done,
}

/// What is known of the server's tools.
#[derive(Default, Debug)]
pub(crate) struct ToolCatalog {
    /// Whether lists are read for their modes, and with them whether they are followed from the first page on.
    with_modes: bool,
    /// Whether definitions are of use to anything.
    is_used: bool,
    tools: HashMap<Box<str>, ToolDefinition>,
    /// Every page was seen, so a tool that is not among them does not exist.
    is_complete: bool,
    /// The stateful tools. They are known until another list replaces them, also while the rest is stale.
    stateful: Stateful,
    /// The same of a list that is followed from its first page on.
    fresh: Option<Stateful>,
    /// When the server last said that the list changed. What was asked for before is stale.
    changed: Option<Instant>,
    /// Calls that wait for the list that is being fetched for one of them.
    waiting: VecDeque<u64>,
    listing: Option<Listing>,
    pages: u32,
    /// Whether that request waits for a person who logs in.
    logs_in: bool,
}

impl ToolCatalog {
    /// A catalog that reads tool modes, and one that is of use from the beginning.
    pub(crate) fn new(with_modes: bool, is_used: bool) -> ToolCatalog {
        ToolCatalog { with_modes, is_used: is_used || with_modes, ..ToolCatalog::default() }
    }

    /// Definitions are of use from here on.
    pub(crate) fn use_definitions(&mut self) {
        self.is_used = true;
    }

    /// How a tool is called as a task; one that is not in the list is not.
    pub(crate) fn support(&self, name: &str) -> Support {
        self.tools.get(name).map(|tool| tool.support).unwrap_or_default()
    }

    /// Whether the tool that these parameters of `tools/call` name may be called again after a lost connection.
    pub(crate) fn is_safe(&self, params: &str) -> bool {
        !self.tools.is_empty()
            && called(params)
                .is_some_and(|name| self.tools.get(name.as_ref()).is_some_and(|tool| tool.is_safe))
    }

    /// Whether these parameters of `tools/call` name a tool that is known to be stateful.
    pub(crate) fn is_stateful(&self, params: Option<&str>) -> bool {
        self.stateful.too_many
            || !self.stateful.names.is_empty()
                && params.and_then(called).is_some_and(|name| self.stateful.names.contains(name.as_ref()))
    }

    /// Whether any tool is stateful.
    pub(crate) fn has_stateful(&self) -> bool {
        self.stateful.too_many || !self.stateful.names.is_empty()
    }

    /// How many tools are known to be stateful.
    pub(crate) fn count_stateful(&self) -> usize {
        self.stateful.names.len()
    }

    /// With every tool known and no call waiting no call has to be looked at, which is so for nearly every one.
    pub(crate) fn is_settled(&self) -> bool {
        self.is_complete && self.waiting.is_empty()
    }

    /// Whether a call of a tool has to wait for the list: its tool is unknown, or it must not overtake those that wait.
    pub(crate) fn delays(&self, params: Option<&str>) -> bool {
        let overtakes = !self.waiting.is_empty() && self.with_modes && self.is_stateful(params);
        overtakes
            || !self.is_complete
                && params.and_then(called).is_some_and(|name| !self.tools.contains_key(name.as_ref()))
    }

    /// A page of a list came.
    pub(crate) fn note(&mut self, result: &str, page: ToolPage) {
        if !self.is_used {
            return;
        }
        let stale = self.with_modes && self.changed.is_some_and(|changed| page.asked <= changed);
        // Pages that the application asked for do not belong to the list that the engine follows.
        let counts = page.own || self.listing.is_none();
        if counts && (page.is_first || stale) {
            self.fresh = (self.with_modes && !stale).then(Stateful::default);
        }
        let tools = json::member(result, "tools").filter(|tools| json::kind(tools) == Some(Kind::Array));
        for tool in json::elements(tools.unwrap_or("[]")) {
            let Some(name) = json::member(tool, "name").and_then(json::string) else { continue };
            if !stale && (self.tools.len() < TOOLS || self.tools.contains_key(name.as_ref())) {
                self.tools.insert(name.as_ref().into(), ToolDefinition::read(tool));
            }
            if self.with_modes {
                let mode = meta::tool_mode(tool);
                self.stateful.note(&name, mode);
                if let Some(fresh) = self.fresh.as_mut().filter(|_| counts) {
                    fresh.note(&name, mode);
                }
            }
        }
        if counts
            && lenient::next_page(result) == NextPage::End
            && let Some(fresh) = self.fresh.take()
        {
            self.stateful = fresh;
            self.is_complete = true;
        }
    }

    /// A call waits for the list.
    pub(crate) fn wait(&mut self, call: u64) -> ListWait {
        let first = self.waiting.is_empty();
        self.waiting.push_back(call);
        if first {
            self.pages = 0;
            return ListWait::Begins;
        }
        if self.logs_in { ListWait::JoinsLogin } else { ListWait::Joins }
    }

    /// A page was asked for by this exchange, of the list that was begun at that time.
    pub(crate) fn asked(&mut self, exchange: u64, begun: Instant) {
        self.listing = Some(Listing { exchange, begun });
        self.logs_in = false;
    }

    /// A page of the list came that calls wait for.
    pub(crate) fn listed(&mut self, now: Instant, result: &str) -> AfterPage {
        let begun = self.listing.take().map_or(now, |listing| listing.begun);
        self.note(result, ToolPage { is_first: self.pages == 0, asked: begun, own: true });
        self.pages += 1;
        match lenient::next_page(result) {
            NextPage::At(cursor) if self.pages < PAGES => {
                return AfterPage::Page { cursor: cursor.to_owned(), begun };
            }
            NextPage::At(_) | NextPage::Unreadable(_) => {}
            // With tool modes it is complete by having been followed from its first page on.
            NextPage::End => {
                let is_current = self.changed.is_none_or(|changed| begun > changed);
                self.is_complete |= is_current && !self.with_modes;
            }
        }
        AfterPage::Done
    }

    /// The list cannot be had.
    pub(crate) fn not_listed(&mut self) {
        self.listing = None;
    }

    /// The request for the list waits for a person who logs in, or no longer.
    pub(crate) fn waits_for_login(&mut self, waits: bool) {
        self.logs_in = waits;
    }

    /// Whether a call waits for the list.
    pub(crate) fn awaits(&self, call: u64) -> bool {
        self.waiting.contains(&call)
    }

    /// The calls that wait for the list.
    pub(crate) fn waiting(&self) -> Vec<u64> {
        self.waiting.iter().copied().collect()
    }

    /// Gives the calls that waited: the list came, or will not come.
    pub(crate) fn take_waiting(&mut self) -> VecDeque<u64> {
        std::mem::take(&mut self.waiting)
    }

    /// A call waits no longer. Gives the exchange that is not wanted any more if it was the last one: the next call lists again.
    pub(crate) fn stop_waiting(&mut self, call: u64) -> Option<u64> {
        let at = self.waiting.iter().position(|waiting| *waiting == call)?;
        self.waiting.remove(at);
        if !self.waiting.is_empty() {
            return None;
        }
        self.listing.take().map(|listing| listing.exchange)
    }

    /// The list is stale.
    pub(crate) fn forget(&mut self) {
        self.tools.clear();
        self.is_complete = false;
        self.fresh = None;
    }

    /// The server says that the list changed.
    pub(crate) fn changed(&mut self, now: Instant) {
        self.forget();
        self.changed = Some(now);
    }

    /// The connection has ended: no list is fetched any more, and no session has stateful tools. The rest is known until
    /// [`ToolCatalog::forget`], to say which calls are sent again.
    pub(crate) fn connection_ended(&mut self) {
        let tools = std::mem::take(&mut self.tools);
        *self = ToolCatalog { tools, ..ToolCatalog::new(self.with_modes, self.is_used) };
    }
}

/// The name of the tool that is called.
fn called(params: &str) -> Option<std::borrow::Cow<'_, str>> {
    json::member(params, "name").and_then(json::string)
}

/// What becomes of a call that takes its turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum StatefulTurn {
    /// It goes out.
    Now,
    /// It waits for those before it.
    Waits,
    /// As many as may wait do so already.
    Full,
}

/// The calls of stateful tools.
#[derive(Default, Debug)]
pub(crate) struct TurnQueue {
    /// The one under way.
    running: Option<u64>,
    /// Those that wait for their turn.
    waiting: VecDeque<u64>,
}

impl TurnQueue {
    /// How many wait.
    pub(crate) fn waiting(&self) -> usize {
        self.waiting.len()
    }

    /// Whether a further call would be one more than may wait.
    pub(crate) fn is_full(&self, bound: usize) -> bool {
        self.running.is_some() && self.waiting.len() >= bound
    }

    /// A call takes its turn, or waits for it.
    pub(crate) fn take(&mut self, call: u64, bound: usize) -> StatefulTurn {
        if self.running.is_none_or(|running| running == call) {
            self.running = Some(call);
            return StatefulTurn::Now;
        }
        if self.is_full(bound) {
            return StatefulTurn::Full;
        }
        self.waiting.push_back(call);
        StatefulTurn::Waits
    }

    /// A call has ended. Says whether the turn was its own.
    pub(crate) fn end(&mut self, call: u64) -> bool {
        let was_running = self.running == Some(call);
        if was_running {
            self.running = None;
        } else {
            self.waiting.retain(|waiting| *waiting != call);
        }
        was_running
    }

    /// The turn goes to the first that waits and can still go out; those before it are left out.
    pub(crate) fn next(&mut self, can_go: impl Fn(u64) -> bool) -> Option<u64> {
        while let Some(next) = self.waiting.pop_front() {
            if can_go(next) {
                self.running = Some(next);
                return Some(next);
            }
        }
        None
    }

    #[cfg(test)]
    pub(crate) fn turns(&self) -> (Option<u64>, &VecDeque<u64>) {
        (self.running, &self.waiting)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use std::time::Duration;

    fn by(name: &str) -> String {
        json!({ "name": name }).to_string()
    }

    fn page(asked: Instant) -> ToolPage {
        ToolPage { is_first: true, asked, own: false }
    }

    #[test]
    fn only_tools_that_say_so_are_safe_and_only_as_long_as_they_do() {
        let now = Instant::now();
        let mut catalog = ToolCatalog::new(false, true);
        catalog.note(
            r#"{"tools":[{"name":"r","annotations":{"readOnlyHint":true}},{"name":"i","annotations":{"idempotentHint":true}},
               {"name":"w","annotations":{"destructiveHint":true}},{"name":"n"}]}"#,
            page(now),
        );
        let safe = |catalog: &ToolCatalog, name: &str| catalog.is_safe(&by(name));
        assert!(safe(&catalog, "r") && safe(&catalog, "i"));
        assert!(!safe(&catalog, "w") && !safe(&catalog, "n") && !safe(&catalog, "x"));
        catalog.note(r#"{"tools":[{"name":"r"}]}"#, page(now));
        assert!(!safe(&catalog, "r") && safe(&catalog, "i"));
        catalog.connection_ended();
        assert!(safe(&catalog, "i"), "it says which calls of that connection are sent again");
        catalog.forget();
        assert!(!safe(&catalog, "i"));
    }

    #[test]
    fn definitions_that_nothing_uses_are_not_kept() {
        let mut catalog = ToolCatalog::new(false, false);
        let list = r#"{"tools":[{"name":"r","annotations":{"readOnlyHint":true}}]}"#;
        catalog.note(list, page(Instant::now()));
        assert!(!catalog.is_safe(&by("r")));
        catalog.use_definitions();
        catalog.note(list, page(Instant::now()));
        assert!(catalog.is_safe(&by("r")));
    }

    #[test]
    fn calls_of_unknown_tools_wait_for_one_list_and_the_last_that_leaves_ends_it() {
        let now = Instant::now();
        let mut catalog = ToolCatalog::new(false, true);
        assert!(catalog.delays(Some(&by("a"))));
        assert_eq!((catalog.wait(1), catalog.wait(2)), (ListWait::Begins, ListWait::Joins));
        catalog.asked(7, now);
        catalog.waits_for_login(true);
        assert_eq!(catalog.wait(3), ListWait::JoinsLogin);
        assert_eq!((catalog.stop_waiting(1), catalog.stop_waiting(3)), (None, None));
        assert_eq!((catalog.stop_waiting(2), catalog.stop_waiting(2)), (Some(7), None));
    }

    #[test]
    fn a_list_is_followed_to_its_end_and_then_no_call_waits() {
        let now = Instant::now();
        let mut catalog = ToolCatalog::new(false, true);
        catalog.wait(1);
        catalog.asked(7, now);
        let next = catalog.listed(now, r#"{"tools":[{"name":"a"}],"nextCursor":"2"}"#);
        assert_eq!(next, AfterPage::Page { cursor: "\"2\"".to_owned(), begun: now });
        catalog.asked(8, now);
        assert_eq!(catalog.listed(now, r#"{"tools":[{"name":"b"}]}"#), AfterPage::Done);
        assert!(!catalog.is_settled() && catalog.take_waiting() == [1] && catalog.is_settled());
        assert!(!catalog.delays(Some(&by("c"))), "every page was seen");
        catalog.changed(now);
        assert!(catalog.delays(Some(&by("a"))));
        for (begun, is_current) in [(now, false), (now + Duration::from_secs(1), true)] {
            catalog.wait(2);
            catalog.asked(9, begun);
            assert_eq!(catalog.listed(begun, r#"{"tools":[{"name":"a"}]}"#), AfterPage::Done);
            assert_eq!(catalog.take_waiting(), [2]);
            assert_eq!(catalog.delays(Some(&by("c"))), !is_current, "a list of before the change is stale");
        }
    }

    #[test]
    fn a_list_without_end_is_followed_for_a_bounded_number_of_pages() {
        let now = Instant::now();
        let mut catalog = ToolCatalog::new(false, true);
        let pages = (0..PAGES * 2)
            .take_while(|_| {
                catalog.asked(1, now);
                catalog.listed(now, r#"{"tools":[],"nextCursor":"x"}"#) != AfterPage::Done
            })
            .count();
        assert_eq!(pages, PAGES as usize - 1);
        assert!(!catalog.is_settled());
    }

    #[test]
    fn stateful_tools_are_known_until_a_whole_list_replaces_them() {
        let now = Instant::now();
        let later = now + Duration::from_secs(1);
        let mut catalog = ToolCatalog::new(true, true);
        let list = r#"{"tools":[{"name":"s","mode":"stateful"},{"name":"t"}]}"#;
        catalog.note(list, page(now));
        assert!(catalog.is_stateful(Some(&by("s"))) && !catalog.is_stateful(Some(&by("t"))));
        catalog.changed(now);
        assert!(catalog.has_stateful(), "the list is stale, and its tools are what is known");
        catalog.note(r#"{"tools":[{"name":"x"}]}"#, page(now));
        assert!(catalog.has_stateful(), "what was asked for before the change replaces nothing");
        catalog.note(r#"{"tools":[{"name":"t"}]}"#, page(later));
        assert!(!catalog.has_stateful() && catalog.is_settled());
    }

    #[test]
    fn what_is_kept_is_bounded_and_too_many_stateful_tools_make_all_stateful() {
        let mut catalog = ToolCatalog::new(true, true);
        let many: Vec<_> =
            (0..=STATEFUL).map(|i| json!({"name": i.to_string(), "mode": "stateful"})).collect();
        catalog.note(&json!({ "tools": many }).to_string(), page(Instant::now()));
        assert_eq!(catalog.count_stateful(), STATEFUL);
        assert!(catalog.is_stateful(Some(&by("other"))));
        let mut catalog = ToolCatalog::new(false, true);
        let many: Vec<_> = (0..=TOOLS).map(|i| json!({"name": i.to_string()})).collect();
        catalog.note(&json!({ "tools": many }).to_string(), page(Instant::now()));
        assert_eq!(catalog.tools.len(), TOOLS);
    }

    #[test]
    fn calls_go_one_at_a_time_in_order_and_within_the_bound() {
        let mut turns = TurnQueue::default();
        assert_eq!((turns.take(1, 2), turns.take(1, 2)), (StatefulTurn::Now, StatefulTurn::Now));
        assert_eq!(
            (turns.take(2, 2), turns.take(3, 2), turns.take(4, 2)),
            (StatefulTurn::Waits, StatefulTurn::Waits, StatefulTurn::Full)
        );
        assert!(!turns.end(3) && turns.waiting() == 1);
        assert!(turns.end(1) && turns.next(|_| true) == Some(2));
        assert!(turns.end(2) && turns.next(|_| true).is_none());
        assert!(!turns.is_full(0), "no call is under way");
    }

    #[test]
    fn a_call_that_cannot_go_out_any_more_is_passed_over() {
        let mut turns = TurnQueue::default();
        for call in 1..=3 {
            turns.take(call, 9);
        }
        assert!(turns.end(1) && turns.next(|call| call != 2) == Some(3));
        assert_eq!(turns.turns(), (Some(3), &VecDeque::new()));
    }
}
