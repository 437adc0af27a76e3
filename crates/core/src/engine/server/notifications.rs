//! Notifications to clients: changes of lists and resources, progress and log messages, and how many a session gets in a second.

use super::Server;
use super::effect::{Effect, Now, OutgoingKind, RequestId, SessionId, Stream};
use super::requests::PendingRequest;
use super::requests::params::WireId;
use super::session::context::RequestContext;
use super::settings::Severity;
use super::store::operation::{CHANGES, Operation, StoreStatus};
use super::store::waiting::Waiting;
use super::subscriptions::{ChangeDebouncer, ListChange};
use super::tasks::table::related;
use crate::engine::counters::Level;
use crate::engine::hashing::ById;
use crate::json;
use crate::protocol::task::with_related;
use crate::protocol::{Era, Revision, meta, method};
use crate::sorted::{SortedMap, SortedSet};
use std::fmt::Write as _;
use std::time::{Duration, Instant};

impl<H: Clone> Server<H> {
    /// A resource changed: the server notifies the clients that subscribed to it (S-RS-09).
    pub fn resource_updated(&mut self, now: Now, uri: &str) {
        self.debouncer.resource(uri, now.at, self.settings.timeouts.burst);
    }

    /// Sends a log message that belongs to no request: to the legacy sessions that want messages of that severity. In 2026-07-28
    /// messages belong to requests (S-LG-03). `data` is JSON text. Gives the number of sessions.
    pub fn log_to_all(&mut self, now: Now, severity: Severity, logger: Option<&str>, data: &str) -> usize {
        if !self.settings.announced.logging {
            return 0;
        }
        let params = log_params(severity, logger, data);
        let mut sessions = self.sessions.hearing(severity);
        sessions.retain(|session| self.may_log(now, *session));
        for session in &sessions {
            self.notify(own_stream(*session), method::LOG, &params);
        }
        sessions.len()
    }

    /// Ends all subscriptions, each with its result: the server closes (S-SU-07).
    pub fn end_listens(&mut self) {
        for (stream, id) in self.listens.end_all() {
            // Over HTTP the end of the stream says it; over a byte stream this does, while the subscription is still open.
            if !self.sessions.has_ids_per_stream(stream.session) {
                let params = format!("{{\"requestId\":{},\"reason\":\"the server is closing\"}}", id.text());
                self.notify(stream, method::CANCELLED, &params);
            }
            let mut about = subscription(&id);
            if self.settings.name_in_results {
                // Before the closing brace (S-MD-09).
                about.truncate(about.len() - 1);
                about.extend([",\"", meta::SERVER_INFO, "\":", &self.settings.info, "}"]);
            }
            let result = format!("{{\"resultType\":\"complete\",\"_meta\":{about}}}");
            if self.spans.is_some() {
                self.end_span(stream, &id, None);
            }
            let frame = self.result_frame(&id, None, &result);
            self.effects.push_back(Effect::Send { to: stream, frame, sent: OutgoingKind::Answer(None) });
        }
    }

    /// A list changed.
    pub(super) fn changed(&mut self, now: Now, list: ListChange) {
        self.fingerprints = None;
        // A client that connects later sees the list as it is then. Other processes have clients of their own.
        if self.sessions.count() == 0 && !self.store.is_ready() {
            return;
        }
        self.debouncer.list(list, now.at, self.settings.timeouts.burst);
    }

    /// Tells a burst of changes, each one once to each who asked (S-SU-05, S-TL-14).
    pub(super) fn send_change_notifications(&mut self, now: Now) {
        if let Some((lists, resources)) = self.debouncer.take(now.at) {
            self.tell_changes(&lists, &resources);
            if self.uses_store() {
                self.publish_changes(now, &lists, &resources);
            }
        }
        if let Some((lists, resources)) = self.notices.elsewhere.take(now.at) {
            self.tell_changes(&lists, &resources);
        }
    }

    /// Tells the clients of this process.
    fn tell_changes(&mut self, lists: &SortedSet<ListChange>, resources: &SortedSet<Box<str>>) {
        for &list in lists {
            let name = list.notification();
            for session in self.sessions.confirmed() {
                self.notify(own_stream(session), name, "{}");
            }
            for (stream, id) in self.listens.of_list(list) {
                self.notify(stream, name, &format!("{{\"_meta\":{}}}", subscription(&id)));
            }
        }
        for uri in resources {
            let uri_text = json::quote(uri);
            let may_hear =
                |it: &Self, session| it.may_be_notified(session, |reader| it.source(reader, uri).map(drop));
            for session in self.sessions.subscribed(uri) {
                if !may_hear(self, session) {
                    continue;
                }
                self.notify(
                    own_stream(session),
                    method::RESOURCE_UPDATED,
                    &format!("{{\"uri\":{uri_text}}}"),
                );
            }
            for (stream, id) in self.listens.of_resource(uri) {
                if !may_hear(self, stream.session) {
                    continue;
                }
                let params = format!("{{\"uri\":{uri_text},\"_meta\":{}}}", subscription(&id));
                self.notify(stream, method::RESOURCE_UPDATED, &params);
            }
        }
    }

