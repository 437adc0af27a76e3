//! `bindings/python/libmcp/_abi.py`: the numbers, and the declarations that cffi reads.

use super::constants::{Constant, Constants};

const HEAD: &str = "\
# Generated from include/mcp.h by `cargo xtask bindings`; do not edit.
\"\"\"What the binding takes from the C header: its numbers and its declarations.\"\"\"

from enum import IntEnum


class _Named(IntEnum):
    \"\"\"Numbers of the library that are written as their names, as the library itself does.\"\"\"

    def __str__(self) -> str:
        return self.name.lower()

    def __format__(self, spec: str) -> str:
        return int.__format__(self, spec) if spec[-1:] in set(\"bcdoxXneEfFgG%\") else format(str(self), spec)
";

pub fn text(constants: &Constants, header: &str) -> String {
    let classes = [
        (
            "Status",
            "How something ended: 0 is success, positive is \"nothing went wrong, but\", negative is an error.",
            &constants.statuses,
        ),
        ("Kind", "What a message is.", &constants.kinds),
        ("State", "The state of a connection.", &constants.states),
        ("Topic", "What a notification or a request is about.", &constants.topics),
        ("LogLevel", "How loud a log record is.", &constants.levels),
    ];
    let mut text = HEAD.to_owned();
    for (name, comment, constants) in classes {
        let class = format!("\n\nclass {name}(_Named):\n    \"\"\"{comment}\"\"\"\n");
        text += &[class, group(constants)].concat();
    }
    [text, "\n\nCDEF = \"\"\"\n".to_owned(), declarations(header), "\"\"\"\n".to_owned()].concat()
}

fn group(constants: &[Constant]) -> String {
    let one = |Constant { name, value, comment }: &Constant| {
        format!("\n    {name} = {value}\n    \"\"\"{comment}\"\"\"\n")
    };
    constants.iter().map(one).collect()
}

/// The header without comments, and without preprocessor lines but for the numbers, which cffi takes.
pub(super) fn declarations(header: &str) -> String {
    let mut text = String::new();
    let mut in_comment = false;
    let mut for_cpp = false;
    let mut in_macro = false;
    for line in header.lines() {
        let trimmed = line.trim();
        if in_macro {
            in_macro = trimmed.ends_with('\\');
        } else if in_comment || trimmed.starts_with("/*") {
            in_comment = !trimmed.ends_with("*/");
        } else if trimmed.starts_with("#ifdef __cplusplus") {
            for_cpp = true;
        } else if for_cpp {
            for_cpp = !trimmed.starts_with("#endif");
        } else if trimmed.starts_with('#') && trimmed.ends_with('\\') {
            in_macro = true;
        } else if is_number(trimmed) {
            text.extend([trimmed, "\n"]);
        } else if !trimmed.is_empty() && !trimmed.starts_with('#') && !ATTRIBUTES.contains(&trimmed) {
            text.extend([line.replace("MCP_API ", "").replace("MCP_MUST_USE ", "").as_str(), "\n"]);
        }
    }
    text
}

/// What stands before functions, on lines of their own where these are long.
const ATTRIBUTES: [&str; 2] = ["MCP_API", "MCP_MUST_USE"];

fn is_number(line: &str) -> bool {
    let words: Vec<&str> = line.split_whitespace().collect();
    matches!(words.as_slice(), ["#define", name, value] if name.starts_with("MCP_") && value.parse::<i64>().is_ok())
}
