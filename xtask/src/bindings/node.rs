//! The tables for Node.js: values, and their types.

use std::fmt::Write as _;

use super::constants::{Constant, Constants};

const HEAD: &str = "// Written from include/mcp.h by `cargo xtask bindings`; do not edit.\n";

pub fn values(numbers: &Constants) -> String {
    let mut text = format!("{HEAD}'use strict';\n");
    for (name, table) in [("STATUS", &numbers.statuses), ("KIND", &numbers.kinds)] {
        object(&mut text, name, table, |it| format!("{}: {}", it.name, it.value));
    }
    object(&mut text, "LOG_LEVELS", &numbers.levels, |it| format!("{}: {}", it.lower(), it.value));
    for (name, table) in [
        ("STATUS_NAMES", &numbers.statuses),
        ("KIND_NAMES", &numbers.kinds),
        ("STATE_NAMES", &numbers.states),
    ] {
        object(&mut text, name, table, |it| format!("'{}': '{}'", it.value, it.lower()));
    }
    text.push_str(
        "\nmodule.exports = { STATUS, KIND, LOG_LEVELS, STATUS_NAMES, KIND_NAMES, STATE_NAMES };\n",
    );
    text
}

fn object(text: &mut String, name: &str, table: &[Constant], entry: impl Fn(&Constant) -> String) {
    let _ = writeln!(text, "\nconst {name} = {{");
    for number in table {
        let _ = writeln!(text, "  {},", entry(number));
    }
    text.push_str("};\n");
}

pub fn types(numbers: &Constants) -> String {
    let mut text = HEAD.to_owned();
    union(&mut text, "Status", "How something ended.", &numbers.statuses);
    union(&mut text, "State", "The state of a connection.", &numbers.states);
    union(&mut text, "LogLevel", "How much the logger hears.", &numbers.levels);
    for (name, table) in [("STATUS", &numbers.statuses), ("KIND", &numbers.kinds)] {
        let _ = writeln!(text, "\nexport const {name}: {{");
        for number in table {
            let _ = writeln!(text, "  readonly {}: {};", number.name, number.value);
        }
        text.push_str("};\n");
    }
    text.push_str("\nexport const LOG_LEVELS: { readonly [name in LogLevel]: number };\n");
    text.push_str("export const STATUS_NAMES: { readonly [number: number]: Status | undefined };\n");
    text.push_str("export const KIND_NAMES: { readonly [number: number]: string | undefined };\n");
    text.push_str("export const STATE_NAMES: { readonly [number: number]: State | undefined };\n");
    text
}

fn union(text: &mut String, name: &str, says: &str, table: &[Constant]) {
    let _ = writeln!(text, "\n/**\n * {says}\n *");
    for number in table {
        let _ = writeln!(text, " * - `{}`: {}", number.lower(), number.comment);
    }
    let _ = writeln!(text, " */\nexport type {name} =");
    for (at, number) in table.iter().enumerate() {
        let end = if at + 1 == table.len() { ";" } else { "" };
        let _ = writeln!(text, "  | '{}'{end}", number.lower());
    }
}
