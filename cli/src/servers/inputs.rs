//! What a file asks the person for when its server is used: `inputs` of VS Code, which an entry names as `${input:ID}`.

use super::Found;
use crate::failure::Failure;
use crate::output::{Screen, one_line, text};
use crate::questions;
use serde_json::{Value, json};
use std::cell::RefCell;
use std::collections::BTreeMap;

/// One input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input {
    pub id: String,
    description: String,
    default: Option<String>,
    is_password: bool,
    /// The values of a choice, each with what is shown of it.
    choices: Vec<(String, String)>,
    /// Only the editor can give it, by one of its commands.
    is_command: bool,
}

impl Input {
    /// An element of the list `inputs`.
    pub fn of(one: &Value) -> Option<Input> {
        let text = |value: &Value, key: &str| value.get(key).and_then(Value::as_str).map(str::to_owned);
        let choice = |one: &Value| {
            let value = one.as_str().map(str::to_owned).or_else(|| text(one, "value"))?;
            Some((value.clone(), text(one, "label").unwrap_or(value)))
        };
        let choices = one.get("options").and_then(Value::as_array).into_iter().flatten();
        let id = text(one, "id")?;
        Some(Input {
            description: text(one, "description").unwrap_or_else(|| id.clone()),
            id,
            default: text(one, "default"),
            is_password: one.get("password").and_then(Value::as_bool) == Some(true),
            choices: choices.filter_map(choice).collect(),
            is_command: text(one, "type").as_deref() == Some("command"),
        })
    }

    /// All that decides which value it gives, and what the person is asked: what is approved with an entry that names it. First it, then
    /// each choice, with its label where that is another text.
    pub fn written(&self) -> Vec<(&'static str, Value)> {
        let whole = json!({"id": self.id, "description": self.description, "default": self.default,
            "password": self.is_password, "command": self.is_command});
        let choice = |(value, label): &(String, String)| {
            let choice = if value == label { json!(value) } else { json!({"value": value, "label": label}) };
            ("choice", json!({ &self.id: choice }))
        };
        [("input", whole)].into_iter().chain(self.choices.iter().map(choice)).collect()
    }

    /// How an entry names it.
    pub fn reference(&self) -> String {
        format!("${{input:{}}}", self.id)
    }

    /// What the person chose or wrote; an empty line is the default.
    fn answered(&self, line: &str) -> Result<String, String> {
        let line = if line.is_empty() { self.default.as_deref().unwrap_or_default() } else { line };
        if self.choices.is_empty() {
            return Ok(line.to_owned());
        }
        let by_number =
            line.parse::<usize>().ok().and_then(|number| self.choices.get(number.checked_sub(1)?));
        let chosen =
            by_number.or_else(|| self.choices.iter().find(|(value, shown)| line == value || line == shown));
        chosen.map(|(value, _)| value.clone()).ok_or_else(|| format!("'{line}' is not among its choices"))
    }

    /// What the person is asked: the file has no line breaks in it that could pass for lines of this program.
    fn question(&self, server: &Found) -> String {
        let (name, path) = (one_line(&server.name), server.path.display().to_string());
        let mut question =
            format!("'{name}' of {} asks for {}", one_line(&path), one_line(&self.description));
        for (number, (value, label)) in self.choices.iter().enumerate() {
            question = format!("{question}\n  {}) {}", number + 1, one_line(label));
            if value != label {
                question = format!("{question} ({})", one_line(value));
            }
        }
        question
    }

    fn ask(&self, server: &Found) -> Result<String, Failure> {
        Screen::note(text![self.question(server)]);
        let prompt = match &self.default {
            Some(default) if !self.is_password => format!("{} [{}]: ", one_line(&self.id), one_line(default)),
            _ => format!("{}: ", one_line(&self.id)),
        };
        let line = if self.is_password { questions::hidden(&prompt)? } else { questions::read(&prompt)? };
        let line = line.ok_or_else(Failure::interrupted)?;
        self.answered(&line).map_err(Failure::usage)
    }
}

/// The values of the inputs of one server: of `--input`, or of the person, who is asked once for each.
pub struct Inputs<'a> {
    server: &'a Found,
    given: BTreeMap<&'a str, &'a str>,
    asked: RefCell<BTreeMap<String, String>>,
    /// Why the person could not be asked; that is the failure of the command.
    pub failure: RefCell<Option<Failure>>,
    asks: bool,
}

impl<'a> Inputs<'a> {
    /// `given` are the words of `--input`.
    pub fn new(server: &'a Found, given: &'a [String], asks: bool) -> Result<Inputs<'a>, Failure> {
        let pair = |word: &'a String| {
            word.split_once('=').ok_or_else(|| Failure::usage("--input needs ID=VALUE; there is no '='"))
        };
        let given = given.iter().map(pair).collect::<Result<BTreeMap<_, _>, Failure>>()?;
        Ok(Inputs { server, given, asked: RefCell::default(), failure: RefCell::default(), asks })
    }

    /// The value of an input.
    pub fn value(&self, id: &str) -> Result<String, String> {
        let input = self.server.inputs.iter().find(|input| input.id == id);
        if let Some(given) = self.given.get(id) {
            return input.map_or_else(|| Ok((*given).to_owned()), |input| input.answered(given));
        }
        if let Some(known) = self.asked.borrow().get(id) {
            return Ok(known.clone());
        }
        let fix = format!("give it with --input {id}=VALUE");
        let Some(input) = input else {
            return Err(format!("it asks for '{id}', which 'inputs' of the file does not describe; {fix}"));
        };
        if input.is_command {
            return Err(format!("it asks for '{id}', which only a command of the editor gives; {fix}"));
        }
        if !self.asks {
            return Err(format!("it asks the person for '{id}', and there is no terminal; {fix}"));
        }
        match input.ask(self.server) {
            Ok(value) => {
                self.asked.borrow_mut().insert(id.to_owned(), value.clone());
                Ok(value)
            }
            Err(failure) => {
                let why = failure.text();
                *self.failure.borrow_mut() = Some(failure);
                Err(why)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn an_input_takes_what_it_describes() {
        let input = |one: Value| Input::of(&one).expect("an input");
        let key = input(json!({"type": "promptString", "id": "key", "password": true, "default": "d"}));
        assert!(key.is_password && key.reference() == "${input:key}");
        assert_eq!((key.answered("x"), key.answered("")), (Ok("x".to_owned()), Ok("d".to_owned())));
        let pick =
            input(json!({"type": "pickString", "id": "p", "options": ["a", {"label": "Bee", "value": "b"}]}));
        for (line, is) in [("1", "a"), ("2", "b"), ("Bee", "b"), ("a", "a")] {
            assert_eq!(pick.answered(line).as_deref(), Ok(is));
        }
        assert!(pick.answered("3").is_err_and(|why| why.contains("'3'")));
        assert!(input(json!({"type": "command", "id": "c"})).is_command);
        assert!(Input::of(&json!({"type": "promptString"})).is_none());
    }

    #[test]
    fn a_question_is_of_one_line_for_each_choice_and_shows_what_a_label_stands_for() {
        let server = Found::of_test(&json!({"command": "x"}));
        let input = Input::of(&json!({"id": "p", "description": "a package\nUse it as it stands here?",
            "options": [{"label": "good\n2) x", "value": "evil"}, "plain"]}));
        let question = input.expect("an input").question(&server);
        let lines: Vec<&str> = question.lines().collect();
        assert_eq!(lines.len(), 3, "{question}");
        assert!(lines[1].contains("good") && lines[1].ends_with("(evil)"), "{question}");
        assert!(lines[2].ends_with(") plain"), "{question}");
    }
}
