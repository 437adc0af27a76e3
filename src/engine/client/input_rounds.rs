//! What the servers of calls want to know, and the answers so far: a round for each call that waits for input.

use crate::engine::ById;
use crate::protocol::{Params, ParamsBuf};

/// What one call's server wants to know.
#[derive(Debug)]
pub(super) struct Round {
    /// JSON text, echoed as it came.
    state: Option<Box<str>>,
    /// The names of the inputs as they were written (without quotes), and their answers.
    inputs: Vec<(Box<str>, Option<Box<str>>)>,
    /// The application's keys of the requests that are open.
    keys: Vec<u64>,
}

impl Round {
    /// The original parameters with the answers; nothing of an earlier round is left in them.
    pub(super) fn params(&self, method: &str, params: Option<Params<'_>>) -> ParamsBuf {
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
pub(super) struct InputRounds {
    by_call: ById<Round>,
}

impl InputRounds {
    /// A call's server asks for the inputs of these names.
    pub(super) fn begin<'a>(&mut self, call: u64, state: Option<&str>, names: impl Iterator<Item = &'a str>) {
        let inputs = names.map(|name| (name.into(), None)).collect();
        self.by_call.insert(call, Round { state: state.map(Into::into), inputs, keys: Vec::new() });
    }

    /// The application is asked for an input by the request with this key.
    pub(super) fn asked(&mut self, call: u64, key: u64) {
        if let Some(round) = self.by_call.get_mut(&call) {
            round.keys.push(key);
        }
    }

    /// An input has its answer, JSON text of an object.
    pub(super) fn answered(&mut self, call: u64, index: usize, answer: &str) {
        if let Some((_, slot)) = self.by_call.get_mut(&call).and_then(|round| round.inputs.get_mut(index)) {
            *slot = Some(answer.into());
        }
    }

    /// Whether a call waits for input.
    pub(super) fn holds(&self, call: u64) -> bool {
        self.by_call.contains_key(&call)
    }

    /// Ends the round of a call if every input has its answer.
    pub(super) fn take_complete(&mut self, call: u64) -> Option<Round> {
        let round = self.by_call.get(&call)?;
        if round.inputs.iter().any(|(_, answer)| answer.is_none()) {
            return None;
        }
        self.by_call.remove(&call)
    }

    /// A call has ended. Gives the keys of the requests that are not wanted any more.
    pub(super) fn end(&mut self, call: u64) -> Vec<u64> {
        self.by_call.remove(&call).map(|round| round.keys).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
