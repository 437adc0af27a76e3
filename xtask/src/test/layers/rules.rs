//! The rules of the architecture and how a file breaks them. The files come as texts, so that a test can break each rule.

use std::fmt;
use std::path::{Path, PathBuf};

use super::graph::Graph;
use super::imports;
use super::listing;
use proc_macro2::{TokenStream, TokenTree};

use crate::source::{declared_modules, each, is_call, parsed, tokens, without_tests};

/// The modules of the three packages and their layers. Two modules of one layer do not import each other.
const LAYERS: [(&str, u8); 17] = [
    ("sorted", 0),
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
const SYSTEM_MODULES: [&str; 3] = ["ffi/store_library/mod.rs", "ffi/thread.rs", "transport/system/mod.rs"];

/// What of `cfg` asks for the system. The processor (`target_arch`) is another matter.
const SYSTEM_WORDS: [&str; 6] =
    ["target_os", "target_vendor", "target_family", "target_env", "unix", "windows"];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rule {
    ImportsGoDown,
    SystemsAreConfined,
    FoldersListTheirFiles,
}

pub const RULES: [Rule; 3] = [Rule::ImportsGoDown, Rule::SystemsAreConfined, Rule::FoldersListTheirFiles];

impl Rule {
    pub fn says(self) -> &'static str {
        match self {
            Self::ImportsGoDown => "every module imports only from lower layers",
            Self::SystemsAreConfined => "only the files that choose between systems ask which one it is",
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

/// A file.
pub struct Code<'a> {
    pub path: &'a Path,
    text: &'a str,
    tokens: TokenStream,
    /// The modules that it declares: all, and those that are not compiled for tests only.
    declares: [Vec<String>; 2],
    all: syn::File,
    library: syn::File,
}

/// The files as the compiler reads them.
pub fn codes(files: &[(PathBuf, String)]) -> Result<Vec<Code<'_>>, String> {
    let all = files.iter();
    all.map(|(path, text)| code(path, text).map_err(|why| format!("{}: {why}", path.display()))).collect()
}

fn code<'a>(path: &'a Path, text: &'a str) -> Result<Code<'a>, String> {
    let tokens = tokens(text);
    let library = without_tests(tokens.clone());
    let declares = [declared_modules(&tokens), declared_modules(&library)];
    Ok(Code { path, text, all: parsed(tokens.clone())?, library: parsed(library)?, tokens, declares })
}

/// Everything that the files break. Their paths are relative to `root`.
pub fn check(root: &'static str, codes: &[Code]) -> Vec<Finding> {
    let tests = test_files(codes);
    let mut findings = Vec::new();
    for code in codes {
        let mut find = |rule, line, what| {
            findings.push(Finding { rule, root, file: code.path.to_path_buf(), line, what });
        };
        for (line, what) in bad_imports(code.path, &code.all) {
            find(Rule::ImportsGoDown, line, what);
        }
        for (line, what) in asks_for_system(code.path, &code.tokens) {
            find(Rule::SystemsAreConfined, line, what);
        }
        if is_module(code.path) && !tests.iter().any(|test| code.path.starts_with(test)) {
            for what in listing::faults(code.text, &code.declares) {
                find(Rule::FoldersListTheirFiles, 1, what);
            }
        }
    }
    findings
}

/// Which file imports what of which other, without tests.
pub fn graph(codes: &[Code]) -> Graph {
    let tests = test_files(codes);
    let library: Vec<(&Path, &syn::File)> = codes
        .iter()
        .filter(|code| !tests.iter().any(|test| code.path.starts_with(test)))
        .map(|code| (code.path, &code.library))
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

fn bad_imports(path: &Path, code: &syn::File) -> Vec<(usize, String)> {
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
fn asks_for_system(path: &Path, code: &TokenStream) -> Vec<(usize, String)> {
    let name = path.to_string_lossy().replace('\\', "/");
    let mut found = Vec::new();
    if SYSTEM_MODULES.contains(&name.as_str()) {
        return found;
    }
    each(code, &mut |tree, after| {
        let TokenTree::Ident(word) = tree else { return };
        let is_macro = matches!(after.first(), Some(TokenTree::Punct(sign)) if sign.as_char() == '!');
        let Some(TokenTree::Group(condition)) = after.get(usize::from(is_macro)) else { return };
        if !(word == "cfg" || word == "cfg_attr") || !is_call(after.get(usize::from(is_macro))) {
            return;
        }
        // Tests may be for the systems that they can run on.
        if condition.to_string().split_whitespace().collect::<String>() == "(all(test,unix))" {
            return;
        }
        each(&condition.stream(), &mut |tree, _| {
            let TokenTree::Ident(asked) = tree else { return };
            if SYSTEM_WORDS.iter().any(|word| asked == word) {
                found.push((
                    asked.span().start().line,
                    format!("cfg({asked}): what differs between systems has a file for each, in a folder of SYSTEM_MODULES"),
                ));
            }
        });
    });
    found
}

/// The files and folders that are compiled for tests only, because their `mod` says `#[cfg(test)]`.
fn test_files(codes: &[Code]) -> Vec<PathBuf> {
    let mut tests = Vec::new();
    for code in codes {
        let [all, kept] = &code.declares;
        let folder = match is_module(code.path) {
            true => code.path.parent().unwrap_or(Path::new("")).to_path_buf(),
            false => code.path.with_extension(""),
        };
        for name in all.iter().filter(|name| !kept.contains(name)) {
            tests.push(folder.join(name));
            tests.push(folder.join(name).with_extension("rs"));
        }
    }
    tests
}

/// Whether a file stands for its folder.
fn is_module(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name == "mod.rs" || name == "lib.rs")
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
