//! `pack`: a folder with a server as a bundle. The server itself says which tools and prompts it has.

use super::archive::{self, Packed};
use super::ignored::Ignored;
use super::manifest::{self, Manifest, Place, VERSIONS, platform};
use super::signature::Verdict;
use super::{Bundle, MANIFEST, bytes_of, described};
use crate::arguments::{Common, Format, Pack};
use crate::failure::Failure;
use crate::folders;
use crate::folders::sha256;
use crate::ordered::{Gathered, sort_by, sort_by_key};
use crate::output::{FAINT, Screen, Text, counted, json_text, one_line, png_size, size, styled, text};
use crate::questions::Questions;
use crate::redact;
use crate::session::Session;
use crate::settings::{Use, gather};
use crate::shape::Finding;
use crate::target::Target;
use mcp::client::features::Request;
use mcp::client::json_text::member;
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// How deep folders are looked into.
const DEPTH: usize = 64;
/// How much of a file says whether it is text.
const LOOKED_AT: usize = 8 << 10;
/// How the private keys of all kinds begin, and end their first line.
const KEY: (&[u8], &[u8]) = (b"-----BEGIN ", b"PRIVATE KEY-----");
/// The size that icons have.
const ICON: [u32; 2] = [512, 512];

pub fn pack(screen: Screen, pack: &Pack, common: &Common) -> Result<(), Failure> {
    if let Some(path) = &pack.check {
        return check(screen, path, &pack.allow);
    }
    let folder = pack.folder.clone().unwrap_or_else(|| PathBuf::from("."));
    let folder = folder
        .canonicalize()
        .map_err(|error| Failure::usage(format!("cannot use the folder {}: {error}", folder.display())))?;
    let mut manifest = written(&folder, pack)?;
    let mut files = collected(&folder)?;
    refuse_secrets(&files, &pack.allow)?;
    let platforms = platforms(&files);
    if !platforms.is_empty() && manifest.pointer("/compatibility/platforms").is_none() {
        manifest["compatibility"]["platforms"] = json!(platforms);
    }
    // What no file says, the server may say of itself.
    let said = |manifest: &Value, key: &str| manifest[key].as_str().is_some_and(|text| !text.is_empty());
    if !pack.no_start && ["name", "version", "description"].iter().any(|key| !said(&manifest, key)) {
        about_itself(&folder, &mut manifest, common)?;
    }
    refuse(&manifest::check(&manifest))?;
    if !pack.no_start {
        manifest = listed(&folder, manifest, common)?;
        refuse(&manifest::check(&manifest))?;
    }
    files.retain(|file| file.name != MANIFEST);
    let text = json_text(&manifest.to_string(), |_| false);
    files.push(Packed { name: MANIFEST.to_owned(), is_executable: false, content: text.into_bytes() });
    let whole = Manifest { value: manifest };
    for platform in manifest::PLATFORMS.iter().filter(|platform| whole.is_for(platform)) {
        if let Some(program) = whole.program(platform) {
            let is_it = |file: &&mut Packed| {
                file.name == program || (*platform == "win32" && file.name == format!("{program}.exe"))
            };
            match files.iter_mut().find(is_it) {
                Some(file) => file.is_executable = true,
                None if platforms.is_empty() && *platform != self::manifest::platform() => {}
                None => {
                    return Err(Failure::usage(format!(
                        "the program '{program}' of the manifest is not in {}, or .mcpbignore leaves it out",
                        folder.display()
                    )));
                }
            }
        }
    }
    let count = files.len();
    let bytes = archive::write(files).map_err(Failure::usage)?;
    // What is given out is what others will read.
    Bundle::read(&bytes, "the new bundle")?;
    let into = pack.into.clone().unwrap_or_else(|| {
        let plain = |c: char| if c.is_ascii_alphanumeric() || "._-".contains(c) { c } else { '-' };
        let name = format!("{}-{}", whole.text("name"), whole.text("version"));
        PathBuf::from(
            name.chars().map(plain).collect::<String>().trim_start_matches('.').to_owned() + ".mcpb",
        )
    });
    replace(&into, &bytes)?;
    let digest = sha256(&bytes);
    let shown = into.display().to_string();
    match screen.format {
        Format::Json | Format::Yaml => screen.json(
            &json!({"file": shown, "sha256": digest, "bytes": bytes.len(), "files": count, "manifest": whole.value})
                .to_string(),
        ),
        Format::Names => screen.names(&[shown]),
        Format::Text => {
            Screen::note(styled(
                FAINT,
                format!("{}: {}, {}", one_line(&shown), counted(count, "file"), size(bytes.len())),
            ));
            screen.write(format!("{digest}  {}\n", one_line(&shown)))
        }
    }
}

