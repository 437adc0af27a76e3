//! Text that is decoded for C and kept as long as the message or document that it is part of, so that a program has nothing
//! to free. Each string is decoded once, so that reading it again takes no more memory.
//!
//! There is no lock, which a thread could hold while another one forks: strings are found by where they begin, in lists that
//! only grow, one for each stretch of the text. A list is short, however the text is made, since strings do not overlap.

// Entries are shared until the whole is dropped.
#![allow(clippy::disallowed_methods)]

use crate::json::Raw;
use std::ffi::c_char;
use std::sync::atomic::{AtomicPtr, Ordering};

/// The bytes of text for each list.
const STRETCH: usize = 256;

/// The decoded strings of one text.
#[derive(Debug, Default)]
pub(super) struct Decoded {
    /// A list for each stretch, once there is a string.
    lists: AtomicPtr<Lists>,
}

#[derive(Debug)]
struct Lists(Vec<AtomicPtr<Entry>>);

#[derive(Debug)]
struct Entry {
    /// Where the string begins.
    start: usize,
    /// What it spells, with a NUL behind it.
    text: Box<[u8]>,
    next: *mut Entry,
}

impl Decoded {
    /// The text of the string that begins at `start` of a text of `length` bytes: where it is, and its length without the NUL.
    /// `None` without memory.
    pub(super) fn text(
        &self,
        length: usize,
        start: usize,
        string: Raw<'_>,
    ) -> Option<(*const c_char, usize)> {
        let list = self.lists(length)?.get(start / STRETCH)?;
        let mut first = list.load(Ordering::Acquire);
        if let Some(known) = find(first, start) {
            return Some(known);
        }
        let entry = Box::into_raw(Box::new(Entry { start, text: with_nul(string)?, next: first }));
        loop {
            // SAFETY: no other thread has seen it.
            unsafe { (*entry).next = first };
            match list.compare_exchange(first, entry, Ordering::AcqRel, Ordering::Acquire) {
                Ok(_) => return find(entry, start),
                Err(now) => first = now,
            }
            if let Some(known) = find(first, start) {
                // SAFETY: as above.
                drop(unsafe { Box::from_raw(entry) });
                return Some(known);
            }
        }
    }

    fn lists(&self, length: usize) -> Option<&[AtomicPtr<Entry>]> {
        let mut known = self.lists.load(Ordering::Acquire);
        if known.is_null() {
            let count = length / STRETCH + 1;
            let mut lists = Vec::new();
            lists.try_reserve_exact(count).ok()?;
            lists.resize_with(count, AtomicPtr::default);
            let made = Box::into_raw(Box::new(Lists(lists)));
            known = match self.lists.compare_exchange(known, made, Ordering::AcqRel, Ordering::Acquire) {
                Ok(_) => made,
                Err(other) => {
                    // SAFETY: no other thread has seen it.
                    drop(unsafe { Box::from_raw(made) });
                    other
                }
            };
        }
        // SAFETY: it stays until `self` is dropped.
        Some(unsafe { &(*known).0 })
    }
}

/// The text in a list whose string begins at `start`.
fn find(first: *mut Entry, start: usize) -> Option<(*const c_char, usize)> {
    let mut at = first;
    // SAFETY: entries stay until the whole is dropped, and do not change.
    while let Some(entry) = unsafe { at.as_ref() } {
        if entry.start == start {
            return Some((entry.text.as_ptr().cast(), entry.text.len().saturating_sub(1)));
        }
        at = entry.next;
    }
    None
}

fn with_nul(string: Raw<'_>) -> Option<Box<[u8]>> {
    let mut text = Vec::new();
    text.try_reserve_exact(string.written_length() + 1).ok()?;
    string.decode_into(&mut text);
    text.push(0);
    Some(text.into_boxed_slice())
}

impl Drop for Decoded {
    fn drop(&mut self) {
        let lists = *self.lists.get_mut();
        if lists.is_null() {
            return;
        }
        // SAFETY: it came from a box, and no other thread uses it any more.
        for list in unsafe { Box::from_raw(lists) }.0 {
            let mut at = list.into_inner();
            while !at.is_null() {
                // SAFETY: as above.
                at = unsafe { Box::from_raw(at) }.next;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::Node;

    #[test]
    fn threads_that_decode_the_same_strings_are_given_the_same_texts() {
        let text: String =
            format!("[{}]", (0..500).map(|n| format!(r#""\u0041{n}""#)).collect::<Vec<_>>().join(","));
        let decoded = Decoded::default();
        let read = || {
            let mut found = Vec::new();
            let mut node = Node::root(text.as_bytes()).and_then(|root| root.first(text.as_bytes()));
            while let Some(here) = node {
                let string = here.string(text.as_bytes()).expect("a string");
                let (place, length) = decoded.text(text.len(), here.span.start, string).expect("memory");
                found.push((place.addr(), length));
                node = here.next(text.as_bytes());
            }
            found
        };
        let all: Vec<Vec<(usize, usize)>> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..8).map(|_| scope.spawn(read)).collect();
            threads.into_iter().map(|thread| thread.join().expect("no panic")).collect()
        });
        assert_eq!(all[0].len(), 500);
        assert!(all.iter().all(|found| *found == all[0]));
        let string = Node::root(br#""x""#).and_then(|root| root.string(br#""x""#)).expect("a string");
        assert_eq!(decoded.text(text.len(), usize::MAX, string), None, "a place behind the text has no list");
    }
}
