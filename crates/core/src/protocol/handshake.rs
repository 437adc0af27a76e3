//! The legacy handshake (2025-11-25 `basic/lifecycle`) and the modern discovery result, as text in and facts out.
//!
//! Which era a server belongs to, told from its answer to `server/discover` (2026-07-28 `basic/transports/stdio`,
//! `basic/transports/streamable-http`, `basic/versioning`): one pure function, so that one table test can cover every row;
//! and a second one for the fallback from `initialize` to the transport of 2024-11-05. No rule depends on one error code: every
//! answer that is not recognisably modern means a legacy server.

use super::error_code::{HEADER_MISMATCH, METHOD_NOT_FOUND, MISSING_CLIENT_CAPABILITY, UNSUPPORTED_VERSION};
use super::lenient;
use super::meta::{META, SERVER_INFO};
use super::revision::{Era, Revision};
use crate::json::{self, Kind};

/// What a server said of itself, whichever way the era says it. JSON text, as received.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ServerFacts {
    /// `serverInfo`, an object.
    pub info: Option<String>,
    /// `capabilities`, an object of what is declared: see [`lenient::capabilities`].
    pub capabilities: Option<String>,
    /// `instructions`, decoded.
    pub instructions: Option<String>,
    /// Whether any of it was not written as it should be.
    pub tolerated: bool,
}

/// The parameters of `initialize`.
pub fn initialize_params(revision: Revision, capabilities: &str, client_info: &str) -> String {
    format!(
        "{{\"protocolVersion\":\"{}\",\"capabilities\":{capabilities},\"clientInfo\":{client_info}}}",
        revision.as_str()
    )
}

/// What the answer to `initialize` means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InitializeAnswer {
    /// Both sides speak this revision.
    Agreed(Revision, ServerFacts),
    /// The server wants a revision that we do not speak or were told not to.
    OtherVersion(String),
    /// The result is not an `InitializeResult`.
    Invalid(&'static str),
}

/// Reads the result of `initialize`; `allowed` are the revisions the application permits.
pub fn read_initialize(result: &str, allowed: &[Revision]) -> InitializeAnswer {
    if json::kind(result) != Some(Kind::Object) {
        return InitializeAnswer::Invalid("the result is not an object");
    }
    let version = lenient::member(result, "protocolVersion").filter(|version| !lenient::is_nothing(version));
    let Some(version) = version else {
        // It has not refused what it was asked for, and the least is what it is most likely to know.
        let describes =
            ["capabilities", "serverInfo"].iter().any(|name| json::member(result, name).is_some());
        let is_handshake = describes && json::member(result, "supportedVersions").is_none();
        let Some(oldest) = allowed.iter().copied().min().filter(|_| is_handshake) else {
            return InitializeAnswer::Invalid("the result has no 'protocolVersion'");
        };
        let facts = facts(result, lenient::member(result, "serverInfo"));
        return InitializeAnswer::Agreed(oldest, ServerFacts { tolerated: true, ..facts });
    };
    let Some(version) = json::string(version) else {
        return InitializeAnswer::Invalid("the 'protocolVersion' of the result is not a string");
    };
    match Revision::parse(&version) {
        Some(revision) if allowed.contains(&revision) => {
            InitializeAnswer::Agreed(revision, facts(result, lenient::member(result, "serverInfo")))
        }
        _ => InitializeAnswer::OtherVersion(version.into_owned()),
    }
}

/// The facts in a result that has `capabilities` and `instructions` at its top.
pub(super) fn facts(result: &str, info: Option<&str>) -> ServerFacts {
    let written = json::member(result, "capabilities");
    let (capabilities, tolerated) = lenient::capabilities(written.unwrap_or("{}"));
    ServerFacts {
        info: info.and_then(lenient::as_object).map(str::to_owned),
        capabilities: written.map(|_| capabilities),
        instructions: json::member(result, "instructions")
            .and_then(json::string)
            .map(std::borrow::Cow::into_owned),
        tolerated,
    }
}

/// What came back from the probe.
#[derive(Clone, Copy, Debug)]
pub enum ProbeAnswer<'a> {
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
    /// An HTTP answer that carried no result: an error status, or a success whose body is not a message.
    Http {
        /// Its status code.
        status: u16,
        /// The JSON-RPC error in its body: code, and data as JSON text.
        error: Option<(i64, Option<&'a str>)>,
    },
}