/// Refuses a manifest that is wrong, or odd: others read it strictly.
fn refuse(found: &[Finding]) -> Result<(), Failure> {
    if found.is_empty() {
        return Ok(());
    }
    let lines: Vec<String> = found.iter().map(Finding::line).collect();
    Err(Failure::usage(format!("the manifest is not valid: {}", lines.join("; "))))
}

/// The file as a whole: what is there stays until the new one is.
fn replace(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    use std::io::Write as _;
    let failed =
        |why: &dyn std::fmt::Display| Failure::machine(format!("cannot write {}: {why}", path.display()));
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut file = tempfile::NamedTempFile::new_in(folder).map_err(|error| failed(&error))?;
    file.write_all(bytes).map_err(|error| failed(&error))?;
    #[cfg(unix)]
    {
        // It is made to be given to others.
        let mode = std::os::unix::fs::PermissionsExt::from_mode(0o644);
        file.as_file().set_permissions(mode).map_err(|error| failed(&error))?;
    }
    file.persist(path).map_err(|error| failed(&error.error))?;
    Ok(())
}

/// The manifest of the folder, or one made of its package file and the command line.
fn written(folder: &Path, pack: &Pack) -> Result<Value, Failure> {
    let path = folder.join(MANIFEST);
    let mut manifest = match folders::read_given(&path, super::MOST_MANIFEST)? {
        Some(_) if !pack.program.is_empty() => {
            return Err(Failure::usage(format!(
                "{} has the command of the server: leave out what is behind --",
                path.display()
            )));
        }
        Some(text) => serde_json::from_str(&text)
            .map_err(|error| Failure::usage(format!("{} is not valid JSON: {error}", path.display())))?,
        None if pack.program.is_empty() => {
            return Err(Failure::usage(format!(
                "{} has no {MANIFEST}: give the command of the server behind --, such as `mcp pack -- node server/index.js`",
                folder.display()
            )));
        }
        None => made(folder, &pack.program)?,
    };
    let Some(members) = manifest.as_object_mut() else {
        return Err(Failure::usage(format!("{} is not an object", path.display())));
    };
    for word in &pack.manifest {
        let (name, text) = word.split_once('=').ok_or_else(|| {
            Failure::usage(format!("--manifest {word}: there is no '='; write --manifest version=1.0.0"))
        })?;
        // A version that looks like a number is a text.
        let value =
            Some(text).filter(|text| text.starts_with(['{', '[']) || ["true", "false"].contains(text));
        let value = value.and_then(|value| serde_json::from_str(value).ok());
        let value = value.unwrap_or_else(|| match name {
            "author" => json!({ "name": text }),
            _ => Value::from(text),
        });
        members.insert(name.to_owned(), value);
    }
    Ok(manifest)
}

/// A manifest from the package file of the folder and a command.
fn made(folder: &Path, program: &[String]) -> Result<Value, Failure> {
    let about = described(folder)?.unwrap_or_default();
    let mut members = Map::new();
    members.insert("manifest_version".to_owned(), VERSIONS[0].into());
    // A scope of npm is no part of the name.
    let name = about.name.rsplit('/').next().unwrap_or_default();
    for (key, text) in [
        ("name", name),
        ("version", &about.version),
        ("description", &about.description),
        ("license", &about.license),
        ("homepage", &about.homepage),
    ] {
        if !text.is_empty() {
            members.insert(key.to_owned(), text.into());
        }
    }
    if !about.author.is_empty() {
        members.insert("author".to_owned(), json!({"name": about.author}));
    }
    if !about.repository.is_empty() {
        members.insert("repository".to_owned(), json!({"type": "git", "url": about.repository}));
    }
    members.insert("server".to_owned(), server(folder, program)?);
    Ok(Value::Object(members))
}

