//! What a result must be before the application gets it: an object, and for the functions of features one with the member that
//! they promise. Entries of a list that the application could not use are left out, and the pages of a list are collected where
//! all are asked for. `mcp_call` hands on any object as it is.
//!
//! The files:
//!
//! * `pages`: part: `ListPages`

pub(super) mod pages;

use crate::engine::client::Engine;
use crate::engine::client::calls::{Feature, StoredRequest};
use crate::engine::client::effect::{Reply, ResultBody};
use crate::engine::client::lists::pages::Paged;
use crate::engine::{Error, Status, excerpt};
use crate::json::{self, Cursor, Kind, Span, Value};
use crate::protocol::envelope::text;
use crate::protocol::method::{self, ListResult};
use crate::protocol::{ParamsBuf, lenient};
use std::time::Instant;

impl ListResult {
    fn is_usable(&self, entry: &str) -> bool {
        json::kind(entry) == Some(Kind::Object)
            && self.named_by.is_none_or(|key| {
                json::member(entry, key).is_some_and(|name| json::kind(name) == Some(Kind::String))
            })
    }

    /// The result with those entries that `keeps` takes.
    fn with_entries(&self, result: &str, keeps: impl Fn(&str) -> bool) -> String {
        let mut out = String::with_capacity(result.len());
        for (name, value) in json::members(result) {
            out.push(if out.is_empty() { '{' } else { ',' });
            let written = format!("\"{name}\"");
            out.push_str(&written);
            out.push(':');
            let is_list = json::string(&written).is_some_and(|name| name == self.member);
            if !is_list || json::kind(value) != Some(Kind::Array) {
                out.push_str(value);
                continue;
            }
            let kept: Vec<&str> = json::elements(value).filter(|entry| keeps(entry)).collect();
            out.push('[');
            out.push_str(&kept.join(","));
            out.push(']');
        }
        out.push('}');
        out
    }
}

/// Whether the result of a tool is in order at first sight, in one walk, as nearly every one is.
fn is_tool_result(result: &str) -> bool {
    let mut cursor = Cursor::new(result.as_bytes());
    if !cursor.enter(Kind::Object) {
        return false;
    }
    while let Some(name) = cursor.member() {
        if name.is("content") {
            if !cursor.enter(Kind::Array) {
                return false;
            }
            while cursor.element() {
                if cursor.kind() != Some(Kind::Object) {
                    return false;
                }
                cursor.skip();
            }
            continue;
        }
        if name.is("isError") && !matches!(cursor.kind(), Some(Kind::True | Kind::False)) {
            return false;
        }
        cursor.skip();
    }
    true
}

/// What is wrong with the result of a tool: a program that reads blocks would find none, and take a failure for a success. A member
/// that is null counts as absent, as elsewhere.
pub(crate) fn tool_result_fault(result: &str) -> Option<String> {
    if is_tool_result(result) {
        return None;
    }
    let [content, is_error] = ["content", "isError"].map(|name| lenient::member(result, name));
    if let Some(content) = content {
        let is_object = |block: &str| json::kind(block) == Some(Kind::Object);
        if json::kind(content) != Some(Kind::Array) || !json::elements(content).all(is_object) {
            let content = excerpt(content);
            return Some(format!("'content' of the tool's result is not a list of objects: {content}"));
        }
    }
    let is_error = is_error.filter(|value| !matches!(json::kind(value), Some(Kind::True | Kind::False)))?;
    let content = content.map(|content| format!("; its content: {}", excerpt(content))).unwrap_or_default();
    Some(format!("'isError' of the tool's result is neither true nor false: {}{content}", excerpt(is_error)))
}

impl<T> Engine<T> {
    /// Checks the result of a call. Gives it written again if entries had to be left out of its list; one bad entry must not
    /// take all the others from the application.
    ///
    /// # Errors
    /// `PROTOCOL`: it is not an object, or has no list where the method promises one.
    pub(crate) fn check_result(
        &mut self,
        id: u64,
        frame: &[u8],
        result: Value,
    ) -> Result<Option<String>, Error> {
        let Some(call) = self.calls.get(id) else { return Ok(None) };
        let wrong = |what: String| Err(Error::new(Status::Protocol, call.method.as_ref(), what));
        let written = text(frame, result.span);
        let says_nothing = call.method == method::PING || call.row.is_some_and(|row| row.is_restored);
        let nothing = says_nothing.then_some("{}");
        let Some(result) = lenient::as_object(written).or(nothing) else {
            return wrong(format!("the result is not an object: {}", excerpt(written)));
        };
        // PHP writes an object without members as []. Where a result has nothing to say, any will do.
        let is_odd = result != written;
        let rewritten = is_odd.then(|| result.to_owned());
        let promised = call.row.and_then(|row| row.list);
        let checked = if call.feature == Feature::Raw {
            // Whichever way a list is asked for, the tools that are not used are not in it.
            match promised.filter(|_| call.method == method::TOOLS_LIST && !self.keeps_all_tools()) {
                Some(promised) => Ok(Some(promised.with_entries(result, |tool| self.keeps_tool(tool)))),
                None => Ok(rewritten),
            }
        } else if call.method == method::TOOLS_CALL {
            tool_result_fault(result).map_or(Ok(rewritten), wrong)
        } else if let Some(promised) = promised {
            let called = call.method.clone();
            return self.check_list(&called, promised, result, is_odd, frame);
        } else {
            Ok(rewritten)
        };
        self.tolerate(is_odd, frame);
        checked
    }

