//! What a server says of itself: the handshake of the legacy era and the discovery of the modern one.

use super::context::{ErrorResponse, read_capabilities};
use crate::engine::server::Server;
use crate::engine::server::effect::{RequestId, Stream};
use crate::engine::server::registry::Kind;
use crate::engine::server::requests::params::{WireId, given};
use crate::engine::server::settings::Severity;
use crate::engine::server::skills::SKILLS_EXTENSION;
use crate::engine::server::subscriptions::ListChange;
use crate::engine::server::tasks::table::TaskId;
use crate::json;
use crate::protocol::task::Form;
use crate::protocol::{Era, Revision, error_code, lenient, method, task};
use crate::sorted::SortedSet;
use std::time::Instant;

impl<H: Clone> Server<H> {
    /// The legacy handshake (S-LC-01 to S-LC-04, S-LC-08, S-LC-10).
    pub(in crate::engine::server) fn initialize(
        &mut self,
        from: Stream,
        id: &WireId,
        params: Option<&str>,
    ) -> Result<(), ErrorResponse> {
        // What a client leaves out takes nothing from what it may do: it is offered the newest revision, and asked nothing.
        let object = |name: &str| match given(params, name) {
            None => Ok("{}"),
            Some(text) => lenient::as_object(text)
                .ok_or_else(|| ErrorResponse::params(format!("'{name}' must be an object"))),
        };
        let wanted = match given(params, "protocolVersion") {
            None => None,
            Some(text) => {
                let text = json::string(text);
                Some(text.ok_or_else(|| ErrorResponse::params("'protocolVersion' must be a string"))?)
            }
        };
        object("clientInfo")?;
        let declared = object("capabilities")?;
        let capabilities = read_capabilities(declared)?;
        let is_object = |name| {
            params.and_then(|params| json::member(params, name)).and_then(json::kind)
                == Some(json::Kind::Object)
        };
        if wanted.is_none() || !is_object("clientInfo") || !is_object("capabilities") {
            self.tolerated(from.session, method::INITIALIZE);
        }
        let legacy = |revision: &Revision| revision.era() == Era::Legacy;
        let known = wanted
            .and_then(|wanted| Revision::parse(&wanted))
            .filter(|it| legacy(it) && self.settings.revisions.contains(it));
        let newest = self.settings.revisions.iter().copied().filter(legacy).max();
        let Some(revision) = known.or(newest) else { return Err(ErrorResponse::method(method::INITIALIZE)) };
        if !self.sessions.agree(from.session, revision, capabilities, self.settings.severity) {
            let text = "the session is initialized already";
            return Err(ErrorResponse::new(error_code::INVALID_REQUEST, text));
        }
        let mut result = format!(
            "{{\"protocolVersion\":\"{}\",\"capabilities\":{},\"serverInfo\":{}",
            revision.as_str(),
            self.capabilities(revision),
            self.info_at(revision)
        );
        self.push_instructions(&mut result);
        result.push('}');
        self.result(from, id, None, &result);
        Ok(())
    }

    /// What is known of the server without asking anything of it (S-MD-08).
    pub(in crate::engine::server) fn discovery(&self, revision: Revision) -> String {
        let modern = self.settings.revisions.iter().filter(|it| it.era() == Era::Modern);
        let versions: Vec<&str> = modern.map(|it| it.as_str()).collect();
        let mut result = format!(
            "{{\"supportedVersions\":{},\"capabilities\":{}",
            serde_json::json!(versions),
            self.capabilities(revision)
        );
        self.push_instructions(&mut result);
        result.push('}');
        result
    }

    fn push_instructions(&self, result: &mut String) {
        if let Some(instructions) = &self.settings.instructions {
            result.push_str(",\"instructions\":");
            json::quote_into(instructions, result);
        }
    }

    /// `serverInfo` without the members that came later (S-LC-04).
    fn info_at(&self, revision: Revision) -> String {
        let mut info = String::from("{");
        for (name, value) in json::members(&self.settings.info) {
            let since = match name {
                "title" => Revision::V2025_06_18,
                "icons" | "websiteUrl" | "description" => Revision::V2025_11_25,
                _ => Revision::V2024_11_05,
            };
            if revision >= since {
                info.push_str(if info.len() > 1 { ",\"" } else { "\"" });
                info.push_str(name);
                info.push_str("\":");
                info.push_str(value);
            }
        }
        info.push('}');
        info
    }

