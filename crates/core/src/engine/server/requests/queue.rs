//! The queue of requests: the limit of requests in progress is reached, of their session or of all. Each session's are
//! taken up in the order in which they came; the clients have turns, and so have the sessions of each. Half of the bytes that are
//! free is for one client, the other half for those that come.
//!
//! What waits in the queue is not a request yet: no handler sees it, and only an error, the end of its session, or its turn takes it out.

use super::params::WireId;
use crate::engine::hashing::{ById, Keyed};
use crate::engine::server::access::Principal;
use crate::engine::server::effect::{RequestId, SessionId, Stream};
use crate::protocol::envelope::Incoming;
use crate::shares::{Lending, Shares};
use crate::sorted::{SortedMap, SortedSet};
use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::time::Instant;

/// One session may have this part of the bytes of all that wait in the queue.
const SESSION_PART: usize = 16;
/// The first request of a client finds room up to this size, however much waits in the queue.
const SMALL: usize = 64 * 1024;

/// The bounds of what waits in the queue.
#[derive(Clone, Copy, Debug)]
pub struct QueueBounds {
    /// Requests of one session.
    pub per_session: usize,
    /// Bytes of all sessions.
    pub bytes: usize,
}

/// One request that waits in the queue, as it came.
#[derive(Debug)]
pub struct QueuedRequest {
    pub from: Stream,
    /// Whose session that is.
    pub holder: u64,
    /// Within which of the session's streams its id is compared.
    pub space: u64,
    pub id: WireId,
    pub frame: Vec<u8>,
    /// What the scan of the frame found.
    pub scanned: Incoming,
    pub in_batch: bool,
    /// Who it comes from: the session may hear of another token meanwhile.
    pub principal: Option<Arc<Principal>>,
    /// When it is refused.
    pub deadline: Option<Instant>,
}

#[derive(Debug)]
struct QueueEntry {
    it: QueuedRequest,
    /// The bytes of it that were free when it came.
    counted: usize,
}

#[derive(Debug, Default)]
struct SessionQueue {
    order: SortedSet<u64>,
    ids: HashMap<(u64, WireId), u64, Keyed>,
    bytes: usize,
}

/// The queue. Owns what waits in it, and the requests whose handlers wait for room in the queue of the application.
#[derive(Debug)]
pub struct RequestQueue {
    standing: SortedMap<u64, QueueEntry>,
    by_session: ById<SessionQueue, SessionId>,
    /// The sessions of each client that have requests in line, each once.
    by_holder: ById<VecDeque<SessionId>, u64>,
    /// The clients that have requests in line, each once.
    turns: VecDeque<u64>,
    deadlines: SortedSet<(Instant, u64)>,
    bytes: Shares<u64>,
    next: u64,
    bounds: QueueBounds,
    /// The requests of each client that were put back.
    put_back: SortedMap<u64, VecDeque<RequestId>>,
    /// The clients that have some, each once.
    put_back_turns: VecDeque<u64>,
    /// How many requests had ended when nothing in line could be taken up: before the next one ends, nothing can.
    looked_at: Option<u64>,
}

impl RequestQueue {
    /// An empty queue.
    pub fn new(bounds: QueueBounds) -> RequestQueue {
        RequestQueue {
            standing: SortedMap::new(),
            by_session: ById::default(),
            by_holder: ById::default(),
            turns: VecDeque::new(),
            deadlines: SortedSet::new(),
            bytes: Shares::new(bounds.bytes, 1, Lending::Half),
            next: 0,
            bounds,
            put_back: SortedMap::new(),
            put_back_turns: VecDeque::new(),
            looked_at: None,
        }
    }

    /// Whether nothing waits in it.
    pub fn is_empty(&self) -> bool {
        self.standing.is_empty()
    }

    /// How many wait in it.
    pub fn count(&self) -> usize {
        self.standing.len()
    }

    /// How many of one session do.
    pub fn of_session(&self, session: SessionId) -> usize {
        self.by_session.get(&session).map_or(0, |of| of.order.len())
    }

    /// How many of one stream do.
    #[cfg(feature = "http")]
    pub fn on_stream(&self, stream: Stream) -> usize {
        let Some(of) = self.by_session.get(&stream.session) else { return 0 };
        of.order.iter().filter(|at| self.standing.get(at).is_some_and(|at| at.it.from == stream)).count()
    }

    /// Whether a request with that id waits in the queue.
    pub fn has(&self, session: SessionId, space: u64, id: &WireId) -> bool {
        self.by_session.get(&session).is_some_and(|of| of.ids.contains_key(&(space, id.clone())))
    }

