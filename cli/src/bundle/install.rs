//! `install`, `uninstall`: a bundle as a configured server. What it would run is shown, and nothing of it is started.

use super::manifest::{Place, platform};
use super::{Bundle, bytes_of};
use crate::arguments::{Common, Install, Uninstall};
use crate::commands::edit;
use crate::failure::Failure;
use crate::folders;
use crate::folders::sha256;
use crate::output::{FAINT, Screen, beginning, one_line, styled};
use crate::settings::{Given, Setting, Use, confirm, gather, in_words, write_rows};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The folder of an installed bundle in its own folder, and the file that says what it is.
const CONTENT: &str = "content";
const RECORD: &str = "installed.json";
/// The most bytes of that file, and letters of the name of a server that is installed.
const MOST_RECORD: u64 = 64 << 10;
const MOST_NAME: usize = 100;
/// How much of a description is shown.
const SHOWN: usize = 300;

/// Where bundles are installed.
fn folder() -> Result<PathBuf, Failure> {
    let data = crate::login::data_folder();
    let data = data.ok_or_else(|| Failure::machine("there is no folder for data: HOME is not set"))?;
    Ok(data.join("libmcp").join("bundles"))
}

/// The name under which a server is kept, which is that of a folder, too.
pub fn checked_name(name: &str) -> Result<&str, Failure> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
    if name.is_empty()
        || name.len() > MOST_NAME
        || name.starts_with(['.', '-'])
        || !name.chars().all(is_plain)
    {
        return Err(Failure::usage(format!(
            "'{}' cannot be the name of a server that is installed: give --name with letters, digits, '.', '_' and '-'",
            one_line(name)
        )));
    }
    Ok(name)
}

pub fn install(screen: Screen, install: &Install, common: &Common) -> Result<(), Failure> {
    let is_url = install.bundle.contains("://");
    let bytes = if is_url {
        crate::registry::download(&install.bundle, true, common)?
    } else {
        bytes_of(Path::new(&install.bundle))?
    };
    install_bytes(screen, install, &bytes, common)
}

