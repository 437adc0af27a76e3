//! Whether the first comment of each `mod.rs` lists the files of its folder. A row of the list names one file or several, and says
//! what is in them:
//!
//! ```text
//! //! * `scan`: whether a text is valid, and where the wanted members are
//! ```
//!
//! `lib.rs` has a table instead, whose second column names the folders.

/// What is wrong with the list of one file: modules of the library that it does not have, and names that are no modules at all.
pub fn faults(text: &str, [all, library]: &[Vec<String>; 2]) -> Vec<String> {
    let listed: Vec<&str> = text.lines().map_while(|line| line.strip_prefix("//!")).flat_map(names).collect();
    let missing = library.iter().filter(|name| !listed.contains(&name.as_str())).map(|name| {
        format!("the first comment does not list `{name}`: add a row \"//! * `{name}`: what it is\"")
    });
    let stale = listed
        .iter()
        .filter(|name| !all.iter().any(|own| own == *name))
        .map(|name| format!("the first comment lists `{name}`, which is no file or folder here"));
    missing.chain(stale).collect()
}

/// The names in a row of the list; none in any other line.
fn names(line: &str) -> Vec<&str> {
    let line = line.strip_prefix(' ').unwrap_or(line);
    let row =
        line.strip_prefix("* ").or_else(|| line.strip_prefix("| ")?.split_once(" | ").map(|(_, rest)| rest));
    let mut names = Vec::new();
    let mut rest = row.unwrap_or_default();
    while let Some((name, after)) = rest.strip_prefix('`').and_then(|rest| rest.split_once('`')) {
        names.push(name);
        rest = after.strip_prefix(", ").unwrap_or_default();
    }
    names
}
