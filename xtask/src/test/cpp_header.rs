//! What holds of `include/mcp.hpp` only: it compiles in every standard and mode that users have, says which standard it needs,
//! and has every option of a call.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use crate::checkout::{Checkout, read, write as write_file};
use crate::compiler;
use crate::process;

const LIMIT: Duration = Duration::from_secs(60);

/// The standards after the one in which everything else is compiled.
const LATER: [&str; 2] = ["c++20", "c++2b"];
const MODES: [&[&str]; 2] = [&[], &["-fno-exceptions", "-fno-rtti"]];

/// What the header says to a compiler for an older standard.
const NEEDS: &str = "mcp.hpp needs C++17 or later";

/// Compiles the header in the later standards, with and without exceptions and RTTI. The step `cpp` runs programs in C++17.
pub fn compiles_in_every_mode(checkout: &Checkout, program: &Path) -> Result<(), String> {
    for standard in LATER {
        for flags in MODES {
            let (unit, log) = unit(checkout, program, &format!("{standard}{}", flags.concat()))?;
            let mut command = compiler::command(checkout, program, standard);
            compiler::compile(command.args(flags).arg("-fsyntax-only").arg(unit), &log)?;
        }
    }
    Ok(())
}

/// A compiler for an older standard names the one that is necessary.
pub fn refuses_an_older_standard(checkout: &Checkout, program: &Path) -> Result<(), String> {
    let (unit, log) = unit(checkout, program, "c++14")?;
    let mut command: Command = compiler::command(checkout, program, "c++14");
    let finished = process::run(command.arg("-fsyntax-only").arg(unit), LIMIT, &log)?;
    if !finished.succeeded() && finished.stderr.contains(NEEDS) {
        return Ok(());
    }
    Err(format!("compiled as C++14, include/mcp.hpp does not say '{NEEDS}'\n{}", finished.story()))
}

/// A file that includes the header, and where its log is.
fn unit(
    checkout: &Checkout,
    program: &Path,
    name: &str,
) -> Result<(std::path::PathBuf, std::path::PathBuf), String> {
    let compiler = program.file_name().unwrap_or_default().to_string_lossy();
    let folder = checkout.scratch(&format!("header/{compiler}-{name}"))?;
    let unit = folder.join("unit.cpp");
    write_file(&unit, "#include <mcp.hpp>\n")?;
    Ok((unit, folder.join("unit")))
}

/// `mcp::call_options` writes every option of a call that `docs/configuration.md` has.
pub fn has_every_option(checkout: &Checkout) -> Result<(), String> {
    let page = read(&checkout.root.join("docs/configuration.md"))?;
    let header = read(&checkout.root.join("include/mcp.hpp"))?;
    let (keys, written) = (options_of_page(&page), options_of_header(&header)?);
    if keys.is_empty() {
        return Err("docs/configuration.md has no table of the options of a call".to_owned());
    }
    let missing =
        keys.difference(&written).map(|key| format!("mcp::options of mcp.hpp does not write {key}"));
    let unknown = written
        .difference(&keys)
        .map(|key| format!("mcp::options of mcp.hpp writes {key}, which is no option"));
    let wrong: Vec<String> = missing.chain(unknown).collect();
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
}

/// The first cells of the tables of a call and of a feature.
fn options_of_page(page: &str) -> BTreeSet<&str> {
    let mut keys = BTreeSet::new();
    for mark in ["<!-- keys: call -->\n", "<!-- keys: feature_call -->\n"] {
        let table = page.split_once(mark).map_or("", |(_, rest)| rest);
        let rows = table.lines().take_while(|line| line.starts_with('|'));
        keys.extend(rows.filter_map(|row| Some(row.strip_prefix("| `")?.split_once('`')?.0)));
    }
    keys
}

/// The texts that the class `options` gives as names of members.
fn options_of_header(header: &str) -> Result<BTreeSet<&str>, String> {
    let (_, class) = header.split_once("\nclass options {").ok_or("mcp.hpp has no class options")?;
    let class = class.split("\n};\n").next().unwrap_or_default();
    let names = class.split('"').skip(1).step_by(2);
    let is_name = |text: &&str| !text.is_empty() && text.chars().all(|c| c == '_' || c.is_ascii_lowercase());
    Ok(names.filter(is_name).collect())
}

#[cfg(test)]
mod tests {
    use super::{options_of_header, options_of_page};

    #[test]
    fn the_options_of_the_page_are_those_of_both_tables() {
        let page = "<!-- keys: client -->\n| `x` | a |\n\n<!-- keys: call -->\n| key | type |\n|---|---|\n| `a_ms` | time |\n\
            | `b` | `no` |\n\nText `c`.\n\n<!-- keys: feature_call -->\n| `d` | e |\n";
        assert_eq!(options_of_page(page).into_iter().collect::<Vec<_>>(), ["a_ms", "b", "d"]);
    }

    #[test]
    fn the_options_of_the_header_are_the_names_in_its_class() {
        let header = "x(\"before\");\nclass options {\n  set(\"a_ms\", 1); if (*text != \"{}\") f(json, \"\");\n};\ny(\"after\");\n";
        assert_eq!(
            options_of_header(header).map(|names| names.into_iter().collect::<Vec<_>>()),
            Ok(vec!["a_ms"])
        );
        assert!(options_of_header("class other {};").is_err());
    }
}