/// The same with the bytes of the bundle.
pub fn install_bytes(
    screen: Screen,
    install: &Install,
    bytes: &[u8],
    common: &Common,
) -> Result<(), Failure> {
    let digest = sha256(bytes);
    if let Some(wanted) = &install.sha256
        && !wanted.eq_ignore_ascii_case(&digest)
    {
        return Err(Failure::usage(format!(
            "{} has the SHA-256 {digest}, and {} was asked for: it is not the file that was meant, and nothing is installed",
            one_line(&mcp::client::without_passwords(&install.bundle)),
            one_line(wanted)
        )));
    }
    let bundle = Bundle::read(bytes, &mcp::client::without_passwords(&install.bundle))?;
    bundle.for_this_system()?;
    let manifest = &bundle.manifest;
    let name = checked_name(install.name.as_deref().unwrap_or(manifest.text("name")))?;
    let place = folder()?.join(name);
    let is_there = place.symlink_metadata().is_ok();
    if is_there {
        return Err(Failure::usage(format!(
            "'{name}' is installed already, in {}; `mcp uninstall {name}` removes it, or give this one another name with --name",
            place.display()
        )));
    }
    let (source, file) = edit::file_of(install.kept.to.as_deref(), install.kept.literal)?;
    let nothing = BTreeMap::new();
    let content = place.join(CONTENT);
    let bare = Place::here(&content, &nothing);
    let settings = manifest.settings(&bare).map_err(Failure::usage)?;
    show(&bundle, &settings, &digest, name);
    confirm(install.yes || install.kept.dry_run)?;
    let given = crate::servers::given_inputs(&common.inputs, name)?;
    let reference = |variable: &str| file.reference(variable);
    let used = if install.kept.literal { Use::Now } else { Use::File(&reference) };
    let values = gather(name, &settings, &given, used, Screen::can_ask() && !install.yes)?;
    // Beside its place, so that it is there as a whole or not at all.
    let all = folder()?;
    crate::login::make(&all)
        .map_err(|error| Failure::machine(format!("cannot make {}: {error}", all.display())))?;
    let aside = tempfile::Builder::new().prefix(".new-").tempdir_in(&all);
    let aside = aside
        .map_err(|error| Failure::machine(format!("cannot make a folder in {}: {error}", all.display())))?;
    bundle.unpack(&aside.path().join(CONTENT))?;
    let written = std::path::absolute(&file.path).unwrap_or_else(|_| file.path.clone());
    let record = json!({"name": manifest.text("name"), "version": manifest.text("version"), "sha256": digest,
        "from": mcp::client::without_passwords(&install.bundle), "file": source, "path": written.display().to_string()});
    folders::replace(&aside.path().join(RECORD), &format!("{record:#}\n"))?;
    // The command is one of the final place, where it is looked for; a rename is all that is left.
    let moved = |from: &Path, to: &Path| {
        std::fs::rename(from, to)
            .map_err(|error| Failure::machine(format!("cannot make {}: {error}", to.display())))
    };
    moved(aside.path(), &place)?;
    let done = (|| {
        let config = manifest
            .config(&Place { values: &values.values, ..bare }, platform())
            .map_err(|why| Failure::usage(one_line(&why)))?;
        let members =
            [("command", config.get("command")), ("args", config.get("args")), ("env", config.get("env"))];
        let is_said = |value: &&Value| value.as_array().is_none_or(|list| !list.is_empty());
        let members: Vec<(&'static str, Value)> = members
            .into_iter()
            .filter_map(|(key, value)| Some((key, value.filter(is_said)?.clone())))
            .collect();
        edit::refuse_variables(&file, &members, &values.references)?;
        edit::keep(screen, source, &file, name, members, install.kept.dry_run)
    })();
    if done.is_err() || install.kept.dry_run {
        // It goes the way of the folder aside.
        moved(&place, aside.path())?;
        return done;
    }
    for (variable, what) in &values.variables {
        edit::say_variable(source, variable, what);
    }
    Screen::said(format!("'{name}' is installed, and was not started; `mcp tools {name}` starts it"));
    Ok(())
}

/// What a person knows before a bundle is installed.
fn show(bundle: &Bundle<'_>, settings: &[Setting], digest: &str, name: &str) {
    let manifest = &bundle.manifest;
    let shown = |key: &str| manifest.of_platform(key, platform());
    let mut command = vec![manifest.shown_command(platform())];
    command
        .extend(shown("args").as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_owned));
    let author = &manifest.value["author"];
    let author = [&author["name"], &author["email"], &author["url"]];
    let author: Vec<&str> = author.into_iter().filter_map(Value::as_str).collect();
    let variables = shown("env").as_object().into_iter().flatten();
    let variables: Vec<String> =
        variables.map(|(name, value)| format!("{name}={}", value.as_str().unwrap_or_default())).collect();
    let mut rows = vec![
        ("server", format!("{} {} (as {name})", manifest.text("name"), manifest.text("version"))),
        ("says", beginning(manifest.text("description"), SHOWN)),
        ("author", format!("{}, which nothing proves", author.join(", "))),
        ("runs", in_words(&command)),
    ];
    if !variables.is_empty() {
        rows.push(("with", in_words(&variables)));
    }
    for setting in settings {
        let default = setting.default.as_ref().filter(|_| !setting.is_secret);
        let default = default.map(|given| format!(" [{}]", given.each().join(", "))).unwrap_or_default();
        let kind = match (setting.is_secret, setting.is_required) {
            (true, true) => " (secret, required)",
            (true, false) => " (secret)",
            (false, true) => " (required)",
            (false, false) => "",
        };
        rows.push((
            "asks for",
            format!("{}{kind}{default} – {}", setting.key, beginning(&setting.description, SHOWN)),
        ));
    }
    rows.push(("sha256", digest.to_owned()));
    for finding in &bundle.odd {
        rows.push(("odd", finding.line()));
    }
    if let Some(signature) = &bundle.signature {
        rows.push(("signature", one_line(&signature.words())));
    }
    write_rows(&rows);
}

