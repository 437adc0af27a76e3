//! One turn of the driver: waiting for input, reading, and doing what is due.

use super::budget::BudgetFull;
#[cfg(feature = "http")]
use super::effects::hand_over;
use super::serving::{ArrivedClient, Inside, MOST_ARRIVALS, Serving};
use super::session::{ByteStream, ClientSession, Token};
#[cfg(feature = "http")]
use super::shared_wait::SharedWait;
use crate::engine::Level;
use crate::engine::server::{SessionId, Stream};
use crate::runtime::waiter::Waiter;
use crate::runtime::{clock, lock};
use crate::shares::Holder;
use crate::transport::framing::Piece;
use crate::transport::socket::listen::AcceptNext;
use crate::transport::stream::{Incoming, Read};
use std::sync::Arc;
use std::sync::atomic::Ordering;
#[cfg(feature = "http")]
use std::task::Waker;
use std::time::{Duration, Instant};

/// Clients accepted in one turn: many more than are begun to be served, so that the system's own queue, which has no turns, stays short.
const ACCEPTED_PER_TURN: usize = 512;
/// Clients that one turn begins to serve. Each is looked at a few times until it is answered, and while clients keep connecting a turn
/// drives 61 tasks (tokio's interval between looks at its descriptors): more would make a line of them that those in turn wait in.
const BEGUN_PER_TURN: usize = 16;
/// The time before another attempt to watch a listener.
const RETRY: Duration = Duration::from_millis(100);

impl Serving {
    /// Waits until something happens or the time is over, and does it. `awake` is called between the two, or before where the waiter
    /// of this thread tells of all that happens: what happens from then on need not end the wait. Only for the thread that drives;
    /// one of the application gives its waiter.
    pub(super) fn turn(
        &self,
        by: Option<&Arc<Waiter>>,
        until: Option<Instant>,
        ready: &mut Vec<u64>,
        awake: &dyn Fn(),
    ) {
        let mut inside = self.inside();
        let unwritten = inside.take_unwritten();
        let due = inside.due();
        #[cfg(feature = "store")]
        let due = [due, self.store_due()].into_iter().flatten().min();
        let mut always_ready = inside.always_ready.clone();
        always_ready.retain(|number| !inside.held_up.contains(number));
        let resumed = std::mem::take(&mut inside.resumed);
        let wake = [due, until].into_iter().flatten().min();
        self.sleep.begin(wake);
        let wake = if always_ready.is_empty() && resumed.is_empty() { wake } else { Some(Instant::now()) };
        // While this thread drives, no more wakes are held.
        #[cfg(feature = "http")]
        let (shared_wait, held) = (inside.shared_wait.clone(), std::mem::take(&mut inside.unwoken));
        drop(inside);
        // What a thread in a handler holds back, and this one did.
        self.write(unwritten);
        #[cfg(feature = "http")]
        let has_waited = self.wait_with_http(shared_wait.as_deref(), by, wake, ready, awake, held);
        #[cfg(not(feature = "http"))]
        let (has_waited, _only_for_http) = (false, by);
        if !has_waited {
            let timeout = wake.map(|at| at.saturating_duration_since(Instant::now()));
            self.poller.wait(ready, timeout);
            awake();
        }
        self.sleep.end();
        if self.is_holding.load(Ordering::Acquire) {
            // The queue may have room again.
            self.pump(self.inside());
        }
        for number in resumed {
            self.read_again(number);
        }
        for token in ready.iter() {
            match Token::unpack(*token) {
                Token::Input(number) => self.read(number),
                Token::Output(number) => self.flush(number),
                Token::Listener(number) => self.accept(number),
            }
        }
        for number in always_ready {
            self.read(number);
        }
        if self.arrivals.is_any() {
            self.begin_to_serve(BEGUN_PER_TURN);
        }
        self.end_what_gives_way();
        if due.is_some_and(|due| due <= Instant::now()) {
            self.tick();
        }
    }

    /// Ends the sessions whose room others need.
    fn end_what_gives_way(&self) {
        let ending = std::mem::take(&mut *lock(&self.giving_way));
        for id in ending {
            self.end_session(
                id,
                "others needed the room that what waits for its client takes (limits.shared_bytes)",
            );
        }
    }

