//! `cargo xtask book`: the documentation as one book, with a search: the pages of `docs/book/SUMMARY.md` as they are in the
//! repository, and the reference of the C and C++ API. mdBook makes it, as the step `book` of the tests checks it.
//!
//! The files:
//!
//! * `links`: where the links of a page lead in the book
//! * `found`: the links of the finished book that lead nowhere

mod found;
mod links;

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::checkout::{Checkout, cleared, copy, folder_at, read, write};
use crate::{doc, peers, process, table};
use links::Links;

const SUMMARY: &str = "docs/book/SUMMARY.md";
/// Where the reference of the C and C++ API is in the book.
const REFERENCE: &str = "c";

/// `cargo xtask book`
pub fn run(checkout: &Checkout) -> Result<(), String> {
    let page = make(checkout, &checkout.target.join("book"))?;
    println!("wrote {}", page.display());
    Ok(())
}

/// The pages of the book, in its order, by their paths in the repository.
pub fn pages(checkout: &Checkout) -> Result<Vec<String>, String> {
    let summary = read(&checkout.root.join(SUMMARY))?;
    Ok(links::targets(&summary).iter().map(|link| links::resolve("docs/book", link)).collect())
}

/// Makes the book in a folder; gives its first page.
pub fn make(checkout: &Checkout, output: &Path) -> Result<PathBuf, String> {
    let html = made(checkout, output, "")?;
    doc::make(checkout, &checkout.root.join("include"), &output.join("doxygen"))?;
    std::fs::rename(output.join("doxygen/html"), html.join(REFERENCE))
        .map_err(|error| format!("cannot put the reference into the book: {error}"))?;
    let dead = found::dead_links(&html, REFERENCE)?;
    if dead.is_empty() { Ok(html.join("index.html")) } else { Err(dead.join("\n")) }
}

/// The same without the reference and with something more on the first page; what links to the reference is told, too.
pub fn planted(checkout: &Checkout, output: &Path, more: &str) -> Result<(), String> {
    let dead = found::dead_links(&made(checkout, output, more)?, REFERENCE)?;
    if dead.is_empty() { Ok(()) } else { Err(dead.join("\n")) }
}

/// The pages as mdBook makes them; gives their folder.
fn made(checkout: &Checkout, output: &Path, more: &str) -> Result<PathBuf, String> {
    let source = output.join("src");
    cleared(output)?;
    let pages = pages(checkout)?;
    let links = Links { pages: &pages, root: &checkout.root, reference: REFERENCE };
    let summary = read(&checkout.root.join(SUMMARY))?;
    put(&source.join("SUMMARY.md"), &links::in_summary("docs/book", &summary))?;
    for (number, page) in pages.iter().enumerate() {
        let text = table::page(checkout, page)?;
        let text = if number == 0 { format!("{text}{more}") } else { text };
        put(&source.join(links::in_book(page)), &links.in_page(page, &text))?;
    }
    for folder in ["docs/reference", "docs/history"] {
        for picture in checkout.files(folder, "svg") {
            let name = picture.file_name().unwrap_or_default();
            copy(&picture, &source.join(folder).join(name))?;
        }
    }
    for file in ["book.toml", "book.css", "tables.js"] {
        copy(&checkout.root.join("docs/book").join(file), &output.join(file))?;
    }
    let mut mdbook = Command::new(peers::environment(checkout, "mdbook")?.join("bin/mdbook"));
    mdbook.arg("build").arg(output);
    let finished = process::run(&mut mdbook, process::LIMIT, &output.join("mdbook"))?;
    let said = format!("{}{}", finished.stdout, finished.stderr);
    if !finished.succeeded() || said.contains("WARN") || said.contains("ERROR") {
        return Err(format!("mdBook is not content: {}", finished.story()));
    }
    Ok(output.join("html"))
}

fn put(path: &Path, text: &str) -> Result<(), String> {
    let folder = path.parent().unwrap_or(path);
    folder_at(folder)?;
    write(path, text)
}
