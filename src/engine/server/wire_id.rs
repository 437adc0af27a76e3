//! The id of a client's request, in the type it came in.

use crate::json;
use std::sync::Arc;

/// A request's id as JSON text: a string or an integer. The same id has the same text, so that `"a"` and `"\u0061"` are one. Clones
/// share the text.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct WireId(Arc<str>);

impl WireId {
    /// The id that `text` is, unless it is neither a string nor an integer, or has more than `limit` bytes (S-JR-03).
    pub(super) fn read(text: &str, limit: usize) -> Option<WireId> {
        if text.len() > limit {
            return None;
        }
        match text.as_bytes() {
            [b'"', ..] if text.contains('\\') => json::string(text).map(|id| WireId(json::quote(&id).into())),
            [b'"', ..] => Some(WireId(text.into())),
            number => {
                let digits = text.strip_prefix('-').unwrap_or(text).as_bytes();
                if !digits.is_empty() && digits.iter().all(u8::is_ascii_digit) {
                    return Some(WireId(text.into()));
                }
                // Languages without integers write 2 as 2.0.
                json::whole(number).ok().map(|id| WireId(id.to_string().into()))
            }
        }
    }

    /// The id of a request that has become a task, from the task's name.
    pub(super) fn of_task(name: &str) -> WireId {
        WireId(name.into())
    }

    /// The id as it goes back.
    pub(super) fn text(&self) -> &str {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::WireId;

    #[test]
    fn strings_and_integers_are_ids() {
        for text in ["1", "\"1\"", "0", "\"\"", "-7", "9007199254740992", "123456789012345678901234567890"] {
            assert_eq!(WireId::read(text, 64).as_ref().map(WireId::text), Some(text));
        }
        assert_eq!(WireId::read("-2.0", 64), WireId::read("-2", 64));
        assert_eq!(WireId::read("20e-1", 64), WireId::read("2", 64));
        for text in ["null", "true", "1.5", ".0", "1e-1", "1e400", "[1]", "{}", "-", ""] {
            assert_eq!(WireId::read(text, 64), None, "{text}");
        }
    }

    #[test]
    fn an_id_is_the_same_however_its_string_is_escaped() {
        assert_eq!(WireId::read("\"a\"", 64), WireId::read("\"\\u0061\"", 64));
        assert_ne!(WireId::read("1", 64), WireId::read("\"1\"", 64));
    }

    #[test]
    fn a_long_id_is_refused() {
        assert_eq!(WireId::read("\"abc\"", 4), None);
    }
}