    /// The first message of a subscription: what of the filter is honoured (S-SU-01).
    pub(super) fn acknowledge(&mut self, to: Stream, id: &WireId, _context: &RequestContext, filter: &str) {
        let params = format!("{{\"notifications\":{filter},\"_meta\":{}}}", subscription(id));
        self.notify(to, method::ACKNOWLEDGED, &params);
    }
}

/// The most bytes of a message to other processes: of what does not fit, each process tells all that its clients listen to.
const MOST_CHANGES: usize = 64 * 1024;
/// Processes of which the last number is remembered.
const MOST_SENDERS: usize = 1024;

/// What processes that share a store tell each other of changes. Each numbers its messages: who misses one tells its clients once of all that
/// they listen to. A change is told late, perhaps, and never lost.
#[derive(Debug, Default)]
pub struct SharedNotices {
    /// Changes elsewhere that clients of this process are still to be told of.
    elsewhere: ChangeDebouncer,
    /// The number of the last message of this process.
    sent: u64,
    /// It was perhaps not told.
    is_doubtful: bool,
    /// The numbers of the last messages of others.
    heard: SortedMap<Box<str>, u64>,
}

impl SharedNotices {
    /// When the clients of this process are to be told of changes elsewhere.
    pub fn due(&self) -> Option<Instant> {
        self.elsewhere.due()
    }
}

impl<H: Clone> Server<H> {
    /// Tells the other processes of changes.
    fn publish_changes(&mut self, now: Now, lists: &SortedSet<ListChange>, resources: &SortedSet<Box<str>>) {
        let lists: Vec<&str> = lists.iter().map(|list| list.notification()).collect();
        let resources: Vec<&str> = resources.iter().map(AsRef::as_ref).collect();
        self.notices.sent += 1;
        let write = |number: u64, resources: &[&str]| {
            serde_json::json!({ "from": self.store.process(), "number": number, "lists": lists, "resources": resources })
                .to_string()
        };
        let mut text = write(self.notices.sent, &resources);
        if text.len() > MOST_CHANGES {
            // The number that is left out says that there was more.
            self.notices.sent += 1;
            text = write(self.notices.sent, &[]);
        }
        let publish = Operation::Publish { channel: CHANGES.into(), data: text.into_bytes() };
        self.ask_store(now, publish, Waiting::Changes);
    }

    /// Tells the other processes that this one ends: its tasks are to be looked after.
    pub(super) fn publish_end(&mut self, now: Now) {
        self.notices.sent += 1;
        let text =
            serde_json::json!({ "from": self.store.process(), "number": self.notices.sent, "ends": true });
        let publish = Operation::Publish { channel: CHANGES.into(), data: text.to_string().into_bytes() };
        self.ask_store(now, publish, Waiting::Nothing);
    }

    /// Whether other processes were told.
    pub(super) fn changes_told(&mut self, status: StoreStatus) {
        self.notices.is_doubtful |= status != StoreStatus::Done;
    }

    /// What other processes were perhaps not told of is made up for: a message without a change shows that one is missing.
    pub(super) fn repair_changes(&mut self, now: Now) {
        if std::mem::take(&mut self.notices.is_doubtful) {
            self.publish_changes(now, &SortedSet::new(), &SortedSet::new());
        }
    }

    /// Another process tells of changes; `None` where messages may have been missed.
    pub(super) fn changed_elsewhere(&mut self, now: Now, message: Option<&[u8]>) {
        let Some(message) = message else { return self.all_may_have_changed(now) };
        let Ok(message) = serde_json::from_slice::<serde_json::Value>(message) else { return };
        let (Some(from), Some(number)) = (message["from"].as_str(), message["number"].as_u64()) else {
            return;
        };
        if *from == *self.store.process() {
            return;
        }
        let burst = self.settings.timeouts.burst;
        let texts =
            |member: &str| message[member].as_array().into_iter().flatten().filter_map(|it| it.as_str());
        for name in texts("lists") {
            let lists = [ListChange::Tools, ListChange::Resources, ListChange::Prompts];
            if let Some(list) = lists.into_iter().find(|list| list.notification() == name) {
                self.notices.elsewhere.list(list, now.at, burst);
            }
        }
        for uri in texts("resources") {
            self.notices.elsewhere.resource(uri, now.at, burst);
        }
        if self.notices.heard.len() >= MOST_SENDERS && !self.notices.heard.contains_key(from) {
            self.notices.heard.clear();
        }
        let last = self.notices.heard.entry(from.into()).or_default();
        let is_gap = number > *last + 1;
        *last = number.max(*last);
        if is_gap {
            self.all_may_have_changed(now);
        }
        if message["ends"] == true {
            self.process_ends(now, from);
        }
    }

