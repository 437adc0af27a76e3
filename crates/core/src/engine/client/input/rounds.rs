//! Requests for input of the servers of calls (inputs and pages to visit) and the answers so far: one round for each call that waits.

use crate::engine::{ById, Error};
use crate::protocol::{Params, ParamsBuf};
use std::collections::HashSet;

/// The inputs that the server of one call asked for.
#[derive(Debug)]
pub(crate) struct Round {
    /// JSON text, echoed as it came.
    state: Option<Box<str>>,
    /// The names of the inputs as they were written (without quotes), and their answers.
    inputs: Vec<(Box<str>, Option<Box<str>>)>,
    /// The application's keys of the requests that are open.
    keys: Vec<u64>,
}

impl Round {
    /// The original parameters with the answers; nothing of an earlier round is left in them.
    pub(crate) fn params(&self, method: &str, params: Option<Params<'_>>) -> ParamsBuf {
        let mut answers = String::from("{");
        for (name, answer) in &self.inputs {
            if answers.len() > 1 {
                answers.push(',');
            }
            answers.push('"');
            answers.push_str(name);
            answers.push_str("\":");
            answers.push_str(answer.as_deref().unwrap_or("{}"));
        }
        answers.push('}');
        let mut add: Vec<(&str, &str)> = Vec::new();
        if !self.inputs.is_empty() {
            add.push(("inputResponses", &answers));
        }
        if let Some(state) = &self.state {
            add.push(("requestState", state));
        }
        ParamsBuf::spliced(method, params, &add)
    }
}

/// The rounds of all calls that wait for input.
#[derive(Default, Debug)]
pub(crate) struct InputRounds {
    by_call: ById<Round>,
}

impl InputRounds {
    /// A call's server asks for the inputs of these names.
    pub(crate) fn begin<'a>(&mut self, call: u64, state: Option<&str>, names: impl Iterator<Item = &'a str>) {
        let inputs = names.map(|name| (name.into(), None)).collect();
        self.by_call.insert(call, Round { state: state.map(Into::into), inputs, keys: Vec::new() });
    }

    /// The application is asked for an input by the request with this key.
    pub(crate) fn asked(&mut self, call: u64, key: u64) {
        if let Some(round) = self.by_call.get_mut(&call) {
            round.keys.push(key);
        }
    }

    /// An input has its answer, JSON text of an object.
    pub(crate) fn answered(&mut self, call: u64, index: usize, answer: &str) {
        if let Some((_, slot)) = self.by_call.get_mut(&call).and_then(|round| round.inputs.get_mut(index)) {
            *slot = Some(answer.into());
        }
    }

    /// Whether a call waits for input.
    pub(crate) fn holds(&self, call: u64) -> bool {
        self.by_call.contains_key(&call)
    }

    /// Ends the round of a call if every input has its answer.
    pub(crate) fn take_complete(&mut self, call: u64) -> Option<Round> {
        let round = self.by_call.get(&call)?;
        if round.inputs.iter().any(|(_, answer)| answer.is_none()) {
            return None;
        }
        self.by_call.remove(&call)
    }

    /// A call has ended. Gives the keys of the requests that are not wanted any more.
    pub(crate) fn end(&mut self, call: u64) -> Vec<u64> {
        self.by_call.remove(&call).map(|round| round.keys).unwrap_or_default()
    }
}

/// What became of one page.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum PageState {
    /// The application is to be asked.
    New,
    /// The application is asked, by the request with this key.
    Asked(u64),
    /// It agreed, in this round.
    Accepted,
    /// It agreed before, and the server names it again.
    Awaited,
    /// The server says that it is done with.
    Done,
}

/// The pages that one call's server wants visited.
#[derive(Debug)]
struct PageVisits {
    /// The server's own error, in case the application does not want to.
    refusal: Error,
    /// The pages of this round, by their `elicitationId`; none while the call is on the wire.
    pages: Vec<(Box<str>, PageState)>,
    /// Those that the application agreed to, and those that are done with, in any round.
    accepted: HashSet<Box<str>>,
    done: HashSet<Box<str>>,
}

