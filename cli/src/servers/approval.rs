//! What the person has approved of a project's files. Each approval is a file of its own in the person's configuration, with the
//! digest of exactly one entry and the variables that this entry names.

use super::expand::{Dialect, Values, expanded};
use super::inputs::Input;
use super::owners::Owners;
use super::{Found, open, sources, text_of};
use crate::failure::Failure;
use crate::folders;
use crate::ordered::Gathered;
use crate::output::Screen;
use serde_json::{Value, json};
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

/// The most bytes of an entry as it is shown to be approved: a person reads it.
const MOST_SHOWN: usize = 16 * 1024;
/// The most bytes of an approval.
const MOST_BYTES: u64 = 64 * 1024;

/// Whether an entry may be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Approval {
    /// It is the person's own.
    Own,
    /// The person has approved exactly this; these variables may get into it.
    Given(BTreeSet<String>),
    /// The person has approved another entry of this name in this file.
    Changed,
    /// The person has not approved it.
    Missing,
}

impl Approval {
    /// Of an entry.
    pub fn of(one: &Found) -> Result<Approval, Failure> {
        if !one.is_of_project {
            return Ok(Approval::Own);
        }
        let Some(kept) = Kept::of(one)?.read()? else { return Ok(Approval::Missing) };
        let names = variables(one);
        let allowed: BTreeSet<String> = kept["variables"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .map(str::to_owned)
            .gathered();
        let is_given = kept["digest"] == digest(one) && names.is_subset(&allowed);
        Ok(if is_given { Approval::Given(names) } else { Approval::Changed })
    }

    /// Whether the entry may be used.
    pub fn is_enough(&self) -> bool {
        matches!(self, Approval::Own | Approval::Given(_))
    }

    /// The value of a variable, if the entry may have it.
    pub fn value_of(&self, variable: &str) -> Option<String> {
        let may = match self {
            Approval::Own => true,
            Approval::Given(names) => names.contains(variable),
            Approval::Changed | Approval::Missing => false,
        };
        if may { std::env::var(variable).ok() } else { None }
    }
}

/// Lets an entry be used, or says how it is approved. A person who may be asked is asked.
pub fn permit(one: &Found, asks: bool) -> Result<Approval, Failure> {
    let approval = Approval::of(one)?;
    if approval.is_enough() {
        return Ok(approval);
    }
    if asks {
        return approve(one, &approval);
    }
    let name = &one.name;
    let state = match approval {
        Approval::Changed => "has changed since you approved it",
        _ => "is not approved",
    };
    let command = if name.chars().all(|c| c.is_ascii_graphic()) {
        let word = format!("{}:{name}", sources::PROJECT);
        shlex::try_quote(&word).map_or_else(|_| String::new(), |word| format!(" {word}"))
    } else {
        String::new()
    };
    Err(Failure::not_approved(format!(
        "the server '{name}' in {} {state}: a project's file names it, and nothing of a project is started or reached before you have \
         seen and approved it; `mcp config trust{command}` does that",
        one.path.display()
    )))
}

/// Shows an entry, asks a person at a terminal, and keeps the approval. Without a terminal the command line is the answer.
pub fn approve(one: &Found, before: &Approval) -> Result<Approval, Failure> {
    let kept = Kept::of(one)?;
    let shown = shown(one, before)?;
    Screen::note(&shown);
    if Screen::can_ask() && !crate::questions::yes("Use it as it stands here, now and later? [y/N] ")? {
        return Err(Failure::not_approved(format!("the server '{}' is not approved", one.name)));
    }
    let names = variables(one);
    let text =
        json!({"file": path_text(&one.path)?, "name": one.name, "digest": digest(one), "variables": names});
    folders::replace(&kept.path, &format!("{text:#}\n"))?;
    // A folder that others may write would make this approval theirs.
    kept.read()?;
    Ok(Approval::Given(names))
}

/// Takes an approval back; whether there was one.
pub fn revoke(one: &Found) -> Result<bool, Failure> {
    let kept = Kept::of(one)?;
    match std::fs::remove_file(&kept.path) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(Failure::machine(format!("cannot remove {}: {error}", kept.path.display()))),
    }
}

