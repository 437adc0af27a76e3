//! Writes the C header and the list of exports from `src/ffi`: `mcp-header HEADER EXPORTS`, run at the root of the
//! checkout by `cargo xtask header`.
//!
//! It is a crate of its own because cbindgen takes a while to build and no other command needs it.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// The files of `src/ffi` in the order in which the header has them, which is that of a program's life, each with the title of its part. Those
/// without functions have no title.
const PARTS: [(&str, &str); 21] = [
    ("process", "Versions, names, strings, the logger"),
    ("status", ""),
    ("client", "Clients"),
    ("config", "Configuration files"),
    ("calls", "Calls and notifications"),
    ("messages", "Messages: waiting, reading, answering"),
    ("queue", "Queues"),
    ("features", "Features of servers"),
    ("extensions", "Tasks and skills"),
    ("apps", "MCP Apps: views and their hosts"),
    ("auth", "Logins"),
    ("value", "Reading JSON"),
    ("builder", "Writing JSON"),
    ("json", "Single JSON values, URI templates"),
    ("server", "Servers"),
    ("server_offers", "What a server offers"),
    ("request", "Requests of clients"),
    ("store", "Stores that the processes of a server share"),
    ("server_http", "Servers inside an HTTP server of the program"),
    ("telemetry", "OpenTelemetry"),
    ("transport", "Transports of the program, and clients in one process"),
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
    let sources = sources(Path::new("src/ffi"))?;
    let mut parts = Vec::new();
    for path in &sources {
        let source = std::fs::read_to_string(path)
            .map_err(|error| format!("cannot read {}: {error}", path.display()))?;
        let stem = stem(path);
        parts.extend(part(&stem, exported(&source).map(str::to_owned).collect())?);
    }
    let builder =
        sources.into_iter().fold(cbindgen::Builder::new().with_config(config), cbindgen::Builder::with_src);
    let bindings = builder.generate().map_err(|error| error.to_string())?;

    let mut text = Vec::new();
    bindings.write(&mut text);
    let mut text = String::from_utf8(text).map_err(|error| error.to_string())?;
    if !text.ends_with('\n') {
        text.push('\n');
    }
    let text = with_parts(&text, &parts)?;
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
        let stem = stem(path);
        let place = PARTS.iter().position(|(name, _)| *name == stem).unwrap_or(PARTS.len());
        (place, stem)
    });
    if files.is_empty() { Err(format!("no Rust files in {}", folder.display())) } else { Ok(files) }
}