/// What a command means for other machines: paths in the folder are those in the bundle.
fn server(folder: &Path, program: &[String]) -> Result<Value, Failure> {
    let inside = |word: &str| {
        let path = folder.join(word).canonicalize().ok().filter(|path| path.is_file())?;
        path.strip_prefix(folder).ok()?.to_str().map(str::to_owned)
    };
    let first = program.first().map(String::as_str).unwrap_or_default();
    let name = Path::new(first).file_stem().and_then(|name| name.to_str()).unwrap_or_default();
    let own = program.iter().position(|word| inside(word).is_some());
    let outside = || {
        Failure::usage(format!(
            "no word of the command is a file in {}: a bundle has its server inside, such as `mcp pack FOLDER -- ./server`",
            folder.display()
        ))
    };
    let entry = inside(&program[own.ok_or_else(outside)?]).unwrap_or_default();
    let kind = match name {
        "node" | "bun" | "deno" => "node",
        "uv" => "uv",
        name if name.starts_with("python") => "python",
        // A jar is no machine code, and the form has no other type for it: the Java of the machine runs it.
        "java" => "binary",
        _ if own == Some(0) => "binary",
        _ => {
            return Err(Failure::usage(format!(
                "'{first}' is not a program that a bundle may need (node, python, uv, java), and not a file in {}",
                folder.display()
            )));
        }
    };
    let in_bundle =
        |word: &String| inside(word).map_or_else(|| word.clone(), |path| format!("${{__dirname}}/{path}"));
    let mut words = program.iter().map(in_bundle);
    let command = if own == Some(0) { words.next() } else { words.next().map(|_| first.to_owned()) };
    let args: Vec<String> = words.collect();
    Ok(json!({"type": kind, "entry_point": entry, "mcp_config": {"command": command, "args": args}}))
}

/// The files of a folder that are packed.
fn collected(folder: &Path) -> Result<Vec<Packed>, Failure> {
    let text = folders::read_given(&folder.join(".mcpbignore"), super::MOST_MANIFEST)?.unwrap_or_default();
    let ignored = Ignored::of(&text);
    let mut files = Vec::new();
    let mut left = archive::MOST_UNPACKED;
    walk(folder, "", &ignored, DEPTH, &mut left, &mut files)?;
    Ok(files)
}

fn walk(
    folder: &Path,
    below: &str,
    ignored: &Ignored,
    depth: usize,
    left: &mut u64,
    files: &mut Vec<Packed>,
) -> Result<(), Failure> {
    let failed = |path: &Path, why: &dyn std::fmt::Display| {
        Failure::usage(format!("cannot pack {}: {why}", path.display()))
    };
    let here = folder.join(below);
    if depth == 0 {
        return Err(failed(&here, &format!("folders are more than {DEPTH} deep")));
    }
    let entries = std::fs::read_dir(&here).map_err(|error| failed(&here, &error))?;
    let mut entries = entries.collect::<Result<Vec<_>, _>>().map_err(|error| failed(&here, &error))?;
    sort_by_key(&mut entries, std::fs::DirEntry::file_name);
    for entry in entries {
        let path = entry.path();
        let name = entry.file_name();
        let name = name.to_str().ok_or_else(|| failed(&path, &"its name is not UTF-8"))?;
        let name = if below.is_empty() { name.to_owned() } else { format!("{below}/{name}") };
        let about = path.symlink_metadata().map_err(|error| failed(&path, &error))?;
        if ignored.has(&name, about.is_dir()) {
            continue;
        }
        if about.is_dir() {
            walk(folder, &name, ignored, depth - 1, left, files)?;
        } else if about.is_file() {
            use std::io::Read as _;
            let mut content = Vec::new();
            let opened = std::fs::File::open(&path).map_err(|error| failed(&path, &error))?;
            opened.take(*left + 1).read_to_end(&mut content).map_err(|error| failed(&path, &error))?;
            let most = archive::MOST_UNPACKED;
            *left = left.checked_sub(content.len() as u64).ok_or_else(|| {
                failed(&path, &format!("the files have more than {most} bytes; .mcpbignore leaves files out"))
            })?;
            if files.len() == archive::MOST_ENTRIES {
                let most = archive::MOST_ENTRIES;
                return Err(failed(
                    &path,
                    &format!("there are more than {most} files; .mcpbignore leaves files out"),
                ));
            }
            files.push(Packed { name, is_executable: is_executable(&about), content });
        } else {
            return Err(failed(
                &path,
                &"it is neither a file nor a folder, and a bundle has no links; copy it, or leave it out in .mcpbignore",
            ));
        }
    }
    Ok(())
}

#[cfg(unix)]
fn is_executable(about: &std::fs::Metadata) -> bool {
    std::os::unix::fs::MetadataExt::mode(about) & 0o111 != 0
}

#[cfg(not(unix))]
fn is_executable(_: &std::fs::Metadata) -> bool {
    false
}

