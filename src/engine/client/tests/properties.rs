//! What must be true whatever the order of things, over arbitrary cases.

use super::stage::{Made, Saw, Stage, legacy, ms};
use crate::engine::{CallOptions, Settings, State, Status};
use proptest::prelude::*;
use serde_json::{Value, json};
use std::collections::HashSet;

/// A ready connection with `count` calls under way, and their requests.
fn calling(count: usize) -> (Stage, Vec<Made>, Vec<Value>) {
    let mut stage = Stage::ready(Settings { reconnect: None, ..legacy() });
    let calls = (0..count).map(|_| stage.call("tools/call")).collect();
    let requests = stage.sent();
    (stage, calls, requests)
}

/// From 1 to 50 calls, and an order in which they are answered.
fn reordered() -> impl Strategy<Value = Vec<usize>> {
    (1..=50usize).prop_flat_map(|count| Just((0..count).collect::<Vec<_>>()).prop_shuffle())
}

/// Things that may happen without time passing and without the server agreeing to anything.
const WITHOUT_PROGRESS: [fn(&mut Stage); 11] = [
    |stage| _ = stage.try_call("tools/list", None, &CallOptions::default()),
    |stage| _ = stage.connect(None),
    Stage::open,
    Stage::open,
    |stage| stage.lose("it died"),
    |stage| stage.engine.shut(stage.engine.generation()),
    |stage| stage.text(r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"no"}}"#),
    |stage| {
        let data = json!({"supported": ["2026-07-28"]});
        stage.refuse(&json!({"id": 2}), -32022, &data);
    },
    |stage| stage.text("no message"),
    |stage| stage.text(r#"{"jsonrpc":"2.0","id":2,"result":{}}"#),
    |stage| stage.pass(ms(0)),
];

proptest! {
    #[test]
    fn correlation_is_one_to_one_under_reordering(order in reordered()) {
        let (mut stage, calls, requests) = calling(order.len());
        let ids: HashSet<String> = requests.iter().map(|request| request["id"].to_string()).collect();
        prop_assert_eq!(ids.len(), calls.len());
        for (answered, at) in order.iter().enumerate() {
            stage.answer(&requests[*at], &json!({"of": at}));
            let ended = calls.iter().filter(|call| stage.reply(**call).is_some()).count();
            prop_assert_eq!(ended, answered + 1, "each answer ends one call");
        }
        for (at, call) in calls.iter().enumerate() {
            prop_assert_eq!(stage.result(*call), json!({"of": at}));
        }
        prop_assert_eq!(stage.engine.pending(), 0);
    }

    #[test]
    fn timeouts_do_not_leak(calls in proptest::collection::vec((1..500u64, any::<bool>(), any::<bool>()), 1..50)) {
        let mut stage = Stage::ready(Settings { reconnect: None, ..legacy() });
        let made: Vec<Made> = calls
            .iter()
            .map(|(timeout, ..)| {
                let options = CallOptions { timeout: Some(ms(*timeout)), progress: true, ..CallOptions::default() };
                stage.call_with("tools/call", options)
            })
            .collect();
        let requests = stage.sent();
        for (request, (_, in_time, _)) in requests.iter().zip(&calls) {
            if *in_time {
                stage.answer(request, &json!({}));
            }
        }
        let mut ticks = 0;
        while stage.engine.next_deadline().is_some() {
            stage.pass_to_deadline();
            ticks += 1;
        }
        prop_assert!(ticks <= calls.len(), "each deadline is due once");
        for (call, (_, in_time, _)) in made.iter().zip(&calls) {
            prop_assert_eq!(stage.status(*call), if *in_time { Status::Ok } else { Status::Timeout });
        }
        let late: Vec<_> = requests.iter().zip(&calls).filter(|(_, (.., comes_late))| *comes_late).collect();
        for (request, _) in &late {
            stage.answer(request, &json!({}));
        }
        prop_assert_eq!(stage.counters().late_answers, late.len() as u64);
        let engine = &stage.engine;
        let left = (engine.calls.len(), engine.exchanges.all().len(), engine.deadlines.len(), engine.calls.waiting().len());
        prop_assert_eq!(left, (0, 0, 0, 0));
    }

    #[test]
    fn cancellation_is_idempotent(times in 1..=10usize, count in 1..10usize, which in any::<prop::sample::Index>()) {
        let cancelled = |times: usize| {
            let (mut stage, calls, _) = calling(count);
            let call = calls[which.index(count)];
            stage.take();
            let told: Vec<bool> = (0..times).map(|_| stage.cancel(call, "enough")).collect();
            let effects: Vec<String> = stage.take().iter().map(|saw| format!("{saw:?}")).collect();
            (told, effects, stage.counters(), stage.engine.pending())
        };
        let (once, often) = (cancelled(1), cancelled(times));
        prop_assert_eq!(often.0.iter().filter(|was_there| **was_there).count(), 1);
        prop_assert_eq!((&once.1, once.2, once.3), (&often.1, often.2, often.3));
    }

    #[test]
    fn transitions_are_acyclic_without_progress(events in proptest::collection::vec(0..11usize, 0..80), closes in any::<bool>()) {
        let mut stage = Stage::new(Settings::default());
        let mut been = HashSet::from([(State::Idle, 0)]);
        for event in events {
            WITHOUT_PROGRESS[event](&mut stage);
            for saw in stage.take() {
                if let Saw::Moved { to, .. } = saw {
                    // Two moves may come of one event, but then the generation goes up with the first.
                    prop_assert!(been.insert((to, stage.engine.generation())), "{:?} again", to);
                }
            }
        }
        if closes {
            stage.close();
            stage.engine.shut(stage.engine.generation());
            prop_assert_eq!(stage.engine.state(), State::Closed);
        }
        // Idle, starting, initializing, both once more after a probe that killed the server, backoff.
        prop_assert!(been.len() <= 6, "{:?}", been);
    }

    #[test]
    fn notifications_reach_the_application_or_are_counted_as_lost(kinds in proptest::collection::vec(0..4u8, 0..60)) {
        let mut stage = Stage::ready(legacy());
        let wanted = stage.call_with("tools/call", CallOptions { progress: true, ..CallOptions::default() });
        stage.take();
        for (at, kind) in kinds.iter().enumerate() {
            match kind {
                0 => stage.notified("notifications/progress", &json!({"progressToken": wanted.call, "progress": at})),
                1 => stage.notified("notifications/progress", &json!({"progressToken": "unknown", "progress": at})),
                2 => stage.notified("notifications/message", &json!({"progress": at})),
                _ => stage.frame(&json!([{"jsonrpc": "2.0", "method": "made/up", "params": {"progress": at}}])),
            }
        }
        let reached: Vec<Value> = stage
            .take()
            .into_iter()
            .filter_map(|saw| match saw {
                Saw::Notified { params, .. } | Saw::Progressed { params, .. } => Some(params["progress"].clone()),
                _ => None,
            })
            .collect();
        let expected: Vec<Value> =
            kinds.iter().enumerate().filter(|(_, kind)| **kind != 1).map(|(at, _)| json!(at)).collect();
        prop_assert_eq!(&reached, &expected, "in order, and each once");
        let lost = stage.counters().ignored_progress;
        prop_assert_eq!(stage.counters().notifications, reached.len() as u64 + lost);
    }
}
