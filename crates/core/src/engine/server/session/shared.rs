//! What the processes of a server that share a store keep of a session of the older revisions, so that each of them goes on with it:
//! revision, capabilities, principal, subscriptions, the level of log messages, how the lists looked that its client may have read, and the
//! name under which its tasks stand in the store.

use super::Handshake;
use super::context::{Capabilities, read_capabilities};
use crate::engine::server::Server;
use crate::engine::server::effect::SessionId;
use crate::engine::server::notifications::own_stream;
use crate::engine::server::registry::Kind;
use crate::engine::server::settings::Severity;
use crate::engine::server::tasks::table::TaskId;
use crate::json;
use crate::protocol::{Era, Revision, method};
use crate::sorted::SortedSet;
use serde_json::{Value, json};

/// The form of what is kept. Another one is not read.
const FORM: u64 = 1;

/// A session as a store has it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SharedSession {
    revision: Revision,
    capabilities: Capabilities,
    principal: Box<str>,
    /// Under which its tasks stand in the store.
    tasks: Box<str>,
    /// `notifications/initialized` has arrived at a process.
    confirmed: bool,
    severity: Severity,
    subscriptions: SortedSet<Box<str>>,
    /// Of the lists of tools, resources and prompts.
    lists: [u64; 3],
}

impl SharedSession {
    /// What was written; `None` if it is of another form.
    pub fn read(text: &[u8]) -> Option<SharedSession> {
        let kept: Value = serde_json::from_slice(text).ok()?;
        let text = |key: &str| kept.get(key)?.as_str();
        if kept.get("form")?.as_u64()? != FORM {
            return None;
        }
        let mut lists = [0; 3];
        for (list, kept) in lists.iter_mut().zip(kept.get("lists")?.as_array()?) {
            *list = kept.as_u64()?;
        }
        let subscriptions = kept.get("subscriptions")?.as_array()?;
        Some(SharedSession {
            revision: Revision::parse(text("revision")?).filter(|it| it.era() == Era::Legacy)?,
            capabilities: read_capabilities(text("capabilities")?).ok()?,
            principal: text("principal")?.into(),
            tasks: text("tasks")?.into(),
            confirmed: kept.get("confirmed")?.as_bool()?,
            severity: Severity::parse(text("level")?)?,
            subscriptions: json::inserted(subscriptions.iter().filter_map(|uri| Some(uri.as_str()?.into()))),
            lists,
        })
    }

    /// The text of it.
    pub fn text(&self) -> Vec<u8> {
        let subscriptions: Vec<&str> = self.subscriptions.iter().map(AsRef::as_ref).collect();
        let kept = json!({
            "form": FORM, "revision": self.revision.as_str(), "capabilities": &*self.capabilities,
            "principal": self.principal, "tasks": self.tasks, "confirmed": self.confirmed, "level": self.severity.as_str(),
            "subscriptions": subscriptions, "lists": self.lists,
        });
        kept.to_string().into_bytes()
    }

    /// The revision that its client agreed on.
    pub fn revision(&self) -> Revision {
        self.revision
    }

    /// Whether it belongs to a principal, or to none.
    pub fn is_of(&self, principal: Option<&str>) -> bool {
        *self.principal == *principal.unwrap_or_default()
    }

    /// What this process has changed since `base`, done to what another one has written meanwhile.
    #[must_use]
    pub fn merged(base: &SharedSession, ours: &SharedSession, mut theirs: SharedSession) -> SharedSession {
        theirs.confirmed |= ours.confirmed;
        if ours.severity != base.severity {
            theirs.severity = ours.severity;
        }
        for uri in ours.subscriptions.iter().filter(|uri| !base.subscriptions.contains(&***uri)) {
            theirs.subscriptions.insert(uri.clone());
        }
        for uri in base.subscriptions.iter().filter(|uri| !ours.subscriptions.contains(&***uri)) {
            theirs.subscriptions.remove(&**uri);
        }
        theirs
    }
}

