//! `envFile` of an entry: a file with variables for a server that is started, as VS Code and Cursor have it.
//!
//! A file whose path has the current folder in it is that of whatever project this is. What it has is for the server to read; what decides
//! which code a process runs is not taken from it.

use super::entry::ENV_FILE;
use super::expand::names_folder;
use super::project::Project;
use super::{Found, MOST_BYTES, open, text_of};
use crate::output::one_line;
use crate::variables::choose_code;
use serde_json::{Map, Value};
use std::path::{Path, PathBuf};

/// The most names that are told.
const MOST_NAMES: usize = 16;

/// Gives a server that is started the variables of the file that its entry names, but for those that the entry has itself. Gives what the
/// person is told of those that are left out.
pub fn add(one: &Found, config: &mut Map<String, Value>) -> Result<Vec<String>, String> {
    let Some(path) = config.remove(ENV_FILE) else { return Ok(Vec::new()) };
    // What is approved is the entry; that file may change at any time.
    if one.is_of_project || !config.contains_key("command") {
        return Ok(Vec::new());
    }
    let path = path.as_str().ok_or_else(|| format!("'{ENV_FILE}' is not text"))?;
    if !Path::new(path).is_absolute() {
        return Err(format!(
            "its envFile {path} is relative, and it is not known to which folder: write the whole path"
        ));
    }
    let unread = |why: String| format!("cannot read its envFile {path}: {why}");
    if !one.config.get(ENV_FILE).is_some_and(|written| names_folder(written, one.dialect)) {
        let mut file = open(Path::new(path)).map_err(|error| unread(error.to_string()))?;
        let text = text_of(&mut file, MOST_BYTES).map_err(unread)?;
        merge(config, text.lines().filter_map(variable_in));
        return Ok(Vec::new());
    }
    let here = std::env::current_dir().and_then(|here| here.canonicalize());
    let here = here.map_err(|error| unread(error.to_string()))?;
    let home = std::env::var_os("HOME").map(PathBuf::from);
    of_folder(one, config, path, &Project::around(&here, home.as_deref()))
}

/// The same for a file whose path has the current folder in it.
fn of_folder(
    one: &Found,
    config: &mut Map<String, Value>,
    path: &str,
    project: &Project,
) -> Result<Vec<String>, String> {
    let place = format!("of '{}' in {}", one_line(&one.name), one.path.display());
    let text = match project.read(Path::new(path), MOST_BYTES) {
        Ok(read) => read.text,
        Err(None) => return Err(format!("cannot read its envFile {path}: it is not there")),
        Err(Some(why)) => {
            let (path, why) = (one_line(path), one_line(&why));
            return Ok(vec![format!("envFile {place} is not read: {path}: {why}")]);
        }
    };
    let (of_code, rest): (Vec<_>, Vec<_>) =
        text.lines().filter_map(variable_in).partition(|(name, _)| choose_code(name));
    merge(config, rest.into_iter());
    if of_code.is_empty() {
        return Ok(Vec::new());
    }
    let names: Vec<String> = of_code.iter().take(MOST_NAMES).map(|(name, _)| one_line(name)).collect();
    let more = if of_code.len() > MOST_NAMES { ", …" } else { "" };
    Ok(vec![format!(
        "{}{more} of the envFile {place} is left out, because it decides what runs, and the file is one of the current folder: give it \
         with --env",
        names.join(", ")
    )])
}

fn merge<'a>(config: &mut Map<String, Value>, more: impl Iterator<Item = (&'a str, &'a str)>) {
    let variables = config.entry("env").or_insert_with(|| Value::Object(Map::new()));
    let Some(variables) = variables.as_object_mut() else { return };
    for (name, value) in more {
        variables.entry(name).or_insert_with(|| value.into());
    }
}

/// `NAME=VALUE` as such files have it: with `export` before it, in quotes, or with a comment behind it.
fn variable_in(line: &str) -> Option<(&str, &str)> {
    let line = line.trim();
    let (name, value) = line.strip_prefix("export ").unwrap_or(line).split_once('=')?;
    let (name, value) = (name.trim(), value.trim());
    if name.is_empty() || name.starts_with('#') {
        return None;
    }
    let quoted = ['"', '\''].into_iter().find_map(|quote| value.strip_prefix(quote)?.split_once(quote));
    Some((
        name,
        quoted.map_or_else(|| value.split(" #").next().unwrap_or(value).trim_end(), |(inside, _)| inside),
    ))
}