/// The file of the approval of one name in one file.
struct Kept {
    path: PathBuf,
    file: String,
    name: String,
}

impl Kept {
    fn of(one: &Found) -> Result<Kept, Failure> {
        let Some(folder) = folders::configurations() else {
            return Err(Failure::not_approved(format!(
                "the server '{}' in {} is not approved, and an approval cannot be kept: HOME is not set",
                one.name,
                one.path.display()
            )));
        };
        let file = path_text(&one.path)?.to_owned();
        let key = sha256(&json!([file, one.name]).to_string());
        let path = folder.join("libmcp").join("approved").join(key + ".json");
        Ok(Kept { path, file, name: one.name.clone() })
    }

    /// The approval, unless another user could have written it; `None` if there is none.
    fn read(&self) -> Result<Option<Value>, Failure> {
        let unusable = |why: &str| {
            Failure::not_approved(format!("the approval in {} is not used: {why}", self.path.display()))
        };
        let owners = Owners::of_this_process();
        let mut file = match open(&self.path) {
            Ok(file) => file,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(unusable(&error.to_string())),
        };
        let about = file.metadata().map_err(|error| unusable(&error.to_string()))?;
        let there = self.path.symlink_metadata().map_err(|error| unusable(&error.to_string()))?;
        if (there.dev(), there.ino()) != (about.dev(), about.ino()) {
            return Err(unusable("it is a symbolic link"));
        }
        if let Some(fault) = owners.fault(&self.path, &about) {
            return Err(unusable(&format!("it {fault}")));
        }
        // Up to the folder of configurations, and to the home that has it.
        let home = std::env::var_os("HOME").map(PathBuf::from).filter(|home| self.path.starts_with(home));
        let folders = self.path.ancestors().skip(1).enumerate();
        let folders = folders.take_while(|(at, folder)| match &home {
            Some(home) => folder.starts_with(home),
            None => *at < 3,
        });
        for (_, folder) in folders {
            let about = folder.metadata().map_err(|error| unusable(&error.to_string()))?;
            if let Some(fault) = owners.fault(folder, &about) {
                return Err(unusable(&format!("the folder {} {fault}", folder.display())));
            }
        }
        let text = text_of(&mut file, MOST_BYTES).map_err(|why| unusable(&why))?;
        let kept: Value = serde_json::from_str(&text).map_err(|error| unusable(&error.to_string()))?;
        let is_of_this = kept["file"] == self.file.as_str() && kept["name"] == self.name.as_str();
        if is_of_this { Ok(Some(kept)) } else { Err(unusable("it is about another entry")) }
    }
}

fn path_text(path: &Path) -> Result<&str, Failure> {
    path.to_str().ok_or_else(|| {
        Failure::usage(format!(
            "the path {} is not UTF-8, and its servers cannot be approved",
            path.display()
        ))
    })
}

/// The digest of all that decides what an entry does: command, arguments, environment, folder, URL, headers and what else a client
/// reads, with variables as they are written, how these are expanded, and the inputs that it names.
fn digest(one: &Found) -> String {
    let dialect = match one.dialect {
        Dialect::None => "none",
        Dialect::Shell => "shell",
        Dialect::Editor => "editor",
        Dialect::Dollar => "dollar",
        Dialect::Mixed => "mixed",
        Dialect::OpenCode => "opencode",
    };
    let inputs: Vec<_> = one.inputs.iter().map(Input::written).collect();
    // An entry without inputs, or without members that belong elsewhere, keeps the approval that it had before these counted.
    let all = match (inputs.is_empty(), one.misplaced.is_empty()) {
        (true, true) => json!([dialect, one.config, one.references]),
        (false, true) => json!([dialect, one.config, one.references, inputs]),
        (_, false) => json!([dialect, one.config, one.references, inputs, one.misplaced]),
    };
    format!("sha256:{}", sha256(&all.to_string()))
}

