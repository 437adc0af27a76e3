//! `test`: calls from a file, and whether their results are as the file expects.

use super::lists::list;
use crate::arguments::{Common, Format, Output, Test};
use crate::content::{self, Wanted};
use crate::failure::Failure;
use crate::output::{Case, ERROR, Screen, Text, beginning, counted, junit, one_line, styled, text};
use crate::questions::Questions;
use crate::serve::read_yaml;
use crate::session::Session;
use crate::target::split;
use anstyle::{AnsiColor, Style};
use mcp::client::features::Request;
use mcp::client::json_text::{elements, member, members, string};
use mcp::client::schema::{SchemaVerdict, judge};
use serde_json::{Value, json};
use std::path::Path;
use std::time::{Duration, Instant};

/// The most bytes of a file and calls in it.
const BYTES: u64 = 4 << 20;
const CALLS: usize = 10_000;
const GOOD: Style = AnsiColor::Green.on_default();

/// A call, and what is expected of its result.
#[derive(Debug)]
struct Saved {
    name: String,
    tool: String,
    /// JSON text, with the letters of the file where that is JSON.
    arguments: String,
    equal: Option<Value>,
    schema: Option<Value>,
    contains: Vec<String>,
    time: Option<Duration>,
    fails: bool,
}

/// The keys of a call.
const KEYS: [&str; 8] = ["name", "tool", "arguments", "equal", "schema", "contains", "time", "fails"];

/// What came of a call.
struct Outcome {
    name: String,
    taken: Duration,
    /// What is not as expected.
    faults: Vec<String>,
}

pub fn test(screen: Screen, test: &Test, common: &Common) -> Result<(), Failure> {
    let calls = read(&test.file)?;
    let (target, rest) = split(&test.place.words, &test.place.program, common)?;
    if let Some(extra) = rest.first() {
        return Err(Failure::usage(format!("'{extra}' is one word too many; see --help")));
    }
    let session = Session::open(target, common, Questions::new(None), None)?;
    let mut outcomes = Vec::new();
    for saved in &calls {
        outcomes.push(made(&session, saved)?);
    }
    let failed = outcomes.iter().filter(|outcome| !outcome.faults.is_empty()).count();
    match screen.format {
        _ if common.output == Output::Junit => {
            let file = test.file.display().to_string();
            let case = |outcome: &Outcome| Case {
                class: file.clone(),
                name: outcome.name.clone(),
                taken: outcome.taken,
                failure: (!outcome.faults.is_empty()).then(|| outcome.faults.join("\n")),
                note: String::new(),
            };
            let cases: Vec<Case> = outcomes.iter().map(case).collect();
            screen.own(junit("mcp test", &cases).as_bytes())?;
        }
        Format::Json | Format::Yaml => {
            let one = |outcome: &Outcome| {
                json!({
                    "name": outcome.name,
                    "ok": outcome.faults.is_empty(),
                    "milliseconds": u64::try_from(outcome.taken.as_millis()).unwrap_or(u64::MAX),
                    "faults": outcome.faults,
                })
            };
            let all: Vec<Value> = outcomes.iter().map(one).collect();
            screen.json(&json!({"calls": all, "failed": failed}).to_string())?;
        }
        Format::Names => {
            let names = outcomes.iter().filter(|outcome| !outcome.faults.is_empty());
            screen.names(&names.map(|outcome| outcome.name.clone()).collect::<Vec<_>>())?;
        }
        Format::Text => screen.write(outcomes.iter().map(shown).collect::<Text>())?,
    }
    match failed {
        0 => Ok(()),
        failed => Err(Failure::found(format!(
            "{failed} of {} not as expected",
            if outcomes.len() == 1 {
                "1 call is".to_owned()
            } else {
                format!("{} are", counted(outcomes.len(), "call"))
            }
        ))),
    }
}

fn shown(outcome: &Outcome) -> Text {
    let word = if outcome.faults.is_empty() { styled(GOOD, "ok  ") } else { styled(ERROR, "FAIL") };
    let mut text = text![word, format!(" {} ({} ms)\n", one_line(&outcome.name), outcome.taken.as_millis())];
    for fault in &outcome.faults {
        text.push(format!("       {}\n", one_line(fault)));
    }
    text
}

