//! One message: taken apart as an envelope, then its parts as an answer to the handshake, to the probe, as the text of a
//! result and as parameters. What `envelope::parse` gives must be what `serde_json` finds.
#![no_main]

use libfuzzer_sys::fuzz_target;
use mcp::protocol::content::text_of;
use mcp::protocol::envelope::{self, Id, Incoming, salvage_id, text};
use mcp::protocol::{Params, Revision, handshake};
use serde_json::Value;

fuzz_target!(|frame: &[u8]| {
    let (head, tail) = frame.split_at(frame.len() / 2);
    let _ = (salvage_id(frame, frame), salvage_id(head, tail), text_of(frame));
    let parsed = envelope::parse(frame, 64);
    if let Ok(params) =
        std::str::from_utf8(frame).map_err(drop).and_then(|text| Params::check(text, 64).map_err(drop))
    {
        let mut out = Vec::new();
        params.write_with_meta("\"a\":1", &mut out);
        let written: Result<Value, _> = serde_json::from_slice(&out);
        let read: Result<Value, _> = serde_json::from_slice(frame);
        assert_eq!(written.is_ok(), read.is_ok(), "parameters that are JSON stay JSON");
    }
    let incoming = match parsed {
        Ok(incoming) => incoming,
        Err(malformed) => {
            drop(malformed.violation.to_string());
            return;
        }
    };
    let Ok(tree) = serde_json::from_slice::<Value>(frame) else { return };
    match incoming {
        Incoming::Result { id, result, .. } => {
            same_id(&id, &tree);
            let result = text(frame, result.span);
            assert_eq!(serde_json::from_str::<Value>(result).ok().as_ref(), tree.get("result"));
            let _ = handshake::read_initialize(result, &Revision::ALL);
            for again in [false, true] {
                let _ =
                    handshake::classify_probe(handshake::ProbeAnswer::Result(result), &Revision::ALL, again);
            }
            let _ = text_of(result.as_bytes());
        }
        Incoming::Error { id, code, data, .. } => {
            same_id(&id, &tree);
            let written = tree["error"]["code"].as_i64();
            assert!(written.is_none_or(|written| written == code));
            let data = data.map(|data| text(frame, data));
            let _ = handshake::classify_probe(
                handshake::ProbeAnswer::Error { code, data },
                &Revision::ALL,
                false,
            );
            for status in [200, 400, 401, 404, 500] {
                let _ = handshake::after_initialize(status, Some((code, data)));
            }
        }
        Incoming::Request { id, method, .. } => {
            assert!(!id.range().is_empty());
            assert!(tree["method"].is_string() && !method.range().is_empty());
        }
        Incoming::Notification { method, .. } => {
            assert!(tree["method"].is_string() && !method.range().is_empty())
        }
    }
});

fn same_id(id: &Id, tree: &Value) {
    match id {
        Id::Number(number) => {
            let written = &tree["id"];
            let by_value = written.as_str().map_or(written.as_f64(), |text| text.parse().ok());
            assert!(written.as_u64() == Some(*number) || by_value == Some(*number as f64));
        }
        Id::None => assert!(tree["id"].is_null()),
        Id::Foreign(_) => assert!(tree["id"].is_string() || tree["id"].is_number()),
    }
}
