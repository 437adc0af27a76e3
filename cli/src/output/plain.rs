//! Text of servers without what a terminal would execute: escape sequences could change what a person sees.

/// The text with control characters shown as their pictures (U+2400 and so on), but for line breaks and tabs. Characters that
/// turn the direction of writing, which can make a text look like another one, are left out.
pub fn plain(text: &str) -> String {
    text.replace("\r\n", "\n").chars().filter_map(|c| shown(c, true)).collect()
}

/// The same on one line.
pub fn one_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !line.is_empty() {
            line.push(' ');
        }
        line.extend(word.chars().filter_map(|c| shown(c, false)));
    }
    line
}

fn shown(c: char, breaks: bool) -> Option<char> {
    match c {
        '\n' | '\t' if breaks => Some(c),
        '\u{0}'..='\u{1f}' => char::from_u32(0x2400 + u32::from(c)),
        '\u{7f}' => Some('\u{2421}'),
        '\u{80}'..='\u{9f}' => Some('\u{fffd}'),
        '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => None,
        _ => Some(c),
    }
}

#[cfg(test)]
mod tests {
    use super::{one_line, plain};

    #[test]
    fn escape_sequences_are_shown_and_not_executed() {
        assert_eq!(plain("a\u{1b}[2Jb\r\n\tc\u{9b}"), "a\u{241b}[2Jb\n\tc\u{fffd}");
        assert_eq!(one_line(" a\n b\u{7}\u{202e}c "), "a b\u{2407}c");
        assert_eq!(plain("ünïcödé ☃"), "ünïcödé ☃");
    }
}
