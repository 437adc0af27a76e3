//! The file that describes a server: its names, and what is checked before anything is served.

use super::openapi::Operation;
use super::yaml;
use crate::failure::Failure;
use crate::folders;
use crate::ordered::Gathered;
use serde::Deserialize;
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A server.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Description {
    pub name: String,
    #[serde(default)]
    pub version: Option<String>,
    #[serde(default)]
    pub title: Option<String>,
    #[serde(default)]
    pub instructions: Option<String>,
    #[serde(default)]
    pub tools: Vec<Tool>,
    #[serde(default)]
    pub resources: Vec<Resource>,
    #[serde(default)]
    pub prompts: Vec<Prompt>,
    /// Folders of skills.
    #[serde(default)]
    pub skills: Vec<PathBuf>,
}

/// A program as a tool. What is not read here stands in the tool's definition as it is.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Tool {
    pub name: String,
    #[serde(default)]
    pub title: Option<String>,
    #[serde(default)]
    pub description: Option<String>,
    #[serde(default)]
    pub input_schema: Option<Value>,
    #[serde(default)]
    pub output_schema: Option<Value>,
    #[serde(default)]
    pub annotations: Option<Value>,
    /// The program and its arguments, with placeholders.
    #[serde(default)]
    pub command: Vec<String>,
    /// A text for `sh -c`, without placeholders: the arguments of the call are variables.
    #[serde(default)]
    pub shell: Option<String>,
    /// Variables of the program, with placeholders.
    #[serde(default)]
    pub env: BTreeMap<String, String>,
    /// What the program reads, with placeholders; `json` for all arguments as one JSON object.
    #[serde(default)]
    pub stdin: Option<String>,
    #[serde(default)]
    pub cwd: Option<PathBuf>,
    /// Seconds.
    #[serde(default = "timeout")]
    pub timeout: f64,
    /// `text`, `json`, or the MIME type of an image or a sound.
    #[serde(default = "text")]
    pub output: String,
    /// Bytes of output.
    #[serde(default = "max_output")]
    pub max_output: usize,
    /// The operation of an API that is called in the place of a program.
    #[serde(skip)]
    pub operation: Option<Operation>,
}

impl Tool {
    /// The tool of an operation.
    pub fn of_operation(
        name: String,
        description: Option<String>,
        input_schema: Value,
        annotations: Value,
        operation: Operation,
    ) -> Tool {
        Tool {
            name,
            title: None,
            description,
            input_schema: Some(input_schema),
            output_schema: None,
            annotations: Some(annotations),
            command: Vec::new(),
            shell: None,
            env: BTreeMap::new(),
            stdin: None,
            cwd: None,
            timeout: timeout(),
            output: text(),
            max_output: max_output(),
            operation: Some(operation),
        }
    }

    /// Whether its schema names an argument.
    pub fn declares(&self, argument: &str) -> bool {
        let properties = self.input_schema.as_ref().and_then(|schema| schema.get("properties"));
        properties.is_some_and(|properties| properties.get(argument).is_some())
    }
}

fn timeout() -> f64 {
    60.0
}

fn text() -> String {
    "text".to_owned()
}

fn max_output() -> usize {
    1 << 20
}

/// The most bytes of output that a file may allow, and the longest time.
const MOST_OUTPUT: usize = 64 << 20;
const LONGEST: f64 = 86_400.0;

/// A fixed resource, a file, or the files of a folder.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Resource {
    pub name: String,
    /// Of a folder it is a template with `{+path}`.
    pub uri: String,
    #[serde(default)]
    pub title: Option<String>,
    #[serde(default)]
    pub description: Option<String>,
    #[serde(default)]
    pub mime_type: Option<String>,
    #[serde(default)]
    pub text: Option<String>,
    #[serde(default)]
    pub file: Option<PathBuf>,
    #[serde(default)]
    pub folder: Option<PathBuf>,
}

