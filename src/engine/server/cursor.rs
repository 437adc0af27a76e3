//! Cursors of lists: opaque to clients, and the same in every process that registered the same entries in the same order.
//!
//! A cursor names its list and the place of the last entry that was given. It steers nothing but where a page begins, so it is
//! checked against mistakes and guesses, not sealed: what a client may see is decided for each page again.

use super::registry::Kind;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

/// The cursor of the page that follows the place `after` of a list.
pub(super) fn write(list: Kind, after: u64) -> String {
    write_of(tag(list), "", after)
}

/// The place that a cursor of this list names; `None` for anything else, cursors of other lists among it (S-PA-01).
pub(super) fn read(list: Kind, text: &str) -> Option<u64> {
    read_of(tag(list), "", text)
}

/// The same for a list that is not one of the registry: `list` is its letter, and `name` which of several it is.
pub(super) fn write_of(list: u8, name: &str, after: u64) -> String {
    let mut bytes = vec![list];
    bytes.extend_from_slice(&after.to_be_bytes());
    bytes.extend_from_slice(&check(&bytes, name).to_be_bytes());
    URL_SAFE_NO_PAD.encode(bytes)
}

/// The place that a cursor of [`write_of`] names.
pub(super) fn read_of(list: u8, name: &str, text: &str) -> Option<u64> {
    let bytes = URL_SAFE_NO_PAD.decode(text).ok()?;
    let (body, sum) = bytes.split_last_chunk::<4>()?;
    let (own, place) = body.split_first()?;
    let is_ours = *own == list && u32::from_be_bytes(*sum) == check(body, name);
    is_ours.then_some(u64::from_be_bytes(place.try_into().ok()?))
}

fn tag(list: Kind) -> u8 {
    match list {
        Kind::Tool => b't',
        Kind::Resource => b'r',
        Kind::Template => b'u',
        Kind::Prompt => b'p',
    }
}

/// FNV-1a: a slip of one byte is noticed.
fn check(bytes: &[u8], name: &str) -> u32 {
    bytes
        .iter()
        .chain(name.as_bytes())
        .fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(*byte)).wrapping_mul(0x0100_0193))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_reads_back_in_its_own_list_only() {
        let cursor = write(Kind::Tool, 77);
        assert_eq!(read(Kind::Tool, &cursor), Some(77));
        assert_eq!(read(Kind::Prompt, &cursor), None);
        let cursor = write_of(b'd', "x", 3);
        assert_eq!(read_of(b'd', "x", &cursor), Some(3));
        assert_eq!(read_of(b'd', "y", &cursor), None);
        assert_eq!(read_of(b's', "x", &cursor), None);
    }

    #[test]
    fn what_is_no_cursor_is_refused() {
        let good = write(Kind::Tool, 1);
        for bad in ["", "x", "1", "AAAA", &good[1..], &good.replace('A', "B"), "\u{e9}"] {
            assert_eq!(read(Kind::Tool, bad), None, "{bad}");
        }
    }
}