/// What follows when the server says that a page is done with.
#[derive(Default, PartialEq, Eq, Debug)]
pub(crate) struct PageDone {
    /// The calls that wait for one page less, in order.
    pub(crate) calls: Vec<u64>,
    /// The keys of the requests that need no answer of the application any more.
    pub(crate) keys: Vec<u64>,
}

/// The pages of all calls.
#[derive(Default, Debug)]
pub(crate) struct ElicitedUrls {
    by_call: ById<PageVisits>,
}

impl ElicitedUrls {
    /// A call's server wants the pages of these ids visited; `refusal` is the error that said so. Gives the numbers of those that
    /// the application has to be asked for.
    pub(crate) fn begin(&mut self, call: u64, refusal: Error, pages: Vec<Box<str>>) -> Vec<usize> {
        let before = self.by_call.remove(&call);
        let (accepted, done) = before.map(|visit| (visit.accepted, visit.done)).unwrap_or_default();
        let step = |id: &str| {
            if done.contains(id) {
                PageState::Done
            } else if accepted.contains(id) {
                PageState::Awaited
            } else {
                PageState::New
            }
        };
        let pages: Vec<(Box<str>, PageState)> = pages.into_iter().map(|id| (id.clone(), step(&id))).collect();
        let is_new = |(_, (_, step)): &(usize, &(Box<str>, PageState))| *step == PageState::New;
        let new = pages.iter().enumerate().filter(is_new).map(|(index, _)| index).collect();
        self.by_call.insert(call, PageVisits { refusal, pages, accepted, done });
        new
    }

    /// The application is asked for a page by the request with this key.
    pub(crate) fn asked(&mut self, call: u64, index: usize, key: u64) {
        if let Some((_, step)) = self.by_call.get_mut(&call).and_then(|visit| visit.pages.get_mut(index)) {
            *step = PageState::Asked(key);
        }
    }

    /// The application agreed to a page.
    pub(crate) fn accepted(&mut self, call: u64, index: usize) {
        let Some(visit) = self.by_call.get_mut(&call) else { return };
        if let Some((id, step)) = visit.pages.get_mut(index) {
            *step = PageState::Accepted;
            visit.accepted.insert(id.clone());
        }
    }

    /// The server's own error for a call whose pages are not agreed to.
    pub(crate) fn refusal(&self, call: u64) -> Option<&Error> {
        self.by_call.get(&call).map(|visit| &visit.refusal)
    }

    /// The server says that a page is done with. One that no call waits for means nothing.
    pub(crate) fn done(&mut self, id: &str) -> PageDone {
        let mut done = PageDone::default();
        for (call, visit) in &mut self.by_call {
            let page = visit.pages.iter_mut().find(|(known, _)| **known == *id);
            if page.is_none() && !visit.accepted.contains(id) {
                continue;
            }
            visit.done.insert(id.into());
            if let Some((_, step)) = page {
                if let PageState::Asked(key) = *step {
                    done.keys.push(key);
                }
                *step = PageState::Done;
                done.calls.push(*call);
            }
        }
        crate::sorted::order(&mut done.calls);
        done
    }

    /// Ends the round of a call if there is no page left to wait for; says whether it did.
    pub(crate) fn take_complete(&mut self, call: u64) -> bool {
        let Some(visit) = self.by_call.get_mut(&call) else { return false };
        let is_over =
            |(_, step): &(Box<str>, PageState)| matches!(step, PageState::Accepted | PageState::Done);
        let complete = !visit.pages.is_empty() && visit.pages.iter().all(is_over);
        if complete {
            visit.pages.clear();
        }
        complete
    }

    /// Whether a call's server wanted pages visited.
    pub(crate) fn holds(&self, call: u64) -> bool {
        self.by_call.contains_key(&call)
    }