/// What the answer means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProbeVerdict {
    /// A modern server that speaks this revision.
    Modern(Revision, ServerFacts),
    /// A modern server: ask again, with this revision.
    AskAgain(Revision),
    /// A server that names revisions, of which this legacy one is the newest in common and no modern one is: go on with
    /// `initialize` for it.
    NamesLegacy(Revision),
    /// No revision of either era in common; these are the ones it named.
    NoneInCommon(Vec<String>),
    /// A modern server that refuses the probe itself, with this code.
    Refused(i64),
    /// A legacy server: go on with `initialize`.
    Legacy(&'static str),
    /// Nothing is known of the era yet: authorize (this HTTP status wants it), then probe again.
    Authorize(u16),
    /// The era is unknown: the server, or a proxy, is overloaded or unreachable (this HTTP status).
    Busy(u16),
}

/// What to do when the POST that carries `initialize` failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fallback {
    /// Perhaps a server of 2024-11-05: GET the same URL and wait for the event `endpoint`.
    HttpSse,
    /// Authorize (this HTTP status wants it), then `initialize` again.
    Authorize(u16),
    /// None: the failure stands.
    None,
}

/// Tells the era. `allowed` are the revisions that the application permits, `asked_again` whether this answer is already the
/// second one (a server that names the version it was asked for gets one more try, not an endless number).
///
/// Where a server names its revisions the newest that is permitted is taken, a modern one before any legacy one. A server of
/// both eras may be asked `server/discover` on a legacy endpoint; it then names legacy revisions only.
pub fn classify_probe(answer: ProbeAnswer<'_>, allowed: &[Revision], asked_again: bool) -> ProbeVerdict {
    match answer {
        ProbeAnswer::Timeout => ProbeVerdict::Legacy("no answer to server/discover within the probe's time"),
        ProbeAnswer::Closed => ProbeVerdict::Legacy("the server ended the connection when it was probed"),
        ProbeAnswer::Result(result) => classify_result(result, allowed),
        ProbeAnswer::Error { code: UNSUPPORTED_VERSION, data } => {
            let Some(supported) = supported(data) else {
                return ProbeVerdict::Legacy("error -32022 without a list of supported versions");
            };
            let modern = newest_named(&supported, allowed, Era::Modern);
            match (modern, newest_named(&supported, allowed, Era::Legacy)) {
                (Some(revision), _) if !asked_again => ProbeVerdict::AskAgain(revision),
                (_, Some(revision)) => ProbeVerdict::NamesLegacy(revision),
                (Some(_), None) => ProbeVerdict::Refused(UNSUPPORTED_VERSION),
                (None, None) => ProbeVerdict::NoneInCommon(supported),
            }
        }
        ProbeAnswer::Error { code: code @ (HEADER_MISMATCH | MISSING_CLIENT_CAPABILITY), .. } => {
            ProbeVerdict::Refused(code)
        }
        ProbeAnswer::Error { .. } => {
            ProbeVerdict::Legacy("server/discover was refused, and every modern server has it")
        }
        // Discovery may stand behind authorization or before it: these say nothing about the era, whatever the body.
        ProbeAnswer::Http { status: status @ (401 | 403), .. } => ProbeVerdict::Authorize(status),
        // Said by something that has not looked at the request: a server of either era could be behind it.
        ProbeAnswer::Http { status, error } if is_busy(status) && !tells_the_era(error) => {
            ProbeVerdict::Busy(status)
        }
        // The error decides and not the status: -32601 to server/discover is legacy with 404 too, since a modern server
        // has that method; and a modern error is one with any status.
        ProbeAnswer::Http { error: Some((code, data)), .. } => {
            classify_probe(ProbeAnswer::Error { code, data }, allowed, asked_again)
        }
        ProbeAnswer::Http { status: 200..300, .. } => {
            ProbeVerdict::Legacy("the answer to server/discover was no message of the protocol")
        }
        ProbeAnswer::Http { .. } => {
            ProbeVerdict::Legacy("server/discover was refused with an HTTP status alone")
        }
    }
}

/// Whether a status says that the same request may well succeed a little later.
fn is_busy(status: u16) -> bool {
    matches!(status, 408 | 425 | 429 | 502..=504)
}