fn sha256(text: &str) -> String {
    folders::sha256(text.as_bytes())
}

/// The variables of the environment whose values an entry would get.
fn variables(one: &Found) -> BTreeSet<String> {
    let names = RefCell::new(BTreeSet::new());
    // An entry that cannot be expanded cannot be used either.
    let variable = |name: &str| {
        names.borrow_mut().insert(name.to_owned());
        Some(String::new())
    };
    let _is_whole = expanded(one, Values::of(&variable, &|_| Ok(String::new())));
    names.into_inner()
}

/// All of an entry for the person, a line for each value. Nothing is left out, cut, or shown as it is where it could look like something
/// else: characters outside printable ASCII are escaped.
fn shown(one: &Found, before: &Approval) -> Result<String, Failure> {
    let state = match before {
        Approval::Own | Approval::Given(_) => "you have approved",
        Approval::Changed => "has changed since you approved it",
        Approval::Missing => "you have not approved",
    };
    let mut lines = vec![
        format!("A file of this project has a server that {state}:"),
        String::new(),
        line("name", &Value::from(one.name.as_str())),
        line("file", &Value::from(path_text(&one.path)?)),
    ];
    let mut written = one.written();
    let first = ["command", "args", "cwd", "env", "url", "headers"];
    let first = first.into_iter().filter_map(|key| Some((key.to_owned(), written.remove(key)?)));
    for (key, value) in first.collect::<Vec<_>>().into_iter().chain(written) {
        match &value {
            Value::Array(list) => lines.extend(list.iter().map(|value| line(&key, value))),
            Value::Object(object) => {
                lines.extend(object.iter().map(|(name, value)| line(&key, &json!({ name: value }))));
            }
            _ => lines.push(line(&key, &value)),
        }
    }
    lines.extend(one.inputs.iter().flat_map(Input::written).map(|(key, value)| line(key, &value)));
    let names = variables(one);
    if names.is_empty() {
        lines.push("  It gets no value of a variable of your environment.".to_owned());
    } else {
        let names: Vec<String> = names.iter().map(|name| escaped(name)).collect();
        lines.push(format!("  It gets the values of your variables {}.", names.join(", ")));
    }
    lines.push(String::new());
    let text = lines.join("\n");
    if text.len() > MOST_SHOWN {
        return Err(Failure::not_approved(format!(
            "the server '{}' in {} cannot be approved: it is shown whole first, and has more than \
             {MOST_SHOWN} bytes",
            one.name,
            one.path.display()
        )));
    }
    Ok(text)
}

fn line(key: &str, value: &Value) -> String {
    format!("  {:<8} {}", escaped(key), escaped(&value.to_string()))
}

