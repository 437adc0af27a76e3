//! A server that stands before another one: the application gets what the engine otherwise answers or drops by itself, and
//! learns what clients want to be told of.

use super::context::{Context, Refusal};
use super::effect::{Effect, Now, SessionId, Stream};
use super::handing_on::Target;
use super::listens::Changed;
use super::params::FrameText;
use super::registry::Kind;
use super::relay::{Relay, decides_about_tasks};
use super::router::Server;
use super::settings::Severity;
use super::wire_id::WireId;
use crate::json;
use crate::protocol::task::Support;
use crate::protocol::{Era, Revision, method};
use serde_json::{Map, Value};
use std::collections::BTreeSet;

/// The capabilities that the engine announces by what it offers; those of tasks it has by its tools.
const OWN: [&str; 5] = ["tools", "resources", "prompts", "logging", "tasks"];
/// The extension of tasks, which is announced where tools may run as tasks.
const TASKS: &str = crate::protocol::task::EXTENSION;

/// The methods in the table that a server may lack, so that the one behind is asked.
const HANDED_ON: [&str; 3] = [method::SKILLS_LIST, method::SKILLS_GET, method::DIRECTORY_READ];

impl<H: Clone> Server<H> {
    /// Makes the server a relay: `handler` gets every request that nothing else is for, and the application is told of
    /// notifications, subscriptions and levels. `capabilities` are those of the server behind.
    pub fn relay(&mut self, handler: H, capabilities: Map<String, Value>) {
        if decides_about_tasks(&capabilities) {
            self.registry.allow_tasks();
        }
        self.relay = Some(Relay { handler, capabilities, subscribed: BTreeSet::new() });
    }

    /// The handler for a request that nothing else is for.
    pub(super) fn relay_handler(&self) -> Option<H> {
        self.relay.as_ref().map(|relay| relay.handler.clone())
    }

    /// Whether the server behind completes arguments.
    pub(super) fn relays_completion(&self) -> bool {
        self.relay.as_ref().is_some_and(|relay| relay.capabilities.contains_key("completions"))
    }

    /// What a tool says of tasks. In 2026-07-28 it need not say it: the server behind decides for each call.
    pub(super) fn support_of(&self, said: Support, context: &Context) -> Support {
        let decides = self.relay.as_ref().is_some_and(|relay| decides_about_tasks(&relay.capabilities));
        match said {
            Support::Forbidden if decides && context.era() == Era::Modern => Support::Optional,
            said => said,
        }
    }

    /// Whether subscriptions to resources are of use.
    pub(super) fn takes_subscriptions(&self) -> bool {
        self.relay.as_ref().is_none_or(|relay| {
            let resources = relay.capabilities.get("resources");
            resources.and_then(|it| it.get("subscribe")).is_some_and(|it| *it == Value::Bool(true))
        })
    }

    /// Adds to the announced capabilities those of the server behind that the engine does not have by itself.
    pub(super) fn push_relayed(&self, revision: Revision, all: &mut Map<String, Value>) {
        let Some(relay) = &self.relay else { return };
        let knows_extensions = revision.differences().extensions;
        for (name, value) in &relay.capabilities {
            match name.as_str() {
                own if OWN.contains(&own) => {}
                "completions" if revision < Revision::V2025_03_26 => {}
                "extensions" if !knows_extensions => {}
                "extensions" => {
                    let there = all.entry("extensions").or_insert_with(|| Value::Object(Map::new()));
                    if let (Value::Object(there), Value::Object(more)) = (there, value) {
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

    /// Hands a request on that no entry is for; `Err` gives back what says that there is nothing.
    pub(super) fn hand_to_relay(
        &mut self,
        now: Now,
        at: (Stream, &WireId, Context),
        of: (&'static str, String),
        params: Option<&str>,
        refusal: impl FnOnce(&Context) -> Refusal,
    ) -> Result<(), Refusal> {
        let (from, id, context) = at;
        let (method, name) = of;
        let belongs_to_protocol =
            method.is_empty() && method::find(&name).is_some() && !HANDED_ON.contains(&name.as_str());
        let Some(handler) = self.relay_handler().filter(|_| !belongs_to_protocol) else {
            return Err(refusal(&context));
        };
        let params = FrameText::copied(params.unwrap_or("{}"));
        let target =
            Target { method, name, handler, params, may_resume: true, variables: None, output: None };
        self.hand_on(now, from, id, context, target)
    }

    /// A notification of a client that the engine does not know.
    pub(super) fn notified(&mut self, from: SessionId, name: &str, params: Option<&str>) {
        if self.relay.is_some() {
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
    pub(super) fn level_set(&mut self) {
        if self.relay.is_some() {
            self.effects.push_back(Effect::LevelSet);
        }
    }

    /// Subscriptions may have changed. Those that only end need no look where there are none.
    pub(super) fn subscriptions_changed(&mut self, may_be_new: bool) {
        let is_of_interest =
            self.relay.as_ref().is_some_and(|relay| may_be_new || !relay.subscribed.is_empty());
        if !is_of_interest {
            return;
        }
        let subscribed = self.subscribed();
        if let Some(relay) = &mut self.relay
            && relay.subscribed != subscribed
        {
            relay.subscribed = subscribed;
            self.effects.push_back(Effect::Subscriptions);
        }
    }

    /// The resources that clients are subscribed to, in either era.
    pub fn subscribed(&self) -> BTreeSet<Box<str>> {
        self.sessions.subscriptions().chain(self.listens.resources()).map(Into::into).collect()
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
