//! A server that stands before another one: the application gets what the engine otherwise answers or drops by itself, and learns what
//! clients subscribe to.

use super::Server;
use super::access::{MissingScopes, ScopedReader};
use super::effect::{Effect, Now, SessionId};
use super::registry::Kind;
use super::requests::params::RequestParams;
use super::requests::{HandlerCall, RequestHead};
use super::session::context::{ErrorResponse, RequestContext};
use super::settings::Severity;
use super::subscriptions::ListChange;
use crate::json;
use crate::protocol::task::{EXTENSION as TASKS, Support};
use crate::protocol::{Era, Revision, capability, method};
use crate::sorted::SortedSet;
use serde_json::{Map, Value};

/// The capabilities that the engine announces by what it offers; those of tasks it has by its tools.
const OWN: [&str; 5] = ["tools", "resources", "prompts", "logging", "tasks"];

/// The most clients whose changes are remembered until the application asks.
const MOST_CHANGED: usize = 10_000;

/// What a relay needs beside what every server has.
#[derive(Debug)]
pub struct Relay<H> {
    /// Gets the requests that no entry of the registry is for.
    handler: H,
    /// What the server behind declares.
    capabilities: Map<String, Value>,
    /// The application was told that subscriptions have changed, and has not asked for them since.
    is_told: bool,
    /// Whose have changed since then.
    changed_by: SortedSet<u64>,
}

impl<H: Clone> Relay<H> {
    pub fn new(handler: H, capabilities: Map<String, Value>) -> Relay<H> {
        Relay { handler, capabilities, is_told: false, changed_by: SortedSet::new() }
    }

    pub fn handler(&self) -> H {
        self.handler.clone()
    }

    /// Whether the server behind completes arguments.
    pub fn completes(&self) -> bool {
        self.capabilities.get("completions").is_some_and(capability::says)
    }

    /// Whether the server behind decides for each call whether it becomes a task.
    pub fn decides_about_tasks(&self) -> bool {
        capability::has_extension(&self.capabilities, TASKS)
    }

    /// What a tool says of tasks. In 2026-07-28 it need not say it.
    pub fn support_of(&self, said: Support, era: Era) -> Support {
        match said {
            Support::Forbidden if self.decides_about_tasks() && era == Era::Modern => Support::Optional,
            said => said,
        }
    }

    /// Whether the server behind takes subscriptions to resources.
    pub fn takes_subscriptions(&self) -> bool {
        let resources = self.capabilities.get("resources");
        resources.and_then(|it| it.get("subscribe")).is_some_and(|it| *it == Value::Bool(true))
    }

    /// Adds to the announced capabilities those of the server behind that the engine does not have by itself.
    pub fn push_capabilities(&self, revision: Revision, all: &mut Map<String, Value>) {
        let knows_extensions = revision.differences().extensions;
        for (name, value) in &self.capabilities {
            match name.as_str() {
                _ if !capability::says(value) => {}
                own if OWN.contains(&own) => {}
                "completions" if revision < Revision::V2025_03_26 => {}
                "extensions" if !knows_extensions => {}
                "extensions" => {
                    let there = all.entry("extensions").or_insert_with(|| Value::Object(Map::new()));
                    if let (Value::Object(there), Value::Object(more)) = (there, value) {
                        // That of tasks is announced where tools may run as tasks.
                        for (name, settings) in more.iter().filter(|(name, _)| *name != TASKS) {
                            there.entry(name).or_insert_with(|| settings.clone());
                        }
                    }
                }
                _ => {
                    all.entry(name).or_insert_with(|| value.clone());
                }
            }
        }
        if all.get("extensions").and_then(Value::as_object).is_some_and(Map::is_empty) {
            all.remove("extensions");
        }
    }

    /// Subscriptions of a client may have changed. Whether the application must be told: once, until it asks for them.
    pub fn must_tell(&mut self, holder: u64) -> bool {
        // A session that has ended has no holder. The application asks soon, and who it does not learn of waits for nothing.
        if holder != 0 && self.changed_by.len() < MOST_CHANGED {
            self.changed_by.insert(holder);
        }
        !std::mem::replace(&mut self.is_told, true)
    }

    /// The application has asked for the subscriptions. Gives whose have changed since the last time.
    pub fn was_asked(&mut self) -> SortedSet<u64> {
        self.is_told = false;
        std::mem::take(&mut self.changed_by)
    }
}

/// The methods in the table that a server may lack, so that the one behind is asked.
const HANDED_ON: [&str; 3] = [method::SKILLS_LIST, method::SKILLS_GET, method::DIRECTORY_READ];

impl<H: Clone> Server<H> {
    /// Makes the server a relay: `handler` gets every request that nothing else is for, and the application is told of
    /// notifications, subscriptions and levels. `capabilities` are those of the server behind.
    pub fn relay(&mut self, handler: H, capabilities: Map<String, Value>) {
        let relay = Relay::new(handler, capabilities);
        if relay.decides_about_tasks() {
            self.registry.allow_tasks();
        }
        self.relay = Some(relay);
    }