    /// Waits as [`Serving::turn`] does, and drives the connections over HTTP meanwhile, of which those that are held go on first. `false`
    /// if it did not, because another thread must.
    #[cfg(feature = "http")]
    fn wait_with_http(
        &self,
        shared: Option<&SharedWait>,
        by: Option<&Arc<Waiter>>,
        until: Option<Instant>,
        ready: &mut Vec<u64>,
        awake: &dyn Fn(),
        held: Vec<Waker>,
    ) -> bool {
        let lent = by.zip(shared).and_then(|(waiter, shared)| Some((waiter, shared, shared.lend()?)));
        let Some((waiter, shared, lent)) = lent else {
            hand_over(held, shared);
            return false;
        };
        awake();
        let waits = self.task.enter(waiter);
        shared.drive(&lent, &self.poller, waiter, until, held);
        drop(waits);
        shared.take(&self.poller, ready);
        true
    }

    fn session(&self, number: u64) -> Option<Arc<ClientSession>> {
        self.inside().sessions.get(&number).map(Arc::clone)
    }

    fn flush(&self, number: u64) {
        if let Some(session) = self.session(number) {
            self.written(&session, session.flush(&self.poller));
        }
    }

    /// Reads once, and gives the engine what came, as far as it takes it. The rest stays where it was read to.
    fn read(&self, number: u64) {
        let Some(session) = self.session(number) else { return };
        let Some(bytes) = session.stream() else { return };
        let mut counted = lock(&bytes.incoming);
        let mut last = Read::Nothing;
        loop {
            // What is left of the read before comes first, and what is held does not grow meanwhile.
            if !bytes.has_rest.load(Ordering::Relaxed) {
                last = match counted.read() {
                    Ok(last) => last,
                    // What gives way is ended by this thread: it reads on in the next turn.
                    Err(BudgetFull) if counted.may_have_room_soon() => return,
                    Err(BudgetFull) => {
                        drop(counted);
                        let why = "server memory limit reached (limits.shared_bytes)";
                        return self.end_session(session.id, why);
                    }
                };
            }
            let mut inside = self.inside();
            if inside.held_up.contains(&number) {
                return;
            }
            let broken = self.give_engine(&mut inside, bytes, &mut counted.incoming, session.id);
            self.pump(inside);
            // It holds less now, or as much as was charged before the read; if the read grew it, the next one charges that.
            let _counted = counted.count();
            if let Some(why) = broken {
                drop(counted);
                return self.end_session(session.id, &why);
            }
            if !bytes.has_rest.load(Ordering::Relaxed) {
                break;
            }
            let mut inside = self.inside();
            if !inside.engine.reads(session.id) {
                inside.held_up.insert(number);
                bytes.ignore_input(&self.poller);
                return;
            }
        }
        let (partial, errno) = (counted.incoming.is_partial(), counted.incoming.error());
        drop(counted);
        if last == Read::Ended {
            if let Some(errno) = errno {
                return self.end_session(session.id, &format!("reading from the client failed: {errno}"));
            }
            self.input_ended(&session, partial);
        }
    }

    /// Gives the engine the frames that were read, as far as it takes them. Gives why the session ends, if it does.
    fn give_engine(
        &self,
        inside: &mut Inside,
        bytes: &ByteStream,
        incoming: &mut Incoming,
        session: SessionId,
    ) -> Option<String> {
        let (stream, now) = (Stream { session, number: 0 }, Serving::now());
        while inside.engine.reads(session) {
            match incoming.next_piece() {
                Some(Piece::Frame(frame)) => match bytes.taken(frame) {
                    Some(frame) => {
                        inside.guests.used(session.0);
                        self.callbacks.frame_of_session(self.name(), session.0, false, &frame);
                        inside.engine.take_frame(now, stream, frame);
                    }
                    None => return Some("the client does not speak JSON-RPC".to_owned()),
                },
                Some(Piece::Oversized { .. } | Piece::Unheld { .. }) => {
                    inside.engine.oversized_frame(stream, self.limits.frame_bytes);
                }
                Some(Piece::Broken(why)) => return Some(why),
                None => {
                    bytes.has_rest.store(false, Ordering::Relaxed);
                    return None;
                }
            }
        }
        bytes.has_rest.store(true, Ordering::Relaxed);
        None
    }

