//! The file: JSON or YAML, with references within it.

use super::super::yaml;
use crate::failure::Failure;
use crate::folders;
use crate::output::one_line;
use mcp::client::percent_decoded;
use serde_json::{Map, Value};
use std::path::Path;

/// The largest file.
const BYTES: u64 = 32 << 20;
/// How many references may lead to each other.
const REFERENCES: usize = 16;

/// A file.
#[derive(Debug)]
pub struct Document {
    text: String,
    root: Value,
}

/// What is wrong, and where: the names on the way to the value.
#[derive(Debug)]
pub struct Wrong {
    place: Vec<String>,
    why: String,
}

impl Wrong {
    pub fn at<T: AsRef<str>>(place: &[T], why: &str) -> Wrong {
        Wrong { place: place.iter().map(|name| name.as_ref().to_owned()).collect(), why: why.to_owned() }
    }
}

impl Document {
    /// # Errors
    /// The file is not there, or neither JSON nor YAML.
    pub fn read(path: &Path) -> Result<Document, Failure> {
        let shown = one_line(&path.display().to_string());
        let text = folders::read_given(path, BYTES)?
            .ok_or_else(|| Failure::usage(format!("--openapi {shown}: there is no such file")))?;
        Document::of(text).map_err(|why| Failure::usage(format!("{shown}: {why}")))
    }

    /// # Errors
    /// What is wrong with the text.
    pub fn of(text: String) -> Result<Document, String> {
        let root = match text.trim_start().starts_with('{') {
            true => serde_json::from_str(&text)
                .map_err(|error| format!("line {}: it is not valid JSON: {error}", error.line())),
            false => yaml::read_up_to(&text, usize::try_from(BYTES).unwrap_or(usize::MAX)),
        }?;
        Ok(Document { text, root })
    }

    pub fn root(&self) -> &Value {
        &self.root
    }

    /// Whether it is of OpenAPI 3.0, whose schemas differ from JSON Schema.
    pub fn is_30(&self) -> Result<bool, Wrong> {
        // Without quotes 3.1 is a number in YAML.
        let version =
            self.root.get("openapi").map(|it| it.as_str().map_or_else(|| it.to_string(), str::to_owned));
        match (version, self.root.get("swagger")) {
            (Some(version), _) if version.starts_with("3.0") => Ok(true),
            (Some(version), _) if version.starts_with("3.1") || version.starts_with("3.2") => Ok(false),
            (Some(version), _) => Err(Wrong::at(
                &["openapi"],
                &format!("it is of OpenAPI {}, and 3.0 and 3.1 are read", one_line(&version)),
            )),
            (None, Some(_)) => Err(Wrong::at(
                &["swagger"],
                "it is of Swagger 2.0, and OpenAPI 3.0 and 3.1 are read: convert it first",
            )),
            (None, None) => Err(Wrong::at::<&str>(&[], "it has no member 'openapi'")),
        }
    }

    /// An object that must be there.
    pub fn object(&self, place: &[&str]) -> Result<&Map<String, Value>, Wrong> {
        let value = place.iter().try_fold(&self.root, |value, name| value.get(name));
        value
            .and_then(Value::as_object)
            .ok_or_else(|| Wrong::at(place, &format!("it has no object '{}'", place.join("/"))))
    }

    /// What a value is that may be a reference to another one, and its place.
    pub fn followed<'d>(
        &'d self,
        value: &'d Value,
        place: &[&str],
    ) -> Result<(&'d Value, Vec<String>), Wrong> {
        let (mut value, mut place) = (value, place.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>());
        for _ in 0..REFERENCES {
            let Some(reference) = value.get("$ref").and_then(Value::as_str) else {
                return Ok((value, place));
            };
            (value, place) = self.target(reference, &place)?;
        }
        Err(Wrong::at(&place, &format!("more than {REFERENCES} references lead to each other")))
    }

    /// What a reference means. One that leads out of the file is not followed: it would have this program read another file, or ask
    /// another host.
    pub fn target(&self, reference: &str, place: &[String]) -> Result<(&Value, Vec<String>), Wrong> {
        let Some(pointer) = reference.strip_prefix("#/") else {
            let why = format!(
                "the reference '{}' leads out of the file, which is not followed: put all into one file",
                one_line(reference)
            );
            return Err(Wrong::at(place, &why));
        };
        let name = |name| Some(percent_decoded(name)?.replace("~1", "/").replace("~0", "~"));
        let found = pointer.split('/').map(name).collect::<Option<Vec<String>>>().and_then(|names| {
            let value = names.iter().try_fold(&self.root, |value, name| match value {
                Value::Array(list) => list.get(name.parse::<usize>().ok()?),
                value => value.get(name),
            });
            Some((value?, names))
        });
        match found {
            Some(found) => Ok(found),
            None => Err(Wrong::at(place, &format!("the reference '{}' leads nowhere", one_line(reference)))),
        }
    }

    /// What is wrong, with the line.
    pub fn shown(&self, wrong: &Wrong) -> String {
        let names: Vec<&str> = wrong.place.iter().map(String::as_str).collect();
        match yaml::line_of(&self.text, &names) {
            Some(line) => format!("line {line}: {}", wrong.why),
            None if names.is_empty() => wrong.why.clone(),
            None => format!("{}: {}", one_line(&names.join("/")), wrong.why),
        }
    }
}
