//! The only module where C pointers become Rust values and back. Each kind of ownership has its own functions: text that is
//! borrowed for a call, values that are written out, strings and messages whose ownership moves to C and back.

#![allow(clippy::disallowed_methods)]

use super::guard::{forked_error, invalid, null};
use super::handles::{Slots, mcp_message_t};
use super::memory;
use super::objects::{Content, no_memory};
use crate::client::Message;
use crate::engine::Error;
use crate::json::Raw;
use crate::transport::process::per_process::generation;
use std::ffi::{CStr, c_char};
use std::sync::atomic::{AtomicPtr, Ordering};

/// What is larger than this is asked of the system before it is worked on.
const LARGE: usize = 64 * 1024;

/// Text that C lends for the length of a call. NULL is `None`.
///
/// # Errors
/// `INVALID_ARGUMENT` when it is not UTF-8; `NO_MEMORY` when the system has no memory for something as large.
pub(super) fn text<'a>(pointer: *const c_char, name: &str) -> Result<Option<&'a str>, Error> {
    let Some(bytes) = terminated(pointer) else { return Ok(None) };
    if bytes.len() > LARGE && !memory::is_free(bytes.len().saturating_mul(2)) {
        return Err(no_memory(name));
    }
    match simdutf8::compat::from_utf8(bytes) {
        Ok(text) => Ok(Some(text)),
        Err(error) => {
            let offset = error.valid_up_to();
            Err(invalid(name, format_args!("is not UTF-8 (at byte {offset})")).with("offset", offset))
        }
    }
}

/// Bytes that are borrowed from C for the duration of a call. `None` for NULL or an empty slice.
pub(super) fn bytes<'a>(pointer: *const c_char, length: usize) -> Option<&'a [u8]> {
    if pointer.is_null() || length == 0 || isize::try_from(length).is_err() {
        return None;
    }
    // SAFETY: the contract says that this number of bytes is readable and unchanged until the call returns.
    Some(unsafe { std::slice::from_raw_parts(pointer.cast::<u8>(), length) })
}

/// The bytes of text that ends with a NUL, which C lends for the length of a call. NULL is `None`.
pub(super) fn terminated<'a>(pointer: *const c_char) -> Option<&'a [u8]> {
    // SAFETY: the contract says that text in is NUL-terminated and stays as it is until the call returns.
    (!pointer.is_null()).then(|| unsafe { CStr::from_ptr(pointer) }.to_bytes())
}

/// Names and values.
#[cfg(all(feature = "server", feature = "http"))]
pub(super) type Pairs<'a> = Vec<(&'a [u8], &'a [u8])>;

/// Names and values in turn, ended by NULL, which C lends for the length of a call: at most so many pairs, and none for NULL.
///
/// # Errors
/// `INVALID_ARGUMENT` when a name has no value.
#[cfg(all(feature = "server", feature = "http"))]
pub(super) fn pairs<'a>(pointer: *const *const c_char, most: usize, name: &str) -> Result<Pairs<'a>, Error> {
    let mut found = Vec::new();
    while !pointer.is_null() && found.len() < most {
        // SAFETY: the contract says that the list ends with NULL, which was not reached yet.
        let Some(key) = terminated(unsafe { pointer.add(2 * found.len()).read() }) else { break };
        // SAFETY: as above; behind a name there is at least the end.
        let Some(value) = terminated(unsafe { pointer.add(2 * found.len() + 1).read() }) else {
            let what = format_args!("has a name without a value at its end: {}", found.len());
            return Err(invalid(name, what));
        };
        found.push((key, value));
    }
    Ok(found)
}

/// Writes bytes to a place of C's that has room for them.
pub(super) fn write_bytes(place: *mut c_char, bytes: &[u8]) {
    // SAFETY: the contract says that so many bytes can be written there; memory of ours is elsewhere.
    unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), place.cast::<u8>(), bytes.len()) };
}

