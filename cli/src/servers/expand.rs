//! Variables in the values of a configuration, as the program that owns the file writes them.

use super::Found;
use serde_json::{Map, Value};

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
}

type Variables<'a> = &'a dyn Fn(&str) -> Option<String>;

/// The configuration of a server with its variables expanded.
pub fn expanded(server: &Found, variables: Variables<'_>) -> Result<Map<String, Value>, String> {
    let (mut config, mut references) = (server.config.clone(), server.references.clone());
    for (part, dialect) in [(&mut config, server.dialect), (&mut references, Dialect::Shell)] {
        if dialect == Dialect::None {
            continue;
        }
        for (key, value) in part {
            expand(value, dialect, variables).map_err(|why| format!("{key}: {why}"))?;
        }
    }
    merge(&mut config, references);
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

fn expand(value: &mut Value, dialect: Dialect, variables: Variables<'_>) -> Result<(), String> {
    match value {
        Value::String(text) => {
            *text = text_of(text, dialect, variables)?;
            Ok(())
        }
        Value::Array(list) => list.iter_mut().try_for_each(|one| expand(one, dialect, variables)),
        Value::Object(object) => object.values_mut().try_for_each(|one| expand(one, dialect, variables)),
        _ => Ok(()),
    }
}

/// The text is in no error: it may be a secret.
fn text_of(text: &str, dialect: Dialect, variables: Variables<'_>) -> Result<String, String> {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find('$') {
        out.push_str(&rest[..at]);
        let after = &rest[at + 1..];
        if let Some(inside) = after.strip_prefix('{') {
            let end = inside.find('}').ok_or("it has a '${' without a '}'")?;
            out.push_str(&braced(&inside[..end], dialect, variables)?);
            rest = &inside[end + 1..];
            continue;
        }
        let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let end = after.find(|c| !is_name(c)).unwrap_or(after.len());
        let value = Some(&after[..end])
            .filter(|name| dialect == Dialect::Dollar && !name.is_empty())
            .and_then(variables);
        match value {
            Some(value) => out.push_str(&value),
            None => out.push_str(&rest[at..=at + end]),
        }
        rest = &after[end..];
    }
    out.push_str(rest);
    Ok(out)
}

fn braced(inside: &str, dialect: Dialect, variables: Variables<'_>) -> Result<String, String> {
    let missing = |name: &str| format!("it needs the environment variable '{name}', which is not set");
    if dialect != Dialect::Editor {
        let (name, fallback) = match inside.split_once(":-") {
            Some((name, fallback)) => (name, Some(fallback)),
            None => (inside, None),
        };
        let value = variables(name).filter(|value| fallback.is_none() || !value.is_empty());
        return value.or_else(|| fallback.map(str::to_owned)).ok_or_else(|| missing(name));
    }
    if let Some(name) = inside.strip_prefix("env:") {
        return variables(name).ok_or_else(|| missing(name));
    }
    match inside {
        "userHome" => variables("HOME").ok_or_else(|| missing("HOME")),
        "workspaceFolder" => match std::env::current_dir() {
            Ok(folder) => Ok(folder.display().to_string()),
            Err(error) => Err(format!("there is no current folder: {error}")),
        },
        "workspaceFolderBasename" => {
            let folder =
                std::env::current_dir().map_err(|error| format!("there is no current folder: {error}"))?;
            Ok(folder.file_name().unwrap_or_default().to_string_lossy().into_owned())
        }
        "pathSeparator" | "/" => Ok(std::path::MAIN_SEPARATOR.to_string()),
        input if input.starts_with("input:") => Err(format!(
            "it asks the person for '{}', which only the editor can; give the value by --env or --header with the command or \
             URL itself",
            input.trim_start_matches("input:")
        )),
        other => Err(format!("the variable '${{{other}}}' of the editor has no meaning here")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn expanded(text: &str, dialect: Dialect) -> Result<String, String> {
        text_of(text, dialect, &|name| match name {
            "HOME" => Some("/home/me".to_owned()),
            "EMPTY" => Some(String::new()),
            _ => None,
        })
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
    }

    #[test]
    fn what_is_missing_is_named_without_the_text() {
        assert!(
            expanded("secret ${NONE}", Dialect::Shell)
                .is_err_and(|why| why.contains("NONE") && !why.contains("secret"))
        );
        assert!(expanded("${input:token}", Dialect::Editor).is_err_and(|why| why.contains("'token'")));
        assert!(expanded("${x", Dialect::Shell).is_err());
        assert!(expanded("${x}", Dialect::Editor).is_err());
    }
}
