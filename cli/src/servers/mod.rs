//! Servers that other programs have configured: where their files are, and what stands in them.
//!
//! [`found`] gives all, the nearest file first; [`find`] the one that a name means. An entry of a project's file is used only after
//! the person has approved it.
//!
//! The files:
//!
//! * `sources`: the programs, and where each keeps its servers
//! * `project`: `Project`: which files of a project count
//! * `owners`: `Owners`: who else may write a file
//! * `approval`: `Approval`: what the person has approved of a project, and how it is asked
//! * `read`: the formats of these files
//! * `entry`: what an entry says, whatever its program calls it
//! * `edit`: an entry more or less in a file
//! * `env_file`: `envFile`, a file with variables for a server
//! * `headers_helper`: `headersHelper`, a command that writes headers for a server
//! * `inputs`: what a file asks the person for
//! * `expand`: variables in values
//! * `mask`: what is shown of secrets

mod approval;
mod edit;
mod entry;
mod env_file;
mod expand;
mod headers_helper;
mod inputs;
mod mask;
mod owners;
mod project;
mod read;
mod sources;

pub use approval::{Approval, approve, permit, revoke};
pub use edit::{added, removed};
pub use entry::put_header;
pub use inputs::{for_several, given as given_inputs};
pub use mask::{have_secrets, is_reference, is_secret, masked, masked_url, scheme_of, secrets_in};
pub use read::hidden_by;
pub use sources::{Writable, own_file};

use crate::arguments::Common;
use crate::failure::Failure;
use crate::output::{Screen, one_line};
use crate::target::Target;
use rustix::fs::{Mode, OFlags};
use serde_json::{Map, Value};
use std::fs::File as OpenFile;
use std::io::Read as _;
use std::path::{Path, PathBuf};

/// A server in a file.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    pub name: String,
    /// The program, such as "cursor".
    pub source: &'static str,
    /// Of a project's file without symbolic links.
    pub path: PathBuf,
    /// Whether it stands in a file of the project, which others may have written.
    pub is_of_project: bool,
    pub is_disabled: bool,
    /// As the keys of a client's configuration, with variables not expanded.
    pub config: Map<String, Value>,
    /// Variables and headers beside it whose values are in the environment, as `${NAME}` whatever the dialect.
    references: Map<String, Value>,
    /// Why it cannot be used.
    pub fault: Option<String>,
    /// Keys of the entry that would change what is used of the server, and do not here.
    pub unheeded: Vec<mcp::client::Unread>,
    /// Keys of the entry that are not known.
    pub unknown: Vec<String>,
    /// What of it belongs to the other way to a server: it changes nothing, and is a part of what a person approves.
    misplaced: Map<String, Value>,
    /// What it asks the person for.
    inputs: Vec<inputs::Input>,
    /// How variables are written in this file.
    dialect: expand::Dialect,
}

/// A file that was looked for.
#[derive(Clone, Debug)]
pub struct File {
    pub source: &'static str,
    pub path: PathBuf,
    /// Why it gives no servers; "not there" is not a reason.
    pub fault: Option<String>,
    pub is_there: bool,
}

impl Found {
    /// An entry of a file of the person with this configuration.
    #[cfg(test)]
    fn of_test(config: &Value) -> Found {
        Found {
            name: "x".to_owned(),
            source: "project",
            path: "/x".into(),
            is_of_project: false,
            is_disabled: false,
            config: config.as_object().cloned().unwrap_or_default(),
            references: Map::new(),
            fault: None,
            unheeded: Vec::new(),
            unknown: Vec::new(),
            misplaced: Map::new(),
            inputs: Vec::new(),
            dialect: expand::Dialect::Shell,
        }
    }

    /// The whole entry, with variables not expanded.
    pub fn written(&self) -> Map<String, Value> {
        let mut config = self.config.clone();
        expand::merge(&mut config, self.references.clone());
        config
    }

    /// Whether a value of it has the current folder in it.
    fn names_folder(&self) -> bool {
        let in_any = |part: &Map<String, Value>, dialect| {
            part.values().any(|value| expand::names_folder(value, dialect))
        };
        in_any(&self.config, self.dialect) || in_any(&self.references, expand::Dialect::Shell)
    }

