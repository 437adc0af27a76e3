//! Every answer that servers, gateways and web sites were seen to give.

use super::*;
use crate::transport::http::response::SpokenError;
use std::time::Duration;

fn head(status: u16, content_type: Option<&'static str>) -> Head<'static> {
    Head { status, content_type, retry_after: None, with_session: false }
}

fn fault(sent: Sent, head: Head<'_>, body: &str) -> Fault {
    match by_body(sent, head, body.as_bytes()) {
        Answer::Fault(fault) => fault,
        other => panic!("{other:?}"),
    }
}

fn refused(status: u16, body: &str) -> Fault {
    fault(Sent::Request, head(status, Some("application/json")), body)
}

const JSON: Option<&str> = Some("application/json");
const STREAM: Option<&str> = Some("text/event-stream");

#[test]
fn the_head_tells_json_and_streams_apart_whatever_its_spelling() {
    for json in [
        "application/json",
        "Application/JSON; charset=utf-8",
        "application/json;x",
        "application/vnd.a+json",
    ] {
        assert_eq!(by_head(Sent::Request, head(200, Some(json))), Some(Answer::Json), "{json}");
    }
    for stream in ["text/event-stream", "text/event-stream;charset=utf-8", " TEXT/Event-Stream "] {
        for sent in [Sent::Request, Sent::Listen] {
            assert_eq!(by_head(sent, head(200, Some(stream))), Some(Answer::EventStream), "{stream}");
        }
    }
}

#[test]
fn a_notice_is_accepted_with_any_success() {
    for (status, content_type) in
        [(202, None), (200, JSON), (200, STREAM), (204, None), (200, Some("text/html"))]
    {
        assert_eq!(by_head(Sent::Notice, head(status, content_type)), Some(Answer::Accepted));
    }
    assert_eq!(by_head(Sent::Request, head(202, None)), Some(Answer::Accepted));
    // Some say of an answer that it is accepted.
    assert_eq!(by_head(Sent::Request, head(202, JSON)), None);
    assert_eq!(by_body(Sent::Request, head(202, JSON), b"{}"), Answer::Json);
    assert_eq!(by_body(Sent::Request, head(202, JSON), b""), Answer::Accepted);
}

#[test]
fn json_under_a_wrong_name_is_read_all_the_same() {
    for content_type in [None, Some("text/plain"), Some("application/octet-stream")] {
        assert_eq!(by_head(Sent::Request, head(200, content_type)), None);
        assert_eq!(by_body(Sent::Request, head(200, content_type), b"\n {\"jsonrpc\""), Answer::Json);
    }
}

#[test]
fn a_web_page_is_no_mcp_endpoint_and_the_text_says_so() {
    let page = "<!doctype html>\n<html>\r\n\t<title>Welcome</title>";
    for content_type in [Some("text/html; charset=utf-8"), Some("text/plain"), None] {
        let fault = fault(Sent::Request, head(200, content_type), page);
        assert_eq!((fault.kind, fault.html), (FaultKind::NotMcp, true));
        let named = content_type.map(|name| format!(" and content type '{name}'")).unwrap_or_default();
        assert_eq!(
            fault.to_string(),
            format!(
                "the server answered with HTTP status 200{named}: that is no MCP answer; look whether 'url' is the server's \
                 MCP endpoint. It sent a web page, which begins: <!doctype html> <html> <title>Welcome</title>"
            )
        );
    }
}

#[test]
fn a_get_that_gives_no_stream_is_no_answer_but_no_more_than_that() {
    assert_eq!(fault(Sent::Listen, head(200, JSON), "{}").kind, FaultKind::NotMcp);
    assert_eq!(fault(Sent::Listen, head(204, STREAM), "").kind, FaultKind::NotMcp);
    assert_eq!(fault(Sent::Listen, head(405, None), "").kind, FaultKind::MethodNotAllowed);
    let html = head(404, Some("text/html"));
    assert_eq!(fault(Sent::Listen, Head { with_session: true, ..html }, "<p>").kind, FaultKind::NotFound);
}

#[test]
fn each_status_has_its_kind() {
    for (status, kind) in [
        (400, FaultKind::BadRequest),
        (401, FaultKind::Unauthorized),
        (403, FaultKind::Forbidden),
        (404, FaultKind::NotFound),
        (405, FaultKind::MethodNotAllowed),
        (406, FaultKind::Other),
        (413, FaultKind::TooLarge),
        (429, FaultKind::TooMany),
        (431, FaultKind::HeadersTooLarge),
        (500, FaultKind::Server),
        (503, FaultKind::Unavailable),
        (504, FaultKind::Server),
        (302, FaultKind::Redirect),
        (304, FaultKind::Redirect),
        (599, FaultKind::Server),
        (777, FaultKind::Other),
    ] {
        for sent in [Sent::Request, Sent::Notice, Sent::Listen] {
            let found = fault(sent, head(status, None), "");
            assert_eq!((found.kind, found.status), (kind, status));
            assert_eq!(found.is_temporary(), matches!(status, 429 | 500..=599));
            assert!(found.to_string().contains(&status.to_string()));
        }
    }
}

#[test]
fn not_found_in_a_session_means_that_the_session_is_gone() {
    let gone = Head { with_session: true, ..head(404, JSON) };
    let body = r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32001,"message":"Session not found"}}"#;
    for sent in [Sent::Request, Sent::Notice] {
        assert_eq!(fault(sent, gone, body).kind, FaultKind::SessionGone);
        assert_eq!(fault(sent, gone, "").kind, FaultKind::SessionGone);
        let told = r#"{"jsonrpc":"2.0","error":{"code":-32000,"message":"Bad Request: No valid session ID provided"},"id":null}"#;
        let refused = Head { status: 400, ..gone };
        assert_eq!(fault(sent, refused, told).kind, FaultKind::SessionGone);
        assert_eq!(fault(sent, refused, &told.replace("session ID", "name")).kind, FaultKind::BadRequest);
    }
    assert_eq!(refused(404, body).kind, FaultKind::NotFound, "without a session there is none to be gone");
}

