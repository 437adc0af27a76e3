//! What servers ask the person (elicitation): forms in the terminal, pages to visit, answers given in advance.

use crate::bridge::{with, without};
use crate::failure::Failure;
use crate::ordered::Gathered;
use crate::output::{FAINT, STRONG, Screen, beginning, one_line, styled, text as said};
use crate::sampling::Sampling;
use crate::session::is_interrupted;
use crate::values;
use mcp::client::features::Decision;
use mcp::client::json_text::{elements, member, members, quote, string};
use mcp::client::names::METHOD_NOT_FOUND;
use mcp::client::schema::{SchemaVerdict, judge};
use mcp::client::{Client, Message, RequestAnswer, Status};
use serde_json::Value;
use std::io::{BufRead as _, Read as _};

/// How questions are answered.
#[derive(Debug, Default)]
pub struct Questions {
    /// By the names of the forms, a JSON object as it was written.
    answers: Option<String>,
    can_ask: bool,
    /// What a server gets that asks for the answer of a model.
    pub sampling: Option<Sampling>,
}

/// How often a person may correct a form.
const ATTEMPTS: u32 = 5;

impl Questions {
    /// Answers given in advance, and whether a person can be asked.
    pub fn new(answers: Option<String>) -> Questions {
        Questions { answers, can_ask: Screen::can_ask(), sampling: None }
    }

