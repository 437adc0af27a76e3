//! Variables in the values of a configuration, as the program that owns the file writes them.

use super::Found;
use serde_json::{Map, Value};
use std::cell::Cell;
use std::path::PathBuf;

/// Which forms a file may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// No variables.
    None,
    /// `${NAME}` and `${NAME:-default}`.
    Shell,
    /// `${env:NAME}`, `${userHome}`, `${workspaceFolder}`.
    Editor,
    /// `$NAME` and `${NAME}`.
    Dollar,
    /// Those of the editor, and `${NAME}`, `${NAME:-default}`, `${{ secrets.NAME }}`.
    Mixed,
    /// `{env:NAME}`.
    OpenCode,
}

/// Where values come from.
#[derive(Clone, Copy)]
pub struct Values<'a> {
    /// The environment.
    pub variable: &'a dyn Fn(&str) -> Option<String>,
    /// What the person is asked for, by its id.
    pub input: &'a dyn Fn(&str) -> Result<String, String>,
    /// The folder of the project.
    folder: &'a dyn Fn() -> Result<PathBuf, String>,
    /// Whether a variable stays one, so that it keeps its default.
    is_kept: bool,
}

impl<'a> Values<'a> {
    /// Values of variables and inputs, in the current folder.
    pub fn of(
        variable: &'a dyn Fn(&str) -> Option<String>,
        input: &'a dyn Fn(&str) -> Result<String, String>,
    ) -> Values<'a> {
        Values { variable, input, folder: &here, is_kept: false }
    }

    /// The form `${NAME}` in the place of the value of each variable, and `${NAME:-default}` where it has a default.
    pub fn of_references(input: &'a dyn Fn(&str) -> Result<String, String>) -> Values<'a> {
        Values { is_kept: true, ..Values::of(&|name| Some(format!("${{{name}}}")), input) }
    }
}

fn here() -> Result<PathBuf, String> {
    std::env::current_dir().map_err(|error| format!("there is no current folder: {error}"))
}

/// Whether a value has the current folder in it, so that another one, such as a cloned repository, makes it another value.
pub fn names_folder(value: &Value, dialect: Dialect) -> bool {
    let is_named = Cell::new(false);
    let variable = |name: &str| {
        is_named.set(is_named.get() || name == "PWD");
        Some(String::new())
    };
    let folder = || {
        is_named.set(true);
        Ok(PathBuf::new())
    };
    let values =
        Values { variable: &variable, input: &|_| Ok(String::new()), folder: &folder, is_kept: false };
    // What cannot be expanded cannot be used either.
    let _is_whole = dialect == Dialect::None || expand(&mut value.clone(), dialect, values).is_ok();
    is_named.get()
}

/// The configuration of a server with its variables expanded.
pub fn expanded(server: &Found, values: Values<'_>) -> Result<Map<String, Value>, String> {
    let (mut config, mut references) = (server.config.clone(), server.references.clone());
    for (part, dialect) in [(&mut config, server.dialect), (&mut references, Dialect::Shell)] {
        if dialect == Dialect::None {
            continue;
        }
        for (key, value) in part {
            expand(value, dialect, values).map_err(|why| format!("{key}: {why}"))?;
        }
    }
    merge(&mut config, references);
    // A shell would know the home at the beginning of a path.
    for key in ["command", "cwd", super::entry::ENV_FILE] {
        if let Some(Value::String(path)) = config.get_mut(key)
            && (path == "~" || path.starts_with("~/"))
        {
            path.replace_range(..1, &set("HOME", values).map_err(|why| format!("{key}: {why}"))?);
        }
    }
    Ok(config)
}

/// Adds variables and headers to those of a configuration.
pub fn merge(config: &mut Map<String, Value>, references: Map<String, Value>) {
    for (key, value) in references {
        match (config.get_mut(&key), value) {
            (Some(Value::Object(there)), Value::Object(more)) => there.extend(more),
            (_, value) => {
                config.insert(key, value);
            }
        }
    }
}

fn expand(value: &mut Value, dialect: Dialect, values: Values<'_>) -> Result<(), String> {
    match value {
        Value::String(text) => {
            *text = text_of(text, dialect, values)?;
            Ok(())
        }
        Value::Array(list) => list.iter_mut().try_for_each(|one| expand(one, dialect, values)),
        Value::Object(object) => object.values_mut().try_for_each(|one| expand(one, dialect, values)),
        _ => Ok(()),
    }
}

/// The text is in no error: it may be a secret.
fn text_of(text: &str, dialect: Dialect, values: Values<'_>) -> Result<String, String> {
    if dialect == Dialect::OpenCode {
        return of_opencode(text, values);
    }
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find('$') {
        out.push_str(&rest[..at]);
        let after = &rest[at + 1..];
        if let Some(inside) = after.strip_prefix('{') {
            let missing = "it has a '${' without a '}'";
            // Continue has two braces.
            let double = inside.strip_prefix('{').filter(|_| dialect == Dialect::Mixed);
            let (inside, mark) = double.map_or((inside, "}"), |inside| (inside, "}}"));
            let end = inside.find(mark).ok_or(missing)?;
            out.push_str(&braced(inside[..end].trim(), dialect, values)?);
            rest = &inside[end + mark.len()..];
            continue;
        }
        let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let end = after.find(|c| !is_name(c)).unwrap_or(after.len());
        let value = Some(&after[..end])
            .filter(|name| dialect == Dialect::Dollar && !name.is_empty())
            .and_then(values.variable);
        match value {
            Some(value) => out.push_str(&value),
            None => out.push_str(&rest[at..=at + end]),
        }
        rest = &after[end..];
    }
    out.push_str(rest);
    Ok(out)
}

