//! Libraries for platforms, as the command lines name them that make the package of a binding, or the trees of `cargo xtask dist` with them.

use std::path::PathBuf;

/// A library for a platform.
pub struct Native {
    pub platform: String,
    /// The library, or the tree that it is in.
    pub file: PathBuf,
}

/// The folder of `--to`, and the libraries, each `option` with `PLATFORM=FILE`.
///
/// # Errors
/// Another word than these, or no folder; the text ends with `help`.
pub fn named(options: &[&str], option: &str, help: &str) -> Result<(PathBuf, Vec<Native>), String> {
    let mut to = None;
    let mut natives = Vec::new();
    let mut words = options.iter();
    while let Some(word) = words.next() {
        let value = words.next().ok_or_else(|| format!("{word} needs a value\n\n{help}"))?;
        match (*word, value.split_once('=')) {
            ("--to", _) => to = Some(PathBuf::from(value)),
            (word, Some((platform, file))) if word == option => {
                natives.push(Native { platform: platform.to_owned(), file: file.into() });
            }
            _ => return Err(format!("there is no option {word} {value}\n\n{help}")),
        }
    }
    Ok((to.ok_or_else(|| format!("--to names no folder\n\n{help}"))?, natives))
}

/// The folder of `--to`, and the trees that `cargo xtask dist` has made, each `--prefix` with `PLATFORM=PREFIX`.
///
/// # Errors
/// Those of [`named`], and no tree.
pub fn trees(options: &[&str], help: &str) -> Result<(PathBuf, Vec<Native>), String> {
    let (to, trees) = named(options, "--prefix", help)?;
    if trees.is_empty() {
        return Err(format!("--prefix names no tree\n\n{help}"));
    }
    Ok((to, trees))
}
