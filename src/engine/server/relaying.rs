//! A server that stands before another one: the application gets what the engine otherwise answers or drops by itself, and
//! learns what clients want to be told of.

use super::access::{Lacks, Reader};
use super::context::{Context, Refusal};
use super::effect::{Effect, Now, SessionId, Stream};
use super::handing_on::Target;
use super::listens::Changed;
use super::registry::Kind;
use super::relay::Relay;
use super::router::Server;
use super::settings::Severity;
use super::wire_id::WireId;
use crate::json;
use crate::protocol::task::Support;
use crate::protocol::{Revision, method};
use serde_json::{Map, Value};
use std::collections::BTreeSet;

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
    pub(super) fn relay_handler(&self, reader: &Reader<'_>, kind: Option<Kind>) -> Result<Option<H>, Lacks> {
        let Some(relay) = &self.relay else { return Ok(None) };
        reader.unlisted(kind)?;
        Ok(Some(relay.handler()))
    }

    /// Whether the server behind completes arguments.
    pub(super) fn relays_completion(&self) -> bool {
        self.relay.as_ref().is_some_and(Relay::completes)
    }

    /// What a tool says of tasks, and the server behind for it.
    pub(super) fn support_of(&self, said: Support, context: &Context) -> Support {
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
    pub(super) fn hand_behind(
        &mut self,
        now: Now,
        from: Stream,
        id: &WireId,
        context: Context,
        (name, params): (&str, Option<&str>),
    ) -> Result<(), Refusal> {
        if !self.is_relayed(name) {
            return Err(Refusal::method(name));
        }
        let reader = self.reader(context.principal.as_deref(), name);
        // What skills and folders have are resources.
        let kind = HANDED_ON.contains(&name).then_some(Kind::Resource);
        let Some(handler) = self.relay_handler(&reader, kind)? else { return Err(Refusal::method(name)) };
        self.hand_on(now, from, id, context, Target::new("", name.to_owned(), handler, params))
    }

    /// A notification of a client that the engine does not know.
    pub(super) fn notified(&mut self, from: SessionId, name: &str, params: Option<&str>) {
        // A request without an id is no notification: a server behind that serves it all the same would do so unasked.
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
    pub fn subscribed(&mut self) -> (BTreeSet<Box<str>>, BTreeSet<u64>) {
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
        self.changed(now, Changed::of(kind));
    }
}
