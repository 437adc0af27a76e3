//! Methods: what the engine answers itself, and what a handler is to be run for.

use super::checks::COMPLETIONS;
use super::params::{RequestParams, given};
use super::{HandlerCall, RequestHead, checks};
use crate::engine::server::Server;
use crate::engine::server::access::resolve::{CompletionTarget, ResourceSource, ServedBy};
use crate::engine::server::registry::list::{read_cursor, write_cursor};
use crate::engine::server::registry::{Completer, Kind};
use crate::engine::server::session::context::{ErrorResponse, RequestContext, text_member};
use crate::engine::server::settings::Severity;
use crate::engine::server::subscriptions::ListChange;
use crate::json;
use crate::protocol::{Era, error_code, method};

impl<H: Clone> Server<H> {
    /// Serves a request whose sender is known.
    pub(super) fn dispatch(
        &mut self,
        mut head: RequestHead<'_>,
        name: &str,
        params: RequestParams<'_>,
    ) -> Result<(), ErrorResponse> {
        head.context.principal = self.sessions.principal(head.from.session);
        let reader = self.reader(head.context.principal.as_deref(), name);
        if reader.method().is_err() {
            // With what it is about, so that its client is asked for scopes once.
            self.missing_scopes(&reader, params)?;
        }
        #[cfg(feature = "draft")]
        if self.settings.draft.is_any() {
            self.check_drafts(&mut head.context, name, params)?;
        }
        let modern = head.context.era() == Era::Modern;
        let (whole, params) = (params, params.text);
        match name {
            method::INITIALIZE if !modern => {
                let text = "the session is initialized already";
                Err(ErrorResponse::new(error_code::INVALID_REQUEST, text))
            }
            method::DISCOVER if modern => {
                let result = self.discovery(head.context.revision);
                self.give_result(&head, name, &result);
                Ok(())
            }
            method::TOOLS_LIST => self.list(&head, name, Kind::Tool, params),
            method::RESOURCES_LIST => self.list(&head, name, Kind::Resource, params),
            method::TEMPLATES_LIST => self.list(&head, name, Kind::Template, params),
            method::PROMPTS_LIST => self.list(&head, name, Kind::Prompt, params),
            method::TOOLS_CALL => self.tools_call(head, whole),
            method::RESOURCES_READ => self.resources_read(head, whole),
            method::PROMPTS_GET => self.prompts_get(head, whole),
            method::COMPLETE => self.complete(head, whole),
            method::SET_LEVEL if !modern => self.set_level(&head, params),
            method::SUBSCRIBE | method::UNSUBSCRIBE if !modern => {
                self.subscribe(head.from, head.id, name == method::SUBSCRIBE, params)
            }
            method::SKILLS_LIST | method::SKILLS_GET | method::DIRECTORY_READ
                if modern && self.skills.are_served() =>
            {
                self.skills_method(&head, name, params)
            }
            method::LISTEN if modern && self.settings.offers_listen => self.listen(&head, params),
            method::TASKS_GET
            | method::TASKS_RESULT
            | method::TASKS_LIST
            | method::TASKS_CANCEL
            | method::TASKS_UPDATE => self.tasks_method(&head, name, params),
            _ => self.extension(head, name, whole),
        }
    }

    pub(in crate::engine::server) fn need(&self, list: ListChange, name: &str) -> Result<(), ErrorResponse> {
        if self.offers(list) { Ok(()) } else { Err(ErrorResponse::method(name)) }
    }

    /// One page of a list (S-PA-01 to S-PA-03).
    fn list(
        &mut self,
        head: &RequestHead<'_>,
        name: &str,
        kind: Kind,
        params: Option<&str>,
    ) -> Result<(), ErrorResponse> {
        self.need(ListChange::of(kind), name)?;
        if kind == Kind::Tool {
            self.check_new_apps();
        }
        let after = match given(params, "cursor") {
            // Some clients ask for the first page with an empty cursor, which none of ours is.
            None | Some("\"\"") => 0,
            Some(text) => json::string(text)
                .and_then(|text| read_cursor(kind, &text))
                .ok_or_else(|| ErrorResponse::params("the cursor is not one of this list"))?,
        };
        let reader = self.reader(head.context.principal.as_deref(), name);
        let (entries, next) =
            self.registry.page(&reader, kind, head.context.revision, after, self.settings.page_size);
        #[cfg(feature = "draft")]
        let entries = self.with_digests(&head.context, kind, entries);
        let mut result = format!("{{\"{}\":{entries}", kind.member());
        if let Some(next) = next {
            result.push_str(",\"nextCursor\":");
            json::quote_into(&write_cursor(kind, next), &mut result);
        }
        result.push('}');
        self.give_result(head, name, &result);
        Ok(())
    }

