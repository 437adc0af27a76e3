//! The configuration of a server: defaults, and what is said of what is wrong.

use super::config::{SECTIONS, ServerConfig, ServerKeys};
use super::endpoint::{StreamKeys, UrlKeys};
use super::request::TaskOptionKeys;
use crate::config::define::Definition as _;
use crate::config::documented::{compare, objects};
use crate::engine::server::Timeouts;
use crate::protocol::Revision;
use std::time::Duration;

#[test]
fn the_defaults_are_those_of_the_engine() {
    let config = ServerConfig::parse("{\"name\":\"x\"}").expect("enough");
    assert_eq!(config.settings.revisions, Revision::ALL);
    assert_eq!(config.settings.info, "{\"name\":\"x\",\"version\":\"0\"}");
    assert_eq!(config.settings.timeouts.request, Timeouts::default().request);
    assert!(config.settings.check_arguments && config.settings.check_results && config.keys.is_empty());
}

#[test]
fn a_time_of_zero_for_requests_is_no_bound() {
    let config = ServerConfig::parse("{\"name\":\"x\",\"timeouts\":{\"request_ms\":0}}").expect("allowed");
    assert_eq!(config.settings.timeouts.request, None);
    let config = ServerConfig::parse("{\"name\":\"x\",\"timeouts\":{\"request_ms\":7}}").expect("allowed");
    assert_eq!(config.settings.timeouts.request, Some(Duration::from_millis(7)));
}

