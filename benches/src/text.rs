//! The text of the `big` tool: one block of [`BLOCK`] bytes, repeated. A contender can therefore check every
//! byte of an answer with one short pattern, and no contender needs the generator in its own language. The
//! block is far longer than what a branch predictor learns by heart, and its lines differ in length and
//! content.

/// Bytes in one block of text, before it is escaped for JSON.
pub const BLOCK: usize = 64 * 1024;

/// The newest revision with the `initialize` handshake.
pub const LEGACY_REVISION: &str = "2025-11-25";

/// The revision with per-request metadata.
pub const MODERN_REVISION: &str = "2026-07-28";

/// One block: prose without any character that JSON escapes, or JSON lines that are full of them.
pub fn block(escapes: bool) -> String {
    // A small linear congruential generator: the same text on every machine and in every run.
    let mut state = 2_463_534_242_u32;
    let mut number = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        state >> 16
    };
    let mut text = String::with_capacity(BLOCK + 256);
    while text.len() < BLOCK {
        let line = if escapes {
            format!(
                "{{\"time\":\"12:{:02}:{:02}\",\"level\":\"{}\",\"file\":\"C:\\srv\\{}.log\",\"bytes\":{},\"text\":\"served{}\"}}\n",
                number() % 60,
                number() % 60,
                ["info", "warning", "debug"][number() as usize % 3],
                number(),
                number() * 7,
                " and counted".repeat(number() as usize % 3)
            )
        } else {
            format!(
                "{} of {} requests were served {}in time; ",
                number(),
                number(),
                "and counted ".repeat(number() as usize % 4)
            )
        };
        text.push_str(&line);
    }
    text.truncate(BLOCK);
    text
}

/// `bytes` of text: the block, repeated and cut.
pub fn repeated(bytes: usize, escapes: bool) -> String {
    let block = block(escapes);
    let mut text = String::with_capacity(bytes);
    while text.len() < bytes {
        text.push_str(&block[..block.len().min(bytes - text.len())]);
    }
    text
}

/// The text as the inside of a JSON string. The block has no other control character than the newline.
pub fn escaped(text: &str) -> String {
    let mut json = String::with_capacity(text.len() + text.len() / 4);
    for character in text.chars() {
        match character {
            '"' => json.push_str("\\\""),
            '\\' => json.push_str("\\\\"),
            '\n' => json.push_str("\\n"),
            other => json.push(other),
        }
    }
    json
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_has_its_size_and_only_the_escaped_kind_needs_escapes() {
        assert_eq!(block(false).len(), BLOCK);
        assert_eq!(block(true).len(), BLOCK);
        assert_eq!(escaped(&block(false)), block(false));
        let grown = escaped(&block(true)).len();
        assert!(grown > BLOCK * 6 / 5, "{grown} of {BLOCK}");
    }

    #[test]
    fn repeated_text_is_the_block_again_and_again() {
        let text = repeated(BLOCK * 2 + 10, true);
        assert_eq!(&text[..BLOCK], &text[BLOCK..BLOCK * 2]);
        assert_eq!(&text[..10], &text[BLOCK * 2..]);
    }
}
