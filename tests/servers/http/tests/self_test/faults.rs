//! Each fault is the one that its name says. Those that are right as HTTP are read by the client of these tests, too.

use serde_json::json;

use crate::client::{Answer, Server};

fn fault(server: &Server, deed: &str) -> Answer {
    let arguments = json!({ "do": deed, "text": "ünï ☃" });
    server.connect().modern("tools/call", json!({ "name": "fault", "arguments": arguments }))
}

#[test]
fn ways_of_writing_an_answer_change_nothing_in_it() {
    let server = Server::start(&[]);
    for deed in ["http10", "until-close", "chunks:3", "split:5", "chunk-extensions", "odd-headers", "charset"]
    {
        let answer = fault(&server, deed);
        assert_eq!(answer.status, 200, "{deed}: {answer:?}");
        let text = answer.json().to_string();
        assert!(text.contains("ünï ☃"), "{deed}: {text}");
    }
    for deed in ["sse", "sse-split", "sse-fields", "sse-comments", "sse-empty", "sse-retry:x"] {
        let answer = fault(&server, deed);
        assert!(
            answer.events().iter().any(|event| event.to_string().contains("ünï ☃")),
            "{deed}: {answer:?}"
        );
    }
    for (deed, part) in [
        ("sse-cr", "\r\r"),
        ("sse-crlf", "\r\n\r\n"),
        ("sse-bom", "\u{feff}event"),
        ("sse-nospace", "data:{"),
    ] {
        assert!(fault(&server, deed).text().contains(part), "{deed}");
    }
}

#[test]
fn statuses_and_contents_are_as_named() {
    let server = Server::start(&[]);
    for (deed, status, part) in [
        ("503", 503, ""),
        ("html:404", 404, "<!DOCTYPE html>"),
        ("text:500", 500, "cat"),
        ("error:400:32001", 400, "-32001"),
        ("own-error:404:32601", 404, "\"id\":7"),
        ("accepted", 202, ""),
        ("not-json", 200, "oh no"),
        ("other-id", 200, "987654321"),
        ("batch", 200, "[{"),
        ("wrong-type", 200, "jsonrpc"),
    ] {
        let answer = fault(&server, deed);
        assert_eq!(answer.status, status, "{deed}");
        assert!(answer.text().contains(part), "{deed}: {answer:?}");
    }
    assert!(fault(&server, "401").header("www-authenticate").is_some());
    assert_eq!(
        fault(&server, "redirect:308:http://a.example/").header("location"),
        Some("http://a.example/")
    );
    assert!(std::str::from_utf8(&fault(&server, "bad-utf8").body).is_err());
}

#[test]
fn a_connection_ends_where_the_script_says() {
    for behaviour in ["close-after=1", "idle-close=20"] {
        let server = Server::start(&[behaviour]);
        let mut connection = server.connect();
        assert_eq!(connection.modern("tools/list", json!({})).status, 200);
        assert!(connection.is_ended(), "{behaviour}");
    }
    let server = Server::start(&["on-call=close*1"]);
    let mut connection = server.connect();
    connection.write("POST", "/mcp", &[], "{\"method\":\"tools/call\",\"id\":1}");
    assert!(connection.is_ended());
    assert_eq!(fault(&server, "sse").status, 200, "the script has it once");
}

#[test]
fn compressed_bodies_unpack_to_the_right_one() {
    let server = Server::start(&[]);
    let mut text = String::new();
    let packed = fault(&server, "gzip").body;
    std::io::Read::read_to_string(&mut flate2::read::GzDecoder::new(packed.as_slice()), &mut text)
        .expect("gzip");
    assert!(text.contains("ünï ☃"));
    text.clear();
    let packed = fault(&server, "br").body;
    std::io::Read::read_to_string(&mut brotli::Decompressor::new(packed.as_slice(), 4096), &mut text)
        .expect("brotli");
    assert!(text.contains("ünï ☃"));
    let bomb = fault(&server, "gzip-bomb:16").body;
    assert!(bomb.len() < 1 << 18, "16 MiB come as {} bytes", bomb.len());
}

#[test]
fn redirects_lead_where_they_say() {
    let server = Server::start(&[]);
    for (path, location) in [
        ("/redirect/307", "/mcp"),
        ("/redirect/308/loop", "/redirect/308/loop"),
        ("/redirect/307/3", "/redirect/307/2"),
        ("/redirect/307/1", "/mcp"),
        ("/redirect/302?to=http://a.example/x", "http://a.example/x"),
    ] {
        let answer = server.connect().send("POST", path, &[], "{}");
        assert_eq!(answer.header("location"), Some(location), "{path}");
        assert!(path.contains(&answer.status.to_string()));
    }
}

#[test]
fn a_frozen_server_says_nothing_until_it_thaws() {
    let server = Server::start(&[]);
    let mut connection = server.connect();
    assert_eq!(connection.modern("tools/list", json!({})).status, 200);
    server.tell("/freeze", "");
    connection.write("POST", "/mcp", &[], &crate::client::modern_body("tools/list", json!({})));
    assert_eq!(server.stats()["methods"]["POST"], 1);
    server.tell("/thaw", "");
    assert_eq!(connection.answer().status, 400, "its headers are missing");
}

#[test]
fn the_script_can_be_replaced() {
    let server = Server::start(&["on-any=503"]);
    assert_eq!(fault(&server, "sse").status, 503);
    server.tell("/script", "token=secret");
    assert_eq!(fault(&server, "sse").status, 401);
    server.tell("/script", "");
    assert_eq!(fault(&server, "sse").status, 200);
}
