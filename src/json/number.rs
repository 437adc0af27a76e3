//! Numbers: their form (RFC 8259, section 6), and the exact integers among them. Never turns one into floating point.

/// Walks over the number that begins at `start` and gives the byte after it, or the place where a digit is missing.
/// What follows the number is for the caller to judge.
#[inline]
pub(super) fn number(text: &[u8], start: usize) -> Result<usize, usize> {
    let mut at = start;
    if text.get(at) == Some(&b'-') {
        at += 1;
    }
    // A leading zero stands alone.
    at = if text.get(at) == Some(&b'0') { at + 1 } else { digits(text, at)? };
    if text.get(at) == Some(&b'.') {
        at = digits(text, at + 1)?;
    }
    if matches!(text.get(at), Some(b'e' | b'E')) {
        at += 1;
        if matches!(text.get(at), Some(b'+' | b'-')) {
            at += 1;
        }
        at = digits(text, at)?;
    }
    Ok(at)
}

/// Walks over one digit or more.
#[inline]
fn digits(text: &[u8], start: usize) -> Result<usize, usize> {
    let mut at = start;
    while text.get(at).is_some_and(u8::is_ascii_digit) {
        at += 1;
    }
    if at == start { Err(at) } else { Ok(at) }
}

/// The value of a number that is written as an integer and fits: `1`, `-3`. Not `1.0`, not `1e3`, not `01`.
pub fn integer(value: &str) -> Option<i64> {
    let value = value.trim_matches(super::value::is_space);
    let digits = value.strip_prefix('-').unwrap_or(value);
    let well_formed = match digits.as_bytes() {
        [b'0'] => true,
        [b'1'..=b'9', rest @ ..] => rest.iter().all(u8::is_ascii_digit),
        _ => false,
    };
    if well_formed { value.parse().ok() } else { None }
}