    /// The configuration for a file of this program: variables stay variables, in the form `${NAME}`.
    pub fn portable(&self) -> Result<Map<String, Value>, String> {
        if self.config.contains_key(entry::ENV_FILE) {
            let (key, source, name) = (entry::ENV_FILE, self.source, &self.name);
            return Err(format!("it has '{key}', which is read where it stands: use it as {source}:{name}"));
        }
        match self.dialect {
            expand::Dialect::None | expand::Dialect::Shell => Ok(self.written()),
            _ => {
                let input = |id: &str| Err(format!("it asks the person for '{id}' each time it is used"));
                expand::expanded(self, expand::Values::of_references(&input))
            }
        }
    }

    /// Whether NAME or SOURCE:NAME means it. `project:NAME` is an entry of any file of the project.
    pub fn is_called(&self, name: &str) -> bool {
        let by_source = || {
            let (source, short) = name.split_once(':')?;
            let is_source = source == self.source || (source == sources::PROJECT && self.is_of_project);
            Some(is_source && short == self.name)
        };
        self.name == name || by_source() == Some(true)
    }
}

/// An entry as it stands in a file, in the keys of the library, as it may be shown.
pub fn masked_entry(entry: &Value) -> Map<String, Value> {
    masked(&entry.as_object().map(entry::plain).unwrap_or_default())
}

/// All servers, and all files that were looked for.
pub fn found() -> (Vec<Found>, Vec<File>) {
    let (mut servers, mut files) = (Vec::new(), Vec::new());
    let mut has_project_file = false;
    for mut place in sources::places() {
        let is_project_file = place.source == sources::PROJECT;
        if is_project_file && has_project_file {
            continue;
        }
        let text = match &place.project {
            Some(project) => project.read(&place.path, MOST_BYTES).map(|read| {
                place.path = read.path;
                read.text
            }),
            None => bounded(&place.path),
        };
        let text = match text {
            Ok(text) => text,
            Err(fault) => {
                files.push(File { source: place.source, path: place.path, is_there: fault.is_some(), fault });
                continue;
            }
        };
        has_project_file |= is_project_file;
        let read = read::servers(&place, &text);
        let fault = match read {
            Ok(list) => {
                servers.extend(list);
                None
            }
            Err(why) => Some(why),
        };
        files.push(File { source: place.source, path: place.path, is_there: true, fault });
    }
    (servers, files)
}

/// The largest file that is read: Claude Code keeps a history beside its servers.
const MOST_BYTES: u64 = 64 * 1024 * 1024;

/// The text of a file; `Err(None)` if it is not there.
fn bounded(path: &Path) -> Result<String, Option<String>> {
    let mut file = open(path)
        .map_err(|error| (error.kind() != std::io::ErrorKind::NotFound).then(|| error.to_string()))?;
    text_of(&mut file, MOST_BYTES).map_err(Some)
}

/// Opens a file for reading. A pipe that stands there in its place holds nothing up.
fn open(path: &Path) -> std::io::Result<OpenFile> {
    let flags = OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NONBLOCK | OFlags::NOCTTY;
    Ok(rustix::fs::open(path, flags, Mode::empty())?.into())
}

/// The text of a regular file of at most `most` bytes.
fn text_of(file: &mut OpenFile, most: u64) -> Result<String, String> {
    let about = file.metadata().map_err(|error| error.to_string())?;
    if !about.is_file() {
        return Err("it is not a regular file".to_owned());
    }
    let mut bytes = Vec::new();
    file.take(most + 1).read_to_end(&mut bytes).map_err(|error| error.to_string())?;
    if bytes.len() as u64 > most {
        return Err(format!("it has more than {most} bytes"));
    }
    mcp::client::json_text::decoded(bytes).map_err(str::to_owned)
}