pub fn uninstall(screen: Screen, uninstall: &Uninstall) -> Result<(), Failure> {
    let name = checked_name(&uninstall.name)?;
    let place = folder()?.join(name);
    let Some(record) = folders::read(&place.join(RECORD), MOST_RECORD)? else {
        let installed = std::fs::read_dir(folder()?).into_iter().flatten().flatten();
        let names: Vec<String> = installed
            .filter_map(|entry| entry.file_name().into_string().ok())
            .filter(|name| !name.starts_with('.'))
            .collect();
        let near = crate::commands::did_you_mean(name, names.iter().map(String::as_str));
        return Err(Failure::usage(format!(
            "no bundle '{name}' is installed{near}; `mcp remove {name}` takes another server out of a file"
        )));
    };
    let record: Value = serde_json::from_str(&record)
        .map_err(|error| Failure::machine(format!("{}: {error}", place.join(RECORD).display())))?;
    // The file that was written: that of a project is not the one of the folder in which this runs. The person may have changed it since.
    let source = record["file"].as_str().unwrap_or_default();
    let path = record["path"].as_str().map(Path::new);
    let inside = place.display().to_string();
    match edit::forget_if(
        screen,
        source,
        path,
        name,
        &|entry| names_folder(entry, &inside),
        uninstall.dry_run,
    ) {
        Ok(true) => {}
        Ok(false) => {
            return Err(Failure::usage(format!(
                "the entry '{name}' {} is that of another server, which does not run {inside}: nothing is removed; give that entry another name, or remove the folder by hand",
                path.map_or_else(|| format!("of {source}"), |path| format!("in {}", path.display()))
            )));
        }
        Err(failure) => Screen::note(styled(FAINT, failure.text())),
    }
    if !uninstall.dry_run {
        std::fs::remove_dir_all(&place)
            .map_err(|error| Failure::machine(format!("cannot remove {}: {error}", place.display())))?;
        Screen::said(format!("'{name}' is removed, with {}", place.display()));
    }
    Ok(())
}

/// Whether a text in an entry is a path in a folder.
fn names_folder(value: &Value, folder: &str) -> bool {
    match value {
        Value::String(text) => text
            .match_indices(folder)
            .any(|(at, _)| text[at + folder.len()..].starts_with(std::path::MAIN_SEPARATOR)),
        Value::Array(list) => list.iter().any(|one| names_folder(one, folder)),
        Value::Object(members) => members.values().any(|one| names_folder(one, folder)),
        _ => false,
    }
}

/// The values of a bundle's settings that a command line has, for a server that is started now.
pub fn values_now(
    bundle: &Bundle<'_>,
    folder: &Path,
    called: &str,
    inputs: &[String],
) -> Result<BTreeMap<String, Given>, Failure> {
    let nothing = BTreeMap::new();
    let place = Place::here(folder, &nothing);
    let settings = bundle.manifest.settings(&place).map_err(Failure::usage)?;
    let given = crate::servers::given_inputs(inputs, called)?;
    Ok(gather(called, &settings, &given, Use::Now, Screen::can_ask())?.values)
}

#[cfg(test)]
mod tests {
    use super::{checked_name, in_words, names_folder};
    use serde_json::json;

    #[test]
    fn an_entry_of_a_bundle_names_its_folder() {
        for (entry, is_it) in [
            (json!({"command": "/d/words/content/run"}), true),
            (json!({"command": "node", "args": ["--at=/d/words/content/x.js"]}), true),
            (json!({"command": "node", "args": ["/d/words-2/content/x.js"]}), false),
            (json!({"command": "other"}), false),
            (json!({"url": "https://x.example/"}), false),
        ] {
            assert_eq!(names_folder(&entry, "/d/words"), is_it, "{entry}");
        }
    }

    #[test]
    fn a_word_with_blanks_is_quoted() {
        let words = ["a", "b c", "", "${X}", "-v/:/h"].map(str::to_owned);
        assert_eq!(in_words(&words), "a 'b c' '' ${X} -v/:/h");
    }

    #[test]
    fn a_name_is_that_of_one_folder() {
        for name in ["notes", "a.b-c_1"] {
            assert!(checked_name(name).is_ok(), "{name}");
        }
        for name in ["", "..", ".hidden", "a/b", "-x", "a b", "ü", &"a".repeat(101)] {
            assert!(checked_name(name).is_err(), "{name}");
        }
    }
}
