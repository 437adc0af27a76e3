use super::*;

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
