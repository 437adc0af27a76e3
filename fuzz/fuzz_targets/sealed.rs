//! What a server gives out to get it back: sealed request states and cursors. Whatever comes back, nothing panics; a state is
//! accepted only if it is, byte for byte, one that this server sealed for this very request, and only once; a cursor gives a page or
//! an error about the parameters.
#![no_main]

use libfuzzer_sys::fuzz_target;
use mcp::engine::server::{AskOutcome, Effect, Now, Outcome, Responded, Server, SessionId, Settings, Stream};
use mcp_fuzz::serving::ring;
use mcp_fuzz::{Input, text};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

const STATE: &str = "kept by the handler";

fuzz_target!(|bytes: &[u8]| {
    let mut input = Input::new(bytes);
    match input.below(3) {
        0 => seals(&mut input),
        1 => states(&mut input),
        _ => cursors(&mut input),
    }
});

/// The text, changed as the input says.
fn changed(original: &str, input: &mut Input<'_>) -> String {
    let mut bytes = original.as_bytes().to_vec();
    for _ in 0..input.below(4) {
        let at = usize::try_from(input.number()).expect("two bytes") % bytes.len().max(1);
        match input.below(4) {
            0 => bytes.truncate(at),
            1 if !bytes.is_empty() => bytes[at] = input.byte(),
            2 => bytes.insert(at.min(bytes.len()), input.byte()),
            _ => bytes = input.until(0).to_vec(),
        }
    }
    text(&bytes).into_owned()
}

fn seals(input: &mut Input<'_>) {
    let (plain, bound) = (input.until(0).to_vec(), input.until(0).to_vec());
    let mut ring = ring();
    let sealed = ring.seal(&plain, &bound).expect("randomness");
    assert_eq!(ring.open(&sealed, &bound), Some(plain));
    let other = changed(&sealed, input);
    let other_bound = if input.bool() { input.rest().to_vec() } else { bound.clone() };
    let is_ours = other == sealed && other_bound == bound;
    assert_eq!(ring.open(&other, &other_bound).is_some(), is_ours, "{other}");
}

struct Stage {
    server: Server<u8>,
    session: SessionId,
    now: Now,
}

/// What the handler asks.
const FORM: &str = r#"{"message":"?","requestedSchema":{"type":"object","properties":{}}}"#;

/// What a request led to: the answer, or the round of the handler that is to run.
enum Led {
    Answer(Value),
    Run(mcp::engine::server::RequestId, u32),
}

impl Stage {
    fn new() -> Stage {
        let mut settings = Settings::new("sealing", "1");
        settings.page_size = 2;
        let mut server = Server::new(settings, ring());
        let now = Now { at: Instant::now(), unix: 1_800_000_000 };
        for name in ["a", "b", "c", "d", "e"] {
            let tool = json!({"name": name, "inputSchema": {"type": "object"}}).to_string();
            server.add_tool(now, &tool, 1).expect("a tool");
        }
        let session = server.open(false).expect("a session");
        Stage { server, session, now }
    }

    fn ask(&mut self, method: &str, mut params: Value) -> Led {
        params["_meta"] = json!({"io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": {"elicitation": {}}});
        let frame = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).to_string();
        self.server.frame(self.now, Stream { session: self.session, number: 0 }, frame.as_bytes());
        self.led()
    }

    fn led(&mut self) -> Led {
        let mut led = None;
        while let Some(effect) = self.server.effect() {
            match effect {
                Effect::Send { frame, .. } => {
                    led = Some(Led::Answer(serde_json::from_slice(&frame).expect("JSON")));
                }
                Effect::Run(run) => led = Some(Led::Run(run.request, run.round)),
                _ => {}
            }
        }
        led.expect("a request leads to something")
    }

    /// Calls the tool until it has asked; gives the state.
    fn asked(&mut self, params: &Value) -> String {
        let Led::Run(request, 0) = self.ask("tools/call", params.clone()) else { panic!("it runs") };
        assert_eq!(self.server.ask(request, "k", "elicitation/create", FORM), AskOutcome::Pending);
        assert!(self.server.set_state(request, STATE));
        self.server.returned(self.now, request);
        let Led::Answer(answer) = self.led() else { panic!("it is answered with the question") };
        answer["result"]["requestState"].as_str().expect("a state").to_owned()
    }
}

fn states(input: &mut Input<'_>) {
    let mut stage = Stage::new();
    let call = json!({"name": "a", "arguments": {"n": 1}});
    let state = stage.asked(&call);
    let other = changed(&state, input);
    let is_late = input.bool();
    if is_late {
        stage.now.at += Duration::from_secs(601);
        stage.now.unix += 601;
    }
    let mut again = call.clone();
    let is_other_call = input.below(4) == 0;
    if is_other_call {
        again["arguments"]["n"] = input.byte().wrapping_add(2).into();
    }
    again["requestState"] = other.as_str().into();
    again["inputResponses"] = json!({"k": {"action": "accept"}});
    let is_ours = other == state && !is_late && (!is_other_call || again["arguments"] == call["arguments"]);
    match stage.ask("tools/call", again.clone()) {
        Led::Run(request, _) => {
            assert!(is_ours, "accepted: {other}");
            assert_eq!(stage.server.state(request), Some(STATE));
            let responded = stage.server.respond(stage.now, request, Outcome::Result(r#"{"content":[]}"#));
            assert_eq!(responded, Responded::Sent);
            assert!(matches!(stage.led(), Led::Answer(_)));
            // It is good once.
            assert!(
                matches!(stage.ask("tools/call", again), Led::Answer(answer) if answer["error"].is_object())
            );
        }
        Led::Answer(answer) => {
            assert!(!is_ours && answer["error"]["code"] == -32602, "refused: {answer}");
        }
    }
}

fn cursors(input: &mut Input<'_>) {
    let mut stage = Stage::new();
    let Led::Answer(first) = stage.ask("tools/list", json!({})) else { panic!("it is answered") };
    let cursor = first["result"]["nextCursor"].as_str().expect("a second page").to_owned();
    let other = changed(&cursor, input);
    let method = input.pick(&["tools/list", "tools/list", "resources/list"]);
    let Led::Answer(answer) = stage.ask(method, json!({"cursor": other.as_str()})) else {
        panic!("it is answered")
    };
    if other == cursor && method == "tools/list" {
        assert_eq!(answer["result"]["tools"][0]["name"], "c");
    } else {
        let is_page = method == "tools/list" && answer["result"]["tools"].is_array();
        let code = &answer["error"]["code"];
        assert!(is_page || *code == -32602 || *code == -32601, "{answer}");
    }
}
