//! Which programs of `tests/c` run with every test, and which do not run where, for which reason: `tests/targets/programs.txt`. All
//! others run with `--deep`.

/// The path of the table, for a person.
pub const TABLE: &str = "tests/targets/programs.txt";

/// A line that says where something does not run.
struct Not<'a> {
    /// A word for systems, such as `qemu`, and possibly how a program is linked: `musl+static`.
    place: &'a str,
    name: &'a str,
    reason: &'a str,
}

/// The table.
pub struct Table<'a> {
    always: Vec<&'a str>,
    programs: Vec<Not<'a>>,
    units: Vec<Not<'a>>,
}

impl<'a> Table<'a> {
    /// Reads the table.
    pub fn read(text: &'a str) -> Result<Self, String> {
        let mut table = Self { always: Vec::new(), programs: Vec::new(), units: Vec::new() };
        for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
            let wrong = || {
                format!(
                    "{TABLE}: {line}: expected run NAME, not PLACE NAME: REASON or not PLACE unit NAME: REASON"
                )
            };
            if let Some(name) = line.strip_prefix("run ") {
                table.always.push(name);
                continue;
            }
            let rest = line.strip_prefix("not ").ok_or_else(wrong)?;
            let (what, reason) = rest.split_once(": ").ok_or_else(wrong)?;
            let (place, name) = what.split_once(' ').ok_or_else(wrong)?;
            match name.strip_prefix("unit ") {
                Some(name) => table.units.push(Not { place, name, reason }),
                None => table.programs.push(Not { place, name, reason }),
            }
        }
        Ok(table)
    }

    /// Whether a program runs with every test.
    pub fn is_always_run(&self, name: &str) -> bool {
        self.always.contains(&name)
    }

    /// Why a program does not run on a system that these words are about, linked in this way.
    pub fn reason(&self, name: &str, marks: &[&str], linked: &str) -> Option<&'a str> {
        self.programs
            .iter()
            .find(|not| not.name == name && is_there(not.place, marks, linked))
            .map(|not| not.reason)
    }

    /// The unit tests that do not run there.
    pub fn units(&self, marks: &[&str]) -> Vec<&'a str> {
        self.units.iter().filter(|not| is_there(not.place, marks, "")).map(|not| not.name).collect()
    }

    /// The names in the table that are of no program.
    pub fn stale(&self, exists: impl Fn(&str) -> bool) -> Vec<&'a str> {
        let named = self.programs.iter().map(|not| not.name);
        self.always.iter().copied().chain(named).filter(|name| !exists(name)).collect()
    }
}

/// Whether each word of the place holds.
fn is_there(place: &str, marks: &[&str], linked: &str) -> bool {
    place.split('+').all(|word| marks.contains(&word) || word == linked)
}

#[cfg(test)]
mod tests {
    use super::Table;

    #[test]
    fn a_program_runs_unless_a_line_names_its_system() {
        let table = Table::read(
            "# words\nrun one\nnot qemu two: it forks\nnot musl+static three: no dlopen\nnot qemu unit x::y: it starts itself\n",
        );
        let table = table.expect("a table");
        assert!(table.is_always_run("one") && !table.is_always_run("two"));
        assert_eq!(table.reason("two", &["qemu", "aarch64"], "shared"), Some("it forks"));
        assert_eq!(table.reason("two", &["i686"], "shared"), None);
        assert_eq!(table.reason("three", &["musl"], "static"), Some("no dlopen"));
        assert_eq!(table.reason("three", &["musl"], "shared"), None);
        assert_eq!(table.reason("three", &["i686"], "static"), None);
        assert_eq!(table.units(&["qemu"]), ["x::y"]);
        assert_eq!(table.units(&["musl"]), [""; 0]);
        assert_eq!(table.stale(|name| name != "two"), ["two"]);
        for wrong in ["runs one", "not qemu one", "not one: reason"] {
            assert!(Table::read(wrong).is_err(), "{wrong}");
        }
    }
}
