//! The tables of `docs` that are data (TOML), and the page that a reader gets of each: a heading for a section, a line for a row.
//!
//! It reads what these files use of TOML: keys with one text, and lists with one text in a line.

use crate::checkout::{Checkout, read};

/// What the protocol asks of each side.
pub const REQUIREMENTS: [&str; 2] = ["docs/requirements/client.toml", "docs/requirements/server.toml"];

/// What is promised for each fault.
const RELIABILITY: &str = "docs/reliability.toml";

/// The text of a page: as it is, or made of its table.
pub fn page(checkout: &Checkout, path: &str) -> Result<String, String> {
    let text = read(&checkout.root.join(path))?;
    Ok(if is_table(path) { in_markdown(&text) } else { text })
}

pub fn is_table(path: &str) -> bool {
    REQUIREMENTS.contains(&path) || path == RELIABILITY
}

fn in_markdown(table: &str) -> String {
    let mut lines: Vec<String> = Vec::new();
    for block in table.split("\n[[") {
        let fields = fields(block);
        if !block.starts_with("section.") {
            let mark = if lines.is_empty() { "#" } else { "##" };
            let texts: Vec<&str> = fields.iter().map(|(_, text)| text.as_str()).collect();
            lines.extend([format!("{mark} {}", texts.join("\n\n")), String::new()]);
            continue;
        }
        let is_shown = |key: &str| ["tests", "note"].contains(&key);
        let (last, cells): (Vec<_>, Vec<_>) = fields.iter().partition(|(key, _)| is_shown(key));
        let line = |cells: Vec<&str>, last: &str| format!("| {} | {last} |", cells.join(" | "));
        if lines.last().is_some_and(String::is_empty) {
            let names = cells.iter().map(|(key, _)| *key).collect();
            lines.extend([line(names, "shown by"), format!("|{}", "---|".repeat(cells.len() + 1))]);
        }
        let last: Vec<&str> = last.iter().map(|(_, text)| text.as_str()).collect();
        lines.push(line(cells.iter().map(|(_, text)| text.as_str()).collect(), &last.join(". ")));
    }
    lines.join("\n").replace("|\n##", "|\n\n##") + "\n"
}

/// The keys of a block with their texts; a list is written as names of code.
fn fields(block: &str) -> Vec<(&str, String)> {
    let mut fields: Vec<(&str, String)> = Vec::new();
    for line in block.lines().filter(|line| !line.starts_with('#')) {
        let (key, value) = line.split_once(" = ").filter(|_| !line.starts_with(' ')).unwrap_or(("", line));
        if !key.is_empty() {
            fields.push((key, String::new()));
        }
        let text = value.trim_matches(|c: char| " [],".contains(c));
        let Some(text) = text.strip_prefix('"').and_then(|text| text.strip_suffix('"')) else { continue };
        let Some((_, field)) = fields.last_mut() else { continue };
        if key.is_empty() || value.starts_with('[') {
            let comma = if field.is_empty() { "" } else { ", " };
            *field = format!("{field}{comma}`{text}`");
        } else {
            *field = text.replace("\\\"", "\"").replace("\\\\", "\\");
        }
    }
    fields
}

#[cfg(test)]
mod tests {
    use super::in_markdown;

    #[test]
    fn a_table_becomes_a_page() {
        let table = "# For the reader of the data.\n\ntitle = \"Faults\"\n\n[[section]]\ntitle = \"A\"\ntext = \"All.\"\n\n\
                     [[section.fault]]\nid = \"A-01\"\nwhen = \"it says \\\"no\\\"\"\ntests = [\"one\"]\n\n\
                     [[section.fault]]\nid = \"A-02\"\nwhen = \"x = y\"\ntests = [\n    \"one\",\n    \"two\",\n]\nnote = \"And more\"\n\n\
                     [[section]]\ntitle = \"B\"\n\n[[section.bound]]\nwhat = \"a\"\n";
        let page = "# Faults\n\n## A\n\nAll.\n\n| id | when | shown by |\n|---|---|---|\n| A-01 | it says \"no\" | `one` |\n\
                    | A-02 | x = y | `one`, `two`. And more |\n\n## B\n\n| what | shown by |\n|---|---|\n| a |  |\n";
        assert_eq!(in_markdown(table), page);
    }
}