/// Makes a call. What the server or the library says against it is a fault of the call, and only a lost connection is one of all.
fn made(session: &Session, saved: &Saved) -> Result<Outcome, Failure> {
    let begin = Instant::now();
    let result =
        session.request(&Request::ToolsCall { name: &saved.tool, arguments: Some(&saved.arguments) });
    let taken = begin.elapsed();
    let faults = match result {
        Ok(result) => faults(saved, result.json(), result.is_tool_error(), taken),
        Err(failure) if saved.fails && failure.is_of_one_request() => {
            let said = failure.text();
            let missing = saved.contains.iter().filter(|part| !said.contains(part.as_str()));
            missing.map(|part| lacks(part, &said)).collect()
        }
        Err(failure) if failure.is_of_one_request() || failure.is_late() => vec![failure.text()],
        Err(failure) => return Err(failure),
    };
    Ok(Outcome { name: saved.name.clone(), taken, faults })
}

fn lacks(part: &str, text: &str) -> String {
    format!("'{part}' is not in '{}'", shortened(text))
}

/// The beginning of a text.
fn shortened(text: &str) -> String {
    beginning(&one_line(text), 200)
}

/// What of a result is not as expected.
fn faults(saved: &Saved, result: &str, is_error: bool, taken: Duration) -> Vec<String> {
    let mut faults = Vec::new();
    let texts =
        list(result, "content").into_iter().filter_map(|block| member(block, "text").and_then(string));
    let text = texts.collect::<Vec<_>>().join("\n");
    if is_error != saved.fails {
        let what = if is_error { "the tool reported an error" } else { "the tool reported no error" };
        faults.push(format!("{what}: '{}'", shortened(&text)));
    }
    // Structured, or JSON in the text, or the text itself.
    let structured = member(result, "structuredContent").filter(|it| *it != "null");
    let value = structured.or(Some(&text)).and_then(|text| serde_json::from_str::<Value>(text).ok());
    if let Some(wanted) = &saved.equal {
        let is_text = wanted.as_str().is_some_and(|wanted| wanted.trim_end() == text.trim_end());
        let is_value = value.as_ref().is_some_and(|value| content::same(value, wanted));
        if !is_text && !is_value {
            let seen =
                value.as_ref().map_or_else(|| Value::from(text.as_str()).to_string(), Value::to_string);
            faults.push(format!("it is {}, and not {}", shortened(&seen), shortened(&wanted.to_string())));
        }
    }
    if let Some(schema) = &saved.schema {
        let value = value.unwrap_or_else(|| text.clone().into());
        match judge(schema, &value) {
            SchemaVerdict::Differs { at, what, keyword } => {
                let at = if at.is_empty() { "the result" } else { &at };
                faults.push(format!("{at}: it {what} ({keyword})"));
            }
            SchemaVerdict::Unknown(why) => faults.push(format!("the schema cannot be used: {why}")),
            SchemaVerdict::Fits => {}
        }
    }
    if !saved.contains.is_empty() {
        let whole = content::of_tool(result, Wanted::default());
        let whole = whole.map_or_else(|_| text.clone(), |whole| whole.as_str().to_owned());
        faults.extend(
            saved
                .contains
                .iter()
                .filter(|part| !whole.contains(part.as_str()) && !text.contains(part.as_str()))
                .map(|part| lacks(part, &whole)),
        );
    }
    if let Some(limit) = saved.time.filter(|limit| taken > *limit) {
        faults.push(format!(
            "it took {:.3} s, and {:.3} s are allowed",
            taken.as_secs_f64(),
            limit.as_secs_f64()
        ));
    }
    faults
}

/// Reads the file.
fn read(path: &Path) -> Result<Vec<Saved>, Failure> {
    let wrong = |why: String| Failure::usage(format!("{}: {why}", path.display()));
    let size = std::fs::metadata(path).map_err(|error| wrong(error.to_string()))?.len();
    if size > BYTES {
        return Err(wrong(format!("it has more than {BYTES} bytes")));
    }
    let text = std::fs::read_to_string(path).map_err(|error| wrong(error.to_string()))?;
    let is_json = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("json"));
    if is_json {
        let text = mcp::client::json_text::plain(text);
        let value =
            serde_json::from_str(&text).map_err(|error| wrong(format!("it is not valid JSON: {error}")))?;
        return calls(&value, &text).map_err(wrong);
    }
    let value = read_yaml(&text).map_err(wrong)?;
    calls(&value, &value.to_string()).map_err(wrong)
}

