//! What travels in `requestState` (2026-07-28): the answers so far and what the handler kept, sealed, and bound to what the request
//! is.

use super::context::{Context, Refusal};
use super::effect::{Now, SessionId};
use super::input::{Answer, Questions};
use super::requests::Request;
use super::router::Server;
use crate::json::{self, Kind};
use crate::protocol::{Era, method};
use ring::digest::{Context as Digest, SHA256};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// One text for every reason against a state: who sent a forged one learns nothing (S-MR-04).
const BAD_STATE: &str = "'requestState' is not one of this server for this request, or it has expired";

impl<H: Clone> Server<H> {
    /// The sealed state of a request; `None` if there is nothing to keep (S-MR-13).
    pub(super) fn state_text(
        &mut self,
        now: Now,
        request: &Request<H>,
    ) -> Option<Result<String, &'static str>> {
        let questions = &request.questions;
        if questions.state().is_none() && questions.answers().is_empty() {
            return None;
        }
        let answers: Map<String, Value> = questions
            .answers()
            .iter()
            .map(|(key, answer)| {
                let (good, text) = match answer {
                    Answer::Result(text) => (true, text),
                    Answer::Failed(text) => (false, text),
                };
                (key.to_string(), json!([good, &**text]))
            })
            .collect();
        let expiry = now.unix + self.settings.timeouts.request_state.as_secs();
        // Without a principal, whose use of it is remembered: so it counts for the client that it was made for, in whichever session it comes back.
        let peer = request.context.principal.is_none().then(|| self.sessions.holder(request.stream.session));
        let kept = json!({
            "expiry": expiry, "state": questions.state(), "answers": answers, "rounds": questions.rounds() + 1,
            "peer": peer.map(|peer| peer.to_string()),
        });
        let bound = binding(&request.context, request.method, &request.params, &self.settings.audience);
        let Some(sealed) = self.keys.seal(kept.to_string().as_bytes(), &bound) else {
            return Some(Err("there is no randomness to seal the request's state with"));
        };
        if sealed.len() > self.settings.limits.request_state {
            return Some(Err("the request's state is larger than it may be"));
        }
        Some(Ok(sealed))
    }

    /// The questions of a request that has just arrived: of one that comes again, with what its client answered and what was kept.
    ///
    /// # Errors
    /// A state that this server did not seal for this request, has expired or was used; answers of the wrong shape.
    pub(super) fn resumed(
        &mut self,
        now: Now,
        session: SessionId,
        context: &Context,
        (name, about): (&'static str, &str),
        params: &str,
    ) -> Result<Questions, Refusal> {
        let may_ask = method::find(name).is_some_and(|row| row.may_ask);
        if context.era() == Era::Legacy || !may_ask {
            return Ok(Questions::default());
        }
        let (mut answers, mut state, mut rounds) = (BTreeMap::new(), None, 0);
        if let Some(sealed) = json::member(params, "requestState") {
            let bad = || Refusal::params(BAD_STATE);
            let sealed = json::string(sealed).ok_or_else(bad)?;
            if sealed.len() > self.settings.limits.request_state {
                return Err(bad());
            }
            let bound = binding(context, name, params, &self.settings.audience);
            let kept = self.keys.open(&sealed, &bound).ok_or_else(bad)?;
            let kept: Kept = read_kept(&kept).ok_or_else(bad)?;
            let is_good_once = kept.state.is_some();
            let holder = || kept.peer.clone().unwrap_or_else(|| self.sessions.holder(session).to_string());
            if kept.expiry < now.unix
                || is_good_once && !self.spent.spend(&holder(), &sealed, kept.expiry, now.unix)
            {
                return Err(bad());
            }
            (answers, state, rounds) = (kept.answers, kept.state, kept.rounds);
        }
        if let Some(responses) = json::member(params, "inputResponses") {
            if json::kind(responses) != Some(Kind::Object) {
                return Err(Refusal::params("'inputResponses' must be an object"));
            }
            rounds = rounds.max(1);
            for (key, response) in json::members(responses) {
                let key = json::string(&format!("\"{key}\"")).unwrap_or_default().into_owned();
                if json::kind(response) != Some(Kind::Object) {
                    let text = format!("the answer '{key}' to '{about}' must be an object");
                    return Err(Refusal::params(text));
                }
                if answers.len() < self.settings.limits.questions * 2 {
                    answers.insert(key.into(), Answer::Result(response.into()));
                }
            }
        }
        Ok(Questions::resumed(answers, state, rounds))
    }
}

/// What a sealed state holds.
struct Kept {
    expiry: u64,
    /// Whose it is, where requests are not authorized.
    peer: Option<String>,
    state: Option<Box<str>>,
    answers: BTreeMap<Box<str>, Answer>,
    rounds: u32,
}

fn read_kept(text: &[u8]) -> Option<Kept> {
    let kept: Value = serde_json::from_slice(text).ok()?;
    let mut answers = BTreeMap::new();
    for (key, answer) in kept.get("answers")?.as_object()? {
        let text = answer.get(1)?.as_str()?;
        let answer =
            if answer.get(0)?.as_bool()? { Answer::Result(text.into()) } else { Answer::Failed(text.into()) };
        answers.insert(key.as_str().into(), answer);
    }
    Some(Kept {
        expiry: kept.get("expiry")?.as_u64()?,
        peer: kept.get("peer").and_then(Value::as_str).map(str::to_owned),
        state: kept.get("state")?.as_str().map(Into::into),
        answers,
        rounds: u32::try_from(kept.get("rounds")?.as_u64()?).ok()?,
    })
}

/// What a state is good for: this revision, method, name and arguments, this server, and who asked (S-MR-05, S-MR-07). The members that
/// differ between a request and its retry are left out.
fn binding(context: &Context, name: &str, params: &str, audience: &str) -> Vec<u8> {
    let mut digest = Digest::new(&SHA256);
    let mut add = |part: &str| {
        // The length in front keeps two parts from reading as one.
        digest.update(&(part.len() as u64).to_be_bytes());
        digest.update(part.as_bytes());
    };
    add(context.revision.as_str());
    add(audience);
    add(context.principal_id());
    add(name);
    for member in ["name", "uri", "arguments"] {
        let mut written = String::new();
        if let Some(value) = json::member(params, member) {
            json::canonical_into(value, &mut written);
        }
        add(&written);
    }
    digest.finish().as_ref().to_vec()
}
