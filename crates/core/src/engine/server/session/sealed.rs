//! Names of sessions that carry what another process needs to go on with the session: sealed with keys that the processes of one
//! server share. Such a session needs no memory but that of the process that serves it at the moment.
//!
//! What the name cannot carry stays in the process where it is: subscriptions, the level of log messages, events that are kept, questions
//! that wait for answers and, without a store, tasks. A process that takes a session over says once that each list may have changed.

use super::Handshake;
use super::context::{Capabilities, read_capabilities};
use crate::engine::server::Server;
use crate::engine::server::effect::{Now, SessionId};
use crate::engine::server::notifications::own_stream;
use crate::json;
use crate::protocol::{Era, Revision};
use serde_json::{Value, json};

/// The longest seal: with it the name of a session has not more than 4096 bytes, which clients keep and intermediaries let pass.
const MOST_SEAL: usize = 4000;
/// The form of what is sealed. Another one is not read.
const FORM: u64 = 1;

/// What the seal of a session's name holds.
#[derive(Debug)]
pub struct SealedSession {
    name: Box<str>,
    revision: Revision,
    capabilities: Capabilities,
    /// Seconds since 1970.
    expiry: u64,
    /// Whose it is, as what clients share is counted.
    holder: String,
    principal: String,
}

impl SealedSession {
    /// The revision that its client agreed on.
    pub fn revision(&self) -> Revision {
        self.revision
    }
}

impl<H: Clone> Server<H> {
    /// The seal that goes with the name of a session, whose handshake is answered.
    ///
    /// # Errors
    /// Why it has none.
    pub fn seal_session(&mut self, now: Now, id: SessionId, name: &str) -> Result<String, String> {
        let Some(Handshake { revision, capabilities, .. }) = self.sessions.agreed(id).cloned() else {
            return Err("it has no handshake".to_owned());
        };
        let principal = self.sessions.principal(id);
        let kept = json!({
            "form": FORM, "revision": revision.as_str(), "capabilities": &*capabilities,
            "expiry": now.unix.saturating_add(self.settings.timeouts.session_name.as_secs()),
            "holder": self.sessions.holder(id).to_string(),
            "principal": principal.as_ref().map_or("", |principal| &principal.id),
        });
        let bound = self.session_binding(name);
        let sealed = self.keys.seal(kept.to_string().as_bytes(), &bound);
        let sealed = sealed.ok_or("the system gives no random numbers")?;
        if sealed.len() > MOST_SEAL {
            let length = capabilities.len();
            return Err(format!(
                "its name would have more than {MOST_SEAL} bytes: the capabilities of its client have {length}"
            ));
        }
        self.sessions.share_as(id, name);
        Ok(sealed)
    }

    /// What the seal of a session's name says, if this server may go on with the session for `principal`: it has not expired, and was not
    /// ended here. One answer for every reason against it.
    pub fn sealed_session(
        &self,
        now: Now,
        name: &str,
        sealed: &str,
        principal: Option<&str>,
    ) -> Option<SealedSession> {
        let session = self.read_seal(name, sealed)?;
        let is_good = session.expiry >= now.unix
            && session.principal == principal.unwrap_or_default()
            && session.revision.era() == Era::Legacy
            && self.settings.revisions.contains(&session.revision)
            && !self.was_ended(&session);
        is_good.then_some(session)
    }

    /// Whether the client of a session with a sealed name has ended it here.
    pub fn was_ended(&self, session: &SealedSession) -> bool {
        self.ended_sessions.may_be_spent(&session.holder, &session.name, session.expiry)
    }

    /// Goes on with a session that was just opened here and began elsewhere. What changed in between is not known, so its client is told
    /// that each list may have.
    pub fn adopt_session(&mut self, id: SessionId, sealed: &SealedSession) {
        let SealedSession { revision, capabilities, .. } = sealed;
        if !self.sessions.agree(id, *revision, capabilities.clone(), self.settings.severity) {
            return;
        }
        // Its client has the name from the answer to the handshake, and may have confirmed that elsewhere.
        self.sessions.confirm(id);
        self.sessions.share_as(id, &sealed.name);
        self.joined(id);
        for list in self.offered() {
            self.notify(own_stream(id), list.notification(), "{}");
        }
    }

    /// The client has ended a session: this process goes on with it no more.
    pub fn end_sealed_session(&mut self, now: Now, name: &str, sealed: &str) {
        if let Some(SealedSession { holder, expiry, .. }) = self.read_seal(name, sealed) {
            self.ended_sessions.spend(&holder, name, expiry, now.unix);
        }
    }

    fn read_seal(&self, name: &str, sealed: &str) -> Option<SealedSession> {
        if sealed.len() > MOST_SEAL {
            return None;
        }
        let kept = self.keys.open(sealed, &self.session_binding(name))?;
        let kept: Value = serde_json::from_slice(&kept).ok()?;
        let text = |key: &str| kept.get(key)?.as_str();
        if kept.get("form")?.as_u64()? != FORM {
            return None;
        }
        Some(SealedSession {
            name: name.into(),
            revision: Revision::parse(text("revision")?)?,
            capabilities: read_capabilities(text("capabilities")?).ok()?,
            expiry: kept.get("expiry")?.as_u64()?,
            holder: text("holder")?.to_owned(),
            principal: text("principal")?.to_owned(),
        })
    }

    /// What a seal is good for: this name of a session of this server.
    fn session_binding(&self, name: &str) -> Vec<u8> {
        let server = json::member(&self.settings.info, "name").unwrap_or_default();
        let mut bound = b"session".to_vec();
        for part in [server, &self.settings.audience, name] {
            // The length in front keeps two parts from reading as one.
            bound.extend_from_slice(&(part.len() as u64).to_be_bytes());
            bound.extend_from_slice(part.as_bytes());
        }
        bound
    }
}
