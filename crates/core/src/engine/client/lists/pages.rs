//! The pages of lists that are being collected into one result, within bounds (2026-07-28 `server/utilities/pagination`). A
//! cursor is opaque, and the empty string is one; a cursor that came before is an error, because following it would never end.

use crate::engine::client::settings::ListLimits;
use crate::engine::{ById, Error, Status, excerpt};
use crate::json::{self, Kind};
use crate::protocol::lenient::{self, NextPage};
use std::collections::HashSet;

/// How large a list is, as far as it is known.
#[derive(Clone, Copy)]
struct ListSize {
    /// Pages that were read, and whether there is one more.
    pages: usize,
    more: bool,
    items: usize,
    bytes: usize,
}

/// A list that is larger than allowed.
struct ListTooLarge {
    what: &'static str,
    bound: usize,
    key: &'static str,
    size: ListSize,
}

impl ListLimits {
    /// The size of a list that came in one page. What is too short to be over a bound is not counted.
    fn measure(&self, result: &str, key: &str) -> ListSize {
        let short = result.len() <= self.bytes && result.len() / 2 <= self.items;
        let listed = if short { None } else { json::member(result, key) };
        let listed = listed.filter(|list| json::kind(list) == Some(Kind::Array));
        let items = listed.map_or(0, |list| json::elements(list).count());
        ListSize { pages: 1, more: false, items, bytes: listed.map_or(0, str::len) }
    }

    fn exceeded(&self, size: ListSize) -> Option<ListTooLarge> {
        [
            ("pages", size.pages + usize::from(size.more), self.pages, "limits.list_pages"),
            ("entries", size.items, self.items, "limits.list_items"),
            ("bytes", size.bytes, self.bytes, "limits.list_bytes"),
        ]
        .into_iter()
        .find(|(_, is, bound, _)| is > bound)
        .map(|(what, _, bound, key)| ListTooLarge { what, bound, key, size })
    }
}

impl ListTooLarge {
    fn error(&self, method: &str) -> Error {
        let ListTooLarge { what, bound, key, size } = self;
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
struct Collected {
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

impl Collected {
    fn add(&mut self, result: &str, key: &str) -> Result<(), String> {
        let listed = json::member(result, key).filter(|list| json::kind(list) == Some(Kind::Array));
        let Some(listed) = listed else { return Err(format!("the result has no list '{key}'")) };
        let ttl = lenient::member(result, "ttlMs").and_then(lenient::number);
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
    fn size(&self, more: bool) -> ListSize {
        let bytes = self.rest.len() + self.items.len() + self.cursor_bytes;
        ListSize { pages: self.seen, more, items: self.count, bytes }
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

/// What a further page of a list means.
pub(crate) enum Paged {
    /// The list came in this one page.
    Single,
    /// The server has more: the cursor for the next request, JSON text.
    More(String),
    /// The list is complete: the text of one result.
    Complete(String),
}

/// The lists whose pages are being collected, by their calls.
#[derive(Default, Debug)]
pub(crate) struct ListPages {
    by_call: ById<Collected>,
}

impl ListPages {
    /// A call that collects all pages was answered with a page. `key` is the member that has the entries.
    ///
    /// # Errors
    /// What ends the call: the page cannot be used, a cursor came a second time, or the list is larger than allowed. The pages so
    /// far are released.
    pub(crate) fn add(
        &mut self,
        call: u64,
        method: &str,
        key: &str,
        result: &str,
        limits: &ListLimits,
    ) -> Result<Paged, Error> {
        let next = lenient::next_page(result);
        let mut pages = self.by_call.remove(&call).unwrap_or_default();
        let within = |size| limits.exceeded(size).map_or(Ok(()), |over| Err(over.error(method)));
        if next == NextPage::End && pages.seen == 0 {
            return within(limits.measure(result, key)).map(|()| Paged::Single);
        }
        let broken = |why: String| Error::new(Status::Protocol, method, why);
        pages.add(result, key).map_err(broken)?;
        let cursor = match next {
            NextPage::End => {
                within(pages.size(false))?;
                return Ok(Paged::Complete(pages.whole(key)));
            }
            NextPage::At(cursor) => cursor,
            NextPage::Unreadable(cursor) => {
                let what = format!("the list's 'nextCursor' is {}, which is not a string", excerpt(cursor));
                return Err(broken(what));
            }
        };
        let plain = json::string(cursor).unwrap_or_default();
        pages.cursor_bytes += plain.len();
        if !pages.cursors.insert(plain.as_ref().into()) {
            let why = format!(
                "the server gave the cursor {} a second time, after {} pages; following it would never end",
                excerpt(cursor),
                pages.seen
            );
            return Err(broken(why).with("cursor", excerpt(&plain)).with("pages", pages.seen));
        }
        within(pages.size(true))?;
        self.by_call.insert(call, pages);
        Ok(Paged::More(cursor.to_owned()))
    }

    /// A call has ended or begins again: its pages are not wanted any more.
    pub(crate) fn forget(&mut self, call: u64) {
        self.by_call.remove(&call);
    }

    /// Whether pages of a call were collected.
    pub(crate) fn holds(&self, call: u64) -> bool {
        self.by_call.contains_key(&call)
    }

    #[cfg(test)]
    pub(crate) fn is_empty(&self) -> bool {
        self.by_call.is_empty()
    }
}
