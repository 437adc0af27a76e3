//! `Text`: what may be written for people. Texts of others (servers, files, other machines) become one only by the cleaner, and
//! [`Screen`](super::Screen) writes nothing else: no escape sequence that this program did not make reaches a terminal.

use anstyle::Style;
use mcp::client::visible::{show, visible, visible_into};
use std::borrow::Cow;

/// A text with the styles of this program, and no other control character than line breaks and tabs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Text(String);

impl Text {
    /// Appends a text.
    pub fn push(&mut self, more: impl Into<Text>) {
        self.0.push_str(&more.into().0);
    }

    /// Whether there is nothing in it.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The same without white space at its end.
    pub fn trimmed(mut self) -> Text {
        self.0.truncate(self.0.trim_end().len());
        self
    }

    /// With the escape sequences of its styles.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// A sequence of this program for the terminal, of which no part is a text of others but Base64.
pub(super) fn sequence(own: String) -> Text {
    Text(own)
}

impl From<&str> for Text {
    fn from(text: &str) -> Text {
        Text(visible(text).into_owned())
    }
}

impl From<String> for Text {
    fn from(text: String) -> Text {
        match visible(&text) {
            Cow::Owned(seen) => Text(seen),
            Cow::Borrowed(_) => Text(text),
        }
    }
}

impl From<&String> for Text {
    fn from(text: &String) -> Text {
        text.as_str().into()
    }
}

impl From<Cow<'_, str>> for Text {
    fn from(text: Cow<'_, str>) -> Text {
        text.as_ref().into()
    }
}

impl Extend<Text> for Text {
    fn extend<T: IntoIterator<Item = Text>>(&mut self, texts: T) {
        texts.into_iter().for_each(|text| self.push(text));
    }
}

impl FromIterator<Text> for Text {
    fn from_iter<T: IntoIterator<Item = Text>>(texts: T) -> Text {
        let mut all = Text::default();
        all.extend(texts);
        all
    }
}

/// A text in a style.
pub fn styled(style: Style, text: impl Into<Text>) -> Text {
    Text(format!("{style}{}{style:#}", text.into().0))
}

/// Pieces, one behind the other: texts of this program, of others, and styled ones.
macro_rules! text {
    ($($piece:expr),* $(,)?) => {{
        let mut text = $crate::output::Text::default();
        $(text.push($piece);)*
        text
    }};
}
pub(crate) use text;

/// The beginning of a text: at most so many characters, and a sign that more would follow.
pub fn beginning(text: &str, most: usize) -> String {
    let end = text.char_indices().nth(most).map_or(text.len(), |(end, _)| end);
    if end < text.len() { format!("{}…", &text[..end]) } else { text.to_owned() }
}

/// A text of others on one line.
pub fn one_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !line.is_empty() {
            line.push(' ');
        }
        visible_into(word, &mut line, |_| false, show);
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;
    use anstyle::AnsiColor;

    #[test]
    fn escape_sequences_of_others_are_shown_and_not_executed() {
        assert_eq!(Text::from("a\u{1b}[2Jb\r\n\tc\u{9b}").as_str(), "a\u{241b}[2Jb\n\tc[U+009B]");
        assert_eq!(one_line(" a\n b\u{7}\u{202e}c "), "a b\u{2407}[U+202E]c");
        assert_eq!(one_line("a\u{2028}b\u{85}c"), "a b c");
        assert_eq!(Text::from("ünïcödé ☃").as_str(), "ünïcödé ☃");
    }

    #[test]
    fn only_the_styles_of_this_program_stay() {
        let red = Style::new().fg_color(Some(AnsiColor::Red.into()));
        let said = text![styled(red, "a\u{1b}[0m"), " b\u{1b}[1m".to_owned()];
        assert_eq!(said.as_str(), "\u{1b}[31ma\u{241b}[0m\u{1b}[0m b\u{241b}[1m");
    }
}