/// The calls of a file, whose JSON text is `written`: a tree has the same numbers with other letters.
fn calls(value: &Value, written: &str) -> Result<Vec<Saved>, String> {
    crate::values::once(written)?;
    let Some(list) = value.get("calls").and_then(Value::as_array) else {
        return Err("it has no 'calls', a list of objects with 'tool'".to_owned());
    };
    if let Some(key) = value.as_object().and_then(|keys| keys.keys().find(|key| *key != "calls")) {
        return Err(format!("'{key}' is unknown; there is 'calls'"));
    }
    if list.len() > CALLS || list.is_empty() {
        return Err(format!("it has {}; there may be 1 to {CALLS}", counted(list.len(), "call")));
    }
    let mut names = std::collections::HashMap::new();
    let mut all = Vec::new();
    let texts = elements(member(written, "calls").unwrap_or("[]"));
    for (at, (one, text)) in list.iter().zip(texts).enumerate() {
        let mut saved = call(one, text).map_err(|why| format!("call {}: {why}", at + 1))?;
        let count = names.entry(saved.name.clone()).and_modify(|count| *count += 1).or_insert(1);
        if *count > 1 {
            saved.name = format!("{} ({count})", saved.name);
        }
        all.push(saved);
    }
    Ok(all)
}

fn call(one: &Value, written: &str) -> Result<Saved, String> {
    let object = one.as_object().ok_or("it is not an object")?;
    if let Some(key) = object.keys().find(|key| !KEYS.contains(&key.as_str())) {
        let near = super::nearest(key, KEYS).map(|near| format!("; did you mean '{near}'?"));
        return Err(format!(
            "'{key}' is unknown{}",
            near.unwrap_or_else(|| format!("; there are {}", KEYS.join(", ")))
        ));
    }
    let text = |key: &str| match object.get(key) {
        None => Ok(None),
        Some(Value::String(text)) => Ok(Some(text.clone())),
        Some(other) => Err(format!("'{key}' is {other}, and must be a text")),
    };
    let tool = text("tool")?.ok_or("'tool' is missing")?;
    let arguments = match object.get("arguments") {
        None | Some(Value::Null) => "{}",
        Some(Value::Object(_)) => member(written, "arguments").unwrap_or("{}"),
        Some(other) => return Err(format!("'arguments' is {other}, and must be an object")),
    };
    let contains = match object.get("contains") {
        None => Vec::new(),
        Some(Value::String(text)) => vec![text.clone()],
        Some(Value::Array(list)) if list.iter().all(Value::is_string) => {
            list.iter().filter_map(|text| text.as_str().map(str::to_owned)).collect()
        }
        Some(other) => return Err(format!("'contains' is {other}, and must be a text or a list of texts")),
    };
    let time = match object.get("time") {
        None => None,
        Some(time) => Some(
            time.as_f64()
                .and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
                .ok_or_else(|| format!("'time' is {time}, and must be a number of seconds"))?,
        ),
    };
    let fails = match object.get("fails") {
        None => false,
        Some(Value::Bool(fails)) => *fails,
        Some(other) => return Err(format!("'fails' is {other}, and must be true or false")),
    };
    let name = text("name")?.unwrap_or_else(|| {
        let shown: Vec<String> = members(arguments).map(|(name, value)| format!("{name}={value}")).collect();
        shortened(&format!("{tool} {}", shown.join(" "))).trim_end().to_owned()
    });
    let (equal, schema) = (object.get("equal").cloned(), object.get("schema").cloned());
    Ok(Saved { name, tool, arguments: arguments.to_owned(), equal, schema, contains, time, fails })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(file: &str) -> Result<Vec<Saved>, String> {
        calls(&serde_json::from_str(file).expect("JSON"), file)
    }

    fn one(call: &Value) -> Saved {
        of(&json!({"calls": [call]}).to_string()).expect("a call").remove(0)
    }

    #[test]
    fn each_expectation_can_fail_and_can_hold() {
        let texts = |text: &str| json!({"content": [{"type": "text", "text": text}]});
        let sum =
            json!({"content": [{"type": "text", "text": "{\"sum\": 3}"}], "structuredContent": {"sum": 3.0}});
        for (expected, result, fault) in [
            (json!({"equal": {"sum": 3}}), &sum, ""),
            (json!({"equal": {"sum": 4}}), &sum, "it is {\"sum\":3.0}, and not {\"sum\":4}"),
            (json!({"equal": "hi"}), &texts("hi\n"), ""),
            (json!({"equal": "hi"}), &texts("ho"), "it is \"ho\", and not \"hi\""),
            (json!({"equal": 7}), &texts("7"), ""),
            (json!({"schema": {"required": ["sum"]}}), &sum, ""),
            (json!({"schema": {"required": ["other"]}}), &sum, "the result: it"),
            (json!({"schema": {"properties": {"sum": {"type": "string"}}}}), &sum, "/sum: it"),
            (json!({"schema": {"type": "string"}}), &texts("plain"), ""),
            (json!({"contains": "sum"}), &sum, ""),
            (json!({"contains": ["a", "z"]}), &texts("abc"), "'z' is not in 'abc'"),
            (json!({"time": 2}), &sum, ""),
            (json!({"time": 0.5}), &sum, "it took 1.000 s, and 0.500 s are allowed"),
            (json!({"fails": true}), &sum, "the tool reported no error"),
        ] {
            let mut call = expected.clone();
            call["tool"] = "t".into();
            let found = faults(&one(&call), &result.to_string(), false, Duration::from_secs(1));
            match fault {
                "" => assert!(found.is_empty(), "{expected}: {found:?}"),
                fault => assert!(found.len() == 1 && found[0].starts_with(fault), "{expected}: {found:?}"),
            }
        }
        let saved = one(&json!({"tool": "t"}));
        let failed = faults(&saved, &texts("no").to_string(), true, Duration::ZERO);
        assert_eq!(failed, ["the tool reported an error: 'no'"]);
    }

    #[test]
    fn what_is_wrong_with_a_file_is_told_with_its_place() {
        for (file, why) in [
            (json!({}), "it has no 'calls'"),
            (json!({"calls": []}), "it has 0 calls"),
            (json!({"calls": [{"tool": "t"}], "call": 1}), "'call' is unknown"),
            (
                json!({"calls": [{"tool": "t"}, {"tol": "t"}]}),
                "call 2: 'tol' is unknown; did you mean 'tool'?",
            ),
            (json!({"calls": [{}]}), "call 1: 'tool' is missing"),
            (json!({"calls": [{"tool": "t", "arguments": 1}]}), "call 1: 'arguments' is 1"),
            (json!({"calls": [{"tool": "t", "time": -1}]}), "call 1: 'time' is -1"),
            (json!({"calls": [{"tool": "t", "contains": 1}]}), "call 1: 'contains' is 1"),
        ] {
            let found = of(&file.to_string()).expect_err("refused");
            assert!(found.starts_with(why), "{file}: {found}");
        }
        let twice =
            of(r#"{"calls":[{"tool":"t","arguments":{"a":1E5}},{"tool":"t","arguments":{"a":1E5}}]}"#);
        let names: Vec<String> = twice.expect("calls").into_iter().map(|saved| saved.name).collect();
        // Numbers keep the letters of the file.
        assert_eq!(names, ["t a=1E5", "t a=1E5 (2)"]);
    }

    #[test]
    fn c9_a_name_that_is_there_twice_is_refused() {
        for file in [
            r#"{"calls":[{"tool":"t","arguments":{"a":1,"a":"x"}}]}"#,
            r#"{"calls":[{"tool":"t","equal":[{"a":1,"\u0061":2}]}]}"#,
        ] {
            let why = of(file).map(|calls| calls.len()).expect_err("refused");
            assert!(why.contains("'a' is there twice"), "{why}");
        }
    }
}
