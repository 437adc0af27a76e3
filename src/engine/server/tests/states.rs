//! States of requests that are good once, of clients without a principal.

use super::asking::{call, sealed};
use super::stage::{Stage, code, settings};
use crate::engine::server::{Outcome, SessionId};
use crate::shares::Holder;
use serde_json::json;
use std::time::Duration;

#[test]
fn a_client_without_a_principal_that_uses_many_states_loses_its_own_only() {
    let mut settings = settings();
    settings.limits.spent_states = 4;
    let mut stage = Stage::new(settings);
    let sessions: Vec<_> = (0..4).map(|_| stage.server.open(false).expect("a session")).collect();
    for (session, process) in sessions.iter().zip([1, 1, 2, 3]) {
        stage.server.held_by(*session, Holder::Process(process));
    }
    let is_good = |stage: &mut Stage, session: SessionId, state: &str| {
        let mut params = call();
        params["requestState"] = json!(state);
        let frames = stage.ask_modern(session, json!(3), "tools/call", params);
        if !frames.is_empty() {
            assert_eq!(code(&frames), -32602);
            return false;
        }
        let run = stage.run();
        stage.respond(run.request, Outcome::Failure("done"));
        true
    };
    let of_calm: Vec<_> = (0..2).map(|_| sealed(&mut stage, sessions[2])).collect();
    assert!(is_good(&mut stage, sessions[2], &of_calm[0]));
    for at in 0..20 {
        let state = sealed(&mut stage, sessions[at % 2]);
        stage.advance(Duration::from_secs(1));
        // Another session of it, and another client, brings it back: it counts for the one that it was made for.
        let by = [sessions[0], sessions[1], sessions[3]][at % 3];
        assert!(is_good(&mut stage, by, &state), "{at}");
        assert!(
            !is_good(&mut stage, sessions[3], &state) && !is_good(&mut stage, sessions[0], &state),
            "{at}"
        );
    }
    assert!(!is_good(&mut stage, sessions[2], &of_calm[0]), "it is remembered");
    assert!(is_good(&mut stage, sessions[2], &of_calm[1]), "and its other states are in no doubt");
}
