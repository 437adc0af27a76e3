//! `completion/complete`: from a fixed list, by a handler, or nothing.

use super::authorizing::Completed;
use super::checking::COMPLETIONS;
use super::context::{Context, Refusal};
use super::effect::{Now, Stream};
use super::handing_on::Target;
use super::params::given;
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
        let reader = self.reader(context.principal.as_deref(), method::COMPLETE);
        let Completed { kind, reference, argument } = self.completed(&reader, params)?;
        let value = given(given(params, "argument"), "value").unwrap_or("\"\"");
        let Some(value) = json::string(value) else {
            return Err(Refusal::params("'value' of 'argument' must be a string"));
        };
        let completer = self.registry.completer(&reader, (kind, &reference), &argument)?.cloned();
        // It is in a list, and its rules were asked.
        let relay = if self.relays_completion() { self.relay_handler(&reader, None)? } else { None };
        match completer.or(relay.map(Completer::Handler)) {
            Some(Completer::Handler(handler)) => {
                let target = Target::new(method::COMPLETE, reference, handler, params);
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
