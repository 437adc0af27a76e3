//! What is sent on the streams of a session: each message counts until its client has taken it, and so does what is kept for a client
//! that comes back. Where there is no room an answer becomes an error, and events are kept no longer.

use super::channel::OutgoingEvent;
use super::session::{HttpSession, SessionKind, Streams, UNRELATED};
use crate::engine::server::Frame as Sent;
use crate::json;
use crate::protocol::{error_code, write};
use crate::runtime::server::budget::{Account, BudgetFull, Charge, EACH, GivesWay};
use crate::runtime::{clock, lock};
use crate::transport::http_server::event_store::EventId;
use std::sync::Mutex;
use std::time::Instant;

impl GivesWay for Mutex<Streams> {
    /// The oldest events are kept no longer.
    fn give_way(&self, bytes: usize) {
        let mut streams = lock(self);
        let mut given = 0;
        while given < bytes {
            let Some(more) = streams.store.drop_oldest() else { break };
            given += more + EACH;
        }
    }
}

impl HttpSession {
    /// Sends a message on a stream, or keeps it where its client is not there. Where there is no room for an answer its client is told so
    /// instead; for another message the stream ends then.
    pub(in crate::runtime::server) fn push(&self, number: u64, mut frame: Vec<u8>, sent: Sent) {
        if frame.capacity() - frame.len() > frame.len() / 8 + EACH {
            frame.shrink_to_fit();
        }
        // Before the lock of the streams: what gives way may be kept in this session.
        let reader = self.reader(number);
        let charge = reader.as_ref().map(|reader| reader.charge(frame.capacity() + EACH));
        let (frame, charge) = match (charge, sent) {
            (Some(Err(BudgetFull)), Sent::Answer(_)) => (no_room(&frame), Some(Ok(Charge::default()))),
            (charge, _) => (frame, charge),
        };
        let kept = self.keep(&frame);
        let mut streams = lock(&self.streams);
        streams.used = clock::now();
        let number = self.place_of(&streams, number);
        let id = (self.kind == SessionKind::Streamable).then(|| {
            let place = streams.places.entry(number).or_insert(0);
            *place += 1;
            let id = EventId { stream: number, place: *place };
            let now = streams.used;
            match kept {
                Some((frame, charge)) => streams.store.keep(id, frame, charge, now),
                None => streams.store.lose(id),
            }
            id
        });
        let Some(sink) = streams.open.get(&number) else { return };
        let taken = match charge {
            Some(Ok(charge)) => {
                let message = OutgoingEvent { id, frame, sent, retry: None, charge };
                sink.send(message, self.stream_bytes, self.write)
            }
            // The client has come in between, and comes back for what it missed where that is kept.
            None | Some(Err(BudgetFull)) => None,
        };
        let Some(taken) = taken else {
            sink.cut();
            streams.open.remove(&number);
            return;
        };
        if taken
            && number == UNRELATED
            && let Some(id) = id
        {
            streams.given = id.place;
        }
    }

    /// Where a message goes. What a task says after its call was answered belongs to no stream of a request any more.
    fn place_of(&self, streams: &Streams, number: u64) -> u64 {
        let is_over = self.kind == SessionKind::Streamable && !streams.places.contains_key(&number);
        if is_over { UNRELATED } else { number }
    }

    /// What counts the messages of a stream that a client reads.
    fn reader(&self, number: u64) -> Option<Account> {
        let streams = lock(&self.streams);
        let number = self.place_of(&streams, number);
        streams.open.get(&number).map(|sink| sink.account().clone())
    }

    /// A copy of a message for a client that comes back, if it may be kept. The oldest one goes where there is no room for it.
    fn keep(&self, frame: &[u8]) -> Option<(Vec<u8>, Charge)> {
        if !self.keeps || !lock(&self.streams).store.takes(frame.len()) {
            return None;
        }
        let charge = loop {
            match self.kept.charge(frame.len() + EACH) {
                Ok(charge) => break charge,
                Err(BudgetFull) => lock(&self.streams).store.drop_oldest()?,
            };
        };
        let mut copy = Vec::new();
        copy.try_reserve_exact(frame.len()).ok()?;
        copy.extend_from_slice(frame);
        Some((copy, charge))
    }

    /// Drops the events that are too old.
    pub(super) fn drop_old_events(&self, now: Instant) {
        lock(&self.streams).store.drop_old(now);
    }
}

