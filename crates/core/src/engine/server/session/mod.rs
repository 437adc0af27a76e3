//! The sessions: who is connected, which handshake each has behind it, and what each has asked for that lasts.
//!
//! [`SessionTable`], the part, is in this file.
//!
//! The files:
//!
//! * `context`: `RequestContext`: what is known of the sender of a request; `RequestMeta`: the members of its `_meta`; `ErrorResponse`, an
//!   error for it
//! * `handshake`: handshake and discovery; what the application reads about a request
//! * `sealed`: `SealedSession`: names of sessions with which another process goes on
//! * `shared`: `SharedSession`: what a store has of a session, with which another process goes on

pub(super) mod context;
mod handshake;
mod sealed;
mod shared;

use super::access::Principal;
use super::effect::SessionId;
use super::settings::Severity;
use crate::protocol::Revision;
use crate::shares::{Holder, Lending, Shares};
use crate::sorted::{SortedMap, SortedSet};
use context::{Capabilities, ErrorResponse, RequestContext, read_capabilities};
use std::sync::Arc;

pub use sealed::SealedSession;
pub use shared::SharedSession;

/// The longest URI that a client may subscribe to: each is kept as long as the subscription.
pub const URI_BYTES: usize = 8192;

/// What a subscription and each of its URIs take beside their texts: the memory of the tables, and what the allocator adds.
pub const EACH_BYTES: usize = 96;
/// What every client may have of the bytes of subscriptions.
pub const FLOOR_BYTES: usize = 64 * 1024;

/// What a session agreed on in the handshake of the legacy era.
#[derive(Clone, Debug)]
struct Handshake {
    revision: Revision,
    capabilities: Capabilities,
    severity: Severity,
    /// `notifications/initialized` has arrived.
    confirmed: bool,
}

/// What each client may have open of requests over HTTP while there is room: those that wait for a place are among them.
const FLOOR_REQUESTS: usize = 64;

#[derive(Debug, Default)]
struct SessionState {
    agreed: Option<Handshake>,
    /// The capabilities of the last modern request: a client sends the same with each.
    last: Option<Capabilities>,
    /// URIs of resources (legacy era).
    subscriptions: SortedSet<Box<str>>,
    /// Whose they are, and their bytes.
    subscribed: Option<(Holder, usize)>,
    /// Whose it is where requests are not authorized, if that is known.
    holder: Option<Holder>,
    /// Who its newest frame comes from, where requests are authorized.
    principal: Option<Arc<Principal>>,
    /// Whether the client's ids are its own on each stream, as over HTTP, or one space for the whole session.
    ids_per_stream: bool,
    /// Whether it is one request of the modern era, as over HTTP.
    is_request: bool,
    /// Its client sends nothing more, and so answers nothing.
    is_silent: bool,
    /// The number of whose it is: sessions of one client have the same.
    holder_number: u64,
    /// The name under which its tasks stand in a store, where other processes may go on with it.
    store_name: Option<Box<str>>,
}

/// All sessions. Owns them; nothing else changes one.
#[derive(Debug)]
pub struct SessionTable {
    open: SortedMap<SessionId, SessionState>,
    next: u64,
    limit: usize,
    /// Those of them that are one request, by whose they are.
    requests: Shares<Holder>,
    /// The capabilities of the last one of those.
    last_of_requests: Option<Capabilities>,
    /// Bytes of what they are subscribed to.
    subscribed: Shares<Holder>,
    /// The numbers of those that are known to have sessions, and how many these are.
    holders: SortedMap<Holder, (u64, usize)>,
    next_holder: u64,
}

/// Why a session is not subscribed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SubscribeRefused {
    /// It has ended.
    Ended,
    /// It has as many subscriptions as it may have.
    Number,
    /// Its client has as many bytes as it may have at present.
    Bytes(usize),
}

