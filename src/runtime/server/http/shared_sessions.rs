//! Sessions of the older revisions that the processes of a server keep in their store: each process goes on with those that another one
//! began. What a process knows of a session it looks up again after `store.session_check_ms`, and as soon as another process says that
//! something of it changed.

use super::endpoint::{HttpEndpoint, unknown_session};
use super::event_log::EVENTS;
use super::messages::NAME_CHARS;
use super::sessions::{HttpSession, KeptSession, SessionChange, SessionChangeKind, SessionKind, UNRELATED};
use super::{Arrived, Caller};
use crate::engine::Level;
use crate::engine::server::{
    Expected, Operation, STORE_VALUE_BYTES, SharedSession, StoreStatus, Stream, WireId,
};
use crate::protocol::envelope::Id;
use crate::protocol::{error_code, method};
use crate::runtime::server::Begun;
use crate::runtime::{clock, lock};
use crate::transport::http_server::refusal::Refusal;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hyper::StatusCode;
use ring::digest::{SHA256, digest};
use std::sync::Arc;
use std::time::Duration;

/// How often a session is written that other processes change at the same time.
const ATTEMPTS: usize = 4;

/// How many answers of a session are kept that came at another process than that which asked, and how long.
const ANSWERS: u32 = 64;
const ANSWER_STAYS: Duration = Duration::from_secs(60);

