//! Requests of ours on the wire: their ids, what each belongs to, and which answers are late.

use crate::engine::{ById, Error};
use crate::protocol::Id;

/// What a request about a task asks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum TaskRequest {
    /// How it is.
    Poll,
    /// What it came to (core form).
    Result,
    /// Nothing: it brings the input with this number (extension).
    Update(usize),
}

/// What a request of ours on the wire belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Exchange {
    Call(u64),
    Handshake,
    /// The probe, when its time is over and `initialize` waits.
    LateProbe,
    /// Restores state on a new connection.
    Restore,
    /// Lists the tools, because a call's headers depend on its tool's schema.
    Tools(u64),
    /// A stream of change notifications.
    Listen,
    /// Something about the task that a call has become.
    Task(u64, TaskRequest),
    /// A call that ended before its answer came. Should that be a task, it is cancelled.
    Orphan,
    /// The end of a task that no call waits for. The answer changes nothing.
    TaskCancel,
}

/// How an exchange failed, as far as it matters for what to do now.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FailureKind {
    /// Nothing was sent: the server cannot be reached.
    Unreachable,
    /// The server answered with something other than a JSON-RPC response.
    Refused,
    /// The same: it knows the session no more (legacy HTTP).
    SessionGone,
    /// It wants authorization, and the login for that failed.
    NotLoggedIn,
    /// It was sent, and its answer will not come.
    Lost,
}

/// A JSON-RPC error of the server.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RpcError {
    /// `error.code`.
    pub code: i64,
    /// `error.message`, decoded.
    pub message: String,
    /// `error.data`, JSON text.
    pub data: Option<String>,
}

/// Why an exchange ended without an answer.
#[derive(Clone, Debug)]
pub struct ExchangeFailure {
    /// How.
    pub kind: FailureKind,
    /// The error.
    pub error: Error,
    /// The HTTP status, if there was one that is to be judged.
    pub http: Option<u16>,
    /// The JSON-RPC error that came with it.
    pub spoken: Option<RpcError>,
}

/// What the login waits for that blocks an exchange.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LoginWait {
    /// A person, the application, or the store.
    Person,
    /// An authorization server, or a document.
    Servers,
    /// Nothing: it is over.
    Over,
}

/// Why an answer belongs to no exchange under way.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Unmatched {
    /// Its exchange has ended.
    Late(u64),
    /// No request of ours had this id.
    Unknown(u64),
    /// Its id is not one of ours, or is missing.
    Foreign,
}

/// The exchanges under way on the connection. Their ids are never used again, on later connections either.
#[derive(Default, Debug)]
pub(crate) struct Exchanges {
    /// The last id that was given.
    last: u64,
    under_way: ById<Exchange>,
    /// The exchange in whose answer the frame at hand arrived (HTTP).
    arriving_on: Option<u64>,
}

impl Exchanges {
    /// Begins one, and gives the id of its request.
    pub(crate) fn begin(&mut self, what: Exchange) -> u64 {
        self.last += 1;
        self.under_way.insert(self.last, what);
        self.last
    }

    /// The exchange under way with this id.
    pub(crate) fn get(&self, id: u64) -> Option<Exchange> {
        self.under_way.get(&id).copied()
    }

    /// Its answer belongs to something else from here on. It is under way again if it had ended.
    pub(crate) fn turn_into(&mut self, id: u64, what: Exchange) {
        self.under_way.insert(id, what);
    }

    /// Ends one. Gives what it belonged to, if it was under way.
    pub(crate) fn end(&mut self, id: u64) -> Option<Exchange> {
        self.under_way.remove(&id)
    }

    /// Ends the one that an answer with this id is for.
    pub(crate) fn answered(&mut self, id: &Id) -> Result<(u64, Exchange), Unmatched> {
        let &Id::Number(id) = id else { return Err(Unmatched::Foreign) };
        self.end(id).map(|what| (id, what)).ok_or_else(|| self.unmatched(id))
    }

