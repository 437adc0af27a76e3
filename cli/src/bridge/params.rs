//! The parameters of a client's request as the server behind gets them: what belongs to the client's connection is left out,
//! everything else stays as it was written.

use mcp::client::json_text::{Kind, kind, member, members, quote, splice_into, string};
use mcp::client::names::{
    CLIENT_CAPABILITIES, CLIENT_INFO, LOG_LEVEL, PROGRESS_TOKEN, PROTOCOL_VERSION, RELATED_TASK,
};
use std::borrow::Cow;
use std::collections::HashMap;

/// What of `_meta` belongs to one connection and not to the request.
const OF_CONNECTION: [&str; 6] =
    [PROGRESS_TOKEN, PROTOCOL_VERSION, CLIENT_INFO, CLIENT_CAPABILITIES, LOG_LEVEL, RELATED_TASK];
/// Members of the parameters that the bridge's own server has dealt with.
const DEALT_WITH: [&str; 3] = ["inputResponses", "requestState", "task"];

/// A request as it goes on.
#[derive(Debug, PartialEq, Eq)]
pub struct Forwarded {
    /// The parameters, JSON text.
    pub params: String,
    /// What is left of `_meta`, JSON text.
    pub meta: Option<String>,
    /// Whether the client wants progress.
    pub progress: bool,
    /// The least severe log message that the client wants (2026-07-28).
    pub log_level: Option<String>,
}

/// Makes them; `renamed` is a member that gets another value (JSON text). Of several members of one name the last one stays: it is the one
/// that was looked up, and a server may read another.
pub fn forwarded(params: &str, renamed: Option<(&str, &str)>) -> Forwarded {
    let params = &*single(params);
    let meta = member(params, "_meta").filter(|meta| kind(meta) == Some(Kind::Object)).unwrap_or("{}");
    let progress = member(meta, PROGRESS_TOKEN).is_some();
    let log_level = member(meta, LOG_LEVEL).and_then(string).map(Cow::into_owned);
    let left = without(meta, &OF_CONNECTION);
    let meta = (left != "{}").then_some(left);
    let is_plain = member(params, "_meta").is_none()
        && renamed.is_none()
        && DEALT_WITH.iter().all(|name| member(params, name).is_none());
    if is_plain {
        return Forwarded { params: params.to_owned(), meta, progress, log_level };
    }
    let mut kept = without(params, &["_meta", DEALT_WITH[0], DEALT_WITH[1], DEALT_WITH[2]]);
    if let Some(meta) = &meta {
        kept = with(&kept, "_meta", meta);
    }
    if let Some((name, value)) = renamed {
        kept = with(&kept, name, value);
    }
    Forwarded { params: kept, meta, progress, log_level }
}

/// An object with one member set to a value (JSON text).
pub fn with(object: &str, name: &str, value: &str) -> String {
    let mut text = Vec::new();
    splice_into(object, &[(name, value)], &mut text);
    String::from_utf8_lossy(&text).into_owned()
}

/// An object without some members.
pub fn without(object: &str, names: &[&str]) -> String {
    let mut text = String::from("{");
    for (written, value) in members(object) {
        let quoted = format!("\"{written}\"");
        if string(&quoted).is_some_and(|name| names.contains(&name.as_ref())) {
            continue;
        }
        if text.len() > 1 {
            text.push(',');
        }
        text.push_str(&quoted);
        text.push(':');
        text.push_str(value);
    }
    text.push('}');
    text
}

/// An object whose members all have different names: of several of one name, whichever way it is escaped, the last one.
fn single(object: &str) -> Cow<'_, str> {
    let quoted: Vec<_> = members(object).map(|(written, value)| (format!("\"{written}\""), value)).collect();
    let names: Vec<_> =
        quoted.iter().map(|(quoted, _)| string(quoted).unwrap_or(Cow::Borrowed(quoted))).collect();
    let last: HashMap<&str, usize> = names.iter().enumerate().map(|(at, name)| (name.as_ref(), at)).collect();
    if last.len() == names.len() {
        return Cow::Borrowed(object);
    }
    let kept = quoted.iter().enumerate().filter(|(at, _)| last.get(names[*at].as_ref()) == Some(at));
    let kept: Vec<String> = kept.map(|(_, (quoted, value))| format!("{quoted}:{value}")).collect();
    Cow::Owned(format!("{{{}}}", kept.join(",")))
}

/// The options of a call of the server behind. For a call that may become a task `may_be_task` says whether the client wants one, and
/// the metadata goes along: the library writes the parameters of such a call.
pub fn options(forwarded: &Forwarded, limit_ms: u64, may_be_task: Option<bool>) -> String {
    let mut text = format!(
        "{{\"timeout_ms\":{limit_ms},\"max_total_ms\":{limit_ms},\"progress\":{}",
        forwarded.progress
    );
    if let Some(level) = &forwarded.log_level {
        text.push_str(",\"log_level\":");
        text.push_str(&quote(level));
    }
    if let Some(is_wanted) = may_be_task {
        if is_wanted {
            text.push_str(",\"task\":true");
        }
        if let Some(meta) = &forwarded.meta {
            text.push_str(",\"meta\":");
            text.push_str(meta);
        }
    }
    text.push('}');
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_belongs_to_the_connection_is_left_out_and_the_rest_stays_as_it_was_written() {
        let plain = r#"{"name":"x","arguments":{ "n": 1.50 },"more":[1]}"#;
        assert_eq!(forwarded(plain, None).params, plain);
        let modern = r#"{"name":"x","arguments":{ "n": 1.50 },"_meta":{"progressToken":7,"io.modelcontextprotocol/clientInfo":{"name":"secret"},"io.modelcontextprotocol/logLevel":"debug","traceparent":"00-1"},"inputResponses":{},"requestState":"s"}"#;
        let sent = forwarded(modern, Some(("name", "\"y\"")));
        assert_eq!(sent.params, r#"{"arguments":{ "n": 1.50 },"_meta":{"traceparent":"00-1"},"name":"y"}"#);
        assert!(sent.progress);
        assert_eq!(sent.log_level.as_deref(), Some("debug"));
    }

    #[test]
    fn a_name_in_other_letters_is_the_same_name() {
        let sent = forwarded(r#"{"_met\u0061":{"progressToken":1},"t\u0061sk":{},"name":"x"}"#, None);
        assert_eq!(sent.params, r#"{"name":"x"}"#);
        assert!(sent.progress);
        for (written, sent) in [
            (r#"{"name":"rm","arguments":{},"n\u0061me":"read"}"#, r#"{"arguments":{},"n\u0061me":"read"}"#),
            (r#"{"a":1,"name":"rm","a":2,"name":"read","a":3}"#, r#"{"name":"read","a":3}"#),
            (r#"{"name": "x", "a": {"b":1,"b":2}}"#, r#"{"name": "x", "a": {"b":1,"b":2}}"#),
        ] {
            assert_eq!(forwarded(written, None).params, sent, "the last one of a name stays");
        }
    }

    #[test]
    fn options_say_what_the_client_wants() {
        let sent = forwarded(r#"{"_meta":{"a/b":1}}"#, None);
        assert_eq!(
            options(&sent, 5, Some(true)),
            r#"{"timeout_ms":5,"max_total_ms":5,"progress":false,"task":true,"meta":{"a/b":1}}"#
        );
    }
}