/// The members that a struct of C's begins with: its size and its version.
pub(super) fn size_and_version<T>(pointer: *const T) -> (u32, u32) {
    // SAFETY: the contract says that a non-NULL pointer is to such a struct of at least these two members.
    unsafe { pointer.cast::<[u32; 2]>().read() }.into()
}

/// A struct of C's that says that it is at least as large as `T`.
pub(super) fn whole<T: Copy>(pointer: *const T) -> T {
    // SAFETY: the contract says that it is as large as it says.
    unsafe { pointer.read() }
}

/// Text that must be there.
///
/// # Errors
/// `INVALID_ARGUMENT` when it is NULL or not UTF-8.
pub(super) fn needed_text<'a>(pointer: *const c_char, name: &str) -> Result<&'a str, Error> {
    text(pointer, name)?.ok_or_else(|| null(name))
}

/// Writes an out-parameter, unless C does not want it.
pub(super) fn write<T>(out: *mut T, value: T) {
    if !out.is_null() {
        // SAFETY: the contract says that a non-NULL out-parameter points to a place of its type to write to.
        unsafe { out.write(value) };
    }
}

/// Places of out-parameters: one, or several as a tuple.
pub(super) trait Outs: Copy {
    /// Makes them NULL, 0 or false, where C wants them.
    fn clear(self);
}

impl<T: Copy> Outs for *mut T {
    fn clear(self) {
        if !self.is_null() {
            // SAFETY: as in `write`; pointers, numbers and booleans are what is given through out-parameters, and have this value.
            unsafe { self.write_bytes(0, 1) };
        }
    }
}

impl Outs for () {
    fn clear(self) {}
}

impl<A: Outs, B: Outs> Outs for (A, B) {
    fn clear(self) {
        self.0.clear();
        self.1.clear();
    }
}

/// Clears out-parameters, which every export does before anything else: what is in them may be freed or read whatever comes.
pub(super) fn clear(outs: impl Outs) {
    outs.clear();
}

/// Gives text away as a C string, which `mcp_string_free` takes back. `None` when no memory is left.
pub(super) fn give_text(text: &str) -> Option<*mut c_char> {
    let length = text.len();
    // SAFETY: the size is not zero; the result is checked. `malloc` because text may hold NUL characters, so that its
    // length could not be found again when it is freed.
    let memory = unsafe { libc::malloc(length + 1) }.cast::<u8>();
    if memory.is_null() {
        return None;
    }
    // SAFETY: `memory` has room for the text and one byte more, and cannot overlap with it.
    unsafe {
        std::ptr::copy_nonoverlapping(text.as_ptr(), memory, length);
        memory.add(length).write(0);
    }
    Some(memory.cast())
}

/// Takes back what [`give_text`] gave. NULL is fine.
pub(super) fn take_text(pointer: *mut c_char) {
    // SAFETY: the contract says that it came from this library and is given back once; `free` takes NULL.
    unsafe { libc::free(pointer.cast()) };
}

/// What a handle names: a message, or what a program reads and writes JSON with.
#[derive(Debug)]
pub(super) struct Held {
    /// The process that it belongs to: a child of `fork` may read what is its parent's, and not free it.
    process: u64,
    pub(super) content: Content,
    /// The strings in it that the program had decoded.
    pub(super) decoded: Decoded,
}

impl Held {
    /// Whether it belongs to this process.
    pub(super) fn is_ours(&self) -> bool {
        self.process == generation()
    }
}

/// What marks these handles, beside the marks of the other kinds.
const MARK: usize = 4;

static HELD: Slots<Held, MARK> = Slots::new();

/// Gives something away, which [`take`] takes back. `None` when no memory is left.
pub(super) fn give<T>(content: Content) -> Option<*mut T> {
    let held = Box::into_raw(Box::new(Held { process: generation(), content, decoded: Decoded::default() }));
    match HELD.add(held) {
        Some(handle) => Some(std::ptr::without_provenance_mut(handle)),
        None => {
            // SAFETY: it came from a box just now.
            drop(unsafe { Box::from_raw(held) });
            None
        }
    }
}