    /// The handler for a request that nothing else is for, and that is about something of a kind.
    ///
    /// # Errors
    /// What its reader needs for what is in no list.
    pub(super) fn relay_handler(
        &self,
        reader: &ScopedReader<'_>,
        kind: Option<Kind>,
    ) -> Result<Option<H>, MissingScopes> {
        let Some(relay) = &self.relay else { return Ok(None) };
        reader.unlisted(kind)?;
        Ok(Some(relay.handler()))
    }

    /// Whether the server behind completes arguments.
    pub(super) fn relays_completion(&self) -> bool {
        self.relay.as_ref().is_some_and(Relay::completes)
    }

    /// What a tool says of tasks, and the server behind for it.
    pub(super) fn support_of(&self, said: Support, context: &RequestContext) -> Support {
        self.relay.as_ref().map_or(said, |relay| relay.support_of(said, context.era()))
    }

    /// Whether subscriptions to resources are of use.
    pub(super) fn takes_subscriptions(&self) -> bool {
        self.relay.as_ref().is_none_or(Relay::takes_subscriptions)
    }

    /// Adds to the announced capabilities those of the server behind.
    pub(super) fn push_relayed(&self, revision: Revision, all: &mut Map<String, Value>) {
        if let Some(relay) = &self.relay {
            relay.push_capabilities(revision, all);
        }
    }

    /// Whether the server behind is asked for a method that this one does not have.
    pub(super) fn is_relayed(&self, name: &str) -> bool {
        self.relay.is_some() && (method::find(name).is_none() || HANDED_ON.contains(&name))
    }

    /// Hands a request on whose method this server does not have.
    pub(super) fn dispatch_to_relay(
        &mut self,
        head: RequestHead<'_>,
        name: &str,
        params: RequestParams<'_>,
    ) -> Result<(), ErrorResponse> {
        if !self.is_relayed(name) {
            return Err(ErrorResponse::method(name));
        }
        let reader = self.reader(head.context.principal.as_deref(), name);
        // What skills and folders have are resources.
        let kind = HANDED_ON.contains(&name).then_some(Kind::Resource);
        let Some(handler) = self.relay_handler(&reader, kind)? else {
            return Err(ErrorResponse::method(name));
        };
        self.dispatch_to_handler(head, HandlerCall::new("", name.to_owned(), handler, params.kept()))
    }

    /// A notification of a client that the engine does not know.
    pub(super) fn notified(&mut self, from: SessionId, name: &str, params: Option<&str>) {
        // A request without an id is not a notification: a server behind that serves it all the same would do so unasked.
        let is_request = method::find(name).is_some() && !name.starts_with("notifications/");
        if self.relay.is_some() && !is_request {
            let params = params.filter(|text| json::kind(text) == Some(json::Kind::Object)).unwrap_or("{}");
            self.effects.push_back(Effect::Notified {
                session: from,
                method: name.into(),
                params: params.into(),
            });
        }
    }

    /// The handshake of a session is finished.
    pub(super) fn joined(&mut self, session: SessionId) {
        if self.relay.is_some() {
            self.effects.push_back(Effect::Joined(session));
        }
    }

    /// A client has set its level of log messages.
    pub(super) fn level_set(&mut self, by: SessionId) {
        if self.relay.is_some() {
            self.effects.push_back(Effect::LevelSet(self.sessions.holder_number(by)));
        }
    }

    /// Subscriptions of a session may have changed. What they are then is found out when the application asks, for many changes at once.
    pub(super) fn subscriptions_changed(&mut self, by: SessionId) {
        let holder = self.sessions.holder_number(by);
        if self.relay.as_mut().is_some_and(|relay| relay.must_tell(holder)) {
            self.effects.push_back(Effect::Subscriptions);
        }
    }

    /// The resources that clients are subscribed to, in either era, and the numbers of the clients whose subscriptions have changed
    /// since the last time. From then on the application is told of changes again.
    pub fn subscribed(&mut self) -> (SortedSet<Box<str>>, SortedSet<u64>) {
        let changed_by = self.relay.as_mut().map(Relay::was_asked).unwrap_or_default();
        let all = self.sessions.subscriptions().chain(self.listens.resources()).map(Into::into).collect();
        (all, changed_by)
    }

    /// The least severe log message that a client of the legacy era wants; `None` without such a client.
    pub fn least_severity(&self) -> Option<Severity> {
        self.sessions.least_severity()
    }

    /// Whether a session is open.
    pub fn has_session(&self, session: SessionId) -> bool {
        self.sessions.is_open(session)
    }

    /// Tells clients that a list has changed, although its entries here are the same.
    pub fn list_changed(&mut self, now: Now, kind: Kind) {
        self.changed(now, ListChange::of(kind));
    }
}
