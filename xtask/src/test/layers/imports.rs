//! Which modules a file of `src` names, wherever it names them: in `use` trees, in paths inside expressions and types.

use std::collections::BTreeSet;

use crate::source::{Token, Word, tokens};

/// What a file says of other modules.
#[derive(Default)]
pub struct Named {
    pub imports: Vec<Import>,
    /// The modules that it declares, each with the module that it is declared in.
    pub declared: Vec<(Vec<String>, String)>,
    /// The words of its code, without those of `use` trees and those that name a field, a method or a new item.
    pub words: BTreeSet<String>,
}

/// A path that was named.
#[derive(Debug, PartialEq, Eq)]
pub struct Import {
    /// The module that names it: the file's own, or one inside the file.
    pub module: Vec<String>,
    /// The segments as written, without a `self` at the end.
    pub segments: Vec<String>,
    pub line: usize,
    /// For a `use`, what it brings into its module.
    pub brings: Option<Brings>,
}

/// What a `use` brings into its module.
#[derive(Debug, PartialEq, Eq)]
pub struct Brings {
    pub name: String,
    /// It is given on, as with `pub use`.
    pub is_public: bool,
}

impl Import {
    /// The path from the crate's root, or `None` if it does not start at `crate`, `self` or `super`.
    pub fn path(&self) -> Option<Vec<String>> {
        let mut path = match self.segments.first()?.as_str() {
            "crate" => Vec::new(),
            "self" | "super" => self.module.clone(),
            _ => return None,
        };
        let mut at_start = true;
        for segment in &self.segments {
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

/// Reads what `code_only` gives. `module` is the file's own path, such as `["engine", "calls"]`.
pub fn read(code: &str, module: &[String]) -> Named {
    let words = tokens(code);
    let mut reader = Reader {
        words: &words,
        at: 0,
        module: module.to_vec(),
        inline: Vec::new(),
        is_public: false,
        found: Named::default(),
    };
    reader.read();
    reader.found
}

struct Reader<'a> {
    words: &'a [Word<'a>],
    at: usize,
    module: Vec<String>,
    /// The brace depths at which inline modules were opened.
    inline: Vec<usize>,
    /// Whether the `use` that is being read gives on what it brings.
    is_public: bool,
    found: Named,
}

impl<'a> Reader<'a> {
    fn token(&self, ahead: usize) -> Option<Token<'a>> {
        self.words.get(self.at + ahead).map(|word| word.token)
    }

    fn before(&self) -> Option<Token<'a>> {
        self.at.checked_sub(1).map(|at| self.words[at].token)
    }

    fn read(&mut self) {
        let mut depth = 0;
        while let Some(token) = self.token(0) {
            match token {
                Token::Word("use") => {
                    self.is_public = matches!(self.before(), Some(Token::Word("pub") | Token::Sign(')')));
                    self.at += 1;
                    // `impl Trait + use<'a>` is another use of the word.
                    if self.token(0) != Some(Token::Sign('<')) {
                        self.tree(&[]);
                    }
                    continue;
                }
                Token::Word("mod") => self.module_begins(depth),
                Token::Word(_) if self.begins_a_path() => {
                    self.path();
                    continue;
                }
                Token::Word(word) => {
                    let names_its_own =
                        matches!(self.before(), Some(Token::Sign('.') | Token::Word("mod" | "fn")));
                    if !names_its_own {
                        self.found.words.insert(word.to_owned());
                    }
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

    fn module_begins(&mut self, depth: usize) {
        let (Some(Token::Word(name)), Some(Token::Sign(sign))) = (self.token(1), self.token(2)) else {
            return;
        };
        self.found.declared.push((self.module.clone(), name.to_owned()));
        if sign == '{' {
            self.module.push(name.to_owned());
            self.inline.push(depth);
        }
    }

    fn begins_a_path(&self) -> bool {
        let goes_on = matches!(self.before(), Some(Token::PathSeparator | Token::Sign('.')));
        !goes_on && self.token(1) == Some(Token::PathSeparator)
    }

    /// Reads `a::b` as far as it goes and notes it.
    fn path(&mut self) {
        let line = self.words[self.at].line;
        let mut segments = Vec::new();
        while let Some(Token::Word(name)) = self.token(0) {
            segments.push(name.to_owned());
            self.at += 1;
            if self.token(0) != Some(Token::PathSeparator) {
                break;
            }
            self.at += 1;
        }
        self.found.words.extend(segments.first().cloned());
        self.note(segments, line, None);
    }

    /// One tree of a `use`: a path, a path and a group of trees, or a path and a star.
    fn tree(&mut self, prefix: &[String]) {
        let mut segments = prefix.to_vec();
        loop {
            let Some(word) = self.words.get(self.at) else { return };
            self.at += 1;
            match word.token {
                Token::Word(name) => {
                    segments.push(name.to_owned());
                    if self.token(0) != Some(Token::PathSeparator) {
                        let renamed = match (self.token(0), self.token(1)) {
                            (Some(Token::Word("as")), Some(Token::Word(other))) => {
                                self.at += 2;
                                Some(other)
                            }
                            _ => None,
                        };
                        self.leaf(segments.clone(), renamed, word.line);
                    }
                }
                // At the start it says that another crate follows.
                Token::PathSeparator if segments.is_empty() => segments.push(String::new()),
                Token::PathSeparator => {}
                Token::Sign('*') => {
                    segments.push("*".to_owned());
                    self.leaf(segments.clone(), None, word.line);
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

    fn leaf(&mut self, mut segments: Vec<String>, renamed: Option<&str>, line: usize) {
        if segments.len() > 1 && segments.last().is_some_and(|last| last == "self") {
            segments.pop();
        }
        let name = renamed.map(str::to_owned).or_else(|| segments.last().cloned()).unwrap_or_default();
        let brings = Brings { name, is_public: self.is_public };
        self.note(segments, line, Some(brings));
    }

    fn note(&mut self, segments: Vec<String>, line: usize, brings: Option<Brings>) {
        self.found.imports.push(Import { module: self.module.clone(), segments, line, brings });
    }
}
