//! The loops over strings, compiled once more for processors with AVX2, which take twice as many bytes at a time. Which of
//! the two runs is known when the program runs. Short strings without escapes never come here.

#![cfg_attr(target_arch = "x86_64", allow(unsafe_code))]

use super::body::{Body, Flaw, body_anywhere};
use super::decode::decode_anywhere;
use super::plain::{Stretch, far_anywhere};

/// See [`far_anywhere`].
#[inline(never)]
pub(super) fn far(text: &[u8], stretch: Stretch) -> Stretch {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        // SAFETY: The processor has what the function is compiled for; there is nothing else to it.
        return unsafe { avx2::far(text, stretch) };
    }
    far_anywhere(text, stretch)
}

/// See [`body_anywhere`].
#[inline(never)]
pub(super) fn body(text: &[u8], stretch: Stretch) -> Result<Body, Flaw> {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        // SAFETY: As in `far`.
        return unsafe { avx2::body(text, stretch) };
    }
    body_anywhere(text, stretch)
}

/// See [`decode_anywhere`].
pub(super) fn decode(text: &[u8], start: usize, out: &mut Vec<u8>) -> Option<usize> {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        // SAFETY: As in `far`.
        return unsafe { avx2::decode(text, start, out) };
    }
    decode_anywhere(text, start, out)
}

#[cfg(target_arch = "x86_64")]
mod avx2 {
    use super::{Body, Flaw, Stretch, body_anywhere, decode_anywhere, far_anywhere};

    #[target_feature(enable = "avx2")]
    pub(super) fn far(text: &[u8], stretch: Stretch) -> Stretch {
        far_anywhere(text, stretch)
    }

    #[target_feature(enable = "avx2")]
    pub(super) fn body(text: &[u8], stretch: Stretch) -> Result<Body, Flaw> {
        body_anywhere(text, stretch)
    }

    #[target_feature(enable = "avx2")]
    pub(super) fn decode(text: &[u8], start: usize, out: &mut Vec<u8>) -> Option<usize> {
        decode_anywhere(text, start, out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
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
}