    /// Each client of this process is told once of all that it listens to.
    fn all_may_have_changed(&mut self, now: Now) {
        let burst = self.settings.timeouts.burst;
        if self.sessions.count() == 0 {
            return;
        }
        for list in self.offered() {
            self.notices.elsewhere.list(list, now.at, burst);
        }
        let resources = self.sessions.subscriptions().chain(self.listens.resources());
        for uri in resources {
            self.notices.elsewhere.resource(uri, now.at, burst);
        }
    }
}

/// Where messages go that belong to no request.
pub fn own_stream(session: SessionId) -> Stream {
    Stream { session, number: 0 }
}

/// The `_meta` of a subscription's messages: its id in the type it came in (S-SU-02).
pub fn subscription(id: &WireId) -> String {
    format!("{{\"{}\":{}}}", meta::SUBSCRIPTION_ID, id.text())
}

/// The parameters of `notifications/message`.
pub fn log_params(severity: Severity, logger: Option<&str>, data: &str) -> String {
    let mut params = format!("{{\"level\":\"{}\"", severity.as_str());
    if let Some(logger) = logger {
        params.push_str(",\"logger\":");
        json::quote_into(logger, &mut params);
    }
    params.push_str(",\"data\":");
    params.push_str(data);
    params.push('}');
    params
}

impl<H: Clone> Server<H> {
    /// Reports progress of a request (S-PG-01 to S-PG-04). Over the rate of its session the newest value waits. `false` if the
    /// client did not ask for any, the value does not rise, or the request is over.
    pub fn progress(
        &mut self,
        now: Now,
        number: RequestId,
        value: f64,
        total: Option<f64>,
        message: Option<&str>,
    ) -> bool {
        #[cfg(feature = "draft")]
        let language = self.progress_language(number, message);
        let Some(request) = self.requests.get_mut(number) else { return false };
        let Some(token) = request.context.progress.clone() else { return false };
        if request.task.is_some() && request.context.era() == Era::Modern {
            // The extension has no progress of tasks (S-TX-09).
            return false;
        }
        if !value.is_finite() || request.progress.is_some_and(|last| value <= last) {
            return false;
        }
        request.progress = Some(value);
        let mut params = format!("{{\"progressToken\":{token},\"progress\":{value}");
        if let Some(total) = total.filter(|total| total.is_finite()) {
            // Writing to a string cannot fail.
            let _ = write!(params, ",\"total\":{total}");
        }
        if let Some(message) = message.filter(|_| request.context.revision >= Revision::V2025_03_26) {
            params.push_str(",\"message\":");
            json::quote_into(message, &mut params);
        }
        params.push('}');
        #[cfg(feature = "draft")]
        if let Some(language) = language {
            params = meta::with(&params, crate::protocol::draft::language::CONTENT, &language);
        }
        let session = request.stream.session;
        if let Some(params) = self.rate_limits.progress(now.at, session, number, params) {
            self.notify_of(number, method::PROGRESS, params);
        }
        true
    }

    /// Sends a log message that belongs to a request, if its client wants messages of that severity (S-LG-01 to S-LG-04). `data`
    /// is JSON text. `false` if it is not sent.
    pub fn log(
        &mut self,
        now: Now,
        number: RequestId,
        severity: Severity,
        logger: Option<&str>,
        data: &str,
    ) -> bool {
        let Some(request) = self.requests.get(number) else { return false };
        let wanted = request.context.severity.is_some_and(|least| severity >= least);
        let is_silent = request.task.is_some() && request.context.era() == Era::Modern;
        let session = request.stream.session;
        if !wanted || is_silent || !self.settings.announced.logging || !self.may_log(now, session) {
            return false;
        }
        self.notify_of(number, method::LOG, log_params(severity, logger, data));
        true
    }

    /// The stream on which a request is answered, if its client may be sent away to come back for the rest (2025-11-25, SEP-1699).
    pub fn stream_to_leave(&self, number: RequestId) -> Option<Stream> {
        let request = self.requests.get(number)?;
        let may = request.task.is_none() && request.context.revision == Revision::V2025_11_25;
        may.then_some(request.stream)
    }