/// A prompt.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Prompt {
    pub name: String,
    #[serde(default)]
    pub title: Option<String>,
    #[serde(default)]
    pub description: Option<String>,
    #[serde(default)]
    pub arguments: Vec<Argument>,
    /// One message of the user.
    #[serde(default)]
    pub text: Option<String>,
    /// Or several.
    #[serde(default)]
    pub messages: Vec<PromptMessage>,
}

/// An argument of a prompt.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Argument {
    pub name: String,
    #[serde(default)]
    pub description: Option<String>,
    #[serde(default)]
    pub required: bool,
}

/// A message of a prompt.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PromptMessage {
    pub role: String,
    pub text: String,
}

/// The most bytes of a file.
const MOST_BYTES: u64 = 4 << 20;

/// Reads a file. Paths in it are relative to its folder.
pub fn read(path: &Path) -> Result<Description, Failure> {
    let shown = path.display();
    let text = folders::read_given(path, MOST_BYTES)?
        .ok_or_else(|| Failure::usage(format!("cannot read {shown}: there is no such file")))?;
    let value = match path.extension().is_some_and(|end| end.eq_ignore_ascii_case("json")) {
        true => serde_json::from_str(&text).map_err(|error| format!("it is not valid JSON: {error}")),
        false => yaml::read(&text),
    };
    let wrong = |why: String| Failure::usage(format!("{shown}: {why}"));
    let value = value.map_err(wrong)?;
    let mut description: Description =
        serde_json::from_value(value.clone()).map_err(|error| wrong(with_line(&text, &value, &error)))?;
    let folder = path.parent().unwrap_or(Path::new("")).to_owned();
    description.check().map_err(|(place, why)| {
        let place: Vec<&str> = place.iter().map(String::as_str).collect();
        wrong(match yaml::line_of(&text, &place) {
            Some(line) => format!("line {line}: {why}"),
            None => why,
        })
    })?;
    description.place(&folder);
    Ok(description)
}

/// What is wrong with a file whose members are not those that are read, with the line.
fn with_line(text: &str, value: &Value, error: &serde_json::Error) -> String {
    let why = error.to_string();
    let mut place: Vec<String> = Vec::new();
    // The entry of a list that cannot be read by itself is the one.
    let of = |list: &str, reads: &dyn Fn(&Value) -> Option<String>| {
        let entries = value.get(list)?.as_array()?.iter().enumerate();
        let mut wrong = entries.filter_map(|(at, entry)| reads(entry).map(|why| (at, why)));
        wrong.next().filter(|(_, its)| *its == why).map(|(at, _)| vec![list.to_owned(), at.to_string()])
    };
    fn fails<T: serde::de::DeserializeOwned>(entry: &Value) -> Option<String> {
        serde_json::from_value::<T>(entry.clone()).err().map(|error| error.to_string())
    }
    let found = of("tools", &fails::<Tool>).or_else(|| of("resources", &fails::<Resource>));
    if let Some(found) = found.or_else(|| of("prompts", &fails::<Prompt>)) {
        place = found;
    }
    // `unknown field` and its like name the member.
    if why.starts_with("unknown field")
        && let Some(name) = why.split('`').nth(1)
    {
        place.push(name.to_owned());
    }
    let names: Vec<&str> = place.iter().map(String::as_str).collect();
    yaml::line_of(text, &names).map_or_else(|| why.clone(), |line| format!("line {line}: {why}"))
}

impl Description {
    /// A server with tools alone.
    pub fn of_tools(
        name: String,
        version: Option<String>,
        instructions: Option<String>,
        tools: Vec<Tool>,
    ) -> Description {
        Description {
            name,
            version,
            title: None,
            instructions,
            tools,
            resources: Vec::new(),
            prompts: Vec::new(),
            skills: Vec::new(),
        }
    }

