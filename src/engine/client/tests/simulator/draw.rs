//! Random settings of a client and options of a call, with times short enough to run out within a schedule.

use crate::engine::dice::Dice;
use crate::engine::{CallOptions, Feature, Reconnect, Retry, Settings, TaskSettings, Timeouts, ToolModes};
use crate::protocol::task::EXTENSION;
use crate::protocol::{Era, Revision};
use serde_json::json;
use std::time::Duration;

pub fn options(dice: &mut Dice) -> CallOptions {
    CallOptions {
        timeout: dice.chance(60).then(|| dice.millis(0, 1500)),
        max_total: dice.chance(20).then(|| dice.millis(0, 3000)),
        reset_on_progress: dice.chance(30).then(|| dice.chance(80)),
        progress: dice.chance(40),
        meta: if dice.chance(10) { r#""own":true"#.to_owned() } else { String::new() },
        retry: dice.chance(30).then(|| if dice.chance(70) { Retry::Safe } else { Retry::Never }),
        wait_when_unavailable: dice.chance(30).then(|| dice.chance(70)),
        feature: Feature::Raw,
        ..CallOptions::default()
    }
}

/// How the call of a tool is to be a task, or that the library may see to that.
pub fn as_task(dice: &mut Dice, options: &mut CallOptions) {
    options.feature = Feature::Plain;
    options.task = dice.chance(40).then(|| dice.chance(75));
    options.task_ttl = dice.chance(30).then(|| dice.millis(0, 60_000));
    // Each request about the task has that time; without any the same moment would never end.
    options.timeout = options.timeout.map(|timeout| timeout.max(Duration::from_millis(1 + dice.roll(500))));
}

/// Settings with which connections come back and calls live long enough to become tasks.
pub fn patient(dice: &mut Dice, settings: &mut Settings) {
    settings.timeouts.call = dice.millis(500, 3000);
    settings.timeouts.probe = dice.millis(500, 1500);
    settings.timeouts.initialize = dice.millis(500, 1500);
    settings.timeouts.methods.clear();
    settings.in_flight += 3;
    settings.server_requests += 1;
    if dice.chance(70) {
        settings.allowed = vec![*dice.pick(&[Revision::LATEST_LEGACY, Revision::LATEST_MODERN])];
    }
    if let Some(reconnect) = &mut settings.reconnect {
        reconnect.max_attempts = None;
    }
}

/// Names and methods of what a server wants to know.
pub fn inputs(dice: &mut Dice) -> Vec<(u64, &'static str)> {
    const METHODS: [&str; 3] = ["elicitation/create", "sampling/createMessage", "roots/list"];
    let mut inputs: Vec<(u64, &'static str)> = Vec::new();
    for _ in 0..dice.roll(3) {
        let name = dice.index(4);
        if inputs.iter().all(|(known, _)| *known != name as u64) {
            inputs.push((name as u64, METHODS[name % METHODS.len()]));
        }
    }
    inputs
}

/// The same as JSON.
pub fn written(inputs: &[(u64, &'static str)]) -> String {
    let inputs: Vec<String> = inputs
        .iter()
        .map(|(name, method)| format!(r#""{name}":{{"method":"{method}","params":{{}}}}"#))
        .collect();
    format!("{{{}}}", inputs.join(","))
}

/// A list of tools: "s" is stateful where it is there, nothing else ever is; "f" has to be
/// called as a task, "u" may be, and "s" now and then.
pub fn tools(dice: &mut Dice, further_pages: bool) -> String {
    let tools = *dice.pick(&[
        r#"{"name":"s","mode":"stateful"},{"name":"f","execution":{"taskSupport":"required"}}"#,
        r#"{"name":"s","_meta":{"mode":"stateful"},"execution":{"taskSupport":"optional"}}"#,
        r#"{"name":"s","mode":"stateful"},{"name":"f","mode":"stateless","execution":{"taskSupport":"required"}},{"name":"u","execution":{"taskSupport":"optional"}}"#,
        r#"{"name":"u","execution":{"taskSupport":"optional"}},{"name":"f","execution":{"taskSupport":"required"}},{"name":"s"}"#,
    ]);
    let next = if further_pages && dice.chance(25) { r#","nextCursor":"more""# } else { "" };
    format!(r#""tools":[{tools}]{next}"#)
}

pub fn settings(dice: &mut Dice) -> Settings {
    let of_era = |era| Revision::ALL.into_iter().filter(|revision| revision.era() == era).collect();
    let allowed = match dice.roll(20) {
        0..10 => Revision::ALL.to_vec(),
        10..14 => of_era(Era::Legacy),
        14..17 => of_era(Era::Modern),
        17..19 => vec![*dice.pick(&Revision::ALL)],
        _ => Vec::new(),
    };
    let mut timeouts = Timeouts {
        call: dice.millis(50, 2000),
        initialize: dice.millis(0, 1500),
        probe: dice.millis(0, 1500),
        max_total: dice.millis(100, 5000),
        reset_on_progress: dice.chance(30),
        ..Timeouts::default()
    };
    for name in ["resources/read", "server/discover", "initialize"] {
        if dice.chance(20) {
            timeouts.methods.insert(name.to_owned(), dice.millis(10, 800));
        }
    }
    let reconnect = dice.chance(80).then(|| {
        let initial = dice.millis(0, 400);
        Reconnect {
            initial,
            max: initial + dice.millis(0, 1500),
            jitter: *dice.pick(&[0.0, 0.2, 1.0]),
            max_attempts: dice.chance(30).then(|| u32::try_from(dice.roll(5)).expect("a small number")),
            stable: dice.millis(10, 2000),
        }
    });
    let mut capabilities = serde_json::Map::new();
    for name in ["sampling", "elicitation", "roots"] {
        if dice.chance(60) {
            capabilities.insert(name.to_owned(), json!({}));
        }
    }
    let tasks = dice.chance(50).then(|| {
        capabilities.insert("extensions".to_owned(), json!({EXTENSION: {}}));
        let least = dice.millis(1, 50);
        TaskSettings {
            poll: dice.millis(1, 300),
            poll_min: least,
            poll_max: least + dice.millis(0, 1000),
            ttl: dice.chance(30).then(|| dice.millis(0, 60_000)),
            life: dice.millis(100, 6000),
            limit: dice.index(4) + 1,
        }
    });
    Settings {
        capabilities,
        tasks,
        roots: dice.chance(40).then(|| r#"{"roots":[]}"#.to_owned()),
        allowed,
        timeouts,
        reconnect,
        wait_when_unavailable: dice.chance(30),
        retry: if dice.chance(40) { Retry::Safe } else { Retry::Never },
        max_retries: u32::try_from(dice.roll(4)).expect("a small number"),
        in_flight: dice.index(12) + 1,
        server_requests: dice.index(5),
        seed: dice.roll(u64::MAX),
        tool_modes: dice.chance(35).then(|| ToolModes { waiting: dice.index(3), secret: [7, dice.roll(9)] }),
        ..Settings::default()
    }
}