    /// Sends a notification that belongs to a request. One of a task names the task (S-T5-06).
    fn notify_of(&mut self, number: RequestId, name: &'static str, params: String) {
        if let Some(request) = self.requests.get(number) {
            let (to, params) = self.addressed(request, params);
            self.notify(to, name, &params);
        }
    }

    fn addressed(&self, request: &PendingRequest<H>, params: String) -> (Stream, String) {
        let params = match &request.task {
            Some(task) => with_related(&params, &related(task)),
            None => params,
        };
        (self.stream_of(request), params)
    }

    /// Whether one more log message goes to the session. One that does not is counted.
    fn may_log(&mut self, now: Now, session: SessionId) -> bool {
        let may = self.rate_limits.log(now.at, session);
        if !may {
            self.counters.dropped_logs += 1;
        }
        may
    }

    /// The progress that still waits when a request ends goes out before its answer.
    pub(super) fn send_last_progress(&mut self, number: RequestId, request: &PendingRequest<H>) {
        if let Some(params) = self.rate_limits.last(request.stream.session, number) {
            let (to, params) = self.addressed(request, params);
            self.notify(to, method::PROGRESS, &params);
        }
    }

    /// The same for a request that is still in the table.
    pub(super) fn send_waiting_progress(&mut self, number: RequestId) {
        let Some(session) = self.requests.get(number).map(|request| request.stream.session) else { return };
        if let Some(params) = self.rate_limits.last(session, number) {
            self.notify_of(number, method::PROGRESS, params);
        }
    }

    /// Progress that had to wait goes out, and the application learns how many log messages were left out.
    pub(super) fn send_waiting_reports(&mut self, now: Now) {
        for (number, params) in self.rate_limits.ready(now.at) {
            self.notify_of(number, method::PROGRESS, params);
        }
        for (session, count) in self.rate_limits.dropped(now.at) {
            self.record_dropped_logs(session, count);
        }
    }

    pub(super) fn record_dropped_logs(&mut self, session: SessionId, count: u64) {
        let limit = self.settings.limits.logs_per_second;
        let text = format!(
            "{count} log messages to the client were left out: a session gets {limit} in a second (limits.logs_per_second)"
        );
        self.record(Level::Warn, session, text);
    }
}

/// How long log messages that were left out are counted before the application is told.
const TOLD_AFTER: Duration = Duration::from_secs(1);

/// The rates of all sessions. Owns the progress that waits, and the counts of log messages that were left out.
#[derive(Debug)]
pub struct RateLimits {
    progress: TokenBuckets,
    /// The newest progress of each request that could not go out.
    held: SortedMap<(SessionId, RequestId), String>,
    /// When the sessions with progress that waits may send again.
    due: DueSessions,
    logs: TokenBuckets,
    /// Log messages that were left out.
    dropped: SortedMap<SessionId, u64>,
    /// When the application is told of them.
    told: DueSessions,
}

impl RateLimits {
    /// So many of each kind for each session and second.
    pub fn new(progress_per_second: u32, logs_per_second: u32) -> RateLimits {
        RateLimits {
            progress: TokenBuckets::new(progress_per_second),
            held: SortedMap::new(),
            due: DueSessions::default(),
            logs: TokenBuckets::new(logs_per_second),
            dropped: SortedMap::new(),
            told: DueSessions::default(),
        }
    }

    /// Progress of a request: the parameters if they go out now. Else they wait, in place of older ones of the request.
    pub fn progress(
        &mut self,
        now: Instant,
        session: SessionId,
        request: RequestId,
        params: String,
    ) -> Option<String> {
        match self.progress.take(session, now) {
            Ok(()) => {
                self.held.remove(&(session, request));
                Some(params)
            }
            Err(at) => {
                self.held.insert((session, request), params);
                self.due.add(session, at);
                None
            }
        }
    }

    /// What waits for one request, which ends: it goes out whatever the rate, so that the last progress is never missing.
    pub fn last(&mut self, session: SessionId, request: RequestId) -> Option<String> {
        self.held.remove(&(session, request))
    }

    /// The progress that may go out by now, of each session the oldest request first.
    pub fn ready(&mut self, now: Instant) -> Vec<(RequestId, String)> {
        let mut ready = Vec::new();
        while let Some(session) = self.due.next(now) {
            let of_session = (session, RequestId(0))..=(session, RequestId(u64::MAX));
            let requests: Vec<RequestId> =
                self.held.range(of_session).map(|((_, request), _)| *request).collect();
            for request in requests {
                match self.progress.take(session, now) {
                    Ok(()) => ready.extend(self.last(session, request).map(|params| (request, params))),
                    Err(at) => {
                        self.due.add(session, at);
                        break;
                    }
                }
            }
        }
        ready
    }

