//! Which modules a file of `src` names, wherever it names them: in `use` trees, in paths inside expressions and types.

use crate::source::{Token, Word, tokens};

/// A path that was named, as the segments from the crate's root.
#[derive(Debug, PartialEq, Eq)]
pub struct Import {
    pub path: Vec<String>,
    pub line: usize,
}

/// Every path in the code that starts at `crate`, `self` or `super`. `module` is the file's own path, such as
/// `["engine", "calls"]`.
pub fn imports(code: &str, module: &[String]) -> Vec<Import> {
    let words = tokens(code);
    let mut reader =
        Reader { words: &words, at: 0, module: module.to_vec(), inline: Vec::new(), found: Vec::new() };
    reader.read();
    reader.found
}

struct Reader<'a> {
    words: &'a [Word<'a>],
    at: usize,
    module: Vec<String>,
    /// The brace depths at which inline modules were opened.
    inline: Vec<usize>,
    found: Vec<Import>,
}

impl<'a> Reader<'a> {
    fn token(&self, ahead: usize) -> Option<Token<'a>> {
        self.words.get(self.at + ahead).map(|word| word.token)
    }

    fn read(&mut self) {
        let mut depth = 0;
        while let Some(token) = self.token(0) {
            match token {
                Token::Word("use") => {
                    self.at += 1;
                    // `impl Trait + use<'a>` is another use of the word.
                    if self.token(0) != Some(Token::Sign('<')) {
                        self.tree(&[]);
                    }
                    continue;
                }
                Token::Word("mod") => {
                    if let (Some(Token::Word(name)), Some(Token::Sign('{'))) = (self.token(1), self.token(2))
                    {
                        self.module.push(name.to_owned());
                        self.inline.push(depth);
                    }
                }
                Token::Word("crate" | "self" | "super") if self.begins_a_path() => {
                    self.path(&[]);
                    continue;
                }
                Token::Sign('{') => depth += 1,
                Token::Sign('}') => {
                    depth = depth.saturating_sub(1);
                    if self.inline.last() == Some(&depth) {
                        self.inline.pop();
                        self.module.pop();
                    }
                }
                _ => {}
            }
            self.at += 1;
        }
    }

    fn begins_a_path(&self) -> bool {
        let before = self.at.checked_sub(1).map(|at| self.words[at].token);
        before != Some(Token::PathSeparator) && self.token(1) == Some(Token::PathSeparator)
    }

    /// Reads `a::b` as far as it goes and notes it. Gives the segments and whether a group or a glob follows.
    fn path(&mut self, prefix: &[String]) {
        let line = self.words[self.at].line;
        let mut segments = prefix.to_vec();
        while let Some(Token::Word(name)) = self.token(0) {
            segments.push(name.to_owned());
            self.at += 1;
            if self.token(0) != Some(Token::PathSeparator) {
                break;
            }
            self.at += 1;
        }
        self.note(&segments, line);
    }

    /// One tree of a `use`: a path, a path and a group of trees, or a path and a star.
    fn tree(&mut self, prefix: &[String]) {
        let mut segments = prefix.to_vec();
        loop {
            let Some(word) = self.words.get(self.at) else { return };
            self.at += 1;
            match word.token {
                Token::Word("as") => {
                    // The new name.
                    self.at += 1;
                }
                Token::Word(name) => {
                    segments.push(name.to_owned());
                    if self.token(0) != Some(Token::PathSeparator) {
                        self.note(&segments, word.line);
                    }
                }
                // At the start it says that another crate follows.
                Token::PathSeparator if segments.is_empty() => segments.push(String::new()),
                Token::PathSeparator => {}
                Token::Sign('*') => {
                    segments.push("*".to_owned());
                    self.note(&segments, word.line);
                }
                Token::Sign('{') => {
                    while let Some(token) = self.token(0) {
                        match token {
                            Token::Sign('}') => break,
                            Token::Sign(',') => self.at += 1,
                            _ => self.tree(&segments),
                        }
                    }
                    self.at += 1;
                }
                // The end of this tree belongs to who asked for it.
                Token::Sign(',' | '}') => {
                    self.at -= 1;
                    return;
                }
                Token::Sign(_) => return,
            }
        }
    }

    fn note(&mut self, segments: &[String], line: usize) {
        if let Some(path) = self.absolute(segments) {
            self.found.push(Import { path, line });
        }
    }

    /// The path from the crate's root, or `None` if it starts elsewhere.
    fn absolute(&self, segments: &[String]) -> Option<Vec<String>> {
        let mut path = match segments.first()?.as_str() {
            "crate" => Vec::new(),
            "self" | "super" => self.module.clone(),
            _ => return None,
        };
        let mut at_start = true;
        for segment in segments {
            match segment.as_str() {
                "crate" | "self" => {}
                "super" if at_start => {
                    path.pop();
                }
                name => {
                    at_start = false;
                    path.push(name.to_owned());
                }
            }
        }
        Some(path)
    }
}

#[cfg(test)]
mod tests {
    use super::imports;

    fn paths(code: &str, module: &str) -> Vec<String> {
        let module: Vec<String> = module.split("::").map(str::to_owned).collect();
        imports(code, &module).into_iter().map(|import| import.path.join("::")).collect()
    }

    #[test]
    fn a_use_is_read_to_its_last_segment() {
        assert_eq!(paths("use crate::json::Scan; use std::fmt;", "engine"), ["json::Scan"]);
        assert_eq!(paths("pub(crate) use crate::json as text;", "engine"), ["json"]);
    }

    #[test]
    fn groups_are_read_to_their_leaves() {
        let code =
            "use crate::{json::{self, Scan}, client::Client as C, ffi::*}; use super::{super::auth, call};";
        let expected = ["json", "json::Scan", "client::Client", "ffi::*", "auth", "engine::call"];
        assert_eq!(paths(code, "engine::timer"), expected);
    }

    #[test]
    fn paths_inside_code_count_too() {
        let code =
            "fn f(x: &crate::client::Client) -> u8 { super::super::ffi::g::<crate::json::A>(self::h) }";
        assert_eq!(paths(code, "engine::calls"), ["client::Client", "ffi::g", "json::A", "engine::calls::h"]);
    }

    #[test]
    fn super_counts_inline_modules() {
        let code =
            "mod a { mod b { use super::super::super::client; } use super::super::ffi; } use super::json;";
        assert_eq!(paths(code, "engine"), ["client", "ffi", "json"]);
    }

    #[test]
    fn what_only_looks_like_a_path_is_left_alone() {
        let code = "pub(crate) fn f(&self) -> impl Fn() + use<'_> { self.client } pub(super) struct S;";
        assert_eq!(paths(code, "engine"), [""; 0]);
        assert_eq!(paths("use ::client::Client; use other::crate_name;", "engine"), [""; 0]);
    }

    #[test]
    fn a_glob_of_the_root_is_seen() {
        assert_eq!(paths("use super::*;", "engine"), ["*"]);
        assert_eq!(paths("macro_rules! m { () => { $crate::client::go() } }", "json"), ["client::go"]);
    }
}