    /// What is wrong, and where.
    fn check(&self) -> Result<(), (Vec<String>, String)> {
        for (number, tool) in self.tools.iter().enumerate() {
            let wrong = |why: &str| {
                Err((
                    vec!["tools".to_owned(), number.to_string()],
                    format!("the tool '{}': {why}", tool.name),
                ))
            };
            match (&tool.shell, tool.command.first()) {
                (None, None) => return wrong("it has neither 'command' nor 'shell'"),
                (Some(_), Some(_)) => return wrong("it has both 'command' and 'shell'"),
                (None, Some(program)) if program.is_empty() || program.contains('{') => {
                    return wrong("the first word of 'command' is the program, which no caller chooses");
                }
                _ => {}
            }
            if !(tool.timeout > 0.0 && tool.timeout <= LONGEST) {
                return wrong("'timeout' must be between 0 and 86400 seconds");
            }
            if tool.max_output == 0 || tool.max_output > MOST_OUTPUT {
                return wrong("'maxOutput' must be between 1 and 67108864 bytes");
            }
            let is_media = tool.output.starts_with("image/") || tool.output.starts_with("audio/");
            if !is_media && tool.output != "text" && tool.output != "json" {
                return wrong("'output' must be text, json, or a MIME type such as image/png");
            }
            if tool.output_schema.is_some() && tool.output != "json" {
                return wrong("a tool with 'outputSchema' has the output json");
            }
            if let Some(name) = tool.env.keys().find(|name| name.is_empty() || name.contains(['=', '\0'])) {
                return wrong(&format!("'{name}' is not the name of a variable"));
            }
        }
        for (number, resource) in self.resources.iter().enumerate() {
            let given = [resource.text.is_some(), resource.file.is_some(), resource.folder.is_some()];
            if given.iter().filter(|it| **it).count() != 1 {
                let why =
                    format!("the resource '{}' needs one of 'text', 'file' and 'folder'", resource.name);
                return Err((vec!["resources".to_owned(), number.to_string()], why));
            }
        }
        for (number, prompt) in self.prompts.iter().enumerate() {
            if prompt.text.is_some() != prompt.messages.is_empty() {
                let why = format!("the prompt '{}' needs either 'text' or 'messages'", prompt.name);
                return Err((vec!["prompts".to_owned(), number.to_string()], why));
            }
        }
        Ok(())
    }

    /// Makes paths those from the folder of the file, and those of programs absolute.
    fn place(&mut self, folder: &Path) {
        for tool in &mut self.tools {
            // A program that is named by a relative path is looked for from the folder in which it starts.
            if let Some(program) = tool.command.first_mut()
                && program.contains('/')
            {
                let path = folder.join(&program);
                *program = std::path::absolute(&path).unwrap_or(path).display().to_string();
            }
            tool.cwd = tool.cwd.take().map(|cwd| folder.join(cwd));
        }
        for resource in &mut self.resources {
            resource.file = resource.file.take().map(|file| folder.join(file));
            resource.folder = resource.folder.take().map(|it| folder.join(it));
        }
        for skills in &mut self.skills {
            *skills = folder.join(&skills);
        }
    }
}

/// An object of the members that are there.
pub fn object<const N: usize>(members: [(&str, Option<Value>); N]) -> Map<String, Value> {
    members.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?))).gathered()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_may_begin_with_a_byte_order_mark_and_what_is_wrong_is_told_with_the_file() {
        let folder = tempfile::tempdir().expect("a folder");
        for (name, text, wrong) in [
            ("a.json", "\u{feff}{\"name\": \"x\"}", None),
            ("a.yaml", "\u{feff}name: x", None),
            ("b.json", "{", Some("it is not valid JSON")),
            ("c.yaml", "", Some("the file is empty")),
        ] {
            let path = folder.path().join(name);
            std::fs::write(&path, text).expect("written");
            match (read(&path), wrong) {
                (Ok(read), None) => assert_eq!(read.name, "x"),
                (Err(why), Some(wrong)) => assert!(why.text().contains(wrong), "{}", why.text()),
                (read, _) => panic!("{name}: {read:?}"),
            }
        }
        let why = read(&folder.path().join("none.yaml")).expect_err("none").text();
        assert!(why.ends_with("none.yaml: there is no such file"), "{why}");
    }
}