/// Where those of a session are kept.
fn answers_of(key: &str) -> Box<str> {
    format!("answers/{}", key.rsplit('/').next().unwrap_or(key)).into()
}

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
        let kept = KeptSession::new(key, record, outcome.version, asked, true);
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
        let kept = KeptSession::new(key, record.clone(), outcome.version, asked, false);
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
                    // Not every request that comes meanwhile writes it again. Where half of its time is over they do: no request is served that
                    // comes to a session which is forgotten before it is written.
                    if asked < kept.due + self.life(session.is_confirmed()) / 4 {
                        kept.due = kept.due.max(asked + serving.session_check());
                    }
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
                self.tell_others(session.name(), SessionChangeKind::Written(version));
            }
            return Ok(());
        }
        Err(Unread::Away)
    }

    fn tell_others(&self, name: &str, kind: SessionChangeKind) {
        if let Ok(serving) = self.serving() {
            let (path, name) = (self.settings.path.clone(), name.to_owned());
            serving.tell_of_session(&SessionChange { path, name, kind });
        }
    }

    /// Whether an answer is to what another process has asked. Then it is kept where that finds it.
    pub(super) async fn answered_elsewhere(
        &self,
        session: &HttpSession,
        id: Id,
        frame: &[u8],
    ) -> Result<bool, Refusal> {
        let (Some(key), Id::Number(id)) = (session.key_in_store(), id) else { return Ok(false) };
        let serving = self.serving()?;
        let is_own = serving.awaits(session.id, Some(id));
        let Some(shared) = serving.shared_events().filter(|_| !is_own) else { return Ok(false) };
        if !self.has_room_for_answer(session, frame.len()) {
            let text = "the client of this session answers more than is kept for other processes (limits.session_event_bytes in a minute)";
            return Err(Refusal::at_limit("limits.session_event_bytes", text));
        }
        let entry = [shared.process.as_bytes(), b"\n", frame].concat();
        let stream = answers_of(&key);
        let append = Operation::Append { stream, entry, place: 0, most: ANSWERS, life: ANSWER_STAYS };
        let outcome = serving.asked_store(append).await;
        match outcome.status {
            StoreStatus::Done => {
                self.tell_others(session.name(), SessionChangeKind::Answered(outcome.version));
                Ok(true)
            }
            StoreStatus::TooLarge => {
                let text = "the answer is for another process of this server, and larger than what their store takes";
                Err(Refusal::new(StatusCode::PAYLOAD_TOO_LARGE, error_code::INVALID_REQUEST, text))
            }
            _ => Err(away()),
        }
    }

    /// Whether an answer may be kept for other processes: who was asked nothing fills no store.
    fn has_room_for_answer(&self, session: &HttpSession, bytes: usize) -> bool {
        let mut kept = lock(&session.kept_in_store);
        let Some(KeptSession { answers_kept: (since, before), .. }) = &mut *kept else { return false };
        if clock::now() >= *since + ANSWER_STAYS {
            (*since, *before) = (clock::now(), 0);
        }
        let has_room = *before == 0 || *before + bytes <= self.limits().event_bytes;
        *before += if has_room { bytes } else { 0 };
        has_room
    }

    /// A client cancels a request, which may be at another process.
    pub(super) fn cancelled_elsewhere(&self, session: &HttpSession, id: &WireId) {
        if session.key_in_store().is_some() {
            self.tell_others(session.name(), SessionChangeKind::Cancelled(id.text().to_owned()));
        }
    }

    /// What the client of a session said at another process, which let it in.
    fn said_elsewhere(&self, session: &Arc<HttpSession>, frame: Vec<u8>) {
        let from = Stream { session: session.id, number: UNRELATED };
        let arrived = Arrived { frame, scanned: None };
        // It has its status there.
        let _is_taken = self.serving().and_then(|serving| {
            serving.http_frame(session, from, None, arrived, |needed| self.lacking(needed))
        });
    }

    /// Takes the answers that the client of a session gave at other processes.
    async fn take_answers(&self, session: &Arc<HttpSession>) {
        let Ok(serving) = self.serving() else { return };
        let Some(own) = serving.shared_events().map(|shared| shared.process.clone()) else { return };
        let of_kept = |kept: &mut KeptSession| {
            let has_more = std::mem::replace(&mut kept.has_answers, false);
            has_more.then(|| (answers_of(&kept.key), kept.answers_read.unwrap_or_default()))
        };
        let Some((stream, mut after)) = lock(&session.kept_in_store).as_mut().and_then(of_kept) else {
            return;
        };
        // An answer to what it has not asked is nothing to it.
        if !serving.awaits(session.id, None) {
            return;
        }
        let read = Operation::Read { stream, after, most: ANSWERS, bytes: STORE_VALUE_BYTES };
        let outcome = serving.asked_store(read).await;
        let is_away = !matches!(outcome.status, StoreStatus::Done | StoreStatus::Empty);
        for (place, entry) in &outcome.entries {
            after = *place;
            if let Some(at) = memchr::memchr(b'\n', entry)
                && entry[..at] != *own.as_bytes()
            {
                self.said_elsewhere(session, entry[at + 1..].to_vec());
            }
        }
        let has_more = !outcome.entries.is_empty();
        if let Some(kept) = lock(&session.kept_in_store).as_mut() {
            kept.answers_read = Some(after);
            kept.has_answers |= is_away || has_more;
        }
        if has_more {
            // After the other sessions had their turn.
            self.stirred.notify_one();
        }
    }

    /// The client of a session ends it, in all processes.
    pub(super) async fn end_shared(&self, session: &HttpSession) -> Result<(), Refusal> {
        let Some(key) = session.key_in_store() else { return Ok(()) };
        let put = Operation::Put { key, value: None, expected: Expected::Any, life: self.life(true) };
        match self.serving()?.asked_store(put).await.status {
            StoreStatus::Done | StoreStatus::Empty => {
                self.tell_others(session.name(), SessionChangeKind::Ended);
                Ok(())
            }
            _ => Err(away()),
        }
    }

    /// Another process says something of a session; without a name it is not known of which.
    pub(super) fn heard_of_session(&self, change: Option<&SessionChange>) {
        match change {
            Some(change) if change.path != self.settings.path => return,
            Some(change) => {
                let Some(session) = lock(&self.sessions).get(&*change.name).map(Arc::clone) else { return };
                let mut kept = lock(&session.kept_in_store);
                let Some(known) = &mut *kept else { return };
                match &change.kind {
                    SessionChangeKind::Written(version) if known.version >= *version => return,
                    SessionChangeKind::Written(_) => known.is_stale = true,
                    SessionChangeKind::Answered(place) => {
                        known.answers_read.get_or_insert(place.saturating_sub(1));
                        known.has_answers = true;
                    }
                    SessionChangeKind::Ended => {
                        drop(kept);
                        if let Ok(serving) = self.serving() {
                            serving.end_everywhere(session.id, "its client ended it in another process");
                        }
                        return;
                    }
                    SessionChangeKind::Cancelled(id) => {
                        drop(kept);
                        let cancelled = method::CANCELLED;
                        let frame = format!(
                            r#"{{"jsonrpc":"2.0","method":"{cancelled}","params":{{"requestId":{id}}}}}"#
                        );
                        return self.said_elsewhere(&session, frame.into_bytes());
                    }
                }
            }
            None => lock(&self.sessions).values().for_each(|session| {
                if let Some(kept) = lock(&session.kept_in_store).as_mut() {
                    (kept.is_stale, kept.has_answers) = (true, true);
                }
            }),
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
        // Handlers wait for them.
        for session in &all {
            self.take_answers(session).await;
        }
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