#[test]
fn not_found_with_method_not_found_is_about_the_method() {
    let body = r#"{"jsonrpc":"2.0","id":4,"error":{"code":-32601,"message":"Method not found","data":[1]}}"#;
    for with_session in [false, true] {
        let fault = fault(Sent::Request, Head { with_session, ..head(404, JSON) }, body);
        assert_eq!(fault.kind, FaultKind::NotFound);
        let spoken = SpokenError {
            id: Some(4),
            code: -32601,
            message: "Method not found".to_owned(),
            data: Some("[1]".to_owned()),
        };
        assert_eq!(fault.error, Some(spoken));
        assert!(fault.to_string().contains("does not have the method"), "{fault}");
    }
}

#[test]
fn an_error_without_an_id_is_read_from_the_body_too() {
    for id in [r#""id":null,"#, ""] {
        let body = format!(
            r#"{{"jsonrpc":"2.0",{id}"error":{{"code":-32000,"message":"Bad Request: no\nsession"}}}}"#
        );
        let fault = refused(400, &body);
        assert_eq!(fault.error.as_ref().map(|error| (error.id, error.code)), Some((None, -32000)));
        assert_eq!(
            fault.to_string(),
            "the server answered with HTTP status 400: in the legacy era that can mean a missing session id or a revision \
             that the server does not take. It says: Bad Request: no session (code -32000)"
        );
    }
    for no_error in
        ["", "nope", "{}", r#"{"jsonrpc":"2.0","id":1,"result":{}}"#, r#"{"error":"invalid_token"}"#]
    {
        assert_eq!(refused(400, no_error).error, None, "{no_error}");
    }
}

#[test]
fn a_time_to_wait_is_told() {
    let head = Head { retry_after: Some(Duration::from_secs(7)), ..head(503, None) };
    let fault = fault(Sent::Request, head, "");
    assert_eq!((fault.kind, fault.is_temporary()), (FaultKind::Unavailable, true));
    assert!(
        fault.to_string().ends_with("cannot take requests at the moment; it asks to wait 7 s"),
        "{fault}"
    );
}

#[test]
fn an_answer_without_content_is_none() {
    for status in [204, 205] {
        let Some(Answer::Fault(fault)) = by_head(Sent::Request, head(status, None)) else { panic!() };
        assert_eq!((fault.kind, fault.status), (FaultKind::NotMcp, status));
        let told = format!(
            "the server answered with HTTP status {status}: that says that there is no content, and a request wants an answer"
        );
        assert_eq!(fault.to_string(), told);
    }
    let told = fault(Sent::Request, head(200, None), " \r\n").to_string();
    assert!(told.ends_with("; the body is empty"), "{told}");
}

#[test]
fn a_lost_session_is_told_in_several_ways() {
    let lost = |status, body: &str| {
        let head = Head { with_session: true, ..head(status, Some("text/plain")) };
        fault(Sent::Request, head, body).kind == FaultKind::SessionGone
    };
    let error = |id: &str, code: i64, message: &str| {
        format!(r#"{{"jsonrpc":"2.0","id":{id},"error":{{"code":{code},"message":"{message}"}}}}"#)
    };
    for (status, body) in [
        (400, "Bad Request: No valid session ID provided".to_owned()),
        (400, error("\"server-error\"", -32600, "Bad Request: No valid session ID provided")),
        (400, error("null", -32000, "Invalid session ID")),
        (400, error("null", -32000, "Bad Request: Mcp-Session-Id header is required")),
        (400, error("7", -32000, "Bad Request: Server not initialized")),
        (401, "Unauthorized: Session not found".to_owned()),
        (403, "session expired".to_owned()),
        (409, r#"{"error":"stale session"}"#.to_owned()),
        (410, String::new()),
        (410, "gone".to_owned()),
        (400, "the session has not been initialized".to_owned()),
        (422, "Unexpected message, expect initialize request".to_owned()),
        (422, error("7", -32000, "Session not found")),
        (500, "Session not found".to_owned()),
    ] {
        assert!(lost(status, &body), "{status} {body}");
    }
    for (code, message) in [
        (-32001, "Session not found"),
        (-32000, "Session expired"),
        (-32600, "Received request before initialization was complete"),
        (-32002, "Server not initialized"),
        (-32000, "Bad Request: session expired"),
    ] {
        let found = lost_session(error("7", code, message).as_bytes()).expect(message);
        assert_eq!((found.kind, found.status), (FaultKind::SessionGone, 200));
    }
    for (code, message) in [
        (-32001, "Request timed out"),
        (-32602, "session not found"),
        (-32601, "no method"),
        (-32000, "Browser session closed"),
        (-32000, "The browser says: session not found"),
        (-32603, "Cannot access 'x' before initialization"),
    ] {
        assert_eq!(lost_session(error("7", code, message).as_bytes()), None, "{message}");
    }
    assert_eq!(lost_session(br#"{"jsonrpc":"2.0","id":7,"result":{"x":"session not found"}}"#), None);
    assert_eq!(
        lost_session(error("7", -32001, &format!("session not found{}", " ".repeat(1024))).as_bytes()),
        None
    );
    // An answer to the request, and what says nothing of the kind.
    assert!(!lost(400, r#"{"jsonrpc":"2.0","id":7,"error":{"code":-32602,"message":"session not found"}}"#));
    for (status, body) in [
        (400, "Bad Request: no such tool".to_owned()),
        (401, String::new()),
        (403, "Forbidden".to_owned()),
        (409, "Conflict".to_owned()),
        (409, r#"{"error":"this session has a booking already"}"#.to_owned()),
        (422, String::new()),
        (422, r#"{"detail":"field 'a' is missing"}"#.to_owned()),
        (422, error("null", -32602, "no such tool")),
        (500, error("7", -32000, "Browser session closed")),
        (500, "ReferenceError: Cannot access 'x' before initialization".to_owned()),
        (500, error("null", -32603, "database has not been initialized")),
        (422, error("7", -32602, "no such tool")),
        (500, "failed".to_owned()),
        (503, "Session not found".to_owned()),
    ] {
        assert!(!lost(status, &body), "{status} {body}");
    }
}

#[test]
fn the_excerpt_is_short_and_on_one_line_whatever_the_body() {
    let long = format!("a\n\tb\u{1b}[31m {}", "é".repeat(5000));
    let excerpt = refused(500, &long).excerpt;
    assert!(excerpt.starts_with("a b [31m é") && excerpt.ends_with('…'), "{excerpt}");
    assert_eq!(excerpt.chars().count(), 201);
    let Answer::Fault(fault) = by_body(Sent::Request, head(500, None), &[0xff, b'a', 0x80, 0]) else {
        panic!()
    };
    assert_eq!(fault.excerpt, "\u{fffd}a\u{fffd}");
}

fn at(seconds: u64) -> SystemTime {
    SystemTime::UNIX_EPOCH + Duration::from_secs(seconds)
}

/// The date of RFC 9110, section 5.6.7.
const NOW: u64 = 784_111_777;

#[test]
fn a_time_to_wait_is_read_in_seconds() {
    assert_eq!(retry_after(" 120 ", None, at(NOW)), Some(Duration::from_secs(120)));
    assert_eq!(retry_after("99999999999999999999999", None, at(NOW)), Some(Duration::from_secs(u64::MAX)));
    for none in ["", "-1", "1.5", "soon", "Sun, 06 Nov 1994"] {
        assert_eq!(retry_after(none, None, at(NOW)), None, "{none:?}");
    }
}

#[test]
fn a_time_to_wait_is_read_from_a_date_in_each_form() {
    for date in
        ["Sun, 06 Nov 1994 08:50:37 GMT", "Sunday, 06-Nov-94 08:50:37 GMT", "Sun Nov  6 08:50:37 1994"]
    {
        assert_eq!(retry_after(date, None, at(NOW)), Some(Duration::from_secs(60)), "{date}");
        // The server's clock counts and not ours.
        let said = Some("Sun, 06 Nov 1994 08:50:30 GMT");
        assert_eq!(retry_after(date, said, at(0)), Some(Duration::from_secs(7)), "{date}");
        assert_eq!(retry_after(date, None, at(NOW + 3600)), Some(Duration::ZERO), "{date}");
    }
}
