//! `include/mcp.symbols`: every public name of the C API, the version that brought it and, for numbers, its value.
//!
//! `cargo xtask header` adds rows for new names and never changes one. The symbol versions of the shared library are made
//! from it, so that a program that uses a new function does not start with an older library.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::checkout::{Checkout, read, write};
use crate::dist::Version;

/// One name of the API.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Symbol {
    pub kind: &'static str,
    /// The version that brought it, such as `0.1`.
    pub since: String,
    /// A number's value; empty for everything else.
    pub value: String,
}

pub type Symbols = BTreeMap<String, Symbol>;

/// The file with the table.
const FILE: &str = "include/mcp.symbols";

const KINDS: [&str; 4] = ["function", "type", "number", "macro"];

/// Adds what is new in the header to the table.
pub fn update(checkout: &Checkout) -> Result<(), String> {
    let path = checkout.root.join(FILE);
    let page = read(&path)?;
    let mut table = parse(&page)?;
    let before = table.len();
    let line = Version::read(checkout)?.line();
    for (name, symbol) in in_header(&read(&checkout.header())?, &read(&checkout.exports())?, &line) {
        table.entry(name).or_insert(symbol);
    }
    if table.len() > before {
        let intro: String = page.split_inclusive('\n').take_while(|line| line.starts_with('#')).collect();
        write(&path, &(intro + &print(&table)))?;
        println!("{FILE} has {} new names", table.len() - before);
    }
    Ok(())
}

/// What the table and the header say differently, in sentences.
pub fn differences(checkout: &Checkout) -> Result<Vec<String>, String> {
    let table = parse(&read(&checkout.root.join(FILE))?)?;
    let header = in_header(&read(&checkout.header())?, &read(&checkout.exports())?, "");
    Ok(compare(&table, &header))
}

/// The linker's version script: one node for each version that brought functions, each built on the one before.
pub fn version_script(checkout: &Checkout) -> Result<String, String> {
    let table = parse(&read(&checkout.root.join(FILE))?)?;
    script(&table, &read(&checkout.exports())?)
}

/// Every function with the version that brought it.
pub fn versions(checkout: &Checkout) -> Result<Vec<(String, String)>, String> {
    let table = parse(&read(&checkout.root.join(FILE))?)?;
    let functions = table.into_iter().filter(|(_, symbol)| symbol.kind == "function");
    Ok(functions.map(|(name, symbol)| (name, symbol.since)).collect())
}

fn script(table: &Symbols, exports: &str) -> Result<String, String> {
    let mut nodes: BTreeMap<Vec<u32>, (String, Vec<&str>)> = BTreeMap::new();
    for name in exports.lines() {
        let symbol = table
            .get(name)
            .ok_or_else(|| format!("{name} has no row in {FILE}; run `cargo xtask header`"))?;
        let order = symbol.since.split('.').map_while(|part| part.parse().ok()).collect();
        nodes.entry(order).or_insert_with(|| (symbol.since.clone(), Vec::new())).1.push(name);
    }
    let mut text = String::new();
    let mut before: Option<String> = None;
    for (since, names) in nodes.values() {
        let _ = writeln!(text, "MCP_{since} {{\n  global:");
        for name in names {
            let _ = writeln!(text, "    {name};");
        }
        // One node has to say that nothing else is exported.
        match before {
            None => text.push_str("  local:\n    *;\n};\n"),
            Some(before) => {
                let _ = writeln!(text, "}} MCP_{before};");
            }
        }
        before = Some(since.clone());
    }
    if text.is_empty() { Err("include/mcp.exports is empty".to_owned()) } else { Ok(text) }
}

fn compare(table: &Symbols, header: &Symbols) -> Vec<String> {
    let mut wrong = Vec::new();
    for (name, symbol) in header {
        match table.get(name) {
            None => wrong.push(format!("{name} has no row in {FILE}; run `cargo xtask header`")),
            Some(row) if row.kind != symbol.kind => {
                wrong.push(format!("{name} is a {}, and was a {} in {}", symbol.kind, row.kind, row.since));
            }
            Some(row)
                if row.value != symbol.value
                    && name != "MCP_ABI_VERSION"
                    && !name.starts_with("MCP_VERSION_") =>
            {
                wrong.push(format!(
                    "{name} is {}, and was {} in {}: numbers never change, take a new name",
                    symbol.value, row.value, row.since
                ));
            }
            Some(_) => {}
        }
    }
    let gone = table.keys().filter(|name| !header.contains_key(*name));
    wrong.extend(
        gone.map(|name| {
            format!("{name} is gone: docs/reference/abi.md says what to do when something must go")
        }),
    );
    wrong
}

