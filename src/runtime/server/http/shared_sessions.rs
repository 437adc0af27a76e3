//! Sessions of the older revisions that the processes of a server keep in their store: each process goes on with those that another one
//! began. What a process knows of a session it looks up again after `store.session_check_ms`, and as soon as another process says that
//! something of it changed.

use super::Caller;
use super::endpoint::{HttpEndpoint, unknown_session};
use super::event_log::EVENTS;
use super::messages::NAME_CHARS;
use super::sessions::{HttpSession, KeptSession, SessionChange, SessionKind};
use crate::engine::Level;
use crate::engine::server::{Expected, Operation, SharedSession, StoreStatus};
use crate::runtime::server::Begun;
use crate::runtime::{clock, lock};
use crate::transport::http_server::refusal::Refusal;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ring::digest::{SHA256, digest};
use std::sync::Arc;
use std::time::Duration;

/// How often a session is written that other processes change at the same time.
const ATTEMPTS: usize = 4;

/// Why a session cannot be looked up.
enum Unread {
    /// Its client ended it, or its time is over.
    Ended,
    /// The store cannot be asked.
    Away,
}

pub(super) fn away() -> Refusal {
    let text = "the store that the processes of this server share cannot be asked: send the request again";
    Refusal::at_limit("store", text)
}

impl HttpEndpoint {
    /// Whether sessions are kept in a store. Sealed names need none.
    pub(super) fn shares_sessions(&self) -> bool {
        !self.settings.seals && self.serving.upgrade().is_some_and(|serving| serving.has_store())
    }

    /// Whether a session can be opened, as far as is known without asking.
    pub(super) fn may_open(&self) -> Result<(), Refusal> {
        match self.shares_sessions() && !self.serving()?.is_store_ready() {
            true => Err(away()),
            false => Ok(()),
        }
    }

    /// Sessions of another URL have other keys: the same name is good for nothing there.
    fn key_of(&self, name: &str) -> Box<str> {
        let text = format!("{}\n{name}", self.settings.path);
        format!("session/{}", URL_SAFE_NO_PAD.encode(digest(&SHA256, text.as_bytes()))).into()
    }

    /// How long a session stays in the store that is not written again: one that its client has not used yet has not long.
    fn life(&self, is_confirmed: bool) -> Duration {
        let limits = self.limits();
        if is_confirmed { limits.session } else { limits.session.min(limits.head * 2) }
    }

    /// Writes a session whose handshake is answered.
    pub(super) async fn keep(&self, session: &HttpSession) -> Result<(), Refusal> {
        if !self.shares_sessions() {
            return Ok(());
        }
        let serving = self.serving()?;
        let Some(record) = serving.with_engine(|engine, _| engine.shared_session(session.id)) else {
            return Err(unknown_session());
        };
        let (asked, life) = (clock::now(), self.life(false));
        let key = self.key_of(session.name());
        let value = Some(record.text());
        let put = Operation::Put { key: key.clone(), value, expected: Expected::Absent, life };
        let outcome = serving.asked_store(put).await;
        if outcome.status != StoreStatus::Done {
            let text = format!("a session could not be kept in the store: {}", outcome.status);
            serving.record(Level::Warn, session.id, &text);
            return Err(away());
        }
        // The first use makes it stay longer.
        let kept = KeptSession {
            key,
            own: record.clone(),
            record,
            version: outcome.version,
            checked: asked,
            due: asked,
            is_stale: false,
            is_told: true,
        };
        self.log_events(session, &kept.key);
        *lock(&session.kept_in_store) = Some(kept);
        Ok(())
    }

    /// What is sent in a session is kept for its client at other processes, too.
    fn log_events(&self, session: &HttpSession, key: &str) {
        if let Some(shared) = self.serving.upgrade().and_then(|serving| serving.shared_events().cloned()) {
            let prefix = format!("{EVENTS}{}/", key.rsplit('/').next().unwrap_or(key));
            session.log_events(prefix.into(), shared, self.limits());
        }
    }