impl<H: Clone> Server<H> {
    /// What a store is to have of a session; `None` without a handshake, and where the system gives no random numbers.
    pub fn shared_session(&mut self, id: SessionId) -> Option<SharedSession> {
        let Handshake { revision, capabilities, severity, confirmed } = self.sessions.agreed(id).cloned()?;
        if self.sessions.store_name(id).is_none() {
            let mut bits = [0; 16];
            if !self.keys.random(&mut bits) {
                return None;
            }
            self.sessions.share_as(id, TaskId::new(bits).as_str());
        }
        let tasks = self.sessions.store_name(id)?.into();
        let principal = self.sessions.principal(id);
        Some(SharedSession {
            revision,
            capabilities,
            principal: principal.as_ref().map_or("", |principal| &principal.id).into(),
            tasks,
            confirmed,
            severity,
            subscriptions: self.sessions.subscriptions_of(id),
            lists: self.fingerprints(),
        })
    }

    /// Goes on with a session that was just opened here and began elsewhere. Its client is told of lists that look different here.
    pub fn take_up_session(&mut self, id: SessionId, shared: &SharedSession) {
        let SharedSession { revision, capabilities, severity, .. } = shared;
        if !self.sessions.agree(id, *revision, capabilities.clone(), *severity) {
            return;
        }
        // Its client has the name from the answer to the handshake, and may have confirmed that elsewhere.
        self.sessions.confirm(id);
        self.sessions.share_as(id, &shared.tasks);
        self.joined(id);
        self.follow_session(id, shared);
        let lists = self.fingerprints();
        for list in self.offered() {
            if lists[list as usize] != shared.lists[list as usize] {
                self.notify(own_stream(id), list.notification(), "{}");
            }
        }
    }

    /// Level and subscriptions become those that a store has. Gives the resources to which the session was not subscribed here.
    pub fn follow_session(&mut self, id: SessionId, shared: &SharedSession) -> Vec<Box<str>> {
        if shared.confirmed {
            self.sessions.confirm(id);
        }
        self.sessions.set_severity(id, shared.severity);
        let own = self.sessions.subscriptions_of(id);
        if own == shared.subscriptions {
            return Vec::new();
        }
        for uri in own.iter().filter(|uri| !shared.subscriptions.contains(&***uri)) {
            self.sessions.unsubscribe(id, uri);
        }
        let limit = self.settings.limits.subscriptions_per_session;
        let mut newer = Vec::new();
        for uri in shared.subscriptions.iter().filter(|uri| !own.contains(&***uri)) {
            // Where this process has no room for it, its changes are told by another one.
            if self.sessions.subscribe(id, uri, limit).is_ok() {
                newer.push(uri.clone());
            }
        }
        self.subscriptions_changed(id);
        newer
    }

    /// The client of a session reads here what it read elsewhere before: what was told there is told once more.
    pub fn tell_everything(&mut self, id: SessionId) {
        for list in self.offered() {
            self.notify(own_stream(id), list.notification(), "{}");
        }
        let all: Vec<Box<str>> = self.sessions.subscriptions_of(id).iter().cloned().collect();
        self.tell_resources(id, &all);
    }

    /// The client of a session is told of resources that may have changed before this process knew of its subscriptions.
    pub fn tell_resources(&mut self, id: SessionId, uris: &[Box<str>]) {
        for uri in uris {
            let may_hear = self.may_be_notified(id, |reader| self.source(reader, uri).map(drop));
            if may_hear {
                let params = format!("{{\"uri\":{}}}", json::quote(uri));
                self.notify(own_stream(id), method::RESOURCE_UPDATED, &params);
            }
        }
    }

    /// How the lists look: others when an entry is.
    fn fingerprints(&mut self) -> [u64; 3] {
        if let Some(known) = self.fingerprints {
            return known;
        }
        let of = |kind| self.registry.fingerprint(kind);
        let resources = of(Kind::Resource) ^ of(Kind::Template).rotate_left(1);
        let lists = [of(Kind::Tool), resources, of(Kind::Prompt)];
        self.fingerprints = Some(lists);
        lists
    }
}