    /// The capabilities: what is announced is there (S-MD-10).
    fn capabilities(&self, revision: Revision) -> String {
        let mut all = serde_json::Map::new();
        let offered = self.offered();
        // In 2026-07-28 changes are told on streams of `subscriptions/listen` only (S-SU-11).
        let tells_changes = self.settings.offers_listen || revision.era() == Era::Legacy;
        let with_changes =
            if tells_changes { serde_json::json!({ "listChanged": true }) } else { serde_json::json!({}) };
        if offered.contains(&ListChange::Tools) {
            all.insert("tools".to_owned(), with_changes.clone());
        }
        if offered.contains(&ListChange::Resources) {
            let mut with_both = with_changes.clone();
            if tells_changes && self.takes_subscriptions() {
                with_both["subscribe"] = true.into();
            }
            all.insert("resources".to_owned(), with_both);
        }
        if offered.contains(&ListChange::Prompts) {
            all.insert("prompts".to_owned(), with_changes);
        }
        if self.registry.completes() && revision >= Revision::V2025_03_26 {
            all.insert("completions".to_owned(), serde_json::json!({}));
        }
        if self.settings.announced.logging {
            all.insert("logging".to_owned(), serde_json::json!({}));
        }
        let form = Form::at(revision).filter(|_| self.registry.runs_tasks());
        if form == Some(Form::Core) && self.registry.has_tools_for_tasks() {
            let with_all =
                serde_json::json!({ "list": {}, "cancel": {}, "requests": { "tools": { "call": {} } } });
            all.insert("tasks".to_owned(), with_all);
        }
        let mut extensions = self.registry.extension_capabilities(revision);
        if self.skills.are_served() {
            extensions.extend([SKILLS_EXTENSION]);
        }
        if revision.differences().extensions && (!extensions.is_empty() || form.is_some()) {
            let mut map = serde_json::Map::new();
            if form == Some(Form::Extension) {
                map.insert(task::EXTENSION.to_owned(), serde_json::json!({}));
            }
            for (name, settings) in extensions {
                let settings = serde_json::from_str(settings).unwrap_or_else(|_| serde_json::json!({}));
                map.insert(name.to_owned(), settings);
            }
            all.insert("extensions".to_owned(), map.into());
        }
        #[cfg(feature = "draft")]
        if revision.era() == Era::Modern {
            self.push_draft_capabilities(&mut all);
        }
        self.push_relayed(revision, &mut all);
        serde_json::Value::Object(all).to_string()
    }

    /// The lists that the server offers.
    pub(in crate::engine::server) fn offered(&self) -> SortedSet<ListChange> {
        let all = [ListChange::Tools, ListChange::Resources, ListChange::Prompts];
        json::inserted(all.into_iter().filter(|it| self.offers(*it)))
    }

    /// Whether the server offers a list.
    pub(in crate::engine::server) fn offers(&self, list: ListChange) -> bool {
        let (announced, registry) = (&self.settings.announced, &self.registry);
        match list {
            ListChange::Tools => announced.tools || registry.had(Kind::Tool),
            ListChange::Resources => {
                announced.resources
                    || registry.had(Kind::Resource)
                    || registry.had(Kind::Template)
                    || self.skills.are_served()
            }
            ListChange::Prompts => announced.prompts || registry.had(Kind::Prompt),
        }
    }
}

impl<H: Clone> Server<H> {
    /// Who sent a request and how it is to be answered, as JSON text. `None` when it is over.
    pub fn describe_request(&self, number: RequestId, now: Instant) -> Option<String> {
        let request = self.requests.get(number)?;
        let context = &request.context;
        let mut described = serde_json::json!({
            "session": request.stream.session.0,
            "revision": context.revision.as_str(),
            "era": if context.era() == Era::Legacy { "legacy" } else { "modern" },
            "name": &*request.name,
            "capabilities": serde_json::from_str::<serde_json::Value>(&context.capabilities).unwrap_or_default(),
            "wants_progress": context.progress.is_some(),
            "log_level": context.severity.map(Severity::as_str),
            "round": request.questions.rounds(),
            "task": request.task.as_ref().map(TaskId::as_str),
        });
        if let Some(task) = &request.task {
            described["attempt"] = self.attempts_of(task).0.into();
        }
        if let Some(at) = request.deadline {
            let left = at.saturating_duration_since(now).as_millis();
            described["deadline_ms"] = u64::try_from(left).unwrap_or(u64::MAX).into();
        }
        #[cfg(feature = "draft")]
        if let Some(language) = self.answer_language(context) {
            described["language"] = language.into();
        }
        if let Some(context) = self.context_of_span(request.stream, &request.id) {
            described["traceparent"] = context.text().into();
        }
        if let Some(principal) = &context.principal {
            described["principal"] = serde_json::from_str(&principal.text).unwrap_or_default();
        }
        if let (Some(matched), Some(all)) = (&request.matched, described.as_object_mut()) {
            let matched: serde_json::Map<_, _> = serde_json::from_str(matched).unwrap_or_default();
            all.extend(matched);
        }
        Some(described.to_string())
    }
}
