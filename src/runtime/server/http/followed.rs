//! Streams of other processes that clients read here: what the process that has a stream keeps of it in the store is read, sent on, and read
//! again when that process says that there is more. A process that is gone is answered for, once.

use super::Caller;
use super::endpoint::HttpEndpoint;
use super::event_log::{Entry, SharedEvents, name_of};
use super::response_stream::OutgoingEvent;
use super::sessions::{HttpSession, Resumed, UNRELATED, charged};
use super::shared_sessions::away;
use crate::engine::server::{Operation, OutgoingKind, STORE_VALUE_BYTES, StoreStatus};
use crate::protocol::{error_code, write};
use crate::runtime::lock;
use crate::runtime::server::Serving;
use crate::runtime::server::budget::{Account, Charge};
use crate::transport::http::Task;
use crate::transport::http_server::event_stream::EventId;
use crate::transport::http_server::refusal::Refusal;
use std::sync::{Arc, Weak};
use std::time::Duration;
use tokio::sync::Notify;

/// Entries that are read at one time.
const PAGE: u32 = 64;
/// Places of a stream with requests: a client that names a later one made it up.
const PLACES: u64 = 1 << 32;

/// Why a stream cannot be read on.
enum Unread {
    /// It is not kept, or a part of what the client has not.
    Missing,
    /// The store cannot be asked.
    Away,
}

/// How far a stream was read.
#[derive(Debug)]
struct Reading {
    name: Box<str>,
    stream: u64,
    /// The place of the last entry, and of the event that is next.
    after: u64,
    next: u64,
    /// Who wrote the last entry, and which requests were not answered then.
    by: Box<str>,
    open: Vec<Box<str>>,
    is_over: bool,
}

/// The answer to a request of a process that is gone.
fn lost(id: &str) -> Vec<u8> {
    let text = "the process that worked on the request has ended, or gave its session up; what it did so far is not known";
    let data = r#"{"reason":"worker_lost"}"#;
    write::error(Some(id), error_code::INTERNAL_ERROR, text, Some(data)).text
}

impl Reading {
    fn new(prefix: &str, behind: EventId) -> Reading {
        Reading {
            name: name_of(prefix, behind),
            stream: behind.stream,
            after: 0,
            next: behind.place.saturating_add(1),
            by: Box::default(),
            open: Vec::new(),
            is_over: false,
        }
    }

    /// What follows, as far as it is there: nothing, if all is read that is there.
    async fn more(&mut self, serving: &Serving) -> Result<Vec<(EventId, Vec<u8>)>, Unread> {
        loop {
            // Those of a page may all be before the event that the client has, and a store may give fewer than there are.
            match self.page(serving).await? {
                Some(events) if events.is_empty() && !self.is_over => {}
                events => return Ok(events.unwrap_or_default()),
            }
        }
    }

    /// What the entries that are next say of what follows; `None` where no entry is next.
    async fn page(&mut self, serving: &Serving) -> Result<Option<Vec<(EventId, Vec<u8>)>>, Unread> {
        let stream = self.name.clone();
        let read = Operation::Read { stream, after: self.after, most: PAGE, bytes: STORE_VALUE_BYTES };
        let outcome = serving.asked_store(read).await;
        match outcome.status {
            StoreStatus::Done => {}
            StoreStatus::Empty => return Err(Unread::Missing),
            _ => return Err(Unread::Away),
        }
        let mut events = Vec::new();
        for (place, entry) in &outcome.entries {
            let entry = Entry::read(entry).ok_or(Unread::Away)?;
            self.after = *place;
            if entry.from > self.next {
                return Err(Unread::Missing);
            }
            // What is not answered at the end is answered here, for each reader in the same way.
            let lost = entry.open.iter().filter(|_| entry.ends).map(|id| lost(id));
            let frames = entry.events.iter().map(|event| event.to_vec()).chain(lost);
            for (at, frame) in (0..).zip(frames) {
                let place = entry.from.saturating_add(at);
                if place == self.next && place < u64::MAX {
                    events.push((EventId { stream: self.stream, place }, frame));
                    self.next += 1;
                }
            }
            (self.by, self.open, self.is_over) = (entry.by, entry.open, entry.ends);
            if self.is_over {
                break;
            }
        }
        if self.after == 0 {
            return Err(Unread::Missing);
        }
        Ok((!outcome.entries.is_empty()).then_some(events))
    }

