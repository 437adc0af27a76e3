//! Logins and signatures before a request: the time that they take is not the server's, and no call's time begins again with them.

use super::exchanges::{failure, http, id};
use super::stage::{Made, Stage, legacy, modern, ms};
use crate::engine::{FailureKind, LoginWait, Settings, State, Status};

fn login(stage: &mut Stage, exchange: u64, waits: bool) {
    let generation = stage.engine.generation();
    let wait = if waits { LoginWait::Person } else { LoginWait::Over };
    stage.engine.waits_for_login(stage.now, generation, exchange, wait);
    stage.pass(ms(0));
}

/// The time until a call is over, as things stand.
fn left(stage: &Stage, made: Made) -> u64 {
    let deadline = stage.engine.deadline_of(made.call).expect("under way");
    u64::try_from((deadline - stage.now).as_millis()).expect("small")
}

#[test]
fn a_handshake_that_is_signed_at_each_attempt_gives_nobody_their_time_anew() {
    let mut stage = Stage::new(http(Settings { wait_when_unavailable: true, ..modern() }));
    let made = stage.call("tools/list");
    let (mut signing, start) = (ms(0), stage.now);
    while stage.reply(made).is_none() {
        assert!(stage.now - start < ms(120_000), "the call waits longer than its time");
        match stage.engine.state() {
            State::Starting => {
                stage.open();
                let probe = stage.sent_one();
                login(&mut stage, id(&probe), true);
                stage.pass(ms(500));
                signing += ms(500);
                login(&mut stage, id(&probe), false);
            }
            _ => drop(stage.pass_to_deadline()),
        }
    }
    assert_eq!(stage.status(made), Status::Timeout);
    assert_eq!(stage.now - start, ms(30_000) + signing);
    assert!(signing > ms(500), "it was tried more than once");
}

#[test]
fn a_call_goes_on_after_a_login_with_what_it_had_left() {
    let mut stage = Stage::ready(http(Settings { change_notifications: false, ..modern() }));
    let made = stage.call("prompts/list");
    let request = stage.sent_one();
    stage.pass(ms(20_000));
    login(&mut stage, id(&request), true);
    // Told twice: it is one login all the same.
    stage.pass(ms(15_000));
    login(&mut stage, id(&request), true);
    stage.pass(ms(60_000));
    assert_eq!(left(&stage, made), 600_000 - 95_000);
    login(&mut stage, id(&request), false);
    assert_eq!(left(&stage, made), 10_000);
    login(&mut stage, id(&request), false);
    stage.pass(ms(9_999));
    assert!(stage.reply(made).is_none());
    stage.pass(ms(1));
    assert_eq!(stage.status(made), Status::Timeout);
}

#[test]
fn a_login_that_ends_with_its_connection_stops_no_time_any_more() {
    let mut stage = Stage::new(http(Settings { wait_when_unavailable: true, ..legacy() }));
    let made = stage.call("prompts/list");
    stage.open();
    let initialize = stage.sent_one();
    stage.pass(ms(5_000));
    login(&mut stage, id(&initialize), true);
    stage.pass(ms(40_000));
    stage.fail(id(&initialize), failure(FailureKind::Unreachable, None));
    assert_eq!((stage.engine.state(), left(&stage, made)), (State::Backoff, 25_000));
}

#[test]
fn an_answer_that_comes_in_the_midst_of_a_login_ends_it() {
    let mut stage = Stage::new(http(Settings { change_notifications: false, ..Settings::default() }));
    let made = stage.call("prompts/list");
    stage.open();
    let probe = stage.sent_one();
    login(&mut stage, id(&probe), true);
    stage.pass(ms(40_000));
    stage.refuse(&probe, -32601, &serde_json::Value::Null);
    let initialize = stage.sent_one();
    assert_eq!((initialize["method"].as_str(), left(&stage, made)), (Some("initialize"), 30_000));
    login(&mut stage, id(&initialize), true);
    stage.pass(ms(40_000));
    stage.answer(&initialize, &super::stage::initialized_at("2025-11-25"));
    stage.listening();
    assert_eq!((stage.engine.state(), left(&stage, made)), (State::Ready, 30_000));
}

#[test]
fn what_a_login_asks_servers_counts_as_the_calls_time() {
    let mut stage = Stage::ready(http(Settings { change_notifications: false, ..modern() }));
    let made = stage.call("prompts/list");
    let exchange = id(&stage.sent_one());
    let generation = stage.engine.generation();
    let asks = |stage: &mut Stage, wait| {
        stage.engine.waits_for_login(stage.now, generation, exchange, wait);
        stage.pass(ms(0));
    };
    asks(&mut stage, LoginWait::Servers);
    stage.pass(ms(10_000));
    assert_eq!(left(&stage, made), 20_000);
    asks(&mut stage, LoginWait::Person);
    stage.pass(ms(60_000));
    asks(&mut stage, LoginWait::Servers);
    assert_eq!(left(&stage, made), 20_000, "the person's time does not");
    stage.pass(ms(20_000));
    assert_eq!(stage.status(made), Status::Timeout);
}

#[test]
fn a_step_of_the_handshake_waits_for_what_a_login_asks_servers_and_a_call_does_not() {
    let mut stage = Stage::new(http(Settings::default()));
    let made = stage.call("tools/list");
    stage.open();
    let probe = stage.sent_one();
    let generation = stage.engine.generation();
    stage.engine.waits_for_login(stage.now, generation, id(&probe), LoginWait::Servers);
    stage.pass(ms(30_000));
    assert_eq!(stage.status(made), Status::Timeout);
    assert_eq!(stage.engine.state(), State::Initializing);
    assert!(stage.sent().is_empty(), "the probe is not given up: the server has not had it");
}