/// The entry that a name means; `None` if no file has it. An entry of the project never takes the place of one of the person: a name
/// that both have is an error, unless both are the same.
pub fn choose<'a>(servers: &'a [Found], name: &str) -> Result<Option<&'a Found>, Failure> {
    let enabled_first =
        |list: Vec<&'a Found>| list.iter().find(|one| !one.is_disabled).or(list.first()).copied();
    let (project, own): (Vec<&Found>, Vec<&Found>) =
        servers.iter().filter(|one| one.is_called(name)).partition(|one| one.is_of_project);
    let (project, own) = (enabled_first(project), enabled_first(own));
    let (Some(theirs), Some(yours)) = (project, own) else { return Ok(own.or(project)) };
    let has_source = name != yours.name;
    let is_same = !yours.is_disabled
        && matches!((theirs.portable(), yours.portable()), (Ok(theirs), Ok(yours)) if theirs == yours);
    if has_source || theirs.is_disabled || is_same {
        return Ok(own);
    }
    let (name, project) = (&yours.name, sources::PROJECT);
    Err(Failure::usage(format!(
        "'{name}' is the name of two servers: yours in {}, and one that this project brings in {}; write {}:{name} for yours, or \
         {project}:{name} for that of the project",
        yours.path.display(),
        theirs.path.display(),
        yours.source,
    )))
}

/// The files that cannot be used, and why, behind an error that finds nothing.
pub fn faults(files: &[File]) -> String {
    let broken = files.iter().filter_map(|file| {
        Some(format!("; {} cannot be used: {}", file.path.display(), file.fault.as_ref()?))
    });
    broken.collect()
}

/// Whether a server has exactly this name: it may look like a path, a command line or a session.
pub fn has_name(name: &str, only: Option<&Path>) -> bool {
    let servers = match only {
        Some(path) => of_file(path).unwrap_or_default(),
        None => found().0,
    };
    servers.iter().any(|one| one.name == name)
}

/// The end of an error about a word that is no server: the configured one that was most likely meant.
pub fn did_you_mean(word: &str, only: Option<&Path>) -> String {
    let servers = match only {
        Some(path) => of_file(path).unwrap_or_default(),
        None => found().0,
    };
    crate::commands::did_you_mean(word, servers.iter().map(|one| one.name.as_str()))
}

/// The servers of one file, which the person vouches for by naming it.
pub fn of_file(path: &Path) -> Result<Vec<Found>, Failure> {
    let text = bounded(path).map_err(|fault| {
        let why = fault.unwrap_or_else(|| "there is no such file".to_owned());
        Failure::usage(format!("cannot read '{}': {why}", path.display()))
    })?;
    read::given(path, &text)
        .map_err(|why| Failure::usage(format!("'{}' cannot be used: {}", path.display(), one_line(&why))))
}

/// The server called `name` (or `SOURCE:NAME`), as a target. One of the project's must be approved; a person at a terminal is asked.
pub fn find(name: &str, common: &Common) -> Result<Target, Failure> {
    let (servers, files) = match &common.config {
        Some(path) => (of_file(path)?, Vec::new()),
        None => found(),
    };
    let Some(chosen) = choose(&servers, name)? else {
        // A URL without its scheme may have a password.
        let password = name.rsplit_once('@').filter(|(user, _)| user.contains(':'));
        let name = password.map_or_else(|| name.to_owned(), |(_, host)| format!("****@{host}"));
        let near = crate::commands::nearest(&name, servers.iter().map(|one| one.name.as_str()));
        let near = near.map(|near| format!("; did you mean '{near}'?")).unwrap_or_default();
        if let Some(path) = &common.config {
            let names: Vec<&str> = servers.iter().take(MOST_KEYS).map(|one| one.name.as_str()).collect();
            let has = if near.is_empty() { format!("; it has {}", names.join(", ")) } else { near };
            return Err(Failure::usage(format!(
                "'{}' has no server '{name}'{}",
                path.display(),
                one_line(&has)
            )));
        }
        // What looks like HOST:PORT or a host's name with a path is a URL without its beginning.
        if near.is_empty() && name.contains([':', '/']) && name.contains(['.', ':']) {
            return Err(Failure::usage(format!(
                "there is no server '{name}'; for a server at a URL write http://{name} or https://{name}{}",
                faults(&files)
            )));
        }
        return Err(Failure::usage(format!(
            "there is no server '{name}': it is not a URL, not a path of a program (write ./{name} for one in this folder), and no \
             file of a program here has it (`mcp servers` lists those){near}{}",
            faults(&files)
        )));
    };
    if chosen.is_disabled {
        return Err(Failure::usage(format!("the server '{name}' is disabled in {}", chosen.path.display())));
    }
    for line in ineffective(chosen) {
        Screen::note(line);
    }
    usable(chosen, &inputs::given(&common.inputs, name)?, Screen::can_ask(), None)
}

