//! Random settings of a client and options of a call, with times short enough to run out within a schedule.

use super::dice::Dice;
use crate::engine::{CallOptions, Feature, Reconnect, Retry, Settings, Timeouts, ToolModes};
use crate::protocol::{Era, Revision};
use serde_json::json;

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

/// A list of tools: "s" is stateful where it is there, nothing else ever is.
pub fn tools(dice: &mut Dice, further_pages: bool) -> String {
    let tools = *dice.pick(&[
        r#"{"name":"s","mode":"stateful"},{"name":"f"}"#,
        r#"{"name":"s","_meta":{"mode":"stateful"}}"#,
        r#"{"name":"s","mode":"stateful"},{"name":"f","mode":"stateless"},{"name":"u"}"#,
        r#"{"name":"f"},{"name":"s"}"#,
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
    Settings {
        capabilities,
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
