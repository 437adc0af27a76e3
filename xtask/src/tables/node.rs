//! The tables for Node.js: values, and their types.

use std::fmt::Write as _;

use super::numbers::{Number, Numbers};

const HEAD: &str = "// Written from include/mcp.h by `cargo xtask tables`; do not edit.\n";

pub fn values(numbers: &Numbers) -> String {
    let mut text = format!("{HEAD}'use strict';\n");
    for (name, table) in [("STATUS", &numbers.statuses), ("KIND", &numbers.kinds)] {
        object(&mut text, name, table, |it| format!("{}: {}", it.name.to_uppercase(), it.value));
    }
    object(&mut text, "LOG_LEVELS", &numbers.levels, |it| format!("{}: {}", it.name, it.value));
    for (name, table) in [
        ("STATUS_NAMES", &numbers.statuses),
        ("KIND_NAMES", &numbers.kinds),
        ("STATE_NAMES", &numbers.states),
    ] {
        object(&mut text, name, table, |it| format!("'{}': '{}'", it.value, it.name));
    }
    text.push_str(
        "\nmodule.exports = { STATUS, KIND, LOG_LEVELS, STATUS_NAMES, KIND_NAMES, STATE_NAMES };\n",
    );
    text
}

fn object(text: &mut String, name: &str, table: &[Number], entry: impl Fn(&Number) -> String) {
    let _ = writeln!(text, "\nconst {name} = {{");
    for number in table {
        let _ = writeln!(text, "  {},", entry(number));
    }
    text.push_str("};\n");
}

pub fn types(numbers: &Numbers) -> String {
    let mut text = HEAD.to_owned();
    union(&mut text, "Status", "How something ended.", &numbers.statuses);
    union(&mut text, "State", "The state of a connection.", &numbers.states);
    union(&mut text, "LogLevel", "How much the logger hears.", &numbers.levels);
    for (name, table) in [("STATUS", &numbers.statuses), ("KIND", &numbers.kinds)] {
        let _ = writeln!(text, "\nexport const {name}: {{");
        for number in table {
            let _ = writeln!(text, "  readonly {}: {};", number.name.to_uppercase(), number.value);
        }
        text.push_str("};\n");
    }
    text.push_str("\nexport const LOG_LEVELS: { readonly [name in LogLevel]: number };\n");
    text.push_str("export const STATUS_NAMES: { readonly [number: number]: Status | undefined };\n");
    text.push_str("export const KIND_NAMES: { readonly [number: number]: string | undefined };\n");
    text.push_str("export const STATE_NAMES: { readonly [number: number]: State | undefined };\n");
    text
}

fn union(text: &mut String, name: &str, says: &str, table: &[Number]) {
    let _ = writeln!(text, "\n/**\n * {says}\n *");
    for number in table {
        let _ = writeln!(text, " * - `{}`: {}", number.name, number.says);
    }
    let _ = writeln!(text, " */\nexport type {name} =");
    for (at, number) in table.iter().enumerate() {
        let end = if at + 1 == table.len() { ";" } else { "" };
        let _ = writeln!(text, "  | '{}'{end}", number.name);
    }
}
