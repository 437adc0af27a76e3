//! Cursors of lists: opaque to clients, and the same in every process that registered the same entries in the same order.
//!
//! A cursor names its list and the place of the last entry that was given. It steers nothing but where a page begins, so it is
//! checked against mistakes and guesses, not sealed: what a client may see is decided for each page again.

use super::registry::Kind;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

/// The cursor of the page that follows the place `after` of a list.
pub(super) fn write(list: Kind, after: u64) -> String {
    let mut bytes = vec![tag(list)];
    bytes.extend_from_slice(&after.to_be_bytes());
    bytes.extend_from_slice(&check(&bytes).to_be_bytes());
    URL_SAFE_NO_PAD.encode(bytes)
}

/// The place that a cursor of this list names; `None` for anything else, cursors of other lists among it (S-PA-01).
pub(super) fn read(list: Kind, text: &str) -> Option<u64> {
    let bytes = URL_SAFE_NO_PAD.decode(text).ok()?;
    let (body, sum) = bytes.split_last_chunk::<4>()?;
    let (list_tag, place) = body.split_first()?;
    let is_ours = *list_tag == tag(list) && u32::from_be_bytes(*sum) == check(body);
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
fn check(bytes: &[u8]) -> u32 {
    bytes.iter().fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(*byte)).wrapping_mul(0x0100_0193))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_reads_back_in_its_own_list_only() {
        let cursor = write(Kind::Tool, 77);
        assert_eq!(read(Kind::Tool, &cursor), Some(77));
        assert_eq!(read(Kind::Prompt, &cursor), None);
    }

    #[test]
    fn what_is_no_cursor_is_refused() {
        let good = write(Kind::Tool, 1);
        for bad in ["", "x", "1", "AAAA", &good[1..], &good.replace('A', "B"), "\u{e9}"] {
            assert_eq!(read(Kind::Tool, bad), None, "{bad}");
        }
    }
}