    /// A session that another process has begun goes on here, if it is the caller's.
    pub(super) async fn taken_up(&self, name: &str, caller: &Caller) -> Result<Arc<HttpSession>, Refusal> {
        let is_name = name.len() == NAME_CHARS
            && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'));
        if !is_name || !self.shares_sessions() {
            return Err(unknown_session());
        }
        let serving = self.serving()?;
        let asked = clock::now();
        let key = self.key_of(name);
        let outcome = serving.asked_store(Operation::Get { key: key.clone() }).await;
        let record = match (outcome.status, outcome.value) {
            (StoreStatus::Done, Some(value)) => SharedSession::read(&value).ok_or_else(away)?,
            (StoreStatus::Empty, _) => return Err(unknown_session()),
            _ => return Err(away()),
        };
        if !record.is_of(caller.id()) || !self.settings.revisions.contains(&record.revision()) {
            return Err(unknown_session());
        }
        let holder = caller.holder();
        let start = self.first_number()?;
        let kept = KeptSession {
            key,
            own: record.clone(),
            record: record.clone(),
            version: outcome.version,
            checked: asked,
            due: asked,
            is_stale: false,
            is_told: false,
        };
        // What subscriptions may be told of depends on who asks.
        let begun = Begun::Kept(&record, caller.principal.clone());
        let opened = serving.http_open(SessionKind::Streamable, &holder, Some(begun), |id| {
            let session = self.new_session(id, SessionKind::Streamable, name.into(), holder.clone());
            self.log_events(&session, &kept.key);
            *lock(&session.kept_in_store) = Some(kept);
            session.going_on(record.revision(), start)
        })?;
        // There may be no room here for all of its subscriptions. No other request finds it yet.
        let own = serving.with_engine(|engine, _| engine.shared_session(opened.id));
        if let (Some(kept), Some(own)) = (lock(&opened.kept_in_store).as_mut(), own) {
            kept.own = own;
        }
        self.listed(name, opened, None)
    }

    /// Looks a session up again if that is due. While the store is away what is known of it is good.
    pub(super) async fn checked(&self, session: &HttpSession) -> Result<(), Refusal> {
        match self.is_due(session) {
            Some((true, reads)) => self.looked_up(session, reads).await,
            _ => Ok(()),
        }
    }

    /// Looks a session up. Where it is not read, only what was changed here is written.
    pub(super) async fn looked_up(&self, session: &HttpSession, reads: bool) -> Result<(), Refusal> {
        match self.write_back(session, reads).await {
            Ok(()) => {}
            Err(Unread::Ended) => {
                self.serving()?.end_everywhere(session.id, "it was ended in another process");
                return Err(unknown_session());
            }
            // The next requests do not wait for it, too.
            Err(Unread::Away) => {
                if let Some(kept) = lock(&session.kept_in_store).as_mut() {
                    kept.checked = clock::now();
                }
            }
        }
        Ok(())
    }

    /// Whether a session that is kept is to be written or read, and whether it is to be read.
    fn is_due(&self, session: &HttpSession) -> Option<(bool, bool)> {
        let kept = lock(&session.kept_in_store);
        let kept = kept.as_ref()?;
        let now = clock::now();
        let reads = kept.is_stale || now >= kept.checked + self.serving.upgrade()?.session_check();
        Some((reads || now >= kept.due, reads))
    }

    /// A client changed its subscriptions, or the level of its messages: other processes are to do as this one.
    pub(super) async fn follow(&self, session: &HttpSession) {
        let is_kept = lock(&session.kept_in_store).is_some();
        if is_kept && self.write_back(session, false).await.is_err() {
            // It is written at the next look.
            if let Some(kept) = lock(&session.kept_in_store).as_mut() {
                kept.is_stale = true;
            }
        }
    }

    /// Brings the store and this process to the same: what was changed here is written, what was changed elsewhere is done here.
    async fn write_back(&self, session: &HttpSession, mut reads: bool) -> Result<(), Unread> {
        let serving = self.serving().map_err(|_| Unread::Away)?;
        for _ in 0..ATTEMPTS {
            let asked = clock::now();
            let (key, record, base, version, is_due) = match &mut *lock(&session.kept_in_store) {
                Some(kept) => {
                    let is_due = asked >= kept.due;
                    kept.is_stale = false;
                    // Not every request that comes meanwhile writes it again.
                    kept.due = kept.due.max(asked + serving.session_check());
                    (kept.key.clone(), kept.record.clone(), kept.own.clone(), kept.version, is_due)
                }
                None => return Ok(()),
            };
            let (theirs, version) = if reads {
                let outcome = serving.asked_store(Operation::Get { key: key.clone() }).await;
                match (outcome.status, outcome.value) {
                    (StoreStatus::Done, Some(value)) => {
                        (SharedSession::read(&value).ok_or(Unread::Away)?, outcome.version)
                    }
                    (StoreStatus::Empty, _) => return Err(Unread::Ended),
                    _ => return Err(Unread::Away),
                }
            } else {
                (record, version)
            };
            let ours = serving.with_engine(|engine, _| engine.shared_session(session.id));
            let Some(ours) = ours else { return Ok(()) };
            let wanted = SharedSession::merged(&base, &ours, theirs.clone());
            let is_changed = wanted != theirs;
            let (mut version, mut due) = (version, None);
            if is_changed || is_due {
                let life = self.life(session.is_confirmed());
                let value = Some(wanted.text());
                let put = Operation::Put { key, value, expected: Expected::Version(version), life };
                let outcome = serving.asked_store(put).await;
                match outcome.status {
                    StoreStatus::Done => (version, due) = (outcome.version, Some(asked + life / 4)),
                    StoreStatus::Conflict if outcome.version == 0 => return Err(Unread::Ended),
                    // Another process was faster.
                    StoreStatus::Conflict => {
                        reads = true;
                        continue;
                    }
                    _ => return Err(Unread::Away),
                }
            }
            let own = serving.with_engine(|engine, _| {
                // Its client may have changed more meanwhile, which is not written yet.
                let now = engine.shared_session(session.id)?;
                let newer =
                    engine.follow_session(session.id, &SharedSession::merged(&ours, &now, wanted.clone()));
                if session.is_read() {
                    engine.tell_resources(session.id, &newer);
                }
                let after = engine.shared_session(session.id)?;
                Some(SharedSession::merged(&now, &ours, after))
            });
            if let (Some(kept), Some(own)) = (lock(&session.kept_in_store).as_mut(), own)
                && version >= kept.version
            {
                (kept.record, kept.own, kept.version) = (wanted, own, version);
                if reads || due.is_some() {
                    kept.checked = kept.checked.max(asked);
                }
                kept.due = due.unwrap_or(kept.due);
            }
            if is_changed {
                self.tell_others(session.name(), version);
            }
            return Ok(());
        }
        Err(Unread::Away)
    }

