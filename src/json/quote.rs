//! Writes text as a JSON string.

use super::unescaped_run::unescaped_run;

/// Appends `text` to `out` as a JSON string, quotes included, with as few and as short escapes as the grammar allows:
/// the quote, the backslash and the control characters.
pub fn quote_into(text: &str, out: &mut String) {
    out.reserve(text.len() + 2);
    out.push('"');
    let mut rest = text;
    // A byte that needs an escape is ASCII, so both cuts are between characters.
    while let Some((text, stop)) = rest.split_at_checked(unescaped_run(rest.as_bytes(), 0).end) {
        let Some((escape, left)) = stop.split_at_checked(1) else { break };
        out.push_str(text);
        push_escape(escape, out);
        rest = left;
    }
    out.push_str(rest);
    out.push('"');
}

/// How many bytes [`quote_into`] appends for `text`.
pub fn quoted_length(text: &str) -> usize {
    let more = |byte: u8| match byte {
        b'"' | b'\\' | 0x08 | 0x0c | b'\n' | b'\r' | b'\t' => 1,
        0..=0x1f => 5,
        _ => 0,
    };
    text.bytes().map(more).sum::<usize>().saturating_add(text.len()).saturating_add(2)
}

/// `text` as a JSON string, as [`quote_into`] writes it.
pub fn quote(text: &str) -> String {
    let mut out = String::new();
    quote_into(text, &mut out);
    out
}

fn push_escape(escape: &str, out: &mut String) {
    match escape {
        "\"" => out.push_str("\\\""),
        "\\" => out.push_str("\\\\"),
        "\u{8}" => out.push_str("\\b"),
        "\u{c}" => out.push_str("\\f"),
        "\n" => out.push_str("\\n"),
        "\r" => out.push_str("\\r"),
        "\t" => out.push_str("\\t"),
        _ => {
            out.push_str("\\u00");
            for byte in escape.bytes() {
                out.extend(
                    [byte >> 4, byte & 15].iter().filter_map(|digit| char::from_digit(u32::from(*digit), 16)),
                );
            }
        }
    }
}