    /// Reads a session again for whose requests there was no room.
    fn read_again(&self, number: u64) {
        let Some(session) = self.session(number) else { return };
        let Some(bytes) = session.stream() else { return };
        match bytes.watch(&self.poller) {
            Ok(()) => self.read(number),
            Err(errno) => {
                self.end_session(session.id, &format!("the system cannot watch more descriptors: {errno}"));
            }
        }
    }

    /// The client sends nothing more. What it asked for is still answered, for a time.
    fn input_ended(&self, session: &Arc<ClientSession>, partial: bool) {
        let mut inside = self.inside();
        if !inside.sessions.contains_key(&session.id.0) {
            return;
        }
        if partial {
            let stream = Stream { session: session.id, number: 0 };
            inside.engine.frame(Serving::now(), stream, b"{");
        }
        if let Some(stream) = session.stream() {
            stream.ignore_input(&self.poller);
        }
        inside.engine.input_ended(Serving::now(), session.id);
        inside.always_ready.retain(|other| *other != session.id.0);
        inside.ending.insert(session.id.0, Instant::now() + self.limits.finish);
        self.pump(inside);
        self.end_if_done(self.inside(), session.id);
    }

    /// Begins to serve clients that have connected, those of one address or process in turns with those of others, at most that many.
    pub(super) fn begin_to_serve(&self, most: usize) {
        for _ in 0..most {
            let Some((from, arrived)) = self.arrivals.take() else { break };
            #[cfg(feature = "http")]
            if let Some(front) = arrived.front {
                if !front.connected(arrived.fd, from) {
                    self.record_sent_away();
                }
                continue;
            }
            self.add_socket(arrived.fd, from);
        }
        if self.arrivals.is_any() {
            // The next turn begins at once.
            self.poller.wake();
        }
    }

    /// Takes clients that connect.
    fn accept(&self, number: u64) {
        let inside = self.inside();
        let Some(listener) = inside.listeners.get(&number).map(Arc::clone) else { return };
        #[cfg(feature = "http")]
        let front = inside.connections.get(&number).map(Arc::clone);
        drop(inside);
        let then = listener.accept(ACCEPTED_PER_TURN, |accepted| {
            let from = self.holder_of(&accepted.peer);
            if self.has_few_descriptors(accepted.is_scarce) && !self.frees_descriptor(&from) {
                return false;
            }
            let arrived = ArrivedClient {
                fd: accepted.fd,
                #[cfg(feature = "http")]
                front: front.clone(),
            };
            if let Some(gone) = self.arrivals.add(from, arrived) {
                drop(gone);
                self.record_sent_away();
            }
            true
        });
        match then {
            // The descriptor says when there are more.
            AcceptNext::Wait | AcceptNext::More => {}
            AcceptNext::Pause(wait, errno) => {
                // Who waits is not known.
                let _one_gave_way = self.frees_descriptor(&Holder::Program);
                self.unwatch_listener(&listener);
                let mut inside = self.inside();
                inside.paused.insert(number, Instant::now() + wait);
                self.record(Level::Warn, SessionId(0), &format!("a client must wait to connect: {errno}"));
            }
            AcceptNext::Broken(errno) => {
                self.unwatch_listener(&listener);
                let mut inside = self.inside();
                inside.listeners.remove(&number);
                #[cfg(feature = "http")]
                let connections = inside.connections.remove(&number);
                // Another listener may lead to the same URL.
                #[cfg(feature = "http")]
                let connections = connections
                    .filter(|gone| !inside.connections.values().any(|other| Arc::ptr_eq(gone, other)));
                self.record(
                    Level::Error,
                    SessionId(0),
                    &format!("{} cannot accept more connections: {errno}", listener.address()),
                );
                let is_over = inside.is_over();
                drop(inside);
                #[cfg(feature = "http")]
                if let Some(connections) = connections {
                    connections.end_sessions("no client reaches its URL any more");
                }
                if is_over {
                    self.finish();
                }
            }
        }
    }