#[test]
fn what_is_wrong_is_named() {
    for (text, names) in [
        ("{}", "'name'"),
        ("{\"name\":\"x\",\"pagesize\":3}", "page_size"),
        ("{\"name\":\"x\",\"limits\":{\"frame_byte\":3}}", "frame_bytes"),
        ("{\"name\":\"x\",\"protocol\":\"2020-01-01\"}", "2026-07-28"),
        ("{\"name\":\"x\",\"protocol\":[]}", "list of revisions"),
        ("{\"name\":\"x\",\"request_state\":{\"keys\":[\"short\"]}}", "32 random bytes"),
        ("{\"name\":\"x\",\"log_level\":\"loud\"}", "log_level"),
        ("{\"name\":\"x\",\"icons\":{}}", "icons"),
        (r#"{"name":"x","draft":["etags"]}"#, "did you mean 'etag'?"),
        (r#"{"name":"x","languages":["en"]}"#, "add \"language\" to 'draft'"),
        #[cfg(feature = "draft")]
        (r#"{"name":"x","draft":["language"],"languages":["en_US"]}"#, "not the tag of a language"),
        ("{\"name\":\"x\",\"icons\":[{}]}", "'src'"),
        ("{\"name\":\"x\",\"icons\":[{\"src\":\"http://x/i.png\"}]}", "https://"),
        ("{\"name\":\"x\",\"limits\":{\"logs_per_second\":0}}", "logs_per_second"),
        (r#"{"name":"x","auth":{}}"#, "auth.authorization_servers"),
        (
            r#"{"name":"x","auth":{"authorization_servers":["http://as.example"],"application":true}}"#,
            "https",
        ),
        (r#"{"name":"x","auth":{"authorization_servers":["https://as.example"]}}"#, "exactly one of"),
        (
            r#"{"name":"x","auth":{"authorization_servers":["https://a"],"application":true,"jwks_url":"https://a/k"}}"#,
            "exactly one of",
        ),
        (r#"{"name":"x","auth":{"authorization_servers":["https://a"],"jwks":{"keys":[]}}}"#, "auth.jwks"),
        (
            r#"{"name":"x","auth":{"authorization_servers":["https://a"],"jwks_url":"http://b/"}}"#,
            "auth.jwks_url",
        ),
        (r#"{"name":"x","auth":{"scopes":["offline_access"]}}"#, "offline_access"),
        (r#"{"name":"x","auth":{"tools":{"t":["*"]}}}"#, "auth.tools.t"),
        (r#"{"name":"x","auth":{"scopes":["a b"]}}"#, "not a valid scope"),
        (
            r#"{"name":"x","auth":{"authorization_servers":["https://a"],"application":true,"algorithms":["HS256"]}}"#,
            "auth.algorithms",
        ),
        (
            r#"{"name":"x","auth":{"authorization_servers":["https://a"],"introspection":{"client_id":"c","url":"https://a"}}}"#,
            "client_secret",
        ),
        (
            r#"{"name":"x","auth":{"authorization_servers":["https://a"],"resource":"https://m/?q","application":true}}"#,
            "neither query nor fragment",
        ),
        (
            r#"{"name":"x","cache":{"scope":"public"},"auth":{"authorization_servers":["https://a"]}}"#,
            "cache.scope",
        ),
    ] {
        let error = ServerConfig::parse(text).expect_err(text);
        assert!(error.message.contains(names), "{text}: {}", error.message);
    }
}

#[test]
fn switches_rates_and_the_name_in_seals_reach_the_engine() {
    let defaults = ServerConfig::parse("{\"name\":\"x\"}").expect("enough").settings;
    assert!(defaults.offers_listen && defaults.name_in_results && defaults.check_content);
    assert!(defaults.structured_as_text && defaults.audience.is_empty());
    assert_eq!((defaults.limits.progress_per_second, defaults.limits.logs_per_second), (100, 100));
    let text = r#"{"name":"x","announce":{"listen":false,"name_in_results":false},"checks":{"content":false},
        "structured_as_text":false,"request_state":{"audience":"https://a.example"},
        "limits":{"progress_per_second":3,"logs_per_second":4,"elicitation_ids":5}}"#;
    let settings = ServerConfig::parse(text).expect("good").settings;
    assert!(!settings.offers_listen && !settings.name_in_results && !settings.check_content);
    assert!(!settings.structured_as_text);
    assert_eq!(settings.audience, "https://a.example");
    let limits = &settings.limits;
    assert_eq!((limits.progress_per_second, limits.logs_per_second, limits.elicitation_ids), (3, 4, 5));
}

#[test]
fn the_member_of_a_section_is_found_from_the_top() {
    let mut told = 0;
    for (section, parts) in SECTIONS {
        for key in parts.iter().copied().flatten() {
            let why = ServerConfig::parse(&format!(r#"{{"name":"x","{key}":true}}"#)).map(|_| ());
            let is_first = |(other, _): &&(&str, &[&[&str]])| other == section;
            let before = SECTIONS.iter().take_while(|it| !is_first(it));
            let is_elsewhere =
                before.flat_map(|(_, parts)| parts.iter().copied().flatten()).any(|it| it == key);
            // A key of the server itself, or of a section before.
            if ServerKeys::KEYS.contains(key) || is_elsewhere {
                continue;
            }
            let why = why.expect_err(key).message;
            assert!(why.contains(&format!("did you mean '{section}.{key}'")), "{why}");
            told += 1;
        }
    }
    assert!(told > 50, "{told}");
    let why = ServerConfig::parse(r#"{"name":"x","capabilities":{}}"#).expect_err("unknown").message;
    assert!(why.contains("did you mean 'announce'"), "{why}");
}

#[test]
fn notifications_of_extensions_have_members_of_their_own() {
    let text = r#"{"name":"x","announce":{"notifications":{"a/changed":"notifications/a"}}}"#;
    let notices = ServerConfig::parse(text).expect("good").settings.extension_notices;
    assert_eq!(notices.get("a/changed").map(AsRef::as_ref), Some("notifications/a"));
    for (bad, says) in [
        (r#"{"toolsListChanged":"notifications/a"}"#, "a meaning of its own"),
        (r#"{"taskIds":"notifications/a"}"#, "a meaning of its own"),
        (r#"{"a":"notifications/message"}"#, "does not send itself"),
        (r#"{"a":"tools/call"}"#, "begins with 'notifications/'"),
        (r#"{"a":1}"#, "begins with 'notifications/'"),
        ("[]", "an object of strings"),
    ] {
        let text = format!("{{\"name\":\"x\",\"announce\":{{\"notifications\":{bad}}}}}");
        let error = ServerConfig::parse(&text).expect_err(bad);
        assert!(
            error.message.contains(says) && error.message.contains("announce.notifications"),
            "{error:?}"
        );
    }
    let many: Vec<String> = (0..65).map(|number| format!("\"m{number}\":\"notifications/a\"")).collect();
    let text = format!("{{\"name\":\"x\",\"announce\":{{\"notifications\":{{{}}}}}}}", many.join(","));
    assert!(ServerConfig::parse(&text).expect_err("too many").message.contains("at most 64"));
}

#[test]
fn no_error_shows_a_secret() {
    let text = r#"{"name":"x","auth":{"introspection":{"url":"https://a","client_secret":["hunter2"]}}}"#;
    let error = ServerConfig::parse(text).expect_err("no string");
    assert!(error.message.contains("client_secret") && !error.to_json().contains("hunter2"), "{error:?}");
}

#[test]
fn the_documents_have_every_key_with_its_bounds_and_default() {
    compare(&objects([
        ("server", ServerKeys::describe("")),
        ("endpoint", <(StreamKeys, UrlKeys)>::describe("")),
        ("task", TaskOptionKeys::describe("")),
    ]));
}