    /// S-TL-09 to S-TL-12.
    pub(in crate::engine::server) fn tools_call(
        &mut self,
        head: RequestHead<'_>,
        params: RequestParams<'_>,
    ) -> Result<(), ErrorResponse> {
        self.need(ListChange::Tools, method::TOOLS_CALL)?;
        let reader = self.reader(head.context.principal.as_deref(), method::TOOLS_CALL);
        let (name, found) = self.called_tool(&reader, params)?;
        let tool = match found {
            ServedBy::Here(tool) => tool,
            ServedBy::Behind(handler) => {
                let target = HandlerCall::new(method::TOOLS_CALL, name.into_owned(), handler, params.kept());
                return self.dispatch_to_handler(head, target);
            }
            ServedBy::Nowhere => return Err(ErrorResponse::params(format!("there is no tool '{name}'"))),
        };
        let support = self.support_of(tool.support, &head.context);
        let wish = self.requested_task(&head.context, support, &name, params.text)?;
        let arguments = match params.arguments {
            None => "{}",
            Some(text) if json::kind(text) == Some(json::Kind::Object) => text,
            Some(_) => return Err(ErrorResponse::params("'arguments' must be an object")),
        };
        let check =
            if self.settings.check_arguments { checks::argument_check(tool, arguments) } else { None };
        let (handler, output) = (tool.handler.clone(), tool.output.clone());
        let target = HandlerCall {
            method: method::TOOLS_CALL,
            name: name.into_owned(),
            handler,
            params: params.kept(),
            may_resume: params.is_retry,
            matched: None,
            output,
        };
        let now = head.now;
        let request = self.insert_request(head, target)?;
        if let Some(request) = self.requests.get_mut(request) {
            (request.support, request.check) = (support, check);
        }
        if let Some(wish) = wish {
            self.begin_as_task(now, request, wish)?;
        }
        self.run(request);
        Ok(())
    }

    /// S-RS-02, S-RS-07.
    fn resources_read(
        &mut self,
        head: RequestHead<'_>,
        params: RequestParams<'_>,
    ) -> Result<(), ErrorResponse> {
        self.need(ListChange::Resources, method::RESOURCES_READ)?;
        let reader = self.reader(head.context.principal.as_deref(), method::RESOURCES_READ);
        let (uri, found) = self.requested_resource(&reader, params.text)?;
        let (handler, matched) = match found {
            ServedBy::Here(ResourceSource::Fixed(result)) => {
                #[cfg(feature = "draft")]
                let result = self.with_digest(&head.context, method::RESOURCES_READ, &uri, &result);
                self.give_result(&head, method::RESOURCES_READ, &result);
                return Ok(());
            }
            ServedBy::Here(ResourceSource::Handler(handler, matched)) => (handler, matched),
            ServedBy::Behind(handler) => (handler, None),
            ServedBy::Nowhere => return Err(not_found(&head.context, &uri)),
        };
        let target =
            HandlerCall { matched, ..HandlerCall::new(method::RESOURCES_READ, uri, handler, params.kept()) };
        self.dispatch_to_handler(head, target)
    }

    /// S-PR-02.
    fn prompts_get(&mut self, head: RequestHead<'_>, params: RequestParams<'_>) -> Result<(), ErrorResponse> {
        self.need(ListChange::Prompts, method::PROMPTS_GET)?;
        let reader = self.reader(head.context.principal.as_deref(), method::PROMPTS_GET);
        let (name, found) = self.requested_prompt(&reader, params.text)?;
        let prompt = match found {
            ServedBy::Here(prompt) => prompt,
            ServedBy::Behind(handler) => {
                let target = HandlerCall::new(method::PROMPTS_GET, name, handler, params.kept());
                return self.dispatch_to_handler(head, target);
            }
            ServedBy::Nowhere => return Err(ErrorResponse::params(format!("there is no prompt '{name}'"))),
        };
        let arguments = params.text.and_then(|params| json::member(params, "arguments"));
        if arguments.is_some_and(|arguments| json::kind(arguments) != Some(json::Kind::Object)) {
            return Err(ErrorResponse::params("'arguments' must be an object"));
        }
        let arguments = arguments.unwrap_or("{}");
        let is_wrong = |value: &str| value != "null" && json::string(value).is_none();
        if let Some((argument, _)) = json::members(arguments).find(|(_, value)| is_wrong(value)) {
            return Err(ErrorResponse::params(format!("the argument '{argument}' must be a string")));
        }
        let missing = prompt
            .arguments
            .iter()
            .find(|(argument, required)| *required && given(Some(arguments), argument).is_none());
        if let Some((argument, _)) = missing {
            return Err(ErrorResponse::params(format!(
                "the prompt '{name}' needs the argument '{argument}'"
            )));
        }
        let handler = prompt.handler.clone();
        self.dispatch_to_handler(head, HandlerCall::new(method::PROMPTS_GET, name, handler, params.kept()))
    }