    /// The same of a list. One that is null has no entries, and `{}` is an empty list of Lua.
    fn check_list(
        &mut self,
        called: &str,
        promised: ListResult,
        result: &str,
        is_odd: bool,
        frame: &[u8],
    ) -> Result<Option<String>, Error> {
        let written = json::member(result, promised.member);
        // All of the result may be an array of PHP.
        let is_empty = written == Some("null") || written.is_none() && is_odd;
        let list = if is_empty { Some("[]".into()) } else { lenient::list(result, promised.member) };
        let Some(list) = list else {
            let what = format!("the result has no list '{}'", promised.member);
            return Err(Error::new(Status::Protocol, called, what));
        };
        let list = &*list;
        if written != Some(list) {
            self.tolerate(true, frame);
            let mut text = Vec::new();
            json::splice_into(result, &[(promised.member, list)], &mut text);
            let text = String::from_utf8(text).unwrap_or_default();
            let left = self.usable(promised, &text, list, frame);
            return Ok(Some(left.unwrap_or(text)));
        }
        self.tolerate(is_odd, frame);
        let left = self.usable(promised, result, list, frame);
        Ok(left.or_else(|| is_odd.then(|| result.to_owned())))
    }

    /// The result without the entries that the application could not use or does not want, if there are any.
    fn usable(&mut self, promised: ListResult, result: &str, list: &str, frame: &[u8]) -> Option<String> {
        // In one walk: there may be tens of thousands of entries.
        let is_usable = |entry: Option<[Option<&str>; 1]>| {
            let is_string = |value: Option<&str>| value.and_then(json::kind) == Some(Kind::String);
            entry.is_some_and(|[name]| promised.named_by.is_none() || is_string(name))
        };
        let names = json::picks(list, [promised.named_by.unwrap_or_default()]);
        let unusable = names.filter(|entry| !is_usable(*entry)).count() as u64;
        let is_limited = promised.member == "tools" && !self.keeps_all_tools();
        if unusable == 0 {
            return is_limited.then(|| promised.with_entries(result, |tool| self.keeps_tool(tool)));
        }
        let needs = promised.named_by.map(|key| format!(" with a string '{key}'")).unwrap_or_default();
        let what =
            format!("{unusable} entries of '{}' are not objects{needs} and are left out", promised.member);
        self.counters.violations += unusable - 1;
        self.violation(&what, frame);
        let keeps = |entry: &str| promised.is_usable(entry) && (!is_limited || self.keeps_tool(entry));
        Some(promised.with_entries(result, keeps))
    }
}

impl<T> Engine<T> {
    /// A call was answered with a result. Gives its outcome, or `None` when there is more to ask for.
    pub(crate) fn page(&mut self, now: Instant, id: u64, frame: Vec<u8>, span: Span) -> Option<Reply> {
        let asked = self.calls.get(id).is_some_and(|call| call.rounds > 0);
        let collected = self
            .calls
            .get(id)
            .filter(|call| call.feature == Feature::AllPages)
            .and_then(|call| Some((call.method.clone(), method::listed(&call.method)?)));
        let Some((method, key)) = collected else {
            return Some(Ok(ResultBody { asked, ..ResultBody::new(frame, span) }));
        };
        self.calls.joins_part(id);
        match self.pages.add(id, &method, key, text(&frame, span), &self.settings.lists) {
            Ok(Paged::Single) => Some(Ok(ResultBody { asked, ..ResultBody::new(frame, span) })),
            Ok(Paged::Complete(list)) => {
                let json = Span { start: 0, end: list.len() };
                Some(Ok(ResultBody { asked, ..ResultBody::new(list.into_bytes(), json) }))
            }
            Ok(Paged::More(cursor)) => {
                self.ask_on(now, id, &method, &cursor);
                None
            }
            Err(error) => Some(Err(error)),
        }
    }

    /// Sends a call's next request; its time counts again, within its total.
    fn ask_on(&mut self, now: Instant, id: u64, method: &str, cursor: &str) {
        let deadline = self.calls.restart_time(now, id);
        self.guard_call(id, deadline);
        let Some(call) = self.calls.get(id) else { return };
        let meta = call.stored.as_ref().map_or_else(Box::default, |stored| stored.meta.clone());
        let first = call.stored.as_ref().and_then(StoredRequest::view);
        let params = ParamsBuf::spliced(method, first, &[("cursor", cursor)]);
        self.write_call(now, id, Some(params.view()), &meta);
    }
}
