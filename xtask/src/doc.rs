//! `cargo xtask doc`: the reference of the C and C++ API, made by Doxygen from the headers' comments. A warning is an
//! error. Its main page is `docs/reference/functions.md` with the contract and the functions of `mcp.h` filled in.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::checkout::{Checkout, folder_at, read, write};
use crate::machine::DOXYGEN;
use crate::process;

const MARKS: [&str; 2] = ["@CONTRACT@", "@FUNCTIONS@"];

/// `cargo xtask doc`
pub fn run(checkout: &Checkout) -> Result<(), String> {
    let page = make(checkout, &checkout.root.join("include"), &checkout.target.join("doc/libmcp"))?;
    println!("wrote {}", page.display());
    Ok(())
}

/// Makes the pages from the headers in a folder; gives the first one.
pub fn make(checkout: &Checkout, headers: &Path, output: &Path) -> Result<PathBuf, String> {
    let doxygen = DOXYGEN.find()?;
    folder_at(output)?;
    let header = read(&headers.join("mcp.h"))?;
    let exports = read(&checkout.root.join("include/mcp.exports"))?;
    let page = read(&checkout.root.join("docs/reference/functions.md"))?;
    let page = page.replace(MARKS[0], &contract(&header)?).replace(MARKS[1], &functions(&header, &exports)?);
    let main_page = output.join("main.md");
    write(&main_page, &page)?;
    let settings = output.join("Doxyfile");
    let folder = output.display();
    let include = headers.display();
    write(
        &settings,
        &format!(
            "@INCLUDE = docs/Doxyfile\nOUTPUT_DIRECTORY = {folder}\nINPUT = {include} {folder}/main.md\n\
             STRIP_FROM_PATH = {include}\n"
        ),
    )?;
    let mut command = Command::new(doxygen);
    command.arg(&settings).current_dir(&checkout.root);
    let finished = process::run(&mut command, process::LIMIT, &output.join("doxygen"))?;
    if finished.succeeded() && finished.stderr.trim().is_empty() {
        return Ok(output.join("html/index.html"));
    }
    Err(format!("Doxygen is not content: {}", finished.story()))
}

/// The paragraphs of the header's first page, as Markdown with their first words in bold.
fn contract(header: &str) -> Result<String, String> {
    let (_, rest) = header.split_once("\n * THE CONTRACT").ok_or("mcp.h has no contract")?;
    let (text, _) = rest.split_once("*/").ok_or("the contract in mcp.h does not end")?;
    let mut page = String::new();
    for paragraph in text.split("\n *\n").skip(1) {
        let mut words = String::new();
        for line in paragraph.lines().map(|line| line.trim_start_matches([' ', '*'])) {
            words.push(if line.starts_with("- ") { '\n' } else { ' ' });
            words.push_str(line);
        }
        let (title, body) = words.trim().split_once(". ").unwrap_or((words.trim(), ""));
        let _ = write!(page, "**{title}.** {}\n\n", body.trim());
    }
    if page.is_empty() { Err("the contract in mcp.h is empty".to_owned()) } else { Ok(page) }
}

/// A table for each part of the header: its functions, each with the first sentence of its comment.
fn functions(header: &str, exports: &str) -> Result<String, String> {
    let mut page = String::new();
    for part in header.split("\n/* ==== ").skip(1) {
        let (title, rest) = part.split_once(" ==").unwrap_or((part, ""));
        let _ = write!(page, "### {title}\n\n| function | does |\n|---|---|\n");
        for (comment, code) in rest.split("/**\n * ").filter_map(|block| block.split_once("\n */\n")) {
            let declared = code.strip_prefix("MCP_API").and_then(|code| code.split_once('('));
            if let Some(name) = declared.and_then(|(name, _)| name.rsplit([' ', '*', '\n']).next()) {
                let first = comment.split("\n *\n").next().unwrap_or(comment).replace("\n * ", " ");
                let sentence = first.split(". ").next().unwrap_or(&first).trim_end_matches('.');
                let _ = writeln!(page, "| {name}() | {} |", sentence.replace('|', "\\|"));
            }
        }
        page.push('\n');
    }
    match exports.lines().find(|name| !page.contains(&format!("| {name}() | "))) {
        Some(name) => Err(format!("mcp.h has no comment for {name}() that the list of functions can take")),
        None => Ok(page),
    }
}
