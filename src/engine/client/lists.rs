//! Lists that come in pages: all of them are collected into one result, within bounds (2026-07-28
//! `server/utilities/pagination`). A cursor is opaque, and the empty string is one; a cursor that came before is an error,
//! because following it would never end.

use super::Engine;
use super::calls::Feature;
use super::effect::{Body, Reply};
use super::settings::ListLimits;
use super::status::{Error, Status};
use crate::json::{self, Kind, Span};
use crate::protocol::ParamsBuf;
use crate::protocol::envelope::text;
use crate::protocol::method;
use std::collections::HashSet;
use std::time::Instant;

/// How large a list is, as far as it is known.
#[derive(Clone, Copy)]
struct Size {
    /// Pages that were read, and whether there is one more.
    pages: usize,
    more: bool,
    items: usize,
    bytes: usize,
}

/// A list that is larger than allowed.
struct Exceeded {
    what: &'static str,
    bound: usize,
    key: &'static str,
    size: Size,
}

impl ListLimits {
    /// The size of a list that came in one page. What is too short to be over a bound is not counted.
    fn measure(&self, result: &str, key: &str) -> Size {
        let short = result.len() <= self.bytes && result.len() / 2 <= self.items;
        let listed = if short { None } else { json::member(result, key) };
        let listed = listed.filter(|list| json::kind(list) == Some(Kind::Array));
        let items = listed.map_or(0, |list| json::elements(list).count());
        Size { pages: 1, more: false, items, bytes: listed.map_or(0, str::len) }
    }

    fn exceeded(&self, size: Size) -> Option<Exceeded> {
        [
            ("pages", size.pages + usize::from(size.more), self.pages, "limits.list_pages"),
            ("entries", size.items, self.items, "limits.list_items"),
            ("bytes", size.bytes, self.bytes, "limits.list_bytes"),
        ]
        .into_iter()
        .find(|(_, is, bound, _)| is > bound)
        .map(|(what, _, bound, key)| Exceeded { what, bound, key, size })
    }
}

impl Exceeded {
    fn error(&self, method: &str) -> Error {
        let Exceeded { what, bound, key, size } = self;
        let message = format!(
            "the list has more than {bound} {what} ({key}); raise the bound, or read it page by page with the options one_page \
             and cursor"
        );
        Error::new(Status::TooLarge, method, message)
            .with("pages", size.pages)
            .with("items", size.items)
            .with("bytes", size.bytes)
    }
}

/// The pages of one list so far.
#[derive(Default, Debug)]
pub(super) struct Pages {
    /// The first page's other members, each with the comma before the next.
    rest: String,
    /// The entries, with commas between them.
    items: String,
    count: usize,
    seen: usize,
    cursors: HashSet<Box<str>>,
    /// The bytes of all of these.
    cursor_bytes: usize,
    /// The least time that a page may be kept, `None` if one says nothing.
    ttl: Option<u64>,
    public: bool,
}

impl Pages {
    fn add(&mut self, result: &str, key: &str) -> Result<(), String> {
        let listed = json::member(result, key).filter(|list| json::kind(list) == Some(Kind::Array));
        let Some(listed) = listed else { return Err(format!("the result has no list '{key}'")) };
        let ttl =
            json::member(result, "ttlMs").and_then(json::integer).and_then(|ttl| u64::try_from(ttl).ok());
        let public = json::member(result, "cacheScope") == Some("\"public\"");
        if self.seen == 0 {
            (self.ttl, self.public) = (ttl, public);
            for (name, value) in json::members(result) {
                let written = format!("\"{name}\"");
                let plain = json::string(&written).unwrap_or_default();
                if ![key, "nextCursor", "ttlMs", "cacheScope"].contains(&plain.as_ref()) {
                    self.rest.push('"');
                    self.rest.push_str(name);
                    self.rest.push_str("\":");
                    self.rest.push_str(value);
                    self.rest.push(',');
                }
            }
        } else {
            self.ttl = self.ttl.and_then(|least| ttl.map(|ttl| ttl.min(least)));
            self.public &= public;
        }
        self.seen += 1;
        for item in json::elements(listed) {
            if self.count > 0 {
                self.items.push(',');
            }
            self.items.push_str(item);
            self.count += 1;
        }
        Ok(())
    }

