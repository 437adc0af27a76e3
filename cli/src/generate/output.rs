//! What is written beside the code: manifest, report, index, SKILL.md; and the folder as a whole.

use super::emit::{self, About, File, Language};
use super::model::{Module, Tool, Type};
use super::{naming, reserved, text};
use crate::failure::Failure;
use crate::ordered::Gathered;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;

/// All files of the modules, by their path in the folder.
pub fn files(language: Language, modules: &[Module], about: &About) -> Result<Vec<File>, Failure> {
    let mut files = Vec::new();
    for module in modules {
        let folder = folder(language, module);
        let mut own = emit::module(language, module, about)?;
        own.push(File { path: "index.txt".to_owned(), text: index(language, module) });
        own.push(File { path: "report.txt".to_owned(), text: report(language, module) });
        let names: BTreeSet<String> = own.iter().map(|file| file.path.clone()).gathered();
        own.push(File { path: "manifest.json".to_owned(), text: manifest(language, module, about, &names) });
        files.extend(
            own.into_iter().map(|file| File { path: format!("{folder}/{}", file.path), text: file.text }),
        );
    }
    Ok(files)
}

/// The folder of a module: in some languages its name, which must be free; Go has folders with a use of their own.
pub fn folder(language: Language, module: &Module) -> String {
    let stem = naming::stem(&module.words);
    match language {
        Language::Go => naming::free(stem, reserved::GO),
        Language::Java => naming::free(stem, reserved::JAVA),
        Language::Rust => naming::free(naming::free(stem, reserved::RUST_KEYWORDS), reserved::RUST_MODULES),
        _ => stem,
    }
}

/// One line for each tool: how it is called, and what it does in few words.
pub fn index(language: Language, module: &Module) -> String {
    let mut out = String::new();
    for tool in emit::tools(language, module) {
        let _infallible = writeln!(
            out,
            "{}.{}({}) - {}",
            naming::snake(&module.words),
            emit::function(language, module, tool),
            arguments(tool),
            text::listed(first_sentence(tool), 100)
        );
    }
    out
}

fn first_sentence(tool: &Tool) -> &str {
    let text = if tool.description.is_empty() { &tool.title } else { &tool.description };
    text.split(". ").next().unwrap_or_default()
}

/// The names of the arguments, with `?` behind those that may be left out.
fn arguments(tool: &Tool) -> String {
    let Type::Named(number) = &tool.arguments else {
        return if tool.arguments == Type::Null { String::new() } else { "JSON".to_owned() };
    };
    let Some(super::model::Shape::Object(object)) = tool.declarations.get(*number).map(|it| &it.shape) else {
        return "JSON".to_owned();
    };
    let name = |wire: &str| text::listed(wire, 40);
    let required = object.fields.iter().filter(|it| it.required).map(|it| name(&it.wire));
    let optional = object.fields.iter().filter(|it| !it.required).map(|it| format!("{}?", name(&it.wire)));
    required.chain(optional).collect::<Vec<_>>().join(", ")
}

/// Where the types say less than the schemas.
pub fn report(language: Language, module: &Module) -> String {
    let mut out = String::new();
    for tool in &module.tools {
        let mut losses = tool.losses.clone();
        if !matches!(language, Language::Typescript | Language::Python | Language::Cli) {
            losses.extend(emit::undecidable(tool));
        }
        if language == Language::Typescript {
            losses.extend(emit::inherited(tool));
        }
        if language == Language::Cli {
            losses.extend(emit::left_out(tool));
        }
        for loss in losses {
            let _infallible =
                writeln!(out, "{}: {}", text::listed(&tool.name, 100), text::listed(&loss, 300));
        }
    }
    out
}

fn manifest(language: Language, module: &Module, about: &About, files: &BTreeSet<String>) -> String {
    let tools: Vec<Value> = emit::tools(language, module)
        .map(|tool| {
            let [arguments, result] = emit::named_types(language, module, tool);
            json!({
                "name": tool.name,
                "function": emit::function(language, module, tool),
                "file": emit::stem(language, module, tool),
                "arguments": arguments,
                "result": result,
                "schemas": format!("{:016x}", tool.hash),
                "parameters": emit::keywords(language, tool),
                "unwrapped": emit::wrapped(language, tool).map(|field| &field.wire),
            })
        })
        .collect();
    let value = json!({
        "generator": concat!("mcp ", env!("CARGO_PKG_VERSION")),
        "language": language.name(),
        "module": naming::snake(&module.words),
        "server": {"name": about.server, "version": about.version},
        "revision": about.revision,
        "files": files,
        "tools": tools,
    });
    // ASCII only: names of tools may have characters that hide others.
    let mut text = String::new();
    for c in serde_json::to_string_pretty(&value).unwrap_or_default().chars() {
        if c.is_ascii() {
            text.push(c);
        } else {
            let literal = text::typescript(c.encode_utf8(&mut [0; 4]));
            text.push_str(literal.trim_matches('"'));
        }
    }
    text.push('\n');
    text
}

