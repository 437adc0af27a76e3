//! `completion/complete`: from a fixed list, by a handler, or nothing.

use super::checking::COMPLETIONS;
use super::context::{Context, Refusal};
use super::dispatch::text_member;
use super::effect::{Now, Stream};
use super::handing_on::Target;
use super::params::FrameText;
use super::registry::Completer;
use super::router::Server;
use super::wire_id::WireId;
use crate::json;
use crate::protocol::method;

impl<H: Clone> Server<H> {
    /// S-CO-01 to S-CO-04.
    pub(super) fn complete(
        &mut self,
        now: Now,
        from: Stream,
        id: &WireId,
        context: Context,
        params: Option<&str>,
    ) -> Result<(), Refusal> {
        if !self.registry.completes() && !self.relays_completion() {
            return Err(Refusal::method(method::COMPLETE));
        }
        let object = |name| params.and_then(|params| json::member(params, name));
        let reference = object("ref");
        let reference = match text_member(reference, "type")?.as_str() {
            "ref/prompt" => {
                let name = text_member(reference, "name")?;
                let Some(prompt) = self.registry.prompts.get(&name) else {
                    return Err(Refusal::params(format!("there is no prompt '{name}'")));
                };
                let argument = text_member(object("argument"), "name")?;
                if !prompt.arguments.iter().any(|(known, _)| *known == argument) {
                    let text = format!("the prompt '{name}' has no argument '{argument}'");
                    return Err(Refusal::params(text));
                }
                name
            }
            "ref/resource" => {
                let uri = text_member(reference, "uri")?;
                if self.registry.templates.get(&uri).is_none() {
                    return Err(Refusal::params(format!("there is no resource template '{uri}'")));
                }
                let argument = text_member(object("argument"), "name")?;
                if !crate::uri_template::has_variable(&uri, &argument) {
                    let text = format!("the template '{uri}' has no variable '{argument}'");
                    return Err(Refusal::params(text));
                }
                uri
            }
            other => return Err(Refusal::params(format!("there is no reference of type '{other}'"))),
        };
        let argument = text_member(object("argument"), "name")?;
        let Some(value) = object("argument").and_then(|it| json::member(it, "value")).and_then(json::string)
        else {
            return Err(Refusal::params("'value' of 'argument' must be a string"));
        };
        let completer = self.registry.completer(&reference, &argument).cloned();
        let relay = if self.relays_completion() { self.relay_handler() } else { None };
        match completer.or(relay.map(Completer::Handler)) {
            Some(Completer::Handler(handler)) => {
                let params = FrameText::copied(params.unwrap_or("{}"));
                let name = reference;
                let target = Target {
                    method: method::COMPLETE,
                    name,
                    handler,
                    params,
                    may_resume: true,
                    variables: None,
                    output: None,
                };
                self.hand_on(now, from, id, context, target)
            }
            Some(Completer::Values(values)) => {
                let fitting = values.iter().filter(|it| it.starts_with(value.as_ref()));
                let fitting: Vec<&str> = fitting.map(String::as_str).collect();
                let given = fitting.get(..COMPLETIONS).unwrap_or(&fitting);
                let has_more = given.len() < fitting.len();
                let completion =
                    serde_json::json!({ "values": given, "total": fitting.len(), "hasMore": has_more });
                let result = serde_json::json!({ "completion": completion }).to_string();
                self.result(from, id, Some((&context, method::COMPLETE)), &result);
                Ok(())
            }
            None => {
                let nothing = "{\"completion\":{\"values\":[],\"total\":0,\"hasMore\":false}}";
                self.result(from, id, Some((&context, method::COMPLETE)), nothing);
                Ok(())
            }
        }
    }
}