    /// Whether one more of a session of a client may wait in the queue, of `bytes`. What is over a bound of bytes only by its own size
    /// may: the driver has read it.
    ///
    /// # Errors
    /// The key of the bound that is reached.
    pub fn has_room(&self, session: SessionId, holder: u64, bytes: usize) -> Result<(), &'static str> {
        let (count, held) = self.by_session.get(&session).map_or((0, 0), |of| (of.order.len(), of.bytes));
        if count >= self.bounds.per_session {
            return Err("limits.session_waiting");
        }
        let is_first = bytes <= SMALL && !self.by_holder.contains_key(&holder);
        let has_part = held >= self.bounds.bytes / SESSION_PART;
        if is_first || !has_part && self.bytes.may_take(&holder, 1).is_ok() {
            return Ok(());
        }
        Err("limits.waiting_bytes")
    }

    /// Whether a session of a client is to be read on: there is room for what comes, or nothing of it waits in the queue.
    pub fn wants(&self, session: SessionId, holder: impl FnOnce() -> u64) -> bool {
        !self.by_session.contains_key(&session) || self.has_room(session, holder(), 0).is_ok()
    }

    /// One more, for which there is room.
    pub fn push(&mut self, mut it: QueuedRequest) {
        it.frame.shrink_to_fit();
        let (at, session, bytes) = (self.next, it.from.session, it.frame.len());
        self.next += 1;
        let counted = bytes.min(self.bytes.free());
        self.bytes.put(&it.holder, counted);
        if let Some(deadline) = it.deadline {
            self.deadlines.insert((deadline, at));
        }
        let of = self.by_session.entry(session).or_default();
        if of.order.is_empty() {
            let sessions = self.by_holder.entry(it.holder).or_default();
            if sessions.is_empty() {
                self.turns.push_back(it.holder);
            }
            sessions.push_back(session);
        }
        of.order.insert(at);
        of.ids.insert((it.space, it.id.clone()), at);
        of.bytes += bytes;
        self.standing.insert(at, QueueEntry { it, counted });
        self.looked_at = None;
    }

    /// Takes out the first one of the next session, of the next client, that has a place. `ended` is how many requests have ended so far.
    pub fn next(
        &mut self,
        ended: u64,
        has_place: impl Fn(SessionId, usize) -> bool,
    ) -> Option<QueuedRequest> {
        if self.looked_at == Some(ended) {
            return None;
        }
        for _ in 0..self.turns.len() {
            let Some(holder) = next_turn(&mut self.turns) else { break };
            if self.put_back.contains_key(&holder) {
                continue;
            }
            let Some(sessions) = self.by_holder.get_mut(&holder) else { continue };
            for _ in 0..sessions.len() {
                let Some(session) = next_turn(sessions) else { break };
                let first = self.by_session.get(&session).and_then(|of| of.order.first().copied());
                let bytes = |at: &u64| self.standing.get(at).map_or(0, |place| place.it.frame.len());
                if let Some(first) = first.filter(|first| has_place(session, bytes(first))) {
                    return self.remove(first);
                }
            }
        }
        self.looked_at = Some(ended);
        None
    }

    /// Takes out the request with that id; in any stream where `space` is not given, unless two have that id. Gives its space.
    pub fn cancel(&mut self, session: SessionId, space: Option<u64>, id: &WireId) -> Option<u64> {
        let of = self.by_session.get(&session)?;
        let at = match space {
            Some(space) => of.ids.get(&(space, id.clone())).copied(),
            None => {
                let mut found = of.ids.iter().filter(|((_, other), _)| other == id).map(|(_, at)| *at);
                found.next().filter(|_| found.next().is_none())
            }
        };
        at.and_then(|at| self.remove(at)).map(|it| it.space)
    }

    /// Takes out one whose time is over.
    pub fn overdue(&mut self, now: Instant) -> Option<QueuedRequest> {
        let (_, at) = *self.deadlines.first().filter(|(deadline, _)| *deadline <= now)?;
        self.remove(at)
    }

    /// When the first one is refused.
    pub fn deadline(&self) -> Option<Instant> {
        self.deadlines.first().map(|(deadline, _)| *deadline)
    }

    /// Takes out the oldest.
    pub fn pop(&mut self) -> Option<QueuedRequest> {
        let first = *self.standing.first_key_value()?.0;
        self.remove(first)
    }

    /// A session has ended.
    pub fn end_session(&mut self, session: SessionId) {
        let Some(of) = self.by_session.get(&session) else { return };
        for at in of.order.clone() {
            self.remove(at);
        }
    }

    fn remove(&mut self, at: u64) -> Option<QueuedRequest> {
        let QueueEntry { it, counted } = self.standing.remove(&at)?;
        self.bytes.give(&it.holder, counted);
        if let Some(deadline) = it.deadline {
            self.deadlines.remove(&(deadline, at));
        }
        let session = it.from.session;
        if let Some(of) = self.by_session.get_mut(&session) {
            of.order.remove(&at);
            of.ids.remove(&(it.space, it.id.clone()));
            of.bytes -= it.frame.len();
            if of.order.is_empty() {
                self.by_session.remove(&session);
                self.end_turns(it.holder, session);
            }
        }
        Some(it)
    }

    /// Nothing of a session waits in the queue any more.
    fn end_turns(&mut self, holder: u64, session: SessionId) {
        let Some(sessions) = self.by_holder.get_mut(&holder) else { return };
        leave(sessions, &session);
        if sessions.is_empty() {
            self.by_holder.remove(&holder);
            leave(&mut self.turns, &holder);
        }
    }

    /// The handler of a client's request waits for room in the queue: other requests of that client come behind it.
    pub fn put_back(&mut self, holder: u64, request: RequestId) {
        let of = self.put_back.entry(holder).or_default();
        if of.is_empty() {
            self.put_back_turns.push_back(holder);
        }
        of.push_back(request);
    }

    /// Whether a handler of a client waits so.
    pub fn has_put_back(&self, holder: u64) -> bool {
        self.put_back.contains_key(&holder)
    }

    /// Whether a handler of any client does.
    pub fn has_any_put_back(&self) -> bool {
        !self.put_back.is_empty()
    }

    /// The first request of each client whose handler waits so, by turns.
    pub fn first_put_back(&self) -> impl Iterator<Item = (u64, RequestId)> {
        let first = |holder: &u64| Some((*holder, *self.put_back.get(holder)?.front()?));
        self.put_back_turns.iter().filter_map(first)
    }

    /// The first request of a client waits no longer; other clients have their turns before its next one.
    pub fn pop_put_back(&mut self, holder: u64) {
        let Some(of) = self.put_back.get_mut(&holder) else { return };
        of.pop_front();
        let is_last = of.is_empty();
        leave(&mut self.put_back_turns, &holder);
        if is_last {
            self.put_back.remove(&holder);
        } else {
            self.put_back_turns.push_back(holder);
        }
        self.looked_at = None;
    }

    /// A request of a client is withdrawn; whether its handler waited so.
    pub fn forget_put_back(&mut self, holder: u64, request: RequestId) -> bool {
        let Some(of) = self.put_back.get_mut(&holder) else { return false };
        let before = of.len();
        of.retain(|other| *other != request);
        let was_there = of.len() != before;
        if of.is_empty() {
            self.put_back.remove(&holder);
            leave(&mut self.put_back_turns, &holder);
            self.looked_at = None;
        }
        was_there
    }
}