impl SessionTable {
    /// No session, and room for `limit`, beside them for `most_requests` that are one request, and for `bytes` of subscriptions.
    pub fn new(limit: usize, most_requests: usize, bytes: usize) -> SessionTable {
        SessionTable {
            open: SortedMap::new(),
            next: 1,
            limit,
            requests: Shares::new(most_requests, FLOOR_REQUESTS, Lending::Half),
            last_of_requests: None,
            subscribed: Shares::new(bytes, FLOOR_BYTES, Lending::Half),
            holders: SortedMap::new(),
            next_holder: 1,
        }
    }

    /// Whether there are fewer than there may be.
    pub fn has_room(&self) -> bool {
        self.lasting() < self.limit
    }

    /// Opens a session, unless the limit is reached.
    pub fn open(&mut self, ids_per_stream: bool) -> Option<SessionId> {
        if !self.has_room() {
            return None;
        }
        Some(self.add(SessionState { ids_per_stream, ..SessionState::default() }))
    }

    /// Opens one that is one request of the modern era. It takes no place of a session: there may be as many as requests and
    /// subscriptions together, and one client has at most half of what the others leave.
    #[cfg(feature = "http")]
    pub fn open_for_request(&mut self, holder: Holder) -> Option<SessionId> {
        self.requests.take(&holder, 1).ok()?;
        let id = self.add(SessionState { ids_per_stream: true, is_request: true, ..SessionState::default() });
        self.held_by(id, holder);
        Some(id)
    }

    fn add(&mut self, session: SessionState) -> SessionId {
        let id = SessionId(self.next);
        self.next += 1;
        let holder = self.new_holder();
        self.open.insert(id, SessionState { holder_number: holder, ..session });
        id
    }

    fn new_holder(&mut self) -> u64 {
        self.next_holder += 1;
        self.next_holder
    }

    /// The number of whose a session is.
    pub fn holder_number(&self, id: SessionId) -> u64 {
        self.open.get(&id).map_or(0, |session| session.holder_number)
    }

    /// Whether a session is one request.
    pub fn is_request(&self, id: SessionId) -> bool {
        self.open.get(&id).is_some_and(|session| session.is_request)
    }

    /// Forgets a session; whether there was one.
    pub fn close(&mut self, id: SessionId) -> bool {
        let closed = self.open.remove(&id);
        if let Some((holder, bytes)) = closed.as_ref().and_then(|session| session.subscribed.as_ref()) {
            self.subscribed.give(holder, *bytes);
        }
        let known = closed.as_ref().and_then(|session| Some((session.holder.as_ref()?, session.is_request)));
        if let Some((known, true)) = known {
            self.requests.give(known, 1);
        }
        if let Some((known, _)) = known
            && let Some((_, sessions)) = self.holders.get_mut(known)
        {
            *sessions -= 1;
            if *sessions == 0 {
                self.holders.remove(known);
            }
        }
        closed.is_some()
    }

    /// Whether the session is open.
    pub fn is_open(&self, id: SessionId) -> bool {
        self.open.contains_key(&id)
    }

    /// The client of a session sends nothing more.
    pub fn silence(&mut self, id: SessionId) {
        if let Some(session) = self.open.get_mut(&id) {
            session.is_silent = true;
        }
    }

    /// Whether the client of a session sends nothing more.
    pub fn is_silent(&self, id: SessionId) -> bool {
        self.open.get(&id).is_some_and(|session| session.is_silent)
    }

    /// How many there are that are more than one request.
    pub fn lasting(&self) -> usize {
        self.open.len() - self.requests.used()
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.open.len()
    }

    /// Whether ids of requests are compared within one stream only.
    pub fn has_ids_per_stream(&self, id: SessionId) -> bool {
        self.open.get(&id).is_some_and(|session| session.ids_per_stream)
    }

    /// Records the handshake; `false` if the session had one already (S-LC-08).
    pub fn agree(
        &mut self,
        id: SessionId,
        revision: Revision,
        capabilities: Capabilities,
        severity: Severity,
    ) -> bool {
        match self.open.get_mut(&id) {
            Some(session) if session.agreed.is_none() => {
                session.agreed = Some(Handshake { revision, capabilities, severity, confirmed: false });
                true
            }
            _ => false,
        }
    }

