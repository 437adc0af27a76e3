//! `complete`: the values that an argument of a prompt or of a template may have, as the server knows them.

use super::lists::list;
use super::{did_you_mean, named, open};
use crate::arguments::{Common, Place};
use crate::failure::Failure;
use crate::output::{FAINT, Screen, one_line, styled};
use mcp::client::features::Request;
use mcp::client::json_text::{member, quote, string};
use serde_json::{Map, Value};

pub fn complete(screen: Screen, place: &Place, common: &Common) -> Result<(), Failure> {
    let (session, rest) = open(place, common, usize::MAX)?;
    let [reference, argument, settled @ ..] = rest.as_slice() else {
        return Err(Failure::usage(
            "a completion needs the name of a prompt or a template, and an argument with what is typed of it: ARGUMENT=TYPED",
        ));
    };
    let reference = if reference.contains("://") || reference.contains('{') {
        format!("{{\"type\":\"ref/resource\",\"uri\":{}}}", quote(reference))
    } else {
        let prompts = session.request(&Request::PromptsList)?;
        let prompts = list(prompts.json(), "prompts");
        let prompt = named(&prompts, "name", reference, "prompt")?;
        let arguments = list(prompt, "arguments");
        let names: Vec<_> =
            arguments.iter().filter_map(|argument| member(argument, "name").and_then(string)).collect();
        let wanted = argument.split('=').next().unwrap_or_default();
        if !names.iter().any(|name| *name == wanted) {
            let near = did_you_mean(wanted, names.iter().map(|name| &**name));
            return Err(Failure::usage(format!("the prompt '{reference}' has no argument '{wanted}'{near}")));
        }
        format!("{{\"type\":\"ref/prompt\",\"name\":{}}}", quote(reference))
    };
    let (argument, value) = argument.split_once('=').unwrap_or((argument, ""));
    let mut given = Map::new();
    for word in settled {
        let (name, value) = word
            .split_once('=')
            .ok_or_else(|| Failure::usage(format!("'{word}' is not an argument; write NAME=VALUE")))?;
        given.insert(name.to_owned(), Value::from(value));
    }
    let settled = (!given.is_empty()).then(|| Value::Object(given).to_string());
    let result = session.request(&Request::Complete {
        reference: &reference,
        argument,
        value,
        settled: settled.as_deref(),
    })?;
    if screen.format.is_data() {
        return screen.json(result.json());
    }
    let completion = member(result.json(), "completion").unwrap_or("{}");
    let values: Vec<String> = list(completion, "values")
        .iter()
        .filter_map(|value| string(value).map(std::borrow::Cow::into_owned))
        .collect();
    screen.names(&values)?;
    if member(completion, "hasMore") == Some("true") {
        let total =
            member(completion, "total").map_or(String::new(), |total| format!(" of {}", one_line(total)));
        Screen::note(styled(FAINT, format!("{}{total}; the server has more", values.len())));
    } else if values.is_empty() {
        Screen::note(styled(FAINT, "the server knows no such value"));
    }
    Ok(())
}