    /// Whether the descriptors of clients are as many as there were when few were left. `is_scarce`: few are left now.
    fn has_few_descriptors(&self, is_scarce: bool) -> bool {
        let waiting = self.arrivals.count();
        let mut inside = self.inside();
        #[cfg(feature = "http")]
        let connections: usize = inside.connections.values().map(|connections| connections.count()).sum();
        #[cfg(not(feature = "http"))]
        let connections = 0;
        inside.guests.has_few_descriptors(waiting + connections, is_scarce)
    }

    /// Ends a connection of a client that gives way to one more of `newcomer`, of whatever transport; whether there was one.
    fn frees_descriptor(&self, newcomer: &Holder) -> bool {
        if self.arrivals.cut(newcomer).is_some() {
            return true;
        }
        #[cfg(feature = "http")]
        {
            let all: Vec<_> = self.inside().connections.values().map(Arc::clone).collect();
            if all.iter().any(|connections| connections.give_way(newcomer)) {
                return true;
            }
        }
        let number = self.inside().stream_that_gives_way(newcomer);
        if let Some(number) = number {
            self.end_session(SessionId(number), "few descriptors are left: closed for another client");
        }
        number.is_some()
    }

    /// A client found no room.
    fn record_sent_away(&self) {
        if let Some(count) = lock(&self.sent_away).add(Instant::now()) {
            let text = format!(
                "refused {count} connections: limit reached (limits.connections, or {MOST_ARRIVALS} that wait to be served)"
            );
            self.record(Level::Warn, SessionId(0), &text);
        }
    }

    /// Watches the listeners again that paused because no descriptors were left.
    fn resume_listeners(&self, inside: &mut Inside, now: Instant) {
        let due: Vec<u64> =
            inside.paused.iter().filter(|(_, at)| **at <= now).map(|(number, _)| *number).collect();
        for number in due {
            inside.paused.remove(&number);
            let watched = inside.listeners.get(&number).map(|listener| self.watch_listener(number, listener));
            if let Some(Err(errno)) = watched {
                inside.paused.insert(number, now + RETRY);
                self.record(Level::Warn, SessionId(0), &format!("no client can connect now: {errno}"));
            }
        }
    }

    /// Whether a client has really taken nothing for so long: two threads that have written one after the other may have taken note of
    /// it in another order.
    fn is_stalled(&self, number: u64, now: Instant) -> bool {
        let mut inside = self.inside();
        let since = inside.sessions.get(&number).and_then(|session| session.stalled_since());
        match since.map(|since| since + self.limits.write) {
            Some(until) if until <= now => return true,
            Some(until) => inside.stalled.insert(number, until),
            None => inside.stalled.remove(&number),
        };
        false
    }

    /// Does what is due.
    pub(super) fn tick(&self) {
        let now = clock::now();
        #[cfg(feature = "store")]
        if let Some(store) = self.store.get() {
            store.tick(now);
        }
        let mut inside = self.inside();
        inside.engine.tick(Serving::now());
        let late = |map: &crate::sorted::SortedMap<u64, Instant>| -> Vec<u64> {
            map.iter().filter(|(_, at)| **at <= now).map(|(number, _)| *number).collect()
        };
        let (stalled, ending, silent) =
            (late(&inside.stalled), late(&inside.ending), inside.silent_until(now));
        self.resume_listeners(&mut inside, now);
        self.pump(inside);
        for number in stalled {
            if !self.is_stalled(number, now) {
                continue;
            }
            let why = format!(
                "the client has read nothing for {} ms (timeouts.write_ms)",
                self.limits.write.as_millis()
            );
            self.end_session(SessionId(number), &why);
        }
        for number in silent {
            let why = format!(
                "the client has sent no message for {} ms (timeouts.head_ms)",
                self.limits.silent.as_millis()
            );
            self.end_session(SessionId(number), &why);
        }
        for number in ending {
            self.end_session(
                SessionId(number),
                "its input has ended, and requests took longer than timeouts.finish_ms",
            );
        }
    }
}
