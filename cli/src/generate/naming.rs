//! Identifiers from names of servers: the same in every run, valid in every language, and no two alike.
//!
//! A name becomes words of `a` to `z` and digits; each language joins them in its style. What is not ASCII becomes the number of
//! the character, so that names in other scripts stay apart.

use std::collections::HashSet;

/// How many characters an identifier has at most, without what makes it unique.
const MOST: usize = 60;

/// The words of a name; never empty, and the first begins with a letter.
pub fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut word = String::new();
    let mut length = 0;
    let mut before = ' ';
    for c in name.chars() {
        if length >= MOST {
            break;
        }
        let starts = c.is_ascii_uppercase() && (before.is_ascii_lowercase() || before.is_ascii_digit());
        if (starts || !(c.is_ascii_alphanumeric() || (!c.is_ascii() && c.is_alphanumeric())))
            && !word.is_empty()
        {
            words.push(std::mem::take(&mut word));
        }
        if c.is_ascii_alphanumeric() {
            word.push(c.to_ascii_lowercase());
            length += 1;
        } else if !c.is_ascii() && c.is_alphanumeric() {
            let number = format!("u{:x}", u32::from(c));
            length += number.len();
            word.push_str(&number);
        }
        before = c;
    }
    if !word.is_empty() {
        words.push(word);
    }
    match words.first_mut() {
        None => words.push("x".to_owned()),
        Some(first) if first.starts_with(|c: char| c.is_ascii_digit()) => first.insert(0, 'n'),
        Some(_) => {}
    }
    words
}

/// Gives names that differ in more than their case and their separators.
#[derive(Clone, Debug, Default)]
pub struct Names(HashSet<String>);

impl Names {
    pub fn with(taken: &[&str]) -> Names {
        Names(taken.iter().map(|name| (*name).to_owned()).collect())
    }

    /// These words, with a number behind them if they are taken.
    pub fn unique(&mut self, words: Vec<String>) -> Vec<String> {
        self.unique_with(words, &[""])
    }

    /// The same for words that stand with each of these ends, too; one that begins with `^` stands before them.
    pub fn unique_with(&mut self, mut words: Vec<String>, ends: &[&str]) -> Vec<String> {
        let base = words.concat();
        if self.take(&base, ends) {
            return words;
        }
        // A name that ends in a digit gets a letter between, so that `a1` and `a` with 1 stay apart.
        let joint = if base.ends_with(|c: char| c.is_ascii_digit()) { "v" } else { "" };
        for number in 2_u64.. {
            let end = format!("{joint}{number}");
            if self.take(&format!("{base}{end}"), ends) {
                if let Some(last) = words.last_mut() {
                    last.push_str(&end);
                }
                break;
            }
        }
        words
    }

    fn take(&mut self, base: &str, ends: &[&str]) -> bool {
        let all: Vec<String> = ends
            .iter()
            .map(|end| {
                end.strip_prefix('^').map_or_else(|| format!("{base}{end}"), |start| format!("{start}{base}"))
            })
            .collect();
        let is_free = all.iter().all(|name| !self.0.contains(name));
        if is_free {
            self.0.extend(all);
        }
        is_free
    }
}

pub fn snake(words: &[String]) -> String {
    words.join("_")
}

pub fn pascal(words: &[String]) -> String {
    words.iter().map(|word| capital(word)).collect()
}

pub fn camel(words: &[String]) -> String {
    let mut text = String::new();
    for (place, word) in words.iter().enumerate() {
        text.push_str(&if place == 0 { word.clone() } else { capital(word) });
    }
    text
}

pub fn upper(words: &[String]) -> String {
    words.join("_").to_ascii_uppercase()
}

fn capital(word: &str) -> String {
    let mut characters = word.chars();
    characters
        .next()
        .map_or_else(String::new, |first| first.to_ascii_uppercase().to_string() + characters.as_str())
}

/// The identifier, with `_` behind it where the language has another use for it.
pub fn free(identifier: String, reserved: &[&str]) -> String {
    if reserved.contains(&identifier.as_str()) { identifier + "_" } else { identifier }
}

/// Names of files that Windows has another use for.
const DEVICES: [&str; 22] = [
    "con", "prn", "aux", "nul", "com1", "com2", "com3", "com4", "com5", "com6", "com7", "com8", "com9",
    "lpt1", "lpt2", "lpt3", "lpt4", "lpt5", "lpt6", "lpt7", "lpt8", "lpt9",
];

/// The name of a file or folder without its extension.
pub fn stem(words: &[String]) -> String {
    free(snake(words), &DEVICES)
}