/// The answer in place of one for which there is no room.
fn no_room(answer: &[u8]) -> Vec<u8> {
    let text = "the server holds as many bytes for its clients as limits.shared_bytes allows";
    let id = json::member(json::utf8(answer), "id").unwrap_or("null");
    let data = r#"{"limit":"limits.shared_bytes"}"#;
    write::error(Some(id), error_code::INTERNAL_ERROR, text, Some(data)).text
}

#[cfg(test)]
mod tests {
    use super::super::limits::HttpLimits;
    use super::super::progress::ConnectionProgress;
    use super::super::session::KnownSession;
    use super::super::session::Resumed;
    use super::*;
    use crate::engine::server::SessionId;
    use crate::protocol::Revision;
    use crate::runtime::server::budget::Budget;
    use crate::shares::Holder;
    use std::sync::{Arc, Weak};
    use std::task::{Context, Poll, Waker};

    const TOTAL: usize = 1 << 20;

    #[derive(Debug)]
    struct NoPlace;

    impl KnownSession for NoPlace {
        fn forget(&self, _name: &str) {}
    }

    fn at(last: u8) -> Holder {
        Holder::at(std::net::Ipv4Addr::new(192, 0, 2, last).into())
    }

    fn session(number: u64, holder: Holder, budget: &Arc<Budget>) -> HttpSession {
        let known: Weak<NoPlace> = Weak::new();
        let kind = SessionKind::Streamable;
        let limits = HttpLimits::of_tests();
        let session = HttpSession::new(SessionId(number), kind, None, holder, known, &limits, budget);
        session.agreed(Revision::V2025_11_25);
        session
    }

    fn message(bytes: usize) -> Vec<u8> {
        let mut text = br#"{"jsonrpc":"2.0","id":7,"result":{"x":""#.to_vec();
        text.resize(bytes - 3, b'x');
        text.extend_from_slice(br#""}}"#);
        text
    }

    fn event(stream: u64, place: u64) -> EventId {
        EventId { stream, place }
    }

    #[test]
    fn sessions_without_a_connection_give_their_events_back_to_one_that_has_few() {
        let budget = Budget::new(TOTAL);
        let left: Vec<HttpSession> = (0..8).map(|number| session(number, at(2), &budget)).collect();
        for session in left.iter().cycle().take(64) {
            session.push(UNRELATED, message(50_000), Sent::Notification);
        }
        assert!(budget.held() > TOTAL / 2 && budget.held() <= TOTAL);
        let innocent = session(100, at(1), &budget);
        for _ in 0..9 {
            innocent.push(UNRELATED, message(50_000), Sent::Notification);
        }
        let account = Account::default();
        assert!(
            matches!(innocent.resume(event(UNRELATED, 1), &account), Resumed::Goes(_)),
            "all of its events are kept"
        );
        assert!(budget.held() <= TOTAL);
        drop((left, innocent));
        assert_eq!(budget.held(), 0);
    }

    #[test]
    fn an_answer_without_room_is_an_error_with_its_id() {
        let budget = Budget::new(TOTAL);
        let session = session(1, at(1), &budget);
        let progress = ConnectionProgress::new();
        let gives_way: Weak<ConnectionProgress> = Arc::downgrade(&progress);
        let account = budget.account(at(1), gives_way);
        let (number, mut source) = session.open(true, &account).expect("a stream");
        session.push(number, message(TOTAL + 1000), Sent::Answer(None));
        let Poll::Ready(Some(answer)) = source.poll(&mut Context::from_waker(Waker::noop())) else {
            panic!("there is an answer")
        };
        let text = String::from_utf8(answer.frame).expect("text");
        assert!(text.contains(r#""id":7"#) && text.contains("limits.shared_bytes"), "{text}");
        session.push(number, message(1000), Sent::Answer(None));
        assert!(source.poll(&mut Context::from_waker(Waker::noop())).is_ready());
    }

    #[test]
    fn what_a_client_has_not_read_counts_until_it_has() {
        let budget = Budget::new(TOTAL);
        let session = session(1, at(1), &budget);
        let progress = ConnectionProgress::new();
        let gives_way: Weak<ConnectionProgress> = Arc::downgrade(&progress);
        let account = budget.account(at(1), gives_way);
        let (number, mut source) = session.open(true, &account).expect("a stream");
        session.push(number, message(100_000), Sent::Notification);
        assert!(budget.held() >= 200_000, "what waits, and what is kept");
        let taken = source.poll(&mut Context::from_waker(Waker::noop()));
        assert!(budget.held() >= 200_000, "it is on its way");
        drop(taken);
        assert!((100_000..150_000).contains(&budget.held()), "what is kept is left");
        session.delivered(number);
        assert_eq!(budget.held(), 0);
    }
}