/// `index.txt` and `SKILL.md` of the folder, which may have modules of other servers.
pub fn overview(language: Language, into: &Path, own: &[File]) -> Vec<File> {
    let mut modules: BTreeSet<String> =
        own.iter().filter_map(|file| file.path.strip_suffix("/manifest.json").map(str::to_owned)).gathered();
    for entry in std::fs::read_dir(into).into_iter().flatten().filter_map(Result::ok) {
        if entry.path().join("manifest.json").is_file() {
            modules.insert(entry.file_name().to_string_lossy().into_owned());
        }
    }
    let mut index = String::new();
    for module in &modules {
        let path = format!("{module}/index.txt");
        let text = own.iter().find(|file| file.path == path).map(|file| file.text.clone());
        index.push_str(&text.or_else(|| std::fs::read_to_string(into.join(&path)).ok()).unwrap_or_default());
    }
    // Of the first module, whichever server this run is for: the page stays the same.
    let example = modules
        .first()
        .and_then(|module| {
            let path = format!("{module}/manifest.json");
            let text = own.iter().find(|file| file.path == path).map(|file| file.text.clone());
            text.or_else(|| std::fs::read_to_string(into.join(&path)).ok())
        })
        .and_then(|text| serde_json::from_str::<Value>(&text).ok())
        .map(|manifest| example(language, &manifest))
        .unwrap_or_default();
    let skill = format!(include_str!("templates/SKILL.md"), language = language.name(), example = example);
    vec![
        File { path: "index.txt".to_owned(), text: index },
        File { path: "SKILL.md".to_owned(), text: skill },
    ]
}

fn example(language: Language, manifest: &Value) -> String {
    let word = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let module = word(&manifest["module"]);
    let tool = &manifest["tools"][0];
    let (function, file) = (word(&tool["function"]), word(&tool["file"]));
    let arguments = if tool["arguments"].is_null() { "" } else { ", arguments" };
    match language {
        Language::Python => format!(
            "from libmcp import Client\nfrom {module}.{file} import {function}\n\n\
             with Client({{\"socket\": \"unix:/run/broker.sock\"}}) as client:\n    print({function}(client{}))",
            if arguments.is_empty() { "" } else { ", **arguments" }
        ),
        Language::Typescript => format!(
            "import {{ Client }} from 'libmcp';\nimport {{ {function} }} from './{module}/{file}.js';\n\n\
             const client = new Client({{ socket: 'unix:/run/broker.sock' }});\nconsole.log(await {function}(client{arguments}));"
        ),
        Language::Go => {
            format!("result, err := {}.{function}(ctx, client{arguments})", module.replace('_', ""))
        }
        Language::C => format!(
            "#include \"{module}/{file}.h\"\n\nmcp_status_t status = {function}(client{}, NULL, &result, &error);",
            if arguments.is_empty() { "" } else { ", &arguments" }
        ),
        Language::Cpp => format!(
            "#include \"{module}/{file}.hpp\"\n\nauto result = mcp_tools::{module}::{function}(client{arguments});"
        ),
        Language::Cli => format!("{module}/{module} {function} --help"),
        Language::Java => format!(
            "import static {module}.{file}.{function};\n\nvar result = {function}(client{arguments});"
        ),
        Language::Rust => format!(
            "mod {module}; // the folder is beside main.rs\n\nlet result = {module}::{function}(&client{})?;",
            if arguments.is_empty() { "" } else { ", &arguments" }
        ),
        Language::Swift => format!(
            "let result = try await {}Tools.{function}(client{arguments})",
            naming::pascal(&naming::words(&module))
        ),
    }
}