/// Gives a message away, which `mcp_message_free` takes back. `None` when no memory is left.
pub(super) fn give_message(message: Message) -> Option<*mut mcp_message_t> {
    give(Content::Message(message))
}

/// What a handle names, lent for the length of a call.
#[inline]
pub(super) fn held<'a>(handle: usize) -> Option<&'a Held> {
    // SAFETY: what is found is live, and the contract says that no thread frees it while another one uses it.
    unsafe { HELD.get(handle).as_ref() }
}

/// A message that C lends for the length of a call.
///
/// # Errors
/// `INVALID_ARGUMENT` when it is NULL, was freed, or never was a message.
#[inline]
pub(super) fn message<'a>(pointer: *const mcp_message_t) -> Result<&'a Message, Error> {
    message_of(pointer, "message")
}

/// The same for a parameter of another name.
#[inline]
pub(super) fn message_of<'a>(pointer: *const mcp_message_t, name: &str) -> Result<&'a Message, Error> {
    match held(pointer.addr()) {
        Some(Held { content: Content::Message(message), .. }) => Ok(message),
        _ if pointer.is_null() => Err(null(name)),
        _ => Err(invalid(name, "is no live message: was it freed?")),
    }
}

/// The error for a handle that names nothing of its kind.
#[cold]
pub(super) fn dead(name: &str, handle: usize) -> Error {
    if handle == 0 {
        return null(name);
    }
    invalid(name, format_args!("is no live {name}: was it freed?"))
}

/// Takes something back.
///
/// # Errors
/// `INVALID_ARGUMENT` when it was freed, or never was one of its kind; `FORKED` when it is the parent's.
pub(super) fn take(handle: usize, name: &str, is_kind: fn(&Content) -> bool) -> Result<(), Error> {
    if handle == 0 {
        return Ok(());
    }
    let found = held(handle).filter(|held| is_kind(&held.content));
    if found.is_some_and(|held| !held.is_ours()) {
        return Err(forked_error());
    }
    let held = if found.is_some() { HELD.remove(handle) } else { std::ptr::null_mut() };
    if held.is_null() {
        return Err(dead(name, handle));
    }
    // SAFETY: it came from `give`, and the table gives it to one thread only.
    drop(unsafe { Box::from_raw(held) });
    Ok(())
}

/// The argument of a callback of the application's, and its destructor.
#[derive(Debug)]
pub(super) struct UserData {
    user: *mut std::ffi::c_void,
    destroy: Option<unsafe extern "C" fn(*mut std::ffi::c_void)>,
}

// SAFETY: the library only passes it on; the contract says that callbacks may come on a thread of the library's.
unsafe impl Send for UserData {}
// SAFETY: as above.
unsafe impl Sync for UserData {}

impl UserData {
    pub(super) fn new(
        user: *mut std::ffi::c_void,
        destroy: Option<unsafe extern "C" fn(*mut std::ffi::c_void)>,
    ) -> UserData {
        UserData { user, destroy }
    }

    /// The argument. A method, so that a closure captures the whole, which may go to other threads, and not the bare
    /// pointer, which may not.
    pub(super) fn get(&self) -> *mut std::ffi::c_void {
        self.user
    }
}

impl Drop for UserData {
    fn drop(&mut self) {
        if let Some(destroy) = self.destroy {
            // SAFETY: the contract says that it may be called once with `user`, after the last call; this is that.
            super::panics::of_program(|| unsafe { destroy(self.user) });
        }
    }
}

/// The bytes of text for each list.
const STRETCH: usize = 256;

/// The decoded strings of one message or document, which are kept as long as it is, so that a program has nothing to free. Each string
/// is decoded once, so that reading it again takes no more memory.
///
/// There is no lock, which a thread could hold while another one forks: strings are found by where they begin, in lists that
/// only grow, one for each stretch of the text. A list is short, however the text is made, since strings do not overlap.
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
