//! What servers ask the person (elicitation): forms in the terminal, pages to visit, answers given in advance.

use crate::failure::Failure;
use crate::output::{STRONG, Screen, one_line, styled, text as said};
use mcp::client::features::Decision;
use mcp::client::json_text::{elements, member, members, string};
use mcp::client::names::METHOD_NOT_FOUND;
use mcp::client::{Client, Message, RequestAnswer, Status};
use serde_json::{Map, Value};
use std::io::{BufRead as _, Read as _};

/// How questions are answered.
#[derive(Debug, Default)]
pub struct Questions {
    /// By the names of the forms.
    answers: Option<Map<String, Value>>,
    can_ask: bool,
}

/// How often a person may correct a form.
const ATTEMPTS: u32 = 5;

impl Questions {
    /// Answers given in advance, and whether a person can be asked.
    pub fn new(answers: Option<Map<String, Value>>) -> Questions {
        Questions { answers, can_ask: Screen::can_ask() }
    }

    /// Answers a server's request.
    pub fn answer(&mut self, client: &Client, message: &Message) -> Result<(), Failure> {
        if message.method() != Some("elicitation/create") {
            let refusal =
                RequestAnswer::Error { code: METHOD_NOT_FOUND, message: "Method not found", data: None };
            return tolerate(client.respond(message, refusal));
        }
        let text = |name: &str| member(message.json(), name).and_then(string).unwrap_or_default();
        let is_page = text("mode") == "url";
        if let Some(answers) = self.answers.as_ref().filter(|_| !is_page) {
            let wanted = names(message.json());
            let given: Map<String, Value> = answers
                .iter()
                .filter(|(name, _)| wanted.contains(name))
                .map(|(a, b)| (a.clone(), b.clone()))
                .collect();
            let content = Value::Object(given).to_string();
            let answered = client.elicit(message, Decision::Accept(Some(&content)));
            if let Err(error) = &answered
                && error.status == Status::InvalidArgument
            {
                Screen::note(format!("--answers: {}; the question is declined", error.message));
                return tolerate(client.elicit(message, Decision::Decline));
            }
            return tolerate(answered);
        }
        if !self.can_ask {
            return tolerate(client.elicit(message, Decision::Decline));
        }
        Screen::note(said!["\n", styled(STRONG, "The server asks:"), "\n", text("message")]);
        if is_page {
            Screen::note(format!("\n  {}\n", mcp::client::visible::url(&text("url"))));
            let decision = if yes("Visit this page? It gets to know that you did. [y/N] ")? {
                Decision::Accept(None)
            } else {
                Decision::Decline
            };
            return tolerate(client.elicit(message, decision));
        }
        for _ in 0..ATTEMPTS {
            let Some(content) = form(message.json())? else {
                return tolerate(client.elicit(message, Decision::Decline));
            };
            match client.elicit(message, Decision::Accept(Some(&Value::Object(content).to_string()))) {
                Err(error) if error.status == Status::InvalidArgument => Screen::note(&error.message),
                done => return tolerate(done),
            }
        }
        tolerate(client.elicit(message, Decision::Cancel))
    }
}

/// A question that is no longer waited for needs no answer.
fn tolerate(answered: Result<(), mcp::client::Error>) -> Result<(), Failure> {
    match answered {
        Err(error) if matches!(error.status, Status::Cancelled | Status::Transport | Status::Closed) => {
            Ok(())
        }
        other => Ok(other?),
    }
}

fn properties(request: &str) -> impl Iterator<Item = (String, &str)> {
    let schema = member(request, "requestedSchema").unwrap_or("{}");
    members(member(schema, "properties").unwrap_or("{}"))
        .filter_map(|(name, property)| Some((string(&format!("\"{name}\""))?.into_owned(), property)))
}

fn names(request: &str) -> Vec<String> {
    properties(request).map(|(name, _)| name).collect()
}