/// Writes the files that are not there as they should be, and removes those of an earlier run that are not wanted any more.
pub fn write(into: &Path, files: &[File]) -> Result<usize, Failure> {
    let fault = |what: &str, path: &Path, error: &std::io::Error| {
        Failure::machine(format!("cannot {what} {}: {error}", path.display()))
    };
    for file in files {
        no_link(into, &file.path)?;
    }
    remove_old(into, files)?;
    let mut written = 0;
    for file in files {
        let path = into.join(&file.path);
        if std::fs::read(&path).is_ok_and(|bytes| bytes == file.text.as_bytes()) {
            continue;
        }
        if let Some(parent) = path.parent() {
            std::fs::create_dir_all(parent).map_err(|error| fault("make", parent, &error))?;
        }
        std::fs::write(&path, &file.text).map_err(|error| fault("write", &path, &error))?;
        if file.text.starts_with("#!") {
            use std::os::unix::fs::PermissionsExt as _;
            std::fs::metadata(&path)
                .and_then(|found| {
                    let mut mode = found.permissions();
                    mode.set_mode(mode.mode() | 0o111);
                    std::fs::set_permissions(&path, mode)
                })
                .map_err(|error| fault("make a program of", &path, &error))?;
        }
        written += 1;
    }
    Ok(written)
}

/// Refuses a path that a symbolic link below the folder would lead out of it. The folder itself is the person's choice.
fn no_link(into: &Path, file: &str) -> Result<(), Failure> {
    let mut path = into.to_owned();
    for part in file.split('/') {
        path.push(part);
        if std::fs::symlink_metadata(&path).is_ok_and(|found| found.is_symlink()) {
            return Err(Failure::machine(format!(
                "{} is a symbolic link, and nothing is written through it: remove it, or name another folder",
                path.display()
            )));
        }
    }
    Ok(())
}

/// Files that the manifest of an earlier run names and this run does not write. Names with a folder in them are not followed.
fn old(into: &Path, files: &[File]) -> Vec<std::path::PathBuf> {
    let wanted: BTreeSet<&str> = files.iter().map(|file| file.path.as_str()).gathered();
    let mut old = Vec::new();
    for file in files {
        let Some(module) = file.path.strip_suffix("/manifest.json") else { continue };
        let before = std::fs::read_to_string(into.join(&file.path)).unwrap_or_default();
        let before: Value = serde_json::from_str(&before).unwrap_or_default();
        for name in before["files"].as_array().into_iter().flatten().filter_map(Value::as_str) {
            let is_plain = !name.contains(['/', '\\']) && !name.starts_with("..");
            let path = format!("{module}/{name}");
            if is_plain && !wanted.contains(path.as_str()) && into.join(&path).is_file() {
                old.push(into.join(path));
            }
        }
    }
    old
}

fn remove_old(into: &Path, files: &[File]) -> Result<(), Failure> {
    for path in old(into, files) {
        std::fs::remove_file(&path)
            .map_err(|error| Failure::machine(format!("cannot remove {}: {error}", path.display())))?;
    }
    Ok(())
}

/// What differs from the files that would be written.
pub fn differences(into: &Path, files: &[File]) -> Vec<String> {
    let mut found: Vec<String> = files
        .iter()
        .filter_map(|file| match std::fs::read(into.join(&file.path)) {
            Ok(bytes) if bytes == file.text.as_bytes() => None,
            Ok(_) => Some(format!("{} differs", file.path)),
            Err(_) => Some(format!("{} is missing", file.path)),
        })
        .collect();
    found.extend(old(into, files).iter().map(|path| format!("{} is not wanted any more", path.display())));
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_written_or_removed_through_a_symbolic_link() {
        let (outside, into) =
            (tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder"));
        let victim = outside.path().join("victim");
        std::fs::write(&victim, "as it was").expect("written");
        std::fs::write(outside.path().join("manifest.json"), r#"{"files":["victim"]}"#).expect("written");
        let link = into.path().join("module");
        std::os::unix::fs::symlink(outside.path(), &link).expect("a link");
        let file = |path: &str| File { path: path.to_owned(), text: "new".to_owned() };
        let refused = |files: &[File], link: &Path| {
            let why = write(into.path(), files).expect_err("refused").text();
            assert!(why.contains(&link.display().to_string()) && why.contains("symbolic link"), "{why}");
            assert_eq!(std::fs::read_to_string(&victim).expect("there"), "as it was");
        };
        refused(&[file("module/manifest.json")], &link);
        let link = into.path().join("index.txt");
        std::os::unix::fs::symlink(&victim, &link).expect("a link");
        refused(&[file("index.txt")], &link);
        assert_eq!(write(into.path(), &[file("other/index.txt")]).expect("written"), 1);
    }
}
