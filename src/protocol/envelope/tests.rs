//! Which kind of message each frame is.

use super::*;

fn parsed(frame: &str) -> Result<Incoming, Malformed> {
    parse(frame.as_bytes(), 128)
}

fn violation(frame: &str) -> (Violation, Option<u64>) {
    let malformed = parsed(frame).expect_err("a violation");
    assert!(malformed.ids.len() < 2, "{malformed:?}");
    (malformed.violation, malformed.ids.first().copied())
}

#[test]
fn an_answer_with_two_ids_is_none_to_either() {
    for (frame, ids) in [
        (r#"{"jsonrpc":"2.0","id":1,"id":2,"result":{}}"#, &[1, 2][..]),
        (r#"{"id":1,"result":{"x":[{}]},"jsonrpc":"2.0","\u0069d":2}"#, &[1, 2]),
        (r#"{"jsonrpc":"2.0","id":"x","id":2,"error":{"code":1,"message":""}}"#, &[2]),
        (r#"{"jsonrpc":"2.0","id":3,"result":{},"result":{}}"#, &[3]),
        (r#"{"jsonrpc":"2.0","id":3,"id":3,"result":{}}"#, &[3]),
        (r#"{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}"#, &[]),
        (r#"{"jsonrpc":"2.0","id":1,"id":2}"#, &[]),
        (r#"{"jsonrpc":"2.0","id":1,"result":{},"id":2,"#, &[1]),
    ] {
        let malformed = parsed(frame).expect_err("two of one name");
        assert!(matches!(malformed.violation, Violation::InvalidJson(_)), "{frame}");
        assert_eq!(malformed.ids, ids, "{frame}");
    }
}

#[test]
fn an_answer_is_told_from_a_request_and_a_notification() {
    assert!(matches!(
        parsed(r#"{"jsonrpc":"2.0","id":7,"result":{"resultType":"complete"}}"#),
        Ok(Incoming::Result { id: Id::Number(7), result_type: Some(_), .. })
    ));
    assert!(matches!(
        parsed(r#"{"id":"7","jsonrpc":"2.0","method":"ping"}"#),
        Ok(Incoming::Request { params: None, .. })
    ));
    assert!(matches!(
        parsed(r#"{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":3}}"#),
        Ok(Incoming::Notification { progress_token: Some(_), request_id: None, .. })
    ));
    assert!(matches!(
        parsed(r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"bad"}}"#),
        Ok(Incoming::Error { id: Id::None, code: -32700, .. })
    ));
}

#[test]
fn ids_are_compared_by_value() {
    let id = |frame: &str| match parsed(frame) {
        Ok(Incoming::Result { id, .. }) => id,
        other => panic!("{other:?}"),
    };
    assert_eq!(id(r#"{"jsonrpc":"2.0","id":1,"result":{}}"#), Id::Number(1));
    for ours in ["\"1\"", "1.0", "1.000", "1e0", "10e-1", "\"1.0\""] {
        let frame = format!(r#"{{"jsonrpc":"2.0","id":{ours},"result":{{}}}}"#);
        assert!(
            matches!(parsed(&frame), Ok(Incoming::Result { id: Id::Number(1), tolerated: true, .. })),
            "{ours}"
        );
    }
    for foreign in ["\"x\"", "\"\"", "1.5", "-1", "1e400", "18446744073709551616"] {
        let frame = format!(r#"{{"jsonrpc":"2.0","id":{foreign},"result":{{}}}}"#);
        assert!(matches!(id(&frame), Id::Foreign(_)), "{foreign}");
    }
}

#[test]
fn a_member_that_is_null_is_absent_and_what_can_only_mean_one_thing_is_taken() {
    let answer = |members: &str| parsed(&format!(r#"{{"jsonrpc":"2.0","id":4,{members}}}"#));
    for result in [
        r#""result":{},"error":null"#,
        r#""method":null,"result":{}"#,
        r#""error":null,"result":null"#,
        r#""result":{},"error":"""#,
        r#""result":{},"error":{}"#,
    ] {
        assert!(matches!(answer(result), Ok(Incoming::Result { tolerated: true, .. })), "{result}");
    }
    assert!(matches!(answer(r#""result":null"#), Ok(Incoming::Result { tolerated: false, .. })));
    for (error, wanted) in [
        (r#""result":null,"error":{"code":-3,"message":"x"}"#, -3),
        (r#""error":{"code":"-32001","message":"x","data":null}"#, -32001),
        (r#""error":{"code":"closed","message":"x"}"#, error_code::INTERNAL_ERROR),
        (r#""error":{"code":null,"message":"x"}"#, error_code::INTERNAL_ERROR),
        (r#""error":{"code":-32601.0}"#, -32601),
        (r#""error":"x""#, error_code::INTERNAL_ERROR),
        (r#""error":{}"#, error_code::INTERNAL_ERROR),
    ] {
        match answer(error) {
            Ok(Incoming::Error { code, tolerated: true, data: None, .. }) => {
                assert_eq!(code, wanted, "{error}");
            }
            other => panic!("{error}: {other:?}"),
        }
    }
    let ping = parsed(r#"{"jsonrpc":"2.0","id":1,"method":"ping","params":[ ]}"#);
    assert!(matches!(ping, Ok(Incoming::Request { params: None, .. })));
}

#[test]
fn each_broken_rule_is_named_and_the_call_it_answers_with_it() {
    assert_eq!(
        violation(r#"{"jsonrpc":"2.0","id":4,"result":1,"error":{"code":1,"message":"x"}}"#),
        (Violation::ResultAndError, Some(4))
    );
    assert_eq!(violation(r#"{"level":"info","id":4,"msg":"x"}"#), (Violation::NoMessage, None));
    assert_eq!(violation(r#"{"jsonrpc":"1.0","id":4,"result":1}"#), (Violation::WrongVersion, Some(4)));
    assert_eq!(violation(r#"{"jsonrpc":"2.0","id":4}"#), (Violation::NoKind, Some(4)));
    assert_eq!(violation(r#"{"jsonrpc":"2.0","id":[4],"result":1}"#), (Violation::BadId, None));
    assert_eq!(violation(r#"{"jsonrpc":"2.0","id":4,"error":[4]}"#), (Violation::BadError, Some(4)));
    assert_eq!(violation(r#"{"id":4,"result":1}"#), (Violation::WrongVersion, Some(4)));
    assert_eq!(violation(r#"{"id":4,"method":"ping"}"#), (Violation::WrongVersion, None));
    for line in [r#"{"id":4,"level":"error","error":"x"}"#, r#"{"id":4,"result":{},"msg":"done"}"#] {
        assert_eq!(violation(line), (Violation::NoMessage, None), "the line of a log");
    }
    assert_eq!(
        violation(r#"{"jsonrpc":"2.0","id":4,"method":"x","params":[1]}"#),
        (Violation::BadParams, None)
    );
    assert_eq!(violation(r#"{"jsonrpc":"2.0","id":null,"method":"x"}"#), (Violation::BadId, None));
    assert_eq!(violation(r#"{"jsonrpc":"2.0","method":7}"#), (Violation::BadMethod, None));
}

#[test]
fn an_oversized_frame_gives_its_id_only_where_it_is_certain() {
    assert_eq!(salvage_id(br#"{"jsonrpc":"2.0","id":12,"result":{"x"#, b"..."), Some(12));
    assert_eq!(salvage_id(br#"{"result":{"#, br#"..."}]},"jsonrpc":"2.0","id":31}"#), Some(31));
    assert_eq!(salvage_id(br#"{"result":{"#, br#"..."}]}, "id": 31, "jsonrpc": "2.0" } "#), Some(31));
    assert_eq!(salvage_id(br#"{"result":{"#, br#"..."a":1,"id":31}}"#), None);
    assert_eq!(salvage_id(br#"{"result":{"id":4,"#, b"xxxx"), None);
    // Requests of the server have ids of their own.
    assert_eq!(salvage_id(br#"{"jsonrpc":"2.0","id":12,"method":"x"#, b"..."), None);
    assert_eq!(salvage_id(br#"{"method":"x","#, br#"..."}]},"jsonrpc":"2.0","id":31}"#), None);
}
