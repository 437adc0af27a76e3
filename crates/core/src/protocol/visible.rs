//! What a person sees of a text that others wrote. A control character can move the cursor, rename the window or answer for the
//! person; a mark that turns the direction of writing, or has no width, lets one text look like another.
//!
//! Hidden are C0 and C1, DEL, the line and paragraph separators, interlinear annotations, and what Unicode calls
//! `Default_Ignorable_Code_Point` (UAX #44). Of these stay only those that the character before them needs: a joiner behind a
//! letter whose form it changes, or between two emoji; one variation selector behind a character that has variants.

use std::borrow::Cow;
use std::fmt::Write as _;

/// Whether a character shows nothing by itself, or changes how others are shown.
pub fn is_hidden(c: char) -> bool {
    matches!(u32::from(c),
        0..=0x1F | 0x7F..=0x9F | 0xAD | 0x34F | 0x61C | 0x115F | 0x1160 | 0x17B4 | 0x17B5 | 0x180B..=0x180F
        | 0x200B..=0x200F | 0x2028..=0x202E | 0x2060..=0x206F | 0x3164 | 0xFE00..=0xFE0F | 0xFEFF | 0xFFA0
        | 0xFFF0..=0xFFFB | 0x1BCA0..=0x1BCA3 | 0x1D173..=0x1D17A | 0xE0000..=0xE0FFF)
}

/// Whether a hidden character between these two stays.
fn stays(before: Option<char>, c: char, after: Option<char>) -> bool {
    let Some(before) = before else { return false };
    match u32::from(c) {
        0x200C => is_shaped(before),
        0x200D => is_shaped(before) || (is_emoji(before) && after.is_some_and(is_pictograph)),
        0xFE0E | 0xFE0F => {
            is_pictograph(before)
                || (matches!(before, '0'..='9' | '#' | '*') && after == Some('\u{20e3}'))
                || is_ideograph(before)
        }
        0xFE00..=0xFE0D | 0xE0100..=0xE01EF => is_ideograph(before),
        0x180B..=0x180D | 0x180F => matches!(u32::from(before), 0x1820..=0x18AA),
        _ => false,
    }
}

/// A letter or mark of a script in which a joiner changes forms: Arabic and its like, those of India and its neighbours.
fn is_shaped(c: char) -> bool {
    let number = u32::from(c);
    !is_hidden(c)
        && matches!(number, 0x620..=0xDFF | 0x1000..=0x109F | 0x1780..=0x18AF | 0x1900..=0x1CFF | 0xA840..=0xAAFF
            | 0xFB50..=0xFDFF | 0xFE70..=0xFEFC | 0x10A00..=0x10FFF | 0x11000..=0x11FFF)
}

/// What a joiner may follow in an emoji.
fn is_emoji(c: char) -> bool {
    is_pictograph(c) || c == '\u{fe0f}'
}

fn is_pictograph(c: char) -> bool {
    matches!(u32::from(c), 0xA9 | 0xAE | 0x203C | 0x2049 | 0x2122 | 0x2139 | 0x2190..=0x2BFF | 0x3030 | 0x303D | 0x3297
        | 0x3299 | 0x1F000..=0x1FAFF)
}

fn is_ideograph(c: char) -> bool {
    matches!(u32::from(c), 0x3400..=0x9FFF | 0xF900..=0xFAFF | 0x20000..=0x3FFFF)
}

/// Appends a text. What is hidden, and what `is_foreign` says of the others, is written by `escape`.
pub fn visible_into(
    text: &str,
    out: &mut String,
    is_foreign: impl Fn(char) -> bool,
    mut escape: impl FnMut(char, &mut String),
) {
    out.reserve(text.len());
    let mut before = None;
    let mut rest = text.chars();
    while let Some(c) = rest.next() {
        if is_foreign(c) || (is_hidden(c) && !stays(before, c, rest.clone().next())) {
            escape(c, out);
            before = None;
        } else {
            out.push(c);
            before = Some(c);
        }
    }
}

/// A text for people: line breaks and tabs stay, other controls are their pictures (U+2400 and so on), and what else is hidden is
/// its number, such as `[U+202E]`.
pub fn visible(text: &str) -> Cow<'_, str> {
    let is_layout = |c: char| matches!(c, '\n' | '\t');
    if !text.chars().any(|c| is_hidden(c) && !is_layout(c)) {
        return Cow::Borrowed(text);
    }
    let mut out = String::new();
    visible_into(
        &text.replace("\r\n", "\n"),
        &mut out,
        |_| false,
        |c, out| {
            if is_layout(c) { out.push(c) } else { show(c, out) }
        },
    );
    Cow::Owned(out)
}

