//! Every relative link of a page leads to a file or a heading that is there, by rumdl: MD051 looks at headings, MD057 at files.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::Stage;
use crate::checkout::{Checkout, write};
use crate::peers;
use crate::table;

/// What the linter says of the page that is planted.
const FAULTS: [&str; 4] = [
    "link 'gone.md' does not exist",
    "link '../../README.md' does not exist",
    "anchor '#no-heading' does not exist",
    "fragment 'one' not found",
];

/// Checks all pages, with their texts. The core of the tests downloads nothing, and leaves it to runs of everything if it is not there.
pub fn check(stage: &mut Stage, pages: &[(String, String)]) -> Result<(), String> {
    const NAME: &str = "every link of a page leads somewhere";
    let checkout = stage.checkout;
    let rumdl = peers::folder(checkout, "rumdl").join("bin/rumdl");
    if stage.release.is_quick() && !rumdl.is_file() {
        stage.tally.skip(NAME, "rumdl is missing. To get it: cargo xtask peers");
        return Ok(());
    }
    peers::environment(checkout, "rumdl")?;
    let files = pages.iter().map(|(page, _)| page).filter(|page| !table::is_table(page));
    let files = Command::new(&rumdl).args(WORDS).args(files).current_dir(&checkout.root).output();
    let mut said = vec![told(files)];
    for (page, text) in pages.iter().filter(|(page, _)| table::is_table(page)) {
        said.push(of_text(checkout, &rumdl, page, text));
    }
    let wrong: Vec<String> = said.into_iter().filter_map(Result::err).collect();
    stage.tally.check(NAME, super::none(&wrong));
    // What finds nothing wrong must be able to.
    let folder = checkout.scratch("pages/docs")?;
    let other = folder.with_file_name("README.md");
    write(&other, "# Read me\n")?;
    let planted = "# One thing: `a`\n\n## Same\n\n## Same\n\n[1](gone.md) [2](../../README.md) [3](#no-heading) [4](../README.md#one)\n\
                   [5](../README.md#read-me) [6](#one-thing-a) [7](#same-1) [8](../)\n";
    let page = folder.join("one.md");
    write(&page, planted)?;
    let found =
        told(Command::new(&rumdl).args(WORDS).args([&page, &other]).output()).err().unwrap_or_default();
    let is_found = FAULTS.iter().all(|fault| found.contains(fault)) && found.contains("Found 4 issues");
    let result = if is_found { Ok(()) } else { Err(found) };
    stage.tally.check("each link that leads nowhere is found, and no other", result);
    Ok(())
}

const WORDS: [&str; 5] = ["check", "--no-config", "--no-cache", "--enable", "MD051,MD057"];

/// A table is a page for its readers, and has no file.
fn of_text(checkout: &Checkout, rumdl: &PathBuf, page: &str, text: &str) -> Result<(), String> {
    let input = checkout.scratch("pages")?.join("table.md");
    write(&input, text)?;
    let input = std::fs::File::open(&input).map_err(|error| format!("cannot read {page}: {error}"))?;
    let name = Path::new(page).with_extension("md");
    let mut command = Command::new(rumdl);
    command.args(WORDS).arg("--stdin-filename").arg(name).arg("-").current_dir(&checkout.root);
    told(command.stdin(Stdio::from(input)).output())
}

fn told(output: std::io::Result<std::process::Output>) -> Result<(), String> {
    let output = output.map_err(|error| format!("cannot start rumdl: {error}"))?;
    let said = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    if output.status.success() { Ok(()) } else { Err(said.concat()) }
}
