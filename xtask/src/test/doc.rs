//! The reference is made from the headers without a warning. A comment about a parameter that is not there and a function
//! without a comment are planted first, and must be found.

use std::path::Path;

use super::Stage;
use crate::checkout::{read, write};
use crate::doc;
use crate::machine::DOXYGEN;

pub fn run(stage: &mut Stage) -> Result<(), String> {
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
        std::fs::create_dir_all(&folder)
            .map_err(|error| format!("cannot make {}: {error}", folder.display()))?;
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
