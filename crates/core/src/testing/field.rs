//! The tables of `tests/field`: what was reported of servers and clients that people have, as data. The tests of both engines and of
//! both ends of HTTP play the rows, those of logins, and those of the program. `docs/reference/field.md` has a line for each. What was not reported and is of the same kind names the report
//! that it is like (`kin`).

use serde_json::Value;

/// The rows of a table.
pub fn rows(table: &str) -> Vec<Row> {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/field").join(table);
    let text = std::fs::read_to_string(&path).expect("a table");
    let read: Value = toml::from_str(&text).expect("TOML");
    let rows = read["report"].as_array().expect("rows").iter();
    rows.map(|row| Row(row.clone())).collect()
}

/// One report.
pub struct Row(Value);

impl Row {
    /// A text of the row.
    pub fn get(&self, key: &str) -> Option<&str> {
        self.0.get(key).map(|value| value.as_str().unwrap_or_else(|| panic!("{key} is a text: {}", self.0)))
    }

    /// The texts of the row under a name.
    pub fn all(&self, key: &str) -> Vec<&str> {
        let list = self.0.get(key).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        list.iter().map(|value| value.as_str().expect("a text")).collect()
    }

    /// Whether a flag of the row is set.
    pub fn is(&self, key: &str) -> bool {
        self.0.get(key).and_then(Value::as_bool) == Some(true)
    }

    /// What the row is called in a failure.
    pub fn name(&self) -> String {
        format!("{}: {}", self.get("source").unwrap_or("?"), self.get("says").unwrap_or("?"))
    }

    /// Panics unless `seen` has what the row wants, and lacks what it does not.
    pub fn check(&self, seen: &str) {
        for wanted in self.all("has") {
            assert!(seen.contains(wanted), "{}\n{wanted} is not in {seen}", self.name());
        }
        for other in self.all("lacks") {
            assert!(!seen.contains(other), "{}\n{other} is in {seen}", self.name());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each row of each table has a line on the page, in the order of the tables.
    #[test]
    fn the_page_has_a_line_for_each_report() {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reference/field.md");
        let page = std::fs::read_to_string(&path).expect("the page");
        let lines: Vec<&str> = page
            .lines()
            .filter(|line| {
                line.starts_with("| ") && line.split(" | ").next().is_some_and(|it| it.contains('#'))
            })
            .collect();
        let mut wanted = Vec::new();
        for table in TABLES {
            for row in rows(table) {
                let source = row.get("source").expect("a source");
                assert!(source.contains('#'), "owner/repo#number: {source}");
                let says = row.get("says").expect("a sentence");
                let then = row.get("then").expect("how it ends");
                let like = if row.is("kin") { "like " } else { "" };
                wanted.push(format!("| {like}{source} | {says} | {then} |"));
            }
        }
        let text = wanted.join("\n");
        assert!(
            lines == wanted,
            "docs/reference/field.md should have these lines, one table for each file:\n{text}"
        );
        assert!(wanted.len() >= 60, "{}", wanted.len());
    }

    /// The tables, in the order of the page.
    const TABLES: [&str; 8] = [
        "servers.toml",
        "results.toml",
        "http-servers.toml",
        "clients.toml",
        "http-clients.toml",
        "definitions.toml",
        "configurations.toml",
        "logins.toml",
    ];
}
