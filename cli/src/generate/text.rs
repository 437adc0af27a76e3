//! Texts of servers in generated code: they end no comment and no literal, and show nothing that hides other text.

use mcp::client::visible;
use std::fmt::Write as _;

/// How long a description in a comment is.
const MOST: usize = 400;

/// One line of visible text: control characters, line breaks of every kind, and characters that change the direction of text or
/// have no width become spaces.
pub fn plain(text: &str, most: usize) -> String {
    let mut out = String::new();
    let mut length = 0;
    for c in text.chars() {
        let c = if is_hidden(c) || c.is_whitespace() { ' ' } else { c };
        if c == ' ' && (out.is_empty() || out.ends_with(' ')) {
            continue;
        }
        if length == most {
            out.truncate(out.trim_end().len());
            out.push_str("...");
            return out;
        }
        out.push(c);
        length += 1;
    }
    out.truncate(out.trim_end().len());
    out
}

fn is_hidden(c: char) -> bool {
    let is_no_character = matches!(c, '\u{fffc}'..='\u{ffff}');
    // Emoji have selectors, which change nothing else.
    let is_selector = matches!(c, '\u{fe00}'..='\u{fe0f}');
    is_no_character || (visible::is_hidden(c) && !is_selector)
}

/// A description for a comment: nothing in it ends a comment of any language, continues a line, or is a directive of a tool.
pub fn comment(text: &str) -> Vec<String> {
    let mut text = plain(text, MOST);
    for (from, to) in [
        ("*/", "* /"),
        ("/*", "/ *"),
        ("??", "? ?"),
        ("\\", "\u{2216}"),
        ("\"\"\"", "\" \" \""),
        ("@", "@ "),
        ("+build", "+ build"),
    ] {
        while text.contains(from) && !to.contains(from) {
            text = text.replace(from, to);
        }
        if to.contains(from) {
            text = text.replace(from, to);
        }
    }
    wrapped(&text, 100)
}

fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines = Vec::new();
    let mut line = String::new();
    for word in text.split(' ').filter(|it| !it.is_empty()) {
        if !line.is_empty() && line.chars().count() + word.chars().count() >= width {
            lines.push(std::mem::take(&mut line));
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    if !line.is_empty() {
        lines.push(line);
    }
    lines
}

/// A text for Markdown and lists: one line, without what would be markup.
pub fn listed(text: &str, most: usize) -> String {
    plain(text, most).replace(['`', '<', '>', '|', '[', ']'], "'")
}

/// A literal of C and C++: ASCII, with octal escapes of three digits, which no digit behind can extend.
pub fn c(text: &str) -> String {
    let mut out = String::from("\"");
    for byte in text.bytes() {
        match byte {
            b'"' => out.push_str("\\\""),
            b'\\' => out.push_str("\\\\"),
            // Two of them begin a trigraph.
            b'?' => out.push_str("\\?"),
            0x20..0x7F => out.push(char::from(byte)),
            _ => {
                let _infallible = write!(out, "\\{byte:03o}");
            }
        }
    }
    out.push('"');
    out
}

/// A literal of Go and Python.
pub fn escaped(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        let _infallible = match c {
            '"' => write!(out, "\\\""),
            '\\' => write!(out, "\\\\"),
            ' '..='~' => write!(out, "{c}"),
            _ if u32::from(c) <= 0xFFFF => write!(out, "\\u{:04x}", u32::from(c)),
            _ => write!(out, "\\U{:08x}", u32::from(c)),
        };
    }
    out.push('"');
    out
}

/// A word of `sh`: ASCII, and each byte of other text as octal digits that `printf` reads.
pub fn shell(text: &str) -> String {
    if text.chars().all(|c| matches!(c, ' '..='~')) {
        return format!("'{}'", text.replace('\'', "'\\''"));
    }
    let mut out = String::from("\"$(printf '");
    for byte in text.bytes().filter(|byte| *byte != 0) {
        let _infallible = write!(out, "\\{byte:03o}");
    }
    out.push_str("')\"");
    out
}

/// A literal of TypeScript, and of JSON.
pub fn typescript(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            ' '..='~' => out.push(c),
            _ => {
                for unit in c.encode_utf16(&mut [0; 2]) {
                    let _infallible = write!(out, "\\u{unit:04x}");
                }
            }
        }
    }
    out.push('"');
    out
}

/// A literal of Java: octal escapes, because those with a number of Unicode are read before it is a literal.
pub fn java(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        let _infallible = match c {
            '"' => write!(out, "\\\""),
            '\\' => write!(out, "\\\\"),
            ' '..='~' => write!(out, "{c}"),
            '\0'..='\u{ff}' => write!(out, "\\{:03o}", u32::from(c)),
            _ => c.encode_utf16(&mut [0; 2]).iter().try_for_each(|unit| write!(out, "\\u{unit:04x}")),
        };
    }
    out.push('"');
    out
}

/// A literal of Swift and Rust.
pub fn swift(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        let _infallible = match c {
            '"' => write!(out, "\\\""),
            '\\' => write!(out, "\\\\"),
            ' '..='~' => write!(out, "{c}"),
            _ => write!(out, "\\u{{{:x}}}", u32::from(c)),
        };
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_comment_has_no_end_in_it() {
        let text =
            comment("a */ b **//* c \\\n#include <x> ??/ \u{2028} d \u{202e} @ts-nocheck \"\"\"").join("\n");
        for bad in ["*/", "/*", "\\", "??", "\u{2028}", "\u{202e}", "@ts", "\"\"\""] {
            assert!(!text.contains(bad), "{bad}: {text}");
        }
        assert!(comment(&"word ".repeat(1000)).iter().all(|line| line.len() <= 110));
    }

    #[test]
    fn a_literal_has_no_end_in_it() {
        let bad = "\"; x(); \"\\ \n\r\0\u{2028}${y}\\(z)??/é😀";
        assert_eq!(c("é7??"), "\"\\303\\2517\\?\\?\"");
        assert_eq!(escaped("😀\n"), "\"\\U0001f600\\u000a\"");
        assert_eq!(typescript("😀"), "\"\\ud83d\\ude00\"");
        assert_eq!(swift("\\(x)\0"), "\"\\\\(x)\\u{0}\"");
        assert_eq!(java("\n7é\\u0022😀"), "\"\\0127\\351\\\\u0022\\ud83d\\ude00\"");
        for literal in [c(bad), escaped(bad), typescript(bad), swift(bad), java(bad)] {
            assert!(literal.is_ascii());
            assert!(!literal.contains(['\n', '\r', '\0']), "{literal}");
            let inside = &literal[1..literal.len() - 1];
            assert!(!inside.replace("\\\\", "").replace("\\\"", "").contains('"'), "{literal}");
        }
    }
}