    fn tell_others(&self, name: &str, version: u64) {
        if let Ok(serving) = self.serving() {
            let (path, name) = (self.settings.path.clone(), name.to_owned());
            serving.tell_of_session(&SessionChange { path, name, version });
        }
    }

    /// The client of a session ends it, in all processes.
    pub(super) async fn end_shared(&self, session: &HttpSession) -> Result<(), Refusal> {
        let Some(key) = session.key_in_store() else { return Ok(()) };
        let put = Operation::Put { key, value: None, expected: Expected::Any, life: self.life(true) };
        match self.serving()?.asked_store(put).await.status {
            StoreStatus::Done | StoreStatus::Empty => {
                self.tell_others(session.name(), 0);
                Ok(())
            }
            _ => Err(away()),
        }
    }

    /// Another process says something of a session; without a name it is not known of which.
    pub(super) fn heard_of_session(&self, change: Option<&SessionChange>) {
        let stale = |session: &Arc<HttpSession>| {
            if let Some(kept) = lock(&session.kept_in_store).as_mut() {
                kept.is_stale = true;
            }
        };
        match change {
            Some(change) if change.path != self.settings.path => return,
            Some(change) => {
                let Some(session) = lock(&self.sessions).get(&*change.name).map(Arc::clone) else { return };
                let Some(known) = lock(&session.kept_in_store).as_ref().map(|kept| kept.version) else {
                    return;
                };
                if change.version == 0 {
                    if let Ok(serving) = self.serving() {
                        serving.end_everywhere(session.id, "its client ended it in another process");
                    }
                    return;
                }
                if known >= change.version {
                    return;
                }
                stale(&session);
            }
            None => lock(&self.sessions).values().for_each(stale),
        }
        self.stirred.notify_one();
    }

    /// Its client reads here from now on: it is told once what it may have missed where it read before.
    pub(super) fn tell_missed(&self, session: &HttpSession) {
        let is_first = lock(&session.kept_in_store)
            .as_mut()
            .is_some_and(|kept| !std::mem::replace(&mut kept.is_told, true));
        if let Ok(serving) = self.serving()
            && is_first
        {
            serving.with_engine(|engine, _| engine.tell_everything(session.id));
        }
    }

    /// Looks after the sessions of which something is in use, and for which no request may come for long: a client may only read.
    pub(super) async fn look_after_shared(&self) {
        if !self.shares_sessions() {
            return;
        }
        let all: Vec<_> = lock(&self.sessions).values().map(Arc::clone).collect();
        for session in all {
            let is_used = session.unused_since().is_none();
            let kept = lock(&session.kept_in_store).as_ref().map(|kept| (kept.is_stale, kept.due));
            let Some((is_stale, due)) = kept.filter(|_| is_used) else { continue };
            if !is_stale && clock::now() < due {
                continue;
            }
            match self.write_back(&session, is_stale).await {
                Ok(()) => {}
                Err(Unread::Ended) => {
                    if let Ok(serving) = self.serving() {
                        serving.end_everywhere(session.id, "it was ended in another process");
                    }
                }
                Err(Unread::Away) => {
                    if let Some(kept) = lock(&session.kept_in_store).as_mut() {
                        kept.is_stale = true;
                    }
                    // The others would not fare better.
                    return;
                }
            }
        }
    }
}