/// A text with everything but printable ASCII as `\u{…}`, and of several spaces all but the first: they could fill a line of the
/// terminal, so that what follows looks like a line of this program.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut after_space = false;
    for c in text.chars() {
        let is_space = c == ' ';
        if c.is_ascii_graphic() || (is_space && !after_space) {
            out.push(c);
        } else {
            out.extend(c.escape_unicode());
        }
        after_space = is_space;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(config: &Value) -> Found {
        Found { is_of_project: true, path: "/p/.mcp.json".into(), ..Found::of_test(config) }
    }

    #[test]
    fn every_member_of_an_entry_changes_its_digest() {
        let config = json!({"command": "c", "args": ["a", "b"], "env": {"A": "${A}"}, "cwd": "/x", "url": "https://h/",
            "headers": {"H": "v"}, "headersHelper": "make", "auth": {"issuer": "https://i/"}});
        let before = digest(&entry(&config));
        for key in config.as_object().expect("an object").keys() {
            for changed in [json!("other"), json!(["ab"]), json!({"A": "${B}"}), Value::Null] {
                let mut config = config.clone();
                config[key] = changed;
                assert_ne!(digest(&entry(&config)), before, "{key}");
            }
        }
        let other = |change: &dyn Fn(&mut Found)| {
            let mut one = entry(&config);
            change(&mut one);
            digest(&one)
        };
        assert_ne!(other(&|one| one.dialect = Dialect::Dollar), before);
        assert_ne!(other(&|one| one.references = std::mem::take(&mut one.config)), before);
        assert_eq!(other(&|_| ()), before);
    }

    #[test]
    fn the_inputs_of_an_entry_are_approved_with_it() {
        let of = |input: &Value| {
            let mut one = entry(&json!({"command": "npx", "args": ["${input:p}"]}));
            one.inputs = Input::of(input).into_iter().collect();
            (digest(&one), shown(&one, &Approval::Missing).expect("shown"))
        };
        let whole = json!({"id": "p", "type": "pickString", "description": "which\npackage", "default": "good",
            "password": false, "options": ["good", {"label": "Better", "value": "better"}]});
        let (before, text) = of(&whole);
        for part in [
            r#""id":"p""#,
            r"which\npackage",
            r#"{"p":"good"}"#,
            r#""label":"Better""#,
            r#""value":"better""#,
        ] {
            assert!(text.contains(part), "{part} in {text}");
        }
        let changed = |pointer: &str, value: Value| {
            let mut input = whole.clone();
            *input.pointer_mut(pointer).expect("a member") = value;
            of(&input).0
        };
        for (pointer, value) in [
            ("/id", json!("q")),
            ("/type", json!("command")),
            ("/description", json!("other")),
            ("/default", json!("evil")),
            ("/default", Value::Null),
            ("/password", json!(true)),
            ("/options/0", json!("evil")),
            ("/options/0", json!({"label": "good", "value": "evil"})),
            ("/options/1/value", json!("evil")),
            ("/options/1/label", json!("good")),
            ("/options", json!([])),
        ] {
            assert_ne!(changed(pointer, value), before, "{pointer}");
        }
        assert_eq!(of(&whole).0, before);
    }

    #[test]
    fn the_variables_are_those_that_could_be_expanded() {
        let one = entry(
            &json!({"url": "https://h/?k=${ONE}", "headers": {"H": "${TWO:-none}"}, "args": ["$THREE"]}),
        );
        assert_eq!(variables(&one).into_iter().collect::<Vec<_>>(), ["ONE", "TWO"]);
        let given = Approval::Given(["PATH".to_owned()].into());
        assert!(given.value_of("PATH").is_some() && given.value_of("HOME").is_none());
        assert!(Approval::Missing.value_of("PATH").is_none() && Approval::Own.value_of("PATH").is_some());
    }

    #[test]
    fn an_entry_is_shown_whole_and_harmless() {
        let hidden = "\u{1b}[2J\u{202e}\u{9b}\u{430}  It gets no value";
        let one = entry(
            &json!({"command": "sh", "args": ["-c", hidden], "env": {"${A}": "s3cret"}, "odd\u{7}": 1}),
        );
        let text = shown(&one, &Approval::Missing).expect("shown");
        assert!(text.chars().all(|c| c == '\n' || c == ' ' || c.is_ascii_graphic()), "{text}");
        for part in [
            r"\u001b[2J\u{202e}\u{9b}\u{430} \u{20}It",
            "\"sh\"",
            "{\"${A}\":\"s3cret\"}",
            "odd",
            "/p/.mcp.json",
        ] {
            assert!(text.contains(part), "{part} in {text}");
        }
        let long = entry(&json!({"command": "x".repeat(MOST_SHOWN)}));
        assert!(shown(&long, &Approval::Missing).expect_err("refused").text().contains("cannot be approved"));
    }
}