/// Asks field by field; `None` if the person does not want to answer.
fn form(request: &str) -> Result<Option<Map<String, Value>>, Failure> {
    let mut content = Map::new();
    Screen::note("(an empty line takes the default or leaves the field out; a line of only '!' declines)");
    for (name, property) in properties(request) {
        let text = |key: &str| member(property, key).and_then(string).unwrap_or_default();
        let title = if text("title").is_empty() { name.as_str().into() } else { text("title") };
        let mut label = one_line(&title);
        if !text("description").is_empty() {
            label = format!("{label} – {}", one_line(&text("description")));
        }
        let choices = choices(property);
        for (number, (_, shown)) in choices.iter().enumerate() {
            label = format!("{label}\n  {}) {}", number + 1, one_line(shown));
        }
        if let Some(default) = member(property, "default") {
            label = format!("{label} [{}]", one_line(default));
        }
        let Some(line) = read(&format!("{label}: "))? else { return Ok(None) };
        match line.as_str() {
            "" => {}
            "!" => return Ok(None),
            line => {
                content.insert(name, typed(&text("type"), &choices, line));
            }
        }
    }
    Ok(Some(content))
}

/// The values of an enumeration with their titles, in every form that the specification has had.
fn choices(property: &str) -> Vec<(String, String)> {
    let place = member(property, "items").unwrap_or(property);
    let text = |value: &str| string(value).map(std::borrow::Cow::into_owned);
    for key in ["oneOf", "anyOf"] {
        if let Some(list) = member(place, key) {
            let pair = |entry: &str| {
                let value = text(member(entry, "const")?)?;
                let title = member(entry, "title").and_then(text).unwrap_or_else(|| value.clone());
                Some((value, title))
            };
            return elements(list).filter_map(pair).collect();
        }
    }
    let values: Vec<String> =
        member(place, "enum").map(|list| elements(list).filter_map(text).collect()).unwrap_or_default();
    let titles: Vec<String> =
        member(place, "enumNames").map(|list| elements(list).filter_map(text).collect()).unwrap_or_default();
    values
        .into_iter()
        .enumerate()
        .map(|(at, value)| (value.clone(), titles.get(at).cloned().unwrap_or(value)))
        .collect()
}

/// What a line means for a field; what does not fit is text, which the check of the form then refuses.
fn typed(kind: &str, choices: &[(String, String)], line: &str) -> Value {
    let chosen = |line: &str| {
        let by_number = line.parse::<usize>().ok().and_then(|number| choices.get(number.checked_sub(1)?));
        by_number.map_or_else(|| line.to_owned(), |(value, _)| value.clone())
    };
    match kind {
        "boolean" => match line.to_ascii_lowercase().as_str() {
            "y" | "yes" | "true" => Value::Bool(true),
            "n" | "no" | "false" => Value::Bool(false),
            _ => line.into(),
        },
        "number" | "integer" => {
            serde_json::from_str(line).ok().filter(Value::is_number).unwrap_or_else(|| line.into())
        }
        "array" => line.split(',').map(|part| Value::from(chosen(part.trim()))).collect(),
        _ => chosen(line).into(),
    }
}

/// Whether a person says yes.
pub fn yes(question: &str) -> Result<bool, Failure> {
    Ok(read(question)?.is_some_and(|line| matches!(line.to_ascii_lowercase().as_str(), "y" | "yes")))
}

/// The most bytes of a line that is not shown.
const MOST_HIDDEN: usize = 64 * 1024;

