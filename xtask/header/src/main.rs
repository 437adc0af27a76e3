//! Writes the C header and the list of exports from `src/ffi`: `mcp-header HEADER EXPORTS`, run at the root of the
//! checkout by `cargo xtask header`.
//!
//! It is a crate of its own because cbindgen takes a while to build and no other command needs it.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// The order of the files of `src/ffi` in the header. Files without a place here follow by name.
const READING_ORDER: [&str; 13] = [
    "process",
    "status",
    "client",
    "calls",
    "messages",
    "queue",
    "features",
    "extensions",
    "auth",
    "transport",
    "value",
    "builder",
    "json",
];

/// Syntax that only rustdoc renders.
const RUSTDOC_MARKS: [&str; 4] = ["[`", "](", "# Safety", "::"];

fn main() -> ExitCode {
    let arguments: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    let done = match arguments.as_slice() {
        [header, exports] => write(header, exports),
        _ => Err("usage: mcp-header HEADER EXPORTS".to_owned()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("mcp-header: {message}");
            ExitCode::FAILURE
        }
    }
}

fn write(header: &Path, exports: &Path) -> Result<(), String> {
    let config = cbindgen::Config::from_file("cbindgen.toml")?;
    let builder = sources(Path::new("src/ffi"))?
        .into_iter()
        .fold(cbindgen::Builder::new().with_config(config), cbindgen::Builder::with_src);
    let bindings = builder.generate().map_err(|error| error.to_string())?;

    let mut text = Vec::new();
    bindings.write(&mut text);
    let mut text = String::from_utf8(text).map_err(|error| error.to_string())?;
    if !text.ends_with('\n') {
        text.push('\n');
    }
    refuse_rustdoc(&text)?;
    refuse_foreign_macros(&text)?;
    let mut symbols: Vec<&str> = bindings.dynamic_symbols_names().collect();
    symbols.sort_unstable();
    if let Some([twice, _]) = symbols.windows(2).find(|pair| pair[0] == pair[1]) {
        return Err(format!("{twice} is defined twice in src/ffi"));
    }
    let save = |path: &Path, text: &str| {
        std::fs::write(path, text).map_err(|error| format!("cannot write {}: {error}", path.display()))
    };
    save(header, &text)?;
    save(exports, &(symbols.join("\n") + "\n"))
}

/// The files of the C layer in reading order. Only they are given to cbindgen, so no public constant of another layer
/// gets into the header; and not the layer's mod.rs, by which cbindgen would find them all a second time.
fn sources(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .map_err(|error| format!("cannot read {}: {error}", folder.display()))?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|it| it == "rs"))
        .filter(|path| !path.ends_with("mod.rs") && !path.ends_with("tests.rs"))
        .collect();
    files.sort_by_key(|path| {
        let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let place = READING_ORDER.iter().position(|name| *name == stem).unwrap_or(READING_ORDER.len());
        (place, stem)
    });
    if files.is_empty() { Err(format!("no Rust files in {}", folder.display())) } else { Ok(files) }
}

/// The comments become the C programmer's documentation, so they may not speak rustdoc.
fn refuse_rustdoc(header: &str) -> Result<(), String> {
    for line in header.lines() {
        if let Some(mark) = RUSTDOC_MARKS.iter().find(|mark| line.contains(*mark)) {
            return Err(format!(
                "`{mark}` in a comment of src/ffi says nothing to a C programmer: {}",
                line.trim()
            ));
        }
    }
    Ok(())
}

/// A public constant of a file that is not part of the API would become a macro in every C program.
fn refuse_foreign_macros(header: &str) -> Result<(), String> {
    let defined = header.lines().filter_map(|line| line.strip_prefix("#define ")?.split_whitespace().next());
    match defined.into_iter().find(|name| !name.starts_with("MCP_")) {
        Some(name) => {
            Err(format!("src/ffi has a public constant {name}: make it pub(crate), or name it MCP_…"))
        }
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::{refuse_foreign_macros, refuse_rustdoc};

    #[test]
    fn a_constant_without_our_prefix_is_refused() {
        assert_eq!(refuse_foreign_macros("#ifndef MCP_H\n#define MCP_H\n#define MCP_OK 0\n"), Ok(()));
        assert!(refuse_foreign_macros("#define MCP_OK 0\n#define DEPTH 128\n").is_err());
    }

    #[test]
    fn plain_comments_are_accepted() {
        assert_eq!(refuse_rustdoc("/** Frees `client`; NULL is fine. */\nvoid f(char **a);"), Ok(()));
    }

    #[test]
    fn links_and_safety_sections_of_rustdoc_are_refused() {
        for line in
            [" * See [`MCP_OK`].", " * See [the other](mcp_call).", " * # Safety", " * Same as Client::new."]
        {
            assert!(refuse_rustdoc(line).is_err(), "{line}");
        }
    }
}
