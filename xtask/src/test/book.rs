//! The documentation as one book: made without a warning, no link leads nowhere, and every block of code is read by what it is for:
//! C is compiled, JSON parsed, shell and Python read by their interpreters. Faults are planted first.
//!
//! That the programs of the guides work, the step `readme` shows; those of the bindings are compiled or run in theirs.

use std::path::Path;
use std::process::Command;

use super::Stage;
use crate::checkout::{read, write};
use crate::machine::{CC, DOXYGEN, NODE, PYTHON};
use crate::{book, compiler, process};

/// A fault in the first page, and what is said of it.
const PLANTED: [(&str, &str, &str); 2] = [
    ("a link to no place of a page", "\n[gone](docs/reference/cli.md#no-such-place)\n", "#no-such-place"),
    ("a tag that is not closed", "\n<div>\n\n# A heading\n\n</span>\n", "mdBook is not content"),
];

/// What a block that is not a whole program takes for granted: its objects, and functions of the application.
const PRELUDE: &str = "#define _GNU_SOURCE\n#include <mcp.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n\
    extern mcp_client_t *client; extern mcp_server_t *server; extern mcp_queue_t *queue; extern mcp_message_t *message;\n\
    extern mcp_message_t *reply; extern uint64_t call, call_id, tag; extern char *error; extern const char *config;\n\
    void hand_to_a_thread(mcp_message_t *request); void finish(uint64_t tag, const char *json); void reload_tools(void);\n";

/// Reads a file of JSON values, one after the other.
const JSON_VALUES: &str = "import json, sys\n\
    text = open(sys.argv[1]).read().strip()\n\
    while text: text = text[json.JSONDecoder().raw_decode(text)[1]:].strip()\n";

/// A block of code of a page.
struct Block<'a> {
    line: usize,
    language: &'a str,
    text: String,
}

pub fn run(stage: &mut Stage) -> Result<(), String> {
    let name = "the book is made without a warning, and every link in it leads somewhere";
    if [&DOXYGEN, &PYTHON].iter().any(|tool| stage.tally.need(tool, name).is_none()) {
        return Ok(());
    }
    let checkout = stage.checkout;
    let folder = checkout.scratch("book")?;
    for (fault, text, told) in PLANTED {
        let result = match book::planted(checkout, &folder.join("planted"), text) {
            Ok(()) => Err("it was not found".to_owned()),
            Err(why) if why.contains(told) => Ok(()),
            Err(why) => Err(why),
        };
        stage.tally.check(&format!("{fault} is found"), result);
    }
    let made = book::make(checkout, &folder.join("pages"));
    stage.tally.check(name, made.map(drop));
    let pages = book::pages(checkout)?;
    let mut count = 0;
    let mut faults = Vec::new();
    for page in &pages {
        let text = read(&checkout.root.join(page))?;
        for block in blocks(&text) {
            count += 1;
            if let Err(why) = reads(stage, &block, &folder) {
                faults.push(format!("{page}:{}: {}: {why}", block.line, block.language));
            }
        }
    }
    let result = if faults.is_empty() { Ok(()) } else { Err(faults.join("\n")) };
    stage
        .tally
        .check(&format!("the {count} blocks of code in its {} pages are what they say", pages.len()), result);
    Ok(())
}

/// Has a block read by what it is for.
fn reads(stage: &Stage, block: &Block, folder: &Path) -> Result<(), String> {
    let (suffix, mut command) = match block.language {
        "c" => ("c", compiler::command(stage.checkout, &CC.find()?, "c11")),
        "json" | "python" | "xml" | "yaml" => ("txt", Command::new(PYTHON.find()?)),
        "sh" => ("sh", Command::new("sh")),
        "js" => ("mjs", Command::new(NODE.find()?)),
        // The steps `go`, `java`, `lua` and `swift` have these compilers, and their examples; a diagram is drawn where it is shown.
        "csharp" | "go" | "ini" | "java" | "lua" | "swift" | "text" | "mermaid" | "toml" | "" => {
            return Ok(());
        }
        other => return Err(format!("nothing is known about the language {other}")),
    };
    let file = folder.join(format!("block.{suffix}"));
    let text = if block.language == "c" { c_program(&block.text) } else { block.text.clone() };
    write(&file, &text)?;
    match block.language {
        "c" => {
            command.args(["-fsyntax-only", "-Wno-unused"]).arg("-I").arg(stage.checkout.root.join("tests/c"))
        }
        "json" => command.args(["-c", JSON_VALUES]),
        "python" => command.args(["-c", "import ast, sys; ast.parse(open(sys.argv[1]).read())"]),
        "xml" => command.args([
            "-c",
            "import sys, xml.etree.ElementTree as tree; tree.fromstring('<x>' + open(sys.argv[1]).read() + '</x>')",
        ]),
        // Without a parser of YAML: tabs are what it does not permit.
        "yaml" => command.args(["-c", "import sys; assert '\\t' not in open(sys.argv[1]).read()"]),
        "js" => command.arg("--check"),
        _ => command.arg("-n"),
    };
    process::run(command.arg(&file), process::LIMIT, &folder.join("block"))?.done()
}

/// A whole program, or statements as the body of a function that has what the pages take for granted.
fn c_program(text: &str) -> String {
    if text.contains("#include") || text.contains("int main(") {
        return text.to_owned();
    }
    // Functions stand by themselves.
    let is_function = |line: &str| line.starts_with("static ") && line.ends_with('{');
    if text.lines().any(is_function) {
        let (functions, rest) = text.rsplit_once("\n}\n").unwrap_or((text, ""));
        return format!(
            "{PRELUDE}{functions}\n}}\nint block(void);\nint block(void) {{\n{rest}\nreturn 0;\n}}\n"
        );
    }
    format!("{PRELUDE}int block(void);\nint block(void) {{\n{{\n{text}\n}}\nreturn 0;\n}}\n")
}

/// The blocks between fences.
fn blocks(text: &str) -> Vec<Block<'_>> {
    let mut found: Vec<Block> = Vec::new();
    let mut open: Option<Block> = None;
    for (number, line) in text.lines().enumerate() {
        let fence = line.trim_start().strip_prefix("```");
        match (fence, &mut open) {
            (Some(_), Some(_)) => found.extend(open.take()),
            (Some(language), None) => {
                let language = language.trim();
                open = Some(Block { line: number + 1, language, text: String::new() });
            }
            (None, Some(block)) => {
                block.text.push_str(line);
                block.text.push('\n');
            }
            (None, None) => {}
        }
    }
    found
}