/// `{env:NAME}`, and nothing for one that is not set, as opencode has it; here that is an error as in the other forms.
fn of_opencode(text: &str, values: Values<'_>) -> Result<String, String> {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("{env:") {
        let (name, behind) = after.split_once('}').ok_or("it has a '{env:' without a '}'")?;
        out.push_str(before);
        out.push_str(&set(name.trim(), values)?);
        rest = behind;
    }
    out.push_str(rest);
    match out.split_once("{file:").and_then(|(_, after)| after.split_once('}')) {
        Some((path, _)) => Err(format!(
            "it takes a value from the file {path}, which is not read here; give it with --env or --header"
        )),
        None => Ok(out),
    }
}

/// The value of a variable that must be there.
fn set(name: &str, values: Values<'_>) -> Result<String, String> {
    (values.variable)(name)
        .ok_or_else(|| format!("it needs the environment variable '{name}', which is not set"))
}

fn braced(inside: &str, dialect: Dialect, values: Values<'_>) -> Result<String, String> {
    if matches!(dialect, Dialect::Editor | Dialect::Mixed) {
        for prefix in ["env:", "secrets.", "inputs."] {
            if let Some(name) =
                inside.strip_prefix(prefix).filter(|_| prefix == "env:" || dialect == Dialect::Mixed)
            {
                return set(name, values);
            }
        }
        if let Some(id) = inside.strip_prefix("input:") {
            return (values.input)(id);
        }
        match inside {
            "userHome" => return set("HOME", values),
            "workspaceFolder" | "workspaceRoot" | "cwd" => {
                return Ok((values.folder)()?.display().to_string());
            }
            "workspaceFolderBasename" => {
                return Ok((values.folder)()?.file_name().unwrap_or_default().to_string_lossy().into_owned());
            }
            "pathSeparator" | "/" => return Ok(std::path::MAIN_SEPARATOR.to_string()),
            other if dialect == Dialect::Editor => {
                return Err(format!("the variable '${{{other}}}' of the editor has no meaning here"));
            }
            _ => {}
        }
    }
    let Some((name, fallback)) = inside.split_once(":-") else { return set(inside, values) };
    if values.is_kept {
        return Ok(format!("${{{name}:-{fallback}}}"));
    }
    Ok((values.variable)(name).filter(|value| !value.is_empty()).unwrap_or_else(|| fallback.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn expanded(text: &str, dialect: Dialect) -> Result<String, String> {
        let variable = |name: &str| match name {
            "HOME" => Some("/home/me".to_owned()),
            "EMPTY" => Some(String::new()),
            _ => None,
        };
        text_of(text, dialect, Values::of(&variable, &|id| Ok(format!("<{id}>"))))
    }

    #[test]
    fn every_program_has_its_own_form() {
        assert_eq!(
            expanded("${HOME}/${NONE:-a}${EMPTY:-b}$HOME", Dialect::Shell).as_deref(),
            Ok("/home/me/ab$HOME")
        );
        assert_eq!(expanded("${env:HOME} ${userHome}", Dialect::Editor).as_deref(), Ok("/home/me /home/me"));
        assert_eq!(
            expanded("$HOME/x ${HOME} $NONE $", Dialect::Dollar).as_deref(),
            Ok("/home/me/x /home/me $NONE $")
        );
        let here = std::env::current_dir().expect("a folder").display().to_string();
        for (text, dialect, is) in [
            ("${env:HOME}|${HOME}|${NONE:-a}", Dialect::Mixed, "/home/me|/home/me|a".to_owned()),
            ("${{ secrets.HOME }}${{inputs.HOME}}", Dialect::Mixed, "/home/me/home/me".to_owned()),
            ("${workspaceFolder}/x", Dialect::Mixed, format!("{here}/x")),
            ("Bearer ${input:key}", Dialect::Editor, "Bearer <key>".to_owned()),
            ("Bearer ${input:key}", Dialect::Mixed, "Bearer <key>".to_owned()),
            (
                "{env:HOME}/x {env: HOME } ${HOME}",
                Dialect::OpenCode,
                "/home/me/x /home/me ${HOME}".to_owned(),
            ),
        ] {
            assert_eq!(expanded(text, dialect), Ok(is), "{text}");
        }
    }

    #[test]
    fn a_value_that_another_folder_would_change_is_known() {
        for (text, dialect, is) in [
            ("${workspaceFolder}/x", Dialect::Editor, true),
            ("${ workspaceRoot }", Dialect::Mixed, true),
            ("a${cwd}", Dialect::Editor, true),
            ("https://${workspaceFolderBasename}/", Dialect::Mixed, true),
            ("${env:PWD}/x", Dialect::Editor, true),
            ("${PWD}", Dialect::Shell, true),
            ("$PWD/x", Dialect::Dollar, true),
            ("{env:PWD}", Dialect::OpenCode, true),
            ("${userHome}/x", Dialect::Editor, false),
            ("${workspaceFolder}", Dialect::None, false),
            ("$PWD", Dialect::Shell, false),
        ] {
            assert_eq!(names_folder(&serde_json::json!([{"a": text}]), dialect), is, "{text}");
        }
    }

    #[test]
    fn what_is_missing_is_named_without_the_text() {
        assert!(
            expanded("secret ${NONE}", Dialect::Shell)
                .is_err_and(|why| why.contains("NONE") && !why.contains("secret"))
        );
        for text in ["{env:NONE}", "{env:HOME", "{file:~/key}"] {
            assert!(expanded(text, Dialect::OpenCode).is_err(), "{text}");
        }
        assert!(expanded("${{ secrets.NONE }}", Dialect::Mixed).is_err_and(|why| why.contains("'NONE'")));
        assert!(expanded("${x", Dialect::Shell).is_err());
        assert!(expanded("${x}", Dialect::Editor).is_err());
    }
}