fn parse(page: &str) -> Result<Symbols, String> {
    let mut table = Symbols::new();
    for line in page.lines().filter(|line| !line.starts_with('#')) {
        let cells: Vec<&str> = line.split(' ').collect();
        let (&[name, kind, since], value) = (match cells.as_slice() {
            [row @ .., value] if row.len() == 3 => (row, *value),
            row => (row, ""),
        }) else {
            return Err(format!(
                "{FILE}: a row has a name, a kind, a version and for numbers a value, not: {line}"
            ));
        };
        let kind = KINDS.iter().find(|known| **known == kind);
        let kind = kind.ok_or_else(|| format!("{FILE}: unknown kind: {line}"))?;
        let symbol = Symbol { kind, since: since.to_owned(), value: value.to_owned() };
        if table.insert(name.to_owned(), symbol).is_some() {
            return Err(format!("{FILE} has {name} twice"));
        }
    }
    Ok(table)
}

fn print(table: &Symbols) -> String {
    let mut text = String::new();
    for kind in KINDS {
        for (name, symbol) in table.iter().filter(|(_, symbol)| symbol.kind == kind) {
            let Symbol { since, value, .. } = symbol;
            let space = if value.is_empty() { "" } else { " " };
            let _ = writeln!(text, "{name} {kind} {since}{space}{value}");
        }
    }
    text
}

/// The names that the header gives a program. It is generated, so its lines have one form.
fn in_header(header: &str, exports: &str, since: &str) -> Symbols {
    let mut found = Symbols::new();
    let mut add = |name: &str, kind, value: &str| {
        found.insert(name.to_owned(), Symbol { kind, since: since.to_owned(), value: value.to_owned() });
    };
    for name in exports.lines() {
        add(name, "function", "");
    }
    for line in header.lines() {
        if let Some(rest) = line.strip_prefix("#define ") {
            let (name, value) = rest.split_once(' ').unwrap_or((rest, ""));
            match value.parse::<i64>() {
                Ok(_) => add(name, "number", value),
                Err(_) if value.is_empty() => {}
                Err(_) => add(name.split('(').next().unwrap_or(name), "macro", ""),
            }
        } else if let Some(name) = line.strip_prefix("typedef ").and_then(type_name) {
            add(name, "type", "");
        } else if let Some(name) = line.strip_prefix("} ").and_then(|rest| rest.strip_suffix(';')) {
            // The end of a struct with a public layout.
            add(name, "type", "");
        }
    }
    found
}

/// The name that a line behind `typedef` gives a type. That of a function stands in the middle, and its parameters may have lines more.
fn type_name(rest: &str) -> Option<&str> {
    match rest.split_once("(*") {
        Some((_, function)) => function.split(')').next(),
        None => rest.strip_suffix(';')?.split_whitespace().last(),
    }
}

#[cfg(test)]
mod tests {
    use super::{compare, in_header};

    const HEADER: &str = "#ifndef MCP_H\n#define MCP_H\n#define MCP_OK 0\n#define MCP_ERROR_TIMEOUT -2\n\
                          #define MCP_ABI_MATCHES() (1)\ntypedef struct mcp_a_t mcp_a_t;\n\
                          typedef struct {\n    int a;\n} mcp_b_t;\nint mcp_f(void);\n\
                          typedef void (*mcp_c_t)(void *user, mcp_a_t *request);\n\
                          typedef int (*mcp_d_t)(void *user,\n                       mcp_a_t *more);\n";

    #[test]
    fn every_type_has_its_name() {
        let found = in_header(HEADER, "mcp_f\n", "0.1");
        let types = found.iter().filter(|(_, symbol)| symbol.kind == "type").map(|(name, _)| name.as_str());
        assert!(types.eq(["mcp_a_t", "mcp_b_t", "mcp_c_t", "mcp_d_t"]), "{found:?}");
    }

    #[test]
    fn a_changed_number_and_a_lost_name_are_found() {
        let table = in_header(HEADER, "mcp_f\nmcp_g\n", "0.1");
        let now = in_header(&HEADER.replace("TIMEOUT -2", "TIMEOUT -3"), "mcp_f\nmcp_new\n", "");
        let wrong = compare(&table, &now).join("\n");
        assert!(wrong.contains("MCP_ERROR_TIMEOUT is -3, and was -2 in 0.1"), "{wrong}");
        assert!(wrong.contains("mcp_g is gone"), "{wrong}");
        assert!(wrong.contains("mcp_new has no row"), "{wrong}");
        assert!(compare(&table, &table).is_empty());
    }
}
