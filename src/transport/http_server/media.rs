//! What a client sends, and what it accepts (S-HL-04): media ranges in any order, with parameters, in any case.

use hyper::header::{ACCEPT, CONTENT_TYPE, HeaderMap};

/// The forms of answers that a client accepts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Accepted {
    /// `application/json`.
    pub(crate) json: bool,
    /// `text/event-stream`.
    pub(crate) events: bool,
}

/// What the specification has clients send.
const USUAL: &[u8] = b"application/json, text/event-stream";
/// How close a range describes a type that it names.
const EXACT: u8 = 2;

/// What `Accept` allows. Without that header it is everything (RFC 9110, section 12.5.1).
pub(crate) fn accepted(headers: &HeaderMap) -> Accepted {
    let mut json = None;
    let mut events = None;
    let mut has_any = false;
    for value in headers.get_all(ACCEPT) {
        // As most clients write it, which is quicker to see than to read.
        if value.as_bytes() == USUAL {
            (json, events, has_any) = (Some((EXACT, true)), Some((EXACT, true)), true);
            continue;
        }
        for range in value.to_str().unwrap_or_default().split(',') {
            let mut parts = range.split(';').map(str::trim);
            let name = parts.next().unwrap_or_default();
            if name.is_empty() {
                continue;
            }
            has_any = true;
            let weight = parts.find_map(|part| {
                let (key, value) = part.split_once('=')?;
                key.trim().eq_ignore_ascii_case("q").then(|| value.trim().parse::<f32>().unwrap_or(0.0))
            });
            let is_wanted = weight.is_none_or(|weight| weight > 0.0);
            note(&mut json, name, "application/json", "application/*", is_wanted);
            note(&mut events, name, "text/event-stream", "text/*", is_wanted);
        }
    }
    let of = |found: Option<(u8, bool)>| found.map_or(!has_any, |(_, wanted)| wanted);
    Accepted { json: of(json), events: of(events) }
}

/// The closer a range describes a type, the more it counts.
fn note(found: &mut Option<(u8, bool)>, range: &str, exact: &str, group: &str, is_wanted: bool) {
    let closeness = match range {
        _ if range.eq_ignore_ascii_case(exact) => EXACT,
        _ if range.eq_ignore_ascii_case(group) => 1,
        "*/*" => 0,
        _ => return,
    };
    if found.is_none_or(|(before, _)| before <= closeness) {
        *found = Some((closeness, is_wanted));
    }
}

/// Whether the body is JSON, as its header says. Of the other types for it none can be sent by the form of a web page, which is why
/// plain text, and no type at all, are refused.
pub(crate) fn is_json(headers: &HeaderMap) -> bool {
    let mut values = headers.get_all(CONTENT_TYPE).iter();
    let (Some(value), None) = (values.next(), values.next()) else { return false };
    let name = value.to_str().unwrap_or_default().split(';').next().unwrap_or_default();
    let name = name.trim().to_ascii_lowercase();
    matches!(name.as_str(), "application/json" | "application/json-rpc")
        || name.starts_with("application/") && name.ends_with("+json")
}

#[cfg(test)]
mod tests {
    use super::*;
    use hyper::header::HeaderValue;

    fn of(values: &[&str]) -> (bool, bool) {
        let mut headers = HeaderMap::new();
        for value in values {
            headers.append(ACCEPT, HeaderValue::from_str(value).expect("a value"));
        }
        let Accepted { json, events } = accepted(&headers);
        (json, events)
    }

    #[test]
    fn accept_is_read_by_media_range() {
        for (values, wanted) in [
            (&[][..], (true, true)),
            (&["application/json, text/event-stream"], (true, true)),
            (&["text/event-stream,application/json"], (true, true)),
            (&["application/json", "text/event-stream"], (true, true)),
            (&["APPLICATION/JSON; charset=utf-8"], (true, false)),
            (&["text/event-stream;q=0.5"], (false, true)),
            (&["*/*"], (true, true)),
            (&["application/*"], (true, false)),
            (&["text/*;q=0.1"], (false, true)),
            (&["application/json;q=0, */*"], (false, true)),
            (&["*/*, application/json;q=0"], (false, true)),
            (&["application/json; q=0.9; x=y, text/event-stream"], (true, true)),
            (&["text/html"], (false, false)),
            (&[""], (true, true)),
            (&["application/json;q=nonsense"], (false, false)),
        ] {
            assert_eq!(of(values), wanted, "{values:?}");
        }
    }

    #[test]
    fn a_body_of_json_may_have_parameters_in_any_case() {
        let is = |values: &[&str]| {
            let mut headers = HeaderMap::new();
            for value in values {
                headers.append(CONTENT_TYPE, HeaderValue::from_str(value).expect("a value"));
            }
            is_json(&headers)
        };
        for right in [
            "application/json",
            "Application/JSON; charset=UTF-8",
            "application/json ;x=y",
            "application/json-rpc",
        ] {
            assert!(is(&[right]), "{right}");
        }
        for wrong in
            [&[][..], &["text/plain"], &["application/jsonx"], &[""], &["application/json", "text/plain"]]
        {
            assert!(!is(wrong), "{wrong:?}");
        }
    }
}