    /// `notifications/initialized` has arrived.
    pub fn confirm(&mut self, id: SessionId) {
        if let Some(agreed) = self.agreed_mut(id) {
            agreed.confirmed = true;
        }
    }

    /// Whether the handshake is finished.
    pub fn is_confirmed(&self, id: SessionId) -> bool {
        self.open.get(&id).and_then(|session| session.agreed.as_ref()).is_some_and(|agreed| agreed.confirmed)
    }

    /// The revision of the handshake, if there was one.
    pub fn revision(&self, id: SessionId) -> Option<Revision> {
        Some(self.open.get(&id)?.agreed.as_ref()?.revision)
    }

    /// What a legacy request of the session may count on.
    pub fn context(&self, id: SessionId, progress: Option<Box<str>>) -> Option<RequestContext> {
        let agreed = self.open.get(&id)?.agreed.as_ref()?;
        Some(RequestContext {
            revision: agreed.revision,
            capabilities: Arc::clone(&agreed.capabilities),
            severity: Some(agreed.severity),
            progress,
            // It is that of the request, which dispatch looks up.
            principal: None,
            #[cfg(feature = "draft")]
            language: None,
        })
    }

    /// Other processes may go on with a session: its tasks stand under that name in a store.
    pub fn share_as(&mut self, id: SessionId, name: &str) {
        if let Some(session) = self.open.get_mut(&id) {
            session.store_name = Some(name.into());
        }
    }

    /// That name; `None` where no other process goes on with the session.
    pub fn store_name(&self, id: SessionId) -> Option<&str> {
        self.open.get(&id)?.store_name.as_deref()
    }

    /// Records who the frames that follow come from.
    pub fn authorize(&mut self, id: SessionId, principal: Option<Arc<Principal>>) {
        if let Some(session) = self.open.get_mut(&id) {
            session.principal = principal;
        }
    }

    /// Who they come from.
    pub fn principal(&self, id: SessionId) -> Option<Arc<Principal>> {
        self.open.get(&id)?.principal.clone()
    }

    /// The capabilities that a modern request brings, a JSON object.
    ///
    /// # Errors
    /// They are too long, or cannot be read.
    pub fn capabilities(&mut self, id: SessionId, text: &str) -> Result<Capabilities, ErrorResponse> {
        let last = match self.open.get_mut(&id) {
            // One that is one request sends nothing again, but its client does.
            Some(session) if !session.is_request => &mut session.last,
            _ => &mut self.last_of_requests,
        };
        if let Some(last) = last.as_ref().filter(|last| ***last == *text) {
            return Ok(Arc::clone(last));
        }
        let read = read_capabilities(text)?;
        *last = Some(Arc::clone(&read));
        Ok(read)
    }

    /// Changes the level of log messages.
    pub fn set_severity(&mut self, id: SessionId, severity: Severity) {
        if let Some(agreed) = self.agreed_mut(id) {
            agreed.severity = severity;
        }
    }

    /// The legacy sessions that log messages of this severity go to.
    pub fn hearing(&self, severity: Severity) -> Vec<SessionId> {
        self.legacy(|_, agreed| severity >= agreed.severity)
    }

    /// The legacy sessions with a finished handshake: notices of changed lists go to all of them.
    pub fn confirmed(&self) -> Vec<SessionId> {
        self.legacy(|_, agreed| agreed.confirmed)
    }

    /// The legacy sessions with a finished handshake that subscribed to `uri`.
    pub fn subscribed(&self, uri: &str) -> Vec<SessionId> {
        self.legacy(|session, agreed| agreed.confirmed && session.subscriptions.contains(uri))
    }

    /// Says whose a session is that was just opened, where no principal is known: what all its sessions take is one share.
    pub fn held_by(&mut self, id: SessionId, holder: Holder) {
        let number = match self.holders.get_mut(&holder) {
            Some((number, sessions)) => {
                *sessions += 1;
                *number
            }
            None => {
                let number = self.new_holder();
                self.holders.insert(holder.clone(), (number, 1));
                number
            }
        };
        if let Some(session) = self.open.get_mut(&id) {
            session.holder_number = number;
            session.holder = Some(holder);
        }
    }

