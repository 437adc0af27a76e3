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

/// What `--input` gives to one server, by the ids of inputs.
pub type Given<'a> = BTreeMap<&'a str, &'a str>;

/// The part of the words of `--input` that is for the server which the command line calls `called`: ID=VALUE, or SERVER:ID=VALUE for this
/// server alone.
pub fn given<'a>(words: &'a [String], called: &str) -> Result<Given<'a>, Failure> {
    let mut given = Given::new();
    for word in words {
        let (id, value) = pair(word)?;
        let own = id.strip_prefix(called).and_then(|rest| rest.strip_prefix(':'));
        if let Some(id) = own.or(Some(id).filter(|id| !id.contains(':'))) {
            given.insert(id, value);
        }
    }
    Ok(given)
}

/// Refuses a word of `--input` that does not say for which of several servers it is: what is for one is not for another.
pub fn for_several(words: &[String]) -> Result<(), Failure> {
    for word in words {
        let (id, _) = pair(word)?;
        if !id.contains(':') {
            return Err(Failure::usage(format!(
                "--input {id}: there are several servers; write SERVER:{id}=VALUE, with the server as it stands on the command line"
            )));
        }
    }
    Ok(())
}

/// The value is in no error: it may be a secret.
fn pair(word: &str) -> Result<(&str, &str), Failure> {
    word.split_once('=').ok_or_else(|| Failure::usage("--input needs ID=VALUE; there is no '='"))
}

/// The values of the inputs of one server: of `--input`, or of the person, who is asked once for each.
pub struct Inputs<'a> {
    server: &'a Found,
    given: &'a Given<'a>,
    asked: RefCell<BTreeMap<String, String>>,
    /// Why the person could not be asked; that is the failure of the command.
    pub failure: RefCell<Option<Failure>>,
    asks: bool,
}

impl<'a> Inputs<'a> {
    pub fn new(server: &'a Found, given: &'a Given<'a>, asks: bool) -> Inputs<'a> {
        Inputs { server, given, asked: RefCell::default(), failure: RefCell::default(), asks }
    }

    /// The value of an input, which the file must describe.
    pub fn value(&self, id: &str) -> Result<String, String> {
        let Some(input) = self.server.inputs.iter().find(|input| input.id == id) else {
            return Err(format!(
                "it asks for '{id}', which 'inputs' of the file does not describe: add {{\"id\": \"{id}\", \"type\": \
                 \"promptString\"}} there"
            ));
        };
        if let Some(given) = self.given.get(id) {
            return input.answered(given);
        }
        if let Some(known) = self.asked.borrow().get(id) {
            return Ok(known.clone());
        }
        let fix = format!("give it with --input {id}=VALUE");
        if input.is_command {
            return Err(format!("it asks for '{id}', which only a command of the editor gives; {fix}"));
        }
        if !self.asks && !input.is_password && input.default.is_some() {
            return input.answered("");
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
    fn a_value_is_given_to_the_server_that_it_is_for() {
        let of = |words: &[&str], called: &str| {
            let words: Vec<String> = words.iter().map(|&word| word.to_owned()).collect();
            let pairs = given(&words, called).map_err(|failure| failure.text())?;
            Ok::<_, String>(
                pairs.into_iter().map(|(id, value)| format!("{id} {value}")).collect::<Vec<_>>().join(","),
            )
        };
        for (words, called, is) in [
            (&["k=v"][..], "a", "k v"),
            (&["a:k=v", "b:k=w"], "a", "k v"),
            (&["a:k=v", "b:k=w"], "b", "k w"),
            (&["cursor:a:k=v=w"], "cursor:a", "k v=w"),
            (&["cursor:a:k=v"], "a", ""),
            (&["b:k=v"], "a", ""),
        ] {
            assert_eq!(of(words, called).as_deref(), Ok(is), "{words:?} {called}");
        }
        assert!(of(&["s3cret"], "a").is_err_and(|why| why.contains("ID=VALUE") && !why.contains("s3cret")));
        let several = |word: &str| for_several(&[word.to_owned()]).map_err(|failure| failure.text());
        assert_eq!(several("a:k=v"), Ok(()));
        assert!(
            several("k=s3cret").is_err_and(|why| why.contains("SERVER:k=VALUE") && !why.contains("s3cret"))
        );
        // A given value has no place where the file describes no such input.
        let mut server = Found::of_test(&json!({"command": "${input:k}"}));
        let pairs = Given::from([("k", "v")]);
        let value = |server: &Found| Inputs::new(server, &pairs, false).value("k");
        assert!(value(&server).is_err_and(|why| why.contains("does not describe")));
        server.inputs = Input::of(&json!({"id": "k"})).into_iter().collect();
        assert_eq!(value(&server).as_deref(), Ok("v"));
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