/// Keywords of C and C++, and names that their standard headers define as macros.
pub const C_AND_CPP: &[&str] = &[
    "alignas",
    "alignof",
    "and",
    "and_eq",
    "asm",
    "assert",
    "auto",
    "bitand",
    "bitor",
    "bool",
    "break",
    "case",
    "catch",
    "char",
    "char16_t",
    "char32_t",
    "char8_t",
    "class",
    "co_await",
    "co_return",
    "co_yield",
    "compl",
    "complex",
    "concept",
    "const",
    "const_cast",
    "consteval",
    "constexpr",
    "constinit",
    "continue",
    "decltype",
    "default",
    "delete",
    "do",
    "double",
    "dynamic_cast",
    "else",
    "enum",
    "errno",
    "explicit",
    "export",
    "extern",
    "false",
    "float",
    "for",
    "friend",
    "goto",
    "i386",
    "if",
    "imaginary",
    "inline",
    "int",
    "linux",
    "long",
    "major",
    "mcp",
    "minor",
    "mutable",
    "namespace",
    "new",
    "noexcept",
    "noreturn",
    "not",
    "not_eq",
    "null",
    "nullptr",
    "offsetof",
    "operator",
    "or",
    "or_eq",
    "private",
    "protected",
    "public",
    "register",
    "reinterpret_cast",
    "requires",
    "restrict",
    "return",
    "setjmp",
    "short",
    "signed",
    "sizeof",
    "static",
    "static_assert",
    "static_cast",
    "std",
    "stderr",
    "stdin",
    "stdout",
    "struct",
    "switch",
    "template",
    "this",
    "thread_local",
    "throw",
    "true",
    "try",
    "typedef",
    "typeid",
    "typename",
    "typeof",
    "union",
    "unix",
    "unsigned",
    "using",
    "va_arg",
    "va_end",
    "va_list",
    "va_start",
    "virtual",
    "void",
    "volatile",
    "wchar_t",
    "while",
    "xor",
    "xor_eq",
];

pub const GO: &[&str] = &[
    "break",
    "case",
    "chan",
    "const",
    "continue",
    "default",
    "defer",
    "else",
    "fallthrough",
    "for",
    "func",
    "go",
    "goto",
    "if",
    "import",
    "init",
    "interface",
    "main",
    "map",
    "package",
    "range",
    "return",
    "select",
    "struct",
    "switch",
    "type",
    "var",
    "internal",
    "vendor",
    "testdata",
];

pub const TYPESCRIPT: &[&str] = &[
    "abstract",
    "any",
    "arguments",
    "as",
    "async",
    "await",
    "boolean",
    "break",
    "case",
    "catch",
    "class",
    "client",
    "const",
    "constructor",
    "continue",
    "debugger",
    "declare",
    "default",
    "delete",
    "do",
    "else",
    "enum",
    "eval",
    "export",
    "extends",
    "false",
    "finally",
    "for",
    "from",
    "function",
    "get",
    "if",
    "implements",
    "import",
    "in",
    "instanceof",
    "interface",
    "invoke",
    "is",
    "keyof",
    "let",
    "module",
    "namespace",
    "never",
    "new",
    "null",
    "number",
    "object",
    "of",
    "options",
    "package",
    "private",
    "protected",
    "public",
    "require",
    "return",
    "set",
    "static",
    "string",
    "super",
    "switch",
    "symbol",
    "this",
    "throw",
    "tool",
    "true",
    "try",
    "type",
    "typeof",
    "undefined",
    "unknown",
    "var",
    "void",
    "while",
    "with",
    "yield",
];

pub const PYTHON: &[&str] = &[
    "and", "any", "as", "assert", "async", "await", "bool", "break", "case", "class", "continue", "def",
    "del", "dict", "elif", "else", "except", "finally", "float", "for", "from", "global", "if", "import",
    "in", "int", "invoke", "is", "lambda", "list", "match", "nonlocal", "not", "or", "pass", "print",
    "raise", "return", "str", "support", "tool", "tools", "try", "type", "while", "with", "yield",
];

pub const SWIFT: &[&str] = &[
    "actor",
    "any",
    "as",
    "associatedtype",
    "async",
    "await",
    "break",
    "call",
    "case",
    "catch",
    "class",
    "continue",
    "decoder",
    "default",
    "defer",
    "deinit",
    "do",
    "else",
    "encoder",
    "enum",
    "extension",
    "fallthrough",
    "false",
    "fileprivate",
    "for",
    "func",
    "guard",
    "hash",
    "if",
    "import",
    "in",
    "indirect",
    "init",
    "inout",
    "internal",
    "is",
    "let",
    "nil",
    "open",
    "operator",
    "precedencegroup",
    "private",
    "protocol",
    "public",
    "repeat",
    "rethrows",
    "return",
    "self",
    "some",
    "static",
    "struct",
    "subscript",
    "super",
    "switch",
    "throw",
    "throws",
    "true",
    "try",
    "typealias",
    "var",
    "where",
    "while",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_words_that_are_valid_everywhere() {
        let joined = |name: &str| snake(&words(name));
        assert_eq!(joined("createIssue"), "create_issue");
        assert_eq!(joined("uids[]"), "uids");
        assert_eq!(joined("3d-view"), "n3d_view");
        assert_eq!(joined("größe"), "gru00f6u00dfe".replace("00", ""));
        assert_eq!(joined("../../etc/passwd"), "etc_passwd");
        assert_eq!(joined(""), "x");
        assert_eq!(joined("*/ \" \n"), "x");
        assert_eq!(joined("HTTPServer2Go"), "httpserver2_go");
        assert!(joined(&"a".repeat(10_000)).len() <= 70);
    }

    #[test]
    fn no_two_names_are_alike_in_any_style() {
        let mut names = Names::default();
        let made: Vec<String> = ["a-b", "a_b", "AB", "ab2", "ab", "ab22"]
            .iter()
            .map(|name| pascal(&names.unique(words(name))).to_lowercase())
            .collect();
        let distinct: HashSet<&String> = made.iter().collect();
        assert_eq!(distinct.len(), made.len(), "{made:?}");
    }

    #[test]
    fn reserved_words_and_devices_are_avoided() {
        assert_eq!(free("class".to_owned(), C_AND_CPP), "class_");
        assert_eq!(stem(&words("CON")), "con_");
        assert_eq!(camel(&words("get_user-name")), "getUserName");
        assert_eq!(upper(&words("get_user")), "GET_USER");
    }
}
