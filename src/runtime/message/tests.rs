use super::*;
use crate::protocol::Topic;

fn notification(frame: &str) -> Message {
    let bytes = frame.as_bytes().to_vec();
    let Ok(crate::protocol::Incoming::Notification { method, params, .. }) =
        crate::protocol::envelope::parse(&bytes, 16)
    else {
        panic!("a notification")
    };
    Message::from_server(Kind::Notification, 1, bytes, method, params)
}

#[test]
fn method_and_parameters_are_read_in_place_in_any_order() {
    for frame in [
        r#"{"jsonrpc":"2.0","method":"a/b","params":{"x":[1]}}"#,
        r#"{"params":{"x":[1]},"method":"a/b","jsonrpc":"2.0"}"#,
        r#"{"params": {"x":[1]} ,"method":"a\u002fb","jsonrpc":"2.0"}"#,
    ] {
        let message = notification(frame);
        assert_eq!(message.method(), Some("a/b"));
        assert_eq!(message.json(), r#"{"x":[1]}"#);
        assert_eq!(message.json_with_nul().last(), Some(&0));
        assert_eq!(message.method_with_nul().and_then(<[u8]>::last), Some(&0));
    }
}

#[test]
fn a_method_with_a_nul_character_is_not_cut_short() {
    let message = notification("{\"jsonrpc\":\"2.0\",\"method\":\"a\\u0000b\"}");
    assert_eq!(message.method(), Some("a\\u0000b"));
}

#[test]
fn absent_parameters_read_as_an_empty_object() {
    assert_eq!(notification(r#"{"jsonrpc":"2.0","method":"a"}"#).json(), "{}");
}

#[test]
fn only_what_a_server_says_has_a_topic() {
    let changed = notification(r#"{"jsonrpc":"2.0","method":"notifications/prompts/list_changed"}"#);
    assert_eq!(changed.topic(), Topic::PromptsChanged);
    assert_eq!(notification(r#"{"jsonrpc":"2.0","method":"a/b"}"#).topic(), Topic::Unknown);
    let failed = Error::new(Status::Timeout, "elicitation/create", "no answer");
    for message in [Message::failure(1, &failed), Message::log(1, "line"), Message::lost(2)] {
        assert_eq!(message.topic(), Topic::None);
    }
}

/// The engine that a request came from; it is told when the request is dropped.
struct Owner;

impl Abandon for Owner {
    fn abandon(&self, _key: u64) {}
}

#[test]
fn an_input_has_its_name_and_says_whether_more_follow() {
    let event = |input: Option<(&str, bool)>| {
        let handed_on = crate::protocol::write::local_message(true, "roots/list", None);
        let input = input
            .map(|(name, has_more)| Box::new(crate::engine::RequestedInput { name: name.into(), has_more }));
        let crate::protocol::write::LocalMessage { frame, method, params } = handed_on;
        let event = Event::Request { frame, method, params, key: 1, call: 2, tag: 3, input };
        let owner = || std::sync::Weak::<Owner>::new() as std::sync::Weak<dyn Abandon>;
        Message::event(1, event, owner)
    };
    assert_eq!(event(Some(("a\\u0062", true))).input(), Some(("ab".to_owned(), true)));
    let last = event(Some(("q", false)));
    assert_eq!(last.input(), Some(("q".to_owned(), false)));
    assert_eq!((last.text_with_nul(), last.error_with_nul()), (None, None));
    assert_eq!(event(None).input(), None, "one on the wire has no name");
    assert_eq!(notification(r#"{"jsonrpc":"2.0","method":"a"}"#).input(), None);
}
