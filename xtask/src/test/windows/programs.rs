//! Which programs of `tests/c` run on Windows, and why the others do not: `tests/windows/programs.txt`.

use std::collections::BTreeMap;

/// What is done with a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wish<'a> {
    /// It runs with every test.
    Run,
    /// It runs with `--deep`.
    Deep,
    /// It does not, for a reason.
    Not(&'a str),
}

/// The table.
pub struct Table<'a> {
    programs: BTreeMap<&'a str, Wish<'a>>,
    /// Unit tests that do not run.
    pub units: Vec<&'a str>,
}

impl<'a> Table<'a> {
    /// Reads the table.
    pub fn read(text: &'a str) -> Result<Self, String> {
        let mut table = Self { programs: BTreeMap::new(), units: Vec::new() };
        for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
            let wrong = || {
                format!(
                    "tests/windows/programs.txt: {line}: expected run NAME, deep NAME or not NAME: REASON"
                )
            };
            let (wish, rest) = line.split_once(' ').ok_or_else(wrong)?;
            let (name, wish) = match wish {
                "run" => (rest, Wish::Run),
                "deep" => (rest, Wish::Deep),
                "not" => {
                    let (name, reason) = rest.split_once(": ").ok_or_else(wrong)?;
                    (name, Wish::Not(reason))
                }
                _ => return Err(wrong()),
            };
            match wish {
                Wish::Not(_) if name.starts_with("unit ") => {
                    table.units.push(name.trim_start_matches("unit "));
                }
                wish => drop(table.programs.insert(name, wish)),
            }
        }
        Ok(table)
    }

    /// What is done with a program; none if nothing is said.
    pub fn wish(&self, name: &str) -> Option<Wish<'a>> {
        self.programs.get(name).copied()
    }

    /// The names in the table that are of no program.
    pub fn stale(&self, exists: impl Fn(&str) -> bool) -> Vec<&'a str> {
        self.programs.keys().copied().filter(|name| !exists(name)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::{Table, Wish};

    #[test]
    fn each_program_has_its_line() {
        let table = Table::read("# words\nrun one\ndeep two\nnot three: it forks\nnot unit x::y: open\n");
        let table = table.expect("a table");
        assert_eq!(table.wish("one"), Some(Wish::Run));
        assert_eq!(table.wish("two"), Some(Wish::Deep));
        assert_eq!(table.wish("three"), Some(Wish::Not("it forks")));
        assert_eq!(table.wish("four"), None);
        assert_eq!(table.stale(|name| name != "two"), ["two"]);
        assert_eq!(table.units, ["x::y"]);
        assert!(Table::read("runs one").is_err());
    }
}
