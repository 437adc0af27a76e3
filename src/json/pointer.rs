//! JSON Pointer (RFC 6901): a path into a value.

use std::borrow::Cow;

use super::error::PointerError;
use super::members::{elements, kind, member};
use super::value::Kind;

/// What `pointer` points at in `value`: an error if it is not a JSON Pointer, `None` if nothing is there. Of several
/// members with one name the last one counts, as in [`member`].
pub fn pointer<'a>(value: &'a str, pointer: &str) -> Result<Option<&'a str>, PointerError> {
    check(pointer)?;
    let mut here = value.trim_matches(super::value::is_space);
    // What is before the first '/' is the empty text.
    for token in pointer.split('/').skip(1) {
        match step(here, token) {
            Some(next) => here = next,
            None => return Ok(None),
        }
    }
    Ok(Some(here))
}

/// Section 3: a pointer is a series of tokens, each with a `/` before it, in which `~` occurs as `~0` or `~1` only.
fn check(pointer: &str) -> Result<(), PointerError> {
    if !pointer.is_empty() && !pointer.starts_with('/') {
        return Err(PointerError::NoSlash);
    }
    for (at, _) in pointer.match_indices('~') {
        if !matches!(pointer.as_bytes().get(at + 1), Some(b'0' | b'1')) {
            return Err(PointerError::Tilde(at));
        }
    }
    Ok(())
}

/// Section 4: one step down.
fn step<'a>(value: &'a str, token: &str) -> Option<&'a str> {
    match kind(value)? {
        Kind::Object => member(value, &decoded(token)),
        Kind::Array => elements(value).nth(index(token)?),
        _ => None,
    }
}

/// Section 4: `~1` is `/`, and `~0` is `~`, in this order, so that `~01` is `~1`.
fn decoded(token: &str) -> Cow<'_, str> {
    if token.contains('~') { token.replace("~1", "/").replace("~0", "~").into() } else { token.into() }
}

/// Section 4: an index has no leading zero. `-`, the place after the last element, is where nothing is.
fn index(token: &str) -> Option<usize> {
    let leading_zero = token.len() > 1 && token.starts_with('0');
    if leading_zero || !token.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    token.parse().ok()
}
