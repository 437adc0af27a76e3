//! What the processes of one server share, in a store that others maintain.
//!
//! * `port`: `Port`: what a server asks of a store; `Adapter`: what makes one
//! * `simulated`: a store and processes in a simulation; compiled for tests only
//! * `schemes`: which adapter opens a URL
//! * `examine`: what a store lacks, in words with the fix
//! * `redis`: `RedisStore`: a store in Redis or Valkey
//! * `resp`: one connection to it: commands and replies

#[cfg(all(test, feature = "auth"))]
mod event_tests;
#[cfg(feature = "redis")]
mod examine;
mod port;
#[cfg(test)]
mod port_tests;
#[cfg(feature = "redis")]
mod redis;
#[cfg(feature = "redis")]
mod resp;
mod schemes;
#[cfg(all(test, feature = "auth"))]
mod simulated;

#[cfg(feature = "redis")]
pub use examine::{StoreExamined, StoreFinding, StoreGrade, examine_store};
pub(crate) use port::{Adapter, Bound, Call, Port, StoreUser, Watch};
#[cfg(feature = "redis")]
pub(crate) use redis::RedisStore;
#[cfg(feature = "redis")]
pub(crate) use resp::StoreAddress;
#[cfg(all(test, feature = "redis"))]
pub(crate) use resp::{Connection, Reply};
#[cfg(feature = "redis")]
use schemes::has_adapter;
pub(crate) use schemes::{open, register, set_loader};

#[cfg(feature = "http")]
use super::http::{EVENTS, KnownSession, SessionChange, SharedEvents, Underway};
use super::serving::Serving;
#[cfg(feature = "auth")]
use crate::auth::server::{Denial, Proven};
use crate::engine::seal::KeyRing;
use crate::engine::server::{
    Claim, Claimed, Expected, Operation, RequestId, Server, SessionId, SharedStore, StoreOutcome,
    StoreStatus, Ticket,
};
use crate::engine::{Error, Level, Status};
use crate::runtime::clock;
#[cfg(feature = "http")]
use crate::{engine::server::process_key, runtime::lock};
use std::sync::{Arc, Weak};
use std::time::Duration;
#[cfg(feature = "http")]
use tokio::sync::oneshot;

/// The record of a store that can be used, from when it is there.
pub const STORE_READY: &str = "the store can be used";
/// What the record of a store begins with that was lost; why follows.
pub const STORE_LOST: &str = "the store cannot be used: ";

/// How much longer than a state is good its use is remembered: so far the clock of the store may jump.
const MARGIN: Duration = Duration::from_secs(3600);

/// What an operation is for.
#[derive(Debug)]
pub(crate) enum Purpose {
    /// The engine asked for it.
    Asked(Ticket),
    /// It notes the use of a request state that was made for a store of this generation.
    Used(RequestId, Box<str>),
    /// Nothing depends on it.
    #[cfg(feature = "http")]
    Nothing,
    /// It keeps events of a stream.
    #[cfg(feature = "http")]
    Event(Underway),
    /// A request over HTTP waits for it.
    #[cfg(feature = "http")]
    Waited(oneshot::Sender<StoreOutcome>),
}

/// How a server uses a store: the keys `store` and `request_state.keys` of its configuration.
#[derive(Clone, Debug)]
pub(crate) struct StoreUse {
    pub(crate) space: String,
    pub(crate) timeout: Duration,
    pub(crate) lease: Duration,
    /// How long what is known of a session is good.
    pub(crate) session_check: Duration,
    /// Bytes of events that may be under way to it.
    #[cfg_attr(
        not(feature = "http"),
        expect(dead_code, reason = "only streams over HTTP are taken up again")
    )]
    pub(crate) backlog: usize,
    /// Whether keys can begin with the space, which is the name of the server where the configuration has none.
    pub(crate) is_good: bool,
}

