//! What a configuration may say, and what a wrong one is told.

use super::*;
use crate::engine::Status;
use crate::protocol::Revision;
use crate::transport::framing::Framing;
use std::time::Duration;

fn parsed(text: &str) -> Config {
    Config::parse(text).expect("a valid config")
}

fn refusal(text: &str) -> String {
    let error = Config::parse(text).expect_err("a refusal");
    assert!(matches!(error.status, Status::InvalidArgument | Status::Unsupported));
    error.message
}

#[test]
fn an_entry_of_the_well_known_format_works_as_it_is() {
    let config = parsed(r#"{"type":"stdio","command":"npx","args":["-y","x"],"env":{"A":"1"},"cwd":"/tmp"}"#);
    let LinkTarget::Process(command) = &config.transport.endpoint else { panic!("a program to start") };
    assert_eq!(command.program, "npx");
    assert_eq!(command.args, ["-y", "x"]);
    assert!(command.environment.contains(&("A".into(), "1".into())));
    assert_eq!(config.name, "npx");
    assert_eq!(config.settings.allowed.len(), Revision::ALL.len());
    assert_eq!(config.transport.frame_bytes, 16 * 1024 * 1024);
}

#[test]
fn an_unknown_key_is_told_with_the_nearest_known_one() {
    assert_eq!(
        refusal(r#"{"command":"x","arg":[]}"#),
        "config key 'arg': it is unknown; did you mean 'args'?"
    );
    assert_eq!(
        refusal(r#"{"command":"x","timeouts":{"cal_ms":1}}"#),
        "config key 'timeouts.cal_ms': it is unknown; did you mean 'timeouts.call_ms'?"
    );
    assert_eq!(refusal(r#"{"comand":"x"}"#), "config key 'comand': it is unknown; did you mean 'command'?");
    assert!(refusal(r#"{"command":"x","arguments":[]}"#).ends_with("did you mean 'args'?"));
    assert!(refusal(r#"{"command":"x","reconnect":{"inital_ms":5}}"#).contains("'reconnect.initial_ms'"));
    assert!(refusal(r#"{"command":"x","limits":{"frame_byte":5}}"#).contains("'limits.frame_bytes'"));
}

#[test]
fn wrong_types_and_ranges_name_the_key_and_what_would_be_right() {
    assert_eq!(refusal(r#"{"command":7}"#), "config key 'command': 7 is not a string");
    // What may be a secret at a place of another type is told by its type.
    for (config, told) in [
        (r#"{"url":"https://h/","headers":"X: s3cret"}"#, "'headers': a string is not an object"),
        (r#"{"url":"https://h/","headers":["X: s3cret"]}"#, "'headers': a list is not an object"),
        (r#"{"url":"https://h/","headers":{"X":["s3cret"]}}"#, "'headers.X': a list is not a string"),
        (r#"{"command":"x","env":{"PIN":1234}}"#, "'env.PIN': a number is not a string"),
        (r#"{"command":"x","env":["s3cret"]}"#, "'env': a list is not an object"),
        (r#"{"url":"https://h/","auth":"s3cret"}"#, "'auth': a string is not"),
        (r#"{"url":"https://h/","tls":{"client_key":["s3cret"]}}"#, "'tls.client_key': a list is not"),
    ] {
        let refused = refusal(config);
        assert!(
            refused.contains(told) && !refused.contains("s3cret") && !refused.contains("1234"),
            "{refused}"
        );
    }
    assert_eq!(
        refusal(r#"{"command":"x","timeouts":{"call_ms":0}}"#),
        "config key 'timeouts.call_ms': 0 is not a whole number from 1 to 31536000000"
    );
    assert_eq!(
        refusal(r#"{"command":"x","framing":"lines"}"#),
        "config key 'framing': \"lines\" is not one of \"newline\", \"content-length\""
    );
    assert!(refusal(r#"{"args":[]}"#).contains("'command': it is missing"));
    assert!(refusal(r#"{"command":"x","capabilities":{"roots":true}}"#).contains("capabilities.roots"));
    assert!(refusal(r#"{"command":"x","protocol":"2025-01-01"}"#).contains("2025-11-25"));
    assert!(refusal(r#"{"command":"a\u0000b"}"#).contains("NUL"));
    let url = refusal(r#"{"command":"https://me:secret@a.example/mcp"}"#);
    assert_eq!(url, "config key 'command': it is a URL, and no program; a server at a URL has the key 'url'");
    assert!(refusal(r#"{"command":"x","env":{"A=B":"1"}}"#).contains("env"));
}

#[test]
fn bad_json_is_told_with_its_place() {
    assert!(refusal("{\"command\":}").starts_with("config is no JSON object: "));
    assert!(refusal("[]").starts_with("config is no JSON object"));
}

#[test]
fn revisions_can_be_pinned_in_every_form() {
    let allowed =
        |protocol: &str| parsed(&format!(r#"{{"command":"x","protocol":{protocol}}}"#)).settings.allowed;
    assert_eq!(allowed("\"modern\""), [Revision::V2026_07_28]);
    assert_eq!(allowed("\"legacy\"").len(), 4);
    assert_eq!(allowed("\"2025-06-18\""), [Revision::V2025_06_18]);
    assert_eq!(allowed(r#"["2025-06-18","2026-07-28"]"#).len(), 2);
}

#[test]
fn static_roots_are_declared_and_checked() {
    let config = parsed(r#"{"command":"x","roots":["file:///a",{"uri":"file:///b","name":"b"}]}"#);
    assert_eq!(config.settings.capabilities["roots"]["listChanged"], true);
    assert_eq!(
        config.settings.roots.as_deref(),
        Some(r#"{"roots":[{"uri":"file:///a"},{"name":"b","uri":"file:///b"}]}"#)
    );
    assert!(refusal(r#"{"command":"x","roots":["/a"]}"#).contains("file://"));
}

#[test]
fn a_text_that_is_no_list_of_roots_is_refused() {
    let wrong = [
        ("{}", "no list"),
        ("[", "no JSON"),
        (r#"["https://example.com"]"#, "no file:// URI"),
        ("[7]", "neither"),
    ];
    for (text, why) in wrong {
        let error = parse_roots(text).expect_err(text);
        assert_eq!(error.status, Status::InvalidArgument, "{text}");
        assert!(error.message.contains(why), "{text}: {}", error.message);
    }
}

#[test]
fn reconnection_can_be_turned_off_and_tuned() {
    assert!(parsed(r#"{"command":"x","reconnect":false}"#).settings.reconnect.is_none());
    let policy =
        parsed(r#"{"command":"x","reconnect":{"initial_ms":5,"max_attempts":3}}"#).settings.reconnect;
    assert!(policy.is_some_and(|policy| policy.max_attempts == Some(3)));
    assert!(refusal(r#"{"command":"x","reconnect":{"initial_ms":10,"max_ms":5}}"#).contains("max_ms"));
}

#[test]
fn times_bounds_of_lists_and_framing_go_where_they_are_used() {
    let config = parsed(
        r#"{"command":"x","framing":"content-length",
            "timeouts":{"probe_ms":1,"initialize_ms":2,"listen_ms":3,"reset_on_progress":true},
            "limits":{"list_pages":4,"list_items":5,"list_bytes":6000}}"#,
    );
    assert_eq!(config.transport.framing, Framing::ContentLength);
    let Settings { timeouts, lists, .. } = config.settings;
    let times = [timeouts.probe, timeouts.initialize, timeouts.listen];
    assert_eq!(times, [1, 2, 3].map(Duration::from_millis));
    assert!(timeouts.reset_on_progress);
    assert_eq!((lists.pages, lists.items, lists.bytes), (4, 5, 6000));
    let default = parsed(r#"{"command":"x"}"#);
    assert_eq!(default.transport.framing, Framing::Newline);
    assert!(!default.settings.timeouts.reset_on_progress);
}

#[test]
fn call_options_refuse_what_they_do_not_know() {
    let options =
        options::parse(r#"{"timeout_ms":5,"progress":true,"meta":{"a/b":{"c":1}}}"#).expect("valid");
    assert_eq!(options.meta, r#""a/b":{"c":1}"#);
    let error = options::parse(r#"{"timeout":5}"#).expect_err("unknown");
    assert_eq!(error.message, "call option 'timeout': it is unknown; did you mean 'timeout_ms'?");
    assert!(options::parse(r#"{"meta":{"progressToken":1}}"#).is_err());
}

#[test]
fn trace_context_goes_into_the_metadata_and_must_be_well_formed() {
    let trace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    let options = options::parse(&format!(r#"{{"traceparent":"{trace}"}}"#)).expect("valid");
    assert_eq!(options.meta, format!(r#""traceparent":"{trace}""#));
    let options = options::parse(&format!(r#"{{"parent":"{trace}","tracestate":"x=1"}}"#)).expect("valid");
    let parent = format!(r#""traceparent":"{trace}","#);
    assert_eq!(
        (&*options.meta, options.parent_length),
        (&*format!(r#"{parent}"tracestate":"x=1""#), parent.len())
    );
    let options = options::parse(&format!(r#"{{"parent":"{trace}"}}"#)).expect("valid");
    assert_eq!((options.meta.len(), options.parent_length), (parent.len() - 1, parent.len() - 1));
    let other = trace.replace("-b7", "-c7");
    for given in [format!(r#""traceparent":"{other}""#), format!(r#""meta":{{"traceparent":"{other}"}}"#)] {
        let options = options::parse(&format!(r#"{{"parent":"{trace}",{given}}}"#)).expect("valid");
        assert_eq!((&*options.meta, options.parent_length), (&*format!(r#""traceparent":"{other}""#), 0));
    }
    let options = options::parse(r#"{"baggage":"user=a","tracestate":"x=1","meta":{"tracestate":"y=2"}}"#);
    assert_eq!(options.expect("valid").meta, r#""tracestate":"x=1","baggage":"user=a""#);
    for wrong in [
        r#"{"traceparent":"00-00000000000000000000000000000000-b7ad6b7169203331-01"}"#,
        r#"{"meta":{"traceparent":"no trace"}}"#,
        r#"{"meta":{"traceparent":7}}"#,
        r#"{"parent":"no trace"}"#,
        r#"{"tracestate":"x"}"#,
        r#"{"baggage":"two words"}"#,
    ] {
        let error = options::parse(wrong).expect_err(wrong);
        assert!(error.message.contains("is not of the form"), "{}", error.message);
    }
}

#[test]
fn metadata_of_a_call_is_kept_as_it_was_written() {
    let options = options::parse(
        "{\"meta\":{\"com.example/x\":{\"z\":1.50,\n\"a\":12345678901234567890123},\"n\":null}}",
    );
    assert_eq!(
        options.expect("valid").meta,
        r#""com.example/x":{"z":1.50, "a":12345678901234567890123},"n":null"#,
        "not even a zero is lost, and it is one line"
    );
    let twice = options::parse(r#"{"meta":{"a":1,"a":2}}"#).expect_err("which of the two would be sent?");
    assert_eq!(twice.message, "call option 'meta.a': it stands there twice; remove one of the two");
}

#[test]
fn a_metadata_key_has_the_form_that_the_specification_gives_it() {
    for key in ["_x", "a b", "1.example/x", "a/b/c"] {
        let error = options::parse(&format!(r#"{{"meta":{{"{key}":1}}}}"#)).expect_err(key);
        assert!(error.message.starts_with(&format!("call option 'meta.{key}'")), "{}", error.message);
    }
}

#[test]
fn an_extension_is_enabled_by_its_full_name_with_an_object() {
    let with =
        |extensions: &str| format!(r#"{{"command":"x","capabilities":{{"extensions":{extensions}}}}}"#);
    let enabled = parsed(&with(r#"{"com.example/x":{},"com.example/y":{"a":1}}"#)).settings.capabilities;
    assert_eq!(enabled["extensions"].as_object().map(Map::len), Some(2));
    assert!(refusal(&with(r#"{"x":{}}"#)).contains("capabilities.extensions.x"));
    assert!(refusal(&with(r#"{"com.example/x":true}"#)).contains("true is no object"));
}

#[test]
fn a_socket_goes_with_no_other_way_to_a_server() {
    let config = parsed(r#"{"type":"socket","socket":"tcp:[::1]:4000","timeouts":{"connect_ms":7}}"#);
    let LinkTarget::Socket(address) = &config.transport.endpoint else { panic!("a socket") };
    assert_eq!(address.to_string(), "tcp:[::1]:4000");
    assert_eq!(config.name, "tcp:[::1]:4000");
    assert_eq!(config.transport.connect, Duration::from_millis(7));
    assert_eq!(
        refusal(r#"{"socket":"unix:/x","command":"y"}"#),
        "config key 'socket': 'command' is given too; a server is started or reached in one way"
    );
    assert_eq!(
        refusal(r#"{"socket":"unix:/x","url":"http://y"}"#),
        "config key 'url': 'socket' is given too; a server is started or reached in one way"
    );
    assert_eq!(
        refusal(r#"{"socket":"/x"}"#),
        "config key 'socket': '/x' cannot be used: it begins with neither \"unix:\" nor \"tcp:\"; write \"unix:/path\", \
         \"unix:@name\" or \"tcp:host:port\""
    );
    assert_eq!(refusal(r#"{"command":"x","type":"socket"}"#), "config key 'type': it goes with 'socket'");
    assert_eq!(
        refusal(r#"{"command":"x","type":"carrier pigeon"}"#),
        "config key 'type': \"carrier pigeon\" is not one of \"stdio\", \"http\", \"streamable-http\", \"streamableHttp\", \
         \"streamable_http\", \"sse\", \"socket\""
    );
}

#[test]
fn tool_modes_are_off_unless_chosen_and_every_client_has_a_secret_of_its_own() {
    let modes = |members: &str| parsed(&format!(r#"{{"command":"x"{members}}}"#)).settings.tool_modes;
    assert!(modes("").is_none() && modes(r#","tool_modes":"off""#).is_none());
    let (one, other) = (modes(r#","tool_modes":"auto""#), modes(r#","tool_modes":"auto""#));
    assert_eq!(one.map(|modes| modes.waiting), Some(1000));
    assert_ne!(one.map(|modes| modes.secret), other.map(|modes| modes.secret));
    let bounded = modes(r#","tool_modes":"auto","limits":{"stateful_calls":7}"#);
    assert_eq!(bounded.map(|modes| modes.waiting), Some(7));
    assert_eq!(
        refusal(r#"{"command":"x","tool_modes":true}"#),
        "config key 'tool_modes': true is not one of \"off\", \"auto\""
    );
    assert!(refusal(r#"{"command":"x","limits":{"stateful_calls":0}}"#).contains("limits.stateful_calls"));
    assert!(parsed(r#"{"command":"x","elicitation_urls":"any"}"#).settings.any_page);
    assert!(!parsed(r#"{"command":"x"}"#).settings.any_page);
}

#[cfg(feature = "auth")]
#[test]
fn authorization_goes_with_a_url_only() {
    let what = "config key 'auth': it goes with 'url'; a server that is started gets what it needs by 'env'";
    assert_eq!(refusal(r#"{"command":"x","auth":{}}"#), what);
    assert_eq!(refusal(r#"{"socket":"unix:/x","auth":{}}"#), what);
    assert_eq!(Config::parse_custom(r#"{"auth":{}}"#).expect_err("a refusal").message, what);
}

#[test]
fn drafts_are_named_one_by_one_and_off_without_a_name() {
    use crate::protocol::draft::Drafts;
    assert!(!parsed(r#"{"command":"x"}"#).settings.draft.is_any());
    assert!(!parsed(r#"{"command":"x","draft":[]}"#).settings.draft.is_any());
    if cfg!(not(feature = "draft")) {
        assert!(refusal(r#"{"command":"x","draft":["digest"]}"#).contains("cargo feature \"draft\""));
        return;
    }
    for (name, draft) in Drafts::NAMES {
        assert_eq!(parsed(&format!(r#"{{"command":"x","draft":["{name}"]}}"#)).settings.draft, draft);
    }
    let both =
        parsed(r#"{"command":"x","draft":["language","digest"],"accept_language":"fr;q=0.9"}"#).settings;
    assert!(both.draft.has(Drafts::DIGEST) && both.draft.has(Drafts::LANGUAGE));
    assert_eq!(both.language.as_deref(), Some("fr;q=0.9"));
    for (more, told) in [
        (r#""draft":["digests"]"#, "there is no draft 'digests'; did you mean 'digest'?"),
        (r#""draft":["requiredCapabilities"]"#, "did you mean 'required_capabilities'?"),
        (r#""draft":["pigeons"]"#, "there are digest, errors, etag, language, required_capabilities"),
        (r#""draft":"digest""#, "is not a list of drafts"),
        (r#""draft":[7]"#, "7 is not the name of a draft"),
        (r#""accept_language":"fr""#, "add \"language\" to 'draft'"),
        (r#""draft":["language"],"accept_language":"fr_CA""#, "not a preference as Accept-Language has it"),
    ] {
        let refused = refusal(&format!(r#"{{"command":"x",{more}}}"#));
        assert!(refused.contains(told), "{refused}");
    }
}
