//! `cargo xtask doc`: the reference of the C and C++ API, made by Doxygen from the headers' comments. A warning is an
//! error. Its main page is `docs/reference/functions.md` with the contract of `mcp.h` filled in.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::checkout::{Checkout, folder_at, read, write};
use crate::machine::DOXYGEN;
use crate::process;

const MARK: &str = "@CONTRACT@";

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
    let contract = contract(&read(&headers.join("mcp.h"))?)?;
    let main_page = output.join("main.md");
    write(&main_page, &read(&checkout.root.join("docs/reference/functions.md"))?.replace(MARK, &contract))?;
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