impl Serving {
    /// From now on this server keeps in a store what its processes share.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` when it has one already, or another server has this one.
    pub(crate) fn set_store(&self, port: Arc<Port>, uses: &StoreUse, ring: KeyRing) -> Result<(), Error> {
        let wrong = |what: &str| Err(Error::new(Status::InvalidArgument, "server_set_store", what));
        if !uses.is_good {
            return wrong(
                "store: the name of the server cannot be in its keys: set store.space in the configuration",
            );
        }
        let bound = Bound {
            user: Box::new(User(self.this.clone())),
            prefix: format!("mcp1:{{{}}}:", uses.space),
            ring,
            timeout: uses.timeout,
        };
        if self.store.get().is_some() {
            return wrong("store: the server has one already");
        }
        // Only a second store could find it set, and is refused.
        let _is_first = self.session_check.set(uses.session_check).is_ok();
        // A server has no store that another one uses.
        port.bind(bound)?;
        // Before the store can say that it is ready.
        let shared = SharedStore { lease: uses.lease, timeout: uses.timeout };
        if let Err(why) = self.with_engine(|engine, _| engine.keep_in_store(shared)) {
            return wrong(&format!("store: {why}"));
        }
        #[cfg(feature = "http")]
        {
            let process = self.with_engine(|engine, _| engine.process().into());
            let _is_first = self.events.set(Arc::new(SharedEvents::new(process, uses.backlog))).is_ok();
        }
        if self.store.set(port).is_err() {
            return wrong("store: the server has one already");
        }
        // What the engine asks when it is told that the store is ready needs the store here.
        self.store.get().map_or(Ok(()), |port| port.begin_use())
    }

    /// The operation that notes a use, or what is known of it at once.
    pub(super) fn claim(&self, request: RequestId, claim: Claim) -> Result<(Purpose, Operation), Claimed> {
        let Claim { key, expiry, generation } = claim;
        match self.store.get().and_then(|store| store.generation()) {
            None => return Err(Claimed::Unavailable),
            // It was made before the store may have forgotten something.
            Some(now) if now != generation => return Err(Claimed::Refused),
            Some(_) => {}
        }
        let left = Duration::from_secs(expiry.saturating_sub(clock::unix()));
        let put = Operation::Put {
            key: format!("used/{key}").into(),
            value: Some(Vec::new()),
            expected: Expected::Absent,
            life: left + MARGIN,
        };
        Ok((Purpose::Used(request, generation), put))
    }

    /// Asks the store, without the lock.
    pub(super) fn ask_store(&self, operations: Vec<(Purpose, Operation)>) {
        let Some(store) = self.store.get().filter(|_| !operations.is_empty()) else { return };
        store.start(operations);
        // The thread that drives ends what is not answered in time. Under the lock: it may be about to sleep.
        let inside = self.inside();
        let sleeps_too_long = self.sleep.is_too_long(|| store.due());
        drop(inside);
        if sleeps_too_long {
            self.interrupt();
        }
    }

    /// Until when the first operation is waited for.
    pub(super) fn store_due(&self) -> Option<std::time::Instant> {
        self.store.get()?.due()
    }
}

#[cfg(feature = "http")]
impl Serving {
    /// Asks the store one thing, and waits for what it says.
    pub(super) async fn asked_store(&self, operation: Operation) -> StoreOutcome {
        let (sender, receiver) = oneshot::channel();
        self.ask_store(vec![(Purpose::Waited(sender), operation)]);
        receiver.await.unwrap_or_else(|_| StoreOutcome::of(StoreStatus::Unavailable))
    }

    /// Whether its processes share a store.
    pub(super) fn has_store(&self) -> bool {
        self.store.get().is_some()
    }

    /// Whether it can be asked.
    pub(super) fn is_store_ready(&self) -> bool {
        self.store.get().is_some_and(|store| store.generation().is_some())
    }

    /// How long what is known of a session in the store is good.
    pub(super) fn session_check(&self) -> Duration {
        self.session_check.get().copied().unwrap_or_default()
    }

    /// Sessions of a URL are kept in the store, if there is one.
    pub(super) fn has_sessions_at(&self, endpoint: Weak<dyn KnownSession>) {
        {
            let mut endpoints = lock(&self.endpoints);
            endpoints.retain(|other| other.strong_count() > 0);
            endpoints.push(endpoint);
        }
        if self.is_store_ready() {
            self.hear_of_sessions();
        }
    }