    /// Whose a session is, for what clients share.
    pub fn holder(&self, id: SessionId) -> Holder {
        let Some(session) = self.open.get(&id) else { return Holder::Session(id.0) };
        match (&session.principal, &session.holder) {
            (Some(principal), _) => Holder::Principal(principal.id.as_ref().into()),
            (None, Some(holder)) => holder.clone(),
            (None, None) => Holder::Session(id.0),
        }
    }

    /// Subscribes to a resource, at most to `limit` of them.
    ///
    /// # Errors
    /// Which bound is reached.
    pub fn subscribe(&mut self, id: SessionId, uri: &str, limit: usize) -> Result<(), SubscribeRefused> {
        let holder = self.holder(id);
        let session = self.open.get_mut(&id).ok_or(SubscribeRefused::Ended)?;
        if session.subscriptions.contains(uri) {
            return Ok(());
        }
        if session.subscriptions.len() >= limit {
            return Err(SubscribeRefused::Number);
        }
        // All of one session are counted for who made the first.
        let (holder, bytes) = session.subscribed.get_or_insert((holder, 0));
        let wanted = uri.len() + EACH_BYTES;
        if self.subscribed.take(holder, wanted).is_err() {
            return Err(SubscribeRefused::Bytes(self.subscribed.share(holder)));
        }
        *bytes += wanted;
        session.subscriptions.insert(uri.into());
        Ok(())
    }

    /// Ends a subscription. Ending one twice is not an error (S-RS-08).
    pub fn unsubscribe(&mut self, id: SessionId, uri: &str) {
        let Some(session) = self.open.get_mut(&id) else { return };
        if session.subscriptions.remove(uri)
            && let Some((holder, bytes)) = &mut session.subscribed
        {
            let gone = uri.len() + EACH_BYTES;
            *bytes -= gone;
            self.subscribed.give(holder, gone);
        }
    }

    /// Whether a session is told of changes: of lists, or of this resource.
    #[cfg(any(test, feature = "testing"))]
    pub fn is_told_of(&self, id: SessionId, uri: Option<&str>) -> bool {
        let has = |uri| self.open.get(&id).is_some_and(|session| session.subscriptions.contains(uri));
        self.is_confirmed(id) && uri.is_none_or(has)
    }

    /// Whether a session is subscribed to any resource.
    pub fn has_subscriptions(&self, id: SessionId) -> bool {
        self.open.get(&id).is_some_and(|session| !session.subscriptions.is_empty())
    }

    /// The resources that a session is subscribed to.
    fn subscriptions_of(&self, id: SessionId) -> SortedSet<Box<str>> {
        self.open.get(&id).map_or_else(SortedSet::new, |session| session.subscriptions.clone())
    }

    /// The resources that sessions of the legacy era are subscribed to.
    pub fn subscriptions(&self) -> impl Iterator<Item = &str> {
        self.open.values().flat_map(|session| session.subscriptions.iter().map(AsRef::as_ref))
    }

    /// The least severe log message that a session of the legacy era wants.
    pub fn least_severity(&self) -> Option<Severity> {
        self.open.values().filter_map(|session| Some(session.agreed.as_ref()?.severity)).min()
    }

    /// What the handshake of a session agreed on.
    fn agreed(&self, id: SessionId) -> Option<&Handshake> {
        self.open.get(&id)?.agreed.as_ref()
    }

    fn agreed_mut(&mut self, id: SessionId) -> Option<&mut Handshake> {
        self.open.get_mut(&id)?.agreed.as_mut()
    }

    fn legacy(&self, wanted: impl Fn(&SessionState, &Handshake) -> bool) -> Vec<SessionId> {
        self.open
            .iter()
            .filter(|(_, session)| session.agreed.as_ref().is_some_and(|agreed| wanted(session, agreed)))
            .map(|(id, _)| *id)
            .collect()
    }
}
