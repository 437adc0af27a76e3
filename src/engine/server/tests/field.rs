//! Clients that people have, at the engine of a server, and definitions of others that a server passes on: the tables `clients.toml`
//! and `definitions.toml`.

use super::stage::{Stage, settings};
use crate::protocol::field::rows;
use serde_json::json;
use std::fmt::Write as _;

#[test]
fn every_client_that_was_reported_is_served_or_refused_in_words() {
    for row in rows("clients.toml") {
        let name = row.name();
        let mut stage = Stage::new(settings());
        let session = match row.get("session") {
            Some("none") => stage.server.open(false).expect("a session"),
            _ => stage.legacy(row.get("session").unwrap_or("2025-11-25"), &json!({})),
        };
        let before = stage.server.counters().tolerated;
        let mut seen = String::new();
        for frame in row.all("frames") {
            for answer in stage.raw(session, &frame.replace("$MARK", "\u{feff}")) {
                seen.push_str(&answer.to_string());
                seen.push('\n');
            }
            for run in stage.runs.drain(..) {
                let _infallible = writeln!(seen, "runs {} {}", run.handler, &*run.params);
            }
        }
        if row.get("answers") == Some("none") {
            assert_eq!(seen, "", "{name}");
        }
        row.check(&seen);
        let tolerated = stage.server.counters().tolerated > before;
        assert_eq!(tolerated, row.get("counts").is_none_or(|counts| counts == "tolerated"), "{name}");
        let told = stage.records.iter().any(|record| record.contains("not written as the specification"));
        assert_eq!(told, tolerated, "{name}: {:?}", stage.records);
        assert!(stage.server.has_session(session), "{name}: the session stays");
    }
}

#[test]
fn a_definition_that_is_passed_on_is_written_as_it_should_be() {
    for row in rows("definitions.toml") {
        let name = row.name();
        let mut settings = settings();
        settings.check_definitions = false;
        let mut stage = Stage::new(settings);
        let definition = row.get("definition").expect("a definition");
        let (list, added) = match row.get("kind") {
            None => ("tools/list", stage.server.add_tool(stage.now, definition, "tool")),
            Some("prompt") => ("prompts/list", stage.server.add_prompt(stage.now, definition, "prompt")),
            Some("resource") => {
                ("resources/list", stage.server.add_resource(stage.now, definition, "resource"))
            }
            Some(other) => panic!("{other}"),
        };
        added.unwrap_or_else(|invalid| panic!("{name}: {invalid}"));
        let session = stage.legacy("2025-11-25", &json!({}));
        let answer = stage.ask_legacy(session, json!(1), list, json!({}));
        row.check(&answer[0]["result"].to_string());
    }
}