    /// Has other processes tell this one of sessions, and of who reads streams of this one.
    fn hear_of_sessions(&self) {
        if !lock(&self.endpoints).is_empty() {
            let own = self.shared_events().map(|shared| shared.channel());
            for channel in own.as_deref().into_iter().chain([SessionChange::CHANNEL]) {
                self.ask_for_nothing(Operation::Watch { channel: channel.into() });
            }
        }
    }

    /// Asks the store what nothing depends on.
    pub(super) fn ask_for_nothing(&self, operation: Operation) {
        self.ask_store(vec![(Purpose::Nothing, operation)]);
    }

    /// What its streams keep in the store, if there is one.
    pub(super) fn shared_events(&self) -> Option<&Arc<SharedEvents>> {
        self.events.get()
    }

    /// Writes events of streams into the store, without the lock.
    pub(super) fn write_events(&self) {
        let Some(shared) = self.events.get() else { return };
        let entries = shared.entries().into_iter();
        self.ask_store(entries.map(|(entry, append)| (Purpose::Event(entry), append)).collect());
    }

    fn event_written(&self, entry: Underway, outcome: &StoreOutcome) {
        let Some(shared) = self.events.get() else { return };
        let asked = shared.written(entry, outcome).into_iter();
        self.ask_store(asked.map(|operation| (Purpose::Nothing, operation)).collect());
        self.write_events();
    }

    /// Whether another process is gone, as far as this one may say so.
    pub(super) async fn is_process_gone(&self, process: &str) -> bool {
        let outcome = self.asked_store(Operation::Get { key: process_key(process).into() }).await;
        self.with_engine(|engine, now| engine.is_gone(now, process, &outcome))
    }

    /// Tells other processes of a session. What is lost they find out when they look it up.
    pub(super) fn tell_of_session(&self, change: &SessionChange) {
        self.ask_for_nothing(Operation::Publish {
            channel: SessionChange::CHANNEL.into(),
            data: change.text(),
        });
    }

    fn heard_of_session(&self, data: Option<&[u8]>) {
        let change = data.and_then(SessionChange::read);
        if data.is_some() && change.is_none() {
            return;
        }
        let endpoints = lock(&self.endpoints).clone();
        for endpoint in endpoints {
            if let Some(endpoint) = endpoint.upgrade() {
                endpoint.heard(change.as_ref());
            }
        }
    }

    /// No process goes on with the session of a key.
    pub(super) fn forget_in_store(&self, key: Option<Box<str>>) {
        let Some(key) = key else { return };
        self.ask_for_nothing(Operation::Put { key, value: None, expected: Expected::Any, life: MARGIN });
    }
}

#[cfg(feature = "auth")]
impl Serving {
    /// Whether a proof that one process has accepted is good in no other one.
    pub(super) fn shares_proofs(&self) -> bool {
        self.store.get().is_some()
    }

    /// Notes in the store that a proof is used, which must not have been used before. A store that may have forgotten uses has given out no
    /// nonce that a proof could have by then, so no proof is good twice whatever becomes of it.
    pub(super) async fn use_proof(&self, proof: &Proven, window: Duration) -> Result<(), Denial> {
        let away = |why: &str| Denial::Unavailable(format!("whether a proof was used is not known: {why}"));
        let store = self.store.get().ok_or_else(|| away("there is no store"))?;
        let generation = store.generation().ok_or_else(|| away("the store is away"))?;
        let of_now =
            |of: &Port| of.nonce(&generation).ok_or_else(|| away("the system gives no random numbers"));
        if proof.nonce.as_deref().and_then(|nonce| store.generation_of(nonce)).as_deref()
            != Some(&*generation)
        {
            return Err(Denial::Nonce(of_now(store)?));
        }
        let put = Operation::Put {
            key: format!("proof/{}", proof.digest()).into(),
            value: Some(Vec::new()),
            expected: Expected::Absent,
            life: window * 2 + MARGIN,
        };
        let outcome = self.asked_store(put).await;
        // A clock that jumps by the margin would forget an earlier use too soon.
        let off = (outcome.unix_ms / 1000).abs_diff(clock::unix());
        match outcome.status {
            StoreStatus::Done if outcome.unix_ms > 0 && off >= MARGIN.as_secs() / 2 => {
                Err(away("the clock of the store is half an hour from that of this process"))
            }
            // That the connection was lost after the answer came takes nothing from the answer.
            StoreStatus::Done if store.last_generation().as_deref() == Some(&*generation) => Ok(()),
            StoreStatus::Done => Err(away("the store may have forgotten")),
            StoreStatus::Conflict => Err(Denial::Proof("the proof was used before")),
            other => Err(away(&other.to_string())),
        }
    }
}