/// Whether an error shows that an MCP server has processed the request.
fn tells_the_era(error: Option<(i64, Option<&str>)>) -> bool {
    error.is_some_and(|(code, data)| code == METHOD_NOT_FOUND || is_modern(code, data))
}

/// Tells what the failed POST of `initialize` means (2026-07-28 `basic/transports/streamable-http`, "HTTP+SSE
/// Transport"). Only after `initialize`: servers of 2025-03-26 and newer refuse the probe with the same statuses.
pub fn after_initialize(status: u16, error: Option<(i64, Option<&str>)>) -> Fallback {
    match status {
        401 | 403 => Fallback::Authorize(status),
        400 | 404 | 405 if !error.is_some_and(|(code, data)| is_modern(code, data)) => Fallback::HttpSse,
        _ => Fallback::None,
    }
}

/// Whether an error is one that only modern servers send. The draft's numbers (-32001, -32003, -32004) are not.
fn is_modern(code: i64, data: Option<&str>) -> bool {
    match code {
        HEADER_MISMATCH | MISSING_CLIENT_CAPABILITY => true,
        UNSUPPORTED_VERSION => supported(data).is_some(),
        _ => false,
    }
}

/// The versions that a server names in the data of error -32022.
pub fn supported(data: Option<&str>) -> Option<Vec<String>> {
    strings(json::member(data?, "supported")?)
}

fn classify_result(result: &str, allowed: &[Revision]) -> ProbeVerdict {
    if json::kind(result) != Some(Kind::Object) {
        return ProbeVerdict::Legacy("the result of server/discover is not an object");
    }
    let Some(supported) = json::member(result, "supportedVersions").and_then(strings) else {
        return ProbeVerdict::Legacy("the result of server/discover has no list of supported versions");
    };
    let modern = newest_named(&supported, allowed, Era::Modern);
    match (modern, newest_named(&supported, allowed, Era::Legacy)) {
        (Some(revision), _) => {
            let in_meta = lenient::member(result, META).and_then(|meta| lenient::member(meta, SERVER_INFO));
            ProbeVerdict::Modern(
                revision,
                facts(result, in_meta.or_else(|| json::member(result, "serverInfo"))),
            )
        }
        (None, Some(revision)) => ProbeVerdict::NamesLegacy(revision),
        (None, None) => ProbeVerdict::NoneInCommon(supported),
    }
}

