//! The rules of the architecture and how a file breaks them. The files come as texts, so that a test can break each rule.

use std::fmt;
use std::path::{Path, PathBuf};

use super::graph::Graph;
use super::imports;
use super::listing;
use crate::source::{Token, code_only, tokens, without_tests};

/// The modules of both packages and their layers. Two modules of one layer do not import each other.
const LAYERS: [(&str, u8); 16] = [
    ("json", 1),
    ("schema", 2),
    ("uri_template", 2),
    ("shares", 2),
    ("skill", 2),
    ("protocol", 2),
    ("apps", 3),
    ("engine", 3),
    ("auth", 3),
    ("testing", 4),
    ("config", 4),
    ("transport", 4),
    ("runtime", 5),
    ("client", 6),
    ("server", 6),
    ("ffi", 7),
];

/// The files that choose between systems: each has one folder or file for a system beside it. No other file asks for the system, so that
/// a port is a matter of these folders.
const SYSTEM_MODULES: [&str; 2] = ["ffi/thread.rs", "transport/system/mod.rs"];

/// What of `cfg` asks for the system. The processor (`target_arch`) is another matter.
const SYSTEM_WORDS: [&str; 6] =
    ["target_os", "target_vendor", "target_family", "target_env", "unix", "windows"];

const PANICKING_MACROS: [&str; 4] = ["panic", "todo", "unimplemented", "dbg"];
const PANICKING_METHODS: [&str; 2] = ["unwrap", "expect"];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rule {
    ImportsGoDown,
    SystemsAreConfined,
    NothingPanics,
    FoldersListTheirFiles,
}

pub const RULES: [Rule; 4] =
    [Rule::ImportsGoDown, Rule::SystemsAreConfined, Rule::NothingPanics, Rule::FoldersListTheirFiles];

impl Rule {
    pub fn says(self) -> &'static str {
        match self {
            Self::ImportsGoDown => "every module imports only from lower layers",
            Self::SystemsAreConfined => "only the files that choose between systems ask which one it is",
            Self::NothingPanics => "no unwrap, expect, panic or todo outside tests",
            Self::FoldersListTheirFiles => "the first comment of each mod.rs lists the files of its folder",
        }
    }
}

/// A rule broken in one place.
#[derive(Debug)]
pub struct Finding {
    pub rule: Rule,
    /// The folder of the sources.
    pub root: &'static str,
    pub file: PathBuf,
    pub line: usize,
    pub what: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}:{}: {}", self.root, self.file.display(), self.line, self.what)
    }
}

/// What of each file is code.
pub fn codes(files: &[(PathBuf, String)]) -> Vec<(&Path, String)> {
    files.iter().map(|(path, text)| (path.as_path(), code_only(text))).collect()
}

/// Everything that the files break. Their paths are relative to `root`.
pub fn check(root: &'static str, files: &[(PathBuf, String)], codes: &[(&Path, String)]) -> Vec<Finding> {
    let tests = test_files(codes);
    let mut findings = Vec::new();
    for ((path, code), (_, text)) in codes.iter().zip(files) {
        let mut find = |rule, line, what| {
            findings.push(Finding { rule, root, file: path.to_path_buf(), line, what });
        };
        for (line, what) in bad_imports(path, code) {
            find(Rule::ImportsGoDown, line, what);
        }
        for (line, what) in asks_for_system(path, code) {
            find(Rule::SystemsAreConfined, line, what);
        }
        if tests.iter().any(|test| path.starts_with(test)) {
            continue;
        }
        for (line, what) in panics(&without_tests(code)) {
            find(Rule::NothingPanics, line, what);
        }
        if path.file_name().is_some_and(|name| name == "mod.rs" || name == "lib.rs") {
            for what in listing::faults(text, code) {
                find(Rule::FoldersListTheirFiles, 1, what);
            }
        }
    }
    findings
}

/// Which file imports what of which other, without tests.
pub fn graph(codes: &[(&Path, String)]) -> Graph {
    let tests = test_files(codes);
    let library: Vec<(&Path, String)> = codes
        .iter()
        .filter(|(path, _)| !tests.iter().any(|test| path.starts_with(test)))
        .map(|(path, code)| (*path, without_tests(code)))
        .collect();
    Graph::of(&library, module_of)
}

fn layer(module: &str) -> Option<u8> {
    LAYERS.iter().find(|(name, _)| *name == module).map(|(_, layer)| *layer)
}

/// The module that a file is: `engine/calls.rs` is `engine::calls`, `engine/mod.rs` is `engine`, `lib.rs` is the root.
fn module_of(path: &Path) -> Vec<String> {
    let mut module: Vec<String> =
        path.with_extension("").iter().map(|part| part.to_string_lossy().into_owned()).collect();
    if module.last().is_some_and(|last| last == "mod") || module == ["lib"] {
        module.pop();
    }
    module
}