/// A server of a file that the person named, as a target that is used without being named itself.
pub fn usable_of_file(chosen: &Found) -> Result<Target, Failure> {
    usable(chosen, &inputs::Given::new(), false, None)
}

/// An entry as a target, if it may be used. Where the person may not be asked, what is not approved or asks for something is a failure.
/// What the entry runs beside the server runs in `folder`.
fn usable(
    chosen: &Found,
    given: &inputs::Given<'_>,
    asks: bool,
    folder: Option<&str>,
) -> Result<Target, Failure> {
    let name = &chosen.name;
    // What is approved is what was read before, and what is used below.
    let approved = permit(chosen, asks)?;
    let wrong = |why: String| {
        Failure::usage(format!("the server '{name}' in {}: {}", chosen.path.display(), one_line(&why)))
    };
    if let Some(fault) = &chosen.fault {
        return Err(wrong(fault.clone()));
    }
    let inputs = inputs::Inputs::new(chosen, given, asks);
    let (variable, input) = (|name: &str| approved.value_of(name), |id: &str| inputs.value(id));
    let expanded = expand::expanded(chosen, expand::Values::of(&variable, &input));
    if let Some(failure) = inputs.failure.take() {
        return Err(failure);
    }
    let mut config = expanded.map_err(wrong)?;
    for line in env_file::add(chosen, &mut config).map_err(wrong)? {
        Screen::note(line);
    }
    headers_helper::add(chosen, &mut config, folder).map_err(wrong)?;
    Ok(Target { shown: name.clone(), config })
}

/// An entry as a target that is used without being named, wherever this program runs; `None` where the current folder would decide what
/// runs or is reached. An own server is started in the home, as what is started may read the files of a cloned repository around it.
pub fn usable_anywhere(one: &Found) -> Result<Option<Target>, Failure> {
    if one.is_of_project {
        // It was approved for this folder.
        return usable(one, &inputs::Given::new(), false, None).map(Some);
    }
    if one.names_folder() {
        return Ok(None);
    }
    let home = std::env::var("HOME").ok().filter(|home| Path::new(home).is_absolute());
    let home = home.unwrap_or_else(|| "/".to_owned());
    let mut target = usable(one, &inputs::Given::new(), false, Some(&home))?;
    let config = &mut target.config;
    let is_relative = |key: &str| {
        let path = config.get(key).and_then(Value::as_str).map(Path::new);
        path.is_some_and(|path| !path.is_absolute() && (key == "cwd" || path.parent() != Some(Path::new(""))))
    };
    if is_relative("command") || is_relative("cwd") {
        return Ok(None);
    }
    if config.contains_key("command") && !config.contains_key("cwd") {
        config.insert("cwd".to_owned(), home.into());
    }
    Ok(Some(target))
}

/// Why an entry could not be used now, as far as that is seen without using it: each variable that is not set, a program that is not there.
pub fn lacks(one: &Found) -> Vec<String> {
    let unset = std::cell::RefCell::new(std::collections::BTreeSet::new());
    let mut lines = Vec::new();
    let variable = |name: &str| {
        let value = std::env::var(name).ok();
        // The next one that is missing is looked for, too.
        value.or_else(|| unset.borrow().contains(name).then(String::new))
    };
    let values = expand::Values::of(&variable, &|_| Ok(String::new()));
    let mut config = expand::expanded(one, values);
    while let Err(why) = &config {
        let name = why.split('\'').nth(1).unwrap_or_default().to_owned();
        lines.push(why.clone());
        if !why.contains("environment variable")
            || lines.len() > MOST_KEYS
            || !unset.borrow_mut().insert(name)
        {
            return lines;
        }
        config = expand::expanded(one, values);
    }
    let config = config.unwrap_or_default();
    let folder = config.get("cwd").and_then(Value::as_str).unwrap_or(".");
    let is_there = |command: &str| match command.contains('/') {
        true => Path::new(folder).join(command).exists(),
        false => crate::folders::on_path(command).is_some(),
    };
    if let Some(command) = config.get("command").and_then(Value::as_str).filter(|command| !is_there(command))
    {
        lines.push(format!("there is no program '{}' here", one_line(command)));
    }
    lines
}