/// A line that is not shown while the person writes it; `None` at the end of the input. The terminal gives each key, Ctrl-C as well, so that
/// it is never left without its echo.
pub fn hidden(question: &str) -> Result<Option<String>, Failure> {
    use rustix::termios::{LocalModes, OptionalActions, tcgetattr, tcsetattr};
    let failed = |error: std::io::Error| Failure::machine(format!("cannot ask in the terminal: {error}"));
    let input = std::io::stdin().lock();
    let before = tcgetattr(&input).map_err(|error| failed(error.into()))?;
    let mut quiet = before.clone();
    quiet.local_modes.remove(LocalModes::ECHO | LocalModes::ICANON | LocalModes::ISIG);
    Screen::ask(question).map_err(failed)?;
    tcsetattr(&input, OptionalActions::Flush, &quiet).map_err(|error| failed(error.into()))?;
    let line = keys(input.bytes(), MOST_HIDDEN);
    tcsetattr(std::io::stdin(), OptionalActions::Now, &before).map_err(|error| failed(error.into()))?;
    Screen::note("");
    line
}

/// A line from single keys.
fn keys(input: impl Iterator<Item = std::io::Result<u8>>, most: usize) -> Result<Option<String>, Failure> {
    const INTERRUPT: u8 = 3;
    const END: u8 = 4;
    const BACKSPACES: [u8; 2] = [8, 127];
    const KILL: u8 = 21;
    let wrong = |why: &str| Failure::usage(format!("cannot read the answer: {why}"));
    let mut line = Vec::new();
    for key in input {
        match key.map_err(|error| wrong(&error.to_string()))? {
            b'\n' | b'\r' => {
                return String::from_utf8(line).map(Some).map_err(|_| wrong("it is not UTF-8"));
            }
            INTERRUPT => return Err(Failure::interrupted()),
            END if line.is_empty() => return Ok(None),
            KILL => line.clear(),
            key if BACKSPACES.contains(&key) => {
                // A character may have several bytes.
                while line.pop().is_some_and(|byte: u8| byte & 0xc0 == 0x80) {}
            }
            key if line.len() < most => line.push(key),
            _ => return Err(wrong("it is too long")),
        }
    }
    Ok(None)
}

/// A line of the person; `None` at the end of the input.
pub fn read(question: &str) -> Result<Option<String>, Failure> {
    let failed = |error: std::io::Error| Failure::machine(format!("cannot ask in the terminal: {error}"));
    Screen::ask(question).map_err(failed)?;
    let mut line = String::new();
    let count = std::io::stdin().lock().read_line(&mut line).map_err(failed)?;
    Ok((count > 0).then(|| line.trim().to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_becomes_the_type_of_its_field() {
        assert_eq!(typed("boolean", &[], "Yes"), true);
        assert_eq!(typed("integer", &[], "12"), 12);
        assert_eq!(typed("number", &[], "x"), "x");
        let choices = choices(r#"{"type":"string","enum":["r","g"],"enumNames":["Red","Green"]}"#);
        assert_eq!(choices[1], ("g".to_owned(), "Green".to_owned()));
        assert_eq!(typed("string", &choices, "2"), "g");
        assert_eq!(typed("string", &choices, "r"), "r");
        assert_eq!(typed("array", &choices, "1, 2"), serde_json::json!(["r", "g"]));
    }

    #[test]
    fn a_line_that_is_not_shown_is_read_key_by_key() {
        let of = |text: &str| keys(text.bytes().map(Ok), 8);
        assert_eq!(of("pw\nrest").expect("read").as_deref(), Some("pw"));
        assert_eq!(of("x\u{15}pö\u{7f}w\r").expect("read").as_deref(), Some("pw"));
        assert_eq!(of("\u{4}").expect("the end"), None);
        assert_eq!(of("p\u{3}").expect_err("Ctrl-C").exit, crate::failure::INTERRUPTED);
        assert!(of("123456789\n").expect_err("long").text().contains("too long"));
    }

    #[test]
    fn every_form_of_an_enumeration_has_its_choices() {
        let titled = choices(r#"{"items":{"anyOf":[{"const":"a","title":"A"},{"const":"b"}]}}"#);
        assert_eq!(titled, [("a".to_owned(), "A".to_owned()), ("b".to_owned(), "b".to_owned())]);
        assert!(choices(r#"{"type":"string"}"#).is_empty());
    }
}