/// Whose turn it is; the next one comes when all others had theirs.
fn next_turn<T: Copy>(turns: &mut VecDeque<T>) -> Option<T> {
    let next = turns.pop_front()?;
    turns.push_back(next);
    Some(next)
}

/// Takes one out of its turns, mostly the one that had the last.
fn leave<T: PartialEq>(turns: &mut VecDeque<T>, which: &T) {
    if turns.back() == Some(which) {
        turns.pop_back();
    } else {
        turns.retain(|other| other != which);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn standing(session: u64, id: &str, bytes: usize) -> QueuedRequest {
        let mut frame = format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"m"}}"#).into_bytes();
        frame.resize(frame.len().max(bytes), b' ');
        let scanned = crate::protocol::envelope::parse(&frame, 16).expect("a request");
        QueuedRequest {
            from: Stream { session: SessionId(session), number: 0 },
            holder: session,
            space: 0,
            id: WireId::read(id, 64).expect("an id"),
            frame,
            scanned,
            in_batch: false,
            principal: None,
            deadline: None,
        }
    }

    fn line(per_session: usize, bytes: usize) -> RequestQueue {
        RequestQueue::new(QueueBounds { per_session, bytes })
    }

    fn next(line: &mut RequestQueue, ended: u64, has_place: &[u64]) -> Option<String> {
        let it = line.next(ended, |session, _| has_place.contains(&session.0))?;
        Some(format!("{}:{}", it.from.session.0, it.id.text()))
    }

    #[test]
    fn sessions_take_turns_and_each_keeps_its_order() {
        let mut line = line(9, 1 << 20);
        for (session, id) in [(1, "1"), (1, "2"), (1, "3"), (2, "1"), (3, "1")] {
            line.push(standing(session, id, 0));
        }
        assert_eq!(next(&mut line, 0, &[]), None);
        assert_eq!(next(&mut line, 0, &[1]), None, "nothing has ended since the last look");
        let order: Vec<_> = std::iter::from_fn(|| next(&mut line, 1, &[1, 2])).collect();
        assert_eq!(order, ["1:1", "2:1", "1:2", "1:3"]);
        assert_eq!((line.count(), line.of_session(SessionId(3)), line.turns.len()), (1, 1, 1));
        line.end_session(SessionId(3));
        assert!(line.is_empty() && line.bytes.used() == 0);
        assert!(line.by_session.is_empty() && line.by_holder.is_empty() && line.turns.is_empty());
    }

    #[test]
    fn a_session_has_a_share_of_the_line_and_each_finds_room_for_a_small_request() {
        let mut line = line(3, 16 * 1000);
        let one = SessionId(1);
        line.push(standing(1, "1", 999));
        assert_eq!(line.has_room(one, 1, 5000), Ok(()), "it is read on until it has its share");
        line.push(standing(1, "2", 5000));
        assert_eq!((line.has_room(one, 1, 1), line.wants(one, || 1)), (Err("limits.waiting_bytes"), false));
        line.push(standing(2, "1", 9_900));
        line.push(standing(3, "1", 9_900));
        assert_eq!(line.has_room(SessionId(4), 4, SMALL + 1), Err("limits.waiting_bytes"));
        assert_eq!((line.has_room(SessionId(4), 4, SMALL), line.wants(SessionId(4), || 4)), (Ok(()), true));
        assert_eq!(line.cancel(one, Some(0), &WireId::read("2", 9).expect("an id")), Some(0));
        assert!(!line.has(one, 0, &WireId::read("2", 9).expect("an id")));
        line.end_session(SessionId(3));
        for id in ["3", "4"] {
            line.push(standing(1, id, 0));
        }
        assert_eq!(line.has_room(one, 1, 0), Err("limits.session_waiting"));
    }

    #[test]
    fn a_client_with_many_sessions_has_one_turn_and_one_share() {
        let mut line = line(9, 16 * 1000);
        for session in 10..30 {
            assert_eq!(
                line.has_room(SessionId(session), 1, SMALL),
                if session < 18 { Ok(()) } else { Err("limits.waiting_bytes") }
            );
            if session < 18 {
                line.push(QueuedRequest { holder: 1, ..standing(session, "1", 1000) });
            }
        }
        assert_eq!(line.has_room(SessionId(30), 2, 2000), Ok(()), "the other half is for others");
        line.push(QueuedRequest { holder: 2, ..standing(30, "1", 2000) });
        line.push(QueuedRequest { holder: 2, ..standing(30, "2", 2000) });
        assert_eq!(line.has_room(SessionId(18), 1, 0), Err("limits.waiting_bytes"));
        let order: Vec<_> = std::iter::from_fn(|| line.next(0, |_, _| true)).map(|it| it.holder).collect();
        assert_eq!(order, [1, 2, 1, 2, 1, 1, 1, 1, 1, 1]);
        assert!(
            line.is_empty() && line.bytes.used() == 0 && line.by_holder.is_empty() && line.turns.is_empty()
        );
    }

    #[test]
    fn the_time_in_line_is_bounded() {
        let mut line = line(9, 1 << 20);
        let now = Instant::now();
        for (id, seconds) in [("1", Some(2)), ("2", None), ("3", Some(1))] {
            let deadline = seconds.map(|seconds| now + Duration::from_secs(seconds));
            line.push(QueuedRequest { deadline, ..standing(1, id, 0) });
        }
        assert_eq!(line.deadline(), Some(now + Duration::from_secs(1)));
        assert!(line.overdue(now).is_none());
        let late = now + Duration::from_secs(5);
        let over: Vec<_> =
            std::iter::from_fn(|| line.overdue(late)).map(|it| it.id.text().to_owned()).collect();
        assert_eq!((over, line.count(), line.deadline()), (vec!["3".to_owned(), "1".to_owned()], 1, None));
    }
}
