//! The reference is made from the headers without a warning. A comment about a parameter that is not there and a function
//! without a comment are planted first, and must be found.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::Stage;
use crate::checkout::{folder_at, read, write};
use crate::compiler;
use crate::declared::functions;
use crate::doc;
use crate::machine::{CC, DOXYGEN, GROFF};
use crate::manual;
use crate::process;

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

    let bare: Vec<&str> = pages
        .iter()
        .filter(|page| page.file != "mcp.3" && !page.text.contains(".SH EXAMPLES"))
        .map(|page| page.file.trim_end_matches(".3"))
        .collect();
    let why = || {
        format!(
            "neither its comment nor a source in examples/c, examples/server or stores calls {}",
            bare.join(", ")
        )
    };
    let result = if bare.is_empty() { Ok(()) } else { Err(why()) };
    stage.tally.check("each manual page has an example", result);
    let name = "the examples in the comments of include/mcp.h compile";
    if let Some(cc) = stage.tally.need(&CC, name) {
        let result = examples_compile(stage, &cc);
        stage.tally.check(name, result);
    }

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
        let finished = process::run(&mut command, process::LIMIT, &folder.join("groff"))?;
        if finished.succeeded() { Ok(finished.stderr) } else { Err(finished.story()) }
    };
    let found =
        if said(&[planted])?.contains("NONE") { Ok(()) } else { Err("groff did not find it".to_owned()) };
    stage.tally.check("an unknown request is found", found);
    let warnings = said(&all)?;
    stage.tally.check(name, if warnings.is_empty() { Ok(()) } else { Err(warnings) });
    Ok(())
}

/// What the examples in comments use and do not declare.
const DECLARED: &str = "#include <mcp.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n\
    void reload_tools(void);\nvoid reload(const char *json);\nvoid app_add(void *app, const char *name, mcp_client_t *client);\n\
    void on_tool(void *user, mcp_message_t *request);\n";
const VARIABLES: &str = "void *app, void *document, mcp_client_t *client, mcp_server_t *server, mcp_queue_t *queue,\n\
    mcp_message_t *message, mcp_message_t *request, mcp_message_t *reply, mcp_message_t *entry, mcp_message_t *skill, char *error,\n\
    char *key, char *value, const char *json, const char *path, const char *body, const char *definition, const char *task_id,\n\
    const char *stored_text_or_NULL, mcp_value_t parameters, mcp_value_t tool";

/// Compiles each example that stands in a comment: functions as they are, statements in the body of one.
fn examples_compile(stage: &Stage, cc: &Path) -> Result<(), String> {
    let folder = stage.checkout.scratch("doc/examples")?;
    let mut wrong = Vec::new();
    let mut count = 0;
    for function in functions(&read(&stage.checkout.header())?) {
        let Some(code) = manual::example(&function) else { continue };
        count += 1;
        let mut declared = String::from(DECLARED);
        let mut statements = String::new();
        let mut is_outside = false;
        for line in code.lines() {
            is_outside |= line.starts_with("static ");
            let part = if is_outside { &mut declared } else { &mut statements };
            part.push_str(line);
            part.push('\n');
            is_outside &= line != "}" && !(line.starts_with("static ") && line.ends_with(';'));
        }
        let path = folder.join(format!("{}.c", function.name));
        write(
            &path,
            &format!(
                "{declared}void example({VARIABLES});\nvoid example({VARIABLES}) {{\n{{\n{statements}}}\n}}\n"
            ),
        )?;
        let mut command = compiler::command(stage.checkout, cc, "c11");
        command
            .arg("-fsyntax-only")
            .args(["-Wno-unused-parameter", "-Wno-unused-variable", "-Wno-unused-function"])
            .arg(&path);
        if let Err(why) = compiler::compile(&mut command, &folder.join(&function.name)) {
            wrong.push(why);
        }
    }
    match count {
        0..10 => Err(format!("only {count} examples were found, which cannot be")),
        _ if wrong.is_empty() => Ok(()),
        _ => Err(wrong.join("\n")),
    }
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