/// Refuses files that have a private key or a token in them, but for those that the person has named: a bundle is given to others.
fn refuse_secrets(files: &[Packed], allowed: &[String]) -> Result<(), Failure> {
    let is_named = |name: &str| allowed.iter().any(|own| own.strip_prefix("./").unwrap_or(own) == name);
    if let Some(own) = allowed
        .iter()
        .find(|own| !files.iter().any(|file| own.strip_prefix("./").unwrap_or(own) == file.name))
    {
        return Err(Failure::usage(format!(
            "--allow {}: no file of the bundle has this name; write it as it is in the folder, with '/'",
            one_line(own)
        )));
    }
    let secret = |file: &Packed| {
        let content = file.content.as_slice();
        if content[..content.len().min(LOOKED_AT)].contains(&0) {
            return None;
        }
        let is_key = |line: &[u8]| {
            let line = line.trim_ascii();
            line.starts_with(KEY.0) && line.windows(KEY.1.len()).any(|part| part == KEY.1)
        };
        if content.split(|byte| *byte == b'\n').any(is_key) {
            return Some("a private key");
        }
        redact::has_token(content).then_some("what looks like a token")
    };
    let found: Vec<String> = files
        .iter()
        .filter(|file| !is_named(&file.name))
        .filter_map(|file| Some(format!("'{}' has {}", one_line(&file.name), secret(file)?)))
        .take(10)
        .collect();
    if found.is_empty() {
        return Ok(());
    }
    Err(Failure::usage(format!(
        "{}: a bundle is given to others; take it out, name the file in .mcpbignore, or give --allow FILE if it is no secret",
        found.join("; ")
    )))
}

/// The systems for which there is machine code in the files; none for scripts.
fn platforms(files: &[Packed]) -> BTreeSet<&'static str> {
    let of = |content: &[u8]| match content.get(..4)? {
        [0x7f, b'E', b'L', b'F'] => Some("linux"),
        [b'M', b'Z', ..] => Some("win32"),
        // Mach-O of 64 bits, and universal binaries with a number of parts that no class of Java has.
        [0xcf, 0xfa, 0xed, 0xfe] => Some("darwin"),
        [0xca, 0xfe, 0xba, 0xbe] if content.get(7).is_some_and(|count| *count < 40) => Some("darwin"),
        _ => None,
    };
    files.iter().filter_map(|file| of(&file.content)).gathered()
}

/// Puts name, version and description into a manifest that lacks them: those of the server, which is started for that.
fn about_itself(folder: &Path, value: &mut Value, common: &Common) -> Result<(), Failure> {
    let session = started(folder, value, common)?;
    let info: Value = serde_json::from_str(&session.info())
        .map_err(|error| Failure::machine(format!("what the server is cannot be read: {error}")))?;
    let text = |key: &str| info["server"][key].as_str().filter(|text| !text.is_empty()).map(str::to_owned);
    let described = text("description").or_else(|| text("title")).or_else(|| text("name"));
    for (key, text) in [("name", text("name")), ("version", text("version")), ("description", described)] {
        if let Some(text) = text.filter(|_| value[key].as_str().is_none_or(str::is_empty)) {
            value[key] = text.into();
        }
    }
    Ok(())
}

/// The server of a manifest, as it would run from the folder.
fn started(folder: &Path, value: &Value, common: &Common) -> Result<Session, Failure> {
    let manifest = Manifest { value: value.clone() };
    let nothing = BTreeMap::new();
    let place = Place::here(folder, &nothing);
    let settings = manifest.settings(&place).map_err(Failure::usage)?;
    let given = crate::servers::given_inputs(&common.inputs, manifest.text("name"))?;
    let values =
        gather(manifest.text("name"), &settings, &given, Use::Now, Screen::can_ask()).map_err(|failure| {
            failure.and("the server is started for its lists; --no-start leaves these as they are")
        })?;
    let place = Place { values: &values.values, ..place };
    let config = manifest.config(&place, platform()).map_err(Failure::usage)?;
    let target = Target { shown: manifest.text("name").to_owned(), config };
    Session::open(target, common, Questions::new(None), None)
}

