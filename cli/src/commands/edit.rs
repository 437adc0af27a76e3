//! `add` and `remove`: a server in a file of this program or of another one.

use crate::arguments::{Add, Common, Format, Remove};
use crate::failure::Failure;
use crate::folders;
use crate::ordered::Gathered;
use crate::output::{Screen, Text, one_line, text};
use crate::servers::{
    Writable, added, is_reference, is_secret, masked, masked_entry, own_file, removed, scheme_of, secrets_in,
};
use serde_json::{Map, Value, json};
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

/// The program whose file is changed where none is named.
const OWN: &str = "libmcp";
/// The most bytes of a file.
const MOST_BYTES: u64 = 64 * 1024 * 1024;

pub fn add(screen: Screen, add: &Add, common: &Common) -> Result<(), Failure> {
    let base = add.name.split('@').next().unwrap_or_default();
    if add.server.is_none() && add.program.is_empty() && crate::registry::is_name(base) {
        return crate::registry::add(screen, add, common);
    }
    if add.registry.is_some() || add.rename.is_some() || add.yes {
        return Err(Failure::usage(
            "--registry, --as and --yes are for a server of a registry, which is named as io.github.OWNER/NAME",
        ));
    }
    if add.name.is_empty() || add.name.contains(char::is_control) {
        return Err(Failure::usage("the name of a server is empty or has control characters"));
    }
    let (source, file) = file_of(add.to.as_deref(), add.literal)?;
    let mut secrets = Secrets { file: &file, source, is_literal: add.literal, moved: Vec::new() };
    let members = members(add, common, &mut secrets)?;
    for (variable, what) in &secrets.moved {
        say_variable(source, variable, what);
    }
    keep(screen, source, &file, &add.name, members, add.dry_run)
}

/// The file of a program, without one that of this program; secrets as they are stand in the latter alone.
pub fn file_of(to: Option<&str>, is_literal: bool) -> Result<(&str, Writable), Failure> {
    let source = to.unwrap_or(OWN);
    let file = writable(source)?;
    if is_literal
        && own_file()
            .is_none_or(|own| own != file.path && own.canonicalize().ok().as_ref() != Some(&file.path))
    {
        return Err(Failure::usage(
            "--literal writes secrets as they are, which is for the file of this program alone: leave out --to",
        ));
    }
    Ok((source, file))
}

/// Says that a secret is a reference in the file.
pub fn say_variable(source: &str, variable: &str, what: &str) {
    let literal = if source == OWN { ", or write it as it is with --literal" } else { "" };
    Screen::said(format!(
        "{what} looks like a secret: the file has a reference, so set the variable {variable}{literal}"
    ));
}