/// The newest revision of an era that both sides have.
pub fn newest_named(supported: &[String], allowed: &[Revision], era: Era) -> Option<Revision> {
    allowed
        .iter()
        .copied()
        .filter(|revision| revision.era() == era && supported.iter().any(|s| s == revision.as_str()))
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

    #[test]
    fn an_older_revision_that_we_speak_is_agreed() {
        let answer = read_initialize(
            r#"{"protocolVersion":"2024-11-05","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}"#,
            &Revision::ALL[..4],
        );
        let InitializeAnswer::Agreed(revision, facts) = answer else { panic!("{answer:?}") };
        assert_eq!(revision, Revision::V2024_11_05);
        assert_eq!(facts.capabilities.as_deref(), Some(r#"{"tools":{}}"#));
    }

    #[test]
    fn a_revision_outside_the_permitted_ones_is_not_agreed() {
        let result = r#"{"protocolVersion":"2024-11-05","capabilities":{}}"#;
        assert_eq!(
            read_initialize(result, &[Revision::V2025_06_18]),
            InitializeAnswer::OtherVersion("2024-11-05".to_owned())
        );
        assert!(matches!(
            read_initialize(r#"{"protocolVersion":"1999-01-01"}"#, &Revision::ALL),
            InitializeAnswer::OtherVersion(_)
        ));
    }

    #[test]
    fn a_result_of_another_shape_is_invalid() {
        assert!(matches!(read_initialize("[]", &Revision::ALL), InitializeAnswer::Invalid(_)));
        assert!(matches!(read_initialize("{}", &Revision::ALL), InitializeAnswer::Invalid(_)));
        assert!(matches!(
            read_initialize(r#"{"protocolVersion":2}"#, &Revision::ALL),
            InitializeAnswer::Invalid(_)
        ));
    }

    const MODERN: [Revision; 1] = [Revision::V2026_07_28];

    fn error(code: i64, data: Option<&'static str>) -> ProbeAnswer<'static> {
        ProbeAnswer::Error { code, data }
    }

    fn http(status: u16, error: Option<(i64, Option<&'static str>)>) -> ProbeAnswer<'static> {
        ProbeAnswer::Http { status, error }
    }

    const SUPPORTED: Option<&str> = Some(r#"{"supported":["2026-07-28"],"requested":"2026-07-28"}"#);

    /// The same over HTTP.
    #[test]
    fn every_http_answer_to_the_probe_has_its_verdict() {
        let legacy = [
            // Nothing or nothing known in the body, whatever the status.
            http(400, None),
            http(404, None),
            http(405, None),
            http(406, None),
            http(415, None),
            http(500, None),
            http(501, None),
            // "Unsupported protocol version", "Invalid or missing session ID": servers of 2025-11-25.
            http(400, Some((-32000, None))),
            // "Session not found"; the draft's numbers with the right shape.
            http(404, Some((-32001, None))),
            http(400, Some((-32001, SUPPORTED))),
            http(400, Some((-32004, SUPPORTED))),
            // Discovery is there in every modern server, so its absence is legacy at any status.
            http(404, Some((-32601, None))),
            http(400, Some((-32601, None))),
            http(200, Some((-32601, None))),
            error(-32601, None),
            // The modern code in another shape.
            http(400, Some((-32022, None))),
            http(400, Some((-32022, Some(r#"{"supported":"2026-07-28"}"#)))),
            // A success without a message: a web page, an empty body.
            http(200, None),
            http(202, None),
            // A success that is not a DiscoverResult: servers that answer every method.
            ProbeAnswer::Result("{}"),
            ProbeAnswer::Result(r#"{"tools":[],"resultType":"complete"}"#),
            ProbeAnswer::Result(r#"{"supportedVersions":["2026-07-28",7]}"#),
            ProbeAnswer::Result("[]"),
        ];
        for answer in legacy {
            let verdict = classify_probe(answer, &MODERN, false);
            assert!(matches!(verdict, ProbeVerdict::Legacy(_)), "{answer:?} gave {verdict:?}");
        }
        for status in [408, 425, 429, 502, 503, 504] {
            for error in [None, Some((-32000, None)), Some((-32603, None)), Some((-32022, None))] {
                assert_eq!(classify_probe(http(status, error), &MODERN, false), ProbeVerdict::Busy(status));
            }
            // Who says this has looked at the request.
            let verdict = classify_probe(http(status, Some((-32601, None))), &MODERN, false);
            assert!(matches!(verdict, ProbeVerdict::Legacy(_)), "{status} gave {verdict:?}");
            assert_eq!(
                classify_probe(http(status, Some((-32022, SUPPORTED))), &MODERN, false),
                ProbeVerdict::AskAgain(Revision::V2026_07_28)
            );
        }
        for status in [401, 403] {
            for error in [None, Some((-32000, None)), Some((-32601, None)), Some((-32022, SUPPORTED))] {
                assert_eq!(
                    classify_probe(http(status, error), &MODERN, false),
                    ProbeVerdict::Authorize(status)
                );
            }
        }
        for status in [400, 404, 200, 500] {
            assert_eq!(
                classify_probe(http(status, Some((-32022, SUPPORTED))), &MODERN, false),
                ProbeVerdict::AskAgain(Revision::V2026_07_28),
                "-32022 naming the very version asked for: once more, never initialize"
            );
            assert_eq!(
                classify_probe(http(status, Some((-32022, SUPPORTED))), &MODERN, true),
                ProbeVerdict::Refused(-32022)
            );
            for code in [-32020, -32021] {
                assert_eq!(
                    classify_probe(http(status, Some((code, None))), &MODERN, false),
                    ProbeVerdict::Refused(code)
                );
            }
        }
    }

    /// The second step down, which is taken only after `initialize`.
    #[test]
    fn a_refused_initialize_may_be_a_server_of_2024_11_05() {
        for status in [400, 404, 405] {
            for error in [None, Some((-32601, None)), Some((-32000, None)), Some((-32022, None))] {
                assert_eq!(after_initialize(status, error), Fallback::HttpSse, "{status} {error:?}");
            }
            for error in [(-32020, None), (-32021, None), (-32022, SUPPORTED)] {
                assert_eq!(after_initialize(status, Some(error)), Fallback::None, "{status} {error:?}");
            }
        }
        for status in [401, 403] {
            assert_eq!(after_initialize(status, None), Fallback::Authorize(status));
        }
        for status in [200, 202, 301, 406, 409, 413, 429, 500, 503] {
            assert_eq!(after_initialize(status, None), Fallback::None, "{status}");
        }
    }

    /// Every shape of answer that servers were seen to give, and what it must mean.
    #[test]
    fn every_answer_to_the_probe_has_its_verdict() {
        let supported = Some(r#"{"supported":["2026-07-28"],"requested":"2026-07-28"}"#);
        let future = Some(r#"{"supported":["2031-01-01"],"requested":"2026-07-28"}"#);
        let legacy: [ProbeAnswer<'_>; 16] = [
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
            // A success that is not a DiscoverResult.
            ProbeAnswer::Result("{}"),
            ProbeAnswer::Result(r#"{"supportedVersions":"2026-07-28"}"#),
            ProbeAnswer::Timeout,
            ProbeAnswer::Closed,
        ];
        for answer in legacy {
            assert!(matches!(classify_probe(answer, &MODERN, false), ProbeVerdict::Legacy(_)), "{answer:?}");
        }
        assert_eq!(
            classify_probe(error(-32022, supported), &MODERN, false),
            ProbeVerdict::AskAgain(Revision::V2026_07_28),
            "-32022 that lists the very version asked for: once more, never initialize"
        );
        assert_eq!(classify_probe(error(-32022, supported), &MODERN, true), ProbeVerdict::Refused(-32022));
        assert_eq!(
            classify_probe(error(-32022, future), &MODERN, false),
            ProbeVerdict::NoneInCommon(vec!["2031-01-01".to_owned()])
        );
        assert_eq!(classify_probe(error(-32020, None), &MODERN, false), ProbeVerdict::Refused(-32020));
        assert_eq!(classify_probe(error(-32021, None), &MODERN, false), ProbeVerdict::Refused(-32021));
        let discovered = r#"{"supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"instructions":"do\n",
                "_meta":{"io.modelcontextprotocol/serverInfo":{"name":"s"}}}"#;
        let ProbeVerdict::Modern(revision, facts) =
            classify_probe(ProbeAnswer::Result(discovered), &MODERN, false)
        else {
            panic!("a DiscoverResult is modern")
        };
        assert_eq!(revision, Revision::V2026_07_28);
        assert_eq!(facts.info.as_deref(), Some(r#"{"name":"s"}"#));
        assert_eq!(facts.instructions.as_deref(), Some("do\n"));
        assert_eq!(
            classify_probe(ProbeAnswer::Result(r#"{"supportedVersions":["2031-01-01"]}"#), &MODERN, false),
            ProbeVerdict::NoneInCommon(vec!["2031-01-01".to_owned()])
        );
    }

    /// Legacy revisions among those that a server names.
    #[test]
    fn a_named_legacy_revision_leads_to_initialize_unless_a_modern_one_is_in_common() {
        let both = r#"{"supported":["2025-06-18","2026-07-28","2024-11-05"]}"#;
        let only_legacy = r#"{"supported":["2025-06-18","2024-11-05"]}"#;
        let discovered = r#"{"supportedVersions":["2025-06-18","2025-03-26"]}"#;
        let legacy = ProbeVerdict::NamesLegacy(Revision::V2025_06_18);
        let refused = |data| error(-32022, Some(data));
        assert_eq!(
            classify_probe(refused(both), &Revision::ALL, false),
            ProbeVerdict::AskAgain(Revision::V2026_07_28),
            "a modern one goes before"
        );
        assert_eq!(classify_probe(refused(both), &Revision::ALL, true), legacy, "it was asked for twice");
        assert_eq!(classify_probe(refused(only_legacy), &Revision::ALL, false), legacy);
        assert_eq!(classify_probe(ProbeAnswer::Result(discovered), &Revision::ALL, false), legacy);
        assert_eq!(
            classify_probe(http(400, Some((-32022, Some(only_legacy)))), &Revision::ALL, false),
            legacy
        );
        for answer in [refused(only_legacy), ProbeAnswer::Result(discovered)] {
            assert!(
                matches!(classify_probe(answer, &MODERN, false), ProbeVerdict::NoneInCommon(_)),
                "{answer:?}"
            );
        }
    }
}