    /// S-LG-02.
    fn set_level(&mut self, head: &RequestHead<'_>, params: Option<&str>) -> Result<(), ErrorResponse> {
        if !self.settings.announced.logging {
            return Err(ErrorResponse::method(method::SET_LEVEL));
        }
        let level = text_member(params, "level")?;
        let Some(level) = Severity::parse(&level) else {
            return Err(ErrorResponse::params(format!("there is no log level '{level}'")));
        };
        self.sessions.set_severity(head.from.session, level);
        self.level_set(head.from.session);
        self.result(head.from, head.id, None, "{}");
        Ok(())
    }

    /// A method of an extension, or one that the server does not offer (S-MD-06, S-MD-13).
    fn extension(
        &mut self,
        head: RequestHead<'_>,
        name: &str,
        params: RequestParams<'_>,
    ) -> Result<(), ErrorResponse> {
        let reader = self.reader(head.context.principal.as_deref(), name);
        let Some(extension) = self.registry.extension(&reader, head.context.revision)? else {
            return self.dispatch_to_relay(head, name, params);
        };
        if let Some(capability) = &extension.capability
            && head.context.era() == Era::Modern
            && !head.context.can("extensions", Some(capability))
        {
            let data = serde_json::json!({ "requiredCapabilities": { "extensions": { capability: {} } } });
            let text = format!("'{name}' needs the extension '{capability}'");
            return Err(ErrorResponse::new(error_code::MISSING_CLIENT_CAPABILITY, text).with(&data));
        }
        let handler = extension.handler.clone();
        self.dispatch_to_handler(head, HandlerCall::new("", name.to_owned(), handler, params.kept()))
    }
}

/// A resource that is not there, or that must look so (S-RS-02, S-RS-03).
pub fn not_found(context: &RequestContext, uri: &str) -> ErrorResponse {
    let code = match context.era() {
        Era::Modern => error_code::INVALID_PARAMS,
        Era::Legacy => error_code::RESOURCE_NOT_FOUND,
    };
    ErrorResponse::new(code, format!("there is no resource '{uri}'")).with(&serde_json::json!({ "uri": uri }))
}

impl<H: Clone> Server<H> {
    /// S-CO-01 to S-CO-04.
    fn complete(&mut self, head: RequestHead<'_>, params: RequestParams<'_>) -> Result<(), ErrorResponse> {
        if !self.registry.completes() && !self.relays_completion() {
            return Err(ErrorResponse::method(method::COMPLETE));
        }
        let reader = self.reader(head.context.principal.as_deref(), method::COMPLETE);
        let CompletionTarget { kind, reference, argument } = self.completion_target(&reader, params.text)?;
        let value = given(given(params.text, "argument"), "value").unwrap_or("\"\"");
        let Some(value) = json::string(value) else {
            return Err(ErrorResponse::params("'value' of 'argument' must be a string"));
        };
        let completer = self.registry.completer(&reader, (kind, &reference), &argument)?.cloned();
        // It is in a list, and its rules were asked.
        let relay = if self.relays_completion() { self.relay_handler(&reader, None)? } else { None };
        match completer.or(relay.map(Completer::Handler)) {
            Some(Completer::Handler(handler)) => {
                let target = HandlerCall::new(method::COMPLETE, reference, handler, params.kept());
                self.dispatch_to_handler(head, target)
            }
            Some(Completer::Values(values)) => {
                let fitting = values.iter().filter(|it| it.starts_with(value.as_ref()));
                let fitting: Vec<&str> = fitting.map(String::as_str).collect();
                let given = fitting.get(..COMPLETIONS).unwrap_or(&fitting);
                let has_more = given.len() < fitting.len();
                let completion =
                    serde_json::json!({ "values": given, "total": fitting.len(), "hasMore": has_more });
                let result = serde_json::json!({ "completion": completion }).to_string();
                self.give_result(&head, method::COMPLETE, &result);
                Ok(())
            }
            None => {
                let nothing = "{\"completion\":{\"values\":[],\"total\":0,\"hasMore\":false}}";
                self.give_result(&head, method::COMPLETE, nothing);
                Ok(())
            }
        }
    }
}