    /// Whether the store has no longer what was read last: it was set back, and what follows there follows on something else.
    async fn is_lost(&self, serving: &Serving) -> bool {
        let (stream, after) = (self.name.clone(), self.after.saturating_sub(1));
        let read = Operation::Read { stream, after, most: 1, bytes: STORE_VALUE_BYTES };
        let outcome = serving.asked_store(read).await;
        matches!(outcome.status, StoreStatus::Done | StoreStatus::Empty) && outcome.entries.is_empty()
    }

    /// Writes the end of a stream in the place of the process that had it, if that is gone. A process that is there wins: it writes first, or
    /// what it writes later is refused.
    async fn end_of_the_gone(&self, serving: &Serving, (most, life): (u32, Duration)) {
        let Some(shared) = serving.shared_events() else { return };
        // An earlier session of the same name had it: nothing follows from here.
        if self.by != shared.process && !serving.is_process_gone(&self.by).await {
            return;
        }
        let entry = Entry {
            by: shared.process.clone(),
            from: self.next,
            events: Vec::new(),
            open: self.open.clone(),
            ends: true,
        };
        let (stream, entry, place) = (self.name.clone(), entry.text(), self.after + 1);
        // What came of it is read next.
        serving.asked_store(Operation::Append { stream, entry, place, most, life }).await;
    }
}

/// What a task that reads a stream for a client needs.
struct Follower {
    serving: Weak<Serving>,
    session: Arc<HttpSession>,
    reading: Reading,
    wake: Arc<Notify>,
    /// How many entries of a stream stay, and how long.
    kept: (u32, Duration),
}

impl Follower {
    /// Sends what was read and what follows, until the stream ends or the client leaves.
    async fn follow(mut self, events: Vec<(EventId, Vec<u8>)>) {
        // Here, and not in the future of the request, which may be dropped wherever it waits.
        if !self.serving.upgrade().is_some_and(|serving| self.begin(&serving)) {
            return;
        }
        // What came between the first read and that is read before anything is waited for.
        let (mut read, mut is_told, mut is_first) = (Ok(events), false, true);
        while let Some(serving) = self.serving.upgrade() {
            match read {
                Ok(events) => {
                    let has_more = std::mem::replace(&mut is_first, false) || !events.is_empty();
                    let is_taken = events.into_iter().all(|event| self.send(event));
                    if !is_taken || self.reading.is_over {
                        self.end(!is_taken);
                        break;
                    }
                    if has_more {
                        read = self.reading.more(&serving).await;
                        continue;
                    }
                }
                Err(Unread::Away) => {}
                Err(Unread::Missing) => {
                    self.end(true);
                    break;
                }
            }
            // The process that has the stream says from then on that there is more, and once at first.
            if !std::mem::replace(&mut is_told, true) {
                serving.tell_of_reader(&self.reading.by, &self.reading.name);
            }
            let check = serving.session_check();
            drop(serving);
            // Word may be lost.
            let is_quiet = tokio::time::timeout(check, self.wake.notified()).await.is_err();
            if lock(&self.session.followed).account(self.reading.stream, &self.wake).is_none() {
                break;
            }
            let Some(serving) = self.serving.upgrade() else { break };
            if is_quiet {
                is_told = false;
                self.reading.end_of_the_gone(&serving, self.kept).await;
            }
            let is_lost = is_quiet && self.reading.is_lost(&serving).await;
            read = if is_lost { Err(Unread::Missing) } else { self.reading.more(&serving).await };
        }
        if let Some(serving) = self.serving.upgrade() {
            serving.reads_no_longer(&self.reading.name, &self.wake);
        }
    }

    /// From now on it is woken where there is more. Whether its client still reads the stream.
    fn begin(&self, serving: &Serving) -> bool {
        let name = &self.reading.name;
        {
            // Under the lock: one that took the place of this one is not replaced.
            let followed = lock(&self.session.followed);
            if followed.account(self.reading.stream, &self.wake).is_none() {
                return false;
            }
            if let Some(shared) = serving.shared_events() {
                shared.reads(name, &self.wake);
            }
        }
        serving.ask_for_nothing(Operation::Watch { channel: name.clone() });
        true
    }

    fn end(&self, is_cut: bool) {
        lock(&self.session.followed).end(self.reading.stream, &self.wake, is_cut);
    }

