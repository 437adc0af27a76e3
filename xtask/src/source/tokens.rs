//! Code as words and signs, with their lines.

/// One piece of code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Token<'a> {
    Word(&'a str),
    /// `::`
    PathSeparator,
    Sign(char),
}

/// A token and where it stands.
#[derive(Debug, Clone, Copy)]
pub struct Word<'a> {
    pub token: Token<'a>,
    /// Counted from 1.
    pub line: usize,
    /// The byte after the token, in the code that was given.
    pub end: usize,
}

/// The tokens of what `code_only` gives.
pub fn tokens(code: &str) -> Vec<Word<'_>> {
    let mut found = Vec::new();
    let mut line = 1;
    let mut at = 0;
    while let Some(c) = code[at..].chars().next() {
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let (token, length) = if c.is_whitespace() {
            line += usize::from(c == '\n');
            at += c.len_utf8();
            continue;
        } else if is_word(c) {
            let length = code[at..].find(|c: char| !is_word(c)).unwrap_or(code.len() - at);
            (Token::Word(&code[at..at + length]), length)
        } else if code[at..].starts_with("::") {
            (Token::PathSeparator, 2)
        } else {
            (Token::Sign(c), c.len_utf8())
        };
        at += length;
        found.push(Word { token, line, end: at });
    }
    found
}