/// The most keys that a line names.
const MOST_KEYS: usize = 10;

/// What of an entry changes nothing here, a line for each kind.
pub fn ineffective(one: &Found) -> Vec<String> {
    let place = format!("of '{}' in {}", one_line(&one.name), one.path.display());
    let mut lines = Vec::new();
    if one.is_of_project && one.config.contains_key(entry::ENV_FILE) {
        // What is approved is the entry; that file may change at any time.
        lines.push(format!(
            "envFile {place} is not read, because a project's files may change after the approval: give its variables with --env"
        ));
    }
    for unread in &one.unheeded {
        lines.push(format!("{} {place} is not {}, and changes nothing", unread.key, unread.wanted()));
    }
    if !one.unknown.is_empty() {
        let names: Vec<_> = one.unknown.iter().take(MOST_KEYS).map(|key| one_line(key)).collect();
        let more = if one.unknown.len() > MOST_KEYS { ", …" } else { "" };
        let (is, changes) = if one.unknown.len() == 1 { ("is", "changes") } else { ("are", "change") };
        lines.push(format!("{}{more} {place} {is} not known here, and {changes} nothing", names.join(", ")));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn one(source: &'static str, is_of_project: bool, command: &str) -> Found {
        let path = PathBuf::from(format!("/{source}"));
        Found { source, path, is_of_project, ..Found::of_test(&json!({ "command": command })) }
    }

    #[test]
    fn variables_of_every_form_stay_variables_with_their_defaults() {
        for (dialect, text, is) in [
            (expand::Dialect::Shell, "${A:-b}", "${A:-b}"),
            (expand::Dialect::Mixed, "${LEVEL:-info}/${env:A}/${{ secrets.B }}", "${LEVEL:-info}/${A}/${B}"),
            (expand::Dialect::Dollar, "$A ${B:-} ${C:-d:-e}", "${A} ${B:-} ${C:-d:-e}"),
            (expand::Dialect::Editor, "${userHome}/x", "${HOME}/x"),
            (expand::Dialect::OpenCode, "{env:A}", "${A}"),
        ] {
            let one = Found { dialect, ..Found::of_test(&json!({"command": "x", "args": [text]})) };
            assert_eq!(one.portable().expect("portable")["args"], json!([is]), "{text}");
        }
    }

    #[test]
    fn a_project_never_takes_the_place_of_an_own_server() {
        let (theirs, yours) = (one("project", true, "theirs"), one("cursor", false, "yours"));
        let command = |all: &[Found], name: &str| {
            choose(all, name)
                .map(|one| one.map(|one| one.config["command"].clone()))
                .map_err(|why| why.text())
        };
        let both = [theirs.clone(), yours.clone()];
        let why = command(&both, "x").expect_err("two meanings");
        assert!(why.contains("project:x") && why.contains("cursor:x"), "{why}");
        assert_eq!(command(&both, "project:x"), Ok(Some("theirs".into())));
        assert_eq!(command(&both, "cursor:x"), Ok(Some("yours".into())));
        assert_eq!(command(&both[..1], "x"), Ok(Some("theirs".into())));
        assert_eq!(command(&both[1..], "x"), Ok(Some("yours".into())));
        assert_eq!(command(&both[1..], "project:x"), Ok(None));
        // An own server that is disabled keeps its name; an entry of the project that is disabled takes none.
        let off = |one: &Found| Found { is_disabled: true, ..one.clone() };
        assert!(command(&[theirs.clone(), off(&yours)], "x").is_err());
        assert_eq!(command(&[off(&theirs), yours.clone()], "x"), Ok(Some("yours".into())));
        // A word for a program names the person's own file of it before that of the project.
        let of_editor = one("cursor", true, "theirs");
        assert_eq!(command(&[of_editor.clone(), yours.clone()], "cursor:x"), Ok(Some("yours".into())));
        assert_eq!(command(&[of_editor], "cursor:x"), Ok(Some("theirs".into())));
        // The same entry twice has one meaning.
        let same = one("project", true, "yours");
        assert_eq!(choose(&[same, yours.clone()], "x").expect("one meaning"), Some(&yours));
    }
}