    fn send(&self, (id, frame): (EventId, Vec<u8>)) -> bool {
        let followed = (self.reading.stream, &self.wake);
        // Charged without the lock: what gives way may be this session.
        let account = lock(&self.session.followed).account(followed.0, followed.1);
        let Some(message) = account.and_then(|account| event_of(id, frame, &account)) else { return false };
        let bounds = (self.session.stream_bytes, self.session.write);
        lock(&self.session.followed).send(followed, message, bounds)
    }
}

/// An event of another process on its way to a client; `None` where there is no room for it.
fn event_of(id: EventId, frame: Vec<u8>, account: &Account) -> Option<OutgoingEvent> {
    let (frame, charge) = charged(account, frame, OutgoingKind::Notification);
    let charge: Charge = charge?;
    Some(OutgoingEvent { id: Some(id), frame, sent: OutgoingKind::Notification, retry: None, charge })
}

impl HttpEndpoint {
    /// The rest of a stream that another process has, behind an event; `None` where this one has it, or none is kept.
    pub(super) async fn resumed_elsewhere(
        &self,
        session: &Arc<HttpSession>,
        behind: EventId,
        caller: &Caller,
    ) -> Result<Option<Resumed>, Refusal> {
        let Some(prefix) = session.logs_at().filter(|_| session.is_elsewhere(behind)) else {
            return Ok(None);
        };
        let serving = self.serving()?;
        if behind.stream == UNRELATED {
            let missed = self.missed(&serving, Reading::new(&prefix, behind), &caller.account).await?;
            let source = session.listen_behind(missed, &caller.account).ok_or_else(|| self.gone())?;
            return Ok(Some(Resumed::Goes(source)));
        }
        if behind.place >= PLACES {
            return Ok(Some(Resumed::Unknown));
        }
        let mut reading = Reading::new(&prefix, behind);
        let events = match reading.more(&serving).await {
            Ok(events) if reading.is_over && events.is_empty() => return Ok(Some(Resumed::Over)),
            Ok(events) => events,
            Err(Unread::Missing) => return Ok(Some(Resumed::Unknown)),
            Err(Unread::Away) => return Err(away()),
        };
        let wake = Arc::new(Notify::new());
        // The lock is given back at once: whether the session has ended is looked up under another one.
        let added = lock(&session.followed).add(reading.stream, &wake, &caller.account);
        let Some(source) = added else {
            if session.has_ended() {
                return Err(self.gone());
            }
            let text = "clients of this session read as many streams of other processes here as they may";
            return Err(Refusal::full(text));
        };
        let kept = (u32::try_from(self.limits().events).unwrap_or(u32::MAX), self.limits().event_age);
        let (serving, session) = (Weak::clone(&self.serving), Arc::clone(session));
        let task: Task = Box::pin(Follower { serving, session, reading, wake, kept }.follow(events));
        drop(tokio::spawn(task));
        Ok(Some(Resumed::Goes(source)))
    }

    /// The messages without a request that a client missed at another process. Of what is not kept there it is told here as of everything else.
    async fn missed(
        &self,
        serving: &Serving,
        mut reading: Reading,
        account: &Account,
    ) -> Result<Vec<OutgoingEvent>, Refusal> {
        let (mut missed, mut bytes) = (Vec::new(), 0);
        loop {
            let events = match reading.more(serving).await {
                Ok(events) if events.is_empty() => return Ok(missed),
                Ok(events) => events,
                Err(Unread::Missing) => return Ok(missed),
                Err(Unread::Away) => return Err(away()),
            };
            for (id, frame) in events {
                bytes += frame.len();
                let text = "there is no room for the messages that were missed (limits.shared_bytes)";
                let full = || Refusal::at_limit("limits.shared_bytes", text);
                missed.push(event_of(id, frame, account).ok_or_else(full)?);
            }
            // No process keeps more.
            if reading.is_over || bytes > self.limits().event_bytes {
                return Ok(missed);
            }
        }
    }
}

impl Serving {
    fn reads_no_longer(&self, name: &str, wake: &Arc<Notify>) {
        if self.shared_events().is_some_and(|shared| shared.left(name, wake)) {
            self.ask_for_nothing(Operation::Unwatch { channel: name.into() });
        }
    }

    /// Tells a process that one of its streams is read here.
    fn tell_of_reader(&self, process: &str, name: &str) {
        let channel = SharedEvents::channel_of(process).into();
        self.ask_for_nothing(Operation::Publish { channel, data: name.as_bytes().to_vec() });
    }
}