    /// Whether a log message goes out now. Else it is left out and counted.
    pub fn log(&mut self, now: Instant, session: SessionId) -> bool {
        if self.logs.take(session, now).is_ok() {
            return true;
        }
        *self.dropped.entry(session).or_default() += 1;
        self.told.add(session, now + TOLD_AFTER);
        false
    }

    /// The sessions for which log messages were left out, and how many, once that is due.
    pub fn dropped(&mut self, now: Instant) -> Vec<(SessionId, u64)> {
        let mut due = Vec::new();
        while let Some(session) = self.told.next(now) {
            due.extend(self.dropped.remove(&session).map(|count| (session, count)));
        }
        due
    }

    /// A session has ended: gives how many log messages were left out and not told of. Its requests end one by one.
    pub fn forget(&mut self, session: SessionId) -> Option<u64> {
        self.progress.forget(session);
        self.logs.forget(session);
        self.due.remove(session);
        self.told.remove(session);
        self.dropped.remove(&session)
    }

    /// When something is due.
    pub fn deadline(&self) -> Option<Instant> {
        [self.due.first(), self.told.first()].into_iter().flatten().min()
    }
}

/// Sessions for which something is due, each once.
#[derive(Debug, Default)]
struct DueSessions {
    times: SortedMap<SessionId, Instant>,
    order: SortedSet<(Instant, SessionId)>,
}

impl DueSessions {
    /// Something of the session is due at a time, unless something of it is due already.
    fn add(&mut self, session: SessionId, at: Instant) {
        if self.times.contains_key(&session) {
            return;
        }
        self.times.insert(session, at);
        self.order.insert((at, session));
    }

    fn remove(&mut self, session: SessionId) {
        if let Some(at) = self.times.remove(&session) {
            self.order.remove(&(at, session));
        }
    }

    fn first(&self) -> Option<Instant> {
        self.order.first().map(|(at, _)| *at)
    }

    /// A session that is due by now, which is taken out.
    fn next(&mut self, now: Instant) -> Option<SessionId> {
        let (_, session) = self.order.first().copied().filter(|(at, _)| *at <= now)?;
        self.remove(session);
        Some(session)
    }
}

const SECOND: Duration = Duration::from_secs(1);

/// The permits of all sessions. A full bucket holds the permits of one second; what was taken comes back evenly.
#[derive(Debug)]
pub struct TokenBuckets {
    /// How long one permit takes to come back.
    interval: Duration,
    /// When the bucket of a session is full again. One that is not here is full.
    full: ById<Instant, SessionId>,
}

impl TokenBuckets {
    /// `per_second` permits for each session and second.
    pub fn new(per_second: u32) -> TokenBuckets {
        TokenBuckets { interval: SECOND / per_second.max(1), full: ById::default() }
    }

    /// Takes a permit of a session.
    ///
    /// # Errors
    /// When there will be one.
    pub fn take(&mut self, session: SessionId, now: Instant) -> Result<(), Instant> {
        let full = self.full.entry(session).or_insert(now);
        let after = (*full).max(now) + self.interval;
        let wait = after.saturating_duration_since(now).saturating_sub(SECOND);
        if !wait.is_zero() {
            return Err(now + wait);
        }
        *full = after;
        Ok(())
    }

    /// A session has ended.
    pub fn forget(&mut self, session: SessionId) {
        self.full.remove(&session);
    }
}

#[cfg(test)]
mod tests {
    use super::{SECOND, SessionId, TokenBuckets};
    use std::time::Instant;

    #[test]
    fn a_bucket_empties_and_fills() {
        let mut rates = TokenBuckets::new(4);
        let (start, one, other) = (Instant::now(), SessionId(1), SessionId(2));
        for _ in 0..4 {
            assert_eq!(rates.take(one, start), Ok(()));
        }
        assert_eq!(rates.take(one, start), Err(start + SECOND / 4));
        assert_eq!(rates.take(other, start), Ok(()), "each session has its own");
        assert_eq!(rates.take(one, start + SECOND / 4), Ok(()));
        assert_eq!(rates.take(one, start + SECOND / 4), Err(start + SECOND / 2));
        let later = start + SECOND * 60;
        let taken = (0..10).filter(|_| rates.take(one, later).is_ok()).count();
        assert_eq!(taken, 4, "permits are not saved up");
        rates.forget(one);
        rates.forget(other);
        assert!(rates.full.is_empty());
    }
}