    /// Answers a server's request.
    pub fn answer(&mut self, client: &Client, message: &Message) -> Result<(), Failure> {
        if message.method() == Some("sampling/createMessage")
            && let Some(sampling) = &self.sampling
        {
            return tolerate(sampling.answer(client, message)?);
        }
        if message.method() != Some("elicitation/create") {
            let refusal =
                RequestAnswer::Error { code: METHOD_NOT_FOUND, message: "Method not found", data: None };
            return tolerate(client.respond(message, refusal));
        }
        let text = |name: &str| member(message.json(), name).and_then(string).unwrap_or_default();
        let is_page = text("mode") == "url";
        if let Some(answers) = self.answers.as_ref().filter(|_| !is_page) {
            let wanted = names(message.json());
            let others: Vec<String> =
                values::names(answers).into_iter().filter(|name| !wanted.contains(name)).collect();
            let content = without(answers, &others.iter().map(String::as_str).collect::<Vec<_>>());
            let answered = client.elicit(message, Decision::Accept(Some(&content)));
            if let Err(error) = &answered
                && error.status == Status::InvalidArgument
            {
                let why = error.message.split(". Nothing was sent").next().unwrap_or_default();
                Screen::said(format!(
                    "--answers does not fit what the server asks ({}): {}; the question is declined",
                    quoted(&text("message")),
                    one_line(why)
                ));
                return tolerate(client.elicit(message, Decision::Decline));
            }
            return tolerate(answered);
        }
        if !self.can_ask {
            let fix = if is_page {
                format!("it wants a page to be visited: {}", mcp::client::visible::url(&text("url")))
            } else {
                format!("answer with --answers '{}'", example(message.json()))
            };
            Screen::said(format!(
                "the server asks {}; without a terminal that is declined; {fix}",
                quoted(&text("message"))
            ));
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
        let mut content = "{}".to_owned();
        for _ in 0..ATTEMPTS {
            if !form(message.json(), &mut content, &mut read)? {
                Screen::said("the question is declined");
                return tolerate(client.elicit(message, Decision::Decline));
            }
            match client.elicit(message, Decision::Accept(Some(&content))) {
                Err(error) if error.status == Status::InvalidArgument => Screen::note(&error.message),
                done => return tolerate(done),
            }
        }
        Screen::said(format!("the answers did not fit {ATTEMPTS} times; the question is cancelled"));
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

/// A text of the server in a sentence, not longer than a line.
fn quoted(text: &str) -> String {
    format!("'{}'", beginning(&one_line(text), 80))
}

/// What `--answers` could be for a form: its required fields, or all of them where none is.
fn example(request: &str) -> String {
    let schema = member(request, "requestedSchema").unwrap_or("{}");
    let required: Vec<String> = required(schema);
    let wanted = properties(request).filter(|(name, _)| required.is_empty() || required.contains(name));
    let field = |(name, property): (String, &str)| {
        let kind = member(property, "type").and_then(string).unwrap_or_default();
        let value = match (choices(property).first(), &*kind) {
            (Some((value, _)), "array") => serde_json::json!([value]),
            (Some((value, _)), _) => value.clone().into(),
            (None, "boolean") => true.into(),
            (None, "integer" | "number") => 1.into(),
            (None, _) => "…".into(),
        };
        (name, value)
    };
    one_line(&Value::Object(wanted.map(field).gathered()).to_string())
}

fn required(schema: &str) -> Vec<String> {
    let names = elements(member(schema, "required").unwrap_or("[]")).filter_map(string);
    names.map(std::borrow::Cow::into_owned).collect()
}

/// A line of the person to a question; `None` at the end of the input.
type Ask<'a> = &'a mut dyn FnMut(&str) -> Result<Option<String>, Failure>;

/// Asks field by field, and again where an answer does not fit its field; what is there already is the default. Says whether the person
/// wants to answer.
fn form(request: &str, content: &mut String, ask: Ask<'_>) -> Result<bool, Failure> {
    Screen::note(styled(
        FAINT,
        "(an empty line takes the value in brackets, or leaves the field out; a line of only '!' declines, '-' clears)",
    ));
    let required = required(member(request, "requestedSchema").unwrap_or("{}"));
    for (name, property) in properties(request) {
        let choices = choices(property);
        let is_required = required.contains(&name);
        let label = label(&name, property, &choices, is_required);
        for attempt in 0..ATTEMPTS {
            let kept = member(content, &name).or(member(property, "default"));
            let kept = kept.map(|value| format!(" [{}]", one_line(value))).unwrap_or_default();
            let Some(line) = ask(&format!("{label}{kept}: "))? else { return Ok(false) };
            let value = match line.as_str() {
                "!" => return Ok(false),
                "-" => {
                    *content = without(content, &[&name]);
                    break;
                }
                "" if is_required && kept.is_empty() => {
                    Screen::note("  this field is required");
                    continue;
                }
                "" => break,
                line => typed(&member(property, "type").and_then(string).unwrap_or_default(), &choices, line),
            };
            match misfit(property, &value, &choices) {
                // The form as a whole is checked by the library, too.
                Some(why) if attempt + 1 < ATTEMPTS => Screen::note(format!("  {why}")),
                _ => {
                    *content = with(content, &name, &value);
                    break;
                }
            }
        }
    }
    Ok(true)
}

/// Why a value does not fit its field.
fn misfit(property: &str, value: &str, choices: &[(String, String)]) -> Option<String> {
    let [schema, value]: [Option<Value>; 2] = [property, value].map(|text| serde_json::from_str(text).ok());
    let (schema, value) = (schema?, value?);
    let SchemaVerdict::Differs { what, .. } = judge(&schema, &value) else {
        let is_mail = schema["format"] == "email";
        let lacks_at = is_mail && value.as_str().is_some_and(|text| !text.contains('@'));
        return lacks_at.then(|| "that is not an address of e-mail".to_owned());
    };
    let fix = match schema["type"].as_str() {
        _ if !choices.is_empty() => format!("; answer with a number from 1 to {}", choices.len()),
        Some("boolean") => "; answer yes or no".to_owned(),
        _ => String::new(),
    };
    Some(format!("the answer {}{fix}", one_line(&what)))
}

/// What is asked for: title, type and limits, description, choices.
fn label(name: &str, property: &str, choices: &[(String, String)], is_required: bool) -> String {
    let text = |key: &str| member(property, key).and_then(string).unwrap_or_default();
    let title = if text("title").is_empty() { name.into() } else { text("title") };
    let mut about = Vec::new();
    if choices.is_empty() {
        match &*text("type") {
            "" => {}
            "boolean" => about.push("yes or no".to_owned()),
            kind => about.push(one_line(kind)),
        }
    } else if text("type") == "array" {
        about.push("several, with commas".to_owned());
    }
    for key in ["format", "minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems", "pattern"] {
        match member(property, key) {
            Some(value) if key == "format" => about.push(one_line(value.trim_matches('"'))),
            Some(value) => about.push(format!("{key} {}", one_line(value))),
            None => {}
        }
    }
    if is_required {
        about.push("required".to_owned());
    }
    let mut label = one_line(&title);
    if !about.is_empty() {
        label = format!("{label} ({})", about.join(", "));
    }
    if !text("description").is_empty() {
        label = format!("{label} – {}", one_line(&text("description")));
    }
    for (number, (_, shown)) in choices.iter().enumerate() {
        label = format!("{label}\n  {}) {}", number + 1, one_line(shown));
    }
    label
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

/// What a line means for a field, JSON text; what does not fit is text, which the check of the form then refuses.
fn typed(kind: &str, choices: &[(String, String)], line: &str) -> String {
    let chosen = |line: &str| {
        let by_number = line.parse::<usize>().ok().and_then(|number| choices.get(number.checked_sub(1)?));
        by_number.map_or_else(|| line.to_owned(), |(value, _)| value.clone())
    };
    match kind {
        "boolean" => match line.to_ascii_lowercase().as_str() {
            "y" | "yes" | "true" => "true".to_owned(),
            "n" | "no" | "false" => "false".to_owned(),
            _ => quote(line),
        },
        // A number goes with the letters that it was written with.
        "number" | "integer" => match serde_json::from_str(line) {
            Ok(Value::Number(_)) => line.trim().to_owned(),
            _ => quote(line),
        },
        "array" => {
            let all: Vec<String> = line.split(',').map(|part| quote(&chosen(part.trim()))).collect();
            format!("[{}]", all.join(","))
        }
        _ => quote(&chosen(line)),
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

/// How long a wait for a line is at most, so that Ctrl-C is seen.
const LOOK: rustix::event::Timespec = rustix::event::Timespec { tv_sec: 0, tv_nsec: 100_000_000 };

/// A line of the person; `None` at the end of the input. Ctrl-C is a failure, also where a handler keeps it from ending the program.
pub fn read(question: &str) -> Result<Option<String>, Failure> {
    use rustix::event::{PollFd, PollFlags, poll};
    let failed = |error: std::io::Error| Failure::machine(format!("cannot ask in the terminal: {error}"));
    Screen::ask(question).map_err(failed)?;
    let input = std::io::stdin();
    loop {
        if is_interrupted() {
            Screen::note("");
            return Err(Failure::interrupted());
        }
        // A terminal gives one line at a time, so that none is kept before this wait.
        match poll(&mut [PollFd::new(&input, PollFlags::IN)], Some(&LOOK)) {
            Ok(0) | Err(rustix::io::Errno::INTR) => {}
            Ok(_) => break,
            Err(error) => return Err(failed(error.into())),
        }
    }
    let mut line = String::new();
    let count = input.lock().read_line(&mut line).map_err(failed)?;
    Ok((count > 0).then(|| line.trim().to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_becomes_the_type_of_its_field() {
        for (kind, line, is) in [
            ("boolean", "Yes", "true"),
            ("integer", "12", "12"),
            ("number", "1E400", "1E400"),
            ("number", "x", "\"x\""),
            ("number", "true", "\"true\""),
            ("string", "1E2", "\"1E2\""),
        ] {
            assert_eq!(typed(kind, &[], line), is, "{kind} {line}");
        }
        let choices = choices(r#"{"type":"string","enum":["r","g"],"enumNames":["Red","Green"]}"#);
        assert_eq!(choices[1], ("g".to_owned(), "Green".to_owned()));
        assert_eq!(typed("string", &choices, "2"), "\"g\"");
        assert_eq!(typed("string", &choices, "r"), "\"r\"");
        assert_eq!(typed("array", &choices, "1, 2"), r#"["r","g"]"#);
    }

    /// What is asked, and what comes of a form with these lines.
    fn filled(request: &str, content: &mut String, lines: &[&str]) -> (Vec<String>, bool) {
        let (mut asked, mut lines) = (Vec::new(), lines.iter());
        let mut ask = |question: &str| {
            asked.push(question.to_owned());
            Ok(lines.next().map(|&line| line.to_owned()))
        };
        let is_answered = form(request, content, &mut ask).expect("a form");
        (asked, is_answered)
    }

    const BOOKING: &str = r#"{"message":"Book?","requestedSchema":{"properties":{
        "name":{"type":"string","minLength":2,"description":"Full name"},"age":{"type":"integer","minimum":18,"default":30},
        "ok":{"type":"boolean"},"kind":{"enum":["a","b"]},"mail":{"type":"string","format":"email"}},"required":["name","ok"]}}"#;

    #[test]
    fn each_field_is_checked_at_once_and_its_type_is_shown() {
        let mut content = "{}".to_owned();
        let lines = ["X", "Ann", "17", "", "perhaps", "yes", "3", "2", "ann", "ann@example.com"];
        let (asked, is_answered) = filled(BOOKING, &mut content, &lines);
        assert!(is_answered);
        assert_eq!(content, r#"{"name":"Ann","ok":true,"kind":"b","mail":"ann@example.com"}"#);
        let labels = [
            (0, "name (string, minLength 2, required) – Full name: "),
            (1, "name (string, minLength 2, required) – Full name: "),
            (2, "age (integer, minimum 18) [30]: "),
            (4, "ok (yes or no, required): "),
            (8, "mail (string, email): "),
        ];
        for (at, label) in labels {
            assert_eq!(asked[at], label);
        }
        // What was answered is the default when the form is asked again.
        let (asked, _) = filled(BOOKING, &mut content, &["", "", "", "-", ""]);
        assert!(asked[0].ends_with("[\"Ann\"]: ") && asked[2].ends_with("[true]: "), "{asked:?}");
        assert_eq!((member(&content, "kind"), member(&content, "name")), (None, Some("\"Ann\"")));
    }

    #[test]
    fn a_form_can_be_declined_and_ends_with_the_input() {
        for lines in [&["!"][..], &["Ann", "!"], &["Ann"], &[]] {
            assert!(!filled(BOOKING, &mut "{}".to_owned(), lines).1, "{lines:?}");
        }
        // A required field that stays empty ends the questions about it.
        let (asked, _) = filled(BOOKING, &mut "{}".to_owned(), &[""; 20]);
        assert_eq!(asked.iter().filter(|label| label.starts_with("name")).count(), ATTEMPTS as usize);
        assert_eq!(example(BOOKING), r#"{"name":"…","ok":true}"#);
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
