//! The tables of `tests/field`: what was reported of servers and clients that people have, as data. The tests of both engines and of
//! both ends of HTTP play the rows, those of logins, and those of the program. `tests/field/README.md` has the words, and the book a table
//! of each file. What was not reported and is of the same kind names the report that it is like (`kin`).

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

    /// `tests/field/README.md` and the book are written from these members.
    #[test]
    fn each_row_of_each_table_has_what_its_page_shows() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/field");
        let mut seen = 0;
        for entry in std::fs::read_dir(folder).expect("the folder") {
            let path = entry.expect("an entry").path();
            if path.extension().is_none_or(|ending| ending != "toml") {
                continue;
            }
            let name = path.file_name().and_then(std::ffi::OsStr::to_str).expect("UTF-8");
            for row in rows(name) {
                let source = row.get("source").expect("a source");
                assert!(source.contains('/') && source.contains('#'), "owner/repo#number: {source}");
                for key in ["says", "then"] {
                    assert!(
                        row.get(key).is_some_and(|text| text.ends_with('.')),
                        "{name}: {}: {key}",
                        row.name()
                    );
                }
                seen += 1;
            }
        }
        assert!(seen >= 60, "{seen}");
    }
}
