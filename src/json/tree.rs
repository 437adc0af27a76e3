//! What a tree of a text would take.

/// A value, a name or an element of a list in a usual tree of values.
const VALUE: usize = 32;
/// The least that a list has besides its elements, and an object besides its members.
const LIST: usize = 128;
const OBJECT: usize = 640;

/// About how many bytes a usual tree of the values of a valid text takes, besides its strings: many times the text where that is
/// `[[],[],...]` or `[{"a":1},...]`. To be asked before such a tree is made.
pub fn tree_bytes(text: &str) -> usize {
    let bytes = text.as_bytes();
    let (mut at, mut sum) = (0, VALUE);
    while let Some(byte) = bytes.get(at) {
        at += 1;
        match byte {
            b',' => sum += VALUE,
            b'[' => sum += LIST,
            b'{' => sum += OBJECT,
            b'"' => {
                // To the end of the string.
                while let Some(skip) = memchr::memchr2(b'"', b'\\', bytes.get(at..).unwrap_or_default()) {
                    let is_end = bytes.get(at + skip) == Some(&b'"');
                    at += skip + if is_end { 1 } else { 2 };
                    if is_end {
                        break;
                    }
                }
            }
            _ => {}
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_small_as_text_and_large_as_a_tree_is_found() {
        for (text, expected) in [
            ("1", VALUE),
            (r#""[[[{{,,,\"[[\\""#, VALUE),
            ("[]", VALUE + LIST),
            ("[1,2]", 2 * VALUE + LIST),
            (r#"{"a":{"b,":[]},"c":"\\\"]["}"#, 2 * VALUE + 2 * OBJECT + LIST),
        ] {
            assert_eq!(tree_bytes(text), expected, "{text}");
        }
        assert!(tree_bytes(&format!("[{}]", "[],".repeat(100_000))) > 10_000_000);
        assert!(tree_bytes(&format!("\"{}\"", "[],".repeat(100_000))) < 100);
    }
}
