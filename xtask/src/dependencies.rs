//! `cargo xtask dependencies`: which crates are in the library, how many, and how often they say `unsafe`, written into
//! docs/design/dependencies.md. The step `deny` looks whether the page still says so.

use std::collections::BTreeSet;
use std::path::Path;

use crate::checkout::{Checkout, files_below, read, write};
use crate::dist;
use crate::source::{each, is_call, is_word, tokens, without_tests};
use crate::test::layers;

const PAGE: &str = "docs/design/dependencies.md";
const BEGIN: &str = "<!-- written by `cargo xtask dependencies` -->\n";
const END: &str = "<!-- as far as here -->\n";

/// What is counted is what this system gets.
const SYSTEM: &str = "x86_64-unknown-linux-gnu";

/// A crate that says `unsafe` this often is named.
const MANY: usize = 100;

/// A crate.
struct Counted {
    name: String,
    version: String,
    /// The blocks, functions, implementations and traits that are `unsafe`.
    unsafes: usize,
}

/// Writes the part of the page that is counted.
pub fn put(checkout: &Checkout) -> Result<(), String> {
    let page = read(&checkout.root.join(PAGE))?;
    write(&checkout.root.join(PAGE), &replaced(&page, &counted(checkout)?)?)
}

/// Whether the page says what is so.
pub fn check(checkout: &Checkout) -> Result<(), String> {
    let page = read(&checkout.root.join(PAGE))?;
    let right = replaced(&page, &counted(checkout)?)?;
    match right.lines().zip(page.lines()).find(|(right, written)| right != written) {
        Some((right, written)) => Err(format!(
            "{PAGE} says\n{written}\nand it is\n{right}\nrun `cargo xtask dependencies` and look at what has changed"
        )),
        None if right == page => Ok(()),
        None => Err(format!("{PAGE} is out of date: run `cargo xtask dependencies`")),
    }
}

/// The page with another text between the marks.
fn replaced(page: &str, text: &str) -> Result<String, String> {
    let (before, rest) = page.split_once(BEGIN).ok_or_else(|| format!("{PAGE} has no {BEGIN}"))?;
    let (_, after) = rest.split_once(END).ok_or_else(|| format!("{PAGE} has no {END}"))?;
    Ok(format!("{before}{BEGIN}{text}{END}{after}"))
}

fn counted(checkout: &Checkout) -> Result<String, String> {
    let all = crates(checkout, &["--all-features"])?;
    let plain = crates(checkout, &["--no-default-features", "--features", "client"])?;
    let packages = checkout.metadata(&["--locked", "--filter-platform", SYSTEM])?;
    let mut rows = Vec::new();
    for (name, version) in &all {
        let package = packages.iter().find(|it| it["name"] == **name && it["version"] == **version);
        let manifest = package.and_then(|it| it["manifest_path"].as_str());
        let manifest =
            manifest.ok_or_else(|| format!("cargo metadata does not say where {name} {version} is"))?;
        let root = Path::new(manifest).parent().unwrap_or(Path::new(""));
        // A crate of one file may have it beside its manifest.
        let folder = Some(root.join("src")).filter(|folder| folder.is_dir());
        let unsafes = look(&folder.unwrap_or_else(|| root.to_path_buf()), &|_| true)?;
        rows.push(Counted { name: name.clone(), version: version.clone(), unsafes });
    }
    let mut own = 0;
    for root in layers::ROOTS {
        // The tests of a module may be in a folder of their own.
        own += look(&checkout.root.join(root), &|path| {
            !path.components().any(|part| part.as_os_str() == "tests")
        })?;
    }
    Ok(page(own, &rows, plain.len()))
}

fn page(own: usize, rows: &[Counted], plain: usize) -> String {
    let mut many: Vec<&Counted> = rows.iter().filter(|row| row.unsafes >= MANY).collect();
    many.sort_by(|a, b| b.unsafes.cmp(&a.unsafes).then(a.name.cmp(&b.name)));
    let without = rows.iter().filter(|row| row.unsafes == 0).count();
    let total: usize = rows.iter().map(|row| row.unsafes).sum();
    let many: Vec<String> =
        many.iter().map(|row| format!("`{}` {} ({})", row.name, row.version, row.unsafes)).collect();
    format!(
        "On x86-64 Linux {} crates are compiled into the library, and {plain} without its optional features. Ours says \
         `unsafe` {} times, all others together {total} times: blocks, functions, implementations and traits, \
         counted in the sources of all systems and features, without what is compiled for tests alone. {without} say \
         it never. Most often: {}.\n",
        rows.len(),
        own,
        many.join(", "),
    )
}

/// Names and versions of the crates in the library.
fn crates(checkout: &Checkout, features: &[&str]) -> Result<BTreeSet<(String, String)>, String> {
    let words = [&["--edges", "normal,no-proc-macro"], features].concat();
    let tree = dist::tree(checkout, "mcp", SYSTEM, &words)?;
    Ok(tree.into_iter().filter(|it| !it.is_ours).map(|it| (it.name, it.version)).collect())
}

/// The `unsafe`s of the Rust files in a folder.
fn look(folder: &Path, wanted: &impl Fn(&Path) -> bool) -> Result<usize, String> {
    let mut unsafes = 0;
    for path in files_below(folder)? {
        if path.extension().is_some_and(|it| it == "rs") && wanted(&path) {
            let text = read(&path)?;
            // Most files have none, and reading them closely takes long.
            if text.contains("unsafe") {
                unsafes += unsafes_in(&text);
            }
        }
    }
    Ok(unsafes)
}

/// How often the code says `unsafe` of something: not the attribute `#[unsafe(no_mangle)]`, not a pointer's type.
fn unsafes_in(text: &str) -> usize {
    let mut count = 0;
    each(&without_tests(tokens(text)), &mut |tree, after| {
        // The type of a function, such as `Option<unsafe extern "C" fn(…)>`: no name comes after `fn`.
        let is_type = (0..3).any(|at| is_word(after.get(at), "fn") && is_call(after.get(at + 1)));
        count += usize::from(is_word(Some(tree), "unsafe") && !is_call(after.first()) && !is_type);
    });
    // What it knows of this text would be kept as long as this process lives.
    proc_macro2::extra::invalidate_current_thread_spans();
    count
}
