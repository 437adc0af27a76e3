//! What HTTP asks of a message: values and names of headers, parameters of tools that go into headers, URLs and redirects,
//! and what an answer means. Lines of the input are the parts.
#![no_main]

use libfuzzer_sys::fuzz_target;
use mcp::json::scan_value;
use mcp::transport::http::address::Address;
use mcp::transport::http::response::{Answer, Head, Sent, by_body, by_head};
use mcp::transport::http::{header, param, redirect, response};
use mcp_fuzz::{Input, text};

fuzz_target!(|bytes: &[u8]| {
    let mut input = Input::new(bytes);
    let (status, choice) = (u16::try_from(input.number()).unwrap_or_default(), input.byte());
    let first = text(input.until(b'\n')).into_owned();
    let second = text(input.until(b'\n')).into_owned();
    let rest = input.rest();

    headers(&first, &second);
    places(&first, &second, status);
    parameters(&first, rest);

    let sent = [Sent::Request, Sent::Notice, Sent::Listen][usize::from(choice % 3)];
    let head = Head {
        status,
        content_type: (choice & 4 != 0).then_some(first.as_str()),
        retry_after: (choice & 8 != 0)
            .then(|| response::retry_after(&second, Some(&first), std::time::SystemTime::UNIX_EPOCH))
            .flatten(),
        with_session: choice & 16 != 0,
    };
    let judged = by_head(sent, head);
    let answer = by_body(sent, head, rest);
    assert!(judged.is_none_or(|judged| judged == answer));
    if let Answer::Fault(fault) = answer {
        assert!(fault.excerpt.chars().count() <= 210 && !fault.excerpt.contains(['\n', '\r']));
        assert!(!fault.to_string().is_empty());
    }
});

/// What goes out is printable ASCII, whatever it was, and reads back.
fn headers(name: &str, value: &str) {
    let encoded = header::encoded(value);
    assert!(encoded.bytes().all(|byte| matches!(byte, b' '..=b'~')) && encoded.trim() == encoded);
    if encoded == value {
        assert!(!(value.starts_with("=?base64?") && value.ends_with("?=")));
    } else {
        assert!(encoded.starts_with("=?base64?") && encoded.ends_with("?="));
    }
    if header::check(name, value, false).is_ok() {
        assert!(header::is_token(name) && !value.contains(['\r', '\n', '\0']));
        assert!(!name.to_ascii_lowercase().starts_with("mcp-"));
    }
}

/// What is followed has the same origin, and nothing in it that two readers could read differently.
fn places(from: &str, to: &str, status: u16) {
    let Ok(from) = Address::parse(from) else { return };
    clean(&from);
    if let Ok(joined) = from.join(to) {
        clean(&joined);
    }
    if let redirect::Decision::Follow(place) = redirect::decide(&from, status, Some(to), 0) {
        assert!(place.origin() == from.origin() && matches!(status, 307 | 308));
    }
}

fn clean(place: &Address) {
    let written = place.to_string();
    assert!(written.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'\\'), "{written}");
    assert!(place.target().starts_with('/') && !place.target().contains('#'), "{written}");
    assert!(
        !place.origin().host.is_empty() && !place.origin().host.contains(['@', '/', '?', '#']),
        "{written}"
    );
    assert_eq!(Address::parse(&written).as_ref(), Ok(place), "it is read as it is written");
}

/// A tool's schema and the parameters of a call.
fn parameters(schema: &str, params: &[u8]) {
    let params = text(params);
    if scan_value(schema.as_bytes(), 64).is_err() || scan_value(params.as_bytes(), 64).is_err() {
        return;
    }
    match param::read(schema) {
        Ok(parameters) => {
            assert!(parameters.len() <= mcp::protocol::header_parameters::MOST);
            match param::headers(&parameters, &params) {
                Ok(headers) => {
                    for header in headers {
                        assert!(header::is_token(&header.name), "{header:?}");
                        assert!(header.value.bytes().all(|byte| matches!(byte, b' '..=b'~')), "{header:?}");
                    }
                }
                Err(why) => drop(why.to_string()),
            }
        }
        Err(why) => drop(why.to_string()),
    }
}