fn bad_imports(path: &Path, code: &str) -> Vec<(usize, String)> {
    let module = module_of(path);
    // lib.rs is in no layer: it only says which modules there are and what the crate shows.
    let Some(top) = module.first() else { return Vec::new() };
    let Some(own) = layer(top) else {
        return vec![(
            1,
            format!("the module `{top}` has no layer: add it to LAYERS in xtask/src/test/layers/rules.rs"),
        )];
    };
    imports::read(code, &module)
        .imports
        .into_iter()
        .filter_map(|import| {
            let path = import.path()?;
            let other = path.first()?;
            let what = match layer(other) {
                _ if other == top => return None,
                // It is there for tests only, and the compiler says so to whatever else would use it.
                _ if other == "testing" => return None,
                // A macro that is exported is at the root of its package, and expands to what its user imports.
                _ if other == "named_numbers" => return None,
                Some(layer) if layer < own => return None,
                Some(layer) => {
                    format!("`{top}` (layer {own}) may not import `{}` (layer {layer})", path.join("::"))
                }
                None => format!("`crate::{}`: import it from its module", path.join("::")),
            };
            Some((import.line, what))
        })
        .collect()
}

/// Where a file asks in a `cfg` which system it is compiled for, tests included; but `cfg(all(test, unix))` may stand anywhere.
fn asks_for_system(path: &Path, code: &str) -> Vec<(usize, String)> {
    let name = path.to_string_lossy().replace('\\', "/");
    if SYSTEM_MODULES.contains(&name.as_str()) {
        return Vec::new();
    }
    // Tests of what Windows does not have.
    let code = &code.replace("cfg(all(test, unix))", "cfg(test)");
    let mut found = Vec::new();
    // How many parentheses are open since a `cfg` began.
    let mut depth = None;
    for word in tokens(code) {
        match (word.token, depth) {
            (Token::Word("cfg" | "cfg_attr"), None) => depth = Some(0),
            (Token::Sign('!'), Some(0)) => {}
            (Token::Sign('('), Some(open)) => depth = Some(open + 1),
            (Token::Sign(')'), Some(open)) if open > 1 => depth = Some(open - 1),
            (Token::Sign(')'), Some(_)) => depth = None,
            (Token::Word(asked), Some(1..)) if SYSTEM_WORDS.contains(&asked) => found.push((
                word.line,
                format!("cfg({asked}): what differs between systems has a file for each, in a folder of SYSTEM_MODULES"),
            )),
            (_, Some(0)) => depth = None,
            _ => {}
        }
    }
    found
}

fn panics(code: &str) -> Vec<(usize, String)> {
    let words = tokens(code);
    let mut found = Vec::new();
    for (at, word) in words.iter().enumerate() {
        let Token::Word(name) = word.token else { continue };
        let before = at.checked_sub(1).map(|at| words[at].token);
        let after = words.get(at + 1).map(|word| word.token);
        if PANICKING_METHODS.contains(&name)
            && matches!(before, Some(Token::Sign('.') | Token::PathSeparator))
            && before_is_not_own_method(&words, at)
        {
            found.push((
                word.line,
                format!("{name}: return an error, or say why it cannot happen by its type"),
            ));
        }
        if PANICKING_MACROS.contains(&name) && after == Some(Token::Sign('!')) {
            found.push((word.line, format!("{name}!: the host's process is not ours to end")));
        }
    }
    found
}

/// A scanner may have an `expect` of its own, called as `self.expect(…)`; that one does not panic.
fn before_is_not_own_method(words: &[crate::source::Word<'_>], at: usize) -> bool {
    at.checked_sub(2).is_none_or(|two_before| words[two_before].token != Token::Word("self"))
}

/// The files and folders that are compiled for tests only, because their `mod` says `#[cfg(test)]`.
fn test_files(codes: &[(&Path, String)]) -> Vec<PathBuf> {
    let mut tests = Vec::new();
    for (path, code) in codes {
        let visible = without_tests(code);
        let kept: Vec<&str> = declared_modules(&visible);
        let folder = if path.file_name().is_some_and(|name| name == "mod.rs" || name == "lib.rs") {
            path.parent().unwrap_or(Path::new("")).to_path_buf()
        } else {
            path.with_extension("")
        };
        for name in declared_modules(code).into_iter().filter(|name| !kept.contains(name)) {
            tests.push(folder.join(name));
            tests.push(folder.join(name).with_extension("rs"));
        }
    }
    tests
}

/// The names in `mod name;`.
pub fn declared_modules(code: &str) -> Vec<&str> {
    let words = tokens(code);
    words
        .windows(3)
        .filter_map(|three| match [three[0].token, three[1].token, three[2].token] {
            [Token::Word("mod"), Token::Word(name), Token::Sign(';')] => Some(name),
            _ => None,
        })
        .collect()
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