    /// What an answer is whose exchange is not under way.
    pub(crate) fn unmatched(&self, id: u64) -> Unmatched {
        if (1..=self.last).contains(&id) { Unmatched::Late(id) } else { Unmatched::Unknown(id) }
    }

    /// How many are under way.
    pub(crate) fn count(&self) -> usize {
        self.under_way.len()
    }

    /// Ends all: the connection has ended.
    pub(crate) fn clear(&mut self) {
        self.under_way.clear();
    }

    /// The next frame arrives in the answer to this exchange; `None` where that is not known.
    pub(crate) fn arrive_on(&mut self, exchange: Option<u64>) {
        self.arriving_on = exchange;
    }

    /// The exchange in whose answer the frame at hand arrived, while it is under way.
    pub(crate) fn arriving_on(&self) -> Option<u64> {
        self.arriving_on.filter(|id| self.under_way.contains_key(id))
    }

    /// The only exchange that an error without an id can be about. Streams and the late probe do not count.
    pub(crate) fn only(&self) -> Option<u64> {
        let counts = |what: &Exchange| !matches!(what, Exchange::Listen | Exchange::LateProbe);
        let mut under_way = self.under_way.iter().filter(|(_, what)| counts(what));
        match (under_way.next(), under_way.next()) {
            (Some((only, _)), None) => Some(*only),
            _ => None,
        }
    }

    /// Whether a call, or the task of one, awaits an answer.
    pub(crate) fn are_of_calls(&self) -> bool {
        self.under_way.values().any(|what| matches!(what, Exchange::Call(_) | Exchange::Task(..)))
    }

    /// Whether an answer to something that was restored is awaited.
    pub(crate) fn restore(&self) -> bool {
        self.under_way.values().any(|what| *what == Exchange::Restore)
    }

    #[cfg(test)]
    pub(crate) fn all(&self) -> impl ExactSizeIterator<Item = (u64, Exchange)> {
        self.under_way.iter().map(|(id, what)| (*id, *what))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_ends_its_exchange_once_and_is_late_after_that() {
        let mut exchanges = Exchanges::default();
        let first = exchanges.begin(Exchange::Call(7));
        let second = exchanges.begin(Exchange::Handshake);
        assert_eq!(exchanges.answered(&Id::Number(first)), Ok((first, Exchange::Call(7))));
        assert_eq!(exchanges.answered(&Id::Number(first)), Err(Unmatched::Late(first)));
        for unknown in [0, second + 1] {
            assert_eq!(exchanges.answered(&Id::Number(unknown)), Err(Unmatched::Unknown(unknown)));
        }
        assert_eq!(exchanges.answered(&Id::None), Err(Unmatched::Foreign));
        exchanges.clear();
        assert_eq!(exchanges.answered(&Id::Number(second)), Err(Unmatched::Late(second)));
        assert!(exchanges.begin(Exchange::Listen) > second, "ids are not used again");
    }

    #[test]
    fn an_error_without_an_id_means_the_only_exchange_that_counts() {
        let mut exchanges = Exchanges::default();
        assert_eq!(exchanges.only(), None);
        exchanges.begin(Exchange::Listen);
        let call = exchanges.begin(Exchange::Call(1));
        assert_eq!(exchanges.only(), Some(call));
        exchanges.begin(Exchange::Restore);
        assert_eq!(exchanges.only(), None, "two can be meant");
    }

    #[test]
    fn a_frame_arrives_on_an_exchange_only_while_that_is_under_way() {
        let mut exchanges = Exchanges::default();
        let call = exchanges.begin(Exchange::Call(1));
        exchanges.arrive_on(Some(call));
        assert_eq!(exchanges.arriving_on(), Some(call));
        assert!(exchanges.are_of_calls() && !exchanges.restore());
        assert_eq!(exchanges.end(call), Some(Exchange::Call(1)));
        assert_eq!(exchanges.arriving_on(), None);
        exchanges.turn_into(call, Exchange::Orphan);
        assert!(!exchanges.are_of_calls());
        assert_eq!(exchanges.get(call), Some(Exchange::Orphan));
    }
}