fn stem(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

/// The functions that a file exports, in its order.
fn exported(source: &str) -> impl Iterator<Item = &str> {
    source.split("extern \"C\" fn mcp_").skip(1).filter_map(|rest| rest.split_once('(').map(|(name, _)| name))
}

/// A part of the header: its title, and its functions without `mcp_`.
struct Part {
    title: &'static str,
    functions: Vec<String>,
}

/// The part that a file makes; `None` for a file without functions.
fn part(stem: &str, functions: Vec<String>) -> Result<Option<Part>, String> {
    let title = PARTS.iter().find(|(name, _)| *name == stem).map_or("", |(_, title)| *title);
    match (title, functions.is_empty()) {
        (_, true) => Ok(None),
        ("", false) => {
            Err(format!("src/ffi/{stem}.rs exports functions: give it a title in PARTS of xtask/header"))
        }
        (title, false) => Ok(Some(Part { title, functions })),
    }
}

/// The header with a table of contents behind the contract, and with the title of each part before its first function.
fn with_parts(header: &str, parts: &[Part]) -> Result<String, String> {
    let mut text = header.to_owned();
    for part in parts {
        let first = part.functions.first().map_or("", String::as_str);
        let at = declared(&text, first)
            .and_then(|at| text[..at].rfind("/**\n"))
            .ok_or_else(|| format!("the header has no comment of mcp_{first}()"))?;
        let rule = "=".repeat(COLUMNS.saturating_sub(part.title.len() + 12));
        text.insert_str(at, &format!("/* ==== {} {rule} */\n\n", part.title));
    }
    let end = text.find("\n */").and_then(|first| {
        let contract = text[first..].find(" * THE CONTRACT ")? + first;
        Some(text[contract..].find("\n */\n")? + contract + "\n */\n".len())
    });
    let end = end.ok_or("the header has no contract at its beginning")?;
    text.insert_str(end, &contents(parts));
    Ok(text)
}

/// Where a function is declared: behind its type, in the first column of a line or after a star.
fn declared(header: &str, function: &str) -> Option<usize> {
    let call = format!("mcp_{function}(");
    header.match_indices(&call).map(|(at, _)| at).find(|at| {
        let line = header[..*at].rsplit('\n').next().unwrap_or_default();
        line.starts_with("MCP_API") || line.starts_with("mcp_status_t ") || line.starts_with("const char ")
    })
}

/// How wide the header is.
const COLUMNS: usize = 100;

/// The table of contents: each part with its functions, those of one object after its name.
fn contents(parts: &[Part]) -> String {
    let mut text = String::from(
        "\n/*\n * CONTENTS, in the order of this file; \"mcp_queue_: new, free\" are mcp_queue_new() and\n *   mcp_queue_free(), \"call_tool[_start]\" are call_tool and call_tool_start.\n",
    );
    for part in parts {
        text.extend([" *\n * ", part.title, "\n"]);
        let mut line = String::from(" *  ");
        let mut object = "";
        // `call_tool[_start]` is two functions.
        let is_twin = |name: &String| {
            name.strip_suffix("_start").is_some_and(|it| part.functions.iter().any(|other| other == it))
        };
        let listed: Vec<&String> = part.functions.iter().filter(|name| !is_twin(name)).collect();
        for (place, name) in listed.iter().enumerate() {
            let twin = if part.functions.contains(&format!("{name}_start")) { "[_start]" } else { "" };
            let (of, verb) = name.split_once('_').unwrap_or(("", name));
            let shared = |other: &String| other.split_once('_').is_some_and(|(other, _)| other == of);
            let is_one_of_several = listed.iter().filter(|other| shared(other)).count() > 1;
            let word = match (is_one_of_several, of == object) {
                (true, true) => format!(" {verb}{twin}"),
                (true, false) => format!(" mcp_{of}_: {verb}{twin}"),
                (false, _) => format!(" mcp_{name}{twin}"),
            };
            object = if is_one_of_several { of } else { "" };
            let next = listed.get(place + 1);
            let sign = match next {
                None => "",
                Some(next) if is_one_of_several && shared(next) => ",",
                Some(_) => ";",
            };
            if line.len() + word.len() + sign.len() > COLUMNS {
                text.push_str(line.trim_end());
                text.push('\n');
                line = String::from(" *    ");
            }
            line.push_str(&word);
            line.push_str(sign);
        }
        text.push_str(&line);
        text.push('\n');
    }
    text.push_str(" */\n");
    text
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
    use super::{contents, exported, part, refuse_foreign_macros, refuse_rustdoc, with_parts};

    const SOURCE: &str = "pub extern \"C\" fn mcp_queue_new(a: i32) {}\npub extern \"C\" fn mcp_queue_free(a: i32) {}\npub extern \"C\" fn mcp_call(a: i32) {}\n";

    #[test]
    fn each_part_has_its_title_and_its_line_in_the_table() {
        let functions: Vec<String> = exported(SOURCE).map(str::to_owned).collect();
        assert_eq!(functions, ["queue_new", "queue_free", "call"]);
        assert!(part("unknown", functions.clone()).is_err());
        assert!(part("unknown", Vec::new()).is_ok_and(|none| none.is_none()));
        let queue = part("queue", functions).expect("it has a title").expect("it has functions");
        let table = contents(std::slice::from_ref(&queue));
        assert!(table.ends_with(" * Queues\n *   mcp_queue_: new, free; mcp_call\n */\n"), "{table}");
        let header = "/*\n * mcp.h\n */\n/*\n * THE CONTRACT holds; see mcp_queue_new().\n */\n\n/**\n * Makes.\n */\nMCP_API\nmcp_status_t mcp_queue_new(int a);\n";
        let made = with_parts(header, &[queue]).expect("it is declared");
        let places = ["THE CONTRACT", "CONTENTS", "==== Queues", " * Makes."].map(|text| made.find(text));
        assert!(places.is_sorted() && places[0].is_some(), "{made}");
        assert!(with_parts("no contract", &[]).is_err());
    }

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
