//! `cargo xtask book`: the documentation as one book, with a search, as `docs/book/make_book.py` makes it of the pages, by mdBook, and of the
//! reference of the C and C++ API.

use std::process::Command;

use crate::checkout::Checkout;
use crate::machine::PYTHON;
use crate::{doc, peers, process};

pub fn run(checkout: &Checkout) -> Result<(), String> {
    let (output, work) = (checkout.target.join("book"), checkout.scratch("book-reference")?);
    doc::make(checkout, &checkout.root.join("include"), &work)?;
    let mut command = Command::new(PYTHON.find()?);
    command.arg("-B").arg(checkout.root.join("docs/book/make_book.py"));
    command
        .arg(peers::environment(checkout, "mdbook")?.join("bin/mdbook"))
        .arg(&output)
        .arg(work.join("html"));
    process::run(&mut command, process::LIMIT, &work.join("book"))?.done()?;
    println!("wrote {}", output.join("html/index.html").display());
    Ok(())
}