/// The manifest with the tools and prompts that the server lists.
fn listed(folder: &Path, mut value: Value, common: &Common) -> Result<Value, Failure> {
    let session = started(folder, &value, common)?;
    let info = session.info();
    let capabilities = member(&info, "capabilities").unwrap_or("{}").to_owned();
    for (key, request) in [("tools", Request::ToolsList), ("prompts", Request::PromptsList)] {
        if member(&capabilities, key).is_none() {
            continue;
        }
        let result: Value = serde_json::from_str(session.request(&request)?.json())
            .map_err(|error| Failure::machine(format!("the list of {key} cannot be read: {error}")))?;
        let mut entries: Vec<Value> =
            result[key].as_array().into_iter().flatten().map(|one| entry(key, one)).collect();
        sort_by(&mut entries, |one, other| one["name"].as_str().cmp(&other["name"].as_str()));
        value[key] = entries.into();
        if key == "prompts" {
            // Their texts come from the server.
            value["prompts_generated"] = true.into();
        }
    }
    Ok(value)
}

/// An entry of a list as a manifest has it.
fn entry(key: &str, one: &Value) -> Value {
    let mut entry = json!({"name": one["name"]});
    let description = one["description"].as_str().unwrap_or_default();
    if !description.is_empty() {
        entry["description"] = description.into();
    }
    if key == "prompts" {
        let arguments = one["arguments"].as_array().into_iter().flatten().map(|one| one["name"].clone());
        let arguments: Vec<Value> = arguments.collect();
        if !arguments.is_empty() {
            entry["arguments"] = arguments.into();
        }
        entry["text"] = description.into();
    }
    entry
}