    /// Whether a call waits for nothing but the server's word that a page is done with.
    pub(crate) fn awaits_server(&self, call: u64) -> bool {
        self.by_call.get(&call).is_some_and(|visit| {
            visit.pages.iter().any(|(_, step)| *step == PageState::Awaited)
                && !visit.pages.iter().any(|(_, step)| matches!(step, PageState::Asked(_)))
        })
    }

    /// A call has ended. Gives the keys of the requests that are not wanted any more.
    pub(crate) fn end(&mut self, call: u64) -> Vec<u64> {
        let pages = self.by_call.remove(&call).map(|visit| visit.pages).unwrap_or_default();
        let key = |(_, step)| if let PageState::Asked(key) = step { Some(key) } else { None };
        pages.into_iter().filter_map(key).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Status;

    #[test]
    fn a_round_is_complete_with_its_last_answer_and_brings_the_state_back() {
        let mut rounds = InputRounds::default();
        rounds.begin(1, Some("\"s\""), ["a", "b"].into_iter());
        rounds.answered(1, 1, r#"{"y":2}"#);
        assert!(rounds.holds(1) && rounds.take_complete(1).is_none());
        rounds.answered(1, 0, r#"{"x":1}"#);
        let round = rounds.take_complete(1).expect("every answer is there");
        let params = round.params("tools/call", None);
        let expected = r#"{"inputResponses":{"a":{"x":1},"b":{"y":2}},"requestState":"s"}"#;
        assert_eq!(params.view().text(), expected);
        assert!(!rounds.holds(1) && rounds.end(1).is_empty());
    }

    #[test]
    fn a_call_that_ends_gives_back_what_the_application_is_asked() {
        let mut rounds = InputRounds::default();
        rounds.begin(1, None, ["a"].into_iter());
        rounds.asked(1, 5);
        rounds.asked(2, 6);
        assert_eq!((rounds.end(2), rounds.end(1)), (vec![], vec![5]));
    }

    fn begin(urls: &mut ElicitedUrls, ids: &[&str]) -> Vec<usize> {
        let refusal = Error::new(Status::Server, "tools/call", "visit these");
        urls.begin(1, refusal, ids.iter().map(|id| (*id).into()).collect())
    }

    #[test]
    fn a_round_is_complete_when_each_page_is_agreed_to_or_done_with() {
        let mut urls = ElicitedUrls::default();
        assert_eq!(begin(&mut urls, &["a", "b"]), [0, 1]);
        urls.asked(1, 0, 7);
        urls.asked(1, 1, 8);
        urls.accepted(1, 0);
        assert!(!urls.take_complete(1));
        assert_eq!(urls.done("b"), PageDone { calls: vec![1], keys: vec![8] });
        assert!(urls.take_complete(1) && !urls.take_complete(1) && urls.holds(1));
    }

    #[test]
    fn a_page_that_is_named_again_waits_for_the_server_alone() {
        let mut urls = ElicitedUrls::default();
        begin(&mut urls, &["a"]);
        urls.accepted(1, 0);
        assert!(urls.take_complete(1));
        assert_eq!(begin(&mut urls, &["a", "b"]), [1]);
        urls.asked(1, 1, 9);
        assert!(!urls.awaits_server(1), "the application is asked for the other one");
        urls.accepted(1, 1);
        assert!(urls.awaits_server(1) && !urls.take_complete(1));
        assert_eq!(urls.done("x"), PageDone::default());
        assert!(urls.done("a").keys.is_empty() && urls.take_complete(1));
        assert!(begin(&mut urls, &["a"]).is_empty() && urls.take_complete(1), "done with once and for all");
    }

    #[test]
    fn a_call_that_ends_gives_back_the_pages_the_application_is_asked_for() {
        let mut urls = ElicitedUrls::default();
        begin(&mut urls, &["a", "b"]);
        urls.asked(1, 0, 7);
        assert_eq!((urls.end(1), urls.end(1)), (vec![7], vec![]));
    }
}