/// Refuses members of strangers in which the program would put the values of variables that the person has not given.
pub fn refuse_variables(
    file: &Writable,
    members: &[(&'static str, Value)],
    references: &[String],
) -> Result<(), Failure> {
    let mut all: Vec<&Value> = members.iter().map(|(_, value)| value).collect();
    while let Some(value) = all.pop() {
        match value {
            Value::String(text) => {
                let rest = references.iter().fold(text.clone(), |text, own| text.replace(own, ""));
                if file.replaces_in(&rest) {
                    return Err(Failure::usage(format!(
                        "'{}' would get the value of a variable of your environment that was not asked for; nothing is written",
                        one_line(text)
                    )));
                }
            }
            Value::Array(list) => all.extend(list),
            Value::Object(object) => all.extend(object.values()),
            _ => {}
        }
    }
    Ok(())
}

/// Writes an entry with these members.
pub fn keep(
    screen: Screen,
    source: &str,
    file: &Writable,
    name: &str,
    members: Vec<(&'static str, Value)>,
    is_dry: bool,
) -> Result<(), Failure> {
    let entry = file.entry(&members);
    let text = folders::read(&file.path, MOST_BYTES)?.unwrap_or_default();
    let wrong = |why: String| Failure::usage(format!("{}: {why}; it is left as it is", file.path.display()));
    file.misplaced(&text).map_or(Ok(()), |why| Err(wrong(why)))?;
    let made = added(&text, file.key, name, &entry).map_err(wrong)?;
    if source == "project" {
        Screen::said(format!("a server of a project is used after `mcp config trust {}`", one_line(name)));
    }
    let shown = format!("{}: {}", Value::from(name), file.entry(&hidden(members)));
    write(screen, &file.path, &made, &Change { verb: "added", name, sign: '+', lines: &shown }, is_dry)
}

pub fn remove(screen: Screen, remove: &Remove) -> Result<(), Failure> {
    let (source, name) = match (remove.from.as_deref(), remove.name.split_once(':')) {
        (Some(source), _) => (source, remove.name.as_str()),
        (None, Some((source, name))) if writable(source).is_ok() => (source, name),
        (None, _) => (OWN, remove.name.as_str()),
    };
    forget(screen, source, name, remove.dry_run)
}

/// Takes an entry out of the file of a program.
fn forget(screen: Screen, source: &str, name: &str, is_dry: bool) -> Result<(), Failure> {
    forget_if(screen, source, None, name, &|_| true, is_dry).map(|_| ())
}

/// The same of a file that may be at a path of its own, if the entry is the one that is meant: whether it is.
pub fn forget_if(
    screen: Screen,
    source: &str,
    path: Option<&Path>,
    name: &str,
    is_meant: &dyn Fn(&Value) -> bool,
    is_dry: bool,
) -> Result<bool, Failure> {
    let mut file = writable(source)?;
    if let Some(path) = path {
        path.clone_into(&mut file.path);
    }
    let text = folders::read(&file.path, MOST_BYTES)?.unwrap_or_default();
    let (made, gone) = removed(&text, file.key, name).map_err(|why| {
        let others = crate::servers::found().0;
        let other = others.iter().find(|one| one.name == name && one.path != file.path);
        let advice =
            other.map(|one| format!("; {} has one: write {}:{name}", one.path.display(), one.source));
        let misplaced = file.misplaced(&text).map(|why| format!("; {why}"));
        let advice = advice.or(misplaced).unwrap_or_default();
        Failure::usage(format!("{}: {why}{advice}", file.path.display()))
    })?;
    if !is_meant(&gone) {
        return Ok(false);
    }
    let shown = format!("{}: {:#}", Value::from(name), Value::Object(masked_entry(&gone)));
    write(screen, &file.path, &made, &Change { verb: "removed", name, sign: '-', lines: &shown }, is_dry)?;
    Ok(true)
}

/// Members as they may be shown: without secrets, however they got there, and with references.
fn hidden(members: Vec<(&'static str, Value)>) -> Vec<(&'static str, Value)> {
    let whole: Map<String, Value> =
        members.iter().map(|(key, value)| ((*key).to_owned(), value.clone())).gathered();
    let shown = masked(&whole);
    members.into_iter().map(|(key, value)| (key, with_references(shown.get(key), value))).collect()
}

fn with_references(shown: Option<&Value>, value: Value) -> Value {
    match (shown, value) {
        (_, Value::String(text)) if is_reference(&text) => Value::String(text),
        (Some(shown), Value::Object(object)) => Value::Object(
            object
                .into_iter()
                .map(|(name, value)| (name.clone(), with_references(shown.get(name), value)))
                .gathered(),
        ),
        (Some(shown), Value::Array(list)) => {
            list.into_iter().enumerate().map(|(at, value)| with_references(shown.get(at), value)).collect()
        }
        (Some(shown), _) => shown.clone(),
        (None, value) => value,
    }
}

fn writable(source: &str) -> Result<Writable, Failure> {
    Writable::of(source).map_err(Failure::usage)
}

/// What is written of secrets.
struct Secrets<'a> {
    file: &'a Writable,
    source: &'a str,
    is_literal: bool,
    /// The variables that have to be set, and for what.
    moved: Vec<(String, String)>,
}

impl Secrets<'_> {
    fn reference(&self, variable: &str) -> Result<String, Failure> {
        let none = || {
            Failure::usage(format!(
                "the file of {} takes no variables, and a secret is not written into it: leave out --to",
                self.source
            ))
        };
        self.file.reference(variable).ok_or_else(none)
    }

    /// The value of a variable or header: a reference, where the value looks like a secret.
    fn value(&mut self, name: &str, value: &str, variable: String) -> Result<String, Failure> {
        let is_plain = || !is_secret(name) && secrets_in(value, None).is_empty();
        if self.is_literal || is_reference(value) || is_plain() {
            return Ok(value.to_owned());
        }
        let reference = self.reference(&variable)?;
        self.moved.push((variable, one_line(name)));
        Ok(format!("{}{reference}", scheme_of(value)))
    }

    /// An argument or URL of a server, with references in the places of secrets.
    fn text(&mut self, server: &str, text: &str, before: Option<&str>) -> Result<String, Failure> {
        let mut written = text.to_owned();
        let found = if self.is_literal { Vec::new() } else { secrets_in(text, before) };
        for secret in found.into_iter().rev() {
            let variable = self.free(variable_of(server, &secret.name));
            written.replace_range(secret.range, &self.reference(&variable)?);
            self.moved.push((variable, one_line(&secret.name)));
        }
        Ok(written)
    }

    /// A name that no other secret has.
    fn free(&self, variable: String) -> String {
        let is_free = |name: &str| self.moved.iter().all(|(other, _)| other != name);
        let numbered = (2..).map(|number: u32| format!("{variable}_{number}"));
        std::iter::once(variable.clone()).chain(numbered).find(|name| is_free(name)).unwrap_or(variable)
    }
}

/// The variable for a secret of a server.
fn variable_of(server: &str, name: &str) -> String {
    let letter = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_uppercase() } else { '_' };
    format!("{server}_{name}").chars().map(letter).collect()
}

/// What the command line says of the server, in the order in which it is written.
fn members(
    add: &Add,
    common: &Common,
    secrets: &mut Secrets<'_>,
) -> Result<Vec<(&'static str, Value)>, Failure> {
    if let Some(mistyped) = add.server.as_deref().and_then(crate::target::mistyped_url) {
        return Err(mistyped);
    }
    let words = match &add.server {
        Some(_) if !add.program.is_empty() => {
            return Err(Failure::usage("give a URL or a command behind --, not both"));
        }
        Some(url) if url.contains("://") => Vec::from([url.clone()]),
        Some(line) => shlex::split(line).filter(|words| !words.is_empty()).unwrap_or_default(),
        None => add.program.clone(),
    };
    let Some((first, rest)) = words.split_first() else {
        return Err(Failure::usage(
            "no server is given: write `mcp add NAME -- COMMAND` or `mcp add NAME URL`",
        ));
    };
    let is_url = add.server.is_some() && first.contains("://");
    let mut members = Vec::new();
    if is_url {
        let shown = mcp::client::without_password(first);
        if shown != *first || !(first.starts_with("https://") || first.starts_with("http://")) {
            return Err(Failure::usage(format!(
                "'{shown}' is not a URL with http or https and without a password; give that with -H 'Authorization: …'"
            )));
        }
        members.push(("url", json!(secrets.text(&add.name, first, None)?)));
    } else {
        members.push(("command", json!(first)));
        let before = std::iter::once(None).chain(rest.iter().map(|word| Some(word.as_str())));
        let arguments = rest.iter().zip(before).map(|(word, before)| secrets.text(&add.name, word, before));
        let arguments = arguments.collect::<Result<Vec<String>, Failure>>()?;
        if !arguments.is_empty() {
            members.push(("args", json!(arguments)));
        }
    }
    if (is_url && !common.environment.is_empty()) || (!is_url && !common.headers.is_empty()) {
        return Err(Failure::usage("--env is for a server that is started, --header for one at a URL"));
    }
    let mut variables = Map::new();
    for word in &common.environment {
        let (name, value) = match word.split_once('=') {
            Some((name, value)) => (name, secrets.value(name, value, name.to_owned())?),
            None => (word.as_str(), secrets.reference(word)?),
        };
        variables.insert(name.to_owned(), value.into());
    }
    let mut headers = Map::new();
    for word in &common.headers {
        let (name, value) = word
            .split_once(':')
            .ok_or_else(|| Failure::usage("--header needs 'NAME: VALUE'; there is no colon"))?;
        let end = if name.eq_ignore_ascii_case("authorization") { "TOKEN" } else { name };
        let variable = variable_of(&add.name, end.trim());
        headers.insert(name.trim().to_owned(), secrets.value(name, value.trim(), variable)?.into());
    }
    for (key, object) in [("env", variables), ("headers", headers)] {
        if !object.is_empty() {
            members.push((key, Value::Object(object)));
        }
    }
    if let Some(cwd) = &common.cwd {
        members.push(("cwd", json!(cwd.display().to_string())));
    }
    Ok(members)
}

/// What has changed in a file.
struct Change<'a> {
    verb: &'static str,
    name: &'a str,
    sign: char,
    lines: &'a str,
}

