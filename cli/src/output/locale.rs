//! Terminals that do not show UTF-8: what the locale says, and text in ASCII for them.

use std::borrow::Cow;
use std::io::IsTerminal;

/// The text for an output: as it is for files, pipes and terminals that show UTF-8.
pub fn shown<'a>(text: &'a str, output: &impl IsTerminal) -> Cow<'a, str> {
    if text.is_ascii() || !needs_ascii(output) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(ascii(text))
}

/// Which characters JSON and YAML have as escapes for an output, besides those that nothing shows: a byte of UTF-8 may be a control
/// character to a terminal of another character set.
pub fn foreign(output: &impl IsTerminal) -> fn(char) -> bool {
    if needs_ascii(output) { |c| !c.is_ascii() } else { |_| false }
}

/// Whether an output is a terminal that does not show UTF-8.
pub fn needs_ascii(output: &impl IsTerminal) -> bool {
    output.is_terminal() && !is_utf8(|name| std::env::var(name).ok())
}

/// What the first variable that is set says. Without one nothing is known, and terminals of today show UTF-8.
fn is_utf8(variable: impl Fn(&str) -> Option<String>) -> bool {
    let set = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().filter_map(variable).find(|value| !value.is_empty());
    set.is_none_or(|value| {
        let value = value.to_ascii_lowercase();
        value.contains("utf-8") || value.contains("utf8")
    })
}

/// The text with the signs of this program in ASCII, and other characters as their numbers.
fn ascii(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '→' => out.push_str("->"),
            '←' => out.push_str("<-"),
            '…' => out.push_str("..."),
            '–' => out.push('-'),
            c if c.is_ascii() => out.push(c),
            c => out.extend(c.escape_unicode()),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_variable_that_is_set_decides() {
        let with = |pairs: &'static [(&str, &str)]| {
            is_utf8(|name| {
                pairs.iter().find(|(other, _)| *other == name).map(|(_, value)| (*value).to_owned())
            })
        };
        assert!(
            with(&[]) && with(&[("LANG", "en_US.UTF-8")]) && with(&[("LC_CTYPE", "C.utf8"), ("LANG", "C")])
        );
        assert!(!with(&[("LC_ALL", "C"), ("LANG", "en_US.UTF-8")]) && !with(&[("LANG", "POSIX")]));
    }

    #[test]
    fn every_character_has_a_form_in_ascii() {
        assert_eq!(ascii("add(a) → {…} ü"), "add(a) -> {...} \\u{fc}");
    }
}
