//! The reference is made from the headers without a warning. A comment about a parameter that is not there and a function
//! without a comment are planted first, and must be found.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use super::Stage;
use crate::checkout::{folder_at, read, write};
use crate::doc;
use crate::machine::{DOXYGEN, GROFF};
use crate::manual;
use crate::process;

const LIMIT: Duration = Duration::from_secs(60);

pub fn run(stage: &mut Stage) -> Result<(), String> {
    manual_pages(stage)?;
    let name = "Doxygen has nothing to say against mcp.h and mcp.hpp";
    if stage.tally.need(&DOXYGEN, name).is_none() {
        return Ok(());
    }
    let include = stage.checkout.root.join("include");
    let scratch = stage.checkout.scratch("doc")?;
    for (number, (planted, file, old, new)) in [
        ("a parameter that is not there", "mcp.h", " * timeout_ms: the", " * time_ms: the"),
        ("a function without a comment", "mcp.hpp", "    /** The kind of the message. */\n", ""),
    ]
    .into_iter()
    .enumerate()
    {
        let folder = scratch.join(format!("planted-{number}"));
        folder_at(&folder)?;
        for header in ["mcp.h", "mcp.hpp"] {
            let text = read(&include.join(header))?;
            let text = if header == file { changed(&text, old, new)? } else { text };
            write(&folder.join(header), &text)?;
        }
        let result = found(doc::make(stage.checkout, &folder, &folder.join("pages")), Path::new(file));
        stage.tally.check(&format!("{planted} is found"), result);
    }
    let result = doc::make(stage.checkout, &include, &scratch.join("pages"));
    stage.tally.check(name, result.map(|_| ()));
    Ok(())
}

/// Each function has a page, and groff has no warning for any. An unknown request is planted first, and must be found.
fn manual_pages(stage: &mut Stage) -> Result<(), String> {
    let pages = manual::pages(stage.checkout)?;
    let exports = read(&stage.checkout.exports())?;
    let lacks = exports.lines().filter(|name| !pages.iter().any(|page| page.file == format!("{name}.3")));
    let missing: Vec<&str> = lacks.collect();
    let result = if missing.is_empty() { Ok(()) } else { Err(format!("no page: {}", missing.join(", "))) };
    stage.tally.check(&format!("each of {} functions has a manual page", exports.lines().count()), result);

    let name = "groff has nothing to say against the manual pages";
    let Some(groff) = stage.tally.need(&GROFF, name) else { return Ok(()) };
    let folder = stage.checkout.scratch("doc/man3")?;
    let mut all = Vec::new();
    for page in &pages {
        let path = folder.join(&page.file);
        write(&path, &page.text)?;
        all.push(path);
    }
    let planted = folder.join("planted.3");
    write(&planted, &format!("{}.NONE\n", pages.first().map_or("", |page| &page.text)))?;
    let said = |files: &[PathBuf]| -> Result<String, String> {
        let mut command = Command::new(&groff);
        command.args(["-man", "-Tutf8", "-ww", "-z"]).args(files);
        let finished = process::run(&mut command, LIMIT, &folder.join("groff"))?;
        if finished.succeeded() { Ok(finished.stderr) } else { Err(finished.story()) }
    };
    let found =
        if said(&[planted])?.contains("NONE") { Ok(()) } else { Err("groff did not find it".to_owned()) };
    stage.tally.check("an unknown request is found", found);
    let warnings = said(&all)?;
    stage.tally.check(name, if warnings.is_empty() { Ok(()) } else { Err(warnings) });
    Ok(())
}

fn changed(text: &str, old: &str, new: &str) -> Result<String, String> {
    if text.contains(old) {
        Ok(text.replacen(old, new, 1))
    } else {
        Err(format!("plant another fault than {old}"))
    }
}

/// Doxygen must have named the file with the fault.
fn found<T>(outcome: Result<T, String>, file: &Path) -> Result<(), String> {
    match outcome {
        Ok(_) => Err("Doxygen did not find it".to_owned()),
        Err(why) if why.contains(&format!("/{}:", file.display())) => Ok(()),
        Err(why) => Err(why),
    }
}