/// A server as its store knows it. One that is gone has answered its clients.
struct User(Weak<Serving>);

impl StoreUser for User {
    fn stored(&self, purpose: Purpose, outcome: StoreOutcome) {
        let Some(serving) = self.0.upgrade() else { return };
        #[cfg(feature = "http")]
        if !matches!(outcome.status, StoreStatus::Unavailable | StoreStatus::PerhapsDone)
            && let Some(shared) = serving.shared_events()
        {
            shared.try_again();
        }
        match purpose {
            #[cfg(feature = "http")]
            Purpose::Nothing => {}
            #[cfg(feature = "http")]
            Purpose::Event(entry) => serving.event_written(entry, &outcome),
            #[cfg(feature = "http")]
            Purpose::Waited(sender) => {
                // The client may have gone.
                let _is_heard = sender.send(outcome).is_ok();
            }
            Purpose::Asked(ticket) => {
                serving.with_engine(|engine, now| engine.stored(now, ticket, outcome));
                if serving.inside().closed {
                    // The thread in `close` waits for this.
                    serving.interrupt();
                }
            }
            Purpose::Used(request, generation) => {
                // That the connection was lost after the answer came takes nothing from the answer.
                let is_same =
                    serving.store.get().and_then(|store| store.last_generation()) == Some(generation);
                let said = match outcome.status {
                    StoreStatus::Done if !is_same => Claimed::Refused,
                    StoreStatus::Done if outcome.unix_ms == 0 => Claimed::Granted(clock::unix()),
                    StoreStatus::Done => Claimed::Granted(outcome.unix_ms / 1000),
                    StoreStatus::Conflict => Claimed::Refused,
                    StoreStatus::PerhapsDone => Claimed::Unknown,
                    _ => Claimed::Unavailable,
                };
                serving.with_engine(|engine, now| engine.claimed(now, request, said));
            }
        }
    }

    fn event(&self, channel: &str, data: Option<&[u8]>) {
        if let Some(serving) = self.0.upgrade() {
            #[cfg(feature = "http")]
            if channel == SessionChange::CHANNEL {
                return serving.heard_of_session(data);
            }
            #[cfg(feature = "http")]
            if let Some(shared) = serving.shared_events()
                && (channel.starts_with(EVENTS) || *channel == *shared.channel())
            {
                if let Some(answer) = shared.heard(channel, data) {
                    serving.ask_for_nothing(answer);
                }
                return;
            }
            serving.with_engine(|engine, now| engine.store_event(now, channel, data));
        }
    }

    fn ready(&self, is: Result<&str, &str>) {
        let Some(serving) = self.0.upgrade() else { return };
        match is {
            Ok(generation) => {
                serving.record(Level::Info, SessionId(0), STORE_READY);
                serving.with_engine(|engine, now| engine.store_ready(now, generation));
                #[cfg(feature = "http")]
                {
                    serving.hear_of_sessions();
                    if let Some(shared) = serving.shared_events() {
                        shared.try_again();
                    }
                    serving.write_events();
                }
            }
            Err(why) => {
                let text = format!("{STORE_LOST}{why}");
                serving.record(Level::Warn, SessionId(0), &text);
                serving.with_engine(Server::store_lost);
            }
        }
    }
}