/// Says what a bundle is, and what is wrong with it for those who read it strictly.
fn check(screen: Screen, path: &Path, allowed: &[String]) -> Result<(), Failure> {
    let bytes = bytes_of(path)?;
    let shown = path.display().to_string();
    let bundle = Bundle::read(&bytes, &shown).map_err(|failure| Failure::found(failure.text()))?;
    let mut found: Vec<Finding> = bundle.odd.clone();
    let text = |key: &str| bundle.manifest.text(key).to_owned();
    let entry_point = bundle.manifest.value["server"]["entry_point"].as_str().unwrap_or_default();
    let entry_point = entry_point.trim_start_matches("./");
    if bundle.archive.file(entry_point).is_none() {
        found.push(Finding::fault(
            "server.entry_point",
            format!("names '{entry_point}', which is not in the bundle"),
        ));
    }
    let ignored = Ignored::of("");
    for (number, entry) in bundle.archive.entries.iter().enumerate() {
        if ignored.has(&entry.name, entry.is_folder) {
            found.push(Finding::fault(
                format!("files[{number}]"),
                format!("is '{}', which belongs into no bundle", entry.name),
            ));
        }
    }
    let mut contents = Vec::new();
    for entry in bundle.archive.entries.iter().filter(|entry| !entry.is_folder) {
        match bundle.archive.content(entry, archive::MOST_UNPACKED) {
            Ok(content) => contents.push(Packed {
                name: entry.name.clone(),
                is_executable: entry.is_executable,
                content,
            }),
            Err(why) => found.push(Finding::fault("files", why)),
        }
    }
    if let Err(failure) = refuse_secrets(&contents, allowed) {
        found.push(Finding::fault("files:", failure.text()));
    }
    let icon = text("icon");
    if !icon.is_empty() && !crate::shape::is_url(&icon) {
        let content =
            bundle.archive.file(&icon).and_then(|entry| bundle.archive.content(entry, 8 << 20).ok());
        match content.as_deref().map(png_size) {
            None => found.push(Finding::fault("icon", format!("names '{icon}', which is not in the bundle"))),
            Some(None) => found.push(Finding::fault("icon", "is not a PNG image")),
            Some(Some(ICON)) => {}
            Some(Some([width, height])) => {
                found.push(Finding::fault(
                    "icon",
                    format!("has {width} × {height} pixels; write one with 512 × 512"),
                ));
            }
        }
    }
    let digest = sha256(&bytes);
    let signature = bundle.signature.as_ref().map_or_else(|| "none".to_owned(), Verdict::words);
    let lines: Vec<String> = found.iter().map(Finding::line).collect();
    match screen.format {
        Format::Json | Format::Yaml => screen.json(
            &json!({"file": shown, "sha256": digest, "bytes": bytes.len(), "signature": signature,
                "files": bundle.archive.entries.iter().map(|one| &one.name).collect::<Vec<_>>(),
                "manifest": bundle.manifest.value, "faults": lines})
            .to_string(),
        )?,
        Format::Names => screen.names(&lines)?,
        Format::Text => {
            let server = &bundle.manifest.value["server"];
            let rows = [
                ("name", format!("{} {}", text("name"), text("version"))),
                ("author", bundle.manifest.value["author"]["name"].as_str().unwrap_or_default().to_owned()),
                ("server", server["type"].as_str().unwrap_or_default().to_owned()),
                ("files", format!("{}, {}", bundle.archive.entries.len(), size(bytes.len()))),
                ("signature", signature),
                ("sha256", digest),
            ];
            let mut all: Text = rows
                .iter()
                .map(|(name, value)| text![styled(FAINT, format!("{name:10}")), one_line(value), "\n"])
                .collect();
            all.extend(lines.iter().map(|line| Text::from(format!("fault: {line}\n"))));
            screen.write(all)?;
        }
    }
    if lines.is_empty() { Ok(()) } else { Err(Failure::found(counted(lines.len(), "fault"))) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn packed(name: &str, content: &[u8]) -> Packed {
        Packed { name: name.to_owned(), is_executable: false, content: content.to_vec() }
    }

    #[test]
    fn a_manifest_may_begin_with_a_byte_order_mark() {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join(MANIFEST), "\u{feff}{\"name\": \"x\"}").expect("written");
        let manifest = written(folder.path(), &Pack::default()).map_err(|failure| failure.text());
        assert_eq!(manifest.map(|it| it["name"] == "x"), Ok(true));
    }

    #[test]
    fn no_key_and_no_token_is_packed() {
        for (content, is_refused) in [
            (&b"-----BEGIN EC PRIVATE KEY-----\nMH\n"[..], true),
            (b"  -----BEGIN PRIVATE KEY-----", true),
            (b"-----BEGIN CERTIFICATE-----", false),
            (b"const t = 'ghp_0123456789abcdefghijklmnopqrstuvwxyz'", true),
            (b"text", false),
            (b"\0\0-----BEGIN PRIVATE KEY-----", false),
            (&[&b"text\n".repeat(400_000)[..], b"-----BEGIN PRIVATE KEY-----\n"].concat(), true),
        ] {
            let said = refuse_secrets(&[packed("a/b", content)], &[]);
            assert_eq!(
                said.is_err(),
                is_refused,
                "{}",
                String::from_utf8_lossy(&content[..20.min(content.len())])
            );
            assert!(refuse_secrets(&[packed("a/b", content)], &["./a/b".to_owned()]).is_ok());
            assert!(
                refuse_secrets(&[packed("a/b", content)], &["b".to_owned()])
                    .is_err_and(|why| why.text().contains("--allow b"))
            );
            assert!(said.err().is_none_or(|why| !why.text().contains("ghp_0")));
        }
    }

    #[test]
    fn machine_code_says_for_which_systems_a_bundle_is() {
        let files = [packed("a", b"\x7fELF...."), packed("b", b"MZ......"), packed("c", b"#!/bin/sh")];
        assert_eq!(platforms(&files).into_iter().collect::<Vec<_>>(), ["linux", "win32"]);
        assert!(platforms(&[packed("X.class", b"\xca\xfe\xba\xbe\0\0\0\x41")]).is_empty());
        assert_eq!(platforms(&[packed("u", b"\xca\xfe\xba\xbe\0\0\0\x02")]).len(), 1);
    }

    #[test]
    fn a_command_becomes_one_in_the_bundle() {
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path().canonicalize().expect("a path");
        std::fs::create_dir(root.join("server")).expect("a folder");
        for name in ["server/index.js", "run"] {
            std::fs::write(root.join(name), "").expect("a file");
        }
        let of = |words: &[&str]| {
            let words: Vec<String> = words.iter().map(|&word| word.to_owned()).collect();
            server(&root, &words).map_err(|failure| failure.text())
        };
        assert_eq!(
            of(&["node", "server/index.js", "--stdio"]),
            Ok(json!({"type": "node", "entry_point": "server/index.js", "mcp_config":
                {"command": "node", "args": ["${__dirname}/server/index.js", "--stdio"]}}))
        );
        assert_eq!(
            of(&["./run", "x"]),
            Ok(
                json!({"type": "binary", "entry_point": "run", "mcp_config": {"command": "${__dirname}/run", "args": ["x"]}})
            )
        );
        assert!(of(&["node", "elsewhere.js"]).is_err_and(|why| why.contains("no word of the command")));
        assert!(of(&["perl", "run"]).is_err_and(|why| why.contains("'perl' is not a program")));
    }

    #[test]
    fn the_size_of_an_image_is_read() {
        let png =
            [b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", &512_u32.to_be_bytes()[..], &256_u32.to_be_bytes()].concat();
        assert_eq!(png_size(&png), Some([512, 256]));
        assert_eq!(png_size(b"GIF89a"), None);
    }
}
