//! Which era a server belongs to, told from its answer to `server/discover` (2026-07-28 `basic/transports/stdio`,
//! `basic/versioning`). One pure function, so that one table test can show every row.
//!
//! Never keyed to one particular error code: whatever is not recognisably modern is legacy.

use super::error_code::{HEADER_MISMATCH, MISSING_CLIENT_CAPABILITY, UNSUPPORTED_VERSION};
use super::handshake::{ServerFacts, facts};
use super::meta::{META, SERVER_INFO};
use super::revision::{Era, Revision};
use crate::json::{self, Kind};

/// What came back from the probe.
#[derive(Clone, Copy, Debug)]
pub enum Answer<'a> {
    /// A JSON-RPC result.
    Result(&'a str),
    /// A JSON-RPC error.
    Error {
        /// Its code.
        code: i64,
        /// Its data, JSON text.
        data: Option<&'a str>,
    },
    /// Nothing within the probe's time.
    Timeout,
    /// The connection ended.
    Closed,
}

/// What the answer means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// A modern server that speaks this revision.
    Modern(Revision, ServerFacts),
    /// A modern server: ask again, with this revision.
    AskAgain(Revision),
    /// A modern server, with no revision in common; these are the ones it named.
    NoneInCommon(Vec<String>),
    /// A modern server that refuses the probe itself, with this code.
    Refused(i64),
    /// A legacy server: go on with `initialize`.
    Legacy(&'static str),
}

/// Tells the era. `allowed` are the modern revisions that the application permits, `asked_again` whether this answer is
/// already the second one (a server that names the version it was asked for gets one more try, not an endless number).
pub fn classify(answer: Answer<'_>, allowed: &[Revision], asked_again: bool) -> Verdict {
    match answer {
        Answer::Timeout => Verdict::Legacy("no answer to server/discover within the probe's time"),
        Answer::Closed => Verdict::Legacy("the server ended the connection when it was probed"),
        Answer::Result(result) => classify_result(result, allowed),
        Answer::Error { code: UNSUPPORTED_VERSION, data } => {
            let Some(supported) = supported(data) else {
                return Verdict::Legacy("error -32022 without a list of supported versions");
            };
            match newest(&supported, allowed) {
                Some(revision) if !asked_again => Verdict::AskAgain(revision),
                Some(_) => Verdict::Refused(UNSUPPORTED_VERSION),
                None => Verdict::NoneInCommon(supported),
            }
        }
        Answer::Error { code: code @ (HEADER_MISMATCH | MISSING_CLIENT_CAPABILITY), .. } => {
            Verdict::Refused(code)
        }
        Answer::Error { .. } => {
            Verdict::Legacy("server/discover was refused, and every modern server has it")
        }
    }
}

/// The versions that a server names in the data of error -32022.
pub fn supported(data: Option<&str>) -> Option<Vec<String>> {
    strings(json::member(data?, "supported")?)
}

fn classify_result(result: &str, allowed: &[Revision]) -> Verdict {
    if json::kind(result) != Some(Kind::Object) {
        return Verdict::Legacy("the result of server/discover is not an object");
    }
    let Some(supported) = json::member(result, "supportedVersions").and_then(strings) else {
        return Verdict::Legacy("the result of server/discover has no list of supported versions");
    };
    match newest(&supported, allowed) {
        Some(revision) => {
            let in_meta = json::member(result, META).and_then(|meta| json::member(meta, SERVER_INFO));
            Verdict::Modern(revision, facts(result, in_meta.or_else(|| json::member(result, "serverInfo"))))
        }
        None => Verdict::NoneInCommon(supported),
    }
}

/// The newest modern revision that both sides have.
fn newest(supported: &[String], allowed: &[Revision]) -> Option<Revision> {
    allowed
        .iter()
        .copied()
        .filter(|revision| revision.era() == Era::Modern && supported.iter().any(|s| s == revision.as_str()))
        .max()
}

/// An array of strings, decoded; `None` if it is anything else.
fn strings(array: &str) -> Option<Vec<String>> {
    if json::kind(array) != Some(Kind::Array) {
        return None;
    }
    json::elements(array).map(|element| json::string(element).map(std::borrow::Cow::into_owned)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const MODERN: [Revision; 1] = [Revision::V2026_07_28];

    fn error(code: i64, data: Option<&'static str>) -> Answer<'static> {
        Answer::Error { code, data }
    }

    /// Every shape of answer that servers were seen to give, and what it must mean.
    #[test]
    fn every_answer_to_the_probe_has_its_verdict() {
        let supported = Some(r#"{"supported":["2026-07-28"],"requested":"2026-07-28"}"#);
        let future = Some(r#"{"supported":["2031-01-01"],"requested":"2026-07-28"}"#);
        let legacy: [Answer<'_>; 16] = [
            // Any other error, whatever its code.
            error(-32601, None),
            error(-32602, None),
            error(-32600, None),
            error(-32700, None),
            error(-32603, None),
            // 2025-11-25 servers over HTTP: "Unsupported protocol version", "Invalid or missing session ID".
            error(-32000, None),
            // Draft numbers of the modern errors mean nothing.
            error(-32001, supported),
            error(-32004, supported),
            error(0, None),
            // -32022 without the list that the specification demands.
            error(-32022, None),
            error(-32022, Some(r#"{"supported":"2026-07-28"}"#)),
            error(-32022, Some(r#"{"supported":[1]}"#)),
            // A success that is no DiscoverResult.
            Answer::Result("{}"),
            Answer::Result(r#"{"supportedVersions":"2026-07-28"}"#),
            Answer::Timeout,
            Answer::Closed,
        ];
        for answer in legacy {
            assert!(matches!(classify(answer, &MODERN, false), Verdict::Legacy(_)), "{answer:?}");
        }
        assert_eq!(
            classify(error(-32022, supported), &MODERN, false),
            Verdict::AskAgain(Revision::V2026_07_28),
            "-32022 that lists the very version asked for: once more, never initialize"
        );
        assert_eq!(classify(error(-32022, supported), &MODERN, true), Verdict::Refused(-32022));
        assert_eq!(
            classify(error(-32022, future), &MODERN, false),
            Verdict::NoneInCommon(vec!["2031-01-01".to_owned()])
        );
        assert_eq!(classify(error(-32020, None), &MODERN, false), Verdict::Refused(-32020));
        assert_eq!(classify(error(-32021, None), &MODERN, false), Verdict::Refused(-32021));
        let discovered = r#"{"supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"instructions":"do\n",
                "_meta":{"io.modelcontextprotocol/serverInfo":{"name":"s"}}}"#;
        let Verdict::Modern(revision, facts) = classify(Answer::Result(discovered), &MODERN, false) else {
            panic!("a DiscoverResult is modern")
        };
        assert_eq!(revision, Revision::V2026_07_28);
        assert_eq!(facts.info.as_deref(), Some(r#"{"name":"s"}"#));
        assert_eq!(facts.instructions.as_deref(), Some("do\n"));
        assert_eq!(
            classify(Answer::Result(r#"{"supportedVersions":["2031-01-01"]}"#), &MODERN, false),
            Verdict::NoneInCommon(vec!["2031-01-01".to_owned()])
        );
    }
}