#[cfg(test)]
mod tests {
    use super::super::expand::Dialect;
    use super::*;
    use serde_json::json;
    use std::fs::{Permissions, create_dir, set_permissions, write};
    use std::os::unix::fs::PermissionsExt as _;

    #[test]
    fn a_file_of_variables_is_read() {
        let lines = ["A=1", "export B = \"two words\" # x", "C='#3'", "D=4 # four", "# E=5", "", "F", "G="];
        let read: Vec<(&str, &str)> = lines.into_iter().filter_map(variable_in).collect();
        assert_eq!(read, [("A", "1"), ("B", "two words"), ("C", "#3"), ("D", "4"), ("G", "")]);
        let file = tempfile::NamedTempFile::new().expect("a file");
        write(file.path(), "A=file\nB=file\nLD_PRELOAD=mine\n").expect("written");
        let whole = json!({"command": "x", "envFile": file.path(), "env": {"A": "entry"}});
        let one = Found::of_test(&whole);
        let mut config = one.config.clone();
        assert_eq!(add(&one, &mut config), Ok(vec![]));
        // The person has named this file wherever the program runs.
        assert_eq!(config["env"], json!({"A": "entry", "B": "file", "LD_PRELOAD": "mine"}));
        assert!(!config.contains_key("envFile"));
        for path in ["/nonexistent", ".env"] {
            config.insert("envFile".to_owned(), path.into());
            assert!(add(&one, &mut config).expect_err("refused").contains(path));
        }
    }

    #[test]
    fn a_file_of_the_current_folder_decides_nothing_that_runs() {
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path().canonicalize().expect("a path").join("p");
        create_dir(&root).expect("a folder");
        create_dir(root.join(".git")).expect("a repository");
        let path = root.join(".env");
        let refused = [
            "LD_PRELOAD",
            "DYLD_INSERT_LIBRARIES",
            "NODE_OPTIONS",
            "PYTHONSTARTUP",
            "PYTHONPATH",
            "PERL5OPT",
            "RUBYOPT",
            "BASH_ENV",
            "ENV",
            "PATH",
            "npm_config_script_shell",
            "PYTHONWARNINGS",
            "BROWSER",
            "DOTNET_STARTUP_HOOKS",
            "GIT_SSH_COMMAND",
            "DOCKER_HOST",
        ];
        let lines: Vec<String> = refused.iter().map(|name| format!("{name}=theirs\n")).collect();
        write(
            &path,
            lines.concat() + "DB=x\nENVIRONMENT=test\nGIT_TOKEN=t\nDOCKER_PASSWORD=p\nNUGET_API_KEY=k\n",
        )
        .expect("written");
        let mode = |path: &Path, mode| set_permissions(path, Permissions::from_mode(mode)).expect("a mode");
        mode(&root, 0o755);
        mode(&path, 0o644);
        let mut one = Found::of_test(&json!({"command": "x", "envFile": "${workspaceFolder}/.env"}));
        one.dialect = Dialect::Editor;
        let read = || {
            let mut config = Map::from_iter([("command".to_owned(), json!("x"))]);
            let notes =
                of_folder(&one, &mut config, path.to_str().expect("text"), &Project::around(&root, None));
            notes.map(|notes| (config, notes))
        };
        let (config, notes) = read().expect("read");
        let kept = json!({"DB": "x", "ENVIRONMENT": "test", "GIT_TOKEN": "t", "DOCKER_PASSWORD": "p",
            "NUGET_API_KEY": "k"});
        assert_eq!(config["env"], kept);
        for name in refused {
            assert!(notes[0].contains(name), "{name} in {notes:?}");
        }
        // A file that others could have written gives nothing.
        for (path, open, before) in [(&path, 0o666, 0o644), (&root, 0o777, 0o755)] {
            mode(path, open);
            let (config, notes) = read().expect("not read");
            assert!(!config.contains_key("env") && notes[0].contains("is not read"), "{notes:?}");
            mode(path, before);
        }
        std::fs::remove_file(&path).expect("removed");
        assert!(read().expect_err("not there").contains("not there"));
    }
}