    /// A cursor may be as large as any entry.
    fn size(&self, more: bool) -> Size {
        let bytes = self.rest.len() + self.items.len() + self.cursor_bytes;
        Size { pages: self.seen, more, items: self.count, bytes }
    }

    /// One result that reads as if there had been one page.
    fn whole(self, key: &str) -> String {
        let mut text = String::with_capacity(self.rest.len() + self.items.len() + 64);
        text.push('{');
        text.push_str(&self.rest);
        if let Some(ttl) = self.ttl {
            text.push_str("\"ttlMs\":");
            text.push_str(&ttl.to_string());
            text.push_str(if self.public {
                ",\"cacheScope\":\"public\","
            } else {
                ",\"cacheScope\":\"private\","
            });
        }
        json::quote_into(key, &mut text);
        text.push_str(":[");
        text.push_str(&self.items);
        text.push_str("]}");
        text
    }
}

impl<T> Engine<T> {
    /// A call was answered with a result. Gives its outcome, or `None` when there is more to ask for.
    pub(super) fn page(&mut self, now: Instant, id: u64, frame: Vec<u8>, span: Span) -> Option<Reply> {
        let asked = self.calls.get(id).is_some_and(|call| call.rounds > 0);
        let collected = self
            .calls
            .get(id)
            .filter(|call| call.feature == Feature::AllPages)
            .and_then(|call| Some((call.method.clone(), method::listed(&call.method)?)));
        let Some((method, key)) = collected else {
            return Some(Ok(Body { asked, ..Body::new(frame, span) }));
        };
        let result = text(&frame, span);
        let cursor = json::member(result, "nextCursor").filter(|cursor| *cursor != "null");
        let mut pages = self.pages.remove(&id).unwrap_or_default();
        if cursor.is_none() && pages.seen == 0 {
            let measured = self.settings.lists.measure(result, key);
            return Some(match self.settings.lists.exceeded(measured) {
                Some(over) => Err(over.error(&method)),
                None => Ok(Body { asked, ..Body::new(frame, span) }),
            });
        }
        let broken = |status, message: String| Some(Err(Error::new(status, method.as_ref(), message)));
        if let Err(why) = pages.add(result, key) {
            return broken(Status::Protocol, why);
        }
        let Some(cursor) = cursor else {
            if let Some(over) = self.settings.lists.exceeded(pages.size(false)) {
                return Some(Err(over.error(&method)));
            }
            let frame = pages.whole(key).into_bytes();
            let json = Span { start: 0, end: frame.len() };
            return Some(Ok(Body { asked, ..Body::new(frame, json) }));
        };
        if json::kind(cursor) != Some(Kind::String) {
            return broken(
                Status::Protocol,
                format!("the list's 'nextCursor' is {}, which is no string", super::excerpt(cursor)),
            );
        }
        let plain = json::string(cursor).unwrap_or_default();
        pages.cursor_bytes += plain.len();
        if !pages.cursors.insert(plain.as_ref().into()) {
            let message = format!(
                "the server gave the cursor {} a second time, after {} pages; following it would never end",
                super::excerpt(cursor),
                pages.seen
            );
            return Some(Err(Error::new(Status::Protocol, method.as_ref(), message)
                .with("cursor", super::excerpt(&plain))
                .with("pages", pages.seen)));
        }
        if let Some(over) = self.settings.lists.exceeded(pages.size(true)) {
            return Some(Err(over.error(&method)));
        }
        let params = ParamsBuf::written(&method, format!("{{\"cursor\":{cursor}}}"));
        self.pages.insert(id, pages);
        self.ask_on(now, id, &params);
        None
    }

    /// Sends a call's next request; its time counts again, within its total.
    fn ask_on(&mut self, now: Instant, id: u64, params: &ParamsBuf) {
        let deadline = self.calls.restart_time(now, id);
        self.guard_call(id, deadline);
        let Some(call) = self.calls.get(id) else { return };
        let meta = call.stored.as_ref().map_or_else(Box::default, |stored| stored.meta.clone());
        self.write_call(id, Some(params.view()), &meta);
    }
}