fn write(screen: Screen, path: &Path, text: &str, change: &Change<'_>, is_dry: bool) -> Result<(), Failure> {
    if !is_dry {
        let mode = path.metadata().ok().map(|about| about.permissions().mode() & 0o777);
        let is_own = own_file().is_some_and(|own| own == *path);
        folders::replace(path, text)?;
        // The file of another program stays as open as it was.
        if let Some(mode) = mode.filter(|_| !is_own) {
            let kept = std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode));
            kept.map_err(|error| {
                Failure::machine(format!("cannot set the mode of {}: {error}", path.display()))
            })?;
        }
    }
    let shown = path.display().to_string();
    match screen.format {
        Format::Json | Format::Yaml => {
            screen.json(&json!({"file": shown, (change.verb): change.name, "written": !is_dry}).to_string())
        }
        Format::Names => screen.names(&[change.name.to_owned()]),
        Format::Text => {
            let what = if is_dry { "would be changed" } else { "changed" };
            let line = |line: &str| text![change.sign.to_string(), " ", line, "\n"];
            let lines: Text = change.lines.lines().map(line).collect();
            screen.write(text![one_line(&shown), ": ", what, "\n", lines])
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser as _;

    #[test]
    fn a_url_with_a_mistyped_scheme_is_no_command() {
        let of = |word: &str| {
            let line = ["mcp", "add", "--to", "project", "x", word];
            let arguments = crate::arguments::Arguments::try_parse_from(line).expect("options");
            let crate::arguments::Command::Add(add) = arguments.command else { panic!("{word}") };
            let (source, file) = file_of(add.to.as_deref(), false).expect("a file");
            let mut secrets = Secrets { file: &file, source, is_literal: false, moved: Vec::new() };
            members(&add, &arguments.common, &mut secrets).map_err(|failure| failure.text())
        };
        for word in ["https:/ann:s3cret@h/mcp", "https//ann:s3cret@h/mcp", "https://ann:s3 cret@h/mcp"] {
            let why = of(word).expect_err("refused");
            assert!(why.contains("'https://****@h/mcp'") && !why.contains("cret"), "{why}");
        }
        assert_eq!(of("https://h/mcp"), Ok(vec![("url", json!("https://h/mcp"))]));
    }
}
