//! What is compiled for more than one processor reads the same everywhere.

use super::super::body::{body, body_anywhere};
use super::super::decode::{decode, decode_anywhere};
use super::super::unescaped_run::{Stretch, far, far_anywhere};
use proptest::prelude::*;

proptest! {
    /// The plain loops and those for this processor, whichever it is, see the same.
    #[test]
    fn every_processor_reads_the_same(
        text in prop::collection::vec(
            prop::sample::select(vec!["a", "abcdefghijklmnopqrstuvwxyz", "\\n", "\\\\", "\\u00e9", "\\ud83d\\ude00", "é", "\"", "\n", "\\x"]),
            0..60,
        ),
        lead in 0..70usize,
    ) {
        let text = format!("{}{}\"", "x".repeat(lead), text.concat());
        let text = text.as_bytes();
        let start = Stretch { end: 0, ascii: true };
        let (one, other) = (far(text, start), far_anywhere(text, start));
        prop_assert_eq!((one.end, one.ascii), (other.end, other.ascii));
        match (body(text, one), body_anywhere(text, other)) {
            (Ok(one), Ok(other)) => {
                prop_assert_eq!((one.end, one.escaped, one.ascii), (other.end, other.escaped, other.ascii));
            }
            (Err(one), Err(other)) => prop_assert_eq!((one.at, one.what), (other.at, other.what)),
            _ => prop_assert!(false, "they do not agree"),
        }
        let (mut spelled, mut other) = (Vec::new(), Vec::new());
        prop_assert_eq!(decode(text, 0, &mut spelled), decode_anywhere(text, 0, &mut other));
        prop_assert_eq!(spelled, other);
    }
}
