//! The audit records in docs/history/audits.md: each is of the crate that `Cargo.lock` has. The step `deny` looks whether it still is.

use std::collections::BTreeMap;

use crate::checkout::{Checkout, read};
use crate::dist::{digests, reference};

const PAGE: &str = "docs/history/audits.md";
/// The table whose rows are the records.
const HEAD: &str = "| crate | version | checksum |";

/// Whether each record is of the version and the checksum that are compiled.
pub fn check(checkout: &Checkout) -> Result<(), String> {
    let lock = digests(&read(&checkout.root.join("Cargo.lock"))?);
    compared(&read(&checkout.root.join(PAGE))?, &lock)
}

fn compared(page: &str, lock: &BTreeMap<String, String>) -> Result<(), String> {
    let (_, table) = page.split_once(HEAD).ok_or_else(|| format!("{PAGE} has no table {HEAD}"))?;
    let rows: Vec<&str> = table.lines().skip(2).take_while(|line| line.starts_with('|')).collect();
    if rows.is_empty() {
        return Err(format!("{PAGE} has no record"));
    }
    let wrong: Vec<String> = rows.into_iter().filter_map(|row| stale(row, lock)).collect();
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
}

/// What is wrong with a record.
fn stale(row: &str, lock: &BTreeMap<String, String>) -> Option<String> {
    let mut cells = row.split('|').skip(1).map(|cell| cell.trim().trim_matches('`'));
    let (Some(name), Some(version), Some(digest)) = (cells.next(), cells.next(), cells.next()) else {
        return Some(format!("{PAGE}: the row {row} has no crate, version and checksum"));
    };
    match lock.get(&reference(name, version)) {
        Some(whole) if digest.len() == 16 && whole.starts_with(digest) => None,
        Some(whole) => Some(format!(
            "{PAGE}: the record of {name} {version} has the checksum {digest}, and Cargo.lock has {whole}: these are other sources, or \
             the record does not have the first 16 digits"
        )),
        None => {
            let has: Vec<&str> =
                lock.keys().filter_map(|key| key.strip_prefix(&reference(name, ""))).collect();
            let has = if has.is_empty() { "no version" } else { &has.join(" and ") };
            Some(format!(
                "{PAGE}: the record of {name} is of version {version}, and Cargo.lock has {has}: read what has changed, then write \
                 the record again, or remove it if the crate is gone"
            ))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{HEAD, compared, digests};

    #[test]
    fn a_record_is_of_what_is_compiled() {
        let lock = digests(
            "[[package]]\nname = \"a\"\nversion = \"1.0.0\"\nchecksum = \"0123456789abcdef0\"\n\n\
             [[package]]\nname = \"ab\"\nversion = \"3.0.0\"\nchecksum = \"fedcba98765432100\"\n",
        );
        let page = |rows: &str| format!("x\n\n{HEAD} read |\n|---|---|---|---|\n{rows}\ny | z |\n");
        let told = |rows: &str| compared(&page(rows), &lock).expect_err("it is wrong");
        assert_eq!(compared(&page("| `a` | 1.0.0 | `0123456789abcdef` | all |\n"), &lock), Ok(()));
        let other = told("| `a` | 0.9.0 | `0123456789abcdef` | all |\n");
        assert!(other.contains("record of a is of version 0.9.0, and Cargo.lock has 1.0.0:"), "{other}");
        assert!(told("| `c` | 1.0.0 | `0123456789abcdef` | all |\n").contains("Cargo.lock has no version"));
        assert!(
            told("| `a` | 1.0.0 | `0123456789abcde0` | all |\n")
                .contains("has the checksum 0123456789abcde0")
        );
        assert!(told("| `a` | 1.0.0 | `0123` | all |\n").contains("first 16 digits"));
        assert!(told("").contains("no record") && compared("x", &lock).is_err());
    }
}