/// A hidden character as what people see.
pub fn show(c: char, out: &mut String) {
    match c {
        '\0'..='\u{1f}' => out.extend(char::from_u32(0x2400 + u32::from(c))),
        '\u{7f}' => out.push('\u{2421}'),
        // Writing to a string cannot fail.
        c => drop(write!(out, "[U+{:04X}]", u32::from(c))),
    }
}

/// Appends a valid JSON text: the same value, with what is hidden, and what `is_foreign` says, as `\u`.
pub fn visible_json_into(text: &str, out: &mut String, is_foreign: impl Fn(char) -> bool) {
    visible_into(text, out, is_foreign, |c, out| match c {
        // White space between the values: within strings there is none that is not escaped.
        '\n' | '\t' | '\r' => out.push(c),
        c => {
            for unit in c.encode_utf16(&mut [0; 2]) {
                let _infallible = write!(out, "\\u{unit:04x}");
            }
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn json(text: &str) -> String {
        let mut out = String::new();
        visible_json_into(text, &mut out, |_| false);
        out
    }

    #[test]
    fn what_a_terminal_would_execute_or_not_show_is_shown() {
        assert_eq!(
            visible("a\u{1b}[2Jb\r\n\tc\rd\u{9b}\u{7f}"),
            "a\u{241b}[2Jb\n\tc\u{240d}d[U+009B]\u{2421}"
        );
        assert_eq!(
            visible("x\u{202e}y\u{61c}\u{200b}\u{2028}\u{e0041}"),
            "x[U+202E]y[U+061C][U+200B][U+2028][U+E0041]"
        );
        assert!(matches!(visible("ünïcödé ☃ 天气"), Cow::Borrowed(_)));
    }

    #[test]
    fn every_kind_of_mark_is_hidden() {
        for c in "\u{0}\u{1b}\u{7f}\u{80}\u{9f}\u{ad}\u{61c}\u{180e}\u{200b}\u{200e}\u{200f}\u{2028}\u{2029}\u{202a}\u{202e}\u{2060}\
                  \u{2066}\u{2069}\u{3164}\u{feff}\u{fff9}\u{e0001}\u{e0020}\u{e007f}"
            .chars()
        {
            assert!(is_hidden(c), "{c:?}");
            assert!(!visible(&format!("x{c}y")).contains(c), "{c:?}");
        }
    }

    #[test]
    fn what_a_language_or_an_emoji_needs_stays() {
        for text in [
            "می\u{200c}خواهم",
            "ක්\u{200d}ෂ",
            "👩\u{200d}💻",
            "❤\u{fe0f}\u{200d}🔥",
            "1\u{fe0f}\u{20e3}",
            "葛\u{e0100}",
        ] {
            assert_eq!(visible(text), text);
        }
        for text in [
            "a\u{200c}b",
            "a\u{200d}b",
            "👩\u{200d}x",
            "a\u{fe0f}",
            "می\u{200c}\u{200c}",
            "葛\u{e0100}\u{e0101}",
            "\u{200d}👩",
        ] {
            assert!(visible(text).contains("[U+"), "{text:?}");
        }
    }

    #[test]
    fn json_stays_the_same_value() {
        assert_eq!(
            json("{\"a\u{9b}\": \"\u{202e}\u{e0041}\\u001b\u{7f}\"}\n"),
            "{\"a\\u009b\": \"\\u202e\\udb40\\udc41\\u001b\\u007f\"}\n"
        );
    }

    fn texts() -> impl Strategy<Value = String> {
        let odd = prop::sample::select(
            "a1 \"\\\n\t\r\u{0}\u{1b}\u{7f}\u{9b}\u{200b}\u{200c}\u{200d}\u{202e}\u{2028}\u{fe0e}\u{fe0f}\u{e0041}\u{e0100}م葛👩❤\u{20e3}"
                .chars()
                .collect::<Vec<char>>(),
        );
        prop::collection::vec(prop_oneof![9 => odd, 1 => any::<char>()], 0..40)
            .prop_map(|all| all.into_iter().collect())
    }

    proptest! {
        #[test]
        fn what_was_made_visible_is_and_json_stays_its_value(text in texts()) {
            let seen = visible(&text).into_owned();
            let is_bad = |c: char| (c.is_control() && !matches!(c, '\n' | '\t')) || "\u{200b}\u{202e}\u{2028}\u{e0041}".contains(c);
            prop_assert!(!seen.contains(is_bad));
            prop_assert_eq!(visible(&seen), seen.as_str());
            let value = serde_json::Value::String(text);
            let escaped = json(&value.to_string());
            prop_assert!(!escaped.contains(is_bad));
            prop_assert_eq!(serde_json::from_str::<serde_json::Value>(&escaped).expect("JSON"), value);
        }
    }
}
